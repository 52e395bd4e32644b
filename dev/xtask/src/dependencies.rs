//! What the component is made of, as the section `.dep-v0` lists it: JSON, compressed with zlib. It is
//! the format of cargo-auditable, read by `cargo audit bin`, syft, trivy and `wasm-tools metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::toolchain::TARGET;
use crate::{Result, cargo, metadata, output};

const COMPONENT: &str = "weir-component";

/// What the component's manifest says of it.
pub(crate) struct Package {
    pub(crate) version: String,
    pub(crate) description: String,
    pub(crate) authors: String,
    pub(crate) licence: String,
}

pub(crate) fn package(root: &Path) -> Result<Package> {
    let metadata = metadata(root)?;
    let packages = metadata["packages"].as_array();
    let package = packages
        .and_then(|packages| packages.iter().find(|package| package["name"] == COMPONENT))
        .ok_or("the workspace lacks the component")?;
    let field = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
    let authors = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok(Package {
        version: field("version"),
        description: field("description"),
        authors: authors.collect::<Vec<_>>().join(", "),
        licence: field("license"),
    })
}

/// The content of the section for a build with these features.
pub(crate) fn list(root: &Path, features: &str) -> Result<Vec<u8>> {
    let runtime = tree(root, features, "normal,no-proc-macro")?;
    let all = tree(root, features, "normal,build")?;
    let json = listed(&runtime, &all)?;
    Ok(miniz_oxide::deflate::compress_to_vec_zlib(json.to_string().as_bytes(), 9))
}

/// `cargo tree`: it needs nothing that the build itself does not need.
fn tree(root: &Path, features: &str, edges: &str) -> Result<String> {
    output(
        cargo()
            .current_dir(root)
            .args(["tree", "--locked", "--package", COMPONENT, "--target", TARGET])
            .args(["--no-default-features", "--features", features])
            .args(["--edges", edges, "--prefix", "depth", "--format", "|{p}"]),
    )
}

/// A package by name and version, and whether it comes from the registry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Id {
    name: String,
    version: String,
    local: bool,
}

/// Each package of a tree with those it depends on.
fn edges(tree: &str) -> Result<BTreeMap<Id, BTreeSet<Id>>> {
    let mut found: BTreeMap<Id, BTreeSet<Id>> = BTreeMap::new();
    let mut above: Vec<Id> = Vec::new();
    for line in tree.lines() {
        let strange = || format!("cargo tree printed {line:?}");
        let (depth, package) = line.split_once('|').ok_or_else(strange)?;
        let depth: usize = depth.parse().map_err(|_| strange())?;
        let mut words = package.split(' ');
        let (Some(name), Some(version)) = (words.next(), words.next()) else {
            return Err(strange());
        };
        let id = Id {
            name: name.to_owned(),
            version: version.trim_start_matches('v').to_owned(),
            local: words.any(|word| word.contains(['/', '\\'])),
        };
        above.truncate(depth);
        if let Some(parent) = above.last() {
            found.entry(parent.clone()).or_default().insert(id.clone());
        }
        found.entry(id.clone()).or_default();
        above.push(id);
    }
    Ok(found)
}

fn listed(runtime: &str, all: &str) -> Result<Value> {
    let runtime = edges(runtime)?;
    let all = edges(all)?;
    let places: BTreeMap<&Id, usize> =
        all.keys().enumerate().map(|(place, id)| (id, place)).collect();
    let packages = all.iter().map(|(id, needs)| {
        let mut package = json!({
            "name": id.name,
            "version": id.version,
            "source": if id.local { "local" } else { "crates.io" },
        });
        if !runtime.contains_key(id) {
            package["kind"] = "build".into();
        }
        let mut needs: Vec<usize> = needs.iter().map(|id| places[id]).collect();
        needs.sort_unstable();
        if !needs.is_empty() {
            package["dependencies"] = needs.into();
        }
        if id.name == COMPONENT {
            package["root"] = true.into();
        }
        package
    });
    Ok(json!({ "packages": packages.collect::<Vec<_>>() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_each_package_once_with_its_kind_and_what_it_needs() {
        let runtime =
            "0|weir-component v0.3.0 (/a/component)\n1|b v1.0.0\n2|c v1.0.1\n1|c v1.0.1\n";
        let all = format!("{runtime}1|macros v3.0.0 (proc-macro)\n2|b v1.0.0 (*)\n2|c v2.0.0\n");
        let list = listed(runtime, &all).expect("it is a tree");
        assert_eq!(
            list,
            json!({ "packages": [
                { "name": "b", "version": "1.0.0", "source": "crates.io", "dependencies": [1] },
                { "name": "c", "version": "1.0.1", "source": "crates.io" },
                { "name": "c", "version": "2.0.0", "source": "crates.io", "kind": "build" },
                { "name": "macros", "version": "3.0.0", "source": "crates.io", "kind": "build",
                  "dependencies": [0, 2] },
                { "name": "weir-component", "version": "0.3.0", "source": "local",
                  "dependencies": [0, 1, 3], "root": true },
            ] })
        );
    }

    #[test]
    fn a_line_that_is_not_of_a_tree_is_refused() {
        assert!(edges("warning: something\n").is_err());
    }
}
