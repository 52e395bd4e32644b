//! The words of a text, for those who rank by them.

/// English words that say nothing about what is sought.
pub(crate) const STOP_WORDS: [&str; 30] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "did", "do", "does", "for", "from", "how",
    "in", "is", "it", "of", "on", "or", "that", "the", "this", "to", "was", "what", "when",
    "where", "which", "with",
];

/// Calls `each` with every word of a text in lower case: letters and digits in a row, and in scripts
/// without spaces each pair of characters.
pub(crate) fn words(text: &str, mut each: impl FnMut(&str)) {
    let unspaced = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}');
    let mut word = String::new();
    let mut last: Option<char> = None;
    let mut previous_lower = false;
    for c in text.chars() {
        if unspaced(c) {
            if !word.is_empty() {
                each(&word);
                word.clear();
            }
            if let Some(last) = last {
                each(&format!("{last}{c}"));
            }
            last = Some(c);
            continue;
        }
        last = None;
        if !c.is_alphanumeric() {
            if !word.is_empty() {
                each(&word);
                word.clear();
            }
            previous_lower = false;
            continue;
        }
        // `getUser` is two words.
        if c.is_uppercase() && previous_lower && !word.is_empty() {
            each(&word);
            word.clear();
        }
        previous_lower = c.is_lowercase();
        if word.len() < 64 {
            if c.is_ascii() {
                word.push(c.to_ascii_lowercase());
            } else {
                word.extend(c.to_lowercase());
            }
        }
    }
    if !word.is_empty() {
        each(&word);
    }
}
