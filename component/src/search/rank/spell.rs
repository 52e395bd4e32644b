//! The catalogue's word that a misspelled one was meant to be.

use std::cmp::Ordering;

use crate::search::index::grams::{dice, gram_bits, grams};
use crate::search::index::inverted::Index;
use crate::search::text::words::stop_words;

/// Letters in the shortest word that is corrected.
const CORRECTED_MIN_LEN: usize = 4;
/// Letters in the longest word of which trigrams say too little: it has hardly any.
const SHORT_MAX_LEN: usize = 4;
/// Letters in the shortest word that is a correction.
const CORRECTION_MIN_LEN: usize = 4;
/// How many letters longer or shorter a correction may be.
const LENGTH_DIFFERENCE_MAX: usize = 2;
/// The least share of trigrams (Dice) that a word and its correction have in common.
const DICE_MIN: f32 = 0.5;

/// The word most like `word`, which neither the catalogue nor the table knows: by trigrams in
/// common, then by how often the catalogue has it. `None` when nothing is like it, or when it is
/// too short or not of ASCII letters.
pub(crate) fn correction<'a>(index: &'a Index, word: &str) -> Option<&'a str> {
    if word.len() < CORRECTED_MIN_LEN || !is_letters(word) {
        return None;
    }
    if word.len() <= SHORT_MAX_LEN {
        return short_correction(index, word);
    }
    let wanted = grams(word);
    let bits = gram_bits(word);
    // Trigrams of the word that share their bit with another.
    let doubled = wanted.len() as u32 - bits.count_ones();
    let mut best: Option<(f32, u32, &str)> = None;
    let mut consider = |candidate: &'a str, count: u32, candidate_bits: u64| {
        // No more trigrams can be shared than have their bit set, and a candidate has no fewer than
        // bits: most words end here.
        let shared_max = (bits & candidate_bits).count_ones() + doubled;
        let grams_min = wanted.len() as u32 + candidate_bits.count_ones();
        let dice_max = 2.0 * shared_max as f32 / grams_min as f32;
        if dice_max < best.map_or(DICE_MIN, |(dice, ..)| dice)
            || candidate.len() < CORRECTION_MIN_LEN
            || candidate.len().abs_diff(word.len()) > LENGTH_DIFFERENCE_MAX
            || !is_letters(candidate)
        {
            return;
        }
        let dice = dice(&wanted, &grams(candidate));
        if dice >= DICE_MIN
            && slips(word.as_bytes(), candidate.as_bytes()) <= slips_max(word.len())
            && best.is_none_or(|best| (dice, count, candidate) > best)
        {
            best = Some((dice, count, candidate));
        }
    };
    for (place, (&count, &bits)) in index.word_counts.iter().zip(&index.word_grams).enumerate() {
        if count > 0 {
            consider(index.collection.words.get(place), count, bits);
        }
    }
    for candidate in stop_words() {
        consider(candidate, 0, gram_bits(candidate));
    }
    best.map(|(_, _, candidate)| candidate)
}

/// Slips of the hand in a word of so many letters, at most: with more, it is another word.
fn slips_max(letters: usize) -> usize {
    if letters < 9 { 1 } else { 2 }
}

/// Letters left out, too many, swapped with the next or mistaken, from the first that differs to the last. Who mistakes
/// the first letter writes another word.
fn slips(written: &[u8], meant: &[u8]) -> usize {
    if written.first() != meant.first() && written.get(..2) != Some(&[meant[1], meant[0]]) {
        return usize::MAX;
    }
    let (mut two, mut one) = (Vec::new(), (0..=meant.len()).collect::<Vec<usize>>());
    for at in 1..=written.len() {
        let mut row = vec![at];
        for to in 1..=meant.len() {
            let differs = usize::from(written[at - 1] != meant[to - 1]);
            let mut least = (one[to] + 1).min(row[to - 1] + 1).min(one[to - 1] + differs);
            if at > 1
                && to > 1
                && (written[at - 1], written[at - 2]) == (meant[to - 2], meant[to - 1])
            {
                least = least.min(two[to - 2] + 1);
            }
            row.push(least);
        }
        (two, one) = (one, row);
    }
    one.last().copied().unwrap_or_default()
}

/// The commonest word that becomes `word` by a slip of the hand: two letters swapped, one left out or
/// one too many. Another letter is not a slip here: of words so short too many differ by one.
fn short_correction<'a>(index: &'a Index, word: &str) -> Option<&'a str> {
    let mut best: Option<(u32, &str)> = None;
    for (place, &count) in index.word_counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let candidate = index.collection.words.get(place);
        let is_near = candidate.len().abs_diff(word.len()) <= 1;
        if is_near && candidate.len() >= CORRECTION_MIN_LEN && is_slip(candidate, word) {
            best = best.max(Some((count, candidate)));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn is_slip(meant: &str, written: &str) -> bool {
    if !is_letters(meant) || meant.as_bytes()[0] != written.as_bytes()[0] {
        return false;
    }
    let (meant, written) = (meant.as_bytes(), written.as_bytes());
    let same = meant.iter().zip(written).take_while(|(a, b)| a == b).count();
    match meant.len().cmp(&written.len()) {
        Ordering::Equal => {
            let (meant, written) = (&meant[same..], &written[same..]);
            meant.len() > 1
                && (meant[0], meant[1]) == (written[1], written[0])
                && meant[2..] == written[2..]
        }
        Ordering::Greater => meant[same + 1..] == written[same..],
        Ordering::Less => meant[same..] == written[same + 1..],
    }
}

fn is_letters(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::correction;
    use crate::search::index::document::Tool;
    use crate::search::index::inverted::Index;

    fn index() -> Index {
        let tool = |name| Tool {
            name,
            description: "List the releases of a repository",
            ..Tool::default()
        };
        Index::build([tool("list_releases"), tool("list_branches"), tool("restart_deployment")])
    }

    #[test]
    fn a_word_with_letters_missing_or_swapped_is_recognised() {
        let index = index();
        assert_eq!(correction(&index, "relases"), Some("releases"));
        assert_eq!(correction(&index, "brnaches"), Some("branches"));
        assert_eq!(correction(&index, "deploymnet"), Some("deployment"));
    }

    #[test]
    fn a_word_that_is_only_like_one_of_the_catalogue_stays_itself() {
        let tool = |name| Tool { name, ..Tool::default() };
        let names = ["pyroscope_query", "recipient_add", "harden_image", "contract_sign"];
        let index = Index::build(names.map(tool));
        for word in ["horoscope", "recipes", "garden", "stethoscope", "gyroscope"] {
            assert_eq!(correction(&index, word), None, "{word}");
        }
        assert_eq!(correction(&index, "reciepient"), Some("recipient"));
    }

    #[test]
    fn a_word_unlike_all_others_stays() {
        let index = index();
        for word in ["quasar", "xyzzy", "lst", "12345", "релизы", ""] {
            assert_eq!(correction(&index, word), None, "{word}");
        }
    }

    #[test]
    fn a_slip_in_a_short_word_is_recognised_and_another_letter_is_not_one() {
        let tool = |name| Tool { name, ..Tool::default() };
        let index = Index::build(["create_issue", "list_pages", "mail_send", "zero_out"].map(tool));
        for (written, meant) in [
            ("isue", Some("issue")),
            ("lsit", Some("list")),
            ("lits", Some("list")),
            ("maill", Some("mail")),
            ("mial", Some("mail")),
            ("xero", None),
            ("slak", None),
        ] {
            assert_eq!(correction(&index, written), meant, "{written}");
        }
    }
}
