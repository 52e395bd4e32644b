//! Against a real HTTP server, scripted by each test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::*;

/// What a variable that there is in a test holds.
const KEY: &str = env!("CARGO_MANIFEST_DIR");

/// A server that answers each request with what the test's function gives: a status line's end and
/// a body. `None` never answers.
struct Server {
    url: String,
    requests: Arc<Mutex<Vec<Value>>>,
}

type Reply = Option<(&'static str, String)>;

impl Server {
    fn start(answer: impl Fn(&Value) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = Arc::<Mutex<Vec<Value>>>::default();
        let seen = Arc::clone(&requests);
        let answer = Arc::new(answer);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, seen) = (Arc::clone(&answer), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &*answer, &seen));
            }
        });
        Server { url, requests }
    }

    /// One whose vectors are of the letters in a text, by [`letters`].
    fn of_letters() -> Server {
        Server::start(|request| Some(("200 OK", list(request, letters))))
    }

    fn settings(&self) -> EndpointSettings {
        EndpointSettings {
            url: self.url.clone(),
            model: "letters".into(),
            key_env: Some("CARGO_MANIFEST_DIR".into()),
        }
    }

    fn open(&self) -> Embeddings {
        Embeddings::open(&self.settings(), None).unwrap()
    }

    fn asked(&self) -> usize {
        self.requests.lock().len()
    }

    /// The texts that were sent, over all requests.
    fn inputs(&self) -> Vec<String> {
        let requests = self.requests.lock();
        requests.iter().flat_map(|request| inputs(&request["body"])).collect()
    }
}

fn serve(stream: TcpStream, answer: &dyn Fn(&Value) -> Reply, seen: &Mutex<Vec<Value>>) {
    let mut input = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head += &line;
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    seen.lock().push(json!({"head": head, "body": body}));
    let Some((status, body)) = answer(&body) else {
        // Until the other side gives up.
        let _ = input.read(&mut [0]);
        return;
    };
    let head =
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    let mut output = &stream;
    let _ = output.write_all(head.as_bytes()).and_then(|()| output.write_all(body.as_bytes()));
}

fn inputs(body: &Value) -> Vec<String> {
    serde_json::from_value(body["input"].clone()).unwrap()
}

fn list(request: &Value, vector: impl Fn(&str) -> Vec<f32>) -> String {
    let data: Vec<Value> = inputs(request)
        .iter()
        .enumerate()
        .map(|(index, text)| json!({"index": index, "embedding": vector(text)}))
        .collect();
    json!({"object": "list", "data": data}).to_string()
}

/// How often a, b and c stand in a text.
fn letters(text: &str) -> Vec<f32> {
    ['a', 'b', 'c'].map(|letter| text.matches(letter).count() as f32).to_vec()
}

fn tool(text: &str) -> ToolText {
    let digest = Sha256::digest(text);
    let key = weir_base::hex(&digest[..16]);
    ToolText { key, text: text.to_owned() }
}

fn tools<const N: usize>(texts: [&str; N]) -> Vec<ToolText> {
    texts.map(tool).to_vec()
}

fn queries<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

fn assert_near(found: &[Vec<f32>], wanted: &[&[f32]]) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        let near = found.iter().zip(*wanted).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(found.len() == wanted.len() && near, "{found:?} is not {wanted:?}");
    }
}

/// The same, which asks again at once where the endpoint failed.
fn without_rest(mut embeddings: Embeddings) -> Embeddings {
    Arc::get_mut(&mut embeddings.0).unwrap().rest = Duration::ZERO;
    embeddings
}

/// The scores, once the background is done.
fn settled(
    embeddings: &Embeddings,
    texts: &[ToolText],
    queries: &[String],
) -> Result<Vec<Vec<f32>>, String> {
    loop {
        match embeddings.scores(texts, queries) {
            Err(why) if why.ends_with("embedded so far") => {
                std::thread::sleep(Duration::from_millis(2));
            }
            other => return other,
        }
    }
}

/// What is said when the endpoint answers so.
fn refusal(answer: impl Fn(&Value) -> Reply + Send + Sync + 'static) -> String {
    let server = Server::start(answer);
    server.open().prepare(&tools(["a", "b"])).unwrap_err()
}

#[test]
fn cosines_come_in_the_order_of_texts_and_queries() {
    let server = Server::of_letters();
    let embeddings = server.open();
    let texts = tools(["a", "aab", "c"]);
    embeddings.prepare(&texts).unwrap();
    let scores = embeddings.scores(&texts, &queries(["b", " ", "aaa", "b "])).unwrap();
    let b = [0.0, 1.0 / 5f32.sqrt(), 0.0];
    assert_near(&scores, &[&b, &[0.0; 3], &[1.0, 2.0 / 5f32.sqrt(), 0.0], &b]);
    // What is known is not asked for again, and no text twice.
    embeddings.scores(&texts, &queries(["aaa", "b"])).unwrap();
    assert_eq!((server.asked(), server.inputs().len()), (2, 5));
    let request = server.requests.lock()[0].clone();
    let head = request["head"].as_str().unwrap().to_lowercase();
    assert!(head.starts_with("post /v1/embeddings http/1.1"), "{head}");
    assert!(head.contains(&format!("authorization: bearer {KEY}")), "{head}");
    assert_eq!(request["body"]["model"], "letters");
    assert_eq!(request["body"]["encoding_format"], "float");
}

#[test]
fn an_answer_in_another_order_is_sorted_by_index() {
    let server = Server::start(|request| {
        let mut list: Value = serde_json::from_str(&list(request, letters)).unwrap();
        list["data"].as_array_mut().unwrap().reverse();
        Some(("200 OK", list.to_string()))
    });
    let embeddings = server.open();
    let texts = tools(["a", "b", "c"]);
    embeddings.prepare(&texts).unwrap();
    let scores = embeddings.scores(&texts, &queries(["c", "a"])).unwrap();
    assert_near(&scores, &[&[0.0, 0.0, 1.0], &[1.0, 0.0, 0.0]]);
}

#[test]
fn many_tools_go_in_batches_and_long_texts_are_cut() {
    let server = Server::of_letters();
    let embeddings = server.open();
    let mut texts: Vec<ToolText> = (0..150).map(|i| tool(&format!("a{i}"))).collect();
    texts.push(tool(&"äb".repeat(4_000)));
    embeddings.prepare(&texts).unwrap();
    let requests = server.requests.lock().clone();
    let sizes: Vec<usize> = requests.iter().map(|one| inputs(&one["body"]).len()).collect();
    assert_eq!(sizes, [64, 64, 23]);
    assert_eq!(server.inputs().iter().map(|text| text.chars().count()).max(), Some(4_000));
}

#[test]
fn tools_are_embedded_in_the_background_and_counted() {
    let (gate, held) = std::sync::mpsc::channel::<()>();
    let held = Mutex::new(held);
    let server = Server::start(move |request| {
        held.lock().recv().unwrap();
        Some(("200 OK", list(request, letters)))
    });
    let embeddings = server.open();
    let texts: Vec<ToolText> = (0..100).map(|i| tool(&format!("a{i}"))).collect();
    let scores = || embeddings.scores(&texts, &queries(["a"]));
    assert_eq!(scores().unwrap_err(), "0 of 100 tools are embedded so far");
    assert_eq!(scores().unwrap_err(), "0 of 100 tools are embedded so far");
    gate.send(()).unwrap();
    while scores().unwrap_err() == "0 of 100 tools are embedded so far" {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(scores().unwrap_err(), "64 of 100 tools are embedded so far");
    gate.send(()).unwrap();
    gate.send(()).unwrap();
    let scores = settled(&embeddings, &texts, &queries(["a"])).unwrap();
    assert_near(&scores, &[&[1.0; 100]]);
    // However often was asked, each text went once.
    assert_eq!(server.inputs().len(), 101);
}

#[test]
fn a_slow_query_is_given_up_and_the_endpoint_left_alone() {
    let server = Server::start(|request| {
        let hang = inputs(request) == ["slow"];
        (!hang).then(|| ("200 OK", list(request, letters)))
    });
    let embeddings = server.open();
    let texts = tools(["a"]);
    embeddings.prepare(&texts).unwrap();
    let why = "the embedding endpoint did not answer within 2s";
    assert_eq!(embeddings.scores(&texts, &queries(["slow"])).unwrap_err(), why);
    let asked = server.asked();
    assert_eq!(embeddings.scores(&texts, &queries(["a"])).unwrap_err(), why);
    assert_eq!(embeddings.scores(&tools(["b"]), &queries(["a"])).unwrap_err(), why);
    assert_eq!(embeddings.prepare(&tools(["b"])).unwrap_err(), why);
    assert_eq!(server.asked(), asked);
    // What needs no endpoint is still answered.
    assert_near(&embeddings.scores(&texts, &queries([""])).unwrap(), &[&[0.0]]);
}

#[test]
fn an_endpoint_that_has_rested_is_asked_again() {
    let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let flag = Arc::clone(&broken);
    let server = Server::start(move |request| {
        if flag.load(std::sync::atomic::Ordering::Relaxed) {
            return Some(("500 Internal Server Error", "out of\n\tmemory".into()));
        }
        Some(("200 OK", list(request, letters)))
    });
    let embeddings = without_rest(server.open());
    let texts = tools(["a"]);
    let why = embeddings.prepare(&texts).unwrap_err();
    assert_eq!(why, "the embedding endpoint answered 500 Internal Server Error: out of memory");
    broken.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_near(&settled(&embeddings, &texts, &queries(["a"])).unwrap(), &[&[1.0]]);
}

#[test]
fn nothing_listens() {
    let server = Server::of_letters();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let settings = EndpointSettings { url, ..server.settings() };
    let embeddings = Embeddings::open(&settings, None).unwrap();
    let why = embeddings.prepare(&tools(["a"])).unwrap_err();
    assert!(why.starts_with("the embedding endpoint cannot be reached: "), "{why}");
}

#[test]
fn answers_that_are_no_vectors_are_refused() {
    let data =
        |data: &'static str| move |_: &Value| Some(("200 OK", format!(r#"{{"data":[{data}]}}"#)));
    let odd = "gave an embedding that is empty, all zeros or not finite";
    let cases = [
        (r#"{"index":0,"embedding":[1]}"#, "gave 1 embeddings for 2 texts"),
        (
            r#"{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}"#,
            "gave embeddings of 1 and of 2 numbers",
        ),
        (r#"{"embedding":[]},{"embedding":[]}"#, odd),
        (r#"{"embedding":[0,0]},{"embedding":[1,0]}"#, odd),
        (r#"{"embedding":[1e39]},{"embedding":[1]}"#, odd),
        (r#"{"embedding":[NaN]},{"embedding":[1]}"#, "gave no list of embeddings: "),
        (r#"{"embedding":[null]},{"embedding":[1]}"#, "gave no list of embeddings: "),
    ];
    for (answer, why) in cases {
        let said = refusal(data(answer));
        assert!(said.starts_with(&format!("the embedding endpoint {why}")), "{said}");
    }
    let said = refusal(|_| Some(("200 OK", "<html>hello</html>".into())));
    assert!(said.starts_with("the embedding endpoint gave no list of embeddings: "), "{said}");
    let said = refusal(|_| Some(("200 OK", " ".repeat(33 << 20))));
    assert_eq!(said, "the embedding endpoint answered with more than 32 MiB");
}

#[test]
fn another_dimension_than_before_is_noticed() {
    let server = Server::start(|request| {
        let wide = inputs(request).contains(&"wide".to_owned());
        Some(("200 OK", list(request, |_| vec![1.0; if wide { 4 } else { 3 }])))
    });
    let embeddings = server.open();
    let texts = tools(["a"]);
    embeddings.prepare(&texts).unwrap();
    let asked = || embeddings.scores(&texts, &queries(["wide"])).unwrap_err();
    assert_eq!(asked(), "the embedding model has just changed");
    // It is not asked for all tools at every search.
    assert_eq!((asked(), server.asked()), ("the embedding model has just changed".to_owned(), 2));
}

#[test]
fn tools_of_a_model_that_was_replaced_are_embedded_anew() {
    let cache = tempfile::tempdir().unwrap();
    let width = Arc::new(std::sync::atomic::AtomicUsize::new(3));
    let now = Arc::clone(&width);
    let server = Server::start(move |request| {
        let width = now.load(std::sync::atomic::Ordering::Relaxed);
        Some(("200 OK", list(request, |_| vec![1.0; width])))
    });
    let texts = tools(["a", "b"]);
    let open = || without_rest(Embeddings::open(&server.settings(), Some(cache.path())).unwrap());
    open().prepare(&texts).unwrap();
    width.store(5, std::sync::atomic::Ordering::Relaxed);
    let embeddings = open();
    let why = embeddings.scores(&texts, &queries(["q"])).unwrap_err();
    assert_eq!(why, "the embedding model has just changed");
    assert_near(&settled(&embeddings, &texts, &queries(["q"])).unwrap(), &[&[1.0, 1.0]]);
    embeddings.prepare(&texts).unwrap();
}

#[test]
fn what_a_refusal_says_is_short_and_without_the_key() {
    let echo = |request: &Value| {
        let text = inputs(request).join(" ");
        Some(("401 Unauthorized", format!("{} is wrong: {KEY}! {text}", "x".repeat(185))))
    };
    let said = refusal(echo);
    assert!(said.contains("401 Unauthorized: xxx") && !said.contains(&KEY[..6]), "{said}");
    let (_, told) = said.split_once("Unauthorized: ").unwrap();
    assert_eq!(told.chars().count(), 200);
    // A type error of the answer's may cite it, too.
    let said = refusal(|_| Some(("200 OK", format!(r#"{{"data":"{KEY}"}}"#))));
    assert!(said.contains("[key]") && !said.contains(KEY), "{said}");
    let said = refusal(|_| Some(("307 Temporary Redirect", "elsewhere".into())));
    assert_eq!(said, "the embedding endpoint answered 307 Temporary Redirect: elsewhere");
}

#[test]
fn vectors_of_tools_are_kept_for_the_next_run() {
    let cache = tempfile::tempdir().unwrap();
    let server = Server::of_letters();
    let texts = tools(["a", "b"]);
    let open = |model: &str| {
        let settings = EndpointSettings { model: model.into(), ..server.settings() };
        Embeddings::open(&settings, Some(cache.path())).unwrap()
    };
    open("one").prepare(&texts).unwrap();
    let scores = open("one").scores(&texts, &queries(["b"])).unwrap();
    assert_near(&scores, &[&[0.0, 1.0]]);
    assert_eq!(server.inputs().len(), 3);
    // Another model's vectors are others.
    assert!(open("two").scores(&texts, &queries(["b"])).is_err());
}

#[test]
fn a_cache_that_cannot_be_used_is_done_without() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let server = Server::of_letters();
    let embeddings = Embeddings::open(&server.settings(), Some(file.path())).unwrap();
    let texts = tools(["a"]);
    assert_near(&settled(&embeddings, &texts, &queries(["a"])).unwrap(), &[&[1.0]]);
}

#[test]
fn calls_and_drops_in_async_code_do_no_harm() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = Server::of_letters();
        let embeddings = server.open();
        embeddings.prepare(&tools(["a"])).unwrap();
        drop(embeddings);
    });
}

#[test]
fn only_so_many_queries_are_remembered() {
    let embeddings = Server::of_letters().open();
    let texts = tools(["a"]);
    embeddings.prepare(&texts).unwrap();
    for i in 0..=MAX_QUERIES / 40 {
        let many: Vec<String> = (0..40).map(|n| format!("a{i}.{n}")).collect();
        assert_eq!(embeddings.scores(&texts, &many).unwrap().len(), 40);
    }
    assert_eq!(embeddings.0.state.lock().queries.len(), 40);
}

#[test]
fn settings_are_read_from_a_table() {
    let read =
        |text: &str| EndpointSettings::read(toml::Value::Table(toml::from_str(text).unwrap()));
    for (url, address) in [
        ("http://localhost:11434/v1", "http://localhost:11434/v1/embeddings"),
        ("https://h.example/v1/", "https://h.example/v1/embeddings"),
        ("http://10.0.0.8:80/v1", "http://10.0.0.8:80/v1/embeddings"),
        ("http://127.0.0.1.example/v1", "http://127.0.0.1.example/v1/embeddings"),
    ] {
        let settings = read(&format!("url = \"{url}\"\nmodel = \"m\"")).unwrap();
        let is_open = !(url.contains("localhost") || url.contains("https"));
        assert_eq!(settings.warning().is_some(), is_open, "{url}");
        assert_eq!(settings.address().unwrap().to_string(), address);
    }
    for url in [
        "",
        "http://",
        "http://local host/v1",
        "ftp://h/v1",
        "file:///v1",
        "h.example/v1",
        "http://user:hunter2@h.example/v1",
        "https://h.example/v1?code=hunter2",
    ] {
        let said = read(&format!("url = \"{url}\"\nmodel = \"m\"")).map(drop).unwrap_err();
        assert!(said.starts_with("embeddings.url is to be the base"), "{url}: {said}");
        assert!(!said.contains("hunter2"));
    }
    let good = "url = \"http://localhost:1/v1\"\n";
    let named = read(&format!("{good}model = \"m\"\nkey_env = \"CARGO_MANIFEST_DIR\""));
    assert!(named.is_ok());
    for (text, why) in [
        ("", "embeddings: missing field `model`"),
        ("model = 5", "embeddings: invalid type: integer `5`, expected a string"),
        ("model = \"m\"\nkey = \"hunter2\"", "embeddings: unknown field `key`, expected one of"),
        ("model = \"m\"\nkey_env = \"hunter2\"", "embeddings.key_env is to name an environment"),
    ] {
        let said = read(&format!("{good}{text}")).map(drop).unwrap_err();
        assert!(said.starts_with(why) && !said.contains("hunter2"), "{said}");
    }
}
