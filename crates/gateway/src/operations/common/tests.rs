//! What comes of documents that several gateways change, also at the same time.

use std::path::PathBuf;

use weir_tier::Directory;

use super::*;

/// A gateway's state directory and what it has in common.
struct Replica {
    common: Common,
    state: tempfile::TempDir,
}

fn key(letter: &str) -> Key {
    Key::new(&[letter.repeat(32)]).unwrap()
}

impl Replica {
    fn new(tier: &Path) -> Replica {
        let state = tempfile::tempdir().unwrap();
        let common = Common::new(Arc::new(Directory::new(tier)), key("k"), state.path());
        Replica { common, state }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.state.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        weir_base::private::write(&self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    async fn exchange(&self) {
        self.common.exchange().await;
        assert_eq!(*self.common.0.failed.lock(), None);
    }
}

const LOGIN: &str = "logins/0123456789abcdef01234567.sealed";

#[tokio::test(flavor = "multi_thread")]
async fn a_document_of_one_is_everybodys_and_so_is_its_end() {
    let tier = tempfile::tempdir().unwrap();
    let (one, other) = (Replica::new(tier.path()), Replica::new(tier.path()));
    one.exchange().await;
    other.exchange().await;
    assert_eq!(
        std::fs::read(one.path("servers/key")).unwrap(),
        std::fs::read(other.path("servers/key")).unwrap()
    );
    one.write(LOGIN, "canary");
    one.write("logins/0123456789abcdef01234567.lock", "");
    one.write("memory/notes.md", "canary");
    one.exchange().await;
    other.exchange().await;
    assert_eq!(other.read(LOGIN), "canary");
    assert_eq!(other.common.news(), BTreeSet::from([LOGIN.to_owned(), "servers/key".to_owned()]));
    assert!(
        !other.path("memory").exists()
            && !other.path("logins/0123456789abcdef01234567.lock").exists()
    );
    // Nobody reads it there without the key.
    for entry in std::fs::read_dir(tier.path().join("state")).unwrap().flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        assert!(!String::from_utf8_lossy(&bytes).contains("canary"));
    }
    // A third one, later; and the end of it.
    let third = Replica::new(tier.path());
    third.exchange().await;
    assert_eq!(third.read(LOGIN), "canary");
    std::fs::remove_file(third.path(LOGIN)).unwrap();
    third.exchange().await;
    for replica in [&one, &other] {
        replica.exchange().await;
        assert!(!replica.path(LOGIN).exists());
    }
    // A state directory that is lost is not the end of what was in it, also under a gateway that runs.
    one.write(LOGIN, "again");
    one.exchange().await;
    for is_running in [true, false] {
        std::fs::remove_dir_all(one.state.path()).unwrap();
        let objects = Arc::new(Directory::new(tier.path()));
        let anew = || Common::new(objects, key("k"), one.state.path());
        let common = if is_running { one.common.clone() } else { anew() };
        common.exchange().await;
        assert_eq!(one.read(LOGIN), "again", "{is_running}");
    }
    // A document is one object, however often it changes: beside it the state's name, the key, and counts.
    one.write(LOGIN, "and again");
    one.exchange().await;
    third.exchange().await;
    assert_eq!(third.read(LOGIN), "and again");
    let names = |folder: &str| std::fs::read_dir(tier.path().join(folder)).unwrap().count();
    assert_eq!((names("state"), names("state/logins"), names("state/servers")), (4, 1, 1));
    // One that somebody put back into its place is not taken over.
    let object = tier.path().join("state").join(LOGIN);
    let old = std::fs::read(&object).unwrap();
    one.write(LOGIN, "newest");
    one.exchange().await;
    third.exchange().await;
    std::fs::write(&object, old).unwrap();
    for replica in [&one, &third] {
        replica.exchange().await;
        assert_eq!(replica.read(LOGIN), "newest");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_write_at_once_nothing_is_lost() {
    let tier = tempfile::tempdir().unwrap();
    let replicas: Vec<_> = (0..6).map(|_| Replica::new(tier.path())).collect();
    let name = "servers/00ff.approved.json";
    for round in 0..4 {
        let mut all = Vec::new();
        for (n, replica) in replicas.iter().enumerate() {
            let mut tools: BTreeMap<String, String> =
                serde_json::from_str(&replica.read(name)).unwrap_or_default();
            tools.insert(format!("t{n}.{round}"), "digest".into());
            replica.write(name, &serde_json::to_string(&tools).unwrap());
            let mut counts = crate::watch::ledger::Counts { since: 9, ..Default::default() };
            counts.row("s", "t").calls = 1;
            crate::watch::ledger::Ledger::new(replica.state.path()).add(&counts).unwrap();
            let common = replica.common.clone();
            all.push(tokio::spawn(async move { common.end().await }));
        }
        for one in all {
            one.await.unwrap();
        }
    }
    for replica in &replicas {
        replica.common.end().await;
    }
    for replica in &replicas {
        replica.exchange().await;
        let tools: BTreeMap<String, String> = serde_json::from_str(&replica.read(name)).unwrap();
        assert_eq!(tools.len(), 24);
        let counts = crate::watch::ledger::Ledger::new(replica.state.path()).load().unwrap();
        assert_eq!(counts.total().calls, 24);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_key_and_a_place_that_fails_leave_what_is_known_here() {
    let folder = tempfile::tempdir().unwrap();
    let tier = folder.path().join("tier");
    let one = Replica::new(&tier);
    one.write(LOGIN, "ours");
    one.exchange().await;
    let stranger = tempfile::tempdir().unwrap();
    let common = Common::new(Arc::new(Directory::new(&tier)), key("x"), stranger.path());
    weir_base::private::write(&stranger.path().join(LOGIN), "theirs").unwrap();
    common.exchange().await;
    assert!(common.0.failed.lock().is_some());
    assert_eq!(std::fs::read_to_string(stranger.path().join(LOGIN)).unwrap(), "theirs");
    one.exchange().await;
    assert_eq!(one.read(LOGIN), "ours");
    // A file in the directory's place.
    std::fs::rename(&tier, folder.path().join("away")).unwrap();
    std::fs::write(&tier, "").unwrap();
    one.write(LOGIN, "newer");
    one.common.exchange().await;
    assert!(one.common.0.failed.lock().is_some() && one.common.claim("a").await.is_err());
    std::fs::remove_file(&tier).unwrap();
    std::fs::rename(folder.path().join("away"), &tier).unwrap();
    // It is left alone for a while, and then told.
    *one.common.0.failed.lock() = Instant::now().checked_sub(PATIENCE);
    one.exchange().await;
    let other = Replica::new(&tier);
    other.exchange().await;
    assert_eq!(other.read(LOGIN), "newer");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_all_renews_until_it_lets_go() {
    let tier = tempfile::tempdir().unwrap();
    let (one, other) = (Replica::new(tier.path()), Replica::new(tier.path()));
    assert_eq!(one.common.claim("a").await, Ok(true));
    assert_eq!(one.common.claim("a").await, Ok(true), "its answer may have been lost");
    assert_eq!(other.common.claim("a").await, Ok(false));
    one.common.release("a").await;
    assert_eq!(other.common.claim("a").await, Ok(true));
}
