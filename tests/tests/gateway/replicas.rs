//! Several gateways that share results: each with a store of its own, over one directory.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{PATIENCE, server};
use crate::endpoint::Endpoint;

/// A gateway with a configuration of its own, where `tier` says what it shares.
pub(crate) fn configured(tier: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("config/weir");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), format!("tier = {tier}\n")).unwrap();
    sandbox
}

fn tokens() -> Value {
    json!({"mcpServers": {"s": server(&[])}, "weir": {"tokens": {
        "anna": {"token": "tok-anna-1"}, "bert": {"token": "tok-bert-1"},
        "carl": {"token": "tok-carl-1", "readsResultsOf": ["anna"]},
    }}})
}

fn start(sandbox: &Sandbox, config: &Value) -> Endpoint {
    let file = sandbox.path().join("servers.json");
    std::fs::write(&file, config.to_string()).unwrap();
    Endpoint::start_in(sandbox, &["--servers", file.to_str().unwrap(), "--metrics"], &[])
}

fn call(endpoint: &Endpoint, who: &str, tool: &str, arguments: Value) -> Value {
    let auth = format!("Bearer tok-{who}-1");
    let params = json!({"name": tool, "arguments": arguments});
    endpoint.modern("tools/call", params, &[("Authorization", &auth)]).1["result"].take()
}

fn big(endpoint: &Endpoint, who: &str, bytes: u32) -> Value {
    call(endpoint, who, "s__big", json!({"bytes": bytes}))
}

fn read(endpoint: &Endpoint, who: &str, id: &str) -> (String, bool) {
    let answer = call(endpoint, who, "weir_fetch", json!({"id": id, "mode": "tail", "lines": 2}));
    (answer["content"].to_string(), answer["isError"] == true)
}

fn id(answer: &Value) -> String {
    answer["_meta"]["weir/blob"]["id"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => names(&path),
            path => vec![path],
        })
        .collect()
}

pub(crate) fn within(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_handle_of_one_gateway_answers_in_another_for_whoever_may_read_it() {
    let shared = tempfile::tempdir().unwrap();
    let tier = format!("{:?}", shared.path());
    let (one, other) = (configured(&tier), configured(&tier));
    let (first, second) = (start(&one, &tokens()), start(&other, &tokens()));
    let answer = big(&first, "anna", 200_000);
    let id = id(&answer);
    let local = read(&first, "anna", &id);
    assert!(!local.1, "{}", local.0);
    // In another gateway, in one call; by its whole digest too; nobody else.
    assert_eq!(read(&second, "anna", &id), local);
    let digest = answer["_meta"]["weir/blob"]["sha256"].as_str().unwrap();
    assert!(!read(&second, "anna", digest).1);
    let stranger = read(&second, "bert", &id);
    assert!(stranger.1 && read(&first, "bert", &id).1, "{}", stranger.0);
    assert_eq!(read(&second, "carl", &id), local, "a profile may read what is anna's");
    // What is about all of a client's results finds what came elsewhere.
    let newer = self::id(&big(&first, "anna", 210_000));
    let list = call(&second, "anna", "weir_fetch", json!({"mode": "list"}))["content"].to_string();
    assert!(list.contains(&id) && list.contains(&newer), "{list}");
    // The directory is a cache.
    std::fs::remove_dir_all(other.store()).unwrap();
    assert_eq!(read(&second, "anna", &id), local);
    // Granted, and revoked at once.
    let share = |more: &[&str]| {
        let ran = one.run([&["share", &id, "--of", "anna", "--with", "bert"], more].concat());
        assert_eq!(ran.code, 0, "{ran:?}");
    };
    share(&[]);
    assert_eq!(read(&second, "bert", &id), local);
    let not_granted = read(&second, "bert", &newer);
    assert!(not_granted.1, "{}", not_granted.0);
    let list = call(&second, "bert", "weir_fetch", json!({"mode": "list"}))["content"].to_string();
    assert!(!list.contains(&id), "{list}");
    share(&["--revoke"]);
    assert_eq!(read(&second, "bert", &id), stranger);
    // Forgotten everywhere, with a note of it.
    share(&[]);
    read(&second, "bert", &id);
    assert_eq!(one.run(["forget", &id, "--session", "~anna"]).code, 0);
    for who in ["anna", "bert", "carl"] {
        within("it can still be read", || read(&second, who, &id).1);
    }
    let left = |folder: &Path| {
        names(folder)
            .iter()
            .any(|path| path.file_name().unwrap().to_string_lossy().starts_with(digest))
    };
    assert!(!left(shared.path()) && !left(&one.store()) && !left(&other.store()));
    let audit = one.run(["store", "audit", "--json"]);
    let audit: Value = serde_json::from_str(&audit.stdout).unwrap();
    assert_eq!(audit["gone"][0]["id"], id.as_str());
    assert_eq!(audit["dangling"], json!([]));
    let held = |blob: &Value| blob["held_by"].as_array().unwrap().len() == 1;
    assert!(!audit["blobs"].as_array().unwrap().is_empty());
    assert!(audit["blobs"].as_array().unwrap().iter().all(held), "{audit}");
    let (_, _, metrics) =
        second.send("GET", "/metrics", &[("Authorization", "Bearer tok-anna-1")], "");
    assert!(
        metrics.contains("weir_tier_fetches_total")
            && !metrics.contains("weir_tier_fetches_total 0")
    );
    // What nobody uses goes.
    std::thread::sleep(Duration::from_millis(1_100));
    for _ in 0..2 {
        assert_eq!(one.run(["store", "sweep", "--ttl", "1", "--grace", "0"]).code, 0);
    }
    let left = names(shared.path());
    assert!(left.iter().all(|path| path.to_string_lossy().contains("/gone/")), "{left:?}");
}

#[test]
fn who_has_no_name_shares_nothing_and_is_told() {
    let shared = tempfile::tempdir().unwrap();
    let sandbox = configured(&format!("{:?}", shared.path()));
    let endpoint = start(&sandbox, &json!({"mcpServers": {"s": server(&[])}}));
    let answer = big(&endpoint, "nobody", 200_000);
    assert!(answer["content"].to_string().contains("kept by this gateway alone"), "{answer}");
    assert!(!read(&endpoint, "nobody", &id(&answer)).1);
    assert_eq!(names(&shared.path().join("refs")), [] as [PathBuf; 0]);
}

#[test]
fn a_place_that_fails_is_a_store_that_fails_and_is_named() {
    let shared = tempfile::tempdir().unwrap();
    // What lies in the directory's place is a file.
    let place = shared.path().join("place");
    std::fs::write(&place, "").unwrap();
    let sandbox = configured(&format!("{place:?}"));
    let endpoint = start(&sandbox, &tokens());
    let short = big(&endpoint, "anna", 30_000);
    assert!(short["_meta"]["weir/blob"].is_null() && short.to_string().len() > 30_000);
    let long = big(&endpoint, "anna", 300_000).to_string();
    assert!(long.len() < 10_000 && long.contains("could not be stored"), "{long}");
    let doctor = sandbox.run(["doctor"]);
    assert!(doctor.code == 1 && doctor.stdout.contains("cannot be shared"), "{doctor:?}");
    // Mended, it is used again; what was here before can be read while it fails.
    std::fs::remove_file(&place).unwrap();
    let mut answer = Value::Null;
    within("it is not tried again", || {
        answer = big(&endpoint, "anna", 310_000);
        !answer["_meta"]["weir/blob"].is_null()
    });
    assert_eq!(sandbox.run(["doctor"]).code, 0);
    std::fs::rename(&place, shared.path().join("away")).unwrap();
    std::fs::write(&place, "").unwrap();
    assert!(!read(&endpoint, "anna", &id(&answer)).1);
    // A setting that cannot be read is no wish for none.
    let sandbox = configured("{ url = 's3://b', durabilty = 'disk' }");
    let servers = sandbox.path().join("servers.json");
    std::fs::write(&servers, tokens().to_string()).unwrap();
    let servers = servers.to_str().unwrap();
    let ran = sandbox.run(["serve", "--http", "127.0.0.1:0", "--servers", servers]);
    assert!(ran.code == 2 && ran.stderr.contains("durabilty"), "{ran:?}");
}

#[test]
fn what_was_not_uploaded_when_a_gateway_died_is_uploaded_by_the_next() {
    let shared = tempfile::tempdir().unwrap();
    let place = shared.path().join("place");
    std::fs::write(&place, "").unwrap();
    let tier = format!("{{ url = {place:?}, durability = 'disk' }}");
    let (one, other) = (configured(&tier), configured(&tier));
    let (mut first, second) = (start(&one, &tokens()), start(&other, &tokens()));
    let id = id(&big(&first, "anna", 200_000));
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    std::fs::remove_file(&place).unwrap();
    assert!(read(&second, "anna", &id).1);
    let _first = start(&one, &tokens());
    within("it is not uploaded", || !read(&second, "anna", &id).1);
}
