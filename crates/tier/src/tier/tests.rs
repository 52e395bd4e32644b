//! Two stores over one place, and what comes between the steps of each.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use object_store::memory::InMemory;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use weir_base::hex;
use xxhash_rust::xxh3::xxh3_64;

use super::*;

const NOW: Duration = Duration::ZERO;
const LONG: Duration = Duration::from_secs(1_000_000);

type Then = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// Objects before whose call something else happens, once, or every call of which fails.
#[derive(Default)]
struct Staged {
    inner: Option<Arc<dyn Objects>>,
    before: Mutex<Option<(String, Then)>>,
    fails: Mutex<bool>,
}

impl std::fmt::Debug for Staged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("staged")
    }
}

impl Staged {
    async fn step(&self, call: &str) -> Result<&dyn Objects, TierError> {
        let due = self.before.lock().take_if(|(wanted, _)| call.starts_with(&**wanted));
        if let Some((_, then)) = due {
            then.await;
        }
        match *self.fails.lock() {
            true => Err(TierError::new("it is down".into())),
            false => Ok(&**self.inner.as_ref().unwrap()),
        }
    }
}

#[async_trait]
impl Objects for Staged {
    async fn put(&self, name: &str, file: &Path) -> Result<bool, TierError> {
        self.step(&format!("put {name}")).await?.put(name, file).await
    }
    async fn get(&self, name: &str, into: &mut (dyn Write + Send)) -> Result<bool, TierError> {
        self.step(&format!("get {name}")).await?.get(name, into).await
    }
    async fn stat(&self, name: &str) -> Result<Option<Found>, TierError> {
        self.step(&format!("stat {name}")).await?.stat(name).await
    }
    async fn rename(&self, from: &str, to: &str) -> Result<bool, TierError> {
        self.step(&format!("rename {from}")).await?.rename(from, to).await
    }
    async fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, TierError> {
        self.step(&format!("create {name}")).await?.create(name, bytes).await
    }
    async fn replace(
        &self,
        name: &str,
        bytes: &[u8],
        tag: Option<&str>,
    ) -> Result<bool, TierError> {
        self.step(&format!("replace {name}")).await?.replace(name, bytes, tag).await
    }
    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TierError> {
        self.step(&format!("read {name}")).await?.read(name).await
    }
    async fn renew(&self, name: &str) -> Result<Option<Vec<u8>>, TierError> {
        self.step(&format!("renew {name}")).await?.renew(name).await
    }
    async fn remove(&self, name: &str) -> Result<(), TierError> {
        self.step(&format!("remove {name}")).await?.remove(name).await
    }
    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        each: &mut (dyn FnMut(Found) + Send),
    ) -> Result<(), TierError> {
        self.step(&format!("list {prefix}")).await?.list(prefix, after, each).await
    }
}

/// A machine: its store's directory and its tier.
struct Machine {
    folder: TempDir,
    staged: Arc<Staged>,
    tier: Arc<Tier>,
}

impl Machine {
    fn over(objects: &Arc<dyn Objects>) -> Machine {
        Machine::with(objects, Durability::Bucket)
    }

    fn with(objects: &Arc<dyn Objects>, durability: Durability) -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let staged = Arc::new(Staged { inner: Some(objects.clone()), ..Staged::default() });
        let tier = Arc::new(Tier::over(staged.clone(), durability, folder.path()));
        Machine { folder, staged, tier }
    }

    fn before(&self, call: &str, then: impl Future<Output = ()> + Send + 'static) {
        *self.staged.before.lock() = Some((call.to_owned(), Box::pin(then)));
    }

    /// Stores a text, as the component would, and the text inside of it; the id.
    fn stores(&self, session: &str, text: &str, view: Option<&str>) -> String {
        let digests = [Some(text), view].map(|text| {
            let text = text?;
            let digest = hex(&Sha256::digest(text));
            let path = self.tier.local.blob(&digest);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, blob(text)).unwrap();
            Some(digest)
        });
        let [Some(digest), view] = digests else { panic!() };
        let record = serde_json::json!({
            "version": 1, "digest": digest, "bytes": text.len(), "chars": text.len(), "lines": 1, "created_ms": 1,
            "record": {"tool": "t", "text_view": view},
        });
        let id = digest[..12].to_owned();
        let reference = Reference::read(record.to_string().into_bytes()).unwrap();
        self.tier.local.refer(&session_key(session), &id, &reference).unwrap();
        id
    }

    fn text(&self, session: &str, id: &str) -> Option<String> {
        let held = self.tier.local.whole(&session_key(session), id)?;
        let bytes = fs::read(self.tier.local.blob(&held.digest)).unwrap();
        let end = bytes.len() - 24 - 72;
        Some(String::from_utf8(bytes[..end].to_vec()).unwrap())
    }

    fn is_empty(&self) -> bool {
        !self.folder.path().join("refs").exists()
    }
}

/// The file of a blob of one block.
fn blob(text: &str) -> Vec<u8> {
    let mut index = Vec::new();
    for number in [xxh3_64(text.as_bytes()), 0, 0] {
        index.extend(number.to_le_bytes());
    }
    index.extend(Sha256::digest(text));
    for number in [text.len() as u64; 3] {
        index.extend(number.to_le_bytes());
    }
    index.extend(xxh3_64(&index).to_le_bytes());
    [text.as_bytes(), &index, b"weirblb1"].concat()
}

fn memory() -> Arc<dyn Objects> {
    Arc::new(Bucket::over(Arc::new(InMemory::new()), "p"))
}

async fn names(objects: &Arc<dyn Objects>, prefix: &str) -> Vec<String> {
    let mut names = Vec::new();
    objects.list(prefix, None, &mut |one| names.push(one.name)).await.unwrap();
    names
}

#[tokio::test]
async fn what_one_keeps_another_has_and_no_stranger() {
    let objects = memory();
    let (one, other) = (Machine::over(&objects), Machine::over(&objects));
    let id = one.stores("~anna", "{\"result\": \"text\"}", Some("text"));
    assert!(!other.tier.has("~anna", &id).await.unwrap());
    one.tier.keep("~anna", &[&id]).await.unwrap();
    one.tier.keep("~anna", &[&id]).await.unwrap();
    assert!(!other.tier.has("~bert", &id).await.unwrap());
    assert!(other.is_empty());
    assert!(other.tier.has("~anna", &id).await.unwrap());
    assert_eq!(other.text("~anna", &id).unwrap(), "{\"result\": \"text\"}");
    let held = other.tier.local.held(&session_key("~anna"), &id).unwrap();
    let marker = format!("refs/{}/{id}.view-{}", session_key("~anna"), held.view.unwrap());
    assert!(other.folder.path().join(marker).exists());
    // Digits that are those of another.
    let wrong = format!("{id}0000");
    assert!(!other.tier.has("~anna", &wrong).await.unwrap());
    assert!(!one.tier.has("~anna", &wrong).await.unwrap());
    assert!(!other.tier.has("~anna", "../../x").await.unwrap());
    // From the cache while the engine is down.
    *other.staged.fails.lock() = true;
    assert!(other.tier.has("~anna", &id).await.unwrap());
    assert!(other.tier.has("~anna", "00112233445a").await.is_err());
}

#[tokio::test]
async fn a_damaged_blob_is_not_taken() {
    let objects = memory();
    let (one, other) = (Machine::over(&objects), Machine::over(&objects));
    let id = one.stores("s", "some text", None);
    let path = one.tier.local.blob(&one.tier.local.held(&session_key("s"), &id).unwrap().digest);
    let good = fs::read(&path).unwrap();
    for at in 0..good.len() + 1 {
        let mut bad = good.clone();
        match bad.get_mut(at) {
            Some(byte) => *byte ^= 1,
            None => drop(bad.pop()),
        }
        let mut file = other.tier.local.receive().unwrap();
        file.write_all(&bad).unwrap();
        let digest = path.file_name().unwrap().to_str().unwrap();
        assert!(other.tier.local.place(file, digest).is_err(), "byte {at}");
    }
    fs::write(&path, &good[..good.len() - 1]).unwrap();
    one.tier.keep("s", &[&id]).await.unwrap();
    assert!(other.tier.has("s", &id).await.is_err());
    assert!(other.text("s", &id).is_none());
}

#[tokio::test]
async fn a_removal_between_any_two_steps_of_a_put_loses_nothing() {
    // The blob is there, held by nobody, and old.
    for step in ["put blobs/", "create refs/", "stat blobs/"] {
        let objects = memory();
        let (one, other) = (Machine::over(&objects), Machine::over(&objects));
        let id = one.stores("s", "some text", Some("text"));
        one.tier.keep("s", &[&id]).await.unwrap();
        for name in names(&objects, "refs/").await {
            objects.remove(&name).await.unwrap();
        }
        let sweeper = Machine::over(&objects);
        let tier = sweeper.tier.clone();
        one.before(step, async move {
            for _ in 0..2 {
                tier.sweep(LONG, NOW).await.unwrap();
            }
        });
        one.tier.keep("s", &[&id]).await.unwrap();
        sweeper.tier.sweep(LONG, NOW).await.unwrap();
        assert_eq!(names(&objects, "blobs/").await.len(), 2, "{step}");
        assert!(other.tier.has("s", &id).await.unwrap(), "{step}");
    }
}

#[tokio::test]
async fn a_put_between_any_two_steps_of_a_removal_loses_nothing() {
    for step in ["rename blobs/", "list refs/", "list away/", "remove away/"] {
        for forgets in [false, true] {
            let objects = memory();
            let (one, other) = (Machine::over(&objects), Machine::over(&objects));
            let id = one.stores("s", "some text", None);
            one.tier.keep("s", &[&id]).await.unwrap();
            let sweeper = Machine::over(&objects);
            let (tier, again) = (one.tier.clone(), other.stores("t", "some text", None));
            let putter = other.tier.clone();
            sweeper.before(step, async move {
                putter.keep("t", &[&again]).await.unwrap();
                drop(tier);
            });
            if forgets {
                assert!(sweeper.tier.forget("s", &id).await.unwrap());
            } else {
                objects.remove(&format!("refs/{}/{id}", session_key("s"))).await.unwrap();
                for _ in 0..2 {
                    sweeper.tier.sweep(LONG, NOW).await.unwrap();
                }
            }
            let reader = Machine::over(&objects);
            assert!(!reader.tier.has("s", &id).await.unwrap());
            let was_put = sweeper.staged.before.lock().is_none();
            assert_eq!(reader.tier.has("t", &id).await.unwrap(), was_put, "{step} {forgets}");
        }
    }
}

#[tokio::test]
async fn what_is_away_can_be_read_and_comes_back() {
    let objects = memory();
    let (one, other) = (Machine::over(&objects), Machine::over(&objects));
    let id = one.stores("s", "some text", None);
    one.tier.keep("s", &[&id]).await.unwrap();
    // A sweep that died after its first step.
    let name = names(&objects, "blobs/").await.remove(0);
    objects.rename(&name, &name.replacen("blobs/", "away/", 1)).await.unwrap();
    assert!(other.tier.has("s", &id).await.unwrap());
    other.tier.sweep(LONG, NOW).await.unwrap();
    assert_eq!(names(&objects, "blobs/").await, [name]);
    assert!(names(&objects, "away/").await.is_empty());
}

#[tokio::test]
async fn references_expire_unless_they_are_used_or_pinned() {
    let objects = memory();
    let one = Machine::over(&objects);
    let [idle, used, pinned] = ["idle", "used", "pinned"].map(|text| one.stores("s", text, None));
    one.tier.keep("s", &[&idle, &used, &pinned]).await.unwrap();
    one.tier.pin("s", &pinned, true).await.unwrap();
    tokio::time::sleep(Duration::from_millis(120)).await;
    let other = Machine::over(&objects);
    other.stores("s", "used", None);
    assert!(other.tier.has("s", &used).await.unwrap());
    let swept = other.tier.sweep(Duration::from_millis(100), NOW).await.unwrap();
    assert_eq!((swept.expired, swept.put_away), (1, 1));
    let audit = other.tier.audit().await.unwrap();
    assert_eq!((audit.blobs.len(), audit.dangling.len()), (2, 0));
    let late = Machine::over(&objects);
    assert!(!late.tier.has("s", &idle).await.unwrap());
    assert!(late.tier.has("s", &pinned).await.unwrap());
}

#[tokio::test]
async fn a_grant_lets_read_one_result_until_it_is_revoked_or_forgotten() {
    let objects = memory();
    let (one, other) = (Machine::over(&objects), Machine::over(&objects));
    let [id, secret] = ["shown", "secret"].map(|text| one.stores("~anna", text, None));
    one.tier.keep("~anna", &[&id, &secret]).await.unwrap();
    assert!(!one.tier.share("~bert", &id, "~carl").await.unwrap(), "it is not his");
    assert!(one.tier.share("~anna", &id, "~bert").await.unwrap());
    let session = other.tier.granted("~bert", &id).await.unwrap().unwrap();
    assert_eq!(other.text(&session, &id).unwrap(), "shown");
    assert!(other.text(&session, &secret).is_none());
    assert_eq!(other.tier.granted("~bert", &secret).await.unwrap(), None);
    assert_eq!(other.tier.granted("~carl", &id).await.unwrap(), None);
    other.tier.revoke(&id, "~bert").await.unwrap();
    assert_eq!(other.tier.granted("~bert", &id).await.unwrap(), None);
    one.tier.share("~anna", &id, "~bert").await.unwrap();
    assert!(one.tier.forget("~anna", &id).await.unwrap());
    assert_eq!(other.tier.granted("~bert", &id).await.unwrap(), None);
    let dropped = other.tier.forgotten(true).await.unwrap();
    assert_eq!(dropped, [(session, id.clone())]);
    assert!(other.tier.forgotten(false).await.unwrap().is_empty(), "once");
    let dropped: HashSet<_> = one.tier.forgotten(false).await.unwrap().into_iter().collect();
    assert_eq!(dropped, HashSet::from([("~anna".to_owned(), id)]));
    one.tier.sweep(LONG, NOW).await.unwrap();
    assert!(names(&objects, "grants/").await.is_empty());
}

#[tokio::test]
async fn an_id_that_names_another_result_elsewhere_is_not_given_out() {
    let objects = memory();
    let one = Machine::over(&objects);
    let id = one.stores("s", "some text", None);
    // Made to share its first digits.
    let other = format!("{id}{}", "0".repeat(52));
    let record = serde_json::json!({"digest": other, "created_ms": 1, "record": {}});
    let name = format!("refs/{}/{id}", session_key("s"));
    objects.create(&name, record.to_string().as_bytes()).await.unwrap();
    assert_eq!(one.tier.keep("s", &[&id]).await.unwrap_err().0, TAKEN);
    assert!(one.text("s", &id).is_none(), "nor read under it here");
}

#[tokio::test]
async fn an_engine_that_fails_is_spared_and_tried_again() {
    let objects = memory();
    let one = Machine::over(&objects);
    let id = one.stores("s", "some text", None);
    *one.staged.fails.lock() = true;
    assert!(one.tier.keep("s", &[&id]).await.is_err());
    *one.staged.fails.lock() = false;
    assert!(one.tier.keep("s", &[&id]).await.is_err(), "it rests");
    tokio::time::sleep(REST).await;
    one.tier.keep("s", &[&id]).await.unwrap();
    assert_eq!(one.tier.counts.failed_uploads.load(Ordering::Relaxed), 2);
    // With uploads that follow, nothing is refused, and nothing forgotten.
    let late = Machine::with(&objects, Durability::Disk);
    let id = late.stores("s", "other text", None);
    *late.staged.fails.lock() = true;
    late.tier.keep("s", &[&id]).await.unwrap();
    assert!(late.tier.upload_promised().await.is_err());
    let other = Machine::over(&objects);
    assert!(!other.tier.has("s", &id).await.unwrap());
    let next = Tier::over(objects.clone(), Durability::Disk, late.folder.path());
    next.upload_promised().await.unwrap();
    assert!(next.local.promised().is_empty());
    assert!(other.tier.has("s", &id).await.unwrap());
}

#[tokio::test]
async fn one_sweeps_and_a_place_without_conditions_is_told() {
    let objects = memory();
    let (one, other) = (Machine::over(&objects), Machine::over(&objects));
    assert!(one.tier.may_sweep().await.unwrap());
    assert!(!other.tier.may_sweep().await.unwrap());
    one.tier.check().await.unwrap();
    assert!(names(&objects, "probes/").await.is_empty());
}

#[test]
fn the_folder_of_a_session_is_that_of_the_store() {
    // As `SessionKey::of` of the component gives it.
    assert_eq!(session_key("~anna"), format!("anna.{}", &hex(&Sha256::digest("~anna"))[..32]));
    assert_eq!(session_key("A b/C").split_once('.').unwrap().0, "abc");
}
