//! `tool-search`.

use std::cell::RefCell;

use super::Component;
use super::convert::{Convert, record};
use super::failure::failure;
use crate::abi::exports::weir::plugin::tool_search as wit;
use crate::abi::exports::weir::plugin::types::{Failure, ModelTool};
use crate::search::bridge::assemble::{AssembleReason, Assembly, Visible, assemble};
use crate::search::bridge::invoke::{Reply, invoke, queries, refusal_words};
use crate::search::bridge::listing::ListingForm;
use crate::search::bridge::settings::AssembleSettings;
use crate::search::call::resolve::{Refusal, Resolved, Routed, resolve};
use crate::search::catalog::bridge_tools::{BridgeNames, BridgeTool, bridge_tools};
use crate::search::catalog::build::Builder;
use crate::search::catalog::definition::{
    Annotations, Origin, Risk, Server, ServerState, Snapshot, ToolDefinition,
};
use crate::search::catalog::tools::{Catalog, Diagnostic, Issue, Options};
use crate::search::find::conversation::{Conversation, Shown};
use crate::search::find::external::{ExternalScores, QueryScores, ToolText, texts};
use crate::search::fingerprint::Fingerprint;
use crate::search::schema::validate::Coercion;

record!(wit::Snapshot => Snapshot { tools, servers });
record!(wit::ToolAnnotations = Annotations { read_only, destructive, idempotent, open_world });
record!(wit::ToolDefinition => ToolDefinition {
    name, title, description, input_schema, annotations, server, origin, tags, aliases, phrases, pinned,
});
record!(wit::BridgeNames => BridgeNames { search, describe, call });
record!(Shown => wit::ShownTool { name, schema, exact, parameters });
record!(ToolText => wit::ToolText { key, text });
record!(wit::QueryScores => QueryScores { query, scores });
record!(Visible => wit::VisibleTool { id, name, server });
record!(Coercion => wit::Repair { path, sent = from, taken_as = to });
record!(Assembly => wit::Assembly {
    active, reason, visible, bridge, block, deferred, listing = listing_form, deferred_tokens,
    total_tokens, bridge_tokens, threshold_tokens, warnings,
});
record!(Resolved => wit::ResolvedCall {
    id, tool, name, server, origin, arguments, risk, annotations, cold, schema, routed,
    repairs = coerced, unchecked, wait_for = conflicts_with, duplicate_of,
});

macro_rules! words {
    ($($ty:ty),*) => { $(impl Convert<String> for $ty {
        fn convert(self) -> String {
            self.as_str().to_owned()
        }
    })* };
}
words!(AssembleReason, ListingForm, Risk, Routed);

impl Convert<String> for Fingerprint {
    fn convert(self) -> String {
        self.hex()
    }
}

impl Convert<Origin> for String {
    fn convert(self) -> Origin {
        Origin::parse(&self).unwrap_or(Origin::Mcp)
    }
}

impl Convert<String> for Origin {
    fn convert(self) -> String {
        match self {
            Origin::Mcp => "external".to_owned(),
            other => other.as_str().to_owned(),
        }
    }
}

impl Convert<Server> for wit::ServerInfo {
    fn convert(self) -> Server {
        let state = match self.state.as_str() {
            "cold" => ServerState::Cold,
            "unavailable" => ServerState::Unavailable(self.reason.unwrap_or_default()),
            _ => ServerState::Connected,
        };
        Server { name: self.name, description: self.description, trusted: self.trusted, state }
    }
}

impl Convert<ModelTool> for BridgeTool {
    fn convert(self) -> ModelTool {
        ModelTool {
            annotations: self.annotations().to_owned(),
            name: self.name,
            description: self.description,
            input_schema: self.input_schema,
        }
    }
}

/// Entries of `shown` whose digest is none are left out, as the contract says.
impl Convert<Conversation> for wit::Conversation {
    fn convert(self) -> Conversation {
        let shown = |shown: wit::ShownTool| {
            let schema = Fingerprint::parse(&shown.schema)?;
            let wit::ShownTool { name, exact, parameters, .. } = shown;
            Some(Shown { schema, name, exact, parameters })
        };
        Conversation {
            visible: self.visible,
            shown: self.shown.into_iter().filter_map(shown).collect(),
            searches: self.searches,
            strict: self.strict,
            reveal_first: self.reveal_first,
            external: match self.external {
                None => ExternalScores::None,
                Some(Err(why)) => ExternalScores::Failed(why),
                Some(Ok(scores)) => ExternalScores::Scores(scores.convert()),
            },
        }
    }
}

impl Convert<wit::Diagnostic> for Diagnostic {
    fn convert(self) -> wit::Diagnostic {
        let (issue, detail) = match self.issue {
            Issue::Nameless => ("nameless", "it has no name, and was left out".to_owned()),
            Issue::Repeated => ("repeated", "the same definition again, left out".to_owned()),
            Issue::Renamed => ("renamed", "another tool has this name".to_owned()),
            Issue::Reserved => ("reserved", "a bridge tool has this name".to_owned()),
            Issue::Confusable(other) => {
                ("confusable", format!("only case or punctuation tells it from {other}"))
            }
            Issue::UnreadableSchema(why) => ("unreadable-schema", why.to_string()),
            Issue::LongDescription(chars) => {
                ("long-description", format!("{chars} characters, clipped"))
            }
            Issue::ManyLabels(count) => ("many-labels", format!("{count}; the rest was left out")),
            Issue::UnusualName => {
                ("unusual-name", "letters, digits and _ - . : / make a usual name".to_owned())
            }
            Issue::UnlikelyClaim(verb) => (
                "unlikely-claim",
                format!("it claims to change nothing, and its name or description says {verb}"),
            ),
            Issue::Suspicious(text, what) => ("suspicious", format!("{text}: {what}")),
        };
        let Diagnostic { server, name, id, .. } = self;
        wit::Diagnostic { server, name, id, issue: issue.to_owned(), detail }
    }
}

/// A catalog that a host holds.
pub(crate) struct GuestCatalog(pub(super) Catalog);

impl GuestCatalog {
    pub(super) fn made(
        snapshot: wit::Snapshot,
        names: Option<wit::BridgeNames>,
        options: Options,
    ) -> Result<GuestCatalog, Failure> {
        let names = names.map_or_else(BridgeNames::default, Convert::convert);
        let mut builder = Builder::new(names, options)?;
        add(&mut builder, snapshot)?;
        Ok(GuestCatalog(builder.finish()))
    }

    pub(super) fn assembled(
        &self,
        settings: &AssembleSettings,
        context_tokens: u32,
    ) -> Result<wit::Assembly, Failure> {
        Ok(assemble(&self.0, settings, context_tokens)?.convert())
    }

    fn refusal(&self, refusal: Refusal) -> wit::Refusal {
        let (code, message, names) = refusal_words(&self.0, &refusal);
        let Refusal { index, name, .. } = refusal;
        wit::Refusal { index, name, code: code.to_owned(), message, names }
    }
}

// Once in the file, for all that build catalogs.
#[inline(never)]
fn add(builder: &mut Builder, part: wit::Snapshot) -> Result<(), Failure> {
    Ok(builder.add(part.convert())?)
}

/// A catalog that a host hands over in parts.
pub(crate) struct GuestCatalogBuilder(RefCell<Builder>);

impl wit::GuestCatalogBuilder for GuestCatalogBuilder {
    fn start(
        names: Option<wit::BridgeNames>,
        options: Vec<String>,
    ) -> Result<wit::CatalogBuilder, Failure> {
        let names = names.map_or_else(BridgeNames::default, Convert::convert);
        let mut with = Options::default();
        for option in options {
            match option.as_str() {
                "without-known-phrases" => with.known_phrases = false,
                other => {
                    let message = format!("unknown option {other:?}");
                    let argument = Some("options".to_owned());
                    return Err(Failure { argument, ..failure("invalid", message) });
                }
            }
        }
        let builder = GuestCatalogBuilder(RefCell::new(Builder::new(names, with)?));
        Ok(wit::CatalogBuilder::new(builder))
    }

    fn add(&self, part: wit::Snapshot) -> Result<(), Failure> {
        add(&mut self.0.borrow_mut(), part)
    }

    fn finish(builder: wit::CatalogBuilder) -> wit::Catalog {
        let GuestCatalogBuilder(builder) = builder.into_inner();
        wit::Catalog::new(GuestCatalog(builder.into_inner().finish()))
    }
}

impl wit::Guest for Component {
    type Catalog = GuestCatalog;
    type CatalogBuilder = GuestCatalogBuilder;

    fn default_assemble_settings() -> String {
        AssembleSettings::default().print()
    }
}

impl wit::GuestCatalog for GuestCatalog {
    fn build(
        snapshot: wit::Snapshot,
        names: Option<wit::BridgeNames>,
    ) -> Result<wit::Catalog, Failure> {
        Ok(wit::Catalog::new(GuestCatalog::made(snapshot, names, Options::default())?))
    }

    fn digest(&self) -> String {
        self.0.digest().hex()
    }

    fn diagnostics(&self) -> Vec<wit::Diagnostic> {
        self.0.diagnostics().convert()
    }

    fn assemble(
        &self,
        settings: Option<String>,
        context_tokens: u32,
    ) -> Result<wit::Assembly, Failure> {
        let settings = AssembleSettings::parse(settings.as_deref().unwrap_or("{}"), None)?;
        self.assembled(&settings, context_tokens)
    }

    fn bridge_tools(&self) -> Vec<ModelTool> {
        bridge_tools(self.0.bridge_names(), "", self.0.has_skills()).convert()
    }

    fn invoke(
        &self,
        name: String,
        arguments: String,
        conversation: wit::Conversation,
    ) -> wit::BridgeAnswer {
        match invoke(&self.0, &name, &arguments, &conversation.convert()) {
            Reply::Answer(answer) => wit::BridgeAnswer {
                text: Some(answer.text),
                is_error: answer.is_error,
                calls: Vec::new(),
                shown: answer.shown.convert(),
                searches: answer.searches,
            },
            Reply::Dispatch(calls) => wit::BridgeAnswer {
                text: None,
                is_error: false,
                calls: calls.convert(),
                shown: Vec::new(),
                searches: Vec::new(),
            },
        }
    }

    fn texts(&self) -> Vec<wit::ToolText> {
        texts(&self.0).convert()
    }

    fn queries(&self, name: String, arguments: String) -> Vec<String> {
        queries(&self.0, &name, &arguments)
    }

    fn resolve(
        &self,
        calls: String,
        conversation: wit::Conversation,
    ) -> Result<Vec<wit::ResolvedCall>, Vec<wit::Refusal>> {
        match resolve(&self.0, &calls, &conversation.convert()) {
            Ok(calls) => Ok(calls.convert()),
            Err(refusals) => Err(refusals.into_iter().map(|one| self.refusal(one)).collect()),
        }
    }
}
