//! `weir-middleware.wasm` before a small server of components (`tests/guests/mcp`), asked as wasmcp's transport asks.

use std::sync::OnceLock;

use serde_json::{Value, json};
use wasmtime::component::{Component, Linker, Resource};
use wasmtime::{Engine, Store};
use wasmtime_wasi::WasiView;
use wasmtime_wasi::p2::DynOutputStream;
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use weir_tests::wasi::State;
use weir_tests::{Sandbox, built_guest};

use super::{compiled, embedded, log, plug, plugged};
use wasmcp::exports::wasmcp::mcp_v20251125::server_handler::MessageContext;
use wasmcp::wasmcp::mcp_v20251125::mcp as m;
use wasmcp::wasmcp::mcp_v20251125::server_auth::HttpContext;
use wasmcp::wasmcp::mcp_v20251125::server_io::MessageFrame;

/// What wasmcp's interfaces generate, as the middleware has them.
#[allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]
mod wasmcp {
    wasmtime::component::bindgen!({
        path: [
            "../kits/adapters/mcp-middleware/wit/deps/wasi-io.wit",
            "../kits/adapters/mcp-middleware/wit/deps/wasmcp-auth.wit",
            "../kits/adapters/mcp-middleware/wit/deps/wasmcp-mcp.wit",
        ],
        inline: "
            package weir:transport;
            world transport { export wasmcp:mcp-v20251125/server-handler@0.1.1; }
        ",
        world: "weir:transport/transport",
        with: { "wasi:io": wasmtime_wasi::p2::bindings::sync::io },
    });
}

type Answer = Result<m::ServerResult, m::ErrorCode>;

/// The server behind the middleware, and alone.
fn servers() -> &'static [(Engine, Component); 2] {
    static SERVERS: OnceLock<[(Engine, Component); 2]> = OnceLock::new();
    SERVERS.get_or_init(|| {
        let server = built_guest("weir-mcp-guest", "");
        let middleware = plugged("weir-middleware", embedded());
        [compiled(plug(middleware, server.clone())), compiled(server)]
    })
}

/// Who asks, and for how many tools.
#[derive(Clone, Copy, Default)]
struct Client<'a> {
    session: Option<&'a str>,
    subject: Option<&'a str>,
    tools: Option<usize>,
}

/// A server that runs with a directory or without, with one instance for each message as `wasmtime serve` has it.
struct Served {
    directory: Option<Sandbox>,
    is_behind: bool,
}

impl Served {
    fn new() -> Served {
        let sandbox = Sandbox::new();
        sandbox.weir(); // makes the directory, which only its owner may read
        Served { directory: Some(sandbox), is_behind: true }
    }

    /// The same server without the middleware.
    fn alone() -> Served {
        Served { is_behind: false, ..Served::new() }
    }

    /// What a message is answered, and what was written to the client beside it.
    fn send(&self, client: Client<'_>, message: m::ClientMessage) -> (Option<Answer>, Vec<u8>) {
        let (engine, component) = &servers()[usize::from(!self.is_behind)];
        let mut linker = Linker::<State>::new(engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
        let mut state = match &self.directory {
            Some(sandbox) => State::with_directory(&sandbox.store(), "/store"),
            None => State::empty(),
        };
        let written = MemoryOutputPipe::new(4096);
        let stream: DynOutputStream = Box::new(written.clone());
        let stream = state.ctx().table.push(stream).expect("there is room");
        let context = context(client, Resource::new_borrow(stream.rep()));
        let mut store = Store::new(engine, state);
        let server = wasmcp::Transport::instantiate(&mut store, component, &linker);
        let server = server.expect("it starts");
        let handler = server.wasmcp_mcp_v20251125_server_handler();
        let answer = handler.call_handle(&mut store, &context, &message).expect("no trap");
        (answer, written.contents().to_vec())
    }

    fn ask(&self, client: Client<'_>, request: m::ClientRequest) -> Answer {
        let message = m::ClientMessage::Request((m::RequestId::Number(7), request));
        self.send(client, message).0.expect("a request is answered")
    }

    fn call(&self, client: Client<'_>, name: &str, arguments: &Value) -> Answer {
        let (name, arguments) = (name.to_owned(), Some(arguments.to_string()));
        self.ask(client, m::ClientRequest::ToolsCall(m::CallToolRequest { name, arguments }))
    }

    fn called(&self, client: Client<'_>, name: &str, arguments: &Value) -> m::CallToolResult {
        match self.call(client, name, arguments) {
            Ok(m::ServerResult::ToolsCall(result)) => result,
            other => panic!("{other:?} is not a result"),
        }
    }

    fn text(&self, client: Client<'_>, name: &str, arguments: &Value) -> String {
        texts(&self.called(client, name, arguments)).join("\n")
    }

    fn list(&self, client: Client<'_>, cursor: Option<&str>) -> m::ListToolsResult {
        let cursor = cursor.map(str::to_owned);
        match self.ask(client, m::ClientRequest::ToolsList(m::ListToolsRequest { cursor })) {
            Ok(m::ServerResult::ToolsList(list)) => list,
            other => panic!("{other:?} is not a list"),
        }
    }
}

fn context(client: Client<'_>, stream: Resource<DynOutputStream>) -> MessageContext {
    let claims = |subject: &str| wasmcp::wasmcp::auth::types::JwtClaims {
        subject: subject.to_owned(),
        issuer: Some("https://issuer.example".to_owned()),
        audience: Vec::new(),
        expiration: None,
        issued_at: None,
        not_before: None,
        jwt_id: None,
        scopes: Vec::new(),
        confirmation: None,
        custom_claims: Vec::new(),
    };
    MessageContext {
        client_stream: Some(stream),
        protocol_version: "2025-11-25".to_owned(),
        session: client
            .session
            .map(|id| m::Session { session_id: id.to_owned(), store_id: "default".to_owned() }),
        identity: client.subject.map(|of| m::Identity { jwt: Vec::new(), claims: claims(of) }),
        frame: MessageFrame { prefix: Vec::new(), suffix: Vec::new() },
        http_context: client.tools.map(|count| HttpContext {
            method: "POST".to_owned(),
            path: "/mcp".to_owned(),
            headers: vec![("x-tools".to_owned(), count.to_string())],
        }),
    }
}

fn texts(result: &m::CallToolResult) -> Vec<&str> {
    let texts = result.content.iter().filter_map(|block| match block {
        m::ContentBlock::Text(m::TextContent { text: m::TextData::Text(text), .. }) => {
            Some(text.as_str())
        }
        _ => None,
    });
    texts.collect()
}

/// The id in an excerpt.
fn id(excerpt: &str) -> String {
    let (_, rest) = excerpt.split_once("; id=").expect("an excerpt names its id");
    rest.split(']').next().expect("it ends").to_owned()
}

const ALICE: Client<'_> = Client { session: Some("alice"), subject: None, tools: None };
const NOBODY: Client<'_> = Client { session: None, subject: None, tools: None };

#[test]
fn small_results_errors_and_other_methods_pass_the_middleware_untouched() {
    let (behind, alone) = (Served::new(), Served::alone());
    let uri = || "file:///log".to_owned();
    let requests = [
        m::ClientRequest::ResourcesList(m::ListResourcesRequest { cursor: None }),
        m::ClientRequest::ResourcesRead(m::ReadResourceRequest { uri: uri() }),
        m::ClientRequest::PromptsList(m::ListPromptsRequest { cursor: None }),
        m::ClientRequest::PromptsGet(m::GetPromptRequest { name: uri(), arguments: None }),
        m::ClientRequest::CompletionComplete(m::CompleteRequest {
            argument: m::CompletionArgument { name: "a".to_owned(), value: "sing".to_owned() },
            ref_: m::CompletionReference::ResourceTemplate(uri()),
            context: None,
        }),
        m::ClientRequest::LoggingSetLevel(m::LogLevel::Alert),
        m::ClientRequest::Ping(m::PingRequest {
            meta: None,
            progress_token: None,
            extras: Vec::new(),
        }),
        m::ClientRequest::ResourcesSubscribe(uri()),
        m::ClientRequest::ResourcesUnsubscribe(uri()),
    ];
    for request in requests {
        let [with, without] = [&behind, &alone].map(|served| served.ask(ALICE, request.clone()));
        assert_eq!(format!("{with:?}"), format!("{without:?}"));
    }
    for (name, arguments) in [
        ("say", json!({ "text": "small" })),
        ("rows", json!({ "lines": 2 })),
        ("picture", json!({ "lines": 2 })),
        ("wrong", json!({ "text": "it went wrong" })),
        ("fail", json!({ "text": "it broke" })),
        ("unknown", json!({})),
        // There is nothing to search: this is the server's own matter.
        ("tool_search", json!({ "query": "say" })),
    ] {
        for client in [ALICE, NOBODY] {
            let [with, without] =
                [&behind, &alone].map(|served| served.call(client, name, &arguments));
            assert_eq!(format!("{with:?}"), format!("{without:?}"), "{name}");
        }
    }
    // What a server writes to the client beside its answer, and a notification, which has none.
    let note = m::CallToolRequest {
        name: "note".to_owned(),
        arguments: Some(r#"{"text": "one"}"#.to_owned()),
    };
    let note = m::ClientRequest::ToolsCall(note);
    let note = m::ClientMessage::Request((m::RequestId::String("a".to_owned()), note));
    assert_eq!(behind.send(ALICE, note).1, b"one");
    let options = m::NotificationOptions { meta: None, extras: None };
    let begun = m::ClientMessage::Notification(m::ClientNotification::Initialized(options));
    assert!(behind.send(ALICE, begun).0.is_none());
}

#[test]
fn a_large_result_is_an_excerpt_for_its_session_alone() {
    let served = Served::new();
    let result = served.called(ALICE, "log", &json!({ "lines": 9000 }));
    let m::ContentBlock::Text(block) = &result.content[0] else { panic!("{result:?}") };
    let said = block.options.as_ref().and_then(|options| options.annotations.as_ref());
    assert_eq!(said.and_then(|said| said.priority), Some(0.5), "what was said of the text stays");
    assert_eq!(result.meta.as_deref(), Some(r#"{"of": "the result"}"#));
    let excerpt = texts(&result).concat();
    assert!(excerpt.contains("NOT the full output") && excerpt.len() < 8_000, "{excerpt}");
    let id = id(&excerpt);
    assert!(!id.contains('-'), "{id}");
    for (arguments, found) in [
        (json!({ "mode": "range", "start": 5000, "count": 1 }), "5000: all is well"),
        (json!({ "mode": "grep", "pattern": "error:" }), "4321: error: disk is full"),
        (json!({ "query": "select(test(\"full\"))" }), "4321: error: disk is full"),
    ] {
        let mut arguments = arguments;
        arguments["id"] = id.as_str().into();
        let read = served.text(ALICE, "weir_fetch", &arguments);
        assert!(read.contains(found), "{read}");
        for other in [
            Client { session: Some("bob"), ..NOBODY },
            Client { subject: Some("alice"), ..NOBODY },
            NOBODY,
        ] {
            let refused = served.called(other, "weir_fetch", &arguments);
            let text = texts(&refused).concat();
            assert!(refused.is_error == Some(true) && !text.contains("disk"), "{text}");
        }
    }
    assert!(served.text(ALICE, "weir_fetch", &json!({ "mode": "list" })).contains(&id));
    // A person has results of their own too, at this issuer.
    let carol = Client { subject: Some("carol"), ..NOBODY };
    let carols = served.text(carol, "log", &json!({ "lines": 8000 }));
    let read = json!({ "id": self::id(&carols), "mode": "grep", "pattern": "full" });
    assert!(served.text(carol, "weir_fetch", &read).contains("disk is full"));
    assert!(!served.text(ALICE, "weir_fetch", &read).contains("disk is full"));

    // Structured content and pictures.
    let rows = served.called(ALICE, "rows", &json!({ "lines": 2000 }));
    assert!(
        rows.structured_content.is_none() && texts(&rows).concat().contains("NOT the full output")
    );
    let picture = served.called(ALICE, "picture", &json!({ "lines": 9000 }));
    let m::ContentBlock::Image(image) = &picture.content[0] else { panic!("{picture:?}") };
    assert!(matches!(&image.data, m::BlobData::Blob(bytes) if *bytes == [137, 80, 78, 71]));
    assert!(texts(&picture).concat().contains("NOT the full output"));
}

#[test]
fn without_a_session_the_id_of_a_result_is_its_key() {
    let served = Served::new();
    let [excerpt, again] = [(); 2].map(|()| served.text(NOBODY, "log", &json!({ "lines": 9000 })));
    let (id, other) = (id(&excerpt), self::id(&again));
    let (bare, key) = id.split_once('-').expect("the id has a key");
    assert_eq!((bare.len(), key.len()), (12, 32), "{id}");
    assert_ne!(id, other, "each call has a key of its own");
    assert_eq!(excerpt.matches(bare).count(), excerpt.matches(id.as_str()).count());

    let read = served.text(
        NOBODY,
        "weir_fetch",
        &json!({ "id": id, "mode": "grep", "pattern": "error:" }),
    );
    assert!(read.contains("4321: error: disk is full") && read.contains(&id), "{read}");
    let stat = served.text(
        NOBODY,
        "weir_fetch",
        &json!({ "id": format!("weir://blob/{id}"), "mode": "stat" }),
    );
    assert!(stat.contains(&id), "{stat}");
    // Neither its digits, nor the start of it, nor a list, nor a search, nor another key finds it.
    let guess = format!("{bare}-{}", "0".repeat(32));
    for arguments in [
        json!({ "id": bare, "mode": "head" }),
        json!({ "id": &id[..20], "mode": "head" }),
        json!({ "id": guess, "mode": "head" }),
        json!({ "id": format!("{id},{other}"), "mode": "head" }),
        json!({ "mode": "list" }),
        json!({ "mode": "stat" }),
        json!({ "mode": "search", "query": "disk is full" }),
    ] {
        for client in [NOBODY, ALICE] {
            let found = served.text(client, "weir_fetch", &arguments);
            let is_told = found.contains(key) && !arguments.to_string().contains(key);
            let is_read = found.contains("all is well") || found.contains("error: disk is full");
            assert!(!is_told && !is_read, "{arguments}: {found}");
        }
    }
    let told = served.text(NOBODY, "weir_fetch", &json!({ "id": bare, "mode": "head" }));
    assert!(told.contains("what follows the dash"), "{told}");
}

#[test]
fn a_stream_is_read_and_one_that_breaks_off_is_told_from_a_whole_one() {
    let served = Served::new();
    assert_eq!(
        served.text(ALICE, "stream", &json!({ "lines": 2 })),
        "1: all is well\n2: all is well\n"
    );
    let excerpt = served.text(ALICE, "stream", &json!({ "lines": 9000 }));
    assert!(excerpt.contains("stored whole"), "{excerpt}");
    let read = json!({ "id": id(&excerpt), "mode": "range", "unit": "bytes", "count": 30 });
    assert!(served.text(ALICE, "weir_fetch", &read).contains("1: all is well\n2: all is well"));
    let broken = served.text(ALICE, "break", &json!({ "lines": 9000 }));
    assert!(broken.contains("broke off") && !broken.contains("stored whole"), "{broken}");
}

#[test]
fn without_a_directory_results_pass_whole_and_say_so() {
    let served = Served { directory: None, is_behind: true };
    let result = served.called(ALICE, "log", &json!({ "lines": 9000 }));
    let texts = texts(&result);
    assert_eq!(texts[0], log());
    assert!(
        texts.len() == 2 && texts[1].contains("not stored") && texts[1].contains("/store"),
        "{}",
        texts[1]
    );
    assert_eq!(served.text(ALICE, "say", &json!({ "text": "small" })), "small");
    let names: Vec<_> = served.list(ALICE, None).tools.into_iter().map(|tool| tool.name).collect();
    assert!(names.len() == 11 && !names.contains(&"weir_fetch".to_owned()), "{names:?}");
}

#[test]
fn a_long_list_of_tools_becomes_a_search_through_which_they_are_called() {
    let (served, alone) = (Served::new(), Served::alone());
    // A short one keeps all but the schemas of results, and gets the reading tool.
    let (mut with, without) = (served.list(ALICE, None), alone.list(ALICE, None));
    let reader = with.tools.pop().expect("there are tools");
    assert!(reader.name == "weir_fetch" && reader.input_schema.contains("pattern"), "{reader:?}");
    let mut expected = without.tools;
    for options in expected.iter_mut().filter_map(|tool| tool.options.as_mut()) {
        options.output_schema = None;
    }
    assert_eq!(format!("{:?}", with.tools), format!("{expected:?}"));

    let many = Client { tools: Some(300), ..ALICE };
    assert_eq!(alone.list(many, None).next_cursor.as_deref(), Some("100"));
    let list = served.list(many, None);
    let names: Vec<_> = list.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["tool_search", "tool_describe", "tool_call", "weir_fetch"]);
    assert_eq!(list.next_cursor, None);
    let found =
        served.text(many, "tool_search", &json!({ "query": "things of kind 250 in a drawer" }));
    assert!(found.contains("count_250"), "{found}");
    let described = served.text(many, "tool_describe", &json!({ "names": ["count_250"] }));
    assert!(described.contains("drawer"), "{described}");
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let one = call("count_250", json!({ "drawer": "top" }));
    assert_eq!(served.text(many, "tool_call", &one), "count_250: top");
    let wrong = served.text(many, "tool_call", &call("count_250", json!({})));
    assert!(wrong.contains("nothing was called") || wrong.contains("drawer"), "{wrong}");
    let both = json!({ "calls": [one, call("fail", json!({ "text": "it broke" }))] });
    let both = served.called(many, "tool_call", &both);
    let error = "the server answered with an error: it broke";
    let titles = ["1 of 2: count_250", "2 of 2: fail (error)"];
    assert_eq!(texts(&both), [titles[0], "count_250: top", titles[1], error]);
    // What comes through the bridge is stored too.
    let excerpt = served.text(many, "tool_call", &call("log", json!({ "lines": 9000 })));
    let read = json!({ "id": id(&excerpt), "mode": "grep", "pattern": "error:" });
    assert!(served.text(many, "weir_fetch", &read).contains("disk is full"));
    // Numbers keep their digits.
    let given = r#"{"id":123456789012345678901234567890,"text":"a"}"#;
    let arguments = Some(format!(r#"{{"name":"given","arguments":{given}}}"#));
    let request = m::CallToolRequest { name: "tool_call".to_owned(), arguments };
    let Ok(m::ServerResult::ToolsCall(said)) =
        served.ask(many, m::ClientRequest::ToolsCall(request))
    else {
        panic!("it is called")
    };
    assert_eq!(texts(&said), [given]);
    // And a tool that is known by its name is called as before.
    assert_eq!(served.text(many, "count_299", &json!({ "drawer": "low" })), "count_299: low");
}
