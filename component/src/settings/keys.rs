//! Every number and switch that can be set: its name, what it counts, its range, what it does.
//!
//! The reader, the JSON Schema and the table in the README all come from here.

use std::time::Duration;

use super::Settings;

/// What a value counts, which decides how it may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A plain count, `12000` or `"12k"` (powers of 1,000).
    Count,
    /// Bytes, `1024` or `"500 MiB"`.
    Bytes,
    /// A time, in seconds or as `"72h"`.
    Seconds,
    /// `true` or `false`.
    Switch,
}

/// A setting that is one number or switch.
pub struct Key {
    /// The table it is in: `transform`, `fetch` or `store`.
    pub table: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub quantity: Quantity,
    /// The least it may be.
    pub min: u64,
    /// The most it may be.
    pub max: u64,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// Reads it.
    pub get: fn(&Settings) -> u64,
    /// Sets it.
    pub set: fn(&mut Settings, u64),
}

macro_rules! key {
    ($table:ident . $name:ident : count, $min:expr, $max:expr, $doc:expr) => {
        key!($table, $name, Count, $min, $max, $doc, |s| u64::from(s.$table.$name), |s, v| {
            s.$table.$name = u32::try_from(v).unwrap_or(u32::MAX);
        })
    };
    ($table:ident . $name:ident : bytes, $min:expr, $max:expr, $doc:expr) => {
        key!($table, $name, Bytes, $min, $max, $doc, |s| s.$table.$name, |s, v| {
            s.$table.$name = v;
        })
    };
    ($table:ident . $name:ident : time, $min:expr, $max:expr, $doc:expr) => {
        key!($table, $name, Seconds, $min, $max, $doc, |s| s.$table.$name.as_secs(), |s, v| {
            s.$table.$name = Duration::from_secs(v);
        })
    };
    ($table:ident . $name:ident : switch, $doc:expr) => {
        key!($table, $name, Switch, 0, 1, $doc, |s| u64::from(s.$table.$name), |s, v| {
            s.$table.$name = v != 0;
        })
    };
    ($table:ident, $name:ident, $quantity:ident, $min:expr, $max:expr, $doc:expr, $get:expr, $set:expr) => {
        Key {
            table: stringify!($table),
            name: stringify!($name),
            quantity: Quantity::$quantity,
            min: $min,
            max: $max,
            doc: $doc,
            get: $get,
            set: $set,
        }
    };
}

const YEAR: u64 = 366 * 24 * 3_600;

/// All of them, in the order in which they are shown.
pub static KEYS: [Key; 31] = [
    key!(transform.threshold_chars: count, 1, 100_000_000,
        "Characters of text above which a result is replaced."),
    key!(transform.threshold_tokens: count, 0, 100_000_000,
        "Estimated tokens above which a result is replaced as well; 0 counts none."),
    key!(transform.context_tokens: count, 0, 100_000_000,
        "The model's context window in tokens; the threshold is then at most 15 % of it. 0: unknown."),
    key!(transform.turn_budget_chars: count, 0, 1_000_000_000,
        "Characters of all results of one turn above which the largest are replaced; 0: no limit."),
    key!(transform.handle_max_chars: count, 600, 1_000_000,
        "The most characters of a replacement, and never more than half of what it replaces."),
    key!(transform.again: time, 0, YEAR,
        "How long after its excerpt a result that is asked for again passes whole, up to `client_max_chars`; 0: never."),
    key!(transform.client_max_chars: count, 0, 1_000_000_000,
        "Savings count at most this many characters of a result, as most clients cut there; 0 counts all."),
    key!(transform.head_lines: count, 0, 100_000, "Lines shown from the start of a text."),
    key!(transform.tail_lines: count, 0, 100_000, "Lines shown from the end of a text."),
    key!(transform.line_max_chars: count, 20, 100_000, "Characters shown of one line."),
    key!(transform.json_head_items: count, 0, 10_000,
        "Items shown from the start of a JSON array."),
    key!(transform.json_tail_items: count, 0, 10_000, "Items shown from the end of a JSON array."),
    key!(transform.anchor_lines: count, 0, 1_000,
        "Lines of error or warning shown from the middle."),
    key!(transform.fallback_max_chars: count, 0, 10_000_000,
        "Characters up to which a result that cannot be stored passes whole."),
    key!(transform.binary_inline_bytes: count, 0, 1_000_000_000,
        "Bytes up to which a binary part that is no image or sound stays in the result."),
    key!(fetch.max_chars: count, 500, 10_000_000,
        "The most characters of one answer; less than the threshold."),
    key!(fetch.full_max_chars: count, 500, 100_000_000, "The most characters of a `full` answer."),
    key!(fetch.refuse_full: switch,
        "Refuse `full` above its limit; else answer with what fits and a cursor."),
    key!(fetch.grep_max_matches: count, 1, 1_000, "Matches on one page of `grep`."),
    key!(fetch.grep_line_chars: count, 40, 4_000,
        "Characters shown of a matching line, around the match."),
    key!(fetch.default_lines: count, 1, 100_000,
        "Lines of `head`, `tail` and of a range without a count."),
    key!(fetch.counted: switch,
        "Count what is read as read back by a model. Off where a person takes a result out."),
    key!(fetch.recall: switch,
        "After a compaction or on resume, hooks tell the model what its session has stored."),
    key!(fetch.legacy_global: switch,
        "Answer a caller that names no session from the blobs of all."),
    key!(store.max_bytes: bytes, 64 * 1024, 1 << 50,
        "Bytes all blobs may take on disk, held at every put."),
    key!(store.ttl: time, 1, 100 * YEAR, "How long a handle lives after its last use."),
    key!(store.hot_ttl: time, 1, 100 * YEAR,
        "How long a handle that is fetched often (see `hot_fetches`) lives after its last use."),
    key!(store.hot_fetches: count, 1, 1_000_000,
        "Recent fetches that make a handle hot; one counts half after a day."),
    key!(store.tombstone_ttl: time, 1, 100 * YEAR,
        "How long the store remembers a handle that is gone."),
    key!(store.grace: time, 0, YEAR,
        "A blob used within this time is not evicted to make room."),
    key!(store.in_memory: switch,
        "Where the host gives no directory, keep results in the memory of the instance: they go with it."),
];
