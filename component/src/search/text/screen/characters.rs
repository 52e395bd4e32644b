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
        // Most are.
        ' '..='~' => Class::Plain,
        '\n' | '\r' | '\t' => Class::Break,
        '\u{2028}' | '\u{2029}' => Class::Break,
        '\u{200e}' | '\u{200f}' | '\u{061c}' => Class::Bidi,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Class::Bidi,
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => {
            Class::Hidden
        }
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{2065}' => Class::Hidden,
        '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{2800}' => Class::Hidden,
        // U+FE0E and U+FE0F choose how an emoji looks, and U+200C and U+200D join letters of some
        // scripts (see [`classes`]); the other variation selectors can carry a hidden message.
        '\u{fe00}'..='\u{fe0d}' | '\u{e0000}'..='\u{e0fff}' => Class::Hidden,
        '\u{206a}'..='\u{206f}' | '\u{fff0}'..='\u{fffc}' => Class::Hidden,
        // Marks of shorthand, music and hieroglyphs that format what is around them.
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d159}' | '\u{1d173}'..='\u{1d17a}' => Class::Hidden,
        '\u{13430}'..='\u{1343f}' => Class::Hidden,
        // For private use, and no characters at all: no font is sure to show them.
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => Class::Hidden,
        '\u{fdd0}'..='\u{fdef}' => Class::Hidden,
        c if c as u32 & 0xfffe == 0xfffe => Class::Hidden,
        c if c.is_control() => Class::Control,
        _ => Class::Plain,
    }
}

/// The characters of a text with their places, and what each may do where it stands: those that choose how the character
/// before them looks, or join it to the next, are hidden where that has no such ways.
pub(crate) fn classes(text: &str) -> impl Iterator<Item = (usize, char, Class)> {
    let mut before = ' ';
    text.char_indices().map(move |(at, c)| {
        let class = if is_odd(before, c) { Class::Hidden } else { class(c) };
        // What follows something hidden has nothing to join.
        before = if matches!(class, Class::Plain | Class::Break) { c } else { ' ' };
        (at, c, class)
    })
}

/// Whether `c` chooses a look or joins, and the character before it can neither look otherwise nor be joined.
fn is_odd(before: char, c: char) -> bool {
    // Latin, Greek, Cyrillic and Armenian letters stand alone.
    let is_plain = before < '\u{590}' || before.is_whitespace();
    let is_joiner = matches!(before, '\u{200c}' | '\u{200d}');
    match c {
        '\u{200c}' | '\u{200d}' => is_plain || is_joiner,
        // Keycaps begin with digits, `#` or `*`.
        '\u{fe0e}' | '\u{fe0f}' => {
            let is_look = matches!(before, '\u{fe0e}' | '\u{fe0f}');
            let has_looks = before.is_ascii_digit() || "#*©®".contains(before);
            is_plain && !has_looks || is_joiner || is_look
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Suspicion, suspicions};
    use crate::search::find::json::json;
    use crate::search::text::clean::one_line;

    #[test]
    fn what_carries_bits_unseen_is_flagged_and_never_shown() {
        let ignored = ["\u{2800}", "\u{fffc}", "\u{1bca0}", "\u{1d159}", "\u{1d173}", "\u{1d17a}"];
        let private = [
            "\u{e000}",
            "\u{f0000}",
            "\u{10fffd}",
            "\u{fdd0}",
            "\u{fffe}",
            "\u{1ffff}",
            "\u{13430}",
        ];
        // Joiners and looks, after letters that have none, and in a row.
        let odd = [
            "a\u{200c}",
            "é\u{200d}",
            "д\u{fe0f}",
            "5\u{200d}",
            "می\u{200c}\u{200d}",
            "❤\u{fe0f}\u{fe0e}",
            "ا\u{200b}\u{200d}",
        ];
        for text in ignored.iter().chain(&private).chain(&odd) {
            let text = format!("x{text}y");
            assert_eq!(suspicions(&text), [Suspicion::HiddenCharacters], "{text:?}");
            assert_eq!(suspicions(&one_line(&text, 100)), [], "{text:?}");
            assert_eq!(suspicions(&json(&text)), [], "{text:?}");
            assert_eq!(serde_json::from_str::<String>(&json(&text)).unwrap(), text);
        }
    }

    #[test]
    fn writing_and_emoji_keep_what_joins_them() {
        for text in ["می‌خواهم", "क्‍ष", "🏳️‍🌈 ❤️‍🔥 👩‍💻 👍🏽", "1️⃣ #️⃣ ©️", "☑︎", "𓀀"]
        {
            assert_eq!(suspicions(text), [], "{text}");
            assert_eq!(one_line(text, 100), text);
            assert_eq!(json(&text), format!("\"{text}\""));
        }
    }
}
