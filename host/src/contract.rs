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
pub use crate::bindings::exports::weir::plugin::types::{
    BinaryPart, Handle, Kind, LinkPart, Origin, Part,
};
