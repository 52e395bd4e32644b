//! Our own keys: the object `weir` in a server's entry, and the one beside the servers.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::clients::http::TlsFiles;
use crate::clients::identity::{People, Token};
use crate::clients::profile::{Mode, Profile};
use crate::operations::approval::Do;
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
    /// How it behaves, but for what the servers beside it decide on: see [`super::Config::options`].
    pub options: Options,
    /// What clients are shown, where it says.
    pub mode: Option<Mode>,
    /// Whether names begin with the server's, where it says.
    pub prefix: Option<bool>,
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
    /// How long servers run without calls before they are stopped, unless their entries say otherwise.
    pub idle_stop: Option<Duration>,
    /// Whether clients of an agent host, by its one name, are asked by a form.
    pub host_forms: BTreeMap<String, bool>,
    /// Sets of tools by name.
    pub toolsets: Toolsets,
    /// The tools that clients of an agent host are given, by its one name; all where it has none.
    pub host_tools: BTreeMap<String, Vec<String>>,
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
                _ => match misspelt(key, PROTECTING_ENTRY) {
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

/// Which of these keys somebody meant who slipped in one letter.
pub(super) fn misspelt(
    key: &str,
    keys: impl IntoIterator<Item = &'static str>,
) -> Option<&'static str> {
    let key = key.to_lowercase();
    keys.into_iter().find(|known| strsim::osa_distance(&key, &known.to_lowercase()) <= 1)
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

/// The settings beside the servers, as they are read.
pub(super) struct Reading<'a> {
    config: GatewayConfig,
    variables: Variables<'a>,
    tls: &'a Tls,
    warnings: &'a mut Vec<String>,
}

type Read = fn(&mut Reading<'_>, &Value) -> Result<(), String>;

const HOUR: f64 = 3_600.0;

/// Each setting: its name, whether it is to protect, and how it is read. Those that others name come before these. A test
/// holds the documentation to this.
pub(super) const SETTINGS: [(&str, bool, Read); 27] = [
    ("toolsets", true, |of, value| {
        of.config.toolsets = Toolsets::read(value)?;
        of.config.options.offered.without = of.config.toolsets.switched_off();
        Ok(())
    }),
    ("profiles", true, |of, value| {
        let entries = of.config.toolsets.in_entries(value)?;
        set(&mut of.config.profiles, read_profiles(&entries))
    }),
    ("tokens", true, |of, value| {
        // One is asked for, whether or not any can be used.
        let tokens = of.config.tokens.insert(Vec::new());
        let entries = of.config.toolsets.in_entries(value)?;
        *tokens = read_tokens(&entries, &of.config.profiles, of.variables, of.warnings);
        Ok(())
    }),
    ("mode", false, |of, value| set(&mut of.config.mode, plain::<String>(value)?.parse::<Mode>())),
    ("autoTokens", false, |of, value| {
        set(&mut of.config.options.auto_tokens, plain::<usize>(value))
    }),
    ("prefix", false, |of, value| set(&mut of.config.prefix, plain::<bool>(value))),
    ("nameMax", false, |of, value| {
        set(&mut of.config.options.naming.max_len, within(value, names::MIN_NAME_LEN..=128))
    }),
    ("listWait", false, |of, value| set(&mut of.config.options.list_wait, seconds(value, HOUR))),
    ("firstWait", false, |of, value| set(&mut of.config.options.first_wait, seconds(value, HOUR))),
    ("parallelStarts", false, |of, value| {
        set(&mut of.config.options.parallel_starts, within(value, 1..=256_usize))
    }),
    ("learn", false, |of, value| set(&mut of.config.options.learn, plain::<bool>(value))),
    ("adaptive", false, |of, value| set(&mut of.config.options.adaptive, plain::<bool>(value))),
    ("oidc", true, |of, value| {
        let people = read_oidc(value, &of.config.profiles, of.tls, of.variables);
        set(&mut of.config.people, people)
    }),
    ("key", true, |of, value| set(&mut of.config.key, read_key(value, of.variables))),
    ("url", true, |of, value| set(&mut of.config.url, read_url(value))),
    ("limits", true, |of, value| set(&mut of.config.options.limits, read_limits(value))),
    ("audit", true, |of, value| set(&mut of.config.options.audit, read_audit(value))),
    ("approvals", true, |of, value| {
        let rules = of.config.options.approvals.read(value, &of.config.toolsets);
        set(&mut of.config.options.approvals, rules)
    }),
    ("dangerous", true, |of, value| {
        let read = plain::<Do>(value).map_err(|_| "it is not one of allow, ask, deny".to_owned());
        set(&mut of.config.options.approvals.dangerous, read)
    }),
    ("approvalWait", false, |of, value| {
        set(&mut of.config.options.approval_wait, seconds(value, HOUR))
    }),
    ("approvalForm", false, |of, value| match plain::<BTreeMap<String, bool>>(value) {
        Ok(hosts) => {
            let named = hosts.into_iter().map(|(host, form)| (host_name(&host), form));
            of.config.host_forms = named.collect();
            Ok(())
        }
        Err(_) => set(&mut of.config.options.approval_form, plain::<bool>(value)),
    }),
    ("hostToolsets", true, |of, value| {
        set(&mut of.config.host_tools, of.config.toolsets.of_hosts(value))
    }),
    ("idleStop", false, |of, value| set(&mut of.config.idle_stop, seconds(value, 24.0 * HOUR))),
    ("shared", false, |of, value| set(&mut of.config.shared, plain::<bool>(value))),
    ("skills", false, |of, value| {
        of.config.skills = plain(value)?;
        if of.config.skills.is_empty() { Err(String::new()) } else { Ok(()) }
    }),
    ("https", true, |of, value| {
        let files = read_https(value).unwrap_or_else(|why| {
            of.warnings.push(why.into());
            // Not to be mistaken for no wish: an endpoint with this does not open.
            TlsFiles::default()
        });
        set(&mut of.config.tls, Ok(files))
    }),
    // Read with the servers, which it is for.
    ("tls", false, |_, _| Ok(())),
];

fn set<T, P: From<T>>(place: &mut P, read: Result<T, String>) -> Result<(), String> {
    *place = read?.into();
    Ok(())
}

fn plain<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

fn within<T>(value: &Value, range: RangeInclusive<T>) -> Result<T, String>
where
    T: DeserializeOwned + PartialOrd,
{
    Some(plain(value)?).filter(|read| range.contains(read)).ok_or_else(String::new)
}

fn seconds(value: &Value, most: f64) -> Result<Duration, String> {
    within(value, 0.0..=most).map(Duration::from_secs_f64)
}

pub(super) fn read_gateway(
    own: &Value,
    variables: Variables<'_>,
    tls: &Tls,
    warnings: &mut Vec<String>,
) -> GatewayConfig {
    let mut of = Reading { config: GatewayConfig::default(), variables, tls, warnings };
    let Some(own) = own.as_object() else {
        of.config.faults.push("weir beside the servers is not an object".into());
        of.warnings.push("weir is not an object and has no effect".into());
        return of.config;
    };
    for (key, protects, read) in SETTINGS {
        match own.get(key).map_or(Ok(()), |value| read(&mut of, value)) {
            Ok(()) => {}
            // Nothing is served then.
            Err(why) if protects => of.config.faults.push(format!("weir.{key}: {why}")),
            Err(_) => of
                .warnings
                .push(format!("weir.{key} has a value that cannot be used; the default holds")),
        }
    }
    for key in own.keys().filter(|key| !SETTINGS.iter().any(|(known, ..)| known == key)) {
        let protecting = SETTINGS.iter().filter(|(_, protects, _)| *protects).map(|(key, ..)| *key);
        let text = format!("the key weir.{key} is not known");
        match misspelt(key, protecting) {
            Some(meant) => of.config.faults.push(format!("{text}; {meant} may be meant")),
            None => of.warnings.push(format!("{text} and has no effect")),
        }
    }
    of.warnings.extend(of.config.faults.iter().cloned());
    of.config
}
