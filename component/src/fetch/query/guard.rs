//! Rewrites programs so that they are bounded.
//!
//! Definitions, iterations and constructors call natives that count steps, weigh values and look at the stack.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Def, Pattern, Term};
use jaq_core::ops::{Cmp, Math};
use jaq_core::path::{Opt, Part, Path};

use super::natives;
use super::terms::*;

/// Rewrites a program. The parser has bounded how deep it is.
#[derive(Default)]
pub(super) struct Guard<'s> {
    /// Names of arguments that are programs. One that is passed on and on is a recursion too.
    closures: Vec<&'s str>,
    /// The definitions around: their names, arguments, and whether one of these is a program.
    around: Vec<(&'s str, usize, bool)>,
    /// Whether the term at hand is the last that a definition does: a call there takes no stack.
    is_last: bool,
}

impl<'s> Guard<'s> {
    pub(super) fn def(&mut self, def: Def<&'s str>, tick: bool) -> Def<&'s str> {
        let programs = def.args.iter().filter(|name| !name.starts_with('$'));
        let around = (def.name, def.args.len(), programs.clone().next().is_some());
        if tick {
            self.closures.extend(programs);
        }
        self.around.push(around);
        let body = self.last(def.body, true);
        self.around.pop();
        let body = if tick { ticking(body) } else { body };
        Def { name: def.name, args: def.args, body }
    }

    #[expect(clippy::boxed_local, reason = "the parser gives boxes and the compiler takes them")]
    fn boxed(&mut self, term: Box<Tm<'s>>) -> Box<Tm<'s>> {
        Box::new(self.term(*term))
    }

    /// A term that is the last of a definition, or not.
    fn last(&mut self, term: Tm<'s>, is_last: bool) -> Tm<'s> {
        self.is_last = is_last;
        self.term(term)
    }

    /// A term that is run while what is around it waits: a recursion in it takes of the stack.
    fn framed(&mut self, term: Tm<'s>) -> Tm<'s> {
        let deep = calls(&term, &self.around);
        let term = self.last(term, false);
        if deep { frame(term) } else { term }
    }

    fn all(&mut self, terms: Vec<Tm<'s>>) -> Vec<Tm<'s>> {
        terms.into_iter().map(|term| self.term(term)).collect()
    }

    pub(super) fn term(&mut self, term: Tm<'s>) -> Tm<'s> {
        let is_last = std::mem::take(&mut self.is_last);
        match term {
            Term::Id | Term::Num(_) | Term::Break(_) | Term::Var(_) | Term::Arr(None) => term,
            Term::Recurse => Term::Call("!recurse", Vec::new()),
            Term::Str(format, parts) => {
                let dynamic = parts.iter().any(|part| matches!(part, StrPart::Term(_)));
                let is_plain = format.is_none();
                let parts = parts.into_iter().map(|part| match part {
                    StrPart::Term(term) if is_plain => {
                        StrPart::Term(then(self.term(term), "!text"))
                    }
                    StrPart::Term(term) => StrPart::Term(self.term(term)),
                    part => part,
                });
                let text = Term::Str(format, parts.collect());
                if dynamic { then(text, "!weigh") } else { text }
            }
            Term::Arr(Some(inner)) => then(Term::Arr(Some(self.boxed(inner))), "!weigh"),
            Term::Obj(members) if members.is_empty() => Term::Obj(members),
            Term::Obj(members) => {
                let members = members.into_iter().map(|(k, v)| match v {
                    Some(v) => (self.looked_up(k, "!key"), Some(self.term(v))),
                    // The name of a variable stands for its value too.
                    None => (self.term(k), None),
                });
                then(Term::Obj(members.collect()), "!weigh")
            }
            Term::Neg(inner) => Term::Neg(self.boxed(inner)),
            Term::BinOp(l, op, r) => self.operation(*l, op, *r, is_last),
            Term::Label(name, inner) => Term::Label(name, Box::new(self.framed(*inner))),
            Term::Fold(name, xs, pattern, args) => {
                let (xs, pattern) = (self.boxed(xs), self.pattern(pattern));
                let args = args.into_iter().map(|arg| ticking(self.framed(arg)));
                Term::Fold(name, xs, pattern, args.collect())
            }
            Term::TryCatch(body, catch) => {
                let body = self.boxed(body);
                let catch = catch.map_or_else(nothing, |catch| self.framed(*catch));
                Term::TryCatch(body, Some(Box::new(after("!caught", catch))))
            }
            Term::IfThenElse(branches, otherwise) => {
                let branches =
                    branches.into_iter().map(|(c, t)| (self.term(c), self.last(t, is_last)));
                let branches = branches.collect();
                let otherwise = otherwise.map(|term| Box::new(self.last(*term, is_last)));
                Term::IfThenElse(branches, otherwise)
            }
            Term::Def(defs, body) => {
                let defs = defs.into_iter().map(|def| self.def(def, true)).collect();
                let body = Box::new(self.last(*body, is_last));
                Term::Def(defs, body)
            }
            Term::Call(name, args) => {
                let mut args = self.all(args);
                if name == "has" && args.len() == 1 {
                    if is_whole(&args[0]) {
                        return after("!list", Term::Call(name, args));
                    }
                    args = vec![then(args.remove(0), "!index")];
                }
                if natives::WORK_BY_BOTH.contains(&name) && args.len() == 1 {
                    // `f(x)` is `x as $x | pair($x) | f($x)`.
                    let pair = Term::Call("!pair", vec![Term::Var(NAME)]);
                    let call = Term::Call(name, vec![Term::Var(NAME)]);
                    let call = match name {
                        "contains" => {
                            let alike = Term::Call("!alike", vec![Term::Var(NAME)]);
                            Term::BinOp(Box::new(alike), BinaryOp::Pipe(None), Box::new(call))
                        }
                        _ => call,
                    };
                    let both = Term::BinOp(Box::new(pair), BinaryOp::Pipe(None), Box::new(call));
                    let bind = BinaryOp::Pipe(Some(Pattern::Var(NAME)));
                    return Term::BinOp(Box::new(args.remove(0)), bind, Box::new(both));
                }
                let native = if natives::WORK_BY_DEPTH.contains(&name) {
                    Some("!weigh")
                } else if natives::WORK_BY_SIZE.contains(&name) {
                    Some("!charge")
                } else if natives::WORK_BY_TOUCH.contains(&name) {
                    Some("!touch")
                } else if args.is_empty() && self.closures.contains(&name) {
                    Some("!tick")
                } else {
                    None
                };
                let around =
                    |known: &&(&str, usize, bool)| (known.0, known.1) == (name, args.len());
                let deep = self.around.iter().rev().find(around).map(|known| known.2);
                let mut call = Term::Call(name, args);
                // What a program is given as an argument holds those before it.
                if deep.is_some_and(|program| program || !is_last) {
                    call = frame(call);
                }
                match native {
                    Some(native) => after(native, call),
                    None => call,
                }
            }
            Term::Path(base, Path(parts)) => {
                let iterates =
                    parts.iter().any(|(part, _)| matches!(part, Part::Range(None, None)));
                let mut base = self.term(*base);
                let parts = parts.into_iter().map(|(part, opt)| {
                    let part = match part {
                        Part::Index(index) => Part::Index(self.looked_up(index, "!index")),
                        Part::Range(from, to) => Part::Range(
                            from.map(|end| self.end(end, "!start")),
                            to.map(|end| self.end(end, "!end")),
                        ),
                    };
                    (part, opt)
                });
                // A slice counts what it is cut from, and only a list has an item of a number.
                let mut open = Vec::new();
                for (part, opt) in parts {
                    let check = match &part {
                        Part::Range(None, None) => None,
                        Part::Range(..) => Some("!charge"),
                        Part::Index(index) => is_number(index).then_some("!list"),
                    };
                    if let Some(check) = check {
                        let cut = std::mem::take(&mut open);
                        if !cut.is_empty() {
                            base = Term::Path(Box::new(base), Path(cut));
                        }
                        base = match (check, opt) {
                            ("!list", Opt::Optional) => {
                                let list = Box::new(Term::Call(check, Vec::new()));
                                let list = Term::TryCatch(list, Some(Box::new(nothing())));
                                Term::BinOp(Box::new(base), BinaryOp::Pipe(None), Box::new(list))
                            }
                            _ => then(base, check),
                        };
                        // A part of null is null.
                        if is_fixed(&part) {
                            let null = Term::Call("null", Vec::new());
                            let is_null = Term::BinOp(
                                Box::new(Term::Id),
                                BinaryOp::Cmp(Cmp::Eq),
                                Box::new(null),
                            );
                            let cut = Term::Path(Box::new(Term::Id), Path(vec![(part, opt)]));
                            let either =
                                Term::IfThenElse(vec![(is_null, Term::Id)], Some(Box::new(cut)));
                            let pipe = BinaryOp::Pipe(None);
                            base = Term::BinOp(Box::new(base), pipe, Box::new(either));
                            continue;
                        }
                    }
                    open.push((part, opt));
                }
                let path = match open.is_empty() {
                    true => base,
                    false => Term::Path(Box::new(base), Path(open)),
                };
                if iterates { then(path, "!tick") } else { path }
            }
        }
    }

    /// A term by which something is looked up: a long one takes long.
    fn looked_up(&mut self, term: Tm<'s>, native: &'static str) -> Tm<'s> {
        let is_plain = is_small(&term) && !matches!(term, Term::Call(..));
        match is_plain && (is_whole(&term) || !is_number(&term)) {
            true => term,
            false => then(self.term(term), native),
        }
    }

    /// An end of a slice, which is whole.
    fn end(&mut self, term: Tm<'s>, native: &'static str) -> Tm<'s> {
        match is_whole(&term) {
            true => term,
            false => then(self.term(term), native),
        }
    }

    fn pattern(&mut self, pattern: Pattern<&'s str>) -> Pattern<&'s str> {
        match pattern {
            Pattern::Var(name) => Pattern::Var(name),
            Pattern::Arr(parts) => {
                Pattern::Arr(parts.into_iter().map(|part| self.pattern(part)).collect())
            }
            Pattern::Obj(members) => {
                let members = members.into_iter().map(|(k, p)| match k {
                    Term::Var(name) => (Term::Var(name), self.pattern(p)),
                    k => (self.looked_up(k, "!index"), self.pattern(p)),
                });
                Pattern::Obj(members.collect())
            }
        }
    }

    /// `l op= r` of one place: `r as $x | native([keys]; $x)`, or `native([keys]; r)` of what is there.
    fn put(&mut self, parts: Vec<(Part<Tm<'s>>, Opt)>, op: BinaryOp<&'s str>, r: Tm<'s>) -> Tm<'s> {
        let keys = parts.into_iter().filter_map(|(part, _)| match part {
            Part::Index(key) => Some(self.looked_up(key, "!index")),
            Part::Range(..) => None,
        });
        let pair = |l, r| Term::BinOp(Box::new(l), BinaryOp::Comma, Box::new(r));
        let keys = Term::Arr(keys.reduce(pair).map(Box::new));
        let r = self.term(r);
        let call = |native, with| Term::Call(native, vec![keys, with]);
        let call = match op {
            BinaryOp::Assign => call("!assign", Term::Var(NAME)),
            BinaryOp::UpdateMath(Math::Add) => call("!assign_sum", Term::Var(NAME)),
            BinaryOp::UpdateMath(math) => {
                let made = Term::Call(native(math), vec![Term::Id, Term::Var(NAME)]);
                then(call("!change", made), "!bound")
            }
            BinaryOp::UpdateAlt => {
                let or = Term::BinOp(Box::new(Term::Id), BinaryOp::Alt, Box::new(Term::Var(NAME)));
                then(call("!change", or), "!bound")
            }
            _ => return then(call("!change", r), "!bound"),
        };
        let bind = BinaryOp::Pipe(Some(Pattern::Var(NAME)));
        Term::BinOp(Box::new(r), bind, Box::new(call))
    }

    /// `l op= r` where the interpreter knows the places of `l` and cannot update them: `modify_(l; r)`.
    fn modify(&mut self, l: Tm<'s>, op: BinaryOp<&'s str>, r: Tm<'s>) -> Tm<'s> {
        let (l, r) = (self.term(l), self.term(r));
        let (id, var) = (Box::new(Term::Id), Term::Var(NAME));
        let made = match op {
            BinaryOp::UpdateMath(math) => Term::Call(native(math), vec![*id, var]),
            BinaryOp::UpdateAlt => Term::BinOp(id, BinaryOp::Alt, Box::new(var)),
            BinaryOp::Assign => var,
            _ => return Term::Call("modify_", vec![l, r]),
        };
        let bind = BinaryOp::Pipe(Some(Pattern::Var(NAME)));
        Term::BinOp(Box::new(r), bind, Box::new(Term::Call("modify_", vec![l, made])))
    }

    fn operation(&mut self, l: Tm<'s>, op: BinaryOp<&'s str>, r: Tm<'s>, is_last: bool) -> Tm<'s> {
        if matches!(op, BinaryOp::Comma) {
            // Two outputs of one input: often enough, that is as many as one likes.
            let l = self.last(l, is_last);
            let r = if is_last { self.last(r, true) } else { self.framed(r) };
            return Term::BinOp(Box::new(l), op, Box::new(ticking(r)));
        }
        use BinaryOp::{Assign, Update, UpdateAlt, UpdateMath};
        if matches!(op, Assign | Update | UpdateAlt | UpdateMath(_)) && is_one_place(&l) {
            let Term::Path(_, Path(parts)) = l else { return Term::Id };
            return self.put(parts, op, r);
        }
        let is_update = matches!(op, Assign | Update | UpdateAlt | UpdateMath(_));
        if is_update
            && calls(
                &l,
                &[
                    ("first", 1, false),
                    ("last", 1, false),
                    ("limit", 2, false),
                    ("skip", 2, false),
                    ("nth", 2, false),
                ],
            )
        {
            return self.modify(l, op, r);
        }
        let (by_l, by_r) = match op {
            BinaryOp::Cmp(Cmp::Lt | Cmp::Le | Cmp::Gt | Cmp::Ge) => (compares(&l), compares(&r)),
            _ => (None, None),
        };
        let of_two = match op {
            BinaryOp::Cmp(Cmp::Lt) => Some("!lt"),
            BinaryOp::Cmp(Cmp::Le) => Some("!le"),
            BinaryOp::Cmp(Cmp::Gt) => Some("!gt"),
            BinaryOp::Cmp(Cmp::Ge) => Some("!ge"),
            _ => None,
        };
        let are_open = is_one(&l) && is_one(&r) && !is_small(&l) && !is_small(&r);
        if let Some(native) = of_two.filter(|_| are_open && by_l.is_none() && by_r.is_none()) {
            let l = then(self.term(l), "!touch");
            return Term::Call(native, vec![l, self.term(r)]);
        }
        let l = self.term(l);
        let r = self.last(r, is_last && matches!(op, BinaryOp::Pipe(_) | BinaryOp::Alt));
        let (l, r) = match (by_l, by_r) {
            (None, Some(native)) => (then(l, native), r),
            (Some(native), None) => (l, then(r, native)),
            _ => (l, r),
        };
        match op {
            BinaryOp::Math(math) => Term::Call(native(math), vec![l, r]),
            BinaryOp::UpdateMath(math) => {
                // `l op= r` is `r as $x | l |= . op $x`.
                let call = Term::Call(native(math), vec![Term::Id, Term::Var(NAME)]);
                let update = Term::BinOp(Box::new(l), BinaryOp::Update, Box::new(call));
                let bind = BinaryOp::Pipe(Some(Pattern::Var(NAME)));
                then(Term::BinOp(Box::new(r), bind, Box::new(update)), "!bound")
            }
            op @ (BinaryOp::Assign | BinaryOp::Update | BinaryOp::UpdateAlt) => {
                then(Term::BinOp(Box::new(l), op, Box::new(r)), "!bound")
            }
            BinaryOp::Cmp(cmp) => {
                let l = if is_small(&l) || is_small(&r) { l } else { then(l, "!touch") };
                Term::BinOp(Box::new(l), BinaryOp::Cmp(cmp), Box::new(r))
            }
            BinaryOp::Pipe(pattern) => {
                let pattern = pattern.map(|pattern| self.pattern(pattern));
                Term::BinOp(Box::new(l), BinaryOp::Pipe(pattern), Box::new(r))
            }
            op => Term::BinOp(Box::new(l), op, Box::new(r)),
        }
    }
}

/// A term that counts a step whenever it is run.
fn ticking(term: Tm<'_>) -> Tm<'_> {
    match counts(&term) {
        true => term,
        false => after("!tick", term),
    }
}

/// Whether a term counts a step itself, and is no path: what counts on the way to a path also sees how long
/// that is, and how deep an update.
fn counts(term: &Tm<'_>) -> bool {
    match term {
        Term::Call(name, _) => matches!(*name, "!tick" | "!add" | "!mul" | "!rem"),
        Term::BinOp(l, BinaryOp::Pipe(None), _) => counts(l),
        _ => false,
    }
}

/// Whether the ends of a part of something are numbers.
fn is_fixed(part: &Part<Tm<'_>>) -> bool {
    matches!(part, Part::Range(from, to) if from.iter().chain(to).all(is_number))
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

/// What does arithmetic that is paid for.
fn native(op: Math) -> &'static str {
    match op {
        Math::Add => "!add",
        Math::Mul => "!mul",
        Math::Div => "!div",
        Math::Sub => "!sub",
        Math::Rem => "!rem",
    }
}
