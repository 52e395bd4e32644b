//! A result goes in, an excerpt and a handle come out.

use std::sync::atomic::{AtomicUsize, Ordering};

use weir_host::{Class, Error, Limits, TrapReason, Weir};
use weir_tests::{engine, text_result};

use crate::Options;
use crate::corpus::{Corpus, size_name};
use crate::side::both;
use crate::table::{at_most, note_row, row};
use crate::timer::best_of_both;

const MB: usize = 1_000_000;

pub(crate) fn run(options: &Options) {
    for (what, make) in [
        ("text", Corpus::log as fn(usize) -> Corpus),
        ("JSON", Corpus::json as fn(usize) -> Corpus),
    ] {
        for (bytes, runs) in [(100_000, 15), (MB, 9), (10 * MB, 5), (100 * MB, 3)] {
            if options.quick && bytes > 10 * MB {
                continue;
            }
            let target = match bytes / MB {
                10 => at_most(150.0),
                100 => at_most(1_500.0),
                _ => None,
            };
            let mut corpus = make(bytes);
            // The store of one size ends before its cap.
            let (native, wasm) = both(options);
            let times = best_of_both(runs, |number| {
                corpus.stamp(u64::from(number));
                let (native_time, expected) = native.transform(&corpus.text);
                let (wasm_time, shown) = wasm.transform(&corpus.text);
                assert_eq!(shown, expected, "native and wasm show the same");
                assert!(shown.text.chars().count() <= 6_000, "a handle fits its cap");
                (native_time, wasm_time)
            });
            let size = size_name(corpus.text.len());
            row(&format!("transform {what}"), &size, times, target);
            if bytes >= 10 * MB {
                memory(options, what, &corpus);
            }
        }
    }
}

/// The memory, in MiB, that the guest is allowed in [`memory`].
static ALLOWED: AtomicUsize = AtomicUsize::new(0);

fn limited(class: Class, input_bytes: u64) -> Limits {
    let memory_bytes = ALLOWED.load(Ordering::Relaxed) * 1024 * 1024;
    Limits { memory_bytes, ..class.limits(input_bytes) }
}

/// The least memory with which the guest can do it, found by allowing less and less.
fn memory(options: &Options, what: &str, corpus: &Corpus) {
    let mut least = None;
    for mebibytes in [64, 32, 16, 12, 8, 6, 5, 4, 3, 2] {
        ALLOWED.store(mebibytes, Ordering::Relaxed);
        let directory = tempfile::tempdir_in(&options.dir).expect("a directory can be made");
        let weir = Weir::builder()
            .limits(limited)
            .open_with(engine(), directory.path().join("store"))
            .expect("the store can be made");
        match weir.transform(&text_result(corpus.text.as_str())) {
            Ok(t) if t.replaced => least = Some(mebibytes),
            Err(Error::Trap { reason: TrapReason::OutOfMemory, .. }) => break,
            other => panic!("not replaced: {other:?}"),
        }
    }
    let found = least.map_or_else(|| "> 64 MiB".to_owned(), |least| format!("{least} MiB"));
    let size = size_name(corpus.text.len());
    note_row(&format!("... guest memory, {what}"), &size, &found, "<= 64 MiB", least.is_some());
}
