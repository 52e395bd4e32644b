//! Killed, or out of disk, after any step: what is promised stays true.

use super::fault::{Fault, with};
use super::*;

/// After whatever happened: every id that was given works, nothing that is found is torn, and
/// sweeps leave no trace of the rest.
fn check(bench: &mut Bench, given: &[(Stored, Vec<u8>)]) {
    let read_all = |bench: &Bench| {
        for (stored, bytes) in given {
            assert_eq!(bench.read("s", &stored.id), *bytes);
        }
        for entry in bench.store.list("s", None, 100, bench.now).unwrap().entries {
            let blob = bench.store.open_blob(&entry.digest).unwrap();
            blob.verify().unwrap();
        }
    };
    read_all(bench);
    for _ in 0..3 {
        bench.pass(2 * HOUR);
        assert_eq!(bench.sweep().failed, 0);
        read_all(bench);
    }
    assert!(bench.files("tmp").is_empty(), "{:?}", bench.files("tmp"));
    assert_eq!(bench.used(), bench.real_usage());
    let live = bench.store.list("s", None, 100, bench.now).unwrap().entries;
    let views = live.iter().filter(|entry| entry.record.text_view.is_some()).count();
    assert_eq!(bench.files("blobs").len(), live.len() + views, "a blob that nobody holds");
}

/// A bench whose time is that of the machine: temporary files are dated by it.
fn bench() -> Bench {
    let mut bench = Bench::with(|settings| settings.max_bytes = 2_000 * 4096);
    bench.now = SystemTime::now();
    bench
}

fn for_every_step(
    fault: impl Fn(u64) -> Fault,
    prepare: impl Fn(&mut Bench) -> Vec<(Stored, Vec<u8>)>,
    act: impl Fn(&Bench) -> Option<(Stored, Vec<u8>)>,
) {
    let mut steps = 0;
    loop {
        let mut bench = bench();
        let mut given = prepare(&mut bench);
        let (outcome, struck) = with(fault(steps), || act(&bench));
        given.extend(outcome);
        // The next process.
        bench.store = BlobStore::open(bench.dir.path(), bench.store.settings).unwrap();
        check(&mut bench, &given);
        if !struck {
            assert!(steps > 2, "there was next to nothing to strike");
            return;
        }
        steps += 1;
    }
}

fn nothing(_: &mut Bench) -> Vec<(Stored, Vec<u8>)> {
    Vec::new()
}

fn killed(after: u64) -> Fault {
    Fault::Killed { after }
}

fn disk_full(after: u64) -> Fault {
    Fault::DiskFull { after }
}

fn put(bench: &Bench, bytes: &[u8]) -> Option<(Stored, Vec<u8>)> {
    let stored = bench.store.put("s", bytes, &record("t"), bench.now).ok()?;
    Some((stored, bytes.to_vec()))
}

#[test]
fn a_small_put() {
    for fault in [killed, disk_full] {
        for_every_step(fault, nothing, |bench| put(bench, b"small"));
    }
}

#[test]
fn a_put_in_pieces() {
    let bytes = noise(1_300_000, 1);
    for fault in [killed, disk_full] {
        for_every_step(fault, nothing, |bench| {
            let mut writer = bench.store.writer();
            bytes.chunks(400_000).try_for_each(|piece| writer.write(piece)).ok()?;
            let stored = writer.commit("s", &record("t"), bench.now).ok()?;
            Some((stored, bytes.clone()))
        });
    }
}

#[test]
fn a_put_with_a_view() {
    for fault in [killed, disk_full] {
        for_every_step(fault, nothing, |bench| {
            let view = bench.store.publish(b"inside", bench.now).ok()?;
            let record = Record { text_view: Some(view.digest), ..record("t") };
            let stored = bench.store.put("s", b"outside", &record, bench.now).ok()?;
            assert_eq!(content(&bench.store.open_blob(&view.digest).unwrap()), b"inside");
            Some((stored, b"outside".to_vec()))
        });
    }
}

#[test]
fn a_put_again_of_what_is_gone() {
    let prepare = |bench: &mut Bench| {
        let (stored, _) = put(bench, b"back").unwrap();
        bench.store.forget("s", &stored.id, bench.now).unwrap();
        Vec::new()
    };
    for fault in [killed, disk_full] {
        for_every_step(fault, prepare, |bench| put(bench, b"back"));
    }
}

#[test]
fn a_sweep_that_expires() {
    let prepare = |bench: &mut Bench| {
        put(bench, b"old").unwrap();
        bench.pass(80 * HOUR);
        vec![put(bench, b"new").unwrap()]
    };
    for_every_step(killed, prepare, |bench| {
        let mut sweeper = bench.store.sweeper();
        while !sweeper.step(100, bench.now).ok()?.done {}
        None
    });
}

#[test]
fn a_put_that_must_make_room() {
    for fault in [killed, disk_full] {
        let prepare = |bench: &mut Bench| {
            bench.store.settings.max_bytes = 3 * 4096;
            for n in 0..3u8 {
                put(bench, &[n]).unwrap();
            }
            bench.pass(HOUR);
            Vec::new()
        };
        for_every_step(fault, prepare, |bench| put(bench, b"needs room"));
    }
}

#[test]
fn a_disk_that_is_full_can_still_be_swept() {
    let mut bench = bench();
    put(&bench, b"old").unwrap();
    bench.pass(80 * HOUR);
    // Some of it needs room and fails; what frees room does not.
    let (progress, struck) = with(disk_full(0), || sweep(&bench.store, bench.now));
    assert!(struck && progress.failed > 0);
    assert_eq!(progress.expired, 1);
    assert!(bench.files("blobs").is_empty());
    check(&mut bench, &[]);
}
