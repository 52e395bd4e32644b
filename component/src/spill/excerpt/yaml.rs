//! The outline of YAML: documents, items, keys, and the values that repeat.

use super::values::Values;
use super::{List, OUTLINE_LINE_CHARS, Outline};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::each_line;
use crate::content::show::one_line;
use crate::content::yaml::entry;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

/// Bytes of a line that are looked at.
const KEEP: usize = 300;

/// Keys that are told apart.
const KEYS: usize = 128;

#[derive(Default)]
struct Key {
    name: String,
    // How deep it is met first.
    indent: usize,
    times: u64,
    // How often it has a value of its own.
    valued: u64,
    values: Values,
}

pub(super) fn outline(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let (mut documents, mut open) = (0_u64, false);
    let (mut items, mut item_indent) = (0_u64, usize::MAX);
    let mut keys: Vec<Key> = Vec::new();
    // What stands in a block of text is none of its keys.
    let mut block: Option<usize> = None;
    each_line(source, KEEP, |line| {
        let text = line.prefix.strip_suffix(b"\r").unwrap_or(line.prefix);
        let indent = text.iter().take_while(|byte| **byte == b' ').count();
        let trimmed = text.trim_ascii();
        if trimmed.is_empty() || trimmed.starts_with(b"#") {
            return;
        }
        if block.is_some_and(|block| indent > block) {
            return;
        }
        block = None;
        if text.starts_with(b"---") || trimmed == b"..." {
            open = false;
            return;
        }
        documents += u64::from(!open);
        open = true;
        let Some(entry) = entry(text) else { return };
        if entry.is_item {
            if indent < item_indent {
                (items, item_indent) = (0, indent);
            }
            items += u64::from(indent == item_indent);
        }
        if matches!(entry.value.first(), Some(b'|' | b'>')) {
            block = Some(indent);
        }
        if entry.key.is_empty() {
            return;
        }
        let name = String::from_utf8_lossy(entry.key);
        let name = name.trim_matches(['"', '\'']);
        let at = match keys.iter().position(|key| key.name == name) {
            Some(at) => at,
            None if keys.len() < KEYS => {
                keys.push(Key { name: name.to_owned(), indent: entry.indent, ..Key::default() });
                keys.len() - 1
            }
            None => return,
        };
        let key = &mut keys[at];
        key.times += 1;
        key.indent = key.indent.min(entry.indent);
        if !entry.value.is_empty()
            && !matches!(entry.value.first(), Some(b'|' | b'>' | b'{' | b'['))
        {
            let value = entry.value;
            let quoted =
                value.len() > 1 && value[0] == value[value.len() - 1] && b"\"'".contains(&value[0]);
            key.valued += 1;
            key.values.push(if quoted { &value[1..value.len() - 1] } else { value });
        }
    })?;
    let mut detail =
        format!("{}, YAML: {}", counted(measure.lines, "line"), counted(documents, "document"));
    if items > 0 {
        detail.push_str(&format!(", {} in its outermost list", counted(items, "item")));
    }
    let outermost: Vec<String> = keys
        .iter()
        .filter(|key| key.indent == 0)
        .take(24)
        .map(|key| match key.times {
            1 => one_line(&key.name, 60),
            times => format!("{} ({})", one_line(&key.name, 60), thousands(times)),
        })
        .collect();
    let mut lines = Vec::new();
    if !outermost.is_empty() {
        let names = one_line(&outermost.join(", "), 3 * OUTLINE_LINE_CHARS);
        lines.push(format!("--- outermost keys: {names} ---"));
    }
    let mut list = List::new("keys with values that repeat");
    for key in keys.iter().filter(|key| key.valued >= 3 && key.values.repeats()) {
        list.push(|| {
            one_line(&format!("{}: {}", key.name, key.values.words()), OUTLINE_LINE_CHARS)
        });
    }
    Ok(Outline { detail, lines, list })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_items_keys_and_states_are_counted() {
        let pods: String = (0..60)
            .map(|n| {
                let phase = ["Running", "Running", "Pending"][n % 3];
                format!(
                    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-{n}\n  note: |\n    phase: none\nspec:\n  \
                     containers:\n  - name: main\nstatus:\n  phase: {phase}\n---\n"
                )
            })
            .collect();
        let outline =
            outline(&pods.as_bytes(), &crate::spill::measure::Measurer::of(pods.as_bytes()))
                .unwrap();
        assert_eq!(outline.detail, "720 lines, YAML: 60 documents, 60 items in its outermost list");
        assert_eq!(
            outline.lines,
            [
                "--- outermost keys: apiVersion (60), kind (60), metadata (60), spec (60), status (60) ---"
            ]
        );
        assert_eq!(
            outline.list.lines,
            [
                "apiVersion: 1 distinct: v1 60",
                "kind: 1 distinct: Pod 60",
                "phase: 2 distinct: Running 40, Pending 20"
            ]
        );
    }
}
