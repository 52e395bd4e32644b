//! Several clients of one gateway: nothing of one reaches another.

use std::time::Instant;

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{PATIENCE, SERVER, server};
use crate::endpoint::Endpoint;

/// A legacy client over HTTP.
pub(crate) struct Legacy<'a> {
    endpoint: &'a Endpoint,
    headers: Vec<(&'static str, String)>,
    root: &'static str,
}

impl<'a> Legacy<'a> {
    pub(crate) fn open(
        endpoint: &'a Endpoint,
        token: Option<&str>,
        capabilities: Value,
        root: &'static str,
    ) -> Legacy<'a> {
        let mut headers = Vec::new();
        if let Some(token) = token {
            headers.push(("Authorization", format!("Bearer {token}")));
        }
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": capabilities,
            "clientInfo": {"name": "t", "version": "1"},
        }});
        let mut client = Legacy { endpoint, headers, root };
        let (_, head, _) = client.send("POST", &hello.to_string());
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
        client.headers.push(("Mcp-Session-Id", id.trim().to_owned()));
        client
    }

    fn with(&self) -> Vec<(&str, &str)> {
        self.headers.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    fn send(&self, method: &str, body: &str) -> (u16, String, String) {
        self.endpoint.send(method, "/mcp", &self.with(), body)
    }

    /// Asks, and answers with its own root what it is asked for.
    pub(crate) fn ask(&self, method: &str, params: Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let (_, head, text) = {
            let mut stream = self.endpoint.stream("POST", &self.with(), &body.to_string());
            loop {
                let message = stream.message();
                if message.get("method").is_some() && message.get("id").is_some() {
                    let uri = format!("file://{}", self.root);
                    let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {
                        "roots": [{"uri": uri}], "role": "assistant", "model": "m",
                        "content": {"type": "text", "text": self.root}, "action": "accept",
                    }});
                    self.send("POST", &answer.to_string());
                } else if message["id"] == 7 {
                    break (200, String::new(), message);
                }
            }
        };
        drop(head);
        text
    }

    pub(crate) fn call(&self, tool: &str, arguments: Value) -> String {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        answer["result"]["content"].to_string() + &answer["error"].to_string()
    }
}

#[test]
fn results_of_one_client_are_not_there_for_another() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &[]);
    let open = || Legacy::open(&endpoint, None, json!({}), "/");
    let (anna, bert) = (open(), open());
    let shown = anna.call("s__big", json!({"bytes": 200_000}));
    let again = anna.call("s__big", json!({"bytes": 200_000}));
    assert!(!shown.contains("Unchanged since") && again.contains("Unchanged since"), "{again}");
    // The same bytes: the other client is told nothing of when they came before.
    let theirs = bert.call("s__structured", json!({}));
    assert!(!theirs.contains("Unchanged"), "{theirs}");
    let list = |client: &Legacy<'_>| client.call("weir_fetch", json!({"mode": "list"}));
    assert!(list(&anna).contains("big"), "{}", list(&anna));
    assert!(!list(&bert).contains("big"), "{}", list(&bert));
    let modern = |headers: &[(&str, &str)]| {
        let params = json!({"name": "weir_fetch", "arguments": {"mode": "list"}});
        endpoint.modern("tools/call", params, headers).1.to_string()
    };
    assert!(!modern(&[]).contains("big"), "{}", modern(&[]));
    assert!(!bert.call("s__big", json!({"bytes": 200_000})).contains("Unchanged since"));
}

#[test]
fn each_client_has_its_own_roots_where_a_server_is_its_own() {
    let sandbox = Sandbox::new();
    let own = json!({"command": SERVER, "weir": {"instance": "client"}});
    let endpoint = Endpoint::start(&sandbox, json!({"own": own, "all": server(&[])}), &[]);
    let can = json!({"roots": {}, "sampling": {}});
    let anna = Legacy::open(&endpoint, None, can.clone(), "/anna");
    let bert = Legacy::open(&endpoint, None, can, "/bert");
    let plain = Legacy::open(&endpoint, None, json!({}), "/plain");
    for _ in 0..3 {
        for (client, root) in [(&anna, "/anna"), (&bert, "/bert")] {
            assert!(client.call("own__roots", json!({})).contains(root));
            // Shared, but asked within the call: of whoever calls.
            assert!(client.call("all__sample", json!({})).contains(root));
        }
    }
    // The capabilities of who came first are not everybody's.
    assert!(!plain.call("all__sample", json!({})).contains("/"));
    let pid = |client: &Legacy<'_>, server: &str| client.call(&format!("{server}__pid"), json!({}));
    assert_eq!(pid(&anna, "all"), pid(&bert, "all"));
    assert_ne!(pid(&anna, "own"), pid(&bert, "own"));
    assert_eq!(pid(&anna, "own"), pid(&anna, "own"));
}

#[test]
fn a_server_of_a_clients_own_asks_that_client_also_outside_of_its_calls() {
    let sandbox = Sandbox::new();
    let own = json!({"command": SERVER, "args": ["--asks-roots"], "weir": {"instance": "client"}});
    let endpoint = Endpoint::start(&sandbox, json!({"own": own}), &[]);
    // The first instance, which lists the tools, asks too: while one client is there alone, that one.
    let first = Legacy::open(&endpoint, None, json!({}), "/first");
    assert!(first.ask("tools/list", json!({})).to_string().contains("own__told"));
    let clients = ["/anna", "/bert", "/carl"]
        .map(|root| Legacy::open(&endpoint, None, json!({"roots": {}}), root));
    for client in &clients {
        let mut stream = endpoint.stream("GET", &client.with(), "");
        // Starts its server, which asks for the roots before there is a call.
        client.call("own__pid", json!({}));
        // The stream may say first that lists have changed.
        let mut asked = stream.next();
        while asked["method"] != "roots/list" {
            assert_eq!(asked["method"], "notifications/tools/list_changed", "{asked}");
            asked = stream.next();
        }
        let roots = json!({"roots": [{"uri": format!("file://{}", client.root)}]});
        let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": roots});
        client.send("POST", &answer.to_string());
        let until = Instant::now() + PATIENCE;
        while !client.call("own__told", json!({})).contains(client.root) {
            assert!(Instant::now() < until, "{} has not got its roots", client.root);
        }
    }
}

#[test]
fn a_log_level_ends_with_the_client_that_set_it() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &[]);
    let anna = Legacy::open(&endpoint, None, json!({}), "/");
    assert_eq!(anna.call("s__told", json!({})).matches("level").count(), 0);
    anna.ask("logging/setLevel", json!({"level": "error"}));
    assert!(anna.call("s__told", json!({})).contains("level error"));
    let bert = Legacy::open(&endpoint, None, json!({}), "/");
    assert_eq!(anna.send("DELETE", "").0, 204);
    // Also before its next call: servers log outside of calls too.
    let until = Instant::now() + PATIENCE;
    while !bert.call("s__told", json!({})).contains("level info") {
        assert!(Instant::now() < until, "the level of a client that is gone holds");
    }
}

#[test]
fn a_silent_client_does_not_silence_another() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &[]);
    let anna = Legacy::open(&endpoint, None, json!({}), "/");
    let bert = Legacy::open(&endpoint, None, json!({}), "/");
    anna.call("s__pid", json!({}));
    anna.ask("logging/setLevel", json!({"level": "emergency"}));
    let logs = |client: &Legacy<'_>| {
        let call = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "s__log", "arguments": {}}});
        client.send("POST", &call.to_string()).2.matches("notifications/message").count()
    };
    assert_eq!(logs(&anna), 0);
    assert!(logs(&bert) > 0);
}

#[test]
fn clients_of_both_eras_are_each_spoken_to_in_their_own() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"both": server(&["--both"])}), &[]);
    let modern = |tool: &str| {
        let params = json!({"name": format!("both__{tool}")});
        endpoint.modern("tools/call", params, &[]).1["result"]["content"].to_string()
    };
    let first = modern("pid");
    let anna = Legacy::open(&endpoint, None, json!({"sampling": {}}), "/anna");
    assert!(anna.call("both__sample", json!({})).contains("/anna"));
    assert_ne!(anna.call("both__pid", json!({})).trim_end_matches("null"), first);
    assert_eq!(modern("pid"), first, "the first link goes on");
}

#[test]
fn a_token_sees_what_its_profile_names_and_no_other_tokens_session() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("tokens.json");
    let config = json!({
        "mcpServers": {"git": server(&[]), "mail": server(&[])},
        "weir": {"tokens": {
            "anna": {"token": "tok-anna-1", "servers": ["git"], "tools": ["git__pid", "git__big"]},
            "bert": {"token": "${BERT}"},
            "odd": {"token": "tok-odd-1", "sorvers": ["git"]},
        }},
    });
    std::fs::write(&file, config.to_string()).unwrap();
    let flags = ["--servers", file.to_str().unwrap()];
    let endpoint = Endpoint::start_in(&sandbox, &flags, &[("BERT", "tok-bert-1")]);
    let anna = Legacy::open(&endpoint, Some("tok-anna-1"), json!({}), "/");
    let bert = Legacy::open(&endpoint, Some("tok-bert-1"), json!({}), "/");
    let names = |client: &Legacy<'_>| client.ask("tools/list", json!({})).to_string();
    let (few, all) = (names(&anna), names(&bert));
    assert!(few.contains("\"git__pid\"") && !few.contains("git__echo") && !few.contains("mail__"));
    assert!(all.contains("\"git__echo\"") && all.contains("\"mail__echo\""));
    assert!(anna.call("git__pid", json!({})).contains("text"));
    for tool in ["git__echo", "mail__pid"] {
        assert!(anna.call(tool, json!({})).contains("Unknown tool"), "{tool}");
    }
    let resources = |client: &Legacy<'_>| client.ask("resources/list", json!({})).to_string();
    assert!(!resources(&anna).contains("weir:"), "{}", resources(&anna));
    assert!(resources(&bert).contains("weir:git/") && resources(&bert).contains("weir:mail/"));
    // A session is its token's, whoever learns its id.
    let id = anna.headers[1].1.as_str();
    let stolen = [("Authorization", "Bearer tok-bert-1"), ("Mcp-Session-Id", id)];
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    assert_eq!(endpoint.send("POST", "/mcp", &stolen, list).0, 404);
    // An entry with a mistake lets nobody in.
    for wrong in ["tok-odd-1", "tok-none-1", "${BERT}"] {
        let auth = format!("Bearer {wrong}");
        assert_eq!(endpoint.send("POST", "/mcp", &[("Authorization", &auth)], list).0, 401);
    }
}

#[test]
fn what_is_no_tool_is_granted_with_its_server_or_by_name_in_every_method() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("tokens.json");
    let token =
        |name: &str, tools: Value| json!({"token": format!("tok-{name}-1"), "tools": tools});
    let config = json!({
        "mcpServers": {"git": server(&["--ui"]), "mail": server(&[])},
        "weir": {"tokens": {
            "whole": token("whole", json!(["git__*"])),
            "named": token("named", json!(["git__pid", "git__test://o*", "git__prompt:li*"])),
            "tools": token("tools", json!(["git__p*", "git__shown"])),
            "other": {"token": "tok-other-1", "mode": "bridge", "tools": ["mail__pid", "git__test://o*"]},
        }},
    });
    std::fs::write(&file, config.to_string()).unwrap();
    let endpoint = Endpoint::start_in(&sandbox, &["--servers", file.to_str().unwrap()], &[]);
    let [whole, named, tools] = ["tok-whole-1", "tok-named-1", "tok-tools-1"]
        .map(|token| Legacy::open(&endpoint, Some(token), json!({}), "/"));
    let list = |client: &Legacy<'_>, method: &str, member: &str, key: &str| -> Vec<String> {
        let listed = client.ask(method, json!({}));
        let items = listed["result"][member].as_array().unwrap_or_else(|| panic!("{listed}"));
        items.iter().map(|item| item[key].as_str().unwrap().to_owned()).collect()
    };
    let [one, two, item, ui] =
        ["test://one", "test://two", "test://item/{id}", "ui://view/main.html"].map(
            |own| match own.strip_prefix("ui://") {
                Some(rest) => format!("ui://weir/git/{rest}"),
                None => format!("weir:git/{own}"),
            },
        );
    let asks = |client: &Legacy<'_>, what: &str, on: &str| -> bool {
        let (method, params) = match what {
            "read" => ("resources/read", json!({"uri": on})),
            "subscribe" => ("resources/subscribe", json!({"uri": on})),
            "get" => ("prompts/get", json!({"name": on})),
            reference => {
                let name = if reference == "ref/prompt" { "name" } else { "uri" };
                let argument = json!({"name": "x", "value": "4"});
                (
                    "completion/complete",
                    json!({"ref": {"type": reference, name: on}, "argument": argument}),
                )
            }
        };
        client.ask(method, params).get("result").is_some()
    };
    for (client, uris, templates, prompts) in [
        (&whole, vec![&one, &two, &ui], vec![&item], vec!["git__greet", "git__linked"]),
        (&named, vec![&one], vec![], vec!["git__linked"]),
        (&tools, vec![&ui], vec![], vec![]),
    ] {
        assert_eq!(
            list(client, "resources/list", "resources", "uri").iter().collect::<Vec<_>>(),
            uris
        );
        let listed = list(client, "resources/templates/list", "resourceTemplates", "uriTemplate");
        assert_eq!(listed.iter().collect::<Vec<_>>(), templates);
        assert_eq!(list(client, "prompts/list", "prompts", "name"), prompts);
        for uri in [&one, &two, &ui] {
            assert_eq!(asks(client, "read", uri), uris.contains(&uri), "{uri}");
        }
        for uri in [&one, &two] {
            assert_eq!(asks(client, "subscribe", uri), uris.contains(&uri), "{uri}");
        }
        for name in ["git__greet", "git__linked"] {
            assert_eq!(asks(client, "get", name), prompts.contains(&name), "{name}");
            assert_eq!(asks(client, "ref/prompt", name), prompts.contains(&name), "{name}");
        }
        assert_eq!(asks(client, "ref/resource", &item), templates.contains(&&item));
    }
    // By the server's own URI, and on a path that leads elsewhere.
    assert!(asks(&named, "read", "test://one") && !asks(&named, "read", "test://two"));
    for path in ["test://o/../two", "test://o/%2e%2E/two"] {
        assert!(!asks(&named, "read", &format!("weir:git/{path}")), "{path}");
    }
    let other = "weir:mail/test://one";
    assert!(![&whole, &named, &tools].into_iter().any(|client| asks(client, "read", other)));
    // A search too shows what is granted of a server with none of whose tools the client is trusted.
    let client = Legacy::open(&endpoint, Some("tok-other-1"), json!({}), "/");
    let arguments = json!({"queries": ["one", "two"], "kinds": ["resource"]});
    let found = client.call("tool_search", arguments);
    assert!(found.contains(&one) && !found.contains(&two), "{found}");
    for (uri, is_granted) in [(&one, true), (&two, false)] {
        let shown = client.call("tool_describe", json!({"names": [uri]}));
        assert_eq!(!shown.contains("nothing has this name"), is_granted, "{shown}");
    }
}

#[test]
fn results_of_a_token_outlive_its_sessions_and_the_gateway_where_it_says_so() {
    let sandbox = Sandbox::new();
    let config = json!({"mcpServers": {"s": server(&[])}, "weir": {"tokens": {
        "anna": {"token": "tok-anna-1", "results": "token"},
        "bert": {"token": "tok-bert-1"},
        "carl": {"token": "tok-carl-1", "results": "token"},
    }}});
    let file = sandbox.path().join("tokens.json");
    std::fs::write(&file, config.to_string()).unwrap();
    let start = || Endpoint::start_in(&sandbox, &["--servers", file.to_str().unwrap()], &[]);
    let list = |endpoint: &Endpoint, token: &str| {
        let client = Legacy::open(endpoint, Some(token), json!({}), "/");
        client.call("weir_fetch", json!({"mode": "list"}))
    };
    let endpoint = start();
    for token in ["tok-anna-1", "tok-bert-1"] {
        let client = Legacy::open(&endpoint, Some(token), json!({}), "/");
        client.call("s__big", json!({"bytes": 200_000}));
        assert!(client.call("weir_fetch", json!({"mode": "list"})).contains("big"));
    }
    drop(endpoint);
    let endpoint = start();
    assert!(list(&endpoint, "tok-anna-1").contains("big"));
    for other in ["tok-bert-1", "tok-carl-1"] {
        assert!(!list(&endpoint, other).contains("big"), "{other}");
    }
}
