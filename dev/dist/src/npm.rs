//! npm packages with the binary: `npx weir-cli`. One package a system, and one that finds its own.

use serde_json::{Map, Value, json};

use crate::archive::{Entries, Entry, tar_gz};
use crate::binary::Binary;
use crate::{Dist, REPOSITORY, Result, SUMMARY, read};

pub(crate) fn make(dist: &Dist, binaries: &[Binary]) -> Result<()> {
    let version = &dist.source.version;
    let mut systems = Map::new();
    for binary in binaries {
        let name = binary.platform.npm_package();
        let (os, cpu) = binary.platform.node;
        let manifest = json!({
            "name": name,
            "version": version,
            "description": format!("The program of weir-cli for {os} on {cpu}"),
            "license": "Apache-2.0",
            "repository": REPOSITORY,
            "os": [os],
            "cpu": [cpu],
            "files": ["bin", "LICENSE", "NOTICE", "THIRD-PARTY.txt"],
            "preferUnplugged": true,
        });
        let mut entries = package(dist, &manifest)?;
        entries.insert("package/bin/weir".to_owned(), Entry::program(read(&binary.file)?));
        dist.put(&format!("{name}-{version}.tgz"), &tar_gz(&entries, dist.source.time)?)?;
        if systems.insert(name.clone(), version.clone().into()).is_some() {
            return Err(format!("two targets would both be the npm package {name}: leave one out"));
        }
    }
    let manifest = json!({
        "name": "weir-cli",
        "version": version,
        "description": SUMMARY,
        "license": "Apache-2.0",
        "repository": REPOSITORY,
        "keywords": ["agents", "ai", "context", "llm", "mcp", "tools"],
        "engines": { "node": ">=18" },
        "bin": { "weir": "bin/weir.js" },
        "files": ["bin", "README.md", "LICENSE", "NOTICE", "THIRD-PARTY.txt"],
        "optionalDependencies": Value::Object(systems),
    });
    let mut entries = package(dist, &manifest)?;
    let script = dist.source.text("dev/dist/npm/weir.js")?;
    entries.insert("package/bin/weir.js".to_owned(), Entry::program(script));
    let readme = dist.source.text("dev/dist/npm/README.md")?;
    entries.insert("package/README.md".to_owned(), Entry::file(readme));
    dist.put(&format!("weir-cli-{version}.tgz"), &tar_gz(&entries, dist.source.time)?)
}

/// What every package has.
fn package(dist: &Dist, manifest: &Value) -> Result<Entries> {
    let mut text = serde_json::to_string_pretty(manifest).map_err(|error| error.to_string())?;
    text.push('\n');
    let mut entries = Entries::from([("package/package.json".to_owned(), Entry::file(text))]);
    entries.append(&mut dist.source.licences("package/")?);
    Ok(entries)
}
