//! The parts of this library, for hosts that have a wasmtime of their own: an engine, a linker, a
//! store with their own data, their own WASI context and limits. [`Weir`](crate::Weir) is made of them.
//!
//! 1. [`compile`](crate::compile) compiles the component for your engine, or loads what was compiled.
//! 2. [`link`] (or [`link_async`], or the functions of `wasmtime_wasi` for all of WASI) gives it what it
//!    imports. Your data implements [`WasiView`]; [`sandbox`] begins its context.
//! 3. [`Prepared`] is the component in your linker: from it come instances, in microseconds.
//! 4. Before each call set limits, as far as your engine has them: [`Class::limits`](crate::Class::limits)
//!    is the table, `Store::set_fuel` and `Store::set_epoch_deadline` are wasmtime's, [`MemoryLimit`] is
//!    for `Store::limiter`. After a trap drop the store.
//!
//! An instance is entered by one call at a time. What it exports is a [`Plugin`], or with the feature
//! `async` an [`asynchronous::Plugin`] with the same functions to be awaited.

use std::path::Path;

use wasmtime::component::{Component, HasData, Instance, InstancePre, Linker, ResourceTable};
use wasmtime::{AsContextMut, ResourceLimiter, StoreContextMut};
use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView as _};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock::Host as _;
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem, io, sync};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiView};

#[cfg(feature = "async")]
use crate::asynchronous;
use crate::error::Error;
use crate::plugin::{Plugin, PluginIndices};

/// The most that a component may ask for as a seed.
const SEED_BYTES: usize = 64;

/// Core instances, tables and memories that one component may be made of. Ours has a few.
const PIECES: usize = 50;

/// The component in a linker: made once, instantiated any number of times. Cheap to clone.
pub struct Prepared<T: 'static> {
    pre: InstancePre<T>,
    indices: PluginIndices,
    #[cfg(feature = "async")]
    asynchronous: asynchronous::PluginIndices,
}

impl<T: 'static> Clone for Prepared<T> {
    fn clone(&self) -> Self {
        Prepared {
            pre: self.pre.clone(),
            indices: self.indices.clone(),
            #[cfg(feature = "async")]
            asynchronous: self.asynchronous.clone(),
        }
    }
}

impl<T: 'static> std::fmt::Debug for Prepared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").finish_non_exhaustive()
    }
}

impl<T: 'static> Prepared<T> {
    /// Looks up what the component imports in the linker, and its exports.
    ///
    /// # Errors
    /// [`Error::ForeignComponent`] when the linker lacks an import, or the component is another.
    pub fn new(linker: &Linker<T>, component: &Component) -> Result<Prepared<T>, Error> {
        let foreign = |source: wasmtime::Error| Error::ForeignComponent { source };
        let pre = linker.instantiate_pre(component).map_err(foreign)?;
        Ok(Prepared {
            indices: PluginIndices::new(&pre).map_err(foreign)?,
            #[cfg(feature = "async")]
            asynchronous: asynchronous::PluginIndices::new(&pre).map_err(foreign)?,
            pre,
        })
    }

    /// The compiled component.
    #[must_use]
    pub fn component(&self) -> &Component {
        self.pre.component()
    }

    /// Makes an instance in a store whose calls return when they are done.
    ///
    /// # Errors
    /// When the component traps or meets a limit as it starts.
    pub fn instantiate(&self, mut store: impl AsContextMut<Data = T>) -> wasmtime::Result<Plugin> {
        let instance = self.pre.instantiate(&mut store)?;
        self.load(store, &instance)
    }

    /// The exports of an instance that was made another way.
    ///
    /// # Errors
    /// When the instance is of another component.
    pub fn load(
        &self,
        store: impl AsContextMut<Data = T>,
        instance: &Instance,
    ) -> wasmtime::Result<Plugin> {
        self.indices.load(store, instance)
    }

    /// Makes an instance whose calls are awaited. The linker was filled by [`link_async`] or by the
    /// asynchronous functions of `wasmtime_wasi`.
    ///
    /// # Errors
    /// As [`Prepared::instantiate`].
    #[cfg(feature = "async")]
    pub async fn instantiate_async(
        &self,
        mut store: impl AsContextMut<Data = T>,
    ) -> wasmtime::Result<asynchronous::Plugin>
    where
        T: Send,
    {
        let instance = self.pre.instantiate_async(&mut store).await?;
        self.asynchronous.load(store, &instance)
    }
}

/// A WASI context with this directory as the store, and nothing else: no environment, no arguments,
/// no network, and what is printed is dropped. Without a directory it is for tool search alone.
///
/// The directory must be there; make it for its user alone (mode 0700).
///
/// # Errors
/// When the directory cannot be opened.
pub fn sandbox(store: Option<&Path>) -> wasmtime::Result<WasiCtxBuilder> {
    let mut wasi = WasiCtx::builder();
    // Before the directory: it is captured there. Reads then run on this thread, ten times faster.
    wasi.allow_blocking_current_thread(true);
    if let Some(store) = store {
        // A file system that takes no writes: wasmtime-wasi passes that on as an input/output error.
        #[cfg(unix)]
        let is_read_only = rustix::fs::statvfs(store)
            .is_ok_and(|found| found.f_flag.contains(rustix::fs::StatVfsMountFlags::RDONLY));
        #[cfg(not(unix))]
        let is_read_only = false;
        let perms = if is_read_only { FsPerms::ReadOnly } else { FsPerms::ReadWrite };
        wasi.preopened_dir(store, "/store", perms)?;
    }
    Ok(wasi)
}

/// A limit on what all memories of a store come to, for [`Store::limiter`](wasmtime::Store::limiter).
/// At first it allows none.
#[derive(Debug, Clone, Default)]
pub struct MemoryLimit {
    bytes: usize,
    used: usize,
    refused: bool,
}

impl MemoryLimit {
    /// Allows so many bytes in all.
    pub fn allow(&mut self, bytes: usize) {
        self.bytes = bytes;
        self.refused = false;
    }

    /// Whether memory was refused since the last [`MemoryLimit::allow`]: why a call trapped.
    #[must_use]
    pub fn refused(&self) -> bool {
        self.refused
    }
}

impl ResourceLimiter for MemoryLimit {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let used = self.used.saturating_add(desired.saturating_sub(current));
        let granted = used <= self.bytes;
        if granted {
            self.used = used;
        }
        self.refused |= !granted;
        Ok(granted)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(desired <= 100_000)
    }

    fn instances(&self) -> usize {
        PIECES
    }

    fn tables(&self) -> usize {
        PIECES
    }

    fn memories(&self) -> usize {
        PIECES
    }
}

struct HasIo;

impl HasData for HasIo {
    type Data<'a> = &'a mut ResourceTable;
}

/// The interfaces of WASI that may wait, in the form that blocks and in the one that is awaited.
macro_rules! waiting {
    ($linker:expr, $filesystem:path, $poll:path, $streams:path) => {{
        use $filesystem as files;
        use $poll as poll;
        use $streams as streams;
        files::add_to_linker::<T, WasiFilesystem>($linker, T::filesystem)?;
        poll::add_to_linker::<T, HasIo>($linker, |data| data.ctx().table)?;
        streams::add_to_linker::<T, HasIo>($linker, |data| data.ctx().table)
    }};
}

/// Links what the component may import, interface by interface: a component that asks for more
/// (sockets, http, random numbers) cannot be instantiated.
///
/// Calls then block. In the thread of a tokio runtime they panic, as the functions of `wasmtime_wasi`
/// do: call from a blocking thread, or use [`link_async`].
///
/// # Errors
/// When the linker has one of the interfaces already.
pub fn link<T: WasiView + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    waiting!(linker, sync::filesystem::types, sync::io::poll, sync::io::streams)?;
    link_rest(linker)
}

/// The same for calls that are awaited.
///
/// # Errors
/// When the linker has one of the interfaces already.
#[cfg(feature = "async")]
pub fn link_async<T: WasiView + 'static>(linker: &mut Linker<T>) -> wasmtime::Result<()> {
    waiting!(linker, filesystem::types, io::poll, io::streams)?;
    link_rest(linker)
}

fn link_rest<T: WasiView + 'static>(l: &mut Linker<T>) -> wasmtime::Result<()> {
    filesystem::preopens::add_to_linker::<T, WasiFilesystem>(l, T::filesystem)?;
    clocks::wall_clock::add_to_linker::<T, WasiClocks>(l, T::clocks)?;
    io::error::add_to_linker::<T, HasIo>(l, |data| data.ctx().table)?;
    // Of this clock only the time: to wait for it is a call of ours, in which neither fuel nor the
    // deadline counts, so no limit would end it.
    let mut clock = l.instance("wasi:clocks/monotonic-clock@0.2.6")?;
    clock.func_wrap("now", |mut store: StoreContextMut<'_, T>, ()| {
        Ok((store.data_mut().clocks().now()?,))
    })?;
    clock.func_wrap("resolution", |mut store: StoreContextMut<'_, T>, ()| {
        Ok((store.data_mut().clocks().resolution()?,))
    })?;
    // regex-lite keeps the names of groups in a hash map of the standard library, which asks for a
    // seed. It is answered with a constant: no run differs from another.
    l.instance("wasi:random/insecure-seed@0.2.6")?
        .func_wrap("insecure-seed", |_: StoreContextMut<'_, T>, ()| Ok(((0u64, 0u64),)))?;
    // The form of the component that `cargo component` builds asks for the same seed here.
    l.instance("wasi:random/random@0.2.6")?.func_wrap(
        "get-random-bytes",
        |_: StoreContextMut<'_, T>, (len,): (u64,)| match usize::try_from(len) {
            Ok(len) if len <= SEED_BYTES => Ok((vec![0_u8; len],)),
            _ => Err(wasmtime::Error::msg("there are no random numbers here, only a seed")),
        },
    )?;
    // A Rust standard library asks for these at start, whether it uses them or not.
    cli::environment::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::exit::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::stdin::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::stdout::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::stderr::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_input::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_output::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_stdin::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_stdout::add_to_linker::<T, WasiCli>(l, T::cli)?;
    cli::terminal_stderr::add_to_linker::<T, WasiCli>(l, T::cli)?;
    Ok(())
}
