//! Lines of documents and of program source that tell what stands where.

/// The level of the heading that `line` is, if it is one.
pub(crate) fn heading_level(line: &[u8]) -> Option<usize> {
    let hashes = line.iter().take_while(|&&b| b == b'#').count();
    ((1..=6).contains(&hashes) && line.get(hashes) == Some(&b' ')).then_some(hashes)
}

/// Words that may stand before the one that defines.
const MODIFIERS: [&str; 19] = [
    "declare",
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
const DEFINERS: [&str; 32] = [
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
    "fun",
    "contract",
    "library",
    "modifier",
    "message",
    "service",
    "rpc",
    "resource",
    "defmodule",
    "defp",
    "procedure",
];

/// Whether a line of source defines something.
pub(crate) fn defines(line: &str) -> bool {
    let mut words =
        line.split_ascii_whitespace().take(6).skip_while(|word| MODIFIERS.contains(word));
    let Some(word) = words.next() else { return false };
    let word = word.split('<').next().unwrap_or(word);
    DEFINERS.contains(&word)
        && words.next().is_some_and(|name| {
            name.starts_with(|c: char| {
                c.is_alphabetic() || matches!(c, '_' | '(' | '<' | '*' | '$' | '"')
            })
        })
}

/// Tells comments of several lines, and texts that stand in their place, from the source around them.
#[derive(Default)]
pub(crate) struct Comments {
    end: Option<&'static [u8]>,
}

impl Comments {
    /// Whether the next line, without the blanks around it, is nothing but a comment.
    pub(crate) fn takes(&mut self, line: &[u8]) -> bool {
        let find = |from: usize, sign: &[u8]| memchr::memmem::find(&line[from..], sign);
        if let Some(end) = self.end {
            if find(0, end).is_some() {
                self.end = None;
            }
            return true;
        }
        if line.starts_with(b"/*") {
            let end = find(0, b"*/");
            self.end = end.is_none().then_some(b"*/");
            return end.is_none_or(|end| end + 2 == line.len());
        }
        if memchr::memchr2(b'"', b'\'', line).is_none() {
            return line.starts_with(b"//");
        }
        for quotes in [b"\"\"\"", b"\'\'\'"] {
            let Some(first) = find(0, quotes) else { continue };
            // What ends in its line is no text of several.
            self.end = find(first + 3, quotes).is_none().then_some(quotes);
            return first == 0 || first == 1 && line[0].is_ascii_alphabetic();
        }
        line.starts_with(b"//")
    }
}

#[cfg(test)]
mod tests {
    use super::{Comments, defines};

    #[test]
    fn comments_are_told_from_source() {
        let source = "/* one */\n/*\nclass of its own\n*/\nint a;\n/* b */ int c;\n// d\n\"\"\"Words\nof e.\n\"\"\"\n\"\"\"f\"\"\"\n\
            s = \"\"\"\ng\n\"\"\"\nh = ''\ni()";
        let mut comments = Comments::default();
        let told: Vec<&str> =
            source.lines().filter(|line| !comments.takes(line.as_bytes())).collect();
        assert_eq!(told, ["int a;", "/* b */ int c;", "s = \"\"\"", "h = ''", "i()"]);
    }

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
            "resource \"aws_sns_topic\" \"a\" {",
            "fun x() = y",
        ] {
            assert!(defines(line), "{line}");
        }
        for line in [
            "return fn",
            "the class was full",
            "type(selector: string, text: string)",
            "type: string",
            "let x = 1;",
            "class",
        ] {
            assert!(!defines(line), "{line}");
        }
    }
}
