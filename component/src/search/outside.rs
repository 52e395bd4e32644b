//! What an embedding model outside of the sandbox says, as a third term of the ranking.
//!
//! A host may embed the tools' texts ([`Catalog::texts`]) and a call's queries
//! ([`Catalog::queries`]) with a model of its own, and pass in how near they are. Added up with the
//! other two terms, never in their place: without it, or when it fails, the ranking is the usual one.

use super::catalog::Catalog;
use super::document;
use super::filter::Query;
use super::fingerprint::QuickFields;
use super::screen;

/// What a cosine above the mean of all tools counts beside the lexical part, which is at most 1: as
/// much as the cosine of the table's vectors.
pub(super) const OUTSIDE_WEIGHT: f32 = 1.2;

/// Characters of one tool's text. Models read 256 tokens and more.
const TEXT_MAX_CHARS: usize = 2_000;

/// What a model outside says about the queries of a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Outside {
    /// It was not asked.
    #[default]
    None,
    /// How near tools are to each query.
    Scores(Vec<QueryScores>),
    /// It was asked and gave no answer; why not, in one sentence. The answer says so.
    Failed(String),
}

/// How near tools are to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryScores {
    /// The query, as [`Catalog::queries`] gives it.
    pub query: String,
    /// A cosine for each text of [`Catalog::texts`], in its order.
    pub scores: Vec<f32>,
}

/// The text of a tool for a model outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolText {
    /// 32 hex digits: the same for the same text, in whatever catalog.
    pub key: String,
    /// At most 2,000 characters.
    pub text: String,
}

impl Outside {
    /// What is added to the score of each of `count` tools for a query: `1.2 · max(0, cosine - mean)`.
    /// Models differ in how near unrelated texts are to them: the mean takes that away. None when
    /// nothing usable is said about this query.
    pub(super) fn terms(&self, query: &str, count: usize) -> Option<Vec<f32>> {
        let Outside::Scores(all) = self else { return None };
        let scores = &all.iter().find(|scores| scores.query == query)?.scores;
        if scores.len() != count || scores.iter().any(|score| !score.is_finite()) {
            return None;
        }
        let scores = scores.iter().map(|score| score.clamp(-1.0, 1.0));
        let mean = scores.clone().sum::<f32>() / count.max(1) as f32;
        Some(scores.map(|score| OUTSIDE_WEIGHT * (score - mean).max(0.0)).collect())
    }

    /// What an answer says about it: nothing, unless it failed.
    pub(super) fn note(&self) -> Option<String> {
        let Outside::Failed(why) = self else { return None };
        Some(screen::one_line(&format!("ranked without the embedding endpoint: {why}"), 240))
    }
}

impl Catalog {
    /// The texts of all tools for a model outside, in the catalog's order.
    pub fn texts(&self) -> Vec<ToolText> {
        let text = |tool: &super::catalog::Tool| {
            let [name, server, summary, details, parameters, ..] =
                document::fields(&document::Tool {
                    name: &tool.definition.name,
                    server: &tool.definition.server,
                    title: tool.definition.title.as_deref().unwrap_or_default(),
                    description: &tool.definition.description,
                    schema: if tool.opaque.is_some() { "" } else { &tool.definition.input_schema },
                    ..document::Tool::default()
                });
            let text = format!("{server} {name}: {summary}{details} ({parameters})");
            let text = document::first_chars(text.trim(), TEXT_MAX_CHARS).to_owned();
            let key = format!("{:032x}", QuickFields::default().text(&text).finish());
            ToolText { key, text }
        };
        self.tools.iter().map(text).collect()
    }

    /// What a call to the bridge tool `name` would rank tools by: one text for each query that has
    /// words. Nothing for other tools, and for queries that name what they want.
    pub fn queries(&self, name: &str, arguments: &str) -> Vec<String> {
        if name != self.bridge.search {
            return Vec::new();
        }
        let queries = super::bridge::read_search(arguments).queries;
        let read = queries.iter().map(|query| Query::parse(query));
        read.filter(|query| query.select.is_empty() && !query.words.is_empty())
            .map(|query| query.words)
            .take(crate::limits::SEARCH_MAX_QUERIES)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::conversation::Conversation;
    use super::super::find::{SearchAnswer, SearchRequest};
    use super::super::samples::{build, small};
    use super::*;

    fn ask(catalog: &Catalog, query: &str, outside: Outside) -> SearchAnswer {
        let request = SearchRequest { queries: vec![query.to_owned()], ..SearchRequest::default() };
        catalog.search(&request, &Conversation { outside, ..Conversation::default() }).unwrap()
    }

    fn says(catalog: &Catalog, query: &str, near: &str) -> Outside {
        let scores = catalog.tools().iter().map(|tool| if tool.id == near { 0.8 } else { 0.2 });
        let scores = QueryScores { query: query.to_owned(), scores: scores.collect() };
        Outside::Scores(vec![scores])
    }

    #[test]
    fn a_tool_that_only_the_model_knows_is_found() {
        let catalog = build(small());
        let query = "zeppelin rendezvous";
        let alone = ask(&catalog, query, Outside::None);
        assert!(alone.groups[0].matches.iter().all(|hit| hit.name != "create_event"));
        let helped = ask(&catalog, query, says(&catalog, query, "create_event"));
        assert_eq!(helped.groups[0].matches[0].name, "create_event");
        assert_eq!(helped.note, None);
    }

    #[test]
    fn a_failure_changes_nothing_but_is_said() {
        let catalog = build(small());
        let plain = ask(&catalog, "create issue", Outside::None);
        let failed = ask(&catalog, "create issue", Outside::Failed("no answer\nin 500 ms".into()));
        assert_eq!(failed.groups, plain.groups);
        let json = failed.to_json();
        assert!(json.contains("without the embedding endpoint: no answer in 500 ms"), "{json}");
    }

    #[test]
    fn scores_that_do_not_fit_are_not_used() {
        let catalog = build(small());
        let plain = ask(&catalog, "create issue", Outside::None);
        for scores in [vec![], vec![0.5; 3], vec![f32::NAN; 7], vec![f32::INFINITY; 7]] {
            let scores = QueryScores { query: "create issue".to_owned(), scores };
            let answer = ask(&catalog, "create issue", Outside::Scores(vec![scores]));
            assert_eq!(answer.groups, plain.groups);
        }
        let other = says(&catalog, "another query", "send_message");
        assert_eq!(ask(&catalog, "create issue", other).groups, plain.groups);
    }

    #[test]
    fn texts_are_named_by_what_they_say() {
        let (one, other) = (build(small()).texts(), build(small().split_off(2)).texts());
        assert!(other.iter().all(|text| one.contains(text)));
        assert!(one.iter().any(|text| text.text.starts_with("github create_issue: ")), "{one:?}");
        assert!(one.iter().all(|text| text.key.len() == 32));
    }

    #[test]
    fn queries_are_what_is_ranked_by() {
        let catalog = build(small());
        let of = |name: &str, arguments: &str| catalog.queries(name, arguments);
        let both = r#"{"queries": ["server:github open issue", "select:create_event", "mail"]}"#;
        assert_eq!(of("tool_search", both), ["open issue", "mail"]);
        assert_eq!(of("tool_search", "send a letter"), ["send a letter"]);
        assert_eq!(of("tool_call", both), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn whatever_the_model_says_no_tool_outside_the_filter_appears(
            scores in proptest::collection::vec(-2f32..2.0, 7),
        ) {
            let catalog = build(small());
            let scores = QueryScores { query: "issue".to_owned(), scores };
            let answer = ask(&catalog, "server:github issue", Outside::Scores(vec![scores]));
            prop_assert!(answer.groups[0].matches.iter().all(|hit| hit.server == "github"));
        }
    }
}
