//! `weir tools describe`: what is known of tools, as a model is told it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::args::Describe;
use super::search::{DESCRIBE, ask, read, state, unknown};
use super::served::Known;
use crate::console::Console;
use crate::{Answer, Context, Failure};

/// What a model is answered, which leaves out what is empty.
#[derive(Deserialize)]
struct Told {
    tools: Vec<Tool>,
    #[serde(default)]
    missing: Vec<Missing>,
    #[serde(default)]
    left_out: Vec<String>,
}

#[derive(Deserialize)]
struct Tool {
    name: String,
    #[serde(default)]
    server: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    description_clipped: bool,
    #[serde(default = "unknown")]
    risk: String,
    unavailable: Option<String>,
    schema: String,
    parameters: Option<Box<RawValue>>,
    arguments: Option<String>,
    /// Of a schema that is too long.
    schema_chars: Option<u32>,
    /// Parts of such a one, or the names there are where the path is none.
    #[serde(default)]
    paths: Vec<String>,
}

/// A name that means no one tool.
#[derive(Deserialize, Serialize)]
struct Missing {
    name: String,
    error: String,
    unavailable: Option<String>,
    #[serde(default)]
    near: Vec<String>,
}

pub(super) fn run(args: &Describe, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let known = Known::of(&args.catalogs, context)?;
    let (weir, _scratch) = context.scratch()?;
    let catalog = known.indexed(&weir)?;
    let arguments = json!({"names": args.names, "detail": args.detail, "path": args.path});
    let text = ask(&catalog, DESCRIBE, &arguments)?;
    let told: Told = read(&text, "give 1 to 10 names")?;
    let verdict = if told.missing.is_empty() { Answer::Yes } else { Answer::No };
    if console.json() {
        let tools: Vec<Value> = told.tools.iter().map(Tool::json).collect();
        console
            .value(&json!({"tools": tools, "missing": told.missing, "left_out": told.left_out}))?;
        return Ok(verdict);
    }
    for (at, tool) in told.tools.iter().enumerate() {
        if at > 0 {
            console.line("")?;
        }
        tool.show(console)?;
    }
    for Missing { name, error, unavailable, near } in &told.missing {
        let why = unavailable.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        console.line(
            format_args!("{name}: {error}{why} {}", near.join(", ")).to_string().trim_end(),
        )?;
    }
    if !told.left_out.is_empty() {
        let names = told.left_out.join(",");
        console.note(format_args!("no room for {names}: ask for them in another call"));
    }
    Ok(verdict)
}

impl Tool {
    fn json(&self) -> Value {
        let mut value = json!({
            "name": self.name, "server": self.server, "description": self.description,
            "clipped": self.description_clipped, "risk": self.risk, "unavailable": self.unavailable,
            "schema": self.schema,
        });
        let (key, arguments) = match (&self.parameters, &self.arguments, self.schema_chars) {
            (Some(exact), ..) => ("exact_schema", json!(exact)),
            (None, Some(signature), Some(chars)) => {
                ("too_long", json!({"chars": chars, "signature": signature, "paths": self.paths}))
            }
            (None, Some(signature), None) => ("signature", json!(signature)),
            (None, None, _) if !self.paths.is_empty() => {
                ("no_such_path", json!({"there_are": self.paths}))
            }
            _ => return value,
        };
        value[key] = arguments;
        value
    }

    fn show(&self, console: &Console) -> Result<(), Failure> {
        let server = if self.server.is_empty() { "" } else { &format!("  {}", self.server) };
        let state = state(self.unavailable.as_deref());
        console.line(format_args!("{}{server}  {}{state}", self.name, self.risk))?;
        if !self.description.is_empty() {
            console.line(&self.description)?;
        }
        match (&self.parameters, &self.arguments, self.schema_chars) {
            (Some(exact), ..) => console.line(exact),
            (None, Some(signature), Some(chars)) => {
                console.line(signature)?;
                console.line(format_args!("The schema has {chars} characters. Parts:"))?;
                for path in &self.paths {
                    console.line(format_args!("  --path {path}"))?;
                }
                Ok(())
            }
            (None, Some(signature), None) => console.line(signature),
            (None, None, _) if !self.paths.is_empty() => {
                console.line(format_args!("no such place; there are: {}", self.paths.join(", ")))
            }
            _ => Ok(()),
        }
    }
}
