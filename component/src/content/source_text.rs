//! Lines of documents and of program source that tell what stands where.

/// The level of the heading that `line` is, if it is one.
pub(crate) fn heading_level(line: &[u8]) -> Option<usize> {
    let hashes = line.iter().take_while(|&&b| b == b'#').count();
    ((1..=6).contains(&hashes) && line.get(hashes) == Some(&b' ')).then_some(hashes)
}

/// Words that may stand before the one that defines.
const MODIFIERS: [&str; 20] = [
    "typedef",
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
    let Some(name) = words.next().filter(|_| DEFINERS.contains(&word)) else { return false };
    let is_name = name
        .starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '(' | '<' | '*' | '$' | '"'));
    match word {
        // `struct S s;` is a variable, `struct S s = {` as well: `struct S(u8);` and `struct S;` are none.
        "struct" | "enum" | "union" | "class" => {
            let is_alone = words.next().is_none() || name.contains('(');
            let is_whole = line.contains('{') || !line.ends_with([';', ',', ')']);
            is_name && (is_alone || is_whole && !line.contains('='))
        }
        // `fun x -> x` is a value: a function has its arguments beside its name.
        "fun" => name.starts_with('<') || name.find('(').is_some_and(|at| at > 0),
        _ => is_name,
    }
}

/// Whether what a line defines ends where lines are no longer set in, or at an `end`: in Python, Ruby, Elixir.
pub(crate) fn ends_by_indent(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace().skip_while(|word| MODIFIERS.contains(word));
    matches!(words.next(), Some("def" | "class" | "module" | "defmodule" | "defp"))
        && !line.contains('{')
        && !line.ends_with(';')
}

/// Words that begin no function, though a bracket follows and then a brace.
const NO_FUNCTION: [&str; 29] = [
    "return", "else", "if", "elif", "for", "foreach", "while", "switch", "match", "case", "new",
    "throw", "catch", "goto", "do", "when", "where", "let", "var", "val", "go", "defer", "select",
    "await", "yield", "in", "not", "with", "assert",
];

/// Lines of a function before its brace.
const HEAD_LINES: usize = 12;

/// Finds functions of languages that have no word for them: `type name(arguments)`, then a brace, there or in a line
/// below.
#[derive(Default)]
pub(crate) struct Functions {
    /// The line of the one at hand and its text, brackets that are open in it, and lines that it may still have.
    head: Option<(u64, String, i64, usize)>,
    /// The line before, if it may be the type of a function whose name stands in this one.
    has_type: bool,
}

impl Functions {
    /// The line and the text of a function whose brace is in this line: without the blanks around it, `indent` many
    /// before it. In a class a name is enough.
    pub(crate) fn take(
        &mut self,
        number: u64,
        line: &str,
        indent: usize,
        in_class: bool,
    ) -> Option<(u64, String)> {
        let opened = |line: &str| {
            line.bytes().fold(0, |n, sign| n + i64::from(sign == b'(') - i64::from(sign == b')'))
        };
        let had_type = std::mem::replace(&mut self.has_type, is_type(line)) || in_class;
        let begins = is_outer(line, indent) && signature(line, indent, had_type);
        if let Some((first, text, open, left)) =
            self.head.take().filter(|head| head.2 > 0 || !begins)
        {
            let open = open + opened(line);
            let is_body = line.starts_with('{') || line.ends_with('{');
            if open <= 0 && is_body && !line.contains('=') {
                return Some((first, text));
            }
            // Old C has the types of arguments in lines of their own: `int a;`.
            let is_argument = indent > 0 && !line.contains('(');
            let ends = line.ends_with('}') || line.ends_with(';') && !is_argument;
            if left > 0 && (open > 0 || !(ends || line.contains('='))) {
                self.head = Some((first, text, open, left - 1));
                return None;
            }
        }
        if !begins {
            return None;
        }
        match line.find('{') {
            Some(_) => Some((number, line.to_owned())),
            None if line.ends_with(';') => None,
            None => {
                self.head = Some((number, line.to_owned(), opened(line), HEAD_LINES));
                None
            }
        }
    }
}

/// Whether a line may be the type of what the next one names: `static int`.
fn is_type(line: &str) -> bool {
    line.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '*' | '>'))
        && line.bytes().all(|b| b.is_ascii_alphanumeric() || b"_*<>[], \t".contains(&b))
        && !line.split_ascii_whitespace().any(|word| NO_FUNCTION.contains(&word))
}

/// Whether what stands so far in, without the blanks, may be a definition: what is further in is part of another, unless
/// it says who may use it.
pub(crate) fn is_outer(line: &str, indent: usize) -> bool {
    let words = ["public ", "private ", "protected ", "internal "];
    indent <= 4 || words.iter().any(|word| line.starts_with(word))
}

/// Whether a line begins with a type and a name, or a name alone that stands below a type, and a bracket.
fn signature(line: &str, indent: usize, has_type: bool) -> bool {
    let Some((head, arguments)) = line.split_once('(') else { return false };
    let mut words = head.split_ascii_whitespace();
    let Some(name) = words.next_back() else { return false };
    let first = words.clone().next();
    let named = |word: &str, signs: &[u8]| {
        word.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '~' | '*' | '&'))
            && word.bytes().all(|b| b.is_ascii_alphanumeric() || signs.contains(&b))
    };
    (first.is_some() || indent == 0 || has_type)
        && named(name, b"_:~*&<>,")
        && !name.ends_with(':')
        && words.all(|word| named(word, b"_*&<>,:[].?") && !NO_FUNCTION.contains(&word))
        && !NO_FUNCTION.contains(&name)
        // A type of functions, and what goes on behind the line's end.
        && !arguments.starts_with('*')
        && !arguments.ends_with('\\')
        && !arguments.contains(['"', '\'', '`'])
        && !arguments.contains("=>")
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
            // In a text of the other quotes they are signs as any.
            let other = if quotes[0] == b'"' { b'\'' } else { b'"' };
            if line[..first].iter().filter(|byte| **byte == other).count() % 2 == 1 {
                continue;
            }
            // What ends in its line is no text of several.
            self.end = find(first + 3, quotes).is_none().then_some(quotes);
            return first == 0 || first == 1 && line[0].is_ascii_alphabetic();
        }
        line.starts_with(b"//")
    }
}

#[cfg(test)]
mod tests {
    use super::{Comments, Functions, defines};

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
            "typedef struct point {",
            "struct Pair(u8, u8);",
            "struct Unit;",
            "enum Color : int {",
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
            "struct point origin;",
            "static struct ops ops = {",
            "static enum code do_it(int a);",
            "struct point *from,",
            "fun h -> lpost h x h",
            "fun (a, b) -> a",
        ] {
            assert!(!defines(line), "{line}");
        }
    }

    #[test]
    fn functions_without_a_word_of_their_own_have_a_type_a_name_and_a_brace() {
        let source = "static int add(int a,\n    int b)\n{\n    return mul (a, b);\n    if (a) {\n    }\n}\n\
            int sub(int a);\nsize_t\nlength (list)\n    struct list *list;\n{\n}\n#define MAX(a, b) {\n\
            void Shape::draw() const {\n}\nmain() {\n}\n    public List<Map<String, Integer>> all(int n) throws E {\n\
            \x20       public void Inner() {\n    else if (x) {\n    x = f(y) {\n  describe(\"it\", () => {\n\
            TABLE(one)\nstruct row rows[] = {\n    int get() { return 1; }\n        call(x) {\n\
            \x20   public void\n    hear(\n    \tListener one )\n    {\n";
        let mut functions = Functions::default();
        let lines = source.lines().zip(1..).filter_map(|(line, number)| {
            let text = line.trim_start();
            functions.take(number, text.trim_end(), line.len() - text.len(), false)
        });
        let told: Vec<String> = lines.map(|(number, text)| format!("{number} {text}")).collect();
        assert_eq!(
            told,
            [
                "1 static int add(int a,",
                "10 length (list)",
                "15 void Shape::draw() const {",
                "17 main() {",
                "19 public List<Map<String, Integer>> all(int n) throws E {",
                "20 public void Inner() {",
                "26 int get() { return 1; }",
                "29 hear(",
            ]
        );
    }
}
