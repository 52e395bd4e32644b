//! Files of clients, read.

use std::path::Path;
use std::time::Duration;

use super::*;
use crate::clients::profile::Mode;
use crate::servers::spec::{Changed, Reach, ServerSpec, Structured};
use weir_mcp::isolation::With;

fn read(name: &str, text: &str) -> Config {
    parse(Path::new(name), text, &|variable| match variable {
        "TOKEN" => Some("s3cret-value".into()),
        "EMPTY" => Some(String::new()),
        "HOME" => Some("/home/me".into()),
        _ => None,
    })
    .unwrap()
}

fn stdio(spec: &ServerSpec) -> (&str, Vec<&str>, Vec<(&str, &str)>) {
    let Reach::Stdio { command, args, env, .. } = &spec.reach else { panic!("not stdio") };
    (
        command,
        args.iter().map(String::as_str).collect(),
        env.iter().map(|(k, v)| (&**k, &**v)).collect(),
    )
}

#[test]
fn claude_desktop_and_cursor() {
    let config = read(
        "claude_desktop_config.json",
        r#"{"globalShortcut":"","mcpServers":{
            "fs":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","${HOME}/x"],"env":{"A":"${TOKEN}"}},
            "web":{"url":"https://example.com/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}},
            "off":{"command":"x","disabled":true}}}"#,
    );
    assert_eq!(
        stdio(&config.servers[0]),
        (
            "npx",
            vec!["-y", "@modelcontextprotocol/server-filesystem", "/home/me/x"],
            vec![("A", "s3cret-value")]
        )
    );
    let Reach::Http { headers, .. } = &config.servers[1].reach else { panic!("not http") };
    assert_eq!(headers["Authorization"], "Bearer s3cret-value");
    assert_eq!(config.servers[1].secrets.redact("it was s3cret-value"), "it was ***");
    assert_eq!((config.disabled, config.warnings), (vec!["off".to_owned()], vec![]));
}

#[test]
fn vs_code_with_comments_and_inputs() {
    let config = read(
        "mcp.json",
        r#"{ // comment with "quotes"
            "inputs": [{"id": "key", "type": "promptString"}],
            "servers": {
                "a": {"type": "stdio", "command": "${userHome}/bin/x", "args": ["http://not//a comment"], "env": {"T": "${env:TOKEN}"},},
                /* b asks */ "b": {"command": "y", "env": {"K": "${input:key}"}},
            }, }"#,
    );
    assert_eq!(
        stdio(&config.servers[0]),
        ("/home/me/bin/x", vec!["http://not//a comment"], vec![("T", "s3cret-value")])
    );
    assert!(config.broken["b"].contains("${KEY}"), "{:?}", config.broken);
}

#[test]
fn codex_toml() {
    let config = read(
        "config.toml",
        r#"
        model = "o"
        [mcp_servers.docs]
        command = "docs-server"
        args = ["--stdio"]
        startup_timeout_sec = 20
        tool_timeout_sec = 45.5
        enabled_tools = ["search_*"]
        disabled_tools = ["search_all"]
        [mcp_servers.docs.env]
        K = "v"
        [mcp_servers.web]
        url = "https://example.com/mcp"
        bearer_token_env_var = "TOKEN"
        "#,
    );
    let docs = &config.servers[0];
    assert_eq!(
        (docs.start_timeout, docs.call_timeout),
        (Duration::from_secs(20), Duration::from_millis(45_500))
    );
    assert!(docs.admits("search_one") && !docs.admits("search_all") && !docs.admits("write"));
    let Reach::Http { headers, .. } = &config.servers[1].reach else { panic!("not http") };
    assert_eq!(headers["Authorization"], "Bearer s3cret-value");
}

#[test]
fn what_changes_at_a_server_on_another_machine_is_refused_unless_its_entry_says_otherwise() {
    let of = |entry: &str| {
        let config = read("servers.json", &format!(r#"{{"mcpServers": {{"s": {entry}}}}}"#));
        config.servers[0].changed
    };
    assert_eq!(of(r#"{"url": "https://mcp.example.com/mcp"}"#), Changed::Refuse);
    assert_eq!(of(r#"{"url": "https://localhost@evil.example:443/mcp"}"#), Changed::Refuse);
    for here in ["http://localhost:3000/mcp", "http://127.0.0.1/", "http://u:p@[::1]:80/mcp"] {
        assert_eq!(of(&format!(r#"{{"url": "{here}"}}"#)), Changed::Report, "{here}");
    }
    assert_eq!(of(r#"{"command": "npx"}"#), Changed::Report);
    let said = r#"{"url": "https://x/mcp", "weir": {"changed": "report"}}"#;
    assert_eq!(of(said), Changed::Report);
}

#[test]
fn hermes_yaml_and_opencode_and_zed() {
    let config = read(
        "config.yaml",
        "model: x\nmcp_servers:\n  time:\n    command: uvx\n    args: [mcp-server-time, 3]\n    timeout: 1200\n    connect_timeout: 7\n    tools:\n      include: [get_*]\n      exclude: [get_x]\n",
    );
    let time = &config.servers[0];
    assert_eq!(stdio(time).1, ["mcp-server-time", "3"]);
    assert_eq!(
        (time.call_timeout, time.start_timeout),
        (Duration::from_secs(1_200), Duration::from_secs(7))
    );
    assert!(time.admits("get_time") && !time.admits("get_x"));
    let config = read(
        "opencode.json",
        r#"{"mcp":{"a":{"type":"local","command":["bun","x"],"environment":{"A":"b"},"enabled":true}}}"#,
    );
    assert_eq!(stdio(&config.servers[0]), ("bun", vec!["x"], vec![("A", "b")]));
    let config =
        read("settings.json", r#"{"context_servers":{"z":{"command":{"path":"p","args":["q"]}}}}"#);
    assert_eq!(stdio(&config.servers[0]).0, "p");
}

#[test]
fn variables_with_defaults_and_without() {
    let config = read(
        "x.json",
        r#"{"mcpServers":{"a":{"command":"${NOPE:-sh}","args":["${EMPTY:-e}","${EMPTY}","$HOME","${a.b}","${unclosed"]},
            "b":{"command":"x","env":{"KEY":"${NOPE}"}},"c":{"command":""},"d":{},"e":{"url":"ftp://x"},"f":{"type":"ws","url":"http://x"}}}"#,
    );
    assert_eq!(
        stdio(&config.servers[0]),
        ("sh", vec!["e", "", "$HOME", "${a.b}", "${unclosed"], vec![])
    );
    assert!(config.broken["b"].contains("NOPE") && config.broken["b"].contains("env.KEY"));
    assert_eq!(config.broken.len(), 5);
}

#[test]
fn opencode_variables_and_files() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("key"), "from-a-file\n").unwrap();
    let path = directory.path().join("opencode.json");
    let text = r#"{"mcp":{"a":{"type":"remote","url":"https://x/mcp","headers":{
        "Authorization":"Bearer {env:TOKEN}","K":"{file:./key}","L":"{plain} ${TOKEN} ${env:TOKEN} {"}},
        "b":{"type":"local","command":["x"],"environment":{"K":"{file:nope}"}}}}"#;
    let config =
        parse(&path, text, &|name| (name == "TOKEN").then(|| "{env:HOME}".into())).unwrap();
    let Reach::Http { headers, .. } = &config.servers[0].reach else { panic!("not http") };
    // What a variable holds is taken as it is.
    assert_eq!(headers["Authorization"], "Bearer {env:HOME}");
    assert_eq!(
        (&*headers["K"], &*headers["L"]),
        ("from-a-file", "{plain} {env:HOME} {env:HOME} {")
    );
    assert_eq!(config.servers[0].secrets.redact("from-a-file"), "***");
    assert!(config.broken["b"].contains("nope"), "{:?}", config.broken);
}

#[test]
fn a_list_of_servers_with_names_and_a_byte_order_mark() {
    let config = read(
        "config.toml",
        "\u{feff}[[mcp_servers]]\nname = \"a\"\ntransport = \"stdio\"\ncommand = \"x\"\n",
    );
    assert_eq!((config.servers[0].name.as_str(), stdio(&config.servers[0]).0), ("a", "x"));
}

#[test]
fn our_own_keys() {
    let config = read(
        "x.json",
        r#"{"weir":{"mode":"bridge","nameMax":4,"huh":1},"mcpServers":{"a":{"command":"x","mystery":1,"weir":{
            "deny":["rm*"],"rename":{"a":"b"},"structured":"preserve","callTimeout":2.5,"toolTimeouts":{"slow_*":60}}},
            "b":{"command":"x","weir":{"deny":"rm"}}}}"#,
    );
    let name_max = config.gateway.options.naming.max_len;
    assert_eq!((config.gateway.mode, name_max), (Some(Mode::Bridge), 50));
    let a = &config.servers[0];
    assert_eq!(
        (a.structured, a.timeout_of("slow_x"), a.timeout_of("x")),
        (Structured::Preserve, Duration::from_secs(60), Duration::from_millis(2_500))
    );
    assert_eq!(config.warnings.len(), 3, "{:?}", config.warnings);
    assert!(config.broken["b"].contains("weir.deny"));
}

#[test]
fn files_that_are_none() {
    let fails = |name: &str, text: &str| {
        let error = parse(Path::new(name), text, &|_| None).unwrap_err();
        let source = std::error::Error::source(&error).map(ToString::to_string);
        format!("{error}: {}", source.unwrap_or_default())
    };
    assert!(fails("x.json", "{").contains("line 1"));
    assert!(fails("x.json", "{}").contains("mcpServers"));
    assert!(fails("x.toml", "= 1").contains("TOML"));
    assert!(fails("x.yaml", "a: [").contains("YAML"));
}

#[test]
fn secrets_are_put_in_by_name_and_masked() {
    let text = r#"{"mcpServers":{
        "a":{"command":"x","args":["--key","secret:one","${secret:one}!","secret: no","${secret:}"],"env":{"K":"secret:one"}},
        "b":{"url":"https://x/mcp","headers":{"Authorization":"Bearer ${secret:one}"},"oauth":{"clientId":"id","clientSecret":"secret:one"}},
        "c":{"command":"x","env":{"K":"secret:none"}}}}"#;
    let config = parse(Path::new("x.json"), text, &|name| {
        (name == "secret:one").then(|| "canary-of-a-secret".into())
    })
    .unwrap();
    let (_, args, env) = stdio(&config.servers[0]);
    let value = "canary-of-a-secret";
    assert_eq!(args, ["--key", value, "canary-of-a-secret!", "secret: no", "${secret:}"]);
    assert_eq!(env, [("K", value)]);
    let b = &config.servers[1];
    let Reach::Http { headers, .. } = &b.reach else { panic!("not http") };
    assert_eq!(headers["Authorization"], "Bearer canary-of-a-secret");
    assert_eq!(b.oauth.client_secret.as_ref().unwrap().0, value);
    for server in &config.servers {
        assert_eq!(server.secrets.redact(value), "***", "{}", server.name);
    }
    assert!(!format!("{:?}", b.oauth).contains("canary"));
    assert!(config.broken["c"].contains("weir secret set none"), "{:?}", config.broken);
}

#[test]
fn logins_are_described_in_the_words_of_several_clients() {
    let config = read(
        "x.json",
        r#"{"mcpServers":{
            "claude":{"url":"https://x/mcp","oauth":{"clientId":"id","callbackPort":8976}},
            "cursor":{"url":"https://x/mcp","auth":{"CLIENT_ID":"id","CLIENT_SECRET":"${TOKEN}","scopes":["a","b"]}},
            "opencode":{"url":"https://x/mcp","oauth":{"clientId":"id","scope":"a b"}},
            "off":{"url":"https://x/mcp","oauth":false},
            "codex":{"url":"https://x/mcp","scopes":["a","b"]},
            "away":{"url":"https://x/mcp","oauth":{"redirectUri":"https://evil.example/callback"}},
            "clear":{"url":"https://x/mcp","oauth":{"clientMetadataUrl":"http://x/client.json"}}}}"#,
    );
    let of = |name: &str| &config.servers.iter().find(|spec| spec.name == name).unwrap().oauth;
    assert_eq!(of("claude").redirect.as_deref(), Some("http://localhost:8976/callback"));
    for name in ["cursor", "opencode", "codex"] {
        assert_eq!(of(name).scopes, ["a", "b"], "{name}");
    }
    assert_eq!(of("cursor").client_secret.as_ref().unwrap().0, "s3cret-value");
    assert!(of("off").off && !of("claude").off);
    assert!(config.broken["away"].contains("this machine"), "{:?}", config.broken);
    assert!(config.broken["clear"].contains("https://"), "{:?}", config.broken);
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
}

#[test]
fn isolation_and_certificates_are_read_strictly() {
    let config = read(
        "/etc/weir/x.json",
        r#"{"weir":{"tls":{"ca":"all.pem"}},"mcpServers":{
            "plain":{"command":"x"},
            "box":{"command":"x","weir":{"isolation":{"read":["~/notes","data"],"write":["/tmp"],"network":true}}},
            "all":{"command":"x","weir":{"isolation":true}},
            "image":{"command":"x","weir":{"isolation":{"with":"podman","image":"node:22"}}},
            "own":{"url":"https://x/mcp","weir":{"tls":{"ca":"/own.pem","cert":"c.pem","key":"k.pem"}}},
            "none":{"command":"x","weir":{"isolation":{"with":"docker"}}},
            "typo":{"command":"x","weir":{"isolation":{"netwrok":false}}},
            "option":{"command":"x","weir":{"isolation":{"with":"docker","image":"--privileged"}}},
            "address":{"url":"https://x/mcp","weir":{"isolation":true}},
            "half":{"url":"https://x/mcp","weir":{"tls":{"cert":"c.pem"}}}}}"#,
    );
    let of = |name: &str| config.servers.iter().find(|spec| spec.name == name).unwrap();
    assert_eq!(of("plain").isolation, None);
    let boxed = of("box").isolation.as_ref().unwrap();
    assert_eq!(boxed.read, [Path::new("/home/me/notes"), Path::new("/etc/weir/data")]);
    assert!(boxed.network && boxed.with == With::Bubblewrap);
    let all = of("all").isolation.as_ref().unwrap();
    assert!(all.read.is_empty() && all.write.is_empty() && !all.network);
    let image = of("image").isolation.as_ref().unwrap();
    assert_eq!(image.with, With::Container("podman".into(), "node:22".into()));
    assert_eq!(of("plain").tls.ca.as_deref(), Some(Path::new("/etc/weir/all.pem")));
    let own = &of("own").tls;
    assert_eq!(own.ca.as_deref(), Some(Path::new("/own.pem")));
    assert_eq!(own.client, Some(("/etc/weir/c.pem".into(), "/etc/weir/k.pem".into())));
    let broken: Vec<&str> = config.broken.keys().map(String::as_str).collect();
    assert_eq!(broken, ["address", "half", "none", "option", "typo"], "{:?}", config.broken);
}

/// When a change of a setting takes effect, in the words of the documentation.
const TAKES: [(&str, &str); 27] = [
    ("mode", "at once"),
    ("autoTokens", "at once"),
    ("prefix", "at once"),
    ("nameMax", "at once"),
    ("listWait", "at once"),
    ("firstWait", "at once"),
    ("parallelStarts", "at once"),
    ("learn", "at once"),
    ("adaptive", "at once"),
    ("tokens", "at once"),
    ("profiles", "at once"),
    ("oidc", "at once"),
    ("key", "next start"),
    ("url", "next start"),
    ("limits", "at once"),
    ("audit", "at once"),
    ("approvals", "at once"),
    ("dangerous", "at once"),
    ("approvalWait", "at once"),
    ("approvalForm", "at once"),
    ("toolsets", "at once"),
    ("hostToolsets", "at once"),
    ("idleStop", "restarts servers"),
    ("shared", "next start"),
    ("skills", "at once"),
    ("https", "next start"),
    ("tls", "restarts servers"),
];

#[test]
fn the_documentation_says_when_each_setting_takes_effect() {
    let page = include_str!("../../../../docs/settings.md");
    let (_, table) = page.split_once("<!-- gateway -->").unwrap();
    let (table, _) = table.split_once("<!-- /gateway -->").unwrap();
    let rows: Vec<(String, String)> = table
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
            Some((name.to_owned(), cells.next()?.to_owned()))
        })
        .collect();
    let known: Vec<(String, String)> =
        TAKES.map(|(name, takes)| (name.to_owned(), takes.to_owned())).into();
    assert_eq!(rows, known);
    let mut read = own::SETTINGS.map(|(name, ..)| name);
    let mut told = TAKES.map(|(name, _)| name);
    read.sort_unstable();
    told.sort_unstable();
    assert_eq!(read, told);
    // Each of them is read, and nothing is taken for one that is not.
    let object = |name: &str| {
        format!(r#"{{"mcpServers": {{"s": {{"command": "x"}}}}, "weir": {{"{name}": "x"}}}}"#)
    };
    for (name, _) in known {
        let config = parse(Path::new("s.json"), &object(&name), &|_| None).unwrap();
        let told = config.warnings.iter().chain(config.broken.values());
        let told: Vec<&String> = told.collect();
        assert!(!told.is_empty(), "{name} takes anything");
        assert!(!told[0].contains("is not known"), "{name}");
    }
    let config = parse(Path::new("s.json"), &object("modes"), &|_| None).unwrap();
    assert!(config.warnings[0].contains("weir.modes is not known"));
}

#[test]
fn a_built_in_server_is_an_entry_or_one_line_beside_the_servers() {
    let home = |name: &str| (name == "HOME").then(|| "/home/me".to_owned());
    let read = |text: &str| parse(Path::new("/etc/weir/s.json"), text, &home).unwrap();
    let dirs = vec!["/home/me/.claude/skills".into(), "/etc/weir/team".into()];
    let wanted = Reach::BuiltIn(weir_servers::BuiltIn::Skills(dirs));
    for text in [
        r#"{"mcpServers":{"skills":{"builtin":"skills","dirs":["~/.claude/skills","team"]}}}"#,
        r#"{"mcpServers":{},"weir":{"skills":["~/.claude/skills","team"]}}"#,
    ] {
        let config = read(text);
        assert_eq!((&*config.servers[0].key, &config.servers[0].reach), ("skills", &wanted));
        assert!(config.warnings.is_empty() && config.broken.is_empty(), "{text}");
    }
    let both = read(r#"{"mcpServers":{"skills":{"command":"x"}},"weir":{"skills":["a"]}}"#);
    assert_eq!(both.servers.len(), 1);
    assert!(both.warnings[0].contains("weir.skills has no effect"), "{:?}", both.warnings);
    let bad = read(r#"{"mcpServers":{"a":{"builtin":"skill"}},"weir":{"skills":"a"}}"#);
    assert_eq!(bad.broken["a"], "builtin is not one of skills, memory");
    assert!(bad.warnings[0].contains("weir.skills has a value that cannot be used"));
}

#[test]
fn limits_and_the_log_are_read_or_refused_by_name() {
    let read = |own: &str| {
        let text = format!(
            r#"{{"mcpServers": {{"s": {{"command": "x"}}, "t": {{"command": "x", "weir": {{"idleStop": 0}}}}}}, "weir": {own}}}"#
        );
        parse(Path::new("s.json"), &text, &|_| None).unwrap()
    };
    let config = read(
        r#"{"limits": {"callsPerMinute": 60, "argumentBytes": 1000}, "audit": {"file": "/var/log/weir.jsonl", "keep": 2}, "idleStop": 600}"#,
    );
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
    assert_eq!(config.gateway.options.limits.calls_per_minute, Some(60));
    let audit = config.options("/state".into()).audit.unwrap();
    assert_eq!((audit.file.as_deref(), audit.keep), (Some(Path::new("/var/log/weir.jsonl")), 2));
    assert_eq!(config.servers[0].idle_stop, Some(std::time::Duration::from_secs(600)));
    assert_eq!(config.servers[1].idle_stop, None, "its own nought comes first");
    for (own, named) in [
        (r#"{"limits": {"callPerMinute": 60}}"#, "callPerMinute"),
        (r#"{"limits": {"callsPerMinute": 0}}"#, "callsPerMinute"),
        (r#"{"audit": {"file": "relative.jsonl"}}"#, "file"),
        (r#"{"audit": 7}"#, "audit"),
        (r#"{"https": {"cert": "/a.pem"}}"#, "https"),
    ] {
        let config = read(own);
        assert!(config.warnings.iter().any(|warning| warning.contains(named)), "{own}");
    }
    // An endpoint that was to be encrypted is not opened without.
    assert!(read(r#"{"https": true}"#).gateway.tls.is_some());
}

#[test]
fn what_was_to_protect_and_cannot_be_read_is_never_taken_for_nothing() {
    let read_own = |own: &str| read("s.json", &format!(r#"{{"mcpServers":{{}},"weir":{own}}}"#));
    for own in [
        r#"{"limits":{"callsPerMinute":"ten"}}"#,
        r#"{"limits":null}"#,
        r#"{"audit":{"fole":"/a"}}"#,
        r#"{"toekns":{"a":{"token":"tok-alice-000"}}}"#,
        r#"{"token":{"a":{"token":"tok-alice-000"}}}"#,
        r#"{"Limits":{}}"#,
        r#"[]"#,
    ] {
        let config = read_own(own);
        assert_eq!(config.gateway.faults.len(), 1, "{own}");
        assert!(config.warnings.len() == 1 || own == "[]", "{own} {:?}", config.warnings);
    }
    for own in [r#"{"modes":1}"#, r#"{"mode":"x"}"#] {
        assert_eq!(read_own(own).gateway.faults, [""; 0], "{own}");
    }
    // Tokens are asked for, whether or not one of them can be used.
    let usable = |tokens: &str| {
        read_own(&format!(r#"{{"tokens":{tokens}}}"#)).gateway.tokens.map(|tokens| tokens.len())
    };
    let one = r#"{"token":"tok-alice-000"}"#;
    assert_eq!(read_own("{}").gateway.tokens.map(|tokens| tokens.len()), None);
    assert_eq!(usable(&format!(r#"{{"a":{one},"b":{one},"c":{{"token":"${{NOPE}}"}}}}"#)), Some(1));
    for none in ["null", "{}", "[]", r#"{"a":{"token":5}}"#, r#"{"a":{"token":"secret:none"}}"#] {
        assert_eq!(usable(none), Some(0), "{none}");
    }
    // A filter that is no list, or whose key has a slip, would let all tools pass.
    for entry in [
        r#""weir":{"dney":["rm"]}"#,
        r#""weir":{"isolaton":{}}"#,
        r#""weir":{"allowed":1,"alow":[]}"#,
        r#""disabled_tools":"rm""#,
        r#""tools":{"exclude":"rm"}"#,
        r#""tools":"rm""#,
        r#""enabled_tools":[1]"#,
    ] {
        let config =
            read("s.json", &format!(r#"{{"mcpServers":{{"a":{{"command":"x",{entry}}}}}}}"#));
        assert!(config.servers.is_empty() && config.broken.len() == 1, "{entry}");
    }
}

#[test]
fn a_host_gets_what_names_it_or_nobody_and_hears_of_nothing_else() {
    let text = r#"{"mcpServers": {
        "all": {"command": "a"},
        "files": {"command": "b", "hosts": ["claude"]},
        "cursor-files": {"command": "c", "hosts": ["cursor"], "weir": {"name": "files"}},
        "other": {"command": "d", "hosts": ["cursor", "codex"], "unknown": 1, "weir": {"name": "all"}},
        "broken": {"hosts": ["codex"]},
        "off": {"command": "e", "disabled": true, "hosts": ["codex"]},
        "nobody": {"command": "f", "hosts": []},
        "bad": {"command": "g", "hosts": ["codex", 1]},
        "slip": {"command": "h", "hots": ["codex"]},
        "inside": {"command": "i", "weir": {"hosts": ["codex"]}}
    }}"#;
    let config = parse(Path::new("s.json"), text, &|_| None).unwrap();
    let names = |config: &Config| -> Vec<(String, String)> {
        let of = |spec: &ServerSpec| (spec.key.clone(), spec.name.clone());
        config.servers.iter().map(of).collect()
    };
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        pairs.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())).collect()
    };
    let of = |host: Option<&str>| config.clone().for_host(host);
    assert_eq!(names(&of(None)), pairs(&[("all", "all")]));
    assert_eq!(names(&of(Some("claude-code"))), pairs(&[("all", "all"), ("files", "files")]));
    // A name that another server has stays with that one.
    let cursor = of(Some("cursor"));
    let seen = [("all", "all"), ("cursor-files", "files"), ("other", "other")];
    assert_eq!(names(&cursor), pairs(&seen));
    assert_eq!(names(&cursor.clone().for_host(Some("cursor"))), pairs(&seen));
    assert!(cursor.warnings.iter().any(|text| text.contains("unknown")), "{:?}", cursor.warnings);
    assert!(!of(Some("gemini")).warnings.iter().any(|text| text.contains("unknown")));
    // What cannot be read is for nobody; a slip is not taken for a server that is for all.
    let codex = of(Some("codex"));
    assert_eq!(names(&codex), pairs(&[("all", "all"), ("other", "other")]));
    assert_eq!(codex.broken.keys().collect::<Vec<_>>(), ["broken"]);
    assert_eq!(codex.disabled, ["off"]);
    assert!(config.broken["bad"].contains("hosts holds something"), "{:?}", config.broken);
    assert!(config.broken["inside"].contains("stands in the entry itself"), "{:?}", config.broken);
    assert!(of(None).disabled.is_empty());
    assert_eq!(of(None).hidden, 9);
}

#[test]
fn an_api_is_an_entry_with_a_description_and_its_secrets() {
    let read =
        |entry: &str| read("servers.json", &format!(r#"{{"mcpServers":{{"shop":{entry}}}}}"#));
    let api = |config: &Config| match &config.servers[0].reach {
        Reach::OpenApi(api) => api.clone(),
        other => panic!("{other:?}"),
    };
    let one = read(r#"{"openapi":"shop.yaml","auth":"s3cret-1","headers":{"X-A":"s3cret-2"}}"#);
    assert_eq!(one.warnings, Vec::<String>::new());
    assert!(api(&one).description.ends_with("/shop.yaml") && !api(&one).is_fetched());
    assert_eq!((&*api(&one).auth[""], &*api(&one).headers["X-A"]), ("s3cret-1", "s3cret-2"));
    assert_eq!(one.servers[0].secrets.redact("s3cret-1 s3cret-2"), "*** ***");
    assert_eq!(one.servers[0].changed, Changed::Report);
    let two =
        r#"{"openapi":"https://a.example/o.json","url":"https://b.example","auth":{"key":"k"}}"#;
    let two = read(two);
    assert_eq!(
        (&*api(&two).auth["key"], api(&two).url.as_deref()),
        ("k", Some("https://b.example"))
    );
    // What a machine elsewhere defines anew waits.
    assert_eq!(two.servers[0].changed, Changed::Refuse);
    let person =
        r#"{"openapi":"a.json","auth":{"key":"${person:shop}"},"weir":{"identity":"person"}}"#;
    assert!(read(person).servers[0].names_person());
    for (bad, why) in [
        (r#"{"openapi":"a.json","command":"x"}"#, "it has both a command and openapi; keep one"),
        (r#"{"openapi":1}"#, "openapi is not a text"),
        (r#"{"openapi":"a.json","auth":["x"]}"#, "auth is not an object"),
    ] {
        assert_eq!(read(bad).broken["shop"], why);
    }
}
