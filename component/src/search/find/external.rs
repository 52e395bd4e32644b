//! What an embedding model outside of the sandbox says, as a third term of the ranking.
//!
//! A host may embed the tools' texts ([`texts`]) and a call's queries
//! ([`crate::search::bridge::invoke::queries`]) with a model of its own, and pass in how near they are. Added up with the
//! other two terms, never in their place: without it, or when it fails, the ranking is the usual one.

use crate::search::catalog::tools::{Catalog, Tool};
use crate::search::fingerprint::QuickFields;
use crate::search::index::document::fields;
use crate::search::text::clean::{self, first_chars};

/// What a cosine above the mean of all tools counts beside the lexical part, which is at most 1: as
/// much as the cosine of the table's vectors.
pub(crate) const EXTERNAL_WEIGHT: f32 = 1.2;

/// Characters of one tool's text. Models read 256 tokens and more.
const TEXT_MAX_CHARS: usize = 2_000;

/// What an external model says about the queries of a call.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum ExternalScores {
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
    /// The query, as [`crate::search::bridge::invoke::queries`] gives it.
    pub query: String,
    /// A cosine for each text of [`texts`], in its order.
    pub scores: Vec<f32>,
}

/// The text of a tool for an external model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolText {
    /// 32 hex digits: the same for the same text, in whatever catalog.
    pub key: String,
    /// At most 2,000 characters.
    pub text: String,
}

impl ExternalScores {
    /// What is added to the score of each of `count` tools for a query: `1.2 · max(0, cosine - mean)`.
    /// Models differ in how near unrelated texts are to them: the mean takes that away. None when
    /// nothing usable is said about this query.
    pub(crate) fn terms(&self, query: &str, count: usize) -> Option<Vec<f32>> {
        let ExternalScores::Scores(all) = self else { return None };
        let scores = &all.iter().find(|scores| scores.query == query)?.scores;
        if scores.len() != count || scores.iter().any(|score| !score.is_finite()) {
            return None;
        }
        let scores = scores.iter().map(|score| score.clamp(-1.0, 1.0));
        let mean = scores.clone().sum::<f32>() / count.max(1) as f32;
        Some(scores.map(|score| EXTERNAL_WEIGHT * (score - mean).max(0.0)).collect())
    }

    /// What an answer says about it: nothing, unless it failed.
    pub(crate) fn note(&self) -> Option<String> {
        let ExternalScores::Failed(why) = self else { return None };
        Some(clean::one_line(&format!("ranked without the embedding endpoint: {why}"), 240))
    }
}

/// The texts of all tools for an external model, in the catalog's order.
pub fn texts(catalog: &Catalog) -> Vec<ToolText> {
    let text = |tool: &Tool| {
        let [name, server, summary, details, parameters, ..] = fields(&tool.document());
        let text = format!("{server} {name}: {summary}{details} ({parameters})");
        let text = first_chars(text.trim(), TEXT_MAX_CHARS).to_owned();
        let key = format!("{:032x}", QuickFields::default().text(&text).finish());
        ToolText { key, text }
    };
    catalog.tools.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::find::answer::SearchAnswer;
    use crate::search::find::conversation::Conversation;
    use crate::search::find::search::{SearchRequest, search};
    use crate::search::tests::samples::{build, small};

    fn ask(catalog: &Catalog, query: &str, external: ExternalScores) -> SearchAnswer {
        let request = SearchRequest { queries: vec![query.to_owned()], ..SearchRequest::default() };
        search(catalog, &request, &Conversation { external, ..Conversation::default() }).unwrap()
    }

    fn says(catalog: &Catalog, query: &str, near: &str) -> ExternalScores {
        let scores = catalog.tools().iter().map(|tool| if tool.id == near { 0.8 } else { 0.2 });
        let scores = QueryScores { query: query.to_owned(), scores: scores.collect() };
        ExternalScores::Scores(vec![scores])
    }

    #[test]
    fn a_tool_that_only_the_model_knows_is_found() {
        let catalog = build(small());
        let query = "zeppelin rendezvous";
        let alone = ask(&catalog, query, ExternalScores::None);
        assert!(alone.groups[0].matches.iter().all(|hit| hit.name != "create_event"));
        let helped = ask(&catalog, query, says(&catalog, query, "create_event"));
        assert_eq!(helped.groups[0].matches[0].name, "create_event");
        assert_eq!(helped.note, None);
    }

    #[test]
    fn a_failure_changes_nothing_but_is_said() {
        let catalog = build(small());
        let plain = ask(&catalog, "create issue", ExternalScores::None);
        let failed =
            ask(&catalog, "create issue", ExternalScores::Failed("no answer\nin 500 ms".into()));
        assert_eq!(failed.groups, plain.groups);
        let json = failed.to_json();
        assert!(json.contains("without the embedding endpoint: no answer in 500 ms"), "{json}");
    }

    #[test]
    fn scores_that_do_not_fit_are_not_used() {
        let catalog = build(small());
        let plain = ask(&catalog, "create issue", ExternalScores::None);
        for scores in [vec![], vec![0.5; 3], vec![f32::NAN; 7], vec![f32::INFINITY; 7]] {
            let scores = QueryScores { query: "create issue".to_owned(), scores };
            let answer = ask(&catalog, "create issue", ExternalScores::Scores(vec![scores]));
            assert_eq!(answer.groups, plain.groups);
        }
        let other = says(&catalog, "another query", "send_message");
        assert_eq!(ask(&catalog, "create issue", other).groups, plain.groups);
    }

    #[test]
    fn texts_are_named_by_what_they_say() {
        let (one, other) = (texts(&build(small())), texts(&build(small().split_off(2))));
        assert!(other.iter().all(|text| one.contains(text)));
        assert!(one.iter().any(|text| text.text.starts_with("github create_issue: ")), "{one:?}");
        assert!(one.iter().all(|text| text.key.len() == 32));
    }

    proptest! {
        #[test]
        fn whatever_the_model_says_no_tool_outside_the_filter_appears(
            scores in proptest::collection::vec(-2f32..2.0, 7),
        ) {
            let catalog = build(small());
            let scores = QueryScores { query: "issue".to_owned(), scores };
            let answer = ask(&catalog, "server:github issue", ExternalScores::Scores(vec![scores]));
            prop_assert!(answer.groups[0].matches.iter().all(|hit| hit.server == "github"));
        }
    }
}
