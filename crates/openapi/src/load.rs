//! A description, fetched or read from a file, and where its API is.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::{Method, Uri};
use serde_json::Value;
use url::Url;
use weir_mcp::net::{self, HttpClient, causes};

use crate::access::Access;
use crate::call::{Caller, redirected};
use crate::document::{Document, list, text};
use crate::operations::{self, Found};
use crate::{Api, Client, Loaded};

/// Bytes of a description, and how long it may take to come.
const DESCRIPTION_BYTES: usize = 64 << 20;
const FETCH: Duration = Duration::from_secs(30);

/// Redirects in a row.
pub(crate) const MAX_REDIRECTS: usize = 5;

/// Operations whose faults are named in the log.
const NAMED: usize = 20;

pub(crate) async fn load(api: &Api, client: &Client) -> Result<Loaded, String> {
    let what = || format!("the description {}", api.description);
    let bytes = match api.is_fetched() {
        true => tokio::time::timeout(FETCH, fetched(&api.description, client))
            .await
            .unwrap_or_else(|_| Err(format!("it did not come within {} s", FETCH.as_secs()))),
        false => {
            let path = api.description.clone();
            let read = tokio::task::spawn_blocking(move || from_file(&path)).await;
            read.unwrap_or_else(|error| Err(error.to_string()))
        }
    };
    let bytes = bytes.map_err(|reason| format!("{} cannot be read: {reason}", what()))?;
    let (api, name) = (api.clone(), client.name.clone());
    let made = tokio::task::spawn_blocking(move || made(&api, &name, &bytes)).await;
    let (found, base, access) = made
        .map_err(|error| error.to_string())?
        .map_err(|reason| format!("{} cannot be used: {reason}", what()))?;
    let http = HttpClient::new(base.scheme() == "https", &client.tls)?;
    let names = found.operations.iter().enumerate();
    let by_name: BTreeMap<String, usize> =
        names.map(|(at, operation)| (operation.name.clone(), at)).collect();
    Ok(Loaded {
        operations: found.operations,
        by_name,
        caller: Caller { http, base, access, client: client.clone() },
    })
}

pub(crate) fn made(api: &Api, name: &str, bytes: &[u8]) -> Result<(Found, Url, Access), String> {
    let document = Document::read(bytes)?;
    let base = base_of(api, &document)?;
    let access = Access::new(api, &document)?;
    let from = Url::parse(&api.description).ok().filter(|_| api.is_fetched());
    let carries = !api.headers.is_empty() || !api.auth.is_empty();
    // Who writes the description must not choose who gets the secrets.
    if carries && api.url.is_none() && from.is_some_and(|from| from.origin() != base.origin()) {
        return Err(format!(
            "its API is at another address, {base}; write \"url\": \"{base}\" beside openapi if the headers and secrets of the entry are for that"
        ));
    }
    let found = operations::read(&document, &base, &access)?;
    if !found.left_out.is_empty() {
        let some: Vec<String> = found
            .left_out
            .iter()
            .take(NAMED)
            .map(|(name, why)| format!("{} ({why})", weir_base::clip(name, 100)))
            .collect();
        tracing::warn!(
            server = name,
            "{} of the operations are left out: {}",
            found.left_out.len(),
            some.join("; ")
        );
    }
    tracing::info!(server = name, "{} operations of {base}", found.operations.len());
    Ok((found, base, access))
}

fn from_file(path: &str) -> Result<Vec<u8>, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    let mut file = file.take(DESCRIPTION_BYTES as u64 + 1);
    file.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    bounded(bytes)
}

fn bounded(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    match bytes.len() > DESCRIPTION_BYTES {
        true => Err(format!("it has more than {} MiB", DESCRIPTION_BYTES >> 20)),
        false => Ok(bytes),
    }
}

/// Nothing secret is sent for a description.
async fn fetched(address: &str, client: &Client) -> Result<Vec<u8>, String> {
    let http = HttpClient::new(address.starts_with("https://"), &client.tls)?;
    let mut at: Uri = address.parse().map_err(|error| format!("its address: {error}"))?;
    for _ in 0..=MAX_REDIRECTS {
        let mut request = net::request(Method::GET, at.clone(), Vec::new());
        let agent = hyper::header::HeaderValue::from_static(client.agent);
        request.headers_mut().insert(hyper::header::USER_AGENT, agent);
        let mut response = http.request(request).await.map_err(|error| causes(&error))?;
        if let Some(there) = redirected(&at, &response) {
            at = there?;
            continue;
        }
        let status = response.status();
        if !status.is_success() {
            return Err(format!(
                "{address} was answered with HTTP {status}; it is asked for without secrets: if it needs some, download it and name the file"
            ));
        }
        let mut bytes = Vec::new();
        while let Some(frame) = response.body_mut().frame().await {
            let frame = frame.map_err(|error| causes(&error))?;
            bytes.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
            if bytes.len() > DESCRIPTION_BYTES {
                break;
            }
        }
        return bounded(bytes);
    }
    Err("it is sent on and on".to_owned())
}

/// Where the API is.
fn base_of(api: &Api, document: &Document) -> Result<Url, String> {
    let from = Url::parse(&api.description).ok().filter(|_| api.is_fetched());
    if let Some(url) = &api.url {
        return address(url, None).map_err(|why| format!("the url of the entry {why}"));
    }
    let said = match document.is_swagger {
        true => swagger_base(&document.root, from.as_ref()),
        false => list(&document.root, "servers").first().and_then(server_of),
    };
    const ADVICE: &str = "write \"url\" with the address of the API beside openapi";
    // Without a server it is where the description is.
    match (said, &from) {
        (Some(said), from) => address(&said, from.as_ref())
            .map_err(|why| format!("the address of its API {why}; {ADVICE}")),
        (None, Some(from)) => address("/", Some(from)),
        (None, None) => Err(format!("it does not say where its API is; {ADVICE}")),
    }
}

/// The address of a server, with its variables at their defaults.
pub(crate) fn server_of(server: &Value) -> Option<String> {
    let mut address = text(server, "url")?.to_owned();
    for (name, variable) in server.get("variables").and_then(Value::as_object).into_iter().flatten()
    {
        if let Some(default) = text(variable, "default") {
            address = address.replace(&format!("{{{name}}}"), default);
        }
    }
    Some(address)
}

fn swagger_base(root: &Value, from: Option<&Url>) -> Option<String> {
    let host = match (text(root, "host"), from) {
        (Some(host), _) => host.to_owned(),
        (None, from) => from?.authority().to_owned(),
    };
    let schemes: Vec<&str> = list(root, "schemes").iter().filter_map(Value::as_str).collect();
    let scheme = match (schemes.contains(&"https"), schemes.first(), from) {
        (false, Some(first), _) => first,
        (false, None, Some(from)) => from.scheme(),
        _ => "https",
    };
    Some(format!("{scheme}://{host}{}", text(root, "basePath").unwrap_or_default()))
}

/// An address that can be asked, without what stands behind its path.
pub(crate) fn address(said: &str, from: Option<&Url>) -> Result<Url, String> {
    let parsed = match from {
        Some(from) => from.join(said),
        None => Url::parse(said),
    };
    let shown = weir_base::clip(said, 200);
    let mut url = parsed.map_err(|error| format!("cannot be used: {shown}: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || shown.contains('{') {
        return Err(format!("is not a whole address of http or https: {shown}"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("holds a name or a password, which belong under auth or headers".to_owned());
    }
    (url.set_query(None), url.set_fragment(None));
    Ok(url)
}
