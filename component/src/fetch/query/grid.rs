//! Tables that are drawn as text: Markdown's, and those of psql and MySQL.
//!
//! ```text
//! | id | name |        id | name        +----+------+
//! |---:|------|       ----+------       | id | name |
//! |  1 | a    |         1 | a           +----+------+
//!                    (1 row)            |  1 | a    |
//!                                       +----+------+
//! ```
//!
//! A text is one only when nothing else stands in it and each row has as many cells as the header.

/// A table that is drawn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// The names of its columns, as they stand there.
    pub(super) columns: Vec<String>,
    /// Where the first row starts.
    pub(super) body: usize,
    style: Style,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Bars at both ends, a rule of bars below the header.
    Markdown,
    /// No bars at the ends, a rule with crosses below the header.
    Open,
    /// A frame of crosses and dashes.
    Framed,
}

/// What a line below the header is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'l> {
    /// A row, of so many cells as there are columns.
    Row(Vec<&'l str>),
    /// A line of the frame, a blank, or what says how many rows there are.
    Beside,
    /// Something else.
    Other,
}

impl Grid {
    /// The table that the start of a text is; `is_all` when that is the whole text.
    pub(super) fn of(sample: &str, is_all: bool) -> Option<Grid> {
        let whole = match sample.rfind('\n') {
            Some(last) if !is_all => &sample[..=last],
            _ => sample,
        };
        let mut at = 0;
        let mut lines = whole.split_inclusive('\n').map(|line| {
            at += line.len();
            (line.trim(), at)
        });
        let (mut header, _) = lines.by_ref().find(|(line, _)| !line.is_empty())?;
        let mut style = Style::Open;
        if is_frame(header) {
            style = Style::Framed;
            header = lines.next()?.0;
        }
        let (rule, body) = lines.next()?;
        if style == Style::Open && header.starts_with('|') && header.ends_with('|') {
            style = Style::Markdown;
        }
        let names = cells(header, style)?;
        let is_ruled = match style {
            Style::Framed => is_frame(rule) && rule.matches('+').count() == names.len() + 1,
            Style::Markdown => cells(rule, style)
                .is_some_and(|marks| marks.len() == names.len() && marks.into_iter().all(is_mark)),
            Style::Open => {
                rule.starts_with('-')
                    && rule.bytes().all(|b| matches!(b, b'-' | b'+'))
                    && rule.split('+').count() == names.len()
                    && names.len() > 1
            }
        };
        if !is_ruled || names.iter().any(|name| name.is_empty()) {
            return None;
        }
        let columns = names.into_iter().map(str::to_owned).collect();
        let grid = Grid { columns, body, style };
        let (mut rows, mut ended) = (0, false);
        for (line, _) in lines {
            match grid.line(line) {
                Line::Row(_) if ended || is_continued(line, style) => {
                    return None;
                }
                Line::Row(_) => rows += 1,
                Line::Beside => ended |= !is_frame(line),
                Line::Other => return None,
            }
        }
        (rows > 0).then_some(grid)
    }

    /// What a line below the header is.
    pub(super) fn line<'l>(&self, line: &'l str) -> Line<'l> {
        let line = line.trim();
        match cells(line, self.style) {
            Some(cells) if cells.len() == self.columns.len() => Line::Row(cells),
            _ if line.is_empty() || is_end(line) => Line::Beside,
            _ if self.style == Style::Framed && is_frame(line) => Line::Beside,
            _ => Line::Other,
        }
    }

    /// The text of a cell.
    pub(super) fn text(&self, cell: &str) -> String {
        match self.style {
            Style::Markdown => cell.replace("\\|", "|"),
            _ => cell.to_owned(),
        }
    }
}

/// Whether a cell goes on in the next line.
fn is_continued(line: &str, style: Style) -> bool {
    style == Style::Open && (line.ends_with('+') || line.contains("+|"))
}

/// The cells of a row.
fn cells(line: &str, style: Style) -> Option<Vec<&str>> {
    let inner = match style {
        Style::Open => Some(line).filter(|line| line.contains('|')),
        _ => line.strip_prefix('|').and_then(|line| line.strip_suffix('|')),
    }?;
    let mut cells = Vec::new();
    let (mut from, mut escaped) = (0, false);
    for (at, b) in inner.bytes().enumerate() {
        if b == b'|' && !escaped {
            cells.push(inner[from..at].trim());
            from = at + 1;
        }
        escaped = style == Style::Markdown && b == b'\\' && !escaped;
    }
    cells.push(inner[from..].trim());
    Some(cells)
}

/// Whether a line is one of a frame: `+----+------+`.
fn is_frame(line: &str) -> bool {
    line.len() > 2
        && line.starts_with('+')
        && line.ends_with('+')
        && line.bytes().all(|b| matches!(b, b'+' | b'-' | b'='))
}

/// Whether a cell of the rule below a header of Markdown is one: `:---:`.
fn is_mark(cell: &str) -> bool {
    let dashes = cell.strip_prefix(':').unwrap_or(cell);
    let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
    !dashes.is_empty() && dashes.bytes().all(|b| b == b'-')
}

/// Whether a line says how many rows there were, or how long they took: `(2 rows)`, `2 rows in set (0.00 sec)`.
fn is_end(line: &str) -> bool {
    let line = line.strip_prefix('(').unwrap_or(line);
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < line.len() && rest.starts_with(" row")) || line.starts_with("Time: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Option<(Vec<String>, Vec<Vec<String>>)> {
        let grid = Grid::of(text, true)?;
        let mut rows = Vec::new();
        for line in text[grid.body..].lines() {
            if let Line::Row(cells) = grid.line(line) {
                rows.push(cells.into_iter().map(|cell| grid.text(cell)).collect());
            }
        }
        Some((grid.columns, rows))
    }

    #[test]
    fn tables_of_three_kinds_are_read() {
        let markdown = "\n| id | name |\r\n|---:|:-----|\r\n| 1 | a \\| b |\r\n| 2 | |\r\n\r\n";
        let psql = " id | name \n----+------\n  1 | a    \n  2 | \n(2 rows)\n\nTime: 0.3 ms\n";
        let mysql = "+----+------+\n| id | name |\n+----+------+\n|  1 | a    |\n|  2 | \\    |\n+----+------+\n2 rows in set (0.00 sec)\n";
        for (text, first, second) in [(markdown, "a | b", ""), (psql, "a", ""), (mysql, "a", "\\")]
        {
            let (columns, rows) = rows(text).unwrap();
            assert_eq!(columns, ["id", "name"], "{text}");
            assert_eq!(rows, [["1", first], ["2", second]], "{text}");
        }
    }

    #[test]
    fn what_may_be_something_else_is_none() {
        for text in [
            "",
            "| a | b |\n",
            "| a | b |\n|---|---|\n",
            "| a | b |\n|---|---|---|\n| 1 | 2 |\n",
            "| a | b |\n|---|---|\n| 1 | 2 | 3 |\n",
            "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
            "| a | b |\n|---|---|\n| 1 | 2 |\n\nand more\n",
            "| a | b |\n|---|---|\n| 1 | 2 |\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
            " a | b \n---+---\n 1 | x +\n   | y\n",
            " a | b \n---+---\n(0 rows)\n",
            "a\n---\n1\n",
            "+---+\n| a\n+---+\n",
            "+---+---+\n| a | |\n+---+---+\n| 1 | 2 |\n+---+---+\n",
        ] {
            assert_eq!(rows(text), None, "{text}");
        }
        // What is cut within a row is one as far as it goes.
        assert!(Grid::of("| a | b |\n|---|---|\n| 1 | 2 |\n| 3", false).is_some());
    }
}
