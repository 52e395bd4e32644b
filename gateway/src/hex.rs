//! Bytes as lower-case hexadecimal digits.

use std::fmt::Write as _;

/// Two digits a byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // A string takes everything.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
