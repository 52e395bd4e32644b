//! The component's file: what it says of itself, and that the same sources give the same bytes.
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use weir_host::{Cache, ComponentSource, Engine};
use weir_tests::{cache, target_directory, xtask};
use wit_bindgen_core::wit_parser::decoding::{DecodedWasm, decode};

/// Each file with the most bytes that it may have.
const FILE: (&str, &str, usize) = ("plugin", "weir", 9_000_000);
const SMALLER_FILES: [(&str, &str, usize); 2] =
    [("results", "weir-results", 4_000_000), ("tools", "weir-tools", 6_000_000)];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The sections of a component, by number, each with where it starts and what it holds.
fn sections(bytes: &[u8]) -> Vec<(u8, usize, &[u8])> {
    let mut found = Vec::new();
    let mut at = 8;
    while at < bytes.len() {
        let start = at;
        let id = bytes[at];
        at += 1;
        let length = number(bytes, &mut at);
        found.push((id, start, &bytes[at..at + length]));
        at += length;
    }
    found
}

/// A number in LEB128.
fn number(bytes: &[u8], at: &mut usize) -> usize {
    let (mut number, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        number |= usize::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return number;
        }
    }
}

/// The custom sections at the top, by name.
fn custom(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let custom = sections(bytes).into_iter().filter(|section| section.0 == 0);
    custom
        .map(|(_, _, data)| {
            let mut at = 0;
            let length = number(data, &mut at);
            let name = String::from_utf8(data[at..at + length].to_vec()).unwrap();
            (name, data[at + length..].to_vec())
        })
        .collect()
}

/// A component without its section `revision`: what it is before a change is committed.
fn without_revision(bytes: &[u8]) -> Vec<u8> {
    let mut rest = bytes[..8].to_vec();
    let sections = sections(bytes);
    for (place, (id, start, data)) in sections.iter().enumerate() {
        let end = sections.get(place + 1).map_or(bytes.len(), |next| next.1);
        if *id != 0 || !data.starts_with(b"\x08revision") {
            rest.extend_from_slice(&bytes[*start..end]);
        }
    }
    rest
}

#[test]
fn the_file_runs_alone_is_small_enough_and_says_what_it_is() {
    check(FILE);
    check_documentation(FILE);
}

/// `cargo test --package weir-tests --test host -- --ignored smaller_file`, or `.ci/run releases`.
#[test]
#[ignore = "it builds the component twice more"]
fn each_smaller_file_runs_alone_is_small_enough_and_says_what_it_is() {
    for file in SMALLER_FILES {
        check(file);
        check_documentation(file);
    }
}

fn check((world, name, most): (&str, &str, usize)) {
    let source = weir_tests::world(world);
    let bytes = source.bytes().unwrap();
    assert!(bytes.len() <= most, "{world}: {} bytes", bytes.len());
    let engine = Engine::new(&source, &Cache::In(cache())).unwrap();
    let weir = weir_host::Weir::builder().without_store(engine);
    let info = weir.info().unwrap();
    assert_eq!(info.file, world);

    let sections = custom(&bytes);
    let text = |name: &str| String::from_utf8(sections[name].clone()).unwrap();
    assert_eq!(text("version"), info.version);
    assert_eq!(text("licenses"), info.licence);
    assert!(!text("authors").is_empty() && !text("description").is_empty());
    assert!(sections["component-name"].ends_with(name.as_bytes()));
    if let Some(revision) = sections.get("revision") {
        assert!(revision.iter().all(u8::is_ascii_hexdigit) && revision.len() >= 40);
    }

    let packed = &sections[".dep-v0"];
    let list = miniz_oxide::inflate::decompress_to_vec_zlib(packed).unwrap();
    let list: Value = serde_json::from_slice(&list).unwrap();
    let packages = list["packages"].as_array().unwrap();
    let has = |name: &str| packages.iter().any(|package| package["name"] == name);
    assert!(has("weir-component") && has("serde_json") && !has("proptest"), "{list}");
    assert_eq!(packages.iter().filter(|package| package["root"] == true).count(), 1);
    for package in packages {
        for place in package["dependencies"].as_array().into_iter().flatten() {
            assert!(packages.get(place.as_u64().unwrap() as usize).is_some(), "{package}");
        }
    }
}

/// What `wasm-tools component wit`, jco and the like show.
fn check_documentation((world, ..): (&str, &str, usize)) {
    let decoded = decode(&weir_tests::world(world).bytes().unwrap());
    let DecodedWasm::Component(resolve, root) = decoded.unwrap() else { panic!("{world}") };
    let docs = resolve.worlds[root].docs.contents.as_deref().unwrap();
    for (_, item) in &resolve.worlds[root].exports {
        let wit_bindgen_core::wit_parser::WorldItem::Interface { id, .. } = item else {
            panic!("{world} exports only interfaces")
        };
        let name = resolve.interfaces[*id].name.as_deref().unwrap();
        assert!(name == "types" || docs.contains(&format!("- `{name}`: ")), "{name}: {docs}");
    }
}

#[test]
fn no_path_of_the_builder_is_in_the_file() {
    let bytes = ComponentSource::Embedded.bytes().unwrap();
    let home = std::env::home_dir().unwrap();
    let mut paths =
        vec![workspace(), target_directory(), home.join(".cargo"), home.join(".rustup")];
    paths.extend(["CARGO_HOME", "RUSTUP_HOME"].iter().filter_map(std::env::var_os).map(Into::into));
    for path in paths {
        let path = path.to_str().unwrap().as_bytes();
        assert!(path.len() > 1);
        let found = bytes.windows(path.len()).any(|window| window == path);
        assert!(!found, "{}", String::from_utf8_lossy(path));
    }
}

/// One build in this folder, and one in a copy of the sources in another, with another directory for
/// what cargo downloads. It takes two minutes of CPU; run it by hand:
/// `cargo test --package weir-tests --test host -- component:: --ignored`.
#[cfg(unix)]
#[test]
#[ignore = "it builds the component once more"]
fn two_builds_in_two_folders_give_the_same_bytes() {
    // The build of the host ran `cargo xtask component` here.
    let here = without_revision(&ComponentSource::Embedded.bytes().unwrap());

    let folder = tempfile::tempdir_in(target_directory()).unwrap();
    let root = folder.path().join("some other place");
    fs::create_dir(&root).unwrap();
    for part in ["Cargo.toml", "Cargo.lock", ".cargo", "wit", "dev/xtask", "component"] {
        copy(&workspace().join(part), &root.join(part));
    }
    // Of the other members cargo only reads what they are.
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = manifest.split_once("members = [").unwrap().1.split_once(']').unwrap().0;
    for member in members.split('"').skip(1).step_by(2) {
        if !root.join(member).exists() {
            skeleton(&workspace().join(member), &root.join(member));
        }
    }
    let home = std::env::var_os("CARGO_HOME")
        .map_or_else(|| std::env::home_dir().unwrap().join(".cargo"), PathBuf::from);
    let other_home = folder.path().join("downloads");
    fs::create_dir(&other_home).unwrap();
    for entry in fs::read_dir(home).unwrap() {
        let entry = entry.unwrap();
        std::os::unix::fs::symlink(entry.path(), other_home.join(entry.file_name())).unwrap();
    }
    let there = folder.path().join("weir.wasm");
    let environment = [("WEIR_REVISION", OsStr::new("")), ("CARGO_HOME", other_home.as_os_str())];
    xtask(&root, &folder.path().join("built"), &there, &[], &environment);
    let there = fs::read(there).unwrap();
    assert!(here == there, "{} and {} bytes", here.len(), there.len());
}

#[cfg(unix)]
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() != "target" {
                copy(&entry.path(), &to.join(entry.file_name()));
            }
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// A package as far as cargo looks at it when another is built.
#[cfg(unix)]
fn skeleton(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("src")).unwrap();
    fs::copy(from.join("Cargo.toml"), to.join("Cargo.toml")).unwrap();
    for file in ["src/lib.rs", "src/main.rs", "build.rs"] {
        if from.join(file).exists() {
            fs::write(to.join(file), "").unwrap();
        }
    }
    for folder in ["benches", "examples"] {
        if from.join(folder).exists() {
            copy(&from.join(folder), &to.join(folder));
        }
    }
}
