//! The Rust toolchain: where it is, and whether it compiles for WASI.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::{Result, output};

/// What the component is compiled for.
pub(crate) const TARGET: &str = "wasm32-wasip2";

fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// The directory that the toolchain is installed in.
pub(crate) fn sysroot() -> Result<PathBuf> {
    Ok(PathBuf::from(output(rustc().args(["--print", "sysroot"]))?.trim()))
}

/// The compiler, to the commit.
pub(crate) fn version() -> Result<String> {
    output(rustc().arg("-vV"))
}

/// Installs the target where it is missing. rustup does not add a target by itself, and where its
/// automatic installs are switched off, a toolchain file would not do it either.
pub(crate) fn ensure_target() -> Result<()> {
    if target_is_installed() {
        return Ok(());
    }
    eprintln!("installing the Rust target {TARGET} (once)");
    let mut rustup = Command::new("rustup");
    rustup.args(["target", "add", TARGET]);
    if let Some(toolchain) = env::var_os("RUSTUP_TOOLCHAIN") {
        rustup.arg("--toolchain").arg(toolchain);
    }
    let added = rustup.status();
    if matches!(added, Ok(status) if status.success()) && target_is_installed() {
        return Ok(());
    }
    let why = match added {
        Ok(status) => format!("rustup: {status}"),
        Err(error) => format!("rustup cannot be started: {error}"),
    };
    Err(format!(
        "the Rust target {TARGET} is missing and could not be installed ({why}).\n\
         Install it and build again:\n\n    rustup target add {TARGET}\n\n\
         Without rustup, install the standard library for {TARGET} as your distribution has it, or \
         set WEIR_COMPONENT to the path of a ready-made component."
    ))
}

fn target_is_installed() -> bool {
    let printed = output(rustc().args(["--print", "target-libdir", "--target", TARGET]));
    let Ok(directory) = printed.map(|printed| PathBuf::from(printed.trim())) else {
        return false;
    };
    let is_std =
        |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("libstd-");
    directory.read_dir().is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(is_std)))
}
