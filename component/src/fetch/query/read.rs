//! Reads a row of JSON into a value, with the interpreter's own reader, which bounds nothing.

use jaq_json::Val;

use super::scan::{MAX_DEPTH, MAX_DIGITS, MAX_VALUES};
use crate::content::json::string_end;

/// Reads one JSON value.
///
/// # Errors
/// What is wrong with it.
pub(in crate::fetch) fn read(text: &[u8]) -> Result<Val, String> {
    // A text that is short, with few brackets, is within all bounds.
    let brackets = || text.iter().filter(|b| matches!(b, b'[' | b'{')).count();
    if text.len() > MAX_DIGITS || brackets() > MAX_DEPTH {
        bounded(text)?;
    }
    jaq_json::read::parse_single(text).map_err(|error| format!("not JSON: {error}"))
}

fn bounded(text: &[u8]) -> Result<(), String> {
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
                at = string_end(text, at + 1).unwrap_or(text.len());
                continue;
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
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_a_bound_is_not_read() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let list = |count: usize| format!("[{}0]", "0,".repeat(count));
        for (within, over, says) in [
            (nested(MAX_DEPTH), nested(MAX_DEPTH + 1), "levels deep"),
            ("1".repeat(MAX_DIGITS), "1".repeat(MAX_DIGITS + 1), "digits"),
            (list(MAX_VALUES), list(MAX_VALUES + 1), "values"),
        ] {
            assert!(read(within.as_bytes()).is_ok());
            let error = read(over.as_bytes()).unwrap_err();
            assert!(error.contains(says), "{error}");
        }
        assert!(read(b"\"[[[\"").is_ok());
        assert!(read(b"[1 2]").unwrap_err().contains("not JSON"));
    }
}
