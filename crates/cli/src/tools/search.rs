//! What a model is answered when it searches for tools or has them described, read and shown.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use weir_host::Catalog;
use weir_host::contract::Conversation;

use crate::console::Console;
use crate::{Answer, Failure};

/// Where the bridge tools stand among the three.
pub(super) const SEARCH: usize = 0;
pub(super) const DESCRIBE: usize = 1;

/// What a model is answered by the bridge tool that stands there.
pub(super) fn ask(catalog: &Catalog, bridge: usize, arguments: &Value) -> Result<String, Failure> {
    let tools = catalog.bridge_tools()?;
    let name = tools.get(bridge).map_or("", |tool| &tool.name);
    let answer = catalog.invoke(name, &arguments.to_string(), &Conversation::default())?;
    Ok(answer.text.unwrap_or_default())
}

/// Such an answer, read; a refusal is a failure.
pub(super) fn read<T: DeserializeOwned>(text: &str, hint: &str) -> Result<T, Failure> {
    #[derive(Deserialize)]
    struct Refused {
        error: String,
    }
    if let Ok(Refused { error }) = serde_json::from_str(text) {
        return Err(Failure::usage(error, hint));
    }
    let unread = |error| format!("the component's answer cannot be read: {error}");
    serde_json::from_str(text).map_err(|error| Failure::plain(unread(error)))
}

/// What a model is answered by a search, which leaves out what is empty. Written, it has the names of
/// `docs/json/`.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Found {
    #[serde(rename(deserialize = "results"))]
    groups: Vec<Group>,
    unanswered: u32,
    #[serde(rename(deserialize = "searched"))]
    total: u32,
    servers: Vec<Server>,
    servers_left_out: u32,
    not_searched: Vec<String>,
    note: Option<String>,
}

/// What one query found.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Group {
    query: String,
    matches: Vec<Match>,
    weak: Vec<String>,
    unmatched: Vec<String>,
    /// Words that were taken for others, a sentence each.
    read: Vec<String>,
    #[serde(rename(deserialize = "more_matches"))]
    left_out: u32,
    hint: Option<String>,
}

#[derive(Deserialize, Serialize)]
struct Match {
    name: String,
    #[serde(default)]
    server: String,
    #[serde(default, rename(deserialize = "does"))]
    summary: String,
    #[serde(default, rename(deserialize = "arguments"))]
    signature: String,
    #[serde(default = "unknown")]
    risk: String,
    unavailable: Option<String>,
    #[serde(rename(deserialize = "schema"))]
    exact_schema: Option<Box<RawValue>>,
}

#[derive(Deserialize, Serialize)]
struct Server {
    #[serde(rename(deserialize = "server"))]
    name: String,
    tools: u32,
    unavailable: Option<String>,
}

/// What calling a tool may do whose owner does not say it.
pub(super) fn unknown() -> String {
    "unknown".to_owned()
}

/// How a list shows that a tool cannot be called now.
pub(super) fn state(unavailable: Option<&str>) -> String {
    unavailable.map(|why| format!("  unavailable: {why}")).unwrap_or_default()
}

impl Found {
    pub(super) fn read(text: &str) -> Result<Found, Failure> {
        read(text, "give a query with words")
    }

    /// Whether any query found a sure match.
    pub(super) fn verdict(&self) -> Answer {
        match self.groups.iter().any(|group| !group.matches.is_empty()) {
            true => Answer::Yes,
            false => Answer::No,
        }
    }

    /// All but the servers that were searched.
    pub(super) fn show(&self, console: &Console) -> Result<(), Failure> {
        for (at, group) in self.groups.iter().enumerate() {
            if at > 0 {
                console.line("")?;
            }
            if self.groups.len() > 1 {
                console.line(format_args!("{}:", group.query))?;
            }
            group.show(console)?;
        }
        if let Some(note) = &self.note {
            console.note(note);
        }
        if !self.not_searched.is_empty() {
            console.note(format_args!("not searched: {}", self.not_searched.join("; ")));
        }
        if self.unanswered > 0 {
            console.note(format_args!(
                "{} queries had no room in the answer: ask for them in another search",
                self.unanswered
            ));
        }
        Ok(())
    }
}

impl Group {
    fn show(&self, console: &Console) -> Result<(), Failure> {
        for read in &self.read {
            console.line(read)?;
        }
        if self.matches.is_empty() {
            console.line("no sure match")?;
        }
        for (place, hit) in (1..).zip(&self.matches) {
            let server = if hit.server.is_empty() { "" } else { &format!("  {}", hit.server) };
            let (name, risk, state) = (&hit.name, &hit.risk, state(hit.unavailable.as_deref()));
            console.line(format_args!("{place:>2}. {name}{server}  {risk}{state}"))?;
            for line in [&hit.summary, &hit.signature] {
                if !line.is_empty() {
                    console.line(format_args!("    {line}"))?;
                }
            }
            if let Some(schema) = &hit.exact_schema {
                console.line(format_args!("    {schema}"))?;
            }
        }
        if self.left_out > 0 {
            console.line(format_args!("    … and {} more: raise --limit", self.left_out))?;
        }
        if !self.weak.is_empty() {
            console.line(format_args!("perhaps: {}", self.weak.join(", ")))?;
        }
        // Where nothing was found the hint says it.
        let hint_says_so = self.matches.is_empty() && self.hint.is_some();
        if !self.unmatched.is_empty() && !hint_says_so {
            console.line(format_args!("no tool has: {}", self.unmatched.join(", ")))?;
        }
        if let Some(hint) = &self.hint {
            console.line(format_args!("hint: {hint}"))?;
        }
        Ok(())
    }
}
