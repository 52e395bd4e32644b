//! A schema in one line: what to pass, in the manner of TypeScript.
//!
//! `(owner: string, repo: string, state?: "open"|"closed", labels?: string[])`: required
//! parameters first, enums inline, `{..}` where objects are nested deeper than is shown. It is a
//! sixth of the schema's size on real tools, and enough for most calls.

use serde_json::Value;

use crate::search::schema::read::{Reference, follow, parameters, types};
use crate::search::text::clean;

/// How much a signature says, from the most to the least.
#[derive(Debug, Clone, Copy)]
struct Level {
    /// Objects shown one inside the other.
    depth: usize,
    /// Values shown of an enum.
    enum_values: usize,
    /// Whether optional parameters have their types.
    optional_types: bool,
}

const LEVELS: [Level; 4] = [
    Level { depth: 2, enum_values: 24, optional_types: true },
    Level { depth: 1, enum_values: 6, optional_types: true },
    Level { depth: 1, enum_values: 6, optional_types: false },
    Level { depth: 0, enum_values: 3, optional_types: false },
];

/// References followed one after the other before a type is left unsaid.
const MAX_REFERENCES: usize = 8;

/// The signature of a schema, at most `max_chars` long (and never shorter than `(…)`).
pub fn signature(root: &Value, max_chars: usize) -> String {
    let parameters = parameters(root);
    // A host that keeps a part of a long schema says how many parameters it left out.
    let left_out = root.get("x-left-out").and_then(Value::as_u64).unwrap_or(0);
    for level in LEVELS {
        let mut writer = Writer { root, level, budget: max_chars };
        let mut parts = writer.parts(&parameters);
        // What is left out is said: `…` sends a model to the schema.
        if !level.optional_types && parameters.iter().any(|(.., required)| !required) {
            parts.push("…types".to_owned());
        }
        if left_out > 0 {
            parts.push(format!("…{left_out} more"));
        }
        let text = format!("({})", parts.join(", "));
        if text.chars().count() <= max_chars {
            return text;
        }
    }
    // Even names alone are too long: say as many as fit, and how many are left.
    let level = LEVELS[LEVELS.len() - 1];
    let mut writer = Writer { root, level, budget: max_chars };
    let parts = writer.parts(&parameters);
    let text = fitting(&parts, max_chars, |left| format!("…{} more", left as u64 + left_out));
    if text.chars().count() > max_chars || !text.ends_with(" more)") {
        "(…)".to_owned()
    } else {
        text
    }
}

/// The parameters' names only, `?` on optional ones, at most `max_chars` long.
pub fn outline(root: &Value, max_chars: usize) -> String {
    let name = |(name, _, required): (&str, &Value, bool)| {
        format!("{}{}", property_name(name), if required { "" } else { "?" })
    };
    let names: Vec<String> = parameters(root).into_iter().map(name).collect();
    fitting(&names, max_chars, |_| "…".to_owned())
}

/// As many of the parts as there is room for, and what `more` says of how many are left.
fn fitting(parts: &[String], max_chars: usize, more: impl Fn(usize) -> String) -> String {
    let mut text = String::from("(");
    let mut chars = 1;
    for (at, part) in parts.iter().enumerate() {
        let separator = if at == 0 { "" } else { ", " };
        let needed = separator.len() + part.chars().count();
        let more = more(parts.len() - at);
        if chars + needed + 3 + more.chars().count() > max_chars {
            text.push_str(separator);
            text.push_str(&more);
            break;
        }
        text.push_str(separator);
        text.push_str(part);
        chars += needed;
    }
    text.push(')');
    text
}

/// Each parameter as one entry, such as `owner: string` or `body?: string`, for telling two
/// versions of a schema apart.
pub fn entries(root: &Value) -> Vec<String> {
    let level = Level { depth: 2, enum_values: 24, optional_types: true };
    let mut writer = Writer { root, level, budget: usize::MAX };
    writer.parts(&parameters(root)).into_iter().map(|entry| clean::one_line(&entry, 160)).collect()
}

/// What a schema allows, in the words of a signature, at most `max_chars` long.
pub fn type_text(root: &Value, schema: &Value, max_chars: usize) -> String {
    let mut writer = Writer { root, level: LEVELS[0], budget: max_chars.max(16) * 8 };
    clean::one_line(&writer.type_of(schema, 0, 0), max_chars)
}

struct Writer<'a> {
    root: &'a Value,
    level: Level,
    /// Characters that may still be written before types are cut short, so that a schema whose
    /// references fan out cannot make the text explode.
    budget: usize,
}

impl<'a> Writer<'a> {
    fn parts(&mut self, parameters: &[(&str, &'a Value, bool)]) -> Vec<String> {
        let mut parts = Vec::with_capacity(parameters.len());
        // Each part is bounded on its own; the whole is cut by the caller.
        let budget = self.budget.saturating_mul(8);
        for (name, schema, required) in parameters {
            self.budget = budget;
            let name = property_name(name);
            parts.push(if *required {
                format!("{name}: {}", self.type_of(schema, 0, 0))
            } else if self.level.optional_types {
                format!("{name}?: {}", self.type_of(schema, 0, 0))
            } else {
                format!("{name}?")
            });
        }
        parts
    }

    fn spend(&mut self, text: String) -> String {
        self.budget = self.budget.saturating_sub(text.len());
        text
    }

    fn type_of(&mut self, schema: &'a Value, depth: usize, references: usize) -> String {
        if self.budget == 0 || references > MAX_REFERENCES {
            return "any".to_owned();
        }
        let Some(map) = schema.as_object() else {
            return "any".to_owned();
        };
        if let Some(value) = map.get("const") {
            return self.literals(std::slice::from_ref(value));
        }
        if let Some(Value::Array(values)) = map.get("enum") {
            let null = schema.get("nullable") == Some(&Value::Bool(true));
            let text = self.literals(values);
            return if null && !values.contains(&Value::Null) { text + "|null" } else { text };
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            return match follow(self.root, reference) {
                Reference::Local(target) => self.type_of(target, depth, references + 1),
                _ => "any".to_owned(),
            };
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = map.get(key) {
                return self.union(branches, depth, references);
            }
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            return match parts.as_slice() {
                [one] if !map.contains_key("properties") => {
                    self.type_of(one, depth, references + 1)
                }
                _ => "{..}".to_owned(),
            };
        }
        let Some(types) = types(schema) else {
            return if map.contains_key("properties") {
                self.object(schema, depth, references)
            } else if map.contains_key("items") {
                self.array(schema, depth, references)
            } else {
                "any".to_owned()
            };
        };
        let mut texts: Vec<String> = Vec::new();
        for name in types {
            let text = match name {
                "object" => self.object(schema, depth, references),
                "array" => self.array(schema, depth, references),
                "string" | "number" | "integer" | "boolean" | "null" => name.to_owned(),
                _ => "any".to_owned(),
            };
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        let text = texts.join("|");
        self.spend(text)
    }

    fn union(&mut self, branches: &'a [Value], depth: usize, references: usize) -> String {
        let mut texts: Vec<String> = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            if at == 6 || self.budget == 0 {
                texts.push("…".to_owned());
                break;
            }
            let text = self.type_of(branch, depth, references + 1);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if texts.is_empty() { "any".to_owned() } else { texts.join("|") }
    }

    fn array(&mut self, schema: &'a Value, depth: usize, references: usize) -> String {
        if schema.get("prefixItems").is_some() {
            return "any[]".to_owned();
        }
        let item = match schema.get("items") {
            Some(items @ Value::Object(_)) => self.type_of(items, depth, references),
            Some(Value::Array(_)) => "any".to_owned(),
            _ => "any".to_owned(),
        };
        if is_union(&item) { format!("({item})[]") } else { item + "[]" }
    }

    fn object(&mut self, schema: &'a Value, depth: usize, references: usize) -> String {
        let parameters = parameters(schema);
        if parameters.is_empty() {
            return match schema.get("additionalProperties") {
                Some(values @ Value::Object(_)) => {
                    let value = self.type_of(values, depth, references + 1);
                    format!("{{[key]: {value}}}")
                }
                _ => "object".to_owned(),
            };
        }
        if depth >= self.level.depth || self.budget == 0 {
            return "{..}".to_owned();
        }
        let mut parts = Vec::new();
        for (name, schema, required) in parameters {
            if self.budget == 0 {
                parts.push("…".to_owned());
                break;
            }
            let name = property_name(name);
            let kind = self.type_of(schema, depth + 1, references);
            let mark = if required { "" } else { "?" };
            let part = format!("{name}{mark}: {kind}");
            parts.push(self.spend(part));
        }
        format!("{{{}}}", parts.join(", "))
    }

    fn literals(&mut self, values: &[Value]) -> String {
        let mut texts: Vec<String> = Vec::new();
        for value in values.iter().take(self.level.enum_values) {
            let text = value.to_string();
            // A value that cannot be shown cleanly, or is a text of its own, is left to the schema.
            if text.chars().count() > 48 || clean::one_line(&text, 64) != text {
                texts.push("…".to_owned());
            } else {
                texts.push(text);
            }
        }
        if values.len() > self.level.enum_values || values.is_empty() {
            texts.push("…".to_owned());
        }
        texts.dedup();
        let text = texts.join("|");
        self.spend(text)
    }
}

/// Whether a type has alternatives outside of braces, brackets and strings.
fn is_union(text: &str) -> bool {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return true,
            _ => {}
        }
    }
    false
}

fn property_name(name: &str) -> String {
    let plain = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-$.".contains(&b));
    if plain { name.to_owned() } else { Value::from(clean::one_line(name, 64)).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn of(schema: Value) -> String {
        signature(&schema, 300)
    }

    #[test]
    fn required_come_first_and_enums_are_inline() {
        let schema = json!({
            "type": "object",
            "properties": {
                "body": {"type": "string"},
                "labels": {"type": "array", "items": {"type": "string"}},
                "owner": {"type": "string", "description": "who"},
                "state": {"enum": ["open", "closed"]},
                "id": {"type": ["integer", "null"]},
                "by": {"type": "array", "items": {"enum": ["a", "b"]}},
            },
            "required": ["owner"],
        });
        assert_eq!(
            of(schema),
            r#"(owner: string, body?: string, by?: ("a"|"b")[], id?: integer|null, labels?: string[], state?: "open"|"closed")"#
        );
        assert_eq!(of(json!({})), "()");
        assert_eq!(of(Value::Null), "()");
    }

    #[test]
    fn nesting_beyond_two_levels_is_left_to_the_schema() {
        let schema = json!({"properties": {"a": {"type": "object", "properties": {
            "b": {"type": "object", "properties": {"c": {"type": "object", "properties":
                {"d": {}}}}}}}}});
        assert_eq!(of(schema), "(a?: {b?: {c?: {..}}})");
    }

    #[test]
    fn references_are_followed_and_circles_end() {
        let schema = json!({
            "properties": {"node": {"$ref": "#/$defs/node"}, "far": {"$ref": "https://x.test/s"}},
            "$defs": {"node": {"type": "object", "properties": {
                "name": {"type": "string"}, "next": {"$ref": "#/$defs/node"}}}},
        });
        assert_eq!(
            of(schema),
            "(far?: any, node?: {name?: string, next?: {name?: string, next?: {..}}})"
        );
        let circle = json!({"properties": {"a": {"$ref": "#/properties/a"}}});
        assert_eq!(of(circle), "(a?: any)");
    }

    #[test]
    fn a_wide_schema_says_how_much_is_left() {
        let mut properties = serde_json::Map::new();
        for n in 0..200 {
            properties.insert(format!("parameter_{n:03}"), json!({"type": "string"}));
        }
        let text = of(json!({"properties": properties, "required": ["parameter_150"]}));
        assert!(text.starts_with("(parameter_150: string, parameter_000?, "), "{text}");
        assert!(text.ends_with(" more)") && text.chars().count() <= 300, "{text}");
    }

    #[test]
    fn hidden_characters_in_values_and_names_are_not_shown() {
        let schema = json!({"properties": {
            "x": {"enum": ["a\u{200b}", "b"]}, "y\u{202e}": {"const": "</system>"}}});
        assert_eq!(of(schema), "(x?: …|\"b\", \"y\"?: …)");
    }

    #[test]
    fn a_schema_made_to_explode_does_not() {
        let mut defs = serde_json::Map::new();
        for n in 0..30 {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            defs.insert(
                format!("d{n}"),
                json!({"anyOf": [next, next, {"type": "array", "items": next}]}),
            );
        }
        let schema = json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs});
        assert!(of(schema).chars().count() <= 300);
    }

    proptest! {
        #[test]
        fn a_signature_fits(names in proptest::collection::vec("\\PC{1,40}", 0..40), max in 3usize..400) {
            let properties: serde_json::Map<_, _> =
                names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect();
            let schema = json!({"properties": properties, "required": names.first()});
            let signature = signature(&schema, max);
            prop_assert!(signature.chars().count() <= max, "{signature}");
            prop_assert!(outline(&schema, max.max(8)).chars().count() <= max.max(8));
        }
    }

    /// Reads a signature as a model would, and builds the least call that it asks for.
    struct Reader<'s> {
        rest: &'s str,
    }

    impl Reader<'_> {
        fn eat(&mut self, token: &str) -> bool {
            let found = self.rest.strip_prefix(token);
            self.rest = found.unwrap_or(self.rest);
            found.is_some()
        }

        fn members(&mut self, end: &str) -> Value {
            let mut map = serde_json::Map::new();
            while !self.eat(end) {
                let name = if self.rest.starts_with('"') {
                    self.literal().as_str().map(str::to_owned).expect("a quoted name")
                } else {
                    let at = self.rest.find(['?', ':', ',', ')']).expect("a name ends");
                    let (name, rest) = self.rest.split_at(at);
                    self.rest = rest;
                    name.to_owned()
                };
                let optional = self.eat("?");
                if self.eat(": ") {
                    let value = self.union();
                    if !optional {
                        map.insert(name, value);
                    }
                }
                self.eat(", ");
            }
            Value::Object(map)
        }

        fn union(&mut self) -> Value {
            let first = self.one();
            while self.eat("|") {
                self.one();
            }
            first
        }

        fn one(&mut self) -> Value {
            let mut value = if self.eat("(") {
                let inner = self.union();
                assert!(self.eat(")"));
                inner
            } else if self.eat("{[key]: ") {
                self.union();
                assert!(self.eat("}"));
                json!({})
            } else if self.eat("{") {
                self.members("}")
            } else if let Some((_, value)) = [
                ("string", json!("x")),
                ("integer", json!(1)),
                ("number", json!(1.5)),
                ("boolean", json!(true)),
                ("null", Value::Null),
                ("object", json!({})),
                ("any", json!("x")),
            ]
            .into_iter()
            .find(|(word, _)| self.eat(word))
            {
                value
            } else {
                self.literal()
            };
            while self.eat("[]") {
                value = json!([value]);
            }
            value
        }

        fn literal(&mut self) -> Value {
            if !self.rest.starts_with('"') {
                let end = self.rest.find(['|', ',', ')', '}', '[']).unwrap_or(self.rest.len());
                let (literal, rest) = self.rest.split_at(end);
                self.rest = rest;
                return serde_json::from_str(literal).expect(literal);
            }
            let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<Value>();
            let value = values.next().expect("a literal").expect("valid");
            self.rest = &self.rest[values.byte_offset()..];
            value
        }
    }

    fn call_from(signature: &str) -> Value {
        let mut reader = Reader { rest: signature };
        assert!(reader.eat("("));
        reader.members(")")
    }

    fn plain_schema() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!({"type": "string"})),
            Just(json!({"type": ["integer", "null"]})),
            Just(json!({"type": "number"})),
            Just(json!({"type": "boolean"})),
            Just(json!({"type": "object"})),
            Just(json!({"const": "k"})),
            Just(json!({"enum": [1, 2.5, null, true]})),
            Just(json!({})),
            proptest::collection::vec("[a-z \"]{1,6}", 1..5)
                .prop_map(|values| json!({"type": "string", "enum": values})),
            Just(json!({"$ref": "#/$defs/entry"})),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                inner.clone().prop_map(|item| json!({"type": "array", "items": item})),
                inner
                    .clone()
                    .prop_map(|one| json!({"type": "object", "additionalProperties": one})),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| json!({"anyOf": [a, b]})),
                proptest::collection::btree_map(
                    "[a-z]{1,3}|[a-z]é b",
                    (inner, any::<bool>()),
                    1..4
                )
                .prop_map(object),
            ]
        })
    }

    fn object(members: std::collections::BTreeMap<String, (Value, bool)>) -> Value {
        let required: Vec<&String> =
            members.iter().filter(|(_, (_, required))| *required).map(|(name, _)| name).collect();
        let required = json!(required);
        let properties: serde_json::Map<_, _> =
            members.into_iter().map(|(name, (schema, _))| (name, schema)).collect();
        json!({"type": "object", "properties": properties, "required": required,
            "additionalProperties": false})
    }

    proptest! {
        #[test]
        fn a_call_built_from_a_signature_that_leaves_nothing_out_is_valid(
            members in proptest::collection::btree_map("[a-z_]{1,8}", (plain_schema(), any::<bool>()), 0..5),
        ) {
            let mut schema = object(members);
            schema["$defs"] = json!({"entry": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}});
            let signature = signature(&schema, 300);
            if !signature.contains('…') && !signature.contains("{..}") {
                let call = call_from(&signature);
                let checked = crate::search::schema::validate::check(&schema, call.clone());
                prop_assert!(checked.is_ok(), "{signature} gives {call}: {checked:?}");
                let checked = checked.expect("just seen");
                prop_assert!(checked.coerced.is_empty() && checked.unchecked.is_none(), "{checked:?}");
            }
        }
    }
}
