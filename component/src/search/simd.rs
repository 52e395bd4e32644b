//! Loops of which the compiler makes nothing that comes near the instructions for them. What they give
//! is to the bit what the plain loops give that stand beside their callers for other targets.

use core::arch::wasm32::{
    f32x4_add, f32x4_convert_i32x4, f32x4_extract_lane, f32x4_mul, f32x4_splat, i8x16_bitmask,
    i8x16_sub, i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4_add, i32x4_dot_i16x8,
    i32x4_extend_high_i16x8, i32x4_extend_low_i16x8, i32x4_extract_lane, i32x4_splat, u8x16_lt,
    u8x16_splat, v128, v128_and, v128_load, v128_or,
};

/// See [`crate::search::vector::unit::cosines`].
pub(crate) fn dot<const N: usize>(a: &[i16; N], b: &[i16; N]) -> i32 {
    let mut sum = i32x4_splat(0);
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        sum = add_products(sum, load(a), load(b));
    }
    total(sum)
}

/// Four at once, without a loop over them, which would keep the sums in memory.
pub(crate) fn dot_four<const N: usize>([a, b, c, d]: &[[i16; N]; 4], row: &[i16; N]) -> [i32; 4] {
    let (mut of_a, mut of_b) = (i32x4_splat(0), i32x4_splat(0));
    let (mut of_c, mut of_d) = (i32x4_splat(0), i32x4_splat(0));
    let ab = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let cd = c.as_chunks::<8>().0.iter().zip(d.as_chunks::<8>().0);
    for ((part, (a, b)), (c, d)) in row.as_chunks::<8>().0.iter().zip(ab).zip(cd) {
        let part = load(part);
        of_a = add_products(of_a, load(a), part);
        of_b = add_products(of_b, load(b), part);
        of_c = add_products(of_c, load(c), part);
        of_d = add_products(of_d, load(d), part);
    }
    [total(of_a), total(of_b), total(of_c), total(of_d)]
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
pub(crate) fn add_scaled<const N: usize>(sum: &mut [f32; N], rows: &[(f32, &[u8; N])]) {
    let fours = sum.as_chunks_mut::<4>().0;
    for (at, fours) in fours.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [mut first, mut second, mut third, mut fourth] = fours.each_ref().map(load);
        for (factor, row) in rows {
            let factor = f32x4_splat(*factor);
            let scaled = |four| f32x4_mul(factor, f32x4_convert_i32x4(four));
            let bytes = load(&row.as_chunks::<16>().0[at]);
            let (low, high) = (i16x8_extend_low_i8x16(bytes), i16x8_extend_high_i8x16(bytes));
            first = f32x4_add(first, scaled(i32x4_extend_low_i16x8(low)));
            second = f32x4_add(second, scaled(i32x4_extend_high_i16x8(low)));
            third = f32x4_add(third, scaled(i32x4_extend_low_i16x8(high)));
            fourth = f32x4_add(fourth, scaled(i32x4_extend_high_i16x8(high)));
        }
        *fours = [first, second, third, fourth].map(|four| {
            [
                f32x4_extract_lane::<0>(four),
                f32x4_extract_lane::<1>(four),
                f32x4_extract_lane::<2>(four),
                f32x4_extract_lane::<3>(four),
            ]
        });
    }
}

/// Which of sixteen bytes are ASCII letters, and which of these are upper-case ones, a bit each.
pub(crate) fn letters(bytes: &[u8; 16]) -> (u16, u16) {
    let bytes = load(bytes);
    let from = |bytes, first| u8x16_lt(i8x16_sub(bytes, u8x16_splat(first)), u8x16_splat(26));
    let letters = from(v128_or(bytes, u8x16_splat(0x20)), b'a');
    let uppers = v128_and(letters, from(bytes, b'A'));
    (i8x16_bitmask(letters), i8x16_bitmask(uppers))
}

/// By the instruction for it: of one that names each lane the compiler makes a load for each.
#[expect(unsafe_code, reason = "the instruction takes a pointer")]
fn load<T>(sixteen_bytes: &T) -> v128 {
    const { assert!(size_of::<T>() == 16) };
    // SAFETY: it reads 16 bytes, at any alignment, of a value that has as many, all of them set: no
    // type it is called with has padding.
    unsafe { v128_load(std::ptr::from_ref(sixteen_bytes).cast()) }
}
