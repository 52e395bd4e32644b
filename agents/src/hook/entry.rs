//! The hook's entry in a host's configuration: what to merge, and where. Merging is for whoever
//! edits files; here are values only.

use serde_json::{Value, json};

use super::hosts::Host;
use crate::program::is_weir;

/// How long a host waits for the hook: the first one after an update compiles the component.
const SECONDS: u64 = 30;

/// A change of a configuration file, in the format that the file has.
#[derive(Debug, Clone, PartialEq)]
pub struct Merge {
    /// The file, below the user's home.
    pub file: &'static str,
    /// Items to append to lists, which are made where they are missing.
    pub append: Vec<(Vec<&'static str>, Value)>,
    /// Items to append to lists that are there already.
    pub append_if_there: Vec<(Vec<&'static str>, Value)>,
    /// Members to set where they are missing.
    pub set: Vec<(Vec<&'static str>, Value)>,
}

/// How a host is told of the hook.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// By an entry in a file that others write too.
    Merge(Merge),
    /// By a file of the hook's own, below the user's home.
    OwnFile {
        /// The file.
        file: &'static str,
        /// What it holds.
        text: String,
    },
}

/// The entry for a host with command hooks; `None` for hosts with plugins. `command` is the program
/// and its arguments, as in `["/usr/bin/weir", "hook", "codex"]`.
#[must_use]
pub fn entry(host: Host, command: &[String]) -> Option<Entry> {
    let line = shell_line(command);
    let claude = |file| {
        let hook = json!({"type": "command", "command": line, "timeout": SECONDS});
        merge(file, vec!["hooks", "PostToolUse"], json!({"matcher": "*", "hooks": [hook]}), vec![])
    };
    Some(match host {
        Host::ClaudeCode => {
            let mut entry = claude(".claude/settings.json");
            // Reading a stored result back needs no question: it was shown to the model in part.
            let allowed = match command.iter().position(|word| word == "--reader") {
                Some(at) => format!("mcp__weir__{}", command.get(at + 1).map_or("", |tool| tool)),
                None => "Bash(weir fetch:*)".to_owned(),
            };
            if let Entry::Merge(merge) = &mut entry {
                merge.append.push((vec!["permissions", "allow"], Value::from(allowed)));
            }
            entry
        }
        Host::Qoder => claude(".qoder/settings.json"),
        Host::CodeBuddy => claude(".codebuddy/settings.json"),
        Host::Codex => {
            let hook = json!({"type": "command", "command": line, "timeout": SECONDS});
            let item = json!({"matcher": ".*", "hooks": [hook]});
            merge(".codex/hooks.json", vec!["hooks", "PostToolUse"], item, vec![])
        }
        Host::GeminiCli => {
            let hook = json!({"name": "weir", "type": "command", "command": line, "timeout": SECONDS * 1000});
            let item = json!({"matcher": ".*", "hooks": [hook]});
            merge(".gemini/settings.json", vec!["hooks", "AfterTool"], item, vec![])
        }
        Host::QwenCode => {
            let hook = json!({"name": "weir", "type": "command", "command": line, "timeout": SECONDS * 1000});
            let item = json!({"matcher": ".*", "hooks": [hook]});
            merge(".qwen/settings.json", vec!["hooks", "PostToolUse"], item, vec![])
        }
        Host::Cursor => {
            let item = json!({"command": line, "timeout": SECONDS});
            let version = vec![(vec!["version"], json!(1))];
            merge(".cursor/hooks.json", vec!["hooks", "postToolUse"], item, version)
        }
        Host::MistralVibe => {
            let item = json!({
                "name": "weir", "type": "post_tool", "match": "*", "command": line,
                "timeout": SECONDS as f64,
            });
            merge(".vibe/hooks.toml", vec!["hooks"], item, vec![])
        }
        Host::CopilotCli => {
            let hook = json!({"type": "command", "bash": line, "timeoutSec": SECONDS});
            own(
                ".copilot/hooks/weir.json",
                &json!({"version": 1, "hooks": {"postToolUse": [hook]}}),
            )
        }
        Host::GrokBuild => {
            let hook = json!({"type": "command", "command": line, "timeout": SECONDS});
            let item = json!({"matcher": "*", "hooks": [hook]});
            own(".grok/hooks/weir.json", &json!({"hooks": {"PostToolUse": [item]}}))
        }
        _ => return None,
    })
}

/// Whether a command line is one of the hook's, whatever the path of the program.
#[must_use]
pub fn is_ours(line: &str) -> bool {
    let Some((program, rest)) = line.split_once(" hook ") else { return false };
    let host = rest.split_whitespace().next().unwrap_or_default();
    is_weir(program) && Host::parse(host).is_some()
}

fn merge(
    file: &'static str,
    path: Vec<&'static str>,
    item: Value,
    set: Vec<(Vec<&'static str>, Value)>,
) -> Entry {
    Entry::Merge(Merge { file, append: vec![(path, item)], append_if_there: Vec::new(), set })
}

fn own(file: &'static str, value: &Value) -> Entry {
    Entry::OwnFile { file, text: format!("{value:#}\n") }
}

/// A command as a line for a POSIX shell. Words that need no quotes get none.
#[must_use]
pub fn shell_line(command: &[String]) -> String {
    let word = |word: &String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:@%=,".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            return word.clone();
        }
        format!("'{}'", word.replace('\'', r"'\''"))
    };
    command.iter().map(word).collect::<Vec<_>>().join(" ")
}
