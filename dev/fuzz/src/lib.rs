//! What the targets share: a store in a folder of its own, and a result put into it.

use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use weir_component::fetch::{Answer, Reader, tool};
use weir_component::settings::{FetchSettings, StoreSettings, TransformSettings};
use weir_component::spill::result::{FinishedResult, Origin, Outcome, Part, Shown};
use weir_component::spill::{Spill, transform};
use weir_component::store::BlobStore;

/// The session of every result.
pub const SESSION: &str = "fuzz";

/// A store that goes when it is dropped.
pub struct Store {
    /// Its folder.
    pub dir: TempDir,
    store: BlobStore,
    transform: TransformSettings,
    fetch: FetchSettings,
    now: SystemTime,
}

impl Store {
    /// An empty one, on a file system in memory where there is one.
    pub fn new() -> Store {
        let memory = std::path::Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        let dir = tempfile::tempdir_in(place).expect("a folder for the store");
        Store {
            store: BlobStore::open(dir.path(), StoreSettings::default()).expect("an empty store"),
            dir,
            transform: TransformSettings { threshold_chars: 64, ..TransformSettings::default() },
            fetch: FetchSettings::default(),
            now: SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000),
        }
    }

    /// The text that stands for `text` and the id in it, if it was replaced.
    pub fn put(&self, text: String) -> Option<(String, String)> {
        let open = || Ok(self.store.clone());
        let spill = Spill { settings: &self.transform, open: &open, now: self.now };
        let result = FinishedResult {
            origin: Origin { session: SESSION.into(), tool: "read".into(), ..Origin::default() },
            parts: vec![Part::Text(text)],
            ..FinishedResult::default()
        };
        let Outcome::Replaced(replaced) = transform(&spill, &result).expect("a result is taken")
        else {
            return None;
        };
        let [Shown::Text(shown)] = &replaced.shown[..] else { panic!("one text stands for one") };
        assert!(shown.chars().count() <= self.transform.handle_max_chars as usize);
        let handle = replaced.handles.first()?;
        Some((shown.clone(), handle.id.to_string()))
    }

    /// What the reading tool answers.
    pub fn ask(&self, arguments: &serde_json::Value) -> Answer {
        let reader = Reader::new(&self.store, &self.fetch, SESSION, self.now);
        tool::invoke(&reader, tool::NAME, &arguments.to_string())
    }
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}
