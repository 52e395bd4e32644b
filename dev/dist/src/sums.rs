//! Checksums, in the format of `sha256sum`.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Result, files, read, read_text, wit, write};

pub(crate) const NAME: &str = "SHA256SUMS";

pub(crate) fn sha256(bytes: &[u8]) -> String {
    weir_base::hex(&Sha256::digest(bytes))
}

/// The files that have a checksum.
pub(crate) fn covered(directory: &Path) -> Result<Vec<String>> {
    let mut names = files(directory)?;
    names.retain(|name| name != NAME);
    Ok(names)
}

/// Writes the checksums of all files that are there.
pub(crate) fn make(directory: &Path) -> Result<()> {
    let mut sums = String::new();
    for name in covered(directory)? {
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
    let signature = |name: &String| is_signature(name);
    let strange = |name: &String| name != NAME && !names.contains(name) && !signature(name);
    match files(directory)?.iter().find(|name| strange(name)) {
        Some(name) => Err(format!("{name} has no checksum in {NAME}")),
        None => Ok(names),
    }
}

/// What is signed: what hosts load, the contract, and the checksums of all else.
pub(crate) fn signed(version: &str) -> [String; 6] {
    let [plugin, results, tools, middleware] =
        ["weir.wasm", "weir-results.wasm", "weir-tools.wasm", "weir-middleware.wasm"];
    let [wit, sums] = [wit::name(version), NAME.into()];
    [plugin.into(), results.into(), tools.into(), middleware.into(), wit, sums]
}

fn is_signature(name: &str) -> bool {
    name.strip_suffix(".sig")
        .is_some_and(|file| signed(env!("CARGO_PKG_VERSION")).iter().any(|signed| signed == file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_a_missing_and_an_added_file_are_found() {
        let folder = std::env::temp_dir().join(format!("weir-sums-{}", std::process::id()));
        crate::fresh(&folder).expect("a folder");
        write(&folder.join(NAME), b"").expect("written");
        write(&folder.join("a"), b"a").expect("written");
        make(&folder).expect("checksums are written");
        assert_eq!(verify(&folder), Ok(vec!["a".to_owned()]));
        write(&folder.join("weir.wasm.sig"), b"").expect("written");
        assert!(verify(&folder).is_ok(), "signatures come later");
        write(&folder.join("b"), b"").expect("written");
        assert!(verify(&folder).expect_err("b is strange").starts_with("b has no checksum"));
        std::fs::remove_file(folder.join("b")).expect("removed");
        write(&folder.join("a"), b"b").expect("written");
        assert!(verify(&folder).expect_err("a was changed").starts_with("a is not the file"));
        std::fs::remove_file(folder.join("a")).expect("removed");
        assert!(verify(&folder).is_err(), "a is gone");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
