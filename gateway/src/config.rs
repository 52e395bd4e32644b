//! Configuration files of many clients, read into one form.
//!
//! A file that Claude Desktop, Claude Code (`.mcp.json`), Cursor, Windsurf, Cline, Gemini, VS Code,
//! Zed, opencode, Codex, Hermes or goose reads is read here unchanged. What we do not know is warned of,
//! never fatal; what is wrong with one server concerns that server alone.
//!
//! Our own keys are in an object `weir`: one in a server's entry, one beside the servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::spec::{Secrets, ServerSpec};

mod entry;
mod expand;
mod format;
mod own;
#[cfg(test)]
mod tests;

use entry::Reader;
use format::read_value;
pub use format::{Format, strip_comments};
pub use own::GatewayConfig;
use own::read_gateway;

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
        config.gateway = read_gateway(own, variables, &mut config.warnings);
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
