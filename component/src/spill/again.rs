//! What is asked for twice passes whole.
//!
//! A model that makes a call again right after it was shown an excerpt of the same bytes wants them all: to rewrite a
//! file, to quote it. One more excerpt would only cost it pages of reads.

use std::time::SystemTime;

use super::measure::Measure;
use super::result::Origin;
use crate::content::scan::Chunks;
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::limits::ID_MIN_HEX;
use crate::settings::TransformSettings;
use crate::source::{ReadError, Source};
use crate::store::{BlobStore, Record};

/// The longest text that is shown whole, whatever a client is said to pass: it is held in memory.
const WHOLE_MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The record of what a call of this tool gave before, where its session was shown an excerpt of it within the time
/// that the settings give. The next time it is an excerpt again: what was shown whole is still there to be read.
pub(super) fn asked_before(
    store: &BlobStore,
    settings: &TransformSettings,
    origin: &Origin,
    digest: &Digest,
    now: SystemTime,
) -> Option<Record> {
    // Without arguments nobody says that it was a call of the model's.
    if settings.again.is_zero() || origin.arguments.is_none() {
        return None;
    }
    let id = BlobId::of(digest, ID_MIN_HEX);
    let entry = store.resolve(Some(&origin.session), &id, now).ok()?;
    let is_again = {
        // At the same moment it is another result of one turn: nobody has seen the excerpt yet.
        let is_after = now
            .duration_since(entry.last_use)
            .is_ok_and(|age| !age.is_zero() && age <= settings.again);
        // Another tool may give the same bytes; nobody asked it before.
        let called = Record {
            tool: origin.tool.clone(),
            toolset: origin.toolset.clone(),
            ..Record::default()
        };
        let called = called.clipped();
        entry.digest == *digest
            && (&entry.record.tool, &entry.record.toolset) == (&called.tool, &called.toolset)
            && entry.record.shown.is_some()
            && !entry.record.shown_whole
            && is_after
    };
    is_again.then_some(entry.record)
}

/// All of a text below one line of ours; `None` where it is longer than a client passes, or no text to show.
pub(super) fn whole(
    text: &dyn Source,
    measure: &Measure,
    settings: &TransformSettings,
    head: &str,
) -> Result<Option<String>, ReadError> {
    let most = u64::from(settings.client_max_chars);
    if most > 0 && measure.chars > most || text.len() > WHOLE_MAX_BYTES {
        return Ok(None);
    }
    let mut bytes = head.as_bytes().to_vec();
    let mut chunks = Chunks::new(text, 0, u64::MAX);
    while let Some((_, chunk)) = chunks.next_chunk()? {
        bytes.extend_from_slice(chunk);
    }
    Ok(String::from_utf8(bytes).ok())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;
    use crate::settings::Settings;
    use crate::spill::result::{FinishedResult, Outcome, Part, Reason, Shown};
    use crate::spill::{Spill, transform};

    struct Bench {
        directory: tempfile::TempDir,
        settings: Settings,
        now: Cell<SystemTime>,
        /// How much later each call is than the one before.
        step: Duration,
    }

    impl Bench {
        fn new() -> Bench {
            let directory = tempfile::tempdir().unwrap();
            Bench {
                directory,
                settings: Settings::default(),
                now: Cell::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000)),
                step: Duration::from_secs(1),
            }
        }

        fn put(&self, text: &str, tool: &str, arguments: Option<&str>) -> Outcome {
            let origin = Origin {
                session: "s".into(),
                tool: tool.into(),
                arguments: arguments.map(str::to_owned),
                ..Origin::default()
            };
            let result = FinishedResult {
                origin,
                parts: vec![Part::Text(text.into())],
                ..Default::default()
            };
            let open = || BlobStore::open(self.directory.path(), self.settings.store);
            self.now.set(self.now.get() + self.step);
            let now = self.now.get();
            let spill = Spill { open: &open, settings: &self.settings.transform, now };
            transform(&spill, &result).unwrap()
        }

        /// The text that stands for a call's result.
        fn call(&self, text: &str, arguments: &str) -> String {
            self.shown(self.put(text, "shell", Some(arguments)))
        }

        fn shown(&self, outcome: Outcome) -> String {
            match outcome {
                Outcome::Replaced(replacement) => match &replacement.shown[..] {
                    [Shown::Text(text)] => text.clone(),
                    other => panic!("{other:?}"),
                },
                other => panic!("{other:?}"),
            }
        }
    }

    fn lines(n: usize) -> String {
        (0..n).map(|n| format!("line {n} of a file that is long\n")).collect()
    }

    #[test]
    fn the_second_time_is_whole_and_the_third_an_excerpt() {
        let bench = Bench::new();
        let text = lines(2_000);
        let first = bench.call(&text, r#"{"command": "make list"}"#);
        assert!(first.chars().count() <= 6_000 && first.contains("NOT the full output"));
        // Another call that gives the same bytes asks for the same.
        let second = bench.call(&text, r#"{"command": "cat list.txt"}"#);
        let (head, rest) = second.split_once('\n').unwrap();
        assert_eq!(rest, text);
        assert!(head.contains("asked for again"), "{head}");
        let id = first.lines().next().unwrap().rsplit_once("id=").unwrap().1;
        assert!(head.ends_with(id), "{head}");
        // What passed whole is known for what it is, by a second hook or a gateway behind one.
        let handle = bench.put(&second, "shell", Some("{}"));
        assert!(matches!(handle, Outcome::Unchanged { reason: Reason::AlreadyAHandle, .. }));
        assert_eq!(bench.call(&text, r#"{"command": "make list"}"#), first);
        assert_eq!(bench.call(&text, r#"{"command": "make list"}"#), second);
    }

    #[test]
    fn two_tools_that_give_the_same_bytes_are_not_one_that_was_asked_again() {
        let bench = Bench::new();
        let text = lines(2_000);
        let shown = |tool: &str| bench.shown(bench.put(&text, tool, Some("{}")));
        assert!(shown("pods_list").contains("this is an excerpt"));
        assert!(shown("pods_list_in_namespace").contains("this is an excerpt"));
        assert!(shown("pods_list_in_namespace").contains("asked for again"));
    }

    #[test]
    fn only_right_after_its_excerpt_and_only_what_a_client_passes() {
        let mut bench = Bench::new();
        let text = lines(2_000);
        let arguments = r#"{"command": "make list"}"#;
        let first = bench.call(&text, arguments);
        assert!(!bench.call(&lines(2_001), arguments).contains("asked for again"), "other bytes");
        bench.now.set(bench.now.get() + Duration::from_secs(301));
        assert_eq!(bench.call(&text, arguments), first, "too late");
        assert!(bench.call(&text, arguments).contains("asked for again"));
        // Nobody says that it was a call.
        for _ in 0..2 {
            assert!(bench.shown(bench.put(&text, "shell", None)).contains("this is an excerpt"));
        }
        let long = lines(4_000);
        assert!(long.len() > 100_000);
        assert_eq!(bench.call(&long, arguments), bench.call(&long, arguments));
        bench.settings.transform.again = Duration::ZERO;
        let other = lines(1_900);
        assert_eq!(bench.call(&other, arguments), bench.call(&other, arguments));
    }

    #[test]
    fn two_equal_results_of_one_turn_are_no_second_question_nor_is_what_fits_no_memory() {
        let mut bench = Bench::new();
        bench.step = Duration::ZERO;
        let (text, arguments) = (lines(2_000), r#"{"command": "make list"}"#);
        assert_eq!(bench.call(&text, arguments), bench.call(&text, arguments));
        // A clock that was set back says nothing.
        bench.now.set(bench.now.get() - Duration::from_secs(60));
        assert!(bench.call(&text, arguments).contains("this is an excerpt"));
        bench.step = Duration::from_secs(1);
        bench.settings.transform.client_max_chars = 0;
        let huge = lines(200_000);
        assert!(huge.len() as u64 > WHOLE_MAX_BYTES);
        assert_eq!(bench.call(&huge, arguments), bench.call(&huge, arguments));
    }

    #[test]
    fn what_stands_beside_a_text_in_json_is_in_the_whole() {
        let bench = Bench::new();
        let text = serde_json::json!({"stdout": lines(1_500), "exit_code": 3}).to_string();
        let first = bench.call(&text, "{}");
        let second = bench.call(&text, "{}");
        assert!(!first.contains("asked for again"));
        assert_eq!(second.split_once('\n').unwrap().1, text);
    }
}
