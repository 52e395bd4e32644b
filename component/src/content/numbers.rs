//! Numbers as people read them.

use std::cmp::Ordering;

/// A number with a comma at every third digit.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 line`, `2,000 lines`: a number with its noun, which gets an `s` unless there is one.
pub fn counted(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// Digits of a whole number that a floating-point number holds exactly.
const EXACT_DIGITS: usize = 15;

/// A number of JSON as a floating-point number; nothing where that cannot hold a whole number exactly, or it is none.
pub fn float(text: &[u8]) -> Option<f64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if !digits.first()?.is_ascii_digit() {
        return None;
    }
    if digits.iter().all(u8::is_ascii_digit) {
        let number =
            digits.iter().fold(0u64, |n, b| n.wrapping_mul(10) + u64::from(b - b'0')) as f64;
        let signed = if digits.len() < text.len() { -number } else { number };
        return (digits.len() <= EXACT_DIGITS).then_some(signed);
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The order of two numbers as they are written: exact for any number of digits, where none has an exponent.
pub fn in_order(a: &[u8], b: &[u8]) -> Ordering {
    if a.len() == b.len() && a.iter().chain(b).all(u8::is_ascii_digit) {
        return a.cmp(b);
    }
    let read = |text: &[u8]| {
        std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok()).unwrap_or_default()
    };
    let has_exponent = |text: &[u8]| text.iter().any(|byte| matches!(byte, b'e' | b'E'));
    if has_exponent(a) || has_exponent(b) {
        return read(a).total_cmp(&read(b));
    }
    let (a, b) = (Digits::of(a), Digits::of(b));
    match (a.is_below, b.is_below) {
        (false, false) => a.size.cmp(&b.size),
        (true, true) => b.size.cmp(&a.size),
        (a, b) => b.cmp(&a),
    }
}

/// Whether a number is below zero, and by what its distance from there is told: how many digits it has before the
/// point, these, and those behind it.
struct Digits<'t> {
    is_below: bool,
    size: (usize, &'t [u8], &'t [u8]),
}

impl<'t> Digits<'t> {
    fn of(text: &'t [u8]) -> Digits<'t> {
        let is_zero = |byte: &u8| *byte == b'0';
        let digits = text.strip_prefix(b"-").unwrap_or(text);
        let point = digits.iter().position(|byte| *byte == b'.').unwrap_or(digits.len());
        let (whole, fraction) = digits.split_at(point);
        let whole = &whole[whole.iter().take_while(|byte| is_zero(byte)).count()..];
        let zeros = fraction.iter().rev().take_while(|byte| is_zero(byte)).count();
        let fraction = &fraction[..fraction.len() - zeros];
        let fraction = fraction.strip_prefix(b".").unwrap_or_default();
        let is_below = digits.len() < text.len() && !(whole.is_empty() && fraction.is_empty());
        Digits { is_below, size: (whole.len(), whole, fraction) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "line"), "1 line");
    }

    #[test]
    fn the_order_of_numbers_is_exact() {
        let ordered = [
            "-1e300",
            "-9007199254740993",
            "-9007199254740992",
            "-2.5",
            "-2.25",
            "0",
            "0.5",
            "0.75",
            "3",
            "10",
            "9007199254740992",
            "9007199254740993",
            "9007199254740993.5",
            "12345678901234567890123",
            "1e300",
        ];
        for (i, a) in ordered.iter().enumerate() {
            for (j, b) in ordered.iter().enumerate() {
                assert_eq!(in_order(a.as_bytes(), b.as_bytes()), i.cmp(&j), "{a} {b}");
            }
        }
        for (a, b) in [("-0", "0"), ("1.50", "1.5"), ("2.0", "2"), ("007", "7")] {
            assert_eq!(in_order(a.as_bytes(), b.as_bytes()), Ordering::Equal, "{a} {b}");
        }
    }
}
