//! The hook's part of an installation: the files of a host that tell it of `weir hook`.

use std::path::PathBuf;

use weir_agents::config::{Edit, Host};

use super::{Failure, Machine};

/// A file that the hook of a host needs, and how it changes.
#[derive(Debug)]
pub(super) enum Step {
    /// A file that others write too: keys are set, items are appended.
    #[allow(dead_code, reason = "made by hosts with hooks in their settings")]
    Edit {
        /// The file.
        file: PathBuf,
        /// The change; see [`Edit`].
        edit: Edit,
    },
    /// A file of Weir's own.
    #[allow(dead_code, reason = "made by hosts with plugins")]
    Write {
        /// The file.
        file: PathBuf,
        /// All that it holds.
        text: String,
    },
}

/// The steps for a host. A step for something that is there already is left out.
pub(super) fn steps(_host: &Host, _machine: &Machine) -> Result<Vec<Step>, Failure> {
    Ok(Vec::new())
}
