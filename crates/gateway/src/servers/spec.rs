//! What is known of one server before it runs: how to reach it, what may be seen of it.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use weir_host::References;
use weir_openapi::Api;
use weir_servers::BuiltIn;

use crate::clients::profile::Profile;
use crate::search::glob::glob_matches;
use crate::secrets::{SecretFile, of_person};
use crate::servers::environment::Inherit;
use weir_mcp::isolation::Isolation;
use weir_mcp::net::Tls;
pub use weir_mcp::redact::Secrets;
use weir_oauth::{Bearer, Door, Entrance, Logins, OAuthSettings, Server};

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A child process that speaks on its standard streams.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
        /// Variables set on top of those that are inherited.
        env: BTreeMap<String, String>,
        /// Where it runs; our own directory when not given.
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP, or HTTP+SSE of 2024-11-05.
    Http {
        /// The endpoint.
        url: String,
        /// Headers sent with every request.
        headers: BTreeMap<String, String>,
        /// Whether it is HTTP+SSE for certain. Where not, that is tried when posts are refused.
        sse: bool,
    },
    /// A server in this process.
    BuiltIn(BuiltIn),
    /// An HTTP API by its description, which a server in this process makes tools of.
    OpenApi(Api),
}

impl Reach {
    /// Whether the server is on another machine, as far as its address says.
    fn is_remote(&self) -> bool {
        let url = match self {
            Reach::Http { url, .. } => url,
            // Its definitions are from there.
            Reach::OpenApi(api) if api.is_fetched() => &api.description,
            _ => return false,
        };
        let host = url.split('/').nth(2).unwrap_or_default();
        !is_this_machine(host.rsplit('@').next().unwrap_or_default())
    }

    /// What requests carry to prove who asks.
    fn proofs(&mut self) -> Vec<&mut String> {
        match self {
            Reach::Http { headers, .. } => headers.values_mut().collect(),
            Reach::OpenApi(api) => api.headers.values_mut().chain(api.auth.values_mut()).collect(),
            _ => Vec::new(),
        }
    }
}

/// A host of a URL or a header without its port.
pub(crate) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether such a host is this machine by its name or address.
pub(crate) fn is_this_machine(host: &str) -> bool {
    let name = without_port(host).trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// What happens to `structuredContent` and `outputSchema` of a server's tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Structured {
    /// Advertise tools without `outputSchema`, so that a shortened result breaks no client.
    #[default]
    Excerpt,
    /// Keep schemas and structured content; the text beside it becomes an excerpt where it is large.
    Preserve,
}

/// What is done when a server defines a tool anew that was seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Changed {
    /// It is told, once.
    #[default]
    Report,
    /// It is told, and the tool is left out until someone has accepted it.
    Refuse,
}

/// Who shares a running server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Instance {
    /// All clients. It is told of no client's roots where there may be several.
    #[default]
    Shared,
    /// Each client has one of its own.
    Client,
}

/// As whom a server is called that several people use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Identity {
    /// As the gateway, whoever calls.
    #[default]
    Gateway,
    /// As the person who calls, with a login and headers of their own.
    Person,
}

/// How people are told apart at servers.
#[derive(Debug, Clone)]
pub struct People {
    /// Where they log in.
    pub entrance: Arc<Entrance>,
    /// Where secrets are that headers name.
    pub secrets: SecretFile,
}

/// One server's entry in the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSpec {
    /// The key of the entry, by which people name the server.
    pub key: String,
    /// Its name for clients: the key, unless [`Config::for_host`](crate::config::Config::for_host) found a better one.
    pub name: String,
    /// Its name for clients where no other server that they see has it.
    pub wanted_name: Option<String>,
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
    /// What users call the tools, by globs over the server's own names.
    pub phrases: BTreeMap<String, Vec<String>>,
    /// Tools that are listed beside the bridge tools, as globs.
    pub pin: Vec<String>,
    /// Tools of which the user says that they only read, as globs over the server's own names.
    pub read_only: Vec<String>,
    /// Tools of whose lists all pages are asked for, as globs, where the tool only reads.
    pub all_pages: Vec<String>,
    /// Whether tools that are new or changed since the server was first seen wait for the user's approval.
    pub approve: bool,
    /// How long it runs without calls before it is stopped; for ever, if nothing is said.
    pub idle_stop: Option<Duration>,
    /// What happens to structured results.
    pub structured: Structured,
    /// Whether results go through the component.
    pub transform: bool,
    /// What is done when a tool is defined anew.
    pub changed: Changed,
    /// Whether the annotations of its tools are believed. Not unless the user says so.
    pub trust: bool,
    /// Which of its tools may be given stored results by reference, named as the server names them.
    pub references: References,
    /// Who shares it while it runs.
    pub instance: Instance,
    /// As whom it is called, in a gateway of several people.
    pub identity: Identity,
    /// Which variables of the gateway's environment its process gets.
    pub inherit: Inherit,
    /// What its process may see; everything that the user may, where nothing is said.
    pub isolation: Option<Isolation>,
    /// How a login to it works, where it is reached over HTTP.
    pub oauth: OAuthSettings,
    /// Certificates beside the system's.
    pub tls: Tls,
    /// How long a start may take, listing included.
    pub start_timeout: Duration,
    /// Bytes of its list of tools that are taken; the rest is left out.
    pub max_list_bytes: u64,
    /// How long a call may be silent. Progress starts it anew.
    pub call_timeout: Duration,
    /// How long a call may take, whatever it reports.
    pub call_max: Duration,
    /// `call_timeout` by tool, as globs; the first that matches counts.
    pub tool_timeouts: Vec<(String, Duration)>,
    /// Values that must not be shown: what variables expanded to, values of `env` and `headers`, and what
    /// arguments and the address name as a token, a key or a password.
    pub secrets: Secrets,
}

impl ServerSpec {
    /// A server with everything at its default.
    pub fn new(name: &str, reach: Reach) -> ServerSpec {
        let changed = if reach.is_remote() { Changed::Refuse } else { Changed::Report };
        ServerSpec {
            key: name.to_owned(),
            name: name.to_owned(),
            wanted_name: None,
            reach,
            allow: Vec::new(),
            deny: Vec::new(),
            rename: BTreeMap::new(),
            describe: BTreeMap::new(),
            phrases: BTreeMap::new(),
            pin: Vec::new(),
            read_only: Vec::new(),
            all_pages: Vec::new(),
            approve: false,
            idle_stop: None,
            structured: Structured::default(),
            transform: true,
            changed,
            trust: false,
            references: References::default(),
            instance: Instance::default(),
            identity: Identity::default(),
            inherit: Inherit::default(),
            isolation: None,
            oauth: OAuthSettings::default(),
            tls: Tls::default(),
            start_timeout: Duration::from_secs(30),
            max_list_bytes: 64 << 20,
            call_timeout: Duration::from_secs(300),
            call_max: Duration::from_secs(3_600),
            tool_timeouts: Vec::new(),
            secrets: Secrets::default(),
        }
    }

    /// The tokens for it, or for one person who calls it; `None` where it is not reached over HTTP, or has an
    /// `Authorization` header of its own. `logins` is where they are kept, `door` where people begin them in a gateway
    /// that runs for clients.
    pub fn bearer(
        &self,
        logins: &Logins,
        door: Option<Arc<Door>>,
        person: Option<(&Arc<Entrance>, &str)>,
    ) -> Option<Arc<Bearer>> {
        let Reach::Http { url, headers, .. } = &self.reach else { return None };
        let own = headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"));
        let server = Server { name: &self.key, url, settings: &self.oauth, tls: &self.tls };
        Bearer::new(&server, logins, door, person).filter(|_| !own)
    }

    /// Whether its headers depend on who calls.
    pub fn names_person(&self) -> bool {
        self.reach.clone().proofs().iter().any(|value| value.contains("${person"))
    }

    /// The same server as one person calls it, with the tokens for that.
    ///
    /// # Errors
    /// When a header needs a secret that the person has not: as a sentence.
    pub fn of_person(
        &self,
        logins: &Logins,
        profile: &Profile,
        people: &People,
    ) -> Result<(ServerSpec, Option<Arc<Bearer>>), String> {
        let mut spec = self.clone();
        let person = profile.subject.as_deref().unwrap_or(&profile.name);
        for value in spec.reach.proofs() {
            let text = std::mem::take(value);
            let mut parts = text.split("${person");
            value.push_str(parts.next().unwrap_or_default());
            // What is put in is not read again.
            for part in parts {
                let (name, after) = part.split_once('}').ok_or("a header has an open ${person")?;
                match name.strip_prefix(':') {
                    None => value.push_str(person),
                    Some(name) => {
                        let mut secrets = people.secrets.read()?;
                        let secret = secrets.remove(&of_person(name, &profile.name));
                        let secret = secret.ok_or_else(|| {
                            format!(
                                "a header needs the secret {name} of {}, which is not set",
                                profile.name
                            )
                        })?;
                        spec.secrets.add(&secret);
                        value.push_str(&secret);
                    }
                }
                value.push_str(after);
            }
        }
        let bearer = self.bearer(logins, None, Some((&people.entrance, &profile.name)));
        Ok((spec, bearer))
    }

    /// Whether clients may see and call this tool, named as the server names it.
    pub fn admits(&self, tool: &str) -> bool {
        let matches = |globs: &[String]| globs.iter().any(|glob| glob_matches(glob, tool));
        (self.allow.is_empty() || matches(&self.allow)) && !matches(&self.deny)
    }

    /// Whether the entry says something of this tool among others: it is used.
    pub(crate) fn names(&self, tool: &str) -> bool {
        let globs =
            self.allow.iter().chain(&self.pin).chain(&self.read_only).chain(self.phrases.keys());
        self.rename.contains_key(tool)
            || self.describe.contains_key(tool)
            || globs.filter(|glob| *glob != "*").any(|glob| glob_matches(glob, tool))
    }

    /// Whether the tool is listed beside the bridge tools.
    pub fn is_pinned(&self, tool: &str) -> bool {
        self.pin.iter().any(|glob| glob_matches(glob, tool))
    }

    /// Whether the user says that the tool only reads, whatever the server says.
    pub fn only_reads(&self, tool: &str) -> bool {
        self.read_only.iter().any(|glob| glob_matches(glob, tool))
    }

    /// Whether all pages of the tool's lists are asked for.
    pub(crate) fn follows_pages(&self, tool: &str) -> bool {
        self.all_pages.iter().any(|glob| glob_matches(glob, tool))
    }

    /// How long a call of the tool may be silent.
    pub fn timeout_of(&self, tool: &str) -> Duration {
        self.tool_timeouts
            .iter()
            .find(|(glob, _)| glob_matches(glob, tool))
            .map_or(self.call_timeout, |(_, timeout)| *timeout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deny_wins_over_allow() {
        let mut spec = ServerSpec::new(
            "s",
            Reach::Http { url: "http://x".into(), headers: BTreeMap::new(), sse: false },
        );
        assert!(spec.admits("anything"));
        spec.allow = vec!["get_*".into()];
        spec.deny = vec!["*_secret".into()];
        assert!(
            spec.admits("get_issue") && !spec.admits("set_issue") && !spec.admits("get_secret")
        );
    }
}
