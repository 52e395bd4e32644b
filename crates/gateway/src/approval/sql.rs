//! Statements of SQL that drop, or that delete or change every row.

use crate::glob::is_among;

/// A word, a text in quotes or a sign of a statement.
#[derive(Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

/// What a statement in this text would do that cannot be taken back. `None` for a text that is not SQL, too.
pub(super) fn danger(text: &str) -> Option<&'static str> {
    let tokens = tokens(text);
    tokens.split(|token| *token == Token::Sign(';')).find_map(of_statement)
}

/// Kinds of what can be dropped.
const DROPPED: &str = "\
TABLE DATABASE SCHEMA VIEW INDEX USER ROLE COLUMN FUNCTION TRIGGER SEQUENCE MATERIALIZED TYPE EXTENSION \
PROCEDURE KEYSPACE COLLECTION TABLESPACE OWNED EVENT TEMPORARY CONSTRAINT";

/// Words that may follow the name of a table.
const AFTER_TABLE: &str = "\
USING LIMIT RETURNING ORDER AS OUTPUT CASCADE";

fn of_statement(tokens: &[Token]) -> Option<&'static str> {
    let word = |at: usize| match tokens.get(at) {
        Some(Token::Word(word)) => word.to_uppercase(),
        _ => String::new(),
    };
    let find = |wanted: &str| (0..tokens.len()).find(|at| word(*at) == wanted);
    let all = |from: usize| match (from..tokens.len()).find(|at| word(*at) == "WHERE") {
        None => true,
        Some(at) => is_always(&tokens[at + 1..]),
    };
    match &*word(0) {
        "DROP" if is_among(DROPPED, &word(1)) => Some("it drops what it names"),
        "TRUNCATE" if !word(1).is_empty() => Some("it empties a table"),
        "ALTER" if (1..tokens.len()).any(|at| word(at) == "DROP" && !word(at + 1).is_empty()) => {
            Some("it drops a part of a table")
        }
        "UPDATE" if find("SET").is_some() && all(0) => Some("it changes every row"),
        "EXEC" | "EXECUTE" | "PREPARE" | "CALL" | "DO" => {
            let texts = tokens.iter().filter_map(|token| match token {
                Token::Text(text) => Some(text.as_str()),
                _ => None,
            });
            // One level: what is written by a statement within is not read.
            let text: String = texts.collect();
            self::tokens(&text).split(|token| *token == Token::Sign(';')).find_map(plain)
        }
        "DELETE" | "WITH" => plain_delete(tokens, find("DELETE")?, &word, &all),
        _ => None,
    }
}

/// The same of a statement that another one writes.
fn plain(tokens: &[Token]) -> Option<&'static str> {
    let first = tokens.first();
    let nests =
        |word: &str| ["EXEC", "EXECUTE", "PREPARE", "CALL", "DO"].contains(&&*word.to_uppercase());
    match first {
        Some(Token::Word(word)) if nests(word) => None,
        _ => of_statement(tokens),
    }
}

fn plain_delete(
    tokens: &[Token],
    at: usize,
    word: &impl Fn(usize) -> String,
    all: &impl Fn(usize) -> bool,
) -> Option<&'static str> {
    let from = (at + 1..tokens.len().min(at + 4)).find(|at| word(*at) == "FROM")?;
    // The name, with its schema; then what a statement may go on with, and a sentence does not.
    let mut next = from + 2;
    while tokens.get(next) == Some(&Token::Sign('.')) {
        next += 2;
    }
    let next = word(next);
    let ends = next.is_empty() || next == "WHERE" || is_among(AFTER_TABLE, &next);
    (ends && tokens.len() > from + 1 && all(at)).then_some("it deletes every row")
}

/// Whether a condition holds for every row, as far as its form says.
fn is_always(condition: &[Token]) -> bool {
    let is_word = |token: &Token, wanted: &str| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(wanted));
    let mut parts = condition.split(|token| is_word(token, "OR"));
    parts.any(|part| match part {
        [only] => is_word(only, "TRUE") || is_word(only, "1"),
        [left, Token::Sign('='), right, ..] => left == right,
        _ => false,
    })
}

/// The tokens of a text, comments left out. What MySQL runs of a comment is none.
fn tokens(text: &str) -> Vec<Token> {
    let mut signs = text.chars().peekable();
    let mut tokens = Vec::new();
    while let Some(sign) = signs.next() {
        match sign {
            '-' if signs.peek() == Some(&'-') => {
                while signs.next_if(|sign| *sign != '\n').is_some() {}
            }
            '#' => while signs.next_if(|sign| *sign != '\n').is_some() {},
            '/' if signs.peek() == Some(&'*') => {
                signs.next();
                if signs.next_if_eq(&'!').is_some() {
                    while signs.next_if(char::is_ascii_digit).is_some() {}
                    continue;
                }
                let mut before = ' ';
                for sign in signs.by_ref() {
                    if before == '*' && sign == '/' {
                        break;
                    }
                    before = sign;
                }
            }
            // The end of a comment that is run.
            '*' if signs.peek() == Some(&'/') => drop(signs.next()),
            '\'' | '"' | '`' => {
                let text: String =
                    std::iter::from_fn(|| signs.next_if(|next| *next != sign)).collect();
                signs.next();
                tokens.push(if sign == '\'' { Token::Text(text) } else { Token::Word(text) });
            }
            sign if sign.is_alphanumeric() || sign == '_' => {
                let mut word = sign.to_string();
                word.extend(std::iter::from_fn(|| {
                    signs.next_if(|next| next.is_alphanumeric() || "_$".contains(*next))
                }));
                tokens.push(Token::Word(word));
            }
            sign if sign.is_whitespace() => {}
            sign => tokens.push(Token::Sign(sign)),
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_told_from_a_sentence_and_from_one_with_a_condition() {
        for (text, is) in [
            ("drop table a", true),
            ("/* x */ DELETE FROM a.b", true),
            ("DELETE FROM a WHERE 1 = 1", true),
            ("DELETE FROM a WHERE b = 1", false),
            ("DELETE FROM a WHERE b = 1 OR 'x' = 'x'", true),
            ("select 1; truncate a", true),
            ("SELECT 'x; DROP TABLE a'", false),
            ("SELECT truncate(a, 1)", false),
            ("EXEC('DR' + 'OP TABLE a')", true),
            ("update a set b = 1 -- where c", true),
            ("update the set of tests where it is red", false),
            ("delete from the list what is old", false),
            ("drop the table", false),
            ("'", false),
            ("/*", false),
        ] {
            assert_eq!(danger(text).is_some(), is, "{text}");
        }
    }
}
