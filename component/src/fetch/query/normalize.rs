//! Turns programs as models write them into jq, where only one reading is possible: with a shell command or a code fence
//! around them, with operators of other languages, or with an aggregate around or behind them (`sum(.ms)`).

use super::QueryRequest;

impl QueryRequest {
    /// The request as it runs: `program`, `by` and `reduce` in jq.
    pub(in crate::fetch) fn normalized(&self) -> QueryRequest {
        let mut request = self.clone();
        let QueryRequest { program: query, by, reduce, .. } = &mut request;
        for text in [Some(query), by.as_mut(), reduce.as_mut()].into_iter().flatten() {
            *text = jq(text);
        }
        if let Some(by) = by {
            let named = by.split(',').map(str::trim);
            if named.clone().all(is_name) {
                *by = named.map(|name| format!(".{name}")).collect::<Vec<_>>().join(",");
            }
            if let Some(key) = parts_of_key(by) {
                *by = key;
            }
        }
        let (query, reduce) = (&request.program[..], request.reduce.as_deref().unwrap_or_default());
        let found = match reduce.trim() {
            "" => summed(query),
            reduce if query.trim() == "." => {
                let of = reduce.split_once(" of ").map(|(sum, of)| (of.trim(), sum.trim()));
                summed(reduce).or(of.filter(|(of, _)| of.starts_with('.')))
            }
            _ => None,
        };
        match found.map(|(query, reduce)| (query.to_owned(), reduce.to_owned())) {
            Some((program, reduce)) => QueryRequest { program, reduce: Some(reduce), ..request },
            None => request,
        }
    }
}

/// A program of any spelling in jq.
fn jq(text: &str) -> String {
    let mut text = program(text);
    // No program of jq has single quotes outside of texts, nor `$.`, which is JSONPath.
    if !text.contains('"') {
        text = text.replace('\'', "\"");
    }
    match text.strip_prefix("$.") {
        Some(path) => format!(".{}", path.replace("[*]", "[]")),
        None => text,
    }
}

/// What sums up results and is no function of jq with an argument.
const SUMS: &str = "sum avg average mean median max min count distinct unique stats";

/// The same behind a pipe, where jq has no such function.
const PIPED: &str = "sum avg average mean median count distinct stats";

/// A program without the command and the quotes of a shell, and without a fence of Markdown.
fn program(text: &str) -> String {
    let mut text = text.trim();
    if let Some(inner) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) {
        text = inner.strip_prefix("jq").unwrap_or(inner).trim();
    }
    if text.starts_with("cat ")
        && let Some((_, rest)) = text.split_once("| jq ")
    {
        text = rest.trim();
    } else if let Some(rest) = text.strip_prefix("jq ") {
        text = rest.trim();
    } else {
        return signs(bare(text));
    }
    while let Some(option) = text.strip_prefix('-') {
        text = option.split_once(' ').map_or("", |(_, rest)| rest.trim_start());
    }
    // Behind the quotes stands the name of a file.
    let quote = text.chars().next().filter(|sign| matches!(sign, '\'' | '"'));
    let quoted = quote.and_then(|quote| text[1..].rsplit_once(quote)).map(|(inner, _)| inner);
    signs(quoted.unwrap_or_else(|| bare(text)))
}

/// The text within quotes that a whole text stands in.
fn unquoted<'t>(text: &'t str, quotes: &[char]) -> &'t str {
    let text = text.trim();
    for quote in quotes {
        let inner = text.strip_prefix(*quote).and_then(|text| text.strip_suffix(*quote));
        if let Some(inner) = inner.filter(|inner| !inner.is_empty() && !inner.contains(*quote)) {
            return inner;
        }
    }
    text
}

/// The text within quotes that all of it stands in.
fn bare(text: &str) -> &str {
    let bare = unquoted(text, &['\'', '`']);
    // In double quotes it is a text to jq, which asks nothing.
    match unquoted(bare, &['"']) {
        inner if inner.starts_with('.') && !inner.contains("\\(") && inner.len() > 1 => inner,
        _ => bare,
    }
}

/// What other languages write, as jq does: `&&`, `||`, `!.a`, `===`, `.a-b`, `.1st`. Texts stay.
fn signs(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    let (mut rest, mut in_text) = (text, false);
    while let Some(sign) = rest.chars().next() {
        let taken = match (in_text, sign) {
            (true, '\\') => rest.chars().take(2).map(char::len_utf8).sum(),
            (_, '"') => {
                in_text = !in_text;
                1
            }
            (true, _) => sign.len_utf8(),
            _ if rest.starts_with("&&") || rest.starts_with("||") => {
                made.push_str(if sign == '&' { " and " } else { " or " });
                rest = &rest[2..];
                continue;
            }
            _ if rest.starts_with("===") || rest.starts_with("!==") => {
                made.push_str(if sign == '=' { "==" } else { "!=" });
                rest = &rest[3..];
                continue;
            }
            (_, '!') if rest[1..].starts_with('.') => {
                let end = rest[1..].find(|c: char| !is_of_path(c)).map_or(rest.len(), |at| at + 1);
                made.push_str(&format!("({} | not)", signs(&rest[1..end])));
                rest = &rest[end..];
                continue;
            }
            (_, '.') => match odd_key(&rest[1..]).filter(|_| !made.ends_with(is_number_part)) {
                Some(len) => {
                    made.push_str(&format!(".[\"{}\"]", &rest[1..=len]));
                    rest = &rest[1 + len..];
                    continue;
                }
                None => 1,
            },
            _ => sign.len_utf8(),
        };
        made.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    made
}

fn is_of_path(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '[' | ']')
}

fn is_number_part(c: char) -> bool {
    c.is_ascii_digit()
}

/// How long a key is that must stand in quotes: with hyphens between letters, or a digit before letters. `.a-1` and
/// `.a-now` are differences, `.5e3` is a number.
fn odd_key(rest: &str) -> Option<usize> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let len = rest.find(|c: char| !is_sign(c) && c != '-').unwrap_or(rest.len());
    let key = rest[..len].trim_end_matches('-');
    if rest[len..].starts_with('(') {
        return None;
    }
    let mut words = key.split('-');
    let first = words.next().unwrap_or_default();
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && !["now", "length", "add", "min", "max", "first", "last"].contains(&word)
    };
    let is_hyphened = !first.is_empty()
        && !first.bytes().all(|byte| byte.is_ascii_digit())
        && key.contains('-')
        && words.all(is_word);
    let digits = first.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = digits.len() < first.len()
        && digits.starts_with(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E'));
    (is_hyphened || is_numbered && !key.contains('-')).then_some(key.len())
}

/// A program and what sums up its results, where that is written as a function around it or behind it.
fn summed(program: &str) -> Option<(&str, &str)> {
    let known = |name: &str, among: &str| among.split(' ').any(|word| word == name);
    if let Some((name, inner)) = program.strip_suffix(')').and_then(|text| text.split_once('('))
        && known(name.trim(), SUMS)
        && is_balanced(inner)
        && !inner.trim().is_empty()
    {
        return Some((inner.trim(), name.trim()));
    }
    let (inner, name) = program.rsplit_once('|')?;
    let is_summed = known(name.trim(), PIPED) && is_balanced(inner) && !inner.trim().is_empty();
    is_summed.then(|| (inner.trim(), name.trim()))
}

/// Whether each bracket that is closed was opened there.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    let is_open = text.chars().all(|sign| {
        depth +=
            i32::from(matches!(sign, '(' | '[' | '{')) - i32::from(matches!(sign, ')' | ']' | '}'));
        depth >= 0
    });
    is_open && depth == 0
}

/// Paths with commas between them, as the parts of one key.
fn parts_of_key(by: &str) -> Option<String> {
    let is_path = |part: &str| {
        let part = part.trim();
        part.starts_with('.')
            && part.len() > 1
            && part[1..].chars().all(|c| is_of_path(c) && c != '[')
    };
    (by.contains(',') && by.split(',').all(is_path)).then(|| format!("[{by}]"))
}

/// Whether a key is given as a plain name. What jq knows by that name is meant as that.
fn is_name(text: &str) -> bool {
    const KNOWN: &str = "length type keys not add first last min max tostring empty tonumber ascii_downcase ascii_upcase null \
        true false floor";
    !KNOWN.split(' ').any(|known| known == text)
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.split('.').all(|word| {
            !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_around_a_program_is_left() {
        for text in [
            "```jq\n.ms\n```",
            "```\n.ms\n```",
            "`.ms`",
            "'.ms'",
            "\".ms\"",
            "jq .ms",
            "jq '.ms'",
            "jq -r '.ms' a.json",
            "cat a.json | jq -c '.ms'",
            "jq --raw-output \".ms\" < a",
        ] {
            assert_eq!(program(text), ".ms", "{text}");
        }
        assert_eq!(program("jq '.a | \"it''s\"'"), ".a | \"it''s\"");
    }

    #[test]
    fn signs_of_other_languages_are_those_of_jq() {
        for (given, made) in [
            ("select(.a==1 && .b>2)", "select(.a==1  and  .b>2)"),
            ("select(.a||.b)", "select(.a or .b)"),
            ("select(!.up)", "select((.up | not))"),
            ("select(!.a.b and .c!=1)", "select((.a.b | not) and .c!=1)"),
            ("select(.a === 1)", "select(.a == 1)"),
            (".a-b", ".[\"a-b\"]"),
            (".x.content-type == 1", ".x.[\"content-type\"] == 1"),
            (".1st", ".[\"1st\"]"),
        ] {
            assert_eq!(program(given), made, "{given}");
        }
        for same in [
            ".a - .b",
            ".a-1",
            ".a-.b",
            ".ts-now",
            ".5",
            "1.5e3",
            ".5e3",
            ".a[1:2]",
            "\"a && b || !.c .d-e\"",
            "test(\"^a-b\\\"&&\")",
            ".a != .b",
            "..|.a?",
            ".a // .b",
            "[.[]|.a]",
            ".[\"a-b\"]",
            ". as $x|$x",
            "",
        ] {
            assert_eq!(program(same), same);
        }
    }

    #[test]
    fn what_sums_up_is_taken_from_around_and_from_behind() {
        assert_eq!(summed("sum(.ms)"), Some((".ms", "sum")));
        assert_eq!(summed("count(select(.a == (1)))"), Some(("select(.a == (1))", "count")));
        assert_eq!(summed(".items[].ms | avg"), Some((".items[].ms", "avg")));
        for none in [
            "max",
            "sum()",
            "max_by(.a)",
            ".a | add",
            ".a | max",
            "sum(.a) + sum(.b)",
            "[.a | count",
            "",
            "|",
        ] {
            assert_eq!(summed(none), None, "{none}");
        }
        assert_eq!(parts_of_key(".host, .up").as_deref(), Some("[.host, .up]"));
        for none in [".host", ".a[],.b", "host,up", ".a,", ". , ."] {
            assert_eq!(parts_of_key(none), None, "{none}");
        }
    }
}
