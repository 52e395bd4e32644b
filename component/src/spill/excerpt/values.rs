//! What the values of one column are: types, range, distinct values with how often.

use crate::content::numbers::thousands;
use crate::content::show::one_line;

/// Distinct values that are counted, of at most so many bytes; and how many are listed.
const DISTINCT: usize = 12;
const VALUE_BYTES: usize = 40;
const LISTED: usize = 6;

/// Counts values as they are pushed.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    all: u64,
    empty: u64,
    numbers: u64,
    dates: u64,
    low: f64,
    high: f64,
    // The least and the greatest date, as texts.
    first: Vec<u8>,
    last: Vec<u8>,
    // Values met, with how often; no more are counted once there were too many.
    distinct: Vec<(Vec<u8>, u64)>,
    many: bool,
}

impl Values {
    pub(super) fn push(&mut self, value: &[u8]) {
        let value = value.trim_ascii();
        if value.is_empty() {
            self.empty += 1;
            return;
        }
        self.all += 1;
        if let Some(number) = number(value) {
            if self.numbers == 0 {
                (self.low, self.high) = (number, number);
            }
            self.numbers += 1;
            (self.low, self.high) = (self.low.min(number), self.high.max(number));
        } else if is_date(value) {
            if self.dates == 0 || value < &self.first[..] {
                self.first = value[..value.len().min(VALUE_BYTES)].to_vec();
            }
            if self.dates == 0 || value > &self.last[..] {
                self.last = value[..value.len().min(VALUE_BYTES)].to_vec();
            }
            self.dates += 1;
        }
        if self.many {
            return;
        }
        if let Some((_, times)) = self.distinct.iter_mut().find(|(known, _)| known == value) {
            *times += 1;
        } else if self.distinct.len() < DISTINCT && value.len() <= VALUE_BYTES {
            self.distinct.push((value.to_vec(), 1));
        } else {
            self.many = true;
        }
    }

    /// Whether its values are few, each met often.
    pub(super) fn repeats(&self) -> bool {
        !self.many && self.all > 0 && (self.distinct.len() as u64) * 2 <= self.all.max(2)
    }

    /// The words, when they say more than what types there are.
    pub(super) fn notable(&self) -> Option<String> {
        let says =
            self.all > 0 && (self.numbers == self.all || self.dates == self.all || self.repeats());
        says.then(|| {
            let words = self.words();
            words.strip_prefix("number, ").map(str::to_owned).unwrap_or(words)
        })
    }

    /// In a few words: `number, 0.5 to 99`, `ok 1,203, failed 41`.
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        if self.all == 0 {
            return "empty".to_owned();
        }
        if self.numbers == self.all {
            words = match self.low == self.high {
                true => format!("number, {}", self.low),
                false => format!("number, {} to {}", self.low, self.high),
            };
        } else if self.dates == self.all {
            let show = |bytes: &[u8]| one_line(&String::from_utf8_lossy(bytes), VALUE_BYTES);
            words = format!("date, {} to {}", show(&self.first), show(&self.last));
        } else if self.repeats() {
            let mut ranked: Vec<&(Vec<u8>, u64)> = self.distinct.iter().collect();
            crate::sort::sort_by(&mut ranked, |a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            let shown = ranked.iter().take(LISTED).map(|(value, times)| {
                let value = one_line(&String::from_utf8_lossy(value), VALUE_BYTES);
                format!("{value} {}", thousands(*times))
            });
            words = format!("{} distinct: ", ranked.len());
            words.push_str(&shown.collect::<Vec<_>>().join(", "));
            if ranked.len() > LISTED {
                words.push_str(", …");
            }
        } else if self.numbers > 0 {
            words = format!("text, or number, {} to {}", self.low, self.high);
        } else {
            words.push_str("text");
        }
        if self.empty > 0 {
            words.push_str(&format!("; {} empty", thousands(self.empty)));
        }
        words
    }
}

/// A number, unless it would lose a zero: a postal code, an account.
fn number(value: &[u8]) -> Option<f64> {
    let digits = value.strip_prefix(b"-").unwrap_or(value);
    if matches!(digits, [b'0', b'0'..=b'9', ..]) {
        return None;
    }
    if value.len() > 24 || !value.iter().all(|b| b.is_ascii_digit() || b"+-.eE".contains(b)) {
        return None;
    }
    let text = std::str::from_utf8(value).ok()?;
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// `2026-11-22` and what may follow that.
fn is_date(value: &[u8]) -> bool {
    value.len() >= 10
        && value[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
        && value.get(10).is_none_or(|byte| b"T ".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::Values;

    fn words(values: &[&str]) -> String {
        let mut column = Values::default();
        values.iter().for_each(|value| column.push(value.as_bytes()));
        column.words()
    }

    #[test]
    fn a_column_is_told_in_a_few_words() {
        assert_eq!(words(&["1", "20", "-3.5", ""]), "number, -3.5 to 20; 1 empty");
        assert_eq!(words(&["ok", "failed", "ok", "ok", "ok"]), "2 distinct: ok 4, failed 1");
        assert_eq!(
            words(&["2026-11-22T10:00:00Z", "2026-01-02T10:00:00Z"]),
            "date, 2026-01-02T10:00:00Z to 2026-11-22T10:00:00Z"
        );
        assert_eq!(words(&["a", "b", "c"]), "text");
        assert_eq!(words(&["", " "]), "empty");
        assert_eq!(words(&["x1", "x2", "5", "x3"]), "text, or number, 5 to 5");
        assert_eq!(words(&["1e999", "1e999"]), "1 distinct: 1e999 2");
        assert_eq!(words(&["00123", "04711", "00123"]), "text");
        assert_eq!(words(&["0", "-0.5", "0.25"]), "number, -0.5 to 0.25");
    }
}
