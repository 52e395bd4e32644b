//! Names as people and models write them: without case and punctuation, and with slips.

use crate::content::distance::distance_within;
use crate::sort::sort;

/// `name` in lower case without anything but letters and digits: `Create-Issue`, `create_issue`
/// and `createIssue` are one.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        let mut folded = String::with_capacity(name.len());
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric);
        folded.extend(letters.map(|b| b.to_ascii_lowercase() as char));
        return folded;
    }
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The names in `known` nearest to `wanted`, best first, at most `count`: those a slip of the
/// hand away, then those that share most of its words.
pub fn nearest<'a>(
    wanted: &str,
    known: impl Iterator<Item = &'a str>,
    count: usize,
) -> Vec<&'a str> {
    // Names come from a model: a long one is not worth comparing to the end.
    let wanted: String = wanted.chars().take(80).collect();
    let folded: Vec<char> = fold(&wanted).chars().collect();
    if folded.is_empty() {
        return Vec::new();
    }
    let words = words(&wanted);
    let slip = (folded.len() / 4).clamp(1, 4);
    let mut best: Vec<(u32, &str)> = Vec::new();
    for name in known {
        let other: Vec<char> = fold(name).chars().take(120).collect();
        let rank = if other.is_empty() {
            continue;
        } else if let Some(distance) = distance_within(&folded, &other, slip) {
            distance as u32
        } else {
            let parts = self::words(name);
            let shared = words.iter().filter(|word| parts.contains(word)).count();
            // At least half of the words asked for; more shared words first, then shorter names.
            if shared == 0 || shared * 2 < words.len() {
                continue;
            }
            1_000 - (shared as u32 * 100).min(900) + parts.len().min(90) as u32
        };
        best.push((rank, name));
    }
    sort(&mut best);
    best.dedup_by_key(|(_, name)| *name);
    best.truncate(count);
    best.into_iter().map(|(_, name)| name).collect()
}

/// The words of an identifier, in lower case: `createIssue`, `create_issue` → create, issue.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for c in name.chars() {
        let split = !c.is_alphanumeric() || (c.is_uppercase() && lower_before);
        if split && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase() || c.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_slips_first_then_shared_words() {
        let known = ["create_issue", "create_issues", "list_issues", "delete_page", "issue_write"];
        let near = |wanted| nearest(wanted, known.into_iter(), 2);
        assert_eq!(near("craete_issue"), ["create_issue", "create_issues"]);
        assert_eq!(near("page"), ["delete_page"]);
        assert_eq!(near("zzz"), Vec::<&str>::new());
        assert_eq!(near(""), Vec::<&str>::new());
    }
}
