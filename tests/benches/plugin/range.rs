//! Twenty lines from anywhere in a blob.

use weir_component::fetch::View;
use weir_component::fetch::page::Encoding;
use weir_component::fetch::range::{Range, Unit};
use weir_host::contract as wasm;
use weir_tests::SESSION;

use crate::Options;
use crate::corpus::{Corpus, size_name};
use crate::side::{both, id};
use crate::table::{at_most, row};
use crate::timer::{best_of_both, once};

const LINES: usize = 20;

pub(crate) fn run(options: &Options) {
    let bytes = if options.quick { 10_000_000 } else { 100_000_000 };
    let corpus = Corpus::log(bytes);
    let (native, wasm) = both(options);
    let (_, native_blob) = native.transform(&corpus.text);
    let (_, wasm_blob) = wasm.transform(&corpus.text);
    let native_id = id(&native_blob.id);
    let max_chars = native.settings.fetch.max_chars as usize;
    for (what, start) in
        [("start", 1), ("middle", corpus.lines / 2), ("end", corpus.lines - LINES + 1)]
    {
        let expected = corpus.lines(start, LINES);
        let start = start as i64;
        let times = best_of_both(40, |_| {
            let range = Range { unit: Unit::Lines, start, count: Some(LINES as u64) };
            let (native_time, page) = once(|| {
                let store = native.store();
                native.reader(&store).range(native_id, View::Text, range, max_chars)
            });
            let page = page.expect("the lines are there");
            assert!(page.encoding == Encoding::Utf8 && page.content == expected);
            let (wasm_time, page) = once(|| {
                wasm.weir.read(
                    SESSION,
                    &wasm_blob.id,
                    wasm::View::Text,
                    wasm::Unit::Lines,
                    start,
                    Some(LINES as u64),
                    None,
                )
            });
            assert_eq!(page.expect("the lines are there").content, expected);
            (native_time, wasm_time)
        });
        row(&format!("range, {LINES} lines at the {what}"), &size_name(bytes), times, at_most(5.0));
    }
}
