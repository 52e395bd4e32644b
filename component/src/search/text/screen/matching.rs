//! Whether one of the orders stands at a place of a text.

use super::orders::{GAP_WORDS, ORDERS, SECRET_PLACES, alternatives, class_of};

/// Bytes of a word that stands for `*`.
const GAP_WORD_MAX: usize = 48;

/// Bytes of a path that are looked at.
const PATH_MAX: usize = 96;

/// Whether an order starts with the word at `at`.
pub(super) fn is_any_order(bytes: &[u8], at: usize) -> bool {
    let start = start_of_word(bytes, at);
    let (orders, ends) = &ORDERS_BY_START;
    let slot = usize::from(start) % SLOTS;
    let range = usize::from(ends[slot])..usize::from(ends[slot + 1]);
    let orders = orders.get(range).unwrap_or_default().iter();
    let mut orders =
        orders.filter(|(of, _)| *of == start).map(|(_, order)| usize::from(*order)).peekable();
    if orders.peek().is_none() {
        return false;
    }
    let (next, near) = letters_after(bytes, at);
    orders.any(|order| {
        let letters = SECOND_LETTERS[order];
        let seen = if letters & AFTER_GAP > 0 { near } else { next };
        letters & seen > 0 && is_order(bytes, at, ORDERS[order])
    })
}

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

/// The first four letters of the word at `at` as a number, in any case. Words that start alike may have the same.
const fn start_of_word(bytes: &[u8], at: usize) -> u16 {
    let (mut start, mut letter) = (0u16, at);
    while letter < bytes.len() && letter < at + 4 && bytes[letter].is_ascii_alphanumeric() {
        start = start.wrapping_mul(41).wrapping_add((bytes[letter] & 31) as u16);
        letter += 1;
    }
    start
}

/// Places of [`ORDERS_BY_START`] for different starts.
const SLOTS: usize = 256;

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
            let mut ends = alternatives(word).filter_map(|words| after(rest, words));
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
