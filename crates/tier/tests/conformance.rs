//! What the contract of `Objects` says, for each body.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use object_store::memory::InMemory;
use weir_tier::{Bucket, Directory, Objects};

async fn names(objects: &dyn Objects, prefix: &str, after: Option<&str>) -> Vec<String> {
    let mut names = Vec::new();
    objects.list(prefix, after, &mut |one| names.push(one.name)).await.unwrap();
    names.sort();
    names
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

async fn got(objects: &dyn Objects, name: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    objects.get(name, &mut bytes).await.unwrap().then_some(bytes)
}

async fn conforms(objects: Arc<dyn Objects>) {
    let it = &*objects;
    // Nothing is there, and that is no error.
    assert_eq!(got(it, "blobs/a").await, None);
    assert_eq!(it.stat("blobs/a").await.unwrap(), None);
    assert_eq!(it.read("refs/s/1").await.unwrap(), None);
    assert_eq!(it.renew("refs/s/1").await.unwrap(), None);
    assert_eq!(it.read("refs/s/1").await.unwrap(), None, "renewing makes nothing");
    assert!(!it.rename("blobs/a", "away/a").await.unwrap());
    it.remove("blobs/a").await.unwrap();
    assert!(names(it, "blobs/", None).await.is_empty());

    // A blob is put once, whatever its size: around the bytes that go in one request.
    for (name, len) in
        [("blobs/a", 3), ("blobs/b", 1), ("blobs/c", 8 << 20), ("blobs/d", 20_000_000)]
    {
        let bytes: Vec<u8> = (0..len as u32).map(|n| (n % 251) as u8).collect();
        let source = file(&bytes);
        assert!(it.put(name, source.path()).await.unwrap(), "{name}");
        assert!(!it.put(name, source.path()).await.unwrap(), "{name}");
        assert!(got(it, name).await.unwrap() == bytes, "{name}");
        assert_eq!(it.stat(name).await.unwrap().unwrap().bytes, len as u64);
    }

    // Of many that create the same, one does, and its bytes are there.
    let racing = (0..24).map(|n: u8| {
        let objects = Arc::clone(&objects);
        tokio::spawn(async move { objects.create("refs/s/1", &[n]).await.unwrap() })
    });
    let mut winners = Vec::new();
    for (n, task) in racing.collect::<Vec<_>>().into_iter().enumerate() {
        if task.await.unwrap() {
            winners.push(n as u8);
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(it.read("refs/s/1").await.unwrap(), Some(winners.clone()));

    // Renewed, it is younger, and the same. Some servers tell whole seconds.
    let before = it.stat("refs/s/1").await.unwrap().unwrap().modified;
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(it.renew("refs/s/1").await.unwrap(), Some(winners));
    let after = it.stat("refs/s/1").await.unwrap().unwrap().modified;
    assert!(before < after && after <= SystemTime::now() + Duration::from_secs(1));

    // One that another replaced meanwhile is left as it is.
    let tag = async |name: &'static str| it.stat(name).await.unwrap().unwrap().tag;
    assert!(!it.replace("state/a", b"x", Some("old")).await.unwrap(), "nothing is there");
    assert!(it.replace("state/a", b"x", None).await.unwrap());
    assert!(!it.replace("state/a", b"y", None).await.unwrap());
    for round in 0..4 {
        let before = tag("state/a").await;
        let mut listed = Vec::new();
        it.list("state/", None, &mut |one| listed.push(one.tag)).await.unwrap();
        assert_eq!(listed, [&*before]);
        let racing = (0..8).map(|n: u8| {
            let (objects, before) = (Arc::clone(&objects), before.clone());
            let replaced =
                async move { objects.replace("state/a", &[round, n], Some(&before)).await };
            tokio::spawn(replaced)
        });
        let mut winners = Vec::new();
        for (n, task) in racing.collect::<Vec<_>>().into_iter().enumerate() {
            if task.await.unwrap().unwrap() {
                winners.push(vec![round, n as u8]);
            }
        }
        assert_eq!(winners.len(), 1);
        assert_eq!(it.read("state/a").await.unwrap(), winners.pop());
        assert_ne!(tag("state/a").await, before);
    }

    // A listing shows what is below its prefix, and nothing beside it.
    it.create("refs/s/1.pin", b"").await.unwrap();
    it.create("refs/s2/1", b"x").await.unwrap();
    assert_eq!(names(it, "refs/s/", None).await, ["refs/s/1", "refs/s/1.pin"]);
    assert_eq!(names(it, "refs/", None).await, ["refs/s/1", "refs/s/1.pin", "refs/s2/1"]);
    assert_eq!(names(it, "refs/s/", Some("refs/s/1")).await, ["refs/s/1.pin"]);
    assert_eq!(names(it, "refs/s/", Some("refs/s/0")).await.len(), 2);

    // Another name: the bytes are there under it, in place of what was.
    it.create("away/a", b"old").await.unwrap();
    assert!(it.rename("blobs/a", "away/a").await.unwrap());
    assert_eq!(got(it, "blobs/a").await, None);
    assert_eq!(got(it, "away/a").await.unwrap(), [0, 1, 2]);
    it.remove("away/a").await.unwrap();
    it.remove("away/a").await.unwrap();
    assert_eq!(it.stat("away/a").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_conforms() {
    let folder = tempfile::tempdir().unwrap();
    conforms(Arc::new(Directory::new(folder.path()))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_conforms() {
    for prefix in ["", "team/weir"] {
        conforms(Arc::new(Bucket::over(Arc::new(InMemory::new()), prefix))).await;
    }
}

/// Against a server: `WEIR_TEST_BUCKET=s3://bucket/prefix`, with the variables of AWS.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_conforms() {
    let Ok(url) = std::env::var("WEIR_TEST_BUCKET") else { return };
    let name = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos();
    conforms(weir_tier::Settings::at(&format!("{url}/{name}")).open().unwrap()).await;
}
