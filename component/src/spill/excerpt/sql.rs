//! The outline of an SQL dump: statements and rows by table.

use super::{List, OUTLINE_LINE_CHARS, Outline};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::Chunks;
use crate::content::show::one_line;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

/// Bytes of a statement's start in which its table is named.
const HEAD: usize = 4_096;

/// Tables that are told apart.
const TABLES: usize = 256;

#[derive(Default)]
struct Table {
    name: String,
    statements: u64,
    rows: u64,
    // Whether a statement may have brought more: `INSERT INTO … SELECT`.
    more: bool,
    columns: String,
}

/// One statement under way.
#[derive(Default)]
struct Statement {
    head: Vec<u8>,
    // How many brackets are open.
    depth: u32,
    // Lists outside of brackets before the word VALUES, whether those after it go on, and how many these are.
    groups: u64,
    values: Option<bool>,
    rows: u64,
    // The last signs outside of brackets, in capitals, with one for any number of blanks.
    recent: [u8; 8],
    quote: Option<u8>,
    escaped: bool,
    // What the comment at hand ends with, and the sign before.
    comment: Option<u8>,
    before: u8,
    // What `COPY … FROM stdin` is followed by.
    copied: Option<usize>,
    line: Vec<u8>,
}

/// The tables met, and whether there were more than are told apart.
#[derive(Default)]
struct Tables {
    all: Vec<Table>,
    missed: bool,
}

pub(super) fn outline(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut tables = Tables::default();
    let mut now = Statement::default();
    let mut chunks = Chunks::new(source, 0, u64::MAX);
    while let Some((_, bytes)) = chunks.next_chunk()? {
        for &byte in bytes {
            now.step(byte, &mut tables);
        }
    }
    now.end(&mut tables);
    let at_least = |more: bool| if more { "at least " } else { "" };
    let Tables { all, missed } = tables;
    let rows: u64 = all.iter().map(|table| table.rows).sum();
    let filled = all.iter().filter(|table| table.statements > 0).count() as u64;
    let detail = format!(
        "{}, SQL: {}{} into {}{}",
        counted(measure.lines, "line"),
        at_least(missed || all.iter().any(|table| table.more)),
        counted(rows, "row"),
        at_least(missed),
        counted(filled, "table")
    );
    let mut list = List::new("tables");
    for table in &all {
        list.push(|| {
            let columns = match table.columns.is_empty() {
                true => String::new(),
                false => format!(" ({})", table.columns),
            };
            let text = format!(
                "{}: {}{} in {}{columns}",
                table.name,
                at_least(table.more),
                counted(table.rows, "row"),
                counted(table.statements, "statement")
            );
            one_line(&text, 2 * OUTLINE_LINE_CHARS)
        });
    }
    let lines = match missed {
        true => vec![format!("--- the first {} tables ---", thousands(TABLES as u64))],
        false => Vec::new(),
    };
    Ok(Outline { detail, lines, list, ..Outline::default() })
}

impl Statement {
    fn step(&mut self, byte: u8, tables: &mut Tables) {
        if let Some(table) = self.copied {
            if byte != b'\n' {
                if self.line.len() < 3 {
                    self.line.push(byte);
                }
            } else if self.line.starts_with(b"\\.") {
                *self = Statement::default();
            } else {
                tables.all[table].rows += u64::from(!self.line.is_empty());
                self.line.clear();
            }
            return;
        }
        let before = std::mem::replace(&mut self.before, byte);
        if let Some(end) = self.comment {
            if byte == end && (end == b'\n' || before == b'*') {
                (self.comment, self.before) = (None, b' ');
            }
            return;
        }
        if self.head.len() < HEAD {
            self.head.push(byte);
        }
        if let Some(quote) = self.quote {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' && quote == b'\'' {
                self.escaped = true;
            } else if byte == quote {
                // A doubled quote closes and opens again: the same to a count.
                self.quote = None;
            }
            return;
        }
        match (before, byte) {
            (b'-', b'-') if self.depth == 0 => self.comment = Some(b'\n'),
            (b'/', b'*') => self.comment = Some(b'/'),
            _ => {}
        }
        if self.comment.is_some() {
            if self.head.len() < HEAD {
                self.head.truncate(self.head.len() - 2);
            }
            self.before = 0;
            return;
        }
        match byte {
            b'\'' | b'"' | b'`' => self.quote = Some(byte),
            b'(' => {
                if self.depth == 0 {
                    self.opened();
                }
                self.depth += 1;
            }
            b')' => self.depth = self.depth.saturating_sub(1),
            b';' if self.depth == 0 => self.end(tables),
            _ if self.depth > 0 => {}
            // One of them may begin a comment.
            b'-' | b'/' => {}
            b' ' | b'\t' | b'\r' | b'\n' => {
                if self.recent[7] != b' ' {
                    self.recently(b' ');
                }
            }
            _ => {
                if self.values == Some(true) && byte != b',' {
                    self.values = Some(false);
                }
                self.recently(byte.to_ascii_uppercase());
            }
        }
    }

    fn recently(&mut self, sign: u8) {
        self.recent.copy_within(1.., 0);
        self.recent[7] = sign;
    }

    /// Counts a list outside of brackets.
    fn opened(&mut self) {
        let recent = self.recent.trim_ascii_end();
        match self.values {
            None => match recent.strip_suffix(b"VALUES") {
                Some(rest)
                    if !rest.last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') =>
                {
                    self.values = Some(true);
                    self.rows += 1;
                }
                _ => self.groups += 1,
            },
            Some(true) if recent.last() == Some(&b',') => self.rows += 1,
            Some(_) => self.values = Some(false),
        }
        self.recently(b')');
    }

    fn end(&mut self, tables: &mut Tables) {
        let statement = std::mem::take(self);
        let head = String::from_utf8_lossy(&statement.head);
        let head = head.trim_start();
        let lower = head.get(..24).unwrap_or(head).to_ascii_lowercase();
        let mut rest = None;
        for word in
            ["insert into ", "insert or replace into ", "replace into ", "create table ", "copy "]
        {
            if lower.starts_with(word) {
                rest = head.get(word.len()..);
            }
        }
        let Some(rest) = rest else { return };
        let rest = rest.trim_start();
        let rest = rest
            .strip_prefix("IF NOT EXISTS ")
            .or_else(|| rest.strip_prefix("if not exists "))
            .unwrap_or(rest);
        let name = rest.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        let name = one_line(name.trim_matches(['`', '"', '[', ']']), 80);
        if name.is_empty() {
            return;
        }
        let at = match tables.all.iter().position(|table| table.name == name) {
            Some(at) => at,
            None if tables.all.len() < TABLES => {
                tables.all.push(Table { name, ..Table::default() });
                tables.all.len() - 1
            }
            None => {
                tables.missed = true;
                return;
            }
        };
        let table = &mut tables.all[at];
        if lower.starts_with("create") {
            return;
        }
        let copies = lower.starts_with("copy");
        if copies && !head.to_ascii_lowercase().contains("from stdin") {
            return;
        }
        table.statements += 1;
        if copies {
            self.copied = Some(at);
            // The line feed after the semicolon is none of the rows.
            return;
        }
        table.rows += statement.rows;
        table.more |= statement.values.is_none();
        if table.columns.is_empty()
            && statement.groups == 1
            && statement.values.is_some()
            && let Some((_, columns)) = rest.split_once('(')
            && let Some((columns, _)) = columns.split_once(')')
        {
            table.columns = one_line(columns, OUTLINE_LINE_CHARS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::sql::is_sql;
    use crate::spill::measure::Measurer;

    fn lines(text: &str) -> (String, Vec<String>) {
        let outline = outline(&text.as_bytes(), &Measurer::of(text.as_bytes())).unwrap();
        (outline.detail, outline.list.lines)
    }

    #[test]
    fn rows_are_counted_by_table_whatever_stands_in_them() {
        let many: Vec<String> =
            (0..500).map(|n| format!("({n},'it''s; (a) \\' b',NULL)")).collect();
        let text = format!(
            "-- MySQL dump\nDROP TABLE IF EXISTS `users`;\nCREATE TABLE `users` (id int, name text);\n\
             INSERT INTO `users` VALUES {};\nINSERT INTO orders (id, total) VALUES (1, 2.5);\n\
             insert into orders (id, total) values (2, (3));\n\
             COPY public.logs (a, b) FROM stdin;\n1\tx\n2\ty;\n\\.\nINSERT INTO last VALUES (1)",
            many.join(",")
        );
        assert!(is_sql(&text.lines().map(str::as_bytes).collect::<Vec<_>>()));
        assert_eq!(
            lines(&text),
            (
                "11 lines, SQL: 505 rows into 4 tables".to_owned(),
                vec![
                    "users: 500 rows in 1 statement".to_owned(),
                    "orders: 2 rows in 2 statements (id, total)".to_owned(),
                    "public.logs: 2 rows in 1 statement".to_owned(),
                    "last: 1 row in 1 statement".to_owned(),
                ]
            )
        );
    }

    #[test]
    fn what_is_no_row_is_not_counted() {
        let tables: String =
            (0..300).map(|n| format!("INSERT INTO t{n} VALUES (1), (2);\n")).collect();
        for (text, detail, lines_of) in [
            (
                "INSERT INTO my_values (a, b) VALUES (1, 'x'), -- two (2)\n (2, '/*'), /* it's (3) */ (4, 5)\n\
                 ON DUPLICATE KEY UPDATE a = VALUES(a), b = VALUES(b);\n\
                 insert into t (a) values (1) on conflict (a) do update set (a, b) = (1, 2), c = (3);\n",
                "4 lines, SQL: 4 rows into 2 tables",
                ["my_values: 3 rows in 1 statement (a, b)", "t: 1 row in 1 statement (a)"],
            ),
            (
                "CREATE TABLE a (x int, y text);\n/* it's */ INSERT INTO b VALUES (1);\n\
                 INSERT INTO b (x) SELECT (x) FROM a;\nCOPY a TO stdout;\nINSERT INTO b VALUES (2);\n",
                "5 lines, SQL: at least 2 rows into 1 table",
                ["a: 0 rows in 0 statements", "b: at least 2 rows in 3 statements"],
            ),
        ] {
            let (said, tables) = lines(text);
            assert_eq!((&*said, &tables[..]), (detail, &lines_of.map(str::to_owned)[..]));
        }
        assert_eq!(lines(&tables).0, "300 lines, SQL: at least 512 rows into at least 256 tables");
    }

    #[test]
    fn prose_that_speaks_of_statements_is_no_dump() {
        for text in
            ["Use insert into the slot, then close it.\n", "copy that\nand this\n", "a;b\nc;d\n"]
        {
            assert!(!is_sql(&text.lines().map(str::as_bytes).collect::<Vec<_>>()), "{text}");
        }
    }
}
