//! Nothing that passes is written anew.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, SERVER, server};

#[test]
fn parameters_and_results_keep_every_byte() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": server(&[])}), &["--mode", "passthrough"]);
    let arguments = [
        r#"{"z":1.10,"a":123456789012345678901234567890,"n":[ 1 , 2.0e5,-0.0 ],"\u0061b":"é\/\ud83d\ude00"}"#,
        r#"{}"#,
        r#"{ "deep" : [[[[{"x":null,"x2":true}]]]] , "s":"\"name\":\"_meta\"" }"#,
    ];
    for (index, arguments) in arguments.iter().enumerate() {
        let id = 900 + index as u64;
        client.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"vendor":[1.50],"arguments":{arguments},"name":"s__echo","_meta":{{"k" : 2.50}}}}}}"#
        ));
        let (answer, _) = client.wait(id);
        assert_eq!(
            answer["result"]["content"][0]["text"].as_str().unwrap(),
            format!(
                r#"{{"vendor":[1.50],"arguments":{arguments},"name":"echo","_meta":{{"k" : 2.50}}}}"#
            )
        );
    }
    // And back: content of unknown type, unknown members, big numbers.
    let id = client.send("tools/call", json!({"name": "s__odd_content", "arguments": {}}));
    let (_, line) = client.wait(id);
    assert_eq!(
        line,
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"_meta":{{"k":"v"}},"content":[{{"frames":[1,2.5],"type":"video"}},{{"text":"seen","type":"text","vendor":1}}],"vendorTop":{{"a":12345678901234567,"b":1}}}}}}"#
        )
    );
    client.close();
}

#[test]
fn real_catalogues_pass_unchanged_and_get_the_same_names_each_time() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/catalogs");
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    let files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension().is_some_and(|e| e == "json")
                && path.file_stem().is_some_and(|s| s != "manifest")
        })
        .collect();
    let sandbox = Sandbox::new();
    let mut expected = BTreeSet::new();
    let mut servers = json!({});
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        servers[name] = json!({"command": SERVER, "args": ["--catalog", path], "weir": {"structured": "preserve", "startTimeout": 120}});
        let catalogue: Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut seen = BTreeSet::new();
        for tool in catalogue["tools"].as_array().into_iter().flatten() {
            if seen.insert(tool["name"].as_str().unwrap().to_owned()) {
                let mut tool = tool.clone();
                tool["name"] = Value::Null;
                expected.insert(tool.to_string());
            }
        }
    }
    let mut names = Vec::new();
    // The second time from what is kept of the servers, without starting one.
    for _ in 0..2 {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "passthrough"]);
        let until = Instant::now() + Duration::from_secs(120);
        let tools = loop {
            let tools = client.tools();
            if tools.len() > expected.len() || Instant::now() > until {
                break tools;
            }
        };
        let listed: Vec<String> =
            tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "names clash");
        assert!(listed.iter().all(|name| name.len() <= 50));
        let shown: BTreeSet<String> = tools
            .into_iter()
            .filter(|tool| tool["name"] != "weir_fetch")
            .map(|mut tool| {
                tool["name"] = Value::Null;
                tool.to_string()
            })
            .collect();
        assert!(
            shown == expected,
            "{} definitions are not as their servers gave them",
            shown.symmetric_difference(&expected).count()
        );
        names.push(listed);
        client.close();
    }
    assert_eq!(names[0], names[1]);
}
