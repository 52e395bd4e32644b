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

/// The cosine of two vectors of length one, from -1 to 1. `b` must have [`DIM`] components; with
/// fewer, the rest count as zero.
pub(super) fn cosine(a: &Unit, b: &[i16]) -> f32 {
    let mut total = 0i32;
    for (x, y) in a.iter().zip(b) {
        total = total.wrapping_add(i32::from(*x) * i32::from(*y));
    }
    total as f32 / (ONE * ONE)
}
