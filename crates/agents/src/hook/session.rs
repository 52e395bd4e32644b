//! The session of a host's results: user, host and project.
//!
//! A hook knows the host's own session id; the gateway and a shell do not. So results are shared by
//! what all three know: who runs them, for which host, in which project. Other hosts, projects and
//! users have sessions of their own.

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::hosts::{Host, canonical};

/// What marks the root of a project.
const ROOTS: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

/// Variables by which hosts tell their children where the project is.
const PROJECT_VARIABLES: [(&str, &str); 4] = [
    ("claude-code", "CLAUDE_PROJECT_DIR"),
    ("gemini", "GEMINI_PROJECT_DIR"),
    ("qwen-code", "QWEN_PROJECT_DIR"),
    ("cursor", "CURSOR_PROJECT_DIR"),
];

/// Variables by which a host's shell can be told.
const HOST_VARIABLES: [(&str, Host); 10] = [
    ("CLAUDECODE", Host::ClaudeCode),
    ("CODEX_THREAD_ID", Host::Codex),
    ("GEMINI_CLI", Host::GeminiCli),
    ("QWEN_CODE", Host::QwenCode),
    ("COPILOT_CLI", Host::CopilotCli),
    ("OPENCODE", Host::OpenCode),
    ("CURSOR_AGENT", Host::Cursor),
    ("CLINE_ACTIVE", Host::Cline),
    ("HERMES_SESSION_ID", Host::Hermes),
    ("PI_CODING_AGENT", Host::Pi),
];

/// The name of a session, `HOST-DIGEST`: short enough for a command line, the same for everyone who
/// asks with the same user, host and project.
#[must_use]
pub fn name(host: &str, project: &Path) -> String {
    let host = canonical(host);
    let mut digest = Sha256::new();
    for part in [
        b"weir session 1",
        user().as_bytes(),
        host.as_bytes(),
        project.as_os_str().as_encoded_bytes(),
    ] {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    format!("{host}-{}", weir_base::hex(&digest.finalize()[..6]))
}

/// The project of someone who works in `directory` under `host`. `variable` reads the environment.
/// A project is what the host names, or the nearest directory with a repository, or the directory
/// itself.
#[must_use]
pub fn project(
    host: &str,
    directory: &Path,
    home: Option<&Path>,
    variable: impl Fn(&str) -> Option<String>,
) -> PathBuf {
    let host = canonical(host);
    // Of this host only: hosts start each other.
    let own = PROJECT_VARIABLES.iter().find(|(name, _)| *name == host);
    let named = own.and_then(|(_, name)| {
        variable(name).map(PathBuf::from).filter(|path| path.is_absolute() && path.is_dir())
    });
    let directory = named.unwrap_or_else(|| directory.to_owned());
    let directory = directory.canonicalize().unwrap_or(directory);
    let home = home.map(|home| home.canonicalize().unwrap_or_else(|_| home.to_owned()));
    let is_root = |path: &&Path| ROOTS.iter().any(|root| path.join(root).exists());
    // A repository around a whole home holds settings, not a project.
    let below_home = directory.ancestors().take_while(|path| home.as_deref() != Some(path));
    below_home.into_iter().find(is_root).map_or_else(|| directory.clone(), Path::to_owned)
}

/// The host in whose shell this process runs, as far as hosts say so.
#[must_use]
pub fn host_around(variable: impl Fn(&str) -> Option<String>) -> Option<Host> {
    HOST_VARIABLES
        .iter()
        .find(|(name, _)| variable(name).is_some_and(|value| !value.is_empty() && value != "0"))
        .map(|(_, host)| *host)
}

#[cfg(unix)]
fn user() -> String {
    rustix::process::geteuid().as_raw().to_string()
}

#[cfg(not(unix))]
fn user() -> String {
    std::env::var("USERNAME").unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none(_: &str) -> Option<String> {
        None
    }

    #[test]
    fn a_session_is_host_and_project() {
        let (a, b) = (Path::new("/a"), Path::new("/b"));
        assert_eq!(name("codex", a), name("codex", a));
        assert_ne!(name("codex", a), name("codex", b));
        assert_ne!(name("codex", a), name("claude-code", a));
        assert_eq!(name("claude", a), name("claude-code", a));
        assert!(name("codex", a).starts_with("codex-"));
        assert_eq!(name("codex", a).len(), "codex-".len() + 12);
    }

    #[test]
    fn every_directory_of_a_repository_is_one_project() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("repo");
        let deep = root.join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        assert_eq!(project("codex", &deep, None, none), deep);
        std::fs::create_dir(root.join(".git")).unwrap();
        assert_eq!(project("codex", &deep, None, none), root);
        assert_eq!(project("codex", &root, None, none), root);
        // A repository of dotfiles around everything is not the project.
        assert_eq!(project("codex", &deep, Some(&root), none), deep);
        let named = |name: &str| {
            (name == "CLAUDE_PROJECT_DIR").then(|| root.join("a").display().to_string())
        };
        std::fs::create_dir(root.join("a/.git")).unwrap();
        assert_eq!(project("claude-code", &root, None, named), root.join("a"));
        assert_eq!(project("codex", &root, None, named), root);
    }

    #[test]
    fn a_hosts_shell_is_known_by_its_variable() {
        let claude = |name: &str| (name == "CLAUDECODE").then(|| "1".to_owned());
        assert_eq!(host_around(claude), Some(Host::ClaudeCode));
        assert_eq!(host_around(none), None);
        assert_eq!(host_around(|name| (name == "CLAUDECODE").then(|| "0".to_owned())), None);
    }
}
