//! Compiles the component for `wasm32-wasip2`, so that the host can embed it.
//!
//! Set `WEIR_COMPONENT` to the path of a component to embed that file instead.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

const TARGET: &str = "wasm32-wasip2";

fn main() {
    println!("cargo::rerun-if-env-changed=WEIR_COMPONENT");
    let component = match env::var_os("WEIR_COMPONENT") {
        Some(path) => PathBuf::from(path),
        None => build_component(),
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

fn build_component() -> PathBuf {
    let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let workspace = manifest.parent().expect("the host lies in the workspace").to_owned();
    for path in [
        "component/src",
        "component/data",
        "component/Cargo.toml",
        "wit",
        "Cargo.toml",
        "Cargo.lock",
    ] {
        let path = workspace.join(path);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    ensure_target_is_installed();

    // Beside the profiles' folders (`target/debug`, …), so that all of them share one component.
    let out = PathBuf::from(variable("OUT_DIR"));
    let target_dir =
        out.ancestors().nth(4).expect("OUT_DIR is target/PROFILE/build/NAME/out").join("component");
    let features: Vec<&str> =
        [("CARGO_FEATURE_SEMANTIC", "semantic"), ("CARGO_FEATURE_FULL_REGEX", "full-regex")]
            .into_iter()
            .filter(|(variable, _)| env::var_os(variable).is_some())
            .map(|(_, feature)| feature)
            .chain(["results", "tools"])
            .collect();

    let mut cargo = Command::new(variable("CARGO"));
    cargo
        .current_dir(&workspace)
        .args([
            "build",
            "--package",
            "weir-component",
            "--profile",
            "component",
            "--target",
            TARGET,
        ])
        .args(["--no-default-features", "--features", &features.join(",")])
        .arg("--target-dir")
        .arg(&target_dir)
        // The outer build's flags and wrappers are meant for the host's target, not for this one.
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("CARGO_BUILD_TARGET")
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags(&workspace));
    let status = cargo.status().expect("cargo can be started again");
    assert!(status.success(), "the component does not compile: see above");
    target_dir.join(TARGET).join("component").join("weir_component.wasm")
}

/// SIMD, and paths that are the same on every machine, so that the same sources give the same file.
fn rustflags(workspace: &Path) -> String {
    let mut flags = vec!["-C".to_owned(), "target-feature=+simd128".to_owned()];
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    if let Some(home) = home {
        flags.push(format!("--remap-path-prefix={}=/cargo", home.display()));
    }
    flags.push(format!("--remap-path-prefix={}=/weir", workspace.display()));
    flags.join("\u{1f}")
}

/// rustup does not add a target by itself, and where its automatic installs are switched off, a
/// toolchain file would not do it either: so it is asked for by name.
fn ensure_target_is_installed() {
    if target_is_installed() {
        return;
    }
    println!("cargo::warning=installing the Rust target {TARGET} (once)");
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]);
    if let Some(toolchain) = env::var_os("RUSTUP_TOOLCHAIN") {
        rustup.arg("--toolchain").arg(toolchain);
    }
    let added = rustup.status();
    assert!(
        matches!(added, Ok(status) if status.success()) && target_is_installed(),
        "\n\nThe Rust target {TARGET} is missing and could not be installed ({}).\n\
         Install it and build again:\n\n    rustup target add {TARGET}\n\n\
         Without rustup, install the standard library for {TARGET} as your distribution has it, or \
         set WEIR_COMPONENT to the path of a ready-made component.\n",
        match added {
            Ok(status) => format!("rustup: {status}"),
            Err(error) => format!("rustup cannot be started: {error}"),
        }
    );
}

fn target_is_installed() -> bool {
    let printed = Command::new(variable("RUSTC"))
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    printed.is_ok_and(|output| {
        let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
        let has_std =
            |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("libstd-");
        path.read_dir().is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(has_std)))
    })
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|error| panic!("cargo sets {name}: {error}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
