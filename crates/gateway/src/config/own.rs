//! Our own keys: the object `weir` in a server's entry, and the one beside the servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::clients::http::TlsFiles;
use crate::clients::identity::{People, Token};
use crate::clients::profile::Mode;
use crate::clients::profile::{Limits, Profile};
use crate::operations::approval::Rules;
use crate::options::Options;
use crate::search::names;
use crate::search::toolsets::Toolsets;
use crate::secrets::Issued;
use crate::servers::environment::Inherit;
use crate::servers::spec::{Identity, Reach, ServerSpec};
use crate::watch::audit::AuditOptions;
use weir_agents::config::host_name;
use weir_mcp::isolation::{Isolation, With};
use weir_mcp::net::Tls;
use weir_mcp::process::find_program;
use weir_oauth::Key;

use super::Variables;
use super::entry::Reader;
use super::people::{
    add_issued, read_key, read_limits, read_oidc, read_profiles, read_tokens, read_url,
};

/// What the file says of the gateway itself; flags come before it.
#[derive(Debug, Default, Clone)]
pub struct GatewayConfig {
    /// What clients are shown.
    pub mode: Option<Mode>,
    /// Estimated tokens above which `auto` bridges.
    pub auto_tokens: Option<usize>,
    /// Whether names begin with the server's.
    pub prefix: Option<bool>,
    /// Characters in the longest name.
    pub name_max: Option<usize>,
    /// How long a list waits for servers.
    pub list_wait: Option<Duration>,
    /// How long the first list in mode `auto` waits for servers.
    pub first_wait: Option<Duration>,
    /// How many servers start at once.
    pub parallel_starts: Option<usize>,
    /// Whether searches that lead to a call teach the tool their words.
    pub learn: Option<bool>,
    /// Whether results pass whole that were read back whole too often.
    pub adaptive: Option<bool>,
    /// Tokens of the endpoint that can be used, with what each may see; `None` where none are asked for.
    pub tokens: Option<Vec<Token>>,
    /// What tokens that were issued, and groups of people, may see.
    pub profiles: BTreeMap<String, Profile>,
    /// People who come in with tokens of their issuer.
    pub people: Option<People>,
    /// The address by which others know the gateway, without a path.
    pub url: Option<String>,
    /// What signs and seals, and has to be the same on every gateway that shares sessions and people's logins.
    pub key: Option<Key>,
    /// How much each client may ask for.
    pub limits: Limits,
    /// How long servers run without calls before they are stopped, unless their entries say otherwise.
    pub idle_stop: Option<Duration>,
    /// Where calls are logged.
    pub audit: Option<AuditOptions>,
    /// Which calls are made, asked about or refused.
    pub approvals: Rules,
    /// How long a call waits for a person.
    pub approval_wait: Option<Duration>,
    /// Whether clients that can show a form are asked by one.
    pub approval_form: Option<bool>,
    /// The same for the clients of an agent host, by its one name.
    pub host_forms: BTreeMap<String, bool>,
    /// Sets of tools by name.
    pub toolsets: Toolsets,
    /// The tools that clients of an agent host are given, by its one name; all where it has none.
    pub host_tools: BTreeMap<String, Vec<String>>,
    /// Which tools there are for clients at all.
    pub offered: Profile,
    /// Whether clients on standard streams share one gateway.
    pub shared: bool,
    /// The endpoint's certificate.
    pub tls: Option<TlsFiles>,
    /// Directories with skills, which a server of their own serves.
    pub skills: Vec<String>,
    /// What was to protect, and cannot be read: nothing is served with less than the file asks for. Each is
    /// among the warnings too.
    pub faults: Vec<String>,
}

impl GatewayConfig {
    /// Adds the tokens that were issued. Where there is a file of them, one is required, also when all are revoked.
    pub(super) fn add_issued(
        &mut self,
        issued: Result<Option<BTreeMap<String, Issued>>, String>,
        warnings: &mut Vec<String>,
    ) {
        match issued {
            Ok(None) => {}
            Ok(Some(issued)) => {
                let tokens = self.tokens.get_or_insert_default();
                warnings.extend(add_issued(tokens, issued, &self.profiles));
            }
            Err(reason) => {
                warnings.push(reason.clone());
                self.faults.push(reason);
            }
        }
    }

    /// Puts what it says into the options. The servers beside it decide on the rest: see [`super::Config::apply`].
    pub(super) fn apply(&self, options: &mut Options) {
        let Options {
            mode,
            auto_tokens,
            naming,
            list_wait,
            first_wait,
            parallel_starts,
            learn,
            adaptive,
            ..
        } = options;
        fn set<T: Clone>(place: &mut T, value: &Option<T>) {
            if let Some(value) = value {
                *place = value.clone();
            }
        }
        set(mode, &self.mode);
        *auto_tokens = self.auto_tokens.or(*auto_tokens);
        set(&mut naming.max_len, &self.name_max);
        set(list_wait, &self.list_wait);
        set(first_wait, &self.first_wait);
        set(parallel_starts, &self.parallel_starts);
        set(learn, &self.learn);
        set(adaptive, &self.adaptive);
        set(&mut options.approval_wait, &self.approval_wait);
        set(&mut options.approval_form, &self.approval_form);
        options.approvals = self.approvals.clone();
        options.offered = self.offered.clone();
        options.limits = self.limits;
        options.audit = self.audit.clone();
        // In the state directory, if nothing is said.
        if let Some(file) = options.audit.as_mut().and_then(|audit| audit.file.as_mut()) {
            *file = options.state_dir.join(&file);
        }
    }
}

impl Reader<'_> {
    /// What a process may see: an object, or `true` for nothing but the system's programs.
    fn isolation(&mut self, value: &Value) -> Result<Option<Isolation>, String> {
        let empty = serde_json::Map::new();
        let object = match value {
            Value::Bool(false) => return Ok(None),
            Value::Bool(true) => &empty,
            Value::Object(object) => object,
            _ => return Err("weir.isolation is not an object, true or false".into()),
        };
        let image = self.text(object, &["image"])?;
        let with = match (self.text(object, &["with"])?.as_deref(), image) {
            (None | Some("bubblewrap" | "bwrap"), None) => With::Bubblewrap,
            (Some(program @ ("docker" | "podman")), Some(image)) => {
                // What begins with a dash would be an option.
                match image.starts_with('-') || image.trim().is_empty() {
                    true => return Err("weir.isolation.image is not the name of an image".into()),
                    false => With::Container(program.to_owned(), image),
                }
            }
            (Some("docker" | "podman"), None) => {
                return Err("weir.isolation names no image for its container".into());
            }
            (_, Some(_)) => {
                return Err(
                    "weir.isolation names an image; \"with\" has to be docker or podman".into()
                );
            }
            (Some(_), None) => {
                return Err("weir.isolation.with is not one of bubblewrap, docker, podman".into());
            }
        };
        let (read, write) = (self.paths(object, "read")?, self.paths(object, "write")?);
        let network = match object.get("network") {
            None => false,
            Some(value) => value.as_bool().ok_or("weir.isolation.network is not true or false")?,
        };
        const KEYS: [&str; 5] = ["with", "image", "read", "write", "network"];
        if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
            // One that is not understood may be one that was to hide something.
            return Err(format!("the key weir.isolation.{key} is not known"));
        }
        Ok(Some(Isolation { with, read, write, network }))
    }

    /// Paths: relative ones are beside the configuration, and `~` is the user's home.
    pub(super) fn paths(
        &mut self,
        object: &serde_json::Map<String, Value>,
        key: &str,
    ) -> Result<Vec<PathBuf>, String> {
        let texts = self.texts(object, key)?;
        texts
            .into_iter()
            .map(|text| match text.strip_prefix("~/") {
                Some(rest) => Ok(Path::new(&self.variable(key, "HOME")?).join(rest)),
                None => Ok(self.directory.join(text)),
            })
            .collect()
    }

    /// What has to be there for a server to be offered: variables and programs.
    fn needs(&mut self, value: &Value) -> Result<(), String> {
        let object = value.as_object().ok_or("weir.needs is not an object")?;
        let mut missing = Vec::new();
        for (key, value) in object {
            let names: Vec<String> = read(&format!("needs.{key}"), value, "a list of texts")?;
            for name in names {
                let there = match key.as_str() {
                    "env" => (self.variables)(&name).is_some_and(|value| !value.is_empty()),
                    "programs" => find_program(&name, None, None).is_some(),
                    _ => return Err(format!("the key weir.needs.{key} is not known")),
                };
                let what = if key == "env" { "variable" } else { "program" };
                missing.extend((!there).then(|| format!("the {what} {name}")));
            }
        }
        match missing.is_empty() {
            true => Ok(()),
            false => Err(format!("it needs what is not there: {}", missing.join(", "))),
        }
    }

    /// Files with certificates; relative ones are beside the configuration.
    pub(super) fn tls(&mut self, value: &Value) -> Result<Tls, String> {
        let object = value.as_object().ok_or("weir.tls is not an object")?;
        let mut file = |key: &str| {
            let text = self.text(object, &[key])?;
            Ok::<_, String>(text.map(|text| self.directory.join(text)))
        };
        let tls = Tls {
            ca: file("ca")?,
            client: match (file("cert")?, file("key")?) {
                (Some(certificate), Some(key)) => Some((certificate, key)),
                (None, None) => None,
                _ => return Err("weir.tls has one of cert and key, and needs both".into()),
            },
        };
        for key in object.keys().filter(|key| !["ca", "cert", "key"].contains(&key.as_str())) {
            self.warn(format!("the key weir.tls.{key} is not known and has no effect"));
        }
        Ok(tls)
    }

    #[expect(clippy::too_many_lines, reason = "one match, a key each")]
    pub(super) fn own(&mut self, own: &Value, spec: &mut ServerSpec) -> Result<(), String> {
        let own = own.as_object().ok_or("weir is not an object")?;
        const LIST: &str = "a list of texts";
        const OBJECT: &str = "an object of texts";
        let duration = |key: &str, value: &Value| {
            let seconds = value
                .as_f64()
                .filter(|n| n.is_finite() && *n > 0.0)
                .ok_or_else(|| bad(key, "a number of seconds"))?;
            Ok::<_, String>(Duration::from_secs_f64(seconds.min(86_400.0)))
        };
        for (key, value) in own {
            match key.as_str() {
                "name" => {
                    let name = value.as_str().filter(|name| !name.trim().is_empty());
                    let name = name.ok_or_else(|| bad(key, "a name"))?;
                    spec.wanted_name = Some(name.to_owned());
                }
                "allow" => spec.allow = read(key, value, LIST)?,
                "deny" => spec.deny = read(key, value, LIST)?,
                "pin" => spec.pin = read(key, value, LIST)?,
                "approve" => spec.approve = read(key, value, "true or false")?,
                "idleStop" => {
                    spec.idle_stop = match value.as_f64() {
                        Some(0.0) => Some(Duration::ZERO),
                        _ => Some(duration(key, value)?),
                    }
                }
                "readOnly" => spec.read_only = read(key, value, LIST)?,
                "allPages" => spec.all_pages = read(key, value, LIST)?,
                "rename" => spec.rename = read(key, value, OBJECT)?,
                "describe" => spec.describe = read(key, value, OBJECT)?,
                "phrases" => {
                    let wanted = "an object of lists of texts, by the tools' names";
                    spec.phrases = read(key, value, wanted)?;
                }
                "structured" => spec.structured = read(key, value, "excerpt or preserve")?,
                "changed" => spec.changed = read(key, value, "report or refuse")?,
                "transform" => spec.transform = read(key, value, "true or false")?,
                "trust" => spec.trust = read(key, value, "true or false")?,
                "references" => spec.references.tools = read(key, value, LIST)?,
                "referencesReadOnly" => {
                    spec.references.read_only = read(key, value, "true or false")?;
                }
                "instance" => spec.instance = read(key, value, "shared or client")?,
                "identity" => spec.identity = read(key, value, "gateway or person")?,
                "inheritEnv" => {
                    spec.inherit = match value {
                        Value::Bool(true) => Inherit::All,
                        Value::Bool(false) => Inherit::default(),
                        _ => {
                            let wanted = "true, false or a list of variables' names";
                            self.inherited(read(key, value, wanted)?)
                        }
                    }
                }
                "isolation" => spec.isolation = self.isolation(value)?,
                "tls" => spec.tls = self.tls(value)?,
                "startTimeout" => spec.start_timeout = duration(key, value)?,
                "maxListBytes" => {
                    let bytes = value.as_u64().filter(|bytes| *bytes > 0);
                    spec.max_list_bytes = bytes.ok_or_else(|| bad(key, "a number of bytes"))?;
                }
                "callTimeout" => spec.call_timeout = duration(key, value)?,
                "callMax" => spec.call_max = duration(key, value)?,
                "needs" => self.needs(value)?,
                "toolTimeouts" => {
                    let map = value.as_object().ok_or_else(|| bad(key, "an object of seconds"))?;
                    spec.tool_timeouts = map
                        .iter()
                        .map(|(glob, value)| Ok((glob.clone(), duration(key, value)?)))
                        .collect::<Result<_, String>>()?;
                    // The order of an object means nothing: what says most comes first.
                    spec.tool_timeouts.sort_by_key(|(glob, _)| std::cmp::Reverse(glob.len()));
                }
                _ => match misspelt(key, &PROTECTING_ENTRY) {
                    Some(meant) => {
                        return Err(format!(
                            "the key weir.{key} is not known; {meant} may be meant"
                        ));
                    }
                    None => self.warn(format!("the key weir.{key} is not known and has no effect")),
                },
            }
        }
        if spec.isolation.is_some() && !matches!(spec.reach, Reach::Stdio { .. }) {
            return Err("weir.isolation is for servers that are started as a process".into());
        }
        if spec.identity == Identity::Person
            && !matches!(spec.reach, Reach::Http { .. } | Reach::OpenApi(_))
        {
            return Err(
                "weir.identity person is for servers at an address, not for a process".into()
            );
        }
        Ok(())
    }
}

fn bad(key: &str, wanted: &str) -> String {
    format!("weir.{key} is not {wanted}")
}

fn read<T: DeserializeOwned>(key: &str, value: &Value, wanted: &str) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|_| bad(key, wanted))
}

/// Keys of a server's entry without which it is offered with more than was wanted.
const PROTECTING_ENTRY: [&str; 8] =
    ["needs", "allow", "deny", "approve", "changed", "isolation", "instance", "identity"];

/// Keys beside the servers without which the gateway lets in, passes or hides more than was wanted.
const PROTECTING: [&str; 11] = [
    "tokens",
    "profiles",
    "oidc",
    "key",
    "limits",
    "audit",
    "https",
    "approvals",
    "dangerous",
    "toolsets",
    "hostToolsets",
];

/// Which of these keys somebody meant who slipped in one letter.
pub(super) fn misspelt<'a>(key: &str, keys: &[&'a str]) -> Option<&'a str> {
    let key = key.to_lowercase();
    keys.iter().copied().find(|known| strsim::osa_distance(&key, &known.to_lowercase()) <= 1)
}

/// `audit`: whether there is a log, or an object of where it is and how much of it is kept.
fn read_audit(value: &Value) -> Result<Option<AuditOptions>, String> {
    let mut audit = AuditOptions {
        file: Some("audit.jsonl".into()),
        stdout: false,
        max_bytes: AuditOptions::MAX_BYTES,
        keep: AuditOptions::KEEP,
    };
    let entry = match value {
        Value::Bool(true) => return Ok(Some(audit)),
        Value::Bool(false) => return Ok(None),
        Value::Object(entry) => entry,
        _ => return Err("it is not true, false or an object".into()),
    };
    let mut to_file = true;
    for (key, value) in entry {
        match key.as_str() {
            "to" => {
                let places = serde_json::from_value::<Vec<String>>(value.clone()).ok();
                let places = places.filter(|places| !places.is_empty());
                to_file = false;
                for place in places.ok_or("to is not a list of places")? {
                    match place.as_str() {
                        "file" => to_file = true,
                        "stdout" => audit.stdout = true,
                        _ => return Err("to holds what is not file or stdout".into()),
                    }
                }
            }
            "file" => {
                let file = value.as_str().filter(|file| !file.is_empty()).map(PathBuf::from);
                let file = file.filter(|file| file.is_absolute());
                audit.file = Some(file.ok_or("file is not an absolute path")?);
            }
            "maxBytes" => {
                let bytes = value.as_u64().filter(|bytes| *bytes >= 1_024);
                audit.max_bytes = bytes.ok_or("maxBytes is not a number from 1,024")?;
            }
            "keep" => {
                let keep = value.as_u64().filter(|keep| *keep <= 1_000);
                audit.keep = keep.ok_or("keep is not a number up to 1,000")? as u32;
            }
            _ => return Err(format!("the key {key} is not known")),
        }
    }
    audit.file = audit.file.filter(|_| to_file);
    Ok(Some(audit))
}

/// `https`: the files of the endpoint's certificate and its key.
fn read_https(value: &Value) -> Result<TlsFiles, &'static str> {
    let file = |key: &str| {
        let file = value[key].as_str().map(PathBuf::from);
        file.filter(|file| file.is_absolute())
    };
    let whole = value.as_object().is_some_and(|entry| entry.len() == 2);
    match (file("cert"), file("key")) {
        (Some(cert), Some(key)) if whole => Ok(TlsFiles { cert, key }),
        _ => Err("weir.https is not {\"cert\": FILE, \"key\": FILE} with absolute paths"),
    }
}

/// When a change of a setting takes effect.
#[cfg(test)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// While the gateway runs.
    AtOnce,
    /// While it runs; servers that it concerns are started again.
    RestartsServers,
    /// When it is started again.
    NextStart,
}

#[cfg(test)]
impl Takes {
    /// As the documentation says it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Takes::AtOnce => "at once",
            Takes::RestartsServers => "restarts servers",
            Takes::NextStart => "next start",
        }
    }
}

/// The settings beside the servers. A test holds the documentation to this.
#[cfg(test)]
pub(super) const SETTINGS: [(&str, Takes); 27] = [
    ("mode", Takes::AtOnce),
    ("autoTokens", Takes::AtOnce),
    ("prefix", Takes::AtOnce),
    ("nameMax", Takes::AtOnce),
    ("listWait", Takes::AtOnce),
    ("firstWait", Takes::AtOnce),
    ("parallelStarts", Takes::AtOnce),
    ("learn", Takes::AtOnce),
    ("adaptive", Takes::AtOnce),
    ("tokens", Takes::AtOnce),
    ("profiles", Takes::AtOnce),
    ("oidc", Takes::AtOnce),
    ("key", Takes::NextStart),
    ("url", Takes::NextStart),
    ("limits", Takes::AtOnce),
    ("audit", Takes::AtOnce),
    ("approvals", Takes::AtOnce),
    ("dangerous", Takes::AtOnce),
    ("approvalWait", Takes::AtOnce),
    ("approvalForm", Takes::AtOnce),
    ("toolsets", Takes::AtOnce),
    ("hostToolsets", Takes::AtOnce),
    ("idleStop", Takes::RestartsServers),
    ("shared", Takes::NextStart),
    ("skills", Takes::AtOnce),
    ("https", Takes::NextStart),
    ("tls", Takes::RestartsServers),
];

/// Takes over what protects. Where it cannot be read nothing is served.
fn protect<T, P: From<T>>(
    place: &mut P,
    read: Result<T, String>,
    key: &str,
    faults: &mut Vec<String>,
) -> bool {
    match read {
        Ok(value) => *place = value.into(),
        Err(reason) => faults.push(format!("weir.{key}: {reason}")),
    }
    true
}

/// Takes a value over; whether there is one.
fn set<T>(place: &mut Option<T>, value: Option<T>) -> bool {
    *place = value;
    place.is_some()
}

#[expect(clippy::too_many_lines, reason = "one match, a setting each")]
pub(super) fn read_gateway(
    own: &Value,
    variables: Variables<'_>,
    tls: &Tls,
    warnings: &mut Vec<String>,
) -> GatewayConfig {
    let mut config = GatewayConfig::default();
    let Some(own) = own.as_object() else {
        config.faults.push("weir beside the servers is not an object".into());
        warnings.push("weir is not an object and has no effect".into());
        return config;
    };
    // Read before the others, which name them.
    let faults = &mut config.faults;
    if let Some(value) = own.get("toolsets") {
        protect(&mut config.toolsets, Toolsets::read(value), "toolsets", faults);
    }
    config.offered.without = config.toolsets.switched_off();
    let empty = Value::Object(serde_json::Map::new());
    let mut entries = |key: &str| {
        let entries = own.get(key).map(|value| config.toolsets.in_entries(value))?;
        Some(entries.unwrap_or_else(|reason| {
            config.faults.push(format!("weir.{key}: {reason}"));
            empty.clone()
        }))
    };
    let (tokens, profiles) = (entries("tokens"), entries("profiles"));
    let profiles = profiles.as_ref().map(read_profiles).transpose();
    let profiles = profiles.map(Option::unwrap_or_default).unwrap_or_else(|reason| {
        config.faults.push(format!("weir.profiles: {reason}"));
        BTreeMap::new()
    });
    for (key, value) in own {
        let count = value.as_u64().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let seconds = |most: f64| {
            let seconds = value.as_f64().filter(|n| (0.0..=most).contains(n));
            seconds.map(Duration::from_secs_f64)
        };
        let good = match key.as_str() {
            "mode" => set(&mut config.mode, value.as_str().and_then(|mode| mode.parse().ok())),
            "autoTokens" => set(&mut config.auto_tokens, count),
            "prefix" => set(&mut config.prefix, value.as_bool()),
            "nameMax" => {
                let lengths = names::MIN_NAME_LEN..=128;
                set(&mut config.name_max, count.filter(|n| lengths.contains(n)))
            }
            "listWait" => set(&mut config.list_wait, seconds(3_600.0)),
            "firstWait" => set(&mut config.first_wait, seconds(3_600.0)),
            "idleStop" => set(&mut config.idle_stop, seconds(86_400.0)),
            "parallelStarts" => {
                set(&mut config.parallel_starts, count.filter(|n| (1..=256).contains(n)))
            }
            "learn" => set(&mut config.learn, value.as_bool()),
            "adaptive" => set(&mut config.adaptive, value.as_bool()),
            "shared" => {
                config.shared = value.as_bool().unwrap_or_default();
                value.is_boolean()
            }
            // Read with the servers, which it is for.
            "tls" => true,
            "skills" => {
                let texts = serde_json::from_value(value.clone());
                config.skills = texts.unwrap_or_default();
                !config.skills.is_empty()
            }
            "tokens" => {
                let value = tokens.as_ref().unwrap_or(value);
                let tokens = read_tokens(value, &profiles, variables, warnings);
                config.tokens = Some(tokens);
                true
            }
            // Read before the others, which name them.
            "profiles" | "toolsets" => true,
            "hostToolsets" => protect(
                &mut config.host_tools,
                config.toolsets.of_hosts(value),
                key,
                &mut config.faults,
            ),
            "approvals" => {
                let read = config.approvals.read(value, &config.toolsets);
                protect(&mut config.approvals, read, key, &mut config.faults)
            }
            "dangerous" => {
                let read = serde_json::from_value(value.clone());
                let read = read.map_err(|_| "it is not one of allow, ask, deny".to_owned());
                protect(&mut config.approvals.dangerous, read, key, &mut config.faults)
            }
            "approvalWait" => set(&mut config.approval_wait, seconds(3_600.0)),
            "approvalForm" => match serde_json::from_value::<BTreeMap<String, bool>>(value.clone())
            {
                Ok(hosts) => {
                    let named = hosts.into_iter().map(|(host, form)| (host_name(&host), form));
                    config.host_forms = named.collect();
                    true
                }
                Err(_) => set(&mut config.approval_form, value.as_bool()),
            },
            "oidc" => protect(
                &mut config.people,
                read_oidc(value, &profiles, tls, variables),
                key,
                &mut config.faults,
            ),
            "key" => protect(&mut config.key, read_key(value, variables), key, &mut config.faults),
            "url" => protect(&mut config.url, read_url(value), key, &mut config.faults),
            "limits" => protect(&mut config.limits, read_limits(value), key, &mut config.faults),
            "audit" => protect(&mut config.audit, read_audit(value), key, &mut config.faults),
            "https" => {
                config.tls = Some(read_https(value).unwrap_or_else(|why| {
                    warnings.push(why.into());
                    // Not to be mistaken for no wish: an endpoint with this does not open.
                    TlsFiles::default()
                }));
                true
            }
            _ => {
                match misspelt(key, &PROTECTING) {
                    Some(meant) => config
                        .faults
                        .push(format!("the key weir.{key} is not known; {meant} may be meant")),
                    None => {
                        warnings.push(format!("the key weir.{key} is not known and has no effect"))
                    }
                }
                true
            }
        };
        if !good {
            warnings.push(format!("weir.{key} has a value that cannot be used; the default holds"));
        }
    }
    config.profiles = profiles;
    warnings.extend(config.faults.iter().cloned());
    config
}
