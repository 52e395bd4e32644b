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
    let mut bytes = encode(&resolve, package)?;
    describe(&mut bytes, version, dist.source.commit.as_deref());
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
    entries.append(&mut dist.source.licences(&format!("{stem}/"))?);
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

/// What the package is, in the sections that the component has too: they become the artefact's annotations.
fn describe(bytes: &mut Vec<u8>, version: &str, commit: Option<&str>) {
    let description = "The contract of Weir: what a host can ask of the component";
    let mut texts = vec![
        ("version", version),
        ("description", description),
        ("authors", env!("CARGO_PKG_AUTHORS")),
        ("licenses", env!("CARGO_PKG_LICENSE")),
    ];
    texts.extend(commit.map(|commit| ("revision", commit)));
    for (name, text) in texts {
        let mut content = number(name.len());
        content.extend_from_slice(name.as_bytes());
        content.extend_from_slice(text.as_bytes());
        bytes.push(0);
        bytes.extend(number(content.len()));
        bytes.extend(content);
    }
}

/// A number in LEB128.
fn number(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

/// The worlds of a package in the binary form.
pub(crate) fn worlds(bytes: &[u8]) -> Result<Vec<String>> {
    let decoded = wit_parser::decoding::decode(bytes)
        .map_err(|error| format!("cannot read the contract: {error:#}"))?;
    let package = &decoded.resolve().packages[decoded.package()];
    Ok(package.worlds.keys().cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contract_says_what_it_is_and_can_still_be_read() {
        let mut resolve = Resolve { all_features: true, ..Resolve::default() };
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit");
        let (package, _) = resolve.push_dir(directory).expect("it is a contract");
        let mut bytes = encode(&resolve, package).expect("it can be written");
        describe(&mut bytes, "1.2.3", Some("abc"));
        let mut found = worlds(&bytes).expect("it can be read");
        found.sort();
        assert_eq!(found, ["agent", "plugin", "results", "tools"]);
        for text in [&b"\x07version1.2.3"[..], b"\x08licensesApache-2.0", b"\x08revisionabc"] {
            assert!(bytes.windows(text.len()).any(|window| window == text), "{text:?}");
        }
    }
}
