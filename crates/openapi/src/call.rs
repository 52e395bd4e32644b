//! A call: sent, and its answer as a result of MCP.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::header::{
    ACCEPT, CONTENT_TYPE, COOKIE, HeaderName, HeaderValue, LINK, LOCATION, RETRY_AFTER, USER_AGENT,
};
use hyper::{Method, Response, StatusCode, Uri};
use serde_json::{Map, Value, json};
use url::Url;
use weir_base::clip;
use weir_mcp::json::{Json, quote};
use weir_mcp::net::{self, HttpClient, causes};

use crate::Client;
use crate::access::Access;
use crate::load::MAX_REDIRECTS;
use crate::operations::{Operation, is_text};
use crate::request::{Prepared, prepare, with_access};

/// Bytes of an answer. Of a longer one this is the start, and the result says so.
const ANSWER_BYTES: usize = 32 << 20;

/// Characters of an error's body.
const ERROR_CHARS: usize = 4_000;

/// Makes the calls of one API.
pub(crate) struct Caller {
    pub(crate) http: HttpClient,
    pub(crate) base: Url,
    pub(crate) access: Access,
    pub(crate) client: Client,
}

/// What came back.
struct Answer {
    response: Response<()>,
    body: Vec<u8>,
    /// Whether there was more.
    is_cut: bool,
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
        let answer = self.send(&operation.method, prepared).await?;
        let status = answer.response.status();
        if !status.is_success() {
            return Err(self.refusal(&answer));
        }
        Ok(result(&answer, &address, next_page(operation, arguments, &answer)))
    }

    async fn send(&self, method: &Method, prepared: Prepared) -> Result<Answer, String> {
        let mut at = with_access(&prepared.address, &self.access)?;
        let mut method = method.clone();
        let mut body = prepared.body;
        for _ in 0..=MAX_REDIRECTS {
            let mut request = net::request(method.clone(), at.clone(), body.clone());
            let headers = request.headers_mut();
            headers.insert(USER_AGENT, HeaderValue::from_static(self.client.agent));
            headers.insert(ACCEPT, HeaderValue::from_static("application/json, */*;q=0.8"));
            headers.extend(prepared.headers.clone());
            for (name, value) in &self.access.headers {
                let value = match (name, headers.get(name).and_then(|it| it.to_str().ok())) {
                    (&COOKIE, Some(others)) => both(value, others),
                    _ => value.clone(),
                };
                headers.insert(name.clone(), value);
            }
            let response = self.http.request(request).await;
            let response = response
                .map_err(|error| format!("the API cannot be reached: {}", causes(&error)))?;
            // What a redirect may be followed with depends on its status: a post is not sent twice.
            let status = response.status().as_u16();
            let is_safe = matches!(method, Method::GET | Method::HEAD);
            if let Some(there) = redirected(&at, &response)
                && (is_safe || matches!(status, 303 | 307 | 308))
            {
                at = there?;
                if status == 303 && !is_safe {
                    (method, body) = (Method::GET, Vec::new());
                }
                continue;
            }
            return read(response).await;
        }
        Err("the API sends on and on to further addresses".to_owned())
    }

    /// Why the API refused, in words.
    fn refusal(&self, answer: &Answer) -> String {
        let status = answer.response.status();
        let header = |name: HeaderName| answer.response.headers().get(name)?.to_str().ok();
        let mut text = format!("the API answered with HTTP {status}");
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                text += match self.access.headers.is_empty() && self.access.query.is_empty() {
                    true => "; the server's entry has neither headers nor auth",
                    false => {
                        "; it does not take the secrets of the server's entry, or not for this"
                    }
                };
            }
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
                if let Some(after) = header(RETRY_AFTER) {
                    text += &format!(
                        "; it may be asked again after {} (seconds or a time)",
                        clip(after, 40)
                    );
                }
            }
            _ => {}
        }
        let media = media_of(answer);
        let said = String::from_utf8_lossy(&answer.body);
        // Secrets first: a cut one would not be found. The start is long enough for what is shown.
        let said = self.client.secrets.redact(&clip(&said, 8 * ERROR_CHARS));
        match said.trim() {
            "" => text,
            _ if !is_text(&media) && !media.is_empty() => text,
            said => format!("{text}, and says:\n{}", clip(said, ERROR_CHARS)),
        }
    }
}

fn both(own: &HeaderValue, others: &str) -> HeaderValue {
    let own_text = own.to_str().unwrap_or_default();
    net::secret(&format!("{own_text}; {others}")).unwrap_or_else(|| own.clone())
}

/// Where a response sends on to, if it does; an error where that is another origin.
pub(crate) fn redirected<B>(from: &Uri, response: &Response<B>) -> Option<Result<Uri, String>> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let there = response.headers().get(LOCATION)?.to_str().ok()?;
    let from = Url::parse(&from.to_string()).ok()?;
    let mut there = from.join(there).ok()?;
    if there.origin() != from.origin() {
        let origin = there.origin().ascii_serialization();
        return Some(Err(format!(
            "it sends on to another machine, {origin}, which is not followed"
        )));
    }
    there.set_fragment(None);
    Some(there.as_str().parse().map_err(|_| "it sends on to what is no address".to_owned()))
}

async fn read(response: Response<Incoming>) -> Result<Answer, String> {
    let (parts, mut incoming) = response.into_parts();
    let (mut body, mut is_cut) = (Vec::new(), false);
    while let Some(frame) = incoming.frame().await {
        let frame = frame.map_err(|error| format!("the answer broke off: {}", causes(&error)))?;
        let data = frame.data_ref().map_or(&[][..], |data| data);
        let room = ANSWER_BYTES - body.len();
        body.extend_from_slice(&data[..data.len().min(room)]);
        if data.len() > room {
            is_cut = true;
            break;
        }
    }
    Ok(Answer { response: Response::from_parts(parts, ()), body, is_cut })
}

fn media_of(answer: &Answer) -> String {
    let media = answer.response.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    media.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// An answer as a result. What is an object is no structured content beside the text: no schema says what it would be,
/// and a client would show or send both.
fn result(answer: &Answer, address: &Url, next: Option<String>) -> Json {
    let media = media_of(answer);
    let status = answer.response.status();
    let text = std::str::from_utf8(&answer.body).ok().filter(|text| {
        is_text(&media)
            || !text.contains('\0') && (media.is_empty() || media == "application/octet-stream")
    });
    let lossy = is_text(&media).then(|| String::from_utf8_lossy(&answer.body));
    let block = match (text.map(Into::into).or(lossy), media.split('/').next()) {
        _ if answer.body.is_empty() => {
            let headers = answer.response.headers();
            let place = headers.get(LOCATION).and_then(|it| it.to_str().ok());
            let place =
                place.map_or(String::new(), |place| format!("; location: {}", clip(place, 500)));
            text_block(&format!("HTTP {status}, without a body{place}"))
        }
        (Some(text), _) => text_block(&text),
        (None, Some(kind @ ("image" | "audio"))) => {
            json!({"type": kind, "mimeType": media, "data": STANDARD.encode(&answer.body)})
                .to_string()
        }
        (None, _) => {
            let media = if media.is_empty() { "application/octet-stream" } else { &media };
            let blob = STANDARD.encode(&answer.body);
            let resource = json!({"uri": address.as_str(), "mimeType": media, "blob": blob});
            json!({"type": "resource", "resource": resource}).to_string()
        }
    };
    let mut blocks = vec![block];
    if answer.is_cut {
        blocks.push(text_block(&format!(
            "[truncated: the answer has more than {} MiB, and these are the first]",
            ANSWER_BYTES >> 20
        )));
    }
    blocks.extend(
        next.map(|next| text_block(&format!("[weir: the next page has the arguments {next}]"))),
    );
    Json::assembled(format!(r#"{{"content":[{}],"isError":false}}"#, blocks.join(",")))
}

fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quote(text))
}

/// The arguments by which the header `Link` says that the next page differs. A number goes on by itself.
fn next_page(
    operation: &Operation,
    arguments: &Map<String, Value>,
    answer: &Answer,
) -> Option<String> {
    let links = answer.response.headers().get_all(LINK).iter().filter_map(|it| it.to_str().ok());
    let mut links = links.flat_map(|links| links.split(','));
    let next = links.find(|link| {
        link.split(';').skip(1).any(|part| matches!(part.trim(), "rel=\"next\"" | "rel=next"))
    })?;
    let next = next.split(['<', '>']).nth(1)?;
    let query = Url::parse("http://localhost").ok()?.join(next).ok()?;
    let mut changed = Map::new();
    for (name, value) in query.query_pairs() {
        let mut own =
            operation.parameters.iter().filter(|it| it.place == "query" && it.name == name);
        if let Some(parameter) = own.next() {
            let before = arguments.get(&parameter.argument);
            let before = before.map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned));
            if before.as_deref() != Some(&value) {
                changed.insert(parameter.argument.clone(), json!(value));
            }
        }
    }
    let is_counted =
        changed.values().all(|it| it.as_str().is_some_and(|it| it.parse::<u64>().is_ok()));
    (!is_counted).then(|| Value::Object(changed).to_string())
}
