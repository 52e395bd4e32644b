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

/// Counters of one name: how many there are, and where those are that are not zero.
#[derive(Default)]
struct Counter {
    all: u64,
    counted: u64,
    places: Vec<Place>,
}

/// The lines with a counter that is not zero, where nearly all of its name are.
pub(super) fn lines(source: &dyn Source) -> Result<Vec<Hit>, ReadError> {
    let mut counters: BTreeMap<u64, Counter> = BTreeMap::new();
    let sample = source.read_range(0, SAMPLE_BYTES)?;
    let is_zero = |of: &&[u8]| !is_number(&of[0]) && of[1] == b'0' && !of[2].is_ascii_digit();
    if (sample.windows(3).filter(is_zero).count() as u64) * LEAST < count_newlines(&sample) {
        return Ok(Vec::new());
    }
    let end = TEXT_BYTES.min(source.len());
    // The name of the line above, for numbers below a head.
    let mut above = None;
    each_line_to(source, end, LINE_BYTES, |line| {
        let (words, numbers) = apart(line.prefix);
        let has_words = words.iter().any(u8::is_ascii_alphabetic);
        let own = has_words.then(|| xxh3_64(&words));
        let below = std::mem::replace(&mut above, own).map(|name| !name);
        let Some(name) = own.or(below) else { return };
        for (index, is_zero) in numbers.into_iter().take(MOST_OF_LINE).enumerate() {
            let key = name.wrapping_add(index as u64);
            if counters.len() == MAX_COUNTERS && !counters.contains_key(&key) {
                continue;
            }
            let counter = counters.entry(key).or_default();
            counter.all += 1;
            if !is_zero {
                counter.counted += 1;
                if counter.counted <= RARE {
                    counter.places.push((line.number, line.start, line.start));
                }
            }
        }
    })?;
    let is_rare =
        |of: &Counter| of.all >= LEAST && of.counted <= RARE && of.counted * LEAST <= of.all;
    let mut places: Vec<Place> =
        counters.into_values().filter(is_rare).flat_map(|counter| counter.places).collect();
    sort_places(&mut places);
    places.dedup();
    places.truncate(MOST);
    Ok(places.into_iter().map(|(line, at, _)| Hit::rare(line, at)).collect())
}

/// Whether a byte may be of a number.
fn is_number(byte: &u8) -> bool {
    byte.is_ascii_digit() || b".,".contains(byte)
}

/// The words of a line, with a sign for each number and one blank for several; and whether each number is zero.
fn apart(line: &[u8]) -> (Vec<u8>, Vec<bool>) {
    let mut words = Vec::with_capacity(line.len());
    let mut numbers = Vec::new();
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        if byte.is_ascii_digit() {
            let run = line[at..].iter().take_while(|byte| is_number(byte)).count();
            numbers.push(!line[at..at + run].iter().any(|byte| (b'1'..=b'9').contains(byte)));
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
    fn numbers_without_words_and_those_that_are_seldom_zero_are_no_counters() {
        let grid: String = (0..90).map(|n| format!("0 0 {} 0\n", u8::from(n == 50))).collect();
        assert_eq!(found(&grid), Vec::<u64>::new());
        let sizes: String = (0..90).map(|n| format!("file {n} has {} bytes\n", n % 5)).collect();
        assert_eq!(found(&sizes), Vec::<u64>::new());
    }
}
