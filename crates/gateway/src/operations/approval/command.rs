//! A command as it was read, and how texts in it are read: sign by sign, with escapes, or as base64.

use base64::Engine as _;

use crate::search::glob::glob_matches;

/// In a text that comes from the network, or is decoded from what cannot be seen.
pub(super) const UNSEEN: char = '\u{e000}';

/// In a text that only a run can give.
pub(super) const UNKNOWN: char = '\u{e004}';

/// How deep a command stands in others.
pub(super) const MAX_DEPTH: usize = 8;

/// A command with what can be known of it.
#[derive(Debug, Default, Clone)]
pub(super) struct Command {
    /// What is set for it alone.
    pub(super) settings: Vec<String>,
    pub(super) words: Vec<String>,
    /// Files that its output is written to.
    pub(super) targets: Vec<String>,
    /// Whether it reads a file that stands after `<`.
    pub(super) reads: bool,
    /// What it reads: what stands before the pipe, a here document.
    pub(super) input: Option<String>,
    /// The directory that it runs in, where another command went there.
    pub(super) directory: String,
    /// What it prints.
    pub(super) output: String,
    /// Whether another command runs it, whose purpose that is.
    pub(super) within: bool,
    /// Whether it gets arguments from a list.
    pub(super) listed: bool,
}

impl Command {
    /// The program, without its folder. A name with wildcards is that of a program that fits.
    pub(super) fn name(&self) -> String {
        let name = program(self.words.first().map_or("", String::as_str));
        let known = ["rm", "dd", "sh", "bash", "git", "curl", "find", "mkfs", "tee", "cp", "mv"];
        let fits = |known: &&&str| name.contains(['?', '*', '[']) && glob_matches(&name, known);
        known.iter().find(fits).map_or(name.clone(), |known| (*known).to_owned())
    }

    /// What follows the program: each word after a blank, blanks in a word replaced.
    pub(super) fn rest(&self) -> String {
        let word = |word: &String| format!(" {}", word.replace([' ', '\t', '\n'], "\u{1f}"));
        self.words.iter().skip(1).map(word).collect()
    }

    /// The command as a rule may name it: as it is, and with the program alone in place of a path to it.
    pub(super) fn lines(&self) -> [String; 2] {
        let rest = self.words.iter().skip(1).map(|word| format!(" {word}")).collect::<String>();
        [self.words.first().map_or("", String::as_str).to_owned() + &rest, self.name() + &rest]
    }

    /// The command with what is set for it.
    pub(super) fn whole(&self) -> String {
        [&self.settings[..], &self.words[..]].concat().join(" ")
    }

    /// Whether nobody can say what is run.
    pub(super) fn is_unreadable(&self) -> bool {
        self.words.first().is_some_and(|word| word.contains([UNSEEN, UNKNOWN]))
    }

    pub(super) fn of(words: Vec<String>) -> Command {
        Command { words, ..Command::default() }
    }
}

/// The program that a word names, without its folder.
pub(super) fn program(word: &str) -> String {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
}

/// A place in a text.
pub(super) struct Cursor {
    pub(super) signs: Vec<char>,
    pub(super) at: usize,
}

impl Cursor {
    pub(super) fn new(text: &str) -> Cursor {
        Cursor { signs: text.chars().collect(), at: 0 }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<char> {
        self.signs.get(self.at + ahead).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let sign = self.peek(0)?;
        self.at += 1;
        Some(sign)
    }

    /// Goes past a sign if it is the next one.
    pub(super) fn takes(&mut self, sign: char) -> bool {
        let is = self.peek(0) == Some(sign);
        self.at += usize::from(is);
        is
    }

    /// What stands between a place and this one.
    pub(super) fn since(&self, from: usize) -> String {
        self.signs.get(from..self.at.min(self.signs.len())).unwrap_or_default().iter().collect()
    }

    pub(super) fn while_is(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        while self.peek(0).is_some_and(&wanted) {
            self.at += 1;
        }
        self.since(from)
    }

    /// What stands before the sign that closes, quotes and further brackets aside. Goes past it.
    pub(super) fn until(&mut self, open: char, close: char) -> String {
        self.until_within(open, close, MAX_DEPTH)
    }

    pub(super) fn until_within(&mut self, open: char, close: char, levels: usize) -> String {
        let (from, mut depth) = (self.at, 1);
        while let Some(sign) = self.next() {
            match sign {
                '\\' => self.at += 1,
                '\'' if "})".contains(close) => drop(self.until_plain('\'')),
                '"' if close != '"' && levels > 0 => drop(self.until_within('"', '"', levels - 1)),
                '$' if close == '"' && levels > 0 && self.takes('(') => {
                    drop(self.until_within('(', ')', levels - 1));
                }
                _ if sign == close => {
                    depth -= 1;
                    if depth == 0 {
                        self.at -= 1;
                        let inside = self.since(from);
                        self.at += 1;
                        return inside;
                    }
                }
                _ if sign == open => depth += 1,
                _ => {}
            }
        }
        self.at = self.signs.len();
        self.since(from)
    }

    pub(super) fn until_plain(&mut self, close: char) -> String {
        let text = self.while_is(|sign| sign != close);
        self.at += 1;
        text
    }

    /// Takes the body of a here document out of the lines that follow.
    pub(super) fn take_document(&mut self, end: &str, indented: bool) -> String {
        let rest = self.signs.get(self.at..).unwrap_or_default();
        let Some(line) = rest.iter().position(|sign| *sign == '\n') else { return String::new() };
        let from = self.at + line + 1;
        let text: String = self.signs[from..].iter().collect();
        let mut body = String::new();
        let mut length = 0;
        for line in text.split_inclusive('\n') {
            length += line.chars().count();
            let plain = line.trim_end_matches('\n');
            let plain = if indented { plain.trim_start_matches('\t') } else { plain };
            if plain == end {
                break;
            }
            body.push_str(plain);
            body.push('\n');
        }
        self.signs.drain(from..(from + length).min(self.signs.len()));
        body
    }
}

/// A text with the signs that its escapes stand for.
pub(super) fn unescaped(text: &str) -> String {
    let mut cursor = Cursor::new(text);
    let mut value = String::new();
    while let Some(sign) = cursor.next() {
        if sign != '\\' {
            value.push(sign);
            continue;
        }
        let (radix, most) = match cursor.peek(0) {
            Some('x') => (16, 2),
            Some('u') => (16, 4),
            Some('0'..='7') => (8, 3),
            other => {
                cursor.at += 1;
                match other {
                    Some('n') => value.push('\n'),
                    Some('t') => value.push('\t'),
                    Some(sign) => value.push(sign),
                    None => {}
                }
                continue;
            }
        };
        cursor.at += usize::from(radix == 16);
        let mut digits = String::new();
        while let Some(digit) = cursor.peek(0).filter(|sign| sign.is_digit(radix)) {
            if digits.len() == most {
                break;
            }
            cursor.at += 1;
            digits.push(digit);
        }
        value.extend(u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32));
    }
    value
}

/// What base64 says, where it is a text.
pub(super) fn decoded(text: &str) -> Option<String> {
    let text: String = text.split_whitespace().collect();
    let plain = text.trim_end_matches('=');
    let bytes = base64::engine::general_purpose::STANDARD_NO_PAD.decode(plain).ok()?;
    // PowerShell's is of two bytes a sign.
    let wide = bytes.len() > 3 && bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0);
    let bytes = if wide { bytes.into_iter().step_by(2).collect() } else { bytes };
    String::from_utf8(bytes).ok()
}
