//! The request that a call is: its address, headers and body.

use hyper::HeaderMap;
use hyper::header::{CONTENT_TYPE, COOKIE, HeaderName, HeaderValue};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};
use url::Url;

use crate::operations::{BodyKind, Operation, Parameter, Style};

/// What stands for itself anywhere in an address.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Levels of an object in a query or a form.
const DEPTH: usize = 8;

/// A request, without what proves who asks.
pub(crate) struct Prepared {
    pub(crate) address: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

type Arguments = Map<String, Value>;
type Pairs = Vec<(String, String)>;

/// Makes the request of a call. Nothing in the arguments leads to another origin or another path.
pub(crate) fn prepare(
    operation: &Operation,
    base: &Url,
    arguments: &Arguments,
) -> Result<Prepared, String> {
    known(operation, arguments)?;
    let (mut query, mut headers) = (Pairs::new(), HeaderMap::new());
    let (mut path, mut cookies) = (operation.address.clone(), Vec::new());
    for parameter in &operation.parameters {
        let (argument, name) = (&parameter.argument, &parameter.name);
        let value = match arguments.get(argument).filter(|value| !value.is_null()) {
            None if parameter.is_required => {
                return Err(format!("the argument {argument} is needed"));
            }
            None => continue,
            Some(value) => value,
        };
        match &*parameter.place {
            "path" => {
                let text = joined(parameter, value, true)?;
                if text.is_empty() {
                    return Err(format!("{argument} is empty; it is a part of the address"));
                }
                path = path.replace(&format!("{{{name}}}"), &text);
            }
            "query" => pairs(parameter, value, &mut query)?,
            "cookie" => cookies.push(format!("{name}={}", joined(parameter, value, true)?)),
            _ => {
                let header = HeaderName::try_from(name);
                let header =
                    header.map_err(|_| format!("{name} cannot be the name of a header"))?;
                let value = HeaderValue::from_str(&joined(parameter, value, false)?);
                headers.insert(header, value.map_err(|_| {
                    format!("{argument} has a character that a header cannot have, such as a line break")
                })?);
            }
        }
    }
    if let Ok(cookies) = HeaderValue::from_str(&cookies.join("; "))
        && !cookies.is_empty()
    {
        headers.insert(COOKIE, cookies);
    }
    let body = body(operation, arguments, &mut headers)?;
    Ok(Prepared { address: address(&path, &query, base)?, headers, body })
}

/// Puts the address together.
fn address(path: &str, query: &Pairs, base: &Url) -> Result<Url, String> {
    // An address parser takes the encoded form for the same, and goes up by it.
    let goes_up =
        |part: &str| matches!(&*part.to_ascii_lowercase().replace("%2e", "."), "." | "..");
    let (own, after) = path.split_once('?').unwrap_or((path, ""));
    if own.split('/').any(goes_up) {
        return Err("an argument that is a part of the address is . or .., which leads elsewhere"
            .to_owned());
    }
    let mut url =
        Url::parse(own).map_err(|error| format!("the address cannot be used: {error}"))?;
    url.set_fragment(None);
    let all: Vec<String> = Some(after.to_owned())
        .filter(|it| !it.is_empty())
        .into_iter()
        .chain(written(query))
        .collect();
    url.set_query(Some(all.join("&")).as_deref().filter(|query| !query.is_empty()));
    match url.origin() == base.origin() {
        true => Ok(url),
        false => Err("the address would lead to another machine".to_owned()),
    }
}

fn written(pairs: &Pairs) -> impl Iterator<Item = String> {
    pairs.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
}

/// What no argument is for is a mistake that the API would not tell.
fn known(operation: &Operation, arguments: &Arguments) -> Result<(), String> {
    let own = operation.parameters.iter().map(|parameter| &parameter.argument);
    let of_body = operation
        .body
        .iter()
        .flat_map(|body| body.members.iter().flatten().chain([&body.argument]));
    let mut names: Vec<&String> = own.chain(of_body).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    let unknown = arguments.keys().find(|name| !names.contains(name));
    unknown.map_or(Ok(()), |name| {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        let (name, names) = (weir_base::clip(name, 60), weir_base::clip(&names.join(", "), 400));
        Err(format!("there is no argument {name}; there are: {names}"))
    })
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// A plain value as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
        _ => Some(value.to_string()),
    }
}

/// A value as one text, its parts encoded by themselves where `encodes`.
fn joined(parameter: &Parameter, value: &Value, encodes: bool) -> Result<String, String> {
    let one = |text: String| if encodes { encoded(&text) } else { text };
    let between = match parameter.style {
        Style::Json => return Ok(one(value.to_string())),
        Style::Joined(between) => between,
        _ => ",",
    };
    let parts: Option<Vec<String>> = match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().flat_map(|(name, value)| [Some(name.clone()), plain(value)]).collect()
        }
        value => plain(value).map(|text| vec![text]),
    };
    let parts = parts.ok_or_else(|| {
        format!(
            "{} holds a list or an object within another, which cannot be written there",
            parameter.argument
        )
    })?;
    Ok(parts.into_iter().map(one).collect::<Vec<_>>().join(between))
}

/// A value as parameters of a query.
fn pairs(parameter: &Parameter, value: &Value, out: &mut Pairs) -> Result<(), String> {
    let name = &parameter.name;
    match (parameter.style, value) {
        (Style::Exploded, Value::Object(members)) => {
            members.iter().try_for_each(|(name, value)| deep(name, value, 0, false, out))
        }
        (Style::Exploded | Style::Deep, value) => {
            deep(name, value, 0, parameter.style == Style::Deep, out)
        }
        _ => {
            out.push((name.clone(), joined(parameter, value, false)?));
            Ok(())
        }
    }
}

/// `name[key]=value`, `name[]=item`; lists of objects by their numbers. At the top a list is `name=item` for each item
/// unless it has `brackets`.
fn deep(
    name: &str,
    value: &Value,
    depth: usize,
    brackets: bool,
    out: &mut Pairs,
) -> Result<(), String> {
    match value {
        _ if depth > DEPTH => {
            let name = weir_base::clip(name, 60);
            return Err(format!("{name} is more than {DEPTH} levels deep, which cannot be sent"));
        }
        Value::Object(members) => {
            for (key, value) in members {
                deep(&format!("{name}[{key}]"), value, depth + 1, true, out)?;
            }
        }
        Value::Array(items) => {
            let is_plain = items.iter().all(|item| plain(item).is_some());
            for (at, item) in items.iter().enumerate() {
                let name = match is_plain {
                    true if brackets => format!("{name}[]"),
                    true => name.to_owned(),
                    false => format!("{name}[{at}]"),
                };
                deep(&name, item, depth + 1, true, out)?;
            }
        }
        _ => out.extend(plain(value).map(|text| (name.to_owned(), text))),
    }
    Ok(())
}

fn body(
    operation: &Operation,
    arguments: &Arguments,
    headers: &mut HeaderMap,
) -> Result<Vec<u8>, String> {
    let Some(body) = &operation.body else { return Ok(Vec::new()) };
    let value = match &body.members {
        Some(members) => {
            let mut given = arguments.clone();
            given.retain(|name, _| members.contains(name));
            Some(given.into()).filter(|it| body.is_required || *it != json!({}))
        }
        None => arguments.get(&body.argument).cloned(),
    };
    let value = match value {
        Some(value) => value,
        None if body.is_required => {
            return Err(format!("the argument {} is needed", body.argument));
        }
        None => return Ok(Vec::new()),
    };
    let media = HeaderValue::from_str(&body.media);
    headers.insert(CONTENT_TYPE, media.map_err(|_| "the body's media type cannot be sent")?);
    match (body.kind, value) {
        (BodyKind::Json, value) => Ok(value.to_string().into_bytes()),
        (BodyKind::Text, Value::String(text)) => Ok(text.into_bytes()),
        (BodyKind::Text, _) => Err(format!("{} is not a text", body.argument)),
        (BodyKind::Form, Value::Object(members)) => {
            let mut fields = Pairs::new();
            for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                deep(name, value, 0, body.deep.contains(name), &mut fields)?;
            }
            Ok(written(&fields).collect::<Vec<_>>().join("&").into_bytes())
        }
        (BodyKind::Form, _) => Err(format!("{} is not an object", body.argument)),
    }
}
