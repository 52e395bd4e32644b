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
    let refused = |code, text: String| (StatusCode::BAD_REQUEST, wire::error(code, &text));
    let differs = |text: String| refused(code::HEADER_MISMATCH, format!("Header mismatch: {text}"));
    let repeats = |header: &str, body: &str| match headers.get(header).and_then(text_of_header) {
        Some(given) if given == body => Ok(()),
        Some(given) => Err(differs(format!("{header} is {given}, the body has {body}"))),
        None => Err(differs(format!("{header} is missing"))),
    };
    let params = request.params();
    let Some(version) = params.text_at(&["_meta", wire::META_VERSION]) else {
        return Err(refused(code::INVALID_PARAMS, format!("_meta lacks {}", wire::META_VERSION)));
    };
    repeats("MCP-Protocol-Version", &version)?;
    if version != wire::MODERN {
        return Err((StatusCode::BAD_REQUEST, unsupported_version(&version)));
    }
    repeats("Mcp-Method", &request.method)?;
    let Some(name) = name_header(&request.method, params) else { return Ok(()) };
    repeats("Mcp-Name", &name)?;
    let catalog = request.is(Method::CallTool).then(|| servers.catalog());
    let tool = catalog.as_ref().and_then(|catalog| catalog.find(&name));
    let all = tool.map(|tool| repeated_headers(&tool.definition()).unwrap_or_default());
    for repeated in all.into_iter().flatten() {
        let mut path = vec!["arguments"];
        path.extend(repeated.path.iter().map(String::as_str));
        let body = params.get(&path).filter(|value| *value != "null");
        let given = headers.get(format!("mcp-param-{}", repeated.name)).map(text_of_header);
        let agrees = match (body, given) {
            (None, None) => true,
            (Some(body), Some(Some(given))) => says(body, &given),
            _ => false,
        };
        if !agrees {
            let name = repeated.name;
            return Err(differs(format!("Mcp-Param-{name} does not repeat its argument")));
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
