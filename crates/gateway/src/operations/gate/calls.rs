//! Threads for calls into the component.
//!
//! A call blocks. In a thread of a tokio runtime, those for blocking work included, the host hands each
//! step of it to yet another thread; these are outside of any runtime, so a call stays where it begins.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, PoisonError};
use std::thread;
use weir_base::Mutex;

type Call = Box<dyn FnOnce() + Send>;

/// Calls that wait, and the threads that make them. Threads stay.
struct Calls {
    state: Mutex<State>,
    /// Told when a call waits.
    waits: Condvar,
}

struct State {
    waiting: VecDeque<Call>,
    threads: usize,
    idle: usize,
}

static CALLS: Calls = Calls {
    state: Mutex::new(State { waiting: VecDeque::new(), threads: 0, idle: 0 }),
    waits: Condvar::new(),
};

/// Makes a call in a thread for calls, in the order in which they come.
pub(super) fn make(call: impl FnOnce() + Send + 'static) {
    let mut state = CALLS.state.lock();
    state.waiting.push_back(Box::new(call));
    if state.idle >= state.waiting.len() || state.threads >= most_threads() {
        drop(state);
        CALLS.waits.notify_one();
        return;
    }
    let name = format!("weir-call-{}", state.threads);
    match thread::Builder::new().name(name).spawn(work) {
        Ok(_) => state.threads += 1,
        // One of those there are will come to it.
        Err(_) if state.threads > 0 => {}
        // Whoever waits for the call learns that nobody makes it.
        Err(_) => state.waiting.clear(),
    }
}

/// Calls wait for the disk as well, so there are some more than processors.
fn most_threads() -> usize {
    2 * thread::available_parallelism().map_or(1, NonZero::get) + 2
}

fn work() {
    let mut state = CALLS.state.lock();
    loop {
        while let Some(call) = state.waiting.pop_front() {
            drop(state);
            // A panic has been printed; whoever waits for the call sees that it was dropped.
            let _ = catch_unwind(AssertUnwindSafe(call));
            state = CALLS.state.lock();
        }
        state.idle += 1;
        state = CALLS.waits.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
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
        assert!(CALLS.state.lock().threads <= most_threads());
    }
}
