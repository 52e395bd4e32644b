//! The crates as they are published, the component inside of the one that embeds it.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::component::{Build, World};
use crate::toolchain;
use crate::{Result, cargo, metadata, output};

/// Each after those that it needs. Cargo takes what is packed here for what the registry will have.
const CRATES: [&str; 12] = [
    "weir-base",
    "weir-text",
    "weir-agents",
    "weir-host",
    "weir-mcp",
    "weir-oauth",
    "weir-servers",
    "weir-openapi",
    "weir-tier",
    "weir-gateway",
    "weir-extmcp",
    "weir-cli",
];

/// What the crate of the host brings along from outside of its folder.
struct Brought(Vec<PathBuf>);

/// It is only there while the crates are packed: the workspace builds with its own.
impl Drop for Brought {
    fn drop(&mut self) {
        for directory in &self.0 {
            let _ = fs::remove_dir_all(directory);
        }
    }
}

/// Packs the crates, and checks the one with the component.
pub(crate) fn run(root: &Path, version: &str, check: bool) -> Result<()> {
    with_component(root, &["package", "--no-verify"])?;
    let packed = target(root)?.join("package");
    for name in CRATES {
        let file = packed.join(format!("{name}-{version}.crate"));
        let bytes = fs::metadata(&file)
            .map_err(|error| format!("cannot read {}: {error}", file.display()))?
            .len();
        println!("{bytes:>9}  {}", file.display());
    }
    match check {
        true => check_host(&packed, version),
        false => Ok(()),
    }
}

/// Publishes the crates: cargo waits until the registry has what the next one needs.
pub(crate) fn publish(root: &Path, dry: bool) -> Result<()> {
    if !dry && env!("CARGO_PKG_REPOSITORY").contains("/OWNER/") {
        return Err("OWNER is to be filled in first: see dev/dist/README.md".to_owned());
    }
    let dry = dry.then_some("--dry-run");
    with_component(root, &[&["publish", "--no-verify"], dry.as_slice()].concat())?;
    println!("in this order: {}", CRATES.join(", "));
    Ok(())
}

/// A command of cargo on the crates, while the host's folder holds the component and the contract.
fn with_component(root: &Path, command: &[&str]) -> Result<()> {
    let (component, wit) = (root.join("host/component"), root.join("host/wit"));
    let _brought = Brought(vec![component.clone(), wit.clone()]);
    // Their names are those that the host's build looks for.
    for (table, name) in [(true, "weir.wasm"), (false, "weir-without-table.wasm")] {
        let made = Build::new(root.to_owned(), World::Plugin, table, None, None)?.run()?;
        println!("{}  {name}", made.sha256);
        copy(&made.file, &component)?;
    }
    for entry in read_dir(&root.join("wit"))? {
        if entry.extension().is_some_and(|extension| extension == "wit") {
            copy(&entry, &wit)?;
        }
    }
    let mut cargo = cargo();
    cargo.current_dir(root).args(command).args(["--locked", "--allow-dirty"]);
    for name in CRATES {
        cargo.args(["--package", name]);
    }
    output(&mut cargo).map(drop)
}

/// Builds the packed crate of the host in an empty folder, without the network and with no program on the path but
/// those that linking needs: neither rustup nor another cargo.
fn check_host(packed: &Path, version: &str) -> Result<()> {
    let folder = env::temp_dir().join(format!("weir-packed-{}", std::process::id()));
    let _unpacked = Brought(vec![folder.clone()]);
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).map_err(|error| error.to_string())?;
    for name in ["weir-base", "weir-host"] {
        let file = packed.join(format!("{name}-{version}.crate"));
        output(Command::new("tar").arg("xzf").arg(file).arg("-C").arg(&folder))?;
    }
    let base = folder.join(format!("weir-base-{version}"));
    // As the registry will have it.
    let base = format!("patch.crates-io.weir-base.path={:?}", base.display().to_string());
    for name in ["cc", "ld", "as", "ar"] {
        link_program(name, &programs)?;
    }
    let cargo = toolchain::sysroot()?.join("bin/cargo");
    let rustc = toolchain::sysroot()?.join("bin/rustc");
    for features in ["--no-default-features", "--all-features"] {
        output(
            Command::new(&cargo)
                .current_dir(folder.join(format!("weir-host-{version}")))
                .args(["build", "--offline", "--quiet", features, "--config", &base])
                .arg("--target-dir")
                .arg(folder.join("target"))
                .env("PATH", &programs)
                .env("RUSTC", &rustc)
                .env_remove("CARGO")
                .env_remove("RUSTUP_TOOLCHAIN")
                .env_remove("WEIR_COMPONENT"),
        )?;
        println!("weir-host builds from its packed file with {features}");
    }
    Ok(())
}

#[cfg(unix)]
fn link_program(name: &str, directory: &Path) -> Result<()> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|place| place.join(name)).find(|file| file.is_file());
    match found {
        Some(file) => std::os::unix::fs::symlink(file, directory.join(name))
            .map_err(|error| format!("cannot link {name}: {error}")),
        None => Ok(()),
    }
}

#[cfg(not(unix))]
fn link_program(_: &str, _: &Path) -> Result<()> {
    Err("the check needs a Unix: leave out --check".to_owned())
}

/// Where cargo builds in this workspace.
fn target(root: &Path) -> Result<PathBuf> {
    metadata(root)?["target_directory"]
        .as_str()
        .map(PathBuf::from)
        .ok_or_else(|| "no target".to_owned())
}

fn read_dir(directory: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |error| format!("cannot read {}: {error}", directory.display());
    let entries = fs::read_dir(directory).map_err(unreadable)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(unreadable)).collect()
}

/// Copies a file into a directory.
fn copy(file: &Path, directory: &Path) -> Result<()> {
    let name = file.file_name().unwrap_or(OsStr::new("file"));
    fs::create_dir_all(directory)
        .and_then(|()| fs::copy(file, directory.join(name)))
        .map(drop)
        .map_err(|error| format!("cannot copy {}: {error}", file.display()))
}
