//! Who asks for a well-known app or service that no tool is for is told so.
//!
//! Some names are common words as well (`linear`, `box`): such a word is read as a name only where it is used like one,
//! and only where no tool has it.

use crate::search::index::document::Field;
use crate::search::index::inverted::Index;
use crate::search::rank::query::{QUERY_MAX_CHARS, Query};
use crate::search::rank::service_names::{COMMON, is_one_of, is_service};
use crate::search::text::clean::first_chars;
use crate::search::text::words::{Stems, is_stop_word};

/// What stands before a name: a verb that does something in it, or where it is.
const BEFORE: &str = "from in into on through to using via with";

/// What a query that starts with a name goes on with: "linear create issue".
const ACTIONS: &str = "add archive create delete download export fetch get import invite list move post read rename \
    search send share sync update upload";

/// What apps have, one of it: a name before one is an app's ("zoom meeting").
const PARTS: &str = "account api app board call channel chat event folder inbox issue meeting message page recording \
    ticket webinar workbook workspace";

/// Apps that are common words even behind the name of who makes them: "google calendar".
const OF_MAKER: &str =
    "ads analytics calendar contacts docs forms keep maps photos planner slides tasks todo";

/// Tools that mention what none of them is for, at most.
const MENTIONS_MAX: usize = 500;

/// Words of a query that are looked at.
const WORDS_MAX: usize = 200;

/// The apps and services that a query names and no tool is for.
pub(crate) fn missing_services(index: &Index, read: &Query, text: &str) -> Vec<String> {
    let missing = |term: Option<u32>| term.is_none_or(|term| !is_provided(index, term));
    let plain = read.words.iter().filter(|word| is_service(&word.text) && missing(word.term));
    let mut names: Vec<String> = plain.map(|word| word.text.clone()).collect();
    let text = first_chars(text, QUERY_MAX_CHARS);
    let words: Vec<&str> = text.split_whitespace().take(WORDS_MAX).collect();
    for at in 0..words.len() {
        let (maker, app) = (bare(words[at]), words.get(at + 1).map_or("", |word| bare(word)));
        if is_one_of(maker, "google microsoft") && is_one_of(app, OF_MAKER) {
            let maker = maker.to_ascii_lowercase();
            let term = index.terms.find(&Stems::new().stem(&maker));
            if missing(term.map(|term| term as u32)) {
                names.push(format!("{maker} {}", app.to_ascii_lowercase()));
            }
            continue;
        }
        let site = bare(words[at]);
        let name = site.strip_suffix(".com").unwrap_or(site);
        if !COMMON.has(name) || name == site && !is_used_as_name(&words, at, name) {
            continue;
        }
        let name = name.to_ascii_lowercase();
        if index.terms.find(&Stems::new().stem(&name)).is_none() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether some tool is for the app or service: it says so where it says what it is, or takes the name as a value.
fn is_provided(index: &Index, term: u32) -> bool {
    const SAYS: [Field; 5] =
        [Field::Name, Field::Server, Field::Summary, Field::Values, Field::Phrases];
    let (documents, _) = index.postings.of(term);
    let says = |&document: &u32| {
        index.collection.entries_of(document as usize).any(|entry| {
            index.word_terms.get(entry.word as usize) == Some(&term)
                && SAYS.iter().any(|field| *field as usize == usize::from(entry.field))
        })
    };
    documents.len() > MENTIONS_MAX || documents.iter().any(says)
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// Whether the common word at `at` is used as a name: "in Linear", "zoom meeting", "linear create issue".
fn is_used_as_name(words: &[&str], at: usize, name: &str) -> bool {
    let near = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", |word| bare(word));
    let (before, after) = (near(at.checked_sub(1)), near(Some(at + 1)));
    let starts_upper = |word: &str| word.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
    // A day of the week, capital letter or not.
    let is_day = is_one_of(name, "monday");
    let part = after.trim_end_matches('s');
    if is_one_of(part, PARTS) {
        return !(is_day && is_one_of(part, "call chat event meeting message"));
    }
    if is_one_of(before, "google microsoft ms") || at == 0 && is_one_of(after, ACTIONS) {
        return true;
    }
    let ends = !words[at].ends_with(name) || after.is_empty() || is_stop_word(after);
    // "the notion of", "teams of".
    let ends = ends && !is_one_of(after, "of that out");
    let is_named = starts_upper(name) && !starts_upper(after);
    // "work in teams", "where to box".
    let is_doubtful = is_one_of(before, "to")
        || is_one_of(before, "in") && is_one_of(name, "teams")
        || is_day && is_one_of(before, "on from to");
    match is_one_of(before, BEFORE) {
        true if is_doubtful => is_named && ends && !is_day,
        true => is_named || ends,
        false => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_service;
    use crate::search::index::document::Tool;
    use crate::search::index::inverted::Index;
    use crate::search::rank::score::{Options, rank};

    #[test]
    fn a_common_word_is_a_name_where_it_is_used_like_one() {
        let tool = |name, description| Tool { name, description, ..Tool::default() };
        let index = Index::build([
            tool("create_event", "Create a calendar event. Tells people in Slack."),
            tool("post_update", "Posts news to Discord."),
        ]);
        let named = |query: &str| rank(&index, query, Options::default()).services;
        for (query, name) in [
            ("create an issue in Linear", "linear"),
            ("create a ticket in linear", "linear"),
            ("linear create issue", "linear"),
            ("list the linear issues of my team", "linear"),
            ("add an item to the monday.com board", "monday"),
            ("move the monday board item", "monday"),
            ("upload the report to Box for the auditors", "box"),
            ("find the contract in box", "box"),
            ("start a zoom call", "zoom"),
            ("save the file to Google Drive", "drive"),
            ("write a page in Notion", "notion"),
            ("notion update page", "notion"),
            ("message the group on signal", "signal"),
            ("post it in the Teams channel", "teams"),
            ("tell them via teams", "teams"),
            ("invite her to the call on Meet", "meet"),
            ("zoom meeting", "zoom"),
            ("schedule a Zoom meeting", "zoom"),
            ("google calendar event", "google calendar"),
            ("create an event in Google Calendar", "google calendar"),
            ("notion page", "notion"),
            // Only said beside what the tool is for.
            ("post in slack", "slack"),
        ] {
            assert_eq!(named(query), [name], "{query}");
        }
        for query in [
            "schedule a call on Monday",
            "monday meeting",
            "google for calendars",
            "from monday to friday",
            "remind me on monday at nine",
            "every Monday call my mother",
            "fit a linear regression",
            "search in linear time",
            "solve it with linear algebra",
            "put the toys in the box",
            "draw a bounding box",
            "zoom in on the picture",
            "how long to drive to the airport",
            "the notion of justice",
            "send a signal to the process",
            "traffic signal timing",
            "split the players into teams of five",
            "work in teams",
            "meet my friends on Friday",
            "I want to meet them",
            "cook on medium heat",
            "a wise decision",
            "post to discord",
        ] {
            assert!(named(query).is_empty(), "{query}: {:?}", named(query));
        }
        let index = Index::build([tool("linear_createIssue", "Create an issue.")]);
        assert!(rank(&index, "create an issue in Linear", Options::default()).services.is_empty());
    }

    /// The examples of the page.
    #[test]
    fn the_page_says_what_is_so() {
        let page = include_str!("../../../../docs/tool-search.md");
        let index = Index::build([Tool { name: "create_event", ..Tool::default() }]);
        for (example, names) in [
            ("create an issue in Linear", &["linear"][..]),
            ("zoom meeting", &["zoom"]),
            ("google calendar event", &["google calendar"]),
            ("linear regression", &[]),
            ("on Monday", &[]),
        ] {
            let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains(&format!("\"{example}\"")), "{example}");
            assert_eq!(rank(&index, example, Options::default()).services, names, "{example}");
        }
    }

    #[test]
    fn services_are_known_and_words_are_not() {
        assert!(is_service("slack") && !is_service("monday") && !is_service("slacks"));
    }
}
