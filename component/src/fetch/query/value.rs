//! Values of a program: written without recursion, within bounds.

use jaq_json::{Num, Val};

use super::scan::mark_at;
use crate::content::table::{Column, is_number};
use crate::fence::token;

/// Characters of a number with a fraction that a floating-point number holds all.
const EXACT_DIGITS: usize = 15;

/// Bytes of a text or of a long number.
pub(in crate::fetch) fn bytes(value: &Val) -> usize {
    match value {
        Val::TStr(text) | Val::BStr(text) => text.len(),
        Val::Num(Num::Dec(digits)) => digits.len(),
        Val::Num(Num::BigInt(number)) => number.bits() as usize / 3,
        _ => 0,
    }
}

/// What is left of a container.
pub(in crate::fetch) enum Items<'a> {
    Array(std::slice::Iter<'a, Val>),
    Object(<&'a jaq_json::Map as IntoIterator>::IntoIter),
}

impl<'a> Items<'a> {
    pub(in crate::fetch) fn of(value: &'a Val) -> Option<Items<'a>> {
        match value {
            Val::Arr(items) => Some(Items::Array(items.iter())),
            Val::Obj(members) => Some(Items::Object(members.iter())),
            _ => None,
        }
    }

    pub(in crate::fetch) fn next(&mut self) -> Option<(Option<&'a Val>, &'a Val)> {
        match self {
            Items::Array(items) => items.next().map(|item| (None, item)),
            Items::Object(members) => members.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

/// Writes a value as JSON on one line, at most about `max` bytes of it; `false` when it is cut.
pub(in crate::fetch) fn write(value: &Val, max: usize, out: &mut String) -> bool {
    write_by(value, max, write_number, out)
}

/// The same, with one form for numbers that are equal: `1.0` is 1, and so is `1e0`.
pub(super) fn write_equal(value: &Val, max: usize, out: &mut String) -> bool {
    let number = |number: &Num, out: &mut String| match number {
        Num::Dec(digits) if digits.len() <= EXACT_DIGITS => match digits.parse() {
            Ok(float) => out.push_str(&float_text(float)),
            Err(_) => out.push_str(digits),
        },
        number => write_number(number, out),
    };
    write_by(value, max, number, out)
}

fn write_by(value: &Val, max: usize, number: fn(&Num, &mut String), out: &mut String) -> bool {
    let end = out.len().saturating_add(max);
    let mut open: Vec<(Items<'_>, char, bool)> = Vec::new();
    let mut next = Some(value);
    loop {
        if out.len() > end {
            let mut at = end;
            while !out.is_char_boundary(at) {
                at -= 1;
            }
            out.truncate(at);
            return false;
        }
        if let Some(value) = next.take() {
            match Items::of(value) {
                Some(items) => {
                    let (start, stop) = match items {
                        Items::Array(_) => ('[', ']'),
                        Items::Object(_) => ('{', '}'),
                    };
                    out.push(start);
                    open.push((items, stop, true));
                }
                None => match value {
                    Val::Num(value) => number(value, out),
                    value => scalar(value, end, out),
                },
            }
            continue;
        }
        let Some((items, stop, first)) = open.last_mut() else { return true };
        match items.next() {
            Some((key, value)) => {
                if !std::mem::take(first) {
                    out.push(',');
                }
                if let Some(key) = key {
                    match key {
                        Val::TStr(_) | Val::BStr(_) => scalar(key, end, out),
                        other => {
                            let mut name = String::new();
                            write_key(other, &mut name);
                            string(&name, end, out);
                        }
                    }
                    out.push(':');
                }
                next = Some(value);
            }
            None => {
                out.push(*stop);
                open.pop();
            }
        }
    }
}

/// A key that is no string, as text: no program of jq makes one.
fn write_key(key: &Val, out: &mut String) {
    match Items::of(key) {
        None => scalar(key, usize::MAX, out),
        Some(_) => out.push('…'),
    }
}

fn scalar(value: &Val, end: usize, out: &mut String) {
    match value {
        Val::Null => out.push_str("null"),
        Val::Bool(true) => out.push_str("true"),
        Val::Bool(false) => out.push_str("false"),
        Val::Num(number) => write_number(number, out),
        Val::TStr(text) | Val::BStr(text) => match std::str::from_utf8(text) {
            Ok(text) => string(text, end, out),
            Err(_) => string(&String::from_utf8_lossy(text), end, out),
        },
        Val::Arr(_) | Val::Obj(_) => {}
    }
}

fn write_number(number: &Num, out: &mut String) {
    match number {
        Num::Float(float) => out.push_str(&float_text(*float)),
        Num::Dec(digits) => out.push_str(digits),
        Num::Int(whole) => out.push_str(&whole.to_string()),
        Num::BigInt(whole) => out.push_str(
            &i64::try_from(&**whole).map_or_else(|_| whole.to_string(), |whole| whole.to_string()),
        ),
    }
}

/// A floating-point number as JSON has it: whole ones without a fraction.
pub(in crate::fetch) fn float_text(float: f64) -> String {
    if float.is_nan() {
        "null".to_owned()
    } else if float.is_infinite() {
        (if float > 0.0 { "1.7976931348623157e308" } else { "-1.7976931348623157e308" }).to_owned()
    } else if float == float.trunc() && float.abs() < 1e17 {
        format!("{}", float as i64)
    } else if float.abs() >= 1e17 || float.abs() < 1e-5 {
        format!("{float:e}")
    } else {
        format!("{float}")
    }
}

fn string(text: &str, end: usize, out: &mut String) {
    out.push('"');
    let mut from = 0;
    while let Some(at) = mark_at::<0x7f>(text.as_bytes(), from) {
        let b = text.as_bytes()[at];
        let escape = match b {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            _ => "",
        };
        out.push_str(&text[from..at]);
        from = at + 1;
        if escape.is_empty() {
            out.push_str(&format!("\\u{b:04x}"));
        } else {
            out.push_str(escape);
        }
        if out.len() > end {
            return;
        }
    }
    // What is beyond the bound is cut anyway.
    let room = end.saturating_add(8).saturating_sub(out.len());
    let mut rest = &text[from..];
    if rest.len() > room {
        let mut at = room;
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        rest = &rest[..at];
    }
    out.push_str(rest);
    out.push('"');
}

/// A value in at most about `max` bytes; a string without its quotes.
pub(in crate::fetch) fn clipped(value: &Val, max: usize) -> String {
    let mut out = String::new();
    let whole = match value {
        Val::TStr(text) | Val::BStr(text) => {
            let text = String::from_utf8_lossy(text);
            out.extend(text.chars().take(max));
            out.len() == text.len()
        }
        other => write(other, max, &mut out),
    };
    if !whole {
        out.push('…');
    }
    out
}

/// Cells of a row that are named.
const SOME_CELLS: usize = 8;

/// What a value is, in words. What a tool chose in it is escaped.
pub(in crate::fetch) fn describe(value: &Val) -> String {
    match value {
        Val::Null => "null".to_owned(),
        Val::Bool(_) => "a boolean".to_owned(),
        Val::Num(_) => "a number".to_owned(),
        Val::TStr(_) | Val::BStr(_) => "a string".to_owned(),
        Val::Arr(items) => {
            let mut out = format!("an array of {}", items.len());
            let is_row = !items.iter().any(|item| matches!(item, Val::Arr(_) | Val::Obj(_)));
            for (at, item) in items.iter().take(SOME_CELLS).enumerate().filter(|_| is_row) {
                let cell = match item {
                    Val::TStr(_) | Val::BStr(_) => token(&clipped(item, 40), 40),
                    item => {
                        let mut cell = String::new();
                        write(item, 40, &mut cell);
                        cell
                    }
                };
                out.push_str(&format!("{} .[{at}] {cell}", if at == 0 { ":" } else { "," }));
            }
            out
        }
        Val::Obj(members) => {
            let keys: Vec<String> =
                members.keys().take(12).map(|key| token(&clipped(key, 40), 40)).collect();
            let more = if members.len() > 12 { ", …" } else { "" };
            format!("an object with the keys {}{more}", keys.join(", "))
        }
    }
}

/// The value of a cell: a number where it is written as JSON writes one and its column is none of codes, null where
/// it is empty.
pub(in crate::fetch) fn cell(bytes: &[u8], column: Column) -> Val {
    let bare = bytes.trim_ascii();
    if bare.is_empty() {
        return Val::Null;
    }
    if !matches!(column, Column::Codes(_))
        && is_number(bare)
        && let Ok(value) = jaq_json::read::parse_single(bare)
    {
        return value;
    }
    Val::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::query::read::read;
    use crate::fetch::query::scan::MAX_DEPTH;

    fn json(value: &Val) -> String {
        let mut out = String::new();
        assert!(write(value, usize::MAX, &mut out));
        out
    }

    #[test]
    fn numbers_keep_all_their_digits() {
        let text = r#"[12345678901234567890123,0.10000000000000000001,1.0,-0,1e400,5e-9]"#;
        assert_eq!(json(&read(text.as_bytes()).unwrap()), text.replace("-0,", "0,"));
        assert_eq!(json(&cell(b"007", Column::Other)), "\"007\"");
        assert_eq!(json(&cell(b"90210", Column::Codes(true))), "\"90210\"");
        assert_eq!(json(&cell(b"-1.50", Column::Other)), "-1.50");
        assert_eq!(json(&cell(b"", Column::Codes(true))), "null");
    }

    #[test]
    fn what_is_written_is_json_again() {
        let text = r#"{"a":[1,{"b":"q\"\\\n\u0001é🙂"},[],{}],"":null}"#;
        let value = read(text.as_bytes()).unwrap();
        assert_eq!(json(&value), text);
        for max in 0..text.len() {
            let mut out = String::new();
            let whole = write(&value, max, &mut out);
            assert!(out.len() <= max + 2 && text.starts_with(&out), "{max}: {out}");
            assert_eq!(whole, out == text, "{max}");
        }
    }

    #[test]
    fn what_is_nested_deeply_is_refused() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(read(deep.as_bytes()).unwrap_err().contains("nested"));
        let fine = "[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH);
        assert!(read(fine.as_bytes()).is_ok());
    }
}
