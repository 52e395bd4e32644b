use super::*;
use crate::fetch::query::{QueryAnswer, QueryRequest};
use crate::fetch::{Reader, View};
use crate::settings::Settings;
use crate::spill::result::{FinishedResult, Origin, Outcome, Part as Block, Shown};
use crate::spill::{Spill, transform};
use crate::store::BlobStore;
use serde_json::json;
use std::time::SystemTime;

/// What stands for a text, and a question to its rows.
fn asked(
    text: &str,
    program: &str,
    reduce: Option<&str>,
) -> Result<(Kind, String, QueryAnswer), String> {
    let dir = tempfile::tempdir().unwrap();
    let settings = Settings::default();
    let now = SystemTime::UNIX_EPOCH;
    let open = || BlobStore::open(dir.path(), settings.store);
    let spill = Spill { open: &open, settings: &settings.transform, now };
    let origin = Origin { session: "s".into(), tool: "t".into(), ..Origin::default() };
    let parts = vec![Block::Text(text.to_owned())];
    let result = FinishedResult { origin, parts, ..FinishedResult::default() };
    let Ok(Outcome::Replaced(replaced)) = transform(&spill, &result) else {
        return Err(format!("not replaced: {text:.200}"));
    };
    let [Shown::Text(shown)] = &replaced.shown[..] else { panic!() };
    let store = open().unwrap();
    let reader = Reader::new(&store, &settings.fetch, "s", now);
    let request = QueryRequest {
        id: replaced.handles[0].id.into(),
        view: View::Text,
        program: program.to_owned(),
        path: None,
        by: None,
        reduce: reduce.map(str::to_owned),
        whole: false,
        table: false,
        limit: None,
        cursor: None,
    };
    let answer = reader.query(&request, 4_000).map_err(|error| format!("{error}: {shown}"))?;
    Ok((replaced.handles[0].kind, shown.clone(), answer))
}

/// The rows that a question counts, with the words around them told.
fn counts(text: &str, kind: Kind, program: &str, count: &str, words: &[&str]) -> String {
    let (found, shown, answer) = match asked(text, program, Some("count")) {
        Ok(asked) => asked,
        Err(error) => return format!("{error:.900}\n\n"),
    };
    let missing = words.iter().find(|word| !shown.contains(**word));
    match (found == kind, answer.content.trim() == count, missing) {
        (true, true, None) => String::new(),
        _ => format!("{found:?} {} {missing:?}: {text:.120}\n{shown:.900}\n\n", answer.content),
    }
}

fn rows(n: usize) -> Vec<serde_json::Value> {
    let city = |k: usize| ["Bern", "Rome"][k % 2];
    (0..n).map(|k| json!({"id": k, "city": city(k), "note": null})).collect()
}

fn pretty(n: usize) -> String {
    serde_json::to_string_pretty(&rows(n)).unwrap()
}

fn compact(n: usize) -> String {
    serde_json::Value::from(rows(n)).to_string()
}

fn lines(n: usize) -> String {
    rows(n).iter().map(|row| format!("{row}\n")).collect()
}

fn table(n: usize) -> String {
    let row = |k| format!("{k},customer {k},{}\n", k * 3);
    format!("id,name,amount\n{}", (0..n).map(row).collect::<String>())
}

fn python(n: usize) -> Vec<String> {
    let row = |k: usize| {
        let note = if k.is_multiple_of(5) { "\"it's \\\\ {k}\"" } else { "None" };
        format!("{{'id': {k}, 'city': '{}', 'ok': True, 'note': {note}}}", ["Bern", "Rome"][k % 2])
    };
    (0..n).map(row).collect()
}

const ROME: &str = "select(.city==\"Rome\")";

#[test]
fn json_among_words_is_json() {
    let mut wrong = String::new();
    for text in [
        format!("{}\n\n[note: the server returned page 1 of 3]\n", compact(900)),
        format!("{}\n\n[note: the server returned page 1 of 3]\n", pretty(3_000)),
        format!("{}\n\nnote: page 1 of 3, (truncated, 5000 rows in all)\n", pretty(900)),
        format!("{} note: page 1 of 3", compact(900)),
    ] {
        let half = if text.len() > 150_000 { "1500" } else { "450" };
        wrong += &counts(
            &text,
            Kind::Json,
            ROME,
            half,
            &["page 1 of 3", "the JSON above 1 line of words"],
        );
    }
    for (before, behind) in [
        ("Found 900 results:\n", ""),
        ("Found 900 results: ", ""),
        ("Working... 100%\n", ""),
        ("npm WARN deprecated a@1.0.0: no longer supported\nnpm WARN old lockfile\n", "\n"),
        ("2026-11-01 10:00:00 INFO starting\n[INFO] [main] Response:\n", "\nDone in 3 s.\n"),
        ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-id: [7]\r\n\r\n", ""),
        (
            "* Connected to h (::1) port 443\n> GET /a HTTP/1.1\n> Host: h\n>\n< HTTP/1.1 200 OK\n<\n{ [5 bytes data]\n",
            "\n* Closing connection\n",
        ),
        ("(node:5) Warning: x {experimental}\n", "\nexit code: 0"),
        ("<result>\n", "\n</result>"),
        ("<tool_result>", "</tool_result>\n"),
        (")]}',\n", ""),
        ("callback(", ");\n"),
        ("Here is what I found:\n\n```json\n", "\n```\n"),
        ("```\n", "\n```\n\nTell me if you need more."),
        ("# Report\n\nThe rows, as of today, are these:\n\n", "\n\nThat is all.\n"),
    ] {
        for json in [pretty(900), compact(900), pretty(3_000)] {
            let half = if json.len() > 150_000 { "1500" } else { "450" };
            let mut words = before.split_whitespace().chain(behind.split_whitespace());
            let word = words.find(|word| word.len() > 3).unwrap();
            wrong += &counts(&format!("{before}{json}{behind}"), Kind::Json, ROME, half, &[word]);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn json_lines_among_words_are_json_lines() {
    let mut wrong = String::new();
    for (before, behind) in [
        ("Here are the rows:\n", ""),
        ("Streaming results\n\n", "\n900 rows in 3 s\n"),
        ("", "(900 rows)\n"),
        ("```jsonl\n", "```\n"),
    ] {
        wrong += &counts(
            &format!("{before}{}{behind}", lines(900)),
            Kind::Ndjson,
            ROME,
            "450",
            &[behind.trim()],
        );
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn documents_in_a_row_are_a_line_each() {
    let mut wrong = String::new();
    let one: Vec<String> =
        rows(400).iter().map(|row| serde_json::to_string_pretty(row).unwrap()).collect();
    wrong +=
        &counts(&one.join("\n"), Kind::Ndjson, ROME, "200", &["JSON lines of documents in a row"]);
    wrong +=
        &counts(&one.concat(), Kind::Ndjson, ROME, "200", &["JSON lines of documents in a row"]);
    let text = format!("3 calls made\n{}\nall done\n", one.join("\n\n"));
    wrong += &counts(&text, Kind::Ndjson, ROME, "200", &["3 calls made", "all done"]);
    let two = format!("{}{}", compact(900), compact(900));
    wrong += &counts(
        &two,
        Kind::Ndjson,
        ".[] | select(.city==\"Rome\")",
        "900",
        &["documents in a row"],
    );
    let pages = format!("=== page 1\n{}\n=== page 2\n{}\n", pretty(900), pretty(900));
    wrong +=
        &counts(&pages, Kind::Ndjson, ".[] | select(.id==7)", "2", &["=== page 1", "=== page 2"]);
    let compact_lines: String = rows(600).iter().map(|row| format!("{row} ")).collect();
    wrong += &counts(&compact_lines, Kind::Ndjson, ROME, "300", &["documents in a row"]);
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_python_prints_is_rows() {
    let mut wrong = String::new();
    let list = format!("[{}]", python(900).join(", "));
    let words = "JSON lines of what Python printed";
    wrong += &counts(&list, Kind::Ndjson, ROME, "450", &[words]);
    wrong += &counts(&python(900).join("\n"), Kind::Ndjson, ROME, "450", &[words]);
    wrong += &counts(
        &format!("Query returned:\n{list}\n"),
        Kind::Ndjson,
        ROME,
        "450",
        &["Query returned:"],
    );
    let (_, _, answer) = asked(&list, "select(.id==5)|.note", None).unwrap();
    assert_eq!(answer.content.trim(), r#""it's \\ {k}""#);
    let tuples: Vec<String> = (0..900).map(|k| format!("({k}, 'n{k}', -1.5e-07, (1,))")).collect();
    let text = format!("[{}]\n", tuples.join(", "));
    wrong += &counts(&text, Kind::Ndjson, "select(.[0] < 450)", "450", &[words]);
    let nested =
        format!("{{'rows': [{}], 'total': 900, 5: '\\u00e9\\x41'}}", python(900).join(", "));
    let (kind, _, answer) = asked(&nested, ".total", None).unwrap();
    assert_eq!((kind, answer.failed), (Kind::Json, 0), "{answer:?}");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn tables_among_words_keep_their_rows() {
    let mut wrong = String::new();
    for (before, behind) in [
        ("", "\nDone in 3 s.\n"),
        ("The result of the export:\n\n", ""),
        ("Here are the rows:\n", "\n(truncated, 5000 rows in all)\n"),
        ("# exported 2026-11-01 by x\n", ""),
        ("Query 1, run by a, took 3 s.\n\n", "\n900 rows returned\n"),
        ("```csv\n", "```\n"),
    ] {
        let text = format!("{before}{}{behind}", table(900));
        wrong += &counts(&text, Kind::Csv, ".id", "900", &[before.trim(), behind.trim()]);
        let text = text.replace(',', "\t");
        wrong += &counts(&text, Kind::Tsv, ".id", "900", &[]);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn other_data_among_words_is_what_it_is() {
    let mut wrong = String::new();
    let diff: String = (0..40)
        .map(|k| {
            let lines: String = (0..30).map(|j| format!("+line {j} of {k} and some words\n")).collect();
            format!("diff --git a/f{k} b/f{k}\n--- a/f{k}\n+++ b/f{k}\n@@ -1,2 +1,32 @@\n old\n{lines} end\n")
        })
        .collect();
    let svn = diff.replace("+++ b/", "+++ ").replace("diff --git a/", "Index: ");
    let svn = svn.replace(" b/f", "\n=====");
    let paths: String = (0..700).map(|k| format!("src/dir{}/file{k}.ts\n", k % 9)).collect();
    let item = |k| format!("  <item id=\"{k}\"><name>n{k}</name></item>\n");
    let xml = format!("<items>\n{}</items>\n", (0..700).map(item).collect::<String>());
    let pod = |k| format!("- name: web-{k}\n  labels:\n    app: shop\n  replicas: {k}\n");
    let yaml = format!("apiVersion: v1\nitems:\n{}", (0..300).map(pod).collect::<String>());
    let stat: String = (0..30).map(|k| format!(" f{k} | 8 ++++++++\n")).collect();
    for (before, data, behind, kind, told) in [
        ("Diff with HEAD~90:\n", &diff, "", Kind::Diff, "40 files"),
        ("Here is the change I made:\n\n```diff\n", &diff, "```\n", Kind::Diff, "40 files"),
        ("", &svn, "", Kind::Diff, "40 files, +1,200 -0 in 1,480 lines"),
        (&*format!("{stat} 40 files changed\n\n"), &diff, "", Kind::Diff, "40 files"),
        ("Found these files:\n\n", &paths, "", Kind::Text, "700 paths in 9 directories"),
        ("", &paths, "\nDone in 3 s.\n", Kind::Text, "700 paths in 9 directories"),
        ("Found 700 files\n", &paths, "\n(more are not shown)\n", Kind::Text, "700 paths in 9"),
        ("2026-11-01 10:00:00 INFO request sent\n", &xml, "", Kind::Xml, "items"),
        ("Response:\n", &xml, "\nDone.\n", Kind::Xml, "items"),
        (
            "Warning: v1 ComponentStatus is deprecated in v1.19+\n",
            &yaml,
            "",
            Kind::Yaml,
            "300 items in",
        ),
    ] {
        let text = format!("{before}{data}{behind}");
        match asked(&text, ".", Some("count")) {
            Err(error) => wrong.push_str(&error),
            Ok((found, shown, _)) => {
                let lines = [before.lines().next(), behind.lines().last()].into_iter().flatten();
                let missing = lines.chain([told]).find(|line| !shown.contains(line.trim()));
                if found != kind || missing.is_some() {
                    wrong += &format!("{found:?} {missing:?}: {text:.60}\n{shown:.900}\n\n");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_is_all_one_thing_stays_as_it_is() {
    let mut wrong = String::new();
    let log = |k: usize| {
        format!("2026-11-01 10:00:{:02} INFO {}\n", k % 60, json!({"id": k, "m": "x".repeat(60)}))
    };
    let under =
        |k: usize| format!("2026-11-01 10:00:{:02} INFO got\n{}\n", k % 60, json!({"id": k}));
    let fences =
        |k| format!("## Part {k}\n\nSome words.\n\n```json\n{}\n```\n\n", json!({"id": k}));
    let underlined = |k| {
        format!(
            "src/t.ts:{k}:7 - error TS2322: no\n\n{k} const abc: number = f({k});\n        ~~~\n\n"
        )
    };
    let code = |k| format!("def f{k}(a):\n    return {{\"a\": [{k}, a]}}\n\n");
    let list = |k| format!("[{k}] A. Writer: On things, 20{:02}\n", k % 99);
    let dates = |k| format!("{{'id': {k}, 'at': datetime.datetime(2026, 11, 1)}}, ");
    let many = |f: &dyn Fn(usize) -> String| (0..600).map(f).collect::<String>();
    let words = "These are quite some words on what was found, and they go on.\n".repeat(400);
    let by_words = |k| {
        format!(
            "diff --git a/f{k} b/f{k}\n--- a/f{k}\n+++ b/f{k}\n@@ -1,3 +1,3 @@\nA line.\n\nThe [-cat-]{{+dog+}} sat.\n"
        )
    };
    for text in [
        many(&by_words),
        many(&log),
        many(&under),
        many(&fences),
        many(&underlined),
        many(&code),
        many(&list),
        format!("[{}]", many(&dates)),
        compact(900),
        pretty(3_000),
        lines(900),
        table(900),
        format!("{words}\n{}\n", compact(900)),
        format!("# Read me\n\n<p align=center>x</p>\n\n{words}\n<p>end</p>\n"),
        format!("import json\n\nDATA = {}\n\ndef f(a):\n    return DATA[a]\n", compact(900)),
        format!("{{\"a\": {}, \"text\": \"] \\n[\"", compact(900)),
        format!("# Words\n\n{words}\n\n```json\n{}\n```\n", compact(90)),
        format!("<!DOCTYPE html>\n<html><script>{}</script></html>", compact(900)),
        (0..900).map(|k| format!("src/dir{}/file{k}.ts\n", k % 9)).collect(),
    ] {
        let bytes = text.as_bytes();
        let kind = crate::content::classify::classify(&bytes).unwrap().kind;
        if let Some(part) = find(&bytes, kind).unwrap() {
            wrong += &format!("{text:.200}: {:?}{} {}\n\n", part.range, part.place, part.words);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn words_around_data_say_that_it_is_a_part() {
    let rows = serde_json::to_string(&rows(900)).unwrap();
    let part = "a part by its tool's own word";
    for (text, is_part) in [
        (format!("Showing 900 of 4,388 orders\n\n{rows}\n"), true),
        (format!("{rows}\n\n[results truncated]\n"), true),
        (format!("Page 1 of 4\n{rows}\n"), true),
        (format!("{rows}\nThere are 1,088 more results. Pass cursor=abc to continue.\n"), true),
        (format!("Found 900 orders\n{rows}\n"), false),
        (format!("Showing 900 of 900 orders\n{rows}\nDone.\n"), false),
    ] {
        let (_, shown, _) = asked(&text, ".", Some("count")).unwrap();
        assert_eq!(shown.contains(part), is_part, "{text:.60}: {shown:.300}");
    }
}
