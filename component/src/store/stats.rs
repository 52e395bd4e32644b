//! What the store was used for: counted, and summed up when asked.
//!
//! Each put and each fetch appends 40 bytes to `stats/events`, in one write. When that file has
//! grown, a sweep renames it to `events.<n>`, and a later one adds it to the sums in `totals.<n>`,
//! which is created once: whoever comes second finds it there, so nothing is counted twice.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::base::BlobStore;
use super::error::{At, StoreError};
use super::files;
use super::record::Entry;
use crate::sort::sort;

const EVENT_BYTES: usize = 40;
/// The third byte of an event of a put that says what its client would have passed, in characters and in
/// estimated tokens.
const COUNTS_TOKENS: u8 = 1;
/// The length above which a sweep starts a new file: what `status` reads at most, nearly.
const SEGMENT_BYTES: u64 = 256 * 1024;
/// A renamed file is summed up after this long: one who had it open has written by then.
const SETTLE: Duration = Duration::from_secs(120);
/// What is read of one file at most.
const SEGMENT_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// How a put or a fetch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    Answered,
    /// It was refused: bad arguments, or too much asked for.
    Refused,
    /// What was asked for is not there.
    Missing,
    /// What was asked for is damaged.
    Corrupt,
}

/// What one sort of fetch was used for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FetchStats {
    /// How often it was asked for.
    pub calls: u64,
    /// How often it was answered.
    pub answered: u64,
    /// Characters that models were shown.
    pub chars_shown: u64,
}

/// Sums over all puts and fetches since the store was created.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stats {
    /// Results that were stored and replaced.
    pub puts: u64,
    /// Results that could not be stored.
    pub refused_puts: u64,
    /// Characters of the results that were replaced.
    pub put_chars: u64,
    /// Characters of what was shown in their place.
    pub put_chars_shown: u64,
    /// Characters of the results that their clients would have passed; none in sums of before that was
    /// counted.
    pub passed_chars: Option<u64>,
    /// Estimated tokens of these.
    pub passed_tokens: u64,
    /// Estimated tokens of what was shown in their place.
    pub shown_tokens: u64,
    /// Fetches, by mode.
    pub fetches: BTreeMap<String, FetchStats>,
    /// Fetches of blobs that are gone or unknown.
    pub missing: u64,
    /// Fetches and puts that were refused.
    pub refused: u64,
    /// Reads that met damage.
    pub corrupt: u64,
}

/// What a put is counted with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PutCount {
    /// Characters of the result.
    pub chars_in: u64,
    /// Its estimated tokens.
    pub tokens_in: u64,
    /// Characters shown in its place.
    pub chars_shown: u64,
    /// Estimated tokens of these.
    pub tokens_shown: u64,
    /// Characters of a result that its client would pass at most; 0 for all.
    pub client_max_chars: u64,
}

impl PutCount {
    /// Characters and estimated tokens that the client would have passed.
    fn passed(&self) -> (u64, u64) {
        match self.client_max_chars {
            most if most > 0 && self.chars_in > most => {
                let share = u128::from(self.tokens_in) * u128::from(most);
                let tokens = share.div_ceil(u128::from(self.chars_in));
                (most, u64::try_from(tokens).unwrap_or(u64::MAX))
            }
            _ => (self.chars_in, self.tokens_in),
        }
    }
}

/// Tokens of a text of which only the length was counted.
fn tokens_of(chars: u64) -> u64 {
    chars.div_ceil(4)
}

/// The difference of sums, as far as the type goes.
fn difference(whole: u64, parts: [u64; 2]) -> i64 {
    let left = parts.iter().fold(i128::from(whole), |left, part| left - i128::from(*part));
    i64::try_from(left).unwrap_or(if left < 0 { i64::MIN } else { i64::MAX })
}

impl Stats {
    /// Characters kept out of models' contexts: what their clients would have passed of results, less
    /// what was shown for these and what was fetched back.
    pub fn chars_saved(&self) -> i64 {
        let passed = self.passed_chars.unwrap_or(self.put_chars);
        difference(passed, [self.put_chars_shown, self.chars_fetched()])
    }

    /// The same in estimated tokens. What was fetched back is taken to have as many a character as the
    /// results have from which it came.
    pub fn tokens_saved(&self) -> i64 {
        let passed = u128::from(self.passed_chars.unwrap_or(0));
        let fetched = u128::from(self.chars_fetched());
        let fetched = (fetched * u128::from(self.passed_tokens))
            .checked_div(passed)
            .and_then(|tokens| u64::try_from(tokens).ok());
        let fetched = fetched.unwrap_or_else(|| tokens_of(self.chars_fetched()));
        difference(self.passed_tokens, [self.shown_tokens, fetched])
    }

    fn chars_fetched(&self) -> u64 {
        self.fetches.values().fold(0, |sum, fetch| sum.saturating_add(fetch.chars_shown))
    }

    /// Sums of before tokens were counted have them by their characters.
    fn completed(mut self) -> Stats {
        if self.passed_chars.is_none() {
            self.passed_chars = Some(self.put_chars);
            self.passed_tokens = tokens_of(self.put_chars);
            self.shown_tokens = tokens_of(self.put_chars_shown);
        }
        self
    }

    fn add(&mut self, event: &[u8]) {
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&event[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        // Garbage in a file that is only ever appended to costs the events that it hit.
        if event.len() != EVENT_BYTES || check(event) != event[4..8] {
            return;
        }
        let answered = event[1] == Outcome::Answered as u8;
        self.missing += u64::from(event[1] == Outcome::Missing as u8);
        self.refused += u64::from(event[1] == Outcome::Refused as u8);
        self.corrupt += u64::from(event[1] == Outcome::Corrupt as u8);
        let plus = u64::saturating_add;
        match event[0] {
            b'p' if answered => {
                let half = |at: usize| number(at) & u64::from(u32::MAX);
                let (chars, shown) = (number(24), number(32));
                // Events of before tokens were counted have bytes in the place of passed characters.
                let (passed, tokens) = match event[2] {
                    COUNTS_TOKENS => (number(16), [half(8), number(8) >> 32]),
                    _ => (chars, [tokens_of(chars), tokens_of(shown)]),
                };
                self.puts += 1;
                self.put_chars = plus(self.put_chars, chars);
                self.put_chars_shown = plus(self.put_chars_shown, shown);
                self.passed_chars = Some(plus(self.passed_chars.unwrap_or(0), passed));
                self.passed_tokens = plus(self.passed_tokens, tokens[0]);
                self.shown_tokens = plus(self.shown_tokens, tokens[1]);
            }
            b'p' => self.refused_puts += 1,
            _ => {
                let mode = event[8..16].split(|b| *b == 0).next().unwrap_or_default();
                let mode = String::from_utf8_lossy(mode).into_owned();
                let fetch = self.fetches.entry(mode).or_default();
                fetch.calls += 1;
                fetch.answered += u64::from(answered);
                fetch.chars_shown = plus(fetch.chars_shown, number(32));
            }
        }
    }

    fn add_all(&mut self, events: &[u8]) {
        events.chunks(EVENT_BYTES).for_each(|event| self.add(event));
    }
}

fn check(event: &[u8]) -> [u8; 4] {
    let hash = xxh3_64(&[&event[..4], &event[8..]].concat()).to_le_bytes();
    [hash[0], hash[1], hash[2], hash[3]]
}

/// An event; its bytes 8 to 16 and its check are left to be filled in.
fn new_event(sort: u8, outcome: Outcome, numbers: [u64; 3]) -> [u8; EVENT_BYTES] {
    let mut event = [0; EVENT_BYTES];
    event[0] = sort;
    event[1] = outcome as u8;
    for (to, from) in event[16..].chunks_exact_mut(8).zip(numbers) {
        to.copy_from_slice(&from.to_le_bytes());
    }
    event
}

/// The number in `<stem>.<n>`.
fn numbered(name: &str, stem: &str) -> Option<u64> {
    name.strip_prefix(stem)?.strip_prefix('.')?.parse().ok()
}

impl BlobStore {
    /// Counts a result that was stored and replaced, or (unless answered) could not be stored.
    ///
    /// # Errors
    /// [`StoreError::Io`]. Only the count is lost.
    pub fn count_put(&self, outcome: Outcome, count: PutCount) -> Result<(), StoreError> {
        let (passed, tokens) = count.passed();
        let half = |tokens: u64| u32::try_from(tokens).unwrap_or(u32::MAX).to_le_bytes();
        let mut event = new_event(b'p', outcome, [passed, count.chars_in, count.chars_shown]);
        event[2] = COUNTS_TOKENS;
        event[8..12].copy_from_slice(&half(tokens));
        event[12..16].copy_from_slice(&half(count.tokens_shown));
        self.record_event(event)
    }

    /// Counts a fetch. Of `mode`, eight ASCII characters are kept.
    ///
    /// # Errors
    /// [`StoreError::Io`]. Only the count is lost.
    pub fn count_fetch(
        &self,
        mode: &str,
        outcome: Outcome,
        chars_shown: u64,
    ) -> Result<(), StoreError> {
        let mut event = new_event(b'f', outcome, [0, 0, chars_shown]);
        for (to, from) in event[8..16].iter_mut().zip(mode.bytes().filter(u8::is_ascii_graphic)) {
            *to = from;
        }
        self.record_event(event)
    }

    /// Notes an answered fetch: the blob lives on, may become hot, and the fetch is counted. `asked` is a question and
    /// its answer in one line.
    ///
    /// # Errors
    /// [`StoreError::Io`]. What was read is good all the same.
    pub fn note_fetch(
        &self,
        entry: &Entry,
        mode: &str,
        chars_shown: u64,
        asked: Option<&str>,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.keep(entry, asked, now)?;
        self.count_fetch(mode, Outcome::Answered, chars_shown)
    }

    /// The same of what was read with another, which is counted alone.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn keep(
        &self,
        entry: &Entry,
        asked: Option<&str>,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.touch(entry, now)?;
        self.heat(entry, asked, now)
    }

    fn record_event(&self, mut event: [u8; EVENT_BYTES]) -> Result<(), StoreError> {
        let check = check(&event);
        event[4..8].copy_from_slice(&check);
        let path = self.stats_dir().join("events");
        files::append(&self.tmp(), &path, &event).at(&path)
    }

    fn stats_dir(&self) -> PathBuf {
        self.root.join("stats")
    }

    /// The newest sums and their number.
    fn newest_totals(&self, names: &[String]) -> Result<(u64, Stats), StoreError> {
        let mut numbers: Vec<u64> =
            names.iter().filter_map(|name| numbered(name, "totals")).collect();
        sort(&mut numbers);
        for n in numbers.into_iter().rev() {
            let path = self.stats_dir().join(format!("totals.{n}"));
            let bytes = files::read_small(&path, SEGMENT_MAX_BYTES).at(&path)?.unwrap_or_default();
            if let Ok(stats) = serde_json::from_slice(&bytes) {
                return Ok((n, Stats::completed(stats)));
            }
        }
        Ok((0, Stats::default()))
    }

    fn read_events(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let path = self.stats_dir().join(name);
        Ok(files::read_small(&path, SEGMENT_MAX_BYTES).at(&path)?.unwrap_or_default())
    }

    /// Sums over all puts and fetches. Reads at most some hundred KiB once sweeps are run.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn stats(&self) -> Result<Stats, StoreError> {
        let dir = self.stats_dir();
        let (names, _) = files::names(&dir).at(&dir)?;
        let (through, mut stats) = self.newest_totals(&names)?;
        for name in &names {
            if name == "events" || numbered(name, "events").is_some_and(|n| n > through) {
                stats.add_all(&self.read_events(name)?);
            }
        }
        Ok(stats)
    }

    /// Adds full files of events to the sums, and starts a new one when the present one is full.
    pub(super) fn fold_stats(&self, now: SystemTime) -> Result<(), StoreError> {
        let dir = self.stats_dir();
        let (names, _) = files::names(&dir).at(&dir)?;
        let (mut through, mut stats) = self.newest_totals(&names)?;
        let mut segments: Vec<u64> =
            names.iter().filter_map(|name| numbered(name, "events")).collect();
        sort(&mut segments);
        for &n in &segments {
            let name = format!("events.{n}");
            let path = dir.join(&name);
            if n > through {
                let Some((time, _)) = files::stat(&path).at(&path)? else { continue };
                if n != through + 1 || now.duration_since(time).unwrap_or_default() < SETTLE {
                    break;
                }
                stats.add_all(&self.read_events(&name)?);
                let totals = dir.join(format!("totals.{n}"));
                let mut temp = files::Temp::create(&self.tmp()).at(&totals)?;
                temp.write(&serde_json::to_vec(&stats).unwrap_or_default()).at(&totals)?;
                temp.sync().at(&totals)?;
                if !temp.publish_new(&totals).at(&totals)? {
                    // Another sweep is at it.
                    return Ok(());
                }
                through = n;
            }
            files::remove(&path).at(&path)?;
        }
        for name in &names {
            if numbered(name, "totals").is_some_and(|n| n < through) {
                files::remove(&dir.join(name)).at(&dir)?;
            }
        }
        let events = dir.join("events");
        if files::stat(&events).at(&events)?.is_some_and(|(_, len)| len >= SEGMENT_BYTES) {
            let next = segments.last().copied().unwrap_or(0).max(through) + 1;
            let to = dir.join(format!("events.{next}"));
            // Taken by another sweep at this moment: it goes in that one's place, next time.
            if !files::exists(&to) {
                files::rename(&events, &to).at(&to)?;
            }
        }
        Ok(())
    }
}
