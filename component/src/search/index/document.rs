//! A tool definition as text by field: what the index sees of it.

use std::borrow::Cow;

use crate::search::schema::words::{SchemaText, text_of_json};
use crate::search::text::clean::first_chars;
use crate::search::text::fold::fold;

/// A tool as the search sees it. Text is untrusted: any length, any characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tool<'a> {
    /// The tool's name, with or without a prefix of its server (`mcp__github__create_issue`).
    pub name: &'a str,
    /// The server or toolset it belongs to; empty when none.
    pub server: &'a str,
    /// A name for people; empty when none.
    pub title: &'a str,
    /// What it does; empty when not said.
    pub description: &'a str,
    /// The JSON Schema of its arguments, as JSON text; empty when none. Of what is no
    /// JSON some parts may be read: the tool is still found by its other fields.
    pub schema: &'a str,
    /// Words it is filed under.
    pub tags: &'a [&'a str],
    /// Other names it goes by.
    pub aliases: &'a [&'a str],
    /// What users call what it does.
    pub phrases: &'a [&'a str],
}

/// How many fields a document has.
pub const FIELDS: usize = 8;

/// The fields of a document, in the order in which they are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The tool's name, title and aliases.
    Name,
    /// Its server's name and its tags.
    Server,
    /// The first sentence of its description.
    Summary,
    /// The rest of its description.
    Details,
    /// Names of parameters.
    Parameters,
    /// Descriptions of parameters.
    ParameterDetails,
    /// Values that a parameter is limited to.
    Values,
    /// What users call what it does. Not its owner's words: kept apart, so that they lengthen none of
    /// the other fields.
    Phrases,
}

/// Characters of a name, and of a server, that are indexed.
const NAME_MAX_CHARS: usize = 512;
/// Characters of the first sentence, and of the rest, that are indexed.
const DESCRIPTION_MAX_CHARS: usize = 2_000;

/// The text of each field of `tool`, in the order of [`Field`].
pub fn fields<'a>(tool: &Tool<'a>) -> [Cow<'a, str>; FIELDS] {
    let mut name = name_chars(bare_name(tool.name, tool.server)).to_owned();
    append_new(&mut name, std::iter::once(tool.title).chain(tool.aliases.iter().copied()));
    let mut server = name_chars(tool.server).to_owned();
    append_new(&mut server, tool.tags.iter().copied());
    // Nothing past this could survive the caps: what it costs to look for a sentence's end is bounded.
    let description = first_chars(tool.description, 3 * DESCRIPTION_MAX_CHARS);
    let (summary, details) = description.split_at(first_sentence_end(description));
    let SchemaText { names, descriptions, values } = text_of_json(tool.schema);
    [
        name.into(),
        server.into(),
        first_chars(summary, DESCRIPTION_MAX_CHARS).into(),
        first_chars(details, DESCRIPTION_MAX_CHARS).into(),
        names.into(),
        descriptions.into(),
        values.into(),
        tool.phrases.join("\n").into(),
    ]
}

/// `name` without the prefix that only repeats where it comes from: `mcp__x__y` and `x__y` of the
/// server `x` give `y`.
fn bare_name<'a>(name: &'a str, server: &str) -> &'a str {
    let name = match name.get(..5) {
        Some(prefix) if prefix.eq_ignore_ascii_case("mcp__") => &name[5..],
        _ => name,
    };
    match name.split_once("__") {
        Some((prefix, rest)) if !rest.is_empty() && fold(prefix) == fold(server) => rest,
        _ => name,
    }
}

/// The part of a name that counts.
fn name_chars(name: &str) -> &str {
    first_chars(name, NAME_MAX_CHARS)
}

/// Appends to `text` those of `phrases` that are not in it already: a title that repeats the name
/// must not count twice.
fn append_new<'a>(text: &mut String, phrases: impl Iterator<Item = &'a str>) {
    for phrase in phrases {
        let phrase = name_chars(phrase);
        if text.len() < 4 * NAME_MAX_CHARS && !fold(text).contains(&fold(phrase)) {
            text.push(' ');
            text.push_str(phrase);
        }
    }
}

/// Where the first sentence ends, in bytes: behind `.`, `!` or `?` before white space or the end,
/// with two characters before it that are neither space nor full stop (so that `e.g. ` and `1. `
/// end nothing); behind a full-width full stop; or behind an empty line.
fn first_sentence_end(text: &str) -> usize {
    let solid = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace() && c != '.');
    let (mut before, mut last) = (None, None);
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        match c {
            '.' | '!' | '?' => {
                let ends = after.chars().next().is_none_or(char::is_whitespace);
                if ends && solid(before) && solid(last) {
                    return at + 1;
                }
            }
            '。' | '！' | '？' => return at + c.len_utf8(),
            '\n' => {
                // The longest run of white space counts, up to its last line break.
                let space = after.len() - after.trim_start().len();
                if let Some(end) = after[..space].rfind('\n') {
                    return at + 1 + end + 1;
                }
            }
            _ => {}
        }
        (before, last) = (last, Some(c));
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Tool, bare_name, fields, first_sentence_end};

    fn first_sentence(text: &str) -> &str {
        &text[..first_sentence_end(text)]
    }

    #[test]
    fn the_first_sentence_ends_where_a_reader_would_say() {
        assert_eq!(first_sentence("Lists files. Sorted by name."), "Lists files.");
        assert_eq!(first_sentence("Lists files (e.g. all). Sorted."), "Lists files (e.g. all).");
        assert_eq!(first_sentence("Reads v1.2 files\n  \n\nMore."), "Reads v1.2 files\n  \n\n");
        assert_eq!(first_sentence("搜索文件。返回列表"), "搜索文件。");
        assert_eq!(first_sentence("one\ntwo"), "one\ntwo");
        assert_eq!(first_sentence(""), "");
    }

    #[test]
    fn a_prefix_that_repeats_the_server_is_not_part_of_the_name() {
        assert_eq!(bare_name("mcp__github__create_issue", "github"), "create_issue");
        assert_eq!(bare_name("mcp__git_hub__create_issue", "git-hub"), "create_issue");
        assert_eq!(bare_name("github__create__issue", "github"), "create__issue");
        assert_eq!(bare_name("other__create_issue", "github"), "other__create_issue");
        assert_eq!(bare_name("github__", "github"), "github__");
        assert_eq!(bare_name("é", ""), "é");
    }

    #[test]
    fn a_title_counts_only_for_what_it_adds() {
        let tool = Tool {
            name: "create_issue",
            title: "Create issue",
            aliases: &["open ticket", "create-issue"],
            ..Tool::default()
        };
        assert_eq!(fields(&tool)[0], "create_issue open ticket");
    }

    #[test]
    fn a_huge_definition_gives_bounded_text() {
        let (description, schema) = ("word ".repeat(1 << 20), "[".repeat(1 << 20));
        let tool = Tool {
            name: &description,
            description: &description,
            schema: &schema,
            ..Tool::default()
        };
        assert!(fields(&tool).iter().all(|text| text.chars().count() <= 2_000));
    }
}
