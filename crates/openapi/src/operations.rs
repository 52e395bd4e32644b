//! The operations of a description as tools.

use std::collections::{HashMap, HashSet};

use hyper::Method;
use serde_json::{Map, Value, json};
use url::Url;
use weir_base::clip;

use crate::access::Access;
use crate::document::{Document, list, text};
use crate::load::{address, server_of};
use crate::schema::{Schemas, plain_name};

/// Operations of one API.
const MAX_OPERATIONS: usize = 20_000;

/// Characters of a name, of a title, of a description; bytes of a definition.
const NAME_CHARS: usize = 100;
const TITLE_CHARS: usize = 120;
const DESCRIPTION_CHARS: usize = 1_500;
const DEFINITION_BYTES: usize = 128 << 10;

/// The argument that holds a body whose members are no arguments of their own.
const BODY: &str = "body";

/// Headers that the protocol or the body decides, and not a model.
const OWN_HEADERS: [&str; 14] = [
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// What a description has.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) operations: Vec<Operation>,
    /// Operations that are no tools, and why.
    pub(crate) left_out: Vec<(String, String)>,
}

/// One tool, and the request that it is.
pub(crate) struct Operation {
    pub(crate) name: String,
    /// The tool as MCP lists it.
    pub(crate) definition: String,
    pub(crate) method: Method,
    /// The address without the arguments: the base with the path as the description has it.
    pub(crate) address: String,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
}

pub(crate) struct Parameter {
    /// Its name for a model, and in the request.
    pub(crate) argument: String,
    pub(crate) name: String,
    /// `path`, `query`, `header` or `cookie`.
    pub(crate) place: String,
    pub(crate) style: Style,
    pub(crate) is_required: bool,
}

/// How a list or an object is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Values with this between.
    Joined(&'static str),
    /// A parameter each.
    Exploded,
    /// `name[key]=value`.
    Deep,
    /// As JSON.
    Json,
}

pub(crate) struct Body {
    pub(crate) media: String,
    pub(crate) kind: BodyKind,
    /// The argument that is all of it, where its members are none.
    pub(crate) argument: String,
    /// Names of members that are arguments.
    pub(crate) members: Option<HashSet<String>>,
    /// Members of a form that are written in brackets.
    pub(crate) deep: HashSet<String>,
    pub(crate) is_required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Json,
    Form,
    Text,
}

/// Arguments as they are collected.
#[derive(Default)]
struct Input {
    properties: Map<String, Value>,
    required: Vec<String>,
}

/// Reads all operations. A fault costs its operation alone.
pub(crate) fn read(document: &Document, base: &Url, access: &Access) -> Result<Found, String> {
    let paths = document.root.get("paths").and_then(Value::as_object);
    let paths = paths.ok_or("it has no paths, so no operation")?;
    let (mut found, mut taken) = (Found::default(), HashMap::new());
    for (path, item) in paths.iter().filter(|(path, _)| path.starts_with('/')) {
        let Some(item) = document.follow(item) else {
            let why = "its reference leads out of the description; put all into one file first";
            found.left_out.push((path.clone(), why.to_owned()));
            continue;
        };
        for (method, operation) in item.as_object().into_iter().flatten() {
            let known = ["get", "put", "post", "delete", "patch", "head", "options", "trace"];
            if !known.contains(&method.as_str()) {
                continue;
            }
            let called = called(operation, method, path);
            if found.operations.len() >= MAX_OPERATIONS {
                found.left_out.push((called, format!("there are {MAX_OPERATIONS} before it")));
                continue;
            }
            let place = Place { document, base, access, path, item, method, operation };
            let name = free(&called, &mut taken);
            match place.read(&name) {
                Ok(operation) => found.operations.push(operation),
                Err(why) => found.left_out.push((called, why)),
            }
        }
    }
    match (found.operations.is_empty(), found.left_out.first()) {
        (true, None) => Err("it has no operations".to_owned()),
        (true, Some((name, why))) => {
            Err(format!("none of its operations can be used; {name}: {why}"))
        }
        _ => Ok(found),
    }
}

/// A name that no other has: the wanted one, or that with a number.
fn free(wanted: &str, taken: &mut HashMap<String, usize>) -> String {
    let mut name = wanted.to_owned();
    while taken.contains_key(&name) {
        let uses = taken.entry(wanted.to_owned()).or_insert(1);
        *uses += 1;
        name = format!("{wanted}_{uses}");
    }
    taken.insert(name.clone(), 1);
    name
}

/// What an operation is called: its id, else its method and path.
fn called(operation: &Value, method: &str, path: &str) -> String {
    let id = text(operation, "operationId")
        .filter(|id| id.contains(|c: char| c.is_ascii_alphanumeric()));
    match id {
        Some(id) => plain_name(id, NAME_CHARS),
        None => plain_name(&format!("{method}{path}"), NAME_CHARS),
    }
}

/// An operation in its description.
struct Place<'d> {
    document: &'d Document,
    base: &'d Url,
    access: &'d Access,
    path: &'d str,
    item: &'d Value,
    method: &'d str,
    operation: &'d Value,
}

impl<'d> Place<'d> {
    fn read(&self, name: &str) -> Result<Operation, String> {
        if !self.operation.is_object() {
            return Err("it is no object".to_owned());
        }
        let method = match self.method {
            "options" | "trace" => return Err(format!("its method is {}", self.method)),
            method => method.to_ascii_uppercase().parse().map_err(|_| "its method")?,
        };
        let base = self.base()?;
        let mut schemas = Schemas::new(self.document);
        let (mut input, mut parameters, mut form) = (Input::default(), Vec::new(), Vec::new());
        let mut body = None;
        for parameter in self.parameters()? {
            match text(parameter, "in").unwrap_or_default() {
                "body" => body = Some(parameter),
                "formData" => form.push(parameter),
                place => {
                    parameters.extend(self.parameter(
                        place,
                        parameter,
                        &mut schemas,
                        &mut input,
                    )?);
                }
            }
        }
        let body = match (body, &*form) {
            (Some(body), _) => self.swagger_body(body, &mut schemas, &mut input)?,
            (None, []) => self.body(&mut schemas, &mut input)?,
            (None, form) => self.swagger_form(form, &mut schemas, &mut input)?,
        };
        let definition = self.definition(name, input, schemas);
        if definition.len() > DEFINITION_BYTES {
            return Err(format!("its definition has more than {} KiB", DEFINITION_BYTES >> 10));
        }
        let address = format!("{}{}", base.as_str().trim_end_matches('/'), self.path);
        Ok(Operation { name: name.to_owned(), definition, method, address, parameters, body })
    }

    /// Its address where it has one of its own: of the same origin, as secrets are for that.
    fn base(&self) -> Result<Url, String> {
        let own =
            [self.operation, self.item].into_iter().find_map(|it| list(it, "servers").first());
        let Some(own) = own.and_then(server_of) else { return Ok(self.base.clone()) };
        let url = address(&own, Some(self.base)).map_err(|why| format!("its address {why}"))?;
        match url.origin() == self.base.origin() {
            true => Ok(url),
            false => Err(format!("it is at another address, {url}")),
        }
    }

    /// Its parameters, and those of its path that it does not have itself.
    fn parameters(&self) -> Result<Vec<&'d Value>, String> {
        let mut found: Vec<&Value> = Vec::new();
        for parameter in
            list(self.operation, "parameters").iter().chain(list(self.item, "parameters"))
        {
            let parameter = self.document.follow(parameter);
            let parameter = parameter.ok_or("a parameter's reference leads nowhere")?;
            let key = |it: &Value| {
                (text(it, "name").map(str::to_owned), text(it, "in").map(str::to_owned))
            };
            if !found.iter().any(|known| key(known) == key(parameter)) {
                found.push(parameter);
            }
        }
        Ok(found)
    }

    fn parameter(
        &self,
        place: &str,
        parameter: &'d Value,
        schemas: &mut Schemas<'d>,
        input: &mut Input,
    ) -> Result<Option<Parameter>, String> {
        let name = text(parameter, "name").ok_or("a parameter has no name")?;
        if !matches!(place, "path" | "query" | "header" | "cookie") {
            return Err(format!("its parameter {name} is in {place}"));
        }
        let is_own = place == "header" && OWN_HEADERS.contains(&&*name.to_ascii_lowercase());
        if is_own || place != "path" && self.access.has(place, name) {
            return Ok(None);
        }
        let content = parameter.get("content").and_then(Value::as_object);
        let schema = match content.and_then(|content| content.values().next()) {
            Some(media) => media.get("schema"),
            None if self.document.is_swagger => Some(parameter),
            None => parameter.get("schema"),
        };
        let mut schema = schema.map_or(json!({}), |schema| schemas.convert(schema, 0));
        if let Some(said) = text(parameter, "description") {
            schema["description"] = clip(said.trim(), 600).into();
        }
        let style = match content {
            Some(_) => Style::Json,
            None => style(place, parameter).map_err(|why| format!("its parameter {name} {why}"))?,
        };
        let is_required = place == "path" || parameter.get("required") == Some(&json!(true));
        let argument = input.add(&plain_name(name, 64), place, schema, is_required);
        let (name, place) = (name.to_owned(), place.to_owned());
        Ok(Some(Parameter { argument, name, place, style, is_required }))
    }

    fn body(&self, schemas: &mut Schemas<'d>, input: &mut Input) -> Result<Option<Body>, String> {
        let Some(body) = self.operation.get("requestBody") else { return Ok(None) };
        let body = self.document.follow(body).ok_or("the reference of its body leads nowhere")?;
        let content =
            body.get("content").and_then(Value::as_object).ok_or("its body has no content")?;
        let media: Vec<&str> = content.keys().map(String::as_str).collect();
        let (media, kind) = choose(&media)?;
        let is_required = body.get("required") == Some(&json!(true));
        let schema = content[media].get("schema");
        let encoding = content[media].get("encoding").and_then(Value::as_object);
        let is_deep = |(_, how): &(&String, &Value)| text(how, "style") == Some("deepObject");
        let deep = encoding.into_iter().flatten().filter(is_deep).map(|(name, _)| name.clone());
        let mut taken = Body::new(media, kind, is_required, deep.collect());
        taken.take(schema, text(body, "description"), schemas, input);
        Ok(Some(taken))
    }

    fn swagger_body(
        &self,
        parameter: &'d Value,
        schemas: &mut Schemas<'d>,
        input: &mut Input,
    ) -> Result<Option<Body>, String> {
        let (media, kind) = choose(&self.consumes())?;
        let kind = if kind == BodyKind::Form { BodyKind::Json } else { kind };
        let is_required = parameter.get("required") == Some(&json!(true));
        let mut body = Body::new(media, kind, is_required, HashSet::new());
        body.take(parameter.get("schema"), text(parameter, "description"), schemas, input);
        Ok(Some(body))
    }

    fn swagger_form(
        &self,
        form: &[&'d Value],
        schemas: &mut Schemas<'d>,
        input: &mut Input,
    ) -> Result<Option<Body>, String> {
        const FORM: &str = "application/x-www-form-urlencoded";
        let consumes = self.consumes();
        let is_file = form.iter().any(|field| text(field, "type") == Some("file"));
        if is_file || !consumes.is_empty() && !consumes.contains(&FORM) {
            return Err("its body is a file or multipart/form-data".to_owned());
        }
        let mut members = HashSet::new();
        let mut is_body_required = false;
        for field in form {
            let name = text(field, "name").ok_or("a parameter has no name")?;
            let is_required = field.get("required") == Some(&json!(true));
            is_body_required |= is_required;
            let schema = schemas.convert(field, 0);
            if input.add(name, "form", schema, is_required) != name {
                return Err(format!("two of its parameters have the name {name}"));
            }
            members.insert(name.to_owned());
        }
        let mut body = Body::new(FORM, BodyKind::Form, is_body_required, HashSet::new());
        body.members = Some(members);
        Ok(Some(body))
    }

    fn consumes(&self) -> Vec<&'d str> {
        let own = Some(self.operation).filter(|it| it.get("consumes").is_some());
        let all = list(own.unwrap_or(&self.document.root), "consumes");
        all.iter().filter_map(Value::as_str).collect()
    }

    /// The tool as MCP lists it. It has no schema of its answers: what an API gives often differs from what it
    /// describes, and clients refuse what differs.
    fn definition(&self, name: &str, input: Input, schemas: Schemas<'d>) -> String {
        let said = |key: &str| text(self.operation, key).or(text(self.item, key)).map(str::trim);
        let said = |key: &str| said(key).filter(|text| !text.is_empty());
        let (summary, more) = (said("summary"), said("description"));
        let mut description = match (summary, more) {
            (Some(summary), Some(more)) if !more.starts_with(summary) => {
                format!("{}. {more}", summary.trim_end_matches('.'))
            }
            (summary, more) => more.or(summary).unwrap_or_default().to_owned(),
        };
        if description.is_empty() {
            description = format!("{} {}", self.method.to_ascii_uppercase(), self.path);
        }
        if self.operation.get("deprecated") == Some(&json!(true)) {
            description = format!("Deprecated. {description}");
        }
        let mut schema = json!({"type": "object", "properties": input.properties, "additionalProperties": false});
        if !input.required.is_empty() {
            schema["required"] = input.required.into();
        }
        let definitions = schemas.definitions();
        if !definitions.is_empty() {
            schema["$defs"] = definitions.into();
        }
        // What a method promises. Of POST and PATCH it promises nothing, so nothing is said.
        let annotations = match self.method {
            "get" | "head" => json!({"readOnlyHint": true}),
            "delete" => {
                json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true})
            }
            "put" => json!({"readOnlyHint": false, "idempotentHint": true}),
            _ => json!({"readOnlyHint": false}),
        };
        let mut tool = json!({
            "name": name, "description": clip(&description, DESCRIPTION_CHARS),
            "inputSchema": schema, "annotations": annotations,
        });
        if let Some(title) = summary {
            tool["title"] = clip(title, TITLE_CHARS).into();
        }
        tool.to_string()
    }
}

impl Input {
    /// Adds an argument, under another name where the name is taken. The name that it has.
    fn add(&mut self, name: &str, place: &str, schema: Value, is_required: bool) -> String {
        let mut name = name.to_owned();
        while self.properties.contains_key(&name) {
            name = format!("{name}_{place}");
        }
        self.properties.insert(name.clone(), schema);
        if is_required {
            self.required.push(name.clone());
        }
        name
    }
}

impl Body {
    fn new(media: &str, kind: BodyKind, is_required: bool, deep: HashSet<String>) -> Body {
        let argument = BODY.to_owned();
        Body { media: media.to_owned(), kind, argument, members: None, deep, is_required }
    }

    /// Makes arguments of the members of a body, or of all of it one.
    fn take<'d>(
        &mut self,
        schema: Option<&'d Value>,
        said: Option<&str>,
        schemas: &mut Schemas<'d>,
        input: &mut Input,
    ) {
        let empty = json!({"type": "string"});
        let members = schema.filter(|_| self.kind != BodyKind::Text);
        let members = members.and_then(|schema| schemas.members(schema, 0)).filter(|members| {
            let is_free =
                |name: &str| plain_name(name, 64) == name && !input.properties.contains_key(name);
            members.properties.iter().all(|(name, _)| is_free(name))
                // Needed within a body that is not: only if there is one.
                && (self.is_required || members.required.is_empty())
        });
        let Some(members) = members else {
            let mut schema = match schema.filter(|_| self.kind != BodyKind::Text) {
                Some(schema) => schemas.convert(schema, 0),
                None if self.kind == BodyKind::Text => empty,
                None => json!({}),
            };
            if let Some(said) = said.filter(|_| schema.get("description").is_none()) {
                schema["description"] = clip(said.trim(), 600).into();
            }
            self.argument = input.add(BODY, BODY, schema, self.is_required);
            return;
        };
        let required: HashSet<&str> = members.required.into_iter().collect();
        let mut names = HashSet::new();
        for (name, schema) in members.properties {
            if names.insert(name.to_owned()) {
                let schema = schemas.convert(schema, 0);
                input.add(name, BODY, schema, required.contains(name));
            }
        }
        self.members = Some(names);
    }
}

/// The media type of a body, of those that an operation takes.
fn choose<'m>(all: &[&'m str]) -> Result<(&'m str, BodyKind), String> {
    let plain =
        |media: &str| media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let rank = |media: &str| match &*plain(media) {
        "application/json" => Some((0, BodyKind::Json)),
        "*/*" | "application/*" => Some((1, BodyKind::Json)),
        "application/merge-patch+json" => Some((2, BodyKind::Json)),
        "application/x-www-form-urlencoded" => Some((4, BodyKind::Form)),
        media if media.ends_with("+json") => Some((3, BodyKind::Json)),
        media if is_text(media) => Some((5, BodyKind::Text)),
        _ => None,
    };
    if all.is_empty() {
        return Ok(("application/json", BodyKind::Json));
    }
    let ranked =
        all.iter().filter_map(|media| rank(media).map(|(rank, kind)| (rank, *media, kind)));
    let (rank, media, kind) = ranked
        .min_by_key(|(rank, ..)| *rank)
        .ok_or_else(|| format!("its body is {}", clip(&all.join(" or "), 100)))?;
    Ok((if rank == 1 { "application/json" } else { media }, kind))
}

/// Whether what has this media type, in small letters, is text.
pub(crate) fn is_text(media: &str) -> bool {
    const WORDS: [&str; 8] =
        ["json", "xml", "yaml", "javascript", "ndjson", "csv", "graphql", "x-www-form-urlencoded"];
    let kind = media.split('/').nth(1).unwrap_or_default();
    media.starts_with("text/")
        || kind.split(['+', '-', '.']).any(|word| WORDS.contains(&word))
        || kind == "x-www-form-urlencoded"
}

fn style(place: &str, parameter: &Value) -> Result<Style, String> {
    let default = if matches!(place, "query" | "cookie") { "form" } else { "simple" };
    let said = text(parameter, "style").or(match text(parameter, "collectionFormat") {
        Some("ssv") => Some("spaceDelimited"),
        Some("tsv") => Some("tabDelimited"),
        Some("pipes") => Some("pipeDelimited"),
        _ => None,
    });
    let is_swagger = parameter.get("schema").is_none();
    let explodes = match parameter.get("explode").and_then(Value::as_bool) {
        Some(explodes) => explodes,
        None if is_swagger => text(parameter, "collectionFormat") == Some("multi"),
        None => said.unwrap_or(default) == "form",
    };
    match (said.unwrap_or(default), place) {
        ("deepObject", "query") => Ok(Style::Deep),
        (_, "query") if explodes => Ok(Style::Exploded),
        ("spaceDelimited", _) => Ok(Style::Joined(" ")),
        ("tabDelimited", _) => Ok(Style::Joined("\t")),
        ("pipeDelimited", _) => Ok(Style::Joined("|")),
        ("form" | "simple", _) => Ok(Style::Joined(",")),
        (other, _) => Err(format!("has the style {}", clip(other, 40))),
    }
}
