//! `weir hook` and `weir run` as hosts run them: the real command, the real component.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

fn numbers(to: u32) -> String {
    (1..=to).map(|n| format!("{n}\n")).collect()
}

/// A command that runs in the sandbox's project, without any host's variables.
fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let project = sandbox.path().join("project");
    fs::create_dir_all(project.join(".git")).unwrap();
    fs::create_dir_all(project.join("deep")).unwrap();
    let mut command = sandbox.command(arguments);
    command.current_dir(&project).env("XDG_STATE_HOME", sandbox.path().join("state"));
    command
}

fn fed(mut command: Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// What a host gets: always with exit code 0 and without a word on standard error.
fn hook(sandbox: &Sandbox, arguments: &[&str], event: &[u8]) -> Option<Value> {
    let output = fed(command(sandbox, &[&["hook"], arguments].concat()), event);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    (!text.is_empty()).then(|| serde_json::from_str(&text).unwrap())
}

fn claude(sandbox: &Sandbox, stdout: &str) -> Value {
    json!({
        "session_id": "s", "cwd": sandbox.path().join("project/deep"), "hook_event_name": "PostToolUse",
        "tool_name": "Bash", "tool_input": {"command": "seq 1 20000"}, "tool_use_id": "t",
        "tool_response": {"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false},
    })
}

fn stored(sandbox: &Sandbox) -> bool {
    sandbox.store().join("blobs").exists()
        || sandbox.store().exists()
            && fs::read_dir(sandbox.store()).is_ok_and(|mut entries| entries.next().is_some())
}

/// The id in a handle.
fn id(text: &str) -> String {
    let rest = text.split("id=").nth(1).unwrap_or_else(|| panic!("no id in {text}"));
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

#[test]
fn a_large_result_is_excerpted_and_read_back_by_gateway_and_shell_of_the_host() {
    let sandbox = Sandbox::new();
    let event = claude(&sandbox, &numbers(20_000));
    let answer = hook(&sandbox, &["claude-code"], event.to_string().as_bytes()).unwrap();
    let output = &answer["hookSpecificOutput"]["updatedToolOutput"];
    let excerpt = output["stdout"].as_str().unwrap();
    assert!(excerpt.contains("[weir: ") && excerpt.len() < 7_000, "{excerpt}");
    assert_eq!(output["interrupted"], false);
    let id = id(excerpt);
    // The host is told, or tells; the directory is anywhere in the project.
    let read = |arguments: &[&str], host: Option<(&str, &str)>, directory: &str| {
        let mut command = command(&sandbox, arguments);
        command.current_dir(sandbox.path().join(directory)).envs(host);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let lines = ["fetch", id.as_str(), "--lines", "7999..8000"];
    let told = [&["--host", "claude-code"], &lines[..]].concat();
    assert_eq!(read(&told, None, "project"), (Some(0), "7999\n8000\n".into()));
    assert_eq!(read(&told, None, "project/deep"), (Some(0), "7999\n8000\n".into()));
    assert_eq!(
        read(&lines, Some(("CLAUDECODE", "1")), "project"),
        (Some(0), "7999\n8000\n".into())
    );
    assert_eq!(read(&lines, Some(("WEIR_HOST", "claude-code")), "project").0, Some(0));
    // Other hosts, other projects and no host at all stay apart.
    assert_eq!(read(&lines, None, "project").0, Some(2));
    assert_eq!(read(&[&["--host", "codex"], &lines[..]].concat(), None, "project").0, Some(2));
    fs::create_dir_all(sandbox.path().join("other/.git")).unwrap();
    assert_eq!(read(&told, None, "other").0, Some(2));
}

/// What a host is told at the start of what follows a compaction.
fn resumed(sandbox: &Sandbox, host: &str, source: &str) -> Option<String> {
    let event = json!({
        "session_id": "s", "cwd": sandbox.path().join("project/deep"), "hook_event_name": "SessionStart",
        "source": source, "model": "m", "permission_mode": "default", "transcript_path": null,
    });
    let answer = hook(sandbox, &[host], event.to_string().as_bytes())?;
    let told = &answer["hookSpecificOutput"];
    assert_eq!(told["hookEventName"], "SessionStart");
    Some(told["additionalContext"].as_str().unwrap().to_owned())
}

#[test]
fn after_a_compaction_a_model_is_told_what_is_stored_and_what_it_asked() {
    let sandbox = Sandbox::new();
    let project = sandbox.path().join("project");
    for host in ["claude-code", "codex", "qwen-code"] {
        assert_eq!(resumed(&sandbox, host, "compact"), None, "nothing is stored for {host}");
    }
    let mut event = claude(&sandbox, &numbers(20_000));
    let excerpt = hook(&sandbox, &["claude-code"], event.to_string().as_bytes()).unwrap();
    let first = id(excerpt["hookSpecificOutput"]["updatedToolOutput"]["stdout"].as_str().unwrap());
    let session = excerpt.to_string();
    let session = session.split("--session ").nth(1).unwrap().split_whitespace().next().unwrap();
    let session = session.trim_matches('`');
    let found =
        command(&sandbox, &["fetch", "--session", session, &first, "--grep", "^1999"]).output();
    assert!(found.unwrap().status.success());
    // A file that is read, and written again later.
    let read = project.join("deep/notes.txt");
    fs::write(&read, numbers(9_000)).unwrap();
    event["tool_name"] = json!("Read");
    event["tool_input"] = json!({"file_path": read});
    let file = json!({"filePath": read, "content": numbers(9_000), "numLines": 9_000, "startLine": 1, "totalLines": 9_000});
    event["tool_response"] = json!({"type": "text", "file": file});
    let excerpt = hook(&sandbox, &["claude-code"], event.to_string().as_bytes()).unwrap();
    let second =
        id(&excerpt["hookSpecificOutput"]["updatedToolOutput"]["file"]["content"].to_string());
    let page = resumed(&sandbox, "claude-code", "compact").unwrap();
    assert!(!page.contains("changed since"), "{page}");
    let later = std::time::SystemTime::now() + Duration::from_secs(5);
    fs::File::options().append(true).open(&read).unwrap().set_modified(later).unwrap();

    for source in ["compact", "resume"] {
        let page = resumed(&sandbox, "claude-code", source).unwrap();
        assert!(page.starts_with("[weir: 2 of 2 results stored in this session"), "{page}");
        assert!(page.contains(&format!("fetch --session {session} ID --grep PATTERN")), "{page}");
        assert!(page.contains(&format!("changed since: {second}\n<<<weir:")), "{page}");
        assert!(page.contains(&format!("{first} \"Bash\" text, 20,000 lines")), "{page}");
        assert!(page.contains("; asked \"grep ^1999: 11 lines, first 1999: 1999\""), "{page}");
        assert!(weir_text::tokens::of(&page) <= 400, "{page}");
    }
    for (host, source) in
        [("claude-code", "startup"), ("claude-code", "clear"), ("codex", "compact")]
    {
        assert_eq!(resumed(&sandbox, host, source), None, "{host} {source}");
    }
    // As a command, and as the model's own reader gives it.
    let listed = command(&sandbox, &["list", "--session", session, "--page"]).output().unwrap();
    assert!(String::from_utf8(listed.stdout).unwrap().contains("first 1999: 1999"));
    let arguments = ["fetch", "--session", session, "--arguments", r#"{"mode":"stat"}"#];
    let asked = command(&sandbox, &arguments).output().unwrap();
    assert!(String::from_utf8(asked.stdout).unwrap().contains("2 of 2 results"));
    // A plugin asks in its own way.
    let event = json!({"weir": 1, "event": "compact", "cwd": project});
    let told = hook(&sandbox, &["--session", session, "pi"], event.to_string().as_bytes()).unwrap();
    assert!(told["text"].as_str().unwrap().contains("first 1999: 1999"), "{told}");

    fs::create_dir_all(sandbox.path().join("config/weir")).unwrap();
    fs::write(sandbox.path().join("config/weir/config.toml"), "[fetch]\nrecall = false\n").unwrap();
    assert_eq!(resumed(&sandbox, "claude-code", "compact"), None, "it is off");
}

#[test]
fn a_small_result_is_left_alone_and_opens_nothing() {
    let sandbox = Sandbox::new();
    let event = claude(&sandbox, &"x".repeat(12_000));
    assert_eq!(hook(&sandbox, &["claude-code"], event.to_string().as_bytes()), None);
    assert!(!stored(&sandbox));
}

#[test]
fn without_a_configuration_the_threshold_is_that_of_the_component() {
    let sandbox = Sandbox::new();
    let settings = sandbox.weir().default_settings().unwrap();
    let threshold = usize::try_from(settings.number("transform.threshold_chars").unwrap()).unwrap();
    for (chars, replaced) in [(threshold, false), (threshold + 1, true)] {
        let text: String = numbers(4_000).chars().take(chars).collect();
        let event = claude(&sandbox, &text);
        let answer = hook(&sandbox, &["claude-code"], event.to_string().as_bytes());
        assert_eq!(answer.is_some(), replaced, "{chars}");
    }
}

#[test]
fn a_rule_of_the_configuration_counts_for_small_results_too() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("weir.toml");
    fs::write(&file, "[[transform.rules]]\ntool = \"Bash\"\nthreshold = 1000\n").unwrap();
    let event = claude(&sandbox, &numbers(1_000));
    let arguments = ["claude-code", "--config", file.to_str().unwrap()];
    assert!(hook(&sandbox, &arguments, event.to_string().as_bytes()).is_some());
}

#[test]
fn output_in_a_file_of_the_host_is_stored_from_there() {
    let sandbox = Sandbox::new();
    let all = numbers(20_000);
    let file = sandbox.path().join("out.txt");
    fs::write(&file, &all).unwrap();
    let mut event = claude(&sandbox, &all[..30_000]);
    event["tool_response"]["persistedOutputPath"] = json!(file);
    event["tool_response"]["persistedOutputSize"] = json!(all.len());
    let answer = hook(&sandbox, &["claude-code"], event.to_string().as_bytes()).unwrap();
    let output = &answer["hookSpecificOutput"]["updatedToolOutput"];
    assert!(output.get("persistedOutputPath").is_none());
    let excerpt = output["stdout"].as_str().unwrap();
    let read = command(&sandbox, &["--host", "claude-code", "fetch", &id(excerpt), "--tail", "1"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(read.stdout).unwrap(), "20000\n");
    // Another file than the host says is not read.
    fs::write(&file, "x".repeat(all.len())).unwrap();
    assert_eq!(hook(&sandbox, &["claude-code"], event.to_string().as_bytes()), None);
}

#[test]
fn an_answer_is_never_longer_than_the_host_allows() {
    let sandbox = Sandbox::new();
    // Each character is three bytes: 6,000 of them are over what Codex shows.
    let text = "語の列\n".repeat(30_000);
    let event = json!({
        "session_id": "s", "turn_id": "t", "cwd": sandbox.path().join("project"),
        "hook_event_name": "PostToolUse", "tool_name": "mcp__m__big", "tool_input": {},
        "tool_response": {"content": [{"type": "text", "text": text}], "isError": false},
    });
    let answer = hook(&sandbox, &["codex"], event.to_string().as_bytes()).unwrap();
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.len() <= 9_500, "{} bytes", reason.len());
    assert_eq!(answer.as_object().unwrap().len(), 3);
}

#[test]
fn whatever_comes_the_exit_code_is_zero_and_nothing_is_stored() {
    let sandbox = Sandbox::new();
    let whole = claude(&sandbox, &numbers(20_000)).to_string();
    let huge = format!("{{\"tool_response\":\"{}", "x".repeat(3_000_000));
    let deep = "[".repeat(200_000);
    let inputs: [&[u8]; 8] = [
        b"",
        b"{}",
        b"null",
        b"\xff\xfe",
        &whole.as_bytes()[..whole.len() - 2],
        huge.as_bytes(),
        deep.as_bytes(),
        b"{\"hook_event_name\":\"PostToolUse\"}",
    ];
    for host in [
        "claude-code",
        "codex",
        "copilot",
        "gemini",
        "mistral-vibe",
        "qwen-code",
        "cursor",
        "qoder",
        "grok-build",
        "docker-agent",
        "docker-mcp",
        "pi",
        "no-such-host",
    ] {
        for input in inputs {
            assert_eq!(hook(&sandbox, &[host], input), None, "{host}");
        }
        if !["claude-code", "qoder"].contains(&host) {
            assert_eq!(hook(&sandbox, &[host], whole.as_bytes()), None, "{host}");
        }
    }
    assert!(!stored(&sandbox));
}

#[test]
fn a_store_that_fails_leaves_the_result_to_the_host() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("no-directory");
    fs::write(&file, "").unwrap();
    let event = claude(&sandbox, &numbers(20_000));
    let arguments = ["claude-code", "--store", file.to_str().unwrap()];
    assert_eq!(hook(&sandbox, &arguments, event.to_string().as_bytes()), None);
    let kept = fs::read_to_string(sandbox.path().join("state/weir/hook-failure.txt")).unwrap();
    assert!(kept.contains("claude-code"), "{kept}");
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    fed(command(sandbox, &[&["run"], arguments].concat()), b"")
}

#[test]
fn a_command_that_says_little_is_as_if_run_alone() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &["--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
    assert_eq!(output.status.code(), Some(7));
    assert_eq!((&*output.stdout, &*output.stderr), (&b"out\n"[..], &b"err\n"[..]));
    assert!(!stored(&sandbox));
}

#[test]
fn a_command_that_says_much_is_excerpted_and_keeps_its_exit_code() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &["-c", "seq 1 20000; exit 3"]);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("[weir: ") && text.len() < 7_000, "{text}");
    let read = command(&sandbox, &["fetch", &id(&text), "--lines", "12345"]).output().unwrap();
    assert_eq!(String::from_utf8(read.stdout).unwrap(), "12345\n");
}

#[test]
fn a_command_that_cannot_be_started_fails_as_in_a_shell() {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, &["--", "no-such-command-anywhere"]).status.code(), Some(127));
}

#[cfg(unix)]
#[test]
fn without_a_place_for_temporary_files_a_command_keeps_its_output_and_its_exit_code() {
    let sandbox = Sandbox::new();
    let line = "seq 1 20000; echo bad >&2; exit 4";
    let mut command = command(&sandbox, &["run", "-c", line]);
    command.env("TMPDIR", sandbox.path().join("no-such-directory"));
    let output = fed(command, b"");
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), numbers(20_000));
    assert!(String::from_utf8(output.stderr).unwrap().ends_with("bad\n"));
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_takes_neither_the_other_stream_nor_the_exit_code_with_it() {
    let sandbox = Sandbox::new();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(&sandbox, &["run", "-c", "seq 1 20000; echo bad >&2; exit 4"])
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "bad\n");
}

#[cfg(unix)]
#[test]
fn both_streams_keep_their_order_when_they_share_a_target() {
    let sandbox = Sandbox::new();
    let line = "i=0; while [ $i -lt 50 ]; do echo o$i; echo e$i >&2; i=$((i+1)); done";
    let file = fs::File::create(sandbox.path().join("both")).unwrap();
    let status = command(&sandbox, &["run", "-c", line])
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file)
        .status()
        .unwrap();
    assert!(status.success());
    let expected: String = (0..50).map(|i| format!("o{i}\ne{i}\n")).collect();
    assert_eq!(fs::read_to_string(sandbox.path().join("both")).unwrap(), expected);
}

#[cfg(unix)]
#[test]
fn a_signal_goes_to_the_command() {
    let sandbox = Sandbox::new();
    let mark = sandbox.path().join("ready");
    // What would end this program and leave the command alone goes there too.
    for signal in ["TERM", "USR1", "ALRM"] {
        let line = format!(
            "trap 'echo told; exit 5' {signal}; : > {}; while :; do sleep 0.05; done",
            mark.display()
        );
        let child = command(&sandbox, &["run", "-c", &line])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for(&mark);
        fs::remove_file(&mark).unwrap();
        let killed = Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status()
            .unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*output.stdout), (Some(5), &b"told\n"[..]), "{signal}");
    }
    // And one that ends the command is told as shells do.
    assert_eq!(run(&sandbox, &["-c", "kill -9 $$"]).status.code(), Some(137));
}

#[cfg(unix)]
fn wait_for(file: &Path) {
    for _ in 0..2_400 {
        if file.exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{} does not come", file.display());
}

/// What is in a cache of compiled code, by the end of its name.
fn kept(cache: &Path, end: &str) -> usize {
    let Ok(entries) = fs::read_dir(cache.join("weir")) else { return 0 };
    entries.filter(|entry| entry.as_ref().unwrap().path().to_str().unwrap().ends_with(end)).count()
}

#[test]
fn with_no_compiled_code_hooks_leave_the_result_at_once_and_one_has_it_compiled_beside() {
    let sandbox = Sandbox::new();
    let cache = sandbox.path().join("cache");
    let event = claude(&sandbox, &numbers(20_000)).to_string();
    let run = || {
        let mut command = command(&sandbox, &["hook", "claude-code"]);
        // A host ends all that its hook has started.
        command.env("XDG_CACHE_HOME", &cache).process_group(0);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let group = child.id();
        child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let _ = Command::new("kill").args(["-9", "--", &format!("-{group}")]).output();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), "", "the result stays as it is");
        }
    });
    assert_eq!(kept(&cache, ".cwasm"), 0, "a hook has waited for the compiler");
    assert!(!sandbox.path().join("state/weir/hook-failure.txt").exists(), "this is no failure");
    let began = Instant::now();
    while kept(&cache, ".sum") == 0 {
        assert!(began.elapsed() < Duration::from_secs(300), "nothing was compiled");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(run().contains("[weir: "));
    assert_eq!((kept(&cache, ".cwasm"), kept(&cache, "")), (1, 3));
}

#[test]
fn a_hook_whose_host_says_nothing_gives_up_before_the_host_does() {
    let sandbox = Sandbox::new();
    let mut hosts = Vec::new();
    for arguments in [&["hook", "gemini"][..], &["hook", "gemini", "--wrap"]] {
        let mut command = command(&sandbox, arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        hosts.push(command.spawn().unwrap());
    }
    let began = Instant::now();
    for mut host in hosts {
        // Held open until the end.
        let stdin = host.stdin.take().unwrap();
        let output = host.wait_with_output().unwrap();
        drop(stdin);
        assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(0), vec![], vec![]));
    }
    // The shorter of the two limits that hosts are given.
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn events_that_are_not_understood_are_counted_and_told_with_the_version_that_is_known_to_work() {
    let sandbox = Sandbox::new();
    let event = claude(&sandbox, &numbers(20_000));
    let changed = |member: &str, value: Value| {
        let mut event = event.clone();
        event[member] = value;
        event.to_string()
    };
    let mut understood = vec![
        changed("tool_name", json!("Task")),
        changed("tool_input", json!({"command": "head -3 x"})),
        // Another host runs this one's files.
        changed("cursor_version", json!("3")),
    ];
    understood.push(claude(&sandbox, "small").to_string());
    for event in &understood {
        assert_eq!(hook(&sandbox, &["claude-code"], event.as_bytes()), None);
    }
    let doctor = |arguments: &[&str]| {
        let output = command(&sandbox, &[&["doctor"], arguments].concat()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!doctor(&[]).contains("not understood"));
    for event in [
        changed("tool_response", json!({"output": numbers(20_000)})),
        changed("tool_response", json!(numbers(20_000))),
        changed("tool_response", Value::Null),
        changed("hook_event_name", json!("AfterTool")),
        "no JSON".to_owned(),
    ] {
        assert_eq!(hook(&sandbox, &["claude-code"], event.as_bytes()), None);
    }
    assert_eq!(hook(&sandbox, &["docker-agent"], b"{}"), None);
    for said in [doctor(&[]), {
        let output = command(&sandbox, &["status"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }] {
        assert!(
            said.contains("claude-code: 3 events not understood (a result of another shape)"),
            "{said}"
        );
        assert!(said.contains("1 event not understood (another event"), "{said}");
        assert!(said.contains("1 event not understood (no JSON object)"), "{said}");
        assert!(
            said.contains("Claude Code 2.1.330") && said.contains("docker-agent: 1 event"),
            "{said}"
        );
        assert!(!said.contains("all good"), "{said}");
    }
    let told: Value = serde_json::from_str(&doctor(&["--json"])).unwrap();
    let told = told["not_understood"].as_array().unwrap();
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told.iter().any(|one| one["count"] == 3 && one["works_with"] == "Claude Code 2.1.330"));
    // A count stops somewhere.
    let file = sandbox
        .path()
        .join(format!("state/weir/not-understood/{}/claude-code.shape", env!("CARGO_PKG_VERSION")));
    fs::write(&file, vec![b'.'; 10_000]).unwrap();
    hook(&sandbox, &["claude-code"], changed("tool_response", Value::Null).as_bytes());
    assert_eq!(fs::metadata(&file).unwrap().len(), 10_000);
    assert!(doctor(&[]).contains("at least 10,000 events"));
    // What is long ago is told no more.
    weir_tests::disk::age(&file, Duration::from_secs(31 * 24 * 60 * 60));
    assert!(!doctor(&[]).contains("10,000"));
}

/// A command under a limit of its shell's.
fn limited(sandbox: &Sandbox, limit: &str, arguments: &[&str], input: &[u8]) -> Output {
    let plain = command(sandbox, arguments);
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit {limit} && exec \"$@\""), "sh"]).arg(plain.get_program());
    limited.args(plain.get_args()).current_dir(plain.get_current_dir().unwrap()).env_clear();
    limited.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    fed(limited, input)
}

#[cfg(target_os = "linux")]
#[test]
fn where_addresses_are_limited_everything_works_with_code_of_its_own() {
    let sandbox = Sandbox::new();
    // 1.5 GB, where a memory would reserve 4.
    for arguments in [&["transform"][..], &["list"]] {
        let output = limited(&sandbox, "-v 1500000", arguments, numbers(20_000).as_bytes());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("20,000"), "{output:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn with_too_few_files_there_is_an_error_and_no_panic() {
    let sandbox = Sandbox::new();
    for files in 4..16 {
        let output = limited(&sandbox, &format!("-n {files}"), &["list"], b"");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{files}: {said}");
        assert!(said.contains("ulimit -n") && !said.contains("panicked"), "{files}: {said}");
    }
    let event = claude(&sandbox, &numbers(20_000)).to_string();
    let output = limited(&sandbox, "-n 8", &["hook", "claude-code"], event.as_bytes());
    assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(0), vec![], vec![]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_hook_that_may_write_nothing_leaves_the_result() {
    let sandbox = Sandbox::new();
    let event = claude(&sandbox, &numbers(20_000)).to_string();
    // The store opens, and no file may grow. A signal ends the program: what guards its line is tested
    // beside that.
    let output = limited(&sandbox, "-f 1", &["hook", "claude-code"], event.as_bytes());
    assert_eq!((output.stdout, output.stderr), (vec![], vec![]));
}
