//! Values as Python's `repr` writes them, as JSON.

use crate::content::json::number_len;

/// Containers that may lie in each other.
const DEPTH: usize = 64;

/// Whether a value of Python's begins here that is none of JSON.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let mut out = Vec::new();
    let mut reader = Reader { bytes, at: 0, out: &mut out };
    // The start of a first member is enough.
    reader.opens()
}

/// Appends the value that begins at `at` as JSON lines, the items of a list each on its own, and
/// tells where it ends. Nothing for what is no plain value: a date, a number of a class.
pub(super) fn rows(bytes: &[u8], at: usize, out: &mut Vec<u8>) -> Option<usize> {
    let before = out.len();
    let mut reader = Reader { bytes, at, out };
    let end = reader.rows();
    if end.is_none() {
        out.truncate(before);
    }
    end
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    out: &'a mut Vec<u8>,
}

impl Reader<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let eats = self.peek() == Some(byte);
        self.at += usize::from(eats);
        eats
    }

    fn opens(&mut self) -> bool {
        while self.eat(b'[') || self.eat(b'(') {}
        let is_object = self.eat(b'{');
        match self.peek() {
            Some(b'\'' | b'"') => self.string().is_some() && (!is_object || self.eat(b':')),
            Some(_) => self.word().is_some() && matches!(self.peek(), Some(b',' | b':')),
            None => false,
        }
    }

    fn rows(&mut self) -> Option<usize> {
        let start = self.at;
        if self.eat(b'[') && matches!(self.peek(), Some(b'{' | b'(' | b'[')) {
            loop {
                self.value(0)?;
                self.out.push(b'\n');
                let more = self.eat(b',');
                if self.eat(b']') {
                    return Some(self.at);
                }
                if !more {
                    return None;
                }
            }
        }
        self.at = start;
        self.value(0)?;
        self.out.push(b'\n');
        Some(self.at)
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        let close = match self.peek()? {
            _ if depth > DEPTH => return None,
            b'{' => b'}',
            b'[' => b']',
            b'(' => b')',
            b'\'' | b'"' => return self.string(),
            _ => return self.word(),
        };
        self.at += 1;
        let is_object = close == b'}';
        self.out.push(if is_object { b'{' } else { b'[' });
        let mut is_first = true;
        while !self.eat(close) {
            if !is_first && !self.eat(b',') {
                return None;
            }
            if self.eat(close) {
                break;
            }
            if !is_first {
                self.out.push(b',');
            }
            is_first = false;
            if is_object {
                self.key()?;
            }
            self.value(depth + 1)?;
        }
        self.out.push(if is_object { b'}' } else { b']' });
        Some(())
    }

    fn key(&mut self) -> Option<()> {
        match self.peek()? {
            b'\'' | b'"' => self.string()?,
            _ => {
                self.out.push(b'"');
                self.word()?;
                self.out.push(b'"');
            }
        }
        self.out.push(b':');
        self.eat(b':').then_some(())
    }

    fn word(&mut self) -> Option<()> {
        let rest = self.bytes.get(self.at..)?;
        let words = [("True", "true"), ("False", "false"), ("None", "null")];
        let (len, word) = match words.iter().find(|(word, _)| rest.starts_with(word.as_bytes())) {
            Some((word, json)) => (word.len(), json.as_bytes()),
            None => {
                let len = number_len(rest);
                (len, &rest[..len])
            }
        };
        let ends = rest.get(len).is_none_or(|b| b.is_ascii_whitespace() || b",:]})".contains(b));
        if len == 0 || !ends {
            return None;
        }
        self.out.extend_from_slice(word);
        self.at += len;
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let quote = *self.bytes.get(self.at)?;
        let mut at = self.at + 1;
        let mut text: Vec<u8> = Vec::new();
        loop {
            let rest = self.bytes.get(at..)?;
            let plain = rest.iter().position(|b| *b == quote || matches!(b, b'\\' | b'\n'))?;
            text.extend_from_slice(&rest[..plain]);
            at += plain;
            match self.bytes[at] {
                b'\n' => return None,
                b'\\' => {
                    let sign = *self.bytes.get(at + 1)?;
                    let digits = match sign {
                        b'x' => 2,
                        b'u' => 4,
                        b'U' => 8,
                        _ => 0,
                    };
                    let code = match sign {
                        b'\\' | b'\'' | b'"' => u32::from(sign),
                        b'n' => 10,
                        b'r' => 13,
                        b't' => 9,
                        b'x' | b'u' | b'U' => {
                            let hex = self.bytes.get(at + 2..at + 2 + digits)?;
                            u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?
                        }
                        _ => return None,
                    };
                    let mut utf8 = [0; 4];
                    text.extend_from_slice(char::from_u32(code)?.encode_utf8(&mut utf8).as_bytes());
                    at += 2 + digits;
                }
                _ => break,
            }
        }
        self.at = at + 1;
        serde_json::to_writer(&mut *self.out, std::str::from_utf8(&text).ok()?).ok()
    }
}
