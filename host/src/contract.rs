//! The contract's types, as `wit/` defines and documents them.

pub use crate::bindings::exports::weir::plugin::fetch::{
    BadArgument, BlobStat, Case, Cursor, Encoding, FetchError, GoneReason, GrepPage, GrepQuery,
    Hit, Listing, Page, Tombstone, Unit, View,
};
pub use crate::bindings::exports::weir::plugin::maintenance::{
    Census, CheckProgress, MaintenanceError, StoreStatus, SweepProgress, UseCount,
};
pub use crate::bindings::exports::weir::plugin::model_tools::{Answer, ToolJson};
pub use crate::bindings::exports::weir::plugin::result_transform::{
    FinishedResult, IntakeOutcome, Outcome, Replacement, TransformError, Unchanged, UnchangedReason,
};
pub use crate::bindings::exports::weir::plugin::settings::{
    Action, FetchSettings, Parsed, Problem, Rule, StoreSettings, TransformSettings, Values,
};
pub use crate::bindings::exports::weir::plugin::tool_search::{
    AssembleError, AssembleMode, AssembleReason, AssembleSettings, Assembly, BridgeAnswer,
    BridgeDefinition, BridgeNames, BuildError, CatalogDelta, Coercion, Conversation, Correction,
    DescribeAnswer, DescribeError, DescribeRequest, DescribedArguments, DescribedTool, Detail,
    Diagnostic, Explanation, Hit as ToolHit, ListingForm, ListingPlacement, LoadError, LongSchema,
    MissingTool, Outcome as BridgeOutcome, Outside, QueryScores, RankedTool, Ranker, Refusal,
    RefusalReason, ResolvedCall, Risk, Routed, SchemaChange, SchemaPath, SearchAnswer, SearchError,
    SearchGroup, SearchRequest, ServerCount, ServerInfo, ServerState, ShownTool, Snapshot,
    TermScore, ToolAnnotations, ToolDefinition, ToolIssue, ToolOrder, ToolOrigin, ToolText,
    UntrustedListing, Violation, VisibleTool,
};
pub use crate::bindings::exports::weir::plugin::types::{
    BinaryPart, Handle, Kind, LinkPart, Origin, Part,
};

/// A tool of an MCP server that says nothing but its name, which is to be filled in.
impl Default for ToolDefinition {
    fn default() -> Self {
        ToolDefinition {
            name: String::new(),
            title: None,
            description: String::new(),
            input_schema: String::new(),
            annotations: ToolAnnotations::default(),
            server: String::new(),
            origin: ToolOrigin::Mcp,
            tags: Vec::new(),
            aliases: Vec::new(),
            pinned: false,
        }
    }
}

/// Nothing is claimed.
impl Default for ToolAnnotations {
    fn default() -> Self {
        ToolAnnotations { read_only: None, destructive: None, idempotent: None, open_world: None }
    }
}

/// Nothing is known: every call works, without repeat stubs, drift checks and the loop breaker.
impl Default for Conversation {
    fn default() -> Self {
        Conversation {
            visible: Vec::new(),
            shown: Vec::new(),
            searches: Vec::new(),
            strict: false,
            reveal_first: false,
            outside: Outside::None,
        }
    }
}

impl SearchRequest {
    /// One query, answered with signatures and the component's own limits.
    pub fn new(query: impl Into<String>) -> SearchRequest {
        SearchRequest {
            queries: vec![query.into()],
            limit: None,
            detail: Detail::Signature,
            max_chars: None,
        }
    }
}

impl DescribeRequest {
    /// These tools with their exact schemas, under the component's own limits.
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> DescribeRequest {
        DescribeRequest {
            names: names.into_iter().map(Into::into).collect(),
            detail: Detail::Full,
            path: None,
            again: false,
            max_chars: None,
        }
    }
}
