//! How many tokens a text takes, without a vocabulary.
//!
//! Tokenizers first cut a text into words, groups of up to three digits, runs of punctuation, and
//! line ends, and then look for the longest pieces that they know. So the text is cut the same way,
//! and each piece costs what such pieces cost on average: a word about one token whatever its
//! length, three digits one, letters and digits in no order (base64, hashes) more than one in two
//! characters. The costs were fitted to the counts of o200k for fifty texts; the tests hold the
//! estimate within 15 % of the count for texts of each kind. Traditional Han characters take about a
//! fifth more than it says.
//!
//! A long text is looked at in parts: all of its start, then a stretch of each part that follows.
//!
//! This is the one estimate: of results and what is shown of them, of definitions, listings and answers.

use crate::compact;

/// Bytes at the start that are all looked at.
const HEAD_BYTES: u64 = 64 << 10;

/// After them, bytes of each period that are looked at, from its start.
const STRETCH_BYTES: u64 = 4 << 10;
const PERIOD_BYTES: u64 = 128 << 10;

/// Costs, in hundredths of a token.
const WORD: u32 = 97;
const WORD_AFTER_SIGN: u32 = 94;
const WORD_INSIDE: u32 = 27;
const DIGITS: u32 = 118;
const LINE_END: u32 = 123;
const BLANKS: u32 = 116;
const BLANK_BEFORE_DIGITS: u32 = 105;
const SIGN: u32 = 86;
const SIGN_BEFORE_WORD: u32 = 80;
const SIGN_JOINING_WORDS: u32 = 40;
const BLANK_SIGN_BEFORE_WORD: u32 = 133;
const TWO_SIGNS: u32 = 70;
const THREE_SIGNS: u32 = 138;
// As between the texts of JSON.
const THREE_SIGNS_FROM_QUOTE: u32 = 81;
const MORE_SIGNS: u32 = 152;
const EACH_MORE_SIGN: u32 = 10;
const CONTROL: u32 = 145;

/// Blanks and line ends in a row that are one more token, and what each costs.
const WHITE_CHARS: u32 = 64;
const MORE_WHITE: u32 = 100;

/// A character of a run of letters and digits in no order: of hashes, and of base64.
const HASH: u32 = 59;
const BASE64: u32 = 71;

/// About how many tokens a text takes.
pub fn of(text: &str) -> u64 {
    let mut tokens = Tokens::default();
    tokens.push(text.as_bytes());
    tokens.finish()
}

/// About how many tokens a tool's definition takes: its name, description and the schema of its arguments
/// as compact JSON.
pub fn of_definition(name: &str, description: &str, schema: &str) -> u64 {
    let mut tokens = Tokens::default();
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    tokens.push(br#"{"name":"#);
    tokens.push(quoted(name).as_bytes());
    tokens.push(br#","description":"#);
    tokens.push(quoted(description).as_bytes());
    tokens.push(br#","parameters":"#);
    let schema = if schema.is_empty() { "{}" } else { schema };
    compact::each_piece(schema, |piece| tokens.push(piece));
    tokens.push(b"}");
    tokens.finish()
}

/// About how many tokens base64 of so many characters takes.
pub fn of_base64(chars: u64) -> u64 {
    chars * u64::from(BASE64) / 100
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Class {
    #[default]
    LineEnd,
    Blank,
    Lower,
    Upper,
    Digit,
    Sign,
    Control,
    High,
}

static CLASSES: [Class; 256] = {
    let mut classes = [Class::Control; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' | b'\r' => Class::LineEnd,
            b' ' | b'\t' => Class::Blank,
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            0x21..=0x7e => Class::Sign,
            0x80.. => Class::High,
            _ => Class::Control,
        };
        byte += 1;
    }
    classes
};

impl Class {
    fn is_word(self) -> bool {
        matches!(self, Class::Lower | Class::Upper | Class::Digit)
    }
}

/// What a character that is not ASCII costs, by its first byte.
fn high(lead: u8) -> u32 {
    match lead {
        ..0xc0 => 0,
        // Latin, Greek; Cyrillic; Hebrew, Arabic.
        0xc0..0xd0 => 12,
        0xd0..0xd8 => 27,
        0xd8..0xe0 => 31,
        // Indic and Thai; signs; kana; Han; hangul; other forms.
        0xe0..=0xe1 => 40,
        0xe2 => 85,
        0xe3 => 72,
        0xe4..0xea => 78,
        0xea..0xee => 70,
        0xee..0xf0 => 85,
        0xf0.. => 140,
    }
}

/// Estimates as bytes are pushed, however they are cut.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    /// Bytes that went by.
    at: u64,
    /// Hundredths of tokens in what was looked at, of the start and of what follows it.
    head: u64,
    rest: u64,
    /// Bytes looked at after the start.
    looked_at: u64,
    run: Run,
}

/// Bytes of one kind.
#[derive(Debug, Clone, Copy, Default)]
struct Run {
    class: Class,
    /// The byte before it is: blank, the end of a line, or other.
    before: Class,
    length: u32,
    /// Of a word: its cost by its parts, how many digits and capitals it has, how often it changes
    /// between them, and the length of the part under way.
    cost: u32,
    digits: u32,
    capitals: u32,
    changes: u32,
    part: u32,
    /// Its first byte.
    first: u8,
}

impl Tokens {
    /// Looks at the next bytes, as far as they lie where it looks.
    pub fn push(&mut self, mut chunk: &[u8]) {
        while !chunk.is_empty() {
            let (looks, left) = match self.at.checked_sub(HEAD_BYTES) {
                None => (true, HEAD_BYTES - self.at),
                Some(past) => match past % PERIOD_BYTES {
                    into if into < STRETCH_BYTES => (true, STRETCH_BYTES - into),
                    into => (false, PERIOD_BYTES - into),
                },
            };
            let length = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let (part, rest) = chunk.split_at(length);
            chunk = rest;
            let is_head = self.at < HEAD_BYTES;
            self.at += length as u64;
            if !looks {
                continue;
            }
            let mut sum = 0;
            let mut part = part;
            while let Some((&byte, rest)) = part.split_first() {
                sum += u64::from(self.run.step(byte));
                part = rest;
                if self.run.class == Class::Lower {
                    // Most bytes of most texts.
                    let more = part.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
                    self.run.letters(more as u32);
                    part = &part[more..];
                }
            }
            if length as u64 == left {
                sum += u64::from(self.run.end(Class::LineEnd));
                self.run = Run::default();
            }
            if is_head {
                self.head += sum;
            } else {
                self.rest += sum;
                self.looked_at += length as u64;
            }
        }
    }

    /// About how many tokens there are, rounded up.
    pub fn finish(&self) -> u64 {
        let mut run = self.run;
        let last = u64::from(run.end(Class::LineEnd));
        let all = match self.at.checked_sub(HEAD_BYTES) {
            None | Some(0) => self.head + last,
            Some(past) => {
                // Just after the start nothing more was looked at yet.
                let rest = u128::from(self.rest + last) * u128::from(past);
                self.head + (rest / u128::from(self.looked_at.max(1))) as u64
            }
        };
        all.div_ceil(100)
    }
}

impl Run {
    /// Takes a byte; what the run that it ends costs.
    fn step(&mut self, byte: u8) -> u32 {
        let class = CLASSES[usize::from(byte)];
        let goes_on = match self.class {
            Class::High | Class::Control => false,
            one if one.is_word() => class.is_word(),
            one => class == one,
        };
        let mut cost = 0;
        if self.length == 0 || !goes_on {
            cost = self.end(class);
            let before = if self.length == 0 { Class::LineEnd } else { self.class };
            *self = Run { before, first: byte, ..Run::default() };
            if class == Class::High {
                cost += high(byte);
            }
        }
        if class.is_word() {
            self.word(class);
        }
        self.class = class;
        self.length = self.length.saturating_add(1);
        cost
    }

    fn word(&mut self, class: Class) {
        let is_first = self.length == 0;
        self.changes += u32::from(!is_first && class != self.class);
        if class == Class::Digit {
            self.digits += 1;
            if is_first || self.class != Class::Digit || self.part == 3 {
                self.part = 0;
                self.cost += DIGITS;
            }
            self.part += 1;
            return;
        }
        self.capitals += u32::from(class == Class::Upper);
        let begins = is_first
            || self.class == Class::Digit
            || (class, self.class) == (Class::Upper, Class::Lower);
        if begins {
            self.part = 0;
            self.cost += match (is_first, self.before) {
                (true, Class::Blank | Class::LineEnd) => WORD,
                (true, _) => WORD_AFTER_SIGN,
                (false, _) => WORD_INSIDE,
            };
        }
        self.more_of_part(1);
    }

    /// Takes so many small letters behind another.
    fn letters(&mut self, count: u32) {
        self.length = self.length.saturating_add(count);
        self.more_of_part(count);
    }

    fn more_of_part(&mut self, count: u32) {
        let cost = |length: u32| match length {
            ..=3 => 0,
            4..=6 => 3 * (length - 3),
            7..=13 => 9 + 6 * (length - 6),
            14.. => 51 + 36 * (length - 13),
        };
        self.cost += cost(self.part + count) - cost(self.part);
        self.part += count;
    }

    /// What it costs, when a byte of `next` follows it.
    fn end(&mut self, next: Class) -> u32 {
        let length = self.length;
        let more = (length / WHITE_CHARS).min(1 << 20) * MORE_WHITE;
        match self.class {
            _ if length == 0 => 0,
            Class::Lower | Class::Upper | Class::Digit => {
                let letters = length - self.digits;
                let mixed = self.digits >= 2 && letters >= 2 && self.changes * 10 >= length * 3;
                match length >= 8 && (mixed || self.changes * 2 >= length) {
                    true if self.capitals > 0 && self.capitals < letters => BASE64 * length,
                    true => HASH * length,
                    false => self.cost,
                }
            }
            Class::LineEnd if self.before == Class::Sign => more,
            Class::LineEnd => LINE_END + more,
            Class::Blank if next == Class::LineEnd => more,
            Class::Blank => {
                let several = if length > 1 { BLANKS } else { 0 };
                more + several + if next == Class::Digit { BLANK_BEFORE_DIGITS } else { 0 }
            }
            Class::Sign => match (length, next) {
                (1, Class::Lower | Class::Upper) if self.before == Class::Blank => {
                    BLANK_SIGN_BEFORE_WORD
                }
                (1, Class::Lower | Class::Upper) if b"._/-:@$#".contains(&self.first) => {
                    SIGN_JOINING_WORDS
                }
                (1, Class::Lower | Class::Upper) => SIGN_BEFORE_WORD,
                (1, _) => SIGN,
                (2, _) => TWO_SIGNS,
                (3, _) if self.first == b'"' => THREE_SIGNS_FROM_QUOTE,
                (3, _) => THREE_SIGNS,
                _ => MORE_SIGNS + EACH_MORE_SIGN * (length - 3).min(1 << 20),
            },
            Class::Control => CONTROL,
            Class::High => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts and how many tokens o200k makes of them, as the npm package `gpt-tokenizer` counts.
    const COUNTED: &str = include_str!("../fixtures/counts.txt");

    fn of_bytes(bytes: &[u8]) -> u64 {
        let mut tokens = Tokens::default();
        tokens.push(bytes);
        tokens.finish()
    }

    #[test]
    fn estimates_are_within_15_percent_of_the_count_for_texts_of_each_kind() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/");
        let mut texts = 0;
        for line in COUNTED.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, count) = line.split_once(' ').unwrap();
            let count: u64 = count.trim().parse().unwrap();
            let text = std::fs::read(format!("{directory}{name}")).unwrap();
            let estimate = of_bytes(&text);
            let mut bytes = Tokens::default();
            text.chunks(1).for_each(|byte| bytes.push(byte));
            assert_eq!(bytes.finish(), estimate, "{name}, byte by byte");
            let off = estimate as f64 / count as f64 - 1.0;
            assert!(off.abs() <= 0.15, "{name}: {estimate} for {count} ({:+.1} %)", off * 100.0);
            texts += 1;
            // A long text is looked at in parts.
            let long = text.repeat(1 + 3_000_000 / text.len());
            let times = (long.len() / text.len()) as u64;
            let off = of_bytes(&long) as f64 / (count * times) as f64 - 1.0;
            assert!(off.abs() <= 0.17, "{name}, long: {:+.1} %", off * 100.0);
        }
        assert!(texts >= 20, "{texts} texts");
    }

    #[test]
    fn no_text_is_free() {
        for white in [" ", "\t", "\n", "\r\n", " \n"] {
            let text = white.repeat(60_000);
            assert!(of(&text) >= 500, "{white:?}");
        }
    }

    #[test]
    fn a_definition_counts_as_compact_json() {
        let (name, description) = ("log", "Says \"what\" happened.\nNewest first.");
        let schema =
            "{ \"type\": \"object\",\n  \"properties\": { \"a b\": { \"type\": \"string\" } } }";
        let compact = r#"{"type":"object","properties":{"a b":{"type":"string"}}}"#;
        let text = format!(
            r#"{{"name":"log","description":{},"parameters":{compact}}}"#,
            serde_json::to_string(description).unwrap(),
        );
        assert_eq!(of_definition(name, description, schema), of(&text));
        assert_eq!(of_definition("a", "", ""), of_definition("a", "", "{}"));
    }
}
