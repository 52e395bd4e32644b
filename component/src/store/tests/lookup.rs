//! Ids: what each finds, and what it must never find.

use super::*;
use crate::content::kind::Kind;

/// Two texts whose digests share twelve digits.
const TWINS: [&[u8]; 2] = [b"doc 11004553", b"doc 25975636"];

#[test]
fn blobs_that_share_twelve_digits_have_ids_of_their_own() {
    let mut bench = Bench::new();
    let [first, second] = TWINS.map(|text| bench.put("s", text));
    assert_eq!(first.id.to_string(), "1bd8c7633584");
    assert!(second.id.to_string().starts_with("1bd8c7633584"));
    assert_eq!(second.id.hex_len(), 13);
    for (twin, text) in [(first, TWINS[0]), (second, TWINS[1])] {
        assert_eq!(bench.read("s", &twin.id), text);
        assert_eq!(bench.read("s", &BlobId::of(&twin.digest, 64)), text);
        assert_eq!(bench.put("s", text).id, twin.id, "an id does not change");
    }
    // In another session and the other order.
    assert_eq!(bench.put("t", TWINS[1]).id, first.id);
    assert_eq!(bench.read("t", &first.id), TWINS[1]);
    // Without a session the short id means either.
    match bench.store.resolve(None, &first.id, bench.now) {
        Err(LookupError::Ambiguous(ids)) => {
            assert_eq!(ids.len(), 2);
            for id in ids {
                let entry = bench.store.resolve(None, &id, bench.now).unwrap();
                assert!(id.is_prefix_of(&entry.digest));
            }
        }
        other => panic!("{other:?}"),
    }
    // When the first is gone, its id does not become the other's.
    bench.store.forget("s", &first.id, bench.now).unwrap();
    assert!(matches!(bench.resolve("s", &first.id), Err(LookupError::Gone(_))));
    assert_eq!(bench.read("s", &second.id), TWINS[1]);
    bench.pass(2 * HOUR);
    bench.sweep();
    assert_eq!(bench.put("s", TWINS[1]).id, second.id);
}

#[test]
fn a_tombstones_id_is_not_given_to_another_blob() {
    let bench = Bench::new();
    let first = bench.put("s", TWINS[0]);
    bench.store.forget("s", &first.id, bench.now).unwrap();
    let second = bench.put("s", TWINS[1]);
    assert_eq!(second.id.hex_len(), 13);
    assert!(matches!(bench.resolve("s", &first.id), Err(LookupError::Gone(_))));
    assert_eq!(bench.put("s", TWINS[0]).id, first.id, "the same blob comes back under its id");
    assert_eq!(bench.read("s", &first.id), TWINS[0]);
    assert_eq!(bench.files("refs").len(), 2);
}

#[test]
fn gone_and_unknown_are_told_apart_and_what_others_hold_is_unknown() {
    let bench = Bench::new();
    let mine = bench.put("me", b"mine");
    let theirs = bench.put("them", b"theirs");
    assert!(matches!(bench.resolve("me", &theirs.id), Err(LookupError::Unknown)));
    let unknown = BlobId::parse("0123456789ab").unwrap();
    assert!(matches!(bench.resolve("me", &unknown), Err(LookupError::Unknown)));
    assert!(matches!(bench.resolve("nobody", &mine.id), Err(LookupError::Unknown)));
    bench.store.forget("me", &mine.id, bench.now).unwrap();
    match bench.resolve("me", &mine.id) {
        Err(LookupError::Gone(tombstone)) => {
            assert_eq!(tombstone.reason, Reason::Deleted);
            assert_eq!(tombstone.record.tool, "tool");
            assert_eq!(tombstone.bytes, Some(4));
            assert_eq!(tombstone.since, bench.now);
        }
        other => panic!("{other:?}"),
    }
    // Another session learns nothing of it.
    assert!(matches!(bench.resolve("them", &mine.id), Err(LookupError::Unknown)));
    assert_eq!(bench.store.resolve(None, &theirs.id, bench.now).unwrap().record.tool, "tool");
    assert!(matches!(
        bench.store.resolve(Some(""), &mine.id, bench.now),
        Err(LookupError::Store(StoreError::BadSession { .. }))
    ));
}

#[test]
fn a_garbage_record_concerns_only_itself() {
    for garbage in ["", "[]", "null", "{garbage", "{\"blobs\":null}", "5", "{\"version\":1}"] {
        let mut bench = Bench::new();
        let hit = bench.put("s", b"hit\nby garbage");
        let other = bench.put("s", b"not hit");
        fs::write(bench.ref_path("s", &hit.id.to_string()), garbage).unwrap();
        bench.date(&bench.ref_path("s", &hit.id.to_string()), bench.now);
        assert_eq!(bench.read("s", &other.id), b"not hit");
        let entry = bench.resolve("s", &hit.id).unwrap();
        assert!(entry.damaged);
        assert_eq!((entry.bytes, entry.lines), (14, 2));
        assert_eq!(bench.read("s", &hit.id), b"hit\nby garbage");
        assert_eq!(bench.store.list("s", None, 9, bench.now).unwrap().entries.len(), 2);
        bench.pass(60 * HOUR);
        assert_eq!(bench.sweep().removed_blobs, 0, "its blob is not an orphan");
        let mut doctor = bench.store.doctor(true);
        let report = doctor.step(u64::MAX, bench.now).unwrap();
        assert_eq!((report.damaged_records, report.dead_references), (1, 0));
        assert_eq!(bench.put("s", b"hit\nby garbage").id, hit.id);
        assert!(!bench.resolve("s", &hit.id).unwrap().damaged, "a put again heals it");
    }
}

#[test]
fn a_record_from_the_future_still_says_which_blob_it_is() {
    let bench = Bench::new();
    let stored = bench.put("s", b"x");
    let path = bench.ref_path("s", &stored.id.to_string());
    let text = fs::read_to_string(&path).unwrap();
    let text = text
        .replace("\"binary\"", "\"hologram\"")
        .replace("{\"version\":1", "{\"new\":[1],\"version\":2");
    fs::write(&path, text).unwrap();
    bench.date(&path, bench.now);
    let entry = bench.resolve("s", &stored.id).unwrap();
    assert!(!entry.damaged);
    assert_eq!(entry.record.kind, Kind::Text, "a kind that is not known is some text");
    assert_eq!((entry.digest, entry.bytes), (stored.digest, 1));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"hologram\"", "[7]")).unwrap();
    bench.date(&path, bench.now);
    let entry = bench.resolve("s", &stored.id).unwrap();
    assert!(entry.damaged);
    assert_eq!((entry.digest, entry.bytes), (stored.digest, 1));
}

#[test]
fn a_tombstone_that_cannot_be_read_is_one_all_the_same() {
    let bench = Bench::new();
    let stored = bench.put("s", b"x");
    bench.store.forget("s", &stored.id, bench.now).unwrap();
    fs::write(bench.ref_path("s", &format!("{}.deleted", stored.id)), "[]").unwrap();
    match bench.resolve("s", &stored.id) {
        Err(LookupError::Gone(tombstone)) => assert_eq!(tombstone.bytes, None),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_list_has_everything_once_the_last_used_first() {
    let mut bench = Bench::new();
    let mut ids = Vec::new();
    for n in 0..25 {
        ids.push(bench.put("s", format!("blob {n}").as_bytes()).id);
        // Some have the same time.
        bench.now += Duration::from_secs(n % 3);
    }
    bench.put("t", b"of another session");
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = bench.store.list("s", after.as_deref(), 4, bench.now).unwrap();
        assert_eq!(page.total, 25);
        assert!(page.entries.len() <= 4);
        seen.extend(page.entries.iter().map(|entry| (entry.last_use, entry.id)));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert!(seen.windows(2).all(|pair| pair[0].0 >= pair[1].0));
    let mut seen: Vec<_> = seen.into_iter().map(|(_, id)| id).collect();
    seen.sort_unstable();
    ids.sort_unstable();
    assert_eq!(seen, ids);
    assert_eq!(bench.store.list("s", Some("garbage"), 99, bench.now).unwrap().entries.len(), 25);
    assert!(bench.store.list("nobody", None, 9, bench.now).unwrap().entries.is_empty());
}

#[cfg(unix)]
#[test]
fn a_planted_symlink_is_not_followed() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    // In a blob's place.
    let digest = Digest::of(b"content");
    fs::create_dir_all(bench.store.blob_path(&digest).parent().unwrap()).unwrap();
    symlink(&secret, bench.store.blob_path(&digest)).unwrap();
    assert!(matches!(bench.store.open_blob(&digest), Err(StoreError::Corrupt { .. })));
    let stored = bench.put("s", b"content");
    assert_eq!(bench.read("s", &stored.id), b"content");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    // In a record's place.
    let path = bench.ref_path("s", &stored.id.to_string());
    fs::remove_file(&path).unwrap();
    symlink(&secret, &path).unwrap();
    assert!(matches!(bench.resolve("s", &stored.id), Err(LookupError::Unknown)));
    bench.sweep();
    bench.put("s", b"content");
    assert_eq!(bench.read("s", &stored.id), b"content");
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    // In a counter's, a marker's and a session's place.
    let counter = bench.dir.path().join("usage/added");
    fs::remove_file(&counter).unwrap();
    symlink(&secret, &counter).unwrap();
    bench.put("s", b"more");
    assert!(fs::symlink_metadata(&counter).unwrap().is_file(), "the link was moved aside");
    symlink(&secret, bench.ref_path("s", &format!("{}.pin", stored.id))).unwrap();
    assert!(bench.store.pin("s", &stored.id, bench.now).unwrap().pinned);
    symlink(
        outside.path(),
        bench.ref_path("t", "").parent().unwrap().join("t.0123456789abcdef0123456789abcdef"),
    )
    .unwrap();
    bench.sweep();
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}
