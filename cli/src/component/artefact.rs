//! `weir component pull` and `push`: the component's file in OCI registries.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::json;
use weir_gateway::registry::reference::{Reference, sha256_of};
use weir_gateway::registry::{self, Artefact, Pulled, RegistryError, Way};
use weir_host::FileDescription;
use weir_host::signatures::{Distrust, Signature, Trust, Trusted};

use super::files::{Contract, hex, keys, read, replace};
use super::{signed_by, signing_key};
use crate::answer::Answer;
use crate::args::{PullComponent, PushComponent, Registry};
use crate::console::Console;
use crate::context::Context;
use crate::failure::Failure;
use crate::gateway::runtime;
use crate::interrupt::stop_signal;

/// The prefix of the annotations that OCI defines.
const OCI: &str = "org.opencontainers.image.";

pub(super) fn pull(
    arguments: &PullComponent,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let reference = reference(&arguments.reference)?;
    let pin = arguments.digest.as_deref().map(pinned).transpose()?;
    let trust = Trust::of(keys(&arguments.keys, context)?).allow_unsigned(context.allow_unsigned());
    let pulled = wait(registry::pull(&reference, pin, &way(&arguments.registry)))?;
    let contract = Contract::of(&pulled.bytes)?;
    let (trusted, signature) = admitted(&pulled, &trust).map_err(|reason| {
        Failure::usage(
            format!("{reference} is not trusted: {reason}"),
            match reason {
                Distrust::Unsigned => {
                    "nothing was kept; ask for an artefact that is signed, or keep it all the same with \
                     --allow-unsigned"
                }
                Distrust::NoKeys => {
                    "nothing was kept; name the signer's public key with --key or in `trusted_keys`, or keep it \
                     all the same with --allow-unsigned"
                }
                _ => "nothing was kept; if another key signs it now, name that with --key or in `trusted_keys`",
            },
        )
    })?;
    let file = match &arguments.out {
        Some(file) => file.clone(),
        None => context.components()?.join(format!("sha256-{}.wasm", pulled.sha256)),
    };
    keep(&file, &pulled.bytes, signature.as_ref())?;
    let key = match &trusted {
        Trusted::Signed(key) => Some(key.fingerprint()),
        _ => None,
    };
    let why = match trusted {
        Trusted::Signed(_) => "signed",
        Trusted::Embedded => "embedded",
        _ => "allowed",
    };
    if console.json() {
        console.value(&json!({
            "reference": reference.to_string(), "manifest": format!("sha256:{}", pulled.manifest),
            "file": file, "bytes": pulled.bytes.len(), "sha256": pulled.sha256, "contract": contract.name,
            "trusted": why, "key": key,
        }))?;
        return Ok(Answer::Yes);
    }
    console.line(file.display())?;
    console.line(format_args!("sha256     {}", pulled.sha256))?;
    console.line(format_args!("manifest   sha256:{}", pulled.manifest))?;
    console.line(&contract)?;
    match key {
        Some(key) => console.line(format_args!("signature  good, by the key {key}"))?,
        None if why == "allowed" => console.note(match contract.runs {
            true => "warning: no trusted key signed this file; it runs with --allow-unsigned only",
            false => "warning: no trusted key signed this file",
        }),
        None => {
            console.line("signature  not needed: this is the component inside of this program")?
        }
    }
    if !contract.runs {
        return Ok(Answer::Yes);
    }
    console.note(format_args!(
        "run it with --component, or write into the configuration: component = {:?}",
        file.display().to_string()
    ));
    Ok(Answer::Yes)
}

/// Whether what was pulled may run, and its signature.
fn admitted(pulled: &Pulled, trust: &Trust) -> Result<(Trusted, Option<Signature>), Distrust> {
    let signature = pulled.signature.as_deref().map(Signature::from_base64).transpose();
    match signature {
        Ok(signature) => {
            let trusted = trust.check(&pulled.bytes, signature.as_ref())?;
            Ok((trusted, signature))
        }
        // What is broken is as good as none where none is needed.
        Err(error) => match trust.check(&pulled.bytes, None) {
            Ok(trusted) => Ok((trusted, None)),
            Err(_) => Err(Distrust::Malformed(error.to_string())),
        },
    }
}

/// Puts the file where it belongs. The signature is there before the file is, so that nobody finds one
/// without the other.
fn keep(file: &Path, bytes: &[u8], signature: Option<&Signature>) -> Result<(), Failure> {
    if let Some(directory) = file.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        fs::create_dir_all(directory).map_err(|source| Failure::writing(directory, source))?;
    }
    let beside = Signature::beside(file);
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| Failure::writing(&path, source)
    };
    match signature {
        Some(signature) => {
            let text = format!("{}\n", signature.to_base64());
            replace(&beside, text.as_bytes(), true).map_err(failed(&beside))?;
        }
        // One of an older file would be wrong.
        None => match fs::remove_file(&beside) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(Failure::writing(&beside, source));
            }
            _ => {}
        },
    }
    replace(file, bytes, true).map_err(failed(file))
}

pub(super) fn push(arguments: &PushComponent, console: &mut Console) -> Result<Answer, Failure> {
    let reference = reference(&arguments.reference)?;
    let bytes = read(&arguments.file)?;
    let described = FileDescription::of(&bytes)?;
    let signature = signature_for(&arguments.file, arguments.key.as_deref(), &bytes)?;
    let file = arguments.file.file_name().map(|name| name.to_string_lossy().into_owned());
    let file = file.unwrap_or_else(|| "weir.wasm".to_owned());
    let artefact = Artefact {
        bytes: &bytes,
        file: &file,
        exports: &described.exports,
        imports: &described.imports,
        signature: signature.map(|signature| signature.to_base64()),
        annotations: annotations(&described, &arguments.annotations)?,
    };
    let manifest = wait(registry::push(&reference, &artefact, &way(&arguments.registry)))?;
    let pinned = Reference { digest: Some(manifest.clone()), ..reference.clone() };
    if console.json() {
        console.value(&json!({
            "reference": reference.to_string(), "manifest": format!("sha256:{manifest}"),
            "file": arguments.file, "sha256": hex(&bytes), "signed": artefact.signature.is_some(),
            "annotations": artefact.annotations,
        }))?;
        return Ok(Answer::Yes);
    }
    console.line(pinned)?;
    if artefact.signature.is_none() {
        console.note(
            "warning: it is not signed; sign it first (`weir component sign`), or push with --key",
        );
    }
    Ok(Answer::Yes)
}

/// The signature that is made with a key, or else the one that lies beside the file.
fn signature_for(
    file: &Path,
    key: Option<&Path>,
    bytes: &[u8],
) -> Result<Option<Signature>, Failure> {
    if let Some(key) = key {
        return signed_by(&signing_key(key)?, bytes).map(Some);
    }
    let beside = Signature::beside(file);
    if !beside.exists() {
        return Ok(None);
    }
    Signature::from_file(&beside).map(Some).map_err(|error| {
        Failure::usage(
            error.to_string(),
            "sign the file again (`weir component sign`), or push with --key",
        )
    })
}

/// What the file says of itself, and what the user adds.
fn annotations(
    described: &FileDescription,
    given: &[String],
) -> Result<BTreeMap<String, String>, Failure> {
    let mut annotations: BTreeMap<String, String> = described
        .texts
        .iter()
        .map(|(name, text)| {
            let name = if name == "homepage" { "url" } else { name };
            (format!("{OCI}{name}"), text.clone())
        })
        .collect();
    // What it is called, of our component, of its contract and of any other.
    if described.contract().is_ok() {
        annotations.insert(format!("{OCI}title"), "weir".to_owned());
    } else if let Ok(package) = described.wit_package() {
        let (name, version) = package.split_once('@').unwrap_or((&package, ""));
        annotations.insert(format!("{OCI}title"), name.to_owned());
        annotations.insert(format!("{OCI}version"), version.to_owned());
    }
    for text in given {
        let (name, value) =
            text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| {
                Failure::usage(
                    format!("{text:?} is not an annotation"),
                    "write --annotation NAME=VALUE",
                )
            })?;
        annotations.insert(name.to_owned(), value.to_owned());
    }
    Ok(annotations)
}

fn reference(text: &str) -> Result<Reference, Failure> {
    text.parse().map_err(|error: String| {
        Failure::usage(error, "write HOST/NAME:TAG or HOST/NAME@sha256:DIGEST")
    })
}

fn pinned(text: &str) -> Result<&str, Failure> {
    sha256_of(text).ok_or_else(|| {
        Failure::usage(
            format!("{text:?} is not a digest"),
            "write --digest sha256: and 64 lower-case hexadecimal digits",
        )
    })
}

fn way(registry: &Registry) -> Way {
    Way { insecure: registry.insecure, ca: registry.ca.clone() }
}

fn wait<T>(work: impl Future<Output = Result<T, RegistryError>>) -> Result<T, Failure> {
    let done = runtime()?.block_on(async {
        tokio::select! {
            done = work => Some(done),
            () = stop_signal() => None,
        }
    });
    match done {
        Some(done) => done.map_err(|error| Failure::usage(error.message, error.hint)),
        None => Err(Failure::usage("it was given up", "run the command again; nothing was kept")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_what_the_file_says_and_what_is_given() {
        let mut described = FileDescription {
            exports: vec!["weir:plugin/info@0.3.0".into()],
            ..Default::default()
        };
        described.texts.insert("version".into(), "0.3.0".into());
        described.texts.insert("homepage".into(), "https://a.example".into());
        let given = ["org.opencontainers.image.source=https://a.example/x=y".to_owned()];
        let found = annotations(&described, &given).unwrap();
        let found: Vec<_> = found.iter().map(|(a, b)| (&a[OCI.len()..], b.as_str())).collect();
        let expected = [
            ("source", "https://a.example/x=y"),
            ("title", "weir"),
            ("url", "https://a.example"),
            ("version", "0.3.0"),
        ];
        assert_eq!(found, expected);
        for wrong in ["", "x", "=y"] {
            assert!(annotations(&described, &[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}
