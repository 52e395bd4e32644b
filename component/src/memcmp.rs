//! Comparing bytes, eight at a time.
//!
//! The C library of the target compares one byte a step. In a sandbox that counts its steps this
//! was a sixth of building a catalog: every look-up in a map and every step of a sort compares.

/// Less than zero, zero or more, as the first byte that differs is less in `a`, or none does. Both
/// have the same length.
#[cfg(any(target_family = "wasm", test))]
fn compare(a: &[u8], b: &[u8]) -> i32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (u64::from_be_bytes(*a), u64::from_be_bytes(*b));
        if a != b {
            return if a < b { -1 } else { 1 };
        }
    }
    for (&a, &b) in a_rest.iter().zip(b_rest) {
        if a != b {
            return i32::from(a) - i32::from(b);
        }
    }
    0
}

/// Takes the place of the C library's.
#[cfg(target_family = "wasm")]
#[expect(unsafe_code, reason = "a function of the C library takes raw pointers")]
// SAFETY: the signature and the meaning are those of C's `memcmp`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, count: usize) -> i32 {
    // SAFETY: C's `memcmp` may be called with readable ranges of `count` bytes only.
    let (a, b) =
        unsafe { (core::slice::from_raw_parts(a, count), core::slice::from_raw_parts(b, count)) };
    compare(a, b)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_compares_as_slices_do(
            same in proptest::collection::vec(any::<u8>(), 0..40), rest in any::<[(u8, u8); 9]>(),
            count in 0usize..9,
        ) {
            let side = |of: fn(&(u8, u8)) -> u8| {
                same.iter().copied().chain(rest[..count].iter().map(of)).collect::<Vec<_>>()
            };
            let (a, b) = (side(|pair| pair.0), side(|pair| pair.1));
            prop_assert_eq!(super::compare(&a, &b).cmp(&0), a.cmp(&b));
        }
    }
}
