//! Converts tables in plain text (`kubectl`, `docker`, `ps`, `psql`, `mysql`, Markdown) to CSV, so that queries read
//! them as any other table.

use crate::source::{ReadError, Source};

/// Bytes of text that are read.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Rows in which gaps between columns are looked for.
const SAMPLE_ROWS: usize = 400;

/// Characters of a header: each place in it is checked in each row of the sample.
const MAX_HEADER_CHARS: usize = 4_096;

/// Lines of a legend above a header.
const LEGEND_LINES: usize = 10;

/// Rows that a table has at least.
const MIN_ROWS: usize = 2;

/// A table that was drawn as text.
pub(crate) struct Drawn {
    /// Its names and its rows.
    pub(crate) csv: Vec<u8>,
    /// Lines among its rows that do not fit its columns.
    pub(crate) unfit: usize,
}

/// The largest table of a text.
///
/// # Errors
/// Where the bytes cannot be read.
pub(crate) fn drawn(source: &dyn Source) -> Result<Option<Drawn>, ReadError> {
    if source.len() > MAX_BYTES {
        return Ok(None);
    }
    let bytes = source.read_range(0, source.len())?;
    let Ok(text) = std::str::from_utf8(&bytes) else { return Ok(None) };
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    Ok(ruled(&lines).or_else(|| aligned(&lines)))
}

/// Cells between signs: none of a line without any.
fn cells(line: &str) -> Option<Vec<String>> {
    let is_sign = |c: char| matches!(c, '|' | '│' | '┃' | '║');
    let line = line.trim();
    let inner = line.strip_prefix(is_sign).map_or(line, |rest| {
        rest.strip_suffix(is_sign).filter(|cells| !cells.ends_with('\\')).unwrap_or(rest)
    });
    let (mut found, mut escaped) = (vec![String::new()], false);
    for c in inner.chars() {
        match found.last_mut() {
            Some(_) if is_sign(c) && !escaped => found.push(String::new()),
            Some(last) => {
                if escaped && is_sign(c) {
                    last.pop();
                }
                last.push(c);
            }
            None => {}
        }
        escaped = c == '\\' && !escaped;
    }
    found.iter_mut().for_each(|cell| *cell = cell.trim().to_owned());
    (found.len() > 1).then_some(found)
}

/// Whether a line is nothing but a rule.
fn is_rule(line: &str) -> bool {
    let is_stroke = |c: char| matches!(c, '-' | '=' | '\u{2500}'..='\u{257f}');
    let is_other = |c: char| matches!(c, '+' | '|' | ':' | ' ' | '\t');
    line.chars().filter(|&c| is_stroke(c)).count() >= 2
        && line.chars().all(|c| is_stroke(c) || is_other(c))
}

/// The table with signs between cells and a rule below its header that has the most rows.
fn ruled(lines: &[&str]) -> Option<Drawn> {
    let mut best: Option<(Vec<Vec<String>>, usize)> = None;
    let mut at = 1;
    while at < lines.len() {
        let header = lines.get(at - 1).filter(|line| is_rule(lines[at]) && !is_rule(line));
        let Some(names) = header.and_then(|line| cells(line)) else {
            at += 1;
            continue;
        };
        let (count, mut unfit) = (names.len(), 0);
        let mut rows = vec![names];
        at += 1;
        while let Some(line) = lines.get(at) {
            match cells(line) {
                _ if is_rule(line) => {}
                Some(row) if row.len() == count => rows.push(row),
                Some(_) => unfit += 1,
                None => break,
            }
            at += 1;
        }
        if best.as_ref().is_none_or(|(known, _)| known.len() < rows.len()) {
            best = Some((rows, unfit));
        }
    }
    let (rows, unfit) = best.filter(|(rows, _)| rows.len() > MIN_ROWS)?;
    Some(Drawn { csv: csv(&rows), unfit })
}

/// The longest block of lines whose cells stand below each other.
fn aligned(lines: &[&str]) -> Option<Drawn> {
    let blocks = lines.split(|line| line.is_empty());
    let block = blocks.rev().max_by_key(|block| block.len())?;
    // What stands above a rule is the header, and above that a legend.
    let rule = block.iter().take(LEGEND_LINES).position(|line| is_rule(line)).unwrap_or(0);
    let block: Vec<Vec<char>> = block[rule.saturating_sub(1)..]
        .iter()
        .filter(|line| !is_rule(line))
        .map(|line| line.replace('\t', "        ").chars().collect())
        .collect();
    let (header, rows) = block.split_first()?;
    if rows.len() < MIN_ROWS || header.len() > MAX_HEADER_CHARS {
        return None;
    }
    let gaps = gaps(header, rows)?;
    let names = cut(header, &gaps)?;
    let is_name = |name: &String| {
        name.chars().any(|c| c.is_alphanumeric() || c == '%') && name.split(' ').count() < 4
    };
    let has_figures = |name: &String| name.chars().any(|c| c.is_ascii_digit());
    let with_figures = names.iter().filter(|name| has_figures(name)).count();
    let is_wide = names.len() > 2 || gaps.iter().any(|(start, end)| end - start > 1);
    if !names.iter().skip(1).all(is_name) || 2 * with_figures >= names.len() || !is_wide {
        return None;
    }
    let (count, mut unfit) = (names.len(), 0);
    let rows: Vec<Result<Vec<String>, String>> =
        rows.iter().map(|row| cut(row, &gaps).ok_or_else(|| row.iter().collect())).collect();
    // Where all cells but the last are words, a line that is wider than its columns is told by its words.
    let is_word = |cell: &String| !cell.contains(char::is_whitespace);
    let are_words = rows.iter().flatten().all(|row| row[..count - 1].iter().all(is_word));
    let mut all = vec![names];
    for row in &rows {
        let words = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let is_whole = words.len() == count || are_words && words.len() > count;
            let (cells, last) = words.split_at_checked(count - 1).filter(|_| is_whole)?;
            let last = last.join(" ");
            Some(cells.iter().map(|cell| (*cell).to_owned()).chain([last]).collect())
        };
        match row.clone().or_else(|line| words(&line).ok_or(())) {
            Ok(row) => all.push(row),
            Err(()) => unfit += 1,
        }
    }
    (2 * unfit < rows.len()).then(|| Drawn { csv: csv(&all), unfit })
}

/// Where columns end: signs that are blank in the header and in nearly all rows, from one up to before another.
fn gaps(header: &[char], rows: &[Vec<char>]) -> Option<Vec<(usize, usize)>> {
    let sample = &rows[..rows.len().min(SAMPLE_ROWS)];
    let width = header.len();
    let is_blank = |row: &[char], at: usize| row.get(at).is_none_or(|c| c.is_whitespace());
    let blank = |at: usize| {
        let blanks = sample.iter().filter(|row| is_blank(row, at)).count();
        is_blank(header, at) && 20 * blanks >= 19 * sample.len()
    };
    let mut gaps: Vec<(usize, usize)> = Vec::new();
    for at in (0..width).filter(|&at| blank(at)) {
        match gaps.last_mut() {
            Some((_, end)) if *end == at => *end += 1,
            _ => gaps.push((at, at + 1)),
        }
    }
    // What stands between two gaps has a name and cells; two words of a name have one column.
    let filled = |from: usize, to: usize| {
        sample.iter().any(|row| (from..to.min(row.len())).any(|at| !is_blank(row, at)))
    };
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (place, &(start, end)) in gaps.iter().enumerate() {
        let next = gaps.get(place + 1).map_or(usize::MAX, |gap| gap.0);
        if start > 0 && filled(end, next) {
            kept.push((start, end));
        }
    }
    (!kept.is_empty()).then_some(kept)
}

/// The cells of a line between these gaps; none where a cell goes on across one.
fn cut(line: &[char], gaps: &[(usize, usize)]) -> Option<Vec<String>> {
    let (mut cells, mut start) = (Vec::with_capacity(gaps.len() + 1), 0);
    let mut push = |from: usize, to: usize| {
        let cell: String = line.get(from..to.min(line.len())).unwrap_or_default().iter().collect();
        cells.push(cell.trim().to_owned());
    };
    for &(from, to) in gaps {
        let end = (from..to).find(|&at| line.get(at).is_none_or(|c| c.is_whitespace()))?;
        push(start, end);
        start = end;
    }
    push(start, line.len());
    Some(cells)
}

fn csv(rows: &[Vec<String>]) -> Vec<u8> {
    let mut csv = String::new();
    for row in rows {
        for (at, cell) in row.iter().enumerate() {
            csv.push_str(if at > 0 { "," } else { "" });
            match cell.contains([',', '"', '\r', '\'', ';', '\t', '#']) {
                true => csv.push_str(&format!("\"{}\"", cell.replace('"', "\"\""))),
                false => csv.push_str(cell),
            }
        }
        csv.push('\n');
    }
    csv.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<(String, usize)> {
        let drawn = drawn(&text.as_bytes()).unwrap()?;
        Some((String::from_utf8(drawn.csv).unwrap(), drawn.unfit))
    }

    #[test]
    fn cells_between_signs_are_those_of_the_largest_table() {
        let markdown = "# Report\n| a |\n|---|\n| 1 |\n\n| Name | Note |\n|:--|--:|\n| x | a \\| b |\n| y | 1,5 |\n| z | a | b |\n\nend";
        assert_eq!(of(markdown), Some(("Name,Note\nx,a | b\ny,\"1,5\"\n".to_owned(), 1)));
        let psql = " id | name \n----+------\n  1 | n 1\n  2 | \n(2 rows)\n";
        assert_eq!(of(psql), Some(("id,name\n1,n 1\n2,\n".to_owned(), 0)));
        let mysql =
            "+----+---+\n| id | v |\n+----+---+\n|  1 | a |\n|  2 | b |\n+----+---+\n2 rows in set";
        assert_eq!(of(mysql), Some(("id,v\n1,a\n2,b\n".to_owned(), 0)));
        let rich = "┏━━━━┳━━━┓\n┃ id ┃ v ┃\n┡━━━━╇━━━┩\n│ 1  │ a │\n│ 2  │ b │\n└────┴───┘";
        assert_eq!(of(rich), Some(("id,v\n1,a\n2,b\n".to_owned(), 0)));
    }

    #[test]
    fn cells_below_each_other_are_told_apart_by_what_is_blank() {
        let docker = "CONTAINER ID   IMAGE        STATUS\nab12           web:1        Up 2 hours\ncd34           a/long:tag   Exited (1) 3 days ago\n";
        let seen = "CONTAINER ID,IMAGE,STATUS\nab12,web:1,Up 2 hours\ncd34,a/long:tag,Exited (1) 3 days ago\n";
        assert_eq!(of(docker), Some((seen.to_owned(), 0)));
        let df = "Filesystem     1K-blocks    Used Use% Mounted on\n/dev/vda         1000000  400000  40% /\ntmpfs               5120       4   1% /run/lock\n";
        let seen = "Filesystem,1K-blocks,Used,Use%,Mounted on\n/dev/vda,1000000,400000,40%,/\ntmpfs,5120,4,1%,/run/lock\n";
        assert_eq!(of(df), Some((seen.to_owned(), 0)));
        let dpkg = "Desired=Unknown/Install\n|/ Err?=(none)\n||/ Name    Version  Description\n+++-=======-========-==========\nii  abc     1.0      a thing\nii  defg    2.10     another thing\n";
        let seen = "||/,Name,Version,Description\nii,abc,1.0,a thing\nii,defg,2.10,another thing\n";
        assert_eq!(of(dpkg), Some((seen.to_owned(), 0)));
        let pip = "Package    Version\n---------- -------\nabc        1.0\ndefghi     2.10\n";
        assert_eq!(of(pip), Some(("Package,Version\nabc,1.0\ndefghi,2.10\n".to_owned(), 0)));
    }

    #[test]
    fn a_line_across_a_gap_is_read_by_its_words_or_counted() {
        let row = |n: usize| format!("a{n:<5} {n:>4} is ok\n");
        let rows: String = (0..60).map(row).collect();
        let (csv, unfit) = of(&format!(
            "NAME     ID STATE\n{rows}much_too_long_name 7 is not\nshort-of-columns\n"
        ))
        .unwrap();
        assert_eq!((csv.lines().count(), unfit), (62, 1));
        assert!(csv.ends_with("a59,59,is ok\nmuch_too_long_name,7,is not\n"), "{csv}");
    }

    #[test]
    fn prose_and_lines_without_a_header_are_no_table() {
        assert_eq!(
            of("The cat sat on the mat.\nIt was a good mat, they said.\nNobody knew why.\n"),
            None
        );
        assert_eq!(of("4f2a 12 x\n5b3c 13 y\n6d4e 14 z\n"), None);
        let wide = format!("{}\n{}", "NAME   ID   ".repeat(100_000), "a b c\n".repeat(500));
        assert_eq!(of(&wide), None);
        for text in ["", "\n", "a", "|", "|-|\n|-|\n", "a b\n\n\n", "--- ---\n--- ---\n--- ---\n"] {
            assert_eq!(of(text), None, "{text:?}");
        }
    }
}
