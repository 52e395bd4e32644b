//! Bytes as lower-case hexadecimal digits, and names of them that nobody can guess.

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

/// A name of 128 bits that nobody can guess.
pub(crate) fn unguessable() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}
