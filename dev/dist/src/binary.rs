//! The command `weir` as one file that needs nothing of the system, and its archives.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::archive::{Entries, Entry, tar_gz};
use crate::platform::Platform;
use crate::run::{cargo, output, program};
use crate::{Dist, Result, files, fresh, read, step};

/// A binary for one system.
pub(crate) struct Binary {
    pub(crate) platform: &'static Platform,
    pub(crate) file: PathBuf,
}

const X64: &str = "x86_64-unknown-linux-musl";
const ARM64: &str = "aarch64-unknown-linux-musl";

/// The files beside the binary in its archive.
const DOCUMENTS: [&str; 2] = ["README.md", "CHANGELOG.md"];
const SHELLS: [(&str, &str); 5] = [
    ("bash", "weir.bash"),
    ("zsh", "_weir"),
    ("fish", "weir.fish"),
    ("powershell", "weir.ps1"),
    ("elvish", "weir.elv"),
];

/// The target where none is named: a static program for this processor.
pub(crate) fn usual_target() -> &'static str {
    if env::consts::ARCH == "aarch64" { ARM64 } else { X64 }
}

/// Builds the binaries and packs each with its documents.
pub(crate) fn make(dist: &Dist, component: &Path) -> Result<Vec<Binary>> {
    let mut binaries = Vec::new();
    for target in &dist.options.targets {
        let platform = Platform::named(target)?;
        let file = match dist.options.binaries.get(target) {
            Some(file) => file.clone(),
            None => {
                step(&format!("the command, for {target}"));
                build(dist, component, target)?
            }
        };
        binaries.push(Binary { platform, file });
    }
    step("manual pages, completions and archives");
    // What a binary says of itself is the same on every system: one that runs here is asked.
    let here = binaries
        .iter()
        .find(|binary| binary.platform.is_here())
        .ok_or("manual pages and completions need a binary for this machine: add a --target")?;
    let documents = documents(dist, &here.file)?;
    let pages = format!("weir-{}-man-and-completions", dist.source.version);
    dist.put(&format!("{pages}.tar.gz"), &tar_gz(&under(&pages, &documents), dist.source.time)?)?;
    for binary in &binaries {
        let stem = stem(&dist.source.version, binary.platform.target);
        let mut entries = under(&stem, &documents);
        entries.insert(format!("{stem}/weir"), Entry::program(read(&binary.file)?));
        for name in DOCUMENTS {
            entries.insert(format!("{stem}/{name}"), Entry::file(dist.source.text(name)?));
        }
        dist.put(&format!("{stem}.tar.gz"), &tar_gz(&entries, dist.source.time)?)?;
    }
    Ok(binaries)
}

/// The name of an archive, and of the folder in it.
pub(crate) fn stem(version: &str, target: &str) -> String {
    format!("weir-{version}-{target}")
}

fn under(stem: &str, entries: &Entries) -> Entries {
    entries.iter().map(|(name, entry)| (format!("{stem}/{name}"), entry.clone())).collect()
}

/// Manual pages, completions, licences.
fn documents(dist: &Dist, program: &Path) -> Result<Entries> {
    let mut entries = Entries::new();
    let pages = dist.work.join("man");
    fresh(&pages)?;
    output(Command::new(program).arg("man").arg(&pages))?;
    for name in files(&pages)? {
        entries.insert(format!("man/{name}"), Entry::file(read(&pages.join(&name))?));
    }
    entries.append(&mut dist.source.licences("")?);
    let path = fs::canonicalize(program)
        .map_err(|error| format!("cannot find {}: {error}", program.display()))?;
    for (shell, name) in SHELLS {
        let script = output(Command::new(program).args(["completions", shell]))?;
        // Scripts name the program that wrote them; here it will be the one on the path.
        let script = script.replace(&*path.to_string_lossy(), "weir");
        entries.insert(format!("completions/{name}"), Entry::file(script));
    }
    Ok(entries)
}

/// Builds the command for a system, with its C library inside and no path of this machine.
fn build(dist: &Dist, component: &Path, target: &str) -> Result<PathBuf> {
    let build = &dist.work;
    // First, as it also unpacks the sources: their paths are hidden from the compiler.
    output(cargo().current_dir(&dist.source.root).args(["fetch", "--quiet", "--locked"]))?;
    let hidden = hidden(dist, build)?;
    let mut flags: Vec<String> =
        hidden.iter().map(|(path, name)| format!("--remap-path-prefix={path}={name}")).collect();
    // Targets with musl have it inside anyway.
    if target.ends_with("-gnu") {
        flags.extend(["-C".to_owned(), "target-feature=+crt-static".to_owned()]);
    }
    let c_flags: Vec<String> =
        hidden.iter().map(|(path, name)| format!("-ffile-prefix-map={path}={name}")).collect();
    let variable = target.replace('-', "_");
    let mut cargo = cargo();
    cargo
        .current_dir(&dist.source.root)
        .args(["build", "--quiet", "--locked", "--package", PACKAGE, "--bin", "weir"])
        .args(FEATURES)
        .args(["--profile", "dist", "--target", target, "--target-dir"])
        .arg(build)
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .env(format!("CFLAGS_{variable}"), c_flags.join(" "))
        .env("CARGO_INCREMENTAL", "0")
        .env("SOURCE_DATE_EPOCH", dist.source.time.to_string())
        .env("WEIR_COMPONENT", component);
    // What is meant for other builds.
    for name in ["RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET"] {
        cargo.env_remove(name);
    }
    if let Some(compiler) = cross_compiler(target) {
        let upper = variable.to_uppercase();
        if env::var_os(format!("CARGO_TARGET_{upper}_LINKER")).is_none() {
            cargo.env(format!("CARGO_TARGET_{upper}_LINKER"), compiler);
        }
        if env::var_os(format!("CC_{variable}")).is_none() {
            cargo.env(format!("CC_{variable}"), compiler);
        }
    }
    output(&mut cargo).map_err(|error| format!("{error}\nhint: {}", missing(target)))?;
    Ok(build.join(target).join("dist/weir"))
}

/// What a release has beyond the default.
pub(crate) const FEATURES: [&str; 2] = ["--features", "extmcp"];

/// The package of the command.
pub(crate) const PACKAGE: &str = "weir-cli";

/// Debian's compiler for another processor. It brings the GNU C library; for musl, rustc brings its own.
fn cross_compiler(target: &str) -> Option<&'static str> {
    let foreign = target.starts_with("aarch64-") && env::consts::ARCH != "aarch64";
    foreign.then_some("aarch64-linux-gnu-gcc").filter(|name| program(name).is_some())
}

/// What a build for a system needs.
fn missing(target: &str) -> String {
    let compiler = match target {
        X64 => "musl-gcc (Debian: musl-tools)",
        ARM64 | "aarch64-unknown-linux-gnu" => {
            "a C compiler for that processor (Debian: gcc-aarch64-linux-gnu)"
        }
        _ => "a C compiler",
    };
    format!(
        "the build needs the Rust target (rustup target add {target}) and {compiler}; --without \
         binary leaves it out, --binary {target}=FILE takes one that is there"
    )
}

fn rustc() -> Command {
    Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// Paths of this machine, and what stands in their place. The last that fits wins.
fn hidden(dist: &Dist, build: &Path) -> Result<Vec<(String, &'static str)>> {
    let mut paths = vec![(dist.source.root.clone(), "/weir"), (build.to_owned(), "/target")];
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))
        .ok_or("neither CARGO_HOME nor a home directory is known")?;
    paths.push((home.clone(), "/cargo"));
    let sources = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    let mut sources: Vec<PathBuf> = sources.map(|source| source.path()).collect();
    sources.sort();
    paths.extend(sources.into_iter().map(|source| (source, "/crates")));
    let sysroot = output(rustc().args(["--print", "sysroot"]))?;
    paths.push((PathBuf::from(sysroot.trim()), "/rust"));
    Ok(paths.into_iter().map(|(path, name)| (path.display().to_string(), name)).collect())
}

#[cfg(test)]
mod tests {
    use crate::source::workspace;

    /// `cargo binstall` finds the archive and the program in it by what the manifest says.
    #[test]
    fn the_manifest_of_the_command_names_archives_as_they_are_made() {
        let source = workspace();
        let manifest = source.text("crates/cli/Cargo.toml").expect("it is there");
        let manifest: toml::Table = manifest.parse().expect("it is TOML");
        let binstall = &manifest["package"]["metadata"]["binstall"];
        let target = "x86_64-unknown-linux-musl";
        let filled = |key: &str| {
            let values = [
                ("{ repo }", "https://forge.example/weir"),
                ("{ version }", &source.version),
                ("{ target }", target),
                ("{ bin }", "weir"),
                ("{ binary-ext }", ""),
            ];
            let text = binstall[key].as_str().expect("it is a text").to_owned();
            values.iter().fold(text, |text, (key, value)| text.replace(key, value))
        };
        let stem = super::stem(&source.version, target);
        assert!(filled("pkg-url").ends_with(&format!("/{stem}.tar.gz")), "{}", filled("pkg-url"));
        assert_eq!(filled("bin-dir"), format!("{stem}/weir"));
        assert_eq!(filled("pkg-fmt"), "tgz");
        assert_eq!(manifest["package"]["name"].as_str(), Some(super::PACKAGE));
    }
}
