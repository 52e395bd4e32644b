//! A call: sent, and its answer as a result of MCP.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::BodyExt as _;
use hyper::header::{
    ACCEPT, CONTENT_TYPE, COOKIE, HeaderName, HeaderValue, LINK, LOCATION, RETRY_AFTER, USER_AGENT,
};
use hyper::{Method, Response, StatusCode};
use serde_json::{Map, Value, json};
use url::Url;
use weir_base::clip;
use weir_mcp::json::Json;
use weir_mcp::net::{self, HttpClient, causes};

use crate::Client;
use crate::access::Access;
use crate::operations::{Operation, is_text};
use crate::request::{Prepared, prepare};

/// Bytes of an answer. Of a longer one this is the start, and the result says so.
const ANSWER_BYTES: usize = 32 << 20;

/// Characters of an error's body.
const ERROR_CHARS: usize = 4_000;

/// Redirects in a row.
const MAX_REDIRECTS: usize = 5;

/// Makes the calls of one API.
pub(crate) struct Caller {
    pub(crate) http: HttpClient,
    pub(crate) base: Url,
    pub(crate) access: Access,
    pub(crate) client: Client,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) response: Response<()>,
    pub(crate) body: Vec<u8>,
    /// Whether there was more.
    pub(crate) is_cut: bool,
}

impl Caller {
    /// Makes a call. The error is for a model.
    pub(crate) async fn call(
        &self,
        operation: &Operation,
        arguments: &Map<String, Value>,
    ) -> Result<Json, String> {
        let prepared = prepare(operation, &self.base, arguments)?;
        let address = prepared.address.clone();
        let answer = self.send(&operation.method, prepared, ANSWER_BYTES).await?;
        match answer.response.status().is_success() {
            true => Ok(answer.result(&address, answer.next_page(operation))),
            false => Err(self.refusal(&answer)),
        }
    }

    /// Sends a request, also on to where its answer says, at the same origin.
    pub(crate) async fn send(
        &self,
        method: &Method,
        prepared: Prepared,
        most: usize,
    ) -> Result<Answer, String> {
        let (mut at, mut method, mut body) = (prepared.address, method.clone(), prepared.body);
        for (name, value) in &self.access.query {
            at.query_pairs_mut().append_pair(name, value);
        }
        for _ in 0..=MAX_REDIRECTS {
            let uri = at.as_str().parse().map_err(|_| "the address cannot be used")?;
            let mut request = net::request(method.clone(), uri, body.clone());
            let headers = request.headers_mut();
            headers.insert(USER_AGENT, HeaderValue::from_static(self.client.agent));
            headers.insert(ACCEPT, HeaderValue::from_static("application/json, */*;q=0.8"));
            headers.extend(prepared.headers.clone());
            for (name, value) in &self.access.headers {
                let others = headers.get(name).filter(|_| name == COOKIE);
                let others = others.and_then(|it| {
                    Some(format!("{}; {}", it.to_str().ok()?, value.to_str().ok()?))
                });
                let both = others.and_then(|both| net::secret(&both));
                headers.insert(name.clone(), both.unwrap_or_else(|| value.clone()));
            }
            let response = self.http.request(request).await;
            let mut response = response
                .map_err(|error| format!("the API cannot be reached: {}", causes(&error)))?;
            let status = response.status().as_u16();
            let is_safe = matches!(method, Method::GET | Method::HEAD);
            // A request that changes something is sent again only where the answer says that nothing was done.
            let follows =
                matches!(status, 303 | 307 | 308) || is_safe && matches!(status, 301 | 302);
            let there = header(&response, LOCATION).filter(|_| follows);
            if let Some(there) = there.and_then(|there| at.join(there).ok()) {
                if there.origin() != at.origin() {
                    let origin = there.origin().ascii_serialization();
                    return Err(format!(
                        "the API sends on to another machine, {origin}, which is not followed"
                    ));
                }
                at = there;
                if status == 303 && !is_safe {
                    (method, body) = (Method::GET, Vec::new());
                }
                continue;
            }
            let (mut read, mut is_cut) = (Vec::new(), false);
            while let Some(frame) = response.body_mut().frame().await.filter(|_| !is_cut) {
                let frame =
                    frame.map_err(|error| format!("the answer broke off: {}", causes(&error)))?;
                let data = frame.data_ref().map_or(&[][..], |data| data);
                is_cut = data.len() > most - read.len();
                read.extend_from_slice(&data[..data.len().min(most - read.len())]);
            }
            return Ok(Answer { response: response.map(drop), body: read, is_cut });
        }
        Err("the API sends on and on to further addresses".to_owned())
    }

    /// Why the API refused, in words.
    fn refusal(&self, answer: &Answer) -> String {
        let status = answer.response.status();
        let has_none = self.access.headers.is_empty() && self.access.query.is_empty();
        let mut text = format!("the API answered with HTTP {status}");
        text += match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if has_none => {
                "; the server's entry has neither headers nor auth"
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                "; it does not take the secrets of the server's entry, or not for this"
            }
            _ => "",
        };
        if let Some(after) = header(&answer.response, RETRY_AFTER) {
            text +=
                &format!("; it may be asked again after {} (seconds or a time)", clip(after, 40));
        }
        // Secrets first: half of one would not be found.
        let said = clip(&String::from_utf8_lossy(&answer.body), 8 * ERROR_CHARS);
        let said = clip(self.client.secrets.redact_start(&said).trim(), ERROR_CHARS);
        match said.is_empty() || said.contains('\0') {
            true => text,
            false => format!("{text}, and says:\n{said}"),
        }
    }
}

fn header<B>(response: &Response<B>, name: HeaderName) -> Option<&str> {
    response.headers().get(name)?.to_str().ok()
}

impl Answer {
    /// The result. What is an object is no structured content beside the text: no schema says what it would be, and a
    /// client would show or send both.
    fn result(&self, address: &Url, next: Option<String>) -> Json {
        let media = header(&self.response, CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
        let media = media.split(';').next().unwrap_or_default().trim();
        let text = match std::str::from_utf8(&self.body) {
            Ok(text) if !text.contains('\0') && !media.starts_with("image/") => Some(text.into()),
            _ => is_text(media).then(|| String::from_utf8_lossy(&self.body)),
        };
        let kind = media.split('/').next().unwrap_or_default();
        let block = match (text, kind) {
            _ if self.body.is_empty() => {
                let place = header(&self.response, LOCATION);
                let place = place
                    .map_or(String::new(), |place| format!("; location: {}", clip(place, 500)));
                json!({"type": "text", "text": format!("HTTP {}, without a body{place}", self.response.status())})
            }
            (Some(text), _) => json!({"type": "text", "text": text}),
            (None, "image" | "audio") => {
                json!({"type": kind, "mimeType": media, "data": STANDARD.encode(&self.body)})
            }
            (None, _) => {
                let media = if media.is_empty() { "application/octet-stream" } else { media };
                let blob = STANDARD.encode(&self.body);
                json!({"type": "resource", "resource": {"uri": address.as_str(), "mimeType": media, "blob": blob}})
            }
        };
        let cut = format!(
            "[truncated: the answer has more than {} MiB, and these are the first]",
            ANSWER_BYTES >> 20
        );
        let next = next.map(|next| format!("[weir: the next page has the arguments {next}]"));
        let more = self.is_cut.then_some(cut).into_iter().chain(next);
        let more = more.map(|text| json!({"type": "text", "text": text}));
        let blocks: Vec<Value> = [block].into_iter().chain(more).collect();
        Json::of(&json!({"content": blocks, "isError": false}))
    }

    /// The arguments of the next page by the header `Link`. Those that are numbers go on by themselves.
    fn next_page(&self, operation: &Operation) -> Option<String> {
        let links = header(&self.response, LINK)?;
        let mut links = links.split(',').map(|link| link.replace('"', ""));
        let next = links.find(|link| link.split(';').any(|part| part.trim() == "rel=next"))?;
        let next =
            Url::parse("http://localhost").ok()?.join(next.split(['<', '>']).nth(1)?).ok()?;
        let mut given = Map::new();
        for (name, value) in next.query_pairs() {
            let mut own = operation.parameters.iter();
            let own = own.find(|it| it.place == "query" && it.name == name)?;
            given.insert(own.argument.clone(), json!(value));
        }
        let is_counted = |it: &Value| it.as_str().is_some_and(|it| it.parse::<u64>().is_ok());
        (!given.values().all(is_counted)).then(|| Value::Object(given).to_string())
    }
}
