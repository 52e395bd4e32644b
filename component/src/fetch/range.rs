//! Reads from a position on: by lines, bytes or characters.
//!
//! Every page says where it lies and, when it is less than was asked for, how to go on. Asking for
//! all from the start and following [`Page::next`] gives every byte of the blob exactly once,
//! whatever the bytes are.

use super::page::{self, Cut, Encoding};
use super::position;
use crate::source::{Indexed, ReadError};

/// What a position counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Lines, from 1.
    Lines,
    /// Bytes, from 0.
    Bytes,
    /// Characters, from 0: see [`crate::source`].
    Chars,
}

impl Unit {
    /// The lower-case plural, as models write and read it.
    pub fn as_str(self) -> &'static str {
        match self {
            Unit::Lines => "lines",
            Unit::Bytes => "bytes",
            Unit::Chars => "chars",
        }
    }

    /// The number of the first one: 1 for lines, else 0.
    pub fn first(self) -> u64 {
        u64::from(self == Unit::Lines)
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// What `start` and `count` count.
    pub unit: Unit,
    /// The first one. Negative counts from the end; line 0 is line 1. A byte inside a character
    /// stands for the character's first.
    pub start: i64,
    /// How many; `None` for all to the end, 0 is taken as 1.
    pub count: Option<u64>,
}

/// Where the next page starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Next {
    /// What the numbers count.
    pub unit: Unit,
    /// Where to start.
    pub start: u64,
    /// How much is left of what was asked for; `None` when that was all to the end.
    pub count: Option<u64>,
}

impl From<Next> for Range {
    fn from(next: Next) -> Range {
        let start = i64::try_from(next.start).unwrap_or(i64::MAX);
        Range { unit: next.unit, start, count: next.count }
    }
}

/// A piece of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The content.
    pub content: String,
    /// How it is written.
    pub encoding: Encoding,
    /// What `start`, `end` and `total` count.
    pub unit: Unit,
    /// Where the content starts.
    pub start: u64,
    /// One past the last. For lines, one past the last that is shown at least in part.
    pub end: u64,
    /// How many there are in all.
    pub total: u64,
    /// The first byte.
    pub start_byte: u64,
    /// One past the last byte.
    pub end_byte: u64,
    /// How to go on; `None` when this is all that was asked for.
    pub next: Option<Next>,
    /// How many characters of the last line shown, a line that is cut, come before the cut.
    pub line_cut_at: Option<u64>,
    /// Whether the first line shown, of lines, starts before the content does.
    pub starts_inside: bool,
}

/// Why a range could not be read.
#[derive(Debug)]
pub enum RangeError {
    /// The start is past the end; `total` is in the unit asked for.
    OutOfRange {
        /// How many there are.
        total: u64,
    },
    /// The bytes could not be read.
    Read(ReadError),
}

impl From<ReadError> for RangeError {
    fn from(error: ReadError) -> Self {
        RangeError::Read(error)
    }
}

/// How many of `unit` the blob has.
///
/// # Errors
/// [`ReadError`] when the last byte cannot be read.
pub fn total(source: &dyn Indexed, unit: Unit) -> Result<u64, ReadError> {
    match unit {
        Unit::Lines => source.lines(),
        Unit::Bytes => Ok(source.len()),
        Unit::Chars => Ok(source.totals().chars),
    }
}

/// The page of at most `max_chars` characters that `range` starts with.
///
/// The first position past the last one is no error: there the page is empty.
///
/// # Errors
/// [`RangeError::OutOfRange`] when the start lies beyond that.
pub fn read(source: &dyn Indexed, range: Range, max_chars: usize) -> Result<Page, RangeError> {
    let total = total(source, range.unit)?;
    let first = range.unit.first();
    let start = match u64::try_from(range.start) {
        Ok(start) => start.max(first),
        Err(_) => first + total.saturating_sub(range.start.unsigned_abs()),
    };
    if start > first + total {
        return Err(RangeError::OutOfRange { total });
    }
    let end = range.count.map(|count| start.saturating_add(count.max(1)).min(first + total));
    let start_byte = byte_of(source, range.unit, start)?;
    let end_byte = match end {
        None => source.len(),
        Some(end) if range.unit == Unit::Bytes => position::ceil_char(source, end)?,
        Some(end) => byte_of(source, range.unit, end)?,
    };
    let cut = page::cut(source, start_byte, end_byte, max_chars, range.unit == Unit::Lines)?;
    page(source, range.unit, total, start_byte, cut, end_byte, range.count.is_some())
}

/// The last `lines` lines, or as many of their last characters as fit: the end is always shown.
///
/// # Errors
/// [`ReadError`] when the bytes cannot be read.
pub fn tail(source: &dyn Indexed, lines: u64, max_chars: usize) -> Result<Page, ReadError> {
    let total = source.lines()?;
    let len = source.len();
    let wanted = position::byte_of_line(source, 1 + total.saturating_sub(lines.max(1)))?;
    // What surely fits: the last characters when they are text, else bytes that take four each.
    let chars = max_chars.max(page::MIN_PAGE_CHARS);
    let from = position::floor_char(source, len.saturating_sub(chars as u64 * 4).max(wanted))?;
    let bytes = source.read_range(from, len)?;
    let skip = match std::str::from_utf8(&bytes) {
        Ok(text) => text.char_indices().rev().nth(chars - 1).map_or(0, |(at, _)| at),
        Err(_) => bytes.len().saturating_sub(chars / 4),
    };
    let mut start = from + skip as u64;
    if start > wanted {
        let body = &bytes[skip..bytes.len() - 1];
        // A page that starts inside a line is worse than one that is a line shorter, unless the
        // last line alone is too long.
        let inside = skip == 0 || bytes[skip - 1] != b'\n';
        start = match memchr::memchr(b'\n', body) {
            Some(at) if inside => start + at as u64 + 1,
            _ => position::floor_char(source, start)?,
        };
    }
    let cut = page::cut(source, start, len, chars, false)?;
    page(source, Unit::Lines, total, start, cut, len, true)
}

/// All of it, when it has no more than `max_chars` characters.
///
/// # Errors
/// The number of characters when there are more, unless `refuse` is off: then the first page.
pub fn full(
    source: &dyn Indexed,
    max_chars: usize,
    refuse: bool,
) -> Result<Result<Page, u64>, ReadError> {
    let chars = source.totals().chars;
    if refuse && chars > max_chars as u64 {
        return Ok(Err(chars));
    }
    let end = source.len();
    let cut = page::cut(source, 0, end, max_chars, true)?;
    page(source, Unit::Lines, source.lines()?, 0, cut, end, false).map(Ok)
}

/// The byte at which position `n` of `unit` starts.
fn byte_of(source: &dyn Indexed, unit: Unit, n: u64) -> Result<u64, ReadError> {
    match unit {
        Unit::Lines => position::byte_of_line(source, n),
        Unit::Bytes => position::floor_char(source, n),
        Unit::Chars => position::byte_of_char(source, n),
    }
}

/// The position of the byte `at` in `unit`.
fn of_byte(source: &dyn Indexed, unit: Unit, at: u64) -> Result<u64, ReadError> {
    match unit {
        Unit::Lines => position::line_of_byte(source, at),
        Unit::Bytes => Ok(at),
        Unit::Chars => position::char_of_byte(source, at),
    }
}

/// What was cut, with where it lies and how to go on to `asked_end`.
fn page<E: From<ReadError>>(
    source: &dyn Indexed,
    unit: Unit,
    total: u64,
    start_byte: u64,
    cut: Cut,
    asked_end: u64,
    counted: bool,
) -> Result<Page, E> {
    let end_byte = cut.end;
    let start = of_byte(source, unit, start_byte)?;
    let mut end = of_byte(source, unit, end_byte)?;
    let mut line_cut_at = None;
    if unit == Unit::Lines && end_byte > start_byte {
        let line_start = position::byte_of_line(source, end)?;
        if line_start < end_byte {
            if end_byte < source.len() {
                let before = position::char_of_byte(source, line_start)?;
                line_cut_at = Some(position::char_of_byte(source, end_byte)? - before);
            }
            end += 1;
        }
    }
    let next = if end_byte >= asked_end {
        None
    } else if byte_of(source, unit, end)? == end_byte {
        let asked = if counted { Some(of_byte_ceil(source, unit, asked_end)?) } else { None };
        Some(Next { unit, start: end, count: asked.map(|asked| asked.saturating_sub(end).max(1)) })
    } else {
        let count = counted.then_some(asked_end - end_byte);
        Some(Next { unit: Unit::Bytes, start: end_byte, count })
    };
    let end = end.max(start);
    Ok(Page {
        content: cut.content,
        encoding: cut.encoding,
        unit,
        start,
        end,
        total,
        start_byte,
        end_byte,
        next,
        line_cut_at,
        starts_inside: unit == Unit::Lines && byte_of(source, unit, start)? < start_byte,
    })
}

/// The position in `unit` at or after the byte `at`: past a last line without a line feed.
fn of_byte_ceil(source: &dyn Indexed, unit: Unit, at: u64) -> Result<u64, ReadError> {
    let position = of_byte(source, unit, at)?;
    let inside = unit == Unit::Lines && position::byte_of_line(source, position)? < at;
    Ok(position + u64::from(inside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::page::tests::unescape;
    use crate::source::{Mark, Source};
    use proptest::prelude::*;

    /// A slice with a mark at every seventh byte, as a stored blob has at every block.
    struct Marked(Vec<u8>);

    impl Marked {
        fn last(&self, holds: impl Fn(Mark) -> bool) -> Mark {
            let marks = (0..=self.0.len()).step_by(7);
            let marks = marks.map(|at| Mark::default().advance(&self.0[..at]));
            marks.filter(|mark| holds(*mark)).last().unwrap_or_default()
        }
    }

    impl Source for Marked {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }
        fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize, ReadError> {
            self.0.as_slice().read_at(offset, buf)
        }
    }

    impl Indexed for Marked {
        fn totals(&self) -> Mark {
            Mark::default().advance(&self.0)
        }
        fn mark_at_byte(&self, position: u64) -> Mark {
            self.last(|mark| mark.bytes <= position)
        }
        fn mark_at_char(&self, position: u64) -> Mark {
            self.last(|mark| mark.chars <= position)
        }
        fn mark_before_newline(&self, newlines: u64) -> Mark {
            self.last(|mark| mark.newlines < newlines)
        }
    }

    fn lines(start: i64, count: Option<u64>) -> Range {
        Range { unit: Unit::Lines, start, count }
    }

    fn bytes_of(page: &Page) -> Vec<u8> {
        match page.encoding {
            Encoding::Utf8 => page.content.clone().into_bytes(),
            Encoding::Escaped => unescape(&page.content).unwrap(),
        }
    }

    /// All pages of `range` put together.
    fn follow(source: &dyn Indexed, range: Range, max_chars: usize) -> Vec<u8> {
        let (mut whole, mut range) = (Vec::new(), range);
        loop {
            let page = read(source, range, max_chars).unwrap();
            assert!(page.content.chars().count() <= max_chars.max(page::MIN_PAGE_CHARS));
            let bytes = bytes_of(&page);
            assert_eq!(page.end_byte - page.start_byte, bytes.len() as u64);
            assert!(!bytes.is_empty() || page.next.is_none());
            whole.extend(bytes);
            match page.next {
                Some(next) => range = next.into(),
                None => return whole,
            }
        }
    }

    fn hundred() -> Vec<u8> {
        (1..=100).map(|n| format!("line {n}\n")).collect::<String>().into_bytes()
    }

    #[test]
    fn a_range_says_where_it_lies() {
        let blob = hundred();
        let page = read(&blob.as_slice(), lines(10, Some(5)), 4_000).unwrap();
        assert_eq!(page.content, "line 10\nline 11\nline 12\nline 13\nline 14\n");
        assert_eq!((page.start, page.end, page.total, page.next), (10, 15, 100, None));
        assert_eq!((page.start_byte, page.end_byte), (63, 103));
    }

    #[test]
    fn a_page_that_is_full_goes_on_with_the_next_line() {
        let blob = hundred();
        let page = read(&blob.as_slice(), lines(10, Some(5)), 17).unwrap();
        assert_eq!(page.content, "line 10\nline 11\n");
        assert_eq!(page.next, Some(Next { unit: Unit::Lines, start: 12, count: Some(3) }));
        let page = read(&blob.as_slice(), lines(99, None), 10).unwrap();
        assert_eq!(page.next, Some(Next { unit: Unit::Lines, start: 100, count: None }));
    }

    #[test]
    fn a_giant_line_goes_on_in_bytes_to_the_end_of_what_was_asked() {
        let blob = format!("one\n{}\nthree\nfour\n", "x".repeat(50));
        let page = read(&blob.as_bytes(), lines(2, Some(2)), 20).unwrap();
        assert_eq!((page.start, page.end, page.line_cut_at), (2, 3, Some(20)));
        assert_eq!(page.next, Some(Next { unit: Unit::Bytes, start: 24, count: Some(37) }));
        let whole = follow(&blob.as_bytes(), lines(2, Some(2)), 20);
        assert_eq!(whole, blob.as_bytes()[4..61]);
    }

    #[test]
    fn negative_starts_count_from_the_end_and_line_zero_is_line_one() {
        let blob = hundred();
        let read = |range| read(&blob.as_slice(), range, 4_000).unwrap();
        assert_eq!(read(lines(-2, None)).content, "line 99\nline 100\n");
        assert_eq!(read(lines(-500, Some(1))).content, "line 1\n");
        assert_eq!(read(lines(0, Some(1))).content, "line 1\n");
        assert_eq!(read(lines(1, Some(0))).content, "line 1\n");
        assert_eq!(read(Range { unit: Unit::Chars, start: -4, count: Some(3) }).content, "100");
    }

    #[test]
    fn a_start_past_the_end_names_the_total() {
        let blob = hundred();
        let error = read(&blob.as_slice(), lines(102, None), 100).unwrap_err();
        assert!(matches!(error, RangeError::OutOfRange { total: 100 }));
        assert_eq!(read(&blob.as_slice(), lines(101, None), 100).unwrap().content, "");
        let range = Range { unit: Unit::Bytes, start: i64::MAX, count: Some(u64::MAX) };
        let error = read(&b"".as_slice(), range, 100).unwrap_err();
        assert!(matches!(error, RangeError::OutOfRange { total: 0 }));
    }

    #[test]
    fn a_byte_inside_a_character_stands_for_the_character() {
        let blob = "a€b€";
        let page =
            read(&blob.as_bytes(), Range { unit: Unit::Bytes, start: 2, count: Some(4) }, 99);
        let page = page.unwrap();
        assert_eq!((page.content.as_str(), page.start, page.end), ("€b€", 1, 8));
    }

    #[test]
    fn a_tail_always_shows_the_end() {
        let blob = hundred();
        let page = tail(&blob.as_slice(), 3, 4_000).unwrap();
        assert_eq!(page.content, "line 98\nline 99\nline 100\n");
        assert_eq!((page.start, page.end, page.next), (98, 101, None));
        let page = tail(&blob.as_slice(), 50, 20).unwrap();
        assert_eq!(page.content, "line 99\nline 100\n");
        let page = tail(&"x".repeat(90).as_bytes(), 5, 20).unwrap();
        assert_eq!((page.content.len(), page.start_byte, page.end_byte), (20, 70, 90));
        assert_eq!(tail(&b"".as_slice(), 5, 20).unwrap().content, "");
    }

    #[test]
    fn full_is_refused_above_its_limit() {
        let blob = hundred();
        let all = full(&blob.as_slice(), 10_000, true).unwrap().unwrap();
        assert_eq!((all.content.as_bytes(), all.next), (blob.as_slice(), None));
        assert_eq!(full(&blob.as_slice(), 100, true).unwrap().unwrap_err(), 792);
        let page = full(&blob.as_slice(), 100, false).unwrap().unwrap();
        let rest = follow(&blob.as_slice(), page.next.unwrap().into(), 100);
        assert!(rest == blob[page.end_byte as usize..] && page.content.len() > 90);
    }

    fn awkward() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\0\\\\x".to_vec()),
            Just("\u{2028}é€\u{1F600}".as_bytes().to_vec()),
            Just(vec![b'{'; 40]),
            proptest::collection::vec(any::<u8>(), 0..6),
            "[a-z ]{0,12}".prop_map(String::into_bytes),
        ];
        proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn following_next_from_the_start_rebuilds_the_blob(
            blob in awkward(),
            max_chars in 0usize..40,
            unit in prop_oneof![Just(Unit::Lines), Just(Unit::Bytes), Just(Unit::Chars)],
        ) {
            let range = Range { unit, start: 0, count: None };
            prop_assert_eq!(follow(&Marked(blob.clone()), range, max_chars), blob);
        }

        #[test]
        fn following_next_completes_what_was_asked(
            blob in awkward(),
            max_chars in 4usize..40,
            unit in prop_oneof![Just(Unit::Lines), Just(Unit::Bytes), Just(Unit::Chars)],
            start in -30i64..60,
            count in 1u64..60,
        ) {
            let blob = Marked(blob);
            let range = Range { unit, start, count: Some(count) };
            let Ok(whole) = read(&blob, range, 100_000) else { return Ok(()) };
            prop_assert_eq!(follow(&blob, range, max_chars), bytes_of(&whole));
        }

        #[test]
        fn a_tail_ends_with_the_end(blob in awkward(), lines in 0u64..9, max_chars in 4usize..40) {
            let source = Marked(blob.clone());
            let page = tail(&source, lines, max_chars).unwrap();
            prop_assert!(page.content.chars().count() <= max_chars);
            prop_assert_eq!(page.end_byte, blob.len() as u64);
            prop_assert!(blob.ends_with(&bytes_of(&page)));
        }
    }
}
