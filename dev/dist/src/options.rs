//! What the command is told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::Result;

pub(crate) const USAGE: &str = "\
Usage: cargo xtask dist [OPTIONS]

Makes every file of a release in target/dist: components, contract, kits, crates, static binaries and the
packages around them, list of parts, provenance, checksums. The same commit and the same tools give the
same bytes in every folder.

  --out DIR             where the files go (default: target/dist)
  --work DIR            where they are made (default: target/dist-build)
  --target TRIPLE       a system to build the binary for, several times if need be (default:
                        x86_64-unknown-linux-musl, or aarch64-unknown-linux-musl on ARM)
  --binary TRIPLE=FILE  take this binary for the system instead of building it
  --components DIR      take the components from this folder instead of building them
  --without PART        leave out python, javascript, crates or binary
  --sign KEYFILE        sign the components and the checksums with this secret key
  --builder URI         who builds, as the provenance names it
  --allow-dirty         although the checkout has changes that are not committed

Usage: cargo xtask dist --check [--out DIR] [--work DIR]

Makes nothing. Compares the files of DIR with their checksums, installs each into an empty environment and
does Weir's main job with it.
";

/// What can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Python,
    JavaScript,
    Crates,
    Binary,
}

impl Part {
    pub(crate) const ALL: [Part; 4] = [Part::Python, Part::JavaScript, Part::Crates, Part::Binary];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Part::Python => "python",
            Part::JavaScript => "javascript",
            Part::Crates => "crates",
            Part::Binary => "binary",
        }
    }

    fn named(name: &str) -> Result<Part> {
        Part::ALL
            .into_iter()
            .find(|part| part.name() == name)
            .ok_or_else(|| format!("{name:?} is not a part: python, javascript, crates or binary"))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) out: Option<PathBuf>,
    pub(crate) work: Option<PathBuf>,
    /// None where the usual ones are wanted.
    pub(crate) targets: Vec<String>,
    pub(crate) binaries: BTreeMap<String, PathBuf>,
    pub(crate) components: Option<PathBuf>,
    pub(crate) without: BTreeSet<Part>,
    pub(crate) sign: Option<PathBuf>,
    pub(crate) builder: Option<String>,
    pub(crate) allow_dirty: bool,
    pub(crate) check: bool,
}

impl Options {
    /// Nothing where help is asked for.
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>> {
        let mut options = Options::default();
        while let Some(option) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{option} needs a value"));
            match option.as_str() {
                "--out" => options.out = Some(absolute(&value()?)?),
                "--work" => options.work = Some(absolute(&value()?)?),
                "--target" => options.targets.push(value()?),
                "--binary" => {
                    let value = value()?;
                    let (target, file) = value
                        .split_once('=')
                        .ok_or_else(|| format!("--binary takes TRIPLE=FILE, not {value:?}"))?;
                    options.binaries.insert(target.to_owned(), absolute(file)?);
                }
                "--without" => {
                    options.without.insert(Part::named(&value()?)?);
                }
                "--components" => options.components = Some(absolute(&value()?)?),
                "--sign" => options.sign = Some(absolute(&value()?)?),
                "--builder" => options.builder = Some(value()?),
                "--allow-dirty" => options.allow_dirty = true,
                "--check" => options.check = true,
                "--help" | "-h" => return Ok(None),
                _ => return Err(format!("{option} is not an option\n\n{USAGE}")),
            }
        }
        options.targets.extend(options.binaries.keys().cloned());
        options.targets.sort();
        options.targets.dedup();
        Ok(Some(options))
    }
}

fn absolute(path: &str) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| format!("cannot use {path}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Option<Options>> {
        Options::read(words.iter().map(|word| (*word).to_owned()))
    }

    #[test]
    fn a_binary_that_is_given_names_its_system() {
        let options = read(&["--binary", "a-b-c=/x", "--without", "python"]);
        let options = options.expect("they are options").expect("no help");
        assert_eq!(options.targets, ["a-b-c"]);
        assert_eq!(options.without, BTreeSet::from([Part::Python]));
        let options = read(&[]).expect("nothing is fine").expect("no help");
        assert!(options.targets.is_empty());
    }

    #[test]
    fn what_is_not_an_option_is_refused() {
        for words in [&["--binary", "x"][..], &["--without", "x"], &["--out"], &["x"]] {
            assert!(read(words).is_err(), "{words:?}");
        }
        assert!(read(&["--help"]).expect("help is fine").is_none());
    }
}
