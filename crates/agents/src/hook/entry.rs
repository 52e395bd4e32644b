//! The hook's entry in a host's configuration: what to merge, and where. Merging is for whoever
//! edits files; here are values only.

use std::time::Duration;

use serde_json::{Value, json};

use super::command::words;
use super::hosts::Host;
use super::resumed::{EVENT, SOURCES};
use crate::program::is_weir;

/// How long a host waits for the hook.
const SECONDS: u64 = 15;

/// How long the hook itself takes before it gives up and leaves the result: less than a host waits for any
/// of its entries, and than the plugins do.
pub const PATIENCE: Duration = Duration::from_secs(8);

/// What a POSIX shell does with the words after it, so that whatever becomes of the program, the host gets
/// either its whole answer or nothing, and a success. A program that is gone, cannot be run, is killed or
/// fails has no answer; nor has one whose answer is not one JSON object.
///
/// By `exec` the host's own process is that shell: a host that has waited enough ends it, and nothing else
/// holds its pipes.
const GUARD: [&str; 5] = [
    "exec",
    "sh",
    "-c",
    r#"exec 2>/dev/null; o=$("$@") && case $o in "{"*"}") printf "%s\n" "$o";; esac; exit 0"#,
    "weir",
];

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

impl Merge {
    /// One item for one list.
    pub(super) fn of(file: &'static str, path: Vec<&'static str>, item: Value) -> Merge {
        Merge { file, append: vec![(path, item)], append_if_there: Vec::new(), set: Vec::new() }
    }
}

/// A file of Weir's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFile {
    /// Where it goes, below the user's home.
    pub path: &'static str,
    /// What it holds.
    pub text: String,
}

/// What a host needs so that it runs the hook.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Files of Weir's own: undoing removes them.
    pub files: Vec<OwnFile>,
    /// A change of a file that others write too.
    pub merge: Option<Merge>,
}

/// The entry for a host with command hooks; `None` for hosts with plugins. `command` is the program
/// and its arguments, as in `["/usr/bin/weir", "hook", "codex"]`.
#[must_use]
pub fn entry(host: Host, command: &[String]) -> Option<Entry> {
    let line = hook_line(command);
    let hook = json!({"type": "command", "command": line, "timeout": SECONDS});
    let hooks = |file, event, matcher: &str, hook: &Value| {
        let item = json!({"matcher": matcher, "hooks": [hook]});
        Merge::of(file, vec!["hooks", event], item)
    };
    // The same line at the start of what follows a compaction.
    let resuming = |mut merge: Merge, hook: &Value| {
        let item = json!({"matcher": SOURCES.join("|"), "hooks": [hook]});
        merge.append.push((vec!["hooks", EVENT], item));
        merge
    };
    let claude = |file| hooks(file, "PostToolUse", "*", &hook);
    let named =
        json!({"name": "weir", "type": "command", "command": line, "timeout": SECONDS * 1000});
    let merge = match host {
        Host::ClaudeCode => {
            let mut merge = resuming(claude(".claude/settings.json"), &hook);
            // Reading a stored result back needs no question: it was shown to the model in part.
            let allowed = match command.iter().position(|word| word == "--reader") {
                Some(at) => {
                    vec![format!("mcp__weir__{}", command.get(at + 1).map_or("", |tool| tool))]
                }
                // Excerpts name the program by its place where the path does not lead to it.
                None => ["weir", command.first().map_or("weir", |program| program)]
                    .map(|program| format!("Bash({program} fetch:*)"))
                    .into(),
            };
            let allowed = allowed.into_iter().map(Value::from);
            merge.append.extend(allowed.map(|rule| (vec!["permissions", "allow"], rule)));
            merge
        }
        Host::Qoder => claude(".qoder/settings.json"),
        Host::CodeBuddy => claude(".codebuddy/settings.json"),
        Host::Codex => resuming(hooks(".codex/hooks.json", "PostToolUse", ".*", &hook), &hook),
        Host::GeminiCli => hooks(".gemini/settings.json", "AfterTool", ".*", &named),
        Host::QwenCode => {
            resuming(hooks(".qwen/settings.json", "PostToolUse", ".*", &named), &named)
        }
        Host::Cursor => {
            let item = json!({"command": line, "timeout": SECONDS});
            let set = vec![(vec!["version"], json!(1))];
            Merge { set, ..Merge::of(".cursor/hooks.json", vec!["hooks", "postToolUse"], item) }
        }
        Host::MistralVibe => {
            let item = json!({
                "name": "weir", "type": "post_tool", "match": "*", "command": line,
                "timeout": SECONDS as f64,
            });
            Merge::of(".vibe/hooks.toml", vec!["hooks"], item)
        }
        Host::CopilotCli => {
            let hook = json!({"type": "command", "bash": line, "timeoutSec": SECONDS});
            let hooks = json!({"version": 1, "hooks": {"postToolUse": [hook]}});
            return Some(own(".copilot/hooks/weir.json", &hooks));
        }
        Host::GrokBuild => {
            let item = json!({"matcher": "*", "hooks": [hook]});
            return Some(own(".grok/hooks/weir.json", &json!({"hooks": {"PostToolUse": [item]}})));
        }
        _ => return None,
    };
    Some(Entry { files: Vec::new(), merge: Some(merge) })
}

/// The line by which a host runs the hook: one that cannot fail, where there is a POSIX shell.
#[must_use]
pub fn hook_line(command: &[String]) -> String {
    if cfg!(windows) {
        return shell_line(command);
    }
    let guard = GUARD.map(str::to_owned);
    shell_line(&[&guard[..], command].concat())
}

/// A line of a host's configuration that runs the hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookLine {
    /// The program, `hook`, the host, and options.
    pub words: Vec<String>,
    /// Whether it is written so that it cannot fail, in the way of this version.
    pub is_guarded: bool,
}

impl HookLine {
    /// Reads a line, of whatever version and path of the program; `None` for any other line.
    #[must_use]
    pub fn read(line: &str) -> Option<HookLine> {
        let mut words = words(line, false);
        let is_guarded = words.starts_with(&GUARD.map(str::to_owned));
        // Guards of other versions have another text.
        if words.first().is_some_and(|word| word == "exec") {
            words.remove(0);
        }
        if matches!(&words[..], [sh, c, _, name, ..] if sh == "sh" && c == "-c" && name == "weir") {
            words.drain(..4);
        }
        match &words[..] {
            [program, hook, host, ..]
                if is_weir(program) && hook == "hook" && Host::parse(host).is_some() =>
            {
                Some(HookLine { words, is_guarded: is_guarded || cfg!(windows) })
            }
            _ => None,
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

fn own(path: &'static str, value: &Value) -> Entry {
    Entry { files: vec![OwnFile { path, text: format!("{value:#}\n") }], merge: None }
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
