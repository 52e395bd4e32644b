//! The outline of a unified diff: which files, and how much changes in each.

use super::{List, OUTLINE_LINE_CHARS, Outline};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::each_line;
use crate::content::show::one_line;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

#[derive(Default)]
struct File {
    name: String,
    line: u64,
    hunks: u64,
    added: u64,
    removed: u64,
}

/// The numbers of old and new lines in a hunk, from `@@ -1,5 +1,7 @@`; a missing one is 1.
fn hunk(line: &[u8]) -> Option<(u64, u64)> {
    let text = std::str::from_utf8(line.get(..line.len().min(80))?).ok()?;
    let mut parts = text.strip_prefix("@@ -")?.split(' ');
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok());
    let old = count(parts.next()?)?;
    let new = count(parts.next()?.strip_prefix('+')?)?;
    Some((old, new))
}

pub(super) fn unified(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    const KEEP: usize = 300;
    let mut files = List::new("files");
    let (mut added, mut removed) = (0, 0);
    let mut file: Option<File> = None;
    // Lines that the hunk at hand still has: only there do `+` and `-` mean a change.
    let (mut old, mut new) = (0u64, 0u64);
    // A log with patches has a file as often as it changes.
    let mut names = std::collections::BTreeSet::new();
    let mut finish = |file: Option<File>| {
        let Some(file) = file.filter(|file| !file.name.is_empty()) else { return };
        names.insert(file.name.clone());
        added += file.added;
        removed += file.removed;
        files.push(|| {
            format!(
                "{}: {} +{} -{} in {}",
                file.line,
                one_line(&file.name, OUTLINE_LINE_CHARS),
                thousands(file.added),
                thousands(file.removed),
                counted(file.hunks, "hunk")
            )
        });
    };
    each_line(source, KEEP, |line| {
        let text = line.prefix;
        // A count may promise more lines than there are: what can be no line of a hunk ends it.
        if !matches!(text.first(), None | Some(b' ' | b'+' | b'-' | b'\\')) {
            (old, new) = (0, 0);
        }
        if old > 0 || new > 0 {
            let current = file.get_or_insert_default();
            match text.first() {
                Some(b'+') => {
                    current.added += 1;
                    new = new.saturating_sub(1);
                }
                Some(b'-') => {
                    current.removed += 1;
                    old = old.saturating_sub(1);
                }
                Some(b'\\') => {}
                _ => {
                    old = old.saturating_sub(1);
                    new = new.saturating_sub(1);
                }
            }
            return;
        }
        if let Some(counts) = hunk(text) {
            (old, new) = counts;
            file.get_or_insert_default().hunks += 1;
        } else if text.starts_with(b"diff --git ") {
            finish(file.take());
            let name = String::from_utf8_lossy(&text[11..]);
            let name = name.rsplit_once(" b/").map_or(&*name, |(_, name)| name).trim().to_owned();
            file = Some(File { name, line: line.number, ..File::default() });
        } else if text.starts_with(b"--- ") {
            // Starts a file of its own unless a `diff` line has.
            if file.as_ref().is_some_and(|file| file.hunks > 0) {
                finish(file.take());
            }
            let current = file.get_or_insert_default();
            if current.name.is_empty() {
                current.line = line.number;
                current.name = name(&text[4..]);
            }
        } else if let Some(path) = text.strip_prefix(b"+++ ") {
            let current = file.get_or_insert_default();
            let path = name(path);
            if path != "/dev/null" {
                current.name = path;
            }
        }
    })?;
    finish(file.take());
    let mut what = counted(names.len() as u64, "file");
    if files.all > names.len() as u64 {
        what = format!("{what} in {}", counted(files.all, "change"));
        files.title = "changes of files".to_owned();
    }
    let detail = format!(
        "{what}, +{} -{} in {}",
        thousands(added),
        thousands(removed),
        counted(measure.lines, "line")
    );
    Ok(Outline { detail, list: files, ..Outline::default() })
}

/// A path as a diff gives it: without `a/` or `b/`, and what follows a tab.
fn name(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    let path = path.split('\t').next().unwrap_or_default().trim();
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path).to_owned()
}
