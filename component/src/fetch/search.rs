//! Finds the passages of stored results that are about a query, best first.
//!
//! Results are cut into passages of some lines. A passage is ranked by BM25 over the words of the
//! query, with the tool's name and source as a second, smaller field. What one call does not read
//! the next goes on with: counts and the best passages so far go along in the cursor.

use serde::{Deserialize, Serialize};

use super::error::FetchError;
use super::more::MAX_COUNT;
use super::view::{BESIDE, HIDDEN};
use crate::content::numbers::counted;
use crate::content::words::{STOP_WORDS, Stems, stretches, words};
use crate::handle::{BlobId, Ids};
use crate::limits::READ_BYTES;
use crate::sort::sort_by;
use crate::source::{Source, count_newlines};
use crate::store::Record;

/// A passage ends after so many lines, or at the line that makes it so long; a line that is longer
/// than the most is cut.
const PASSAGE_LINES: u64 = 12;
const PASSAGE_BYTES: usize = 700;
const PASSAGE_MAX_BYTES: usize = 1_400;

/// Words of a query that count, and characters of it.
const MAX_TERMS: usize = 16;
const MAX_QUERY_CHARS: usize = 400;

/// Passages that are kept until all is read.
const KEPT: usize = 60;

/// Passages that are shown by default, and at most.
const DEFAULT_LIMIT: u64 = 5;
const MAX_LIMIT: u64 = 25;

/// BM25's saturation and length normalisation, and the weight of the second field.
const K1: f64 = 1.2;
const B: f64 = 0.6;
const NAME_WEIGHT: f64 = 0.4;

/// What to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    /// The words.
    pub query: String,
    /// The result to search; none for all of the session's.
    pub id: Option<Ids>,
    /// The most passages.
    pub limit: Option<u64>,
    /// `next` of an earlier answer to the same request.
    pub cursor: Option<String>,
}

/// A part of a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The result.
    pub id: String,
    /// The tool that gave it.
    pub tool: String,
    /// Its first line, from 1.
    pub start_line: u64,
    /// Its last line.
    pub end_line: u64,
    /// Its first byte, from 0.
    pub start_byte: u64,
    /// One past its last byte.
    pub end_byte: u64,
    /// It.
    pub text: String,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchAnswer {
    /// The passages, best first.
    pub passages: Vec<Passage>,
    /// Passages in which a word of the query is.
    pub matching: u64,
    /// Stored results searched.
    pub searched: u64,
    /// Stored results there are to search.
    pub total: u64,
    /// Stored results that could not be read.
    pub unreadable: u64,
    /// Bytes searched.
    pub bytes: u64,
    /// Whether all was searched.
    pub complete: bool,
    /// What of the results is not text that is searched, in words, when there is any.
    pub not_searched: Option<String>,
    /// How to go on: the `cursor` of the next request. None when all was searched.
    pub next: Option<String>,
}

/// Where a passage is, and what counts of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Found {
    id: String,
    tool: String,
    lines: (u64, u64),
    bytes: (u64, u64),
    /// How often each word is in it.
    counts: Vec<u32>,
    words: u32,
    /// Which words are in the tool's name or the source.
    named: u32,
}

/// What a search of the texts of results leaves out.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct LeftOut {
    /// Results of which the text alone is searched, and not what stood beside it.
    beside: u64,
    /// Results of which is searched what a terminal would show.
    hidden: u64,
    /// Results that hold no text.
    binary: u64,
}

impl LeftOut {
    /// Adds a result of which the text is searched.
    fn add(&mut self, record: &Record) {
        self.beside += u64::from(record.has_beside());
        self.hidden += u64::from(record.hides);
    }

    fn words(&self) -> Option<String> {
        let mut words = Vec::new();
        for (count, what) in [(self.beside, BESIDE), (self.hidden, HIDDEN)] {
            if count > 0 {
                words.push(format!("{what}, in {}", counted(count, "result")));
            }
        }
        if self.binary > 0 {
            words.push(counted(self.binary, "binary result"));
        }
        (!words.is_empty()).then(|| words.join("; "))
    }
}

/// What is known so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Progress {
    /// Results that were read to the end.
    searched: u64,
    /// The id of the last of them: results are read in the order of their ids.
    pub(super) done: String,
    /// The id of the result that is being read.
    current: String,
    /// Where in it to go on.
    byte: u64,
    /// Results that could not be read.
    unreadable: u64,
    /// Results that are gone.
    gone: u64,
    left_out: LeftOut,
    line: u64,
    bytes: u64,
    passages: u64,
    words: u64,
    matching: u64,
    /// Passages that each word is in.
    with: Vec<u64>,
    best: Vec<Found>,
}

/// The words of a query, each with its bit.
pub(super) struct Terms(Stems);

impl Terms {
    /// Reads a query.
    ///
    /// # Errors
    /// When there is no word in it.
    pub(super) fn new(query: &str) -> Result<Terms, FetchError> {
        let query: String = query.chars().take(MAX_QUERY_CHARS).collect();
        let mut terms = Stems::new();
        let mut telling: Vec<String> = Vec::new();
        let mut all: Vec<String> = Vec::new();
        words(&query, |word| {
            let stem = terms.of(word);
            let list = if STOP_WORDS.contains(&word) { &mut all } else { &mut telling };
            if !list.contains(&stem) && list.len() < MAX_TERMS {
                list.push(stem);
            }
        });
        let stems = if telling.is_empty() { all } else { telling };
        if stems.is_empty() {
            let message = "there is no word in it: give words to search for";
            return Err(FetchError::invalid("query", message));
        }
        stems.into_iter().zip(0..).for_each(|(stem, bit)| terms.add(stem, bit));
        Ok(Terms(terms))
    }

    fn len(&self) -> usize {
        self.0.terms.len()
    }

    /// How often each word of the query is in a text, and how many words that has.
    fn count(&self, text: &[u8]) -> (Vec<u32>, u32) {
        let mut counts = vec![0; self.len()];
        let mut all = 0;
        let mut word = |word: &[u8]| {
            all += 1;
            let mut mask = self.0.mask(word);
            while let Some(count) = counts.get_mut(mask.trailing_zeros() as usize) {
                *count += 1;
                mask &= mask - 1;
            }
        };
        stretches(text, |stretch| match stretch.is_ascii() {
            true => word(stretch),
            false => words(&String::from_utf8_lossy(stretch), |each| word(each.as_bytes())),
        });
        (counts, all)
    }

    fn named(&self, record: &Record) -> u32 {
        let (mut counts, _) = self.count(record.tool.replace('_', " ").as_bytes());
        if let Some(source) = &record.source {
            let (more, _) = self.count(source.as_bytes());
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        counts.iter().enumerate().fold(0, |mask, (at, count)| mask | u32::from(*count > 0) << at)
    }
}

impl Progress {
    pub(super) fn parse(text: &str, terms: &Terms) -> Option<Progress> {
        let progress: Progress = serde_json::from_str(text).ok()?;
        let counts = [
            progress.searched,
            progress.byte,
            progress.unreadable,
            progress.gone,
            progress.left_out.beside,
            progress.left_out.hidden,
            progress.left_out.binary,
            progress.line,
            progress.bytes,
            progress.passages,
            progress.words,
            progress.matching,
        ];
        let right = counts.iter().chain(&progress.with).all(|count| *count <= MAX_COUNT)
            && progress.with.len() == terms.len()
            && progress.best.iter().all(|found| found.counts.len() == terms.len());
        right.then_some(progress)
    }

    pub(super) fn start(terms: &Terms) -> Progress {
        Progress { with: vec![0; terms.len()], line: 1, ..Progress::default() }
    }

    /// Reads a result from where it was left, at most `room` bytes. Returns how many were read, and
    /// whether that was the end.
    pub(super) fn read(
        &mut self,
        source: &dyn Source,
        id: &BlobId,
        record: &Record,
        terms: &Terms,
        room: u64,
    ) -> Result<(u64, bool), FetchError> {
        let named = terms.named(record);
        let start = self.byte;
        let mut held: Vec<u8> = Vec::new();
        let mut held_at = start;
        let mut chunk = vec![0; READ_BYTES];
        loop {
            let at = held_at + held.len() as u64;
            let n = source.read_at(at, &mut chunk)?;
            held.extend_from_slice(&chunk[..n]);
            let end = n == 0 || held_at + held.len() as u64 >= source.len();
            let mut from = 0;
            while let Some(length) = passage(&held[from..], end) {
                let bytes = &held[from..from + length];
                let newlines = count_newlines(bytes);
                let last = self.line + newlines - u64::from(bytes.last() == Some(&b'\n'));
                if let Some((counts, words)) = self.count(bytes, terms) {
                    self.best.push(Found {
                        id: id.to_string(),
                        tool: record.tool.clone(),
                        lines: (self.line, last.max(self.line)),
                        bytes: (held_at + from as u64, held_at + (from + length) as u64),
                        counts,
                        words,
                        named,
                    });
                    if self.best.len() >= 4 * KEPT {
                        self.prune(KEPT * 2);
                    }
                }
                self.line += newlines;
                from += length;
            }
            held.drain(..from);
            held_at += from as u64;
            self.byte = held_at;
            if end {
                let read = held_at - start;
                self.bytes += read;
                return Ok((read, true));
            }
            if held_at - start >= room {
                self.bytes += held_at - start;
                return Ok((held_at - start, false));
            }
        }
    }

    /// Counts a passage; how often it has each word and how many words it has, when it has any.
    fn count(&mut self, bytes: &[u8], terms: &Terms) -> Option<(Vec<u32>, u32)> {
        let (counts, words) = terms.count(bytes);
        self.passages += 1;
        self.words += u64::from(words);
        for (with, count) in self.with.iter_mut().zip(&counts) {
            *with += u64::from(*count > 0);
        }
        let matches = counts.iter().any(|count| *count > 0);
        self.matching += u64::from(matches);
        matches.then_some((counts, words))
    }

    /// Goes to a result: to where it was left, or to its start.
    pub(super) fn enter(&mut self, id: &str, record: &Record) {
        if self.current != id {
            self.left_out.add(record);
            self.current = id.to_owned();
            self.byte = 0;
            self.line = 1;
        }
    }

    /// Is done with a result, which was read to the end or could not be.
    pub(super) fn leave(&mut self, id: &str, read: bool) {
        self.searched += u64::from(read);
        self.unreadable += u64::from(!read);
        self.done = id.to_owned();
    }

    /// Goes past a result that is no text, or not there any more.
    pub(super) fn pass(&mut self, id: &str, is_binary: bool) {
        *(if is_binary { &mut self.left_out.binary } else { &mut self.gone }) += 1;
        self.done = id.to_owned();
    }

    fn score(&self, found: &Found) -> f64 {
        let passages = self.passages.max(1) as f64;
        let mean = self.words as f64 / passages;
        let mut score = 0.0;
        for (at, count) in found.counts.iter().enumerate() {
            let with = self.with[at] as f64;
            let idf = libm::log(1.0 + (passages - with + 0.5) / (with + 0.5));
            let count = f64::from(*count);
            let length = 1.0 - B + B * f64::from(found.words) / mean.max(1.0);
            let name = if found.named >> at & 1 == 1 { NAME_WEIGHT } else { 0.0 };
            let weighted = count / length + name;
            if count > 0.0 {
                score += idf * weighted * (K1 + 1.0) / (weighted + K1);
            }
        }
        score
    }

    fn prune(&mut self, most: usize) {
        let mut scored: Vec<(f64, Found)> = std::mem::take(&mut self.best)
            .into_iter()
            .map(|found| (self.score(&found), found))
            .collect();
        // Equal ones stay in the order in which they were met.
        sort_by(&mut scored, |(a, _), (b, _)| b.total_cmp(a));
        scored.truncate(most);
        self.best = scored.into_iter().map(|(_, found)| found).collect();
    }

    /// The answer so far, of so many results. `open` reads a passage's bytes.
    pub(super) fn answer(
        mut self,
        request: &SearchRequest,
        results: u64,
        complete: bool,
        max_chars: usize,
        mut open: impl FnMut(&str, u64, u64) -> Result<Vec<u8>, FetchError>,
    ) -> Result<SearchAnswer, FetchError> {
        // As it is: where a slice ends changes nothing of which passages are the best.
        let next = if complete { None } else { serde_json::to_string(&self).ok() };
        self.prune(KEPT);
        let limit = request.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
        let mut answer = SearchAnswer {
            matching: self.matching,
            searched: self.searched,
            unreadable: self.unreadable,
            total: results.saturating_sub(self.gone + self.left_out.binary),
            bytes: self.bytes,
            complete,
            not_searched: self.left_out.words(),
            next,
            ..SearchAnswer::default()
        };
        let mut used = 0;
        for found in self.best.iter().take(limit as usize) {
            let bytes = open(&found.id, found.bytes.0, found.bytes.1)?;
            let mut text =
                String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
            // Room for the line that says where it is.
            let room = max_chars.saturating_sub(used + 160);
            if text.chars().count() > room {
                if !answer.passages.is_empty() {
                    break;
                }
                text = text.chars().take(room).collect();
            }
            used += text.chars().count() + 160;
            answer.passages.push(Passage {
                id: found.id.clone(),
                tool: found.tool.clone(),
                start_line: found.lines.0,
                end_line: found.lines.1,
                start_byte: found.bytes.0,
                end_byte: found.bytes.1,
                text,
            });
        }
        Ok(answer)
    }
}

/// The bytes of the passage at the start; nothing when more must be read to tell.
fn passage(bytes: &[u8], end: bool) -> Option<usize> {
    let mut lines = 0;
    for at in memchr::memchr_iter(b'\n', bytes) {
        if at >= PASSAGE_MAX_BYTES {
            break;
        }
        lines += 1;
        if lines >= PASSAGE_LINES || at + 1 >= PASSAGE_BYTES {
            return Some(at + 1);
        }
    }
    if bytes.len() <= PASSAGE_MAX_BYTES {
        return (end && !bytes.is_empty()).then_some(bytes.len());
    }
    // A long line: whole lines before it, else a cut where no word is.
    let window = &bytes[..PASSAGE_MAX_BYTES];
    let line =
        memchr::memrchr(b'\n', window).map(|at| at + 1).filter(|at| *at >= PASSAGE_BYTES / 2);
    let between = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b';' | b'}');
    let gap =
        || window.iter().rposition(between).map(|at| at + 1).filter(|at| *at > PASSAGE_BYTES / 2);
    let mut cut = line.or_else(gap).unwrap_or(PASSAGE_MAX_BYTES);
    while cut > 1 && bytes.get(cut).is_some_and(|b| b & 0xc0 == 0x80) {
        cut -= 1;
    }
    Some(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(texts: &[String], query: &str, room: u64) -> SearchAnswer {
        let request =
            SearchRequest { query: query.to_owned(), id: None, limit: None, cursor: None };
        let terms = Terms::new(query).unwrap();
        let mut progress = Progress::start(&terms);
        let ids: Vec<BlobId> = (0..texts.len())
            .map(|n| BlobId::parse_lenient(&format!("{n:012x}")).unwrap())
            .collect();
        for (id, text) in ids.iter().zip(texts) {
            let bytes = text.as_bytes();
            loop {
                let record = Record::default();
                progress.enter(&id.to_string(), &record);
                let (_, end) = progress.read(&bytes, id, &record, &terms, room).unwrap();
                if end {
                    break;
                }
                // As from call to call.
                let saved = serde_json::to_string(&progress).unwrap();
                progress = Progress::parse(&saved, &terms).unwrap();
            }
            progress.leave(&id.to_string(), true);
        }
        let total = texts.len() as u64;
        progress
            .answer(&request, total, true, 8_000, |id, start, end| {
                let at = ids.iter().position(|known| known.to_string() == id).unwrap();
                Ok(texts[at].as_bytes()[start as usize..end as usize].to_vec())
            })
            .unwrap()
    }

    #[test]
    fn the_passage_that_is_about_the_query_is_first() {
        let filler = |n: usize| format!("line {n} of the report says nothing of interest\n");
        let mut texts: Vec<String> =
            (0..5).map(|k| (0..800).map(|n| filler(k * 800 + n)).collect()).collect();
        texts[3].insert_str(9_600, "\nthe database connections were exhausted by retries\n");
        let answer = search(&texts, "database connection exhausted", u64::MAX);
        assert_eq!(answer.passages.len(), 1);
        let found = &answer.passages[0];
        assert!(found.text.contains("were exhausted"), "{}", found.text);
        assert_eq!(found.id, "000000000003");
        let line = texts[3][..9_601].lines().count() as u64 + 1;
        assert!((found.start_line..=found.end_line).contains(&line), "{found:?} {line}");
        assert_eq!(
            search(&texts, "database connection exhausted", 70_000).passages,
            answer.passages
        );
        assert_eq!(search(&texts, "zebra", u64::MAX).passages, []);
    }

    #[test]
    fn a_cursor_with_counts_that_nothing_has_is_refused() {
        let terms = Terms::new("crane").unwrap();
        let cursor = serde_json::to_value(Progress::start(&terms)).unwrap();
        assert!(Progress::parse(&cursor.to_string(), &terms).is_some());
        let mut tried = 0;
        for place in ["", "/left_out"] {
            let names = cursor.pointer(place).unwrap().as_object().unwrap();
            for name in names.iter().filter(|(_, value)| value.is_number()).map(|(name, _)| name) {
                let mut other = cursor.clone();
                other.pointer_mut(place).unwrap()[name.as_str()] = u64::MAX.into();
                assert!(Progress::parse(&other.to_string(), &terms).is_none(), "{name}");
                tried += 1;
            }
        }
        assert_eq!(tried, 12);
    }

    #[test]
    fn passages_cover_every_byte_and_know_their_lines() {
        let mut text = String::new();
        for n in 0..300 {
            text.push_str(&format!("row {n}: {}\n", "x".repeat(n * 13 % 900)));
        }
        text.push_str(&"a long line, with parts; ".repeat(400));
        let (mut at, mut cuts) = (0, 0);
        while let Some(length) = passage(&text.as_bytes()[at..], true) {
            assert!(length > 0 && length <= PASSAGE_MAX_BYTES);
            at += length;
            cuts += 1;
        }
        assert_eq!(at, text.len());
        assert!(cuts > 100);
        let answer = search(&[text.clone()], "row 299", u64::MAX);
        assert!(answer.passages[0].text.contains("row 299"));
    }

    #[test]
    fn words_are_found_in_any_script() {
        let texts =
            ["数据库连接失败\n".to_owned(), "Привет мир\n".to_owned(), "getUserName\n".to_owned()];
        for (query, at) in [("数据库", 0), ("привет", 1), ("user", 2)] {
            let answer = search(&texts, query, u64::MAX);
            assert_eq!(answer.passages.len(), 1, "{query}");
            assert_eq!(answer.passages[0].id, format!("{at:012x}"));
        }
        assert!(Terms::new("?!").is_err());
        assert!(Terms::new("the").is_ok());
    }
}
