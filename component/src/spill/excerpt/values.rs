//! What the values of one column are: types, range, distinct values with how often.

use crate::content::numbers::{in_order, thousands};
use crate::content::show::one_line;
use crate::content::table::{instant, is_date, is_empty, is_number};

/// Distinct values that are counted, of at most so many bytes; and how many are listed.
const DISTINCT: usize = 12;
const VALUE_BYTES: usize = 40;
const LISTED: usize = 6;

/// What is met so often at most, or once for so many of the commonest, is rare beside what is met [`COMMON`] times and
/// more.
pub(super) const RARE: u64 = 3;
pub(super) const COMMON: u64 = 20;

/// Counts values as they are pushed.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    all: u64,
    empty: u64,
    numbers: u64,
    dates: u64,
    // The least and the greatest number or date, as they are written.
    low: Vec<u8>,
    high: Vec<u8>,
    // Values met, with how often and in which row first; no more are counted once there were too many.
    distinct: Vec<(Vec<u8>, u64, u64)>,
    many: bool,
    // Those that are empty or null, and the first rows with such, and with what is no number.
    nothing: u64,
    nothing_row: Option<u64>,
    word_row: Option<u64>,
    /// The row whose value is pushed next.
    pub(super) row: u64,
}

/// What follows the time of a date: only times of one zone are in the order of their texts.
fn zone(date: &[u8]) -> Option<&[u8]> {
    let time = date.get(10..)?;
    Some(&time[time.iter().position(|byte| b"+-Z".contains(byte))?..])
}

impl Values {
    /// Counts a value as it stands in a cell or in plain YAML.
    pub(super) fn push(&mut self, value: &[u8]) {
        match is_number(value.trim_ascii()) {
            true => self.push_as(value, true),
            false => self.push_text(value),
        }
    }

    /// Counts a text: as JSON writes it where its ends would not show.
    #[inline(never)]
    pub(super) fn push_text(&mut self, value: &[u8]) {
        let is_odd = |b: &u8| b.is_ascii_control() || matches!(b, b',' | b';' | b'"' | b'\\');
        let is_plain = value.len() > VALUE_BYTES
            || value.trim_ascii() == value && !value.iter().any(is_odd)
            || is_empty(value);
        if is_plain {
            return self.push_as(value, false);
        }
        let text = serde_json::Value::from(String::from_utf8_lossy(value)).to_string();
        self.push_as(text.as_bytes(), false);
    }

    /// Counts a value as it is shown, which is a number or is not.
    #[inline(never)]
    pub(super) fn push_as(&mut self, value: &[u8], is_number: bool) {
        if is_empty(value) || value == b"null" {
            self.nothing += 1;
            self.nothing_row.get_or_insert(self.row);
        }
        if is_empty(value) {
            self.empty += 1;
            return;
        }
        self.all += 1;
        if !is_number {
            self.word_row.get_or_insert(self.row);
        }
        let bare = value.trim_ascii();
        let is_alike = || self.dates == 0 || zone(&self.low) == zone(bare);
        let is_date = !is_number && is_date(value) && is_alike();
        // A range is of the one or of the other.
        if (is_number && self.dates == 0) || (is_date && self.numbers == 0) {
            let order = |other: &[u8]| match is_number {
                true => in_order(&String::from_utf8_lossy(bare), &String::from_utf8_lossy(other)),
                false => instant(bare).cmp(instant(other)),
            };
            let is_first = self.numbers + self.dates == 0;
            if is_first || order(&self.low).is_lt() {
                self.low = bare.to_vec();
            }
            if is_first || order(&self.high).is_gt() {
                self.high = bare.to_vec();
            }
        }
        self.numbers += u64::from(is_number);
        self.dates += u64::from(is_date);
        if self.many {
            return;
        }
        if let Some((_, times, _)) = self.distinct.iter_mut().find(|(known, ..)| known == value) {
            *times += 1;
        } else if self.distinct.len() < DISTINCT && value.len() <= VALUE_BYTES {
            self.distinct.push((value.to_vec(), 1, self.row));
        } else {
            self.many = true;
        }
    }

    /// Whether its values are few, each met often.
    pub(super) fn repeats(&self) -> bool {
        !self.many && self.all > 0 && (self.distinct.len() as u64) * 2 <= self.all.max(2)
    }

    /// The rows of values that nearly all others do not have; none where many are rare.
    pub(super) fn rare(&self) -> Vec<u64> {
        let most = self.distinct.iter().map(|(_, times, _)| *times).max().unwrap_or(0);
        let rare = self.distinct.iter().filter(|(_, times, _)| *times <= RARE.max(most / COMMON));
        let rows: Vec<u64> = rare.map(|(.., row)| *row).collect();
        let is_told = !self.many && most >= COMMON && rows.len() as u64 <= RARE;
        let mut rows = if is_told { rows } else { Vec::new() };
        // One among many that has nothing, or a word among numbers.
        let is_few = |times: u64, of: u64| times <= RARE && of >= COMMON;
        rows.extend(self.nothing_row.filter(|_| is_few(self.nothing, self.all)));
        rows.extend(self.word_row.filter(|_| is_few(self.all - self.numbers, self.numbers)));
        rows
    }

    /// Whether all are the same.
    pub(super) fn is_constant(&self) -> bool {
        self.repeats() && self.distinct.len() == 1
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

    /// Whether some are empty.
    pub(super) fn has_empty(&self) -> bool {
        self.empty > 0
    }

    /// Whether all are numbers.
    pub(super) fn is_numeric(&self) -> bool {
        self.all > 0 && self.numbers == self.all
    }

    /// In a few words: `number, 0.5 to 99`, `ok 1,203, failed 41`.
    #[inline(never)]
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        if self.all == 0 {
            return "empty".to_owned();
        }
        let range = || format!("{} to {}", shown(&self.low), shown(&self.high));
        if self.numbers == self.all {
            words = match self.low == self.high {
                true => format!("number, {}", shown(&self.low)),
                false => format!("number, {}", range()),
            };
        } else if self.dates == self.all {
            words = format!("date, {}", range());
        } else if self.repeats() {
            let mut ranked: Vec<&(Vec<u8>, u64, u64)> = self.distinct.iter().collect();
            crate::sort::sort_by(&mut ranked, |a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            let shown = ranked
                .iter()
                .take(LISTED)
                .map(|(value, times, _)| format!("{} {}", shown(value), thousands(*times)));
            words = format!("{} distinct: ", ranked.len());
            words.push_str(&shown.collect::<Vec<_>>().join(", "));
            if ranked.len() > LISTED {
                words.push_str(", …");
            }
        } else if self.numbers > 0 {
            words = format!("text, {} of them numbers", thousands(self.numbers));
        } else {
            words.push_str("text");
        }
        if self.empty > 0 {
            words.push_str(&format!("; {} empty", thousands(self.empty)));
        }
        words
    }
}

fn shown(value: &[u8]) -> String {
    one_line(&String::from_utf8_lossy(value), 2 * VALUE_BYTES)
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
        assert_eq!(words(&["1", "20", "-3.50", ""]), "number, -3.50 to 20; 1 empty");
        assert_eq!(words(&["ok", "failed", "ok", "ok", "ok"]), "2 distinct: ok 4, failed 1");
        assert_eq!(
            words(&["2026-11-22T10:00:00Z", "2026-01-02T10:00:00Z"]),
            "date, 2026-01-02T10:00:00Z to 2026-11-22T10:00:00Z"
        );
        assert_eq!(words(&["a", "b", "c"]), "text");
        assert_eq!(words(&["", " "]), "empty");
        assert_eq!(words(&["x1", "x2", "5", "x3"]), "text, 1 of them numbers");
        assert_eq!(
            words(&["9007199254740993", "9007199254740995", "9007199254740994"]),
            "number, 9007199254740993 to 9007199254740995"
        );
        assert_eq!(words(&["a,b", "a,b", " c", " c"]), "2 distinct: \" c\" 2, \"a,b\" 2");
        assert_eq!(words(&["+49 1", "+49 2", "+49 3"]), "text");
        assert_eq!(words(&["1e999", "1e999"]), "1 distinct: 1e999 2");
        // The second is the later one.
        assert_eq!(words(&["2026-11-22T10:00:00+02:00", "2026-11-22T09:30:00Z"]), "text");
        assert_eq!(words(&["00123", "04711", "00123"]), "text");
        assert_eq!(words(&["0", "-0.5", "0.25"]), "number, -0.5 to 0.25");
    }
}
