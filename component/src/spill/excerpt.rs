//! What is shown in place of a result, within a budget.
//!
//! Whatever the content, an excerpt has at most the characters it was given. It shows structure,
//! start and end, and counts what it leaves out, so that what is shown and what is counted add up
//! to the whole.

mod binary;
mod counters;
mod elision;
mod failures;
mod json;
mod listing;
mod log;
mod markup;
mod parts;
mod rare;
mod rows;
mod table;
mod telling;
mod text;
mod values;
mod wrapped;
mod yaml;

use self::values::Values;
use crate::content::defang::defanged;
use crate::content::json::step;
use crate::content::kind::Kind;
use crate::content::marks::marks;
use crate::content::numbers::{counted, thousands};
use crate::content::scan::Cached;
use crate::content::show::{one_line, width};
use crate::content::template::Shapes;
use crate::limits::CLASSIFY_BYTES;
use crate::settings::TransformSettings;
use crate::source::{ReadError, Source};
use crate::spill::anchor::Hit;
use crate::spill::measure::Measure;
use crate::spill::purpose::Purpose;

/// Whether lines are paths, one each.
pub(super) fn are_paths(sample: &[u8]) -> bool {
    let lines: Vec<&[u8]> =
        sample.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    listing::recognise(&lines) == Some(listing::Listing::Paths)
}

/// What an excerpt is made from, beside the content.
#[derive(Debug, Clone, Copy)]
pub struct ExcerptRequest<'a> {
    /// What the content is.
    pub kind: Kind,
    /// How big the content is: its own measure.
    pub measure: &'a Measure,
    /// How many lines and items are shown.
    pub settings: &'a TransformSettings,
    /// The most characters the excerpt may have.
    pub budget_chars: usize,
    /// Whether the tool failed. Then start and end are shown as they are, as much as fits.
    pub is_error: bool,
    /// What the call was for, where that is known: lines that fit it are shown in place of some of the first.
    pub purpose: Option<&'a Purpose>,
}

/// What is shown in place of a content.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// The excerpt. It does not end with a line feed.
    pub text: String,
    /// A few words on what the content is: `array of 2,000 objects`. One line.
    pub detail: String,
    /// A few words on how much of it is shown: `first 40 and last 15 of 9,001 lines`. One line.
    pub shown: String,
    /// What the content says of parts that its tool left out already, quoted. One line.
    pub elided: Option<String>,
    /// The first part that is not shown.
    pub gap: Option<Gap>,
    /// A word of the content worth searching for.
    pub pattern: Option<String>,
    /// A question that its rows can be asked.
    pub query: Option<Query>,
    /// Whether an outline of its text has something to tell.
    pub is_outlined: bool,
    /// What its rows belong to, in words with a call: found by whoever stores it.
    pub related: Option<String>,
    /// How many rows it has, where that was counted.
    pub rows: Option<u64>,
    /// How many there are in all by its tool's own word, with the name of that.
    pub total: Option<(String, u64)>,
}

/// A question to the rows of a content.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The program, in the language of jq.
    pub program: String,
    /// What is made of its results; empty for nothing.
    pub reduce: &'static str,
    /// The keys of its rows that a program can say, the first ones.
    pub keys: Vec<String>,
}

/// Chooses the question that suits columns best: the values of one of which some are rare, or that repeat, or the range of
/// one of numbers; else the first rows.
#[derive(Default)]
struct Choice {
    worth: u8,
    query: Option<Query>,
    keys: Vec<String>,
}

impl Choice {
    /// A column of a name that a program can say.
    fn named(&mut self, name: &str, values: &Values) {
        // The program stands outside of the fence: a name that is not an identifier could say anything.
        let step = step(name);
        if !step.starts_with(".[") && step.len() <= NAME_CHARS {
            if self.keys.len() < MAX_KEYS {
                self.keys.push(step[1..].to_owned());
            }
            self.add(step, values);
        }
    }

    /// A column that a program gives.
    fn add(&mut self, program: String, values: &Values) {
        let (worth, reduce) = match () {
            () if !values.rare().is_empty() => (4, "distinct"),
            () if values.repeats() && !values.is_constant() => (3, "distinct"),
            () if values.is_numeric() => (2, "stats"),
            () if values.repeats() => (1, "distinct"),
            () => return,
        };
        if worth > self.worth {
            (self.worth, self.query) = (worth, Some(Query { program, reduce, ..Query::default() }));
        }
    }

    fn query(self) -> Query {
        let all = || Query { program: ".".to_owned(), ..Query::default() };
        Query { keys: self.keys, ..self.query.unwrap_or_else(all) }
    }
}

/// A part that is not shown, as a range that can be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// What `start` and `count` count.
    pub unit: Unit,
    /// The first line (from 1) or byte (from 0) of the part.
    pub start: u64,
    /// How many there are.
    pub count: u64,
}

/// What a range counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Lines.
    Lines,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// Its name in a fetch.
    pub fn as_str(self) -> &'static str {
        match self {
            Unit::Lines => "lines",
            Unit::Bytes => "bytes",
        }
    }
}

/// What a content is about, in lines to put before its text.
#[derive(Debug, Default)]
struct Outline {
    detail: String,
    // Lines of their own kind.
    lines: Vec<String>,
    // Lines of one kind, of which some may be left out when that is said.
    list: List,
    // Lines of JSON that are none, elements of XML that are like no other.
    odd: Vec<Hit>,
    // The shapes of all lines, where they were looked at.
    shapes: Option<Shapes>,
    // What it says of parts that its tool left out.
    elided: Option<String>,
    // What its rows can be asked.
    query: Option<Query>,
    // Whether there is more to tell of its parts than the list has.
    is_parted: bool,
}

/// Lines an outline may have; what is beyond is counted.
const OUTLINE_LINES: usize = 60;

/// Characters of one line in an outline.
const OUTLINE_LINE_CHARS: usize = 120;

/// Keys of rows that are kept.
const MAX_KEYS: usize = 16;

/// Characters of a name that a program spells out.
const NAME_CHARS: usize = 40;

/// Characters of [`Excerpt::detail`] and of [`Excerpt::shown`].
pub const WORDS_MAX_CHARS: usize = 200;

/// Below this many characters an excerpt only says how much there is.
const SMALLEST_CHARS: usize = 160;

/// Makes the excerpt of a content.
///
/// # Errors
/// As [`Source::read_at`].
pub fn excerpt<S: Source + ?Sized>(
    source: &S,
    request: &ExcerptRequest<'_>,
) -> Result<Excerpt, ReadError> {
    let source: &dyn Source = &source;
    let mut excerpt = make(source, request)?;
    excerpt.text = defanged(excerpt.text);
    // Words about what is shown may take more than was set aside for them: then the first and last lines are shown alone.
    if width(&excerpt.text) > request.budget_chars && request.kind != Kind::Binary {
        let settings = TransformSettings { anchor_words: Vec::new(), ..request.settings.clone() };
        let request = ExcerptRequest { settings: &settings, purpose: None, ..*request };
        let bare = text::excerpt(&Cached::new(source), &request, Outline::default())?;
        let text = defanged(bare.text);
        excerpt = Excerpt { text, shown: bare.shown, gap: bare.gap, ..excerpt };
    }
    if width(&excerpt.text) > request.budget_chars {
        excerpt.text = unseen(request);
        excerpt.shown = "nothing of it".to_owned();
        excerpt.gap = first_lines_gap(request);
    }
    if request.kind != Kind::Binary {
        excerpt.elided = match excerpt.elided {
            Some(elided) => Some(elided),
            None => elision::in_text(source, request.kind)?,
        };
    }
    if request.kind == Kind::Ndjson {
        excerpt.rows = Some(request.measure.lines);
    }
    excerpt.detail = one_line(&excerpt.detail, WORDS_MAX_CHARS);
    excerpt.shown = one_line(&excerpt.shown, WORDS_MAX_CHARS);
    Ok(excerpt)
}

fn make(source: &dyn Source, request: &ExcerptRequest<'_>) -> Result<Excerpt, ReadError> {
    if source.is_empty() {
        return Ok(Excerpt {
            detail: "empty".to_owned(),
            shown: "all of it".to_owned(),
            ..Excerpt::default()
        });
    }
    let outline = match request.kind {
        Kind::Binary => return binary::excerpt(source, request),
        Kind::Json => {
            let json = json::excerpt(&Cached::new(source), request)?;
            if !request.is_error {
                return Ok(json);
            }
            Outline { detail: json.detail, query: json.query, ..Outline::default() }
        }
        Kind::Ndjson => rows::json_lines(source)?,
        Kind::Csv | Kind::Tsv => table::separated(source)?,
        Kind::Xml => markup::xml(source, request)?,
        Kind::Log => log::shapes(source, request.measure)?,
        Kind::Html | Kind::Markdown | Kind::Diff | Kind::Code => marked(source, request)?,
        Kind::Text | Kind::Yaml | Kind::Sql => return text_of_some_sort(source, request),
    };
    text::excerpt(&Cached::new(source), request, outline)
}

/// The outline of a content whose parts have names.
fn marked(source: &dyn Source, request: &ExcerptRequest<'_>) -> Result<Outline, ReadError> {
    let marks = marks(source, request.kind, u64::MAX, OUTLINE_LINES)?.unwrap_or_default();
    let mut detail = lines_of(request.measure);
    if let Some(about) = marks.about {
        detail = format!("{about} in {}", counted(request.measure.lines, "line"));
    }
    let lines = marks.first.iter().map(|mark| {
        let line = format!("{}: {} {}", mark.line, mark.label, mark.detail);
        line.trim_end().to_owned()
    });
    let list = List { title: marks.noun.to_owned(), lines: lines.collect(), all: marks.all };
    let mut lines: Vec<String> =
        marks.title.iter().map(|title| format!("title: {title}")).collect();
    if request.kind == Kind::Html {
        lines.extend(markup::html_rows(source, request.measure)?);
    }
    Ok(Outline { detail, lines, list, ..Outline::default() })
}

/// The excerpt of a text that may be of a sort that has a shape of its own.
fn text_of_some_sort(
    source: &dyn Source,
    request: &ExcerptRequest<'_>,
) -> Result<Excerpt, ReadError> {
    let mut sample = source.read_range(0, CLASSIFY_BYTES as u64)?;
    if (sample.len() as u64) < source.len()
        && let Some(last) = memchr::memrchr(b'\n', &sample)
    {
        sample.truncate(last);
    }
    let lines: Vec<&[u8]> = sample
        .split(|byte| *byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.trim_ascii().is_empty())
        .collect();
    let measure = request.measure;
    if let Some(outline) = wrapped::outline(source, measure, &lines)? {
        // Nobody can read it: a few lines are enough to know it again.
        let settings =
            TransformSettings { head_lines: 2, tail_lines: 1, ..request.settings.clone() };
        let request = ExcerptRequest { settings: &settings, ..*request };
        return text::excerpt(&Cached::new(source), &request, outline);
    }
    let outline = match (request.kind, listing::recognise(&lines)) {
        (Kind::Yaml, _) => yaml::outline(source, measure)?,
        (_, Some(listing)) => listing::outline(source, measure, listing)?,
        _ => Outline { detail: lines_of(measure), ..Outline::default() },
    };
    text::excerpt(&Cached::new(source), request, outline)
}

/// `9,001 lines`, or for a single one also how long it is.
fn lines_of(measure: &Measure) -> String {
    match measure.lines {
        1 => format!("1 line of {}", counted(measure.chars, "char")),
        lines => counted(lines, "line"),
    }
}

/// What a short text beside a content says of parts that its tool left out.
pub(super) fn elided_by(text: &str) -> Option<String> {
    elision::in_text(&text.as_bytes(), Kind::Text).ok().flatten()
}

/// What stands for a content of which nothing can be shown.
fn unseen(request: &ExcerptRequest<'_>) -> String {
    let text = format!("[{} chars not shown]", thousands(request.measure.chars));
    if width(&text) <= request.budget_chars { text } else { String::new() }
}

fn first_lines_gap(request: &ExcerptRequest<'_>) -> Option<Gap> {
    let lines = request.measure.lines;
    Some(if lines > 1 {
        Gap { unit: Unit::Lines, start: 1, count: lines }
    } else {
        Gap { unit: Unit::Bytes, start: 0, count: request.measure.bytes }
    })
}

/// The first of many things of one kind, with how many there are.
#[derive(Debug, Default)]
struct List {
    // What they are: `headings`.
    title: String,
    lines: Vec<String>,
    all: u64,
}

impl List {
    fn new(title: &str) -> Self {
        List { title: title.to_owned(), ..List::default() }
    }

    /// What its lines are, of one where there is one.
    fn named(&self) -> String {
        let end = [" with ", " in ", ","].iter().filter_map(|sign| self.title.find(sign)).min();
        let (many, rest) = self.title.split_at(end.unwrap_or(self.title.len()));
        let one = many.strip_suffix('s').filter(|_| self.all == 1);
        format!("{}{rest}", one.unwrap_or(many))
    }

    fn push(&mut self, line: impl FnOnce() -> String) {
        if self.lines.len() < OUTLINE_LINES {
            self.lines.push(line());
        }
        self.all += 1;
    }
}

#[cfg(test)]
mod tests;
