//! The store looks after itself: what is left over, what is over, what is in the way, what is to go.

use super::*;

/// A bench whose time is that of the machine: temporary files are dated by it.
fn bench(change: impl FnOnce(&mut StoreSettings)) -> Bench {
    let mut bench = Bench::with(change);
    bench.now = SystemTime::now();
    bench
}

/// Leaves a file as a process that was killed does, so long ago.
fn leave(bench: &Bench, name: &str, bytes: usize, ago: Duration) -> PathBuf {
    let path = bench.dir.path().join("tmp").join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, vec![b'x'; bytes]).unwrap();
    bench.date(&path, bench.now - ago);
    path
}

#[test]
fn temporary_names_do_not_run_out() {
    let bench = bench(|_| ());
    // Those that an earlier version tried, and many more of this one.
    for n in 0..24 {
        leave(&bench, &format!("w{}", (1_u32 << n) - 1), 10, MINUTE / 2);
    }
    for n in 0..500 {
        leave(&bench, &format!("w{:x}-{}", 0x17_0000_0000_u64 + n, n % 3), 10, MINUTE / 2);
    }
    for n in 0..50_u8 {
        let stored = bench.put("s", &[n]);
        assert_eq!(bench.read("s", &stored.id), [n]);
    }
    assert_eq!(bench.files("tmp").len(), 524, "what may be in work was left alone");
}

#[test]
fn two_hundred_writers_at_once_lose_nothing() {
    let bench = bench(|_| ());
    let same = noise(1_100_000, 7);
    let bytes = |n: u64| [&same[..], &n.to_le_bytes()].concat();
    // All have their file before the first ends: nothing but their names keeps them apart.
    let mut writers: Vec<_> = (0..200).map(|_| bench.store.writer()).collect();
    for (n, writer) in writers.iter_mut().enumerate() {
        writer.write(&bytes(n as u64)).unwrap();
    }
    assert_eq!(bench.files("tmp").len(), 200);
    for (n, writer) in writers.into_iter().enumerate() {
        let stored = writer.commit("s", &record("t"), bench.now).unwrap();
        assert_eq!(bench.read("s", &stored.id), bytes(n as u64));
    }
    assert!(bench.files("tmp").is_empty());
}

#[test]
fn leftovers_go_with_the_next_put_once_nobody_writes_to_them() {
    let mut bench = bench(|_| ());
    let old = leave(&bench, "w17a-0", 10, 11 * MINUTE);
    let young = leave(&bench, "w17b-0", 10, 9 * MINUTE);
    let of_an_earlier_version = leave(&bench, "w7", 10, 50 * MINUTE);
    bench.put("s", b"x");
    assert!(!old.exists() && young.exists() && of_an_earlier_version.exists());
    bench.now += 20 * MINUTE;
    bench.put("s", b"y");
    assert!(!young.exists() && !of_an_earlier_version.exists());
}

#[test]
fn leftovers_count_under_the_cap_and_go_first() {
    let mut bench = bench(|settings| settings.max_bytes = 20 * 4096);
    let kept: Vec<_> = (0..4_u8).map(|n| bench.put("s", &[n])).collect();
    bench.now += 15 * MINUTE;
    for n in 0..4 {
        leave(&bench, &format!("w17a-{n}"), 4 * 4096, 2 * MINUTE);
    }
    assert_eq!(bench.used(), 20 * 4096, "they are told of");
    bench.put("s", b"more");
    assert!(kept.iter().all(|kept| bench.resolve("s", &kept.id).is_ok()), "nothing else had to go");
    assert!(bench.files("tmp").is_empty());
    assert_eq!(bench.used(), 5 * 4096);
}

#[test]
fn a_writer_whose_file_was_taken_for_a_leftover_stores_all_the_same() {
    let bench = bench(|_| ());
    let bytes = noise(3_000_000, 5);
    let mut writer = bench.store.writer();
    for piece in bytes.chunks(1_000_000) {
        writer.write(piece).unwrap();
        bench.files("tmp").iter().for_each(|path| fs::remove_file(path).unwrap());
    }
    let stored = writer.commit("s", &record("t"), bench.now).unwrap();
    assert_eq!(bench.read("s", &stored.id), bytes);
    bench.store.open_blob(&stored.digest).unwrap().verify().unwrap();
    assert!(bench.files("tmp").is_empty());
    assert_eq!(bench.used(), bench.real_usage());
}

#[test]
fn a_writer_gives_back_what_it_was_given() {
    let bench = bench(|_| ());
    for len in [0, 10, 1_000_000, 3_000_001] {
        let bytes = noise(len, 9);
        let mut writer = bench.store.writer();
        bytes.chunks(70_001).for_each(|piece| writer.write(piece).unwrap());
        assert!(writer.take().unwrap() == bytes, "{len}");
    }
    assert!(bench.files("tmp").is_empty() && bench.files("blobs").is_empty());
}

#[test]
fn what_is_over_is_gone_when_it_is_read_though_nobody_swept() {
    let mut bench = Bench::new();
    let [over, pinned, hot] = [b"over", b"pin ", b"hot "].map(|bytes| bench.put("s", bytes));
    bench.store.pin("s", &pinned.id, bench.now).unwrap();
    for _ in 0..4 {
        let entry = bench.resolve("s", &hot.id).unwrap();
        bench.store.note_fetch(&entry, "range", 1, None, bench.now).unwrap();
    }
    bench.pass(71 * HOUR);
    let expires = bench.store.expires(&bench.resolve("s", &over.id).unwrap(), bench.now).unwrap();
    assert_eq!(expires.duration_since(bench.now).unwrap().as_secs() / 60, 60);
    bench.pass(2 * HOUR);
    assert_eq!(bench.store.list("s", None, 9, bench.now).unwrap().total, 2, "it is not listed");
    let Err(LookupError::Gone(tombstone)) = bench.resolve("s", &over.id) else { panic!() };
    assert_eq!((tombstone.reason, tombstone.since), (Reason::Expired, bench.now));
    assert!(bench.resolve("s", &pinned.id).is_ok() && bench.resolve("s", &hot.id).is_ok());
}

#[test]
fn puts_alone_keep_a_small_store_clean() {
    let mut bench = bench(|_| ());
    for n in 0..20_u8 {
        bench.put(&format!("s{}", n % 4), &[n]);
    }
    bench.pass(80 * HOUR);
    bench.put("t", b"a put");
    // What expired has no holder from then on; its bytes go in the next turn but one.
    bench.pass(HOUR);
    bench.put("t", b"and another");
    assert_eq!(bench.files("blobs").len(), 2, "the expired are not on the disk");
    bench.pass(721 * HOUR);
    bench.put("t", b"and one");
    bench.pass(HOUR);
    bench.put("t", b"and one more");
    let sessions = fs::read_dir(bench.dir.path().join("refs")).unwrap().count();
    assert_eq!(sessions, 1, "sessions of which nothing is remembered are gone");
}

#[test]
fn turns_in_a_large_store_reach_every_reference() {
    let mut bench = bench(|_| ());
    for n in 0..40_u8 {
        bench.put(&format!("s{}", n % 3), &[n]);
    }
    bench.pass(80 * HOUR);
    let mut place = String::new();
    let mut turns = 0;
    let mut expired = 0;
    loop {
        let mut sweeper = Sweeper::part(bench.store.clone(), &place);
        let progress = sweeper.step(5, bench.now).unwrap();
        expired += progress.expired;
        turns += 1;
        if progress.done {
            break;
        }
        place = sweeper.place().unwrap();
    }
    assert_eq!(expired, 40);
    assert!((10..60).contains(&turns), "{turns} turns of 5");
}

#[test]
fn forgetting_erases_unless_another_session_holds_the_bytes() {
    let bench = Bench::new();
    let secret = bench.put("s", b"AKIA1234");
    let blob = bench.blob_path(&secret);
    bench.put("t", b"AKIA1234");
    assert!(bench.store.forget("s", &secret.id, bench.now).unwrap().held_elsewhere);
    assert!(matches!(bench.resolve("s", &secret.id), Err(LookupError::Gone(_))));
    assert!(blob.exists() && bench.read("t", &secret.id) == b"AKIA1234");
    assert!(!bench.store.forget("t", &secret.id, bench.now).unwrap().held_elsewhere);
    assert!(!blob.exists());
    assert_eq!(bench.used(), 0);
    // Of what stands on the disk nothing holds the bytes.
    for path in bench.files("") {
        let bytes = fs::read(&path).unwrap();
        assert!(!bytes.windows(4).any(|window| window == b"AKIA"), "{path:?}");
    }
}

#[test]
fn forgetting_erases_though_the_clock_was_set_back_during_the_put() {
    for after in 0.. {
        let bench = Bench::new();
        let secret = bench.put("s", b"AKIA1234");
        let blob = bench.blob_path(&secret);
        // What was dated before the clock was set back is ahead of what is dated after it.
        let (path, ahead) = (blob.clone(), bench.now + Duration::from_millis(5));
        let set_back = move || {
            fs::File::options().write(true).open(path).unwrap().set_modified(ahead).unwrap()
        };
        let (_, struck) = fault::between(after, set_back, || bench.put("s", b"AKIA1234"));
        bench.store.forget("s", &secret.id, bench.now).unwrap();
        assert!(!blob.exists(), "after step {after}");
        if !struck {
            return;
        }
    }
}

#[test]
fn forgetting_erases_the_text_in_an_envelope_too() {
    let bench = Bench::new();
    let view = bench.store.publish(b"the secret inside", bench.now).unwrap();
    let with_view = Record { text_view: Some(view.digest), ..record("t") };
    let parent = bench.store.put("s", b"{\"result\":\"..\"}", &with_view, bench.now).unwrap();
    let other = bench.store.put("s", b"{\"other\":\"..\"}", &with_view, bench.now).unwrap();
    assert!(bench.store.forget("s", &parent.id, bench.now).unwrap().held_elsewhere);
    assert!(bench.store.open_blob(&view.digest).is_ok(), "another result has the same text");
    assert!(!bench.store.forget("s", &other.id, bench.now).unwrap().held_elsewhere);
    assert!(bench.files("blobs").is_empty());
}

#[test]
fn what_is_dated_ahead_is_of_unknown_age() {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    let bench = Bench::with(|settings| settings.max_bytes = 10 * 4096);
    let ahead: Vec<_> = (0..3_u8).map(|n| bench.put("s", &[n])).collect();
    let known: Vec<_> = (3..10_u8).map(|n| bench.put("s", &[n])).collect();
    for stored in &ahead {
        let when = bench.now + 400 * YEAR;
        bench.date(&bench.blob_path(stored), when);
        bench.date(&bench.ref_path("s", &stored.id.to_string()), when);
    }
    // They are read, and one that is read has a time again.
    let entry = bench.resolve("s", &ahead[2].id).unwrap();
    bench.store.touch(&entry, bench.now).unwrap();
    assert_eq!(bench.resolve("s", &ahead[2].id).unwrap().last_use, bench.now);
    // Room is made of them first, however fresh the others are.
    bench.put("s", b"needs room");
    assert!(ahead[..2].iter().all(|gone| bench.resolve("s", &gone.id).is_err()));
    assert!(known.iter().all(|kept| bench.resolve("s", &kept.id).is_ok()));
    assert_eq!(bench.read("s", &ahead[2].id), [2]);
}

#[test]
fn what_is_dated_ahead_does_not_expire_by_it_and_ages_from_the_next_sweep() {
    let mut bench = Bench::new();
    let stored = bench.put("s", b"x");
    let when = bench.now + Duration::from_secs(400 * 365 * 86_400);
    bench.date(&bench.blob_path(&stored), when);
    bench.date(&bench.ref_path("s", &stored.id.to_string()), when);
    bench.sweep();
    assert_eq!(bench.read("s", &stored.id), b"x");
    bench.pass(71 * HOUR);
    bench.sweep();
    assert_eq!(bench.read("s", &stored.id), b"x");
    bench.pass(2 * HOUR);
    assert!(matches!(bench.resolve("s", &stored.id), Err(LookupError::Gone(_))));
}

#[cfg(unix)]
#[test]
fn what_lies_in_the_place_of_the_stores_own_files_stops_nothing() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    type Planted<'a> = (&'a str, &'a dyn Fn(&Path));
    let plant: [Planted<'_>; 3] = [
        ("a FIFO", &|path| {
            assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        }),
        ("a link", &|path| symlink(&secret, path).unwrap()),
        ("a directory", &|path| fs::create_dir_all(path.join("inner")).unwrap()),
    ];
    for (what, plant) in plant {
        for name in ["heartbeat", "idle", "upkeep", "usage", "usage/added", "stats", "stats/events"]
        {
            if (what, name) == ("a directory", "usage") || (what, name) == ("a directory", "stats")
            {
                continue;
            }
            let mut bench = bench(|_| ());
            let before = bench.put("s", b"before");
            let path = bench.dir.path().join(name);
            let _ = fs::remove_file(&path);
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            plant(&path);
            bench.now += 3 * HOUR;
            let stored = bench.put("s", b"after");
            assert_eq!(bench.read("s", &stored.id), b"after", "{what} for {name}");
            assert_eq!(bench.read("s", &before.id), b"before");
            bench.store.count_put(Outcome::Answered, PutCount::default()).unwrap();
            let progress = bench.sweep();
            assert_eq!(progress.failed, 0, "{what} for {name}");
        }
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
}

#[test]
fn the_doctor_names_blobs_that_nobody_holds() {
    let mut bench = bench(|_| ());
    bench.put("s", b"held");
    let view = bench.store.publish(b"a view", bench.now).unwrap();
    let with_view = Record { text_view: Some(view.digest), ..record("t") };
    bench.store.put("s", b"with a view", &with_view, bench.now).unwrap();
    let orphan = bench.store.publish(&noise(10_000, 1), bench.now).unwrap();
    let report = bench.store.doctor(false).step(u64::MAX, bench.now).unwrap();
    assert_eq!(report.unheld, 0, "a put may be about to refer to it");
    bench.now += 5 * MINUTE;
    leave(&bench, "w17a-0", 5_000, 2 * MINUTE);
    let report = bench.store.doctor(false).step(u64::MAX, bench.now).unwrap();
    assert_eq!((report.unheld, report.unheld_bytes), (1, 3 * 4096));
    assert_eq!(report.unheld_blobs, [orphan.digest]);
    assert_eq!(report.leftover_bytes, 2 * 4096);
}

#[test]
fn what_an_earlier_version_wrote_is_understood() {
    let bench = Bench::new();
    let stored = bench.put("s", b"x");
    // It dated the file that says how much a blob is read, and wrote nothing in it.
    let hot = bench.ref_path("s", &format!("{}.hot", stored.id));
    fs::write(&hot, "").unwrap();
    bench.date(&hot, bench.now + 2 * 24 * HOUR);
    assert!(bench.resolve("s", &stored.id).unwrap().hot);
    let entry = bench.resolve("s", &stored.id).unwrap();
    bench.store.note_fetch(&entry, "range", 1, None, bench.now).unwrap();
    assert!(bench.resolve("s", &stored.id).unwrap().hot, "and goes on from there");
    // A blob that it was removing when it died.
    let blob = bench.blob_path(&stored);
    fs::rename(&blob, bench.dir.path().join(format!("tmp/{}.0", stored.digest))).unwrap();
    assert_eq!(bench.read("s", &stored.id), b"x");
    bench.sweep();
    assert!(blob.exists());
}

/// What a machine that stops may leave of a small file that was replaced without a wait for the disk.
fn damages(bytes: &[u8]) -> Vec<(&'static str, Option<Vec<u8>>)> {
    vec![
        ("lost", None),
        ("empty", Some(Vec::new())),
        ("half", Some(bytes[..bytes.len() / 2].to_vec())),
        ("zeros", Some(vec![0; bytes.len().max(40)])),
        ("noise", Some(noise(bytes.len().max(4_000), 3))),
        ("noise of digits", Some(b"9999999999999999999999".to_vec())),
        ("another file's", Some(b"s/000000000000.pin\n{\"at_ms\":true}".to_vec())),
        ("far ahead", Some(format!("{{\"at_ms\":{},\"blobs\":{}}}", u64::MAX, 9).into_bytes())),
    ]
}

#[test]
fn a_damaged_note_costs_no_result_and_mends() {
    for name in ["census", "upkeep"] {
        let whole = {
            let bench = bench(|_| ());
            bench.put("s", b"x");
            bench.sweep();
            fs::read(bench.dir.path().join(name)).unwrap()
        };
        for (damage, bytes) in damages(&whole) {
            let what = format!("{name}: {damage}");
            let mut bench = bench(|_| ());
            let kept: Vec<_> = (0..3_u8).map(|n| bench.put(&format!("s{}", n % 2), &[n])).collect();
            bench.sweep();
            let path = bench.dir.path().join(name);
            let _ = fs::remove_file(&path);
            if let Some(bytes) = &bytes {
                fs::write(&path, bytes).unwrap();
                bench.date(&path, bench.now);
            }
            // The next process.
            bench.store = BlobStore::open(bench.dir.path(), bench.store.settings).unwrap();
            let read_all = |bench: &Bench| {
                for (n, stored) in (0..3_u8).zip(&kept) {
                    assert_eq!(bench.read(&format!("s{}", n % 2), &stored.id), [n], "{what}");
                }
            };
            read_all(&bench);
            bench.store.status(bench.now).unwrap();
            // Puts take their turns, and what is over still goes.
            for n in 100..102_u8 {
                bench.now += 11 * MINUTE;
                bench.put("t", &[n]);
                read_all(&bench);
            }
            assert_eq!(bench.sweep().failed, 0, "{what}");
            assert_eq!(bench.store.census().unwrap().blobs, 5, "{what}");
            bench.pass(80 * HOUR);
            for n in 102..104_u8 {
                bench.put("t", &[n]);
                bench.pass(HOUR);
            }
            assert_eq!(bench.files("blobs").len(), 2, "{what}: what is over is gone");
        }
    }
}
