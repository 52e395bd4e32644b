//! The sandbox: what the component may ask for, what it may use, and what it can reach.
//!
//! `WEIR_ADAPTER_COMPONENT` names the component that `cargo component build` makes: it is then held
//! to be the same as the one inside. Building it takes a tool and minutes, so no test does.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use weir_host::contract::{GrepRequest, Unit, View};
use weir_host::{Cache, Class, ComponentSource, Engine, Error, Limits, TrapReason, Weir};
use weir_tests::reading::{literal, query};
use weir_tests::{SESSION, Sandbox, cache, engine, replace, shown, store, text_result};

/// What the component may import: a file system, the time, and what a Rust standard library cannot
/// start without. `insecure-seed` is asked for by a hash map in regex-lite, and answered with a
/// constant.
const IMPORTS: [&str; 18] = [
    "wasi:cli/environment",
    "wasi:cli/exit",
    "wasi:cli/stderr",
    "wasi:cli/stdin",
    "wasi:cli/stdout",
    "wasi:cli/terminal-input",
    "wasi:cli/terminal-output",
    "wasi:cli/terminal-stderr",
    "wasi:cli/terminal-stdin",
    "wasi:cli/terminal-stdout",
    "wasi:clocks/monotonic-clock",
    "wasi:clocks/wall-clock",
    "wasi:filesystem/preopens",
    "wasi:filesystem/types",
    "wasi:io/error",
    "wasi:io/poll",
    "wasi:io/streams",
    "wasi:random/insecure-seed",
];

/// What the component may come to, in bytes, with all that it embeds.
const COMPONENT_BYTES: u64 = 9_000_000;

#[test]
fn the_component_imports_a_file_system_the_time_and_nothing_else() {
    let imports = engine().interfaces().imports;
    let names: Vec<&str> = imports.iter().filter_map(|name| name.split('@').next()).collect();
    assert_eq!(names, IMPORTS);
    let versioned = |name: &String| name.contains("@0.2.");
    assert!(imports.iter().all(versioned), "not all of WASI 0.2: {imports:?}");
}

#[test]
fn the_component_exports_the_contract_and_nothing_else() {
    let exports = engine().interfaces().exports;
    for interface in [
        "info",
        "json",
        "maintenance",
        "model-tools",
        "reading",
        "result-transform",
        "settings",
        "tool-search",
    ] {
        let name = format!("weir:plugin/{interface}@0.3.0");
        assert!(exports.contains(&name), "{name} is not among {exports:?}");
    }
    assert!(exports.iter().all(|name| name.starts_with("weir:plugin/")), "{exports:?}");
}

#[test]
fn the_form_that_cargo_component_builds_does_the_same() {
    let Some(file) = std::env::var_os("WEIR_ADAPTER_COMPONENT") else {
        eprintln!("note: left out, as WEIR_ADAPTER_COMPONENT names no component");
        return;
    };
    let other = Engine::new(&ComponentSource::File(file.into()), &Cache::In(cache())).unwrap();
    assert_eq!(other.interfaces().exports, engine().interfaces().exports);
    for import in other.interfaces().imports {
        let name = import.split('@').next().unwrap();
        // Its name for the seed; the host answers with a constant as well.
        assert!(IMPORTS.contains(&name) || name == "wasi:random/random", "it imports {import}");
    }
    let (ours, theirs) = (Sandbox::new(), Sandbox::new());
    let ours = ours.weir();
    let theirs = Weir::builder().open_with(other, theirs.store()).unwrap();
    let text = words(300_000);
    let expected = replace(&ours, &text_result(text.clone()));
    assert_eq!(replace(&theirs, &text_result(text.clone())), expected);
    let id = &expected.handles[0].id;
    assert!(read_all(&theirs, id) == text);
    let query = literal("charlie dog");
    let grep = |weir: &Weir| weir.grep(SESSION, id, View::Text, &query, None).unwrap();
    assert_eq!(grep(&theirs), grep(&ours));
    assert_eq!(theirs.doctor(false, |_| {}).unwrap(), ours.doctor(false, |_| {}).unwrap());
}

#[test]
fn the_component_stays_small() {
    let bytes = ComponentSource::Embedded.bytes().unwrap().len() as u64;
    assert!(bytes <= COMPONENT_BYTES, "{bytes} bytes of component are over {COMPONENT_BYTES}");
}

// --- limits on the real component

/// Words enough for a search without a literal to take a while.
fn words(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 80);
    let mut n = 0_u32;
    while text.len() < bytes {
        n = n.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(
            ["able ", "baker ", "charlie ", "dog ", "easy ", "fox\n"][(n >> 28) as usize % 6],
        );
    }
    text
}

fn slow_query() -> GrepRequest {
    query("[a-z ]{50,100}Q")
}

/// Runs a call that is to be stopped, then checks that nothing stored was harmed, and that the next
/// call works, both under the same limits and under the usual ones.
fn is_stopped(
    limits: fn(Class, u64) -> Limits,
    reason: TrapReason,
    call: impl Fn(&Weir, &str) -> Result<(), Error>,
) {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let before = words(1_200_000);
    let handle = store(&weir, before.clone());
    let tight = Weir::builder().limits(limits).open_with(engine(), sandbox.store()).unwrap();
    match call(&tight, &handle.id) {
        Err(Error::Trap { reason: met, details, .. }) => assert_eq!(met, reason, "{details}"),
        // A question that was stopped is told as one that asks for too much.
        Err(Error::Refused(failure)) => assert_eq!(failure.code, "too-costly"),
        other => panic!("not stopped: {other:?}"),
    }
    let page = tight.head(SESSION, &handle.id, View::Text, 3).expect("small work is done");
    assert!(before.starts_with(&page.content));
    assert!(matches!(weir.transform(&text_result(words(2_000_000))), Ok(t) if t.replaced));
    let report = weir.doctor(false, |_| {}).unwrap();
    assert_eq!((report.blobs, report.corrupt, report.dead_references), (2, 0, 0));
}

#[test]
fn a_call_that_runs_out_of_fuel_ends_and_the_next_one_works() {
    is_stopped(
        |class, bytes| Limits { fuel: 20_000_000, ..class.limits(bytes) },
        TrapReason::OutOfFuel,
        |weir, _| weir.transform(&text_result(words(3_000_000))).map(drop),
    );
}

#[test]
fn a_call_that_outlives_its_deadline_ends_and_the_next_one_works() {
    is_stopped(
        |class, bytes| match class {
            Class::Grep => Limits { deadline: Duration::ZERO, ..class.limits(bytes) },
            _ => class.limits(bytes),
        },
        TrapReason::Deadline,
        // Again where the clock did not tick during the call: on a busy machine its thread can be late.
        |weir, id| {
            let grep = || weir.grep(SESSION, id, View::Text, &slow_query(), None).map(drop);
            (0..500).try_for_each(|_| grep())
        },
    );
}

#[test]
fn a_call_that_wants_more_memory_than_it_may_have_ends_and_the_next_one_works() {
    is_stopped(
        |class, bytes| match class {
            Class::Transform => Limits { memory_bytes: 12 << 20, ..class.limits(bytes) },
            _ => class.limits(bytes),
        },
        TrapReason::OutOfMemory,
        // In one piece: what is larger than 8 MiB is streamed, and needs no more than a constant.
        |weir, _| weir.transform(&text_result(words(8_000_000))).map(drop),
    );
}

#[test]
fn limits_too_tight_to_begin_with_are_said_to_be_just_that() {
    let sandbox = Sandbox::new();
    let no_memory: fn(Class, u64) -> Limits =
        |class, bytes| Limits { memory_bytes: 1 << 16, ..class.limits(bytes) };
    let no_fuel: fn(Class, u64) -> Limits =
        |class, bytes| Limits { fuel: 0, ..class.limits(bytes) };
    for (limits, reason) in [(no_memory, TrapReason::OutOfMemory), (no_fuel, TrapReason::OutOfFuel)]
    {
        let weir = Weir::builder().limits(limits).open_with(engine(), sandbox.store()).unwrap();
        for result in [
            weir.default_settings().map(drop),
            weir.transform(&text_result("x")).map(drop),
            weir.stat(SESSION, "0123456789ab").map(drop),
            weir.sweep(|_| {}).map(drop),
        ] {
            match result {
                Err(Error::Trap { reason: met, .. }) => assert_eq!(met, reason),
                other => panic!("not stopped: {other:?}"),
            }
        }
    }
}

// --- what lies in the store's directory

const SECRET: &str = "the secret that lies outside\n";

/// A store with a blob in it, and a directory outside with a file.
struct Planted {
    sandbox: Sandbox,
    weir: Weir,
    id: String,
    digest: String,
    outside: PathBuf,
}

fn planted() -> Planted {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let handle = store(&weir, words(40_000));
    let outside = sandbox.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), SECRET.repeat(3_000)).unwrap();
    Planted { sandbox, weir, id: handle.id, digest: handle.digest, outside }
}

impl Planted {
    fn blob(&self) -> PathBuf {
        self.sandbox.store().join("blobs").join(&self.digest[..2]).join(&self.digest)
    }

    /// Does everything there is to do, and checks that what lies outside is neither shown nor touched.
    fn reaches_nothing_outside(&self) {
        let (weir, id) = (&self.weir, &self.id);
        let mut shown_texts = Vec::new();
        for unit in [Unit::Lines, Unit::Bytes, Unit::Chars] {
            for view in [View::Text, View::Raw] {
                shown_texts
                    .push(format!("{:?}", weir.read(SESSION, id, view, unit, 0, None, None)));
            }
        }
        let query = literal("secret");
        shown_texts.push(format!("{:?}", weir.grep(SESSION, id, View::Raw, &query, None)));
        shown_texts.push(format!("{:?}", weir.read_all(SESSION, id, View::Raw, None)));
        let arguments = format!(r#"{{"id": "{id}", "mode": "full"}}"#);
        shown_texts.push(weir.invoke(SESSION, "weir_fetch", &arguments).unwrap().text);
        shown_texts.push(format!("{:?}", weir.list_blobs(SESSION, 50, None)));
        // A result is never lost, whatever the store is like.
        for text in [words(40_000), words(45_000), words(400_000)] {
            match weir.transform(&text_result(text.clone())).unwrap() {
                replacement if replacement.replaced => {
                    for handle in &replacement.handles {
                        let all = read_all(weir, &handle.id);
                        assert!(all == text, "a handle that cannot be honored was shown");
                    }
                    let handles = replacement.handles.len();
                    assert!(handles == 1 || replacement.store_failure.is_some());
                    shown_texts.push(shown(&replacement));
                }
                unchanged => {
                    assert_eq!(unchanged.reason, "not-stored");
                    assert!(unchanged.store_failure.is_some());
                }
            }
        }
        let _ = weir.pin(SESSION, id, true);
        let _ = weir.status();
        let _ = weir.sweep(|_| {});
        let _ = weir.doctor(true, |_| {});
        let _ = weir.forget(SESSION, id);
        let _ = weir.sweep(|_| {});
        for text in shown_texts {
            assert!(!text.contains("that lies outside"), "{text}");
        }
        let names: Vec<_> =
            fs::read_dir(&self.outside).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["secret"], "something was made outside");
        let secret = fs::read_to_string(self.outside.join("secret")).unwrap();
        assert!(secret == SECRET.repeat(3_000), "the file outside was changed");
    }
}

fn read_all(weir: &Weir, id: &str) -> String {
    let mut all = String::new();
    let mut more = None::<String>;
    loop {
        let page =
            weir.read(SESSION, id, View::Raw, Unit::Bytes, 0, None, more.as_deref()).unwrap();
        all.push_str(&page.content);
        more = page.more;
        if more.is_none() {
            return all;
        }
    }
}

#[test]
fn a_symlink_in_place_of_a_blob_is_not_followed() {
    let planted = planted();
    fs::remove_file(planted.blob()).unwrap();
    symlink(planted.outside.join("secret"), planted.blob()).unwrap();
    planted.reaches_nothing_outside();
}

#[test]
fn a_symlink_in_place_of_a_directory_of_the_store_is_not_followed() {
    for name in ["blobs", "refs", "tmp", "usage", "stats"] {
        for relative in [false, true] {
            let planted = planted();
            let directory = planted.sandbox.store().join(name);
            let _ = fs::remove_dir_all(&directory);
            let target =
                if relative { PathBuf::from("../outside") } else { planted.outside.clone() };
            symlink(target, &directory).unwrap();
            planted.reaches_nothing_outside();
        }
    }
}

#[test]
fn a_symlink_in_place_of_a_file_of_the_store_is_not_followed() {
    let planted = planted();
    let refs = planted.sandbox.store().join("refs");
    let mut files = vec![planted.sandbox.store().join("version")];
    for session in fs::read_dir(refs).unwrap() {
        files.extend(fs::read_dir(session.unwrap().path()).unwrap().map(|e| e.unwrap().path()));
    }
    for name in ["usage", "stats"] {
        let directory = planted.sandbox.store().join(name);
        files.extend(fs::read_dir(directory).into_iter().flatten().map(|e| e.unwrap().path()));
    }
    for name in ["heartbeat", "idle", "census"] {
        files.push(planted.sandbox.store().join(name));
    }
    for file in files {
        let _ = fs::remove_file(&file);
        symlink(planted.outside.join("secret"), &file).unwrap();
    }
    planted.reaches_nothing_outside();
}

#[test]
fn an_id_that_is_none_is_refused_everywhere() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let id = store(&weir, words(40_000)).id;
    let no_hex = format!("XY{}", &id[2..]);
    let wide: String =
        id.chars().map(|c| char::from_u32(0xFF10 + (c as u32 & 7)).unwrap()).collect();
    let dotted = format!("{id}/../{id}");
    let with_nul = format!("{id}\0");
    let long = "a".repeat(65);
    for bad in [
        "",
        "../../x",
        "/etc/passwd",
        "..",
        ".",
        "\0",
        &with_nul,
        &no_hex,
        &wide,
        &dotted,
        &long,
        &id[..3],
        "0123 456789ab",
        "0123456789ab\ncd",
        "0123456789aé",
        "weir",
        "*",
        "0x0123456789",
    ] {
        let malformed = [
            weir.stat(SESSION, bad).map(drop),
            weir.read(SESSION, bad, View::Text, Unit::Lines, 1, None, None).map(drop),
            weir.head(SESSION, bad, View::Text, 1).map(drop),
            weir.tail(SESSION, bad, View::Raw, 1, None).map(drop),
            weir.read_all(SESSION, bad, View::Text, None).map(drop),
            weir.grep(SESSION, bad, View::Text, &slow_query(), None).map(drop),
        ];
        for result in malformed {
            assert!(
                matches!(result, Err(Error::Refused(ref f)) if f.code == "malformed-id"),
                "{bad:?}: {result:?}"
            );
        }
        for result in [weir.pin(SESSION, bad, true), weir.forget(SESSION, bad).map(drop)] {
            assert!(
                matches!(result, Err(Error::Refused(ref f)) if f.code == "malformed-id"),
                "{bad:?}: {result:?}"
            );
        }
    }
}

#[test]
fn names_that_look_like_paths_stay_names() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let long = "x".repeat(512);
    for name in [
        "../../../outside",
        "/etc",
        "..",
        ".",
        "a/b/c",
        "nul\0nul",
        "C:\\x",
        "é/ü",
        " ",
        "\n",
        &long,
    ] {
        let mut result = text_result(words(40_000));
        result.origin.session = name.into();
        result.origin.tool = name.into();
        result.origin.toolset = Some(name.into());
        result.origin.arguments = Some(format!(r#"{{"path": {:?}}}"#, "../".repeat(50)));
        let handle = replace(&weir, &result).handles.remove(0);
        assert!(weir.stat(name, &handle.id).is_ok(), "{name:?}");
        assert!(
            matches!(weir.stat("another", &handle.id), Err(Error::Refused(ref f)) if f.code == "unknown"),
            "{name:?}"
        );
        let named = sandbox.store().join("refs").join("another");
        assert!(!named.exists());
    }
    let beside: Vec<_> =
        fs::read_dir(sandbox.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(beside, ["store"]);
}

#[test]
fn what_the_command_stores_is_for_its_user_alone() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run_on(words(60_000).as_bytes(), ["transform"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(sandbox.run(["list"]).code, 0);
    let mut directories = vec![sandbox.store()];
    let mut files = 0;
    while let Some(directory) = directories.pop() {
        assert_eq!(mode(&directory), 0o700, "{}", directory.display());
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                assert_eq!(mode(&path), 0o600, "{}", path.display());
                files += 1;
            }
        }
    }
    assert!(files >= 3, "a blob, a reference and a version marker are in the store");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
