use std::cell::Cell;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::fetch::{Reader, tool};
use crate::settings::Settings;
use crate::spill::result::{FinishedResult, Origin, Outcome, Part, Shown};
use crate::spill::{Spill, transform};
use crate::store::BlobStore;

struct Bench {
    directory: tempfile::TempDir,
    settings: Settings,
    now: Cell<SystemTime>,
}

impl Bench {
    fn new() -> Bench {
        Bench {
            directory: tempfile::tempdir().unwrap(),
            settings: Settings::default(),
            now: Cell::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000)),
        }
    }

    fn store(&self) -> BlobStore {
        BlobStore::open(self.directory.path(), self.settings.store).unwrap()
    }

    /// What a model is shown of a call's answer, and the id where it is an excerpt.
    fn call(&self, tool: &str, arguments: &Value, text: &str) -> (String, String) {
        self.answered(tool, arguments, text, false)
    }

    fn answered(
        &self,
        tool: &str,
        arguments: &Value,
        text: &str,
        is_error: bool,
    ) -> (String, String) {
        let origin = Origin {
            session: "s".into(),
            tool: tool.into(),
            arguments: Some(arguments.to_string()),
            ..Origin::default()
        };
        let parts = vec![Part::Text(text.into())];
        let result = FinishedResult { origin, parts, is_error, ..FinishedResult::default() };
        self.now.set(self.now.get() + Duration::from_secs(1));
        let open = || BlobStore::open(self.directory.path(), self.settings.store);
        let spill = Spill { open: &open, settings: &self.settings.transform, now: self.now.get() };
        match transform(&spill, &result).unwrap() {
            Outcome::Replaced(replacement) => match &replacement.shown[..] {
                [Shown::Text(shown)] => (shown.clone(), replacement.handles[0].id.to_string()),
                other => panic!("{other:?}"),
            },
            Outcome::Unchanged { .. } => (text.to_owned(), String::new()),
        }
    }

    fn ask(&self, arguments: &Value) -> String {
        let (store, settings) = (self.store(), &self.settings.fetch);
        let reader = Reader::new(&store, settings, "s", self.now.get());
        tool::invoke(&reader, tool::NAME, &arguments.to_string()).text
    }
}

/// Rows `from..to` of a list of orders, as a page of `total`.
fn orders(from: u64, to: u64, total: u64) -> String {
    let items: Vec<Value> = (from..to)
        .map(|n| {
            json!({"id": n, "customer": n % 7, "state": if n % 2 == 0 { "open" } else { "paid" },
                "note": "a note that makes a row long enough ".repeat(6)})
        })
        .collect();
    json!({"items": items, "total": total}).to_string()
}

/// What stands in the fence of an answer.
fn content(answer: &str) -> &str {
    let start = answer.find("instructions\n").map_or(0, |at| at + "instructions\n".len());
    let end = answer.rfind("\nweir:").unwrap_or(answer.len());
    answer.get(start..end).unwrap_or_default()
}

#[test]
fn pages_of_one_list_are_asked_as_one() {
    let bench = Bench::new();
    let (first, id) = bench.call("orders", &json!({}), &orders(0, 100, 243));
    assert!(!first.contains("page of a list"), "{first}");
    let (second, _) = bench.call("orders", &json!({"page": 2}), &orders(100, 200, 243));
    let line = format!(
        "A further page of a list (2 stored): 100 rows more, 200 so far, 43 to come by \"total\". All pages as one: id \"{id}+\"."
    );
    assert!(second.contains(&line), "{second}");
    assert!(second.contains(&format!("{{\"id\":\"{id}+\",\"mode\":\"query\"")), "{second}");
    // Rows like those of the first page are hardly shown.
    assert!(second.chars().count() * 2 < first.chars().count(), "{second}");
    let answer = bench
        .ask(&json!({"id": format!("{id}+"), "mode": "query", "query": ".id", "reduce": "count"}));
    assert_eq!(content(&answer), "200", "{answer}");
    assert!(
        answer.contains("2 pages as one: 200 rows; not all: 43 missing by the server's \"total\""),
        "{answer}"
    );
    // The last is small: it is shown whole, and is a page all the same.
    let (third, none) = bench.call("orders", &json!({"page": 3}), &orders(200, 243, 243));
    assert!(third.starts_with('{') && none.is_empty());
    let all = json!({"id": format!("{id}+"), "mode": "query", "query": "select(.state == \"open\") | .id"});
    let answer = bench.ask(&all);
    assert!(
        answer.contains("3 pages as one: 243 rows; all of them by the server's \"total\""),
        "{answer}"
    );
    assert_eq!(content(&answer).lines().count(), 122, "{answer}");
    for (query, rest, right) in [
        ("input_filename", json!({"reduce": "distinct"}), "3"),
        (".customer", json!({"reduce": "count", "by": ".customer"}), "7"),
    ] {
        let mut ask = json!({"id": format!("{id}+"), "mode": "query", "query": query});
        ask.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        assert_eq!(content(&bench.ask(&ask)).lines().count().to_string(), right);
    }
    let grep = bench.ask(&json!({"id": format!("{id}+"), "pattern": "\"id\":24[0-9],"}));
    assert!(grep.contains("3 matches in 3 lines") && grep.contains("241:"), "{grep}");
    let outline = bench.ask(&json!({"id": format!("{id}+"), "mode": "outline"}));
    assert!(outline.contains("customer") && outline.contains("243"), "{outline}");
}

#[test]
fn what_comes_again_or_is_missing_is_said() {
    let bench = Bench::new();
    let (_, id) = bench.call("orders", &json!({"page": 1}), &orders(0, 100, 400));
    bench.call("orders", &json!({"page": 2}), &orders(95, 195, 400));
    bench.call("orders", &json!({"page": 4}), &orders(300, 400, 400));
    let ask = json!({"id": format!("{id}+"), "mode": "query", "query": ".id", "reduce": "count"});
    let answer = bench.ask(&ask);
    assert!(
        answer.contains(
            "3 pages as one: 300 rows, 5 of which come again, by \"id\" (\"95\", \"96\", \"97\", …); \
             page 3 is not stored; not all: 105 missing by the server's \"total\""
        ),
        "{answer}"
    );
    // Past the end the first page comes again.
    let (again, _) = bench.call("orders", &json!({"page": 5}), &orders(0, 100, 400));
    assert!(again.contains("An earlier page of this list had these very bytes"), "{again}");
    assert!(bench.ask(&ask).contains("3 pages as one: 300 rows"));
}

#[test]
fn a_place_that_pages_differ_in_already_needs_no_offer() {
    let bench = Bench::new();
    let cells = |from: u64| {
        let rows: Vec<Value> = (from..from + 300)
            .map(|n| json!({"id": n, "text": "some words of a row that is long enough"}))
            .collect();
        let next = format!("{}:{}", from + 300, from + 599);
        json!({"cells": rows, "next_range": next}).to_string()
    };
    let call =
        |range: &str, from| bench.call("cells", &json!({"of": 1, "range": range}), &cells(from)).1;
    let first = call("1:300", 1);
    let _ = (call("301:600", 301), call("901:1200", 901));
    let count =
        json!({"id": format!("{first}+"), "mode": "query", "query": ".", "reduce": "count"});
    assert!(bench.ask(&count).contains("3 pages as one: 900 rows"), "{}", bench.ask(&count));
    // Another sheet is another list.
    bench.call("cells", &json!({"of": 2, "range": "1201:1500"}), &cells(1201));
    assert!(bench.ask(&count).contains("3 pages as one: 900 rows"));
}

#[test]
fn a_page_that_is_gone_is_told_also_where_it_was_the_first() {
    let bench = Bench::new();
    let bare = |from: u64| {
        let page: Value = serde_json::from_str(&orders(from, from + 100, 0)).unwrap();
        page["items"].to_string()
    };
    let call = |cursor: Value, from| bench.call("bare", &json!({"cursor": cursor}), &bare(from)).1;
    let first = call(Value::Null, 0);
    let second = call(json!("x"), 100);
    call(json!("y"), 200);
    let ask =
        json!({"id": format!("{first}+"), "mode": "query", "query": ".id", "reduce": "count"});
    for (id, left) in [
        (&second, "2 pages as one: 200 rows; 1 page gone"),
        (&first, "1 page as one: 100 rows; 2 pages gone"),
    ] {
        let id = crate::handle::BlobId::parse_lenient(id).unwrap();
        bench.store().forget("s", &id, bench.now.get()).unwrap();
        let answer = bench.ask(&ask);
        assert!(answer.contains(left), "{answer}");
    }
    // The same call again, with other rows: what came later counts.
    call(json!("y"), 300);
    assert!(bench.ask(&ask).contains("1 page as one: 100 rows"));
}

#[test]
fn a_member_that_several_rows_have_tells_none_of_them_apart() {
    let bench = Bench::new();
    let page = |of: u64| {
        let rows = (0..200).map(|n| json!({"id": n / 2, "name": "pod", "text": format!("{of} {n}, and more of it").repeat(4)}));
        Value::from(rows.collect::<Vec<_>>()).to_string()
    };
    let (_, id) = bench.call("rows", &json!({"page": 1}), &page(1));
    bench.call("rows", &json!({"page": 2}), &page(2));
    let answer = bench.ask(&json!({"id": format!("{id}+"), "mode": "stat"}));
    assert!(answer.contains("2 pages as one: 400 rows; no page says"), "{answer}");
}

#[test]
fn a_last_page_without_rows_adds_none() {
    let row = |n: u64| json!({"id": n, "text": "a row that is long enough to be told ".repeat(4)});
    let rows = |from, to| Value::from((from..to).map(row).collect::<Vec<_>>());
    let pages = |last: &str, said: &str| {
        let bench = Bench::new();
        let page = |from, to, more: bool| {
            json!({"items": rows(from, to), "more": {"has_more": more}}).to_string()
        };
        let (_, id) = bench.call("list", &json!({"page": 1}), &page(0, 200, true));
        bench.call("list", &json!({"page": 2}), &page(200, 400, true));
        bench.call("list", &json!({"page": 3}), last);
        let ask =
            json!({"id": format!("{id}+"), "mode": "query", "query": ".id", "reduce": "count"});
        let answer = bench.ask(&ask);
        assert!(answer.contains(said) && !answer.contains("not all"), "{last}: {answer}");
        content(&answer).to_owned()
    };
    let one = json!({"items": rows(400, 401), "more": {"has_more": false}}).to_string();
    assert_eq!(pages(&one, "3 pages as one: 401 rows"), "401");
    let empty = r#"{"items":[],"more":{"has_more":false}}"#;
    assert_eq!(
        pages(empty, "3 pages as one: 400 rows; the last does not say that there are more"),
        "400"
    );
    for last in ["No more results.", "null", r#"{"message":"nothing more"}"#] {
        assert_eq!(
            pages(last, "3 pages as one: 400 rows; 1 page without such rows left out"),
            "400"
        );
    }
    let bench = Bench::new();
    let (_, id) = bench.call("bare", &json!({"offset": 0}), &rows(0, 200).to_string());
    bench.call("bare", &json!({"offset": 200}), &rows(200, 400).to_string());
    bench.call("bare", &json!({"offset": 18_446_744_073_709_551_615_u64}), "[]");
    let answer = bench
        .ask(&json!({"id": format!("{id}+"), "mode": "query", "query": ".id", "reduce": "count"}));
    assert_eq!(content(&answer), "400", "{answer}");
}

#[test]
fn another_part_of_a_text_is_shown_as_any_text_is_and_what_failed_is_no_page() {
    let bench = Bench::new();
    let text = |of: &str| (0..1_000).map(|n| format!("{of} {n} of the file\n")).collect::<String>();
    let (first, _) = bench.call("read", &json!({"path": "a"}), &text("first"));
    let (second, _) = bench.call("read", &json!({"path": "a", "offset": 1_000}), &text("second"));
    assert!(second.contains("All pages as one"), "{second}");
    let lines = |shown: &str| shown.lines().filter(|line| line.contains("of the file")).count();
    assert_eq!(lines(&first), lines(&second), "{second}");
    let call = json!({"path": "a", "offset": 2_000});
    let (failed, _) = bench.answered("read", &call, &text("error"), true);
    assert!(!failed.contains("All pages as one"), "{failed}");
}

#[test]
fn lists_that_have_the_same_page_are_two_lists() {
    let bench = Bench::new();
    let (_, id) = bench.call("orders", &json!({"page": 1}), &orders(0, 100, 300));
    bench.call("orders", &json!({"page": 2}), &orders(100, 200, 300));
    bench.call("others", &json!({"page": 1}), &orders(0, 100, 300));
    let (shown, _) = bench.call("others", &json!({"page": 3}), &orders(200, 300, 300));
    assert!(shown.contains(&format!("All pages as one: id \"{id}++\"")), "{shown}");
    let ask = |id: String| {
        bench.ask(&json!({"id": id, "mode": "query", "query": ".id", "reduce": "max"}))
    };
    let (one, other) = (ask(format!("{id}+")), ask(format!("{id}++")));
    assert!(one.contains("2 pages as one: 200 rows") && content(&one) == "199", "{one}");
    assert!(other.contains("page 2 is not stored") && content(&other) == "299", "{other}");
}

#[test]
fn a_total_that_is_false_is_named_as_such_and_none_is_guessed() {
    let bench = Bench::new();
    let page = |from, to| orders(from, to, 100);
    let (_, id) = bench.call("orders", &json!({"offset": 0}), &page(0, 100));
    bench.call("orders", &json!({"offset": 100}), &page(100, 200));
    let ask = json!({"id": format!("{id}+"), "mode": "query", "query": ".id", "reduce": "count"});
    let answer = bench.ask(&ask);
    assert!(
        answer.contains("the server's \"total\" says 100, which is fewer than there are"),
        "{answer}"
    );
    let bare = |from: u64, to: u64| {
        let page: Value = serde_json::from_str(&orders(from, to, 0)).unwrap();
        page["items"].to_string()
    };
    let (_, id) = bench.call("bare", &json!({"cursor": null}), &bare(0, 100));
    bench.call("bare", &json!({"cursor": "x"}), &bare(100, 200));
    let answer = bench
        .ask(&json!({"id": format!("{id}+"), "mode": "query", "query": ".id", "reduce": "count"}));
    assert!(
        answer.contains("2 pages as one: 200 rows; no page says that there are more, and none how many there are"),
        "{answer}"
    );
}

#[test]
fn a_result_whose_rows_belong_to_those_of_another_says_how() {
    let customers: Vec<Value> = (0..700)
        .map(|n| json!({"id": 5_000 + n, "name": format!("name {n}"), "total": n}))
        .collect();
    let customers = Value::from(customers).to_string();
    let orders: Vec<Value> = (0..600)
        .map(|n| json!({"id": n, "customer_id": 5_000 + n * 7 % 300, "total": n % 7}))
        .collect();
    let orders = Value::from(orders).to_string();
    let suggested = |shown: &str| {
        let line = shown.lines().find(|line| line.contains("as $of"));
        line.map(|line| serde_json::from_str::<Value>(line).unwrap())
    };
    for (first, second, said, row) in [
        (
            ("list_customers", &customers),
            ("list_orders", &orders),
            "Its customer_id is id of ",
            r#"{"a":{"customer_id":5000,"id":0,"total":0},"b":{"id":5000,"name":"name 0","total":0}}"#,
        ),
        (
            ("list_orders", &orders),
            ("list_customers", &customers),
            "Its id is customer_id of ",
            r#"{"a":{"id":5000,"name":"name 0","total":0},"b":{"customer_id":5000,"id":0,"total":0}}"#,
        ),
    ] {
        let bench = Bench::new();
        let (shown, id) = bench.call(first.0, &json!({}), first.1);
        assert_eq!(suggested(&shown), None, "{shown}");
        let (shown, _) = bench.call(second.0, &json!({}), second.1);
        assert!(shown.contains(&format!("{said}{id} (tool=\"{}\")", first.0)), "{shown}");
        let answer = bench.ask(&suggested(&shown).unwrap());
        assert!(content(&answer).starts_with(row), "{answer}");
        assert!(shown.chars().count() <= bench.settings.transform.handle_max_chars as usize);
        // Rows of the same name whose values are others, and the same bytes once more.
        let others = second.1.replace("500", "800");
        for text in [&others, second.1] {
            let other = Bench::new();
            other.call(second.0, &json!({}), text);
            let (shown, _) = other.call(second.0, &json!({"again": 1}), second.1);
            assert_eq!(suggested(&shown), None, "{shown}");
        }
    }
    // Of pages all are asked.
    let bench = Bench::new();
    bench.call("list_customers", &json!({}), &customers);
    let mut rows: Vec<Value> = serde_json::from_str(&orders).unwrap();
    rows.iter_mut().for_each(|row| row["note"] = "of the order ".repeat(4).into());
    bench.call("list_orders", &json!({"page": 1}), &Value::from(&rows[..300]).to_string());
    let (shown, id) =
        bench.call("list_orders", &json!({"page": 2}), &Value::from(&rows[300..]).to_string());
    let mut ask = suggested(&shown).expect("a join");
    assert!(!ask["id"].as_str().unwrap().starts_with(&id), "{ask}");
    let fields = ask.as_object_mut().unwrap();
    fields.remove("limit");
    fields.insert("reduce".to_owned(), "count".into());
    assert_eq!(content(&bench.ask(&ask)), "600", "{ask}");
}

#[test]
fn results_are_joined_by_the_names_that_their_place_gives_them() {
    let bench = Bench::new();
    let (_, orders) = bench.call("orders", &json!({}), &orders(0, 100, 100));
    let customers: Vec<Value> =
        (0..700).map(|n| json!({"id": n, "name": format!("name {n}")})).collect();
    let customers = bench.call("customers", &json!({}), &Value::from(customers).to_string()).1;
    let id = format!("{orders},{customers}");
    let each =
        "select(.id < 3) | . as $o | $b[] | select(.id == $o.customer) | {order: $o.id, name}";
    let all =
        "($b | INDEX(.id)) as $of | $a[:3][] | {order: .id, name: $of[.customer | tostring].name}";
    for query in [each, all] {
        let answer = bench.ask(&json!({"id": id, "mode": "query", "query": query}));
        assert_eq!(
            content(&answer),
            "{\"order\":0,\"name\":\"name 0\"}\n{\"order\":1,\"name\":\"name 1\"}\n{\"order\":2,\"name\":\"name 2\"}",
            "{answer}"
        );
    }
    // Of these the texts are shown, and the rows asked.
    let long = |n: u64| json!({"id": n, "about": format!("words of {n}\n").repeat(400)});
    let texts = Value::from((0..7).map(long).collect::<Vec<_>>()).to_string();
    let (shown, about) = bench.call("about", &json!({}), &texts);
    assert!(shown.contains("type=text"), "{shown}");
    let query = "($b | INDEX(.id)) as $of | $a[3] | $of[.customer | tostring].about[:11]";
    let answer =
        bench.ask(&json!({"id": format!("{orders},{about}"), "mode": "query", "query": query}));
    assert_eq!(content(&answer), "\"words of 3\\n\"", "{answer}");
    // A list of ids is the same; a program's own variable is its own.
    let answer = bench.ask(&json!({"id": [orders, customers], "mode": "query", "query": "1 as $a | $a", "reduce": "count"}));
    assert_eq!(content(&answer), "800", "{answer}");
    assert!(
        answer.contains(&format!("100 rows of {orders}; then 700 rows of {customers}")),
        "{answer}"
    );
}

#[test]
fn texts_are_read_one_after_the_other() {
    let bench = Bench::new();
    let text = |from: u64| {
        (from..from + 1_000).map(|n| format!("line {n} of the file\n")).collect::<String>()
    };
    let call = |start: u64| json!({"path": "a.txt", "start_line": start, "end_line": start + 999});
    let (_, id) = bench.call("read", &call(1), &text(1));
    let (second, _) = bench.call("read", &call(1_001), &text(1_001));
    assert!(second.contains(&format!("All pages as one: id \"{id}+\"")), "{second}");
    let id = format!("{id}+");
    let answer = bench.ask(&json!({"id": id, "pattern": "line 177[0-9] "}));
    assert!(
        answer.contains("10 matches in 10 lines") && answer.contains("1770:1: line 1770 of"),
        "{answer}"
    );
    let answer = bench.ask(&json!({"id": id, "mode": "range", "start": 1000, "count": 2}));
    assert_eq!(
        content(&answer).trim_end(),
        "line 1000 of the file\nline 1001 of the file",
        "{answer}"
    );
    let answer = bench.ask(&json!({"id": id, "mode": "stat"}));
    assert!(answer.contains("lines: 2000"), "{answer}");
}

#[test]
fn what_is_too_much_or_not_there_is_said() {
    let bench = Bench::new();
    let (_, id) = bench.call("orders", &json!({}), &orders(0, 100, 100));
    let answer =
        bench.ask(&json!({"id": format!("{id},000000000000"), "mode": "query", "query": "."}));
    assert!(answer.contains("is not found"), "{answer}");
    let many = vec![id.clone(); 9].join(",");
    let answer = bench.ask(&json!({"id": many, "mode": "query", "query": "."}));
    assert!(answer.contains("9 ids are given, and at most 8"), "{answer}");
    let (_, large) = bench.call("large", &json!({}), &orders(0, 5_000, 5_000));
    let answer = bench.ask(&json!({"id": vec![large; 8], "mode": "query", "query": "."}));
    assert!(answer.contains("together they have more than 8 MB"), "{answer}");
}
