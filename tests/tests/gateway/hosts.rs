//! Several agents behind one file of servers: each has what it had before, and learns nothing of the rest.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::{Ran, Sandbox};

use crate::client::{Client, PATIENCE, SERVER};

/// A home with four agents.
struct Home {
    sandbox: Sandbox,
}

const FILES: [(&str, &str); 4] = [
    ("claude-code", ".claude.json"),
    ("cursor", ".cursor/mcp.json"),
    ("codex", ".codex/config.toml"),
    ("gemini", ".gemini/settings.json"),
];

/// What each agent has, by the names that it has for them.
const OWN: [(&str, &[&str]); 4] = [
    ("claude-code", &["weatherly", "folderly", "diarist"]),
    ("cursor", &["folderly", "trackerly", "diarist"]),
    ("codex", &["trackerly"]),
    ("gemini", &["diarist"]),
];

/// A name that no server has: what is not there for a client is to be like this.
const NOBODY: &str = "nobody";

impl Home {
    fn new() -> Home {
        let home = Home { sandbox: Sandbox::new() };
        let server = |mark: &str| json!({"command": SERVER, "args": ["--mark", home.mark(mark)]});
        let trackerly = home.mark("trackerly");
        let mcp = |servers: Value| json!({"mcpServers": servers}).to_string();
        home.write(
            ".claude.json",
            &mcp(json!({
                "weatherly": server("weatherly"), "diarist": server("diarist"),
                "folderly": server("of-claude"),
            })),
        );
        home.write(
            ".cursor/mcp.json",
            &mcp(json!({
                "diarist": server("diarist"), "folderly": server("of-cursor"),
                "trackerly": {"command": SERVER, "args": ["--mark", trackerly], "env": {"TOKEN": "of-two"}},
            })),
        );
        home.write(
            ".codex/config.toml",
            &format!(
                "# mine\n[mcp_servers.trackerly]\ncommand = '{SERVER}'\nargs = [\"--mark\", '{trackerly}']\nenv = {{ TOKEN = \"of-two\" }}\n"
            ),
        );
        home.write(".gemini/settings.json", &mcp(json!({"diarist": server("diarist")})));
        let patience =
            json!({"weir": {"listWait": PATIENCE.as_secs(), "prefix": true}, "mcpServers": {}});
        home.write("config/weir/servers.json", &patience.to_string());
        home
    }

    fn mark(&self, server: &str) -> String {
        self.sandbox.path().join(format!("started-{server}")).to_str().unwrap().to_owned()
    }

    fn path(&self, file: &str) -> PathBuf {
        self.sandbox.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        fs::write(self.path(file), text).unwrap();
    }

    fn read(&self) -> Vec<String> {
        FILES.map(|(_, file)| fs::read_to_string(self.path(file)).unwrap()).to_vec()
    }

    fn install(&self, flags: &[&str]) -> Ran {
        let hooks = if flags.contains(&"--undo") { &[][..] } else { &["--no-hooks"] };
        let ran = self.sandbox.run([&["install", "--yes"], hooks, flags].concat());
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        ran
    }

    /// What the entry of an agent gives the gateway.
    fn options(&self, host: &str) -> Vec<String> {
        let (_, file) = FILES.iter().find(|(name, _)| *name == host).unwrap();
        let text = fs::read_to_string(self.path(file)).unwrap();
        if host == "codex" {
            let args = text.lines().find_map(|line| line.strip_prefix("args = ")).unwrap();
            let args: Vec<String> = serde_json::from_str(args).unwrap();
            return args;
        }
        let entry = &serde_json::from_str::<Value>(&text).unwrap()["mcpServers"]["weir"];
        serde_json::from_value(entry["args"].clone()).unwrap()
    }

    /// The agent, in front of the gateway as its entry starts it, in this mode.
    fn agent(&self, host: &str, mode: &str, flags: &[&str]) -> Client {
        let mut options = self.options(host);
        assert_eq!(options.remove(0), "serve");
        if let Some(at) = options.iter().position(|word| word == "--mode") {
            options.drain(at..at + 2);
        }
        options.extend(["--mode".to_owned(), mode.to_owned()]);
        let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
        options.extend(flags);
        Client::start_with(&self.sandbox, &options)
    }
}

/// All that a client can ask about a server of this name, with the answers.
fn questions(client: &mut Client, server: &str) -> Vec<Value> {
    let tool = format!("{server}__echo");
    let uri = format!("weir:{server}/test://one");
    let mut answers = Vec::new();
    let mut ask = |method: &str, params: Value| answers.push(client.ask(method, params));
    ask("tools/call", json!({"name": tool, "arguments": {"text": "x"}}));
    ask(
        "tools/call",
        json!({"name": "tool_call", "arguments": {"name": tool, "arguments": {"text": "x"}}}),
    );
    ask("tools/call", json!({"name": "tool_describe", "arguments": {"names": [tool]}}));
    for query in [format!("select:{tool}"), format!("server:{server} echo")] {
        ask("tools/call", json!({"name": "tool_search", "arguments": {"query": query}}));
    }
    ask("prompts/get", json!({"name": format!("{server}__greet"), "arguments": {"who": "x"}}));
    ask("resources/read", json!({"uri": uri}));
    ask("resources/subscribe", json!({"uri": uri}));
    ask("resources/unsubscribe", json!({"uri": uri}));
    ask("resources/read", json!({"uri": format!("ui://weir/{server}/view/main.html")}));
    for reference in [
        json!({"type": "ref/prompt", "name": format!("{server}__greet")}),
        json!({"type": "ref/resource", "uri": uri}),
        json!({"type": "ref/resource", "uri": format!("weir:{server}/test://item/{{id}}")}),
    ] {
        ask(
            "completion/complete",
            json!({"ref": reference, "argument": {"name": "who", "value": "x"}}),
        );
    }
    ask("tasks/get", json!({"taskId": format!("weir:{server}/1")}));
    for answer in &mut answers {
        answer["id"] = Value::Null;
    }
    answers
}

/// The answers with one server's name in place of another's; what differs by chance is left out.
fn with_name(answers: &[Value], from: &str, to: &str) -> Vec<String> {
    let plain = |answer: &Value| answer.to_string().replace(from, to);
    answers.iter().map(plain).collect()
}

/// The server names before the tools, prompts and resources that a client is shown.
fn servers_shown(client: &mut Client) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let tools = client.tool_names();
    names.extend(tools.iter().filter_map(|name| Some(name.split_once("__")?.0.to_owned())));
    let lists = [("prompts", "name"), ("resources", "uri"), ("resources/templates", "uriTemplate")];
    for (list, key) in lists {
        let result = &client.ask(&format!("{list}/list"), json!({}))["result"];
        let items = result.as_object().unwrap().values().filter_map(Value::as_array).flatten();
        let of: BTreeSet<String> = items
            .map(|item| item[key].as_str().unwrap())
            .filter_map(|name| match name.strip_prefix("weir:") {
                Some(rest) => rest.split_once('/'),
                None => name.split_once("__"),
            })
            .map(|(server, _)| server.to_owned())
            .collect();
        names.extend(of);
    }
    names
}

fn is_refused(answer: &Value) -> bool {
    answer.get("error").is_some() || answer["result"]["isError"] == true
}

/// Nothing that an agent can ask tells it more of a server that is not its own than of one that nobody has.
fn learns_nothing_of_others(client: &mut Client, own: &[&str]) {
    // The first answer without a match lists the agent's servers, and no other does.
    questions(client, NOBODY);
    let nobody = questions(client, NOBODY);
    assert!(is_refused(&nobody[0]), "{}", nobody[0]);
    for hidden in ["weatherly", "folderly", "trackerly", "diarist"] {
        if own.contains(&hidden) {
            continue;
        }
        let answers = questions(client, hidden);
        let told = with_name(&answers, hidden, NOBODY);
        for (told, expected) in told.iter().zip(with_name(&nobody, NOBODY, NOBODY)) {
            assert_eq!(*told, expected, "{hidden}");
        }
    }
    // Another agent's server of an own one's name goes by a name of its own, which is for that agent alone.
    let other = client.call("cursor-folderly__echo", json!({"text": "x"}));
    assert!(is_refused(&other), "{other}");
    for own in own {
        let called = client.call(&format!("{own}__echo"), json!({"text": "x"}));
        assert!(!is_refused(&called), "{own}: {called}");
        let read = client.ask("resources/read", json!({"uri": format!("weir:{own}/test://one")}));
        assert!(!is_refused(&read), "{own}: {read}");
    }
}

#[test]
fn after_an_installation_no_agent_can_list_search_or_call_what_it_could_not_before() {
    let home = Home::new();
    let before = home.read();
    let said = home.install(&[]).stdout;
    // The installation asked each for its tools, one that gets another name by both.
    const MARKS: [&str; 3] = ["weatherly", "of-claude", "of-cursor"];
    let starts = |server: &str| fs::read_to_string(home.mark(server)).unwrap().lines().count();
    let asked = MARKS.map(starts);
    assert_eq!(asked, [1, 1, 2]);
    for count in
        ["Cursor: the gateway is in, 3 servers", "Gemini CLI: the gateway is in, 1 server behind"]
    {
        assert!(said.contains(count), "{count}: {said}");
    }
    // Equal servers are one entry; another one of the same name has an entry of its own.
    let servers = fs::read_to_string(home.path("config/weir/servers.json")).unwrap();
    let servers: Value = serde_json::from_str(&servers).unwrap();
    let hosts = |name: &str| servers["mcpServers"][name]["hosts"].clone();
    assert_eq!(servers["mcpServers"].as_object().unwrap().len(), 5, "{servers}");
    assert_eq!(hosts("diarist"), json!(["claude-code", "cursor", "gemini"]));
    assert_eq!(hosts("trackerly"), json!(["cursor", "codex"]));
    assert_eq!(hosts("folderly"), json!(["claude-code"]));
    assert_eq!(hosts("cursor-folderly"), json!(["cursor"]));

    for (host, own) in OWN {
        let mut client = home.agent(host, "passthrough", &[]);
        let greeting = client.greet().to_string();
        let expected: BTreeSet<String> = own.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(servers_shown(&mut client), expected, "{host}");
        learns_nothing_of_others(&mut client, own);
        client.close();

        let mut client = home.agent(host, "bridge", &[]);
        let mut heard = client.greet().to_string() + &greeting;
        heard += &client.ask("tools/list", json!({})).to_string();
        heard += &client.search(json!({"query": "echo a text", "limit": 25}));
        for other in ["weatherly", "folderly", "trackerly", "diarist"] {
            assert_eq!(heard.contains(other), own.contains(&other), "{host}, {other}: {heard}");
        }
        learns_nothing_of_others(&mut client, own);
        client.close();
    }
    // An agent's gateway starts none of the others' servers either.
    assert!(MARKS.map(starts).iter().zip(asked).all(|(now, asked)| now - asked <= 2));

    let ran = home.install(&["--undo"]);
    assert_eq!(home.read(), before, "{}", ran.stdout);
}

#[test]
fn agents_that_share_a_gateway_share_it_with_their_like_alone() {
    let home = Home::new();
    home.install(&[]);
    let mut clients: Vec<Client> =
        OWN.iter().map(|(host, _)| home.agent(host, "passthrough", &["--shared"])).collect();
    for (client, (host, own)) in clients.iter_mut().zip(OWN) {
        client.greet();
        let expected: BTreeSet<String> = own.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(servers_shown(client), expected, "{host}");
        learns_nothing_of_others(client, own);
    }
    // A second window of one agent is in front of the same servers.
    let mut again = home.agent("codex", "passthrough", &["--shared"]);
    again.greet();
    let pid = again.text("trackerly__pid", json!({}));
    assert_eq!(pid, clients[2].text("trackerly__pid", json!({})));
    assert_ne!(pid, clients[1].text("trackerly__pid", json!({})));
}

#[test]
fn a_client_of_which_no_agent_is_known_gets_what_is_for_every_one() {
    let home = Home::new();
    home.write(
        "config/weir/servers.json",
        &json!({"weir": {"listWait": PATIENCE.as_secs(), "prefix": true}, "mcpServers": {
            "all": {"command": SERVER}, "one": {"command": SERVER, "hosts": ["qwen-code"]},
            "bad": {"command": SERVER, "hosts": "codex"}, "slip": {"command": SERVER, "host": ["codex"]},
            "none": {"command": SERVER, "hosts": []},
        }})
        .to_string(),
    );
    let shown = |flags: &[&str]| {
        let mut client =
            Client::start_with(&home.sandbox, &[&["--mode", "passthrough"], flags].concat());
        client.greet();
        let shown = servers_shown(&mut client);
        client.close();
        shown.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(shown(&[]), ["all"]);
    assert_eq!(shown(&["--host", "codex"]), ["all"]);
    // By any of its names.
    assert_eq!(shown(&["--host", "qwen"]), ["all", "one"]);
    assert_eq!(shown(&["--shared"]), ["all"]);
    let problems = home.sandbox.run(["servers", "--validate"]).stdout;
    for said in
        ["bad is left out: hosts is not a list", "slip is left out: the key host is not known"]
    {
        assert!(problems.contains(said), "{said}: {problems}");
    }
}

#[test]
fn sharing_is_asked_for_and_names_what_is_shared() {
    let home = Home::new();
    let before = home.read();
    let shown = home.install(&["--share", "--dry-run"]).stdout;
    let named = "also gets: folderly, weatherly, cursor-folderly, trackerly (--share)";
    assert!(shown.contains(named), "{shown}");
    home.install(&["codex", "gemini", "--share"]);
    let mut client = home.agent("gemini", "passthrough", &[]);
    client.greet();
    assert_eq!(
        servers_shown(&mut client).into_iter().collect::<Vec<_>>(),
        ["diarist", "trackerly"]
    );
    client.close();
    // Taken back for one, the other keeps its own.
    home.install(&["--undo", "codex"]);
    let mut client = home.agent("gemini", "passthrough", &[]);
    client.greet();
    assert!(servers_shown(&mut client).contains("trackerly"), "it was shared with it");
    client.close();
    home.install(&["--undo"]);
    assert_eq!(home.read(), before);
}

#[test]
fn of_two_agents_with_one_server_each_can_be_taken_back_alone() {
    let home = Home::new();
    let before = home.read();
    home.install(&[]);
    let servers = || fs::read_to_string(home.path("config/weir/servers.json")).unwrap();
    let hosts = |name: &str| {
        serde_json::from_str::<Value>(&servers()).unwrap()["mcpServers"][name]["hosts"].clone()
    };
    home.install(&["--undo", "cursor"]);
    assert_eq!(hosts("diarist"), json!(["claude-code", "gemini"]));
    assert_eq!(hosts("trackerly"), json!(["codex"]));
    assert!(!servers().contains("cursor-folderly"), "{}", servers());
    let mut client = home.agent("codex", "passthrough", &[]);
    client.greet();
    assert_eq!(servers_shown(&mut client).into_iter().collect::<Vec<_>>(), ["trackerly"]);
    client.close();
    // In, and out again; what was shared with it later goes too.
    home.install(&["cursor"]);
    home.install(&["gemini", "--share"]);
    assert_eq!(hosts("trackerly"), json!(["codex", "cursor", "gemini"]));
    home.install(&["--undo", "gemini"]);
    assert_eq!(hosts("trackerly"), json!(["codex", "cursor"]));
    home.install(&["gemini"]);
    assert_eq!(hosts("diarist"), json!(["claude-code", "cursor", "gemini"]));
    home.install(&["--undo", "claude-code"]);
    assert_eq!(hosts("diarist"), json!(["cursor", "gemini"]));
    home.install(&["--undo"]);
    assert_eq!(home.read(), before);
    assert!(!servers().contains("trackerly"), "{}", servers());
}

#[test]
fn what_is_taken_from_an_agent_in_the_file_is_gone_while_its_gateway_runs() {
    let home = Home::new();
    home.install(&["codex", "gemini"]);
    let mut client = home.agent("codex", "passthrough", &[]);
    client.greet();
    assert_eq!(servers_shown(&mut client).into_iter().collect::<Vec<_>>(), ["trackerly"]);
    let file = "config/weir/servers.json";
    let mut servers: Value =
        serde_json::from_str(&fs::read_to_string(home.path(file)).unwrap()).unwrap();
    servers["mcpServers"]["trackerly"]["hosts"] = json!(["gemini"]);
    servers["mcpServers"]["diarist"]["hosts"] = json!(["gemini", "codex"]);
    home.write(file, &servers.to_string());
    let until = Instant::now() + PATIENCE;
    while servers_shown(&mut client).into_iter().collect::<Vec<_>>() != ["diarist"] {
        assert!(Instant::now() < until, "the change is not taken over");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(is_refused(&client.call("trackerly__echo", json!({"text": "x"}))));
}
