//! The interface `json`, called as a host with weak bindings would: strings in, strings out, over one
//! instance in a plain wasmtime.

use serde_json::{Value, json};
use wasmtime::component::Linker;
use wasmtime::{Engine, Store};
use weir_component::search::schema::validate::check;
use weir_host::{Cache, ComponentSource, Plugin, PluginIndices, compile};
use weir_tests::wasi::State;
use weir_tests::{SESSION, Sandbox, cache};

/// One instance of the component.
struct Instance {
    store: Store<State>,
    plugin: Plugin,
    /// The directory, for as long as the instance is there.
    sandbox: Sandbox,
}

/// A call of a function of `json` on an instance: its answer, whatever it is.
macro_rules! call {
    ($instance:expr, $name:ident $(, $argument:expr)*) => {{
        let instance: &mut Instance = &mut $instance;
        let answer = instance.plugin.json().$name(&mut instance.store $(, $argument)*);
        let answer = answer.expect("the component does not trap");
        let answer = serde_json::from_str::<Value>(&answer).expect("every answer is JSON");
        is_as_documented(stringify!($name), &answer);
        answer
    }};
}

/// Holds an answer against its JSON Schema.
fn is_as_documented(function: &str, answer: &Value) {
    let schemas = include_str!("../../../wit/json.schema.json");
    let mut schema: Value = serde_json::from_str(schemas).expect("the schemas are JSON");
    let name = match answer.get("error") {
        Some(_) => "error".to_owned(),
        None => function.trim_start_matches("call_").replace('_', "-") + ".answer",
    };
    assert!(schema["$defs"][&name].is_object(), "{name} is not documented");
    schema["$ref"] = format!("#/$defs/{name}").into();
    match check(&schema, answer.clone()) {
        Ok(checked) => {
            assert_eq!((checked.unchecked, checked.arguments), (None, answer.clone()), "{name}");
        }
        Err(wrong) => panic!("{name}: {wrong:?}\n{answer}"),
    }
}

impl Instance {
    fn new() -> Instance {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.store()).expect("a directory can be made");
        let state = State::with_directory(&sandbox.store(), "/store");
        Instance::over(sandbox, state)
    }

    fn over(sandbox: Sandbox, state: State) -> Instance {
        let engine = Engine::default();
        let component =
            compile(&engine, &ComponentSource::Embedded, &Cache::In(cache())).expect("it compiles");
        let mut linker = Linker::<State>::new(&engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).expect("WASI can be linked");
        let pre = linker.instantiate_pre(&component).expect("it needs nothing but WASI");
        let mut store = Store::new(&engine, state);
        let instance = pre.instantiate(&mut store).expect("it starts");
        let indices = PluginIndices::new(&pre).expect("it is of this contract");
        let plugin = indices.load(&mut store, &instance).expect("it has the interfaces");
        Instance { store, plugin, sandbox }
    }

    /// Stores a large result and says its id.
    fn stored(&mut self, text: &str) -> String {
        let result = result(json!([{ "type": "text", "text": text }]));
        let answer = call!(*self, call_transform, &origin().to_string(), &result);
        assert_eq!(answer["replaced"], true, "{answer}");
        answer["handles"][0]["id"].as_str().expect("a handle has an id").to_owned()
    }
}

fn origin() -> Value {
    json!({ "session": SESSION, "tool": "read_log", "server": "files", "arguments": { "n": 1 } })
}

fn result(content: Value) -> String {
    json!({ "content": content }).to_string()
}

fn log() -> String {
    let line = |n| match n {
        4321 => "4321: error: disk is full\n".to_owned(),
        n => format!("{n}: all is well\n"),
    };
    (1..=9_000).map(line).collect()
}

/// The text of a result of `tools/call`.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {result}"))
}

fn code(answer: &Value) -> &str {
    assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1), "{answer}");
    assert!(answer["error"]["message"].is_string(), "{answer}");
    answer["error"]["code"].as_str().unwrap_or_else(|| panic!("no refusal: {answer}"))
}

#[test]
fn a_large_result_is_replaced_and_read_back_by_the_tools_shown() {
    let mut weir = Instance::new();
    let about = call!(weir, call_about);
    let features = about["features"].as_array().unwrap_or_else(|| panic!("no features: {about}"));
    assert!(features.contains(&json!("results")), "{about}");
    assert!(about["contract"].as_str().is_some_and(|c| c.starts_with("weir:plugin@")), "{about}");
    let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
    let given = json!({
        "content": [{ "type": "text", "text": log() }, image],
        "isError": false, "_meta": { "cost": 1.50 },
    });
    let answer = call!(weir, call_transform, &origin().to_string(), &given.to_string());
    assert_eq!(answer["replaced"], true, "{answer}");
    assert_eq!(answer["result"]["_meta"], given["_meta"]);
    assert_eq!(answer["result"]["content"][1], image);
    assert_eq!(answer["blocks"], json!([{ "replaced": true }, { "replaced": false, "from": 1 }]));
    let id = answer["handles"][0]["id"].as_str().expect("a handle has an id");
    assert!(text(&answer["result"]).contains(id) && text(&answer["result"]).len() < 12_000);

    let tools = call!(weir, call_result_tools);
    let [fetch, ..] = &tools["tools"].as_array().expect("a list")[..] else { panic!("{tools}") };
    assert_eq!(fetch["name"], "weir_fetch");
    assert_eq!(fetch["inputSchema"]["type"], "object", "{fetch}");
    assert!(fetch["description"].is_string(), "{fetch}");

    let arguments = json!({ "id": id, "mode": "grep", "pattern": "error:" }).to_string();
    let answer = call!(weir, call_invoke, SESSION, "weir_fetch", &arguments);
    assert_eq!(answer["isError"], false, "{answer}");
    assert!(text(&answer).contains("4321: error: disk is full"), "{answer}");
    let foreign = call!(weir, call_invoke, "someone else", "weir_fetch", &arguments);
    assert_eq!(foreign["isError"], true, "{foreign}");
}

#[test]
fn a_small_result_comes_back_to_the_byte_and_what_is_no_result_is_one_text() {
    let mut weir = Instance::new();
    // Digits, order and unknown members are kept.
    let small =
        r#"{"_meta":{"b":1.50,"a":1},"content":[{"type":"text","text":"x","later":[1.0]}]}"#;
    let call = origin().to_string();
    let answer = weir.plugin.json().call_transform(&mut weir.store, &call, small).expect("no trap");
    assert!(answer.contains(&format!("\"result\":{small}")), "{answer}");
    for other in ["not JSON", "[1, 2]", "{\"rows\": []}", ""] {
        let answer = call!(weir, call_transform, &call, other);
        assert_eq!((&answer["replaced"], text(&answer["result"])), (&json!(false), other));
    }
    let rows: Vec<Value> = (0..2_000).map(|n| json!({ "id": n, "name": "somebody" })).collect();
    let answer = call!(weir, call_transform, &call, &Value::from(rows).to_string());
    assert_eq!(
        (&answer["replaced"], &answer["handles"][0]["kind"]),
        (&json!(true), &json!("json"))
    );
}

#[test]
fn a_refusal_and_a_reason_are_what_the_contract_says() {
    let mut weir = Instance::new();
    let nobody = json!({ "session": "", "tool": "read_log" }).to_string();
    let large = result(json!([{ "type": "text", "text": log() }]));
    assert_eq!(code(&call!(weir, call_transform, &nobody, &large)), "bad-session");
    assert_eq!(code(&call!(weir, call_open_intake, &nobody)), "bad-session");
    assert_eq!(code(&call!(weir, call_pin, "", "0123456789ab", true)), "bad-session");
    assert_eq!(code(&call!(weir, call_forget, SESSION, "x")), "malformed-id");
    assert_eq!(code(&call!(weir, call_forget, SESSION, "0123456789ab")), "unknown");
    let secret = json!({ "session": SESSION, "tool": "read", "arguments": { "path": "app/.env" } });
    let answer = call!(weir, call_transform, &secret.to_string(), &large);
    assert_eq!((&answer["replaced"], &answer["reason"]), (&json!(true), &json!("never-stored")));
    assert!(answer["handles"].as_array().is_some_and(Vec::is_empty), "{answer}");
}

#[test]
fn an_intake_takes_pieces_under_its_number_and_is_gone_after_its_end() {
    let mut weir = Instance::new();
    let opened = call!(weir, call_open_intake, &origin().to_string());
    let intake = u32::try_from(opened["intake"].as_u64().expect("a number")).expect("a small one");
    for piece in log().as_bytes().chunks(50_000) {
        let piece = std::str::from_utf8(piece).expect("ASCII");
        assert_eq!(call!(weir, call_write_intake, intake, piece), json!({}));
    }
    let answer = call!(weir, call_finish_intake, intake, false);
    assert_eq!((&answer["replaced"], &answer["handles"][0]["lines"]), (&json!(true), &json!(9000)));
    assert!(text(&answer["result"]).contains("9000: all is well"), "{answer}");
    assert_eq!(code(&call!(weir, call_finish_intake, intake, false)), "no-intake");
    assert_eq!(code(&call!(weir, call_write_intake, intake, "more")), "no-intake");

    let opened = call!(weir, call_open_intake, &origin().to_string());
    let intake = u32::try_from(opened["intake"].as_u64().expect("a number")).expect("a small one");
    assert_eq!(call!(weir, call_write_intake, intake, &log()), json!({}));
    assert_eq!(call!(weir, call_drop_intake, intake), json!({}));
    assert_eq!(code(&call!(weir, call_drop_intake, intake)), "no-intake");
}

#[test]
fn a_misspelt_field_of_a_call_is_named() {
    let mut weir = Instance::new();
    let call =
        json!({"session": SESSION, "tool": "t", "maxchars": 5, "purpose": "why"}).to_string();
    let answer = call!(weir, call_transform, &call, "small");
    assert_eq!(
        (&answer["problems"][0]["key"], &answer["replaced"]),
        (&json!("maxchars"), &json!(false))
    );
    let right = call!(weir, call_transform, &origin().to_string(), "small");
    assert_eq!(right.get("problems"), None);
    let opened = call!(weir, call_open_intake, &call);
    assert_eq!(opened["problems"][0]["key"], "maxchars");
}

#[test]
fn stored_results_are_pinned_swept_and_forgotten() {
    let mut weir = Instance::new();
    let id = weir.stored(&log());
    assert_eq!(call!(weir, call_pin, SESSION, &id, true), json!({}));
    let (mut rounds, mut more) = (0, String::new());
    loop {
        let progress = call!(weir, call_sweep, 1, &more);
        rounds += 1;
        assert!(progress["seen"].is_u64() && rounds < 10_000, "{progress}");
        match progress["more"].as_str() {
            Some(next) => more = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(code(&call!(weir, call_sweep, 1, &more)), "invalid");
    // However little is asked for, a check comes to its end.
    let mut checked = call!(weir, call_check, false, 0, "");
    for _ in 0..100_000 {
        let Some(more) = checked["more"].as_str().map(str::to_owned) else { break };
        checked = call!(weir, call_check, false, 0, &more);
    }
    assert_eq!(checked.get("more"), None);
    assert_eq!((&checked["blobs"], &checked["corrupt"]), (&json!(1), &json!(0)));
    assert!(rounds > 1, "a sweep of one entry a step has more than one step");
    let status = call!(weir, call_status);
    assert!(status.get("error").is_none() && status.is_object(), "{status}");
    // An id as models write it.
    assert_eq!(call!(weir, call_pin, SESSION, &id.to_uppercase(), false), json!({}));
    let forgotten = call!(weir, call_forget, SESSION, &format!("weir://blob/{id}"));
    assert_eq!(forgotten["heldElsewhere"], false);
    assert!(forgotten["erasedBytes"].as_u64() >= Some(log().len() as u64), "{forgotten}");
    let again = call!(weir, call_forget, SESSION, &id);
    assert!(matches!(code(&again), "gone" | "unknown"), "{again}");
}

#[test]
fn a_catalog_is_assembled_asked_and_dropped() {
    let mut weir = Instance::new();
    let schema = r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#;
    let tools: Vec<String> = (0..60)
        .map(|n| format!(r#"{{"name":"tool_{n}","description":"Does {n}.","inputSchema":{schema}}}"#))
        .chain([format!(
            r#"{{"name":"read_file","description":"Reads a file from the disk.","inputSchema":{schema},"annotations":{{"readOnlyHint":true}},"pinned":true}}"#
        ), format!(
            r#"{{"name":"delete_file","description":"Deletes a file from the disk.","inputSchema":{schema}}}"#
        )])
        .collect();
    let snapshot = format!(r#"{{"servers":[{{"name":"files","tools":[{}]}}]}}"#, tools.join(","));
    let opened = call!(weir, call_open_catalog, &snapshot);
    let catalog = u32::try_from(opened["catalog"].as_u64().expect("a number")).expect("small");
    assert!(opened["digest"].is_string() && opened["diagnostics"].is_array(), "{opened}");

    let assembled =
        call!(weir, call_assemble, catalog, r#"{"mode": "on", "context_tokens": 8000}"#);
    let shown = assembled["tools"].as_array().expect("a list");
    let names: Vec<&str> = shown.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(assembled["active"], true, "{assembled}");
    assert!(names.contains(&"tool_search") && names.contains(&"tool_call"), "{names:?}");
    let pinned = shown.iter().find(|tool| tool["description"] == "Reads a file from the disk.");
    let pinned = pinned.unwrap_or_else(|| panic!("what is pinned is shown: {names:?}"));
    assert_eq!(pinned["annotations"]["readOnlyHint"], true, "{pinned}");
    assert_eq!(pinned["inputSchema"], serde_json::from_str::<Value>(schema).expect("JSON"));
    let all = call!(weir, call_assemble, catalog, r#"{"mode": "off"}"#);
    assert_eq!((&all["active"], all["tools"].as_array().map(Vec::len)), (&json!(false), Some(62)));

    let found = call!(
        weir,
        call_invoke_bridge,
        catalog,
        "tool_search",
        r#"{"query": "delete a file"}"#,
        ""
    );
    assert!(text(&found["result"]).contains("delete_file"), "{found}");
    let conversation = found["conversation"].to_string();
    let arguments = r#"{"calls": [{"name": "delete_file", "arguments": {"path": "a.txt"}}]}"#;
    let called = call!(weir, call_invoke_bridge, catalog, "tool_call", arguments, &conversation);
    let [dispatched] = &called["calls"].as_array().expect("a call to dispatch")[..] else {
        panic!("{called}")
    };
    assert_eq!(
        (&dispatched["server"], &dispatched["name"]),
        (&json!("files"), &json!("delete_file"))
    );
    assert_eq!(dispatched["arguments"], json!({ "path": "a.txt" }));
    assert!(called["conversation"].is_object(), "{called}");

    assert_eq!(call!(weir, call_drop_catalog, catalog), json!({}));
    assert_eq!(code(&call!(weir, call_assemble, catalog, "")), "no-catalog");
    let listed = call!(weir, call_open_catalog, &format!(r#"{{"tools":[{}]}}"#, tools.join(",")));
    assert!(listed["catalog"].is_u64(), "a result of tools/list alone is enough: {listed}");
}

#[test]
fn what_cannot_be_read_is_refused_with_the_argument_and_settings_name_their_problems() {
    let mut weir = Instance::new();
    let refused = call!(weir, call_transform, "{", "{}");
    assert_eq!((code(&refused), &refused["error"]["argument"]), ("bad-json", &json!("call")));
    let refused = call!(weir, call_transform, r#"{"session": "", "tool": "t"}"#, &log());
    assert_eq!(code(&refused), "bad-session");
    let refused = call!(weir, call_open_catalog, "[]");
    assert_eq!((code(&refused), &refused["error"]["argument"]), ("bad-json", &json!("snapshot")));
    let id = weir.stored(&log());
    let refused = call!(weir, call_forget, SESSION, "zz");
    assert_eq!(code(&refused), "malformed-id", "{refused} {id}");

    let told =
        call!(weir, call_configure, r#"{"transform": {"threshold_chars": 700, "nosuch": 1}}"#);
    let [problem] = &told["problems"].as_array().expect("a list")[..] else { panic!("{told}") };
    assert!(problem["key"].as_str().is_some_and(|key| key.contains("nosuch")), "{problem}");
    let text = "a line of some length\n".repeat(300);
    weir.stored(&text);
    let none = call!(weir, call_configure, "{}");
    assert_eq!(none, json!({ "problems": [] }));
}

/// What an instance makes of a result, and how the view that a model reads of it begins.
fn transformed(instance: &mut Instance, result: &str, arguments: Value) -> (Value, String) {
    let answer = call!(*instance, call_transform, &origin().to_string(), result);
    let Some(id) = answer["handles"][0]["id"].as_str() else { return (answer, String::new()) };
    let mut arguments = arguments;
    arguments["id"] = id.into();
    let read = call!(*instance, call_invoke, SESSION, "weir_fetch", &arguments.to_string());
    (answer.clone(), text(&read).to_owned())
}

#[test]
fn half_of_a_surrogate_pair_hides_no_lines_and_every_place_is_true() {
    let mut instance = Instance::new();
    let lines: String = (1..=3_000).map(|n| format!("line {n}\\n")).collect();
    let tail = json!({"mode": "range", "start": 2_900, "count": 1});
    let half = format!(r#"{{"content":[{{"type":"text","text":"\ud83d {lines}"}}]}}"#);
    let (answer, read) = transformed(&mut instance, &half, tail.clone());
    assert!(read.contains("line 2900") && read.contains("2,900 of 3,000"), "{read}");
    assert_eq!(answer["handles"][0]["envelope"], "/content/0/text");
    // The exact bytes still have it.
    let raw = json!({"mode": "grep", "pattern": "ud83d", "view": "raw"});
    assert!(transformed(&mut instance, &half, raw).1.contains("1 match"), "raw is exact");

    let unknown = format!(r#"{{"content":[{{"type":"hologram","x":"{lines}"}}]}}"#);
    let two = format!(
        r#"{{"content":[{{"type":"text","text":"{lines}"}},{{"type":"text","text":"b{lines}"}}],"more":1}}"#
    );
    let within = format!(
        r#"{{"content":[{{"type":"resource","resource":{{"uri":"a:b","text":"{lines}"}}}}],"more":1}}"#
    );
    let places =
        [(unknown, "/content/*"), (two, "/content/*/text"), (within, "/content/0/resource/text")];
    for (result, place) in places {
        let (answer, _) = transformed(&mut instance, &result, tail.clone());
        assert_eq!(answer["handles"][0]["envelope"], place, "{answer}");
    }
}

#[test]
fn bytes_in_a_resource_are_replaced_and_those_that_clients_show_pass() {
    let mut instance = Instance::new();
    let encoded = "JVBERi0xLjQK".repeat(10_000);
    let resource = |media: &str| {
        let resource = json!({"uri": "file:///x.pdf", "mimeType": media, "blob": encoded});
        json!([{"type": "text", "text": "here"}, {"type": "resource", "resource": resource}])
    };
    for media in ["application/pdf", "application/octet-stream", "text/plain"] {
        let content = resource(media);
        let answer =
            call!(instance, call_transform, &origin().to_string(), &result(content.clone()));
        assert_eq!(answer["replaced"], true, "{answer}");
        assert_eq!(answer["handles"][0]["bytes"], 90_000);
        let shown = answer["result"]["content"].as_array().expect("blocks");
        assert_eq!(shown[0], content[0]);
        assert!(shown[1]["text"].as_str().is_some_and(|text| text.starts_with("[weir: ")));
        assert_eq!(
            shown[1]["_meta"]["weir/resource"],
            json!({"uri": "file:///x.pdf", "mimeType": media})
        );
        let chars = |name: &str| answer[name].as_u64().unwrap_or_default();
        assert!(chars("charsBefore") > 120_000 && chars("charsAfter") < 2_000, "{answer}");
    }
    let image = json!([{"type": "image", "mimeType": "image/png", "data": encoded}]);
    let shown = json!([{"type": "resource", "resource": {"uri": "x:y", "mimeType": "image/png", "blob": encoded}}]);
    let broken =
        json!([{"type": "resource", "resource": {"uri": "x:y", "blob": "%".repeat(9_000)}}]);
    for content in [image, shown, broken] {
        let answer = call!(instance, call_transform, &origin().to_string(), &result(content));
        assert_eq!(answer["replaced"], false, "{answer}");
    }
    // Beside a text that is replaced too.
    let mut content = resource("application/pdf");
    content[0]["text"] = log().into();
    let answer = call!(instance, call_transform, &origin().to_string(), &result(content));
    assert_eq!(answer["handles"].as_array().map(Vec::len), Some(2), "{answer}");
    assert!(
        !answer["result"]
            .to_string()
            .contains("JVBERi0xLjQKJVBERi0xLjQKJVBERi0xLjQKJVBERi0xLjQKJVBERi0xLjQKJVBERi0xLjQK")
    );
}

#[test]
fn a_tool_of_another_server_is_not_the_reader_by_its_name() {
    let mut instance = Instance::new();
    let call = |server: Value| {
        let mut call = origin();
        call["tool"] = "weir_fetch".into();
        call["server"] = server;
        call.to_string()
    };
    let large = result(json!([{"type": "text", "text": log()}]));
    let answer = call!(instance, call_transform, &call(json!("files")), &large);
    assert_eq!(answer["replaced"], true, "{answer}");
    let id = answer["handles"][0]["id"].clone();
    for server in [Value::Null, json!("weir")] {
        assert_eq!(call!(instance, call_transform, &call(server), &large)["reason"], "excluded");
    }
    // A real answer passes, through whichever gateway it came.
    let arguments = json!({"id": id, "mode": "range", "start": 1, "count": 100}).to_string();
    let read = call!(instance, call_invoke, SESSION, "weir_fetch", &arguments);
    let answer = call!(instance, call_transform, &call(json!("inner")), &read.to_string());
    assert_eq!(answer["reason"], "excluded", "{answer}");
}

/// What was found about a catalog's tools: the issue, the server, the tool.
fn diagnosed(opened: &Value) -> Vec<(String, String, String, String)> {
    let of = |diagnostic: &Value, field: &str| diagnostic[field].as_str().expect(field).to_owned();
    let list = opened["diagnostics"].as_array().unwrap_or_else(|| panic!("no catalog: {opened}"));
    let fields = ["issue", "server", "name", "detail"];
    list.iter().map(|found| fields.map(|field| of(found, field)).into()).collect()
}

fn opened(instance: &mut Instance, snapshot: &str) -> (u32, Vec<(String, String, String, String)>) {
    let opened = call!(*instance, call_open_catalog, snapshot);
    let found = diagnosed(&opened);
    (u32::try_from(opened["catalog"].as_u64().expect("a number")).expect("small"), found)
}

/// The arguments with which a call of this tool is dispatched.
fn dispatched(instance: &mut Instance, catalog: u32, name: &str, arguments: Value) -> Value {
    let call = json!({ "calls": [{ "name": name, "arguments": arguments }] }).to_string();
    call!(*instance, call_invoke_bridge, catalog, "tool_call", &call, "")
}

#[test]
fn an_entry_of_a_snapshot_that_cannot_be_read_costs_only_itself() {
    let mut weir = Instance::new();
    let good = r#"{"name":"copy_file","description":"Copies a file to another place."}"#;
    // Each stands between two good tools: what is wrong with it, the name that is said of it, and why.
    for (entry, name, why) in [
        (r#"{"name":7,"description":"A number."}"#, "", "name: "),
        ("null", "", "it must be an object"),
        (r#""delete_file""#, "", "it must be an object"),
        ("[]", "", "it must be an object"),
        (r#"{"name":"a","name":"b"}"#, "a", "name is there twice"),
        (r#"{"name":"a","inputSchema":{},"inputSchema":{}}"#, "a", "inputSchema is there twice"),
        (r#"{"description":["x"],"name":"a"}"#, "a", "description: "),
        (r#"{"name":"a","annotations":7}"#, "a", "it must be an object"),
        (r#"{"name":"a","annotations":{"readOnlyHint":"yes"}}"#, "a", "readOnlyHint: "),
        (r#"{"name":"a","tags":"x"}"#, "a", "tags: "),
        (r#"{"function":{"name":"a","title":1}}"#, "a", "title: "),
        (r#"{"function":{"name":7}}"#, "", "name: "),
    ] {
        let move_file = r#"{"name":"move_file","description":"Moves a file to another place."}"#;
        let tools = format!(r#"{{"name":"files","tools":[{good},{entry},{move_file}]}}"#);
        let (catalog, found) = opened(&mut weir, &format!(r#"{{"servers":[{tools}]}}"#));
        let [(issue, server, of, detail)] = &found[..] else { panic!("{entry}: {found:?}") };
        assert_eq!((&**issue, &**server, &**of), ("malformed", "files", name), "{entry}");
        assert!(detail.starts_with(why) && detail.ends_with("; it was left out"), "{detail}");
        for (query, tool) in [("copy a file", "copy_file"), ("move a file", "move_file")] {
            let query = json!({ "query": query }).to_string();
            let answer = call!(weir, call_invoke_bridge, catalog, "tool_search", &query, "");
            assert!(text(&answer["result"]).contains(tool), "{entry}: {answer}");
        }
        call!(weir, call_drop_catalog, catalog);
    }
    // A server that cannot be read costs its own tools, and is named as a server.
    for (entry, name) in [
        (r#"{"name":7,"tools":[]}"#, ""),
        ("null", ""),
        (r#"{"name":"bad","trusted":"yes","tools":[{"name":"delete_file"}]}"#, "bad"),
        (r#"{"name":"bad","tools":{"name":"delete_file"}}"#, "bad"),
    ] {
        let servers = format!(r#"{{"servers":[{entry},{{"name":"files","tools":[{good}]}}]}}"#);
        let (catalog, found) = opened(&mut weir, &servers);
        let [(issue, server, of, _)] = &found[..] else { panic!("{entry}: {found:?}") };
        assert_eq!((&**issue, &**server, &**of), ("malformed", name, ""), "{entry}");
        let answer = dispatched(&mut weir, catalog, "copy_file", json!({}));
        assert_eq!(answer["calls"][0]["server"], "files", "{entry}: {answer}");
        let answer = dispatched(&mut weir, catalog, "delete_file", json!({}));
        assert!(answer["calls"].is_null(), "{entry}: {answer}");
    }
}

#[test]
fn a_tool_is_taken_in_the_shapes_of_other_interfaces_and_with_half_a_character() {
    let mut weir = Instance::new();
    let schema = r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#;
    let snapshot = format!(
        r#"{{"tools":[
            {{"name":"mcp","description":"Half \ud83d of a character.","inputSchema":{schema}}},
            {{"name":"anthropic","input_schema":{schema}}},
            {{"name":"responses","type":"function","parameters":{schema}}},
            {{"type":"function","function":{{"name":"chat","parameters":{schema}}},"pinned":true}},
            {{"name":"both","parameters":{{}},"inputSchema":{schema}}},
            {{"name":"word","function":"what it does","inputSchema":{schema}}}
        ]}}"#
    );
    let (catalog, found) = opened(&mut weir, &snapshot);
    assert!(found.is_empty(), "{found:?}");
    for name in ["mcp", "anthropic", "responses", "chat", "both", "word"] {
        let answer = dispatched(&mut weir, catalog, name, json!({ "path": "a" }));
        assert_eq!(answer["calls"][0]["name"], name, "{answer}");
        // The schema is the tool's: without its one argument no call is dispatched.
        let answer = dispatched(&mut weir, catalog, name, json!({}));
        assert!(answer["calls"].is_null(), "{answer}");
        assert!(text(&answer["result"]).contains("path"), "{answer}");
    }
    let shown = call!(weir, call_assemble, catalog, r#"{"mode": "off"}"#);
    let described = shown["tools"].as_array().and_then(|tools| tools.first());
    let described = described.unwrap_or_else(|| panic!("{shown}"));
    assert_eq!(described["description"], "Half \u{fffd} of a character.");
    let shown = call!(weir, call_assemble, catalog, r#"{"mode": "on"}"#);
    assert_eq!(shown["tools"][0]["name"], "chat", "what is pinned beside `function`: {shown}");
}

#[test]
fn a_misspelt_field_of_a_snapshot_is_named_with_what_to_write_and_a_flood_is_not() {
    let mut weir = Instance::new();
    let snapshot = r#"{"knownPhrase":false,"servers":[{"name":"files","trustd":true,"later":1,"tools":[
        {"desciption":"Copies a file.","name":"copy_file","annotations":{"readOnlyHnt":true},"inputschema":{},"outputSchema":{"type":"object"},"icons":[]}
    ]}]}"#;
    let (catalog, found) = opened(&mut weir, snapshot);
    let slips = [
        ("", "", "knownPhrase", "knownPhrases"),
        ("files", "", "trustd", "trusted"),
        ("files", "copy_file", "desciption", "description"),
        ("files", "copy_file", "readOnlyHnt", "readOnlyHint"),
        ("files", "copy_file", "inputschema", "inputSchema"),
    ];
    let expected = slips.map(|(server, name, slip, field)| {
        let detail = format!("there is no field {slip}, and it was left out: write {field}");
        ("unknown-field".to_owned(), server.to_owned(), name.to_owned(), detail)
    });
    assert_eq!(found, expected);
    let answer = dispatched(&mut weir, catalog, "copy_file", json!({}));
    assert_eq!(answer["calls"][0]["name"], "copy_file", "{answer}");

    let tool =
        |n| format!(r#"{{"name":"tool_{n}","desciption":"Does it.","descripton":"Or not."}}"#);
    let tools: Vec<String> = (0..500).map(tool).chain(["null".to_owned()]).collect();
    let (catalog, found) = opened(&mut weir, &format!(r#"{{"tools":[{}]}}"#, tools.join(",")));
    let count = |issue: &str| found.iter().filter(|found| found.0 == issue).count();
    // What else is wrong is still said.
    assert_eq!((count("unknown-field"), count("malformed")), (32, 1), "{found:?}");
    let answer = dispatched(&mut weir, catalog, "tool_499", json!({}));
    assert_eq!(answer["calls"][0]["name"], "tool_499", "{answer}");
}

#[test]
fn a_directory_that_the_host_gives_for_reading_only_is_called_read_only_and_can_be_read() {
    let mut weir = Instance::new();
    let id = weir.stored(&log());
    let state = State::for_reading(&weir.sandbox.store(), "/store");
    let mut weir = Instance::over(weir.sandbox, state);
    for (text, whole) in [("a line\n".repeat(3_000), true), ("a line\n".repeat(30_000), false)] {
        let result = result(json!([{ "type": "text", "text": text }]));
        let answer = call!(weir, call_transform, &origin().to_string(), &result);
        assert_eq!(answer["replaced"], !whole, "{answer}");
        let why = answer["storeFailure"].as_str().unwrap_or_else(|| panic!("no reason: {answer}"));
        assert!(why.contains("the file system is read-only"), "{why}");
    }
    let arguments = json!({ "id": id, "mode": "grep", "pattern": "error:" }).to_string();
    let found = call!(weir, call_invoke, SESSION, "weir_fetch", &arguments);
    assert!(text(&found).contains("disk is full"), "{found}");
}
