//! `weir component`: files of the component, and who signed them.

use std::io;

use serde_json::json;
use sha2::{Digest as _, Sha256};
use weir_host::signatures::{Distrust, KeyError, Signature, Trust, Trusted, component_file};
use weir_host::{Error, FileDescription};

use super::args::{Component, VerifyComponent};
use super::numbers::size;
use super::trust::Key;
use super::{Answer, Context, Failure};

pub(crate) fn run(command: &Component, context: &Context<'_>) -> Result<Answer, Failure> {
    match command {
        Component::Verify(arguments) => verify(arguments, context),
    }
}

fn verify(arguments: &VerifyComponent, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let keys = match arguments.keys.as_slice() {
        [] => context.component_settings().public_keys()?,
        named => {
            named.iter().map(|path| Key::File(path.clone()).read()).collect::<Result<_, _>>()?
        }
    };
    // A file that is missing is told as that, without a word of components.
    let bytes = component_file(&arguments.file).map_err(|error| match error {
        Error::MissingComponent { path, source } => Failure::reading(&path, source),
        other => other.into(),
    })?;
    let mut problems = Vec::new();
    let contract = FileDescription::of(&bytes).and_then(|file| {
        let package = file.wit_package().map(|name| (name, ", as a WIT package"));
        let composed = || file.composed().map(|name| (name, ", composed into another component"));
        package.or_else(|_| composed()).or_else(|_| Ok((file.contract()?, "")))
    });
    let contract = contract.map_err(|error| problems.push(error.with_causes())).ok();
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
    let sha256 = weir_base::hex(&Sha256::digest(&bytes));
    if console.json() {
        console.value(&json!({
            "file": arguments.file, "bytes": bytes.len(), "sha256": sha256, "contract": contract.map(|(name, _)| name),
            "trusted": reason, "key": key, "problems": problems,
        }))?;
    } else {
        let size = size(bytes.len() as u64);
        console.line(format_args!("file       {} ({size})", arguments.file.display()))?;
        console.line(format_args!("sha256     {sha256}"))?;
        if let Some((name, form)) = &contract {
            console.line(format_args!("contract   {name}{form}"))?;
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
