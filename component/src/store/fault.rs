//! Stops the store after any step, in tests.
//!
//! Outside tests [`step`] is nothing. A test says after how many steps of which sort the disk is
//! full or the process is killed, and then looks at what is left; or what another process does
//! between two steps.

use std::io;

/// What a step does to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    /// Writes bytes: fails when the disk is full.
    Write,
    /// Creates a file or directory: fails when the disk is full.
    Create,
    /// Renames, removes or touches: works on a full disk.
    Change,
}

#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "it fails in tests")]
pub(super) fn step(_op: Op) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(super) use for_tests::{Fault, between, step, with};

#[cfg(test)]
mod for_tests {
    use super::{Op, io};
    use std::cell::{Cell, RefCell};

    /// What goes wrong.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in super::super) enum Fault {
        /// Every step from this one on fails, cleaning up included: the process is dead.
        Killed { after: u64 },
        /// Every step from this one on that needs room fails.
        DiskFull { after: u64 },
    }

    thread_local! {
        static FAULT: Cell<Option<(Fault, u64)>> = const { Cell::new(None) };
        static OTHER: RefCell<Option<Other>> = const { RefCell::new(None) };
    }

    /// What is to be done before a step, and how many steps there are until then.
    type Other = (u64, Box<dyn FnOnce()>);

    /// Runs `f`, and `other` after its first `after` steps; whether it came to that.
    pub(in super::super) fn between<T>(
        after: u64,
        other: impl FnOnce() + 'static,
        f: impl FnOnce() -> T,
    ) -> (T, bool) {
        OTHER.set(Some((after, Box::new(other))));
        let value = f();
        (value, OTHER.take().is_none())
    }

    /// Runs `f` with a fault; whether it struck.
    pub(in super::super) fn with<T>(fault: Fault, f: impl FnOnce() -> T) -> (T, bool) {
        FAULT.set(Some((fault, 0)));
        let value = f();
        let (fault, steps) = FAULT.take().unwrap_or((fault, 0));
        let (Fault::Killed { after } | Fault::DiskFull { after }) = fault;
        (value, steps > after)
    }

    pub(in super::super) fn step(op: Op) -> io::Result<()> {
        match OTHER.take() {
            Some((0, other)) => other(),
            Some((left, other)) => OTHER.set(Some((left - 1, other))),
            None => {}
        }
        let Some((fault, steps)) = FAULT.get() else { return Ok(()) };
        let (after, error) = match fault {
            Fault::Killed { after } => (after, io::ErrorKind::Other),
            Fault::DiskFull { .. } if op == Op::Change => return Ok(()),
            Fault::DiskFull { after } => (after, io::ErrorKind::StorageFull),
        };
        FAULT.set(Some((fault, steps + 1)));
        if steps < after { Ok(()) } else { Err(io::Error::new(error, "injected")) }
    }
}
