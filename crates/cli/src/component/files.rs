//! Files of components and of keys: what they are, read and replaced.

use std::fmt;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use weir_host::signatures::{PublicKey, component_file};
use weir_host::{Error, FileDescription};

use crate::context::Context;
use crate::failure::Failure;
use crate::trust::Key;

/// The contract that a file keeps, or that it is.
pub(super) struct Contract {
    /// As in `weir:plugin@0.3.0`.
    pub(super) name: String,
    /// A component keeps it and can be run; a WIT package only describes it.
    pub(super) runs: bool,
}

impl Contract {
    pub(super) fn of(bytes: &[u8]) -> Result<Contract, Error> {
        let described = FileDescription::of(bytes)?;
        match described.wit_package() {
            Ok(name) => Ok(Contract { name, runs: false }),
            Err(_) => Ok(Contract { name: described.contract()?, runs: true }),
        }
    }
}

impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = if self.runs { "" } else { ", as a WIT package" };
        write!(f, "contract   {}{form}", self.name)
    }
}

/// The keys that are named, else those of the configuration.
pub(super) fn keys(named: &[PathBuf], context: &Context<'_>) -> Result<Vec<PublicKey>, Failure> {
    if named.is_empty() {
        return context.component_settings().public_keys();
    }
    named.iter().map(|path| Key::File(path.clone()).read()).collect()
}

/// A file that a command names: where it is missing, that is all there is to say.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    component_file(file).map_err(|error| match error {
        Error::MissingComponent { path, source } => Failure::reading(&path, source),
        other => other.into(),
    })
}

pub(super) fn hex(bytes: &[u8]) -> String {
    weir_base::hex(&Sha256::digest(bytes))
}
