//! The words of a JSON Schema: names, descriptions and allowed values of its properties.
//!
//! Read in one pass without building the document: most of a schema is not text to search.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::search::text::clean::first_chars;

/// How many levels of properties inside properties are read, the first not counted.
const DEPTH: u32 = 4;
/// Characters of one description that count.
const DESCRIPTION_MAX_CHARS: usize = 300;
/// Values of one parameter that count, and characters of one value.
const VALUES_MAX: usize = 20;
const VALUE_MAX_CHARS: usize = 100;
/// Characters of all names, all descriptions, all values.
const TEXT_MAX_CHARS: usize = 2_000;
/// Parameters of one schema that are read, at all levels.
const PARAMETERS_MAX: usize = 500;

/// Text by kind, each a string with spaces between.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SchemaText {
    /// Names of parameters.
    pub names: String,
    /// What the parameters are for.
    pub descriptions: String,
    /// Values a parameter is limited to.
    pub values: String,
}

/// The text of `schema`. What is no JSON has none.
pub fn schema_text(schema: &str) -> SchemaText {
    let mut text = SchemaText::default();
    if schema.is_empty() {
        return text;
    }
    let mut json = serde_json::Deserializer::from_str(schema);
    if let Ok(Some(node)) = (Seed { depth: 0 }).deserialize(&mut json) {
        let mut left = PARAMETERS_MAX;
        collect(node, &mut text, &mut left);
    }
    for part in [&mut text.names, &mut text.descriptions, &mut text.values] {
        part.truncate(first_chars(part, TEXT_MAX_CHARS).len());
    }
    text
}

/// A schema, as far as it has text.
#[derive(Default)]
struct Node {
    description: Option<String>,
    values: Vec<String>,
    properties: Vec<(String, Option<Node>)>,
    items: Option<Box<Node>>,
}

fn collect(node: Node, text: &mut SchemaText, left: &mut usize) {
    for (name, property) in node.properties {
        if *left == 0 {
            return;
        }
        *left -= 1;
        append(&mut text.names, &name);
        let Some(mut property) = property else { continue };
        if let Some(description) = property.description.take() {
            append(&mut text.descriptions, &description);
        }
        for value in property.values.drain(..) {
            append(&mut text.values, &value);
        }
        let items = property.items.take();
        collect(property, text, left);
        if let Some(items) = items {
            collect(*items, text, left);
        }
    }
}

fn append(text: &mut String, word: &str) {
    if text.len() < 4 * TEXT_MAX_CHARS {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
}

/// Reads a schema; `None` for what is no object.
#[derive(Clone, Copy)]
struct Seed {
    depth: u32,
}

/// Reads the properties of a schema; empty for what is no object.
struct Properties {
    depth: u32,
}

/// Reads a list of values; empty for what is no list.
struct Values;

/// Reads the first characters of a scalar as text; `None` for what is none.
struct Scalar {
    max_chars: usize,
}

/// A keyword of a schema that has text behind it. Read without a copy: schemas have many keywords.
#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Key {
    Description,
    Enum,
    Properties,
    Items,
    #[serde(other)]
    Other,
}

macro_rules! ignore_scalars {
    () => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON")
        }
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
}

macro_rules! ignore_seq {
    () => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

macro_rules! ignore_map {
    () => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

macro_rules! any {
    ($seed:ty, $value:ty) => {
        impl<'de> DeserializeSeed<'de> for $seed {
            type Value = $value;
            fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
                json.deserialize_any(self)
            }
        }
    };
}

any!(Seed, Option<Node>);
any!(Properties, Vec<(String, Option<Node>)>);
any!(Values, Vec<String>);
any!(Scalar, Option<String>);

impl<'de> Visitor<'de> for Seed {
    type Value = Option<Node>;
    ignore_scalars!();
    ignore_seq!();

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut node = Node::default();
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Description => {
                    let text = Scalar { max_chars: DESCRIPTION_MAX_CHARS };
                    node.description = map.next_value_seed(text)?;
                }
                Key::Enum => node.values = map.next_value_seed(Values)?,
                Key::Properties if self.depth <= DEPTH => {
                    node.properties = map.next_value_seed(Properties { depth: self.depth })?;
                }
                // A list's items are a level of their own, as a property is.
                Key::Items if self.depth <= DEPTH => {
                    node.items = map.next_value_seed(self)?.map(Box::new);
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(node))
    }
}

impl<'de> Visitor<'de> for Properties {
    type Value = Vec<(String, Option<Node>)>;
    ignore_scalars!();
    ignore_seq!();

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut properties = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if properties.len() < PARAMETERS_MAX {
                let property = map.next_value_seed(Seed { depth: self.depth + 1 })?;
                properties.push((name, property));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(properties)
    }
}

impl<'de> Visitor<'de> for Values {
    type Value = Vec<String>;
    ignore_scalars!();
    ignore_map!();

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while values.len() < VALUES_MAX {
            match seq.next_element_seed(Scalar { max_chars: VALUE_MAX_CHARS })? {
                Some(value) => values.extend(value),
                None => return Ok(values),
            }
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(values)
    }
}

impl<'de> Visitor<'de> for Scalar {
    type Value = Option<String>;
    ignore_seq!();
    ignore_map!();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }
    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Some(value.to_string()))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Some(value.to_string()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Some(value.to_string()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Some(value.to_string()))
    }
    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Some(first_chars(value, self.max_chars).to_owned()))
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::schema_text;

    #[test]
    fn names_descriptions_and_values_come_in_the_order_of_the_properties() {
        let text = schema_text(
            r#"{"type":"object","properties":{
                "state":{"enum":["open","closed",3,null],"description":"which ones"},
                "filter":{"properties":{"author":{"type":"string"}},"description":"narrow it"},
                "labels":{"type":"array","items":{"properties":{"color":{"description":"hex"}}}},
                "odd":true, "odder":[1,{"properties":{"no":{}}}]}}"#,
        );
        assert_eq!(text.names, "state filter author labels color odd odder");
        assert_eq!(text.descriptions, "which ones narrow it hex");
        assert_eq!(text.values, "open closed 3");
    }

    #[test]
    fn what_is_no_schema_has_no_text() {
        for schema in ["", "3", "null", "[]", "{", "{\"properties\":7}", "{\"properties\":[1]}"] {
            assert_eq!(schema_text(schema), super::SchemaText::default(), "{schema}");
        }
    }

    #[test]
    fn nesting_without_end_is_refused_by_the_reader_not_by_the_stack() {
        let deep = "{\"properties\":{\"a\":".repeat(100_000);
        assert_eq!(schema_text(&deep), super::SchemaText::default());
        let closed = format!("{}1{}", "{\"items\":".repeat(60), "}".repeat(60));
        assert_eq!(schema_text(&closed), super::SchemaText::default());
    }

    #[test]
    fn a_schema_of_any_size_gives_bounded_text() {
        let many: Vec<String> = (0..10_000)
            .map(|n| format!("\"parameter_{n}\":{{\"description\":\"{}\"}}", "long ".repeat(100)))
            .collect();
        let text = schema_text(&format!("{{\"properties\":{{{}}}}}", many.join(",")));
        assert!(text.names.len() <= 2_000 && text.descriptions.len() <= 2_000);
    }
}
