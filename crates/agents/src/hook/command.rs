//! Shell commands, as far as it must be known whether one reads a part of something.

use crate::program::is_weir;

/// What a command's output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Nothing is known of it.
    Any,
    /// The part of something that the model asked for: the end of the pipe cuts.
    Part,
    /// A stored result, read back.
    Stored,
}

/// What the output of a command is, by the last program that writes it.
#[must_use]
pub fn output_of(command: &str) -> Output {
    let mut words = last_words(command);
    // One shell around the command.
    if let [shell, flag, inner, ..] = &words[..]
        && ["sh", "bash", "zsh", "dash"].contains(&base(shell))
        && flag.starts_with('-')
        && flag.ends_with('c')
    {
        words = last_words(inner);
    }
    let Some(program) = words.first() else { return Output::Any };
    let rest = &words[1..];
    match base(program) {
        _ if is_weir(program) && rest.iter().any(|word| word == "fetch") => Output::Stored,
        "head" | "tail" => Output::Part,
        "sed"
            if rest.iter().any(|word| word == "-n" || word == "--quiet" || word == "--silent") =>
        {
            Output::Part
        }
        _ => Output::Any,
    }
}

fn base(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// The words of a line, without quotes; with `last` those of its last command. A backslash that stands before
/// nothing special is one: of a path on Windows.
pub(super) fn words(line: &str, last: bool) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') if chars.peek().is_some_and(|next| "'\"\\ $;|&()\n".contains(*next)) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            // `2>&1` is no end of a command.
            (None, '&') if word.as_deref().is_some_and(|word| word.ends_with('>')) => {
                word.get_or_insert_default().push(c);
            }
            (None, ';' | '|' | '&' | '\n' | '(' | ')') if last => {
                word = None;
                words.clear();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The words of the last command of a line, without variables that are set for it.
fn last_words(command: &str) -> Vec<String> {
    let command = command.trim_end_matches(|c: char| c.is_whitespace() || ";|&()".contains(c));
    let mut words = words(command, true);
    let set = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let first = words.iter().position(|word| !set(word)).unwrap_or(words.len());
    words.split_off(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_pipe_says_whether_a_part_was_asked_for() {
        for part in [
            "head -20 x.log",
            "cat x | tail -n 5",
            "nl -ba src/a.rs | sed -n '1,200p'",
            "cd /x && sed -n 1,20p a; sed -n 5,9p b",
            "bash -lc 'cat x | head'",
            "LC_ALL=C /usr/bin/head x",
            "make 2>&1 | tail -50\n",
        ] {
            assert_eq!(output_of(part), Output::Part, "{part}");
        }
        for any in [
            "cat x",
            "head -1 x; cat y",
            "echo 'a | head'",
            "sed s/a/b/ x",
            "ls; cat \"| head\"",
            "seq 1 20000",
            "",
            "|||",
            "cargo test 2>&1",
        ] {
            assert_eq!(output_of(any), Output::Any, "{any}");
        }
        assert_eq!(output_of("weir fetch abc --all"), Output::Stored);
        assert_eq!(output_of("/opt/bin/weir --session x fetch abc --grep 'a;b'"), Output::Stored);
        assert_eq!(output_of("weir list"), Output::Any);
    }
}
