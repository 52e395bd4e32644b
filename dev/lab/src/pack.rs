//! Makes the phrase pack from `dev/training/phrases`, and measures how well its keys hold.
//!
//! Keys are kept in `dev/training/phrases/keys.tsv`, so that the pack can be made again without the tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use weir_component::search::pack::key::{Key, equal, equal_min, name, signature};
use weir_component::search::pack::read;

use crate::Fallible;

use self::write::{assemble, is_source, read_keys, read_phrases};

mod write;

/// What to do. A DIR holds answers to `tools/list`, one SERVER.json each, with the servers' names of the phrases.
#[derive(clap::Subcommand)]
pub(crate) enum Pack {
    /// Add the keys of the tools in DIR/SERVER.json to `dev/training/phrases/keys.tsv`
    Keys {
        /// Folders of answers to tools/list, one SERVER.json each
        #[arg(required = true, value_name = "DIR")]
        directories: Vec<PathBuf>,
    },
    /// Write `component/data/phrases.pack`
    Make,
    /// Count collisions, and edits of tools that keys survive
    Measure {
        /// Folders of answers to tools/list, one SERVER.json each
        #[arg(required = true, value_name = "DIR")]
        directories: Vec<PathBuf>,
    },
}

#[derive(Deserialize)]
struct Listed {
    tools: Vec<Tool>,
}

#[derive(Deserialize, Clone)]
struct Tool {
    name: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(rename = "inputSchema")]
    schema: Option<Box<RawValue>>,
}

impl Tool {
    fn description(&self) -> &str {
        self.description.as_deref().unwrap_or_default()
    }

    fn schema(&self) -> &str {
        self.schema.as_deref().map_or("", RawValue::get)
    }

    fn key(&self) -> Key {
        Key { name: name(&self.name), signature: signature(self.description(), self.schema()) }
    }
}

type ByTool<T> = BTreeMap<(String, String), T>;

pub(crate) fn run(args: &Pack) -> Fallible<()> {
    match args {
        Pack::Keys { directories } => keys(directories),
        Pack::Make => make(),
        Pack::Measure { directories } => measure(directories),
    }
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn training() -> PathBuf {
    workspace().join("dev/training/phrases")
}

/// Phrases of real tools, in the order of the files.
fn phrases() -> Fallible<ByTool<Vec<String>>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(training())?.map(|entry| Ok(entry?.path())).collect::<Fallible<_>>()?;
    files.retain(|path| is_source(&path.file_name().unwrap_or_default().to_string_lossy()));
    files.sort();
    let texts: Vec<String> = files.iter().map(fs::read_to_string).collect::<Result<_, _>>()?;
    Ok(read_phrases(texts.iter().map(String::as_str))?)
}

fn known_keys() -> Fallible<ByTool<Key>> {
    let text = fs::read_to_string(training().join("keys.tsv")).unwrap_or_default();
    Ok(read_keys(&text)?)
}

fn listed(directories: &[PathBuf]) -> Fallible<ByTool<Tool>> {
    let mut tools = BTreeMap::new();
    for directory in directories {
        let mut files: Vec<PathBuf> =
            fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<Fallible<_>>()?;
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "json")) {
            let server = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let Ok(listed) = serde_json::from_str::<Listed>(&fs::read_to_string(file)?) else {
                continue;
            };
            for tool in listed.tools {
                tools.insert((server.clone(), tool.name.clone()), tool);
            }
        }
    }
    Ok(tools)
}

fn keys(directories: &[PathBuf]) -> Fallible<()> {
    let (mut keys, tools) = (known_keys()?, listed(directories)?);
    let phrases = phrases()?;
    for of in phrases.keys() {
        if let Some(tool) = tools.get(of) {
            keys.insert(of.clone(), tool.key());
        }
    }
    let mut text = "# server, tool, hash of its name, signature of its texts: written by `weir-lab pack keys`\n".to_owned();
    for ((server, tool), key) in &keys {
        text.push_str(&format!("{server}\t{tool}\t{:08x}\t{:016x}\n", key.name, key.signature));
    }
    fs::write(training().join("keys.tsv"), text)?;
    let without = phrases.keys().filter(|of| !keys.contains_key(*of)).count();
    println!("{} keys; {without} tools with phrases have none", keys.len());
    Ok(())
}

fn make() -> Fallible<()> {
    let bytes = assemble(phrases()?, &known_keys()?);
    let pack = read::Pack::read(&bytes).ok_or("it cannot be read back")?;
    let count: usize = (0..pack.len()).filter_map(|at| pack.phrases_at(at)).map(|p| p.len()).sum();
    println!("{} tools, {count} phrases, {} bytes", pack.len(), bytes.len());
    fs::write(workspace().join("component/data/phrases.pack"), bytes)?;
    Ok(())
}

/// A generator of numbers that are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

const EDITS: [&str; 7] = [
    "first sentence only",
    "last sentence dropped",
    "a sentence added",
    "one word in ten replaced",
    "one word in four replaced",
    "one parameter added",
    "a sentence and two parameters added, one word in ten replaced",
];

fn edited(tool: &Tool, edit: usize, dice: &mut Dice) -> (String, String) {
    const ADDED: &str =
        " Requires a valid token; results are limited to fifty entries a page by default.";
    const OTHER: [&str; 8] = [
        "current",
        "specified",
        "provided",
        "entries",
        "resource",
        "matching",
        "response",
        "optional",
    ];
    let text = tool.description();
    let mut replaced = |share: usize| {
        let words = text
            .split(' ')
            .map(|word| if dice.below(share) == 0 { OTHER[dice.below(8)] } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    let with = |names: &[&str]| {
        let mut schema: serde_json::Value = serde_json::from_str(tool.schema()).unwrap_or_default();
        for name in names {
            schema["properties"][*name] = serde_json::json!({ "type": "string" });
        }
        schema.to_string()
    };
    let schema = tool.schema().to_owned();
    match edit {
        0 => (text.split_inclusive(". ").next().unwrap_or_default().to_owned(), schema),
        1 => {
            let sentences: Vec<&str> = text.split_inclusive(". ").collect();
            (sentences[..sentences.len().saturating_sub(1).max(1)].concat(), schema)
        }
        2 => (format!("{text}{ADDED}"), schema),
        3 => (replaced(10), schema),
        4 => (replaced(4), schema),
        5 => (text.to_owned(), with(&["verbose"])),
        _ => (format!("{}{ADDED}", replaced(10)), with(&["verbose", "cursor"])),
    }
}

fn measure(directories: &[PathBuf]) -> Fallible<()> {
    let tools: Vec<((String, String), Tool)> = listed(directories)?.into_iter().collect();
    let keys: Vec<Key> = tools.iter().map(|(_, tool)| tool.key()).collect();
    let mut dice = Dice(7);
    println!(
        "{} tools of {} servers",
        tools.len(),
        tools.iter().map(|((s, _), _)| s).collect::<BTreeSet<_>>().len()
    );
    for (edit, label) in EDITS.iter().enumerate() {
        let mut kept = 0;
        for ((_, tool), key) in tools.iter().zip(&keys) {
            let (text, schema) = edited(tool, edit, &mut dice);
            let near = equal(key.signature, signature(&text, &schema));
            kept += usize::from(near >= equal_min(&tool.name));
        }
        println!("{:.3} kept  {label}", kept as f64 / tools.len() as f64);
    }
    let (mut pairs, mut taken) = (0, Vec::new());
    for a in 0..tools.len() {
        for b in 0..a {
            if keys[a].name == keys[b].name && tools[a].0.0 != tools[b].0.0 {
                pairs += 1;
                let near = equal(keys[a].signature, keys[b].signature);
                if near >= equal_min(&tools[a].1.name) {
                    taken.push((near, &tools[a].0, &tools[b].0));
                }
            }
        }
    }
    println!(
        "{pairs} pairs of tools of two servers share a name, {} of them are taken for one:",
        taken.len()
    );
    for (near, a, b) in taken {
        println!("  {near} of 16  {}/{} {}/{}", a.0, a.1, b.0, b.1);
    }
    Ok(())
}
