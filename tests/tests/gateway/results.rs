//! Results of any size, and without the component.

use serde_json::json;
use weir_tests::Sandbox;

use crate::client::{Client, SERVER, server};

#[test]
fn a_result_of_any_size_arrives_and_is_read_back() {
    let sandbox = Sandbox::new();
    let servers = json!({"old": server(&[]), "new": server(&["--modern"])});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    for (tool, bytes, tail) in [
        ("old__big", 100, false),
        ("old__big", 60_000, true),
        ("old__big", 17 << 20, true),
        ("new__big", 17 << 20, false),
        ("old__big", 200 << 20, false),
    ] {
        let id = client
            .send("tools/call", json!({"name": tool, "arguments": {"bytes": bytes, "tail": tail}}));
        let (answer, line) = client.wait(id);
        if bytes == 100 {
            assert_eq!(answer["result"]["content"][0]["text"].as_str().unwrap().len(), 100);
            continue;
        }
        assert!(line.len() < 16_000, "{} bytes are shown", line.len());
        let blob = &answer["result"]["_meta"]["weir/blob"];
        assert_eq!(blob["bytes"], bytes, "{answer}");
        // Not every client can take a link: its facts stand in `_meta`.
        assert!(!answer["result"]["content"].to_string().contains("resource_link"), "{answer}");
        assert!(blob["uri"].as_str().unwrap().starts_with("weir://blob/"));
        let found = client.text(
            "weir_fetch",
            json!({"id": blob["id"], "mode": "grep", "pattern": "line 000000777:"}),
        );
        assert!(found.contains("line 000000777: all is well"), "{found}");
    }
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", client.child.id())).unwrap_or_default();
    if let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        // With the compiled component and the runtime; the 200 MB are not in it.
        assert!(peak < 160 * 1024, "{peak} kB of memory");
    }
    client.close();
}

#[test]
fn pages_of_one_list_are_read_as_one_however_small_the_last_is() {
    let sandbox = Sandbox::new();
    let servers = json!({"s": server(&[]), "t": server(&[])});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let first = client.text("s__structured", json!({"rows": 1_000}));
    let id = first.split("; id=").nth(1).unwrap()[..12].to_owned();
    let second = client.text("s__structured", json!({"rows": 900, "offset": 1_000}));
    let words = format!("900 rows more, 1,900 so far. All pages as one: id \"{id}+\"");
    assert!(second.contains(&words), "{second}");
    let third = client.text("s__structured", json!({"rows": 20, "offset": 1_900}));
    assert!(third.contains("row 1919") && !third.contains("weir"), "{third}");
    // Another server's tool of the same name is none of them.
    client.text("t__structured", json!({"rows": 900, "offset": 1_920}));
    let ask = json!({"id": format!("{id}+"), "mode": "query", "query": ".id", "reduce": "stats"});
    let answer = client.text("weir_fetch", ask);
    assert!(answer.contains("3 pages as one: 1,920 rows"), "{answer}");
    assert!(answer.contains("\"max\":1919"), "{answer}");
    client.close();
}

#[test]
fn all_pages_are_fetched_in_one_call_of_a_tool_that_only_reads() {
    let sandbox = Sandbox::new();
    let mut reads = server(&[]);
    reads["weir"] = json!({"readOnly": ["structured", "echo"]});
    let mut servers = json!({"reads": reads, "other": server(&[])});
    let all = |name: &str, arguments: serde_json::Value| json!({"calls": [{"name": name, "arguments": arguments}], "all_pages": true});
    // A page is no call beside the one that waits for it.
    let limits = json!({"parallelCalls": 1});
    let config = json!({"mcpServers": servers, "weir": {"audit": true, "limits": limits}});
    let file = sandbox.path().join("servers.json");
    std::fs::write(&file, config.to_string()).unwrap();
    let flags = ["--servers", file.to_str().unwrap(), "--mode", "bridge"];
    let mut client = Client::start_with(&sandbox, &flags);
    client.greet();
    let shown =
        client.call("tool_call", all("reads__structured", json!({"rows": 10, "until": 25})));
    let result = &shown["result"];
    let words = "[weir: 3 pages, 25 rows; the server gave no more]";
    assert_eq!(result["content"][1]["text"], words, "{shown}");
    assert_eq!(result["structuredContent"]["rows"][24]["id"], 24);
    assert_eq!(result["_meta"]["weir/allPages"]["whole"], true);
    // A large list is one stored result, and its end is that of the limit, which is said.
    let text = client.call("tool_call", all("reads__structured", json!({"rows": 40}))).to_string();
    let id = text.split("; id=").nth(1).unwrap()[..12].to_owned();
    assert!(
        text.contains("[weir: 50 pages, 2000 rows; there may be more: at most 50 pages"),
        "{text}"
    );
    let ask = json!({"id": id, "mode": "query", "query": ".id", "reduce": "stats"});
    let answer = client.text("weir_fetch", ask);
    assert!(answer.contains("\"count\":2000") && answer.contains("\"max\":1999"), "{answer}");
    let empty = client.call("tool_call", all("reads__structured", json!({"rows": 0}))).to_string();
    assert!(!empty.contains("[weir"), "{empty}");
    let echo = client.call("tool_call", all("reads__echo", json!({"text": "x"}))).to_string();
    assert!(echo.contains("[weir: this page alone; there may be more: it is no JSON"), "{echo}");
    // A tool of which nobody says that it only reads is not called.
    let refused = client.call("tool_call", all("other__structured", json!({})));
    assert!(refused["result"]["isError"] == true, "{refused}");
    assert!(refused.to_string().contains("page by page"), "{refused}");
    let once = json!({"name": "other__structured", "arguments": {}, "all_pages": false});
    assert!(client.text("tool_call", once).contains("row 2"));
    client.close();
    // Each page is a call in the log.
    let lines = std::fs::read_to_string(sandbox.path().join("state/audit.jsonl")).unwrap();
    let calls = lines.lines().filter(|line| line.contains(r#""tool":"structured""#)).count();
    assert_eq!(calls, 4 + 50 + 1 + 1, "{lines}");

    // By the configuration, without the bridge.
    servers["reads"]["weir"]["allPages"] = json!(["struct*"]);
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let text = client.call("reads__structured", json!({"rows": 10, "until": 25})).to_string();
    assert!(text.contains("3 pages, 25 rows"), "{text}");
    client.close();
}

#[test]
fn a_result_that_came_before_is_said_to_be_unchanged() {
    let sandbox = Sandbox::new();
    let servers = json!({"a": server(&[]), "b": server(&[])});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let mut texts = |tool: &str, bytes: u64| -> Vec<String> {
        let answer = client.call(tool, json!({"bytes": bytes, "tail": false}));
        let blocks = answer["result"]["content"].as_array().unwrap().iter();
        blocks.filter_map(|block| block["text"].as_str().map(str::to_owned)).collect()
    };
    // In memory, and streamed.
    for bytes in [60_000, 5 << 20] {
        let first = texts("a__big", bytes);
        if bytes < 100_000 {
            // No longer than a client passes: what is asked for again is shown whole, which says so itself.
            let whole = texts("a__big", bytes);
            assert!(whole[0].contains("asked for again") && whole[0].len() > bytes as usize);
            assert!(!whole.iter().any(|text| text.starts_with("Unchanged since ")));
        }
        let again = texts("a__big", bytes);
        let (said, before) = again.split_last().unwrap();
        assert!(said.starts_with("Unchanged since ") && said.contains(" GMT: "), "{said}");
        assert_eq!(before, first, "the excerpt itself stays the same");
        if bytes > 100_000 {
            assert_eq!(texts("a__big", bytes), again, "the time is that of the first");
        }
        // Another tool's equal bytes are stored once, and are no repetition.
        assert_eq!(texts("b__big", bytes).len(), first.len());
    }
    assert_eq!(texts("a__big", 100), texts("a__big", 100), "what passes whole is not touched");
    client.close();
}

#[test]
fn structured_results_break_no_client_that_checks_them() {
    let sandbox = Sandbox::new();
    let keep = json!({"command": SERVER, "weir": {"structured": "preserve"}});
    let mut client = Client::legacy(
        &sandbox,
        json!({"cut": server(&[]), "keep": keep}),
        &["--mode", "passthrough"],
    );
    let tools = client.tools();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap().clone();
    let advertised = tool("cut__structured");
    assert!(advertised.get("outputSchema").is_none());
    assert_eq!(advertised["_meta"]["weir/outputSchema"]["required"], json!(["rows"]));
    assert_eq!(tool("keep__structured")["outputSchema"]["required"], json!(["rows"]));
    // Small: as it came. Large: without structured content, unless that is to be kept.
    assert_eq!(
        client.call("cut__structured", json!({"rows": 2}))["result"]["structuredContent"]["rows"]
            [1]["id"],
        1
    );
    let large = client.call("cut__structured", json!({"rows": 5_000}));
    assert!(
        large["result"].get("structuredContent").is_none()
            && large["result"]["_meta"]["weir/blob"].is_object(),
        "{large}"
    );
    let kept = client.call("keep__structured", json!({"rows": 5_000}));
    assert_eq!(kept["result"]["structuredContent"]["rows"].as_array().unwrap().len(), 5_000);
    client.close();
}

#[test]
fn errors_keep_their_text_and_lists_are_objects_for_older_revisions() {
    let sandbox = Sandbox::new();
    let keep = json!({"command": SERVER, "weir": {"structured": "preserve"}});
    let servers = json!({"s": server(&[]), "keep": keep});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let mut raw = |tool: &str, result: serde_json::Value| {
        client.call(tool, json!({"result": result}))["result"].clone()
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    // Some clients show structured content alone: the text would be lost.
    let failed = raw(
        "s__raw",
        json!({"content": [text("no such row")], "structuredContent": {"code": 7}, "isError": true}),
    );
    assert_eq!(failed["content"], json!([text("no such row"), text(r#"{"code":7}"#)]));
    assert_eq!((failed.get("structuredContent"), &failed["isError"]), (None, &json!(true)));
    let copied = raw(
        "s__raw",
        json!({"content": [text(r#"{ "code": 7 }"#)], "structuredContent": {"code": 7}, "isError": true}),
    );
    assert_eq!(copied["content"].as_array().map(Vec::len), Some(1));
    // A list is no structured content of the older revisions.
    for tool in ["s__raw", "keep__raw"] {
        let list = raw(tool, json!({"content": [text("[1,2]")], "structuredContent": [1, 2]}));
        assert_eq!(list["structuredContent"], json!({"result": [1, 2]}), "{tool}");
    }
    // What passes passes whole, and the text beside it becomes an excerpt.
    let lines: String = (0..3_000).map(|n| format!("line {n}\n")).collect();
    let kept =
        raw("keep__raw", json!({"content": [text(&lines)], "structuredContent": {"lines": 3_000}}));
    assert_eq!(kept["structuredContent"], json!({"lines": 3_000}));
    assert!(kept["content"].to_string().len() < 12_000 && kept["_meta"]["weir/blob"].is_object());
    // Prose stays, and the data beside it is told as JSON.
    let rows: Vec<_> = (0..900)
        .map(|n| {
            let city = ["Bern", "Rome"][n % 2];
            json!({"id": n, "city": city})
        })
        .collect();
    let both = raw(
        "s__raw",
        json!({"content": [text("900 rows")], "structuredContent": {"rows": rows, "total": 5_000}}),
    );
    assert_eq!(both["content"][0], text("900 rows"));
    let excerpt = both["content"][1]["text"].as_str().unwrap();
    assert!(
        excerpt.contains("type=json") && excerpt.contains("a part by its tool's own word"),
        "{excerpt}"
    );
    let id = both["_meta"]["weir/blob"]["id"].clone();
    let query =
        json!({"id": id, "mode": "query", "query": "select(.city==\"Rome\")", "reduce": "count"});
    let found = client.text("weir_fetch", query);
    assert!(found.contains("450") && found.contains("\"total\\\": 5000"), "{found}");
    client.close();
}

#[test]
fn without_the_component_results_pass_whole_or_say_what_is_missing() {
    let sandbox = Sandbox::new();
    let mut client = Client::legacy(
        &sandbox,
        json!({"s": server(&[])}),
        &["--mode", "passthrough", "--component", "/no/such/file.wasm"],
    );
    assert_eq!(client.text("s__big", json!({"bytes": 40_000})).len(), 40_000);
    for bytes in [60_000, 6 << 20] {
        let text = client.text("s__big", json!({"bytes": bytes}));
        assert!(text.len() < 7_000 && text.starts_with("line 000000001:"), "{}", text.len());
        assert!(text.contains("cannot be read back") && text.contains("narrower"), "{text}");
    }
    client.close();
}

#[test]
fn each_result_is_held_to_its_tools_threshold_whatever_came_before() {
    let sandbox = Sandbox::new();
    let servers = json!({"a": server(&[]), "b": server(&[]), "c": server(&[])});
    let data = |bytes: usize| "QUJD".repeat(bytes / 3);
    let settings = |more: &str| {
        let file = sandbox.path().join("settings.toml");
        let rules = r#"{ tool = "b/*", action = "always" }, { tool = "c/*", action = "never" }"#;
        std::fs::write(&file, format!("[transform]\nrules = [{rules}]\n{more}")).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let start = |file: &str| {
        let flags = ["--mode", "passthrough", "--config", file];
        Client::legacy(&sandbox, servers.clone(), &flags)
    };
    let is_replaced = |answer: &serde_json::Value| {
        assert!(answer["result"]["content"].is_array(), "{answer}");
        answer["result"]["_meta"]["weir/blob"].is_object()
    };
    let mut client = start(&settings("again = 0\n"));
    // Twice: the threshold is asked for with the first result, and known with the others.
    let outcomes: Vec<Vec<String>> = (0..2)
        .map(|round| {
            for (tool, bytes, replaced) in [
                ("a__big", 100, false),
                ("a__big", 12_000, false),
                ("a__big", 12_001, true),
                ("b__big", 2_000, true),
                ("b__big", 100, false),
                ("c__big", 30_000, false),
            ] {
                let answer = client.call(tool, json!({"bytes": bytes}));
                assert_eq!(is_replaced(&answer), replaced, "{tool} {bytes} {round}");
            }
            // What came beside the text counts.
            let beside = json!({"content": [{"type": "text", "text": "short"}], "structuredContent":
                {"rows": "x".repeat(12_000)}});
            assert!(is_replaced(&client.call("a__raw", json!({"result": beside}))));
            // Bytes that nobody can read have a limit of their own.
            let mut binary = |bytes: usize| {
                let block = json!({"type": "resource", "resource":
                    {"uri": "x:y", "mimeType": "application/zip", "blob": data(bytes)}});
                let answer = client.call("a__raw", json!({"result": {"content": [block]}}));
                format!("{bytes} {} {}", is_replaced(&answer), answer["result"]["content"][0])
            };
            [300, 3_000, 12_000, 30_000].map(&mut binary).into()
        })
        .collect();
    assert_eq!(outcomes[0], outcomes[1]);
    client.close();
    // Tokens count as well, where that is set.
    let mut client = start(&settings("threshold_tokens = 1000\n"));
    for (bytes, replaced) in [(100, false), (8_000, true), (100, false), (8_000, true)] {
        assert_eq!(is_replaced(&client.call("a__big", json!({"bytes": bytes}))), replaced);
    }
    client.close();
}

#[test]
fn a_text_that_comes_twice_counts_once() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"a": server(&[])}), &["--mode", "passthrough"]);
    let lines = |count: usize| (0..count).map(|n| format!("line {n} \"é\"\n")).collect::<String>();
    let mut raw = |text: &str, structured: serde_json::Value| {
        let content = json!([{"type": "text", "text": text}]);
        let result = json!({"content": content, "structuredContent": structured});
        client.call("a__raw", json!({"result": result}))["result"].clone()
    };
    // Servers whose schema has the text in an object send it twice: what fits passes as it came.
    let text = lines(600);
    assert!(text.chars().count() > 6_000 && text.chars().count() < 12_000);
    let small = raw(&text, json!({"content": text}));
    assert_eq!(small["structuredContent"]["content"], text);
    // What does not is the text alone: each line once, with the end of the text at the end.
    let text = lines(3_000);
    let large = raw(&text, json!({"content": text}));
    let excerpt = large["content"][0]["text"].as_str().unwrap();
    assert!(excerpt.contains("of 3,000 lines"), "{excerpt}");
    let id = large["_meta"]["weir/blob"]["id"].as_str().unwrap().to_owned();
    // What stands beside the copy is told.
    let text = lines(3_001);
    let more = raw(&text, json!({"content": text, "cursor": "the next page begins at 3,001"}));
    let said = more["content"].to_string();
    assert!(said.contains("the next page begins at 3,001"), "{said}");
    let mut fetch = |id: &str, pattern: &str| {
        let arguments = json!({"id": id, "mode": "grep", "pattern": pattern});
        client.call("weir_fetch", arguments)["result"]["content"][0]["text"].clone()
    };
    let found = fetch(&id, "line 77 ").to_string();
    assert!(found.contains("1 match in 1 line"), "{found}");
    client.close();
}

#[test]
fn what_is_left_of_a_result_that_is_replaced_is_what_came() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"a": server(&[])}), &["--mode", "passthrough"]);
    let mut raw = |result: serde_json::Value| {
        client.call("a__raw", json!({"result": result}))["result"].clone()
    };
    let lines: String = (0..3_000).map(|n| format!("line {n}\n")).collect();
    let text = |text: &str| json!({"type": "text", "text": text});
    let large = "QUJD".repeat(10_000);
    let resource = |uri: &str, member: &str, value: &str| json!({"type": "resource", "resource": {"uri": uri, member: value}});
    let others = [
        json!({"type": "image", "data": "QUJD", "mimeType": "image/png", "later": 1}),
        json!({"type": "audio", "data": "QUJD", "mimeType": "audio/wav"}),
    ];

    // Several blocks of text: the small one stays beside the large one, which is a content of its own.
    let rows = json!((0..2_000).collect::<Vec<_>>()).to_string();
    let several = raw(json!({"content": [text("page 1 of 3"), text(&lines), text(&rows)]}));
    assert_eq!(several["content"][0], text("page 1 of 3"));
    let blobs = several["_meta"]["weir/blobs"].as_array().unwrap();
    assert_eq!(blobs.len(), 2, "{several}");
    assert_eq!((&blobs[0]["bytes"], &blobs[1]["bytes"]), (&lines.len().into(), &rows.len().into()));
    assert_eq!(blobs[0], several["_meta"]["weir/blob"]);
    assert_eq!(several["content"].as_array().unwrap().len(), 3, "{several}");

    // Sounds and images stay in their own blocks, members in their places.
    let content = [vec![text(&lines)], others.to_vec()].concat();
    let kept = raw(json!({"_meta": {"cost": 1}, "more": [1], "content": content, "isError": true}));
    assert_eq!(kept["content"].as_array().unwrap()[1..3], others);
    assert_eq!((&kept["more"], &kept["isError"]), (&json!([1]), &json!(true)), "{kept}");
    assert_eq!(kept["_meta"]["cost"], 1);

    // A resource is told by what it holds; where a text stands for it, `_meta` says where it is, in the form
    // that leads back to its server.
    let bytes =
        raw(json!({"content": [resource("x:y", "blob", &large), resource("x:z", "text", "z")]}));
    let blocks = bytes["content"].as_array().unwrap();
    assert!(blocks[0]["text"].as_str().unwrap().starts_with("[weir: "), "{bytes}");
    assert!(blocks[1]["resource"]["uri"].as_str().unwrap().ends_with("x:z"), "{bytes}");
    assert_ne!(blocks[1]["resource"]["uri"], "x:z");
    let place = &blocks[0]["_meta"]["weir/resource"];
    assert!(place["uri"].as_str().unwrap().ends_with("x:y") && place["uri"] != "x:y", "{bytes}");
    assert_eq!(place.get("mimeType"), None, "it did not say what it is: {bytes}");
    let mut untyped = resource("x:y", "text", &lines);
    untyped["type"] = "embedded".into();
    let opened = raw(json!({"content": [untyped]}));
    assert!(opened["content"][0]["text"].as_str().unwrap().contains("line 2999"), "{opened}");

    // Without content, a complete result is one; one that waits is not touched.
    let rows = json!({"rows": (0..5_000).collect::<Vec<_>>()});
    let complete = raw(json!({"resultType": "complete", "structuredContent": rows}));
    assert_eq!(complete["content"][0]["type"], "text", "{complete}");
    assert_eq!(
        (complete.get("structuredContent"), &complete["resultType"]),
        (None, &json!("complete"))
    );
    assert!(complete["_meta"]["weir/blob"].is_object(), "{complete}");
    client.close();
}
