//! Whether one of the orders stands at a place of a text.

use std::sync::LazyLock;

use super::orders::{GAP_WORDS, ORDERS, SECRET_PLACES, alternatives};
use crate::sort::sort_by_key;

/// Bytes of a word that stands for `*`.
const GAP_WORD_MAX: usize = 48;

/// Bytes of a path that are looked at.
const PATH_MAX: usize = 96;

/// The words of a text, by which few of the orders are left to be read against it.
pub(super) struct Words {
    /// Where each starts, and its first letters.
    places: Vec<(u32, u16)>,
    /// As many words as an order may be.
    part: usize,
    /// How many of them come after what stands between words of an order, not within a path or an address.
    apart: usize,
    /// Each as many words apart as an order has at most.
    ends: Vec<usize>,
}

/// What is known of the orders before one is read against a text.
struct Tables {
    /// In slots, the starts of their first words, and which begins so.
    by_start: Vec<Vec<(u16, usize)>>,
    /// Of each the starts of its words' alternatives, the words with the fewest first. Words that may begin with
    /// something else than a letter are left out.
    needed: Vec<Vec<Vec<u16>>>,
    /// The most words of a text that the words of an order may be.
    words_max: usize,
}

/// Slots for the starts of first words.
const SLOTS: usize = 1_024;

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let by_start = vec![Vec::new(); SLOTS];
    let mut tables = Tables { by_start, needed: Vec::new(), words_max: 0 };
    for (number, order) in ORDERS.iter().enumerate() {
        let words: Vec<&[u8]> = order.as_bytes().split(|byte| *byte == b' ').collect();
        for first in alternatives(words[0]) {
            let start = start_of_word(first);
            tables.by_start[usize::from(start) % SLOTS].push((start, number));
        }
        tables.needed.push(needed_of(&words));
        let of_order = words.iter().map(|word| most_words(word)).sum();
        tables.words_max = tables.words_max.max(of_order);
    }
    tables
});

/// The most words of a text that a word of an order may be.
fn most_words(word: &[u8]) -> usize {
    match word {
        b"*" => GAP_WORDS,
        word => alternatives(word)
            .map(|words| words.split(|byte| *byte == b'+').count())
            .max()
            .unwrap_or(0),
    }
}

fn needed_of(words: &[&[u8]]) -> Vec<Vec<u16>> {
    let needed = words.iter().filter(|word| {
        **word != b"*" && alternatives(word).all(|words| words[0].is_ascii_alphanumeric())
    });
    let mut needed: Vec<Vec<u16>> =
        needed.map(|word| alternatives(word).map(start_of_word).collect()).collect();
    sort_by_key(&mut needed, Vec::len);
    needed
}

impl Words {
    pub(super) fn new() -> Words {
        Words { places: Vec::new(), part: TABLES.words_max, apart: 0, ends: Vec::new() }
    }

    /// Adds the word at `at`; where it ends.
    #[inline]
    pub(super) fn add(&mut self, bytes: &[u8], at: usize) -> usize {
        if at == 0 || is_space(bytes[at - 1]) {
            if self.apart.is_multiple_of(self.part) {
                self.ends.push(self.places.len());
            }
            self.apart += 1;
        }
        let letters = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let start = start_of_word(&bytes[at..at + letters]);
        self.places.push((u32::try_from(at).unwrap_or(u32::MAX), start));
        at + letters
    }

    /// Whether one of the orders starts with one of the words.
    pub(super) fn have_order(&self, bytes: &[u8]) -> bool {
        let end = |part: usize| match part {
            0 => 0,
            _ => self.ends.get(part).copied().unwrap_or(self.places.len()),
        };
        // What starts in one part ends in the next.
        (0..self.ends.len().max(1)).any(|part| {
            let near = &self.places[end(part)..end(part + 2)];
            let mut seen = Seen::default();
            near.iter().for_each(|(_, start)| seen.add(*start));
            has_order(bytes, &near[..end(part + 1) - end(part)], &seen)
        })
    }
}

/// Whether one of the orders starts with one of the words at `places`, and has no others than those seen.
fn has_order(bytes: &[u8], places: &[(u32, u16)], seen: &Seen) -> bool {
    let tables = &*TABLES;
    let mut may_be = [None; ORDERS.len()];
    places.iter().any(|(at, start)| {
        let in_slot = tables.by_start[usize::from(*start) % SLOTS].iter();
        in_slot.filter(|(of, _)| of == start).any(|&(_, order)| {
            *may_be[order].get_or_insert_with(|| seen.has_all(&tables.needed[order]))
                && is_order(bytes, *at as usize, ORDERS[order])
        })
    })
}

/// Places for the first letters of words.
const SEEN: u16 = 8_192;

/// The place of the first letters of a word. Several may have the same.
fn slot(start: u16) -> usize {
    (start % SEEN) as usize
}

/// Which first letters the words of a text have.
struct Seen([u64; SEEN as usize / 64]);

impl Default for Seen {
    fn default() -> Seen {
        Seen([0; SEEN as usize / 64])
    }
}

impl Seen {
    fn add(&mut self, start: u16) {
        self.0[slot(start) / 64] |= 1 << (slot(start) % 64);
    }

    /// Whether for each word that an order needs one of the alternatives may be in the text.
    fn has_all(&self, needed: &[Vec<u16>]) -> bool {
        let has = |place: &u16| {
            let slot = slot(*place);
            self.0[slot / 64] >> (slot % 64) & 1 > 0
        };
        needed.iter().all(|word| word.iter().any(has))
    }
}

/// Letters of a word that tell whether an order may have it.
const START_MAX: usize = 4;

/// The first letters of a word as a number, in any case. Words that start alike may have the same.
fn start_of_word(word: &[u8]) -> u16 {
    let letters = word.iter().take(START_MAX).take_while(|byte| byte.is_ascii_alphanumeric());
    letters.fold(0u16, |start, letter| start.wrapping_mul(41).wrapping_add(u16::from(letter & 31)))
}

/// Whether an order is at `at`: its words, each with its alternatives, and any white space between.
#[inline(never)]
fn is_order(bytes: &[u8], at: usize, order: &str) -> bool {
    let ends_word = |rest: &&[u8]| !rest.first().is_some_and(u8::is_ascii_alphanumeric);
    // What may follow the words so far: several rests only where words were left out.
    let (mut rests, mut count) = ([&bytes[at..]; GAP_WORDS + 1], 1);
    for (place, word) in order.as_bytes().split(|byte| *byte == b' ').enumerate() {
        if word == b"*" {
            while count <= GAP_WORDS {
                let rest = rests[count - 1];
                let word = &rest[spaces(rest)..];
                let letters = letters_of_word(word);
                if word.len() == rest.len() || letters == 0 {
                    break;
                }
                rests[count] = &word[letters..];
                count += 1;
            }
            continue;
        }
        let next = rests[..count].iter().find_map(|rest| {
            let before = if place > 0 { spaces(rest) } else { 0 };
            if place > 0 && before == 0 {
                return None;
            }
            let rest = &rest[before..];
            let first = rest.first().map_or(0, |letter| letter | 0x20);
            let may_be = |words: &&[u8]| words[0] == first || matches!(words[0], b'@' | b'~');
            let alternatives =
                alternatives(word).filter(|words| may_be(words) || !first.is_ascii_lowercase());
            let mut ends = alternatives.filter_map(|words| after(rest, words));
            ends.find(ends_word)
        });
        let Some(next) = next else { return false };
        (rests[0], count) = (next, 1);
    }
    true
}

/// What follows `words` (lower case, `+` for white space, `@` for an address of mail, `~` for a
/// file of secrets) at the start of `bytes`.
#[inline(never)]
fn after<'b>(bytes: &'b [u8], words: &[u8]) -> Option<&'b [u8]> {
    if words == b"@" {
        let letters = letters_of_word(bytes);
        return bytes[..letters].contains(&b'@').then(|| &bytes[letters..]);
    }
    if words == b"~" {
        let ends_path = |byte: &u8| byte.is_ascii_whitespace() || b"`'\",;()<>".contains(byte);
        let length = bytes.iter().take(PATH_MAX).take_while(|byte| !ends_path(byte)).count();
        let path = bytes.get(..length)?;
        let holds = |place: &str| {
            path.windows(place.len()).any(|part| part.eq_ignore_ascii_case(place.as_bytes()))
        };
        let is_path = path.iter().any(|byte| matches!(byte, b'/' | b'.' | b'_'));
        let is_secret = is_path && SECRET_PLACES.iter().any(|place| holds(place));
        return is_secret.then(|| &bytes[length..]);
    }
    let mut rest = bytes;
    for wanted in words {
        let (first, after) = rest.split_first()?;
        let same = match wanted {
            b'+' => spaces(rest) > 0,
            _ => first.eq_ignore_ascii_case(wanted),
        };
        if !same {
            return None;
        }
        rest = if *wanted == b'+' { &rest[spaces(rest)..] } else { after };
    }
    Some(rest)
}

/// How many bytes are between words of an order: also marks, so that an order may go over two sentences, and what joins the
/// words of a name. A full stop is when no name of a file starts with it.
#[inline(never)]
fn spaces(bytes: &[u8]) -> usize {
    let is_stop =
        |at: usize| bytes[at] == b'.' && !bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    (0..bytes.len()).find(|&at| !is_space(bytes[at]) && !is_stop(at)).unwrap_or(bytes.len())
}

/// Whether a byte is between words wherever it stands.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' '..=b'"' | b'('..=b'*' | b',' | b'-' | b':' | b';' | b'?' | b'[' | b']' | b'_' | b'`')
}

/// How many bytes the word at the start of `bytes` has, up to [`GAP_WORD_MAX`].
#[inline(never)]
fn letters_of_word(bytes: &[u8]) -> usize {
    bytes.iter().take(GAP_WORD_MAX).take_while(|byte| !is_space(**byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::text::screen::{Suspicion, suspicions};

    /// An order as a text may have it: the longest alternatives, and for each word left out a path of many.
    fn sentence(order: &str) -> String {
        let longest = |word: &[u8]| {
            let longest = alternatives(word).max_by_key(|words| words.len()).unwrap();
            String::from_utf8(longest.to_vec()).unwrap().replace('+', " ")
        };
        let words = order.as_bytes().split(|byte| *byte == b' ').map(|word| match word {
            b"*" => ["a/b/c/d/e/f"; GAP_WORDS].join(" "),
            b"@" => "me@example.org".to_owned(),
            b"~" => "~/.ssh/id_rsa".to_owned(),
            word => longest(word),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_order_is_found_wherever_it_starts_in_a_long_text() {
        for order in ORDERS {
            let sentence = sentence(order);
            assert!(
                order.find('~').is_none_or(|at| at + 1 == order.len()),
                "a path may have many words"
            );
            for before in 0..=TABLES.words_max + 1 {
                let text = format!("{}{sentence}.{}", "x ".repeat(before), " x".repeat(200));
                let found = suspicions(&text);
                assert!(
                    found.contains(&Suspicion::Instruction),
                    "{before} words before {sentence:?}"
                );
            }
        }
    }
}
