//! A store in memory does what one on disk does.

use super::*;

/// What a store answers to all that is asked of it, in words.
fn answers(root: &Path) -> Vec<String> {
    let settings = StoreSettings {
        max_bytes: 40 * 4_096,
        grace: Duration::ZERO,
        ttl: HOUR,
        hot_ttl: HOUR,
        ..StoreSettings::default()
    };
    let mut now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
    let store = BlobStore::open(root, settings).unwrap();
    let mut said = Vec::new();
    let mut ids = Vec::new();
    for n in 0..60_u64 {
        now += MINUTE;
        // Some come again, and some are too large for one block.
        let text = format!("{}\n", n % 50).repeat(1 + 900 * (n as usize % 7));
        let stored = store.put(["a", "b"][n as usize % 2], text.as_bytes(), &record("t"), now);
        let stored = stored.unwrap();
        said.push(format!("{} {} {:?}", stored.id, stored.is_repeat, stored.totals));
        ids.push(stored.id);
    }
    let forgotten = ["a", "b"].map(|session| store.forget(session, &ids[58], now).is_ok());
    let pinned = store.pin("b", &ids[59], now).is_ok();
    said.push(format!("{forgotten:?} {pinned}"));
    for round in 0..3 {
        for (id, session) in ids.iter().zip(["a", "b"].iter().cycle()) {
            let entry = store.resolve(Some(session), id, now);
            let read = entry.as_ref().ok().map(|entry| {
                store.note_fetch(entry, "full", 3, None, now).unwrap();
                content(&store.open_blob(&entry.digest).unwrap())
            });
            said.push(format!("{round} {id} {entry:?} {:?}", read.map(|bytes| Digest::of(&bytes))));
        }
        let listed = store.list("b", None, 100, now).unwrap();
        said.push(format!("{:?}", listed.entries.iter().map(|entry| entry.id).collect::<Vec<_>>()));
        said.push(format!("{:?}", store.doctor(false).step(u64::MAX, now)));
        said.push(format!("{:?}", store.status(now)));
        now += 2 * HOUR;
        store.beat(now).unwrap();
        said.push(format!("{:?}", sweep(&store, now)));
    }
    said.push(format!("{:?}", store.stats()));
    said
}

#[test]
fn a_store_in_memory_answers_as_one_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let (on_disk, in_memory) = (answers(dir.path()), answers(Path::new(MEMORY)));
    assert!(on_disk.iter().filter(|said| said.contains("Err(Gone")).count() > 20);
    assert_eq!(on_disk, in_memory);
    assert!(!Path::new(MEMORY).exists());
}

#[test]
fn the_memory_has_names_as_a_directory_has() {
    use super::super::disk::{
        Listing, append, create_dir_all, create_new, link, list, open, overwrite, remove_dir,
        remove_file, rename, stat, touch,
    };
    let dir = tempfile::tempdir().unwrap();
    let tried = |root: &Path| {
        let at = |name: &str| root.join(name);
        let kind = |done: std::io::Result<()>| done.map_err(|error| error.kind());
        let steps = [
            kind(create_dir_all(&at("a/b"))),
            kind(create_new(&at("a/x")).and_then(|file| file.write_at(2, b"cd"))),
            kind(create_new(&at("a/x")).map(drop)),
            kind(create_new(&at("nowhere/x")).map(drop)),
            kind(append(&at("a/x"), b"ef")),
            kind(overwrite(&at("a/x"), b"ab")),
            kind(link(&at("a/x"), &at("a/b/y"))),
            kind(link(&at("a/x"), &at("a/b/y"))),
            kind(link(&at("a/none"), &at("a/b/z"))),
            kind(append(&at("a/b/y"), b"g")),
            kind(remove_dir(&at("a/b"))),
            kind(rename(&at("a/x"), &at("a/w"))),
            kind(rename(&at("a/w"), &at("a/v"))),
            kind(append(&at("a/b/v"), b"h")),
            kind(rename(&at("a/b/v"), &at("a/v"))),
            kind(rename(&at("a/x"), &at("nowhere/x"))),
            kind(rename(&at("a/b/y"), &at("nowhere/x"))),
            kind(touch(&at("a/none"), SystemTime::UNIX_EPOCH)),
            kind(touch(&at("a/b/y"), SystemTime::UNIX_EPOCH)),
            kind(remove_file(&at("a/none"))),
            kind(create_new(&at("a/c")).map(drop)),
            kind(remove_dir(&at("a/c"))),
            kind(remove_dir(&at("a/none"))),
            kind(open(&at("a/none")).map(drop)),
        ];
        let mut buf = [0; 16];
        let file = open(&at("a/b/y")).unwrap();
        let n = file.read_at(1, &mut buf).unwrap();
        let names = [list(&at("a")), list(&at("a/b")), list(&at("a/c")), list(&at("no"))];
        let names = names.map(|listing| match listing.unwrap() {
            Listing::Names(mut names, 0) => {
                crate::sort::sort(&mut names);
                names.join(" ")
            }
            Listing::Names(..) => "foreign".to_owned(),
            Listing::Missing => "missing".to_owned(),
            Listing::Other => "other".to_owned(),
        });
        let looked = stat(&at("a/b/y")).unwrap().map(|stat| (stat.kind, stat.len, stat.modified));
        (steps, buf[..n].to_vec(), file.len().unwrap(), names, looked)
    };
    let in_memory = tried(Path::new(MEMORY));
    assert_eq!(tried(dir.path()), in_memory);
    assert_eq!(in_memory.1, b"bcdefg");
}
