//! What an agent host's own rules say of its servers. They go by a server's name in the host, so they hold nothing any
//! more once the server is behind the gateway.

use std::path::Path;

use wildmatch::WildMatch;

use super::entries::{Server, Transport, transport};
use super::file::Document;
use super::hosts::{Directories, ENTRY, Host, Scope};
use super::node::Node;

/// What an administrator sets for Claude Code on this machine.
const MANAGED: &str = if cfg!(target_os = "macos") {
    "/Library/Application Support/ClaudeCode/managed-settings.json"
} else if cfg!(windows) {
    r"C:\Program Files\ClaudeCode\managed-settings.json"
} else {
    "/etc/claude-code/managed-settings.json"
};

/// Files with rules beside the one with servers, as the hosts' documentation names them: of the user, of a project.
const FILES: [(&str, Scope, &[&str]); 2] = [
    (
        "claude-code",
        Scope::Named("CLAUDE_CONFIG_DIR", "settings.json", ".claude"),
        &[".claude/settings.json", ".claude/settings.local.json"],
    ),
    ("cursor", Scope::Home(".cursor/cli-config.json"), &[".cursor/cli.json"]),
];

/// Where servers are listed that must not run, and those that alone may.
const EXCLUDED: [&[&str]; 2] = [&["mcp", "excluded"], &["excludeMCPServers"]];
const ALLOWED: [&[&str]; 2] = [&["mcp", "allowed"], &["allowMCPServers"]];

/// Where tools are listed that must not be called, or not without a question.
const DENIED: [&[&str]; 2] = [&["permissions", "deny"], &["permissions", "ask"]];

/// Objects whose members switch tools by the start of their names.
const SWITCHES: [&str; 2] = ["tools", "permission"];

/// Rules for the tools of all servers, the gateway's among them.
const EVERYTHING: [&str; 4] = ["*", "mcp__*", "Mcp(*)", "Mcp(*:*)"];

/// The rules of one host.
#[derive(Debug, Default)]
pub struct OwnRules(Vec<Node>);

impl OwnRules {
    /// Those of the file with its servers, and of its other files that are there and can be read; of a project those
    /// in `project`.
    pub fn read(
        host: &Host,
        directories: &Directories,
        servers: &Node,
        project: &Path,
    ) -> OwnRules {
        let mut all = vec![servers.clone()];
        for (_, user, of_project) in FILES.iter().filter(|(name, ..)| *name == host.name) {
            let files = of_project.iter().map(|file| project.join(file));
            let files = files.chain([directories.path(*user)]);
            let managed = (host.name == "claude-code").then(|| MANAGED.into());
            let files = files.chain(managed);
            all.extend(files.filter_map(|file| Document::read(&file).ok()?.node().ok()));
        }
        OwnRules(all)
    }

    /// And those of another file.
    pub fn add(&mut self, servers: &Node) {
        self.0.push(servers.clone());
    }

    /// The rule by which the host does not start the gateway, or does not let the model call its tools, in words.
    pub fn block_gateway(&self) -> Option<String> {
        let all = |rule: &str| rule == "*" || covers(rule, &format!("{ENTRY}_"));
        self.0.iter().find_map(|node| {
            excluded(node, ENTRY)
                .map(|path| format!("{path} names {ENTRY}"))
                .or_else(|| {
                    let path = not_allowed(node, |listed| listed.contains(&ENTRY))?;
                    Some(format!(
                        "{path} lists the servers that may run, and {ENTRY} is none of them"
                    ))
                })
                .or_else(|| switched_off(node, &["deny"], all))
        })
    }

    /// The rule that this server would escape behind the gateway, in words. None where it may move.
    pub fn hold(&self, server: &Server) -> Option<String> {
        let name = server.name.as_str();
        let asks = |key: &str| matches!(server.entry.get(key), Some(Node::Text(_) | Node::Map(_)));
        if asks("default_tools_approval_mode") || asks("tools") {
            return Some("its entry says which of its tools need approval".to_owned());
        }
        self.0.iter().find_map(|node| held_by(node, name).or_else(|| managed(node, server)))
    }
}

/// The rule in a file that names a server.
fn held_by(node: &Node, name: &str) -> Option<String> {
    let projects = node.get("projects").and_then(Node::as_map).unwrap_or_default();
    if projects.iter().any(|(_, project)| texts(project, &["disabledMcpServers"]).contains(&name)) {
        return Some("it is switched off in a project".to_owned());
    }
    if let Some(path) = excluded(node, name) {
        return Some(format!("{path} names it"));
    }
    let both = |listed: &[&str]| listed.contains(&name) && listed.contains(&ENTRY);
    if let Some(path) = not_allowed(node, both) {
        return Some(format!("{path} lists the servers that may run, and not both it and {ENTRY}"));
    }
    let denied = |path: &&[&str]| {
        let rule = texts(node, path).into_iter().find(|rule| concerns(rule, name))?;
        Some(format!("{} has the rule {rule}", path.join(".")))
    };
    let start = format!("{name}_");
    let switched = || switched_off(node, &["deny", "ask"], |rule| covers(rule, &start));
    DENIED.iter().find_map(denied).or_else(switched)
}

/// The list of servers that must not run, where it names this one.
fn excluded(node: &Node, name: &str) -> Option<String> {
    let path = EXCLUDED.iter().find(|path| texts(node, path).contains(&name));
    path.map(|path| path.join("."))
}

/// The list of servers that alone may run, where there is one that is not as it should be.
fn not_allowed(node: &Node, is_good: impl Fn(&[&str]) -> bool) -> Option<String> {
    let is_bad = |listed: Vec<&str>| !listed.is_empty() && !is_good(&listed);
    let path = ALLOWED.iter().find(|path| is_bad(texts(node, path)));
    path.map(|path| path.join("."))
}

/// The rule that switches such tools off, by `false` or one of these words.
fn switched_off(node: &Node, words: &[&str], is_meant: impl Fn(&str) -> bool) -> Option<String> {
    let off = |value: &Node| {
        *value == Node::Bool(false) || value.as_text().is_some_and(|word| words.contains(&word))
    };
    SWITCHES.iter().find_map(|key| {
        let mut members = node.get(key)?.as_map()?.iter();
        let (rule, _) = members.find(|(rule, value)| off(value) && is_meant(rule))?;
        Some(format!("{key} has the rule {rule}"))
    })
}

/// The list of an administrator, as Claude Code has it, that keeps a server where it is.
fn managed(node: &Node, server: &Server) -> Option<String> {
    let matches = |rule: &Node, name: &str| {
        let text = |key: &str| rule.get(key).and_then(Node::as_text);
        text("serverName") == Some(name)
            || match transport(&server.entry) {
                Transport::Command(words) => {
                    rule.get("serverCommand").and_then(Node::as_list) == Some(&words[..])
                }
                Transport::Url(url) => {
                    text("serverUrl").is_some_and(|rule| WildMatch::new(rule).matches(&url))
                }
                Transport::None => false,
            }
    };
    let rules = |key: &str| node.get(key).and_then(Node::as_list);
    let denied = rules("deniedMcpServers").unwrap_or_default();
    if denied.iter().any(|rule| matches(rule, &server.name)) {
        return Some("deniedMcpServers has it".to_owned());
    }
    let allowed = rules("allowedMcpServers")?;
    let is_gateway = |rule: &Node| rule.get("serverName").and_then(Node::as_text) == Some(ENTRY);
    match allowed.iter().any(|rule| matches(rule, &server.name)) && allowed.iter().any(is_gateway) {
        true => None,
        false => Some(format!(
            "allowedMcpServers lists the servers that may run, and not both it and {ENTRY}"
        )),
    }
}

/// The texts of the list at these keys; none where there is no list.
fn texts<'n>(node: &'n Node, path: &[&str]) -> Vec<&'n str> {
    let list = node.at(path).and_then(Node::as_list).unwrap_or_default();
    list.iter().filter_map(Node::as_text).collect()
}

/// Whether a rule, as Claude Code or Cursor writes it, is about this server or a tool of it.
fn concerns(rule: &str, server: &str) -> bool {
    let usable = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain: String = server.chars().map(|c| if usable(c) { c } else { '_' }).collect();
    let names = [server, plain.as_str()];
    names.iter().any(|name| {
        let whole = [format!("mcp__{name}"), format!("Mcp({name})")];
        whole.contains(&rule.to_owned())
            || [format!("mcp__{name}__"), format!("mcp__{name}("), format!("Mcp({name}:")]
                .iter()
                .any(|start| covers(rule, start))
    })
}

/// Whether a rule may be about names that begin so. A rule for everything holds behind the gateway too.
fn covers(rule: &str, start: &str) -> bool {
    match rule.split_once('*') {
        _ if EVERYTHING.contains(&rule) => false,
        Some((head, _)) if start.starts_with(head) => true,
        _ => rule.starts_with(start),
    }
}

#[cfg(test)]
mod tests {
    use super::super::hosts::host;
    use super::*;

    /// Whether each of two servers is held, by a file of servers and a file of rules.
    fn held(name: &str, servers: &str, rules: Option<(&str, &str)>) -> [Option<String>; 2] {
        let home = tempfile::tempdir().unwrap();
        if let Some((file, text)) = rules {
            let file = home.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let host = host(name).unwrap();
        let file = home.path().join(if servers.starts_with('[') { "x.toml" } else { "x.json" });
        std::fs::write(&file, servers).unwrap();
        let node = Document::read(&file).unwrap().node().unwrap();
        let directories = Directories::new(home.path(), &|_| None);
        let own = OwnRules::read(host, &directories, &node, Path::new("/nowhere"));
        let found = host.servers_in(&file, &node);
        ["git hub", "mail"].map(|name| own.hold(found.iter().find(|s| s.name == name).unwrap()))
    }

    #[test]
    fn a_rule_that_keeps_the_gateway_out_is_told() {
        let blocked = |text: &str| {
            OwnRules(vec![super::super::format::Format::Json.read(text).unwrap()]).block_gateway()
        };
        for rules in [
            r#"{"mcp": {"allowed": ["gh"]}}"#,
            r#"{"allowMCPServers": ["gh"]}"#,
            r#"{"mcp": {"excluded": ["x", "weir"]}}"#,
            r#"{"excludeMCPServers": ["weir"]}"#,
            r#"{"tools": {"*": false}}"#,
            r#"{"permission": {"weir_*": "deny"}}"#,
        ] {
            assert!(blocked(rules).is_some(), "{rules}");
        }
        for rules in [
            "{}",
            r#"{"mcp": {"allowed": []}}"#,
            r#"{"mcp": {"allowed": ["gh", "weir"]}}"#,
            r#"{"mcp": {"excluded": ["weird"]}}"#,
            r#"{"tools": {"bash": false}, "permission": {"weir_*": "ask"}}"#,
        ] {
            assert_eq!(blocked(rules), None, "{rules}");
        }
    }

    #[test]
    fn a_server_that_a_rule_of_its_host_names_stays_there() {
        let two = r#""mcpServers": {"git hub": {"command": "a"}, "mail": {"command": "b"}}"#;
        let claude = |rules: &str| {
            let rules = (".claude/settings.json", rules);
            held("claude-code", &format!("{{{two}}}"), Some(rules)).map(|held| held.is_some())
        };
        for rule in ["mcp__git_hub__create", "mcp__git_hub", "mcp__git hub__create"] {
            let deny = format!(r#"{{"permissions": {{"deny": ["Bash(rm:*)", "{rule}"]}}}}"#);
            assert_eq!(claude(&deny), [true, false], "{rule}");
            assert_eq!(claude(&deny.replace("deny", "ask")), [true, false], "{rule}");
            // What is allowed is asked for, where the rule does not hold.
            assert_eq!(claude(&deny.replace("deny", "allow")), [false, false], "{rule}");
        }
        assert_eq!(claude(r#"{"permissions": {"deny": ["mcp__mailer"]}}"#), [false, false]);
        assert_eq!(claude(r#"{"permissions": {"deny": ["mcp__ma*"]}}"#), [false, true]);
        assert_eq!(claude(r#"{"permissions": {"deny": ["mcp__*"]}}"#), [false, false]);
        for malformed in ["not JSON", "", "[]", r#"{"permissions": {"deny": "mcp__mail"}}"#] {
            assert_eq!(claude(malformed), [false, false], "{malformed}");
        }

        let cursor =
            (".cursor/cli-config.json", r#"{"permissions": {"deny": ["Mcp(mail:send)"]}}"#);
        assert!(held("cursor", &format!("{{{two}}}"), Some(cursor))[1].is_some());
        let any = (".cursor/cli-config.json", r#"{"permissions": {"deny": ["Mcp(*:send)"]}}"#);
        assert!(held("cursor", &format!("{{{two}}}"), Some(any)).iter().all(Option::is_some));

        let of = |more: &str, name: &str| {
            held(name, &format!("{{{two}, {more}}}"), None).map(|held| held.is_some())
        };
        assert_eq!(of(r#""mcp": {"excluded": ["mail"]}"#, "gemini"), [false, true]);
        assert_eq!(of(r#""mcp": {"allowed": ["mail"]}"#, "gemini"), [true, true]);
        assert_eq!(of(r#""mcp": {"allowed": []}"#, "qwen"), [false, false]);
        assert_eq!(of(r#""mcp": {"allowed": ["mail", "weir"]}"#, "qwen"), [true, false]);
        assert_eq!(
            of(r#""projects": {"/p": {"disabledMcpServers": ["mail"]}}"#, "claude-code"),
            [false, true]
        );
        // What an administrator may set.
        let listed = |rules: &str| {
            let two = r#""git hub": {"type": "http", "url": "https://mcp.example.com/git"},
                "mail": {"command": "npx", "args": ["mail"]}"#;
            let rules = (".claude/settings.json", rules);
            held("claude-code", &format!(r#"{{"mcpServers": {{{two}}}}}"#), Some(rules))
                .map(|held| held.is_some())
        };
        assert_eq!(listed(r#"{"deniedMcpServers": [{"serverName": "mail"}]}"#), [false, true]);
        let command = r#"{"deniedMcpServers": [{"serverCommand": ["npx", "mail"]}, {"x": 1}, 7]}"#;
        assert_eq!(listed(command), [false, true]);
        let url = r#"{"deniedMcpServers": [{"serverUrl": "https://*.example.com/*"}]}"#;
        assert_eq!(listed(url), [true, false]);
        assert_eq!(listed(r#"{"allowedMcpServers": [{"serverName": "mail"}]}"#), [true, true]);
        let both = r#"{"allowedMcpServers": [{"serverName": "mail"}, {"serverName": "weir"}]}"#;
        assert_eq!(listed(both), [true, false]);
        assert_eq!(listed(r#"{"allowedMcpServers": []}"#), [true, true]);

        let codex = "[mcp_servers.\"git hub\"]\ncommand = \"a\"\n[mcp_servers.mail]\ncommand = \"b\"\n\
            default_tools_approval_mode = \"prompt\"\n";
        assert_eq!(held("codex", codex, None).map(|held| held.is_some()), [false, true]);
        let opencode = r#"{"mcp": {"git hub": {"command": ["a"]}, "mail": {"command": ["b"]}},
            "tools": {"mail_*": false, "git hub_x": true}}"#;
        assert_eq!(held("opencode", opencode, None).map(|held| held.is_some()), [false, true]);
    }
}
