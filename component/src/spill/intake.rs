//! One large text, taken as it arrives, in a small constant amount of memory.

use super::measure::{Measure, Measurer};
use super::policy::{general, threshold};
use super::rescue::{Content, Rescued, Showing, rescue, unstored};
use super::result::{Origin, Reason, Replacement, TransformError};
use super::{Spill, check_session};
use crate::limits::{HANDLE_MIN_CHARS, INTAKE_HELD_BYTES, READ_BYTES};
use crate::store::{BlobStore, BlobWriter, Outcome as Put, StoreError};

/// What became of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntakeOutcome {
    /// It is within its threshold, or could not be stored and is short: all of it.
    Whole {
        /// The text as it came.
        bytes: Vec<u8>,
        /// Why it is left as it is.
        reason: Reason,
        /// Why the store refused, when that is the reason.
        store_failure: Option<String>,
        /// Characters of the text.
        chars: u64,
        /// Its estimated tokens.
        estimated_tokens: u64,
    },
    /// It was stored: show this instead.
    Replaced(Replacement),
}

/// Takes a text in chunks.
///
/// The first [`INTAKE_HELD_BYTES`] are held in memory, so that a small text never meets the store.
/// When the store fails, they and a rolling end are what is left.
pub struct Intake {
    origin: Origin,
    measurer: Measurer,
    /// The start.
    held: Vec<u8>,
    /// The limit in characters that the tool's server states for its own results.
    max_chars: Option<u32>,
    /// The last bytes of what came after the start, [`READ_BYTES`] or more where there are as many.
    end: Vec<u8>,
    state: State,
}

enum State {
    /// All of it is held.
    Held,
    /// It goes into the store.
    Storing(Box<(BlobStore, BlobWriter)>),
    /// The store failed.
    Failed(StoreError),
}

impl Intake {
    /// Starts. `max_chars` is what the tool's server states for its own results.
    pub fn new(origin: Origin, max_chars: Option<u32>) -> Intake {
        Intake {
            origin,
            max_chars,
            measurer: Measurer::new(),
            held: Vec::new(),
            end: Vec::new(),
            state: State::Held,
        }
    }

    /// Takes the next bytes.
    pub fn write(&mut self, spill: &Spill<'_>, bytes: &[u8]) {
        self.measurer.push(bytes);
        let room = INTAKE_HELD_BYTES - self.held.len();
        if matches!(self.state, State::Held) && bytes.len() > room {
            self.state = match start(spill, &self.origin, &self.held) {
                Ok(storing) => State::Storing(Box::new(storing)),
                Err(error) => State::Failed(error),
            };
        }
        if let State::Storing(storing) = &mut self.state
            && let Err(error) = storing.1.write(bytes)
        {
            self.state = State::Failed(error);
        }
        let (start, later) = bytes.split_at(room.min(bytes.len()));
        self.held.extend_from_slice(start);
        self.end.extend_from_slice(&later[later.len().saturating_sub(READ_BYTES)..]);
        if self.end.len() > 2 * READ_BYTES {
            self.end.drain(..self.end.len() - READ_BYTES);
        }
    }

    /// Ends, stores and excerpts.
    ///
    /// # Errors
    /// [`TransformError::BadSession`].
    pub fn finish(
        mut self,
        spill: &Spill<'_>,
        is_error: bool,
    ) -> Result<IntakeOutcome, TransformError> {
        check_session(&self.origin.session)?;
        let measure = self.measurer.finish();
        let limit = threshold(spill.settings, &self.origin, self.max_chars)
            .unwrap_or_else(|| general(spill.settings));
        // Nothing is small where that is the limit: the host wants it stored, and shows it or not.
        let is_wanted = self.max_chars == Some(0);
        let least = if is_wanted { HANDLE_MIN_CHARS } else { 0 };
        let cap_chars = spill.cap(measure.chars).max(least);
        let is_small = measure.chars <= u64::from(limit) && {
            let tokens = u64::from(spill.settings.threshold_tokens);
            tokens == 0 || measure.estimated_tokens <= tokens
        };
        let origin = std::mem::take(&mut self.origin);
        let showing = Showing {
            settings: spill.settings,
            origin: &origin,
            is_error,
            already_cut: false,
            notice: None,
            media_type: None,
            cap_chars,
            purpose: origin.wanted(),
        };
        let attempt = match self.state {
            State::Held if is_small || cap_chars < HANDLE_MIN_CHARS => {
                let reason = if is_small { Reason::Small } else { Reason::NoGain };
                return Ok(whole(self.held, reason, None, &measure));
            }
            State::Held => spill.store(&origin).and_then(|store| {
                let content = Content::memory(&self.held, Some(measure));
                let rescued = rescue(&store, &content, None, &showing, spill.now)?;
                Ok((store, Taken::Rescued(Box::new(rescued))))
            }),
            State::Storing(storing) => {
                let (store, writer) = *storing;
                if is_small {
                    // Under a threshold that is larger than what is held in memory.
                    writer.take().map(|all| (store, Taken::Whole(all)))
                } else {
                    writer.publish(spill.now).and_then(|published| {
                        let content = Content::published(&published, measure);
                        match rescue(&store, &content, None, &showing, spill.now) {
                            Ok(rescued) => Ok((store, Taken::Rescued(Box::new(rescued)))),
                            Err(error) => {
                                // Nobody is told of it. Should this fail, a sweep removes it.
                                let _ = store.discard(&published.digest, spill.now);
                                Err(error)
                            }
                        }
                    })
                }
            }
            State::Failed(error) => Err(error),
        };
        match attempt {
            Ok((_, Taken::Whole(all))) => Ok(whole(all, Reason::Small, None, &measure)),
            Ok((store, Taken::Rescued(rescued))) => {
                let replacement = replacement(rescued.text, vec![rescued.handle], &measure);
                let _ =
                    store.count_put(Put::Answered, super::count(&replacement, showing.settings));
                Ok(IntakeOutcome::Replaced(replacement))
            }
            Err(error) => Ok(lost(spill, &measure, &self.held, &self.end, &error, &showing)),
        }
    }
}

fn whole(
    bytes: Vec<u8>,
    reason: Reason,
    store_failure: Option<String>,
    measure: &Measure,
) -> IntakeOutcome {
    let Measure { chars, estimated_tokens, .. } = *measure;
    IntakeOutcome::Whole { bytes, reason, store_failure, chars, estimated_tokens }
}

enum Taken {
    Whole(Vec<u8>),
    Rescued(Box<Rescued>),
}

fn start(
    spill: &Spill<'_>,
    origin: &Origin,
    held: &[u8],
) -> Result<(BlobStore, BlobWriter), StoreError> {
    let store = spill.store(origin)?;
    let mut writer = store.writer();
    writer.write(held)?;
    Ok((store, writer))
}

/// The text could not be stored: whole when it is short and all of it is held, else head and tail.
fn lost(
    spill: &Spill<'_>,
    measure: &Measure,
    held: &[u8],
    end: &[u8],
    error: &StoreError,
    showing: &Showing<'_>,
) -> IntakeOutcome {
    let is_whole = held.len() as u64 == measure.bytes;
    if is_whole
        && (measure.chars <= u64::from(spill.settings.fallback_max_chars)
            || showing.cap_chars < HANDLE_MIN_CHARS)
    {
        return whole(held.to_vec(), Reason::NotStored, Some(error.to_string()), measure);
    }
    // As much of the end however it came, so that the same result always reads the same.
    let end = &end[end.len().saturating_sub(READ_BYTES)..];
    let text = match measure.bytes.saturating_sub((held.len() + end.len()) as u64) {
        0 => [held, end].concat(),
        _ => {
            // Whole characters on both sides: else text would be taken for binary data.
            let start = match std::str::from_utf8(held) {
                Err(error) if error.error_len().is_none() => &held[..error.valid_up_to()],
                _ => held,
            };
            let inside = end.iter().take(3).take_while(|byte| (0x80..0xC0).contains(*byte));
            let end = &end[inside.count()..];
            let lost = measure.bytes - (start.len() + end.len()) as u64;
            [start, format!("\n[{lost} bytes are lost here]\n").as_bytes(), end].concat()
        }
    };
    let shown = unstored(&&text[..], measure, error.reason(), showing);
    let mut replacement = replacement(shown, Vec::new(), measure);
    replacement.store_failure = Some(error.to_string());
    replacement.never_stored = matches!(error, StoreError::NeverStored { .. });
    IntakeOutcome::Replaced(replacement)
}

fn replacement(
    text: String,
    handles: Vec<super::result::Handle>,
    measure: &Measure,
) -> Replacement {
    let shown = Measurer::of(text.as_bytes());
    Replacement {
        shown: vec![super::result::Shown::Text(text)],
        handles,
        chars_before: measure.chars,
        chars_after: shown.chars,
        estimated_tokens_before: measure.estimated_tokens,
        estimated_tokens_after: shown.estimated_tokens,
        ..Replacement::default()
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::super::result::Shown;
    use super::*;
    use crate::settings::Settings;

    /// What is shown of a text that comes in chunks of a size, over a store that fails.
    fn shown_without_store(text: &str, chunk_bytes: usize) -> String {
        let settings = Settings::default();
        let open = || Err(StoreError::FutureVersion { found: "one that comes".into() });
        let spill =
            Spill { open: &open, settings: &settings.transform, now: SystemTime::UNIX_EPOCH };
        let origin = Origin { session: "test".into(), tool: "read".into(), ..Origin::default() };
        let mut intake = Intake::new(origin, None);
        for chunk in text.as_bytes().chunks(chunk_bytes) {
            intake.write(&spill, chunk);
        }
        match intake.finish(&spill, false).unwrap() {
            IntakeOutcome::Replaced(replacement) => match &replacement.shown[..] {
                [Shown::Text(text)] => text.clone(),
                other => panic!("{other:?}"),
            },
            IntakeOutcome::Whole { .. } => panic!("it is too large to pass whole"),
        }
    }

    /// Takes a text of a call that reads a secret, over a store in a directory.
    fn taken(text: &str, directory: &std::path::Path) -> IntakeOutcome {
        let settings = Settings::default();
        let open = || BlobStore::open(directory, settings.store);
        let now = SystemTime::UNIX_EPOCH;
        let spill = Spill { open: &open, settings: &settings.transform, now };
        let origin = Origin {
            session: "test".into(),
            tool: "read".into(),
            arguments: Some(r#"{"path": ".env"}"#.into()),
            ..Origin::default()
        };
        let mut intake = Intake::new(origin, None);
        text.as_bytes().chunks(60_000).for_each(|chunk| intake.write(&spill, chunk));
        intake.finish(&spill, false).unwrap()
    }

    #[test]
    fn a_streamed_secret_passes_or_is_cut_and_never_meets_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let short: String = (1..=1_500).map(|line| format!("KEY_{line}=hunter2\n")).collect();
        let whole = taken(&short, directory.path());
        assert!(matches!(whole, IntakeOutcome::Whole { bytes, .. } if bytes == short.as_bytes()));
        let long: String = (1..=60_000).map(|line| format!("KEY_{line}=hunter2\n")).collect();
        let IntakeOutcome::Replaced(replacement) = taken(&long, directory.path()) else { panic!() };
        assert!(replacement.handles.is_empty());
        let [Shown::Text(shown)] = &replacement.shown[..] else { panic!() };
        assert!(shown.contains("a rule keeps results of such calls out of the store"), "{shown}");
        assert!(shown.contains("KEY_1=hunter2") && shown.contains("KEY_60000=hunter2"));
        assert!(replacement.store_failure.unwrap().contains(".env"));
        assert_eq!(directory.path().read_dir().unwrap().count(), 0, "something was written");
    }

    #[test]
    fn a_limit_that_the_server_states_counts_for_a_stream_too() {
        let settings = Settings::default();
        let open = || Err(StoreError::FutureVersion { found: "one that comes".into() });
        let spill =
            Spill { open: &open, settings: &settings.transform, now: SystemTime::UNIX_EPOCH };
        let origin = Origin { session: "test".into(), tool: "read".into(), ..Origin::default() };
        let text = "a line of text\n".repeat(4_000);
        for (max_chars, passes) in [(Some(100_000), true), (None, false)] {
            let mut intake = Intake::new(origin.clone(), max_chars);
            intake.write(&spill, text.as_bytes());
            let whole = matches!(intake.finish(&spill, false), Ok(IntakeOutcome::Whole { .. }));
            assert_eq!(whole, passes, "{max_chars:?}");
        }
    }

    #[test]
    fn a_text_that_cannot_be_stored_keeps_head_and_tail_however_it_comes() {
        let text: String = (1..=60_000).map(|line| format!("row {line} «ß»\n")).collect();
        let whole = shown_without_store(&text, text.len());
        for chunk_bytes in [1_000, 65_536, INTAKE_HELD_BYTES, INTAKE_HELD_BYTES + 1, 1 << 20] {
            let shown = shown_without_store(&text, chunk_bytes);
            assert_eq!(shown, whole, "in chunks of {chunk_bytes}");
        }
        for row in [1, 2, 30, 59_990, 60_000] {
            assert!(whole.contains(&format!("\nrow {row} «ß»\n")), "{row} is not in {whole}");
        }
        // What is counted is what is left.
        assert!(whole.contains("; size=828,894 chars, 60,000 lines ("), "{whole}");
        assert!(
            whole.contains("\nShown: of the 320.0 KiB that are left, its start and end: first"),
            "{whole}"
        );
    }
}
