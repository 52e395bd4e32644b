//! `weir component pull` and `push` against registries that do as told: honest, lax and hostile ones.
//! `tests/registry.sh` does the same with a real registry and public tools.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use serde_json::{Value, json};
use weir_host::ComponentSource;
use weir_host::signatures::SigningKey;
use weir_tests::{Ran, Sandbox};

/// What somebody asked.
#[derive(Debug, Clone)]
struct Asked {
    method: String,
    path: String,
    authorization: Option<String>,
    body: Vec<u8>,
}

/// A status, headers, and a body.
type Reply = (u16, Vec<(String, String)>, Vec<u8>);

/// A server on this machine whose answers a function gives.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        let answer = Arc::new(answer);
        std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                let (heard, answer) = (Arc::clone(&heard), Arc::clone(&answer));
                std::thread::spawn(move || {
                    // Whoever hangs up has what it wanted.
                    let _ = serve(&stream, &heard, &*answer);
                });
            }
        });
        Server { address, asked }
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    stream: &TcpStream,
    heard: &Mutex<Vec<Asked>>,
    answer: &dyn Fn(&Asked) -> Reply,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut authorization, mut length) = (None, 0);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header)?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => authorization = Some(value.to_owned()),
            "content-length" => length = value.parse().unwrap_or(0),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let asked = Asked { method, path, authorization, body };
    let (status, headers, body) = answer(&asked);
    let bodiless = asked.method == "HEAD";
    heard.lock().unwrap().push(asked);
    let mut stream = stream;
    let mut head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| name == "Content-Length") {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    if !bodiless {
        stream.write_all(&body)?;
    }
    stream.flush()
}

fn reply(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    (status, headers.collect(), body.to_vec())
}

fn hex(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    weir_host::shared::hex(&sha2::Sha256::digest(bytes))
}

/// A file that keeps the contract as far as a pull looks: an empty instance under an interface's name.
fn component() -> Vec<u8> {
    let name = b"weir:plugin/transform@0.3.0";
    let mut bytes = b"\0asm\x0d\0\x01\0\x05\x03\x01\x01\0\x0b".to_vec();
    bytes.extend([u8::try_from(name.len()).unwrap() + 6, 1, 0, u8::try_from(name.len()).unwrap()]);
    bytes.extend(name);
    bytes.extend([5, 0, 0]);
    bytes
}

/// An answer has the fields that the page gives it, and no others.
fn shaped(name: &str, answer: &Value) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/json/weir-1.schema.json");
    let page: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let fields =
        |object: &Value| -> Vec<String> { object.as_object().unwrap().keys().cloned().collect() };
    let mut expected = fields(&page["$defs"][name]["properties"]);
    let mut found = fields(answer);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

/// A sandbox with a pair of keys, and a signature over the component.
struct Client {
    sandbox: Sandbox,
    signature: String,
}

impl Client {
    fn new() -> Client {
        let sandbox = Sandbox::new();
        let key = SigningKey::generate().unwrap();
        fs::write(sandbox.path().join("weir.key"), key.to_pem()).unwrap();
        fs::write(sandbox.path().join("weir.pub"), key.public_key().to_pem()).unwrap();
        let signature = key.sign(&component()).unwrap().to_base64();
        Client { sandbox, signature }
    }

    fn manifest(&self, bytes: &[u8], signature: Option<&str>) -> Vec<u8> {
        let mut layer = json!({
            "mediaType": "application/wasm", "digest": format!("sha256:{}", hex(bytes)), "size": bytes.len(),
        });
        if let Some(signature) = signature {
            layer["annotations"] = json!({"dev.cosignproject.cosign/signature": signature});
        }
        json!({"schemaVersion": 2, "layers": [layer]}).to_string().into_bytes()
    }

    fn good(&self) -> Vec<u8> {
        self.manifest(&component(), Some(&self.signature))
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.sandbox.command(arguments);
        // Neither the machine's proxies nor its logins.
        command.env("DOCKER_CONFIG", self.sandbox.path().join("docker"));
        command.env("REGISTRY_AUTH_FILE", self.sandbox.path().join("auth.json"));
        command.output().unwrap().into()
    }

    fn pull(&self, address: &str, more: &[&str]) -> Ran {
        let reference = format!("{address}/tools/weir:1");
        let arguments = ["component", "pull", &reference, "--key", "weir.pub", "--json"];
        self.run(&[&arguments, more].concat())
    }

    /// Pulls what must be refused with these words and a hint, and leaves nothing behind.
    fn refused(&self, address: &str, more: &[&str], said: &str) {
        let ran = self.pull(address, more);
        assert_eq!(ran.code, 2, "{said}: {}", ran.stdout);
        let error: Value = serde_json::from_str(ran.stderr.lines().last().unwrap()).unwrap();
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(said), "{said:?} is not in {message}");
        assert!(error["error"]["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{error}");
        assert!(self.kept().is_empty(), "{said}: {:?}", self.kept());
    }

    fn kept(&self) -> Vec<PathBuf> {
        let directory = self.sandbox.path().join("data/weir/components");
        let entries = fs::read_dir(directory).into_iter().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    fn log_in(&self, host: &str) {
        let auth = base64::engine::general_purpose::STANDARD.encode("alice:s3cret");
        let directory = self.sandbox.path().join("docker");
        fs::create_dir_all(&directory).unwrap();
        let logins = json!({"auths": {host: {"auth": auth}}}).to_string();
        fs::write(directory.join("config.json"), logins).unwrap();
    }
}

/// A registry with this manifest under every name, and these bytes for every blob.
fn registry(manifest: Vec<u8>, blob: Vec<u8>) -> Server {
    Server::start(move |asked| match asked.path.contains("/manifests/") {
        true => reply(200, &[], &manifest),
        false => reply(200, &[], &blob),
    })
}

#[test]
fn a_signed_component_is_pulled_and_kept_under_its_digest() {
    let client = Client::new();
    let server = registry(client.good(), component());
    let ran = client.pull(&server.address, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let answer = ran.json();
    shaped("component_pull", &answer);
    let (file, manifest) = (hex(&component()), hex(&client.good()));
    assert_eq!((&answer["sha256"], &answer["trusted"]), (&json!(file), &json!("signed")));
    assert_eq!(answer["manifest"], format!("sha256:{manifest}"));
    let kept = client.kept();
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert!(kept[0].ends_with(format!("sha256-{file}.wasm")));
    assert_eq!(fs::read(&kept[0]).unwrap(), component());
    assert_eq!(fs::read_to_string(&kept[1]).unwrap().trim(), client.signature);
    let path = kept[0].to_str().unwrap();
    assert_eq!(client.run(&["component", "verify", path, "--key", "weir.pub"]).code, 0);

    // Pinned: by the manifest's digest, by the file's, in the reference; again, over what is there.
    for digest in [&manifest, &file] {
        let digest = format!("sha256:{digest}");
        assert_eq!(client.pull(&server.address, &["--digest", &digest]).code, 0);
    }
    let pinned = format!("{}/tools/weir@sha256:{manifest}", server.address);
    let ran = client.run(&["component", "pull", &pinned, "--key", "weir.pub", "--out", "a/b.wasm"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(client.sandbox.path().join("a/b.wasm.sig").is_file());
    let paths: Vec<String> = server.asked().into_iter().map(|asked| asked.path).collect();
    assert_eq!(paths[0], "/v2/tools/weir/manifests/1");
    assert_eq!(paths[1], format!("/v2/tools/weir/blobs/sha256:{file}"));
    assert!(paths.contains(&format!("/v2/tools/weir/manifests/sha256:{manifest}")));
}

#[test]
fn what_a_registry_changed_or_nobody_trusted_signed_is_not_kept() {
    let client = Client::new();
    let good = component();
    let other_key = SigningKey::generate().unwrap().sign(&good).unwrap().to_base64();
    let mut changed = good.clone();
    *changed.last_mut().unwrap() ^= 1;
    let mut more = good.clone();
    more.push(0);
    let old = String::from_utf8(good.clone()).unwrap().replace("@0.3.0", "@0.1.0").into_bytes();
    let index = json!({"schemaVersion": 2, "manifests": []}).to_string().into_bytes();
    let mut large: Value = serde_json::from_slice(&client.good()).unwrap();
    large["layers"][0]["size"] = json!(1_u64 << 40);
    let large = large.to_string().into_bytes();
    for (manifest, blob, said) in [
        (client.good(), &changed, "the file has the digest sha256:"),
        (client.good(), &good[..good.len() - 1].to_vec(), "of the 48 bytes that the manifest says"),
        (client.good(), &more, "more than the 48 bytes that the manifest says"),
        (client.manifest(&good, None), &good, "it is not signed"),
        (client.manifest(&good, Some(&other_key)), &good, "another key signed it"),
        (client.manifest(&changed, Some(&client.signature)), &changed, "truncated or damaged"),
        (client.manifest(&good, Some("!")), &good, "its signature cannot be used"),
        (client.manifest(&old, Some(&client.signature)), &old, "older contract weir:plugin@0.1.0"),
        (client.manifest(b"text", Some(&client.signature)), &b"text".to_vec(), "not WebAssembly"),
        (index, &good, "an index of several artefacts"),
        (large, &good, "a component has at most 67108864"),
        (b"<html>".to_vec(), &good, "not JSON"),
        (vec![b' '; (4 << 20) + 1], &good, "a manifest of more than 4194304 bytes"),
    ] {
        client.refused(&registry(manifest, blob.clone()).address, &[], said);
    }
    // Pins that do not fit, and such as are none.
    let server = registry(client.good(), good.clone());
    let wrong = format!("sha256:{}", "0".repeat(64));
    client.refused(&server.address, &["--digest", &wrong], "--digest says sha256:0000");
    client.refused(&server.address, &["--digest", "sha256:00"], "is not a digest");
    let pinned = format!("{}/tools/weir@{wrong}", server.address);
    let ran = client.run(&["component", "pull", &pinned, "--key", "weir.pub"]);
    assert!(ran.stderr.contains("the manifest has the digest"), "{}", ran.stderr);
    assert!(client.kept().is_empty());
    // Told to, what nobody signed is kept, and said to be that.
    let unsigned = registry(client.manifest(&good, None), good);
    let ran = client.pull(&unsigned.address, &["--allow-unsigned"]);
    assert_eq!((ran.code, &ran.json()["trusted"]), (0, &json!("allowed")), "{}", ran.stderr);
}

#[test]
fn a_blob_that_breaks_off_and_a_registry_that_is_not_there_are_told() {
    let client = Client::new();
    let manifest = client.good();
    let server = Server::start(move |asked| match asked.path.contains("/manifests/") {
        true => reply(200, &[], &manifest),
        false => reply(200, &[("Content-Length", "48")], &component()[..20]),
    });
    client.refused(&server.address, &[], "broke off after 20 bytes");
    let gone = Server::start(|_| {
        let said = json!({"errors": [{"code": "MANIFEST_UNKNOWN", "message": "manifest\u{1b}[31m unknown"}]});
        reply(404, &[], said.to_string().as_bytes())
    });
    client.refused(&gone.address, &[], "no such artefact in tools/weir: manifest [31m unknown");
    let broken = Server::start(|_| reply(500, &[], b"<html>"));
    client.refused(&broken.address, &[], "answered with HTTP 500");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    client.refused(&free, &[], "cannot be reached");
}

#[test]
fn credentials_go_to_the_registry_and_its_token_service_and_no_further() {
    let client = Client::new();
    // Where the registry keeps its blobs.
    let storage = Server::start(|_| reply(200, &[], &component()));
    let (manifest, elsewhere) = (client.good(), storage.address.clone());
    let own = Arc::new(Mutex::new(String::new()));
    let address = Arc::clone(&own);
    let server = Server::start(move |asked| {
        let host = address.lock().unwrap().clone();
        if asked.path.starts_with("/token") {
            let known = asked.authorization.as_deref() == Some("Basic YWxpY2U6czNjcmV0");
            return match known {
                true => reply(200, &[], br#"{"token": "t0ken"}"#),
                false => reply(401, &[], b""),
            };
        }
        if asked.authorization.as_deref() != Some("Bearer t0ken") {
            let challenge =
                format!("Bearer realm=\"http://{host}/token\",service=\"r\",scope=\"x\"");
            return reply(401, &[("WWW-Authenticate", &challenge)], b"");
        }
        match asked.path.contains("/manifests/") {
            true => reply(200, &[], &manifest),
            false => reply(307, &[("Location", &format!("http://{elsewhere}/blob?s=1"))], b""),
        }
    });
    own.lock().unwrap().clone_from(&server.address);

    client.refused(&server.address, &[], "asks for a login");
    client.log_in(&server.address);
    let ran = client.pull(&server.address, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let asked = server.asked();
    let token = asked.iter().rfind(|asked| asked.path.starts_with("/token")).unwrap();
    assert_eq!(token.path, "/token?service=r&scope=repository%3Atools%2Fweir%3Apull");
    let blobs = storage.asked();
    assert_eq!(blobs.len(), 1);
    assert_eq!((blobs[0].path.as_str(), &blobs[0].authorization), ("/blob?s=1", &None));

    // A password that is not taken: it is told whose.
    client.log_in("other.example");
    let auth = base64::engine::general_purpose::STANDARD.encode("bob:wrong");
    let logins = json!({"auths": {&server.address: {"auth": auth}}}).to_string();
    fs::write(client.sandbox.path().join("docker/config.json"), logins).unwrap();
    let ran = client.pull(&server.address, &[]);
    assert!(ran.code == 2 && ran.stderr.contains("does not let bob do this"), "{}", ran.stderr);
}

#[test]
fn a_registry_sends_nobody_to_where_it_may_not() {
    let client = Client::new();
    let manifest = client.good();
    for place in ["http://registry.example/blob", "ftp://127.0.0.1/x", "http://a:b@127.0.0.1/x", ""]
    {
        let manifest = manifest.clone();
        let server = Server::start(move |asked| match asked.path.contains("/manifests/") {
            true => reply(200, &[], &manifest),
            false => reply(307, &[("Location", place)], b""),
        });
        let said = if place.is_empty() { "redirects without end" } else { "which is not asked" };
        client.refused(&server.address, &[], said);
    }
    // To itself, without end.
    let server = Server::start(|asked| reply(302, &[("Location", &asked.path)], b""));
    client.refused(&server.address, &[], "redirects without end");
    assert!(server.asked().len() < 10);
    // A token service without TLS that is not on this machine.
    let challenge = "Bearer realm=\"http://registry.example/token\"";
    let server = Server::start(move |_| reply(401, &[("WWW-Authenticate", challenge)], b""));
    client.refused(&server.address, &[], "the token service");
    let server = Server::start(|_| reply(401, &[("WWW-Authenticate", "Negotiate")], b""));
    client.refused(&server.address, &[], "asks for a login");
}

#[test]
fn names_that_are_no_references_are_refused_before_anything_is_asked() {
    let client = Client::new();
    for (reference, said) in [
        ("weir", "names its registry"),
        ("library/weir:1", "names its registry"),
        ("https://registry.example/weir", "is not a host"),
        ("registry.example/Weir", "not the name of a repository"),
        ("registry.example/weir:", "is not a tag"),
        ("registry.example/weir@sha256:1", "64 lower-case digits"),
    ] {
        let ran = client.run(&["component", "pull", reference]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{reference}: {}", ran.stderr);
    }
}

/// What a registry has, by the path of a request.
type Stored = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A registry that keeps what is pushed, and what it has.
fn registry_that_keeps() -> (Server, Stored) {
    let stored = Stored::default();
    let kept = Arc::clone(&stored);
    let server = Server::start(move |asked| {
        let mut kept = kept.lock().unwrap();
        let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
        match asked.method.as_str() {
            "POST" => reply(202, &[("Location", "/upload?state=a")], b""),
            "PUT" if path == "/upload" => {
                let digest = query.rsplit_once("digest=").unwrap().1.replace("%3A", ":");
                assert_eq!(digest, format!("sha256:{}", hex(&asked.body)));
                kept.insert(format!("/v2/tools/weir/blobs/{digest}"), asked.body.clone());
                reply(201, &[], b"")
            }
            "PUT" => {
                let pinned = format!("/v2/tools/weir/manifests/sha256:{}", hex(&asked.body));
                kept.insert(pinned, asked.body.clone());
                kept.insert(path.to_owned(), asked.body.clone());
                reply(201, &[], b"")
            }
            _ => kept.get(path).map_or_else(|| reply(404, &[], b""), |body| reply(200, &[], body)),
        }
    });
    (server, stored)
}

#[test]
fn what_is_pushed_can_be_pulled_by_its_digest() {
    let client = Client::new();
    let (server, stored) = registry_that_keeps();
    // The real one: it says of itself what it is.
    let bytes = ComponentSource::Embedded.bytes().unwrap();
    fs::write(client.sandbox.path().join("weir.wasm"), &bytes).unwrap();
    let reference = format!("{}/tools/weir:0.2", server.address);
    let source = "org.opencontainers.image.source=https://a.example";
    let push =
        ["component", "push", "weir.wasm", &reference, "--key", "weir.key", "--annotation", source];
    let ran = client.run(&[&push[..], &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let answer = ran.json();
    shaped("component_push", &answer);
    assert_eq!(answer["signed"], true);
    let manifest: Value =
        serde_json::from_slice(&stored.lock().unwrap()["/v2/tools/weir/manifests/0.2"]).unwrap();
    let annotations = &manifest["annotations"];
    for (name, value) in [
        ("title", "weir"),
        ("version", env!("CARGO_PKG_VERSION")),
        ("licenses", "Apache-2.0"),
        ("source", "https://a.example"),
    ] {
        assert_eq!(annotations[format!("org.opencontainers.image.{name}")], value);
    }
    assert!(annotations["org.opencontainers.image.description"].is_string());
    assert_eq!(manifest["config"]["mediaType"], "application/vnd.wasm.config.v0+json");
    let config = manifest["config"]["digest"].as_str().unwrap();
    let config: Value =
        serde_json::from_slice(&stored.lock().unwrap()[&format!("/v2/tools/weir/blobs/{config}")])
            .unwrap();
    assert_eq!((&config["architecture"], &config["os"]), (&json!("wasm"), &json!("wasip2")));
    assert_eq!(config["layerDigests"], json!([format!("sha256:{}", hex(&bytes))]));
    assert!(config["component"]["exports"].as_array().unwrap().len() > 3, "{config}");

    let pinned = format!("{}/tools/weir@{}", server.address, answer["manifest"].as_str().unwrap());
    let ran =
        client.run(&["component", "pull", &pinned, "--key", "weir.pub", "--out", "back.wasm"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(fs::read(client.sandbox.path().join("back.wasm")).unwrap(), *bytes);
}

#[test]
fn the_contract_is_pushed_and_pulled_as_a_wit_package_that_is_not_run() {
    let mut resolve = wit_parser::Resolve::default();
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../wit");
    let (package, _) = resolve.push_dir(directory).unwrap();
    let bytes = wit_component::encode(&resolve, package).unwrap();
    let client = Client::new();
    fs::write(client.sandbox.path().join("wit.wasm"), &bytes).unwrap();
    let (server, stored) = registry_that_keeps();
    let reference = format!("{}/tools/weir:0.2", server.address);
    let ran = client.run(&["component", "push", "wit.wasm", &reference, "--key", "weir.key"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let pinned = ran.stdout.trim().to_owned();
    let manifest: Value =
        serde_json::from_slice(&stored.lock().unwrap()["/v2/tools/weir/manifests/0.2"]).unwrap();
    let annotation =
        |name: &str| &manifest["annotations"][format!("org.opencontainers.image.{name}")];
    assert_eq!(annotation("title"), "weir:plugin");
    assert_eq!(annotation("version"), "0.3.0");

    let pull =
        |key: &str| client.run(&["component", "pull", &pinned, "--key", key, "--out", "back.wasm"]);
    let ran = pull("weir.pub");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("contract   weir:plugin@0.3.0, as a WIT package"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stderr.contains("--component"), "{}", ran.stderr);
    assert_eq!(fs::read(client.sandbox.path().join("back.wasm")).unwrap(), bytes);
    let ran = client.run(&["component", "verify", "back.wasm", "--key", "weir.pub"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);

    // It is signed, and is not a component for all that.
    let ran = client.run(&["--component", "back.wasm", "--allow-unsigned", "status"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("as a WIT package, not a component; get the file"),
        "{}",
        ran.stderr
    );
}
