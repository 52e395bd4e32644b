//! Foreign text as it may be shown: on one line or in paragraphs, without what is hidden, clipped.

use std::borrow::Cow;

use super::screen::characters::{Class, classes};
use super::screen::roles::is_role_tag;

/// `text` on one line without what must not be shown: hidden, reordering and control characters
/// go, runs of white space become one space, role tags lose their first bracket, and what is
/// longer than `max_chars` is cut at a word, with an ellipsis inside the bound.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::with_capacity(text.len().min(max_chars.saturating_mul(2)));
    let mut count = 0;
    let mut gap = false;
    let mut clipped = false;
    for (at, c, class) in classes(text) {
        match class {
            Class::Hidden | Class::Bidi | Class::Control => continue,
            Class::Break => gap = true,
            Class::Plain if c.is_whitespace() => gap = true,
            Class::Plain => {
                if is_role_tag(text.as_bytes(), at) {
                    continue;
                }
                let needed = usize::from(gap && count > 0) + 1;
                if count + needed > max_chars {
                    clipped = true;
                    break;
                }
                if gap && count > 0 {
                    line.push(' ');
                }
                line.push(c);
                count += needed;
                gap = false;
            }
        }
    }
    if clipped { clip_at_word(&line, max_chars) } else { line }
}

/// `text` with its line breaks, otherwise as clean as [`one_line`] makes it, and whether it was
/// cut at `max_chars`. Runs of empty lines become one.
pub fn paragraphs(text: &str, max_chars: usize) -> (String, bool) {
    let mut clean = String::with_capacity(text.len().min(max_chars.saturating_mul(2)));
    let mut left = max_chars;
    let mut empty = false;
    for line in text.trim().lines() {
        let line = one_line(line, usize::MAX >> 1);
        if line.is_empty() {
            empty = true;
            continue;
        }
        let breaks = if clean.is_empty() {
            ""
        } else if empty {
            "\n\n"
        } else {
            "\n"
        };
        empty = false;
        let count = line.chars().count() + breaks.len();
        if count > left {
            // The ellipsis has its room even where the cut comes right after a full line.
            if left > breaks.len() + 1 {
                clean.push_str(breaks);
                clean.push_str(&one_line(&line, left - breaks.len()));
            }
            return (clean, true);
        }
        clean.push_str(breaks);
        clean.push_str(&line);
        left -= count;
    }
    (clean, false)
}

/// The start of `line`, cut at the last space if that is not too far back, with an ellipsis.
fn clip_at_word(line: &str, max_chars: usize) -> String {
    if max_chars == 0 {
        return String::new();
    }
    let kept: String = line.chars().take(max_chars - 1).collect();
    let cut = match kept.rfind(' ') {
        Some(space) if space * 2 >= kept.len() => &kept[..space],
        _ => kept.as_str(),
    };
    format!("{}…", cut.trim_end_matches([' ', ',', ';', ':', '-']))
}

/// The first sentence of `text` on one line, clean, at most `max_chars` long.
///
/// A full stop ends a sentence when white space or the end follows, unless the word before it is
/// an abbreviation such as "e.g." or a single letter.
pub fn first_sentence(text: &str, max_chars: usize) -> String {
    // A sentence that does not end within a few times the bound is cut anyway.
    let line = one_line(text.trim_start(), max_chars.saturating_mul(3).max(240));
    let mut end = line.len();
    for (at, c) in line.char_indices() {
        let next = line[at + c.len_utf8()..].chars().next();
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => next.is_none_or(|c| c == ' ') && !is_abbreviation(&line[..at]),
            _ => false,
        };
        if ends {
            end = at;
            break;
        }
    }
    one_line(&line[..end], max_chars)
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    let lower = word.to_ascii_lowercase();
    matches!(lower.as_str(), "e.g" | "i.e" | "etc" | "vs" | "cf" | "approx" | "incl" | "no")
        || (word.len() == 1 && word.chars().all(char::is_alphabetic))
}

/// Whether `name` can be shown as it is: letters, digits and `_ - . : /`, at most 128 of them.
pub fn is_identifier(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.:/".contains(&b))
}

/// A name that can be shown: itself when it is an identifier, otherwise cleaned of everything that
/// is not, so that it stays recognisable.
pub fn label(name: &str) -> Cow<'_, str> {
    if is_identifier(name) {
        return Cow::Borrowed(name);
    }
    let line = one_line(name, 64);
    Cow::Owned(
        line.chars()
            .map(|c| if c.is_alphanumeric() || "_-.:/ ".contains(c) { c } else { '_' })
            .collect(),
    )
}

/// The first `count` characters of `text`.
pub(crate) fn first_chars(text: &str, count: usize) -> &str {
    // No more characters than bytes: most texts need not be counted.
    if text.len() <= count {
        return text;
    }
    if text.as_bytes()[..count].is_ascii() {
        return &text[..count];
    }
    match text.char_indices().nth(count) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_is_clean_and_clipped_at_a_word() {
        assert_eq!(one_line("  a\n\n b\u{200b}c\u{7}\t d ", 100), "a bc d");
        assert_eq!(one_line("say </system> now", 100), "say /system> now");
        assert_eq!(one_line("one two three four", 12), "one two…");
        assert_eq!(one_line("exactly ten", 11), "exactly ten");
        assert_eq!(one_line("abc", 0), "");
    }

    #[test]
    fn the_first_sentence_ends_at_its_full_stop() {
        assert_eq!(first_sentence("List open issues. Use it often.", 60), "List open issues");
        assert_eq!(first_sentence("Get a file (e.g. a.txt). More", 60), "Get a file (e.g. a.txt)");
        assert_eq!(first_sentence("Version 2.5 of it\nmore", 60), "Version 2.5 of it more");
        assert_eq!(first_sentence("問題を一覧する。次。", 60), "問題を一覧する");
        assert_eq!(first_sentence("", 60), "");
    }

    #[test]
    fn paragraphs_keep_their_line_breaks() {
        assert_eq!(paragraphs(" a\r\n\n\n b\u{200b}\nc ", 100), ("a\n\nb\nc".to_owned(), false));
        assert_eq!(
            paragraphs("one two\nthree four five", 16),
            ("one two\nthree…".to_owned(), true)
        );
    }

    #[test]
    fn a_label_is_made_of_harmless_characters() {
        assert_eq!(label("git-hub.v2"), "git-hub.v2");
        assert_eq!(label("a\nb <|im_start|>"), "a b _im_start__");
        assert!(!is_identifier(""));
        assert!(!is_identifier("two words"));
    }

    proptest! {
        #[test]
        fn a_shown_line_is_bounded_and_carries_nothing_hidden(
            text in "(?s)(.|<|im_start|>|\u{200b}|\u{200d}|\u{fe0f}|\u{202e}|\\PC){0,80}", max in 0usize..60,
        ) {
            let line = one_line(&text, max);
            prop_assert!(line.chars().count() <= max);
            prop_assert!(classes(&line).all(|(_, _, class)| class == Class::Plain));
            prop_assert!(first_sentence(&text, max).chars().count() <= max);
        }
    }
}
