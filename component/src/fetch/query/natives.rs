//! The functions of jq: those of the libraries where they are what jq has, ours elsewhere.

use std::cell::Cell;

use base64::Engine as _;
use jaq_core::box_iter::box_once;
use jaq_core::load::parse::{Def, Term};
use jaq_core::native::{self, Fun, bome, unary, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Cv, Error, Exn, Native, RunPtr, ValR, ValT as _, ValXs};
use jaq_json::{Num, Val};
use jaq_std::ValT as _;

mod library;
mod patterns;
mod places;
mod scalars;
mod sorting;

use places::{deleted, put_in};
use scalars::{float, items, json, number, string, text};
use sorting::{by_key, sorted};

use super::dates;
use super::kit::{Kit, Mixed};
use super::read::read as read_json;
use super::value;
use crate::content::unescape::percent_decoded;

/// Bits of an integer that are exact; a longer one becomes a floating-point number.
const MAX_BITS: u64 = 4_096;

/// Bytes of the longest string that a product may ask for.
const MAX_STRING: f64 = i32::MAX as f64;

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
    let theirs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let mut all = Vec::new();
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

/// An index or an end of a slice: whole, also where it is what a division gave.
fn whole(index: Val, round: fn(f64) -> f64) -> ValR<Val> {
    match &index {
        Val::Num(Num::Float(nan)) if nan.is_nan() => Err(Error::str("an index cannot be nan")),
        Val::Num(Num::Float(_) | Num::Dec(_)) => Ok(match index.as_f64() {
            Some(float) => number(round(float).clamp(-MAX_INDEX, MAX_INDEX)),
            None => index,
        }),
        _ => Ok(index),
    }
}

/// The key of an object that is made. `nan` equals nothing: each would be another key.
fn key(key: Val) -> ValR<Val> {
    match &key {
        Val::Arr(_) | Val::Obj(_) => Err(Error::str("the key of an object must be a string")),
        Val::Num(Num::Float(number)) if number.is_nan() => {
            Err(Error::str("the key of an object cannot be nan"))
        }
        _ => Ok(key),
    }
}

/// A value that may have an item of a number. What has names is no list: the interpreter would look for a
/// member that is named by a number, and say null.
fn list(value: &Val) -> Result<(), Error<Val>> {
    match value {
        Val::Obj(_) => Err(Error::str("cannot index an object with a number")),
        _ => Ok(()),
    }
}

/// `l * r`, of which a long number has no more digits than a floating-point number.
fn product(l: Val, r: Val) -> ValR<Val> {
    if let (Val::TStr(text), Val::Num(_)) | (Val::Num(_), Val::TStr(text)) = (&l, &r)
        && let Some(times) = l.as_f64().or(r.as_f64())
        && text.len() as f64 * times > MAX_STRING
    {
        return Err(Error::str("the repeated string is too long"));
    }
    let bits = |value: &Val| match value {
        Val::Num(Num::BigInt(number)) => number.bits(),
        _ => 64,
    };
    let is_long = bits(&l) + bits(&r) > MAX_BITS;
    match (l.as_f64(), r.as_f64()) {
        (Some(l), Some(r)) if is_long => Ok(Val::from(l * r)),
        _ => l * r,
    }
}

/// `l % r`: of fractions only what is whole counts.
fn remainder(l: Val, r: Val) -> ValR<Val> {
    let whole = |value: Val| match value.as_f64() {
        Some(float) if float.fract() != 0.0 && float.abs() < 9e15 => Val::from(float as isize),
        _ => value,
    };
    whole(l) % whole(r)
}

/// `l / r`, which no number is where `r` is zero.
fn quotient(l: Val, r: Val) -> ValR<Val> {
    match (&l, &r) {
        (Val::Num(_), Val::Num(_)) if r.as_f64() == Some(0.0) => {
            Err(Error::str("the divisor is zero"))
        }
        _ => l / r,
    }
}

/// What a function makes of a native's two arguments.
fn of_two<'a>(mut cv: Cv<'a, Kit>, made: fn(Val, Val) -> ValR<Val>) -> ValXs<'a, Val> {
    let (r, l) = (cv.0.pop_var(), cv.0.pop_var());
    // What nothing else holds is changed in place.
    drop(cv.1);
    bome(made(l, r))
}

/// Passes a value on that is compared, and counts it where that is of little use.
fn compared<'a>(cv: Cv<'a, Kit>, of: fn(&Val) -> Mixed) -> ValXs<'a, Val> {
    let kept = cv.0.data().kept;
    let mut mixed = kept.mixed.get();
    mixed.add(of(&cv.1));
    kept.mixed.set(mixed);
    box_once(Ok(cv.1))
}

/// What is counted of a value that is compared with a number.
pub(super) fn by_number(value: &Val) -> Mixed {
    let is_figure =
        matches!(value, Val::TStr(text) if crate::content::table::is_number(text.trim_ascii()));
    Mixed {
        texts: matches!(value, Val::TStr(_)).into(),
        figures: is_figure.into(),
        nulls: matches!(value, Val::Null).into(),
    }
}

/// Whether two values are in an order, and whether one of them alone is a number.
fn ordered<'a>(mut cv: Cv<'a, Kit>, holds: fn(&Val, &Val) -> bool) -> ValXs<'a, Val> {
    let (r, l) = (cv.0.pop_var(), cv.0.pop_var());
    let kept = cv.0.data().kept;
    let mut mixed = kept.mixed.get();
    match (&l, &r) {
        (Val::Num(_), other) | (other, Val::Num(_)) => mixed.add(by_number(other)),
        _ => {}
    }
    kept.mixed.set(mixed);
    box_once(Ok(Val::Bool(holds(&l, &r))))
}

/// Puts what a native is given in a place of its input, or what `with` makes of both.
fn assign<'a>(mut cv: Cv<'a, Kit>, with: fn(Val, Val) -> ValR<Val>) -> ValXs<'a, Val> {
    let (value, keys) = (Cell::new(cv.0.pop_var()), cv.0.pop_var());
    let Val::Arr(keys) = keys else { return box_once(Ok(cv.1)) };
    let made = put_in(cv.1, &keys, &|old| Some(with(old, value.take()).map_err(Exn::from)));
    Box::new(made.into_iter())
}

/// What the interpreter does otherwise than jq. No program can name these.
#[expect(clippy::too_many_lines, reason = "a table of one entry a function")]
fn differing() -> Vec<Fun<Kit>> {
    let empty = Native::<Kit>::new(|_| Box::new(std::iter::empty()))
        .with_paths(|_| Box::new(std::iter::empty()))
        .with_update(|cv, _| box_once(Ok(cv.1)));
    let is_list = Native::<Kit>::new(|cv| bome(list(&cv.1).map(|()| cv.1)))
        .with_paths(|cv| box_once(list(&cv.1.0).map(|()| cv.1).map_err(Exn::from)))
        .with_update(|cv, update| match list(&cv.1) {
            Ok(()) => update(cv.1),
            Err(failed) => bome(Err(failed)),
        });
    let by_number: RunPtr<Kit> = |cv| compared(cv, by_number);
    let by_text: RunPtr<Kit> = |cv| {
        compared(cv, |value| match value {
            Val::Num(_) => Mixed { texts: 1, ..Mixed::default() },
            _ => Mixed::default(),
        })
    };
    // What a program gives for what is in a place is put there.
    let change: RunPtr<Kit> = |mut cv| {
        let ((f, ctx), keys) = (cv.0.pop_fun(), cv.0.pop_var());
        let Val::Arr(keys) = keys else { return box_once(Ok(cv.1)) };
        let made = |value| f.run((ctx.clone(), value)).next();
        Box::new(put_in(cv.1, &keys, &made).into_iter())
    };
    // What stands in a text.
    let in_text: RunPtr<Kit> = |cv| match &cv.1 {
        Val::TStr(_) | Val::BStr(_) => box_once(Ok(cv.1)),
        _ => json(cv),
    };
    // The last is deleted first: what is before it does not move then.
    let delete: RunPtr<Kit> = |mut cv| {
        let paths = cv.0.pop_var();
        bome((|| {
            let Val::Arr(mut paths) = sorted(paths)? else { return Ok(cv.1) };
            let mut whole = cv.1;
            while let Some(path) = jaq_json::Rc::make_mut(&mut paths).pop() {
                whole = match &path {
                    Val::Arr(path) => deleted(whole, path)?,
                    other => return Err(Error::index(whole, other.clone())),
                };
            }
            Ok(whole)
        })())
    };
    let one_of_each = [
        ("empty", v(0), empty),
        ("!list", v(0), is_list),
        ("!change", Box::from([Bind::Var(()), Bind::Fun(())]), Native::<Kit>::new(change)),
    ];
    let beside: RunPtr<Kit> = |mut cv| {
        let at = cv.0.pop_var().as_f64().unwrap_or(-1.0) as usize;
        box_once(Ok(cv.0.data().kept.beside.get(at).cloned().unwrap_or_default()))
    };
    let from: RunPtr<Kit> = |cv| {
        let id = cv.0.data().kept.from.get();
        box_once(Ok(id.map_or(Val::Null, |id| string(id.to_string()))))
    };
    let plain: [native::Filter<RunPtr<Kit>>; 19] = [
        ("!beside", v(1), beside),
        ("input_filename", v(0), from),
        ("!assign", v(2), |cv| assign(cv, |_, new| Ok(new))),
        ("!assign_sum", v(2), |cv| assign(cv, |old, new| old + new)),
        ("!key", v(0), |cv| bome(key(cv.1))),
        ("!index", v(0), |cv| bome(whole(cv.1, f64::trunc))),
        ("!start", v(0), |cv| bome(whole(cv.1, f64::floor))),
        ("!end", v(0), |cv| bome(whole(cv.1, f64::ceil))),
        ("!lt", v(2), |cv| ordered(cv, |l, r| l < r)),
        ("!le", v(2), |cv| ordered(cv, |l, r| l <= r)),
        ("!gt", v(2), |cv| ordered(cv, |l, r| l > r)),
        ("!ge", v(2), |cv| ordered(cv, |l, r| l >= r)),
        ("!by_number", v(0), by_number),
        ("!by_text", v(0), by_text),
        ("!text", v(0), in_text),
        ("!delete", v(1), delete),
        ("!rem", v(2), |cv| of_two(cv, remainder)),
        ("!mul", v(2), |cv| of_two(cv, product)),
        ("!div", v(2), |cv| of_two(cv, quotient)),
    ];
    one_of_each.into_iter().chain(plain.into_iter().map(native::run::<Kit>)).collect()
}

/// Every native function. Those of `jaq_std` and of `jaq_json` are not among them: of most we have our own, and what is
/// there is linked, whether a program can reach it or not (three sorts, 50 KB, which panic where there is `nan`).
pub(super) fn functions() -> Vec<Fun<Kit>> {
    let natives = library::functions().into_iter().chain(patterns::functions());
    jaq_core::funs::<Kit>()
        .chain(differing())
        .chain(ours())
        .chain(by_key())
        .chain(natives)
        .collect()
}

/// The strings of an array, and its other values as JSON, with `separator` between them.
fn joined(given: Val, separator: Val) -> ValR<Val> {
    let mut out = Vec::new();
    let text = |out: &[u8]| string(String::from_utf8_lossy(out).into_owned());
    for (index, item) in given.values().enumerate() {
        match &separator {
            _ if index == 0 => {}
            Val::TStr(text) => out.extend_from_slice(text),
            Val::Null => {}
            other => return Err(Error::math(text(&out), Math::Add, other.clone())),
        }
        match item? {
            Val::Null => {}
            Val::TStr(text) => out.extend_from_slice(&text),
            item @ (Val::Arr(_) | Val::Obj(_)) => {
                return Err(Error::math(text(&out), Math::Add, item));
            }
            other => {
                let mut text = String::new();
                value::write(&other, usize::MAX, &mut text);
                out.extend_from_slice(text.as_bytes());
            }
        }
    }
    Ok(Val::utf8_str(out))
}

/// How many characters, items or members there are; of a number how far it is from 0.
fn length(value: Val) -> ValR<Val> {
    Ok(match &value {
        Val::Null => Val::from(0usize),
        Val::Bool(is) => return Err(Error::str(format_args!("{is} has no length"))),
        Val::Num(_) if value.as_f64() == Some(0.0) => Val::from(0usize),
        Val::Num(_) if value < Val::from(0usize) => return -value,
        Val::Num(_) => value,
        Val::TStr(text) => Val::from(String::from_utf8_lossy(text).chars().count()),
        Val::BStr(bytes) => Val::from(bytes.len()),
        Val::Arr(items) => Val::from(items.len()),
        Val::Obj(members) => Val::from(members.len()),
    })
}

/// Whether a value holds another: only what is of one kind can.
fn contains(whole: Val, sought: Val) -> ValR<Val> {
    fn holds(l: &Val, r: &Val) -> bool {
        match (l, r) {
            (Val::TStr(l) | Val::BStr(l), Val::TStr(r) | Val::BStr(r)) => {
                memchr::memmem::find(l, r).is_some()
            }
            (Val::Arr(l), Val::Arr(r)) => r.iter().all(|r| l.iter().any(|l| holds(l, r))),
            (Val::Obj(l), Val::Obj(r)) => {
                r.iter().all(|(key, r)| l.get(key).is_some_and(|l| holds(l, r)))
            }
            (l, r) => l == r,
        }
    }
    match library::type_name(&whole) == library::type_name(&sought) {
        true => Ok(Val::Bool(holds(&whole, &sought))),
        false => Err(Error::str(format_args!(
            "{} cannot contain {}",
            value::clipped(&whole, 60),
            value::clipped(&sought, 60)
        ))),
    }
}

/// Whether a value has an item or a member.
fn has(whole: Val, key: Val) -> ValR<Val> {
    match (&whole, self::whole(key, f64::trunc)?) {
        (Val::Null, _) => Ok(Val::Bool(false)),
        (Val::Arr(items), index @ Val::Num(_)) => {
            let index = index.as_isize().and_then(|index| usize::try_from(index).ok());
            Ok(Val::Bool(index.is_some_and(|index| index < items.len())))
        }
        (Val::Obj(members), key @ Val::TStr(_)) => Ok(Val::Bool(members.contains_key(&key))),
        (Val::Obj(_), Val::Num(_)) => list(&whole).map(|()| whole),
        (_, key) => Err(Error::index(whole, key)),
    }
}

/// Where `sought` is in a value.
fn indices(whole: Val, sought: Val) -> ValR<Val> {
    let mut found = Vec::new();
    match (&whole, &sought) {
        (Val::TStr(_), Val::TStr(text)) if text.is_empty() => {}
        (Val::TStr(whole), Val::TStr(text)) => {
            let finder = memchr::memmem::Finder::new(&**text);
            let (mut at, mut chars) = (0, 0);
            while let Some(next) = finder.find(&whole[at..]) {
                // Characters are counted by the bytes that begin one.
                chars += whole[at..at + next].iter().filter(|b| **b as i8 >= -64).count();
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
        _ => return Err(Error::index(whole, sought)),
    }
    Ok(found.into_iter().collect())
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
fn ends<'a>(cv: Cv<'a, Kit>, f: fn(&str, &str) -> bool) -> ValXs<'a, Val> {
    unary(cv, move |whole, end| Ok(Val::Bool(f(text(&whole)?, text(&end)?))))
}

/// A string without something at one of its ends; what has it not is left.
fn without<'a>(cv: Cv<'a, Kit>, f: for<'t> fn(&'t str, &str) -> Option<&'t str>) -> ValXs<'a, Val> {
    unary(cv, move |whole, end| {
        let rest = text(&whole).ok().zip(text(&end).ok()).and_then(|(whole, end)| f(whole, end));
        let rest = rest.map(|rest| whole.as_sub_str(rest.as_bytes()));
        Ok(rest.unwrap_or(whole))
    })
}

#[expect(clippy::too_many_lines, reason = "a table of one entry a function")]
fn ours() -> Vec<Fun<Kit>> {
    let mut all: Vec<native::Filter<RunPtr<Kit>>> = Vec::from([
        // The crate's own recurses on the text, and reads numbers of any length.
        (
            "fromjson",
            v(0),
            (|cv| match text(&cv.1) {
                Ok(text) if text.trim().is_empty() => Box::new(std::iter::empty()),
                Ok(text) => bome(read_json(text.trim().as_bytes()).map_err(Error::str)),
                Err(error) => bome(Err(error)),
            }) as RunPtr<Kit>,
        ),
        ("tojson", v(0), json),
        ("indices", v(1), |cv| unary(cv, indices)),
        ("contains", v(1), |cv| unary(cv, contains)),
        ("has", v(1), |cv| unary(cv, has)),
        ("length", v(0), |cv| bome(length(cv.1))),
        ("bsearch", v(1), |cv| {
            unary(cv, |sorted, value| {
                let found = items(sorted)?.binary_search(&value);
                Ok(Val::from(found.map_or_else(|at| -1 - at as isize, |at| at as isize)))
            })
        }),
        ("join_", v(1), |cv| unary(cv, joined)),
        ("sort", v(0), |cv| bome(sorted(cv.1))),
        ("reverse", v(0), |cv| bome(items(cv.1).map(|items| items.into_iter().rev().collect()))),
        ("explode", v(0), |cv| {
            bome(text(&cv.1).map(|text| text.chars().map(|c| Val::from(c as usize)).collect()))
        }),
        ("utf8bytelength", v(0), |cv| bome(text(&cv.1).map(|text| Val::from(text.len())))),
        ("floor", v(0), |cv| rounded(cv, f64::floor)),
        ("round", v(0), |cv| rounded(cv, f64::round)),
        ("ceil", v(0), |cv| rounded(cv, f64::ceil)),
        ("trim", v(0), |cv| part(cv, str::trim)),
        ("ltrim", v(0), |cv| part(cv, str::trim_start)),
        ("rtrim", v(0), |cv| part(cv, str::trim_end)),
        ("startswith", v(1), |cv| ends(cv, |whole, start| whole.starts_with(start))),
        ("endswith", v(1), |cv| ends(cv, |whole, end| whole.ends_with(end))),
        ("ltrimstr", v(1), |cv| without(cv, |whole, start| whole.strip_prefix(start))),
        ("rtrimstr", v(1), |cv| without(cv, |whole, end| whole.strip_suffix(end))),
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
        ("nan", v(0), |_| box_once(Ok(Val::from(f64::NAN)))),
        ("infinite", v(0), |_| box_once(Ok(Val::from(f64::INFINITY)))),
        ("pow", v(2), |cv| binary(cv, f64::powf)),
        ("atan2", v(2), |cv| binary(cv, f64::atan2)),
        ("fmin", v(2), |cv| binary(cv, f64::min)),
        ("fmax", v(2), |cv| binary(cv, f64::max)),
        ("fmod", v(2), |cv| binary(cv, |a, b| a % b)),
        ("hypot", v(2), |cv| binary(cv, f64::hypot)),
        ("ldexp", v(2), |cv| binary(cv, |a, b| a * b.exp2())),
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
