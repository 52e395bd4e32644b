//! What makes a text an SQL dump.

const WORDS: [&[u8]; 9] = [
    b"insert into ",
    b"create table ",
    b"drop table ",
    b"alter table ",
    b"create index ",
    b"create unique index ",
    b"lock tables ",
    b"copy ",
    b"replace into ",
];

/// Whether a line begins a statement that makes or fills a table.
fn begins(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    WORDS
        .iter()
        .any(|&word| line.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
}

/// Whether the lines are statements that make tables and fill them.
pub(crate) fn is_sql(lines: &[&[u8]]) -> bool {
    let said = lines.iter().take(400).filter(|line| {
        let line = line.trim_ascii_start();
        !line.starts_with(b"--") && !line.starts_with(b"/*") && !line.is_empty()
    });
    let first = said.clone().take(12).filter(|line| begins(line)).count();
    let prefix = said.clone().next().is_some_and(|line| {
        let word: Vec<u8> = line.iter().take(8).map(u8::to_ascii_lowercase).collect();
        begins(line)
            || [&b"set "[..], b"use ", b"begin", b"start tr", b"pragma "]
                .iter()
                .any(|w| word.starts_with(w))
    });
    prefix
        && first > 0
        && said.take(400).any(|line| memchr::memchr3(b';', b'(', b',', line).is_some())
}
