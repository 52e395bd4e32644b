//! The contract's reference page and the JSON Schemas of its interface `json` are what the contract says.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use wit_bindgen_core::Files;
use wit_bindgen_core::wit_parser::{Resolve, Type, TypeDefKind};

#[test]
fn the_reference_page_is_current() {
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    let (package, _) = resolve.push_dir(&wit).expect("the contract parses");
    let world =
        resolve.select_world(&[package], Some("plugin")).expect("it has the world `plugin`");
    let mut files = Files::default();
    let mut generator = wit_bindgen_markdown::Opts::default().build();
    generator.generate(&mut resolve, world, &mut files).expect("a page can be made of it");
    let page = files
        .iter()
        .find_map(|(name, content)| name.ends_with(".md").then_some(content))
        .expect("the page is Markdown");
    let page = String::from_utf8(page.to_vec()).expect("the page is text");
    let page = page.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n";
    let file = wit.join("reference.md");
    if std::env::var_os("UPDATE_WIT_REFERENCE").is_some() {
        fs::write(&file, &page).expect("the page can be written");
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == page,
        "wit/reference.md is not current: run UPDATE_WIT_REFERENCE=1 cargo test --package weir-tests --test host wit::"
    );
}

#[test]
fn every_item_of_the_contract_says_what_it_is_and_since_when_and_functions_show_it() {
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    let (package, _) = resolve.push_dir(&wit).expect("the contract parses");
    let mut silent = Vec::new();
    let mut silent_fields: Vec<String> = Vec::new();
    let mut timeless = Vec::new();
    let mut without_example = Vec::new();
    for (name, &interface) in &resolve.packages[package].interfaces {
        let interface = &resolve.interfaces[interface];
        let mut item = |path: String, docs: &wit_bindgen_core::wit_parser::Docs, stability: &_| {
            if docs.contents.is_none() {
                silent.push(path.clone());
            }
            if matches!(stability, wit_bindgen_core::wit_parser::Stability::Unknown) {
                timeless.push(path);
            }
        };
        item(name.clone(), &interface.docs, &interface.stability);
        for (function, definition) in &interface.functions {
            if !definition.docs.contents.as_deref().unwrap_or_default().contains("\nExample: ") {
                without_example.push(format!("{name}.{function}"));
            }
            if !function.starts_with("[constructor]") {
                item(format!("{name}.{function}"), &definition.docs, &definition.stability);
            }
        }
        for (ty, id) in &interface.types {
            let definition = &resolve.types[*id];
            use wit_bindgen_core::wit_parser::TypeDefKind;
            let imported = matches!(definition.kind, TypeDefKind::Type(_));
            if !imported {
                item(format!("{name}.{ty}"), &definition.docs, &definition.stability);
            }
            let undocumented: Vec<String> = match &definition.kind {
                TypeDefKind::Record(record) => record
                    .fields
                    .iter()
                    .filter(|f| f.docs.contents.is_none())
                    .map(|f| f.name.clone())
                    .collect(),
                TypeDefKind::Variant(variant) => variant
                    .cases
                    .iter()
                    .filter(|c| c.docs.contents.is_none())
                    .map(|c| c.name.clone())
                    .collect(),
                TypeDefKind::Enum(cases) => cases
                    .cases
                    .iter()
                    .filter(|c| c.docs.contents.is_none())
                    .map(|c| c.name.clone())
                    .collect(),
                _ => Vec::new(),
            };
            silent_fields
                .extend(undocumented.into_iter().map(|field| format!("{name}.{ty}.{field}")));
        }
    }
    silent.extend(silent_fields);
    assert!(silent.is_empty(), "without a word: {silent:#?}");
    assert!(timeless.is_empty(), "without @since: {timeless:#?}");
    assert!(without_example.is_empty(), "without an example: {without_example:#?}");
}

/// The records that the interface `json` prints: those it prints in part, with what it leaves out.
const PRINTED: [(&str, &[&str]); 17] = [
    ("component-info", &[]),
    ("limit", &[]),
    ("problem", &[]),
    ("handle", &[]),
    ("transformed", &["parts"]),
    ("failure", &[]),
    ("tombstone", &[]),
    ("use-count", &[]),
    ("census", &[]),
    ("store-status", &[]),
    ("sweep-progress", &[]),
    ("check-progress", &[]),
    ("forgotten", &[]),
    ("diagnostic", &[]),
    ("visible-tool", &[]),
    ("assembly", &["bridge"]),
    ("shown-tool", &[]),
];

/// A record as it is printed: names in camel case, unset fields left out.
fn record(resolve: &Resolve, name: &str, without: &[&str]) -> Value {
    let (_, definition) = resolve
        .types
        .iter()
        .find(|(_, ty)| {
            ty.name.as_deref() == Some(name) && matches!(ty.kind, TypeDefKind::Record(_))
        })
        .unwrap_or_else(|| panic!("the contract has no record {name}"));
    let TypeDefKind::Record(fields) = &definition.kind else { panic!("{name} is a record") };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields.fields.iter().filter(|field| !without.contains(&field.name.as_str())) {
        let (mut schema, is_optional) = schema(resolve, &field.ty);
        let name = camel(&field.name);
        schema["description"] = words(&field.docs).into();
        properties.insert(name.clone(), schema);
        if !is_optional {
            required.push(name);
        }
    }
    json!({
        "type": "object",
        "description": words(&definition.docs),
        "properties": properties,
        "required": required,
    })
}

/// The schema of a type, and whether it may be left out.
fn schema(resolve: &Resolve, ty: &Type) -> (Value, bool) {
    let id = match ty {
        Type::String => return (json!({ "type": "string" }), false),
        Type::Bool => return (json!({ "type": "boolean" }), false),
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => {
            return (json!({ "type": "integer", "minimum": 0 }), false);
        }
        Type::S32 | Type::S64 => return (json!({ "type": "integer" }), false),
        Type::Id(id) => id,
        other => panic!("the interface `json` prints no {other:?}"),
    };
    let definition = &resolve.types[*id];
    match &definition.kind {
        TypeDefKind::Type(ty) => schema(resolve, ty),
        TypeDefKind::Option(ty) => (schema(resolve, ty).0, true),
        TypeDefKind::List(ty) => {
            (json!({ "type": "array", "items": schema(resolve, ty).0 }), false)
        }
        TypeDefKind::Record(_) => {
            let name = definition.name.as_deref().expect("a record has a name");
            (json!({ "$ref": format!("#/$defs/{name}") }), false)
        }
        other => panic!("the interface `json` prints no {other:?}"),
    }
}

fn words(docs: &wit_bindgen_core::wit_parser::Docs) -> String {
    docs.contents.as_deref().unwrap_or_default().trim().replace('\n', " ")
}

fn camel(name: &str) -> String {
    let mut parts = name.split('-');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| name + &part[..1].to_uppercase() + &part[1..])
}

/// The shapes that are not a record of the contract, by name.
fn shapes() -> Value {
    let string = json!({ "type": "string" });
    let strings = json!({ "type": "array", "items": string });
    let number = json!({ "type": "integer", "minimum": 0 });
    let boolean = json!({ "type": "boolean" });
    let of = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let list = |name: &str| json!({ "type": "array", "items": of(name) });
    let object = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required });
    let nothing = object(json!({}), json!([]));
    let opened = object(
        json!({ "catalog": number, "digest": string, "diagnostics": list("diagnostic") }),
        json!(["catalog", "digest", "diagnostics"]),
    );
    json!({
        "error": object(json!({ "error": of("failure") }), json!(["error"])),
        "call-result": object(
            json!({
                "content": { "type": "array", "items": object(
                    json!({ "type": string }), json!(["type"]),
                ) },
                "isError": boolean,
                "structuredContent": {},
            }),
            json!(["content"]),
        ),
        "tool": object(
            json!({
                "name": string,
                "description": string,
                "inputSchema": { "type": "object" },
                "annotations": { "type": "object" },
            }),
            json!(["name", "inputSchema"]),
        ),
        "call-to-dispatch": object(
            json!({
                "id": string, "server": string, "name": string, "tool": string, "origin": string,
                "arguments": { "type": "object" }, "risk": string, "routed": string,
                "repairs": { "type": "array" }, "waitFor": { "type": "array", "items": number },
            }),
            json!(["id", "server", "name", "arguments", "risk"]),
        ),
        "conversation": object(
            json!({
                "visible": strings, "shown": list("shown-tool"), "searches": strings,
                "strict": boolean, "revealFirst": boolean, "external": { "type": "object" },
            }),
            json!([]),
        ),
        "transform.call": object(
            json!({
                "session": string, "tool": string, "server": string, "arguments": {},
                "reader": string, "purpose": string, "maxChars": number, "alreadyCut": boolean,
            }),
            json!(["session", "tool"]),
        ),
        "open-catalog.snapshot": object(
            json!({
                "servers": { "type": "array", "items": object(
                    json!({
                        "name": string, "tools": list("tool-to-find"), "description": string,
                        "trusted": boolean, "state": string, "reason": string,
                    }),
                    json!(["name"]),
                ) },
                "tools": list("tool-to-find"),
                "names": object(
                    json!({ "search": string, "describe": string, "call": string }),
                    json!(["search", "describe", "call"]),
                ),
                "knownPhrases": boolean,
            }),
            json!([]),
        ),
        "tool-to-find": { "anyOf": [
            of("definition-to-find"),
            object(json!({ "function": of("definition-to-find") }), json!(["function"])),
        ] },
        "definition-to-find": object(
            json!({
                "name": string, "title": string, "description": string,
                "inputSchema": { "type": "object" }, "input_schema": { "type": "object" },
                "parameters": { "type": "object" }, "annotations": { "type": "object" },
                "tags": strings, "aliases": strings, "phrases": strings, "origin": string,
                "pinned": boolean,
            }),
            json!(["name"]),
        ),
        "about.answer": of("component-info"),
        "configure.answer": object(json!({ "problems": list("problem") }), json!(["problems"])),
        "shown-block": object(
            json!({ "replaced": boolean, "from": number }), json!(["replaced"]),
        ),
        "transform.answer": "transformed",
        "result-tools.answer": object(json!({ "tools": list("tool") }), json!(["tools"])),
        "invoke.answer": object(
            json!({
                "content": { "type": "array", "items": object(
                    json!({ "type": string, "text": string }), json!(["type", "text"]),
                ) },
                "isError": boolean,
                "more": string,
            }),
            json!(["content", "isError"]),
        ),
        "open-intake.answer": object(json!({ "intake": number }), json!(["intake"])),
        "write-intake.answer": nothing,
        "finish-intake.answer": of("transform.answer"),
        "drop-intake.answer": nothing,
        "pin.answer": nothing,
        "forget.answer": of("forgotten"),
        "status.answer": of("store-status"),
        "sweep.answer": of("sweep-progress"),
        "check.answer": of("check-progress"),
        "open-catalog.answer": opened,
        "assemble.answer": "assembly",
        "invoke-bridge.answer": {
            "type": "object",
            "properties": {
                "result": of("call-result"),
                "calls": list("call-to-dispatch"),
                "conversation": of("conversation"),
            },
            "required": ["conversation"],
        },
        "drop-catalog.answer": nothing,
    })
}

#[test]
fn the_schemas_of_the_string_interface_are_current_and_cover_every_function() {
    let wit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let mut resolve = Resolve { all_features: true, ..Resolve::default() };
    let (package, _) = resolve.push_dir(&wit).expect("the contract parses");
    let Value::Object(mut definitions) = shapes() else { panic!("they have names") };
    for (name, without) in PRINTED {
        definitions.insert(name.to_owned(), record(&resolve, name, without));
    }
    let mut settings = weir_component::search::bridge::settings::AssembleSettings::schema();
    settings["properties"]["context_tokens"] = json!({
        "type": "integer", "minimum": 0, "default": 0,
        "description": "The model's context in tokens; 0 when unknown. An argument of its own in `tool-search`.",
    });
    definitions.insert("assemble.settings".to_owned(), settings);
    // Of what was replaced.
    definitions["transformed"]["properties"]["blocks"] =
        json!({ "type": "array", "items": { "$ref": "#/$defs/shown-block" } });
    let problems = json!({ "type": "array", "items": {
        "type": "object", "required": ["key", "message"],
        "properties": { "key": { "type": "string" }, "message": { "type": "string" } },
    } });
    definitions["transformed"]["properties"]["problems"] = problems.clone();
    definitions["open-intake.answer"]["properties"]["problems"] = problems;
    // Two records are printed with one member more.
    for (answer, member, schema) in [
        ("transform.answer", "result", json!({ "$ref": "#/$defs/call-result" })),
        (
            "assemble.answer",
            "tools",
            json!({ "type": "array", "items": { "$ref": "#/$defs/tool" } }),
        ),
    ] {
        let of = definitions[answer].as_str().expect("a record is named").to_owned();
        let mut shape = definitions.remove(&of).expect("it is there");
        shape["properties"][member] = schema;
        shape["required"].as_array_mut().expect("a list").push(member.into());
        definitions.insert(answer.to_owned(), shape);
    }
    let interface = resolve.packages[package].interfaces["json"];
    for function in resolve.interfaces[interface].functions.keys() {
        assert!(definitions.contains_key(&format!("{function}.answer")), "{function}");
    }
    let mut definitions: Vec<(String, Value)> = definitions.into_iter().collect();
    definitions.sort_by(|(one, _), (other, _)| one.cmp(other));
    let schemas = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "weir:plugin/json@0.3.0",
        "description": "The JSON of the interface `json`. `$defs` has FUNCTION.answer for what each \
            function answers unless it answers `error`, and FUNCTION.ARGUMENT for arguments that are JSON.",
        "$defs": definitions.into_iter().collect::<Map<String, Value>>(),
    });
    let text = serde_json::to_string_pretty(&schemas).expect("it is JSON") + "\n";
    let file = wit.join("json.schema.json");
    if std::env::var_os("UPDATE_WIT_REFERENCE").is_some() {
        fs::write(&file, &text).expect("the file can be written");
    }
    assert!(
        fs::read_to_string(&file).unwrap_or_default() == text,
        "wit/json.schema.json is not current: run UPDATE_WIT_REFERENCE=1 cargo test --package weir-tests --test host wit::"
    );
}
