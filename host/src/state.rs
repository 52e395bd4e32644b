//! What a wasmtime store of ours holds: the sandbox of one instance.

use std::path::Path;

use wasmtime::component::ResourceTable;
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::embed::{MemoryLimit, sandbox};

/// What the component may write to stderr before it is cut: a panic's message.
const STDERR_BYTES: usize = 8 * 1024;

/// Files, directories and streams that the component may hold at once. Ours holds a handful; without
/// a bound, one that keeps opening files would use up those of the whole host.
const RESOURCES: usize = 500;

/// The sandbox of one instance: one directory, no network, no environment.
pub(crate) struct State {
    wasi: WasiCtx,
    table: ResourceTable,
    stderr: MemoryOutputPipe,
    pub(crate) memory: MemoryLimit,
}

impl State {
    /// A sandbox in which `store` is the directory `/store`; without one it has no directory.
    pub(crate) fn new(store: Option<&Path>) -> wasmtime::Result<State> {
        let stderr = MemoryOutputPipe::new(STDERR_BYTES);
        let mut wasi = sandbox(store)?;
        wasi.stderr(stderr.clone());
        let mut table = ResourceTable::new();
        table.set_max_capacity(RESOURCES);
        Ok(State { wasi: wasi.build(), table, stderr, memory: MemoryLimit::default() })
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
