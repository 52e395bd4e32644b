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

/// The order of two numbers as they are written: exact for any number of digits, where none has an exponent.
pub fn in_order(a: &str, b: &str) -> Ordering {
    if [a, b].iter().any(|text| text.contains(['e', 'E'])) {
        let read = |text: &str| text.parse::<f64>().unwrap_or_default();
        return read(a).total_cmp(&read(b));
    }
    let is_below = |text: &str| text.starts_with('-') && size(text) != (0, "", "");
    match (is_below(a), is_below(b)) {
        (false, false) => size(a).cmp(&size(b)),
        (true, true) => size(b).cmp(&size(a)),
        (a, b) => b.cmp(&a),
    }
}

/// What tells by how much a number is above or below zero: digits before the point, these, and those behind it.
fn size(text: &str) -> (usize, &str, &str) {
    let unsigned = text.trim_start_matches(['-', '+']);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let whole = whole.trim_start_matches('0');
    (whole.len(), whole, fraction.trim_end_matches('0'))
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
                assert_eq!(in_order(a, b), i.cmp(&j), "{a} {b}");
            }
        }
        for (a, b) in [("-0", "0"), ("1.50", "1.5"), ("2.0", "2"), ("007", "7")] {
            assert_eq!(in_order(a, b), Ordering::Equal, "{a} {b}");
        }
    }
}
