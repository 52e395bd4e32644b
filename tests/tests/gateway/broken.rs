//! A component that is broken: in the library, where its limits can be small.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use weir_gateway::gate::Gate;
use weir_gateway::identity::Identity;
use weir_gateway::json::Json;
use weir_gateway::session::{Outgoing, Outlet, Session};
use weir_gateway::spec::{Reach, ServerSpec};
use weir_gateway::wire::Request;
use weir_gateway::{Gateway, Mode, Options};
use weir_host::{Class, ComponentSource, Engine, Limits, Weir};
use weir_tests::{Sandbox, cache, hostile_guest};

use crate::client::SERVER;

fn small(class: Class, bytes: u64) -> Limits {
    let limits = class.limits(bytes);
    Limits { fuel: limits.fuel / 50, deadline: limits.deadline / 10, ..limits }
}

/// Asks the gateway; gives the result, or the error under its key.
async fn ask(gateway: &Arc<Gateway>, method: &str, params: Value) -> Value {
    serde_json::from_str(&ask_for_text(gateway, method, params).await).unwrap()
}

/// The same as text, which may be of any length.
async fn ask_for_text(gateway: &Arc<Gateway>, method: &str, params: Value) -> String {
    let (outlet, mut beside) = Outlet::new();
    tokio::spawn(async move { while beside.recv().await.is_some() {} });
    let session = Session::new("one".into(), Identity::alone(), outlet.clone(), None);
    let request =
        Request { id: Json::of(&1), method: method.into(), params: Some(Json::of(&params)) };
    match gateway.answer(&session, &outlet, request).await {
        Outgoing::Text(text) => text,
        Outgoing::Spooled { head, result, skip, tail } => {
            let mut text = head.into_bytes();
            let mut take = |bytes: &[u8]| {
                text.extend_from_slice(bytes);
                Ok(())
            };
            result.copy_to(skip, &mut take).unwrap();
            String::from_utf8(text).unwrap() + &tail
        }
    }
}

fn spec() -> ServerSpec {
    let reach = Reach::Stdio {
        command: SERVER.into(),
        args: Vec::new(),
        env: Default::default(),
        cwd: None,
    };
    ServerSpec::new("s", reach)
}

#[test]
fn a_component_that_traps_or_loops_loses_no_result_and_that_is_said() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let source = ComponentSource::Bytes(hostile_guest(""));
    let engine = Engine::new(&source, &weir_host::Cache::In(cache())).unwrap();
    for misdeed in ["", "loop", "exit", "allocate"] {
        let sandbox = Sandbox::new();
        let weir =
            Weir::builder().limits(small).open_with(engine.clone(), sandbox.store()).unwrap();
        std::fs::write(sandbox.store().join("misdeed"), misdeed).unwrap();
        runtime.block_on(async {
            let mut options = Options::new(sandbox.path().join("state"));
            // Bridged or not: the tools are there.
            options.mode = if misdeed.is_empty() { Mode::Bridge } else { Mode::Passthrough };
            let gate = Gate::new(Ok(weir), "session");
            let gateway = Gateway::new(vec![spec()], gate, options).unwrap();
            let listed = ask(&gateway, "tools/list", json!({})).await;
            assert!(listed["result"]["tools"].to_string().contains("s__big"), "{listed}");
            for (bytes, whole) in [(100, true), (40_000, true), (60_000, false), (6 << 20, false)] {
                let params = json!({"name": "s__big", "arguments": {"bytes": bytes}});
                let answer = ask(&gateway, "tools/call", params).await;
                let text = answer["result"]["content"][0]["text"].as_str().unwrap();
                if whole {
                    assert_eq!(text.len(), bytes, "{misdeed}");
                } else {
                    assert!(text.starts_with("line 000000001:") && text.len() < 7_000);
                    assert!(text.contains("cannot be read back") && text.contains("narrower"));
                }
                assert!(answer["result"]["_meta"].is_null(), "no handle is promised: {answer}");
            }
            let fetched = ask(
                &gateway,
                "tools/call",
                json!({"name": "tool_search", "arguments": {"query": "x"}}),
            )
            .await;
            assert!(fetched.get("error").is_some(), "what is not listed is not there: {fetched}");
            let prompts = ask(&gateway, "prompts/list", json!({})).await;
            assert_eq!(prompts["result"]["prompts"][0]["name"], "s__greet");
            gateway.shut_down().await;
        });
    }
}

#[test]
fn a_broken_component_leaves_results_whole_up_to_what_the_setting_says() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let sandbox = Sandbox::new();
    let mut settings = sandbox.weir().default_settings().unwrap();
    let default = settings.number("transform.fallback_max_chars").unwrap();
    assert_eq!(default as usize, weir_gateway::gate::FALLBACK_MAX_CHARS);
    let default = settings.number("transform.threshold_chars").unwrap();
    assert_eq!(default, u64::from(weir_gateway::gate::THRESHOLD_CHARS));
    let source = ComponentSource::Bytes(hostile_guest(""));
    let engine = Engine::new(&source, &weir_host::Cache::In(cache())).unwrap();
    // The last is in a file, as its 5 MB are too many for memory.
    for (setting, bytes, whole) in [
        (0, 5_000, true),
        (0, 6_000, false),
        (30_000, 30_000, true),
        (30_000, 40_000, false),
        (6_000_000, 5 << 20, true),
    ] {
        settings.set("transform.fallback_max_chars", setting);
        let weir = Weir::builder().settings(settings.clone());
        let weir = weir.limits(small).open_with(engine.clone(), sandbox.store()).unwrap();
        runtime.block_on(async {
            let gate = Gate::new(Ok(weir), "session");
            assert_eq!(gate.fallback_max_chars(), setting as usize);
            let mut options = Options::new(sandbox.path().join("state"));
            options.mode = Mode::Passthrough;
            let gateway = Gateway::new(vec![spec()], gate, options).unwrap();
            let params = json!({"name": "s__big", "arguments": {"bytes": bytes}});
            let answer = ask_for_text(&gateway, "tools/call", params).await;
            assert_eq!(answer.contains("cannot be read back"), !whole, "{setting} {bytes}");
            assert!(!whole || answer.len() > bytes);
            gateway.shut_down().await;
        });
    }
}

#[test]
fn a_component_that_comes_late_or_never_holds_up_only_what_needs_it() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let sandbox = Sandbox::new();
    runtime.block_on(async {
        let reach = Reach::Http {
            url: "http://127.0.0.1:9/mcp".into(),
            headers: Default::default(),
            sse: false,
        };
        let (gate, loader) = Gate::loading("session");
        let options = Options::new(sandbox.path().join("state"));
        let gateway = Gateway::new(vec![ServerSpec::new("s", reach)], gate, options).unwrap();
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}});
        let greeted = ask(&gateway, "initialize", hello).await;
        assert_eq!(greeted["result"]["serverInfo"]["name"], "weir");
        // A loader that goes away without a word is a component that is missing.
        drop(loader);
        let listed =
            tokio::time::timeout(Duration::from_secs(30), ask(&gateway, "tools/list", json!({})));
        assert_eq!(listed.await.unwrap()["result"]["tools"], json!([]));
        // One that is there at once gives way to a better one.
        let (gate, loader) = Gate::loading("session");
        loader.loaded(Err("it is slow".to_owned()));
        assert!(gate.weir().await.is_err());
        loader.loaded(Ok(sandbox.weir()));
        assert!(gate.weir().await.is_ok());
    });
}
