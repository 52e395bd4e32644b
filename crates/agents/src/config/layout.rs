//! What a file has around its text: a byte order mark, and ends of lines.

use similar::{Algorithm, ChangeTag, DiffTag, TextDiff, capture_diff_slices};

/// Characters of a line that are shown: some files have all in one.
const LINE_CHARS: usize = 2_000;

const BOM: char = '\u{feff}';

/// Whether a text begins with a byte order mark, and the rest with `\n` alone.
pub(super) fn plain(text: &str) -> (bool, String) {
    let bare = text.strip_prefix(BOM);
    (bare.is_some(), bare.unwrap_or(text).replace("\r\n", "\n"))
}

/// Gives an edited text the mark and the ends of lines of the text that it was made from: a line that
/// is still there ends as it did, a new one as most lines do.
pub(super) fn restored(original: &str, edited: &str) -> String {
    let (bom, before) = plain(original);
    let mut out = String::with_capacity(original.len() + edited.len());
    if bom {
        out.push(BOM);
    }
    let body = original.strip_prefix(BOM).unwrap_or(original);
    let crlf = body.matches("\r\n").count();
    if crlf == 0 {
        out.push_str(edited);
        return out;
    }
    let all = body.matches('\n').count();
    if crlf == all {
        out.push_str(&edited.replace('\n', "\r\n"));
        return out;
    }
    // Mixed.
    let usual = if crlf * 2 > all { "\r\n" } else { "\n" };
    let ends: Vec<&str> = body
        .split_inclusive('\n')
        .map(|line| if line.ends_with("\r\n") { "\r\n" } else { "\n" })
        .collect();
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = edited.split_inclusive('\n').collect();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (tag, from, to) = op.as_tag_tuple();
        for (nth, line) in new[to].iter().enumerate() {
            let end = if tag == DiffTag::Equal { ends[from.start + nth] } else { usual };
            match line.strip_suffix('\n') {
                Some(line) => {
                    out.push_str(line);
                    out.push_str(end);
                }
                None => out.push_str(line),
            }
        }
    }
    out
}

/// The differences of two texts as people read them: a line each, with `-`, `+` or a space before it,
/// three lines around each difference. `hide` is applied to every line that is shown, before its end is cut off where it
/// is long.
pub fn differences(before: &str, after: &str, hide: &dyn Fn(&str) -> String) -> String {
    let (_, before) = plain(before);
    let (_, after) = plain(after);
    let diff = TextDiff::from_lines(&before, &after);
    let mut out = String::new();
    for (nth, group) in diff.grouped_ops(3).iter().enumerate() {
        if nth > 0 {
            out.push_str("  ...\n");
        }
        for op in group {
            for change in diff.iter_changes(op) {
                let sign = match change.tag() {
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                    ChangeTag::Equal => ' ',
                };
                let line = hide(change.value().trim_end_matches('\n'));
                out.push_str(&format!("{sign} {}\n", weir_base::clip(&line, LINE_CHARS)));
            }
        }
    }
    out
}

/// `now`, with the change from `after` to `before` made in it: what others changed in `after` since
/// stays. Nothing when both changed the same lines, or both put lines in at the same place.
pub(super) fn merged(after: &str, before: &str, now: &str) -> Option<String> {
    let base: Vec<&str> = after.split_inclusive('\n').collect();
    let ours: Vec<&str> = before.split_inclusive('\n').collect();
    let theirs: Vec<&str> = now.split_inclusive('\n').collect();
    let hunks = |side: &[&str]| -> Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> {
        capture_diff_slices(Algorithm::Myers, &base, side)
            .iter()
            .map(similar::DiffOp::as_tag_tuple)
            .filter(|(tag, _, _)| *tag != DiffTag::Equal)
            .map(|(_, from, to)| (from, to))
            .collect()
    };
    let (mine, other) = (hunks(&ours), hunks(&theirs));
    // Lines put in beside lines that were changed are before or after them.
    let apart = |a: &std::ops::Range<usize>, b: &std::ops::Range<usize>| {
        a.end < b.start
            || b.end < a.start
            || (a != b && (a.is_empty() || b.is_empty()) && (a.end == b.start || b.end == a.start))
    };
    if !mine.iter().all(|(a, _)| other.iter().all(|(b, _)| apart(a, b))) {
        return None;
    }
    let mut all: Vec<(std::ops::Range<usize>, &[&str])> = mine
        .iter()
        .map(|(from, to)| (from.clone(), &ours[to.clone()]))
        .chain(other.iter().map(|(from, to)| (from.clone(), &theirs[to.clone()])))
        .collect();
    all.sort_by_key(|(from, _)| (from.start, from.end));
    let mut out = String::new();
    let mut at = 0;
    for (from, lines) in all {
        out.extend(base[at..from.start].iter().copied());
        out.extend(lines.iter().copied());
        at = from.end;
    }
    out.extend(base[at..].iter().copied());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_holds_a_whole_file_is_cut_once_its_secrets_are_hidden() {
        let line = format!("{}secret{}", "a".repeat(LINE_CHARS - 6), "b".repeat(LINE_CHARS));
        let hide = |line: &str| line.replace("secret", "***");
        let shown = differences(&line, "new\n", &hide);
        assert_eq!(shown, format!("- {}***bb…\n+ new\n", "a".repeat(LINE_CHARS - 6)));
    }
}
