//! Makes everything that a release consists of: `cargo xtask dist`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

mod agent;
mod archive;
mod binary;
mod check;
mod container;
mod crates;
mod image;
mod kits;
mod npm;
mod options;
mod platform;
mod provenance;
mod run;
mod sbom;
mod sign;
mod source;
mod sums;
mod wheel;
mod wit;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser as _;

use crate::options::{Options, Part};
use crate::run::output;
use crate::source::Source;

/// What a command fails with: a sentence.
type Result<T> = std::result::Result<T, String>;

/// Where the project is, as the workspace's manifest says.
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// What the packages with the command say of it.
const SUMMARY: &str = "The command `weir`: oversized tool results, tool search and the MCP gateway";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: impl Iterator<Item = String>) -> Result<()> {
    let mut arguments = arguments.peekable();
    if arguments.next_if(|option| option == agent::OPTION).is_some() {
        let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
        let [adapter, component, out] = &files[..] else {
            return Err(format!("{} ADAPTER COMPONENT OUT", agent::OPTION));
        };
        return agent::compose(adapter, component, out);
    }
    let mut options =
        Options::parse_from(std::iter::once("dist".to_owned()).chain(arguments)).settled();
    // Cargo says where it found this crate; a program that was built elsewhere serves other checkouts too.
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let root =
        here.ancestors().nth(2).map(Path::to_owned).ok_or("this crate lies in the workspace")?;
    let source = Source::of(root)?;
    let target = source.target_directory()?;
    let out = options.out.clone().unwrap_or_else(|| target.join("dist"));
    let work = options.work.clone().unwrap_or_else(|| target.join("dist-build"));
    if options.check {
        return check::run(&source, &out, &work);
    }
    if source.dirty && !options.allow_dirty {
        return Err(
            "the checkout has changes that are not committed, so nobody could make the same \
             files again: commit them, or add --allow-dirty"
                .to_owned(),
        );
    }
    if options.targets.is_empty() {
        options.targets = vec![binary::usual_target().to_owned()];
    }
    Dist { source, options, out, work }.make()
}

/// One run.
struct Dist {
    source: Source,
    options: Options,
    /// Where the files go.
    out: PathBuf,
    /// Where they are made.
    work: PathBuf,
}

impl Dist {
    fn make(&self) -> Result<()> {
        // What an earlier run left is not part of this one.
        if self.out.exists() {
            self.clear()?;
        }
        create(&self.out)?;
        create(&self.work)?;
        // Should this run be interrupted, the next one knows whose files these are.
        self.put(sums::NAME, b"")?;

        let component = self.components()?;
        wit::make(self)?;
        // Outside of a repository nothing tells sources from what was built beside them.
        if self.source.commit.is_some() {
            kits::sources(self)?;
        }
        if self.has(Part::Python) {
            step("the kit for Python");
            kits::python(self, &component)?;
        }
        let mut materials = Vec::new();
        if self.has(Part::JavaScript) {
            step("the kit for JavaScript");
            materials.extend(kits::javascript(self, &component)?);
        }
        if self.has(Part::Crates) {
            step("the crates");
            crates::make(self)?;
        }
        let mut binaries = Vec::new();
        if self.has(Part::Binary) {
            binaries = binary::make(self, &component)?;
            wheel::make(self, &binaries)?;
            npm::make(self, &binaries)?;
            container::make(self, &binaries)?;
        }
        step("the list of parts, the provenance and the checksums");
        sbom::make(self)?;
        image::make(self, &binaries)?;
        provenance::make(self, materials)?;
        sums::make(&self.out)?;
        if let Some(key) = &self.options.sign {
            step("signatures");
            sign::make(self, key)?;
        }
        for file in files(&self.out)? {
            let bytes = fs::metadata(self.out.join(&file)).map(|data| data.len()).unwrap_or(0);
            println!("{bytes:>11}  {file}");
        }
        Ok(())
    }

    fn has(&self, part: Part) -> bool {
        !self.options.without.contains(&part)
    }

    /// Builds a file for each world, with the licences beside them, and returns the path of the whole one.
    fn components(&self) -> Result<PathBuf> {
        for world in ["plugin", "results", "tools", "agent", "middleware"] {
            let name = match world {
                "plugin" => "weir.wasm".to_owned(),
                _ => format!("weir-{world}.wasm"),
            };
            let file = match &self.options.components {
                Some(folder) => folder.join(&name),
                None => {
                    step(&format!("the component, world {world}"));
                    let arguments = ["component", "--world", world];
                    let printed = output(self.source.xtask().args(arguments))?;
                    let path = printed.trim().split_once("  ").map(|(_, path)| PathBuf::from(path));
                    path.ok_or_else(|| format!("cargo xtask component printed {printed:?}"))?
                }
            };
            self.put(&name, &read(&file)?)?;
        }
        let licences = self.source.licences("")?;
        licences.iter().try_for_each(|(name, text)| self.put(name, &text.bytes))?;
        Ok(self.out.join("weir.wasm"))
    }

    /// Writes a file of the release.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write(&self.out.join(name), bytes)
    }

    /// Removes the files of an earlier run, and nothing of anybody else.
    fn clear(&self) -> Result<()> {
        let names = files(&self.out)?;
        if !names.is_empty() && !names.iter().any(|name| name == sums::NAME) {
            return Err(format!(
                "{} holds files that this command did not make: empty it, or give another --out",
                self.out.display()
            ));
        }
        for name in names {
            let file = self.out.join(&name);
            fs::remove_file(&file)
                .map_err(|error| format!("cannot remove {}: {error}", file.display()))?;
        }
        Ok(())
    }
}

/// Says what is being made.
fn step(what: &str) {
    eprintln!("── {what}");
}

/// The names of a directory's files, sorted.
fn files(directory: &Path) -> Result<Vec<String>> {
    let unreadable = |error| format!("cannot read {}: {error}", directory.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if entry.file_type().map_err(unreadable)?.is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

fn read_text(file: &Path) -> Result<String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(file, bytes).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn create(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory)
        .map_err(|error| format!("cannot create {}: {error}", directory.display()))
}

/// Empties a directory of the work folder.
fn fresh(directory: &Path) -> Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", directory.display()))
        }
        _ => create(directory),
    }
}
