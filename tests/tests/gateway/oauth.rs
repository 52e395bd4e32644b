//! Logins to servers over HTTP: with an authorization server that is honest, and with hostile ones.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_component::digest::Digest;
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE};

/// A request as a server sees it.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: BTreeMap<String, String>,
    pub(crate) authorization: Option<String>,
    pub(crate) body: String,
    /// All of it, to look for what must not be in it.
    pub(crate) whole: String,
}

impl Request {
    pub(crate) fn form(&self) -> BTreeMap<String, String> {
        pairs(&self.body)
    }
}

pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: String,
}

pub(crate) fn respond(status: u16, body: Value) -> Response {
    Response { status, headers: Vec::new(), body: body.to_string() }
}

fn decode(text: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'+' => out.push(b' '),
            b'%' => {
                let hex = [bytes.next().unwrap(), bytes.next().unwrap()];
                out.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
            }
            byte => out.push(byte),
        }
    }
    String::from_utf8(out).unwrap()
}

fn encode(text: &str) -> String {
    text.bytes()
        .map(|b| match b {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => (b as char).to_string(),
            b => format!("%{b:02X}"),
        })
        .collect()
}

pub(crate) fn pairs(text: &str) -> BTreeMap<String, String> {
    text.split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

/// Serves until the test ends.
pub(crate) fn serve(answer: impl Fn(Request) -> Response + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (Ok(stream), answer) = (stream, Arc::clone(&answer)) else { continue };
            std::thread::spawn(move || exchange(stream, &*answer));
        }
    });
    address
}

fn exchange(mut stream: TcpStream, answer: &dyn Fn(Request) -> Response) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let length = header("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    let mut words = head.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let response = answer(Request {
        method,
        path: path.to_owned(),
        query: pairs(query),
        authorization: header("authorization"),
        whole: format!("{head}{body}"),
        body,
    });
    let mut text = format!(
        "HTTP/1.1 {} X\r\nContent-Length: {}\r\nConnection: close\r\n",
        response.status,
        response.body.len()
    );
    if !response.body.is_empty() {
        text.push_str("Content-Type: application/json\r\n");
    }
    for (name, value) in &response.headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{text}\r\n{}", response.body).as_bytes()).ok()
}

/// What an authorization server or its resource does that it should not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misdeed {
    None,
    /// Its metadata is that of another.
    MixedIssuer,
    /// The resource's metadata is for another resource.
    MixedResource,
    /// Its metadata redirects to another origin.
    RedirectsMetadata,
    /// The token endpoint redirects to another origin.
    RedirectsToken,
    HugeMetadata,
    EndlessRedirects,
    NoPkce,
    WrongTokenType,
    TokenWithLineEnd,
    /// The redirect names another issuer.
    MixedAnswer,
    /// The redirect names no issuer, though the metadata says that it does.
    SilentAnswer,
    /// The metadata names an endpoint that would have us ask in the clear elsewhere.
    PlainEndpoint,
}

const MISDEEDS: [Misdeed; 12] = [
    Misdeed::MixedIssuer,
    Misdeed::MixedResource,
    Misdeed::RedirectsMetadata,
    Misdeed::RedirectsToken,
    Misdeed::HugeMetadata,
    Misdeed::EndlessRedirects,
    Misdeed::NoPkce,
    Misdeed::WrongTokenType,
    Misdeed::TokenWithLineEnd,
    Misdeed::MixedAnswer,
    Misdeed::SilentAnswer,
    Misdeed::PlainEndpoint,
];

struct State {
    misdeed: Misdeed,
    issued: u32,
    /// Tokens that are good, with their scopes.
    access: BTreeMap<String, String>,
    refresh: BTreeMap<String, String>,
    /// Codes with the challenge and the scopes that they were asked for with.
    codes: BTreeMap<String, (String, String)>,
    /// Seconds that a token is said to last.
    lasts: u64,
    refreshes: u32,
    log: Vec<Request>,
    elsewhere: Vec<Request>,
}

/// A server that wants logins, its authorization server at the same address, and another origin that
/// nothing should be sent to.
pub(crate) struct World {
    state: Arc<Mutex<State>>,
    address: SocketAddr,
}

impl World {
    pub(crate) fn new(misdeed: Misdeed) -> World {
        let state = Arc::new(Mutex::new(State {
            misdeed,
            issued: 0,
            access: BTreeMap::new(),
            refresh: BTreeMap::new(),
            codes: BTreeMap::new(),
            lasts: 3_600,
            refreshes: 0,
            log: Vec::new(),
            elsewhere: Vec::new(),
        }));
        let others = Arc::clone(&state);
        let elsewhere = serve(move |request| {
            others.lock().unwrap().elsewhere.push(request);
            respond(200, json!({}))
        });
        let own = Arc::clone(&state);
        let place = Arc::new(Mutex::new(None));
        let known = Arc::clone(&place);
        let address = serve(move |request| {
            let me: SocketAddr = loop {
                if let Some(me) = *known.lock().unwrap() {
                    break me;
                }
            };
            answer(&mut own.lock().unwrap(), request, me, elsewhere)
        });
        *place.lock().unwrap() = Some(address);
        World { state, address }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/mcp", self.address)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap());
    }

    /// How long tokens last that are given from now on, in seconds.
    pub(crate) fn lasts(&self, seconds: u64) {
        self.change(|state| state.lasts = seconds);
    }

    /// How often a token was renewed, or tried to be.
    pub(crate) fn refreshes(&self) -> u32 {
        self.state.lock().unwrap().refreshes
    }

    pub(crate) fn requests(&self, path: &str) -> Vec<Request> {
        let state = self.state.lock().unwrap();
        state.log.iter().filter(|request| request.path == path).cloned().collect()
    }
}

/// Digest of a verifier, as its challenge has it.
pub(crate) fn challenge_of(verifier: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::URL_SAFE_NO_PAD
        .encode(Digest::of(verifier.as_bytes()).as_bytes())
}

fn answer(state: &mut State, request: Request, me: SocketAddr, elsewhere: SocketAddr) -> Response {
    state.log.push(request.clone());
    let own = format!("http://{me}");
    let misdeed = state.misdeed;
    match request.path.as_str() {
        "/.well-known/oauth-protected-resource/mcp" => respond(
            200,
            json!({
                "resource": if misdeed == Misdeed::MixedResource { format!("http://{elsewhere}/mcp") } else { format!("{own}/mcp") },
                "authorization_servers": [own], "scopes_supported": ["files:read"],
            }),
        ),
        "/.well-known/oauth-authorization-server" => match misdeed {
            Misdeed::RedirectsMetadata => Response {
                status: 302,
                headers: vec![("Location", format!("http://{elsewhere}/metadata"))],
                body: String::new(),
            },
            Misdeed::EndlessRedirects => Response {
                status: 302,
                headers: vec![("Location", request.path)],
                body: String::new(),
            },
            Misdeed::HugeMetadata => {
                respond(200, json!({"issuer": own, "padding": "x".repeat(8 << 20)}))
            }
            _ => {
                let methods =
                    if misdeed == Misdeed::NoPkce { json!(["plain"]) } else { json!(["S256"]) };
                let issuer = if misdeed == Misdeed::MixedIssuer {
                    format!("http://{elsewhere}")
                } else {
                    own.clone()
                };
                let token = if misdeed == Misdeed::PlainEndpoint {
                    "http://192.0.2.1/token".to_owned()
                } else {
                    format!("{own}/token")
                };
                respond(
                    200,
                    json!({
                        "issuer": issuer, "authorization_endpoint": format!("{own}/authorize"), "token_endpoint": token,
                        "registration_endpoint": format!("{own}/register"), "revocation_endpoint": format!("{own}/revoke"),
                        "code_challenge_methods_supported": methods, "authorization_response_iss_parameter_supported": true,
                        "scopes_supported": ["files:read", "offline_access"],
                    }),
                )
            }
        },
        "/register" => {
            let asked: Value = serde_json::from_str(&request.body).unwrap();
            assert_eq!(asked["application_type"], "native");
            respond(
                201,
                json!({"client_id": "registered-client", "redirect_uris": asked["redirect_uris"]}),
            )
        }
        "/authorize" => {
            let asked = &request.query;
            assert_eq!(asked["code_challenge_method"], "S256");
            assert_eq!(asked["resource"], format!("{own}/mcp"));
            state.issued += 1;
            let code = format!("code-{}", state.issued);
            let scope = asked.get("scope").cloned().unwrap_or_default();
            state.codes.insert(code.clone(), (asked["code_challenge"].clone(), scope));
            let issuer = match misdeed {
                Misdeed::MixedAnswer => format!("&iss={}", encode(&format!("http://{elsewhere}"))),
                Misdeed::SilentAnswer => String::new(),
                _ => format!("&iss={}", encode(&own)),
            };
            let location = format!(
                "{}?code={code}&state={}{issuer}",
                asked["redirect_uri"],
                encode(&asked["state"])
            );
            Response { status: 302, headers: vec![("Location", location)], body: String::new() }
        }
        "/token" if misdeed == Misdeed::RedirectsToken => Response {
            status: 307,
            headers: vec![("Location", format!("http://{elsewhere}/token"))],
            body: String::new(),
        },
        "/token" => token(state, &request, &own),
        "/revoke" => {
            let form = request.form();
            state.access.remove(&form["token"]);
            state.refresh.remove(&form["token"]);
            respond(200, json!({}))
        }
        "/mcp" => mcp(state, &request, &own),
        _ => respond(404, json!({})),
    }
}

fn token(state: &mut State, request: &Request, own: &str) -> Response {
    let form = request.form();
    assert_eq!(form["resource"], format!("{own}/mcp"));
    assert_eq!(form["client_id"], "registered-client");
    let scope = match form["grant_type"].as_str() {
        "authorization_code" => {
            let Some((challenge, scope)) = state.codes.remove(&form["code"]) else {
                return respond(400, json!({"error": "invalid_grant"}));
            };
            assert_eq!(challenge, challenge_of(&form["code_verifier"]));
            scope
        }
        "refresh_token" => {
            state.refreshes += 1;
            // Rotated: a refresh token that was used once is worth nothing.
            match state.refresh.remove(&form["refresh_token"]) {
                Some(scope) => scope,
                None => {
                    return respond(
                        400,
                        json!({"error": "invalid_grant", "error_description": "expired"}),
                    );
                }
            }
        }
        other => panic!("{other}"),
    };
    state.issued += 1;
    let access = match state.misdeed {
        Misdeed::TokenWithLineEnd => "canary\r\nX-Evil: 1".to_owned(),
        _ => format!("canary-access-{}", state.issued),
    };
    let refresh = format!("canary-refresh-{}", state.issued);
    state.access.insert(access.clone(), scope.clone());
    state.refresh.insert(refresh.clone(), scope);
    let kind = if state.misdeed == Misdeed::WrongTokenType { "DPoP" } else { "Bearer" };
    respond(
        200,
        json!({"access_token": access, "refresh_token": refresh, "token_type": kind, "expires_in": state.lasts}),
    )
}

fn mcp(state: &mut State, request: &Request, own: &str) -> Response {
    let metadata = format!("resource_metadata=\"{own}/.well-known/oauth-protected-resource/mcp\"");
    let token = request.authorization.as_deref().and_then(|value| value.strip_prefix("Bearer "));
    let Some(scope) = token.and_then(|token| state.access.get(token)) else {
        return Response {
            status: 401,
            headers: vec![("WWW-Authenticate", format!("Bearer {metadata}"))],
            body: r#"{"error":"unauthorized"}"#.into(),
        };
    };
    if request.method != "POST" {
        return respond(405, json!({}));
    }
    let message: Value = serde_json::from_str(&request.body).unwrap();
    let id = &message["id"];
    let result = match message["method"].as_str().unwrap() {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "guarded", "version": "1"},
        }),
        "tools/list" => json!({"tools": [
            {"name": "read", "inputSchema": {"type": "object"}}, {"name": "write", "inputSchema": {"type": "object"}},
        ]}),
        "tools/call" if message["params"]["name"] == "write" && !scope.contains("files:write") => {
            let challenge =
                format!("Bearer error=\"insufficient_scope\", scope=\"files:write\", {metadata}");
            return Response {
                status: 403,
                headers: vec![("WWW-Authenticate", challenge)],
                body: String::new(),
            };
        }
        "tools/call" => {
            json!({"content": [{"type": "text", "text": format!("done with {scope}")}]})
        }
        _ if id.is_null() => {
            return Response { status: 202, headers: Vec::new(), body: String::new() };
        }
        _ => {
            let error = json!({"code": -32601, "message": "Method not found"});
            return respond(200, json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
    };
    respond(200, json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

// --- the user's side

fn servers(sandbox: &Sandbox, world: &World) -> String {
    let file = sandbox.path().join("servers.json");
    let servers = json!({"mcpServers": {"guarded": {"url": world.url()}}});
    std::fs::write(&file, servers.to_string()).unwrap();
    file.to_str().unwrap().to_owned()
}

fn command(sandbox: &Sandbox, world: &World, words: &[&str]) -> std::process::Command {
    let mut command = sandbox.command(words);
    command
        .env("WEIR_SERVERS", servers(sandbox, world))
        .env("WEIR_STATE", sandbox.path().join("state"));
    command
}

fn output(mut command: std::process::Command) -> (i32, String) {
    let output = command.output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code().unwrap(), text)
}

/// A get of a "browser" that follows nothing: status, where it is sent, body.
fn get(url: &str) -> (u16, Option<String>, String) {
    try_get(url).unwrap()
}

/// The same; nothing where nobody answers any more.
fn try_get(url: &str) -> Option<(u16, Option<String>, String)> {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let head = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
    let location = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("location").then(|| value.to_owned())
    });
    Some((status, location, body.to_owned()))
}

/// `weir login` that has printed its address; `None` when it ended instead.
struct LoggingIn {
    child: Child,
    url: Option<String>,
    said: Arc<Mutex<String>>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl LoggingIn {
    fn start(sandbox: &Sandbox, world: &World, more: &[&str]) -> LoggingIn {
        let words = [&["login", "guarded", "--no-browser"], more].concat();
        let mut child = command(sandbox, world, &words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut text = String::new();
        let url = loop {
            let mut line = String::new();
            if errors.read_line(&mut line).unwrap() == 0 {
                break None;
            }
            text.push_str(&line);
            if line.starts_with("http://") {
                break Some(line.trim().to_owned());
            }
        };
        let said = Arc::new(Mutex::new(text));
        let sink = Arc::clone(&said);
        let reader = std::thread::spawn(move || {
            let mut line = String::new();
            while errors.read_line(&mut line).is_ok_and(|read| read > 0) {
                sink.lock().unwrap().push_str(&std::mem::take(&mut line));
            }
        });
        LoggingIn { child, url, said, reader: Some(reader) }
    }

    /// Where the browser ends up after the person has agreed.
    fn agreed(&self) -> String {
        get(self.url.as_ref().unwrap()).1.unwrap()
    }

    fn paste(&mut self, text: &str) {
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    fn end(&mut self) -> (i32, String) {
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let status = self.child.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        (status.code().unwrap(), out + &self.said.lock().unwrap())
    }

    fn waits_for(&self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.said.lock().unwrap().contains(text) {
            assert!(Instant::now() < until, "{text} was not said: {}", self.said.lock().unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for LoggingIn {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn log_in(sandbox: &Sandbox, world: &World) {
    let mut login = LoggingIn::start(sandbox, world, &[]);
    assert_eq!(get(&login.agreed()).0, 200);
    let (code, said) = login.end();
    assert_eq!(code, 0, "{said}");
}

/// All files below a directory, with what they hold.
fn files(directory: &std::path::Path) -> Vec<(std::path::PathBuf, String)> {
    let mut found = Vec::new();
    let mut queue = vec![directory.to_owned()];
    while let Some(directory) = queue.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                queue.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
    }
    found
}

/// Opens the address that an answer names for a login.
fn door(said: &str) -> (u16, Option<String>, String) {
    let start = said.find("http://127.0.0.1:").unwrap_or_else(|| panic!("no address: {said}"));
    let address = said[start..].split([' ', '"', '\\']).next().unwrap();
    assert!(address.contains("/login/") && !said.contains("weir login"), "{said}");
    get(address)
}

#[test]
fn a_login_begins_at_the_address_that_an_answer_names_and_nowhere_else() {
    let (sandbox, world) = (Sandbox::new(), World::new(Misdeed::None));
    let file = servers(&sandbox, &world);
    let mut client = Client::start_with(&sandbox, &["--servers", &file, "--mode", "passthrough"]);
    client.greet();
    let said = client.text("guarded__read", json!({}));
    assert!(world.requests("/register").is_empty(), "nobody has opened it yet");
    let (status, to, page) = door(&said);
    let to = to.unwrap();
    assert!(status == 303 && !page.contains("http"), "{status} {page}");
    // Opened again, it is the same login.
    assert_eq!(door(&said).1.as_ref(), Some(&to));
    assert_eq!(world.requests("/register").len(), 1);
    // A guessed address, or one under another machine's name, leads nowhere.
    let start = said.find("http://").unwrap();
    let address = said[start..].split(' ').next().unwrap();
    let (place, pass) = address.rsplit_once('/').unwrap();
    assert_eq!(get(&format!("{place}/{}", "A".repeat(pass.len()))).0, 404);
    let host = place.strip_prefix("http://").unwrap().strip_suffix("/login").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let request =
        format!("GET /login/{pass} HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    // The person agrees; the gateway takes the login by itself.
    assert_eq!(get(&get(&to).1.unwrap()).0, 200);
    let until = Instant::now() + PATIENCE;
    while !client.text("guarded__read", json!({})).contains("done with") {
        assert!(Instant::now() < until, "the login is not taken");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(world.state.lock().unwrap().elsewhere.is_empty());
    client.close();
}

#[test]
fn a_server_that_wants_a_login_says_so_everywhere_and_works_after_it() {
    let (sandbox, world) = (Sandbox::new(), World::new(Misdeed::None));
    let (code, said) = output(command(&sandbox, &world, &["servers", "--check"]));
    assert!(
        code == 1 && said.contains("needs login") && said.contains("weir login guarded"),
        "{said}"
    );
    // The same again from what is kept, with nothing asked.
    let before = world.requests("/mcp").len();
    let (_, said) = output(command(&sandbox, &world, &["servers"]));
    assert!(said.contains("needs login") && said.contains("weir login guarded"), "{said}");
    let (_, said) = output(command(&sandbox, &world, &["status"]));
    assert!(said.contains("needs login"), "{said}");
    assert_eq!(world.requests("/mcp").len(), before);

    // A gateway that runs meanwhile: it asks once, then waits for the login, and takes it by itself.
    servers(&sandbox, &world);
    let file = sandbox.path().join("servers.json");
    let mut client =
        Client::start_with(&sandbox, &["--servers", file.to_str().unwrap(), "--mode", "bridge"]);
    client.greet();
    let said = client.text("tool_search", json!({"query": "read files"}));
    assert_eq!(door(&said).0, 303);
    let asked = world.requests("/mcp").len();
    for _ in 0..20 {
        let said = client.text("tool_call", json!({"name": "guarded__read", "arguments": {}}));
        assert!(said.contains("guarded") && !said.contains("weir login"), "{said}");
    }
    assert_eq!(
        world.requests("/mcp").len(),
        asked,
        "it is asked again though nobody has logged in"
    );

    log_in(&sandbox, &world);
    let until = Instant::now() + PATIENCE;
    loop {
        let said = client.text("tool_call", json!({"name": "guarded__read", "arguments": {}}));
        if said.contains("done with files:read offline_access") {
            break;
        }
        assert!(Instant::now() < until, "{said}");
        std::thread::sleep(Duration::from_millis(50));
    }
    let (code, said) = output(command(&sandbox, &world, &["servers", "--check"]));
    assert!(code == 0 && said.contains("ready"), "{said}");
    client.close();

    // What was sent with a token went to the server only; what is kept is the user's alone.
    let secret: Vec<_> = files(sandbox.path())
        .into_iter()
        .filter(|(_, text)| text.contains("canary"))
        .map(|(path, _)| path)
        .collect();
    assert_eq!(secret.len(), 1, "{secret:?}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&secret[0]).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert!(world.state.lock().unwrap().elsewhere.is_empty());

    let (code, said) = output(command(&sandbox, &world, &["logout", "guarded"]));
    assert_eq!(code, 0, "{said}");
    assert!(files(sandbox.path()).iter().all(|(_, text)| !text.contains("canary")));
    let state = world.state.lock().unwrap();
    assert!(state.access.is_empty() && state.refresh.is_empty(), "tokens are not revoked");
}

#[test]
fn a_code_can_be_pasted_where_the_browser_is_elsewhere() {
    let (sandbox, world) = (Sandbox::new(), World::new(Misdeed::None));
    let mut login = LoggingIn::start(&sandbox, &world, &[]);
    let agreed = login.agreed();
    // What is no answer to this login ends nothing, by whichever way it comes.
    let forged = agreed.replace("state=", "state=x");
    assert_eq!(get(&forged).0, 400);
    login.paste(&forged);
    login.waits_for("does not belong to this login");
    login.paste("code-1");
    login.waits_for("whole address");
    login.paste(&agreed);
    let (code, said) = login.end();
    assert!(code == 0 && said.contains("the server has 2 tools"), "{said}");
    assert!(!said.contains("canary"), "{said}");
}

#[test]
fn no_token_is_taken_from_or_sent_to_where_it_does_not_belong() {
    for misdeed in MISDEEDS {
        let (sandbox, world) = (Sandbox::new(), World::new(misdeed));
        let mut login = LoggingIn::start(&sandbox, &world, &["--timeout", "3"]);
        // Where a login can begin at all, somebody agrees, and the browser comes back.
        if login.url.is_some() {
            let _ = try_get(&login.agreed());
        }
        let (code, said) = login.end();
        assert_eq!(code, 2, "{misdeed:?}: {said}");
        assert!(!said.contains("canary"), "{misdeed:?}: {said}");
        let kept: Vec<_> =
            files(sandbox.path()).into_iter().filter(|(_, text)| text.contains("canary")).collect();
        assert!(kept.is_empty(), "{misdeed:?}: {kept:?}");
        let state = world.state.lock().unwrap();
        assert!(state.elsewhere.is_empty(), "{misdeed:?}: {:?}", state.elsewhere);
        // A code that came in a forged answer is never traded.
        if matches!(misdeed, Misdeed::MixedAnswer | Misdeed::SilentAnswer) {
            assert!(state.log.iter().all(|request| request.path != "/token"), "{misdeed:?}");
        }
    }
}

#[test]
fn a_token_that_ends_is_renewed_once_however_many_need_it() {
    let (sandbox, world) = (Sandbox::new(), World::new(Misdeed::None));
    log_in(&sandbox, &world);
    servers(&sandbox, &world);
    let file = sandbox.path().join("servers.json");
    let flags = ["--servers", file.to_str().unwrap(), "--mode", "passthrough"];
    // Two gateways, each with calls at once.
    let mut clients = [0, 1].map(|_| {
        let mut client = Client::start_with(&sandbox, &flags);
        client.greet();
        assert!(client.text("guarded__read", json!({})).contains("done"));
        client
    });
    for round in 1..=3 {
        world.change(|state| state.access.clear());
        let ids: Vec<Vec<u64>> = clients
            .iter_mut()
            .map(|client| {
                let call = json!({"name": "guarded__read", "arguments": {}});
                (0..8).map(|_| client.send("tools/call", call.clone())).collect()
            })
            .collect();
        for (client, ids) in clients.iter_mut().zip(ids) {
            for id in ids {
                let answer = client.wait(id).0;
                let text = answer["result"]["content"][0]["text"].as_str().unwrap();
                assert!(text.contains("done"), "{answer}");
            }
        }
        assert_eq!(world.state.lock().unwrap().refreshes, round);
    }
    // One that is about to end is renewed before it is sent.
    world.change(|state| {
        state.lasts = 0;
        state.access.clear();
    });
    assert!(clients[0].text("guarded__read", json!({})).contains("done"));
    world.change(|state| state.lasts = 3_600);
    let refused = |world: &World| {
        let state = world.state.lock().unwrap();
        state.log.iter().filter(|r| r.path == "/mcp" && r.authorization.is_some()).count()
    };
    let before = refused(&world);
    assert!(clients[0].text("guarded__read", json!({})).contains("done"));
    assert_eq!(refused(&world), before + 1, "it was sent with the old token first");

    // When renewing is refused, somebody has to log in, and nothing is tried in circles.
    world.change(|state| {
        state.access.clear();
        state.refresh.clear();
    });
    let tried = world.state.lock().unwrap().refreshes;
    for _ in 0..10 {
        let said = clients[0].text("guarded__read", json!({}));
        assert!(said.contains("its login has ended") && said.contains("/login/"), "{said}");
        assert!(!said.contains("weir login") && !said.contains("canary"), "{said}");
    }
    assert_eq!(world.state.lock().unwrap().refreshes, tried + 1);
    log_in(&sandbox, &world);
    for client in &mut clients {
        assert!(client.text("guarded__read", json!({})).contains("done"));
    }
    // No second registration for the same address of the same authorization server, where the port was
    // free again.
    assert!(world.requests("/register").len() <= 2);
}

#[test]
fn what_a_call_needs_beyond_the_login_is_asked_for_by_the_next() {
    let (sandbox, world) = (Sandbox::new(), World::new(Misdeed::None));
    log_in(&sandbox, &world);
    servers(&sandbox, &world);
    let file = sandbox.path().join("servers.json");
    let mut client = Client::start_with(
        &sandbox,
        &["--servers", file.to_str().unwrap(), "--mode", "passthrough"],
    );
    client.greet();
    let said = client.text("guarded__write", json!({}));
    assert!(said.contains("files:write") && said.contains("/login/"), "{said}");
    assert!(!said.contains("weir login"), "{said}");
    // The rest goes on.
    assert!(client.text("guarded__read", json!({})).contains("done"));
    let login = LoggingIn::start(&sandbox, &world, &[]);
    let url = login.url.clone().unwrap();
    let query = pairs(url.split_once('?').unwrap().1);
    assert_eq!(query["scope"], "files:read offline_access files:write");
    let mut login = login;
    assert_eq!(get(&login.agreed()).0, 200);
    let (code, said) = login.end();
    assert_eq!(code, 0, "{said}");
    assert!(client.text("guarded__write", json!({})).contains("files:write"));
    assert_eq!(world.state.lock().unwrap().elsewhere.len(), 0);
}

#[test]
fn a_token_is_in_no_request_but_those_to_its_server_and_its_issuer() {
    let (sandbox, world) = (Sandbox::new(), World::new(Misdeed::None));
    log_in(&sandbox, &world);
    world.change(|state| state.access.clear());
    let (code, said) = output(command(&sandbox, &world, &["servers", "--check"]));
    assert!(code == 0 && !said.contains("canary"), "{said}");
    for request in &world.state.lock().unwrap().log {
        let whole = &request.whole;
        let may = match request.path.as_str() {
            "/mcp" => !whole.contains("canary-refresh"),
            "/token" => !whole.contains("canary-access"),
            _ => !whole.contains("canary"),
        };
        assert!(may, "{}", request.path);
        assert!(!whole.split_once('\n').unwrap().0.contains("canary"), "in an address");
    }
}
