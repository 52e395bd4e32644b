//! One server's entry, as any of the clients writes it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use weir_agents::config::OF_THE_HOST;
use weir_openapi::Api;
use weir_servers::BuiltIn;

use crate::servers::environment::Inherit;
use crate::servers::spec::{Identity, Instance, Reach, Secrets, ServerSpec};

use super::{Variables, of_server};

pub(super) struct Reader<'a> {
    pub(super) name: &'a str,
    pub(super) variables: Variables<'a>,
    pub(super) secrets: Secrets,
    pub(super) warnings: Vec<String>,
    pub(super) yaml: bool,
    /// Where the file is: what it names with `{file:…}` may be relative to that.
    pub(super) directory: &'a Path,
}

/// Keys that other clients act on and that mean nothing here.
const FOREIGN_KEYS: [&str; 16] = [
    "description",
    "name",
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
];

/// Keys that mean something here.
const KNOWN: [&str; 38] = [
    "builtin",
    "openapi",
    "dirs",
    "dir",
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
    "tools",
    "enabled_tools",
    "disabled_tools",
    "includeTools",
    "excludeTools",
    "disabledTools",
    "weir",
    "hosts",
    "initTimeout",
    "settings",
    "startupTimeout",
    "requestTimeout",
    "oauth",
    "auth",
    "scopes",
    "inherit_env",
    "env_vars",
];

impl<'a> Reader<'a> {
    pub(super) fn new(name: &'a str, variables: Variables<'a>, directory: &'a Path) -> Reader<'a> {
        let (secrets, warnings) = Default::default();
        Reader { name, variables, secrets, warnings, yaml: false, directory }
    }
}

impl Reader<'_> {
    pub(super) fn server(&mut self, entry: &Map<String, Value>) -> Result<ServerSpec, String> {
        let kind = self.text(entry, &["type", "transport"])?;
        let url = self.text(entry, &["url", "httpUrl", "serverUrl", "uri"])?;
        let command = self.command(entry)?;
        let built_in = self.text(entry, &["builtin"])?;
        let described = self.text(entry, &["openapi"])?;
        let reach = match (kind.as_deref(), command, url) {
            (_, None, None) if built_in.is_some() => match built_in.as_deref() {
                Some("skills") => Reach::BuiltIn(BuiltIn::Skills(self.paths(entry, "dirs")?)),
                Some("memory") => Reach::BuiltIn(BuiltIn::Memory(self.notes(entry)?)),
                _ => return Err("builtin is not one of skills, memory".into()),
            },
            (_, None, url) if described.is_some() => Reach::OpenApi(self.api(entry, url)?),
            (_, Some(_), _) if described.is_some() => {
                return Err("it has both a command and openapi; keep one".into());
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
                let sse = kind.as_deref() == Some("sse");
                Reach::Http { url, headers: self.headers(entry)?, sse }
            }
            (_, Some(_), Some(_)) => return Err("it has both a command and a url; keep one".into()),
            (_, None, None) => return Err("it has neither a command nor a url".into()),
        };
        match &reach {
            Reach::Stdio { args, .. } => self.secrets.add_from_args(args),
            Reach::Http { url, .. } => self.secrets.add_from_url(url),
            Reach::OpenApi(api) => {
                self.secrets.add_from_url(&api.description);
                self.secrets.add_from_url(api.url.as_deref().unwrap_or_default());
            }
            Reach::BuiltIn(_) => {}
        }
        let mut spec = ServerSpec::new(self.name, reach);
        spec.inherit = self.inherit(entry);
        if !matches!(spec.reach, Reach::OpenApi(_)) {
            spec.oauth = self.oauth(entry)?;
        }
        self.timeouts(entry, &mut spec);
        self.filters(entry, &mut spec)?;
        if let Some(own) = entry.get("weir") {
            self.own(own, &mut spec)?;
        }
        if matches!(spec.reach, Reach::BuiltIn(BuiltIn::Memory(_))) {
            // It is a client's own, from the start of its session on.
            (spec.instance, spec.idle_stop) = (Instance::Client, Some(Duration::ZERO));
        }
        if spec.names_person() && spec.identity != Identity::Person {
            return Err("its headers name ${person}, and weir.identity is not person".into());
        }
        for key in entry.keys() {
            let lists = [&KNOWN[..], &FOREIGN_KEYS, &OF_THE_HOST];
            if !lists.iter().any(|keys| keys.contains(&key.as_str())) {
                self.warn(format!("the key {key} is not known and has no effect"));
            }
        }
        spec.secrets = std::mem::take(&mut self.secrets);
        Ok(spec)
    }

    /// An HTTP API by its description: a file beside the configuration, or an address.
    fn api(&mut self, entry: &Map<String, Value>, url: Option<String>) -> Result<Api, String> {
        let description = match self.text(entry, &["openapi"])?.unwrap_or_default() {
            address if address.starts_with("http://") || address.starts_with("https://") => address,
            _ => {
                let path = self.path(entry, "openapi")?.ok_or("openapi is not a text")?;
                path.display().to_string()
            }
        };
        let auth = match entry.get("auth") {
            Some(Value::String(_)) => {
                let secret = self.text(entry, &["auth"])?.unwrap_or_default();
                self.secrets.add(&secret);
                BTreeMap::from([(String::new(), secret)])
            }
            _ => self.map(entry, &["auth"])?,
        };
        Ok(Api { description, url, headers: self.headers(entry)?, auth })
    }

    /// Where the notes of all people are; a relative path is one in the gateway's directory for its state.
    fn notes(&mut self, entry: &Map<String, Value>) -> Result<PathBuf, String> {
        Ok(self.path(entry, "dir")?.unwrap_or(PathBuf::from("memory")))
    }

    /// A whole path; a relative one is beside the configuration.
    fn path(&mut self, entry: &Map<String, Value>, key: &str) -> Result<Option<PathBuf>, String> {
        let Some(named) = entry.get(key).cloned() else { return Ok(None) };
        let named = Map::from_iter([(key.to_owned(), Value::Array(vec![named]))]);
        let paths = self.paths(&named, key)?;
        let path = paths.first().ok_or_else(|| format!("{key} is not a text"))?;
        let path = std::path::absolute(path);
        path.map(Some).map_err(|error| format!("{key} cannot be used: {error}"))
    }

    pub(super) fn warn(&mut self, text: String) {
        self.warnings.push(of_server(self.name) + &text);
    }

    /// The first of these keys that holds a text, expanded.
    pub(super) fn text(
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

    pub(super) fn texts(
        &mut self,
        entry: &Map<String, Value>,
        key: &str,
    ) -> Result<Vec<String>, String> {
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

    pub(super) fn command(
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

    pub(super) fn map(
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

    pub(super) fn env(
        &mut self,
        entry: &Map<String, Value>,
    ) -> Result<BTreeMap<String, String>, String> {
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

    /// These variables of ours, whose values are secrets from now on.
    pub(super) fn inherited(&mut self, names: Vec<String>) -> Inherit {
        for name in &names {
            if let Some(value) = (self.variables)(name) {
                self.secrets.add(&value);
            }
        }
        Inherit::Named(names)
    }

    /// Codex names the variables that a server inherits; goose those that it takes from its secrets.
    fn inherit(&mut self, entry: &Map<String, Value>) -> Inherit {
        if entry.get("inherit_env").and_then(Value::as_bool) == Some(true) {
            return Inherit::All;
        }
        let lists = ["env_vars", "env_keys"].map(|key| entry.get(key).and_then(Value::as_array));
        let names = lists.into_iter().flatten().flatten().filter_map(Value::as_str);
        self.inherited(names.map(str::to_owned).collect())
    }

    pub(super) fn headers(
        &mut self,
        entry: &Map<String, Value>,
    ) -> Result<BTreeMap<String, String>, String> {
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

    fn timeouts(&mut self, entry: &Map<String, Value>, spec: &mut ServerSpec) {
        let mut bad = Vec::new();
        let mut number = |keys: &[&str]| {
            keys.iter().find_map(|key| {
                let value = entry.get(*key).filter(|value| !value.is_null())?;
                let number = value.as_f64().filter(|n| n.is_finite() && *n > 0.0);
                if number.is_none() {
                    bad.push(format!("{key} is not a number above 0; the default holds"));
                }
                number
            })
        };
        let seconds = |n: f64| Duration::from_secs_f64(n.min(86_400.0));
        // Seconds in YAML and TOML clients and in Cline, milliseconds in the others: nobody means 999 ms or
        // a quarter of an hour and more in seconds.
        if let Some(n) = number(&["timeout", "toolTimeout", "requestTimeout"]) {
            spec.call_timeout =
                if n < 1_000.0 || self.yaml { seconds(n) } else { seconds(n / 1_000.0) };
        }
        if let Some(n) = number(&["tool_timeout_sec"]) {
            spec.call_timeout = seconds(n);
        }
        if let Some(n) = number(&["startup_timeout_sec", "connect_timeout"]) {
            spec.start_timeout = seconds(n);
        }
        if let Some(n) = number(&["startup_timeout_ms", "initTimeout", "startupTimeout"]) {
            spec.start_timeout = seconds(n / 1_000.0);
        }
        spec.call_max = spec.call_max.max(spec.call_timeout);
        bad.into_iter().for_each(|text| self.warn(text));
    }

    /// Which tools are there. A list that cannot be read would let all of them pass.
    fn filters(&mut self, entry: &Map<String, Value>, spec: &mut ServerSpec) -> Result<(), String> {
        let take = |key: &str, value: Option<&Value>, into: &mut Vec<String>| {
            let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(()) };
            let names = serde_json::from_value::<Vec<String>>(value.clone());
            into.extend(names.map_err(|_| format!("{key} is not a list of texts"))?);
            Ok::<(), String>(())
        };
        let tools = entry.get("tools").and_then(Value::as_object);
        for key in ["enabled_tools", "includeTools"] {
            take(key, entry.get(key), &mut spec.allow)?;
        }
        take("tools.include", tools.and_then(|tools| tools.get("include")), &mut spec.allow)?;
        if tools.is_none() {
            // Copilot writes `"tools": ["*"]`.
            take("tools", entry.get("tools"), &mut spec.allow)?;
        }
        for key in ["disabled_tools", "excludeTools", "disabledTools"] {
            take(key, entry.get(key), &mut spec.deny)?;
        }
        take("tools.exclude", tools.and_then(|tools| tools.get("exclude")), &mut spec.deny)
    }
}
