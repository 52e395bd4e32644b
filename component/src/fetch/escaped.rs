//! JSON, searched as it is shown.
//!
//! A writer may put `é` as `\u00e9`, `/` as `\/` and a quote as `\"`, and may leave out the blanks
//! that an excerpt puts between values. So a line of JSON is searched twice where it has a backslash,
//! as it is and with its escapes resolved, and a pattern such as `"name": "x"` does not mind the
//! blank. What is found keeps its place in the bytes.

use memchr::memmem;

use super::mapped::Mapped;

/// Whether writers of JSON are known to escape a character: then it may stand there in two forms.
fn may_be_escaped(c: char) -> bool {
    !matches!(c, ' '..='~') || "\"\\/<>&'+`=".contains(c)
}

/// The longest part of `text` that every writer leaves as it is.
pub(super) fn left_alone(text: &str) -> &str {
    text.split(may_be_escaped).max_by_key(|run| run.len()).unwrap_or_default()
}

/// Whether a character is escaped in `bytes` that no usual writer escapes, so that a text which
/// should stand there as it is may not.
pub(super) fn hides(bytes: &[u8]) -> bool {
    memmem::find_iter(bytes, br"\u00").any(|at| {
        let unit = hex(bytes.get(at + 2..at + 6).unwrap_or_default());
        unit.and_then(char::from_u32).is_some_and(|c| !may_be_escaped(c))
    })
}

fn hex(digits: &[u8]) -> Option<u32> {
    let value = |digit: &u8| char::from(*digit).to_digit(16);
    if digits.len() != 4 {
        return None;
    }
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | value(digit)?))
}

/// `bytes` with the escapes in them resolved; nothing when there is none.
pub(super) fn decoded(bytes: &[u8]) -> Option<Mapped> {
    let mut at = memchr::memchr(b'\\', bytes)?;
    let mut mapped = Mapped::default();
    let mut plain = 0;
    loop {
        let (shown, length) = escape(&bytes[at..]);
        if let Some(c) = shown {
            mapped.push_valid(&bytes[plain..at], plain);
            mapped.push(c.encode_utf8(&mut [0; 4]).as_bytes(), at);
            plain = at + length;
        }
        let from = at + length;
        match memchr::memchr(b'\\', bytes.get(from..).unwrap_or_default()) {
            Some(next) => at = from + next,
            None => break,
        }
    }
    mapped.push_valid(&bytes[plain..], plain);
    mapped.end(bytes.len());
    Some(mapped)
}

/// What the escape that `bytes` start with stands for, and how long it is. Nothing for a backslash
/// that starts none.
fn escape(bytes: &[u8]) -> (Option<char>, usize) {
    let c = match bytes.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b @ (b'"' | b'\\' | b'/')) => char::from(*b),
        Some(b'u') => {
            let unit = |at: usize| hex(bytes.get(at..at + 4)?).and_then(|n| u16::try_from(n).ok());
            let Some(first) = unit(2) else { return (None, 1) };
            let second = unit(8).filter(|_| bytes[6..8] == *br"\u");
            if let (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) = (first, second)
                && let Some(Ok(c)) = char::decode_utf16([first, second]).next()
            {
                return (Some(c), 12);
            }
            let c = char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER);
            return (Some(c), 6);
        }
        _ => return (None, 1),
    };
    (Some(c), 2)
}

/// A regular expression that does not mind whether there are blanks between the values of JSON:
/// `"a": 1` also finds `"a":1`, and the other way round.
pub(super) fn as_shown(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 8);
    // The last two characters that stand for themselves.
    let mut last = ['\0'; 2];
    let mut at = 0;
    while let Some(c) = pattern[at..].chars().next() {
        let mut end = at + c.len_utf8();
        let mut means = c;
        if c == '\\' {
            let escaped = pattern[end..].chars().next();
            means = escaped.filter(char::is_ascii_punctuation).unwrap_or('\0');
            end += escaped.map_or(0, char::len_utf8);
        } else if c == '[' {
            let Some(length) = class_end(&pattern[at..]) else { return pattern.to_owned() };
            (end, means) = (at + length, '\0');
        }
        let after = pattern[end..].trim_start_matches('\\').chars().next().unwrap_or('"');
        let begins = |c: char| c.is_ascii_digit() || "\"{[-".contains(c);
        let ends = last[0].is_ascii_digit() || "\"}]".contains(last[0]);
        let is_quantifier = matches!(c, '*' | '+' | '?' | '{');
        match (last, c) {
            (['"', ':'], ' ') | ([_, ','], ' ')
                if !matches!(after, '*' | '+' | '?')
                    && !pattern[end..].starts_with('{')
                    && (last[1] == ':' || (ends && begins(after))) =>
            {
                out.push_str(" ?");
            }
            (['"', ':'], _) if c != ' ' && !is_quantifier => {
                out.push_str(" ?");
                out.push_str(&pattern[at..end]);
            }
            (['"' | '}' | ']', ','], _) if !is_quantifier && "\"{[".contains(means) => {
                out.push_str(" ?");
                out.push_str(&pattern[at..end]);
            }
            _ => out.push_str(&pattern[at..end]),
        }
        last = [last[1], means];
        at = end;
    }
    out
}

/// How long the character class is that `pattern` starts with.
fn class_end(pattern: &str) -> Option<usize> {
    let bytes = pattern.as_bytes();
    let mut at = 1;
    if bytes.get(at) == Some(&b'^') {
        at += 1;
    }
    let items = at;
    while bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    // A bracket that closes nothing yet is one of the class.
    if at == items && bytes.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match bytes.get(at)? {
            b']' => return Some(at + 1),
            b'\\' => at += 2,
            b'[' if bytes.get(at + 1) == Some(&b':') => at += pattern.get(at..)?.find(":]")? + 2,
            b'[' => return None,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::content::unescape::Unescape;

    #[test]
    fn blanks_between_values_are_optional_and_others_are_not() {
        for (pattern, want) in [
            (r#""name": "n1""#, r#""name": ?"n1""#),
            (r#""name":"n1""#, r#""name": ?"n1""#),
            (r#""a": \{"b": 1, "c": \["#, r#""a": ?\{"b": ?1, ?"c": ?\["#),
            (r#""a", "b""#, r#""a", ?"b""#),
            (r#""a","b""#, r#""a", ?"b""#),
            (r#"1, 2"#, r#"1, ?2"#),
            (r#"\{"a"\}, \{"#, r#"\{"a"\}, ?\{"#),
            (r#""a": *"b""#, r#""a": *"b""#),
            (r#""a": {2}"b""#, r#""a": {2}"b""#),
            (r#""a":\s*"b""#, r#""a": ?\s*"b""#),
            ("a: b, c", "a: b, c"),
            (r#"[": ,"]x"#, r#"[": ,"]x"#),
            (r#""a":"#, r#""a":"#),
            ("1,000", "1,000"),
        ] {
            assert_eq!(as_shown(pattern), want, "{pattern}");
        }
    }

    #[test]
    fn what_writers_leave_alone_is_told_from_what_they_escape() {
        assert_eq!(left_alone(r#"say "hello world" é"#), "hello world");
        assert_eq!(left_alone("é\""), "");
        assert!(hides(br#"x\u0041"#) && hides(br"\u00e9\u0020"));
        assert!(!hides(br"\u00e9\u003c\u000a\u0022\u2028\u00"));
    }

    proptest! {
        #[test]
        fn it_is_the_text_that_the_string_holds(inside in r#"[a\\ud83e42"n/é🙂]{0,40}"#) {
            let mut want = Vec::new();
            let mut unescape = Unescape::new();
            unescape.push(inside.as_bytes(), &mut want);
            unescape.finish(&mut want);
            let mapped = decoded(inside.as_bytes());
            let text = mapped.as_ref().map_or(inside.as_bytes(), Mapped::text);
            prop_assert_eq!(String::from_utf8_lossy(text), String::from_utf8_lossy(&want));
        }

        #[test]
        fn places_go_there_and_back(text: String) {
            let json = serde_json::to_string(&text).unwrap();
            if let Some(mapped) = decoded(json.as_bytes()) {
                for (place, _) in std::str::from_utf8(mapped.text()).unwrap().char_indices() {
                    prop_assert_eq!(mapped.to_text(mapped.to_raw(place)), place);
                }
                prop_assert_eq!(mapped.to_raw(mapped.text().len()), json.len());
            }
        }
    }
}
