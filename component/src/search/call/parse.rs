//! What a model sends as a call, in whatever shape, read as names and arguments.
//!
//! Models send `calls` as an array, as one object, as JSON inside a string; they write `tool` for
//! `name`, `args` for `arguments`, or put the arguments beside the name. Each of these says one
//! thing only, so it is read. What could be read in two ways is refused, with the shape to send.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::limits::{CALL_MAX_BATCH, CALL_MAX_BYTES};
use crate::search::catalog::names::Found;
use crate::search::catalog::tools::Catalog;
use crate::search::schema::parts::members;
use crate::search::schema::read::parameters;
use crate::search::schema::strict::strict;
use crate::search::text::clean;

/// A call as the model meant it; nothing about it is checked yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The tool's name, as written.
    pub name: String,
    /// The arguments: a JSON object, as the model wrote it.
    pub arguments: String,
    /// The digest of the schema that the call was written for, when the model gave it.
    pub schema: Option<String>,
}

/// Why what a model sent cannot be read as calls.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Malformed {
    /// Which of the calls, counted from 0, when it is one of them.
    pub index: Option<u32>,
    /// What is wrong and what to send, in one or two sentences.
    pub message: String,
}

impl Malformed {
    fn new(message: impl Into<String>) -> Malformed {
        Malformed { index: None, message: message.into() }
    }
}

const SHAPE: &str = r#"send {"calls": [{"name": "NAME", "arguments": {…}}]}"#;
const NAME_KEYS: [&str; 5] = ["name", "tool", "tool_name", "function", "recipient_name"];
const ARGUMENT_KEYS: [&str; 6] =
    ["arguments", "args", "parameters", "params", "input", "tool_input"];
const LIST_KEYS: [&str; 3] = ["calls", "tool_calls", "call"];
/// What may stand beside a call without being an argument.
const ENVELOPE_KEYS: [&str; 5] = ["schema", "id", "type", "call_id", "index"];

/// Reads what a model sent.
///
/// # Errors
/// [`Malformed`] says what to send.
pub fn parse(catalog: &Catalog, text: &str) -> Result<Vec<Call>, Malformed> {
    if text.len() > CALL_MAX_BYTES {
        return Err(Malformed::new(format!(
            "the arguments have {} bytes, more than is read ({CALL_MAX_BYTES}); send less at once",
            text.len()
        )));
    }
    let (text, shape) = read(text, "the arguments")?;
    let items = match shape {
        Shape::List(items) => items,
        Shape::Object(members) => match list_in(&members)? {
            Some(items) => items,
            None => vec![text],
        },
        Shape::Null => return Err(Malformed::new(format!("nothing to call: {SHAPE}"))),
        _ => return Err(Malformed::new(format!("the arguments are no object: {SHAPE}"))),
    };
    match items.len() {
        0 => Err(Malformed::new(format!("calls is empty: {SHAPE}"))),
        n if n > CALL_MAX_BATCH => Err(Malformed::new(format!(
            "{n} calls are more than one batch takes; send at most {CALL_MAX_BATCH}, and the \
             others after them"
        ))),
        _ => items
            .into_iter()
            .enumerate()
            .map(|(index, item)| {
                one(catalog, &item).map_err(|malformed| Malformed {
                    index: Some(index as u32),
                    message: malformed.message,
                })
            })
            .collect(),
    }
}

/// Arguments as sent for one tool by its own name.
///
/// # Errors
/// [`Malformed`] when they are not an object in any shape.
pub fn parse_arguments(text: &str) -> Result<String, Malformed> {
    if text.len() > CALL_MAX_BYTES {
        return Err(Malformed::new(format!(
            "the arguments have {} bytes, more than is read ({CALL_MAX_BYTES})",
            text.len()
        )));
    }
    let (text, shape) = read(text, "the arguments")?;
    Ok(object(text, shape)?.0)
}

/// A JSON value as far as it is looked into: what is inside stays the text that it is.
enum Shape {
    Null,
    Text(String),
    List(Vec<String>),
    Object(Members),
    Other,
}

impl Shape {
    /// The shape of a text that is JSON.
    fn of(text: &str) -> Shape {
        match text.trim_start().as_bytes().first() {
            Some(b'n') => Shape::Null,
            Some(b'"') => serde_json::from_str(text).map_or(Shape::Other, Shape::Text),
            Some(b'[') => match serde_json::from_str::<Vec<&RawValue>>(text) {
                Ok(items) => Shape::List(items.iter().map(|item| item.get().to_owned()).collect()),
                Err(_) => Shape::Other,
            },
            Some(b'{') => members(text).map_or(Shape::Other, |members| {
                let owned = |(name, value): (String, &str)| (name, value.to_owned());
                Shape::Object(Members(members.into_iter().map(owned).collect()))
            }),
            _ => Shape::Other,
        }
    }
}

/// An object's members in their order, each value as its text.
#[derive(Default)]
struct Members(Vec<(String, String)>);

impl Members {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The value of a member that is a string.
    fn text(&self, name: &str) -> Option<String> {
        match Shape::of(self.get(name)?) {
            Shape::Text(text) => Some(text),
            _ => None,
        }
    }

    fn remove(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.remove(at).1)
    }

    fn to_json(&self) -> String {
        let member =
            |(name, value): &(String, String)| format!("{}:{value}", Value::from(name.as_str()));
        format!("{{{}}}", self.0.iter().map(member).collect::<Vec<_>>().join(","))
    }
}

/// A text as JSON, and what it is; also inside a code fence, or inside a JSON string. Blank is null.
fn read(text: &str, what: &str) -> Result<(String, Shape), Malformed> {
    let mut text = unfenced(text).to_owned();
    for _ in 0..3 {
        if text.trim().is_empty() {
            return Ok((text, Shape::Null));
        }
        match strict(&text) {
            Ok(()) => match Shape::of(&text) {
                Shape::Text(inner) => text = inner,
                shape => return Ok((text, shape)),
            },
            Err(error) => {
                let said = clean::one_line(&error.to_string(), 160);
                // A member that is there twice is JSON.
                return Err(Malformed::new(if error.is_data() {
                    format!("{what} cannot be used ({said}): {SHAPE}")
                } else if said.starts_with("recursion limit") {
                    format!(
                        "{what} are nested more than 127 levels deep, make them flatter: {SHAPE}"
                    )
                } else {
                    format!("{what} are not JSON ({said}): {SHAPE}")
                }));
            }
        }
    }
    Err(Malformed::new(format!("{what} are JSON in a string in a string: {SHAPE}")))
}

fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inner = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"))
        .map(|rest| rest.strip_prefix("json").unwrap_or(rest));
    inner.unwrap_or(text).trim()
}

/// The list of calls inside an object, when it has one.
fn list_in(map: &Members) -> Result<Option<Vec<String>>, Malformed> {
    let lists: Vec<&&str> = LIST_KEYS.iter().filter(|key| map.has(key)).collect();
    let key = match lists.as_slice() {
        [] => return Ok(None),
        [one] => **one,
        _ => return Err(Malformed::new(format!("more than one list of calls: {SHAPE}"))),
    };
    // `call` may as well be a parameter of a tool whose arguments stand beside its name.
    let named = NAME_KEYS.iter().any(|name| map.text(name).is_some());
    if named && key == "call" {
        return Ok(None);
    }
    if named || ARGUMENT_KEYS.iter().any(|name| map.has(name)) {
        return Err(Malformed::new(format!(
            "there is a list of calls and a call beside it, so it is unclear what to run: {SHAPE}"
        )));
    }
    let text = map.get(key).unwrap_or_default();
    let (text, shape) = match Shape::of(text) {
        Shape::Text(inner) => read(&inner, key)?,
        shape => (text.to_owned(), shape),
    };
    match shape {
        Shape::List(items) => Ok(Some(items)),
        Shape::Object(_) => Ok(Some(vec![text])),
        Shape::Null => Err(Malformed::new(format!("{key} is empty: {SHAPE}"))),
        _ => Err(Malformed::new(format!("{key} is not a list: {SHAPE}"))),
    }
}

fn one(catalog: &Catalog, item: &str) -> Result<Call, Malformed> {
    let shape = match Shape::of(item) {
        Shape::Text(text) => match read(&text, "the call") {
            // A bare name is a call without arguments.
            Err(_) if !text.contains(['{', '[', '"']) => {
                return Ok(Call { name: text, arguments: "{}".to_owned(), schema: None });
            }
            other => other?.1,
        },
        other => other,
    };
    let Shape::Object(mut map) = shape else {
        return Err(Malformed::new(format!("a call is not an object: {SHAPE}")));
    };
    let is_list = |key: &&str| map.get(key).is_some_and(|value| value.starts_with(['[', '{']));
    if LIST_KEYS.iter().any(is_list) && !map.has("name") {
        return Err(Malformed::new(format!("a list of calls inside a call is not run: {SHAPE}")));
    }
    // The form of a provider's own tool calls: {"type": "function", "function": {"name": …}}.
    if let Some(Shape::Object(function)) = map.get("function").map(Shape::of) {
        if map.has("name") || map.has("arguments") {
            return Err(Malformed::new(format!("two calls in one object: {SHAPE}")));
        }
        map = function;
    }
    let (name_key, name) = name_in(catalog, &map)?;
    let own = Own::of(catalog, &name);
    for key in NAME_KEYS {
        let again = map.text(key).is_some_and(|text| text.trim() == name);
        if key == name_key || (again && !own.has(key)) {
            map.remove(key);
        }
    }
    let schema = map.text("schema").filter(|_| !own.has("schema"));
    let arguments = arguments_in(map, &own)?;
    Ok(Call { name, arguments, schema })
}

/// Which key holds the name. Of several the one whose value is a tool's name.
fn name_in(catalog: &Catalog, map: &Members) -> Result<(&'static str, String), Malformed> {
    let texts: Vec<(&'static str, String)> =
        NAME_KEYS.iter().filter_map(|key| Some((*key, map.text(key)?))).collect();
    let given: Vec<(&'static str, &str)> = texts
        .iter()
        .map(|(key, name)| (*key, name.trim()))
        .filter(|(_, name)| !name.is_empty())
        .collect();
    let known: Vec<(&'static str, &str)> = given
        .iter()
        .copied()
        .filter(|(_, name)| {
            !matches!(catalog.find(name), Found::None) || catalog.bridge_names().mean(name)
        })
        .collect();
    match (known.as_slice(), given.as_slice()) {
        ([(key, name)], _) => Ok((key, (*name).to_owned())),
        ([], [(key, name), ..]) => Ok((key, (*name).to_owned())),
        ([(key, first), rest @ ..], _) if rest.iter().all(|(_, name)| name == first) => {
            Ok((key, (*first).to_owned()))
        }
        ([], []) => {
            let wrong = NAME_KEYS.iter().any(|key| map.has(key));
            Err(Malformed::new(if wrong {
                format!("the call's name is not a text: {SHAPE}")
            } else {
                format!("the call has no name: {SHAPE}")
            }))
        }
        _ => Err(Malformed::new(format!("two names of tools in one call: {SHAPE}"))),
    }
}

/// The parameters a tool has of its own.
struct Own(Option<Vec<String>>);

impl Own {
    fn of(catalog: &Catalog, name: &str) -> Own {
        let Found::One(at) = catalog.find(name) else { return Own(None) };
        Own(catalog.tools()[at].parsed_schema().map(|schema| {
            parameters(&schema).into_iter().map(|(name, ..)| name.to_owned()).collect()
        }))
    }

    fn has(&self, name: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.iter().any(|own| own == name))
    }
}

fn arguments_in(mut map: Members, own: &Own) -> Result<String, Malformed> {
    let unclear = |what: &str| {
        Malformed::new(format!("{what}, so it is unclear what the arguments are: {SHAPE}"))
    };
    if let Some(given) = map.remove("arguments") {
        let shape = Shape::of(&given);
        let (given, inside) = object(given, shape)?;
        let beside = beside(map, own, false);
        if beside.0.is_empty() {
            return Ok(given);
        }
        // Some models leave `arguments` empty and write them beside it.
        if inside.0.is_empty() && beside.0.iter().all(|(name, _)| own.has(name)) {
            return Ok(beside.to_json());
        }
        return Err(unclear("there are values inside arguments and beside it"));
    }
    let aliases: Vec<&str> = ARGUMENT_KEYS.iter().copied().filter(|key| map.has(key)).collect();
    let [alias] = aliases.as_slice() else {
        return if aliases.iter().all(|alias| own.has(alias)) {
            Ok(beside(map, own, true).to_json())
        } else {
            Err(unclear(&format!("there are {}", aliases.join(" and "))))
        };
    };
    let others =
        map.0.iter().any(|(key, _)| key != alias && !ENVELOPE_KEYS.contains(&key.as_str()));
    match (own.has(alias), others) {
        // The tool has a parameter of this name, and the others stand beside it.
        (true, true) => Ok(beside(map, own, true).to_json()),
        (true, false) if !map.get(alias).is_some_and(|value| value.starts_with('{')) => {
            Ok(beside(map, own, true).to_json())
        }
        (true, false) => Err(unclear(&format!("{alias} is also a parameter of the tool"))),
        (false, true) => Err(unclear(&format!("there are values inside {alias} and beside it"))),
        (false, false) => {
            let given = map.remove(alias).unwrap_or_default();
            let shape = Shape::of(&given);
            Ok(object(given, shape)?.0)
        }
    }
}

/// What stands beside the name, as arguments. What belongs to the envelope does not, unless the
/// tool has such a parameter and `all` stand here.
fn beside(mut map: Members, own: &Own, all: bool) -> Members {
    let provider = map.text("type").as_deref() == Some("function");
    map.0.retain(|(key, _)| {
        let envelope = ENVELOPE_KEYS.contains(&key.as_str());
        !envelope || (all && own.has(key) && !provider)
    });
    map
}

/// Arguments as the text of an object and its members: also from JSON in a string; nothing for null
/// and blank.
fn object(text: String, shape: Shape) -> Result<(String, Members), Malformed> {
    let (text, shape) = match shape {
        Shape::Text(inner) => read(&inner, "the arguments")?,
        shape => (text, shape),
    };
    match shape {
        Shape::Object(members) => Ok((text, members)),
        Shape::Null => Ok(("{}".to_owned(), Members::default())),
        Shape::List(_) => Err(Malformed::new(format!(
            "the arguments are a list, not an object of names and values: {SHAPE}"
        ))),
        _ => Err(Malformed::new(format!(
            "the arguments are one value, not an object of names and values: {SHAPE}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::samples::{build, small, tool};
    use proptest::prelude::*;
    use serde_json::json;

    fn catalog() -> Catalog {
        let mut tools = small();
        tools.push(tool("x", "run", "Run.", r#"{"properties":{"args":{"type":"array"},"input":{"type":"object"},"id":{"type":"string"},"name":{"type":"string"},"call":{"type":"string"}}}"#));
        build(tools)
    }

    #[test]
    fn every_shape_that_says_one_thing_is_read() {
        let catalog = catalog();
        let wanted = json!({"owner": "o", "repo": "r"});
        for text in [
            r#"{"calls":[{"name":"list_issues","arguments":{"owner":"o","repo":"r"}}]}"#,
            r#"{"calls":{"name":"list_issues","arguments":{"owner":"o","repo":"r"}}}"#,
            r#"{"calls":"[{\"name\":\"list_issues\",\"arguments\":{\"owner\":\"o\",\"repo\":\"r\"}}]"}"#,
            r#"{"calls":["{\"name\":\"list_issues\",\"arguments\":{\"owner\":\"o\",\"repo\":\"r\"}}"]}"#,
            r#"[{"name":"list_issues","arguments":{"owner":"o","repo":"r"}}]"#,
            r#"{"name":"list_issues","arguments":{"owner":"o","repo":"r"}}"#,
            r#"{"name":"list_issues","arguments":"{\"owner\":\"o\",\"repo\":\"r\"}"}"#,
            r#"{"name":" list_issues ","args":{"owner":"o","repo":"r"}}"#,
            r#"{"tool":"list_issues","parameters":{"owner":"o","repo":"r"}}"#,
            r#"{"tool_name":"list_issues","input":{"owner":"o","repo":"r"}}"#,
            r#"{"tool":"list_issues","tool_input":"{\"owner\":\"o\",\"repo\":\"r\"}"}"#,
            r#"{"recipient_name":"functions.list_issues","parameters":{"owner":"o","repo":"r"}}"#,
            r#"{"function":"list_issues","arguments":{"owner":"o","repo":"r"}}"#,
            r#"{"tool_calls":[{"id":"c1","type":"function","function":{"name":"list_issues","arguments":"{\"owner\":\"o\",\"repo\":\"r\"}"}}]}"#,
            r#"{"name":"list_issues","owner":"o","repo":"r"}"#,
            r#"{"name":"list_issues","arguments":{},"owner":"o","repo":"r"}"#,
            r#"{"name":"list_issues","arguments":null,"owner":"o","repo":"r"}"#,
            r#"{"name":"list_issues","arguments":"","owner":"o","repo":"r"}"#,
            r#"{"calls":[{"name":"list_issues","owner":"o","repo":"r"}]}"#,
            r#""{\"name\":\"list_issues\",\"arguments\":{\"owner\":\"o\",\"repo\":\"r\"}}""#,
            "```json\n{\"name\":\"list_issues\",\"arguments\":{\"owner\":\"o\",\"repo\":\"r\"}}\n```",
            r#"{"call":{"name":"list_issues","arguments":{"owner":"o","repo":"r"}}}"#,
            r#"{"name":"list_issues","tool":"list_issues","arguments":{"owner":"o","repo":"r"}}"#,
            r#"{"id":"7","index":0,"name":"list_issues","arguments":{"owner":"o","repo":"r"}}"#,
        ] {
            let calls = parse(&catalog, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(calls.len(), 1, "{text}");
            assert!(calls[0].name.ends_with("list_issues"), "{text}");
            assert_eq!(
                serde_json::from_str::<Value>(&calls[0].arguments).unwrap(),
                wanted,
                "{text}"
            );
        }
    }

    #[test]
    fn nothing_to_pass_is_passed_as_nothing() {
        let catalog = catalog();
        for text in [
            r#"{"name":"clarify"}"#,
            r#"{"name":"clarify","arguments":null}"#,
            r#"{"name":"clarify","arguments":""}"#,
            r#"{"name":"clarify","arguments":"  "}"#,
            r#"{"name":"clarify","arguments":"null"}"#,
            r#"{"name":"clarify","arguments":"{}"}"#,
            r#"["clarify"]"#,
            r#"{"calls":["clarify"]}"#,
        ] {
            let calls = parse(&catalog, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(
                (calls[0].name.as_str(), calls[0].arguments.as_str()),
                ("clarify", "{}"),
                "{text}"
            );
        }
    }

    #[test]
    fn what_cannot_be_read_or_in_two_ways_is_refused_with_what_to_send() {
        let catalog = catalog();
        for (text, wanted) in [
            ("", "nothing to call"),
            ("null", "nothing to call"),
            ("  ", "nothing to call"),
            ("\"\"", "nothing to call"),
            ("{}", "no name"),
            ("[]", "calls is empty"),
            ("42", "no object"),
            ("true", "no object"),
            ("list_issues", "not JSON"),
            ("{\"name\":", "not JSON"),
            ("{\"name\":\"clarify\",}", "not JSON"),
            ("{'name':'clarify'}", "not JSON"),
            (r#"{"calls":[]}"#, "calls is empty"),
            (r#"{"calls":null}"#, "calls is empty"),
            (r#"{"calls":7}"#, "not a list"),
            (r#"{"calls":"clarify()"}"#, "not JSON"),
            (r#"{"calls":[null]}"#, "not an object"),
            (r#"{"calls":[7]}"#, "not an object"),
            (r#"{"calls":[[]]}"#, "not an object"),
            (r#"{"calls":[{}]}"#, "no name"),
            (r#"{"calls":[{"name":""}]}"#, "not a text"),
            (r#"{"calls":[{"name":7}]}"#, "not a text"),
            (r#"{"calls":[{"name":null,"arguments":{}}]}"#, "not a text"),
            (r#"{"calls":[{"name":["clarify"]}]}"#, "not a text"),
            (r#"{"calls":[{"calls":[{"name":"clarify"}]}]}"#, "inside a call"),
            (r#"{"calls":{"calls":{"calls":[{"name":"clarify"}]}}}"#, "inside a call"),
            (r#"{"calls":[{"name":"clarify"}],"name":"clarify"}"#, "a call beside it"),
            (r#"{"calls":[{"name":"clarify"}],"arguments":{}}"#, "a call beside it"),
            (r#"{"calls":[],"tool_calls":[]}"#, "more than one list"),
            (r#"{"name":"clarify","name":"terminal"}"#, "there twice"),
            (r#"{"name":"clarify","arguments":{"a":1,"a":2}}"#, "there twice"),
            (r#"{"name":"clarify","tool":"terminal","arguments":{}}"#, "two names"),
            (r#"{"name":"clarify","function":{"name":"terminal"}}"#, "two calls"),
            (r#"{"name":"clarify","arguments":[]}"#, "a list, not an object"),
            (r#"{"name":"clarify","arguments":7}"#, "one value"),
            (r#"{"name":"clarify","arguments":"x=1"}"#, "not JSON"),
            (r#"{"name":"clarify","arguments":"[1]"}"#, "a list, not an object"),
            (r#"{"name":"list_issues","arguments":{"owner":"o"},"repo":"r"}"#, "beside it"),
            (r#"{"name":"list_issues","arguments":{},"nonsense":1}"#, "beside it"),
            (r#"{"name":"list_issues","args":{"owner":"o"},"repo":"r"}"#, "beside it"),
            (r#"{"name":"list_issues","args":{},"params":{}}"#, "args and params"),
            (r#"{"name":"run","input":{"a":1}}"#, "also a parameter"),
        ] {
            let error = parse(&catalog, text).expect_err(text);
            assert!(error.message.contains(wanted), "{text}: {}", error.message);
            assert!(error.message.contains("send {\"calls\""), "{text}: {}", error.message);
        }
        let many = format!("[{}]", vec!["\"clarify\""; 17].join(","));
        assert!(parse(&catalog, &many).unwrap_err().message.contains("17 calls"));
        let mut nested = "{}".to_owned();
        for _ in 0..4 {
            nested = Value::from(nested).to_string();
        }
        let error = parse(&catalog, &nested).unwrap_err();
        assert!(error.message.contains("JSON in a string in a string"), "{}", error.message);
        let deep = "[".repeat(100_000);
        assert!(parse(&catalog, &deep).unwrap_err().message.contains("127 levels"));
        let twice = parse(&catalog, r#"{"name":"clarify","name":"terminal"}"#).unwrap_err();
        assert!(!twice.message.contains("not JSON"), "{}", twice.message);
    }

    #[test]
    fn parameters_named_like_the_envelope_are_parameters() {
        let catalog = catalog();
        for (text, wanted) in [
            (r#"{"name":"run","args":["-l"]}"#, json!({"args": ["-l"]})),
            (r#"{"name":"run","args":["-l"],"id":"7"}"#, json!({"args": ["-l"], "id": "7"})),
            (r#"{"name":"run","args":["-l"],"input":{}}"#, json!({"args": ["-l"], "input": {}})),
            (r#"{"tool":"run","name":"Bob"}"#, json!({"name": "Bob"})),
            (r#"{"name":"run","call":"me"}"#, json!({"call": "me"})),
            (r#"{"name":"run","arguments":{"id":"7"},"id":"c1"}"#, json!({"id": "7"})),
        ] {
            let calls = parse(&catalog, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(calls[0].name, "run", "{text}");
            assert_eq!(
                serde_json::from_str::<Value>(&calls[0].arguments).unwrap(),
                wanted,
                "{text}"
            );
        }
    }

    proptest! {
        #[test]
        fn anything_gets_an_answer(text in "\\PC{0,40}|(\\{|\\}|\\[|\\]|\"|:|,|name|calls|arguments|clarify|7| ){0,30}") {
            if let Err(error) = parse(&catalog(), &text) {
                prop_assert!(error.message.contains("send"));
            }
        }
    }

    #[test]
    fn arguments_are_the_text_that_was_sent() {
        let catalog = catalog();
        let sent = r#"{"z":1.50,"a":12345678901234567890123,"m":[1e2, -0]}"#;
        let quoted = Value::from(sent);
        for text in [
            format!(r#"{{"calls":[{{"name":"clarify","arguments":{sent}}}]}}"#),
            format!(r#"{{"name":"clarify","arguments":{quoted}}}"#),
            format!(r#"{{"tool":"clarify","args":{sent}}}"#),
            format!(r#"{{"name":"clarify",{}"#, &sent[1..]),
        ] {
            assert_eq!(parse(&catalog, &text).unwrap()[0].arguments, sent, "{text}");
        }
        assert_eq!(parse_arguments(sent).unwrap(), sent);
        assert_eq!(parse_arguments("").unwrap(), "{}");
    }
}
