//! An agent host with a wasmtime of its own: an engine of its own settings, its own data in the
//! stores, calls that are awaited.
//!
//! ```sh
//! cargo run --package weir-host --example agent --features async -- DIRECTORY
//! ```
#![allow(clippy::print_stdout, reason = "it is a command")]

use std::path::Path;
use std::time::Duration;

use wasmtime::component::{Linker, ResourceTable};
use wasmtime::{Config, Engine, Store};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use weir_host::asynchronous::contract::FinishedResult;
use weir_host::embed::{MemoryLimit, Prepared, link_async, sandbox};
use weir_host::{Cache, Class, ComponentSource, compile};

/// How often the engine's clock ticks.
const TICK: Duration = Duration::from_millis(10);

/// What this host keeps in a store: its own things, and what the component needs.
struct Data {
    session: String,
    memory: MemoryLimit,
    wasi: WasiCtx,
    table: ResourceTable,
}

impl WasiView for Data {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

struct Host {
    engine: Engine,
    weir: Prepared<Data>,
}

impl Host {
    fn new() -> Result<Host, Box<dyn std::error::Error>> {
        let mut config = Config::new();
        config.epoch_interruption(true);
        let engine = Engine::new(&config)?;
        let component = compile(&engine, &ComponentSource::Embedded, &Cache::User)?;
        let mut linker = Linker::new(&engine);
        link_async(&mut linker)?;
        let weir = Prepared::new(&linker, &component)?;
        Ok(Host { engine, weir })
    }

    /// A store for one call of a class, on so many bytes.
    fn store(
        &self,
        directory: &Path,
        session: &str,
        class: Class,
        bytes: usize,
    ) -> wasmtime::Result<Store<Data>> {
        let limits = class.limits(bytes as u64);
        let mut memory = MemoryLimit::default();
        memory.allow(limits.memory_bytes);
        let wasi = sandbox(Some(directory))?.build();
        let session = session.to_owned();
        let data = Data { session, memory, wasi, table: ResourceTable::new() };
        let mut store = Store::new(&self.engine, data);
        store.limiter(|data| &mut data.memory);
        let mut left = limits.deadline.as_millis() / TICK.as_millis();
        // Other tasks run at each tick, and at the last one the call ends.
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(move |_| {
            left = left.saturating_sub(1);
            match left {
                0 => Ok(wasmtime::UpdateDeadline::Interrupt),
                _ => Ok(wasmtime::UpdateDeadline::Yield(1)),
            }
        });
        Ok(store)
    }

    /// What a model is shown of a result, and the id of what was stored.
    async fn shown(
        &self,
        directory: &Path,
        session: &str,
        text: String,
    ) -> Result<Option<String>, Box<dyn std::error::Error>> {
        let mut store = self.store(directory, session, Class::Transform, text.len())?;
        let weir = self.weir.instantiate_async(&mut store).await?;
        let result = FinishedResult::text(&store.data().session, "read_log", text);
        let transform = weir.result_transform()?;
        let shown = transform.call_transform(&mut store, &result).await?;
        let shown = shown.map_err(|failure| failure.message)?;
        Ok(shown.handles.into_iter().next().map(|handle| handle.id))
    }

    /// The answer to a model's call of `weir_fetch`.
    async fn fetched(
        &self,
        directory: &Path,
        session: &str,
        arguments: &str,
    ) -> Result<String, Box<dyn std::error::Error>> {
        let mut store = self.store(directory, session, Class::Grep, arguments.len())?;
        let weir = self.weir.instantiate_async(&mut store).await?;
        let session = store.data().session.clone();
        let tools = weir.model_tools()?;
        let answer = tools.call_invoke(&mut store, &session, "weir_fetch", arguments).await?;
        Ok(answer.text)
    }
}

/// Stores a result of 5,000 lines and reads the last line of each of ten sessions, all at once.
pub(crate) async fn run(directory: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let host = Host::new()?;
    let ticking = host.engine.clone();
    let ticks = tokio::spawn(async move {
        loop {
            tokio::time::sleep(TICK).await;
            ticking.increment_epoch();
        }
    });
    let calls = (0..10).map(|n| {
        let host = &host;
        async move {
            let session = format!("agent {n}");
            let log: String = (1..=5_000).map(|line| format!("agent {n}, line {line}\n")).collect();
            let id = host.shown(directory, &session, log).await?.ok_or("it was not stored")?;
            let arguments = format!(r#"{{"id": "{id}", "mode": "tail", "count": 1}}"#);
            host.fetched(directory, &session, &arguments).await
        }
    });
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await?);
    }
    ticks.abort();
    Ok(answers)
}

#[tokio::main]
#[allow(dead_code, reason = "a test calls `run`")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("a directory for the store is needed")?;
    for answer in run(Path::new(&directory)).await? {
        println!("{answer}");
    }
    Ok(())
}
