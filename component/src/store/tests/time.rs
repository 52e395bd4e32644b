//! How long things live, and that no clock shortens it.

use super::*;

const YEAR: Duration = Duration::from_secs(365 * 86_400);

fn lives(bench: &Bench, stored: &Stored) -> bool {
    bench.resolve("s", &stored.id).is_ok()
}

#[test]
fn what_is_not_used_expires_and_is_remembered_for_a_while() {
    let mut bench = Bench::new();
    let stored = bench.put("s", b"x");
    bench.pass(71 * HOUR);
    bench.sweep();
    assert!(lives(&bench, &stored));
    bench.pass(2 * HOUR);
    let progress = bench.sweep();
    assert_eq!((progress.expired, progress.removed_blobs), (1, 1));
    let Err(LookupError::Gone(tombstone)) = bench.resolve("s", &stored.id) else { panic!() };
    assert_eq!((tombstone.reason, tombstone.since), (Reason::Expired, bench.now));
    assert_eq!(bench.used(), 0);
    bench.pass(700 * HOUR);
    bench.sweep();
    assert!(matches!(bench.resolve("s", &stored.id), Err(LookupError::Gone(_))));
    bench.pass(30 * HOUR);
    let progress = bench.sweep();
    assert_eq!((progress.dropped_tombstones, progress.dropped_sessions), (1, 1));
    assert!(matches!(bench.resolve("s", &stored.id), Err(LookupError::Unknown)));
    assert!(fs::read_dir(bench.dir.path().join("refs")).unwrap().next().is_none());
}

#[test]
fn reading_keeps_a_blob_alive() {
    let mut bench = Bench::new();
    let [read, unread] = [b"read", b"left"].map(|bytes| bench.put("s", bytes));
    for _ in 0..5 {
        bench.pass(40 * HOUR);
        let entry = bench.resolve("s", &read.id).unwrap();
        bench.store.touch(&entry, bench.now).unwrap();
        bench.sweep();
    }
    assert!(lives(&bench, &read));
    assert!(!lives(&bench, &unread));
}

#[test]
fn a_touch_is_written_once_a_minute() {
    let mut bench = Bench::new();
    let stored = bench.put("s", b"x");
    let put_at = bench.now;
    for (seconds, last_use) in [(30, 0), (59, 0), (60, 60), (90, 60), (130, 130)] {
        bench.now = put_at + Duration::from_secs(seconds);
        let entry = bench.resolve("s", &stored.id).unwrap();
        bench.store.touch(&entry, bench.now).unwrap();
        let entry = bench.resolve("s", &stored.id).unwrap();
        assert_eq!(entry.last_use, put_at + Duration::from_secs(last_use), "after {seconds} s");
    }
}

#[test]
fn three_reads_make_a_blob_hot_and_two_do_not() {
    let mut bench = Bench::new();
    let [hot, cold, once] = [b"3 x", b"2 x", b"old"].map(|bytes| bench.put("s", bytes));
    let fetch = |bench: &Bench, stored: &Stored| {
        let entry = bench.resolve("s", &stored.id).unwrap();
        bench.store.note_fetch(&entry, "range", 1, None, bench.now).unwrap();
    };
    for _ in 0..3 {
        fetch(&bench, &once);
    }
    for _ in 0..2 {
        bench.pass(30 * MINUTE);
        fetch(&bench, &hot);
        fetch(&bench, &cold);
    }
    bench.pass(30 * MINUTE);
    fetch(&bench, &hot);
    for (stored, is_hot) in [(&hot, true), (&cold, false), (&once, true)] {
        assert_eq!(bench.resolve("s", &stored.id).unwrap().hot, is_hot);
    }
    // Reads of long ago do not make the next one count for more.
    bench.pass(70 * HOUR);
    fetch(&bench, &once);
    assert!(!bench.resolve("s", &once.id).unwrap().hot);
    bench.pass(10 * HOUR);
    bench.sweep();
    assert!(lives(&bench, &hot) && !lives(&bench, &cold) && lives(&bench, &once));
    bench.pass(80 * HOUR);
    bench.sweep();
    assert!(lives(&bench, &hot) && !lives(&bench, &once));
    bench.pass(10 * HOUR);
    bench.sweep();
    assert!(!lives(&bench, &hot));
}

#[test]
fn a_pinned_blob_lives_until_it_is_unpinned() {
    let mut bench = Bench::new();
    let stored = bench.put("s", b"x");
    assert!(bench.store.pin("s", &stored.id, bench.now).unwrap().pinned);
    bench.pass(300 * HOUR);
    bench.sweep();
    assert!(bench.resolve("s", &stored.id).unwrap().pinned);
    assert!(!bench.store.unpin("s", &stored.id, bench.now).unwrap().pinned);
    bench.sweep();
    assert!(!lives(&bench, &stored));
    bench.put("s", b"x");
    assert!(!bench.resolve("s", &stored.id).unwrap().pinned);
    // A pin does not stand in the way of deleting, and does not come back.
    bench.store.pin("s", &stored.id, bench.now).unwrap();
    bench.store.forget("s", &stored.id, bench.now).unwrap();
    assert!(!lives(&bench, &stored));
    bench.put("s", b"x");
    assert!(!bench.resolve("s", &stored.id).unwrap().pinned);
}

#[test]
fn a_clock_that_jumps_ten_years_deletes_nothing() {
    for sweeps_between in [false, true] {
        let mut bench = Bench::new();
        let stored = bench.put("s", b"x");
        let start = bench.now;
        let jumps = [start + 10 * YEAR, start, start - 10 * YEAR, start, start + 10 * YEAR];
        for to in jumps {
            bench.now = to;
            if sweeps_between {
                bench.sweep();
            } else {
                bench.put("s", b"another");
            }
            assert!(lives(&bench, &stored));
            bench.pass(2 * HOUR);
            bench.sweep();
            assert!(lives(&bench, &stored));
        }
        // And time goes on: it does expire, in the time it would have.
        bench.pass(50 * HOUR);
        bench.sweep();
        assert!(lives(&bench, &stored));
        bench.pass(30 * HOUR);
        bench.sweep();
        assert!(!lives(&bench, &stored));
    }
}

#[test]
fn a_jump_does_not_give_up_what_is_fresh_to_make_room() {
    let mut bench = Bench::with(|settings| settings.max_bytes = 4 * 4096);
    let stored: Vec<_> = (0..4).map(|n| bench.put("s", &[n])).collect();
    bench.now += 10 * YEAR;
    assert!(bench.store.put("s", b"more", &record("t"), bench.now).is_err());
    assert!(stored.iter().all(|stored| lives(&bench, stored)));
}

#[test]
fn what_a_wrong_clock_dated_ahead_ages_from_when_it_is_right() {
    let mut bench = Bench::new();
    bench.put("s", b"before");
    bench.now += 10 * YEAR;
    let stored = bench.put("s", b"x");
    bench.now -= 10 * YEAR;
    bench.sweep();
    bench.pass(70 * HOUR);
    bench.sweep();
    assert!(lives(&bench, &stored));
    bench.pass(4 * HOUR);
    bench.sweep();
    assert!(!lives(&bench, &stored));
}

#[test]
fn the_list_of_pauses_stays_short() {
    let mut bench = Bench::new();
    let stored = bench.put("s", b"x");
    let mut lines = Vec::new();
    for n in 0..10_000u64 {
        let from = 1_000_000_000_000 + n * 7_200_000;
        lines.extend(from.to_le_bytes());
        lines.extend((from + 3_600_000).to_le_bytes());
    }
    fs::write(bench.dir.path().join("idle"), &lines).unwrap();
    bench.now += 50 * HOUR;
    bench.sweep();
    assert!(fs::metadata(bench.dir.path().join("idle")).unwrap().len() < 64 * 1024);
    bench.pass(60 * HOUR);
    bench.sweep();
    assert!(lives(&bench, &stored), "the last pause is still known");
}
