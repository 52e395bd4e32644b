//! The workspace's own commands: `cargo xtask`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

mod compare;
mod component;
mod dependencies;
mod docs;
mod pack;
mod revision;
mod sections;
mod size;
mod toolchain;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::component::{Build, World};

/// What a command fails with: a sentence.
type Result<T> = std::result::Result<T, String>;

const VERSION: &str = env!("CARGO_PKG_VERSION");

const USAGE: &str = "\
Usage: cargo xtask component [OPTIONS]

Builds the component, writes into it what it is, and prints the file's SHA-256 and path.
The same sources and the same toolchain give the same bytes in every folder of every machine.

  --world plugin|results|tools|agent|middleware   which file (default: plugin)
  --without-table                without the table of word vectors (4 MB)
  --target-dir DIR               where cargo builds (default: target/component)
  --out FILE                     where the file goes (default: weir.wasm or weir-WORLD.wasm in that directory)

Usage: cargo xtask compare A B [--rounds N] [AREA…]

Runs the bench of the component at two commits in turn, and fails where the second is slower beyond the noise of runs of
one commit. AREA as for the bench: start, call, transform, range, grep, store, table.

Usage: cargo xtask package [--check]

Packs the crates into target/package, the component inside of weir-host.

  --check                        build weir-host from its packed file in an empty folder, offline, without
                                 rustup and without another cargo; compiles wasmtime twice

Usage: cargo xtask publish [--dry-run]

Publishes the crates, each after those that it needs; --dry-run does all but that.

Usage: cargo xtask dist [OPTIONS]

Makes every file of a release in target/dist; --help lists the options.

Usage: cargo xtask picture [--check]

Draws docs/structure.svg with Python 3; --check fails where the sources say something else.

Usage: cargo xtask size [--write]

Counts the lines of Rust that ship, crate by crate. Fails when a crate grew by more than 3 % and dev/size.md does
not say what for.

  --write                        bring the table of dev/size.md up to date

WEIR_REVISION names the source revision where git cannot, as in an unpacked archive.
";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<()> {
    match arguments.next().as_deref() {
        Some("component") => component(arguments),
        Some("compare") => compare::run(&root()?, arguments),
        Some("package") => pack::run(&root()?, VERSION, flag("--check", arguments)?),
        Some("publish") => pack::publish(&root()?, flag("--dry-run", arguments)?),
        Some("dist") => dist(arguments),
        Some("picture") => picture(flag("--check", arguments)?),
        Some("size") => size::run(&root()?, flag("--write", arguments)?),
        Some("help" | "--help" | "-h") => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("a command is needed\n\n{USAGE}")),
    }
}

fn component(mut arguments: impl Iterator<Item = String>) -> Result<()> {
    let (mut world, mut table, mut target, mut out) = (World::Plugin, true, None, None);
    let mut adapter = None;
    while let Some(option) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{option} needs a value"));
        match option.as_str() {
            "--world" => match value()?.as_str() {
                "agent" => adapter = Some("weir-agent"),
                "middleware" => adapter = Some("weir-middleware"),
                name => world = World::named(name)?,
            },
            "--without-table" => table = false,
            "--target-dir" => target = Some(PathBuf::from(value()?)),
            "--out" => out = Some(PathBuf::from(value()?)),
            _ => return Err(format!("{option} is not an option\n\n{USAGE}")),
        }
    }
    let whole = out.clone().filter(|_| adapter.is_none());
    let mut made = Build::new(root()?, world, table, target, whole)?.run()?;
    if let Some(adapter) = adapter {
        made = component::around(&root()?, &made, adapter, out)?;
    }
    println!("{}  {}", made.sha256, made.file.display());
    Ok(())
}

/// Whether the only option that a command has is there.
fn flag(option: &str, mut arguments: impl Iterator<Item = String>) -> Result<bool> {
    match arguments.next() {
        None => Ok(false),
        Some(given) if given == option => Ok(true),
        Some(given) => Err(format!("{given} is not an option\n\n{USAGE}")),
    }
}

/// Runs the crate that makes releases. It needs more crates than the build of a host should wait for.
fn dist(arguments: impl Iterator<Item = String>) -> Result<()> {
    let status = cargo()
        .current_dir(root()?)
        .args(["run", "--quiet", "--locked", "--package", "weir-dist", "--"])
        .args(arguments)
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err("there is no release: see above".to_owned()) }
}

/// The picture of ARCHITECTURE.md.
fn picture(check: bool) -> Result<()> {
    let root = root()?;
    let mut python = std::process::Command::new("python3");
    python.arg(root.join("dev/xtask/picture.py")).args(check.then_some("--check"));
    output(&mut python).map(drop)
}

/// The workspace's directory.
fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest
        .ancestors()
        .nth(2)
        .map(Path::to_owned)
        .ok_or_else(|| "xtask lies in the workspace".to_owned())
}

/// What cargo to run: the one that runs this.
fn cargo() -> std::process::Command {
    std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What cargo says of the workspace.
fn metadata(root: &Path) -> Result<serde_json::Value> {
    let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
    let printed = output(cargo().current_dir(root).args(arguments))?;
    serde_json::from_str(&printed).map_err(|error| error.to_string())
}

/// The standard output of a command that must succeed.
fn output(command: &mut std::process::Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name} cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name} failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{name} printed something else than text"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_picture_is_what_manifests_and_sources_say() {
        // Elsewhere `.ci/run` says what is left out.
        if std::process::Command::new("python3").arg("--version").output().is_ok() {
            assert_eq!(super::picture(true), Ok(()));
        }
    }
}
