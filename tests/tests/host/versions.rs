//! What VERSIONING.md promises: what was released goes on to work. `tests/released` holds each release's contract,
//! schemas and a store that it wrote.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use weir_host::contract::{GrepRequest, QueryRequest, View};
use weir_host::{Error, Weir};
use weir_tests::{Sandbox, engine};
use wit_parser::Resolve;

fn released() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("released")
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The releases of this minor version, by their contracts.
fn releases() -> Vec<PathBuf> {
    let folders = fs::read_dir(released()).expect("there are releases");
    let folders = folders.map(|folder| folder.expect("it can be read").path());
    let mut folders: Vec<PathBuf> = folders.filter(|folder| folder.join("wit").is_dir()).collect();
    folders.sort();
    assert!(!folders.is_empty());
    folders
}

/// With `UPDATE_RELEASED` set, keeps what the next releases are compared with.
fn keep_released(sandbox: &Sandbox) {
    if std::env::var_os("UPDATE_RELEASED").is_none() {
        return;
    }
    let folder = released().join(env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(folder.join("wit")).expect("it can be done");
    for file in fs::read_dir(repository().join("wit")).expect("it can be done") {
        let file = file.expect("it can be done").path();
        if file.extension().is_some_and(|extension| extension == "wit") {
            fs::copy(&file, folder.join("wit").join(file.file_name().expect("it can be done")))
                .expect("it can be done");
        }
    }
    for file in ["wit/json.schema.json", "docs/json/weir-1.schema.json"] {
        let name = Path::new(file).file_name().expect("it can be done");
        fs::copy(repository().join(file), folder.join(name)).expect("it can be done");
    }
    let schema = sandbox.weir().settings_schema().expect("it can be done");
    fs::write(folder.join("settings.schema.json"), schema).expect("it can be done");
}

#[test]
fn a_host_of_each_release_can_run_the_component_of_today() {
    for release in releases() {
        let mut resolve = Resolve { all_features: false, ..Resolve::default() };
        let (today, _) = resolve.push_dir(repository().join("wit")).expect("the contract parses");
        // Two packages of one name and version would be one: the older gets another version.
        let older = tempfile::tempdir().expect("a directory can be made");
        for file in fs::read_dir(release.join("wit")).expect("it has a contract") {
            let file = file.expect("it can be read").path();
            let text = fs::read_to_string(&file).expect("it is text");
            let (package, rest) = text.split_once(';').expect("it names its package");
            let name = file.file_name().expect("it has a name");
            fs::write(
                older.path().join(name),
                format!("{}.999;{rest}", package.rsplit_once('.').expect("it has a version").0),
            )
            .unwrap();
        }
        let (older, _) = resolve.push_dir(older.path()).expect("the released contract parses");
        for world in ["plugin", "results", "tools", "agent"] {
            let [today, older] = [today, older].map(|package| {
                resolve.select_world(&[package], Some(world)).expect("it has the world")
            });
            // What takes the place of a component of the older contract: it may export more.
            wit_component::semver_check(resolve.clone(), today, older)
                .unwrap_or_else(|error| panic!("{}: world {world}: {error:?}", release.display()));
        }
    }
}

#[test]
fn what_the_schemas_of_each_release_say_still_holds() {
    let sandbox = Sandbox::new();
    keep_released(&sandbox);
    for release in releases() {
        for (name, today) in [
            (
                "json.schema.json",
                fs::read_to_string(repository().join("wit/json.schema.json")).unwrap(),
            ),
            (
                "weir-1.schema.json",
                fs::read_to_string(repository().join("docs/json/weir-1.schema.json")).unwrap(),
            ),
            ("settings.schema.json", sandbox.weir().settings_schema().unwrap()),
        ] {
            let file = release.join(name);
            let older: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            let today: Value = serde_json::from_str(&today).unwrap();
            let mut lost = Vec::new();
            compare(&older, &today, String::new(), &mut lost);
            assert!(lost.is_empty(), "{}: {lost:#?}", file.display());
        }
    }
}

/// Notes what `today` no longer says: a member that is gone, a word that is no longer taken, a range that is
/// narrower, a type that is another. Descriptions and defaults may change.
fn compare(older: &Value, today: &Value, at: String, lost: &mut Vec<String>) {
    match (older, today) {
        (Value::Object(older), Value::Object(today)) => {
            for (name, older) in older {
                let at = format!("{at}/{name}");
                let today = today.get(name);
                let numbers = (older.as_f64(), today.and_then(Value::as_f64));
                match (name.as_str(), numbers) {
                    // As a name of a property it is an object.
                    ("description" | "title" | "default" | "examples", _) if !older.is_object() => {
                    }
                    ("minimum", (Some(older), Some(today))) if today <= older => {}
                    ("maximum", (Some(older), Some(today))) if today >= older => {}
                    _ => match today {
                        Some(today) => compare(older, today, at, lost),
                        None => lost.push(format!("{at} is gone")),
                    },
                }
            }
        }
        (Value::Array(older), Value::Array(today)) => {
            let today: BTreeSet<String> = today.iter().map(Value::to_string).collect();
            let gone = older.iter().filter(|one| !today.contains(&one.to_string()));
            lost.extend(gone.map(|one| format!("{at}: {one} is gone")));
        }
        (older, today) if older == today => {}
        (older, today) => lost.push(format!("{at}: {today} for {older}")),
    }
}

#[test]
fn a_change_that_breaks_a_schema_is_found() {
    let older = serde_json::json!({"properties": {"a": {"type": "string", "enum": ["x"]}, "n": {"maximum": 5}},
        "required": ["a"]});
    for (pointer, value) in [
        ("/properties/a/type", serde_json::json!("number")),
        ("/properties/a/enum", serde_json::json!(["y"])),
        ("/properties/n/maximum", serde_json::json!(4)),
        ("/properties/a", Value::Null),
        ("/required", serde_json::json!([])),
    ] {
        let mut today = older.clone();
        *today.pointer_mut(pointer).unwrap() = value;
        let mut lost = Vec::new();
        compare(&older, &today, String::new(), &mut lost);
        assert_eq!(lost.len(), 1, "{pointer}: {lost:?}");
    }
}

/// A copy of a released store, which the test may change.
fn store_of(release: &str, sandbox: &Sandbox) -> Weir {
    let from = released().join(release).join("store");
    let mut waiting = vec![from.clone()];
    while let Some(path) = waiting.pop() {
        let to = sandbox.store().join(path.strip_prefix(&from).expect("it can be done"));
        if path.is_dir() {
            fs::create_dir_all(&to).expect("it can be done");
            waiting.extend(
                fs::read_dir(&path)
                    .expect("it can be done")
                    .map(|entry| entry.expect("it can be done").path()),
            );
        } else {
            fs::copy(&path, &to).expect("it can be done");
        }
    }
    Weir::builder().open_with(engine(), sandbox.store()).expect("it can be done")
}

#[test]
fn a_store_of_contract_0_2_opens_and_its_handles_answer() {
    let sandbox = Sandbox::new();
    let weir = store_of("0.2", &sandbox);
    let list = weir.list_blobs("team", 200, None).unwrap();
    assert_eq!((list.total, list.more), (7, None));
    let whole = |id: &str, view| weir.read_all("team", id, view, None).unwrap().content;
    let lines: String = (1..=200).map(|n| format!("line {n} of an old result\n")).collect();
    assert_eq!(whole("095306301cf1", View::Text), lines);
    assert!(weir.stat("team", "095306301cf1").unwrap().pinned);
    let found = weir.grep("team", "095306301cf1", View::Text, &GrepRequest::new("line 19"), None);
    assert_eq!(found.unwrap().matching_lines, 11);
    let odd = QueryRequest {
        reduce: Some("count".into()),
        ..QueryRequest::new("select(.state == \"odd\")")
    };
    let odd = weir.query("team", "e4f7d7753f7c", View::Text, &odd, None).unwrap();
    assert_eq!(odd.content.trim(), "60");
    // Text inside of an envelope, what a terminal would show, bytes.
    let inside: String = (0..150).map(|n| format!("{n}: inside an envelope\n")).collect();
    assert_eq!(whole("22f1ed5ec778", View::Text), inside);
    assert!(whole("22f1ed5ec778", View::Raw).starts_with("{\"result\""));
    assert!(whole("6f307698b3dc", View::Text).starts_with("ok test 0\nok test 1\n"));
    assert_eq!(weir.stat("team", "12adc9dff806").unwrap().handle.bytes, 3_072);
    // What is now recognised was text then, and is read all the same.
    let yaml =
        weir.query("team", "3a2b9fdc47a3", View::Text, &QueryRequest::new(".metadata.name"), None);
    assert!(yaml.unwrap().content.starts_with("\"web-0\"\n\"web-1\"\n"));
    let Err(Error::Refused(gone)) = weir.stat("team", "e6748a0b3d3e") else { panic!("it is gone") };
    assert_eq!((&*gone.code, &*gone.gone.unwrap().reason), ("gone", "deleted"));
    let checked = weir.doctor(false, |_| {}).unwrap();
    assert_eq!((checked.corrupt, checked.damaged_records, checked.foreign), (0, 0, 0));
    assert_eq!(weir.sweep(|_| {}).unwrap().failed, 0);
}
