//! What a query says besides its words: `select:`, `+required`, `server:github`, `re:` and `glob:`.

use crate::limits::{SEARCH_QUERY_MAX_CHARS, SELECT_MAX_NAMES};
use crate::search::catalog::definition::{Origin, Risk};
use crate::search::catalog::tools::{Catalog, Tool};
use crate::search::text::clean;
use crate::search::text::fold::fold;

/// Characters of a pattern. Matching takes linear time, and a longer one says nothing more.
const PATTERN_MAX_CHARS: usize = 200;

/// A query, read.
#[derive(Debug, Clone)]
pub struct Query {
    /// The words to rank by; required ones are among them.
    pub words: String,
    /// Servers that the query is narrowed to, as written.
    pub servers: Vec<String>,
    /// Names asked for by `select:`; when there are any, nothing is ranked.
    pub select: Vec<String>,
    /// How many more names were asked for than [`SELECT_MAX_NAMES`].
    pub more_names: usize,
    /// What a tool must have to be a hit.
    conditions: Vec<Condition>,
    /// What could not be read, as one sentence each.
    pub complaints: Vec<String>,
}

#[derive(Debug, Clone)]
enum Condition {
    Word(String),
    Server(String),
    Tag(String),
    Origin(Origin),
    IsSkill(bool),
    Risk(Risk),
    Pattern(regex_lite::Regex),
}

impl Query {
    /// Reads a query. Nothing is an error: what cannot be read is complained about, and the rest
    /// is searched for.
    pub fn parse(text: &str) -> Query {
        let text = text.trim();
        let mut query = Query {
            words: String::new(),
            servers: Vec::new(),
            select: Vec::new(),
            more_names: 0,
            conditions: Vec::new(),
            complaints: Vec::new(),
        };
        if let Some(names) = strip_key(text, "select") {
            let mut names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
            let read = |name: &str| name.chars().take(SEARCH_QUERY_MAX_CHARS).collect();
            query.select = names.by_ref().take(SELECT_MAX_NAMES).map(read).collect();
            query.more_names = names.count();
            return query;
        }
        let read: String = text.chars().take(SEARCH_QUERY_MAX_CHARS).collect();
        for word in read.split_whitespace() {
            query.take(word);
        }
        query
    }

    fn take(&mut self, word: &str) {
        // A number behind a plus sign is dialled.
        let is_word = |word: &&str| !word.bytes().all(|b| b.is_ascii_digit());
        let condition = if let Some(required) = word.strip_prefix('+').filter(is_word) {
            self.push_word(required);
            Some(Condition::Word(required.to_lowercase()))
        } else if let Some(server) =
            strip_key(word, "server").or_else(|| strip_key(word, "toolset"))
        {
            self.servers.push(server.to_owned());
            Some(Condition::Server(fold(server)))
        } else if let Some(tag) = strip_key(word, "tag") {
            Some(Condition::Tag(tag.to_lowercase()))
        } else if let Some(kind) = strip_key(word, "kind") {
            let known = Origin::parse(kind).map(Condition::Origin);
            self.known(known, word, "kind is one of core, mcp, plugin, skill")
        } else if let Some(risk) = strip_key(word, "risk") {
            let known = Risk::parse(risk).map(Condition::Risk);
            self.known(
                known,
                word,
                "risk is one of read-only, writes, destructive, open-world, unknown",
            )
        } else if let Some(pattern) = strip_key(word, "re") {
            self.pattern(word, pattern)
        } else if let Some(glob) = strip_key(word, "glob") {
            self.pattern(word, &glob_as_regex(glob))
        } else {
            self.push_word(word);
            None
        };
        self.conditions.extend(condition);
    }

    fn known(&mut self, known: Option<Condition>, word: &str, hint: &str) -> Option<Condition> {
        if known.is_none() {
            let word = clean::one_line(word, 60);
            self.complaints.push(format!("{word} was ignored: {hint}"));
        }
        known
    }

    fn pattern(&mut self, word: &str, pattern: &str) -> Option<Condition> {
        let short = pattern.chars().count() <= PATTERN_MAX_CHARS * 2;
        let regex = short
            .then(|| {
                regex_lite::RegexBuilder::new(pattern)
                    .case_insensitive(true)
                    .size_limit(1 << 18)
                    .build()
                    .ok()
            })
            .flatten();
        self.known(
            regex.map(Condition::Pattern),
            word,
            "a pattern is a regular expression over names, of at most 200 characters",
        )
    }

    fn push_word(&mut self, word: &str) {
        if !self.words.is_empty() {
            self.words.push(' ');
        }
        self.words.push_str(word);
    }

    /// Narrows the query to skills, or to what is none.
    pub(crate) fn only(&mut self, skills: bool) {
        self.conditions.push(Condition::IsSkill(skills));
    }

    /// Whether the query has conditions, so that it means something without words.
    pub fn is_filter(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// How many conditions a tool must meet.
    pub fn conditions(&self) -> usize {
        self.conditions.len()
    }

    /// Whether a tool meets every condition.
    pub fn admits(&self, tool: &Tool) -> bool {
        self.conditions.iter().all(|condition| condition.holds(tool))
    }

    /// Whether nothing at all was asked for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.select.is_empty() && self.conditions.is_empty()
    }

    /// The tools that meet every condition, as a mask by place in the catalog.
    pub fn mask(&self, catalog: &Catalog) -> Vec<bool> {
        catalog.tools().iter().map(|tool| self.admits(tool)).collect()
    }
}

impl Condition {
    fn holds(&self, tool: &Tool) -> bool {
        let definition = &tool.definition;
        match self {
            Condition::Word(word) => mentions(tool, word),
            Condition::Server(server) => {
                fold(tool.group()) == *server
                    || fold(definition.server.trim_start_matches("mcp-")) == *server
            }
            Condition::Tag(tag) => definition.tags.iter().any(|own| own.to_lowercase() == *tag),
            Condition::Origin(origin) => definition.origin == *origin,
            Condition::IsSkill(is_skill) => (definition.origin == Origin::Skill) == *is_skill,
            Condition::Risk(risk) => tool.risk() == *risk,
            Condition::Pattern(regex) => {
                regex.is_match(&tool.id) || regex.is_match(&definition.name)
            }
        }
    }
}

/// Whether a tool has the word: in a name, its server, its description, its tags or its schema,
/// at the start of a word there, in any case.
fn mentions(tool: &Tool, word: &str) -> bool {
    let definition = &tool.definition;
    let texts = [
        tool.id.as_str(),
        &definition.name,
        definition.title.as_deref().unwrap_or_default(),
        &definition.server,
        &definition.description,
        &definition.input_schema,
    ];
    texts
        .into_iter()
        .chain(definition.tags.iter().chain(&definition.aliases).map(String::as_str))
        .any(|text| has_word(text, word))
}

/// Whether `word`, in lower case, is in `text` where a word starts; capitals start words too.
fn has_word(text: &str, word: &str) -> bool {
    if text.is_ascii() {
        let (text, word) = (text.as_bytes(), word.as_bytes());
        let Some(&first) = word.first() else { return true };
        return memchr::memchr2_iter(first, first.to_ascii_uppercase(), text).any(|at| {
            let starts = at == 0
                || !text[at - 1].is_ascii_alphanumeric()
                || (text[at].is_ascii_uppercase() && !text[at - 1].is_ascii_uppercase());
            let found = text.get(at..at + word.len());
            starts && found.is_some_and(|found| found.eq_ignore_ascii_case(word))
        });
    }
    // Not all scripts put spaces between words: anywhere will do.
    text.to_lowercase().contains(word)
}

fn strip_key<'a>(word: &'a str, key: &str) -> Option<&'a str> {
    let head = word.get(..key.len())?;
    let value = word[key.len()..].strip_prefix(':').filter(|_| head.eq_ignore_ascii_case(key))?;
    let value = value.trim().trim_matches('"');
    (!value.is_empty()).then_some(value)
}

fn glob_as_regex(glob: &str) -> String {
    let mut regex = String::from("^");
    for c in glob.chars() {
        match c {
            '*' => regex.push_str(".*"),
            '?' => regex.push('.'),
            c if c.is_alphanumeric() || c == '_' => regex.push(c),
            c => {
                regex.push('\\');
                regex.push(c);
            }
        }
    }
    regex.push('$');
    regex
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_taken_apart() {
        let query = Query::parse("create +Issue server:GitHub risk:read_only tag:x kind:planet");
        assert_eq!(query.words, "create Issue");
        assert_eq!(query.conditions.len(), 4);
        assert_eq!(
            query.complaints,
            ["kind:planet was ignored: kind is one of core, mcp, plugin, skill"]
        );
        assert_eq!(Query::parse(" select: a , b,").select, ["a", "b"]);
        assert!(Query::parse("  ").is_empty());
        // Nor does the name of a thing: docs/tool-search.md says what kind each of these is.
        for named in [
            "close PROJ-482 and #31",
            "acme/web#214",
            "!410 is good",
            "tell #standup",
            "from:jana@example.com",
            "open https://example.com",
            "find *.csv",
            "SELECT name FROM users",
            "call +49 171 5552031",
            "ping 10.0.3.7",
            "go to 48.137, 11.575",
            "revert 4f9c2d1",
        ] {
            let query = Query::parse(named);
            assert_eq!((&*query.words, query.conditions(), query.complaints.len()), (named, 0, 0));
        }
        // A colon alone does not make a filter.
        assert_eq!(Query::parse("note: http://x.test +").words, "note: http://x.test +");
    }

    #[test]
    fn patterns_are_linear_and_bounded() {
        let query = Query::parse("re:(a*)*b glob:list_*");
        assert_eq!(query.conditions.len(), 2);
        let long = Query::parse(&format!("re:{}", "a".repeat(500)));
        assert_eq!((long.conditions.len(), long.complaints.len()), (0, 1));
        assert_eq!(Query::parse("re:(").complaints.len(), 1);
        assert_eq!(glob_as_regex("a.b_*?"), "^a\\.b_.*.$");
    }

    #[test]
    fn a_required_word_starts_a_word() {
        assert!(has_word("createIssue", "issue"));
        assert!(has_word("create_issue now", "issue"));
        assert!(has_word("Issues", "issue"));
        assert!(!has_word("tissue", "issue"));
        assert!(!has_word("is", "issue"));
        assert!(has_word("課題を作成", "作成"));
    }
}
