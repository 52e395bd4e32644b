//! Stored results as arguments of other tools, without a model copying them.
//!
//! A model writes `{"$weir": "ID"}` in place of a value, with `"pointer": "/a/b"`, `"lines": "10-20"`
//! or `"query": ".items[].id"` for a part of it; where a tool's schema wants a string,
//! `"weir://blob/ID#/a/b"`, `#L10-20` or `#query=…`. [`Weir::resolve_references`] puts the stored
//! text in its place. It decides alone who may get one: [`References`] is off unless a user names
//! tools.

use std::collections::BTreeMap;
use std::ops::Range;

use percent_encoding::percent_decode_str;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::contract::{Encoding, QueryRequest, Unit, View};
use crate::error::Error;
use crate::weir::Weir;

/// Bytes of one value that is put in place of a reference, and of all in one call.
pub const REFERENCE_MAX_BYTES: usize = 500_000;
/// Bytes of all values that are put in place of references in one call.
pub const REFERENCES_MAX_BYTES: usize = 2_000_000;

/// Levels of arguments in which references are looked for.
const DEPTH: usize = 200;

/// References in one call.
const MAX_REFERENCES: usize = 32;

/// Characters that are read at once.
const PAGE_CHARS: u32 = 1_000_000;

/// Words in the name of a tool that runs programs, writes or sends: such a tool gets stored results
/// only when its own name is listed.
const NEVER_BY_CLASS: [&str; 40] = [
    "shell",
    "bash",
    "sh",
    "zsh",
    "exec",
    "execute",
    "terminal",
    "command",
    "cmd",
    "run",
    "process",
    "subprocess",
    "eval",
    "script",
    "code",
    "write",
    "edit",
    "create",
    "delete",
    "remove",
    "put",
    "post",
    "patch",
    "upload",
    "send",
    "http",
    "https",
    "request",
    "curl",
    "wget",
    "fetch",
    "web",
    "browser",
    "navigate",
    "url",
    "email",
    "mail",
    "publish",
    "push",
    "install",
];

/// Which tools may be given stored results by reference. Default: none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// Tools by name; `*` stands for any characters.
    pub tools: Vec<String>,
    /// Also every tool that is said to only read and to be closed to the outside world, unless its
    /// name says that it runs, writes or sends.
    pub read_only: bool,
}

/// The tool that is about to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Callee<'a> {
    /// Its name.
    pub tool: &'a str,
    /// Whether a trusted annotation says that it changes nothing.
    pub read_only: bool,
    /// Whether a trusted annotation says that it reaches nothing outside.
    pub closed_world: bool,
}

impl References {
    /// Whether a tool may be given stored results.
    ///
    /// # Errors
    /// Why not, for the model.
    pub fn admit(&self, callee: &Callee<'_>) -> Result<(), String> {
        let Callee { tool, read_only, closed_world } = *callee;
        if self.tools.iter().any(|name| name == tool) {
            return Ok(());
        }
        let by_glob = self.tools.iter().any(|glob| matches(glob, tool));
        if !by_glob && !self.read_only {
            return Err(format!(
                "{tool} may not be given stored results by reference: the user has not listed it"
            ));
        }
        if let Some(word) = words(tool).into_iter().find(|word| NEVER_BY_CLASS.contains(&&**word)) {
            return Err(format!(
                "{tool} may not be given stored results by reference: tools that run, write or send \
                 (\"{word}\") must be listed by their own name"
            ));
        }
        if by_glob || (read_only && closed_world) {
            return Ok(());
        }
        Err(format!(
            "{tool} may not be given stored results by reference: it is not known to only read and \
             to reach nothing outside"
        ))
    }
}

/// The words of a name: `runShell_command` is `run`, `shell`, `command`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && lower) {
            words.push(String::new());
        }
        lower = c.is_ascii_lowercase();
        if c.is_ascii_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
    }
    words
}

/// Whether `text` matches `glob`, in which `*` stands for any characters.
fn matches(glob: &str, text: &str) -> bool {
    wildmatch::WildMatchPattern::<'*', '\0'>::new(glob).matches(text)
}

/// Arguments in which every reference was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedArguments {
    /// The arguments, as JSON. What is no reference keeps every byte.
    pub arguments: String,
    /// What was put in, in order.
    pub used: Vec<UsedReference>,
}

/// One reference that was replaced: for the audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedReference {
    /// The stored result.
    pub id: String,
    /// Which part, as it was written: `/a/b`, `lines 10-20`; empty for all.
    pub part: String,
    /// Bytes that were put in.
    pub bytes: usize,
}

/// A part of a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reference {
    id: String,
    part: Part,
    raw: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    All,
    Pointer(String),
    Lines(u64, u64),
    Query(String),
}

impl Part {
    fn words(&self) -> String {
        match self {
            Part::All => String::new(),
            Part::Pointer(pointer) => pointer.clone(),
            Part::Lines(first, last) => format!("lines {first}-{last}"),
            Part::Query(program) => format!("query {program}"),
        }
    }
}

/// A reference in arguments: where it stands, and whether it stands for a string.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    span: Range<usize>,
    reference: Reference,
    as_text: bool,
}

/// What is put in.
enum Content {
    Text(String),
    Json(String),
}

impl Weir {
    /// Puts stored text in place of every reference in the arguments of another tool. Nothing when
    /// there is no reference: the arguments are then the caller's to send as they are.
    ///
    /// The caller writes an audit line for what was used.
    ///
    /// # Errors
    /// Why a reference cannot be replaced, in a sentence for the model: the tool may not be given
    /// any, the result is not one of this session, the part is not there, it is too large.
    pub fn resolve_references(
        &self,
        session: &str,
        references: &References,
        callee: &Callee<'_>,
        arguments: &str,
    ) -> Result<Option<ResolvedArguments>, String> {
        if !arguments.contains("$weir") && !arguments.contains("weir://blob/") {
            return Ok(None);
        }
        let mut found = find(arguments)?;
        if let Err(why) = references.admit(callee) {
            // An address alone may be meant as it is: the tool may know what to do with it.
            found.retain(|found| !(found.as_text && found.reference.part == Part::All));
            return match found.is_empty() {
                true => Ok(None),
                false => Err(format!("not called: {why}. Read what you need with weir_fetch")),
            };
        }
        if found.is_empty() {
            return Ok(None);
        }
        if found.len() > MAX_REFERENCES {
            return Err(format!("not called: more than {MAX_REFERENCES} references in one call"));
        }
        let weir = self.with_large_pages();
        let (mut out, mut used, mut from, mut total) = (String::new(), Vec::new(), 0, 0);
        for Found { span, reference, as_text } in found {
            let content = weir.referenced(session, &reference)?;
            let json = match content {
                Content::Text(text) => Value::from(text).to_string(),
                Content::Json(json) if as_text && !json.starts_with('"') => {
                    Value::from(json).to_string()
                }
                Content::Json(json) => json,
            };
            total += json.len();
            if total > REFERENCES_MAX_BYTES {
                return Err(format!(
                    "not called: the references come to more than {REFERENCES_MAX_BYTES} bytes: \
                     refer to parts"
                ));
            }
            used.push(UsedReference {
                id: reference.id,
                part: reference.part.words(),
                bytes: json.len(),
            });
            out.push_str(&arguments[from..span.start]);
            out.push_str(&json);
            from = span.end;
        }
        out.push_str(&arguments[from..]);
        Ok(Some(ResolvedArguments { arguments: out, used }))
    }

    /// The same store, read in pages for programs: what a model's answer may hold does not matter then.
    #[must_use]
    pub fn with_large_pages(&self) -> Weir {
        let mut settings = self.settings().cloned().unwrap_or_default();
        settings.set("transform.threshold_chars", PAGE_CHARS + 1);
        settings.set("fetch.max_chars", PAGE_CHARS);
        self.with_settings(settings)
    }

    fn referenced(&self, session: &str, reference: &Reference) -> Result<Content, String> {
        let id = reference.id.as_str();
        let view = if reference.raw { View::Raw } else { View::Text };
        match &reference.part {
            Part::All => self.referenced_text(session, id, view, Unit::Bytes, 0, None),
            Part::Lines(first, last) => {
                let start = i64::try_from(*first).unwrap_or(i64::MAX);
                let count = Some(last - first + 1);
                self.referenced_text(session, id, view, Unit::Lines, start, count)
            }
            Part::Pointer(pointer) => {
                let request =
                    QueryRequest { path: Some(pointer.clone()), ..QueryRequest::new(".") };
                let (rows, array) = self.referenced_rows(session, id, view, request)?;
                match (array, &rows[..]) {
                    (false, [one]) => Ok(Content::Json(one.clone())),
                    _ => Ok(Content::Json(format!("[{}]", rows.join(",")))),
                }
            }
            Part::Query(program) => {
                let (rows, _) =
                    self.referenced_rows(session, id, view, QueryRequest::new(program))?;
                Ok(Content::Json(format!("[{}]", rows.join(","))))
            }
        }
    }

    fn referenced_text(
        &self,
        session: &str,
        id: &str,
        view: View,
        unit: Unit,
        start: i64,
        count: Option<u64>,
    ) -> Result<Content, String> {
        let (mut text, mut more) = (String::new(), None::<String>);
        loop {
            let page = self
                .read(session, id, view, unit, start, count, more.as_deref())
                .map_err(|error| refusal(id, &error))?;
            if page.encoding != Encoding::Utf8 {
                return Err(format!("not called: {id} is not text there"));
            }
            text.push_str(&page.content);
            if text.len() > REFERENCE_MAX_BYTES {
                return Err(too_large(id));
            }
            more = page.more;
            if more.is_none() {
                return Ok(Content::Text(text));
            }
        }
    }

    /// The results of a query, and whether its rows are items of an array.
    fn referenced_rows(
        &self,
        session: &str,
        id: &str,
        view: View,
        request: QueryRequest,
    ) -> Result<(Vec<String>, bool), String> {
        let (mut rows, mut bytes, mut more) = (Vec::new(), 0, None::<String>);
        loop {
            let page = self
                .query(session, id, view, &request, more.as_deref())
                .map_err(|error| refusal(id, &error))?;
            if page.failed_rows > 0 {
                return Err(format!(
                    "not called: the query failed on {} rows of {id}: try it with weir_fetch",
                    page.failed_rows
                ));
            }
            bytes += page.content.len();
            if bytes > REFERENCE_MAX_BYTES {
                return Err(too_large(id));
            }
            rows.extend(page.content.lines().map(str::to_owned));
            let array = page.rows.starts_with("items");
            more = page.more;
            if more.is_none() {
                return Ok((rows, array));
            }
        }
    }
}

fn too_large(id: &str) -> String {
    format!(
        "not called: that part of {id} has more than {REFERENCE_MAX_BYTES} bytes: refer to less of it \
         with \"pointer\", \"lines\" or \"query\""
    )
}

fn refusal(id: &str, error: &Error) -> String {
    match error {
        Error::Refused(failure) if failure.code == "unknown" => {
            format!("not called: no result {id} is stored in this session")
        }
        Error::Refused(failure) => format!("not called: {id}: {}", failure.message),
        _ => format!("not called: {id} cannot be read now"),
    }
}

/// The references in a JSON text, in order.
fn find(text: &str) -> Result<Vec<Found>, String> {
    let mut found = Vec::new();
    seek(text, text.trim(), DEPTH, &mut found).map_err(|why| format!("not called: {why}"))?;
    found.sort_by_key(|found| found.span.start);
    Ok(found)
}

/// Adds the references in a part of a text, which is one value.
fn seek(text: &str, part: &str, depth: usize, found: &mut Vec<Found>) -> Result<(), String> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    let span = start..start + part.len();
    let mut inner: Vec<&RawValue> = Vec::new();
    match part.as_bytes().first() {
        Some(b'"') if part[1..].starts_with("weir://blob/") => {
            let uri: String = serde_json::from_str(part).unwrap_or_default();
            let reference = Reference::of_uri(&uri)?;
            found.extend(reference.map(|reference| Found { span, reference, as_text: true }));
        }
        Some(b'[') => inner = serde_json::from_str(part).unwrap_or_default(),
        Some(b'{') => {
            let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(part);
            let members = members.unwrap_or_default();
            if members.contains_key("$weir") {
                let object = serde_json::from_str(part);
                let object = object.map_err(|error| format!("a reference is not JSON: {error}"))?;
                let reference = Reference::of_object(&object)?;
                found.push(Found { span, reference, as_text: false });
            } else {
                inner.extend(members.into_values());
            }
        }
        _ => {}
    }
    let mut inner = inner.into_iter().filter(|_| depth > 0);
    inner.try_for_each(|value| seek(text, value.get(), depth - 1, found))
}

impl Reference {
    fn of_object(object: &Map<String, Value>) -> Result<Reference, String> {
        let text = |name: &str| match object.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("\"{name}\" of a reference must be a string")),
        };
        const KEYS: [&str; 5] = ["$weir", "pointer", "lines", "query", "view"];
        if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let key: String = key.chars().take(40).collect();
            return Err(format!(
                "a reference has no {key:?}: beside \"$weir\" it may have \"pointer\", \"lines\", \
                 \"query\" or \"view\""
            ));
        }
        let id = text("$weir")?.unwrap_or_default();
        let id = id.strip_prefix("weir://blob/").unwrap_or(&id).to_owned();
        if !is_id(&id) {
            return Err(
                "\"$weir\" must be the id of a stored result, such as 5f1e0c9a77d2".to_owned()
            );
        }
        let lines = match object.get("lines") {
            Some(Value::Array(ends)) => match (ends.first(), ends.last(), ends.len()) {
                (Some(first), Some(last), 1 | 2) => Some(format!("{first}-{last}")),
                _ => Some(String::new()),
            },
            Some(Value::Number(line)) => Some(format!("{line}-{line}")),
            _ => text("lines")?,
        };
        let parts = [
            text("pointer")?.map(Part::Pointer),
            lines.as_deref().map(lines_of).transpose()?,
            text("query")?.map(Part::Query),
        ];
        let mut parts = parts.into_iter().flatten();
        let part = parts.next().unwrap_or(Part::All);
        if parts.next().is_some() {
            return Err("a reference has one of \"pointer\", \"lines\" and \"query\"".to_owned());
        }
        let raw = match text("view")?.as_deref() {
            None | Some("text") => false,
            Some("raw") => true,
            Some(_) => return Err("\"view\" of a reference is \"text\" or \"raw\"".to_owned()),
        };
        Ok(Reference { id, part, raw })
    }

    /// The reference that an address is; nothing when it is another text.
    fn of_uri(uri: &str) -> Result<Option<Reference>, String> {
        let Some(rest) = uri.strip_prefix("weir://blob/") else { return Ok(None) };
        let (id, fragment) = match rest.split_once('#') {
            Some((id, fragment)) => (id, Some(fragment)),
            None => (rest, None),
        };
        if !is_id(id) {
            return Ok(None);
        }
        let part = match fragment {
            None | Some("") => Part::All,
            Some(pointer) if pointer.starts_with('/') => Part::Pointer(decoded(pointer)),
            Some(other) => match (other.strip_prefix('L'), other.strip_prefix("query=")) {
                (Some(lines), _) => lines_of(lines)?,
                (_, Some(program)) => Part::Query(decoded(program)),
                _ => {
                    return Err(
                        "behind # stands a pointer such as /a/b, lines such as L10-20, or \
                                query=PROGRAM"
                            .to_owned(),
                    );
                }
            },
        };
        Ok(Some(Reference { id: id.to_owned(), part, raw: false }))
    }
}

fn is_id(text: &str) -> bool {
    (12..=64).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// `10-20`, both included, or `10`.
fn lines_of(text: &str) -> Result<Part, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().trim_start_matches('L').parse::<u64>().ok();
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first >= 1 && first <= last => Ok(Part::Lines(first, last)),
        _ => Err("lines of a reference are written 10-20: from 1, the last included".to_owned()),
    }
}

/// What `%` escapes stand for.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "5f1e0c9a77d2";

    fn callee(tool: &str) -> Callee<'_> {
        Callee { tool, read_only: true, closed_world: true }
    }

    #[test]
    fn no_tool_is_given_anything_unless_a_user_says_so() {
        let off = References::default();
        assert!(off.admit(&callee("count_words")).unwrap_err().contains("has not listed it"));
        let named =
            References { tools: vec!["run_shell".into(), "get_*".into()], read_only: false };
        let unknown = |tool| Callee { tool, read_only: false, closed_world: false };
        assert!(named.admit(&unknown("run_shell")).is_ok());
        assert!(named.admit(&unknown("get_words")).is_ok());
        assert!(named.admit(&unknown("forget_it")).is_err());
        let class = References { tools: Vec::new(), read_only: true };
        assert!(class.admit(&callee("count_words")).is_ok());
        for open in [
            Callee { closed_world: false, ..callee("count_words") },
            Callee { read_only: false, ..callee("count_words") },
        ] {
            assert!(class.admit(&open).unwrap_err().contains("not known to only read"));
        }
    }

    #[test]
    fn what_runs_writes_or_sends_is_never_admitted_by_class_or_glob() {
        let wide = References { tools: vec!["*".into()], read_only: true };
        for tool in [
            "shell",
            "bash",
            "run_command",
            "execCode",
            "terminal",
            "write_file",
            "fs.write",
            "http_post",
            "http_request",
            "curl",
            "upload",
            "web_fetch",
            "server__send-mail",
            "runShell",
            "edit_file",
            "python_eval",
        ] {
            let why = wide.admit(&callee(tool)).unwrap_err();
            assert!(why.contains("own name"), "{tool}: {why}");
            let named = References { tools: vec![tool.into()], read_only: false };
            assert!(named.admit(&callee(tool)).is_ok(), "{tool}");
        }
        assert!(wide.admit(&callee("count_words")).is_ok());
    }

    #[test]
    fn references_are_found_wherever_they_stand_and_nothing_else_is() {
        let text = format!(
            r#"{{"a": {{"$weir": "{ID}", "pointer": "/x/0"}}, "b": ["weir://blob/{ID}#L2-4", 1.50],
                "c": {{"lines": [3, 9], "$weir": "{ID}"}}, "d": "see weir://blob/{ID}", "weir://blob/{ID}": "k",
                "e": "{{\"$weir\": \"{ID}\"}}", "f": "$weir", "g": {{"$weir": "{ID}", "query": ".a"}},
                "h": "weir://blob/{ID}#query=.a%20%7C%20.b", "i": "weir://blob/{ID}"}}"#
        );
        let found = find(&text).unwrap();
        let parts: Vec<(Part, bool)> =
            found.iter().map(|found| (found.reference.part.clone(), found.as_text)).collect();
        assert_eq!(
            parts,
            [
                (Part::Pointer("/x/0".into()), false),
                (Part::Lines(2, 4), true),
                (Part::Lines(3, 9), false),
                (Part::Query(".a".into()), false),
                (Part::Query(".a | .b".into()), true),
                (Part::All, true),
            ]
        );
        assert!(found.iter().all(|found| found.reference.id == ID));
        assert!(text[found[2].span.clone()].starts_with(r#"{"lines""#));
    }

    #[test]
    fn a_reference_that_means_nothing_says_why() {
        for (reference, part) in [
            (r#"{"$weir": 5}"#.to_owned(), "must be a string"),
            (r#"{"$weir": "xyz"}"#.to_owned(), "id of a stored result"),
            (format!(r#"{{"$weir": "{ID}", "mode": "full"}}"#), "no \"mode\""),
            (format!(r#"{{"$weir": "{ID}", "lines": "9-3"}}"#), "10-20"),
            (format!(r#"{{"$weir": "{ID}", "lines": [0, 3]}}"#), "10-20"),
            (format!(r#"{{"$weir": "{ID}", "pointer": "/a", "query": "."}}"#), "has one of"),
            (format!(r#""weir://blob/{ID}#nonsense""#), "behind #"),
        ] {
            let error = find(&format!(r#"{{"x": [{reference}]}}"#)).unwrap_err();
            assert!(error.contains(part), "{reference}: {error}");
        }
    }
}
