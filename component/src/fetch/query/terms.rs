//! Questions about the terms of a program, and terms made of others.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Term};
use jaq_core::path::{Opt, Part, Path};

pub(super) type Tm<'s> = Term<&'s str>;

/// A variable that no program can name.
pub(super) const NAME: &str = "$!";

/// Whether a term is a constant, so that comparing with it costs little.
pub(super) fn is_small(term: &Tm<'_>) -> bool {
    match term {
        Term::Num(_) | Term::Arr(None) => true,
        Term::Neg(inner) => matches!(**inner, Term::Num(_)),
        Term::Obj(members) => members.is_empty(),
        Term::Str(_, parts) => !parts.iter().any(|part| matches!(part, StrPart::Term(_))),
        Term::Call(name, args) => {
            args.is_empty() && matches!(*name, "null" | "true" | "false" | "nan" | "infinite")
        }
        _ => false,
    }
}

/// Whether a term is a number without a fraction.
pub(super) fn is_whole(term: &Tm<'_>) -> bool {
    match term {
        Term::Num(digits) => digits.bytes().all(|digit| digit.is_ascii_digit()),
        Term::Neg(inner) => is_whole(inner),
        _ => false,
    }
}

/// Parts of a path into which something is put without a look at all that is there.
const MAX_PLACE: usize = 16;

/// Whether a term is one place in its input, not deep in it.
pub(super) fn is_one_place(term: &Tm<'_>) -> bool {
    match term {
        Term::Path(base, Path(parts)) => {
            matches!(**base, Term::Id) && parts.len() <= MAX_PLACE && parts.iter().all(is_one_part)
        }
        _ => false,
    }
}

fn is_one_part((part, opt): &(Part<Tm<'_>>, Opt)) -> bool {
    matches!((part, opt), (Part::Index(index), Opt::Essential) if is_one(index))
}

/// Whether a term gives one value for each input, or fails.
pub(super) fn is_one(term: &Tm<'_>) -> bool {
    match term {
        Term::Id | Term::Var(_) => true,
        Term::Str(_, parts) => {
            parts.iter().all(|part| !matches!(part, StrPart::Term(term) if !is_one(term)))
        }
        Term::Path(base, Path(parts)) => is_one(base) && parts.iter().all(is_one_part),
        Term::BinOp(l, BinaryOp::Math(_) | BinaryOp::Pipe(None), r) => is_one(l) && is_one(r),
        term => is_small(term),
    }
}

/// `term | native`.
pub(super) fn then<'s>(term: Tm<'s>, native: &'static str) -> Tm<'s> {
    let call = Term::Call(native, Vec::new());
    Term::BinOp(Box::new(term), BinaryOp::Pipe(None), Box::new(call))
}

/// What stands among the names of calls for a `select` that sets a value in place of comparing it.
const SETS: &str = "=";

/// Whether a program selects by what it sets, which is always true.
pub(super) fn sets_in_select(term: &Tm<'_>) -> bool {
    calls(term, &[(SETS, 0)])
}

/// The names that a term calls, each with how many arguments.
pub(super) fn calls_in<'s>(term: &Tm<'s>, out: &mut Vec<(&'s str, usize)>) {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match term {
            Term::Call(name, args) => {
                out.push((name, args.len()));
                if matches!((*name, &args[..]), ("select", [Term::BinOp(_, BinaryOp::Assign, _)])) {
                    out.push((SETS, 0));
                }
                open.extend(args);
            }
            Term::Str(format, parts) => {
                out.extend(format.map(|format| (format, 0)));
                open.extend(parts.iter().filter_map(|part| match part {
                    StrPart::Term(term) => Some(term),
                    _ => None,
                }));
            }
            Term::Obj(members) => {
                for (key, value) in members {
                    open.push(key);
                    open.extend(value);
                }
            }
            Term::BinOp(l, _, r) => open.extend([&**l, &**r]),
            Term::IfThenElse(branches, otherwise) => {
                open.extend(branches.iter().flat_map(|(c, t)| [c, t]));
                open.extend(otherwise.as_deref());
            }
            Term::Fold(_, xs, _, args) => {
                open.push(xs);
                open.extend(args);
            }
            Term::Arr(Some(inner)) | Term::Neg(inner) | Term::Label(_, inner) => open.push(inner),
            Term::Def(defs, body) => {
                open.extend(defs.iter().map(|def| &def.body));
                open.push(body);
            }
            Term::TryCatch(body, catch) => {
                open.push(body);
                open.extend(catch.as_deref());
            }
            Term::Path(base, Path(parts)) => {
                open.push(base);
                for (part, _) in parts {
                    match part {
                        Part::Index(index) => open.push(index),
                        Part::Range(from, to) => open.extend(from.iter().chain(to)),
                    }
                }
            }
            Term::Id
            | Term::Recurse
            | Term::Num(_)
            | Term::Var(_)
            | Term::Arr(None)
            | Term::Break(_) => {}
        }
    }
}

/// The text of a string without an expression in it.
pub(super) fn plain(term: &Term<&str>) -> Option<String> {
    let Term::Str(None, parts) = term else { return None };
    let mut out = String::new();
    for part in parts {
        match part {
            StrPart::Str(text) => out.push_str(text),
            StrPart::Char(c) => out.push(*c),
            StrPart::Term(_) => return None,
        }
    }
    Some(out)
}

/// Whether a term calls one of these functions of so many arguments.
pub(super) fn calls(term: &Tm<'_>, known: &[(&str, usize)]) -> bool {
    let mut found = Vec::new();
    calls_in(term, &mut found);
    found.iter().any(|call| known.contains(call))
}
