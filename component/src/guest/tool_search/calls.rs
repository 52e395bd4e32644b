//! Calls that were checked: what to dispatch, or why not.

use super::conversation::shown;
use super::snapshot::{annotations, origin, risk};
use super::wit;
use crate::search::bridge::Outcome;
use crate::search::resolve::{Reason, Refusal, Resolved, Routed};

pub(super) fn outcome(outcome: Outcome) -> wit::Outcome {
    match outcome {
        Outcome::Answer(answer) => wit::Outcome::Answer(wit::BridgeAnswer {
            text: answer.text,
            is_error: answer.is_error,
            shown: shown(answer.shown),
            searches: answer.searches,
        }),
        Outcome::Dispatch(calls) => {
            wit::Outcome::Dispatch(calls.into_iter().map(resolved).collect())
        }
    }
}

pub(super) fn resolved(call: Resolved) -> wit::ResolvedCall {
    let coerced = call.coerced.into_iter();
    wit::ResolvedCall {
        id: call.id,
        tool: call.tool,
        name: call.name,
        server: call.server,
        origin: origin(call.origin),
        arguments: call.arguments,
        risk: risk(call.risk),
        annotations: annotations(call.annotations),
        cold: call.cold,
        schema: call.schema.hex(),
        routed: match call.routed {
            Routed::Bridge => wit::Routed::Bridge,
            Routed::Direct => wit::Routed::Direct,
            Routed::OwnName => wit::Routed::OwnName,
        },
        coerced: coerced
            .map(|c| wit::Coercion { path: c.path, sent: c.from, read: c.to })
            .collect(),
        unchecked: call.unchecked,
        conflicts_with: call.conflicts_with,
        duplicate_of: call.duplicate_of,
    }
}

pub(super) fn refusal(refusal: Refusal) -> wit::Refusal {
    wit::Refusal {
        index: refusal.index,
        name: refusal.name,
        reason: match refusal.reason {
            Reason::Malformed(message) => wit::RefusalReason::Malformed(message),
            Reason::Recursive => wit::RefusalReason::Recursive,
            Reason::Unknown(near) => wit::RefusalReason::UnknownTool(near),
            Reason::Ambiguous(names) => wit::RefusalReason::Ambiguous(names),
            Reason::Unavailable(why) => wit::RefusalReason::Unavailable(why),
            Reason::Visible => wit::RefusalReason::Visible,
            Reason::Deferred => wit::RefusalReason::Deferred,
            Reason::Unrevealed(signature) => wit::RefusalReason::Unrevealed(signature),
            Reason::Changed(changed) => wit::RefusalReason::Changed(wit::SchemaChange {
                schema: changed.schema.hex(),
                signature: changed.signature,
                added: changed.added,
                removed: changed.removed,
                changed: changed.changed,
            }),
            Reason::Invalid(violation) => wit::RefusalReason::Invalid(wit::Violation {
                path: violation.path,
                constraint: violation.constraint,
                expected: violation.expected,
                suggestion: violation.suggestion,
            }),
        },
    }
}
