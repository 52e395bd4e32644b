//! `weir install`, `weir import` and what `weir doctor` says of the files of agent hosts.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use weir_tests::{Ran, Sandbox};

const CURSOR: &str = "\u{feff}{\r\n\t// mine\r\n\t\"mcpServers\": {\r\n\t\t\"memory\": { \"command\": \"npx\", \"args\": [\"-y\", \"mem\"], \"env\": { \"KEY\": \"very-secret-value\" } },\r\n\t\t\"old\": { \"type\": \"ws\", \"url\": \"wss://x.example/ws\" }\r\n\t}\r\n}\r\n";
const CODEX: &str = "model = \"m\" # model\nmcp_servers = { memory = { command = \"other\" }, docs = { command = \"npx\" } }\n";

struct Home {
    sandbox: Sandbox,
}

impl Home {
    /// A home with Cursor and Codex, and a file of servers with the user's own words.
    fn new() -> Home {
        let home = Home { sandbox: Sandbox::new() };
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
        let mut command = self.sandbox.command(arguments);
        let set =
            [("HOME", ""), ("XDG_CONFIG_HOME", ".config"), ("XDG_STATE_HOME", ".local/state")];
        for (name, directory) in set {
            command.env(name, self.path(directory));
        }
        command.current_dir(self.sandbox.path());
        command.output().unwrap().into()
    }

    fn succeeds(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran
    }
}

const SERVERS: &str = ".config/weir/servers.json";
const OWN: &str = "{\n    // my gateway\n    \"weir\": { \"mode\": \"bridge\" },\n    \"inputs\": [],\n    \"mcpServers\": {\n        \"time\": { \"command\": \"uvx\" } // time\n    }\n}\n";

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
    let now = home.read(".cursor/mcp.json");
    assert!(
        now.starts_with('\u{feff}') && now.contains("// mine") && now.contains("\"old\""),
        "{now}"
    );
    assert!(now.contains("serve") && !now.contains("memory") && !now.contains("\n\n"), "{now}");
    let codex = home.read(".codex/config.toml");
    assert!(
        codex.contains("passthrough") && codex.contains("# model") && !codex.contains("docs"),
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
    home.succeeds(&["install", "cursor", "--undo"]);
    assert_eq!(home.read(".cursor/mcp.json"), CURSOR);
    let servers = home.read(SERVERS);
    assert!(servers.contains("docs") && !servers.contains("very-secret"), "{servers}");
    home.succeeds(&["install", "--undo"]);
    assert_eq!(home.read(".codex/config.toml"), CODEX);
    assert_eq!(home.read(SERVERS), OWN);
    assert_eq!(home.run(&["install", "--undo"]).code, 2, "there is nothing left to undo");
}

#[test]
fn what_others_wrote_since_stays_when_an_installation_is_undone() {
    let home = Home::new();
    home.succeeds(&["install", "codex", "--yes"]);
    let written =
        home.read(".codex/config.toml") + "\n[projects.\"/w\"]\ntrust_level = \"trusted\"\n";
    home.write(".codex/config.toml", &written);
    home.succeeds(&["install", "codex", "--undo"]);
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
    home.succeeds(&["install", "cursor", "--yes", "--keep-servers"]);
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
