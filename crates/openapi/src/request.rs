//! The request that a call is: its address, headers and body.

use hyper::header::{CONTENT_TYPE, COOKIE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};
use url::Url;

use crate::access::Access;
use crate::operations::{BodyKind, Operation, Parameter, Style};

/// What stands for itself anywhere in an address.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Levels of an object in a query or a form.
const DEPTH: usize = 8;

/// A request, without what proves who asks in its address.
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
    let (mut query, mut cookies, mut headers) = (Pairs::new(), Pairs::new(), HeaderMap::new());
    let mut path = operation.address.clone();
    for parameter in &operation.parameters {
        let argument = &parameter.argument;
        let value = match arguments.get(argument) {
            None | Some(Value::Null) if parameter.is_required => {
                return Err(format!("the argument {argument} is needed"));
            }
            None | Some(Value::Null) => continue,
            Some(value) => value,
        };
        match &*parameter.place {
            "path" => {
                let text = joined(parameter, value, true)?;
                if text.is_empty() {
                    return Err(format!("{argument} is empty; it is a part of the address"));
                }
                path = path.replace(&format!("{{{}}}", parameter.name), &text);
            }
            "query" => pairs(parameter, value, &mut query)?,
            "cookie" => cookies.push((parameter.name.clone(), joined(parameter, value, true)?)),
            _ => {
                let text = joined(parameter, value, false)?;
                let name: HeaderName = parameter
                    .name
                    .parse()
                    .map_err(|_| format!("{} cannot be the name of a header", parameter.name))?;
                let value = HeaderValue::from_str(&text).map_err(|_| {
                    format!(
                        "{argument} has a character that a header cannot have, such as a line break"
                    )
                })?;
                headers.insert(name, value);
            }
        }
    }
    let cookies: Vec<String> =
        cookies.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    if !cookies.is_empty()
        && let Ok(cookies) = HeaderValue::from_str(&cookies.join("; "))
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
    let mut all: Vec<String> =
        after.split('&').filter(|pair| !pair.is_empty()).map(str::to_owned).collect();
    all.extend(query.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))));
    let mut url =
        Url::parse(own).map_err(|error| format!("the address cannot be used: {error}"))?;
    url.set_fragment(None);
    if !all.is_empty() {
        url.set_query(Some(&all.join("&")));
    }
    match url.origin() == base.origin() {
        true => Ok(url),
        false => Err("the address would lead to another machine".to_owned()),
    }
}

/// The address with what proves who asks.
pub(crate) fn with_access(address: &Url, access: &Access) -> Result<Uri, String> {
    let mut address = address.clone();
    for (name, value) in &access.query {
        address.query_pairs_mut().append_pair(name, value);
    }
    address.as_str().parse().map_err(|_| "the address cannot be used".to_owned())
}

/// What no argument is for is a mistake that the API would not tell.
fn known(operation: &Operation, arguments: &Arguments) -> Result<(), String> {
    let own = operation.parameters.iter().map(|parameter| parameter.argument.as_str());
    let mut names: Vec<&str> = own.collect();
    if let Some(body) = &operation.body {
        match &body.members {
            Some(members) => names.extend(members.iter().map(String::as_str)),
            None => names.push(&body.argument),
        }
    }
    match arguments.keys().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            names.sort_unstable();
            let name = weir_base::clip(name, 60);
            let known = weir_base::clip(&names.join(", "), 400);
            Err(format!("there is no argument {name}; there are: {known}"))
        }
    }
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, UNRESERVED).to_string()
}

/// A plain value as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Null => Some(String::new()),
        _ => None,
    }
}

/// A value as one text, its parts encoded by themselves where `encodes`.
fn joined(parameter: &Parameter, value: &Value, encodes: bool) -> Result<String, String> {
    let one = |value: &Value| {
        let text = plain(value).ok_or_else(|| {
            format!(
                "{} holds a list or an object within another, which cannot be written there",
                parameter.argument
            )
        })?;
        Ok::<_, String>(if encodes { encoded(&text) } else { text })
    };
    let between = match parameter.style {
        Style::Joined(between) => between,
        Style::Json => {
            let text = value.to_string();
            return Ok(if encodes { encoded(&text) } else { text });
        }
        _ => ",",
    };
    let parts: Vec<String> = match value {
        Value::Array(items) => items.iter().map(one).collect::<Result<_, _>>()?,
        Value::Object(members) => {
            let both = members.iter().flat_map(|(name, value)| [one(&json!(name)), one(value)]);
            both.collect::<Result<_, _>>()?
        }
        _ => return one(value),
    };
    Ok(parts.join(between))
}

/// A value as parameters of a query.
fn pairs(parameter: &Parameter, value: &Value, out: &mut Pairs) -> Result<(), String> {
    let name = &parameter.name;
    match (parameter.style, value) {
        (Style::Deep, _) => deep(name, value, 0, out),
        (Style::Exploded, Value::Array(items))
            if items.iter().all(|item| plain(item).is_some()) =>
        {
            out.extend(items.iter().filter_map(plain).map(|text| (name.clone(), text)));
        }
        (Style::Exploded, Value::Object(members))
            if members.values().all(|it| plain(it).is_some()) =>
        {
            let text = |(name, value): (&String, &Value)| Some((name.clone(), plain(value)?));
            out.extend(members.iter().filter_map(text));
        }
        (Style::Exploded, Value::Array(_) | Value::Object(_)) => deep(name, value, 0, out),
        _ => out.push((name.clone(), joined(parameter, value, false)?)),
    }
    Ok(())
}

/// `name[key]=value`, `name[]=item`; lists of objects by their numbers.
fn deep(name: &str, value: &Value, depth: usize, out: &mut Pairs) {
    match value {
        _ if depth > DEPTH => {}
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(key, value)| deep(&format!("{name}[{key}]"), value, depth + 1, out));
        }
        Value::Array(items) => {
            let is_plain = items.iter().all(|item| plain(item).is_some());
            for (at, item) in items.iter().enumerate() {
                let at = if is_plain { String::new() } else { at.to_string() };
                deep(&format!("{name}[{at}]"), item, depth + 1, out);
            }
        }
        _ => out.extend(plain(value).map(|text| (name.to_owned(), text))),
    }
}

fn body(
    operation: &Operation,
    arguments: &Arguments,
    headers: &mut HeaderMap,
) -> Result<Vec<u8>, String> {
    let Some(body) = &operation.body else { return Ok(Vec::new()) };
    let value = match &body.members {
        Some(members) => {
            let given = arguments.iter().filter(|(name, _)| members.contains(*name));
            let given: Map<String, Value> =
                given.map(|(name, value)| (name.clone(), value.clone())).collect();
            Some(Value::Object(given)).filter(|it| body.is_required || *it != json!({}))
        }
        None => arguments.get(&body.argument).cloned(),
    };
    let Some(value) = value else {
        return match body.is_required {
            true => Err(format!("the argument {} is needed", body.argument)),
            false => Ok(Vec::new()),
        };
    };
    let media = HeaderValue::from_str(&body.media);
    headers.insert(CONTENT_TYPE, media.map_err(|_| "the body's media type cannot be sent")?);
    match (body.kind, &value) {
        (BodyKind::Json, _) => Ok(value.to_string().into_bytes()),
        (BodyKind::Text, Value::String(text)) => Ok(text.clone().into_bytes()),
        (BodyKind::Text, _) => Err(format!("{} is not a text", body.argument)),
        (BodyKind::Form, Value::Object(members)) => {
            let mut fields = Pairs::new();
            for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                match value {
                    Value::Array(items)
                        if !body.deep.contains(name)
                            && items.iter().all(|it| plain(it).is_some()) =>
                    {
                        fields.extend(
                            items.iter().filter_map(plain).map(|text| (name.clone(), text)),
                        );
                    }
                    value => deep(name, value, 0, &mut fields),
                }
            }
            let fields =
                fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
            Ok(fields.collect::<Vec<_>>().join("&").into_bytes())
        }
        (BodyKind::Form, _) => Err(format!("{} is not an object", body.argument)),
    }
}
