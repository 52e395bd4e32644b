//! The trigrams of a word, by which a misspelled one is told.

use crate::sort::sort;

/// Three letters of a word, its ends marked.
pub(crate) type Gram = [u8; 3];

/// The distinct trigrams of `^word$`, sorted.
pub(crate) fn grams(word: &str) -> Vec<Gram> {
    let mut grams: Vec<Gram> = each_gram(word).collect();
    sort(&mut grams);
    grams.dedup();
    grams
}

fn each_gram(word: &str) -> impl Iterator<Item = Gram> {
    let word = word.as_bytes();
    let letter = move |at: usize| match at {
        0 => b'^',
        _ => word.get(at - 1).copied().unwrap_or(b'$'),
    };
    (0..word.len()).map(move |at| [letter(at), letter(at + 1), letter(at + 2)])
}

/// The trigrams of a word as bits of a hash: those of two words with nothing in common rarely meet.
pub(crate) fn gram_bits(word: &str) -> u64 {
    each_gram(word).map(|gram| gram_bit(&gram)).fold(0, |bits, bit| bits | bit)
}

fn gram_bit(&[a, b, c]: &Gram) -> u64 {
    let mixed = (u32::from(a) << 16 | u32::from(b) << 8 | u32::from(c)).wrapping_mul(0x9e37_79b1);
    1 << (mixed >> 26)
}

/// Twice what two sorted sets share over the sum of their sizes.
pub(crate) fn dice(a: &[Gram], b: &[Gram]) -> f32 {
    let shared = a.iter().filter(|gram| b.binary_search(gram).is_ok()).count();
    2.0 * shared as f32 / (a.len() + b.len()) as f32
}
