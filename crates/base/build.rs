//! Begins a first build with the component. Cargo starts first what most crates wait for: all of Weir's wait for this one, and hardly
//! any for the host, whose build script makes the component. Left to it, that ran last and alone, while a processor had nothing to do.
//!
//! Nothing hangs on this: the host's build script makes what is missing or old, and says what failed.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=WEIR_COMPONENT");
    if let Some(mut begin) = first_build() {
        let _ = begin.status();
    }
}

/// What makes the component, where this lies in the workspace and there is none yet.
fn first_build() -> Option<Command> {
    let workspace = Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("../..");
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    // `target/[TRIPLE/]PROFILE/build/NAME/out`, as in the host's build script.
    let triple = env::var_os("TARGET")?;
    let target =
        out.ancestors().skip(4).find(|folder| !folder.ends_with(&triple))?.join("component");
    let file = target.join("weir.wasm");
    let elsewhere = env::var_os("WEIR_COMPONENT").is_some() || file.exists();
    if elsewhere || !workspace.join("component/Cargo.toml").exists() {
        return None;
    }
    let mut cargo = Command::new(env::var_os("CARGO")?);
    cargo.current_dir(workspace).args(["run", "--quiet", "--locked", "--package", "xtask"]);
    cargo.arg("--target-dir").arg(&target).args(["--", "component", "--target-dir"]);
    cargo.arg(&target).arg("--out").arg(&file);
    // What the outer build is told is meant for its own code.
    for variable in [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_TARGET",
    ] {
        cargo.env_remove(variable);
    }
    Some(cargo)
}
