//! `weir fetch`: read back from a stored result.

mod file;
mod later;
mod questions;

use std::borrow::Cow;

use weir_host::Weir;
use weir_host::contract::{
    BlobStat, CaseMode, Encoding, GrepLine, GrepPage, GrepRequest, Page, Unit, View,
};
use weir_text::hidden::one_line;

use super::args::{Fetch, Grep, Questions, Selection};
use super::console::Console;
use super::ids;
use super::json;
use super::numbers::{age, group, size};
use super::{Answer, Context, Failure};

/// The most matches that a terminal is shown.
const TERMINAL_MATCHES: u32 = 50;

/// How the component names what a text leaves out: what an envelope holds around it, and what was written over.
const LEFT_OUT: [&str; 2] = ["what stood beside the text", "what a terminal would not show"];

pub(crate) fn run(args: &Fetch, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    if args.questions.more.as_deref() == Some("") {
        return later::go_on(args.id.is_none() && args.selection == Selection::default(), context);
    }
    let session = context.session();
    let view = if args.raw { View::Raw } else { View::Text };
    let selection = &args.selection;
    let taken = match args.id.as_deref().filter(|name| file::is_named(name)) {
        Some(name) => match file::take(name, args.keep, context)? {
            None => return Ok(Answer::No),
            taken => taken,
        },
        None => None,
    };
    let weir = match &taken {
        Some(taken) => taken.weir.clone(),
        None => context.weir()?,
    };
    // What goes to a file or is for a person reaches no model.
    let weir = if console.is_for_no_model() { uncounted(&weir) } else { weir };
    console.page();
    let id = match (&taken, &args.id) {
        (Some(taken), _) => Some(taken.id.clone()),
        (None, Some(id)) => Some(ids::resolve(&weir, session, id)?),
        (None, None) if selection.search.is_some() || selection.arguments.is_some() => None,
        (None, None) => Some(ids::newest(&weir, session)?),
    };
    if let Some(arguments) = &selection.arguments {
        let arguments = id.as_deref().map(|id| with_id(arguments, id));
        let arguments = arguments.as_ref().or(selection.arguments.as_ref());
        let arguments = arguments.map_or("", String::as_str);
        let answer = weir.invoke(session, "weir_fetch", arguments)?;
        if console.json() {
            console
                .value(&serde_json::json!({"text": answer.text, "is_error": answer.is_error}))?;
        } else {
            console.line(answer.text)?;
        }
        return Ok(if answer.is_error { Answer::No } else { Answer::Yes });
    }
    let unnamed = if args.id.is_none() { id.as_deref() } else { None };
    let keep = |more: &str| later::keep(context, unnamed, more);
    let id = id.as_deref();
    // How it is named again: a file that is not kept has no id then.
    let file = args.id.as_deref().filter(|_| taken.is_some() && !args.keep);
    let name = file.or(id).unwrap_or_default();
    let asked =
        Asked { weir: &weir, session, id, name, view, options: &args.questions, keep: &keep };
    if let Some(answer) = asked.answer(selection, console)? {
        return Ok(answer);
    }
    if let Some(pattern) = &selection.grep {
        return asked.grep(&query(pattern, args), console);
    }
    if selection.all {
        return asked.all(console);
    }
    asked.part(selection, console)
}

/// What is asked of what.
struct Asked<'a> {
    weir: &'a Weir,
    session: &'a str,
    id: Option<&'a str>,
    /// How it is named again.
    name: &'a str,
    view: View,
    options: &'a Questions,
    /// Keeps a text for `weir fetch --more`; says whether it is kept.
    keep: &'a dyn Fn(&str) -> bool,
}

impl Asked<'_> {
    /// Shows a part of the text, or what is known of it where none is named.
    fn part(&self, selection: &Selection, console: &Console) -> Result<Answer, Failure> {
        let Asked { weir, session, view, options, .. } = *self;
        let id = self.id();
        let ranges = [
            (&selection.lines, Unit::Lines),
            (&selection.bytes, Unit::Bytes),
            (&selection.chars, Unit::Chars),
        ];
        let more = options.more.as_deref();
        let (page, count) =
            if let Some((Some(range), unit)) = ranges.iter().find(|(range, _)| range.is_some()) {
                let (start, count) = parse_range(range, *unit)?;
                match weir.read(session, id, view, *unit, start, count, more) {
                    Err(weir_host::Error::Refused(failure))
                        if failure.code == "out-of-range" && !console.json() =>
                    {
                        return Ok(self.past_end(failure.total.unwrap_or(0), *unit, console));
                    }
                    page => (page?, count),
                }
            } else if let Some(lines) = selection.head {
                (weir.head(session, id, view, lines)?, Some(lines.into()))
            } else if let Some(lines) = selection.tail {
                let page = weir.tail(session, id, view, lines, more)?;
                let first = (page.total + 1).saturating_sub(lines.into()).max(1);
                if page.unit == Unit::Lines && page.start > first {
                    let before = page.start - 1;
                    console.note(format_args!("… before these: --lines {first}..{before}"));
                }
                (page, None)
            } else if selection.full {
                (weir.read_all(session, id, view, more)?, None)
            } else {
                return stat(&weir.stat(session, id)?, console);
            };
        self.show(&page, count, console)
    }

    fn show(&self, page: &Page, count: Option<u64>, console: &Console) -> Result<Answer, Failure> {
        let id = self.name;
        let is_past_end = page.content.is_empty() && page.total > 0;
        let answer = if is_past_end { Answer::No } else { Answer::Yes };
        if console.json() {
            console.value(&json::page(page))?;
            return Ok(answer);
        }
        console.bytes(&decoded(page))?;
        console.flush_all()?;
        if is_past_end {
            return Ok(self.past_end(page.total, page.unit, console));
        }
        if page.more.is_some() {
            let last = |end: u64| end.saturating_sub(1);
            let raw = if self.view == View::Raw { " --raw" } else { "" };
            // A line that is cut goes on in bytes.
            let (unit, start) = match page.unit {
                Unit::Lines if !page.content.ends_with('\n') => (Unit::Bytes, page.end_byte),
                unit => (unit, page.end),
            };
            let end = count.filter(|_| unit == page.unit);
            let end = end.map_or_else(String::new, |count| last(page.start + count).to_string());
            console.note(format_args!(
                "\n… {} {}-{} of {}; go on with: weir fetch {id}{raw} --{} {start}..{end}",
                json::unit(page.unit),
                group(page.start),
                group(last(page.end)),
                group(page.total),
                json::unit(unit),
            ));
        }
        Ok(answer)
    }

    /// That there is nothing, as that many are all.
    fn past_end(&self, total: u64, unit: Unit, console: &Console) -> Answer {
        let (id, total, unit) = (self.name, group(total), json::unit(unit));
        console.note(format_args!("nothing there, past the end: {id} has {total} {unit}"));
        Answer::No
    }

    /// Follows `more` from the start to the end. As JSON it is one page, which is held in memory.
    fn all(&self, console: &Console) -> Result<Answer, Failure> {
        let Asked { weir, session, view, .. } = *self;
        let id = self.id();
        let (first, rest) = (first_of_all(weir), uncounted(&weir.with_large_pages()));
        let (mut reader, mut more, mut whole) = (&first, None, Vec::new());
        loop {
            let page = match reader.read(session, id, view, Unit::Bytes, 0, None, more.as_deref()) {
                // An empty result has no first byte, and nothing is all of it.
                Err(weir_host::Error::Refused(failure))
                    if failure.code == "out-of-range" && failure.total == Some(0) =>
                {
                    break;
                }
                other => other?,
            };
            match console.json() {
                true => whole.extend_from_slice(&decoded(&page)),
                false => console.bytes(&decoded(&page))?,
            }
            (reader, more) = (&rest, page.more);
            if more.is_none() {
                break;
            }
        }
        if console.json() {
            let end = whole.len() as u64;
            let (content, encoding) = match String::from_utf8(whole) {
                Ok(text) => (text, Encoding::Utf8),
                Err(bytes) => (escaped(bytes.as_bytes()), Encoding::Escaped),
            };
            console.value(&json::page(&Page {
                content,
                encoding,
                unit: Unit::Bytes,
                start: 0,
                end,
                total: end,
                start_byte: 0,
                end_byte: end,
                more: None,
            }))?;
        }
        console.flush_all()?;
        Ok(Answer::Yes)
    }

    fn grep(&self, query: &GrepRequest, console: &Console) -> Result<Answer, Failure> {
        let is_read = console.columns().is_some() && !console.json();
        let most = match query.max_matches.filter(|_| !query.count_only) {
            None if is_read && !query.count_only => TERMINAL_MATCHES,
            most => most.unwrap_or(u32::MAX),
        };
        let mut lines = Vec::new();
        let (mut shown, mut last) = (0, 0);
        let mut page = self.found(query, most, &mut |hit| {
            if console.json() {
                lines.push(hit);
                return Ok(());
            }
            if last > 0 && hit.line > last + 1 && (query.before > 0 || query.after > 0) {
                console.line("--")?;
            }
            (last, shown) = (hit.line, shown + u64::from(hit.column.is_some()));
            let mark = if hit.column.is_some() { ':' } else { '-' };
            let cut = |chars: u64| {
                if chars > 0 { format!("[{} characters]", group(chars)) } else { String::new() }
            };
            let text = match hit.column {
                Some(_) => highlighted(&hit.text, &query.pattern, console),
                _ => hit.text.clone(),
            };
            let (before, after) = (cut(hit.cut_before), cut(hit.cut_after));
            console.line(format_args!("{}{mark}{before}{text}{after}", hit.line))
        })?;
        if page.view != self.view {
            console.note("the text itself has none: this is what came (--raw)");
        }
        let answer = if page.matches > 0 { Answer::Yes } else { Answer::No };
        if console.json() {
            page.lines = lines;
            console.value(&json::grep(&page))?;
            return Ok(answer);
        }
        if query.count_only {
            console.line(page.matching_lines)?;
        }
        summary(&page, shown, query, console);
        Ok(answer)
    }

    /// Gives the lines of all pages, up to as many matches as were asked for, and then the last page: a count is of the
    /// whole, and no more than a page is held in memory.
    fn found(
        &self,
        query: &GrepRequest,
        mut left: u32,
        each: &mut dyn FnMut(GrepLine) -> Result<(), Failure>,
    ) -> Result<GrepPage, Failure> {
        let weir = self.weir.with_large_pages();
        let query = &GrepRequest { max_matches: Some(left), ..query.clone() };
        // Context of the one page may be in the other: what follows its last match waits.
        let mut waiting: Vec<GrepLine> = Vec::new();
        let (mut last, mut more) = (0, None);
        loop {
            let mut page = weir.grep(self.session, self.id(), self.view, query, more.as_deref())?;
            let lines = std::mem::take(&mut page.lines);
            let first = lines.first().map_or(u64::MAX, |line| line.line);
            let before = std::mem::take(&mut waiting).into_iter().filter(|line| line.line < first);
            for line in before.chain(lines) {
                let is_match = line.column.is_some();
                if left == 0 && is_match {
                    break;
                }
                left -= u32::from(is_match);
                if is_match {
                    for line in waiting.drain(..) {
                        each(line)?;
                    }
                    last = line.line;
                    each(line)?;
                } else if line.line > waiting.last().map_or(last, |line| line.line) {
                    waiting.push(line);
                }
            }
            more = page.more.clone().filter(|_| left > 0);
            if more.is_none() {
                waiting.into_iter().try_for_each(each)?;
                return Ok(page);
            }
        }
    }
}

/// Arguments as a model writes them, with an id where they name none.
fn with_id(arguments: &str, id: &str) -> String {
    match serde_json::from_str(arguments) {
        Ok(serde_json::Value::Object(mut members)) if !members.contains_key("id") => {
            members.insert("id".to_owned(), id.into());
            serde_json::Value::from(members).to_string()
        }
        // What is no object is answered as it is.
        _ => arguments.to_owned(),
    }
}

fn stat(stat: &BlobStat, console: &Console) -> Result<Answer, Failure> {
    if console.json() {
        console.value(&serde_json::json!(stat))?;
        return Ok(Answer::Yes);
    }
    let handle = &stat.handle;
    let mut rows = vec![
        ("id", handle.id.clone()),
        ("digest", format!("sha256:{}", handle.digest)),
        ("tool", handle.tool.clone()),
        ("kind", format!("{} ({})", handle.kind, handle.media_type)),
        (
            "size",
            format!(
                "{}: {} characters, {} lines",
                size(handle.bytes),
                group(handle.chars),
                group(handle.lines)
            ),
        ),
        ("tokens", format!("about {}", group(handle.estimated_tokens))),
        ("stored", stat.stored_at.map_or_else(|| "unknown".into(), age)),
        ("used", age(stat.used_at)),
    ];
    if let Some(source) = &handle.source {
        rows.push(("source", source.clone()));
    }
    if let Some(pointer) = &handle.envelope {
        rows.push((
            "text of",
            format!("{pointer} (--raw reads the {} characters around it)", group(stat.raw_chars)),
        ));
    }
    if stat.pinned {
        rows.push(("pinned", "yes".into()));
    }
    for (name, value) in rows {
        console.line(format_args!("{name:<8} {}", one_line(&value)))?;
    }
    Ok(Answer::Yes)
}

/// The same component, whose reads count as nobody's.
fn uncounted(weir: &Weir) -> Weir {
    let mut settings = weir.settings().cloned().unwrap_or_default();
    settings.set("fetch.counted", false);
    weir.with_settings(settings)
}

/// Characters of a result that clients pass on, where no setting says so.
const PASSED_CHARS: u64 = 100_000;

/// Reads what counts as shown to a model: of all that a program takes through a pipe no more than a client would have
/// passed on.
fn first_of_all(weir: &Weir) -> Weir {
    let mut settings = weir.settings().cloned().unwrap_or_default();
    let chars = settings.number("transform.client_max_chars").unwrap_or(PASSED_CHARS);
    // As many as a page may have.
    let chars = chars.clamp(500, 10_000_000);
    settings.set("transform.threshold_chars", chars + 1);
    settings.set("fetch.max_chars", chars);
    weir.with_settings(settings)
}

/// The bytes that a page stands for.
fn decoded(page: &Page) -> Cow<'_, [u8]> {
    match page.encoding {
        Encoding::Utf8 => page.content.as_bytes().into(),
        Encoding::Escaped => unescaped(&page.content).into(),
    }
}

/// Bytes as text, as the component writes them where they are no UTF-8.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', "\\\\"));
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    text
}

fn unescaped(text: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let (byte, taken) = match after {
            [b'\\', ..] if byte == b'\\' => (byte, 2),
            [b'x', high, low, ..] if byte == b'\\' => (digit(*high) << 4 | digit(*low), 4),
            _ => (byte, 1),
        };
        bytes.push(byte);
        rest = &rest[taken..];
    }
    bytes
}

fn query(pattern: &str, fetch: &Fetch) -> GrepRequest {
    let args: &Grep = &fetch.grep;
    let limit = fetch.questions.limit.map(|limit| u32::try_from(limit).unwrap_or(u32::MAX));
    GrepRequest {
        pattern: pattern.to_owned(),
        regex: !args.fixed,
        case_mode: match (args.case_sensitive, args.ignore_case) {
            (true, _) => CaseMode::Sensitive,
            (_, true) => CaseMode::Insensitive,
            _ => CaseMode::Smart,
        },
        word: args.word,
        invert: args.invert,
        count_only: args.count,
        before: args.before.or(args.context).unwrap_or(0),
        after: args.after.or(args.context).unwrap_or(0),
        max_matches: args.max_matches.or(limit),
        start: 0,
    }
}

/// A line with the first place of a plain pattern told apart.
fn highlighted(line: &str, pattern: &str, console: &Console) -> String {
    // Of the same length as the line: ASCII alone is folded.
    let found = line.to_ascii_lowercase().find(&pattern.to_ascii_lowercase());
    match found.map(|at| (at, at + pattern.len())) {
        Some((from, to)) if !pattern.is_empty() && line.is_char_boundary(to) => {
            format!("{}{}{}", &line[..from], console.marked(&line[from..to]), &line[to..])
        }
        _ => line.to_owned(),
    }
}

fn summary(page: &GrepPage, shown: u64, query: &GrepRequest, console: &Console) {
    // Matches that are shown stand for themselves; a count, and that there are none, is said of the whole.
    let says_how_many = page.matches == 0 || query.count_only || shown < page.matching_lines;
    let not_searched = page.not_searched.iter().flat_map(|words| words.split("; "));
    for what in not_searched
        .filter(|what| says_how_many || !LEFT_OUT.iter().any(|one| what.starts_with(one)))
    {
        console.note(format_args!("not searched: {what}"));
    }
    if !page.complete {
        console.note(format_args!(
            "{} matching lines in bytes 0..{} of {}: not all was searched",
            page.matching_lines, page.searched_to, page.total_bytes
        ));
    } else if shown > 0 && shown < page.matching_lines {
        console.note(format_args!(
            "{} of {} matching lines: -m shows more",
            group(shown),
            group(page.matching_lines)
        ));
    }
}

/// `START[..END]`, both included; either may be negative, from the end. Gives start and count.
fn parse_range(text: &str, unit: Unit) -> Result<(i64, Option<u64>), Failure> {
    let wrong = || {
        Failure::usage(
            format!("`{text}` is not a range of {}", json::unit(unit)),
            "write START or START..END, both included, as in 10..20, or -10 for the last ten",
        )
    };
    let (start, end) = match text.split_once("..") {
        Some((start, end)) => (start, Some(end)),
        // As answers name ranges: 10-20.
        None => match text.char_indices().skip(1).find(|(_, c)| *c == '-') {
            Some((at, _)) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        },
    };
    let start: i64 = start.trim().parse().map_err(|_| wrong())?;
    if start == 0 && unit == Unit::Lines {
        return Err(Failure::usage("lines count from 1", "write 1..20 for the first twenty"));
    }
    let count = match end.map(str::trim) {
        None if start >= 0 => Some(1),
        None | Some("") => None,
        Some(end) => {
            let end: i64 = end.parse().map_err(|_| wrong())?;
            // From one side both; the other side is not known here.
            let count = Some(end)
                .filter(|end| (*end < 0) == (start < 0))
                .and_then(|end| end.checked_sub(start)?.checked_add(1))
                .and_then(|count| u64::try_from(count).ok())
                .filter(|count| *count > 0);
            Some(count.ok_or_else(wrong)?)
        }
    };
    Ok((start, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_both_ends_and_may_count_from_the_end() {
        let range = |text| parse_range(text, Unit::Lines).ok();
        assert_eq!(range("10..20"), Some((10, Some(11))));
        assert_eq!(range("10-20"), Some((10, Some(11))));
        assert_eq!(range("10"), Some((10, Some(1))));
        assert_eq!(range("10.."), Some((10, None)));
        assert_eq!(range("5..5"), Some((5, Some(1))));
        assert_eq!(range("-10"), Some((-10, None)));
        assert_eq!(range("-10..-5"), Some((-10, Some(6))));
        assert_eq!(parse_range("0..9", Unit::Bytes).ok(), Some((0, Some(10))));
        for wrong in ["", "x", "0", "0..3", "6..5", "1..x", "3..-1", "-1..99999999999999999999"] {
            assert_eq!(range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn arguments_without_an_id_get_the_one_that_was_named() {
        assert_eq!(with_id(r#"{"mode":"tail"}"#, "ab"), r#"{"id":"ab","mode":"tail"}"#);
        for left in [r#"{"id":"cd","mode":"tail"}"#, "[1]", "{"] {
            assert_eq!(with_id(left, "ab"), left);
        }
    }

    #[test]
    fn escaped_text_stands_for_its_bytes() {
        assert_eq!(unescaped("a\\\\b\\xff\\x00é"), b"a\\b\xff\x00\xc3\xa9");
        let bytes = b"a\\\xffb\\xff\xc3\xa9\xc3";
        assert_eq!(escaped(bytes), "a\\\\\\xffb\\\\xffé\\xc3");
        assert_eq!(unescaped(&escaped(bytes)), bytes);
    }
}
