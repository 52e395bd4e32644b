//! Threads for calls into the component.
//!
//! A call blocks. In a thread of a tokio runtime, those for blocking work included, the host hands each
//! step of it to yet another thread; these are outside of any runtime, so a call stays where it begins.

use std::num::NonZero;
use std::sync::OnceLock;
use std::thread;

use rayon_core::{ThreadPool, ThreadPoolBuilder};

/// The threads, which stay; none where the system gives none.
fn threads() -> Option<&'static ThreadPool> {
    static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let made = || {
        // Calls wait for the disk as well, so there are some more than processors.
        let most = 2 * thread::available_parallelism().map_or(1, NonZero::get) + 2;
        let threads = ThreadPoolBuilder::new().num_threads(most);
        let threads = threads.thread_name(|n| format!("weir-gate-{n}"));
        // A panic has been printed; whoever waits for the call sees that it was dropped.
        threads.panic_handler(drop).build().ok()
    };
    THREADS.get_or_init(made).as_ref()
}

/// Makes a call in a thread for calls, in the order in which they come. Without threads it is dropped: whoever waits
/// for it learns that nobody makes it.
pub(super) fn make(call: impl FnOnce() + Send + 'static) {
    if let Some(threads) = threads() {
        threads.spawn_fifo(call);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn calls_are_made_at_once_and_one_that_panics_costs_no_other() {
        let (done, outcomes) = mpsc::channel();
        // Two that wait for each other: one thread could not make both.
        let (to_second, from_first) = mpsc::channel();
        let (to_first, from_second) = mpsc::channel::<()>();
        let told = done.clone();
        make(move || {
            to_second.send(()).unwrap();
            from_second.recv().unwrap();
            told.send(1).unwrap();
        });
        let told = done.clone();
        make(move || {
            from_first.recv().unwrap();
            to_first.send(()).unwrap();
            told.send(2).unwrap();
        });
        for number in 10..60 {
            let told = done.clone();
            make(move || {
                assert!(number % 10 != 3, "a call that panics");
                told.send(number).unwrap();
            });
        }
        drop(done);
        let mut all: Vec<i32> = outcomes.iter().collect();
        all.sort_unstable();
        let expected = [1, 2].into_iter().chain((10..60).filter(|number| number % 10 != 3));
        assert_eq!(all, expected.collect::<Vec<_>>());
    }
}
