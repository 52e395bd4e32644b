//! What programs that models write give, held against jq.

use std::collections::BTreeMap;

use serde_json::Value;

use super::tests::{ask, lines, request, same};
use super::*;

/// Inputs, programs, and what jq 1.7 gives for them. Where it fails after that, `fails`.
const PROGRAMS: &str = include_str!("jq.jsonl");

/// Programs that are refused in words where jq has an answer, and the words.
const REFUSED: [(&str, &str); 7] = [
    ("$__loc__ | .line", "no variable"),
    ("[.1, 1.5, -2.5] | map(floor, ceil, round, trunc?, fabs)", "expected ]"),
    ("@base32 \"ab\"", "no function"),
    ("significand?, gamma?, frexp?", "no function"),
    ("map(select(test(\"^(?!2024)\"))) | length", "look-around"),
    ("map(test(\"(\\\\w)\\\\1\"))", "backreferences"),
    (". as {$e} ?// [$e] | $e", "expected |"),
];

/// Programs that have another answer than in jq: there it fails where a number that is
/// not written out is looked up in an object and where `scan` gets flags with its pattern, numbers above all that a machine knows are rounded, and `ß` is `ss` without case.
///
/// Not in the file, and different too: `"x" * 0` (null here), `1e-7 | tostring` (`1e-07` here), `index` of a
/// text with letters beyond ASCII (characters here, bytes there), `\u00c4` in a pattern (a letter here), and
/// `from_entries` of `{k, v}` (the value of `v` here).
const DIFFERENT: [&str; 5] = [
    "map([scan([\"[P]\", \"i\"])]) | .[4]",
    "with_entries(.value |= .number)",
    "transpose? // \"none\"",
    "1e1000, -1e1000",
    "test(\"straße\"; \"i\"), test(\"STRASSE\"; \"i\")",
];

struct Case {
    on: String,
    program: String,
    gives: Vec<Value>,
    fails: bool,
}

fn cases() -> (BTreeMap<String, String>, Vec<Case>) {
    let (mut inputs, mut cases) = (BTreeMap::new(), Vec::new());
    for case in lines(PROGRAMS) {
        let text = |name: &str| case[name].as_str().unwrap_or_default().to_owned();
        match case.get("input") {
            Some(_) => drop(inputs.insert(text("input"), text("text"))),
            None => cases.push(Case {
                on: text("on"),
                program: text("program"),
                gives: case["gives"].as_array().cloned().unwrap_or_default(),
                fails: case["fails"] == true,
            }),
        }
    }
    (inputs, cases)
}

fn all_same(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// The same as jq, or refused in words: never something else.
#[test]
fn programs_of_models_give_what_jq_gives_or_are_refused() {
    let (inputs, cases) = cases();
    assert!(cases.len() > 800);
    let (mut same, mut refused, mut other) = (0, Vec::new(), Vec::new());
    for Case { on, program, gives, fails } in &cases {
        let asked = QueryRequest { whole: true, ..request(program) };
        let got = ask(&inputs[on], Kind::Json, &asked);
        match (&got, fails) {
            (Err(_), true) => same += 1,
            (Err(error), false) => refused.push((program.as_str(), error.clone())),
            (Ok(answer), _) => {
                let value = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| line.into());
                let got: Vec<Value> = answer.content.lines().map(value).collect();
                match (all_same(&got, gives), answer.failed > 0) {
                    (true, failed) if failed == *fails => same += 1,
                    // What it gave before it failed is right, and that it failed is said.
                    (_, true) if all_same(&got, &gives[..got.len().min(gives.len())]) => {
                        refused.push((program, answer.first_failure.clone().unwrap_or_default()));
                    }
                    _ => other.push(format!(
                        "{on}: {program}\n  jq  {}{}\n  got {}",
                        Value::from(gives.clone()),
                        if *fails { " and fails" } else { "" },
                        answer.content.replace('\n', " ")
                    )),
                }
            }
        }
    }
    let known = |program: &str, error: &str| {
        REFUSED.iter().any(|(known, words)| *known == program && error.contains(words))
    };
    let known_other = |case: &String| DIFFERENT.iter().any(|known| case.contains(known));
    assert!(other.iter().filter(|case| known_other(case)).count() == DIFFERENT.len());
    other.retain(|case| !known_other(case));
    refused.retain(|(program, error)| !known(program, error));
    let refused: Vec<String> =
        refused.iter().map(|(program, error)| format!("{program}\n  {error}")).collect();
    assert!(
        other.is_empty() && refused.is_empty(),
        "{same} the same, {} different:\n{}\n{} refused:\n{}",
        other.len(),
        other.join("\n"),
        refused.len(),
        refused.join("\n")
    );
}

fn gives(text: &str, kind: Kind, request: &QueryRequest) -> QueryAnswer {
    ask(text, kind, request).unwrap_or_else(|error| panic!("{}: {error}", request.program))
}

#[test]
fn patterns_mean_the_same_to_programs_and_to_grep() {
    use crate::fetch::pattern::{Case, Matcher, Outcome, Pattern};
    let texts =
        ["Ärger", "straße 12", "a\u{a0}b", "ÖL", "öl", "naïve", "x_1", "٣", "Ⅷ", "abc-", ""];
    for pattern in [
        r"^\w+$",
        r"\bÖ",
        r"\s",
        r"\d",
        r"[[:alpha:]]{3}",
        r"[[:upper:]]",
        r"[^[:lower:]]",
        r"(?i)ä",
        r"[à-ÿ]",
        r"\W",
        r"[[:space:]]",
        r"^[[:^alpha:]]+$",
        r"[]a[:upper:]]",
    ] {
        let grep =
            Pattern { text: pattern.to_owned(), regex: true, case: Case::Sensitive, word: false };
        let grep = Matcher::new(&grep).unwrap();
        for text in texts {
            let found = grep.search(text.as_bytes()).find(0, text.len(), u64::MAX);
            let program = format!("test({})", Value::from(pattern));
            let asked = QueryRequest { whole: true, ..request(&program) };
            let answer = gives(&Value::from(text).to_string(), Kind::Json, &asked);
            let is_found = matches!(found, Outcome::Match(..));
            assert_eq!(answer.content.trim(), is_found.to_string(), "{pattern} in {text:?}");
        }
    }
}

#[test]
fn nothing_is_summed_up_of_rows_that_all_failed() {
    let rows = r#"[{"a":{"x":1}},{"a":{"y":2}},{"a":{"x":3}}]"#;
    let with = |program: &str, reduce: &str| QueryRequest {
        reduce: Some(reduce.to_owned()),
        ..request(program)
    };
    for reduce in ["count", "sum", "mean", "min", "stats", "distinct", "top 3", "length"] {
        let error = ask(rows, Kind::Json, &with(".a[0:1] | .b", reduce)).unwrap_err();
        assert!(error.contains("on every row"), "{reduce}: {error}");
    }
    let error = ask(rows, Kind::Json, &with(".a", "sum")).unwrap_err();
    assert!(error.contains("is not a number"), "{error}");
    // As jq does it.
    assert_eq!(gives(rows, Kind::Json, &with(".a", "add")).content, "{\"x\":3,\"y\":2}\n");
    assert_eq!(gives("[\"a\",\"b\"]", Kind::Json, &with(".", "add")).content, "\"ab\"\n");
    assert_eq!(gives("[1,2]", Kind::Json, &with(".", "add")).content, "3\n");
    // Where some have one, it is of these, and what failed is counted.
    let answer = gives("[1,\"x\",3]", Kind::Json, &with(".", "sum"));
    assert_eq!((answer.content.as_str(), answer.failed), ("4\n", 1));
}

#[test]
fn what_runs_only_on_the_whole_is_run_on_it() {
    let rows: Vec<Value> = (0..400)
        .map(
            |n| serde_json::json!({"id": n, "plan": (["free", "pro"][n % 2]), "pad": "x".repeat(20)}),
        )
        .collect();
    let array = Value::from(rows.clone()).to_string();
    let document = serde_json::json!({"page": 1, "items": rows}).to_string();
    let csv = "id,plan\n1,pro\n2,free\n3,pro\n";
    let program = "group_by(.plan) | map({plan: .[0].plan, n: length})";
    let of = |text: &str, kind, program: &str| gives(text, kind, &request(program));
    let answer = of(&array, Kind::Json, program);
    assert_eq!(answer.content, "[{\"plan\":\"free\",\"n\":200},{\"plan\":\"pro\",\"n\":200}]\n");
    assert!(answer.notes[0].contains("runs on the whole document"), "{:?}", answer.notes);
    let answer = of(&document, Kind::Json, ".items | group_by(.plan) | map(length)");
    assert_eq!(answer.content, "[200,200]\n");
    // The array of the rows, where that is what was thought of.
    let answer = of(&document, Kind::Json, program);
    assert_eq!(answer.content.matches("200").count(), 2);
    assert!(answer.notes[0].contains("the array of all rows"), "{:?}", answer.notes);
    let answer = of(csv, Kind::Csv, program);
    assert!(answer.content.contains("{\"plan\":\"pro\",\"n\":2}"), "{}", answer.content);
    assert_eq!(
        of("a x\nb\na y\n", Kind::Text, "map(select(startswith(\"a\"))) | length").content,
        "2\n"
    );
    // Pages of it go on.
    let mut asked = request(".[] | .id");
    let (mut all, mut calls) = (String::new(), 0);
    loop {
        let answer = query(
            &array.as_bytes(),
            Kind::Json,
            &asked,
            300,
            crate::limits::Work::CALL.query_steps,
        )
        .unwrap();
        all.push_str(&answer.content);
        calls += 1;
        match answer.next {
            Some(next) => asked.cursor = Some(next),
            None => break,
        }
    }
    let wanted: String = (0..400).map(|n| format!("{n}\n")).collect();
    assert!(all == wanted && calls > 2, "{calls}");
    // What runs on neither is refused as before.
    let error = ask(&array, Kind::Json, &request(".a.b.c | ascii_downcase")).unwrap_err();
    assert!(error.contains("on every row"), "{error}");
}

#[test]
fn a_program_over_many_lines_runs() {
    let lines: String = (0..8_000)
        .map(|n| match n % 10 {
            0 => format!("<h2 class=\"t\">Teil {n}</h2>\n"),
            _ => format!("  <td class=\"price\"><b>{n}.99 €</b></td>\n"),
        })
        .collect();
    let program = "[foreach .[] as $line ({}; if $line | test(\"<h2\") then \
        {title: ($line | capture(\">(?<t>[^<]+)<\").t)} elif $line | test(\"price\") then \
        .price = ($line | capture(\"<b>(?<p>[^<]+)</b>\").p) else . end; .price // empty)] | length";
    let asked = QueryRequest { whole: true, ..request(program) };
    assert_eq!(gives(&lines, Kind::Text, &asked).content, "7200\n");
}

#[test]
fn what_is_given_of_the_whole_is_summed_up() {
    let items: String =
        (0..90).map(|n| format!(",{{\"n\":{n},\"of\":\"{}\"}}", ["a", "b"][n % 2])).collect();
    let text = format!("{{\"items\":[{}],\"least\":80}}", &items[1..]);
    let program = ".least as $least | .items[] | select(.n >= $least)";
    let asked = QueryRequest { whole: true, ..request(program) };
    for (by, reduce, content) in [
        (None, "count", "10\n"),
        (Some(".of"), "count", "{\"key\":\"a\",\"count\":5}\n{\"key\":\"b\",\"count\":5}\n"),
        (None, "map(.n) | add", "845\n"),
    ] {
        let (by, reduce) = (by.map(str::to_owned), Some(reduce.to_owned()));
        let asked = QueryRequest { by, reduce, ..asked.clone() };
        assert_eq!(gives(&text, Kind::Json, &asked).content, content);
    }
}
