//! Intervals and tests over clusters of tasks, arms paired.

use crate::dice::Dice;

/// Cost and right answers of one cluster (a kind of result, a catalogue).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    /// What all tasks cost, failures included.
    pub(crate) cost: f64,
    /// How many were answered rightly.
    pub(crate) right: f64,
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.cost += other.cost;
        self.right += other.right;
    }

    /// Cost per right answer; infinite without any.
    #[must_use]
    pub(crate) fn each(self) -> f64 {
        if self.right > 0.0 { self.cost / self.right } else { f64::INFINITY }
    }
}

/// One arm against the control.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared {
    /// Cost per right answer over that of the control.
    pub(crate) ratio: f64,
    /// The interval of 95 %.
    pub(crate) low: f64,
    /// See `low`.
    pub(crate) high: f64,
    /// Permutation test, two-sided.
    pub(crate) p: f64,
}

const ROUNDS: usize = 2_000;

fn ratio(arm: Sum, control: Sum) -> f64 {
    arm.each() / control.each()
}

/// Percentile bootstrap over clusters, arm and control drawn together; a permutation test that swaps arm and control
/// within clusters, with (+1).
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "counts are small")]
pub(crate) fn compare(pairs: &[(Sum, Sum)], seed: u64) -> Compared {
    let sum = |list: &mut dyn Iterator<Item = (Sum, Sum)>| {
        let mut total = (Sum::default(), Sum::default());
        for (arm, control) in list {
            total.0.add(arm);
            total.1.add(control);
        }
        ratio(total.0, total.1)
    };
    let observed = sum(&mut pairs.iter().copied());
    let mut dice = Dice::named(seed, "bootstrap");
    let mut drawn: Vec<f64> = (0..ROUNDS)
        .map(|_| sum(&mut (0..pairs.len()).map(|_| *dice.pick(pairs))))
        .filter(|value| !value.is_nan())
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: usize| drawn.get(drawn.len() * share / 1000).copied().unwrap_or(f64::NAN);
    let extreme = (0..ROUNDS)
        .filter(|_| {
            let swapped = sum(&mut pairs
                .iter()
                .map(|&(a, b)| if dice.below(2) == 0 { (a, b) } else { (b, a) }));
            swapped.ln().abs() >= observed.ln().abs() - 1e-12
        })
        .count();
    Compared {
        ratio: observed,
        low: at(25),
        high: at(975),
        p: (extreme + 1) as f64 / (ROUNDS + 1) as f64,
    }
}

/// Holm's correction: the adjusted p-values, in the order given.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "counts are small")]
pub(crate) fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut least: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        least = least.max(((p.len() - rank) as f64 * p[at]).min(1.0));
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(factor: f64, spread: f64) -> Vec<(Sum, Sum)> {
        let mut dice = Dice(5);
        (0..30)
            .map(|_| {
                let cost = 100.0 + f64::from(u32::try_from(dice.below(50)).unwrap());
                let noise = 1.0
                    + spread * (f64::from(u32::try_from(dice.below(1000)).unwrap()) / 500.0 - 1.0);
                (Sum { cost: cost * factor * noise, right: 8.0 }, Sum { cost, right: 8.0 })
            })
            .collect()
    }

    #[test]
    fn a_true_difference_is_resolved_and_none_is_not() {
        let half = compare(&pairs(0.5, 0.1), 1);
        assert!(half.low > 0.45 && half.high < 0.55 && half.p < 0.01, "{half:?}");
        let none = compare(&pairs(1.0, 0.4), 1);
        assert!(none.low < 1.0 && none.high > 1.0 && none.p > 0.05, "{none:?}");
    }

    #[test]
    fn an_equal_arm_has_a_ratio_of_one_and_no_significance() {
        let same = compare(&pairs(1.0, 0.0), 1);
        assert!((same.ratio - 1.0).abs() < 1e-12 && same.p > 0.99);
    }

    #[test]
    fn holm_is_as_in_the_book() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, want) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - want).abs() < 1e-12);
        }
    }
}
