//! What a user may change: JSON of one schema, the same for the file, the flags and the contract.
//!
//! Every field has a default with which everything works, a unit in its name or its doc, and a
//! range that [`parse`](parse::parse) holds it to. A bad value never disables anything: it is
//! named, and the default stands in for that key alone.

use std::time::Duration;

pub mod keys;
pub mod never_store;
pub mod parse;
pub mod print;
pub mod quantity;
pub mod schema;

/// All settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// When a result is replaced and what stands in its place.
    pub transform: TransformSettings,
    /// How much one answer of fetch may hold.
    pub fetch: FetchSettings,
    /// How long blobs live and how much room they may take.
    pub store: StoreSettings,
}

/// When a result is replaced and what stands in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct TransformSettings {
    /// Characters in all text of a result from which on it is replaced: one more than this.
    pub threshold_chars: u32,
    /// Estimated tokens from which on a result is replaced as well; 0 leaves tokens uncounted.
    pub threshold_tokens: u32,
    /// The model's context window in estimated tokens; 0 when unknown. The threshold is never more
    /// than 15 % of it (with a floor of 8,000 characters).
    pub context_tokens: u32,
    /// Characters in all results of one turn above which the largest are replaced; 0 for no limit.
    pub turn_budget_chars: u32,
    /// The most characters a replacement may have. It is never more than half of what it replaces.
    pub handle_max_chars: u32,
    /// How long after its excerpt a result that is asked for again passes whole; zero: never.
    pub again: Duration,
    /// Savings count at most this many characters of a result, as most clients cut there. 0
    /// counts all.
    pub client_max_chars: u32,
    /// Lines shown from the start of a text.
    pub head_lines: u32,
    /// Lines shown from the end of a text.
    pub tail_lines: u32,
    /// Characters of one line that are shown; the rest is counted.
    pub line_max_chars: u32,
    /// Items shown from the start of a JSON array.
    pub json_head_items: u32,
    /// Items shown from the end of a JSON array.
    pub json_tail_items: u32,
    /// Lines of error or warning shown from the middle.
    pub anchor_lines: u32,
    /// The words that make a line worth showing from the middle: whole words, any case.
    pub anchor_words: Vec<String>,
    /// Rules by tool, the first that matches counts. Before them, `exclude`.
    pub rules: Vec<Rule>,
    /// Tools whose results are never touched, as names or globs.
    pub exclude: Vec<String>,
    /// Calls whose results are never stored, as rules that add to those of `never_store.txt`.
    pub never_store: Vec<String>,
    /// Characters up to which a result passes whole when it cannot be stored.
    pub fallback_max_chars: u32,
    /// Bytes up to which a binary part other than an image or a sound stays in the result.
    pub binary_inline_bytes: u32,
}

/// What one tool's results are held to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// A tool's name, or a glob (`*`, `?`) over `tool` or `toolset/tool`.
    pub tool: String,
    /// What to do with its results.
    pub action: Action,
}

/// What to do with a tool's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Replace above this many characters.
    Threshold(u32),
    /// Replace whenever that makes the result shorter.
    Always,
    /// Leave alone.
    Never,
}

/// How much one answer of fetch may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchSettings {
    /// The most characters one answer may have, its header included. Always less than the
    /// transform's threshold, so that an answer is never itself replaced.
    pub max_chars: u32,
    /// The most characters `full` may have. It is refused above, with what to do instead.
    pub full_max_chars: u32,
    /// Whether `full` is refused above its limit, or answered with the first page.
    pub refuse_full: bool,
    /// Matches on one page of grep.
    pub grep_max_matches: u32,
    /// Characters shown of one matching line; the window is centred on the match.
    pub grep_line_chars: u32,
    /// Lines in `head`, `tail` and a range that names no count.
    pub default_lines: u32,
    /// Answer for a blob of any session when the caller names no session of its own.
    pub legacy_global: bool,
    /// Whether what is read counts as read back by a model; off for what a person takes out.
    pub counted: bool,
    /// Whether hooks tell a model what is stored, once it may have lost sight of it.
    pub recall: bool,
}

/// How long blobs live and how much room they may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreSettings {
    /// Bytes all blobs may take on disk, counted in blocks of 4 KiB. Held at every put.
    pub max_bytes: u64,
    /// How long a handle lives after its last use.
    pub ttl: Duration,
    /// How long a handle that is fetched often lives after its last use.
    pub hot_ttl: Duration,
    /// How many recent fetches make a handle hot. A fetch counts half after a day.
    pub hot_fetches: u32,
    /// How long the store remembers that a handle was there.
    pub tombstone_ttl: Duration,
    /// A blob put or read less than this long ago is not evicted to make room.
    pub grace: Duration,
    /// Whether results are kept in memory where there is no directory.
    pub in_memory: bool,
}

impl Default for TransformSettings {
    fn default() -> Self {
        TransformSettings {
            threshold_chars: 12_000,
            threshold_tokens: 0,
            context_tokens: 0,
            turn_budget_chars: 200_000,
            handle_max_chars: 6_000,
            again: Duration::from_secs(300),
            client_max_chars: 100_000,
            head_lines: 40,
            tail_lines: 15,
            line_max_chars: 400,
            json_head_items: 5,
            json_tail_items: 2,
            anchor_lines: 12,
            anchor_words: [
                "error",
                "errors",
                "fail",
                "failed",
                "failure",
                "failures",
                "exception",
                "fatal",
                "panic",
                "panicked",
                "critical",
                "traceback",
                "warn",
                "warning",
                "denied",
                "timeout",
                "aborted",
                "refused",
            ]
            .map(str::to_owned)
            .to_vec(),
            rules: Vec::new(),
            exclude: Vec::new(),
            never_store: Vec::new(),
            fallback_max_chars: 50_000,
            binary_inline_bytes: 1_024,
        }
    }
}

impl Default for FetchSettings {
    fn default() -> Self {
        FetchSettings {
            max_chars: 8_000,
            full_max_chars: 50_000,
            refuse_full: true,
            grep_max_matches: 50,
            grep_line_chars: 300,
            default_lines: 100,
            legacy_global: false,
            counted: true,
            recall: true,
        }
    }
}

impl Default for StoreSettings {
    fn default() -> Self {
        const HOUR: Duration = Duration::from_secs(3_600);
        StoreSettings {
            max_bytes: 500 * 1024 * 1024,
            ttl: 72 * HOUR,
            hot_ttl: 168 * HOUR,
            hot_fetches: 3,
            tombstone_ttl: 720 * HOUR,
            grace: Duration::from_secs(600),
            in_memory: false,
        }
    }
}
