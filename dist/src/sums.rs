//! Checksums, in the format of `sha256sum`.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Result, files, read, read_text, write};

pub(crate) const NAME: &str = "SHA256SUMS";

pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the checksums of all files that are there.
pub(crate) fn make(directory: &Path) -> Result<()> {
    let mut sums = String::new();
    for name in files(directory)? {
        sums.push_str(&format!("{}  {name}\n", sha256(&read(&directory.join(&name))?)));
    }
    write(&directory.join(NAME), sums.as_bytes())
}

/// Compares the files with their checksums, and returns their names.
pub(crate) fn verify(directory: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for line in read_text(&directory.join(NAME))?.lines() {
        let (sum, name) =
            line.split_once("  ").ok_or_else(|| format!("{NAME} has the line {line:?}"))?;
        if sha256(&read(&directory.join(name))?) != sum {
            return Err(format!("{name} is not the file whose checksum is in {NAME}"));
        }
        names.push(name.to_owned());
    }
    let signature = |name: &String| crate::sign::is_signature(name);
    let strange = |name: &String| name != NAME && !names.contains(name) && !signature(name);
    match files(directory)?.iter().find(|name| strange(name)) {
        Some(name) => Err(format!("{name} has no checksum in {NAME}")),
        None => Ok(names),
    }
}
