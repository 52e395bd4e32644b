//! What a model sees, one page a kind of result and one a question, as files to read in `pages/`.
//!
//! A change of any of them is a change of the product: `INSTA_UPDATE=always cargo test -p weir-component --test pages` writes them
//! anew, and the difference is read like any other.

#![cfg(not(target_family = "wasm"))]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use weir_component::fetch::{Reader, tool};
use weir_component::settings::{FetchSettings, StoreSettings, TransformSettings};
use weir_component::spill::result::{FinishedResult, Origin, Outcome, Part, Shown};
use weir_component::spill::{Spill, transform};
use weir_component::store::{BlobStore, StoreError};

/// A store of its own for each page, at one moment.
struct Desk {
    _dir: tempfile::TempDir,
    store: BlobStore,
    now: SystemTime,
}

impl Desk {
    fn new() -> Desk {
        let dir = tempfile::tempdir().unwrap();
        let store = BlobStore::open(dir.path(), StoreSettings::default()).unwrap();
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        Desk { _dir: dir, store, now }
    }

    /// The texts that stand for a result, and the id in them. Without a store where it `fails`.
    fn put(&self, result: FinishedResult, fails: bool) -> (String, Option<String>) {
        let settings = TransformSettings::default();
        let open = || match fails {
            true => {
                let source = std::io::ErrorKind::StorageFull.into();
                Err(StoreError::Io { path: "blobs".into(), source })
            }
            false => Ok(self.store.clone()),
        };
        let spill = Spill { settings: &settings, open: &open, now: self.now };
        let Outcome::Replaced(replaced) = transform(&spill, &result).unwrap() else {
            panic!("it is long enough to be replaced")
        };
        let pages: Vec<String> = replaced
            .shown
            .iter()
            .map(|shown| match shown {
                Shown::Left(part) => format!("(part {part}, as it came)"),
                Shown::Text(text) => text.clone(),
            })
            .collect();
        let id = replaced.handles.first().map(|handle| handle.id.to_string());
        (pages.join("\n═══\n"), id)
    }

    fn text(&self, text: impl Into<String>) -> (String, String) {
        let (page, id) = self.put(result(vec![Part::Text(text.into())]), false);
        (page, id.unwrap())
    }

    /// The answers of the reading tool to one question after the other.
    fn ask(&self, questions: &[Value]) -> String {
        let settings = FetchSettings::default();
        let reader = Reader::new(&self.store, &settings, "s", self.now);
        let pages: Vec<String> = questions
            .iter()
            .map(|question| {
                let answer = tool::invoke(&reader, tool::NAME, &question.to_string());
                let error = if answer.is_error { " (an error)" } else { "" };
                format!("► {question}{error}\n{}", answer.text)
            })
            .collect();
        pages.join("\n\n")
    }
}

fn result(parts: Vec<Part>) -> FinishedResult {
    let origin = Origin { session: "s".into(), tool: "files__read".into(), ..Origin::default() };
    FinishedResult { origin, parts, ..FinishedResult::default() }
}

fn lines(count: u64, line: impl Fn(u64) -> String) -> String {
    (1..=count).map(|n| line(n) + "\n").collect()
}

fn rows(count: u64) -> Vec<Value> {
    (1..=count)
        .map(|n| {
            json!({
                "id": n, "name": format!("service-{n}"), "status": if n % 7 == 0 { "failed" } else { "ok" },
                "latency_ms": n * 37 % 211, "owner": {"team": format!("team-{}", n % 5)},
            })
        })
        .collect()
}

fn log() -> String {
    lines(900, |n| {
        let (hour, minute) = (n / 60, n % 60);
        match n {
            611 => format!(
                "2026-11-20T{hour:02}:{minute:02}:00Z ERROR payment 4711 failed: card declined"
            ),
            _ if n % 50 == 0 => {
                format!("2026-11-20T{hour:02}:{minute:02}:00Z WARN  queue holds {n} items")
            }
            _ => {
                format!("2026-11-20T{hour:02}:{minute:02}:00Z INFO  request {n} took {} ms", n % 83)
            }
        }
    })
}

fn csv(separator: char) -> String {
    let line = |fields: [String; 4]| fields.join(&separator.to_string());
    let head = line(["city", "date", "temperature", "note"].map(str::to_owned));
    let body = lines(700, |n| {
        line([
            format!("City {}", n % 9),
            format!("2026-0{}-1{}", n % 9 + 1, n % 10),
            format!("{}.5", n % 31),
            if n == 333 { "sensor replaced".into() } else { String::new() },
        ])
    });
    format!("{head}\n{body}")
}

fn code() -> String {
    lines(600, |n| {
        format!("/// Adds {n}.\npub fn add_{n}(value: u32) -> u32 {{\n    value + {n}\n}}\n")
    })
}

fn markdown() -> String {
    lines(60, |n| {
        let level = if n % 6 == 1 { "#" } else { "##" };
        format!("{level} Chapter {n}\n\n{}", "It says what is to be done, and by whom. ".repeat(9))
    })
}

macro_rules! pages {
    ($($name:ident: $page:expr;)+) => {$(
        #[test]
        fn $name() {
            let page: String = $page;
            insta::with_settings!({prepend_module_to_snapshot => false, snapshot_path => "pages", omit_expression => true}, {
                insta::assert_snapshot!(stringify!($name), page);
            });
        }
    )+};
}

pages! {
    excerpt_json: Desk::new().text(json!({"services": rows(300), "has_more": true}).to_string()).0;
    excerpt_ndjson: Desk::new().text(rows(300).iter().map(|row| format!("{row}\n")).collect::<String>()).0;
    excerpt_csv: Desk::new().text(csv(',')).0;
    excerpt_tsv: Desk::new().text(csv('\t')).0;
    excerpt_yaml: Desk::new().text(lines(200, |n| format!(
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web-{n}\nspec:\n  replicas: {}", n % 4
    ))).0;
    excerpt_sql: Desk::new().text(format!(
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, total NUMERIC);\n{}",
        lines(400, |n| format!("INSERT INTO orders VALUES ({n}, {}.50);", n * 3))
    )).0;
    excerpt_html: Desk::new().text(format!(
        "<!DOCTYPE html><html><head><title>Rivers</title><style>p {{ color: red }}</style></head><body><nav>Home</nav>\n{}</body></html>",
        lines(150, |n| format!("<h2>River {n}</h2><p>It is {n} km long and flows <a href=\"/sea\">into the sea</a>.</p>"))
    )).0;
    excerpt_xml: Desk::new().text(format!(
        "<?xml version=\"1.0\"?>\n<orders>\n{}</orders>\n",
        lines(400, |n| format!("  <order id=\"{n}\"><total>{}</total></order>", n * 3))
    )).0;
    excerpt_markdown: Desk::new().text(markdown()).0;
    excerpt_diff: Desk::new().text(lines(300, |n| format!(
        "diff --git a/src/part_{n}.rs b/src/part_{n}.rs\n--- a/src/part_{n}.rs\n+++ b/src/part_{n}.rs\n@@ -1,2 +1,3 @@ fn part()\n unchanged\n-old {n}\n+new {n}\n+added {n}"
    ))).0;
    excerpt_log: Desk::new().text(log()).0;
    excerpt_code: Desk::new().text(code()).0;
    excerpt_hits: Desk::new().text(lines(400, |n| format!("src/module_{}.rs:{n}:    let total = sum(&rows);", n % 12))).0;
    excerpt_text: Desk::new().text(lines(400, |n| format!("Line {n} of a text that is about nothing in particular."))).0;
    excerpt_one_long_line: Desk::new().text("word ".repeat(9_000)).0;
    excerpt_command: Desk::new().text(json!({
        "stdout": lines(2_000, |n| format!("test case_{n} ... ok")), "stderr": "warning: one test is slow", "exit_code": 1,
    }).to_string()).0;
    excerpt_error: Desk::new().put(
        FinishedResult { is_error: true, ..result(vec![Part::Text(lines(2_000, |n| format!("  at frame {n} of the stack")))]) }, false
    ).0;
    excerpt_binary: Desk::new().text("\u{7f}ELF\u{2}\u{1}\u{0}\u{0}".repeat(9_000)).0;
    excerpt_of_several_parts: Desk::new().put(result(vec![
        Part::Text("Two files follow.".into()),
        Part::Text(log()),
        Part::Link { uri: "file:///a.txt".into(), name: "a.txt".into(), media_type: Some("text/plain".into()) },
        Part::Text(csv(',')),
    ]), false).0;
    excerpt_for_a_purpose: {
        let mut result = result(vec![Part::Text(log())]);
        result.origin.arguments = Some(json!({"query": "request 417"}).to_string());
        Desk::new().put(result, false).0
    };
    excerpt_that_could_not_be_stored: Desk::new().put(result(vec![Part::Text(log().repeat(3))]), true).0;

    answer_help: Desk::new().ask(&[json!({"mode": "help"})]);
    answer_stat: {
        let desk = Desk::new();
        let id = desk.text(csv(',')).1;
        desk.ask(&[json!({"id": id}), json!({"id": id, "mode": "stat"})])
    };
    answer_range: {
        let desk = Desk::new();
        let id = desk.text(log()).1;
        desk.ask(&[
            json!({"id": id, "mode": "range", "start": 610, "count": 3}),
            json!({"id": id, "mode": "head", "count": 2}),
            json!({"id": id, "mode": "tail", "count": 2}),
            json!({"id": id, "mode": "range", "start": 5_000}),
            json!({"id": id, "mode": "range", "unit": "bytes", "start": 0, "count": 30}),
        ])
    };
    answer_full: {
        let desk = Desk::new();
        let id = desk.text(lines(400, |n| format!("Line {n} of a text that is long enough to be stored."))).1;
        desk.ask(&[json!({"id": id, "mode": "full"})])
    };
    answer_grep: {
        let desk = Desk::new();
        let id = desk.text(log()).1;
        desk.ask(&[
            json!({"id": id, "mode": "grep", "pattern": "ERROR", "context": 1}),
            json!({"id": id, "mode": "grep", "pattern": "WARN", "count_only": true}),
            json!({"id": id, "mode": "grep", "pattern": "INFO", "max_matches": 2}),
            json!({"id": id, "mode": "grep", "pattern": "nowhere to be found"}),
            json!({"id": id, "mode": "grep", "pattern": "(unclosed"}),
        ])
    };
    answer_query: {
        let desk = Desk::new();
        let id = desk.text(Value::from(rows(300)).to_string()).1;
        desk.ask(&[
            json!({"id": id, "mode": "query", "query": "length"}),
            json!({"id": id, "mode": "query", "query": "select(.status == \"failed\") | .name", "limit": 3}),
            json!({"id": id, "mode": "query", "query": "group_by(.owner.team) | map({team: .[0].owner.team, n: length})"}),
            json!({"id": id, "mode": "query", "query": "map(.latency_ms) | add / length"}),
            json!({"id": id, "mode": "query", "query": ".[] | nosuch"}),
        ])
    };
    answer_query_of_a_table: {
        let desk = Desk::new();
        let id = desk.text(csv(',')).1;
        desk.ask(&[
            json!({"id": id, "mode": "query", "query": "select(.note != \"\")"}),
            json!({"id": id, "mode": "query", "query": "max_by(.temperature) | .city"}),
        ])
    };
    answer_outline: {
        let desk = Desk::new();
        let texts = [json!({"services": rows(200)}).to_string(), code(), markdown(), log(), csv(',')];
        let questions: Vec<Value> = texts.into_iter().map(|text| json!({"id": desk.text(text).1, "mode": "outline"})).collect();
        desk.ask(&questions)
    };
    answer_search: {
        let desk = Desk::new();
        let id = desk.text(markdown().replace("Chapter 17", "Chapter 17: how refunds are paid")).1;
        desk.ask(&[json!({"id": id, "mode": "search", "query": "refunds paid"}), json!({"mode": "search", "query": "refunds"})])
    };
    answer_diff: {
        let desk = Desk::new();
        let (old, new) = (desk.text(csv(',')).1, desk.text(csv(',').replace("30.5", "31.5")).1);
        desk.ask(&[json!({"id": new, "mode": "diff", "other": old})])
    };
    answer_list: {
        let desk = Desk::new();
        desk.text(log());
        desk.text(csv(','));
        desk.ask(&[json!({"mode": "list"})])
    };
    answer_to_what_is_not_there: Desk::new().ask(&[
        json!({"id": "aaaaaaaaaaaa", "mode": "full"}),
        json!({"id": "not an id", "mode": "full"}),
        json!({"id": "aaaaaaaaaaaa", "mode": "shred"}),
        json!({"id": "aaaaaaaaaaaa", "mode": "grep"}),
    ]);
}
