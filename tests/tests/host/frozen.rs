//! A host made from the contract of 0.3.0 as it was released, and from nothing else: it runs with the component of
//! today, whatever was added since.

use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};
use weir_host::ComponentSource;
use weir_tests::Sandbox;
use weir_tests::wasi::State;

mod contract {
    wasmtime::component::bindgen!({ path: "released/0.3.0/wit", world: "plugin" });
}

use contract::exports::weir::plugin::reading::{CaseMode, GrepRequest, View};
use contract::exports::weir::plugin::result_transform::FinishedResult;
use contract::exports::weir::plugin::tool_search::{
    ServerInfo, Snapshot, ToolAnnotations, ToolDefinition,
};
use contract::exports::weir::plugin::types::{Origin, Part};

#[test]
fn a_host_of_0_3_0_runs_the_component_of_today() {
    let engine = Engine::default();
    let bytes = ComponentSource::Embedded.bytes().expect("it is embedded");
    let component = Component::new(&engine, bytes).expect("it compiles");
    let mut linker = Linker::<State>::new(&engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
    let sandbox = Sandbox::new();
    sandbox.weir(); // makes the directory, which only its owner may read
    let mut store = Store::new(&engine, State::with_directory(&sandbox.store(), "/store"));
    let weir = contract::Plugin::instantiate(&mut store, &component, &linker).expect("it fits");

    let settings = weir.weir_plugin_settings();
    let problems =
        settings.call_configure(&mut store, r#"{"transform": {"head_lines": 3, "hed": 1}}"#);
    assert_eq!(problems.unwrap()[0].key, "transform.hed");
    let text: String = (1..=9_000).map(|n| format!("line {n}: all is well\n")).collect();
    let finished = FinishedResult {
        origin: Origin {
            session: "alice".into(),
            tool: "read_log".into(),
            toolset: None,
            arguments: None,
            reader: None,
            purpose: None,
        },
        parts: vec![Part::Text(text)],
        raw: None,
        is_error: false,
        waits_for_input: false,
        max_chars: None,
        already_cut: false,
    };
    let transform = weir.weir_plugin_result_transform();
    let shown = transform.call_transform(&mut store, &finished).unwrap().expect("it is taken");
    let handle = &shown.handles[0];
    assert!(shown.replaced && handle.shown_chars.is_some() && handle.is_repeat == Some(false));
    let again = transform.call_transform(&mut store, &finished).unwrap().expect("it is taken");
    assert_eq!(again.handles[0].is_repeat, Some(true));

    let request = GrepRequest {
        pattern: "line 4321:".into(),
        regex: false,
        case_mode: CaseMode::Smart,
        word: false,
        invert: false,
        count_only: false,
        before: 0,
        after: 0,
        max_matches: None,
        start: 0,
    };
    let reading = weir.weir_plugin_reading();
    let found = reading.call_grep(&mut store, "alice", &handle.id, View::Text, &request, None);
    let found = found.unwrap().expect("it is searched");
    assert_eq!(
        (found.matches, found.matching_lines, found.complete, found.more),
        (1, 1, true, None)
    );

    let none =
        ToolAnnotations { read_only: None, destructive: None, idempotent: None, open_world: None };
    let tool = ToolDefinition {
        name: "send_mail".into(),
        title: None,
        description: "Sends an e-mail.".into(),
        input_schema: String::new(),
        annotations: none,
        server: "mail".into(),
        origin: "external".into(),
        tags: vec![],
        aliases: vec![],
        phrases: vec![],
        pinned: false,
    };
    let server = ServerInfo {
        name: "mail".into(),
        description: String::new(),
        trusted: None,
        state: "connected".into(),
        reason: None,
    };
    let snapshot = Snapshot { tools: vec![tool], servers: vec![server] };
    let catalog = weir.weir_plugin_tool_search().catalog();
    let built = catalog.call_build(&mut store, &snapshot, None).unwrap().expect("it is built");
    assert_eq!(catalog.call_digest(&mut store, built).unwrap().len(), 64);
}
