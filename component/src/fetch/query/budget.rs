//! What a run of a program may use, and what is left of it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jaq_core::{DataT, Lut, data};
use jaq_json::Val;

use super::On;
use super::place::Shape;
use crate::allocations;
use crate::content::numbers::counted;
use crate::fetch::engine::Engine;

/// Bytes of the stack that a program may use.
const STACK_BYTES: usize = 288 * 1024;

/// Allocations that count as a step: what a program does between two of its steps is counted so.
const ALLOCATIONS_PER_STEP: u64 = 12;

/// Bytes of memory from which on a program may not make more, of the 64 MiB that a host gives.
const MEMORY_BYTES: usize = 30 * 1024 * 1024;

/// What the interpreter works with: values, and what a run may use.
pub(super) struct Kit;

impl DataT for Kit {
    type V<'a> = Val;
    type Data<'a> = Data<'a>;
}

/// What natives see of a run.
#[derive(Clone, Copy)]
pub(super) struct Data<'a> {
    lut: &'a Lut<Kit>,
    pub(super) budget: &'a Budget,
}

impl<'a> Data<'a> {
    pub(super) fn new(lut: &'a Lut<Kit>, budget: &'a Budget) -> Data<'a> {
        Data { lut, budget }
    }
}

impl<'a> data::HasLut<'a, Kit> for Data<'a> {
    fn lut(&self) -> &'a Lut<Kit> {
        self.lut
    }
}

/// Comparisons, or rows with some, of what is no number with a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Mixed {
    /// Of text.
    pub(super) texts: u64,
    /// Of null.
    pub(super) nulls: u64,
}

impl Mixed {
    pub(super) fn add(&mut self, more: Mixed) {
        self.texts += more.texts;
        self.nulls += more.nulls;
    }

    /// Counts a row by its comparisons.
    pub(super) fn add_row(&mut self, row: Mixed) {
        self.add(Mixed { texts: row.texts.min(1), nulls: row.nulls.min(1) });
    }

    /// What is to be said of them.
    pub(super) fn notes(self, on: On, shape: Shape) -> impl Iterator<Item = String> {
        let unit = if on == On::Rows { "row" } else { "comparison" };
        let verb = match on {
            On::Rows => |count| if count == 1 { "compares" } else { "compare" },
            _ => |count| if count == 1 { "is of" } else { "are of" },
        };
        let null = match shape {
            Shape::Table => "an empty cell",
            _ => "null",
        };
        let kinds = [(self.texts, "text", "above"), (self.nulls, null, "below")];
        kinds.into_iter().filter(|(count, ..)| *count > 0).map(move |(count, what, place)| {
            let (counted, verb) = (counted(count, unit), verb(count));
            format!(
                "{counted} {verb} {what} with a number, and it is {place} every number: (.name | numbers) leaves \
                 it out"
            )
        })
    }
}

/// Why a program was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// Too many steps.
    Steps,
    /// Too deep a recursion.
    Stack,
    /// Too large a value.
    Size,
    /// Too deeply nested a value.
    Depth,
    /// Too much memory for all values together.
    Memory,
}

impl Limit {
    /// What is told of it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Limit::Steps => "it takes too many steps",
            Limit::Stack => "it recurses too deeply",
            Limit::Size => "it builds a value that is too large",
            Limit::Depth => "it builds a value that is nested too deeply",
            Limit::Memory => "it holds too much at once",
        }
    }
}

/// What is left of what a run may use, and what its natives keep.
pub(super) struct Budget {
    steps: Cell<u64>,
    stack: Cell<usize>,
    limit: Cell<Option<Limit>>,
    /// Compiled regular expressions.
    pub(super) regexes: RefCell<Vec<Compiled>>,
    /// Bytes of memory that a run may make the machine have.
    memory: Cell<usize>,
    /// Allocations that are counted as steps.
    allocations: Cell<u64>,
    /// Parts of what was put into other values that were not weighed with it.
    pub(super) put: Cell<u64>,
    /// Comparisons of what is no number with one.
    pub(super) mixed: Cell<Mixed>,
}

impl Budget {
    /// With so many steps.
    pub(super) fn new(steps: u64) -> Budget {
        Budget {
            steps: Cell::new(steps),
            stack: Cell::new(0),
            limit: Cell::new(None),
            regexes: RefCell::default(),
            memory: Cell::new(usize::MAX),
            allocations: Cell::new(allocations::count()),
            put: Cell::new(0),
            mixed: Cell::default(),
        }
    }

    /// Begins a run.
    pub(super) fn begin(&self) {
        self.stack.set(here());
        self.limit.set(None);
        self.put.set(0);
        self.allocations.set(allocations::count());
        // A list that grows is for a moment there three times.
        self.memory.set(MEMORY_BYTES.max(memory_bytes() + MEMORY_BYTES / 2));
    }

    /// The bound that was met.
    pub(super) fn met(&self) -> Option<Limit> {
        self.limit.get()
    }

    /// Steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.steps.get()
    }

    /// Takes steps that were taken elsewhere.
    pub(super) fn take(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_sub(steps));
    }

    /// Counts `steps`; `false` when there are none left or the stack is used up.
    pub(super) fn step(&self, steps: u64) -> bool {
        let left = self.steps.get();
        let steps = steps.saturating_add(self.unseen());
        if left < steps {
            self.steps.set(0);
            self.limit.set(Some(Limit::Steps));
            return false;
        }
        self.steps.set(left - steps);
        if here().abs_diff(self.stack.get()) > STACK_BYTES {
            self.limit.set(Some(Limit::Stack));
            return false;
        }
        if memory_bytes() > self.memory.get() {
            self.limit.set(Some(Limit::Memory));
            return false;
        }
        true
    }

    /// Steps for what was allocated since the last.
    pub(super) fn unseen(&self) -> u64 {
        let before = self.allocations.get();
        let steps = allocations::count().saturating_sub(before) / ALLOCATIONS_PER_STEP;
        self.allocations.set(before + steps * ALLOCATIONS_PER_STEP);
        steps
    }

    /// Ends the run.
    pub(super) fn stop(&self, limit: Limit) {
        self.limit.set(Some(limit));
    }
}

/// Where the stack is.
#[inline(never)]
fn here() -> usize {
    let mark = 0u8;
    std::ptr::from_ref(std::hint::black_box(&mark)) as usize
}

/// Bytes of memory that the machine has; 0 where that is not known.
fn memory_bytes() -> usize {
    #[cfg(target_family = "wasm")]
    return core::arch::wasm32::memory_size(0) << 16;
    #[cfg(not(target_family = "wasm"))]
    0
}

/// Whether so much is held already that a program would have no room.
pub(super) fn is_large() -> bool {
    memory_bytes() > MEMORY_BYTES
}

/// A pattern that was compiled.
pub(super) struct Compiled {
    pub(super) flags: String,
    pub(super) pattern: String,
    pub(super) regex: Rc<Engine>,
}
