//! What a host is left with when the hook's program is gone or goes wrong: the line and the plugins that an
//! installation writes, run as hosts run them, over programs that fail in every way.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs::{self, File, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use weir_agents::hook::entry::{Entry, entry, hook_line};
use weir_agents::hook::plugin::plugin;
use weir_agents::hook::{Host, wrap};

/// An answer with everything in it that shells, `echo` and `printf` like to change.
const ANSWER: &str = r#"{"text":"a\\b\n%s %d $HOME `x` ü 😀 'q' \"q\"  two  * \u0007"}"#;

/// What a program does instead of answering.
const FAULTS: [(&str, &str); 10] = [
    ("exit code 1", "cat >/dev/null; echo '{\"text\":\"no\"}'; echo boom >&2; exit 1"),
    ("exit code 2", "cat >/dev/null; echo '{\"text\":\"no\"}'; echo boom >&2; exit 2"),
    ("exit code 101", "cat >/dev/null; echo '{\"text\":\"no\"}'; echo panicked >&2; exit 101"),
    ("killed", "echo '{\"text\":\"no\"}'; kill -9 $$"),
    ("a segmentation fault", "echo '{\"text\":\"no\"}'; kill -SEGV $$"),
    ("garbage", "cat >/dev/null; echo panicked at src/main.rs; echo boom >&2"),
    ("half an answer", "cat >/dev/null; printf '{\"text\":\"no'"),
    ("half an answer, and killed", "printf '{\"text\":\"no'; kill -TERM $$"),
    ("a full disk", "cat >/dev/null; echo '{\"text\":\"no\"}' >/dev/full || exit 74"),
    ("nothing at all", "exit 0"),
];

struct Program {
    directory: tempfile::TempDir,
}

impl Program {
    fn new() -> Program {
        Program { directory: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        let directory = self.directory.path().join("a b's");
        fs::create_dir_all(&directory).unwrap();
        directory.join("weir")
    }

    fn does(&self, script: &str) {
        fs::write(self.path(), format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(self.path(), Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, host: Host) -> Vec<String> {
        let program = self.path().to_str().unwrap().to_owned();
        [program.as_str(), "hook", host.name(), "--reader", "weir_fetch"].map(str::to_owned).into()
    }

    /// Runs a check over each fault, the program's absence among them.
    fn in_every_fault(&self, check: impl Fn(&str)) {
        let _ = fs::remove_file(self.path());
        check("missing");
        fs::write(self.path(), "#!/bin/sh\necho '{\"text\":\"no\"}'\n").unwrap();
        fs::set_permissions(self.path(), Permissions::from_mode(0o644)).unwrap();
        check("not executable");
        fs::remove_file(self.path()).unwrap();
        fs::create_dir(self.path()).unwrap();
        check("a directory");
        fs::remove_dir(self.path()).unwrap();
        fs::write(self.path(), b"\x7fELF, being built").unwrap();
        fs::set_permissions(self.path(), Permissions::from_mode(0o755)).unwrap();
        check("half a program");
        for (fault, script) in FAULTS {
            self.does(script);
            check(fault);
        }
    }
}

/// The shells of this machine, by their paths.
fn shells() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap();
    let found =
        |name: &str| std::env::split_paths(&path).map(|dir| dir.join(name)).find(|f| f.is_file());
    let found: Vec<PathBuf> =
        ["sh", "dash", "bash", "zsh", "busybox", "ksh"].into_iter().filter_map(found).collect();
    assert!(!found.is_empty());
    found
}

/// The lines that an installation writes for a host: after a call, and before one.
fn lines(host: Host, command: &[String]) -> Vec<String> {
    let mut entries = Vec::new();
    match entry(host, command) {
        Some(Entry { files, merge }) => {
            let items = merge.into_iter().flat_map(|merge| merge.append);
            entries.extend(items.map(|(_, item)| item));
            entries.extend(
                files.iter().map(|file| serde_json::from_str::<Value>(&file.text).unwrap()),
            );
        }
        // Written by hand.
        None if matches!(host, Host::DockerAgent | Host::DockerMcp) => {
            return vec![hook_line(command)];
        }
        None => {}
    }
    let before = wrap::entry(host, command).into_iter().flat_map(|merge| merge.append);
    entries.extend(before.map(|(_, item)| item));
    let mut lines = Vec::new();
    while let Some(value) = entries.pop() {
        match value {
            Value::String(text) if text.contains(" hook ") => lines.push(text),
            Value::Array(items) => entries.extend(items),
            Value::Object(members) => entries.extend(members.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    lines
}

/// A line as a host runs it, with this shell, which is also what the line finds as `sh`.
fn host_shell(shell: &Path, bin: &Path, line: &str) -> Command {
    let mut command = match shell.ends_with("busybox") {
        true => {
            let mut command = Command::new(shell);
            command.arg("sh");
            command
        }
        false => Command::new(shell),
    };
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    command.arg("-c").arg(line).env("PATH", path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A directory in which `sh` is this shell.
fn with_sh(shell: &Path) -> tempfile::TempDir {
    let bin = tempfile::tempdir().unwrap();
    symlink(shell, bin.path().join("sh")).unwrap();
    bin
}

#[test]
fn whatever_becomes_of_the_program_a_host_with_a_command_gets_nothing_and_a_success() {
    let program = Program::new();
    for shell in shells() {
        let bin = with_sh(&shell);
        program.in_every_fault(|fault| {
            for host in Host::all() {
                for line in lines(host, &program.command(host)) {
                    let output = host_shell(&shell, bin.path(), &line).output().unwrap();
                    let said = (output.status.code(), &output.stdout[..], &output.stderr[..]);
                    assert_eq!(said, (Some(0), &b""[..], &b""[..]), "{shell:?} {host:?} {fault}");
                }
            }
        });
    }
}

#[test]
fn an_answer_comes_through_the_line_byte_for_byte() {
    let program = Program::new();
    program.does(&format!("[ \"$*\" = \"$ARGUMENTS\" ] && cat <<'E'\n{ANSWER}\nE"));
    for shell in shells() {
        let bin = with_sh(&shell);
        let mut hosts = 0;
        for host in Host::all() {
            let command = program.command(host);
            for line in lines(host, &command) {
                let mut run = host_shell(&shell, bin.path(), &line);
                let output = run.env("ARGUMENTS", command[1..].join(" ")).output().unwrap();
                assert_eq!(
                    String::from_utf8_lossy(&output.stdout),
                    format!("{ANSWER}\n"),
                    "{shell:?} {line}"
                );
                hosts += 1;
            }
        }
        assert!(hosts > 11, "{hosts} lines");
    }
}

#[test]
fn a_program_that_sleeps_holds_nothing_of_its_host_once_that_ends_the_line() {
    let program = Program::new();
    program.does("exec sleep 30");
    for shell in shells() {
        let bin = with_sh(&shell);
        for host in [Host::GeminiCli, Host::Codex, Host::ClaudeCode] {
            let line = lines(host, &program.command(host)).pop().unwrap();
            let mut child = host_shell(&shell, bin.path(), &line).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(200));
            let began = Instant::now();
            // The host ends the process that it started, and reads to the end of what it said.
            child.kill().unwrap();
            let mut said = String::new();
            child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
            child.wait().unwrap();
            assert_eq!(said, "");
            assert!(began.elapsed() < Duration::from_secs(5), "{shell:?} {host:?} waits");
        }
    }
}

#[test]
fn a_line_that_cannot_write_its_answer_is_no_failure() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let program = Program::new();
    program.does(&format!("cat <<'E'\n{ANSWER}\nE"));
    for shell in shells() {
        let bin = with_sh(&shell);
        let mut run = host_shell(&shell, bin.path(), &hook_line(&program.command(Host::GeminiCli)));
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = run.stdout(full).output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{shell:?}");
    }
}

/// A plugin's seam, called once with a large result: it prints what the model then sees.
fn script(host: Host, text: &str) -> String {
    let text = text.replace(": any", "").replace("export default function (", "function seam(");
    let call = match host {
        Host::OpenCode | Host::Kilo => {
            r#"const output = { output: BIG, metadata: {} };
            await (await Weir({ directory: "/" }))["tool.execute.after"]({ tool: "bash", args: {} }, output);
            const seen = output.output;"#
        }
        Host::Pi => {
            r#"let on; seam({ on: (_, f) => (on = f) });
            const answer = await on({ toolName: "bash", input: {}, content: [{ type: "text", text: BIG }] }, {});
            const seen = answer ? answer.content[0].text : BIG;"#
        }
        Host::Amp => {
            r#"let on; seam({ on: (_, f) => (on = f) });
            const answer = await on({ status: "done", tool: "Bash", input: {}, output: BIG });
            const seen = answer ? answer.output : BIG;"#
        }
        Host::Cline => {
            r#"const result = { output: [{ query: "x", result: BIG, success: true }] };
            const answer = await plugin.hooks.afterTool({ tool: { name: "run_commands" }, input: {}, result });
            const seen = (answer?.result ?? result).output[0].result;"#
        }
        Host::OpenClaw => {
            let text = text.replace("export default {", "const seam = {");
            return format!(
                r#"{text}
                let on; seam.register({{ on() {{}}, registerAgentToolResultMiddleware: (f) => (on = f) }});
                const BIG = "x".repeat(50000);
                const result = {{ content: [{{ type: "text", text: BIG }}] }};
                const answer = await on({{ toolName: "exec", args: {{}}, result }});
                const seen = (answer?.result ?? result).content[0].text;
                console.log(seen === BIG ? "whole" : seen);"#
            );
        }
        _ => unreachable!("a host without a script"),
    };
    format!(
        "{text}\nconst BIG = \"x\".repeat(50000);\n{call}\nconsole.log(seen === BIG ? \"whole\" : seen);\n"
    )
}

const HERMES: &str = r#"
BIG = json.dumps({"output": "x" * 50000, "exit_code": 0})
seen = on_result("terminal", {}, BIG, "ok")
print("whole" if seen is None else json.loads(seen)["output"])
"#;

/// What the model sees in a host with a plugin.
fn seen(host: Host, program: &Program) -> Option<String> {
    let made = plugin(host, &program.command(host), &[], "/h")?;
    // Long enough for a busy machine, and not as long as in earnest.
    let text = made.files[0]
        .text
        .replace("PATIENCE = 12 *", "PATIENCE = 3 *")
        .replace("PATIENCE = 12\n", "PATIENCE = 3\n");
    assert!(!text.contains("PATIENCE = 12"), "{text}");
    let (interpreter, name, text) = match host {
        Host::Hermes => ("python3", "plugin.py", format!("{text}{HERMES}")),
        _ => ("node", "plugin.mjs", script(host, &text)),
    };
    let file = program.directory.path().join(name);
    fs::write(&file, text).unwrap();
    let output = Command::new(interpreter).arg(&file).output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert!(output.status.success(), "{host:?}: {said}{}", String::from_utf8_lossy(&output.stderr));
    Some(said)
}

const WITH_PLUGINS: [Host; 7] =
    [Host::OpenCode, Host::Kilo, Host::Pi, Host::Cline, Host::OpenClaw, Host::Amp, Host::Hermes];

#[test]
fn the_plugin_of_cline_gives_up_before_that_host_ends_the_run() {
    let program = Program::new();
    program.does("exec sleep 30");
    let made = plugin(Host::Cline, &program.command(Host::Cline), &["hook".into()], "/h").unwrap();
    let script = format!(
        r#"{}
        const item = {{ query: "x", result: "x".repeat(50000), success: true }};
        const call = {{ tool: {{ name: "run_commands" }}, input: {{ commands: ["x"] }} }};
        const began = Date.now();
        await plugin.hooks.afterTool({{ ...call, result: {{ output: [item, item, item] }} }});
        const after = Date.now();
        await plugin.hooks.beforeTool(call);
        console.log(Math.max(after - began, Date.now() - after));"#,
        made.files[0].text
    );
    let file = program.directory.path().join("plugin.mjs");
    fs::write(&file, script).unwrap();
    let Ok(output) = Command::new("node").arg(&file).output() else { return };
    let took: u64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    assert!((1_000..2_900).contains(&took), "{took} ms");
}

#[test]
fn whatever_becomes_of_the_program_a_host_with_a_plugin_keeps_the_whole_result() {
    let began = Instant::now();
    // Most of the time nothing is done but waiting.
    std::thread::scope(|all| {
        for host in WITH_PLUGINS {
            all.spawn(move || keeps_the_whole_result(host));
        }
    });
    assert!(began.elapsed() < Duration::from_secs(300));
}

fn keeps_the_whole_result(host: Host) {
    let program = Program::new();
    program.does("cat >/dev/null; echo '{\"text\":\"short\"}'");
    match seen(host, &program) {
        Some(text) => assert_eq!(text, "short", "{host:?}"),
        // No interpreter here.
        None => return,
    }
    program.in_every_fault(|fault| {
        assert_eq!(seen(host, &program).unwrap(), "whole", "{host:?} {fault}");
    });
    // And answers that are none.
    for answer in ["[1]", "5", "null", r#"{"text":5}"#, r#"{"text":["short"]}"#, r#"{"text":""}"#] {
        program.does(&format!("cat >/dev/null; echo '{answer}'"));
        assert_eq!(seen(host, &program).unwrap(), "whole", "{host:?} {answer}");
    }
    // One that never ends its words.
    program.does("exec yes");
    assert_eq!(seen(host, &program).unwrap(), "whole", "{host:?} talks on");
    // And one that leaves something behind that holds its pipes.
    program.does("sleep 60 & sleep 60");
    assert_eq!(seen(host, &program).unwrap(), "whole", "{host:?} asleep");
}
