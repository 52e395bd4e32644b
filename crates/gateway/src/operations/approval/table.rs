//! Tables of words and patterns over commands and texts: a line is a word, programs, and a pattern.

use std::sync::LazyLock;

use regex_lite::Regex;

use super::kind::Kind;

/// What is dangerous.
pub(super) static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| rows(include_str!("kinds.txt")));

/// The kinds in a text of which the table says so.
pub(super) fn kinds<'a>(of: &'a str, text: &'a str) -> impl Iterator<Item = Kind> + 'a {
    let rows = TABLE.iter().filter(move |row| row.is_of(of) && row.pattern.is_match(text));
    rows.filter_map(|row| kind(row.word))
}

/// The kind that a line of the table is of.
pub(super) fn kind(word: &str) -> Option<Kind> {
    serde_json::from_value(word.into()).ok()
}

/// A line of a table: a word, programs, and a pattern over what follows the program.
pub(super) struct Row {
    pub(super) word: &'static str,
    pub(super) programs: &'static str,
    pub(super) pattern: Regex,
}

/// The lines of a table.
pub(super) fn rows(table: &'static str) -> Vec<Row> {
    let row = |line: &'static str| {
        let mut parts = line.splitn(3, '\t');
        let (word, programs) = (parts.next()?, parts.next()?);
        Some(Row { word, programs, pattern: Regex::new(parts.next()?).ok()? })
    };
    table.lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
}

impl Row {
    /// Whether it is of a program.
    pub(super) fn is_of(&self, name: &str) -> bool {
        self.programs.split(' ').any(|one| match one.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => one == name,
        })
    }
}
