//! Evaluation sets and lists of tools, from files.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use weir_component::search::catalog::build::Builder;
use weir_component::search::catalog::definition::{Annotations, Snapshot, ToolDefinition};
use weir_component::search::catalog::tools::{Catalog, Options};
use weir_component::search::index::document::Tool;
use weir_component::search::index::inverted::Index;

use crate::Fallible;

/// A tool, as a set or an answer to `tools/list` has it.
#[derive(Deserialize)]
pub(crate) struct Entry {
    /// What a set calls it.
    #[serde(default)]
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) name: String,
    title: Option<String>,
    pub(crate) description: Option<String>,
    #[serde(alias = "inputSchema", alias = "input_schema")]
    parameters: Option<Box<RawValue>>,
    #[serde(default)]
    annotations: Value,
    pub(crate) server: Option<String>,
    #[serde(default)]
    pub(crate) phrases: Vec<String>,
}

/// A judged query.
#[derive(Deserialize)]
pub(crate) struct Query {
    pub(crate) id: Value,
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) relevant: Vec<String>,
    pub(crate) category: Option<String>,
}

/// An evaluation set: its name, its tools, its queries.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) tools: Vec<Entry>,
    pub(crate) queries: Vec<Query>,
}

impl Entry {
    pub(crate) fn schema(&self) -> &str {
        self.parameters.as_deref().map_or("", RawValue::get)
    }

    /// The tool as a catalog is given it, on this server unless it names one.
    pub(crate) fn definition(&self, server: &str) -> ToolDefinition {
        let claim = |name: &str| self.annotations[name].as_bool();
        let title = self.title.clone();
        ToolDefinition {
            name: self.name.clone(),
            title: title.or_else(|| self.annotations["title"].as_str().map(str::to_owned)),
            description: self.description.clone().unwrap_or_default(),
            input_schema: self.schema().to_owned(),
            annotations: Annotations {
                read_only: claim("readOnlyHint"),
                destructive: claim("destructiveHint"),
                idempotent: claim("idempotentHint"),
                open_world: claim("openWorldHint"),
            },
            server: self.server.clone().unwrap_or_else(|| server.to_owned()),
            phrases: self.phrases.clone(),
            ..ToolDefinition::default()
        }
    }

    /// The tool as the index takes it, with these phrases.
    fn document<'a>(&'a self, phrases: &'a [&'a str]) -> Tool<'a> {
        Tool {
            name: &self.name,
            server: self.server.as_deref().unwrap_or_default(),
            description: self.description.as_deref().unwrap_or_default(),
            schema: self.schema(),
            phrases,
            ..Tool::default()
        }
    }
}

impl Set {
    pub(crate) fn read(folder: &Path) -> Fallible<Set> {
        let catalogue = folder.join("catalogue.jsonl");
        let tools: Vec<Entry> = lines(&catalogue)?;
        if let Some(at) = tools.iter().position(|tool| tool.id.is_empty()) {
            return Err(format!("tool {} of {} has no `id`", at + 1, catalogue.display()).into());
        }
        let judged = folder.join("queries.jsonl");
        let queries: Vec<Query> = lines(&judged)?;
        if queries.is_empty() {
            return Err(format!("{} has no query", judged.display()).into());
        }
        let name = folder.canonicalize()?.file_name().unwrap_or_default().to_string_lossy().into();
        Ok(Set { name, tools, queries })
    }
}

/// The tools of each file, on a server of the file's name unless they name theirs.
pub(crate) fn tools(files: &[PathBuf]) -> Fallible<Vec<ToolDefinition>> {
    #[derive(Deserialize)]
    struct Answer {
        tools: Option<Vec<Entry>>,
        result: Option<Box<Answer>>,
    }
    let mut tools = Vec::new();
    for file in files {
        let text = text(file)?;
        let answer = serde_json::from_str::<Answer>(&text).ok();
        let listed = answer.and_then(|a| a.tools.or_else(|| a.result?.tools));
        let entries = match (serde_json::from_str(&text), listed) {
            (Ok(entries), _) | (Err(_), Some(entries)) => entries,
            (Err(_), None) => lines(file)?,
        };
        let server = file.file_stem().unwrap_or_default().to_string_lossy();
        tools.extend(entries.iter().map(|entry| entry.definition(&server)));
    }
    Ok(tools)
}

/// A catalog of these tools, with the component's own phrases or without.
pub(crate) fn catalog(tools: Vec<ToolDefinition>, known_phrases: bool) -> Fallible<Catalog> {
    let mut builder = Builder::new(Default::default(), Options { known_phrases })?;
    builder.add(Snapshot { tools, servers: Vec::new() })?;
    Ok(builder.finish())
}

/// An index of these tools, each with its phrases and those that `more` gives for its place.
pub(crate) fn index<'a>(
    tools: &[&'a Entry],
    semantic: bool,
    more: impl Fn(usize) -> Vec<&'a str>,
) -> Index {
    let phrases = tools.iter().enumerate().map(|(at, tool)| {
        tool.phrases.iter().map(String::as_str).chain(more(at)).collect::<Vec<_>>()
    });
    let phrases: Vec<_> = phrases.collect();
    let documents = tools.iter().zip(&phrases).map(|(tool, phrases)| tool.document(phrases));
    if semantic { Index::build(documents) } else { Index::build_lexical(documents) }
}

/// A value a line.
pub(crate) fn lines<T: DeserializeOwned>(file: &Path) -> Fallible<Vec<T>> {
    let text = text(file)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line)
                .map_err(|error| format!("{}, line {}: {error}", file.display(), number + 1).into())
        })
        .collect()
}

pub(crate) fn text(file: &Path) -> Fallible<String> {
    fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()).into())
}
