//! Loops of which the compiler makes nothing that comes near the instructions for them. What they give
//! is to the bit what the plain loops give that stand beside their callers for other targets.

use core::arch::wasm32::{
    f32x4, f32x4_add, f32x4_convert_i32x4, f32x4_extract_lane, f32x4_mul, f32x4_splat,
    i8x16_bitmask, i8x16_sub, i8x16_swizzle, i16x8, i16x8_extend_high_i8x16,
    i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8, i32x4_extend_high_i16x8,
    i32x4_extend_low_i16x8, i32x4_extract_lane, i32x4_splat, u8x16_lt, u8x16_shr, u8x16_splat,
    u64x2, v128, v128_and, v128_any_true, v128_or,
};

use super::vector::{DIM, Sum, Unit};

/// See [`super::vector::cosines`].
pub(super) fn dot(a: &Unit, b: &Unit) -> i32 {
    let mut sum = i32x4_splat(0);
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        sum = add_products(sum, eight(a), eight(b));
    }
    total(sum)
}

/// Four at once, without a loop over them, which would keep the sums in memory.
pub(super) fn dot_four([a, b, c, d]: &[Unit; 4], row: &Unit) -> [i32; 4] {
    let (mut of_a, mut of_b) = (i32x4_splat(0), i32x4_splat(0));
    let (mut of_c, mut of_d) = (i32x4_splat(0), i32x4_splat(0));
    let ab = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let cd = c.as_chunks::<8>().0.iter().zip(d.as_chunks::<8>().0);
    for ((part, (a, b)), (c, d)) in row.as_chunks::<8>().0.iter().zip(ab).zip(cd) {
        let part = eight(part);
        of_a = add_products(of_a, eight(a), part);
        of_b = add_products(of_b, eight(b), part);
        of_c = add_products(of_c, eight(c), part);
        of_d = add_products(of_d, eight(d), part);
    }
    [total(of_a), total(of_b), total(of_c), total(of_d)]
}

fn eight(x: &[i16; 8]) -> v128 {
    i16x8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7])
}

fn add_products(sum: v128, a: v128, b: v128) -> v128 {
    i32x4_add(sum, i32x4_dot_i16x8(a, b))
}

fn total(sum: v128) -> i32 {
    i32x4_extract_lane::<0>(sum)
        + i32x4_extract_lane::<1>(sum)
        + i32x4_extract_lane::<2>(sum)
        + i32x4_extract_lane::<3>(sum)
}

/// Adds rows, each times its factor, in their order: sixteen components at once, whose sums stay in
/// registers over all rows.
pub(super) fn add_scaled(sum: &mut Sum, rows: &[(f32, &[u8; DIM])]) {
    for (at, totals) in sum.as_chunks_mut::<16>().0.iter_mut().enumerate() {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *totals;
        let (mut first, mut second) = (f32x4(a, b, c, d), f32x4(e, f, g, h));
        let (mut third, mut fourth) = (f32x4(i, j, k, l), f32x4(m, n, o, p));
        for (factor, row) in rows {
            let factor = f32x4_splat(*factor);
            let scaled = |four| f32x4_mul(factor, f32x4_convert_i32x4(four));
            let bytes = sixteen(&row.as_chunks::<16>().0[at]);
            let (low, high) = (i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes));
            first = f32x4_add(first, scaled(i32x4_extend_low_i16x8(low)));
            second = f32x4_add(second, scaled(i32x4_extend_high_i16x8(low)));
            third = f32x4_add(third, scaled(i32x4_extend_low_i16x8(high)));
            fourth = f32x4_add(fourth, scaled(i32x4_extend_high_i16x8(high)));
        }
        let fours = totals.as_chunks_mut::<4>().0.iter_mut();
        for (four, x) in fours.zip([first, second, third, fourth]) {
            *four = [
                f32x4_extract_lane::<0>(x),
                f32x4_extract_lane::<1>(x),
                f32x4_extract_lane::<2>(x),
                f32x4_extract_lane::<3>(x),
            ];
        }
    }
}

/// Which of sixteen bytes are ASCII letters, and which of these are upper-case ones, a bit each.
pub(super) fn letters(bytes: &[u8; 16]) -> (u16, u16) {
    let bytes = sixteen(bytes);
    let from = |bytes, first| u8x16_lt(i8x16_sub(bytes, u8x16_splat(first)), u8x16_splat(26));
    let letters = from(v128_or(bytes, u8x16_splat(0x20)), b'a');
    let uppers = v128_and(letters, from(bytes, b'A'));
    (i8x16_bitmask(letters), i8x16_bitmask(uppers))
}

/// Whether three bytes in a row, of which the first is one of the first `COUNT` of `block`, may be of
/// the same thing that is looked for: `starts` has for each of the three, folded to lower case, the
/// things that each half of it may be of, a bit each. `block` has two bytes more at least.
pub(super) fn may_start<const COUNT: usize>(block: &[u8], starts: &[[[u8; 16]; 2]; 3]) -> bool {
    let mut found = u8x16_splat(0);
    for at in (0..COUNT).step_by(16) {
        let mut bits = u8x16_splat(0xff);
        for (place, [low, high]) in (at..).zip(starts) {
            let Some(bytes) = block[place..].first_chunk() else { return true };
            let bytes = v128_or(sixteen(bytes), u8x16_splat(0x20));
            let of_low = i8x16_swizzle(sixteen(low), v128_and(bytes, u8x16_splat(15)));
            let of_high = i8x16_swizzle(sixteen(high), u8x16_shr(bytes, 4));
            bits = v128_and(bits, v128_and(of_low, of_high));
        }
        found = v128_or(found, bits);
    }
    v128_any_true(found)
}

/// As two numbers: of sixteen bytes the compiler makes as many loads.
fn sixteen(bytes: &[u8; 16]) -> v128 {
    let [low, high] = [0, 8].map(|at| {
        let half = bytes[at..].first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(half)
    });
    u64x2(low, high)
}
