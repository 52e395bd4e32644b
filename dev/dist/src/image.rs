//! Images that container engines load, made without one: one layer with the static program, and its list of parts.
//!
//! An archive in the layout of OCI: `podman load`, `docker load` and `skopeo copy oci-archive:` read it.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::archive::{Entries, Entry, read_tar, tar, tar_gz_of};
use crate::binary::Binary;
use crate::sums::sha256;
use crate::{Dist, REPOSITORY, Result, SUMMARY, read, sbom};

/// Who runs the program in it: nobody of the system's.
const USER: u64 = 65_532;

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const EMPTY: &str = "application/vnd.oci.empty.v1+json";
const PARTS: &str = "application/vnd.cyclonedx+json";
const PROGRAM: &str = "usr/bin/weir";

/// The name of the image for a processor.
pub(crate) fn name(version: &str, processor: &str) -> String {
    format!("weir-{version}-linux-{processor}.oci.tar")
}

/// The processor as container engines call it.
fn processor(target: &str) -> &'static str {
    if target.starts_with("aarch64") { "arm64" } else { "amd64" }
}

pub(crate) fn make(dist: &Dist, binaries: &[Binary]) -> Result<()> {
    let source = &dist.source;
    let parts = read(&dist.out.join(sbom::name(&source.version)))?;
    for binary in binaries {
        let processor = processor(binary.platform.target);
        let mut layer = source.licences("usr/share/doc/weir/")?;
        let licence = source.text("dev/dist/third-party/certificates.txt")?;
        layer.insert("usr/share/doc/weir/CERTIFICATES.txt".to_owned(), Entry::file(licence));
        layer.insert("etc/ssl/certs/ca-certificates.crt".to_owned(), Entry::file(authorities()));
        layer.insert(PROGRAM.to_owned(), Entry::program(read(&binary.file)?));
        for folder in [
            "etc/",
            "etc/ssl/",
            "etc/ssl/certs/",
            "usr/",
            "usr/bin/",
            "usr/share/",
            "usr/share/doc/",
            "usr/share/doc/weir/",
        ] {
            layer.insert(folder.to_owned(), Entry::folder(0o755, 0));
        }
        layer.insert("data/".to_owned(), Entry::folder(0o700, USER));
        layer.insert("tmp/".to_owned(), Entry::folder(0o1777, 0));
        let labels = BTreeMap::from([
            ("org.opencontainers.image.title", "weir"),
            ("org.opencontainers.image.description", SUMMARY),
            ("org.opencontainers.image.version", &source.version),
            ("org.opencontainers.image.licenses", "Apache-2.0"),
            ("org.opencontainers.image.source", REPOSITORY),
            ("org.opencontainers.image.revision", source.commit.as_deref().unwrap_or_default()),
        ]);
        let image = archive(&layer, &parts, processor, &labels, source.time)?;
        dist.put(&name(&source.version, processor), &image)?;
    }
    Ok(())
}

/// The certificate authorities of Mozilla's programme, in PEM.
fn authorities() -> String {
    let mut text = String::new();
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        text.push_str("-----BEGIN CERTIFICATE-----\n");
        let encoded = STANDARD.encode(certificate);
        for line in encoded.as_bytes().chunks(64) {
            text.push_str(&String::from_utf8_lossy(line));
            text.push('\n');
        }
        text.push_str("-----END CERTIFICATE-----\n");
    }
    text
}

fn archive(
    layer: &Entries,
    parts: &[u8],
    processor: &str,
    labels: &BTreeMap<&str, &str>,
    time: u64,
) -> Result<Vec<u8>> {
    let mut files = Entries::new();
    let mut blob = |kind: &str, bytes: Vec<u8>| {
        let digest = sha256(&bytes);
        let descriptor =
            json!({"mediaType": kind, "digest": format!("sha256:{digest}"), "size": bytes.len()});
        files.insert(format!("blobs/sha256/{digest}"), Entry::file(bytes));
        descriptor
    };
    let plain = tar(layer, time)?;
    let content = sha256(&plain);
    let layer = blob(LAYER, tar_gz_of(&plain)?);
    let created = sbom::timestamp(time);
    let config = json!({
        "created": created, "architecture": processor, "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"), "Env": ["HOME=/data", "PATH=/usr/bin"], "Entrypoint": [format!("/{PROGRAM}")],
            "WorkingDir": "/data", "Volumes": {"/data": {}}, "ExposedPorts": {"3456/tcp": {}}, "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": [format!("sha256:{content}")]},
        "history": [{"created": created, "created_by": "cargo xtask dist"}],
    });
    let config = blob(CONFIG, config.to_string().into_bytes());
    let manifest = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer], "annotations": labels,
    });
    let mut manifest = blob(MANIFEST, manifest.to_string().into_bytes());
    let listed = json!({
        "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": PARTS, "config": blob(EMPTY, b"{}".to_vec()),
        "layers": [blob(PARTS, parts.to_vec())], "subject": manifest,
    });
    let mut listed = blob(MANIFEST, listed.to_string().into_bytes());
    listed["artifactType"] = PARTS.into();
    manifest["platform"] = json!({"architecture": processor, "os": "linux"});
    let version = labels.get("org.opencontainers.image.version").copied().unwrap_or_default();
    manifest["annotations"] = json!({"org.opencontainers.image.ref.name": version});
    let index = json!({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest, listed],
    });
    files.insert("index.json".to_owned(), Entry::file(index.to_string()));
    files.insert("oci-layout".to_owned(), Entry::file(r#"{"imageLayoutVersion":"1.0.0"}"#));
    tar(&files, time)
}

/// Follows an image from its index: every digest and size has to be right, the layer what the configuration says, and
/// its program one that everybody may start and nobody of the system's does.
pub(crate) fn lint(image: &[u8]) -> Result<()> {
    let files = read_tar(image)?;
    let json = |name: &str| -> Result<Value> {
        let entry = files.get(name).ok_or_else(|| format!("the image lacks {name}"))?;
        serde_json::from_slice(&entry.bytes).map_err(|error| format!("{name}: {error}"))
    };
    let blob = |descriptor: &Value| -> Result<(String, Vec<u8>)> {
        let digest =
            descriptor["digest"].as_str().unwrap_or_default().trim_start_matches("sha256:");
        let name = format!("blobs/sha256/{digest}");
        let entry = files.get(&name).ok_or_else(|| format!("the image lacks {name}"))?;
        match sha256(&entry.bytes) == digest && descriptor["size"] == entry.bytes.len() {
            true => Ok((name, entry.bytes.clone())),
            false => Err(format!("{name} is not what it is called")),
        }
    };
    json("oci-layout")?;
    let index = json("index.json")?;
    let [manifest, listed] = &index["manifests"].as_array().cloned().unwrap_or_default()[..] else {
        return Err("the index does not list an image and its parts".to_owned());
    };
    let (name, _) = blob(manifest)?;
    let of_image = json(&name)?;
    let listed = json(&blob(listed)?.0)?;
    if listed["subject"]["digest"] != manifest["digest"] {
        return Err("the list of parts is of another image".to_owned());
    }
    blob(&listed["config"])?;
    json(&blob(&listed["layers"][0])?.0)?;
    let config = json(&blob(&of_image["config"])?.0)?;
    let (_, layer) = blob(&of_image["layers"][0])?;
    let plain = crate::archive::unpacked(&layer)?;
    if config["rootfs"]["diff_ids"] != json!([format!("sha256:{}", sha256(&plain))]) {
        return Err("the layer is not the one of the configuration".to_owned());
    }
    let entry = config["config"]["Entrypoint"][0].as_str().unwrap_or_default();
    let layer = read_tar(&plain)?;
    let program = layer.get(entry.trim_start_matches('/')).is_some_and(|entry| entry.executable);
    let user = config["config"]["User"].as_str().unwrap_or_default();
    match program && !user.is_empty() && !user.starts_with('0') && !user.starts_with("root") {
        true => Ok(()),
        false => Err(format!("the image starts {entry:?} as {user:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_whole_the_same_each_time_and_not_run_by_root() {
        let layer = Entries::from([
            (PROGRAM.to_owned(), Entry::program("program")),
            ("data/".to_owned(), Entry::folder(0o700, USER)),
            ("etc/ssl/certs/ca-certificates.crt".to_owned(), Entry::file(authorities())),
        ]);
        let labels = BTreeMap::from([("org.opencontainers.image.version", "0.3.0")]);
        let make = |layer: &Entries| {
            archive(layer, b"{}", "amd64", &labels, 1_700_000_000).expect("an image")
        };
        let image = make(&layer);
        assert_eq!(lint(&image), Ok(()));
        assert_eq!(image, make(&layer), "it is made again");
        let without = Entries::from([("data/".to_owned(), Entry::folder(0o700, USER))]);
        assert!(lint(&make(&without)).is_err(), "there is no program");
        // A byte of a blob: the digest says so.
        let place = image.windows(7).position(|bytes| bytes == b"cyclone").expect("a manifest");
        let mut changed = image.clone();
        changed[place] = b'C';
        assert!(lint(&changed).is_err(), "it was changed");
        let text = authorities();
        assert!(
            text.matches("BEGIN CERTIFICATE").count() > 100
                && text.lines().all(|line| line.len() <= 64)
        );
    }
}
