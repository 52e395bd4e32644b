//! What a wasmtime store of ours holds: the sandbox of one instance.

use std::path::Path;

use wasmtime::component::{HasData, Linker, ResourceTable};
use wasmtime::{ResourceLimiter, StoreContextMut};
use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
use wasmtime_wasi::clocks::{WasiClocks, WasiClocksView as _};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView as _};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock::Host as _;
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem, sync};
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxView, WasiView};

/// What the component may write to stderr before it is cut: a panic's message.
const STDERR_BYTES: usize = 8 * 1024;

/// Files, directories and streams that the component may hold at once. Ours holds a handful; without
/// a bound, one that keeps opening files would use up those of the whole host.
const RESOURCES: usize = 500;

/// The most that a component may ask for as a seed.
const SEED_BYTES: usize = 64;

/// Core instances, tables and memories that one component may be made of. Ours has a few.
const PIECES: usize = 50;

/// The sandbox of one instance: one directory, no network, no environment.
pub(crate) struct State {
    wasi: WasiCtx,
    table: ResourceTable,
    stderr: MemoryOutputPipe,
    memory_bytes: usize,
    /// What all memories of the component have come to.
    used_memory_bytes: usize,
    refused_memory: bool,
}

impl State {
    /// A sandbox in which `store` is the directory `/store`; without one it has no directory.
    pub(crate) fn new(store: Option<&Path>) -> wasmtime::Result<State> {
        let stderr = MemoryOutputPipe::new(STDERR_BYTES);
        let mut wasi = WasiCtx::builder();
        // Before the directory: it is captured there. Reads then run on this thread, ten times faster.
        wasi.allow_blocking_current_thread(true);
        if let Some(store) = store {
            wasi.preopened_dir(store, "/store", FsPerms::ReadWrite)?;
        }
        wasi.stderr(stderr.clone());
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES);
        Ok(State {
            wasi: wasi.build(),
            table,
            stderr,
            memory_bytes: 0,
            used_memory_bytes: 0,
            refused_memory: false,
        })
    }

    pub(crate) fn allow_memory(&mut self, bytes: usize) {
        self.memory_bytes = bytes;
        self.refused_memory = false;
    }

    /// Whether the component was refused memory since it was last allowed any.
    pub(crate) fn refused_memory(&self) -> bool {
        self.refused_memory
    }

    /// What the component wrote to stderr.
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr.contents()).into_owned()
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl ResourceLimiter for State {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let used = self.used_memory_bytes.saturating_add(desired.saturating_sub(current));
        let granted = used <= self.memory_bytes;
        if granted {
            self.used_memory_bytes = used;
        }
        self.refused_memory |= !granted;
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

/// Links what the component may import, interface by interface: a component that asks for more
/// (sockets, http, random numbers) cannot be instantiated.
pub(crate) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    let l = linker;
    sync::filesystem::types::add_to_linker::<State, WasiFilesystem>(l, State::filesystem)?;
    filesystem::preopens::add_to_linker::<State, WasiFilesystem>(l, State::filesystem)?;
    clocks::wall_clock::add_to_linker::<State, WasiClocks>(l, State::clocks)?;
    wasmtime_wasi::p2::bindings::io::error::add_to_linker::<State, HasIo>(l, |s| &mut s.table)?;
    sync::io::poll::add_to_linker::<State, HasIo>(l, |s| &mut s.table)?;
    sync::io::streams::add_to_linker::<State, HasIo>(l, |s| &mut s.table)?;
    // Of this clock only the time: to wait for it is a call of ours, in which neither fuel nor the
    // deadline counts, so no limit would end it.
    let mut clock = l.instance("wasi:clocks/monotonic-clock@0.2.6")?;
    clock.func_wrap("now", |mut store: StoreContextMut<'_, State>, ()| {
        Ok((store.data_mut().clocks().now()?,))
    })?;
    clock.func_wrap("resolution", |mut store: StoreContextMut<'_, State>, ()| {
        Ok((store.data_mut().clocks().resolution()?,))
    })?;
    // regex-lite keeps the names of groups in a hash map of the standard library, which asks for a
    // seed. It is answered with a constant: no run differs from another.
    l.instance("wasi:random/insecure-seed@0.2.6")?
        .func_wrap("insecure-seed", |_: StoreContextMut<'_, State>, ()| Ok(((0u64, 0u64),)))?;
    // The form of the component that `cargo component` builds asks for the same seed here.
    l.instance("wasi:random/random@0.2.6")?.func_wrap(
        "get-random-bytes",
        |_: StoreContextMut<'_, State>, (len,): (u64,)| match usize::try_from(len) {
            Ok(len) if len <= SEED_BYTES => Ok((vec![0_u8; len],)),
            _ => Err(wasmtime::Error::msg("there are no random numbers here, only a seed")),
        },
    )?;
    // A Rust standard library asks for these at start, whether it uses them or not.
    cli::environment::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::exit::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::stdin::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::stdout::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::stderr::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_input::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_output::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_stdin::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_stdout::add_to_linker::<State, WasiCli>(l, State::cli)?;
    cli::terminal_stderr::add_to_linker::<State, WasiCli>(l, State::cli)?;
    Ok(())
}
