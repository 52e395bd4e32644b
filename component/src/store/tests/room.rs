//! The cap: held at every put, by giving up the right blobs.

use super::*;

/// A store with room for so many blobs of one block.
fn bench_of(blobs: u64) -> Bench {
    Bench::with(|settings| settings.max_bytes = blobs * 4096)
}

fn text(n: u64) -> Vec<u8> {
    format!("blob number {n}").into_bytes()
}

#[test]
fn usage_never_passes_the_cap() {
    let mut bench = bench_of(20);
    for n in 0..100 {
        bench.put("s", &noise(1_000 + (n as usize * 977) % 12_000, n));
        bench.now += 11 * MINUTE;
        assert_eq!(bench.used(), bench.real_usage());
        assert!(bench.used() <= 20 * 4096, "{n}");
    }
    assert!(bench.used() > 10 * 4096, "no more is given up than needed");
    assert!(bench.files("tmp").is_empty());
}

#[test]
fn the_least_recently_used_goes_first_then_the_hot_and_never_the_pinned() {
    let mut bench = bench_of(10);
    let blobs: Vec<_> = (0..10)
        .map(|n| {
            bench.now += MINUTE;
            bench.put("s", &text(n))
        })
        .collect();
    bench.store.pin("s", &blobs[0].id, bench.now).unwrap();
    for _ in 0..3 {
        let hot = bench.resolve("s", &blobs[1].id).unwrap();
        bench.store.note_fetch(&hot, "grep", 10, None, bench.now).unwrap();
    }
    assert!(bench.resolve("s", &blobs[1].id).unwrap().hot);
    bench.pass(HOUR);
    let read = bench.resolve("s", &blobs[2].id).unwrap();
    bench.store.touch(&read, bench.now).unwrap();
    bench.pass(HOUR);

    let lives = |bench: &Bench, n: usize| bench.resolve("s", &blobs[n].id).is_ok();
    // Each time room is made it is made down to nine tenths: for two blobs.
    let put = |bench: &mut Bench, blobs: std::ops::RangeInclusive<u64>| {
        for n in blobs {
            bench.put("s", &text(n));
            bench.now += MINUTE / 2;
        }
    };
    put(&mut bench, 100..=100);
    assert!(!lives(&bench, 3) && !lives(&bench, 4), "the least recently used of the others went");
    assert!((5..10).all(|n| lives(&bench, n)));
    let Err(LookupError::Gone(tombstone)) = bench.resolve("s", &blobs[3].id) else { panic!() };
    assert_eq!(tombstone.reason, Reason::Evicted);
    put(&mut bench, 101..=105);
    assert!(!lives(&bench, 8) && lives(&bench, 9), "what was put earlier went before");
    assert!(lives(&bench, 0) && lives(&bench, 1) && lives(&bench, 2));
    put(&mut bench, 106..=106);
    assert!(!lives(&bench, 9) && !lives(&bench, 2), "then the one that was read");
    assert!(lives(&bench, 0) && lives(&bench, 1), "before the hot one");
    put(&mut bench, 107..=108);
    assert!(!lives(&bench, 1), "the hot one goes last");
    assert!(lives(&bench, 0), "the pinned one stays");
    let outcome = bench.store.put("s", &text(109), &record("t"), bench.now);
    assert!(matches!(outcome, Err(StoreError::Full { .. })), "fresh ones are not given up");
    assert!(lives(&bench, 0));
    assert!(bench.used() <= 10 * 4096);
    assert_eq!(bench.used(), bench.real_usage());
}

#[test]
fn what_was_expired_goes_before_what_was_not() {
    let mut bench = bench_of(10);
    let old: Vec<_> = (0..5).map(|n| bench.put("s", &text(n))).collect();
    bench.pass(80 * HOUR);
    let fresh: Vec<_> = (5..10).map(|n| bench.put("s", &text(n))).collect();
    bench.put("s", &text(10));
    for blob in old {
        let Err(LookupError::Gone(tombstone)) = bench.resolve("s", &blob.id) else { panic!() };
        assert_eq!(tombstone.reason, Reason::Expired);
    }
    fresh.iter().for_each(|blob| assert!(bench.resolve("s", &blob.id).is_ok()));
}

#[test]
fn a_blob_larger_than_the_store_is_refused_at_once() {
    let mut bench = bench_of(10);
    bench.put("s", b"small");
    bench.pass(2 * HOUR);
    let outcome = bench.store.put("s", &noise(50_000, 1), &record("t"), bench.now);
    assert!(matches!(outcome, Err(StoreError::Full { cap_bytes: 40_960, .. })));
    let mut writer = bench.store.writer();
    let outcome = (0..100).try_for_each(|n| writer.write(&noise(1_000, n)));
    assert!(matches!(outcome, Err(StoreError::Full { .. })));
    drop(writer);
    assert_eq!(bench.files("blobs").len(), 1, "nothing was given up for it");
    assert_eq!(bench.used(), 4096);
}

#[test]
fn a_full_store_gives_no_id_and_keeps_what_it_has() {
    let bench = bench_of(3);
    let held: Vec<_> = (0..3).map(|n| bench.put("s", &text(n))).collect();
    let outcome = bench.store.put("s", &text(3), &record("t"), bench.now);
    assert!(matches!(outcome, Err(StoreError::Full { needed_bytes: 4096, cap_bytes: 12_288 })));
    assert_eq!(bench.used(), 3 * 4096);
    for (n, stored) in held.iter().enumerate() {
        assert_eq!(bench.read("s", &stored.id), text(n as u64));
    }
    assert!(bench.files("tmp").is_empty());
    // What is there already needs no room.
    assert_eq!(bench.put("t", &text(0)).digest, held[0].digest);
}

#[test]
fn eviction_reaches_every_session_that_holds_the_blob() {
    let mut bench = bench_of(4);
    let shared = bench.put("a", b"shared");
    bench.put("b", b"shared");
    bench.pass(HOUR);
    for n in 0..4 {
        bench.put("c", &text(n));
    }
    for session in ["a", "b"] {
        assert!(matches!(bench.resolve(session, &shared.id), Err(LookupError::Gone(_))));
    }
    // Put again it is back, under its id.
    bench.pass(HOUR);
    assert_eq!(bench.put("a", b"shared").id, shared.id);
    assert_eq!(bench.read("a", &shared.id), b"shared");
    assert!(matches!(bench.resolve("b", &shared.id), Err(LookupError::Gone(_))));
}

#[test]
fn a_sweep_corrects_counters_that_are_wrong() {
    let mut bench = bench_of(100);
    for n in 0..10 {
        bench.put("s", &text(n));
    }
    let truth = bench.real_usage();
    for name in ["usage/added", "usage/removed"] {
        let path = bench.dir.path().join(name);
        for len in [0, 3, 50] {
            fs::write(&path, vec![0; len]).unwrap();
            for _ in 0..2 {
                bench.now += 2 * MINUTE;
                bench.sweep();
            }
            assert_eq!(bench.used(), truth, "{name} of {len}");
        }
    }
}

#[test]
fn room_that_is_just_being_reserved_is_not_taken_for_an_error() {
    let mut bench = bench_of(100);
    bench.put("s", b"x");
    bench.store.count_added(7).unwrap();
    bench.sweep();
    bench.now += Duration::from_secs(1);
    bench.sweep();
    assert_eq!(bench.used(), 8 * 4096);
    bench.now += 2 * MINUTE;
    bench.sweep();
    assert_eq!(bench.used(), 4096, "but what stays reserved is");
}

#[test]
fn long_counters_are_started_afresh() {
    let bench = bench_of(100);
    bench.put("s", b"x");
    bench.store.count_added(70 * 1024 * 1024).unwrap();
    bench.store.count_removed(70 * 1024 * 1024).unwrap();
    bench.sweep();
    assert_eq!(bench.used(), 4096);
    assert_eq!(bench.store.counters().unwrap(), usage::Counters { added: 1, removed: 0 });
}
