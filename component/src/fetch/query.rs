//! Answers questions about a stored result with a program in the jq language.
//!
//! ```text
//! rows (items, lines, table rows) ─► program on each ─► results ─► page
//!                                                          └─► reducer ─► groups ─► page
//! ```
//!
//! Rows are read one after the other, so that the size of a result does not matter. One call reads so
//! many of them as its work allows and says where it stopped; a reducer's state goes along in the cursor.
//! A program without end, or that takes too much of the stack or of memory, is ended by the host.

mod beside;
mod columns;
pub(super) mod dates;
mod dialect;
mod fallback;
mod fast;
mod json_path;
mod kit;
mod members;
mod natives;
mod normalize;
mod parts;
pub(in crate::fetch) mod place;
mod program;
pub(in crate::fetch) mod read;
mod reduce;
pub(in crate::fetch) mod rows;
pub(in crate::fetch) mod scan;
pub(in crate::fetch) mod seek;
mod sketch;
mod terms;
pub(in crate::fetch) mod value;
pub(in crate::fetch) mod xml;
pub(in crate::fetch) mod yaml;

use std::fmt;

use jaq_core::ValT as _;
use jaq_json::Val;

use self::beside::Beside;
pub(super) use self::beside::query_joined;
use self::fallback::query_beside;
use self::kit::{Kept, Mixed};
use self::members::{Found, Members};
use self::parts::Parts;
use self::place::{Place, Shape, WHOLE_MAX_BYTES};
use self::program::Program;
use self::read::read;
use self::reduce::{Reducer, State};
use self::rows::Rows;
use self::scan::Odd;
use super::error::FetchError;
use super::more;
use super::view::View;
use crate::content::kind::Kind;
use crate::content::table::is_number;
use crate::fence::token;
use crate::handle::Ids;
use crate::source::Source;

/// Rows that all failed from which on no other is tried. As few as a slice may have are no reason.
const HOPELESS_ROWS: u64 = 1_000;

/// Bytes that are read for one step of work.
const BYTES_PER_STEP: u64 = 16;

/// The same where a program has a short way.
const FAST_BYTES_PER_STEP: u64 = 64;

/// Bytes of such a program that count as a step of work on each row.
const PROGRAM_BYTES_PER_STEP: u64 = 32;

/// Bytes in which a key is looked for that no row has itself.
const DEEPER_BYTES: u64 = 1024 * 1024;

/// Groups that one row may be in.
const MAX_KEYS: usize = 1_000;

/// Bytes of a reducer's state that go along to the next call.
const STATE_MAX_BYTES: usize = 1024 * 1024;

/// Results on one page at most.
const MAX_RESULTS: u64 = 10_000;

/// A question about a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryRequest {
    /// The result.
    pub id: Ids,
    /// Which of its bytes.
    pub view: View,
    /// The program, in the language of jq. It is run on each row.
    pub program: String,
    /// Where the rows are, when the result is one JSON document: `/data/items` or `.data.items`;
    /// with `[]` behind it, the members of an object. None for the array that is most of it.
    pub path: Option<String>,
    /// A program that gives the key of a row: of its group, or by which `top` orders.
    pub by: Option<String>,
    /// What is made of all results: `count`, `sum`, `mean`, `min`, `max`, `stats`, `distinct`,
    /// `top 5`, `bottom 5`, or a program that is run on the array of them.
    pub reduce: Option<String>,
    /// Whether the program is run once, on all of it.
    pub whole: bool,
    /// Whether results that are objects are shown as a table.
    pub table: bool,
    /// The most results to show.
    pub limit: Option<u64>,
    /// `next` of an earlier answer to the same request.
    pub cursor: Option<String>,
}

/// What a program gave.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueryAnswer {
    /// The results: JSON, one a line, or the rows of a table with the names of its columns first.
    pub content: String,
    /// Whether the content is a table.
    pub table: bool,
    /// How many results the content has.
    pub results: u64,
    /// What the rows are, in words: `items of "/data/items"`. What a tool chose is quoted.
    pub rows: String,
    /// The first row that was read for this answer, from 1.
    pub first_row: u64,
    /// The last; 0 when there are none.
    pub last_row: u64,
    /// Rows on which the program failed.
    pub failed: u64,
    /// How it failed on the first of them. It may hold words of the tool.
    pub first_failure: Option<String>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// Whether every row was read.
    pub complete: bool,
    /// Whether the last result is shown in part.
    pub cut: bool,
    /// How to go on: the `cursor` of the next request. None when this is all.
    pub next: Option<String>,
    /// How to go on without what was made of the rows so far, when that is long.
    pub restart: Option<String>,
}

/// Where a query goes on: a place, results of its row that were shown, rows that failed, and the
/// state of a reducer.
#[derive(Debug, Default)]
struct Progress {
    place: Option<Place>,
    skip: u64,
    first_row: u64,
    failed: u64,
    /// Results of the reducer that were shown.
    shown: u64,
    mixed: Mixed,
    /// The row and the column of a code among numbers.
    late: Option<(u64, usize)>,
    state: Option<State>,
}

impl Progress {
    /// As it is before the row `first_row`, which is at `place`.
    fn at(place: Place, first_row: u64) -> Progress {
        Progress { place: Some(place), first_row, ..Progress::default() }
    }

    fn parse(text: &str) -> Option<Progress> {
        let (head, state) = match text.split_once(';') {
            Some((head, state)) => (head, Some(State::load(state)?)),
            None => (text, None),
        };
        let mut parts = head.split('.');
        let place = Place::parse(parts.next()?)?;
        let mut number = || parts.next()?.parse::<u64>().ok();
        let (skip, first_row, failed, shown) = (number()?, number()?, number()?, number()?);
        let [texts, figures, nulls] = [(); 3].map(|()| number().unwrap_or(0));
        let mixed = Mixed { texts, figures, nulls };
        let late = number().zip(number().and_then(|column| usize::try_from(column).ok()));
        Some(Progress { place: Some(place), skip, first_row, failed, shown, mixed, late, state })
    }
}

impl fmt::Display for Progress {
    /// All but the state.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { place: Some(place), skip, first_row, failed, shown, mixed, late, .. } = self
        else {
            return Ok(());
        };
        write!(out, "{place}.{skip}.{first_row}.{failed}.{shown}")?;
        match (mixed, late) {
            (Mixed { texts: 0, nulls: 0, .. }, None) => Ok(()),
            (Mixed { texts, figures, nulls }, None) => write!(out, ".{texts}.{figures}.{nulls}"),
            (Mixed { texts, figures, nulls }, Some((row, column))) => {
                write!(out, ".{texts}.{figures}.{nulls}.{row}.{column}")
            }
        }
    }
}

/// A program, compiled, or what is wrong with the argument.
fn compiled(
    argument: &'static str,
    source: &str,
    beside: &Beside<'_>,
    members: &mut Members,
    parts: &mut Parts,
) -> Result<Program, FetchError> {
    Program::compile(source, beside.rows.len(), members, parts)
        .map_err(|error| FetchError::invalid(argument, format!("{error}; it is a jq program")))
}

/// On what a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    /// On each row.
    Rows,
    /// Once, on the whole document.
    Whole,
    /// Once, on the array of all rows.
    All,
}

/// Before a cursor of a program that was run on more than a row although nobody asked for it.
const BY_ITSELF: [(char, On); 2] = [('w', On::Whole), ('a', On::All)];

/// What the last row of a table is called where it sums up the others, and the bytes in which it stands.
const TOTALS: &str =
    "total totals sum subtotal average mean gesamt summe insgesamt gesamtsumme totale suma";
const END_BYTES: u64 = 2_048;

/// How a query ended.
enum End {
    Answer(QueryAnswer),
    /// The program failed on every row: what is said of that.
    Failed(FetchError),
}

/// Answers `request` about `source`, in at most `max_chars` characters of content. No row is begun after so many
/// `steps` of work.
///
/// A program that fails on every row, or gives nothing or the same on each, is run on all at once, as jq would: when
/// that gives something, this is the answer, and it says so.
pub(super) fn query(
    source: &dyn Source,
    kind: Kind,
    request: &QueryRequest,
    max_chars: usize,
    steps: u64,
) -> Result<QueryAnswer, FetchError> {
    query_beside(source, kind, request, &Beside::default(), max_chars, steps)
}

/// Runs the program of a request on what is said; no row is begun after so many steps of work.
#[inline(never)]
fn once(
    source: &dyn Source,
    kind: Kind,
    request: &QueryRequest,
    beside: &Beside<'_>,
    max_chars: usize,
    on: On,
    steps: u64,
) -> Result<End, FetchError> {
    let (mut members, mut parts) = (Members::new(), Parts::new());
    let program = compiled("query", &request.program, beside, &mut members, &mut parts)?;
    let by = request.by.as_deref().map(|by| compiled("by", by, beside, &mut members, &mut parts));
    let by = by.transpose()?;
    let (reducer, second) = reducing(request, beside)?;
    let progress = match request.cursor.as_deref() {
        None => Progress::default(),
        Some(text) => Progress::parse(text.trim()).ok_or_else(|| more::refused("cursor"))?,
    };
    let yaml = yaml::as_json(source, kind)?;
    let made = yaml.as_ref().and_then(|made| made.as_ref().ok());
    let text: &[u8] = made.map_or(&[], |json| &json.text);
    let (source, kind): (&dyn Source, Kind) = match made {
        Some(json) => (&text, json.kind),
        None => (source, kind),
    };
    let path = request.path.as_deref();
    let is_whole = on == On::Whole;
    let sketch = match is_whole && source.len() > WHOLE_MAX_BYTES {
        true => Some(sketched(source, kind, &request.program)?),
        false => None,
    };
    let mut rows = Rows::open(source, kind, path, is_whole, progress.place)?;
    // A long program takes longer on each row, however short that is.
    let programs = request.program.len() + request.by.as_ref().map_or(0, String::len);
    let run = Run {
        request,
        on,
        is_fast: program.fast.is_some() && by.as_ref().is_none_or(|by| by.fast.is_some()),
        per_row: programs as u64 / PROGRAM_BYTES_PER_STEP,
        is_one: rows.is_one(),
        program,
        by,
        reducer,
        second,
        kept: Kept { beside: beside.rows.clone(), ..Kept::default() },
        beside,
        steps,
        max_chars,
        answer: QueryAnswer { table: request.table, ..QueryAnswer::default() },
        output: Output::new(request, max_chars),
        sample: None,
        sketch,
        mixed: Mixed::default(),
        met: 0,
        members,
        parts,
        found: Found::default(),
        outputs: Vec::new(),
    };
    run.kept.count(rows.looked_at / (BYTES_PER_STEP * 8));
    if yaml.is_some() {
        run.kept.count(source.len() / BYTES_PER_STEP);
    }
    rows.is_yaml = made.is_some();
    let mut end = run.all(source, &mut rows, progress)?;
    if let (Some(Err(why)), End::Answer(answer)) = (yaml, &mut end) {
        answer.notes.push(format!("it looks like YAML, but is read line by line: {why}"));
    }
    if let End::Answer(answer) = &mut end
        && program::parse(&request.program).is_ok_and(|term| terms::sets_in_select(&term))
    {
        answer
            .notes
            .push("select(... = ...) sets a value and takes every row: == compares".to_owned());
    }
    Ok(end)
}

/// What results become, and the program of it where that is one.
fn reducing(
    request: &QueryRequest,
    beside: &Beside<'_>,
) -> Result<(Option<Reducer>, Option<Program>), FetchError> {
    let reducer = match (request.reduce.as_deref(), &request.by) {
        (Some(reduce), _) => Some(Reducer::parse(reduce)),
        // A key without more is a question of how many there are of each.
        (None, Some(_)) => Some(Reducer::Count),
        (None, None) => None,
    };
    let second = match &reducer {
        Some(Reducer::Program(source)) => {
            Some(compiled("reduce", source, beside, &mut Members::new(), &mut Parts::new())?)
        }
        _ => None,
    };
    Ok((reducer, second))
}

/// As much as a program looks at of a document that is too large to be read whole.
fn sketched(source: &dyn Source, kind: Kind, program: &str) -> Result<Val, FetchError> {
    let made = match (kind, program::parse(program)) {
        (Kind::Json, Ok(term)) => {
            let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
            sketch::sketch(source, start, &term)?
        }
        _ => None,
    };
    made.ok_or_else(|| {
        let bytes = source.len();
        FetchError::invalid(
            "whole",
            format!(
                "the document has {bytes} bytes, and at most {WHOLE_MAX_BYTES} are read whole; of a larger one a \
                 query names what it needs: .total, .data.items | length. Without it the query runs on each row, \
                 and reduce or by sums up: query \".status\", reduce \"distinct\""
            ),
        )
    })
}

/// Why a row was not done by the short way.
enum Stop {
    /// It must go the long way.
    Odd,
    /// The query ends.
    Refused(FetchError),
}

impl From<Odd> for Stop {
    fn from(_: Odd) -> Stop {
        Stop::Odd
    }
}

impl From<FetchError> for Stop {
    fn from(error: FetchError) -> Stop {
        Stop::Refused(error)
    }
}

/// A query under way.
struct Run<'r> {
    request: &'r QueryRequest,
    on: On,
    /// Whether all programs have a short way.
    is_fast: bool,
    /// Steps of work that each row takes by the length of the programs.
    per_row: u64,
    program: Program,
    by: Option<Program>,
    reducer: Option<Reducer>,
    second: Option<Program>,
    kept: Kept,
    beside: &'r Beside<'r>,
    /// Steps of work after which no row is begun.
    steps: u64,
    max_chars: usize,
    /// Whether there is one value to be read, not rows.
    is_one: bool,
    answer: QueryAnswer,
    output: Output,
    /// What the first row on which the program failed is.
    sample: Option<String>,
    /// The document, as far as the program looks at it, where it is too large to be read whole.
    sketch: Option<Val>,
    /// Rows that compare what is no number with one.
    mixed: Mixed,
    /// Which members that the program looks at a row had, a bit each.
    met: u64,
    /// What the programs look at, when they have a short way.
    members: Members,
    /// What they look at, whether they have or not.
    parts: Parts,
    found: Found,
    /// What the program gave for the row at hand, by the short way.
    outputs: Vec<Val>,
}

impl QueryAnswer {
    /// More rows are to be reduced, from this place on: with what was counted, where that is not too long.
    fn goes_on(&mut self, place: Place, head: &Progress, saved: &str) {
        self.restart = Some(Progress::at(place, place.row).to_string());
        self.next = match saved.len() <= STATE_MAX_BYTES {
            true => Some(format!("{head};{saved}")),
            false => self.restart.clone(),
        };
    }
}

impl Run<'_> {
    /// Runs the program on one row after the other: where it stopped, with how much of that row was shown.
    fn each(
        &mut self,
        rows: &mut Rows<'_>,
        mut skip: u64,
        state: &mut State,
    ) -> Result<Option<(Place, u64)>, FetchError> {
        loop {
            let place = rows.place();
            if self.kept.work() > self.steps {
                return Ok(Some((place, 0)));
            }
            match self.next_row(rows, skip, state)? {
                None => return Ok(None),
                Some((start, Some(shown))) => {
                    return Ok(Some((Place { byte: start.max(place.byte), ..place }, shown)));
                }
                Some(_) => skip = 0,
            }
        }
    }

    fn all(
        mut self,
        source: &dyn Source,
        rows: &mut Rows<'_>,
        progress: Progress,
    ) -> Result<End, FetchError> {
        let started = rows.place();
        self.answer.rows = rows.words();
        self.answer.first_row = match progress.first_row {
            0 => started.row,
            row => row,
        };
        self.answer.failed = progress.failed;
        self.mixed = progress.mixed;
        rows.late = progress.late;
        let mut state = progress.state.unwrap_or_default();
        let mut next = None;
        if self.on != On::Rows {
            self.whole(rows, progress.shown, &mut state)?;
        } else {
            next = self.each(rows, progress.skip, &mut state)?;
            self.answer.last_row = match next {
                Some((place, skip)) => place.row - 1 + u64::from(skip > 0),
                None => rows.place().row - 1,
            };
        }
        // What follows the last row shown may be nothing.
        if let Some((_, 0)) = next
            && rows.at_end()?
        {
            next = None;
        }
        self.answer.complete = next.is_none();
        let first_row = self.answer.first_row;
        let (failed, mixed, late) = (self.answer.failed, self.mixed, rows.late);
        if self.answer.last_row < first_row {
            self.answer.last_row = 0;
        }
        let count = self.answer.last_row.saturating_sub(first_row) + 1;
        // Of nothing that could be read there is no sum.
        let is_told = self.answer.complete || count >= HOPELESS_ROWS;
        if failed > 0 && failed >= count && self.output.count == 0 && first_row <= 1 && is_told {
            return Ok(End::Failed(self.all_failed(source)?));
        }
        if let Some(reducer) = self.reducer.clone() {
            if let Some((place, _)) = next {
                let head = Progress { failed, mixed, late, ..Progress::at(place, first_row) };
                self.answer.goes_on(place, &head, &state.save());
            }
            self.answer.notes = state.notes();
            self.reduced(&reducer, &state, progress.shown, started)?;
        } else if let Some((place, shown)) = next {
            // Where nothing is shown, the next answer stands for this one too.
            let next = match self.output.count {
                0 => Progress { failed, mixed, late, ..Progress::at(place, first_row) },
                _ => Progress::at(place, place.row),
            };
            self.answer.next = Some(Progress { skip: shown, ..next }.to_string());
        }
        if self.on == On::Rows
            && self.answer.complete
            && first_row <= 1
            && failed == 0
            && self.answer.last_row > 0
        {
            let missing = self.missing(source)?;
            let total = self.last_total(source, rows.place().shape)?;
            self.answer.notes.extend(missing.into_iter().chain(total));
        }
        let mixed = self.mixed.notes(self.on, rows.place().shape);
        self.answer.notes.extend(mixed.chain(rows.late_words()));
        let (content, results, cut) = self.output.finish(self.max_chars);
        self.answer.content = content;
        self.answer.results = results;
        self.answer.cut = cut;
        Ok(End::Answer(self.answer))
    }

    /// Reads the next row, no more of it than the program looks at where that can be told, and runs the program on
    /// it. Returns where the row starts and what [`Run::row`] returns; nothing after the last.
    fn next_row(
        &mut self,
        rows: &mut Rows<'_>,
        skip: u64,
        state: &mut State,
    ) -> Result<Option<(u64, Option<u64>)>, FetchError> {
        if self.beside.joined.is_some() {
            self.kept.from.set(self.beside.id_at(rows.place().byte));
        }
        if !(rows.are_raw() && (self.is_fast || self.parts.are_known())) {
            let Some(row) = rows.next()? else { return Ok(None) };
            self.kept.count(row.bytes / BYTES_PER_STEP + 8);
            return Ok(Some((row.start, self.row(row.value, skip, state)?)));
        }
        let Some(raw) = rows.next_raw()? else { return Ok(None) };
        let start = raw.start;
        self.kept.count(raw.bytes / FAST_BYTES_PER_STEP + 2 + self.per_row);
        if self.is_fast
            && let Some(text) = rows.text(&raw)?
        {
            match self.fast_row(text, skip, state) {
                Ok(shown) => return Ok(Some((start, shown))),
                Err(Stop::Refused(error)) => return Err(error),
                Err(Stop::Odd) => {}
            }
        }
        self.kept.count(8);
        let part = match rows.text(&raw)? {
            Some(text) if self.parts.are_known() => self.parts.read(text, &mut self.found).ok(),
            _ => None,
        };
        let Some((value, read)) = part else {
            self.kept.count(raw.bytes / BYTES_PER_STEP);
            return Ok(Some((start, self.row(rows.read(raw)?.value, skip, state)?)));
        };
        self.kept.count(read as u64 / BYTES_PER_STEP);
        let unknown = self.sample.is_none();
        let shown = self.row(Ok(value), skip, state)?;
        // What is told of a row is told of all of it.
        if unknown && self.sample.is_some() {
            let row = rows.read(raw)?.value;
            self.sample = row.ok().map(|value| value::describe(&value));
        }
        Ok(Some((start, shown)))
    }

    /// Says why no row had a result, and what the rows are like.
    fn all_failed(&self, source: &dyn Source) -> Result<FetchError, FetchError> {
        let error = self.answer.first_failure.as_deref().unwrap_or("the program failed");
        let error = token(error, 240);
        let sample = self.sample.as_deref().unwrap_or("one that cannot be read");
        let rows = &self.answer.rows;
        if self.on != On::Rows || self.is_one {
            let message = format!("{error}. The query is run on {rows}: {sample}");
            return Ok(FetchError::invalid("query", message));
        }
        let mut message = format!(
            "{error} on every row. The query is run on each row, here the {rows}: the first is \
             {sample}"
        );
        if rows.contains("of \"/") {
            let arrays = seek::arrays(source)?;
            message.push_str(&format!(
                ". Elsewhere with path: {arrays}; on the whole document with \"whole\": true"
            ));
        } else if source.len() <= WHOLE_MAX_BYTES {
            message.push_str(". On all at once with \"whole\": true");
        }
        Ok(FetchError::invalid("query", message))
    }

    /// Runs the program on one row by its short way. Returns as [`Run::row`] does.
    fn fast_row(&mut self, text: &[u8], skip: u64, state: &mut State) -> Result<Option<u64>, Stop> {
        self.found.read(text, &self.members)?;
        if !self.are_met() {
            self.meet(text);
        }
        let Some(program) = &self.program.fast else { return Err(Stop::Odd) };
        let (mut keys, mut mixed) = (vec![], Mixed::default());
        if let Some(by) = &self.by {
            let Some(by) = &by.fast else { return Err(Stop::Odd) };
            self.outputs.clear();
            mixed = by.run(text, &self.found, true, &mut self.outputs)?;
            if self.outputs.is_empty() {
                self.mixed.add_row(mixed);
                state.in_no_group();
                return Ok(None);
            }
            keys.append(&mut self.outputs);
        }
        self.outputs.clear();
        let wanted = self.reducer != Some(Reducer::Count);
        mixed.add(program.run(text, &self.found, wanted, &mut self.outputs)?);
        self.mixed.add_row(mixed);
        let mut outputs = std::mem::take(&mut self.outputs);
        let mut shown = None;
        for (count, result) in (0u64..).zip(outputs.drain(..)).skip(skip as usize) {
            let Some(reducer) = &self.reducer else {
                if self.output.push(result) {
                    continue;
                }
                shown = Some(count);
                break;
            };
            if let Err(error) = state.take_for(reducer, &keys, result) {
                self.refused(error, read(text).ok().as_ref())?;
                break;
            }
        }
        self.outputs = outputs;
        Ok(shown)
    }

    /// Notes a result that the reducer does not take. Some of them end the query.
    fn refused(&mut self, error: String, value: Option<&Val>) -> Result<(), FetchError> {
        if matches!(self.reducer, Some(Reducer::Program(_) | Reducer::Top { .. })) {
            return Err(FetchError::invalid("reduce", error));
        }
        self.fail(error, value);
        Ok(())
    }

    /// Runs the program on one row. Returns how many of its results were shown when the page is
    /// full.
    fn row(
        &mut self,
        value: Result<Val, String>,
        skip: u64,
        state: &mut State,
    ) -> Result<Option<u64>, FetchError> {
        self.kept.mixed.take();
        let shown = self.run_row(value, skip, state);
        self.mixed.add_row(self.kept.mixed.get());
        shown
    }

    fn run_row(
        &mut self,
        value: Result<Val, String>,
        skip: u64,
        state: &mut State,
    ) -> Result<Option<u64>, FetchError> {
        let value = match value {
            Ok(value) => value,
            Err(error) => {
                self.fail(error, None);
                return Ok(None);
            }
        };
        if !self.are_met()
            && let Val::Obj(members) = &value
        {
            for (at, (name, _)) in self.members.of(0).iter().enumerate() {
                let name = Val::from(String::from_utf8_lossy(name).into_owned());
                self.met |= u64::from(members.contains_key(&name)) << at.min(63);
            }
        }
        let Some(keys) = self.keys(&value) else {
            state.in_no_group();
            return Ok(None);
        };
        let (mut count, mut full, mut refused) = (0, false, None);
        let (reducer, output) = (&self.reducer, &mut self.output);
        let ended = self.program.run(&self.kept, value.clone(), &mut |result| {
            count += 1;
            if count <= skip {
                return true;
            }
            match reducer {
                Some(reducer) => match state.take_for(reducer, &keys, result) {
                    Ok(()) => true,
                    Err(error) => {
                        refused = Some(error);
                        false
                    }
                },
                None => {
                    full = !output.push(result);
                    !full
                }
            }
        });
        if let Some(error) = refused {
            self.refused(error, Some(&value))?;
        }
        match ended {
            Ok(()) if full => Ok(Some(count - 1)),
            Ok(()) => Ok(None),
            Err(error) => {
                self.fail(error, Some(&value));
                Ok(None)
            }
        }
    }

    /// The groups of a row, where `by` is given; nothing where it belongs to none.
    fn keys(&mut self, value: &Val) -> Option<Vec<Val>> {
        let mut keys = Vec::new();
        let Some(by) = &self.by else { return Some(keys) };
        let ended = by.run(&self.kept, value.clone(), &mut |value| {
            keys.push(value);
            keys.len() < MAX_KEYS
        });
        if let Err(error) = ended {
            self.fail(error, Some(value));
            return None;
        }
        (!keys.is_empty()).then_some(keys)
    }

    /// Whether all members that the program looks at were there in some row.
    fn are_met(&self) -> bool {
        self.met.count_ones() as usize >= self.members.of(0).len()
    }

    /// Notes which members of a row that the program looks at are there.
    #[inline(never)]
    fn meet(&mut self, text: &[u8]) {
        for (at, (_, node)) in self.members.of(0).iter().enumerate() {
            self.met |= u64::from(self.found.text(text, *node).is_some()) << at.min(63);
        }
    }

    /// Says that the last row of a table may hold the sums of the others, where those are summed up.
    fn last_total(&self, source: &dyn Source, shape: Shape) -> Result<Option<String>, FetchError> {
        let is_summed = match &self.reducer {
            Some(Reducer::Min | Reducer::Count | Reducer::Distinct) | None => false,
            Some(_) => shape == Shape::Table && !self.request.program.contains("select"),
        };
        if !is_summed {
            return Ok(None);
        }
        let end = source.read_range(source.len().saturating_sub(END_BYTES), source.len())?;
        let line = end.trim_ascii_end().rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let cell = line.split(|byte| b",;|\t".contains(byte)).next().unwrap_or_default();
        let cell = String::from_utf8_lossy(cell);
        let cell = cell.trim_matches(|c: char| matches!(c, '"' | '\'' | ':') || c.is_whitespace());
        let is_total = TOTALS.split(' ').any(|word| {
            let mut words = cell.split(' ');
            words.next_back().is_some_and(|last| last.eq_ignore_ascii_case(word))
        });
        Ok(is_total.then(|| {
            let cell = token(cell, 40);
            format!("the last row, {cell}, may be a total: select(.COLUMN != {cell}) excludes it")
        }))
    }

    /// Says which of them no row has, and how to find one that stands deeper.
    fn missing(&self, source: &dyn Source) -> Result<Option<String>, FetchError> {
        let members = self.members.of(0).iter().enumerate().take(63);
        let gone = members.filter(|(at, _)| self.met >> at & 1 == 0);
        let gone: Vec<String> =
            gone.map(|(_, (name, _))| String::from_utf8_lossy(name).into_owned()).collect();
        if gone.is_empty() {
            return Ok(None);
        }
        let names = token(&format!(".{}", gone.join(", .")), 120);
        let text = source.read_range(0, DEEPER_BYTES)?;
        let is_key = |name: &&String| {
            let key = serde_json::Value::from(name.as_str()).to_string();
            let mut ends = memchr::memmem::find_iter(&text, key.as_bytes());
            ends.any(|at| text[at + key.len()..].trim_ascii_start().starts_with(b":"))
        };
        Ok(Some(match gone.iter().find(is_key) {
            None => format!("no row has {names}: an outline has the keys"),
            Some(name) => format!(
                "no row itself has {names}: .. | objects | select(has({})) finds it deeper",
                token(name, 80)
            ),
        }))
    }

    /// Sums up what the program gives of all rows at once, each result as a row.
    fn take_all(&mut self, input: &Val, state: &mut State) -> Result<(), FetchError> {
        let Some(reducer) = self.reducer.clone() else { return Ok(()) };
        let mut results = Vec::new();
        let ended = self.program.run(&self.kept, input.clone(), &mut |result| {
            results.push(result);
            !kit::is_large()
        });
        if kit::is_large() {
            let message = "its results take too much memory to sum up: count within the program";
            return Err(FetchError::invalid("reduce", message));
        }
        if let Err(error) = ended {
            self.fail(error, Some(input));
        }
        // What gives one array is summed up by its items.
        if let [Val::Arr(_)] = &results[..]
            && let Some(Val::Arr(items)) = results.pop()
        {
            results.extend(items.iter().cloned());
        }
        for result in results {
            let Some(keys) = self.keys(&result) else {
                state.in_no_group();
                continue;
            };
            if let Err(error) = state.take_for(&reducer, &keys, result) {
                self.refused(error, None)?;
                break;
            }
        }
        Ok(())
    }

    /// Notes a row on which a program failed.
    fn fail(&mut self, error: String, value: Option<&Val>) {
        self.answer.failed += 1;
        self.answer.first_failure.get_or_insert(error);
        if let Some(value) = value {
            self.sample.get_or_insert_with(|| value::describe(value));
        }
    }

    /// Runs the program on all rows at once, and shows its results from `shown` on.
    fn whole(
        &mut self,
        rows: &mut Rows<'_>,
        shown: u64,
        state: &mut State,
    ) -> Result<(), FetchError> {
        let mut all: Vec<Val> = Vec::new();
        let sketch = self.sketch.take();
        let single = sketch.is_some() || rows.is_one();
        let is_read = sketch.is_some();
        all.extend(sketch);
        while !is_read && let Some(row) = rows.next()? {
            match row.value {
                Ok(value) => all.push(value),
                Err(error) => self.fail(error, None),
            }
            // What is over the bound is refused before it is all in memory.
            if all.len() > 400_000 || kit::is_large() {
                return Err(FetchError::invalid(
                    "whole",
                    "it holds more values than are read at once: leave it out, and the query runs \
                     on each row",
                ));
            }
        }
        self.answer.rows = match self.on {
            On::All => "all rows at once",
            _ => "the document",
        }
        .to_owned();
        let input = match single {
            true => match all.pop() {
                Some(value) => value,
                None => return Ok(()),
            },
            false => all.into_iter().collect(),
        };
        self.answer.first_row = 1;
        self.answer.last_row = 1;
        if self.reducer.is_some() {
            return self.take_all(&input, state);
        }
        let mut skip = shown;
        let mut full = false;
        let output = &mut self.output;
        let ended = self.program.run(&self.kept, input.clone(), &mut |result| {
            if skip > 0 {
                skip -= 1;
                return true;
            }
            full = !output.push(result);
            !full
        });
        self.mixed = self.kept.mixed.get();
        if let Err(error) = ended {
            self.fail(error, Some(&input));
        }
        if full {
            let place = rows.place();
            let shown = shown + self.output.count;
            let next = Progress { shown, ..Progress::at(Place { byte: 0, row: 1, ..place }, 1) };
            let on = self.on;
            let sign = BY_ITSELF.iter().find(|known| known.1 == on && !self.request.whole);
            self.answer.next = Some(match sign {
                Some((sign, _)) => format!("{sign}{next}"),
                None => next.to_string(),
            });
        }
        Ok(())
    }

    /// Shows what a reducer made, from the result `shown` on.
    fn reduced(
        &mut self,
        reducer: &Reducer,
        state: &State,
        shown: u64,
        started: Place,
    ) -> Result<(), FetchError> {
        let results = match &self.second {
            Some(second) => {
                let mut results = Vec::new();
                let grouped = self.by.is_some();
                for (key, input) in state.collected(grouped) {
                    let named = |name: &str, value: Val| (Val::from(name.to_owned()), value);
                    let ended = second.run(&self.kept, input.clone(), &mut |result| {
                        let group = [named("key", key.clone()), named("value", result.clone())];
                        results.push(match grouped {
                            true => Val::from_map(group).unwrap_or_default(),
                            false => result,
                        });
                        results.len() < MAX_RESULTS as usize
                    });
                    if let Err(error) = ended {
                        let (error, input) = (token(&error, 240), value::describe(&input));
                        let of = if grouped { "of each group" } else { "of all results" };
                        return Err(FetchError::invalid(
                            "reduce",
                            format!("{error}. It is run on the array {of}: {input}"),
                        ));
                    }
                }
                results
            }
            None => state.results(reducer, self.by.is_some()),
        };
        let total = results.len();
        let mut after = shown;
        for result in results.into_iter().skip(shown as usize) {
            if !self.output.push(result) {
                break;
            }
            after += 1;
        }
        if (after as usize) < total && self.answer.complete {
            // The rows are read again, for the rest of what was made of them.
            let place = Place { row: started.row.max(1), ..started };
            self.answer.notes.push(format!("{total} in all"));
            self.answer.next = Some(
                Progress { shown: after, ..Progress::at(place, self.answer.first_row) }.to_string(),
            );
            if self.request.cursor.as_deref().is_some_and(|cursor| cursor.contains(';')) {
                // It began in an earlier call, whose rows are gone: what is left cannot be shown.
                self.answer.next = None;
                self.answer
                    .notes
                    .push("the rest does not fit: use top, or a query that selects".to_owned());
            }
        }
        Ok(())
    }
}

/// The results of one page.
struct Output {
    /// The results of a table.
    results: Vec<Val>,
    /// The others, as they are shown, and how many.
    text: String,
    count: u64,
    table: bool,
    limit: u64,
    room: usize,
    chars: usize,
    /// The names of columns, in their order, without values.
    columns: jaq_json::Map,
}

impl Output {
    fn new(request: &QueryRequest, max_chars: usize) -> Output {
        let limit = request.limit.unwrap_or(MAX_RESULTS).clamp(1, MAX_RESULTS);
        Output {
            results: Vec::new(),
            text: String::new(),
            count: 0,
            table: request.table,
            limit,
            room: max_chars,
            chars: 0,
            columns: jaq_json::Map::default(),
        }
    }

    /// Takes a result; `false` when there is no room for it.
    fn push(&mut self, result: Val) -> bool {
        if self.count >= self.limit {
            return false;
        }
        if !self.table {
            let before = self.text.len();
            value::write(&result, 4 * self.room + 4, &mut self.text);
            self.text.push('\n');
            let chars = self.text[before..].chars().count();
            if self.chars + chars > self.room && self.count > 0 {
                self.text.truncate(before);
                return false;
            }
            self.chars += chars;
            self.count += 1;
            return true;
        }
        let known = self.columns.len();
        let mut chars = match &result {
            Val::Obj(members) => {
                let mut chars = 0;
                for (key, value) in members.iter() {
                    let key = value::clipped(key, 200);
                    let length = key.chars().count();
                    if self.columns.insert(Val::from(key), Val::Null).is_none() {
                        chars += length + 1 + self.results.len();
                    }
                    chars += cell(value, self.room).chars().count() + 1;
                    // There is no room for more of it.
                    if chars > self.room {
                        break;
                    }
                }
                chars + self.columns.len()
            }
            _ => {
                let mut text = String::new();
                value::write(&result, 4 * self.room + 4, &mut text);
                text.chars().count()
            }
        };
        chars += 1;
        if self.chars + chars > self.room && self.count > 0 {
            // Its columns are those of the next page.
            self.columns.truncate(known);
            return false;
        }
        self.chars += chars;
        self.count += 1;
        self.results.push(result);
        true
    }

    /// The page, how many results it has, and whether its last is cut.
    fn finish(self, max_chars: usize) -> (String, u64, bool) {
        let count = self.count;
        let mut out = self.text;
        if self.table
            && self.results.iter().all(|result| matches!(result, Val::Obj(_)))
            && count > 0
        {
            for (index, column) in self.columns.keys().enumerate() {
                if index > 0 {
                    out.push('\t');
                }
                out.push_str(&value::clipped(column, usize::MAX));
            }
            out.push('\n');
            for result in &self.results {
                for (index, column) in self.columns.keys().enumerate() {
                    if index > 0 {
                        out.push('\t');
                    }
                    if let Ok(value) = result.clone().index(column)
                        && !matches!(value, Val::Null)
                    {
                        out.push_str(&cell(&value, max_chars));
                    }
                }
                out.push('\n');
            }
        } else {
            for result in &self.results {
                value::write(result, 4 * max_chars + 4, &mut out);
                out.push('\n');
            }
        }
        match out.char_indices().nth(max_chars) {
            Some((at, _)) => {
                out.truncate(at);
                (out, count, true)
            }
            None => (out, count, false),
        }
    }
}

/// A value in a table: a string without its quotes, unless that could be something else.
fn cell(value: &Val, max: usize) -> String {
    let mut text = String::new();
    match value {
        Val::TStr(bytes) => {
            let whole = String::from_utf8_lossy(bytes);
            let plain = !whole.is_empty()
                && !whole.contains(['\t', '\n', '\r', '"'])
                && !is_number(whole.as_bytes())
                && !matches!(&*whole, "true" | "false" | "null");
            if plain {
                text.extend(whole.chars().take(max + 1));
            } else {
                value::write(value, 4 * max + 4, &mut text);
            }
        }
        value => drop(value::write(value, 4 * max + 4, &mut text)),
    }
    text
}

#[cfg(test)]
mod compared_tests;
#[cfg(test)]
mod first_tests;
#[cfg(test)]
mod tests;
