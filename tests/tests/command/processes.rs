//! Many processes on one store, at once.

#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::collections::BTreeMap;
use std::fs;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use weir_tests::{Ran, Sandbox};

const PROCESSES: usize = 8;
const ROUNDS: usize = 6;

fn text(number: usize) -> String {
    (0..900).map(|line| format!("text {number} line {line}: nothing to be seen here\n")).collect()
}

/// The command run to its end; that it failed, or spoke of a panic, fails the test.
fn run(sandbox: &Sandbox, arguments: &[&str], input: &str) -> Ran {
    let ran = if input.is_empty() {
        sandbox.run(arguments)
    } else {
        sandbox.run_on(input.as_bytes(), arguments)
    };
    assert!(ran.code == 0, "{arguments:?} ended with {}: {}{}", ran.code, ran.stdout, ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    ran
}

fn put(sandbox: &Sandbox, session: &str, number: usize) -> String {
    let ran = run(sandbox, &["transform", "--json", "--session", session], &text(number));
    let answer = ran.json();
    answer["handles"][0]["id"]
        .as_str()
        .unwrap_or_else(|| panic!("not stored: {}", ran.stdout))
        .to_owned()
}

/// Runs `work` in as many threads as there are to be processes at once, each of which starts its
/// processes one after the other.
fn at_once<T: Send>(work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    // The command is built before, so that they really meet.
    assert_eq!(Sandbox::new().run(["status"]).code, 0);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..PROCESSES)
            .map(|process| {
                let work = &work;
                scope.spawn(move || work(process))
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    })
}

#[test]
fn puts_and_sweeps_of_eight_processes_lose_nothing() {
    let sandbox = Sandbox::new();
    let printed = at_once(|process| {
        let mut printed = Vec::new();
        for round in 0..ROUNDS {
            // Some are the same in all processes, some are each one's own; half in one session.
            let number = if round % 3 == 0 { round } else { 100 * (process + 1) + round };
            let session = if process % 2 == 0 { "shared".into() } else { format!("own-{process}") };
            printed.push((session.clone(), put(&sandbox, &session, number), number));
            if (process + round) % 2 == 0 {
                let swept = run(&sandbox, &["sweep", "--json"], "").json();
                assert_eq!(swept["expired"], 0, "{swept}");
                assert_eq!(swept["evicted"], 0, "{swept}");
            }
            // One of those before, while the others write and sweep.
            let (session, id, number) = &printed[round / 2];
            let read = run(&sandbox, &["fetch", id, "--all", "--session", session], "");
            assert!(read.stdout == text(*number), "{id} of {session} is not what was stored");
        }
        printed
    });
    let mut expected: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (session, id, number) in printed.into_iter().flatten() {
        let before = expected.entry(session).or_default().insert(id.clone(), number);
        assert!(before.is_none_or(|before| before == number), "{id} was given out for two texts");
    }
    for (session, handles) in &expected {
        let listed = run(&sandbox, &["list", "--json", "--session", session], "").json();
        assert_eq!(listed["total"], handles.len(), "of {session}");
        for (id, number) in handles {
            let read = run(&sandbox, &["fetch", id, "--all", "--session", session], "");
            assert!(read.stdout == text(*number), "{id} of {session} is not what was stored");
        }
    }
    let report = run(&sandbox, &["doctor", "--json"], "").json();
    assert_eq!(report["corrupt"], 0, "{report}");
    assert_eq!(report["dead_references"], 0, "{report}");
    let status = run(&sandbox, &["status", "--json"], "").json();
    let handles: usize = expected.values().map(BTreeMap::len).sum();
    assert_eq!(status["census"]["handles"], handles, "{status}");
    let tmp = fs::read_dir(sandbox.store().join("tmp")).map_or(0, Iterator::count);
    assert_eq!(tmp, 0, "leftovers, though nothing was cut short");
}

#[test]
fn a_sweep_does_not_mind_files_that_go_while_it_lists_them() {
    let sandbox = Sandbox::new();
    put(&sandbox, "default", 1);
    let tmp = sandbox.store().join("tmp");
    let weir = sandbox.weir();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            // As other processes do that put: names of the store's own, there for an instant.
            while !is_over.load(Ordering::Relaxed) {
                let names = (0..64).map(|n| tmp.join(format!("w{}", 1_000_000_000 + n)));
                names.clone().for_each(|path| fs::write(path, "").unwrap());
                names.for_each(|path| fs::remove_file(path).unwrap());
            }
        });
        let swept: Vec<_> = (0..30).map(|_| weir.sweep(|_| {})).collect();
        is_over.store(true, Ordering::Relaxed);
        for swept in swept {
            let swept = swept.unwrap();
            assert_eq!((swept.leftovers, swept.foreign), (0, 0), "{swept:?}");
        }
    });
}

#[test]
fn forty_slow_writers_at_once_get_forty_handles() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let origin = weir_tests::text_result(String::new()).origin;
    let mut intakes: Vec<_> = (0..40).map(|_| weir.intake(&origin, None).unwrap()).collect();
    // Side by side, so that all have their file at once.
    for _ in 0..50 {
        for (number, intake) in intakes.iter_mut().enumerate() {
            intake.write(text(number).as_bytes()).unwrap();
        }
    }
    let tmp = fs::read_dir(sandbox.store().join("tmp")).unwrap().count();
    assert_eq!(tmp, 40, "they do not meet");
    let mut ids = std::collections::BTreeSet::new();
    for intake in intakes {
        match intake.finish(false).unwrap() {
            replaced if replaced.replaced => {
                ids.insert(replaced.handles[0].id.clone());
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(ids.len(), 40);
}

#[test]
fn files_dated_ahead_lose_nothing_and_do_not_fill_the_store() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir_with(|values| values.set("store.max_bytes", 400_000));
    let put = |number: usize| weir.transform(&weir_tests::text_result(text(number))).unwrap();
    let id = |outcome: weir_host::contract::Transformed| match outcome {
        replaced if replaced.replaced => replaced.handles[0].id.clone(),
        other => panic!("not stored: {other:?}"),
    };
    let ids: Vec<String> = (0..7).map(|number| id(put(number))).collect();
    // As a host writes them that sets wrong times: every file of the store is of a far year.
    let far = std::time::SystemTime::now() + std::time::Duration::from_secs(300 * 365 * 86_400);
    let mut found = vec![sandbox.store()];
    while let Some(path) = found.pop() {
        if path.is_dir() {
            found.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            fs::File::options().write(true).open(path).unwrap().set_modified(far).unwrap();
        }
    }
    let session = weir_tests::SESSION;
    assert_eq!(weir.list_blobs(session, 99, None).unwrap().total, ids.len() as u64);
    // One that is read has a time again; the others make room for eight more.
    assert!(weir.stat(session, &ids[0]).is_ok());
    let later: Vec<String> = (10..18).map(|number| id(put(number))).collect();
    assert!(later.iter().chain(&ids[..1]).all(|id| weir.stat(session, id).is_ok()));
    assert!(weir.status().unwrap().used_bytes <= 400_000);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_no_text_is_foreign_and_stops_no_sweep() {
    use std::os::unix::ffi::OsStrExt as _;

    let sandbox = Sandbox::new();
    put(&sandbox, "default", 1);
    let name = std::ffi::OsStr::from_bytes(b"w\xff");
    fs::write(sandbox.store().join("tmp").join(name), "").unwrap();
    std::os::unix::fs::symlink("/", sandbox.store().join("blobs/00")).unwrap();
    let swept = sandbox.weir().sweep(|_| {}).unwrap();
    assert_eq!(swept.foreign, 2, "{swept:?}");
}

#[test]
fn the_same_result_put_by_eight_processes_is_stored_once() {
    let sandbox = Sandbox::new();
    let ids = at_once(|_| (0..3).map(|_| put(&sandbox, "shared", 1)).collect::<Vec<_>>());
    let ids: Vec<String> = ids.into_iter().flatten().collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let report = run(&sandbox, &["doctor", "--json"], "").json();
    assert_eq!((&report["blobs"], &report["references"]), (&1.into(), &1.into()), "{report}");
}

#[test]
fn a_cap_that_eight_processes_meet_is_held_and_every_handle_is_read_or_accounted_for() {
    let sandbox = Sandbox::new();
    let config = sandbox.path().join("config/weir");
    fs::create_dir_all(&config).unwrap();
    // Room for about ten of them, and nothing too fresh to go.
    fs::write(config.join("config.toml"), "[store]\nmax_bytes = 500000\ngrace = \"0s\"\n").unwrap();
    let defaults = sandbox.weir().default_settings().unwrap();
    assert!(defaults.number("store.max_bytes") > Some(500_000));
    let ids = at_once(|process| {
        (0..ROUNDS)
            .filter_map(|round| {
                let number = 100 * (process + 1) + round;
                let answer = run(&sandbox, &["transform", "--json"], &text(number)).json();
                // Where others take all the room at once, a result may pass whole.
                answer["handles"][0]["id"].as_str().map(|id| (id.to_owned(), number))
            })
            .collect::<Vec<_>>()
    });
    let status = run(&sandbox, &["status", "--json"], "").json();
    assert!(status["used_bytes"].as_u64().unwrap() <= 500_000, "{status}");
    let (mut read, mut gone) = (0, 0);
    for (id, number) in ids.into_iter().flatten() {
        let ran = sandbox.run(["fetch", &id, "--all"]);
        if ran.code == 0 {
            assert!(ran.stdout == text(number), "{id} is not what was stored");
            read += 1;
        } else {
            assert!(ran.stderr.contains("made room for others"), "{id}: {}", ran.stderr);
            gone += 1;
        }
    }
    assert!(read >= 3 && gone >= 10, "{read} read, {gone} gone");
    let mut doctor = sandbox.command(["doctor", "--json"]);
    let output: Ran = doctor.stderr(Stdio::piped()).output().unwrap().into();
    assert_eq!(output.code, 0, "{}", output.stdout);
}
