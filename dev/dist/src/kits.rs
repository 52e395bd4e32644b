//! The packages for Python and JavaScript with the component inside.

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as STANDARD;
use serde_json::Value;

use crate::archive::{Entries, Entry, tar_gz};
use crate::run::{output, program};
use crate::{Dist, Result, create, fresh, read, read_text, write};

/// Turns the component into what JavaScript runs.
const JCO: &str = "@bytecodealliance/jco@1.35.0";

/// A file that came from elsewhere and went into the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Material {
    /// A package URL.
    pub(crate) uri: String,
    /// Its checksum in hexadecimal digits: the algorithm's name and the digits.
    pub(crate) digest: (&'static str, String),
}

/// The wheel and the source archive.
pub(crate) fn python(dist: &Dist, component: &Path) -> Result<()> {
    let made = dist.work.join("python");
    fresh(&made)?;
    let mut python = Command::new("python3");
    python.arg(dist.source.root.join("kits/python/backend.py")).arg(component).arg(&made);
    output(python.env("PYTHONDONTWRITEBYTECODE", "1")).map_err(|error| {
        format!("{error}\nhint: install Python 3.11, or leave this out with --without python")
    })?;
    for name in crate::files(&made)? {
        dist.put(&name, &read(&made.join(&name))?)?;
    }
    Ok(())
}

/// The package for Node, Bun, Deno and browsers. What it is made with comes from the npm registry, in the
/// version that is named above.
pub(crate) fn javascript(dist: &Dist, component: &Path) -> Result<Vec<Material>> {
    if program("node").is_none() || program("npm").is_none() {
        return Err(
            "Node with npm is needed: install it, or leave this out with --without javascript"
                .to_owned(),
        );
    }
    let jco = jco(dist)?;
    let root = dist.source.root.join("kits/javascript");
    output(Command::new("node").arg(root.join("build.mjs")).arg(component).env("JCO", &jco))?;
    let manifest = parse(&read_text(&root.join("package.json"))?)?;
    let mut entries = Entries::new();
    let files = manifest["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    for name in files.chain(["package.json"]) {
        add(&root, &root.join(name), &mut entries)?;
    }
    let name = format!("weir-wasm-{}.tgz", dist.source.version);
    dist.put(&name, &tar_gz(&entries, dist.source.time)?)?;
    materials(&jco)
}

/// The kits whose languages have no package for them: sources beside the component.
pub(crate) fn sources(dist: &Dist) -> Result<()> {
    let listed = output(Command::new("git").current_dir(&dist.source.root).args([
        "ls-files",
        "-z",
        "kits/c",
        "kits/go",
        "kits/ruby",
        "kits/LICENSE",
        "kits/NOTICE",
        "kits/THIRD-PARTY.txt",
    ]))?;
    let stem = format!("weir-kits-{}", dist.source.version);
    let mut entries = Entries::new();
    for name in listed.split_terminator('\0') {
        let bytes = read(&dist.source.root.join(name))?;
        let entry =
            if bytes.starts_with(b"#!") { Entry::program(bytes) } else { Entry::file(bytes) };
        let name = name.strip_prefix("kits/").unwrap_or(name);
        entries.insert(format!("{stem}/{name}"), entry);
    }
    dist.put(&format!("{stem}.tar.gz"), &tar_gz(&entries, dist.source.time)?)
}

/// Adds a file, or all files of a directory, as an npm package has them.
fn add(root: &Path, path: &Path, entries: &mut Entries) -> Result<()> {
    let unreadable = |error| format!("cannot read {}: {error}", path.display());
    if path.is_dir() {
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            add(root, &entry.map_err(unreadable)?.path(), entries)?;
        }
        return Ok(());
    }
    let name = path.strip_prefix(root).map_err(|error| error.to_string())?;
    let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
    entries.insert(format!("package/{}", name.join("/")), Entry::file(read(path)?));
    Ok(())
}

/// Installs jco, unless an earlier run did.
fn jco(dist: &Dist) -> Result<PathBuf> {
    let folder = dist.work.join("jco");
    let note = folder.join("installed");
    if read_text(&note).is_ok_and(|noted| noted == JCO) {
        return Ok(folder);
    }
    fresh(&folder)?;
    create(&folder)?;
    write(&folder.join("package.json"), br#"{"private":true}"#)?;
    output(Command::new("npm").current_dir(&folder).args([
        "install",
        "--silent",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        JCO,
    ]))
    .map_err(|error| {
        format!(
            "{error}\nhint: {JCO} comes from the npm registry; without it, leave this out with \
             --without javascript"
        )
    })?;
    write(&note, JCO.as_bytes())?;
    Ok(folder)
}

/// The packages that npm installed, with their checksums.
fn materials(folder: &Path) -> Result<Vec<Material>> {
    let lock = parse(&read_text(&folder.join("package-lock.json"))?)?;
    let mut found = Vec::new();
    for (path, package) in lock["packages"].as_object().into_iter().flatten() {
        let Some((_, name)) = path.rsplit_once("node_modules/") else { continue };
        let (Some(version), Some(sum)) =
            (package["version"].as_str(), package["integrity"].as_str())
        else {
            continue;
        };
        let Some(digest) = sum.strip_prefix("sha512-").and_then(|text| STANDARD.decode(text).ok())
        else {
            continue;
        };
        found.push(Material {
            uri: format!("pkg:npm/{}@{version}", name.replace('@', "%40")),
            digest: ("sha512", weir_base::hex(&digest)),
        });
    }
    Ok(found)
}

fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))
}
