//! The outline of program source: what is defined where.

use super::{List, OUTLINE_LINE_CHARS, Outline, lines_of};
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;
use crate::spill::scan::each_line;
use crate::spill::show::one_line;

/// Words that may stand before the one that defines.
const MODIFIERS: [&str; 18] = [
    "pub",
    "pub(crate)",
    "pub(super)",
    "export",
    "default",
    "async",
    "static",
    "public",
    "private",
    "protected",
    "internal",
    "abstract",
    "final",
    "sealed",
    "unsafe",
    "extern",
    "override",
    "data",
];

/// Words that define something of which a reader would like to know the line.
const DEFINERS: [&str; 21] = [
    "fn",
    "def",
    "class",
    "struct",
    "enum",
    "trait",
    "impl",
    "interface",
    "func",
    "function",
    "function*",
    "mod",
    "module",
    "namespace",
    "macro_rules!",
    "type",
    "record",
    "union",
    "object",
    "protocol",
    "sub",
];

/// Whether a line of source defines something.
pub(crate) fn defines(line: &str) -> bool {
    let mut words =
        line.split_ascii_whitespace().take(6).skip_while(|word| MODIFIERS.contains(word));
    let Some(word) = words.next() else { return false };
    let word = word.split(['<', '(']).next().unwrap_or(word);
    DEFINERS.contains(&word)
        && words.next().is_some_and(|name| {
            name.starts_with(|c: char| {
                c.is_alphabetic() || matches!(c, '_' | '(' | '<' | '*' | '$')
            })
        })
}

pub(super) fn symbols(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    const KEEP: usize = 200;
    let mut found = List::new("definitions");
    each_line(source, KEEP, |line| {
        let Some(indent) = line.prefix.iter().position(|&b| b != b' ' && b != b'\t') else {
            return;
        };
        if indent > 4 || !line.prefix[indent].is_ascii_lowercase() {
            return;
        }
        let Ok(text) = std::str::from_utf8(&line.prefix[indent..]) else { return };
        if defines(text) {
            found.push(|| {
                let pad = if indent > 0 { "  " } else { "" };
                let text = text.trim_end().trim_end_matches(['{', ':']).trim_end();
                format!("{}: {pad}{}", line.number, one_line(text, OUTLINE_LINE_CHARS))
            });
        }
    })?;
    Ok(Outline { detail: lines_of(measure), list: found, ..Outline::default() })
}

#[cfg(test)]
mod tests {
    use super::defines;

    #[test]
    fn definitions_are_told_from_prose() {
        for line in [
            "pub fn main() {",
            "class A(B):",
            "export default function run() {",
            "async def f(x):",
            "func (s *Server) Run()",
            "impl<T> Foo for T {",
            "type Name struct {",
            "public static class X {",
        ] {
            assert!(defines(line), "{line}");
        }
        for line in ["return fn", "the class was full", "type: string", "let x = 1;", "class"] {
            assert!(!defines(line), "{line}");
        }
    }
}
