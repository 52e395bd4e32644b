//! Groups lines by their shape: what is left when numbers and identifiers are masked.

use crate::sort::sort_by_key;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a line that make its shape. What tells log lines apart stands near their start.
pub const SHAPE_BYTES: usize = 160;

/// Shapes that are told apart. A content with more has no shapes worth listing.
const MAX_SHAPES: usize = 4_096;

const SLOTS: usize = 2 * MAX_SHAPES;

const OTHER: u8 = 0;
const WORD: u8 = 1;
const DIGIT: u8 = 2;

/// What a byte is to a shape. `-` and `_` belong to words, so that a UUID is one.
static CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut b = 0;
    while b < 256 {
        classes[b] = match b as u8 {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'-' | b'_' | 0x80.. => WORD,
            _ => OTHER,
        };
        b += 1;
    }
    classes
};

/// The shape of `line`, written to the start of `buf`: each word that holds a digit becomes `#`.
pub fn mask<'a>(line: &[u8], buf: &'a mut [u8; SHAPE_BYTES]) -> &'a [u8] {
    // Every byte is written where the shape has come to; a word that turns out to hold a digit is
    // written over.
    let (mut len, mut word, mut seen) = (0, 0, OTHER);
    for &b in line.iter().take(SHAPE_BYTES) {
        let class = CLASSES[usize::from(b)];
        if class == OTHER {
            if seen & DIGIT != 0 {
                buf[word] = b'#';
                len = word + 1;
            }
            seen = OTHER;
            word = len + 1;
        }
        seen |= class;
        buf[len] = b;
        len += 1;
    }
    if seen & DIGIT != 0 {
        buf[word] = b'#';
        len = word + 1;
    }
    &buf[..len]
}

/// How grave a log line says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Fatal, critical, panic, emergency, alert.
    Fatal,
    /// Error, severe.
    Error,
    /// Warning.
    Warn,
    /// Info, notice.
    Info,
    /// Debug.
    Debug,
    /// Trace, verbose.
    Trace,
}

impl Level {
    /// All, gravest first.
    pub const ALL: [Level; 6] =
        [Level::Fatal, Level::Error, Level::Warn, Level::Info, Level::Debug, Level::Trace];

    /// Its usual name.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Fatal => "FATAL",
            Level::Error => "ERROR",
            Level::Warn => "WARN",
            Level::Info => "INFO",
            Level::Debug => "DEBUG",
            Level::Trace => "TRACE",
        }
    }

    /// The level that `line` names first near its start. A level in small letters counts only
    /// after `=`, `[`, `<`, `"` or `:`, as in `level=info`: else it is a word of the message.
    pub fn of(line: &[u8]) -> Option<Level> {
        let line = &line[..line.len().min(SHAPE_BYTES)];
        let mut at = 0;
        while at < line.len() {
            if !line[at].is_ascii_alphabetic() {
                at += 1;
                continue;
            }
            let start = at;
            while at < line.len() && line[at].is_ascii_alphabetic() {
                at += 1;
            }
            let word = &line[start..at];
            let marked = start > 0 && matches!(line[start - 1], b'=' | b'[' | b'<' | b'"' | b':');
            if word.len() > 1 && !marked && word.iter().any(u8::is_ascii_lowercase) {
                continue;
            }
            let mut upper = [0; 9];
            let Some(upper) = upper.get_mut(..word.len()) else { continue };
            upper.copy_from_slice(word);
            upper.make_ascii_uppercase();
            match &*upper {
                b"FATAL" | b"CRITICAL" | b"CRIT" | b"PANIC" | b"EMERG" | b"ALERT" => {
                    return Some(Level::Fatal);
                }
                b"ERROR" | b"ERR" | b"SEVERE" => return Some(Level::Error),
                b"WARN" | b"WARNING" => return Some(Level::Warn),
                b"INFO" | b"NOTICE" => return Some(Level::Info),
                b"DEBUG" => return Some(Level::Debug),
                b"TRACE" | b"VERBOSE" => return Some(Level::Trace),
                _ => {}
            }
        }
        None
    }
}

/// A shape with how often it was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The masked line.
    pub text: Vec<u8>,
    /// Lines of this shape.
    pub lines: u64,
    /// The first of them, from 1.
    pub first_line: u64,
    /// The level that the shape names.
    pub level: Option<Level>,
}

/// Counts lines by shape, in memory bounded by a few thousand shapes.
pub struct Shapes {
    shapes: Vec<Shape>,
    hashes: Vec<u64>,
    // Index into `shapes` plus one; 0 is free.
    slots: Vec<u16>,
    overflow: [u64; 7],
    overflowed: bool,
}

impl Default for Shapes {
    fn default() -> Self {
        Shapes {
            shapes: Vec::new(),
            hashes: Vec::new(),
            slots: vec![0; SLOTS],
            overflow: [0; 7],
            overflowed: false,
        }
    }
}

impl Shapes {
    /// Counts a line; empty ones have no shape.
    pub fn push(&mut self, number: u64, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        if self.overflowed {
            self.overflow[Level::of(line).map_or(6, |level| level as usize)] += 1;
            return;
        }
        let mut buf = [0; SHAPE_BYTES];
        let shape = mask(line, &mut buf);
        let hash = xxh3_64(shape);
        let mut slot = hash as usize % SLOTS;
        loop {
            match self.slots[slot] {
                0 => break,
                found if self.hashes[usize::from(found) - 1] == hash => {
                    self.shapes[usize::from(found) - 1].lines += 1;
                    return;
                }
                _ => slot = (slot + 1) % SLOTS,
            }
        }
        if self.shapes.len() == MAX_SHAPES {
            self.overflowed = true;
            self.push(number, line);
            return;
        }
        self.hashes.push(hash);
        self.shapes.push(Shape {
            text: shape.to_vec(),
            lines: 1,
            first_line: number,
            level: Level::of(line),
        });
        self.slots[slot] = self.shapes.len() as u16;
    }

    /// Lines by level, gravest first; those that occur.
    pub fn levels(&self) -> Vec<(Level, u64)> {
        let mut counts = self.overflow;
        for shape in &self.shapes {
            counts[shape.level.map_or(6, |level| level as usize)] += shape.lines;
        }
        Level::ALL.into_iter().zip(counts).filter(|&(_, lines)| lines > 0).collect()
    }

    /// The shapes by number of lines, most first, unless there are too many to tell apart.
    pub fn ranked(&self) -> Option<Vec<&Shape>> {
        if self.overflowed {
            return None;
        }
        let mut shapes: Vec<&Shape> = self.shapes.iter().collect();
        sort_by_key(&mut shapes, |shape| (std::cmp::Reverse(shape.lines), shape.first_line));
        Some(shapes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ids_are_masked() {
        let shape = |line: &str| {
            String::from_utf8(mask(line.as_bytes(), &mut [0; SHAPE_BYTES]).to_vec()).unwrap()
        };
        assert_eq!(
            shape("2026-11-21T10:00:01.5Z INFO req=7f3a-11 user bob took 15ms"),
            "#:#:#.# INFO req=# user bob took #"
        );
        assert_eq!(["", "7", "a", " 7 ", "x7  y"].map(shape), ["", "#", "a", " # ", "#  y"]);
    }

    #[test]
    fn levels_are_counted_even_among_too_many_shapes() {
        let mut shapes = Shapes::default();
        for i in 0..10_000u64 {
            let word: String = i.to_string().bytes().map(|b| (b + b'k' - b'0') as char).collect();
            shapes.push(
                i + 1,
                format!("12:00 {} {word}", if i % 10 == 0 { "ERROR" } else { "INFO" }).as_bytes(),
            );
        }
        assert_eq!(shapes.levels(), [(Level::Error, 1_000), (Level::Info, 9_000)]);
        assert!(shapes.ranked().is_none());
    }

    #[test]
    fn rarest_shapes_come_last() {
        let mut shapes = Shapes::default();
        for i in 0..50 {
            shapes.push(i + 1, format!("id {i} ok").as_bytes());
        }
        shapes.push(51, b"disk full");
        let ranked = shapes.ranked().unwrap();
        assert_eq!((ranked[0].text.as_slice(), ranked[0].lines), (&b"id # ok"[..], 50));
        assert_eq!((ranked[1].text.as_slice(), ranked[1].first_line), (&b"disk full"[..], 51));
    }

    #[test]
    fn levels_need_capitals_or_a_mark() {
        assert_eq!(Level::of(b"level=warn msg=x"), Some(Level::Warn));
        assert_eq!(Level::of(b"10:00 [error] x"), Some(Level::Error));
        assert_eq!(Level::of(b"no error here"), None);
    }
}
