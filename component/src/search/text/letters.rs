//! What a character is to the tokenizer, with Latin diacritics folded to ASCII.

/// The part a character plays in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// An ASCII letter, or a Latin letter that folds to one.
    Letter(char),
    /// A Latin letter that folds to two ASCII letters.
    Letters(char, char),
    /// An ASCII digit.
    Digit,
    /// A letter or digit of another script that puts spaces between words.
    Other,
    /// A character of a script that puts no spaces between words.
    Unspaced,
    /// A mark that belongs to the letter before it: no part of any word, no end of one.
    Mark,
    /// Anything else: ends a word.
    Separator,
}

/// Base letters of U+00C0 to U+024F; `.` where there is none.
const LATIN: &[u8; 400] = b"\
AAAAAAACEEEEIIIIDNOOOOO.OUUUUYTsaaaaaaaceeeeiiiidnooooo.ouuuuytyAaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg\
GgGgHhHhIiIiIiIiIi..JjKkkLlLlLlLlLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs\
bBBb...CcDDDd....FfG...IKkl..Nn.Oo..Pp.....tTtTUu.VYyZz......................AaIiOoUuUuUuUuUu.Aa\
Aa....GgKkOoOo..j...Gg..NnAa....AaAaEeEeIiIiOoOoRrRrUuUuSsTt..Hh......AaEeOoOoOoOoYy............\
................";

/// Base letters of U+1E00 to U+1EFF (Vietnamese among them); `.` where there is none.
const LATIN_ADDITIONAL: &[u8; 256] = b"\
AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRr\
SsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwy.s..S.AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEe\
EeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy......";

/// What `c` is.
pub(crate) fn classify(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Letter(c),
        '0'..='9' => Class::Digit,
        '\0'..='\u{7f}' => Class::Separator,
        'ß' => Class::Letters('s', 's'),
        'æ' => Class::Letters('a', 'e'),
        'Æ' => Class::Letters('A', 'E'),
        'œ' => Class::Letters('o', 'e'),
        'Œ' => Class::Letters('O', 'E'),
        'þ' => Class::Letters('t', 'h'),
        'Þ' => Class::Letters('T', 'h'),
        '\u{c0}'..='\u{24f}' => folded(LATIN, c, 0xc0),
        '\u{1e00}'..='\u{1eff}' => folded(LATIN_ADDITIONAL, c, 0x1e00),
        // Combining diacritics, Arabic vowel marks and the stretching tatweel, joiners, variation selectors.
        '\u{300}'..='\u{36f}'
        | '\u{64b}'..='\u{65f}'
        | '\u{640}'
        | '\u{670}'
        | '\u{200b}'..='\u{200d}'
        | '\u{fe00}'..='\u{fe0f}' => Class::Mark,
        // Full-width ASCII.
        '\u{ff10}'..='\u{ff19}' => Class::Digit,
        '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => {
            Class::Letter(char::from_u32(c as u32 - 0xfee0).unwrap_or(c))
        }
        // Indic scripts: dependent vowels are part of the word; the danda is a full stop.
        '\u{964}' | '\u{965}' => Class::Separator,
        '\u{900}'..='\u{dff}' => Class::Other,
        // Thai, Lao, Burmese, Khmer; Han, kana, hangul, bopomofo.
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{3005}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'
        | '\u{3105}'..='\u{312f}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9d}'
        | '\u{20000}'..='\u{323af}' => Class::Unspaced,
        _ if c.is_alphanumeric() => Class::Other,
        _ => Class::Separator,
    }
}

fn folded(table: &[u8], c: char, first: u32) -> Class {
    match table.get((c as u32 - first) as usize) {
        Some(b'.') | None if c.is_alphanumeric() => Class::Other,
        Some(b'.') | None => Class::Separator,
        Some(&letter) => Class::Letter(char::from(letter)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, classify};

    fn fold(text: &str) -> String {
        text.chars()
            .map(|c| match classify(c) {
                Class::Letter(letter) => letter.to_string(),
                Class::Letters(a, b) => format!("{a}{b}"),
                Class::Mark => String::new(),
                _ => c.to_string(),
            })
            .collect()
    }

    #[test]
    fn latin_letters_lose_their_diacritics() {
        assert_eq!(fold("Tìm kiếm đường phố"), "Tim kiem duong pho");
        assert_eq!(fold("Straße naïve œuvre Ærø"), "Strasse naive oeuvre AEro");
        assert_eq!(fold("Łódź çağrı İstanbul"), "Lodz cagri Istanbul");
    }

    #[test]
    fn a_letter_with_a_combining_mark_folds_like_the_composed_one() {
        assert_eq!(fold("cafe\u{301}"), fold("café"));
    }

    #[test]
    fn signs_between_letters_stay_separators() {
        assert_eq!(classify('×'), Class::Separator);
        assert_eq!(classify('。'), Class::Separator);
        assert_eq!(classify('\u{a0}'), Class::Separator);
    }

    #[test]
    fn scripts_are_told_apart_by_their_spaces() {
        assert_eq!(classify('я'), Class::Other);
        assert_eq!(classify('ب'), Class::Other);
        assert_eq!(classify('搜'), Class::Unspaced);
        assert_eq!(classify('검'), Class::Unspaced);
        assert_eq!(classify('カ'), Class::Unspaced);
    }
}
