//! Sizes and times as people write them: `12k`, `500 MiB`, `72h`.

use super::keys::Quantity;

/// Units by quantity: each with what one of it is worth. Matched without regard to case.
fn units(quantity: Quantity) -> &'static [(&'static str, u64)] {
    match quantity {
        Quantity::Count => &[("k", 1_000), ("m", 1_000_000), ("g", 1_000_000_000)],
        Quantity::Bytes => &[
            ("b", 1),
            ("k", 1 << 10),
            ("kb", 1_000),
            ("kib", 1 << 10),
            ("m", 1 << 20),
            ("mb", 1_000_000),
            ("mib", 1 << 20),
            ("g", 1 << 30),
            ("gb", 1_000_000_000),
            ("gib", 1 << 30),
            ("t", 1 << 40),
            ("tb", 1_000_000_000_000),
            ("tib", 1 << 40),
        ],
        Quantity::Seconds => &[
            ("s", 1),
            ("sec", 1),
            ("m", 60),
            ("min", 60),
            ("h", 3_600),
            ("hour", 3_600),
            ("hours", 3_600),
            ("d", 86_400),
            ("day", 86_400),
            ("days", 86_400),
            ("w", 604_800),
        ],
        Quantity::Switch => &[],
    }
}

/// What a quantity should look like, for an error's text.
pub fn example(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Count => "a whole number such as 12000 or \"12k\"",
        Quantity::Bytes => "a size such as 1048576 or \"500 MiB\"",
        Quantity::Seconds => "a time such as 3600 or \"72h\"",
        Quantity::Switch => "true or false",
    }
}

/// Reads a number with an optional unit. `1.5h` and `1_000` are fine; a sign, an unknown unit, a
/// fraction of the smallest unit or more than fits into 64 bits is not.
pub fn parse(text: &str, quantity: Quantity) -> Option<u64> {
    let text = text.trim();
    if quantity == Quantity::Switch {
        return None;
    }
    let split = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_' | ',')));
    let (number, unit) = text.split_at(split.unwrap_or(text.len()));
    let number: String = number.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let unit = unit.trim().to_ascii_lowercase();
    let worth =
        if unit.is_empty() { 1 } else { units(quantity).iter().find(|(name, _)| *name == unit)?.1 };
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    if whole.is_empty() || (fraction.is_empty() && number.contains('.')) || fraction.len() > 9 {
        return None;
    }
    let whole = whole.parse::<u64>().ok()?.checked_mul(worth)?;
    if fraction.is_empty() {
        return Some(whole);
    }
    let scale = 10u128.pow(u32::try_from(fraction.len()).ok()?);
    let part = fraction.parse::<u128>().ok()?.checked_mul(u128::from(worth))?;
    (part % scale == 0).then(|| whole.checked_add(u64::try_from(part / scale).ok()?)).flatten()
}

/// Writes a number in the largest unit that leaves it whole, as [`parse`] reads it.
pub fn print(value: u64, quantity: Quantity) -> String {
    let names: &[(&str, u64)] = match quantity {
        Quantity::Switch => return (value != 0).to_string(),
        Quantity::Count => return value.to_string(),
        Quantity::Bytes => &[(" GiB", 1 << 30), (" MiB", 1 << 20), (" KiB", 1 << 10)],
        Quantity::Seconds => &[("h", 3_600), ("min", 60), ("s", 1)],
    };
    names
        .iter()
        .find(|(_, worth)| value >= *worth && value.is_multiple_of(*worth))
        .map_or_else(|| value.to_string(), |(name, worth)| format!("{}{name}", value / worth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_write_sizes_and_times() {
        assert_eq!(parse("12k", Quantity::Count), Some(12_000));
        assert_eq!(parse(" 1.5K ", Quantity::Count), Some(1_500));
        assert_eq!(parse("1_000", Quantity::Count), Some(1_000));
        assert_eq!(parse("500 MiB", Quantity::Bytes), Some(500 << 20));
        assert_eq!(parse("500MB", Quantity::Bytes), Some(500_000_000));
        assert_eq!(parse("72h", Quantity::Seconds), Some(259_200));
        assert_eq!(parse("1.5 h", Quantity::Seconds), Some(5_400));
        assert_eq!(parse("10 min", Quantity::Seconds), Some(600));
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "x", "-1", "1.2.3", "1.", ".5", "12q", "1.0001", "99999999999999999999"] {
            assert_eq!(parse(text, Quantity::Count), None, "{text:?}");
        }
        assert_eq!(parse("18446744073709551615g", Quantity::Bytes), None);
        assert_eq!(parse("12k", Quantity::Seconds), None);
    }

    #[test]
    fn what_is_printed_reads_back() {
        for value in [0, 1, 59, 60, 61, 3_600, 259_200, 1 << 20, (1 << 20) + 1, u64::MAX] {
            for quantity in [Quantity::Count, Quantity::Bytes, Quantity::Seconds] {
                assert_eq!(parse(&print(value, quantity), quantity), Some(value));
            }
        }
    }
}
