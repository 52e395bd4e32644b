//! What is left when a put is cut short: by a kill, by fuel, by a full disk.
//!
//! `WEIR_CRASH_ROUNDS` sets the rounds of killing; the default takes seconds, 1,000 some minutes.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use weir_host::contract::{Unit, View};
use weir_host::{Class, Error, Limits, TrapReason, Weir};
use weir_tests::{Ran, SESSION, Sandbox, engine, shown, text_result};

/// A text that is another one for each number, of about so many bytes.
fn text(number: u64, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 60);
    let mut line = 0_u64;
    while text.len() < bytes {
        text.push_str(&format!("text {number} line {line}: all is as it should be here\n"));
        line += 1;
    }
    text
}

/// Everything that the session has, each read back whole.
fn read_back(weir: &Weir) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut more: Option<String> = None;
    loop {
        let listing =
            weir.list_blobs(SESSION, 200, more.as_deref()).expect("handles can be listed");
        for entry in listing.entries {
            let bytes = read(weir, &entry.handle.id);
            assert_eq!(bytes.len() as u64, entry.handle.bytes, "{} is torn", entry.handle.id);
            found.insert(entry.handle.id, bytes);
        }
        more = listing.more;
        if more.is_none() {
            return found;
        }
    }
}

fn read(weir: &Weir, id: &str) -> Vec<u8> {
    let mut settings = weir.default_settings().unwrap();
    settings.set("transform.threshold_chars", 2_000_000);
    settings.set("fetch.max_chars", 1_000_000);
    let weir = weir.with_settings(settings);
    let mut all = Vec::new();
    let mut more = None::<String>;
    loop {
        let page = weir
            .read(SESSION, id, View::Raw, Unit::Bytes, 0, None, more.as_deref())
            .unwrap_or_else(|error| panic!("{id} cannot be read from {more:?}: {error}"));
        all.extend(page.content.into_bytes());
        more = page.more;
        if more.is_none() {
            return all;
        }
    }
}

/// Makes every leftover older than any write can be under way.
fn age(directory: &Path) {
    let long_ago = SystemTime::now() - Duration::from_secs(30 * 24 * 3_600);
    for entry in fs::read_dir(directory).into_iter().flatten() {
        let path = entry.unwrap().path();
        File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
}

fn count(directory: &Path) -> usize {
    fs::read_dir(directory).map_or(0, Iterator::count)
}

fn all_is_well(weir: &Weir) {
    let report = weir.doctor(false, |_| {}).unwrap();
    assert_eq!(
        (report.corrupt, report.dead_references, report.damaged_records, report.failed),
        (0, 0, 0, 0),
        "{report:?}"
    );
}

// --- kills

#[test]
fn a_put_that_is_killed_anywhere_leaves_no_torn_blob_and_no_dead_handle() {
    let rounds: u64 = std::env::var("WEIR_CRASH_ROUNDS").map_or(40, |n| n.parse().unwrap());
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    const BYTES: usize = 4_000_000;
    let input = sandbox.path().join("input");
    let put = |number: u64| {
        fs::write(&input, text(number, BYTES)).unwrap();
        let mut command = sandbox.command(["transform", "--session", SESSION, "--json"]);
        command.arg(&input).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    // How long an undisturbed one takes, to spread the kills over all of it. Not the first, before
    // which the command is built and the component compiled.
    assert!(put(0).wait_with_output().unwrap().status.success());
    let start = Instant::now();
    assert!(put(u64::MAX).wait_with_output().unwrap().status.success());
    let whole = start.elapsed();

    let mut seed = 42_u64;
    let (mut ended, mut killed) = (0, 0);
    for number in 1..=rounds {
        let mut child = put(number);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(whole.mul_f64((seed >> 40) as f64 / (1_u64 << 24) as f64 * 1.1));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            ended += 1;
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let id = answer["handles"][0]["id"].as_str().expect("a handle was given out");
            assert!(read(&weir, id) == text(number, BYTES).as_bytes(), "round {number}");
        } else {
            killed += 1;
        }
    }
    assert!(killed > rounds / 10, "only {killed} were killed, {ended} ended before");

    // Whatever is listed is whole, and one of the texts.
    for (id, bytes) in read_back(&weir) {
        let first = bytes.split(|byte| *byte == b' ').nth(1).unwrap();
        let number: u64 = String::from_utf8_lossy(first).parse().unwrap();
        assert!(bytes == text(number, BYTES).as_bytes(), "{id} is not what was stored");
    }
    all_is_well(&weir);

    // Leftovers go with the next put, once they are too old to be writes that are under way.
    let tmp = sandbox.store().join("tmp");
    age(&tmp);
    fs::File::options()
        .write(true)
        .open(sandbox.store().join("upkeep"))
        .unwrap()
        .set_modified(SystemTime::now() - Duration::from_secs(100))
        .unwrap();
    assert!(put(rounds + 1).wait_with_output().unwrap().status.success());
    assert_eq!(count(&tmp), 0, "leftovers stay");

    // And what was cut short can be put again.
    for number in 1..=3 {
        let output = put(number).wait_with_output().unwrap();
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let id = answer["handles"][0]["id"].as_str().expect("a handle is given out");
        assert!(read(&weir, id) == text(number, BYTES).as_bytes());
    }
    all_is_well(&weir);
}

/// As many leftovers as a day of accidents makes, and not one sweep. Takes minutes:
/// `cargo test --release -p weir-tests --test command -- crash:: --ignored`.
#[test]
#[ignore = "takes minutes: cargo test --package weir-tests --test command -- crash:: --ignored"]
fn after_150_kills_without_a_sweep_a_thousand_puts_are_all_stored() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let input = sandbox.path().join("input");
    fs::write(&input, text(0, 6_000_000)).unwrap();
    let put = || {
        let mut command = sandbox.command(["transform", "--session", SESSION, "--json"]);
        command.arg(&input).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    assert!(put().wait().unwrap().success());
    let tmp = sandbox.store().join("tmp");
    let mut killed = 0;
    while killed < 150 {
        fs::write(&input, text(1_000_000 + killed, 6_000_000)).unwrap();
        let before = count(&tmp);
        let mut child = put();
        // In the middle: its file is there.
        while count(&tmp) == before && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_micros(200));
        }
        child.kill().unwrap();
        killed += u64::from(!child.wait().unwrap().success());
    }
    assert!(count(&tmp) > 24, "{} leftovers", count(&tmp));
    for number in 0..1_000 {
        match weir.transform(&text_result(text(number, 20_000))).unwrap() {
            replacement if replacement.replaced => {
                assert_eq!(replacement.handles.len(), 1, "{number}");
            }
            other => panic!("{number}: {other:?}"),
        }
    }
    all_is_well(&weir);
}

#[test]
fn a_result_that_is_given_up_half_way_leaves_nothing() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let mut intake = weir.intake(&text_result(String::new()).origin, None).unwrap();
    for number in 0..3 {
        intake.write(text(number, 1_000_000).as_bytes()).unwrap();
    }
    let tmp = sandbox.store().join("tmp");
    assert_eq!(count(&tmp), 1);
    drop(intake);
    assert_eq!(count(&tmp), 0);
    assert_eq!(weir.doctor(false, |_| {}).unwrap().blobs, 0);
}

#[test]
fn a_command_that_is_interrupted_while_it_reads_leaves_nothing() {
    use std::io::Write as _;

    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["status"]).code, 0);
    let tmp = sandbox.store().join("tmp");
    let mut child = sandbox
        .command(["transform"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Held open: more could come.
    let mut input = child.stdin.take().unwrap();
    input.write_all(text(1, 4_000_000).as_bytes()).unwrap();
    let start = Instant::now();
    while count(&tmp) == 0 && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(count(&tmp), 1, "it writes");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert!(!child.wait().unwrap().success());
    assert_eq!(count(&tmp), 0, "it leaves nothing");
    drop(input);
}

#[test]
fn what_reads_a_secret_never_meets_the_disk() {
    let sandbox = Sandbox::new();
    for (bytes, is_cut) in [(30_000, false), (400_000, true)] {
        let text = text(1, bytes).replace("as it should be", "AKIA1234");
        let input = sandbox.path().join("input");
        fs::write(&input, &text).unwrap();
        let mut command =
            sandbox.command(["transform", "--json", "--arguments", r#"{"command": "cat .env"}"#]);
        let ran: Ran = command.arg(&input).output().unwrap().into();
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let answer = ran.json();
        if is_cut {
            assert_eq!(answer["handles"].as_array().map(Vec::len), Some(0), "{}", ran.stdout);
            assert!(answer["store_failure"].as_str().unwrap().contains(".env"), "{}", ran.stdout);
        } else {
            assert!(answer["text"] == text, "it passes whole");
        }
    }
    let mut found = vec![sandbox.store()];
    while let Some(path) = found.pop() {
        if path.is_dir() {
            found.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let bytes = fs::read(&path).unwrap();
            assert!(!bytes.windows(8).any(|window| window == b"AKIA1234"), "{path:?}");
        }
    }
}

/// Fuel that the next call may use, for limits that are plain functions.
static FUEL: AtomicU64 = AtomicU64::new(0);

/// Fuel counts instructions, so this stops a put at points spread evenly over all that it does, the
/// same in every run.
#[test]
fn a_put_that_is_stopped_at_any_instruction_leaves_no_torn_blob_and_no_dead_handle() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let fueled = Weir::builder()
        .limits(|class, bytes| match class {
            Class::Transform => Limits { fuel: FUEL.load(Ordering::SeqCst), ..class.limits(bytes) },
            _ => class.limits(bytes),
        })
        .open_with(engine(), sandbox.store())
        .unwrap();
    const BYTES: usize = 200_000;
    let put = |number: u64, fuel: u64| {
        FUEL.store(fuel, Ordering::SeqCst);
        match fueled.transform(&text_result(text(number, BYTES))) {
            Ok(replacement) if replacement.replaced => Some(replacement.handles[0].id.clone()),
            Err(Error::Trap { reason: TrapReason::OutOfFuel, .. }) => None,
            other => panic!("{other:?}"),
        }
    };
    // The least that is enough, to within one in two hundred.
    let (mut low, mut high) = (1_000, 4_000_000_000);
    let mut number = 0;
    while high - low > high / 200 {
        let middle = low + (high - low) / 2;
        number += 1;
        match put(number, middle) {
            Some(_) => high = middle,
            None => low = middle,
        }
    }
    let mut stopped = 0;
    for step in 0..150 {
        number += 1;
        match put(number, high * step / 150) {
            Some(id) => assert!(read(&weir, &id) == text(number, BYTES).as_bytes(), "step {step}"),
            None => stopped += 1,
        }
        // The handle that was given out last is read while this one's leftovers lie there.
    }
    assert!(stopped > 100, "only {stopped} were stopped");
    for (id, bytes) in read_back(&weir) {
        let number: u64 =
            String::from_utf8_lossy(bytes.split(|byte| *byte == b' ').nth(1).unwrap())
                .parse()
                .unwrap();
        assert!(bytes == text(number, BYTES).as_bytes(), "{id} is not what was stored");
    }
    all_is_well(&weir);
    let tmp = sandbox.store().join("tmp");
    age(&tmp);
    weir.sweep(|_| {}).unwrap();
    assert_eq!(count(&tmp), 0, "leftovers stay");
    assert!(put(number, high * 2).is_some(), "what was stopped can be put again");
}

// --- no space

/// What a run of `transform` on a text without room for it must be: whole, or an excerpt that says
/// so; a handle only if it can be honored.
fn is_honest(sandbox: &Sandbox, ran: &Ran, text: &str, what: &str) -> bool {
    assert_eq!(ran.code, 0, "{what}: {}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{what}: {}", ran.stderr);
    let answer = ran.json();
    if answer["replaced"] == false {
        assert!(answer["text"] == text, "{what}: passed, and not whole");
        assert!(text.len() <= 50_000, "{what}: it floods");
        return false;
    }
    let shown = answer["parts"][0]["text"].as_str().unwrap();
    assert!(shown.chars().count() <= 6_000, "{what}: the excerpt is over its cap");
    match answer["handles"].as_array().unwrap().first() {
        Some(handle) => {
            let id = handle["id"].as_str().unwrap();
            assert!(shown.contains(id), "{what}: the handle is not shown");
            let all = sandbox.run(["fetch", id, "--raw", "--all"]);
            assert!(all.stdout == text, "{what}: a dead handle");
            true
        }
        None => {
            assert!(answer["store_failure"].is_string(), "{what}: no reason is given");
            let said = shown.to_lowercase().contains("could not be stored");
            assert!(said, "{what}: not said: {shown}");
            assert!(
                !shown.contains("weir_fetch"),
                "{what}: a call that cannot be answered is offered"
            );
            let (first, last) = (text.lines().next().unwrap(), text.lines().next_back().unwrap());
            let ends = shown.contains(first) && shown.contains(last);
            assert!(ends, "{what}: no head and tail: {shown}");
            false
        }
    }
}

/// Runs the command where no file may grow over so many KiB, and where that is an error of the
/// write, not the end of the process.
fn run_with_small_files(sandbox: &Sandbox, kib: u64, input: &Path) -> Ran {
    // Built, and compiled code cached, before files are kept small.
    static READY: OnceLock<i32> = OnceLock::new();
    READY.get_or_init(|| Sandbox::new().run(["status"]).code);
    let inner = sandbox.command(["transform", "--json", &input.display().to_string()]);
    let blocks = kib * 2; // of 512 bytes, as POSIX has it
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""))
        .arg("sh")
        .arg(inner.get_program())
        .args(inner.get_args())
        .env_clear()
        .envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdin(Stdio::null());
    shell.output().unwrap().into()
}

#[test]
fn when_no_file_may_grow_a_result_passes_whole_or_says_that_it_could_not_be_stored() {
    let mut stored = 0;
    let mut refused = 0;
    for bytes in [30_000, 300_000, 3_000_000] {
        for kib in [0, 4, 64, 1_024, 8_192] {
            let sandbox = Sandbox::new();
            let text = text(kib, bytes);
            let input = sandbox.path().join("input");
            fs::write(&input, &text).unwrap();
            let what = format!("{bytes} bytes, files of {kib} KiB");
            let ran = run_with_small_files(&sandbox, kib, &input);
            if is_honest(&sandbox, &ran, &text, &what) {
                stored += 1
            } else {
                refused += 1
            }
            // With room again, it is stored, and nothing that failed is in the way.
            let ran = sandbox.run(["transform", "--json", &input.display().to_string()]);
            assert!(is_honest(&sandbox, &ran, &text, &what), "{what}: not stored with room");
            assert_eq!(sandbox.run(["doctor"]).code, 0, "{what}");
        }
    }
    assert!(stored >= 3 && refused >= 6, "{stored} stored, {refused} refused");
}

/// A file system of so many KiB, while it lives; none where the tests may not mount one.
struct SmallDisk<'a>(&'a Path);

impl SmallDisk<'_> {
    fn mount(path: &Path, kib: u64) -> Option<SmallDisk<'_>> {
        fs::create_dir_all(path).unwrap();
        let output = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={kib}k,mode=700"), "weir-test"])
            .arg(path)
            .output();
        match output {
            Ok(output) if output.status.success() => Some(SmallDisk(path)),
            #[expect(clippy::print_stderr, reason = "a test that is left out says so")]
            _ => {
                eprintln!("note: left out, as no file system can be mounted here");
                None
            }
        }
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn on_a_disk_that_is_full_nothing_is_lost_and_no_handle_is_dead() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    let Some(_disk) = SmallDisk::mount(&store, 1_024) else { return };
    let weir = sandbox.weir();
    let mut kept = BTreeMap::new();
    let mut refused = 0;
    // Until it is full, then at every fill up to it: files of one page less each time.
    for number in 0..60 {
        let text = text(number, 40_000 + 4_096 * (number as usize % 7));
        match weir.transform(&text_result(text.clone())).unwrap() {
            replacement if replacement.replaced => match replacement.handles.first() {
                Some(handle) => {
                    kept.insert(handle.id.clone(), text);
                }
                None => {
                    refused += 1;
                    let failure = replacement.store_failure.as_deref().unwrap_or_default();
                    assert!(
                        text.len() > 50_000 && failure.contains("the disk is full"),
                        "{failure}"
                    );
                    assert!(shown(&replacement).contains("could NOT be stored"));
                }
            },
            unchanged => {
                refused += 1;
                assert_eq!(unchanged.reason, "not-stored");
                assert!(unchanged.store_failure.is_some() && text.len() <= 50_000);
            }
        }
        for (id, text) in &kept {
            assert!(read(&weir, id) == text.as_bytes(), "{id} is lost");
        }
    }
    assert!(refused > 10 && kept.len() > 5, "{refused} refused, {} stored", kept.len());
    assert_eq!(read_back(&weir).len(), kept.len());

    // A full disk can be read, listed, looked at, and made room on.
    assert!(weir.status().is_ok());
    all_is_well(&weir);
    for id in kept.keys().take(3) {
        weir.forget(SESSION, id).unwrap();
    }
    // Their bytes went at once.
    let report = weir.doctor(false, |_| {}).unwrap();
    assert_eq!(report.blobs as usize, kept.len() - 3, "{report:?}");
    let swept = weir.sweep(|_| {}).unwrap();
    assert_eq!((swept.failed, swept.removed_blobs, swept.expired), (0, 0, 0), "{swept:?}");
    match weir.transform(&text_result(text(1_000, 40_000))).unwrap() {
        replacement if replacement.replaced => assert_eq!(replacement.handles.len(), 1),
        other => panic!("there is room again: {other:?}"),
    }
}

#[test]
fn a_file_system_that_is_mounted_read_only_is_called_so_and_what_it_holds_can_be_read() {
    let sandbox = Sandbox::new();
    let store = sandbox.store();
    let Some(_disk) = SmallDisk::mount(&store, 4_096) else { return };
    let transform = |bytes: usize| {
        let input = sandbox.path().join("input");
        let text = text(1, bytes);
        fs::write(&input, &text).unwrap();
        (sandbox.run(["transform", "--json", &input.display().to_string()]), text)
    };
    let (ran, kept) = transform(60_000);
    let id = ran.json()["handles"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(sandbox.run(["doctor"]).code, 0);
    let remounted = Command::new("mount").args(["-o", "remount,ro"]).arg(&store).status().unwrap();
    assert!(remounted.success());
    for bytes in [20_000, 300_000] {
        let (ran, text) = transform(bytes);
        assert!(!is_honest(&sandbox, &ran, &text, "read-only"));
        let why = ran.json()["store_failure"].as_str().unwrap().to_owned();
        assert!(why.contains("the file system is read-only"), "{why}");
    }
    assert_eq!(sandbox.run(["fetch", &id, "--raw", "--all"]).stdout, kept);
    let told = sandbox.run(["doctor"]);
    assert!(told.code == 1 && told.stdout.contains("nothing can be stored: read-only"), "{told:?}");
}
