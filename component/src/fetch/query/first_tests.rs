//! What the first programs of a model tell: the document's own value, nothing counted silently, by paths that work.

use serde_json::{Value, json};

use super::tests::{ask, request};
use super::*;

/// Documents of one size in three forms: rows two levels down, rows beside what pages say, and rows alone.
fn documents(rows: usize, width: usize) -> [Value; 3] {
    let row = |n: usize| json!({"id": n, "name": format!("n{n}"), "kind": "row", "pad": "x".repeat(width)});
    let all: Vec<Value> = (0..rows).map(row).collect();
    [
        json!({"data": {"items": all}, "total": rows, "kind": "list"}),
        json!({"meta": {"page": 1, "next": "p2"}, "results": all, "errors": []}),
        Value::Array(all),
    ]
}

#[test]
fn the_first_programs_of_models_give_the_documents_own_value_at_any_size() {
    // Programs by document; none tells nothing, and each says what it says of the smallest.
    let programs: [&[&str]; 3] = [
        &[
            ".total",
            ".data.items | length",
            ".data.items[0].name",
            "keys",
            "length",
            ".data.items[0:2]",
            ".data.items[:2] | map(.name)",
            ".data.items[0]",
            ".data | keys",
            ".data | length",
            ".data.items[0] | keys",
            "{total, kind}",
            "[.total, .kind]",
            ".total, .kind",
            ".data.items | type",
            "keys_unsorted",
            ".kind",
            ".data.items | first | .name",
            ".data.items[2:4][].id",
            ".data.items[1].pad | length",
            "{n: (.data.items | length), total}",
            ".total == (.data.items | length)",
            ".[\"total\"]",
            ".data?.items?[0].id",
            "if .total > 3 then .total else .kind end",
        ],
        &[
            ".meta",
            ".meta.next",
            ".meta.page",
            ".results | length",
            ".results[0:2]",
            ".results[0]",
            "keys",
            "length",
            ".results[0].name",
            ".results | keys | length",
            "{next: .meta.next, n: (.results | length)}",
            ".results[3]?.id",
            ".meta | keys",
            ".results[:3] | .[].name",
            "[.results[0,1].name]",
            ".meta.next // \"none\"",
        ],
        &["length", ".[0]", ".[0].name", ".[:2]", ".[0] | keys", "first", ".[1:3] | map(.id)"],
    ];
    let sizes = [(60, 100), (3_000, 61), (9_000, 900)];
    for (form, programs) in programs.iter().enumerate() {
        let texts = sizes.map(|(rows, width)| documents(rows, width)[form].to_string());
        for program in *programs {
            for (text, (rows, width)) in texts.iter().zip(sizes) {
                let answer = ask(text, Kind::Json, &request(program));
                let answer = answer.unwrap_or_else(|error| panic!("{program} of {rows}: {error}"));
                let whole = QueryRequest { whole: true, ..request(program) };
                // What jq gives for the small one, with the figures of this one.
                let right =
                    ask(&documents(60, width)[form].to_string(), Kind::Json, &whole).unwrap();
                let right = right.content.replace("60", &rows.to_string());
                assert_eq!(answer.content, right, "{program} of {rows} rows");
            }
        }
    }
}

#[test]
fn what_each_row_tells_stays_what_is_told() {
    let [items, _, alone] = documents(3_000, 10).map(|document| document.to_string());
    for (text, program) in [
        (&items, ".name"),
        (&alone, ".id"),
        (&alone, "keys"),
        (&alone, ".kind"),
        (&items, "{id, name}"),
    ] {
        let answer = ask(text, Kind::Json, &request(program)).unwrap();
        assert!(answer.results > 50 && answer.notes.is_empty(), "{program}: {:?}", answer.notes);
    }
    let none = ask(&items, Kind::Json, &request("select(.kind != \"row\")")).unwrap();
    assert_eq!(none.results, 0);
}

#[test]
fn comparisons_of_what_is_no_number_are_told() {
    let csv: String = (0..900).fold("sku,price,cost,alt\n".to_owned(), |mut text, n| {
        let price = if n % 3 == 0 { "N/A".to_owned() } else { n.to_string() };
        let alt = if n % 2 == 0 { String::new() } else { n.to_string() };
        text.push_str(&format!("s{n},{price},{},{alt}\n", n + 1));
        text
    });
    let count = |program: &str, reduce: &str| {
        let request = QueryRequest { reduce: Some(reduce.to_owned()), ..request(program) };
        ask(&csv, Kind::Csv, &request).unwrap().notes.join("; ")
    };
    for (program, reduce, says) in [
        ("select(.price > 150)", "count", "300 rows compare text with a number"),
        ("select(150 <= .price)", "count", "300 rows compare text with a number"),
        ("select(.price > 150 and .sku != \"s3\")", "count", "300 rows compare text with a number"),
        ("select((.price) >= (.cost / 2)) | .sku", "count", "300 rows compare text with a number"),
        ("select(.price > .cost)", "count", "300 rows compare text with a number"),
        ("select(.alt < 300)", "count", "450 rows compare an empty cell with a number"),
        ("select(.alt < 300 or (.sku | test(\"7\")))", "count", "450 rows compare an empty cell"),
        (".price", "max", "600 of what is ordered are numbers and 300 text"),
        (".price", "top 3", "600 of what is ordered are numbers and 300 text"),
        (".alt", "bottom 3", "450 results are null and not counted"),
        ("select((.price | numbers) > 150)", "count", ""),
        ("select(.sku > \"s3\")", "count", ""),
        ("select(.cost > 150)", "count", ""),
        (".cost", "max", ""),
    ] {
        let notes = count(program, reduce);
        assert!(
            notes.contains(says) && (!says.is_empty() || notes.is_empty()),
            "{program} {reduce}: {notes}"
        );
    }
    // Lines of JSON by the short way, and what is counted goes along from page to page.
    let lines: String =
        (0..9_000)
            .map(|n| {
                if n < 8_000 { format!("{{\"v\":{n}}}\n") } else { "{\"v\":\"late\"}\n".to_owned() }
            })
            .collect();
    let mut request =
        QueryRequest { reduce: Some("count".to_owned()), ..request("select(.v > 7990)") };
    let answer = loop {
        let answer = ask(&lines, Kind::Ndjson, &request).unwrap();
        match answer.next.clone() {
            Some(next) => request.cursor = Some(next),
            None => break answer,
        }
    };
    assert_eq!(answer.content, "1009\n");
    assert!(
        answer.notes[0].starts_with("1,000 rows compare text with a number"),
        "{:?}",
        answer.notes
    );
}

#[test]
fn equal_numbers_are_one_value_to_distinct() {
    let text: String = ["1", "1.0", "2", "0", "-0.0", "1e0", "2.50", "2.5"]
        .map(|v| format!("{{\"v\":{v}}}\n"))
        .concat();
    let request = QueryRequest { reduce: Some("distinct".to_owned()), ..request(".v") };
    let answer = ask(&text, Kind::Ndjson, &request).unwrap();
    assert_eq!(
        answer.content,
        "{\"value\":1,\"count\":3}\n{\"value\":0,\"count\":2}\n{\"value\":2.5,\"count\":2}\n{\"value\":2,\"count\":1}\n"
    );
}

#[test]
fn one_large_object_in_an_array_is_asked_by_the_array_in_it() {
    let results: Vec<Value> = (0..7_000)
        .map(|n| json!({"ruleId": format!("r{}", n % 7), "message": "m".repeat(400)}))
        .collect();
    let run = json!({"tool": {"driver": {"name": "lint"}}, "results": results});
    for (document, path) in [
        (json!({"version": "2.1.0", "runs": [run]}), "/runs/0/results"),
        (json!([run]), "/0/results"),
    ] {
        let text = document.to_string();
        let limited = QueryRequest { limit: Some(5), ..request(".ruleId") };
        let answer = ask(&text, Kind::Json, &limited).unwrap();
        assert_eq!((answer.rows, answer.results), (format!("items of \"{path}\""), 5));
        let counted = QueryRequest { path: Some(path.to_owned()), ..request(".message | length") };
        assert!(ask(&text, Kind::Json, &counted).unwrap().content.starts_with("400\n"));
        // Where the row itself is asked for, the error names the path.
        let outer = QueryRequest { path: Some("/runs".to_owned()), ..request(".results[].ruleId") };
        if path.starts_with("/runs") {
            let error = ask(&text, Kind::Json, &outer).unwrap_err();
            assert!(error.contains(path) && !error.contains("not JSON"), "{error}");
        }
    }
}
