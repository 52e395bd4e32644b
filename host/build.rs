//! Finds the component that the host embeds: the one packed with this crate, or, in the workspace, the
//! one that `cargo xtask component` builds.
//!
//! Set `WEIR_COMPONENT` to the path of a component to embed that file instead.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

/// Where a packed crate has the component.
const PACKED: &str = "component";

fn main() {
    let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    println!("cargo::rustc-check-cfg=cfg(packed)");
    // Cargo puts this file into the crates that it packs, and only there.
    let packed = manifest.join("Cargo.toml.orig").exists();
    if packed {
        println!("cargo::rustc-cfg=packed");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=WEIR_COMPONENT");
    if env::var_os("CARGO_FEATURE_EMBEDDED").is_none() {
        return;
    }
    let table = env::var_os("CARGO_FEATURE_SEMANTIC").is_some();
    let component = match env::var_os("WEIR_COMPONENT") {
        Some(path) => PathBuf::from(path),
        None if packed => manifest.join(PACKED).join(name(table)),
        None => build_component(&manifest, table),
    };
    println!("cargo::rerun-if-changed={}", component.display());
    println!("cargo::rustc-env=WEIR_COMPONENT_FILE={}", component.display());
    // Compiled code is cached under this name; hashing megabytes at every start would cost more
    // than loading it.
    let bytes = std::fs::read(&component).unwrap_or_else(|error| {
        panic!("cannot read the component {}: {error}", component.display())
    });
    println!("cargo::rustc-env=WEIR_COMPONENT_SHA256={}", hex(&Sha256::digest(bytes)));
}

/// The file's name, with and without the table of word vectors.
fn name(table: bool) -> &'static str {
    if table { "weir.wasm" } else { "weir-without-table.wasm" }
}

fn build_component(manifest: &Path, table: bool) -> PathBuf {
    let workspace = manifest.parent().expect("the host lies in the workspace");
    for path in [
        "component/src",
        "component/data",
        "component/build.rs",
        "component/Cargo.toml",
        "crates/text/src",
        "crates/text/Cargo.toml",
        "dev/xtask/src",
        "wit",
        "Cargo.toml",
        "Cargo.lock",
    ] {
        println!("cargo::rerun-if-changed={}", workspace.join(path).display());
    }
    println!("cargo::rerun-if-env-changed=WEIR_REVISION");

    // Beside the profiles' folders (`target/debug`, …), so that all of them share one component. Where another
    // system is built for, its folder lies between.
    let out = PathBuf::from(variable("OUT_DIR"));
    let mut above = out.ancestors().skip(4);
    let target = above.find(|folder| !folder.ends_with(variable("TARGET")));
    let target = target.expect("OUT_DIR is target/[TRIPLE/]PROFILE/build/NAME/out");
    let options: &[&str] = if table { &[] } else { &["--without-table"] };
    xtask(workspace, &target.join("component"), name(table), options)
}

/// Runs `cargo xtask component`: what it makes is the same as when it is run by hand.
fn xtask(workspace: &Path, target: &Path, name: &str, options: &[&str]) -> PathBuf {
    let file = target.join(name);
    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .current_dir(workspace)
        .args(["run", "--quiet", "--locked", "--package", "xtask", "--target-dir"])
        .arg(target)
        .args(["--", "component"])
        .args(options)
        .arg("--target-dir")
        .arg(target)
        .arg("--out")
        .arg(&file);
    // What the outer build is told is meant for its own code.
    for variable in
        ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"]
    {
        cargo.env_remove(variable);
    }
    cargo.env_remove("CARGO_BUILD_TARGET");
    let status = cargo.status().expect("cargo can be started again");
    assert!(status.success(), "there is no component: see above");
    file
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("cargo sets {name}: {error}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
