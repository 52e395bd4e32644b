//! Before a call: shell commands that run through `weir run`, in hosts whose result hooks see only a
//! part of the output, or cannot put another text cleanly in its place.

use serde_json::{Value, json};

use super::command::{Output, output_of};
use super::entry::{Merge, hook_line, shell_line};
use super::event::{Object, items, quote, string};
use super::hosts::Host;
use crate::program::is_weir;

/// How long a host waits for the answer.
const SECONDS: u64 = 10;

/// Arguments of a shell tool by which a call goes on in the background, or on a terminal of its own.
const GOES_ON: [&str; 4] = ["run_in_background", "is_background", "background", "pty"];

/// What a hook before the call is for in a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// It keeps what the result hook cannot; this is what.
    Helps(&'static str),
    /// There is nothing to gain, or no way; this is why.
    No(&'static str),
}

/// Whether running commands through `weir run` helps in a host, and why.
#[must_use]
pub fn wrap(host: Host) -> Wrap {
    const ALL_OF_IT: &str = "its hook gets all of the output already";
    match host {
        Host::Codex => {
            Wrap::Helps("it cuts shell output to about 10,000 characters before the hook")
        }
        Host::Cline => {
            Wrap::Helps("it cuts shell output to about 48,000 characters before the hook")
        }
        Host::OpenClaw => {
            Wrap::Helps("it cuts shell output to about 100,000 characters before the hook")
        }
        Host::Hermes => {
            Wrap::Helps("it cuts shell output to about 50,000 characters before the hook")
        }
        Host::ClaudeCode => Wrap::Helps("its hook cannot replace the output of commands that fail"),
        Host::GeminiCli => Wrap::Helps("it shows what its hook puts in as an error"),
        Host::Cursor => Wrap::Helps("its hook cannot replace shell output"),
        Host::QwenCode => Wrap::No("its hook before a call cannot change the command"),
        Host::CopilotCli | Host::MistralVibe | Host::DockerAgent | Host::DockerMcp => {
            Wrap::No(ALL_OF_IT)
        }
        Host::OpenCode | Host::Kilo | Host::Pi | Host::GrokBuild => Wrap::No(ALL_OF_IT),
        Host::Qoder | Host::CodeBuddy | Host::Amp => {
            Wrap::No("no hook of it is known that changes a command before it runs")
        }
    }
}

/// Whether a host's commands can be run through `weir run`.
#[must_use]
pub fn is_known(host: Host) -> bool {
    matches!(wrap(host), Wrap::Helps(_))
}

/// The entry for it in hosts with command hooks; the others have it in their plugins. `command` is
/// the program and its arguments, as in `["/usr/bin/weir", "hook", "codex", "--wrap"]`.
#[must_use]
pub fn entry(host: Host, command: &[String]) -> Option<Merge> {
    let line = hook_line(command);
    let hook = json!({"type": "command", "command": line, "timeout": SECONDS});
    let group = |matcher: &str, hook: Value| json!({"matcher": matcher, "hooks": [hook]});
    let (file, event, item) = match host {
        Host::Codex => (".codex/hooks.json", "PreToolUse", group("^Bash$", hook)),
        Host::ClaudeCode => (".claude/settings.json", "PreToolUse", group("Bash", hook)),
        Host::GeminiCli => {
            let hook = json!({
                "name": "weir-run", "type": "command", "command": line, "timeout": SECONDS * 1000,
            });
            (".gemini/settings.json", "BeforeTool", group("run_shell_command", hook))
        }
        Host::Cursor => {
            let item = json!({"command": line, "matcher": "Shell", "timeout": SECONDS});
            (".cursor/hooks.json", "preToolUse", item)
        }
        _ => return None,
    };
    Some(Merge::of(file, vec!["hooks", event], item))
}

/// The answer to an event before a call of the shell: the same command, run by `run`, which takes a
/// line for a shell as its last word. `None` to let the command run as it is.
#[must_use]
pub fn answer(host: Host, event: &[u8], run: &[String]) -> Option<String> {
    let event = Object::of_event(event.to_vec())?;
    let mut input = call_of(host, &event)?;
    if GOES_ON.iter().any(|name| input.is_true(name)) {
        return None;
    }
    wrap_commands(&mut input, run)?;
    let input = input.to_json();
    Some(match host {
        // Without the word of allowance the host refuses the input.
        Host::Codex => format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{input}}}}}"#
        ),
        // Nothing of permissions: the host asks as its rules say.
        Host::ClaudeCode => format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","updatedInput":{input}}}}}"#
        ),
        Host::GeminiCli => format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"BeforeTool","tool_input":{input}}}}}"#
        ),
        Host::Cursor => format!(r#"{{"permission":"allow","updated_input":{input}}}"#),
        _ => format!(r#"{{"arguments":{input}}}"#),
    })
}

/// The arguments of a call of the shell, in an event of this host.
fn call_of(host: Host, event: &Object) -> Option<Object> {
    let is = |member, value| event.text(member).is_some_and(|text| text == value);
    let (ours, tool) = match host {
        Host::Codex => {
            (is("hook_event_name", "PreToolUse") && event.text("turn_id").is_some(), "Bash")
        }
        // Codex has turns; Cursor and Copilot run this host's files too, and name themselves.
        Host::ClaudeCode => (
            is("hook_event_name", "PreToolUse")
                && event.text("session_id").is_some()
                && ["turn_id", "cursor_version", "conversation_id", "timestamp"]
                    .iter()
                    .all(|name| event.raw(name).is_none()),
            "Bash",
        ),
        Host::GeminiCli => (is("hook_event_name", "BeforeTool"), "run_shell_command"),
        Host::Cursor => (
            is("hook_event_name", "preToolUse") && event.text("conversation_id").is_some(),
            "Shell",
        ),
        Host::Cline => (event.integer("weir") == Some(1), "run_commands"),
        Host::OpenClaw => (event.integer("weir") == Some(1), "exec"),
        Host::Hermes => (event.integer("weir") == Some(1), "terminal"),
        _ => return None,
    };
    let plugin = event.integer("weir").is_some();
    let (name, arguments) =
        if plugin { ("tool", "arguments") } else { ("tool_name", "tool_input") };
    if !ours || !is(name, tool) {
        return None;
    }
    event.object(arguments)
}

/// Puts `run` before each command; `None` when none is changed.
fn wrap_commands(input: &mut Object, run: &[String]) -> Option<()> {
    // A line of text, not the words of a command: those have been taken apart by another shell.
    if let Some(command) = input.present("command") {
        let wrapped = wrapped(&string(command)?, run)?;
        input.set(&["command"], quote(&wrapped));
        return Some(());
    }
    let commands = items(input.present("commands")?)?;
    let mut changed = false;
    let mut texts = Vec::new();
    for command in &commands {
        let line = string(command.get())?;
        let wrapped = wrapped(&line, run);
        changed |= wrapped.is_some();
        texts.push(wrapped.unwrap_or(line));
    }
    changed.then(|| input.set(&["commands"], json!(texts).to_string()))
}

/// A command run by `run`; `None` for one that stays as it is.
fn wrapped(line: &str, run: &[String]) -> Option<String> {
    if line.trim().is_empty() || ends_in_background(line) || runs_weir(line) {
        return None;
    }
    if output_of(line) != Output::Any {
        return None;
    }
    let mut words = run.to_vec();
    words.push(line.to_owned());
    Some(shell_line(&words))
}

/// Whether the shell would come back before the command ends.
fn ends_in_background(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with('&') && !line.ends_with("&&")
}

/// Whether a line runs this program: what it prints is short, or was asked for.
fn runs_weir(line: &str) -> bool {
    is_weir(line.split_whitespace().next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: &str = "echo 'a b' | wc -c";

    fn run(host: Host) -> Vec<String> {
        ["/opt/weir", "run", "--host", host.name(), "-c"].map(str::to_owned).into()
    }

    fn ran(host: Host) -> String {
        format!(r"/opt/weir run --host {} -c 'echo '\''a b'\'' | wc -c'", host.name())
    }

    /// What each host sends before a call of its shell, and the answer that it takes.
    fn goldens() -> Vec<(Host, Value, Value)> {
        let claude = |event: Value| {
            let mut event = event;
            event["hook_event_name"] = "PreToolUse".into();
            event["tool_name"] = "Bash".into();
            event["tool_input"] = json!({"command": ASKED, "later": 1.5});
            event
        };
        let plugin = |tool, arguments| json!({"weir": 1, "tool": tool, "arguments": arguments});
        vec![
            (
                Host::Codex,
                claude(json!({
                    "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": "/p",
                    "model": "m", "permission_mode": "default", "tool_use_id": "c",
                })),
                json!({"hookSpecificOutput": {
                    "hookEventName": "PreToolUse", "permissionDecision": "allow",
                    "updatedInput": {"command": ran(Host::Codex), "later": 1.5},
                }}),
            ),
            (
                Host::ClaudeCode,
                claude(json!({
                    "session_id": "s", "transcript_path": "/h/.claude/projects/p/s.jsonl",
                    "cwd": "/p", "prompt_id": "q", "permission_mode": "default", "tool_use_id": "c",
                })),
                json!({"hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "updatedInput": {"command": ran(Host::ClaudeCode), "later": 1.5},
                }}),
            ),
            (
                Host::GeminiCli,
                json!({
                    "session_id": "s", "transcript_path": "", "cwd": "/p",
                    "hook_event_name": "BeforeTool", "timestamp": "2026-11-22T22:00:00.000Z",
                    "tool_name": "run_shell_command",
                    "tool_input": {"command": ASKED, "description": "counts"},
                }),
                json!({"hookSpecificOutput": {
                    "hookEventName": "BeforeTool",
                    "tool_input": {"command": ran(Host::GeminiCli), "description": "counts"},
                }}),
            ),
            (
                Host::Cursor,
                json!({
                    "conversation_id": "c", "generation_id": "g", "model": "m",
                    "hook_event_name": "preToolUse", "cursor_version": "3.1.0",
                    "workspace_roots": ["/p"], "tool_name": "Shell", "tool_use_id": "t",
                    "tool_input": {"command": ASKED, "working_directory": "/p"}, "cwd": "/p",
                }),
                json!({
                    "permission": "allow",
                    "updated_input": {"command": ran(Host::Cursor), "working_directory": "/p"},
                }),
            ),
            (
                Host::Cline,
                plugin("run_commands", json!({"commands": [ASKED, "head -3 x"]})),
                json!({"arguments": {"commands": [ran(Host::Cline), "head -3 x"]}}),
            ),
            (
                Host::OpenClaw,
                plugin("exec", json!({"command": ASKED, "workdir": "/p"})),
                json!({"arguments": {"command": ran(Host::OpenClaw), "workdir": "/p"}}),
            ),
            (
                Host::Hermes,
                plugin("terminal", json!({"command": ASKED, "timeout": 60})),
                json!({"arguments": {"command": ran(Host::Hermes), "timeout": 60}}),
            ),
        ]
    }

    fn answered(host: Host, event: &Value) -> Option<Value> {
        let answer = answer(host, event.to_string().as_bytes(), &run(host))?;
        assert!(!answer.contains('\n'), "one line: {answer}");
        Some(serde_json::from_str(&answer).unwrap())
    }

    #[test]
    fn a_command_runs_through_weir_and_keeps_its_other_arguments() {
        for (host, event, wanted) in goldens() {
            assert_eq!(answered(host, &event), Some(wanted), "{host:?}");
        }
    }

    #[test]
    fn every_host_that_is_offered_it_has_a_golden_event_and_a_way_in() {
        let command = ["/opt/weir", "hook", "x", "--wrap"].map(str::to_owned);
        for host in Host::all() {
            let golden = goldens().iter().any(|(of, ..)| *of == host);
            let by_plugin = matches!(host, Host::Cline | Host::OpenClaw | Host::Hermes);
            assert_eq!(is_known(host), golden, "{host:?}");
            assert_eq!(is_known(host) && !by_plugin, entry(host, &command).is_some(), "{host:?}");
        }
    }

    #[test]
    fn the_event_of_one_host_is_nothing_to_the_others() {
        for (host, event, _) in goldens() {
            for other in Host::all().filter(|other| *other != host) {
                assert_eq!(answered(other, &event), None, "{other:?} answers {host:?}");
            }
        }
    }

    #[test]
    fn what_needs_no_excerpt_or_cannot_have_one_runs_as_it_is() {
        for (host, event, _) in goldens() {
            let name = if event.get("weir").is_some() { "arguments" } else { "tool_input" };
            for command in [
                json!("cat x | head -20"),
                json!("weir fetch abc --lines 1..9"),
                json!("/opt/weir run -c 'seq 1 9'"),
                json!("npm run dev &"),
                json!("  "),
                json!(["bash", "-lc", "seq 1 9"]),
                json!(5),
            ] {
                let mut event = event.clone();
                event[name] = json!({"command": command});
                assert_eq!(answered(host, &event), None, "{host:?}, {command}");
            }
            for flag in GOES_ON {
                let mut event = event.clone();
                event[name][flag] = true.into();
                assert_eq!(answered(host, &event), None, "{host:?}, {flag}");
            }
            for (member, value) in [
                ("hook_event_name", json!("PostToolUse")),
                ("tool_name", json!("apply_patch")),
                ("tool", json!("apply_patch")),
                (name, json!("seq 1 9")),
            ] {
                let mut event = event.clone();
                if event.get(member).is_none() {
                    continue;
                }
                event[member] = value;
                assert_eq!(answered(host, &event), None, "{host:?}, {member}");
            }
        }
    }
}
