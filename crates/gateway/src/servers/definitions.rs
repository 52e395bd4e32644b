//! What servers list, held to the shape that clients demand of it.
//!
//! Clients check a list as a whole: one member of a wrong type in one definition, and they have no tool of any server. So what
//! has one reading is mended, an optional member that has none is left out, and where a needed one has none the
//! definition is: it costs itself.

use url::Url;
use weir_mcp::json::{self, Json, quote};
use weir_mcp::methods::Method;

/// What a member may be.
enum Form {
    /// A text that says which definition it is.
    Name,
    Uri,
    Text,
    Flag,
    Whole,
    /// From 0 to 1.
    Share,
    Time,
    Word(&'static [&'static str]),
    /// The type of an object's schema.
    ObjectType,
    Properties,
    Required,
    /// A list: items that do not fit are left out.
    List(&'static Form),
    Object(&'static [Row]),
    /// A schema whose root is an object; what says nothing takes nothing.
    Input(&'static [Row]),
}

/// What becomes of a definition whose member does not fit.
enum Need {
    /// It is left out, also where there is no such member.
    Must,
    /// It is left out, as what is lost with the member counts.
    Counts,
    /// It is without that member.
    May,
    /// It gets this one.
    Or(&'static str),
}

/// A member: its name, its form, its need.
type Row = (&'static str, Form, Need);

/// What is the matter with a value.
enum Verdict {
    Fits,
    Instead(String),
    Unfit(String),
}

use Form::*;
use Need::*;
use Verdict::*;

const ANY: &[Row] = &[];
const SCHEMA: &[Row] = &[
    ("$schema", Text, May),
    ("type", ObjectType, Or(r#""object""#)),
    ("properties", Properties, Counts),
    ("required", Required, Counts),
];
/// Its root may be of any type where it is sent at all, which is for the catalog to say.
const OUTPUT: &[Row] =
    &[("$schema", Text, May), ("properties", Properties, Counts), ("required", Required, Counts)];
const ICON: &[Row] = &[
    ("src", Text, Must),
    ("mimeType", Text, May),
    ("sizes", List(&Text), May),
    ("theme", Word(&["light", "dark"]), May),
];
const TOOL_HINTS: &[Row] = &[
    ("title", Text, May),
    ("readOnlyHint", Flag, May),
    ("destructiveHint", Flag, May),
    ("idempotentHint", Flag, May),
    ("openWorldHint", Flag, May),
];
const EXECUTION: &[Row] = &[("taskSupport", Word(&["forbidden", "optional", "required"]), May)];
const AUDIENCE: &[Row] = &[
    ("audience", List(&Word(&["user", "assistant"])), May),
    ("priority", Share, May),
    ("lastModified", Time, May),
];
const TOOL: &[Row] = &[
    ("name", Name, Must),
    ("title", Text, May),
    ("description", Text, May),
    ("icons", List(&Object(ICON)), May),
    ("inputSchema", Input(SCHEMA), Or(r#"{"type":"object"}"#)),
    ("outputSchema", Object(OUTPUT), May),
    ("annotations", Object(TOOL_HINTS), May),
    ("execution", Object(EXECUTION), May),
    ("_meta", Object(ANY), May),
];
const ARGUMENT: &[Row] = &[
    ("name", Name, Must),
    ("title", Text, May),
    ("description", Text, May),
    ("required", Flag, May),
];
const PROMPT: &[Row] = &[
    ("name", Name, Must),
    ("title", Text, May),
    ("description", Text, May),
    ("icons", List(&Object(ICON)), May),
    ("arguments", List(&Object(ARGUMENT)), May),
    ("_meta", Object(ANY), May),
];
const RESOURCE: &[Row] = &[
    ("uri", Uri, Must),
    ("name", Name, Must),
    ("title", Text, May),
    ("description", Text, May),
    ("icons", List(&Object(ICON)), May),
    ("mimeType", Text, May),
    ("size", Whole, May),
    ("annotations", Object(AUDIENCE), May),
    ("_meta", Object(ANY), May),
];
const TEMPLATE: &[Row] = &[
    ("uriTemplate", Name, Must),
    ("name", Name, Must),
    ("title", Text, May),
    ("description", Text, May),
    ("icons", List(&Object(ICON)), May),
    ("mimeType", Text, May),
    ("annotations", Object(AUDIENCE), May),
    ("_meta", Object(ANY), May),
];

/// A definition of this list as any client takes it, and whether it had to be mended.
///
/// # Errors
/// Why it is left out, in words that follow its name.
pub(crate) fn mended(method: Method, item: Json) -> Result<(Json, bool), String> {
    let (rows, key) = match method {
        Method::ListTools => (TOOL, "name"),
        Method::ListPrompts => (PROMPT, "name"),
        Method::ListResources => (RESOURCE, "uri"),
        Method::ListTemplates => (TEMPLATE, "uriTemplate"),
        _ => return Ok((item, false)),
    };
    // A name is for people where something else says what is meant.
    let named = match key != "name" && item.text_at(&["name"]).is_none() {
        true => item.get(&["title"]).filter(|it| it.starts_with('"')).or(item.get(&[key])),
        false => None,
    };
    let named = named.map(|name| item.with(&["name"], name));
    match judge(named.as_ref().unwrap_or(&item).as_str(), &Object(rows)) {
        Fits => Ok(named.map_or((item, false), |named| (named, true))),
        Instead(text) => Ok((Json::assembled(text), true)),
        Unfit(why) => Err(why),
    }
}

/// A result, or a prompt, without the hints of blocks that clients refuse with all that stands beside them.
pub(crate) fn with_fit_hints(result: Json) -> Json {
    if !result.as_str().contains("\"annotations\"") {
        return result;
    }
    let fit = |block: &str| {
        let block = Json::assembled(block.to_owned());
        let verdict = block.get(&["annotations"]).map(|hints| judge(hints, &Object(AUDIENCE)));
        match verdict {
            None | Some(Fits) => block.to_string(),
            Some(Instead(hints)) => block.with(&["annotations"], &hints).to_string(),
            Some(Unfit(_)) => block.without(&["annotations"]).to_string(),
        }
    };
    let is_list = |key: &str| result.get(&[key]).is_some_and(|list| list.starts_with('['));
    if is_list("content") {
        result.with_items(&["content"], fit)
    } else if is_list("messages") {
        result.with_items(&["messages"], |message| {
            let message = Json::assembled(message.to_owned());
            let block = message.get(&["content"]).map(fit);
            block.map_or(message.to_string(), |it| message.with(&["content"], &it).to_string())
        })
    } else {
        result
    }
}

fn judge(raw: &str, form: &Form) -> Verdict {
    let text = || json::string(raw);
    let fits = |fits: bool, what: &str| match fits {
        true => Fits,
        false => Unfit(format!("is {what}")),
    };
    match form {
        Name => fits(text().is_some_and(|it| !it.trim().is_empty()), "no text that names it"),
        Uri => fits(text().is_some_and(|it| Url::parse(&it).is_ok()), "no URI"),
        // Of a number or a truth value the text is what it was written for.
        Text if !raw.starts_with(['"', '{', '[']) => Instead(quote(raw)),
        Text => fits(raw.starts_with('"'), "no text"),
        Flag => fits(matches!(raw, "true" | "false"), "neither true nor false"),
        Whole => fits(raw.len() < 16 && raw.bytes().all(|b| b.is_ascii_digit()), "no count"),
        Share => fits(raw.parse().is_ok_and(|n: f64| (0.0..=1.0).contains(&n)), "not from 0 to 1"),
        Time => fits(text().is_some_and(|it| is_time(&it)), "no time with its offset"),
        Word(words) => {
            fits(text().is_some_and(|it| words.contains(&&*it)), &format!("none of {words:?}"))
        }
        ObjectType => object_type(raw),
        Properties => properties(raw),
        Required => required(raw),
        List(form) if raw.starts_with('[') => list(raw, form),
        List(_) => fits(false, "no list"),
        Input(_) if matches!(raw, "[]" | "true") => Instead(r#"{"type":"object"}"#.to_owned()),
        Object(rows) | Input(rows) if raw.starts_with('{') => object(raw, rows),
        Object(_) | Input(_) => fits(false, "no object"),
    }
}

fn object(raw: &str, rows: &[Row]) -> Verdict {
    let members = json::members(raw);
    let (mut kept, mut is_same) = (Vec::new(), true);
    for (name, value) in &members {
        let Some((_, form, need)) = rows.iter().find(|(row, ..)| row == name) else {
            kept.push(format!("{}:{value}", quote(name)));
            continue;
        };
        let verdict = match (*value, need) {
            ("null", Counts) => None,
            ("null", May | Or(_)) => None,
            _ => Some(judge(value, form)),
        };
        is_same &= matches!(verdict, Some(Fits));
        match (verdict, need) {
            (Some(Fits), _) => kept.push(format!("{}:{value}", quote(name))),
            (Some(Instead(new)), _) if new.is_empty() => {}
            (Some(Instead(new)), _) => kept.push(format!("{}:{new}", quote(name))),
            (None, _) | (Some(Unfit(_)), May) => {}
            (Some(Unfit(why)), _) => {
                return Unfit(match why.strip_prefix("its ") {
                    Some(inner) => format!("its {name}.{inner}"),
                    None => format!("its {name} {why}"),
                });
            }
        }
    }
    let is_there = |row: &str| members.iter().any(|(name, value)| name == row && *value != "null");
    for (row, _, need) in rows.iter().filter(|(row, ..)| !is_there(row)) {
        match need {
            Must => return Unfit(format!("it has no {row}")),
            Or(value) => {
                is_same = false;
                kept.push(format!("{}:{value}", quote(row)));
            }
            Counts | May => {}
        }
    }
    match is_same {
        true => Fits,
        false => Instead(format!("{{{}}}", kept.join(","))),
    }
}

fn list(raw: &str, form: &Form) -> Verdict {
    let (mut kept, mut is_same) = (Vec::new(), true);
    for item in json::items(raw) {
        match judge(item, form) {
            Fits => kept.push(item.to_owned()),
            Instead(new) => (is_same, _) = (false, kept.push(new)),
            Unfit(_) => is_same = false,
        }
    }
    match is_same {
        true => Fits,
        false => Instead(format!("[{}]", kept.join(","))),
    }
}

fn object_type(raw: &str) -> Verdict {
    const OBJECT: &str = r#""object""#;
    match raw {
        OBJECT => Fits,
        _ if raw == r#""""# || raw.eq_ignore_ascii_case(OBJECT) => Instead(OBJECT.to_owned()),
        _ if json::items(raw).contains(&OBJECT) => Instead(OBJECT.to_owned()),
        _ => Unfit("is not object, and arguments are one".to_owned()),
    }
}

/// Where there are none, some languages write the empty list. A schema may be a truth value by its own rules, and is an
/// object by those of clients.
fn properties(raw: &str) -> Verdict {
    if raw == "[]" {
        return Instead("{}".to_owned());
    }
    if !raw.starts_with('{') {
        return Unfit("is no object".to_owned());
    }
    let (mut kept, mut is_same) = (Vec::new(), true);
    for (name, value) in json::members(raw) {
        let new = match value {
            _ if value.starts_with('{') => value,
            "true" | "null" | "[]" => "{}",
            "false" => r#"{"not":{}}"#,
            _ => return Unfit(format!("has no schema for {name}")),
        };
        is_same &= new == value;
        kept.push(format!("{}:{new}", quote(&name)));
    }
    match is_same {
        true => Fits,
        false => Instead(format!("{{{}}}", kept.join(","))),
    }
}

/// A list of names; that there is none is said in many ways, and one name or a list with its places is one, too.
fn required(raw: &str) -> Verdict {
    let names = match raw.as_bytes().first() {
        Some(b'[') => json::items(raw),
        Some(b'{') => json::members(raw).into_iter().map(|(_, value)| value).collect(),
        Some(b'"') => vec![raw],
        Some(b't' | b'f') => Vec::new(),
        _ => vec![raw],
    };
    let names: Vec<&str> =
        names.into_iter().filter(|it| !matches!(*it, "null" | r#""""#)).collect();
    match names.iter().all(|name| name.starts_with('"')) {
        false => Unfit("is no list of names".to_owned()),
        true if raw.starts_with('[') && json::items(raw).len() == names.len() => Fits,
        true if names.is_empty() => Instead(String::new()),
        true => Instead(format!("[{}]", names.join(","))),
    }
}

/// A time of ISO 8601 with its offset, as `2025-01-12T15:00:58Z`.
fn is_time(text: &str) -> bool {
    let whole = |it: toml::value::Datetime| it.date.is_some() && it.offset.is_some();
    !text.contains(['t', 'z', ' ']) && text.parse().is_ok_and(whole)
}

#[cfg(test)]
mod tests;
