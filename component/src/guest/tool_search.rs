//! `tool-search`.

mod answers;
mod assembly;
mod calls;
mod conversation;
mod snapshot;

use super::Component;
use crate::abi::exports::weir::plugin::tool_search as wit;
use crate::search::assemble::AssembleSettings;
use crate::search::catalog::{BridgeNames, BuildError, Catalog};
use crate::search::find::SearchError;
use crate::search::outside::ToolText;
use crate::search::ranker::Ranker;
use crate::search::saved::LoadError;

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
        GuestCatalog::resource(Catalog::build(snapshot::snapshot(snapshot), names))
    }

    fn rebuild(&self, snapshot: wit::Snapshot) -> Result<wit::Catalog, wit::BuildError> {
        let names = self.0.bridge_names().clone();
        let snapshot = snapshot::snapshot(snapshot);
        GuestCatalog::resource(Catalog::build_from(Some(&self.0), snapshot, names))
    }

    fn load(bytes: Vec<u8>) -> Result<wit::Catalog, wit::LoadError> {
        match Catalog::load(bytes) {
            Ok(catalog) => Ok(wit::Catalog::new(GuestCatalog(catalog))),
            Err(LoadError::Version) => Err(wit::LoadError::Version),
            Err(LoadError::Corrupt) => Err(wit::LoadError::Corrupt),
        }
    }

    fn digest(&self) -> String {
        self.0.digest().hex()
    }

    fn serialize(&self) -> Vec<u8> {
        self.0.serialize()
    }

    fn diagnostics(&self) -> Vec<wit::Diagnostic> {
        self.0.diagnostics().iter().cloned().map(snapshot::diagnostic).collect()
    }

    fn servers(&self) -> Vec<wit::ServerCount> {
        self.0.server_counts().into_iter().map(answers::server_count).collect()
    }

    fn assemble(
        &self,
        settings: Option<wit::AssembleSettings>,
        context_tokens: u32,
    ) -> Result<wit::Assembly, wit::AssembleError> {
        let settings = settings.map_or_else(AssembleSettings::default, assembly::settings_in);
        assembly::assembled(self.0.assemble(&settings, context_tokens))
    }

    fn search(
        &self,
        request: wit::SearchRequest,
        conversation: wit::Conversation,
    ) -> Result<wit::SearchAnswer, wit::SearchError> {
        self.0
            .search(&answers::search_request(request), &conversation::conversation(conversation))
            .map(answers::search_answer)
            .map_err(search_error)
    }

    fn describe(
        &self,
        request: wit::DescribeRequest,
        conversation: wit::Conversation,
    ) -> Result<wit::DescribeAnswer, wit::DescribeError> {
        let request = answers::describe_request(request);
        answers::described(self.0.describe(&request, &conversation::conversation(conversation)))
    }

    fn resolve(
        &self,
        text: String,
        conversation: wit::Conversation,
    ) -> Result<Vec<wit::ResolvedCall>, Vec<wit::Refusal>> {
        match self.0.resolve(&text, &conversation::conversation(conversation)) {
            Ok(resolved) => Ok(resolved.into_iter().map(calls::resolved).collect()),
            Err(refused) => Err(refused.into_iter().map(calls::refusal).collect()),
        }
    }

    fn explain(&self, query: String, name: String) -> Option<wit::Explanation> {
        self.0.explain(&query, &name).map(answers::explanation)
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
        let rankings = self.0.rank(&queries, limit, ranker).map_err(search_error)?;
        let out = |ranking: Vec<crate::search::ranker::Ranked<'_>>| {
            let tools = ranking.into_iter();
            tools.map(|r| wit::RankedTool { tool: r.id.to_owned(), score: r.score }).collect()
        };
        Ok(rankings.into_iter().map(out).collect())
    }

    fn texts(&self) -> Vec<wit::ToolText> {
        let text = |of: ToolText| wit::ToolText { key: of.key, text: of.text };
        self.0.texts().into_iter().map(text).collect()
    }

    fn queries(&self, name: String, arguments: String) -> Vec<String> {
        self.0.queries(&name, &arguments)
    }

    fn delta(&self, earlier: wit::CatalogBorrow<'_>) -> wit::CatalogDelta {
        let delta = self.0.delta(&earlier.get::<GuestCatalog>().0);
        wit::CatalogDelta {
            added: delta.added,
            removed: delta.removed,
            changed: delta.changed,
            reworded: delta.reworded,
        }
    }

    fn definitions(&self) -> Vec<wit::BridgeDefinition> {
        self.0.definitions().into_iter().map(assembly::definition).collect()
    }

    fn invoke(
        &self,
        name: String,
        arguments: String,
        conversation: wit::Conversation,
    ) -> wit::Outcome {
        calls::outcome(self.0.invoke(&name, &arguments, &conversation::conversation(conversation)))
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
