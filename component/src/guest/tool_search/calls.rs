//! Calls that were checked: what to dispatch, or why not.

use super::conversation::shown;
use super::snapshot::{annotations, origin, risk};
use super::wit;
use crate::search::bridge::invoke::Reply;
use crate::search::call::resolve::{Refusal, RefusalReason, Resolved, Routed};

pub(super) fn outcome(reply: Reply) -> wit::Outcome {
    match reply {
        Reply::Answer(answer) => wit::Outcome::Answer(wit::BridgeAnswer {
            text: answer.text,
            is_error: answer.is_error,
            shown: shown(answer.shown),
            searches: answer.searches,
        }),
        Reply::Dispatch(calls) => wit::Outcome::Dispatch(calls.into_iter().map(resolved).collect()),
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
            RefusalReason::Malformed(message) => wit::RefusalReason::Malformed(message),
            RefusalReason::Recursive => wit::RefusalReason::Recursive,
            RefusalReason::Unknown(near) => wit::RefusalReason::UnknownTool(near),
            RefusalReason::Ambiguous(names) => wit::RefusalReason::Ambiguous(names),
            RefusalReason::Unavailable(why) => wit::RefusalReason::Unavailable(why),
            RefusalReason::Visible => wit::RefusalReason::Visible,
            RefusalReason::Deferred => wit::RefusalReason::Deferred,
            RefusalReason::Unrevealed(signature) => wit::RefusalReason::Unrevealed(signature),
            RefusalReason::Changed(changed) => wit::RefusalReason::Changed(wit::SchemaChange {
                schema: changed.schema.hex(),
                signature: changed.signature,
                added: changed.added,
                removed: changed.removed,
                changed: changed.changed,
            }),
            // The contract has room for one; the answer as JSON names them all.
            RefusalReason::Invalid(violations) => {
                let first = violations.into_iter().next();
                wit::RefusalReason::Invalid(wit::Violation {
                    path: first.as_ref().map(|v| v.path.clone()).unwrap_or_default(),
                    constraint: first.as_ref().map(|v| v.constraint.clone()).unwrap_or_default(),
                    expected: first.as_ref().map(|v| v.expected.clone()).unwrap_or_default(),
                    suggestion: first.and_then(|v| v.suggestion),
                })
            }
        },
    }
}
