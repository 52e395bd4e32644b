//! Several at once: every interleaving of two with one switch, and many threads for the rest.

use super::fault::between;
use super::*;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Does `other` as a whole after each step of `act` in turn, and checks what is left each time.
fn at_every_step<T>(
    prepare: impl Fn() -> Bench,
    act: impl Fn(&BlobStore, SystemTime) -> T,
    other: impl Fn(&BlobStore, SystemTime) + Copy + 'static,
    check: impl Fn(&Bench, T),
) {
    for after in 0.. {
        let bench = prepare();
        let (store, now) = (bench.store.clone(), bench.now);
        let (outcome, struck) =
            between(after, move || other(&store, now), || act(&bench.store, bench.now));
        check(&bench, outcome);
        if !struck {
            assert!(after > 0, "there is no step to come between");
            return;
        }
    }
}

/// A bench in the past of the machine, which dates temporary files: none of them looks old.
fn bench(change: impl FnOnce(&mut StoreSettings)) -> Bench {
    let mut bench = Bench::with(change);
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    bench.now = SystemTime::UNIX_EPOCH + Duration::from_secs(since.as_secs()) - 200 * HOUR;
    bench
}

/// A store with a blob that expired, so that the next sweep removes it.
fn with_expired() -> Bench {
    let mut bench = bench(|_| ());
    bench.put("s", b"content");
    bench.pass(80 * HOUR);
    bench
}

/// A store with a blob that nobody holds, so that the next sweep removes it.
fn with_orphan() -> Bench {
    let mut bench = bench(|_| ());
    bench.store.publish(b"content", bench.now).unwrap();
    bench.pass(2 * HOUR);
    bench
}

/// A store that is full, of what may be given up.
fn full() -> Bench {
    let mut bench = bench(|settings| settings.max_bytes = 3 * 4096);
    for bytes in [b"content", b"fill  1", b"fill  2"] {
        bench.put("s", bytes);
        bench.pass(20 * MINUTE);
    }
    bench
}

fn put_content(store: &BlobStore, now: SystemTime) -> Result<Stored, StoreError> {
    store.put("s", b"content", &record("tool"), now)
}

fn reads_content(bench: &Bench) {
    let id = BlobId::of(&Digest::of(b"content"), 12);
    assert_eq!(bench.read("s", &id), b"content");
    bench.sweep();
    assert_eq!(bench.read("s", &id), b"content");
}

#[test]
fn a_put_during_a_sweep() {
    for prepare in [with_expired, with_orphan] {
        at_every_step(
            prepare,
            sweep,
            |store, now| {
                put_content(store, now).unwrap();
            },
            |bench, progress| {
                assert_eq!(progress.failed, 0);
                if bench.store.list("s", None, 9, bench.now).unwrap().total > 0 {
                    reads_content(bench);
                }
            },
        );
    }
}

#[test]
fn a_put_during_a_sweep_gives_an_id_that_lives() {
    for prepare in [with_expired, with_orphan] {
        for after in 0.. {
            let bench = prepare();
            let (store, now) = (bench.store.clone(), bench.now);
            let other = move || {
                put_content(&store, now).unwrap();
            };
            let (_, struck) = between(after, other, || sweep(&bench.store, bench.now));
            if !struck {
                break;
            }
            reads_content(&bench);
        }
    }
}

#[test]
fn a_sweep_during_a_put() {
    for prepare in [with_expired, with_orphan] {
        at_every_step(
            prepare,
            put_content,
            |store, now| {
                sweep(store, now);
            },
            |bench, outcome| {
                outcome.unwrap();
                reads_content(bench);
            },
        );
    }
}

#[test]
fn an_eviction_during_a_put_and_a_put_during_an_eviction() {
    let evict = |store: &BlobStore, now| store.put("t", b"needs room", &record("t"), now);
    at_every_step(
        full,
        put_content,
        move |store, now| {
            let _ = evict(store, now);
        },
        |bench, outcome| {
            if outcome.is_ok() {
                reads_content(bench);
            }
            assert!(bench.used() <= 3 * 4096);
        },
    );
    for after in 0.. {
        let bench = full();
        let (store, now) = (bench.store.clone(), bench.now);
        let other = move || {
            put_content(&store, now).unwrap();
        };
        let (outcome, struck) = between(after, other, || evict(&bench.store, bench.now));
        if !struck {
            break;
        }
        reads_content(&bench);
        if let Ok(stored) = outcome {
            assert_eq!(bench.read("t", &stored.id), b"needs room");
        }
        assert!(bench.real_usage() <= 3 * 4096);
    }
}

#[test]
fn a_read_during_an_eviction_finds_the_blob_or_its_tombstone() {
    for after in 0.. {
        let bench = full();
        let (store, now) = (bench.store.clone(), bench.now);
        let id = BlobId::of(&Digest::of(b"content"), 12);
        let other = move || match store.resolve(Some("s"), &id, now) {
            Ok(entry) => {
                assert_eq!(content(&store.open_blob(&entry.digest).unwrap()), b"content");
                store.touch(&entry, now).unwrap();
            }
            Err(LookupError::Gone(tombstone)) => assert_eq!(tombstone.reason, Reason::Evicted),
            Err(error) => panic!("{error:?}"),
        };
        let (_, struck) = between(after, other, || {
            bench.store.put("t", b"needs room", &record("t"), bench.now).unwrap()
        });
        if !struck {
            break;
        }
    }
}

#[test]
fn a_pin_during_a_sweep_or_an_eviction_holds_or_says_that_it_came_too_late() {
    let id = BlobId::of(&Digest::of(b"content"), 12);
    let almost_expired = || {
        let mut bench = with_expired();
        bench.now -= 9 * HOUR;
        bench
    };
    for after in 0.. {
        // Each pins before the time is over, while another process whose clock is ahead sweeps.
        let bench = almost_expired();
        let (store, now) = (bench.store.clone(), bench.now);
        let pinned = std::rc::Rc::new(std::cell::Cell::new(false));
        let told = pinned.clone();
        let other = move || told.set(store.pin("s", &id, now).is_ok());
        let (_, struck) = between(after, other, || sweep(&bench.store, bench.now + 10 * HOUR));
        if !struck {
            break;
        }
        if pinned.get() {
            assert_eq!(bench.read("s", &id), b"content", "after {after} steps");
            assert!(bench.resolve("s", &id).unwrap().pinned);
        }
    }
    for after in 0.. {
        let bench = full();
        let (store, now) = (bench.store.clone(), bench.now);
        let pinned = std::rc::Rc::new(std::cell::Cell::new(false));
        let told = pinned.clone();
        let other = move || told.set(store.pin("s", &id, now).is_ok());
        let evict = || bench.store.put("t", b"needs room", &record("t"), bench.now);
        let (_, struck) = between(after, other, evict);
        if !struck {
            break;
        }
        if pinned.get() {
            assert_eq!(bench.read("s", &id), b"content", "after {after} steps");
        }
    }
}

#[test]
fn a_sweep_during_a_pin() {
    let id = BlobId::of(&Digest::of(b"content"), 12);
    at_every_step(
        || {
            let mut bench = with_expired();
            bench.now -= 9 * HOUR;
            bench
        },
        |store, now| store.pin("s", &id, now),
        |store, now| {
            sweep(store, now + 10 * HOUR);
        },
        |bench, outcome| {
            if outcome.is_ok() {
                assert_eq!(bench.read("s", &id), b"content");
            }
        },
    );
}

#[test]
fn a_put_while_another_session_forgets_the_same_bytes() {
    let id = BlobId::of(&Digest::of(b"content"), 12);
    let held = || {
        let mut bench = bench(|_| ());
        bench.put("s", b"content");
        bench.now += 2 * MINUTE;
        bench
    };
    let in_pieces = |store: &BlobStore, now| {
        // As a result that is streamed: what it wrote is in a file.
        let mut writer = store.writer();
        writer.write(&noise(1_100_000, 3))?;
        writer.commit("t", &record("t"), now)
    };
    let reads = |bench: &Bench, stored: &Stored, bytes: &[u8]| {
        assert_eq!(bench.read("t", &stored.id), bytes);
        bench.sweep();
        assert_eq!(bench.read("t", &stored.id), bytes);
    };
    at_every_step(
        held,
        |store, now| store.put("t", b"content", &record("t"), now),
        move |store, now| {
            store.forget("s", &id, now).unwrap();
        },
        |bench, outcome| reads(bench, &outcome.unwrap(), b"content"),
    );
    at_every_step(
        held,
        move |store, now| store.forget("s", &id, now),
        |store, now| {
            store.put("t", b"content", &record("t"), now).unwrap();
        },
        |bench, outcome| {
            outcome.unwrap();
            if bench.store.list("t", None, 9, bench.now).unwrap().total > 0 {
                assert_eq!(bench.read("t", &id), b"content");
            }
        },
    );
    let large = BlobId::of(&Digest::of(&noise(1_100_000, 3)), 12);
    at_every_step(
        || {
            let mut bench = bench(|_| ());
            bench.put("s", &noise(1_100_000, 3));
            bench.now += 2 * MINUTE;
            bench
        },
        in_pieces,
        move |store, now| {
            store.forget("s", &large, now).unwrap();
        },
        // What was streamed is held by nobody else: where it goes before it is referred to, that is said.
        |bench, outcome| match outcome {
            Err(StoreError::Contended { .. }) => {
                assert_eq!(bench.store.list("t", None, 9, bench.now).unwrap().total, 0);
            }
            outcome => reads(bench, &outcome.unwrap(), &noise(1_100_000, 3)),
        },
    );
}

#[test]
fn a_sweep_during_a_sweep() {
    for prepare in [with_expired, with_orphan, full] {
        at_every_step(
            prepare,
            sweep,
            |store, now| {
                sweep(store, now);
            },
            |bench, progress| {
                assert_eq!(progress.failed, 0);
                bench.sweep();
                assert!(bench.files("tmp").is_empty());
                assert_eq!(bench.used(), bench.real_usage());
            },
        );
    }
}

#[test]
fn a_put_during_the_same_put() {
    at_every_step(
        || bench(|_| ()),
        put_content,
        |store, now| {
            put_content(store, now).unwrap();
        },
        |bench, outcome| {
            outcome.unwrap();
            reads_content(bench);
            assert_eq!(bench.files("blobs").len(), 1);
            assert_eq!(bench.used(), bench.real_usage());
        },
    );
}

#[test]
fn puts_from_eight_threads_while_others_sweep() {
    let bench = bench(|settings| settings.grace = Duration::ZERO);
    // Half of the blobs are the same in all threads, and some were there before and are expired.
    let bytes = |thread: usize, n: usize| {
        if n.is_multiple_of(2) { format!("shared {n}") } else { format!("{n} of {thread}") }
            .into_bytes()
    };
    for n in 0..24 {
        bench.put("old", &bytes(0, n));
    }
    let over = AtomicBool::new(false);
    let now = bench.now + 2 * MINUTE;
    let given: Vec<_> = std::thread::scope(|scope| {
        let sweepers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        sweep(&bench.store, now);
                    }
                })
            })
            .collect();
        let writers: Vec<_> = (0..8)
            .map(|thread| {
                let store = &bench.store;
                scope.spawn(move || {
                    let session = format!("s{}", thread % 3);
                    (0..24)
                        .map(|n| {
                            let bytes = bytes(thread, n);
                            let stored = store.put(&session, &bytes, &record("t"), now).unwrap();
                            (session.clone(), stored, bytes)
                        })
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        let given: Vec<_> = writers.into_iter().map(|thread| thread.join()).collect();
        over.store(true, Ordering::Relaxed);
        let given = given.into_iter().flat_map(|given| given.unwrap()).collect();
        sweepers.into_iter().for_each(|thread| thread.join().unwrap());
        given
    });
    assert_eq!(given.len(), 8 * 24);
    for (session, stored, bytes) in &given {
        assert_eq!(bench.read(session, &stored.id), *bytes);
    }
    assert_eq!(bench.files("blobs").len(), 12 + 8 * 12);
    for step in 1..3 {
        sweep(&bench.store, now + step * 2 * MINUTE);
    }
    assert_eq!(bench.used(), bench.real_usage());
    assert!(bench.files("tmp").is_empty());
}

#[test]
fn threads_that_evict_each_other_never_pass_the_cap_nor_hold_a_dead_id() {
    let mut bench = bench(|settings| {
        settings.max_bytes = 24 * 4096;
        settings.grace = Duration::from_secs(10);
    });
    bench.put("s", b"first");
    let start = bench.now;
    let clock = AtomicU32::new(1);
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (store, clock) = (&bench.store, &clock);
            scope.spawn(move || {
                for n in 0..50 {
                    // One clock for all, as on one machine.
                    let ticks = clock.fetch_add(1, Ordering::Relaxed);
                    let now = start + Duration::from_millis(500) * ticks;
                    let bytes = noise(2_000, thread * 1_000 + n);
                    match store.put("s", &bytes, &record("t"), now) {
                        Ok(stored) => {
                            let read = store
                                .resolve(Some("s"), &stored.id, now)
                                .map_err(|error| error.to_string())
                                .and_then(|entry| {
                                    let blob = store.open_blob(&entry.digest);
                                    blob.map_err(|error| error.to_string())
                                });
                            match read {
                                Ok(blob) => assert_eq!(content(&blob), bytes),
                                // This thread had to wait while the others used up the grace time.
                                Err(error) => {
                                    let passed = clock.load(Ordering::Relaxed) - ticks;
                                    assert!(passed >= 20, "after {passed} ticks: {error}");
                                }
                            }
                        }
                        Err(StoreError::Full { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
    assert!(bench.real_usage() <= 24 * 4096);
    bench.now = start + 20 * MINUTE;
    for _ in 0..3 {
        bench.now += 2 * MINUTE;
        bench.sweep();
    }
    assert_eq!(bench.used(), bench.real_usage());
    for entry in bench.store.list("s", None, 100, bench.now).unwrap().entries {
        assert_eq!(
            content(&bench.store.open_blob(&entry.digest).unwrap()).len() as u64,
            entry.bytes
        );
    }
}
