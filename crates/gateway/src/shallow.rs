//! A long schema as a search needs it: parameters, their types and what they are for, two levels deep.
//!
//! It accepts all that the whole schema accepts, so that nothing is refused by it that is right. What was cut is
//! marked in a way that signatures show. Calls are checked against the whole schema, which is read for them.

use serde_json::{Map, Value, json};

/// Levels of properties below a parameter that are kept.
const DEPTH: usize = 2;
/// Schemas inside one another that are followed, of whatever kind.
const STEPS: usize = 24;
/// Characters of a parameter's description, and of the values that it is limited to.
const DESCRIPTION_CHARS: usize = 120;
const VALUES_CHARS: usize = 300;
/// Branches of an alternative.
const BRANCHES: usize = 6;

/// How much of a schema is kept; each form is shorter than the one before.
#[derive(Clone, Copy)]
struct Form {
    depth: usize,
    description: usize,
    properties: usize,
}

const FORMS: [Form; 5] = [
    Form { depth: DEPTH, description: DESCRIPTION_CHARS, properties: usize::MAX },
    Form { depth: DEPTH, description: 40, properties: usize::MAX },
    Form { depth: 0, description: 40, properties: usize::MAX },
    Form { depth: 0, description: 0, properties: usize::MAX },
    Form { depth: 0, description: 0, properties: 24 },
];

/// The schema within `bytes` bytes, or as short as there is a form for. One that fits already stays as it is.
pub(crate) fn shallow(schema: &str, bytes: usize) -> String {
    if schema.len() <= bytes {
        return schema.to_owned();
    }
    // Nested too deep to be read: the component does not read it either.
    let Ok(root) = serde_json::from_str::<Value>(schema) else { return "{}".to_owned() };
    let mut text = String::new();
    for form in FORMS {
        text = Cut { root: &root, form }.schema(&root, form.depth + 1, STEPS).to_string();
        if text.len() <= bytes {
            break;
        }
    }
    if text.len() > bytes.max(4_096) {
        return r#"{"type":"object","allOf":[{},{}]}"#.to_owned();
    }
    text
}

struct Cut<'a> {
    root: &'a Value,
    form: Form,
}

/// Something that is left out, in whose place a signature shows that.
fn left_out() -> Value {
    json!({"allOf": [{}, {}]})
}

impl Cut<'_> {
    fn schema(&self, schema: &Value, depth: usize, steps: usize) -> Value {
        let Some(mut map) = schema.as_object() else { return schema.clone() };
        let Some(steps) = steps.checked_sub(1) else { return left_out() };
        for _ in 0..8 {
            let Some(Value::String(reference)) = map.get("$ref") else { break };
            let target = reference.strip_prefix('#').and_then(|path| self.root.pointer(path));
            match target.and_then(Value::as_object) {
                Some(target) => map = target,
                None => return left_out(),
            }
        }
        if map.contains_key("$ref") {
            return left_out();
        }
        let mut cut = Map::new();
        if let Some(text) = map.get("description").and_then(Value::as_str)
            && self.form.description > 0
        {
            let text: String = text.chars().take(self.form.description).collect();
            cut.insert("description".into(), text.into());
        }
        for name in ["type", "nullable", "const"] {
            if let Some(value) = map.get(name).filter(|value| fits(value)) {
                cut.insert(name.into(), value.clone());
            }
        }
        if let Some(values) = map.get("enum").filter(|values| fits(values)) {
            cut.insert("enum".into(), values.clone());
        }
        for name in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = map.get(name) {
                if branches.len() > BRANCHES {
                    return left_out();
                }
                let branches = branches.iter().map(|branch| self.schema(branch, depth, steps));
                // One of several that were cut may fit twice.
                cut.insert("anyOf".into(), branches.collect());
            }
        }
        match map.get("allOf") {
            Some(Value::Array(parts)) if parts.len() == 1 && !map.contains_key("properties") => {
                return self.schema(&parts[0], depth, steps);
            }
            Some(_) => {
                cut.insert("allOf".into(), json!([{}, {}]));
            }
            None => {}
        }
        match map.get("items") {
            Some(items @ Value::Object(_)) if !map.contains_key("prefixItems") => {
                cut.insert("items".into(), self.schema(items, depth, steps));
            }
            Some(_) => drop(cut.insert("items".into(), left_out())),
            None => {}
        }
        let Some(properties) = map.get("properties").and_then(Value::as_object) else {
            if let Some(values @ Value::Object(_)) = map.get("additionalProperties") {
                let values =
                    if depth == 0 { left_out() } else { self.schema(values, depth - 1, steps) };
                if !map.contains_key("patternProperties") {
                    cut.insert("additionalProperties".into(), values);
                }
            }
            return Value::Object(cut);
        };
        if properties.is_empty() {
            return Value::Object(cut);
        }
        if depth == 0 {
            cut.insert("allOf".into(), json!([{}, {}]));
            return Value::Object(cut);
        }
        let required: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let is_required =
            |name: &str| required.binary_search(&name).is_ok() || required.contains(&name);
        // The required ones first, where not all are kept.
        let whole = properties.len() <= self.form.properties;
        let mut kept: Vec<(&String, &Value)> = properties.iter().collect();
        if !whole {
            kept.sort_by_cached_key(|(name, _)| !is_required(name));
            kept.truncate(self.form.properties);
        }
        let kept: Map<String, Value> = kept
            .into_iter()
            .map(|(name, property)| (name.clone(), self.schema(property, depth - 1, steps)))
            .collect();
        let closed = map.get("additionalProperties") == Some(&Value::Bool(false));
        if closed && whole && !map.contains_key("patternProperties") {
            cut.insert("additionalProperties".into(), false.into());
        }
        if !whole {
            cut.insert("allOf".into(), json!([{}, {}]));
            cut.insert("x-left-out".into(), (properties.len() - kept.len()).into());
        }
        if !required.is_empty() {
            let required: Vec<&str> =
                required.into_iter().filter(|name| kept.contains_key(*name)).collect();
            cut.insert("required".into(), required.into());
        }
        cut.insert("properties".into(), Value::Object(kept));
        Value::Object(cut)
    }
}

fn fits(value: &Value) -> bool {
    value.to_string().len() <= VALUES_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Value {
        let properties: Map<String, Value> = (0..60)
            .map(|n| {
                let text = "What this is for, at some length. ".repeat(8);
                let inner = json!({"type": "object", "properties": {"x": {"type": "integer"},
                    "y": {"type": "object", "properties": {"z": {"type": "object", "properties": {"w": {}}}}}}});
                (format!("p{n:02}"), json!({"description": text, "anyOf": [inner, {"$ref": "#/$defs/name"}]}))
            })
            .collect();
        json!({"type": "object", "properties": properties, "required": ["p07"], "additionalProperties": false,
            "$defs": {"name": {"type": "string", "minLength": 3}}})
    }

    #[test]
    fn a_schema_that_fits_stays_and_a_long_one_keeps_its_parameters() {
        let schema = wide().to_string();
        assert_eq!(shallow(&schema, schema.len()), schema);
        let mut before = schema.len();
        for bytes in [16_000, 9_000, 6_000, 3_000] {
            let cut = shallow(&schema, bytes);
            assert!(cut.len() <= bytes && cut.len() < before, "{bytes}: {}", cut.len());
            before = cut.len();
            let cut: Value = serde_json::from_str(&cut).unwrap();
            assert_eq!(cut["required"], json!(["p07"]));
            assert!(cut["properties"]["p07"]["anyOf"][1]["type"] == "string");
        }
    }

    #[test]
    fn nothing_in_it_refuses_what_the_whole_schema_accepts() {
        let schema = json!({"type": "object", "additionalProperties": false,
        "patternProperties": {"^x-": {}}, "properties": {
            "a": {"enum": (0..200).map(|n| format!("value {n}")).collect::<Vec<_>>()},
            "b": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
            "c": {"$ref": "#/properties/c"}, "d": {"$ref": "https://example.org/x"},
            "e": {"type": "array", "items": {"type": "object", "properties": {"f": {"type": "object",
                "properties": {"g": {"type": "object", "properties": {"h": {}}}}}}}},
        }});
        let cut: Value = serde_json::from_str(&shallow(&schema.to_string(), 1_000)).unwrap();
        assert_eq!(cut.get("additionalProperties"), None, "other names fit the pattern");
        assert_eq!(cut["properties"]["a"], json!({}));
        assert!(cut["properties"]["b"].get("oneOf").is_none());
        for name in ["c", "d"] {
            assert_eq!(cut["properties"][name], left_out());
        }
        let inner = &cut["properties"]["e"]["items"]["properties"]["f"];
        assert_eq!(inner["properties"]["g"]["allOf"], json!([{}, {}]), "{inner}");
    }

    #[test]
    fn what_explodes_or_cannot_be_read_has_a_short_form() {
        let mut branches = json!({"type": "string"});
        for _ in 0..20 {
            branches = json!({"anyOf": [branches.clone(), branches.clone()]});
            if branches.to_string().len() > 200_000 {
                break;
            }
        }
        let schema = json!({"type": "object", "properties": {"a": branches}}).to_string();
        assert!(shallow(&schema, 2_000).len() < 5_000);
        assert_eq!(shallow("{\"a\":", 2), "{}");
    }
}
