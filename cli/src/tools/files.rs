//! Tools from files: answers to `tools/list` as they are found in the wild, or a saved catalog.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::value::RawValue;
use weir_host::contract::{Snapshot, ToolAnnotations, ToolDefinition};
use weir_host::{Catalog, Weir};

use crate::console::Console;
use crate::failure::Failure;

/// What the files are.
enum Input {
    /// Definitions of tools, and what was left out, each with the reason.
    Tools(Snapshot, Vec<String>),
    /// A saved catalog.
    Saved(String),
}

/// The catalog in these files.
pub(super) fn open(
    files: &[PathBuf],
    weir: &Weir,
    console: &mut Console,
) -> Result<Catalog, Failure> {
    match read(files)? {
        Input::Tools(snapshot, left_out) => {
            left_out.iter().for_each(|why| console.note(format_args!("warning: {why}")));
            Ok(weir.catalog(snapshot)?)
        }
        Input::Saved(saved) => Ok(weir.load_catalog(saved)?),
    }
}

/// One tool: as in MCP, or as in the lists that model providers take.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    name: String,
    title: Option<String>,
    description: Option<String>,
    #[serde(rename = "inputSchema", alias = "input_schema")]
    input_schema: Option<Box<RawValue>>,
    parameters: Option<Box<RawValue>>,
    annotations: Option<Annotations>,
    server: Option<String>,
    #[serde(default)]
    phrases: Vec<String>,
    function: Option<Box<Entry>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Annotations {
    title: Option<String>,
    read_only_hint: Option<bool>,
    destructive_hint: Option<bool>,
    idempotent_hint: Option<bool>,
    open_world_hint: Option<bool>,
}

/// An answer to `tools/list`, with or without its envelope.
#[derive(Deserialize)]
struct Listing {
    tools: Option<Vec<Box<RawValue>>>,
    result: Option<Box<Listing>>,
}

impl Entry {
    /// The tool, on this server unless it names one.
    fn definition(self, server: &str) -> ToolDefinition {
        let server = self.server.unwrap_or_else(|| server.to_owned());
        let tool = match self.function {
            Some(function) => *function,
            None => Entry { server: None, function: None, ..self },
        };
        let (title, annotations) = match tool.annotations {
            Some(claims) => (
                claims.title,
                ToolAnnotations {
                    read_only: claims.read_only_hint,
                    destructive: claims.destructive_hint,
                    idempotent: claims.idempotent_hint,
                    open_world: claims.open_world_hint,
                },
            ),
            None => (None, ToolAnnotations::default()),
        };
        let schema = tool.input_schema.or(tool.parameters);
        ToolDefinition {
            name: tool.name,
            title: tool.title.or(title),
            description: tool.description.unwrap_or_default(),
            input_schema: schema.map_or_else(String::new, |schema| schema.get().to_owned()),
            annotations,
            server,
            phrases: tool.phrases,
            ..ToolDefinition::default()
        }
    }
}

/// Reads them all.
fn read(files: &[PathBuf]) -> Result<Input, Failure> {
    let (mut tools, mut left_out) = (Vec::new(), Vec::new());
    for file in files {
        let bytes = fs::read(file).map_err(|source| Failure::reading(file, source))?;
        if is_saved(&bytes) {
            if files.len() > 1 {
                return Err(Failure::usage(
                    format!("{} is a saved catalog, which goes alone", file.display()),
                    "give the original files of all tools together",
                ));
            }
            return Ok(Input::Saved(String::from_utf8_lossy(&bytes).into_owned()));
        }
        let server = file.file_stem().unwrap_or_default().to_string_lossy();
        let parsed = parse(file, &bytes)?;
        left_out.extend(parsed.left_out);
        tools.extend(parsed.entries.into_iter().map(|entry| entry.definition(&server)));
    }
    Ok(Input::Tools(Snapshot { tools, servers: Vec::new() }, left_out))
}

/// What a file has: an entry that is no tool costs that entry, not the file.
#[derive(Default)]
struct Parsed {
    entries: Vec<Entry>,
    /// What was left out, each with its place and the reason.
    left_out: Vec<String>,
}

impl Parsed {
    fn of(file: &Path, items: Vec<Box<RawValue>>) -> Parsed {
        let mut parsed = Parsed::default();
        for (number, item) in items.iter().enumerate() {
            match serde_json::from_str(item.get()) {
                Ok(entry) => parsed.entries.push(entry),
                Err(error) => {
                    let place = format!("{}, tool {}", file.display(), number + 1);
                    parsed.left_out.push(format!("{place}: left out: {error}"));
                }
            }
        }
        parsed
    }
}

/// The tools in the text of a file.
fn parse(file: &Path, bytes: &[u8]) -> Result<Parsed, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Failure::usage(
            format!("{} is not UTF-8 from byte {} on", file.display(), error.valid_up_to()),
            HINT,
        )
    })?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(Failure::usage(format!("{} is empty", file.display()), HINT));
    }
    if text.starts_with('[') {
        let items = serde_json::from_str(text).map_err(|error| unread(file, &error))?;
        return Ok(Parsed::of(file, items));
    }
    match serde_json::from_str::<Listing>(text) {
        Ok(listing) => {
            let tools = listing.tools.or_else(|| listing.result.and_then(|result| result.tools));
            // A single tool on a line of its own has neither.
            match tools {
                Some(tools) => Ok(Parsed::of(file, tools)),
                None if is_lines(file) => lines(file, text),
                None => {
                    let message = format!("{} has no list of `tools`", file.display());
                    Err(Failure::usage(message, HINT))
                }
            }
        }
        Err(_) if text.contains('\n') && is_object_a_line(text) => lines(file, text),
        Err(error) => Err(unread(file, &error)),
    }
}

const HINT: &str = "give what a server answers to tools/list, as JSON: {\"tools\": […]}";

/// What was saved begins with no JSON.
fn is_saved(bytes: &[u8]) -> bool {
    let first = bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace());
    !matches!(first, None | Some(b'{' | b'[' | 0xEF))
}

fn is_lines(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "jsonl" || extension == "ndjson")
}

fn is_object_a_line(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    serde_json::from_str::<serde::de::IgnoredAny>(first).is_ok()
}

fn lines(file: &Path, text: &str) -> Result<Parsed, Failure> {
    let mut parsed = Parsed::default();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(entry) => parsed.entries.push(entry),
            Err(error) => {
                let place = format!("{}, line {}", file.display(), number + 1);
                parsed.left_out.push(format!("{place}: not a tool, left out: {error}"));
            }
        }
    }
    match parsed.left_out.first() {
        Some(first) if parsed.entries.is_empty() => Err(Failure::usage(first.clone(), HINT)),
        _ => Ok(parsed),
    }
}

fn unread(file: &Path, error: &serde_json::Error) -> Failure {
    Failure::usage(format!("{} cannot be read as tools: {error}", file.display()), HINT)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn names(file: &str, text: &str) -> Vec<(String, String, String)> {
        let parsed = parse(Path::new(file), text.as_bytes()).unwrap();
        assert!(parsed.left_out.is_empty(), "{:?}", parsed.left_out);
        let tools = parsed.entries.into_iter().map(|entry| entry.definition("stem"));
        tools.map(|tool| (tool.server, tool.name, tool.input_schema)).collect()
    }

    #[test]
    fn every_usual_shape_is_read_and_schemas_are_kept_to_the_byte() {
        let tool = r#"{"name":"a","inputSchema":{ "type" : "object" }}"#;
        let expected = [("stem".to_owned(), "a".to_owned(), r#"{ "type" : "object" }"#.to_owned())];
        for text in [
            format!(r#"{{"tools":[{tool}]}}"#),
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tool}],"nextCursor":null}}}}"#
            ),
            format!("[{tool}]"),
            format!("\u{feff} [{tool}]"),
        ] {
            assert_eq!(names("x.json", &text), expected, "{text}");
        }
        assert_eq!(names("x.jsonl", tool), expected);
        let provider =
            r#"[{"type":"function","function":{"name":"a","parameters":{ "type" : "object" }}}]"#;
        assert_eq!(names("x.json", provider), expected);
        let two = "{\"name\":\"a\",\"server\":\"s\"}\n\n{\"name\":\"b\"}\n";
        let names = names("catalogue.json", two);
        assert_eq!(names[0].0, "s");
        assert_eq!((&*names[1].0, &*names[1].1), ("stem", "b"));
    }

    #[test]
    fn what_is_no_list_of_tools_is_refused_with_its_place() {
        let message = |text: &str| match parse(Path::new("x.json"), text.as_bytes()) {
            Err(Failure::Usage { message, .. }) => message,
            other => panic!("{}", other.is_ok()),
        };
        assert_eq!(message("{}"), "x.json has no list of `tools`");
        assert_eq!(message("  "), "x.json is empty");
        assert!(message("{\"tools\": [").contains("cannot be read as tools"));
    }

    #[test]
    fn an_entry_that_is_no_tool_costs_that_entry() {
        for (text, place) in [
            (r#"{"tools": [{"name": "a"}, {"name": 5}, 7]}"#, "x.json, tool 2: left out: "),
            ("{\"name\":\"a\"}\n{\"name\":\n{\"name\":[]}", "x.json, line 2: not a tool"),
        ] {
            let parsed = parse(Path::new("x.json"), text.as_bytes()).unwrap();
            assert_eq!((parsed.entries.len(), parsed.left_out.len()), (1, 2));
            assert!(parsed.left_out[0].starts_with(place), "{:?}", parsed.left_out);
        }
    }
}
