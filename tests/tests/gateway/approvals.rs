//! Calls that a person is asked about, by form or by command; rules that refuse; sets of tools.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::apart::Legacy;
use crate::client::{Client, PATIENCE, server};
use crate::endpoint::{Endpoint, INITIALIZE};

/// A file of the scripted server in both eras, with what the gateway is to do.
fn file(sandbox: &Sandbox, own: Value) -> String {
    let mut own = own;
    own["listWait"] = json!(PATIENCE.as_secs());
    own["audit"] = json!(true);
    let config = json!({
        "mcpServers": {
            "old": {"command": crate::client::SERVER, "weir": {"references": ["*"]}},
            "new": server(&["--modern"]),
        },
        "weir": own,
    });
    let file = sandbox.path().join("approvals.json");
    std::fs::write(&file, config.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn start(
    sandbox: &Sandbox,
    own: Value,
    modern: bool,
    can_ask: bool,
    answer: fn(&Value) -> Value,
) -> Client {
    let file = file(sandbox, own);
    let mut client = Client::start_with(sandbox, &["--servers", &file, "--mode", "passthrough"]);
    client.modern = modern;
    client.answer = answer;
    if !can_ask {
        client.capabilities = json!({"roots": {}});
    }
    if !modern {
        client.greet();
    }
    client
}

fn says(word: &str) -> Value {
    json!({"result": {"action": "accept", "content": {"run": word}}})
}

const ONCE: fn(&Value) -> Value = |_| says("once");
const SESSION: fn(&Value) -> Value = |_| says("session");
const ALWAYS: fn(&Value) -> Value = |_| says("always");
const NO: fn(&Value) -> Value = |_| says("no");

/// Calls a tool and answers what the client is asked; the answer's text, and how often it was asked.
fn call(client: &mut Client, tool: &str, arguments: Value) -> (String, usize) {
    client.notes.clear();
    let answer = client.converse("tools/call", json!({"name": tool, "arguments": arguments}));
    let asked = client.notes.iter().filter(|note| note["method"] == "elicitation/create").count();
    let text =
        answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    (text.to_owned(), asked)
}

fn approve(sandbox: &Sandbox, state: &str, words: &[&str]) -> Value {
    let state = sandbox.path().join(state);
    let mut command = sandbox.command(["approve", "--json", "--state", state.to_str().unwrap()]);
    command.arg("--servers").arg(sandbox.path().join("approvals.json"));
    let output = command.args(words).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// The one call that waits, once it does.
fn waiting(sandbox: &Sandbox, state: &str) -> Value {
    let until = Instant::now() + PATIENCE;
    loop {
        let waiting = approve(sandbox, state, &[]);
        if let [one] = &waiting.as_array().unwrap()[..] {
            return one.clone();
        }
        assert!(Instant::now() < until, "nothing waits: {waiting}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn decisions(sandbox: &Sandbox, state: &str) -> Vec<String> {
    let log = std::fs::read_to_string(sandbox.path().join(state).join("audit.jsonl")).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let decided = lines.filter(|line| line["method"] == "weir/approval");
    decided.map(|line| line["decision"].as_str().unwrap().to_owned()).collect()
}

/// What nobody should run unasked.
fn danger(word: &str) -> Value {
    json!({"command": format!("cd /srv && rm -rf {word}")})
}

#[test]
fn clients_of_both_eras_are_asked_and_nothing_runs_before_its_yes() {
    for modern in [false, true] {
        let sandbox = Sandbox::new();
        let own = || json!({"dangerous": "ask"});
        let mut client = start(&sandbox, own(), modern, true, NO);
        for side in ["old", "new"] {
            // It would be seen if it ran: a tool more.
            let tool = format!("{side}__add_tool");
            client.answer = NO;
            let (text, asked) = call(&mut client, &tool, danger("a"));
            assert!(
                asked == 1 && text.contains("was not run") && text.contains("the answer was no"),
                "{text}"
            );
            assert!(text.contains("rm -rf a"), "{text}");
            client.answer = |_| json!({"result": {"action": "decline"}});
            let (text, _) = call(&mut client, &tool, danger("a"));
            assert!(
                text.contains("turned the question down after") && text.contains("approvalForm"),
                "{text}"
            );
            // No is also what a person says who takes their time.
            client.answer = |_| {
                std::thread::sleep(Duration::from_millis(1_100));
                json!({"result": {"action": "decline"}})
            };
            assert!(call(&mut client, &tool, danger("a")).0.contains("the answer was no"));
            client.answer = |_| says("perhaps");
            assert!(call(&mut client, &tool, danger("a")).0.contains("the answer was no"));
            assert!(!client.tool_names().contains(&format!("{side}__late")));
            client.answer = ONCE;
            let (_, asked) = call(&mut client, &tool, danger("a"));
            assert_eq!(asked, 1);
            let until = Instant::now() + PATIENCE;
            while !client.tool_names().contains(&format!("{side}__late")) {
                assert!(Instant::now() < until, "it did not run");
            }
            // Once is once, and what is ordinary is not asked about.
            client.answer = NO;
            assert!(call(&mut client, &tool, danger("a")).0.contains("was not run"));
            let (text, asked) =
                call(&mut client, &format!("{side}__echo"), json!({"command": "ls"}));
            assert!(asked == 0 && text.contains("\"ls\""), "{text}");
            assert!(!text.contains("requestState") && !text.contains("inputResponses"), "{text}");
        }
        // The server's own question to a call that was let pass.
        client.answer =
            |asked| match asked["params"]["requestedSchema"]["properties"]["run"].is_object() {
                true => says("once"),
                false => json!({"result": {"action": "accept", "content": {"name": "Ann"}}}),
            };
        for tool in ["old__ask", "new__ask"] {
            let (text, asked) = call(&mut client, tool, danger("b"));
            assert!(text.contains("Ann") && asked == 2, "{modern} {tool} {asked}: {text}");
        }
        client.close();
        let decisions = decisions(&sandbox, "state");
        let count = |word: &str| decisions.iter().filter(|decision| *decision == word).count();
        assert_eq!((count("no"), count("once")), (10, 4), "{decisions:?}");
    }
}

#[test]
fn a_yes_for_a_session_ends_with_it_and_one_for_good_is_kept_and_taken_back() {
    for modern in [false, true] {
        let sandbox = Sandbox::new();
        let own = || json!({"dangerous": "ask"});
        let mut client = start(&sandbox, own(), modern, true, SESSION);
        assert_eq!(call(&mut client, "old__echo", danger("a")).1, 1);
        assert_eq!(call(&mut client, "old__echo", danger("a")).1, 0);
        // Another command, and another tool, are others.
        client.answer = NO;
        for (tool, word) in [("old__echo", "b"), ("new__echo", "a")] {
            let (text, asked) = call(&mut client, tool, danger(word));
            assert!(asked == 1 && text.contains("was not run"), "{text}");
        }
        client.close();
        let mut client = start(&sandbox, own(), modern, true, ALWAYS);
        assert_eq!(call(&mut client, "old__echo", danger("a")).1, 1, "another session");
        client.close();
        let mut client = start(&sandbox, own(), modern, true, NO);
        let (text, asked) = call(&mut client, "old__echo", danger("a"));
        assert!(asked == 0 && text.contains("rm -rf a"), "kept over a restart: {text}");
        let kept = approve(&sandbox, "state", &["--list"]);
        assert_eq!((kept.as_array().unwrap().len(), &kept[0]["tool"]), (1, &json!("old__echo")));
        let id = kept[0]["id"].as_str().unwrap();
        assert_eq!(approve(&sandbox, "state", &["--revoke", id])["revoked"], true);
        assert_eq!(approve(&sandbox, "state", &["--revoke", id])["revoked"], false);
        let (text, asked) = call(&mut client, "old__echo", danger("a"));
        assert!(asked == 1 && text.contains("was not run"), "taken back at once: {text}");
        client.close();
        let decisions = decisions(&sandbox, "state");
        for word in ["session", "in-session", "always", "kept", "no"] {
            assert!(decisions.iter().any(|decision| decision == word), "{word}: {decisions:?}");
        }
        assert_eq!(decisions.iter().filter(|decision| *decision == "revoked").count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let kept = std::fs::metadata(sandbox.path().join("state/approvals.json")).unwrap();
            assert_eq!(kept.permissions().mode() & 0o777, 0o600);
        }
    }
}

#[test]
fn clients_that_cannot_be_asked_wait_for_the_command_and_not_for_ever() {
    for modern in [false, true] {
        let sandbox = Sandbox::new();
        let mut client = start(&sandbox, json!({"dangerous": "ask"}), modern, false, NO);
        let send = |client: &mut Client, word: &str| {
            client.send("tools/call", json!({"name": "old__echo", "arguments": danger(word)}))
        };
        let text = |client: &mut Client, id: u64| {
            let answer = client.wait(id).0;
            answer["result"]["content"][0]["text"]
                .as_str()
                .unwrap_or_else(|| panic!("{answer}"))
                .to_owned()
        };
        for (flags, ran) in [(&[][..], true), (&["--no"], false), (&["--for-session"], true)] {
            let id = send(&mut client, "a");
            let question = waiting(&sandbox, "state");
            assert!(question["why"].as_str().unwrap().contains("rm -rf a"), "{question}");
            assert!(client.lines.try_recv().is_err(), "it has not run");
            let name = question["id"].as_str().unwrap();
            let said = approve(&sandbox, "state", &[&[name], flags].concat());
            assert_eq!(said["waited"], true, "{said}");
            assert_eq!(!text(&mut client, id).contains("was not run"), ran);
            assert_eq!(approve(&sandbox, "state", &[name])["waited"], false, "answered");
        }
        let id = send(&mut client, "a");
        assert!(!text(&mut client, id).contains("was not run"), "allowed for the session");
        client.close();
        // Nobody answers; and who gives a call up leaves nothing behind.
        let own = json!({"dangerous": "ask", "approvalWait": 1});
        let mut client = start(&sandbox, own, modern, false, NO);
        let id = send(&mut client, "a");
        let said = text(&mut client, id);
        assert!(
            said.contains("nobody answered within 1 s") && said.contains("weir approve"),
            "{said}"
        );
        assert_eq!(approve(&sandbox, "state", &[]), json!([]));
        client.close();
        assert!(decisions(&sandbox, "state").contains(&"unanswered".to_owned()));
    }
}

#[test]
fn a_client_that_does_not_answer_its_form_holds_nothing_up() {
    let sandbox = Sandbox::new();
    let own = json!({"dangerous": "ask", "approvalWait": 1});
    let mut client = start(&sandbox, own, true, true, ONCE);
    let params = json!({"name": "old__echo", "arguments": danger("a")});
    let asked = client.ask("tools/call", params.clone())["result"].clone();
    let choices = &asked["inputRequests"]["approval"]["params"]["requestedSchema"]["properties"]["run"]
        ["enum"];
    assert_eq!(*choices, json!(["once", "session", "always", "no"]));
    let mut back = params;
    back["requestState"] = asked["requestState"].clone();
    back["inputResponses"] = json!({"approval": says("once")["result"]});
    let said = |client: &mut Client, params: &Value| {
        client.ask("tools/call", params.clone())["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    // Another call does not come in on it, and it is used up.
    let mut other = back.clone();
    other["arguments"] = danger("b");
    let late = "came too late or belongs to another call: a question stays open for 1 s";
    assert!(said(&mut client, &other).contains(late));
    assert!(said(&mut client, &back).contains(late));
    let asked = client.ask("tools/call", json!({"name": "old__echo", "arguments": danger("a")}));
    back["requestState"] = asked["result"]["requestState"].clone();
    std::thread::sleep(Duration::from_millis(1_200));
    let text = said(&mut client, &back);
    assert!(text.contains(late) && text.contains("make the call again"), "{text}");
    assert!(!text.contains("requestState"), "{text}");
    client.close();
}

/// A client that says that it can be asked, and answers at once with no, as hosts do that run without a person.
#[test]
fn questions_go_to_the_command_where_the_file_a_flag_a_host_or_a_token_wants_it() {
    for (modern, form, flags, by_form) in [
        (false, json!(false), &[][..], false),
        (true, json!(true), &["--no-approval-form"], false),
        (true, json!({"codex": false}), &["--host", "codex"], false),
        (false, json!({"codex": false}), &["--host", "cursor"], true),
    ] {
        let sandbox = Sandbox::new();
        let file = file(&sandbox, json!({"dangerous": "ask", "approvalForm": form}));
        let all = ["--servers", &file, "--mode", "passthrough"];
        let mut client = Client::start_with(&sandbox, &[&all, flags].concat());
        client.modern = modern;
        client.answer = |_| json!({"result": {"action": "decline"}});
        if !modern {
            client.greet();
        }
        if by_form {
            let (text, asked) = call(&mut client, "old__echo", danger("a"));
            assert!(asked == 1 && text.contains("turned the question down"), "{text}");
        } else {
            let params = json!({"name": "old__echo", "arguments": danger("a")});
            let id = client.send("tools/call", params);
            let question = waiting(&sandbox, "state");
            approve(&sandbox, "state", &[question["id"].as_str().unwrap()]);
            let answer = client.wait(id).0.to_string();
            assert!(answer.contains("rm -rf a") && !answer.contains("was not run"), "{answer}");
            assert!(client.notes.is_empty(), "{:?}", client.notes);
        }
        client.close();
    }
    let sandbox = Sandbox::new();
    let tokens = json!({
        "ci": {"token": "tok-of-machine", "approvalForm": false}, "anna": {"token": "tok-of-anna"},
    });
    let own = json!({"dangerous": "ask", "approvalWait": 1, "tokens": tokens});
    let endpoint = Endpoint::start_in(&sandbox, &["--servers", &file(&sandbox, own)], &[]);
    for (token, wanted) in
        [("tok-of-machine", "nobody answered within 1 s"), ("tok-of-anna", "the answer was no")]
    {
        let client = Legacy::open(&endpoint, Some(token), json!({"elicitation": {}}), "/");
        let said = client.call("old__echo", danger("a"));
        assert!(said.contains(wanted), "{said}");
    }
}

#[test]
fn rules_refuse_by_argument_whichever_way_a_call_comes() {
    let sandbox = Sandbox::new();
    let own = json!({
        "toolsets": {"safe": ["old__p*"]},
        "approvals": [
            {"toolset": "safe", "do": "allow"},
            {"tool": "*__echo", "args": {"command": "rm *|curl*"}, "do": "deny"},
            {"args": {"*": "row 7"}, "do": "deny"},
            {"tool": "old__*", "args": {"deep.*.mode": "wipe"}, "do": "ask"},
        ],
    });
    let file = file(&sandbox, own);
    let mut client = Client::start_with(&sandbox, &["--servers", &file, "--mode", "bridge"]);
    client.answer = NO;
    client.greet();
    for command in ["rm x", "ls; rm x", "c''url x", "$(echo rm) x", "x | curl y"] {
        let (text, asked) = call(&mut client, "old__echo", json!({"command": command}));
        assert!(
            asked == 0 && text.contains("rule 2") && text.contains("deny"),
            "{command}: {text}"
        );
        let through = json!({"calls": [{"name": "old__echo", "arguments": {"command": command}}]});
        let bridged = client.ask("tools/call", json!({"name": "tool_call", "arguments": through}));
        assert!(bridged.to_string().contains("rule 2"), "{command}: {bridged}");
    }
    let (text, _) = call(&mut client, "old__echo", json!({"command": "ls rm x"}));
    assert!(text.contains("ls rm x"), "{text}");
    // What a reference stands for counts, not the reference.
    client.call("old__structured", json!({"rows": 2_000}));
    let listed = client.text("weir_fetch", json!({"mode": "list"}));
    let id =
        regex::Regex::new(r"\b[0-9a-f]{12}\b").unwrap().find(&listed).unwrap().as_str().to_owned();
    for (row, refused) in [(7, true), (8, false)] {
        let reference = json!({"$weir": id, "pointer": format!("/rows/{row}/name")});
        let (text, _) = call(&mut client, "old__echo", json!({"text": reference}));
        assert_eq!(text.contains("rule 3"), refused, "{text}");
    }
    let (text, asked) = call(&mut client, "old__echo", json!({"deep": [{"mode": "wipe"}]}));
    assert!(asked == 1 && text.contains("rule 4"), "{text}");
    assert_eq!(call(&mut client, "new__echo", json!({"deep": [{"mode": "wipe"}]})).1, 0);
    let (text, _) = call(&mut client, "old__pid", json!({"x": "row 7"}));
    assert!(text.parse::<u32>().is_ok(), "the first rule counts: {text}");
    client.close();
    assert!(
        decisions(&sandbox, "state").iter().filter(|decision| *decision == "denied").count() > 10
    );
    // What a refused call named was given to nobody.
    let log = std::fs::read_to_string(sandbox.path().join("state/audit.jsonl")).unwrap();
    assert_eq!(log.matches("weir/reference").count(), 1, "{log}");
}

#[test]
fn a_yes_for_one_session_is_none_for_another_at_the_same_gateway() {
    let sandbox = Sandbox::new();
    let file = file(&sandbox, json!({"dangerous": "ask"}));
    let endpoint = Endpoint::start_in(&sandbox, &["--servers", &file, "--ui"], &[]);
    let open = || {
        let (_, head, _) = endpoint.send("POST", "/mcp", &[], INITIALIZE);
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
        id.trim().to_owned()
    };
    let (anna, bert) = (open(), open());
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": {"name": "old__echo", "arguments": danger("a")}})
    .to_string();
    let first = |session: &str, flag: &str| {
        std::thread::scope(|scope| {
            let called = scope
                .spawn(|| endpoint.send("POST", "/mcp", &[("Mcp-Session-Id", session)], &body).2);
            let question = waiting(&sandbox, "http-state");
            let (_, _, page) = endpoint.send("GET", "/ui", &[], "");
            assert!(page.contains("Waiting for you") && page.contains("weir approve"), "{page}");
            let id = question["id"].as_str().unwrap();
            match flag.strip_prefix("page:") {
                // By a button of the page.
                Some(answer) => {
                    let (_, key) = page.split_once("name=\"key\" value=\"").unwrap();
                    let form = format!("do={answer}&id={id}&key={}", &key[..64]);
                    assert_eq!(endpoint.send("POST", "/ui", &[], &form).0, 303);
                }
                None => assert_eq!(approve(&sandbox, "http-state", &[id, flag])["waited"], true),
            }
            called.join().unwrap()
        })
    };
    assert!(!first(&bert, "page:once").contains("was not run"));
    assert!(first(&bert, "page:no").contains("was not run"));
    assert!(!first(&anna, "--for-session").contains("was not run"));
    let again = endpoint.send("POST", "/mcp", &[("Mcp-Session-Id", &anna)], &body).2;
    assert!(!again.contains("was not run"), "{again}");
    assert!(first(&bert, "--no").contains("was not run"));
    // The stateless revision has no session over HTTP: a yes for one is a yes for this call.
    let stateless = || {
        endpoint
            .modern("tools/call", json!({"name": "old__echo", "arguments": danger("a")}), &[])
            .1
            .to_string()
    };
    for flag in ["--for-session", "--no"] {
        let text = std::thread::scope(|scope| {
            let called = scope.spawn(stateless);
            let question = waiting(&sandbox, "http-state");
            approve(&sandbox, "http-state", &[question["id"].as_str().unwrap(), flag]);
            called.join().unwrap()
        });
        assert_eq!(text.contains("was not run"), flag == "--no", "{text}");
    }
}

#[test]
fn toolsets_are_given_to_a_token_a_host_and_a_session_and_switched_off() {
    let sandbox = Sandbox::new();
    let own = json!({
        "toolsets": {
            "small": ["old__echo", "toolset:pids"], "pids": ["*__pid"],
            "off": {"tools": ["new__pid"], "enabled": false},
        },
        "tokens": {"t": {"token": "tok-123456", "toolsets": ["small"]}},
        "hostToolsets": {"cursor": ["pids"]},
    });
    let file = file(&sandbox, own);
    let names = |flags: &[&str]| {
        let all = ["--servers", &file, "--mode", "passthrough"];
        let mut client = Client::start_with(&sandbox, &[&all, flags].concat());
        client.greet();
        let mut names = client.tool_names();
        names.retain(|name| name.contains("__"));
        // What is not offered cannot be called either.
        let hidden = client.call("new__pid", json!({}));
        assert!(hidden["error"]["message"].as_str().unwrap().contains("Unknown tool"), "{hidden}");
        client.close();
        names
    };
    assert!(names(&[]).len() > 40);
    assert_eq!(names(&["--toolset", "small"]), ["old__echo", "old__pid"].map(str::to_owned));
    assert_eq!(names(&["--host", "cursor"]), ["old__pid".to_owned()]);
    let endpoint = Endpoint::start_in(&sandbox, &["--servers", &file], &[]);
    let auth = [("Authorization", "Bearer tok-123456")];
    let (_, listed) = endpoint.modern("tools/list", json!({}), &auth);
    let listed = listed["result"]["tools"].as_array().unwrap();
    let listed: Vec<&str> = listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(listed.iter().filter(|name| name.contains("__")).count(), 2, "{listed:?}");
    let wrong =
        sandbox.command(["serve", "--servers", &file, "--toolset", "none"]).output().unwrap();
    assert!(
        String::from_utf8_lossy(&wrong.stderr).contains("there is no toolset none"),
        "{wrong:?}"
    );
}

#[test]
fn what_a_file_says_wrong_is_served_by_nobody_and_what_a_server_needs_is_told() {
    let sandbox = Sandbox::new();
    for (own, why) in [
        (
            json!({"toolsets": {"a": ["toolset:b"], "b": ["toolset:a"]}}),
            "the toolset b is made of itself: a > b > a",
        ),
        (
            json!({"approvals": [{"tool": "x", "do": "perhaps"}]}),
            "rule 1: unknown variant `perhaps`",
        ),
        (json!({"approvals": [{"tols": "x", "do": "ask"}]}), "rule 1: unknown field `tols`"),
        (json!({"approvals": [{"toolset": "x", "do": "ask"}]}), "there is no toolset x"),
        (json!({"dangerous": "yes"}), "weir.dangerous: it is not one of allow, ask, deny"),
        (json!({"dangerus": "ask"}), "dangerous may be meant"),
        (json!({"tokens": {"t": {"token": "tok-123456", "toolsets": []}}}), "no toolset is named"),
    ] {
        let file = file(&sandbox, own);
        let refused = sandbox.command(["serve", "--servers", &file]).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && said.contains(why), "{why}: {said}");
    }
    let needs = |needs: Value| json!({"command": crate::client::SERVER, "weir": {"needs": needs}});
    let servers = json!({"mcpServers": {
        "poor": needs(json!({"env": ["NO_SUCH_VARIABLE"], "programs": ["sh", "no-such-program"]})),
        "rich": needs(json!({"env": ["PATH"], "programs": ["sh"]})),
    }});
    let file = sandbox.path().join("needs.json");
    std::fs::write(&file, servers.to_string()).unwrap();
    let listed = sandbox
        .command(["servers", "--json", "--servers", file.to_str().unwrap()])
        .output()
        .unwrap();
    let rows: Value = serde_json::from_slice(&listed.stdout).unwrap();
    let row = |name: &str| rows.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
    let reason =
        "it needs what is not there: the variable NO_SUCH_VARIABLE, the program no-such-program";
    assert_eq!((&row("poor")["state"], &row("poor")["reason"]), (&json!("broken"), &json!(reason)));
    assert_eq!(row("rich")["state"], "configured");
}
