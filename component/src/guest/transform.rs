//! `result-transform`.

use std::cell::RefCell;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::convert::{Convert, record};
use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::result_transform as wit;
use crate::abi::exports::weir::plugin::types as shared;
use crate::abi::exports::weir::plugin::types::Failure;
use crate::spill::intake::{Intake, IntakeOutcome};
pub(super) use crate::spill::result::Handle as Named;
use crate::spill::result::{FinishedResult, Origin, Outcome, Part, Replacement, Shown};
use crate::spill::{Spill, policy, transform, transform_turn};

record!(shared::Origin => Origin { session, tool, toolset, arguments, reader, purpose });
record!(wit::FinishedResult => FinishedResult {
    origin, parts, raw, is_error, waits_for_input, max_chars, already_cut,
});

impl wit::Guest for Component {
    type Intake = GuestIntake;

    fn transform(finished: wit::FinishedResult) -> Result<wit::Transformed, Failure> {
        let finished = finished.convert();
        Ok(typed(outcome(&finished)?, finished.parts))
    }

    fn transform_turn(
        finished: Vec<wit::FinishedResult>,
    ) -> Vec<Result<wit::Transformed, Failure>> {
        let finished: Vec<FinishedResult> = finished.convert();
        let outcomes = with_spill(|spill| transform_turn(spill, &finished));
        let each = outcomes.into_iter().zip(finished);
        each.map(|(outcome, finished)| Ok(typed(outcome?, finished.parts))).collect()
    }

    fn threshold(origin: shared::Origin, max_chars: Option<u32>) -> Option<u32> {
        with_settings(|settings| {
            policy::threshold(&settings.transform, &origin.convert(), max_chars)
        })
    }
}

/// What becomes of a result.
pub(super) fn outcome(finished: &FinishedResult) -> Result<Outcome, Failure> {
    Ok(with_spill(|spill| transform(spill, finished))?)
}

/// An outcome as the contract has it, with the parts that are shown of those that came.
fn typed(mut outcome: Outcome, came: Vec<Part>) -> wit::Transformed {
    let shown = match &mut outcome {
        Outcome::Replaced(replacement) => std::mem::take(&mut replacement.shown),
        Outcome::Unchanged { .. } => Vec::new(),
    };
    wit::Transformed { parts: Shown::parts(shown, came).convert(), ..outcome.convert() }
}

fn with_spill<R>(work: impl FnOnce(&Spill<'_>) -> R) -> R {
    with_settings(|settings| {
        work(&Spill { settings: &settings.transform, open: &|| open(settings), now: now() })
    })
}

/// An intake on the way.
pub(crate) struct GuestIntake(RefCell<Intake>);

impl wit::GuestIntake for GuestIntake {
    fn new(origin: shared::Origin, max_chars: Option<u32>) -> GuestIntake {
        GuestIntake(RefCell::new(Intake::new(origin.convert(), max_chars)))
    }

    fn write(&self, chunk: String) {
        self.write_bytes(chunk.into_bytes());
    }

    fn write_bytes(&self, chunk: Vec<u8>) {
        with_spill(|spill| self.0.borrow_mut().write(spill, &chunk));
    }

    fn finish(intake: wit::Intake, is_error: bool) -> Result<wit::Transformed, Failure> {
        intake.into_inner::<GuestIntake>().finished(is_error)
    }
}

impl GuestIntake {
    /// Ends it: both edges come here.
    pub(super) fn finished(self, is_error: bool) -> Result<wit::Transformed, Failure> {
        let intake = self.0.into_inner();
        let outcome = with_spill(|spill| intake.finish(spill, is_error))?;
        Ok(match outcome {
            IntakeOutcome::Replaced(replacement) => {
                typed(Outcome::Replaced(replacement), Vec::new())
            }
            IntakeOutcome::Whole { bytes, reason, store_failure, chars, estimated_tokens } => {
                let part = match String::from_utf8(bytes) {
                    Ok(text) => shared::Part::Text(text),
                    Err(error) => shared::Part::Binary(shared::BinaryPart {
                        media_type: "application/octet-stream".into(),
                        data: BASE64.encode(error.as_bytes()),
                    }),
                };
                let left = Outcome::Unchanged { reason, store_failure, chars, estimated_tokens };
                wit::Transformed { parts: vec![part], ..left.convert() }
            }
        })
    }
}

impl Convert<Part> for shared::Part {
    fn convert(self) -> Part {
        match self {
            shared::Part::Text(text) => Part::Text(text),
            shared::Part::Binary(shared::BinaryPart { media_type, data }) => {
                Part::Binary { media_type, data }
            }
            shared::Part::Pointer(shared::LinkPart { uri, name, media_type }) => {
                Part::Link { uri, name, media_type }
            }
        }
    }
}

impl Convert<shared::Part> for Part {
    fn convert(self) -> shared::Part {
        match self {
            Part::Text(text) => shared::Part::Text(text),
            Part::Binary { media_type, data } => {
                shared::Part::Binary(shared::BinaryPart { media_type, data })
            }
            Part::Link { uri, name, media_type } => {
                shared::Part::Pointer(shared::LinkPart { uri, name, media_type })
            }
        }
    }
}

/// Without parts.
impl Convert<wit::Transformed> for Outcome {
    fn convert(self) -> wit::Transformed {
        match self {
            Outcome::Unchanged { reason, store_failure, chars, estimated_tokens } => {
                wit::Transformed {
                    replaced: false,
                    reason: reason.as_str().to_owned(),
                    parts: Vec::new(),
                    handles: Vec::new(),
                    chars_before: chars,
                    chars_after: chars,
                    estimated_tokens_before: estimated_tokens,
                    estimated_tokens_after: estimated_tokens,
                    store_failure,
                }
            }
            Outcome::Replaced(Replacement {
                shown: _,
                handles,
                chars_before,
                chars_after,
                estimated_tokens_before,
                estimated_tokens_after,
                store_failure,
                never_stored,
            }) => wit::Transformed {
                replaced: true,
                reason: match (never_stored, &store_failure) {
                    (true, _) => "never-stored",
                    (false, Some(_)) => "cut",
                    (false, None) => "stored",
                }
                .to_owned(),
                parts: Vec::new(),
                handles: handles.convert(),
                chars_before,
                chars_after,
                estimated_tokens_before,
                estimated_tokens_after,
                store_failure,
            },
        }
    }
}

impl Convert<shared::Handle> for Named {
    fn convert(self) -> shared::Handle {
        shared::Handle {
            uri: format!("weir://blob/{}", self.id),
            id: self.id.to_string(),
            digest: self.digest.to_string(),
            tool: self.tool,
            kind: self.kind.to_string(),
            media_type: self.media_type,
            bytes: self.bytes,
            chars: self.chars,
            lines: self.lines,
            estimated_tokens: self.estimated_tokens,
            source: self.source,
            envelope: self.envelope,
            shown_chars: self.shown_chars,
            is_repeat: self.is_repeat,
        }
    }
}
