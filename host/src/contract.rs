//! The contract's types, as `wit/` defines and documents them.

pub use super::bindings::exports::weir::plugin::info::{ComponentInfo, Limit};
pub use super::bindings::exports::weir::plugin::maintenance::{
    Census, CheckProgress, Forgotten, StoreStatus, SweepProgress, UseCount,
};
pub use super::bindings::exports::weir::plugin::model_tools::ToolAnswer;
pub use super::bindings::exports::weir::plugin::reading::{
    BlobList, BlobStat, CaseMode, DiffPage, DiffRequest, Encoding, GrepLine, GrepPage, GrepRequest,
    OutlineEntry, OutlinePage, Page, Passage, PassagePage, QueryPage, QueryRequest, Unit, View,
};
pub use super::bindings::exports::weir::plugin::result_transform::{FinishedResult, Transformed};
pub use super::bindings::exports::weir::plugin::settings::Problem;
pub use super::bindings::exports::weir::plugin::tool_search::{
    Assembly, BridgeAnswer, BridgeNames, Conversation, Diagnostic, QueryScores, Refusal, Repair,
    ResolvedCall, ServerInfo, ShownTool, Snapshot, ToolAnnotations, ToolDefinition, ToolText,
    VisibleTool,
};
pub use super::bindings::exports::weir::plugin::types::{
    BinaryPart, Failure, Handle, LinkPart, ModelTool, Origin, Part, Tombstone,
};

impl Origin {
    /// A call of this tool in this session, of which nothing more is known.
    pub fn new(session: impl Into<String>, tool: impl Into<String>) -> Origin {
        Origin {
            session: session.into(),
            tool: tool.into(),
            toolset: None,
            arguments: None,
            reader: None,
            purpose: None,
        }
    }
}

impl FinishedResult {
    /// A result of one text.
    pub fn text(
        session: impl Into<String>,
        tool: impl Into<String>,
        text: impl Into<String>,
    ) -> FinishedResult {
        FinishedResult::of(Origin::new(session, tool), vec![Part::Text(text.into())])
    }

    /// A result of these parts, of which nothing more is known.
    pub fn of(origin: Origin, parts: Vec<Part>) -> FinishedResult {
        FinishedResult {
            origin,
            parts,
            raw: None,
            is_error: false,
            waits_for_input: false,
            max_chars: None,
            already_cut: false,
        }
    }
}

impl GrepRequest {
    /// A plain text, found from the start on; capital letters in it count.
    pub fn new(pattern: impl Into<String>) -> GrepRequest {
        GrepRequest {
            pattern: pattern.into(),
            regex: false,
            case_mode: CaseMode::Smart,
            word: false,
            invert: false,
            count_only: false,
            before: 0,
            after: 0,
            max_matches: None,
            start: 0,
        }
    }
}

impl QueryRequest {
    /// A program of jq, run on each row.
    pub fn new(program: impl Into<String>) -> QueryRequest {
        QueryRequest {
            program: program.into(),
            path: None,
            by: None,
            reduce: None,
            whole: false,
            as_table: false,
            max_results: None,
        }
    }
}

/// A tool of a server that says nothing but its name, which is to be filled in.
impl Default for ToolDefinition {
    fn default() -> Self {
        ToolDefinition {
            name: String::new(),
            title: None,
            description: String::new(),
            input_schema: String::new(),
            annotations: ToolAnnotations::default(),
            server: String::new(),
            origin: "external".to_owned(),
            tags: Vec::new(),
            aliases: Vec::new(),
            phrases: Vec::new(),
            pinned: false,
        }
    }
}

/// A connected server, of which nothing is known.
impl Default for ServerInfo {
    fn default() -> Self {
        ServerInfo {
            name: String::new(),
            description: String::new(),
            trusted: None,
            state: "connected".to_owned(),
            reason: None,
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
            external: None,
        }
    }
}
