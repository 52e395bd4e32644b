//! The inside of a JSON string, decoded as it streams by; and what is escaped by percent signs.

/// Decodes the inside of a JSON string (what stands between its quotes), a chunk at a time.
///
/// Nothing fails: half of a surrogate pair alone becomes U+FFFD, as UTF-8 cannot hold it, and a
/// backslash that starts no escape of JSON stays as it is. The exact bytes are in the raw content.
#[derive(Debug, Clone, Default)]
pub struct Unescape {
    state: State,
    units: Units,
}

#[derive(Debug, Clone, Copy, Default)]
enum State {
    #[default]
    Plain,
    Backslash,
    Hex {
        digits: [u8; 4],
        len: usize,
    },
}

impl Unescape {
    /// At the start of a string.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decodes the next bytes onto the end of `out`.
    pub fn push(&mut self, mut chunk: &[u8], out: &mut Vec<u8>) {
        while let Some((&byte, rest)) = chunk.split_first() {
            match self.state {
                State::Plain => {
                    if byte == b'\\' {
                        self.state = State::Backslash;
                        chunk = rest;
                        continue;
                    }
                    self.units.finish(out);
                    let plain = memchr::memchr(b'\\', chunk).unwrap_or(chunk.len());
                    out.extend_from_slice(&chunk[..plain]);
                    chunk = &chunk[plain..];
                }
                State::Backslash => {
                    chunk = rest;
                    if byte == b'u' {
                        self.state = State::Hex { digits: [0; 4], len: 0 };
                        continue;
                    }
                    self.units.finish(out);
                    self.state = State::Plain;
                    match byte {
                        b'n' => out.push(b'\n'),
                        b't' => out.push(b'\t'),
                        b'r' => out.push(b'\r'),
                        b'b' => out.push(0x08),
                        b'f' => out.push(0x0c),
                        b'"' | b'\\' | b'/' => out.push(byte),
                        other => out.extend_from_slice(&[b'\\', other]),
                    }
                }
                State::Hex { mut digits, len } => {
                    if !byte.is_ascii_hexdigit() {
                        // Not an escape after all; the byte at hand is looked at again as plain.
                        self.give_back(&digits[..len], out);
                        continue;
                    }
                    chunk = rest;
                    digits[len] = byte;
                    if len < 3 {
                        self.state = State::Hex { digits, len: len + 1 };
                        continue;
                    }
                    self.state = State::Plain;
                    let unit = digits.iter().fold(0u16, |unit, &digit| {
                        unit << 4 | (digit as char).to_digit(16).unwrap_or_default() as u16
                    });
                    self.units.push(unit, out);
                }
            }
        }
    }

    /// Ends the string: what was begun is written as far as it came.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        match self.state {
            State::Plain => self.units.finish(out),
            State::Backslash => {
                self.units.finish(out);
                out.push(b'\\');
                self.state = State::Plain;
            }
            State::Hex { digits, len } => self.give_back(&digits[..len], out),
        }
    }

    fn give_back(&mut self, digits: &[u8], out: &mut Vec<u8>) {
        self.units.finish(out);
        out.extend_from_slice(b"\\u");
        out.extend_from_slice(digits);
        self.state = State::Plain;
    }
}

/// Units of UTF-16, decoded as they come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Units {
    // The first half of a surrogate pair whose second half has yet to come.
    high: Option<u16>,
}

impl Units {
    pub(crate) fn push(&mut self, unit: u16, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            if let Some(Ok(c)) = char::decode_utf16([high, unit]).next() {
                push_char(c, out);
                return;
            }
            push_char(char::REPLACEMENT_CHARACTER, out);
        }
        match char::from_u32(u32::from(unit)) {
            Some(c) => push_char(c, out),
            None if unit < 0xdc00 => self.high = Some(unit),
            None => push_char(char::REPLACEMENT_CHARACTER, out),
        }
    }

    /// Ends them: half of a pair alone is no character.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.high.take().is_some() {
            push_char(char::REPLACEMENT_CHARACTER, out);
        }
    }
}

fn push_char(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// The text that stands escaped between the quotes of a JSON string.
pub fn decoded(escaped: &[u8]) -> String {
    let mut out = Vec::new();
    let mut unescape = Unescape::new();
    unescape.push(escaped, &mut out);
    unescape.finish(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// A text with its `%XX` decoded.
pub(crate) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let decoded = (byte == b'%')
            .then(|| tail.get(..2))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match decoded {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(inside: &[u8], chunk: usize) -> Vec<u8> {
        let mut unescape = Unescape::new();
        let mut out = Vec::new();
        inside.chunks(chunk).for_each(|part| unescape.push(part, &mut out));
        unescape.finish(&mut out);
        out
    }

    #[test]
    fn lone_surrogates_and_stray_backslashes_stay_harmless() {
        assert_eq!(decoded(br"\ud83d\ude42", 1), "🙂".as_bytes());
        assert_eq!(decoded(br"\ud83dx\ude42\ud83d", 2), "\u{fffd}x\u{fffd}\u{fffd}".as_bytes());
        assert_eq!(decoded(br"\ud83d\ud83d\ude42", 3), "\u{fffd}🙂".as_bytes());
        assert_eq!(decoded(br"\q\u12g\u00e9\", 1), "\\q\\u12gé\\".as_bytes());
    }

    proptest! {
        #[test]
        fn it_undoes_what_serde_json_writes(text: String, ascii: bool, chunk in 1usize..9) {
            let mut json = serde_json::to_string(&text).unwrap();
            if ascii {
                json = json.chars().map(|c| if c.is_ascii() { c.to_string() } else {
                    c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04X}")).collect()
                }).collect();
            }
            prop_assert_eq!(decoded(&json.as_bytes()[1..json.len() - 1], chunk), text.as_bytes());
        }

        #[test]
        fn chunks_do_not_matter(inside in r#"[a\\ud83e42"n]{0,40}"#, chunk in 1usize..9) {
            prop_assert_eq!(decoded(inside.as_bytes(), chunk), decoded(inside.as_bytes(), 1_000));
        }
    }
}
