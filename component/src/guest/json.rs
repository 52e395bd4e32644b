//! `json`: the same functions over strings. Parse, call, print.
//!
//! Records are printed with the contract's names in camel case, without the fields that are unset.
//! What came as JSON and goes out again (results, schemas, arguments) keeps every byte.

#[cfg(feature = "results")]
mod results;
#[cfg(feature = "tools")]
mod snapshot;
#[cfg(feature = "tools")]
mod tools;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Component;
use super::failure::failure;
use crate::abi::exports::weir::plugin::json as wit;
use crate::abi::exports::weir::plugin::types::Failure;

/// JSON text, or why not.
type Answer = Result<String, Failure>;

/// The functions of the contract, each by one of ours that has its name, and which of the files have them.
macro_rules! functions {
    ($($module:ident $feature:literal { $($name:ident($($given:ident: $ty:ty),*),)+ })+) => {
        $(#[cfg(not(feature = $feature))]
        mod $module {
            $(pub(super) fn $name($(_: $ty),*) -> super::Answer {
                let message = "this file of the component cannot do this: see `about`";
                Err(super::failure("unsupported", message))
            })+
        })+

        impl wit::Guest for Component {
            fn about() -> String {
                use crate::abi::exports::weir::plugin::info::Guest as _;
                print(Component::describe_component())
            }

            $($(fn $name($($given: $ty),*) -> String {
                told($module::$name($($given),*))
            })+)+
        }
    };
}

functions! {
    results "results" {
        configure(settings: String),
        transform(call: String, tool_result: String),
        result_tools(),
        invoke(session: String, name: String, arguments: String),
        open_intake(call: String),
        write_intake(intake: u32, chunk: String),
        finish_intake(intake: u32, is_error: bool),
        drop_intake(intake: u32),
        pin(session: String, id: String, pinned: bool),
        forget(session: String, id: String),
        status(),
        sweep(max_entries: u32, more: String),
        check(repair: bool, max_bytes: u32, more: String),
    }
    tools "tools" {
        open_catalog(snapshot: String),
        assemble(catalog: u32, settings: String),
        invoke_bridge(catalog: u32, name: String, arguments: String, conversation: String),
        drop_catalog(catalog: u32),
    }
}

fn told(answer: Answer) -> String {
    answer.unwrap_or_else(|failure| json!({ "error": value(failure) }).to_string())
}

/// Resources that live in the instance under a number.
struct Slots<T> {
    /// What a number that names nothing is refused with.
    missing: &'static str,
    last: u32,
    /// In the order of their numbers.
    open: Vec<(u32, T)>,
}

impl<T> Slots<T> {
    const fn new(missing: &'static str) -> Slots<T> {
        Slots { missing, last: 0, open: Vec::new() }
    }

    fn add(&mut self, one: T) -> u32 {
        self.last += 1;
        self.open.push((self.last, one));
        self.last
    }

    fn get(&self, number: u32) -> Result<&T, Failure> {
        match self.place(number) {
            Some(place) => Ok(&self.open[place].1),
            None => Err(not_open(self.missing, number)),
        }
    }

    fn take(&mut self, number: u32) -> Result<T, Failure> {
        match self.place(number) {
            Some(place) => Ok(self.open.remove(place).1),
            None => Err(not_open(self.missing, number)),
        }
    }

    fn place(&self, number: u32) -> Option<usize> {
        self.open.binary_search_by_key(&number, |open| open.0).ok()
    }
}

fn not_open(code: &str, number: u32) -> Failure {
    failure(code, format!("nothing is open under the number {number} in this instance"))
}

/// Reads an argument.
fn read<'a, T: serde::Deserialize<'a>>(argument: &str, text: &'a str) -> Result<T, Failure> {
    if text.trim_start().starts_with('[') {
        return Err(bad(argument, "must be an object, is a list"));
    }
    serde_json::from_str(text).map_err(|error| bad(argument, &sentence(&error)))
}

fn bad(argument: &str, why: &str) -> Failure {
    Failure {
        argument: Some(argument.to_owned()),
        ..failure("bad-json", format!("{argument}: {why}"))
    }
}

/// Why a text was not read, in the words of JSON.
fn sentence(error: &serde_json::Error) -> String {
    let said = error.to_string();
    if !error.is_data() {
        let is_deep = said.starts_with("recursion limit");
        let what = if is_deep { "nested more than 127 levels deep" } else { "not JSON" };
        return format!("{what}: {said}");
    }
    let mut said = said.replace("duplicate field", "there twice, send it once:");
    for (of_rust, of_json) in [
        ("u32", "a whole number"),
        ("a borrowed string", "a string"),
        ("sequence", "list"),
        ("unit value", "null"),
        (" struct ", " an object for "),
    ] {
        said = said.replace(of_rust, of_json);
    }
    said
}

/// Prints a record of the contract.
fn print(record: impl Serialize) -> String {
    value(record).to_string()
}

/// A record of the contract as JSON.
fn value(record: impl Serialize) -> Value {
    camel(serde_json::to_value(record).unwrap_or_default())
}

/// Names in camel case, and no fields that are unset. As deep as the contract's records are.
fn camel(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(camel).collect(),
        Value::Object(fields) => {
            // Not collected: that would bring a sort of its own.
            let mut named = Map::new();
            for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_null()) {
                named.insert(camel_name(&name), camel(value));
            }
            Value::Object(named)
        }
        other => other,
    }
}

fn camel_name(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut name, part| {
        let mut letters = part.chars();
        name.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        name + letters.as_str()
    })
}

/// An object with one more member, whose value is JSON text.
fn with(object: &Value, name: &str, json: &str) -> String {
    match object.to_string().strip_prefix('{') {
        Some("}") | None => format!("{{\"{name}\":{json}}}"),
        Some(rest) => format!("{{\"{name}\":{json},{rest}"),
    }
}

/// A result of MCP's `tools/call` with one text.
fn text_result(text: &str, is_error: bool) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": is_error })
}

/// A tool as MCP's `tools/list` has it. A schema that is not JSON is left out.
fn mcp_tool(tool: crate::abi::exports::weir::plugin::types::ModelTool) -> String {
    let about = json!({ "name": tool.name, "description": tool.description });
    let annotated = match tool.annotations.as_str() {
        "" | "{}" => about.to_string(),
        annotations => with(&about, "annotations", annotations),
    };
    let schema = tool.input_schema.trim();
    let is_json = serde_json::from_str::<&serde_json::value::RawValue>(schema).is_ok();
    let schema = if is_json { schema } else { r#"{"type":"object"}"# };
    format!("{},\"inputSchema\":{schema}}}", annotated.strip_suffix('}').unwrap_or(&annotated))
}
