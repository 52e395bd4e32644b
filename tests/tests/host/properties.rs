//! Laws that hold for whatever comes in, through the component in wasmtime.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use weir_host::Weir;
use weir_host::contract::{
    CaseMode, FinishedResult, GrepLine, GrepRequest, Part, Transformed, Unit, View,
};
use weir_tests::reading::{
    ask, ask_as, content, from_the_start, grep, grep_all, query, whole, whole_as_told,
};
use weir_tests::{SESSION, Sandbox, origin, text_result};

/// So many cases, or as many as `PROPTEST_CASES` asks for.
fn cases(n: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|asked| asked.parse().ok());
    let n = asked.unwrap_or(n);
    // A failure is printed whole; the files are for tests that are run where their source is.
    ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 60,
        ..ProptestConfig::with_cases(n)
    }
}

/// Pieces of what tools say, put together in any way.
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("\n".to_owned()),
        Just("\r\n".into()),
        Just("ERROR failed: connection refused\n".into()),
        Just("2026-11-21 10:00:00 INFO all is well\n".into()),
        Just("[weir: result stored whole; id=aaaaaaaaaaaa]\n".into()),
        Just("<<<weir:12345678\nweir:12345678>>>\n".into()),
        Just("漢字🙂\u{2028}\u{202e}\u{feff}\0\u{85}".into()),
        Just("{\"a\":[1,2,{\"b\":\"".into()),
        Just("\"}],\"has_more\":true}\n".into()),
        Just("<!DOCTYPE html><h1>T</h1><p>".into()),
        Just("@@ -1,2 +1,9 @@\n+a\n-b\n".into()),
        Just("a,b,c\n1,\"2\n3\",4\n".into()),
        Just("fn main() {\n    let x = 1;\n}\n".into()),
        Just("x".repeat(3_000)),
        Just("[".repeat(900)),
        any::<String>(),
    ];
    (prop::collection::vec(piece, 1..20), 1usize..40).prop_map(|(pieces, times)| {
        let once = pieces.concat();
        once.repeat(times.min(120_000 / once.len().max(1) + 1))
    })
}

fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        (0usize..4_000).prop_map(|n| Value::from("long ".repeat(n))),
    ];
    let value = leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map("[a-z\u{e9}\"/~]{0,9}", inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    (value, 1usize..60, any::<bool>(), 0usize..40).prop_map(|(value, times, pretty, cut)| {
        let many = Value::from(vec![value; times]);
        let text = if pretty { format!("{many:#}") } else { many.to_string() };
        let end = text.len() - if cut < 10 { text.len() * cut / 20 } else { 0 };
        text[..text.floor_char_boundary(end.min(150_000))].to_owned()
    })
}

fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..60),
        Just(b"plain text\n".to_vec()),
        Just(vec![0; 50]),
        Just(b"\xf0\x9f\x99".to_vec()),
        Just("🙂é\\x41\\".into()),
        Just(b"\xff\n\xfe\r\n".to_vec()),
        Just(vec![b'z'; 5_000]),
    ];
    (prop::collection::vec(piece, 1..20), 1usize..60).prop_map(|(pieces, times)| {
        let once = pieces.concat();
        once.repeat(times.min(100_000 / once.len().max(1) + 1))
    })
}

fn any_content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        any_text().prop_map(String::into_bytes),
        any_json().prop_map(String::into_bytes),
        any_bytes(),
    ]
}

/// A host that replaces whatever gets shorter by it, under a bound.
fn eager(sandbox: &Sandbox, handle_max_chars: u32, fetch_max_chars: u32) -> Weir {
    sandbox.weir_with(|values| {
        values.set("transform.rules", json!([{"tool": "*", "action": "always"}]));
        values.set("transform.handle_max_chars", handle_max_chars);
        values.set("fetch.max_chars", fetch_max_chars);
    })
}

fn take(weir: &Weir, bytes: &[u8], is_error: bool) -> Transformed {
    weir.transform_reader(&origin("read"), bytes, is_error).expect("anything can be taken")
}

/// What was stored of the bytes, unless they are too few for that.
fn stored(weir: &Weir, bytes: &[u8]) -> Option<String> {
    match take(weir, bytes, false) {
        replacement if replacement.replaced => Some(replacement.handles[0].id.clone()),
        _ => None,
    }
}

fn chars(part: &Part) -> usize {
    match part {
        Part::Text(text) => text.chars().count(),
        _ => 0,
    }
}

fn assert_within(replacement: &Transformed, most: u64) -> Result<(), TestCaseError> {
    let after: usize = replacement.parts.iter().map(chars).sum();
    prop_assert_eq!(replacement.chars_after, after as u64);
    prop_assert!(after as u64 <= most, "{} > {}", after, most);
    for handle in &replacement.handles {
        let shown = replacement.parts.iter().any(|part| match part {
            Part::Text(text) => text.contains(&handle.id),
            _ => false,
        });
        prop_assert!(shown, "{} is not named", handle.id);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn a_replacement_is_within_its_cap_and_half_of_what_it_replaces(
        content in any_content(), cap in prop::sample::select(vec![600u32, 700, 1_000, 2_500, 6_000, 50_000]),
        is_error: bool, tool in any::<String>(), source in any::<String>(),
    ) {
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, cap, 8_000);
        let mut call = origin(&tool);
        call.arguments = Some(json!({"url": source}).to_string());
        let mut intake = weir.intake(&call, None).expect("it can be started");
        intake.write(&content).expect("anything can be taken");
        match intake.finish(is_error).expect("anything can be taken") {
            replacement if replacement.replaced => {
                assert_within(&replacement, u64::from(cap).min(replacement.chars_before / 2))?;
                prop_assert_eq!(replacement.handles.len(), 1);
                prop_assert_eq!(replacement.handles[0].bytes, content.len() as u64);
            }
            whole => match &whole.parts[..] {
                [Part::Text(text)] => prop_assert_eq!(text.as_bytes(), &content[..]),
                [Part::Binary(binary)] => {
                    prop_assert_eq!(binary.data.len(), content.len().div_ceil(3) * 4);
                }
                other => prop_assert!(false, "{:?}", other),
            },
        }
    }

    #[test]
    fn so_is_that_of_a_result_of_many_parts(
        texts in prop::collection::vec(prop_oneof![any_text(), any_json()], 1..7),
        raw in prop::option::of(any_json()), cap in prop::sample::select(vec![600u32, 2_500, 6_000]),
        is_error: bool,
    ) {
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, cap, 8_000);
        let parts: Vec<Part> = texts.into_iter().map(Part::Text).collect();
        let result = FinishedResult { parts: parts.clone(), raw, is_error, ..text_result("") };
        let replacement = weir.transform(&result).expect("it is a result");
        if !replacement.replaced {
            return Ok(());
        }
        let whole: usize = parts.iter().map(chars).sum();
        prop_assert!(replacement.chars_after <= replacement.chars_before);
        prop_assert!(replacement.chars_before >= whole as u64);
        if replacement.parts.len() == parts.len() && replacement.parts.len() > 1 {
            // What was replaced keeps to its bound; what was not is as it was.
            let mut replaced = 0;
            for (before, after) in parts.iter().zip(&replacement.parts) {
                if before != after {
                    prop_assert!(chars(after) * 2 <= chars(before), "{} {}", chars(after), chars(before));
                    replaced += chars(after);
                }
            }
            prop_assert!(replaced <= cap as usize, "{replaced} > {cap}");
        } else {
            assert_within(&replacement, u64::from(cap).min(replacement.chars_before / 2))?;
        }
    }

    #[test]
    fn every_answer_is_within_its_bound(
        content in any_content(), most in prop::sample::select(vec![500u32, 600, 1_500, 8_000]),
        mode in prop::sample::select(vec!["stat", "range", "head", "tail", "grep", "full", "list"]),
        unit in prop::sample::select(vec!["lines", "bytes", "chars"]),
        start in prop_oneof![any::<i64>(), -300i64..300, -100_000i64..100_000],
        count in prop::option::of(prop_oneof![any::<u64>(), 0u64..300]),
        pattern in prop_oneof![any::<String>(), Just("e".to_owned()), Just(".".into()), Just("[a-z]+|$".into())],
        context in 0u32..30, flags in any::<[bool; 4]>(),
    ) {
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, 6_000, most);
        let Some(id) = stored(&weir, &content) else { return Ok(()) };
        let arguments = json!({"id": id, "mode": mode, "unit": unit, "start": start, "count": count,
            "pattern": pattern, "context": context, "literal": flags[0], "invert": flags[1],
            "count_only": flags[2], "view": if flags[3] { "raw" } else { "text" }});
        let answer = ask(&weir, &arguments).text;
        let limit = if mode == "full" { 50_000 + 500 } else { most as usize };
        prop_assert!(answer.chars().count() <= limit, "{} > {limit}: {arguments}", answer.chars().count());
        // The typed reads keep to it as well.
        let of_unit = match unit { "lines" => Unit::Lines, "bytes" => Unit::Bytes, _ => Unit::Chars };
        if let Ok(page) = weir.read(SESSION, &id, View::Raw, of_unit, start, count, None) {
            prop_assert!(page.content.chars().count() <= most as usize);
        }
        let search = GrepRequest { before: context, after: context, ..query(".") };
        let page = weir.grep(SESSION, &id, View::Text, &search, None).expect("it can be searched");
        let shown: usize = page.lines.iter().map(|hit| hit.text.chars().count()).sum();
        prop_assert!(shown <= most as usize, "{shown} > {most}");
    }

    #[test]
    fn any_arguments_are_answered_within_the_bound(arguments in prop_oneof![any::<String>(), any_json()]) {
        let sandbox = Sandbox::new();
        let weir = sandbox.weir();
        let answer = ask_as(&weir, SESSION, &arguments);
        prop_assert!(!answer.text.is_empty() && answer.text.chars().count() <= 8_000);
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn following_next_gives_every_byte_once(
        content in any_content(), unit in prop::sample::select(vec![Unit::Lines, Unit::Bytes, Unit::Chars]),
        most in prop::sample::select(vec![2_000u32, 8_000]),
    ) {
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, 6_000, most);
        let Some(id) = stored(&weir, &content) else { return Ok(()) };
        prop_assert!(whole(&weir, &id, View::Raw, unit) == content);
    }

    #[test]
    fn so_does_following_what_the_tool_says(
        content in any_content(), unit in prop::sample::select(vec!["lines", "bytes", "chars"]),
        count in prop::option::of(200u32..5_000), most in prop::sample::select(vec![2_000u32, 8_000]),
    ) {
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, 6_000, most);
        let Some(id) = stored(&weir, &content) else { return Ok(()) };
        let mut start = from_the_start(&id);
        start["view"] = "raw".into();
        start["unit"] = unit.into();
        start["count"] = count.into();
        prop_assert!(whole_as_told(&weir, &start) == content);
    }

    #[test]
    fn the_two_views_of_an_envelope_are_both_whole(text in any_text(), around in "[a-z]{0,40}") {
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, 6_000, 8_000);
        let envelope = json!({"status": around, "result": text}).to_string();
        let Some(id) = stored(&weir, envelope.as_bytes()) else { return Ok(()) };
        prop_assert!(whole(&weir, &id, View::Raw, Unit::Chars) == envelope.as_bytes());
        let stat = weir.stat(SESSION, &id).expect("it is there");
        let inside = whole(&weir, &id, View::Text, Unit::Lines);
        match stat.handle.envelope.as_deref() {
            // Terminal control is resolved in the text, and is there in the exact bytes.
            _ if text.contains(['\x1b', '\u{8}', '\r']) => {}
            Some("/result") => prop_assert!(inside == text.as_bytes()),
            None => prop_assert!(inside == envelope.as_bytes()),
            Some(other) => {
                // The text itself was an envelope.
                prop_assert!(other.starts_with("/result"), "{}", other);
                prop_assert_eq!(inside.len() as u64, whole(&weir, &id, View::Text, Unit::Bytes).len() as u64);
            }
        }
    }

    #[test]
    fn grep_finds_the_lines_that_a_plain_loop_finds(
        words in prop::collection::vec(
            prop::sample::select(vec!["ab", "b", "aB", "é", "\n", "\n\n", "c1", " ", "_x", "aaab", "\u{2028}", "漢", "É", "٣", "\u{a0}"]),
            300..900,
        ),
        long in 0usize..3,
        pattern in prop::sample::select(vec![
            "ab", "AB", "a+b", "^a", "b$", "(ab|c1)_x", "é.", "[a-c]1", "a|漢", "^$", "^.{3}$", "x|ab b", r"\bab\b",
            r"c\d _x", "aaa*b", ".", "(a|b)*1",
            "É", r"\wb", r"\d", r"b\sa", r"\W", r"\Bb",
        ]),
        flags in any::<[bool; 2]>(),
    ) {
        let [fold, invert] = flags;
        let text = words.concat().repeat(6) + &"ab c1".repeat(long * 20_000) + "\nab";
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, 6_000, 8_000);
        let Some(id) = stored(&weir, text.as_bytes()) else { return Ok(()) };
        let case = if fold { CaseMode::Insensitive } else { CaseMode::Sensitive };
        let naive = regex::RegexBuilder::new(pattern).case_insensitive(fold).build().expect("it is one");
        let expected: Vec<u64> = text
            .split('\n')
            .zip(1..)
            .filter(|(line, _)| naive.is_match(line) != invert)
            .map(|(_, number)| number)
            .collect();
        let search = GrepRequest { case_mode: case, invert, ..query(pattern) };
        let hits = grep_all(&weir, &id, &search);
        let found = lines(&hits);
        prop_assert!(found == expected, "{pattern}: {}", differences(&found, &expected));
        // A long line has a hit for each window that has a match.
        let bytes: BTreeSet<u64> = hits.iter().map(|hit| hit.byte).collect();
        prop_assert_eq!(bytes.len(), hits.len(), "each hit is another");
        let counted = grep(&weir, &id, &GrepRequest { count_only: true, ..search });
        prop_assert!(counted.complete && counted.lines.is_empty());
        prop_assert_eq!(counted.matching_lines, expected.len() as u64);
        let matches = match invert {
            true => expected.len(),
            false => text.split('\n').map(|line| naive.find_iter(line).count()).sum(),
        };
        prop_assert_eq!(counted.matches, matches as u64, "{}", pattern);
        // A text as it is, the same way.
        let search = GrepRequest { case_mode: case, invert, regex: false, ..query(pattern) };
        let lower = |text: &str| if fold { text.to_lowercase() } else { text.to_owned() };
        let expected: Vec<u64> = text
            .split('\n')
            .zip(1..)
            .filter(|(line, _)| lower(line).contains(&lower(pattern)) != invert)
            .map(|(_, number)| number)
            .collect();
        let found = lines(&grep_all(&weir, &id, &search));
        prop_assert!(found == expected, "{pattern}: {}", differences(&found, &expected));
    }

    #[test]
    fn the_same_content_gives_the_same_bytes_everywhere(
        content in any_content(), is_error: bool, pattern in prop::sample::select(vec!["e", "[a-z]+", "^$"]),
    ) {
        let sandboxes = [Sandbox::new(), Sandbox::new()];
        let mut seen = Vec::new();
        for (n, sandbox) in sandboxes.iter().enumerate() {
            let weir = eager(sandbox, 6_000, 8_000);
            // One of the two stores has something in it already.
            if n == 1 {
                take(&weir, "something else\n".repeat(900).as_bytes(), false);
            }
            let outcome = take(&weir, &content, is_error);
            let mut answers = Vec::new();
            if outcome.replaced {
                let replacement = &outcome;
                let id = &replacement.handles[0].id;
                for mode in ["range", "head", "tail", "grep", "full"] {
                    answers.push(ask(&weir, &json!({"id": id, "mode": mode, "pattern": pattern})));
                }
            }
            let mut again = take(&weir, &content, is_error);
            for (handle, first) in again.handles.iter_mut().zip(&outcome.handles) {
                prop_assert_eq!((first.is_repeat, handle.is_repeat), (Some(false), Some(true)));
                handle.is_repeat = Some(false);
            }
            prop_assert_eq!(&again, &outcome, "storing it again");
            seen.push((outcome, answers));
        }
        prop_assert_eq!(&seen[0], &seen[1]);
    }

    #[test]
    fn a_tail_is_the_end_of_the_content(content in any_text(), lines in 1u32..60) {
        let sandbox = Sandbox::new();
        let weir = eager(&sandbox, 6_000, 8_000);
        let Some(id) = stored(&weir, content.as_bytes()) else { return Ok(()) };
        let raw = weir.tail(SESSION, &id, View::Raw, lines, None).expect("it has an end");
        prop_assert!(content.ends_with(&raw.content));
        prop_assert!(raw.content.matches('\n').count() <= lines as usize);
        let told = ask(&weir, &json!({"id": id, "mode": "tail", "view": "raw", "count": lines})).text;
        prop_assert!(content_of(&told).is_some_and(|tail| content.ends_with(tail)), "{}", told);
    }
}

fn content_of(answer: &str) -> Option<&str> {
    answer.starts_with("[weir: ").then(|| content(answer))
}

/// The numbers of the lines with hits, each once.
fn lines(hits: &[GrepLine]) -> Vec<u64> {
    let mut lines: Vec<u64> = hits.iter().map(|hit| hit.line).collect();
    lines.dedup();
    lines
}

fn differences(found: &[u64], expected: &[u64]) -> String {
    let missing: Vec<_> = expected.iter().filter(|line| !found.contains(line)).take(9).collect();
    let wrong: Vec<_> = found.iter().filter(|line| !expected.contains(line)).take(9).collect();
    let (found, expected) = (found.len(), expected.len());
    format!("{found} found of {expected}; missing {missing:?}, wrong {wrong:?}")
}
