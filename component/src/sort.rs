//! Sorting, compiled once.
//!
//! The standard library's sort is compiled anew for every type and every comparison, some ten KB each:
//! together a fifth of the component's code. Here places are sorted, by a comparison that is called
//! through a pointer, and the items moved where they belong. Sorts of many numbers, where that call
//! would count, sort `u64`, of which there is one copy too. To `collect` into a `BTreeMap` or a `BTreeSet`
//! sorts as well: those are extended instead, which inserts one by one.

use std::cmp::Ordering;

/// Sorts `items` by `compare`; equal ones keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    if items.len() < 2 {
        return;
    }
    let order = sorted_places(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    put_in_order(items, order);
}

/// Sorts `items` by a key that is made once for each; those of equal keys keep their order.
pub(crate) fn sort_by_cached_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = items.iter().map(key).collect();
    let order = sorted_places(items.len(), &mut |a, b| keys[a].cmp(&keys[b]));
    put_in_order(items, order);
}

/// Moves to each place the item that `order` has for it.
fn put_in_order<T>(items: &mut [T], mut order: Vec<u32>) {
    // Each cycle of places is walked once: what belongs at a place is swapped there.
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let from = order[place] as usize;
            order[place] = place as u32;
            if from == start {
                break;
            }
            items.swap(place, from);
            place = from;
        }
    }
}

/// Sorts `items`; equal ones keep their order.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// Sorts `items` by a key that is cheap to make; those of equal keys keep their order.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

#[expect(clippy::disallowed_methods, reason = "this is the one copy")]
fn sorted_places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..).take(count).collect();
    // What is in order already but for a few is sorted by few comparisons.
    order.sort_by(|&a, &b| compare(a as usize, b as usize));
    order
}

/// Sorts many numbers.
#[expect(clippy::disallowed_methods, reason = "this is the one copy")]
pub(crate) fn sort_numbers(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{sort, sort_by_key};

    proptest! {
        #[test]
        #[expect(clippy::disallowed_methods, reason = "what it is held against")]
        fn it_sorts_as_the_standard_library(items in proptest::collection::vec((0u8..9, 0u8..9), 0..70)) {
            let (mut ours, mut theirs) = (items.clone(), items.clone());
            sort(&mut ours);
            theirs.sort();
            prop_assert_eq!(&ours, &theirs);
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(ours, theirs);
        }
    }
}
