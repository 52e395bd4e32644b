//! What is known of one server before it runs: how to reach it, what may be seen of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use sha2::{Digest, Sha256};

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A child process that speaks on its standard streams.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables set on top of our own environment.
        env: BTreeMap<String, String>,
        /// Where it runs; our own directory when not given.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP.
    Http {
        /// The endpoint.
        url: String,
        /// Headers sent with every request.
        headers: BTreeMap<String, String>,
    },
}

/// What happens to `structuredContent` and `outputSchema` of a server's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Structured {
    /// Advertise tools without `outputSchema`, so that a shortened result breaks no client.
    #[default]
    Excerpt,
    /// Keep schemas; results of tools that have one are never shortened.
    Preserve,
}

/// What is done when a server defines a tool anew that was seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Changed {
    /// It is told, once.
    #[default]
    Report,
    /// It is told, and the tool is left out until someone has accepted it.
    Refuse,
}

/// One server's entry in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSpec {
    /// The key of the entry.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// Tools that exist for clients, as globs over the server's own names; empty means all.
    pub allow: Vec<String>,
    /// Tools that do not exist for clients, as globs. Stronger than `allow`.
    pub deny: Vec<String>,
    /// New names by the server's own name. The prefix is still put before them.
    pub rename: BTreeMap<String, String>,
    /// Descriptions by the server's own name of the tool.
    pub describe: BTreeMap<String, String>,
    /// Tools that are listed beside the bridge tools, as globs.
    pub pin: Vec<String>,
    /// What happens to structured results.
    pub structured: Structured,
    /// Whether results go through the component.
    pub transform: bool,
    /// What is done when a tool is defined anew.
    pub changed: Changed,
    /// Whether the annotations of its tools are believed.
    pub trust: bool,
    /// How long a start may take, listing included.
    pub start_timeout: Duration,
    /// How long a call may be silent. Progress starts it anew.
    pub call_timeout: Duration,
    /// How long a call may take, whatever it reports.
    pub call_max: Duration,
    /// `call_timeout` by tool, as globs; the first that matches counts.
    pub tool_timeouts: Vec<(String, Duration)>,
    /// Values that must not be shown: what variables expanded to, values of `env` and `headers`.
    pub secrets: Secrets,
}

/// Values that must never be shown.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secrets(Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} values", self.0.len())
    }
}

/// Shorter values are no secrets: hiding each `1` or `true` would only garble the text.
const SECRET_MIN_CHARS: usize = 6;

impl Secrets {
    /// Adds a value.
    pub fn add(&mut self, value: &str) {
        // `Bearer abc`: the part after the scheme is shown alone in some messages.
        for part in std::iter::once(value).chain(value.split_whitespace()) {
            if part.len() >= SECRET_MIN_CHARS && !self.0.iter().any(|known| known == part) {
                self.0.push(part.to_owned());
            }
        }
        self.0.sort_by_key(|value| std::cmp::Reverse(value.len()));
    }

    /// `text` with every secret value replaced by `***`.
    pub fn redact(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), "***"))
    }
}

impl ServerSpec {
    /// A server with everything at its default.
    pub fn new(name: &str, reach: Reach) -> ServerSpec {
        ServerSpec {
            name: name.to_owned(),
            reach,
            allow: Vec::new(),
            deny: Vec::new(),
            rename: BTreeMap::new(),
            describe: BTreeMap::new(),
            pin: Vec::new(),
            structured: Structured::default(),
            transform: true,
            changed: Changed::default(),
            trust: true,
            start_timeout: Duration::from_secs(30),
            call_timeout: Duration::from_secs(300),
            call_max: Duration::from_secs(3_600),
            tool_timeouts: Vec::new(),
            secrets: Secrets::default(),
        }
    }

    /// Whether clients may see and call this tool, named as the server names it.
    pub fn admits(&self, tool: &str) -> bool {
        let matches = |globs: &[String]| globs.iter().any(|glob| glob_matches(glob, tool));
        (self.allow.is_empty() || matches(&self.allow)) && !matches(&self.deny)
    }

    /// Whether the tool is listed beside the bridge tools.
    pub fn is_pinned(&self, tool: &str) -> bool {
        self.pin.iter().any(|glob| glob_matches(glob, tool))
    }

    /// How long a call of the tool may be silent.
    pub fn timeout_of(&self, tool: &str) -> Duration {
        self.tool_timeouts
            .iter()
            .find(|(glob, _)| glob_matches(glob, tool))
            .map_or(self.call_timeout, |(_, timeout)| *timeout)
    }

    /// A name for what is started, for the cache: changes with the command, arguments, directory or
    /// address, and with which variables and headers are set. Their values are left out, so that
    /// a renewed token does not forget the catalogue.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        match &self.reach {
            Reach::Stdio { command, args, env, cwd } => {
                add("stdio");
                add(command);
                add(&args.len().to_string());
                args.iter().for_each(|arg| add(arg));
                env.keys().for_each(|key| add(key));
                add(&cwd.as_ref().map(|dir| dir.display().to_string()).unwrap_or_default());
            }
            Reach::Http { url, headers } => {
                add("http");
                add(url);
                headers.keys().for_each(|key| add(key));
            }
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Whether `text` matches `glob`, in which `*` stands for any characters and `?` for one.
pub fn glob_matches(glob: &str, text: &str) -> bool {
    wildmatch::WildMatch::new(glob).matches(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, text, expected) in [
            ("*", "", true),
            ("get_*", "get_issue", true),
            ("get_*", "forget_it", false),
            ("*delete*", "soft_delete_all", true),
            ("?et", "set", true),
            ("?et", "et", false),
            ("a*b*c", "a_b_b_c", true),
            ("a*b*c", "a_b_b_", false),
        ] {
            assert_eq!(glob_matches(glob, text), expected, "{glob} {text}");
        }
    }

    #[test]
    fn deny_wins_over_allow() {
        let mut spec =
            ServerSpec::new("s", Reach::Http { url: "http://x".into(), headers: BTreeMap::new() });
        assert!(spec.admits("anything"));
        spec.allow = vec!["get_*".into()];
        spec.deny = vec!["*_secret".into()];
        assert!(
            spec.admits("get_issue") && !spec.admits("set_issue") && !spec.admits("get_secret")
        );
    }

    #[test]
    fn secrets_vanish_with_their_parts() {
        let mut secrets = Secrets::default();
        secrets.add("Bearer tok-123456");
        assert_eq!(secrets.redact("refused: tok-123456 / Bearer tok-123456"), "refused: *** / ***");
        assert!(!format!("{secrets:?}").contains("tok"));
    }
}
