//! The setting `tier`: an address, or a table with the address as `url`.

use std::path::PathBuf;

use serde::Deserialize;

/// Where the results of several gateways are, and when one is safe.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX`, `az://CONTAINER/PREFIX`, or the absolute path of a directory that all machines mount.
    pub url: String,
    /// The address of a server other than the cloud's own.
    pub endpoint: Option<String>,
    /// The bucket's region, before `AWS_REGION`.
    pub region: Option<String>,
    /// A PEM file with certificate authorities that are believed as well.
    pub ca: Option<PathBuf>,
    /// When a handle is given out.
    #[serde(default)]
    pub durability: Durability,
}

/// When a handle is given out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Durability {
    /// When blob and reference are in the bucket.
    #[default]
    Bucket,
    /// When they are on disk. They are uploaded after that: what a machine had not uploaded goes with its disk.
    Disk,
}

impl Settings {
    /// With everything but the address at its default.
    pub fn at(url: &str) -> Settings {
        Settings {
            url: url.to_owned(),
            endpoint: None,
            region: None,
            ca: None,
            durability: Durability::default(),
        }
    }
}
