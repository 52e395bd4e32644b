//! Terms that have one value for each input, as trees that are evaluated at once.
//!
//! They are made of the input, of variables and constants, and of functions of the program's own that are
//! such terms themselves.

use jaq_core::ValT as _;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::ops::{Cmp, Math};
use jaq_core::path::{Opt, Part, Path};
use jaq_json::{Rc, Val};

use super::terms::{is_one_place, plain};

/// Expressions of one program, operations inside each other in one, and variables of one, at most.
pub(super) const MOST: usize = 12;
const MOST_DEEP: usize = 12;
pub(super) const MOST_VARIABLES: usize = 4;

/// Characters of a number that is written in a program.
const MOST_DIGITS: usize = 17;

/// Steps of each, beside its operations: as many as the term and the tick before it that it stands for.
const ROUND_STEPS: u64 = 2;

/// Operations that count as a step.
const PER_STEP: u64 = 4;

/// The names of the natives that stand for expressions, by their numbers. No program can name them.
pub(super) const NAMES: [&str; MOST] = [
    "!calc0", "!calc1", "!calc2", "!calc3", "!calc4", "!calc5", "!calc6", "!calc7", "!calc8",
    "!calc9", "!calc10", "!calc11",
];

/// The expressions of a program.
#[derive(Default)]
pub(super) struct Calcs {
    pub(super) all: Vec<Calc>,
    /// Functions of the program that are expressions.
    pub(super) functions: Vec<Body>,
    /// Whether `null`, `true` and `false` are what they always are, and nothing is a path.
    pub(super) plain: bool,
    /// The functions and programs that can be called at the term at hand, the last defined last: a name, how
    /// many arguments, and the number of those that are expressions.
    known: Vec<(String, usize, Option<usize>)>,
}

/// Whether a call of this name is one of an expression.
pub(super) fn is_call(name: &str) -> bool {
    name.starts_with("!calc")
}

/// What an expression is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    One,
    /// Each round of a loop, whose item is the first variable.
    Reduce,
    Foreach,
}

/// What a native evaluates.
pub(super) struct Calc {
    pub(super) kind: Kind,
    pub(super) body: Body,
    /// What `foreach` gives for what a round made.
    pub(super) given: Option<Expr>,
}

/// An expression, how many variables it has, and the steps of each time that it is evaluated.
pub(super) struct Body {
    pub(super) expr: Expr,
    pub(super) variables: usize,
    pub(super) steps: u64,
}

/// What is done with what is in a place of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Set,
    Add,
}

pub(super) enum Expr {
    /// The input, and whether it is looked at for the last time: then it is taken, so that what is added to it
    /// is added in place.
    Input(bool),
    /// The same of a variable.
    Variable(usize, bool),
    Constant(Val),
    Member(Box<Expr>, Box<Expr>),
    Math(Box<Expr>, Math, Box<Expr>),
    Compare(Box<Expr>, Cmp, Box<Expr>),
    /// `and`, or with `true` `or`.
    Logic(Box<Expr>, bool, Box<Expr>),
    Not(Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Array(Vec<Expr>),
    Object(Vec<(Expr, Expr)>),
    /// The second, with the first as its input.
    Pipe(Box<Expr>, Box<Expr>),
    /// The input, with something put in a place of it, or added there; whether the input is looked at for the
    /// last time.
    Put(Vec<Expr>, Change, Box<Expr>, bool),
    /// A function of the program, what it is given, and whether the input is looked at for the last time.
    Call(usize, Vec<Expr>, bool),
}

impl Calcs {
    pub(super) fn new(plain: bool) -> Calcs {
        Calcs { plain, ..Calcs::default() }
    }

    /// The call that stands for a term, when it is an operation of this kind and there is room for it.
    pub(super) fn call<'s>(&mut self, term: &Term<&'s str>) -> Option<Term<&'s str>> {
        let is_made = matches!(
            term,
            Term::BinOp(_, BinaryOp::Math(_) | BinaryOp::Cmp(_) | BinaryOp::And | BinaryOp::Or, _)
        ) || self.plain
            && match term {
                Term::Obj(members) => !members.is_empty(),
                term => matches!(term, Term::Arr(Some(_)) | Term::BinOp(..)),
            };
        if !is_made {
            return None;
        }
        let (name, variables) = self.add(Kind::One, Vec::new(), term, None)?;
        Some(Term::Call(name, variables.into_iter().map(Term::Var).collect()))
    }

    /// The native that stands for `reduce` or `foreach`, when each round of it is an expression of this kind,
    /// and the variables that it is given after what it goes over and what it starts with.
    pub(super) fn fold<'s>(
        &mut self,
        name: &str,
        item: &Pattern<&'s str>,
        rounds: &[Term<&'s str>],
    ) -> Option<(&'static str, Vec<&'s str>)> {
        let (true, Pattern::Var(item)) = (self.plain, item) else { return None };
        let (kind, update, given) = match (name, rounds) {
            ("reduce", [update]) => (Kind::Reduce, update, None),
            ("foreach", [update]) => (Kind::Foreach, update, None),
            ("foreach", [update, given]) => (Kind::Foreach, update, Some(given)),
            _ => return None,
        };
        let (name, mut variables) = self.add(kind, vec![item], update, given)?;
        variables.remove(0);
        Some((name, variables))
    }

    fn add<'s>(
        &mut self,
        kind: Kind,
        variables: Vec<&'s str>,
        term: &Term<&'s str>,
        given: Option<&Term<&'s str>>,
    ) -> Option<(&'static str, Vec<&'s str>)> {
        let name = NAMES.get(self.all.len())?;
        let mut reader = Reader { calcs: self, variables, operations: 0 };
        let mut expr = reader.expr(term, MOST_DEEP)?;
        let mut given = match given {
            Some(given) => Some(reader.expr(given, MOST_DEEP)?),
            None => None,
        };
        let Reader { variables, operations, .. } = reader;
        // What is outside of a loop is there in the next round.
        let mut live = Live::default();
        live.variables[1..].fill(kind != Kind::One);
        live.variables[0] = false;
        if let Some(given) = &mut given {
            given.mark(&mut live);
            live.input = false;
        }
        expr.mark(&mut live);
        let steps = ROUND_STEPS + operations / PER_STEP;
        let body = Body { expr, variables: variables.len(), steps };
        self.all.push(Calc { kind, body, given });
        Some((name, variables))
    }

    /// How many functions and programs are known.
    pub(super) fn scope(&self) -> usize {
        self.known.len()
    }

    /// Forgets those that were defined since there were so many.
    pub(super) fn leave(&mut self, scope: usize) {
        self.known.truncate(scope);
    }

    /// Notes the names that stand for what a function is given.
    pub(super) fn enter(&mut self, def: &Def<&str>) {
        let names = def.args.iter().map(|name| name.trim_start_matches('$').to_owned());
        self.known.extend(names.map(|name| (name, 0, None)));
    }

    /// Notes a function that a program defines. Returns what it does as a call, when it is an expression.
    pub(super) fn define<'s>(&mut self, def: &Def<&'s str>) -> Option<Term<&'s str>> {
        let number = self.functions.len();
        let scope = self.known.len();
        let named = |number| (def.name.to_owned(), def.args.len(), number);
        let is_of_values = def.args.iter().all(|name| name.starts_with('$'));
        if self.plain && is_of_values && def.args.len() <= MOST_VARIABLES {
            self.known.push(named(Some(number)));
            let body = Body { expr: Expr::Input(false), variables: def.args.len(), steps: 0 };
            self.functions.push(body);
            if let Some(call) = self.body(def, number) {
                return Some(call);
            }
            self.functions.truncate(number);
            self.known.truncate(scope);
        }
        self.known.push(named(None));
        None
    }

    fn body<'s>(&mut self, def: &Def<&'s str>, number: usize) -> Option<Term<&'s str>> {
        let scope = self.known.len();
        self.enter(def);
        let mut reader = Reader { calcs: self, variables: def.args.clone(), operations: 0 };
        let expr = reader.expr(&def.body, MOST_DEEP);
        let Reader { variables, operations, .. } = reader;
        self.known.truncate(scope);
        let mut expr = expr.filter(|_| variables.len() == def.args.len())?;
        expr.mark(&mut Live::default());
        self.functions[number].expr = expr;
        self.functions[number].steps = ROUND_STEPS + operations / PER_STEP;
        let given = def.args.iter().map(|name| Term::Var(*name)).collect();
        let (name, variables) =
            self.add(Kind::One, def.args.clone(), &Term::Call(def.name, given), None)?;
        Some(Term::Call(name, variables.into_iter().map(Term::Var).collect()))
    }
}

/// What is looked at later than a place of an expression.
#[derive(Debug, Clone, Copy, Default)]
struct Live {
    input: bool,
    variables: [bool; MOST_VARIABLES],
}

impl Live {
    fn join(&mut self, other: Live) {
        self.input |= other.input;
        for (live, other) in self.variables.iter_mut().zip(other.variables) {
            *live |= other;
        }
    }
}

impl Expr {
    /// Marks where the input and variables are looked at for the last time. It goes from the end of what is
    /// evaluated to its start.
    fn mark(&mut self, live: &mut Live) {
        match self {
            Expr::Input(last) => *last = !std::mem::replace(&mut live.input, true),
            Expr::Variable(place, last) => {
                *last = !std::mem::replace(&mut live.variables[*place], true);
            }
            Expr::Constant(_) => {}
            Expr::Not(inner) => inner.mark(live),
            Expr::Member(l, r) | Expr::Math(l, _, r) | Expr::Compare(l, _, r) => {
                r.mark(live);
                l.mark(live);
            }
            Expr::Logic(l, _, r) => {
                r.mark(live);
                l.mark(live);
            }
            Expr::If(condition, then, otherwise) => {
                let mut other = *live;
                otherwise.mark(&mut other);
                then.mark(live);
                live.join(other);
                condition.mark(live);
            }
            Expr::Array(items) => items.iter_mut().rev().for_each(|item| item.mark(live)),
            Expr::Object(members) => {
                for (key, value) in members.iter_mut().rev() {
                    value.mark(live);
                    key.mark(live);
                }
            }
            Expr::Pipe(l, r) => {
                let input = std::mem::take(&mut live.input);
                r.mark(live);
                live.input = input;
                l.mark(live);
            }
            Expr::Put(keys, _, value, last) => {
                *last = !std::mem::replace(&mut live.input, true);
                keys.iter_mut().rev().for_each(|key| key.mark(live));
                value.mark(live);
            }
            Expr::Call(_, arguments, last) => {
                *last = !std::mem::replace(&mut live.input, true);
                arguments.iter_mut().rev().for_each(|argument| argument.mark(live));
            }
        }
    }
}

/// What a term is made of.
struct Reader<'c, 's> {
    calcs: &'c Calcs,
    variables: Vec<&'s str>,
    operations: u64,
}

impl<'s> Reader<'_, 's> {
    fn boxed(&mut self, term: &Term<&'s str>, deep: usize) -> Option<Box<Expr>> {
        self.expr(term, deep).map(Box::new)
    }

    fn all(&mut self, terms: &[Term<&'s str>], deep: usize) -> Option<Vec<Expr>> {
        terms.iter().map(|term| self.expr(term, deep)).collect()
    }

    fn expr(&mut self, term: &Term<&'s str>, deep: usize) -> Option<Expr> {
        let deep = deep.checked_sub(1)?;
        let is_plain = self.calcs.plain;
        Some(match term {
            Term::Id => Expr::Input(false),
            Term::Var(name) => {
                let known = self.variables.iter().position(|known| known == name);
                let place = match known {
                    Some(place) => place,
                    None if self.variables.len() < MOST_VARIABLES => {
                        self.variables.push(name);
                        self.variables.len() - 1
                    }
                    None => return None,
                };
                Expr::Variable(place, false)
            }
            Term::Call(name, args) if is_plain => {
                let known = self
                    .calcs
                    .known
                    .iter()
                    .rev()
                    .find(|known| known.0 == *name && known.1 == args.len());
                match (known, *name, &args[..]) {
                    (Some((_, _, function)), ..) => {
                        self.operations += 1;
                        Expr::Call((*function)?, self.all(args, deep)?, false)
                    }
                    (None, "null", []) => Expr::Constant(Val::Null),
                    (None, "true", []) => Expr::Constant(Val::Bool(true)),
                    (None, "false", []) => Expr::Constant(Val::Bool(false)),
                    (None, "not", []) => Expr::Not(Box::new(Expr::Input(false))),
                    _ => return None,
                }
            }
            Term::IfThenElse(branches, otherwise) => {
                let mut expr = match otherwise {
                    Some(term) => self.expr(term, deep)?,
                    None => Expr::Input(false),
                };
                if branches.len() > deep {
                    return None;
                }
                for (condition, then) in branches.iter().rev() {
                    self.operations += 1;
                    let condition = self.boxed(condition, deep)?;
                    let then = self.boxed(then, deep)?;
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
                for key in self.keys(parts, deep)? {
                    expr = Expr::Member(Box::new(expr), Box::new(key));
                }
                expr
            }
            Term::Arr(None) => Expr::Constant(Val::Arr(Rc::default())),
            Term::Arr(Some(inner)) => {
                let mut items = vec![&**inner];
                while let Some(Term::BinOp(l, BinaryOp::Comma, r)) = items.first().copied() {
                    items.splice(0..1, [&**l, &**r]);
                }
                self.operations += 1;
                Expr::Array(
                    items.into_iter().map(|item| self.expr(item, deep)).collect::<Option<_>>()?,
                )
            }
            Term::Obj(members) => {
                self.operations += 1;
                let mut made = Vec::with_capacity(members.len());
                for (key, value) in members {
                    made.push(match (key, value) {
                        (key, Some(value)) => (self.expr(key, deep)?, self.expr(value, deep)?),
                        (Term::Var(name), None) => {
                            let key = Val::from(name.trim_start_matches('$').to_owned());
                            (Expr::Constant(key), self.expr(&Term::Var(*name), deep)?)
                        }
                        (key, None) => {
                            let key = constant(key)?;
                            let of = Box::new(Expr::Input(false));
                            (
                                Expr::Constant(key.clone()),
                                Expr::Member(of, Box::new(Expr::Constant(key))),
                            )
                        }
                    });
                }
                Expr::Object(made)
            }
            Term::BinOp(l, op, r) => {
                self.operations += 1;
                match op {
                    BinaryOp::Math(op) => {
                        Expr::Math(self.boxed(l, deep)?, *op, self.boxed(r, deep)?)
                    }
                    BinaryOp::Cmp(op) => {
                        Expr::Compare(self.boxed(l, deep)?, *op, self.boxed(r, deep)?)
                    }
                    BinaryOp::And => Expr::Logic(self.boxed(l, deep)?, false, self.boxed(r, deep)?),
                    BinaryOp::Or => Expr::Logic(self.boxed(l, deep)?, true, self.boxed(r, deep)?),
                    BinaryOp::Pipe(None) => Expr::Pipe(self.boxed(l, deep)?, self.boxed(r, deep)?),
                    BinaryOp::Assign | BinaryOp::UpdateMath(Math::Add) if is_one_place(l) => {
                        let Term::Path(_, Path(parts)) = &**l else { return None };
                        let change = match op {
                            BinaryOp::Assign => Change::Set,
                            _ => Change::Add,
                        };
                        let value = self.boxed(r, deep)?;
                        Expr::Put(self.keys(parts, deep)?, change, value, false)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn keys(&mut self, parts: &[(Part<Term<&'s str>>, Opt)], deep: usize) -> Option<Vec<Expr>> {
        if parts.len() > deep {
            return None;
        }
        let keys = parts.iter().map(|(part, opt)| match (part, opt) {
            (Part::Index(index), Opt::Essential) => self.expr(index, deep),
            _ => None,
        });
        keys.collect()
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
