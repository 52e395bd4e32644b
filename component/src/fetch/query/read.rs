//! Reads a row of JSON into a value, in one pass.
//!
//! Rows that are out of the ordinary (names of numbers, halves of characters, numbers of many digits,
//! and all that is no JSON) are left to the interpreter's own reader, which says what is wrong.

use jaq_json::{Map, Num, Rc, Val};

use super::scan::{MAX_DEPTH, MAX_DIGITS, MAX_VALUES, Odd, blank, literal, number_end, string_end};

/// Digits of a whole number that surely fit into 64 bits.
const SAFE_DIGITS: usize = 18;

/// Reads one JSON value.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(text: &[u8]) -> Result<Val, String> {
    if let Some(value) = ordinary(text) {
        return Ok(value);
    }
    let (mut depth, mut at, mut values) = (0usize, 0, 0usize);
    while let Some(&b) = text.get(at) {
        match b {
            b'0'..=b'9' => {
                let digits = text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
                if digits > MAX_DIGITS {
                    return Err(format!(
                        "it has a number of {digits} digits: {MAX_DIGITS} are read"
                    ));
                }
                at += digits;
                continue;
            }
            b',' | b':' => values += 1,
            b'"' => {
                at += 1;
                while let Some(found) =
                    memchr::memchr2(b'"', b'\\', text.get(at..).unwrap_or_default())
                {
                    at += found;
                    if text[at] == b'"' {
                        break;
                    }
                    at += 2;
                }
            }
            b'[' | b'{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(format!("nested more than {MAX_DEPTH} levels deep"));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    if values > MAX_VALUES {
        return Err(format!("it holds {values} values: at most {MAX_VALUES} are read at once"));
    }
    jaq_json::read::parse_single(text).map_err(|error| format!("not JSON: {error}"))
}

/// An array or an object that is not at its end, and where its parts start among the values.
struct Open {
    object: bool,
    start: usize,
}

/// The value of a text; nothing when it is not ordinary.
fn ordinary(text: &[u8]) -> Option<Val> {
    value(text).ok()
}

fn value(text: &[u8]) -> Result<Val, Odd> {
    // What is in an open container: items, or keys and values in turn.
    let mut values: Vec<Val> = Vec::with_capacity(32);
    let mut open: Vec<Open> = Vec::new();
    let mut separators = 0;
    let mut at = blank(text, 0);
    'value: loop {
        match *text.get(at).ok_or(Odd)? {
            b'"' => {
                let (string, end) = string(text, at)?;
                values.push(string);
                at = end;
            }
            first @ (b'{' | b'[') => {
                let object = first == b'{';
                if open.len() >= MAX_DEPTH {
                    return Err(Odd);
                }
                at = blank(text, at + 1);
                if text.get(at) == Some(if object { &b'}' } else { &b']' }) {
                    at += 1;
                    values.push(match object {
                        true => Val::Obj(Rc::default()),
                        false => Val::Arr(Rc::default()),
                    });
                } else {
                    open.push(Open { object, start: values.len() });
                    if object {
                        at = key(text, at, &mut values)?;
                        separators += 1;
                    }
                    continue 'value;
                }
            }
            b't' => {
                at = literal(text, at, b"true")?;
                values.push(Val::Bool(true));
            }
            b'f' => {
                at = literal(text, at, b"false")?;
                values.push(Val::Bool(false));
            }
            b'n' => {
                at = literal(text, at, b"null")?;
                values.push(Val::Null);
            }
            _ => {
                let end = number_end(text, at)?;
                values.push(Val::Num(number(&text[at..end])?));
                at = end;
            }
        }
        loop {
            at = blank(text, at);
            let Some(Open { object, start }) = open.last() else {
                return match at == text.len() {
                    true => values.pop().ok_or(Odd),
                    false => Err(Odd),
                };
            };
            match text.get(at) {
                Some(b',') => {
                    at = blank(text, at + 1);
                    separators += 1;
                    if *object {
                        at = key(text, at, &mut values)?;
                        separators += 1;
                    }
                    if separators > MAX_VALUES {
                        return Err(Odd);
                    }
                    continue 'value;
                }
                Some(b'}') if *object => {
                    let mut map = Map::with_capacity_and_hasher(
                        (values.len() - start) / 2,
                        Default::default(),
                    );
                    let mut parts = values.drain(start..);
                    while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                        map.insert(key, value);
                    }
                    drop(parts);
                    values.push(Val::obj(map));
                }
                Some(b']') if !*object => {
                    let items: Vec<Val> = values.drain(start..).collect();
                    values.push(Val::Arr(Rc::new(items)));
                }
                _ => return Err(Odd),
            }
            at += 1;
            open.pop();
        }
    }
}

/// Reads a key and its colon. Returns where its value starts.
fn key(text: &[u8], at: usize, values: &mut Vec<Val>) -> Result<usize, Odd> {
    if text.get(at) != Some(&b'"') {
        return Err(Odd);
    }
    let (key, end) = string(text, at)?;
    values.push(key);
    let colon = blank(text, end);
    match text.get(colon) {
        Some(b':') => Ok(blank(text, colon + 1)),
        _ => Err(Odd),
    }
}

/// The string whose quote is at `at`, and where it ends.
fn string(text: &[u8], at: usize) -> Result<(Val, usize), Odd> {
    let (end, escaped) = string_end(text, at + 1)?;
    let inner = text.get(at + 1..end - 1).ok_or(Odd)?;
    let bytes = if escaped { unescaped(inner)? } else { inner.to_vec() };
    Ok((Val::utf8_str(bytes), end))
}

/// The bytes that escapes stand for. They were checked.
fn unescaped(mut inner: &[u8]) -> Result<Vec<u8>, Odd> {
    let mut out = Vec::with_capacity(inner.len());
    while let Some(slash) = memchr::memchr(b'\\', inner) {
        out.extend_from_slice(&inner[..slash]);
        let mut length = 2;
        match *inner.get(slash + 1).ok_or(Odd)? {
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => {
                length = 6;
                let digits = inner.get(slash + 2..slash + 6).ok_or(Odd)?;
                let code = digits
                    .iter()
                    .try_fold(0, |code, &digit| Some(code * 16 + char::from(digit).to_digit(16)?));
                let c = code.and_then(char::from_u32).ok_or(Odd)?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            plain => out.push(plain),
        }
        inner = &inner[slash + length..];
    }
    out.extend_from_slice(inner);
    Ok(out)
}

fn number(text: &[u8]) -> Result<Num, Odd> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if !digits.iter().all(u8::is_ascii_digit) {
        let text = std::str::from_utf8(text).map_err(|_| Odd)?;
        return Ok(Num::Dec(Rc::new(text.to_owned())));
    }
    if digits.len() > SAFE_DIGITS {
        return Err(Odd);
    }
    let number = digits.iter().fold(0i64, |n, b| n * 10 + i64::from(b - b'0'));
    Ok(Num::from_integral(if negative { -number } else { number }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Val) -> String {
        let mut out = String::new();
        super::super::value::write(value, usize::MAX, &mut out);
        format!("{out} {value:?}")
    }

    #[test]
    fn what_it_reads_is_what_the_interpreters_reader_reads() {
        let ordinary_texts = [
            "null",
            " true ",
            "[]",
            "{}",
            "[[],{}]",
            r#"{"a":1,"b":[1,-2,3.50,1e5,-0,0.1E-3],"a":{"c":null}}"#,
            r#""q\"\\\/\b\f\n\r\té🙂\u00e9\u4e2d""#,
            "123456789012345678",
            "-2147483649",
            "{ \"a\" : [ 1 , 2 ] , \"\" : \"\" }\n",
        ];
        for text in ordinary_texts {
            let ours = ordinary(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
            let theirs = jaq_json::read::parse_single(text.as_bytes()).unwrap();
            assert_eq!(shown(&ours), shown(&theirs), "{text}");
            assert_eq!(ours, theirs, "{text}");
        }
        let deep = "[".repeat(MAX_DEPTH + 1) + &"]".repeat(MAX_DEPTH + 1);
        let odd = [
            "",
            "[",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "[1,]",
            "[1 2]",
            "tru",
            "nan",
            "NaN",
            "Infinity",
            "01",
            "1.",
            "-",
            "+1",
            "\"a",
            "\"\\ud800\"",
            "\"\\x\"",
            "\"\n\"",
            "1 2",
            "{1:2}",
            "[}",
            "{]",
            "1234567890123456789",
            &deep,
        ];
        for text in odd {
            assert!(ordinary(text.as_bytes()).is_none(), "{text}");
        }
    }
}
