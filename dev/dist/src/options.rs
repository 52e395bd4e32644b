//! What the command is told.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// What can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
#[value(rename_all = "lower")]
pub(crate) enum Part {
    Python,
    JavaScript,
    Crates,
    Binary,
}

/// Makes every file of a release.
///
/// Components, contract, kits, crates, static binaries and the packages around them, list of parts, provenance,
/// checksums. The same commit and the same tools give the same bytes in every folder.
#[derive(Debug, Default, Parser)]
#[command(bin_name = "cargo xtask dist")]
pub(crate) struct Options {
    /// Where the files go (default: target/dist)
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    pub(crate) out: Option<PathBuf>,
    /// Where they are made (default: target/dist-build)
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    pub(crate) work: Option<PathBuf>,
    /// A system to build the binary for, several times if need be (default: x86_64-unknown-linux-musl, or
    /// aarch64-unknown-linux-musl on ARM)
    #[arg(long = "target", value_name = "TRIPLE")]
    pub(crate) targets: Vec<String>,
    /// Take this binary for the system instead of building it
    #[arg(long = "binary", value_name = "TRIPLE=FILE", value_parser = binary)]
    given: Vec<(String, PathBuf)>,
    /// Take the components from this folder instead of building them
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    pub(crate) components: Option<PathBuf>,
    /// Leave out a part of it
    #[arg(long, value_name = "PART")]
    pub(crate) without: Vec<Part>,
    /// Sign the components and the checksums with this secret key
    #[arg(long, value_name = "KEYFILE", value_parser = absolute)]
    pub(crate) sign: Option<PathBuf>,
    /// Who builds, as the provenance names it
    #[arg(long, value_name = "URI")]
    pub(crate) builder: Option<String>,
    /// Although the checkout has changes that are not committed
    #[arg(long)]
    pub(crate) allow_dirty: bool,
    /// Make nothing: compare the files of DIR with their checksums, install each into an empty environment and do
    /// Weir's main job with it
    #[arg(long)]
    pub(crate) check: bool,
    #[arg(skip)]
    pub(crate) binaries: BTreeMap<String, PathBuf>,
}

impl Options {
    /// With each system once, also those of which a binary is given.
    pub(crate) fn settled(mut self) -> Options {
        self.binaries = self.given.drain(..).collect();
        self.targets.extend(self.binaries.keys().cloned());
        self.targets.sort();
        self.targets.dedup();
        self.without.sort();
        self.without.dedup();
        self
    }
}

fn absolute(path: &str) -> std::io::Result<PathBuf> {
    std::path::absolute(path)
}

fn binary(value: &str) -> Result<(String, PathBuf), String> {
    let (target, file) = value.split_once('=').ok_or("it is not of the form TRIPLE=FILE")?;
    Ok((target.to_owned(), absolute(file).map_err(|error| error.to_string())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Options, clap::Error> {
        Options::try_parse_from([&["dist"], words].concat()).map(Options::settled)
    }

    #[test]
    fn a_binary_that_is_given_names_its_system() {
        let options = read(&["--binary", "a-b-c=/x", "--without", "python"]);
        let options = options.expect("they are options");
        assert_eq!(options.targets, ["a-b-c"]);
        assert_eq!(options.without, [Part::Python]);
        assert!(read(&[]).expect("nothing is fine").targets.is_empty());
    }

    #[test]
    fn what_is_not_an_option_is_refused() {
        for words in [&["--binary", "x"][..], &["--without", "x"], &["--out"], &["x"]] {
            assert!(read(words).is_err(), "{words:?}");
        }
    }
}
