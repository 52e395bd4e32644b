//! Expressions evaluated at once.
//!
//! The interpreter makes an iterator for each term and for each of its operands. In a loop within a row that is
//! most of the work. A term that has one value becomes a call of one native, which is given the variables and
//! knows the expression by its number; so does a loop each of whose rounds is one.

use jaq_core::box_iter::box_once;
use jaq_core::native::{Fun, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Cv, Exn, Native, RunPtr, ValT as _, ValXs};
use jaq_json::{Num, Val};

use super::budget::{Data, Kit};
use super::costs::{arithmetic, assigned, comparable, in_frame, is_index, is_key, paid, weighable};
use super::expression::{Body, Calcs, Expr, Kind, MOST, MOST_VARIABLES, NAMES};

/// Parts of an array or an object that count as a step when it is made.
const PARTS: u64 = 8;

const NATIVES: [RunPtr<Kit>; MOST] = [
    |cv| run(cv, 0),
    |cv| run(cv, 1),
    |cv| run(cv, 2),
    |cv| run(cv, 3),
    |cv| run(cv, 4),
    |cv| run(cv, 5),
    |cv| run(cv, 6),
    |cv| run(cv, 7),
    |cv| run(cv, 8),
    |cv| run(cv, 9),
    |cv| run(cv, 10),
    |cv| run(cv, 11),
];

/// What the calls of a program's expressions call.
pub(super) fn functions(calcs: &Calcs) -> impl Iterator<Item = Fun<Kit>> {
    calcs.all.iter().zip(NAMES).zip(NATIVES).map(|((calc, name), run)| {
        let mut arguments = v(calc.body.variables);
        if calc.kind != Kind::One {
            // What is gone over, and what it starts with in place of the item.
            let given = [Bind::Fun(()), Bind::Var(())];
            arguments = given.into_iter().chain(v(calc.body.variables - 1)).collect();
        }
        (name, arguments, Native::<Kit>::new(run))
    })
}

#[inline(never)]
fn run<'a>(mut cv: Cv<'a, Kit>, number: usize) -> ValXs<'a, Val> {
    let data = *cv.0.data();
    let Some(calc) = data.calcs.all.get(number) else { return Box::new(std::iter::empty()) };
    let mut at = At { data, input: Val::Null, variables: Default::default() };
    for place in (0..calc.body.variables).rev() {
        at.variables[place] = cv.0.pop_var();
    }
    if calc.kind == Kind::One {
        drop(cv.0);
        return box_once(at.round(&calc.body, cv.1));
    }
    if let Err(exception) = paid(data.budget, 1) {
        return box_once(Err(exception));
    }
    // What it starts with was given in the place of the item.
    let mut state = std::mem::take(&mut at.variables[0]);
    let (items, ctx) = cv.0.pop_fun();
    let mut items = items.run((ctx, cv.1));
    if calc.kind == Kind::Reduce {
        return box_once(items.try_fold(state, |state, item| {
            at.variables[0] = item?;
            at.once(&calc.body, state)
        }));
    }
    let mut ended = false;
    Box::new(std::iter::from_fn(move || {
        let item = items.next().filter(|_| !ended)?;
        let made = item.and_then(|item| {
            at.variables[0] = item;
            state = at.once(&calc.body, std::mem::take(&mut state))?;
            let Some(given) = &calc.given else { return Ok(state.clone()) };
            at.input = state.clone();
            at.value(given)
        });
        ended = made.is_err();
        Some(made)
    }))
}

/// What an expression is evaluated with.
struct At<'a> {
    data: Data<'a>,
    input: Val,
    variables: [Val; MOST_VARIABLES],
}

type Done<'a, T = Val> = Result<T, Exn<'a, Val>>;

impl<'a> At<'a> {
    /// The value of a round of a loop, whose variables stay.
    fn once(&mut self, body: &'a Body, input: Val) -> Done<'a> {
        paid(self.data.budget, body.steps)?;
        self.input = input;
        self.value(&body.expr)
    }

    /// The value of a function, or of an expression that is evaluated no more.
    fn round(&mut self, body: &'a Body, input: Val) -> Done<'a> {
        self.input = input;
        let mut body = body;
        loop {
            paid(self.data.budget, body.steps)?;
            // What a function calls last takes its place.
            let mut expr = &body.expr;
            body = loop {
                match expr {
                    Expr::If(condition, then, otherwise) => {
                        let holds = self.value(condition)?.as_bool();
                        expr = if holds { then } else { otherwise };
                    }
                    Expr::Pipe(l, r) => {
                        self.input = self.value(l)?;
                        expr = r;
                    }
                    Expr::Call(function, arguments, last) => {
                        self.variables = self.arguments(arguments)?;
                        self.input = self.taken(*last);
                        break &self.data.calcs.functions[*function];
                    }
                    expr => return self.value(expr),
                }
            };
        }
    }

    fn arguments(&mut self, arguments: &'a [Expr]) -> Done<'a, [Val; MOST_VARIABLES]> {
        let mut values: [Val; MOST_VARIABLES] = Default::default();
        for (value, argument) in values.iter_mut().zip(arguments) {
            *value = self.value(argument)?;
        }
        Ok(values)
    }

    fn taken(&mut self, last: bool) -> Val {
        if last { std::mem::take(&mut self.input) } else { self.input.clone() }
    }

    fn made(&self, value: Val) -> Done<'a> {
        weighable(self.data.budget, &value, PARTS)?;
        Ok(value)
    }

    fn value(&mut self, expr: &'a Expr) -> Done<'a> {
        let budget = self.data.budget;
        Ok(match expr {
            Expr::Input(last) => self.taken(*last),
            Expr::Variable(place, true) => std::mem::take(&mut self.variables[*place]),
            Expr::Variable(place, false) => self.variables[*place].clone(),
            Expr::Constant(value) => value.clone(),
            Expr::Member(of, key) => {
                let of = self.value(of)?;
                match &**key {
                    Expr::Constant(key) => of.index(key)?,
                    key => {
                        let key = self.value(key)?;
                        is_index(budget, &key)?;
                        of.index(&key)?
                    }
                }
            }
            Expr::Math(l, op, r) => {
                let (l, r) = (self.value(l)?, self.value(r)?);
                match (&l, op, &r) {
                    // What is most frequent.
                    (Val::Num(Num::Int(_)), Math::Add, Val::Num(Num::Int(_))) => (l + r)?,
                    (Val::Num(Num::Int(_)), Math::Sub, Val::Num(Num::Int(_))) => (l - r)?,
                    _ => arithmetic(budget, *op, l, r)?,
                }
            }
            Expr::Compare(l, op, r) => {
                let (l, r) = (self.value(l)?, self.value(r)?);
                comparable(budget, &l, &r)?;
                Val::Bool(op.run(&l, &r))
            }
            Expr::If(condition, then, otherwise) => {
                let holds = self.value(condition)?.as_bool();
                self.value(if holds { then } else { otherwise })?
            }
            Expr::Logic(l, or, r) => {
                let l = self.value(l)?.as_bool();
                Val::Bool(if l == *or { l } else { self.value(r)?.as_bool() })
            }
            Expr::Not(inner) => Val::Bool(!self.value(inner)?.as_bool()),
            Expr::Array(items) => {
                let items = items.iter().map(|item| self.value(item));
                let items = items.collect::<Done<'a, Vec<Val>>>()?;
                self.made(items.into_iter().collect())?
            }
            Expr::Object(members) => {
                let mut made = Vec::with_capacity(members.len());
                for (key, value) in members {
                    let key = self.value(key)?;
                    is_key(budget, &key)?;
                    made.push((key, self.value(value)?));
                }
                self.made(Val::from_map(made)?)?
            }
            Expr::Pipe(l, r) => {
                let input = self.value(l)?;
                let input = std::mem::replace(&mut self.input, input);
                let value = self.value(r);
                self.input = input;
                value?
            }
            Expr::Put(keys, change, value, last) => {
                let value = self.value(value)?;
                let mut places = Vec::with_capacity(keys.len());
                for key in keys {
                    let key = self.value(key)?;
                    is_index(budget, &key)?;
                    places.push(key);
                }
                let input = self.taken(*last);
                assigned(budget, input, &places, *change, value)?
            }
            Expr::Call(function, arguments, last) => {
                let variables = self.arguments(arguments)?;
                let input = self.taken(*last);
                let body = &self.data.calcs.functions[*function];
                let data = self.data;
                in_frame(|| At { data, input: Val::Null, variables }.round(body, input))?
            }
        })
    }
}
