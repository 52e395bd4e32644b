//! What a request carries to prove who asks: the headers of an entry, and its secrets where the description wants them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, COOKIE, HeaderName};
use serde_json::{Map, Value};
use weir_mcp::net;

use crate::Api;
use crate::document::{Document, list, text};

/// What is added to each request.
#[derive(Default)]
pub(crate) struct Access {
    pub(crate) headers: HeaderMap,
    pub(crate) query: Vec<(String, String)>,
}

impl Access {
    pub(crate) fn new(api: &Api, document: &Document) -> Result<Access, String> {
        let mut access = Access::default();
        for (name, value) in &api.headers {
            access.header(name, value.trim())?;
        }
        let schemes = document.schemes();
        for (name, secret) in &api.auth {
            let name = if name.is_empty() { only(document)? } else { name.clone() };
            let scheme = schemes.get(&name).and_then(|scheme| document.follow(scheme));
            let scheme = scheme.ok_or_else(|| {
                format!("auth names {name}, and the description has {}", named(document))
            })?;
            access.scheme(&name, scheme, secret)?;
        }
        Ok(access)
    }

    /// Whether a parameter is given already, and not for a model to say.
    pub(crate) fn has(&self, place: &str, name: &str) -> bool {
        match place {
            "header" => self.headers.contains_key(name),
            "query" => self.query.iter().any(|(known, _)| known == name),
            _ => {
                let cookies = self.headers.get(COOKIE).and_then(|it| it.to_str().ok());
                let mut cookies = cookies.unwrap_or_default().split(';');
                cookies.any(|pair| pair.trim().split('=').next() == Some(name))
            }
        }
    }

    /// Values stay out of messages: they are secrets.
    fn header(&mut self, name: &str, value: &str) -> Result<(), String> {
        let header: HeaderName =
            name.parse().map_err(|_| format!("{name} cannot be the name of a header"))?;
        let value = net::secret(value)
            .ok_or_else(|| format!("the value of header {name} cannot be sent"))?;
        self.headers.insert(header, value);
        Ok(())
    }

    fn scheme(&mut self, name: &str, scheme: &Value, secret: &str) -> Result<(), String> {
        let kind = text(scheme, "type").unwrap_or_default();
        let way = text(scheme, "scheme").unwrap_or_default().to_ascii_lowercase();
        let key = text(scheme, "name").unwrap_or_default();
        let authorization = AUTHORIZATION.as_str();
        match (kind, &*way, text(scheme, "in")) {
            ("apiKey", _, Some("header")) => self.header(key, secret),
            ("apiKey", _, Some("query")) => {
                self.query.push((key.to_owned(), secret.to_owned()));
                Ok(())
            }
            ("apiKey", _, Some("cookie")) => {
                let others = self.headers.get(COOKIE).and_then(|it| it.to_str().ok());
                let others = others.map_or(String::new(), |others| format!("{others}; "));
                self.header(COOKIE.as_str(), &format!("{others}{key}={secret}"))
            }
            ("http", "basic", _) | ("basic", ..) => {
                self.header(authorization, &format!("Basic {}", STANDARD.encode(secret)))
            }
            ("http", "bearer", _) | ("oauth2" | "openIdConnect", ..) => {
                self.header(authorization, &format!("Bearer {secret}"))
            }
            _ => Err(format!(
                "auth names {name}, which is of a kind that is not known here ({kind} {way}); give the header itself under headers"
            )),
        }
    }
}

/// The only way to log in: of those that all operations take, or of all.
fn only(document: &Document) -> Result<String, String> {
    let schemes = document.schemes();
    let wanted = list(&document.root, "security").iter().filter_map(Value::as_object);
    let wanted: Vec<&String> = wanted.flat_map(Map::keys).collect();
    let one = |names: &[&String]| match names {
        [one] => Some((*one).clone()),
        _ => None,
    };
    let all: Vec<&String> = schemes.keys().collect();
    one(&wanted).or(one(&all)).ok_or_else(|| {
        format!(
            "auth is one text, and the description has {}; write {{\"auth\": {{\"NAME\": …}}}} with one of these names, or the header itself under headers",
            named(document)
        )
    })
}

fn named(document: &Document) -> String {
    let schemes = document.schemes();
    let names: Vec<&str> = schemes.keys().map(String::as_str).take(20).collect();
    if names.is_empty() { "no way to log in".to_owned() } else { names.join(", ") }
}
