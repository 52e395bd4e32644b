//! The compiled component: made once, shared by all, kept on disk between runs.

use std::hash::{Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use wasmtime::component::{Component, Linker};
use wasmtime::{Config, EngineWeak, Store, Strategy};

use crate::code_file::CodeFile;
use crate::embed::{self, Prepared};
use crate::error::Error;
use crate::examine::contract_of;
use crate::plugin::Plugin;
use crate::source::{ComponentSource, EMBEDDED};
use crate::state::State;

/// How often the clock of deadlines of our own engine ticks.
const TICK: Duration = Duration::from_millis(10);

/// The least number of files that a process must be allowed to open.
#[cfg(unix)]
const LEAST_FILES: u64 = 16;

/// How much room a memory gets beyond its size when it grows, where addresses are few.
const GROWTH_BYTES: u64 = 16 * 1024 * 1024;

/// Where compiled code is kept between runs.
///
/// Whoever can write compiled code can run it, so a directory that others can write to, or that
/// belongs to someone else, is never used. Without one, every start compiles (0.3 to 3 seconds).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Cache {
    /// In `weir` in this user's directory for caches, where there is one.
    #[default]
    User,
    /// In this directory, made if needed with mode 0700.
    In(PathBuf),
    /// Nowhere.
    Off,
}

impl Cache {
    /// The directory, if there is one that only this user can write to.
    fn directory(&self) -> Option<PathBuf> {
        let directory = match self {
            Cache::Off => return None,
            Cache::In(directory) => directory.clone(),
            Cache::User => user_cache()?.join("weir"),
        };
        private_directory(&directory).is_ok().then_some(directory)
    }
}

/// This user's directory for caches.
fn user_cache() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return set("LOCALAPPDATA");
    }
    set("XDG_CACHE_HOME").or_else(|| {
        let home = set("HOME")?;
        Some(home.join(if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" }))
    })
}

/// A compiled component, ready to be instantiated any number of times. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    engine: wasmtime::Engine,
    prepared: Prepared<State>,
    digest: Arc<str>,
    tick: Duration,
    counts_fuel: bool,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl Engine {
    /// Compiles the component, or loads what an earlier run compiled, for an engine of its own with
    /// fuel and deadlines. One thread ticks the clock of deadlines for as long as the engine lives.
    ///
    /// # Errors
    /// [`Error::MissingComponent`], [`Error::NotEmbedded`], [`Error::ForeignComponent`], or
    /// [`Error::Engine`].
    pub fn new(source: &ComponentSource, cache: &Cache) -> Result<Engine, Error> {
        let own = own_engine()?;
        Engine::ticking(&own, &compile(&own, source, cache)?, source)
    }

    /// The same for who cannot wait for a compiler, which takes up to half a minute on a busy machine: the
    /// engine if its code is there, else whether the caller should have it compiled.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn if_compiled(source: &ComponentSource, cache: &Cache) -> Result<Compiled, Error> {
        let own = own_engine()?;
        let Some(file) = code_file(&own, source, &source.bytes()?, cache) else {
            return Ok(Compiled::Nowhere);
        };
        Ok(match file.load(&own) {
            Some(component) => {
                Compiled::Ready(Box::new(Engine::ticking(&own, &component, source)?))
            }
            None if file.claim() => Compiled::Missing,
            None => Compiled::Underway,
        })
    }

    /// The same for who has one question and no compiled code yet: compiled in a tenth of the time (wasmtime's
    /// baseline compiler, Winch), to code that is slower, and kept nowhere. Where that compiler does not know the
    /// processor, as [`Engine::new`].
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn in_haste(source: &ComponentSource) -> Result<Engine, Error> {
        let mut config = own_config();
        config.strategy(Strategy::Winch);
        let hasty = engine_of(&config)
            .and_then(|own| Engine::ticking(&own, &compile(&own, source, &Cache::Off)?, source));
        hasty.or_else(|_| Engine::new(source, &Cache::Off))
    }

    /// The same for an engine that is there already: no thread is started.
    ///
    /// Limits hold as far as the engine was configured for them: fuel with `consume_fuel`, deadlines
    /// with `epoch_interruption` and a host that increments the epoch every `tick`, memory always.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn on(
        engine: &wasmtime::Engine,
        tick: Duration,
        source: &ComponentSource,
        cache: &Cache,
    ) -> Result<Engine, Error> {
        Engine::of(engine, tick, &compile(engine, source, cache)?, source)
    }

    fn ticking(
        own: &wasmtime::Engine,
        component: &Component,
        source: &ComponentSource,
    ) -> Result<Engine, Error> {
        let engine = Engine::of(own, TICK, component, source)?;
        tick(own.weak()).map_err(|error| Error::Engine { source: error.into() })?;
        Ok(engine)
    }

    fn of(
        engine: &wasmtime::Engine,
        tick: Duration,
        component: &Component,
        source: &ComponentSource,
    ) -> Result<Engine, Error> {
        let mut linker = Linker::new(engine);
        embed::link(&mut linker).map_err(|source| Error::Engine { source })?;
        let prepared = Prepared::new(&linker, component)?;
        let counts_fuel = Store::new(engine, ()).set_fuel(0).is_ok();
        let digest = source.digest(&source.bytes()?).into();
        Ok(Engine { engine: engine.clone(), prepared, digest, tick, counts_fuel })
    }

    /// The SHA-256 of the component's bytes, in 64 hex digits.
    #[must_use]
    pub fn component_digest(&self) -> &str {
        &self.digest
    }

    /// Whether it is the component that this library embeds.
    #[must_use]
    pub fn is_embedded(&self) -> bool {
        EMBEDDED.is_some_and(|(_, digest)| *self.digest == *digest)
    }

    pub(crate) fn wasmtime(&self) -> &wasmtime::Engine {
        &self.engine
    }

    pub(crate) fn tick(&self) -> Duration {
        self.tick
    }

    pub(crate) fn counts_fuel(&self) -> bool {
        self.counts_fuel
    }

    pub(crate) fn instantiate(&self, store: &mut Store<State>) -> wasmtime::Result<Plugin> {
        self.prepared.instantiate(store)
    }

    /// The names of what the component imports and exports, each sorted.
    #[must_use]
    pub fn interfaces(&self) -> Interfaces {
        let ty = self.prepared.component().component_type();
        let mut imports: Vec<String> =
            ty.imports(&self.engine).map(|(name, _)| name.to_owned()).collect();
        let mut exports: Vec<String> =
            ty.exports(&self.engine).map(|(name, _)| name.to_owned()).collect();
        imports.sort();
        exports.sort();
        Interfaces { imports, exports }
    }
}

/// Whether the code of an engine is there without compiling.
#[derive(Debug)]
pub enum Compiled {
    /// It is.
    Ready(Box<Engine>),
    /// It is not: the caller should have it compiled, by a process that outlives it. Said once a minute at
    /// most, to one of any number of callers.
    Missing,
    /// It is being compiled, or was told to be less than a minute ago.
    Underway,
    /// There is no directory that compiled code could be kept in.
    Nowhere,
}

/// What a component imports and exports.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Interfaces {
    /// Interfaces it needs.
    pub imports: Vec<String>,
    /// Interfaces it gives.
    pub exports: Vec<String>,
}

fn own_engine() -> Result<wasmtime::Engine, Error> {
    engine_of(&own_config())
}

fn engine_of(config: &Config) -> Result<wasmtime::Engine, Error> {
    enough_files()?;
    wasmtime::Engine::new(config).map_err(|source| Error::Engine { source })
}

/// Compiles a component for an engine, or loads what an earlier run compiled for one like it.
///
/// # Errors
/// [`Error::MissingComponent`], [`Error::NotEmbedded`], [`Error::ForeignComponent`].
pub fn compile(
    engine: &wasmtime::Engine,
    source: &ComponentSource,
    cache: &Cache,
) -> Result<Component, Error> {
    let bytes = source.bytes()?;
    let file = code_file(engine, source, &bytes, cache);
    if let Some(component) = file.as_ref().and_then(|file| file.load(engine)) {
        return Ok(component);
    }
    // Of several first starts one compiles, and the others have what it made.
    let lock = file.as_ref().and_then(CodeFile::lock);
    if lock.is_some()
        && let Some(component) = file.as_ref().and_then(|file| file.load(engine))
    {
        return Ok(component);
    }
    // What it is instead is told better than the compiler tells it.
    contract_of(&bytes)?;
    let component =
        Component::new(engine, &bytes).map_err(|source| Error::ForeignComponent { source })?;
    if let Some(file) = file {
        // A cache that cannot be written costs the next start its compile time, nothing else.
        let _ = file.save(&component);
    }
    Ok(component)
}

/// Where compiled code of these bytes for this engine is kept.
fn code_file(
    engine: &wasmtime::Engine,
    source: &ComponentSource,
    bytes: &[u8],
    cache: &Cache,
) -> Option<CodeFile> {
    let digest = source.digest(bytes);
    // Engines of other versions and settings have files of their own.
    let mut hasher = std::hash::DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    let name = format!("{digest}-{:016x}.cwasm", hasher.finish());
    cache.directory().map(|directory| CodeFile::new(directory.join(name)))
}

/// What our own engine counts, and how it keeps memories.
fn own_config() -> Config {
    let mut config = Config::new();
    config.consume_fuel(true);
    config.epoch_interruption(true);
    if address_space_is_limited() {
        // Each memory would reserve 4 GiB of addresses. Without that, every access is checked in code.
        config.memory_reservation(0);
        config.memory_guard_size(0);
        config.memory_reservation_for_growth(GROWTH_BYTES);
    }
    config
}

/// Whether addresses are counted: `ulimit -v`, as batch systems and some build machines set it.
#[cfg(unix)]
fn address_space_is_limited() -> bool {
    rustix::process::getrlimit(rustix::process::Resource::As).current.is_some()
}

#[cfg(not(unix))]
fn address_space_is_limited() -> bool {
    false
}

/// Refuses to start where wasmtime would panic for want of files.
fn enough_files() -> Result<(), Error> {
    #[cfg(unix)]
    if let Some(files) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current
        && files < LEAST_FILES
    {
        let message = format!(
            "this process may open {files} files and needs {LEAST_FILES}: raise `ulimit -n`"
        );
        return Err(Error::Engine { source: wasmtime::Error::msg(message) });
    }
    Ok(())
}

/// Makes a directory that only this user can use, or checks that it is one.
pub(crate) fn private_directory(path: &Path) -> io::Result<()> {
    weir_base::create_private_dir(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = std::fs::metadata(path)?;
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
