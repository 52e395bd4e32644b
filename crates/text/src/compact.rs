//! A JSON text without the white space between its values.

/// Calls `each` with the parts of a text between white space that is outside strings. Says how deep
/// objects and arrays are nested. The text need not be JSON.
pub fn each_piece(text: &str, mut each: impl FnMut(&[u8])) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut deepest) = (0usize, 0usize);
    let (mut at, mut start) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b' ' | b'\t' | b'\n' | b'\r' => {
                each(&bytes[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    each(&bytes[start..]);
    deepest
}

/// The offset after the string that starts at `at`, or the end.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(offset) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += offset;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compact(text: &str) -> String {
        let mut compact = Vec::new();
        each_piece(text, |piece| compact.extend_from_slice(piece));
        String::from_utf8(compact).unwrap()
    }

    #[test]
    fn white_space_goes_outside_of_strings_only() {
        for (text, expected) in [
            (" { \"a\" :\t[ 1 ,\r\n 2 ] } ", r#"{"a":[1,2]}"#),
            (r#"{"a b": "c \" d \\", "e": 1}"#, r#"{"a b":"c \" d \\","e":1}"#),
            (r#"["ä €", 1]"#, r#"["ä €",1]"#),
            ("\"not ended ", "\"not ended "),
            ("", ""),
        ] {
            assert_eq!(compact(text), expected);
        }
        assert_eq!(each_piece(r#"{"a":[{}],"b":"[[[["}"#, |_| ()), 3);
    }
}
