//! Code of Python, JavaScript and their like, as far as its calls and its texts say what it does.

use regex_lite::Regex;

use super::command::{Command, decoded, unescaped};
use super::kind::Kind;
use super::place;
use super::table::kinds;
use crate::search::glob::is_among;

const INTERPRETERS: &str = "\
python python2 python3 pypy perl ruby node nodejs deno bun php lua awk gawk";

/// Calls that run a command.
const RUNS: &str = "\
system( subprocess popen exec spawn call( child_process passthru( check_output( pty.";

/// Whether a program runs code that its arguments or its input hold.
pub(super) fn is_interpreter(name: &str) -> bool {
    let plain = name.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    is_among(INTERPRETERS, name) || is_among(INTERPRETERS, plain)
}

/// Code that an interpreter gets, by its words or by what it reads.
pub(super) fn given(command: &Command) -> Vec<String> {
    let mut code: Vec<String> = command.words.iter().skip(1).cloned().collect();
    let names_code =
        Regex::new("^( -[mW] \\S+| -[^cemp\\s]*)* (-[^-\\s]*[cemp]|--test|[^-/]|/[^d])");
    let reads = names_code.is_ok_and(|names| !names.is_match(&command.rest()));
    code.extend(command.input.clone().filter(|_| reads));
    code
}

/// What code says of itself.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// What it does by calls of its own, with the words that say so.
    pub(super) kinds: Vec<(Kind, String)>,
    /// Texts that it may run as commands.
    pub(super) commands: Vec<String>,
    /// Texts that it may send to a database.
    pub(super) queries: Vec<String>,
}

/// Looks into code.
pub(super) fn read(code: &str) -> Code {
    let mut found = Code::default();
    if !code.contains(['(', '`']) && !code.contains("::") {
        return found;
    }
    // What is put together from pieces, whole.
    let squeezed = code.to_lowercase();
    let squeezed: String =
        squeezed.chars().filter(|sign| !sign.is_whitespace() && !"'\"+".contains(*sign)).collect();
    let has = |parts: &str| parts.split(' ').any(|part| squeezed.contains(part));
    found.kinds.extend(kinds("@code", &squeezed).map(|kind| (kind, code.to_owned())));
    let texts = texts(code);
    let runs = has(RUNS) || code.contains('`') || code.contains("%x");
    let queries = has("execute( executescript( query( executemany(");
    let writes = has("open( write appendfile copyfile rename");
    let mut all = texts.clone();
    all.extend(texts.iter().filter(|text| text.len() >= 8).filter_map(|text| decoded(text)));
    if queries {
        found.queries.clone_from(&all);
    }
    if runs {
        found.commands = all;
    }
    // The mode in which a file is opened for writing, or a call that writes.
    let opens = texts
        .iter()
        .any(|text| matches!(&**text, "w" | "a" | "wb" | "ab" | "r+" | "w+" | ">" | ">>"));
    if writes && (opens || !has("open(")) {
        for text in &texts {
            if let Some(kind) = place::of(text, "") {
                found.kinds.push((kind, text.clone()));
            }
        }
    }
    found
}

/// The texts in code, and those that follow each other joined: added up as one, in a list as the words of a command.
fn texts(code: &str) -> Vec<String> {
    let mut signs = code.chars().peekable();
    let mut texts: Vec<String> = Vec::new();
    let mut added: Vec<String> = Vec::new();
    let mut listed: Vec<String> = Vec::new();
    let mut between = String::new();
    while let Some(sign) = signs.next() {
        if !matches!(sign, '\'' | '"' | '`') {
            between.push(sign);
            continue;
        }
        let mut text = String::new();
        while let Some(next) = signs.next_if(|next| *next != sign) {
            text.push(next);
            if next == '\\' {
                text.extend(signs.next());
            }
        }
        signs.next();
        let text = unescaped(&text);
        let gap: String = between.split_whitespace().collect();
        between.clear();
        match (&*gap, added.last_mut()) {
            ("+" | "" | "||" | ".", Some(before)) => {
                before.push_str(&text);
                if let Some(last) = listed.last_mut() {
                    last.push_str(&text);
                }
            }
            (",", _) => {
                if let Some(last) = listed.last_mut() {
                    last.push(' ');
                    last.push_str(&text);
                }
                added.push(text.clone());
            }
            _ => {
                added.push(text.clone());
                listed.push(text.clone());
            }
        }
        texts.push(text);
    }
    texts.extend(added);
    texts.extend(listed);
    texts.sort();
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_whole_and_joined() {
        let found = texts(r#"f(['rm', "-rf", '/'], 'a' + 'b', "c\x64")"#);
        for wanted in ["rm -rf /", "ab", "cd", "rm"] {
            assert!(found.iter().any(|text| text == wanted), "{wanted} in {found:?}");
        }
        texts("'\"`\\");
    }
}
