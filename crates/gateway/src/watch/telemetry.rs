//! Traces for those who want them: one span for each request, sent as OTLP over HTTP in JSON.
//!
//! Off unless `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set; the other
//! standard variables that are read are `OTEL_SDK_DISABLED`, `OTEL_TRACES_EXPORTER`,
//! `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. A span joins the
//! trace that the request names in `_meta`, and servers are told of the span in the same way. Names of
//! attributes are those of the semantic conventions for MCP; arguments and results are in none.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::{HeaderName, HeaderValue, Method, Uri, header};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

use weir_base::hex;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods;
use weir_mcp::net::{self, HttpClient, Tls};
use weir_mcp::wire;

/// Spans that wait to be sent; more are dropped, so that nothing waits for a collector.
const QUEUE: usize = 4_096;

/// How long spans are gathered, and how many of them, before they are sent.
const GATHER: Duration = Duration::from_secs(2);
const BATCH: usize = 512;

/// How long the end of the gateway waits for spans to be sent.
const FLUSH: Duration = Duration::from_secs(2);

/// Sends spans somewhere.
#[derive(Debug)]
pub(crate) struct Telemetry {
    spans: mpsc::Sender<Item>,
}

/// What goes to the task that sends.
#[derive(Debug)]
enum Item {
    Span(Value),
    /// Send what there is at once, then drop this.
    Flush(oneshot::Sender<()>),
}

/// A span under way.
#[derive(Debug)]
pub(crate) struct Span {
    spans: mpsc::Sender<Item>,
    trace: String,
    id: String,
    parent: Option<String>,
    flags: String,
    name: String,
    started: u128,
    attributes: BTreeMap<&'static str, Value>,
}

fn nanos() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos())
}

fn random_hex(bytes: usize) -> String {
    let random: Vec<u8> = (0..bytes).map(|_| fastrand::u8(..)).collect();
    let hex = hex(&random);
    // All zeros is no id.
    if hex.bytes().all(|b| b == b'0') { format!("{}1", &hex[1..]) } else { hex }
}

impl Telemetry {
    /// What the environment asks for, if anything. Must be called within a tokio runtime.
    pub(crate) fn from_env(variable: &dyn Fn(&str) -> Option<String>) -> Option<Telemetry> {
        let set = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
        if set("OTEL_SDK_DISABLED").is_some_and(|value| value.eq_ignore_ascii_case("true"))
            || set("OTEL_TRACES_EXPORTER").is_some_and(|value| value == "none")
        {
            return None;
        }
        let endpoint = set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").or_else(|| {
            set("OTEL_EXPORTER_OTLP_ENDPOINT")
                .map(|base| format!("{}/v1/traces", base.trim_end_matches('/')))
        })?;
        let refuse = |reason: String| {
            tracing::warn!("no traces are sent: {reason}");
            None
        };
        let url: Uri = match endpoint.parse() {
            Ok(url) => url,
            Err(error) => return refuse(format!("the endpoint {endpoint} is no address: {error}")),
        };
        if set("OTEL_EXPORTER_OTLP_PROTOCOL").is_some_and(|protocol| !protocol.starts_with("http/"))
        {
            return refuse("only OTEL_EXPORTER_OTLP_PROTOCOL=http/json is spoken here".into());
        }
        let client = match HttpClient::new(url.scheme_str() == Some("https"), &Tls::default()) {
            Ok(client) => client,
            Err(reason) => return refuse(reason),
        };
        let mut headers = Vec::new();
        for (name, value) in pairs(&set("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default()) {
            match (HeaderName::try_from(&name), HeaderValue::try_from(&value)) {
                (Ok(name), Ok(value)) => headers.push((name, value)),
                _ => {
                    return refuse(format!(
                        "OTEL_EXPORTER_OTLP_HEADERS has a header {name} that cannot be sent"
                    ));
                }
            }
        }
        let mut resource: BTreeMap<String, String> =
            pairs(&set("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default()).into_iter().collect();
        if let Some(name) = set("OTEL_SERVICE_NAME") {
            resource.insert("service.name".into(), name);
        }
        resource.entry("service.name".into()).or_insert_with(|| "weir".into());
        resource
            .entry("service.version".into())
            .or_insert_with(|| env!("CARGO_PKG_VERSION").into());
        let attributes: Vec<Value> =
            resource.iter().map(|(key, value)| attribute(key, &json!(value))).collect();
        let (spans, queue) = mpsc::channel(QUEUE);
        tokio::spawn(send(queue, client, url, headers, attributes));
        Some(Telemetry { spans })
    }

    /// Sends what waits; gives up when that takes long.
    pub(crate) async fn flush(&self) {
        let (flush, flushed) = oneshot::channel();
        if self.spans.try_send(Item::Flush(flush)).is_ok() {
            let _ = tokio::time::timeout(FLUSH, flushed).await;
        }
    }

    /// Starts the span of a request, in the trace that the request names if it names one.
    pub(crate) fn start(&self, request: &wire::Request, session: &str) -> Span {
        let params = request.params();
        let given =
            params.text_at(&["_meta", "traceparent"]).and_then(|text| read_traceparent(&text));
        let (trace, parent, flags) = match given {
            Some((trace, parent, flags)) => (trace, Some(parent), flags),
            None => (random_hex(16), None, "01".to_owned()),
        };
        let mut attributes = BTreeMap::from([
            ("mcp.method.name", json!(request.method)),
            ("mcp.session.id", json!(session)),
            ("jsonrpc.request.id", json!(request.id.as_str().trim_matches('"'))),
        ]);
        let mut name = request.method.clone();
        if let Some(tool) = params.text_at(&["name"]) {
            name = format!("{name} {tool}");
            let key = match request.is(methods::Method::GetPrompt) {
                true => "gen_ai.prompt.name",
                false => "gen_ai.tool.name",
            };
            attributes.insert(key, json!(tool));
        }
        if let Some(uri) = params.text_at(&["uri"]) {
            attributes.insert("mcp.resource.uri", json!(uri));
        }
        Span {
            spans: self.spans.clone(),
            trace,
            id: random_hex(8),
            parent,
            flags,
            name,
            started: nanos(),
            attributes,
        }
    }
}

impl Span {
    /// The request's parameters with this span as the parent of what servers do.
    pub(crate) fn told_to_servers(&self, params: &Json) -> Json {
        params.with(
            &["_meta", "traceparent"],
            &quote(&format!("00-{}-{}-{}", self.trace, self.id, self.flags)),
        )
    }

    /// Ends it. `failure` is the kind of error, if there was one.
    pub(crate) fn end(self, failure: Option<&str>) {
        let mut attributes: Vec<Value> =
            self.attributes.iter().map(|(key, value)| attribute(key, value)).collect();
        let mut status = json!({});
        if let Some(failure) = failure {
            attributes.push(attribute("error.type", &json!(failure)));
            status = json!({"code": 2});
        }
        let mut span = json!({
            "traceId": self.trace, "spanId": self.id, "name": self.name, "kind": 2,
            "startTimeUnixNano": self.started.to_string(), "endTimeUnixNano": nanos().to_string(),
            "attributes": attributes, "status": status,
        });
        if let Some(parent) = &self.parent {
            span["parentSpanId"] = json!(parent);
        }
        let _ = self.spans.try_send(Item::Span(span));
    }
}

fn attribute(key: &str, value: &Value) -> Value {
    json!({"key": key, "value": {"stringValue": value.as_str().unwrap_or_default()}})
}

/// `a=b,c=d`, values percent-encoded as in W3C baggage.
fn pairs(text: &str) -> Vec<(String, String)> {
    text.split(',')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| {
            (key.trim().to_owned(), percent_decode_str(value.trim()).decode_utf8_lossy().into())
        })
        .collect()
}

/// Trace, span and flags of a `traceparent` of W3C's version 00.
fn read_traceparent(text: &str) -> Option<(String, String, String)> {
    let parts: Vec<&str> = text.split('-').collect();
    let hex = |part: &str, len: usize| {
        part.len() == len
            && part.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            && part.bytes().any(|b| b != b'0')
    };
    match parts[..] {
        ["00", trace, span, flags] if hex(trace, 32) && hex(span, 16) && flags.len() == 2 => {
            Some((trace.to_owned(), span.to_owned(), flags.to_owned()))
        }
        _ => None,
    }
}

async fn send(
    mut queue: mpsc::Receiver<Item>,
    client: HttpClient,
    url: Uri,
    headers: Vec<(HeaderName, HeaderValue)>,
    resource: Vec<Value>,
) {
    let mut warned = false;
    loop {
        let mut spans = Vec::new();
        let mut _flushed = None;
        match queue.recv().await {
            Some(Item::Span(first)) => spans.push(first),
            Some(Item::Flush(_)) => continue,
            None => return,
        }
        let deadline = tokio::time::Instant::now() + GATHER;
        while spans.len() < BATCH {
            match tokio::time::timeout_at(deadline, queue.recv()).await {
                Ok(Some(Item::Span(span))) => spans.push(span),
                Ok(Some(Item::Flush(flush))) => {
                    _flushed = Some(flush);
                    break;
                }
                _ => break,
            }
        }
        let body = json!({"resourceSpans": [{
            "resource": {"attributes": resource},
            "scopeSpans": [{"scope": {"name": "weir", "version": env!("CARGO_PKG_VERSION")}, "spans": spans}],
        }]});
        let mut request = net::request(Method::POST, url.clone(), body.to_string());
        request
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in &headers {
            request.headers_mut().insert(name.clone(), value.clone());
        }
        let failure =
            match tokio::time::timeout(Duration::from_secs(10), client.request(request)).await {
                Ok(Ok(response)) if response.status().is_success() => None,
                Ok(Ok(response)) => Some(format!("HTTP {}", response.status())),
                Ok(Err(error)) => Some(error.to_string()),
                Err(_) => Some("no answer".to_owned()),
            };
        // Once is enough: a collector that is away is no news every two seconds.
        if let Some(reason) = failure.filter(|_| !std::mem::replace(&mut warned, true)) {
            tracing::warn!("traces could not be sent: {reason}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traceparents() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
        assert_eq!(
            read_traceparent(good).map(|(_, span, _)| span).as_deref(),
            Some("00f067aa0ba902b7")
        );
        for bad in [
            "",
            "00-x-y-01",
            "01-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        ] {
            assert_eq!(read_traceparent(bad), None, "{bad}");
        }
        assert_eq!(
            pairs("a=b%20c, d = e,f"),
            [("a".to_owned(), "b c".to_owned()), ("d".to_owned(), "e".to_owned())]
        );
    }

    #[test]
    fn off_unless_asked_for() {
        assert!(Telemetry::from_env(&|_| None).is_none());
        let disabled = |name: &str| match name {
            "OTEL_EXPORTER_OTLP_ENDPOINT" => Some("http://127.0.0.1:4318".to_owned()),
            "OTEL_SDK_DISABLED" => Some("true".to_owned()),
            _ => None,
        };
        assert!(Telemetry::from_env(&disabled).is_none());
    }
}
