//! Entries of servers, whichever host wrote them.

use std::path::Path;

use super::edit::{Change, Edit};
use super::format::Format;
use super::node::Node;
use crate::program::is_weir;

/// A server in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Its entry as it is written.
    pub entry: Node,
    /// Where it is.
    pub place: Place,
    /// The project that it belongs to, when it is in a user's file for one project only.
    pub project: Option<String>,
    /// Whether an address without a type means the transport of 2024-11-05 to its host.
    pub url_is_sse: bool,
}

/// Where a server is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In the object at the end of these keys, by its name.
    Named(Vec<String>),
    /// In the array at the end of these keys.
    Listed(Vec<String>),
}

impl Server {
    /// The change that takes it out of its file.
    pub fn removal(&self) -> Change {
        match &self.place {
            Place::Named(path) => {
                let mut path = path.clone();
                path.push(self.name.clone());
                Change::Remove { path }
            }
            Place::Listed(path) => {
                Change::RemoveItem { path: path.clone(), value: self.entry.clone() }
            }
        }
    }

    /// Whether the server is part of its host, and nothing that anybody else could start.
    pub fn is_built_in(&self) -> bool {
        let of_goose = matches!(
            self.entry.get("type").and_then(Node::as_text),
            Some("builtin" | "platform" | "frontend" | "inline_python")
        );
        of_goose || self.entry.get("source").and_then(Node::as_text) == Some("extension")
    }

    /// Whether the entry is switched off.
    pub fn is_disabled(&self) -> bool {
        truth(self.entry.get("disabled")) == Some(true)
            || truth(self.entry.get("enabled")) == Some(false)
    }
}

/// A truth value, also in the words that only some readers of YAML take for one.
fn truth(node: Option<&Node>) -> Option<bool> {
    match node? {
        Node::Bool(value) => Some(*value),
        Node::Text(text) => match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" => Some(true),
            "no" | "off" | "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Keys under which hosts have their servers, in the order in which a file is searched.
pub(super) const SERVER_KEYS: [&[&str]; 8] = [
    &["mcpServers"],
    &["servers"],
    &["mcp_servers"],
    &["mcp", "servers"],
    &["context_servers"],
    &["extensions"],
    &["amp.mcpServers"],
    &["mcp"],
];

/// The servers of a file of any host; nothing when it has none of the keys of servers.
pub fn find_servers(node: &Node) -> Option<(Vec<String>, Vec<Server>)> {
    let path = SERVER_KEYS.iter().find(|path| {
        matches!(node.at(path), Some(Node::Map(_)))
            || matches!(node.at(path), Some(Node::List(items)) if items.iter().all(|item| item.get("name").is_some()))
    })?;
    let path: Vec<String> = path.iter().map(|key| (*key).to_owned()).collect();
    let servers = servers_at(node, &path);
    Some((path, servers))
}

/// The servers in the object or array at the end of these keys.
pub(super) fn servers_at(node: &Node, path: &[String]) -> Vec<Server> {
    match node.at(path) {
        Some(Node::Map(members)) => members
            .iter()
            .map(|(name, entry)| Server {
                name: name.clone(),
                entry: entry.clone(),
                place: Place::Named(path.to_owned()),
                project: None,
                url_is_sse: false,
            })
            .collect(),
        Some(Node::List(items)) => items
            .iter()
            .filter_map(|entry| {
                Some(Server {
                    name: entry.get("name")?.as_text()?.to_owned(),
                    entry: entry.clone(),
                    place: Place::Listed(path.to_owned()),
                    project: None,
                    url_is_sse: false,
                })
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// How a server is reached.
pub(super) enum Transport {
    /// The words of a command.
    Command(Vec<Node>),
    Url(String),
    None,
}

pub(super) fn transport(entry: &Node) -> Transport {
    let args = |node: &Node| node.get("args").and_then(Node::as_list).unwrap_or_default().to_vec();
    let words = match entry.get("command").or_else(|| entry.get("cmd")) {
        Some(Node::List(words)) => Some(words.clone()),
        Some(Node::Text(command)) if !command.is_empty() => {
            let mut words = vec![Node::Text(command.clone())];
            words.extend(args(entry));
            Some(words)
        }
        Some(command @ Node::Map(_)) => command.get("path").map(|path| {
            let mut words = vec![path.clone()];
            words.extend(args(command));
            words
        }),
        _ => None,
    };
    if let Some(words) = words.filter(|words| !words.is_empty()) {
        return Transport::Command(words);
    }
    let url = ["url", "httpUrl", "serverUrl", "uri"]
        .iter()
        .find_map(|key| entry.get(key).and_then(Node::as_text));
    url.map_or(Transport::None, |url| Transport::Url(url.to_owned()))
}

/// Whether the entry starts Weir's gateway: the program `weir`, however it is reached, with `serve`.
pub fn is_gateway(entry: &Node) -> bool {
    gateway_options(entry).is_some()
}

/// What the entry gives Weir's gateway after the word `serve`; none where it does not start it.
pub fn gateway_options(entry: &Node) -> Option<Vec<String>> {
    let Transport::Command(words) = transport(entry) else { return None };
    let words: Vec<&str> = words.iter().filter_map(Node::as_text).collect();
    let program = words.iter().position(|word| is_weir(word));
    let given = &words[program? + 1..];
    let serve = given.iter().position(|word| *word == "serve")?;
    Some(given[serve + 1..].iter().map(|word| (*word).to_owned()).collect())
}

/// An option among those of [`gateway_options`], as `--flag value` or `--flag=value`.
pub fn gateway_option<'a>(options: &'a [String], flag: &str) -> Option<&'a str> {
    let own = own_options(options);
    let value = |at: usize| match own[at].strip_prefix(flag)? {
        "" => own.get(at + 1).map(String::as_str),
        rest => rest.strip_prefix('='),
    };
    (0..own.len()).find_map(value)
}

/// Options before `--`: what follows is the command of a server.
fn own_options(options: &[String]) -> &[String] {
    let end = options.iter().position(|word| word == "--").unwrap_or(options.len());
    &options[..end]
}

/// The changes of an entry of Weir's gateway that give it another program, where one is named, and these
/// options in place of those of the same name. What else the entry says stays as it is.
pub fn gateway_changes(
    server: &Server,
    program: Option<&str>,
    options: &[(&str, String)],
) -> Vec<Change> {
    let Transport::Command(words) = transport(&server.entry) else { return Vec::new() };
    let mut words: Vec<String> =
        words.iter().map(|word| word.as_text().unwrap_or_default().to_owned()).collect();
    if let Some(program) = program {
        words[0] = program.to_owned();
    }
    let Some(serve) = words.iter().position(|word| word == "serve") else { return Vec::new() };
    for (flag, value) in options {
        set_option(&mut words, serve + 1, flag, value);
    }
    let text = |word: &String| Node::Text(word.clone());
    let list = |words: &[String]| Node::List(words.iter().map(text).collect());
    let key = if server.entry.get("command").is_some() { "command" } else { "cmd" };
    let members = match server.entry.get(key) {
        Some(Node::List(_)) => vec![(vec![key], list(&words))],
        Some(Node::Map(_)) => {
            vec![(vec![key, "path"], text(&words[0])), (vec![key, "args"], list(&words[1..]))]
        }
        _ => vec![(vec![key], text(&words[0])), (vec!["args"], list(&words[1..]))],
    };
    let differs = |(path, value): &(Vec<&str>, Node)| server.entry.at(path) != Some(value);
    let members: Vec<_> = members.into_iter().filter(differs).collect();
    if members.is_empty() {
        return Vec::new();
    }
    match &server.place {
        Place::Named(above) => {
            let change = |(path, value): (Vec<&str>, Node)| {
                let below = path.into_iter().map(str::to_owned);
                let path = above.iter().cloned().chain([server.name.clone()]).chain(below);
                Change::Set { path: path.collect(), value }
            };
            members.into_iter().map(change).collect()
        }
        Place::Listed(path) => {
            let mut entry = server.entry.clone();
            let changes = members.into_iter().map(|(path, value)| Change::Set {
                path: path.into_iter().map(str::to_owned).collect(),
                value,
            });
            // Objects that lead to these are there: the entry was read by them.
            let _ = Edit { changes: changes.collect() }.apply_to(&mut entry);
            vec![server.removal(), Change::Append { path: path.clone(), value: entry }]
        }
    }
}

/// Gives an option of the gateway this value, among words from `from` on.
fn set_option(words: &mut Vec<String>, from: usize, flag: &str, value: &str) {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let with = format!("{flag}=");
    for at in from..end {
        if words[at] == flag && at + 1 < end {
            words[at + 1] = value.to_owned();
            return;
        }
        if words[at].starts_with(&with) {
            words[at] = format!("{with}{value}");
            return;
        }
    }
    words.splice(end..end, [flag.to_owned(), value.to_owned()]);
}

/// Keys by which a host says what it asks its user, what it shows, and how long it waits: with other ones it
/// is the same server.
pub const OF_THE_HOST: [&str; 16] = [
    "alwaysAllow",
    "autoApprove",
    "alwaysLoad",
    "alwaysLoadTools",
    "deferTools",
    "trust",
    "gallery",
    "version",
    "displayName",
    "icon",
    "timeout",
    "toolTimeout",
    "tool_timeout_sec",
    "startup_timeout_sec",
    "startup_timeout_ms",
    "connect_timeout",
];

/// What an entry means, for a comparison: the same whichever host wrote it, and whatever it says that
/// holds anyway.
pub fn meaning(entry: &Node) -> Node {
    let mut members: Vec<(String, Node)> = Vec::new();
    let mut add = |key: &str, node: Node| members.push((key.to_owned(), node));
    let is_command = match transport(entry) {
        Transport::Command(words) => {
            add("command", Node::List(words.iter().map(normal).collect()));
            true
        }
        Transport::Url(url) => {
            add("url", normal(&Node::Text(url)));
            false
        }
        Transport::None => false,
    };
    for (key, node) in entry.as_map().unwrap_or_default() {
        let key = match key.as_str() {
            "environment" | "envs" => "env",
            "http_headers" => "headers",
            "workingDirectory" => "cwd",
            key => key,
        };
        let holds_anyway = match key {
            "command" | "cmd" | "args" | "url" | "httpUrl" | "serverUrl" | "uri" | "name"
            | "description" | "bundled" | "source" | "hosts" => true,
            key if OF_THE_HOST.contains(&key) => true,
            "tools" => node.as_list() == Some(&[Node::Text("*".into())]),
            "type" | "transport" => !matches!(node.as_text(), Some("sse" | "ws" | "websocket")),
            "enabled" => *node == Node::Bool(true),
            "disabled" => *node == Node::Bool(false),
            // Under which name clients see it.
            "weir" => node.as_map().is_some_and(|own| own.iter().all(|(key, _)| key == "name")),
            _ => *node == Node::Null || node.is_empty(),
        };
        if !holds_anyway {
            add(key, normal(node));
        }
    }
    if is_command {
        members.retain(|(key, _)| key != "headers");
    }
    members.sort_by(|a, b| a.0.cmp(&b.0));
    Node::Map(members)
}

/// A value with its variables in one notation and its keys in order.
fn normal(node: &Node) -> Node {
    match node {
        Node::Text(text) => Node::Text(variables(text)),
        Node::List(items) => Node::List(items.iter().map(normal).collect()),
        Node::Map(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(key, node)| (key.clone(), normal(node))).collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            Node::Map(members)
        }
        leaf => leaf.clone(),
    }
}

/// `{env:NAME}` and `${env:NAME}` as `${NAME}`.
fn variables(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("{env:") {
        let head = &rest[..at];
        let Some(end) = rest[at..].find('}') else { break };
        out.push_str(head.strip_suffix('$').unwrap_or(head));
        out.push_str("${");
        out.push_str(&rest[at + 5..at + end]);
        out.push('}');
        rest = &rest[at + end + 1..];
    }
    out.push_str(rest);
    out
}

/// An entry as `servers.json` has it: what depends on the host's format or on the place of its file
/// is written so that it means the same there.
pub fn to_json_entry(server: &Server, format: Format, file: &Path) -> Node {
    let Node::Map(members) = &server.entry else { return server.entry.clone() };
    let mut members = members.clone();
    if matches!(server.place, Place::Listed(_)) {
        members.retain(|(key, _)| key != "name");
    }
    api_key_as_header(&mut members);
    let has = |key: &str| server.entry.get(key).is_some();
    if server.url_is_sse && has("url") && !has("type") && !has("httpUrl") {
        members.push(("type".into(), "sse".into()));
    }
    for (key, node) in &mut members {
        // Always seconds in YAML; in JSON milliseconds, unless it is small.
        if key == "timeout" && format == Format::Yaml {
            *key = "tool_timeout_sec".into();
        }
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        absolute_files(node, file.parent().unwrap_or(Path::new("")));
    }
    Node::Map(members)
}

/// Mistral Vibe names the variable with a key apart from the header that it goes into.
fn api_key_as_header(members: &mut Vec<(String, Node)>) {
    let mut take = |key: &str| {
        let at = members.iter().position(|(name, _)| name == key)?;
        members.remove(at).1.as_text().map(str::to_owned)
    };
    let (variable, header, form) =
        (take("api_key_env"), take("api_key_header"), take("api_key_format"));
    let Some(variable) = variable.filter(|variable| !variable.is_empty()) else { return };
    let form = form.unwrap_or_else(|| "Bearer {token}".into());
    let value = Node::Text(form.replace("{token}", &format!("${{{variable}}}")));
    let header = header.unwrap_or_else(|| "Authorization".into());
    match members.iter_mut().find(|(key, _)| key == "headers") {
        Some((_, Node::Map(headers))) => headers.push((header, value)),
        _ => members.push(("headers".into(), Node::Map(vec![(header, value)]))),
    }
}

/// `{file:./x}` with the directory that it is relative to.
fn absolute_files(node: &mut Node, directory: &Path) {
    match node {
        Node::Text(text) => {
            if let Some(at) = text.find("{file:")
                && let Some(end) = text[at..].find('}').map(|end| at + end)
            {
                let path = &text[at + 6..end];
                if !path.starts_with(['/', '~']) {
                    let path = directory.join(path.strip_prefix("./").unwrap_or(path));
                    text.replace_range(at + 6..end, &path.to_string_lossy());
                }
            }
        }
        Node::List(items) => items.iter_mut().for_each(|item| absolute_files(item, directory)),
        Node::Map(members) => {
            members.iter_mut().for_each(|(_, node)| absolute_files(node, directory));
        }
        _ => {}
    }
}
