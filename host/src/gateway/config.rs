//! Configuration files of many clients, read into one form.
//!
//! A file that Claude Desktop, Claude Code (`.mcp.json`), Cursor, Windsurf, Cline, Gemini, VS Code,
//! Zed, opencode, Codex, Hermes or goose reads is read here unchanged. What we do not know is warned of,
//! never fatal; what is wrong with one server concerns that server alone.
//!
//! Our own keys are in an object `weir`: one in a server's entry, one beside the servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use super::spec::{Reach, Secrets, ServerSpec, Structured};
use super::{Mode, Options, names};

/// A configuration as read.
#[derive(Debug, Default)]
pub struct Config {
    /// The servers that can be used.
    pub servers: Vec<ServerSpec>,
    /// Those that cannot, with the reason.
    pub broken: BTreeMap<String, String>,
    /// Those that are switched off.
    pub disabled: Vec<String>,
    /// What was not understood, for people.
    pub warnings: Vec<String>,
    /// The object `weir` beside the servers.
    pub gateway: GatewayConfig,
}

/// What the file says of the gateway itself; flags come before it.
#[derive(Debug, Default, Clone, PartialEq)]
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
    /// How many servers start at once.
    pub parallel_starts: Option<usize>,
}

impl GatewayConfig {
    /// Puts what the file says into the options.
    pub fn apply(&self, options: &mut Options) {
        let Options { mode, auto_tokens, naming, list_wait, parallel_starts, .. } = options;
        fn set<T: Clone>(place: &mut T, value: &Option<T>) {
            if let Some(value) = value {
                *place = value.clone();
            }
        }
        set(mode, &self.mode);
        set(auto_tokens, &self.auto_tokens);
        set(&mut naming.prefix, &self.prefix);
        set(&mut naming.max_len, &self.name_max);
        set(list_wait, &self.list_wait);
        set(parallel_starts, &self.parallel_starts);
    }
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, with comments and trailing commas allowed.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Format {
    /// By the file's name; JSON when that says nothing.
    pub fn of(path: &Path) -> Format {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => Format::Toml,
            Some("yaml" | "yml") => Format::Yaml,
            _ => Format::Json,
        }
    }
}

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not there, or not for us.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not what its name says it is.
    #[error("{} is not valid {format:?}: {reason}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What it should be.
        format: Format,
        /// What is wrong, with the place.
        reason: String,
    },
    /// Nothing in it that names servers.
    #[error("{} names no servers: it has none of the keys {}", path.display(), SERVER_KEYS.join(", "))]
    NoServers {
        /// The file.
        path: PathBuf,
    },
}

/// The keys under which clients keep their servers.
const SERVER_KEYS: [&str; 7] =
    ["mcpServers", "servers", "mcp_servers", "mcp.servers", "context_servers", "extensions", "mcp"];

/// Where variables come from.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads a file, with variables from our environment.
///
/// # Errors
/// When it cannot be read or names no servers.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
    parse(path, &text, &|name| std::env::var(name).ok())
}

/// Reads the text of a file.
///
/// # Errors
/// As [`load`].
pub fn parse(path: &Path, text: &str, variables: Variables<'_>) -> Result<Config, ConfigError> {
    let format = Format::of(path);
    let value = read_value(format, text).map_err(|reason| ConfigError::Syntax {
        path: path.to_owned(),
        format,
        reason,
    })?;
    let Some((key, servers)) = find_servers(&value) else {
        return Err(ConfigError::NoServers { path: path.to_owned() });
    };
    let mut config = Config::default();
    if let Some(own) = value.get("weir") {
        config.gateway = read_gateway(own, &mut config.warnings);
    }
    for (name, entry) in servers {
        let Some(entry) = entry.as_object() else {
            config.broken.insert(name.clone(), "its entry is not an object".into());
            continue;
        };
        if is_true(entry.get("disabled"))
            || entry.get("enabled").and_then(Value::as_bool) == Some(false)
        {
            config.disabled.push(name.clone());
            continue;
        }
        // goose has built-in extensions that are no servers of their own.
        if key == "extensions"
            && matches!(
                entry.get("type").and_then(Value::as_str),
                Some("builtin" | "platform" | "frontend")
            )
        {
            continue;
        }
        let mut reader = Reader {
            name,
            variables,
            secrets: Secrets::default(),
            warnings: Vec::new(),
            yaml: format == Format::Yaml,
        };
        match reader.server(entry) {
            Ok(spec) => config.servers.push(spec),
            Err(reason) => drop(config.broken.insert(name.clone(), reader.secrets.redact(&reason))),
        }
        config.warnings.append(&mut reader.warnings);
    }
    Ok(config)
}

/// The servers of a file as they are written, with nothing expanded, as JSON.
///
/// # Errors
/// As [`load`].
pub fn entries(path: &Path) -> Result<Map<String, Value>, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
    let format = Format::of(path);
    let value = read_value(format, &text).map_err(|reason| ConfigError::Syntax {
        path: path.to_owned(),
        format,
        reason,
    })?;
    match find_servers(&value) {
        Some((_, servers)) => Ok(servers.clone()),
        None => Err(ConfigError::NoServers { path: path.to_owned() }),
    }
}

fn read_value(format: Format, text: &str) -> Result<Value, String> {
    match format {
        Format::Json => {
            serde_json::from_str(&strip_comments(text)).map_err(|error| error.to_string())
        }
        Format::Toml => toml::from_str(text).map_err(|error| error.to_string()),
        Format::Yaml => serde_saphyr::from_str(text).map_err(|error| error.to_string()),
    }
}

fn find_servers(value: &Value) -> Option<(&'static str, &Map<String, Value>)> {
    for key in SERVER_KEYS {
        let found = match key {
            "mcp.servers" => value.get("mcp").and_then(|mcp| mcp.get("servers")),
            key => value.get(key),
        };
        if let Some(servers) = found.and_then(Value::as_object) {
            return Some((key, servers));
        }
    }
    None
}

fn is_true(value: Option<&Value>) -> bool {
    value.and_then(Value::as_bool) == Some(true)
}

/// JSON without `//` and `/* */` comments and without commas before a closing bracket. Lengths stay,
/// so that a parser's line and column are those of the file.
pub fn strip_comments(text: &str) -> String {
    let mut out: Vec<u8> = text.trim_start_matches('\u{feff}').bytes().collect();
    let mut at = 0;
    let mut last_comma = None;
    while at < out.len() {
        match out[at] {
            b'"' => {
                last_comma = None;
                at += 1;
                while at < out.len() && out[at] != b'"' {
                    at += if out[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'/' if out.get(at + 1) == Some(&b'/') => {
                while at < out.len() && out[at] != b'\n' {
                    out[at] = b' ';
                    at += 1;
                }
            }
            b'/' if out.get(at + 1) == Some(&b'*') => {
                let end = out[at..]
                    .windows(2)
                    .skip(2)
                    .position(|pair| pair == b"*/")
                    .map_or(out.len(), |end| at + end + 4);
                for byte in &mut out[at..end] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
                at = end;
            }
            b',' => {
                last_comma = Some(at);
                at += 1;
            }
            b'}' | b']' => {
                if let Some(comma) = last_comma.take() {
                    out[comma] = b' ';
                }
                at += 1;
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    last_comma = None;
                }
                at += 1;
            }
        }
    }
    // Only ASCII was replaced, by ASCII; a comment cut in a character would be a mistake of ours.
    String::from_utf8(out)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

struct Reader<'a> {
    name: &'a str,
    variables: Variables<'a>,
    secrets: Secrets,
    warnings: Vec<String>,
    yaml: bool,
}

/// Keys that other clients act on and that mean nothing here.
const FOREIGN_KEYS: [&str; 26] = [
    "alwaysAllow",
    "autoApprove",
    "alwaysLoad",
    "deferTools",
    "description",
    "name",
    "gallery",
    "version",
    "trust",
    "enabled",
    "disabled",
    "required",
    "source",
    "type",
    "transport",
    "bundled",
    "available_tools",
    "env_keys",
    "enable_parallel_tools",
    "supports_parallel_tool_calls",
    "sampling",
    "dev",
    "sandboxEnabled",
    "timeout",
    "displayName",
    "icon",
];

impl Reader<'_> {
    fn server(&mut self, entry: &Map<String, Value>) -> Result<ServerSpec, String> {
        let kind = self.text(entry, &["type", "transport"])?;
        let url = self.text(entry, &["url", "httpUrl", "serverUrl", "uri"])?;
        let command = self.command(entry)?;
        let reach = match (kind.as_deref(), command, url) {
            (Some("sse"), _, _) => {
                return Err("type sse (HTTP+SSE of 2024-11-05) is not spoken here; use the server's streamable HTTP \
                            address with type http"
                    .into());
            }
            (Some("ws" | "websocket"), _, _) => {
                return Err("type websocket is not part of MCP and not spoken here".into());
            }
            (_, Some((command, args)), None) => Reach::Stdio {
                command,
                args,
                env: self.env(entry)?,
                cwd: self.text(entry, &["cwd", "workingDirectory"])?.map(PathBuf::from),
            },
            (_, None, Some(url)) => {
                if !url.starts_with("http://") && !url.starts_with("https://") {
                    return Err("its url does not begin with http:// or https://".into());
                }
                Reach::Http { url, headers: self.headers(entry)? }
            }
            (_, Some(_), Some(_)) => return Err("it has both a command and a url; keep one".into()),
            (_, None, None) => return Err("it has neither a command nor a url".into()),
        };
        let mut spec = ServerSpec::new(self.name, reach);
        self.timeouts(entry, &mut spec);
        self.filters(entry, &mut spec);
        if let Some(own) = entry.get("weir") {
            self.own(own, &mut spec)?;
        }
        const KNOWN: [&str; 38] = [
            "url",
            "httpUrl",
            "serverUrl",
            "uri",
            "command",
            "cmd",
            "args",
            "env",
            "environment",
            "envs",
            "envFile",
            "cwd",
            "workingDirectory",
            "headers",
            "http_headers",
            "env_http_headers",
            "bearer_token_env_var",
            "timeout",
            "startup_timeout_sec",
            "startup_timeout_ms",
            "tool_timeout_sec",
            "connect_timeout",
            "tools",
            "enabled_tools",
            "disabled_tools",
            "includeTools",
            "excludeTools",
            "disabledTools",
            "weir",
            "toolTimeout",
            "initTimeout",
            "settings",
            "startupTimeout",
            "requestTimeout",
            "oauth",
            "auth",
            "inherit_env",
            "env_vars",
        ];
        for key in entry.keys() {
            if matches!(key.as_str(), "oauth" | "auth") {
                self.warn(format!("{key} is not supported yet; give a token in headers"));
            } else if !KNOWN.contains(&key.as_str()) && !FOREIGN_KEYS.contains(&key.as_str()) {
                self.warn(format!("the key {key} is not known and has no effect"));
            }
        }
        spec.secrets = std::mem::take(&mut self.secrets);
        Ok(spec)
    }

    fn warn(&mut self, text: String) {
        self.warnings.push(format!("server {}: {text}", self.name));
    }

    /// The first of these keys that holds a text, expanded.
    fn text(
        &mut self,
        entry: &Map<String, Value>,
        keys: &[&str],
    ) -> Result<Option<String>, String> {
        for key in keys {
            match entry.get(*key) {
                Some(Value::String(text)) => return self.expand(key, text).map(Some),
                None | Some(Value::Null) => {}
                Some(_) => return Err(format!("{key} is not a text")),
            }
        }
        Ok(None)
    }

    fn texts(&mut self, entry: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
        let Some(value) = entry.get(key).filter(|value| !value.is_null()) else {
            return Ok(Vec::new());
        };
        let items = value.as_array().ok_or_else(|| format!("{key} is not a list"))?;
        items
            .iter()
            .map(|item| match item {
                Value::String(text) => self.expand(key, text),
                Value::Number(_) | Value::Bool(_) => Ok(item.to_string()),
                _ => Err(format!("{key} holds something that is no text")),
            })
            .collect()
    }

    fn command(
        &mut self,
        entry: &Map<String, Value>,
    ) -> Result<Option<(String, Vec<String>)>, String> {
        // opencode has command and arguments in one list, Zed in an object.
        match entry.get("command") {
            Some(Value::Array(_)) => {
                let mut words = self.texts(entry, "command")?.into_iter();
                let command = words.next().ok_or("command is an empty list")?;
                return Ok(Some((command, words.collect())));
            }
            Some(Value::Object(command)) => {
                let path = self.text(command, &["path"])?.ok_or("command has no path")?;
                return Ok(Some((path, self.texts(command, "args")?)));
            }
            _ => {}
        }
        let Some(command) = self.text(entry, &["command", "cmd"])? else { return Ok(None) };
        if command.trim().is_empty() {
            return Err("command is empty".into());
        }
        Ok(Some((command, self.texts(entry, "args")?)))
    }

    fn map(
        &mut self,
        entry: &Map<String, Value>,
        keys: &[&str],
    ) -> Result<BTreeMap<String, String>, String> {
        let mut found = BTreeMap::new();
        for key in keys {
            let Some(value) = entry.get(*key).filter(|value| !value.is_null()) else { continue };
            let map = value.as_object().ok_or_else(|| format!("{key} is not an object"))?;
            for (name, value) in map {
                let value = match value {
                    Value::String(text) => self.expand(&format!("{key}.{name}"), text)?,
                    Value::Number(_) | Value::Bool(_) => value.to_string(),
                    Value::Null => continue,
                    _ => return Err(format!("{key}.{name} is not a text")),
                };
                self.secrets.add(&value);
                found.insert(name.clone(), value);
            }
        }
        Ok(found)
    }

    fn env(&mut self, entry: &Map<String, Value>) -> Result<BTreeMap<String, String>, String> {
        let mut env = BTreeMap::new();
        if let Some(file) = self.text(entry, &["envFile"])? {
            let text = std::fs::read_to_string(&file)
                .map_err(|error| format!("cannot read its envFile {file}: {error}"))?;
            for line in text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty() && !line.starts_with('#'))
            {
                if let Some((name, value)) = line.trim_start_matches("export ").split_once('=') {
                    let value = value.trim().trim_matches(['"', '\'']);
                    self.secrets.add(value);
                    env.insert(name.trim().to_owned(), value.to_owned());
                }
            }
        }
        env.extend(self.map(entry, &["env", "environment", "envs"])?);
        Ok(env)
    }

    fn headers(&mut self, entry: &Map<String, Value>) -> Result<BTreeMap<String, String>, String> {
        let mut headers = self.map(entry, &["headers", "http_headers"])?;
        for (header, variable) in self.map(entry, &["env_http_headers"])? {
            let value = self.variable("env_http_headers", &variable)?;
            headers.insert(header, value);
        }
        if let Some(variable) = self.text(entry, &["bearer_token_env_var"])? {
            let token = self.variable("bearer_token_env_var", &variable)?;
            headers.insert("Authorization".into(), format!("Bearer {token}"));
        }
        Ok(headers)
    }

    fn variable(&mut self, key: &str, name: &str) -> Result<String, String> {
        let value = (self.variables)(name).ok_or_else(|| {
            format!("{key} needs the variable {name}, which is not set; set it in the gateway's environment, or write ${{{name}:-default}}")
        })?;
        self.secrets.add(&value);
        Ok(value)
    }

    /// `text` with `${VAR}`, `${VAR:-default}` and `${env:VAR}` replaced. What looks otherwise stays.
    fn expand(&mut self, key: &str, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(end) = rest[start..].find('}').map(|end| start + end) else { break };
            out.push_str(&rest[..start]);
            let inner = &rest[start + 2..end];
            let (name, default) = match inner.split_once(":-") {
                Some((name, default)) => (name, Some(default)),
                None => (inner, None),
            };
            let name = name.strip_prefix("env:").unwrap_or(name);
            let is_name = |name: &str| {
                name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            };
            if let Some(input) = inner.strip_prefix("input:") {
                return Err(format!(
                    "{key} asks the user for ${{input:{input}}}, which a gateway cannot; put the value into a variable and write ${{{}}}",
                    input.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
                ));
            }
            match name {
                "workspaceFolder" => {
                    out.push_str(
                        &std::env::current_dir()
                            .map(|dir| dir.display().to_string())
                            .unwrap_or_default(),
                    );
                }
                "userHome" => out.push_str(&self.variable(key, "HOME")?),
                name if !is_name(name) => out.push_str(&rest[start..=end]),
                name => match (
                    (self.variables)(name).filter(|value| !value.is_empty() || default.is_none()),
                    default,
                ) {
                    (None, Some(default)) => out.push_str(default),
                    _ => out.push_str(&self.variable(key, name)?),
                },
            }
            rest = &rest[end + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    fn timeouts(&mut self, entry: &Map<String, Value>, spec: &mut ServerSpec) {
        let number = |key: &str| {
            entry.get(key).and_then(Value::as_f64).filter(|n| n.is_finite() && *n > 0.0)
        };
        let seconds = |n: f64| Duration::from_secs_f64(n.min(86_400.0));
        // Seconds in YAML and TOML clients and in Cline, milliseconds in the others: nobody means 999 ms or
        // a quarter of an hour and more in seconds.
        if let Some(n) =
            number("timeout").or_else(|| number("toolTimeout")).or_else(|| number("requestTimeout"))
        {
            spec.call_timeout =
                if n < 1_000.0 || self.yaml { seconds(n) } else { seconds(n / 1_000.0) };
        }
        if let Some(n) = number("tool_timeout_sec") {
            spec.call_timeout = seconds(n);
        }
        if let Some(n) = number("startup_timeout_sec").or_else(|| number("connect_timeout")) {
            spec.start_timeout = seconds(n);
        }
        if let Some(n) = number("startup_timeout_ms")
            .or_else(|| number("initTimeout"))
            .or_else(|| number("startupTimeout"))
        {
            spec.start_timeout = seconds(n / 1_000.0);
        }
        spec.call_max = spec.call_max.max(spec.call_timeout);
    }

    fn filters(&mut self, entry: &Map<String, Value>, spec: &mut ServerSpec) {
        let take = |value: Option<&Value>, into: &mut Vec<String>| {
            let names = value.and_then(Value::as_array).into_iter().flatten();
            into.extend(names.filter_map(|name| name.as_str().map(str::to_owned)));
        };
        let tools = entry.get("tools").and_then(Value::as_object);
        for value in [
            entry.get("enabled_tools"),
            entry.get("includeTools"),
            tools.and_then(|tools| tools.get("include")),
        ] {
            take(value, &mut spec.allow);
        }
        // Copilot writes `"tools": ["*"]`.
        take(entry.get("tools"), &mut spec.allow);
        for value in [
            entry.get("disabled_tools"),
            entry.get("excludeTools"),
            entry.get("disabledTools"),
            tools.and_then(|tools| tools.get("exclude")),
        ] {
            take(value, &mut spec.deny);
        }
    }

    fn own(&mut self, own: &Value, spec: &mut ServerSpec) -> Result<(), String> {
        let own = own.as_object().ok_or("weir is not an object")?;
        let bad = |key: &str, wanted: &str| format!("weir.{key} is not {wanted}");
        let list = |key: &str, value: &Value| {
            serde_json::from_value::<Vec<String>>(value.clone())
                .map_err(|_| bad(key, "a list of texts"))
        };
        let names = |key: &str, value: &Value| {
            serde_json::from_value::<BTreeMap<String, String>>(value.clone())
                .map_err(|_| bad(key, "an object of texts"))
        };
        let duration = |key: &str, value: &Value| {
            let seconds = value
                .as_f64()
                .filter(|n| n.is_finite() && *n > 0.0)
                .ok_or_else(|| bad(key, "a number of seconds"))?;
            Ok::<_, String>(Duration::from_secs_f64(seconds.min(86_400.0)))
        };
        for (key, value) in own {
            match key.as_str() {
                "allow" => spec.allow = list(key, value)?,
                "deny" => spec.deny = list(key, value)?,
                "pin" => spec.pin = list(key, value)?,
                "rename" => spec.rename = names(key, value)?,
                "describe" => spec.describe = names(key, value)?,
                "structured" => {
                    spec.structured = match value.as_str() {
                        Some("excerpt") => Structured::Excerpt,
                        Some("preserve") => Structured::Preserve,
                        _ => return Err(bad(key, "excerpt or preserve")),
                    }
                }
                "transform" => {
                    spec.transform = value.as_bool().ok_or_else(|| bad(key, "true or false"))?
                }
                "trust" => spec.trust = value.as_bool().ok_or_else(|| bad(key, "true or false"))?,
                "startTimeout" => spec.start_timeout = duration(key, value)?,
                "callTimeout" => spec.call_timeout = duration(key, value)?,
                "callMax" => spec.call_max = duration(key, value)?,
                "toolTimeouts" => {
                    let map = value.as_object().ok_or_else(|| bad(key, "an object of seconds"))?;
                    spec.tool_timeouts = map
                        .iter()
                        .map(|(glob, value)| Ok((glob.clone(), duration(key, value)?)))
                        .collect::<Result<_, String>>()?;
                    // The order of an object means nothing: what says most comes first.
                    spec.tool_timeouts.sort_by_key(|(glob, _)| std::cmp::Reverse(glob.len()));
                }
                _ => self.warn(format!("the key weir.{key} is not known and has no effect")),
            }
        }
        Ok(())
    }
}

fn read_gateway(own: &Value, warnings: &mut Vec<String>) -> GatewayConfig {
    let mut config = GatewayConfig::default();
    let Some(own) = own.as_object() else {
        warnings.push("weir is not an object and has no effect".into());
        return config;
    };
    for (key, value) in own {
        let count = value.as_u64().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        let good = match key.as_str() {
            "mode" => {
                config.mode = value.as_str().and_then(|mode| mode.parse().ok());
                config.mode.is_some()
            }
            "autoTokens" => {
                config.auto_tokens = count;
                count.is_some()
            }
            "prefix" => {
                config.prefix = value.as_bool();
                config.prefix.is_some()
            }
            "nameMax" => {
                config.name_max = count.filter(|n| (names::MIN_NAME_LEN..=128).contains(n));
                config.name_max.is_some()
            }
            "listWait" => {
                config.list_wait = value
                    .as_f64()
                    .filter(|n| (0.0..=3_600.0).contains(n))
                    .map(Duration::from_secs_f64);
                config.list_wait.is_some()
            }
            "parallelStarts" => {
                config.parallel_starts = count.filter(|n| (1..=256).contains(n));
                config.parallel_starts.is_some()
            }
            _ => {
                warnings.push(format!("the key weir.{key} is not known and has no effect"));
                true
            }
        };
        if !good {
            warnings.push(format!("weir.{key} has a value that cannot be used; the default holds"));
        }
    }
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Config {
        parse(Path::new(name), text, &|variable| match variable {
            "TOKEN" => Some("s3cret-value".into()),
            "EMPTY" => Some(String::new()),
            "HOME" => Some("/home/me".into()),
            _ => None,
        })
        .unwrap()
    }

    fn stdio(spec: &ServerSpec) -> (&str, Vec<&str>, Vec<(&str, &str)>) {
        let Reach::Stdio { command, args, env, .. } = &spec.reach else { panic!("not stdio") };
        (
            command,
            args.iter().map(String::as_str).collect(),
            env.iter().map(|(k, v)| (&**k, &**v)).collect(),
        )
    }

    #[test]
    fn claude_desktop_and_cursor() {
        let config = read(
            "claude_desktop_config.json",
            r#"{"globalShortcut":"","mcpServers":{
                "fs":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","${HOME}/x"],"env":{"A":"${TOKEN}"}},
                "web":{"url":"https://example.com/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}},
                "off":{"command":"x","disabled":true}}}"#,
        );
        assert_eq!(
            stdio(&config.servers[0]),
            (
                "npx",
                vec!["-y", "@modelcontextprotocol/server-filesystem", "/home/me/x"],
                vec![("A", "s3cret-value")]
            )
        );
        let Reach::Http { headers, .. } = &config.servers[1].reach else { panic!("not http") };
        assert_eq!(headers["Authorization"], "Bearer s3cret-value");
        assert_eq!(config.servers[1].secrets.redact("it was s3cret-value"), "it was ***");
        assert_eq!((config.disabled, config.warnings), (vec!["off".to_owned()], vec![]));
    }

    #[test]
    fn vs_code_with_comments_and_inputs() {
        let config = read(
            "mcp.json",
            r#"{ // comment with "quotes"
                "inputs": [{"id": "key", "type": "promptString"}],
                "servers": {
                    "a": {"type": "stdio", "command": "${userHome}/bin/x", "args": ["http://not//a comment"], "env": {"T": "${env:TOKEN}"},},
                    /* b asks */ "b": {"command": "y", "env": {"K": "${input:key}"}},
                }, }"#,
        );
        assert_eq!(
            stdio(&config.servers[0]),
            ("/home/me/bin/x", vec!["http://not//a comment"], vec![("T", "s3cret-value")])
        );
        assert!(config.broken["b"].contains("${KEY}"), "{:?}", config.broken);
    }

    #[test]
    fn codex_toml() {
        let config = read(
            "config.toml",
            r#"
            model = "o"
            [mcp_servers.docs]
            command = "docs-server"
            args = ["--stdio"]
            startup_timeout_sec = 20
            tool_timeout_sec = 45.5
            enabled_tools = ["search_*"]
            disabled_tools = ["search_all"]
            [mcp_servers.docs.env]
            K = "v"
            [mcp_servers.web]
            url = "https://example.com/mcp"
            bearer_token_env_var = "TOKEN"
            "#,
        );
        let docs = &config.servers[0];
        assert_eq!(
            (docs.start_timeout, docs.call_timeout),
            (Duration::from_secs(20), Duration::from_millis(45_500))
        );
        assert!(docs.admits("search_one") && !docs.admits("search_all") && !docs.admits("write"));
        let Reach::Http { headers, .. } = &config.servers[1].reach else { panic!("not http") };
        assert_eq!(headers["Authorization"], "Bearer s3cret-value");
    }

    #[test]
    fn hermes_yaml_and_opencode_and_zed() {
        let config = read(
            "config.yaml",
            "model: x\nmcp_servers:\n  time:\n    command: uvx\n    args: [mcp-server-time, 3]\n    timeout: 1200\n    connect_timeout: 7\n    tools:\n      include: [get_*]\n      exclude: [get_x]\n",
        );
        let time = &config.servers[0];
        assert_eq!(stdio(time).1, ["mcp-server-time", "3"]);
        assert_eq!(
            (time.call_timeout, time.start_timeout),
            (Duration::from_secs(1_200), Duration::from_secs(7))
        );
        assert!(time.admits("get_time") && !time.admits("get_x"));
        let config = read(
            "opencode.json",
            r#"{"mcp":{"a":{"type":"local","command":["bun","x"],"environment":{"A":"b"},"enabled":true}}}"#,
        );
        assert_eq!(stdio(&config.servers[0]), ("bun", vec!["x"], vec![("A", "b")]));
        let config = read(
            "settings.json",
            r#"{"context_servers":{"z":{"command":{"path":"p","args":["q"]}}}}"#,
        );
        assert_eq!(stdio(&config.servers[0]).0, "p");
    }

    #[test]
    fn variables_with_defaults_and_without() {
        let config = read(
            "x.json",
            r#"{"mcpServers":{"a":{"command":"${NOPE:-sh}","args":["${EMPTY:-e}","${EMPTY}","$HOME","${a.b}","${unclosed"]},
                "b":{"command":"x","env":{"KEY":"${NOPE}"}},"c":{"command":""},"d":{},"e":{"url":"ftp://x"},"f":{"type":"sse","url":"http://x"}}}"#,
        );
        assert_eq!(
            stdio(&config.servers[0]),
            ("sh", vec!["e", "", "$HOME", "${a.b}", "${unclosed"], vec![])
        );
        assert!(config.broken["b"].contains("NOPE") && config.broken["b"].contains("env.KEY"));
        assert_eq!(config.broken.len(), 5);
    }

    #[test]
    fn our_own_keys() {
        let config = read(
            "x.json",
            r#"{"weir":{"mode":"bridge","nameMax":4,"huh":1},"mcpServers":{"a":{"command":"x","mystery":1,"weir":{
                "deny":["rm*"],"rename":{"a":"b"},"structured":"preserve","callTimeout":2.5,"toolTimeouts":{"slow_*":60}}},
                "b":{"command":"x","weir":{"deny":"rm"}}}}"#,
        );
        assert_eq!((config.gateway.mode, config.gateway.name_max), (Some(Mode::Bridge), None));
        let a = &config.servers[0];
        assert_eq!(
            (a.structured, a.timeout_of("slow_x"), a.timeout_of("x")),
            (Structured::Preserve, Duration::from_secs(60), Duration::from_millis(2_500))
        );
        assert_eq!(config.warnings.len(), 3, "{:?}", config.warnings);
        assert!(config.broken["b"].contains("weir.deny"));
    }

    #[test]
    fn files_that_are_none() {
        let fails = |name: &str, text: &str| {
            parse(Path::new(name), text, &|_| None).unwrap_err().to_string()
        };
        assert!(fails("x.json", "{").contains("line 1"));
        assert!(fails("x.json", "{}").contains("mcpServers"));
        assert!(fails("x.toml", "= 1").contains("Toml"));
        assert!(fails("x.yaml", "a: [").contains("Yaml"));
    }
}
