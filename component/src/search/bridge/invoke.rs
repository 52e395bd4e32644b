//! One function that answers whatever a model sends to the bridge tools.

use serde::Serialize;
use serde_json::Value;

use super::read::{read_describe, read_search};
use crate::limits::{
    DESCRIBE_ANSWER_CHARS, SEARCH_MAX_IN_A_ROW, SEARCH_MAX_QUERIES, SEARCH_MAX_REPEATS,
};
use crate::search::call::resolve::{Refusal, RefusalReason, Resolved, resolve, resolve_named};
use crate::search::catalog::bridge_tools::BridgeNames;
use crate::search::catalog::names::Found;
use crate::search::catalog::servers::server_counts;
use crate::search::catalog::tools::Catalog;
use crate::search::find::conversation::{Conversation, Shown};
use crate::search::find::describe::describe;
use crate::search::find::filter::Query;
use crate::search::find::json::{json, visible};
use crate::search::find::search::search;
use crate::search::schema::validate::Violation;
use crate::search::text::clean;
use crate::sort::sort;

/// What became of a model's call to a bridge tool.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
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

/// Answers a model's call to a bridge tool, or to a deferred tool by its own name. Whatever was
/// sent gets an answer that says what to do next.
pub fn invoke(
    catalog: &Catalog,
    name: &str,
    arguments: &str,
    conversation: &Conversation,
) -> Reply {
    let is = |bridge: &str| name == bridge;
    if is(&catalog.bridge.search) {
        return Reply::Answer(invoke_search(catalog, arguments, conversation));
    }
    if is(&catalog.bridge.describe) {
        return Reply::Answer(invoke_describe(catalog, arguments, conversation));
    }
    let resolved = if is(&catalog.bridge.call) {
        resolve(catalog, arguments, conversation)
    } else {
        resolve_named(catalog, name, arguments, conversation)
            .map(|one| vec![one])
            .map_err(|refusal| vec![refusal])
    };
    match resolved {
        Ok(calls) => Reply::Dispatch(calls),
        Err(refusals) => Reply::Answer(refused(catalog, &refusals)),
    }
}

fn invoke_search(catalog: &Catalog, arguments: &str, conversation: &Conversation) -> Answer {
    let request = read_search(arguments);
    let searches: Vec<String> =
        request.queries.iter().map(|query| normalized(query)).filter(|q| !q.is_empty()).collect();
    if let Some(stop) = stop(catalog, &searches, conversation) {
        return Answer { text: stop, searches, ..Answer::default() };
    }
    match search(catalog, &request, conversation) {
        Ok(found) => {
            Answer { text: found.to_json(), is_error: false, shown: found.shown, searches }
        }
        Err(error) => error_answer(&error.to_string()),
    }
}

/// A short notice in place of an answer that was given before, or after too many searches.
fn stop(catalog: &Catalog, searches: &[String], conversation: &Conversation) -> Option<String> {
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
    let servers: Vec<String> = server_counts(catalog)
        .into_iter()
        .take(20)
        .map(|server| format!("{} ({})", server.name, server.tools))
        .collect();
    Some(json(&StopJson {
        note: format!(
            "{why}. Call one of the tools that were found with {}, list a server's tools with \
             server:NAME, or go on without",
            catalog.bridge.call
        ),
        servers,
    }))
}

fn invoke_describe(catalog: &Catalog, arguments: &str, conversation: &Conversation) -> Answer {
    match describe(catalog, &read_describe(arguments), conversation) {
        Ok(described) => Answer {
            text: described.to_json(),
            is_error: described.tools.is_empty() && described.left_out.is_empty(),
            shown: described.shown,
            searches: Vec::new(),
        },
        Err(error) => error_answer(&error.to_string()),
    }
}

fn refused(catalog: &Catalog, refusals: &[Refusal]) -> Answer {
    let shown = refusals.iter().filter_map(|refusal| match &refusal.reason {
        RefusalReason::Changed(_) | RefusalReason::Unrevealed(_) => {
            match catalog.find(&refusal.name) {
                Found::One(at) => Some(Shown::of(&catalog.tools[at], false)),
                _ => None,
            }
        }
        _ => None,
    });
    let mut view = RefusedJson {
        error: "nothing was called",
        calls: refusals.iter().map(|refusal| refusal_json(catalog, refusal)).collect(),
    };
    let mut text = json(&view);
    while text.chars().count() > DESCRIBE_ANSWER_CHARS && view.shorten() {
        text = json(&view);
    }
    Answer { text, is_error: true, shown: shown.collect(), searches: Vec::new() }
}

/// A refusal as a code, a message for a model and the names that belong to it.
pub fn refusal_words(catalog: &Catalog, refusal: &Refusal) -> (&'static str, String, Vec<String>) {
    let view = refusal_json(catalog, refusal);
    let problems = view.problems.iter().map(Wrong::sentence);
    let mut message: Vec<String> = [view.wrong.sentence()].into_iter().chain(problems).collect();
    if !view.arguments.is_empty() {
        message.push(view.arguments.to_owned());
    }
    for (what, names) in [("new", view.added), ("gone", view.removed), ("changed", view.changed)] {
        if !names.is_empty() {
            message.push(format!("{what}: {}", names.join(", ")));
        }
    }
    let message = message.join("; ");
    let (code, names): (_, &[String]) = match &refusal.reason {
        RefusalReason::Malformed(_) => ("malformed", &[]),
        RefusalReason::Recursive => ("recursive", &[]),
        RefusalReason::Unknown(near) => ("unknown-tool", near),
        RefusalReason::Ambiguous(names) => ("ambiguous", names),
        RefusalReason::Unavailable(_) => ("unavailable", &[]),
        RefusalReason::Visible => ("visible", &[]),
        RefusalReason::Deferred => ("deferred", &[]),
        RefusalReason::Unrevealed(_) => ("unrevealed", &[]),
        RefusalReason::Changed(_) => ("changed", &[]),
        RefusalReason::Invalid(_) => ("invalid", &[]),
    };
    (code, message, names.to_vec())
}

fn refusal_json<'a>(catalog: &Catalog, refusal: &'a Refusal) -> RefusalJson<'a> {
    let BridgeNames { search, describe, call } = &catalog.bridge;
    let mut view =
        RefusalJson { call: refusal.index, name: &refusal.name, ..RefusalJson::default() };
    match &refusal.reason {
        RefusalReason::Malformed(message) => view.wrong.error.clone_from(message),
        RefusalReason::Recursive => {
            view.wrong.error = format!(
                "{call} does not call {search}, {describe} or itself; call them directly, and \
                 send {call} the names of other tools"
            );
        }
        RefusalReason::Unknown(near) => {
            view.wrong.error = if near.is_empty() {
                format!("there is no such tool; find its name with {search}")
            } else {
                format!("there is no such tool; did you mean one of near? If not, use {search}")
            };
            view.near = near;
        }
        RefusalReason::Ambiguous(names) => {
            view.wrong.error = "several tools have this name; call one of near".to_owned();
            view.near = names;
        }
        RefusalReason::Unavailable(reason) => {
            view.wrong.error = format!(
                "its server is not available now ({reason}); use another tool or tell the user, \
                 and do not repeat the call before that changes"
            );
        }
        RefusalReason::Visible => {
            view.wrong.error = "it is in your list of tools; call it directly".to_owned();
        }
        RefusalReason::Deferred => {
            view.wrong.error = format!("it is not in your list of tools; call it with {call}");
        }
        RefusalReason::Unrevealed(signature) => {
            view.wrong.error =
                "its arguments were not shown before; here they are, call it again".to_owned();
            view.arguments = signature;
        }
        RefusalReason::Changed(changed) => {
            view.wrong.error =
                "the tool has changed since it was shown; fit the call to arguments and call \
                 it again"
                    .to_owned();
            view.arguments = &changed.signature;
            view.schema = Some(changed.schema.short());
            view.added = &changed.added;
            view.removed = &changed.removed;
            view.changed = &changed.changed;
        }
        RefusalReason::Invalid(violations) => match violations.as_slice() {
            [one] => view.wrong = Wrong::of(one),
            several => {
                view.wrong.error = format!("{} arguments are wrong", several.len());
                view.problems = several.iter().map(Wrong::of).collect();
            }
        },
    }
    view
}

/// What a call to the bridge tool `name` would rank tools by: one text for each query that has
/// words. Nothing for other tools, and for queries that name what they want.
pub fn queries(catalog: &Catalog, name: &str, arguments: &str) -> Vec<String> {
    if name != catalog.bridge.search {
        return Vec::new();
    }
    let queries = read_search(arguments).queries;
    let read = queries.iter().map(|query| Query::parse(query));
    read.filter(|query| query.select.is_empty() && !query.words.is_empty())
        .map(|query| query.words)
        .take(SEARCH_MAX_QUERIES)
        .collect()
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
    clean::one_line(&words.join(" "), 200)
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

/// What is wrong, and where.
#[derive(Default, Serialize)]
struct Wrong<'a> {
    error: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    path: &'a str,
    #[serde(skip_serializing_if = "Value::is_null")]
    expected: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    did_you_mean: Option<&'a str>,
}

impl<'a> Wrong<'a> {
    /// It in words.
    fn sentence(&self) -> String {
        let mut sentence = self.error.clone();
        if !self.expected.is_null() {
            sentence.push_str(&format!(", expected {}", visible(self.expected.to_string())));
        }
        if let Some(near) = self.did_you_mean {
            sentence.push_str(&format!(", did you mean {near}?"));
        }
        sentence
    }

    fn of(violation: &'a Violation) -> Wrong<'a> {
        let subject = if violation.path.is_empty() { "the call" } else { &violation.path };
        Wrong {
            error: format!("{subject} {}", violation.constraint),
            path: &violation.path,
            expected: serde_json::from_str(&violation.expected)
                .unwrap_or_else(|_| Value::from(violation.expected.as_str())),
            did_you_mean: violation.suggestion.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct RefusedJson<'a> {
    error: &'static str,
    calls: Vec<RefusalJson<'a>>,
}

impl RefusedJson<'_> {
    /// Leaves out what is worth least: the last of many problems, then what was expected. Whether
    /// there was anything to leave out.
    fn shorten(&mut self) -> bool {
        let longest = self.calls.iter_mut().max_by_key(|call| call.problems.len());
        if let Some(call) = longest.filter(|call| call.problems.len() > 1) {
            call.problems.pop();
            return true;
        }
        let of_call = |call: &mut RefusalJson<'_>| {
            let wrong = call.problems.iter_mut().chain([&mut call.wrong]);
            wrong
                .filter(|wrong| !wrong.expected.is_null())
                .map(|w| w.expected = Value::Null)
                .count()
        };
        self.calls.iter_mut().map(of_call).sum::<usize>() > 0
    }
}

#[derive(Default, Serialize)]
struct RefusalJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<u32>,
    #[serde(skip_serializing_if = "str::is_empty")]
    name: &'a str,
    #[serde(flatten)]
    wrong: Wrong<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Wrong<'a>>,
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
    use super::*;
    use crate::search::bridge::assemble::assemble;
    use crate::search::bridge::settings::{AssembleSettings, Mode};
    use crate::search::catalog::build::build as catalog_of;
    use crate::search::catalog::definition::{Server, ServerState, Snapshot, ToolDefinition};
    use crate::search::tests::samples::{build, many, seeing, small, tool};
    use proptest::prelude::*;

    fn answer(catalog: &Catalog, name: &str, arguments: &str) -> Answer {
        match invoke(catalog, name, arguments, &Conversation::default()) {
            Reply::Answer(answer) => answer,
            Reply::Dispatch(calls) => panic!("dispatched {calls:?}"),
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
        for (kinds, found) in [
            (r#"["tool"]"#, true),
            (r#""tools""#, true),
            (r#"["tool","skill"]"#, true),
            (r#"["planet"]"#, true),
            (r#"["skill"]"#, false),
        ] {
            let arguments = format!(r#"{{"queries":["create issue"],"kinds":{kinds}}}"#);
            let text = answer(&catalog, "tool_search", &arguments).text;
            assert_eq!(text.contains("\"name\":\"create_issue\""), found, "{kinds}: {text}");
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
        let Reply::Dispatch(calls) = invoke(&catalog, "tool_call", call, &conversation) else {
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
    fn everything_wrong_with_a_batch_is_in_one_bounded_answer() {
        let catalog = build(small());
        let call = r#"{"name":"create_issue","arguments":{"owner":1,"number":"x","labels":"a,b"}}"#;
        let refused = answer(&catalog, "tool_call", call);
        let json: Value = serde_json::from_str(&refused.text).unwrap();
        let problems = json["calls"][0]["problems"].as_array().unwrap();
        assert_eq!(json["calls"][0]["error"], "3 arguments are wrong");
        assert_eq!(problems[0]["error"], "the call is missing the required parameter repo");
        assert_eq!(problems[1]["path"], "labels");
        let batch = format!("[{}]", vec![call; 16].join(","));
        let refused = answer(&catalog, "tool_call", &batch);
        assert!(refused.text.chars().count() <= DESCRIBE_ANSWER_CHARS);
        let json: Value = serde_json::from_str(&refused.text).unwrap();
        assert_eq!(json["calls"].as_array().unwrap().len(), 16);
    }

    #[test]
    fn going_round_in_circles_is_stopped() {
        let catalog = build(small());
        let mut conversation = Conversation::default();
        for round in 0..4 {
            let Reply::Answer(answer) =
                invoke(&catalog, "tool_search", "Issue, create!", &conversation)
            else {
                panic!()
            };
            assert_eq!(answer.text.contains("made before"), round >= 2, "{}", answer.text);
            conversation.searches.extend(answer.searches);
        }
        conversation.searches = (0..12).map(|n| n.to_string()).collect();
        let Reply::Answer(answer) = invoke(&catalog, "tool_search", "new words", &conversation)
        else {
            panic!()
        };
        assert!(answer.text.contains("without a call"), "{}", answer.text);
    }

    #[test]
    fn queries_are_what_is_ranked_by() {
        let catalog = build(small());
        let of = |name: &str, arguments: &str| queries(&catalog, name, arguments);
        let both = r#"{"queries": ["server:github open issue", "select:create_event", "mail"]}"#;
        assert_eq!(of("tool_search", both), ["open issue", "mail"]);
        assert_eq!(of("tool_search", "send a letter"), ["send a letter"]);
        assert_eq!(of("tool_call", both), Vec::<String>::new());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn whatever_is_sent_gets_json(
            name in "tool_search|tool_describe|tool_call|create_issue|\\PC{0,10}",
            arguments in "\\PC{0,60}|\\{\"(queries|names|calls|name|arguments)\":(\\[|\\{|\"|7|null|\\PC{0,20}){1,4}(\\]|\\}|\"){0,4}",
        ) {
            if let Reply::Answer(answer) = invoke(&build(small()), &name, &arguments, &Conversation::default()) {
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
                // What users call it is never shown, whoever asks: also not as what a slip was read as.
                tool.phrases = vec![format!("wish {word}wished{word} soon")];
                tool
            }).collect();
            let secret = |n: usize| all[n].name.trim_start_matches("create_").to_owned();
            let tools: Vec<ToolDefinition> = all.iter().zip(&granted).filter(|(_, g)| **g).map(|(t, _)| t.clone()).collect();
            let servers = tools.iter().take(1).map(|tool| Server {
                name: tool.server.clone(),
                state: if down { ServerState::Unavailable("down".to_owned()) } else { ServerState::Connected },
                ..Server::default()
            }).collect();
            let catalog = catalog_of(Snapshot { tools, servers }, BridgeNames::default()).unwrap();
            let settings = AssembleSettings { mode: Mode::On, ..AssembleSettings::default() };
            let mut output = format!("{:?}{:?}", assemble(&catalog, &settings, 0), catalog.diagnostics());
            // Asked for in every way but by its own word, so that an echo is no leak.
            let near = format!("create_{}", &secret(which)[..3]);
            for (name, arguments) in [
                ("tool_search", "{\"queries\":[\"create thing\",\"select:create_\",\"zzzz\",\"glob:create_*\"],\"limit\":25}".to_owned()),
                ("tool_search", format!("{{\"queries\":[\"{near}\"]}}")),
                ("tool_search", format!("{{\"queries\":[\"{}wishd{}\"]}}", &secret(which)[..2], &secret(which)[..2])),
                ("tool_describe", format!("{{\"names\":[\"{near}\",\"create\",\"thing\"]}}")),
                ("tool_call", format!("{{\"name\":\"{near}\"}}")),
                (near.as_str(), "{}".to_owned()),
                ("tool_call", "{\"name\":\"create_thing\"}".to_owned()),
            ] {
                output.push_str(&format!("{:?}", invoke(&catalog, name, &arguments, &seeing(&["create_x"]))));
            }
            for n in (0..40).filter(|&n| !granted[n]) {
                prop_assert!(!output.contains(&secret(n)), "{} in {output}", secret(n));
            }
            prop_assert!(!output.contains("wished"), "{output}");
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
