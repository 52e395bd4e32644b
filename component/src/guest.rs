//! The edge to the contract: convert in, call one function, convert out.

mod convert;
mod failure;
mod info;
mod json;
#[cfg(feature = "results")]
mod maintenance;
#[cfg(feature = "results")]
mod model_tools;
#[cfg(feature = "results")]
mod reading;
#[cfg(feature = "results")]
mod settings;
#[cfg(feature = "tools")]
mod tools;
#[cfg(feature = "results")]
mod transform;

/// What the component exports.
pub(crate) struct Component;

#[cfg(feature = "results")]
use store::{now, open, with_settings};

#[cfg(feature = "results")]
mod store {
    use std::cell::RefCell;
    use std::path::Path;
    use std::time::SystemTime;

    use crate::settings::Settings;
    use crate::store::{self, BlobStore, StoreError};

    /// The one directory that the host gives, seen from itself: called `/store`, or the only one.
    const STORE: &str = "";

    thread_local! {
        static SETTINGS: RefCell<Settings> = RefCell::new(Settings::default());
    }

    /// The settings in force.
    pub(super) fn with_settings<R>(use_them: impl FnOnce(&Settings) -> R) -> R {
        SETTINGS.with_borrow(use_them)
    }

    pub(super) fn configure(settings: Settings) {
        SETTINGS.set(settings);
    }

    pub(super) fn open(settings: &Settings) -> Result<BlobStore, StoreError> {
        let in_memory = settings.store.in_memory && !store::has_directory();
        BlobStore::open(Path::new(if in_memory { store::MEMORY } else { STORE }), settings.store)
    }

    /// The only look at the clock: below the edge, time is a value.
    #[expect(clippy::disallowed_methods, reason = "this is the edge")]
    pub(super) fn now() -> SystemTime {
        SystemTime::now()
    }
}
