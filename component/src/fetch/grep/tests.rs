use super::*;
use crate::fetch::pattern::{Case, Pattern};
use proptest::prelude::*;

const OPTIONS: GrepOptions = GrepOptions {
    invert: false,
    before: 0,
    after: 0,
    max_hits: 1_000,
    line_chars: 300,
    max_chars: 1_000_000,
    slice: GREP_SLICE_BYTES,
};

fn regex(text: &str) -> Pattern {
    Pattern { text: text.to_owned(), regex: true, ..Pattern::default() }
}

fn literal(text: &str) -> Pattern {
    Pattern { text: text.to_owned(), ..Pattern::default() }
}

fn search(bytes: &[u8], pattern: &Pattern, options: &GrepOptions) -> GrepPage {
    grep(&bytes, &Matcher::new(pattern).unwrap(), options, Place::at(0)).unwrap()
}

fn places(page: &GrepPage) -> Vec<(u64, u64)> {
    page.lines.iter().filter_map(|l| l.column.map(|column| (l.line, column))).collect()
}

/// All pages put together.
fn follow(bytes: &[u8], matcher: &Matcher, options: &GrepOptions) -> Vec<Line> {
    let (mut lines, mut place) = (Vec::new(), Place::at(0));
    loop {
        let page = grep(&bytes, matcher, options, place).unwrap();
        assert_eq!(page.complete, page.scanned_to == page.total_bytes);
        lines.extend(page.lines);
        match page.next {
            Some(next) => {
                assert!(next.byte > place.byte || page.shown == 0);
                // As a host has it.
                place = Place::parse(&next.to_string()).unwrap();
            }
            None => return lines,
        }
    }
}

fn naive(bytes: &[u8], pattern: &str) -> Vec<(u64, u64)> {
    let regex = regex::Regex::new(pattern).unwrap();
    let lines = bytes.split_inclusive(|b| *b == b'\n').zip(1..);
    let found = lines.filter_map(|(line, number)| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = std::str::from_utf8(line).unwrap();
        regex.find(text).map(|found| (number, found.start() as u64 + 1))
    });
    found.collect()
}

#[test]
fn hits_name_line_column_and_byte() {
    let text = "first\nsome ERROR here\r\nlast error\n";
    let page = search(text.as_bytes(), &literal("error"), &OPTIONS);
    assert_eq!((page.hits, page.complete, page.next), (2, true, None));
    assert_eq!(page.lines[0].text, "some ERROR here");
    assert_eq!((page.lines[0].line, page.lines[0].column, page.lines[0].byte), (2, Some(6), 11));
    assert_eq!(places(&search(text.as_bytes(), &literal("Error"), &OPTIONS)), []);
    assert_eq!(places(&search(text.as_bytes(), &regex("here$"), &OPTIONS)), [(2, 12)]);
}

#[test]
fn context_is_shown_once_and_clipped() {
    let text: String = (1..=20).map(|n| format!("row {n}\n")).collect();
    let options = GrepOptions { before: 2, after: 1, ..OPTIONS };
    let page = search(text.as_bytes(), &regex("row (5|6|8|20)$"), &options);
    let shown: Vec<u64> = page.lines.iter().map(|line| line.line).collect();
    assert_eq!(shown, [3, 4, 5, 6, 7, 8, 9, 18, 19, 20]);
    assert_eq!(places(&page), [(5, 1), (6, 1), (8, 1), (20, 1)]);
    let text = format!("{}\nhit\n", "x".repeat(100_000));
    let page = search(text.as_bytes(), &literal("hit"), &options);
    assert_eq!((page.lines[0].text.len(), page.lines[0].cut_after), (300, 99_700));
}

#[test]
fn lines_that_do_not_match_can_be_asked_for() {
    let text = "a\nb\n\na b\nc";
    let page = search(text.as_bytes(), &regex("a"), &GrepOptions { invert: true, ..OPTIONS });
    assert_eq!(places(&page), [(2, 1), (3, 1), (5, 1)]);
    assert_eq!(page.hits, 3);
    let count = GrepOptions { invert: true, max_hits: 0, ..OPTIONS };
    assert_eq!(search(text.as_bytes(), &regex("a"), &count).hits, 3);
}

#[test]
fn words_match_only_whole() {
    let text = "cat\nconcat\nthe cat.\ncat_2\n";
    for pattern in [literal("cat"), regex("c.t"), regex("cat|dog")] {
        let page = search(text.as_bytes(), &Pattern { word: true, ..pattern }, &OPTIONS);
        assert_eq!(places(&page), [(1, 1), (3, 5)]);
    }
}

#[test]
fn a_line_that_is_not_utf8_is_searched_all_the_same() {
    let text = b"ok\n\xFF\xFEkey=1 \xC3 end\nbad \x80\x80\n";
    let hits = |pattern: &Pattern| places(&search(text, pattern, &OPTIONS));
    assert_eq!(hits(&literal("key=1")), [(2, 3)]);
    assert_eq!(hits(&regex(r"key=\d")), [(2, 3)]);
    assert_eq!(hits(&regex(r"1 . end$")), [(2, 7)]);
    assert_eq!(hits(&regex(r"\w+ ..$")), [(3, 1)]);
    let page = search(text, &literal("key"), &OPTIONS);
    assert_eq!(page.lines[0].text, r"\xff\xfekey=1 \xc3 end");
}

#[test]
fn every_match_in_a_giant_line_is_a_hit_of_its_own() {
    let mut text = vec![b'x'; 400_000];
    let places_in = [0, 65_530, 65_600, 130_000, 250_000, 399_994];
    for at in places_in {
        text[at..at + 6].copy_from_slice(b"needle");
    }
    text.extend_from_slice(b"\nneedle");
    let wanted: Vec<(u64, u64)> =
        places_in.iter().map(|at| (1, *at as u64 + 1)).chain([(2, 1)]).collect();
    // The second and the third are seen in one window.
    let wanted: Vec<(u64, u64)> = wanted.into_iter().filter(|w| w.1 != 65_601).collect();
    for pattern in [literal("needle"), regex("ne+dle"), regex("n[e]{2}dl."), regex("needle|z")] {
        let page = search(&text, &pattern, &OPTIONS);
        assert_eq!(places(&page), wanted, "{pattern:?}");
        let line = &page.lines[1];
        assert_eq!((line.cut_before, line.text.len()), (65_530 - 75, 300));
        assert_eq!(line.cut_before + 300 + line.cut_after, 400_000);
        let matcher = Matcher::new(&pattern).unwrap();
        let paged = follow(&text, &matcher, &GrepOptions { max_hits: 1, ..OPTIONS });
        assert_eq!(paged, page.lines);
    }
    let page = search(&text, &literal("nowhere"), &OPTIONS);
    assert_eq!((page.hits, page.complete, page.windowed), (0, true, false));
    assert!(search(&text, &regex("no[x]*where|n0"), &OPTIONS).complete);
    assert!(!search(&text, &regex("n[0-9]"), &OPTIONS).windowed);
    assert!(search(&text, &regex("n[0-9]+"), &OPTIONS).windowed);
}

#[test]
fn windows_find_what_the_whole_line_has() {
    let mut random = 88_172_645_463_325_252_u64;
    let text: String = std::iter::repeat_with(|| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        ["a", "b", "é", " ", "7", "_", "-"][(random % 7) as usize]
    })
    .take(250_000)
    .collect();
    for pattern in [r"a7b-\w", r"\b77a\b", "aé(7|b) +_", r"7{6,}", r"\B-{4}\B", "[^a]{80}a"] {
        let whole = regex::Regex::new(pattern).unwrap();
        let (mut wanted, mut from) = (Vec::new(), 0);
        while let Some(found) = whole.find_at(&text, from) {
            wanted.push((1, found.start() as u64 + 1));
            let shown = listing::chars_forward(&text.as_bytes()[found.start()..], 225);
            from = (found.start() + shown).max(found.end());
        }
        let matcher = Matcher::new(&Pattern { case: Case::Sensitive, ..regex(pattern) }).unwrap();
        let lines = follow(text.as_bytes(), &matcher, &GrepOptions { max_hits: 10, ..OPTIONS });
        let found: Vec<_> = lines.iter().map(|l| (l.line, l.column.unwrap())).collect();
        assert_eq!(found, wanted, "{pattern}");
    }
}

#[test]
fn the_edge_of_a_window_is_no_edge_of_a_line_or_word() {
    let text = "a".repeat(300_000);
    for pattern in ["^a{3}b", "a{9}$b", r"a\b.", "[^a]", r"\Aab", r"[a]\z."] {
        assert_eq!(search(text.as_bytes(), &regex(pattern), &OPTIONS).hits, 0, "{pattern}");
    }
    let one = |pattern: &str| places(&search(text.as_bytes(), &regex(pattern), &OPTIONS));
    assert_eq!(one("^a{5}").len(), 1);
    let ends = one("a{5}$");
    assert_eq!(ends, [(1, 299_996)]);
    assert_eq!(one(r"\ba").len(), 1);
    assert_eq!(one(r"a\b"), [(1, 300_000)]);
    let invert = GrepOptions { invert: true, ..OPTIONS };
    assert_eq!(search(text.as_bytes(), &regex("a$"), &invert).hits, 0);
    assert_eq!(search(text.as_bytes(), &regex("b"), &invert).hits, 1);
    // A character of three bytes lies across the edges.
    let text = "€".repeat(100_000);
    assert_eq!(search(text.as_bytes(), &regex("[^€]"), &OPTIONS).hits, 0);
}

#[test]
fn a_slow_search_stops_and_goes_on() {
    let mut text = "some wörds 12-34 here\n".repeat(120_000);
    text.push_str("wow, wördswörds\n");
    // Each line has what is looked for, but at an edge of a word.
    let matcher = Matcher::new(&regex(r"\Bw[öx]rds(?:q?){40}")).unwrap();
    let page = grep(&text.as_bytes(), &matcher, &OPTIONS, Place::at(0)).unwrap();
    assert_eq!((page.hits, page.complete), (0, false));
    let next = page.next.unwrap();
    assert_eq!(next.byte, page.scanned_to);
    assert!((500_000..2_500_000).contains(&page.scanned_to), "{}", page.scanned_to);
    let found = follow(text.as_bytes(), &matcher, &OPTIONS);
    assert_eq!((found.len(), found[0].line), (1, 120_001));
    // One giant line, too.
    let text = text.replace('\n', " ");
    let found = follow(text.as_bytes(), &matcher, &OPTIONS);
    assert_eq!((found.len(), found[0].column), (1, Some(2_760_012)));
}

#[test]
fn counting_goes_on_after_the_page_is_full() {
    let text = "hit\nmiss\n".repeat(5_000);
    let page = search(text.as_bytes(), &literal("hit"), &GrepOptions { max_hits: 3, ..OPTIONS });
    assert_eq!((page.shown, page.hits, page.complete), (3, 5_000, true));
    assert_eq!(
        page.next.map(|next| (next.byte, next.counts)),
        Some((22, Counts { matches: 3, lines: 3 }))
    );
    let page = search(text.as_bytes(), &literal("hit"), &GrepOptions { max_chars: 25, ..OPTIONS });
    assert_eq!((page.shown, page.hits), (2, 5_000));
}

#[test]
fn counts_are_of_matches_and_lines_whatever_their_length() {
    let row = |n: usize| format!(r#"{{"id":{n},"plan":"{}"}},"#, ["team", "free"][n % 3 / 2]);
    for (rows, per_line) in [(9_000, 1), (9_000, 7), (9_000, 5_000), (9_000, 9_000)] {
        let mut text = String::new();
        for n in 0..rows {
            text.push_str(&row(n));
            if n % per_line == per_line - 1 {
                text.push('\n');
            }
        }
        for pattern in ["team", r"te\wm", "te[a-z]{2}", "team|free", r#""plan":"team""#, "TEAM|zzz"]
        {
            let by_hand = |line: &str| match pattern {
                "team|free" => line.matches("team").count() + line.matches("free").count(),
                "TEAM|zzz" => 0,
                _ => line.matches("team").count(),
            };
            let matches: usize = text.lines().map(by_hand).sum();
            let lines = text.lines().filter(|line| by_hand(line) > 0).count();
            for max_hits in [0, 3, 12] {
                let options = GrepOptions { max_hits, ..OPTIONS };
                let page = search(text.as_bytes(), &regex(pattern), &options);
                assert_eq!(
                    (page.matches, page.matching_lines, page.complete, page.windowed),
                    (matches as u64, lines as u64, true, false),
                    "{pattern}, {per_line} rows a line, {max_hits} shown"
                );
            }
        }
    }
}

#[test]
fn a_pattern_that_would_take_hours_is_called_too_costly() {
    let mut seed = 7_u32;
    let text: Vec<u8> = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if seed >> 31 == 0 { b'a' } else { b'b' }
    })
    .take(200_000)
    .collect();
    let page = search(&text, &regex("[ab]*a[ab]{1500}Q"), &OPTIONS);
    assert!(page.too_costly && !page.complete && page.next.is_none());
    // What is slow but can be done goes on slice by slice.
    let matcher = Matcher::new(&regex("[ab]*a[ab]{24}Q")).unwrap();
    assert_eq!(follow(&text, &matcher, &OPTIONS), []);
}

#[test]
fn patterns_that_explode_elsewhere_take_linear_time() {
    let text = format!("{}END\n", "a".repeat(1_900));
    assert_eq!(search(text.as_bytes(), &regex(r"(a+)+\d|END"), &OPTIONS).hits, 1);
    assert_eq!(search(text.as_bytes(), &regex("(a|a)*c"), &OPTIONS).hits, 0);
    assert_eq!(search(text.as_bytes(), &regex("a*a*a*a*a*X"), &OPTIONS).hits, 0);
}

#[test]
fn what_cannot_be_searched_for_is_refused_in_words() {
    let refused = |pattern: Pattern| Matcher::new(&pattern).unwrap_err().0;
    assert!(refused(regex("(?=x)")).contains("look-around"));
    assert!(refused(regex(r"(a)\1")).contains("backreferences"));
    assert!(refused(regex("a)(b")).contains("literal"));
    assert!(refused(regex("(?x) a b")).contains("flag x"));
    assert!(refused(regex("(((a{99}){99}){99}){99}")).contains("too large"));
    assert!(refused(literal("")).contains("empty"));
    assert!(refused(literal("a\nb")).contains("U+000A"));
    assert!(refused(literal("a\0")).contains("U+0000"));
    assert!(refused(literal(&"x".repeat(1_001))).contains("1001 characters"));
    assert!(Matcher::new(&literal(&"€".repeat(1_000))).is_ok());
}

fn in_json(bytes: &[u8], pattern: &Pattern, options: &GrepOptions) -> GrepPage {
    grep(&bytes, &Matcher::of(pattern, true).unwrap(), options, Place::at(0)).unwrap()
}

#[test]
fn json_is_found_as_it_is_shown_and_as_it_stands() {
    let text = r#"{"name":"n1","said":"say \"hi\"\/ caf\u00e9 \u4e16\u754c \ud83d\ude42","list":["a","b"],"odd":"\u0041BC"}"#;
    let places = |pattern: &Pattern| {
        let page = in_json(text.as_bytes(), pattern, &OPTIONS);
        assert!(page.complete);
        page.lines.first().and_then(|line| line.column)
    };
    let at = |part: &str| Some(text[..text.find(part).unwrap()].chars().count() as u64 + 1);
    for (pattern, part) in [
        (r#""name": "n1""#, r#""name""#),
        (r#""name":"n1""#, r#""name""#),
        (r#"say "hi"/ café"#, "say "),
        (r#"say \"hi\""#, "say "),
        ("café", "caf"),
        ("CAFÉ", "caf"),
        (r"caf\u00e9", "caf"),
        ("世界 🙂", r"\u4e16"),
        (r#""list": ["a", "b"]"#, r#""list""#),
        ("ABC", r"\u0041"),
        ("n1", "n1"),
    ] {
        let case = if pattern == "CAFÉ" { Case::Insensitive } else { Case::Smart };
        assert_eq!(places(&Pattern { case, ..literal(pattern) }), at(part), "{pattern}");
    }
    for (pattern, part) in [
        (r"\bcaf\w\b", "caf"),
        (r"hi.{3}c", "hi"),
        (r#""list": \["#, r#""list""#),
        ("界 .\"", r"\u754c"),
    ] {
        assert_eq!(places(&regex(pattern)), at(part), "{pattern}");
    }
    assert_eq!(places(&literal("cafe")), None);
    // Other text is searched as it is.
    assert_eq!(search(text.as_bytes(), &literal("café"), &OPTIONS).hits, 0);
}

/// A value as JSON on one line, in the manner of some writer.
fn written(value: &serde_json::Value, manner: usize) -> String {
    let text = value.to_string();
    let ascii = |text: &str| -> String {
        let unit = |c: char| {
            c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04x}")).collect::<String>()
        };
        text.chars().map(|c| if c.is_ascii() { c.to_string() } else { unit(c) }).collect()
    };
    match manner {
        0 => text,
        1 => ascii(&text),
        2 => ascii(&text).replace('/', "\\/"),
        _ => text.replace("\":", "\": ").replace("\",\"", "\", \""),
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[abcABC]{1,3}",
        2 => Just(" ".to_owned()),
        2 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("é€".to_owned()),
        1 => Just("._".to_owned()),
        1 => "[0-9]{1,2}",
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn pattern_text() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        6 => "[abcAB]{1,3}",
        1 => Just(".".to_owned()),
        1 => Just("é".to_owned()),
        1 => Just(r"\.".to_owned()),
        1 => Just(r"\d".to_owned()),
        1 => Just(r"\b".to_owned()),
        1 => Just("[ab]".to_owned()),
        1 => Just("[^]b]".to_owned()),
        1 => Just("^".to_owned()),
        1 => Just("$".to_owned()),
        1 => Just("(?i)".to_owned()),
        1 => Just("(?:b|c)".to_owned()),
        1 => Just("(a.)".to_owned()),
        1 => Just("(?i:ab)".to_owned()),
        1 => Just(r"\x61".to_owned()),
    ];
    let repeat = prop_oneof![
        8 => Just(""), 1 => Just("?"), 1 => Just("*"), 1 => Just("+"), 1 => Just("+?"),
        1 => Just("{0,2}"), 1 => Just("+*"),
    ];
    let branch = proptest::collection::vec((atom, repeat), 1..4).prop_map(|atoms| {
        atoms.into_iter().map(|(atom, repeat)| atom + repeat).collect::<String>()
    });
    proptest::collection::vec(branch, 1..4).prop_map(|branches| branches.join("|"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn looking_for_a_text_first_changes_nothing(
        text in text(),
        pattern in pattern_text(),
        word: bool,
        invert: bool,
        sensitive: bool,
        width in 3usize..60,
    ) {
        let case = if sensitive { Case::Sensitive } else { Case::Smart };
        let pattern = Pattern { text: pattern, regex: true, case, word };
        let Ok(plain) = Matcher::plain(&pattern) else { return Ok(()) };
        let fast = Matcher::new(&pattern).unwrap();
        let options = GrepOptions { invert, line_chars: width, ..OPTIONS };
        let wanted = grep(&text.as_bytes(), &plain, &options, Place::at(0)).unwrap();
        prop_assert_eq!(grep(&text.as_bytes(), &fast, &options, Place::at(0)).unwrap(), wanted);
    }

    #[test]
    fn it_finds_what_a_plain_loop_finds(text in text(), pattern in pattern_text()) {
        let pattern = Pattern { case: Case::Sensitive, ..regex(&pattern) };
        let Ok(matcher) = Matcher::new(&pattern) else { return Ok(()) };
        let page = grep(&text.as_bytes(), &matcher, &OPTIONS, Place::at(0)).unwrap();
        prop_assert_eq!(places(&page), naive(text.as_bytes(), &pattern.text));
    }

    #[test]
    fn json_of_any_writer_is_counted_as_what_it_says(
        words in proptest::collection::vec(
            prop::sample::select(vec!["é", "漢字", "🙂", "a\"b", "p/q", "\\", "\n", "error", "word ", "naïve", "\u{1}"]), 1..60),
        times in 1usize..40,
        manner in 0usize..4,
        needle in prop::sample::select(vec!["é", "漢字", "🙂", "a\"b", "p/q", "error", "naïve", "é漢字", "q🙂"]),
        max_hits in prop::sample::select(vec![0usize, 3, 1_000]),
    ) {
        let said = words.concat();
        let value = serde_json::json!(vec![serde_json::json!({"k": said, "n": 7}); times]);
        let json = written(&value, manner);
        let wanted = said.matches(needle).count() * times;
        let pattern = Pattern { case: Case::Sensitive, ..literal(needle) };
        let page = in_json(json.as_bytes(), &pattern, &GrepOptions { max_hits, ..OPTIONS });
        prop_assert_eq!((page.matches, page.complete), (wanted as u64, true), "{}", needle);
        for line in &page.lines {
            let at = line.byte as usize;
            prop_assert!(json.is_char_boundary(at));
        }
    }

    #[test]
    fn one_line_of_sql_or_json_is_counted_as_by_hand(
        rows in proptest::collection::vec(("[a-d]{1,4}", 0u32..50), 1..40),
        times in 1usize..60,
        is_json: bool,
        needle in prop::sample::select(vec!["a", "ab", "team", "\"v\": 7", "'ab'", "1", "cd,", "b\""]),
    ) {
        let row = |(name, n): &(String, u32)| match is_json {
            true => format!("{{\"plan\": \"team\", \"k\": \"{name}\", \"v\": {n}}}"),
            false => format!("({n},'{name}','team')"),
        };
        let all: Vec<String> = rows.iter().map(row).collect();
        let text = vec![all.join(","); times].join(",");
        let pattern = Pattern { case: Case::Sensitive, ..literal(needle) };
        let options = GrepOptions { max_hits: 0, ..OPTIONS };
        let page = match is_json {
            true => in_json(text.as_bytes(), &pattern, &options),
            false => search(text.as_bytes(), &pattern, &options),
        };
        prop_assert_eq!(page.matches, text.matches(needle).count() as u64, "{}", needle);
    }

    #[test]
    fn a_literal_is_found_as_by_hand(text in text(), needle in "[abcA .é]{1,3}") {
        let page = search(text.as_bytes(), &Pattern { case: Case::Sensitive, ..literal(&needle) }, &OPTIONS);
        let by_hand: Vec<(u64, u64)> = text
            .split('\n')
            .zip(1..)
            .filter_map(|(line, n)| line.find(&needle).map(|at| (n, at as u64 + 1)))
            .collect();
        prop_assert_eq!(places(&page), by_hand);
    }

    #[test]
    fn pages_put_together_are_the_whole(
        text in text(),
        pattern in pattern_text(),
        invert: bool,
        max_hits in 1usize..4,
        width in 1usize..20,
    ) {
        let Ok(matcher) = Matcher::new(&regex(&pattern)) else { return Ok(()) };
        let options = GrepOptions { invert, line_chars: width, ..OPTIONS };
        let whole = grep(&text.as_bytes(), &matcher, &options, Place::at(0)).unwrap();
        let paged = follow(text.as_bytes(), &matcher, &GrepOptions { max_hits, ..options });
        prop_assert_eq!(paged, whole.lines);
    }

    #[test]
    fn any_pattern_gets_an_answer(pattern in r"[ab(?:)\[\]{}|*+.^$0-9,xPiu<>=!&~-]{0,12}", bytes: Vec<u8>) {
        for regex in [true, false] {
            if let Ok(matcher) =
                Matcher::new(&Pattern { text: pattern.clone(), regex, ..Pattern::default() })
            {
                let page = grep(&bytes.as_slice(), &matcher, &OPTIONS, Place::at(0)).unwrap();
                prop_assert!(page.complete);
            }
        }
    }
}
