//! A component that means harm: it is stopped within its limits or refused, reaches nothing outside
//! its directory, and costs one call.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use weir_host::contract::{CaseMode, GrepRequest, ToolAnswer, Unit, View};
use weir_host::{Cache, Class, ComponentSource, Engine, Error, Limits, TrapReason, Weir};
use weir_tests::reading::literal;
use weir_tests::{SESSION, Sandbox, cache, hostile_guest, origin, replace, store, text_result};

/// The components: as it is, asking for the network, asking to wait. Built once, one after the
/// other, as they are made in one place.
fn guests() -> &'static [Vec<u8>; 3] {
    static GUESTS: OnceLock<[Vec<u8>; 3]> = OnceLock::new();
    GUESTS.get_or_init(|| ["", "network", "sleep"].map(hostile_guest))
}

fn hostile_engine() -> Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE
        .get_or_init(|| {
            Engine::new(&ComponentSource::Bytes(guests()[0].clone()), &Cache::In(cache())).unwrap()
        })
        .clone()
}

/// Limits small enough for a test to wait for, in the proportions of the real ones.
fn small(class: Class, bytes: u64) -> Limits {
    let limits = class.limits(bytes);
    Limits { fuel: limits.fuel / 50, deadline: limits.deadline / 10, ..limits }
}

struct Hostile {
    sandbox: Sandbox,
    weir: Weir,
}

impl Hostile {
    fn new() -> Hostile {
        Hostile::within(small)
    }

    fn within(limits: fn(Class, u64) -> Limits) -> Hostile {
        let sandbox = Sandbox::new();
        let weir =
            Weir::builder().limits(limits).open_with(hostile_engine(), sandbox.store()).unwrap();
        Hostile { sandbox, weir }
    }

    fn orders(&self, misdeed: &str) {
        fs::write(self.sandbox.store().join("misdeed"), misdeed).unwrap();
    }

    /// Has it do something, and gives what it wrote down of how that went.
    fn tries(&self, misdeed: &str) -> String {
        let answer = self.sandbox.store().join("answer");
        let _ = fs::remove_file(&answer);
        self.orders(misdeed);
        assert_eq!(reason(self.weir.threshold(&origin("x"), None)), TrapReason::Broken);
        fs::read_to_string(answer).unwrap_or_else(|error| panic!("{misdeed} had no end: {error}"))
    }
}

fn reason<T: std::fmt::Debug>(result: Result<T, Error>) -> TrapReason {
    match result {
        Err(Error::Trap { reason, .. }) => reason,
        // A question that was stopped is told as one that asks for too much.
        Err(Error::Refused(failure)) if failure.code == "too-costly" => TrapReason::OutOfFuel,
        other => panic!("not stopped: {other:?}"),
    }
}

/// How a model's call was stopped: what was too much is told to the model.
fn told(result: Result<ToolAnswer, Error>) -> TrapReason {
    match result {
        Ok(answer) => {
            assert!(answer.is_error && answer.text.contains("too costly"), "{}", answer.text);
            TrapReason::OutOfFuel
        }
        other => reason(other),
    }
}

/// Every function of the library, and how it was stopped.
fn all_calls(weir: &Weir) -> Vec<(&'static str, TrapReason)> {
    let id = "0123456789ab";
    let query = GrepRequest { case_mode: CaseMode::Smart, ..literal("x") };
    let result = text_result("a result");
    vec![
        ("defaults", reason(weir.default_settings())),
        ("parse", reason(weir.parse_settings("{}"))),
        ("schema", reason(weir.settings_schema())),
        ("estimate-tokens", reason(weir.estimate_tokens("text"))),
        ("transform", reason(weir.transform(&result))),
        ("transform-turn", reason(weir.transform_turn(std::slice::from_ref(&result)))),
        ("threshold", reason(weir.threshold(&origin("x"), None))),
        ("intake", reason(weir.intake(&origin("x"), None))),
        ("transform_reader", reason(weir.transform_reader(&origin("x"), &b"text"[..], false))),
        ("stat", reason(weir.stat(SESSION, id))),
        ("range", reason(weir.read(SESSION, id, View::Text, Unit::Lines, 1, None, None))),
        ("head", reason(weir.head(SESSION, id, View::Text, 1))),
        ("tail", reason(weir.tail(SESSION, id, View::Text, 1, None))),
        ("full", reason(weir.read_all(SESSION, id, View::Raw, None))),
        ("grep", reason(weir.grep(SESSION, id, View::Text, &query, None))),
        ("list", reason(weir.list_blobs(SESSION, 10, None))),
        ("definitions", reason(weir.result_tools())),
        ("invoke", told(weir.invoke(SESSION, "weir_fetch", "{}"))),
        ("status", reason(weir.status())),
        ("pin", reason(weir.pin(SESSION, id, true))),
        ("forget", reason(weir.forget(SESSION, id))),
        ("sweep", reason(weir.sweep(|_| {}))),
        ("doctor", reason(weir.doctor(false, |_| {}))),
    ]
}

#[test]
fn every_function_that_loops_without_end_is_stopped() {
    let hostile = Hostile::new();
    hostile.orders("loop");
    for (call, reason) in all_calls(&hostile.weir) {
        assert_eq!(reason, TrapReason::OutOfFuel, "{call}");
    }
}

#[test]
fn every_function_that_panics_is_a_typed_error() {
    let hostile = Hostile::new();
    hostile.orders("");
    for (call, reason) in all_calls(&hostile.weir) {
        assert_eq!(reason, TrapReason::Broken, "{call}");
    }
    match hostile.weir.stat(SESSION, "0123456789ab") {
        Err(Error::Trap { call: "stat", details, .. }) => {
            assert!(details.contains("the misdeed is done"), "no panic message in {details}");
        }
        other => panic!("not a trap: {other:?}"),
    }
}

#[test]
fn a_loop_is_stopped_by_the_deadline_where_there_is_fuel_enough() {
    let hostile = Hostile::within(|class, bytes| Limits {
        fuel: u64::MAX,
        deadline: Duration::from_millis(50),
        ..class.limits(bytes)
    });
    hostile.orders("loop");
    assert_eq!(reason(hostile.weir.status()), TrapReason::Deadline);
}

#[test]
fn memory_is_bounded_and_so_is_the_stack() {
    let hostile = Hostile::within(Class::limits);
    hostile.orders("allocate");
    assert_eq!(reason(hostile.weir.threshold(&origin("x"), None)), TrapReason::OutOfMemory);
    assert_eq!(reason(hostile.weir.transform(&text_result("x"))), TrapReason::OutOfMemory);
    hostile.orders("recurse");
    assert_eq!(reason(hostile.weir.threshold(&origin("x"), None)), TrapReason::OutOfStack);
}

#[test]
fn leaving_is_no_way_out() {
    let hostile = Hostile::new();
    hostile.orders("exit");
    assert_eq!(reason(hostile.weir.threshold(&origin("x"), None)), TrapReason::Broken);
}

#[test]
fn talking_without_end_costs_a_bounded_amount_of_memory() {
    let hostile = Hostile::new();
    hostile.orders("chatter");
    match hostile.weir.threshold(&origin("x"), None) {
        Err(Error::Trap { details, .. }) => {
            assert!(details.contains("all work and no play"));
            assert!(details.len() < 64 * 1024, "{} bytes of details", details.len());
        }
        other => panic!("not stopped: {other:?}"),
    }
}

#[test]
fn open_files_are_bounded() {
    let hostile = Hostile::within(Class::limits);
    hostile.orders("hoard");
    assert_eq!(reason(hostile.weir.status()), TrapReason::Broken);
    let made = fs::read_dir(hostile.sandbox.store()).unwrap().count();
    assert!((100..1_000).contains(&made), "{made} files were open at once");
}

#[test]
fn there_is_nothing_to_read_but_the_store() {
    let hostile = Hostile::new();
    let outside = hostile.sandbox.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "the secret").unwrap();
    let inside = hostile.sandbox.store();
    symlink(&outside, inside.join("absolute")).unwrap();
    symlink("../outside", inside.join("relative")).unwrap();
    symlink("/", inside.join("everything")).unwrap();
    fs::create_dir(inside.join("directory")).unwrap();
    let real = outside.join("secret").display().to_string();
    let paths = [
        real.as_str(),
        "/store/../outside/secret",
        "../outside/secret",
        "/store/directory/../../outside/secret",
        "/store/absolute/secret",
        "/store/relative/secret",
        "/store/everything/etc/passwd",
        "/store/everything/proc/self/environ",
        "/etc/passwd",
        "/proc/self/environ",
        "/dev/zero",
        "/",
        "//etc/passwd",
        "/store/../../../../../../../../etc/passwd",
    ];
    for path in paths {
        for misdeed in ["read", "list", "link", "remove", "rename", "write"] {
            if path == "/" && misdeed == "list" {
                continue;
            }
            let answer = hostile.tries(&format!("{misdeed} {path}"));
            assert!(answer.starts_with("refused: "), "{misdeed} {path}: {answer}");
        }
    }
    for path in ["/store/absolute", "/store/relative", "/store/everything", "/store/..", ".."] {
        let answer = hostile.tries(&format!("list {path}"));
        assert!(answer.starts_with("refused: "), "list {path}: {answer}");
    }
    assert_eq!(fs::read_to_string(outside.join("secret")).unwrap(), "the secret");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert!(hostile.tries("read /store/misdeed").starts_with("done: "), "its own it may read");
}

#[test]
fn there_is_no_environment_and_there_are_no_arguments() {
    let hostile = Hostile::new();
    assert_eq!(hostile.tries("environment"), "done: [] []");
}

#[test]
fn a_component_that_asks_for_more_than_it_gets_is_refused() {
    for (guest, wanted) in [(1, "wasi:sockets"), (2, "subscribe-")] {
        let source = ComponentSource::Bytes(guests()[guest].clone());
        match Engine::new(&source, &Cache::In(cache())) {
            Err(Error::ForeignComponent { source: reason }) => {
                let reason = format!("{reason:#}");
                assert!(reason.contains(wanted), "{wanted} is not named in: {reason}");
            }
            other => panic!("it was let in: {other:?}"),
        }
    }
}

#[test]
fn the_command_says_that_a_component_broke() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("hostile.wasm");
    fs::write(&file, &guests()[0]).unwrap();
    let component = file.display().to_string();
    let ran = sandbox.run(["status", "--allow-unsigned", "--component", &component]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with("error: the component stopped in `"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: this is a bug in the component"), "{}", ran.stderr);
    let asks: PathBuf = sandbox.path().join("network.wasm");
    fs::write(&asks, &guests()[1]).unwrap();
    let asks = asks.display().to_string();
    let ran = sandbox.run(["status", "--allow-unsigned", "--component", &asks]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("wasi:sockets") && ran.stderr.contains("hint: "), "{}", ran.stderr);
}

#[test]
fn what_a_hostile_component_did_costs_one_call() {
    let sandbox = Sandbox::new();
    let text = "a line of it\n".repeat(5_000);
    let handle = store(&sandbox.weir(), text.clone());
    let hostile =
        Weir::builder().limits(small).open_with(hostile_engine(), sandbox.store()).unwrap();
    for misdeed in ["loop", "allocate", "recurse", "exit", "chatter", ""] {
        fs::write(sandbox.store().join("misdeed"), misdeed).unwrap();
        reason(hostile.threshold(&origin("x"), None));
        let weir = sandbox.weir();
        assert!(weir.head(SESSION, &handle.id, View::Text, 1).is_ok(), "after {misdeed}");
        let replacement = replace(&weir, &text_result(format!("{misdeed}\n{text}")));
        assert_eq!(replacement.handles.len(), 1, "after {misdeed}");
    }
    let report = sandbox.weir().doctor(false, |_| {}).unwrap();
    assert_eq!((report.corrupt, report.dead_references, report.failed), (0, 0, 0));
    assert!(
        Path::new(&sandbox.store().join("misdeed")).exists(),
        "what is not the store's is left alone"
    );
}
