//! Bytes as lower-case hexadecimal digits, and names of them that nobody can guess.

pub(crate) use weir_host::shared::hex;

/// A name of 128 bits that nobody can guess.
pub(crate) fn unguessable() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}
