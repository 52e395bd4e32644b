//! Vectors of length one in 16-bit integers, and their product.
//!
//! Integers, so that a scan has the same result on every machine whatever its order. A component
//! is its real value times 2^14: a product of two vectors is then at most 2^28 in size and cannot
//! overflow 32 bits, and a cosine is exact to about 1e-4. (Eight bits would halve the memory and
//! cost a tenfold of that, which is more than two neighbours in a ranking differ by.)

/// Components of a vector.
pub(super) const DIM: usize = 128;

/// A sum of rows, before it is made a vector of length one.
pub(super) type Sum = [f32; DIM];

/// A vector of length one, times [`ONE`]; or of zeros, for a text without any known piece.
pub(super) type Unit = [i16; DIM];

const ONE: f32 = 16_384.0;

/// No rows yet.
pub(super) const ZERO: Sum = [0.0; DIM];

/// The length of a vector. Added up in sixteen lanes in a fixed order.
pub(super) fn norm(sum: &Sum) -> f32 {
    let mut lanes = [0f32; 16];
    for chunk in sum.chunks_exact(16) {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x * x;
        }
    }
    lanes.iter().sum::<f32>().sqrt()
}

/// The vector of length one in the direction of `sum`; zeros when it has none.
pub(super) fn unit(sum: &Sum) -> Unit {
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

/// The cosine of two vectors of length one, from -1 to 1.
pub(crate) fn cosine(a: &Unit, b: &Unit) -> f32 {
    dot(a, b) as f32 / (ONE * ONE)
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn dot(a: &Unit, b: &Unit) -> i32 {
    a.iter().zip(b).map(|(&x, &y)| i32::from(x) * i32::from(y)).sum()
}

/// The compiler makes nothing of the loop above that comes near the one instruction for it.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn dot(a: &Unit, b: &Unit) -> i32 {
    use core::arch::wasm32::{
        i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128,
    };
    let load = |x: &[i16; 8]| -> v128 { i16x8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]) };
    let (a, _) = a.as_chunks::<8>();
    let (b, _) = b.as_chunks::<8>();
    let sum = a
        .iter()
        .zip(b)
        .fold(i32x4_splat(0), |sum, (x, y)| i32x4_add(sum, i32x4_dot_i16x8(load(x), load(y))));
    i32x4_extract_lane::<0>(sum)
        + i32x4_extract_lane::<1>(sum)
        + i32x4_extract_lane::<2>(sum)
        + i32x4_extract_lane::<3>(sum)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{DIM, ONE, Sum, cosine, norm, unit};

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
    fn the_largest_components_do_not_overflow() {
        let mut sum = [0f32; DIM];
        sum[7] = -3.5;
        let unit = unit(&sum);
        assert_eq!(unit[7], -(ONE as i16));
        assert_eq!(cosine(&unit, &unit), 1.0);
        assert_eq!(cosine(&[0; DIM], &unit), 0.0);
    }
}
