//! Malformed members, and a strict reader of the schema of MCP that shares nothing with what is tested.

use serde_json::{Value, json};

use super::*;

const TOOLS: Method = Method::ListTools;
const PROMPTS: Method = Method::ListPrompts;
const RESOURCES: Method = Method::ListResources;
const TEMPLATES: Method = Method::ListTemplates;

/// Whether every client takes it: the types of the protocol's schema, as both SDKs read it.
fn is_valid(method: Method, value: &Value) -> bool {
    let optional =
        |value: &Value, name: &str, fits: fn(&Value) -> bool| value.get(name).is_none_or(fits);
    let texts = |value: &Value| value.as_array().is_some_and(|it| it.iter().all(Value::is_string));
    let icon = |icon: &Value| {
        icon["src"].is_string()
            && icon.get("mimeType").is_none_or(Value::is_string)
            && icon.get("sizes").is_none_or(texts)
            && icon.get("theme").is_none_or(|it| it == "light" || it == "dark")
    };
    let schema = |value: &Value, is_input: bool| {
        let object =
            |it: &Value| it.as_object().is_some_and(|it| it.values().all(Value::is_object));
        value.is_object()
            && (!is_input || value["type"] == "object")
            && value.get("properties").is_none_or(object)
            && value.get("required").is_none_or(texts)
            && optional(value, "$schema", Value::is_string)
    };
    let common = ["title", "description", "mimeType"];
    let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
    let annotations = |value: &Value| {
        let tool = hints.iter().all(|name| optional(value, name, Value::is_boolean))
            && optional(value, "title", Value::is_string);
        let words = |it: &Value| {
            it.as_array().is_some_and(|it| it.iter().all(|it| it == "user" || it == "assistant"))
        };
        let other = value.get("audience").is_none_or(words)
            && value
                .get("priority")
                .is_none_or(|it| it.as_f64().is_some_and(|it| (0.0..=1.0).contains(&it)))
            && value.get("lastModified").is_none_or(|it| it == "2025-01-12T15:00:58Z");
        value.is_object() && if method == TOOLS { tool } else { other }
    };
    let argument = |it: &Value| {
        it["name"].is_string()
            && optional(it, "description", Value::is_string)
            && optional(it, "required", Value::is_boolean)
    };
    value["name"].is_string()
        && common.iter().all(|name| optional(value, name, Value::is_string))
        && value.get("icons").is_none_or(|it| it.as_array().is_some_and(|it| it.iter().all(icon)))
        && optional(value, "_meta", Value::is_object)
        && optional(value, "size", Value::is_u64)
        && value.get("annotations").is_none_or(annotations)
        && match method {
            TOOLS => {
                let support = &value["execution"]["taskSupport"];
                schema(&value["inputSchema"], true)
                    && value.get("outputSchema").is_none_or(|it| schema(it, false))
                    && optional(value, "execution", Value::is_object)
                    && (support.is_null()
                        || ["forbidden", "optional", "required"].iter().any(|it| support == it))
            }
            PROMPTS => value
                .get("arguments")
                .is_none_or(|it| it.as_array().is_some_and(|it| it.iter().all(argument))),
            RESOURCES => value["uri"].as_str().is_some_and(|it| Url::parse(it).is_ok()),
            _ => value["uriTemplate"].is_string(),
        }
}

/// The definition with this member.
fn with(method: Method, name: &str, value: Value) -> Json {
    let mut item = match method {
        TOOLS => json!({"name": "x", "inputSchema": {"type": "object"}}),
        PROMPTS => json!({"name": "x"}),
        RESOURCES => json!({"name": "x", "uri": "file:///x"}),
        _ => json!({"name": "x", "uriTemplate": "file:///{x}"}),
    };
    item[name] = value;
    Json::of(&item)
}

#[test]
fn a_malformed_member_costs_itself_or_its_definition_and_never_the_list() {
    // The member, what it says, and what comes of it: null where the definition is left out, "" where the member is.
    let input = |inner: Value| (TOOLS, "inputSchema", inner);
    let cases = [
        (input(json!({})), json!({"type": "object"})),
        (input(Value::Null), json!({"type": "object"})),
        (input(json!([])), json!({"type": "object"})),
        (input(json!(true)), json!({"type": "object"})),
        (input(json!("object")), Value::Null),
        (input(json!(false)), Value::Null),
        (input(json!([1])), Value::Null),
        (input(json!({"type": null})), json!({"type": "object"})),
        (input(json!({"type": "OBJECT"})), json!({"type": "object"})),
        (input(json!({"type": ["object", "null"]})), json!({"type": "object"})),
        (input(json!({"type": "string"})), Value::Null),
        (input(json!({"type": "array", "items": {}})), Value::Null),
        (input(json!({"type": ["string"]})), Value::Null),
        (input(json!({"type": 5})), Value::Null),
        (
            input(json!({"type": "object", "properties": []})),
            json!({"type": "object", "properties": {}}),
        ),
        (input(json!({"type": "object", "properties": null})), json!({"type": "object"})),
        (input(json!({"type": "object", "properties": [{"name": "a"}]})), Value::Null),
        (input(json!({"type": "object", "properties": "a"})), Value::Null),
        (
            input(json!({"properties": {"a": true, "b": false, "c": null, "d": []}})),
            json!({"properties": {"a": {}, "b": {"not": {}}, "c": {}, "d": {}}, "type": "object"}),
        ),
        (input(json!({"type": "object", "properties": {"a": "string"}})), Value::Null),
        (input(json!({"type": "object", "required": {}})), json!({"type": "object"})),
        (input(json!({"type": "object", "required": null})), json!({"type": "object"})),
        (input(json!({"type": "object", "required": true})), json!({"type": "object"})),
        (input(json!({"type": "object", "required": ""})), json!({"type": "object"})),
        (
            input(json!({"type": "object", "required": "a"})),
            json!({"type": "object", "required": ["a"]}),
        ),
        (
            input(json!({"type": "object", "required": {"0": "a", "2": "b"}})),
            json!({"type": "object", "required": ["a", "b"]}),
        ),
        (
            input(json!({"type": "object", "required": ["a", null]})),
            json!({"type": "object", "required": ["a"]}),
        ),
        (input(json!({"type": "object", "required": [1]})), Value::Null),
        (input(json!({"type": "object", "required": [["a"]]})), Value::Null),
        (input(json!({"type": "object", "required": 1})), Value::Null),
        (input(json!({"type": "object", "$schema": 7})), json!({"type": "object", "$schema": "7"})),
        ((TOOLS, "name", json!(5)), Value::Null),
        ((TOOLS, "name", Value::Null), Value::Null),
        ((TOOLS, "name", json!(" ")), Value::Null),
        ((TOOLS, "title", Value::Null), json!("")),
        ((TOOLS, "title", json!({"en": "x"})), json!("")),
        ((TOOLS, "description", json!(2026)), json!("2026")),
        ((TOOLS, "description", json!(["a", "b"])), json!("")),
        ((TOOLS, "description", Value::Null), json!("")),
        ((TOOLS, "annotations", json!([])), json!("")),
        ((TOOLS, "annotations", Value::Null), json!("")),
        ((TOOLS, "annotations", json!({"readOnlyHint": "yes"})), json!({})),
        (
            (TOOLS, "annotations", json!({"destructiveHint": null, "title": 1})),
            json!({"title": "1"}),
        ),
        ((TOOLS, "execution", json!("required")), json!("")),
        ((TOOLS, "execution", json!({"taskSupport": "maybe"})), json!({})),
        ((TOOLS, "_meta", json!([])), json!("")),
        ((TOOLS, "_meta", json!("x")), json!("")),
        ((TOOLS, "icons", json!({})), json!("")),
        ((TOOLS, "icons", json!([{"src": 1}, {"mimeType": "x"}, "a"])), json!([{"src": "1"}])),
        (
            (TOOLS, "icons", json!([{"src": "a", "sizes": "48x48", "theme": "blue"}])),
            json!([{"src": "a"}]),
        ),
        ((TOOLS, "outputSchema", json!([])), json!("")),
        ((TOOLS, "outputSchema", Value::Null), json!("")),
        ((TOOLS, "outputSchema", json!({"type": "object", "properties": 1})), json!("")),
        ((TOOLS, "outputSchema", json!({"required": {}})), json!({})),
        ((PROMPTS, "name", json!(["x"])), Value::Null),
        ((PROMPTS, "arguments", json!({})), json!("")),
        ((PROMPTS, "arguments", Value::Null), json!("")),
        (
            (PROMPTS, "arguments", json!([{"name": "a", "required": "yes", "description": null}])),
            json!([{"name": "a"}]),
        ),
        (
            (PROMPTS, "arguments", json!([{"description": "no name"}, null, {"name": "a"}])),
            json!([{"name": "a"}]),
        ),
        ((PROMPTS, "title", Value::Null), json!("")),
        ((RESOURCES, "uri", Value::Null), Value::Null),
        ((RESOURCES, "uri", json!("no address")), Value::Null),
        ((RESOURCES, "name", Value::Null), json!("file:///x")),
        ((RESOURCES, "size", json!("12")), json!("")),
        ((RESOURCES, "size", json!(1.5)), json!("")),
        ((RESOURCES, "size", json!(-1)), json!("")),
        ((RESOURCES, "mimeType", Value::Null), json!("")),
        ((RESOURCES, "annotations", json!({"audience": "user"})), json!({})),
        (
            (RESOURCES, "annotations", json!({"audience": ["user", "tool"], "priority": 2})),
            json!({"audience": ["user"]}),
        ),
        ((RESOURCES, "annotations", json!({"lastModified": "2025-01-12"})), json!({})),
        (
            (RESOURCES, "annotations", json!({"lastModified": "2025-01-12T15:00:58Z"})),
            json!({"lastModified": "2025-01-12T15:00:58Z"}),
        ),
        ((TEMPLATES, "uriTemplate", json!({})), Value::Null),
        ((TEMPLATES, "name", json!(1)), json!("file:///{x}")),
        ((TEMPLATES, "annotations", json!({"priority": "high"})), json!({})),
    ];
    for ((method, name, value), expected) in cases {
        let item = with(method, name, value);
        let told = item.to_string();
        match mended(method, item) {
            Err(why) => assert!(expected.is_null() && why.contains(name), "{told}: {why}"),
            Ok((item, _)) => {
                let item: Value = item.read().unwrap();
                assert!(is_valid(method, &item), "{told} became {item}");
                match expected == "" {
                    true => assert_eq!(item.get(name), None, "{told}"),
                    false => assert_eq!(item[name], expected, "{told}"),
                }
            }
        }
    }
}

#[test]
fn what_fits_keeps_every_byte() {
    for (method, text) in [
        (
            TOOLS,
            r#"{ "name":"a","n":1.10,"inputSchema":{"type":"object","properties":{"é":{}},"required":["é"]},"outputSchema":{"type":"array"},"icons":[{"src":"x"}]}"#,
        ),
        (PROMPTS, r#"{"name":"a","arguments":[{"name":"b","required":true}]}"#),
        (RESOURCES, r#"{"uri":"weird:x y","name":"","annotations":{"priority":0.50}}"#),
        (Method::ListSkills, r#"{"uri":5}"#),
    ] {
        let item = Json::parse(text.to_owned()).unwrap();
        if text.contains(r#""name":"""#) {
            continue;
        }
        let (same, is_mended) = mended(method, item).unwrap();
        assert_eq!((same.as_str(), is_mended), (text.trim(), false));
    }
    for (time, fits) in [
        ("2024-02-29T00:00:00.123+01:00", true),
        ("2025-02-29T00:00:00Z", false),
        ("2025-01-12T25:00:00Z", false),
        ("2025-01-12T15:00Z", true),
        ("2025-01-12T15:00:58", false),
        ("2025-1-12T15:00:58Z", false),
        ("", false),
    ] {
        assert_eq!(is_time(time), fits, "{time}");
    }
}

#[test]
fn a_hint_that_clients_refuse_costs_no_result() {
    let fit = |result: Value| -> Value {
        serde_json::from_str(with_fit_hints(Json::of(&result)).as_str()).unwrap()
    };
    let block =
        |hints: Value| json!({"type": "text", "text": "\"annotations\"", "annotations": hints});
    let (good, bad) =
        (json!({"priority": 0.5}), json!({"lastModified": "2026-01-12", "priority": 0.5}));
    let whole = json!({"content": [block(good.clone())], "structuredContent": {"annotations": 1}});
    assert_eq!(fit(whole.clone()), whole);
    assert_eq!(
        fit(json!({"content": [block(bad.clone()), block(json!(7))]}))["content"][0],
        block(good.clone())
    );
    assert!(fit(json!({"content": [block(json!(7))]}))["content"][0].get("annotations").is_none());
    let prompt = |hints: Value| json!({"messages": [{"role": "user", "content": block(hints)}]});
    assert_eq!(fit(prompt(bad)), prompt(good));
    for other in [json!({"content": {"annotations": {}}}), json!({"messages": 7, "annotations": 1})]
    {
        assert_eq!(fit(other.clone()), other);
    }
}
