//! What the command is made of, its component's parts included: a CycloneDX bill of materials.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::run::{cargo, output};
use crate::sums::sha256;
use crate::{Dist, Result, binary};

/// The file's name.
pub(crate) fn name(version: &str) -> String {
    format!("weir-{version}.cdx.json")
}

pub(crate) fn make(dist: &Dist) -> Result<()> {
    let checksums = checksums(&dist.source.text("Cargo.lock")?)?;
    let mut parts = Parts::default();
    for target in &dist.options.targets {
        let tree = [&["--package", binary::PACKAGE, "--target", target][..], &binary::FEATURES];
        parts.add(&tree_of(dist, &tree.concat())?)?;
    }
    let component = ["--no-default-features", "--features", "results,tools,semantic"];
    let mut tree = vec!["--package", "weir-component", "--target", "wasm32-wasip2"];
    tree.extend(component);
    parts.add(&tree_of(dist, &tree)?)?;
    // The host's bytes hold the component; cargo does not know that.
    parts.depend("weir-host", "weir-component");
    let rustc = output(std::process::Command::new("rustc").arg("-vV"))?;
    let release = rustc.lines().find_map(|line| line.strip_prefix("release: "));
    parts.system(&dist.options.targets, release.unwrap_or_default());
    let bom = parts.bom(&checksums, dist)?;
    let mut text = serde_json::to_string_pretty(&bom).map_err(|error| error.to_string())?;
    text.push('\n');
    dist.put(&name(&dist.source.version), text.as_bytes())
}

/// `cargo tree`, without what only runs while it is built.
fn tree_of(dist: &Dist, options: &[&str]) -> Result<String> {
    output(
        cargo()
            .current_dir(&dist.source.root)
            .args(["tree", "--quiet", "--locked", "--edges", "normal,no-proc-macro"])
            .args(["--prefix", "depth", "--format", "|{p}|{l}"])
            .args(options),
    )
}

/// The SHA-256 of each package of the registry, by name and version.
pub(crate) fn checksums(lock: &str) -> Result<BTreeMap<(String, String), String>> {
    let lock: toml::Table =
        lock.parse().map_err(|error| format!("cannot read Cargo.lock: {error}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let text = |package: &toml::Value, key: &str| {
        package.get(key).and_then(toml::Value::as_str).map(str::to_owned)
    };
    let package = |package: &toml::Value| {
        Some(((text(package, "name")?, text(package, "version")?), text(package, "checksum")?))
    };
    Ok(packages.into_iter().flatten().filter_map(package).collect())
}

/// A package URL.
pub(crate) fn purl(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    name: String,
    version: String,
    licence: String,
    /// Whether it comes from the registry of crates.
    crate_: bool,
}

/// Parts by what refers to them, and what each needs.
#[derive(Debug, Default)]
struct Parts {
    parts: BTreeMap<String, Part>,
    needs: BTreeMap<String, BTreeSet<String>>,
}

impl Parts {
    /// Adds what `cargo tree` printed.
    fn add(&mut self, tree: &str) -> Result<()> {
        let mut above: Vec<String> = Vec::new();
        for line in tree.lines() {
            let strange = || format!("cargo tree printed {line:?}");
            let mut fields = line.split('|');
            let (Some(depth), Some(package), Some(licence)) =
                (fields.next(), fields.next(), fields.next())
            else {
                return Err(strange());
            };
            let depth: usize = depth.parse().map_err(|_| strange())?;
            let mut words = package.split(' ');
            let (Some(name), Some(version)) = (words.next(), words.next()) else {
                return Err(strange());
            };
            let version = version.trim_start_matches('v');
            let key = purl(name, version);
            // A package that was listed before comes again without its own.
            let licence = licence.trim_end_matches(" (*)").replace('/', " OR ");
            self.parts.entry(key.clone()).or_insert(Part {
                name: name.to_owned(),
                version: version.to_owned(),
                licence,
                crate_: true,
            });
            above.truncate(depth);
            if let Some(parent) = above.last() {
                self.needs.entry(parent.clone()).or_default().insert(key.clone());
            }
            above.push(key);
        }
        Ok(())
    }

    fn key(&self, name: &str) -> Option<String> {
        self.parts.iter().find(|(_, part)| part.name == name).map(|(key, _)| key.clone())
    }

    fn depend(&mut self, name: &str, on: &str) {
        if let (Some(name), Some(on)) = (self.key(name), self.key(on)) {
            self.needs.entry(name).or_default().insert(on);
        }
    }

    /// What the toolchain brings.
    fn system(&mut self, targets: &[String], rust: &str) {
        let mut add = |name: &str, version: &str, licence: &str| {
            let key = match version {
                "" => format!("pkg:generic/{name}"),
                _ => format!("pkg:generic/{name}@{version}"),
            };
            let part = Part {
                name: name.to_owned(),
                version: version.to_owned(),
                licence: licence.to_owned(),
                crate_: false,
            };
            self.parts.insert(key.clone(), part);
            let root = self.parts.iter().find(|(_, part)| part.name == binary::PACKAGE);
            if let Some(root) = root.map(|(key, _)| key.clone()) {
                self.needs.entry(root).or_default().insert(key);
            }
        };
        add("rust-std", rust, "MIT OR Apache-2.0");
        if targets.iter().any(|target| target.ends_with("musl")) {
            add("musl", "", "MIT");
        }
        if targets.iter().any(|target| target.ends_with("gnu")) {
            add("glibc", "", "LGPL-2.1-or-later");
        }
    }

    fn bom(&self, checksums: &BTreeMap<(String, String), String>, dist: &Dist) -> Result<Value> {
        let root = self.key(binary::PACKAGE).ok_or("the command is not among its parts")?;
        let describe = |key: &str, part: &Part| {
            let mut value = json!({
                "type": if key == root { "application" } else { "library" },
                "bom-ref": key,
                "name": part.name,
                "purl": key,
                "licenses": [{ "expression": part.licence }],
            });
            if !part.version.is_empty() {
                value["version"] = part.version.as_str().into();
            }
            let id = (part.name.clone(), part.version.clone());
            if let Some(sum) = checksums.get(&id).filter(|_| part.crate_) {
                value["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
            }
            value
        };
        let parts: Vec<Value> = self
            .parts
            .iter()
            .filter(|(key, _)| **key != root)
            .map(|(key, part)| describe(key, part))
            .collect();
        let needs: Vec<Value> = self
            .parts
            .keys()
            .map(|key| {
                let needs: Vec<&String> = self.needs.get(key).into_iter().flatten().collect();
                json!({ "ref": key, "dependsOn": needs })
            })
            .collect();
        let mut metadata = json!({
            "timestamp": timestamp(dist.source.time),
            "component": describe(&root, &self.parts[&root]),
            "tools": { "components": [
                { "type": "application", "name": "cargo xtask dist", "version": dist.source.version },
            ] },
        });
        if let Some(commit) = &dist.source.commit {
            metadata["properties"] = json!([{ "name": "weir:commit", "value": commit }]);
        }
        let content = json!([metadata, parts, needs]).to_string();
        Ok(json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "serialNumber": format!("urn:uuid:{}", uuid(&sha256(content.as_bytes()))),
            "version": 1,
            "metadata": metadata,
            "components": parts,
            "dependencies": needs,
        }))
    }
}

/// A name made of a digest: the same parts have the same.
fn uuid(digest: &str) -> String {
    let (a, b, c, d, e) =
        (&digest[..8], &digest[8..12], &digest[13..16], &digest[17..20], &digest[20..32]);
    format!("{a}-{b}-8{c}-8{d}-{e}")
}

pub(crate) fn timestamp(time: u64) -> String {
    let (year, month, day, seconds) = weir_base::date(time);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_gives_each_part_once_with_what_it_needs() {
        let mut parts = Parts::default();
        let tree = "0|weir v0.3.0 (/a/cli)|Apache-2.0\n1|b v1.0.0|MIT/Apache-2.0\n\
                    2|c v1.0.1|MIT\n1|c v1.0.1|MIT (*)\n";
        parts.add(tree).expect("it is a tree");
        let needs = |key: &str| parts.needs[key].iter().cloned().collect::<Vec<_>>();
        assert_eq!(needs("pkg:cargo/weir@0.3.0"), ["pkg:cargo/b@1.0.0", "pkg:cargo/c@1.0.1"]);
        assert_eq!(needs("pkg:cargo/b@1.0.0"), ["pkg:cargo/c@1.0.1"]);
        assert_eq!(parts.parts["pkg:cargo/b@1.0.0"].licence, "MIT OR Apache-2.0");
        assert_eq!(parts.parts["pkg:cargo/c@1.0.1"].licence, "MIT");
        assert!(parts.add("warning: something\n").is_err());
    }

    #[test]
    fn times_and_names_have_their_forms() {
        assert_eq!(timestamp(1_700_000_001), "2023-11-14T22:13:21Z");
        let id = uuid(&sha256(b""));
        assert_eq!(id, "e3b0c442-98fc-8c14-8afb-f4c8996fb924");
    }
}
