//! A host of IronClaw's world `sandboxed-tool`: no directory, its own limits of memory and fuel, a fresh instance for each call.

use std::sync::OnceLock;

use serde_json::{Value, json};
use wasmtime::component::{Component, Linker, Val};
use wasmtime::{Config, Engine, ResourceLimiter, Store, Strategy};
use wasmtime_wasi::{WasiCtxView, WasiView};
use weir_tests::wasi::State;

use super::{embedded, field, log, plugged, record, text};

/// What IronClaw gives a tool, unless its manifest says otherwise: in all memories together, and of fuel.
const MEMORY_BYTES: usize = 10 * 1024 * 1024;
const FUEL: u64 = 500_000_000;

struct Tool {
    wasi: State,
    memories: usize,
    output: Result<String, String>,
    asked: Vec<(String, String)>,
}

impl WasiView for Tool {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        self.wasi.ctx()
    }
}

impl ResourceLimiter for Tool {
    fn memory_growing(
        &mut self,
        now: usize,
        wanted: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.memories += wanted - now;
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

/// What a call comes to.
struct Called {
    /// The output, or the kind and the message of a failure.
    answer: Result<Value, (String, String)>,
    asked: Vec<(String, String)>,
    memory: usize,
    fuel: u64,
}

fn called(params: &Value, output: Result<&str, &str>) -> Called {
    static TOOL: OnceLock<(Engine, Component)> = OnceLock::new();
    let (engine, component) = TOOL.get_or_init(|| {
        let engine = Engine::new(Config::new().strategy(Strategy::Winch).consume_fuel(true));
        let engine = engine.expect("it is built in");
        let bytes = plugged("weir-ironclaw", embedded());
        let component = Component::new(&engine, bytes).expect("it compiles");
        (engine, component)
    });
    let mut linker = Linker::<Tool>::new(engine);
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
    linker
        .instance("near:agent/host@0.4.1")
        .and_then(|mut host| {
            host.func_wrap("tool-invoke", |mut tool, (alias, params): (String, String)| {
                let tool: &mut Tool = tool.data_mut();
                tool.asked.push((alias, params));
                Ok((tool.output.clone(),))
            })
        })
        .expect("it can be linked");
    let output = output.map(str::to_owned).map_err(str::to_owned);
    let state = Tool { wasi: State::empty(), memories: 0, output, asked: Vec::new() };
    let mut store = Store::new(engine, state);
    store.limiter(|tool| tool);
    store.set_fuel(u64::MAX).expect("fuel is counted");
    let instance = linker.instantiate(&mut store, component).expect("it starts");
    let tool = instance.get_export_index(&mut store, None, "near:agent/tool@0.4.1");
    let tool = tool.expect("it exports the interface");
    let execute = instance.get_export_index(&mut store, Some(&tool), "execute");
    let execute = instance.get_func(&mut store, execute.expect("it is there"));
    let request = record([("params", text(&params.to_string())), ("context", Val::Option(None))]);
    let mut answer = [Val::Bool(false)];
    execute.expect("it is a function").call(&mut store, &[request], &mut answer).expect("no trap");
    let answer = match &answer[0] {
        Val::Variant(name, Some(given)) if name == "success" => {
            let Val::String(json) = &**given else { panic!("{given:?}") };
            Ok(serde_json::from_str(json).expect("an output is JSON"))
        }
        Val::Variant(_, Some(failure)) => {
            let Val::Enum(kind) = field(failure, "kind") else { panic!("{failure:?}") };
            let Val::Option(Some(message)) = field(failure, "message") else {
                panic!("{failure:?}")
            };
            let Val::String(message) = &**message else { panic!("{message:?}") };
            Err((kind.clone(), message.clone()))
        }
        other => panic!("{other:?}"),
    };
    let fuel = u64::MAX - store.get_fuel().expect("fuel is counted");
    let tool = store.into_data();
    Called { answer, asked: tool.asked, memory: tool.memories, fuel }
}

#[test]
fn a_tool_of_another_agent_calls_tools_and_answers_with_an_excerpt() {
    let output = Value::from(log()).to_string();
    let asked =
        json!({"tool": "read_log", "arguments": {"day": "today"}, "purpose": "is a disk full?"});
    let excerpt = called(&asked, Ok(&output));
    assert_eq!(excerpt.asked, [("read_log".to_owned(), json!({"day": "today"}).to_string())]);
    let shown = excerpt.answer.expect("it succeeds");
    let shown = shown.as_str().expect("a text");
    assert!(shown.len() < 9_000 && shown.contains("4321: error: disk is full"), "{shown}");
    assert!(shown.contains("\"mode\":\"grep\"") && shown.contains("again with `read`"), "{shown}");
    assert!(
        excerpt.memory <= MEMORY_BYTES && excerpt.fuel <= FUEL,
        "{} bytes, {} units of fuel",
        excerpt.memory,
        excerpt.fuel
    );

    // Parts, by another call of the same tool.
    let part = |output: &str, read: Value| {
        let called = called(&json!({"tool": "read_log", "read": read}), Ok(output));
        assert!(
            called.memory <= MEMORY_BYTES && called.fuel <= FUEL,
            "{} bytes, {} units of fuel",
            called.memory,
            called.fuel
        );
        called.answer.map(|shown| shown.as_str().expect("a text").to_owned())
    };
    let read = |read: Value| part(&output, read);
    let found = read(json!({"mode": "grep", "pattern": "disk is full"})).expect("it succeeds");
    assert!(found.contains("1 match") && found.contains("4321: error: disk is full"), "{found}");
    let lines = read(json!({"mode": "range", "start": 2, "count": 3})).expect("it succeeds");
    assert!(lines.contains("lines 2-4 of 9,000"), "{lines}");
    let none = read(json!({"mode": "grep", "pattern": "nowhere"})).expect("it succeeds");
    assert!(none.contains("0 matches") || none.contains("no match"), "{none}");
    // Refused in words, as everywhere.
    assert!(
        matches!(read(json!({"mode": "full"})), Err((kind, why)) if kind == "input" && why.contains("tail"))
    );
    let rows: Vec<Value> =
        (0..3_000).map(|n| json!({"id": n, "paid": n % 3 == 0, "amount": n * 7})).collect();
    let rows = json!({ "orders": rows }).to_string();
    let sum = json!({"mode": "query", "pattern": "select(.paid) | .amount", "reduce": "sum"});
    assert!(part(&rows, sum.clone()).expect("it succeeds").contains("10489500"), "{sum}");
    // However small it is.
    let few = json!({"orders": (0..40).map(|n| json!({"id": n, "name": "some words"})).collect::<Vec<_>>()});
    let last =
        part(&few.to_string(), json!({"mode": "query", "pattern": "select(.id > 38) | .id"}));
    assert!(last.as_ref().is_ok_and(|last| last.contains("39")), "{last:?}");

    // What is small, or not a text, passes as it is.
    let small = r#"{"rows":[1,2]}"#;
    assert_eq!(called(&asked, Ok(small)).answer, Ok(json!({"rows": [1, 2]})));
    assert_eq!(called(&asked, Ok("\"hello\"")).answer, Ok(json!("hello")));
    let blocks = json!({"content": [{"type": "text", "text": log()}]}).to_string();
    let shown = called(&asked, Ok(&blocks)).answer.expect("it succeeds");
    assert!(shown.as_str().is_some_and(|shown| shown.contains("4321: error")), "{shown}");

    // What is wrong is said, and nothing is called for it.
    for wrong in [
        json!({}),
        json!([]),
        json!({"tool": 3}),
        json!({"tool": "a", "arguments": [1]}),
        json!({"tool": "a", "read": "all"}),
    ] {
        let refused = called(&wrong, Ok("1"));
        assert!(
            matches!(&refused.answer, Err((kind, _)) if kind == "input"),
            "{:?}",
            refused.answer
        );
        assert_eq!(refused.asked, []);
    }
    let broken = read(json!({"mode": "query", "pattern": ".a ["}));
    assert!(matches!(broken, Err((kind, _)) if kind == "input"));
    let failed = called(&asked, Err("no such alias")).answer;
    assert_eq!(failed, Err(("operation-failed".to_owned(), "no such alias".to_owned())));
}
