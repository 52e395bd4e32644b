//! Golden events: what each host sends, and the one answer that it takes.

use serde_json::{Value, json};

use super::*;

const TEXT: &str = "THE EXCERPT";

fn task(host: Host, event: &Value) -> Task {
    match decide(host, event.to_string().as_bytes()) {
        Decision::Transform(task) => *task,
        other => panic!("{host:?}: {other:?}"),
    }
}

fn left(host: Host, event: &Value) -> Reason {
    match decide(host, event.to_string().as_bytes()) {
        Decision::Leave(reason) => reason,
        other => panic!("{host:?}: {other:?}"),
    }
}

fn answered(host: Host, event: &Value) -> Value {
    let answer = task(host, event).answer(&[TEXT.to_owned()]);
    assert!(!answer.contains('\n'), "one line: {answer}");
    serde_json::from_str(&answer).unwrap()
}

/// The event with members of one object in it changed.
fn with(event: &Value, pointer: &str, value: Value) -> Value {
    let mut event = event.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    event.pointer_mut(parent).unwrap()[name] = value;
    event
}

fn claude_bash() -> Value {
    json!({
        "session_id": "s", "transcript_path": "/h/.claude/projects/p/s.jsonl", "cwd": "/p",
        "permission_mode": "default", "hook_event_name": "PostToolUse", "tool_name": "Bash",
        "tool_input": {"command": "seq 1 9"}, "tool_use_id": "t", "duration_ms": 5,
        "tool_response": {
            "stdout": "1\n2\n3", "stderr": "", "interrupted": false, "isImage": false,
            "noOutputExpected": false, "later": 1.50
        },
    })
}

#[test]
fn claude_code_gets_its_object_back_with_another_stdout() {
    let event = claude_bash();
    assert_eq!(
        answered(Host::ClaudeCode, &event),
        json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": {
            "stdout": TEXT, "stderr": "", "interrupted": false, "isImage": false,
            "noOutputExpected": false, "later": 1.5
        }}})
    );
    let task = task(Host::ClaudeCode, &event);
    assert_eq!(task.texts, ["1\n2\n3"]);
    assert_eq!((task.tool.as_str(), task.directory.clone()), ("Bash", Some("/p".into())));
    assert_eq!(task.arguments.as_deref(), Some(r#"{"command":"seq 1 9"}"#));
    // The number keeps its digits.
    assert!(task.answer(&[TEXT.into()]).contains(r#""later":1.5"#));
}

#[test]
fn claude_code_output_in_a_file_is_read_there_and_its_keys_go() {
    let mut event = with(&claude_bash(), "/tool_response/persistedOutputPath", json!("/t/x.txt"));
    event["tool_response"]["persistedOutputSize"] = json!(100_000);
    let task = task(Host::ClaudeCode, &event);
    assert_eq!(
        task.file,
        Some(Spilled {
            path: "/t/x.txt".into(),
            bytes: Some(100_000),
            shown: Shown::Start("1\n2\n3".into())
        })
    );
    assert_eq!(task.bytes(), 100_000);
    let answer: Value = serde_json::from_str(&task.answer(&[TEXT.into()])).unwrap();
    let output = &answer["hookSpecificOutput"]["updatedToolOutput"];
    assert_eq!(output["stdout"], TEXT);
    assert!(output.get("persistedOutputPath").is_none(), "{output}");
    assert!(output.get("persistedOutputSize").is_none(), "{output}");
}

#[test]
fn claude_code_mcp_blocks_stay_blocks_and_images_stay_images() {
    let mut event = claude_bash();
    event["tool_name"] = json!("mcp__m__big");
    event["tool_response"] = json!([
        {"type": "text", "text": "a"}, {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "text", "text": "b", "annotations": {"x": 1}}
    ]);
    let found = task(Host::ClaudeCode, &event);
    assert_eq!(found.toolset.as_deref(), Some("m"));
    assert_eq!(found.tool, "big");
    assert_eq!(found.texts, ["a", "b"]);
    let answer: Value = serde_json::from_str(&found.answer(&["A".into(), "B".into()])).unwrap();
    assert_eq!(
        answer["hookSpecificOutput"]["updatedToolOutput"],
        json!([
            {"type": "text", "text": "A"}, {"type": "image", "data": "AA==", "mimeType": "image/png"},
            {"type": "text", "text": "B", "annotations": {"x": 1}}
        ])
    );
    // All text as one: the first block has it.
    let answer: Value =
        serde_json::from_str(&task(Host::ClaudeCode, &event).answer(&["A".into()])).unwrap();
    let blocks = answer["hookSpecificOutput"]["updatedToolOutput"].as_array().unwrap().clone();
    assert_eq!(blocks.len(), 2);
    assert_eq!(blocks[0]["text"], "A");
    assert_eq!(blocks[1]["type"], "image");
}

#[test]
fn claude_code_results_that_are_no_plain_output_are_left_alone() {
    let event = claude_bash();
    let cases = [
        (with(&event, "/tool_response/interrupted", json!(true)), Reason::Failed),
        (with(&event, "/tool_response/isImage", json!(true)), Reason::Image),
        (with(&event, "/tool_response/backgroundTaskId", json!("b1")), Reason::Background),
        (with(&event, "/tool_input/run_in_background", json!(true)), Reason::Background),
        (with(&event, "/tool_input/command", json!("cat x | head -50")), Reason::RangedRead),
        (with(&event, "/tool_input/command", json!("weir fetch abc --lines 1..9")), Reason::Ours),
        (with(&event, "/tool_name", json!("mcp__weir__tool_call")), Reason::Ours),
        (with(&event, "/hook_event_name", json!("PostToolUseFailure")), Reason::Event),
        (with(&event, "/tool_response", json!("a string")), Reason::Shape),
        (with(&event, "/tool_response", json!({"llmContent": "x"})), Reason::Foreign),
        (with(&event, "/cursor_version", json!("3")), Reason::Foreign),
        (with(&event, "/turn_id", json!("3")), Reason::Foreign),
        (with(&event, "/tool_name", json!("Task")), Reason::NoText),
    ];
    for (event, reason) in cases {
        assert_eq!(left(Host::ClaudeCode, &event), reason, "{event}");
    }
}

#[test]
fn a_whole_file_is_replaced_and_a_part_of_one_is_not() {
    let mut event = claude_bash();
    event["tool_name"] = json!("Read");
    event["tool_input"] = json!({"file_path": "/p/a"});
    event["tool_response"] = json!({"type": "text", "file": {
        "filePath": "/p/a", "content": "x\ny", "numLines": 2, "startLine": 1, "totalLines": 2}});
    let answer = answered(Host::ClaudeCode, &event);
    assert_eq!(
        answer["hookSpecificOutput"]["updatedToolOutput"],
        json!({"type": "text", "file": {
            "filePath": "/p/a", "content": TEXT, "numLines": 2, "startLine": 1, "totalLines": 2}})
    );
    for range in ["offset", "limit"] {
        let event = with(&event, &format!("/tool_input/{range}"), json!(5));
        assert_eq!(left(Host::ClaudeCode, &event), Reason::RangedRead);
    }
    let event = with(&event, "/tool_response/file/totalLines", json!(9));
    assert_eq!(left(Host::ClaudeCode, &event), Reason::RangedRead);
}

fn codex_bash() -> Value {
    json!({
        "session_id": "s", "turn_id": "t", "transcript_path": "/h/.codex/s.jsonl", "cwd": "/p",
        "hook_event_name": "PostToolUse", "model": "m", "permission_mode": "default",
        "tool_name": "Bash", "tool_input": {"command": "seq 1 20000"}, "tool_use_id": "c",
        "tool_response": "Warning: truncated output (original token count: 27224)\nTotal output lines: 20000\n\n1\n2",
    })
}

#[test]
fn codex_gets_three_keys_and_no_other() {
    let of_program = with(&codex_bash(), "/tool_use_id", json!("exec-6b1f8c1e-2f"));
    assert_eq!(left(Host::Codex, &of_program), Reason::Program);
    let answer = answered(Host::Codex, &codex_bash());
    let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["continue", "reason", "stopReason"]);
    assert_eq!(answer["continue"], json!(false));
    assert_eq!(answer["reason"], TEXT);
    assert!(!answer["stopReason"].as_str().unwrap().contains('\n'));
}

#[test]
fn text_that_codex_has_cut_is_known_as_cut() {
    assert!(task(Host::Codex, &codex_bash()).already_cut);
    let whole = with(&codex_bash(), "/tool_response", json!("1\n2\n3\n"));
    assert!(!task(Host::Codex, &whole).already_cut);
    assert_eq!(left(Host::Codex, &with(&whole, "/tool_response", json!(""))), Reason::NoText);
}

#[test]
fn codex_mcp_results_become_one_text_unless_they_failed_or_hold_more() {
    let mut event = codex_bash();
    event["tool_name"] = json!("mcp__m__big");
    event["tool_response"] = json!({"content": [{"type": "text", "text": "a"}], "isError": false});
    assert_eq!(answered(Host::Codex, &event)["reason"], TEXT);
    assert_eq!(
        left(Host::Codex, &with(&event, "/tool_response/isError", json!(true))),
        Reason::Failed
    );
    let image = json!([{"type": "text", "text": "a"}, {"type": "image", "data": ""}]);
    assert_eq!(left(Host::Codex, &with(&event, "/tool_response/content", image)), Reason::Image);
}

fn copilot_bash() -> Value {
    json!({
        "sessionId": "s", "timestamp": 1, "cwd": "/p", "toolName": "bash",
        "toolArgs": {"command": "seq 1 9", "description": "d"},
        "toolResult": {"resultType": "success",
            "textResultForLlm": "1\n2\n<shellId: 0 completed with exit code 1>", "extra": [1]},
    })
}

#[test]
fn copilot_keeps_the_line_that_says_how_the_command_ended() {
    assert_eq!(
        answered(Host::CopilotCli, &copilot_bash()),
        json!({"modifiedResult": {"resultType": "success", "extra": [1],
            "textResultForLlm": format!("{TEXT}\n<shellId: 0 completed with exit code 1>")}})
    );
    let found = task(Host::CopilotCli, &copilot_bash());
    assert_eq!(found.texts, ["1\n2"]);
    assert!(found.is_error);
    let failed = with(&copilot_bash(), "/toolResult/resultType", json!("failure"));
    assert_eq!(left(Host::CopilotCli, &failed), Reason::Failed);
}

#[test]
fn copilot_names_the_file_of_what_is_too_large_for_it() {
    let preview = "Output too large to read at once (106.3 KB). Saved to: /tmp/123-copilot-tool-output-x.txt\n\nPreview:\n1\n2\n<shellId: 0 completed with exit code 0>";
    let event = with(&copilot_bash(), "/toolResult/textResultForLlm", json!(preview));
    let found = task(Host::CopilotCli, &event);
    let file = found.file.as_ref().unwrap();
    assert_eq!(file.path, std::path::Path::new("/tmp/123-copilot-tool-output-x.txt"));
    assert!(!found.is_error);
    // A text that only talks of it names no file.
    let event =
        with(&copilot_bash(), "/toolResult/textResultForLlm", json!(format!("x\n{preview}")));
    assert!(task(Host::CopilotCli, &event).file.is_none());
}

#[test]
fn copilot_running_the_files_of_claude_code_gets_no_answer_from_either() {
    let event = json!({
        "hook_event_name": "PostToolUse", "session_id": "s", "timestamp": "t", "cwd": "/p",
        "tool_name": "Bash", "tool_input": {"command": "seq 1 9"},
        "tool_result": {"result_type": "success", "text_result_for_llm": "x"},
    });
    assert_eq!(left(Host::ClaudeCode, &event), Reason::Foreign);
    assert_eq!(left(Host::CopilotCli, &event), Reason::Foreign);
}

fn gemini_shell() -> Value {
    json!({
        "session_id": "s", "transcript_path": "/h/.gemini/x", "cwd": "/p",
        "hook_event_name": "AfterTool", "timestamp": "t", "tool_name": "run_shell_command",
        "tool_input": {"command": "seq 1 9"},
        "tool_response": {
            "llmContent": "<untrusted_context>\nOutput: 1\n2\nProcess Group PGID: 7\n</untrusted_context>",
            "returnDisplay": "1\n2"},
    })
}

#[test]
fn gemini_is_told_that_the_tool_ran() {
    let answer = answered(Host::GeminiCli, &gemini_shell());
    assert_eq!(answer["decision"], "deny");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.starts_with("The tool ran and succeeded"), "{reason}");
    assert!(
        reason.ends_with(
            "<untrusted_context>\nOutput: THE EXCERPT\nProcess Group PGID: 7\n</untrusted_context>"
        ),
        "{reason}"
    );
    assert_eq!(task(Host::GeminiCli, &gemini_shell()).texts, ["1\n2"]);
}

#[test]
fn gemini_says_of_a_failed_command_how_it_ended() {
    let event = with(
        &gemini_shell(),
        "/tool_response/llmContent",
        json!("Output: 1\nExit Code: 2\nProcess Group PGID: 7"),
    );
    let found = task(Host::GeminiCli, &event);
    assert!(found.is_error);
    let answer: Value = serde_json::from_str(&found.answer(&[TEXT.into()])).unwrap();
    assert_eq!(answer["reason"], "Output: THE EXCERPT\nExit Code: 2\nProcess Group PGID: 7");
}

#[test]
fn gemini_is_not_answered_for_a_call_in_the_place_of_another() {
    let tail = with(&gemini_shell(), "/original_request_name", json!("run_shell_command"));
    assert_eq!(left(Host::GeminiCli, &tail), Reason::Ours);
    let failed = with(&gemini_shell(), "/tool_response/error", json!({"message": "x"}));
    assert_eq!(left(Host::GeminiCli, &failed), Reason::Failed);
}

#[test]
fn vibe_gets_a_refusal_that_is_none() {
    let event = json!({
        "session_id": "s", "transcript_path": "/h/.vibe/x", "cwd": "/p", "hook_event_name": "post_tool",
        "tool_name": "file_system.bash", "tool_call_id": "c", "tool_input": {"command": "seq 1 9"},
        "tool_status": "success", "tool_error": null,
        "tool_output": {"command": "seq 1 9", "returncode": 0, "stderr": "", "stdout": "1\n2",
            "timed_out": false, "was_truncated": false},
        "tool_output_text": "command: seq 1 9\nreturncode: 0\nstderr: \nstdout: 1\n2",
    });
    assert_eq!(
        answered(Host::MistralVibe, &event),
        json!({"decision": "deny", "reason": format!("returncode: 0\n{TEXT}")})
    );
    assert_eq!(task(Host::MistralVibe, &event).texts, ["1\n2"]);
    for id in ["typescript:3:call_1:0:tool:0", "typescript:1:c:2:tool:9"] {
        let of_program = with(&event, "/tool_call_id", json!(id));
        assert_eq!(left(Host::MistralVibe, &of_program), Reason::Program);
    }
    assert!(
        task(Host::MistralVibe, &with(&event, "/tool_output/was_truncated", json!(true)))
            .already_cut
    );
    // Both streams: what the model would see is stored.
    let both = with(&event, "/tool_output/stderr", json!("oh"));
    assert_eq!(answered(Host::MistralVibe, &both), json!({"decision": "deny", "reason": TEXT}));
    assert_eq!(
        left(Host::MistralVibe, &with(&event, "/tool_status", json!("failure"))),
        Reason::Failed
    );
    assert_eq!(
        left(Host::MistralVibe, &with(&event, "/tool_output/timed_out", json!(true))),
        Reason::Failed
    );
}

#[test]
fn qwen_code_is_told_that_the_tool_did_run() {
    let event = json!({
        "session_id": "s", "transcript_path": "/h/.qwen/x", "cwd": "/p", "hook_event_name": "PostToolUse",
        "timestamp": "t", "permission_mode": "yolo", "prompt_id": "p", "tool_name": "run_shell_command",
        "tool_input": {"command": "seq 1 9"}, "tool_use_id": "u", "tool_call_id": "c",
        "tool_response": {"llmContent": "Command: seq 1 9\nOutput: 1\nExit Code: 0", "returnDisplay": "1"},
    });
    let answer = answered(Host::QwenCode, &event);
    assert_eq!(answer["continue"], json!(false));
    let text = answer["stopReason"].as_str().unwrap();
    assert!(text.starts_with("The tool did run") && text.ends_with(TEXT), "{text}");
    let cut = "Tool output was too large and has been truncated.\nThe full output has been saved to: /h/.qwen/tmp/x.output\nTo read ...";
    let spilled = task(Host::QwenCode, &with(&event, "/tool_response/llmContent", json!(cut)));
    assert_eq!(spilled.file.unwrap().path, std::path::Path::new("/h/.qwen/tmp/x.output"));
    assert_eq!(left(Host::ClaudeCode, &event), Reason::Foreign);
    assert_eq!(left(Host::Codex, &event), Reason::Shape);
    assert_eq!(left(Host::QwenCode, &claude_bash()), Reason::Shape);
}

#[test]
fn cursor_replaces_mcp_results_alone() {
    let result = json!({"content": [{"type": "text", "text": "a"}], "isError": false});
    let event = json!({
        "conversation_id": "c", "cursor_version": "3", "hook_event_name": "postToolUse", "cwd": "/p",
        "tool_name": "MCP:big", "tool_input": "{\"n\":1}", "tool_output": result.to_string(),
    });
    let expected = json!({"updated_mcp_tool_output":
        {"content": [{"type": "text", "text": TEXT}], "isError": false}});
    assert_eq!(answered(Host::Cursor, &event), expected);
    assert_eq!(task(Host::Cursor, &event).arguments.as_deref(), Some("{\"n\":1}"));
    let after = json!({
        "conversation_id": "c", "hook_event_name": "afterMCPExecution", "tool_name": "big",
        "tool_input": "{}", "result_json": result.to_string(), "duration": 1,
    });
    assert_eq!(answered(Host::Cursor, &after), expected);
    assert_eq!(left(Host::Cursor, &with(&event, "/tool_name", json!("Shell"))), Reason::NoText);
    let failed = json!({"content": [], "isError": true}).to_string();
    assert_eq!(left(Host::Cursor, &with(&event, "/tool_output", json!(failed))), Reason::Failed);
    assert_eq!(left(Host::Cursor, &claude_bash()), Reason::Event);
}

#[test]
fn qoder_and_codebuddy_get_a_string() {
    for host in [Host::Qoder, Host::CodeBuddy] {
        assert_eq!(
            answered(host, &claude_bash()),
            json!({"hookSpecificOutput":
                {"hookEventName": "PostToolUse", "updatedToolOutput": TEXT}})
        );
        let both = with(&claude_bash(), "/tool_response/stderr", json!("oh"));
        assert_eq!(left(host, &both), Reason::NoText);
    }
}

#[test]
fn grok_build_gets_the_whole_tagged_result() {
    let event = json!({
        "hookEventName": "post_tool_use", "sessionId": "s", "cwd": "/p", "toolName": "run_terminal_command",
        "toolInput": {"command": "seq 1 9"},
        "toolResult": {"type": "Bash", "command": "seq 1 9", "output": [49, 10], "exit_code": 0,
            "output_for_prompt": "1\n", "truncated": false, "signal": null, "timed_out": false},
    });
    assert_eq!(
        answered(Host::GrokBuild, &event)["hookSpecificOutput"]["updatedToolOutput"],
        json!({"type": "Bash", "command": "seq 1 9", "output": [], "exit_code": 0,
            "output_for_prompt": TEXT, "truncated": false, "signal": null, "timed_out": false})
    );
    assert_eq!(
        left(Host::GrokBuild, &with(&event, "/toolResult/timed_out", json!(true))),
        Reason::Failed
    );
    assert_eq!(left(Host::CopilotCli, &event), Reason::Foreign);
}

#[test]
fn docker_agent_gets_names_with_underscores() {
    let event = json!({
        "session_id": "s", "cwd": "/p", "hook_event_name": "tool_response_transform",
        "tool_name": "shell", "tool_input": {"cmd": "seq 1 9"}, "tool_response": "1\n2", "tool_error": false,
    });
    assert_eq!(
        answered(Host::DockerAgent, &event),
        json!({"hook_specific_output": {"updated_tool_response": TEXT}})
    );
    assert_eq!(left(Host::DockerAgent, &with(&event, "/tool_error", json!(true))), Reason::Failed);
}

#[test]
fn a_plugin_gets_a_text() {
    let event = json!({"weir": 1, "tool": "bash", "arguments": {"command": "seq 1 9"}, "cwd": "/p",
        "text": "...cut\n8\n9\n", "file": "/t/x", "cut": true});
    for host in [Host::OpenCode, Host::Pi, Host::Cline, Host::OpenClaw, Host::Amp, Host::Hermes] {
        assert_eq!(answered(host, &event), json!({"text": TEXT}));
        assert_eq!(left(host, &claude_bash()), Reason::Event);
    }
    let found = task(Host::Pi, &event);
    assert!(!found.already_cut, "all of it is in the file");
    assert_eq!(found.bytes(), u64::MAX);
    let mut event = event;
    event.as_object_mut().unwrap().remove("file");
    assert!(task(Host::Cline, &event).already_cut);
}

#[test]
fn half_a_surrogate_pair_does_not_hide_a_result() {
    let event = claude_bash().to_string().replace(r#""1\n2\n3""#, r#""1 \\ \ud83d\ude00 \ud83d""#);
    let Decision::Transform(task) = decide(Host::ClaudeCode, event.as_bytes()) else { panic!() };
    assert_eq!(task.texts, ["1 \\ 😀 \u{fffd}"]);
}

#[test]
fn no_host_answers_another_ones_event() {
    let events = [
        (vec![Host::ClaudeCode, Host::Qoder, Host::CodeBuddy], claude_bash()),
        (vec![Host::Codex], codex_bash()),
        (vec![Host::CopilotCli], copilot_bash()),
        (vec![Host::GeminiCli], gemini_shell()),
    ];
    for (hosts, event) in &events {
        for host in Host::all() {
            if !hosts.contains(&host) {
                let reason = left(host, event);
                let refused = reason == Reason::Foreign || reason.not_understood().is_some();
                assert!(refused, "{host:?} takes an event of {hosts:?}: {reason:?}");
            }
        }
    }
}

/// As the newest versions send it: Claude Code 2.1.332, Codex 0.171.0, Qwen Code 0.24.4.
#[test]
fn a_session_that_goes_on_is_known_by_its_source_and_a_new_one_is_left_alone() {
    let event = json!({
        "session_id": "s", "transcript_path": null, "cwd": "/p", "hook_event_name": "SessionStart",
        "source": "compact", "model": "m", "permission_mode": "default",
    });
    let goes_on = |host, event: &Value| match decide(host, event.to_string()) {
        Decision::Resume(resumed) => {
            assert_eq!(resumed.directory.as_deref(), Some(std::path::Path::new("/p")));
            Some(serde_json::from_str::<Value>(&resumed.answer("a \"page\"\n")).unwrap())
        }
        _ => None,
    };
    let answer = json!({"hookSpecificOutput": {
        "hookEventName": "SessionStart", "additionalContext": "a \"page\"\n"}});
    let plugins = json!({"weir": 1, "event": "compact", "cwd": "/p"});
    for host in Host::all() {
        let has_hook = matches!(host, Host::ClaudeCode | Host::Codex | Host::QwenCode);
        let has_plugin = matches!(host, Host::OpenCode | Host::Kilo | Host::Pi);
        assert_eq!(goes_on(host, &event), has_hook.then(|| answer.clone()), "{host:?}");
        let text = has_plugin.then(|| json!({"text": "a \"page\"\n"}));
        assert_eq!(goes_on(host, &plugins), text, "{host:?}");
    }
    for source in ["startup", "clear", "fork", "", "Compact"] {
        assert_eq!(goes_on(Host::ClaudeCode, &with(&event, "/source", json!(source))), None);
    }
    let mut cursors = event;
    cursors["conversation_id"] = json!("c");
    assert_eq!(goes_on(Host::ClaudeCode, &cursors), None);
}

#[test]
fn files_with_output_of_hosts_are_told_by_their_folder() {
    let temporary = std::env::temp_dir().canonicalize().unwrap();
    for name in ["claude-1000/p/tasks/b.output", "123-copilot-tool-output-x.txt", "pi-bash-a1.log"]
    {
        assert!(file::is_spill(&temporary.join(name)), "{name}");
    }
    for name in [
        "/home/u/.claude/projects/-p/s/tool-results/b1.txt",
        "/home/u/.gemini/tmp/p/tool-outputs/session-1/x.txt",
        "/home/u/.local/share/opencode/tool-output/tool_1",
    ] {
        assert!(file::is_spill(std::path::Path::new(name)), "{name}");
    }
    for name in
        ["/home/u/.claude/.credentials.json", "/home/u/p/claude-1000/x", "/home/u/p/tool-results"]
    {
        assert!(!file::is_spill(std::path::Path::new(name)), "{name}");
    }
    assert!(!file::is_spill(&temporary.join("x.txt")));
}

#[test]
fn every_host_has_an_entry_or_a_plugin_and_knows_its_own_line() {
    for host in Host::all() {
        let command: Vec<String> =
            ["/opt/with space/weir", "hook", host.name()].map(str::to_owned).to_vec();
        let entry = entry::entry(host, &command);
        let plugin = plugin::plugin(host, &command, &[], "/h");
        // Docker Agent has its hooks in the file of each agent, and Docker's gateway takes them as an option.
        let by_hand = matches!(host, Host::DockerAgent | Host::DockerMcp);
        assert_eq!(entry.is_some() != plugin.is_some(), !by_hand, "{host:?}");
        // Lines of this version and of those before it.
        for (line, is_guarded) in
            [(entry::hook_line(&command), true), (entry::shell_line(&command), cfg!(windows))]
        {
            let read = entry::HookLine::read(&line);
            let words = command.clone();
            assert_eq!(read, Some(entry::HookLine { words, is_guarded }), "{line}");
        }
        for file in plugin.into_iter().flat_map(|plugin| plugin.files) {
            for name in ["__WEIR__", "__ARGUMENTS__", "__WRAP__", "__PATIENCE__"] {
                assert!(!file.text.contains(name), "{host:?}, {}: {name}", file.path);
            }
        }
        let wrap: Vec<String> = ["hook", host.name(), "--wrap"].map(str::to_owned).to_vec();
        let plugin = plugin::plugin(host, &command, &wrap, "/h");
        let wraps = |file: &entry::OwnFile| file.text.contains(r#""--wrap""#);
        let in_plugin = matches!(host, Host::Cline | Host::OpenClaw | Host::Hermes);
        if in_plugin {
            assert!(plugin.is_some_and(|plugin| plugin.files.iter().any(wraps)), "{host:?}");
        }
        assert_eq!(Host::parse(host.name()), Some(host));
    }
    for (line, program) in [
        (r#""/opt/a b/weir" hook codex"#, "/opt/a b/weir"),
        (r"C:\bin\weir.exe hook codex", r"C:\bin\weir.exe"),
        ("$HOME/bin/weir hook codex --reader weir_fetch", "$HOME/bin/weir"),
        ("sh -c 'an older guard' weir /x/weir hook codex", "/x/weir"),
    ] {
        let read = entry::HookLine::read(line);
        assert_eq!(read.as_ref().map(entry::HookLine::program), Some(program), "{line}");
    }
    for line in
        ["/usr/bin/other hook codex", "weir hook", "weir hook nobody", "sh -c 'weir hook codex'"]
    {
        assert_eq!(entry::HookLine::read(line), None, "{line}");
    }
}

#[test]
fn a_file_is_read_only_when_it_is_what_the_event_says() {
    use std::io::Read as _;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.txt");
    std::fs::write(&path, "1\n2\n3\nlast line\n").unwrap();
    let spilled = |bytes, shown| Spilled { path: path.clone(), bytes, shown };
    let start = |text: &str| Shown::Start(text.to_owned());
    let end = |text: &str| Shown::End(text.to_owned());
    let (mut opened, size) = file::open(&spilled(Some(16), start("1\n2"))).unwrap();
    let mut all = String::new();
    opened.read_to_string(&mut all).unwrap();
    assert_eq!((all.as_str(), size), ("1\n2\n3\nlast line\n", 16));
    assert!(file::open(&spilled(None, end("3\nlast line\n[the host's note]"))).is_ok());
    assert!(file::open(&spilled(Some(15), start("1\n2"))).is_err());
    assert!(file::open(&spilled(None, start("x"))).is_err());
    assert!(file::open(&spilled(None, end("quite\nother\nlines"))).is_err());
    assert!(file::open(&spilled(None, end(""))).is_err());
    // Words of a tool must not lead to any file of the user's.
    let unknown = |name| Shown::Fresh { name, folder: None };
    assert!(file::open(&spilled(None, unknown("copilot"))).is_err());
    assert!(file::open(&spilled(None, unknown("out"))).is_ok());
    let elsewhere = Shown::Fresh { name: "out", folder: Some(".qwen") };
    assert!(file::open(&spilled(None, elsewhere)).is_err());
    #[cfg(unix)]
    {
        let link = dir.path().join("out-link.txt");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let spilled = Spilled { path: link, bytes: None, shown: start("1") };
        assert!(file::open(&spilled).is_err());
    }
}

/// A small generator of the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).unwrap()
    }
}

/// Broken in one of many ways; always something that is no whole event any more, or a foreign one.
fn broken(event: &str, numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = event.as_bytes().to_vec();
    let at = numbers.below(bytes.len());
    match numbers.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.remove(at)),
        2 => bytes[at] = 0xff,
        3 => bytes.insert(at, b"{}[]\",:\\\0"[numbers.below(9)]),
        4 => bytes = [&b"["[..]].concat().repeat(1 + at * 100),
        5 => bytes = b"{\"a\":".repeat(1 + at * 20),
        6 => bytes = bytes.iter().rev().copied().collect(),
        _ => {
            let names = ["tool_response", "toolResult", "tool_output", "hook_event_name", "text"];
            let name = names[numbers.below(names.len())];
            let values =
                ["null", "5", "[]", "{}", "\"\"", "true", "[[[{\"type\":\"text\"}]]]", "1e999"];
            bytes = event
                .replace(
                    &format!("\"{name}\":"),
                    &format!("\"{name}\":{},\"x\":", values[numbers.below(8)]),
                )
                .into_bytes();
        }
    }
    bytes
}

#[test]
fn ten_thousand_broken_events_are_answered_by_nothing_or_by_json() {
    let events = [claude_bash(), codex_bash(), copilot_bash(), gemini_shell()]
        .map(|event| event.to_string());
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for round in 0..10_000 {
        let event = broken(&events[round % events.len()], &mut numbers);
        let host = Host::all().nth(numbers.below(Host::all().count())).unwrap();
        if let Decision::Transform(task) = decide(host, &event[..]) {
            let answer = task.answer(&[TEXT.to_owned()]);
            assert!(serde_json::from_str::<Value>(&answer).is_ok(), "{answer}");
        }
    }
}
