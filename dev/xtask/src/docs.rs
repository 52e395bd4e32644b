//! The section `package-docs`: what readers of a component show as its documentation.
//!
//! In a component the section speaks of the package that tools make up for it, `root:component`, with
//! its one world `root`: they refuse sections with docs of other packages, such as those of
//! `weir:plugin`, and of anything that is not in the world itself. So the world's docs name the
//! interfaces and what they are for; every function and field is documented in `wit/`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::Result;

/// The first version of the format, which every reader knows.
const FORMAT: u8 = 0;

/// The content of the section for the file of one world.
pub(crate) fn package_docs(wit: &Path, world: &str) -> Result<Vec<u8>> {
    let contract = Contract::read(wit)?;
    let mut text = contract.worlds.get(world).ok_or("the contract lacks the world")?.docs.clone();
    text.push_str("\n\nInterfaces:\n");
    for interface in contract.exports(world) {
        let docs = contract.interfaces.get(interface).ok_or("the contract lacks an interface")?;
        let first = docs.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        text.push_str(&format!("\n- `{interface}`: {first}"));
    }
    let docs = json!({ "worlds": { "root": { "docs": text } } });
    let mut content = vec![FORMAT];
    content.extend_from_slice(docs.to_string().as_bytes());
    Ok(content)
}

#[derive(Default)]
struct Contract {
    /// Interfaces, with their docs.
    interfaces: BTreeMap<String, String>,
    worlds: BTreeMap<String, World>,
}

#[derive(Default)]
struct World {
    docs: String,
    exports: Vec<String>,
    includes: Vec<String>,
}

impl Contract {
    fn read(wit: &Path) -> Result<Contract> {
        let unreadable = |error| format!("cannot read {}: {error}", wit.display());
        let mut contract = Contract::default();
        for entry in fs::read_dir(wit).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            if file.extension().is_some_and(|extension| extension == "wit") {
                contract.add(&fs::read_to_string(&file).map_err(unreadable)?);
            }
        }
        Ok(contract)
    }

    /// Reads as much of a file as is needed: what stands at the margin, and the lines of worlds.
    fn add(&mut self, text: &str) {
        let (mut docs, mut world): (Vec<&str>, Option<&mut World>) = (Vec::new(), None);
        for line in text.lines() {
            let words: Vec<&str> = line.trim_end_matches(';').split_whitespace().collect();
            match (line.strip_prefix("///"), &words[..]) {
                (Some(doc), _) => docs.push(doc.strip_prefix(' ').unwrap_or(doc)),
                (_, ["world", name, "{"]) => {
                    let entry = self.worlds.entry((*name).to_owned()).or_default();
                    entry.docs = std::mem::take(&mut docs).join("\n");
                    world = Some(entry);
                }
                (_, ["interface", name, "{"]) => {
                    let docs = std::mem::take(&mut docs).join("\n");
                    self.interfaces.insert((*name).to_owned(), docs);
                    world = None;
                }
                (_, ["export", name]) => {
                    world.iter_mut().for_each(|world| world.exports.push((*name).to_owned()));
                }
                (_, ["include", name]) => {
                    world.iter_mut().for_each(|world| world.includes.push((*name).to_owned()));
                }
                _ if line.starts_with('@') => {}
                _ => docs.clear(),
            }
        }
    }

    /// What a world exports, with what the worlds it includes do; each once, but for bare types.
    fn exports(&self, world: &str) -> Vec<&str> {
        let Some(world) = self.worlds.get(world) else { return Vec::new() };
        let included = world.includes.iter().flat_map(|world| self.exports(world));
        let mut found: Vec<&str> = Vec::new();
        for name in included.chain(world.exports.iter().map(String::as_str)) {
            if name != "types" && !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docs(world: &str) -> String {
        let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit");
        let content = package_docs(&wit, world).expect("the contract is read");
        assert_eq!(content[0], 0);
        let value: serde_json::Value = serde_json::from_slice(&content[1..]).expect("it is JSON");
        value["worlds"]["root"]["docs"].as_str().expect("the world has docs").to_owned()
    }

    #[test]
    fn a_world_is_described_with_each_of_its_interfaces() {
        let plugin = docs("plugin");
        assert!(plugin.starts_with("All of Weir"), "{plugin}");
        for interface in ["info", "result-transform", "reading", "tool-search", "json"] {
            let lines = plugin.lines().filter(|l| l.starts_with(&format!("- `{interface}`: ")));
            assert_eq!(lines.count(), 1, "{interface}: {plugin}");
        }
        assert!(!docs("tools").contains("result-transform"));
        assert!(!docs("results").contains("tool-search"));
    }
}
