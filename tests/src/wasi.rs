//! WASI for a component in a plain wasmtime, as a host without our library gives it.

use std::path::Path;

use wasmtime::component::ResourceTable;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxView, WasiView};

/// What a store holds: one directory at most.
pub struct State {
    wasi: WasiCtx,
    table: ResourceTable,
}

impl State {
    /// Without a directory.
    pub fn empty() -> State {
        State { wasi: WasiCtx::builder().build(), table: ResourceTable::new() }
    }

    /// With a directory, under the name that the component finds it by.
    pub fn with_directory(directory: &Path, name: &str) -> State {
        State::allowed(directory, name, FsPerms::ReadWrite)
    }

    /// The same for a directory that may be read and not written.
    pub fn for_reading(directory: &Path, name: &str) -> State {
        State::allowed(directory, name, FsPerms::ReadOnly)
    }

    fn allowed(directory: &Path, name: &str, perms: FsPerms) -> State {
        let mut wasi = WasiCtx::builder();
        wasi.preopened_dir(directory, name, perms).expect("the directory is there");
        State { wasi: wasi.build(), table: ResourceTable::new() }
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}
