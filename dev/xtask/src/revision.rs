//! The source revision that a component was built from.

use std::env;
use std::path::Path;
use std::process::Command;

/// What the component's bytes depend on.
pub(crate) const INPUTS: [&str; 5] = ["component", "wit", "dev/xtask", "Cargo.toml", "Cargo.lock"];

/// The commit that last changed what the component is made of: the same for every later commit that
/// leaves it as it is, and the same in every full clone. None where git does not know it: outside of a
/// repository, with changes that are not committed, and in a shallow clone whose history ends first.
/// `WEIR_REVISION` says it there; empty, it says that there is none.
pub(crate) fn of(root: &Path) -> Option<String> {
    if let Ok(revision) = env::var("WEIR_REVISION") {
        return Some(revision).filter(|revision| !revision.is_empty());
    }
    // Another repository may lie around an unpacked archive.
    if !root.join(".git").exists() {
        return None;
    }
    let changes = git(root, &["status", "--porcelain"])?;
    if !changes.is_empty() {
        return None;
    }
    let commit = git(root, &["log", "-1", "--format=%H"])?;
    let shallow = root.join(git(root, &["rev-parse", "--git-path", "shallow"])?);
    let ends = std::fs::read_to_string(shallow).unwrap_or_default();
    (!commit.is_empty() && !ends.lines().any(|end| end == commit)).then_some(commit)
}

/// What git says of the inputs.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(root).args(arguments);
    if arguments[0] != "rev-parse" {
        git.arg("--").args(INPUTS);
    }
    let output = git.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
