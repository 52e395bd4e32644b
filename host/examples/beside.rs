//! A host whose tools are components: one of them and Weir in the same linker, and in the same store.
//!
//! ```sh
//! cargo run --package weir-host --example beside -- DIRECTORY
//! ```
#![allow(clippy::print_stdout, reason = "it is a command")]

use std::path::Path;

use wasmtime::component::{Component, Linker, ResourceTable};
use wasmtime::{Engine, Store, StoreContextMut};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use weir_host::contract::{FinishedResult, Transformed};
use weir_host::embed::{Prepared, sandbox};
use weir_host::{Cache, ComponentSource, compile};

/// The tool: it writes a report of as many lines as the host's function `lines` says. `report.wat` is
/// its source.
const TOOL: &[u8] = include_bytes!("report.wasm");

struct Data {
    lines: u32,
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Data {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

/// Runs the tool, and gives its result to Weir.
pub(crate) fn run(directory: &Path, lines: u32) -> Result<Transformed, Box<dyn std::error::Error>> {
    let engine = Engine::default();
    let mut linker = Linker::<Data>::new(&engine);
    // All of WASI, for whatever tools need, and the host's own functions.
    wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
    linker
        .root()
        .func_wrap("lines", |store: StoreContextMut<'_, Data>, ()| Ok((store.data().lines,)))?;
    let weir =
        Prepared::new(&linker, &compile(&engine, &ComponentSource::Embedded, &Cache::User)?)?;
    let tool = linker.instantiate_pre(&Component::new(&engine, TOOL)?)?;

    let wasi = sandbox(Some(directory))?.build();
    let mut store = Store::new(&engine, Data { lines, wasi, table: ResourceTable::new() });
    let tool = tool.instantiate(&mut store)?;
    let report = tool.get_typed_func::<(), (String,)>(&mut store, "report")?;
    let (text,) = report.call(&mut store, ())?;

    let weir = weir.instantiate(&mut store)?;
    let result = FinishedResult::text("the only session", "report", text);
    let shown = weir.result_transform()?.call_transform(&mut store, &result)?;
    Ok(shown.map_err(|failure| failure.message)?)
}

#[allow(dead_code, reason = "a test calls `run`")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("a directory for the store is needed")?;
    println!("{:#?}", run(Path::new(&directory), 5_000)?);
    Ok(())
}
