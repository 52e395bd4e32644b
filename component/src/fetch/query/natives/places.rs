//! Places in values: what is in one is changed or deleted, also where nothing is yet.

use jaq_core::{Error, Exn};
use jaq_json::{Rc, Val};
use jaq_std::ValT as _;

/// An index beyond what any list has room for.
const MAX_INDEX: usize = 100_000_000;

/// Changes what is in a place of a value; nothing takes it away. What is null on the way becomes an object or an
/// array, and an array grows.
pub(super) fn put_in<'a>(
    at: Val,
    keys: &[Val],
    change: &dyn Fn(Val) -> Option<Result<Val, Exn<'a, Val>>>,
) -> Option<Result<Val, Exn<'a, Val>>> {
    match keys.split_first() {
        None => change(at),
        Some((key, rest)) => Some(put_at(at, key, rest, change)),
    }
}

#[inline(never)]
fn put_at<'a>(
    at: Val,
    key: &Val,
    rest: &[Val],
    change: &dyn Fn(Val) -> Option<Result<Val, Exn<'a, Val>>>,
) -> Result<Val, Exn<'a, Val>> {
    let changed = |old| put_in(old, rest, change).transpose();
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
            if index > MAX_INDEX {
                return Err(Error::str("the index is too large").into());
            }
            if index >= all.len() {
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

/// A value without what is at a path in it, if there is anything.
pub(super) fn deleted(root: Val, path: &[Val]) -> Result<Val, Error<Val>> {
    let Some((last, keys)) = path.split_last() else { return Ok(Val::Null) };
    // What is around is held while what is in it changes.
    let (mut around, mut at) = (Vec::new(), root);
    for key in keys {
        let Some(inner) = member(&mut at, key)?.map(std::mem::take) else { break };
        around.push((at, key));
        at = inner;
    }
    if around.len() == keys.len() {
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
