//! The paths and words that a call's arguments name.

use serde_json::Value;

/// Bytes of arguments that are looked at. What is longer carries content, not names.
const MAX_BYTES: usize = 256 * 1024;

/// Bytes of one text that may be a path.
const PATH_MAX_BYTES: usize = 4_096;

/// The arguments that hold commands, in which every word may be a path.
const COMMANDS: [&str; 9] =
    ["command", "commands", "cmd", "script", "shell", "bash", "code", "args", "argv"];

/// One text in the arguments, and the name of the argument it stands under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) text: String,
}

/// Every text in the arguments, and every word of those that are commands. Arguments that are no
/// JSON are taken for a command.
pub(super) fn texts(arguments: &str) -> (Vec<Named>, Vec<String>) {
    let (mut texts, mut paths) = (Vec::new(), Vec::new());
    if arguments.len() > MAX_BYTES {
        return (texts, paths);
    }
    let Ok(root) = serde_json::from_str::<Value>(arguments) else {
        words(arguments, &mut paths);
        return (texts, paths);
    };
    let mut open: Vec<(&str, &Value)> = vec![("", &root)];
    while let Some((name, value)) = open.pop() {
        match value {
            Value::String(text) => {
                if text.len() <= PATH_MAX_BYTES {
                    paths.push(text.clone());
                }
                if COMMANDS.iter().any(|command| name.eq_ignore_ascii_case(command)) {
                    words(text, &mut paths);
                }
                texts.push(Named { name: name.to_owned(), text: text.clone() });
            }
            Value::Array(items) => open.extend(items.iter().map(|item| (name, item))),
            Value::Object(fields) => {
                open.extend(fields.iter().map(|(name, value)| (name.as_str(), value)));
            }
            Value::Number(number) => {
                texts.push(Named { name: name.to_owned(), text: number.to_string() });
            }
            Value::Bool(_) | Value::Null => {}
        }
    }
    (texts, paths)
}

/// The words of a command, as far as a path could be one.
fn words(text: &str, paths: &mut Vec<String>) {
    let is_between = |c: char| c.is_whitespace() || "'\"`|&;<>()[]{}=,:@".contains(c);
    let words = text.split(is_between).filter(|word| !word.is_empty());
    paths.extend(words.filter(|word| word.len() <= PATH_MAX_BYTES).map(str::to_owned));
}

/// Whether a path is what a pattern describes: its last parts, as many as the pattern has, or all
/// of it where the pattern has `**` or begins with `/`. Case does not count, as on some disks.
pub(super) fn is_path(pattern: &str, path: &str, matches: impl Fn(&str, &str) -> bool) -> bool {
    let path = match path.split_once("://") {
        Some((_, rest)) => rest.split(['?', '#']).next().unwrap_or(rest),
        None => path,
    };
    let path = path.trim().replace('\\', "/").to_lowercase();
    let pattern = pattern.to_lowercase();
    if pattern.contains("**") || pattern.starts_with('/') {
        let rooted = format!("/{}", path.trim_start_matches('/'));
        let pattern = format!("/{}", pattern.trim_start_matches('/'));
        return matches(&pattern.replace("/**/", "*/").replace("**", "*"), &rooted);
    }
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let wanted: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    let Some(from) = parts.len().checked_sub(wanted.len()) else { return false };
    !wanted.is_empty() && wanted.iter().zip(&parts[from..]).all(|(glob, part)| matches(glob, part))
}
