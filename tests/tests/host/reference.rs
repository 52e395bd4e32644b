//! What the reference implementation's own tests hold, held here against the component in wasmtime.
//! Wording is free; what is meant is not.
//!
//! Its tests of outlines, ranked search, arguments by reference and the tools that a model is shown are
//! held where those are tested; `toolaria.md`, beside this file, says for each of its behaviours where, or why
//! ours differs.

use serde_json::{Value, json};
use weir_host::contract::{Handle, Unit, View};
use weir_host::{Class, Error, Limits, Weir};
use weir_tests::disk::{age_all, blob, hours};
use weir_tests::reading::{
    ask, ask_as, content, from_the_start, grep, grep_all, literal, next, query, reason, refused,
    told, whole,
};
use weir_tests::{SESSION, Sandbox, engine, replace, shown, store, text_result};

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n} of a result that is long enough\n")).collect()
}

/// A text that is stored and has these lines somewhere in it.
fn around(lines: &str) -> String {
    format!("{}{lines}\n{}", numbered(400), numbered(100))
}

fn why(weir: &Weir, result: &weir_host::contract::FinishedResult) -> String {
    match weir.transform(result) {
        Ok(transformed) if !transformed.replaced => transformed.reason,
        other => panic!("replaced: {other:?}"),
    }
}

fn gone(weir: &Weir, handle: &Handle) -> weir_host::contract::Tombstone {
    let failure = reason(weir.stat(SESSION, &handle.id));
    failure.gone.clone().unwrap_or_else(|| panic!("not gone: {failure:?}"))
}

fn sweep(weir: &Weir) -> weir_host::contract::SweepProgress {
    weir.sweep(|_| ()).expect("the store can be swept")
}

// --- the transform

#[test]
fn a_large_json_result_becomes_a_short_text_that_says_it_is_not_all() {
    let sandbox = Sandbox::new();
    let rows: Vec<Value> = (0..2_000)
        .map(|n| {
            json!({"id": n, "user": format!("user{}", n % 17), "status": "ok", "amount": n * 3,
                "note": "x".repeat(60), "at": "2026-06-24T10:00:00Z"})
        })
        .collect();
    let text = Value::from(rows).to_string();
    assert!(text.len() > 250_000);
    let replacement = replace(&sandbox.weir(), &text_result(&text));
    let shown = shown(&replacement);
    assert!(shown.chars().count() <= 6_000);
    assert!(shown.contains("NOT the full output"), "{shown}");
    let [handle] = &replacement.handles[..] else { panic!("{replacement:?}") };
    assert_eq!((handle.id.len(), &*handle.kind), (12, "json"));
    assert!(shown.contains(&handle.id));
    assert_eq!(replacement.chars_before, text.len() as u64);
    assert_eq!(replacement.chars_after, shown.chars().count() as u64);
}

#[test]
fn the_text_in_a_results_place_names_tool_size_lines_type_and_id() {
    let sandbox = Sandbox::new();
    let replacement = replace(&sandbox.weir(), &text_result(numbered(500)));
    let text = shown(&replacement);
    let head = text.lines().next().expect("it has a first line");
    let [handle] = &replacement.handles[..] else { panic!("{replacement:?}") };
    assert!(head.starts_with("[weir: ") && head.ends_with(']'), "{head}");
    for part in ["\"read\"", "500 lines", "text", &handle.id] {
        assert!(head.contains(part), "{part} is not in {head}");
    }
    let digits: String = head.chars().filter(|c| *c != ',').collect();
    assert!(digits.contains(&handle.chars.to_string()), "{head}");
    assert_eq!((handle.lines, handle.tool.as_str()), (500, "read"));
    assert_eq!(handle.uri, format!("weir://blob/{}", handle.id));
    assert!(handle.digest.starts_with(&handle.id) && handle.digest.len() == 64);
}

#[test]
fn a_small_or_empty_result_passes_and_the_limit_itself_is_small() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    for text in ["", "a short answer", &"x".repeat(12_000), &"🙂".repeat(12_000)] {
        assert_eq!(why(&weir, &text_result(text)), "small");
    }
    let mut nothing = text_result("");
    nothing.parts.clear();
    assert_eq!(why(&weir, &nothing), "small");
    replace(&weir, &text_result("x".repeat(12_001)));
    assert_eq!(weir.list_blobs(SESSION, 10, None).expect("it can be listed").total, 1);
}

#[test]
fn a_result_that_cannot_be_stored_is_not_lost_and_no_handle_is_shown() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    // A directory where the version should be: nothing can be opened.
    std::fs::create_dir_all(sandbox.store().join("version/x")).expect("it can be made");
    let outcome = weir.transform(&text_result(numbered(1_000))).expect("a full store is no error");
    let unchanged = outcome;
    assert_eq!(unchanged.reason, "not-stored");
    assert!(unchanged.store_failure.is_some_and(|why| !why.is_empty()));

    // Above the fallback it would flood: head and tail, and that the rest was not kept.
    let text = numbered(3_000);
    let replacement = replace(&weir, &text_result(&text));
    let shown = shown(&replacement);
    assert!(replacement.handles.is_empty() && replacement.store_failure.is_some());
    assert!(shown.chars().count() <= 6_000);
    assert!(shown.contains("line 1 of") && shown.contains("line 3000 of"), "{shown}");
    assert!(shown.contains("NOT the full output") && !shown.contains("\"id\""), "{shown}");
}

#[test]
fn a_put_that_fails_is_reported_and_the_result_passes() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    store(&weir, numbered(600));
    // A file where the blob's directory should be.
    std::fs::remove_dir_all(sandbox.store().join("blobs")).expect("it can be removed");
    std::fs::write(sandbox.store().join("blobs"), "").expect("a file can be written");
    let outcome = weir.transform(&text_result(numbered(700))).expect("a failed put is no error");
    let unchanged = outcome;
    assert_eq!(unchanged.reason, "not-stored");
    assert!(unchanged.store_failure.is_some());
    let uses = weir.status().expect("there is a status").uses;
    let put = uses.iter().find(|used| used.what == "put").expect("puts are counted");
    assert_eq!((put.count, put.refused), (2, 1));
}

#[test]
fn the_reading_tools_own_answers_and_excluded_tools_are_never_touched() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir_with(|values| {
        values.set("transform.exclude", json!(["session_search", "skill_*"]));
        values.set("transform.rules", json!([{"tool": "delegate_task", "action": "never"}]));
    });
    for tool in
        ["weir_fetch", "mcp__weir__weir_fetch", "session_search", "skill_view", "delegate_task"]
    {
        let mut result = text_result(numbered(2_000));
        result.origin.tool = tool.into();
        assert_eq!(why(&weir, &result), "excluded", "{tool}");
    }
    assert_eq!(weir.list_blobs(SESSION, 10, None).expect("it can be listed").total, 0);
}

#[test]
fn the_same_content_gets_the_same_id_and_is_stored_once() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let first = store(&weir, numbered(500));
    let used = weir.status().expect("there is a status").used_bytes;
    let second = store(&weir, numbered(500));
    assert_eq!((first.id, first.digest), (second.id, second.digest));
    assert_eq!(weir.status().expect("there is a status").used_bytes, used);
    assert_eq!(weir.list_blobs(SESSION, 10, None).expect("it can be listed").total, 1);
}

// --- excerpts

fn json_items(count: usize) -> String {
    let items: Vec<Value> = (0..count)
        .map(|n| json!({"name": format!("item-{n:04}"), "pad": "p".repeat(120)}))
        .collect();
    Value::from(items).to_string()
}

#[test]
fn a_json_array_shows_its_first_and_last_items_and_how_many_there_are() {
    let sandbox = Sandbox::new();
    let shown = shown(&replace(&sandbox.weir(), &text_result(json_items(300))));
    for item in [0, 1, 2, 3, 4, 298, 299] {
        assert!(shown.contains(&format!("item-{item:04}")), "{item}: {shown}");
    }
    assert!(!shown.contains("item-0100"), "{shown}");
    assert!(shown.contains("300") && shown.contains("293 more"), "{shown}");
}

#[test]
fn a_json_array_of_few_items_has_no_tail_to_show_apart() {
    let sandbox = Sandbox::new();
    let items: Vec<Value> =
        (0..6).map(|n| json!({"name": format!("item-{n}"), "pad": "p".repeat(3_000)})).collect();
    let shown = shown(&replace(&sandbox.weir(), &text_result(Value::from(items).to_string())));
    for item in 0..6 {
        assert_eq!(shown.matches(&format!("item-{item}")).count(), 1, "{item}: {shown}");
    }
}

#[test]
fn the_words_that_make_a_line_worth_showing_can_be_changed() {
    let sandbox = Sandbox::new();
    // So many of them that none is unusual.
    let lines: Vec<String> =
        (401..=450).map(|n| format!("here {n} it says zebra in the middle")).collect();
    let text = around(&lines.join("\n"));
    let default = shown(&replace(&sandbox.weir(), &text_result(&text)));
    assert!(!default.contains("zebra"), "{default}");
    let weir = sandbox.weir_with(|values| values.set("transform.anchor_words", json!(["zebra"])));
    let changed = shown(&replace(&weir, &text_result(&text)));
    assert!(changed.contains("401: here 401 it says zebra"), "{changed}");
}

#[test]
fn how_long_a_replacement_may_be_can_be_changed() {
    let sandbox = Sandbox::new();
    for most in [600, 1_000, 3_000, 20_000] {
        let weir = sandbox.weir_with(|values| {
            values.set("transform.handle_max_chars", most);
            values.set("transform.head_lines", 400);
            values.set("transform.tail_lines", 100);
        });
        let shown = shown(&replace(&weir, &text_result(numbered(5_000))));
        let chars = shown.chars().count();
        assert!(chars <= most as usize, "{chars} > {most}");
        assert!(most > 1_000 || chars > 300, "{shown}");
        assert!(most < 3_000 || chars > most as usize / 2, "{chars} of {most}: {shown}");
    }
}

#[test]
fn what_a_content_is_is_recognized() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let html = format!(
        "<!DOCTYPE html>\n<html><head><title>T</title></head><body>\n{}</body></html>",
        (1..400)
            .map(|n| format!("<h2>Part {n}</h2>\n<p>text of the part</p>\n"))
            .collect::<String>()
    );
    let rust = (1..600).map(|n| format!("fn f{n}(x: u32) -> u32 {{\n    x + {n}\n}}\n\n"));
    let rust = format!("use std::fmt;\n\n{}", rust.collect::<String>());
    let ndjson: String = (1..900).map(|n| json!({"n": n, "s": "x"}).to_string() + "\n").collect();
    let csv: String = (1..2_000).map(|n| format!("{n},user{n},{}\n", n * 7)).collect();
    for (text, kind) in [
        (json_items(200), "json"),
        (format!("\u{feff}{}", json_items(200)), "json"),
        (html, "html"),
        (rust, "code"),
        (ndjson, "ndjson"),
        (format!("id,name,amount\n{csv}"), "csv"),
        (format!("id,name,amount\n{csv}").replace(',', "\t"), "tsv"),
        (numbered(500), "text"),
        (" \n".repeat(10_000), "text"),
    ] {
        let handle = store(&weir, text.as_str());
        assert_eq!(handle.kind, kind, "{}", &text[..80]);
    }
}

#[test]
fn bytes_that_are_no_text_are_recognized_as_binary() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let bytes: Vec<u8> =
        (0..60_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let outcome = weir
        .transform_reader(&weir_tests::origin("read"), &bytes[..], false)
        .expect("bytes can be taken");
    let replacement = outcome;
    assert!(replacement.replaced);
    let [handle] = &replacement.handles[..] else { panic!("{replacement:?}") };
    assert_eq!((&*handle.kind, handle.bytes), ("binary", 60_000));
    assert_eq!(whole(&weir, &handle.id, View::Raw, Unit::Bytes), bytes);
}

#[test]
fn an_excerpt_of_html_keeps_its_structure_in_sight() {
    let sandbox = Sandbox::new();
    let sections: String = (1..300)
        .map(|n| format!("<h2>Section {n}</h2>\n<p>{}</p>\n", "words of the page ".repeat(6)))
        .collect();
    let html = format!(
        "<!DOCTYPE html>\n<html><head><title>The page</title></head>\n<body>\n<h1>Top</h1>\n{sections}</body></html>"
    );
    let shown = shown(&replace(&sandbox.weir(), &text_result(html)));
    for part in ["The page", "Top", "Section 1", "Section 299"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

// --- range

#[test]
fn a_range_says_where_it_lies() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let text: String = (1..=100).map(|n| format!("line {n} {}\n", "x".repeat(200))).collect();
    let handle = store(&weir, text);
    let answer = told(&weir, &json!({"id": handle.id, "mode": "range", "start": 10, "count": 5}));
    let head = answer.lines().next().expect("it has a first line");
    assert!(head.contains("lines 10-14 of 100"), "{head}");
    assert_eq!(content(&answer).lines().count(), 5);
    assert!(content(&answer).starts_with("line 10 "));
    let next = next(&answer).expect("there is more");
    assert_eq!((&next["start"], &next["count"]), (&json!(15), &json!(5)));
    let page = weir
        .read(SESSION, &handle.id, View::Text, Unit::Lines, 10, Some(5), None)
        .expect("it can be read");
    assert_eq!((page.start, page.end, page.total), (10, 15, 100));
    assert_eq!(page.content, content(&answer));
}

#[test]
fn a_range_past_the_end_shows_the_end_and_says_so() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    let answer =
        told(&weir, &json!({"id": handle.id, "mode": "range", "start": 9_999, "count": 3}));
    let head = answer.lines().next().expect("it has a first line");
    assert!(head.contains("past the end") && head.contains("500"), "{head}");
    assert_eq!(
        content(&answer).lines().next_back(),
        Some("line 500 of a result that is long enough")
    );
    let refused = weir.read(SESSION, &handle.id, View::Text, Unit::Lines, 9_999, Some(3), None);
    let failure = reason(refused);
    assert_eq!((&*failure.code, failure.total), ("out-of-range", Some(500)));
    // A count of nothing is taken as one.
    let answer = told(&weir, &json!({"id": handle.id, "mode": "range", "start": 7, "count": 0}));
    assert_eq!(content(&answer), "line 7 of a result that is long enough\n");
}

// --- grep

#[test]
fn grep_gives_matches_with_their_line_numbers() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500).replace("line 42 of", "line 42 needle of"));
    let answer = told(&weir, &json!({"id": handle.id, "mode": "grep", "pattern": "needle"}));
    let first = content(&answer).lines().next().expect("there is a match");
    assert!(first.starts_with("42:") && first.contains("line 42 needle"), "{answer}");
    let page = grep(&weir, &handle.id, &query("needle"));
    assert!(page.complete);
    assert_eq!((page.matches, page.lines[0].line, page.lines[0].column), (1, 42, Some(9)));
}

#[test]
fn grep_takes_the_signs_of_json_mail_and_prose() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let lines = "  \"status\": \"failed\",\nwrite to jane.doe@example.com today\nhello big world";
    let handle = store(&weir, around(lines));
    for (pattern, line) in
        [("\"status\": \"failed\"", 401), ("jane.doe@example.com", 402), ("hello big world", 403)]
    {
        for is_literal in [false, true] {
            let arguments =
                json!({"id": handle.id, "mode": "grep", "pattern": pattern, "literal": is_literal});
            let answer = told(&weir, &arguments);
            assert!(content(&answer).starts_with(&format!("{line}:")), "{pattern}: {answer}");
        }
    }
}

/// Where a slice of a grep has fuel for a tenth of a second or so: what needs more is refused.
fn quick(sandbox: &Sandbox) -> Weir {
    let limits = |class: Class, bytes| match class {
        Class::Grep => Limits { fuel: 2_000_000_000, ..class.limits(bytes) },
        _ => class.limits(bytes),
    };
    Weir::builder().limits(limits).open_with(engine(), sandbox.store()).expect("it opens")
}

#[test]
fn grep_is_not_slow_whatever_the_pattern() {
    let sandbox = Sandbox::new();
    let weir = quick(&sandbox);
    let line = "a".repeat(1_990);
    let text: String = (0..50).map(|_| format!("{line}\n")).collect();
    let handle = store(&weir, text);
    for pattern in [r"(a|a)*c", "a*a*a*a*a*a*a*a*X", r"(a+)+$b", r"(\w+\w+)+!\$"] {
        let page = grep(&weir, &handle.id, &query(pattern));
        assert!(page.complete && page.matches == 0, "{pattern}: {page:?}");
    }
    // A pattern that no line can hold is said to be that.
    let answer = refused(&weir, &json!({"id": handle.id, "mode": "grep", "pattern": "a\nb"}));
    assert!(answer.contains("control"), "{answer}");
    let error = reason(weir.grep(SESSION, &handle.id, View::Text, &query("a\u{0}b"), None));
    assert!(matches!(error, f if f.code == "invalid" && f.argument.as_deref() == Some("pattern")));
}

#[test]
fn grep_of_one_very_long_line_is_quick_and_finds_what_is_in_its_middle() {
    let sandbox = Sandbox::new();
    let weir = quick(&sandbox);
    let text =
        format!("{}MIDMARK{}", "filler words ".repeat(40_000), "filler words ".repeat(40_000));
    let handle = store(&weir, text);
    let page = grep(&weir, &handle.id, &query("MID[A-Z]+K"));
    let [hit] = &page.lines[..] else { panic!("{page:?}") };
    assert_eq!((hit.line, hit.byte, hit.column), (1, 520_000, Some(520_001)));
    assert!(hit.text.contains("MIDMARK"), "{hit:?}");
    assert!(hit.cut_before > 0 && hit.cut_after > 0);
}

// --- full

#[test]
fn a_full_read_gives_all_when_it_is_within_its_limit() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let text = numbered(500);
    assert!(text.len() > 12_000 && text.len() < 50_000);
    let handle = store(&weir, text.as_str());
    let answer = told(&weir, &json!({"id": handle.id, "mode": "full"}));
    assert_eq!(content(&answer), text);
    let page = weir.read_all(SESSION, &handle.id, View::Text, None).expect("it is short enough");
    assert!(page.content == text && page.more.is_none());
}

#[test]
fn a_full_read_over_its_limit_is_refused_with_what_to_do_instead() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, "x".repeat(60_000));
    let answer = refused(&weir, &json!({"id": handle.id, "mode": "full"}));
    assert!(
        ["grep", "range", "60000", "50000"].iter().all(|part| answer.contains(part)),
        "{answer}"
    );
    let error = reason(weir.read_all(SESSION, &handle.id, View::Text, None));
    assert_eq!((&*error.code, error.total), ("too-large", Some(60_000)));
}

#[test]
fn a_full_read_need_not_be_refused() {
    let sandbox = Sandbox::new();
    let text = numbered(1_500);
    let handle = store(&sandbox.weir(), text.as_str());
    // What fits, and a cursor.
    let weir = sandbox.weir_with(|values| values.set("fetch.refuse_full", false));
    let answer = told(&weir, &json!({"id": handle.id, "mode": "full"}));
    assert!(text.starts_with(content(&answer)) && content(&answer).len() > 40_000);
    let rest = next(&answer).expect("there is more");
    let rest = weir_tests::reading::whole_as_told(&weir, &rest);
    assert_eq!([content(&answer).as_bytes(), &rest].concat(), text.as_bytes());
    // Or all, with a limit that is large enough.
    let weir = sandbox.weir_with(|values| values.set("fetch.full_max_chars", 1_000_000));
    assert_eq!(content(&told(&weir, &json!({"id": handle.id, "mode": "full"}))), text);
}

// --- sessions

#[test]
fn stat_tells_a_session_of_what_it_stored() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    let answer = told(&weir, &json!({"id": handle.id, "mode": "stat"}));
    for part in ["read", "500", &handle.bytes.to_string(), SESSION, &handle.digest, "stored"] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
    let stat = weir.stat(SESSION, &handle.id).expect("it is there");
    // Two facts are known only when it is stored.
    assert_eq!(stat.handle, Handle { shown_chars: None, is_repeat: None, ..handle });
    assert!(stat.stored_at.is_some_and(|at| at > 1_700_000_000) && !stat.pinned);
    assert!(stat.expires_at.is_some_and(|at| at >= stat.used_at + 72 * 3_600 - 1));
}

#[test]
fn another_sessions_results_cannot_be_read() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    for mode in ["stat", "range", "head", "tail", "full", "grep"] {
        let arguments = json!({"id": handle.id, "mode": mode, "pattern": "line"}).to_string();
        let answer = ask_as(&weir, "another", &arguments);
        assert!(answer.is_error && answer.text.contains("is not found"), "{}", answer.text);
        assert!(!answer.text.contains("long enough"), "{}", answer.text);
        // Nor is it told that another session has it.
        let arguments = arguments.replace(&handle.id, "0123456789ab");
        let nobodys = ask_as(&weir, "another", &arguments).text;
        assert_eq!(answer.text.replace(&handle.id, "0123456789ab"), nobodys);
    }
    assert_eq!(reason(weir.stat("another", &handle.id)).code, "unknown");
    assert_eq!(weir.list_blobs("another", 10, None).expect("it can be listed").total, 0);
    // It may have stored the same itself.
    let mut result = text_result(numbered(500));
    result.origin.session = "another".into();
    replace(&weir, &result);
    assert!(weir.stat("another", &handle.id).is_ok());
}

#[test]
fn without_a_session_nothing_is_read_unless_that_is_asked_for() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    let arguments = json!({"id": handle.id, "mode": "stat"}).to_string();
    assert!(ask_as(&weir, "", &arguments).is_error);
    let legacy = sandbox.weir_with(|values| values.set("fetch.legacy_global", true));
    let answer = ask_as(&legacy, "", &arguments);
    assert!(!answer.is_error && answer.text.contains("\"read\""), "{}", answer.text);
    let page = legacy.read("", &handle.id, View::Text, Unit::Lines, 1, Some(1), None);
    assert_eq!(page.expect("it can be read").content, "line 1 of a result that is long enough\n");
    // A session that says who it is still sees only what is its own.
    assert_eq!(reason(legacy.stat("another", &handle.id)).code, "unknown");
}

#[test]
fn a_sessions_name_never_becomes_a_path() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    for name in ["../../evil", "/etc/passwd", "a\0b", "..", "日本語", &"x".repeat(512)] {
        let mut result = text_result(numbered(500));
        result.origin.session = name.into();
        let handle = replace(&weir, &result).handles.remove(0);
        assert!(weir.stat(name, &handle.id).is_ok(), "{name}");
    }
    for entry in std::fs::read_dir(sandbox.store().join("refs")).expect("there are sessions") {
        let name = entry.expect("it can be listed").file_name();
        let name = name.to_str().expect("it is plain text");
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_".contains(&b)), "{name}");
    }
    assert_eq!(std::fs::read_dir(sandbox.path()).expect("it can be listed").count(), 1);
    for name in ["", &"x".repeat(513)] {
        let mut result = text_result(numbered(500));
        result.origin.session = name.into();
        assert!(matches!(weir.transform(&result), Err(Error::Refused(_))), "{name}");
    }
}

// --- what cannot be answered

#[test]
fn an_id_of_nothing_is_told_apart_from_one_that_is_none() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let answer = refused(&weir, &json!({"id": "000000000000", "mode": "stat"}));
    assert!(answer.contains("000000000000 is not found"), "{answer}");
    assert_eq!(reason(weir.stat(SESSION, "000000000000")).code, "unknown");
}

#[test]
fn an_id_that_is_none_is_refused() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    for id in [
        "../../../etc/passwd",
        "..",
        "/",
        "",
        "abc",
        "ABCDEFG12345",
        &handle.id.replace(char::is_numeric, "g"),
        "12345678901\0",
        "１２３４５６７８９０１２",
        &"a".repeat(65),
    ] {
        let answer = refused(&weir, &json!({"id": id, "mode": "range"}));
        assert!(id.is_empty() || answer.contains("invalid id"), "{id:?}: {answer}");
        assert_eq!(reason(weir.stat(SESSION, id)).code, "malformed-id", "{id:?}");
    }
    weir.stat(SESSION, &handle.id.to_uppercase()).expect("upper case is the same id");
}

#[test]
fn a_mode_that_there_is_not_is_answered_with_those_that_there_are() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let answer = refused(&weir, &json!({"id": "5f1e0c9a77d2", "mode": "teleport"}));
    let modes = ["teleport", "stat", "range", "head", "tail", "grep", "full", "list"];
    assert!(modes.iter().all(|mode| answer.contains(mode)), "{answer}");
    let answer = weir.invoke(SESSION, "no_such_tool", "{}").expect("it is answered");
    assert!(answer.is_error && answer.text.contains("weir_fetch"), "{}", answer.text);
}

// --- what goes, and what is said then

#[test]
fn what_nobody_used_for_its_time_is_swept_and_leaves_a_tombstone() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    age_all(&sandbox.store(), hours(71));
    assert_eq!(sweep(&weir).expired, 0);
    age_all(&sandbox.store(), hours(73));
    let swept = sweep(&weir);
    assert_eq!((swept.expired, swept.removed_blobs), (1, 1));
    assert!(!blob(&sandbox.store(), &handle.digest).exists());
    let tombstone = gone(&weir, &handle);
    assert_eq!((&*tombstone.reason, tombstone.tool.as_str()), ("expired", "read"));
    assert_eq!(tombstone.bytes, Some(handle.bytes));
    assert_eq!(weir.status().expect("there is a status").used_bytes, 0);
}

#[test]
fn a_tombstone_names_the_tool_and_says_to_run_it_again() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let mut result = text_result(numbered(500));
    result.origin.tool = "web_extract".into();
    result.origin.arguments = Some(r#"{"url": "https://example.com/page"}"#.into());
    let handle = replace(&weir, &result).handles.remove(0);
    age_all(&sandbox.store(), hours(100));
    sweep(&weir);
    for mode in ["stat", "range", "head", "tail", "full", "grep"] {
        let answer = refused(&weir, &json!({"id": handle.id, "mode": mode, "pattern": "x"}));
        for part in ["web_extract", "again", "gone", "https://example.com/page"] {
            assert!(answer.contains(part), "{part}: {answer}");
        }
        assert!(answer.contains(&handle.bytes.to_string()), "{answer}");
    }
    // Storing the same again brings the same id back to life.
    assert_eq!(replace(&weir, &result).handles[0].id, handle.id);
    assert!(weir.stat(SESSION, &handle.id).is_ok());
}

#[test]
fn a_tombstone_is_for_its_own_session_and_not_for_ever() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    age_all(&sandbox.store(), hours(100));
    sweep(&weir);
    gone(&weir, &handle);
    assert_eq!(reason(weir.stat("another", &handle.id)).code, "unknown");
    age_all(&sandbox.store(), hours(721));
    let swept = sweep(&weir);
    assert_eq!((swept.dropped_tombstones, swept.dropped_sessions), (1, 1));
    assert_eq!(reason(weir.stat(SESSION, &handle.id)).code, "unknown");
}

#[test]
fn a_blob_stays_while_any_session_has_it() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    age_all(&sandbox.store(), hours(100));
    let mut result = text_result(numbered(500));
    result.origin.session = "another".into();
    replace(&weir, &result);
    let swept = sweep(&weir);
    assert_eq!((swept.expired, swept.removed_blobs), (1, 0));
    gone(&weir, &handle);
    let page = weir.read_all("another", &handle.id, View::Text, None).expect("it is still there");
    assert_eq!(page.content, numbered(500));
}

#[test]
fn reading_a_result_keeps_it() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let [read, left] = [500, 600].map(|lines| store(&weir, numbered(lines)));
    age_all(&sandbox.store(), hours(71));
    told(&weir, &from_the_start(&read.id));
    let swept_before = sweep(&weir);
    assert_eq!(swept_before.expired, 0);
    // Two hours more for whatever was not used meanwhile.
    let unread = weir_tests::disk::reference(&sandbox.store(), &left.id);
    weir_tests::disk::age(&unread, hours(73));
    weir_tests::disk::age(&blob(&sandbox.store(), &left.digest), hours(73));
    assert_eq!(sweep(&weir).expired, 1);
    assert!(weir.stat(SESSION, &read.id).is_ok());
    gone(&weir, &left);
}

#[test]
fn what_was_derived_from_a_result_goes_with_it() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let envelope = json!({"result": numbered(800), "exit_code": 0}).to_string();
    let handle = store(&weir, envelope.as_str());
    assert_eq!(handle.envelope.as_deref(), Some("/result"));
    assert_eq!(weir_tests::disk::files(&sandbox.store().join("blobs")).len(), 2);
    // It takes room, and that is counted.
    let used = weir.status().expect("there is a status").used_bytes;
    assert!(used >= 2 * numbered(800).len() as u64, "{used}");
    age_all(&sandbox.store(), hours(100));
    assert_eq!(sweep(&weir).removed_blobs, 2);
    assert!(weir_tests::disk::files(&sandbox.store().join("blobs")).is_empty());
    assert_eq!(weir.status().expect("there is a status").used_bytes, 0);
}

#[test]
fn what_makes_room_for_others_leaves_a_tombstone_too() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir_with(|values| {
        values.set("store.max_bytes", 256 * 1024);
        values.set("store.grace", 0);
    });
    let handles: Vec<Handle> = (0..12)
        .map(|n| {
            let handle = store(&weir, format!("{n}\n{}", numbered(1_000)));
            age_all(&sandbox.store(), hours(1));
            handle
        })
        .collect();
    let status = weir.status().expect("there is a status");
    assert!(status.used_bytes <= 256 * 1024, "{}", status.used_bytes);
    assert_eq!(gone(&weir, &handles[0]).reason, "evicted");
    let answer = refused(&weir, &json!({"id": handles[0].id, "mode": "stat"}));
    assert!(answer.contains("evicted") && !answer.contains("expired"), "{answer}");
    assert!(weir.stat(SESSION, &handles[11].id).is_ok());
}

// --- what a host shows and asks

#[test]
fn the_reading_tool_is_defined_for_models() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let tools = weir.result_tools().expect("it is defined");
    let tool = tools.iter().find(|tool| tool.name == "weir_fetch").expect("it is there");
    let schema: Value = serde_json::from_str(&tool.input_schema).expect("its schema is JSON");
    assert_eq!(schema["type"], "object");
    for argument in ["id", "mode", "pattern"] {
        assert_eq!(schema["properties"][argument]["type"], "string", "{argument}");
    }
    let help = told(&weir, &json!({"mode": "help"}));
    for argument in ["start", "count", "reduce", "context"] {
        assert!(help.contains(argument), "{help}");
    }
    // What reads a result needs its id, so a call without one is told what is missing.
    let answer = refused(&weir, &json!({"mode": "head"}));
    assert!(answer.contains("\"id\""), "{answer}");
    assert_eq!(tools, weir.result_tools().expect("they are constant"));
}

#[test]
fn status_counts_results_bytes_sessions_and_what_was_saved() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let empty = weir.status().expect("there is a status");
    assert_eq!((empty.used_bytes, empty.chars_saved), (0, 0));
    let first = replace(&weir, &text_result(numbered(500)));
    let mut other = text_result(numbered(600));
    other.origin.session = "another".into();
    let second = replace(&weir, &other);
    let answer = told(&weir, &json!({"id": first.handles[0].id, "mode": "head", "count": 3}));
    ask(&weir, &json!({"id": "000000000000", "mode": "stat"}));
    let status = weir.status().expect("there is a status");
    let census = status.census.expect("a small store is counted at once");
    assert_eq!((census.handles, census.sessions, census.tombstones), (2, 2, 0));
    let bytes = first.handles[0].bytes + second.handles[0].bytes;
    assert!(status.used_bytes >= bytes && status.used_bytes <= status.max_bytes);
    let used = |what: &str| {
        let found = status.uses.iter().find(|used| used.what == what);
        found.unwrap_or_else(|| panic!("{what} is not counted: {:?}", status.uses)).clone()
    };
    assert_eq!((used("put").count, used("put").refused), (2, 0));
    assert_eq!(used("put").chars_in, first.chars_before + second.chars_before);
    assert_eq!(used("put").chars_shown, first.chars_after + second.chars_after);
    assert_eq!((used("head").count, used("stat").refused), (1, 1));
    let saved = first.chars_before + second.chars_before - first.chars_after - second.chars_after;
    let fetched = content(&answer).chars().count() as i64;
    assert!((saved as i64 - fetched - status.chars_saved).abs() < 500, "{}", status.chars_saved);
}

#[test]
fn a_search_that_finds_more_than_a_page_goes_on() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, numbered(500));
    let hits = grep_all(&weir, &handle.id, &literal("line"));
    let lines: Vec<u64> = hits.iter().map(|hit| hit.line).collect();
    assert_eq!(lines, (1..=500).collect::<Vec<_>>());
}
