//! JSON in which a string holds half of a surrogate pair. Programs that cut a text by UTF-16 units leave
//! such halves behind, and readers of JSON refuse them.

/// The JSON with U+FFFD for each half of a surrogate pair that stands alone.
pub fn replaced(json: &str) -> String {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(json.len());
    let mut at = 0;
    while let Some(found) = json[at..].find('\\').map(|found| at + found) {
        out.push_str(&json[at..found]);
        let (text, length) = match (unit(found), unit(found + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (&json[found..found + 12], 12),
            (Some(0xd800..=0xdfff), _) => ("\\ufffd", 6),
            _ => {
                let next = json[found + 1..].chars().next().map_or(0, char::len_utf8);
                (&json[found..found + 1 + next], 1 + next)
            }
        };
        out.push_str(text);
        at = found + length;
    }
    out.push_str(&json[at..]);
    out
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
        ] {
            assert_eq!(replaced(json), expected);
            assert!(serde_json::from_str::<serde_json::Value>(&replaced(json)).is_ok());
        }
    }
}
