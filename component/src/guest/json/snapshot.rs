//! A snapshot of tools as JSON. What is malformed costs itself, not the others.
//!
//! Fields are read by name: what serde makes of records of so many optional fields is several times as long.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{bad, sentence};
use crate::abi::exports::weir::plugin::tool_search::{
    BridgeNames, Diagnostic, ServerInfo, Snapshot, ToolAnnotations, ToolDefinition,
};
use crate::abi::exports::weir::plugin::types::Failure;
use crate::content::distance::distance_within;
use crate::search::schema::parts::members;
use crate::search::text::fold::fold;
use weir_text::surrogates;

/// What a host gave to open a catalog.
pub(super) struct Given {
    pub(super) snapshot: Snapshot,
    pub(super) names: Option<BridgeNames>,
    pub(super) known_phrases: Option<bool>,
    /// What was left out.
    pub(super) found: Vec<Diagnostic>,
}

/// Reads a snapshot.
pub(super) fn read(text: &str) -> Result<Given, Failure> {
    let of_snapshot = |why: String| bad("snapshot", &why);
    let text = &*surrogates::replaced(text);
    // What serde cannot skip is no JSON.
    serde_json::from_str::<&RawValue>(text).map_err(|error| of_snapshot(sentence(&error)))?;
    let mut reader = Reader { tools: Vec::new(), found: Vec::new(), slips: 0 };
    let (mut servers, mut names, mut known_phrases) = (Vec::new(), None, None);
    for (field, raw) in fields(text).map_err(of_snapshot)? {
        match field.as_str() {
            "servers" => {
                for raw in items(&field, raw).map_err(of_snapshot)? {
                    match reader.server(raw.get()) {
                        Ok(server) => servers.push(server),
                        Err(why) => {
                            let name = named(raw.get()).unwrap_or_default();
                            reader.leave_out((&name, ""), why);
                        }
                    }
                }
            }
            "tools" => reader.tools_of("", items(&field, raw).map_err(of_snapshot)?),
            "names" => names = Some(value(&field, raw).map_err(of_snapshot)?),
            "knownPhrases" | "known_phrases" => {
                known_phrases = Some(value(&field, raw).map_err(of_snapshot)?);
            }
            slip => reader.slip(("", ""), slip, &["servers", "tools", "names", "knownPhrases"]),
        }
    }
    let snapshot = Snapshot { tools: reader.tools, servers };
    Ok(Given { snapshot, names, known_phrases, found: reader.found })
}

/// Slips in names of fields that are reported.
const SLIPS_MAX: usize = 32;

struct Reader {
    tools: Vec<ToolDefinition>,
    found: Vec<Diagnostic>,
    slips: usize,
}

impl Reader {
    fn server(&mut self, raw: &str) -> Result<ServerInfo, String> {
        let mut server = ServerInfo {
            name: named(raw).ok_or("it needs a name, which is a string")?,
            description: String::new(),
            trusted: None,
            state: "connected".to_owned(),
            reason: None,
        };
        let mut tools = Vec::new();
        for (field, raw) in fields(raw)? {
            match field.as_str() {
                "name" => {}
                "tools" => tools = items(&field, raw)?,
                "description" => server.description = value(&field, raw)?,
                "trusted" => server.trusted = Some(value(&field, raw)?),
                "state" => server.state = value(&field, raw)?,
                "reason" => server.reason = Some(value(&field, raw)?),
                slip => {
                    let known = ["name", "tools", "description", "trusted", "state", "reason"];
                    self.slip((&server.name, ""), slip, &known);
                }
            }
        }
        self.tools_of(&server.name, tools);
        Ok(server)
    }

    fn tools_of(&mut self, server: &str, given: Vec<&RawValue>) {
        for raw in given {
            let outer = members(raw.get()).unwrap_or_default();
            // OpenAI's API has a tool under `function`; what is ours may stand on either side.
            let (raw, beside) = outer
                .iter()
                .find(|(field, inner)| field == "function" && inner.starts_with('{'))
                .map_or((raw.get(), "{}"), |(_, inner)| (*inner, raw.get()));
            match self.tool(server, raw, beside) {
                Ok(tool) => self.tools.push(tool),
                Err(why) => self.leave_out((server, &named(raw).unwrap_or_default()), why),
            }
        }
    }

    /// A tool of MCP's `tools/list`, with what we take beside it.
    #[expect(clippy::too_many_lines, reason = "the members of a definition, one after the other")]
    fn tool(&mut self, server: &str, raw: &str, beside: &str) -> Result<ToolDefinition, String> {
        let claims = ToolAnnotations {
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
        };
        let mut tool = ToolDefinition {
            name: String::new(),
            title: None,
            description: String::new(),
            input_schema: String::new(),
            annotations: claims,
            server: server.to_owned(),
            origin: "external".to_owned(),
            tags: Vec::new(),
            aliases: Vec::new(),
            phrases: Vec::new(),
            pinned: false,
        };
        let mut other_title = None;
        let mut given = fields(beside)?;
        given.extend(fields(raw)?);
        // First: what is wrong with the other fields is said of this name.
        if let Some((field, raw)) = given.iter().rfind(|(field, _)| field == "name") {
            tool.name = value(field, raw)?;
        }
        for (field, raw) in given {
            match field.as_str() {
                "name" => {}
                "title" => tool.title = Some(value(&field, raw)?),
                "description" => tool.description = value(&field, raw)?,
                "inputSchema" => tool.input_schema = raw.to_owned(),
                // As Anthropic's API and OpenAI's have it.
                "input_schema" | "parameters" => {
                    if tool.input_schema.is_empty() {
                        tool.input_schema = raw.to_owned();
                    }
                }
                "annotations" => {
                    for (field, raw) in fields(raw)? {
                        match field.as_str() {
                            "title" => other_title = Some(value(&field, raw)?),
                            "readOnlyHint" => {
                                tool.annotations.read_only = Some(value(&field, raw)?)
                            }
                            "destructiveHint" => {
                                tool.annotations.destructive = Some(value(&field, raw)?);
                            }
                            "idempotentHint" => {
                                tool.annotations.idempotent = Some(value(&field, raw)?);
                            }
                            "openWorldHint" => {
                                tool.annotations.open_world = Some(value(&field, raw)?)
                            }
                            slip => {
                                let known = [
                                    "title",
                                    "readOnlyHint",
                                    "destructiveHint",
                                    "idempotentHint",
                                    "openWorldHint",
                                ];
                                self.slip((server, &tool.name), slip, &known);
                            }
                        }
                    }
                }
                "tags" => tool.tags = value(&field, raw)?,
                "aliases" => tool.aliases = value(&field, raw)?,
                "phrases" => tool.phrases = value(&field, raw)?,
                "origin" => tool.origin = value(&field, raw)?,
                "pinned" => tool.pinned = value(&field, raw)?,
                // MCP's, and of no use here.
                "outputSchema" => {}
                slip => {
                    let known = [
                        "name",
                        "title",
                        "description",
                        "inputSchema",
                        "annotations",
                        "tags",
                        "aliases",
                        "phrases",
                        "origin",
                        "pinned",
                        "outputSchema",
                    ];
                    self.slip((server, &tool.name), slip, &known);
                }
            }
        }
        tool.title = tool.title.or(other_title);
        Ok(tool)
    }

    fn leave_out(&mut self, of: (&str, &str), why: String) {
        self.find(of, "malformed", format!("{why}; it was left out"));
    }

    /// Reports a field that is a slip away from one that there is.
    fn slip(&mut self, of: (&str, &str), field: &str, known: &[&str]) {
        let chars = |word: &str| fold(word).chars().collect::<Vec<_>>();
        let is_slip = |known: &&&str| {
            field.len().abs_diff(known.len()) <= 2
                && distance_within(&chars(field), &chars(known), 1).is_some()
        };
        // A server may send any number of them.
        if self.slips < SLIPS_MAX
            && let Some(known) = known.iter().find(is_slip)
        {
            self.slips += 1;
            let detail = format!("there is no field {field}, and it was left out: write {known}");
            self.find(of, "unknown-field", detail);
        }
    }

    fn find(&mut self, (server, name): (&str, &str), issue: &str, detail: String) {
        let (server, name) = (server.to_owned(), name.to_owned());
        self.found.push(Diagnostic { server, name, id: None, issue: issue.to_owned(), detail });
    }
}

/// The fields of an object, each once; those that are null count as left out.
fn fields(raw: &str) -> Result<Vec<(String, &str)>, String> {
    let mut fields = members(raw).ok_or("it must be an object")?;
    let mut seen = BTreeSet::new();
    if let Some((twice, _)) = fields.iter().find(|(field, _)| !seen.insert(field)) {
        return Err(format!("{twice} is there twice"));
    }
    fields.retain(|(_, raw)| *raw != "null");
    Ok(fields)
}

fn named(raw: &str) -> Option<String> {
    let name = members(raw)?.into_iter().find(|(field, _)| field == "name")?.1;
    serde_json::from_str(name).ok()
}

fn items<'a>(field: &str, raw: &'a str) -> Result<Vec<&'a RawValue>, String> {
    Vec::deserialize(&mut serde_json::Deserializer::from_str(raw))
        .map_err(|_| format!("{field} must be a list"))
}

fn value<T: DeserializeOwned>(field: &str, raw: &str) -> Result<T, String> {
    serde_json::from_str(raw).map_err(|error| {
        let said = sentence(&error);
        // The place is within the field.
        format!("{field}: {}", said.split(" at line ").next().unwrap_or_default())
    })
}
