//! Headers of a request against what its body says.

use axum::http::{HeaderMap, StatusCode, header};

use crate::clients::server::unsupported_version;
use crate::servers::Servers;
use weir_mcp::http_link::{repeated_headers, text_of_header};
use weir_mcp::json::Json;
use weir_mcp::methods::{Method, name_header};
use weir_mcp::wire::{self, Request, code};

pub(super) fn accepts_both(headers: &HeaderMap) -> bool {
    let mut accept =
        headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).peekable();
    if accept.peek().is_none() {
        return true;
    }
    let all: Vec<&str> = accept
        .flat_map(|value| value.split(','))
        .map(|kind| kind.split(';').next().unwrap_or("").trim())
        .collect();
    let any = |kinds: &[&str]| all.iter().any(|kind| kinds.contains(kind));
    any(&["application/json", "application/*", "*/*"])
        && any(&["text/event-stream", "text/*", "*/*"])
}

/// Checks a modern request's headers against its body.
pub(super) fn check_headers(
    servers: &Servers,
    headers: &HeaderMap,
    request: &Request,
) -> Result<(), (StatusCode, Json)> {
    let mismatch =
        |text: String| Err((StatusCode::BAD_REQUEST, wire::error(code::HEADER_MISMATCH, &text)));
    let params = request.params();
    let body_version = params.text_at(&["_meta", wire::META_VERSION]);
    let header_of = |name: &str| headers.get(name).and_then(text_of_header);
    let Some(version) = header_of("mcp-protocol-version") else {
        return mismatch("Header mismatch: MCP-Protocol-Version is missing".into());
    };
    match body_version {
        None => {
            let text = format!("_meta lacks {}", wire::META_VERSION);
            return Err((StatusCode::BAD_REQUEST, wire::error(code::INVALID_PARAMS, &text)));
        }
        Some(body) if body != version => {
            return mismatch(format!(
                "Header mismatch: MCP-Protocol-Version is {version}, the body has {body}"
            ));
        }
        Some(_) if version != wire::MODERN => {
            return Err((StatusCode::BAD_REQUEST, unsupported_version(&version)));
        }
        Some(_) => {}
    }
    match header_of("mcp-method") {
        Some(method) if method == request.method => {}
        Some(method) => {
            return mismatch(format!(
                "Header mismatch: Mcp-Method is {method}, the body has {}",
                request.method
            ));
        }
        None => return mismatch("Header mismatch: Mcp-Method is missing".into()),
    }
    if let Some(name) = name_header(&request.method, params) {
        match header_of("mcp-name") {
            Some(given) if given == name => {}
            Some(given) => {
                return mismatch(format!(
                    "Header mismatch: Mcp-Name is {given}, the body has {name}"
                ));
            }
            None => return mismatch("Header mismatch: Mcp-Name is missing".into()),
        }
        if request.is(Method::CallTool)
            && let Some(tool) = servers.catalog().find(&name)
        {
            for repeated in repeated_headers(&tool.definition()).unwrap_or_default() {
                let mut path = vec!["arguments"];
                path.extend(repeated.path.iter().map(String::as_str));
                let body = params.get(&path).filter(|value| *value != "null");
                let given =
                    headers.get(format!("mcp-param-{}", repeated.name).to_ascii_lowercase());
                let agrees = match (body, given) {
                    (None, None) => true,
                    (Some(body), Some(given)) => {
                        text_of_header(given).is_some_and(|given| says(body, &given))
                    }
                    _ => false,
                };
                if !agrees {
                    return mismatch(format!(
                        "Header mismatch: Mcp-Param-{} does not repeat its argument",
                        repeated.name
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Whether a header's text repeats a value of the body; numbers are compared as numbers.
pub(super) fn says(body: &str, given: &str) -> bool {
    match serde_json::from_str::<serde_json::Value>(body) {
        Ok(serde_json::Value::String(text)) => text == given,
        Ok(serde_json::Value::Number(number)) => {
            number.to_string() == given
                || number.as_f64().is_some_and(|n| given.parse::<f64>().is_ok_and(|g| g == n))
        }
        _ => body == given,
    }
}
