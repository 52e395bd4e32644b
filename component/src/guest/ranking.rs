//! `tool-ranking`.

use super::Component;
use super::convert::{Convert, cases, record};
use super::tools::{GuestCatalog, state};
use crate::abi::exports::weir::plugin::tool_ranking as wit;
use crate::abi::exports::weir::plugin::types::Failure;
use crate::search::bridge::invoke::queries;
use crate::search::catalog::delta::{Delta, delta};
use crate::search::catalog::servers::{ServerCount, server_counts};
use crate::search::catalog::tools::Catalog;
use crate::search::find::answer::{Detail, Group, Match, SearchAnswer};
use crate::search::find::describe::{
    Content, DescribeAnswer, DescribeRequest, Described, Missing, describe,
};
use crate::search::find::external::{ToolText, texts};
use crate::search::find::rankings::{Ranked, Ranker, rank};
use crate::search::find::search::{Explained, SearchRequest, explain, search};
use crate::search::rank::explain::TermScore;
use crate::search::rank::score::Band;

cases!(wit::Detail => Detail { Brief, Signature, Full });
cases!(wit::Ranker => Ranker { Plain, Lexical, Fused });
record!(wit::SearchRequest => SearchRequest { queries, limit, detail, max_chars });
record!(SearchAnswer => wit::SearchAnswer {
    groups, unanswered, total, servers, servers_left_out, note, shown,
});
record!(Group => wit::SearchGroup {
    query, matches, weak, direct, unmatched, corrections, left_out, hint,
});
record!(DescribeAnswer => wit::DescribeAnswer { tools, missing, left_out, shown });
record!(Missing => wit::MissingTool { name, ambiguous, near });
record!(ToolText => wit::ToolText { key, text });
record!(Delta => wit::CatalogDelta { added, removed, changed, reworded });

impl Convert<wit::Correction> for (String, String) {
    fn convert(self) -> wit::Correction {
        wit::Correction { written: self.0, read: self.1 }
    }
}

impl Convert<wit::SchemaPath> for (String, u64) {
    fn convert(self) -> wit::SchemaPath {
        wit::SchemaPath { path: self.0, chars: self.1 }
    }
}

impl Convert<wit::ToolMatch> for Match {
    fn convert(self) -> wit::ToolMatch {
        let (state, reason) = state(self.state);
        wit::ToolMatch {
            name: self.name,
            server: self.server,
            summary: self.summary,
            signature: self.signature,
            complete: self.complete,
            risk: self.risk.convert(),
            state,
            reason,
            schema: self.schema.convert(),
            exact_schema: self.exact_schema,
            score: self.score,
        }
    }
}

impl Convert<wit::ServerCount> for ServerCount {
    fn convert(self) -> wit::ServerCount {
        let (state, reason) = state(self.state);
        let ServerCount { name, tools, about, .. } = self;
        wit::ServerCount { name, tools, about, state, reason }
    }
}

impl Convert<wit::DescribedTool> for Described {
    fn convert(self) -> wit::DescribedTool {
        let (state, reason) = state(self.state);
        let mut told = (String::new(), None, Vec::new());
        let form = match self.content {
            Content::None => "none",
            Content::Unchanged => "unchanged",
            Content::Exact(text) => {
                told.0 = text;
                "exact"
            }
            Content::Signature(text) => {
                told.0 = text;
                "signature"
            }
            Content::TooLong { chars, signature, paths, .. } => {
                told.1 = Some(wit::LongSchema { chars, signature, paths: paths.convert() });
                "too-long"
            }
            Content::NoSuchPath(names) => {
                told.2 = names;
                "no-such-path"
            }
        };
        let (arguments, long, names) = told;
        wit::DescribedTool {
            name: self.name,
            server: self.server,
            description: self.description,
            clipped: self.clipped,
            risk: self.risk.convert(),
            state,
            reason,
            visible: self.visible,
            schema: self.schema.convert(),
            arguments,
            arguments_form: form.to_owned(),
            long,
            names,
        }
    }
}

impl Convert<wit::Explanation> for Explained {
    fn convert(self) -> wit::Explanation {
        let parts = self.explanation;
        wit::Explanation {
            tool: self.tool,
            admitted: self.admitted,
            rank: self.rank,
            confident: self.band == Some(Band::Confident),
            score: parts.score,
            lexical: parts.lexical,
            semantic: parts.semantic,
            exact: parts.exact,
            terms: parts.terms.convert(),
            unmatched: parts.unmatched,
        }
    }
}

impl Convert<wit::TermScore> for TermScore {
    fn convert(self) -> wit::TermScore {
        let TermScore { term, expanded, weight, idf, score, fields, .. } = self;
        let fields = fields.into_iter().map(|(field, ..)| field.label().to_owned()).collect();
        wit::TermScore { term, expanded, weight, idf, score, fields }
    }
}

impl Convert<wit::RankedTool> for Ranked<'_> {
    fn convert(self) -> wit::RankedTool {
        wit::RankedTool { tool: self.id.to_owned(), score: self.score }
    }
}

fn of<'a>(catalog: &'a wit::CatalogBorrow<'_>) -> &'a Catalog {
    &catalog.get::<GuestCatalog>().0
}

impl wit::Guest for Component {
    fn search_tools(
        catalog: wit::CatalogBorrow<'_>,
        request: wit::SearchRequest,
        conversation: wit::Conversation,
    ) -> Result<wit::SearchAnswer, Failure> {
        Ok(search(of(&catalog), &request.convert(), &conversation.convert())?.convert())
    }

    fn describe_tools(
        catalog: wit::CatalogBorrow<'_>,
        request: wit::DescribeRequest,
        conversation: wit::Conversation,
    ) -> Result<wit::DescribeAnswer, Failure> {
        let wit::DescribeRequest { names, detail, path, again, max_chars } = request;
        let detail = Some(detail.convert());
        let request = DescribeRequest { names, detail, path, again, max_chars };
        Ok(describe(of(&catalog), &request, &conversation.convert())?.convert())
    }

    fn explain(
        catalog: wit::CatalogBorrow<'_>,
        query: String,
        name: String,
    ) -> Option<wit::Explanation> {
        explain(of(&catalog), &query, &name).convert()
    }

    fn rank_tools(
        catalog: wit::CatalogBorrow<'_>,
        queries: Vec<String>,
        max_tools: u32,
        ranker: wit::Ranker,
    ) -> Result<Vec<Vec<wit::RankedTool>>, Failure> {
        Ok(rank(of(&catalog), &queries, max_tools, ranker.convert())?.convert())
    }

    fn tool_texts(catalog: wit::CatalogBorrow<'_>) -> Vec<wit::ToolText> {
        texts(of(&catalog)).convert()
    }

    fn search_queries(
        catalog: wit::CatalogBorrow<'_>,
        name: String,
        arguments: String,
    ) -> Vec<String> {
        queries(of(&catalog), &name, &arguments)
    }

    fn server_counts(catalog: wit::CatalogBorrow<'_>) -> Vec<wit::ServerCount> {
        server_counts(of(&catalog)).convert()
    }

    fn delta(earlier: wit::CatalogBorrow<'_>, later: wit::CatalogBorrow<'_>) -> wit::CatalogDelta {
        delta(of(&earlier), of(&later)).convert()
    }
}
