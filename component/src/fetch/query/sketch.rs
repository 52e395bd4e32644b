//! The part of a document that a program looks at, however large the document is.
//!
//! `.total` and `.data.items | length` need little of a document that is too large to be read whole. What a program
//! looks at is told from its terms: names, items, ends of arrays, and whether more than their number counts. The
//! document is passed over once, and what nobody looks at becomes null or is left out.

use jaq_core::load::parse::{BinaryOp, Term};
use jaq_core::path::{Part, Path};
use jaq_json::{Map, Val};

use super::json_path::next_member;
use super::place::WHOLE_MAX_BYTES;
use super::read::read;
use super::terms::plain;
use crate::content::json::Cursor;
use crate::source::{ReadError, Source};

/// Values that may stand for what nobody looks at.
const MAX_PLACES: usize = 1_000_000;

/// Bytes of a name.
const MAX_NAME: usize = 1_000;

/// Places that a program may look at.
const MAX_NODES: usize = 64;

/// What leads from a value to those in it that are looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Name(String),
    /// Items from one on, up to another; below 0 counted from the end.
    Items(i64, Option<i64>),
    Each,
}

/// What is looked at of a value.
#[derive(Debug, Default)]
struct Need {
    all: bool,
    /// Which members or how many items it has.
    shallow: bool,
    steps: Vec<(Step, usize)>,
}

/// What a term gives: a value of the document, or something made of what is needed already.
#[derive(Debug, Clone, Copy)]
enum Flow {
    At(usize),
    Made,
}

/// What a program looks at.
struct Needs(Vec<Need>);

impl Needs {
    fn step(&mut self, flow: Flow, step: Step) -> Flow {
        let Flow::At(node) = flow else { return Flow::Made };
        if let Some((_, known)) = self.0[node].steps.iter().find(|(known, _)| *known == step) {
            return Flow::At(*known);
        }
        if self.0.len() >= MAX_NODES {
            return self.all(flow);
        }
        let next = self.0.len();
        self.0.push(Need::default());
        self.0[node].steps.push((step, next));
        Flow::At(next)
    }

    fn all(&mut self, flow: Flow) -> Flow {
        if let Flow::At(node) = flow {
            self.0[node].all = true;
        }
        Flow::Made
    }

    fn used(&mut self, terms: &[&Term<&str>], input: Flow) -> Flow {
        for term in terms {
            let flow = self.flow(term, input);
            self.all(flow);
        }
        Flow::Made
    }

    /// What a term gives for an input. As deep as programs are.
    fn flow(&mut self, term: &Term<&str>, input: Flow) -> Flow {
        match term {
            Term::Id => input,
            Term::Num(_) | Term::Arr(None) => Flow::Made,
            Term::Str(..) if plain(term).is_some() => Flow::Made,
            Term::Neg(inner) | Term::Arr(Some(inner)) | Term::TryCatch(inner, None) => {
                self.used(&[inner], input)
            }
            Term::Obj(entries) if entries.iter().all(|(key, _)| plain(key).is_some()) => {
                for (key, value) in entries {
                    let flow = match value {
                        Some(value) => self.flow(value, input),
                        None => self.step(input, Step::Name(plain(key).unwrap_or_default())),
                    };
                    self.all(flow);
                }
                Flow::Made
            }
            Term::BinOp(l, BinaryOp::Pipe(None), r) => {
                let piped = self.flow(l, input);
                self.flow(r, piped)
            }
            Term::BinOp(
                l,
                BinaryOp::Comma
                | BinaryOp::Alt
                | BinaryOp::Or
                | BinaryOp::And
                | BinaryOp::Math(_)
                | BinaryOp::Cmp(_),
                r,
            ) => self.used(&[l, r], input),
            Term::IfThenElse(branches, Some(otherwise)) => {
                for (condition, then) in branches {
                    self.used(&[condition, then], input);
                }
                self.used(&[otherwise], input)
            }
            Term::Path(base, Path(parts)) => {
                let mut flow = self.flow(base, input);
                for (part, _) in parts {
                    flow = match step(part) {
                        Some(step) => self.step(flow, step),
                        None => {
                            self.all(input);
                            self.all(flow)
                        }
                    };
                }
                flow
            }
            Term::Call(name, args) => match (*name, &args[..]) {
                ("length" | "keys" | "keys_unsorted" | "type" | "not", []) => {
                    if let Flow::At(node) = input {
                        self.0[node].shallow = true;
                    }
                    Flow::Made
                }
                ("first", []) => self.step(input, Step::Items(0, Some(1))),
                ("last", []) => self.step(input, Step::Items(-1, None)),
                ("map", [each]) => {
                    let item = self.step(input, Step::Each);
                    self.used(&[each], item)
                }
                ("null" | "true" | "false" | "empty", []) => Flow::Made,
                _ => self.all(input),
            },
            _ => self.all(input),
        }
    }
}

/// A part of a path, where it can be told without a run.
fn step(part: &Part<Term<&str>>) -> Option<Step> {
    fn number(term: &Term<&str>) -> Option<i64> {
        match term {
            Term::Num(digits) => digits.parse().ok(),
            Term::Neg(inner) => number(inner).map(|number: i64| -number),
            _ => None,
        }
    }
    match part {
        Part::Range(None, None) => Some(Step::Each),
        Part::Range(from, to) => {
            let from = from.as_ref().map_or(Some(0), number)?;
            Some(Step::Items(from, to.as_ref().map(|to| number(to).ok_or(())).transpose().ok()?))
        }
        Part::Index(index) => match plain(index) {
            Some(name) => Some(Step::Name(name)),
            None => match index {
                // Several, of which those between are read too.
                Term::BinOp(l, BinaryOp::Comma, r) => match (number(l)?, number(r)?) {
                    (l, r) if l >= 0 && r >= 0 => Some(Step::Items(l.min(r), Some(l.max(r) + 1))),
                    _ => None,
                },
                index => {
                    number(index).map(|at| Step::Items(at, Some(at + 1).filter(|to| *to != 0)))
                }
            },
        },
    }
}

/// A document of which as much is read as a program looks at.
struct Sketch<'s> {
    source: &'s dyn Source,
    cursor: Cursor<'s>,
    needs: Needs,
    /// Bytes that may still be read, and values that may still stand for others.
    bytes: u64,
    places: usize,
}

/// What a program looks at of a document that starts at a byte; nothing where that is too much, or cannot be told.
pub(super) fn sketch(
    source: &dyn Source,
    start: u64,
    program: &Term<&str>,
) -> Result<Option<Val>, ReadError> {
    let mut needs = Needs(vec![Need::default()]);
    let flow = needs.flow(program, Flow::At(0));
    needs.all(flow);
    if needs.0[0].all {
        return Ok(None);
    }
    let cursor = Cursor::new(source, start);
    Sketch { source, cursor, needs, bytes: WHOLE_MAX_BYTES, places: MAX_PLACES }.value(&[0])
}

impl Sketch<'_> {
    /// The value at the cursor, as far as it is needed.
    fn value(&mut self, needs: &[usize]) -> Result<Option<Val>, ReadError> {
        let Some(first) = self.cursor.peek_token()? else { return Ok(None) };
        let all = needs.iter().any(|need| self.needs.0[*need].all);
        match first {
            b'{' if !all => self.object(needs),
            b'[' if !all => self.array(needs),
            _ => {
                let start = self.cursor.position();
                let whole = self.cursor.skip_value(first)?;
                let end = self.cursor.position();
                if !whole || end - start > self.bytes {
                    return Ok(None);
                }
                self.bytes -= end - start;
                Ok(read(&self.source.read_range(start, end)?).ok())
            }
        }
    }

    /// Steps over the value at the cursor; `false` when it is cut off.
    fn skip(&mut self) -> Result<bool, ReadError> {
        match self.cursor.peek_token()? {
            Some(first) => self.cursor.skip_value(first),
            None => Ok(false),
        }
    }

    fn next(&self, needs: &[usize], leads: impl Fn(&Step) -> bool) -> Vec<usize> {
        let steps = needs.iter().flat_map(|need| &self.needs.0[*need].steps);
        steps
            .filter(|(step, _)| *step == Step::Each || leads(step))
            .map(|(_, next)| *next)
            .collect()
    }

    fn is_shallow(&self, needs: &[usize]) -> bool {
        needs.iter().any(|need| self.needs.0[*need].shallow)
    }

    fn object(&mut self, needs: &[usize]) -> Result<Option<Val>, ReadError> {
        self.cursor.bump();
        let mut made = Map::default();
        while let Some((name, _)) = next_member(self.source, &mut self.cursor, MAX_NAME)? {
            let shallow = self.is_shallow(needs);
            let inner = self.next(needs, |step| match (step, &name) {
                (Step::Name(wanted), Some(name)) => wanted == name,
                _ => false,
            });
            let value = match inner.is_empty() {
                true if !self.skip()? => return Ok(None),
                true if !shallow => continue,
                true => Val::Null,
                false => match self.value(&inner)? {
                    Some(value) => value,
                    None => return Ok(None),
                },
            };
            let (Some(name), Some(places)) = (name, self.places.checked_sub(1)) else {
                return Ok(None);
            };
            self.places = places;
            made.insert(Val::from(name), value);
        }
        let closed = self.cursor.peek_token()? == Some(b'}');
        self.cursor.bump();
        Ok(closed.then(|| Val::obj(made)))
    }

    fn array(&mut self, needs: &[usize]) -> Result<Option<Val>, ReadError> {
        self.cursor.bump();
        let start = self.cursor.position();
        let mut steps = needs.iter().flat_map(|need| &self.needs.0[*need].steps);
        let from_end = steps.any(|(step, _)| {
            matches!(step, Step::Items(from, to) if *from < 0 || to.is_some_and(|to| to < 0))
        });
        let mut total = None;
        if from_end {
            let mut count = 0i64;
            while self.reach_item()? {
                if !self.skip()? {
                    return Ok(None);
                }
                count += 1;
            }
            total = Some(count);
            self.cursor.seek(start)?;
        }
        let keeps = total.is_some() || self.is_shallow(needs);
        let place = |at: i64| if at < 0 { at + total.unwrap_or_default() } else { at };
        let mut made: Vec<Val> = Vec::new();
        let mut at = 0;
        while self.reach_item()? {
            let inner = self.next(needs, |step| match step {
                Step::Items(from, to) => at >= place(*from) && to.is_none_or(|to| at < place(to)),
                _ => false,
            });
            if inner.is_empty() {
                if !self.skip()? {
                    return Ok(None);
                }
            } else {
                let places = (at as usize).saturating_sub(made.len());
                if places > self.places {
                    return Ok(None);
                }
                made.resize(at as usize, Val::Null);
                match self.value(&inner)? {
                    Some(value) => made.push(value),
                    None => return Ok(None),
                }
            }
            at += 1;
        }
        if keeps {
            if at as usize > self.places {
                return Ok(None);
            }
            made.resize(at as usize, Val::Null);
        }
        self.places = self.places.saturating_sub(made.len());
        let closed = self.cursor.peek_token()? == Some(b']');
        self.cursor.bump();
        Ok(closed.then(|| made.into_iter().collect()))
    }

    /// Goes to the next item; `false` at the end.
    fn reach_item(&mut self) -> Result<bool, ReadError> {
        loop {
            match self.cursor.peek_token()? {
                Some(b',') => self.cursor.bump(),
                Some(b']' | b'}') | None => return Ok(false),
                Some(_) => return Ok(true),
            }
        }
    }
}
