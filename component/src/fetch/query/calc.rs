//! Arithmetic and comparisons of single values, done at once.
//!
//! The interpreter makes an iterator for each operation and for each of its operands. In a loop within a row
//! that is most of the work. An expression of the input, of variables and constants has one value: it becomes
//! a call of one native, which is given the variables and knows the expression by its number.

use jaq_core::box_iter::box_once;
use jaq_core::load::parse::{BinaryOp, Term};
use jaq_core::native::{Fun, v};
use jaq_core::ops::{Cmp, Math};
use jaq_core::path::{Opt, Part, Path};
use jaq_core::{Bind, Cv, Exn, Native, RunPtr, ValT as _, ValXs};
use jaq_json::{Num, Val};

use super::fast::plain;
use super::natives::{arithmetic, comparable};
use super::program::{Budget, Kit};

/// Expressions of one program, operations inside each other in one, and variables of one, at most.
const MOST: usize = NATIVES.len();
const MOST_DEEP: usize = 12;
const MOST_VARIABLES: usize = 3;

/// Characters of a number that is written in a program.
const MOST_DIGITS: usize = 17;

/// Steps of each, beside its operations: as many as the term and the tick before it that it stands for.
const ROUND_STEPS: u64 = 2;

/// Operations that count as a step.
const PER_STEP: u64 = 4;

/// The natives, by the numbers of their expressions. No program can name them.
const NATIVES: [(&str, RunPtr<Kit>); 12] = [
    ("!calc0", |cv| run(cv, 0)),
    ("!calc1", |cv| run(cv, 1)),
    ("!calc2", |cv| run(cv, 2)),
    ("!calc3", |cv| run(cv, 3)),
    ("!calc4", |cv| run(cv, 4)),
    ("!calc5", |cv| run(cv, 5)),
    ("!calc6", |cv| run(cv, 6)),
    ("!calc7", |cv| run(cv, 7)),
    ("!calc8", |cv| run(cv, 8)),
    ("!calc9", |cv| run(cv, 9)),
    ("!calc10", |cv| run(cv, 10)),
    ("!calc11", |cv| run(cv, 11)),
];

/// The expressions of a program.
#[derive(Default)]
pub(super) struct Calcs {
    pub(super) all: Vec<Calc>,
    /// Whether `null`, `true` and `false` are what they always are, and nothing is a path.
    pub(super) plain: bool,
}

/// What an expression is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    One,
    /// Each round of a loop, whose item is the first variable.
    Reduce,
    Foreach,
}

pub(super) struct Calc {
    kind: Kind,
    expr: Expr,
    variables: usize,
    /// How often the input is looked at.
    inputs: usize,
    steps: u64,
}

enum Expr {
    Input,
    Variable(usize),
    Constant(Val),
    Member(Box<Expr>, Val),
    Math(Box<Expr>, Math, Box<Expr>),
    Compare(Box<Expr>, Cmp, Box<Expr>),
    /// `and`, or with `true` `or`.
    Logic(Box<Expr>, bool, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Calcs {
    /// The call that stands for a term, when it is an operation of this kind and there is room for it.
    pub(super) fn call<'s>(&mut self, term: &Term<&'s str>) -> Option<Term<&'s str>> {
        let Term::BinOp(..) = term else { return None };
        let (name, variables) = self.add(Kind::One, Vec::new(), term)?;
        Some(Term::Call(name, variables.into_iter().map(Term::Var).collect()))
    }

    /// The native that stands for `reduce` or `foreach`, when each round of it is an expression of this kind,
    /// and the variables that it is given after what it goes over and what it starts with.
    pub(super) fn fold<'s>(
        &mut self,
        name: &str,
        item: &'s str,
        update: &Term<&'s str>,
    ) -> Option<(&'static str, Vec<&'s str>)> {
        let kind = match name {
            "reduce" => Kind::Reduce,
            _ => Kind::Foreach,
        };
        if !self.plain {
            return None;
        }
        let (name, mut variables) = self.add(kind, vec![item], update)?;
        variables.remove(0);
        Some((name, variables))
    }

    fn add<'s>(
        &mut self,
        kind: Kind,
        variables: Vec<&'s str>,
        term: &Term<&'s str>,
    ) -> Option<(&'static str, Vec<&'s str>)> {
        let (name, _) = NATIVES.get(self.all.len())?;
        let mut reader = Reader { variables, plain: self.plain, ..Reader::default() };
        let expr = reader.expr(term, MOST_DEEP)?;
        let Reader { variables, inputs, operations, .. } = reader;
        let steps = ROUND_STEPS + operations / PER_STEP;
        self.all.push(Calc { kind, expr, variables: variables.len(), inputs, steps });
        Some((name, variables))
    }

    /// What the calls call.
    pub(super) fn functions(&self) -> impl Iterator<Item = Fun<Kit>> {
        let natives = self.all.iter().zip(NATIVES.iter().take(MOST));
        natives.map(|(calc, (name, run))| {
            let mut arguments = v(calc.variables);
            if calc.kind != Kind::One {
                // What is gone over, and what it starts with in place of the item.
                let given = [Bind::Fun(()), Bind::Var(())];
                arguments = given.into_iter().chain(v(calc.variables - 1)).collect();
            }
            (*name, arguments, Native::<Kit>::new(*run))
        })
    }
}

/// Whether a call of this name is one of an expression.
pub(super) fn is_call(name: &str) -> bool {
    name.starts_with("!calc")
}

/// What a term is made of.
#[derive(Default)]
struct Reader<'s> {
    plain: bool,
    variables: Vec<&'s str>,
    inputs: usize,
    operations: u64,
}

impl<'s> Reader<'s> {
    fn expr(&mut self, term: &Term<&'s str>, deep: usize) -> Option<Expr> {
        let deep = deep.checked_sub(1)?;
        Some(match term {
            Term::Id => {
                self.inputs += 1;
                Expr::Input
            }
            Term::Var(name) => {
                let known = self.variables.iter().position(|known| known == name);
                Expr::Variable(match known {
                    Some(place) => place,
                    None if self.variables.len() < MOST_VARIABLES => {
                        self.variables.push(name);
                        self.variables.len() - 1
                    }
                    None => return None,
                })
            }
            Term::Call(name, args) if self.plain && args.is_empty() => {
                Expr::Constant(match *name {
                    "null" => Val::Null,
                    "true" => Val::Bool(true),
                    "false" => Val::Bool(false),
                    _ => return None,
                })
            }
            Term::IfThenElse(branches, otherwise) => {
                let mut expr = match otherwise {
                    Some(term) => self.expr(term, deep)?,
                    None => self.expr(&Term::Id, deep)?,
                };
                if branches.len() > deep {
                    return None;
                }
                for (condition, then) in branches.iter().rev() {
                    self.operations += 1;
                    let condition = Box::new(self.expr(condition, deep)?);
                    let then = Box::new(self.expr(then, deep)?);
                    expr = Expr::If(condition, then, Box::new(expr));
                }
                expr
            }
            Term::Num(_) | Term::Str(..) => Expr::Constant(constant(term)?),
            Term::Neg(inner) => match **inner {
                Term::Num(_) => Expr::Constant((-constant(inner)?).ok()?),
                _ => return None,
            },
            Term::Path(base, Path(parts)) => {
                let mut expr = self.expr(base, deep)?;
                if parts.len() > deep {
                    return None;
                }
                for part in parts {
                    let (Part::Index(index), Opt::Essential) = part else { return None };
                    expr = Expr::Member(Box::new(expr), constant(index)?);
                }
                expr
            }
            Term::BinOp(l, op, r) => {
                let op = match op {
                    BinaryOp::Math(op) => Ok(*op),
                    BinaryOp::Cmp(op) => Err(Ok(*op)),
                    BinaryOp::And => Err(Err(false)),
                    BinaryOp::Or => Err(Err(true)),
                    _ => return None,
                };
                self.operations += 1;
                let (l, r) = (Box::new(self.expr(l, deep)?), Box::new(self.expr(r, deep)?));
                match op {
                    Ok(op) => Expr::Math(l, op, r),
                    Err(Ok(op)) => Expr::Compare(l, op, r),
                    Err(Err(or)) => Expr::Logic(l, or, r),
                }
            }
            _ => return None,
        })
    }
}

/// The value of a number or a string.
fn constant(term: &Term<&str>) -> Option<Val> {
    match term {
        Term::Num(text) => match text.parse::<isize>() {
            Ok(number) => Some(Val::from(number)),
            Err(_) if text.len() <= MOST_DIGITS => Val::from_num(text).ok(),
            Err(_) => None,
        },
        term => plain(term).map(Val::from),
    }
}

#[inline(never)]
fn run<'a>(mut cv: Cv<'a, Kit>, number: usize) -> ValXs<'a, Val> {
    let data = *cv.0.data();
    let Some(calc) = data.calcs.all.get(number) else { return Box::new(std::iter::empty()) };
    let mut variables = [Val::Null, Val::Null, Val::Null];
    for place in (0..calc.variables).rev() {
        variables[place] = cv.0.pop_var();
    }
    let mut at = At { budget: data.budget, input: Val::Null, left: 0, variables };
    if calc.kind == Kind::One {
        drop(cv.0);
        return box_once(at.round(calc, cv.1));
    }
    if !data.budget.step(1) {
        return box_once(Err(Exn::halt(0)));
    }
    // What it starts with was given in the place of the item.
    let mut state = std::mem::take(&mut at.variables[0]);
    let (items, ctx) = cv.0.pop_fun();
    let mut items = items.run((ctx, cv.1));
    let mut round =
        move |state: Val, item: Result<Val, Exn<'a, Val>>| -> Result<Val, Exn<'a, Val>> {
            at.variables[0] = item?;
            at.round(calc, state)
        };
    if calc.kind == Kind::Reduce {
        return box_once(items.try_fold(state, round));
    }
    let mut ended = false;
    Box::new(std::iter::from_fn(move || {
        let item = items.next().filter(|_| !ended)?;
        let made = round(std::mem::take(&mut state), item);
        match &made {
            Ok(value) => state = value.clone(),
            Err(_) => ended = true,
        }
        Some(made)
    }))
}

/// What an expression is evaluated with.
struct At<'a> {
    budget: &'a Budget,
    input: Val,
    /// How often the input will be looked at: the last time it is taken, so that what is added to it is added
    /// in place.
    left: usize,
    variables: [Val; MOST_VARIABLES],
}

impl<'a> At<'a> {
    fn round(&mut self, calc: &Calc, input: Val) -> Result<Val, Exn<'a, Val>> {
        if !self.budget.step(calc.steps) {
            return Err(Exn::halt(0));
        }
        self.input = input;
        self.left = calc.inputs;
        self.value(&calc.expr)
    }

    fn value(&mut self, expr: &Expr) -> Result<Val, Exn<'a, Val>> {
        Ok(match expr {
            Expr::Input if self.left == 1 => std::mem::take(&mut self.input),
            Expr::Input => {
                self.left -= 1;
                self.input.clone()
            }
            Expr::Variable(place) => self.variables[*place].clone(),
            Expr::Constant(value) => value.clone(),
            Expr::Member(of, key) => self.value(of)?.index(key)?,
            Expr::Math(l, op, r) => {
                let (l, r) = (self.value(l)?, self.value(r)?);
                match (&l, op, &r) {
                    // What is most frequent.
                    (Val::Num(Num::Int(_)), Math::Add, Val::Num(Num::Int(_))) => (l + r)?,
                    (Val::Num(Num::Int(_)), Math::Sub, Val::Num(Num::Int(_))) => (l - r)?,
                    _ => arithmetic(self.budget, *op, l, r)?,
                }
            }
            Expr::Compare(l, op, r) => {
                let (l, r) = (self.value(l)?, self.value(r)?);
                comparable(self.budget, &l, &r)?;
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
        })
    }
}
