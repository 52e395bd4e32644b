//! Every dependency comes from the registry, under a licence of `deny.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn every_dependency_has_an_allowed_licence_and_comes_from_the_registry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let policy = std::fs::read_to_string(root.join("deny.toml")).expect("there is a policy");
    let list = policy
        .split_once("allow = [")
        .and_then(|(_, rest)| rest.split_once(']'))
        .expect("the policy lists licences")
        .0;
    let allowed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    // Crates of other systems are not there offline: what `Cargo.lock` holds for them is checked by
    // cargo-deny.
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output().expect("rustc runs");
    let host = String::from_utf8(host.stdout).expect("a target is text");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", host.trim()])
        .current_dir(&root)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().expect("it lists packages") {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if !permits(licence, &allowed) {
            wrong.push(format!("{name}: licence {licence:?}"));
        }
        if let Some(source) = package["source"].as_str()
            && !source.starts_with("registry+")
        {
            wrong.push(format!("{name}: comes from {source}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Whether one of the ways to take an SPDX expression needs only allowed licences.
fn permits(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    // `AND` binds tighter than `OR`; brackets in our dependencies only enclose an `OR` that stands
    // before an `AND`, where any alternative with the other side is enough.
    expression.split(" AND ").all(|all| {
        all.split(" OR ").any(|one| {
            let one = one.split_whitespace().collect::<Vec<_>>().join(" ");
            allowed.contains(&one.as_str())
        })
    })
}

#[test]
fn a_licence_is_read_as_spdx_reads_it() {
    let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception"];
    for good in ["MIT", "MIT/GPL-2.0", "GPL-2.0 OR MIT", "(MIT OR GPL-2.0) AND Apache-2.0"] {
        assert!(permits(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-2.0", "MIT AND GPL-2.0", "Apache-2.0 WITH other"] {
        assert!(!permits(bad, &allowed), "{bad}");
    }
}

/// Every crate of a selection with its features, one a line.
fn selected(selection: &[&str]) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} {f}"])
        .args(selection)
        .current_dir(&root)
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("a tree is text");
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn what_the_demo_compiles_serves_the_tests() {
    let demo = selected(&["--package", "weir-cli", "--edges", "normal,build"]);
    let tests = selected(&["--workspace", "--edges", "normal,build,dev"]);
    let again: Vec<&String> =
        demo.difference(&tests).filter(|line| !line.starts_with("weir-")).collect();
    assert!(
        again.is_empty(),
        "with other features in the tests: {again:#?}; name them in crates/cli/Cargo.toml"
    );
    assert!(demo.len() > 100);
}

#[test]
fn what_several_crates_use_has_its_version_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for crate_ in [
        "component",
        "crates/agents",
        "crates/base",
        "crates/cli",
        "crates/gateway",
        "crates/mcp",
        "crates/oauth",
        "crates/text",
        "dev/dist",
        "dev/xtask",
        "host",
        "tests",
    ] {
        let text = manifest(&format!("{crate_}/Cargo.toml"));
        let mut in_dependencies = false;
        for line in text.lines() {
            if line.starts_with('[') {
                in_dependencies = line.ends_with("dependencies]");
            } else if let Some((name, value)) = line.split_once(" = ")
                && in_dependencies
                && !name.starts_with("weir-")
                && (value.starts_with('"') || value.contains("version = "))
            {
                versions.entry(name.to_owned()).or_default().push(crate_.to_owned());
            }
        }
    }
    let shared = manifest("Cargo.toml");
    for (name, crates) in versions {
        let is_shared = shared.lines().any(|line| line.starts_with(&format!("{name} = ")));
        assert!(
            crates.len() == 1 && !is_shared,
            "{crates:?} name a version of {name}: put it under [workspace.dependencies]"
        );
    }
}
