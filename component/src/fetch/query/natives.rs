//! The functions of jq: the crate's own where they are bounded by their input, ours elsewhere.

use base64::Engine as _;
use jaq_core::box_iter::box_once;
use jaq_core::load::parse::{Def, Term};
use jaq_core::native::{self, Fun, bome, unary, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Cv, Error, Exn, Native, RunPtr, ValT as _, ValXs};
use jaq_json::{Num, Val};
use jaq_std::ValT as _;

mod library;
mod patterns;
mod sorting;

mod scalars;

use scalars::{float, items, json, number, string, text, weighed};
use sorting::{by_key, sorted};

use super::budget::{Budget, Kit, Limit, Mixed};
use super::costs::*;
use super::dates;
use super::read::read as read_json;
use super::value;
use crate::content::unescape::percent_decoded;

/// Functions that work on all of their input at once: what they cost is counted by its size.
pub(super) const WORK_BY_SIZE: [&str; 25] = [
    "reverse",
    "keys_unsorted",
    "key_values",
    "fromjson",
    "explode",
    "ascii_downcase",
    "ascii_upcase",
    "split_",
    "length",
    "trim",
    "ltrim",
    "rtrim",
    "escape_sh",
    "escape_html",
    "unescape_html",
    "encode_uri",
    "decode_uri",
    "encode_base64",
    "decode_base64",
    "fromdateiso8601",
    "todateiso8601",
    "gmtime",
    "strptime",
    "strftime",
    "utf8bytelength",
];

/// Functions that work on all that their input holds, however deep.
pub(super) const WORK_BY_DEPTH: [&str; 9] = [
    "sort_by",
    "group_by",
    "min_by_or_empty",
    "max_by_or_empty",
    "implode",
    "error_empty",
    "bsearch",
    "tobytes",
    "join_",
];

/// Functions that hold a part of their input against their argument.
pub(super) const WORK_BY_TOUCH: [&str; 4] = ["startswith", "endswith", "ltrimstr", "rtrimstr"];

/// Functions that look for all that their argument holds in all that their input holds.
pub(super) const WORK_BY_BOTH: [&str; 2] = ["contains", "indices"];

/// An index beyond what any value has.
const MAX_INDEX: f64 = 2e9;

/// Bytes of the format of a date.
const MAX_FORMAT: usize = 1_000;

/// What the definitions of the libraries are replaced by or lack.
const OURS: &str = include_str!("natives/library.jq");

/// Definitions of the libraries that are left out: they print, stop the process, need what is not
/// here, or come too early for what ours need.
const LEFT_OUT: [&str; 14] = [
    "empty",
    "scan_",
    "stderr",
    "debug",
    "halt",
    "halt_error",
    "nan",
    "infinite",
    "logb",
    "significand",
    "drem",
    "nexttoward",
    "scalb",
    "gamma",
];

fn read(source: &'static str) -> Vec<Def<&'static str>> {
    jaq_core::load::parse(source, |parser| parser.defs()).unwrap_or_default()
}

/// Every definition of the library.
pub(super) fn definitions() -> Vec<Def<&'static str>> {
    let mut ours = read(OURS);
    // What the compiler calls where nothing is given.
    let nothing = Term::Call("empty", Vec::new());
    let theirs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let mut all = vec![Def { name: "!empty", args: Vec::new(), body: nothing }];
    // Also where nothing is yet.
    let put = vec![Term::Var("$path"), Term::Var("$value")];
    let put = Term::Call("!assign", put);
    ours.push(Def { name: "setpath", args: vec!["$path", "$value"], body: put });
    let delete = Term::Call("!delete", vec![Term::Var("$paths")]);
    ours.push(Def { name: "delpaths", args: vec!["$paths"], body: delete });
    let is_native = |def: &Def<&str>| {
        library::NATIVE.iter().chain(&patterns::NATIVE).any(|f| *f == (def.name, def.args.len()))
    };
    for def in theirs.filter(|def| !LEFT_OUT.contains(&def.name) && !is_native(def)) {
        // One of ours stands where theirs stood, so that others can build on it.
        let same = |our: &Def<&str>| our.name == def.name && our.args.len() == def.args.len();
        match ours.iter().position(same) {
            Some(at) => all.push(ours.remove(at)),
            None => all.push(def),
        }
    }
    all.extend(ours);
    all
}

/// A native that passes its input on where a check of it does not fail, also on the way to a place in it.
macro_rules! checking {
    ($check:ident) => {
        Native::<Kit>::new(|cv| passing(cv, $check))
            .with_paths(|cv| {
                let checked = $check(cv.0.data().budget, &cv.1.0);
                box_once(checked.map(|()| cv.1))
            })
            .with_update(|cv, update| match $check(cv.0.data().budget, &cv.1) {
                Ok(()) => update(cv.1),
                Err(failed) => box_once(Err(failed)),
            })
    };
}

/// The same of a native's arguments.
fn math<'a>(mut cv: Cv<'a, Kit>, op: Math) -> ValXs<'a, Val> {
    let (r, l) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    // What nothing else holds is added to in place.
    drop(cv.1);
    box_once(arithmetic(budget, op, l, r))
}

/// Passes a value on that is paid for in a way.
#[inline(never)]
fn passing<'a>(cv: Cv<'a, Kit>, pay: fn(&'a Budget, &Val) -> Paid<'a>) -> ValXs<'a, Val> {
    let paid = pay(cv.0.data().budget, &cv.1);
    passed(cv.1, paid)
}

/// An index or an end of a slice: whole, also where it is what a division gave.
fn whole<'a>(mut cv: Cv<'a, Kit>, round: fn(f64) -> f64) -> ValXs<'a, Val> {
    if let Val::Num(Num::Float(_) | Num::Dec(_)) = &cv.1
        && let Some(float) = cv.1.as_f64().filter(|float| !float.is_nan())
    {
        cv.1 = number(round(float).clamp(-MAX_INDEX, MAX_INDEX));
    }
    passing(cv, is_index)
}

/// Passes a value on that is compared, and counts it where that is of little use.
fn compared<'a>(cv: Cv<'a, Kit>, of: fn(&Val) -> Mixed) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    let mut mixed = budget.mixed.get();
    mixed.add(of(&cv.1));
    budget.mixed.set(mixed);
    box_once(Ok(cv.1))
}

fn by_number(value: &Val) -> Mixed {
    Mixed { texts: matches!(value, Val::TStr(_)).into(), nulls: matches!(value, Val::Null).into() }
}

/// Whether two values are in an order, and whether one of them alone is a number.
fn ordered<'a>(mut cv: Cv<'a, Kit>, holds: fn(&Val, &Val) -> bool) -> ValXs<'a, Val> {
    let (r, l) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    let mut mixed = budget.mixed.get();
    match (&l, &r) {
        (Val::Num(_), other) | (other, Val::Num(_)) => mixed.add(by_number(other)),
        _ => {}
    }
    budget.mixed.set(mixed);
    box_once(Ok(Val::Bool(holds(&l, &r))))
}

/// Puts what a native is given in a place of its input, or adds it there.
fn assign<'a>(mut cv: Cv<'a, Kit>, change: Change) -> ValXs<'a, Val> {
    let (value, keys) = (cv.0.pop_var(), cv.0.pop_var());
    match keys {
        // A value as deep is let go of by as many calls.
        Val::Arr(keys) if keys.len() > MAX_PATH => {
            box_once(Err(stop(cv.0.data().budget, Limit::Depth)))
        }
        Val::Arr(keys) => box_once(assigned(cv.0.data().budget, cv.1, &keys, change, value)),
        _ => box_once(Ok(cv.1)),
    }
}

/// The natives that hold a program to its bounds. No program can name them.
fn bounds() -> Vec<Fun<Kit>> {
    let tick = Native::<Kit>::new(|cv| match cv.0.data().budget.step(1) {
        true => box_once(Ok(cv.1)),
        false => box_once(Err(Exn::halt(0))),
    })
    .with_paths(|cv| {
        let budget = cv.0.data().budget;
        // A long path is let go of by as many calls.
        if cv.1.1.skip(MAX_PATH).head().is_some() {
            budget.stop(Limit::Depth);
            return box_once(Err(Exn::halt(0)));
        }
        match budget.step(1) {
            true => box_once(Ok(cv.1)),
            false => box_once(Err(Exn::halt(0))),
        }
    })
    // What is updated further in is updated meanwhile.
    .with_update(|cv, update| match cv.0.data().budget.step(1) {
        true => in_frame(|| Box::new(Framed(update(cv.1)))),
        false => box_once(Err(Exn::halt(0))),
    });
    let empty = Native::<Kit>::new(|_| Box::new(std::iter::empty()))
        .with_paths(|_| Box::new(std::iter::empty()))
        .with_update(|cv, _| box_once(Ok(cv.1)));
    let frame = Native::<Kit>::new(|mut cv| {
        let (f, ctx) = cv.0.pop_fun();
        match ctx.data().budget.step(1) {
            true => in_frame(|| Box::new(Framed(f.run((ctx, cv.1))))),
            false => box_once(Err(Exn::halt(0))),
        }
    })
    .with_paths(|mut cv| {
        let (f, ctx) = cv.0.pop_fun();
        match ctx.data().budget.step(1) {
            true => in_frame(|| Box::new(Framed(f.paths((ctx, cv.1))))),
            false => box_once(Err(Exn::halt(0))),
        }
    })
    .with_update(|mut cv, update| {
        let (f, ctx) = cv.0.pop_fun();
        match ctx.data().budget.step(1) {
            true => in_frame(|| Box::new(Framed(f.update((ctx, cv.1), update)))),
            false => box_once(Err(Exn::halt(0))),
        }
    });
    let (charge, caught, list) = (checking!(charge), checking!(catching), checking!(is_list));
    let weigh: RunPtr<Kit> = |cv| weighed(cv, 8);
    // What an update made: it copied at most what is there.
    let bound: RunPtr<Kit> = |cv| weighed(cv, PARTS);
    let touch: RunPtr<Kit> = |cv| passing(cv, touched);
    let key: RunPtr<Kit> = |cv| passing(cv, is_key);
    let index: RunPtr<Kit> = |cv| whole(cv, f64::trunc);
    let start: RunPtr<Kit> = |cv| whole(cv, f64::floor);
    let end: RunPtr<Kit> = |cv| whole(cv, f64::ceil);
    let assign_value: RunPtr<Kit> = |cv| assign(cv, Change::Set);
    let assign_sum: RunPtr<Kit> = |cv| assign(cv, Change::Add);
    let by_number: RunPtr<Kit> = |cv| compared(cv, by_number);
    let by_text: RunPtr<Kit> = |cv| {
        compared(cv, |value| match value {
            Val::Num(_) => Mixed { texts: 1, nulls: 0 },
            _ => Mixed::default(),
        })
    };
    // What a program gives for what is in a place is put there.
    let change: RunPtr<Kit> = |mut cv| {
        let ((f, ctx), keys) = (cv.0.pop_fun(), cv.0.pop_var());
        let budget = ctx.data().budget;
        let Val::Arr(keys) = keys else { return box_once(Ok(cv.1)) };
        let made = |value| f.run((ctx.clone(), value)).next();
        Box::new(put_in(budget, cv.1, &keys, &made).into_iter())
    };
    // What stands in a text.
    let in_text: RunPtr<Kit> = |cv| match &cv.1 {
        Val::TStr(_) | Val::BStr(_) => box_once(Ok(cv.1)),
        _ => json(cv),
    };
    // The last is deleted first: what is before it does not move then.
    let delete: RunPtr<Kit> = |mut cv| {
        let paths = cv.0.pop_var();
        let budget = cv.0.data().budget;
        box_once((|| {
            let Val::Arr(mut paths) = sorted((cv.0, paths))? else { return Ok(cv.1) };
            let mut whole = cv.1;
            while let Some(path) = jaq_json::Rc::make_mut(&mut paths).pop() {
                whole = match &path {
                    Val::Arr(path) => deleted(budget, whole, path)?,
                    other => return Err(Error::index(whole, other.clone()).into()),
                };
            }
            Ok(whole)
        })())
    };
    // Only what is of one kind can be in the other.
    let alike: RunPtr<Kit> = |mut cv| {
        let sought = cv.0.pop_var();
        let is_alike = matches!(
            (&cv.1, &sought),
            (Val::TStr(_) | Val::BStr(_), Val::TStr(_) | Val::BStr(_))
                | (Val::Arr(_), Val::Arr(_))
                | (Val::Obj(_), Val::Obj(_))
                | (Val::Num(_), Val::Num(_))
                | (Val::Null, Val::Null)
                | (Val::Bool(_), Val::Bool(_))
        );
        box_once(match is_alike {
            true => Ok(cv.1),
            false => Err(Error::str(format_args!(
                "{} cannot contain {}",
                value::clipped(&cv.1, 60),
                value::clipped(&sought, 60)
            ))
            .into()),
        })
    };
    let pair: RunPtr<Kit> = |mut cv| {
        let sought = cv.0.pop_var();
        let budget = cv.0.data().budget;
        let steps = match (value::weigh(&cv.1), value::weigh(&sought)) {
            // Only strings are searched for strings, at once or place by place, when all of what is
            // sought was looked at several times.
            (Ok(l), Ok(r)) if matches!(cv.1, Val::TStr(_) | Val::BStr(_)) => {
                l.saturating_mul(1 + r / 64) + 8 * r
            }
            (Ok(l), Ok(r)) => l.saturating_mul(r),
            (Err(limit), _) | (_, Err(limit)) => return stopped(budget, limit),
        };
        passed(cv.1, paid(budget, 1 + steps / 16))
    };
    vec![
        ("empty", v(0), empty),
        ("!frame", Box::new([Bind::Fun(())]), frame),
        ("!tick", v(0), tick),
        ("!charge", v(0), charge),
        ("!weigh", v(0), Native::<Kit>::new(weigh)),
        ("!bound", v(0), Native::<Kit>::new(bound)),
        ("!touch", v(0), Native::<Kit>::new(touch)),
        ("!caught", v(0), caught),
        ("!list", v(0), list),
        ("!change", Box::new([Bind::Var(()), Bind::Fun(())]), Native::<Kit>::new(change)),
        ("!assign", v(2), Native::<Kit>::new(assign_value)),
        ("!assign_sum", v(2), Native::<Kit>::new(assign_sum)),
        ("!key", v(0), Native::<Kit>::new(key)),
        ("!index", v(0), Native::<Kit>::new(index)),
        ("!start", v(0), Native::<Kit>::new(start)),
        ("!end", v(0), Native::<Kit>::new(end)),
        ("!lt", v(2), Native::<Kit>::new(|cv| ordered(cv, |l, r| l < r))),
        ("!le", v(2), Native::<Kit>::new(|cv| ordered(cv, |l, r| l <= r))),
        ("!gt", v(2), Native::<Kit>::new(|cv| ordered(cv, |l, r| l > r))),
        ("!ge", v(2), Native::<Kit>::new(|cv| ordered(cv, |l, r| l >= r))),
        ("!by_number", v(0), Native::<Kit>::new(by_number)),
        ("!by_text", v(0), Native::<Kit>::new(by_text)),
        ("!text", v(0), Native::<Kit>::new(in_text)),
        ("!pair", v(1), Native::<Kit>::new(pair)),
        ("!delete", v(1), Native::<Kit>::new(delete)),
        ("!alike", v(1), Native::<Kit>::new(alike)),
        ("!rem", v(2), Native::<Kit>::new(|cv| math(cv, Math::Rem))),
        ("!sub", v(2), Native::<Kit>::new(|cv| math(cv, Math::Sub))),
        ("!add", v(2), Native::<Kit>::new(|cv| math(cv, Math::Add))),
        ("!mul", v(2), Native::<Kit>::new(|cv| math(cv, Math::Mul))),
        ("!div", v(2), Native::<Kit>::new(|cv| math(cv, Math::Div))),
    ]
}

/// Every native function. Those of the standard library are ours: the crate's own bring a copy of the
/// sorting code each, may panic where `nan` is sorted, and do work that is not counted.
pub(super) fn functions() -> Vec<Fun<Kit>> {
    const REPLACED: [&str; 4] = ["range", "fromjson", "tojson", "indices"];
    let theirs = jaq_core::funs::<Kit>().chain(jaq_json::funs());
    let theirs = theirs.filter(|(name, ..)| !REPLACED.contains(name));
    let natives = library::functions().into_iter().chain(patterns::functions());
    theirs.chain(bounds()).chain(ours()).chain(by_key()).chain(natives).collect()
}

/// The strings of an array, and its other values as JSON, with `separator` between them.
fn joined<'a>(mut cv: Cv<'a, Kit>) -> ValXs<'a, Val> {
    let separator = cv.0.pop_var();
    let budget = cv.0.data().budget;
    let mut out = Vec::new();
    for (index, item) in cv.1.values().enumerate() {
        let item = match item {
            Ok(item) => item,
            Err(error) => return bome(Err(error)),
        };
        match &separator {
            _ if index == 0 => {}
            Val::TStr(text) => out.extend_from_slice(text),
            Val::Null => {}
            other => {
                let l = string(String::from_utf8_lossy(&out).into_owned());
                return bome(Err(Error::math(l, Math::Add, other.clone())));
            }
        }
        match &item {
            Val::Null => {}
            Val::TStr(text) => out.extend_from_slice(text),
            Val::Arr(_) | Val::Obj(_) => {
                let l = string(String::from_utf8_lossy(&out).into_owned());
                return bome(Err(Error::math(l, Math::Add, item)));
            }
            other => {
                let mut text = String::new();
                value::write(other, MAX_STRING, &mut text);
                out.extend_from_slice(text.as_bytes());
            }
        }
        if out.len() > MAX_STRING || !budget.step(0) {
            return stopped(budget, budget.met().unwrap_or(Limit::Size));
        }
    }
    box_once(Ok(Val::utf8_str(out)))
}

/// Where `sought` is in a value.
fn indices<'a>(mut cv: Cv<'a, Kit>) -> ValXs<'a, Val> {
    let sought = cv.0.pop_var();
    let budget = cv.0.data().budget;
    let mut found = Vec::new();
    match (&cv.1, &sought) {
        (Val::TStr(_), Val::TStr(text)) if text.is_empty() => {}
        (Val::TStr(whole), Val::TStr(text)) => {
            let finder = memchr::memmem::Finder::new(&**text);
            let (mut at, mut chars) = (0, 0);
            while let Some(next) = finder.find(&whole[at..]) {
                // Characters are counted by the bytes that begin one.
                chars += whole[at..at + next].iter().filter(|b| **b as i8 >= -64).count();
                if found.len() >= MAX_MEMBERS || !budget.step(1) {
                    return stopped(budget, budget.met().unwrap_or(Limit::Size));
                }
                found.push(Val::from(chars));
                chars += 1;
                at += next + 1;
            }
        }
        (Val::Arr(_), Val::Arr(items)) if items.is_empty() => {}
        (Val::Arr(whole), Val::Arr(items)) => {
            let places = whole.windows(items.len()).enumerate();
            found.extend(places.filter(|(_, at)| *at == &items[..]).map(|(at, _)| Val::from(at)));
        }
        (Val::Arr(whole), item) => {
            let places = whole.iter().enumerate();
            found.extend(places.filter(|(_, at)| *at == item).map(|(at, _)| Val::from(at)));
        }
        (whole, sought) => return bome(Err(Error::index(whole.clone(), sought.clone()))),
    }
    box_once(Ok(found.into_iter().collect()))
}

/// A number without its fraction, one way or another.
fn rounded<'a>(cv: Cv<'a, Kit>, f: fn(f64) -> f64) -> ValXs<'a, Val> {
    match cv.1 {
        whole if whole.is_int() => box_once(Ok(whole)),
        other => bome(float(&other).map(|x| number(f(x)))),
    }
}

/// A part of a string, of which it takes the bytes.
fn part<'a>(cv: Cv<'a, Kit>, f: fn(&str) -> &str) -> ValXs<'a, Val> {
    bome(text(&cv.1).map(|text| cv.1.as_sub_str(f(text).as_bytes())))
}

/// Whether a string has something at one of its ends.
fn ends<'a>(cv: Cv<'a, Kit>, f: fn(&[u8], &[u8]) -> bool) -> ValXs<'a, Val> {
    unary(cv, move |whole, end| match (&whole, &end) {
        (Val::TStr(whole), Val::TStr(text)) => Ok(Val::Bool(f(whole, text))),
        (Val::TStr(_), _) => Err(Error::typ(end, "string")),
        _ => Err(Error::typ(whole, "string")),
    })
}

/// The format of a date, which is read for every date.
fn date_format(value: &Val) -> Result<&str, Error<Val>> {
    match value {
        Val::TStr(bytes) if bytes.len() > MAX_FORMAT => {
            Err(Error::str(format_args!("the format of a date has more than {MAX_FORMAT} bytes")))
        }
        value => text(value),
    }
}

macro_rules! floats {
    ($($name:literal => $f:expr),* $(,)?) => {
        [$(($name, v(0), (|cv| bome(float(&cv.1).map(|x| { let f: fn(f64) -> f64 = $f; Val::from(f(x)) }))) as RunPtr<Kit>)),*]
    };
}

/// A text made of another.
fn of_text<'a>(cv: Cv<'a, Kit>, f: fn(&str) -> String) -> ValXs<'a, Val> {
    bome(text(&cv.1).map(|text| string(f(text))))
}

macro_rules! texts {
    ($($name:literal => $f:expr),* $(,)?) => {
        [$(($name, v(0), (|cv| of_text(cv, $f)) as RunPtr<Kit>)),*]
    };
}

fn with_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

fn without_entities(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}

fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for b in text.bytes() {
        match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(b));
            }
            b => out.push_str(&format!("%{b:02X}")),
        }
    }
    out
}

fn ours() -> Vec<Fun<Kit>> {
    let two = || -> Box<[Bind]> { v(2) };
    let mut all: Vec<native::Filter<RunPtr<Kit>>> = Vec::from([
        (
            "range",
            v(3),
            (|mut cv| {
                let (by, to, from) = (cv.0.pop_var(), cv.0.pop_var(), cv.0.pop_var());
                range(cv.0.data().budget, from, to, by)
            }) as RunPtr<Kit>,
        ),
        ("explode", v(0), |cv| match &cv.1 {
            Val::TStr(bytes) if bytes.len() > MAX_EXPLODED => {
                stopped(cv.0.data().budget, Limit::Size)
            }
            value => {
                bome(text(value).map(|text| text.chars().map(|c| Val::from(c as usize)).collect()))
            }
        }),
        // The crate's own recurses on the text, and reads numbers of any length.
        ("fromjson", v(0), |cv| match text(&cv.1) {
            Ok(text) if text.trim().is_empty() => Box::new(std::iter::empty()),
            Ok(text) => bome(read_json(text.trim().as_bytes()).map_err(Error::str)),
            Err(error) => bome(Err(error)),
        }),
        ("tojson", v(0), json),
        ("utf8bytelength", v(0), |cv| bome(text(&cv.1).map(|text| Val::from(text.len())))),
        ("indices", v(1), indices),
        ("join_", v(1), joined),
        ("floor", v(0), |cv| rounded(cv, f64::floor)),
        ("round", v(0), |cv| rounded(cv, f64::round)),
        ("ceil", v(0), |cv| rounded(cv, f64::ceil)),
        ("sort", v(0), |cv| box_once(sorted(cv))),
        ("reverse", v(0), |cv| bome(items(cv.1).map(|items| items.into_iter().rev().collect()))),
        ("implode", v(0), |cv| {
            bome(items(cv.1).and_then(|items| {
                let char = |item: &Val| {
                    let code = item.as_isize().and_then(|code| u32::try_from(code).ok());
                    code.and_then(char::from_u32).ok_or_else(|| {
                        let shown = value::clipped(item, 60);
                        Error::str(format_args!("cannot use {shown} as character"))
                    })
                };
                Ok(string(items.iter().map(char).collect::<Result<String, _>>()?))
            }))
        }),
        ("trim", v(0), |cv| part(cv, str::trim)),
        ("ltrim", v(0), |cv| part(cv, str::trim_start)),
        ("rtrim", v(0), |cv| part(cv, str::trim_end)),
        ("startswith", v(1), |cv| ends(cv, |whole, start| whole.starts_with(start))),
        ("endswith", v(1), |cv| ends(cv, |whole, end| whole.ends_with(end))),
        ("nan", v(0), |_| box_once(Ok(Val::from(f64::NAN)))),
        ("infinite", v(0), |_| box_once(Ok(Val::from(f64::INFINITY)))),
        ("pow", two(), |cv| binary(cv, f64::powf)),
        ("atan2", two(), |cv| binary(cv, f64::atan2)),
        ("fmin", two(), |cv| binary(cv, f64::min)),
        ("fmax", two(), |cv| binary(cv, f64::max)),
        ("fmod", two(), |cv| binary(cv, |a, b| a % b)),
        ("hypot", two(), |cv| binary(cv, f64::hypot)),
        ("ldexp", two(), |cv| binary(cv, |a, b| a * b.exp2())),
        ("decode_base64", v(0), |cv| {
            let engine = base64::engine::GeneralPurpose::new(
                &base64::alphabet::STANDARD,
                base64::engine::GeneralPurposeConfig::new()
                    .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
            );
            bome(text(&cv.1).and_then(|text| {
                let bytes = engine.decode(text.trim_end_matches('=')).map_err(Error::str)?;
                Ok(string(String::from_utf8_lossy(&bytes).into_owned()))
            }))
        }),
        ("fromdateiso8601", v(0), |cv| {
            bome(
                text(&cv.1).and_then(|text| {
                    dates::from_iso(text).map(number).ok_or_else(|| bad_date(text))
                }),
            )
        }),
        ("todateiso8601", v(0), |cv| bome(float(&cv.1).map(|s| string(dates::to_iso(s))))),
        ("gmtime", v(0), |cv| {
            bome(float(&cv.1).map(|s| dates::broken_down(s).into_iter().map(number).collect()))
        }),
        ("mktime", v(0), |cv| bome(parts(&cv.1).map(|parts| number(dates::seconds(&parts))))),
        ("strftime", v(1), |cv| {
            unary(cv, |value, format| {
                let parts = match &value {
                    Val::Num(_) => dates::broken_down(float(&value)?),
                    _ => parts(&value)?,
                };
                let made = dates::format(&parts, date_format(&format)?);
                made.map(string).map_err(|unknown| {
                    Error::str(format_args!("strftime has no conversion %{unknown}"))
                })
            })
        }),
        ("strptime", v(1), |cv| {
            unary(cv, |value, format| {
                let (value, format) = (text(&value)?, date_format(&format)?);
                let parts = dates::parse(value, format).ok_or_else(|| bad_date(value))?;
                Ok(parts.into_iter().map(number).collect())
            })
        }),
    ]);
    all.extend(texts! {
        "ascii_downcase" => |text| text.to_ascii_lowercase(),
        "ascii_upcase" => |text| text.to_ascii_uppercase(),
        "escape_sh" => |text| text.replace('\'', "'\\''"),
        "escape_html" => with_entities,
        "unescape_html" => without_entities,
        "encode_uri" => percent_encoded,
        "decode_uri" => percent_decoded,
        "encode_base64" => |text| base64::engine::general_purpose::STANDARD.encode(text),
    });
    all.extend(floats! {
        "sqrt" => f64::sqrt, "cbrt" => f64::cbrt, "exp" => f64::exp, "exp2" => f64::exp2,
        "exp10" => |x| 10f64.powf(x), "log" => f64::ln, "log2" => f64::log2, "log10" => f64::log10,
        "sin" => f64::sin, "cos" => f64::cos, "tan" => f64::tan, "asin" => f64::asin,
        "acos" => f64::acos, "atan" => f64::atan, "fabs" => f64::abs,
        "trunc" => f64::trunc, "rint" => f64::round_ties_even,
    });
    all.into_iter().map(native::run::<Kit>).collect()
}

fn bad_date(text: &str) -> Error<Val> {
    let shown: String = text.chars().take(60).collect();
    Error::str(format_args!("date {shown:?} does not match"))
}

fn parts(value: &Val) -> Result<[f64; 8], Error<Val>> {
    let Val::Arr(items) = value else { return Err(Error::typ(value.clone(), "date")) };
    let mut parts = [0.0; 8];
    for (part, item) in parts.iter_mut().zip(items.iter()) {
        *part = float(item)?;
    }
    Ok(parts)
}

fn binary<'a>(mut cv: Cv<'a, Kit>, f: fn(f64, f64) -> f64) -> ValXs<'a, Val> {
    let (r, l) = (cv.0.pop_var(), cv.0.pop_var());
    bome(float(&l).and_then(|l| Ok(number(f(l, float(&r)?)))))
}

/// The numbers from `from` on, each of which is a step.
fn range<'a>(budget: &'a Budget, from: Val, to: Val, by: Val) -> ValXs<'a, Val> {
    let up = by > Val::from(0isize);
    let down = by < Val::from(0isize);
    let mut next = Some(from);
    Box::new(std::iter::from_fn(move || {
        let value = next.take()?;
        let inside = if up {
            value < to
        } else if down {
            value > to
        } else {
            value != to
        };
        if !inside {
            return None;
        }
        if !budget.step(1) {
            return Some(Err(Exn::halt(0)));
        }
        match value.clone() + by.clone() {
            Ok(after) => {
                next = Some(after);
                Some(Ok(value))
            }
            Err(error) => Some(Err(error.into())),
        }
    }))
}
