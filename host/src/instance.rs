//! One instance of the component, and calls into it under their limits.

use std::num::NonZero;
use std::path::Path;
use std::sync::OnceLock;

use rayon_core::{ThreadPool, ThreadPoolBuilder};
use wasmtime::component::ResourceAny;
use wasmtime::{Store, Trap};

use crate::engine::{Engine, private_directory};
use crate::error::{Error, NotExported, TrapReason};
use crate::limits::Limits;
use crate::plugin::Plugin;
use crate::state::State;

/// An instance with a memory of its own and the store's directory, and nothing else.
pub(crate) struct Instance {
    engine: Engine,
    store: Store<State>,
    plugin: Plugin,
}

impl Instance {
    /// Makes a fresh instance. Costs about 60 microseconds.
    ///
    /// # Errors
    /// [`Error::StoreDirectory`] when the directory is gone and cannot be made again,
    /// [`Error::Engine`], [`Error::Trap`].
    pub(crate) fn new(
        engine: &Engine,
        directory: Option<&Path>,
        limits: Limits,
    ) -> Result<Instance, Error> {
        let mut state = match (State::new(directory), directory) {
            (Ok(state), _) => state,
            // Someone may have removed the directory since it was opened: the store starts anew.
            (Err(_), Some(path)) => {
                private_directory(path)
                    .map_err(|source| Error::StoreDirectory { path: path.to_owned(), source })?;
                State::new(directory).map_err(|source| Error::Engine { source })?
            }
            (Err(source), None) => return Err(Error::Engine { source }),
        };
        state.memory.allow(limits.memory_bytes);
        let mut store = Store::new(engine.wasmtime(), state);
        store.limiter(|state| &mut state.memory);
        arm(engine, &mut store, limits).map_err(|source| Error::Engine { source })?;
        match outside_of_runtimes(|| engine.instantiate(&mut store)) {
            Ok(plugin) => Ok(Instance { engine: engine.clone(), store, plugin }),
            Err(error) => Err(trapped("instantiate", &store, error)),
        }
    }

    /// Calls one exported function. After a [`Error::Trap`] the instance is of no more use.
    pub(crate) fn call<R: Send>(
        &mut self,
        name: &'static str,
        limits: Limits,
        function: impl FnOnce(&Plugin, &mut Store<State>) -> wasmtime::Result<R> + Send,
    ) -> Result<R, Error> {
        self.store.data_mut().memory.allow(limits.memory_bytes);
        let Instance { engine, store, plugin } = self;
        arm(engine, store, limits)
            .and_then(|()| outside_of_runtimes(|| function(plugin, store)))
            .map_err(|error| trapped(name, store, error))
    }
}

impl Instance {
    /// Drops a resource of the component, so that it can tidy up.
    pub(crate) fn close(&mut self, limits: Limits, resource: ResourceAny) -> wasmtime::Result<()> {
        self.store.data_mut().memory.allow(limits.memory_bytes);
        let Instance { engine, store, .. } = self;
        arm(engine, store, limits)?;
        outside_of_runtimes(|| resource.resource_drop(store))
    }
}

/// Runs a call where it may block. wasmtime's WASI blocks on tokio, which panics in the thread of a
/// tokio runtime, and a thread for blocking work looks the same: there the call is made in a thread
/// that is kept for such calls, and this one waits for it.
fn outside_of_runtimes<R: Send>(call: impl FnOnce() -> R + Send) -> R {
    if tokio::runtime::Handle::try_current().is_err() {
        return call();
    }
    static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let threads = THREADS.get_or_init(|| {
        // Calls wait for the disk as well, so some more than there are processors.
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let pool = ThreadPoolBuilder::new().num_threads(2 * processors + 2);
        pool.thread_name(|n| format!("weir-call-{n}")).build().ok()
    });
    match threads {
        Some(threads) => threads.install(call),
        None => std::thread::scope(|scope| match scope.spawn(call).join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }),
    }
}

fn arm(engine: &Engine, store: &mut Store<State>, limits: Limits) -> wasmtime::Result<()> {
    limits.apply(store, engine.tick(), engine.counts_fuel())
}

fn trapped(call: &'static str, store: &Store<State>, source: wasmtime::Error) -> Error {
    if let Some(NotExported(interface)) = source.downcast_ref::<NotExported>() {
        return Error::NotExported { interface };
    }
    let reason = match source.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => TrapReason::OutOfFuel,
        Some(Trap::Interrupt) => TrapReason::Deadline,
        // The stack that the component keeps in its memory lies before all else in it.
        Some(Trap::StackOverflow | Trap::MemoryOutOfBounds) => TrapReason::OutOfStack,
        _ if store.data().memory.refused() => TrapReason::OutOfMemory,
        _ => TrapReason::Broken,
    };
    let stderr = store.data().stderr();
    let details =
        if stderr.is_empty() { format!("{source:?}") } else { format!("{source:?}\n{stderr}") };
    Error::Trap { call, reason, source, details }
}
