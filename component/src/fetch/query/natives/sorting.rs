//! Sorting, grouping and choosing by keys: `nan` among them too.

use std::cmp::Ordering;

use jaq_core::box_iter::box_once;
use jaq_core::native::Fun;
use jaq_core::{Bind, Exn, Native, RunPtr, ValR, ValXs};
use jaq_json::Val;

use super::scalars::items;
use crate::fetch::query::kit::Kit;
use crate::sort::sort_by;

/// How two values are ordered. Of `nan` each is less than the other, which no sort accepts.
fn order(a: &Val, b: &Val) -> Ordering {
    match a.cmp(b) {
        Ordering::Less if b < a => Ordering::Equal,
        order => order,
    }
}

pub(super) fn sorted(value: Val) -> ValR<Val> {
    let mut items = items(value)?;
    sort_by(&mut items, order);
    Ok(items.into_iter().collect())
}

/// The items of an array, each behind all that a program gives for it.
fn keyed<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> Result<Vec<(Val, Val)>, Exn<'a, Val>> {
    let (f, ctx) = cv.0.pop_fun();
    let key = |item: Val| Ok((f.run((ctx.clone(), item.clone())).collect::<Result<_, _>>()?, item));
    items(cv.1)?.into_iter().map(key).collect()
}

fn sorted_by<'a>(cv: jaq_core::Cv<'a, Kit>) -> Result<Vec<(Val, Val)>, Exn<'a, Val>> {
    let mut keyed = keyed(cv)?;
    sort_by(&mut keyed, |(a, _), (b, _)| order(a, b));
    Ok(keyed)
}

fn grouped<'a>(cv: jaq_core::Cv<'a, Kit>) -> Result<Val, Exn<'a, Val>> {
    let (mut groups, mut group) = (Vec::<Val>::new(), Vec::new());
    let mut last = None;
    for (key, item) in sorted_by(cv)? {
        if last.as_ref().is_some_and(|last| *last != key) {
            groups.push(std::mem::take(&mut group).into_iter().collect());
        }
        group.push(item);
        last = Some(key);
    }
    if !group.is_empty() {
        groups.push(group.into_iter().collect());
    }
    Ok(groups.into_iter().collect())
}

/// The item of the least key, or of the greatest.
fn chosen<'a>(cv: jaq_core::Cv<'a, Kit>, least: bool) -> ValXs<'a, Val> {
    match keyed(cv) {
        Ok(keyed) => {
            let better = |a: (Val, Val), b: (Val, Val)| {
                if if least { b.0 < a.0 } else { b.0 >= a.0 } { b } else { a }
            };
            Box::new(keyed.into_iter().reduce(better).map(|(_, item)| Ok(item)).into_iter())
        }
        Err(error) => box_once(Err(error)),
    }
}

/// The functions that ask a program for the key of each item.
pub(super) fn by_key() -> Vec<Fun<Kit>> {
    let all: [(&'static str, RunPtr<Kit>); 4] = [
        ("sort_by", |cv| {
            box_once(sorted_by(cv).map(|all| all.into_iter().map(|(_, item)| item).collect()))
        }),
        ("group_by", |cv| box_once(grouped(cv))),
        ("min_by_or_empty", |cv| chosen(cv, true)),
        ("max_by_or_empty", |cv| chosen(cv, false)),
    ];
    let one = || -> Box<[Bind]> { Box::new([Bind::Fun(())]) };
    all.into_iter().map(|(name, run)| (name, one(), Native::<Kit>::new(run))).collect()
}
