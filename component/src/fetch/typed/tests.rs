use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::*;
use crate::fetch::listing::Line;
use crate::fetch::pattern::{Case, Pattern};
use crate::handle::BlobId;
use crate::limits::Work;
use crate::settings::{FetchSettings, StoreSettings};
use crate::store::{BlobStore, Record};

fn later(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + seconds)
}

/// A store with results, read in slices of any size.
struct Bench {
    store: BlobStore,
    settings: FetchSettings,
    _directory: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let directory = tempfile::tempdir().unwrap();
        let store = BlobStore::open(directory.path(), StoreSettings::default()).unwrap();
        Bench { store, settings: FetchSettings::default(), _directory: directory }
    }

    fn put(&self, bytes: &[u8], at: u64) -> BlobId {
        let kind = crate::content::classify::classify(bytes).unwrap().kind;
        let record = Record { kind, ..Record::default() };
        self.store.put("s", bytes, &record, later(at)).unwrap().id
    }

    fn reader(&self, slice: u64) -> Reader<'_> {
        let (store, settings) = (&self.store, &self.settings);
        let work = Work {
            grep_bytes: slice,
            query_steps: slice / 16,
            outline_bytes: slice,
            search_bytes: slice,
        };
        Reader { work, ..Reader::new(store, settings, "s", later(9)) }
    }
}

/// Slices beside the one of a call, which holds all.
const SLICES: [u64; 3] = [1 << 10, 9_000, 70_000];

/// Follows `more` to the end, and gives each page to `each`.
fn follow<T>(
    mut one: impl FnMut(Option<&str>) -> Result<Part<T>, FetchError>,
    mut each: impl FnMut(T),
) -> u64 {
    let (mut more, mut calls) = (None::<String>, 0);
    loop {
        let part = one(more.as_deref()).unwrap();
        calls += 1;
        assert!(!part.pending || part.more.is_some());
        assert!(part.more.is_none() || part.more != more, "it does not go on");
        each(part.page);
        more = part.more;
        if more.is_none() {
            return calls;
        }
    }
}

/// What a grep gave in all: its hits, and the counts of its last page.
fn grepped(reader: &Reader<'_>, id: &BlobId, query: &GrepQuery) -> (Vec<Line>, u64, u64) {
    let (mut lines, mut counts) = (Vec::new(), (0, 0));
    let one = |more: Option<&str>| Typed(reader, 4_000).grep(id, View::Text, query, more);
    follow(one, |found| {
        let page = found.page;
        assert!(page.matches >= counts.0 && page.matching_lines >= counts.1);
        counts = (page.matches, page.matching_lines);
        lines.extend(page.lines);
    });
    (lines, counts.0, counts.1)
}

fn pattern(text: &str) -> Pattern {
    Pattern { text: text.to_owned(), regex: true, case: Case::Sensitive, ..Pattern::default() }
}

/// Texts with lines that are longer than slices, matches across cuts, either line end, or none.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "needle",
        "need",
        "le ",
        "n",
        "é",
        "漢字",
        "\n",
        "\r\n",
        "\n\n",
        " ",
        "needleneedle",
        "x",
    ]);
    let run = (piece, prop::sample::select(vec![1_usize, 2, 5, 400, 9_000]));
    proptest::collection::vec(run, 1..16).prop_map(|runs| {
        let mut text = String::new();
        for (piece, times) in runs {
            // Long lines and few of them: each page of a search is a call.
            let most = if piece.contains('\n') { 9 } else { 70_000 / piece.len() };
            text.push_str(&piece.repeat(times.min(most)));
        }
        text
    })
}

/// As `grep -c` and `grep -o | wc -l` count, with the engine whose syntax patterns have.
fn by_hand(text: &str, pattern: &str) -> (u64, u64) {
    let regex = regex::Regex::new(pattern).unwrap();
    let (mut matches, mut lines) = (0, 0);
    for line in text.split_inclusive('\n') {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let found = regex.find_iter(line.strip_suffix('\r').unwrap_or(line)).count() as u64;
        matches += found;
        lines += u64::from(found > 0);
    }
    (matches, lines)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 60, ..ProptestConfig::default() })]

    #[test]
    fn a_grep_in_slices_is_one_grep(
        text in text(),
        words in prop::sample::select(vec!["needle", "n", "ne+d", "l?e", "x*", "é|漢", "^n", "e$", r"\bneed\b", "zz"]),
        max_matches in prop::sample::select(vec![7_u32, 1_000]),
        count_only: bool,
        invert: bool,
    ) {
        let bench = Bench::new();
        let id = bench.put(text.as_bytes(), 0);
        let query = GrepQuery {
            pattern: pattern(words), invert, count_only, max_matches: Some(max_matches), ..GrepQuery::default()
        };
        let whole = GrepQuery { max_matches: Some(1_000), ..query.clone() };
        let (lines, matches, matching) = grepped(&bench.reader(128 << 20), &id, &whole);
        if !invert {
            prop_assert_eq!((matches, matching), by_hand(&text, words));
        }
        for slice in SLICES {
            let in_slices = grepped(&bench.reader(slice), &id, &query);
            prop_assert_eq!((in_slices.1, in_slices.2), (matches, matching), "slices of {}", slice);
            prop_assert!(in_slices.0 == lines, "other lines in slices of {}", slice);
        }
    }

    #[test]
    fn a_match_of_nothing_at_the_end_is_counted_where_a_slice_ends_there(
        length in prop::sample::select(vec![64_usize, 8_000, 9_000, 27_000, 54_000]), slices in 1_u64..4, feed: bool,
    ) {
        let bench = Bench::new();
        let text = "n".repeat(length) + if feed { "\n" } else { "" };
        let id = bench.put(text.as_bytes(), 0);
        let query = GrepQuery { pattern: pattern("x*"), max_matches: Some(1_000), ..GrepQuery::default() };
        let (_, matches, matching) = grepped(&bench.reader(length as u64 / slices), &id, &query);
        prop_assert_eq!((matches, matching), (length as u64 + 1, 1));
    }

    #[test]
    fn a_text_in_pages_is_all_of_it(text in text(), room in prop::sample::select(vec![40_usize, 3_000]), unit in 0..3_u8) {
        let bench = Bench::new();
        let id = bench.put(text.as_bytes(), 0);
        let reader = bench.reader(1 << 10);
        let unit = [Unit::Lines, Unit::Bytes, Unit::Chars][usize::from(unit)];
        let range = Range { unit, start: 0, count: None };
        let mut read = String::new();
        let room = room.max(text.len() / 500);
        follow(|more| Typed(&reader, room).range(id, View::Text, range, more), |page| read.push_str(&page.content));
        prop_assert!(read == text);
    }

    #[test]
    fn a_question_in_slices_is_one_question(rows in 2_usize..1_500, width in 1_usize..120, fails in 2_usize..40) {
        let bench = Bench::new();
        let text: String = (0..rows)
            .map(|n| match n % fails {
                0 => "{\"n\":\"none\"}\n".to_owned(),
                _ => format!("{{\"n\":{n},\"of\":{},\"pad\":\"{}\"}}\n", n % 7, "é".repeat(width)),
            })
            .collect();
        let id = bench.put(text.as_bytes(), 0);
        let ask = |by: Option<&str>, reduce: Option<&str>| QueryRequest {
            id: id.into(), view: View::Text, program: ".n + 1".into(), path: None, by: by.map(str::to_owned),
            reduce: reduce.map(str::to_owned), whole: false, table: false, limit: None, cursor: None,
        };
        for request in [ask(None, None), ask(None, Some("sum")), ask(Some(".of"), Some("count")), ask(None, Some("stats"))] {
            let reduced = request.reduce.is_some();
            let all = |slice: u64, room: usize| {
                let (mut content, mut failed, mut rows) = (String::new(), 0, 0);
                let reader = bench.reader(slice);
                follow(|more| Typed(&reader, room).query(request.clone(), more), |page| {
                    if reduced && !page.complete {
                        return;
                    }
                    content.push_str(&page.content);
                    failed = page.failed;
                    rows = page.last_row;
                });
                (content, failed, rows)
            };
            let whole = all(128 << 20, 1_000_000);
            for slice in SLICES {
                prop_assert_eq!(&all(slice, 4_000), &whole, "{:?} in slices of {}", &request.reduce, slice);
            }
        }
    }

    #[test]
    fn a_shape_in_slices_is_one_shape(rows in 1_usize..900, keys in 1_usize..60) {
        let bench = Bench::new();
        let text: String = (0..rows).map(|n| format!("{{\"k{}\":{n},\"s\":\"v{}\"}}\n", n % keys, n % 9)).collect();
        let id = bench.put(text.as_bytes(), 0);
        let request = OutlineRequest { id: id.into(), view: View::Text, path: None, cursor: None };
        let all = |slice: u64| {
            let (mut entries, mut total) = (Vec::new(), 0);
            let reader = bench.reader(slice);
            follow(|more| Typed(&reader, 2_000).outline(request.clone(), more), |page| {
                total = page.total;
                if total > 0 {
                    entries.extend(page.entries);
                }
            });
            (entries, total)
        };
        let whole = all(128 << 20);
        prop_assert_eq!(whole.0.len() as u64, whole.1);
        for slice in SLICES {
            prop_assert_eq!(&all(slice), &whole, "slices of {}", slice);
        }
    }

    #[test]
    fn a_search_in_slices_is_one_search(texts in proptest::collection::vec(text(), 1..5)) {
        let bench = Bench::new();
        for (at, text) in (0..).zip(&texts) {
            bench.put(format!("needle {at}\n{text}").as_bytes(), at);
        }
        let request = SearchRequest { query: "needle x".into(), id: None, limit: Some(9), cursor: None };
        let all = |slice: u64| {
            let reader = bench.reader(slice);
            let mut last = None;
            follow(|more| Typed(&reader, 8_000).search(request.clone(), more), |page| last = Some(page));
            let SearchAnswer { passages, matching, searched, bytes, complete, .. } = last.unwrap();
            assert!(complete);
            (passages, matching, searched, bytes)
        };
        let whole = all(128 << 20);
        for slice in SLICES {
            prop_assert_eq!(&all(slice), &whole, "slices of {}", slice);
        }
    }
}

#[test]
fn one_line_that_slices_cut_is_one_line() {
    let bench = Bench::new();
    let text = format!("{}\nlast NEEDLE", format!("{}NEEDLE ", "abc ".repeat(20_000)).repeat(3));
    let id = bench.put(text.as_bytes(), 0);
    let query = GrepQuery { pattern: pattern("NEEDLE"), count_only: true, ..GrepQuery::default() };
    for slice in SLICES {
        let (lines, matches, matching) = grepped(&bench.reader(slice), &id, &query);
        assert_eq!((lines.len(), matches, matching), (0, 4, 2), "slices of {slice}");
    }
}

#[test]
fn changes_and_lists_in_pages_are_all_of_them() {
    let bench = Bench::new();
    let rows = |of: &str| {
        (0..400).map(|n| format!("{{\"id\":{n},\"state\":\"{of}{n}\"}}\n")).collect::<String>()
    };
    let (older, newer) = (bench.put(rows("a").as_bytes(), 0), bench.put(rows("b").as_bytes(), 1));
    let reader = bench.reader(1 << 10);
    let request = DiffRequest {
        id: newer.into(),
        other: Some(older.into()),
        key: None,
        lines: false,
        only: None,
        cursor: None,
    };
    let (mut content, mut changed) = (String::new(), 0);
    let pages = follow(
        |more| Typed(&reader, 3_000).diff(request.clone(), more),
        |page| {
            content.push_str(&page.content);
            changed = page.changed;
        },
    );
    assert!(pages > 3 && changed == 400);
    let mut whole = String::new();
    follow(
        |more| Typed(&reader, 1_000_000).diff(request.clone(), more),
        |page| whole.push_str(&page.content),
    );
    assert_eq!(content, whole);
    for n in 2..12 {
        bench.put(format!("result {n}").as_bytes(), n);
    }
    let mut listed = Vec::new();
    follow(
        |more| Typed(&reader, 4_000).list(5, more),
        |page| {
            assert_eq!(page.total, 12);
            listed.extend(page.entries.into_iter().map(|entry| entry.id));
        },
    );
    listed.dedup();
    assert_eq!(listed.len(), 12);
}

#[test]
fn what_belongs_to_another_request_is_refused() {
    let bench = Bench::new();
    let id = bench.put("a needle\n".repeat(3_000).as_bytes(), 0);
    let other = bench.put("another needle\n".repeat(3_000).as_bytes(), 1);
    let reader = bench.reader(1 << 10);
    let query = |text: &str| GrepQuery { pattern: pattern(text), ..GrepQuery::default() };
    let more =
        Typed(&reader, 4_000).grep(id, View::Text, &query("needle"), None).unwrap().more.unwrap();
    assert!(more.len() < 200 && more.bytes().all(|byte| byte.is_ascii_graphic()), "{more}");
    let refused = |id: &BlobId, view, text: &str, more: &str| {
        let error = Typed(&reader, 4_000).grep(id, view, &query(text), Some(more)).unwrap_err();
        matches!(error, FetchError::Invalid { argument: "more", .. })
    };
    assert!(refused(&other, View::Text, "needle", &more));
    assert!(refused(&id, View::Raw, "needle", &more));
    assert!(refused(&id, View::Text, "needles", &more));
    for wrong in ["", "0", "tx", &more[1..], &more[..more.len() - 1], "18446744073709551615"] {
        assert!(refused(&id, View::Text, "needle", wrong), "{wrong}");
    }
    let stranger = Reader { session: "t", ..reader };
    assert!(Typed(&stranger, 4_000).grep(id, View::Text, &query("needle"), Some(&more)).is_err());
    // How much a page holds is no part of the request.
    let small = GrepQuery { max_matches: Some(2), ..query("needle") };
    assert!(Typed(&reader, 900).grep(id, View::Text, &small, Some(&more)).is_ok());
}
