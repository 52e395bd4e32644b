//! Every call that an excerpt or an outline suggests is run, and gives what was announced.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::*;
use crate::fence::tests::inside;
use crate::limits::Work;
use crate::settings::{FetchSettings, StoreSettings, TransformSettings};
use crate::spill::result::{FinishedResult, Origin, Outcome, Part, Shown};
use crate::spill::{Spill, transform};
use crate::store::BlobStore;

fn lines(count: u64, line: impl Fn(u64) -> String) -> String {
    (1..=count).map(|n| line(n) + "\n").collect()
}

/// Results of many kinds, each with what it is called.
fn corpus() -> Vec<(&'static str, String)> {
    let level = |n: u64| match n % 50 {
        0 => "CRITICAL",
        7 => "ERROR",
        n if n % 9 == 0 => "WARNING",
        _ => "INFO",
    };
    let row = |n: u64| {
        let mut row = json!({
            "id": 9_007_199_254_740_993u64 + n, "state": (["open", "paid", "a,b"][n as usize % 3]),
            "odd key": n.is_multiple_of(2), "who": {"name": format!("user {n}"), "tags": ["x", "y"]},
            "end": n as f64 / 4.0, "and": null, "same": "", "$ref": format!("#/{n}"),
        });
        if n.is_multiple_of(5) {
            row["refund"] = json!(1.5);
            row["note"] = json!([{"by": "me", "at": n}]);
        }
        row
    };
    let rows: Vec<Value> = (0..700).map(row).collect();
    let ndjson: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let csv = |header: &str, sign: &str| {
        let row = |n: u64| {
            let cells = [
                (n * 17).to_string(),
                format!("user{n}"),
                ["ok", "failed", ""][n as usize % 3].to_owned(),
                format!("\"a{sign}b \"\"{}\"\"\"", n % 2),
                format!("{:05}", n % 4),
                format!("2026-01-{:02}T10:00:00Z", n % 28 + 1),
            ];
            cells.join(sign)
        };
        format!("{header}{}", lines(900, row))
    };
    let pod = |n: u64| {
        format!(
            "kind: Pod\nmetadata:\n  name: p{n}\n  labels: {{app: web, \"x-y\": a}}\nspec:\n  ports:\n  - {n}\n---"
        )
    };
    let wide: serde_json::Map<String, Value> =
        (0..900).map(|n| (format!("key{n}"), json!({"n": n, "ok": true}))).collect();
    vec![
        ("json rows", json!({"page": 1, "data": rows}).to_string()),
        ("json array", Value::from(rows.clone()).to_string()),
        ("json map", json!({"servers": wide}).to_string()),
        (
            "json content beside rows",
            json!({
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
                "structuredContent": {"rows": rows},
            })
            .to_string(),
        ),
        (
            "json columns",
            json!({
                "columns": ["id", "state"],
                "rows": (0..900).map(|n| json!([n, "ok"])).collect::<Vec<_>>(),
            })
            .to_string(),
        ),
        ("json numbers", json!((0..5_000).collect::<Vec<_>>()).to_string()),
        ("ndjson", ndjson.clone()),
        ("ndjson with an odd line", ndjson.replacen("{", "{{", 1)),
        (
            "json log",
            lines(900, |n| {
                let level = level(n).to_lowercase();
                format!(
                    r#"{{"time":{n},"level":"{level}","msg":"no error, 0 failed of {n}: timeout"}}"#
                )
            }),
        ),
        ("csv", csv("id,name,state,note,zip,at\n", ",")),
        ("csv without a header", csv("", ",")),
        ("tsv", csv("id\tname\tstate\tnote\tzip\tat\n", "\t")),
        ("semicolons", csv("id;name;state;odd name;zip;at\n", ";")),
        (
            "log",
            lines(900, |n| {
                format!("2026-01-02 10:00:0{} {} root: request {n} took {n} ms", n % 10, level(n))
            }),
        ),
        (
            "log that mentions levels",
            lines(900, |n| {
                format!(
                    "2026-01-02T10:00:00Z {} said WARNING and ERROR {n}",
                    level(n).to_lowercase()
                )
            }),
        ),
        (
            "klog",
            lines(900, |n| {
                format!(
                    "{}0624 10:00:00.{n} 1 x.go:{n}] synced",
                    ["I", "I", "W", "E"][n as usize % 4]
                )
            }),
        ),
        (
            "markdown",
            lines(60, |n| format!("## Part {n}\n\nSome words here about it.\n\n```\n# no\n```")),
        ),
        ("code", format!("use x;\n{}", lines(300, |n| format!("pub fn f{n}() {{\n    1\n}}")))),
        (
            "diff",
            lines(90, |n| {
                format!(
                    "diff --git a/f{n} b/f{n}\n--- a/f{n}\n+++ b/f{n}\n@@ -1,2 +1,2 @@\n-a{n}\n+b{n}\n c"
                )
            }),
        ),
        (
            "html",
            format!(
                "<html><body>\n{}",
                lines(200, |n| format!("<h2>Part {n}</h2>\n<p>Text of it.</p>"))
            ),
        ),
        ("yaml", lines(120, pod)),
        (
            "sql",
            format!(
                "CREATE TABLE t (id int);\n{}",
                lines(500, |n| { format!("INSERT INTO t VALUES ({n}, 'x{n}', 'open');") })
            ),
        ),
        ("paths", lines(900, |n| format!("./src/{}/file{n}.rs", n % 7))),
        (
            "compiler",
            lines(900, |n| match n {
                400 => "main.c:400: error: expected `;`".to_owned(),
                n => format!("main.c:{n}: warning: unused variable x{n}"),
            }),
        ),
        ("prose", lines(400, |n| format!("Sentence number {n} is like all others, more or less."))),
    ]
}

struct Bench {
    _dir: tempfile::TempDir,
    store: BlobStore,
    now: SystemTime,
}

impl Bench {
    fn new() -> Bench {
        let dir = tempfile::tempdir().unwrap();
        let store = BlobStore::open(dir.path(), StoreSettings::default()).unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        Bench { _dir: dir, store, now }
    }

    /// The excerpt of a result, and its id.
    fn excerpt(&self, text: &str) -> (String, String) {
        let settings = TransformSettings { threshold_chars: 3_000, ..TransformSettings::default() };
        let spill = Spill { settings: &settings, open: &|| Ok(self.store.clone()), now: self.now };
        let result = FinishedResult {
            origin: Origin { session: "s1".into(), tool: "t".into(), ..Origin::default() },
            parts: vec![Part::Text(text.to_owned())],
            ..FinishedResult::default()
        };
        let Ok(Outcome::Replaced(replacement)) = transform(&spill, &result) else {
            panic!("not replaced: {text:.200}")
        };
        let shown = replacement.shown.into_iter().find_map(|shown| match shown {
            Shown::Text(text) => Some(text),
            Shown::Left(_) => None,
        });
        (shown.unwrap(), replacement.handles[0].id.to_string())
    }

    /// The answer of all slices of one call.
    fn ask(&self, arguments: &Value) -> String {
        let settings = FetchSettings::default();
        let reader = Reader {
            store: &self.store,
            settings: &settings,
            session: "s1",
            now: self.now,
            work: Work::CALL,
            joined: None,
        };
        let mut answer = invoke(&reader, NAME, &arguments.to_string());
        while let Some(more) = answer.more.take() {
            answer = invoke(&reader, NAME, &more);
        }
        assert!(!answer.is_error, "{arguments}: {}", answer.text);
        answer.text
    }
}

/// What stands between two words, if they are there.
fn between<'t>(text: &'t str, from: &str, to: &str) -> Option<&'t str> {
    let rest = &text[text.find(from)? + from.len()..];
    Some(&rest[..rest.find(to).unwrap_or(rest.len())])
}

/// Whether what a call of an excerpt gives is something.
fn gives_something(name: &str, call: &Value, answer: &str) {
    let head = answer.lines().next().unwrap();
    for wrong in [
        "no matches",
        "nothing matches",
        "[weir: 0 results",
        "failed on",
        "; 0 entries",
        "past the end",
    ] {
        let is_odd = wrong == "failed on" && name.contains("odd line");
        assert!(is_odd || !head.contains(wrong), "{name}: {call}: {head}");
    }
    assert!(
        inside(answer).is_some_and(|inside| !inside.trim().is_empty()),
        "{name}: {call}: {head}"
    );
}

#[test]
fn calls_of_excerpts_run() {
    for (name, text) in corpus() {
        let bench = Bench::new();
        let (excerpt, id) = bench.excerpt(&text);
        let calls: Vec<Value> = excerpt
            .lines()
            .skip(1)
            .take_while(|line| !line.starts_with("<<<"))
            .filter_map(|line| serde_json::from_str(line.strip_prefix("  ")?).ok())
            .collect();
        assert!((2..=4).contains(&calls.len()), "{name}: {excerpt}");
        for call in &calls {
            assert_eq!(call["id"], id, "{name}");
            gives_something(name, call, &bench.ask(call));
        }
        // The mode that fits.
        let has_rows = ["json", "ndjson", "csv", "tsv", "semicolons"];
        let has_rows = has_rows.iter().any(|kind| name.starts_with(kind));
        assert_eq!(calls[0]["mode"] == "query", has_rows, "{name}: {}", calls[0]);
    }
}

#[test]
fn calls_of_outlines_give_what_they_announce() {
    let bench = Bench::new();
    for (name, text) in corpus() {
        let (_, id) = bench.excerpt(&text);
        let mut arguments = json!({"id": id, "mode": "outline"});
        let mut entries = 0;
        loop {
            let page = bench.ask(&arguments);
            for line in inside(&page).unwrap_or_default().lines() {
                let Some((said, call)) = line.rsplit_once("  {") else { continue };
                let mut call: Value = serde_json::from_str(&format!("{{{call}")).unwrap();
                call["id"] = id.as_str().into();
                entries += 1;
                if entries < 80 {
                    announced(name, said, &call, &bench.ask(&call));
                }
            }
            let head = page.lines().next().unwrap();
            match head.split_once("; next: ") {
                Some((_, next)) => {
                    arguments = serde_json::from_str(next.strip_suffix(']').unwrap()).unwrap();
                }
                None => break,
            }
        }
        assert!(entries > 0 || ["prose", "paths"].contains(&name), "{name}");
    }
}

/// Holds what an entry says against what its call gives.
fn announced(name: &str, said: &str, call: &Value, answer: &str) {
    gives_something(name, call, answer);
    let head = answer.lines().next().unwrap();
    let content = inside(answer).unwrap();
    let what = format!("{name}: {said}: {call}: {answer}");
    if let Some(count) = between(said, "level; ", " with this word") {
        assert!(head.contains(&format!(" in {count}")), "{what}");
        let first = said.rsplit_once("the first is line ").unwrap().1.replace(',', "");
        assert!(content.starts_with(&format!("{first}:")), "{what}");
    } else if let Some((_, listed)) = said.split_once(" distinct: ") {
        // What is not there in a row is null besides.
        let rows: Vec<Value> =
            content.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: Vec<&Value> = rows.iter().filter(|row| !row["value"].is_null()).collect();
        for row in &found {
            let times = match row["count"].as_u64().unwrap() {
                1 => String::new(),
                times => format!(" {}x", crate::content::numbers::thousands(times)),
            };
            assert!(listed.contains(&format!("{}{times}", row["value"])), "{what}");
        }
        let count = said.split_once("; ").unwrap().1.split_once(" distinct").unwrap().0;
        assert_eq!(
            count.rsplit_once("; ").map_or(count, |(_, count)| count),
            found.len().to_string(),
            "{what}"
        );
    } else if let Some(range) = between(said, "; from ", ", mean") {
        let (least, greatest) = range.split_once(" to ").unwrap();
        assert!(content.contains(&format!("\"min\":{least},")), "{what}");
        assert!(content.contains(&format!("\"max\":{greatest}")), "{what}");
    } else if call["mode"] == "range" && !said.contains("of this shape") {
        let label = said.split_once(": ").unwrap().1;
        let label = label.rsplit_once(": ").unwrap().0;
        let label = label.strip_prefix("h2 ").unwrap_or(label);
        assert!(content.lines().next().unwrap().contains(label.trim_start_matches('…')), "{what}");
    }
}
