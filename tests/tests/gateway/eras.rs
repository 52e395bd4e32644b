//! What passes between clients and servers of both eras.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, server};

#[test]
fn everything_passes_in_all_four_pairs_of_eras() {
    for modern_client in [false, true] {
        let sandbox = Sandbox::new();
        let servers = json!({"old": server(&[]), "new": server(&["--modern"])});
        let mut client = match modern_client {
            false => Client::legacy(&sandbox, servers, &["--mode", "passthrough"]),
            true => Client::modern(&sandbox, servers, &["--mode", "passthrough"]),
        };
        client.answer = |asked| match asked["method"].as_str() {
            Some("elicitation/create") => {
                json!({"result": {"action": "accept", "content": {"name": "Ann"}}})
            }
            Some(method) => json!({"result": {"answered": method}}),
            None => json!({}),
        };
        let tools = client.tool_names();
        assert_eq!(tools.iter().filter(|name| name.starts_with("old__")).count(), 17);
        assert_eq!(tools.iter().filter(|name| name.starts_with("new__")).count(), 17);
        for name in ["old", "new"] {
            let pair = format!("{name} server, modern client: {modern_client}");
            // Progress, under the client's own token.
            let id = client.send(
                "tools/call",
                json!({"name": format!("{name}__slow"), "arguments": {}, "_meta": {"progressToken": "mine"}}),
            );
            assert_eq!(client.wait(id).0["result"]["content"][0]["text"], "done", "{pair}");
            let progress = client.notified("notifications/progress", 5);
            assert!(
                progress.iter().all(|note| note["params"]["progressToken"] == "mine"),
                "{pair}"
            );
            assert_eq!(progress[4]["params"]["progress"], 5, "{pair}");

            // The server asks the user.
            let mut answer = client.call(&format!("{name}__ask"), json!({}));
            if modern_client {
                assert_eq!(answer["result"]["resultType"], "input_required", "{pair}: {answer}");
                let requests = answer["result"]["inputRequests"].as_object().unwrap();
                let responses: serde_json::Map<String, Value> = requests
                    .keys()
                    .map(|key| {
                        (key.clone(), json!({"action": "accept", "content": {"name": "Ann"}}))
                    })
                    .collect();
                answer = client.ask(
                    "tools/call",
                    json!({"name": format!("{name}__ask"), "arguments": {}, "inputResponses": responses,
                           "requestState": answer["result"]["requestState"]}),
                );
            }
            assert!(
                answer["result"]["content"][0]["text"]
                    .as_str()
                    .is_some_and(|text| text.contains("Ann")),
                "{pair}: {answer}"
            );

            // Cancelled here, cancelled there.
            let id = client
                .send("tools/call", json!({"name": format!("{name}__hang"), "arguments": {}}));
            std::thread::sleep(Duration::from_millis(300));
            client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string());
            let until = Instant::now() + Duration::from_secs(10);
            while client.text(&format!("{name}__cancelled"), json!({})).is_empty() {
                assert!(Instant::now() < until, "{pair}: the cancellation did not arrive");
            }
            assert!(
                !client.answers.contains_key(&id),
                "{pair}: a cancelled request is not answered"
            );

            // Prompts, resources, completion.
            let prompt = client.ask(
                "prompts/get",
                json!({"name": format!("{name}__greet"), "arguments": {"who": "Bo"}}),
            );
            assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Hello Bo", "{pair}");
            let uri = format!("weir:{name}/test://one");
            let read = client.ask("resources/read", json!({"uri": uri}));
            assert_eq!(read["result"]["contents"][0]["uri"], uri, "{pair}");
            let missing = client.ask("resources/read", json!({"uri": format!("weir:{name}/nope")}));
            assert_eq!(
                missing["error"]["code"],
                if modern_client { -32602 } else { -32002 },
                "{pair}"
            );
            let completion = client.ask(
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": format!("weir:{name}/test://item/{{id}}")}, "argument": {"name": "id", "value": "4"}}),
            );
            assert_eq!(completion["result"]["completion"]["values"][0], "4-completed", "{pair}");

            // A link can be followed: its URI is one that this gateway reads.
            let link = client.call(&format!("{name}__link"), json!({}));
            let uri = link["result"]["content"][0]["uri"].clone();
            assert_eq!(
                client.ask("resources/read", json!({"uri": uri}))["result"]["contents"][0]["text"],
                "content of test://one"
            );

            // What changes is told, once; log messages to who wants them.
            let mut listen = None;
            if modern_client {
                listen = Some(client.send("subscriptions/listen", json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": [format!("weir:{name}/test://two")]}})));
                client.notified("notifications/subscriptions/acknowledged", 1);
            } else {
                client
                    .ask("resources/subscribe", json!({"uri": format!("weir:{name}/test://two")}));
                client.ask("logging/setLevel", json!({"level": "debug"}));
            }
            let updated = client.notified("notifications/resources/updated", 1);
            assert_eq!(updated[0]["params"]["uri"], format!("weir:{name}/test://two"), "{pair}");
            let meta = if modern_client {
                json!({"io.modelcontextprotocol/logLevel": "info"})
            } else {
                json!({})
            };
            client.ask(
                "tools/call",
                json!({"name": format!("{name}__log"), "arguments": {}, "_meta": meta}),
            );
            assert_eq!(
                client.notified("notifications/message", 1)[0]["params"]["data"],
                "hello",
                "{pair}"
            );
            client.call(&format!("{name}__add_tool"), json!({}));
            client.notified("notifications/tools/list_changed", 1);
            assert_eq!(client.text(&format!("{name}__late"), json!({})), "late", "{pair}");
            assert!(
                client
                    .notes
                    .iter()
                    .all(|note| note["method"] != "notifications/tools/list_changed"),
                "{pair}: told twice"
            );
            if let Some(id) = listen {
                client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string());
            }
        }
        if !modern_client {
            assert!(client.text("old__sample", json!({})).contains("sampling/createMessage"));
            assert!(client.text("old__roots", json!({})).contains("roots/list"));
            assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
        }
        assert_eq!(client.ask("no/such", json!({}))["error"]["code"], -32601);
        assert_eq!(client.call("no_such_tool", json!({}))["error"]["code"], -32602);
        client.close();
    }
}
