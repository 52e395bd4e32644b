//! `weir component`: files of the component, and who signed them.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::json;
use weir_host::signatures::{Distrust, KeyError, Signature, SigningKey, Trust, Trusted};

mod files;

use files::{Contract, hex, keys, read, write_public};

use super::answer::Answer;
use super::args::{Component, VerifyComponent};
use super::console::Console;
use super::context::Context;
use super::failure::Failure;
use super::numbers::size;

pub(crate) fn run(
    command: &Component,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    match command {
        Component::Verify(arguments) => verify(arguments, context, console),
        Component::Sign { files, key } => sign(files, key, console),
        Component::Keygen { name } => keygen(name, console),
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

fn sign(files: &[PathBuf], key: &Path, console: &mut Console) -> Result<Answer, Failure> {
    let key = signing_key(key)?;
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

/// The private key of a file that the user named.
fn signing_key(file: &Path) -> Result<SigningKey, Failure> {
    SigningKey::from_file(file).map_err(|error| {
        Failure::usage(
            error.to_string(),
            "a private key is a PEM file, as `weir component keygen NAME` writes it (NAME.key)",
        )
    })
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
    write_new(&private, &key.to_pem()).map_err(|source| Failure::writing(&private, source))?;
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

fn failed(error: &KeyError) -> Failure {
    Failure::usage(error.to_string(), "try again")
}
