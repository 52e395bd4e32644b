//! What the holder of a token may see and ask for.

use serde::{Deserialize, Serialize};

use crate::search::glob::glob_matches;

/// What clients are shown of the servers' tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Mode {
    /// All of them while they are few, else the bridge tools.
    #[default]
    Auto,
    /// The bridge tools.
    Bridge,
    /// All of them.
    Passthrough,
}

impl std::str::FromStr for Mode {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Mode::Auto),
            "bridge" => Ok(Mode::Bridge),
            "passthrough" => Ok(Mode::Passthrough),
            _ => Err(format!("{text} is not one of auto, bridge, passthrough")),
        }
    }
}

/// What the holder of a token may see: everything, where nothing is said.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Profile {
    /// The name of the token, or the issuer and subject of a person; empty for clients without one.
    pub name: String,
    /// The issuer's name for the person; nothing where a token of the configuration says who it is.
    pub subject: Option<String>,
    /// Servers, as globs; empty means all.
    pub servers: Vec<String>,
    /// Tools by `SERVER__TOOL`, the server's own name of the tool, as globs; empty means all.
    pub tools: Vec<String>,
    /// Tools that are not there, as such globs.
    pub without: Vec<String>,
    /// What it is shown of the tools.
    pub mode: Option<Mode>,
    /// Whether it is asked about calls by a form, where that is not what every client is.
    pub approval_form: Option<bool>,
    /// How much it may ask for, where that is not what every client may.
    pub limits: Option<Limits>,
    /// Whether all its sessions share their stored results, which then outlive each of them.
    pub shares_results: bool,
    /// Names of tokens whose results it reads as well.
    pub reads_results_of: Vec<String>,
}

impl Profile {
    /// Whether it sees all there is.
    pub fn is_open(&self) -> bool {
        self.servers.is_empty() && self.tools.is_empty() && self.without.is_empty()
    }

    /// Whether it sees the same as another one.
    pub fn sees_as(&self, other: &Profile) -> bool {
        (&self.servers, &self.tools, &self.without)
            == (&other.servers, &other.tools, &other.without)
    }

    /// Whether a server is there for it.
    pub fn admits_server(&self, server: &str) -> bool {
        self.servers.is_empty() || self.servers.iter().any(|glob| glob_matches(glob, server))
    }

    /// Whether any tool of a server may be there for it, as far as its globs say before the first wildcard.
    /// Where not, the server's name is not for it either.
    pub fn may_admit_tools_of(&self, server: &str) -> bool {
        let prefix = format!("{server}__");
        let may = |glob: &String| {
            let plain = glob.split(['*', '?', '[']).next().unwrap_or_default();
            match plain.len() == glob.len() {
                true => plain.starts_with(&prefix),
                false => plain.starts_with(&prefix) || prefix.starts_with(plain),
            }
        };
        self.admits_server(server) && (self.tools.is_empty() || self.tools.iter().any(may))
    }

    /// Whether a tool of a server is there for it.
    pub fn admits_tool(&self, server: &str, tool: &str) -> bool {
        let name = format!("{server}__{tool}");
        let any = |globs: &[String]| globs.iter().any(|glob| glob_matches(glob, &name));
        self.admits_server(server)
            && (self.tools.is_empty() || any(&self.tools))
            && !any(&self.without)
    }

    /// Whether something of a server that is no tool is there for it: a resource by its URI, a prompt as `prompt:NAME`.
    /// It is where the whole server is, or where a glob with a colon names it, which those of tools do not have.
    pub fn admits_other(&self, server: &str, name: &str) -> bool {
        let full = format!("{server}__{name}");
        let whole = |glob: &String| {
            glob == "*" || glob.strip_suffix("__*").is_some_and(|of| glob_matches(of, server))
        };
        let named = |glob: &String| glob.contains(':') && glob_matches(glob, &full);
        let climbs = climbs(name);
        self.admits_server(server)
            && (self.tools.is_empty()
                || self.tools.iter().any(|glob| whole(glob) || named(glob) && !climbs))
            && !self
                .without
                .iter()
                .any(|glob| whole(glob) || named(glob) || climbs && glob.contains(':'))
    }
}

/// Whether a URI leads out of where it begins to, however that is written.
pub(crate) fn climbs(name: &str) -> bool {
    let plain = percent_encoding::percent_decode_str(name).decode_utf8_lossy();
    plain.split(['/', '\\']).any(|part| part == "..")
}

/// Limits of one client; where nothing is said there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Calls a minute, of which a minute's worth may come at once.
    pub calls_per_minute: Option<u32>,
    /// Bytes a minute, arguments and answers together. The call that goes beyond is still answered.
    pub bytes_per_minute: Option<u64>,
    /// Calls at the same time.
    pub parallel_calls: Option<u32>,
    /// Bytes of one call's arguments.
    pub argument_bytes: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_tool_is_there_with_the_whole_server_or_by_a_glob_with_a_colon() {
        let admits = |tools: &[&str], without: &[&str], name: &str| {
            let own = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect();
            let profile =
                Profile { tools: own(tools), without: own(without), ..Profile::default() };
            profile.admits_other("docs", name)
        };
        let file = "file:///public/a__list_b";
        for (tools, without, name, expected) in [
            (&[][..], &[][..], file, true),
            (&["*"], &[], file, true),
            (&["docs__*"], &[], "prompt:greet", true),
            (&["d*__*"], &[], file, true),
            // Globs of tools are none of URIs, also where they fit one.
            (&["docs__get_*", "*__list_*", "*list*", "mail__*"], &[], file, false),
            (&["docs__prompt:gr*"], &[], "prompt:greet", true),
            (&["docs__prompt:gr*"], &[], "prompt:other", false),
            (&["docs__file:///public/*"], &[], file, true),
            (&["docs__file:///public/*"], &[], "file:///secret/a", false),
            (&["docs__file:///public/*"], &[], "file:///public/../secret/a", false),
            (&["docs__file:///public/*"], &[], "file:///public/%2E%2e%2Fsecret/a", false),
            (&["docs__file:///public/*"], &[], "file:///public/a..b", true),
            (&[], &["docs__*"], file, false),
            (&[], &["docs__delete_*"], file, true),
            (&[], &["docs__file:///secret/*"], file, true),
            (&[], &["docs__file:///secret/*"], "file:///secret/a", false),
            (&[], &["docs__file:///secret/*"], "file:///public/../secret/a", false),
        ] {
            assert_eq!(admits(tools, without, name), expected, "{tools:?} {without:?} {name}");
        }
        let other = Profile { servers: vec!["mail".into()], ..Profile::default() };
        assert!(!other.admits_other("docs", file));
    }
}
