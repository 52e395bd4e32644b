//! JSON in which a string holds half of a surrogate pair, as programs leave it that cut a text by UTF-16 units. Readers of
//! JSON refuse it.

use std::borrow::Cow;

/// The JSON with U+FFFD for each half of a surrogate pair that stands alone.
pub fn replaced(json: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let (mut out, mut done, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr::memchr(b'\\', json.as_bytes().get(at..).unwrap_or_default()) {
        let start = at + found;
        at = start + 2;
        match (unit(start), unit(start + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at = start + 12,
            (Some(0xd800..=0xdfff), _) => {
                out.push_str(&json[done..start]);
                out.push_str("\\ufffd");
                at = start + 6;
                done = at;
            }
            _ => {}
        }
    }
    if done == 0 {
        return Cow::Borrowed(json);
    }
    out.push_str(&json[done..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_alone_are_replaced_and_nothing_else() {
        for (json, expected) in [
            (r#""a\ud83d""#, r#""a\ufffd""#),
            (r#""\udc00\ud83dx""#, r#""\ufffd\ufffdx""#),
            (r#""\ud83d\ude00 \\ud83d \" é""#, r#""\ud83d\ude00 \\ud83d \" é""#),
            (r#"{"k\ud83d":["\ud83d\ud83d\ude00"]}"#, r#"{"k\ufffd":["\ufffd\ud83d\ude00"]}"#),
            ("\\", "\\"),
            ("\"\\ud8", "\"\\ud8"),
        ] {
            assert_eq!(replaced(json), expected);
        }
    }
}
