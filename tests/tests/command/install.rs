//! `weir install`, `weir import` and what `weir doctor` says of the files of agent hosts.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use weir_tests::{Ran, Sandbox};

const CURSOR: &str = "\u{feff}{\r\n\t// mine\r\n\t\"mcpServers\": {\r\n\t\t\"memory\": { \"command\": \"npx\", \"args\": [\"-y\", \"mem\"], \"env\": { \"KEY\": \"very-secret-value\" } },\r\n\t\t\"old\": { \"type\": \"ws\", \"url\": \"wss://x.example/ws\" }\r\n\t}\r\n}\r\n";
const CODEX: &str = "model = \"m\" # model\nmcp_servers = { memory = { command = \"other\" }, docs = { command = \"npx\" } }\n";

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

/// The programs that the files of users here run: servers of so many tools that searching them pays.
const PROGRAMS: [&str; 5] = ["npx", "uvx", "other", "docs", "mail"];

struct Home {
    sandbox: Sandbox,
}

impl Home {
    /// One without agents.
    fn empty() -> Home {
        let home = Home { sandbox: Sandbox::new() };
        for program in PROGRAMS {
            home.program(program, &format!("exec {SERVER} --tools 100"));
        }
        home
    }

    fn program(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let file = format!(".local/bin/{name}");
        self.write(&file, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(self.path(&file), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A home with Cursor and Codex, and a file of servers with the user's own words.
    fn new() -> Home {
        let home = Home::empty();
        home.write(".cursor/mcp.json", CURSOR);
        home.write(".codex/config.toml", CODEX);
        home
    }

    fn path(&self, file: &str) -> PathBuf {
        self.sandbox.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        fs::write(self.path(file), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_default()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.sandbox.command(arguments);
        let set =
            [("HOME", ""), ("XDG_CONFIG_HOME", ".config"), ("XDG_STATE_HOME", ".local/state")];
        for (name, directory) in set {
            command.env(name, self.path(directory));
        }
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path(".local/bin").display()));
        if arguments.first() == Some(&"uninstall") {
            // It goes, and other tests use the common one.
            command.env("XDG_CACHE_HOME", self.path(".local/cache"));
        }
        command.current_dir(self.sandbox.path());
        command
    }

    /// Every directory of a host.
    fn directories(&self) -> Vec<PathBuf> {
        let mut found = vec![self.sandbox.path().to_owned()];
        let mut next = 0;
        while next < found.len() {
            for entry in fs::read_dir(&found[next]).unwrap() {
                let path = entry.unwrap().path();
                let own = [".local", ".cache", "store"].iter().any(|own| path == self.path(own));
                if path.is_dir() && !own {
                    found.push(path);
                }
            }
            next += 1;
        }
        found.sort();
        found
    }

    /// Every file of a host, with its bytes.
    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.sandbox.path().to_owned()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                if [".local", ".config/weir", "store"].iter().any(|own| path == self.path(own)) {
                    continue;
                } else if path.is_dir() {
                    open.push(path);
                } else {
                    files.insert(path.clone(), fs::read(path).unwrap());
                }
            }
        }
        files
    }

    fn succeeds(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran
    }
}

const FILE_SAYS_SO: &str = "the file of servers says so";
const SERVERS: &str = ".config/weir/servers.json";
const OWN: &str = "{\n    // my gateway\n    \"weir\": { \"mode\": \"bridge\" },\n    \"inputs\": [],\n    \"mcpServers\": {\n        \"time\": { \"command\": \"uvx\" } // time\n    }\n}\n";

#[test]
fn an_entry_names_the_places_that_only_variables_name() {
    let home = Home::new();
    let shown = |config: &str| {
        let mut command = home.command(&["install", "cursor", "--dry-run"]);
        command.env("XDG_CONFIG_HOME", home.path(config)).env("XDG_STATE_HOME", "not/absolute");
        Ran::from(command.output().unwrap()).stdout
    };
    let named = format!("\"--servers\", {:?}", home.path("elsewhere/weir/servers.json"));
    assert!(shown("elsewhere").contains(&named), "{}", shown("elsewhere"));
    assert!(!shown(".config").contains("--servers"), "{}", shown(".config"));
    assert!(!shown(".config").contains("--state"), "{}", shown(".config"));
}

#[test]
fn install_puts_the_gateway_in_place_of_the_servers_and_undo_gives_every_byte_back() {
    let home = Home::new();
    home.write(SERVERS, OWN);
    let shown = home.succeeds(&["install", "--dry-run"]);
    assert!(shown.stdout.contains("+ ") && shown.stdout.contains("Cursor"), "{}", shown.stdout);
    assert!(!shown.stdout.contains("very-secret"), "{}", shown.stdout);
    assert_eq!((home.read(".cursor/mcp.json"), home.read(SERVERS)), (CURSOR.into(), OWN.into()));

    // Nobody can be asked here.
    assert_eq!(home.run(&["install"]).code, 2);
    assert_eq!(home.read(".cursor/mcp.json"), CURSOR);

    let ran = home.succeeds(&["install", "--yes", "--json"]);
    assert!(!ran.stdout.contains("very-secret"), "{}", ran.stdout);
    let said: Value = serde_json::from_str(&ran.stdout).unwrap();
    let cursor = said["hosts"].as_array().unwrap().iter().find(|h| h["host"] == "cursor").unwrap();
    assert_eq!(cursor["moved"][0]["as"], "memory");
    // What the gateway cannot run stays with its host.
    assert_eq!(cursor["left"][0]["name"], "old");
    // The mode that the gateway's file names is the one that the host gets, and later that is said again.
    assert_eq!((&cursor["mode"], &cursor["why"]), (&"bridge".into(), &FILE_SAYS_SO.into()));
    let status = home.succeeds(&["status", "--json"]).json();
    let hosts: Vec<_> = status["hosts"].as_array().unwrap().iter().collect();
    assert_eq!(hosts.len(), 2, "Cursor and Codex: {status}");
    for host in hosts {
        assert_eq!((&host["mode"], &host["why"]), (&"bridge".into(), &FILE_SAYS_SO.into()));
    }
    let shown = home.succeeds(&["servers"]).stdout;
    let line = line_of(&shown, "Cursor");
    assert!(line.starts_with("hook and gateway, bridge (the file of servers says so)"), "{shown}");
    let now = home.read(".cursor/mcp.json");
    assert!(
        now.starts_with('\u{feff}') && now.contains("// mine") && now.contains("\"old\""),
        "{now}"
    );
    assert!(now.contains("serve") && !now.contains("memory") && !now.contains("\n\n"), "{now}");
    let codex = home.read(".codex/config.toml");
    assert!(
        codex.contains("\"serve\"") && codex.contains("# model") && !codex.contains("docs"),
        "{codex}"
    );
    let servers = home.read(SERVERS);
    for kept in [
        "// my gateway",
        "\"mode\": \"bridge\"",
        "\"inputs\": []",
        "// time",
        "\"codex-memory\"",
        "\"docs\"",
    ] {
        assert!(servers.contains(kept), "{kept}: {servers}");
    }

    // A second time there is nothing to do.
    let again = home.succeeds(&["install"]);
    assert!(again.stdout.contains("nothing to change"), "{}", again.stdout);

    home.succeeds(&["install", "cursor", "--undo", "--dry-run"]);
    home.succeeds(&["install", "cursor", "--undo", "--yes"]);
    assert_eq!(home.read(".cursor/mcp.json"), CURSOR);
    let servers = home.read(SERVERS);
    assert!(servers.contains("docs") && !servers.contains("very-secret"), "{servers}");
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.read(".codex/config.toml"), CODEX);
    assert_eq!(home.read(SERVERS), OWN);
    assert_eq!(home.run(&["install", "--undo", "--yes"]).code, 2, "there is nothing left to undo");
}

#[test]
fn what_others_wrote_since_stays_when_an_installation_is_undone() {
    let home = Home::new();
    home.succeeds(&["install", "codex", "--yes"]);
    let written =
        home.read(".codex/config.toml") + "\n[projects.\"/w\"]\ntrust_level = \"trusted\"\n";
    home.write(".codex/config.toml", &written);
    home.succeeds(&["install", "codex", "--undo", "--yes"]);
    let now = home.read(".codex/config.toml");
    assert!(
        now.starts_with(CODEX) && now.contains("trusted") && !now.contains("\"serve\""),
        "{now}"
    );
    assert!(!home.path(SERVERS).exists(), "there was no such file before");
}

#[test]
fn import_keeps_everything_and_gives_names_that_are_taken_a_way_out() {
    let home = Home::new();
    home.write(SERVERS, OWN);
    home.write(
        ".claude.json",
        r#"{"mcpServers":{"time":{"type":"stdio","command":"uvx","env":{}}},"projects":{"/home/me/work":{"mcpServers":{"sqlite":{"command":"uvx","args":["s"]}}}}}"#,
    );
    let ran = home.succeeds(&["import", "cursor", "codex", "claude-code"]);
    // The same server in other words is the same.
    assert!(ran.stdout.contains("time (the same)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("--rename takes it as codex-memory"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("sqlite") && ran.stdout.contains("cannot run it"),
        "{}",
        ran.stdout
    );
    let servers = home.read(SERVERS);
    assert!(
        servers.contains("// my gateway") && servers.contains("\"weir\": { \"mode\": \"bridge\" }")
    );
    assert!(servers.contains("very-secret-value") && servers.contains("x.example/ws"));
    let ran = home.succeeds(&["import", ".codex/config.toml", "--rename", "--json"]);
    let said: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(said["added"][0], "config-memory");
    assert_eq!(home.run(&["import", "nobody"]).code, 2);
}

#[test]
fn doctor_finds_servers_reached_twice_hooks_without_a_program_and_files_that_do_not_parse() {
    let home = Home::new();
    home.succeeds(&["install", "cursor", "--yes"]);
    // The user puts back by hand what is behind the gateway.
    let now = home.read(".cursor/mcp.json");
    let memory = r#""memory": { "command": "npx", "args": ["-y", "mem"], "env": { "KEY": "very-secret-value" } }, "weir""#;
    home.write(".cursor/mcp.json", &now.replacen("\"weir\"", memory, 1));
    home.write(
        ".claude/settings.json",
        r#"{"hooks":{"PostToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/gone/weir hook claude-code"}]}]}}"#,
    );
    home.write(".gemini/settings.json", "{ broken");
    let ran = home.run(&["doctor"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    for said in ["through the gateway: memory", "/gone/weir, which is not there", "not valid JSON"]
    {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
}

#[test]
fn a_file_that_cannot_be_undone_keeps_no_other_from_it() {
    let home = Home::new();
    home.succeeds(&["install", "cursor", "codex", "--yes"]);
    let installed = home.read(".codex/config.toml");
    home.write(".codex/config.toml", "[broken");
    let ran = home.run(&["install", "--undo", "--yes", "--json"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let left = &ran.json()["left"];
    assert!(left[0]["file"].as_str().unwrap().ends_with(".codex/config.toml"), "{left}");
    assert_eq!(home.read(".cursor/mcp.json"), CURSOR);
    assert_eq!(home.read(".codex/config.toml"), "[broken");
    // Its servers are still behind the gateway, until it is corrected.
    let servers = home.read(SERVERS);
    assert!(servers.contains("docs") && !servers.contains("very-secret"), "{servers}");
    assert_eq!(home.run(&["install", "--undo", "--yes"]).code, 2, "nothing else is left to undo");
    home.write(".codex/config.toml", &installed);
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(
        (home.read(".codex/config.toml"), home.read(SERVERS)),
        (CODEX.into(), String::new())
    );
}

#[test]
fn a_file_that_we_made_stays_valid_for_the_hooks_that_others_have_put_there() {
    let home = Home::new();
    home.succeeds(&["install", "cursor", "--yes"]);
    let mut hooks: Value = serde_json::from_str(&home.read(".cursor/hooks.json")).unwrap();
    let theirs = serde_json::json!([{"command": "bell"}]);
    hooks["hooks"]["stop"] = theirs.clone();
    home.write(".cursor/hooks.json", &hooks.to_string());
    home.succeeds(&["install", "cursor", "--undo", "--yes"]);
    let left: Value = serde_json::from_str(&home.read(".cursor/hooks.json")).unwrap();
    // Cursor rejects the file without its version.
    assert_eq!(left, serde_json::json!({"version": 1, "hooks": {"stop": theirs}}));
}

#[test]
fn the_program_may_have_another_name() {
    let home = Home::new();
    let program = home.path("weir-0.3.0-x86_64");
    let weir = PathBuf::from(home.command(&[]).get_program());
    std::os::unix::fs::symlink(&weir, &program).unwrap();
    // A gateway that somebody has put in by hand is one too.
    let entry = serde_json::json!({"command": "npx", "args": ["-y", "weir-cli", "serve"]});
    home.write(
        ".config/Claude/claude_desktop_config.json",
        &serde_json::json!({"mcpServers": {"weir": entry}}).to_string(),
    );
    home.write(SERVERS, OWN);
    home.succeeds(&["install", "claude-desktop", "--yes"]);
    let named = home.read(".config/Claude/claude_desktop_config.json");
    assert!(named.contains("weir-cli") && named.matches("serve").count() == 1, "{named}");

    home.succeeds(&["install", "cursor", "--yes"]);
    let (mcp, hooks) = (home.read(".cursor/mcp.json"), home.read(".cursor/hooks.json"));
    let weir = weir.display().to_string();
    let renamed = |text: &str| text.replace(&weir, program.to_str().unwrap());
    home.write(".cursor/mcp.json", &renamed(&mcp));
    home.write(".cursor/hooks.json", &renamed(&hooks));
    let again = home.succeeds(&["install", "cursor", "--yes"]);
    assert!(!again.stdout.contains("another server"), "{}", again.stdout);
    assert_eq!(home.read(".cursor/hooks.json").matches(" hook cursor").count(), 1);
    fs::remove_file(&program).unwrap();
    let said = home.run(&["doctor"]).stdout;
    assert!(said.contains("the gateway's entry runs"), "{said}");
    assert!(said.contains("a hook runs"), "{said}");
}

/// Files of users, with other hooks, comments and either kind of line end.
const USERS: &[(&str, &str)] = &[
    (
        ".claude.json",
        "{\n  \"numStartups\": 7,\n  \"mcpServers\": {\n    \"memory\": { \"type\": \"stdio\", \"command\": \"npx\", \"args\": [] }\n  }\n}\n",
    ),
    (
        ".claude/settings.json",
        "{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\r\n\t\t\"PostToolUse\": [\r\n\t\t\t{ \"matcher\": \"Edit\", \"hooks\": [{ \"type\": \"command\", \"command\": \"fmt hook codex\" }] }\r\n\t\t]\r\n\t}\r\n}\r\n",
    ),
    (
        ".codex/hooks.json",
        "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"bell\"}]}]}}",
    ),
    (
        ".gemini/settings.json",
        "{\r\n  // mine\r\n  \"ui\": { \"theme\": \"x\" },\r\n  \"mcpServers\": {\r\n    \"memory\": { \"command\": \"npx\" }, // notes\r\n  },\r\n  \"hooks\": {\r\n    \"AfterTool\": [\r\n      { \"matcher\": \"write_file\", \"hooks\": [{ \"type\": \"command\", \"command\": \"fmt\" }] }, // format\r\n    ],\r\n  },\r\n}\r\n",
    ),
    (".copilot/mcp-config.json", "{ \"mcpServers\": {} }\n"),
    (".copilot/hooks/mine.json", "{\"version\":1,\"hooks\":{}}"),
    (".qwen/settings.json", "\u{feff}{\n    /* mine */\n    \"$version\": 4\n}"),
    (".config/opencode/opencode.jsonc", "{\n  // models\n  \"model\": \"a/b\",\n}\n"),
    (".config/opencode/plugin/mine.js", "export const Mine = async () => ({});\n"),
    (".pi/agent/models.json", "{}"),
    (
        ".hermes/config.yaml",
        "# mine\r\nmodel:\r\n  default: m  # model\r\nplugins:\r\n  enabled:\r\n    - other  # theirs\r\n",
    ),
];

/// A host, the file that tells it of the hook, what stands in there, and the host's name for the hook.
const HOOKS: &[(&str, &str, &[&str], &str)] = &[
    (
        "claude-code",
        ".claude/settings.json",
        &["\"model\": \"opus\"", "fmt hook codex"],
        "claude-code",
    ),
    ("codex", ".codex/hooks.json", &["\"Stop\"", "bell"], "codex"),
    ("gemini", ".gemini/settings.json", &["// mine", "// format", "\"weir\": {"], "gemini"),
    ("copilot", ".copilot/hooks/weir.json", &["postToolUse", "\"bash\""], "copilot"),
    ("qwen", ".qwen/settings.json", &["/* mine */"], "qwen-code"),
    ("opencode", ".config/opencode/plugin/weir.js", &["tool.execute.after"], "opencode"),
    ("pi", ".pi/agent/extensions/weir.ts", &["tool_result"], "pi"),
    ("hermes", ".hermes/plugins/weir/__init__.py", &["transform_tool_result"], "hermes"),
];

#[test]
fn the_hook_goes_in_with_the_gateway_once_and_out_again_byte_for_byte() {
    let home = Home::new();
    USERS.iter().for_each(|(file, text)| home.write(file, text));
    let (before, directories) = (home.files(), home.directories());
    for (host, file, kept, name) in HOOKS {
        // Some have no server for which the gateway would come by itself.
        let alone = ["copilot", "opencode", "hermes"].contains(host);
        let asked = if alone { &["--mode", "auto"][..] } else { &[] };
        let shown = home.succeeds(&[&["install", host, "--dry-run"], asked].concat());
        assert!(shown.stdout.contains(file), "{host}: {}", shown.stdout);
        // A plugin's text is shown to who asks for it.
        let is_own = [".js", ".ts", ".py"].iter().any(|end| file.ends_with(end));
        assert_eq!(shown.stdout.contains("--show prints them"), is_own || *host == "copilot");
        home.succeeds(&[&["install", host, "--yes"], asked].concat());
        let text = home.read(file);
        // As a line of a shell, or as the words of a list.
        let plain = text.replace("\",\"", " ").replace(['"', '[', ']'], "");
        // Without the gateway, or behind a search of the host's own, the reader is a command.
        let by_tool = !["claude-code", "pi", "qwen"].contains(host);
        let reader = if by_tool { " --reader weir_fetch" } else { "" };
        assert!(plain.contains(&format!("hook {name}{reader}")), "{host}: {text}");
        assert_eq!(plain.contains("weir_fetch"), by_tool, "{host}: {text}");
        assert!(text.contains("/weir"), "{host}: {text}");
        for kept in *kept {
            assert!(text.contains(kept), "{host}: {kept}: {text}");
        }
        let again = home.succeeds(&["install", host, "--yes"]);
        assert!(again.stdout.contains("nothing to change"), "{host}: {}", again.stdout);
    }
    for file in [".claude/settings.json", ".gemini/settings.json", ".hermes/config.yaml"] {
        let text = home.read(file);
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{file}: {text}");
    }
    let hermes = home.read(".hermes/config.yaml");
    assert!(hermes.contains("- other  # theirs") && hermes.contains("- \"weir\""), "{hermes}");
    let doctor = home.run(&["doctor"]);
    assert!(!doctor.stdout.contains("not there"), "{}", doctor.stdout);

    for (host, ..) in HOOKS {
        home.succeeds(&["install", host, "--undo", "--yes"]);
    }
    assert_eq!(home.files(), before);
    assert_eq!(home.directories(), directories, "directories that were made go too");
}

#[test]
fn commands_run_through_weir_where_that_helps_and_other_hosts_say_why_not() {
    let home = Home::new();
    USERS.iter().for_each(|(file, text)| home.write(file, text));
    let before = home.files();
    let wraps = [
        ("claude-code", ".claude/settings.json", "PreToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
        ("gemini", ".gemini/settings.json", "BeforeTool"),
        ("cursor", ".cursor/hooks.json", "preToolUse"),
        ("cline", ".cline/plugins/weir.js", "beforeTool"),
        ("openclaw", ".openclaw/weir/index.js", "before_tool_call"),
        ("hermes", ".hermes/plugins/weir/__init__.py", "tool_request"),
    ];
    for (host, file, event) in wraps {
        // Offered, and why.
        let shown = home.succeeds(&["install", host, "--dry-run"]);
        assert!(shown.stdout.contains("--wrap runs commands"), "{host}: {}", shown.stdout);
        home.succeeds(&["install", host, "--yes", "--wrap"]);
        let text = home.read(file);
        let plain = text.replace("\",\"", " ").replace(['"', '[', ']'], "");
        assert!(text.contains(event), "{host}: {text}");
        assert!(plain.contains(&format!("hook {host} --wrap")), "{host}: {text}");
        // It stays when it is not asked for again.
        for arguments in [&["install", host, "--yes"][..], &["install", host, "--yes", "--wrap"]] {
            let again = home.succeeds(arguments);
            assert!(again.stdout.contains("nothing to change"), "{host}: {}", again.stdout);
        }
    }
    for (host, why) in
        [("copilot", "all of the output"), ("qwen", "cannot change"), ("zed", "no hook")]
    {
        let shown = home.succeeds(&["install", host, "--dry-run", "--wrap"]);
        let wanted = "--wrap changes nothing here";
        assert!(shown.stdout.contains(wanted) && shown.stdout.contains(why), "{}", shown.stdout);
    }
    for (host, ..) in wraps {
        home.succeeds(&["install", host, "--undo", "--yes"]);
    }
    assert_eq!(home.files(), before);
}

#[test]
fn the_line_that_is_installed_answers_the_host_and_names_the_reader_that_is_there() {
    let home = Home::new();
    home.write(".claude.json", "{}");
    home.succeeds(&["install", "claude-code", "--yes", "--mode", "passthrough"]);
    let settings: Value = serde_json::from_str(&home.read(".claude/settings.json")).unwrap();
    let line = &settings["hooks"]["PostToolUse"][0]["hooks"][0]["command"];
    let stdout: String = (0..20_000).map(|number| format!("{number}\n")).collect();
    let event = serde_json::json!({
        "session_id": "s", "cwd": home.sandbox.path(), "hook_event_name": "PostToolUse",
        "tool_name": "Bash", "tool_input": {"command": "seq 0 19999"},
        "tool_response": {"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false},
    });
    home.write("event.json", &event.to_string());
    let mut shell = Command::new("/bin/sh");
    let set = home.command(&[]);
    shell.env_clear().envs(set.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.arg("-c").arg(format!("{} < event.json", line.as_str().unwrap()));
    let ran: Ran = shell.current_dir(home.sandbox.path()).output().unwrap().into();
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("weir_fetch") && ran.stdout.len() < 30_000, "{}", ran.stdout);
}

#[test]
fn hooks_go_where_variables_say_and_nowhere_when_they_are_not_wanted() {
    let home = Home::new();
    let below = |file: &str| home.path(file);
    let install = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        for (name, directory) in [
            ("CODEX_HOME", "x/codex"),
            ("CLAUDE_CONFIG_DIR", "x/claude"),
            ("HERMES_HOME", "x/hermes"),
            ("PI_CODING_AGENT_DIR", "x/pi"),
            ("GEMINI_CLI_HOME", "x/gemini"),
            ("VIBE_HOME", "x/vibe"),
            ("COPILOT_HOME", "x/copilot"),
        ] {
            command.env(name, below(directory));
        }
        let ran: Ran = command.output().unwrap().into();
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    };
    let before = home.files();
    let hosts = ["codex", "claude-code", "hermes", "pi", "gemini", "vibe", "copilot"];
    install(&[&["install", "--yes", "--no-hooks"][..], &hosts].concat());
    let without: Vec<PathBuf> = home.files().into_keys().collect();
    for file in without.iter().filter(|file| !before.contains_key(*file)) {
        assert!(!fs::read_to_string(file).unwrap().contains("hook"), "{}", file.display());
    }
    // The choice is kept until what was installed is taken back.
    let chosen = home.files();
    let by_gateway: Vec<&str> = hosts.into_iter().filter(|host| *host != "pi").collect();
    install(&[&["install", "--yes"][..], &by_gateway].concat());
    assert_eq!(home.files(), chosen);
    install(&[&["install", "--undo", "--yes"][..], &by_gateway].concat());
    install(&[&["install", "--yes", "--mode", "auto"][..], &hosts].concat());
    for file in [
        "x/codex/hooks.json",
        "x/claude/settings.json",
        "x/hermes/plugins/weir/__init__.py",
        "x/pi/extensions/weir.ts",
        "x/gemini/.gemini/settings.json",
        "x/vibe/hooks.toml",
        "x/copilot/hooks/weir.json",
    ] {
        assert!(home.read(file).contains("hook"), "{file}: {}", home.read(file));
    }
    let is_new = |file: &Path| !before.contains_key(file) && !file.starts_with(below("x"));
    let strays: Vec<PathBuf> = home.files().into_keys().filter(|file| is_new(file)).collect();
    assert!(strays.is_empty(), "{strays:?}");
    install(&[&["install", "--undo", "--yes"][..], &hosts].concat());
    assert_eq!(home.files(), before);
}

#[test]
fn a_hook_whose_program_is_gone_is_corrected_and_others_beside_it_stay() {
    let home = Home::new();
    let settings = "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Bash\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"fmt\" },\n          { \"type\": \"command\", \"command\": \"/gone/weir hook claude-code\", \"timeout\": 9 }\n        ]\n      }\n    ]\n  }\n}\n";
    home.write(".claude/settings.json", settings);
    home.write(".pi/agent/extensions/weir.ts", "const WEIR = \"/gone/too/weir\";\n");
    let doctor = home.run(&["doctor"]);
    for said in ["/gone/weir, which is not there", "/gone/too/weir, which is not there"] {
        assert!(doctor.stdout.contains(said), "{said}: {}", doctor.stdout);
    }
    home.succeeds(&["install", "claude-code", "pi", "--yes"]);
    let now: Value = serde_json::from_str(&home.read(".claude/settings.json")).unwrap();
    let groups = now["hooks"]["PostToolUse"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "{now}");
    assert_eq!(
        (&groups[0]["matcher"], &groups[0]["hooks"][1]["timeout"]),
        (&"Bash".into(), &9.into())
    );
    assert_eq!(groups[0]["hooks"][0]["command"], "fmt");
    let line = groups[0]["hooks"][1]["command"].as_str().unwrap();
    assert!(line.ends_with(" hook claude-code") && !line.contains("gone"));
    assert!(!home.run(&["doctor"]).stdout.contains("not there"));
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.read(".claude/settings.json"), settings);
}

#[test]
fn a_hook_of_an_earlier_version_that_can_take_results_away_is_found_and_corrected() {
    let home = Home::new();
    let program = home.command(&[]).get_program().to_str().unwrap().to_owned();
    let plain = format!("{program} hook gemini --reader weir_fetch --config /etc/weir.toml");
    let hook =
        serde_json::json!({"name": "weir", "type": "command", "command": plain, "timeout": 30_000});
    let item = serde_json::json!({"matcher": ".*", "hooks": [hook]});
    let settings = serde_json::json!({"hooks": {"AfterTool": [item]}}).to_string();
    home.write(".gemini/settings.json", &settings);
    let said = home.run(&["doctor"]);
    assert_eq!(said.code, 1, "{}", said.stdout);
    assert!(said.stdout.contains("can take results away"), "{}", said.stdout);
    home.succeeds(&["install", "gemini", "--yes"]);
    let now: Value = serde_json::from_str(&home.read(".gemini/settings.json")).unwrap();
    let hooks = now["hooks"]["AfterTool"][0]["hooks"].as_array().unwrap();
    assert_eq!((hooks.len(), now["hooks"]["AfterTool"].as_array().unwrap().len()), (1, 1));
    let line = hooks[0]["command"].as_str().unwrap();
    assert!(line.starts_with("exec sh -c ") && line.ends_with(&plain), "{line}");
    assert_eq!(hooks[0]["timeout"], 30_000);
    assert!(!home.run(&["doctor"]).stdout.contains("take results away"));
    let again = home.succeeds(&["install", "gemini", "--yes"]);
    assert!(again.stdout.contains("nothing to change"), "{}", again.stdout);
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.read(".gemini/settings.json"), settings);
}

#[test]
fn a_second_installation_keeps_what_the_user_has_set_and_says_so() {
    let home = Home::new();
    let zed = "{ // mine\n  \"context_servers\": {\n    \"a\": { \"command\": \"npx\", \"args\": [\"a\"] }\n  }\n}\n";
    let vibe = "# mine\n[[mcp_servers]]\nname = \"b\"\ntransport = \"stdio\"\ncommand = \"npx\"\n";
    let opencode =
        "{\n  \"mcp\": { \"c\": { \"type\": \"local\", \"command\": [\"npx\", \"c\"] } }\n}\n";
    home.write(".config/zed/settings.json", zed);
    home.write(".vibe/config.toml", vibe);
    home.write(".config/opencode/opencode.json", opencode);
    let before = home.files();
    let files = [
        ("cursor", ".cursor/mcp.json"),
        ("codex", ".codex/config.toml"),
        ("zed", ".config/zed/settings.json"),
        ("vibe", ".vibe/config.toml"),
        ("opencode", ".config/opencode/opencode.json"),
    ];
    home.succeeds(&["install", "--yes", "--mode", "bridge"]);
    for (host, file) in files {
        let text = home.read(file);
        assert!(text.contains("bridge"), "{host}: {text}");
        // Without a word about the mode, and with the same.
        let again = home.succeeds(&["install", host, "--yes"]);
        let said = "gateway, bridge (its entry says --mode bridge); ";
        for said in [said, "nothing to change", &format!("`weir install {host} --mode ")] {
            assert!(again.stdout.contains(said), "{host}: {said}: {}", again.stdout);
        }
        let again = home.succeeds(&["install", host, "--yes", "--json"]).json();
        assert_eq!(again["hosts"][0]["mode"], "bridge", "{host}: {again}");
        home.succeeds(&["install", host, "--yes", "--mode", "bridge"]);
        assert_eq!(home.read(file), text, "{host}");
        // An option given to this run is written into the entry; the rest of the entry stays.
        home.succeeds(&["install", host, "--yes", "--mode", "passthrough"]);
        let changed = home.read(file);
        let same = changed.replace("passthrough", "bridge") == text;
        // An item of a list is written anew.
        assert!(same || host == "vibe", "{host}: {changed}");
        assert!(changed.contains("passthrough") && !changed.contains("bridge"), "{changed}");
        home.succeeds(&["install", host, "--yes"]);
        assert_eq!(home.read(file), changed, "{host}");
    }
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);
}

#[test]
fn a_host_that_is_misspelt_is_named_as_it_is_spelt() {
    let home = Home::new();
    for (written, said) in
        [("curser", "did you mean cursor?"), ("zzz", "the hosts are claude-code")]
    {
        let ran = home.run(&["install", written]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn an_entry_that_is_there_gets_what_it_cannot_work_without_and_nothing_else() {
    let home = Home::new();
    let entry = "{\n  \"mcpServers\": {\n    \"gate\": {\n      \"command\": \"/gone/weir\",\n      \"args\": [\"serve\", \"--mode=passthrough\", \"--log\", \"info\"], // mine\n      \"env\": { \"X\": \"1\" }\n    },\n    \"a\": { \"command\": \"npx\" }\n  }\n}\n";
    home.write(".cursor/mcp.json", entry);
    let ran = home.succeeds(&["install", "cursor", "--yes"]);
    assert!(ran.stdout.contains("/gone/weir, which is not there"), "{}", ran.stdout);
    let now = home.read(".cursor/mcp.json");
    for kept in ["\"gate\"", "--mode=passthrough", "\"--log\", \"info\"", "// mine", "\"X\": \"1\""]
    {
        assert!(now.contains(kept), "{kept}: {now}");
    }
    // The gateway sees what the hook stores.
    assert!(now.contains("\"--host\", \"cursor\"") && !now.contains("/gone"), "{now}");
    home.succeeds(&["install", "cursor", "--undo", "--yes"]);
    assert_eq!(home.read(".cursor/mcp.json"), entry);
    // One that was copied from another agent is left, and said.
    let copied = entry.replace("\"info\"", "\"info\", \"--host\", \"codex\"");
    home.write(".cursor/mcp.json", &copied);
    let ran = home.succeeds(&["install", "cursor", "--dry-run"]);
    assert!(ran.stdout.contains("its entry says --host codex"), "{}", ran.stdout);
}

#[test]
fn servers_do_not_go_behind_an_entry_that_does_not_reach_them() {
    let home = Home::new();
    let with = |entry: &str| {
        format!("{{\"mcpServers\": {{\"weir\": {entry}, \"a\": {{\"command\": \"npx\"}}}}}}")
    };
    let serve = "\"command\": \"weir\", \"args\": [\"serve\"";
    for (entry, why) in [
        (format!("{{{serve}], \"disabled\": true}}"), "is switched off"),
        (format!("{{{serve}, \"--servers\", \"/other/servers.json\"]}}"), "/other/servers.json"),
        (format!("{{{serve}, \"--\", \"npx\", \"x\"]}}"), "one server alone"),
    ] {
        let text = with(&entry);
        home.write(".cursor/mcp.json", &text);
        let ran = home.run(&["install", "cursor", "--yes"]);
        assert!(ran.code == 2 && ran.stderr.contains(why), "{why}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(home.read(".cursor/mcp.json"), text);
        assert!(!home.path(SERVERS).exists());
    }
    let other = home.path("other.json");
    let other = other.to_str().unwrap();
    home.write(".cursor/mcp.json", &with(&format!("{{{serve}, \"--servers\", \"{other}\"]}}")));
    home.succeeds(&["install", "cursor", "--yes", "--servers", other]);
    assert!(home.read("other.json").contains("npx"), "{}", home.read("other.json"));
}

#[test]
fn options_of_the_first_installation_and_changes_of_its_own_files_outlive_a_second() {
    let home = Home::new();
    home.write(".config/own.toml", "");
    let config = home.path(".config/own.toml");
    let config = config.to_str().unwrap();
    let hosts = ["claude-code", "copilot", "pi", "codex", "hermes"];
    let before = home.files();
    home.succeeds(&[&["--config", config, "install", "--yes", "--wrap"][..], &hosts].concat());
    let installed = home.files();
    for file in [
        ".claude/settings.json",
        ".copilot/hooks/weir.json",
        ".pi/agent/extensions/weir.ts",
        ".codex/hooks.json",
        ".hermes/plugins/weir/__init__.py",
    ] {
        assert!(home.read(file).contains(config), "{file}: {}", home.read(file));
    }
    let again = home.succeeds(&[&["install", "--yes"][..], &hosts].concat());
    assert!(again.stdout.contains("nothing to change"), "{}", again.stdout);
    assert_eq!(home.files(), installed);

    // A patience of the user's own.
    let hook = ".copilot/hooks/weir.json";
    let changed = home.read(hook).replace("\"timeoutSec\": 15", "\"timeoutSec\": 90");
    assert!(changed.contains("90"));
    home.write(hook, &changed);
    let again = home.succeeds(&["install", "copilot", "--yes"]);
    assert!(again.stdout.contains("weir.json was changed since"), "{}", again.stdout);
    assert_eq!(home.read(hook), changed);
    // Undone it goes all the same, and is not lost.
    let undone = home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);
    let copy = undone.stdout.lines().find_map(|line| line.split_once("what it held is in "));
    assert_eq!(fs::read_to_string(copy.unwrap().1).unwrap(), changed);
}

#[test]
fn a_hook_before_calls_whose_program_is_gone_is_corrected_too() {
    let home = Home::new();
    home.write(".claude.json", "{}");
    home.succeeds(&["install", "claude-code", "--yes", "--wrap", "--mode", "passthrough"]);
    let file = ".claude/settings.json";
    let good = home.read(file);
    let program = home.read(".claude.json");
    let program = serde_json::from_str::<Value>(&program).unwrap();
    let program = program["mcpServers"]["weir"]["command"].as_str().unwrap();
    home.write(file, &good.replace(program, "/gone/weir"));
    home.succeeds(&["install", "claude-code", "--yes"]);
    assert_eq!(home.read(file).matches(program).count(), good.matches(program).count());
    assert!(!home.read(file).contains("/gone"), "{}", home.read(file));
}

/// The command with a terminal to ask at, where the answer is typed.
#[cfg(target_os = "linux")]
fn answered(home: &Home, arguments: &[&str], answer: &str) -> Ran {
    let command = home.command(arguments);
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<String> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    let mut script = Command::new("script");
    script.env_clear().envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    script.args(["-qec", &line.join(" "), "/dev/null"]).current_dir(home.sandbox.path());
    let answer_file = home.path("answer");
    fs::write(&answer_file, format!("{answer}\n")).unwrap();
    script.stdin(fs::File::open(&answer_file).unwrap());
    let ran = script.output().unwrap().into();
    fs::remove_file(answer_file).unwrap();
    ran
}

#[test]
#[cfg(target_os = "linux")]
fn undo_shows_its_changes_and_asks() {
    let home = Home::new();
    home.succeeds(&["install", "cursor", "--yes"]);
    let installed = home.files();
    // Nobody can be asked here.
    let ran = home.run(&["install", "--undo"]);
    assert!(ran.code == 2 && ran.stderr.contains("no terminal"), "{}", ran.stderr);
    assert_eq!(home.files(), installed);
    let ran = answered(&home, &["install", "--undo"], "n");
    assert!(ran.stdout.contains("Take these changes back?"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("very-secret"), "{}", ran.stdout);
    assert_eq!((ran.code, home.files()), (1, installed));
    let ran = answered(&home, &["install", "--undo"], "y");
    assert_eq!((ran.code, home.read(".cursor/mcp.json")), (0, CURSOR.into()), "{}", ran.stdout);
}

#[test]
fn undo_works_without_the_state_and_says_what_to_do_without_the_configuration() {
    let home = Home::new();
    let before = home.files();
    home.succeeds(&["install", "--yes"]);
    fs::remove_dir_all(home.path(".local")).unwrap_or_default();
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);
    assert!(!home.path(".config/weir").exists(), "nothing of ours is left");

    let own = mcp(&serde_json::json!({"many": server(&["--tools", "100"])}));
    home.write(".cursor/mcp.json", &own);
    let before = home.files();
    home.succeeds(&["install", "cursor", "--yes"]);
    fs::remove_dir_all(home.path(".config/weir")).unwrap();
    let doctor = home.run(&["doctor"]);
    assert_eq!(doctor.code, 1, "{}", doctor.stdout);
    for said in ["servers.json, which is not there", "`weir install cursor --undo` gives its"] {
        assert!(doctor.stdout.contains(said), "{said}: {}", doctor.stdout);
    }
    // An installation would make an empty file of servers; the copies give them back.
    let ran = home.run(&["install", "cursor", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("--undo` gives them back"), "{}", ran.stderr);
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);

    // While nothing knows the servers, nothing is written or taken out.
    home.succeeds(&["install", "cursor", "--yes"]);
    fs::remove_dir_all(home.path(".config/weir")).unwrap();
    fs::remove_dir_all(home.path(".local/state/weir/installed")).unwrap();
    let installed = home.files();
    for command in [
        &["install", "cursor", "--yes"][..],
        &["install", "cursor", "--undo", "--yes"],
        &["uninstall", "--yes"],
    ] {
        let ran = home.run(command);
        assert!(ran.code == 2, "{command:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("are in no file that is known: "), "{}", ran.stderr);
        assert_eq!(home.files(), installed);
    }
    let ran = home.run(&["install", "--undo", "--yes"]);
    assert!(ran.code == 2 && ran.stderr.contains("no record says"), "{}", ran.stderr);
}

#[test]
fn records_that_only_the_state_has_are_used() {
    let home = Home::new();
    let before = home.files();
    home.succeeds(&["install", "--yes"]);
    let earlier = home.path(".local/state/weir/installed");
    fs::remove_dir_all(home.path(".config/weir/installed")).unwrap();
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);
    assert!(!earlier.exists());
}

#[test]
fn uninstall_removes_what_is_weirs_and_no_byte_of_others() {
    let home = Home::new();
    USERS.iter().for_each(|(file, text)| home.write(file, text));
    let (before, directories) = (home.files(), home.directories());
    let run = |arguments: &[&str]| -> Ran {
        let mut command = home.command(arguments);
        // Of its own: it goes.
        command.env("XDG_CACHE_HOME", home.path(".local/cache"));
        command.env("XDG_DATA_HOME", home.path(".local/share")).env_remove("WEIR_STORE");
        command.output().unwrap().into()
    };
    assert_eq!(run(&["uninstall", "--yes"]).code, 2, "there is nothing to remove");
    assert_eq!(run(&["install", "--yes"]).code, 0);
    home.write(".config/weir/config.toml", "");
    home.write(".config/weir/notes", "mine");
    home.write(".local/share/other/file", "theirs");
    fs::write(home.path("big.txt"), "line\n".repeat(20_000)).unwrap();
    assert_eq!(run(&["transform", "big.txt"]).code, 0);
    fs::remove_file(home.path("big.txt")).unwrap();
    let installed = home.files();

    let shown = run(&["uninstall", "--dry-run"]);
    for said in
        [".cursor/mcp.json", ".local/share/weir, with all", ".local/cache/weir", "servers.json"]
    {
        assert!(shown.stdout.contains(said), "{said}: {}", shown.stdout);
    }
    let ran = run(&["uninstall"]);
    assert!(ran.code == 2 && ran.stderr.contains("no terminal"), "{}", ran.stderr);
    assert_eq!(home.files(), installed);

    let ran = run(&["uninstall", "--yes"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(home.files(), before);
    for gone in [".local/share/weir", ".local/state/weir", ".local/cache/weir", SERVERS] {
        assert!(!home.path(gone).exists(), "{gone}");
    }
    assert_eq!(
        (home.read(".config/weir/notes"), home.read(".local/share/other/file")),
        ("mine".into(), "theirs".into())
    );
    assert!(ran.stdout.contains("there are other files in it"), "{}", ran.stdout);
    fs::remove_dir_all(home.path(".config/weir")).unwrap();
    assert_eq!(home.directories(), directories);
    assert_eq!(run(&["uninstall", "--yes"]).code, 2, "there is nothing left");
}

#[test]
fn uninstall_deletes_nothing_that_a_file_still_needs() {
    let home = Home::new();
    home.succeeds(&["install", "cursor", "codex", "--yes", "--no-hooks"]);
    home.write(".codex/config.toml", "[broken");
    let ran = home.run(&["uninstall", "--yes", "--json"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let said = ran.json();
    assert_eq!(
        (said["left"].as_array().unwrap().len(), &said["removed"]),
        (1, &serde_json::json!([]))
    );
    assert_eq!(home.read(".cursor/mcp.json"), CURSOR);
    assert!(
        home.read(SERVERS).contains("docs"),
        "the servers of Codex are kept: {}",
        home.read(SERVERS)
    );
}

#[test]
fn a_file_from_before_servers_had_hosts_keeps_working_and_its_servers_are_named() {
    let home = Home::new();
    let old = "{\"mcpServers\": {\"time\": {\"command\": \"npx\", \"args\": [\"time\"]}}}";
    home.write(SERVERS, old);
    home.write(
        ".cursor/mcp.json",
        "{\"mcpServers\": {\"weir\": {\"command\": \"weir\", \"args\": [\"serve\", \"--host\", \"cursor\"]}}}",
    );
    home.write(".codex/config.toml", "[mcp_servers.time]\ncommand = \"npx\"\nargs = [\"time\"]\n");
    let shown = home.succeeds(&["install", "cursor", "--dry-run"]).stdout;
    assert!(shown.contains("  gets, as every agent does: time"), "{shown}");
    // Codex has the server already, as every agent has.
    let said = home.succeeds(&["install", "codex", "--yes", "--json"]).json();
    let codex = &said["hosts"][0];
    assert_eq!(
        (&codex["servers"], &codex["moved"][0]["as"]),
        (&1.into(), &"time".into()),
        "{said}"
    );
    assert_eq!(home.read(SERVERS), old);
    for host in ["cursor", "codex", "zed"] {
        let rows = home.run(&["--host", host, "servers", "--json"]).json();
        assert_eq!((&rows[0]["name"], &rows[0]["hosts"]), (&"time".into(), &Value::Null), "{rows}");
    }
    // A server that comes now is its agent's alone.
    home.write(".cursor/mcp.json", CURSOR);
    home.succeeds(&["install", "cursor", "--yes"]);
    let names = |host: &str| {
        let rows = home.run(&["--host", host, "servers", "--json"]).json();
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (names("cursor"), names("codex")),
        (vec!["memory".into(), "time".into()], vec!["time".into()])
    );
    assert!(
        home.succeeds(&["servers"]).stdout.contains("    for cursor"),
        "it is said whose it is"
    );
}

/// Behind the gateway the host's rule would not hold: an agent could ask for what it was denied.
#[test]
fn a_server_that_a_rule_of_its_host_names_stays_and_the_reason_is_told() {
    let home = Home::empty();
    let two = r#""mcpServers": {"mail": {"command": "mail"}, "docs": {"command": "docs"}}"#;
    home.write(".claude.json", &format!("{{{two}}}"));
    home.write(".claude/settings.json", r#"{"permissions": {"deny": ["mcp__mail__send"]}}"#);
    home.write(".gemini/settings.json", &format!(r#"{{{two}, "mcp": {{"excluded": ["docs"]}}}}"#));
    // A hook alone moves no server: here the gateway is asked for.
    let ran = home.run(&["install", "claude-code", "gemini", "--yes", "--json", "--mode", "auto"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let hosts = ran.json()["hosts"].clone();
    for (at, stays, moves, rule) in
        [(0, "mail", "docs", "mcp__mail__send"), (1, "docs", "mail", "mcp.excluded")]
    {
        assert_eq!(hosts[at]["left"][0]["name"], stays, "{hosts}");
        assert!(hosts[at]["left"][0]["reason"].as_str().unwrap().contains(rule), "{hosts}");
        assert_eq!(hosts[at]["moved"][0]["name"], moves, "{hosts}");
    }
    let servers: Value = serde_json::from_str(&home.read(".config/weir/servers.json")).unwrap();
    assert_eq!(servers["mcpServers"]["docs"]["hosts"], serde_json::json!(["claude-code"]));
    assert_eq!(servers["mcpServers"]["mail"]["hosts"], serde_json::json!(["gemini"]));
    assert!(home.read(".claude.json").contains(r#""mail": {"command": "mail"}"#));
    assert!(home.read(".gemini/settings.json").contains(r#""docs": {"command": "docs"}"#));
}

/// Where the hook does all that the gateway would, nothing is added to what the model is shown.
#[test]
fn an_agent_whose_hook_is_enough_gets_the_hook_alone_and_keeps_its_servers() {
    let home = Home::empty();
    let own = r#"{"mcpServers": {"docs": {"command": "docs"}}}"#;
    home.write(".claude.json", own);
    let before = home.files();
    let shown = home.succeeds(&["install", "claude-code", "--yes"]).stdout;
    assert!(shown.contains("Claude Code: hook (it searches tools"), "{shown}");
    assert!(shown.contains("`weir install HOST --mode auto`"), "{shown}");
    assert_eq!((home.read(".claude.json"), home.read(SERVERS)), (own.to_owned(), String::new()));
    let settings: Value = serde_json::from_str(&home.read(".claude/settings.json")).unwrap();
    // What an excerpt names may be run without a question, by whichever name.
    let program = home.command(&[]).get_program().to_str().unwrap().to_owned();
    let allowed = serde_json::json!(["Bash(weir fetch:*)", format!("Bash({program} fetch:*)")]);
    assert_eq!(settings["permissions"]["allow"], allowed);
    assert!(!settings.to_string().contains("--reader"), "{settings}");
    assert!(
        home.succeeds(&["install", "claude-code", "--yes"]).stdout.contains("nothing to change")
    );

    let status = home.succeeds(&["status"]).stdout;
    assert!(status.contains("Claude Code: hook; definitions unchanged"), "{status}");
    let status = home.succeeds(&["status", "--json"]).json();
    assert_eq!(status["hook_alone"], serde_json::json!(["claude-code"]));

    // Asked for, the gateway comes, and the hook names its tool.
    home.succeeds(&["install", "claude-code", "--yes", "--mode", "passthrough"]);
    assert!(home.read(".claude.json").contains("passthrough"));
    assert!(home.read(".claude/settings.json").contains("--reader weir_fetch"));
    let refused = home.run(&["install", "claude-code", "--yes", "--keep-servers"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("`weir install claude-code --undo` gives them back"));
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);
    home.succeeds(&["install", "claude-code", "--yes", "--skills"]);
    assert_eq!(home.read(".claude.json"), own, "it would be shown no skills");
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);

    // A server that every agent has comes by the gateway.
    home.write(SERVERS, r#"{"mcpServers": {"memory": {"builtin": "memory"}}}"#);
    let shown = home.succeeds(&["install", "claude-code", "--yes"]).stdout;
    assert!(shown.contains("the gateway comes with what every agent gets: memory"), "{shown}");
    assert!(home.read(".claude.json").contains("\"serve\""));
}

#[test]
fn a_hook_that_was_changed_goes_and_one_of_others_beside_it_stays() {
    let home = Home::empty();
    let settings = ".claude/settings.json";
    for command in [&["install", "--undo", "--yes"][..], &["uninstall", "--yes"]] {
        home.write(".claude.json", "{}");
        home.succeeds(&["install", "claude-code", "--yes"]);
        let mut now: Value = serde_json::from_str(&home.read(settings)).unwrap();
        let group = &mut now["hooks"]["PostToolUse"][0];
        group["hooks"][0]["timeout"] = 30.into();
        group["hooks"]
            .as_array_mut()
            .unwrap()
            .push(serde_json::json!({"type": "command", "command": "fmt"}));
        home.write(settings, &now.to_string());
        home.succeeds(command);
        let left: Value = serde_json::from_str(&home.read(settings)).unwrap();
        let hooks = serde_json::json!([{"type": "command", "command": "fmt"}]);
        assert_eq!(left["hooks"]["PostToolUse"][0]["hooks"], hooks, "{left}");
        assert!(!left.to_string().contains("weir"), "{left}");
        fs::remove_file(home.path(settings)).unwrap();
    }
    // Without a record of what was installed, nothing that an agent had is lost.
    home.write(".cursor/mcp.json", CURSOR);
    home.succeeds(&["install", "cursor", "--yes"]);
    let servers = home.read(SERVERS);
    fs::remove_dir_all(home.path(".config/weir/installed")).unwrap();
    fs::remove_dir_all(home.path(".local/state/weir/installed")).unwrap();
    let said = home.succeeds(&["uninstall", "--yes"]).stdout;
    assert!(said.contains("no record says which of its servers an agent had"), "{said}");
    assert_eq!(home.read(SERVERS), servers);
    assert!(
        !home.read(".cursor/hooks.json").contains("weir"),
        "{}",
        home.read(".cursor/hooks.json")
    );
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_not_waited_for() {
    let home = Home::new();
    fs::create_dir_all(home.path(".claude")).unwrap();
    let made = Command::new("mkfifo").arg(home.path(".claude/settings.json")).status().unwrap();
    assert!(made.success());
    let refused = home.run(&["install", "claude-code", "--yes"]);
    assert!(refused.code == 2 && refused.stderr.contains("it is not a file"), "{}", refused.stderr);
    home.succeeds(&["install", "cursor", "--yes"]);
    home.succeeds(&["status"]);
    home.succeeds(&["uninstall", "--yes"]);
}

#[test]
fn a_broken_file_is_named_with_what_to_do() {
    let home = Home::new();
    for (text, said) in [(&b"\xff"[..], "it is not UTF-8"), (b"{\"a\": \"", "is not valid JSON")] {
        fs::write(home.path(".cursor/mcp.json"), text).unwrap();
        for command in ["try", "install"] {
            let ran = home.run(&[command, "cursor"]);
            assert!(ran.code == 2 && ran.stderr.contains(said), "{command}: {}", ran.stderr);
            assert!(ran.stderr.contains("\nhint: "), "{command}: {}", ran.stderr);
        }
    }
    home.write(".cursor/mcp.json", "[1, 2]");
    let ran = home.run(&["install", "cursor", "--mode", "auto"]);
    assert!(ran.stderr.contains("what it holds is not an object"), "{}", ran.stderr);
    // What the gateway refuses is no good file to the doctor.
    home.write(SERVERS, "");
    let ran = home.run(&["doctor"]);
    assert!(ran.code == 1 && ran.stdout.contains("json: names no servers"), "{}", ran.stdout);
}

#[test]
fn with_keep_servers_every_agent_that_has_a_hook_gets_that_alone() {
    let home = Home::new();
    let shown = home.succeeds(&["install", "cursor", "codex", "--yes", "--keep-servers"]).stdout;
    assert!(
        shown.contains("Cursor, Codex: hook (you asked for it); definitions unchanged"),
        "{shown}"
    );
    let again = home.succeeds(&["install", "cursor", "codex", "--yes"]).stdout;
    assert!(again.contains("hook (that is how it was installed)"), "{again}");
    assert_eq!((home.read(".cursor/mcp.json"), home.read(SERVERS)), (CURSOR.into(), "".into()));
    assert_eq!(home.read(".codex/config.toml"), CODEX);
    assert!(home.read(".cursor/hooks.json").contains(" hook cursor"));
    assert!(!home.read(".cursor/hooks.json").contains("--reader"));
    let refused = home.run(&["install", "claude-desktop", "--yes", "--keep-servers"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("it gets no hook"), "{}", refused.stderr);
    assert_eq!(home.run(&["install", "cursor", "--keep-servers", "--mode", "auto"]).code, 2);
}

#[test]
fn what_is_imported_is_for_every_agent_unless_one_is_named() {
    let home = Home::new();
    let ran = home.succeeds(&["import", "codex", "--host", "qwen-code"]);
    assert!(ran.stdout.contains("qwen alone gets them"), "{}", ran.stdout);
    let servers: Value = serde_json::from_str(&home.read(SERVERS)).unwrap();
    assert_eq!(servers["mcpServers"]["docs"]["hosts"], serde_json::json!(["qwen"]));
    let ran = home.succeeds(&["import", "cursor", "--rename"]);
    assert!(ran.stdout.contains("every agent behind the gateway gets them"), "{}", ran.stdout);
    let servers: Value = serde_json::from_str(&home.read(SERVERS)).unwrap();
    assert_eq!(servers["mcpServers"]["cursor-memory"].get("hosts"), None, "{servers}");
}

#[test]
fn skills_of_other_hosts_are_found_when_asked_for_never_twice_and_undone() {
    let home = Home::new();
    let skill = "---\nname: x\ndescription: y\n---\n";
    for file in [
        ".claude/skills/pdf",
        ".claude/skills/docx",
        ".gemini/skills/news",
        ".hermes/skills/fun/jokes",
    ] {
        home.write(&format!("{file}/SKILL.md"), skill);
    }
    home.write(".qwen/skills/empty/README.md", "no skill");
    // A directory that is a link, and skills that are links to those of another.
    fs::create_dir_all(home.path(".codebuddy")).unwrap();
    std::os::unix::fs::symlink(home.path(".claude/skills"), home.path(".codebuddy/skills"))
        .unwrap();
    fs::create_dir_all(home.path(".kiro/skills")).unwrap();
    std::os::unix::fs::symlink(home.path(".claude/skills/pdf"), home.path(".kiro/skills/pdf"))
        .unwrap();
    let before = home.files();
    let hosts = ["install", "cursor", "codex", "openclaw", "--yes"];
    let dry = home.succeeds(&[&hosts[..4], &["--skills", "--dry-run"]].concat());
    assert!(dry.stdout.contains("  also finds the skills in: ~/.claude/skills, ~/.gemini/skills, ~/.hermes/skills (--skills)"), "{}", dry.stdout);
    assert_eq!(home.files(), before);
    let ran = home.succeeds(&hosts);
    assert!(
        ran.stdout.contains(
            "it does not read 4 skills in ~/.claude/skills and 2 more; --skills lets it find them"
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("it does not read 2 skills in ~/.gemini/skills and 1 more"),
        "Cursor reads Claude's: {}",
        ran.stdout
    );
    assert!(!home.read(SERVERS).contains("builtin"), "nobody asked for them");
    let with = [&hosts[..], &["--skills"]].concat();
    let ran = home.succeeds(&with);
    assert!(
        ran.stdout.contains("--skills changes nothing here"),
        "OpenClaw gets no gateway: {}",
        ran.stdout
    );
    let servers: Value = serde_json::from_str(&home.read(SERVERS)).unwrap();
    let entry = |dir: &str, hosts: &[&str]| serde_json::json!({"builtin": "skills", "dirs": [dir], "hosts": hosts});
    let servers = &servers["mcpServers"];
    assert_eq!(servers["claude-skills"], entry("~/.claude/skills", &["codex"]), "{servers}");
    assert_eq!(servers["gemini-skills"], entry("~/.gemini/skills", &["cursor", "codex"]));
    assert_eq!(servers["hermes-skills"], entry("~/.hermes/skills", &["cursor", "codex"]));
    assert_eq!(servers.to_string().matches("builtin").count(), 3, "{servers}");
    let again = home.read(SERVERS);
    home.succeeds(&with);
    assert_eq!(home.read(SERVERS), again, "once is enough");
    home.succeeds(&["install", "codex", "--undo", "--yes"]);
    let servers: Value = serde_json::from_str(&home.read(SERVERS)).unwrap();
    assert_eq!(servers["mcpServers"]["gemini-skills"]["hosts"], serde_json::json!(["cursor"]));
    assert_eq!(servers["mcpServers"].get("claude-skills"), None, "{servers}");
    home.succeeds(&["install", "--undo", "--yes"]);
    assert_eq!(home.files(), before);
    // What the user serves already is not served again.
    home.write(
        SERVERS,
        r#"{"mcpServers": {}, "weir": {"skills": ["~/.gemini/skills", "~/.claude/skills"]}}"#,
    );
    home.succeeds(&["install", "cursor", "--skills", "--yes"]);
    let servers = home.read(SERVERS);
    assert!(servers.contains("hermes-skills") && !servers.contains("gemini-skills"), "{servers}");
}

#[test]
fn rules_for_the_model_are_written_when_asked_for_and_taken_out_exactly() {
    let home = Home::new();
    let rules = ".codex/AGENTS.md";
    home.write(rules, "Be brief.\n");
    home.succeeds(&["install", "codex", "--yes"]);
    assert_eq!(home.read(rules), "Be brief.\n", "nobody asked for them");
    let ran = home.succeeds(&["install", "codex", "cursor", "--rules", "--yes"]);
    assert!(
        ran.stdout.contains("--rules changes nothing here"),
        "Cursor has no such file: {}",
        ran.stdout
    );
    let with = home.read(rules);
    assert!(
        with.starts_with("Be brief.\n\n<!-- weir") && with.ends_with("<!-- /weir -->\n"),
        "{with}"
    );
    assert!(with.chars().count() <= 400 + "Be brief.\n\n".len());
    home.succeeds(&["install", "codex", "--rules", "--yes"]);
    assert_eq!(home.read(rules), with, "once is enough");
    // What others write afterwards stays.
    home.write(rules, &format!("First of all.\n{with}Last of all.\n"));
    home.succeeds(&["install", "codex", "--undo", "--yes"]);
    assert_eq!(home.read(rules), "First of all.\nBe brief.\n\nLast of all.\n");

    let home = Home::new();
    let before = home.files();
    home.succeeds(&["install", "codex", "--rules", "--yes"]);
    assert!(home.path(rules).exists());
    home.succeeds(&["install", "codex", "--undo", "--yes"]);
    assert_eq!(home.files(), before);
}

#[test]
fn the_first_hook_after_an_installation_finds_the_component_compiled() {
    let home = Home::new();
    let cache = home.path(".cache");
    let ran = home.command(&["install", "codex", "--yes"]).env("XDG_CACHE_HOME", &cache).output();
    assert!(ran.unwrap().status.success());
    let names = fs::read_dir(cache.join("weir")).unwrap().map(|entry| entry.unwrap().path());
    let ends: Vec<_> = names.filter_map(|name| Some(name.extension()?.to_owned())).collect();
    assert!(
        ends.iter().any(|end| end == "cwasm") && ends.iter().any(|end| end == "sum"),
        "{ends:?}"
    );
}

fn server(arguments: &[&str]) -> Value {
    serde_json::json!({"command": SERVER, "args": arguments})
}

fn mcp(servers: &Value) -> String {
    serde_json::json!({"mcpServers": servers}).to_string()
}

/// The line of an agent.
fn line_of<'a>(shown: &'a str, agents: &str) -> &'a str {
    let line = shown.lines().find_map(|line| line.strip_prefix(agents)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no line of {agents}: {shown}"))
}

#[test]
fn a_gateway_that_costs_more_than_it_saves_is_not_put_in() {
    let home = Home::empty();
    let mark = home.path("mark");
    let own = mcp(&serde_json::json!({"small": server(&["--mark", mark.to_str().unwrap()])}));
    let cline = ".cline/data/settings/cline_mcp_settings.json";
    for file in
        [".cursor/mcp.json", cline, ".gemini/settings.json", ".codeium/windsurf/mcp_config.json"]
    {
        home.write(file, &own);
    }
    let dry = home.succeeds(&["install", "--dry-run"]);
    assert!(dry.stderr.contains("starting 1 server, "), "{}", dry.stderr);
    // An agent that adds to each definition pays more.
    assert_ne!(line_of(&dry.stdout, "Gemini CLI"), line_of(&dry.stdout, "Cursor, Cline"));
    // Agents that are alike share a line.
    let line = line_of(&dry.stdout, "Cursor, Cline");
    assert!(line.starts_with("hook (the gateway would make its definitions about "), "{line}");
    assert!(line.contains("; definitions about ") && line.contains("; large results: "), "{line}");
    let line = line_of(&dry.stdout, "Windsurf");
    assert!(line.starts_with("nothing (the gateway would make its definitions about "), "{line}");
    assert!(dry.stdout.contains("`weir install HOST --mode auto`"), "{}", dry.stdout);

    // What was seen is known for a day, here and to `try`.
    let ran = home.succeeds(&["install", "--yes", "--json"]);
    assert_eq!((ran.stderr.contains("starting"), home.read("mark").lines().count()), (false, 1));
    let said = ran.json();
    for host in said["hosts"].as_array().unwrap() {
        assert_eq!(
            (&host["mode"], &host["hook"]),
            (&Value::Null, &(host["host"] != "windsurf").into())
        );
    }
    assert_eq!((home.read(".cursor/mcp.json"), home.read(SERVERS)), (own, String::new()));
    assert!(home.read(".cursor/hooks.json").contains(" hook cursor"));
    let tried = home.succeeds(&["try", "cursor"]).stdout;
    assert!(tried.contains("best here: hook: leave it as it is"), "{tried}");
    assert_eq!(home.read("mark").lines().count(), 1);

    // Asked for, it comes.
    home.succeeds(&["install", "windsurf", "--mode", "auto", "--yes"]);
    assert!(home.read(".codeium/windsurf/mcp_config.json").contains("\"serve\""));
}

#[test]
fn many_tools_go_behind_the_gateway_and_the_figures_are_said() {
    let home = Home::empty();
    let own = serde_json::json!({"many": server(&["--tools", "300"]), "gone": {"command": "no-such-program"}});
    home.write(".cursor/mcp.json", &mcp(&own));
    home.write(
        ".config/zed/settings.json",
        &serde_json::json!({"context_servers": {"gone": {"command": "no-such-program"}}})
            .to_string(),
    );
    home.write(
        ".codex/config.toml",
        &format!("[mcp_servers.many]\ncommand = '{SERVER}'\nargs = ['--tools', '300']\n"),
    );
    let log: String = (0..5_000).map(|n| format!("{n}: a line of the log\n")).collect();
    let call = serde_json::json!({"type": "function_call", "name": "shell", "call_id": "c"});
    let output = serde_json::json!({"type": "function_call_output", "call_id": "c", "output": log});
    home.write(".codex/sessions/2026/11/one.jsonl", &format!("{call}\n{output}\n"));
    // Nothing that can be waited for is read for a session.
    let pipe = home.path(".codex/sessions/2026/11/two.jsonl");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let ran = home.succeeds(&["install", "--yes"]);
    let shown = &ran.stdout;
    let figures = |line: &str| -> Vec<u64> {
        let words = line.split("; large results").next().unwrap().split(' ');
        words.filter_map(|word| word.replace(',', "").parse().ok()).collect()
    };
    let cursor = line_of(shown, "Cursor");
    assert!(cursor.starts_with("hook and gateway, auto; definitions about "), "{cursor}");
    assert!(
        cursor.contains("(1 of 2 servers are known)") && cursor.contains(", behind Weir about "),
        "{cursor}"
    );
    let codex = line_of(shown, "Codex");
    let [before, after] = figures(codex)[..] else { panic!("{codex}") };
    assert!(before > 5_000 && after < before / 4, "{codex}");
    // What its recorded session held.
    assert!(
        codex.ends_with(" tokens less in its last 1 session") && !codex.contains("about 0 "),
        "{codex}"
    );
    // One that does not start is named with its reason, once, and what is not known saves nothing.
    let failed = shown.matches("gone does not start: ").count();
    assert!(failed == 1 && shown.contains("no-such-program"), "{shown}");
    assert!(
        line_of(shown, "Zed").starts_with("nothing (what its servers define is not known)"),
        "{shown}"
    );
    assert!(home.read(".cursor/mcp.json").contains("\"serve\""));
    assert!(!home.read(".config/zed/settings.json").contains("\"serve\""));
    // The same words later, and the figures that were promised.
    let later = home.run(&["servers"]).stdout;
    assert_eq!(figures(line_of(&later, "Codex")), [before, after], "{later}");
    assert!(
        line_of(&later, "Codex").starts_with("hook and gateway, auto; definitions about "),
        "{later}"
    );
    let status = home.succeeds(&["status"]).stdout;
    assert_eq!(line_of(&status, "Codex"), line_of(&later, "Codex"));
}

#[test]
fn a_link_stays_a_link_and_a_build_folder_is_warned_of() {
    let home = Home::new();
    let weir = PathBuf::from(home.command(&[]).get_program());
    let link = home.path(".local/bin/weir");
    std::os::unix::fs::symlink(&weir, &link).unwrap();
    let set = home.command(&[]);
    for (program, named) in [("weir", &link), (weir.to_str().unwrap(), &weir)] {
        let mut command = Command::new("sh");
        command.env_clear().envs(set.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let line = format!("{program} install codex --dry-run --mode auto");
        let ran: Ran =
            command.arg("-c").arg(line).current_dir(home.sandbox.path()).output().unwrap().into();
        let entry = format!("command = \"{}\"", named.display());
        assert!(ran.stdout.contains(&entry), "{entry}: {}", ran.stdout);
        // The link leads there too.
        assert!(ran.stderr.contains("is in a build folder"), "{}", ran.stderr);
    }
}
