//! The shape of a stored result before its content: what there is, how often, and how to read it.
//!
//! Rows (JSON, tables) are read to the end and summed up by path, in slices; the sums go along in
//! the cursor. Text is outlined by its headings, symbols, files, levels and shapes of line.

mod lines;
mod rows;

use self::lines::by_lines;
use self::rows::{Sums, by_rows};
use super::error::FetchError;
use super::more;
use super::query::place::Place;
use super::query::rows::Rows;
use super::query::{xml, yaml};
use super::view::View;
use crate::content::kind::Kind;
use crate::handle::Ids;
use crate::source::Indexed;

/// What outline is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineRequest {
    /// The result.
    pub id: Ids,
    /// Which of its bytes.
    pub view: View,
    /// Where the rows are, as for a query.
    pub path: Option<String>,
    /// `next` of an earlier answer to the same request.
    pub cursor: Option<String>,
}

/// One line of an outline. All of it may hold words of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry {
    /// A path, column, heading, symbol, file, level or shape of line.
    pub label: String,
    /// Types, counts, ranges, values.
    pub detail: String,
    /// The arguments of `weir_fetch` that read it, as JSON.
    pub call: Option<String>,
}

/// An outline, or a page of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutlineAnswer {
    /// What the content is, in words: `items of "/data": 1,000 rows`.
    pub about: String,
    /// The entries of this page.
    pub entries: Vec<OutlineEntry>,
    /// How many there are in all.
    pub total: u64,
    /// Whether all bytes were looked at.
    pub complete: bool,
    /// How to go on: the `cursor` of the next request. None when this is all.
    pub next: Option<String>,
    /// The same with what was counted, so that the next page need not count again: it may be long.
    pub counted: Option<String>,
    /// Where the counting stopped, and the sums.
    state: Option<(Place, String)>,
}

/// The outline of `source`, a page of at most `max_chars` characters.
pub(super) fn outline(
    source: &dyn Indexed,
    kind: Kind,
    request: &OutlineRequest,
    max_chars: usize,
    call_bytes: u64,
) -> Result<OutlineAnswer, FetchError> {
    let bad = || more::refused("cursor");
    let cursor = request.cursor.as_deref().map(str::trim);
    let (offset, resumed) = match cursor {
        None => (0, None),
        Some(cursor) => match cursor.split_once(';') {
            Some((place, rest)) => {
                let place = Place::parse(place).ok_or_else(bad)?;
                let (offset, sums) = rest.split_once(';').ok_or_else(bad)?;
                let offset = offset.parse::<usize>().map_err(|_| bad())?;
                let sums = Sums::load(sums).ok_or_else(bad)?;
                (offset, Some((place, sums)))
            }
            None => (cursor.parse::<usize>().map_err(|_| bad())?, None),
        },
    };
    let made = match kind {
        Kind::Xml => xml::as_json(source)?.map(|text| yaml::Json { text, kind: Kind::Json }),
        _ => yaml::as_json(source, kind)?.and_then(Result::ok),
    };
    let mut answer = match &made {
        Some(json) => {
            let is_yaml = kind != Kind::Xml;
            by_rows(&json.text.as_slice(), json.kind, is_yaml, request, resumed, call_bytes)?
        }
        None if Rows::are_in(kind) => by_rows(source, kind, false, request, resumed, call_bytes)?,
        None => by_lines(source, kind, request)?,
    };
    // Where rows are still to be counted, the place among the entries goes along.
    let goes_on =
        |after: usize, state: &(Place, String)| format!("{};{after};{}", state.0, state.1);
    let state = answer.state.take();
    if !answer.complete
        && let Some(state) = &state
    {
        answer.next = Some(goes_on(offset, state));
        return Ok(answer);
    }
    answer.total = answer.entries.len() as u64;
    let mut used = 0;
    let fits = |entry: &OutlineEntry| {
        used += entry.shown_chars();
        used <= max_chars
    };
    let rest: Vec<OutlineEntry> = answer.entries.into_iter().skip(offset).collect();
    let count = rest.iter().map(fits).take_while(|fits| *fits).count().max(1).min(rest.len());
    answer.entries = rest.into_iter().take(count).collect();
    let after = offset + count;
    if (after as u64) < answer.total {
        answer.next = Some(after.to_string());
        answer.counted = state.map(|state| goes_on(after, &state));
    }
    Ok(answer)
}

impl OutlineEntry {
    /// The entry as one line, with the call without its id.
    pub fn line(&self) -> String {
        let mut line = format!("{}: {}", self.label, self.detail);
        if let Some(call) = &self.call
            && let Ok(serde_json::Value::Object(mut call)) = serde_json::from_str(call)
        {
            call.remove("id");
            line.push_str(&format!("  {}", serde_json::Value::Object(call)));
        }
        line
    }

    fn shown_chars(&self) -> usize {
        self.line().chars().count() + 1
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::limits::OUTLINE_CALL_BYTES;

    fn ask(text: &str, kind: Kind) -> OutlineAnswer {
        let request = OutlineRequest {
            id: Ids::parse_lenient("5f1e0c9a77d2").unwrap(),
            view: View::Text,
            path: None,
            cursor: None,
        };
        outline(&text.as_bytes(), kind, &request, 20_000, OUTLINE_CALL_BYTES).unwrap()
    }

    fn lines(answer: &OutlineAnswer) -> Vec<String> {
        answer.entries.iter().map(|entry| format!("{}: {}", entry.label, entry.detail)).collect()
    }

    #[test]
    fn paths_are_summed_up_over_all_rows() {
        let rows: Vec<_> = (0..5_000)
            .map(|n| {
                let mut row = json!({
                    "id": n,
                    "state": (["open", "paid"][n % 2]),
                    "who": {"name": format!("user number {n}"), "tags": ["a", "b"]},
                    "odd key": true,
                });
                if n % 5 == 0 {
                    row["refund"] = json!(1.5);
                }
                row
            })
            .collect();
        let text = json!({"page": 1, "data": rows}).to_string();
        let answer = ask(&text, Kind::Json);
        assert_eq!(answer.about, "items of \"/data\": 5,000 rows");
        assert!(answer.complete);
        let lines = lines(&answer);
        for wanted in [
            ".id: number, 5,000; from 0 to 4999, mean 2499.5",
            ".state: string, 5,000; 2 distinct: \"open\" 2,500x, \"paid\" 2,500x",
            ".who: object, 5,000, of up to 2",
            ".who.tags[]: string, 10,000; 2 distinct: \"a\" 5,000x, \"b\" 5,000x",
            ".[\"odd key\"]: boolean, 5,000; 1 distinct: true 5,000x",
            ".refund: number, in 1,000 of 5,000; 1 distinct: 1.5 1,000x",
        ] {
            assert!(lines.iter().any(|line| line == wanted), "{wanted}\n{}", lines.join("\n"));
        }
        let call = answer.entries.iter().find(|entry| entry.label == ".state").unwrap();
        assert_eq!(
            call.call.as_deref(),
            Some(r#"{"id":"5f1e0c9a77d2","path":"/data","query":".state","reduce":"distinct"}"#)
        );
    }

    #[test]
    fn members_of_maps_are_told_as_one_whatever_their_number_in_a_row() {
        let deps = |range: std::ops::Range<u32>| -> String {
            range.map(|n| format!("\"k{n}\": {{\"v\": {n}}}")).collect::<Vec<_>>().join(", ")
        };
        // Small, large, small: the calls give what is announced.
        let rows: Vec<String> =
            [0..2, 0..100, 1..4].map(|range| format!("{{\"deps\": {{{}}}}}", deps(range))).to_vec();
        let all = lines(&ask(&format!("[{}]", rows.join(",")), Kind::Json));
        assert_eq!(
            all[1..],
            [
                ".deps[]: object, 105, of up to 1",
                ".deps[].v: number, 105; from 0 to 99, mean 47.20952380952381",
            ],
            "{all:?}"
        );
        // Arrays and objects at one place are told apart, and so are the programs.
        let mixed = "{\"a\": [1, 2]}\n{\"a\": {\"x\": 3}}\n{\"a\": null}\n";
        let told = ask(mixed, Kind::Ndjson);
        let all = lines(&told).join("\n");
        assert!(all.contains(".a|arrays|.[]?: number, 2; 2 distinct: 1, 2"), "{all}");
        assert!(all.contains(".a.x: number, 1; 1 distinct: 3"), "{all}");
    }

    #[test]
    fn an_outline_goes_on_from_call_to_call() {
        let text: String = (0..150_000)
            .map(|n| format!("{{\"n\":{n},\"pad\":\"{}\"}}\n", "x".repeat(150)))
            .collect();
        let mut request = OutlineRequest {
            id: Ids::parse_lenient("5f1e0c9a77d2").unwrap(),
            view: View::Text,
            path: None,
            cursor: None,
        };
        let mut calls = 0;
        let answer = loop {
            let answer =
                outline(&text.as_bytes(), Kind::Ndjson, &request, 20_000, OUTLINE_CALL_BYTES)
                    .unwrap();
            calls += 1;
            if answer.complete {
                break answer;
            }
            request.cursor = answer.next;
        };
        assert!(calls > 1);
        assert!(
            lines(&answer)
                .contains(&".n: number, 150,000; from 0 to 149999, mean 74999.5".to_owned())
        );
    }

    #[test]
    fn text_is_outlined_by_what_stands_out() {
        let log: String = (0..900)
            .map(|n| match n {
                500 => "2024-05-06 ERROR disk 7 failed\n".to_owned(),
                n => format!("2024-05-06 INFO request {n} done\n"),
            })
            .collect();
        let answer = ask(&log, Kind::Log);
        let all = lines(&answer).join("\n");
        assert!(
            all.contains(
                "ERROR: 1 line of this level; 1 line with this word, the first is line 501"
            ),
            "{all}"
        );
        assert!(all.contains("# ERROR disk # failed: 1 line of this shape"), "{all}");
        let text = lines(&ask(&log, Kind::Text)).join("\n");
        assert!(!text.contains("level") && text.contains("ERROR disk"), "{text}");
        let fees: String = (0..40).map(|n| format!("{{\"fee\": {n}e-9}}\n")).collect();
        let told = lines(&ask(&fees, Kind::Ndjson)).join("\n");
        assert!(told.contains("mean 1.95") && told.contains("e-8"), "{told}");
        let markdown = "# One\ntext\n```\n# no\n```\n## Two\nmore\nmore\n";
        let all = lines(&ask(markdown, Kind::Markdown));
        assert_eq!(all, ["1: # One: heading, 5 lines", "6: ## Two: heading, 3 lines"]);
        let code = "use x;\npub fn one() {\n}\nstruct Two;\n";
        let all = lines(&ask(code, Kind::Code)).join("\n");
        assert!(
            all.contains("2: pub fn one(): definition") && all.contains("4: struct Two;"),
            "{all}"
        );
        let html = "<html><script>x = '<h1>no</h1>'</script>\n<h1 class=\"x\">Title <b>bold</b></h1>\n\
                    <p>text\n<h2>Part</h2><h2>Other</h2>\n";
        let all = lines(&ask(html, Kind::Html));
        assert_eq!(
            all,
            [
                "2: h1 Title bold: heading, 2 lines",
                "4: h2 Part: heading, 1 line",
                "4: h2 Other: heading, 1 line"
            ]
        );
        let underlined = "---\ntitle: x\n---\nOne\n===\n- a\n---\ntext\n\n---\nTwo\n---\n";
        let all = lines(&ask(underlined, Kind::Markdown));
        assert_eq!(all, ["4: # One: heading, 7 lines", "11: ## Two: heading, 2 lines"]);
        let diff = "diff --git a/x b/y\nrename from x\nrename to y\ndiff --git a/z.png b/z.png\n\
                    Binary files a/z.png and b/z.png differ\n";
        let answer = ask(diff, Kind::Diff);
        assert_eq!(answer.about, "diff of 5 lines, 2 files, +0 -0");
        assert_eq!(lines(&answer)[1], "4: z.png: +0 -0 in 0 hunks, 2 lines");
    }

    #[test]
    fn yaml_and_split_tables_are_outlined_by_what_a_query_reads() {
        let pod = |n: u32| {
            format!(
                "kind: Pod\nmetadata:\n  name: p{n}\n  labels:\n    app: web\nspec: {{size: {n}}}\n"
            )
        };
        let pods: String = (0..30).map(|n| format!("---\n{}", pod(n))).collect();
        let answer = ask(&pods, Kind::Yaml);
        assert_eq!(lines(&answer), lines(&ask(&pods, Kind::Text)), "as in an older store");
        assert_eq!(answer.about, "documents of YAML: 30 rows");
        let all = lines(&answer).join("\n");
        assert!(all.contains(".metadata.labels.app: string, 30; 1 distinct: \"web\" 30x"), "{all}");
        assert!(all.contains(".spec.size: number, 30; from 0 to 29, mean 14.5"), "{all}");
        // What cannot be read as YAML has the outline of a text.
        let broken = ask(&format!("{pods}---\na: 'b\n"), Kind::Yaml);
        assert!(broken.about.starts_with("yaml of 212 lines"), "{}", broken.about);
        let split = json!({"columns": ["id", "state"], "rows": [[1, "ok"], [2, "bad"]]});
        let answer = ask(&split.to_string(), Kind::Json);
        let all = lines(&answer).join("\n");
        assert!(all.contains(".id: number, 2; 2 distinct: 1, 2"), "{all}");
    }

    #[test]
    fn pages_hold_all_entries_once() {
        let row: serde_json::Map<String, serde_json::Value> =
            (0..60).map(|n| (format!("column_number_{n}"), json!(n))).collect();
        let text = json!([row]).to_string();
        let mut request = OutlineRequest {
            id: Ids::parse_lenient("5f1e0c9a77d2").unwrap(),
            view: View::Text,
            path: None,
            cursor: None,
        };
        let mut labels = Vec::new();
        loop {
            let answer =
                outline(&text.as_bytes(), Kind::Json, &request, 600, OUTLINE_CALL_BYTES).unwrap();
            assert_eq!(answer.total, 60);
            labels.extend(answer.entries.into_iter().map(|entry| entry.label));
            match answer.next {
                Some(next) => request.cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(labels.len(), 60);
        labels.dedup();
        assert_eq!(labels.len(), 60);
    }
}
