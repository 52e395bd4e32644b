//! Versions of agent hosts that are installed here, beside those that Weir was tried with.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_agents::hook::Host;

/// How long a host has to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// A host that is newer here than the one that was tried.
pub(crate) struct Newer {
    tried: &'static str,
    installed: String,
}

impl Newer {
    /// Those of this machine. Each is asked by its own program, all at once.
    pub(crate) fn all() -> Vec<Newer> {
        let asked: Vec<_> = Host::all()
            .filter_map(Host::tried)
            .map(|(program, tried)| (tried, std::thread::spawn(move || version_of(program))))
            .collect();
        let told = asked.into_iter().filter_map(|(tried, told)| {
            let installed = told.join().ok().flatten()?;
            let is_newer = numbers(&installed) > numbers(tried);
            is_newer.then_some(Newer { tried, installed })
        });
        told.collect()
    }

    pub(crate) fn sentence(&self) -> String {
        format!(
            "{} is installed; this version of weir was tested with {}, so its events may differ",
            self.installed, self.tried
        )
    }

    pub(crate) fn json(&self) -> Value {
        json!({"installed": self.installed, "tried": self.tried})
    }
}

/// What a program says of its version, where it says so in time.
fn version_of(program: &str) -> Option<String> {
    let mut command = Command::new(program);
    let quiet = command.arg("--version").stdin(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.stdout(Stdio::piped()).spawn().ok()?;
    let deadline = Instant::now() + PATIENCE;
    while child.try_wait().ok()?.is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().find(|word| numbers(word).len() > 1)?;
    Some(format!("{program} {}", version.trim_matches(|c: char| !c.is_ascii_alphanumeric())))
}

/// The numbers of the first version in a text: those of `Claude Code 2.1.330` are 2, 1 and 330. What comes behind a
/// hyphen is not counted.
fn numbers(text: &str) -> Vec<u64> {
    let versions = text.split_whitespace().map(|word| {
        let word = word.trim_start_matches(|c: char| !c.is_ascii_digit());
        let end = word.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(word.len());
        word[..end].split('.').map_while(|part| part.parse().ok()).collect::<Vec<u64>>()
    });
    versions.into_iter().find(|numbers| numbers.len() > 1).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_programs_write_them() {
        for (said, is) in [
            ("2.1.330 (Claude Code)", vec![2, 1, 330]),
            ("codex-cli 0.171.0", vec![0, 171, 0]),
            ("v1.18.33-beta.2", vec![1, 18, 33]),
            ("Claude Code 2.1.330", vec![2, 1, 330]),
            ("OpenClaw 2026.9.6 (abc1234)", vec![2026, 9, 6]),
            ("no version", vec![]),
        ] {
            assert_eq!(numbers(said), is, "{said}");
        }
        assert!(numbers("0.171.0") > numbers("Codex 0.169.0"));
        assert!(numbers("2.1.330") <= numbers("Claude Code 2.1.330"));
        assert_eq!(version_of("no-such-program-of-a-host"), None);
    }
}
