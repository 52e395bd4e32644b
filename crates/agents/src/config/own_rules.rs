//! What an agent host's own rules say of its servers. They go by a server's name in the host, so they hold nothing any
//! more once the server is behind the gateway.

use std::path::Path;

use super::entries::Server;
use super::hosts::{Directories, Host, Scope};
use super::node::Node;

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
            all.extend(files.filter_map(|file| super::Document::read(&file).ok()?.node().ok()));
        }
        OwnRules(all)
    }

    /// And those of another file.
    pub fn add(&mut self, servers: &Node) {
        self.0.push(servers.clone());
    }

    /// Why a server has to stay with its host: behind the gateway it could be asked for what it cannot be asked for now.
    pub fn hold(&self, server: &Server) -> Option<String> {
        let name = server.name.as_str();
        let approvals = ["default_tools_approval_mode", "tools"].iter().any(|key| {
            server.entry.get(key).is_some_and(|rule| matches!(rule, Node::Text(_) | Node::Map(_)))
        });
        if approvals {
            return Some("its entry says which of its tools need approval".to_owned());
        }
        self.0.iter().find_map(|node| {
            let lists = |paths: &[&[&str]]| -> Vec<(String, Vec<String>)> {
                let list = |path: &&[&str]| {
                    let texts = node.at(path)?.as_list()?.iter().filter_map(Node::as_text);
                    Some((path.join("."), texts.map(str::to_owned).collect()))
                };
                paths.iter().filter_map(list).collect()
            };
            let projects = node.get("projects").and_then(Node::as_map).unwrap_or_default();
            let disabled = projects.iter().find(|(_, project)| {
                let list = project.get("disabledMcpServers").and_then(Node::as_list);
                list.unwrap_or_default().iter().any(|text| text.as_text() == Some(name))
            });
            if disabled.is_some() {
                return Some("it is switched off in a project".to_owned());
            }
            for (path, names) in lists(&EXCLUDED) {
                if names.iter().any(|known| known == name) {
                    return Some(format!("{path} names it"));
                }
            }
            for (path, names) in lists(&ALLOWED) {
                if !names.is_empty() {
                    let is = if names.iter().any(|known| known == name) { "" } else { " not" };
                    return Some(format!(
                        "{path} says which servers run, and it is{is} among them"
                    ));
                }
            }
            for (path, rules) in lists(&DENIED) {
                if let Some(rule) = rules.iter().find(|rule| concerns(rule, name)) {
                    return Some(format!("{path} has the rule {rule}"));
                }
            }
            SWITCHES.iter().find_map(|key| {
                let mut members = node.get(key)?.as_map()?.iter();
                let (tool, _) = members.find(|(tool, value)| {
                    let rest = tool.strip_prefix(name);
                    let off = *value == Node::Bool(false)
                        || matches!(value.as_text(), Some("deny" | "ask"));
                    off && rest.is_some_and(|rest| rest.starts_with(['_', '*']))
                })?;
                Some(format!("{key} has the rule {tool}"))
            })
        })
    }
}

/// Whether a rule, as Claude Code or Cursor writes it, is about this server or a tool of it.
fn concerns(rule: &str, server: &str) -> bool {
    let usable = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain: String = server.chars().map(|c| if usable(c) { c } else { '_' }).collect();
    let of_claude = rule
        .strip_prefix("mcp__")
        .and_then(|rest| rest.strip_prefix(server).or_else(|| rest.strip_prefix(&plain)))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("__") || rest.starts_with('('));
    let of_cursor = rule
        .strip_prefix("Mcp(")
        .and_then(|rest| rest.strip_prefix(server))
        .is_some_and(|rest| rest.starts_with([':', ')']));
    of_claude || of_cursor
}

#[cfg(test)]
mod tests {
    use super::super::Document;
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
        assert_eq!(claude("not JSON"), [false, false]);

        let cursor =
            (".cursor/cli-config.json", r#"{"permissions": {"deny": ["Mcp(mail:send)"]}}"#);
        assert!(held("cursor", &format!("{{{two}}}"), Some(cursor))[1].is_some());

        let of = |more: &str, name: &str| {
            held(name, &format!("{{{two}, {more}}}"), None).map(|held| held.is_some())
        };
        assert_eq!(of(r#""mcp": {"excluded": ["mail"]}"#, "gemini"), [false, true]);
        assert_eq!(of(r#""mcp": {"allowed": ["mail"]}"#, "gemini"), [true, true]);
        assert_eq!(of(r#""mcp": {"allowed": []}"#, "qwen"), [false, false]);
        assert_eq!(
            of(r#""projects": {"/p": {"disabledMcpServers": ["mail"]}}"#, "claude-code"),
            [false, true]
        );
        let codex = "[mcp_servers.\"git hub\"]\ncommand = \"a\"\n[mcp_servers.mail]\ncommand = \"b\"\n\
            default_tools_approval_mode = \"prompt\"\n";
        assert_eq!(held("codex", codex, None).map(|held| held.is_some()), [false, true]);
        let opencode = r#"{"mcp": {"git hub": {"command": ["a"]}, "mail": {"command": ["b"]}},
            "tools": {"mail_*": false, "git hub_x": true}}"#;
        assert_eq!(held("opencode", opencode, None).map(|held| held.is_some()), [false, true]);
    }
}
