//! The operations of a description as tools.

use std::collections::{HashMap, HashSet};

use hyper::Method;
use serde_json::{Map, Value, json};
use url::Url;
use weir_base::clip;

use crate::access::Access;
use crate::document::{Document, address, list, server_of, text};
use crate::schema::{Schemas, plain_name, said};

/// Operations of one API.
const MAX_OPERATIONS: usize = 20_000;

/// Characters of a name, of a title, of descriptions; bytes of a definition.
const NAME_CHARS: usize = 100;
const TITLE_CHARS: usize = 120;
const DESCRIPTION_CHARS: usize = 1_500;
const ARGUMENT_CHARS: usize = 600;
const DEFINITION_BYTES: usize = 128 << 10;

const FORM: &str = "application/x-www-form-urlencoded";

/// Headers that the protocol or the body decides, and not a model.
const OWN_HEADERS: &str = "accept accept-encoding authorization connection content-length content-type cookie expect host \
    keep-alive proxy-authorization te transfer-encoding upgrade";

/// Operations that are tools, and those that are none, with the reason.
pub(crate) type Found = (Vec<Operation>, Vec<(String, String)>);

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
    /// How members of a form are written that the description says something of.
    pub(crate) deep: HashSet<String>,
    pub(crate) is_required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Json,
    Form,
    Text,
}

/// Reads all operations. A fault costs its operation alone.
pub(crate) fn read(document: &Document, base: &Url, access: &Access) -> Result<Found, String> {
    let paths = document.root.get("paths").and_then(Value::as_object);
    let paths = paths.ok_or("it has no paths, so no operation")?;
    let (mut found, mut left_out, mut taken) = (Vec::new(), Vec::new(), HashMap::new());
    for (path, item) in paths.iter().filter(|(path, _)| path.starts_with('/')) {
        let Some(item) = document.follow(item) else {
            left_out.push((path.clone(), "its reference leads out of the description".to_owned()));
            continue;
        };
        for (method, operation) in item.as_object().into_iter().flatten() {
            let all = ["get", "put", "post", "delete", "patch", "head", "options", "trace"];
            if !all.contains(&method.as_str()) {
                continue;
            }
            let id = text(operation, "operationId").map(|id| plain_name(id, NAME_CHARS));
            let called = id.filter(|id| id != "unnamed" && *id != "_");
            let called =
                called.unwrap_or_else(|| plain_name(&format!("{method}{path}"), NAME_CHARS));
            if found.len() >= MAX_OPERATIONS {
                left_out.push((called, format!("there are {MAX_OPERATIONS} before it")));
                continue;
            }
            let place = Place { document, base, access, path, item, method, operation };
            match place.read(free(&called, &mut taken)) {
                Ok(operation) => found.push(operation),
                Err(why) => left_out.push((called, why)),
            }
        }
    }
    match (found.is_empty(), left_out.first()) {
        (true, None) => Err("it has no operations".to_owned()),
        (true, Some((name, why))) => {
            Err(format!("none of its operations can be used; {name}: {why}"))
        }
        _ => Ok((found, left_out)),
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

/// The schema of the arguments, as it is collected.
#[derive(Default)]
struct Input {
    properties: Map<String, Value>,
    required: Vec<String>,
}

impl Place<'_> {
    fn read(&self, name: String) -> Result<Operation, String> {
        if matches!(self.method, "options" | "trace") || !self.operation.is_object() {
            let what = if self.operation.is_object() { self.method } else { "for no object" };
            return Err(format!("its method is {what}"));
        }
        let method = self.method.to_ascii_uppercase().parse().map_err(|_| "its method")?;
        let mut schemas = Schemas::new(self.document);
        let (mut input, mut parameters, mut body) = (Input::default(), Vec::new(), json!({}));
        for parameter in self.parameters()? {
            match text(parameter, "in") {
                Some("body" | "formData") => self.add_to_body(parameter, &mut body)?,
                _ => parameters.extend(self.parameter(parameter, &mut schemas, &mut input)?),
            }
        }
        if let Some(own) = self.operation.get("requestBody") {
            let own = self.document.follow(own);
            body = own.ok_or("the reference of its body leads nowhere")?.clone();
        }
        let body = match body.get("content") {
            Some(content) => Some(Body::new(content, &body, &mut schemas, &mut input)?),
            None => None,
        };
        let definition = self.definition(&name, input, schemas);
        if definition.len() > DEFINITION_BYTES {
            return Err(format!("its definition has more than {} KiB", DEFINITION_BYTES >> 10));
        }
        let address = format!("{}{}", self.base()?.as_str().trim_end_matches('/'), self.path);
        Ok(Operation { name, definition, method, address, parameters, body })
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
    fn parameters(&self) -> Result<Vec<&Value>, String> {
        let mut found: Vec<&Value> = Vec::new();
        let all = [self.operation, self.item].into_iter().flat_map(|it| list(it, "parameters"));
        for parameter in all {
            let parameter = self.document.follow(parameter);
            let parameter = parameter.ok_or("a parameter's reference leads nowhere")?;
            let is_same = |known: &&Value| {
                ["name", "in"].iter().all(|key| text(known, key) == text(parameter, key))
            };
            if !found.iter().any(is_same) {
                found.push(parameter);
            }
        }
        Ok(found)
    }

    fn parameter(
        &self,
        parameter: &Value,
        schemas: &mut Schemas<'_>,
        input: &mut Input,
    ) -> Result<Option<Parameter>, String> {
        let name = text(parameter, "name").ok_or("a parameter has no name")?;
        let place = text(parameter, "in").unwrap_or_default();
        if !matches!(place, "path" | "query" | "header" | "cookie") {
            return Err(format!("its parameter {name} is in {place}"));
        }
        let is_own = OWN_HEADERS.split(' ').any(|own| own.eq_ignore_ascii_case(name));
        if place == "header" && is_own || place != "path" && self.access.has(place, name) {
            return Ok(None);
        }
        let content = parameter.get("content").and_then(Value::as_object);
        let media = content.and_then(|content| content.values().next());
        let schema = match media {
            None if self.document.is_swagger => Some(parameter),
            media => media.unwrap_or(parameter).get("schema"),
        };
        let mut schema = schema.map_or(json!({}), |schema| schemas.convert(schema, 0));
        if let Some(said) = said(parameter, "description", ARGUMENT_CHARS) {
            schema["description"] = said.into();
        }
        let style = match content {
            Some(_) => Style::Json,
            None => style(place, parameter).map_err(|why| format!("its parameter {name} {why}"))?,
        };
        let is_required = place == "path" || is_true(parameter, "required");
        let argument = input.add(&plain_name(name, 64), place, schema, is_required);
        let (name, place) = (name.to_owned(), place.to_owned());
        Ok(Some(Parameter { argument, name, place, style, is_required }))
    }

    /// A body or one of its fields as Swagger 2.0 has them, in the shape of OpenAPI 3.0.
    fn add_to_body(&self, parameter: &Value, body: &mut Value) -> Result<(), String> {
        let own = [self.operation, &self.document.root].into_iter();
        let consumes = own.map(|it| list(it, "consumes")).find(|list| !list.is_empty());
        let consumes = consumes.unwrap_or_default().iter().filter_map(Value::as_str);
        if is_true(parameter, "required") {
            body["required"] = true.into();
        }
        if text(parameter, "in") == Some("body") {
            let media = choose(&consumes.collect::<Vec<_>>())?.0.to_owned();
            body["content"] = json!({media: {"schema": parameter.get("schema")}});
            body["description"] = parameter.get("description").cloned().unwrap_or_default();
            return Ok(());
        }
        let mut consumes = consumes.peekable();
        let is_form = consumes.peek().is_none() || consumes.any(|media| media == FORM);
        let name = text(parameter, "name").ok_or("a parameter has no name")?;
        if !is_form || text(parameter, "type") == Some("file") {
            return Err("its body is a file or multipart/form-data".to_owned());
        }
        let schema = &mut body["content"][FORM]["schema"];
        schema["properties"][name] = parameter.clone();
        if is_true(parameter, "required") {
            let mut required = list(schema, "required").to_vec();
            required.push(name.into());
            schema["required"] = required.into();
        }
        Ok(())
    }

    /// The tool as MCP lists it. It has no schema of its answers: what an API gives often differs from what it
    /// describes, and clients refuse what differs.
    fn definition(&self, name: &str, input: Input, schemas: Schemas<'_>) -> String {
        let summary = said(self.operation, "summary", TITLE_CHARS);
        let more = said(self.operation, "description", DESCRIPTION_CHARS);
        let mut description = match (&summary, more) {
            (Some(summary), Some(more)) if !more.starts_with(summary.as_str()) => {
                format!("{}. {more}", summary.trim_end_matches('.'))
            }
            (summary, more) => more
                .or(summary.clone())
                .unwrap_or_else(|| format!("{} {}", self.method.to_ascii_uppercase(), self.path)),
        };
        if is_true(self.operation, "deprecated") {
            description = format!("Deprecated. {description}");
        }
        // What a method promises. Of POST and PATCH it promises nothing.
        let annotations = match self.method {
            "get" | "head" => json!({"readOnlyHint": true}),
            "delete" => json!({"destructiveHint": true, "idempotentHint": true}),
            "put" => json!({"idempotentHint": true}),
            _ => json!({}),
        };
        let definitions = schemas.definitions();
        let mut schema = json!({
            "type": "object", "properties": input.properties, "additionalProperties": false,
        });
        if !input.required.is_empty() {
            schema["required"] = input.required.into();
        }
        if !definitions.is_empty() {
            schema["$defs"] = definitions.into();
        }
        let mut tool = json!({
            "name": name, "description": clip(&description, DESCRIPTION_CHARS),
            "inputSchema": schema, "annotations": annotations,
        });
        if let Some(title) = summary {
            tool["title"] = title.into();
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
        self.required.extend(is_required.then(|| name.clone()));
        name
    }
}

impl Body {
    /// Makes arguments of the members of a body, or of all of it one.
    fn new(
        content: &Value,
        said_of: &Value,
        schemas: &mut Schemas<'_>,
        input: &mut Input,
    ) -> Result<Body, String> {
        let all = content.as_object().ok_or("its body has no content")?;
        let (media, kind) = choose(&all.keys().map(String::as_str).collect::<Vec<_>>())?;
        let told = all.iter().find(|(name, _)| *name == media || name.ends_with("/*"));
        let told = told.map_or(&Value::Null, |(_, told)| told);
        let is_deep = |(_, how): &(&String, &Value)| text(how, "style") == Some("deepObject");
        let deep = told.get("encoding").and_then(Value::as_object).into_iter().flatten();
        let deep = deep.filter(is_deep).map(|(name, _)| name.clone()).collect();
        let (media, is_required) = (media.to_owned(), is_true(said_of, "required"));
        let mut body =
            Body { media, kind, argument: String::new(), members: None, deep, is_required };
        let schema = told.get("schema").filter(|_| kind != BodyKind::Text);
        let is_free =
            |name: &str| plain_name(name, 64) == name && !input.properties.contains_key(name);
        let document = schemas.document;
        let members = schema.and_then(|schema| document.members(schema, 0));
        // What is needed within a body that is not needed is needed only if there is one.
        let members = members.filter(|(members, required)| {
            members.iter().all(|(name, _)| is_free(name)) && (is_required || required.is_empty())
        });
        if let Some((members, required)) = members {
            let names = members.iter().map(|(name, _)| (*name).to_owned());
            body.members = Some(names.collect());
            for (name, schema) in members {
                if !input.properties.contains_key(name) {
                    let schema = schemas.convert(schema, 0);
                    input.add(name, "body", schema, required.contains(&name));
                }
            }
            return Ok(body);
        }
        let mut whole = match (schema, kind) {
            (_, BodyKind::Text) => json!({"type": "string"}),
            (schema, _) => schema.map_or(json!({}), |schema| schemas.convert(schema, 0)),
        };
        if let Some(said) = said(said_of, "description", ARGUMENT_CHARS) {
            whole["description"] = said.into();
        }
        body.argument = input.add("body", "body", whole, is_required);
        Ok(body)
    }
}

fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&json!(true))
}

/// The media type of a body, of those that an operation takes.
fn choose<'m>(all: &[&'m str]) -> Result<(&'m str, BodyKind), String> {
    let rank = |media: &str| match media.split(';').next().unwrap_or_default().trim() {
        "application/json" => Some((0, BodyKind::Json)),
        media if media.ends_with("/*") => Some((1, BodyKind::Json)),
        "application/merge-patch+json" => Some((2, BodyKind::Json)),
        media if media.ends_with("+json") => Some((3, BodyKind::Json)),
        FORM => Some((4, BodyKind::Form)),
        media if is_text(media) => Some((5, BodyKind::Text)),
        _ => None,
    };
    let ranked = all.iter().filter_map(|media| Some((rank(media)?, *media)));
    match ranked.min_by_key(|((rank, _), _)| *rank) {
        _ if all.is_empty() => Ok(("application/json", BodyKind::Json)),
        Some(((1, kind), _)) => Ok(("application/json", kind)),
        Some(((_, kind), media)) => Ok((media, kind)),
        None => Err(format!("its body is {}", clip(&all.join(" or "), 100))),
    }
}

/// Whether what has this media type is text.
pub(crate) fn is_text(media: &str) -> bool {
    const WORDS: &str = "text json xml yaml javascript ndjson csv graphql urlencoded";
    media.split(['/', '+', '-', '.']).any(|part| WORDS.split(' ').any(|word| word == part))
}

fn style(place: &str, parameter: &Value) -> Result<Style, String> {
    let default = if matches!(place, "query" | "cookie") { "form" } else { "simple" };
    let collection = text(parameter, "collectionFormat");
    let said = text(parameter, "style").or(collection).unwrap_or(default);
    // Swagger 2.0 says by its word for it whether there is a parameter each.
    let explodes = parameter.get("explode").and_then(Value::as_bool);
    let explodes = explodes.unwrap_or(parameter.get("schema").is_some() && said == "form");
    match (said, place) {
        ("deepObject", "query") => Ok(Style::Deep),
        ("multi", _) => Ok(Style::Exploded),
        (_, "query") if explodes => Ok(Style::Exploded),
        ("spaceDelimited" | "ssv", _) => Ok(Style::Joined(" ")),
        ("tsv", _) => Ok(Style::Joined("\t")),
        ("pipeDelimited" | "pipes", _) => Ok(Style::Joined("|")),
        ("form" | "simple" | "csv", _) => Ok(Style::Joined(",")),
        (other, _) => Err(format!("has the style {}", clip(other, 40))),
    }
}
