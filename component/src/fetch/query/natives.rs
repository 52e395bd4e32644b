//! The functions of jq: the crate's own where they are bounded by their input, ours elsewhere.

use jaq_core::box_iter::box_once;
use jaq_core::load::parse::{Def, Term};
use jaq_core::native::{self, Fun, bome, unary, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Error, Exn, Native, RunPtr, ValR, ValT as _, ValXs};
use jaq_json::{Num, Val};
use jaq_std::ValT as _;

mod library;
mod loops;
mod patterns;
mod sorting;

pub(super) use loops::LOOPS;
pub(super) use patterns::Compiled;
use sorting::{by_key, items, sorted};

use super::dates;
use super::program::{Budget, Kit, Limit};
use super::value;

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

/// Members of an array, and bytes of a string, that an addition may make.
const MAX_MEMBERS: usize = 500_000;
const MAX_STRING: usize = 8 * 1024 * 1024;

/// Bytes of a string that may become an array with a value for each character.
const MAX_EXPLODED: usize = 512 * 1024;

/// Parts that may be put into values before all of each is weighed again.
const MAX_PUT: u64 = 512 * 1024;

/// Parts of a value that are compared, looked up or weighed in a step.
const PARTS: u64 = 16;

/// Bytes of an error that cost nothing where it is caught: most hold nothing but words.
const FREE_ERROR: usize = 64;

/// Bytes of the format of a date.
const MAX_FORMAT: usize = 1_000;

/// Steps for an index that is looked for in an array, or that is a range of a string.
const INDEX_STEPS: u64 = 20_000;

/// Bits of an integer that are exact; a longer one becomes a floating-point number.
const MAX_BITS: u64 = 4_096;

/// Steps of a path. A value is not that deep.
const MAX_PATH: usize = 300;

/// Bytes of the stack that a recursion takes at each level, at least: the machine has a stack that
/// cannot be seen, and takes of it too.
const FRAME_BYTES: usize = 1_024;

/// What the definitions of the libraries are replaced by or lack.
const OURS: &str = r#"
def match(re; flags): matched_(re; flags)[];
def scan(re; flags): scanned_(re; "g" + flags)[];
def capture(re; flags): captured_(re; flags)[];
def recurse: ..;
def scan(re): scan(re; "");
def leaf_paths: paths(scalars);
def join($s): join_($s);
def in(xs): . as $x | xs | has($x);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def INDEX(stream; f): reduce (stream as $row | [($row | f | tostring), $row]) as $x ({}; .[$x[0]] = $x[1]);
def INDEX(f): INDEX(.[]; f);
def ascii: [.] | implode;
def todate: todateiso8601;
def fromdate: fromdateiso8601;
def date: todateiso8601;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def toarray: if isarray then . else [.] end;
def isvalid(f): try (f | true) catch false;
def have_literal_numbers: true;
def trimstr($x): ltrimstr($x) | rtrimstr($x);
def @csv: csv_;
def @tsv: tsv_;
"#;

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

/// Ends the program. The exception passes any `try`.
fn stop<'a>(budget: &Budget, limit: Limit) -> Exn<'a, Val> {
    budget.stop(limit);
    Exn::halt(0)
}

#[inline(never)]
fn stopped<'a>(budget: &Budget, limit: Limit) -> ValXs<'a, Val> {
    box_once(Err(stop(budget, limit)))
}

/// How many members or bytes a value has, itself.
fn shallow(value: &Val) -> u64 {
    let count = match value {
        Val::Arr(items) => items.len(),
        Val::Obj(members) => members.len(),
        Val::TStr(_) | Val::BStr(_) | Val::Num(_) => value::bytes(value) / 16,
        _ => 0,
    };
    count as u64
}

/// Steps for work on all of a value, not on what its members hold.
fn charged(value: &Val) -> u64 {
    match value {
        Val::Arr(_) | Val::Obj(_) => 1 + shallow(value) / 16,
        _ => 1 + shallow(value) / 2,
    }
}

/// Steps for an error that is caught: it may hold all of a value, as text.
pub(super) fn catching(value: &Val) -> u64 {
    match value {
        Val::TStr(text) => 1 + text.len().saturating_sub(FREE_ERROR) as u64 / 8,
        _ => 1,
    }
}

/// Whether nothing else holds a value, so that adding to it copies nothing of it.
fn is_own(value: &Val) -> bool {
    match value {
        Val::Arr(items) => jaq_json::Rc::strong_count(items) == 1,
        Val::Obj(members) => jaq_json::Rc::strong_count(members) == 1,
        Val::TStr(text) | Val::BStr(text) => text.is_unique(),
        _ => true,
    }
}

/// What is counted of a sum before it is made.
fn sum_fits(l: &Val, r: &Val) -> bool {
    match (l, r) {
        (Val::Arr(l), Val::Arr(r)) => l.len() + r.len() <= MAX_MEMBERS,
        (Val::Obj(l), Val::Obj(r)) => l.len() + r.len() <= MAX_MEMBERS,
        (Val::TStr(l) | Val::BStr(l), Val::TStr(r) | Val::BStr(r)) => {
            l.len() + r.len() <= MAX_STRING
        }
        _ => true,
    }
}

fn bits(value: &Val) -> u64 {
    match value {
        Val::Num(Num::BigInt(number)) => number.bits(),
        _ => 64,
    }
}

/// Steps for the remainder of two floating-point numbers, which is found bit by bit.
fn bitwise_work(l: &Val, r: &Val) -> u64 {
    const BITS_PER_STEP: f64 = 64.0;
    match (l, r) {
        (Val::Num(Num::Int(_)), Val::Num(Num::Int(_))) => 0,
        _ => match (l.as_f64(), r.as_f64()) {
            (Some(l), Some(r)) => {
                ((l.abs().log2() - r.abs().log2()) / BITS_PER_STEP).clamp(0.0, 64.0) as u64
            }
            _ => 0,
        },
    }
}

/// Steps for a product or a remainder of two numbers of many digits.
fn digits_work(l: &Val, r: &Val) -> u64 {
    bits(l).saturating_mul(bits(r)) / 1_000_000
}

/// Whether a value is compared and looked up in no time to speak of.
fn is_light(value: &Val) -> bool {
    match value {
        Val::Null | Val::Bool(_) | Val::Num(Num::Int(_) | Num::Float(_)) => true,
        Val::TStr(text) | Val::BStr(text) => text.len() < 64,
        _ => false,
    }
}

/// A value as JSON text.
fn json<'a>(cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    match value::weigh(&cv.1) {
        Ok(weight) if budget.step(1 + weight / 8) => {
            let mut text = String::new();
            match value::write(&cv.1, MAX_STRING, &mut text) {
                true => box_once(Ok(string(text))),
                false => stopped(budget, Limit::Size),
            }
        }
        Ok(_) => box_once(Err(Exn::halt(0))),
        Err(limit) => stopped(budget, limit),
    }
}

/// Bytes that a product of a string and a number makes.
fn product_bytes(l: &Val, r: &Val) -> f64 {
    let text = |value: &Val| match value {
        Val::TStr(text) | Val::BStr(text) => Some(text.len()),
        _ => None,
    };
    match (text(l).or(text(r)), l.as_f64().or_else(|| r.as_f64())) {
        (Some(bytes), Some(times)) => times * bytes as f64,
        _ => 0.0,
    }
}

/// `l * r`; nothing when the product is too large.
fn product(l: Val, r: Val) -> Option<ValR<Val>> {
    if product_bytes(&l, &r) > MAX_STRING as f64 {
        return None;
    }
    if bits(&l) + bits(&r) > MAX_BITS
        && let (Some(l), Some(r)) = (l.as_f64(), r.as_f64())
    {
        return Some(Ok(Val::from(l * r)));
    }
    Some(l * r)
}

/// Passes a value on that is within bounds, for a step for so many of its parts.
#[inline(never)]
fn weighed<'a>(cv: jaq_core::Cv<'a, Kit>, parts: u64) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    match value::weigh(&cv.1) {
        Ok(weight) if budget.step(1 + weight / parts) => box_once(Ok(cv.1)),
        Ok(_) => box_once(Err(Exn::halt(0))),
        Err(limit) => stopped(budget, limit),
    }
}

/// Does something further down the stack.
#[inline(never)]
fn in_frame<T>(work: impl FnOnce() -> T) -> T {
    let room = std::mem::MaybeUninit::<[u8; FRAME_BYTES]>::uninit();
    std::hint::black_box(&room);
    let done = work();
    std::hint::black_box(&room);
    done
}

/// Outputs that are each made in a frame.
struct Framed<I>(I);

impl<I: Iterator> Iterator for Framed<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        in_frame(|| self.0.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// A native that passes its input on for so many steps, also on the way to a place in it.
macro_rules! charging {
    ($steps:ident) => {
        Native::<Kit>::new(|cv| match cv.0.data().budget.step($steps(&cv.1)) {
            true => box_once(Ok(cv.1)),
            false => box_once(Err(Exn::halt(0))),
        })
        .with_paths(|cv| match cv.0.data().budget.step($steps(&cv.1.0)) {
            true => box_once(Ok(cv.1)),
            false => box_once(Err(Exn::halt(0))),
        })
        .with_update(|cv, update| match cv.0.data().budget.step($steps(&cv.1)) {
            true => update(cv.1),
            false => box_once(Err(Exn::halt(0))),
        })
    };
}

/// `l + r`, paid for.
#[inline(never)]
fn plus<'a>(budget: &'a Budget, l: Val, r: Val) -> Result<Val, Exn<'a, Val>> {
    if !sum_fits(&l, &r) {
        return Err(stop(budget, Limit::Size));
    }
    // What is copied is what is paid for: a sum of one member to a shared array copies all.
    let copied = if is_own(&l) { 0 } else { shallow(&l) / 16 };
    match budget.step(1 + copied + shallow(&r) / 16) {
        true => Ok((l + r)?),
        false => Err(Exn::halt(0)),
    }
}

/// `l op r`, paid for by a step at least.
#[inline(never)]
pub(super) fn arithmetic<'a>(
    budget: &'a Budget,
    op: Math,
    l: Val,
    r: Val,
) -> Result<Val, Exn<'a, Val>> {
    let paid = |steps: u64| match budget.step(1 + steps) {
        true => Ok(()),
        false => Err(Exn::halt(0)),
    };
    let weight = |value: &Val| value::weigh(value).map_err(|limit| stop(budget, limit));
    match op {
        Math::Add => plus(budget, l, r),
        Math::Sub => {
            let mut work = 0;
            if let (Val::Arr(_), Val::Arr(without)) = (&l, &r) {
                // Each is looked for in a tree of the others.
                let depth = 1 + u64::from(without.len().max(1).ilog2());
                work = weight(&l)?.saturating_add(weight(&r)?).saturating_mul(depth) / 32;
            }
            paid(work)?;
            Ok((l - r)?)
        }
        Math::Rem => {
            paid(digits_work(&l, &r) + bitwise_work(&l, &r))?;
            Ok((l % r)?)
        }
        Math::Mul => {
            let merged = if matches!(r, Val::Obj(_)) { weight(&r)? / 8 } else { 0 };
            let work = product_bytes(&l, &r).clamp(0.0, 1e12) as u64 / 512
                + (shallow(&l) + shallow(&r)) / 64
                + merged
                + digits_work(&l, &r);
            paid(work)?;
            match product(l, r) {
                Some(value) => Ok(value?),
                None => Err(stop(budget, Limit::Size)),
            }
        }
        Math::Div => {
            if let Val::TStr(text) | Val::BStr(text) = &l {
                paid(shallow(&l) + shallow(&r))?;
                if text.len() > MAX_EXPLODED {
                    return Err(stop(budget, Limit::Size));
                }
            } else {
                paid(0)?;
            }
            match (&l, &r) {
                (Val::Num(_), Val::Num(zero)) if zero.is_zero_number() => {
                    Err(Error::str("the divisor is zero").into())
                }
                _ => Ok((l / r)?),
            }
        }
    }
}

/// The same of a native's arguments.
fn math<'a>(mut cv: jaq_core::Cv<'a, Kit>, op: Math) -> ValXs<'a, Val> {
    let (r, l) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    // What nothing else holds is added to in place.
    drop(cv.1);
    box_once(arithmetic(budget, op, l, r))
}

/// Pays for comparing two values.
pub(super) fn comparable<'a>(budget: &'a Budget, l: &Val, r: &Val) -> Result<(), Exn<'a, Val>> {
    if is_light(l) || is_light(r) {
        return Ok(());
    }
    match value::weigh(l) {
        Ok(weight) if budget.step(1 + weight / PARTS) => Ok(()),
        Ok(_) => Err(Exn::halt(0)),
        Err(limit) => Err(stop(budget, limit)),
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
    let (charge, caught) = (charging!(charged), charging!(catching));
    let weigh: RunPtr<Kit> = |cv| weighed(cv, 8);
    // What an update made: it copied at most what is there.
    let bound: RunPtr<Kit> = |cv| weighed(cv, PARTS);
    // What is put into a value, and the value then: all of it is weighed only when much was put
    // into it since the program began.
    let put: RunPtr<Kit> = |cv| {
        let budget = cv.0.data().budget;
        let parts = match &cv.1 {
            Val::Null | Val::Bool(_) | Val::Num(Num::Int(_) | Num::Float(_)) => {
                return box_once(Ok(cv.1));
            }
            value => match value::weigh(value) {
                Ok(parts) => parts,
                Err(limit) => return stopped(budget, limit),
            },
        };
        budget.put.set(budget.put.get().saturating_add(parts));
        match budget.step(1 + parts / PARTS) {
            true => box_once(Ok(cv.1)),
            false => box_once(Err(Exn::halt(0))),
        }
    };
    let kept: RunPtr<Kit> = |cv| match cv.0.data().budget.put.get() > MAX_PUT {
        true => weighed(cv, PARTS),
        false => match cv.0.data().budget.step(1) {
            true => box_once(Ok(cv.1)),
            false => box_once(Err(Exn::halt(0))),
        },
    };
    // What is compared.
    let touch: RunPtr<Kit> = |cv| match is_light(&cv.1) {
        true => box_once(Ok(cv.1)),
        false => weighed(cv, PARTS),
    };
    // The key of an object. `nan` equals nothing: each would be another key.
    let key: RunPtr<Kit> = |cv| match &cv.1 {
        Val::Arr(_) | Val::Obj(_) => bome(Err(Error::str("the key of an object must be a string"))),
        Val::Num(Num::Float(number)) if number.is_nan() => {
            bome(Err(Error::str("the key of an object cannot be nan")))
        }
        value if is_light(value) => box_once(Ok(cv.1)),
        _ => weighed(cv, PARTS),
    };
    let index: RunPtr<Kit> = |cv| match &cv.1 {
        Val::Num(Num::Float(number)) if number.is_nan() => {
            bome(Err(Error::str("an index cannot be nan")))
        }
        // A list is looked for everywhere; an object is a range, counted in characters.
        Val::Arr(_) | Val::Obj(_) => {
            let budget = cv.0.data().budget;
            match value::weigh(&cv.1) {
                Ok(parts) if budget.step(INDEX_STEPS.saturating_mul(parts)) => box_once(Ok(cv.1)),
                Ok(_) => box_once(Err(Exn::halt(0))),
                Err(limit) => stopped(budget, limit),
            }
        }
        value if is_light(value) => box_once(Ok(cv.1)),
        _ => weighed(cv, PARTS),
    };
    // What stands in a text.
    let in_text: RunPtr<Kit> = |cv| match &cv.1 {
        Val::TStr(_) | Val::BStr(_) => box_once(Ok(cv.1)),
        _ => json(cv),
    };
    let pair: RunPtr<Kit> = |mut cv| {
        let sought = cv.0.pop_var();
        let budget = cv.0.data().budget;
        match (value::weigh(&cv.1), value::weigh(&sought)) {
            (Ok(l), Ok(r)) if matches!(cv.1, Val::TStr(_) | Val::BStr(_)) => {
                // Only strings are searched for strings, at once or place by place, when all of what is
                // sought was looked at several times.
                match budget.step(1 + (l.saturating_mul(1 + r / 64) + 8 * r) / 16) {
                    true => box_once(Ok(cv.1)),
                    false => box_once(Err(Exn::halt(0))),
                }
            }
            (Ok(l), Ok(r)) => match budget.step(1 + l.saturating_mul(r) / 16) {
                true => box_once(Ok(cv.1)),
                false => box_once(Err(Exn::halt(0))),
            },
            (Err(limit), _) | (_, Err(limit)) => stopped(budget, limit),
        }
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
        ("!put", v(0), Native::<Kit>::new(put)),
        ("!kept", v(0), Native::<Kit>::new(kept)),
        ("!key", v(0), Native::<Kit>::new(key)),
        ("!index", v(0), Native::<Kit>::new(index)),
        ("!text", v(0), Native::<Kit>::new(in_text)),
        ("!pair", v(1), Native::<Kit>::new(pair)),
        ("!rem", v(2), Native::<Kit>::new(|cv| math(cv, Math::Rem))),
        ("!sub", v(2), Native::<Kit>::new(|cv| math(cv, Math::Sub))),
        ("!add", v(2), Native::<Kit>::new(|cv| math(cv, Math::Add))),
        ("!mul", v(2), Native::<Kit>::new(|cv| math(cv, Math::Mul))),
        ("!div", v(2), Native::<Kit>::new(|cv| math(cv, Math::Div))),
    ]
}

/// Whether a number is zero.
trait IsZero {
    fn is_zero_number(&self) -> bool;
}

impl IsZero for Num {
    fn is_zero_number(&self) -> bool {
        match self {
            Num::Int(n) => *n == 0,
            Num::Float(n) => *n == 0.0,
            Num::Dec(n) => n.parse() == Ok(0.0),
            Num::BigInt(_) => false,
        }
    }
}

/// Every native function. Those of the standard library are ours: the crate's own bring a copy of the
/// sorting code each, may panic where `nan` is sorted, and do work that is not counted.
pub(super) fn functions() -> Vec<Fun<Kit>> {
    const REPLACED: [&str; 5] = ["range", "fromjson", "tojson", "length", "indices"];
    let theirs = jaq_core::funs::<Kit>().chain(jaq_json::funs());
    let theirs = theirs.filter(|(name, ..)| !REPLACED.contains(name));
    let natives = library::functions().into_iter().chain(patterns::functions());
    let natives = natives.chain(loops::functions());
    theirs.chain(bounds()).chain(ours()).chain(by_key()).chain(natives).collect()
}

/// The strings of an array, and its other values as JSON, with `separator` between them.
fn joined<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
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
fn indices<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
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
fn rounded<'a>(cv: jaq_core::Cv<'a, Kit>, f: fn(f64) -> f64) -> ValXs<'a, Val> {
    match cv.1 {
        whole if whole.is_int() => box_once(Ok(whole)),
        other => bome(float(&other).map(|x| number(f(x)))),
    }
}

/// A part of a string, of which it takes the bytes.
fn part<'a>(cv: jaq_core::Cv<'a, Kit>, f: fn(&str) -> &str) -> ValXs<'a, Val> {
    bome(text(&cv.1).map(|text| cv.1.as_sub_str(f(text).as_bytes())))
}

/// A string with or without something at one of its ends.
fn ends<'a>(
    mut cv: jaq_core::Cv<'a, Kit>,
    f: for<'b> fn(&'b [u8], &[u8]) -> Option<&'b [u8]>,
    asks: bool,
) -> ValXs<'a, Val> {
    let end = cv.0.pop_var();
    match (&cv.1, &end) {
        (Val::TStr(whole), Val::TStr(text)) => {
            let rest = f(whole, text);
            if asks {
                return box_once(Ok(Val::Bool(rest.is_some())));
            }
            let rest = rest.map(|rest| cv.1.as_sub_str(rest));
            box_once(Ok(rest.unwrap_or(cv.1)))
        }
        (Val::TStr(_), _) if asks => bome(Err(Error::typ(end, "string"))),
        _ if asks => bome(Err(Error::typ(cv.1, "string"))),
        _ => box_once(Ok(cv.1)),
    }
}

fn text(value: &Val) -> Result<&str, Error<Val>> {
    match value {
        Val::TStr(bytes) => std::str::from_utf8(bytes).map_err(Error::str),
        _ => Err(Error::typ(value.clone(), "string")),
    }
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

fn float(value: &Val) -> Result<f64, Error<Val>> {
    value.as_f64().ok_or_else(|| Error::typ(value.clone(), "number"))
}

#[inline(never)]
fn string(text: String) -> Val {
    Val::from(text)
}

macro_rules! floats {
    ($($name:literal => $f:expr),* $(,)?) => {
        [$(($name, v(0), (|cv| bome(float(&cv.1).map(|x| { let f: fn(f64) -> f64 = $f; Val::from(f(x)) }))) as RunPtr<Kit>)),*]
    };
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
            Ok(text) => bome(value::read(text.trim().as_bytes()).map_err(Error::str)),
            Err(error) => bome(Err(error)),
        }),
        ("tojson", v(0), json),
        ("length", v(0), |cv| {
            bome(match &cv.1 {
                Val::Null => Ok(Val::from(0usize)),
                Val::Bool(_) => Err(Error::str(format_args!("{} has no length", cv.1))),
                Val::Num(_) if cv.1 < Val::from(0usize) => -cv.1,
                Val::Num(_) => Ok(cv.1),
                Val::TStr(text) => Ok(Val::from(String::from_utf8_lossy(text).chars().count())),
                Val::BStr(bytes) => Ok(Val::from(bytes.len())),
                Val::Arr(items) => Ok(Val::from(items.len())),
                Val::Obj(members) => Ok(Val::from(members.len())),
            })
        }),
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
        ("ascii_downcase", v(0), |cv| bome(text(&cv.1).map(|t| string(t.to_ascii_lowercase())))),
        ("ascii_upcase", v(0), |cv| bome(text(&cv.1).map(|t| string(t.to_ascii_uppercase())))),
        ("trim", v(0), |cv| part(cv, str::trim)),
        ("ltrim", v(0), |cv| part(cv, str::trim_start)),
        ("rtrim", v(0), |cv| part(cv, str::trim_end)),
        ("startswith", v(1), |cv| ends(cv, |whole, start| whole.strip_prefix(start), true)),
        ("endswith", v(1), |cv| ends(cv, |whole, end| whole.strip_suffix(end), true)),
        ("ltrimstr", v(1), |cv| ends(cv, |whole, start| whole.strip_prefix(start), false)),
        ("rtrimstr", v(1), |cv| ends(cv, |whole, end| whole.strip_suffix(end), false)),
        ("escape_sh", v(0), |cv| bome(text(&cv.1).map(|text| string(text.replace('\'', "'\\''"))))),
        ("nan", v(0), |_| box_once(Ok(Val::from(f64::NAN)))),
        ("infinite", v(0), |_| box_once(Ok(Val::from(f64::INFINITY)))),
        ("pow", two(), |cv| binary(cv, f64::powf)),
        ("atan2", two(), |cv| binary(cv, f64::atan2)),
        ("fmin", two(), |cv| binary(cv, f64::min)),
        ("fmax", two(), |cv| binary(cv, f64::max)),
        ("fmod", two(), |cv| binary(cv, |a, b| a % b)),
        ("hypot", two(), |cv| binary(cv, f64::hypot)),
        ("ldexp", two(), |cv| binary(cv, |a, b| a * b.exp2())),
        ("escape_html", v(0), |cv| {
            bome(text(&cv.1).map(|text| {
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
                string(out)
            }))
        }),
        ("unescape_html", v(0), |cv| {
            bome(text(&cv.1).map(|text| {
                let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
                string(text.replace("&#39;", "'").replace("&amp;", "&"))
            }))
        }),
        ("encode_uri", v(0), |cv| {
            bome(text(&cv.1).map(|text| {
                let mut out = String::with_capacity(text.len());
                for b in text.bytes() {
                    match b {
                        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                            out.push(char::from(b));
                        }
                        b => out.push_str(&format!("%{b:02X}")),
                    }
                }
                string(out)
            }))
        }),
        ("decode_uri", v(0), |cv| {
            bome(text(&cv.1).map(|text| {
                let bytes = text.as_bytes();
                let mut out = Vec::with_capacity(bytes.len());
                let mut at = 0;
                while let Some(&b) = bytes.get(at) {
                    let hex = (b == b'%').then(|| text.get(at + 1..at + 3)).flatten();
                    match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                        Some(byte) => {
                            out.push(byte);
                            at += 3;
                        }
                        None => {
                            out.push(b);
                            at += 1;
                        }
                    }
                }
                string(String::from_utf8_lossy(&out).into_owned())
            }))
        }),
        ("encode_base64", v(0), |cv| {
            use base64::Engine as _;
            let engine = base64::engine::general_purpose::STANDARD;
            bome(text(&cv.1).map(|text| string(engine.encode(text))))
        }),
        ("decode_base64", v(0), |cv| {
            use base64::Engine as _;
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
                Ok(string(dates::format(&parts, date_format(&format)?)))
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

/// A number: whole where it is.
fn number(value: f64) -> Val {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Val::Num(Num::from_integral(value as i64))
    } else {
        Val::from(value)
    }
}

fn binary<'a>(mut cv: jaq_core::Cv<'a, Kit>, f: fn(f64, f64) -> f64) -> ValXs<'a, Val> {
    let (r, l) = (cv.0.pop_var(), cv.0.pop_var());
    bome(float(&l).and_then(|l| Ok(number(f(l, float(&r)?)))))
}

/// The numbers from `from` on, each of which is a step.
fn range<'a>(budget: &'a Budget, from: Val, to: Val, by: Val) -> ValXs<'a, Val> {
    if let (Val::Num(Num::Int(from)), Val::Num(Num::Int(to)), Val::Num(Num::Int(by))) =
        (&from, &to, &by)
        && *by != 0
    {
        let (mut next, to, by) = (Some(*from), *to, *by);
        return Box::new(std::iter::from_fn(move || {
            let number = next.filter(|number| if by > 0 { *number < to } else { *number > to })?;
            if !budget.step(1) {
                next = None;
                return Some(Err(Exn::halt(0)));
            }
            // What would be too large is not inside.
            next = number.checked_add(by);
            Some(Ok(Val::from(number)))
        }));
    }
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
