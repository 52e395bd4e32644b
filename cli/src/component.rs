//! `weir component`: files of the component, and who signed them.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use sha2::{Digest as _, Sha256};
use weir_host::signatures::{
    Distrust, KeyError, PublicKey, Signature, SigningKey, Trust, Trusted, component_file,
};
use weir_host::{Error, FileDescription};

mod artefact;

use super::Answer;
use super::args::{Component, VerifyComponent};
use super::console::Console;
use super::context::Context;
use super::report::Failure;
use super::status::size;
use super::trust::Key;

pub(crate) fn run(
    command: &Component,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    match command {
        Component::Verify(arguments) => verify(arguments, context, console),
        Component::Sign { files, key } => sign(files, key, console),
        Component::Keygen { name } => keygen(name, console),
        Component::Pull(arguments) => artefact::pull(arguments, context, console),
        Component::Push(arguments) => artefact::push(arguments, console),
    }
}

fn verify(
    arguments: &VerifyComponent,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let keys = keys(&arguments.keys, context)?;
    let bytes = read(&arguments.file)?;
    let mut problems = Vec::new();
    let contract = Contract::of(&bytes).map_err(|error| problems.push(error.with_causes())).ok();
    let beside = Signature::beside(&arguments.file);
    let named = arguments.signature.is_some();
    let place = arguments.signature.as_deref().unwrap_or(&beside);
    let signature = match Signature::from_file(place) {
        Ok(signature) => Ok(Some(signature)),
        Err(KeyError::Unreadable { source, .. })
            if source.kind() == io::ErrorKind::NotFound && !named =>
        {
            Ok(None)
        }
        Err(error) => Err(Distrust::Malformed(error.to_string())),
    };
    let checked = signature.and_then(|found| Trust::of(keys.clone()).check(&bytes, found.as_ref()));
    let (reason, key) = match &checked {
        Ok(Trusted::Signed(key)) => (Some("signed"), Some(key.fingerprint())),
        Ok(_) => (Some("embedded"), None),
        Err(reason) => {
            problems.push(reason.to_string());
            (None, None)
        }
    };
    let sha256 = hex(&bytes);
    if console.json() {
        console.value(&json!({
            "file": arguments.file, "bytes": bytes.len(), "sha256": sha256, "contract": contract.map(|one| one.name),
            "trusted": reason, "key": key, "problems": problems,
        }))?;
    } else {
        let size = size(bytes.len() as u64);
        console.line(format_args!("file       {} ({size})", arguments.file.display()))?;
        console.line(format_args!("sha256     {sha256}"))?;
        if let Some(contract) = &contract {
            console.line(contract)?;
        }
        match &key {
            Some(key) => console.line(format_args!("signature  good, by the key {key}"))?,
            None if reason.is_some() => {
                console
                    .line("signature  not needed: this is the component inside of this program")?;
            }
            None => {}
        }
        for problem in &problems {
            console.line(format_args!("{}    {problem}", console.marked("problem")))?;
        }
        if matches!(checked, Err(Distrust::NoKeys)) || checked.is_err() && keys.is_empty() {
            console.note("hint: name the signer's public key with --key or in `trusted_keys`");
        }
    }
    Ok(if problems.is_empty() { Answer::Yes } else { Answer::No })
}

/// The contract that a file keeps, or that it is.
pub(crate) struct Contract {
    /// As in `weir:plugin@0.2.0`.
    pub(crate) name: String,
    /// A component keeps it and can be run; a WIT package only describes it.
    pub(crate) runs: bool,
}

impl Contract {
    pub(crate) fn of(bytes: &[u8]) -> Result<Contract, Error> {
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
pub(crate) fn keys(named: &[PathBuf], context: &Context<'_>) -> Result<Vec<PublicKey>, Failure> {
    if named.is_empty() {
        return context.component_settings().public_keys();
    }
    named.iter().map(|path| Key::File(path.clone()).read()).collect()
}

/// A file that a command names: where it is missing, that is all there is to say.
fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    component_file(file).map_err(|error| match error {
        Error::MissingComponent { path, source } => Failure::reading(&path, source),
        other => other.into(),
    })
}

fn sign(files: &[PathBuf], key: &Path, console: &mut Console) -> Result<Answer, Failure> {
    let key = SigningKey::from_file(key).map_err(|error| {
        Failure::usage(error.to_string(), "`weir component keygen` makes a pair of keys")
    })?;
    let by = key.public_key().fingerprint();
    let mut signed = Vec::new();
    for file in files {
        let bytes = fs::read(file).map_err(|source| Failure::reading(file, source))?;
        let signature = key.sign(&bytes).map_err(|error| failed(&error))?;
        let place = Signature::beside(file);
        write_public(&place, &format!("{}\n", signature.to_base64()))?;
        if !console.json() {
            console.line(format_args!("{}", place.display()))?;
        }
        signed.push(json!({"file": file, "signature": place, "sha256": hex(&bytes), "key": by}));
    }
    if console.json() {
        console.value(&json!(signed))?;
    }
    Ok(Answer::Yes)
}

fn keygen(name: &Path, console: &mut Console) -> Result<Answer, Failure> {
    let key = SigningKey::generate().map_err(|error| failed(&error))?;
    let with = |extension: &str| {
        let mut path = name.as_os_str().to_owned();
        path.push(extension);
        PathBuf::from(path)
    };
    let (private, public) = (with(".key"), with(".pub"));
    // A key that is lost cannot be made again.
    for path in [&private, &public] {
        if path.symlink_metadata().is_ok() {
            return Err(Failure::usage(
                format!("{} is there already", path.display()),
                "give the keys another name: weir component keygen NAME",
            ));
        }
    }
    write_new(&private, &key.to_pem()).map_err(|source| writing(&private, source))?;
    write_public(&public, &key.public_key().to_pem())?;
    let fingerprint = key.public_key().fingerprint();
    if console.json() {
        console.value(&json!({"private": private, "public": public, "key": fingerprint}))?;
        return Ok(Answer::Yes);
    }
    console.line(format_args!(
        "{}  signs; keep it to yourself, it has no password",
        private.display()
    ))?;
    console.line(format_args!("{}  verifies; name it in `trusted_keys`", public.display()))?;
    console.line(format_args!("the key is {fingerprint}"))?;
    Ok(Answer::Yes)
}

/// Writes a file that is for its owner alone and was not there before.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Replaces a file that anyone may read.
fn write_public(path: &Path, text: &str) -> Result<(), Failure> {
    replace(path, text.as_bytes(), true).map_err(|source| writing(path, source))
}

/// Replaces a file: another process sees the old one or the new one, whole.
pub(crate) fn replace(path: &Path, bytes: &[u8], public: bool) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let mut file = tempfile::NamedTempFile::new_in(directory.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    if public {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = public;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

pub(crate) fn writing(path: &Path, source: io::Error) -> Failure {
    Failure::Io { what: format!("cannot write {}", path.display()), source }
}

fn failed(error: &KeyError) -> Failure {
    Failure::usage(error.to_string(), "try again")
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
