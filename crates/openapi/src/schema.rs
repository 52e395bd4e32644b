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

/// Values of an enumeration. A longer one is only described.
const ENUM_VALUES: usize = 200;

/// Keywords whose values are plain, and those that hold schemas.
const PLAIN: &str = "type title format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength \
    maxLength minItems maxItems minProperties maxProperties uniqueItems";
const LISTS: &str = "allOf anyOf oneOf prefixItems";
const SCHEMAS: &str = "items additionalProperties not contains";

/// The schemas of one tool.
pub(crate) struct Schemas<'d> {
    pub(crate) document: &'d Document,
    /// The name of what a reference leads to, and the references in the order in which they were met.
    names: HashMap<String, String>,
    order: Vec<String>,
}

/// An object's members, and the names of those that it needs.
pub(crate) type Members<'v> = (Vec<(&'v str, &'v Value)>, Vec<&'v str>);

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

impl Document {
    /// The members of an object's schema; `None` where it is something else, or takes further members.
    pub(crate) fn members<'v>(&'v self, schema: &'v Value, depth: usize) -> Option<Members<'v>> {
        let schema = self.follow(schema).filter(|_| depth < 8)?;
        let is_open = schema.get("additionalProperties").is_some_and(|more| *more != json!(false));
        let decides = |key: &String| is_in("oneOf anyOf not if patternProperties", key);
        let own = schema.get("properties").and_then(Value::as_object);
        let parts = list(schema, "allOf");
        if is_open || schema.as_object()?.keys().any(decides) || own.is_none() && parts.is_empty() {
            return None;
        }
        let own = own.into_iter().flatten().filter(|(_, schema)| !self.is_answered(schema));
        let mut members: Vec<_> = own.map(|(name, schema)| (name.as_str(), schema)).collect();
        let mut required: Vec<_> =
            list(schema, "required").iter().filter_map(Value::as_str).collect();
        for part in parts {
            let (more, needed) = self.members(part, depth + 1)?;
            members.extend(more);
            required.extend(needed);
        }
        Some((members, required))
    }

    /// Whether a member is only in answers.
    fn is_answered(&self, schema: &Value) -> bool {
        let own = |schema: &Value| schema.get("readOnly") == Some(&json!(true));
        own(schema) || self.follow(schema).is_some_and(own)
    }
}

impl<'d> Schemas<'d> {
    pub(crate) fn new(document: &'d Document) -> Schemas<'d> {
        Schemas { document, names: HashMap::new(), order: Vec::new() }
    }

    /// A schema as a tool's. What is of a wrong type in it is left out.
    pub(crate) fn convert(&mut self, schema: &Value, depth: usize) -> Value {
        let Some(object) = schema.as_object().filter(|_| depth < DEPTH) else {
            return if schema.is_boolean() { schema.clone() } else { json!({}) };
        };
        let mut out = Map::new();
        for (key, value) in object {
            let value = match (key.as_str(), value) {
                ("$ref", Value::String(reference)) => match self.name_of(reference) {
                    Some(name) => format!("#/$defs/{name}").into(),
                    None => continue,
                },
                ("description", Value::String(said)) => clip(said.trim(), DESCRIPTION_CHARS).into(),
                ("default" | "const", _) => value.clone(),
                ("type", Value::Array(kinds)) if !kinds.is_empty() => value.clone(),
                ("type", Value::String(kind)) if kind == "file" => "string".into(),
                ("enum", Value::Array(values)) if (1..=ENUM_VALUES).contains(&values.len()) => {
                    value.clone()
                }
                ("required", Value::Array(names)) => {
                    let member = |name: &Value| object.get("properties")?.get(name.as_str()?);
                    let needed = |name: &&Value| {
                        name.is_string()
                            && !member(name).is_some_and(|it| self.document.is_answered(it))
                    };
                    names.iter().filter(needed).cloned().collect()
                }
                ("properties" | "patternProperties", Value::Object(members)) => {
                    let mut kept = Map::new();
                    for (name, schema) in members {
                        if !self.document.is_answered(schema) {
                            kept.insert(name.clone(), self.convert(schema, depth + 1));
                        }
                    }
                    kept.into()
                }
                (key, Value::Array(schemas)) if is_in(LISTS, key) && !schemas.is_empty() => {
                    schemas.iter().map(|schema| self.convert(schema, depth + 1)).collect()
                }
                (key, Value::Object(_) | Value::Bool(_)) if is_in(SCHEMAS, key) => {
                    self.convert(value, depth + 1)
                }
                (key, Value::String(_) | Value::Number(_) | Value::Bool(_))
                    if is_in(PLAIN, key) =>
                {
                    value.clone()
                }
                _ => continue,
            };
            out.insert(key.clone(), value);
        }
        older(object, &mut out);
        Value::Object(out)
    }

    /// The name under which a tool has what a reference leads to.
    fn name_of(&mut self, reference: &str) -> Option<String> {
        if let Some(name) = self.names.get(reference) {
            return Some(name.clone());
        }
        self.document.at(reference)?;
        let mut name = plain_name(reference.rsplit('/').next().unwrap_or_default(), 60);
        while self.names.values().any(|known| *known == name) {
            name = format!("{name}_{}", self.names.len());
        }
        self.names.insert(reference.to_owned(), name.clone());
        self.order.push(reference.to_owned());
        Some(name)
    }

    /// What all references lead to, the nearest first; further ones take any value once there is enough.
    pub(crate) fn definitions(mut self) -> Map<String, Value> {
        let (mut out, mut bytes, mut at) = (Map::new(), 0, 0);
        while let Some(reference) = self.order.get(at).cloned() {
            let schema = self.document.at(&reference).filter(|_| bytes < DEFINITIONS_BYTES);
            let schema = schema.map_or(json!({}), |schema| self.convert(schema, 0));
            bytes += schema.to_string().len();
            out.insert(self.names[&reference].clone(), schema);
            at += 1;
        }
        out
    }
}

/// What OpenAPI 3.0 says otherwise than JSON Schema, and an enumeration that is too long.
fn older(object: &Map<String, Value>, out: &mut Map<String, Value>) {
    let is = |key: &str| object.get(key) == Some(&json!(true));
    if is("nullable")
        && let Some(kind) = out.get("type").filter(|kind| kind.is_string()).cloned()
    {
        out.insert("type".into(), json!([kind, "null"]));
        if let Some(values) = out.get_mut("enum").and_then(Value::as_array_mut) {
            values.push(Value::Null);
        }
    }
    // A flag beside a bound says that the bound itself is not meant.
    for (flag, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if out.get(flag).is_some_and(Value::is_boolean) {
            out.remove(flag);
            if let Some(value) = is(flag).then(|| out.remove(bound)).flatten() {
                out.insert(flag.into(), value);
            }
        }
    }
    if let Some(values) = object.get("enum").and_then(Value::as_array)
        && values.len() > ENUM_VALUES
    {
        let some = clip(&json!(values[..5]).to_string(), 200);
        let said = out.get("description").and_then(Value::as_str).unwrap_or_default();
        let said = format!("{said} (One of {} values, such as {some}.)", values.len());
        out.insert("description".into(), said.trim().into());
    }
}

/// A text as a name of a tool or of an argument: letters, digits, `_`, `-` and `.`.
pub(crate) fn plain_name(text: &str, most: usize) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let parts = text.split(|c: char| !is_plain(c)).filter(|part| !part.is_empty());
    let mut name = parts.collect::<Vec<_>>().join("_");
    name.truncate(most);
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

/// A text that is there and says something, as far as it is taken.
pub(crate) fn said(value: &Value, key: &str, most: usize) -> Option<String> {
    let said = text(value, key).map(str::trim).filter(|text| !text.is_empty())?;
    Some(clip(said, most))
}
