//! Lines of documents and of program source that tell what stands where.

/// The level of the heading that `line` is, if it is one.
pub(crate) fn heading_level(line: &[u8]) -> Option<usize> {
    let hashes = line.iter().take_while(|&&b| b == b'#').count();
    ((1..=6).contains(&hashes) && line.get(hashes) == Some(&b' ')).then_some(hashes)
}

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
