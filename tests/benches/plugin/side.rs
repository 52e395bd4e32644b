//! The two that are compared: the component in wasmtime, and the same crate in this process. Each
//! has a store of its own, and is asked the same way.

use std::time::SystemTime;

use tempfile::TempDir;
use weir_component::fetch::Reader;
use weir_component::handle::BlobId;
use weir_component::settings::Settings;
use weir_component::spill::intake::{Intake, IntakeOutcome};
use weir_component::spill::result as native;
use weir_component::spill::{Spill, transform};
use weir_component::store::BlobStore;
use weir_host::contract as wasm;
use weir_host::{Engine, Weir};
use weir_tests::{SESSION, engine, origin, text_result};

use crate::Options;
use crate::timer::{Time, once};

/// From here on the host hands a text over in pieces, and so does the native side.
const STREAM_BYTES: usize = 8 * 1024 * 1024;
const CHUNK_BYTES: usize = 1024 * 1024;

/// A transformed text: what stands for it, and its name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// What the model would see.
    pub(crate) text: String,
    /// The id in it.
    pub(crate) id: String,
}

/// The component in wasmtime.
pub(crate) struct Wasm {
    /// The library.
    pub(crate) weir: Weir,
    _directory: TempDir,
}

/// The same crate in this process.
pub(crate) struct Native {
    /// The settings: all defaults.
    pub(crate) settings: Settings,
    directory: TempDir,
}

/// Both.
pub(crate) fn both(options: &Options) -> (Native, Wasm) {
    (Native::new(options), Wasm::new(options))
}

fn directory(options: &Options) -> TempDir {
    tempfile::tempdir_in(&options.dir).expect("a directory for a store can be made")
}

impl Wasm {
    /// Over an empty store.
    pub(crate) fn new(options: &Options) -> Wasm {
        Wasm::of(engine(), options)
    }

    /// Another component, over an empty store.
    pub(crate) fn of(engine: Engine, options: &Options) -> Wasm {
        let directory = directory(options);
        let weir = Weir::builder()
            .open_with(engine, directory.path().join("store"))
            .expect("the store can be made");
        Wasm { weir, _directory: directory }
    }

    /// Transforms a text that is to be replaced.
    pub(crate) fn transform(&self, text: &str) -> (Time, Shown) {
        let result = text_result(text);
        let (time, outcome) = once(|| self.weir.transform(&result));
        match outcome {
            Ok(replacement) if replacement.replaced => {
                let text = weir_tests::shown(&replacement);
                (time, Shown { text, id: replacement.handles[0].id.clone() })
            }
            other => panic!("not replaced: {other:?}"),
        }
    }
}

impl Native {
    /// Over an empty store.
    pub(crate) fn new(options: &Options) -> Native {
        let native = Native { settings: Settings::default(), directory: directory(options) };
        native.store();
        native
    }

    /// The store, opened anew as every call of the component does.
    pub(crate) fn store(&self) -> BlobStore {
        BlobStore::open(&self.directory.path().join("store"), self.settings.store)
            .expect("the store opens")
    }

    /// Reads of the session that everything here is in.
    pub(crate) fn reader<'a>(&'a self, store: &'a BlobStore) -> Reader<'a> {
        Reader::new(store, &self.settings.fetch, SESSION, SystemTime::now())
    }

    /// Runs something that needs a [`Spill`].
    fn spill<R>(&self, work: impl FnOnce(&Spill<'_>) -> R) -> R {
        let open = || BlobStore::open(&self.directory.path().join("store"), self.settings.store);
        work(&Spill { settings: &self.settings.transform, open: &open, now: SystemTime::now() })
    }

    /// Transforms a text, whatever becomes of it.
    pub(crate) fn outcome(&self, text: &str) -> (Time, native::Outcome) {
        let result = native::FinishedResult {
            origin: native_origin(),
            parts: vec![native::Part::Text(text.to_owned())],
            ..native::FinishedResult::default()
        };
        let (time, outcome) = once(|| self.spill(|spill| transform(spill, &result)));
        (time, outcome.expect("the result can be used"))
    }

    /// Transforms a text that is to be replaced.
    pub(crate) fn transform(&self, text: &str) -> (Time, Shown) {
        let (time, replacement) = if text.len() > STREAM_BYTES {
            self.stream(text)
        } else {
            match self.outcome(text) {
                (time, native::Outcome::Replaced(replacement)) => (time, replacement),
                (_, other) => panic!("not replaced: {other:?}"),
            }
        };
        let texts = replacement.shown.iter().filter_map(|one| match one {
            native::Shown::Text(text) => Some(text.as_str()),
            native::Shown::Left(_) => None,
        });
        let text = texts.collect::<Vec<_>>().join("\n");
        (time, Shown { text, id: replacement.handles[0].id.to_string() })
    }

    fn stream(&self, text: &str) -> (Time, native::Replacement) {
        let (time, outcome) = once(|| {
            let mut intake = Intake::new(native_origin(), None);
            for chunk in text.as_bytes().chunks(CHUNK_BYTES) {
                self.spill(|spill| intake.write(spill, chunk));
            }
            self.spill(|spill| intake.finish(spill, false))
        });
        match outcome {
            Ok(IntakeOutcome::Replaced(replacement)) => (time, replacement),
            other => panic!("not replaced: {other:?}"),
        }
    }
}

fn native_origin() -> native::Origin {
    let wasm::Origin { session, tool, toolset, arguments, reader, purpose } = origin("read");
    native::Origin { session, tool, toolset, arguments, reader, purpose }
}

/// An id that was given out.
pub(crate) fn id(text: &str) -> BlobId {
    BlobId::parse(text).expect("it is an id")
}
