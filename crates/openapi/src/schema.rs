//! Schemas of a description as JSON Schema for a tool: known keywords only, references as `$defs`, bounded.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use weir_base::clip;

use crate::document::{Document, list, text};

/// Bytes of what a tool's references lead to. What is further away takes any value.
const DEFINITIONS_BYTES: usize = 32 << 10;

/// Levels within one schema; below, any value is taken.
const DEPTH: usize = 40;

/// Characters of the description of one value.
const DESCRIPTION_CHARS: usize = 600;

/// Values of an enumeration, and their bytes. A longer one is only described.
const ENUM_VALUES: usize = 200;
const ENUM_BYTES: usize = 4_000;

/// Keywords with a text, a number, a flag.
const TEXTS: [&str; 3] = ["title", "format", "pattern"];
const NUMBERS: [&str; 11] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];
const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// An object's members, where nothing else decides which it may have.
#[derive(Default)]
pub(crate) struct Members<'d> {
    pub(crate) properties: Vec<(&'d str, &'d Value)>,
    pub(crate) required: Vec<&'d str>,
}

/// The schemas of one tool.
pub(crate) struct Schemas<'d> {
    document: &'d Document,
    /// The name of what a reference leads to, and the references in the order in which they were met.
    names: HashMap<String, String>,
    order: Vec<String>,
}

impl<'d> Schemas<'d> {
    pub(crate) fn new(document: &'d Document) -> Schemas<'d> {
        Schemas { document, names: HashMap::new(), order: Vec::new() }
    }

    /// The members of an object's schema; `None` where it is something else, or takes further members.
    pub(crate) fn members(&self, schema: &'d Value, depth: usize) -> Option<Members<'d>> {
        let schema = self.document.follow(schema).filter(|_| depth < 8)?;
        let object = schema.as_object()?;
        let decides = ["oneOf", "anyOf", "not", "if", "patternProperties"];
        let is_open = schema.get("additionalProperties").is_some_and(|more| *more != json!(false));
        let kind = text(schema, "type");
        if is_open || decides.iter().any(|key| object.contains_key(*key)) {
            return None;
        }
        let mut members = Members::default();
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            let properties = properties.iter().map(|(name, schema)| (name.as_str(), schema));
            members.properties.extend(properties.filter(|(_, schema)| !self.is_answered(schema)));
        } else if kind.is_some_and(|kind| kind != "object") || !object.contains_key("allOf") {
            return None;
        }
        members.required.extend(list(schema, "required").iter().filter_map(Value::as_str));
        for part in list(schema, "allOf") {
            let part = self.members(part, depth + 1)?;
            members.properties.extend(part.properties);
            members.required.extend(part.required);
        }
        Some(members)
    }

    /// Whether a member is only in answers.
    fn is_answered(&self, schema: &Value) -> bool {
        let own = |schema: &Value| schema.get("readOnly") == Some(&Value::Bool(true));
        own(schema) || self.document.follow(schema).is_some_and(own)
    }

    /// A schema as a tool's. What is of a wrong type in it is left out.
    pub(crate) fn convert(&mut self, schema: &Value, depth: usize) -> Value {
        let Some(object) = schema.as_object().filter(|_| depth < DEPTH) else {
            return if schema.is_boolean() { schema.clone() } else { json!({}) };
        };
        let mut out = Map::new();
        if let Some(reference) = object.get("$ref").and_then(Value::as_str) {
            if let Some(name) = self.name_of(reference) {
                out.insert("$ref".into(), format!("#/$defs/{name}").into());
            }
        } else {
            self.keywords(object, &mut out, depth + 1);
        }
        if let Some(said) = object.get("description").and_then(Value::as_str) {
            let more = out.remove("description");
            let more = more.as_ref().and_then(Value::as_str).unwrap_or_default();
            let said = format!("{} {more}", clip(said.trim(), DESCRIPTION_CHARS));
            out.insert("description".into(), said.trim().into());
        }
        Value::Object(out)
    }

    fn keywords(
        &mut self,
        object: &Map<String, Value>,
        out: &mut Map<String, Value>,
        depth: usize,
    ) {
        for (key, value) in object {
            let value = match (key.as_str(), value) {
                (key, Value::String(_)) if TEXTS.contains(&key) => value.clone(),
                (key, Value::Number(_)) if NUMBERS.contains(&key) => value.clone(),
                ("default" | "const", _) => value.clone(),
                ("uniqueItems", Value::Bool(_)) => value.clone(),
                ("properties" | "patternProperties", Value::Object(members)) => {
                    let members = members.iter().filter(|(_, schema)| !self.is_answered(schema));
                    let members: Vec<_> = members.collect();
                    let convert = |(name, schema): (&String, &Value)| {
                        (name.clone(), self.convert(schema, depth))
                    };
                    Value::Object(members.into_iter().map(convert).collect())
                }
                ("required", Value::Array(names)) => {
                    let answered = |name: &str| {
                        let member = object.get("properties").and_then(|all| all.get(name));
                        member.is_some_and(|schema| self.is_answered(schema))
                    };
                    let names =
                        names.iter().filter(|name| name.as_str().is_some_and(|it| !answered(it)));
                    names.cloned().collect()
                }
                ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas))
                    if !schemas.is_empty() =>
                {
                    schemas.iter().map(|schema| self.convert(schema, depth)).collect()
                }
                (
                    "items" | "additionalProperties" | "not" | "contains",
                    Value::Object(_) | Value::Bool(_),
                ) => self.convert(value, depth),
                _ => continue,
            };
            out.insert(key.clone(), value);
        }
        types(object, out);
        enumeration(object, out);
        bounds(object, out);
    }

    /// The name under which a tool has what a reference leads to.
    fn name_of(&mut self, reference: &str) -> Option<String> {
        if let Some(name) = self.names.get(reference) {
            return Some(name.clone());
        }
        self.document.at(reference)?;
        let last = reference.rsplit('/').next().unwrap_or_default();
        let plain = plain_name(last, 60);
        let is_taken = |name: &String| self.names.values().any(|known| known == name);
        let name = (1..).map(|n| if n == 1 { plain.clone() } else { format!("{plain}_{n}") });
        let name = name.into_iter().find(|name| !is_taken(name))?;
        self.names.insert(reference.to_owned(), name.clone());
        self.order.push(reference.to_owned());
        Some(name)
    }

    /// What all references lead to, the nearest first; further ones take any value once there is too much.
    pub(crate) fn definitions(mut self) -> Map<String, Value> {
        let (mut out, mut bytes, mut at) = (Map::new(), 0, 0);
        while let Some(reference) = self.order.get(at).cloned() {
            at += 1;
            let schema = self.document.at(&reference).filter(|_| bytes < DEFINITIONS_BYTES);
            let before = self.order.len();
            let mut schema = schema.map_or(json!({}), |schema| self.convert(schema, 0));
            let size = schema.to_string().len();
            if bytes + size > DEFINITIONS_BYTES {
                // What it refers to is not needed.
                for dropped in self.order.drain(before..) {
                    self.names.remove(&dropped);
                }
                schema = json!({});
            } else {
                bytes += size;
            }
            out.insert(self.names[&reference].clone(), schema);
        }
        out
    }
}

/// The type, where it is one that JSON Schema has. `nullable` is how OpenAPI 3.0 says that `null` is one too.
fn types(object: &Map<String, Value>, out: &mut Map<String, Value>) {
    let known = |kind: &str| TYPES.contains(&kind);
    let mut types: Vec<&str> = match object.get("type") {
        Some(Value::String(kind)) if known(kind) => vec![kind],
        Some(Value::String(kind)) if kind == "file" => vec!["string"],
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).filter(|kind| known(kind)).collect()
        }
        _ => return,
    };
    if object.get("nullable") == Some(&Value::Bool(true)) && !types.contains(&"null") {
        types.push("null");
    }
    match &*types {
        [] => None,
        [one] => out.insert("type".into(), (*one).into()),
        _ => out.insert("type".into(), types.into()),
    };
}

fn enumeration(object: &Map<String, Value>, out: &mut Map<String, Value>) {
    let Some(values) = object.get("enum").and_then(Value::as_array).filter(|it| !it.is_empty())
    else {
        return;
    };
    if values.len() <= ENUM_VALUES && json!(values).to_string().len() <= ENUM_BYTES {
        let mut values = values.clone();
        if object.get("nullable") == Some(&Value::Bool(true)) && !values.contains(&Value::Null) {
            values.push(Value::Null);
        }
        out.insert("enum".into(), values.into());
    } else {
        let some: Vec<String> = values.iter().take(5).map(Value::to_string).collect();
        let some = clip(&some.join(", "), 200);
        out.insert(
            "description".into(),
            format!("(One of {} values, such as {some}.)", values.len()).into(),
        );
    }
}

/// A flag beside a bound is how OpenAPI 3.0 says that the bound itself is not meant.
fn bounds(object: &Map<String, Value>, out: &mut Map<String, Value>) {
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if object.get(flag) == Some(&Value::Bool(true))
            && let Some(value) = out.remove(bound)
        {
            out.insert(flag.into(), value);
        }
    }
}

/// A text as a name of a tool or of an argument: letters, digits, `_`, `-` and `.`.
pub(crate) fn plain_name(text: &str, most: usize) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            _ if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') => name.push(c),
            _ if !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    let name = name.trim_matches('_');
    let name = &name[..name.len().min(most)];
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}
