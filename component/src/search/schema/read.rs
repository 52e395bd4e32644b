//! What a schema says: its types, its parameters, where its references lead.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::content::unescape::percent_decoded;

/// What a reference inside a schema leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference<'a> {
    /// A place in the same schema.
    Local(&'a Value),
    /// A place in the same schema that is not there.
    Missing,
    /// Somewhere else, which is never fetched.
    External,
}

/// Follows `$ref` within its own schema: `#` or `#/a/b`.
pub fn follow<'a>(root: &'a Value, reference: &str) -> Reference<'a> {
    match reference.strip_prefix('#') {
        Some("") => Reference::Local(root),
        Some(pointer) if pointer.starts_with('/') => {
            let found = root.pointer(pointer).or_else(|| root.pointer(&percent_decoded(pointer)));
            found.map_or(Reference::Missing, Reference::Local)
        }
        // A plain-name anchor is local too, but nobody writes them; it is not looked for.
        _ => Reference::External,
    }
}

/// The types a schema allows by its `type` and OpenAPI's `nullable`; `None` when it names none.
pub fn types(schema: &Value) -> Option<Vec<&str>> {
    let mut types: Vec<&str> = match schema.get("type")? {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    if types.is_empty() {
        return None;
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) && !types.contains(&"null") {
        types.push("null");
    }
    Some(types)
}

/// The parameters of a schema's top level: name, schema, whether required. Required ones come
/// first in the order of `required`, the others by name. What a local `$ref` or `allOf` at the top
/// adds is included.
pub fn parameters(root: &Value) -> Vec<(&str, &Value, bool)> {
    let mut properties: BTreeMap<&str, &Value> = Default::default();
    let mut required: Vec<&str> = Vec::new();
    let mut known_required: BTreeSet<&str> = BTreeSet::new();
    let mut pending = vec![root];
    // More parts than this are not what people write; each is looked at once, so circles end.
    const MAX_PARTS: usize = 32;
    let mut seen: Vec<&Value> = Vec::new();
    while let Some(part) = pending.pop() {
        if seen.len() == MAX_PARTS || seen.iter().any(|known| std::ptr::eq(*known, part)) {
            continue;
        }
        seen.push(part);
        if let Some(found) = part.get("properties").and_then(Value::as_object) {
            for (name, schema) in found {
                properties.entry(name).or_insert(schema);
            }
        }
        for name in part.get("required").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = name.as_str()
                && known_required.insert(name)
            {
                required.push(name);
            }
        }
        if let Some(reference) = part.get("$ref").and_then(Value::as_str)
            && let Reference::Local(target) = follow(root, reference)
        {
            pending.push(target);
        }
        for inner in part.get("allOf").and_then(Value::as_array).into_iter().flatten().rev() {
            pending.push(inner);
        }
    }
    let mut parameters: Vec<(&str, &Value, bool)> = Vec::with_capacity(properties.len());
    for name in &required {
        parameters.push((name, properties.get(name).copied().unwrap_or(&Value::Null), true));
    }
    for (name, schema) in properties {
        if !known_required.contains(name) {
            parameters.push((name, schema, false));
        }
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_stay_inside_their_schema() {
        let root = json!({"$defs": {"a b": {"type": "string"}}});
        assert_eq!(follow(&root, "#"), Reference::Local(&root));
        assert_eq!(follow(&root, "#/$defs/a%20b"), Reference::Local(&root["$defs"]["a b"]));
        assert_eq!(follow(&root, "#/$defs/c"), Reference::Missing);
        assert_eq!(follow(&root, "https://example.com/schema.json"), Reference::External);
        assert_eq!(follow(&root, "file:///etc/passwd"), Reference::External);
    }

    #[test]
    fn parameters_come_required_first_and_cycles_end() {
        let root = json!({
            "properties": {"z": {"type": "string"}, "a": {}, "m": {}},
            "required": ["z", "gone"],
            "allOf": [{"$ref": "#"}, {"properties": {"n": {}}, "required": ["n"]}],
        });
        let names: Vec<_> = parameters(&root).into_iter().map(|(n, _, r)| (n, r)).collect();
        assert_eq!(names, [("z", true), ("gone", true), ("n", true), ("a", false), ("m", false)]);
    }
}
