//! Fallbacks of a query that fails or gives nothing as it stands: it runs on a converted text (a table, XML), on the whole
//! document, on all rows at once, or with the dots that its keys lack.

use super::beside::Beside;
use super::members::Members;
use super::parts::Parts;
use super::place::WHOLE_MAX_BYTES;
use super::program::{self, Program};
use super::read::read;
use super::{BY_ITSELF, DEEPER_BYTES, End, On, QueryAnswer, QueryRequest, once, xml};
use jaq_json::Val;

use crate::content::columns::{Drawn, drawn};
use crate::content::kind::Kind;
use crate::content::numbers::counted;
use crate::fence::token;
use crate::fetch::error::FetchError;
use crate::fetch::more;
use crate::source::Source;

/// Points that are put before names in one program.
const MOST_POINTS: usize = 8;

/// The same of a text that was converted: a table to CSV, XML to JSON.
const OF_CONVERTED: char = 'x';

/// That a program ran on something else than on each row, as it gave little there.
fn ran_once(by_rows: Option<&QueryAnswer>, on: On) -> String {
    let what = match on {
        On::Whole => "the whole document",
        _ => "the array of all rows",
    };
    let does = match by_rows.filter(|by_rows| by_rows.failed == 0) {
        None => "fails".to_owned(),
        Some(by_rows) if by_rows.results == 0 => "gives nothing".to_owned(),
        Some(by_rows) => {
            format!("gives {}", token(by_rows.content.lines().next().unwrap_or_default(), 60))
        }
    };
    format!("the program {does} on each row and runs on {what}: it ran once, on that")
}

pub(super) fn query_beside(
    source: &dyn Source,
    kind: Kind,
    request: &QueryRequest,
    beside: &Beside<'_>,
    max_chars: usize,
    steps: u64,
) -> Result<QueryAnswer, FetchError> {
    let answer = query_as_said(source, kind, request, beside, max_chars, steps);
    if let Err(error) = &answer
        && error.to_string().contains(program::NO_FUNCTION)
        && let Some(meant) = dotted(source, request, beside)?
    {
        let mut answer = query_as_said(source, kind, &meant, beside, max_chars, steps)?;
        answer.notes.push(format!("run as {}", token(&meant.program, 200)));
        return Ok(answer);
    }
    answer
}

fn query_as_said(
    source: &dyn Source,
    kind: Kind,
    request: &QueryRequest,
    beside: &Beside<'_>,
    max_chars: usize,
    steps: u64,
) -> Result<QueryAnswer, FetchError> {
    let once =
        |request: &QueryRequest, on| once(source, kind, request, beside, max_chars, on, steps);
    let given = request.cursor.as_deref().map(str::trim).unwrap_or_default();
    let as_converted = || of_converted(source, kind, request, beside, max_chars, steps);
    if given.starts_with(OF_CONVERTED) {
        return as_converted().unwrap_or_else(|| Err(more::refused("cursor")));
    }
    if kind == Kind::Xml
        && given.is_empty()
        && let Some(Ok(answer)) = as_converted()
    {
        return Ok(answer);
    }
    let of_itself = BY_ITSELF.iter().find(|(sign, _)| given.starts_with(*sign));
    if let Some((sign, on)) = of_itself.filter(|_| !request.whole) {
        let cursor = given.strip_prefix(*sign).map(str::to_owned);
        let request = QueryRequest { cursor, ..request.clone() };
        return match once(&request, *on)? {
            End::Answer(answer) => Ok(answer),
            End::Failed(error) => Err(error),
        };
    }
    let on = if request.whole { On::Whole } else { On::Rows };
    let (by_rows, rows) = match once(request, on)? {
        End::Answer(answer) => match ByRows::of(&answer, &request.program) {
            ByRows::Told => return Ok(answer),
            rows => (Ok(answer), rows),
        },
        End::Failed(error) => {
            if kind != Kind::Xml
                && let Some(answer) = as_converted()
            {
                return answer;
            }
            (Err(error), ByRows::Nothing)
        }
    };
    let fits = source.len() <= WHOLE_MAX_BYTES;
    let first = !request.whole && request.cursor.is_none() && (fits || kind == Kind::Json);
    // Of what has no sum, `add` is what jq makes of the array of all.
    let is_add = request.reduce.as_deref().is_some_and(|reduce| reduce.trim() == "add");
    if is_add && first && request.by.is_none() {
        let request = QueryRequest { reduce: Some("[.[]] | add".to_owned()), ..request.clone() };
        if let Ok(End::Answer(answer)) = once(&request, On::Rows) {
            return Ok(answer);
        }
    }
    if request.by.is_some() || request.reduce.is_some() {
        let is_meant = first && request.path.is_none() && by_rows.is_err();
        return match is_meant.then(|| summed_once(request, &once)).flatten() {
            Some(answer) => Ok(answer),
            None => by_rows,
        };
    }
    if !first {
        return by_rows;
    }
    if let Some(answer) = of_itself_once(kind, request, (&by_rows, rows), fits, &once) {
        return Ok(answer);
    }
    by_rows
}

/// The answer of a program that gives little on rows, where it gives something of the whole document or of all rows.
fn of_itself_once(
    kind: Kind,
    request: &QueryRequest,
    (by_rows, rows): (&Result<QueryAnswer, FetchError>, ByRows),
    fits: bool,
    once: &dyn Fn(&QueryRequest, On) -> Result<End, FetchError>,
) -> Option<QueryAnswer> {
    // A document may have 0 or nothing where its rows have not even that.
    let is_less = |line: &str| match by_rows {
        Ok(rows) if rows.failed == 0 && !rows.content.starts_with("null\n") => is_nothing(line),
        _ => line == "null",
    };
    for (_, on) in BY_ITSELF {
        // A path says where the rows are: the whole document is not meant. The array of all rows has something of
        // its own to tell only where no row has, and where it can be read.
        let is_meant = match on {
            On::Whole => request.path.is_none() && (rows == ByRows::Nothing || kind == Kind::Json),
            _ => rows == ByRows::Nothing && fits,
        };
        if !is_meant {
            continue;
        }
        if let Ok(End::Answer(mut answer)) = once(request, on)
            && answer.failed == 0
            && !answer.content.lines().all(is_less)
            && !(rows == ByRows::Same && answer.content.starts_with("[0,1,"))
        {
            answer.notes.push(ran_once(by_rows.as_ref().ok(), on));
            return Some(answer);
        }
    }
    None
}

/// What sums up the results of a program that fails on rows: those that it gives of the document, or of all rows.
fn summed_once(
    request: &QueryRequest,
    once: &dyn Fn(&QueryRequest, On) -> Result<End, FetchError>,
) -> Option<QueryAnswer> {
    let is_counted = request.program.trim_end().ends_with("length");
    let reduce = request.reduce.clone().filter(|reduce| !(is_counted && reduce.trim() == "count"));
    let request = QueryRequest { reduce, ..request.clone() };
    BY_ITSELF.into_iter().find_map(|(_, on)| match once(&request, on) {
        Ok(End::Answer(mut answer)) if answer.failed == 0 && !is_nothing(answer.content.trim()) => {
            answer.notes.push(ran_once(None, on));
            Some(answer)
        }
        _ => None,
    })
}

/// The request with the points before names that jq has no function of, where they are keys: `status == "failed"`.
fn dotted(
    source: &dyn Source,
    request: &QueryRequest,
    beside: &Beside<'_>,
) -> Result<Option<QueryRequest>, FetchError> {
    let (mut program, mut head) = (request.program.clone(), None);
    for added in 0..MOST_POINTS {
        let compiled =
            Program::compile(&program, beside.rows.len(), &mut Members::new(), &mut Parts::new());
        let Err(error) = compiled else {
            return Ok((added > 0).then(|| QueryRequest { program, ..request.clone() }));
        };
        let Some((name, at)) = program::unknown_name(&error) else { return Ok(None) };
        let head = match &mut head {
            Some(head) => head,
            head => head.insert(source.read_range(0, DEEPER_BYTES)?),
        };
        if name.len() < 2 || memchr::memmem::find(head, name.as_bytes()).is_none() {
            return Ok(None);
        }
        let at = program.char_indices().nth(at).map_or(program.len(), |(at, _)| at);
        program.insert(at, '.');
    }
    Ok(None)
}

/// Answers from a text that is converted first: a table in it to CSV, XML to JSON. None where there is neither.
fn of_converted(
    source: &dyn Source,
    kind: Kind,
    request: &QueryRequest,
    beside: &Beside<'_>,
    max_chars: usize,
    steps: u64,
) -> Option<Result<QueryAnswer, FetchError>> {
    let made = match kind {
        Kind::Xml => xml::as_json(source).map(|json| Some((json?, Kind::Json, 0))),
        Kind::Text | Kind::Markdown => {
            drawn(source).map(|drawn| drawn.map(|Drawn { csv, unfit }| (csv, Kind::Csv, unfit)))
        }
        _ => return None,
    };
    let (text, made_kind, unfit) = match made {
        Ok(made) => made?,
        Err(error) => return Some(Err(error.into())),
    };
    let given = request.cursor.as_deref().map(str::trim);
    let cursor = given.and_then(|given| given.strip_prefix(OF_CONVERTED)).map(str::to_owned);
    let (text, request) = (&text[..], QueryRequest { cursor, ..request.clone() });
    let answer = query_beside(&text, made_kind, &request, beside, max_chars, steps);
    Some(answer.map(|mut answer| {
        for more in [&mut answer.next, &mut answer.restart].into_iter().flatten() {
            more.insert(0, OF_CONVERTED);
        }
        answer.notes.push(match made_kind {
            Kind::Csv => "read as the table in the text".to_owned(),
            _ => "XML is read as JSON: attributes as \"@name\", values as strings".to_owned(),
        });
        if unfit > 0 {
            let lines = counted(unfit as u64, "line");
            answer.notes.push(format!("skipped {lines} that do not fit its columns"));
        }
        answer
    }))
}

/// What a program told of the first rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByRows {
    /// Nothing: null or 0 of each.
    Nothing,
    /// The same of each.
    Same,
    /// Something.
    Told,
}

/// Rows that are alike by chance.
const FEW_ROWS: u64 = 3;

impl ByRows {
    fn of(answer: &QueryAnswer, program: &str) -> ByRows {
        let rows = (answer.last_row + 1).saturating_sub(answer.first_row);
        if rows > 0 && answer.failed >= rows && answer.results == 0 {
            return ByRows::Nothing;
        }
        if rows == 0 || answer.failed > 0 || answer.table {
            return ByRows::Told;
        }
        // What is not there has no items.
        if answer.results == 0 && program.contains("[]?") && !program.contains("select") {
            return ByRows::Nothing;
        }
        let lines: Vec<&str> = answer.content.lines().collect();
        let of_row = lines.len().div_ceil(rows as usize);
        let is_same = lines.iter().skip(of_row).zip(&lines).all(|(line, before)| line == before);
        if answer.results < rows || !is_same {
            return ByRows::Told;
        }
        match lines[..of_row].iter().all(|line| is_nothing(line)) {
            true => ByRows::Nothing,
            false if rows >= FEW_ROWS && program.trim() != "." => ByRows::Same,
            false => ByRows::Told,
        }
    }
}

/// Whether a result tells nothing: null, 0, false, or of these alone.
fn is_nothing(line: &str) -> bool {
    let is_none = |value: &Val| match value {
        Val::Null | Val::Bool(false) => true,
        Val::Num(_) => *value == Val::from(0usize),
        Val::Arr(items) => items.is_empty(),
        Val::Obj(members) => members.is_empty(),
        _ => false,
    };
    match read(line.as_bytes()) {
        Ok(Val::Arr(items)) => items.iter().all(is_none),
        Ok(Val::Obj(members)) => members.values().all(is_none),
        Ok(value) => is_none(&value),
        Err(_) => false,
    }
}
