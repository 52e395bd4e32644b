//! Command lines as a shell reads them: words without quotes, variables and substitutions as far as they can be known, what
//! is piped where. Nothing is run; what cannot be known stays unknown.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::code;
use super::command::{Command, Cursor, MAX_DEPTH, UNKNOWN, UNSEEN, decoded, program, unescaped};
use super::table::{Row, rows};
use crate::search::glob::is_among;

/// A brace and a comma that no quote hides, until a word is whole.
const OPEN: char = '\u{e001}';
const COMMA: char = '\u{e002}';
const CLOSE: char = '\u{e003}';

/// Stands for a blank in a word, where the words of a command are one line.
const BLANK: char = '\u{1f}';

/// Bytes that expansions and pipes may give, and commands: a text may ask for any number.
const MAX_GIVEN: usize = 1 << 20;
const MAX_COMMANDS: usize = 20_000;

/// What gives what cannot be seen.
pub(super) const DOWNLOADERS: &str = "\
curl wget fetch aria2c nc ncat netcat socat lynx http iwr irm invoke-webrequest invoke-restmethod";

/// Programs that run others.
static RUNNERS: LazyLock<Vec<Row>> = LazyLock::new(|| rows(include_str!("runners.txt")));

/// What a command runs: words or a line, whether it is a command of its own, and whether a list adds to it.
struct Run {
    words: Vec<String>,
    is_line: bool,
    own: bool,
    listed: bool,
}

/// What a command runs, by the table and by its code.
fn runs(command: &Command) -> Vec<Run> {
    let name = command.name();
    let mut found = Vec::new();
    let mut add = |words: Vec<String>, is_line, own, listed| {
        found.push(Run { words, is_line, own, listed });
    };
    if name.contains(UNKNOWN) && command.words.len() > 1 {
        add(command.words[1..].to_vec(), false, false, false);
    }
    let mut rest = command.rest();
    for row in RUNNERS.iter().filter(|row| row.is_of(&name)) {
        while let Some(at) = row.pattern.find(&rest).map(|found| found.end()) {
            let left = &rest[at..];
            let plain = |text: &str| text.replace(BLANK, " ");
            let words = || left.split(' ').map(plain).collect::<Vec<_>>();
            let next = || vec![plain(left.split(' ').next().unwrap_or_default())];
            match row.word {
                "run" => add(words(), false, false, false),
                "list" => add(with_list(words(), command), false, false, true),
                "each" => {
                    let ends = |word: &String| word != ";" && word != "+";
                    let words: Vec<String> = words().into_iter().take_while(ends).collect();
                    let adds = name.starts_with("fd");
                    let words = if adds { with_list(words, command) } else { words };
                    add(words, false, true, true);
                    // On to the next one.
                    rest = left.split_once(' ').map_or(String::new(), |(_, on)| format!(" {on}"));
                    continue;
                }
                "same" => {
                    let whole = format!("{name} {}", plain(left));
                    add(whole.split(' ').map(str::to_owned).collect(), false, false, false);
                }
                "input" => add(command.input.iter().cloned().collect(), true, false, false),
                "text" | "own-text" => add(vec![plain(left)], true, row.word != "text", false),
                word => add(next(), true, word == "own", false),
            }
            break;
        }
    }
    if name == "crontab" {
        let lines = command.input.as_deref().unwrap_or_default().lines();
        let job = |line: &str| line.splitn(6, char::is_whitespace).nth(5).map(str::to_owned);
        add(lines.filter_map(job).collect(), true, true, false);
    }
    // PowerShell's own way to pass code.
    let coded = command.words.windows(2).find(|pair| pair[0].to_lowercase().starts_with("-e"));
    if let Some(text) = coded.and_then(|pair| decoded(&pair[1]))
        && matches!(&*name, "powershell" | "pwsh")
    {
        add(vec![text], true, false, false);
    }
    if code::is_interpreter(&name) {
        let texts =
            code::given(command).iter().flat_map(|code| code::read(code).commands).collect();
        add(texts, true, true, false);
    }
    found
}

/// The words of a command with what a list gives it.
fn with_list(words: Vec<String>, command: &Command) -> Vec<String> {
    let input = command.input.as_deref().unwrap_or_default().replace('\n', " ");
    let input = if input.trim().is_empty() { UNKNOWN.to_string() } else { input.trim().to_owned() };
    let after = |flag: &str| command.words.iter().position(|word| word == flag);
    let place = after("-I").and_then(|at| command.words.get(at + 1)).map_or("{}", String::as_str);
    if words.iter().any(|word| word.contains(place)) {
        return words.iter().map(|word| word.replace(place, &input)).collect();
    }
    words.into_iter().chain([input]).collect()
}

/// The commands in a text, those in substitutions before the one that they stand in, those that a command runs after it.
pub(super) fn read(text: &str) -> Vec<Command> {
    let mut shell = Shell::default();
    let given = |sign: char| !(UNSEEN..=UNKNOWN).contains(&sign);
    shell.run(&text.chars().filter(|sign| given(*sign)).collect::<String>(), 0);
    shell.commands
}

#[derive(Default)]
struct Shell {
    variables: BTreeMap<String, String>,
    directory: String,
    commands: Vec<Command>,
    /// Bytes that expansions and pipes have given.
    given: usize,
}

/// Words after which a command begins.
const KEYWORDS: &str = "\
{ } then do else elif if while until ! fi done esac coproc";

impl Shell {
    /// Reads a list of commands. Gives what all of them print.
    fn run(&mut self, text: &str, depth: usize) -> String {
        self.given += text.len();
        if depth > MAX_DEPTH || self.given > MAX_GIVEN || self.commands.len() > MAX_COMMANDS {
            self.commands.push(Command::of(vec![UNKNOWN.into()]));
            return UNKNOWN.into();
        }
        let mut cursor = Cursor::new(text);
        let mut now = Command::default();
        let mut printed = String::new();
        while let Some(sign) = cursor.peek(0) {
            match sign {
                ' ' | '\t' | '\r' => cursor.at += 1,
                '\n' | ';' | ')' => {
                    cursor.at += 1;
                    self.end(&mut now, &mut printed, depth);
                }
                '(' => {
                    cursor.at += 1;
                    let is_function = now.words.len() == 1 && cursor.takes(')');
                    match is_function {
                        true => now = Command::default(),
                        false => drop(self.end(&mut now, &mut printed, depth)),
                    }
                }
                '&' if cursor.peek(1) != Some('>') => {
                    cursor.at += 1;
                    self.end(&mut now, &mut printed, depth);
                }
                '|' => {
                    cursor.at += 1;
                    let is_or = cursor.takes('|');
                    // Of a group all that it prints.
                    let group = now.words.is_empty() && now.input.is_none();
                    let output = self.end(&mut now, &mut printed, depth);
                    if !is_or {
                        cursor.takes('&');
                        let output = if group { printed.clone() } else { output };
                        printed.truncate(printed.len() - output.len().min(printed.len()));
                        now.input = Some(output);
                    }
                }
                '#' => drop(cursor.while_is(|sign| sign != '\n')),
                '<' | '>' | '&' if !(sign != '&' && cursor.peek(1) == Some('(')) => {
                    self.redirect(&mut cursor, &mut now, depth);
                }
                _ => self.word_of(&mut cursor, &mut now, depth),
            }
        }
        self.end(&mut now, &mut printed, depth);
        printed
    }

    /// A word at the place where it stands in a command.
    fn word_of(&mut self, cursor: &mut Cursor, now: &mut Command, depth: usize) {
        let from = cursor.at;
        let words = self.word(cursor, now, depth);
        let written = cursor.since(from);
        // The number of a stream, which stands before `>`.
        if matches!(cursor.peek(0), Some('<' | '>')) && written.bytes().all(|b| b.is_ascii_digit())
        {
            return;
        }
        if now.words.is_empty() {
            if let Some((name, _)) = assigned(&written) {
                let value = words.join(" ");
                let value = value.split_once('=').map(|(_, value)| value).unwrap_or_default();
                self.assign(name, value);
                now.settings.push(format!("{name}={value}"));
                return;
            }
            if is_among(KEYWORDS, &written) {
                return;
            }
        }
        if written == "{" && now.words.first().is_some_and(|word| word == "function") {
            now.words.clear();
            return;
        }
        now.words.extend(words);
    }

    fn assign(&mut self, name: &str, value: &str) {
        let plain = name.trim_end_matches('+');
        let before = match plain == name {
            true => String::new(),
            false => self.variables.get(plain).cloned().unwrap_or_default(),
        };
        self.variables.insert(plain.to_owned(), before + value);
    }

    /// Ends a command. Gives what it prints.
    fn end(&mut self, now: &mut Command, printed: &mut String, depth: usize) -> String {
        let command = std::mem::take(now);
        if command.words.is_empty() && command.targets.is_empty() && command.settings.is_empty() {
            return String::new();
        }
        match command.words.first().map(String::as_str) {
            Some("cd") => self.directory = command.words.get(1).cloned().unwrap_or_default(),
            Some("export" | "declare" | "local" | "readonly" | "typeset") => {
                for (name, value) in command.words.iter().filter_map(|word| assigned(word)) {
                    self.assign(name, value);
                }
            }
            Some("set") => {
                let words = command.words.iter().skip_while(|word| *word != "--").skip(1);
                let words: Vec<&str> = words.map(String::as_str).collect();
                self.assign("@", &words.join(" "));
            }
            Some("for") => match &command.words[..] {
                [_, name, _, only] => self.assign(name, only),
                [_, name, ..] => self.assign(name, &UNKNOWN.to_string()),
                _ => {}
            },
            _ => {}
        }
        let output = self.keep(command, depth);
        printed.push_str(&output);
        output
    }

    /// Keeps a command and what it runs. Gives what they print.
    fn keep(&mut self, mut command: Command, depth: usize) -> String {
        let runs = runs(&command);
        command.directory.clone_from(&self.directory);
        command.output = output(&command);
        self.given += command.output.len() + command.input.as_ref().map_or(0, String::len);
        if self.given > MAX_GIVEN {
            command.output = UNSEEN.into();
        }
        let (at, input) = (self.commands.len(), command.input.clone());
        self.commands.push(command);
        let mut printed = String::new();
        for run in runs {
            let from = self.commands.len();
            if run.is_line || depth >= MAX_DEPTH || from > MAX_COMMANDS {
                for line in run.words {
                    printed += &self.run(&line, depth + 1);
                }
            } else if !run.words.is_empty() {
                let listed = run.listed;
                let inner = Command { input: input.clone(), listed, ..Command::of(run.words) };
                printed += &self.keep(inner, depth + 1);
            }
            for inner in self.commands.iter_mut().skip(from) {
                inner.within |= !run.own;
            }
        }
        if !printed.is_empty() {
            self.commands[at].output.clone_from(&printed);
            return printed;
        }
        self.commands[at].output.clone()
    }

    fn redirect(&mut self, cursor: &mut Cursor, now: &mut Command, depth: usize) {
        let sign = cursor.while_is(|sign| sign == '&');
        let sign = sign + &cursor.while_is(|sign| matches!(sign, '<' | '>'));
        let indented = sign == "<<" && cursor.takes('-');
        let copies = cursor.takes('&');
        cursor.takes('|');
        cursor.while_is(|sign| sign == ' ' || sign == '\t');
        let from = cursor.at;
        let target = self.word(cursor, now, depth).join(" ");
        let written = cursor.since(from);
        match &*sign {
            "<<" => {
                let body = cursor.take_document(&target, indented);
                let is_plain = written.contains(['\'', '"', '\\']);
                now.input = Some(if is_plain { body } else { self.quoted(&body, depth) });
            }
            "<<<" => now.input = Some(target),
            "<" => now.reads |= target != "/dev/null",
            _ if copies && target.bytes().all(|b| b.is_ascii_digit() || b == b'-') => {}
            _ => now.targets.push(target),
        }
    }

    /// A word, or several where an expansion has blanks.
    fn word(&mut self, cursor: &mut Cursor, now: &mut Command, depth: usize) -> Vec<String> {
        let (mut words, mut word, mut any) = (Vec::new(), String::new(), false);
        while let Some(sign) = cursor.peek(0) {
            let is_process = matches!(sign, '<' | '>') && cursor.peek(1) == Some('(');
            if " \t\r\n;&|()".contains(sign) || matches!(sign, '<' | '>') && !is_process {
                break;
            }
            cursor.at += 1;
            match sign {
                '\'' => word.push_str(&cursor.until_plain('\'')),
                '"' => {
                    let text = cursor.until('"', '"');
                    if text == "$@" {
                        let value = self.value("@").unwrap_or(UNKNOWN.into());
                        words.extend(value.split_whitespace().map(str::to_owned));
                        continue;
                    }
                    word.push_str(&self.quoted(&text, depth));
                }
                // A folder of Windows, not a sign that is to be taken as it is.
                '\\' if word.get(1..2) == Some(":") => word.push('\\'),
                '\\' => match cursor.next() {
                    Some('\n') => continue,
                    Some(next) => word.push(next),
                    None => {}
                },
                '<' | '>' => {
                    cursor.at += 1;
                    let inner = cursor.until('(', ')');
                    let output = self.run(&inner, depth + 1);
                    word.push_str("/dev/fd/63");
                    word.extend(output.contains(UNSEEN).then_some(UNSEEN));
                    now.input = Some(output);
                }
                '$' | '`' => {
                    let is_text = matches!(cursor.peek(0), Some('\'' | '"'));
                    let value = self.expansion(sign, cursor, depth);
                    let blanks = self.variables.get("IFS").cloned().unwrap_or(" \t\n".into());
                    if is_text || !value.contains(|sign| blanks.contains(sign)) {
                        word.push_str(&value);
                    } else {
                        for (at, piece) in value.split(|sign| blanks.contains(sign)).enumerate() {
                            if at > 0 && !word.is_empty() {
                                words.push(std::mem::take(&mut word));
                            }
                            word.push_str(piece);
                        }
                        continue;
                    }
                }
                '{' => word.push(OPEN),
                ',' => word.push(COMMA),
                '}' => word.push(CLOSE),
                sign => word.push(sign),
            }
            any = true;
        }
        if any || !word.is_empty() {
            words.push(word);
        }
        words.iter().flat_map(|word| braces(word)).collect()
    }

    /// What stands in double quotes, or in a here document.
    fn quoted(&mut self, text: &str, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return UNSEEN.into();
        }
        let mut cursor = Cursor::new(text);
        let mut value = String::new();
        while let Some(sign) = cursor.next() {
            match sign {
                '\\' => match cursor.next() {
                    Some('\n') | None => {}
                    Some(next @ ('$' | '`' | '"' | '\\')) => value.push(next),
                    Some(next) => value.extend(['\\', next]),
                },
                '$' | '`' => value.push_str(&self.expansion(sign, &mut cursor, depth)),
                sign => value.push(sign),
            }
        }
        value
    }

    fn expansion(&mut self, sign: char, cursor: &mut Cursor, depth: usize) -> String {
        if sign == '`' {
            let inner = cursor.until('`', '`').replace("\\`", "`");
            return self.run(&inner, depth + 1).trim_end_matches('\n').to_owned();
        }
        match cursor.peek(0) {
            Some('\'') => {
                cursor.at += 1;
                unescaped(&cursor.until('\'', '\''))
            }
            Some('"') => {
                cursor.at += 1;
                let text = cursor.until('"', '"');
                self.quoted(&text, depth + 1)
            }
            Some('(') => {
                cursor.at += 1;
                let inner = cursor.until('(', ')');
                match inner.starts_with('(') {
                    true => "1".into(),
                    false => self.run(&inner, depth + 1).trim_end_matches('\n').to_owned(),
                }
            }
            Some('{') => {
                cursor.at += 1;
                let inner = cursor.until('{', '}');
                self.parameter(&inner, depth)
            }
            Some(sign) if sign.is_alphabetic() || sign == '_' => {
                let name = cursor.while_is(|sign| sign.is_alphanumeric() || sign == '_');
                self.value(&name).unwrap_or(UNKNOWN.into())
            }
            Some(sign) if "@*#?$!0123456789-".contains(sign) => {
                cursor.at += 1;
                let known = self.value("@").filter(|_| matches!(sign, '@' | '*'));
                known.unwrap_or(if "#?$!-".contains(sign) { "1".into() } else { UNKNOWN.into() })
            }
            _ => "$".into(),
        }
    }

    /// `${…}`: a value, or what is taken in its place; a part of it.
    fn parameter(&mut self, inner: &str, depth: usize) -> String {
        let inner = inner.trim_start_matches(['!', '#']);
        let is_name = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '@';
        let end = inner.find(|sign| !is_name(sign)).unwrap_or(inner.len());
        let (name, rest) = inner.split_at(end);
        let value = self.value(name);
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let mut parts = rest.trim_start_matches(':').splitn(2, ':');
        match (rest.trim_start_matches(':').chars().next(), parts.next().and_then(number)) {
            (Some('-' | '=' | '+' | '?'), _) if value.is_none() || rest.contains('+') => {
                let text = rest.trim_start_matches(':').get(1..).unwrap_or_default();
                self.quoted(text, depth + 1)
            }
            (_, Some(from)) => {
                let length = parts.next().and_then(number).unwrap_or(usize::MAX);
                value.unwrap_or_default().chars().skip(from).take(length).collect()
            }
            _ => value.unwrap_or(UNKNOWN.into()),
        }
    }

    fn value(&mut self, name: &str) -> Option<String> {
        let usual = || match name {
            "IFS" => Some(" ".to_owned()),
            "HOME" => Some("~".to_owned()),
            "SHELL" | "BASH" => Some("sh".to_owned()),
            _ => None,
        };
        let value = self.variables.get(name).cloned().or_else(usual)?;
        self.given += value.len();
        (self.given <= MAX_GIVEN).then_some(value)
    }
}

/// `NAME=VALUE`, taken apart.
fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let plain = name.trim_end_matches('+');
    let is_name = plain.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
        && plain.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    is_name.then_some((name, value))
}

/// A word with one pair of braces as several words.
fn braces(word: &str) -> Vec<String> {
    let plain = |text: &str| text.replace(OPEN, "{").replace(COMMA, ",").replace(CLOSE, "}");
    if let Some((before, rest)) = word.split_once(OPEN)
        && let Some((inner, after)) = rest.split_once(CLOSE)
        && inner.contains(COMMA)
    {
        return inner.split(COMMA).map(|part| plain(&format!("{before}{part}{after}"))).collect();
    }
    vec![plain(word)]
}

/// What a command prints, as far as that is known without running it.
fn output(command: &Command) -> String {
    let Some((first, rest)) = command.words.split_first() else { return String::new() };
    let has = |flag: &str| rest.iter().any(|word| word == flag);
    let input = command.input.as_deref();
    let unseen = || UNSEEN.to_string();
    let is_unseen = input.is_some_and(|text| text.contains(UNSEEN));
    match &*program(first) {
        "echo" => {
            let flags =
                rest.iter().take_while(|word| matches!(&***word, "-n" | "-e" | "-ne" | "-E"));
            let text = rest[flags.count()..].join(" ") + "\n";
            if has("-e") || has("-ne") { unescaped(&text) } else { text }
        }
        "printf" => {
            let mut values = rest.iter().skip(1);
            let format = unescaped(rest.first().map(String::as_str).unwrap_or_default());
            let mut parts = format.split("%s");
            let mut text = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                text.extend(values.next().map(String::as_str));
                text.push_str(part);
            }
            text
        }
        name if is_among(DOWNLOADERS, name) => unseen(),
        "base64" | "openssl" | "xxd" | "uudecode" | "gpg" if is_unseen => unseen(),
        "base64" if has("-d") || has("-D") || has("--decode") => {
            input.and_then(decoded).unwrap_or_else(unseen)
        }
        "openssl" if has("-d") => unseen(),
        "xxd" if has("-r") => {
            let digits: Vec<char> =
                input.unwrap_or_default().split_whitespace().collect::<String>().chars().collect();
            let bytes =
                digits.chunks(2).map(|pair| u8::from_str_radix(&String::from_iter(pair), 16));
            let bytes: Result<Vec<u8>, _> = bytes.collect();
            bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(unseen)
        }
        "rev" => {
            let lines = input.unwrap_or_default().lines();
            lines.map(|line| line.chars().rev().collect::<String>() + "\n").collect()
        }
        "tr" => {
            let [from, to] =
                [0, 1].map(|at| ranges(rest.get(at).map(String::as_str).unwrap_or_default()));
            let last = to.last().copied();
            let turned = |sign: char| match from.iter().position(|other| *other == sign) {
                Some(at) => to.get(at).copied().or(last),
                None => Some(sign),
            };
            input.unwrap_or_default().chars().filter_map(turned).collect()
        }
        "cat" | "tee" | "head" | "tail" | "sort" | "sed" if input.is_some() => {
            input.unwrap_or_default().to_owned()
        }
        // Filters show something of what they read.
        _ if is_unseen => unseen(),
        _ => format!("{UNKNOWN}\n"),
    }
}

/// The signs of a set such as `a-zA-Z`.
fn ranges(set: &str) -> Vec<char> {
    let mut cursor = Cursor::new(set);
    let mut signs = Vec::new();
    while let Some(sign) = cursor.next() {
        match (cursor.peek(0), cursor.peek(1)) {
            (Some('-'), Some(to)) if to >= sign && (to as u32 - sign as u32) < 256 => {
                cursor.at += 2;
                signs.extend(sign..=to);
            }
            _ => signs.push(sign),
        }
    }
    signs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let commands = read(text).into_iter().filter(|command| !command.words.is_empty());
        commands.map(|command| command.words.join("·")).collect()
    }

    #[test]
    fn words_are_what_a_shell_makes_of_them() {
        for (text, expected) in [
            (r#"r"m" -r\f '/a b'"#, &["rm·-rf·/a b"][..]),
            ("x=rm; $x$IFS-rf /", &["rm·-rf·/"]),
            ("a='rm -rf'; $a \"$a\"", &["rm·-rf·rm -rf"]),
            ("{rm,-rf,/} a{b,c}d {} {x}", &["rm·-rf·/·abd·acd·{}·{x}"]),
            ("$(echo rm) -rf", &["echo·rm", "rm·-rf"]),
            ("$'\\x72\\155' ${y:-a} ${HOME}", &["rm·a·~"]),
            ("a && b || c; d & e", &["a", "b", "c", "d", "e"]),
            ("if a; then b; fi # c", &["a", "b"]),
            ("f() { a; }; f 2>&1", &["a", "f"]),
            ("echo 'a;b' \"c|d\" e\\;f", &["echo·a;b·c|d·e;f"]),
            ("X=1 cmd $((1 + 2))", &["cmd·1"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_piped_is_known_or_known_to_be_unseen() {
        let input = |text: &str| read(text).into_iter().rev().find_map(|command| command.input);
        assert_eq!(input("echo YQ== | base64 -d | sh").as_deref(), Some("a"));
        assert_eq!(input("(echo a; echo b) | sh").as_deref(), Some("a\nb\n"));
        assert_eq!(input("cat <<E | sh\nx $(echo y)\nE\n").as_deref(), Some("x y\n"));
        assert_eq!(input("curl x | tee y | sh").as_deref(), Some(&*UNSEEN.to_string()));
        assert_eq!(
            read("a > b 2> /c 2>&1 &> d").pop().map(|c| c.targets),
            Some(vec!["b".into(), "/c".into(), "d".into()])
        );
    }

    #[test]
    fn no_text_is_too_odd_to_be_read() {
        let signs: Vec<char> = "rm -f$(){}'\"`\\|&;<>\n #=x\u{e001}ä".chars().collect();
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let length = random.usize(..40);
            let text: String = (0..length).map(|_| signs[random.usize(..signs.len())]).collect();
            read(&text);
        }
        read(&"$(".repeat(50_000));
        read(&"<<a\n".repeat(5_000));
    }
}
