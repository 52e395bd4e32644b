//! Reading for programs: every answer says in one opaque text, `more`, how the same work goes on, and
//! what it counts is of all the work up to now. A host's loop adds nothing up.

use super::diff::{DiffAnswer, DiffRequest};
use super::error::FetchError;
use super::grep::GrepQuery;
use super::grep::{GrepPage, Place};
use super::more::{Bond, count, refused};
use super::outline::{OutlineAnswer, OutlineRequest};
use super::query::{QueryAnswer, QueryRequest};
use super::range::{Next, Page, Range, Unit};
use super::search::{SearchAnswer, SearchRequest};
use super::view::View;
use super::{Reader, store};
use crate::handle::Ids;

/// An answer, and how to go on.
#[derive(Debug, Clone)]
pub struct Part<T> {
    /// The answer: a page of it, with the counts of all the work up to now.
    pub page: T,
    /// Whether there is nothing to show yet.
    pub pending: bool,
    /// What goes on with the same work; none when that is done.
    pub more: Option<String>,
}

/// A page of lines that match.
#[derive(Debug, Clone)]
pub struct Found {
    /// The page.
    pub page: GrepPage,
    /// The bytes that its lines are of.
    pub view: View,
    /// Whether what the text leaves out was searched as well.
    pub searched_around: bool,
}

/// A reader of which every answer says how the same work goes on, and the most characters of an answer. Its functions
/// are those of [`Reader`].
#[derive(Debug, Clone, Copy)]
pub struct Typed<'a>(pub &'a Reader<'a>, pub usize);

impl Typed<'_> {
    /// Reads from a position on.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn range(
        &self,
        id: impl Into<Ids>,
        view: View,
        range: Range,
        more: Option<&str>,
    ) -> Result<Part<Page>, FetchError> {
        let id = &id.into();
        let mut bond = self.bond("range", Some(id), view);
        bond.number(range.unit as u64).number(range.start.cast_unsigned());
        bond.number(u64::from(range.count.is_some())).number(range.count.unwrap_or_default());
        let first = || self.0.range(id, view, range, self.1);
        self.pages(&bond, more, first, |next| self.0.range(id, view, next, self.1))
    }

    /// The last `lines` lines, as many of them as an answer holds.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn tail(
        &self,
        id: impl Into<Ids>,
        view: View,
        lines: u64,
        more: Option<&str>,
    ) -> Result<Part<Page>, FetchError> {
        let id = &id.into();
        let mut bond = self.bond("tail", Some(id), view);
        bond.number(lines);
        let first = || self.0.tail(id, view, lines, self.1);
        self.pages(&bond, more, first, |next| self.0.range(id, view, next, self.1))
    }

    /// All of it, up to the setting for that.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn full(
        &self,
        id: impl Into<Ids>,
        view: View,
        more: Option<&str>,
    ) -> Result<Part<Page>, FetchError> {
        let id = &id.into();
        let max_chars = self.0.settings.full_max_chars as usize;
        let bond = self.bond("full", Some(id), view);
        self.pages(
            &bond,
            more,
            || self.0.full(id, view),
            |next| self.0.range(id, view, next, max_chars),
        )
    }

    fn pages(
        &self,
        bond: &Bond,
        more: Option<&str>,
        first: impl FnOnce() -> Result<Page, FetchError>,
        later: impl FnOnce(Range) -> Result<Page, FetchError>,
    ) -> Result<Part<Page>, FetchError> {
        let page = match more {
            None => first()?,
            Some(more) => {
                let next = parse_next(&bond.open(more)?).ok_or_else(|| refused("more"))?;
                later(next.into())?
            }
        };
        let more = page.next.map(|next| {
            let left = next.count.map_or_else(String::new, |count| count.to_string());
            bond.seal(&format!("{}:{}:{left}", next.unit as u64, next.start))
        });
        Ok(Part { page, pending: false, more })
    }

    /// Searches line by line; where the text has no match and leaves something out, the exact bytes
    /// too.
    ///
    /// # Errors
    /// As [`Reader::grep`].
    pub fn grep(
        &self,
        id: impl Into<Ids>,
        view: View,
        query: &GrepQuery,
        more: Option<&str>,
    ) -> Result<Part<Found>, FetchError> {
        let id = &id.into();
        let pattern = &query.pattern;
        let mut bond = self.bond("grep", Some(id), view);
        bond.text(&pattern.text).number(pattern.case as u64);
        for flag in [pattern.regex, pattern.word, query.invert, query.count_only] {
            bond.number(flag.into());
        }
        bond.number(query.before.into()).number(query.after.into()).number(query.place.byte);
        let (view, place) = match more {
            None => (view, query.place),
            Some(more) => {
                let state = bond.open(more)?;
                let place = |state: Option<&str>| Place::parse(state?);
                match (place(state.strip_prefix('t')), place(state.strip_prefix('r'))) {
                    (Some(place), _) => (View::Text, place),
                    (_, Some(place)) => (View::Raw, place),
                    _ => return Err(refused("more")),
                }
            }
        };
        let found = self.0.grep_around(id, view, &GrepQuery { place, ..query.clone() }, self.1)?;
        let view = if found.view == View::Raw { 'r' } else { 't' };
        let next = found.page.next;
        Ok(Part {
            pending: found.page.shown == 0 && next.is_some(),
            more: next.map(|next| bond.seal(&format!("{view}{next}"))),
            page: found,
        })
    }

    /// Asks a question about rows.
    ///
    /// # Errors
    /// As [`Reader::query`].
    pub fn query(
        &self,
        mut request: QueryRequest,
        more: Option<&str>,
    ) -> Result<Part<QueryAnswer>, FetchError> {
        let mut bond = self.bond("query", Some(&request.id), request.view);
        bond.text(&request.program);
        for part in [&request.path, &request.by, &request.reduce] {
            bond.option(part.as_deref());
        }
        bond.number(request.whole.into()).number(request.table.into());
        // Rows that failed before this page; a reducer counts its own.
        let mut failed = 0;
        if let Some(more) = more {
            let state = bond.open(more)?;
            let (before, cursor) = state.split_once(' ').ok_or_else(|| refused("more"))?;
            failed = count(before).ok_or_else(|| refused("more"))?;
            request.cursor = Some(cursor.to_owned());
        }
        let mut answer = self.0.query(&request, self.1)?;
        let reduced = !request.whole && (request.by.is_some() || request.reduce.is_some());
        // What an answer without results counted, the next one counts too.
        let shown = if reduced || answer.results == 0 { failed } else { failed + answer.failed };
        answer.failed += failed;
        if reduced && answer.next.is_some() && answer.next == answer.restart && !answer.complete {
            // What follows alone would be summed up, and nobody could tell.
            return Err(FetchError::TooCostly {
                argument: "reduce",
                message:
                    "what it makes of the rows is too large to go on with: use top, or let the \
                          query choose what matters of each row"
                        .to_owned(),
            });
        }
        let more = answer.next.as_ref().map(|next| bond.seal(&format!("{shown} {next}")));
        let pending = more.is_some() && (answer.results == 0 || (reduced && !answer.complete));
        Ok(Part { page: answer, pending, more })
    }

    /// The shape of a result.
    ///
    /// # Errors
    /// As [`Reader::outline`].
    pub fn outline(
        &self,
        mut request: OutlineRequest,
        more: Option<&str>,
    ) -> Result<Part<OutlineAnswer>, FetchError> {
        let mut bond = self.bond("outline", Some(&request.id), request.view);
        bond.option(request.path.as_deref());
        request.cursor = more.map(|more| bond.open(more)).transpose()?;
        let answer = self.0.outline(&request, self.1)?;
        let more = answer.counted.as_ref().or(answer.next.as_ref()).map(|next| bond.seal(next));
        // Rows are counted to the end first; only then the entries are told, in pages.
        Ok(Part { pending: more.is_some() && answer.total == 0, more, page: answer })
    }

    /// Finds passages by words.
    ///
    /// # Errors
    /// As [`Reader::search`].
    pub fn search(
        &self,
        mut request: SearchRequest,
        more: Option<&str>,
    ) -> Result<Part<SearchAnswer>, FetchError> {
        let mut bond = self.bond("search", request.id.as_ref(), View::Text);
        bond.text(&request.query);
        request.cursor = more.map(|more| bond.open(more)).transpose()?;
        let answer = self.0.search(&request, self.1)?;
        let more = answer.next.as_deref().map(|next| bond.seal(next));
        Ok(Part { pending: more.is_some(), more, page: answer })
    }

    /// What changed between two results. Later pages compare with the result that the first one did.
    ///
    /// # Errors
    /// As [`Reader::diff`].
    pub fn diff(
        &self,
        mut request: DiffRequest,
        more: Option<&str>,
    ) -> Result<Part<DiffAnswer>, FetchError> {
        let mut bond = self.bond("diff", Some(&request.id), View::Text);
        bond.option(request.other.as_ref().map(ToString::to_string).as_deref());
        bond.option(request.key.as_deref()).number(request.lines.into());
        if let Some(more) = more {
            let state = bond.open(more)?;
            let (other, cursor) = state.split_once(' ').ok_or_else(|| refused("more"))?;
            request.other = Some(Ids::parse_lenient(other).map_err(|_| refused("more"))?);
            request.cursor = Some(cursor.to_owned());
        }
        let answer = self.0.diff(&request, self.1)?;
        let more = answer.next.as_ref().map(|next| bond.seal(&format!("{} {next}", answer.older)));
        Ok(Part { page: answer, pending: false, more })
    }

    /// What the session has stored, the last used first, at most `limit` entries.
    ///
    /// # Errors
    /// As [`Reader::list`].
    pub fn list(&self, limit: usize, more: Option<&str>) -> Result<Part<store::Page>, FetchError> {
        let bond = self.bond("list", None, View::Text);
        let after = more.map(|more| bond.open(more)).transpose()?;
        let page = self.0.list(after.as_deref(), limit)?;
        let more = page.next.as_deref().map(|next| bond.seal(next));
        Ok(Part { page, pending: false, more })
    }

    fn bond(&self, mode: &str, id: Option<&Ids>, view: View) -> Bond {
        let mut bond = Bond::new(mode, self.0.session);
        bond.option(id.map(ToString::to_string).as_deref()).view(view);
        bond
    }
}

impl Reader<'_> {
    /// A slice of a search. What the text leaves out is a part of the result as well.
    pub(super) fn grep_around(
        &self,
        id: &Ids,
        view: View,
        query: &GrepQuery,
        max_chars: usize,
    ) -> Result<Found, FetchError> {
        let page = self.grep(id, view, query, max_chars)?;
        let is_none = page.complete && page.matches == 0 && page.scanned_from == 0;
        if page.left_out.is_none() || !is_none || query.invert {
            return Ok(Found { page, view, searched_around: false });
        }
        let query = GrepQuery { place: Place::at(0), ..query.clone() };
        let around = self.grep(id, View::Raw, &query, max_chars)?;
        let (page, view) = match around.matches > 0 || !around.complete {
            true => (GrepPage { left_out: page.left_out, ..around }, View::Raw),
            false => (page, view),
        };
        Ok(Found { page, view, searched_around: true })
    }
}

fn parse_next(state: &str) -> Option<Next> {
    let mut parts = state.split(':');
    let unit = match parts.next()? {
        "0" => Unit::Lines,
        "1" => Unit::Bytes,
        "2" => Unit::Chars,
        _ => return None,
    };
    let start = count(parts.next()?)?;
    let left = match parts.next()? {
        "" => None,
        left => Some(left.parse().ok()?),
    };
    Some(Next { unit, start, count: left })
}

#[cfg(test)]
mod tests;
