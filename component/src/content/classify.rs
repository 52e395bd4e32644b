//! What a content is, told from its first bytes.

use crate::content::json::{Verdict, check};
use crate::content::kind::Kind;
use crate::content::magic::sniff;
use crate::content::sides::have_sides;
use crate::content::source_text::{Comments, defines, heading_level};
use crate::content::sql::is_sql;
use crate::content::table::{delimiter, is_number};
use crate::content::template::Level;
use crate::content::yaml::is_yaml;
use crate::limits::CLASSIFY_BYTES;
use crate::source::{ReadError, Source};

/// What a content was recognised as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Classified {
    /// Its kind.
    pub kind: Kind,
    /// Its media type.
    pub media_type: &'static str,
}

/// Tells what a content is from its first [`CLASSIFY_BYTES`]. What is beyond may be odd: the
/// excerpt says so.
///
/// # Errors
/// As [`Source::read_at`].
pub fn classify<S: Source + ?Sized>(source: &S) -> Result<Classified, ReadError> {
    let sample = source.read_range(0, CLASSIFY_BYTES as u64)?;
    let is_all = sample.len() as u64 == source.len();
    if let Some(media_type) = sniff(&sample) {
        return Ok(Classified { kind: Kind::Binary, media_type });
    }
    if is_binary(&sample) {
        return Ok(Classified { kind: Kind::Binary, media_type: "application/octet-stream" });
    }
    let kind = match text_kind(&sample, is_all) {
        Kind::Json if !is_all && is_first_of_lines(source, &sample)? => Kind::Ndjson,
        kind => kind,
    };
    let media_type = match kind {
        Kind::Json => "application/json",
        Kind::Ndjson => "application/x-ndjson",
        Kind::Csv => "text/csv",
        Kind::Tsv => "text/tab-separated-values",
        Kind::Yaml => "application/yaml",
        Kind::Sql => "application/sql",
        Kind::Html => "text/html",
        Kind::Xml if sample.trim_ascii_start().starts_with(b"<svg") => "image/svg+xml",
        Kind::Xml => "application/xml",
        Kind::Markdown => "text/markdown",
        Kind::Diff => "text/x-diff",
        Kind::Log | Kind::Code | Kind::Text => "text/plain",
        Kind::Binary => "application/octet-stream",
    };
    Ok(Classified { kind, media_type })
}

/// Whether what begins as one value of JSON is the first of several lines: no line of a document ends in a bracket and
/// is followed by an opening one without a comma between.
fn is_first_of_lines<S: Source + ?Sized>(source: &S, sample: &[u8]) -> Result<bool, ReadError> {
    if memchr::memchr(b'\n', sample.trim_ascii_start()).is_some() {
        return Ok(false);
    }
    // Such rows are rarely the last ones too.
    let tail = source.read_range(source.len() - sample.len() as u64, source.len())?;
    Ok(memchr::memchr_iter(b'\n', &tail).any(|at| {
        let (before, next) = (tail[..at].trim_ascii_end().last(), tail[at + 1..].first());
        matches!((before, next), (Some(b'}' | b']'), Some(b'{' | b'[')))
    }))
}

/// Whether more than a tenth is neither UTF-8 nor anything that texts hold.
fn is_binary(sample: &[u8]) -> bool {
    let controls = sample
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c | 0x08 | 0x1b))
        .count();
    let mut invalid = 0;
    for chunk in sample.utf8_chunks() {
        invalid += chunk.invalid().len();
    }
    (controls + invalid) * 10 > sample.len()
}

/// Bytes of a text that must be JSON before an error in it is taken for damage.
const DAMAGED_BYTES: usize = 1_024;

/// Bytes that a cut JSON text must have to be taken for one.
const CUT_BYTES: usize = 16;

/// The kind of a text by its start, or by all of it.
pub(crate) fn text_kind(sample: &[u8], is_all: bool) -> Kind {
    let text = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(sample).trim_ascii_start();
    let Some(&first) = text.first() else { return Kind::Text };
    if matches!(first, b'{' | b'[' | b'"') {
        let verdict = check(text);
        match verdict {
            Verdict::Whole(end) if text[end..].trim_ascii_start().is_empty() => return Kind::Json,
            // A string is JSON only as a whole: else it is a quotation.
            Verdict::Cut if first != b'"' && text.len() >= CUT_BYTES => return Kind::Json,
            Verdict::Cut if first == b'"' && !is_all => return Kind::Json,
            Verdict::Wrong(at) if first != b'"' && at >= DAMAGED_BYTES => return Kind::Json,
            _ => {}
        }
        if first != b'"' && is_json_lines(text, is_all) {
            return Kind::Ndjson;
        }
    }
    if first == b'<'
        && let Some(kind) = markup(text)
    {
        return kind;
    }
    let mut lines: Vec<&[u8]> =
        text.split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect();
    if !is_all && lines.len() > 1 {
        lines.pop();
    }
    lines.retain(|line| !line.trim_ascii().is_empty());
    if is_diff(&lines) {
        return Kind::Diff;
    }
    // Their comments and lists are no Markdown, their commas and brackets no table.
    if is_yaml(&lines) {
        return Kind::Yaml;
    }
    if is_sql(&lines) {
        return Kind::Sql;
    }
    let whole = match memchr::memrchr(b'\n', text) {
        Some(last) if !is_all => &text[..=last],
        _ => text,
    };
    let table =
        delimiter(whole).filter(|&(sign, columns)| sign != b'|' && !is_prose(&lines, columns));
    let as_table = |sign| if sign == b'\t' { Kind::Tsv } else { Kind::Csv };
    // The head of a file of Weka's names its columns in lines of their own.
    let is_arff =
        lines.first().is_some_and(|line| line.to_ascii_lowercase().starts_with(b"@relation"));
    let table = table.filter(|_| !is_arff);
    let has_header = lines.first().is_some_and(|line| !has_time(line) && Level::of(line).is_none());
    // A series of times and values.
    let is_series = |sign| {
        lines.iter().skip(1).all(|line| {
            line.rsplit(|b| *b == sign)
                .next()
                .is_some_and(|cell| is_number(cell) || cell.is_empty())
        })
    };
    if let Some((sign, columns)) = table
        && has_header
        && (columns >= 3 || is_series(sign))
    {
        return as_table(sign);
    }
    if is_log(&lines) {
        return Kind::Log;
    }
    if let Some((sign, _)) = table {
        return as_table(sign);
    }
    // What is set in is no heading.
    let is_set_in = sample.len() > text.len() && sample[sample.len() - text.len() - 1] == b' ';
    let is_commented = || is_set_in && first == b'#' || is_commented(text);
    markdown_or_code(&lines, &is_commented).unwrap_or(Kind::Text)
}

/// Whether what look like headings of the first level are comments: lines stand right below most of
/// them, or another such one, and there are hardly any of other levels.
fn is_commented(text: &[u8]) -> bool {
    let (mut comments, mut close, mut joined, mut deeper) = (0, 0, 0, 0);
    let (mut is_fenced, mut is_below) = (false, false);
    for line in text.split(|&b| b == b'\n') {
        is_fenced ^= line.starts_with(b"```");
        let level = heading_level(line).filter(|_| !is_fenced);
        close += usize::from(is_below && !line.trim_ascii().is_empty());
        joined +=
            usize::from(is_below && line.first() == Some(&b'#') && level.is_none_or(|of| of == 1));
        is_below = level == Some(1);
        comments += usize::from(is_below);
        deeper += usize::from(level.is_some_and(|level| level > 1));
    }
    let are_close = comments >= 5 && close * 10 >= comments * 6 && deeper * 10 <= comments;
    are_close || (joined > 0 && deeper == 0)
}

/// Whether all lines but a few damaged ones are JSON values.
fn is_json_lines(text: &[u8], is_all: bool) -> bool {
    let mut lines: Vec<&[u8]> = text.split(|&b| b == b'\n').collect();
    if !is_all {
        lines.pop();
    }
    let (mut all, mut good) = (0, 0);
    for line in lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()) {
        all += 1;
        good += usize::from(
            matches!(line[0], b'{' | b'[') && check(line) == Verdict::Whole(line.len()),
        );
    }
    all >= 2 && good * 10 >= all * 9
}

fn markup(text: &[u8]) -> Option<Kind> {
    const HTML: &str = "<!doctype html|<html|<head|<body|<div|<table|<p>|<p |<span|<ul|<ol|<script|<style|<meta|\
        <h1|<h2|<a |<section|<article";
    let head = text[..text.len().min(1_024)].to_ascii_lowercase();
    if head.starts_with(b"<!--") || head.starts_with(b"<?xml") || head.starts_with(b"<!doctype") {
        let html =
            memchr::memmem::find(&head, b"<html").is_some() || head.starts_with(b"<!doctype html");
        return Some(if html { Kind::Html } else { Kind::Xml });
    }
    if HTML.split('|').any(|tag| head.starts_with(tag.as_bytes())) {
        // Pages in Markdown begin with a picture and badges in HTML.
        let is_page = head.starts_with(b"<html") || head.starts_with(b"<body");
        let headings = text.split(|&b| b == b'\n').filter(|line| heading_level(line).is_some());
        return if is_page || headings.count() < 2 { Some(Kind::Html) } else { None };
    }
    // What has no value is no attribute: `<VirtualHost *:443>` is of a server's settings.
    let tag = head.split(|b| *b == b'>').next().unwrap_or_default();
    let said = tag.iter().position(u8::is_ascii_whitespace).map_or(&[][..], |at| &tag[at..]);
    let has_values = matches!(said.trim_ascii(), [] | [b'/']) || said.contains(&b'=');
    let is_name = head.get(1).is_some_and(|b| b.is_ascii_alphabetic()) && has_values;
    let closes =
        memchr::memmem::find(text, b"</").is_some() || memchr::memmem::find(text, b"/>").is_some();
    (is_name && closes).then_some(Kind::Xml)
}

fn is_diff(lines: &[&[u8]]) -> bool {
    const STARTS: [&[u8]; 7] =
        [b"diff ", b"--- ", b"Index: ", b"commit ", b"From ", b"@@ -", b"==== "];
    // What Git says of a file in which no line changed.
    const CHANGES: [&[u8]; 5] = [
        b"old mode ",
        b"similarity index ",
        b"new file mode ",
        b"deleted file mode ",
        b"Binary files ",
    ];
    let is_change = |line: &&[u8]| CHANGES.iter().any(|start| line.starts_with(start));
    if let [first, rest @ ..] = lines
        && first.starts_with(b"diff --git ")
        && rest.iter().take(2).any(is_change)
    {
        return true;
    }
    lines.first().is_some_and(|line| STARTS.iter().any(|start| line.starts_with(start)))
        && lines.iter().any(|line| line.starts_with(b"@@ -"))
        && (lines.iter().any(|line| line.starts_with(b"+++ "))
            || [&b"@@ -"[..], b"==== "].iter().any(|start| lines[0].starts_with(start)))
}

/// Whether rows are sentences that hold as many commas by chance: few columns, and most lines end like prose
/// or have several words on each side of a comma and a blank.
fn is_prose(lines: &[&[u8]], columns: usize) -> bool {
    const WORDS: usize = 3;
    let words = |part: &[u8]| part.split(|b| *b == b' ').filter(|word| !word.is_empty()).count();
    let is_clauses = |line: &[u8]| {
        // A verse may end in one.
        let line = line.strip_suffix(b",").unwrap_or(line);
        memchr::memmem::find(line, b", ").is_some()
            && line.split(|b| *b == b',').all(|part| words(part) >= WORDS)
    };
    let is_sentence = |line: &&&[u8]| line.ends_with(b".") || is_clauses(line);
    columns < 4 && lines.iter().filter(is_sentence).count() * 2 > lines.len()
}

/// Lines looked at for the kinds that are told by most of them.
const LINES: usize = 400;

fn is_log(lines: &[&[u8]]) -> bool {
    let lines = &lines[..lines.len().min(LINES)];
    // A macro may be named as a level is, and so may a row of a table. A date alone is a heading, and a span of times
    // is of subtitles; without a time of day or a level a date is the first cell of a row.
    let is_bare = |line: &[u8]| {
        line.len() <= 10 || line.get(12..17) == Some(b" --> ") || line.get(9..14) == Some(b" --> ")
    };
    let is_logged = |line: &&&[u8]| {
        has_time(line) && !is_bare(line) && (has_clock(line) || Level::of(line).is_some())
            || !line.starts_with(b"#") && !line.starts_with(b"|") && starts_with_level(line)
            || has_stamp(line) && Level::of(line).is_some()
    };
    let logged = lines.iter().filter(is_logged).count();
    lines.len() >= 3 && logged * 10 >= lines.len() * 4
}

/// Whether a date and a time of day stand near the start of a line, behind a name.
fn has_stamp(line: &[u8]) -> bool {
    line[..line.len().min(64)].windows(16).any(|part| {
        part.iter().zip(b"dddd-dd-dd dd:dd").all(|(byte, sign)| match sign {
            b'd' => byte.is_ascii_digit(),
            _ => byte == sign,
        })
    })
}

fn starts_with_level(line: &[u8]) -> bool {
    Level::of(&line[..line.len().min(24)]).is_some()
}

/// Whether what stands near the start of a line is more than a day: a time of it, seconds of an epoch, a member.
fn has_clock(line: &[u8]) -> bool {
    let head = &line[..line.len().min(64)];
    let is_clock = |at: usize| {
        head[at] == b':'
            && head.get(at + 1).is_some_and(u8::is_ascii_digit)
            && at.checked_sub(1).is_some_and(|before| head[before].is_ascii_digit())
    };
    (0..head.len()).any(is_clock)
        || head.iter().take_while(|byte| byte.is_ascii_digit()).count() == 10
        || [&b"time="[..], b"ts=", b"level="].iter().any(|key| head.starts_with(key))
}

/// Whether a time of day or a date stands near the start of a line.
fn has_time(line: &[u8]) -> bool {
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    let head = &line[..line.len().min(64)];
    let fits = |shape: &[u8], at: usize| {
        head.get(at..at + shape.len()).is_some_and(|part| {
            part.iter()
                .zip(shape)
                .all(|(b, s)| if *s == b'd' { b.is_ascii_digit() } else { b == s })
        })
    };
    let start = usize::from(matches!(head.first(), Some(b'[' | b'(' | b'<')));
    const DAYS: [&[u8]; 7] = [b"Mon, ", b"Tue, ", b"Wed, ", b"Thu, ", b"Fri, ", b"Sat, ", b"Sun, "];
    [
        &b"dddd-dd-dd"[..],
        b"dddd/dd/dd",
        b"dd:dd:dd",
        b"dd/dd/dddd",
        b"dd-dd-dddd",
        b"dd.dd.dddd",
        b"dddddddddd.",
    ]
        .iter()
        .any(|shape| {
            // What goes on as a word is a column of its own.
            let next = head.get(start + 10).copied().unwrap_or(b' ');
            fits(shape, start) && (**shape == *b"dd:dd:dd" || !next.is_ascii_alphabetic() || next == b'T')
        })
        || DAYS.iter().any(|day| head[start..].starts_with(day) && fits(b"d", start + 5))
        // syslog: `Nov 21 10:00:00`; access logs: `[21/Nov/2026:10:00:00`.
        || (MONTHS.iter().any(|month| head[start..].starts_with(month))
            && (fits(b"dd:dd:dd", start + 7)))
        || (0..head.len()).any(|at| head[at] == b'[' && fits(b"dd/", at + 1) && fits(b":dd:dd:dd", at + 12))
        || head.starts_with(b"time=") || head.starts_with(b"ts=") || head.starts_with(b"level=")
}

/// Whether a line is what a compiler found: `src/a.zig:3:9: note: called from here`, `error[E0308]: mismatched types`.
fn is_finding(line: &[u8]) -> bool {
    const PLACED: [&[u8]; 7] = [
        b": error: ",
        b": warning: ",
        b": note: ",
        b": fatal error: ",
        b"): error",
        b"): warning",
        b" - error TS",
    ];
    const STARTS: [&[u8]; 5] = [b"error: ", b"warning: ", b"error[", b"Error: ", b"Warning: "];
    let head = &line[..line.len().min(200)];
    STARTS.iter().any(|start| head.starts_with(start))
        || is_coded(head)
        || head.iter().any(u8::is_ascii_digit)
            && PLACED.iter().any(|mark| {
                memchr::memmem::find(head, mark)
                    .is_some_and(|at| head[..at].iter().any(u8::is_ascii_digit))
            })
}

/// Whether a line is a finding with a place and a code: `a/b.py:80:81: E501 line too long`.
fn is_coded(line: &[u8]) -> bool {
    let Some(at) = memchr::memmem::find(line, b": ") else { return false };
    let (place, code) = (&line[..at], &line[at + 2..]);
    let place = place.iter().rposition(|byte| !byte.is_ascii_digit() && *byte != b':');
    let digits = place.map_or(&[][..], |end| &line[end + 1..at]);
    let letters = code.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let numbers = code[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits.first() == Some(&b':')
        && digits.len() > 1
        && (1..=4).contains(&letters)
        && (1..=5).contains(&numbers)
        && code.get(letters + numbers) == Some(&b' ')
}

/// Whether a line is one to the preprocessor of C.
fn is_directive(line: &str) -> bool {
    let rest = line.strip_prefix('#').unwrap_or_default();
    ["define ", "if", "endif", "else", "undef "].iter().any(|word| rest.starts_with(word))
}

/// Whether a line begins with the file, or the number, of a line that was searched.
fn is_placed(line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or_default();
    word.split_once(':').is_some_and(|(place, _)| {
        place.contains(['/', '.']) || place.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Lines of a language that defines nothing by a word, as style sheets and settings of servers do.
const LEAST_BRACED: usize = 10;

/// Whether a line begins or ends a block in a language without braces.
fn ends_block(line: &str) -> bool {
    match line.rsplit_once(' ') {
        None => matches!(line, "end" | "fi" | "done" | "esac"),
        Some((_, last)) => matches!(last, "do" | "then" | "->"),
    }
}

/// Whether a line assigns to a name: `self.rows[0] = 5`.
fn assigns(line: &str) -> bool {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_.[]".contains(&byte);
    line.split_once(" = ").is_some_and(|(name, _)| !name.is_empty() && name.bytes().all(is_name))
}

/// Whether lines are of tests that are told (TAP), where what begins with `#` is a comment, or of compilers and linters,
/// which quote source below what they found.
fn are_of_report(lines: &[&[u8]]) -> bool {
    let is_plan = |line: &&&[u8]| line.starts_with(b"1..") || line.starts_with(b"TAP version ");
    let is_result = |line: &&&[u8]| {
        let line = line.strip_prefix(b"not ").unwrap_or(line);
        line.strip_prefix(b"ok ").is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
    };
    // `==== FAILURES ====`, `____ test_a[1] ____`; a line of signs alone above `FAIL: test_a`.
    let is_ruler = |line: &&&[u8]| {
        let sign = line.first().copied().unwrap_or_default();
        let signs = line.iter().take_while(|byte| **byte == sign).count();
        let is_title = line.get(signs) == Some(&b' ') && line.last() == Some(&sign);
        b"=_".contains(&sign) && signs >= 4 && is_title
    };
    let is_failed = |two: &[&[u8]]| {
        two[0].len() == 70
            && two[0].iter().all(|byte| *byte == b'=')
            && [&b"FAIL: "[..], b"ERROR: "].iter().any(|start| two[1].starts_with(start))
    };
    if lines.iter().filter(is_ruler).count() > 1 || lines.windows(2).any(is_failed) {
        return true;
    }
    let results = lines.iter().filter(is_result).count();
    let findings = lines.iter().filter(|line| is_finding(line)).count();
    results > 2
        || (results > 0 && lines.iter().any(|line| is_plan(&line)))
        || (findings > 2 && findings * 8 >= lines.len())
}

/// Whether lines are of a comparison without hunks that are read, which quotes source as well: of `diff -y`, of mails with
/// patches, of `git range-diff`, of Python's `ndiff`.
fn are_compared(lines: &[&[u8]]) -> bool {
    let Some(first) = lines.first() else { return false };
    let is_pair = |word: &[u8]| {
        word.strip_suffix(b":").is_some_and(|number| {
            !number.is_empty() && number.iter().all(|b| b"-0123456789".contains(b))
        })
    };
    let is_changed = |line: &&&[u8]| matches!(line, [b'+' | b'-', b' ', ..]);
    let is_marked = |line: &&[u8]| matches!(line, [b' ' | b'+' | b'-' | b'?', b' ', ..]);
    // Not `From zero to one`.
    let is_mail = first
        .strip_prefix(b"From ")
        .is_some_and(|rest| rest.iter().take_while(|byte| byte.is_ascii_hexdigit()).count() > 6);
    is_mail
        || have_sides(lines)
        || first.starts_with(b"diff -")
        || first.split(|byte| *byte == b' ').filter(|word| is_pair(word)).count() > 1
        || (lines.iter().all(is_marked) && lines.iter().filter(is_changed).count() > 1)
}

/// Whether lines are of what documents are written in: manual pages, Perl's, TeX. Examples in them are no source.
fn are_set(lines: &[&[u8]]) -> bool {
    const POD: [&[u8]; 4] = [b"=head", b"=item", b"=over", b"=back"];
    let is_set = |line: &&&[u8]| {
        matches!(line, [b'.', b'A'..=b'Z' | b'\\', ..] | [b'\\', b'a'..=b'z', ..])
            || POD.iter().any(|word| line.starts_with(word))
    };
    lines.first().is_some_and(|line| b".'\\=%".contains(&line[0]))
        && lines.iter().filter(is_set).count() * 10 >= lines.len()
}

/// Whether a line brings in or declares a name; `closes` says whether it ends as lines of source do.
fn is_import(line: &str, closes: bool) -> bool {
    const WORDS: [&str; 12] = [
        "import ",
        "from ",
        "#include ",
        "use ",
        "using ",
        "package ",
        "require(",
        "const ",
        "let ",
        "var ",
        "extern ",
        "typedef ",
    ];
    let begins = |word: &&str| line.strip_prefix(*word).is_some_and(|rest| !rest.starts_with('='));
    // A step of a backtrace of Ruby names its place.
    let is_step = line.starts_with("from ") && line.contains(":in ");
    WORDS.iter().any(begins)
        && !is_step
        && (closes
            || line.contains(['=', '"', '<', '\''])
            || (line.starts_with("import ") && !line.contains(": "))
            || line.contains(" import "))
}

fn markdown_or_code(lines: &[&[u8]], is_commented: &dyn Fn() -> bool) -> Option<Kind> {
    if lines.first().is_some_and(|line| line.starts_with(b"#!")) {
        return Some(Kind::Code);
    }
    let lines = &lines[..lines.len().min(LINES)];
    if are_of_report(lines) || are_compared(lines) || are_set(lines) {
        return None;
    }
    let (mut headings, mut marks, mut named, mut ended, mut prose) = (0, 0, 0, 0, 0);
    let mut first_heading = None;
    let (mut braced, mut closed) = (0, 0);
    let (mut comments, mut commented, mut is_fenced) = (Comments::default(), 0, false);
    let is_word =
        |word: &&str| word.trim_end_matches(['.', ',', ':']).chars().all(char::is_alphabetic);
    for (at, line) in lines.iter().enumerate() {
        let is_fence = line.starts_with(b"```");
        is_fenced ^= is_fence;
        if !is_fence && (is_fenced || comments.takes(line.trim_ascii())) {
            commented += 1;
            continue;
        }
        let text = String::from_utf8_lossy(line);
        let trimmed = text.trim();
        // To search for signs costs more than to see that a line has none.
        let has = |sign: u8| memchr::memchr(sign, line).is_some();
        let closes = matches!(
            trimmed.as_bytes(),
            [.., b'{' | b'}' | b';' | b'(' | b')' | b':' | b'[' | b'`']
                | [.., b')' | b'}' | b']' | b'\'' | b'"', b',']
                | [.., b'=', b'>']
        );
        let is_braced = matches!(trimmed.as_bytes(), [.., b'{' | b'}' | b';']);
        braced += usize::from(is_braced && !is_placed(trimmed));
        closed += usize::from(trimmed.starts_with('}'));
        // What is set in is a comment on what follows.
        if line[0] == b'#' && heading_level(line).is_some() {
            headings += 1;
            first_heading = first_heading.or(Some(at));
        } else if is_fence
            || has(b']') && text.contains("](")
            || ["- ", "* ", "> "].iter().any(|sign| trimmed.starts_with(sign))
                && trimmed.contains(char::is_alphabetic)
            || has(b'*') && text.matches("**").count() > 1
        {
            marks += 1;
        } else if (defines(trimmed) && trimmed.contains(['(', '{', ':', '=', ';', '<']))
            || is_import(trimmed, closes)
        {
            named += 1;
        } else if closes
            || ends_block(trimmed)
            || is_directive(trimmed)
            || has(b'=') && assigns(trimmed)
        {
            ended += 1;
        } else {
            let is_prose = trimmed.split_ascii_whitespace().filter(is_word).nth(2).is_some();
            prose += usize::from(is_prose && !trimmed.starts_with('-'));
        }
    }
    // What comes late stands below something else.
    let is_late = first_heading.is_some_and(|at| at * 2 > lines.len());
    let lines = lines.len() - commented;
    let code = (named + ended) * 10 >= lines * 3 && named >= 1 && named + ended >= 3
        // Blocks end in lines of their own, which objects in the lines of a log do not.
        || braced >= LEAST_BRACED && braced * 10 >= lines * 7 && closed * 10 >= braced;
    // Above settings, metrics and rows of a table, what begins with `#` is a comment.
    let is_read = marks * 40 >= lines.max(1) || prose * 2 >= lines - headings;
    let is_titled = is_read && !is_late && headings >= 1 && marks + headings >= 2;
    if is_titled && !(code && named > headings + marks) && !is_commented() {
        return Some(Kind::Markdown);
    }
    code.then_some(Kind::Code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kind(text: &str) -> Kind {
        classify(text.as_bytes()).unwrap().kind
    }

    #[test]
    fn comments_are_no_headings() {
        let many = |one: &str| one.repeat(40);
        for text in [
            many("# stage 1\nFROM base:1 AS s1\nRUN echo 1 && make\n"),
            many("# 1 \"a.h\" 1 3 4\nextern int a (int);\n"),
            many("# WELL KNOWN\n# of the host\nhttp 80/tcp www\n"),
            many("import time:       346 |        346 |   _io\n"),
            many("# From A B (1999):\n# \"as of now\"\nRule X 1 2 - Mar 1 0:00 0 -\n"),
        ] {
            assert_ne!(kind(&text), Kind::Markdown, "{text:.80}");
        }
        assert_eq!(
            kind(&many("# Title\nSome words.\n\n## Part\nMore of them.\n\n")),
            Kind::Markdown
        );
        assert_eq!(kind(&many("# Title\n\nSome words and `code`.\n\n")), Kind::Markdown);
    }

    #[test]
    fn source_is_source_however_much_of_it_is_said_in_words() {
        let words = "Some words about what follows, and why it is so.";
        let doc = |start: &str, end: &str| {
            format!("{start}\n{}{end}\n", format!("  * {words}\n").repeat(9))
        };
        for one in [
            format!("{}export declare function f(a: string): void;\n", doc("/**", " */")),
            format!(
                "{}\nclass A:\n    {words:?}\n    x = 5\n    y = [\n        ('a', 1),\n    ]\n",
                doc("\"\"\"", "\"\"\"")
            ),
            format!(
                "{}type A struct {{\n\tName string `json:\"name\"`\n}}\n",
                format!("// {words}\n").repeat(9)
            ),
            format!(
                "# {words}\ndef f(a, **more):\n    # {words}\n    return g(a, **more)\n    # {words}\n"
            ),
            format!(
                "/* {words} */\n#define A(x) (x)\n#ifdef B\nint f(void);\n#endif\n#include <a.h>\n"
            ),
            format!(
                "  # {words}\n  def errors(x), do: x\n\n  def f(x) do\n    case g(x) do\n      :error -> 1\n    end\n  end\n"
            ),
            format!(
                "// {words}\n.a {{\n  $error: red;\n  &:hover {{\n    color: $error;\n  }}\n}}\n"
            ),
        ] {
            assert_eq!(kind(&one.repeat(20)), Kind::Code, "{one}");
        }
        let readme = format!(
            "# Title\n\n{words}\n\n```rust\n{}```\n",
            "use a::b;\nfn f() {\n}\n".repeat(60)
        );
        assert_eq!(kind(&readme), Kind::Markdown);
        let manifest =
            "[package]\nname = \"a\"\n[dependencies]\npackage = \"b\"\nc = { features = [] }\n";
        assert_eq!(kind(&manifest.repeat(30)), Kind::Text);
    }

    #[test]
    fn what_begins_with_a_hash_is_no_heading_and_what_quotes_source_is_none() {
        let rows = |row: &dyn Fn(usize) -> String| (0..90).map(row).collect::<String>();
        let words = rows(&|n| format!("{n:04X},\t00,\tRadeon R7 of the kind\n"));
        let costs = rows(&|n| format!("fn=({n})\n{n} 4\n+1 8\n* {n}\n"));
        let code = "    import os\n    def f(x):\n        return g(x)\n".repeat(30);
        for text in [
            format!("# List of ids\n#\n# Syntax:\n# id,\tname\n\n1.0.0\n{words}"),
            format!("# some format\nversion: 1\n\n{costs}"),
            rows(&|n| {
                format!("  # a.b[{n}] will be updated\n  ~ r {{\n      ~ t = \"a\"\n    }}\n\n")
            }),
            format!(
                "{}\n# Older entries are gone\n",
                "a (1.0) b; c=high\n\n  * Some words of it.\n".repeat(30)
            ),
            format!("1:  73f9525 ! 1:  ae977f2 change 1: a\n{code}"),
            format!("From bae9fbcf Mon Sep 17\nSubject: a\n\n{code}"),
            format!("+ # added\n{}- # gone\n", code.replace("    ", "  ")),
            format!(
                ".TH AIO 7\n.SH NAME\n.PP\n.PP\n{}.EX\n{code}",
                ".B a\nsome words of it\n".repeat(20)
            ),
            format!("=head1 NAME\n\n{}{code}", "=item a\n\nSome.\n\n".repeat(20)),
        ] {
            assert_eq!(kind(&text), Kind::Text, "{text:.300}");
        }
        let depot = "==== //depot/a.c#4 - /home/a.c ====\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n";
        assert_eq!(kind(depot), Kind::Diff);
        let readme = "# Title\n\nSome words.\n\n```sh\n# first\n# then\nmake\n```\n\n- a\n- b\n";
        assert_eq!(kind(readme), Kind::Markdown);
        assert_eq!(kind(&format!("From zero to one\n\n{readme}")), Kind::Markdown);
    }

    #[test]
    fn commas_of_verses_and_braces_of_source_make_no_table_and_no_log() {
        let verse = "  copper bridge at noon, the engine of walnut,\n".repeat(40);
        assert_eq!(kind(&verse), Kind::Text);
        let weka = format!("@relation x\n@attribute a numeric\n@data\n{}", "0.5,n\n".repeat(60));
        assert_eq!(kind(&weka), Kind::Text);
        let named = "api-1  | {\"level\":\"info\",\"msg\":\"served\"}\n".repeat(40);
        assert_ne!(kind(&named), Kind::Code);
        let erlang = "h39({error, Reason}) -> {error, failed, Reason};\n".repeat(40);
        assert_ne!(kind(&erlang), Kind::Log);
        let cypher = "MATCH (a:b7)-[:ERROR]->(b) RETURN b\n".repeat(40);
        assert_ne!(kind(&cypher), Kind::Log);
        let page = "<h1 align=\"center\">x</h1>\n\n## Use\n\nSome words.\n\n## More\n\n- a\n- b\n";
        assert_eq!((kind(page), kind(&page.replace("## ", ""))), (Kind::Markdown, Kind::Html));
        let julia =
            "function f7(x)\n    @warn \"warning: slow\"\n    error(\"fatal error\")\nend\n";
        assert_eq!(kind(&julia.repeat(40)), Kind::Code);
        let messages = "msgid \"Error: no file\"\nmsgstr \"Fehler: keine Datei\"\n\n".repeat(40);
        assert_eq!(kind(&messages), Kind::Text);
    }

    #[test]
    fn lines_of_a_log_may_begin_with_the_name_of_a_file() {
        let line = |n: u32| {
            format!(
                "api.log.1.2026-05-16_13:53:08 2026-05-16 00:00:{n:02}.008 25746 INFO a.b [req-{n}] done\n"
            )
        };
        assert_eq!(kind(&(10..59).map(line).collect::<String>()), Kind::Log);
        let said = |n: u32| format!("The meeting of 2026-05-{n:02} 10:00 is about information\n");
        assert_eq!(kind(&(10..28).map(said).collect::<String>()), Kind::Text);
    }

    #[test]
    fn a_date_or_a_number_before_a_line_makes_no_log_and_no_table() {
        let lines = |line: &dyn Fn(u32) -> String| -> String { (1..60).map(line).collect() };
        for text in [
            lines(&|n| format!("{n:6}\t    if a == \"b\":\n")),
            lines(&|n| format!("00:{n:02}:01.000 --> 00:{n:02}:04.000\nWe had lunch.\n\n")),
            lines(&|n| format!("2026-05-{n:02}\n\nDear diary, nothing failed.\n\n")),
            lines(&|n| format!("2026-05-{n:02}yarrow          -{n}.28 C\n")),
            lines(&|n| format!("{n:02}.05.2026  Juniper - Ivory  4:2 after 3 to 0\n"))
                .replace("4:2", "4-2"),
            lines(&|n| format!("2026-05-{n:02}     9.83    56.82     14{n:02}\n")),
            lines(&|n| format!("| ERROR | what {n} means |\n")),
            lines(&|n| format!("APP_{n}_LOG_LEVEL=error\n")),
            lines(&|n| format!("<Host *:{n}>\n  ErrorLog a\n</Host>\n")),
        ] {
            assert_eq!(kind(&text), Kind::Text, "{text}");
        }
        for (of, text) in [
            (Kind::Tsv, lines(&|n| format!("{n}\tname {n}\n"))),
            (Kind::Log, lines(&|n| format!("2026-05-{n:02}T10:00:00Z a\n"))),
            (Kind::Xml, lines(&|n| format!("<host name=\"h\">{n}</host>\n"))),
            (
                Kind::Diff,
                lines(&|n| format!("diff --git a/{n} b/{n}\nold mode 100644\nnew mode 100755\n")),
            ),
        ] {
            assert_eq!(kind(&text), of, "{text}");
        }
    }

    #[test]
    fn what_compilers_quote_is_no_source() {
        for found in [
            "src/A.java:7: warning: never used\nimport com.x.A7;\n            ^\n",
            "a.zig:7:9: note: called from here\n    const a7 = compute(7);\n        ^~~~~~~\n",
            "a.cu(7): warning: never used\n    const int x7 = threadIdx.x;\n\n",
            "Warning: Unused local variable.\n --> a.sol:7:2:\n7 | function f7() public {\n",
        ] {
            assert_eq!(kind(&found.repeat(90)), Kind::Text, "{found}");
        }
        assert_eq!(kind(&"import com.x.A7;\nclass A {\n}\n".repeat(90)), Kind::Code);
    }

    #[test]
    fn kinds_are_told_apart() {
        let long_array = format!("[{}1]", "12345, ".repeat(20_000));
        let log_lines = "2026-11-21 10:00:00,123 INFO started\n".repeat(9);
        for (want, text) in [
            (Kind::Json, "\u{feff}\r\n {\"a\": [1, 2]}\n"),
            (Kind::Json, &long_array),
            (Kind::Json, "[{\"id\": 1, \"name\": \"cut her"),
            (Kind::Json, "[NaN, Infinity]"),
            (Kind::Ndjson, "{\"a\":1}\n{\"a\":2}\r\n"),
            (Kind::Ndjson, "[1]\n[2]\n\n[3]"),
            (Kind::Csv, "id,name,note\n1,a,\"x, y\"\n2,b,c\n"),
            (Kind::Csv, "id;name\n1;a\n2;b\n"),
            (Kind::Tsv, "id\tname\n1\ta\n2\tb\n"),
            (Kind::Yaml, "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n"),
            (Kind::Yaml, "# a list\n- name: a\n  state: ok\n- name: b\n  state: failed\n"),
            (Kind::Sql, "-- dump\nDROP TABLE IF EXISTS a;\nINSERT INTO a VALUES (1, 'x');\n"),
            (Kind::Html, "<!DOCTYPE html><html><body></body></html>"),
            (Kind::Html, "\n<div class=x>hello</div>"),
            (Kind::Xml, "<?xml version=\"1.0\"?><rss></rss>"),
            (Kind::Xml, "<rss version=\"2\"><a/></rss>"),
            (Kind::Markdown, "# Title\n\nSome text with a [link](x).\n\n- one\n- two\n"),
            (Kind::Diff, "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"),
            (Kind::Log, &log_lines),
            (Kind::Log, "[INFO] a\n[WARN] b\n[INFO] c\n"),
            (
                Kind::Log,
                "1.2.3.4 - - [21/Nov/2026:10:00:00 +0000] \"GET /\"\n1.2.3.4 - - [21/Nov/2026:10:00:01 +0000] \"GET /a\"\n1.2.3.4 - - [21/Nov/2026:10:00:02 +0000] \"GET /\"\n",
            ),
            (Kind::Code, "#!/bin/sh\necho hi\n"),
            (
                Kind::Markdown,
                "# Title\nSome text of a few words.\n## Part\nMore text of some words.\n",
            ),
            (
                Kind::Text,
                "# HELP up Total.\n# TYPE up counter\nup{code=\"200\"} 5\nup{code=\"404\"} 7\n",
            ),
            (Kind::Text, "# the first\napp.one=1\napp.two=2\n# the rest\napp.three=3\n"),
            (Kind::Text, "1f3a (Ann) let x = 1;\n2b4c (Ann) let y = 2;\n3d5e (Ann) let z = 3;\n"),
            (Kind::Code, "use std::io;\n\nfn main() {\n    println!(\"x\");\n}\n"),
            (Kind::Code, "import os\n\ndef f(x):\n    return x\n\nclass A(B):\n    pass\n"),
            (Kind::Text, "Some prose, with commas.\nMore of it, indeed.\nAnd more, at last.\n"),
            (Kind::Text, &"run 1: the quick brown fox, and nothing else here\n".repeat(4)),
            (Kind::Csv, "id, the note\n1, a note of three words\n2, another note of some words\n"),
            (
                Kind::Csv,
                "time;temp\n2026-05-04T06:00:00Z;1.5\n2026-05-04T06:01:00Z;2\n2026-05-04T06:02:00Z;3\n",
            ),
            (Kind::Csv, "1,name 1,3\n2,name 2,6\n3,name 3,9\n"),
            (
                Kind::Text,
                "ok 1 - case 1 (3 passed, 0 failed)\nok 2 - case 2 (3 passed, 0 failed)\nok 3 - case 3 (1 passed, 2 failed)\n",
            ),
            (
                Kind::Text,
                "copied /a1.bin, 12 bytes\ncopied /a2.bin, 12 bytes\nerror: /a3.bin: no space\n",
            ),
            (
                Kind::Text,
                "src/a.rs:1:use alpha;\nsrc/b.rs:2:use beta;\nsrc/c.rs:3:let x;\nsrc/d.rs:4:let x; y\n",
            ),
            (
                Kind::Text,
                "api-1 | {\"ts\": 1, \"msg\": \"a\"}\napi-1 | {\"ts\": 2, \"msg\": \"b\"}\ndb-1 | {\"ts\": 3, \"msg\": \"c\"}\n",
            ),
            (
                Kind::Log,
                "04-05-2026 06:00:00,000 INFO a\n04-05-2026 06:00:01,000 ERROR b\n04-05-2026 06:00:02,000 INFO c\n",
            ),
            (
                Kind::Log,
                "Mon, 04 May 2026 06:00:00 a\nMon, 04 May 2026 06:00:01 b\nMon, 04 May 2026 06:00:02 c\n",
            ),
            (
                Kind::Text,
                "build\ttests\t2026-11-01T10:00:00.1Z a PASSED\nbuild\ttests\t2026-11-01T10:00:01.1Z b PASSED\nbuild\ttests\t2026-11-01T10:00:02.1Z c FAILED\n",
            ),
            (
                Kind::Text,
                "Name: a\nStatus: up\nMeta:\n  x: 1\n\nName: b\nStatus: down\nMeta:\n  x: 2\n",
            ),
            (Kind::Text, "[note] read this"),
            (Kind::Text, "Dear all,\nplease use the class room.\n"),
            (Kind::Text, "   \n"),
            (Kind::Text, ""),
        ] {
            assert_eq!(kind(text), want, "{text}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_named() {
        let media = |bytes: &[u8]| classify(bytes).unwrap();
        assert_eq!(media(b"\x89PNG\r\n\x1a\n\0\0").media_type, "image/png");
        assert_eq!(media(b"\x00asm\x01\0\0\0").media_type, "application/wasm");
        assert_eq!(media(&[0, 1, 2, 3]).kind, Kind::Binary);
        // Latin-1 prose is text.
        assert_eq!(
            media(b"Gr\xfc\xdfe aus M\xfcnchen, wo die Sonne scheint und nichts geschieht").kind,
            Kind::Text
        );
    }

    proptest! {
        #[test]
        fn any_bytes_have_a_kind(bytes in proptest::collection::vec(any::<u8>(), 0..300), text: String) {
            classify(bytes.as_slice()).unwrap();
            prop_assert_ne!(kind(&text.replace(char::is_control, " ")), Kind::Binary);
        }
    }
}
