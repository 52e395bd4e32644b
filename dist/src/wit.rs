//! The contract as one file: a WIT package in the binary form that registries and tools take, and its text.

use wit_parser::{PackageId, Resolve};

use crate::archive::{Entries, Entry, tar_gz};
use crate::{Dist, Result, read, step};

/// The file's name.
pub(crate) fn name(version: &str) -> String {
    format!("weir-plugin-{version}.wit.wasm")
}

pub(crate) fn make(dist: &Dist) -> Result<()> {
    step("the contract");
    let version = &dist.source.version;
    let (resolve, package) = parse(dist)?;
    let bytes = encode(&resolve, package)?;
    let packed = &resolve.packages[package].name;
    if packed.version.as_ref().map(ToString::to_string).as_ref() != Some(version) {
        return Err(format!("the contract is {packed}, and the workspace {version}"));
    }
    dist.put(&name(version), &bytes)?;

    let stem = format!("weir-plugin-{version}-wit");
    let mut entries = Entries::new();
    for name in crate::files(&dist.source.root.join("wit"))? {
        let path = dist.source.root.join("wit").join(&name);
        entries.insert(format!("{stem}/{name}"), Entry::file(read(&path)?));
    }
    for name in ["README.md", "conformance.json"] {
        let path = dist.source.root.join("kits/conformance").join(name);
        entries.insert(format!("{stem}/conformance/{name}"), Entry::file(read(&path)?));
    }
    let licence = dist.source.text("LICENSE")?;
    entries.insert(format!("{stem}/LICENSE"), Entry::file(licence));
    dist.put(&format!("{stem}.tar.gz"), &tar_gz(&entries, dist.source.time)?)
}

fn parse(dist: &Dist) -> Result<(Resolve, PackageId)> {
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    let directory = dist.source.root.join("wit");
    let (package, _) = resolve
        .push_dir(&directory)
        .map_err(|error| format!("cannot read the contract: {error:#}"))?;
    Ok((resolve, package))
}

fn encode(resolve: &Resolve, package: PackageId) -> Result<Vec<u8>> {
    wit_component::encode(resolve, package)
        .map_err(|error| format!("cannot write the contract: {error:#}"))
}

/// The worlds of a package in the binary form.
pub(crate) fn worlds(bytes: &[u8]) -> Result<Vec<String>> {
    let decoded = wit_parser::decoding::decode(bytes)
        .map_err(|error| format!("cannot read the contract: {error:#}"))?;
    let package = &decoded.resolve().packages[decoded.package()];
    Ok(package.worlds.keys().cloned().collect())
}
