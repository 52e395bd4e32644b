//! One request: texts out, vectors back.

use std::sync::OnceLock;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use http_body_util::{BodyExt as _, Limited};
use serde::{Deserialize, Serialize};

use super::OpenError;
use super::settings::EndpointSettings;
use weir_mcp::net::{HttpClient, Tls, causes, request, secret, start_of};

/// Characters of a text that are sent: 64 such texts stay below the 300,000 tokens that the largest
/// provider takes at once, however few characters a token has.
const TEXT_CHARS: usize = 4_000;

/// Numbers in a vector: four times what the widest models give.
const MAX_DIMENSION: usize = 16_384;

/// Bytes of an answer: 64 of the widest vectors, written out.
const ANSWER_BYTES: usize = 32 * 1024 * 1024;

/// Bytes of a refusal that are read, and characters of it that are told.
const REFUSAL_BYTES: usize = 16 * 1024;
const REFUSAL_CHARS: usize = 200;

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

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    input: Vec<&'a str>,
    encoding_format: &'a str,
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
    pub(super) fn new(settings: &EndpointSettings) -> Result<Endpoint, OpenError> {
        let address = settings.address().map_err(OpenError::Url)?;
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(key) = settings.key() {
            let value = secret(&format!("Bearer {key}")).ok_or(OpenError::Key)?;
            headers.insert(header::AUTHORIZATION, value);
        }
        let key = settings.key().map(str::to_owned);
        Ok(Endpoint {
            client: OnceLock::new(),
            address,
            headers,
            model: settings.model.trim().to_owned(),
            key,
        })
    }

    /// One vector for each text, in order, each of length 1 and all of one dimension.
    ///
    /// The error is a sentence for a model, without the key.
    pub(super) async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, String> {
        let answer = self.ask(texts).await;
        answer
            .and_then(|body| vectors(&body, texts.len()))
            .map_err(|why| format!("the embedding endpoint {}", self.harmless(&why)))
    }

    async fn ask(&self, texts: &[&str]) -> Result<Bytes, String> {
        let question = Question {
            model: &self.model,
            input: texts.iter().map(|text| first_chars(text, TEXT_CHARS)).collect(),
            encoding_format: "float",
        };
        let body = serde_json::to_vec(&question)
            .map_err(|error| format!("cannot be asked: the texts are no JSON: {error}"))?;
        let mut request = request(Method::POST, self.address.clone(), body);
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

/// What the endpoint answers within the time.
pub(super) async fn within<T>(
    timeout: Duration,
    asking: impl Future<Output = Result<T, String>>,
) -> Result<T, String> {
    tokio::time::timeout(timeout, asking).await.unwrap_or_else(|_| {
        Err(format!("the embedding endpoint did not answer within {}", told(timeout)))
    })
}

/// The vectors of an answer to `count` texts.
fn vectors(body: &[u8], count: usize) -> Result<Vec<Vec<f32>>, String> {
    let answer: Answer = serde_json::from_slice(body)
        .map_err(|error| format!("gave no list of embeddings: {error}"))?;
    if answer.data.len() != count {
        return Err(format!("gave {} embeddings for {count} texts", answer.data.len()));
    }
    let mut found: Vec<Vec<f32>> = vec![Vec::new(); count];
    let dimension = answer.data.first().map_or(0, |item| item.embedding.len());
    if count > 0 && !(1..=MAX_DIMENSION).contains(&dimension) {
        return Err(format!("gave an embedding of {dimension} numbers"));
    }
    for (place, item) in answer.data.into_iter().enumerate() {
        let index = item.index.unwrap_or(place);
        if item.embedding.len() != dimension {
            let other = item.embedding.len();
            return Err(format!("gave embeddings of {dimension} and of {other} numbers"));
        }
        match found.get_mut(index) {
            Some(slot) if slot.is_empty() => *slot = unit(item.embedding)?,
            Some(_) => return Err(format!("gave two embeddings for text {index}")),
            None => return Err(format!("gave an embedding for text {index} of {count}")),
        }
    }
    Ok(found)
}

/// The vector of length 1 in the same direction.
fn unit(mut vector: Vec<f32>) -> Result<Vec<f32>, String> {
    if !vector.iter().all(|x| x.is_finite()) {
        return Err("gave an embedding with a number that is not finite".to_owned());
    }
    let length = vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
    if length == 0.0 {
        return Err("gave an embedding that is all zeros".to_owned());
    }
    for x in &mut vector {
        *x = (f64::from(*x) / length) as f32;
    }
    Ok(vector)
}

fn first_chars(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

fn told(duration: Duration) -> String {
    match duration.as_millis() {
        millis if millis % 1_000 == 0 => format!("{} s", millis / 1_000),
        millis => format!("{millis} ms"),
    }
}
