//! What each class of call may use: the one table.
//!
//! Long work is sliced inside the component, so that these are a backstop: a call that meets one
//! has gone wrong, was fed something far out of proportion, or runs a program of a model that has no end. It ends with
//! [`Trap`](crate::Error::Trap), its instance is dropped, and the next call gets a fresh one.

use std::time::Duration;

use wasmtime::Store;

/// What one call may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Fuel, about one unit an instruction: 12 to 28 billion a second of CPU.
    pub fuel: u64,
    /// Time on the clock.
    pub deadline: Duration,
    /// The component's linear memory, in bytes.
    pub memory_bytes: usize,
}

impl Limits {
    /// Sets fuel and the deadline of the next call. The store's engine interrupts by epochs, and its
    /// epoch is incremented every `tick`; fuel is set where the engine counts it.
    pub(crate) fn apply<T>(
        self,
        store: &mut Store<T>,
        tick: Duration,
        counts_fuel: bool,
    ) -> wasmtime::Result<()> {
        let ticks = self.deadline.as_nanos() / tick.as_nanos().max(1);
        // One more than asked for, as the first tick may come at once.
        store.set_epoch_deadline(u64::try_from(ticks).unwrap_or(u64::MAX / 2).saturating_add(1));
        match counts_fuel {
            true => store.set_fuel(self.fuel),
            false => Ok(()),
        }
    }
}

/// What kind of work a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Settings, definitions: no input to speak of.
    Small,
    /// Transform and intake; the work grows with the input.
    Transform,
    /// Stat, range, list: the work does not depend on the blob.
    Fetch,
    /// One slice of a grep, or one call of a model's tool.
    Grep,
    /// Building a catalog.
    Index,
    /// One search, description or resolution in a catalog.
    Search,
    /// One slice of a sweep or a check.
    Sweep,
}

const MIB: usize = 1024 * 1024;

impl Class {
    /// The limits of a call of this class on `input_bytes` of input.
    #[must_use]
    pub fn limits(self, input_bytes: u64) -> Limits {
        // Fuel and milliseconds for the call itself, then for each byte and each MiB of input.
        let (fuel, fuel_per_byte, millis, millis_per_mib, memory) = match self {
            Class::Small => (1_000_000_000, 0, 5_000, 0, 64),
            // A byte is hashed (75), checked, scanned and unescaped, perhaps twice. A put into a
            // full store also looks for what to evict.
            Class::Transform => (20_000_000_000, 800, 30_000, 200, 512),
            Class::Fetch => (4_000_000_000, 0, 10_000, 0, 64),
            // A slice without a literal is 1 MiB at up to 6,000 a byte.
            Class::Grep => (12_000_000_000, 0, 20_000, 0, 64),
            Class::Index => (40_000_000_000, 4_000, 60_000, 1_000, 512),
            Class::Search => (4_000_000_000, 1_000, 10_000, 100, 512),
            Class::Sweep => (40_000_000_000, 0, 60_000, 0, 512),
        };
        Limits {
            fuel: input_bytes.saturating_mul(fuel_per_byte).saturating_add(fuel),
            deadline: Duration::from_millis(
                (input_bytes / MIB as u64).saturating_mul(millis_per_mib).saturating_add(millis),
            ),
            memory_bytes: memory * MIB,
        }
    }
}
