//! Exact schemas, for tools that a model knows by name.

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::limits::{
    ANSWER_MAX_CHARS, ANSWER_MIN_CHARS, DESCRIBE_ANSWER_CHARS, DESCRIBE_MAX_NAMES,
};
use crate::search::catalog::names::Found;
use crate::search::catalog::servers::unavailable_for;
use crate::search::catalog::tools::{Catalog, Tool};
use crate::search::find::answer::Detail;
use crate::search::find::conversation::{Conversation, Shown};
use crate::search::find::json::{SchemaJson, json};
use crate::search::schema::parts::{children, target};
use crate::search::schema::signature::{signature, type_text};
use crate::search::text::clean;

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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DescribeError {
    /// There is no name.
    #[error("there is no name: send {{\"names\": [\"NAME\"]}} with a tool's name")]
    NoName,
    /// There are more names than one answer takes.
    #[error("{count} names are more than one answer takes: send at most {limit}")]
    TooManyNames {
        /// How many there are.
        count: u32,
        /// How many there may be.
        limit: u32,
    },
}

/// The answer to a describe.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct DescribeAnswer {
    /// The tools, in the order asked for.
    pub tools: Vec<Described>,
    /// Names that mean no one tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// Tools that did not fit; to be asked for in another call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// What to do about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
    /// What the model has now been shown; for the host to keep, see [`Conversation`].
    #[serde(skip)]
    pub shown: Vec<Shown>,
}

/// One tool, described.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Described {
    /// What the catalog calls it.
    pub name: String,
    /// Its server or toolset; empty for none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub server: String,
    /// What it does; clean, clipped when long.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Whether the description was clipped.
    #[serde(rename = "description_clipped", skip_serializing_if = "std::ops::Not::not")]
    pub clipped: bool,
    /// What calling it may do, when that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<&'static str>,
    /// Why it cannot be called now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// Whether the model has it directly, so that it needs no bridge.
    #[serde(rename = "call_directly", skip_serializing_if = "std::ops::Not::not")]
    pub visible: bool,
    /// The digest of its schema, shortened.
    pub schema: String,
    /// Its arguments.
    #[serde(flatten)]
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
        /// Paths that are not among them.
        more: u32,
    },
    /// The schema has no such place; these are the names there are.
    NoSuchPath(Vec<String>),
}

/// A name that means no one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// The name asked for, clipped.
    pub name: String,
    /// Why it means none, and what to do.
    pub error: &'static str,
    /// Why its server cannot be called now, when that is why the name means nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// Names near it, or those of the tools that it could mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

/// Characters of what stands around the names of tools that were left out.
const LEFT_OUT_CHARS: usize = 80;
const PATHS_SHOWN: usize = 30;
const DESCRIPTION_CHARS: usize = 4_000;

/// Describes tools of the catalog, and nothing else.
///
/// # Errors
/// [`DescribeError`] when there is no name, or too many.
pub fn describe(
    catalog: &Catalog,
    request: &DescribeRequest,
    conversation: &Conversation,
) -> Result<DescribeAnswer, DescribeError> {
    let names = names(request)?;
    let mut answer = DescribeAnswer::default();
    let max_chars = request.max_chars.map_or(DESCRIBE_ANSWER_CHARS, |chars| chars as usize);
    let max_chars = max_chars.clamp(ANSWER_MIN_CHARS, ANSWER_MAX_CHARS);
    let mut wanted: Vec<usize> = Vec::new();
    for name in names {
        match catalog.find(name) {
            Found::One(at) if wanted.contains(&at) => {}
            Found::One(at) => wanted.push(at),
            Found::Many(places) => answer.missing.push(Missing {
                name: clean::one_line(name, 64),
                error: "this name is shared; ask for one of these",
                near: places.iter().take(5).map(|&at| catalog.tools[at].id.clone()).collect(),
                unavailable: None,
            }),
            Found::None => {
                let near: Vec<String> =
                    catalog.near(name, 3).into_iter().map(str::to_owned).collect();
                let unavailable = unavailable_for(catalog, name);
                let error = match near.is_empty() {
                    _ if unavailable.is_some() => "its server is not available now",
                    true => "no such tool; search for it",
                    false => "no such tool; did you mean one of these?",
                };
                let name = clean::one_line(name, 64);
                answer.missing.push(Missing { name, error, unavailable, near });
            }
        }
    }
    while answer.chars() > max_chars / 2 {
        let Some(longest) = answer.missing.iter_mut().max_by_key(|missing| missing.near.len())
        else {
            break;
        };
        if longest.near.pop().is_none() {
            break;
        }
    }
    // Each tool may turn out not to fit, and is named then: the room for that is set aside.
    let names = wanted.iter().map(|&at| catalog.tools[at].id.chars().count() + 3);
    let aside = names.sum::<usize>() + LEFT_OUT_CHARS;
    let room = max_chars.saturating_sub(aside);
    for at in wanted {
        add(catalog, &catalog.tools[at], request, conversation, room, &mut answer);
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
            Some(Shown::of(catalog.tool(&described.name)?, exact))
        })
        .collect();
    Ok(answer)
}

/// The names that are asked for, each once.
fn names(request: &DescribeRequest) -> Result<Vec<&str>, DescribeError> {
    let mut names: Vec<&str> = Vec::new();
    for name in request.names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let (count, limit) = (names.len() as u32, DESCRIBE_MAX_NAMES as u32);
    match count {
        0 => Err(DescribeError::NoName),
        _ if count > limit => Err(DescribeError::TooManyNames { count, limit }),
        _ => Ok(names),
    }
}

/// Adds a tool as far as it fits.
fn add(
    catalog: &Catalog,
    tool: &Tool,
    request: &DescribeRequest,
    conversation: &Conversation,
    max_chars: usize,
    answer: &mut DescribeAnswer,
) {
    let (description, clipped) =
        clean::paragraphs(&tool.definition.description, DESCRIPTION_CHARS.min(max_chars / 4));
    let mut described = Described {
        name: tool.id.clone(),
        server: clean::label(&tool.definition.server).into_owned(),
        description,
        clipped,
        risk: tool.risk().told(),
        unavailable: catalog.state(tool).unavailable().map(str::to_owned),
        visible: conversation.sees(&tool.id),
        schema: tool.schema_fingerprint().short(),
        content: Content::None,
    };
    let detail = request.detail.unwrap_or(Detail::Full);
    let path = request.path.as_deref().map(str::trim).filter(|path| !path.is_empty());
    let unchanged = path.is_none()
        && !request.again
        && detail == Detail::Full
        && conversation.has_schema(&tool.id, &tool.schema_fingerprint());
    described.content = match (detail, path) {
        (Detail::Brief, _) => Content::None,
        _ if unchanged => Content::Unchanged,
        (_, Some(path)) => part_of(tool, path, max_chars / 2),
        (Detail::Signature, None) => Content::Signature(tool.signature(max_chars / 4)),
        (Detail::Full, None) => Content::Exact(schema_text(tool).to_owned()),
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
            only.description = clean::one_line(&only.description, 200);
            if let Content::TooLong { paths, more, .. } = &mut only.content {
                *more += paths.len().saturating_sub(5) as u32;
                paths.truncate(5);
            }
        }
        if answer.chars() <= max_chars {
            return;
        }
    }
    answer.tools.pop();
    answer.left_out.push(tool.id.clone());
    answer.hint = Some("ask for left_out in another call");
}

fn schema_text(tool: &Tool) -> &str {
    match tool.definition.input_schema.trim() {
        "" => r#"{"type":"object"}"#,
        _ => &tool.definition.input_schema,
    }
}

/// What to say of a schema, or of the part of it at `path`, that does not fit.
fn too_long(tool: &Tool, text: &str, path: &str, max_chars: usize) -> Content {
    let chars = text.chars().count() as u64;
    let root = tool.parsed_schema();
    let part = serde_json::from_str::<serde_json::Value>(text).ok();
    let signature = match (&root, &part) {
        (Some(_), Some(part)) if path.is_empty() => signature(part, max_chars),
        (Some(root), Some(part)) => type_text(root, part, max_chars),
        _ => "(…)".to_owned(),
    };
    let parts = children(schema_text(tool), text);
    let more = parts.len().saturating_sub(PATHS_SHOWN) as u32;
    let paths = parts
        .into_iter()
        .take(PATHS_SHOWN)
        .map(|(name, part)| {
            let full = if path.is_empty() { name } else { format!("{path}.{name}") };
            (clean::one_line(&full, 120), part.chars().count() as u64)
        })
        .collect();
    Content::TooLong { chars, signature, paths, more }
}

/// The part of a tool's schema at `path`: parameters' names with dots between, items of a list
/// passed through.
fn part_of(tool: &Tool, path: &str, max_chars: usize) -> Content {
    let root = schema_text(tool);
    let mut text = root;
    let mut rest = path.strip_prefix("properties.").unwrap_or(path);
    while !rest.is_empty() {
        let names = children(root, text);
        // Names may have dots themselves: the longest that is there is taken.
        let step = names
            .iter()
            .filter(|(name, _)| {
                let after = rest.strip_prefix(name.as_str());
                after.is_some_and(|after| after.is_empty() || after.starts_with(['.', '[']))
            })
            .max_by_key(|(name, _)| name.len());
        let Some((name, found)) = step else {
            let names = names.into_iter().take(PATHS_SHOWN);
            return Content::NoSuchPath(
                names.map(|(name, _)| clean::one_line(&name, 64)).collect(),
            );
        };
        text = target(root, found);
        rest = &rest[name.len()..];
        // `a[0].b` and `a[].b` mean the items of a.
        if rest.starts_with('[') {
            rest = rest.split_once(']').map_or("", |(_, after)| after);
        }
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    if text.chars().count() <= max_chars {
        Content::Exact(text.to_owned())
    } else {
        too_long(tool, text, path, max_chars / 2)
    }
}

impl DescribeAnswer {
    fn chars(&self) -> usize {
        self.to_json().chars().count()
    }

    /// The answer as a model reads it.
    pub fn to_json(&self) -> String {
        json(self)
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        let note = match self {
            Content::None => None,
            Content::Exact(text) => {
                map.serialize_entry("parameters", &SchemaJson(text))?;
                None
            }
            Content::Unchanged => Some(
                "unchanged: its schema is above in this conversation; send \"again\": true to see \
                 it again",
            ),
            Content::Signature(text) => {
                map.serialize_entry("arguments", text)?;
                None
            }
            Content::TooLong { chars, signature, paths, more } => {
                let path = |(path, chars): &(String, u64)| format!("{path} ({chars})");
                map.serialize_entry("arguments", signature)?;
                map.serialize_entry("schema_chars", chars)?;
                if !paths.is_empty() {
                    map.serialize_entry("paths", &paths.iter().map(path).collect::<Vec<_>>())?;
                }
                if *more > 0 {
                    map.serialize_entry("more_paths", more)?;
                }
                Some(
                    "the schema is too long to show whole; ask for a part with \"path\", such as one \
                     of paths (characters in brackets)",
                )
            }
            Content::NoSuchPath(names) => {
                if !names.is_empty() {
                    map.serialize_entry("paths", names)?;
                }
                Some("the schema has no such path; these are the names there")
            }
        };
        note.map_or(Ok(()), |note| map.serialize_entry("note", note))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::samples::{ISSUE_SCHEMA, build, seeing, small, tool};
    use proptest::prelude::*;

    fn request(names: &[&str]) -> DescribeRequest {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        DescribeRequest { names, ..DescribeRequest::default() }
    }

    fn wide(properties: usize) -> String {
        let text = "A sentence that says what this is about, in no hurry at all. ".repeat(4);
        let map: serde_json::Map<_, _> = (0..properties)
            .map(|n| {
                (
                    format!("property_{n}"),
                    serde_json::json!({"type": "string", "description": text}),
                )
            })
            .collect();
        serde_json::json!({"type": "object", "properties": {"body": {"type": "object", "properties": map},
            "list": {"type": "array", "items": {"$ref": "#/$defs/entry"}}},
            "$defs": {"entry": {"type": "object", "properties": {"x.y": {"type": "integer"}}}}}).to_string()
    }

    #[test]
    fn schemas_come_to_the_byte_and_names_are_forgiven() {
        let spaced = "{ \"type\": \"object\",\r\n\t\"x\": 1.50 }";
        let mut tools = small();
        tools.push(tool("odd", "spaced", "Line one.\n\n\n\nLine\u{200b} two.", spaced));
        let catalog = build(tools);
        let asked = request(&[
            "createIssue",
            "odd__spaced",
            "create_issue",
            "delete_repositry",
            "nothing_like_it",
        ]);
        let answer = describe(&catalog, &asked, &seeing(&["create_issue"])).unwrap();
        assert_eq!(answer.tools.len(), 2);
        assert_eq!(answer.tools[0].content, Content::Exact(ISSUE_SCHEMA.to_owned()));
        assert!(answer.tools[0].visible && !answer.tools[1].visible);
        assert_eq!(answer.tools[1].description, "Line one.\n\nLine two.");
        assert_eq!(answer.missing[0].near, ["delete_repository"]);
        assert_eq!(answer.missing[1].near, Vec::<String>::new());
        let json = answer.to_json();
        assert!(json.contains(ISSUE_SCHEMA) && json.contains(spaced), "{json}");
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }

    #[test]
    fn what_was_shown_is_not_shown_again_until_it_changes_or_is_forgotten() {
        let catalog = build(small());
        let mut conversation = Conversation::default();
        let first = describe(&catalog, &request(&["create_issue"]), &conversation).unwrap();
        conversation.shown.extend(first.shown);
        let second = describe(&catalog, &request(&["create_issue"]), &conversation).unwrap();
        assert_eq!(second.tools[0].content, Content::Unchanged);
        assert!(second.to_json().len() < 400, "{}", second.to_json());
        let again = DescribeRequest { again: true, ..request(&["create_issue"]) };
        let again = describe(&catalog, &again, &conversation).unwrap();
        assert!(matches!(again.tools[0].content, Content::Exact(_)));
        let mut tools = small();
        tools[2].input_schema = "{}".to_owned();
        let changed = describe(&build(tools), &request(&["create_issue"]), &conversation).unwrap();
        assert_eq!(changed.tools[0].content, Content::Exact("{}".to_owned()));
        let forgotten =
            describe(&catalog, &request(&["create_issue"]), &Conversation::default()).unwrap();
        assert!(matches!(forgotten.tools[0].content, Content::Exact(_)));
    }

    #[test]
    fn a_schema_too_long_to_show_is_shown_by_its_parts() {
        let mut tools = small();
        tools.push(tool("big", "huge", &"words ".repeat(5_000), &wide(100)));
        let catalog = build(tools);
        let asked = |path: Option<&str>| {
            let request = DescribeRequest { path: path.map(str::to_owned), ..request(&["huge"]) };
            let answer = describe(&catalog, &request, &Conversation::default()).unwrap();
            assert!(answer.to_json().chars().count() <= DESCRIBE_ANSWER_CHARS);
            answer.tools[0].content.clone()
        };
        let Content::TooLong { chars, signature, paths, more: 0 } = asked(None) else { panic!() };
        assert_eq!(chars, wide(100).len() as u64);
        assert!(signature.starts_with("(body?: {"), "{signature}");
        assert_eq!(
            paths.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
            ["body", "list"]
        );
        let Content::TooLong { paths, more, .. } = asked(Some("body")) else { panic!() };
        assert_eq!(paths.len() + more as usize, 100);
        assert_eq!(paths[0].0, "body.property_0");
        let Content::Exact(part) = asked(Some("body.property_7")) else { panic!() };
        assert!(part.starts_with(r#"{"description":"A sentence"#), "{part}");
        assert_eq!(asked(Some("list.x.y")), Content::Exact(r#"{"type":"integer"}"#.to_owned()));
        assert_eq!(asked(Some("list[0].x.y")), Content::Exact(r#"{"type":"integer"}"#.to_owned()));
        assert_eq!(
            asked(Some("nope")),
            Content::NoSuchPath(vec!["body".to_owned(), "list".to_owned()])
        );
    }

    #[test]
    fn tools_that_do_not_fit_are_named() {
        let tools = (0..10).map(|n| tool("big", &format!("tool_{n}"), "d", &wide(8))).collect();
        let catalog = build(tools);
        let names: Vec<String> = (0..10).map(|n| format!("tool_{n}")).collect();
        let request = DescribeRequest { names, ..DescribeRequest::default() };
        let answer = describe(&catalog, &request, &Conversation::default()).unwrap();
        assert!(answer.tools.len() > 1 && answer.tools.len() + answer.left_out.len() == 10);
        assert!(answer.to_json().chars().count() <= DESCRIBE_ANSWER_CHARS);
        assert_eq!(answer.shown.len(), answer.tools.len());
    }

    #[test]
    fn nothing_and_too_much_are_errors() {
        let catalog = build(small());
        let none = describe(&catalog, &request(&[" "]), &Conversation::default()).unwrap_err();
        assert_eq!(none, DescribeError::NoName);
        let names: Vec<String> = (0..11).map(|n| n.to_string()).collect();
        let many = DescribeRequest { names, ..DescribeRequest::default() };
        let many = describe(&catalog, &many, &Conversation::default()).unwrap_err();
        assert_eq!(many, DescribeError::TooManyNames { count: 11, limit: 10 });
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn every_answer_is_bounded_json(
            schema in "(\\{\"properties\":)?\\{(\"a\":\\{\"x\":\"\\PC{0,20}\"\\},?){0,3}\\}{1,2}|\\PC{0,3000}",
            description in "(?s).{0,3000}", path in proptest::option::of("\\PC{0,12}"), max in 0u32..4_000,
        ) {
            let catalog = build(vec![tool("s", "one", &description, &schema), tool("s", "two", &description, &schema)]);
            let request = DescribeRequest { path, max_chars: Some(max), ..request(&["one", "two", "three"]) };
            let answer = describe(&catalog, &request, &Conversation::default()).unwrap();
            let json = answer.to_json();
            prop_assert!(json.chars().count() <= (max as usize).max(ANSWER_MIN_CHARS));
            prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
            prop_assert!(!answer.tools.is_empty());
        }
    }
}
