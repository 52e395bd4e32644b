//! What a model gets for its programs.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::limits::Work;

/// Inputs, programs and what jq 1.6 gives for them.
const CASES: &str = include_str!("cases.jsonl");

pub(super) fn request(program: &str) -> QueryRequest {
    QueryRequest {
        id: Ids::parse_lenient("5f1e0c9a77d2").unwrap(),
        view: View::Text,
        program: program.to_owned(),
        path: None,
        by: None,
        reduce: None,
        whole: false,
        table: false,
        limit: None,
        cursor: None,
    }
}

pub(super) fn ask(text: &str, kind: Kind, request: &QueryRequest) -> Result<QueryAnswer, String> {
    query(&text.as_bytes(), kind, request, 7_000, Work::CALL.query_steps)
        .map_err(|error| error.to_string())
}

pub(super) fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whether two values are the same, numbers by what they are and not by how they are written.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            a == b || (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// The input it is run on, a program, and its outputs.
type Case = (String, String, Vec<Value>);

fn cases() -> (BTreeMap<String, String>, Vec<Case>) {
    let mut inputs = BTreeMap::new();
    let mut cases = Vec::new();
    for case in lines(CASES) {
        let text = |name: &str| case[name].as_str().unwrap().to_owned();
        match case.get("input") {
            Some(name) => {
                inputs.insert(name.as_str().unwrap().to_owned(), text("text"));
            }
            None => {
                let gives = case["gives"].as_array().unwrap().clone();
                cases.push((text("on"), text("program"), gives));
            }
        }
    }
    (inputs, cases)
}

#[test]
fn programs_give_what_jq_gives() {
    let (inputs, cases) = cases();
    assert!(cases.len() > 250);
    let mut wrong = Vec::new();
    for (on, program, gives) in &cases {
        let request = QueryRequest { whole: true, ..request(program) };
        let got = ask(&inputs[on], Kind::Json, &request);
        let right = got.as_ref().is_ok_and(|answer| {
            let got = lines(&answer.content);
            got.len() == gives.len() && got.iter().zip(gives).all(|(a, b)| same(a, b))
        });
        if !right {
            let gives = json!(gives).to_string();
            wrong.push(format!(
                "{on}: {program}\n  jq  {gives}\n  got {:?}",
                got.map(|a| a.content)
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong[..wrong.len().min(25)].join("\n")
    );
}

/// The committed outputs against the jq that is installed, when one is.
#[test]
fn the_cases_are_what_the_installed_jq_gives() {
    let (inputs, cases) = cases();
    let run = |program: &str, input: &str| {
        let mut jq = Command::new("jq")
            .args(["-c", program])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        std::io::Write::write_all(&mut jq.stdin.take()?, input.as_bytes()).ok()?;
        Some(String::from_utf8(jq.wait_with_output().ok()?.stdout).unwrap())
    };
    if run(".", "1").is_none_or(|output| output.trim() != "1") {
        return;
    }
    // Every tenth: starting it takes longer than what it does.
    for (on, program, gives) in cases.iter().step_by(10) {
        let output = lines(&run(program, &inputs[on]).unwrap());
        let right =
            output.len() == gives.len() && output.iter().zip(gives).all(|(a, b)| same(a, b));
        assert!(right, "{program}: {output:?}");
    }
}

fn content(text: &str, kind: Kind, request: &QueryRequest) -> String {
    ask(text, kind, request).unwrap().content
}

/// All that comes of a request, by following `next`.
fn all(text: &str, kind: Kind, request: &QueryRequest, max_chars: usize) -> (String, u64) {
    let mut request = request.clone();
    let (mut out, mut calls) = (String::new(), 0);
    loop {
        let answer =
            query(&text.as_bytes(), kind, &request, max_chars, Work::CALL.query_steps).unwrap();
        assert!(answer.content.chars().count() <= max_chars);
        calls += 1;
        out.push_str(&answer.content);
        match answer.next {
            Some(next) => request.cursor = Some(next),
            None => {
                assert!(answer.complete);
                return (out, calls);
            }
        }
    }
}

fn orders() -> Vec<Value> {
    (0..1_000)
        .map(|n| {
            json!({
                "id": n,
                "status": (["open", "paid", "failed"][n % 3]),
                "total": n * 7 % 100,
                "who": {"name": format!("n{}", n % 10)},
            })
        })
        .collect()
}

#[test]
fn rows_are_the_items_of_the_largest_array() {
    let text =
        json!({"meta": {"page": 1, "tags": ["a"]}, "data": {"orders": orders()}}).to_string();
    let answer = ask(&text, Kind::Json, &request("select(.id == 998).status")).unwrap();
    assert_eq!(answer.content, "\"failed\"\n");
    assert_eq!(answer.rows, "items of \"/data/orders\"");
    assert_eq!((answer.first_row, answer.last_row, answer.complete), (1, 1_000, true));
    let tags = QueryRequest { path: Some(".meta.tags".to_owned()), ..request(".") };
    assert_eq!(content(&text, Kind::Json, &tags), "\"a\"\n");
    let members = QueryRequest { path: Some("/meta[]".to_owned()), ..request(".key") };
    assert_eq!(content(&text, Kind::Json, &members), "\"page\"\n\"tags\"\n");
    let wrong = QueryRequest { path: Some("/meta/nothing".to_owned()), ..request(".") };
    let error = ask(&text, Kind::Json, &wrong).unwrap_err();
    assert!(
        error.contains(r#""/meta" has no "nothing": it is an object with the keys "page", "tags""#),
        "{error}"
    );
    let whole = QueryRequest { whole: true, ..request(".data.orders | length") };
    assert_eq!(content(&text, Kind::Json, &whole), "1000\n");
}

#[test]
fn every_kind_of_rows_is_read() {
    let ndjson = "{\"a\":1}\n\n{\"a\":2}\r\n{\"a\":3}";
    assert_eq!(content(ndjson, Kind::Ndjson, &request(".a")), "1\n2\n3\n");
    let csv = "id,name,price\n1,\"Smith, \"\"J\"\"\nII\",10.50\n2,Doe,\r\n3,x,007\n";
    assert_eq!(
        content(csv, Kind::Csv, &request(".")),
        "{\"id\":1,\"name\":\"Smith, \\\"J\\\"\\nII\",\"price\":10.50}\n\
         {\"id\":2,\"name\":\"Doe\",\"price\":null}\n{\"id\":3,\"name\":\"x\",\"price\":\"007\"}\n"
    );
    let tsv = "a\tb\n1\tx y\n2\tz\n";
    assert_eq!(content(tsv, Kind::Tsv, &request(".b")), "\"x y\"\n\"z\"\n");
    let numbers = "1,2\n3,4\n5,6\n";
    assert_eq!(content(numbers, Kind::Csv, &request(".column_2")), "2\n4\n6\n");
    let log = "ok\nERROR a\nfine\nERROR b\n";
    let errors = request("select(startswith(\"ERROR\"))");
    assert_eq!(content(log, Kind::Log, &errors), "\"ERROR a\"\n\"ERROR b\"\n");
}

/// A table, queries of it, and what SQLite gives for the same question. SQL has no order of groups, so
/// what is made of all rows is compared as a set.
#[test]
fn queries_of_a_table_give_what_sqlite_gives() {
    const TABLES: &str = include_str!("tables.jsonl");
    let cases = lines(TABLES);
    let table = cases[0]["csv"].as_str().unwrap();
    assert!(cases.len() > 90);
    let tab = table.replace(',', "\t");
    for case in &cases[1..] {
        let text = |name: &str| case[name].as_str().map(str::to_owned);
        let request = QueryRequest {
            by: text("by"),
            reduce: text("reduce"),
            ..request(&text("query").unwrap())
        };
        let gives = case["gives"].as_array().unwrap();
        let got = lines(&all(table, Kind::Csv, &request, 50_000).0);
        let set = request.by.is_some() || request.reduce.as_deref() == Some("distinct");
        let equal = got.len() == gives.len()
            && match set {
                true => gives.iter().all(|a| got.iter().any(|b| same(a, b))),
                false => gives.iter().zip(&got).all(|(a, b)| same(a, b)),
            };
        assert!(equal, "{case}\n  got {got:?}");
    }
    assert_eq!(content(&tab, Kind::Tsv, &request("select(.id == 7) | .id")), "7\n");
}

#[test]
fn reducers_sum_up() {
    let text = json!(orders()).to_string();
    let with = |program: &str, reduce: Option<&str>, by: Option<&str>| {
        let request = QueryRequest {
            reduce: reduce.map(str::to_owned),
            by: by.map(str::to_owned),
            ..request(program)
        };
        content(&text, Kind::Json, &request)
    };
    let orders = orders();
    let totals = || orders.iter().map(|order| order["total"].as_u64().unwrap());
    assert_eq!(with(".", Some("count"), None), "1000\n");
    assert_eq!(with(".total", Some("sum"), None), format!("{}\n", totals().sum::<u64>()));
    assert_eq!(with(".total", Some("max"), None), "99\n");
    assert_eq!(with(".total", Some("min"), None), "0\n");
    assert_eq!(with(".total", Some("mean"), None), "49.5\n");
    assert_eq!(
        with(".total", Some("stats"), None),
        "{\"count\":1000,\"sum\":49500,\"min\":0,\"max\":99,\"mean\":49.5}\n"
    );
    assert_eq!(
        with(".", None, Some(".status")),
        "{\"key\":\"open\",\"count\":334}\n{\"key\":\"failed\",\"count\":333}\n{\"key\":\"paid\",\"count\":333}\n"
    );
    assert_eq!(
        with("select(.id < 6).total", Some("sum"), Some(".status")),
        "{\"key\":\"failed\",\"sum\":49,\"count\":2}\n{\"key\":\"paid\",\"sum\":35,\"count\":2}\n{\"key\":\"open\",\"sum\":21,\"count\":2}\n"
    );
    assert_eq!(with(".who.name", Some("distinct"), None).lines().count(), 10);
    assert_eq!(with(".id", Some("top 3"), Some(".total")), "57\n157\n257\n");
    assert_eq!(with(".id", Some("bottom 2"), None), "0\n1\n");
    assert_eq!(with(".total", Some("map(select(. > 97)) | length"), None), "20\n");
}

#[test]
fn long_keys_that_begin_alike_are_different_groups() {
    let text: String =
        (0..6).map(|n| format!("{{\"k\":\"{}{}\"}}\n", "x".repeat(2_000), n % 2)).collect();
    let by = QueryRequest { by: Some(".k".to_owned()), ..request(".") };
    let content = content(&text, Kind::Ndjson, &by);
    assert_eq!(content.matches("\"count\":3").count(), 2, "{content}");
}

#[test]
fn pages_put_together_are_all_results() {
    let text = json!(orders()).to_string();
    let one = request(".who.name, .id");
    let wanted: String = (0..1_000).map(|n| format!("\"n{}\"\n{n}\n", n % 10)).collect();
    for max_chars in [40, 333, 7_000] {
        let (got, calls) = all(&text, Kind::Json, &one, max_chars);
        assert_eq!(got, wanted);
        assert!(calls as usize >= wanted.len() / max_chars);
    }
    let limited = QueryRequest { limit: Some(7), ..one };
    assert_eq!(all(&text, Kind::Json, &limited, 7_000).0, wanted);
    let whole = QueryRequest { whole: true, ..request(".[] | .who.name, .id") };
    assert_eq!(all(&text, Kind::Json, &whole, 333).0, wanted);
}

#[test]
fn a_sum_goes_on_from_call_to_call() {
    // More than one call reads.
    let row =
        |n: u64| format!("{{\"k\":\"{}\",\"n\":{n},\"pad\":\"{}\"}}\n", n % 3, "x".repeat(200));
    let text: String = (0..60_000).map(row).collect();
    let sums =
        QueryRequest { by: Some(".k".to_owned()), reduce: Some("sum".to_owned()), ..request(".n") };
    let mut asked = sums.clone();
    let mut calls = 0;
    let answer = loop {
        let answer = ask(&text, Kind::Ndjson, &asked).unwrap();
        calls += 1;
        match answer.next {
            Some(next) => asked.cursor = Some(next),
            None => break answer,
        }
        assert!(!answer.complete && answer.restart.unwrap().len() < 60);
    };
    assert!(calls > 1, "{calls}");
    let sum = |k: u64| (0..60_000u64).filter(|n| n % 3 == k).sum::<u64>();
    let wanted: String = [2, 1, 0]
        .map(|k| format!("{{\"key\":\"{k}\",\"sum\":{},\"count\":20000}}\n", sum(k)))
        .concat();
    assert_eq!(answer.content, wanted);
    assert_eq!((answer.first_row, answer.last_row), (1, 60_000));
}

#[test]
fn a_program_that_fails_says_what_the_rows_are() {
    let text = json!({"items": orders(), "other": [1]}).to_string();
    let error = ask(&text, Kind::Json, &request(".items[] | .nothing | .id[0]")).unwrap_err();
    assert!(
        error.contains("on every row")
            && error.contains("items of \"/items\"")
            && error.contains(r#"an object with the keys "id", "status", "total", "who""#)
            && error.contains("\"/other\" (array of 1)")
            && error.contains("\"whole\": true"),
        "{error}"
    );
    let answer = ask("1\n\"x\"\n3\noops\n", Kind::Ndjson, &request(". + 1")).unwrap();
    assert_eq!((answer.content.as_str(), answer.failed), ("2\n4\n", 2));
    assert!(answer.first_failure.unwrap().contains("cannot calculate \"x\" + 1"));
    for (program, part) in [
        ("map(.a", "expected"),
        (".a | foo", "no function \"foo\" at character 6"),
        (".a == $x", "no variable \"$x\""),
        ("", "empty"),
    ] {
        let error = ask("1", Kind::Json, &request(program)).unwrap_err();
        assert!(error.contains(part), "{program}: {error}");
    }
}

#[test]
fn numbers_grow_to_the_greatest_and_programs_to_a_bound() {
    let square = "reduce range(1e4) as $i (2; . * .)";
    assert!(ask("1", Kind::Json, &request(square)).is_ok());
    let nested = "(".repeat(3_000) + "." + &")".repeat(3_000);
    assert!(ask("1", Kind::Json, &request(&nested)).unwrap_err().contains("4000 characters"));
    let nested = "[".repeat(300) + &"]".repeat(300);
    assert!(ask("1", Kind::Json, &request(&nested)).unwrap_err().contains("nested too deeply"));
}

/// What grows by one at a time costs by what is added, not by what is there.
#[test]
fn what_is_built_piece_by_piece_is_not_too_costly() {
    let nan = "[range(3000) | if . % 3 == 0 then nan else . end]";
    for (program, gives) in [
        ("reduce range(2e4) as $x ([]; . + [$x]) | length", "20000"),
        ("reduce range(2e4) as $x ({}; . + {\"\\($x)\": $x}) | length", "20000"),
        ("reduce range(2e4) as $x ({}; .[\"\\($x)\"] += 1) | length", "20000"),
        (
            "reduce range(2e4) as $x ({}; .[\"\\($x % 7)\"] += [$x]) | map_values(length) | add",
            "20000",
        ),
        ("reduce range(2e4) as $x (\"\"; . + \"ab\") | length", "40000"),
        ("INDEX(range(1e4); .) | length", "10000"),
        ("[range(2e4) | {key: \"\\(.)\", value: .}] | from_entries | length", "20000"),
        ("[range(2e4) | tostring] | join(\",\") | length", "108889"),
        ("[range(2e4)] - [range(1e4)] | length", "10000"),
        (&format!("{nan} | sort | length"), "3000"),
        (
            &format!("{nan} | [sort_by(.), group_by(.), unique_by(. > 5)] | map(length > 1)"),
            "[true,true,true]",
        ),
    ] {
        let got = ask("1", Kind::Json, &request(program)).map(|a| a.content);
        assert_eq!(got, Ok(format!("{gives}\n")), "{program}");
    }
}

#[test]
fn strings_and_names_are_looked_for_as_jq_does() {
    for (program, gives) in [
        ("\"aéaéa\" | indices(\"éa\")", "[1,3]"),
        ("\"aaaa\" | indices(\"aa\")", "[0,1,2]"),
        ("[1, 2, 1, 2] | indices([1, 2]), indices(2), index(2), rindex(2)", "[0,2]\n[1,3]\n1\n3"),
        ("[\"a\", 1, null, true] | join(\"-\")", "\"a-1--true\""),
        ("[] | join(\",\")", "\"\""),
        (
            "[3, 1, 2] | sort_by(-.), min_by(-.), max_by(-.), (group_by(. > 1) | length)",
            "[3,2,1]\n3\n1\n2",
        ),
        (
            "[1.7, -1.5, 3000000000.5, 5] | map(floor, round, ceil)",
            "[1,2,2,-2,-2,-1,3000000000,3000000001,3000000001,5,5,5]",
        ),
        ("(4 | sqrt) | tostring, tojson, \"\\(.)\"", "\"2\"\n\"2\"\n\"2\""),
        ("-5, 1.5, -1.5, \"aé\" | length", "5\n1.5\n1.5\n2"),
        (
            "\"xaxx\" | ltrimstr(\"x\"), rtrimstr(\"x\"), ltrimstr(1), startswith(\"xa\"), endswith(\"y\")",
            "\"axx\"\n\"xax\"\n\"xaxx\"\ntrue\nfalse",
        ),
        ("try ({(nan): 1}) catch \"no\"", "\"no\""),
        ("[65, 233] | implode", "\"Aé\""),
    ] {
        let got = ask("1", Kind::Json, &request(program)).map(|a| a.content);
        assert_eq!(got, Ok(format!("{gives}\n")), "{program}");
    }
}

#[test]
fn a_table_that_is_drawn_as_text_is_asked_by_its_columns() {
    let rows: String = (0..4_000).fold(String::new(), |text, n| {
        let state = if n % 100 == 7 { "CrashLoopBackOff" } else { "Running" };
        text + &format!("app-{n:<6} 1/1     {state:<16}   {n}d\n")
    });
    let text = format!("NAME       READY   STATUS             AGE\n{rows}");
    let ask = |request: &QueryRequest| ask(&text, Kind::Text, request).unwrap();
    let counted = QueryRequest {
        by: Some(".STATUS".to_owned()),
        reduce: Some("count".to_owned()),
        ..request(".NAME")
    };
    let answer = ask(&counted);
    assert_eq!(answer.content.lines().next(), Some(r#"{"key":"Running","count":3960}"#));
    assert!(answer.notes.iter().any(|note| note.contains("table")), "{:?}", answer.notes);
    // Page by page, each row once.
    let (mut names, mut request) = (Vec::new(), request(".NAME"));
    loop {
        let answer = ask(&request);
        names.extend(lines(&answer.content));
        match answer.next {
            Some(next) => request.cursor = Some(next),
            None => break,
        }
    }
    assert!(names.iter().enumerate().all(|(n, name)| *name == json!(format!("app-{n}"))));
    assert_eq!(names.len(), 4_000);
    // What runs on lines is asked of lines, and a cursor of another result is refused.
    let of_lines = self::request(r#"select(test("CrashLoop")) | split(" ")[0]"#);
    let found = ask(&of_lines).content;
    assert!(found.starts_with("\"app-7\"\n\"app-107\"\n"), "{found}");
    let other = QueryRequest { cursor: Some("x12".to_owned()), ..self::request(".a") };
    assert!(self::ask("no table\nat all", Kind::Text, &other).is_err());
}

#[test]
fn what_is_meant_is_asked_where_jq_has_no_such_name_and_where_rows_have_no_such_items() {
    let rows: Vec<Value> =
        (0..300).map(|n| json!({"id": n, "state": (["ok", "failed"][n % 2]), "ms": n})).collect();
    let text = json!({"total": 300, "items": rows}).to_string();
    let told = |program: &str, reduce: &str| {
        let reduce = Some(reduce.to_owned()).filter(|reduce| !reduce.is_empty());
        let answer = ask(&text, Kind::Json, &QueryRequest { reduce, ..request(program) })?;
        Ok::<_, String>((
            answer.content.lines().next().unwrap_or_default().to_owned(),
            answer.notes,
        ))
    };
    for (program, reduce, first) in [
        ("state == \"failed\"", "", "false"),
        ("select(state == \"failed\" and ms > 290)", "count", "5"),
        ("ms", "sum", "44850"),
        ("[ms, state]", "", "[0,\"ok\"]"),
        (".items[] | select(.state == \"failed\")", "count", "150"),
        (".[] | select(.state == \"failed\")", "count", "150"),
        ("map(select(.state == \"failed\"))", "count", "150"),
        ("[.items[] | select(.ms > 200)] | length", "count", "99"),
        (".items[] | .ms", "max", "299"),
        (".ms", "median", "149.5"),
        (".ms", "p90", "269.1"),
        (".state", "count distinct", "2"),
        (".ms", "max 2", "299"),
    ] {
        let (seen, _) = told(program, reduce).unwrap();
        assert_eq!(seen, first, "{program} {reduce}");
    }
    assert!(told("ms", "sum").unwrap().1.iter().any(|note| note == "run as \".ms\""));
    // What is no key of the result stays an error, and so does what is near a function.
    for wrong in ["nosuch", "lenght", "select(sate == 1)"] {
        assert!(told(wrong, "").unwrap_err().contains("there is no function"), "{wrong}");
    }
}

#[test]
fn numbers_as_statisticians_write_them_are_numbers_to_tonumber() {
    let csv = "id,rate\n1,.097\n2,-.5\n3,+12\n4,3.\n";
    let answer = ask(csv, Kind::Csv, &request(".rate | tonumber")).unwrap();
    assert_eq!(lines(&answer.content), [json!(0.097), json!(-0.5), json!(12), json!(3)]);
    for wrong in [".", "+", "+-1", "1.2.3", "+.", "-."] {
        let program = format!("{} | tonumber", json!(wrong));
        assert!(ask("1\n", Kind::Ndjson, &request(&program)).is_err(), "{wrong}");
    }
}

#[test]
fn a_last_row_that_sums_up_the_others_is_named() {
    let rows: String = (0..40).map(|n| format!("R{n},{n}\n")).collect();
    let told = |last: &str, program: &str| {
        let sum = QueryRequest { reduce: Some("sum".to_owned()), ..request(program) };
        let answer = ask(&format!("region,n\n{rows}{last}"), Kind::Csv, &sum).unwrap();
        answer.notes.iter().any(|note| note.contains("may be a total"))
    };
    for last in ["Total,780\n", "\"Grand total:\",780", "SUM,780\n\n"] {
        assert!(told(last, ".n"), "{last}");
        assert!(!told(last, "select(.region != \"Total\") | .n"), "{last}");
    }
    assert!(!told("R40,40\n", ".n") && !told("totals of all,1\n", ".n"));
}

#[test]
fn xml_is_asked_by_its_elements_and_by_its_lines() {
    let rows: String = (0..900).fold(String::new(), |text, n| {
        let failed = if n % 90 == 7 { "<failure message=\"boom\"/>" } else { "" };
        text + &format!("<testcase name=\"t{n}\" time=\"0.{n:03}\">{failed}</testcase>\n")
    });
    let text = format!("<?xml version=\"1.0\"?>\n<testsuite tests=\"900\">\n{rows}</testsuite>\n");
    let ask = |request: &QueryRequest| ask(&text, Kind::Xml, request).unwrap();
    let failed = QueryRequest { reduce: Some("count".to_owned()), ..request("select(.failure)") };
    let answer = ask(&failed);
    assert_eq!(answer.content.lines().next(), Some("10"));
    assert_eq!(answer.rows, "items of \"/testsuite/testcase\"");
    let time =
        QueryRequest { reduce: Some("max".to_owned()), ..request(r#".["@time"] | tonumber"#) };
    assert_eq!(ask(&time).content.lines().next(), Some("0.899"));
    let root = QueryRequest { whole: true, ..request(r#".testsuite["@tests"]"#) };
    assert_eq!(ask(&root).content.lines().next(), Some("\"900\""));
    let (mut names, mut page) = (0, request(r#".["@name"]"#));
    loop {
        let answer = ask(&page);
        for name in lines(&answer.content) {
            assert_eq!(name, json!(format!("t{names}")));
            names += 1;
        }
        match answer.next {
            Some(next) => page.cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(names, 900);
    let of_lines =
        QueryRequest { reduce: Some("count".to_owned()), ..request(r#"select(test("<failure"))"#) };
    assert_eq!(ask(&of_lines).content.lines().next(), Some("10"));
    // What is cut is lines.
    let cut = self::ask(&text[..text.len() / 2], Kind::Xml, &request("length")).unwrap();
    assert!(cut.rows.starts_with("lines"), "{}", cut.rows);
}

#[test]
fn yaml_is_queried_as_json_is() {
    let list: String = (0..50).map(|n| format!("- id: {n}\n  size: {n}.5\n")).collect();
    let list =
        ask(&format!("items:\n{list}"), Kind::Text, &request("select(.id > 47) | .size")).unwrap();
    assert_eq!((list.content.as_str(), list.last_row), ("48.5\n49.5\n", 50));
    assert_eq!(list.rows, "items of \"/items\", of YAML");
    let pods: String = (0..300)
        .map(|n| {
            format!("---\nkind: Pod\nmetadata:\n  name: p{n}\n  labels: {{app: a{}}}\n", n % 3)
        })
        .collect();
    let mut groups = request(".metadata.name");
    (groups.by, groups.reduce) = (Some(".metadata.labels.app".into()), Some("count".into()));
    let groups = ask(&pods, Kind::Yaml, &groups).unwrap();
    assert_eq!(groups.rows, "documents of YAML");
    assert_eq!(groups.content.matches("100").count(), 3, "{}", groups.content);
    // Page for page, as any other rows.
    let mut page = request(".metadata.name");
    page.limit = Some(200);
    let first = ask(&pods, Kind::Text, &page).unwrap();
    page.cursor = first.next;
    let second = ask(&pods, Kind::Yaml, &page).unwrap();
    assert_eq!((first.results, second.results, second.next), (200, 100, None));
    assert!(second.content.starts_with("\"p200\"\n"), "{}", second.content);
    // What cannot be read as YAML is there as lines, and said to be so.
    let broken = ask(&format!("{pods}---\na: 'b\n"), Kind::Yaml, &request("length")).unwrap();
    assert!(
        broken.rows == "lines of text" && broken.notes.iter().any(|note| note.contains("line 15"))
    );
}

#[test]
fn what_fails_on_all_there_is_says_what_that_is_whatever_its_shape() {
    let pods = "kind: Pod\nmetadata:\n  name: a\nspec:\n  size: 1\n";
    let list = format!("items:\n{}", "- name: a\n  size: 1\n".repeat(20));
    let json = r#"{"a": {"b": {"c": 1}}, "list": [{"c": 1}, {"c": 2}, {"c": 3}]}"#;
    let cases = [
        (r#"{"a": 1}"#, Kind::Json, None, "run on the document: an object"),
        (json, Kind::Json, Some("/a/b"), "run on the value at \"/a/b\": an object"),
        (json, Kind::Json, Some("/a[]"), "here the members of \"/a\": the first is an object"),
        (json, Kind::Json, Some("[]"), "here the members: the first is an object"),
        (json, Kind::Json, Some("/list"), "here the items of \"/list\": the first is an object"),
        (r#"[{"c": 1}, {"c": 2}]"#, Kind::Json, None, "here the items: the first is an object"),
        (r#"[["id", "n"], [7, 8]]"#, Kind::Json, None, r#"an array of 2: .[0] "id", .[1] "n""#),
        ("{\"c\":1}\n{\"c\":2}\n", Kind::Ndjson, None, "here the lines of JSON: the first is an"),
        ("a,b\n1,2\n3,4\n", Kind::Csv, None, "here the rows of a table: the first is an object"),
        ("one\ntwo\n", Kind::Text, None, "here the lines of text: the first is a string"),
        (pods, Kind::Text, None, "run on the document, of YAML: an object"),
        (&list, Kind::Text, None, "here the items of \"/items\", of YAML: the first is an object"),
        (&format!("{pods}---\n{pods}"), Kind::Text, None, "here the documents of YAML: the first"),
        (
            r#"{"columns": ["a", "b"], "rows": [[1, 2], [3, 4]]}"#,
            Kind::Json,
            None,
            "here the items of \"/rows\", as objects by the names of their columns: the first is an",
        ),
    ];
    let mut shapes = Vec::new();
    for (text, kind, path, said) in cases {
        let request = QueryRequest { path: path.map(str::to_owned), ..request("error(\"no\")") };
        let error = ask(text, kind, &request).unwrap_err();
        assert!(error.contains(said), "{said}: {error}");
        let words: Vec<&str> = error.split_whitespace().collect();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]), "a word twice: {error}");
        let source = text.as_bytes();
        let rows = Rows::open(&source, kind, path, false, None).unwrap();
        shapes.push(rows.place().to_string().chars().next().unwrap());
    }
    let all = place::Shape::ALL.map(|(_, letter)| letter);
    assert!(all.iter().all(|letter| shapes.contains(letter)), "{shapes:?} of {all:?}");
    let whole = QueryRequest { whole: true, ..request("error(\"no\")") };
    let error = ask("one\ntwo\n", Kind::Text, &whole).unwrap_err();
    assert!(
        error.ends_with("run on the document: an array of 2: .[0] \"one\", .[1] \"two\""),
        "{error}"
    );
}

#[test]
fn a_column_of_codes_is_one_type() {
    let csv = "zip,n\n02134,1\n90210,2\n,3\n";
    let answer = ask(csv, Kind::Csv, &request("[.zip, .n]")).unwrap();
    assert_eq!(answer.content, "[\"02134\",1]\n[\"90210\",2]\n[null,3]\n");
    assert_eq!(answer.rows, "rows of a table, with codes as texts in \"zip\"");
    let none = ask("zip,n\n12134,1\n90210,2\n", Kind::Csv, &request(".zip")).unwrap();
    assert_eq!((none.content.as_str(), none.rows.as_str()), ("12134\n90210\n", "rows of a table"));
    // Beyond what is looked at first it is told.
    let rows: String = (0..60_000).map(|n| format!("{},x\n", 10_000 + n)).collect();
    let text = format!("zip,n\n{rows}02134,x\n20000,x\n");
    let mut late = QueryRequest { reduce: Some("count".to_owned()), ..request(".zip") };
    let answer = loop {
        let answer = ask(&text, Kind::Csv, &late).unwrap();
        match answer.next {
            Some(next) => late.cursor = Some(next),
            None => break answer,
        }
    };
    let notes = answer.notes.join("; ");
    assert!(notes.contains("\"zip\" has numbers and, from row 60,001 on, codes"), "{notes}");
}

#[test]
fn an_array_of_arrays_is_queried_by_the_names_of_columns_beside_it() {
    let rows: Vec<Value> = (0..300).map(|n| json!([n, format!("row {n}"), null])).collect();
    let named = json!([{"name": "id", "type": "int"}, {"name": "text"}, {"name": "id"}]);
    for text in [
        json!({"columns": ["id", "text", "id"], "rows": rows}),
        json!({"data": rows, "headers": named}),
        json!({"status": "ok", "values": rows, "schema": {"fields": named}}),
        json!({"rowCount": 300, "resultSetMetaData": {"rowType": named}, "data": rows}),
        json!({"rows": rows, "columns": named.as_array().unwrap().iter().map(|column| {
            json!({"name": column["name"], "about": "long ".repeat(2_000)})
        }).collect::<Vec<_>>()}),
    ] {
        let page = QueryRequest { limit: Some(200), ..request("[.id, .text, .id_]") };
        let first = ask(&text.to_string(), Kind::Json, &page).unwrap();
        assert!(first.rows.ends_with("as objects by the names of their columns"), "{}", first.rows);
        assert!(first.content.starts_with("[0,\"row 0\",null]\n"), "{}", first.content);
        let second = QueryRequest { cursor: first.next, ..page };
        let second = ask(&text.to_string(), Kind::Json, &second).unwrap();
        assert!(second.content.starts_with("[200,\"row 200\",null]\n"), "{}", second.content);
        assert_eq!((first.results, second.results, second.next), (200, 100, None));
    }
    // By its path, with numbers as they are written, and rows that are longer or shorter.
    let text = r#"{"a": [{"cols": ["x", "y"], "rows": [[1.10, 2], [3], [4, 5, 6], {"x": 7}]}]}"#;
    let path = QueryRequest { path: Some("/a/0/rows".to_owned()), ..request(".") };
    assert_eq!(
        content(text, Kind::Json, &path),
        "{\"x\":1.10,\"y\":2}\n{\"x\":3,\"y\":null}\n{\"x\":4,\"y\":5,\"column_3\":6}\n{\"x\":7}\n"
    );
    // What may be something else stays as it is.
    for text in [
        json!({"columns": ["a", "b"], "rows": rows}),
        json!({"columns": ["a", "b", 3], "rows": rows}),
        json!({"labels": ["a", "b", "c"], "rows": rows}),
        json!({"columns": 3, "rows": rows}),
        json!({"columns": ["a", "b", ""], "rows": rows}),
    ] {
        let answer = ask(&text.to_string(), Kind::Json, &request(".[0]")).unwrap();
        assert_eq!((answer.rows.as_str(), answer.results), ("items of \"/rows\"", 300), "{text}");
    }
}

#[test]
fn loops_in_a_row_give_what_they_give_and_end() {
    for (program, gives) in [
        ("reduce range(0;200) as $i (0; .+$i)", "19900"),
        ("[range(100)|.*2]|add", "9900"),
        ("def f: if .>0 then .-1|f else . end; 100|f", "0"),
        ("[range(10;0;-3)] == [10,7,4,1] and ([range(0;1;0.5)] == [0,0.5])", "true"),
        ("[range(-1)], [range(3;1)], [range(0;3;-1)] | length", "0\n0\n0"),
        ("reduce range(3) as $i ([]; . + [$i * 2 - 1])", "[-1,1,3]"),
        ("reduce (\"a\",\"b\") as $s (\"\"; . + $s + .)", "\"aba\""),
        ("[range(5) | . % 2 == 0 or . > 3 and . < 4]", "[true,false,true,false,true]"),
        ("7 as $x | {a: {b: 2}} | .a.b * $x - -1", "15"),
        ("{a: 1} | (.a + 1) as $x | .a += $x | .a", "3"),
        ("[1, 2] | .[0] + .[1] * 10", "21"),
        ("try (1 + \"a\") catch \"no\"", "\"no\""),
        ("try ({} | .a.b + [] | .c) catch \"no\"", "\"no\""),
        ("try path(. + 1) catch \"no\"", "\"no\""),
        ("[1, 2, 3, 2] - [2] + [4]", "[1,3,4]"),
        ("\"ab\" * 2 + \"c\", (\"a,b\" / \",\" | length)", "\"ababc\"\n2"),
        ("1e3 + 0.5, 10 / 4, -7 % 3, (null + 1)", "1000.5\n2.5\n-1\n1"),
        ("[limit(5; 1 | repeat(. * 2))]", "[2,2,2,2,2]"),
        ("[1 | while(. < 50; . * 3)], (1 | until(. > 50; . * 3))", "[1,3,9,27]\n81"),
        ("[1 | recurse(if . < 4 then (. + 1, . + 2) else empty end)]", "[1,2,3,4,5,4,3,4,5]"),
        ("[2 | until(. > 3, . > 4; . + 1)]", "[4,5,5,4,5,5,4,5,5,4,5,5]"),
        ("[1 | while(. < 3, . < 2; . + 1)]", "[1,2,1,2]"),
        ("[foreach (1, 2, 3) as $x (0; . + $x)]", "[1,3,6]"),
        ("try (foreach (1, \"a\", 2) as $x (0; . + $x)) catch \"no\"", "1\n\"no\""),
        ("reduce (3, 1, 2) as $x (null; if . == null or $x < . then $x else . end)", "1"),
        ("[reduce (1, 2) as $x ((0, 10); . + $x)], reduce empty as $x (3; . + $x)", "[3,13]\n3"),
        ("5 as $y | [reduce range(3) as $x (0; . + $x * $y)]", "[15]"),
        ("def until(c; u): 42; 0 | until(true; .)", "42"),
        ("first(1 | recurse(error(\"no\"))), first(1 | while(true; error(\"no\")))", "1\n1"),
        ("{a: {b: {}}} | [path(recurse(.[]?))] | length", "3"),
        ("{a: 1} | (.. | select(. == 1)) |= . + 1 | .a", "2"),
        ("def f: if . > 2 then . else . + 1 | f end; [0 | f, f]", "[3,3]"),
        ("def g(h): if . > 2 then h else . + 1 | g(h) end; 0 | g(. * 5)", "15"),
    ] {
        let answer = ask("{}", Kind::Json, &request(program));
        assert_eq!(answer.map(|answer| answer.content), Ok(format!("{gives}\n")), "{program}");
    }
}

#[test]
fn an_array_of_one_item_is_not_the_rows_beside_one_of_many() {
    let rows: Vec<Value> =
        (0..40).map(|n| json!({"id": n, "name": format!("row \"{n}\"")})).collect();
    let text = json!({"result": rows}).to_string();
    let both =
        json!({"content": [{"type": "text", "text": text}], "structuredContent": {"result": rows}});
    let answer = ask(&both.to_string(), Kind::Json, &request("select(.id == 39) | .name")).unwrap();
    assert_eq!(answer.content, "\"row \\\"39\\\"\"\n");
    assert_eq!(answer.rows, "items of \"/structuredContent/result\"");
    // Alone it is.
    let one = json!({"items": [{"name": "x".repeat(200)}], "page": 1});
    let answer = ask(&one.to_string(), Kind::Json, &request(".name | length")).unwrap();
    assert_eq!((answer.content.as_str(), answer.rows.as_str()), ("200\n", "items of \"/items\""));
}

#[test]
fn a_table_has_a_header_and_cells() {
    let text = "{\"a\":1,\"b\":\"x y\"}\n{\"a\":null,\"c\":[1]}\n{\"b\":\"12\"}\n";
    let table = QueryRequest { table: true, ..request(".") };
    assert_eq!(content(text, Kind::Ndjson, &table), "a\tb\tc\n1\tx y\t\n\t\t[1]\n\t\"12\"\t\n");
}

#[test]
fn a_result_that_does_not_fit_is_cut_and_said_to_be() {
    let text = json!("x".repeat(50_000)).to_string();
    let answer = ask(&text, Kind::Json, &request(".")).unwrap();
    assert!(answer.cut && answer.content.chars().count() == 7_000);
}

#[test]
fn what_is_over_the_limit_of_a_whole_document_says_how_to_stream() {
    let text = format!("[{}1]", "1,".repeat(3_000_000));
    let whole = QueryRequest { whole: true, ..request("length") };
    let error = ask(&text, Kind::Json, &whole).unwrap_err();
    assert!(error.contains("read whole") && error.contains("reduce"), "{error}");
}

/// A row of an object whose members the programs below look at: some as they should be, some odd.
fn any_row() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("false".to_owned()),
        (-20i64..20).prop_map(|n| n.to_string()),
        Just("12345678901234567890123".to_owned()),
        Just("1716900000000".to_owned()),
        Just("0.10000000000000000001".to_owned()),
        Just("-0".to_owned()),
        Just("1e3".to_owned()),
        Just("-2.50".to_owned()),
        "[a-c]{0,3}".prop_map(|s| format!("\"{s}\"")),
        Just("\"é\\u00e9\\ud83d\\ude00\\n\"".to_owned()),
        Just("\"\\ud800\"".to_owned()),
        Just("\"tab\there\"".to_owned()),
        Just("NaN".to_owned()),
        Just("01".to_owned()),
        Just("tru".to_owned()),
        Just("[]".to_owned()),
        Just("[1,{\"a\":2}, [ ]]".to_owned()),
        Just("{}".to_owned()),
        Just("{\"b\": {\"c\": \"abc\"}, \"a\":1}".to_owned()),
        Just("{\"b\":7,\"b\":8}".to_owned()),
    ];
    let key = prop_oneof![
        8 => "[abk]".prop_map(|s| s),
        1 => Just("\\u0061".to_owned()),
        1 => Just("x y".to_owned()),
    ];
    let members = proptest::collection::vec((key, scalar.clone()), 0..5);
    let object = members.prop_map(|members| {
        let members: Vec<String> =
            members.iter().map(|(key, value)| format!(" \"{key}\" : {value}")).collect();
        format!("{{{} }}", members.join(","))
    });
    prop_oneof![9 => object, 1 => scalar]
}

const SHORT: [&str; 35] = [
    ".",
    ".a",
    ".a.b",
    ".b.c",
    ".[\"x y\"]",
    ".a, .b",
    ".a | .b",
    "select(.a == 1)",
    "select(.a == \"abc\") | .b",
    "select(.a != null and .b > 2) | {a, k: .b}",
    "select(.a < .b) | [.a, .b, 3]",
    "select(.a >= -5 or (.b | not)) | .k",
    "select(.a == 1716900000000) | .a",
    "select(.a == 12345678901234567890123) | .a",
    "select(.a == 0.1)",
    ".a // \"none\"",
    ".a | length",
    "length",
    ".a | startswith(\"a\")",
    "select(.a | endswith(\"c\")) | .a",
    "select(.b.c | contains(\"bc\"))",
    "{a: .a, \"x y\": .b, n: (.a | length)}",
    "[.a, .b.c]",
    "empty",
    "select(.a) | select(.b) | .k",
    "(.a == .b) | not",
    "select(.a == true or .a == false)",
    "select(.a <= null)",
    "select(\"b\" <= .a)",
    ".a == [1, 2]",
    "select(.a == {}) , .k",
    "{a: .a, a: .b}",
    "[.a == .k, .a < .k, .a > .k]",
    "true, .a, null",
    "[]",
];

#[test]
fn the_programs_that_are_asked_most_go_the_short_way() {
    for program in SHORT {
        let program = Program::compile(program, 0, &mut Members::new(), &mut Parts::new()).unwrap();
        assert!(program.fast.is_some());
    }
    for program in
        ["map(.a)", ".a + 1", ".a?", ".[]", ". as $x | .a", "def select(f): 1; select(.a)", ".a[0]"]
    {
        assert!(
            Program::compile(program, 0, &mut Members::new(), &mut Parts::new())
                .unwrap()
                .fast
                .is_none(),
            "{program}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_short_way_gives_what_the_long_way_gives(
        rows in proptest::collection::vec(any_row(), 1..8),
        program in 0..SHORT.len(),
        by in proptest::option::of(0..SHORT.len()),
        reduce in 0usize..8,
        array in any::<bool>(),
        limit in proptest::option::of(1u64..3),
    ) {
        let (text, kind) = match array {
            true => (format!("[{}]", rows.join(" ,\n")), Kind::Json),
            false => (rows.join("\n"), Kind::Ndjson),
        };
        let reduce = [None, Some("count"), Some("sum"), Some("distinct"), Some("stats"), Some("top 2"), Some("min"), Some("length")][reduce];
        let short = QueryRequest {
            by: by.map(|by| SHORT[by].to_owned()),
            reduce: reduce.map(str::to_owned),
            limit,
            ..request(SHORT[program])
        };
        let long = QueryRequest {
            program: format!(". as $x | ({})", short.program),
            by: short.by.as_ref().map(|by| format!(". as $x | ({by})")),
            ..short.clone()
        };
        let (mut short, mut long) = (short, long);
        for _ in 0..40 {
            let (mut a, mut b) = (ask(&text, kind, &short), ask(&text, kind, &long));
            // Which members no row has is known only of what the short way looks at.
            for answer in [&mut a, &mut b].into_iter().flatten() {
                answer.notes.retain(|note| !note.starts_with("no row "));
            }
            prop_assert_eq!(&a, &b);
            let Ok(QueryAnswer { next: Some(next), .. }) = a else { break };
            short.cursor = Some(next.clone());
            long.cursor = Some(next);
        }
    }
}

#[test]
fn what_a_figure_is_of_is_said() {
    let row = |n: usize| {
        let label = ["ui", "perf", "bug"][n % 3];
        let labels =
            if n.is_multiple_of(5) { String::new() } else { format!("\"{label}\",\"all\"") };
        let opt = if n < 20 { "null".to_owned() } else { n.to_string() };
        format!(
            "{{\"id\":{n},\"lat\":\"{n}\",\"opt\":{opt},\"up\":{},\"labels\":[{labels}]}}\n",
            !n.is_multiple_of(4)
        )
    };
    let rows: String = (0..60).map(row).collect();
    let asked = |program: &str, by: Option<&str>, reduce: &str| {
        let by = by.map(str::to_owned);
        let reduce = Some(reduce.to_owned()).filter(|reduce| !reduce.is_empty());
        let asked = QueryRequest { by, reduce, ..request(program) };
        let answer = ask(&rows, Kind::Ndjson, &asked).unwrap();
        (answer.content, answer.notes.join("; "))
    };
    let (content, note) = asked(".lat", None, "max");
    assert_eq!(content, "\"9\"\n");
    assert_eq!(
        note,
        "all 60 are ordered as text, in which 9 is above 10: | tonumber reads it as one"
    );
    assert_eq!(asked(".lat | tonumber", None, "max"), ("59\n".to_owned(), String::new()));
    let (content, note) = asked(".", Some(".labels[]"), "count");
    assert!(content.starts_with("{\"key\":\"all\",\"count\":48}\n"), "{content}");
    assert!(content.contains("{\"key\":\"ui\",\"count\":16}\n"), "{content}");
    assert_eq!(note, "12 rows in no group: by gives nothing");
    for (program, count, said) in [
        (".opt", "60", "20 of what is counted are null"),
        (
            ".up",
            "60",
            "of what is counted 45 are true and 15 false: select(...) keeps what is true",
        ),
        (
            ".id > 50",
            "60",
            "of what is counted 9 are true and 51 false: select(...) keeps what is true",
        ),
        ("select(.id > 50)", "9", ""),
        (
            "select(.id = 50)",
            "60",
            "select(... = ...) sets a value and takes every row: == compares",
        ),
        (
            "select(.di > 50)",
            "0",
            "no row has \".di\": an outline has the keys; 60 rows compare null with a number, \
            and it is below every number: (... | numbers) leaves it out",
        ),
        (
            "select(.lat > 50)",
            "60",
            "60 rows compare text with a number, and it is above every number: \
            (... | tonumber) reads it as one",
        ),
    ] {
        assert_eq!(
            asked(program, None, "count"),
            (format!("{count}\n"), said.to_owned()),
            "{program}"
        );
    }
    let report = json!({"runs": [{"tool": 1, "results": [{"level": "error"}, {"level": "note"}]}]});
    let asked_of = |program: &str| {
        let answer = ask(&report.to_string(), Kind::Json, &request(program)).unwrap();
        (answer.content, answer.notes.join("; "))
    };
    let (_, note) = asked_of("select(.level == \"error\")");
    let found = ".. | objects | select(has(\"level\"))";
    assert_eq!(note, format!("no row itself has \".level\": {found} finds it deeper"));
    assert_eq!(asked_of(&format!("{found} | .level")).0, "\"error\"\n\"note\"\n");
    let (content, _) = asked(".id", Some(".up"), "length as $n | add / $n | floor");
    assert_eq!(content, "{\"key\":false,\"value\":28}\n{\"key\":true,\"value\":30}\n");
    let sum = QueryRequest { reduce: Some("sum".to_owned()), ..request(".lat") };
    let error = ask(&rows, Kind::Ndjson, &sum).unwrap_err();
    assert!(error.contains("0 is text, not a number: | tonumber reads it"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400), kind in 0usize..5) {
        let kind = [Kind::Json, Kind::Ndjson, Kind::Csv, Kind::Log, Kind::Binary][kind];
        let mut request = request(".");
        for _ in 0..500 {
            let Ok(answer) = query(&&bytes[..], kind, &request, 60, Work::CALL.query_steps) else { break };
            prop_assert!(answer.content.chars().count() <= 60);
            prop_assert!(answer.next != request.cursor || answer.next.is_none());
            let Some(next) = answer.next else { break };
            request.cursor = Some(next);
        }
    }

    #[test]
    fn any_program_is_survived(program in "[a-z.|,\\[\\](){}:;\"$?/+*<=>0-9 -]{0,40}") {
        let _ = ask("{\"a\":[1,{\"b\":\"c\"}]}", Kind::Json, &request(&program));
    }
}

/// All of it is what jq 1.6 gives.
#[test]
fn puts_loops_and_functions_give_what_jq_gives() {
    for (program, gives) in [
        ("{} | .a.b += 1", "{\"a\":{\"b\":1}}"),
        ("null | .a = 1", "{\"a\":1}"),
        ("{} | .a.b.c |= 3", "{\"a\":{\"b\":{\"c\":3}}}"),
        ("{} | .a[2] = 1", "{\"a\":[null,null,1]}"),
        ("[1] | .[3] += 2", "[1,null,null,2]"),
        ("{a: null} | .a.n //= 7", "{\"a\":{\"n\":7}}"),
        (
            "reduce (\"a\", \"b\", \"a\") as $k ({}; .[$k].n += 1)",
            "{\"a\":{\"n\":2},\"b\":{\"n\":1}}",
        ),
        ("reduce range(4) as $i (null; .[$i % 2][$i] = $i)", "[[0,null,2],[null,1,null,3]]"),
        ("[1, 2] | .[-1] += 2", "[1,4]"),
        ("{a: 1} | .a = (2, 3)", "{\"a\":2}\n{\"a\":3}"),
        ("{} | .a = (.b = 1)", "{\"a\":{\"b\":1}}"),
        ("{a: [1]} | .a += [2] | .a[0] = .a", "{\"a\":[[1,2],2]}"),
        ("[foreach range(3) as $i ([]; . + [$i]; [$i, .])]", "[[0,[0]],[1,[0,1]],[2,[0,1,2]]]"),
        (
            "[foreach (\"a\", \"b\") as $k ({}; .[$k] = $k; {k: $k, n: .})]",
            "[{\"k\":\"a\",\"n\":{\"a\":\"a\"}},{\"k\":\"b\",\"n\":{\"a\":\"a\",\"b\":\"b\"}}]",
        ),
        ("[foreach range(5) as $i (0; . + $i; select(. > 2))]", "[3,6,10]"),
        ("[foreach range(3) as $i ({}; .a += $i; . as {a: $b} | $b * $i, empty)]", "[0,1,6]"),
        ("[foreach range(3) as $i (0; . + $i; $i, .)]", "[0,0,1,1,2,3]"),
        ("5 as $y | [foreach range(2) as $i (0; . + $y; [., $i, $y])]", "[[5,0,5],[10,1,5]]"),
        (
            "reduce range(3) as $i ({n: 0, s: 1}; {n: (.n + 1), s: (.s * 2 + $i)})",
            "{\"n\":3,\"s\":12}",
        ),
        ("reduce range(3) as $i ([0]; [.[0] + $i, .[0], .])", "[3,1,[1,0,[0,0,[0]]]]"),
        ("def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; [4, 3] | map(fac)", "[24,6]"),
        (
            "def f($n; $all): if $n > 3 then $all else f($n + 1; $all + [$n]) end; f(0; [])",
            "[0,1,2,3]",
        ),
        (
            "def even: if . == 0 then true else . - 1 | (if . == 0 then false else . - 1 | even end) end; 10 | even",
            "true",
        ),
        ("def f: [.]; def g: f | f; def f: 7; [g, f]", "[[[{}]],7]"),
        ("def f(g): [g]; def g: 1; f(2), g", "[2]\n1"),
        ("def f: def g: . + 1; g | g; 1 | f", "3"),
        ("def not: 5; true | not", "5"),
        ("[1, 2] as $a | {$a, b: $a[0], (\"c\"): ($a | length)}", "{\"a\":[1,2],\"b\":1,\"c\":2}"),
        ("{a: {b: 5}} | {a, b: .a.b} | [.b, .a]", "[5,{\"b\":5}]"),
        ("def f: if . > 2 then . else (. + 1 | f) + 1 end; 0 | f", "6"),
        ("reduce range(5) as $i (0; if $i % 2 == 0 then . + $i else . end)", "6"),
        ("[{a: 1}, {a: 2}] | map(.b = .a * 2)", "[{\"a\":1,\"b\":2},{\"a\":2,\"b\":4}]"),
        ("def f($a): $a | [., $a]; f([1])", "[[1],[1]]"),
    ] {
        let answer = ask("{}", Kind::Json, &request(program));
        assert_eq!(answer.map(|answer| answer.content), Ok(format!("{gives}\n")), "{program}");
    }
}

#[test]
fn a_program_that_gives_null_on_every_row_is_run_on_all() {
    let csv = "id,name\n1,Ann\n2,Bob\n3,Cy\n";
    let first = ask(csv, Kind::Csv, &request(".[0]")).unwrap();
    assert_eq!(lines(&first.content), [serde_json::json!({"id": 1, "name": "Ann"})]);
    assert!(first.notes[0].starts_with("the program fails on each row"), "{first:?}");
    let total = "{\"total\": 7, \"rows\": [{\"id\": 1}, {\"id\": 2, \"note\": null}]}";
    assert_eq!(ask(total, Kind::Json, &request(".total")).unwrap().content.trim(), "7");
    // What is null everywhere stays so, and so does what is not null on one row.
    assert_eq!(ask(total, Kind::Json, &request(".note")).unwrap().content, "null\nnull\n");
    assert_eq!(ask(csv, Kind::Csv, &request("select(.id == 2) | .none")).unwrap().results, 1);
}
