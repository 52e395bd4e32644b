//! Calls that do what cannot be taken back: the list that `"dangerous"` switches on.
//!
//! What is read are the arguments: commands, code, SQL and paths, wherever they stand and whatever the tool is called. What is
//! dangerous in them is a table of words and patterns; it is a net for accidents, and who hides a command on purpose gets past it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex_lite::Regex;

use super::arguments::Text;
use super::command::{Command, UNKNOWN, UNSEEN, program};
use super::kind::Kind;
use super::shell::DOWNLOADERS;
use super::table::{TABLE, kind, kinds};
use super::{code, place, shell};
use crate::search::glob::is_among;

/// Something dangerous in a call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// The argument that it stands in.
    pub(super) path: String,
    /// The words that say so.
    pub(super) what: String,
}

/// Bytes of an argument that are read. A longer command counts as code that nobody has seen.
const MAX_COMMAND: usize = 64 << 10;

/// What is dangerous in a call.
pub(super) fn of_call(server: &str, tool: &str, only_reads: bool, texts: &[Text]) -> Vec<Found> {
    let own = names(tool);
    let names = [names(server), own.clone()].concat();
    let mut all = BTreeSet::new();
    for text in texts {
        let mut search = Search::default();
        search.of_argument(&names, text);
        let path = &text.path;
        let found = |(kind, what)| Found { kind, path: path.clone(), what };
        all.extend(search.found.into_iter().map(found));
    }
    if !only_reads {
        all.extend(of_tool(&names, &own, texts));
    }
    all.into_iter().collect()
}

/// The words of a name.
fn names(tool: &str) -> Vec<String> {
    static HUMP: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("([a-z])([A-Z])").ok());
    let parted = HUMP.as_ref().map_or(tool.into(), |hump| hump.replace_all(tool, "$1 $2"));
    let words = parted.split(|sign: char| !sign.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Arguments that people read: nothing runs them.
pub(super) const PROSE: &str = "\
content contents body message msg description title comment summary note markdown html prompt thought oldstr \
newstr oldtext newtext oldstring newstring subject diff";

/// Arguments that may be typed into a terminal as well as read: a command there is one line that begins with it.
const TYPED: &str = "text input data value keys chars";

/// Arguments that are looked for, not run.
const PATTERNS: &str = "pattern regex glob search filter query q";

/// Arguments that say where something goes.
const DESTINATIONS: &str = "\
destination dest output outputpath outputfile newpath savepath saveto out target";

/// Arguments that name a file or a folder.
const PATHS: &str = "path file filename filepath uri folder directory dir abspath";

/// What tools are called that change nothing.
const READS: &str = "\
read get list search find stat info view show describe grep count check fetch convert calculate estimate quote \
preview validate";

/// What tools are called that write.
const WRITES: &str = "\
write edit update delete remove move rename put save append copy install patch apply replace insert create";

/// What is dangerous in the tool and the names of its arguments, rather than in one of them.
fn of_tool(names: &[String], own: &[String], texts: &[Text]) -> Vec<Found> {
    let any_of = |wanted: &str| names.iter().any(|word| is_among(wanted, word));
    let first = own.iter().find(|word| is_among(READS, word) || is_among(WRITES, word));
    let reads = first.is_some_and(|word| is_among(READS, word));
    let keyed = |keys: &str| texts.iter().any(|text| is_among(keys, &text.key()));
    let writes = own.iter().any(|word| is_among(WRITES, word))
        || keyed(PROSE)
        || keyed("text data edits changes");
    let mut found = Vec::new();
    for text in texts.iter().filter(|text| !reads && !text.joined) {
        let key = text.key();
        let is_written = is_among(DESTINATIONS, &key)
            || is_among(PATHS, &key) && writes
            || is_among("source src from", &key) && any_of("move rename mv");
        for kind in place::of(&text.text, "").into_iter().filter(|_| is_written) {
            let what = weir_base::clip(&text.text, 200);
            found.push(Found { kind, path: text.path.clone(), what });
        }
    }
    let value = |text: &Text| text.text.chars().take(40).collect::<String>().replace(' ', "_");
    let said = texts.iter().map(|text| format!(" {}={}", text.key(), value(text).to_lowercase()));
    let line = format!(" {} |{} ", names.join(" "), said.take(100).collect::<String>());
    for row in TABLE.iter() {
        let looked = match row.programs {
            "@tool" => true,
            "@act" => !reads,
            "@mail" => !reads && !any_of("draft drafts translate"),
            _ => false,
        };
        let Some(groups) = row.pattern.captures(&line).filter(|_| looked) else { continue };
        let Some(kind) = kind(row.word) else { continue };
        let key = groups.iter().skip(1).flatten().next().map(|group| group.as_str());
        let text = texts.iter().find(|text| Some(&*text.key()) == key);
        found.push(Found {
            kind,
            path: text.map(|text| text.path.clone()).unwrap_or_default(),
            what: match text {
                Some(text) => format!("{} {}", text.key(), weir_base::clip(&text.text, 200)),
                None => names.join("_"),
            },
        });
    }
    found
}

/// What was found in one argument.
#[derive(Default)]
struct Search {
    found: BTreeSet<(Kind, String)>,
    /// Files that hold what was downloaded.
    downloaded: BTreeSet<String>,
}

impl Search {
    fn of_argument(&mut self, names: &[String], text: &Text) {
        let key = text.key();
        if is_among(PROSE, &key) {
            return;
        }
        if text.text.len() > MAX_COMMAND {
            let commands =
                ["command", "cmd", "script", "code", "shell", "run", "exec", "argv", "args", "sql"];
            if commands.iter().any(|command| key.contains(command)) {
                let what = format!("{key} is longer than {MAX_COMMAND} bytes, and is not read");
                self.add(Kind::Download, what);
            }
            return;
        }
        self.of_sql(&text.text);
        if is_among(PATTERNS, &key) {
            return;
        }
        let line = text.text.trim();
        if is_among(TYPED, &key) {
            // A sentence begins with no program of the list.
            let first = shell::read(line).into_iter().next();
            if let Some(command) = first.filter(|_| !line.contains(['\n', '`'])) {
                self.of_command(&command);
            }
            return;
        }
        self.of_text(line);
        if key.contains("code") || key.contains("script") || key == "expression" || key == "source"
        {
            self.of_code(line);
            for text in code::read(line).commands {
                self.of_text(&text);
            }
        }
        // A tool may be called as the program is whose arguments it takes.
        if text.joined && is_among("args arguments argv options params flags", &key) {
            self.of_text(&format!("{} {line}", names.join(" ")));
            if let Some(last) = names.last() {
                self.of_text(&format!("{last} {line}"));
            }
        }
    }

    fn add(&mut self, kind: Kind, what: impl Into<String>) {
        let hidden = |sign: char| sign.is_control() || matches!(sign, UNSEEN | UNKNOWN);
        let what: String = what.into().replace(hidden, " ");
        self.found.insert((kind, weir_base::clip(what.trim(), 200)));
    }

    /// A text that a shell would run.
    fn of_text(&mut self, text: &str) {
        for kind in kinds("@text", &text.to_lowercase()) {
            self.add(kind, text);
        }
        for command in shell::read(text) {
            self.of_command(&command);
        }
    }

    fn of_command(&mut self, command: &Command) {
        let (name, rest) = (command.name(), command.rest());
        let whole = command.words.join(" ");
        for target in &command.targets {
            if target.starts_with("/dev/tcp/") || target.starts_with("/dev/udp/") {
                self.add(Kind::Download, format!("a shell for {target}"));
            } else if let Some(kind) = place::of(target, &command.directory) {
                self.add(kind, format!("> {target}"));
            }
            if command.output.contains(UNSEEN) {
                self.downloaded.insert(program(target));
            }
        }
        for row in TABLE.iter().filter(|row| row.is_of(&name)) {
            match kind(row.word) {
                Some(kind) if row.pattern.is_match(&rest) => self.add(kind, &*whole),
                Some(_) => {}
                None => {
                    for path in row.pattern.captures_iter(&rest).filter_map(|found| found.get(1)) {
                        let kind = place::of(path.as_str(), &command.directory);
                        kind.into_iter().for_each(|kind| self.add(kind, &*whole));
                    }
                }
            }
        }
        if command.listed && is_among("rm unlink shred del", &name) {
            self.add(Kind::Deletion, &*whole);
        }
        let code = if code::is_interpreter(&name) { code::given(command) } else { Vec::new() };
        let runs_unseen = command.words.first().is_some_and(|word| word.contains(UNSEEN));
        if runs_unseen || code.iter().any(|code| code.contains(UNSEEN)) {
            self.add(Kind::Download, "what comes from the network or cannot be seen is run");
        }
        for code in code {
            self.of_code(&code);
        }
        if is_among(DATABASES, &name) {
            for text in command.words.iter().skip(1).chain(&command.input) {
                self.of_query(
                    text.split_once('=')
                        .filter(|_| text.starts_with("--"))
                        .map_or(text, |(_, value)| value),
                );
            }
        }
        self.of_download(&name, command, &whole);
    }

    /// A file that is downloaded, and one that is run after that.
    fn of_download(&mut self, name: &str, command: &Command, whole: &str) {
        let words = command.words.get(1..).unwrap_or_default();
        if is_among(DOWNLOADERS, name) {
            let named = |word: &&String| word.contains('/') || word.contains('.');
            self.downloaded.extend(words.iter().filter(named).map(|word| program(word)));
            return;
        }
        let runs = is_among(SHELLS, name) || code::is_interpreter(name);
        let file = match runs {
            true => words.iter().find(|word| !word.starts_with('-')),
            false => command.words.first().filter(|word| word.contains('/')),
        };
        if file.is_some_and(|file| self.downloaded.contains(&program(file))) {
            self.add(Kind::Download, whole);
        }
    }

    /// Code of an interpreter.
    fn of_code(&mut self, text: &str) {
        let code = code::read(text);
        for (kind, what) in code.kinds {
            self.add(kind, what);
        }
        for text in &code.queries {
            self.of_query(text);
        }
    }

    /// A query of any database.
    fn of_query(&mut self, text: &str) {
        self.of_sql(text);
        let small: String = text.to_lowercase().split_whitespace().collect();
        for kind in kinds("@query", &small) {
            self.add(kind, text);
        }
    }

    /// Statements of SQL that drop, or that delete or change every row. A sentence is none.
    fn of_sql(&mut self, text: &str) {
        let (text, literals) = statements(text);
        let prepared = ["exec", "prepare", "call", "do "].iter().any(|word| text.starts_with(word));
        // What is written by a statement in another one is read, and no deeper.
        let texts = [Some(text), prepared.then(|| statements(&literals).0)];
        for statement in texts.iter().flatten().flat_map(|text| text.split(';')).map(str::trim) {
            let condition = statement.split_once(" where ");
            let all = condition.is_none_or(|(_, condition)| is_always(condition));
            for kind in kinds("@sql", statement).chain(kinds("@all", statement).filter(|_| all)) {
                self.add(kind, statement);
            }
        }
    }
}

/// Whether a condition holds for every row, as far as its form says.
fn is_always(condition: &str) -> bool {
    condition.split(" or ").any(|part| match part.split_once('=') {
        Some((left, right)) => Some(left.trim()) == right.split_whitespace().next(),
        None => matches!(part.trim(), "true" | "1"),
    })
}

/// SQL in small letters with one blank between words, without comments and quotes of names; of what is quoted letters and digits, and all
/// of that as one text. What MySQL runs of a comment is none.
fn statements(text: &str) -> (String, String) {
    static PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?s)'[^']*'?|--[^\n]*|#[^\n]*|/\*!\d*|/\*.*?(?:\*/|$)|\*/").ok()
    });
    let mut literals = String::new();
    let plain = PARTS.as_ref().map_or(text.into(), |parts| {
        parts.replace_all(text, |found: &regex_lite::Captures<'_>| {
            let part = found.get(0).map_or("", |part| part.as_str());
            let Some(literal) = part.strip_prefix('\'') else { return " ".to_owned() };
            literals.push_str(literal.trim_end_matches('\''));
            let plain: String = literal.chars().filter(|sign| sign.is_alphanumeric()).collect();
            format!("'{plain}'")
        })
    });
    let plain = plain.to_lowercase().replace(['"', '`'], "");
    (plain.split_whitespace().collect::<Vec<_>>().join(" "), literals)
}

const SHELLS: &str = "sh bash zsh dash ksh ash fish csh tcsh source .";

const DATABASES: &str = "\
psql mysql mariadb sqlite3 sqlcmd duckdb clickhouse-client clickhouse cockroach bq snowsql mongo mongosh \
redis-cli valkey-cli";
