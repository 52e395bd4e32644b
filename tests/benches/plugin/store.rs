//! What a put and a sweep cost as the store fills up.
//!
//! Blobs of 1 KB, ten to a session. The put is a whole transform of 20 KB, with all that it waits
//! for on the disk. The sweep finds nothing to remove, as most do; it looks at every file.

use std::time::SystemTime;

use weir_component::store::{BlobStore, Record};
use weir_tests::SESSION;

use crate::Options;
use crate::corpus::Corpus;
use crate::side::{Native, Wasm, both};
use crate::table::{at_most, row, times};
use crate::timer::{Time, best_of_both, once};

/// Blobs to a session.
const SESSION_BLOBS: usize = 10;

/// Threads that fill the stores: most of a put is waiting for the disk.
const THREADS: usize = 16;

pub(crate) fn run(options: &Options) {
    let (native, wasm) = both(options);
    let mut corpus = Corpus::log(20_000);
    let mut puts = 0;
    // The first makes the directories.
    put(&native, &wasm, &mut corpus, &mut puts);
    let empty = best_of_both(PUTS, |_| put(&native, &wasm, &mut corpus, &mut puts));
    row("put 20 KB, empty store", "0", empty, None);
    let mut filled = 0;
    for blobs in [10, 1_000, 10_000, 100_000] {
        if options.quick && blobs > 10_000 {
            continue;
        }
        let wasm_store =
            BlobStore::open(wasm.weir.store().expect("it has one"), native.settings.store);
        for store in [native.store(), wasm_store.expect("the store opens")] {
            fill(&store, filled, blobs);
        }
        filled = blobs;
        let count = format!("{blobs}");
        let target = if blobs == 100_000 { times(1.2, empty.1, "empty") } else { None };
        let time = best_of_both(PUTS, |_| put(&native, &wasm, &mut corpus, &mut puts));
        row("put 20 KB", &count, time, target);
        let target = if blobs == 100_000 { at_most(5_000.0) } else { None };
        let held = blobs as u64 + puts;
        let time =
            best_of_both(if blobs > 10_000 { 3 } else { 5 }, |_| sweep(&native, &wasm, held));
        row("sweep", &count, time, target);
    }
}

const PUTS: u32 = 25;

fn put(native: &Native, wasm: &Wasm, corpus: &mut Corpus, puts: &mut u64) -> (Time, Time) {
    *puts += 1;
    corpus.stamp(*puts);
    let (native_time, expected) = native.transform(&corpus.text);
    let (wasm_time, shown) = wasm.transform(&corpus.text);
    assert_eq!(shown, expected, "native and wasm show the same");
    assert!(wasm.weir.stat(SESSION, &shown.id).is_ok(), "what was put is there");
    (native_time, wasm_time)
}

/// Puts blobs until there are so many.
fn fill(store: &BlobStore, from: usize, to: usize) {
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for number in (from..to).filter(|number| number % THREADS == thread) {
                    let bytes = format!("blob {number:<994}\n");
                    let session = format!("session {}", number / SESSION_BLOBS);
                    let now = SystemTime::now();
                    store
                        .publish(bytes.as_bytes(), now)
                        .and_then(|new| store.refer(&session, &new, &Record::default(), now))
                        .expect("a blob can be put");
                }
            });
        }
    });
}

fn sweep(native: &Native, wasm: &Wasm, held: u64) -> (Time, Time) {
    let store = native.store();
    let (native_time, progress) = once(|| {
        let mut sweeper = store.sweeper();
        loop {
            let progress = sweeper.step(4_096, SystemTime::now()).expect("the sweep goes on");
            if progress.done {
                return progress;
            }
        }
    });
    assert!(progress.removed_blobs == 0 && progress.entries >= 2 * held, "{progress:?}");
    let (wasm_time, progress) = once(|| wasm.weir.sweep(|_| ()));
    let progress = progress.expect("the sweep goes on");
    assert!(progress.removed_blobs == 0 && progress.seen >= 2 * held, "{progress:?}");
    let handles =
        wasm.weir.status().expect("the status is had").census.map(|census| census.handles);
    assert_eq!(handles, Some(held), "the sweep counted every handle");
    (native_time, wasm_time)
}
