//! Every bound that is not a setting: name, unit, why.
//!
//! What a user may change is in [`crate::settings`], with its default and its range there.

/// Bytes read from a blob at once. 64 KiB reads run at full speed in wasmtime, smaller ones do not.
pub const READ_BYTES: usize = 64 * 1024;

/// Bytes a block check and an index mark cover. One block is the least that a read verifies.
pub const BLOCK_BYTES: usize = 64 * 1024;

/// Hex digits in the shortest id that a model is shown: 48 bits, lengthened when two blobs share them.
pub const ID_MIN_HEX: usize = 12;

/// The fewest digits by which an id may be named.
pub const ID_START_HEX: usize = 4;

/// Hex digits in a whole digest.
pub const ID_MAX_HEX: usize = 64;

/// Most ids that one call reads as one.
pub const IDS_MAX: usize = 8;

/// Lists that may begin with the same bytes: each has one more plus behind its id.
pub const LISTS_MAX: usize = 64;

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

/// Steps of work after which one call of query begins no other row: 16 bytes that are read are one, or four allocations
/// of a program.
pub const QUERY_CALL_STEPS: u64 = if cfg!(test) { 150_000 } else { 750_000 };

/// Bytes of rows that one call of outline reads.
pub const OUTLINE_CALL_BYTES: u64 = 12 * 1024 * 1024;

/// Bytes of texts that one call of search looks through.
pub const SEARCH_CALL_BYTES: u64 = 16 * 1024 * 1024;

/// How much of its work one call does before it says where to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Bytes that grep scans behind a literal prefilter.
    pub grep_bytes: u64,
    /// Steps of work after which query begins no other row.
    pub query_steps: u64,
    /// Bytes of rows that outline reads.
    pub outline_bytes: u64,
    /// Bytes of texts that search looks through.
    pub search_bytes: u64,
}

impl Work {
    /// What one call does unless a test asks for less or more.
    pub const CALL: Work = Work {
        grep_bytes: GREP_SLICE_BYTES,
        query_steps: QUERY_CALL_STEPS,
        outline_bytes: OUTLINE_CALL_BYTES,
        search_bytes: SEARCH_CALL_BYTES,
    };
}

impl Default for Work {
    fn default() -> Work {
        Work::CALL
    }
}

/// Characters in a grep pattern. Longer ones cost more to compile than any line is worth.
pub const GREP_PATTERN_MAX_CHARS: usize = 1_000;

/// Bytes of a line that are searched at once; a longer line is searched in overlapping windows.
pub const GREP_WINDOW_BYTES: usize = 64 * 1024;

/// How far two windows of one line overlap: the longest match that is found wherever it lies.
pub const GREP_OVERLAP_BYTES: usize = 4 * 1024;

/// Tools in one catalog. Above this a snapshot is refused: a query scores all of them, and with this
/// many it still answers within milliseconds.
pub const CATALOG_MAX_TOOLS: usize = 50_000;

/// Bytes of all names, descriptions and schemas in one catalog, before anything is clipped.
pub const CATALOG_MAX_BYTES: usize = 64 * 1024 * 1024;

/// Characters kept of a tool's description. The longest of 1,800 real ones has 40,000.
pub const DESCRIPTION_MAX_CHARS: usize = 65_536;

/// Characters in the name a tool is shown under.
pub const TOOL_ID_MAX_CHARS: usize = 128;

/// Bytes of a schema that is still read. A longer one is kept and shown, but nothing is checked by it.
pub const SCHEMA_MAX_BYTES: usize = 1024 * 1024;

/// Levels of nesting in a schema that is still read; below serde_json's own limit of 128.
pub const SCHEMA_MAX_DEPTH: usize = 100;

/// Tags or aliases kept of one tool.
pub const LABELS_MAX: usize = 64;

/// Phrases kept of one tool.
pub const PHRASES_MAX: usize = 16;

/// Characters of one phrase: a longer one is left out.
pub const PHRASE_MAX_CHARS: usize = 200;

/// Queries in one search.
pub const SEARCH_MAX_QUERIES: usize = 7;

/// Characters read of one query.
pub const SEARCH_QUERY_MAX_CHARS: usize = 512;

/// Hits for one query in detail, when the caller says nothing; as many more are then named.
pub const SEARCH_DEFAULT_LIMIT: u32 = 5;

/// Hits for one query at most.
pub const SEARCH_MAX_LIMIT: u32 = 25;

/// Hits in one answer, over all its queries.
pub const SEARCH_MAX_CANDIDATES: usize = 50;

/// Names that are read of one `select:`: those that are looked up, and as many that are only named again.
pub const SELECT_MAX_NAMES: usize = 2 * SEARCH_MAX_CANDIDATES;

/// The most names of tools that might do, for one query.
pub const SEARCH_MAX_WEAK: usize = 10;

/// The most names like one that was asked for, and the most visible tools that are named for a query.
pub const SEARCH_MAX_NEAR: usize = 5;

/// Characters in one answer of search, when the caller says nothing. Under the transform's
/// threshold, so that an answer is never itself replaced.
pub const SEARCH_ANSWER_CHARS: usize = 8_000;

/// Characters in one answer of describe, when the caller says nothing. As for search.
pub const DESCRIBE_ANSWER_CHARS: usize = 10_000;

/// The least an answer of search or describe may be held to: below this it could not say what it must.
pub const ANSWER_MIN_CHARS: usize = 2_000;

/// The most an answer of search or describe may be allowed.
pub const ANSWER_MAX_CHARS: usize = 200_000;

/// Names in one describe.
pub const DESCRIBE_MAX_NAMES: usize = 10;

/// Characters in a signature: 95 % of real tools fit whole.
pub const SIGNATURE_MAX_CHARS: usize = 300;

/// Calls in one batch.
pub const CALL_MAX_BATCH: usize = 16;

/// Bytes of a model's arguments that are still read.
pub const CALL_MAX_BYTES: usize = 8 * 1024 * 1024;

/// Steps one validation may take before it gives up and lets the call pass, flagged.
pub const VALIDATE_MAX_STEPS: u32 = 200_000;

/// Levels of schema and value one validation may descend before it gives up in the same way.
pub const VALIDATE_MAX_DEPTH: u32 = 96;

/// Identical searches in one conversation before the answer is to stop searching.
pub const SEARCH_MAX_REPEATS: usize = 2;

/// Searches without a call in between before the answer is to stop searching.
pub const SEARCH_MAX_IN_A_ROW: usize = 12;

/// Parts of one result that are replaced each for itself. With more, all its text becomes one: a
/// handle's cap is shared, and must leave each enough to be read.
pub const PARTS_REPLACED: usize = 4;

/// Bytes of a streamed result that are held in memory before the store is met.
pub const INTAKE_HELD_BYTES: usize = 256 * 1024;
