//! The layer a model talks to: three tool definitions, and one function that answers whatever the
//! model sends.

use serde::Serialize;
use serde_json::Value;

use super::catalog::{BridgeNames, Catalog};
use super::conversation::{Conversation, Shown};
use super::definition::ToolDefinition;
use super::describe::DescribeRequest;
use super::find::{Detail, SearchRequest};
use super::json::json;
use super::listing::estimated_tokens;
use super::resolve::{Reason, Refusal, Resolved};
use super::schema::fingerprint;
use super::screen;
use crate::limits::{SEARCH_MAX_IN_A_ROW, SEARCH_MAX_REPEATS};
use crate::sort::sort;

/// A tool to show a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments, as text. Constant.
    pub input_schema: String,
}

impl Definition {
    /// Estimated tokens, as for any definition: characters of its compact JSON over four.
    pub fn estimated_tokens(&self) -> u32 {
        let value = serde_json::json!({"type": "function", "function": {
            "name": self.name, "description": self.description, "parameters": null}});
        let frame = value.to_string().chars().count().saturating_sub("null".len());
        estimated_tokens(frame + self.input_schema.chars().count())
    }
}

/// What became of a model's call to a bridge tool.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A text to show.
    Answer(Answer),
    /// Calls to dispatch, in order; their results are the answer.
    Dispatch(Vec<Resolved>),
}

/// What to show a model in return.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// JSON.
    pub text: String,
    /// Whether it says that something is wrong.
    pub is_error: bool,
    /// What the model has now been shown; for the host to append to the conversation's.
    pub shown: Vec<Shown>,
    /// The searches made; for the host to append, and to forget with the next dispatched call.
    pub searches: Vec<String>,
}

const SEARCH_SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"},"#,
    r#""description":"One for each thing to do, at most 7"},"limit":{"type":"integer","#,
    r#""description":"Tools for each query, 1-25, default 5"},"detail":{"type":"string","#,
    r#""enum":["brief","signature","full"]}},"required":["queries"]}"#,
);
const DESCRIBE_SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"}},"#,
    r#""path":{"type":"string","description":"A part of a long schema, such as body.to"},"#,
    r#""again":{"type":"boolean","description":"Show what was shown before"}},"#,
    r#""required":["names"]}"#,
);
const CALL_SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"calls":{"type":"array","items":{"type":"object","#,
    r#""properties":{"name":{"type":"string"},"arguments":{"type":"object"}},"#,
    r#""required":["name","arguments"]}}},"required":["calls"]}"#,
);

/// The three bridge tools, in the order in which they are shown. Only the description of the first
/// depends on `listing`, which may be empty; without it all is constant.
pub fn definitions(names: &BridgeNames, listing: &str) -> Vec<Definition> {
    let mut search = format!(
        "{}Write keywords, not questions: app action object, such as \"github create issue\". \
         select:NAME,NAME gets tools by name; +word must occur; server:NAME, tag:NAME, kind:skill \
         and risk:read-only narrow. A hit has its arguments as a signature (? is optional): call it \
         with {}, or see its schema with {} first when the signature has {{..}} or …",
        search_opening(names),
        names.call,
        names.describe,
    );
    if !listing.is_empty() {
        search.push_str("\n\n");
        search.push_str(listing);
    }
    let definition = |name: &str, description: String, schema: &str| Definition {
        name: name.to_owned(),
        description,
        input_schema: schema.to_owned(),
    };
    vec![
        definition(&names.search, search, SEARCH_SCHEMA),
        definition(&names.describe, describe_description(names), DESCRIBE_SCHEMA),
        definition(&names.call, call_description(names), CALL_SCHEMA),
    ]
}

fn search_opening(names: &BridgeNames) -> String {
    format!(
        "Find tools that are not in your list. There are many more than you see: search before you \
         say that something cannot be done. Then call them with {}. ",
        names.call
    )
}

fn describe_description(names: &BridgeNames) -> String {
    format!(
        "Show the exact JSON Schemas of tools that {} found or listed, several at once.",
        names.search
    )
}

fn call_description(names: &BridgeNames) -> String {
    format!(
        "Call tools that {} found or listed, by their names, with the arguments of their own \
         schemas. Arguments are checked first; when any is wrong, none of the calls is run.",
        names.search
    )
}

/// Whether a definition is one of the three tools, left over from an earlier assembly.
pub(super) fn is_bridge_definition(tool: &ToolDefinition, names: &BridgeNames) -> bool {
    let (schema, opening) = if tool.name == names.search {
        (SEARCH_SCHEMA, search_opening(names))
    } else if tool.name == names.describe {
        (DESCRIBE_SCHEMA, describe_description(names))
    } else if tool.name == names.call {
        (CALL_SCHEMA, call_description(names))
    } else {
        return false;
    };
    tool.description.starts_with(&opening) && same_schema(&tool.input_schema, schema)
}

/// Whether two schemas are the same, whatever the formatting and the order of names.
fn same_schema(given: &str, ours: &str) -> bool {
    if fingerprint(given) == fingerprint(ours) {
        return true;
    }
    match (serde_json::from_str::<Value>(given), serde_json::from_str::<Value>(ours)) {
        (Ok(given), Ok(ours)) => given == ours,
        _ => false,
    }
}

impl Catalog {
    /// The three bridge tools without a listing: the same bytes for every catalog.
    pub fn definitions(&self) -> Vec<Definition> {
        definitions(&self.bridge, "")
    }

    /// Answers a model's call to a bridge tool, or to a deferred tool by its own name. Whatever was
    /// sent gets an answer that says what to do next.
    pub fn invoke(&self, name: &str, arguments: &str, conversation: &Conversation) -> Outcome {
        let is = |bridge: &str| name == bridge;
        if is(&self.bridge.search) {
            return Outcome::Answer(self.invoke_search(arguments, conversation));
        }
        if is(&self.bridge.describe) {
            return Outcome::Answer(self.invoke_describe(arguments, conversation));
        }
        let resolved = if is(&self.bridge.call) {
            self.resolve(arguments, conversation)
        } else {
            self.resolve_named(name, arguments, conversation)
                .map(|one| vec![one])
                .map_err(|refusal| vec![refusal])
        };
        match resolved {
            Ok(calls) => Outcome::Dispatch(calls),
            Err(refusals) => Outcome::Answer(self.refused(&refusals)),
        }
    }

    fn invoke_search(&self, arguments: &str, conversation: &Conversation) -> Answer {
        let request = read_search(arguments);
        let searches: Vec<String> = request
            .queries
            .iter()
            .map(|query| normalized(query))
            .filter(|q| !q.is_empty())
            .collect();
        if let Some(stop) = self.stop(&searches, conversation) {
            return Answer { text: stop, searches, ..Answer::default() };
        }
        match self.search(&request, conversation) {
            Ok(found) => {
                Answer { text: found.to_json(), is_error: false, shown: found.shown, searches }
            }
            Err(error) => error_answer(&error.to_string()),
        }
    }

    /// A short notice in place of an answer that was given before, or after too many searches.
    fn stop(&self, searches: &[String], conversation: &Conversation) -> Option<String> {
        let made = |query: &String| conversation.searches.iter().filter(|s| *s == query).count();
        let repeated =
            !searches.is_empty() && searches.iter().all(|query| made(query) >= SEARCH_MAX_REPEATS);
        let why = if repeated {
            "this search was made before and its answer is above"
        } else if conversation.searches.len() >= SEARCH_MAX_IN_A_ROW {
            "many searches were made without a call"
        } else {
            return None;
        };
        let servers: Vec<String> = self
            .server_counts()
            .into_iter()
            .take(20)
            .map(|server| format!("{} ({})", server.name, server.tools))
            .collect();
        Some(json(&StopJson {
            note: format!(
                "{why}. Call one of the tools that were found with {}, list a server's tools with \
                 server:NAME, or go on without",
                self.bridge.call
            ),
            servers,
        }))
    }

    fn invoke_describe(&self, arguments: &str, conversation: &Conversation) -> Answer {
        match self.describe(&read_describe(arguments), conversation) {
            Ok(described) => Answer {
                text: described.to_json(),
                is_error: described.tools.is_empty() && described.left_out.is_empty(),
                shown: described.shown,
                searches: Vec::new(),
            },
            Err(error) => error_answer(&error.to_string()),
        }
    }

    fn refused(&self, refusals: &[Refusal]) -> Answer {
        let shown = refusals.iter().filter_map(|refusal| match &refusal.reason {
            Reason::Changed(_) | Reason::Unrevealed(_) => match self.find(&refusal.name) {
                super::names::Found::One(at) => Some(self.tools[at].as_shown(false)),
                _ => None,
            },
            _ => None,
        });
        Answer {
            text: json(&RefusedJson {
                error: "nothing was called",
                calls: refusals.iter().map(|refusal| self.refusal_json(refusal)).collect(),
            }),
            is_error: true,
            shown: shown.collect(),
            searches: Vec::new(),
        }
    }

    fn refusal_json<'a>(&self, refusal: &'a Refusal) -> RefusalJson<'a> {
        let BridgeNames { search, describe, call } = &self.bridge;
        let mut view =
            RefusalJson { call: refusal.index, name: &refusal.name, ..RefusalJson::default() };
        match &refusal.reason {
            Reason::Malformed(message) => view.error.clone_from(message),
            Reason::Recursive => {
                view.error = format!(
                    "{call} does not call {search}, {describe} or itself; call them directly, and \
                     send {call} the names of other tools"
                );
            }
            Reason::Unknown(near) => {
                view.error = if near.is_empty() {
                    format!("there is no such tool; find its name with {search}")
                } else {
                    format!("there is no such tool; did you mean one of near? If not, use {search}")
                };
                view.near = near;
            }
            Reason::Ambiguous(names) => {
                view.error = "several tools have this name; call one of near".to_owned();
                view.near = names;
            }
            Reason::Unavailable(reason) => {
                view.error = format!(
                    "its server is not available now ({reason}); do not retry, use another tool or \
                     tell the user"
                );
            }
            Reason::Visible => {
                view.error = "it is in your list of tools; call it directly".to_owned();
            }
            Reason::Deferred => {
                view.error = format!("it is not in your list of tools; call it with {call}");
            }
            Reason::Unrevealed(signature) => {
                view.error =
                    "its arguments were not shown before; here they are, call it again".to_owned();
                view.arguments = signature;
            }
            Reason::Changed(changed) => {
                view.error =
                    "the tool has changed since it was shown; fit the call to arguments and call \
                     it again"
                        .to_owned();
                view.arguments = &changed.signature;
                view.schema = Some(changed.schema.short());
                view.added = &changed.added;
                view.removed = &changed.removed;
                view.changed = &changed.changed;
            }
            Reason::Invalid(violation) => {
                view.error = if violation.path.is_empty() {
                    format!("the call {}", violation.constraint)
                } else {
                    format!("{} {}", violation.path, violation.constraint)
                };
                view.path = &violation.path;
                view.expected = serde_json::from_str(&violation.expected)
                    .unwrap_or_else(|_| Value::from(violation.expected.as_str()));
                view.did_you_mean = violation.suggestion.as_deref();
            }
        }
        view
    }
}

fn error_answer(error: &str) -> Answer {
    Answer { text: json(&ErrorJson { error }), is_error: true, ..Answer::default() }
}

/// A query for telling whether it was made before: its words in any order and case.
fn normalized(query: &str) -> String {
    let mut words: Vec<String> = query
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(64)
        .map(str::to_owned)
        .collect();
    sort(&mut words);
    words.dedup();
    screen::one_line(&words.join(" "), 200)
}

/// What a model sent, as JSON when it is that: also when it is JSON in a string.
fn read_json(text: &str) -> Option<Value> {
    if text.len() > crate::limits::CALL_MAX_BYTES {
        return None;
    }
    let mut text = text.trim().to_owned();
    for _ in 0..2 {
        match serde_json::from_str(&text) {
            Ok(Value::String(inner)) if inner.trim_start().starts_with(['{', '[', '"']) => {
                text = inner
            }
            Ok(value) => return Some(value),
            Err(_) => return None,
        }
    }
    None
}

pub(super) fn read_search(arguments: &str) -> SearchRequest {
    let mut request = SearchRequest::default();
    match read_json(arguments) {
        Some(Value::Object(map)) => {
            for key in ["queries", "query", "q", "keywords", "search"] {
                if let Some(value) = map.get(key) {
                    request.queries.extend(texts(value));
                }
            }
            request.limit = map
                .get("limit")
                .or_else(|| map.get("max_results"))
                .and_then(number)
                .map(|n| n.clamp(1.0, 1_000.0) as u32);
            let detail = map.get("detail").or_else(|| map.get("detail_level"));
            request.detail =
                detail.and_then(Value::as_str).and_then(Detail::parse).unwrap_or_default();
        }
        Some(other) => request.queries = texts(&other),
        // Words that are no JSON are words to search for.
        None => request.queries = vec![arguments.chars().take(2_000).collect()],
    }
    request
}

fn read_describe(arguments: &str) -> DescribeRequest {
    let mut request = DescribeRequest::default();
    match read_json(arguments) {
        Some(Value::Object(map)) => {
            for key in ["names", "name", "tools", "tool", "tool_name"] {
                if let Some(value) = map.get(key) {
                    request.names.extend(names(value));
                }
            }
            request.path = map.get("path").and_then(Value::as_str).map(str::to_owned);
            request.again = match map.get("again") {
                Some(Value::Bool(again)) => *again,
                Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("true"),
                _ => false,
            };
            request.detail = map.get("detail").and_then(Value::as_str).and_then(Detail::parse);
        }
        Some(other) => request.names = names(&other),
        None => {
            let text: String = arguments.chars().take(2_000).collect();
            request.names = names(&Value::from(text));
        }
    }
    request
}

/// The texts in a value: one, or a list of them, also written as JSON in a string. Numbers count.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => match serde_json::from_str::<Vec<Value>>(text) {
            Ok(list) => list.iter().flat_map(text_of).collect(),
            Err(_) => vec![text.clone()],
        },
        Value::Array(list) => list.iter().flat_map(text_of).collect(),
        other => text_of(other).into_iter().collect(),
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(map) => {
            let named = ["query", "q", "name"].iter().find_map(|key| map.get(*key));
            named.and_then(Value::as_str).map(str::to_owned)
        }
        _ => None,
    }
}

/// Names, also when commas separate them in one text.
fn names(value: &Value) -> Vec<String> {
    let split = |text: String| -> Vec<String> {
        text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    };
    texts(value).into_iter().flat_map(split).collect()
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    error: &'a str,
}

#[derive(Serialize)]
struct StopJson {
    note: String,
    servers: Vec<String>,
}

#[derive(Serialize)]
struct RefusedJson<'a> {
    error: &'static str,
    calls: Vec<RefusalJson<'a>>,
}

#[derive(Default, Serialize)]
struct RefusalJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    error: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    path: &'a str,
    #[serde(skip_serializing_if = "Value::is_null")]
    expected: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    near: &'a [String],
    #[serde(skip_serializing_if = "str::is_empty")]
    arguments: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    added: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    removed: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    changed: &'a [String],
}

#[cfg(test)]
mod tests {
    use super::super::assemble::{AssembleSettings, Mode};
    use super::super::definition::{Server, ServerState, Snapshot};
    use super::super::samples::{build, many, seeing, small, tool};
    use super::*;
    use proptest::prelude::*;

    fn answer(catalog: &Catalog, name: &str, arguments: &str) -> Answer {
        match catalog.invoke(name, arguments, &Conversation::default()) {
            Outcome::Answer(answer) => answer,
            Outcome::Dispatch(calls) => panic!("dispatched {calls:?}"),
        }
    }

    #[test]
    fn the_definitions_are_small_valid_and_name_each_other() {
        let names =
            BridgeNames { search: "find".into(), describe: "show".into(), call: "do_it".into() };
        let definitions = definitions(&names, "");
        assert_eq!(
            definitions.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(),
            ["find", "show", "do_it"]
        );
        let all: String = definitions.iter().map(|d| d.description.as_str()).collect();
        assert!(!all.contains("tool_") && all.contains("app action object"));
        for definition in &definitions {
            let schema: Value = serde_json::from_str(&definition.input_schema).unwrap();
            assert_eq!(schema["type"], "object");
        }
    }

    #[test]
    fn search_takes_what_models_send() {
        let catalog = build(small());
        for arguments in [
            r#"{"queries":["create issue"]}"#,
            r#"{"queries":"create issue"}"#,
            r#"{"query":"create issue","limit":"3"}"#,
            r#"{"q":"create issue"}"#,
            r#"{"queries":"[\"create issue\"]"}"#,
            r#"["create issue"]"#,
            r#""create issue""#,
            "create issue",
            r#"{"queries":[{"query":"create issue"}]}"#,
            r#""{\"queries\":[\"create issue\"]}""#,
        ] {
            let answer = answer(&catalog, "tool_search", arguments);
            assert!(
                answer.text.contains("\"name\":\"create_issue\""),
                "{arguments}: {}",
                answer.text
            );
            assert!(!answer.is_error && answer.searches == ["create issue"], "{arguments}");
        }
        for arguments in ["", "{}", "null", r#"{"queries":[]}"#, r#"{"queries":[null]}"#] {
            let answer = answer(&catalog, "tool_search", arguments);
            assert!(
                answer.is_error && answer.text.contains("app action object"),
                "{arguments}: {}",
                answer.text
            );
        }
    }

    #[test]
    fn describe_takes_what_models_send() {
        let catalog = build(small());
        for arguments in [
            r#"{"names":["create_issue"]}"#,
            r#"{"name":"create_issue"}"#,
            r#"{"names":"create_issue, "}"#,
            "create_issue",
            r#"{"tool":"github__create_issue"}"#,
            r#"[{"name":"create_issue"}]"#,
        ] {
            let answer = answer(&catalog, "tool_describe", arguments);
            assert!(
                answer.text.contains("Who owns the repository"),
                "{arguments}: {}",
                answer.text
            );
            assert_eq!(answer.shown.len(), 1);
        }
        assert!(answer(&catalog, "tool_describe", "{}").is_error);
        assert!(answer(&catalog, "tool_describe", "gone").is_error);
    }

    #[test]
    fn a_search_and_a_call_are_two_steps() {
        let catalog = build(small());
        let found = answer(&catalog, "tool_search", r#"{"queries":["send mail message"]}"#);
        assert!(
            found
                .text
                .contains(r#""name":"send_message","arguments":"(to: string, body?: string)""#),
            "{}",
            found.text
        );
        let conversation =
            Conversation { shown: found.shown, reveal_first: true, ..Conversation::default() };
        let call = r#"{"calls":[{"name":"send_message","arguments":{"to":"a@b.c","body":"hi"}}]}"#;
        let Outcome::Dispatch(calls) = catalog.invoke("tool_call", call, &conversation) else {
            panic!()
        };
        assert_eq!((calls[0].server.as_str(), calls[0].name.as_str()), ("mail", "send_message"));
    }

    #[test]
    fn a_wrong_call_is_told_what_is_wrong_and_what_was_meant() {
        let catalog = build(small());
        let refused = answer(
            &catalog,
            "tool_call",
            r#"{"name":"create_issue","arguments":{"owner":"o","repository":"r"}}"#,
        );
        assert_eq!(
            refused.text,
            r#"{"error":"nothing was called","calls":[{"call":0,"name":"create_issue","error":"the call is missing the required parameter repo","expected":{"type":"string"},"did_you_mean":"repo (you sent repository)"}]}"#
        );
        let unknown = answer(&catalog, "create_isue", "{}");
        assert!(unknown.text.contains(r#""near":["create_issue""#), "{}", unknown.text);
        let recursive = answer(&catalog, "tool_call", r#"{"name":"tool_search","arguments":{}}"#);
        assert!(recursive.text.contains("call them directly"), "{}", recursive.text);
    }

    #[test]
    fn going_round_in_circles_is_stopped() {
        let catalog = build(small());
        let mut conversation = Conversation::default();
        for round in 0..4 {
            let Outcome::Answer(answer) =
                catalog.invoke("tool_search", "Issue, create!", &conversation)
            else {
                panic!()
            };
            assert_eq!(answer.text.contains("made before"), round >= 2, "{}", answer.text);
            conversation.searches.extend(answer.searches);
        }
        conversation.searches = (0..12).map(|n| n.to_string()).collect();
        let Outcome::Answer(answer) = catalog.invoke("tool_search", "new words", &conversation)
        else {
            panic!()
        };
        assert!(answer.text.contains("without a call"), "{}", answer.text);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn whatever_is_sent_gets_json(
            name in "tool_search|tool_describe|tool_call|create_issue|\\PC{0,10}",
            arguments in "\\PC{0,60}|\\{\"(queries|names|calls|name|arguments)\":(\\[|\\{|\"|7|null|\\PC{0,20}){1,4}(\\]|\\}|\"){0,4}",
        ) {
            if let Outcome::Answer(answer) = build(small()).invoke(&name, &arguments, &Conversation::default()) {
                prop_assert!(serde_json::from_str::<Value>(&answer.text).is_ok());
                prop_assert!(answer.text.chars().count() <= crate::limits::DESCRIBE_ANSWER_CHARS);
            }
        }

        #[test]
        fn no_name_outside_the_grant_is_in_any_answer(
            granted in proptest::collection::vec(any::<bool>(), 40), which in 0usize..40, down in any::<bool>(),
        ) {
            // Each tool and server has a word that nothing else has.
            let all: Vec<ToolDefinition> = (0..40).map(|n| {
                let word: String = format!("{n:02}").bytes().map(|b| (b - b'0' + b'k') as char).collect();
                let server = format!("srv{}", &word[..1]);
                let mut tool = tool(&server, &format!("create_{word}{word}{word}"), &format!("Create the {word}{word}{word} thing"), r#"{"properties":{"to":{"type":"string"}}}"#);
                tool.aliases = vec![format!("alias{word}{word}{word}")];
                tool
            }).collect();
            let secret = |n: usize| all[n].name.trim_start_matches("create_").to_owned();
            let tools: Vec<ToolDefinition> = all.iter().zip(&granted).filter(|(_, g)| **g).map(|(t, _)| t.clone()).collect();
            let servers = tools.iter().take(1).map(|tool| Server {
                name: tool.server.clone(),
                state: if down { ServerState::Unavailable("down".to_owned()) } else { ServerState::Connected },
                ..Server::default()
            }).collect();
            let catalog = Catalog::build(Snapshot { tools, servers }, BridgeNames::default()).unwrap();
            let settings = AssembleSettings { mode: Mode::On, ..AssembleSettings::default() };
            let mut output = format!("{:?}{:?}", catalog.assemble(&settings, 0), catalog.diagnostics());
            // Asked for in every way but by its own word, so that an echo is no leak.
            let near = format!("create_{}", &secret(which)[..3]);
            for (name, arguments) in [
                ("tool_search", "{\"queries\":[\"create thing\",\"select:create_\",\"zzzz\",\"glob:create_*\"],\"limit\":25}".to_owned()),
                ("tool_search", format!("{{\"queries\":[\"{near}\"]}}")),
                ("tool_describe", format!("{{\"names\":[\"{near}\",\"create\",\"thing\"]}}")),
                ("tool_call", format!("{{\"name\":\"{near}\"}}")),
                (near.as_str(), "{}".to_owned()),
                ("tool_call", "{\"name\":\"create_thing\"}".to_owned()),
            ] {
                output.push_str(&format!("{:?}", catalog.invoke(name, &arguments, &seeing(&["create_x"]))));
            }
            for n in (0..40).filter(|&n| !granted[n]) {
                prop_assert!(!output.contains(&secret(n)), "{} in {output}", secret(n));
            }
            for letter in ["k", "l", "m", "n"] {
                let server = format!("srv{letter}");
                if !catalog.tools().iter().any(|tool| tool.definition.server == server) {
                    prop_assert!(!output.contains(&server));
                }
            }
        }
    }

    #[test]
    fn a_large_catalog_answers_within_bounds() {
        let catalog = build(many(400, 20));
        for arguments in [
            r#"{"queries":["create","list","get","update","delete","search","export"],"limit":25,"detail":"full"}"#,
            "zzzz",
        ] {
            let answer = answer(&catalog, "tool_search", arguments);
            assert!(answer.text.chars().count() <= crate::limits::SEARCH_ANSWER_CHARS);
        }
    }
}
