//! What a call costs that has next to nothing to do.

use weir_component::fetch::Reader;
use weir_component::spill::result::{Outcome, Reason};
use weir_tests::{SESSION, text_result};

use crate::Options;
use crate::corpus::Corpus;
use crate::side::{both, id};
use crate::table::{at_most, row};
use crate::timer::{best_of_both, once};

const RUNS: u32 = 300;

pub(crate) fn run(options: &Options) {
    let (native, wasm) = both(options);
    let small = "x".repeat(100);
    let result = text_result(small.as_str());
    let times = best_of_both(RUNS, |_| {
        let (native_time, outcome) = native.outcome(&small);
        assert!(matches!(outcome, Outcome::Unchanged { reason: Reason::Small, .. }));
        let (wasm_time, outcome) = once(|| wasm.weir.transform(&result));
        assert!(matches!(outcome, Ok(shown) if shown.reason == "small"));
        (native_time, wasm_time)
    });
    row("call: transform, left as it is", "100 B", times, at_most(0.1));

    let corpus = Corpus::log(100_000);
    let (_, native_blob) = native.transform(&corpus.text);
    let (_, wasm_blob) = wasm.transform(&corpus.text);
    let native_id = id(&native_blob.id);
    let times = best_of_both(RUNS, |_| {
        let (native_time, stat) = once(|| {
            let store = native.store();
            Reader::stat(&native.reader(&store), native_id)
        });
        assert_eq!(stat.expect("it is there").text.bytes, corpus.text.len() as u64);
        let (wasm_time, stat) = once(|| wasm.weir.stat(SESSION, &wasm_blob.id));
        assert_eq!(stat.expect("it is there").handle.bytes, corpus.text.len() as u64);
        (native_time, wasm_time)
    });
    row("call: stat", "100 KB", times, None);
}
