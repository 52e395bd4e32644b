//! Before a call: shell commands that run through `weir run`, in hosts that cut output before their
//! other hooks see it.

use super::command::{Output, output_of};
use super::entry::{Merge, shell_line};
use super::event::{Object, string};
use super::{Host, quote};

/// How long a host waits for the answer.
const SECONDS: u64 = 10;

/// Whether there is a hook before the call in a host that needs one.
#[must_use]
pub fn is_known(host: Host) -> bool {
    host == Host::Codex
}

/// The entry for it. `command` is the program and its arguments, as in
/// `["/usr/bin/weir", "hook", "codex", "--wrap"]`.
#[must_use]
pub fn entry(host: Host, command: &[String]) -> Option<Merge> {
    let hook = serde_json::json!({
        "type": "command", "command": shell_line(command), "timeout": SECONDS,
    });
    let item = serde_json::json!({"matcher": "^Bash$", "hooks": [hook]});
    is_known(host).then(|| Merge {
        file: ".codex/hooks.json",
        append: vec![(vec!["hooks", "PreToolUse"], item)],
        append_if_there: Vec::new(),
        set: Vec::new(),
    })
}

/// The answer to an event before a call of the shell: the same command, run by `run`, which takes a
/// line for a shell as its last word. `None` to let the command run as it is.
#[must_use]
pub fn answer(host: Host, event: &[u8], run: &[String]) -> Option<String> {
    let event = Object::parse_slice(event)?;
    let is_codex =
        event.text("hook_event_name")? == "PreToolUse" && event.text("turn_id").is_some();
    if !is_known(host) || !is_codex || event.text("tool_name")? != "Bash" {
        return None;
    }
    let mut input = event.object("tool_input")?;
    // A line of text, not the words of a command: those have been taken apart by another shell.
    let line = string(input.present("command")?)?;
    if line.trim().is_empty() || ends_in_background(&line) || runs_weir(&line) {
        return None;
    }
    if output_of(&line) != Output::Any {
        return None;
    }
    let mut words = run.to_vec();
    words.push(line);
    input.set(&["command"], quote(&shell_line(&words)));
    Some(format!(
        r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{}}}}}"#,
        input.to_json()
    ))
}

/// Whether the shell would come back before the command ends.
fn ends_in_background(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with('&') && !line.ends_with("&&")
}

/// Whether a line runs this program: what it prints is short, or was asked for.
fn runs_weir(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let name = first.trim_matches(['\'', '"']).rsplit(['/', '\\']).next().unwrap_or_default();
    matches!(name, "weir" | "weir.exe")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn event(command: &Value) -> Value {
        json!({
            "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": "/p",
            "hook_event_name": "PreToolUse", "model": "m", "permission_mode": "default",
            "tool_name": "Bash", "tool_input": {"command": command, "later": 1.50},
            "tool_use_id": "c",
        })
    }

    fn wrapped(event: &Value) -> Option<Value> {
        let run = ["/opt/weir", "run", "--host", "codex", "-c"].map(str::to_owned);
        let answer = answer(Host::Codex, event.to_string().as_bytes(), &run)?;
        Some(serde_json::from_str(&answer).unwrap())
    }

    #[test]
    fn a_command_runs_through_weir_and_keeps_its_other_arguments() {
        assert_eq!(
            wrapped(&event(&json!("echo 'a b' | wc -c"))).unwrap(),
            json!({"hookSpecificOutput": {
                "hookEventName": "PreToolUse", "permissionDecision": "allow",
                "updatedInput": {
                    "command": r"/opt/weir run --host codex -c 'echo '\''a b'\'' | wc -c'",
                    "later": 1.5,
                },
            }})
        );
    }

    #[test]
    fn what_needs_no_excerpt_or_cannot_have_one_runs_as_it_is() {
        for command in [
            json!("cat x | head -20"),
            json!("weir fetch abc --lines 1..9"),
            json!("/opt/weir run -c 'seq 1 9'"),
            json!("npm run dev &"),
            json!("  "),
            json!(["bash", "-lc", "seq 1 9"]),
            json!(5),
        ] {
            assert_eq!(wrapped(&event(&command)), None, "{command}");
        }
        let line = json!("seq 1 9");
        for (name, value) in [
            ("hook_event_name", json!("PostToolUse")),
            ("tool_name", json!("apply_patch")),
            ("turn_id", Value::Null),
            ("tool_input", json!("seq 1 9")),
        ] {
            let mut event = event(&line);
            event[name] = value;
            assert_eq!(wrapped(&event), None, "{name}");
        }
        let other = answer(Host::ClaudeCode, event(&line).to_string().as_bytes(), &[]);
        assert_eq!(other, None);
    }
}
