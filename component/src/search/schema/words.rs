//! The words of a JSON Schema: names, descriptions and allowed values of its properties.

use std::borrow::Cow;

use serde::Deserialize as _;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use crate::search::schema::parts::{members_of_json, string};
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
    let mut reader = serde_json::Deserializer::from_str(schema);
    match IgnoredAny::deserialize(&mut reader) {
        Ok(_) => text_of_json(schema),
        Err(_) => SchemaText::default(),
    }
}

/// The same of what is known to be JSON, or empty.
pub(crate) fn text_of_json(schema: &str) -> SchemaText {
    let mut text = SchemaText::default();
    let mut left = PARAMETERS_MAX;
    level(&members_of_json(schema).unwrap_or_default(), DEPTH, &mut text, &mut left);
    for part in [&mut text.names, &mut text.descriptions, &mut text.values] {
        part.truncate(first_chars(part, TEXT_MAX_CHARS).len());
    }
    text
}

/// Adds the text of a schema's properties and of its items, so many levels deep.
fn level(schema: &[(Cow<'_, str>, &str)], depth: u32, text: &mut SchemaText, left: &mut usize) {
    let at = |keyword| member(schema, keyword).and_then(members_of_json).unwrap_or_default();
    for (name, property) in at("properties") {
        if *left == 0 {
            return;
        }
        *left -= 1;
        append(&mut text.names, &name);
        let Some(property) = members_of_json(property) else { continue };
        let description = member(&property, "description");
        if let Some(description) = description.and_then(|raw| scalar(raw, DESCRIPTION_MAX_CHARS)) {
            append(&mut text.descriptions, &description);
        }
        let values = member(&property, "enum").map(serde_json::from_str::<Vec<&RawValue>>);
        for value in values.into_iter().flatten().flatten().take(VALUES_MAX) {
            if let Some(value) = scalar(value.get(), VALUE_MAX_CHARS) {
                append(&mut text.values, &value);
            }
        }
        if depth > 0 {
            level(&property, depth - 1, text, left);
        }
    }
    if depth > 0 {
        level(&at("items"), depth - 1, text, left);
    }
}

/// What a schema says under a keyword.
fn member<'a>(schema: &[(Cow<'_, str>, &'a str)], keyword: &str) -> Option<&'a str> {
    schema.iter().rfind(|(key, _)| key == keyword).map(|&(_, raw)| raw)
}

/// The first characters of a scalar; none of `null`, a list and an object.
fn scalar(raw: &str, max_chars: usize) -> Option<Cow<'_, str>> {
    match raw.as_bytes().first()? {
        b'"' => Some(match string(raw)? {
            Cow::Borrowed(text) => first_chars(text, max_chars).into(),
            Cow::Owned(text) => first_chars(&text, max_chars).to_owned().into(),
        }),
        b'n' | b'[' | b'{' => None,
        _ => Some(raw.into()),
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
