//! The few counters that are not zero, among many of the same name that are: of interfaces, disks, queues.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::values::{Place, RARE, sort_places};
use crate::content::scan::each_line_to;
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::anchor::Hit;

/// Bytes of a text that are looked at, and of a line of it.
const TEXT_BYTES: u64 = 512 << 10;
const LINE_BYTES: usize = 256;

/// Counters that are told apart.
const MAX_COUNTERS: usize = 1 << 13;

/// Counters of a line that are looked at.
const MOST_OF_LINE: usize = 16;

/// Bytes that tell whether zeros are usual.
const SAMPLE_BYTES: u64 = 32 << 10;

/// Counters of one name below which zero is not the usual.
const LEAST: u64 = 8;

/// Lines that are surfaced.
const MOST: usize = 8;

/// Counters behind one word below which zero is not the usual, where what else stands in their lines differs.
const LEAST_BEHIND: u64 = 50;

/// Counters of one name: how many there are, and where those are that are not zero.
#[derive(Default)]
struct Counter {
    all: u64,
    counted: u64,
    places: Vec<Place>,
}

/// Counters by their names.
#[derive(Default)]
struct Counters(BTreeMap<u64, Counter>);

impl Counters {
    fn push(&mut self, name: u64, is_zero: bool, place: Place) {
        if self.0.len() == MAX_COUNTERS && !self.0.contains_key(&name) {
            return;
        }
        let counter = self.0.entry(name).or_default();
        counter.all += 1;
        counter.counted += u64::from(!is_zero);
        if !is_zero && counter.counted <= RARE {
            counter.places.push(place);
        }
    }

    /// The places of those that are not zero, where nearly all of at least so many are.
    fn rare(self, least: u64) -> Vec<Place> {
        let is_rare =
            |of: &Counter| of.all >= least && of.counted <= RARE && of.counted * LEAST <= of.all;
        let all = self.0.into_values().filter(is_rare);
        let mut places: Vec<Place> = all.flat_map(|counter| counter.places).collect();
        sort_places(&mut places);
        places.dedup();
        places.truncate(MOST);
        places
    }
}

/// The lines with a counter that is not zero, where nearly all of its name are.
pub(super) fn lines(source: &dyn Source) -> Result<Vec<Hit>, ReadError> {
    let sample = source.read_range(0, SAMPLE_BYTES)?;
    let is_zero = |of: &&[u8]| !is_number(&of[0]) && of[1] == b'0' && !of[2].is_ascii_digit();
    if (sample.windows(3).filter(is_zero).count() as u64) * LEAST < count_newlines(&sample) {
        return Ok(Vec::new());
    }
    let (mut counters, mut behind) = (Counters::default(), Counters::default());
    // The name of the line above, for numbers below a head.
    let mut above = None;
    each_line_to(source, TEXT_BYTES.min(source.len()), LINE_BYTES, |line| {
        let (words, numbers) = apart(line.prefix);
        let place = (line.number, line.start, line.start);
        let has_words = words.iter().any(u8::is_ascii_alphabetic);
        let own = has_words.then(|| xxh3_64(&words));
        let below = std::mem::replace(&mut above, own).map(|name| !name);
        let Some(name) = own.or(below) else { return };
        for (index, (is_zero, at)) in numbers.into_iter().take(MOST_OF_LINE).enumerate() {
            counters.push(name.wrapping_add(index as u64), is_zero, place);
            if let Some(word) = word_before(&words[..at]) {
                behind.push(xxh3_64(word), is_zero, place);
            }
        }
    })?;
    let mut places = counters.rare(LEAST);
    if places.is_empty() {
        places = behind.rare(LEAST_BEHIND);
    }
    Ok(places.into_iter().map(|(line, at, _)| Hit::rare(line, at)).collect())
}

/// The word before a number, with what joins them: `exit=`, `code `.
fn word_before(words: &[u8]) -> Option<&[u8]> {
    let end = words.trim_ascii_end().len();
    let start = words[..end].iter().rposition(|byte| *byte == b' ').map_or(0, |at| at + 1);
    let word = &words[start..];
    (word.iter().any(u8::is_ascii_alphabetic) && !word.contains(&b'#')).then_some(word)
}

/// Whether a byte may be of a number.
fn is_number(byte: &u8) -> bool {
    byte.is_ascii_digit() || b".,".contains(byte)
}

/// The words of a line, with a sign for each number and one blank for several; and for each number whether it is zero, and
/// where its sign is.
fn apart(line: &[u8]) -> (Vec<u8>, Vec<(bool, usize)>) {
    let mut words = Vec::with_capacity(line.len());
    let mut numbers = Vec::new();
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        if byte.is_ascii_digit() {
            let run = line[at..].iter().take_while(|byte| is_number(byte)).count();
            let is_zero = !line[at..at + run].iter().any(|byte| (b'1'..=b'9').contains(byte));
            numbers.push((is_zero, words.len()));
            words.push(b'#');
            at += run;
            continue;
        }
        let blank = byte.is_ascii_whitespace();
        if !(blank && words.last() == Some(&b' ')) {
            words.push(if blank { b' ' } else { *byte });
        }
        at += 1;
    }
    (words, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<u64> {
        lines(&text.as_bytes()).unwrap().iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn the_one_counter_that_is_not_zero_is_found() {
        let port = |n: u64| {
            let crc = if n == 7 { 48_213 } else { 0 };
            format!(
                "Gi1/0/{n} is up\n  {} packets in, 0 runts\n  0 in errors, {crc} CRC\n",
                n * 917
            )
        };
        let text: String = (0..9).map(port).collect();
        assert_eq!(found(&text), [24]);
        let few: String = (0..7).map(port).collect();
        assert_eq!(found(&few), Vec::<u64>::new());
        let rate =
            |n: u64| format!("10:{n} AM   eth{n}   0.00   {}0.0\n", if n == 30 { 1 } else { 0 });
        let queue =
            |n: u64| format!("q{n}:\n  RX: bytes errors\n  {}  {}\n", n * 7, u64::from(n == 9) * 3);
        assert_eq!(found(&(1..20).map(queue).collect::<String>()), [27]);
        assert_eq!(found(&(10..60).map(rate).collect::<String>()), [21]);
    }

    #[test]
    fn a_number_behind_a_word_is_found_whatever_else_a_line_says() {
        let step = |n: u64| {
            let words = "ab cd ".repeat(n as usize % 7 + 1) + &"xy".repeat(n as usize % 11);
            format!("{words} ended with exit code {} in {n} ms\n", u64::from(n == 77) * 3)
        };
        assert_eq!(found(&(1..200).map(step).collect::<String>()), [77]);
        assert_eq!(found(&(60..100).map(step).collect::<String>()), Vec::<u64>::new());
    }

    #[test]
    fn numbers_without_words_and_those_that_are_seldom_zero_are_no_counters() {
        let grid: String = (0..90).map(|n| format!("0 0 {} 0\n", u8::from(n == 50))).collect();
        assert_eq!(found(&grid), Vec::<u64>::new());
        let sizes: String = (0..90).map(|n| format!("file {n} has {} bytes\n", n % 5)).collect();
        assert_eq!(found(&sizes), Vec::<u64>::new());
    }
}
