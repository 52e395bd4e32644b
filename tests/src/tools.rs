//! Catalogs of tools for tests: real ones from the fixtures, made ones of any size.

use std::path::{Path, PathBuf};

use serde_json::Value;
use weir_host::contract::{Conversation, Snapshot, ToolDefinition};
use weir_host::{Catalog, Error};

/// A judged query.
pub struct Query {
    /// What to search for.
    pub text: String,
    /// The tools that do it, as the set calls them.
    pub relevant: Vec<String>,
    /// What kind of query it is.
    pub category: String,
}

/// An evaluation set: its name, its tools in order, its queries.
pub struct Set {
    /// The folder's name.
    pub name: String,
    /// The tools.
    pub tools: Vec<ToolDefinition>,
    /// The queries.
    pub queries: Vec<Query>,
}

/// The folder of a set among the fixtures: `classes` (226 real tools) or `opsmix` (413).
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../component/fixtures/toolsearch").join(name)
}

/// The full development sets, where they lie beside the workspace; otherwise nothing.
pub fn development_sets() -> Vec<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/eval/toolsearch");
    let Ok(entries) = shared.read_dir() else { return Vec::new() };
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut sets: Vec<PathBuf> =
        folders.filter(|path| path.join("catalogue.jsonl").is_file()).collect();
    sets.sort();
    sets
}

/// Reads an evaluation set.
pub fn read_set(folder: &Path) -> Set {
    let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let tools = lines(&folder.join("catalogue.jsonl"));
    let tools = tools.iter().map(|tool| ToolDefinition {
        name: text(tool, "name"),
        description: text(tool, "description"),
        input_schema: tool.get("parameters").map_or_else(String::new, Value::to_string),
        server: text(tool, "server"),
        ..ToolDefinition::default()
    });
    let queries = lines(&folder.join("queries.jsonl"));
    let queries = queries.iter().map(|query| Query {
        text: text(query, "query"),
        relevant: query["relevant"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|id| id.as_str().unwrap_or_default().to_owned())
            .collect(),
        category: text(query, "category"),
    });
    Set {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        tools: tools.collect(),
        queries: queries.collect(),
    }
}

fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", file.display()));
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// The 226 real tools of the fixtures.
pub fn real_tools() -> Vec<ToolDefinition> {
    read_set(&fixture("classes")).tools
}

/// What a model is answered by a bridge tool, read.
///
/// # Errors
/// When the call broke.
pub fn asked(
    catalog: &Catalog,
    name: &str,
    arguments: &Value,
    conversation: &Conversation,
) -> Result<Value, Error> {
    let answer = catalog.invoke(name, &arguments.to_string(), conversation)?;
    let text = answer.text.expect("a question dispatches nothing");
    Ok(serde_json::from_str(&text).expect("answers are JSON"))
}

/// What a model is answered by a search for this alone, when nothing is known of the conversation.
///
/// # Errors
/// As [`asked`].
pub fn searched(catalog: &Catalog, query: &str) -> Result<Value, Error> {
    let arguments = serde_json::json!({"queries": [query]});
    asked(catalog, "tool_search", &arguments, &Conversation::default())
}

/// The names in a list of an answer.
pub fn names(list: &Value) -> Vec<String> {
    let name = |entry: &Value| entry["name"].as_str().or(entry.as_str()).unwrap_or_default().into();
    list.as_array().into_iter().flatten().map(name).collect()
}

/// A snapshot in which nothing is said about the servers.
pub fn snapshot(tools: Vec<ToolDefinition>) -> Snapshot {
    Snapshot { tools, servers: Vec::new() }
}

/// A tool of the agent itself.
pub fn core_tool(name: &str, description: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.into(),
        description: description.into(),
        origin: "core".into(),
        ..ToolDefinition::default()
    }
}

/// As many tools as asked for, ten to a server, with descriptions and schemas of usual size. Each is
/// unlike the others in some words.
pub fn made_tools(count: usize) -> Vec<ToolDefinition> {
    const VERBS: [&str; 8] =
        ["create", "list", "get", "update", "delete", "search", "export", "archive"];
    const THINGS: [&str; 16] = [
        "invoice",
        "contact",
        "ticket",
        "page",
        "folder",
        "release",
        "comment",
        "campaign",
        "device",
        "report",
        "webhook",
        "member",
        "branch",
        "deployment",
        "message",
        "calendar",
    ];
    const PLACES: [&str; 10] = [
        "project",
        "workspace",
        "account",
        "team",
        "repository",
        "channel",
        "cluster",
        "store",
        "board",
        "tenant",
    ];
    let made = |n: usize| {
        let (verb, thing) = (VERBS[n % 8], THINGS[n / 8 % 16]);
        let (place, series) = (PLACES[n / 128 % 10], n / 1_280);
        let properties: serde_json::Map<String, Value> = ["name", "filter", "limit", "owner"]
            .iter()
            .map(|what| {
                let text = format!("The {what} of the {thing} in the {place}");
                (
                    format!("{thing}_{what}"),
                    serde_json::json!({"type": "string", "description": text}),
                )
            })
            .collect();
        let schema = serde_json::json!({
            "type": "object", "properties": properties, "required": [format!("{thing}_name")],
        });
        ToolDefinition {
            name: format!("{verb}_{place}_{thing}_{series}"),
            description: format!(
                "{verb} one {thing} or several of a {place}. Works on series s{series}x and needs \
                 permission to {verb} in it; the answer has one {thing} a line."
            ),
            input_schema: schema.to_string(),
            server: format!("server{:04}", n / 10),
            ..ToolDefinition::default()
        }
    };
    (0..count).map(made).collect()
}
