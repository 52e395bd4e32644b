//! The edge to the contract: convert in, call one function, convert out.

mod fetch;
mod maintenance;
mod model_tools;
mod settings;
mod spill;
mod tool_search;

use std::cell::RefCell;
use std::path::Path;
use std::time::SystemTime;

use crate::settings::Settings;
use crate::store::{BlobStore, StoreError};

/// What the component exports.
pub(crate) struct Component;

/// The one directory that the host gives, seen from itself: called `/store`, or the only one.
const STORE: &str = "";

thread_local! {
    static SETTINGS: RefCell<Settings> = RefCell::new(Settings::default());
}

/// The settings in force.
fn with_settings<R>(use_them: impl FnOnce(&Settings) -> R) -> R {
    SETTINGS.with_borrow(use_them)
}

fn open(settings: &Settings) -> Result<BlobStore, StoreError> {
    BlobStore::open(Path::new(STORE), settings.store)
}

/// The only look at the clock: below the edge, time is a value.
#[expect(clippy::disallowed_methods, reason = "this is the edge")]
fn now() -> SystemTime {
    SystemTime::now()
}
