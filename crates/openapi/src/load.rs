//! A description, fetched or read from a file, and where its API is.

use std::io::Read as _;

use hyper::Method;
use serde_json::Value;
use url::Url;
use weir_mcp::net::HttpClient;

use crate::access::Access;
use crate::call::Caller;
use crate::document::{Document, address, list, server_of, text};
use crate::operations::{self, Found};
use crate::request::Prepared;
use crate::{Api, Client, Loaded};

/// Bytes of a description.
const DESCRIPTION_BYTES: usize = 64 << 20;

/// Operations whose faults are named in the log.
const NAMED: usize = 20;

const ADVICE: &str = "write \"url\" with the address of the API beside openapi";

pub(crate) async fn load(api: &Api, client: &Client) -> Result<Loaded, String> {
    let what = format!("the description {}", api.description);
    let unread = |why| format!("{what} cannot be read: {why}");
    let fetched = match api.is_fetched() {
        true => Some(fetched(&api.description, client).await.map_err(unread)?),
        false => None,
    };
    let (api, name, what) = (api.clone(), client.name.clone(), what.clone());
    let made = tokio::task::spawn_blocking(move || {
        let bytes = fetched.map_or_else(|| from_file(&api.description), Ok);
        let bytes = bytes.map_err(|why| format!("{what} cannot be read: {why}"))?;
        made(&api, &name, &bytes).map_err(|why| format!("{what} cannot be used: {why}"))
    });
    let ((operations, _), base, access) = made.await.map_err(|error| error.to_string())??;
    let http = HttpClient::new(base.scheme() == "https", &client.tls)?;
    Ok(Loaded { operations, caller: Caller { http, base, access, client: client.clone() } })
}

pub(crate) fn made(api: &Api, name: &str, bytes: &[u8]) -> Result<(Found, Url, Access), String> {
    let document = Document::read(bytes)?;
    let from = Url::parse(&api.description).ok().filter(|_| api.is_fetched());
    let base = base_of(api, &document, from.as_ref())?;
    let access = Access::new(api, &document)?;
    let carries = !api.headers.is_empty() || !api.auth.is_empty();
    // Who writes the description must not choose who gets the secrets.
    if carries && api.url.is_none() && from.is_some_and(|from| from.origin() != base.origin()) {
        return Err(format!(
            "its API is at another address, {base}; write \"url\": \"{base}\" beside openapi if the secrets of the entry are for that"
        ));
    }
    let found = operations::read(&document, &base, &access)?;
    let left_out = found.1.iter().take(NAMED);
    let some = left_out.map(|(name, why)| format!("{} ({why})", weir_base::clip(name, 100)));
    let some = some.collect::<Vec<_>>().join("; ");
    tracing::info!(server = name, "{} operations of {base} are tools", found.0.len());
    if !some.is_empty() {
        tracing::warn!(server = name, "{} operations are left out: {some}", found.1.len());
    }
    Ok((found, base, access))
}

fn from_file(path: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let read = file.take(DESCRIPTION_BYTES as u64 + 1).read_to_end(&mut bytes);
    match read.map_err(|error| error.to_string())? > DESCRIPTION_BYTES {
        true => Err(format!("it has more than {} MiB", DESCRIPTION_BYTES >> 20)),
        false => Ok(bytes),
    }
}

/// Nothing secret is sent for a description.
async fn fetched(address: &str, client: &Client) -> Result<Vec<u8>, String> {
    let base = Url::parse(address).map_err(|error| format!("its address: {error}"))?;
    let http = HttpClient::new(base.scheme() == "https", &client.tls)?;
    let prepared =
        Prepared { address: base.clone(), headers: hyper::HeaderMap::new(), body: Vec::new() };
    let caller = Caller { http, base, access: Access::default(), client: client.clone() };
    let answer = caller.send(&Method::GET, prepared, DESCRIPTION_BYTES).await?;
    match answer.response.status() {
        _ if answer.is_cut => Err(format!("it has more than {} MiB", DESCRIPTION_BYTES >> 20)),
        status if status.is_success() => Ok(answer.body),
        status => Err(format!(
            "HTTP {status}; it is asked for without secrets: if it needs some, download it and name the file"
        )),
    }
}

/// Where the API is: as the entry says, or the description. Without a word it is where the description is.
fn base_of(api: &Api, document: &Document, from: Option<&Url>) -> Result<Url, String> {
    if let Some(url) = &api.url {
        return address(url, None).map_err(|why| format!("the url of the entry {why}"));
    }
    let said = match document.is_swagger {
        true => swagger_base(&document.root, from),
        false => list(&document.root, "servers").first().and_then(server_of),
    };
    match said.or(from.map(|_| "/".to_owned())) {
        Some(said) => {
            address(&said, from).map_err(|why| format!("the address of its API {why}; {ADVICE}"))
        }
        None => Err(format!("it does not say where its API is; {ADVICE}")),
    }
}

fn swagger_base(root: &Value, from: Option<&Url>) -> Option<String> {
    let host = text(root, "host").or(from.map(Url::authority))?;
    let schemes = list(root, "schemes");
    let https = schemes.iter().find(|scheme| **scheme == "https");
    let scheme = https.or(schemes.first()).and_then(Value::as_str);
    let scheme = scheme.or(from.map(Url::scheme)).unwrap_or("https");
    Some(format!("{scheme}://{host}{}", text(root, "basePath").unwrap_or_default()))
}
