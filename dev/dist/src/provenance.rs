//! Where the files come from: an in-toto statement with a provenance as SLSA defines it.
//!
//! It has no time and no name of a run, so that whoever makes the files again gets the same statement.

use std::env;
use std::process::Command;

use serde_json::{Value, json};

use crate::kits::Material;
use crate::options::Part;
use crate::run::output;
use crate::sums::{self, sha256};
use crate::{Dist, Result, read, sbom};

/// The file's name.
pub(crate) fn name(version: &str) -> String {
    format!("weir-{version}.provenance.json")
}

/// What `cargo xtask dist` does; dev/dist/README.md describes it.
const BUILD_TYPE: &str = "urn:weir:dist:1";
/// Unless `--builder` says who it is.
const BUILDER: &str = "urn:weir:builder:unnamed";

pub(crate) fn make(dist: &Dist, materials: Vec<Material>) -> Result<()> {
    let mut subjects = Vec::new();
    for name in sums::covered(&dist.out)? {
        let digest = sha256(&read(&dist.out.join(&name))?);
        subjects.push(json!({ "name": name, "digest": { "sha256": digest } }));
    }
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let rustc = output(Command::new(rustc).arg("-vV"))?;
    let options = &dist.options;
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects,
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD_TYPE,
                "externalParameters": {
                    "version": dist.source.version,
                    "targets": options.targets,
                    "without": options.without.iter().map(|part| format!("{part:?}").to_lowercase()).collect::<Vec<_>>(),
                    "prebuiltComponents": options.components.is_some(),
                    "prebuiltBinaries": options.binaries.keys().collect::<Vec<_>>(),
                },
                "internalParameters": {
                    "rustc": rustc.trim(),
                    "sourceDateEpoch": dist.source.time,
                },
                "resolvedDependencies": dependencies(dist, materials)?,
            },
            "runDetails": {
                "builder": { "id": options.builder.as_deref().unwrap_or(BUILDER) },
            },
        },
    });
    let mut text = serde_json::to_string_pretty(&statement).map_err(|error| error.to_string())?;
    text.push('\n');
    dist.put(&name(&dist.source.version), text.as_bytes())
}

/// The sources, the crates and what npm brought.
fn dependencies(dist: &Dist, materials: Vec<Material>) -> Result<Vec<Value>> {
    let lock = dist.source.text("Cargo.lock")?;
    let mut found = Vec::new();
    let mut source = json!({ "name": "source" });
    if let Some(commit) = &dist.source.commit {
        source["digest"] = json!({ "gitCommit": commit });
        source["annotations"] = json!({ "uncommittedChanges": dist.source.dirty });
        found.push(source);
    }
    found.push(json!({ "name": "Cargo.lock", "digest": { "sha256": sha256(lock.as_bytes()) } }));
    for ((name, version), sum) in sbom::checksums(&lock)? {
        let uri = sbom::purl(&name, &version);
        found.push(json!({ "uri": uri, "digest": { "sha256": sum } }));
    }
    if !dist.options.without.contains(&Part::JavaScript) {
        let value = |material: Material| {
            let (algorithm, digest) = material.digest;
            let mut value = json!({ "uri": material.uri, "digest": {} });
            value["digest"][algorithm] = digest.into();
            value
        };
        found.extend(materials.into_iter().map(value));
    }
    Ok(found)
}
