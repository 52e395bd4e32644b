//! The component's file: built the same everywhere, with what it is written into it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::toolchain::{self, TARGET};
use crate::{Result, cargo, dependencies, docs, revision, sections};

/// Which of the three files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum World {
    Plugin,
    Results,
    Tools,
}

impl World {
    pub(crate) fn named(name: &str) -> Result<World> {
        match name {
            "plugin" => Ok(World::Plugin),
            "results" => Ok(World::Results),
            "tools" => Ok(World::Tools),
            _ => {
                Err(format!("{name:?} is not a world: plugin, results, tools, agent or middleware"))
            }
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            World::Plugin => "plugin",
            World::Results => "results",
            World::Tools => "tools",
        }
    }

    /// The name that the file has in tools and registries.
    fn component_name(self) -> &'static str {
        match self {
            World::Plugin => "weir",
            World::Results => "weir-results",
            World::Tools => "weir-tools",
        }
    }
}

/// One build.
pub(crate) struct Build {
    root: PathBuf,
    world: World,
    features: String,
    target: PathBuf,
    out: PathBuf,
}

/// What a build made.
pub(crate) struct Made {
    pub(crate) file: PathBuf,
    pub(crate) sha256: String,
}

/// The component with an adapter of this workspace around it: one file of the adapter's world.
pub(crate) fn around(
    root: &Path,
    component: &Made,
    adapter: &str,
    out: Option<PathBuf>,
) -> Result<Made> {
    let folder = component.file.parent().ok_or("the component lies in a folder")?;
    let out = match out {
        Some(out) => absolute(&out)?,
        None => folder.join(format!("{adapter}.wasm")),
    };
    let run = |cargo: &mut Command| match cargo.current_dir(root).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("{adapter} cannot be made: see above")),
        Err(error) => Err(format!("cargo cannot be started: {error}")),
    };
    let target = root.join("target/component");
    run(cargo()
        .args(["build", "--quiet", "--locked", "--package", adapter, "--profile", "component"])
        .args(["--target", TARGET, "--target-dir"])
        .arg(&target)
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags(root, &target, &[])?))?;
    let built = format!("{TARGET}/component/{}.wasm", adapter.replace('-', "_"));
    run(cargo()
        .args(["run", "--quiet", "--locked", "--package", "weir-dist", "--", "--compose"])
        .args([&target.join(built), &component.file, &out]))?;
    let bytes =
        fs::read(&out).map_err(|error| format!("cannot read {}: {error}", out.display()))?;
    Ok(Made { file: out, sha256: hex(Sha256::digest(bytes)) })
}

impl Build {
    pub(crate) fn new(
        root: PathBuf,
        world: World,
        table: bool,
        target: Option<PathBuf>,
        out: Option<PathBuf>,
    ) -> Result<Build> {
        // Results alone are searched without the table.
        let table = table && world != World::Results;
        let mut features = match world {
            World::Plugin => "results,tools",
            World::Results => "results",
            World::Tools => "tools",
        }
        .to_owned();
        if table {
            features.push_str(",semantic");
        }
        let mut name = world.component_name().to_owned();
        if !table && world != World::Results {
            name.push_str("-without-table");
        }
        let target = match target {
            Some(target) => absolute(&target)?,
            None => match env::var_os("CARGO_TARGET_DIR") {
                Some(directory) => absolute(Path::new(&directory))?,
                None => root.join("target"),
            }
            .join("component"),
        };
        let out = match out {
            Some(out) => absolute(&out)?,
            None => target.join(format!("{name}.wasm")),
        };
        Ok(Build { root, world, features, target, out })
    }

    /// Builds it, unless nothing has changed, and writes the file unless it is there as it should be.
    pub(crate) fn run(&self) -> Result<Made> {
        toolchain::ensure_target()?;
        let _lock = self.take_turns()?;
        // First, as it also unpacks them: their paths are hidden from the compiler.
        let dependencies = dependencies::list(&self.root, &self.features)?;
        let flags = rustflags(&self.root, &self.target, &COMPONENT)?;
        let key = self.key(&flags)?;
        let note = self.out.with_extension("key");
        if fs::read_to_string(&note).is_ok_and(|noted| noted == key)
            && let Ok(bytes) = fs::read(&self.out)
        {
            return Ok(self.made(&bytes));
        }
        let built = self.target.join(TARGET).join("component/weir_component.wasm");
        self.make_way(&built)?;
        let mut cargo = cargo();
        cargo
            .current_dir(&self.root)
            .args(["build", "--quiet", "--locked", "--package", "weir-component"])
            .args(["--profile", "component", "--target", TARGET])
            .args(["--no-default-features", "--features", &self.features])
            .arg("--target-dir")
            .arg(&self.target)
            .env("CARGO_ENCODED_RUSTFLAGS", &flags);
        // What is meant for builds of the host's own code.
        for variable in
            ["RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET"]
        {
            cargo.env_remove(variable);
        }
        let status = cargo.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
        if !status.success() {
            return Err("the component does not compile: see above".to_owned());
        }
        let mut bytes = fs::read(&built)
            .map_err(|error| format!("cannot read {}: {error}", built.display()))?;
        self.describe(&mut bytes, &dependencies)?;
        // A file that is right already keeps its time: nothing that depends on it is built anew.
        if fs::read(&self.out).ok().as_deref() != Some(&bytes) {
            write_whole(&self.out, &bytes)?;
        }
        write_whole(&note, key.as_bytes())?;
        Ok(self.made(&bytes))
    }

    fn made(&self, bytes: &[u8]) -> Made {
        Made { file: self.out.clone(), sha256: hex(Sha256::digest(bytes)) }
    }

    /// What the file is made of, as a digest: while it is the same, nothing is built. Cargo would
    /// build anew whenever another world was built in between.
    fn key(&self, flags: &str) -> Result<String> {
        let mut all = Sha256::new();
        let mut add = |part: &[u8]| {
            all.update((part.len() as u64).to_le_bytes());
            all.update(part);
        };
        add(self.world.name().as_bytes());
        add(self.features.as_bytes());
        add(flags.as_bytes());
        add(toolchain::version()?.as_bytes());
        add(revision::of(&self.root).unwrap_or_default().as_bytes());
        let mut settings: Vec<(OsString, OsString)> = env::vars_os()
            .filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PROFILE_COMPONENT"))
            .collect();
        settings.sort();
        settings.iter().for_each(|(name, value)| {
            add(name.as_encoded_bytes());
            add(value.as_encoded_bytes());
        });
        let mut waiting: Vec<PathBuf> =
            revision::INPUTS.iter().map(|input| self.root.join(input)).collect();
        while let Some(path) = waiting.pop() {
            let unreadable = |error| format!("cannot read {}: {error}", path.display());
            if path.is_dir() {
                let mut entries = Vec::new();
                for entry in fs::read_dir(&path).map_err(unreadable)? {
                    entries.push(entry.map_err(unreadable)?.path());
                }
                entries.sort();
                waiting.extend(entries);
            } else {
                let name = path.strip_prefix(&self.root).unwrap_or(&path);
                add(name.as_os_str().as_encoded_bytes());
                add(&fs::read(&path).map_err(unreadable)?);
            }
        }
        Ok(hex(all.finalize()))
    }

    /// Several builds in one directory go one after the other.
    fn take_turns(&self) -> Result<fs::File> {
        let file = self.target.join(".weir-component");
        fs::create_dir_all(&self.target)
            .and_then(|()| fs::File::options().create(true).append(true).open(&file))
            .and_then(|file| file.lock().map(|()| file))
            .map_err(|error| format!("cannot lock {}: {error}", file.display()))
    }

    /// Cargo writes the files of all worlds to one place, and takes what lies there for the one that
    /// it built last: what was built for another world has to go. Dependencies are shared.
    fn make_way(&self, built: &Path) -> Result<()> {
        let note = built.with_file_name(".weir-features");
        if fs::read_to_string(&note).is_ok_and(|features| features == self.features) {
            return Ok(());
        }
        let directory = built.parent().unwrap_or(Path::new("."));
        for file in [built.to_owned(), directory.join("deps/weir_component.wasm")] {
            match fs::remove_file(&file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(format!("cannot remove {}: {error}", file.display()));
                }
                _ => {}
            }
        }
        fs::create_dir_all(directory)
            .and_then(|()| fs::write(&note, &self.features))
            .map_err(|error| format!("cannot write {}: {error}", note.display()))
    }

    /// Appends the sections that say what the file is.
    fn describe(&self, bytes: &mut Vec<u8>, dependencies: &[u8]) -> Result<()> {
        let package = dependencies::package(&self.root)?;
        let docs = docs::package_docs(&self.root.join("wit"), self.world.name())?;
        // The linker's names of what is inside are 17 KB that nobody reads.
        *bytes = sections::without(bytes, "component-name").ok_or("the component is cut short")?;
        sections::component_name(bytes, self.world.component_name());
        sections::text(bytes, "version", &package.version);
        sections::text(bytes, "description", &package.description);
        sections::text(bytes, "authors", &package.authors);
        sections::text(bytes, "licenses", &package.licence);
        if let Some(revision) = revision::of(&self.root) {
            sections::text(bytes, "revision", &revision);
        }
        sections::custom(bytes, "package-docs", &docs);
        sections::custom(bytes, ".dep-v0", dependencies);
        Ok(())
    }
}

/// What the component is built with: SIMD, and little inlined.
// Inlining less than the compiler's 225 makes the file some 250 KB smaller and rankings 3 % slower.
const COMPONENT: [&str; 2] = ["target-feature=+simd128", "llvm-args=-inline-threshold=103"];

/// These flags, and no path of this machine, so that the same sources give the same file.
fn rustflags(root: &Path, target: &Path, flags: &[&str]) -> Result<String> {
    let mut flags: Vec<String> = flags.iter().map(|flag| format!("-C{flag}")).collect();
    let mut hide = |path: &Path, name: &str| {
        flags.push(format!("--remap-path-prefix={}={name}", path.display()));
    };
    // The last that fits wins: what may lie within another comes after it.
    hide(root, "/weir");
    hide(target, "/target");
    let home = cargo_home()?;
    hide(&home, "/cargo");
    // A mirror of the registry has a directory of another name.
    let sources = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    let mut sources: Vec<PathBuf> = sources.map(|source| source.path()).collect();
    sources.sort();
    sources.iter().for_each(|source| hide(source, "/crates"));
    hide(&toolchain::sysroot()?, "/rust");
    Ok(flags.join("\u{1f}"))
}

/// Where cargo keeps the sources of dependencies.
fn cargo_home() -> Result<PathBuf> {
    let home = env::home_dir().map(|home| home.join(".cargo"));
    env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or(home)
        .ok_or_else(|| "neither CARGO_HOME nor a home directory is known".to_owned())
        .and_then(|home| absolute(&home))
}

fn hex(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|error| format!("cannot use {}: {error}", path.display()))
}

/// Replaces a file at once, so that nobody reads half of it.
fn write_whole(file: &Path, bytes: &[u8]) -> Result<()> {
    let mut temporary = OsString::from(file);
    temporary.push(format!(".{}", std::process::id()));
    let directory = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(&temporary, bytes))
        .and_then(|()| fs::rename(&temporary, file))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
}
