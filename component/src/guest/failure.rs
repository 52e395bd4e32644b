//! Refusals: our errors as the contract's one record.

use crate::abi::exports::weir::plugin::types::Failure;

/// A refusal with a code of the contract's table and nothing else.
pub(super) fn failure(code: &str, message: impl ToString) -> Failure {
    Failure {
        code: code.to_owned(),
        message: message.to_string(),
        argument: None,
        names: Vec::new(),
        total: None,
        gone: None,
    }
}

#[cfg(feature = "results")]
mod results {
    use super::{Failure, failure};
    use crate::abi::exports::weir::plugin::types::Tombstone;
    use crate::content::kind::Kind;
    use crate::digest::Digest;
    use crate::fetch::FetchError;
    use crate::guest::convert::{Convert as _, word};
    use crate::handle::{BlobId, ParseIdError};
    use crate::spill::result::TransformError;
    use crate::store::{self, LookupError, StoreError};

    word!(BlobId, Digest, Kind);

    fn tombstone(stone: &store::Tombstone) -> Tombstone {
        let record = stone.record.clone();
        Tombstone {
            reason: stone.reason.to_string(),
            tool: record.tool,
            bytes: stone.bytes,
            source: record.source,
            arguments_digest: record.arguments_digest,
            gone_at: stone.since.convert(),
        }
    }

    impl From<FetchError> for Failure {
        fn from(error: FetchError) -> Failure {
            let of = |code: &str| failure(code, &error);
            match &error {
                FetchError::MalformedId(_) => of("malformed-id"),
                FetchError::Ambiguous(ids) => Failure {
                    names: ids.iter().map(ToString::to_string).collect(),
                    ..of("ambiguous")
                },
                FetchError::Unknown => of("unknown"),
                FetchError::OutOfRange { total, .. } => {
                    Failure { total: Some(*total), ..of("out-of-range") }
                }
                FetchError::TooLarge { chars } => {
                    Failure { total: Some(*chars), ..of("too-large") }
                }
                FetchError::Corrupt { offset } => Failure { total: Some(*offset), ..of("corrupt") },
                FetchError::Invalid { argument, .. } => {
                    let code = if *argument == "session" { "bad-session" } else { "invalid" };
                    Failure { argument: Some((*argument).to_owned()), ..of(code) }
                }
                FetchError::TooCostly { argument, .. } => {
                    Failure { argument: Some((*argument).to_owned()), ..of("too-costly") }
                }
                FetchError::Storage(_) => of("storage"),
                FetchError::Gone(stone) => Failure { gone: Some(tombstone(stone)), ..of("gone") },
            }
        }
    }

    impl From<LookupError> for Failure {
        fn from(error: LookupError) -> Failure {
            FetchError::from(error).into()
        }
    }

    impl From<StoreError> for Failure {
        fn from(error: StoreError) -> Failure {
            FetchError::from(error).into()
        }
    }

    impl From<ParseIdError> for Failure {
        fn from(error: ParseIdError) -> Failure {
            FetchError::MalformedId(error).into()
        }
    }

    impl From<TransformError> for Failure {
        fn from(error: TransformError) -> Failure {
            match error {
                TransformError::BadSession => failure("bad-session", error),
                TransformError::BadBase64(part) => {
                    Failure { total: Some(part as u64), ..failure("bad-base64", error) }
                }
            }
        }
    }
}

#[cfg(feature = "tools")]
mod tools {
    use super::{Failure, failure};
    use crate::search::bridge::assemble::AssembleError;
    use crate::search::bridge::settings::SettingsError;
    use crate::search::catalog::build::BuildError;

    impl From<BuildError> for Failure {
        fn from(error: BuildError) -> Failure {
            let (code, total) = match &error {
                BuildError::TooManyTools { limit, .. } => ("too-many-tools", Some(*limit)),
                BuildError::TooLarge { limit, .. } => ("snapshot-too-large", Some(*limit)),
                BuildError::BridgeNames => ("invalid-bridge-names", None),
            };
            Failure { total, ..failure(code, error) }
        }
    }

    impl From<SettingsError> for Failure {
        fn from(error: SettingsError) -> Failure {
            Failure { argument: Some("settings".to_owned()), ..failure("invalid", error) }
        }
    }

    impl From<AssembleError> for Failure {
        fn from(error: AssembleError) -> Failure {
            let AssembleError::MissingRequired(names) = &error;
            Failure { names: names.clone(), ..failure("missing-tools", &error) }
        }
    }
}
