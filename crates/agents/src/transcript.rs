//! Recorded sessions of agents: what the tools in them gave back.

use std::collections::BTreeMap;

use serde_json::Value;

/// The result of a tool in a recorded session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The name of the tool, where the recording has it.
    pub tool: Option<String>,
    /// Its text.
    pub text: String,
    /// Turns of the model after it: the result is sent again with each.
    pub turns: usize,
}

/// The results of tools in a recording of any of the known formats: Claude Code (`tool_result`), Codex
/// (`function_call_output`), OpenAI chat (`role: tool`) and `role: toolResult`. It may be one JSON value, or one a line.
pub fn results(recording: &str) -> Vec<Recorded> {
    let whole: Option<Value> = serde_json::from_str(recording).ok();
    let lines = || recording.lines().filter_map(|line| serde_json::from_str(line).ok());
    let entries: Vec<Value> = whole.map_or_else(|| lines().collect(), |one| vec![one]);
    let mut session = Session::default();
    entries.iter().for_each(|entry| session.walk(entry));
    let all = session.turns;
    let mut found = session.found;
    found.iter_mut().for_each(|result| result.turns = all - result.turns);
    found
}

/// What was read so far.
#[derive(Default)]
struct Session {
    turns: usize,
    /// The tools of calls, by the ids of these.
    tools: BTreeMap<String, String>,
    /// With the turns before each.
    found: Vec<Recorded>,
}

impl Session {
    fn walk(&mut self, value: &Value) {
        let (kind, role) = (value["type"].as_str(), value["role"].as_str());
        let body = match (kind, role) {
            (Some("tool_result"), _) | (_, Some("tool" | "toolResult")) => &value["content"],
            (Some("function_call_output"), _) => &value["output"],
            _ => &Value::Null,
        };
        if !body.is_null() {
            let text = match body {
                Value::String(text) => text.clone(),
                Value::Array(parts) => {
                    let texts = parts.iter().filter_map(|part| part["text"].as_str());
                    texts.collect::<Vec<_>>().join("\n")
                }
                _ => String::new(),
            };
            let named = value["toolName"].as_str().or_else(|| value["name"].as_str());
            let id = text_of(value, &["tool_use_id", "call_id", "tool_call_id"]);
            let tool = named.or_else(|| self.tools.get(id?).map(String::as_str));
            let tool = tool.map(str::to_owned);
            self.found.push(Recorded { tool, text, turns: self.turns });
            return;
        }
        if role == Some("assistant") || kind == Some("function_call") {
            self.turns += 1;
        }
        let name = value["name"].as_str().or_else(|| value["function"]["name"].as_str());
        if let (Some(id), Some(name)) = (text_of(value, &["call_id", "id"]), name) {
            // Codex has the server of a tool apart from its name.
            let name = match value["namespace"].as_str().filter(|space| !space.is_empty()) {
                Some(space) => format!("{}__{name}", space.trim_end_matches('_')),
                None => name.to_owned(),
            };
            self.tools.insert(id.to_owned(), name);
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.walk(item)),
            Value::Object(members) => members.values().for_each(|item| self.walk(item)),
            _ => {}
        }
    }
}

fn text_of<'a>(value: &'a Value, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| value[*key].as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(tool: &str, text: &str, turns: usize) -> Recorded {
        Recorded { tool: Some(tool.into()), text: text.into(), turns }
    }

    #[test]
    fn results_of_all_formats_are_read_with_their_tools_and_the_turns_after_them() {
        let claude = r#"{"message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"mcp__a__b"}]}}
no JSON
{"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"one"}]}]}}
{"message":{"role":"assistant","content":"done"}}"#;
        assert_eq!(results(claude), [result("mcp__a__b", "one", 1)]);
        let codex = r#"{"type":"response_item","payload":{"type":"function_call","name":"shell","call_id":"c"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"two"}}"#;
        assert_eq!(results(codex), [result("shell", "two", 0)]);
        for space in ["mcp__odd", "mcp__odd__"] {
            let apart = codex.replace(
                r#""name":"shell""#,
                &format!(r#""name":"list_rows","namespace":"{space}""#),
            );
            assert_eq!(results(&apart), [result("mcp__odd__list_rows", "two", 0)]);
        }
        let chat = r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"x","function":{"name":"get"}}]},{"role":"tool","tool_call_id":"x","content":"three"},{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}]}"#;
        assert_eq!(results(chat), [result("get", "three", 2)]);
        let other = r#"{"messages":[{"role":"toolResult","toolName":"read","content":[{"type":"text","text":"four"}]}]}"#;
        assert_eq!(results(other), [result("read", "four", 0)]);
        assert_eq!(results(r#"{"role":"tool","content":"x"}"#)[0].tool, None);
    }
}
