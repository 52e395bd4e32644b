//! What the values of one column are: types, range, distinct values with how often.

use crate::content::numbers::{in_order, thousands};
use crate::content::show::one_line;
use crate::content::table::{instant, is_date, is_empty, is_number};

/// Distinct values that are counted, of at most so many bytes; and how many are listed.
const DISTINCT: usize = 24;
const VALUE_BYTES: usize = 40;
const LISTED: usize = 6;

/// Distinct values of which it is said how many there are.
const FEW: usize = 12;

/// What is met so often at most, or once for so many of the commonest, is rare beside what is met [`COMMON`] times and
/// more.
pub(super) const RARE: u64 = 3;
pub(super) const COMMON: u64 = 20;

/// Which row, where it starts, and where a value of it stands.
pub(super) type Place = (u64, u64, u64);

/// Sorts places by where their values stand.
#[inline(never)]
pub(super) fn sort_places(places: &mut [Place]) {
    crate::sort::sort_by_key(places, |(.., at)| *at);
}

/// A value, how often it was met, and where first.
#[derive(Debug, Clone)]
struct Met {
    value: Vec<u8>,
    /// As it was written, where it is known.
    written: Vec<u8>,
    is_number: bool,
    is_date: bool,
    has_form: bool,
    times: u64,
    first: Place,
}

/// What the texts of a column may have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Date,
    Address,
    Mail,
    Uuid,
    /// A number that is written as a text.
    Number,
}

impl Form {
    fn of(text: &[u8]) -> Option<Form> {
        [Form::Number, Form::Date, Form::Address, Form::Mail, Form::Uuid]
            .into_iter()
            .find(|form| form.is_of(text))
    }

    fn is_of(self, text: &[u8]) -> bool {
        match self {
            Form::Number => {
                let number = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
                number.is_some_and(is_number)
            }
            Form::Date => is_date(text),
            Form::Address => text.starts_with(b"https://") || text.starts_with(b"http://"),
            Form::Mail => {
                let at = text.iter().position(|byte| *byte == b'@');
                at.is_some_and(|at| at > 0 && text[at..].contains(&b'.')) && !text.contains(&b' ')
            }
            Form::Uuid => {
                text.len() == 36
                    && text.iter().enumerate().all(|(at, byte)| match at {
                        8 | 13 | 18 | 23 => *byte == b'-',
                        _ => byte.is_ascii_hexdigit(),
                    })
            }
        }
    }
}

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
    // No more are kept once there were too many.
    distinct: Vec<Met>,
    many: bool,
    // Those that are empty or null, and the first such place, and the first of what is no number, and of what is one.
    nothing: u64,
    nothing_at: Option<Place>,
    word_at: Option<Place>,
    number_at: Place,
    // Texts, the form of one of the first, how many have it, and the first that has not.
    texts: u64,
    form: Option<Form>,
    formed: u64,
    astray: Option<Place>,
    /// Where the value that is pushed next stands.
    pub(super) place: Place,
    /// Whether there were values that are not counted.
    pub(super) has_others: bool,
    /// Whether values are counted without their range.
    pub(super) is_brief: bool,
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
        if self.again(value, false) {
            return;
        }
        let is_odd = |b: &u8| b.is_ascii_control() || matches!(b, b',' | b';' | b'"' | b'\\');
        let is_plain = self.is_done()
            || value.len() > VALUE_BYTES
            || value.trim_ascii() == value && !value.iter().any(is_odd)
            || is_empty(value);
        if is_plain {
            return self.push_as(value, false);
        }
        let text = serde_json::Value::from(String::from_utf8_lossy(value)).to_string();
        self.push_as(text.as_bytes(), false);
    }

    /// Whether the next value can be told from no other.
    pub(super) fn is_done(&self) -> bool {
        self.many && self.is_brief
    }

    /// Counts a value that was met before; whether it was.
    fn again(&mut self, value: &[u8], is_number: bool) -> bool {
        let is_it = |met: &Met| met.is_number == is_number && met.value == value;
        self.distinct.iter().position(is_it).map(|at| self.met(at)).is_some()
    }

    /// Counts a value that was met before and stands at the start of this text, before a sign or blank: its length there, or
    /// zero.
    pub(super) fn again_at(&mut self, text: &[u8]) -> usize {
        let is_end = |end: &u8| matches!(end, b',' | b'}' | b']' | b'\n' | b'\r' | b' ');
        let is_it = |met: &Met| {
            let length = met.written.len();
            // What ends elsewhere is told at once.
            length > 0 && text.get(length).is_some_and(is_end) && text.starts_with(&met.written)
        };
        let Some(at) = self.distinct.iter().position(is_it) else { return 0 };
        self.met(at);
        self.distinct[at].written.len()
    }

    /// The value that was pushed just now was written so.
    pub(super) fn written(&mut self, text: &[u8]) {
        if let Some(met) = self.distinct.last_mut()
            && met.times == 1
            && met.first == self.place
        {
            met.written = text.to_vec();
        }
    }

    fn met(&mut self, at: usize) {
        let met = &mut self.distinct[at];
        met.times += 1;
        self.all += 1;
        self.numbers += u64::from(met.is_number);
        self.dates += u64::from(met.is_date);
        let is_null = met.value == b"null";
        self.nothing += u64::from(is_null);
        self.texts += u64::from(!met.is_number && !is_null);
        self.formed += u64::from(met.has_form);
    }

    /// Whether its texts have a form in common.
    pub(super) fn has_form(&self) -> bool {
        self.form.is_some()
    }

    /// Counts a text by its form; whether it has the one of the others.
    #[inline(never)]
    pub(super) fn push_form(&mut self, text: &[u8]) -> bool {
        self.texts += 1;
        if self.form.is_none() && self.texts <= COMMON {
            self.form = Form::of(text);
        }
        let has_form = self.form.is_some_and(|form| form.is_of(text));
        self.formed += u64::from(has_form);
        if !has_form {
            self.astray.get_or_insert(self.place);
        }
        has_form
    }

    /// Counts a value of which it is enough to know whether it is a number.
    pub(super) fn tally(&mut self, is_number: bool) {
        self.all += 1;
        match is_number {
            true if self.numbers == 0 => {
                (self.numbers, self.number_at) = (1, self.place);
            }
            true => self.numbers += 1,
            false => drop(self.word_at.get_or_insert(self.place)),
        }
    }

    /// Counts a value as it is shown, which is a number or is not.
    #[inline(never)]
    pub(super) fn push_as(&mut self, value: &[u8], is_number: bool) {
        if self.again(value, is_number) {
            return;
        }
        if is_empty(value) || value == b"null" {
            self.nothing += 1;
            self.nothing_at.get_or_insert(self.place);
        }
        if is_empty(value) {
            self.empty += 1;
            return;
        }
        self.tally(is_number);
        let has_form = !is_number && value != b"null" && self.push_form(value);
        if self.is_done() {
            return;
        }
        let bare = value.trim_ascii();
        let is_alike = || self.dates == 0 || zone(&self.low) == zone(bare);
        let is_date = !is_number && is_date(value) && is_alike();
        // A range is of the one or of the other.
        let first = if is_number { self.numbers == 1 } else { self.dates == 0 };
        if (is_number && self.dates == 0) || (is_date && self.numbers == 0) {
            let order = |other: &[u8]| match is_number {
                true => in_order(bare, other),
                false => instant(bare).cmp(instant(other)),
            };
            if first || order(&self.low).is_lt() {
                self.low = bare.to_vec();
            }
            if first || order(&self.high).is_gt() {
                self.high = bare.to_vec();
            }
        }
        self.dates += u64::from(is_date);
        if self.many {
            return;
        }
        if self.distinct.len() < DISTINCT && value.len() <= VALUE_BYTES {
            let (value, first) = (value.to_vec(), self.place);
            let written = Vec::new();
            self.distinct.push(Met {
                value,
                written,
                is_number,
                is_date,
                has_form,
                times: 1,
                first,
            });
        } else {
            self.many = true;
            self.distinct.clear();
        }
    }

    /// Whether its values are few, each met often.
    pub(super) fn repeats(&self) -> bool {
        let few = self.distinct.len();
        !self.many
            && !self.has_others
            && self.all > 0
            && few <= FEW
            && (few as u64) * 2 <= self.all.max(2)
    }

    /// The places of values that nearly all others do not have; none where many are rare.
    pub(super) fn rare(&self) -> Vec<Place> {
        let most = self.distinct.iter().map(|met| met.times).max().unwrap_or(0);
        let rare = self.distinct.iter().filter(|met| met.times <= RARE.max(most / COMMON));
        let mut places: Vec<Place> = rare.map(|met| met.first).collect();
        if most < COMMON || places.len() as u64 > RARE {
            places.clear();
        }
        // One among many that has nothing, a word among numbers, "never" or a number among dates.
        let is_few = |times: u64, of: u64| (1..=RARE).contains(&times) && of >= COMMON;
        places.extend(self.nothing_at.filter(|_| is_few(self.nothing, self.all)));
        places.extend(self.word_at.filter(|_| is_few(self.all - self.numbers, self.numbers)));
        places.extend(self.astray.filter(|_| is_few(self.texts - self.formed, self.formed)));
        places.extend(Some(self.number_at).filter(|_| is_few(self.numbers, self.formed)));
        places
    }

    /// The first that is no number, where these are few beside so many others.
    pub(super) fn few(&self, others: u64) -> Option<Place> {
        self.word_at.filter(|_| self.all <= RARE && others >= COMMON)
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
            let mut ranked: Vec<&Met> = self.distinct.iter().collect();
            crate::sort::sort_by(&mut ranked, |a, b| {
                b.times.cmp(&a.times).then_with(|| a.value.cmp(&b.value))
            });
            let shown = ranked
                .iter()
                .take(LISTED)
                .map(|met| format!("{} {}", shown(&met.value), thousands(met.times)));
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

    #[test]
    fn a_text_without_the_form_of_the_others_is_rare() {
        let rare = |line: &dyn Fn(u64) -> String| {
            let mut column = Values::default();
            for row in 1..=1_000 {
                column.place = (row, 0, 0);
                column.push(if row == 50 { "never".to_owned() } else { line(row) }.as_bytes());
            }
            column.rare()
        };
        for of in ["2026-05-04T10:00:NN", "https://a.example/NN", "aNN@b.example"] {
            assert_eq!(rare(&|row| of.replace("NN", &row.to_string())), [(50, 0, 0)], "{of}");
        }
        let times = |row: u64| match row {
            70 => "1778000000".to_owned(),
            row => format!("2026-05-04T10:00:{row}"),
        };
        assert_eq!(rare(&times), [(50, 0, 0), (70, 0, 0)]);
        assert!(rare(&|row| format!("some words {row}")).is_empty());
        // One of twenty codes is rare as well.
        assert_eq!(rare(&|row| format!("E{}", row % 20)), [(50, 0, 0)]);
    }
}
