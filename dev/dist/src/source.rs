//! What the release is made from.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::archive::{Entries, Entry};
use crate::run::{cargo, output};
use crate::{Result, read_text};

/// The first of January of 1980: archives know no earlier time.
const EARLIEST: u64 = 315_532_800;

/// `dev/dist/third-party.py` makes it.
const PARTS: &str = "dev/dist/third-party/command.txt";

/// A checkout.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) root: PathBuf,
    pub(crate) version: String,
    /// None outside of a repository.
    pub(crate) commit: Option<String>,
    pub(crate) dirty: bool,
    /// The time that every file of the release bears: `SOURCE_DATE_EPOCH`, or that of the commit.
    pub(crate) time: u64,
}

impl Source {
    pub(crate) fn of(root: PathBuf) -> Result<Source> {
        let git = |arguments: &[&str]| {
            // Another repository may lie around an unpacked archive.
            root.join(".git").exists().then(|| {
                output(Command::new("git").arg("-C").arg(&root).args(arguments))
                    .ok()
                    .map(|printed| printed.trim().to_owned())
            })?
        };
        let commit = git(&["rev-parse", "HEAD"]);
        let dirty = git(&["status", "--porcelain"]).is_some_and(|changes| !changes.is_empty());
        let time = match env::var("SOURCE_DATE_EPOCH") {
            Ok(time) => time
                .trim()
                .parse()
                .map_err(|_| format!("SOURCE_DATE_EPOCH is not a number of seconds: {time:?}"))?,
            Err(_) => git(&["log", "-1", "--format=%ct"])
                .and_then(|time| time.parse().ok())
                .unwrap_or(EARLIEST),
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Source { root, version, commit, dirty, time: time.max(EARLIEST) })
    }

    /// The workspace's other commands.
    pub(crate) fn xtask(&self) -> Command {
        let mut command = cargo();
        command.current_dir(&self.root).args([
            "run",
            "--quiet",
            "--locked",
            "--package",
            "xtask",
            "--",
        ]);
        command
    }

    pub(crate) fn target_directory(&self) -> Result<PathBuf> {
        let printed = output(cargo().current_dir(&self.root).args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ]))?;
        let metadata: Value = serde_json::from_str(&printed).map_err(|error| error.to_string())?;
        let directory = metadata["target_directory"].as_str();
        directory.map(PathBuf::from).ok_or_else(|| "cargo names no target directory".to_owned())
    }

    /// The text of one of its files.
    pub(crate) fn text(&self, path: &str) -> Result<String> {
        read_text(&self.root.join(path))
    }

    /// The licences that every package holds, in this folder of it: ours, that of the data, those of all parts.
    pub(crate) fn licences(&self, folder: &str) -> Result<Entries> {
        [("LICENSE", "LICENSE"), ("NOTICE", "component/data/NOTICE"), ("THIRD-PARTY.txt", PARTS)]
            .into_iter()
            .map(|(name, path)| Ok((format!("{folder}{name}"), Entry::file(self.text(path)?))))
            .collect()
    }

    /// A template among these files: `{version}` and `{target}` are filled in.
    pub(crate) fn template(&self, path: &str, target: &str) -> Result<String> {
        let text = self.text(path)?;
        Ok(text.replace("{version}", &self.version).replace("{target}", target))
    }
}

#[cfg(test)]
pub(crate) fn workspace() -> Source {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Source::of(root).expect("it is a checkout")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kits and crates of one release have one version.
    #[test]
    fn every_package_has_the_version_of_the_workspace() {
        let source = workspace();
        let python: toml::Table = source
            .text("kits/python/pyproject.toml")
            .and_then(|text| text.parse().map_err(|error: toml::de::Error| error.to_string()))
            .expect("it is TOML");
        assert_eq!(python["project"]["version"].as_str(), Some(source.version.as_str()));
        let javascript = source.text("kits/javascript/package.json").expect("it is there");
        let javascript: Value = serde_json::from_str(&javascript).expect("it is JSON");
        assert_eq!(javascript["version"], source.version.as_str());
        assert_eq!(python["project"]["urls"]["Source"].as_str(), Some(crate::REPOSITORY));
        assert_eq!(javascript["repository"], crate::REPOSITORY);
    }
}
