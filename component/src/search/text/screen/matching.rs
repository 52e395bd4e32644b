//! Whether one of the orders stands at a place of a text.

use std::sync::LazyLock;

use super::orders::{GAP_WORDS, ORDERS, SECRET_PLACES, alternatives, class_of};
use crate::sort::sort_by_key;

/// Bytes of a word that stands for `*`.
const GAP_WORD_MAX: usize = 48;

/// Bytes of a path that are looked at.
const PATH_MAX: usize = 96;

/// The words of a text, by which few of the orders are left to be read against it.
#[derive(Default)]
pub(super) struct Words {
    /// Where each starts, and its first letters.
    places: Vec<(u32, u16)>,
    /// How many of them come after what stands between words of an order, not within a path or an address.
    apart: usize,
    /// Each as many words apart as an order has at most.
    ends: Vec<usize>,
}

impl Words {
    /// Adds the word at `at`; where it ends.
    #[inline]
    pub(super) fn add(&mut self, bytes: &[u8], at: usize) -> usize {
        if at == 0 || is_space(bytes[at - 1]) {
            if self.apart.is_multiple_of(WORDS_MAX) {
                self.ends.push(self.places.len());
            }
            self.apart += 1;
        }
        let (mut start, mut end) = (0, at);
        while let Some(byte) = bytes.get(end).filter(|byte| byte.is_ascii_alphanumeric()) {
            if end < at + START_MAX {
                start = with_letter(start, *byte);
            }
            end += 1;
        }
        self.places.push((u32::try_from(at).unwrap_or(u32::MAX), start));
        end
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
    let mut may_be = [None; ORDERS.len()];
    places.iter().any(|(at, start)| {
        let at = *at as usize;
        let mut next = None;
        orders_from(*start).any(|order| {
            *may_be[order].get_or_insert_with(|| seen.has_all(order)) && {
                let (next, near) = *next.get_or_insert_with(|| letters_after(bytes, at));
                let letters = SECOND_LETTERS[order];
                let seen = if letters & AFTER_GAP > 0 { near } else { next };
                letters & seen > 0 && is_order(bytes, at, ORDERS[order])
            }
        })
    })
}

/// The most words of a text that the words of an order may be.
const WORDS_MAX: usize = {
    let (mut most, mut order) = (0, 0);
    while order < ORDERS.len() {
        let words = ORDERS[order].as_bytes();
        let (mut of_order, mut at) = (0, 0);
        while at < words.len() {
            assert!(words[at] != b'~' || at + 1 == words.len(), "a path may have many words");
            let (mut of_word, mut end) = (0, at);
            while end < words.len() && words[end] != b' ' {
                end += 1;
            }
            let class = class_of(words[at]).as_bytes();
            let (alternatives, mut letter, end_of_word) =
                if class.is_empty() { (words, at, end) } else { (class, 0, class.len()) };
            let mut of_alternative = 1;
            while letter < end_of_word {
                match alternatives[letter] {
                    b'+' => of_alternative += 1,
                    b'|' => of_alternative = 1,
                    b'*' => of_alternative = GAP_WORDS,
                    _ => {}
                }
                if of_alternative > of_word {
                    of_word = of_alternative;
                }
                letter += 1;
            }
            of_order += of_word;
            at = end + 1;
        }
        if of_order > most {
            most = of_order;
        }
        order += 1;
    }
    most
};

/// The orders of which a first word starts so.
fn orders_from(start: u16) -> impl Iterator<Item = usize> {
    let (orders, ends) = &ORDERS_BY_START;
    let slot = usize::from(start) % SLOTS;
    let range = usize::from(ends[slot])..usize::from(ends[slot + 1]);
    let orders = orders.get(range).unwrap_or_default().iter();
    orders.filter(move |(of, _)| *of == start).map(|(_, order)| usize::from(*order))
}

/// Places for the first letters of words.
const SEEN: u16 = 8_192;

/// The place of the first letters of a word. Several may have the same.
const fn slot(start: u16) -> usize {
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

    /// Whether for each word of an order one of the alternatives may be in the text.
    fn has_all(&self, order: usize) -> bool {
        let has = |place: &u16| {
            let slot = slot(*place);
            self.0[slot / 64] >> (slot % 64) & 1 > 0
        };
        let (places, ends) = &*NEEDED;
        let places = &places[ends[order]..ends[order + 1]];
        places.split_inclusive(|place| *place & LAST > 0).all(|word| word.iter().any(has))
    }
}

/// Marks the last alternative of a word.
const LAST: u16 = SEEN;

/// For each order the places of its words' alternatives, the words with the fewest first, and where those of each order
/// start. Words that may begin with something else than a letter are left out.
static NEEDED: LazyLock<(Vec<u16>, Vec<usize>)> = LazyLock::new(|| {
    let (mut places, mut ends) = (Vec::new(), vec![0]);
    for order in ORDERS {
        let words = order.as_bytes().split(|byte| *byte == b' ').filter(|word| *word != b"*");
        let mut words: Vec<Vec<u16>> = words
            .filter(|word| alternatives(word).all(|words| words[0].is_ascii_alphanumeric()))
            .map(|word| alternatives(word).map(|words| start_of_word(words, 0) % SEEN).collect())
            .collect();
        sort_by_key(&mut words, Vec::len);
        for mut word in words {
            if let Some(last) = word.last_mut() {
                *last |= LAST;
            }
            places.append(&mut word);
        }
        ends.push(places.len());
    }
    (places, ends)
});

/// A bit for the first letter of the word after the one at `at`, and a bit for each of the words among which the one after
/// `*` is.
fn letters_after(bytes: &[u8], at: usize) -> (u32, u32) {
    let (mut rest, mut next, mut near) = (&bytes[at..], 0, 0);
    for place in 0..=GAP_WORDS {
        rest = &rest[letters_of_word(rest)..];
        rest = &rest[spaces(rest)..];
        let Some(letter) = rest.first().map(|byte| 1 << (byte & 31)) else { break };
        near |= letter;
        if place == 0 {
            next = letter;
        }
    }
    (next, near)
}

/// For each order a bit for each letter that the word after its first may start with, and [`AFTER_GAP`] when that follows a
/// `*`. No order need be read against a text whose next words start otherwise.
static SECOND_LETTERS: [u32; ORDERS.len()] = {
    let mut all = [0; ORDERS.len()];
    let mut order = 0;
    while order < ORDERS.len() {
        let words = ORDERS[order].as_bytes();
        // What follows a space within the alternatives of the first word is the next word of a text.
        let first = first_words(ORDERS[order]);
        let mut at = 0;
        while at < first.len() && first[at] != b' ' {
            if first[at] == b'+' {
                all[order] |= 1 << (first[at + 1] & 31);
            }
            at += 1;
        }
        let mut second = 0;
        while words[second] != b' ' {
            second += 1;
        }
        second += 1;
        if words[second] == b'*' {
            all[order] |= AFTER_GAP;
            second += 2;
        }
        all[order] |= first_letters(words, second) & !AFTER_GAP;
        order += 1;
    }
    all
};

/// No letter has this bit.
const AFTER_GAP: u32 = 1;

/// A bit for the first letter of each alternative of the word of an order at `at`: all where that may be any.
const fn first_letters(words: &[u8], mut at: usize) -> u32 {
    let class = class_of(words[at]).as_bytes();
    let words = if class.is_empty() {
        words
    } else {
        at = 0;
        class
    };
    let (mut letters, mut before) = (0, b'|');
    while at < words.len() && words[at] != b' ' {
        if before == b'|' {
            if matches!(words[at], b'~' | b'@') {
                return u32::MAX;
            }
            letters |= 1 << (words[at] & 31);
        }
        before = words[at];
        at += 1;
    }
    letters
}

/// The first letters of the word at `at` as a number, in any case. Words that start alike may have the same.
const fn start_of_word(bytes: &[u8], at: usize) -> u16 {
    let (mut start, mut letter) = (0, at);
    while letter < bytes.len() && letter < at + START_MAX && bytes[letter].is_ascii_alphanumeric() {
        start = with_letter(start, bytes[letter]);
        letter += 1;
    }
    start
}

/// Letters of a word that tell whether an order may have it.
const START_MAX: usize = 4;

const fn with_letter(start: u16, letter: u8) -> u16 {
    start.wrapping_mul(41).wrapping_add((letter & 31) as u16)
}

/// Places of [`ORDERS_BY_START`] for different starts.
const SLOTS: usize = 1_024;

/// First words of all orders together.
const STARTS: usize = {
    let (mut count, mut order) = (0, 0);
    while order < ORDERS.len() {
        let words = first_words(ORDERS[order]);
        let mut at = 0;
        while at < words.len() && words[at] != b' ' {
            count += (at == 0 || words[at - 1] == b'|') as usize;
            at += 1;
        }
        order += 1;
    }
    count
};

/// The orders by the starts of their first words, and where those of each slot end.
static ORDERS_BY_START: ([(u16, u8); STARTS], [u16; SLOTS + 1]) = {
    assert!(ORDERS.len() <= 256 && STARTS < 1 << 16);
    // How many each slot has, and with those of all slots before it; then each order at its place.
    let (mut orders, mut ends) = ([(0, 0); STARTS], [0; SLOTS + 1]);
    let mut pass = 0;
    while pass < 2 {
        let mut order = ORDERS.len();
        while order > 0 {
            order -= 1;
            let words = first_words(ORDERS[order]);
            let mut at = 0;
            while at < words.len() && words[at] != b' ' {
                if at == 0 || words[at - 1] == b'|' {
                    let start = start_of_word(words, at);
                    let slot = start as usize % SLOTS;
                    if pass == 0 {
                        ends[slot] += 1;
                    } else {
                        ends[slot] -= 1;
                        orders[ends[slot] as usize] = (start, order as u8);
                    }
                }
                at += 1;
            }
        }
        let mut slot = 0;
        while pass == 0 && slot < SLOTS {
            ends[slot + 1] += ends[slot];
            slot += 1;
        }
        pass += 1;
    }
    (orders, ends)
};

/// The words that an order may start with, between `|`, up to a space.
const fn first_words(order: &'static str) -> &'static [u8] {
    let class = class_of(order.as_bytes()[0]).as_bytes();
    if class.is_empty() { order.as_bytes() } else { class }
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
            for before in 0..=WORDS_MAX + 1 {
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
