//! The compiled component: made once, shared by all, kept on disk between runs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use wasmtime::component::{Component, Linker};
use wasmtime::{Config, EngineWeak};

use crate::bindings::PluginPre;
use crate::error::Error;
use crate::state::{State, link};

/// The component that this build embeds.
static EMBEDDED: &[u8] = include_bytes!(env!("WEIR_COMPONENT_FILE"));
const EMBEDDED_SHA256: &str = env!("WEIR_COMPONENT_SHA256");

/// How often the clock of deadlines ticks.
pub(crate) const TICK: Duration = Duration::from_millis(10);

/// Where the component comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ComponentSource {
    /// The one that was compiled with this library.
    #[default]
    Embedded,
    /// A file of the same contract.
    File(PathBuf),
    /// Bytes of the same contract.
    Bytes(Vec<u8>),
}

/// A compiled component, ready to be instantiated any number of times. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    engine: wasmtime::Engine,
    pre: PluginPre<State>,
    component: Component,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// Compiles the component, or loads what an earlier run compiled.
    ///
    /// `cache` is a directory for compiled code, made if needed with mode 0700. Compiled code is
    /// loaded without being checked, so a directory that others can write to, or that belongs to
    /// someone else, is not used. Without one, every start compiles (0.3 to 3 seconds).
    ///
    /// # Errors
    /// [`Error::MissingComponent`], [`Error::ForeignComponent`], or [`Error::Engine`].
    pub fn new(source: &ComponentSource, cache: Option<&Path>) -> Result<Engine, Error> {
        let mut config = Config::new();
        config.consume_fuel(true);
        config.epoch_interruption(true);
        let engine = wasmtime::Engine::new(&config)
            .map_err(|error| Error::Engine { reason: format!("{error:#}") })?;
        let component = load(&engine, source, cache)?;
        let foreign =
            |error: wasmtime::Error| Error::ForeignComponent { reason: format!("{error:#}") };
        let mut linker = Linker::new(&engine);
        link(&mut linker).map_err(foreign)?;
        let pre = linker.instantiate_pre(&component).and_then(PluginPre::new).map_err(foreign)?;
        tick(engine.weak()).map_err(|error| Error::Engine { reason: error.to_string() })?;
        Ok(Engine { engine, pre, component })
    }

    pub(crate) fn wasmtime(&self) -> &wasmtime::Engine {
        &self.engine
    }

    pub(crate) fn pre(&self) -> &PluginPre<State> {
        &self.pre
    }

    /// The names of what the component imports and exports, each sorted.
    #[must_use]
    pub fn interfaces(&self) -> Interfaces {
        let ty = self.component.component_type();
        let mut imports: Vec<String> =
            ty.imports(&self.engine).map(|(name, _)| name.to_owned()).collect();
        let mut exports: Vec<String> =
            ty.exports(&self.engine).map(|(name, _)| name.to_owned()).collect();
        imports.sort();
        exports.sort();
        Interfaces { imports, exports }
    }
}

/// What a component imports and exports.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Interfaces {
    /// Interfaces it needs.
    pub imports: Vec<String>,
    /// Interfaces it gives.
    pub exports: Vec<String>,
}

impl ComponentSource {
    /// The component's bytes.
    ///
    /// # Errors
    /// [`Error::MissingComponent`] when the file cannot be read.
    pub fn bytes(&self) -> Result<std::borrow::Cow<'_, [u8]>, Error> {
        match self {
            ComponentSource::Embedded => Ok(EMBEDDED.into()),
            ComponentSource::Bytes(bytes) => Ok(bytes.into()),
            ComponentSource::File(path) => fs::read(path)
                .map(Into::into)
                .map_err(|source| Error::MissingComponent { path: path.clone(), source }),
        }
    }
}

fn load(
    engine: &wasmtime::Engine,
    source: &ComponentSource,
    cache: Option<&Path>,
) -> Result<Component, Error> {
    let bytes = source.bytes()?;
    let digest = match source {
        ComponentSource::Embedded => EMBEDDED_SHA256.to_owned(),
        _ => Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
    };
    let cached = cache
        .filter(|directory| private_directory(directory).is_ok())
        .map(|directory| directory.join(format!("{digest}.cwasm")));
    if let Some(component) = cached.as_deref().and_then(|file| load_compiled(engine, file)) {
        return Ok(component);
    }
    let component = Component::new(engine, &bytes)
        .map_err(|error| Error::ForeignComponent { reason: format!("{error:#}") })?;
    if let Some(file) = cached {
        // A cache that cannot be written costs the next start its compile time, nothing else.
        let _ = save_compiled(&component, &file);
    }
    Ok(component)
}

#[expect(
    unsafe_code,
    reason = "compiled code is trusted as it lies in a directory only we can write to"
)]
fn load_compiled(engine: &wasmtime::Engine, file: &Path) -> Option<Component> {
    if !file.is_file() {
        return None;
    }
    // SAFETY: the file is in a directory that only this user can write to (`private_directory`), and
    // `save_compiled` put it there whole. wasmtime itself refuses other versions and settings.
    unsafe { Component::deserialize_file(engine, file).ok() }
}

fn save_compiled(component: &Component, file: &Path) -> wasmtime::Result<()> {
    let directory = file.parent().unwrap_or(Path::new("."));
    let mut temporary = tempfile::NamedTempFile::new_in(directory)?;
    io::Write::write_all(&mut temporary, &component.serialize()?)?;
    temporary.persist(file)?;
    Ok(())
}

/// Makes a directory that only this user can use, or checks that it is one.
pub(crate) fn private_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(path)?;
        let foreign = metadata.uid() != rustix::process::geteuid().as_raw();
        if foreign || metadata.mode() & 0o022 != 0 {
            let message = "others can write to this directory, or own it";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
    }
    Ok(())
}

/// Advances the clock of deadlines for as long as the engine lives.
fn tick(engine: EngineWeak) -> io::Result<()> {
    let ticks = move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            std::thread::sleep(TICK);
        }
    };
    std::thread::Builder::new().name("weir-ticks".into()).spawn(ticks).map(drop)
}
