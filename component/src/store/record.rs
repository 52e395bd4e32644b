//! What is kept with a blob for one session, and what is left of it when the blob is gone.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::meter::Sum;
use super::session::SessionKey;
use crate::content::kind::Kind;
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::limits::{SOURCE_MAX_CHARS, TOOL_MAX_CHARS};

/// The most bytes a record file may have. What is longer was not written by this store.
pub(super) const RECORD_MAX_BYTES: u64 = 64 * 1024;

/// The version of the record files.
const VERSION: u32 = 1;

/// Where a blob came from. Fields that a reader does not know are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The tool that returned it, cut to [`TOOL_MAX_CHARS`].
    pub tool: String,
    /// The toolset or server that the tool belongs to, cut likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub toolset: Option<String>,
    /// What the content was recognised as: of the text view when there is one.
    pub kind: Kind,
    /// The media type that the result was marked with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// What it was made from (url, path, query), cut to [`SOURCE_MAX_CHARS`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The digest of the call's arguments: tells whether a later call is the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments_digest: Option<String>,
    /// A blob derived from this one: the text inside its envelope. It lives as long as this one
    /// does and has no id of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_view: Option<Digest>,
    /// Where in this blob the text view lies: a JSON pointer, or a mark where it
    /// stood among words and in no JSON; behind `#` a place in the text at the place before it. Cut
    /// as the source is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<String>,
    /// Estimated tokens of what is shown by default: the text view, or this blob.
    pub estimated_tokens: u64,
    /// Whether the text view leaves out what a terminal would not show.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hides: bool,
    /// The digest of the text that stands for it, by which that text is recognised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Digest>,
    /// Whether that text holds all of it, as it was asked for again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shown_whole: bool,
    /// What its tool says of it, where that is that it is a part of more, cut as the source is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Keys of its rows, by which others may be found that belong to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// By what it is known as a page of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<PageOf>,
    /// The same of other lists, which had the same bytes before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pages: Vec<PageOf>,
}

/// What is kept of a call by which pages of one list are known. Values of arguments are digests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct PageOf {
    /// Each argument, with the first digits of the digest of its value.
    pub arguments: Vec<(String, String)>,
    /// The place of the page, where it is a number.
    pub place: Option<u64>,
    /// The argument that gave it.
    pub by: String,
    /// The tool that gave it.
    pub tool: String,
    /// The id of the list: that of the page that came first, and a plus.
    pub list: String,
    /// How many pages there were with it; 0 for the first.
    pub number: u64,
    /// How many rows it has.
    pub rows: Option<u64>,
    /// How many its tool says there are in all, with the name of that.
    pub total: Option<(String, u64)>,
    /// The question that its excerpt suggests: pages with the same have rows of one shape.
    pub asks: String,
}

/// What stands between the parts of [`PageOf`] in a record. None of them has it.
const BETWEEN: char = '\u{1f}';

impl From<PageOf> for String {
    fn from(page: PageOf) -> String {
        let number = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
        let (name, total) = page.total.map_or_else(Default::default, |(name, n)| (name, Some(n)));
        let mut parts = vec![
            number(page.place),
            page.by,
            page.tool,
            page.list,
            page.number.to_string(),
            number(page.rows),
            name,
            number(total),
            page.asks,
        ];
        for (name, digest) in page.arguments {
            parts.extend([name, digest]);
        }
        parts.join("\u{1f}")
    }
}

impl From<String> for PageOf {
    fn from(text: String) -> PageOf {
        let mut parts = text.split(BETWEEN).map(str::to_owned);
        let mut part = || parts.next().unwrap_or_default();
        let place = part().parse().ok();
        let (by, tool, list) = (part(), part(), part());
        let number = part().parse().unwrap_or_default();
        let rows = part().parse().ok();
        let (name, total) = (part(), part().parse().ok());
        let asks = part();
        let mut arguments = Vec::new();
        while let (Some(name), Some(digest)) = (parts.next(), parts.next()) {
            arguments.push((name, digest));
        }
        let total = total.map(|n| (name, n));
        PageOf { arguments, place, by, tool, list, number, rows, total, asks }
    }
}

impl Default for Record {
    /// A record of which nothing is known: exact bytes from an unnamed tool.
    fn default() -> Self {
        Record {
            tool: String::new(),
            toolset: None,
            kind: Kind::Binary,
            media_type: None,
            source: None,
            arguments_digest: None,
            text_view: None,
            envelope: None,
            estimated_tokens: 0,
            hides: false,
            shown: None,
            shown_whole: false,
            part: None,
            keys: Vec::new(),
            page: None,
            pages: Vec::new(),
        }
    }
}

/// What marks a view that is a part of a text, before its first byte and its end.
pub(crate) const PART: &str = "bytes ";

/// What marks a view that is all of a text, written anew.
pub(crate) const REWRITTEN: &str = "all";

impl Record {
    /// What it is a page of.
    pub(crate) fn each_page(&self) -> impl Iterator<Item = &PageOf> {
        self.page.iter().chain(&self.pages)
    }

    /// Whether the text view stood in JSON.
    pub(crate) fn is_in_json(&self) -> bool {
        self.envelope.as_ref().is_some_and(|at| !at.starts_with(PART) && !at.starts_with(REWRITTEN))
    }

    /// Whether something stands beside the text view.
    pub(crate) fn has_beside(&self) -> bool {
        self.envelope.as_deref().is_some_and(|at| at != REWRITTEN)
    }

    /// The same with nothing of the call but the tool's name.
    pub(super) fn forgotten(self) -> Record {
        Record { tool: self.tool, toolset: self.toolset, ..Record::default() }
    }

    /// The record with every text within its bound, so that a record is always a small file.
    pub(crate) fn clipped(&self) -> Record {
        let clip = |text: &str, max: usize| text.chars().take(max).collect::<String>();
        let clip_option =
            |text: &Option<String>, max: usize| text.as_deref().map(|text| clip(text, max));
        Record {
            tool: clip(&self.tool, TOOL_MAX_CHARS),
            toolset: clip_option(&self.toolset, TOOL_MAX_CHARS),
            kind: self.kind,
            media_type: clip_option(&self.media_type, TOOL_MAX_CHARS),
            source: clip_option(&self.source, SOURCE_MAX_CHARS),
            arguments_digest: clip_option(&self.arguments_digest, 64),
            text_view: self.text_view,
            envelope: clip_option(&self.envelope, SOURCE_MAX_CHARS),
            estimated_tokens: self.estimated_tokens,
            hides: self.hides,
            shown: self.shown,
            shown_whole: self.shown_whole,
            part: clip_option(&self.part, SOURCE_MAX_CHARS),
            keys: self.keys.clone(),
            page: self.page.clone(),
            pages: self.pages.clone(),
        }
    }
}

/// A record as it lies on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordFile {
    version: u32,
    pub(super) digest: Digest,
    pub(super) bytes: u64,
    pub(super) chars: u64,
    pub(super) lines: u64,
    pub(super) created_ms: u64,
    /// Read on its own, so that a record with a field from the future still says which blob it is.
    record: serde_json::Value,
}

impl RecordFile {
    pub(super) fn new(sum: &Sum, record: &Record, now: SystemTime) -> RecordFile {
        RecordFile {
            version: VERSION,
            digest: sum.digest,
            bytes: sum.totals.bytes,
            chars: sum.totals.chars,
            lines: sum.lines,
            created_ms: millis(now),
            record: serde_json::to_value(record.clipped()).unwrap_or_default(),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Reads a record; `None` for garbage, and for a record of another blob than `id` names.
    pub(super) fn parse(bytes: &[u8], id: &BlobId) -> Option<RecordFile> {
        serde_json::from_slice::<RecordFile>(bytes)
            .ok()
            .filter(|file| id.is_prefix_of(&file.digest))
    }

    /// What it says of the blob's origin; `None` when that is not readable.
    pub(super) fn record(&self) -> Option<Record> {
        serde_json::from_value(self.record.clone()).ok()
    }

    /// What may be left of it when its owner wants it forgotten: the tool's name, and no argument.
    pub(super) fn forgotten(self) -> RecordFile {
        let record = self.record().unwrap_or_default().forgotten();
        RecordFile { record: serde_json::to_value(record).unwrap_or_default(), ..self }
    }

    /// Whether both say the same, whenever they were written.
    pub(super) fn says_the_same_as(&self, other: &RecordFile) -> bool {
        RecordFile { created_ms: other.created_ms, ..self.clone() } == *other
    }
}

/// A blob as one session sees it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The id that the session was given.
    pub id: BlobId,
    /// The blob's whole name.
    pub digest: Digest,
    /// How long it is in bytes.
    pub bytes: u64,
    /// Characters in it (see [`crate::source`]).
    pub chars: u64,
    /// Lines in it (see [`crate::source`]).
    pub lines: u64,
    /// When it was stored in this session; `None` when the record is damaged.
    pub created: Option<SystemTime>,
    /// When it was last stored or read in this session.
    pub last_use: SystemTime,
    /// Whether it is kept until it is unpinned.
    pub pinned: bool,
    /// Whether it is read often enough to be kept for longer.
    pub hot: bool,
    /// The record was damaged: what it said is unknown, the blob is whole.
    pub damaged: bool,
    /// Where it came from.
    pub record: Record,
    /// The directory of the session that it was found in; `None` for a blob no session refers to.
    pub(super) session: Option<SessionKey>,
}

/// Why a blob is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// It was not used for the time that a handle lives.
    Expired,
    /// It made room for others.
    Evicted,
    /// It was deleted on request.
    Deleted,
    /// It was damaged or removed by someone else.
    Corrupt,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 4] =
        [Reason::Expired, Reason::Evicted, Reason::Deleted, Reason::Corrupt];

    /// The lower-case word for this reason, as shown to models and used in file names.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Expired => "expired",
            Reason::Evicted => "evicted",
            Reason::Deleted => "deleted",
            Reason::Corrupt => "corrupt",
        }
    }

    pub(super) fn parse(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.as_str() == word)
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is left of a blob that is gone.
#[derive(Debug, Clone)]
pub struct Tombstone {
    /// The id that the session was given.
    pub id: BlobId,
    /// Why it is gone.
    pub reason: Reason,
    /// Since when.
    pub since: SystemTime,
    /// How long it was in bytes; `None` when that is not known any more.
    pub bytes: Option<u64>,
    /// Where it came from: what to call again.
    pub record: Record,
}

/// Milliseconds since 1970; 0 for anything before.
pub(super) fn millis(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |age| u64::try_from(age.as_millis()).unwrap_or(u64::MAX))
}

/// The time that is so many milliseconds after 1970; 1970 for one that cannot be.
pub(super) fn time_of(millis: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH
        .checked_add(Duration::from_millis(millis))
        .unwrap_or(SystemTime::UNIX_EPOCH)
}
