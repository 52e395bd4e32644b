//! How far two words are from each other.

/// The edit distance of two words (a swap of neighbours counts one), when it is at most `limit`.
pub fn distance_within(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut cost = (last[j - 1] + same).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row[j] = cost;
        }
        if row.iter().all(|&cost| cost > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_a_swap_once() {
        let chars = |s: &str| s.chars().collect::<Vec<_>>();
        assert_eq!(distance_within(&chars("abcd"), &chars("abdc"), 2), Some(1));
        assert_eq!(distance_within(&chars("abc"), &chars("abc"), 0), Some(0));
        assert_eq!(distance_within(&chars("kitten"), &chars("sitting"), 3), Some(3));
        assert_eq!(distance_within(&chars("kitten"), &chars("sitting"), 2), None);
        assert_eq!(distance_within(&[], &chars("ab"), 2), Some(2));
    }
}
