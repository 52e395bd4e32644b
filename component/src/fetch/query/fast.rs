//! A short way for the programs that are asked most: filters, projections and counts. Without it they take
//! three times as long, and longer than jq.
//!
//! Such a program looks at a few members of a row. They are found in one pass over the row's bytes,
//! which also checks that the row is JSON, and only they are read. Whatever is out of the ordinary,
//! in the program or in a row, goes the long way: what comes out is the same.

use std::cell::Cell;

use jaq_core::ValT as _;
use jaq_core::load::parse::{BinaryOp, Term};
use jaq_core::ops::Cmp;
use jaq_core::path::{Opt, Part, Path};
use jaq_json::{Num, Val};
use jaq_std::ValT as _;

use super::kit::Mixed;
use super::members::{Found, Members, raw_value};
use super::natives::by_number;
use super::read::read;
use super::scan::Odd;
use super::terms::plain;
use crate::content::numbers::float;
use crate::content::table::is_number;

/// Bytes that all members looked at may have together, or else twice those of the row.
const MAX_READ: usize = 64 * 1024;

/// A program of this kind.
#[derive(Debug)]
pub(super) struct Fast(Stream);

/// What gives any number of values.
#[derive(Debug)]
enum Stream {
    One(Expr),
    If(Expr, Box<Stream>),
    All(Vec<Stream>),
    Empty,
}

/// What gives one value.
#[derive(Debug)]
enum Expr {
    Member(u16),
    Constant(Val),
    /// Whether it is counted where one of them alone is a number.
    Compare(Box<Expr>, Order, Box<Expr>, bool),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Else(Box<Expr>, Box<Expr>),
    Length(Box<Expr>),
    Text(Box<Expr>, TextTest, String),
    Array(Vec<Expr>),
    Object(Vec<(Val, Expr)>),
}

/// A comparison.
#[derive(Debug, Clone, Copy)]
enum Order {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

impl Order {
    fn holds(self, order: std::cmp::Ordering) -> bool {
        match self {
            Order::Lt => order.is_lt(),
            Order::Le => order.is_le(),
            Order::Gt => order.is_gt(),
            Order::Ge => order.is_ge(),
            Order::Eq => order.is_eq(),
            Order::Ne => order.is_ne(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum TextTest {
    Starts,
    Ends,
    Contains,
}

impl Fast {
    /// The program, if it is of this kind. What it looks at is added to `members`.
    pub(super) fn compile(term: &Term<&str>, members: &mut Members) -> Option<Fast> {
        Some(Fast(stream(&[term], 0, members)?))
    }
}

/// The stages of a pipe, in order.
fn stages<'t, 's>(term: &'t Term<&'s str>, out: &mut Vec<&'t Term<&'s str>>) {
    match term {
        Term::BinOp(l, BinaryOp::Pipe(None), r) => {
            stages(l, out);
            stages(r, out);
        }
        term => out.push(term),
    }
}

/// What the stages make of the member `base`.
fn stream(terms: &[&Term<&str>], base: u16, members: &mut Members) -> Option<Stream> {
    let mut all = Vec::new();
    for term in terms {
        stages(term, &mut all);
    }
    let Some((first, rest)) = all.split_first() else {
        return Some(Stream::One(Expr::Member(base)));
    };
    match first {
        Term::Call("select", args) => {
            let [condition] = &args[..] else { return None };
            let condition = expr(condition, base, members)?;
            Some(Stream::If(condition, Box::new(stream(rest, base, members)?)))
        }
        Term::Call("empty", args) if args.is_empty() => Some(Stream::Empty),
        Term::BinOp(l, BinaryOp::Comma, r) if rest.is_empty() => {
            let mut all = Vec::new();
            for part in [l, r] {
                match stream(&[&**part], base, members)? {
                    Stream::All(parts) => all.extend(parts),
                    part => all.push(part),
                }
            }
            Some(Stream::All(all))
        }
        first => match (expr(first, base, members)?, rest) {
            (Expr::Member(member), rest) => stream(rest, member, members),
            (one, []) => Some(Stream::One(one)),
            (one, rest) => piped(one, rest).map(Stream::One),
        },
    }
}

/// What later stages make of a value that is not a member.
fn piped(mut one: Expr, rest: &[&Term<&str>]) -> Option<Expr> {
    for stage in rest {
        one = match stage {
            Term::Call("not", args) if args.is_empty() => Expr::Not(Box::new(one)),
            Term::Call("length", args) if args.is_empty() => Expr::Length(Box::new(one)),
            Term::Id => one,
            _ => return None,
        };
    }
    Some(one)
}

#[expect(clippy::too_many_lines, reason = "one match, an arm for each term")]
fn expr(term: &Term<&str>, base: u16, members: &mut Members) -> Option<Expr> {
    let mut boxed = |term: &Term<&str>| Some(Box::new(expr(term, base, members)?));
    Some(match term {
        Term::Id => Expr::Member(base),
        Term::Num(text) => match read(text.as_bytes()) {
            Ok(number @ Val::Num(_)) if is_number(text.as_bytes()) => Expr::Constant(number),
            _ => return None,
        },
        Term::Neg(inner) => match expr(inner, base, members)? {
            Expr::Constant(Val::Num(Num::Int(number))) => {
                Expr::Constant(Val::Num(Num::Int(number.checked_neg()?)))
            }
            _ => return None,
        },
        Term::Str(..) => Expr::Constant(Val::from(plain(term)?)),
        Term::Arr(None) => Expr::Constant(std::iter::empty::<Val>().collect()),
        Term::Arr(Some(inner)) => {
            let mut items = vec![&**inner];
            while let Some(Term::BinOp(l, BinaryOp::Comma, r)) = items.first().copied() {
                items.splice(0..1, [&**l, &**r]);
            }
            let items = items.into_iter().map(|item| expr(item, base, members));
            Expr::Array(items.collect::<Option<_>>()?)
        }
        Term::Obj(entries) => {
            let mut out = Vec::new();
            for (key, value) in entries {
                let name = plain(key)?;
                let value = match value {
                    Some(value) => expr(value, base, members)?,
                    None => Expr::Member(members.member(base, &name)?),
                };
                out.push((Val::from(name), value));
            }
            Expr::Object(out)
        }
        Term::Path(inner, Path(parts)) => {
            let Expr::Member(mut member) = expr(inner, base, members)? else { return None };
            for part in parts {
                let (Part::Index(index), Opt::Essential) = part else { return None };
                member = members.member(member, &plain(index)?)?;
            }
            Expr::Member(member)
        }
        Term::BinOp(_, BinaryOp::Pipe(None), _) => match stream(&[term], base, members)? {
            Stream::One(one) => one,
            _ => return None,
        },
        Term::BinOp(l, op, r) => match op {
            BinaryOp::And => Expr::And(boxed(l)?, boxed(r)?),
            BinaryOp::Or => Expr::Or(boxed(l)?, boxed(r)?),
            BinaryOp::Alt => Expr::Else(boxed(l)?, boxed(r)?),
            BinaryOp::Cmp(op) => {
                let order = match op {
                    Cmp::Lt => Order::Lt,
                    Cmp::Le => Order::Le,
                    Cmp::Gt => Order::Gt,
                    Cmp::Ge => Order::Ge,
                    Cmp::Eq => Order::Eq,
                    Cmp::Ne => Order::Ne,
                };
                let (l, r) = (boxed(l)?, boxed(r)?);
                let is_member = |expr: &Expr| matches!(expr, Expr::Member(_));
                let counts =
                    is_of_one_kind(&l) != is_of_one_kind(&r) || is_member(&l) && is_member(&r);
                let has_order = !matches!(order, Order::Eq | Order::Ne);
                Expr::Compare(l, order, r, counts && has_order)
            }
            _ => return None,
        },
        Term::Call(name, args) => match (*name, &args[..]) {
            ("null", []) => Expr::Constant(Val::Null),
            ("true", []) => Expr::Constant(Val::Bool(true)),
            ("false", []) => Expr::Constant(Val::Bool(false)),
            ("not", []) => Expr::Not(Box::new(Expr::Member(base))),
            ("length", []) => Expr::Length(Box::new(Expr::Member(base))),
            (name @ ("startswith" | "endswith" | "contains"), [text]) => {
                let test = match name {
                    "startswith" => TextTest::Starts,
                    "endswith" => TextTest::Ends,
                    _ => TextTest::Contains,
                };
                Expr::Text(Box::new(Expr::Member(base)), test, plain(text)?)
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// A value on the way.
enum Piece<'a> {
    /// JSON as it stands in the row.
    Raw(&'a [u8]),
    /// A part of the program.
    Constant(&'a Val),
    /// Made.
    Made(Val),
}

impl Piece<'_> {
    fn truth(truth: bool) -> Self {
        Piece::Made(Val::Bool(truth))
    }

    fn is_true(&self) -> bool {
        match self {
            Piece::Raw(bytes) => !matches!(bytes.first(), Some(b'n' | b'f')),
            Piece::Constant(value) => !matches!(value, Val::Null | Val::Bool(false)),
            Piece::Made(value) => !matches!(value, Val::Null | Val::Bool(false)),
        }
    }

    fn into_value(self) -> Result<Val, Odd> {
        match self {
            Piece::Raw(bytes) => raw_value(bytes),
            Piece::Constant(value) => Ok(value.clone()),
            Piece::Made(value) => Ok(value),
        }
    }

    /// A string without escapes, as its bytes.
    fn text(&self) -> Option<&[u8]> {
        match self {
            Piece::Raw([b'"', inner @ .., b'"']) => {
                memchr::memchr(b'\\', inner).is_none().then_some(inner)
            }
            Piece::Constant(Val::TStr(text)) => Some(text),
            Piece::Made(Val::TStr(text)) => Some(text),
            _ => None,
        }
    }

    /// What counts of a value: whether it is null, true or false.
    #[inline(never)]
    fn kind(&self) -> Val {
        let of = |value: &Val| match value {
            Val::Null | Val::Bool(_) => value.clone(),
            _ => Val::from(0usize),
        };
        match self {
            Piece::Raw(bytes) => match bytes.first() {
                Some(b'n') => Val::Null,
                Some(b't') => Val::Bool(true),
                Some(b'f') => Val::Bool(false),
                _ => Val::from(0usize),
            },
            Piece::Constant(value) => of(value),
            Piece::Made(value) => of(value),
        }
    }

    /// A number that compares as a floating-point number does.
    fn number(&self) -> Option<f64> {
        let of = |value: &Val| match value {
            Val::Num(Num::Int(number)) if (*number as i64).unsigned_abs() < 1 << 52 => {
                Some(*number as f64)
            }
            Val::Num(Num::BigInt(number)) if number.bits() < 52 => value.as_f64(),
            Val::Num(Num::Float(number)) => Some(*number),
            Val::Num(Num::Dec(text)) => text.parse().ok(),
            _ => None,
        };
        match self {
            Piece::Raw(bytes) => float(bytes),
            Piece::Constant(value) => of(value),
            Piece::Made(value) => of(value),
        }
    }
}

/// Whether what gives a value says that it is a number, or that it is a text.
fn is_of_one_kind(expr: &Expr) -> bool {
    matches!(expr, Expr::Constant(Val::Num(_) | Val::TStr(_)) | Expr::Length(_))
}

/// What is counted of a comparison of two values that are not of one kind.
fn mixed(l: &Piece<'_>, r: &Piece<'_>) -> Mixed {
    let is_number = |piece: &Piece<'_>| match piece {
        Piece::Raw(bytes) => matches!(bytes.first(), Some(b'-' | b'0'..=b'9')),
        Piece::Constant(value) => matches!(value, Val::Num(_)),
        Piece::Made(value) => matches!(value, Val::Num(_)),
    };
    let other = match (is_number(l), is_number(r)) {
        (true, false) => r,
        (false, true) => l,
        _ => return Mixed::default(),
    };
    match other {
        Piece::Raw(bytes) => {
            let text = bytes.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
            let is_figure = |text: &[u8]| crate::content::table::is_number(text.trim_ascii());
            Mixed {
                texts: u64::from(bytes.first() == Some(&b'"')),
                figures: text.is_some_and(is_figure).into(),
                nulls: u64::from(bytes.first() == Some(&b'n')),
            }
        }
        Piece::Constant(value) => by_number(value),
        Piece::Made(value) => by_number(value),
    }
}

fn compare(
    l: Piece<'_>,
    order: Order,
    r: Piece<'_>,
    met: Option<&Cell<Mixed>>,
) -> Result<bool, Odd> {
    if let (Some(l), Some(r)) = (l.text(), r.text()) {
        return Ok(order.holds(l.cmp(r)));
    }
    if let (Some(l), Some(r)) = (l.number(), r.number())
        && let Some(found) = l.partial_cmp(&r)
    {
        return Ok(order.holds(found));
    }
    if let Some(met) = met {
        let mut all = met.get();
        all.add(mixed(&l, &r));
        met.set(all);
    }
    Ok(order.holds(l.into_value()?.cmp(&r.into_value()?)))
}

/// One row, with what was found in it.
struct Row<'a> {
    bytes: &'a [u8],
    found: &'a Found,
    /// Bytes of members that were looked at, each as often as it was.
    read: Cell<usize>,
    /// Comparisons of what is no number with one.
    mixed: Cell<Mixed>,
}

impl<'a> Row<'a> {
    fn member(&self, node: u16) -> Result<Piece<'a>, Odd> {
        let Some(text) = self.found.text(self.bytes, node) else {
            return Ok(Piece::Constant(&Val::Null));
        };
        // A large member that is read again and again is read once on the long way.
        self.read.set(self.read.get() + text.len());
        match self.read.get() > MAX_READ.max(2 * self.bytes.len()) {
            true => Err(Odd),
            false => Ok(Piece::Raw(text)),
        }
    }

    fn eval(&self, expr: &'a Expr) -> Result<Piece<'a>, Odd> {
        Ok(match expr {
            Expr::Member(node) => self.member(*node)?,
            Expr::Constant(value) => Piece::Constant(value),
            Expr::Compare(l, order, r, counts) => Piece::truth(compare(
                self.eval(l)?,
                *order,
                self.eval(r)?,
                counts.then_some(&self.mixed),
            )?),
            Expr::And(l, r) => Piece::truth(self.eval(l)?.is_true() && self.eval(r)?.is_true()),
            Expr::Or(l, r) => Piece::truth(self.eval(l)?.is_true() || self.eval(r)?.is_true()),
            Expr::Not(inner) => Piece::truth(!self.eval(inner)?.is_true()),
            Expr::Else(l, r) => match self.eval(l)? {
                l if l.is_true() => l,
                _ => self.eval(r)?,
            },
            Expr::Length(inner) => {
                let inner = self.eval(inner)?;
                let length = match inner.text() {
                    Some(text) => std::str::from_utf8(text).map_err(|_| Odd)?.chars().count(),
                    None => match inner.into_value()? {
                        Val::Null => 0,
                        Val::TStr(text) => String::from_utf8_lossy(&text).chars().count(),
                        Val::Arr(items) => items.len(),
                        Val::Obj(members) => members.len(),
                        _ => return Err(Odd),
                    },
                };
                Piece::Made(Val::from(length))
            }
            Expr::Text(inner, test, wanted) => {
                let inner = match self.eval(inner)? {
                    inner if inner.text().is_some() => inner,
                    // It has escapes.
                    inner => Piece::Made(inner.into_value()?),
                };
                let text = inner.text().ok_or(Odd)?;
                let wanted = wanted.as_bytes();
                Piece::truth(match test {
                    TextTest::Starts => text.starts_with(wanted),
                    TextTest::Ends => text.ends_with(wanted),
                    TextTest::Contains => memchr::memmem::find(text, wanted).is_some(),
                })
            }
            Expr::Array(items) => {
                let items = items.iter().map(|item| self.eval(item)?.into_value());
                Piece::Made(items.collect::<Result<Val, Odd>>()?)
            }
            Expr::Object(entries) => {
                let mut members = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    members.push((key.clone(), self.eval(value)?.into_value()?));
                }
                Piece::Made(Val::from_map(members).map_err(|_| Odd)?)
            }
        })
    }

    fn stream(&self, stream: &'a Stream, wanted: bool, out: &mut Vec<Val>) -> Result<(), Odd> {
        match stream {
            Stream::Empty => {}
            Stream::One(Expr::Member(node)) if !wanted => {
                let text = self.found.text(self.bytes, *node);
                out.push(Piece::Raw(text.unwrap_or(b"null")).kind());
            }
            Stream::One(one) => {
                let value = self.eval(one)?;
                out.push(if wanted { value.into_value()? } else { value.kind() });
            }
            Stream::If(condition, then) => {
                if self.eval(condition)?.is_true() {
                    self.stream(then, wanted, out)?;
                }
            }
            Stream::All(parts) => {
                for part in parts {
                    self.stream(part, wanted, out)?;
                }
            }
        }
        Ok(())
    }
}

impl Fast {
    /// What the program gives for a row whose members were found, and which comparisons were of what is no number
    /// with one. Where only the number of results is
    /// `wanted`, they are null, true, false or 0, for anything else.
    pub(super) fn run(
        &self,
        row: &[u8],
        found: &Found,
        wanted: bool,
        out: &mut Vec<Val>,
    ) -> Result<Mixed, Odd> {
        let row = Row { bytes: row, found, read: Cell::new(0), mixed: Cell::default() };
        row.stream(&self.0, wanted, out)?;
        Ok(row.mixed.get())
    }
}
