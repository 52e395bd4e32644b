//! A list of strings in one piece of memory.

/// Distinct strings; each has its place as a number. To be found they must be in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    /// The set of `sorted`, which must be strictly ascending.
    pub(crate) fn from_sorted<'a>(sorted: impl Iterator<Item = &'a str>) -> Strings {
        let mut strings = Strings::default();
        sorted.for_each(|string| strings.push(string));
        strings
    }

    /// Appends one.
    pub(crate) fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(self.text.len() as u32);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The string at a place; empty past the end.
    pub(crate) fn get(&self, place: usize) -> &str {
        let end = self.ends.get(place).map_or(0, |&end| end as usize);
        let start = match place.checked_sub(1) {
            Some(before) => self.ends.get(before).map_or(0, |&end| end as usize),
            None => 0,
        };
        self.text.get(start..end).unwrap_or_default()
    }

    /// The place of `string` in a sorted list.
    pub(crate) fn find(&self, string: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle).cmp(string) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// All of them, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|place| self.get(place))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Strings;

    proptest! {
        #[test]
        fn every_string_is_found_at_its_place_and_no_other_is(
            set in proptest::collection::btree_set("[a-cé]{0,4}", 0..30), other in "[a-cé]{0,4}",
        ) {
            let strings = Strings::from_sorted(set.iter().map(String::as_str));
            prop_assert_eq!(strings.len(), set.len());
            for (place, string) in set.iter().enumerate() {
                prop_assert_eq!(strings.find(string), Some(place));
            }
            prop_assert_eq!(strings.find(&other).is_some(), set.contains(&other));
            prop_assert_eq!(strings.iter().map(str::to_owned).collect::<BTreeSet<_>>(), set);
        }
    }
}
