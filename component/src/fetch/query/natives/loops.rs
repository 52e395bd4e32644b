//! Loops that the library defines by recursion, done as loops.
//!
//! They stand for `until`, `while`, `repeat` and `recurse` where a program has no paths: those go through the
//! definitions.

use jaq_core::native::Fun;
use jaq_core::{Bind, Cv, Exn, Native, RunPtr, ValT as _, ValXs};
use jaq_json::Val;

use crate::fetch::query::budget::{Budget, Kit};
use crate::fetch::query::terms::LOOPS;

/// Steps of each round, about as many as by the definition.
const ROUND_STEPS: u64 = 2;

pub(super) fn functions() -> Vec<Fun<Kit>> {
    let natives: [RunPtr<Kit>; 4] = [
        |cv| conditional(cv, Kind::Until),
        |cv| conditional(cv, Kind::While),
        |cv| endless(cv, Kind::Repeat),
        |cv| endless(cv, Kind::Recurse),
    ];
    let named = LOOPS.iter().zip(natives);
    let programs = |count| vec![Bind::Fun(()); count].into_boxed_slice();
    named
        .map(|((_, count, name), run)| (*name, programs(*count), Native::<Kit>::new(run)))
        .collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Until,
    While,
    Repeat,
    Recurse,
}

type Run<'a> = Box<dyn Fn(Val) -> ValXs<'a, Val> + 'a>;

/// What is left to do, the next last.
enum Left<'a> {
    /// Values, each of which goes round once more.
    Values(ValXs<'a, Val>),
    /// What the condition gives for a value.
    Conditions(ValXs<'a, Val>, Val),
    /// A value that was given out: what comes after it is asked for only then.
    After(Val),
}

struct Loop<'a> {
    kind: Kind,
    budget: &'a Budget,
    condition: Option<Run<'a>>,
    step: Run<'a>,
    left: Vec<Left<'a>>,
    /// What is repeated.
    input: Val,
}

/// The next argument that is a program.
fn program<'a>(cv: &mut Cv<'a, Kit>) -> Run<'a> {
    let (filter, ctx) = cv.0.pop_fun();
    Box::new(move |value| filter.run((ctx.clone(), value)))
}

fn conditional<'a>(mut cv: Cv<'a, Kit>, kind: Kind) -> ValXs<'a, Val> {
    let step = program(&mut cv);
    let condition = Some(program(&mut cv));
    begin(cv, kind, condition, step)
}

fn endless<'a>(mut cv: Cv<'a, Kit>, kind: Kind) -> ValXs<'a, Val> {
    let step = program(&mut cv);
    begin(cv, kind, None, step)
}

fn begin<'a>(
    cv: Cv<'a, Kit>,
    kind: Kind,
    condition: Option<Run<'a>>,
    step: Run<'a>,
) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    let (first, input) = match kind {
        Kind::Repeat => (None, cv.1),
        _ => (Some(Ok(cv.1)), Val::Null),
    };
    let left = match first {
        Some(first) => vec![Left::Values(Box::new(std::iter::once(first)))],
        None => Vec::new(),
    };
    Box::new(Loop { kind, budget, condition, step, left, input })
}

impl<'a> Iterator for Loop<'a> {
    type Item = Result<Val, Exn<'a, Val>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(top) = self.left.pop() else {
                if self.kind != Kind::Repeat {
                    return None;
                }
                if !self.budget.step(ROUND_STEPS) {
                    return Some(Err(Exn::halt(0)));
                }
                self.left.push(Left::Values((self.step)(self.input.clone())));
                continue;
            };
            match top {
                Left::After(value) => self.left.push(Left::Values((self.step)(value))),
                Left::Values(mut values) => {
                    let Some(value) = values.next() else { continue };
                    // Nothing that is at its end is kept.
                    if values.size_hint() != (0, Some(0)) {
                        self.left.push(Left::Values(values));
                    }
                    let value = match value {
                        Ok(value) if self.kind != Kind::Repeat => value,
                        other => return Some(other),
                    };
                    if !self.budget.step(ROUND_STEPS) {
                        return Some(Err(Exn::halt(0)));
                    }
                    match &self.condition {
                        Some(condition) => {
                            let conditions = condition(value.clone());
                            self.left.push(Left::Conditions(conditions, value));
                        }
                        None => {
                            self.left.push(Left::After(value.clone()));
                            return Some(Ok(value));
                        }
                    }
                }
                Left::Conditions(mut conditions, value) => {
                    let Some(condition) = conditions.next() else { continue };
                    let holds = match condition {
                        Ok(condition) => condition.as_bool(),
                        Err(error) => return Some(Err(error)),
                    };
                    let value = match conditions.size_hint() {
                        (0, Some(0)) => {
                            drop(conditions);
                            value
                        }
                        _ => {
                            self.left.push(Left::Conditions(conditions, value.clone()));
                            value
                        }
                    };
                    match (self.kind, holds) {
                        (Kind::Until, true) => return Some(Ok(value)),
                        (Kind::Until, false) => self.left.push(Left::Values((self.step)(value))),
                        (_, true) => {
                            self.left.push(Left::After(value.clone()));
                            return Some(Ok(value));
                        }
                        (_, false) => {}
                    }
                }
            }
        }
    }
}
