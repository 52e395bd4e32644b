//! Rewrites programs where the interpreter differs from jq: there natives of ours are called.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::ops::{Cmp, Math};
use jaq_core::path::{Opt, Part, Path};

use super::terms::*;

pub(super) fn def(def: Def<&str>) -> Def<&str> {
    Def { name: def.name, args: def.args, body: term(def.body) }
}

#[expect(clippy::boxed_local, reason = "the parser gives boxes and the compiler takes them")]
fn boxed(inner: Box<Tm<'_>>) -> Box<Tm<'_>> {
    Box::new(term(*inner))
}

/// Rewrites a program. The parser has bounded how deep it is.
pub(super) fn term(given: Tm<'_>) -> Tm<'_> {
    match given {
        Term::Str(format, parts) => {
            let is_plain = format.is_none();
            let parts = parts.into_iter().map(|part| match part {
                StrPart::Term(inner) if is_plain => StrPart::Term(then(term(inner), "!text")),
                StrPart::Term(inner) => StrPart::Term(term(inner)),
                part => part,
            });
            Term::Str(format, parts.collect())
        }
        Term::Arr(inner) => Term::Arr(inner.map(boxed)),
        Term::Obj(members) => {
            let members = members.into_iter().map(|(k, v)| match v {
                Some(v) => (looked_up(k, "!key"), Some(term(v))),
                // The name of a variable stands for its value too.
                None => (term(k), None),
            });
            Term::Obj(members.collect())
        }
        Term::Neg(inner) => Term::Neg(boxed(inner)),
        Term::BinOp(l, op, r) => operation(*l, op, *r),
        Term::Label(name, inner) => Term::Label(name, boxed(inner)),
        Term::Fold(name, xs, bound, args) => {
            Term::Fold(name, boxed(xs), pattern(bound), args.into_iter().map(term).collect())
        }
        Term::TryCatch(body, catch) => Term::TryCatch(boxed(body), catch.map(boxed)),
        Term::IfThenElse(branches, otherwise) => {
            let branches = branches.into_iter().map(|(c, t)| (term(c), term(t))).collect();
            Term::IfThenElse(branches, otherwise.map(boxed))
        }
        Term::Def(defs, body) => Term::Def(defs.into_iter().map(def).collect(), boxed(body)),
        Term::Call(name, args) => Term::Call(name, args.into_iter().map(term).collect()),
        Term::Path(base, Path(parts)) => path(term(*base), parts),
        given => given,
    }
}

/// A path. Only a list has an item of a number, and a part of null is null.
fn path<'s>(mut base: Tm<'s>, parts: Vec<(Part<Tm<'s>>, Opt)>) -> Tm<'s> {
    let mut open = Vec::new();
    for (part, opt) in parts {
        let part = match part {
            Part::Index(index) => Part::Index(looked_up(index, "!index")),
            Part::Range(from, to) => {
                Part::Range(from.map(|at| end(at, "!start")), to.map(|at| end(at, "!end")))
            }
        };
        let is_fixed = matches!(&part, Part::Range(from, to) if (from.is_some() || to.is_some())
            && from.iter().chain(to).all(is_number));
        let is_item = matches!(&part, Part::Index(index) if is_number(index));
        if (is_fixed || is_item) && !open.is_empty() {
            base = Term::Path(Box::new(base), Path(std::mem::take(&mut open)));
        }
        if is_item {
            let list = Term::Call("!list", Vec::new());
            let list = match opt {
                Opt::Optional => Term::TryCatch(Box::new(list), None),
                Opt::Essential => list,
            };
            base = Term::BinOp(Box::new(base), BinaryOp::Pipe(None), Box::new(list));
        }
        if is_fixed {
            let null = Box::new(Term::Call("null", Vec::new()));
            let is_null = Term::BinOp(Box::new(Term::Id), BinaryOp::Cmp(Cmp::Eq), null);
            let cut = Term::Path(Box::new(Term::Id), Path(vec![(part, opt)]));
            let either = Term::IfThenElse(vec![(is_null, Term::Id)], Some(Box::new(cut)));
            base = Term::BinOp(Box::new(base), BinaryOp::Pipe(None), Box::new(either));
            continue;
        }
        open.push((part, opt));
    }
    match open.is_empty() {
        true => base,
        false => Term::Path(Box::new(base), Path(open)),
    }
}

/// A term by which something is looked up.
fn looked_up<'s>(by: Tm<'s>, native: &'static str) -> Tm<'s> {
    let is_plain = is_small(&by) && !matches!(by, Term::Call(..));
    match is_plain && (is_whole(&by) || !is_number(&by)) {
        true => by,
        false => then(term(by), native),
    }
}

/// An end of a slice, which is whole.
fn end<'s>(at: Tm<'s>, native: &'static str) -> Tm<'s> {
    match is_whole(&at) {
        true => at,
        false => then(term(at), native),
    }
}

fn pattern(bound: Pattern<&str>) -> Pattern<&str> {
    match bound {
        Pattern::Var(name) => Pattern::Var(name),
        Pattern::Arr(parts) => Pattern::Arr(parts.into_iter().map(pattern).collect()),
        Pattern::Obj(members) => {
            let members = members.into_iter().map(|(k, p)| match k {
                Term::Var(name) => (Term::Var(name), pattern(p)),
                k => (looked_up(k, "!index"), pattern(p)),
            });
            Pattern::Obj(members.collect())
        }
    }
}

/// `r as $x | body`.
fn bound<'s>(r: Tm<'s>, body: Tm<'s>) -> Tm<'s> {
    Term::BinOp(Box::new(r), BinaryOp::Pipe(Some(Pattern::Var(NAME))), Box::new(body))
}

/// What `l op= r` makes of what is in a place, where `r` is bound; nothing of `|=`.
fn made<'s>(op: &BinaryOp<&'s str>) -> Option<Tm<'s>> {
    let var = Term::Var(NAME);
    match op {
        BinaryOp::Assign => Some(var),
        BinaryOp::UpdateMath(math) => Some(arithmetic(Term::Id, *math, var)),
        BinaryOp::UpdateAlt => Some(Term::BinOp(Box::new(Term::Id), BinaryOp::Alt, Box::new(var))),
        _ => None,
    }
}

/// `l op= r` of one place: `r as $x | native([keys]; $x)`, or `native([keys]; r)` of what is there.
fn put<'s>(parts: Vec<(Part<Tm<'s>>, Opt)>, op: &BinaryOp<&'s str>, r: Tm<'s>) -> Tm<'s> {
    let keys = parts.into_iter().filter_map(|(part, _)| match part {
        Part::Index(key) => Some(looked_up(key, "!index")),
        Part::Range(..) => None,
    });
    let pair = |l, r| Term::BinOp(Box::new(l), BinaryOp::Comma, Box::new(r));
    let keys = Term::Arr(keys.reduce(pair).map(Box::new));
    let call = |native, with| Term::Call(native, vec![keys, with]);
    match (op, made(op)) {
        (BinaryOp::Assign, _) => bound(r, call("!assign", Term::Var(NAME))),
        (BinaryOp::UpdateMath(Math::Add), _) => bound(r, call("!assign_sum", Term::Var(NAME))),
        (_, Some(made)) => bound(r, call("!change", made)),
        (_, None) => call("!change", r),
    }
}

/// Whether a term gives places that the interpreter knows and cannot update.
fn is_some_of_many(l: &Tm<'_>) -> bool {
    calls(l, &[("first", 1), ("last", 1), ("limit", 2), ("skip", 2), ("nth", 2)])
}

fn operation<'s>(l: Tm<'s>, op: BinaryOp<&'s str>, r: Tm<'s>) -> Tm<'s> {
    use BinaryOp::{Assign, Update, UpdateAlt, UpdateMath};
    let is_update = matches!(op, Assign | Update | UpdateAlt | UpdateMath(_));
    if is_update && is_one_place(&l) {
        let Term::Path(_, Path(parts)) = l else { return Term::Id };
        return put(parts, &op, term(r));
    }
    if is_update && is_some_of_many(&l) {
        let modify = |with| Term::Call("modify_", vec![term(l), with]);
        return match made(&op) {
            Some(made) => bound(term(r), modify(made)),
            None => modify(term(r)),
        };
    }
    if let BinaryOp::Cmp(cmp @ (Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge)) = op {
        return ordered(l, cmp, r);
    }
    let (l, r) = (term(l), term(r));
    match op {
        BinaryOp::Math(math) => arithmetic(l, math, r),
        // `l op= r` is `r as $x | l |= . op $x`.
        UpdateMath(math @ (Math::Mul | Math::Div | Math::Rem)) => {
            let made = arithmetic(Term::Id, math, Term::Var(NAME));
            bound(r, Term::BinOp(Box::new(l), Update, Box::new(made)))
        }
        BinaryOp::Pipe(given) => {
            Term::BinOp(Box::new(l), BinaryOp::Pipe(given.map(pattern)), Box::new(r))
        }
        op => Term::BinOp(Box::new(l), op, Box::new(r)),
    }
}

/// `l < r` and its like: what is compared with a number, and is none, is counted.
fn ordered<'s>(l: Tm<'s>, cmp: Cmp, r: Tm<'s>) -> Tm<'s> {
    let (by_l, by_r) = (compares(&l), compares(&r));
    let are_open = is_one(&l) && is_one(&r) && !is_small(&l) && !is_small(&r);
    let (l, r) = (term(l), term(r));
    let (l, r) = match (by_l, by_r) {
        (None, None) if are_open => {
            let native = match cmp {
                Cmp::Lt => "!lt",
                Cmp::Le => "!le",
                Cmp::Gt => "!gt",
                _ => "!ge",
            };
            return Term::Call(native, vec![l, r]);
        }
        (None, Some(native)) => (then(l, native), r),
        (Some(native), None) => (l, then(r, native)),
        _ => (l, r),
    };
    Term::BinOp(Box::new(l), BinaryOp::Cmp(cmp), Box::new(r))
}

/// What counts the values that are compared with a term which is a number, or a text.
fn compares(term: &Tm<'_>) -> Option<&'static str> {
    match term {
        Term::Num(_) | Term::Neg(_) => Some("!by_number"),
        Term::BinOp(_, BinaryOp::Math(Math::Sub | Math::Mul | Math::Div | Math::Rem), _) => {
            Some("!by_number")
        }
        Term::Call("length" | "tonumber" | "floor" | "round" | "now", args) if args.is_empty() => {
            Some("!by_number")
        }
        Term::BinOp(_, BinaryOp::Pipe(None), last) => compares(last),
        Term::Str(..) => Some("!by_text"),
        _ => None,
    }
}

fn is_number(term: &Tm<'_>) -> bool {
    matches!(term, Term::Num(_) | Term::Neg(_)) && is_small(term)
}

/// `l op r`.
fn arithmetic<'s>(l: Tm<'s>, op: Math, r: Tm<'s>) -> Tm<'s> {
    let native = match op {
        Math::Mul => "!mul",
        Math::Div => "!div",
        Math::Rem => "!rem",
        op => return Term::BinOp(Box::new(l), BinaryOp::Math(op), Box::new(r)),
    };
    Term::Call(native, vec![l, r])
}
