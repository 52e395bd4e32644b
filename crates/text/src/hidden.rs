//! Characters that a reader does not see as they are: a text of somebody else's could hide something by them.

/// Whether a character has no shape, or changes that of others.
#[inline]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text on one line, with a space in the place of each of these.
pub fn one_line(text: &str) -> String {
    text.replace(is_hidden, " ")
}

/// A text in which each of these but tabs and ends of lines is told by its number.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) && !matches!(c, '\t' | '\n') {
            true => shown.extend(c.escape_unicode()),
            false => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_hidden_is_told_and_the_rest_stays() {
        let text = "a\tb\n\u{1b}[2J\u{202e}c\u{3164}\u{e0041} é 日本";
        assert_eq!(super::visible(text), "a\tb\n\\u{1b}[2J\\u{202e}c\\u{3164}\\u{e0041} é 日本");
        assert_eq!(super::one_line(text), "a b  [2J c   é 日本");
    }
}
