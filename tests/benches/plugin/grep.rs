//! Searches through a whole log.
//!
//! The rare text is in one line, at 98 %; the common one in nine lines of ten, of which the first
//! fifty are shown and all are counted.

use weir_component::fetch::grep::Place;
use weir_component::fetch::pattern::{Case, Pattern};
use weir_component::fetch::{GrepQuery, View};
use weir_host::contract as wasm;
use weir_tests::{SESSION, reading};

use crate::Options;
use crate::corpus::{COMMON, Corpus, RARE, size_name};
use crate::side::{Native, Wasm, both, id};
use crate::table::{at_most, row};
use crate::timer::{Time, best_of_both, once};

/// What is searched for.
struct Search {
    what: &'static str,
    pattern: &'static str,
    regex: bool,
    case: Case,
}

const SEARCHES: [Search; 6] = [
    Search { what: "rare literal", pattern: RARE, regex: false, case: Case::Smart },
    Search {
        what: "rare literal, case minded",
        pattern: RARE,
        regex: false,
        case: Case::Sensitive,
    },
    Search { what: "common literal", pattern: COMMON, regex: false, case: Case::Smart },
    Search {
        what: "one of four texts",
        pattern: "needle-7f3a|zyzzyva|quux-404|kaboom",
        regex: true,
        case: Case::Smart,
    },
    Search {
        what: r"classes: req=\d+9999 .*sigma$",
        pattern: r"req=\d+9999 .*sigma$",
        regex: true,
        case: Case::Smart,
    },
    Search {
        what: r"no literal: \b\d{3}-\d{4}\b",
        pattern: r"\b\d{3}-\d{4}\b",
        regex: true,
        case: Case::Smart,
    },
];

pub(crate) fn run(options: &Options) {
    for bytes in [10_000_000, 100_000_000] {
        if options.quick && bytes > 10_000_000 {
            continue;
        }
        let corpus = Corpus::log(bytes);
        let (native, wasm) = both(options);
        let (_, native_blob) = native.transform(&corpus.text);
        let (_, wasm_blob) = wasm.transform(&corpus.text);
        for search in &SEARCHES {
            let is_slow =
                search.what.starts_with("no literal") || search.what.starts_with("classes");
            let runs = match (bytes > 10_000_000, is_slow) {
                (true, true) => 1,
                (true, false) => 5,
                (false, true) => 3,
                (false, false) => 11,
            };
            let is_common = search.pattern == COMMON;
            let expected = if is_common { (corpus.common, 2) } else { (1, corpus.rare_line) };
            let times = best_of_both(runs, |_| {
                let (native_time, found) = in_native(&native, &native_blob.id, search);
                let (wasm_time, wasm_found) = in_wasm(&wasm, &wasm_blob.id, search);
                assert_eq!(found, wasm_found, "native and wasm find the same");
                assert_eq!(found.0, expected.0, "every hit is counted");
                assert!(is_common || found.1 == expected.1, "the hit is in its line");
                (native_time, wasm_time)
            });
            let is_target = search.pattern == RARE && bytes == 100_000_000;
            let target = if is_target { at_most(300.0) } else { None };
            row(&format!("grep {}", search.what), &size_name(bytes), times, target);
        }
    }
}

/// Hits in all, and the line of the first: over as many calls as it takes to come to the end.
fn in_native(native: &Native, blob: &str, search: &Search) -> (Time, (u64, u64)) {
    let blob = id(blob);
    let max_chars = native.settings.fetch.max_chars as usize;
    let mut query = GrepQuery {
        pattern: Pattern {
            text: search.pattern.to_owned(),
            regex: search.regex,
            case: search.case,
            word: false,
        },
        ..GrepQuery::default()
    };
    once(|| {
        let (mut hits, mut first) = (0, 0);
        loop {
            let store = native.store();
            let page = native
                .reader(&store)
                .grep(blob, View::Text, &query, max_chars)
                .expect("the search is possible");
            hits += page.hits;
            first = page.lines.first().map_or(first, |line| line.line);
            if page.complete {
                return (hits, first);
            }
            query.place = Place::at(page.scanned_to);
        }
    })
}

fn in_wasm(wasm: &Wasm, blob: &str, search: &Search) -> (Time, (u64, u64)) {
    let mut query = wasm::GrepRequest {
        regex: search.regex,
        case_mode: match search.case {
            Case::Smart => wasm::CaseMode::Smart,
            Case::Sensitive => wasm::CaseMode::Sensitive,
            Case::Insensitive => wasm::CaseMode::Insensitive,
        },
        ..reading::query(search.pattern)
    };
    once(|| {
        let (mut hits, mut first) = (0, 0);
        loop {
            let page = wasm
                .weir
                .grep(SESSION, blob, wasm::View::Text, &query, None)
                .expect("the search is possible");
            hits += page.matches;
            first = page.lines.first().map_or(first, |hit| hit.line);
            if page.complete {
                return (hits, first);
            }
            query.start = page.searched_to;
        }
    })
}
