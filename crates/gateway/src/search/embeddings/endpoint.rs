//! Where the endpoint is, as the user gives it; and one request: texts out, vectors back.

use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use http_body_util::{BodyExt as _, Limited};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use weir_base::hex;

use weir_mcp::net::{HttpClient, Tls, causes, is_loopback, request, secret, start_of};

use super::Vector;

/// Characters of a text that are sent: 64 such texts stay below the 300,000 tokens that the largest
/// provider takes at once, however few characters a token has.
const TEXT_CHARS: usize = 4_000;

/// Bytes of an answer: 64 of the widest vectors, written out.
const ANSWER_BYTES: usize = 32 * 1024 * 1024;

/// Bytes of a refusal that are read, and characters of it that are told.
const REFUSAL_BYTES: usize = 16 * 1024;
const REFUSAL_CHARS: usize = 200;

/// An OpenAI-compatible endpoint that turns texts into vectors: the table `[embeddings]` of a configuration.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndpointSettings {
    /// Its base address, such as `http://localhost:11434/v1`.
    pub url: String,
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// The environment variable whose value goes into the header `Authorization: Bearer`.
    pub key_env: Option<String>,
}

impl EndpointSettings {
    /// # Errors
    /// When a setting is unknown, missing or cannot be used. No value that may be a key is repeated.
    pub fn read(table: toml::Value) -> Result<EndpointSettings, String> {
        let read: Result<EndpointSettings, _> = table.try_into();
        let settings = read.map_err(|error| format!("embeddings: {}", error.message()))?;
        settings.address()?;
        settings.key()?;
        Ok(settings)
    }

    /// What the file with the vectors of its model is called.
    pub(super) fn file_name(&self) -> String {
        let digest = Sha256::digest(format!("{}\n{}", self.url, self.model));
        format!("{}.vectors.json", hex(&digest[..16]))
    }

    /// What the user should know before texts are sent there, in one sentence.
    pub fn warning(&self) -> Option<String> {
        let address = self.address().ok()?;
        let host = address.host()?;
        (address.scheme_str() == Some("http") && !is_loopback(host)).then(|| {
            format!("the key and all texts go unencrypted to the embedding endpoint at {host}: use https if it can")
        })
    }

    /// The address that is posted to.
    pub(super) fn address(&self) -> Result<Uri, String> {
        let address = format!("{}/embeddings", self.url.trim_end_matches('/')).parse::<Uri>();
        let is_usable = |it: &Uri| {
            matches!(it.scheme_str(), Some("http" | "https"))
                && it.query().is_none()
                && it.authority().is_some_and(|authority| !authority.as_str().contains('@'))
        };
        address.ok().filter(is_usable).ok_or_else(|| {
            "embeddings.url is to be the base of the API, without a name, a password or a query, such as \
             \"http://localhost:11434/v1\""
                .to_owned()
        })
    }

    /// The key. The message does not repeat the name: some put the key itself there.
    fn key(&self) -> Result<Option<String>, String> {
        let Some(name) = &self.key_env else { return Ok(None) };
        let found =
            std::env::var(name).ok().filter(|key| secret(key).is_some_and(|it| !it.is_empty()));
        found.map(Some).ok_or_else(|| {
            "embeddings.key_env is to name an environment variable that holds the key: no variable of the name \
             given is set to one"
                .to_owned()
        })
    }
}

/// The endpoint, ready to be asked.
pub(super) struct Endpoint {
    /// Made for the first request: reading the system's certificates takes longer than many a
    /// command that never asks.
    client: OnceLock<Result<HttpClient, String>>,
    address: Uri,
    headers: HeaderMap,
    model: String,
    key: Option<String>,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Endpoint {
    pub(super) fn new(settings: &EndpointSettings) -> Result<Endpoint, String> {
        let (address, key) = (settings.address()?, settings.key()?);
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(key) = key.as_ref().and_then(|key| secret(&format!("Bearer {key}"))) {
            headers.insert(header::AUTHORIZATION, key);
        }
        let (client, model) = (OnceLock::new(), settings.model.clone());
        Ok(Endpoint { client, address, headers, model, key })
    }

    /// One vector for each text, in order, each of length 1 and all of one dimension.
    ///
    /// The error is a sentence for a model, without the key.
    pub(super) async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, String> {
        let answer = self.ask(texts).await;
        answer
            .and_then(|body| vectors(&body, texts.len()))
            .map_err(|why| format!("the embedding endpoint {}", self.harmless(&why)))
    }

    async fn ask(&self, texts: &[String]) -> Result<Bytes, String> {
        let texts: Vec<&str> = texts.iter().map(|text| first_chars(text, TEXT_CHARS)).collect();
        let body = json!({"model": self.model, "input": texts, "encoding_format": "float"});
        let mut request = request(Method::POST, self.address.clone(), body.to_string());
        *request.headers_mut() = self.headers.clone();
        let https = self.address.scheme_str() == Some("https");
        let client = self.client.get_or_init(|| HttpClient::new(https, &Tls::default())).as_ref();
        let response = client
            .map_err(|why| format!("cannot be asked: {why}"))?
            .request(request)
            .await
            .map_err(|error| format!("cannot be reached: {}", causes(&error)))?;
        let status = response.status();
        if !status.is_success() {
            let said = start_of(response.into_body(), REFUSAL_BYTES).await;
            // Redacted before it is cut: half a key at the cut would not be recognized.
            let said = self.harmless(&said);
            return Err(format!("answered {status}: {}", first_chars(&said, REFUSAL_CHARS)));
        }
        match Limited::new(response.into_body(), ANSWER_BYTES).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => {
                Err(format!("answered with more than {} MiB", ANSWER_BYTES >> 20))
            }
            Err(error) => Err(format!("broke off its answer: {}", causes(&*error))),
        }
    }

    /// A text in one line, without the key.
    fn harmless(&self, text: &str) -> String {
        let text = match &self.key {
            Some(key) => text.replace(key.as_str(), "[key]"),
            None => text.to_owned(),
        };
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// The vectors of an answer to `count` texts.
fn vectors(body: &[u8], count: usize) -> Result<Vec<Vector>, String> {
    let answer: Answer = serde_json::from_slice(body)
        .map_err(|error| format!("gave no list of embeddings: {error}"))?;
    let mut items = answer.data;
    if items.len() != count {
        return Err(format!("gave {} embeddings for {count} texts", items.len()));
    }
    items.sort_by_key(|item| item.index);
    let lengths = items.iter().map(|item| item.embedding.len());
    if let (Some(least), Some(most)) = (lengths.clone().min(), lengths.max())
        && least != most
    {
        return Err(format!("gave embeddings of {least} and of {most} numbers"));
    }
    items.into_iter().map(|item| unit(item.embedding)).collect()
}

/// The vector of length 1 in the same direction.
fn unit(vector: Vec<f32>) -> Result<Vector, String> {
    let length = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if !length.is_normal() {
        return Err("gave an embedding that is empty, all zeros or not finite".to_owned());
    }
    Ok(vector.into_iter().map(|x| (f64::from(x) / length) as f32).collect())
}

fn first_chars(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}
