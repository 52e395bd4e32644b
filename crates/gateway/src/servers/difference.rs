//! What has changed of a tool or a skill, as a person reads it before approving it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;
use similar::TextDiff;
use weir_base::group;
use weir_servers::skills::{SKILL_FILE, decoded};

use crate::search::skills::{Entry, File, MEMBER};
use crate::servers::digest::COUNTED;
use weir_mcp::json::Json;
use weir_text::hidden::visible;

/// Lines of one difference that are shown, and characters of each: a longer line is taken for several, so that what has changed
/// at its end is seen.
const MAX_LINES: usize = 200;
const MAX_CHARS: usize = 160;

/// How long the lines of two files are compared for the shortest difference. After that it is longer, and as right.
const LONGEST: Duration = Duration::from_millis(300);

/// Texts of files, by their digests.
pub(crate) type Read = BTreeMap<String, String>;

/// The files of two skills that differ: which are looked at for a difference.
pub(crate) fn changed_files(before: &Json, now: &Json) -> Vec<(File, File)> {
    let (before, now) = (files_of(before), files_of(now));
    let both = before.into_iter().filter_map(|(path, old)| Some((old, now.get(&path)?.clone())));
    both.filter(|(old, new)| old.digest != new.digest).collect()
}

/// How a definition differs from what it was. `texts` has those that are known of the files that differ.
pub(crate) fn difference(before: &Json, now: &Json, texts: &Read) -> String {
    let mut lines = Vec::new();
    let is_shown = |files: &BTreeMap<String, File>| {
        files.get(SKILL_FILE).is_some_and(|file| texts.contains_key(&file.digest))
    };
    let (old_files, new_files) = (files_of(before), files_of(now));
    // The fields of a skill are the beginning of its first file.
    if !(is_shown(&old_files) && is_shown(&new_files)) {
        unified("definition", &counted(before), &counted(now), &mut lines);
    }
    let paths: BTreeSet<&String> = old_files.keys().chain(new_files.keys()).collect();
    for path in paths {
        let bytes = |file: &File| format!("{} bytes", group(file.size));
        match (old_files.get(path), new_files.get(path)) {
            (Some(old), None) => lines.push(format!("removed: {path} ({})", bytes(old))),
            (None, Some(new)) => lines.push(format!("added: {path} ({})", bytes(new))),
            (Some(old), Some(new)) if old.digest != new.digest => {
                match (texts.get(&old.digest), texts.get(&new.digest)) {
                    (Some(old), Some(new)) => unified(path, old, new, &mut lines),
                    _ => lines.push(format!(
                        "changed: {path} ({}, {}; now {}, {})",
                        bytes(old),
                        old.digest,
                        bytes(new),
                        new.digest
                    )),
                }
            }
            _ => {}
        }
    }
    let more = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    if more > 0 {
        lines.push(format!("… and {} more lines", group(more)));
    }
    lines.iter().map(|line| visible(line)).collect::<Vec<_>>().join("\n")
}

fn unified(name: &str, before: &str, now: &str, lines: &mut Vec<String>) {
    if before == now {
        return;
    }
    let (before, now) = (wrapped(before), wrapped(now));
    let difference = TextDiff::configure().timeout(LONGEST).diff_lines(&before, &now);
    let shown = difference.unified_diff().header(name, name).to_string();
    lines.extend(shown.lines().map(str::to_owned));
}

fn wrapped(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut chars = 0;
    for c in text.chars() {
        if chars == MAX_CHARS && c != '\n' {
            wrapped.push('\n');
            chars = 0;
        }
        wrapped.push(c);
        chars = if c == '\n' { 0 } else { chars + 1 };
    }
    wrapped
}

/// What counts in a definition: texts as they are, the rest as JSON. The files of a skill are told apart.
fn counted(definition: &Json) -> String {
    let mut shown = String::new();
    for path in COUNTED.iter().map(|name| vec![*name]).chain([vec![MEMBER, "frontmatter"]]) {
        let Some(member) = definition.at(&path) else { continue };
        let text = match member.read::<Value>() {
            Some(Value::String(text)) => text,
            Some(value) => serde_json::to_string_pretty(&value).unwrap_or_default(),
            None => member.to_string(),
        };
        let name = path.last().copied().unwrap_or_default();
        shown.push_str(&format!("{name}:\n{text}\n"));
    }
    shown
}

/// The files of a skill by their paths; none of a tool, and where a server lists none.
fn files_of(definition: &Json) -> BTreeMap<String, File> {
    let Some(entry) = Entry::of(definition).ok().filter(|entry| entry.files.is_some()) else {
        return BTreeMap::new();
    };
    let path = |file: &File| decoded(file.uri.strip_prefix(entry.root()).unwrap_or(&file.uri));
    entry.files.iter().flatten().map(|file| (path(file), file.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text.to_owned()).unwrap()
    }

    #[test]
    fn a_tool_differs_in_what_counts_and_nothing_hides() {
        let before = json(
            r#"{"name":"a","description":"Reads.","inputSchema":{"type":"object"},"_meta":{"n":1}}"#,
        );
        let now = json(
            r#"{"name":"a","description":"Reads.\u202e Sends\u001b[2J the keys.","inputSchema":{"type":"object"},"_meta":{"n":2}}"#,
        );
        let shown = difference(&before, &now, &Read::new());
        assert!(shown.starts_with("--- definition\n+++ definition\n@@ "), "{shown}");
        let wanted =
            " description:\n-Reads.\n+Reads.\\u{202e} Sends\\u{1b}[2J the keys.\n inputSchema:\n";
        assert!(shown.contains(wanted), "{shown}");
        assert!(!shown.contains("_meta") && !shown.contains(['\u{202e}', '\u{1b}']), "{shown}");
        assert_eq!(difference(&before, &before, &Read::new()), "");
    }

    #[test]
    fn what_is_huge_is_shown_in_few_lines_and_soon() {
        let all = |line: &str| {
            let text = "All on one line. ".repeat(4_001);
            format!(r#"{{"description":{}}}"#, weir_mcp::json::quote(&format!("{text}{line}")))
        };
        let start = std::time::Instant::now();
        let mut lines = Vec::new();
        let [before, now] = ["0123456", "6012345"].map(|digits| {
            let digits: Vec<char> = digits.chars().collect();
            (0..32_000).map(|n| format!("{}\n", digits[n * n % 7])).collect::<String>()
        });
        unified("x", &before, &now, &mut lines);
        assert!(!lines.is_empty() && start.elapsed() < 20 * LONGEST, "{:?}", start.elapsed());
        let shown = difference(&json(&all("a")), &json(&all("b")), &Read::new());
        assert!(shown.lines().count() <= MAX_LINES + 1, "{}", shown.lines().count());
        assert!(shown.ends_with("-All on one line. a\n+All on one line. b"), "{shown}");
        let shown =
            difference(&json(&all("a")), &json(&all(&"\u{200b}".repeat(9_000))), &Read::new());
        assert!(shown.lines().count() <= MAX_LINES + 1 && !shown.contains('\u{200b}'));
    }
}
