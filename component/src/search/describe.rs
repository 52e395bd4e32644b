//! Exact schemas, for tools that a model knows by name.

use serde::Serialize;
use serde_json::value::RawValue;

use super::catalog::{Catalog, Tool};
use super::conversation::{Conversation, Shown};
use super::definition::{Risk, ServerState};
use super::find::{Detail, SchemaJson, is_zero, json, unavailable};
use super::fingerprint::Fingerprint;
use super::names::Found;
use super::schema::parameters;
use super::screen;
use super::signature::{outline, signature, type_text};
use crate::limits::{
    ANSWER_MAX_CHARS, ANSWER_MIN_CHARS, DESCRIBE_ANSWER_CHARS, DESCRIBE_MAX_NAMES,
};

/// What to describe.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DescribeRequest {
    /// Names, at most [`DESCRIBE_MAX_NAMES`]; repeated ones count once.
    pub names: Vec<String>,
    /// How much: the exact schema unless this says less.
    pub detail: Option<Detail>,
    /// A place inside the schema, such as `body.recipients`, when a whole one does not fit.
    pub path: Option<String>,
    /// Whether to show again what the conversation was shown before.
    pub again: bool,
    /// Characters the answer may have as JSON; unset: [`DESCRIBE_ANSWER_CHARS`].
    pub max_chars: Option<u32>,
}

/// Why nothing is described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DescribeError {
    /// There is no name.
    NoName,
    /// There are more names than one answer takes.
    TooManyNames {
        /// How many there are.
        count: u32,
        /// How many there may be.
        limit: u32,
    },
}

impl std::fmt::Display for DescribeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DescribeError::NoName => {
                f.write_str("there is no name: send {\"names\": [\"NAME\"]} with a tool's name")
            }
            DescribeError::TooManyNames { count, limit } => {
                write!(f, "{count} names are more than one answer takes: send at most {limit}")
            }
        }
    }
}

impl std::error::Error for DescribeError {}

/// The answer to a describe.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribeAnswer {
    /// The tools, in the order asked for.
    pub tools: Vec<Described>,
    /// Names that mean no one tool.
    pub missing: Vec<Missing>,
    /// Tools that did not fit; to be asked for in another call.
    pub left_out: Vec<String>,
    /// What the model has now been shown; for the host to keep, see [`Conversation`].
    pub shown: Vec<Shown>,
}

/// One tool, described.
#[derive(Debug, Clone, PartialEq)]
pub struct Described {
    /// What the catalog calls it.
    pub name: String,
    /// Its server or toolset; empty for none.
    pub server: String,
    /// What it does; clean, clipped when long.
    pub description: String,
    /// Whether the description was clipped.
    pub clipped: bool,
    /// What calling it may do.
    pub risk: Risk,
    /// Whether it can be called now.
    pub state: ServerState,
    /// Whether the model has it directly, so that it needs no bridge.
    pub visible: bool,
    /// The digest of its schema.
    pub schema: Fingerprint,
    /// Its arguments.
    pub content: Content,
}

/// A tool's arguments, as far as they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Nothing was asked for.
    None,
    /// The exact schema, or with a path the exact part of it.
    Exact(String),
    /// The same schema was shown before, in this context.
    Unchanged,
    /// The signature.
    Signature(String),
    /// The schema, or the part asked for, is too long for the answer.
    TooLong {
        /// Its characters.
        chars: u64,
        /// Its signature or type.
        signature: String,
        /// What to ask for in its place: paths with the characters of each.
        paths: Vec<(String, u64)>,
    },
    /// The schema has no such place; these are the names there are.
    NoSuchPath(Vec<String>),
}

/// A name that means no one tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The name asked for, clipped.
    pub name: String,
    /// Whether it could mean several tools, which are the near ones then.
    pub ambiguous: bool,
    /// Names near it.
    pub near: Vec<String>,
}

const PATHS_SHOWN: usize = 30;
const DESCRIPTION_CHARS: usize = 4_000;

impl Catalog {
    /// Describes tools of the catalog, and nothing else.
    ///
    /// # Errors
    /// [`DescribeError`] when there is no name, or too many.
    pub fn describe(
        &self,
        request: &DescribeRequest,
        conversation: &Conversation,
    ) -> Result<DescribeAnswer, DescribeError> {
        let mut names: Vec<&str> = Vec::new();
        for name in request.names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            return Err(DescribeError::NoName);
        }
        if names.len() > DESCRIBE_MAX_NAMES {
            return Err(DescribeError::TooManyNames {
                count: names.len() as u32,
                limit: DESCRIBE_MAX_NAMES as u32,
            });
        }
        let mut answer = DescribeAnswer {
            tools: Vec::new(),
            missing: Vec::new(),
            left_out: Vec::new(),
            shown: Vec::new(),
        };
        let max_chars = request.max_chars.map_or(DESCRIBE_ANSWER_CHARS, |chars| chars as usize);
        let max_chars = max_chars.clamp(ANSWER_MIN_CHARS, ANSWER_MAX_CHARS);
        let mut wanted: Vec<usize> = Vec::new();
        for name in names {
            match self.find(name) {
                Found::One(at) if wanted.contains(&at) => {}
                Found::One(at) => wanted.push(at),
                Found::Many(places) => answer.missing.push(Missing {
                    name: screen::one_line(name, 64),
                    ambiguous: true,
                    near: places.iter().take(5).map(|&at| self.tools[at].id.clone()).collect(),
                }),
                Found::None => answer.missing.push(Missing {
                    name: screen::one_line(name, 64),
                    ambiguous: false,
                    near: self.near(name, 3).into_iter().map(str::to_owned).collect(),
                }),
            }
        }
        for at in wanted {
            self.add(&self.tools[at], request, conversation, max_chars, &mut answer);
        }
        answer.shown = answer
            .tools
            .iter()
            .filter_map(|described| {
                let exact = match described.content {
                    Content::Exact(_) => request.path.is_none(),
                    Content::Signature(_) | Content::TooLong { .. } => false,
                    Content::None | Content::Unchanged | Content::NoSuchPath(_) => return None,
                };
                Some(self.tool(&described.name)?.as_shown(exact))
            })
            .collect();
        Ok(answer)
    }

    /// Adds a tool as far as it fits.
    fn add(
        &self,
        tool: &Tool,
        request: &DescribeRequest,
        conversation: &Conversation,
        max_chars: usize,
        answer: &mut DescribeAnswer,
    ) {
        let (description, clipped) =
            screen::paragraphs(&tool.definition.description, DESCRIPTION_CHARS.min(max_chars / 4));
        let mut described = Described {
            name: tool.id.clone(),
            server: screen::label(&tool.definition.server).into_owned(),
            description,
            clipped,
            risk: tool.definition.annotations.risk(),
            state: self.state(tool),
            visible: conversation.sees(&tool.id),
            schema: tool.schema,
            content: Content::None,
        };
        let detail = request.detail.unwrap_or(Detail::Full);
        let path = request.path.as_deref().map(str::trim).filter(|path| !path.is_empty());
        let unchanged = path.is_none()
            && !request.again
            && detail == Detail::Full
            && conversation.has_schema(&tool.id, &tool.schema);
        described.content = match (detail, path) {
            (Detail::Brief, _) => Content::None,
            _ if unchanged => Content::Unchanged,
            (_, Some(path)) => part_of(tool, path, max_chars / 2),
            (Detail::Signature, None) => Content::Signature(signature_of(tool, max_chars / 4)),
            (Detail::Full, None) => exact_of(tool),
        };
        if unchanged {
            described.description.clear();
            described.clipped = false;
        }
        answer.tools.push(described);
        if answer.chars() <= max_chars {
            return;
        }
        // Alone it must fit: by its outline, then without its description.
        if answer.tools.len() == 1 {
            if let Some(only) = answer.tools.last_mut() {
                only.content = match path {
                    Some(path) => part_of(tool, path, max_chars / 4),
                    None => too_long(tool, &tool.definition.input_schema, "", max_chars / 4),
                };
            }
            if answer.chars() <= max_chars {
                return;
            }
            if let Some(only) = answer.tools.last_mut() {
                only.clipped = true;
                only.description = screen::one_line(&only.description, 200);
                if let Content::TooLong { paths, .. } = &mut only.content {
                    paths.truncate(5);
                }
            }
            if answer.chars() <= max_chars {
                return;
            }
        }
        answer.tools.pop();
        answer.left_out.push(tool.id.clone());
    }
}

fn schema_text(tool: &Tool) -> &str {
    match tool.definition.input_schema.trim() {
        "" => r#"{"type":"object"}"#,
        _ => &tool.definition.input_schema,
    }
}

fn exact_of(tool: &Tool) -> Content {
    Content::Exact(schema_text(tool).to_owned())
}

fn signature_of(tool: &Tool, max_chars: usize) -> String {
    tool.parsed_schema()
        .map_or_else(|| "(…)".to_owned(), |schema| signature(&schema, max_chars).text)
}

/// What to say of a schema, or of the part of it at `path`, that does not fit.
fn too_long(tool: &Tool, text: &str, path: &str, max_chars: usize) -> Content {
    let chars = text.chars().count() as u64;
    let root = tool.parsed_schema();
    let part = serde_json::from_str::<serde_json::Value>(text).ok();
    let signature = match (&root, &part) {
        (Some(root), Some(part)) if path.is_empty() && parameters(part).is_empty() => {
            outline(root, max_chars)
        }
        (Some(_), Some(part)) if path.is_empty() => signature(part, max_chars).text,
        (Some(root), Some(part)) => type_text(root, part, max_chars),
        _ => "(…)".to_owned(),
    };
    let mut paths: Vec<(String, u64)> = children(text)
        .into_iter()
        .map(|(name, raw)| {
            let full = if path.is_empty() { name } else { format!("{path}.{name}") };
            (screen::one_line(&full, 120), raw.get().chars().count() as u64)
        })
        .collect();
    paths.truncate(PATHS_SHOWN);
    Content::TooLong { chars, signature, paths }
}

/// The part of a tool's schema at `path`: parameters' names with dots between, items of a list
/// passed through.
fn part_of(tool: &Tool, path: &str, max_chars: usize) -> Content {
    let root = schema_text(tool);
    let mut text = root.to_owned();
    // Names may have dots themselves: the longest that is there is taken first.
    let mut rest = path.strip_prefix("properties.").unwrap_or(path);
    while !rest.is_empty() {
        let names = children(&text);
        let step = names
            .iter()
            .filter(|(name, _)| {
                rest.strip_prefix(name.as_str())
                    .is_some_and(|r| r.is_empty() || r.starts_with(['.', '[']))
            })
            .max_by_key(|(name, _)| name.len())
            .map(|(name, raw)| (name.len(), resolve(root, raw.get())));
        let Some((len, found)) = step else {
            let names = names.into_iter().take(PATHS_SHOWN);
            return Content::NoSuchPath(
                names.map(|(name, _)| screen::one_line(&name, 64)).collect(),
            );
        };
        text = found;
        rest = &rest[len..];
        // `a[0].b` and `a[].b` mean the items of a.
        if rest.starts_with('[') {
            rest = rest.split_once(']').map_or("", |(_, after)| after);
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    if text.chars().count() <= max_chars {
        Content::Exact(text)
    } else {
        too_long(tool, &text, path, max_chars / 2)
    }
}

/// The schema that a `$ref` alone leads to, or the text itself.
fn resolve(root: &str, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..8 {
        let Some(map) = raw_map(&text) else { break };
        let Some(reference) = map.iter().find(|(key, _)| key == "$ref") else { break };
        let Ok(reference) = serde_json::from_str::<String>(reference.1.get()) else { break };
        let Some(pointer) = reference.strip_prefix("#/") else { break };
        let mut at = root.to_owned();
        let mut found = true;
        for segment in pointer.split('/') {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            let next = raw_map(&at)
                .and_then(|map| map.into_iter().find(|(key, _)| *key == segment))
                .map(|(_, raw)| raw.get().to_owned());
            match next {
                Some(next) => at = next,
                None => {
                    found = false;
                    break;
                }
            }
        }
        if !found {
            break;
        }
        text = at;
    }
    text
}

/// The named parts of a schema: its properties, those of its items, and the definitions beside.
fn children(text: &str) -> Vec<(String, &RawValue)> {
    let mut found: Vec<(String, &RawValue)> = Vec::new();
    let mut pending = vec![text];
    let mut parts = 0;
    while let Some(text) = pending.pop() {
        parts += 1;
        if parts > 32 {
            break;
        }
        for (key, raw) in raw_map(text).unwrap_or_default() {
            match key.as_str() {
                "properties" => {
                    for (name, raw) in raw_map(raw.get()).unwrap_or_default() {
                        if !found.iter().any(|(known, _)| *known == name) {
                            found.push((name, raw));
                        }
                    }
                }
                "items" => pending.push(raw.get()),
                "anyOf" | "oneOf" | "allOf" => {
                    let branches = serde_json::from_str::<Vec<&RawValue>>(raw.get());
                    pending
                        .extend(branches.unwrap_or_default().into_iter().rev().map(RawValue::get));
                }
                _ => {}
            }
        }
    }
    found
}

/// The members of a JSON object, in their order.
fn raw_map(text: &str) -> Option<Vec<(String, &RawValue)>> {
    struct Members;
    impl<'de> serde::de::Visitor<'de> for Members {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(
            self,
            mut map: A,
        ) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some(member) = map.next_entry()? {
                members.push(member);
            }
            Ok(members)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde::Deserializer::deserialize_map(&mut deserializer, Members).ok()
}

impl DescribeAnswer {
    fn chars(&self) -> usize {
        self.to_json().chars().count()
    }

    /// The answer as a model reads it.
    pub fn to_json(&self) -> String {
        let missing = self.missing.iter().map(|missing| MissingJson {
            name: &missing.name,
            error: match (missing.ambiguous, missing.near.is_empty()) {
                (true, _) => "this name is shared; ask for one of these",
                (false, true) => "no such tool; search for it",
                (false, false) => "no such tool; did you mean one of these?",
            },
            near: &missing.near,
        });
        json(&DescribeJson {
            tools: self.tools.iter().map(DescribedJson::of).collect(),
            missing: missing.collect(),
            left_out: &self.left_out,
            hint: (!self.left_out.is_empty()).then_some("ask for left_out in another call"),
        })
    }
}

#[derive(Serialize)]
struct DescribeJson<'a> {
    tools: Vec<DescribedJson<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<MissingJson<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    left_out: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
}

#[derive(Serialize)]
struct MissingJson<'a> {
    name: &'a str,
    error: &'static str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    near: &'a [String],
}

#[derive(Serialize)]
struct DescribedJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    server: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    description_clipped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    risk: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    call_directly: bool,
    schema: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<SchemaJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arguments: Option<&'a str>,
    #[serde(skip_serializing_if = "is_zero")]
    schema_chars: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl<'a> DescribedJson<'a> {
    fn of(described: &'a Described) -> DescribedJson<'a> {
        let mut view = DescribedJson {
            name: &described.name,
            server: &described.server,
            description: &described.description,
            description_clipped: described.clipped,
            risk: (described.risk != Risk::Unknown).then(|| described.risk.as_str()),
            unavailable: unavailable(&described.state),
            call_directly: described.visible,
            schema: described.schema.short(),
            parameters: None,
            arguments: None,
            schema_chars: 0,
            paths: Vec::new(),
            note: None,
        };
        match &described.content {
            Content::None => {}
            Content::Exact(text) => view.parameters = Some(SchemaJson::of(text)),
            Content::Unchanged => {
                view.note = Some(
                    "unchanged: its schema is above in this conversation; send \"again\": true to \
                     see it again"
                        .to_owned(),
                );
            }
            Content::Signature(text) => view.arguments = Some(text),
            Content::TooLong { chars, signature, paths } => {
                view.arguments = Some(signature);
                view.schema_chars = u32::try_from(*chars).unwrap_or(u32::MAX);
                view.paths =
                    paths.iter().map(|(path, chars)| format!("{path} ({chars})")).collect();
                view.note = Some(
                    "the schema is too long to show whole; ask for a part with \"path\", such as \
                     one of paths (characters in brackets)"
                        .to_owned(),
                );
            }
            Content::NoSuchPath(names) => {
                view.paths = names.clone();
                view.note =
                    Some("the schema has no such path; these are the names there".to_owned());
            }
        }
        view
    }
}
