//! What the interpreter works with, and what its natives keep in the course of a query.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use jaq_core::{DataT, Lut, data};
use jaq_json::Val;

use super::On;
use super::place::Shape;
use crate::allocations;
use crate::content::numbers::counted;
use crate::fetch::engine::Engine;
use crate::handle::BlobId;

/// Allocations of a program that count as a step of work.
const ALLOCATIONS_PER_STEP: u64 = 4;

/// Bytes of memory from which on no more is read at once, of the 64 MiB that a host gives.
#[cfg(target_family = "wasm")]
const MEMORY_BYTES: usize = 30 * 1024 * 1024;

/// What the interpreter works with: values, and what natives keep.
pub(super) struct Kit;

impl DataT for Kit {
    type V<'a> = Val;
    type Data<'a> = Data<'a>;
}

/// What natives see of a run.
#[derive(Clone, Copy)]
pub(super) struct Data<'a> {
    pub(super) lut: &'a Lut<Kit>,
    pub(super) kept: &'a Kept,
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
    /// Of text that is a number.
    pub(super) figures: u64,
    /// Of null.
    pub(super) nulls: u64,
}

impl Mixed {
    pub(super) fn add(&mut self, more: Mixed) {
        self.texts += more.texts;
        self.figures += more.figures;
        self.nulls += more.nulls;
    }

    /// Counts a row by its comparisons.
    pub(super) fn add_row(&mut self, row: Mixed) {
        let Mixed { texts, figures, nulls } = row;
        self.add(Mixed { texts: texts.min(1), figures: figures.min(1), nulls: nulls.min(1) });
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
        // What is a number in quotes is meant as one.
        let of_texts = match self.figures * 2 > self.texts {
            true => "(... | tonumber) reads it as one",
            false => "(... | numbers) leaves it out",
        };
        let of_nulls = "(... | numbers) leaves it out";
        let kinds =
            [(self.texts, "text", "above", of_texts), (self.nulls, null, "below", of_nulls)];
        kinds.into_iter().filter(|(count, ..)| *count > 0).map(move |(count, what, place, how)| {
            let (counted, verb) = (counted(count, unit), verb(count));
            format!("{counted} {verb} {what} with a number, and it is {place} every number: {how}")
        })
    }
}

/// What natives keep, and how much work was done.
#[derive(Default)]
pub(super) struct Kept {
    /// Compiled regular expressions.
    pub(super) regexes: RefCell<Vec<Compiled>>,
    /// Comparisons of what is no number with one.
    pub(super) mixed: Cell<Mixed>,
    /// The rows of results that the program names beside its own.
    pub(super) beside: Vec<Val>,
    /// The id of the result that the row at hand is of.
    pub(super) from: Cell<Option<BlobId>>,
    pub(super) work: Cell<u64>,
}

impl Kept {
    /// Steps of work so far: what was read and searched, and what programs allocated. It tells when a page has
    /// enough of rows; what ends a program without end is the host.
    pub(super) fn work(&self) -> u64 {
        self.work.get()
    }

    /// Counts steps of work.
    pub(super) fn count(&self, steps: u64) {
        self.work.set(self.work.get().saturating_add(steps));
    }

    /// Counts what `run` allocates.
    pub(super) fn counting<T>(&self, run: impl FnOnce() -> T) -> T {
        let before = allocations::count();
        let done = run();
        self.count((allocations::count() - before) / ALLOCATIONS_PER_STEP);
        done
    }
}

/// Whether so much is held already that a program would have no room.
pub(super) fn is_large() -> bool {
    #[cfg(target_family = "wasm")]
    return core::arch::wasm32::memory_size(0) << 16 > MEMORY_BYTES;
    #[cfg(not(target_family = "wasm"))]
    false
}

/// A pattern that was compiled.
pub(super) struct Compiled {
    pub(super) flags: String,
    pub(super) pattern: String,
    pub(super) regex: Rc<Engine>,
}
