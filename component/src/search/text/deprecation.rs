//! Whether a tool's text says that it should not be used any more.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::clean;

/// Words after "deprecated" that make a notice of it at the start of a sentence.
const AFTER: [&str; 7] = ["use ", "in ", "since ", "as ", "please ", "by ", "and "];

/// What a notice that is a whole sentence is about.
const ABOUT: [&str; 8] =
    ["this ", "tool", "endpoint", "method", "operation", "function", "action", "api"];

/// The sentence of a description or title that says that its tool is deprecated, clean and at most
/// `max_chars` long. What only speaks of deprecated things is not a notice.
pub fn deprecation(text: &str, max_chars: usize) -> Option<String> {
    let bytes = text.as_bytes();
    for (start, end) in cues(bytes) {
        let sentence_start = text[..start].rfind(['.', '!', '\n']).map_or(0, |stop| stop + 1);
        let before = text[sentence_start..start].trim();
        let after = text[end..].trim_start_matches(['*', '_', '`', '~']);
        let opens = before.is_empty()
            || before.ends_with(['[', '(', '*', '_', '-', '\u{26a0}', '\u{fe0f}', ':']);
        let closes = after.is_empty()
            || after.starts_with([':', '.', ']', ')', ',', ';', '!', '\n', '\u{2014}'])
            || after.starts_with(" -")
            || AFTER.iter().any(|word| after.trim_start().to_ascii_lowercase().starts_with(word));
        let lower = before.to_ascii_lowercase();
        let says_so = ["is", "been", "now"].contains(&lower.rsplit(' ').next().unwrap_or_default())
            && !lower.contains("whether")
            && !lower.contains(" if ")
            && ABOUT.iter().any(|about| lower.contains(about));
        let will = bytes[start] | 0x20 == b'w';
        // "Will be removed in 3.0", and not "the file will be removed in 30 days".
        let goes = will
            && (before.is_empty() || ABOUT.iter().any(|about| lower.contains(about)))
            && is_version(after);
        if goes || !will && (opens && closes || says_so) {
            let length = text[end..].find(['.', '!', '\n']).unwrap_or(text.len() - end);
            let sentence = &text[sentence_start..end + length];
            let sentence = sentence.replace(['[', ']', '*'], " ");
            return Some(clean::one_line(
                sentence.trim_start_matches([' ', '(', '_', '-']),
                max_chars,
            ));
        }
    }
    None
}

/// Where a text may say that something goes: `deprecated`, `obsolete`, `will be removed in`.
fn cues(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    const CUES: [(u8, &str); 5] = [
        (b'd', "eprecated"),
        (b'd', "EPRECATED"),
        (b'o', "bsolete"),
        (b'o', "BSOLETE"),
        (b'w', "ill be removed in "),
    ];
    // To make a search takes longer than to run it over most texts.
    static SEARCHES: LazyLock<[(u8, Finder<'static>); 5]> =
        LazyLock::new(|| CUES.map(|(first, rest)| (first, Finder::new(rest))));
    SEARCHES.iter().flat_map(move |(first, rest)| {
        let starts = rest.find_iter(bytes).filter_map(|at| at.checked_sub(1));
        let starts = starts.filter(move |&at| bytes[at] | 0x20 == *first).take(8);
        starts.map(move |at| (at, at + 1 + rest.needle().len()))
    })
}

/// Whether a text starts with a version: 3.0, v4, the next release.
fn is_version(text: &str) -> bool {
    let starts = ["a future", "the next", "version"].iter().any(|start| text.starts_with(start));
    let word = text.split(' ').next().unwrap_or_default();
    let number = word.strip_prefix('v').unwrap_or(word);
    let is_number = number.starts_with(|c: char| c.is_ascii_digit());
    starts || is_number && (number.len() < word.len() || word.trim_end_matches('.').contains('.'))
}

/// What a text says after its notice, where the notice is a sentence of its own before it.
pub fn after_notice(text: &str) -> &str {
    let end = cues(text.as_bytes()).map(|(_, end)| end).min();
    let rest = end.map_or("", |end| &text[end..]);
    let start = rest.find(['.', '!', '\n']).map_or(rest.len(), |stop| stop + 1);
    rest[start..].trim_start_matches(['*', ']', '!', '.', ' ', '\n', '\r'])
}

/// Whether a name says that its tool is deprecated, before or after everything else.
pub fn is_deprecated_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.starts_with("deprecated") || name.ends_with("deprecated")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_told_from_talk_of_deprecated_things() {
        for (text, notice) in [
            (
                "Lists pages. DEPRECATED: use list_all instead. More.",
                "DEPRECATED: use list_all instead",
            ),
            ("[DEPRECATED] Lists pages.", "DEPRECATED Lists pages"),
            ("Lists pages (deprecated, use list_all).", "Lists pages (deprecated, use list_all)"),
            ("Deprecated in favor of x", "Deprecated in favor of x"),
            (
                "Get it.\nThis tool is deprecated and goes in June.",
                "This tool is deprecated and goes in June",
            ),
            ("**Deprecated** - use x", "Deprecated - use x"),
            ("Get it. This tool is obsolete, use b.", "This tool is obsolete, use b"),
            ("Get it. Will be removed in 3.0.", "Will be removed in 3"),
            (
                "This tool will be removed in the next release.",
                "This tool will be removed in the next release",
            ),
        ] {
            assert_eq!(deprecation(text, 100).as_deref(), Some(notice), "{text}");
        }
        for text in [
            "Lists deprecated packages.",
            "Whether the API is deprecated.",
            "Deprecated packages are listed.",
            "Finds out if a package has been deprecated",
            "depre cated",
            "Lists obsolete packages.",
            "Deletes a card. The file will be removed in 30 days.",
            "This item will be removed in 30 days.",
            "Removes what is deprecated from a file",
        ] {
            assert_eq!(deprecation(text, 100), None, "{text}");
        }
        assert!(deprecation("Deprecated: use the other one", 16).unwrap().chars().count() <= 16);
        assert!(is_deprecated_name("deprecated_list") && is_deprecated_name("list-DEPRECATED"));
        assert!(!is_deprecated_name("list_deprecated_packages"));
    }
}
