//! What the store promises, whatever happens to it.

mod crash;
mod lookup;
mod memory;
mod race;
mod room;
mod time;
mod upkeep;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::session::SessionKey;
use super::*;
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::settings::StoreSettings;
use crate::source::{Indexed, Mark, Source};
use proptest::prelude::*;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

impl BlobStore {
    /// Publishes bytes and refers to them, again where others remove them in between: as a result is stored.
    pub(crate) fn put(
        &self,
        session: &str,
        bytes: &[u8],
        record: &Record,
        now: SystemTime,
    ) -> Result<Stored, StoreError> {
        SessionKey::of(session)?;
        let mut attempts = 0..4;
        loop {
            match self.refer(session, &self.publish(bytes, now)?, record, now) {
                Err(StoreError::Contended { .. }) if attempts.next().is_some() => {}
                outcome => return outcome,
            }
        }
    }
}

impl BlobWriter {
    /// Publishes what was written and refers to it, once: as a result is stored that was streamed.
    fn commit(self, session: &str, record: &Record, now: SystemTime) -> Result<Stored, StoreError> {
        let store = self.store.clone();
        store.refer(session, &self.publish(now)?, record, now)
    }
}

/// A store in a directory of its own, and the time there.
struct Bench {
    dir: tempfile::TempDir,
    store: BlobStore,
    now: SystemTime,
}

impl Bench {
    fn new() -> Bench {
        Bench::with(|_| ())
    }

    fn with(change: impl FnOnce(&mut StoreSettings)) -> Bench {
        let mut settings = StoreSettings::default();
        change(&mut settings);
        let dir = tempfile::tempdir().unwrap();
        let store = BlobStore::open(dir.path(), settings).unwrap();
        // Whole seconds, so that times survive any file system.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        Bench { dir, store, now }
    }

    fn put(&self, session: &str, bytes: &[u8]) -> Stored {
        self.store.put(session, bytes, &record("tool"), self.now).unwrap()
    }

    fn resolve(&self, session: &str, id: &BlobId) -> Result<Entry, LookupError> {
        self.store.resolve(Some(session), id, self.now)
    }

    /// What the session reads under that id.
    fn read(&self, session: &str, id: &BlobId) -> Vec<u8> {
        let entry = self.resolve(session, id).unwrap();
        content(&self.store.open_blob(&entry.digest).unwrap())
    }

    fn sweep(&self) -> Progress {
        sweep(&self.store, self.now)
    }

    /// Lets time pass during which the store is used.
    fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now = end.min(self.now + 50 * MINUTE);
            self.store.beat(self.now).unwrap();
        }
    }

    fn blob_path(&self, stored: &Stored) -> PathBuf {
        self.store.blob_path(&stored.digest)
    }

    fn ref_path(&self, session: &str, name: &str) -> PathBuf {
        let key = session::SessionKey::of(session).unwrap();
        self.store.session_dir(&key).join(name)
    }

    /// Files anywhere below a directory of the store.
    fn files(&self, dir: &str) -> Vec<PathBuf> {
        fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(dir).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() { walk(&path, files) } else { files.push(path) }
            }
        }
        let mut files = Vec::new();
        walk(&self.dir.path().join(dir), &mut files);
        files.sort();
        files
    }

    /// Gives a file another time.
    fn date(&self, path: &Path, time: SystemTime) {
        fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }

    fn used(&self) -> u64 {
        self.store.status(self.now).unwrap().used_bytes
    }

    /// What the blobs really take.
    fn real_usage(&self) -> u64 {
        let len = |path: &PathBuf| fs::metadata(path).unwrap().len().div_ceil(4096) * 4096;
        self.files("blobs").iter().map(len).sum()
    }
}

fn record(tool: &str) -> Record {
    Record { tool: tool.to_owned(), ..Record::default() }
}

fn content(blob: &Blob) -> Vec<u8> {
    blob.read_range(0, blob.len()).unwrap()
}

fn sweep(store: &BlobStore, now: SystemTime) -> Progress {
    let mut sweeper = store.sweeper();
    loop {
        let progress = sweeper.step(7, now).unwrap();
        if progress.done {
            return progress;
        }
    }
}

/// Bytes that do not compress and are not text.
fn noise(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..len)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect()
}

#[test]
fn what_was_put_comes_back_in_another_process() {
    let bench = Bench::new();
    for bytes in [b"".to_vec(), b"a".to_vec(), b"one\ntwo".to_vec(), noise(300_000, 1)] {
        let stored = bench.put("s", &bytes);
        assert_eq!(stored.digest, Digest::of(&bytes));
        let reopened = BlobStore::open(bench.dir.path(), StoreSettings::default()).unwrap();
        let entry = reopened.resolve(Some("s"), &stored.id, bench.now).unwrap();
        assert_eq!(entry.bytes, bytes.len() as u64);
        assert_eq!(entry.lines, stored.lines);
        assert_eq!(entry.record.tool, "tool");
        let blob = reopened.open_blob(&entry.digest).unwrap();
        assert_eq!(content(&blob), bytes);
        assert_eq!(blob.lines().unwrap(), stored.lines);
        assert_eq!(blob.totals(), Mark::default().advance(&bytes));
        blob.verify().unwrap();
    }
    assert!(bench.files("tmp").is_empty());
}

#[test]
fn a_blob_written_in_pieces_is_the_blob_written_whole() {
    let bench = Bench::new();
    for (len, piece) in [(10, 3), (70_000, 999), (2_500_000, 65_536), (3_000_000, 1_000_003)] {
        let bytes = noise(len, len as u64);
        let mut writer = bench.store.writer();
        bytes.chunks(piece).for_each(|piece| writer.write(piece).unwrap());
        let in_pieces = writer.commit("s", &record("t"), bench.now).unwrap();
        let first = fs::read(bench.blob_path(&in_pieces)).unwrap();
        fs::remove_file(bench.blob_path(&in_pieces)).unwrap();
        assert_eq!(bench.put("s", &bytes), in_pieces);
        assert_eq!(fs::read(bench.blob_path(&in_pieces)).unwrap(), first);
        assert_eq!(bench.read("s", &in_pieces.id), bytes);
    }
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let bench = Bench::new();
    let mut writer = bench.store.writer();
    writer.write(&noise(3_000_000, 1)).unwrap();
    assert_eq!(bench.files("tmp").len(), 1);
    drop(writer);
    assert!(bench.files("tmp").is_empty());
    assert!(bench.files("blobs").is_empty());
}

#[test]
fn the_same_bytes_are_stored_once_and_the_second_put_writes_nothing() {
    let mut bench = Bench::new();
    let first = bench.put("a", b"the same");
    let before = bench.files("");
    let used = bench.used();
    bench.now += Duration::from_secs(30);
    let (again, struck) =
        fault::with(fault::Fault::DiskFull { after: 0 }, || bench.put("a", b"the same"));
    assert!(!struck, "the second put wanted to write");
    assert_eq!(again, Stored { is_repeat: true, ..first });
    assert_eq!(bench.files(""), before);
    assert_eq!(bench.used(), used);
    // Another session has a reference of its own to the one blob.
    assert_eq!(bench.put("b", b"the same").digest, first.digest);
    assert_eq!(bench.files("blobs").len(), 1);
    assert_eq!(bench.files("refs").len(), 2);
}

#[test]
fn a_put_again_renews_the_record_and_keeps_the_id() {
    let bench = Bench::new();
    let first = bench.put("s", b"content");
    let source = Some("https://example.org".to_owned());
    let renewed = Record { source: source.clone(), ..record("other") };
    let again = bench.store.put("s", b"content", &renewed, bench.now).unwrap();
    assert_eq!(again.id, first.id);
    assert_eq!(bench.resolve("s", &first.id).unwrap().record.source, source);
}

#[test]
fn a_text_view_lives_as_long_as_its_parent() {
    let mut bench = Bench::new();
    let view = bench.store.publish(b"the text inside", bench.now).unwrap();
    let with_view = Record { text_view: Some(view.digest), ..record("t") };
    let parent = bench.store.put("s", b"{\"result\":\"..\"}", &with_view, bench.now).unwrap();
    assert_eq!(
        bench.store.list("s", None, 10, bench.now).unwrap().entries.len(),
        1,
        "the view has no id"
    );
    for _ in 0..10 {
        bench.pass(20 * HOUR);
        let entry = bench.resolve("s", &parent.id).unwrap();
        bench.store.touch(&entry, bench.now).unwrap();
        bench.sweep();
        assert_eq!(content(&bench.store.open_blob(&view.digest).unwrap()), b"the text inside");
    }
    bench.pass(80 * HOUR);
    bench.sweep();
    bench.pass(HOUR);
    bench.sweep();
    assert!(matches!(bench.store.open_blob(&view.digest), Err(StoreError::Missing { .. })));
    assert!(bench.files("blobs").is_empty());
    assert_eq!(bench.files("refs").len(), 1, "only the tombstone is left");
}

#[test]
fn a_record_cannot_name_a_view_that_is_not_stored() {
    let bench = Bench::new();
    let with_view = Record { text_view: Some(Digest::of(b"never stored")), ..record("t") };
    let outcome = bench.store.put("s", b"x", &with_view, bench.now);
    assert!(
        matches!(outcome, Err(StoreError::Missing { digest }) if digest == Digest::of(b"never stored"))
    );
    assert!(bench.files("refs").is_empty());
}

#[test]
fn a_store_of_another_version_is_refused() {
    let bench = Bench::new();
    fs::write(bench.dir.path().join("version"), "weir-store 2\n").unwrap();
    let outcome = BlobStore::open(bench.dir.path(), StoreSettings::default());
    assert!(matches!(outcome, Err(StoreError::FutureVersion { found }) if found == "weir-store 2"));
}

#[test]
fn a_record_is_small_whatever_it_is_given() {
    let bench = Bench::new();
    let long = "x".repeat(1_000_000);
    let record = Record {
        tool: long.clone(),
        toolset: Some(long.clone()),
        media_type: Some(long.clone()),
        source: Some(long.clone()),
        arguments_digest: Some(long),
        ..Record::default()
    };
    let stored = bench.store.put("s", b"x", &record, bench.now).unwrap();
    let entry = bench.resolve("s", &stored.id).unwrap();
    assert_eq!(entry.record.tool.len(), crate::limits::TOOL_MAX_CHARS);
    assert_eq!(entry.record.source.unwrap().len(), crate::limits::SOURCE_MAX_CHARS);
    assert!(!entry.damaged);
}

#[test]
fn stats_are_summed_once() {
    let mut bench = Bench::new();
    let stored = bench.put("s", b"x");
    let entry = bench.resolve("s", &stored.id).unwrap();
    let count = PutCount {
        chars_in: 90,
        tokens_in: 60,
        chars_shown: 10,
        tokens_shown: 5,
        client_max_chars: 60,
    };
    for round in 0..4 {
        for _ in 0..5_000 {
            bench.store.count_put(Outcome::Answered, count).unwrap();
            bench.store.count_fetch("grep", Outcome::Refused, 7).unwrap();
        }
        bench.store.note_fetch(&entry, "a-very-long-mode", 3, None, bench.now).unwrap();
        bench.now = SystemTime::now() + (round + 1) * 10 * MINUTE;
        bench.sweep();
        bench.sweep();
        let stats = bench.store.status(bench.now).unwrap().stats;
        let n = u64::from(round + 1);
        assert_eq!(stats.puts, 5_000 * n);
        assert_eq!(stats.fetches["grep"].calls, 5_000 * n);
        assert_eq!(stats.fetches["grep"].answered, 0);
        assert_eq!(stats.fetches["a-very-l"].answered, n);
        assert_eq!(stats.refused, 5_000 * n);
        assert_eq!(stats.put_chars, 5_000 * 90 * n);
        // No more than the client would have passed.
        assert_eq!(stats.chars_saved(), (5_000 * (60 - 10 - 7) * n - 3 * n) as i64);
        // What was read back has two tokens in three characters, as the results have.
        let fetched = (5_000 * 7 + 3) * n * 2 / 3;
        assert_eq!(stats.tokens_saved(), (5_000 * (40 - 5) * n - fetched) as i64);
    }
    assert!(bench.files("stats").len() <= 4, "{:?}", bench.files("stats"));
    let garbage = bench.dir.path().join("stats/events");
    let mut events = fs::read(&garbage).unwrap_or_default();
    events.extend([0xff; 77]);
    fs::write(&garbage, events).unwrap();
    assert_eq!(bench.store.status(bench.now).unwrap().stats.puts, 20_000);
}

#[test]
fn the_doctor_finds_what_is_damaged_and_repairs_when_asked() {
    let bench = Bench::new();
    let good = bench.put("s", &noise(200_000, 1));
    let bad = bench.put("s", &noise(200_000, 2));
    let path = bench.blob_path(&bad);
    let mut bytes = fs::read(&path).unwrap();
    bytes[150_000] ^= 0x10;
    fs::write(&path, bytes).unwrap();
    let lost = bench.put("s", b"lost");
    fs::remove_file(bench.blob_path(&lost)).unwrap();
    fs::write(bench.dir.path().join("blobs/00x"), "foreign").unwrap();
    fs::create_dir_all(bench.dir.path().join("blobs/00")).unwrap();
    fs::write(bench.dir.path().join("blobs/00/foreign"), "foreign").unwrap();

    let check = |repair| {
        let mut doctor = bench.store.doctor(repair);
        loop {
            let report = doctor.step(10_000, bench.now).unwrap();
            if report.done {
                return report;
            }
        }
    };
    let report = check(false);
    assert_eq!((report.blobs, report.corrupt, report.dead_references), (2, 1, 2));
    assert_eq!(report.corrupt_blobs, [bad.digest]);
    assert_eq!((report.foreign, report.repaired), (1, 0));
    assert_eq!(check(true).repaired, 3);
    let report = check(false);
    assert_eq!((report.blobs, report.corrupt, report.references), (1, 0, 1));
    for gone in [bad, lost] {
        // Its first digits are enough to be told so.
        let start = BlobId::parse_lenient(&gone.id.to_string()[..4]).unwrap();
        for id in [&gone.id, &start] {
            let Err(LookupError::Gone(tombstone)) = bench.resolve("s", id) else { panic!() };
            assert_eq!((tombstone.reason, tombstone.id), (Reason::Corrupt, gone.id));
        }
    }
    assert_eq!(bench.read("s", &good.id), noise(200_000, 1));
}

#[test]
fn a_flipped_bit_is_told_and_put_again_heals_it() {
    let bench = Bench::new();
    let bytes = noise(200_000, 3);
    let stored = bench.put("s", &bytes);
    let path = bench.blob_path(&stored);
    let whole = fs::read(&path).unwrap();
    // In each block, in the block index, in each field of the tail.
    let len = whole.len();
    for at in
        (0..200_000).step_by(30_011).chain([199_999, 200_000, 200_050, len - 72, len - 9, len - 1])
    {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        fs::write(&path, damaged).unwrap();
        match bench.store.open_blob(&stored.digest) {
            Ok(blob) => {
                let offset = (at / 65_536 * 65_536) as u64;
                let outcome = blob.read_range(at as u64, at as u64 + 1);
                assert!(
                    matches!(outcome, Err(crate::source::ReadError::Corrupt { offset: o }) if o == offset)
                );
                let other = (offset + 65_536) % 196_608;
                assert_eq!(
                    blob.read_range(other, other + 9).unwrap(),
                    bytes[other as usize..][..9]
                );
            }
            Err(error) => assert!(matches!(error, StoreError::Corrupt { .. }), "{error}"),
        }
        assert_eq!(bench.put("s", &bytes), Stored { is_repeat: true, ..stored });
        assert_eq!(bench.read("s", &stored.id), bytes);
    }
    // Cut anywhere, it is not a blob.
    for len in [0, 1, 71, 72, 100_000, 200_000, len - 1] {
        fs::write(&path, &whole[..len]).unwrap();
        assert!(matches!(bench.store.open_blob(&stored.digest), Err(StoreError::Corrupt { .. })));
    }
    assert_eq!(bench.put("s", &bytes), Stored { is_repeat: true, ..stored });
    assert_eq!(bench.used(), bench.real_usage());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn marks_never_pass_what_is_looked_for(
        lens in prop::collection::vec(0usize..40_000, 0..12),
        seed: u64,
        at in 0.0f64..1.2,
    ) {
        let bench = Bench::new();
        let mut text = String::new();
        for (n, len) in lens.iter().enumerate() {
            text.push_str(&(if (seed >> n) & 1 == 0 { "é" } else { "a" }).repeat(*len));
            text.push('\n');
        }
        let stored = bench.put("s", text.as_bytes());
        let blob = bench.store.open_blob(&stored.digest).unwrap();
        prop_assert_eq!(blob.lines().unwrap(), lens.len() as u64);
        let totals = blob.totals();
        prop_assert_eq!(totals, Mark::default().advance(text.as_bytes()));
        let truth = |mark: Mark| Mark::default().advance(&text.as_bytes()[..mark.bytes as usize]);
        let near = 65_536;

        let byte = (totals.bytes as f64 * at) as u64;
        let mark = blob.mark_at_byte(byte);
        prop_assert_eq!(mark, truth(mark));
        prop_assert!(mark.bytes <= byte && byte.min(totals.bytes) - mark.bytes <= near);

        let char = (totals.chars as f64 * at) as u64;
        let mark = blob.mark_at_char(char);
        prop_assert_eq!(mark, truth(mark));
        prop_assert!(mark.chars <= char && char.min(totals.chars) - mark.chars <= near);

        let newline = (totals.newlines as f64 * at) as u64;
        let mark = blob.mark_before_newline(newline);
        prop_assert_eq!(mark, truth(mark));
        prop_assert!(mark.newlines < newline || mark.bytes == 0);
    }

    #[test]
    fn any_range_of_a_blob_is_that_range_of_the_bytes(
        len in 0usize..200_000,
        ranges in prop::collection::vec((0u64..210_000, 0u64..140_000), 1..20),
    ) {
        let bench = Bench::new();
        let bytes = noise(len, len as u64 + 1);
        let stored = bench.put("s", &bytes);
        let blob = bench.store.open_blob(&stored.digest).unwrap();
        for (start, count) in ranges {
            let end = (start + count).min(len as u64);
            let expected = bytes.get(start as usize..end as usize).unwrap_or_default();
            prop_assert_eq!(blob.read_range(start, start + count).unwrap(), expected);
        }
    }
}

#[test]
fn what_is_forgotten_leaves_the_tools_name_and_no_argument() {
    let bench = Bench::new();
    let record = Record {
        tool: "http_get".to_owned(),
        source: Some("https://bob:secret@example.com/?token=secret".to_owned()),
        arguments_digest: Some("ab".repeat(32)),
        envelope: Some("/secret".to_owned()),
        ..Record::default()
    };
    let stored = bench.store.put("s1", b"some text", &record, bench.now).unwrap();
    bench.store.forget("s1", &stored.id, bench.now).unwrap();
    let Err(LookupError::Gone(gone)) = bench.resolve("s1", &stored.id) else { panic!("not gone") };
    assert_eq!(gone.record, Record { tool: "http_get".to_owned(), ..Record::default() });
    assert_eq!((gone.reason, gone.bytes), (Reason::Deleted, Some(9)));
    let mut left = vec![bench.dir.path().to_owned()];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        for word in [&b"secret"[..], b"abababab"] {
            assert!(memchr::memmem::find(&bytes, word).is_none(), "{}", path.display());
        }
    }
}

#[test]
fn an_empty_version_closes_no_store() {
    let bench = Bench::new();
    let stored = bench.put("s1", b"some text");
    fs::write(bench.dir.path().join("version"), b"").unwrap();
    let store = BlobStore::open(bench.dir.path(), StoreSettings::default()).unwrap();
    assert!(store.resolve(Some("s1"), &stored.id, bench.now).is_ok());
    assert!(!fs::read(bench.dir.path().join("version")).unwrap().is_empty());
}
