//! Foreign plugin worlds over the component: `examples/cpex`, `examples/ironclaw`, `examples/zeroclaw` and `kits/adapters`, composed with it as `wac plug` does.

#[path = "adapters/ironclaw.rs"]
mod ironclaw;
#[path = "adapters/middleware.rs"]
mod middleware;

use std::sync::{Arc, Mutex, OnceLock};

use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};
use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, Instance, Linker, Val};
use wasmtime::{Config, Engine, Store, Strategy};
use weir_host::ComponentSource;
use weir_tests::wasi::State;
use weir_tests::{Sandbox, built_guest};

/// The adapter for CPEX with the component inside, compiled.
fn plugin() -> &'static (Engine, Component) {
    static PLUGIN: OnceLock<(Engine, Component)> = OnceLock::new();
    PLUGIN.get_or_init(|| composed("weir-cpex"))
}

/// The world `agent`, likewise.
fn agent() -> &'static (Engine, Component) {
    static AGENT: OnceLock<(Engine, Component)> = OnceLock::new();
    AGENT.get_or_init(|| composed("weir-agent"))
}

/// The adapter for ZeroClaw with the world `agent` inside, likewise.
fn tool_plugin() -> &'static (Engine, Component) {
    static PLUGIN: OnceLock<(Engine, Component)> = OnceLock::new();
    PLUGIN.get_or_init(|| compiled(plugged("weir-zeroclaw", plugged("weir-agent", embedded()))))
}

fn composed(adapter: &str) -> (Engine, Component) {
    compiled(plugged(adapter, embedded()))
}

fn compiled(bytes: Vec<u8>) -> (Engine, Component) {
    // Compiled in haste: what is in them is tried at length elsewhere.
    let engine = Engine::new(Config::new().strategy(Strategy::Winch)).expect("it is built in");
    let component = Component::new(&engine, bytes).expect("it compiles");
    (engine, component)
}

fn embedded() -> Vec<u8> {
    ComponentSource::Embedded.bytes().expect("it is embedded").into_owned()
}

/// An adapter of this workspace with a component inside of it.
fn plugged(adapter: &str, inside: Vec<u8>) -> Vec<u8> {
    plug(built_guest(adapter, ""), inside)
}

/// A component with another inside of it.
fn plug(outside: Vec<u8>, inside: Vec<u8>) -> Vec<u8> {
    let mut graph = CompositionGraph::new();
    let mut package = |name: &str, bytes: Vec<u8>| {
        let package = Package::from_bytes(name, None, bytes, graph.types_mut());
        graph.register_package(package.expect("it is a component")).expect("it is new")
    };
    let weir = package("weir:component", inside);
    let adapter = package("weir:adapter", outside);
    wac_graph::plug(&mut graph, vec![weir], adapter).expect("it fits");
    graph.encode(EncodeOptions::default()).expect("it can be encoded")
}

/// A host of CPEX's world: its one import, its one export, and a directory under the name that it has outside.
struct Host {
    store: Store<State>,
    instance: Instance,
    logged: Arc<Mutex<Vec<String>>>,
}

impl Host {
    fn new(sandbox: &Sandbox) -> Host {
        let (engine, component) = plugin();
        let mut linker = Linker::<State>::new(engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
        let logged = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&logged);
        linker
            .instance("cpex:plugin/host-logging")
            .and_then(|mut logging| {
                logging.func_new("log", move |_, _, given, _| {
                    kept.lock().expect("nobody panicked").push(format!("{given:?}"));
                    Ok(())
                })
            })
            .expect("it can be linked");
        sandbox.weir(); // makes the directory, which only its owner may read
        let directory = sandbox.store();
        let state = State::with_directory(&directory, directory.to_str().expect("a plain path"));
        let mut store = Store::new(engine, state);
        let instance = linker.instantiate(&mut store, component).expect("it starts");
        Host { store, instance, logged }
    }

    /// What the hook makes of one tool's content; `None` when the message passes as it is.
    fn hook(&mut self, session: &str, tool: &str, content: &str) -> Option<(String, bool)> {
        let hook = self.instance.get_func(&mut self.store, "handle-hook").expect("it is there");
        let result = record([
            ("tool-call-id", text("call-1")),
            ("tool-name", text(tool)),
            ("content", text(content)),
            ("is-error", Val::Bool(false)),
        ]);
        let parts = vec![case("text", text("what the tool said:")), case("tool-result", result)];
        let message = record([
            ("schema-version", text("2.0")),
            ("role", Val::Enum("tool".into())),
            ("content", Val::List(parts)),
            ("channel", Val::Option(None)),
        ]);
        let agent = record([
            ("input", Val::Option(None)),
            ("session-id", Val::Option(Some(Box::new(text(session))))),
            ("conversation-id", Val::Option(None)),
            ("turn", Val::Option(None)),
            ("agent-id", Val::Option(None)),
            ("parent-agent-id", Val::Option(None)),
            ("conversation", Val::Option(None)),
        ]);
        let extensions = [
            "request",
            "security",
            "http",
            "meta",
            "agent",
            "mcp",
            "completion",
            "provenance",
            "llm",
            "framework",
            "delegation",
            "custom",
        ]
        .map(|name| {
            let value = (name == "agent").then(|| Box::new(agent.clone()));
            (name, Val::Option(value))
        });
        let context =
            record([("local-state", Val::List(vec![])), ("global-state", Val::List(vec![]))]);
        let given = [
            text("cmf.tool_post_invoke"),
            case("cmf", record([("message", message)])),
            record(extensions),
            context,
        ];
        let mut answer = [Val::Bool(false)];
        hook.call(&mut self.store, &given, &mut answer).expect("it does not trap");
        let [answer] = answer;
        assert_eq!(field(&answer, "continue-processing"), &Val::Bool(true));
        assert_eq!(field(&answer, "violation"), &Val::Option(None));
        let Val::Option(modified) = field(&answer, "modified-payload") else {
            panic!("{answer:?}")
        };
        let Val::Variant(kind, Some(payload)) = modified.as_deref()? else { panic!("{answer:?}") };
        assert_eq!(kind, "cmf");
        let Val::List(parts) = field(field(payload, "message"), "content") else {
            panic!("{answer:?}")
        };
        assert_eq!(parts[0], case("text", text("what the tool said:")), "other parts stay");
        let Val::Variant(_, Some(result)) = &parts[1] else { panic!("{answer:?}") };
        assert_eq!(field(result, "tool-call-id"), &text("call-1"));
        match (field(result, "content"), field(result, "is-error")) {
            (Val::String(content), Val::Bool(is_error)) => Some((content.clone(), *is_error)),
            _ => panic!("{answer:?}"),
        }
    }
}

fn text(text: &str) -> Val {
    Val::String(text.into())
}

fn case(name: &str, payload: Val) -> Val {
    Val::Variant(name.into(), Some(Box::new(payload)))
}

fn record<const N: usize>(fields: [(&str, Val); N]) -> Val {
    Val::Record(fields.map(|(name, value)| (name.to_owned(), value)).to_vec())
}

fn field<'a>(record: &'a Val, name: &str) -> &'a Val {
    let Val::Record(fields) = record else { panic!("{record:?} is not a record") };
    &fields.iter().find(|(known, _)| known == name).expect("it has the field").1
}

fn log() -> String {
    (1..=9000)
        .map(|n| {
            format!("{n}: {}\n", if n == 4321 { "error: disk is full" } else { "all is well" })
        })
        .collect()
}

#[test]
fn a_large_result_becomes_an_excerpt_in_a_foreign_plugin_world_and_is_read_there() {
    let sandbox = Sandbox::new();
    let mut host = Host::new(&sandbox);
    let large = serde_json::to_string(&log()).expect("a text is JSON");
    let (shown, is_error) = host.hook("alice", "read_log", &large).expect("it is replaced");
    let shown: String = serde_json::from_str(&shown).expect("the content stays a JSON text");
    assert!(shown.contains("excerpt") && shown.len() < 8_000 && !is_error, "{shown}");

    // The library reads the same store; a model reads through the stand-in of the reading tool.
    let stored = sandbox.weir().list_blobs("alice", 10, None).expect("it is listed");
    let id = &stored.entries[0].handle.id;
    assert!(shown.contains(id.as_str()), "{shown}");
    let call = format!(r#"{{"id": "{id}", "mode": "grep", "pattern": "error:"}}"#);
    let (read, _) = host.hook("alice", "logs-weir-fetch", &call).expect("it is answered");
    assert!(read.contains("4321: error: disk is full"), "{read}");
    let (refused, is_error) = host.hook("bob", "weir_fetch", &call).expect("it is answered");
    assert!(is_error && !refused.contains("disk"), "{refused}");
    assert!(host.logged.lock().expect("nobody panicked").is_empty());
}

#[test]
fn small_results_and_other_shapes_pass_a_foreign_plugin_world_as_they_are() {
    let sandbox = Sandbox::new();
    let mut host = Host::new(&sandbox);
    for content in [
        r#""all is well""#,
        "null",
        r#"{"rows": 3}"#,
        r#"{"content": [{"type": "text", "text": "small"}]}"#,
    ] {
        assert_eq!(host.hook("alice", "tool", content), None, "{content}");
    }
    // A result of MCP keeps its shape.
    let large = serde_json::json!({ "content": [{ "type": "text", "text": log() }] });
    let (shown, _) = host.hook("alice", "tool", &large.to_string()).expect("it is replaced");
    let shown: serde_json::Value = serde_json::from_str(&shown).expect("it is JSON");
    assert!(shown["content"][0]["text"].as_str().is_some_and(|text| text.contains("excerpt")));
    // What cannot be stored under that name stays, and the host is told why.
    assert_eq!(host.hook(&"x".repeat(600), "tool", &serde_json::json!(log()).to_string()), None);
    assert_eq!(host.logged.lock().expect("nobody panicked").len(), 1);
}

/// The world `agent`: its functions, called by name.
struct Agent {
    store: Store<State>,
    instance: Instance,
}

impl Agent {
    fn new(sandbox: &Sandbox) -> Agent {
        let (engine, component) = agent();
        let mut linker = Linker::<State>::new(engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
        sandbox.weir(); // makes the directory, which only its owner may read
        let mut store = Store::new(engine, State::with_directory(&sandbox.store(), "/store"));
        let instance = linker.instantiate(&mut store, component).expect("it starts");
        Agent { store, instance }
    }

    fn call<const N: usize>(&mut self, function: &str, given: [&str; N]) -> String {
        let name = "weir:plugin/agent-tools@0.3.0";
        let tools = self.instance.get_export_index(&mut self.store, None, name);
        let tools = tools.expect("it exports the interface");
        let found = self.instance.get_export_index(&mut self.store, Some(&tools), function);
        let function = self.instance.get_func(&mut self.store, found.expect("it is there"));
        let mut answer = [Val::Bool(false)];
        let function = function.expect("it is a function");
        function.call(&mut self.store, &given.map(text), &mut answer).expect("it does not trap");
        match answer {
            [Val::String(answer)] => answer,
            other => panic!("{other:?} is no text"),
        }
    }
}

#[test]
fn the_world_agent_is_five_functions_of_strings() {
    let (engine, component) = agent();
    let exports: Vec<String> = component
        .component_type()
        .exports(engine)
        .map(|(name, item)| match item.ty {
            ComponentItem::ComponentInstance(instance) => {
                let functions: Vec<_> =
                    instance.exports(engine).map(|(name, _)| name.to_owned()).collect();
                format!("{name}: {}", functions.join(" "))
            }
            _ => panic!("{name} is no interface"),
        })
        .collect();
    assert_eq!(
        exports,
        [
            "weir:plugin/agent-tools@0.3.0: store-result read-result search-tools describe-tools call-tool"
        ]
    );
    let sandbox = Sandbox::new();
    let mut agent = Agent::new(&sandbox);
    assert_eq!(agent.call("store-result", ["alice", "read_log", "all is well"]), "all is well");
    let shown = agent.call("store-result", ["alice", "read_log", &log()]);
    let stored = sandbox.weir().list_blobs("alice", 10, None).expect("it is listed");
    let id = &stored.entries[0].handle.id;
    assert!(shown.contains(id.as_str()) && shown.len() < 8_000, "{shown}");
    let call = format!(r#"{{"id": "{id}", "mode": "grep", "pattern": "error:"}}"#);
    assert!(agent.call("read-result", ["alice", &call]).contains("4321: error: disk is full"));
    assert!(!agent.call("read-result", ["bob", &call]).contains("disk"));

    // A list of tools as text, and as the id of a stored result.
    let tools: Vec<_> = (0..200)
        .map(|n| {
            serde_json::json!({
                "name": format!("tool_{n}"), "description": format!("Counts the things of kind {n} in a drawer."),
                "inputSchema": {"type": "object", "properties": {"drawer": {"type": "string"}}, "required": ["drawer"]},
            })
        })
        .chain([serde_json::json!({"name": "send_mail", "description": "Sends an e-mail to somebody.",
            "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}})])
        .collect();
    let list = serde_json::json!({ "tools": tools }).to_string();
    agent.call("store-result", ["alice", "tools/list", &list]);
    let stored = sandbox.weir().list_blobs("alice", 10, None).expect("it is listed");
    let stored = stored.entries.iter().find(|entry| entry.handle.tool == "tools/list");
    let stored = stored.expect("the list is stored").handle.id.clone();
    for catalog in [list.as_str(), stored.as_str()] {
        let found = agent.call("search-tools", ["alice", catalog, "write an email"]);
        assert!(found.contains("send_mail"), "{found}");
        let described = agent.call("describe-tools", ["alice", catalog, "send_mail, tool_7"]);
        assert!(described.contains("drawer") && described.contains("\"to\""), "{described}");
        let call = agent.call("call-tool", ["alice", catalog, "send_mail", r#"{"to": "bob"}"#]);
        let call: serde_json::Value = serde_json::from_str(&call).expect("calls are JSON");
        assert_eq!(
            (&call["calls"][0]["name"], &call["calls"][0]["arguments"]["to"]),
            (&"send_mail".into(), &"bob".into())
        );
        let wrong = agent.call("call-tool", ["alice", catalog, "send_mail", "{}"]);
        assert!(wrong.contains("nothing was called"), "{wrong}");
    }
    assert!(agent.call("search-tools", ["bob", &stored, "mail"]).contains("no result"));
    assert!(agent.call("search-tools", ["bob", "{", "mail"]).contains("JSON"));
}

/// A host of ZeroClaw's world `tool-plugin`, with or without a directory, which calls the interface `tool`.
fn execute(directory: Option<&Sandbox>, arguments: &serde_json::Value) -> (bool, String) {
    let (engine, component) = tool_plugin();
    let mut linker = Linker::<State>::new(engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
    let state = match directory {
        Some(sandbox) => {
            sandbox.weir(); // makes the directory, which only its owner may read
            State::with_directory(&sandbox.store(), "/store")
        }
        None => State::empty(),
    };
    // A fresh store each time, as ZeroClaw has it.
    let mut store = Store::new(engine, state);
    let instance = linker.instantiate(&mut store, component).expect("it starts");
    let tool = instance.get_export_index(&mut store, None, "zeroclaw:plugin/tool@0.1.0");
    let tool = tool.expect("it exports the interface");
    let found = instance.get_export_index(&mut store, Some(&tool), "execute");
    let function = instance.get_func(&mut store, found.expect("it is there"));
    let mut answer = [Val::Bool(false)];
    let function = function.expect("it is a function");
    let given = [text(&arguments.to_string())];
    function.call(&mut store, &given, &mut answer).expect("it does not trap");
    let Val::Result(Ok(Some(result))) = &answer[0] else { panic!("{answer:?}") };
    match (field(result, "success"), field(result, "output"), field(result, "error")) {
        (Val::Bool(true), Val::String(output), Val::Option(None)) => (true, output.clone()),
        (Val::Bool(false), Val::String(_), Val::Option(Some(error))) => {
            let Val::String(error) = &**error else { panic!("{error:?}") };
            (false, error.clone())
        }
        _ => panic!("{answer:?}"),
    }
}

#[test]
fn the_world_agent_becomes_a_tool_of_a_foreign_plugin_world() {
    let sandbox = Sandbox::new();
    let stored = serde_json::json!({"do": "store", "tool": "read_log", "result": log()});
    let (done, shown) = execute(Some(&sandbox), &stored);
    let list = sandbox.weir().list_blobs("zeroclaw", 10, None).expect("it is listed");
    let id = &list.entries[0].handle.id;
    assert!(done && shown.contains(id.as_str()) && shown.len() < 8_000, "{shown}");
    let read = serde_json::json!({"do": "read", "arguments": {"id": id, "mode": "grep", "pattern": "error:"}});
    let (done, read) = execute(Some(&sandbox), &read);
    assert!(done && read.contains("4321: error: disk is full"), "{read}");

    // As ZeroClaw runs it: tools are found, described and called; of a large text there is only a part.
    let path = serde_json::json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let tools = serde_json::json!({"tools": [
        {"name": "read_file", "description": "Reads a file from disk.", "inputSchema": path},
        {"name": "send_mail", "description": "Sends an e-mail."},
    ]});
    let asked = |what: serde_json::Value| {
        let mut arguments = serde_json::json!({ "catalog": tools.to_string() });
        for (name, value) in what.as_object().expect("it is an object") {
            arguments[name] = value.clone();
        }
        execute(None, &arguments)
    };
    let (done, found) = asked(serde_json::json!({"do": "search", "query": "read a file"}));
    assert!(done && found.contains("read_file"), "{found}");
    let (_, described) = asked(serde_json::json!({"do": "describe", "names": "read_file"}));
    assert!(described.contains("\"path\""), "{described}");
    let call = serde_json::json!({"do": "call", "name": "read_file", "arguments": {"path": "/a"}});
    let (_, call) = asked(call);
    let call: serde_json::Value = serde_json::from_str(&call).expect("calls are JSON");
    assert_eq!(call["calls"][0]["arguments"]["path"], "/a");
    let (done, cut) = execute(None, &stored);
    assert!(done && cut.len() < 20_000 && cut.contains("9000: all is well"), "{cut}");
    let (done, error) = execute(None, &serde_json::json!({"do": "dance"}));
    assert!(!done && error.contains("store, read, search"), "{error}");
}
