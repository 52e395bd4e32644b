//! The library where things are not as they should be: the component, its cache, the store's
//! directory. And many threads at once.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::json;
use weir_host::contract::View;
use weir_host::{Cache, Compiled, ComponentSource, Engine, Error, Weir};
use weir_tests::reading::{ask, told};
use weir_tests::tools::{made_tools, searched, snapshot};
use weir_tests::{SESSION, Sandbox, engine, origin, replace, store, text_result};

/// A WebAssembly module: magic and version of the core format, and nothing in it.
const EMPTY_MODULE: &[u8] = b"\0asm\x01\0\0\0";
/// A component of the empty world: the same of the component format.
const EMPTY_COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

fn text(n: usize) -> String {
    (0..3_000).map(|line| format!("text {n}, line {line}: all is well\n")).collect()
}

// --- the store

#[test]
fn a_directory_is_used_though_memory_may_be() {
    let sandbox = Sandbox::new();
    let asked = sandbox.weir_with(|values| values.set("store.in_memory", json!(true)));
    let id = replace(&asked, &text_result(text(1))).handles[0].id.clone();
    drop(asked);
    let read = ask(&sandbox.weir(), &json!({"id": id, "mode": "tail", "lines": 1}));
    assert!(read.text.contains("text 1, line 2999: all is well"), "{}", read.text);
}

// --- the component

#[test]
fn what_is_not_our_component_is_a_typed_error() {
    let mut half = ComponentSource::Embedded.bytes().unwrap().into_owned();
    half.truncate(half.len() / 2);
    let sources: [(&str, &[u8]); 6] = [
        ("nothing", b""),
        ("text", b"this is no component"),
        ("zeros", &[0; 4_096]),
        ("a core module", EMPTY_MODULE),
        ("a component of another world", EMPTY_COMPONENT),
        ("half of ours", &half),
    ];
    let sandbox = Sandbox::new();
    for (what, bytes) in sources {
        let file = sandbox.path().join("component.wasm");
        fs::write(&file, bytes).unwrap();
        for source in [ComponentSource::Bytes(bytes.to_vec()), ComponentSource::File(file)] {
            // Twice: what cannot be used is not used from the cache either.
            for _ in 0..2 {
                match Engine::new(&source, &Cache::In(sandbox.path().join("cache"))) {
                    Err(Error::ForeignComponent { source: reason }) => {
                        let reason = reason.to_string();
                        assert!(!reason.is_empty(), "{what}: no reason");
                    }
                    other => panic!("{what}: {other:?}"),
                }
            }
        }
    }
    match Engine::new(&ComponentSource::Bytes(EMPTY_COMPONENT.to_vec()), &Cache::Off) {
        Err(error) => assert!(error.with_causes().contains("weir:plugin"), "{error}"),
        Ok(_) => panic!("the empty world is not ours"),
    }
}

#[test]
fn a_component_that_is_missing_is_a_typed_error() {
    let sandbox = Sandbox::new();
    for missing in [sandbox.path().join("none.wasm"), sandbox.path().to_owned(), PathBuf::new()] {
        let builder = Weir::builder().component(ComponentSource::File(missing.clone()));
        match builder.open(sandbox.store()) {
            Err(Error::MissingComponent { path, .. }) => assert_eq!(path, missing),
            other => panic!("{}: {other:?}", missing.display()),
        }
    }
    assert!(!sandbox.store().exists(), "no store is made for nothing");
}

// --- the cache of compiled code

/// The one file of compiled code in a cache; beside it are its checksum and its lock, and nothing else.
fn compiled(cache: &Path) -> PathBuf {
    let all: Vec<_> = fs::read_dir(cache).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(all.len(), 3, "{all:?}");
    let files: Vec<_> =
        all.into_iter().filter(|file| file.extension().is_some_and(|e| e == "cwasm")).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

fn works(engine: Engine) {
    let sandbox = Sandbox::new();
    let weir = Weir::builder().open_with(engine, sandbox.store()).unwrap();
    store(&weir, text(0));
}

/// Other code, the same answers; also where calls nest deeply, and where a program runs into its bounds.
#[test]
fn what_is_compiled_in_haste_answers_alike() {
    let usual = answers_of(engine());
    assert!(usual.iter().all(|answer| !answer.is_empty()));
    assert_eq!(answers_of(Engine::in_haste(&ComponentSource::Embedded).unwrap()), usual);
    match Engine::in_haste(&ComponentSource::Bytes(EMPTY_COMPONENT.to_vec())) {
        Err(Error::ForeignComponent { .. }) => {}
        other => panic!("{other:?}"),
    }
}

fn answers_of(engine: Engine) -> Vec<String> {
    let sandbox = Sandbox::new();
    let weir = Weir::builder().open_with(engine, sandbox.store()).unwrap();
    let nested = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let rows: Vec<_> = (0..2_000).map(|n| json!({"n": n, "city": "Köln", "at": n * 7})).collect();
    let mut answers = Vec::new();
    for content in [text(1), json!({"rows": rows, "deep": nested}).to_string()] {
        let replacement = replace(&weir, &text_result(content));
        answers.push(weir_tests::shown(&replacement));
        let id = &store(&weir, text(2)).id;
        for arguments in [
            json!({"id": id, "mode": "grep", "pattern": "line 1[0-9]7", "context": 1}),
            json!({"id": id, "mode": "outline"}),
        ] {
            answers.push(told(&weir, &arguments));
        }
    }
    let rows = store(&weir, json!(rows).to_string());
    for program in [
        "map(.n) | add",
        "group_by(.at % 3) | map(length)",
        "def f: if . > 3000 then . else (. + 1 | f) end; 0 | f",
        "[range(100000000)] | length",
        "reduce range(400) as $n ([]; [.]) | tojson | length",
    ] {
        let asked = json!({"id": rows.id, "mode": "query", "query": program});
        answers.push(ask(&weir, &asked).text);
    }
    let catalog = weir.catalog(snapshot(made_tools(200))).unwrap();
    answers.push(searched(&catalog, "send a message").unwrap().to_string());
    answers
}

/// One test, as each start without a cache takes seconds.
#[test]
fn a_cache_that_cannot_be_trusted_or_read_costs_a_compile_and_nothing_else() {
    let sandbox = Sandbox::new();
    let cache = sandbox.path().join("cache/weir");
    let start =
        || Engine::new(&ComponentSource::Embedded, &Cache::In(cache.clone())).expect("it starts");

    // Four first starts at once compile once: what is there is never written again.
    let engines: Vec<Engine> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let engine = start();
                    (engine, fs::metadata(compiled(&cache)).unwrap().ino())
                })
            })
            .collect();
        let (engines, written): (Vec<_>, Vec<_>) =
            starts.into_iter().map(|start| start.join().unwrap()).unzip();
        assert_eq!(written, [written[0]; 4]);
        engines
    });
    engines.into_iter().for_each(works);
    assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o700);
    let file = compiled(&cache);
    let good = fs::read(&file).unwrap();
    let written = fs::metadata(&file).unwrap().modified().unwrap();
    works(start());
    assert_eq!(fs::metadata(&file).unwrap().modified().unwrap(), written, "it was compiled again");

    // A truncated file, as a full disk or a crash may leave it, is none; nor is one with zeros in its midst, as a machine
    // that loses power may leave it: they would be run. It is replaced.
    let mut zeros = good.clone();
    let middle = zeros.len() / 2;
    zeros[middle..middle + 65_536].fill(0);
    // The first who asks is told to have it compiled, the next that this goes on.
    for bad in [&good[..good.len() / 3], &zeros] {
        fs::write(&file, bad).unwrap();
        assert!(matches!(
            Engine::if_compiled(&ComponentSource::Embedded, &Cache::In(cache.clone())).unwrap(),
            Compiled::Missing | Compiled::Underway
        ));
    }
    works(start());
    assert_eq!(fs::read(&file).unwrap(), good);
    match Engine::if_compiled(&ComponentSource::Embedded, &Cache::In(cache.clone())).unwrap() {
        Compiled::Ready(engine) => works(*engine),
        other => panic!("{other:?}"),
    }

    // Compiled code that others could have put there is not run; what lies there is left alone.
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();
    fs::write(&file, b"not compiled code").unwrap();
    works(start());
    assert_eq!(fs::read(&file).unwrap(), b"not compiled code");
}

// --- the store's directory

#[test]
fn a_directory_that_cannot_be_the_store_is_a_typed_error() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("file");
    fs::write(&file, "").unwrap();
    let open_to_all = sandbox.path().join("open");
    fs::create_dir(&open_to_all).unwrap();
    fs::set_permissions(&open_to_all, fs::Permissions::from_mode(0o777)).unwrap();
    let dangling = sandbox.path().join("dangling");
    symlink(sandbox.path().join("nowhere"), &dangling).unwrap();
    for bad in [file.clone(), file.join("below"), open_to_all, dangling, PathBuf::from("/dev/null")]
    {
        match Weir::builder().open_with(engine(), &bad) {
            Err(Error::StoreDirectory { path, .. }) => assert_eq!(path, bad),
            other => panic!("{}: {other:?}", bad.display()),
        }
    }
}

#[test]
fn a_store_that_vanishes_starts_anew() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, text(1));
    let mut intake = weir.intake(&origin("read"), None).unwrap();
    intake.write(text(2).repeat(20).as_bytes()).unwrap();
    fs::remove_dir_all(sandbox.store()).unwrap();

    // What was under way is not lost: it is stored after all, or shown as far as it fits.
    match intake.finish(false).unwrap() {
        replacement if replacement.replaced => match replacement.handles.first() {
            Some(handle) => assert!(weir.stat(SESSION, &handle.id).is_ok()),
            None => assert!(replacement.store_failure.is_some()),
        },
        other => panic!("it is too large to show: {other:?}"),
    }
    match weir.stat(SESSION, &handle.id) {
        Err(Error::Refused(f)) if f.code == "unknown" => {}
        other => panic!("what is gone is unknown: {other:?}"),
    }
    let again = store(&weir, text(1));
    assert_eq!(again.digest, handle.digest);
    assert_eq!(weir.head(SESSION, &again.id, View::Text, 1).unwrap().start, 1);
    let mode = fs::metadata(sandbox.store()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700, "it is as private as it was");

    // Where it cannot be made again, that is the error, and the result is still the caller's.
    fs::remove_dir_all(sandbox.store()).unwrap();
    fs::write(sandbox.store(), "in the way").unwrap();
    match weir.transform(&text_result(text(3))) {
        Err(Error::StoreDirectory { path, .. }) => assert_eq!(path, sandbox.store()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_store_of_another_version_is_left_alone_and_results_pass() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.store()).unwrap();
    fs::write(sandbox.store().join("version"), "weir-store 999\n").unwrap();
    let weir = sandbox.weir();
    match weir.transform(&text_result(text(0)[..40_000].to_owned())).unwrap() {
        replacement if replacement.replaced => panic!("{replacement:?}"),
        unchanged => assert!(unchanged.store_failure.unwrap().contains("999")),
    }
    match weir.stat(SESSION, "0123456789ab") {
        Err(Error::Refused(f)) => {
            assert!(f.code == "storage" && f.message.contains("999"), "{f:?}")
        }
        other => panic!("{other:?}"),
    }
    assert!(weir.sweep(|_| {}).is_err());
    assert_eq!(fs::read_dir(sandbox.store()).unwrap().count(), 1, "something was written");
}

// --- the input

#[test]
fn input_that_cannot_be_used_is_a_typed_error() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let long = "x".repeat(513);
    for session in ["", &long] {
        let mut result = text_result(text(0));
        result.origin.session = session.into();
        let outcome = weir.transform(&result);
        assert!(
            matches!(outcome, Err(Error::Refused(ref f)) if f.code == "bad-session"),
            "{outcome:?}"
        );
        let mut streamed = origin("read");
        streamed.session = session.into();
        let outcome = weir.transform_reader(&streamed, text(0).as_bytes(), false);
        assert!(
            matches!(outcome, Err(Error::Refused(ref f)) if f.code == "bad-session"),
            "{outcome:?}"
        );
        assert!(weir.stat(session, "0123456789ab").is_err());
        let answer = weir.invoke(session, "weir_fetch", r#"{"id": "0123456789ab"}"#).unwrap();
        assert!(answer.is_error, "{}", answer.text);
    }
    let mut result = text_result("");
    result.parts.push(weir_host::contract::Part::Binary(weir_host::contract::BinaryPart {
        media_type: "application/pdf".into(),
        data: "?".repeat(40_000),
    }));
    let outcome = weir.transform(&result);
    assert!(
        matches!(outcome, Err(Error::Refused(ref f)) if f.code == "bad-base64" && f.total == Some(1)),
        "{outcome:?}"
    );
}

struct Breaks(usize);

impl Read for Breaks {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::other("the wire broke"));
        }
        let taken = buffer.len().min(self.0);
        buffer[..taken].fill(b'x');
        self.0 -= taken;
        Ok(taken)
    }
}

#[test]
fn a_reader_that_fails_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    match weir.transform_reader(&origin("read"), Breaks(5_000_000), false) {
        Err(Error::Input(source)) => assert_eq!(source.to_string(), "the wire broke"),
        other => panic!("{other:?}"),
    }
    let report = weir.doctor(false, |_| {}).unwrap();
    assert_eq!((report.blobs, report.references), (0, 0));
    let tmp = sandbox.store().join("tmp");
    let leftovers = fs::read_dir(tmp).map_or(0, Iterator::count);
    // The instance is dropped without a word, so one temporary file may stay: a sweep removes it.
    assert!(leftovers <= 1, "{leftovers} leftovers");
}

// --- threads

#[test]
fn eight_threads_share_one_weir() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let threads: Vec<_> = (0..8)
        .map(|n| {
            let weir = weir.clone();
            thread::spawn(move || {
                let mut handles = Vec::new();
                for round in 0..6 {
                    // Half of the texts are stored by all threads at once.
                    let which = if round % 2 == 0 { round } else { 100 + n * 10 + round };
                    let replacement = replace(&weir, &text_result(text(which)));
                    handles.push((which, replacement.handles[0].id.clone()));
                    if round == n % 6 {
                        weir.sweep(|_| {}).unwrap();
                    }
                    let (which, id) = &handles[round / 2];
                    let page = weir.tail(SESSION, id, View::Text, 1, None).unwrap();
                    assert_eq!(page.content, format!("text {which}, line 2999: all is well\n"));
                }
                handles
            })
        })
        .collect();
    for thread in threads {
        for (which, id) in thread.join().unwrap() {
            let page = weir.head(SESSION, &id, View::Text, 1).unwrap();
            assert_eq!(page.content, format!("text {which}, line 0: all is well\n"));
        }
    }
    let report = weir.doctor(false, |_| {}).unwrap();
    assert_eq!((report.blobs, report.references), (3 + 8 * 3, 3 + 8 * 3));
    assert_eq!((report.corrupt, report.dead_references, report.damaged_records), (0, 0, 0));
}
