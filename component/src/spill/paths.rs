//! The paths and words that a call's arguments name.

use serde_json::Value;

use crate::sort::sort_by_key;

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

/// The commands in the arguments: in texts and lists of words under their names, and in a program with its list. Arguments that are
/// no JSON are taken for one.
pub(super) fn commands(arguments: &str) -> Vec<Vec<String>> {
    if arguments.len() > MAX_BYTES {
        return Vec::new();
    }
    let Ok(root) = serde_json::from_str::<Value>(arguments) else {
        return programs(arguments);
    };
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![&root];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                open.extend(fields.values());
                let is_named = |name: &str| COMMANDS.iter().any(|c| name.eq_ignore_ascii_case(c));
                let mut named: Vec<&Value> = fields
                    .iter()
                    .filter(|(name, _)| is_named(name))
                    .map(|(_, value)| value)
                    .collect();
                // The program before its list.
                sort_by_key(&mut named, |value| value.is_array());
                let lines: Vec<String> = named.into_iter().map(line).collect();
                found.extend((lines.len() > 1).then(|| lines.join(" ")));
                found.extend(lines);
            }
            _ => {}
        }
    }
    found.iter().flat_map(|line| programs(line)).collect()
}

/// A text, or a list of texts as a shell would take it.
fn line(value: &Value) -> String {
    let word = |word: &Value| format!("'{}'", word.as_str().unwrap_or_default());
    let list = |items: &Vec<Value>| items.iter().map(word).collect::<Vec<_>>().join(" ");
    value.as_str().map_or_else(|| value.as_array().map(list).unwrap_or_default(), str::to_owned)
}

/// Words after which another program may stand.
const RUN: &str = " sudo doas exec run ssh xargs timeout time nohup nice env sh bash zsh command watch then do else ! { -- ";

/// Programs that a call may run, and words of each, that are looked at.
const MAX_PROGRAMS: usize = 2_000;
const MAX_WORDS: usize = 64;

/// What a line runs: each program with its arguments.
fn programs(text: &str) -> Vec<Vec<String>> {
    let (mut found, mut open) = (Vec::new(), vec![text.to_owned()]);
    while let Some(text) = open.pop().filter(|_| found.len() < MAX_PROGRAMS) {
        for words in simple(&text) {
            let words: Vec<String> =
                words.into_iter().skip_while(|word| word.contains('=')).take(MAX_WORDS).collect();
            let runs = |word: &String| RUN.contains(&format!(" {} ", name(word)));
            let first = words.iter().position(runs).unwrap_or(words.len());
            let starts = (0..words.len()).filter(|at| *at == 0 || *at > first);
            found.extend(starts.map(|at| words[at..].to_vec()));
            let quoted = words.iter().skip(first).filter(|word| word.contains(char::is_whitespace));
            open.extend(quoted.cloned());
        }
    }
    found.truncate(MAX_PROGRAMS);
    found
}

/// A program without its folder.
fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Whether a command is what a pattern describes: a program, and words in this order among its arguments, with others between; `$`
/// where nothing but options follows.
pub(super) fn is_command(
    pattern: &str,
    words: &[String],
    matches: impl Fn(&str, &str) -> bool,
) -> bool {
    let matches = |glob: &str, word: &str| match glob.contains(['*', '?']) {
        true => matches(glob, word),
        false => glob == word,
    };
    let mut wanted = pattern.split_whitespace();
    let mut words = words.iter();
    let program = words.next().map_or("", |word| name(word)).to_lowercase();
    wanted.next().is_some_and(|glob| matches(glob, &program))
        && wanted.all(|glob| match glob {
            "$" => words.all(|word| word.starts_with('-') && word.len() < 3),
            glob => words.any(|word| matches(glob, word)),
        })
}

/// The commands of a line as words. Quotes hold words together; what is in a substitution is a command of its own.
fn simple(text: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words) = (vec![Vec::new()], String::new());
    let mut quote = None;
    for c in text.chars().chain(['\n']) {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (c, Some('\'')) => words.push(c),
            (c, Some(_)) if !matches!(c, '`' | '(' | ')') => words.push(c),
            (c, _) if c.is_whitespace() || "|&;()`<>".contains(c) => {
                let word = std::mem::take(&mut words);
                let last = commands.last_mut().filter(|_| !word.is_empty());
                last.into_iter().for_each(|command| command.push(word.clone()));
                if c == '\n' || "|&;()`".contains(c) {
                    commands.push(Vec::new());
                }
            }
            (c, _) => words.push(c),
        }
    }
    commands
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
