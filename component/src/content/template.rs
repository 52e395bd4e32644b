//! Groups lines by their shape: what is left when numbers and identifiers are masked.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::sort::sort_by_key;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a line that make its shape. What tells log lines apart stands near their start.
pub const SHAPE_BYTES: usize = 160;

/// Shapes that are told apart. A content with more has no shapes worth listing.
const MAX_SHAPES: usize = 4_096;

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
    /// Its usual name.
    fn as_str(self) -> &'static str {
        match self {
            Level::Fatal => "FATAL",
            Level::Error => "ERROR",
            Level::Warn => "WARN",
            Level::Info => "INFO",
            Level::Debug => "DEBUG",
            Level::Trace => "TRACE",
        }
    }

    /// The level that a word names.
    fn named(word: &[u8]) -> Option<Level> {
        let mut upper = [0; 9];
        let upper = upper.get_mut(..word.len())?;
        upper.copy_from_slice(word);
        upper.make_ascii_uppercase();
        Some(match &*upper {
            b"FATAL" | b"CRITICAL" | b"CRIT" | b"PANIC" | b"EMERG" | b"ALERT" | b"FAULT"
            | b"FATA" | b"FTL" => Level::Fatal,
            b"ERROR" | b"ERR" | b"ERRO" | b"SEVERE" => Level::Error,
            b"WARN" | b"WARNING" | b"WRN" => Level::Warn,
            b"INFO" | b"NOTICE" => Level::Info,
            // `inf` is a number.
            b"INF" if word == upper => Level::Info,
            b"DEBUG" | b"DEBU" | b"DBG" => Level::Debug,
            b"TRACE" | b"TRC" | b"VERBOSE" | b"VRB" => Level::Trace,
            _ => return None,
        })
    }

    /// The level that databases alone call so: `[Note]`, `[System]`, `LOG:  `.
    fn of_database(line: &[u8], Range { start, end }: Range<usize>) -> Option<Level> {
        let before = line[..start].last();
        let is_level = match &line[start..end] {
            b"Note" | b"System" => before == Some(&b'[') && line[end..].starts_with(b"]"),
            b"LOG" => line[end..].starts_with(b":  "),
            _ => false,
        };
        is_level.then_some(Level::Info)
    }

    /// The level that a letter stands for.
    fn lettered(letter: u8) -> Option<Level> {
        Some(match letter {
            b'F' | b'A' => Level::Fatal,
            b'E' => Level::Error,
            b'W' => Level::Warn,
            b'I' => Level::Info,
            b'D' => Level::Debug,
            b'V' => Level::Trace,
            _ => return None,
        })
    }

    /// The level that a number names: of syslog below 8, else in tens as writers of JSON logs count.
    fn numbered(digits: &[u8]) -> Option<Level> {
        Some(match std::str::from_utf8(digits).ok()?.parse::<u16>().ok()? {
            0..=2 | 60 => Level::Fatal,
            3 | 50 => Level::Error,
            4 | 40 => Level::Warn,
            5 | 6 | 30 => Level::Info,
            7 | 20 => Level::Debug,
            10 => Level::Trace,
            _ => return None,
        })
    }

    /// The level that `line` itself names, and the bytes that do: a member of a JSON object; a priority of syslog or
    /// a letter with the date, as klog writes it; or the first word for one near its start. A word in small letters
    /// counts only behind a time or after `=`, `[`, `<`, `"` or `:`, as in `level=info`: else it is one of
    /// the message.
    #[inline(never)]
    pub fn of(line: &[u8]) -> Option<(Level, Range<usize>)> {
        // What came from several pods has the name of each before it, once.
        let name = match line {
            [b'[', b'p', b'o', b'd', b'/', ..] => memchr::memmem::find(line, b"] "),
            _ => None,
        };
        let Some(at) = name.map(|end| end + 2) else { return Level::of_bare(line) };
        let (level, place) = Level::of_bare(&line[at..])?;
        Some((level, place.start + at..place.end + at))
    }

    #[expect(clippy::too_many_lines, reason = "one pass over a line, a case for each form")]
    fn of_bare(line: &[u8]) -> Option<(Level, Range<usize>)> {
        match line {
            [b'{', ..] => return Level::of_object(line),
            // A row of a table.
            [b'|', ..] => return None,
            [b'<', rest @ ..] => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                if rest.get(digits) == Some(&b'>') && (1..=3).contains(&digits) {
                    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse::<u16>().ok()?;
                    let level = Level::numbered(&[b'0' + (number & 7) as u8])?;
                    return Some((level, 0..digits + 2));
                }
            }
            [letter, date @ ..] if letter.is_ascii_uppercase() => {
                let digits = date.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let is_dated = matches!(digits, 4 | 8) && date.get(digits) == Some(&b' ');
                // Of Android: the tag and the process.
                let is_tagged = date.first() == Some(&b'/')
                    && memchr::memmem::find(&date[..date.len().min(SHAPE_BYTES)], b"): ").is_some();
                if (is_dated || is_tagged)
                    && let Some(level) = Level::lettered(*letter)
                {
                    return Some((level, 0..digits + 1));
                }
            }
            // The same with a date, a process and a thread: `11-03 10:00:00.123  812  840 E Tag: message`.
            [b'0' | b'1', b'0'..=b'9', b'-', _, _, b' ', ..] => {
                let letter = line.iter().skip(18).position(u8::is_ascii_alphabetic)? + 18;
                if line[letter - 1] == b' '
                    && line.get(letter + 1) == Some(&b' ')
                    && line[5..letter].iter().all(|byte| b" .:0123456789".contains(byte))
                    && let Some(level) = Level::lettered(line[letter])
                {
                    return Some((level, letter..letter + 1));
                }
            }
            _ => {}
        }
        let line = &line[..line.len().min(SHAPE_BYTES)];
        let (mut at, mut timed, mut words) = (0, false, 0);
        while at < line.len() {
            if !line[at].is_ascii_alphabetic() {
                timed |= line[at].is_ascii_digit();
                at += 1;
                continue;
            }
            let start = at;
            while at < line.len() && line[at].is_ascii_alphabetic() {
                at += 1;
            }
            let word = &line[start..at];
            // Letters of a time, such as `T` and `UTC`, are none.
            words += u32::from(word.len() > 1 && word != b"UTC");
            // A part of a name is none either: `PKG-INFO`, `error-bot/1.0`, `io::Error`, `/ERROR`.
            let is_small = word.iter().any(u8::is_ascii_lowercase);
            let is_part = match (&line[..start], &line[at..]) {
                // In source: `{error, Reason}`, `[:ERROR]`.
                ([.., b'/' | b'\\' | b'_' | b'{'] | [.., b':' | b'[', b':'], _) => true,
                // A text of it: `error("fatal")`, `msgid "Error: no file"`.
                ([.., before, b' ', b'"'], _) if !b":=".contains(before) => true,
                ([.., b'(', b'"'], _) => true,
                ([.., before, b'-'], after) if before.is_ascii_alphabetic() => {
                    !after.starts_with(b"-")
                }
                (_, [b'-' | b'_' | b'/' | b'.', then, ..]) => {
                    is_small && then.is_ascii_alphanumeric()
                }
                // A key, or a value of another: `error=2`, `?q=error`.
                (_, [b'=' | b'0'..=b'9', ..]) | ([.., b'?' | b'&' | b'+'], _) => true,
                ([key @ .., b'='] | [key @ .., b'=', b'"'], _) => !is_level_key(key),
                _ => false,
            };
            if is_part {
                continue;
            }
            let marked = start > 0 && b"=[<\":".contains(&line[start - 1]);
            let is_first = timed && words == 1;
            if word.len() > 1
                && (marked || is_first || !is_small)
                && let Some(level) =
                    Level::named(word).or_else(|| Level::of_database(line, start..at))
            {
                // `PSQLException: ERROR: no such relation` is of the line above.
                let is_other = is_exception(line) || is_setting(&line[..start], &line[at..]);
                return (!is_other).then_some((level, start..at));
            }
        }
        None
    }

    /// The level that a member of a JSON object names.
    fn of_object(line: &[u8]) -> Option<(Level, Range<usize>)> {
        const NAMES: [&str; 12] = [
            // Of MongoDB.
            "\"s\"",
            "\"level\"",
            "\"severity\"",
            "\"lvl\"",
            "\"levelname\"",
            "\"log.level\"",
            "\"log_level\"",
            "\"severity_text\"",
            "\"severityText\"",
            "\"severityNumber\"",
            "\"severity_number\"",
            "\"PRIORITY\"",
        ];
        NAMES.iter().find_map(|name| {
            let start = memchr::memmem::find(line, name.as_bytes())?;
            let mut at = start + name.len();
            let blanks = |at: usize| line[at..].iter().take_while(|b| **b == b' ').count();
            at += blanks(at);
            if line.get(at) != Some(&b':') {
                return None;
            }
            at += 1 + blanks(at + 1);
            let quoted = usize::from(line.get(at) == Some(&b'"'));
            let from = at + quoted;
            let length = line[from..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
            let word = &line[from..from + length];
            let level = Level::named(word).or_else(|| match *name {
                "\"severityNumber\"" | "\"severity_number\"" => Level::of_telemetry(word),
                "\"PRIORITY\"" => Level::numbered(word),
                "\"s\"" => {
                    let &[letter] = word else { return None };
                    Level::lettered(letter)
                        .filter(|_| memchr::memmem::find(line, b"\"c\":").is_some())
                }
                _ => Level::numbered(word).filter(|_| is_record(line)),
            })?;
            Some((level, start..from + length + quoted))
        })
    }

    /// The level that a number of OpenTelemetry names, four numbers a level.
    fn of_telemetry(digits: &[u8]) -> Option<Level> {
        let number = std::str::from_utf8(digits).ok()?.parse::<u8>().ok()?;
        Some(match number {
            1..=4 => Level::Trace,
            5..=8 => Level::Debug,
            9..=12 => Level::Info,
            13..=16 => Level::Warn,
            17..=20 => Level::Error,
            21..=24 => Level::Fatal,
            _ => return None,
        })
    }
}

/// Whether a line is an exception: `java.io.IOException: x`, `Error: x`, `Caused by: x`, `Traceback (most recent call last):`. Below
/// one that reports it, it is no other.
pub fn is_exception(line: &[u8]) -> bool {
    // Most lines of a log begin with a time.
    if !line.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'-') {
        return false;
    }
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"._$\\:".contains(byte);
    let (name, rest) = line.split_at(line.iter().take_while(is_name).count());
    let bare = name.strip_suffix(b":").unwrap_or(name);
    let is_whole = bare.len() < name.len() || rest.is_empty() || rest.starts_with(b" (");
    (is_whole && (bare.ends_with(b"Error") || bare.ends_with(b"Exception"))) || is_chained(line)
}

/// Whether a line says that one exception led to the next below.
pub fn is_link(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 2] =
        [b"During handling of the above exception", b"The above exception was "];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a line goes on with an exception above it.
pub fn is_chained(line: &[u8]) -> bool {
    const STARTS: [&[u8]; 5] = [
        b"Caused by: ",
        b"Suppressed: ",
        b"---> ",
        b"Traceback (most recent call last)",
        b"Exception in thread ",
    ];
    STARTS.iter().any(|start| line.starts_with(start)) || is_link(line)
}

/// The status of a request in the line of an access log, and where it stands: behind the request or its path, as in
/// `"GET /a HTTP/1.1" 502 17` and `GET /a 502 3 ms`, or in a column of its own before it, as balancers write it.
pub fn status(line: &[u8]) -> Option<(u16, Range<usize>)> {
    number_of_request(line).filter(|(status, _)| is_status(*status))
}

/// The number in the place of a status, whether it is one or not.
pub fn number_of_request(line: &[u8]) -> Option<(u16, Range<usize>)> {
    const METHODS: [&str; 7] = ["GET", "POST", "PUT", "HEAD", "PATCH", "DELETE", "OPTIONS"];
    // HAProxy writes a dozen before the path.
    const SLASHES: usize = 16;
    let line = &line[..line.len().min(4 * SHAPE_BYTES)];
    let number = |at: usize| {
        let digits = line.get(at..at + 3)?;
        let ends =
            !line.get(at + 3).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
        let status = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (ends && (100..600).contains(&status)).then_some((status, at..at + 3))
    };
    let end = memchr::memchr_iter(b'/', line).take(SLASHES).find(|at| {
        let before = &line[..*at];
        let before =
            before.strip_suffix(b"http:").or(before.strip_suffix(b"https:")).unwrap_or(before);
        let before = before.strip_suffix(b"\"").unwrap_or(before).trim_ascii_end();
        METHODS.iter().any(|method| before.ends_with(method.as_bytes()))
    })?;
    if let Some(column) = memchr::memmem::find(&line[..end], b"| ")
        && let Some(found) = number(column + 2)
    {
        return Some(found);
    }
    let mut at = end + line[end..].iter().position(|byte| b" \"".contains(byte))?;
    if line[at..].starts_with(b" HTTP/") {
        at += 1 + line[at + 1..].iter().position(|byte| b" \"".contains(byte))?;
    }
    number(at + line[at..].iter().take_while(|byte| b" \"".contains(byte)).count()).or_else(|| {
        let quote = memchr::memrchr(b'"', &line[..end])?;
        let short = |field: Range<usize>| (field.len() == 3).then(|| number(field.start))?;
        fields(&line[..quote]).into_iter().filter_map(short).find(|(number, _)| is_status(*number))
    })
}

/// Whether a number is a status that servers give, and not a count or a size beside a path.
pub fn is_status(number: u16) -> bool {
    matches!(number, 100..=103 | 200..=208 | 226 | 300..=308 | 400..=431 | 444 | 451 | 494..=511 | 520..=530 | 561)
}

/// The fields of a line, each as the bytes where it stands.
#[inline(never)]
pub fn fields(line: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let fields = line.split(|byte| b" \t".contains(byte)).map(|field| {
        let from = start;
        start += field.len() + 1;
        from..from + field.len()
    });
    fields.collect()
}

/// Whether the key that a text ends in is that of a level: `level`, `log.level`, `loglevel`, `lvl`.
fn is_level_key(text: &[u8]) -> bool {
    const KEYS: [&[u8]; 5] = [b"level", b"lvl", b"severity", b"levelname", b"priority"];
    let query = text.iter().rposition(|byte| b"?& \t".contains(byte));
    let is_query = query.is_some_and(|at| b"?&".contains(&text[at]));
    !is_query
        && KEYS.iter().any(|key| {
            let at = text.len().checked_sub(key.len());
            at.is_some_and(|at| text[at..].eq_ignore_ascii_case(key))
        })
}

/// Whether a line is a key and a level alone: a setting of what is logged.
fn is_setting(before: &[u8], after: &[u8]) -> bool {
    let after = after.strip_prefix(b"\"").unwrap_or(after);
    if !matches!(after, [] | [b' ' | b'\r', ..]) || !after.trim_ascii().is_empty() {
        return false;
    }
    let key = before.strip_suffix(b"\"").unwrap_or(before).trim_ascii();
    let Some((b'=' | b':', key)) = key.split_last() else { return false };
    !key.is_empty() && !key.trim_ascii().contains(&b' ')
}

/// Whether an object has a message, or the time of a day, as a record of a log does: a number beside the name of a
/// hero is no level.
fn is_record(line: &[u8]) -> bool {
    const MESSAGES: [&str; 3] = ["\"msg\"", "\"message\"", "\"body\""];
    const TIMES: [&str; 6] = ["\"time", "\"ts\"", "\"t\"", "\"@timestamp", "\"date", "\"asctime"];
    let after = |name: &&str| {
        let at = memchr::memmem::find(line, name.as_bytes())? + name.len();
        let colon = memchr::memchr(b':', &line[at..])?;
        Some(line[at + colon + 1..].trim_ascii_start())
    };
    let is_time = |value: &[u8]| {
        let (value, least) = value.strip_prefix(b"\"").map_or((value, 10), |value| (value, 4));
        value.iter().take_while(|byte| byte.is_ascii_digit()).count() >= least
    };
    MESSAGES.iter().any(|name| after(name).is_some()) || TIMES.iter().filter_map(after).any(is_time)
}

/// A shape with how often it was met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The masked line.
    pub text: Vec<u8>,
    /// Lines of this shape.
    pub lines: u64,
    /// The first of them: its number, from 1, and the byte where it starts.
    pub first: (u64, u64),
    /// The same of the last.
    pub last: (u64, u64),
}

/// Counts lines by shape, in memory bounded by a few thousand shapes.
#[derive(Debug, Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
    // Where each is in `shapes`, by its hash.
    places: BTreeMap<u64, usize>,
    /// Lines by level and the word that they have for it, or its usual name where that is a number or a letter.
    levels: Vec<(Level, String, u64)>,
    /// What each of the first lines says.
    said: Vec<Said>,
    overflowed: bool,
}

/// Lines of which [`Shapes::said`] is kept.
const SAID_LINES: usize = 1 << 22;

/// What a line says of how grave it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// No level.
    Nothing,
    /// A level of no fault.
    NoFault,
    /// Something else, or it was not read whole.
    More,
}

impl Shapes {
    /// Counts a line that starts at a byte; empty ones have no shape.
    pub fn push(&mut self, (number, start): (u64, u64), line: &[u8]) {
        let named = Level::of(line);
        if self.said.len() < SAID_LINES {
            self.said.push(match &named {
                _ if line.len() >= SHAPE_BYTES => Said::More,
                None => Said::Nothing,
                Some((level, _)) if *level > Level::Warn => Said::NoFault,
                Some(_) => Said::More,
            });
        }
        if line.is_empty() {
            return;
        }
        if let Some((level, word)) = named {
            let word = match &line[word] {
                // Of a member its value.
                member @ [b'"', ..] => {
                    let value = member.rsplit(|byte| *byte == b':').next().unwrap_or_default();
                    let value = value.trim_ascii();
                    value
                        .strip_prefix(b"\"")
                        .and_then(|value| value.strip_suffix(b"\""))
                        .unwrap_or(value)
                }
                word => word,
            };
            let is_word = word.iter().all(u8::is_ascii_alphabetic);
            let word = if is_word { word } else { level.as_str().as_bytes() };
            match self.levels.iter_mut().find(|(_, known, _)| known.as_bytes() == word) {
                Some((.., lines)) => *lines += 1,
                None => {
                    let word = String::from_utf8_lossy(word).into_owned();
                    self.levels.push((level, word, 1));
                }
            }
        }
        if self.overflowed {
            return;
        }
        let mut buf = [0; SHAPE_BYTES];
        let shape = mask(line, &mut buf);
        let hash = xxh3_64(shape);
        let here = (number, start);
        if let Some(&known) = self.places.get(&hash) {
            let known = &mut self.shapes[known];
            known.lines += 1;
            known.last = here;
        } else if self.shapes.len() < MAX_SHAPES {
            self.places.insert(hash, self.shapes.len());
            self.shapes.push(Shape { text: shape.to_vec(), lines: 1, first: here, last: here });
        } else {
            self.overflowed = true;
        }
    }

    /// What the lines say, from the first on; of those behind nothing is known.
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    /// How many lines have each word for a level, gravest first.
    pub fn levels(&self) -> Vec<(&str, u64)> {
        let mut levels: Vec<&(Level, String, u64)> = self.levels.iter().collect();
        sort_by_key(&mut levels, |level| level.0);
        levels.into_iter().map(|(_, word, lines)| (word.as_str(), *lines)).collect()
    }

    /// The shapes in the order in which they were met, unless there are too many to tell apart.
    pub fn all(&self) -> Option<&[Shape]> {
        (!self.overflowed).then_some(&self.shapes[..])
    }

    /// The same by number of lines, most first.
    pub fn ranked(&self) -> Option<Vec<&Shape>> {
        let mut shapes: Vec<&Shape> = self.all()?.iter().collect();
        sort_by_key(&mut shapes, |shape| (std::cmp::Reverse(shape.lines), shape.first));
        Some(shapes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_a_request_is_no_other_number() {
        for (line, found) in [
            (
                "1.2.3.4 - - [24/Nov/2026:23:50:02 +0000] \"GET /a/500?b=503 HTTP/1.1\" 200 500",
                Some(200),
            ),
            (
                "1.2.3.4 - bob [24/Nov/2026:23:50:02 +0000] \"POST / HTTP/2.0\" 502 157 \"-\"",
                Some(502),
            ),
            ("INFO:     127.0.0.1:5 - \"GET /x HTTP/1.1\" 404 Not Found", Some(404)),
            ("10:00:01 GET /a/b 503 12.3 ms - 500", Some(503)),
            ("[GIN] 2026/11/28 - 10:00:00 | 500 |  1.2ms | 1.1.1.1 | GET  \"/x\"", Some(500)),
            ("PUT http://h:80/a HTTP/1.1\" 201 7", Some(201)),
            (
                "h 2026-05-04T06:00:00Z lb 1.2.3.4:500 0.086 0.048 502 200 0 57 \"GET https://h:443/ HTTP/1.1\" \"x\"",
                Some(502),
            ),
            (
                "Feb  6 12:14:14 h haproxy[100]: 1.2.3.4:200 [06/Feb] in st/srv1 0/0/1/1/149 503 2750 - - ---- 12/12/3/1/0 0/0 {} \"GET /a HTTP/1.1\"",
                Some(503),
            ),
            ("[error] 7#0: open() failed, request: \"GET /x HTTP/1.1\", host: \"h\"", None),
            ("GET /x took 500ms", None),
            ("GET /x 500.5 ms", None),
            ("500 503 504 /a", None),
        ] {
            assert_eq!(status(line.as_bytes()).map(|(status, _)| status), found, "{line}");
        }
    }

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
    fn databases_have_levels_of_their_own() {
        let of = |line: &str| Level::of(line.as_bytes()).map(|(level, _)| level);
        for (line, level) in [
            (
                "2026-11-03T08:00:00.000000Z 0 [Note] [MY-010303] [Server] granted",
                Some(Level::Info),
            ),
            ("2026-11-03T08:00:00Z 0 [System] [MY-010931] [Server] ready", Some(Level::Info)),
            ("2026-11-03 08:00:00.1 UTC [71] LOG:  checkpoint starting: time", Some(Level::Info)),
            ("2026-11-03 08:00:00.1 UTC [71] ERROR:  no such relation", Some(Level::Error)),
            ("10:00:00 the LOG file is full", None),
            ("Note: the System is full", None),
        ] {
            assert_eq!(of(line), level, "{line}");
        }
    }

    #[test]
    fn names_of_pods_without_end_have_no_level() {
        assert_eq!(Level::of("[pod/] ".repeat(1_000_000).as_bytes()), None);
        assert_eq!(Level::of(b"[pod/a"), None);
    }

    #[test]
    fn a_level_stands_alone_and_a_part_of_a_name_is_none() {
        for (line, level) in [
            ("10:00 [error] x", Some("error")),
            ("2026-01-02 10:00:00,123-ERROR-root-x", Some("ERROR")),
            ("root-ERROR-disk full", Some("ERROR")),
            ("[2026-01-02 10:00:00] local.ERROR: x", Some("ERROR")),
            ("t=1 level=warn msg=x", Some("warn")),
            (
                "10.0.0.1 - - [24/Nov/2026:23:50:02 +0000] \"GET / HTTP/1.1\" 200 1 \"error-bot/1.0\"",
                None,
            ),
            ("16 2022-11-24 /usr/lib/python3/blinker.egg-info/PKG-INFO", None),
            ("a.rs:12:fn x() -> Result<(), io::Error> {", None),
            ("-rw-r--r-- 1 root root 90 Jun 1 2025 /srv/DEBUG", None),
            ("APP_LOG_LEVEL=error", None),
            ("logger.web.level=ERROR", None),
            ("level = \"error\"", None),
            (":error0", None),
            ("| ERROR | what it means |", None),
        ] {
            let found = Level::of(line.as_bytes()).map(|(_, word)| &line[word]);
            assert_eq!(found, level, "{line}");
        }
    }

    #[test]
    fn levels_are_counted_even_among_too_many_shapes() {
        let mut shapes = Shapes::default();
        for i in 0..10_000u64 {
            let word: String = i.to_string().bytes().map(|b| (b + b'k' - b'0') as char).collect();
            shapes.push(
                (i + 1, 0),
                format!("12:00 {} {word}", if i % 10 == 0 { "ERROR" } else { "INFO" }).as_bytes(),
            );
        }
        assert_eq!(shapes.levels(), [("ERROR", 1_000), ("INFO", 9_000)]);
        assert!(shapes.ranked().is_none());
    }

    #[test]
    fn rarest_shapes_come_last() {
        let mut shapes = Shapes::default();
        for i in 0..50 {
            shapes.push((i + 1, 8 * i), format!("id {i} ok").as_bytes());
        }
        shapes.push((51, 400), b"disk full");
        let ranked = shapes.ranked().unwrap();
        assert_eq!((ranked[0].text.as_slice(), ranked[0].lines), (&b"id # ok"[..], 50));
        assert_eq!((ranked[0].first, ranked[0].last), ((1, 0), (50, 392)));
        assert_eq!((ranked[1].text.as_slice(), ranked[1].first), (&b"disk full"[..], (51, 400)));
    }

    #[test]
    fn levels_of_members_are_the_words_of_those_beside_them() {
        let mut shapes = Shapes::default();
        for line in ["level=error msg=a", "{\"level\": \"error\", \"msg\": \"b\"}"] {
            shapes.push((1, 0), line.as_bytes());
        }
        assert_eq!(shapes.levels(), [("error", 2)]);
    }

    #[test]
    fn a_line_says_its_own_level() {
        for (line, level) in [
            ("level=warn msg=x", Some((Level::Warn, "warn"))),
            ("10:00 [error] x", Some((Level::Error, "error"))),
            ("ERRO[0012] no answer", Some((Level::Error, "ERRO"))),
            ("[10:00:00 WRN] retried", Some((Level::Warn, "WRN"))),
            ("[10:00:00 INF] the error was handled", Some((Level::Info, "INF"))),
            ("0.5 inf 3.1", None),
            ("E20261103 10:00:00.123456  812 store.cc:90] x", Some((Level::Error, "E20261103"))),
            ("[pod/api-0/main] W1103 10:00:00.1 1 a.go:7] x", Some((Level::Warn, "W1103"))),
            ("W/Wifi    (  812): an error is told", Some((Level::Warn, "W"))),
            ("11-03 10:00:00.123   812   840 E Wifi: x", Some((Level::Error, "E"))),
            ("11-03 10:00:00 A grade", None),
            (
                r#"{"t":{"$date":"x"},"s":"E","c":"NETWORK","id":2}"#,
                Some((Level::Error, r#""s":"E""#)),
            ),
            (r#"{"s":"E","size":2}"#, None),
            ("2026-11-21T10:00:00Z  info  an ERROR is shown", Some((Level::Info, "info"))),
            ("2026-11-21 10:00:00,123 WARNING root: x", Some((Level::Warn, "WARNING"))),
            ("E0624 10:00:00.1 1 x.go:1] INFO", Some((Level::Error, "E0624"))),
            ("<11>Nov 21 10:00:00 host app: x", Some((Level::Error, "<11>"))),
            (r#"{"msg":"no ERROR","level": "info"}"#, Some((Level::Info, r#""level": "info""#))),
            (r#"{"level":50,"msg":"INFO"}"#, Some((Level::Error, r#""level":50"#))),
            (r#"{"severityNumber":17,"body":"x"}"#, Some((Level::Error, r#""severityNumber":17"#))),
            (r#"{"severityNumber":9}"#, Some((Level::Info, r#""severityNumber":9"#))),
            (r#"{"hero":"Ana","level":50}"#, None),
            (r#"{"level":40,"time":1785000000000,"pid":1}"#, Some((Level::Warn, r#""level":40"#))),
            (r#"{"level":40,"t":"2026-11-28T10:00:00Z"}"#, Some((Level::Warn, r#""level":40"#))),
            (r#"{"hero":"Ana","level":30,"time":7}"#, None),
            ("10.0.0.1 [24/Nov] \"GET /a?q=error HTTP/1.1\" 200", None),
            ("10.0.0.1 [24/Nov] \"GET /a?level=error&q=ERROR HTTP/1.1\" 200", None),
            ("10.0.0.1 [24/Nov] \"GET /a?q=an+ERROR HTTP/1.1\" 200", None),
            ("t=1 log.level=\"error\" x", Some((Level::Error, "error"))),
            ("t=1 msg=\"error of x\"", None),
            (r#"{"PRIORITY":"4"}"#, Some((Level::Warn, r#""PRIORITY":"4""#))),
            (r#"{"msg":"ERROR"}"#, None),
            ("no error here", None),
            ("org.postgresql.util.PSQLException: ERROR: no such relation", None),
            ("Caused by: x.y: FATAL: no", None),
            ("at 10:00 there was an error", None),
        ] {
            let found = Level::of(line.as_bytes());
            let found = found.map(|(level, word)| (level, &line[word]));
            assert_eq!(found, level, "{line}");
        }
    }
}
