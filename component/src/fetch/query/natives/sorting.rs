//! Sorting, grouping and choosing by keys: each counted by what it compares.

use std::cmp::Ordering;

use jaq_core::box_iter::box_once;
use jaq_core::native::Fun;
use jaq_core::{Bind, Exn, Native, RunPtr, ValXs};
use jaq_json::Val;

use super::scalars::items;
use crate::fetch::query::budget::{Budget, Kit};
use crate::fetch::query::costs::{PARTS, paid, stop};
use crate::fetch::query::value;
use crate::sort::sort_by;

/// How two values are ordered. Of `nan` each is less than the other, which no sort accepts.
fn order(a: &Val, b: &Val) -> Ordering {
    match a.cmp(b) {
        Ordering::Less if b < a => Ordering::Equal,
        order => order,
    }
}

/// Counts the sorting of so many values, with so many parts together.
fn sorting<'a>(budget: &Budget, count: usize, parts: u64) -> Result<(), Exn<'a, Val>> {
    let depth = 1 + u64::from(count.max(1).ilog2());
    paid(budget, 1 + parts.saturating_mul(depth) / 24)
}

pub(super) fn sorted<'a>(cv: jaq_core::Cv<'a, Kit>) -> Result<Val, Exn<'a, Val>> {
    let budget = cv.0.data().budget;
    let parts = value::weigh(&cv.1).map_err(|limit| stop(budget, limit))?;
    let mut items = items(cv.1)?;
    sorting(budget, items.len(), parts)?;
    sort_by(&mut items, order);
    Ok(items.into_iter().collect())
}

/// The items of an array, each behind all that a program gives for it.
fn keyed<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> Result<Vec<(Val, Val)>, Exn<'a, Val>> {
    let (f, ctx) = cv.0.pop_fun();
    let budget = ctx.data().budget;
    let (mut keyed, mut all) = (Vec::new(), 0);
    for item in items(cv.1)? {
        let keys: Val = f.run((ctx.clone(), item.clone())).collect::<Result<_, _>>()?;
        let parts = value::weigh(&keys).map_err(|limit| stop(budget, limit))?;
        if !budget.step(1 + parts / PARTS) {
            return Err(Exn::halt(0));
        }
        all += parts;
        keyed.push((keys, item));
    }
    sorting(budget, keyed.len(), all)?;
    Ok(keyed)
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
