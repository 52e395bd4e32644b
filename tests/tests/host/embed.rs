//! Hosts that have a wasmtime of their own: the examples of `weir-host` as they are run by hand, and
//! calls from every kind of thread.
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]
#![allow(clippy::print_stdout, reason = "one test measures")]

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use weir_host::contract::View;
use weir_host::{Cache, ComponentSource, Engine, Weir};
use weir_tests::{SESSION, Sandbox, cache, store, world};

#[path = "../../../host/examples/agent.rs"]
mod agent;
#[path = "../../../host/examples/beside.rs"]
mod beside;
#[path = "../../../host/examples/tools.rs"]
mod tools;

fn directory(sandbox: &Sandbox) -> PathBuf {
    fs::DirBuilder::new().mode(0o700).create(sandbox.store()).unwrap();
    sandbox.store()
}

fn multi_thread() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap()
}

fn current_thread() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}

#[test]
fn an_agent_host_with_its_own_engine_awaits_its_calls() {
    for runtime in [multi_thread(), current_thread()] {
        let sandbox = Sandbox::new();
        let directory = directory(&sandbox);
        let answers = runtime.block_on(agent::run(&directory)).unwrap();
        for (n, answer) in answers.iter().enumerate() {
            assert!(answer.contains(&format!("agent {n}, line 5000")), "{answer}");
        }
        assert_eq!(answers.len(), 10);
    }
}

#[test]
fn another_component_lies_beside_ours_in_one_linker() {
    let sandbox = Sandbox::new();
    let directory = directory(&sandbox);
    let shown = beside::run(&directory, 5_000).unwrap();
    assert_eq!((shown.replaced, shown.chars_before), (true, 5_000 * 29));
    assert_eq!(shown.handles[0].tool, "report");
    // What one host has stored another reads.
    let weir = sandbox.weir();
    let id = &shown.handles[0].id;
    let page = weir.tail("the only session", id, View::Text, 1, None).unwrap();
    assert_eq!(page.content, "an ordinary line of a report\n");
    assert!(!beside::run(&directory, 5).unwrap().replaced);
}

/// `cargo test --package weir-tests --test host -- --ignored smaller_file`, or `.ci/run releases`.
#[test]
#[ignore = "it builds the component once more"]
fn the_smaller_file_of_tool_search_needs_no_directory_and_does_nothing_else() {
    let ComponentSource::File(file) = world("tools") else { panic!("it is a file") };
    let found = tools::run(file.clone(), "remove a document").unwrap();
    assert!(found.contains("delete_file"), "{found}");

    let engine = Engine::new(&ComponentSource::File(file), &Cache::In(cache())).unwrap();
    let interfaces = engine.interfaces();
    let imports = interfaces.imports.iter();
    let files: Vec<_> = imports.filter(|name| name.contains("filesystem")).collect();
    assert!(files.is_empty(), "{files:?}");
    assert!(!interfaces.exports.iter().any(|name| name.contains("reading")), "{interfaces:?}");
    let weir = Weir::builder().without_store(engine);
    assert_eq!(weir.info().unwrap().file, "tools");
    match weir.stat(SESSION, "0123456789ab") {
        Err(weir_host::Error::NotExported { .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_engine_of_the_hosts_own_is_used_as_it_is() {
    // Neither fuel nor epochs, and no thread that ticks. The baseline compiler, as the code hardly runs.
    let mut config = wasmtime::Config::new();
    config.strategy(wasmtime::Strategy::Winch);
    let own = wasmtime::Engine::new(&config).unwrap();
    let engine = Engine::on(
        &own,
        Duration::from_millis(10),
        &ComponentSource::Embedded,
        &Cache::In(cache()),
    );
    let sandbox = Sandbox::new();
    let weir = Weir::builder().open_with(engine.unwrap(), sandbox.store()).unwrap();
    let handle = store(&weir, "a line\n".repeat(9_000));
    assert_eq!(weir.head(SESSION, &handle.id, View::Text, 1).unwrap().content, "a line\n");

    // With epochs that only the host advances: a call ends at its deadline, and not before.
    config.epoch_interruption(true);
    let own = wasmtime::Engine::new(&config).unwrap();
    let tick = Duration::from_millis(10);
    let source = ComponentSource::Embedded;
    let engine = Engine::on(&own, tick, &source, &Cache::In(cache())).unwrap();
    let weir = Weir::builder().open_with(engine, sandbox.store()).unwrap();
    assert!(weir.stat(SESSION, &handle.id).is_ok());
}

#[test]
fn without_a_store_what_needs_one_is_refused_and_tools_are_searched() {
    let engine = weir_tests::engine();
    let weir = Weir::builder().without_store(engine);
    assert_eq!(weir.store(), None);
    match weir.stat(SESSION, "0123456789ab") {
        Err(weir_host::Error::Refused(failure)) => assert_eq!(failure.code, "storage"),
        other => panic!("{other:?}"),
    }
    // A result is never lost for it: it passes, or its head and tail are shown.
    let large = "a line\n".repeat(90_000);
    let shown = weir.transform(&weir_tests::text_result(large)).unwrap();
    assert!(shown.replaced && shown.store_failure.is_some() && shown.handles.is_empty());
}

#[test]
fn calls_from_any_thread_of_any_runtime_work() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, "a line\n".repeat(9_000));
    let read = |weir: &Weir| weir.head(SESSION, &handle.id, View::Text, 1).unwrap().content;
    for runtime in [multi_thread(), current_thread()] {
        // In the runtime's own thread, in a task, in a thread for blocking work, in a local set.
        assert_eq!(runtime.block_on(async { read(&weir) }), "a line\n");
        let (ours, id) = (weir.clone(), handle.id.clone());
        let task = async move { ours.head(SESSION, &id, View::Text, 1).unwrap().content };
        assert_eq!(runtime.block_on(async { tokio::spawn(task).await.unwrap() }), "a line\n");
        let (ours, id) = (weir.clone(), handle.id.clone());
        let work = move || ours.head(SESSION, &id, View::Text, 1).unwrap().content;
        let blocking = async { tokio::task::spawn_blocking(work).await.unwrap() };
        assert_eq!(runtime.block_on(blocking), "a line\n");
        let local = tokio::task::LocalSet::new();
        assert_eq!(runtime.block_on(local.run_until(async { read(&weir) })), "a line\n");
    }
}

/// What a call costs in a runtime, beside one outside of it. Run it by hand:
/// `cargo test --package weir-tests --test host -- embed:: --ignored --nocapture`.
#[test]
#[ignore = "it measures"]
fn the_cost_of_a_call_in_a_runtime() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, "a line\n".repeat(9_000));
    let median = || {
        let mut times: Vec<Duration> = (0..501)
            .map(|_| {
                let start = Instant::now();
                weir.head(SESSION, &handle.id, View::Text, 1).unwrap();
                start.elapsed()
            })
            .collect();
        times.sort();
        times[250]
    };
    let runtime = current_thread();
    for _ in 0..3 {
        println!("outside {:?}, in a runtime {:?}", median(), runtime.block_on(async { median() }));
    }
}
