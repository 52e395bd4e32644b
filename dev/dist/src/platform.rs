//! What a system is called by the ones who install.

use crate::Result;

/// A system that a binary runs on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Platform {
    /// As Rust calls it.
    pub(crate) target: &'static str,
    /// The tags of a wheel. A static binary asks nothing of the system's C library.
    pub(crate) wheel: &'static [&'static str],
    /// As Node calls the system and the processor.
    pub(crate) node: (&'static str, &'static str),
}

const X64: [&str; 3] = ["manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"];
const ARM64: [&str; 3] =
    ["manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"];

const PLATFORMS: [Platform; 4] = [
    Platform { target: "x86_64-unknown-linux-musl", wheel: &X64, node: ("linux", "x64") },
    Platform { target: "aarch64-unknown-linux-musl", wheel: &ARM64, node: ("linux", "arm64") },
    // With the C library inside: where the targets above cannot be had.
    Platform { target: "x86_64-unknown-linux-gnu", wheel: &X64, node: ("linux", "x64") },
    Platform { target: "aarch64-unknown-linux-gnu", wheel: &ARM64, node: ("linux", "arm64") },
];

impl Platform {
    pub(crate) fn named(target: &str) -> Result<&'static Platform> {
        PLATFORMS.iter().find(|platform| platform.target == target).ok_or_else(|| {
            let known: Vec<&str> = PLATFORMS.iter().map(|platform| platform.target).collect();
            format!("no packages are known for {target}: use {}", known.join(", "))
        })
    }

    /// The name of the npm package with its binary.
    pub(crate) fn npm_package(&self) -> String {
        format!("weir-cli-{}-{}", self.node.0, self.node.1)
    }

    /// Whether its programs run on this machine.
    pub(crate) fn is_here(&self) -> bool {
        cfg!(target_os = "linux") && self.target.starts_with(std::env::consts::ARCH)
    }
}
