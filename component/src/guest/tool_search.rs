//! `tool-search`.

mod answers;
mod assembly;
mod calls;
mod conversation;
mod snapshot;

use super::Component;
use crate::abi::exports::weir::plugin::tool_search as wit;
use crate::search::bridge::assemble::{self, AssembleSettings};
use crate::search::bridge::invoke;
use crate::search::call::resolve;
use crate::search::catalog::bridge_tools::{BridgeNames, bridge_tools};
use crate::search::catalog::build::{self, BuildError};
use crate::search::catalog::delta;
use crate::search::catalog::saved::{self, LoadError};
use crate::search::catalog::servers::server_counts;
use crate::search::catalog::tools::Catalog;
use crate::search::find::describe;
use crate::search::find::external::{self, ToolText};
use crate::search::find::rankings::{Ranked, Ranker, rank};
use crate::search::find::search::{self, SearchError};

impl wit::Guest for Component {
    type Catalog = GuestCatalog;

    fn default_assemble_settings() -> wit::AssembleSettings {
        assembly::settings_out(AssembleSettings::default())
    }
}

/// A catalog that a host holds.
pub(crate) struct GuestCatalog(Catalog);

impl GuestCatalog {
    fn resource(built: Result<Catalog, BuildError>) -> Result<wit::Catalog, wit::BuildError> {
        match built {
            Ok(catalog) => Ok(wit::Catalog::new(GuestCatalog(catalog))),
            Err(BuildError::TooManyTools { count, limit }) => {
                Err(wit::BuildError::TooManyTools((count, limit)))
            }
            Err(BuildError::TooLarge { bytes, limit }) => {
                Err(wit::BuildError::TooLarge((bytes, limit)))
            }
            Err(BuildError::BridgeNames) => Err(wit::BuildError::InvalidBridgeNames),
        }
    }
}

impl wit::GuestCatalog for GuestCatalog {
    fn build(
        snapshot: wit::Snapshot,
        names: Option<wit::BridgeNames>,
    ) -> Result<wit::Catalog, wit::BuildError> {
        let names = names.map_or_else(BridgeNames::default, |names| BridgeNames {
            search: names.search,
            describe: names.describe,
            call: names.call,
        });
        GuestCatalog::resource(build::build(snapshot::snapshot(snapshot), names))
    }

    fn rebuild(&self, snapshot: wit::Snapshot) -> Result<wit::Catalog, wit::BuildError> {
        let names = self.0.bridge_names().clone();
        let snapshot = snapshot::snapshot(snapshot);
        GuestCatalog::resource(build::build_from(Some(&self.0), snapshot, names))
    }

    fn load(bytes: Vec<u8>) -> Result<wit::Catalog, wit::LoadError> {
        match saved::load(bytes) {
            Ok(catalog) => Ok(wit::Catalog::new(GuestCatalog(catalog))),
            Err(LoadError::Version) => Err(wit::LoadError::Version),
            Err(LoadError::Corrupt) => Err(wit::LoadError::Corrupt),
        }
    }

    fn digest(&self) -> String {
        self.0.digest().hex()
    }

    fn serialize(&self) -> Vec<u8> {
        saved::save(&self.0)
    }

    fn diagnostics(&self) -> Vec<wit::Diagnostic> {
        self.0.diagnostics().iter().cloned().map(snapshot::diagnostic).collect()
    }

    fn servers(&self) -> Vec<wit::ServerCount> {
        server_counts(&self.0).into_iter().map(answers::server_count).collect()
    }

    fn assemble(
        &self,
        settings: Option<wit::AssembleSettings>,
        context_tokens: u32,
    ) -> Result<wit::Assembly, wit::AssembleError> {
        let settings = settings.map_or_else(AssembleSettings::default, assembly::settings_in);
        assembly::assembled(assemble::assemble(&self.0, &settings, context_tokens))
    }

    fn search(
        &self,
        request: wit::SearchRequest,
        conversation: wit::Conversation,
    ) -> Result<wit::SearchAnswer, wit::SearchError> {
        let conversation = conversation::conversation(conversation);
        search::search(&self.0, &answers::search_request(request), &conversation)
            .map(answers::search_answer)
            .map_err(search_error)
    }

    fn describe(
        &self,
        request: wit::DescribeRequest,
        conversation: wit::Conversation,
    ) -> Result<wit::DescribeAnswer, wit::DescribeError> {
        let request = answers::describe_request(request);
        answers::described(describe::describe(
            &self.0,
            &request,
            &conversation::conversation(conversation),
        ))
    }

    fn resolve(
        &self,
        text: String,
        conversation: wit::Conversation,
    ) -> Result<Vec<wit::ResolvedCall>, Vec<wit::Refusal>> {
        match resolve::resolve(&self.0, &text, &conversation::conversation(conversation)) {
            Ok(resolved) => Ok(resolved.into_iter().map(calls::resolved).collect()),
            Err(refused) => Err(refused.into_iter().map(calls::refusal).collect()),
        }
    }

    fn explain(&self, query: String, name: String) -> Option<wit::Explanation> {
        search::explain(&self.0, &query, &name).map(answers::explanation)
    }

    fn rank(
        &self,
        queries: Vec<String>,
        limit: u32,
        ranker: wit::Ranker,
    ) -> Result<Vec<Vec<wit::RankedTool>>, wit::SearchError> {
        let ranker = match ranker {
            wit::Ranker::Plain => Ranker::Plain,
            wit::Ranker::Lexical => Ranker::Lexical,
            wit::Ranker::Fused => Ranker::Fused,
        };
        let rankings = rank(&self.0, &queries, limit, ranker).map_err(search_error)?;
        let out = |ranking: Vec<Ranked<'_>>| {
            let tools = ranking.into_iter();
            tools.map(|r| wit::RankedTool { tool: r.id.to_owned(), score: r.score }).collect()
        };
        Ok(rankings.into_iter().map(out).collect())
    }

    fn texts(&self) -> Vec<wit::ToolText> {
        let text = |of: ToolText| wit::ToolText { key: of.key, text: of.text };
        external::texts(&self.0).into_iter().map(text).collect()
    }

    fn queries(&self, name: String, arguments: String) -> Vec<String> {
        invoke::queries(&self.0, &name, &arguments)
    }

    fn delta(&self, earlier: wit::CatalogBorrow<'_>) -> wit::CatalogDelta {
        let delta = delta::delta(&earlier.get::<GuestCatalog>().0, &self.0);
        wit::CatalogDelta {
            added: delta.added,
            removed: delta.removed,
            changed: delta.changed,
            reworded: delta.reworded,
        }
    }

    fn definitions(&self) -> Vec<wit::BridgeDefinition> {
        bridge_tools(self.0.bridge_names(), "").into_iter().map(assembly::definition).collect()
    }

    fn invoke(
        &self,
        name: String,
        arguments: String,
        conversation: wit::Conversation,
    ) -> wit::Outcome {
        let conversation = conversation::conversation(conversation);
        calls::outcome(invoke::invoke(&self.0, &name, &arguments, &conversation))
    }
}

fn search_error(error: SearchError) -> wit::SearchError {
    match error {
        SearchError::NoQuery => wit::SearchError::NoQuery,
        SearchError::TooManyQueries { count, limit } => {
            wit::SearchError::TooManyQueries((count, limit))
        }
    }
}
