//! Whole rankings of a catalog by one ranker or another, to compare them.

use clap::ValueEnum;
use weir_component::search::catalog::tools::{Catalog, Tool};
use weir_component::search::rank::score::{self, Options};

use crate::plain::Bm25;

/// A way to rank tools by the words of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ranker {
    /// BM25 over one text a tool: what others are held against
    Plain,
    /// BM25 over weighted fields, stems, near words
    Bm25f,
    /// That and meaning, as search does it
    Fused,
}

impl Ranker {
    pub(crate) const ALL: [Ranker; 3] = [Ranker::Plain, Ranker::Bm25f, Ranker::Fused];

    /// What it is called on the command line and in answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Ranker::Plain => "plain",
            Ranker::Bm25f => "bm25f",
            Ranker::Fused => "fused",
        }
    }
}

/// A ranker, ready for a catalog.
pub(crate) struct Ready<'c> {
    catalog: &'c Catalog,
    plain: Option<Bm25>,
    semantic: bool,
}

impl<'c> Ready<'c> {
    pub(crate) fn new(catalog: &'c Catalog, ranker: Ranker) -> Ready<'c> {
        let plain = (ranker == Ranker::Plain)
            .then(|| Bm25::build(catalog.tools().iter().map(Tool::document)));
        Ready { catalog, plain, semantic: ranker == Ranker::Fused }
    }

    /// What the catalog calls the tools, best first. Nothing in a query but its words counts: no filters.
    pub(crate) fn rank(&self, query: &str, limit: usize) -> Vec<Vec<&'c str>> {
        let places: Vec<Vec<usize>> = match &self.plain {
            Some(plain) => plain.search(query, limit).into_iter().map(|at| vec![at]).collect(),
            None => {
                let name = |at: usize| {
                    let tool = &self.catalog.tools()[at].definition;
                    (&*tool.server, &*tool.name)
                };
                let options = Options {
                    limit,
                    semantic: self.semantic,
                    named: &self.catalog.named(query),
                    deprecated: self.catalog.deprecated(),
                    name: Some(&name),
                    ..Options::default()
                };
                let ranking = score::rank(self.catalog.index(), query, options);
                let place = |hit: &score::Scored| {
                    let also = ranking.also.iter().filter(|(head, _)| *head == hit.document);
                    std::iter::once(hit.document).chain(also.map(|&(_, own)| own)).collect()
                };
                ranking.hits.iter().map(place).collect()
            }
        };
        let id = |at: usize| self.catalog.tools()[at].id.as_str();
        places.into_iter().map(|place| place.into_iter().map(id).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use weir_component::search::catalog::definition::ToolDefinition;
    use weir_component::search::find::search::{SearchRequest, search};

    use super::*;
    use crate::read::catalog;

    fn small() -> Catalog {
        let tools = [
            ("create_issue", "Open a new issue in a repository"),
            ("list_issues", "List the issues of a repository"),
            ("send_message", "Send a message to a person"),
        ];
        let tool = |(name, description): (&str, &str)| ToolDefinition {
            name: name.to_owned(),
            description: description.to_owned(),
            server: "one".to_owned(),
            ..ToolDefinition::default()
        };
        catalog(tools.map(tool).to_vec(), true).expect("it builds")
    }

    #[test]
    fn each_ranker_finds_a_tool_by_its_words() {
        let catalog = small();
        for ranker in Ranker::ALL {
            let ranked = Ready::new(&catalog, ranker).rank("create an issue", 2);
            assert_eq!(ranked[0], ["create_issue"], "{ranker:?}");
            assert!(ranked.len() <= 2);
        }
    }

    #[test]
    fn what_search_finds_the_fused_ranking_has_in_the_same_order() {
        let catalog = small();
        let query = "create an issue";
        let ranked = Ready::new(&catalog, Ranker::Fused).rank(query, 25);
        let request =
            SearchRequest { queries: vec![query.into()], limit: Some(25), ..Default::default() };
        let answer = search(&catalog, &request, &Default::default()).expect("it answers");
        let found: Vec<&str> = answer.groups[0].matches.iter().map(|hit| &*hit.name).collect();
        assert!(!found.is_empty());
        assert_eq!(found, ranked[..found.len()].concat());
    }
}
