//! Clients and servers over HTTP.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE, SERVER, server};
use crate::endpoint::{Endpoint, INITIALIZE};

#[test]
fn the_endpoint_lets_in_only_who_should_be() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(
        &sandbox,
        json!({"s": server(&[])}),
        &["--token", "tok-123456", "--metrics"],
    );
    let auth = ("Authorization", "Bearer tok-123456");
    let status = |headers: &[(&str, &str)]| endpoint.send("POST", "/mcp", headers, INITIALIZE).0;
    assert_eq!(status(&[auth]), 200);
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("Authorization", "Bearer tok-123457")]), 401);
    assert_eq!(status(&[auth, ("Host", "rebound.example")]), 403);
    assert_eq!(status(&[auth, ("Origin", "http://evil.example")]), 403);
    assert_eq!(status(&[auth, ("Origin", "http://localhost:3000")]), 200);
    assert_eq!(endpoint.send("GET", "/healthz", &[], "").0, 200);
    let (status, _, metrics) = endpoint.send("GET", "/metrics", &[auth], "");
    assert!(status == 200 && metrics.contains("weir_server_up{server=\"s\"}"), "{metrics}");
    assert_eq!(endpoint.send("GET", "/metrics", &[], "").0, 401);
    let open = sandbox.command(["serve", "--http", "0.0.0.0:0", "--", SERVER]).output().unwrap();
    assert!(
        !open.status.success() && String::from_utf8_lossy(&open.stderr).contains("token"),
        "{open:?}"
    );
}

#[test]
fn the_page_shows_a_token_its_own_and_nobody_else_anything() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("page.json");
    let tokens = json!({
        "all": {"token": "tok-all-123456"},
        "one": {"token": "tok-one-123456", "servers": ["open"]},
    });
    let servers = json!({"open": server(&[]), "hidden": server(&[])});
    std::fs::write(&file, json!({"mcpServers": servers, "weir": {"tokens": tokens}}).to_string())
        .unwrap();
    let flags = ["--ui", "--servers", file.to_str().unwrap()];
    let endpoint = Endpoint::start_in(&sandbox, &flags, &[]);
    let bearer = |token: &str| format!("Bearer tok-{token}-123456");
    for tool in ["open__big", "hidden__big"] {
        let call = json!({"name": tool, "arguments": {"bytes": 60_000}});
        let all = bearer("all");
        let (_, answer) = endpoint.modern("tools/call", call, &[("Authorization", &all)]);
        assert!(answer["result"]["_meta"]["weir/blob"].is_object(), "{answer}");
    }
    let page = |authorization: &str| {
        let headers: &[_] = match authorization {
            "" => &[],
            _ => &[("Authorization", authorization)],
        };
        endpoint.send("GET", "/ui?q=big+%3Cb%3E", headers, "")
    };
    use base64::prelude::{BASE64_STANDARD, Engine as _};
    let basic = |password: &str| format!("Basic {}", BASE64_STANDARD.encode(password));
    for nobody in ["", "Bearer wrong", &basic("all:wrong"), &basic("tok-all-123456"), "Basic ?"] {
        let (status, head, body) = page(nobody);
        assert!(status == 401 && head.contains("www-authenticate: basic"), "{nobody}: {head}");
        assert!(!body.contains("open"), "{body}");
    }
    // A browser's credentials open the page, and nothing else.
    let all = basic("anybody:tok-all-123456");
    assert_eq!(endpoint.send("POST", "/mcp", &[("Authorization", &all)], INITIALIZE).0, 401);
    let (status, head, body) = page(&all);
    assert_eq!(status, 200, "{head}");
    let policy = "content-security-policy: default-src 'none'; style-src 'nonce-";
    assert!(head.contains(policy) && head.contains("cache-control: no-store"), "{head}");
    assert!(body.contains("hidden/big") && body.contains("/ui?result="), "{body}");
    assert!(body.contains("value=\"big &lt;b&gt;\"") && body.contains("hidden__big"), "{body}");
    // Another token: its own servers, searches, calls and results.
    let (status, _, other) = page(&bearer("one"));
    assert!(status == 200 && other.contains("open__big") && other.contains(">open<"), "{other}");
    for theirs in [">hidden<", "hidden__", "hidden/", "/ui?result="] {
        assert!(!other.contains(theirs), "{theirs}: {other}");
    }
    let id = between(&body, "/ui?result=", "\"").to_owned();
    let read = |token: &str, how: &str| {
        let path = format!("/ui?result={id}{how}");
        endpoint.send("GET", &path, &[("Authorization", &bearer(token))], "").2
    };
    let (whole, lines) = (read("all", ""), read("all", "&mode=grep&text=no+such+word"));
    assert!(whole.contains("value=\"forget\"") && lines.contains("no such word"), "{lines}");
    assert!(read("one", "").contains("there is no such result"));
    // What a form does needs the key of its reader, and the result to be the reader's.
    let send = |token: &str, form: &str| {
        endpoint.send("POST", "/ui", &[("Authorization", &bearer(token))], form)
    };
    let key = |page: &str| between(page, "name=\"key\" value=\"", "\"").to_owned();
    let (own, foreign) = (key(&whole), "0".repeat(64));
    let form = |what: &str, key: &str| format!("do={what}&id={id}&key={key}");
    assert_eq!(send("all", &form("forget", &foreign)).0, 409);
    assert_eq!(send("all", &form("nothing", &own)).0, 409);
    assert_eq!(send("one", &form("forget", &own)).0, 409);
    assert_eq!(send("all", &form("pin", &own)).0, 303);
    assert!(read("all", "").contains("value=\"unpin\""));
    assert_eq!(send("all", &form("forget", &own)).0, 303);
    assert!(read("all", "").contains("there is no such result"));
    // It is there only where it was asked for.
    let without = Endpoint::start(&sandbox, json!({}), &["--token", "tok-123456"]);
    assert_eq!(without.send("GET", "/ui", &[("Authorization", "Bearer tok-123456")], "").0, 404);
}

/// What stands between the first `from` and the next `to`.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).expect(text).0
}

#[test]
fn the_page_starts_a_failed_server_again_and_says_where_it_is() {
    let sandbox = Sandbox::new();
    let there = sandbox.path().join("there");
    let script =
        format!("test -e '{}' && exec '{SERVER}'; echo no key >&2; exit 3", there.display());
    let servers = json!({"late": {"command": "sh", "args": ["-c", script]}});
    let endpoint = Endpoint::start(&sandbox, servers, &["--ui"]);
    let page = || endpoint.send("GET", "/ui", &[], "").2;
    let wait = |what: &str| {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let page = page();
            if page.contains(what) {
                return page;
            }
            assert!(Instant::now() < deadline, "{page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let failed = wait("no key");
    assert!(failed.contains("class=\"bad\">failed: "), "{failed}");
    std::fs::write(there, "").unwrap();
    let key = between(&failed, "name=\"key\" value=\"", "\"");
    let sent = endpoint.send("POST", "/ui", &[], &format!("do=start&id=late&key={key}"));
    assert!(sent.0 == 303 && sent.1.contains("location: /ui#servers"), "{}", sent.1);
    wait(">ready<");
    let shown = sandbox.command(["ui", "--state", "http-state"]).output().unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout);
    assert_eq!(shown.trim(), format!("http://{}/ui", endpoint.address));
}

#[test]
fn both_eras_are_served_at_one_address() {
    let sandbox = Sandbox::new();
    let endpoint =
        Endpoint::start(&sandbox, json!({"old": server(&[]), "new": server(&["--modern"])}), &[]);
    // Legacy: a session.
    let (status, head, _) = endpoint.send("POST", "/mcp", &[], INITIALIZE);
    let session = head
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap()
        .trim()
        .to_owned();
    assert_eq!(status, 200);
    let with = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
    let call = |name: &str| {
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": {}, "_meta": {"progressToken": 7}}}).to_string()
    };
    for name in ["old__slow", "new__slow"] {
        let (status, head, body) = endpoint.send("POST", "/mcp", &with, &call(name));
        assert!(status == 200 && head.contains("text/event-stream"), "{head}");
        assert_eq!(body.matches("notifications/progress").count(), 5, "{body}");
        assert!(body.contains(r#""text":"done""#));
    }
    assert_eq!(endpoint.send("POST", "/mcp", &[], &call("old__pid")).0, 400);
    assert_eq!(endpoint.send("POST", "/mcp", &[("Mcp-Session-Id", "x")], &call("old__pid")).0, 404);
    assert_eq!(endpoint.send("DELETE", "/mcp", &with, "").0, 204);
    assert_eq!(endpoint.send("POST", "/mcp", &with, &call("old__pid")).0, 404);
    // Modern: each request alone, its headers checked against its body.
    let (status, discovered) = endpoint.modern("server/discover", json!({}), &[]);
    assert!(
        status == 200 && discovered["result"]["supportedVersions"][0] == "2026-07-28",
        "{discovered}"
    );
    for name in ["old__pid", "new__pid"] {
        let (status, answer) = endpoint.modern("tools/call", json!({"name": name}), &[]);
        assert!(status == 200 && answer["result"]["resultType"] == "complete", "{answer}");
    }
    let code =
        |(status, answer): (u16, Value)| (status, answer["error"]["code"].as_i64().unwrap_or(0));
    assert_eq!(
        code(endpoint.modern("tools/list", json!({}), &[("Mcp-Method", "ping")])),
        (400, -32020)
    );
    assert_eq!(
        code(endpoint.modern("tools/call", json!({"name": "old__pid"}), &[("Mcp-Name", "x")])),
        (400, -32020)
    );
    assert_eq!(code(endpoint.modern("no/such", json!({}), &[])), (404, -32601));
    assert_eq!(endpoint.send("GET", "/mcp", &[], "").0, 405);
    assert_eq!(endpoint.send("POST", "/mcp", &[], "{broken").0, 400);
}

#[test]
fn a_gateway_behind_a_gateway_passes_everything_on() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &["--token", "tok-123456"]);
    let behind = json!({"url": format!("http://{}/mcp", endpoint.address), "headers": {"Authorization": "Bearer tok-123456"}});
    let refused = json!({"url": format!("http://{}/mcp", endpoint.address), "headers": {"Authorization": "Bearer wrong-987654"}});
    let mut client = Client::legacy(
        &sandbox,
        json!({"far": behind, "closed": refused}),
        &["--mode", "passthrough"],
    );
    client.answer = |_| json!({"result": {"action": "accept", "content": {"name": "Ann"}}});
    assert!(client.tool_names().contains(&"far__s__echo".to_owned()));
    assert!(client.text("far__s__ask", json!({})).contains("Ann"));
    let id = client.send(
        "tools/call",
        json!({"name": "far__s__slow", "arguments": {}, "_meta": {"progressToken": 1}}),
    );
    client.wait(id);
    assert_eq!(client.notified("notifications/progress", 5).len(), 5);
    // What the server has begun can be cancelled: it says so with its first progress.
    let id = client.send(
        "tools/call",
        json!({"name": "far__s__slow", "arguments": {"steps": 2_000, "ms": 20}, "_meta": {"progressToken": 2}}),
    );
    client.notified("notifications/progress", 1);
    client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string());
    let until = Instant::now() + PATIENCE;
    while client.text("far__s__cancelled", json!({})).is_empty() {
        assert!(Instant::now() < until, "the cancellation did not arrive");
    }
    let text = client.text("closed__x", json!({}));
    assert!(
        text.contains("401") && text.contains("token") && !text.contains("wrong-987654"),
        "{text}"
    );
    client.close();
}

#[test]
fn what_a_server_asks_in_a_clients_call_is_asked_of_nobody_else() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &[]);
    let hello = INITIALIZE.replace(r#""capabilities":{}"#, r#""capabilities":{"elicitation":{}}"#);
    let open = || {
        let (_, head, _) = endpoint.send("POST", "/mcp", &[], &hello);
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
        id.trim().to_owned()
    };
    let (anna, bert) = (open(), open());
    let with = |session: &'static str| [("Mcp-Session-Id", session)];
    let (anna, bert) = (with(anna.leak()), with(bert.leak()));
    let call = |tool: &str, arguments: Value| {
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params":
               {"name": tool, "arguments": arguments, "_meta": {"progressToken": 1}}})
        .to_string()
    };
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert!(endpoint.send("POST", "/mcp", &anna, list).2.contains("s__ask"));
    let mut beside = endpoint.stream("GET", &bert, "");
    // Asked of the one in whose call it is asked; what the other says to it does not count.
    let mut asking = endpoint.stream("POST", &anna, &call("s__ask", json!({})));
    let asked = asking.next();
    assert_eq!(asked["method"], "elicitation/create");
    let answer = |name: &str| {
        let content = json!({"action": "accept", "content": {"name": name}});
        json!({"jsonrpc": "2.0", "id": asked["id"], "result": content}).to_string()
    };
    assert_eq!(endpoint.send("POST", "/mcp", &bert, &answer("Bert")).0, 202);
    assert_eq!(endpoint.send("POST", "/mcp", &anna, &answer("Anna")).0, 202);
    let text = asking.next()["result"]["content"][0]["text"].to_string();
    assert!(text.contains("Anna") && !text.contains("Bert"), "{text}");
    // With calls of both under way nobody can tell whose it is: nobody is asked.
    let mut slow =
        endpoint.stream("POST", &bert, &call("s__slow", json!({"steps": 2_000, "ms": 20})));
    assert_eq!(slow.next()["method"], "notifications/progress");
    let (_, _, refused) = endpoint.send("POST", "/mcp", &anna, &call("s__ask", json!({})));
    assert!(refused.contains("which of them"), "{refused}");
    // The first thing that the other hears is what all are told.
    endpoint.send("POST", "/mcp", &anna, &call("s__add_tool", json!({})));
    assert_eq!(beside.next()["method"], "notifications/tools/list_changed");
}

#[test]
fn each_path_shows_the_tools_in_its_way() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&["--modern"])}), &[]);
    let names = |path: &str| {
        let (status, listed) = endpoint.modern_at(path, "tools/list", json!({}), &[]);
        assert_eq!(status, 200);
        listed["result"]["tools"].to_string()
    };
    for path in ["/mcp", "/mcp/direct"] {
        assert!(names(path).contains("s__echo") && !names(path).contains("tool_search"), "{path}");
    }
    let bridged = names("/mcp/bridge");
    assert!(bridged.contains("tool_search") && !bridged.contains(r#""s__echo""#), "{bridged}");
    let (_, called) = endpoint.modern_at(
        "/mcp/bridge",
        "tools/call",
        json!({"name": "tool_call", "arguments": {"calls": [{"name": "s__pid", "arguments": {}}]}}),
        &[],
    );
    let pid = called["result"]["content"][0]["text"].as_str().unwrap();
    assert!(pid.parse::<u32>().is_ok(), "{called}");
}

#[test]
fn the_endpoint_has_hard_edges() {
    let sandbox = Sandbox::new();
    let servers = json!({"s": server(&[])});
    let flags = ["--token", "tok-123456", "--metrics", "--allow-origin", "https://app.example"];
    let endpoint = Endpoint::start(&sandbox, servers, &flags);
    let auth = ("Authorization", "Bearer tok-123456");
    // What is shown of the servers is for who may see it.
    assert_eq!(endpoint.send("GET", "/metrics", &[], "").0, 401);
    assert_eq!(endpoint.send("GET", "/metrics", &[("Host", "evil.example"), auth], "").0, 403);
    assert_eq!(endpoint.send("GET", "/metrics", &[auth], "").0, 200);
    // Of two, which is looked at?
    let host = ("Host", "localhost");
    assert_eq!(endpoint.send("POST", "/mcp", &[auth, host, host], INITIALIZE).0, 400);
    let origin = ("Origin", "https://app.example");
    assert_eq!(endpoint.send("POST", "/mcp", &[auth, origin, origin], INITIALIZE).0, 400);
    // None at all, one that is no text, and one that stands in the request line.
    assert_eq!(endpoint.exchange("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n").0, 200);
    for (start, host, status) in [
        ("/metrics HTTP/1.1", "", 400),
        ("/metrics HTTP/1.1", "Host: \u{e9}vil.example\r\n", 403),
        ("http://evil.example/metrics HTTP/1.1", "Host: localhost\r\n", 403),
        ("http://localhost/metrics HTTP/1.1", "Host: localhost\r\n", 200),
    ] {
        let request =
            format!("GET {start}\r\n{host}Connection: close\r\nAuthorization: {}\r\n\r\n", auth.1);
        assert_eq!(endpoint.exchange(&request).0, status, "{request}");
    }
    // A page asks before it sends; one that is not allowed learns nothing.
    let wanted = ("Access-Control-Request-Headers", "mcp-param-region, x-other");
    let (status, head, _) = endpoint.send("OPTIONS", "/mcp", &[origin, wanted], "");
    assert_eq!(status, 204);
    assert!(head.contains("mcp-param-region") && !head.contains("x-other"), "{head}");
    assert!(head.contains("access-control-allow-origin: https://app.example"), "{head}");
    assert!(head.contains("authorization") && head.contains("mcp-session-id"), "{head}");
    let (status, head, _) = endpoint.send("POST", "/mcp", &[auth, origin], INITIALIZE);
    assert!(status == 200 && head.contains("access-control-allow-origin: https://app.example"));
    assert!(head.contains("access-control-expose-headers: mcp-session-id"), "{head}");
    let (status, head, _) =
        endpoint.send("OPTIONS", "/mcp", &[("Origin", "https://evil.example")], "");
    assert!(status == 403 && !head.contains("access-control"), "{head}");
    // A batch of very many is refused.
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let batch = format!("[{}]", vec![ping; 50_000].join(","));
    assert_eq!(endpoint.send("POST", "/mcp", &[auth], &batch).0, 413);
    // One of nothing is no request.
    let (status, _, body) = endpoint.send("POST", "/mcp", &[auth], "[]");
    assert!(status == 400 && body.contains("-32600"), "{status} {body}");
    // What is decided by the first of two members is not forwarded for a server to read the last.
    let (_, head, _) = endpoint.send("POST", "/mcp", &[auth], INITIALIZE);
    let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"s__pid","\u006eame":"crash"}}"#;
    let (_, _, body) =
        endpoint.send("POST", "/mcp", &[auth, ("Mcp-Session-Id", session.trim())], twice);
    assert!(body.contains("twice"), "{body}");
}

#[cfg(unix)]
#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    use std::io::Write;
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("few-files.json");
    std::fs::write(&file, json!({"mcpServers": {"s": server(&[])}}).to_string()).unwrap();
    let endpoint =
        Endpoint::start_limited(&sandbox, &["--servers", file.to_str().unwrap()], "ulimit -n 100");
    let silent: Vec<_> = (0..150)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(endpoint.address).unwrap();
            let _ = stream.write_all(b"POST /mcp HTTP/1.1\r\nHost: local");
            stream
        })
        .collect();
    // Long before the time for their headers is over: 30 s.
    let asked = Instant::now();
    assert_eq!(endpoint.send("POST", "/mcp", &[], INITIALIZE).0, 200);
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
    drop(silent);
}

#[test]
fn messages_that_do_not_end_fill_no_memory_and_keep_no_short_one_out() {
    use std::io::{Read, Write};
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({}), &[]);
    let head = |bytes: usize| {
        format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {bytes}\r\n\r\n",
            endpoint.address
        )
    };
    // Three of 50 MB, of which the last tenth never comes: one of them is too much.
    let (answers, first) = std::sync::mpsc::channel();
    let held: Vec<_> = (0..3)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(endpoint.address).unwrap();
            let (mut sending, head) = (stream.try_clone().unwrap(), head(50_000_000));
            std::thread::spawn(move || {
                let _ = sending.write_all(head.as_bytes());
                let piece = vec![b' '; 1_000_000];
                for _ in 0..45 {
                    let _ = sending.write_all(&piece);
                }
            });
            let (kept, answers) = (stream.try_clone().unwrap(), answers.clone());
            std::thread::spawn(move || {
                let (mut answer, mut piece) = (String::new(), [0; 1_000]);
                while !answer.ends_with('}') {
                    match stream.read(&mut piece) {
                        Ok(0) | Err(_) => return,
                        Ok(read) => answer.push_str(&String::from_utf8_lossy(&piece[..read])),
                    }
                }
                let _ = answers.send(answer);
            });
            kept
        })
        .collect();
    let answer = first.recv_timeout(PATIENCE).unwrap();
    assert!(answer.starts_with("HTTP/1.1 503") && answer.contains("retry-after: 1"), "{answer}");
    assert!(answer.contains("134217728 bytes") && answer.contains("again"), "{answer}");
    assert_eq!(endpoint.send("POST", "/mcp", &[], INITIALIZE).0, 200);
    for stream in held {
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    }
    // What was held is there for others again.
    let long = format!("[{}", " ".repeat(60_000_000));
    let until = Instant::now() + PATIENCE;
    while endpoint.send("POST", "/mcp", &[], &long).0 == 503 {
        assert!(Instant::now() < until, "what was held is not given back");
    }
    assert_eq!(endpoint.send("POST", "/mcp", &[], &" ".repeat(65 << 20)).0, 413);
}

#[test]
fn user_interfaces_of_several_servers_can_be_read() {
    let sandbox = Sandbox::new();
    let servers = json!({"a": server(&["--modern", "--ui"]), "b": server(&["--modern", "--ui"])});
    let endpoint = Endpoint::start(&sandbox, servers, &[]);
    let tools = endpoint.modern("tools/list", json!({}), &[]).1["result"]["tools"].clone();
    let read = |uri: &str| {
        let answer = endpoint.modern("resources/read", json!({"uri": uri}), &[("Mcp-Name", uri)]).1;
        answer["result"]["contents"][0].clone()
    };
    for server in ["a", "b"] {
        let name = format!("{server}__shown");
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == *name).unwrap();
        let uri = tool["_meta"]["ui"]["resourceUri"].as_str().unwrap();
        assert!(uri.starts_with("ui://"), "hosts go by the scheme: {uri}");
        let content = read(uri);
        assert_eq!(
            (content["uri"].as_str(), content["text"].as_str()),
            (Some(uri), Some("content of ui://view/main.html"))
        );
    }
    let listed =
        endpoint.modern("resources/list", json!({}), &[]).1["result"]["resources"].to_string();
    assert!(
        listed.contains("ui://weir/a/view/main.html") && !listed.contains("weir:a/ui:"),
        "{listed}"
    );
    // As a server's own text has it, it could be of both: then it is nobody's.
    assert!(read("ui://view/main.html").is_null());
    let one = Sandbox::new();
    let only = json!({"a": server(&["--modern", "--ui"]), "b": server(&["--modern"])});
    let endpoint = Endpoint::start(&one, only, &[]);
    endpoint.modern("tools/list", json!({}), &[]);
    let uri = "ui://view/main.html";
    let answer = endpoint.modern("resources/read", json!({"uri": uri}), &[("Mcp-Name", uri)]).1;
    assert_eq!(answer["result"]["contents"][0]["text"], "content of ui://view/main.html");
}

#[test]
fn a_stream_that_broke_harms_no_other_and_a_cancelled_call_has_an_empty_one() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &[]);
    let hello = INITIALIZE.replace("2025-06-18", "2025-11-25");
    let (_, head, _) = endpoint.send("POST", "/mcp", &[], &hello);
    let id = head
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap()
        .trim()
        .to_owned();
    let session = ("Mcp-Session-Id", id.as_str());
    let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
        "name": "s__slow", "arguments": {"steps": 8, "ms": 100}, "_meta": {"progressToken": 1}}});
    let mut stream = endpoint.stream("POST", &[session], &call.to_string());
    assert_eq!(stream.next()["params"]["progress"], 1);
    drop(stream);
    // What belongs to no request waits for the next connection, and goes to one at a time.
    let list = r#"{"jsonrpc":"2.0","id":6,"method":"tools/list"}"#;
    assert!(endpoint.send("POST", "/mcp", &[session], list).2.contains("s__slow"));
    endpoint.send("POST", "/mcp", &[session], &call.to_string().replace("s__slow", "s__add_tool"));
    let mut heard = endpoint.stream("GET", &[session], "");
    assert_eq!(heard.next()["method"], "notifications/tools/list_changed");
    let (status, _, _) = endpoint.send("GET", "/mcp", &[session], "");
    assert_eq!(status, 409);
    // Cancelled before anything was said: a stream without an answer, which no client takes for an error.
    let hang = json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {"name": "s__hang", "arguments": {}}});
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| endpoint.send("POST", "/mcp", &[session], &hang.to_string()));
        let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 8}});
        // Until it has come far enough to be cancelled.
        let deadline = Instant::now() + PATIENCE;
        while !waiting.is_finished() && Instant::now() < deadline {
            endpoint.send("POST", "/mcp", &[session], &cancel.to_string());
            std::thread::sleep(Duration::from_millis(50));
        }
        let (status, head, body) = waiting.join().unwrap();
        assert!(status == 200 && head.contains("text/event-stream"), "{status} {head}");
        assert!(!body.contains("data"), "{body}");
    });
}

#[test]
fn a_stranger_s_greetings_push_out_no_session_that_is_in_use() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({}), &[]);
    let open = || {
        let (status, head, _) = endpoint.send("POST", "/mcp", &[], INITIALIZE);
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        (status, id.map(|id| id.trim().to_owned()).unwrap_or_default())
    };
    let ping = |id: &str| {
        let ping = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
        endpoint.send("POST", "/mcp", &[("Mcp-Session-Id", id)], ping).0
    };
    let (_, own) = open();
    assert_eq!(ping(&own), 200);
    let mut strangers: Vec<String> = (0..1_100).map(|_| open().1).collect();
    assert_eq!(ping(&own), 200);
    assert_eq!(ping(&strangers[0]), 404, "of those that were never used the oldest made room");
    // Nor do theirs, when they use them: then nobody new is let in for a while.
    strangers.drain(..101);
    assert!(strangers.iter().all(|id| ping(id) == 200));
    let (status, _) = open();
    assert_eq!((status, ping(&own)), (503, 200));
}

#[test]
fn a_fresh_endpoint_is_ready_for_any_probe_and_knows_its_servers_before_a_client_comes() {
    let sandbox = Sandbox::new();
    let mark = sandbox.path().join("starts");
    let good = server(&["--both", "--mark", mark.to_str().unwrap()]);
    let servers = json!({
        "good": good, "dead": {"command": "/nowhere"}, "mute": server(&["--mode", "mute"]),
    });
    let endpoint = Endpoint::start(&sandbox, servers, &["--token", "tok-123456"]);
    let (status, _, body) = endpoint.send("GET", "/readyz", &[("Host", "10.1.2.3:3456")], "");
    assert_eq!((status, body.trim()), (200, "ready"));
    let state = sandbox.path().join("http-state");
    let known = || {
        let file = sandbox.path().join("http-servers.json");
        let [servers, state] = [&file, &state].map(|path| path.to_str().unwrap());
        let shown = sandbox.run(["servers", "--json", "--servers", servers, "--state", state]);
        let rows: Vec<Value> = serde_json::from_str(&shown.stdout).unwrap();
        rows.iter().any(|row| row["name"] == "good" && row["state"] == "known")
    };
    let until = Instant::now() + PATIENCE;
    while !known() {
        assert!(Instant::now() < until, "no client came, and the server is not known");
        std::thread::sleep(Duration::from_millis(100));
    }
    // The first client is of the other era: its server is started in that, and there are not two.
    let auth = ("Authorization", "Bearer tok-123456");
    let (_, head, _) = endpoint.send("POST", "/mcp", &[auth], INITIALIZE);
    let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().trim();
    let call = |name: &str| {
        let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": {}}});
        endpoint.send("POST", "/mcp", &[auth, ("Mcp-Session-Id", id)], &call.to_string()).2
    };
    let pid = call("good__pid");
    let starts = std::fs::read_to_string(&mark).unwrap();
    let pids: Vec<&str> = starts.lines().collect();
    assert!(pids.len() == 2 && pid.contains(pids[1]), "{pid} {pids:?}");
    while std::path::Path::new("/proc").join(pids[0]).exists() {
        assert!(Instant::now() < until, "the first one still runs");
        std::thread::sleep(Duration::from_millis(50));
    }
}
