//! What values cost: the work of arithmetic, comparing and putting together is paid for before it is done.

use std::cell::Cell;

use jaq_core::box_iter::box_once;
use jaq_core::ops::Math;
use jaq_core::{Error, Exn, ValR, ValXs};
use jaq_json::{Num, Rc, Val};
use jaq_std::ValT as _;

use super::budget::{Budget, Limit};
use super::value;

/// Members of an array, and bytes of a string, that an addition may make.
pub(super) const MAX_MEMBERS: usize = 500_000;
pub(super) const MAX_STRING: usize = 8 * 1024 * 1024;

/// Bytes of a string that may become an array with a value for each character.
pub(super) const MAX_EXPLODED: usize = 512 * 1024;

/// Parts that may be put into values before all of each is weighed again.
const MAX_PUT: u64 = 512 * 1024;

/// Parts of a value that are compared, looked up or weighed in a step.
pub(super) const PARTS: u64 = 16;

/// Bytes of an error that cost nothing where it is caught: most hold nothing but words.
const FREE_ERROR: usize = 64;

/// Steps for an index that is looked for in an array, or that is a range of a string.
const INDEX_STEPS: u64 = 20_000;

/// Bits of an integer that are exact; a longer one becomes a floating-point number.
const MAX_BITS: u64 = 4_096;

/// Steps of a path. A value is not that deep.
pub(super) const MAX_PATH: usize = 300;

/// Bytes of the stack that a recursion takes at each level, at least: the machine has a stack that
/// cannot be seen, and takes of it too.
const FRAME_BYTES: usize = 1_024;

/// What is done with what is in a place of a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Set,
    Add,
}

/// Whether something is paid for: else the program ends.
pub(super) type Paid<'a> = Result<(), Exn<'a, Val>>;

/// Pays with so many steps.
#[inline(never)]
pub(super) fn paid<'a>(budget: &Budget, steps: u64) -> Paid<'a> {
    match budget.step(steps) {
        true => Ok(()),
        false => Err(Exn::halt(0)),
    }
}

/// Ends the program. The exception passes any `try`.
pub(super) fn stop<'a>(budget: &Budget, limit: Limit) -> Exn<'a, Val> {
    budget.stop(limit);
    Exn::halt(0)
}

#[inline(never)]
pub(super) fn stopped<'a>(budget: &Budget, limit: Limit) -> ValXs<'a, Val> {
    box_once(Err(stop(budget, limit)))
}

/// How many members or bytes a value has, itself.
pub(super) fn shallow(value: &Val) -> u64 {
    let count = match value {
        Val::Arr(items) => items.len(),
        Val::Obj(members) => members.len(),
        Val::TStr(_) | Val::BStr(_) | Val::Num(_) => value::bytes(value) / 16,
        _ => 0,
    };
    count as u64
}

/// Steps for work on all of a value, not on what its members hold.
pub(super) fn charged(value: &Val) -> u64 {
    match value {
        Val::Arr(_) | Val::Obj(_) => 1 + shallow(value) / 16,
        _ => 1 + shallow(value) / 2,
    }
}

/// Pays for work on all of a value.
pub(super) fn charge<'a>(budget: &Budget, value: &Val) -> Paid<'a> {
    paid(budget, charged(value))
}

/// Pays for an error that is caught: it may hold all of a value, as text.
pub(super) fn catching<'a>(budget: &Budget, value: &Val) -> Paid<'a> {
    match value {
        Val::TStr(text) => paid(budget, 1 + text.len().saturating_sub(FREE_ERROR) as u64 / 5),
        _ => paid(budget, 1),
    }
}

/// Whether a value may have an item of a number. What has names is no list: the interpreter would look for a
/// member that is named by a number, and say null.
pub(super) fn is_list<'a>(_: &Budget, value: &Val) -> Paid<'a> {
    match value {
        Val::Obj(_) => Err(Error::str("cannot index an object with a number").into()),
        _ => Ok(()),
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
pub(super) fn is_light(value: &Val) -> bool {
    match value {
        Val::Null | Val::Bool(_) | Val::Num(Num::Int(_) | Num::Float(_)) => true,
        Val::TStr(text) | Val::BStr(text) => text.len() < 64,
        _ => false,
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
pub(super) fn product(l: Val, r: Val) -> Option<ValR<Val>> {
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

/// Ends the program unless a value is within bounds and there is a step for so many of its parts.
#[inline(never)]
pub(super) fn weighable<'a>(budget: &Budget, value: &Val, parts: u64) -> Paid<'a> {
    match value::weigh(value) {
        Ok(weight) => paid(budget, 1 + weight / parts),
        Err(limit) => Err(stop(budget, limit)),
    }
}

/// Passes a value on that was paid for.
pub(super) fn passed<'a>(value: Val, paid: Paid<'a>) -> ValXs<'a, Val> {
    box_once(paid.map(|()| value))
}

/// Does something further down the stack.
#[inline(never)]
pub(super) fn in_frame<T>(work: impl FnOnce() -> T) -> T {
    let room = std::mem::MaybeUninit::<[u8; FRAME_BYTES]>::uninit();
    std::hint::black_box(&room);
    let done = work();
    std::hint::black_box(&room);
    done
}

/// Outputs that are each made in a frame.
pub(super) struct Framed<I>(pub(super) I);

impl<I: Iterator> Iterator for Framed<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        in_frame(|| self.0.next())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// `l + r`, paid for.
#[inline(never)]
pub(super) fn plus<'a>(budget: &'a Budget, l: Val, r: Val) -> Result<Val, Exn<'a, Val>> {
    if !sum_fits(&l, &r) {
        return Err(stop(budget, Limit::Size));
    }
    // What is copied is what is paid for: a sum of one member to a shared array copies all.
    let copied = if is_own(&l) { 0 } else { shallow(&l) / 16 };
    paid(budget, 1 + copied + shallow(&r) / 16)?;
    Ok((l + r)?)
}

/// `l op r`, paid for by a step at least.
#[inline(never)]
pub(super) fn arithmetic<'a>(
    budget: &'a Budget,
    op: Math,
    l: Val,
    r: Val,
) -> Result<Val, Exn<'a, Val>> {
    let paid = |steps: u64| paid(budget, 1 + steps);
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
            // Of fractions only what is whole counts.
            let whole = |value: Val| match value.as_f64() {
                Some(float) if float.fract() != 0.0 && float.abs() < 9e15 => {
                    Val::from(float as isize)
                }
                _ => value,
            };
            Ok((whole(l) % whole(r))?)
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
            if let (Val::TStr(text), Val::TStr(sign)) = (&l, &r) {
                // Where nothing parts them, each character is a part.
                let parts = match sign.is_empty() {
                    true if text.len() > MAX_EXPLODED => MAX_MEMBERS,
                    true => text.len(),
                    false => memchr::memmem::find_iter(text, &sign[..]).take(MAX_MEMBERS).count(),
                };
                if parts >= MAX_MEMBERS {
                    return Err(stop(budget, Limit::Size));
                }
                paid((text.len() + sign.len()) as u64 / 32 + parts as u64 / 2)?;
            } else {
                paid(shallow(&l) + shallow(&r))?;
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

/// Pays for looking something up by a value, unless that is short.
#[inline(never)]
pub(super) fn touched<'a>(budget: &Budget, value: &Val) -> Paid<'a> {
    match is_light(value) {
        true => Ok(()),
        false => weighable(budget, value, PARTS),
    }
}

/// Pays for the key of an object that is made. `nan` equals nothing: each would be another key.
#[inline(never)]
pub(super) fn is_key<'a>(budget: &Budget, key: &Val) -> Paid<'a> {
    match key {
        Val::TStr(_) => touched(budget, key),
        Val::Arr(_) | Val::Obj(_) => {
            Err(Error::str("the key of an object must be a string").into())
        }
        Val::Num(Num::Float(number)) if number.is_nan() => {
            Err(Error::str("the key of an object cannot be nan").into())
        }
        key => touched(budget, key),
    }
}

/// Pays for looking up what a value has at an index.
#[inline(never)]
pub(super) fn is_index<'a>(budget: &Budget, index: &Val) -> Paid<'a> {
    match index {
        Val::Num(Num::Float(number)) if number.is_nan() => {
            Err(Error::str("an index cannot be nan").into())
        }
        // A list is looked for everywhere; an object is a range, counted in characters.
        Val::Arr(_) | Val::Obj(_) => match value::weigh(index) {
            Ok(parts) => paid(budget, INDEX_STEPS.saturating_mul(parts)),
            Err(limit) => Err(stop(budget, limit)),
        },
        index => touched(budget, index),
    }
}

/// Pays for what is put into a value. All of that is weighed only when much was put into it since the program
/// began.
fn put<'a>(budget: &Budget, value: &Val) -> Paid<'a> {
    if let Val::Null | Val::Bool(_) | Val::Num(Num::Int(_) | Num::Float(_)) = value {
        return Ok(());
    }
    let parts = value::weigh(value).map_err(|limit| stop(budget, limit))?;
    budget.put.set(budget.put.get().saturating_add(parts));
    paid(budget, 1 + parts / PARTS)
}

/// Pays for a value into which something was put.
fn kept<'a>(budget: &Budget, value: &Val) -> Paid<'a> {
    match budget.put.get() > MAX_PUT {
        true => weighable(budget, value, PARTS),
        false => paid(budget, 1),
    }
}

/// Changes what is in a place of a value; nothing takes it away. What is null on the way becomes an object or an
/// array, and an array grows.
pub(super) fn put_in<'a>(
    budget: &'a Budget,
    at: Val,
    keys: &[Val],
    change: &dyn Fn(Val) -> Option<Result<Val, Exn<'a, Val>>>,
) -> Option<Result<Val, Exn<'a, Val>>> {
    match keys.split_first() {
        None => change(at),
        Some((key, rest)) => Some(put_at(budget, at, key, rest, change)),
    }
}

#[inline(never)]
fn put_at<'a>(
    budget: &'a Budget,
    at: Val,
    key: &Val,
    rest: &[Val],
    change: &dyn Fn(Val) -> Option<Result<Val, Exn<'a, Val>>>,
) -> Result<Val, Exn<'a, Val>> {
    // What something else holds too is copied.
    if !is_own(&at) {
        paid(budget, shallow(&at) / PARTS)?;
    }
    let changed = |old| put_in(budget, old, rest, change).transpose();
    match (at, key, key.as_isize()) {
        (at @ (Val::Null | Val::Obj(_)), Val::TStr(_), _) => {
            let mut members = match at {
                Val::Obj(members) => members,
                _ => Rc::default(),
            };
            let all = Rc::make_mut(&mut members);
            let old = all.get_mut(key).map(std::mem::take).unwrap_or_default();
            match changed(old)? {
                Some(new) => drop(all.insert(key.clone(), new)),
                None => drop(all.swap_remove(key)),
            }
            Ok(Val::Obj(members))
        }
        (at @ (Val::Null | Val::Arr(_)), _, Some(index)) => {
            let mut items = match at {
                Val::Arr(items) => items,
                _ => Rc::default(),
            };
            let all = Rc::make_mut(&mut items);
            let index = match usize::try_from(index) {
                Ok(index) => index,
                Err(_) => all.len().checked_sub(index.unsigned_abs()).ok_or_else(|| {
                    Error::str(format_args!("index {index} is before the start of the array"))
                })?,
            };
            if index >= MAX_MEMBERS {
                return Err(stop(budget, Limit::Size));
            }
            if let Some(more) = (index + 1).checked_sub(all.len()) {
                budget.put.set(budget.put.get() + more as u64);
                paid(budget, more as u64 / PARTS)?;
                all.resize(index + 1, Val::Null);
            }
            match changed(std::mem::take(&mut all[index]))? {
                Some(new) => all[index] = new,
                None => drop(all.remove(index)),
            }
            Ok(Val::Arr(items))
        }
        (at, ..) => Err(Error::index(at, key.clone()).into()),
    }
}

/// Puts a value in a place of another, or adds it there, and pays for both.
#[inline(never)]
pub(super) fn assigned<'a>(
    budget: &'a Budget,
    at: Val,
    keys: &[Val],
    change: Change,
    value: Val,
) -> Result<Val, Exn<'a, Val>> {
    put(budget, &value)?;
    let value = Cell::new(value);
    let made = put_in(budget, at, keys, &|old| {
        Some(match change {
            Change::Set => Ok(value.take()),
            Change::Add => plus(budget, old, value.take()),
        })
    });
    let made = made.unwrap_or(Ok(Val::Null))?;
    kept(budget, &made)?;
    Ok(made)
}

/// A value without what is at a path in it, if there is anything. It is paid for.
pub(super) fn deleted<'a>(
    budget: &'a Budget,
    root: Val,
    path: &[Val],
) -> Result<Val, Exn<'a, Val>> {
    let Some((last, keys)) = path.split_last() else { return Ok(Val::Null) };
    // What is around is held while what is in it changes.
    let (mut around, mut at) = (Vec::new(), root);
    for key in keys {
        paid(budget, 1 + shallow(&at) / 64)?;
        let Some(inner) = member(&mut at, key)?.map(std::mem::take) else { break };
        around.push((at, key));
        at = inner;
    }
    if around.len() == keys.len() {
        paid(budget, 1 + shallow(&at) / 64)?;
        at = without(at, last)?;
    }
    while let Some((mut outer, key)) = around.pop() {
        if let Some(inner) = member(&mut outer, key)? {
            *inner = at;
        }
        at = outer;
    }
    Ok(at)
}

/// The place of a key in an array or object, if there is one.
fn member<'v>(at: &'v mut Val, key: &Val) -> Result<Option<&'v mut Val>, Error<Val>> {
    match (at, key) {
        (Val::Obj(members), Val::TStr(_) | Val::BStr(_)) => Ok(Rc::make_mut(members).get_mut(key)),
        (Val::Arr(items), Val::Num(_)) => {
            let place = place(key, items.len()).filter(|at| (0..items.len() as isize).contains(at));
            Ok(place.and_then(|at| Rc::make_mut(items).get_mut(at as usize)))
        }
        (Val::Null, _) => Ok(None),
        (at, key) => Err(Error::index(at.clone(), key.clone())),
    }
}

/// The number of an item, from the front.
fn place(key: &Val, length: usize) -> Option<isize> {
    let at = key.as_f64().filter(|at| at.abs() < 1e9)?.floor() as isize;
    Some(if at < 0 { at + length as isize } else { at })
}

fn without(mut at: Val, key: &Val) -> Result<Val, Error<Val>> {
    match (&mut at, key) {
        (Val::Obj(members), Val::TStr(_) | Val::BStr(_)) => {
            if members.contains_key(key) {
                Rc::make_mut(members).shift_remove(key);
            }
        }
        (Val::Arr(items), Val::Num(_)) => {
            let length = items.len();
            if let Some(at) = place(key, length).filter(|at| (0..length as isize).contains(at)) {
                Rc::make_mut(items).remove(at as usize);
            }
        }
        (Val::Arr(items), Val::Obj(ends)) => {
            let length = items.len();
            let end = |name: &str, other: usize| {
                let end = ends.get(&Val::from(name.to_owned()));
                let end = end.and_then(|end| place(end, length));
                end.map_or(other, |at| at.clamp(0, length as isize) as usize)
            };
            let (start, end) = (end("start", 0), end("end", length));
            if start < end {
                Rc::make_mut(items).drain(start..end);
            }
        }
        (Val::Null, _) => {}
        _ => return Err(Error::index(at, key.clone())),
    }
    Ok(at)
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
