//! Turns what a program wrote into the text that a person would read.
//!
//! ```text
//! bytes ─► encoding: UTF-16, Windows-1252 ─► terminal control resolved ─► text
//! ```
//!
//! A terminal shows no escape sequences, writes a progress bar again and again into one line, and
//! takes a letter back. So does this: colours, titles and links (CSI, OSC, DCS) go, `\r` and
//! backspaces write over what stands there, `CSI K` erases. What moves the cursor between lines is
//! left out. The bytes as they came stay in the view `raw`, and a search that finds nothing here looks there.
//!
//! Where carriage returns end the lines of a text, as on old Macs, they become line feeds.
//!
//! Other encodings, such as Shift-JIS, GB 18030 and Windows-1251, are not decoded: such text counts as binary.

use crate::content::unescape::Units;

/// Characters of one line that are held to be written over.
const LINE_CELLS: usize = 1 << 16;

/// Bytes of an escape sequence that has no end.
const SEQUENCE_BYTES: usize = 4_096;

/// How bytes stand for characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, or what has to be shown byte by byte.
    #[default]
    Utf8,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
    /// Latin letters in one byte each.
    Windows1252,
}

impl Charset {
    /// Its usual name.
    pub fn as_str(self) -> &'static str {
        match self {
            Charset::Utf8 => "UTF-8",
            Charset::Utf16Le | Charset::Utf16Be => "UTF-16",
            Charset::Windows1252 => "Windows-1252",
        }
    }

    /// Tells it from the first bytes of a text; `valid` is whether all of it is UTF-8.
    pub fn of(head: &[u8], valid: bool) -> Charset {
        match head {
            [0xff, 0xfe, 0, 0, ..] => return Charset::Utf8,
            [0xff, 0xfe, ..] => return Charset::Utf16Le,
            [0xfe, 0xff, ..] => return Charset::Utf16Be,
            _ => {}
        }
        let head = &head[..head.len() & !1];
        if head.len() >= 32 {
            // Text in Latin letters has a zero in nearly every other byte.
            let zeros =
                |from: usize| head.iter().skip(from).step_by(2).filter(|&&b| b == 0).count();
            let (high_first, low_first, pairs) = (zeros(0), zeros(1), head.len() / 2);
            let texts = |from: usize| {
                head.iter()
                    .skip(from)
                    .step_by(2)
                    .filter(|&&b| b < 0x20 && !b"\t\r\n".contains(&b))
                    .count()
            };
            if low_first * 10 >= pairs * 7 && texts(0) == 0 {
                return Charset::Utf16Le;
            }
            if high_first * 10 >= pairs * 7 && texts(1) == 0 {
                return Charset::Utf16Be;
            }
        }
        if !valid && is_latin(head) { Charset::Windows1252 } else { Charset::Utf8 }
    }
}

/// Whether bytes read as words of Latin letters, some of them above ASCII and each by itself.
fn is_latin(head: &[u8]) -> bool {
    let (mut high, mut run, mut longest) = (0, 0, 0);
    for &byte in head {
        match byte {
            0x80..=0xff => {
                high += 1;
                run += 1;
                longest = longest.max(run);
            }
            b'\t' | b'\n' | b'\r' | 0x1b => run = 0,
            0..=0x1f => return false,
            _ => run = 0,
        }
    }
    let letters = head.iter().filter(|&&b| b >= 0xc0).count();
    high > 0
        && longest <= 2
        && high * 5 < head.len()
        && letters * 2 >= high
        && head.utf8_chunks().all(|chunk| chunk.valid().is_ascii())
}

/// The characters of 0x80 to 0x9f; those that Windows-1252 lacks stay controls.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// What was done to a text beside its charset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Altered {
    /// Terminal control was resolved: the text may have less than came.
    pub control: bool,
    /// Carriage returns became line feeds.
    pub returns: bool,
}

impl Altered {
    /// In words that follow the name of the text.
    pub fn words(self) -> &'static str {
        match (self.control, self.returns) {
            (false, false) => "",
            (false, true) => ", with line feeds for its carriage returns",
            (true, _) => ", as a terminal would show it",
        }
    }
}

/// Makes the text, a chunk at a time.
#[derive(Debug, Default)]
pub struct Plain {
    charset: Charset,
    // A byte of a unit that the last chunk cut.
    odd: Option<u8>,
    units: Units,
    is_start: bool,
    decoded: Vec<u8>,
    terminal: Terminal,
    /// Whether carriage returns end lines: not known before the first bytes of a text.
    returns: Option<bool>,
    /// Whether the last chunk ended with one.
    returned: bool,
    had_returns: bool,
}

impl Plain {
    /// For bytes in a charset.
    pub fn new(charset: Charset) -> Plain {
        Plain { charset, is_start: true, ..Plain::default() }
    }

    /// Whether the text differs from the bytes so far.
    pub fn changes(&self) -> bool {
        self.charset != Charset::Utf8 || self.altered() != Altered::default()
    }

    /// What was done so far.
    pub fn altered(&self) -> Altered {
        Altered { control: self.terminal.changed, returns: self.had_returns }
    }

    /// What comes next is another text: what ends its lines is found out anew.
    pub fn next_text(&mut self) {
        self.returns = None;
    }

    /// Adds the text of the next bytes to `out`.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        if self.charset == Charset::Utf8 {
            return self.text(chunk, out);
        }
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        self.decode(chunk, &mut decoded);
        self.text(&decoded, out);
        self.decoded = decoded;
    }

    fn text(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        if chunk.is_empty() {
            return;
        }
        let returns = match self.returns {
            None => *self.returns.insert(ends_with_returns(chunk)),
            Some(returns) => returns,
        };
        // One at the end of a chunk waits for what follows it.
        let mut rest = chunk;
        if std::mem::take(&mut self.returned) {
            self.end_line(rest.first() == Some(&b'\n'), out);
        }
        if !returns {
            return self.terminal.push(chunk, out);
        }
        while let Some(at) = memchr::memchr(b'\r', rest) {
            self.terminal.push(&rest[..at], out);
            rest = &rest[at + 1..];
            match rest.first() {
                Some(next) => self.end_line(*next == b'\n', out),
                None => self.returned = true,
            }
        }
        self.terminal.push(rest, out);
    }

    /// Ends a line that a carriage return ends, unless a line feed follows.
    #[inline(never)]
    fn end_line(&mut self, is_before_feed: bool, out: &mut Vec<u8>) {
        if !is_before_feed {
            self.had_returns = true;
            self.terminal.push(b"\n", out);
        } else if !self.had_returns {
            self.terminal.push(b"\r", out);
        }
    }

    fn decode(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        if self.charset == Charset::Windows1252 {
            for &byte in chunk {
                let c = match byte {
                    0x80..=0x9f => WINDOWS[usize::from(byte) - 0x80],
                    byte => char::from(byte),
                };
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            return;
        }
        for &byte in chunk {
            let Some(first) = self.odd.take() else {
                self.odd = Some(byte);
                continue;
            };
            let unit = match self.charset {
                Charset::Utf16Be => u16::from_be_bytes([first, byte]),
                _ => u16::from_le_bytes([first, byte]),
            };
            if std::mem::take(&mut self.is_start) && unit == 0xfeff {
                continue;
            }
            self.units.push(unit, out);
        }
    }

    /// Ends the text.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.returned) {
            self.end_line(false, out);
        }
        let mut rest = Vec::new();
        self.units.finish(&mut rest);
        if !rest.is_empty() || self.odd.take().is_some() {
            self.terminal.push("\u{fffd}".as_bytes(), out);
        }
        self.terminal.finish(out);
    }

    /// The text of bytes that are all there, when it differs from them.
    pub fn of(bytes: &[u8]) -> Option<(Vec<u8>, Altered)> {
        let charset =
            Charset::of(&bytes[..bytes.len().min(4_096)], std::str::from_utf8(bytes).is_ok());
        if charset == Charset::Utf8 && !has_control(bytes, true) {
            return None;
        }
        let mut plain = Plain::new(charset);
        let mut out = Vec::with_capacity(bytes.len());
        plain.push(bytes, &mut out);
        plain.finish(&mut out);
        plain.changes().then(|| (out, plain.altered()))
    }
}

/// Bytes of a text by which is told what ends its lines.
const LINE_END_BYTES: usize = 1 << 16;

/// Carriage returns from which on they may end lines, and how many there are for each line feed.
const RETURNS: usize = 3;
const RETURNS_A_FEED: usize = 20;

/// Whether carriage returns end the lines of a text that begins so: there are hardly any line feeds, no other
/// control, and most of what they end is no progress, which has per cents or blanks to write over what stood there.
fn ends_with_returns(head: &[u8]) -> bool {
    let head = &head[..head.len().min(LINE_END_BYTES)];
    if memchr::memchr(b'\r', head).is_none() || memchr::memchr2(0x1b, 0x08, head).is_some() {
        return false;
    }
    let (mut ended, mut progress) = (0, 0);
    for line in head.split(|b| *b == b'\r') {
        ended += 1;
        progress += usize::from(line.ends_with(b" ") || memchr::memchr(b'%', line).is_some());
    }
    let feeds = crate::source::count_newlines(head) as usize;
    ended > RETURNS && feeds * RETURNS_A_FEED <= ended && progress * 2 < ended
}

/// Whether there is terminal control in `bytes`: an escape, a backspace, or a carriage return that
/// ends no line. One at the very end is, if that `is_end`.
pub fn has_control(bytes: &[u8], is_end: bool) -> bool {
    memchr::memchr3_iter(0x1b, 0x08, b'\r', bytes).any(|at| match (bytes[at], bytes.get(at + 1)) {
        (b'\r', Some(b'\n')) => false,
        (b'\r', None) => is_end,
        // A line of `\r\r\n` is one that was translated twice.
        (b'\r', Some(b'\r')) => bytes.get(at + 2).is_none_or(|next| *next != b'\n'),
        _ => true,
    })
}

/// What of a line a terminal would show.
#[derive(Debug, Default)]
struct Terminal {
    /// The line under way, once it needs to be written over: characters, and bytes that are none.
    cells: Vec<u32>,
    at: usize,
    state: State,
    params: Vec<u8>,
    /// Whether the line under way is in `cells`.
    held: bool,
    changed: bool,
    /// The start of a character that the last chunk cut.
    cut: Vec<u8>,
    length: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Escape,
    /// After `ESC (` and the like: one more byte.
    Skip,
    Csi,
    /// A string up to BEL or `ESC \`.
    Str,
    StrEscape,
}

/// A byte that is no character, among cells.
const BYTE: u32 = 0x11_0000;

impl Terminal {
    #[inline(never)]
    fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) {
        let joined;
        let mut chunk = chunk;
        if !self.cut.is_empty() {
            let mut bytes = std::mem::take(&mut self.cut);
            bytes.extend_from_slice(chunk);
            joined = bytes;
            chunk = &joined;
        }
        while !chunk.is_empty() {
            if self.state != State::Text {
                let (&byte, rest) = match chunk.split_first() {
                    Some(split) => split,
                    None => break,
                };
                chunk = rest;
                self.control(byte);
                continue;
            }
            let end = memchr::memchr(b'\n', chunk).map_or(chunk.len(), |at| at + 1);
            let line = &chunk[..end];
            let is_last = end == chunk.len() && !line.ends_with(b"\n");
            if !self.held && !is_last && !has_control(line, false) {
                out.extend_from_slice(line);
                chunk = &chunk[end..];
                continue;
            }
            if !self.held && is_last && line.len() > LINE_CELLS && !has_control(line, true) {
                // What is this long is no line of a terminal.
                let keep =
                    line.len() - line.iter().rev().take(3).take_while(|b| **b >= 0x80).count();
                out.extend_from_slice(&line[..keep]);
                self.cut = line[keep..].to_vec();
                return;
            }
            self.held = true;
            let used = self.line(line, is_last, out);
            chunk = &chunk[used..];
            if used == 0 {
                self.cut = chunk.to_vec();
                return;
            }
        }
    }

    /// Writes some of a line, and says how much. Nothing when a character is cut at its end.
    fn line(&mut self, line: &[u8], is_last: bool, out: &mut Vec<u8>) -> usize {
        let mut used = 0;
        for chunk in line.utf8_chunks() {
            for c in chunk.valid().chars() {
                used += c.len_utf8();
                match c {
                    '\n' => {
                        self.flush(out);
                        out.push(b'\n');
                        self.held = false;
                        return used;
                    }
                    '\x1b' => {
                        self.changed = true;
                        self.state = State::Escape;
                        return used;
                    }
                    '\r' => {
                        // Before a line feed it is part of the line's end.
                        match line[used..].iter().find(|byte| **byte != b'\r') {
                            Some(b'\n') if self.changed => {}
                            Some(b'\n') => self.put(u32::from(c), out),
                            None if is_last => return used - 1,
                            _ => {
                                self.changed = true;
                                self.at = 0;
                            }
                        }
                    }
                    '\u{8}' => {
                        self.changed = true;
                        self.at = self.at.saturating_sub(1);
                    }
                    '\u{7}' | '\u{e}' | '\u{f}' if self.changed => {}
                    c => self.put(u32::from(c), out),
                }
            }
            let bad = chunk.invalid();
            let is_cut = is_last
                && used + bad.len() == line.len()
                && !bad.is_empty()
                && bad.len() < 4
                && matches!(std::str::from_utf8(bad), Err(error) if error.error_len().is_none());
            if is_cut && used > 0 {
                return used;
            }
            if is_cut {
                return 0;
            }
            for &byte in bad {
                used += 1;
                self.put(BYTE + u32::from(byte), out);
            }
        }
        used
    }

    fn put(&mut self, cell: u32, out: &mut Vec<u8>) {
        if self.cells.len() >= LINE_CELLS && self.at >= self.cells.len() {
            self.flush(out);
        }
        match self.cells.get_mut(self.at) {
            Some(place) => *place = cell,
            None => {
                self.cells.resize(self.at, u32::from(' '));
                self.cells.push(cell);
            }
        }
        self.at += 1;
    }

    /// Takes a byte of an escape sequence.
    fn control(&mut self, byte: u8) {
        self.length += 1;
        let next = match (self.state, byte) {
            (State::Escape, b'[') => State::Csi,
            (State::Escape, b']' | b'P' | b'X' | b'^' | b'_') => State::Str,
            (State::Escape, 0x20..=0x2f) => State::Skip,
            (State::Escape | State::Skip, _) => State::Text,
            (State::Csi, 0x40..=0x7e) => {
                self.csi(byte);
                State::Text
            }
            // A line feed in a sequence: it was cut, and the rest is text again.
            (State::Csi, b'\n') => State::Text,
            (State::Csi, _) => {
                self.params.push(byte);
                State::Csi
            }
            (State::Str | State::StrEscape, 0x07) | (State::StrEscape, b'\\') => State::Text,
            (State::Str, 0x1b) => State::StrEscape,
            _ => State::Str,
        };
        self.state = if self.length > SEQUENCE_BYTES { State::Text } else { next };
        if self.state == State::Text {
            self.length = 0;
            self.params.clear();
        }
    }

    fn csi(&mut self, last: u8) {
        let number = std::str::from_utf8(&self.params).ok().and_then(|text| text.parse().ok());
        let count: usize = number.unwrap_or(1).clamp(1, 1_000);
        match last {
            b'K' => match number.unwrap_or(0) {
                0 => self.cells.truncate(self.at),
                1 => {
                    let end = self.at.min(self.cells.len());
                    self.cells[..end].fill(u32::from(' '));
                }
                _ => self.cells.clear(),
            },
            b'G' | b'`' => self.at = count - 1,
            b'C' => self.at = (self.at + count).min(LINE_CELLS),
            b'D' => self.at = self.at.saturating_sub(count),
            b'P' => {
                let (from, to) =
                    (self.at.min(self.cells.len()), (self.at + count).min(self.cells.len()));
                self.cells.drain(from..to);
            }
            _ => {}
        }
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        // What was only padding after a shorter line is not shown.
        if self.changed {
            let end =
                self.cells.iter().rposition(|cell| *cell != u32::from(' ')).map_or(0, |at| at + 1);
            self.cells.truncate(end.max(self.at.min(self.cells.len())));
        }
        for &cell in &self.cells {
            match char::from_u32(cell) {
                Some(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                None => out.push((cell - BYTE) as u8),
            }
        }
        self.cells.clear();
        self.at = 0;
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        for byte in std::mem::take(&mut self.cut) {
            if byte == b'\r' && self.changed {
                continue;
            }
            self.put(BYTE + u32::from(byte), out);
        }
        self.flush(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(bytes: &[u8]) -> String {
        let plain = Plain::of(bytes).map_or_else(|| bytes.to_vec(), |(text, _)| text);
        String::from_utf8_lossy(&plain).into_owned()
    }

    #[test]
    fn colours_titles_and_links_are_gone() {
        assert_eq!(text(b"\x1b[1m\x1b[31merror\x1b[0m: x\x1b[K\n"), "error: x\n");
        assert_eq!(
            text(b"\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b\n"),
            "alinkb\n"
        );
        assert_eq!(text(b"\x1b(Bx\x1b=y\x1bPq#0\x1b\\z\x1b7"), "xyz");
        assert_eq!(text("é\x1b[3mü\x1b[m…".as_bytes()), "éü…");
    }

    #[test]
    fn what_is_written_over_is_not_shown() {
        assert_eq!(text(b"10%\r50%\r100% done\r\nnext\n"), "100% done\nnext\n");
        assert_eq!(text(b"long line\r\x1b[2Kshort\n"), "short\n");
        assert_eq!(text(b"N\x08NA\x08AME _\x08f\n"), "NAME f\n");
        assert_eq!(text(b"abc\x1b[2DX\x1b[K\n"), "aX\n");
        // Lines that merely end with it are as they were.
        assert_eq!(Plain::of(b"a\r\nb\r\n"), None);
        assert_eq!(Plain::of(b"a\r\r\nb\r\r\n"), None);
    }

    #[test]
    fn carriage_returns_that_end_lines_become_line_feeds() {
        let rows = |end: &str| (0..50).map(|n| format!("{n},name{n}{end}")).collect::<String>();
        assert_eq!(text(rows("\r").as_bytes()), rows("\n"));
        assert_eq!(
            text(format!("{}\nlast\n", rows("\r")).as_bytes()),
            format!("{}last\n", rows("\n"))
        );
        let altered = |bytes: &[u8]| Plain::of(bytes).map(|(_, altered)| altered.words());
        assert_eq!(
            altered(rows("\r").as_bytes()),
            Some(", with line feeds for its carriage returns")
        );
        assert_eq!(altered(rows("\r\n").as_bytes()), None);
        // Progress is written over, and so is a line among others.
        let progress: String = (0..50).map(|n| format!("{n} % done\r")).collect();
        assert_eq!(text(format!("{progress}all done \n").as_bytes()), "all done \n");
        let padded: String = (0..50).map(|n| format!("\rstep {n}   ")).collect();
        assert_eq!(text(format!("{padded}\rdone\n").as_bytes()), "done 49\n");
        let lines = format!("a failed\rb\n{}", rows("\n"));
        assert_eq!(
            text(lines.as_bytes()),
            format!("bfailed\n{}", rows("\n")).replace("bfailed", "b failed")
        );
        // In pieces the same, wherever a piece ends, once the first has shown what ends the lines.
        let bytes = format!("{}x\r\ny\r", rows("\r"));
        for cut in 200..bytes.len() {
            let mut plain = Plain::new(Charset::Utf8);
            let mut out = Vec::new();
            for piece in [&bytes[..cut], "", &bytes[cut..]] {
                plain.push(piece.as_bytes(), &mut out);
            }
            plain.finish(&mut out);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{}x\ny\n", rows("\n")), "{cut}");
        }
    }

    #[test]
    fn other_charsets_become_text() {
        let utf16 = |text: &str, le: bool| -> Vec<u8> {
            let bytes = |unit: u16| if le { unit.to_le_bytes() } else { unit.to_be_bytes() };
            text.encode_utf16().flat_map(bytes).collect()
        };
        let words = "Grüße 🙂 an alle, die hier mitlesen.\r\nZeile zwei\n";
        for le in [true, false] {
            assert_eq!(text(&utf16(&format!("\u{feff}{words}"), le)), words);
            assert_eq!(text(&utf16(words, le)), words);
        }
        assert_eq!(
            text(b"Gr\xfc\xdfe aus M\xfcnchen, wo die Sonne scheint; 5 \x80"),
            "Grüße aus München, wo die Sonne scheint; 5 €"
        );
        // What is mostly UTF-8 keeps its bad bytes.
        assert_eq!(
            Plain::of(
                "é\u{e9} \u{20ac} "
                    .as_bytes()
                    .iter()
                    .chain(b"\xff")
                    .copied()
                    .collect::<Vec<_>>()
                    .as_slice()
            ),
            None
        );
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(
            pieces in proptest::collection::vec(prop_oneof![
                "[a-c é🙂]{0,5}".prop_map(String::into_bytes), Just(b"\x1b[31m".to_vec()), Just(b"\r".to_vec()),
                Just(b"\n".to_vec()), Just(b"\r\n".to_vec()), Just(b"\x08".to_vec()), Just(b"\x1b]8;;x\x1b\\".to_vec()),
                proptest::collection::vec(any::<u8>(), 0..4),
            ], 0..12),
            cuts in proptest::collection::vec(1usize..7, 1..9),
        ) {
            let bytes = pieces.concat();
            let whole = |cuts: &[usize]| {
                let mut plain = Plain::new(Charset::Utf8);
                let (mut out, mut rest) = (Vec::new(), &bytes[..]);
                for cut in cuts.iter().cycle() {
                    if rest.is_empty() { break }
                    let (chunk, more) = rest.split_at(rest.len().min(*cut));
                    plain.push(chunk, &mut out);
                    rest = more;
                }
                plain.finish(&mut out);
                out
            };
            if bytes.is_ascii() && !bytes.contains(&b'\r') {
                prop_assert_eq!(whole(&cuts), whole(&[usize::MAX]));
            }
            prop_assert!(!whole(&cuts).contains(&0x1b));
            if !has_control(&bytes, true) && !bytes.windows(2).any(|two| two == b"\r\r") {
                prop_assert_eq!(whole(&cuts), bytes);
            }
        }
    }
}
