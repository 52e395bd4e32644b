//! What a client with some of the tools learns of the others, whatever it asks: nothing. Phrases, wherever they
//! come from, are shown to nobody.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use weir_gateway::gate::Gate;
use weir_gateway::identity::{Identity, Profile};
use weir_gateway::json::Json;
use weir_gateway::known::{Known, KnownCache};
use weir_gateway::phrases::written::{Written, fingerprint};
use weir_gateway::session::{Outgoing, Outlet, Session};
use weir_gateway::spec::{Reach, ServerSpec};
use weir_gateway::wire::Request;
use weir_gateway::{Gateway, Mode, Options};
use weir_host::Weir;
use weir_host::contract::FinishedResult;
use weir_tests::Sandbox;
use weir_tests::tools::real_tools;

const SERVERS: usize = 5;
const TOOLS: usize = 6;

/// Deterministic choices.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// A word that nothing else has, made of letters alone.
fn word(kind: &str, at: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    format!("{kind}q{}{}kx", letter(at / 26), letter(at))
}

/// A tool of the made servers: its own name, and its place among all.
fn own_name(at: usize) -> String {
    const VERBS: [&str; 6] = ["create", "list", "delete", "search", "send", "export"];
    const THINGS: [&str; 5] = ["invoice", "ticket", "message", "report", "calendar"];
    format!("{}_{}_{}", VERBS[at % 6], THINGS[at / 6 % 5], word("name", at))
}

fn server_name(at: usize) -> String {
    word("srv", at)
}

fn definition(at: usize) -> Json {
    let text = word("text", at);
    // Each speaks of the next two of its server.
    let [next, after] = [1, 2].map(|n| own_name(at / TOOLS * TOOLS + (at + n) % TOOLS));
    Json::of(&json!({
        "name": own_name(at), "title": format!("The {text} tool"),
        "description": format!("Does what {text} is for, in one step. Call {next} first."),
        "inputSchema": {"type": "object", "required": [text], "properties": {
            text.clone(): {"type": "string", "enum": [text], "description": format!("As `{after}` gave it")}
        }},
    }))
}

/// The real tools of one server, which the component has phrases for.
fn real() -> Vec<Json> {
    let of_server = real_tools().into_iter().filter(|tool| tool.server == "github");
    let definition = |name: &str, description: &str, schema: &str| {
        let schema: Value = serde_json::from_str(schema).unwrap();
        Json::of(&json!({"name": name, "description": description, "inputSchema": schema}))
    };
    of_server.map(|tool| definition(&tool.name, &tool.description, &tool.input_schema)).collect()
}

/// The phrases that the component has for tools of these names, of three words or more.
fn phrases_of_the_pack(names: &[String]) -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../dev/training/phrases");
    let files = ["real.jsonl", "pack-public.jsonl"].map(|file| format!("{folder}/{file}"));
    let mut found = Vec::new();
    for line in files.iter().flat_map(|file| {
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    }) {
        let line: Value = serde_json::from_str(&line).unwrap();
        if names.iter().any(|name| line["tool"] == **name) {
            let phrases = line["q"].as_array().unwrap().iter().filter_map(Value::as_str);
            found.extend(phrases.filter(|p| p.split(' ').count() > 2).map(str::to_lowercase));
        }
    }
    found
}

/// The URI of a made server's skill.
fn skill_uri(server: usize) -> String {
    format!("skill://{}/SKILL.md", word("skil", server))
}

/// A skill, as a gateway keeps it among the tools.
fn skill(server: usize) -> Json {
    let (name, uri) = (word("skil", server), skill_uri(server));
    let description = "How to write an invoice that is paid in time.";
    let file = json!({"uri": uri, "digest": format!("sha256:{}", "0".repeat(64)), "size": 1});
    Json::of(&json!({
        "name": uri, "title": name, "description": description, "weir/skill": {
            "uri": uri, "frontmatter": {"name": name, "description": description}, "resources": [file],
        },
    }))
}

/// What a server lists: these tools, a skill, and a resource and a prompt of its own.
fn known(server: usize, mut tools: Vec<Json>) -> Known {
    tools.push(skill(server));
    let [resource, prompt] = ["rsrc", "prmp"].map(|kind| word(kind, server));
    let account = json!({
        "era": "legacy", "version": "2025-11-25", "info": null,
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        "instructions": format!("Begin with {}. Of {resource}.", own_name(server * TOOLS)),
        "tools": tools, "listed_at": u32::MAX, "lists": {
            "resources": [{"uri": format!("file:///{resource}"), "name": "invoice notes", "description": "Notes."}],
            "prompts": [{"name": "invoice_prompt", "description": format!("Asks for {prompt}.")}],
            "templates": [{"uriTemplate": format!("file:///{resource}/{{id}}"), "name": "invoice files"}],
        },
    });
    serde_json::from_value(account).unwrap()
}

pub(crate) fn specs() -> Vec<ServerSpec> {
    let reach = |n: usize| Reach::Http {
        url: format!("http://127.0.0.1:9/{n}"),
        headers: BTreeMap::new(),
        sse: false,
    };
    let mut specs: Vec<ServerSpec> = (0..SERVERS)
        .map(|server| {
            let mut spec = ServerSpec::new(&server_name(server), reach(server));
            for at in server * TOOLS..(server + 1) * TOOLS {
                let phrase = format!("please {} soon", word("conf", at));
                spec.phrases.insert(own_name(at), vec![phrase]);
            }
            spec
        })
        .collect();
    specs.push(ServerSpec::new("github", reach(SERVERS)));
    specs
}

/// The files that a gateway finds: what servers said, phrases from a file, phrases that were learnt.
pub(crate) async fn prepare(state: &std::path::Path, weir: &Weir) {
    let cache = KnownCache::new(state.join("servers"));
    for (server, spec) in specs().iter().enumerate() {
        let tools = match spec.name.as_str() {
            "github" => real(),
            _ => (server * TOOLS..(server + 1) * TOOLS).map(definition).collect(),
        };
        cache.store(&cache.place(spec), &Arc::new(known(server, tools)));
    }
    cache.flush();
    let of = |kind: &str, at: usize| format!("kindly {} now", word(kind, at));
    let all =
        Gateway::new(specs(), Gate::new(Ok(weir.clone()), "s"), Options::new(state.to_owned()));
    let all = all.unwrap();
    let catalog = all.servers.catalog();
    let written = catalog.tools().iter().enumerate();
    let written = written.map(|(at, tool)| (fingerprint(tool), vec![of("writ", at)])).collect();
    Written::new(state).save(written).unwrap();
    let mut users = BTreeMap::new();
    for user in ["one", "two"] {
        let mut servers: BTreeMap<&str, BTreeMap<&str, Value>> = BTreeMap::new();
        for (at, tool) in catalog.tools().iter().enumerate() {
            let phrase = json!([{"phrase": of(&format!("learn{user}"), at), "uses": 3, "last": 9}]);
            servers.entry(tool.upstream.name()).or_default().insert(&tool.own_name, phrase);
        }
        users.insert(user, servers);
    }
    std::fs::write(state.join("learnt.json"), json!({"users": users}).to_string()).unwrap();
}

/// Asks, and gives the answer as text.
pub(crate) async fn ask(
    gateway: &Arc<Gateway>,
    who: &Arc<Identity>,
    method: &str,
    params: &Value,
) -> String {
    let (outlet, mut beside) = Outlet::new();
    tokio::spawn(async move { while beside.recv().await.is_some() {} });
    let session = Session::new("s".into(), Arc::clone(who), outlet.clone(), None);
    let request =
        Request { id: Json::of(&1), method: method.into(), params: Some(Json::of(params)) };
    match gateway.answer(&session, &outlet, request).await {
        Outgoing::Text(text) => text,
        Outgoing::Spooled { .. } => panic!("a result was passed on whole"),
    }
}

/// What an answer to a search counts: hits of each query, those that are not shown included, with how much was searched.
fn counts(answer: &str) -> Vec<(usize, Option<usize>)> {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
    let Ok(found) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let number = |of: &Value| of.as_u64().map(|count| count as usize);
    let length = |of: &Value| of.as_array().map_or(0, Vec::len);
    let groups = found["results"].as_array().into_iter().flatten();
    let hits = groups.map(|group| {
        let more = number(&group["more_matches"]).unwrap_or_default();
        length(&group["matches"]) + length(&group["weak"]) + more
    });
    hits.map(|hits| (hits, number(&found["searched"]))).collect()
}

fn grants(count: usize, seed: u64) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let sandbox = Sandbox::new();
    let state = sandbox.path().join("state");
    let weir = sandbox.weir();
    runtime.block_on(prepare(&state, &weir));
    // Each of two people has a stored result.
    for (person, name) in ["one", "two"].into_iter().enumerate() {
        let who = Profile { name: name.into(), ..Profile::default() };
        let session = Identity::beside_others(&Arc::new(who), None).store_session("s");
        let line = format!("The invoice of {} was paid late.\n", word("strd", person));
        let result = FinishedResult::text(session, "list_invoices", line.repeat(2_000));
        assert!(!weir.transform(&result).unwrap().handles.is_empty());
    }
    let names: Vec<String> = real().iter().map(|tool| tool.text_at(&["name"]).unwrap()).collect();
    // What a description says too is shown, and is no secret.
    let said = real().iter().map(Json::to_string).collect::<String>().to_lowercase();
    let mut of_pack = phrases_of_the_pack(&names);
    of_pack.retain(|phrase| !said.contains(phrase));
    assert!(of_pack.len() > 20, "{}", of_pack.len());
    let (mut shown, mut hidden, mut kinds, mut skilled, mut read) = (0, 0, 0, 0, 0);
    for grant in 0..count {
        let mut dice = Dice(seed ^ (grant as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut specs = specs();
        for (server, spec) in specs.iter_mut().enumerate() {
            let tool = own_name((server * TOOLS + dice.roll(TOOLS)) % (SERVERS * TOOLS));
            match dice.roll(6) {
                0 => spec.deny = vec![tool],
                1 => spec.allow = vec![tool, "*_e*".into(), "get_*".into()],
                2 => spec.deny = vec!["create_*".into(), "*report*".into()],
                _ => {}
            }
        }
        let some = |dice: &mut Dice| match dice.roll(4) {
            0 => "github".to_owned(),
            _ => server_name(dice.roll(SERVERS)),
        };
        let mut profile = Profile { name: "one".into(), ..Profile::default() };
        if dice.roll(2) == 0 {
            profile.servers = (0..1 + dice.roll(3)).map(|_| some(&mut dice)).collect();
        }
        if profile.servers.is_empty() || dice.roll(2) == 0 {
            profile.tools = (0..1 + dice.roll(4))
                .map(|_| match dice.roll(4) {
                    0 => format!("{}__*", some(&mut dice)),
                    1 => "*__list_*".to_owned(),
                    2 => "github__*issue*".to_owned(),
                    _ => {
                        let at = dice.roll(SERVERS * TOOLS);
                        format!("{}__{}", server_name(at / TOOLS), own_name(at))
                    }
                })
                .collect();
        }
        let granted = |server: &str, tool: &str| {
            let spec = specs.iter().find(|spec| spec.name == server).unwrap();
            spec.admits(tool) && profile.admits_tool(server, tool)
        };
        let (mut mine, mut others) = (Vec::new(), Vec::new());
        for at in 0..SERVERS * TOOLS {
            match granted(&server_name(at / TOOLS), &own_name(at)) {
                true => mine.push(at),
                false => others.push(at),
            }
        }
        let skills = |is_granted: bool| {
            let of = move |server: &usize| granted(&server_name(*server), &skill_uri(*server));
            (0..SERVERS).filter(move |server| of(server) == is_granted).collect::<Vec<_>>()
        };
        let granted_skills = skills(true);
        let github = names.iter().filter(|name| granted("github", name)).count()
            + usize::from(granted("github", &skill_uri(SERVERS)));
        let searched = mine.len() + granted_skills.len() + github;
        let foreign: Vec<&String> = names.iter().filter(|name| !granted("github", name)).collect();
        let strange: Vec<String> = (0..SERVERS)
            .filter(|server| {
                !mine.iter().any(|at| at / TOOLS == *server)
                    && !granted_skills.contains(server)
                    && !(profile.servers.contains(&server_name(*server)))
            })
            .map(server_name)
            .collect();
        let other = others.get(dice.roll(others.len().max(1))).copied().unwrap_or_default();
        let id = format!("{}__{}", server_name(other / TOOLS), own_name(other));
        let cut = &id[..id.len() - 2];
        let call = |name: &str| json!({"name": "tool_call", "arguments": {"calls": [{"name": name, "arguments": {}}]}});
        let search = |query: &str| json!({"name": "tool_search", "arguments": {"query": query}});
        let every = |query: &str| {
            let kinds = ["tool", "skill", "resource", "prompt", "result"];
            json!({"name": "tool_search", "arguments": {"query": query, "kinds": kinds, "limit": 10}})
        };
        // Their texts are read too.
        let results = |query: &str| json!({"name": "tool_search", "arguments": {"query": query, "kinds": ["result"]}});
        // What is no tool is there with the whole server.
        let unseen = (0..SERVERS).filter(|server| {
            let whole = format!("{}__*", server_name(*server));
            let is_whole = profile.tools.is_empty() || profile.tools.contains(&whole);
            !(profile.admits_server(&server_name(*server)) && is_whole)
        });
        let unseen: Vec<usize> = unseen.collect();
        let far = unseen.get(dice.roll(unseen.len().max(1))).copied().unwrap_or_default();
        let describe =
            |name: &str| json!({"name": "tool_describe", "arguments": {"names": [name]}});
        let uri = format!("weir:{}/file:///{}", server_name(far), word("rsrc", far));
        let complete = json!({
            "ref": {"type": "ref/resource", "uri": uri}, "argument": {"name": "id", "value": ""},
        });
        let asks = [
            ("tools/list", json!({})),
            ("tools/call", search("create an invoice")),
            ("tools/call", search(["re:.*", "glob:*", "zq kx"][dice.roll(3)])),
            ("tools/call", search(&word("conf", other))),
            ("tools/call", search(&word("learnone", other))),
            ("tools/call", search(&of_pack[dice.roll(of_pack.len())])),
            ("tools/call", search(&format!("select:{id}"))),
            ("tools/call", search(&format!("server:{} list", server_name(other / TOOLS)))),
            ("server/discover", json!({})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({"uri": uri})),
            ("prompts/list", json!({})),
            ("prompts/get", json!({"name": format!("{}__invoice_prompt", server_name(far))})),
            ("completion/complete", complete),
            ("resources/directory/read", json!({"uri": uri})),
            ("tools/call", every("invoice")),
            ("tools/call", every(&word("prmp", far))),
            ("tools/call", every(&word("strd", 1))),
            ("tools/call", results("which invoice was paid late")),
            ("tools/call", results(&word("strd", 1))),
            ("tools/call", describe(&format!("file:///{}", word("rsrc", far)))),
            ("tools/call", describe(&id)),
            ("tools/call", describe(cut)),
            ("tools/call", call(&id)),
            ("tools/call", call("creat_invoice")),
            ("tools/call", json!({"name": id, "arguments": {}})),
            ("tools/call", json!({"name": cut, "arguments": {}})),
        ];
        runtime.block_on(async {
            let mut options = Options::new(state.clone());
            options.mode = Mode::Bridge;
            let gate = Gate::new(Ok(weir.clone()), "s");
            let gateway = Gateway::new(specs.clone(), gate, options).unwrap();
            let who = Identity::beside_others(&Arc::new(profile.clone()), None);
            for (method, params) in &asks {
                let answer = ask(&gateway, &who, method, params).await.to_lowercase();
                let asked = params.to_string().to_lowercase();
                let leaks = |secret: &str| answer.contains(secret) && !asked.contains(secret);
                for &at in &others {
                    for kind in ["name", "text"] {
                        assert!(!leaks(&word(kind, at)), "grant {grant}: {asked}: {answer}");
                    }
                    hidden += 1;
                }
                for &server in &unseen {
                    for kind in ["rsrc", "prmp"] {
                        assert!(!leaks(&word(kind, server)), "grant {grant}: {asked}: {answer}");
                    }
                }
                for server in skills(false) {
                    assert!(!leaks(&word("skil", server)), "grant {grant}: {asked}: {answer}");
                }
                assert!(!leaks(&word("strd", 1)), "grant {grant}: {asked}: {answer}");
                // No count tells of more than what is granted: tools and skills, a resource and a prompt of each
                // server that is seen, and a stored result.
                let seen = SERVERS + 1 - unseen.len();
                for (hits, count) in counts(&answer) {
                    let most = searched + 2 * seen + 1;
                    assert!(hits <= most, "grant {grant}: {hits} of {most}: {asked}: {answer}");
                    assert!(
                        count.is_none_or(|count| count == searched),
                        "grant {grant}: {count:?} and not {searched}: {asked}: {answer}"
                    );
                }
                skilled += usize::from(answer.contains("skilq") && answer.contains("rsrcq"));
                let has_result = answer.contains(r#"\"kind\":\"result\""#);
                kinds += usize::from(has_result && answer.contains("rsrcq"));
                read += usize::from(answer.contains(&word("strd", 0)));
                for server in &strange {
                    assert!(!leaks(server), "grant {grant}: {profile:?}: {asked}: {answer}");
                }
                for name in &foreign {
                    assert!(
                        !leaks(&format!("github__{name}\"")),
                        "grant {grant}: {asked}: {answer}"
                    );
                }
                for at in 0..SERVERS * TOOLS + names.len() {
                    for kind in ["conf", "writ", "learnone", "learntwo"] {
                        assert!(!leaks(&word(kind, at)), "grant {grant}: {asked}: {answer}");
                    }
                }
                for phrase in &of_pack {
                    assert!(!leaks(phrase), "grant {grant}: {phrase}: {asked}: {answer}");
                }
                shown += usize::from(mine.iter().any(|at| answer.contains(&word("name", *at))));
            }
            gateway.shut_down().await;
        });
    }
    assert!(shown > count && hidden > count, "{shown} answers with names, {hidden} checks");
    assert!(kinds > count / 3, "{kinds} answers with a resource and a result");
    assert!(read > count / 3, "{read} answers with the text of a result");
    assert!(skilled > count / 3, "{skilled} answers with a resource and a skill");
}

#[test]
fn no_name_and_no_phrase_leaves_a_grant() {
    grants(20, 7);
}

/// `cargo test --workspace --test gateway -- --ignored three_thousand_grants`
#[test]
#[ignore = "takes some minutes"]
fn three_thousand_grants_leak_nothing() {
    grants(3_000, 20_261_122);
}
