//! A strategy is a program that speaks JSON lines; CONTRIBUTING.md is its specification.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::meter::{digest, tokens};

/// The strategy that all others are compared with.
pub(crate) const CONTROL: &str = "whole";

/// An entry of the file of strategies.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Entry {
    /// The name in the tables.
    pub(crate) name: String,
    /// What it does, in one line.
    pub(crate) about: String,
    /// Why it loses where it does, and the setting that avoids it, by part.
    #[serde(default)]
    pub(crate) avoid: HashMap<String, String>,
    /// The program and its arguments; `{python}` is this machine's Python, `{folder}` where the file of strategies lies.
    pub(crate) command: Vec<String>,
    /// Which parts it takes part in: `results`, `tools`.
    pub(crate) parts: Vec<String>,
}

/// What came back, with what it costs to show it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// The reply, without `shown`.
    pub(crate) reply: Value,
    /// What the model sees.
    pub(crate) shown: Rc<str>,
    /// Its tokens.
    pub(crate) tokens: usize,
    /// Tokens of the call as a model writes it.
    pub(crate) call: usize,
}

impl Answer {
    /// Whether a field of the reply is true.
    #[must_use]
    pub(crate) fn is(&self, field: &str) -> bool {
        self.reply[field] == true
    }
}

/// A running strategy.
pub(crate) struct Strategy {
    /// Its entry.
    pub(crate) entry: Entry,
    /// What it says of itself.
    pub(crate) version: String,
    /// The digest of its program and files.
    pub(crate) digest: String,
    /// Tokens of the tools that a model must be shown to read back.
    pub(crate) definitions: usize,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    known: HashMap<String, Rc<Answer>>,
}

impl Strategy {
    /// Starts it. The error is why it cannot take part here.
    ///
    /// # Errors
    /// When the program does not start, breaks the protocol, or says that something is missing.
    pub(crate) fn start(entry: &Entry, folder: &Path) -> Result<Strategy, String> {
        let place = |word: &String| {
            let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
            word.replace("{python}", &python).replace("{folder}", &folder.to_string_lossy())
        };
        let words: Vec<String> = entry.command.iter().map(place).collect();
        let (program, arguments) = words.split_first().ok_or("it has no command")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("it has no standard streams".to_owned());
        };
        let mut strategy = Strategy {
            entry: entry.clone(),
            version: String::new(),
            digest: String::new(),
            definitions: 0,
            child,
            input,
            output: BufReader::new(output),
            known: HashMap::new(),
        };
        let hello = strategy.ask(&json!({"op": "hello"}))?.reply.clone();
        if let Some(why) = hello["unavailable"].as_str() {
            return Err(why.to_owned());
        }
        strategy.version = hello["version"].as_str().unwrap_or("").to_owned();
        strategy.definitions = definitions(&hello["definitions"]);
        let mut files = Vec::new();
        let of_it = hello["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for path in words.iter().map(String::as_str).chain(of_it) {
            if let Ok(bytes) = std::fs::read(path) {
                files.extend_from_slice(digest(&bytes).as_bytes());
            }
        }
        strategy.digest = digest(&files);
        Ok(strategy)
    }

    /// Puts a question; the same one is put once.
    ///
    /// # Errors
    /// When the strategy ends or breaks the protocol: it is then out of the run.
    pub(crate) fn ask(&mut self, request: &Value) -> Result<Rc<Answer>, String> {
        let line = request.to_string();
        let key = digest(line.as_bytes());
        if let Some(known) = self.known.get(&key) {
            return Ok(Rc::clone(known));
        }
        writeln!(self.input, "{line}").map_err(|error| error.to_string())?;
        let mut reply = String::new();
        let read = self.output.read_line(&mut reply).map_err(|error| error.to_string())?;
        if read == 0 {
            return Err(format!("{} ended at {}", self.entry.name, request["op"]));
        }
        let mut reply: Value = serde_json::from_str(&reply)
            .map_err(|error| format!("{}: {error}", self.entry.name))?;
        if let Some(why) = reply["error"].as_str() {
            return Err(format!("{} at {}: {why}", self.entry.name, request["op"]));
        }
        let shown = reply.get_mut("shown").map(Value::take);
        let shown = shown.as_ref().and_then(Value::as_str).unwrap_or("");
        let call = reply["call"].as_str().map_or(0, tokens);
        let answer = Rc::new(Answer { tokens: tokens(shown), shown: shown.into(), call, reply });
        self.known.insert(key, Rc::clone(&answer));
        Ok(answer)
    }

    /// Forgets what was asked: the next result has another text.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }
}

impl Drop for Strategy {
    fn drop(&mut self) {
        // It may have children of its own and files to remove: it is told first, by the end of its input.
        let _ = writeln!(self.input, "{}", json!({"op": "end"}));
        let _ = self.output.read_line(&mut String::new());
        let _ = self.child.wait();
    }
}

/// Tokens of tool definitions as endpoints frame them.
#[must_use]
pub(crate) fn definitions(tools: &Value) -> usize {
    tools.as_array().into_iter().flatten().map(definition).sum()
}

/// Tokens of one definition.
#[must_use]
pub(crate) fn definition(tool: &Value) -> usize {
    let parameters =
        if tool["inputSchema"].is_null() { &tool["parameters"] } else { &tool["inputSchema"] };
    let function =
        json!({"name": tool["name"], "description": tool["description"], "parameters": parameters});
    tokens(&json!({"type": "function", "function": function}).to_string())
}
