//! What a character of a foreign text may do.

/// What a character of a foreign text may do to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Plain,
    Break,
    Hidden,
    Bidi,
    Control,
}

/// What `c` may do.
pub(crate) fn class(c: char) -> Class {
    match c {
        '\n' | '\r' | '\t' => Class::Break,
        '\u{2028}' | '\u{2029}' => Class::Break,
        '\u{200e}' | '\u{200f}' | '\u{061c}' => Class::Bidi,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Class::Bidi,
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => {
            Class::Hidden
        }
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{2065}' => Class::Hidden,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' => Class::Hidden,
        // U+FE0E and U+FE0F choose how an emoji looks, and U+200C and U+200D join letters of some
        // scripts; the other variation selectors can carry a hidden message.
        '\u{fe00}'..='\u{fe0d}' | '\u{e0000}'..='\u{e0fff}' => Class::Hidden,
        '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => Class::Hidden,
        c if c.is_control() => Class::Control,
        _ => Class::Plain,
    }
}

/// Whether `c`, which chooses how the character before it looks or joins it to the next, follows one that has no such
/// ways: a plain letter, or the same again.
pub(super) fn is_odd_joiner(before: char, c: char) -> bool {
    let is_joiner = matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    let is_plain = before.is_ascii() && !before.is_ascii_digit() && !"#*".contains(before);
    is_joiner && (is_plain || before == c)
}
