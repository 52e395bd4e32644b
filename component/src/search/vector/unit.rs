//! Vectors of length one in 16-bit integers, and their product.
//!
//! Integers, so that a scan has the same result on every machine whatever its order. A component
//! is its real value times 2^14: a product of two vectors is then at most 2^28 in size and cannot
//! overflow 32 bits, and a cosine is exact to about 1e-4. (Eight bits would halve the memory and
//! cost a tenfold of that, which is more than two neighbours in a ranking differ by.)

/// Components of a vector.
pub(crate) const DIM: usize = 128;

/// A sum of rows, before it is made a vector of length one.
pub(crate) type Sum = [f32; DIM];

/// A vector of length one, times [`ONE`]; or of zeros, for a text without any known piece.
pub(crate) type Unit = [i16; DIM];

const ONE: f32 = 16_384.0;

/// No rows yet.
pub(crate) const ZERO: Sum = [0.0; DIM];

/// Adds rows, each times its factor, in their order. A row's components are signed bytes.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) fn add_scaled(sum: &mut Sum, rows: &[(f32, &[u8; DIM])]) {
    for (factor, row) in rows {
        for (total, &byte) in sum.iter_mut().zip(*row) {
            *total += factor * f32::from(byte as i8);
        }
    }
}

/// The length of a vector. Added up in sixteen lanes in a fixed order.
pub(crate) fn norm(sum: &Sum) -> f32 {
    let mut lanes = [0f32; 16];
    for chunk in sum.chunks_exact(16) {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x * x;
        }
    }
    lanes.iter().sum::<f32>().sqrt()
}

/// The vector of length one in the direction of `sum`; zeros when it has none.
pub(crate) fn unit(sum: &Sum) -> Unit {
    let norm = norm(sum);
    if norm > 1e-9 {
        sum.map(|x| {
            let scaled = x / norm * ONE;
            // Half away from zero, by hand: `round` may be another routine on another target.
            (if scaled < 0.0 { scaled - 0.5 } else { scaled + 0.5 }) as i16
        })
    } else {
        [0; DIM]
    }
}

/// Calls `each` with the place of a query, the place of a row, and their cosine, from -1 to 1: for
/// every query and every row, the rows of one query in ascending order.
pub(crate) fn cosines(queries: &[Unit], rows: &[Unit], mut each: impl FnMut(usize, usize, f32)) {
    // Four at once: each part of a row is read once for them, and so many sums fit in registers.
    let (fours, rest) = queries.as_chunks::<4>();
    for (block, four) in fours.iter().enumerate() {
        for (at, row) in rows.iter().enumerate() {
            for (query, dot) in dot_four(four, row).into_iter().enumerate() {
                each(4 * block + query, at, cosine(dot));
            }
        }
    }
    for (query, one) in rest.iter().enumerate() {
        for (at, row) in rows.iter().enumerate() {
            each(4 * fours.len() + query, at, cosine(dot(one, row)));
        }
    }
}

/// The greater of two numbers that are none NaN. (`f32::max` minds those, and is a call of the C
/// library on some targets.)
pub(crate) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The greatest of some numbers that are none NaN; 0 when there is none above it. In eight lanes,
/// which a fold in order would not allow.
pub(crate) fn greatest(numbers: &[f32]) -> f32 {
    let (eights, rest) = numbers.as_chunks::<8>();
    let mut lanes = [0f32; 8];
    for eight in eights {
        for (lane, &x) in lanes.iter_mut().zip(eight) {
            *lane = greater(x, *lane);
        }
    }
    lanes.iter().chain(rest).fold(0.0, |a, &b| greater(a, b))
}

fn cosine(dot: i32) -> f32 {
    dot as f32 / (ONE * ONE)
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn dot(a: &Unit, b: &Unit) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn dot_four(four: &[Unit; 4], row: &Unit) -> [i32; 4] {
    four.each_ref().map(|one| dot(one, row))
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use crate::search::simd::add_scaled;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::search::simd::{dot, dot_four};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{DIM, ONE, Sum, Unit, cosines, norm, unit};

    fn cosine(a: &Unit, b: &Unit) -> f32 {
        super::cosine(super::dot(a, b))
    }

    fn any_sum() -> impl Strategy<Value = Sum> {
        proptest::array::uniform32(-2f32..2.0).prop_map(|some| {
            let mut sum = [0f32; DIM];
            for (at, x) in sum.iter_mut().enumerate() {
                *x = some[at % 32] * (1.0 + (at / 32) as f32);
            }
            sum
        })
    }

    proptest! {
        #[test]
        fn a_cosine_is_that_of_the_sums(a in any_sum(), b in any_sum()) {
            let exact: f64 = a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            let exact = exact / f64::from(norm(&a)) / f64::from(norm(&b));
            prop_assert!((f64::from(cosine(&unit(&a), &unit(&b))) - exact).abs() < 5e-4);
        }
    }

    #[test]
    fn every_query_meets_every_row() {
        let axis = |at: usize, sign: f32| {
            let mut sum = [0f32; DIM];
            sum[at] = sign;
            unit(&sum)
        };
        for count in 0..10 {
            let queries: Vec<Unit> = (0..count).map(|at| axis(at, 1.0)).collect();
            let rows: Vec<Unit> = (0..7).map(|at| axis(at, -1.0)).collect();
            let mut found = Vec::new();
            cosines(&queries, &rows, |query, row, cosine| found.push((query, row, cosine)));
            crate::sort::sort_by(&mut found, |a, b| a.partial_cmp(b).unwrap());
            let expected: Vec<_> = (0..count)
                .flat_map(|query| {
                    (0..7).map(move |row| (query, row, if query == row { -1.0 } else { 0.0 }))
                })
                .collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_largest_components_do_not_overflow() {
        let mut sum = [0f32; DIM];
        sum[7] = -3.5;
        let unit = unit(&sum);
        assert_eq!(unit[7], -(ONE as i16));
        assert_eq!(cosine(&unit, &unit), 1.0);
        assert_eq!(cosine(&[0; DIM], &unit), 0.0);
    }
}
