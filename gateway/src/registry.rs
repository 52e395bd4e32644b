//! Component files in OCI registries: pulled by digest, pushed in the layout of the CNCF.
//!
//! An artefact is a manifest with one layer of `application/wasm` and a configuration of
//! `application/vnd.wasm.config.v0+json`. The signature of the file travels in an annotation of its layer,
//! under the name by which cosign keeps the signature of a layer's bytes.
//!
//! Registries are not believed: everything is bounded, what is read is compared with its digest, and
//! credentials go to the registry and the token service that it names, to nobody else.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

mod login;
pub mod reference;
mod transport;

use reference::Reference;
use transport::{Access, Transport};

use crate::hex::hex;

/// The layer: a component's file.
pub const WASM_TYPE: &str = "application/wasm";
/// The configuration of an artefact with a component.
pub const CONFIG_TYPE: &str = "application/vnd.wasm.config.v0+json";
const MANIFEST_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";
/// What a request for a manifest accepts. The others are asked for so that they can be named.
const ACCEPT: &str = "application/vnd.oci.image.manifest.v1+json, \
    application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.v2+json, \
    application/vnd.docker.distribution.manifest.list.v2+json";

/// The annotation with the signature over the layer's bytes, in base64.
pub const SIGNATURE: &str = "dev.cosignproject.cosign/signature";

/// Bytes of a manifest that are read. OCI asks registries for no more.
const MANIFEST_MAX: u64 = 4 << 20;
/// Bytes of a component's file that are read.
pub const COMPONENT_MAX: u64 = 64 << 20;
/// How long a pull or a push may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// Why a pull or a push failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RegistryError {
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl RegistryError {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> RegistryError {
        RegistryError { message: message.into(), hint: hint.into() }
    }
}

/// How a registry is reached.
#[derive(Debug, Clone, Default)]
pub struct Way {
    /// Plain HTTP to a registry that is not on this machine.
    pub insecure: bool,
    /// A PEM file with certificate authorities that are believed beside the system's.
    pub ca: Option<std::path::PathBuf>,
}

/// A component's file from a registry. Its bytes have the digest that the manifest names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pulled {
    /// The file.
    pub bytes: Vec<u8>,
    /// The SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
    /// The SHA-256 of the manifest, in hexadecimal digits.
    pub manifest: String,
    /// The signature over the file, in base64, where the artefact has one.
    pub signature: Option<String>,
}

/// Pulls a component's file. A digest in the reference, or `pin`, is that of the manifest or of the file:
/// what has another one is refused.
///
/// # Errors
/// [`RegistryError`].
pub async fn pull(
    reference: &Reference,
    pin: Option<&str>,
    way: &Way,
) -> Result<Pulled, RegistryError> {
    bounded(async {
        let transport = Transport::new(reference, way, Access::Pull)?;
        let place = reference.digest.as_ref().map_or_else(
            || reference.tag.clone().unwrap_or_else(|| "latest".to_owned()),
            |digest| format!("sha256:{digest}"),
        );
        let manifest =
            transport.get(&format!("manifests/{place}"), ACCEPT, MANIFEST_MAX).await?;
        let manifest_digest = digest_of(&manifest);
        let wrong = |what: &str, is: &str, wanted: &str| {
            RegistryError::new(
                format!("{reference}: the {what} has the digest sha256:{is}, not sha256:{wanted}"),
                "the registry or a proxy changed it, or another version was pushed: nothing was kept",
            )
        };
        if let Some(wanted) = reference.digest.as_ref().filter(|wanted| **wanted != manifest_digest) {
            return Err(wrong("manifest", &manifest_digest, wanted));
        }
        let layer = layer_of(&manifest, reference)?;
        if let Some(pin) = pin.filter(|pin| *pin != manifest_digest && *pin != layer.digest) {
            return Err(RegistryError::new(
                format!(
                    "{reference} is not what was asked for: its manifest is sha256:{manifest_digest}, its file \
                     sha256:{}, and --digest says sha256:{pin}",
                    layer.digest
                ),
                "if the tag was moved on purpose, give the new digest; nothing was kept",
            ));
        }
        let bytes = transport.blob(&layer.digest, layer.size).await?;
        let sha256 = digest_of(&bytes);
        if sha256 != layer.digest {
            return Err(wrong("file", &sha256, &layer.digest));
        }
        Ok(Pulled { bytes, sha256, manifest: manifest_digest, signature: layer.signature })
    })
    .await
}

/// Pushes a component's file, and answers the digest of the manifest. The same file with the same
/// signature and annotations gives the same manifest.
///
/// # Errors
/// [`RegistryError`].
pub async fn push(
    reference: &Reference,
    artefact: &Artefact<'_>,
    way: &Way,
) -> Result<String, RegistryError> {
    bounded(async {
        if let Some(digest) = &reference.digest {
            return Err(RegistryError::new(
                format!("{reference}: a push needs a tag, not the digest sha256:{digest}"),
                "write HOST/NAME:TAG",
            ));
        }
        let transport = Transport::new(reference, way, Access::Push)?;
        let config = artefact.config().to_string().into_bytes();
        transport.put_blob(artefact.bytes, &digest_of(artefact.bytes)).await?;
        transport.put_blob(&config, &digest_of(&config)).await?;
        let manifest = artefact.manifest(&config).to_string().into_bytes();
        let tag = reference.tag.as_deref().unwrap_or("latest");
        transport.put_manifest(tag, &manifest, MANIFEST_TYPE).await?;
        Ok(digest_of(&manifest))
    })
    .await
}

async fn bounded<T>(
    work: impl Future<Output = Result<T, RegistryError>>,
) -> Result<T, RegistryError> {
    tokio::time::timeout(PATIENCE, work).await.unwrap_or_else(|_| {
        Err(RegistryError::new(
            format!("the registry was not done within {} s", PATIENCE.as_secs()),
            "try again later",
        ))
    })
}

/// What is pushed.
#[derive(Debug, Clone)]
pub struct Artefact<'a> {
    /// The component's file.
    pub bytes: &'a [u8],
    /// The name of the file, under which `oras pull` writes it.
    pub file: &'a str,
    /// The names of what it exports.
    pub exports: &'a [String],
    /// The names of what it imports.
    pub imports: &'a [String],
    /// The signature over the file, in base64.
    pub signature: Option<String>,
    /// Annotations of the manifest, such as `org.opencontainers.image.version`.
    pub annotations: BTreeMap<String, String>,
}

impl Artefact<'_> {
    fn config(&self) -> Value {
        json!({
            // When it was pushed is nobody's business, and would give each push another digest.
            "created": "1970-01-01T00:00:00Z",
            "architecture": "wasm",
            "os": "wasip2",
            "layerDigests": [format!("sha256:{}", digest_of(self.bytes))],
            "component": {"exports": self.exports, "imports": self.imports},
        })
    }

    fn manifest(&self, config: &[u8]) -> Value {
        let mut layer = json!({
            "mediaType": WASM_TYPE,
            "digest": format!("sha256:{}", digest_of(self.bytes)),
            "size": self.bytes.len(),
            "annotations": {"org.opencontainers.image.title": self.file},
        });
        if let Some(signature) = &self.signature {
            layer["annotations"][SIGNATURE] = json!(signature);
        }
        json!({
            "schemaVersion": 2,
            "mediaType": MANIFEST_TYPE,
            "config": {
                "mediaType": CONFIG_TYPE,
                "digest": format!("sha256:{}", digest_of(config)),
                "size": config.len(),
            },
            "layers": [layer],
            "annotations": self.annotations,
        })
    }
}

/// What a manifest says of the file.
#[derive(Debug)]
struct Layer {
    digest: String,
    size: u64,
    signature: Option<String>,
}

fn layer_of(manifest: &[u8], reference: &Reference) -> Result<Layer, RegistryError> {
    let wrong = |what: &str| {
        RegistryError::new(
            format!("{reference} {what}"),
            "an artefact with a component has one layer of application/wasm; docs/signing.md says how it is \
             pushed",
        )
    };
    let manifest: Value =
        serde_json::from_slice(manifest).map_err(|_| wrong("has a manifest that is not JSON"))?;
    if manifest["manifests"].is_array() {
        return Err(wrong("is an index of several artefacts: name one of them by its digest"));
    }
    let layers = manifest["layers"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut files = layers.iter().filter(|layer| layer["mediaType"] == WASM_TYPE);
    let layer = match (files.next(), files.next()) {
        (Some(layer), None) => layer,
        (None, _) => return Err(wrong("has no layer of application/wasm")),
        (Some(_), Some(_)) => return Err(wrong("has several layers of application/wasm")),
    };
    let digest = layer["digest"].as_str().and_then(reference::sha256_of);
    let digest = digest.ok_or_else(|| wrong("has a layer without a SHA-256"))?;
    let size = layer["size"].as_u64().ok_or_else(|| wrong("has a layer without a size"))?;
    if size > COMPONENT_MAX {
        return Err(wrong(&format!(
            "has a layer of {size} bytes, and a component has at most {COMPONENT_MAX}"
        )));
    }
    let signature = layer["annotations"][SIGNATURE].as_str().map(str::to_owned);
    Ok(Layer { digest: digest.to_owned(), size, signature })
}

fn digest_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A text from a registry, as it may be shown.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(manifest: &Value) -> Result<Layer, String> {
        let reference = "localhost/weir:1".parse().unwrap();
        layer_of(manifest.to_string().as_bytes(), &reference).map_err(|error| error.message)
    }

    #[test]
    fn what_is_pushed_is_what_is_found_again() {
        let artefact = Artefact {
            bytes: b"file",
            file: "weir.wasm",
            exports: &["weir:plugin/info@0.3.0".to_owned()],
            imports: &[],
            signature: Some("c2ln".to_owned()),
            annotations: BTreeMap::from([("a".to_owned(), "b".to_owned())]),
        };
        let config = artefact.config().to_string().into_bytes();
        let manifest = artefact.manifest(&config);
        let found = layer(&manifest).unwrap();
        assert_eq!((found.digest, found.size), (digest_of(b"file"), 4));
        assert_eq!(found.signature.as_deref(), Some("c2ln"));
        assert_eq!(artefact.manifest(&config), manifest);
        assert_eq!(manifest["config"]["mediaType"], CONFIG_TYPE);
        assert_eq!(manifest["annotations"]["a"], "b");
    }

    #[test]
    fn a_manifest_of_something_else_is_refused_as_that() {
        let digest = format!("sha256:{}", digest_of(b""));
        let wasm = json!({"mediaType": WASM_TYPE, "digest": digest, "size": 1});
        let with = |key: &str, value: Value| {
            let mut changed = wasm.clone();
            changed[key] = value;
            json!({"layers": [changed]})
        };
        for (manifest, said) in [
            (json!({"manifests": []}), "an index"),
            (json!({}), "no layer"),
            (json!({"layers": "x"}), "no layer"),
            (with("mediaType", json!("application/vnd.oci.image.layer.v1.tar")), "no layer"),
            (json!({"layers": [wasm, wasm]}), "several layers"),
            (with("digest", json!("sha256:12")), "without a SHA-256"),
            (with("digest", json!("md5:12")), "without a SHA-256"),
            (with("digest", json!(digest.to_uppercase())), "without a SHA-256"),
            (with("size", json!(-1)), "without a size"),
            (with("size", json!("1")), "without a size"),
            (with("size", json!(COMPONENT_MAX + 1)), "at most"),
        ] {
            let error = layer(&manifest).unwrap_err();
            assert!(error.contains(said), "{manifest}: {error}");
        }
        let reference = "localhost/weir".parse().unwrap();
        assert!(layer_of(b"<html>", &reference).is_err());
    }
}
