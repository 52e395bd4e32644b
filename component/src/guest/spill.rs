//! `result-transform`.

use std::cell::RefCell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::result_transform as wit;
use crate::abi::exports::weir::plugin::types as shared;
use crate::kind::Kind;
use crate::spill::intake::{Intake, IntakeOutcome};
use crate::spill::result::{
    FinishedResult, Handle, Origin, Outcome, Part, Reason, Replacement, TransformError,
};
use crate::spill::{Spill, policy, transform, transform_turn};

impl wit::Guest for Component {
    type Intake = GuestIntake;

    fn transform(result: wit::FinishedResult) -> Result<wit::Outcome, wit::TransformError> {
        with_spill(|spill| transform(spill, finished(result))).map(outcome).map_err(error)
    }

    fn transform_turn(
        results: Vec<wit::FinishedResult>,
    ) -> Vec<Result<wit::Outcome, wit::TransformError>> {
        let results = results.into_iter().map(finished).collect();
        let outcomes = with_spill(|spill| transform_turn(spill, results));
        outcomes.into_iter().map(|one| one.map(outcome).map_err(error)).collect()
    }

    fn threshold(call: shared::Origin, max_chars: Option<u32>) -> Option<u32> {
        with_settings(|settings| policy::threshold(&settings.transform, &origin(call), max_chars))
    }
}

fn with_spill<R>(work: impl FnOnce(&Spill<'_>) -> R) -> R {
    with_settings(|settings| {
        work(&Spill { settings: &settings.transform, open: &|| open(settings), now: now() })
    })
}

/// An intake on the way; `None` once it is finished.
pub(crate) struct GuestIntake(RefCell<Option<Intake>>);

impl wit::GuestIntake for GuestIntake {
    fn new(call: shared::Origin) -> GuestIntake {
        GuestIntake(RefCell::new(Some(Intake::new(origin(call)))))
    }

    fn write(&self, chunk: String) {
        self.write_bytes(chunk.into_bytes());
    }

    fn write_bytes(&self, chunk: Vec<u8>) {
        if let Some(intake) = self.0.borrow_mut().as_mut() {
            with_spill(|spill| intake.write(spill, &chunk));
        }
    }

    fn finish(&self, is_error: bool) -> Result<wit::IntakeOutcome, wit::TransformError> {
        let Some(intake) = self.0.take() else {
            return Ok(wit::IntakeOutcome::Whole(String::new()));
        };
        let outcome = with_spill(|spill| intake.finish(spill, is_error)).map_err(error)?;
        Ok(match outcome {
            IntakeOutcome::Replaced(replaced) => {
                wit::IntakeOutcome::Replaced(replacement(replaced))
            }
            IntakeOutcome::Whole(bytes) => match String::from_utf8(bytes) {
                Ok(text) => wit::IntakeOutcome::Whole(text),
                Err(error) => wit::IntakeOutcome::WholeBase64(BASE64.encode(error.as_bytes())),
            },
        })
    }
}

fn origin(origin: shared::Origin) -> Origin {
    Origin {
        session: origin.session,
        tool: origin.tool,
        toolset: origin.toolset,
        arguments: origin.arguments,
    }
}

fn finished(result: wit::FinishedResult) -> FinishedResult {
    let part = |part| match part {
        shared::Part::Text(text) => Part::Text(text),
        shared::Part::Binary(binary) => {
            Part::Binary { media_type: binary.media_type, data: binary.data }
        }
        shared::Part::Link(link) => {
            Part::Link { uri: link.uri, name: link.name, media_type: link.media_type }
        }
    };
    FinishedResult {
        origin: origin(result.origin),
        parts: result.parts.into_iter().map(part).collect(),
        raw: result.raw,
        is_error: result.is_error,
        waits_for_input: result.waits_for_input,
        max_chars: result.max_chars,
    }
}

fn outcome(outcome: Outcome) -> wit::Outcome {
    match outcome {
        Outcome::Unchanged { reason, store_failure } => wit::Outcome::Unchanged(wit::Unchanged {
            reason: match reason {
                Reason::Small => wit::UnchangedReason::Small,
                Reason::Excluded => wit::UnchangedReason::Excluded,
                Reason::WaitsForInput => wit::UnchangedReason::WaitsForInput,
                Reason::AlreadyAHandle => wit::UnchangedReason::AlreadyAHandle,
                Reason::NoGain => wit::UnchangedReason::NoGain,
                Reason::NotStored => wit::UnchangedReason::NotStored,
            },
            store_failure,
        }),
        Outcome::Replaced(replaced) => wit::Outcome::Replaced(replacement(replaced)),
    }
}

fn replacement(replacement: Replacement) -> wit::Replacement {
    let part = |part| match part {
        Part::Text(text) => shared::Part::Text(text),
        Part::Binary { media_type, data } => {
            shared::Part::Binary(shared::BinaryPart { media_type, data })
        }
        Part::Link { uri, name, media_type } => {
            shared::Part::Link(shared::LinkPart { uri, name, media_type })
        }
    };
    wit::Replacement {
        parts: replacement.parts.into_iter().map(part).collect(),
        handles: replacement.handles.into_iter().map(handle).collect(),
        chars_before: replacement.chars_before,
        chars_after: replacement.chars_after,
        estimated_tokens_before: replacement.estimated_tokens_before,
        estimated_tokens_after: replacement.estimated_tokens_after,
        store_failure: replacement.store_failure,
    }
}

pub(super) fn handle(handle: Handle) -> shared::Handle {
    shared::Handle {
        uri: format!("weir://blob/{}", handle.id),
        id: handle.id.to_string(),
        digest: handle.digest.to_string(),
        tool: handle.tool,
        kind: kind(handle.kind),
        media_type: handle.media_type,
        bytes: handle.bytes,
        chars: handle.chars,
        lines: handle.lines,
        estimated_tokens: handle.estimated_tokens,
        source: handle.source,
        envelope: handle.envelope,
    }
}

fn kind(kind: Kind) -> shared::Kind {
    match kind {
        Kind::Json => shared::Kind::Json,
        Kind::Ndjson => shared::Kind::Ndjson,
        Kind::Csv => shared::Kind::Csv,
        Kind::Tsv => shared::Kind::Tsv,
        Kind::Html => shared::Kind::Html,
        Kind::Xml => shared::Kind::Xml,
        Kind::Markdown => shared::Kind::Markdown,
        Kind::Diff => shared::Kind::Diff,
        Kind::Log => shared::Kind::Log,
        Kind::Code => shared::Kind::Code,
        Kind::Text => shared::Kind::Text,
        Kind::Binary => shared::Kind::Binary,
    }
}

fn error(error: TransformError) -> wit::TransformError {
    match error {
        TransformError::BadSession => wit::TransformError::BadSession,
        TransformError::BadBase64(part) => {
            wit::TransformError::BadBase64(u32::try_from(part).unwrap_or(u32::MAX))
        }
    }
}
