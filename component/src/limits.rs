//! Every bound that is not a setting: name, unit, why.
//!
//! What a user may change is in [`crate::settings`], with its default and its range there.

/// Bytes read from a blob at once. 64 KiB reads run at full speed in wasmtime, smaller ones do not.
pub const READ_BYTES: usize = 64 * 1024;

/// Bytes a block check and an index mark cover. One block is the least that a read verifies.
pub const BLOCK_BYTES: usize = 64 * 1024;

/// Hex digits in the shortest id that a model is shown: 48 bits, lengthened when two blobs share them.
pub const ID_MIN_HEX: usize = 12;

/// Hex digits in a whole digest.
pub const ID_MAX_HEX: usize = 64;

/// Characters in a session's name.
pub const SESSION_MAX_CHARS: usize = 512;

/// Characters in a tool's name, as kept with a blob.
pub const TOOL_MAX_CHARS: usize = 256;

/// Characters of the source pointer (url, path, query) kept with a blob.
pub const SOURCE_MAX_CHARS: usize = 300;

/// Characters in the smallest handle: below this a handle could not say what it must.
pub const HANDLE_MIN_CHARS: usize = 600;

/// Bytes of a text that are looked at to tell its kind.
pub const CLASSIFY_BYTES: usize = 64 * 1024;

/// Envelopes opened one inside the other: `{"result": "{\"output\": …}"}` is two.
pub const ENVELOPE_DEPTH: usize = 3;

/// Bytes that one call of grep scans behind a literal prefilter.
pub const GREP_SLICE_BYTES: u64 = 128 * 1024 * 1024;

/// Bytes that one call of grep scans without one: regex-lite takes up to 6,000 fuel a byte.
pub const GREP_SLOW_SLICE_BYTES: u64 = 1024 * 1024;

/// Characters in a grep pattern. Longer ones cost more to compile than any line is worth.
pub const GREP_PATTERN_MAX_CHARS: usize = 1_000;

/// Bytes of a line that regex-lite sees at once; a longer line is searched in overlapping windows.
pub const GREP_WINDOW_BYTES: usize = 64 * 1024;

/// How far two windows of one line overlap: the longest match that is found wherever it lies.
pub const GREP_OVERLAP_BYTES: usize = 4 * 1024;
