//! Each person is themselves: tokens of an issuer, tokens that were issued, sessions that any gateway takes over.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{PATIENCE, server};
use crate::endpoint::{Endpoint, INITIALIZE};
use crate::oauth::{Misdeed, Response, World, challenge_of, respond, serve};
use crate::replicas::configured;

const AUDIENCE: &str = "https://mcp.example/mcp";
pub(crate) const KEY: &str = "0123456789abcdef0123456789abcdef";

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

fn key_pair() -> EcdsaKeyPair {
    let (kind, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
    let document = EcdsaKeyPair::generate_pkcs8(kind, &random).unwrap();
    EcdsaKeyPair::from_pkcs8(kind, document.as_ref(), &random).unwrap()
}

fn sign(key: &EcdsaKeyPair, head: &Value, claims: &Value) -> String {
    let text = format!("{}.{}", encode(head.to_string()), encode(claims.to_string()));
    let signature = key.sign(&SystemRandom::new(), text.as_bytes()).unwrap();
    format!("{text}.{}", encode(signature))
}

/// An issuer whose keys can be replaced.
struct Issuer {
    url: String,
    keys: Arc<Mutex<Vec<(String, EcdsaKeyPair)>>>,
    fetched: Arc<AtomicUsize>,
}

impl Issuer {
    fn start() -> Issuer {
        let keys = Arc::new(Mutex::new(vec![("one".to_owned(), key_pair())]));
        let fetched = Arc::new(AtomicUsize::new(0));
        let url = Arc::new(Mutex::new(String::new()));
        let (of, count, own) = (Arc::clone(&keys), Arc::clone(&fetched), Arc::clone(&url));
        let asked = Mutex::new((String::new(), String::new()));
        let address = serve(move |request| match &*request.path {
            "/.well-known/openid-configuration" => {
                let url = own.lock().unwrap().clone();
                respond(
                    200,
                    json!({
                        "issuer": url, "jwks_uri": format!("{url}/keys"),
                        "authorization_endpoint": format!("{url}/authorize"), "token_endpoint": format!("{url}/token"),
                    }),
                )
            }
            // Whoever comes is Anna.
            "/authorize" => {
                let query = &request.query;
                assert_eq!((&*query["client_id"], &*query["scope"]), ("gateway", "openid"));
                *asked.lock().unwrap() = (query["nonce"].clone(), query["code_challenge"].clone());
                let back = format!("{}?code=c1&state={}", query["redirect_uri"], query["state"]);
                Response { status: 302, headers: vec![("Location", back)], body: String::new() }
            }
            "/token" => {
                let form = request.form();
                let (nonce, challenge) = asked.lock().unwrap().clone();
                let basic =
                    base64::engine::general_purpose::STANDARD.encode("gateway:client-secret");
                assert_eq!(request.authorization, Some(format!("Basic {basic}")));
                assert_eq!(
                    (&*form["code"], challenge_of(&form["code_verifier"])),
                    ("c1", challenge)
                );
                let url = own.lock().unwrap().clone();
                let claims = json!({"iss": url, "aud": "gateway", "sub": "anna", "exp": now() + 60, "nonce": nonce});
                let keys = of.lock().unwrap();
                let (id, key) = keys.last().unwrap();
                respond(
                    200,
                    json!({"id_token": sign(key, &json!({"alg": "ES256", "kid": id}), &claims)}),
                )
            }
            "/keys" => {
                count.fetch_add(1, Ordering::SeqCst);
                let jwk = |(id, key): &(String, EcdsaKeyPair)| {
                    let point = key.public_key().as_ref();
                    json!({"kty": "EC", "crv": "P-256", "use": "sig", "kid": id,
                           "x": encode(&point[1..33]), "y": encode(&point[33..])})
                };
                let mut all: Vec<Value> = of.lock().unwrap().iter().map(jwk).collect();
                // What cannot be used keeps nothing else out.
                all.push(json!({"kty": "oct", "kid": "secret", "k": encode("shared")}));
                all.push(json!({"kty": "?"}));
                respond(200, json!({"keys": all}))
            }
            _ => respond(404, json!({})),
        });
        *url.lock().unwrap() = format!("http://{address}");
        Issuer { url: format!("http://{address}"), keys, fetched }
    }

    fn claims(&self, subject: &str, groups: Value) -> Value {
        json!({"iss": self.url, "aud": ["other", AUDIENCE], "sub": subject, "exp": now() + 300, "groups": groups})
    }

    fn sign(&self, claims: &Value) -> String {
        let keys = self.keys.lock().unwrap();
        let (id, key) = keys.last().unwrap();
        sign(key, &json!({"alg": "ES256", "typ": "at+jwt", "kid": id}), claims)
    }

    fn token(&self, subject: &str, group: &str) -> String {
        self.sign(&self.claims(subject, json!([group])))
    }

    fn settings(&self) -> Value {
        json!({
            "profiles": {
                "dev": {"servers": ["one"], "limits": {"callsPerMinute": 2}},
                "ops": {},
            },
            "oidc": {"issuer": self.url, "audience": AUDIENCE, "groups": [
                {"group": "operators", "profile": "ops"}, {"group": "developers", "profile": "dev"},
            ]},
            "url": "https://mcp.example",
            "listWait": PATIENCE.as_secs(),
        })
    }
}

fn start(sandbox: &Sandbox, own: &Value, servers: Value, flags: &[&str]) -> Endpoint {
    let file = sandbox.path().join("people.json");
    std::fs::write(&file, json!({"mcpServers": servers, "weir": own}).to_string()).unwrap();
    Endpoint::start_in(sandbox, &[&["--servers", file.to_str().unwrap()], flags].concat(), &[])
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

fn status(endpoint: &Endpoint, token: &str) -> (u16, String) {
    let (status, head, _) =
        endpoint.send("POST", "/mcp", &[("Authorization", &bearer(token))], INITIALIZE);
    (status, head)
}

fn call(endpoint: &Endpoint, token: &str, tool: &str) -> (u16, Value) {
    let params = json!({"name": tool, "arguments": {}});
    endpoint.modern("tools/call", params, &[("Authorization", &bearer(token))])
}

#[test]
fn a_token_of_the_issuer_says_who_comes_and_its_groups_what_they_see() {
    let (sandbox, issuer) = (Sandbox::new(), Issuer::start());
    let mut own = issuer.settings();
    own["audit"] = json!({"to": ["file", "stdout"]});
    let both = json!({"one": server(&[]), "two": server(&[])});
    let endpoint = start(&sandbox, &own, both, &["--metrics"]);
    let tools = |token: &str| {
        let answer = endpoint.modern("tools/list", json!({}), &[("Authorization", &bearer(token))]);
        answer.1["result"]["tools"].to_string()
    };
    let (anna, bert) = (issuer.token("anna", "developers"), issuer.token("bert", "operators"));
    let (hers, his) = (tools(&anna), tools(&bert));
    assert!(hers.contains("one__") && !hers.contains("two__"), "{hers}");
    assert!(his.contains("one__") && his.contains("two__"), "{his}");
    // Limits are a person's, whichever token and whichever connection it is.
    for token in [&anna, &issuer.token("anna", "developers")] {
        assert_ne!(call(&endpoint, token, "one__echo").1["result"]["isError"], json!(true));
    }
    let over = call(&endpoint, &anna, "one__echo").1.to_string();
    assert!(over.contains("callsPerMinute"), "{over}");
    let carla = issuer.token("carla", "developers");
    assert_ne!(call(&endpoint, &carla, "one__echo").1["result"]["isError"], json!(true));
    // Somebody whom the issuer knows, and nobody here does.
    let (code, head) = status(&endpoint, &issuer.token("dora", "sales"));
    assert!(code == 403 && head.contains("insufficient_scope"), "{head}");
    let metrics = endpoint.send("GET", "/metrics", &[("Authorization", &bearer(&bert))], "").2;
    for line in [
        "mcp_server_operation_duration_seconds_count{mcp_method_name=\"tools/call\",server=\"one\",gen_ai_tool_name=\"echo\"} 3",
        "weir_refusals_total{reason=\"callsPerMinute\"} 1",
        "weir_refusals_total{reason=\"no_profile\"} 1",
        "weir_requests_in_flight 0",
        "weir_sessions 0",
    ] {
        assert!(metrics.contains(line), "{line} is not in\n{metrics}");
    }
    // The one who has ended is gone before anything is read.
    drop(endpoint);
    let log = std::fs::read_to_string(sandbox.path().join("http-state/audit.jsonl")).unwrap();
    let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!(first["client"]["subject"], format!("{}#anna", issuer.url));
    assert!(first["client"].get("token").is_none());
    assert!(log.lines().any(|line| line.contains("\"outcome\":\"refused\"")), "{log}");
}

#[test]
fn what_a_person_stored_at_one_gateway_that_person_reads_at_another() {
    let (issuer, shared) = (Issuer::start(), tempfile::tempdir().unwrap());
    let places = [(); 2].map(|()| configured(&format!("{:?}", shared.path())));
    let gateway = |place| start(place, &issuer.settings(), json!({"one": server(&[])}), &[]);
    let [one, other] = places.each_ref().map(gateway);
    let ask = |at: &Endpoint, who: &str, tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let auth = bearer(&issuer.token(who, "operators"));
        at.modern("tools/call", params, &[("Authorization", &auth)]).1["result"].take()
    };
    let stored = ask(&one, "anna", "one__big", json!({"bytes": 200_000}));
    let id = stored["_meta"]["weir/blob"]["id"].as_str().unwrap_or_else(|| panic!("{stored}"));
    let read = |at: &Endpoint, who: &str| {
        let answer = ask(at, who, "weir_fetch", json!({"id": id, "mode": "tail", "lines": 2}));
        (answer["content"].to_string(), answer["isError"] == true)
    };
    let hers = read(&one, "anna");
    assert!(!hers.1, "{}", hers.0);
    assert_eq!(read(&other, "anna"), hers);
    for at in [&one, &other] {
        assert!(read(at, "bert").1, "somebody else of the same group");
    }
}

#[test]
fn no_other_token_lets_anybody_in() {
    let (sandbox, issuer) = (Sandbox::new(), Issuer::start());
    let endpoint = start(&sandbox, &issuer.settings(), json!({"one": server(&[])}), &["--metrics"]);
    let good = issuer.claims("anna", json!("developers"));
    let token = issuer.sign(&good);
    assert_eq!(status(&endpoint, &token).0, 200);
    let with = |name: &str, value: Value| {
        let mut claims = good.clone();
        claims[name] = value;
        issuer.sign(&claims)
    };
    let without = |name: &str| {
        let mut claims = good.clone();
        claims.as_object_mut().unwrap().remove(name);
        issuer.sign(&claims)
    };
    let headed = |head: Value| sign(&issuer.keys.lock().unwrap()[0].1, &head, &good);
    let plain = |head: Value, tag: &[u8]| {
        format!("{}.{}.{}", encode(head.to_string()), encode(good.to_string()), encode(tag))
    };
    // As a secret, the public key would be known to all.
    let confused = {
        let point = issuer.keys.lock().unwrap()[0].1.public_key().as_ref().to_vec();
        let head = json!({"alg": "HS256", "kid": "one"});
        let text = format!("{}.{}", encode(head.to_string()), encode(good.to_string()));
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &point);
        format!("{text}.{}", encode(ring::hmac::sign(&key, text.as_bytes())))
    };
    let shared = {
        let head = json!({"alg": "HS256", "kid": "secret"});
        let text = format!("{}.{}", encode(head.to_string()), encode(good.to_string()));
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, b"shared");
        format!("{text}.{}", encode(ring::hmac::sign(&key, text.as_bytes())))
    };
    let mut changed = token.clone().into_bytes();
    let middle = token.find('.').unwrap() + 10;
    changed[middle] = if changed[middle] == b'A' { b'B' } else { b'A' };
    let stranger = sign(&key_pair(), &json!({"alg": "ES256", "kid": "one"}), &good);
    let hostile = [
        ("none", plain(json!({"alg": "none", "kid": "one"}), b"")),
        ("None", plain(json!({"alg": "None"}), b"")),
        ("no algorithm", plain(json!({"kid": "one"}), b"")),
        ("empty signature", plain(json!({"alg": "ES256", "kid": "one"}), b"")),
        ("zeros", plain(json!({"alg": "ES256", "kid": "one"}), &[0; 64])),
        ("HS256 with the public key", confused),
        ("HS256 with a shared key of the set", shared),
        ("another algorithm", headed(json!({"alg": "RS256", "kid": "one"}))),
        ("another curve", headed(json!({"alg": "ES384", "kid": "one"}))),
        ("another's signature", stranger),
        ("unknown key", headed(json!({"alg": "ES256", "kid": "two"}))),
        (
            "a key of its own",
            headed(json!({"alg": "ES256", "kid": "two", "jku": issuer.url, "jwk": {}})),
        ),
        (
            "what has to be understood",
            headed(json!({"alg": "ES256", "kid": "one", "crit": ["b64"], "b64": false})),
        ),
        ("wrong audience", with("aud", json!("https://other.example"))),
        ("audience of other type", with("aud", json!({"a": AUDIENCE}))),
        ("no audience", without("aud")),
        ("wrong issuer", with("iss", json!("https://other.example"))),
        ("issuer and more", with("iss", json!(format!("{}/", issuer.url)))),
        ("no issuer", without("iss")),
        ("expired", with("exp", json!(now() - 60))),
        ("expiry as text", with("exp", json!("9999999999"))),
        ("no expiry", without("exp")),
        ("not yet", with("nbf", json!(now() + 600))),
        ("not yet as text", with("nbf", json!("0"))),
        ("no subject", without("sub")),
        ("empty subject", with("sub", json!(""))),
        ("subject of two lines", with("sub", json!("a\nb"))),
        ("changed", String::from_utf8(changed).unwrap()),
        ("huge", with("more", json!("x".repeat(20_000)))),
        ("four parts", format!("{token}.x")),
        ("two parts", token.rsplit_once('.').unwrap().0.to_owned()),
        ("dots", "..".to_owned()),
        ("text", "not-a-token".to_owned()),
    ];
    for (what, token) in &hostile {
        let (code, head) = status(&endpoint, token);
        assert!(code == 401 && head.contains("error=\"invalid_token\""), "{what}: {code} {head}");
    }
    // Strangers do not make the issuer be asked each time.
    assert!(issuer.fetched.load(Ordering::SeqCst) <= 3);
    // Who has no token reads where to get one.
    let (code, head, _) = endpoint.send("POST", "/mcp", &[], INITIALIZE);
    let place =
        "resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\"";
    assert!(code == 401 && head.contains(place) && !head.contains("error="), "{head}");
    let (_, _, body) = endpoint.send("GET", "/.well-known/oauth-protected-resource/mcp", &[], "");
    let metadata: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(metadata["resource"], "https://mcp.example/mcp");
    assert_eq!(metadata["authorization_servers"], json!([issuer.url]));
    let metrics = endpoint.send("GET", "/metrics", &[("Authorization", &bearer(&token))], "").2;
    for reason in [
        "bad_signature",
        "unknown_key",
        "wrong_audience",
        "wrong_issuer",
        "expired_token",
        "early_token",
        "malformed_token",
        "unknown_token",
        "no_token",
    ] {
        assert!(
            metrics.contains(&format!("weir_refusals_total{{reason=\"{reason}\"}}")),
            "{reason}"
        );
    }
}

#[test]
fn keys_of_the_issuer_may_be_replaced_and_an_issuer_that_is_away_lets_nobody_in() {
    let (sandbox, issuer) = (Sandbox::new(), Issuer::start());
    let endpoint = start(&sandbox, &issuer.settings(), json!({"one": server(&[])}), &[]);
    let old = issuer.token("anna", "developers");
    assert_eq!(status(&endpoint, &old).0, 200);
    *issuer.keys.lock().unwrap() = vec![("two".to_owned(), key_pair())];
    let new = issuer.token("anna", "developers");
    // Soon after the last time they are not asked for: strangers choose what a token names.
    let since = Instant::now();
    while status(&endpoint, &new).0 != 200 {
        assert!(since.elapsed() < PATIENCE, "the new key is never taken");
        std::thread::sleep(Duration::from_millis(500));
    }
    assert_eq!(status(&endpoint, &old).0, 401);

    let sandbox = Sandbox::new();
    let mut own = issuer.settings();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    own["oidc"]["issuer"] = json!(format!("http://{nobody}"));
    let endpoint = start(&sandbox, &own, json!({"one": server(&[])}), &[]);
    let (code, head) = status(&endpoint, &new);
    assert!(code == 503 && head.contains("retry-after"), "{code} {head}");
}

#[test]
fn a_token_is_issued_listed_ends_and_is_revoked() {
    let sandbox = Sandbox::new();
    let weir = |arguments: &[&str]| sandbox.run(arguments);
    let token = |arguments: &[&str]| {
        let made = weir(&[&["token", "create"], arguments].concat());
        assert_eq!(made.code, 0, "{}", made.stderr);
        made.stdout.trim().to_owned()
    };
    let (ci, all) = (token(&["ci", "--profile", "dev", "--expires", "90"]), token(&["all"]));
    let lost = token(&["lost", "--profile", "unknown"]);
    let own = json!({"profiles": {"dev": {"servers": ["one"]}}, "listWait": PATIENCE.as_secs()});
    let both = json!({"one": server(&[]), "two": server(&[])});
    let endpoint = start(&sandbox, &own, both, &[]);
    let tools = |token: &str| {
        let answer = endpoint.modern("tools/list", json!({}), &[("Authorization", &bearer(token))]);
        answer.1["result"]["tools"].to_string()
    };
    assert!(!tools(&ci).contains("two__") && tools(&all).contains("two__"));
    // A profile that is not there is not everything.
    assert_eq!(status(&endpoint, &lost).0, 401);
    assert_eq!(endpoint.send("POST", "/mcp", &[], INITIALIZE).0, 401);
    let list = weir(&["token", "list"]).stdout;
    assert!(list.contains("ci  dev, just now, ends in ") && !list.contains(&ci), "{list}");
    let file = sandbox.path().join("config/weir/tokens.json");
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(!kept.contains(&ci) && kept.contains("sha256"));
    // One that ended.
    let mut all_kept: Value = serde_json::from_str(&kept).unwrap();
    all_kept["ci"]["expires"] = json!(now() - 1);
    std::fs::write(&file, all_kept.to_string()).unwrap();
    assert_eq!(weir(&["token", "revoke", "all"]).code, 0);
    assert_eq!(weir(&["token", "revoke", "all"]).code, 1);
    let since = Instant::now();
    while [&ci, &all].iter().any(|token| status(&endpoint, token).0 != 401) {
        assert!(since.elapsed() < PATIENCE, "they still let in");
        std::thread::sleep(Duration::from_millis(200));
    }
    // Without any that is left nothing is open, now or after a restart.
    drop(endpoint);
    for name in ["ci", "lost"] {
        assert_eq!(weir(&["token", "revoke", name]).code, 0);
    }
    let served = sandbox.run([
        "serve",
        "--servers",
        sandbox.path().join("people.json").to_str().unwrap(),
        "--http",
        "127.0.0.1:0",
    ]);
    assert_eq!(served.code, 2, "{}", served.stderr);
}

#[test]
fn a_setting_of_security_that_cannot_be_read_ends_the_start() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("bad.json");
    let good =
        json!({"issuer": "https://login.example", "audience": "a", "groups": [{"profile": "p"}]});
    let oidc = |name: &str, value: Value| {
        let mut oidc = good.clone();
        oidc[name] = value;
        json!({"profiles": {"p": {}}, "oidc": oidc})
    };
    for own in [
        oidc("issuer", json!("http://login.example")),
        oidc("issuer", json!("login")),
        oidc("issuer", json!(null)),
        oidc("audience", json!("")),
        oidc("audience", json!([])),
        oidc("audience", json!(null)),
        oidc("groups", json!([])),
        oidc("groups", json!({"a": "p"})),
        oidc("groups", json!([{"group": "a", "profile": "q"}])),
        oidc("groups", json!([{"group": "a"}])),
        oidc("groups", json!([{"group": "a", "profile": "p", "servers": []}])),
        oidc("grups", json!([])),
        json!({"oidc": true}),
        json!({"oicd": good}),
        json!({"profiles": {"p": {"server": ["a"]}}}),
        json!({"profiles": {"p": {"limits": {"callsPerMinute": "ten"}}}}),
        json!({"profiles": []}),
        json!({"key": "short"}),
        json!({"key": []}),
        json!({"key": "${NOT_SET_ANYWHERE}"}),
        json!({"url": "mcp.example"}),
        json!({"url": "https://mcp.example/path"}),
        json!({"audit": {"to": "stdout"}}),
        json!({"audit": {"to": ["stderr"]}}),
    ] {
        std::fs::write(&file, json!({"mcpServers": {}, "weir": own}).to_string()).unwrap();
        let served =
            sandbox.run(["serve", "--servers", file.to_str().unwrap(), "--http", "127.0.0.1:0"]);
        assert_eq!(served.code, 2, "{own}: {}", served.stderr);
    }
    // Where the client speaks nothing else is written.
    std::fs::write(
        &file,
        json!({"mcpServers": {}, "weir": {"audit": {"to": ["stdout"]}}}).to_string(),
    )
    .unwrap();
    let served = sandbox.run(["serve", "--servers", file.to_str().unwrap()]);
    assert_eq!(served.code, 2, "{}", served.stderr);
}

#[test]
fn any_gateway_with_the_same_key_goes_on_with_a_session() {
    let tokens = json!({"anna": {"token": "anna-token"}, "bert": {"token": "bert-token"}});
    let own = |key: &str| json!({"key": key, "tokens": tokens, "listWait": PATIENCE.as_secs()});
    let sandboxes = [Sandbox::new(), Sandbox::new(), Sandbox::new()];
    let start = |at: usize, key: &str| {
        start(&sandboxes[at], &own(key), json!({"one": server(&[])}), &["--session", "team"])
    };
    let (one, two, other) = (start(0, KEY), start(1, KEY), start(2, &KEY.replace('0', "x")));
    let greet = INITIALIZE.replace("\"capabilities\":{}", "\"capabilities\":{\"roots\":{}}");
    let id = one.session("anna-token", &greet);
    let ask = |endpoint: &Endpoint, token: &str, id: &str| {
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}).to_string();
        let headers = [("Authorization", &*bearer(token)), ("Mcp-Session-Id", id)];
        endpoint.send("POST", "/mcp", &headers, &body)
    };
    for endpoint in [&one, &two, &one, &two] {
        let (code, _, body) = ask(endpoint, "anna-token", &id);
        assert!(code == 200 && body.contains("\"echo\""), "{code} {body}");
    }
    // Nobody else comes in with it, nor where the key is another one, nor with another text.
    assert_eq!(ask(&two, "bert-token", &id).0, 404);
    assert_eq!(ask(&other, "anna-token", &id).0, 404);
    for changed in [format!("A{}", &id[1..]), id.replace('.', "A."), id[..id.len() - 2].to_owned()]
    {
        assert_eq!(ask(&two, "anna-token", &changed).0, 404, "{changed}");
    }
    // Ended is ended.
    let headers = [("Authorization", "Bearer anna-token"), ("Mcp-Session-Id", &*id)];
    assert_eq!(two.send("DELETE", "/mcp", &headers, "").0, 204);
    assert_eq!(ask(&two, "anna-token", &id).0, 404);
    // A gateway that was started again goes on.
    let id = one.session("anna-token", &greet);
    drop(one);
    let one = start(0, KEY);
    assert_eq!(ask(&one, "anna-token", &id).0, 200);
}

/// Sends a request of a browser and gives the answer as it comes.
pub(crate) fn browse(url: &str, method: &str, cookie: &str, body: &str) -> String {
    let (host, path) = url.trim_start_matches("http://").split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = body.len();
    let request = format!(
        "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nCookie: other=1; {cookie}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

pub(crate) fn header(answer: &str, wanted: &str) -> String {
    let find = |line: &str| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case(wanted).then(|| value.to_owned())
    };
    answer.lines().find_map(find).unwrap_or_else(|| panic!("no {wanted} in {answer}"))
}

pub(crate) fn code(answer: &str) -> u16 {
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_server_is_called_as_the_person_who_calls() {
    let (sandbox, world) = (Sandbox::new(), World::new(Misdeed::None));
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (url, port) = (format!("http://{free}"), free.to_string());
    let own = json!({
        "tokens": {"anna": {"token": "anna-token"}, "bert": {"token": "bert-token"}},
        "key": KEY, "url": url, "listWait": PATIENCE.as_secs(),
    });
    let headers = json!({"X-User": "<${person}>", "X-Key": "${person:mail}!"});
    let mine =
        json!({"mine": {"url": world.url(), "headers": headers, "weir": {"identity": "person"}}});
    let file = sandbox.path().join("people.json");
    std::fs::write(&file, json!({"mcpServers": mine, "weir": own}).to_string()).unwrap();
    let start = || {
        let mut command = sandbox.command(["serve", "--http", &port, "--mode", "passthrough"]);
        command.args(["--servers", file.to_str().unwrap()]);
        Endpoint::launch(command)
    };
    let endpoint = start();
    let ask = |endpoint: &Endpoint, who: &str| {
        call(endpoint, &format!("{who}-token"), "mine__read").1["result"].to_string()
    };
    let missing = ask(&endpoint, "anna");
    assert!(missing.contains("needs the secret mail of anna"), "{missing}");
    for who in ["anna", "bert"] {
        let set = ["secret", "set", "mail", "--person", who];
        let value = format!("canary-mail-of-{who}");
        assert_eq!(sandbox.run_on(value.as_bytes(), set).code, 0);
    }
    let address = |who: &str| {
        let since = Instant::now();
        loop {
            let text = ask(&endpoint, who);
            if let Some(at) = text.find(&format!("{url}/login/")) {
                return text[at..].split(' ').next().unwrap().to_owned();
            }
            assert!(since.elapsed() < PATIENCE, "{text}");
            std::thread::sleep(Duration::from_millis(200));
        }
    };
    let (hers, his) = (address("anna"), address("bert"));
    let login =
        |address: &str, who: &str| browse(address, "POST", "", &format!("token={who}-token"));
    // Whoever is sent an address of somebody else's gives nothing away, and changed ones are none.
    let page = browse(&hers, "GET", "", "");
    assert!(
        code(&page) == 200 && page.contains("<b>mine</b>") && page.contains("<b>anna</b>"),
        "{page}"
    );
    assert!(header(&page, "content-security-policy").contains("frame-ancestors 'none'"));
    for refused in [
        login(&hers, "bert"),
        login(&his, "anna"),
        login(&hers, "nobody"),
        browse(&hers, "POST", "", ""),
    ] {
        assert_eq!(code(&refused), 403, "{refused}");
    }
    assert_eq!(code(&browse(&format!("{hers}x"), "GET", "", "")), 404);
    let log_in = |address: &str, who: &str| {
        let begun = login(address, who);
        assert_eq!(code(&begun), 303, "{begun}");
        let cookie = header(&begun, "set-cookie").split(';').next().unwrap().to_owned();
        let back = header(&browse(&header(&begun, "location"), "GET", "", ""), "location");
        (cookie, back)
    };
    let (cookie, back) = log_in(&hers, "anna");
    // Only the browser that began it ends it.
    let (others, _) = log_in(&his, "bert");
    for cookie in ["", "weir_login=x", &others] {
        assert_eq!(code(&browse(&back, "GET", cookie, "")), 400, "{cookie}");
    }
    assert_eq!(code(&browse(&back, "GET", &cookie, "")), 200);
    let done = ask(&endpoint, "anna");
    assert!(done.contains("done with"), "{done}");
    // Bert sees the tools that hers were the first to show, and is nobody yet.
    assert!(ask(&endpoint, "bert").contains("/login/"));
    let (cookie, back) = log_in(&his, "bert");
    assert_eq!(code(&browse(&back, "GET", &cookie, "")), 200);
    let since = Instant::now();
    while !ask(&endpoint, "bert").contains("done with") {
        assert!(since.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(200));
    }
    let calls: Vec<String> =
        world.requests("/mcp").into_iter().map(|request| request.whole).collect();
    let as_person = |who: &str| {
        let own = calls
            .iter()
            .filter(|call| call.contains("tools/call") && call.contains(&format!("<{who}>")));
        let own: Vec<&String> = own.collect();
        assert!(own.iter().all(|call| call.contains(&format!("canary-mail-of-{who}!"))));
        let token = |call: &str| header(call, "authorization");
        own.last().map(|call| token(call)).unwrap()
    };
    assert_ne!(as_person("anna"), as_person("bert"));
    assert!(!calls.iter().any(|call| call.contains("${person")));
    // What is kept is sealed, and holds after a restart.
    let logins = sandbox.path().join(".local/state/weir/logins");
    let kept: Vec<String> = std::fs::read_dir(&logins)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    assert!(
        kept.iter().any(|text| !text.is_empty())
            && !kept.iter().any(|text| text.contains("canary"))
    );
    drop(endpoint);
    let endpoint = start();
    assert!(ask(&endpoint, "anna").contains("done with"));
    // And until it is taken back, which is one person's alone.
    let out = ["logout", "mine", "--person", "anna", "--servers", file.to_str().unwrap()];
    assert_eq!([sandbox.run(out).code, sandbox.run(out).code], [0, 1]);
    assert!(
        ask(&endpoint, "anna").contains("/login/") && ask(&endpoint, "bert").contains("done with")
    );
}

#[test]
fn without_knowing_who_calls_no_server_is_called_as_a_person() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("people.json");
    let whole = json!({"tokens": {"anna": {"token": "anna-token"}}, "key": KEY, "url": "https://mcp.example"});
    let mine = json!({"mine": {"url": "https://mine.example/mcp", "weir": {"identity": "person"}}});
    for lacking in ["tokens", "key", "url"] {
        let mut own = whole.clone();
        own.as_object_mut().unwrap().remove(lacking);
        std::fs::write(&file, json!({"mcpServers": mine, "weir": own}).to_string()).unwrap();
        let served =
            sandbox.run(["serve", "--servers", file.to_str().unwrap(), "--http", "127.0.0.1:0"]);
        assert_eq!(served.code, 2, "{lacking}: {}", served.stderr);
    }
    // Nor where such a server comes while the gateway runs.
    let mut own = whole.clone();
    own.as_object_mut().unwrap().remove("key");
    own["listWait"] = json!(PATIENCE.as_secs());
    let open = serve(|request| {
        let asked: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let result = match asked["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "m", "version": "1"},
            }),
            Some("tools/list") => {
                json!({"tools": [{"name": "read", "inputSchema": {"type": "object"}}]})
            }
            Some("tools/call") => json!({"content": [{"type": "text", "text": "it was called"}]}),
            _ => return respond(404, json!({})),
        };
        respond(200, json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}))
    });
    let endpoint = start(&sandbox, &own, json!({}), &[]);
    let mine =
        json!({"mine": {"url": format!("http://{open}/mcp"), "weir": {"identity": "person"}}});
    std::fs::write(&file, json!({"mcpServers": mine, "weir": own}).to_string()).unwrap();
    let since = Instant::now();
    while !call(&endpoint, "anna-token", "mine__read")
        .1
        .to_string()
        .contains("not known who that is")
    {
        assert!(since.elapsed() < PATIENCE, "it is called");
        std::thread::sleep(Duration::from_millis(500));
    }
}

#[test]
fn the_issuer_says_who_sits_at_the_browser() {
    let (sandbox, world, issuer) = (Sandbox::new(), World::new(Misdeed::None), Issuer::start());
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut own = issuer.settings();
    (own["key"], own["url"]) = (json!(KEY), json!(format!("http://{free}")));
    own["oidc"]["clientId"] = json!("gateway");
    own["oidc"]["clientSecret"] = json!("client-secret");
    let mine = json!({"mine": {"url": world.url(), "weir": {"identity": "person"}}});
    let file = sandbox.path().join("people.json");
    std::fs::write(&file, json!({"mcpServers": mine, "weir": own}).to_string()).unwrap();
    let (servers, http) = (file.to_str().unwrap(), free.to_string());
    let endpoint = Endpoint::launch(sandbox.command([
        "serve",
        "--http",
        &http,
        "--mode",
        "passthrough",
        "--servers",
        servers,
    ]));
    let address = |who: &str| {
        let text = call(&endpoint, &issuer.token(who, "operators"), "mine__read").1.to_string();
        let at = text.find("/login/").unwrap_or_else(|| panic!("{text}"));
        format!("http://{free}{}", text[at..].split(' ').next().unwrap())
    };
    let log_in = |address: &str| {
        let asked = browse(address, "GET", "", "");
        assert_eq!(code(&asked), 303, "{asked}");
        let cookie = header(&asked, "set-cookie").split(';').next().unwrap().to_owned();
        let back = header(&browse(&header(&asked, "location"), "GET", "", ""), "location");
        (cookie, back)
    };
    // Who sits there is Anna: what is Bert's gives her nothing, and him nothing of hers.
    let (cookie, back) = log_in(&address("bert"));
    assert_eq!(code(&browse(&back, "GET", &cookie, "")), 403);
    let (cookie, back) = log_in(&address("anna"));
    for (url, cookie) in [(&*back, ""), (&*back.replace("state=", "state=x"), &*cookie)] {
        assert_ne!(code(&browse(url, "GET", cookie, "")), 303, "{url}");
    }
    let known = browse(&back, "GET", &cookie, "");
    assert_eq!(code(&known), 303, "{known}");
    let cookie = header(&known, "set-cookie").split(';').next().unwrap().to_owned();
    let back = header(&browse(&header(&known, "location"), "GET", "", ""), "location");
    assert_eq!(code(&browse(&back, "GET", &cookie, "")), 200);
    let done = call(&endpoint, &issuer.token("anna", "operators"), "mine__read").1.to_string();
    assert!(done.contains("done with"), "{done}");
}

#[test]
fn the_files_for_teams_start_a_gateway() {
    let sandbox = Sandbox::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/");
    let read = |name: &str| std::fs::read_to_string(format!("{folder}{name}")).unwrap();
    let (compose, chart) =
        (read("compose/compose.yaml"), read("helm/weir/templates/deployment.yaml"));
    let flags = |text: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("- "));
        let flags = lines.filter(|line| *line == "serve" || line.starts_with("--"));
        // What the tests of the configuration hold.
        flags.filter(|flag| !flag.starts_with("--config")).map(str::to_owned).collect()
    };
    let (composed, charted) = (flags(&compose), flags(&chart));
    for (flags, servers) in [
        (composed, format!("{folder}compose/servers.json")),
        (charted, sandbox.path().join("chart.json").display().to_string()),
    ] {
        assert!(flags.len() >= 4, "{flags:?}");
        std::fs::write(
            sandbox.path().join("chart.json"),
            r#"{"mcpServers": {}, "weir": {"key": "${WEIR_KEY}"}}"#,
        )
        .unwrap();
        let here = |flag: &String| {
            let flag = flag.replace("/etc/weir/servers.json", &servers);
            flag.replace("0.0.0.0:3456", "127.0.0.1:0").replace("{{ .Values.grace }}", "25")
        };
        let mut command = sandbox.command(flags.iter().map(here));
        command.env("WEIR_KEY", KEY).env("WEIR_TOKEN", "team-token");
        let endpoint = Endpoint::launch(command);
        assert_eq!(status(&endpoint, "team-token").0, 200);
        assert_eq!(status(&endpoint, "other").0, 401);
        assert_eq!(endpoint.send("GET", "/readyz", &[], "").0, 200);
    }
}
