//! What a tool says of what it does.

use weir_mcp::json::{Json, values_of};

/// What a tool says of itself. What it does not say is assumed as the specification has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy.
    pub destructive: bool,
    /// Calling it twice is as good as once.
    pub idempotent: bool,
    /// It reaches nothing outside of its server.
    pub closed_world: bool,
}

impl Hints {
    pub(crate) const UNKNOWN: Hints =
        Hints { read_only: false, destructive: true, idempotent: false, closed_world: false };
    pub(crate) const READS: Hints =
        Hints { read_only: true, destructive: false, idempotent: true, closed_world: false };

    pub(crate) fn of(definition: &Json) -> Hints {
        let [claims] = values_of(definition.as_str(), ["annotations"]);
        let names = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
        let claims = values_of(claims.unwrap_or_default(), names);
        let [read_only, destructive, idempotent, open_world] =
            claims.map(|claim| serde_json::from_str::<bool>(claim?).ok());
        let read_only = read_only.unwrap_or(false);
        Hints {
            read_only,
            destructive: !read_only && destructive.unwrap_or(true),
            idempotent: read_only || idempotent.unwrap_or(false),
            closed_world: open_world == Some(false),
        }
    }
}
