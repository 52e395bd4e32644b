//! One instance of the component, and calls into it under their limits.

use std::path::Path;

use wasmtime::component::ResourceAny;
use wasmtime::{Store, Trap};

use crate::bindings::Plugin;
use crate::engine::{Engine, TICK, private_directory};
use crate::error::{Error, TrapReason};
use crate::limits::Limits;
use crate::state::State;

/// An instance with a memory of its own and the store's directory, and nothing else.
pub(crate) struct Instance {
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
        directory: &Path,
        limits: Limits,
    ) -> Result<Instance, Error> {
        let failed = |error: wasmtime::Error| Error::Engine { reason: format!("{error:#}") };
        let mut state = match State::new(directory) {
            Ok(state) => state,
            // Someone may have removed the directory since it was opened: the store starts anew.
            Err(_) => {
                private_directory(directory).map_err(|source| Error::StoreDirectory {
                    path: directory.to_owned(),
                    source,
                })?;
                State::new(directory).map_err(failed)?
            }
        };
        state.allow_memory(limits.memory_bytes);
        let mut store = Store::new(engine.wasmtime(), state);
        store.limiter(|state| state);
        arm(&mut store, limits).map_err(failed)?;
        match engine.pre().instantiate(&mut store) {
            Ok(plugin) => Ok(Instance { store, plugin }),
            Err(error) => Err(trapped("instantiate", &store, &error)),
        }
    }

    /// Calls one exported function. After a [`Error::Trap`] the instance is of no more use.
    pub(crate) fn call<R>(
        &mut self,
        name: &'static str,
        limits: Limits,
        function: impl FnOnce(&Plugin, &mut Store<State>) -> wasmtime::Result<R>,
    ) -> Result<R, Error> {
        self.store.data_mut().allow_memory(limits.memory_bytes);
        arm(&mut self.store, limits)
            .and_then(|()| function(&self.plugin, &mut self.store))
            .map_err(|error| trapped(name, &self.store, &error))
    }
}

impl Instance {
    /// Drops a resource of the component, so that it can tidy up.
    pub(crate) fn close(&mut self, limits: Limits, resource: ResourceAny) -> wasmtime::Result<()> {
        self.store.data_mut().allow_memory(limits.memory_bytes);
        arm(&mut self.store, limits)?;
        resource.resource_drop(&mut self.store)
    }
}

fn arm(store: &mut Store<State>, limits: Limits) -> wasmtime::Result<()> {
    let ticks = limits.deadline.as_millis() / TICK.as_millis();
    // One more than asked for, as the first tick may come at once.
    store.set_epoch_deadline(u64::try_from(ticks).unwrap_or(u64::MAX / 2).saturating_add(1));
    store.set_fuel(limits.fuel)
}

fn trapped(call: &'static str, store: &Store<State>, error: &wasmtime::Error) -> Error {
    let reason = match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => TrapReason::OutOfFuel,
        Some(Trap::Interrupt) => TrapReason::Deadline,
        _ if store.data().refused_memory() => TrapReason::OutOfMemory,
        _ => TrapReason::Broken,
    };
    let stderr = store.data().stderr();
    let details =
        if stderr.is_empty() { format!("{error:?}") } else { format!("{error:?}\n{stderr}") };
    Error::Trap { call, reason, details }
}
