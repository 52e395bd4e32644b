//! Whether one of the orders stands at a place of a text.

use super::anchors::ANCHORS;
use super::orders::{GAP_WORDS, ORDER_WORDS, ORDERS, alternatives, class_of};

/// Letters of the longest word that starts an order, with room. A longer word is none of an order, and
/// is not followed to its start: a text of anchors in one word would be walked anew for each.
const WORD_MAX: usize = 16;

/// Bytes of a word that stands for `*`.
const GAP_WORD_MAX: usize = 48;

/// Where the word at `at` starts, and the words before it, up to one that is too long.
pub(super) fn starts_of_words(bytes: &[u8], mut at: usize) -> impl Iterator<Item = usize> + Clone {
    (0..ORDER_WORDS).map_while(move |_| {
        let word =
            bytes[..at].iter().rev().take(WORD_MAX).take_while(|b| b.is_ascii_alphanumeric());
        let length = word.count();
        let start = at - length;
        let between = bytes[..start].iter().rev().take_while(|b| !b.is_ascii_alphanumeric());
        at = start - between.count();
        (length < WORD_MAX).then_some(start)
    })
}

/// Whether an order that has this anchor is at `at`.
pub(super) fn is_any_order(bytes: &[u8], at: usize, anchor: usize) -> bool {
    let letter = bytes.get(at).map_or(0, |byte| 1 << (byte & 31));
    let (orders, starts) = &ORDERS_OF_ANCHORS;
    let range = usize::from(starts[anchor])..usize::from(starts[anchor + 1]);
    orders.get(range).unwrap_or_default().iter().any(|&order| {
        let (order, letters) = PREPARED_ORDERS[usize::from(order)];
        letters & letter > 0 && is_order(bytes, at, order)
    })
}

/// Anchors of all orders together.
const ANCHORED: usize = {
    let (mut count, mut order) = (0, 0);
    while order < ORDERS.len() {
        count += ORDERS[order].0.len() / 4;
        order += 1;
    }
    count
};

/// For each anchor the places of the orders that have it, and where those of each anchor start.
static ORDERS_OF_ANCHORS: ([u8; ANCHORED], [u8; ANCHORS.len() + 1]) = {
    assert!(ANCHORED < 256 && ORDERS.len() < 256);
    let (mut orders, mut starts) = ([0; ANCHORED], [0; ANCHORS.len() + 1]);
    let (mut count, mut place) = (0, 0);
    while place < ANCHORS.len() {
        let mut order = 0;
        while order < ORDERS.len() {
            let anchors = ORDERS[order].0.as_bytes();
            let mut at = 0;
            while at < anchors.len() {
                let [a, b, c, d] = ANCHORS[place];
                let same = anchors[at] == a && anchors[at + 1] == b;
                if same && anchors[at + 2] == c && anchors[at + 3] == d {
                    orders[count] = order as u8;
                    count += 1;
                }
                at += 4;
            }
            order += 1;
        }
        place += 1;
        starts[place] = count as u8;
    }
    (orders, starts)
};

/// The orders, each with the last five bits of the letters it may start with, a bit each.
static PREPARED_ORDERS: [(&str, u32); ORDERS.len()] = {
    let mut prepared = [("", 0); ORDERS.len()];
    let mut order = 0;
    while order < ORDERS.len() {
        let words = ORDERS[order].1.as_bytes();
        prepared[order].0 = ORDERS[order].1;
        let class = class_of(words[0]).as_bytes();
        let words = if class.is_empty() { words } else { class };
        let (mut at, mut before) = (0, b'|');
        while at < words.len() && words[at] != b' ' {
            if before == b'|' {
                prepared[order].1 |= 1 << (words[at] & 31);
            }
            before = words[at];
            at += 1;
        }
        order += 1;
    }
    prepared
};

/// Whether an order is at `at`: its words, each with its alternatives, and any white space between.
#[inline(never)]
fn is_order(bytes: &[u8], at: usize, order: &str) -> bool {
    let ends_word = |rest: &&[u8]| !rest.first().is_some_and(u8::is_ascii_alphanumeric);
    // What may follow the words so far: several rests only where words were left out.
    let (mut rests, mut count) = ([&bytes[at..]; GAP_WORDS + 1], 1);
    for (place, word) in order.split(' ').enumerate() {
        if word == "*" {
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
            let mut ends = alternatives(word).filter_map(|words| after(rest, words.as_bytes()));
            ends.find(ends_word)
        });
        let Some(next) = next else { return false };
        (rests[0], count) = (next, 1);
    }
    true
}

/// What follows `words` (lower case, `+` for white space, `@` for an address of mail) at the start of `bytes`.
#[inline(never)]
fn after<'b>(bytes: &'b [u8], words: &[u8]) -> Option<&'b [u8]> {
    if words == b"@" {
        let letters = letters_of_word(bytes);
        return bytes[..letters].contains(&b'@').then(|| &bytes[letters..]);
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
