//! `weir fetch`: read back from a stored result.

mod file;
mod later;
mod questions;

use weir_host::Weir;
use weir_host::contract::{
    BlobStat, CaseMode, Encoding, GrepLine, GrepPage, GrepRequest, Page, Unit, View,
};
use weir_text::hidden::one_line;

use super::answer::Answer;
use super::args::{Fetch, Grep, Selection};
use super::console::Console;
use super::context::Context;
use super::failure::Failure;
use super::ids;
use super::json;
use super::numbers::{age, group, size};

/// The most matches that a terminal is shown.
const TERMINAL_MATCHES: u32 = 50;

/// How the component names what a text leaves out: what an envelope holds around it, and what was written over.
const LEFT_OUT: [&str; 2] = ["what stood beside the text", "what a terminal would not show"];

pub(crate) fn run(
    args: &Fetch,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    if args.questions.more.as_deref() == Some("") {
        return later::go_on(args.id.is_none() && args.selection == Selection::default(), context);
    }
    let session = context.session();
    let view = if args.raw { View::Raw } else { View::Text };
    let selection = &args.selection;
    let taken = match args.id.as_deref().filter(|name| file::is_named(name)) {
        Some(name) => match file::take(name, args.keep, context, console)? {
            None => return Ok(Answer::No),
            taken => taken,
        },
        None => None,
    };
    let weir = match &taken {
        Some(taken) => taken.weir.clone(),
        None => context.weir(console)?,
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
    let options = &args.questions;
    let unnamed = if args.id.is_none() { id.as_deref() } else { None };
    let keep = |more: &str| later::keep(context, unnamed, more);
    let id = id.as_deref();
    let asked = questions::Asked { weir: &weir, session, id, view, options, keep: &keep };
    if let Some(answer) = asked.answer(selection, console)? {
        return Ok(answer);
    }
    let id = id.unwrap_or_default();
    // How it is named again: a file that is not kept has no id then.
    let name = args.id.as_deref().filter(|_| taken.is_some() && !args.keep).unwrap_or(id);
    if let Some(pattern) = &selection.grep {
        return grep(&weir, session, id, view, &query(pattern, args), console);
    }
    if selection.all {
        return all(&weir, session, id, view, console);
    }
    part(&asked, selection, name, console)
}

/// Shows a part of the text, or what is known of it where none is named. `name` is how it is named again.
fn part(
    asked: &questions::Asked<'_>,
    selection: &Selection,
    name: &str,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let questions::Asked { weir, session, view, options, .. } = *asked;
    let id = asked.id();
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
                    return Ok(past_end(failure.total.unwrap_or(0), *unit, name, console));
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
    show(&page, count, name, view, console)
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

fn stat(stat: &BlobStat, console: &mut Console) -> Result<Answer, Failure> {
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

fn show(
    page: &Page,
    count: Option<u64>,
    id: &str,
    view: View,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let is_past_end = page.content.is_empty() && page.total > 0;
    let answer = if is_past_end { Answer::No } else { Answer::Yes };
    if console.json() {
        console.value(&json::page(page))?;
        return Ok(answer);
    }
    console.bytes(&decoded(page))?;
    console.flush_all()?;
    if is_past_end {
        return Ok(past_end(page.total, page.unit, id, console));
    }
    if page.more.is_some() {
        let last = |end: u64| end.saturating_sub(1);
        let raw = if view == View::Raw { " --raw" } else { "" };
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
fn past_end(total: u64, unit: Unit, id: &str, console: &mut Console) -> Answer {
    let unit = json::unit(unit);
    console.note(format_args!("nothing there, past the end: {id} has {} {unit}", group(total)));
    Answer::No
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

/// Follows `more` from the start to the end. As JSON it is one page, which is held in memory.
fn all(
    weir: &Weir,
    session: &str,
    id: &str,
    view: View,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let (first, rest) = (first_of_all(weir), uncounted(&weir.with_large_pages()));
    let mut whole = empty_page();
    loop {
        let more = whole.more.take();
        let reader = if more.is_none() { &first } else { &rest };
        let page = match reader.read(session, id, view, Unit::Bytes, 0, None, more.as_deref()) {
            // An empty result has no first byte, and nothing is all of it.
            Err(weir_host::Error::Refused(failure))
                if failure.code == "out-of-range" && failure.total == Some(0) =>
            {
                break;
            }
            other => other?,
        };
        whole.more.clone_from(&page.more);
        if console.json() {
            append(&mut whole, page);
        } else {
            console.bytes(&decoded(&page))?;
        }
        if whole.more.is_none() {
            break;
        }
    }
    if console.json() {
        console.value(&json::page(&whole))?;
    }
    console.flush_all()?;
    Ok(Answer::Yes)
}

/// Puts a page behind the others, escaped from when on one of them is.
fn append(whole: &mut Page, page: Page) {
    let escaped = |text: &str| text.replace('\\', "\\\\");
    match (whole.encoding, page.encoding) {
        (Encoding::Utf8, Encoding::Escaped) => {
            whole.content = escaped(&whole.content);
            whole.encoding = Encoding::Escaped;
            whole.content.push_str(&page.content);
        }
        (Encoding::Escaped, Encoding::Utf8) => whole.content.push_str(&escaped(&page.content)),
        _ => whole.content.push_str(&page.content),
    }
    (whole.end, whole.total, whole.end_byte) = (page.end, page.total, page.end_byte);
}

/// The bytes that a page stands for.
fn decoded(page: &Page) -> Vec<u8> {
    if page.encoding == Encoding::Utf8 {
        return page.content.clone().into_bytes();
    }
    let text = page.content.as_bytes();
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let hex = text.get(at + 2..at + 4).and_then(|hex| std::str::from_utf8(hex).ok());
        match (text[at], text.get(at + 1), hex.and_then(|hex| u8::from_str_radix(hex, 16).ok())) {
            (b'\\', Some(b'\\'), _) => {
                bytes.push(b'\\');
                at += 2;
            }
            (b'\\', Some(b'x'), Some(byte)) => {
                bytes.push(byte);
                at += 4;
            }
            (byte, ..) => {
                bytes.push(byte);
                at += 1;
            }
        }
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

fn grep(
    weir: &Weir,
    session: &str,
    id: &str,
    view: View,
    query: &GrepRequest,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let is_read = console.columns().is_some() && !console.json();
    let most = match query.max_matches.filter(|_| !query.count_only) {
        None if is_read && !query.count_only => TERMINAL_MATCHES,
        most => most.unwrap_or(u32::MAX),
    };
    let mut lines = Vec::new();
    let (mut shown, mut last) = (0, 0);
    let mut page = found(weir, session, id, view, query, most, &mut |hit| {
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
    if page.view != view {
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
    weir: &Weir,
    session: &str,
    id: &str,
    view: View,
    query: &GrepRequest,
    mut left: u32,
    each: &mut dyn FnMut(GrepLine) -> Result<(), Failure>,
) -> Result<GrepPage, Failure> {
    let weir = weir.with_large_pages();
    let query = &GrepRequest { max_matches: Some(left), ..query.clone() };
    // Context of the one page may be in the other: what follows its last match waits.
    let mut waiting: Vec<GrepLine> = Vec::new();
    let (mut last, mut more) = (0, None);
    loop {
        let mut page = weir.grep(session, id, view, query, more.as_deref())?;
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

fn summary(page: &GrepPage, shown: u64, query: &GrepRequest, console: &mut Console) {
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

/// Nothing read yet.
fn empty_page() -> Page {
    Page {
        content: String::new(),
        encoding: Encoding::Utf8,
        unit: Unit::Bytes,
        start: 0,
        end: 0,
        total: 0,
        start_byte: 0,
        end_byte: 0,
        more: None,
    }
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

    fn page(content: &str, encoding: Encoding) -> Page {
        Page { content: content.into(), encoding, ..empty_page() }
    }

    #[test]
    fn an_escaped_page_decodes_to_its_bytes() {
        let page = page("a\\\\b\\xff\\x00é", Encoding::Escaped);
        assert_eq!(decoded(&page), b"a\\b\xff\x00\xc3\xa9");
    }

    #[test]
    fn pages_of_either_encoding_make_one() {
        let mut whole = page("", Encoding::Utf8);
        append(&mut whole, page("a\\", Encoding::Utf8));
        assert_eq!((&*whole.content, whole.encoding), ("a\\", Encoding::Utf8));
        append(&mut whole, page("\\xff", Encoding::Escaped));
        append(&mut whole, page("b\\", Encoding::Utf8));
        assert_eq!(decoded(&whole), b"a\\\xffb\\");
    }
}
