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
    columns: String,
}

/// One statement under way.
#[derive(Default)]
struct Statement {
    head: Vec<u8>,
    // How many brackets are open, and how many closed at the outermost level.
    depth: u32,
    groups: u64,
    // Those before the word VALUES.
    before: Option<u64>,
    quote: Option<u8>,
    escaped: bool,
    comment: bool,
    // What `COPY … FROM stdin` is followed by.
    copied: Option<usize>,
    line: Vec<u8>,
}

pub(super) fn outline(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut tables: Vec<Table> = Vec::new();
    let mut now = Statement::default();
    let mut chunks = Chunks::new(source, 0, u64::MAX);
    while let Some((_, bytes)) = chunks.next_chunk()? {
        for &byte in bytes {
            now.step(byte, &mut tables);
        }
    }
    now.end(&mut tables);
    let rows: u64 = tables.iter().map(|table| table.rows).sum();
    let detail = format!(
        "{}, SQL: {} into {}",
        counted(measure.lines, "line"),
        counted(rows, "row"),
        counted(tables.len() as u64, "table")
    );
    let mut list = List::new("tables");
    for table in &tables {
        list.push(|| {
            let columns = match table.columns.is_empty() {
                true => String::new(),
                false => format!(" ({})", table.columns),
            };
            let text = format!(
                "{}: {} in {}{columns}",
                table.name,
                counted(table.rows, "row"),
                counted(table.statements, "statement")
            );
            one_line(&text, 2 * OUTLINE_LINE_CHARS)
        });
    }
    let lines = match tables.len() as u64 {
        256.. => vec![format!("--- the first {} tables ---", thousands(TABLES as u64))],
        _ => Vec::new(),
    };
    Ok(Outline { detail, lines, list })
}

impl Statement {
    fn step(&mut self, byte: u8, tables: &mut Vec<Table>) {
        if let Some(table) = self.copied {
            if byte != b'\n' {
                if self.line.len() < 3 {
                    self.line.push(byte);
                }
            } else if self.line.starts_with(b"\\.") {
                *self = Statement::default();
            } else {
                tables[table].rows += u64::from(!self.line.is_empty());
                self.line.clear();
            }
            return;
        }
        if self.comment {
            self.comment = byte != b'\n';
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
        match byte {
            b'\'' | b'"' | b'`' => self.quote = Some(byte),
            b'(' => {
                if self.depth == 0 && self.before.is_none() {
                    let said = &self.head[self.head.len().saturating_sub(10)..];
                    let said = said.strip_suffix(b"(").unwrap_or(said).trim_ascii_end();
                    if said.len() >= 6 && said[said.len() - 6..].eq_ignore_ascii_case(b"values") {
                        self.before = Some(self.groups);
                    }
                }
                self.depth += 1;
            }
            b')' => {
                self.depth = self.depth.saturating_sub(1);
                self.groups += u64::from(self.depth == 0);
            }
            b'-' if self.head.ends_with(b"--") && self.depth == 0 => {
                let length = self.head.len() - 2;
                self.head.truncate(length);
                self.comment = true;
            }
            b';' if self.depth == 0 => self.end(tables),
            _ => {}
        }
    }

    fn end(&mut self, tables: &mut Vec<Table>) {
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
        let at = match tables.iter().position(|table| table.name == name) {
            Some(at) => at,
            None if tables.len() < TABLES => {
                tables.push(Table { name, ..Table::default() });
                tables.len() - 1
            }
            None => return,
        };
        let table = &mut tables[at];
        if lower.starts_with("create") {
            return;
        }
        table.statements += 1;
        if lower.starts_with("copy") {
            self.copied = Some(at);
            // The line feed after the semicolon is none of the rows.
            return;
        }
        table.rows += statement.groups - statement.before.unwrap_or(0);
        if table.columns.is_empty()
            && statement.before == Some(1)
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
    fn prose_that_speaks_of_statements_is_no_dump() {
        for text in
            ["Use insert into the slot, then close it.\n", "copy that\nand this\n", "a;b\nc;d\n"]
        {
            assert!(!is_sql(&text.lines().map(str::as_bytes).collect::<Vec<_>>()), "{text}");
        }
    }
}
