//! A text that is too large becomes an excerpt: what `weir hook` and `weir run` share. A text that
//! cannot be large is told without opening the component.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use weir_host::Settings;
use weir_host::Weir;
use weir_host::contract::{FinishedResult, Handle, Origin, Part, Transformed};

use super::failure::Failure;

/// Characters from which on results are replaced where nothing is configured. A test holds it equal
/// to the component's own.
const DEFAULT_THRESHOLD: u64 = 12_000;

/// Characters below which no window of context lowers the threshold.
const CONTEXT_FLOOR: u64 = 8_000;

/// The tool that an excerpt names where its origin names no reader.
const OWN_READER: &str = "weir_fetch";

/// Bytes of a file that holds a result which was cut before; more of it is left to the host.
const CUT_MAX_BYTES: u64 = 8 * 1024 * 1024;

/// How often an answer that is too long for a host is made anew, with less room.
const TRIES: u32 = 3;

/// A result to replace, and within which bounds.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    /// Session, tool, arguments, and how the model reads on.
    pub(crate) origin: Origin,
    /// The text.
    pub(crate) content: Content<'a>,
    /// Whether the result reports an error.
    pub(crate) is_error: bool,
    /// Whether the text was cut before it came here, and the rest is nowhere.
    pub(crate) already_cut: bool,
    /// Characters that are enough to be replaced, where that is less than the settings say.
    pub(crate) max_chars: Option<u32>,
    /// The most bytes that the new texts may have together.
    pub(crate) max_bytes: Option<usize>,
    /// Characters that the model would have seen of the result without Weir, where that is known.
    pub(crate) passed_chars: Option<u32>,
    /// Whether a part stands for a result that could not be stored and is too large to be shown whole: else
    /// that is an error, as a host has a way of its own.
    pub(crate) cut_unstored: bool,
}

/// A tool as the reader of an origin; none for the one that excerpts name by themselves.
pub(crate) fn tool_reader(name: &str) -> Option<String> {
    (name != OWN_READER).then(|| format!("tool:{name}"))
}

/// A shell command, to which an id and options are added, as the reader of an origin.
pub(crate) fn shell_reader(command: &str) -> Option<String> {
    Some(format!("shell:{command}"))
}

/// Where a text is.
#[derive(Debug)]
pub(crate) enum Content<'a> {
    /// In memory.
    Texts(Vec<String>),
    /// In a file; all of it.
    File(&'a File),
}

/// The size in bytes up to which no text is ever replaced, as far as the configuration file says
/// without the component. Never too high.
pub(crate) fn never_replaced_bytes(configuration: Option<&Path>) -> u64 {
    let Some(file) = configuration else { return DEFAULT_THRESHOLD };
    let Ok(text) = std::fs::read_to_string(file) else { return 0 };
    let Ok(table) = text.parse::<toml::Table>() else { return 0 };
    let Some(transform) = table.get("transform") else { return DEFAULT_THRESHOLD };
    let number = |key: &str| {
        transform
            .get(key)
            .map(|value| value.as_integer().and_then(|n| u64::try_from(n).ok()).unwrap_or(0))
    };
    let mut least = number("threshold_chars").unwrap_or(DEFAULT_THRESHOLD);
    // A token has a byte at least.
    least = number("threshold_tokens").filter(|tokens| *tokens > 0).map_or(least, |n| least.min(n));
    if number("context_tokens").is_some_and(|tokens| tokens > 0) {
        least = least.min(CONTEXT_FLOOR);
    }
    transform.get("rules").map_or(least, |rules| least.min(least_rule(rules)))
}

/// The lowest threshold of any rule; 0 where one replaces always, or cannot be told.
fn least_rule(rules: &toml::Value) -> u64 {
    let mut least = u64::MAX;
    let mut left = vec![rules];
    while let Some(value) = left.pop() {
        match value {
            toml::Value::Array(items) => left.extend(items),
            toml::Value::Table(members) => left.extend(members.iter().map(|(_, value)| value)),
            toml::Value::Integer(number) => least = least.min(u64::try_from(*number).unwrap_or(0)),
            toml::Value::String(text) if text == "always" => least = 0,
            toml::Value::String(_) => {}
            _ => least = 0,
        }
    }
    least
}

/// The new texts, as many as came or one for all; `None` to leave the result as it is.
pub(crate) fn excerpt(
    wanted: Wanted<'_>,
    weir: Weir,
    mut values: Settings,
) -> Result<Option<Vec<String>>, Failure> {
    if let Some(passed) = wanted.passed_chars {
        // 0 would count all.
        let passed = u64::from(passed.max(1));
        let most = match values.number(CLIENT_MAX) {
            None | Some(0) => passed,
            Some(most) => most.min(passed),
        };
        values.set(CLIENT_MAX, most);
    }
    let threshold = values.number("transform.threshold_chars");
    let max_chars =
        wanted.max_chars.filter(|chars| threshold.is_none_or(|most| u64::from(*chars) < most));
    let weir = weir.with_settings(values.clone());
    // A file of a tool that is never replaced need not be read. Of texts, the transform finds out.
    if matches!(wanted.content, Content::File(_))
        && weir.threshold(&wanted.origin, max_chars)?.is_none()
    {
        return Ok(None);
    }
    let (most, cut_unstored) = (wanted.max_bytes, wanted.cut_unstored);
    if let Some(most) = most {
        limit(&mut values, most);
    }
    let Some(result) = Taken::of(wanted, max_chars)? else { return Ok(None) };
    for _ in 0..TRIES {
        let weir = weir.with_settings(values.clone());
        let replacement = result.transform(&weir)?;
        let unstored = || {
            let why = replacement.store_failure.as_deref().unwrap_or("nothing was stored");
            Failure::usage(why, "`weir doctor` checks the store")
        };
        if !replacement.replaced {
            // Left as it is, which is said where that is for a store that fails.
            return replacement.store_failure.as_ref().map_or(Ok(None), |_| Err(unstored()));
        }
        if replacement.handles.is_empty() && !cut_unstored {
            return Err(unstored());
        }
        let texts: Vec<String> = replacement
            .parts
            .into_iter()
            .filter_map(|part| if let Part::Text(text) = part { Some(text) } else { None })
            .collect();
        let bytes: usize = texts.iter().map(String::len).sum();
        match most {
            Some(most) if bytes > most => {
                // What was asked for again and is too long to pass whole is left as it is, unless new output
                // stands beside it: then each is an excerpt.
                let is_excerpt = |of: &Handle| of.shown_chars.is_some_and(|shown| shown < of.chars);
                if !replacement.handles.is_empty() && !replacement.handles.iter().any(is_excerpt) {
                    return Ok(None);
                }
                values.set(AGAIN, 0);
                let share = handle_max(&values).saturating_mul(most) / bytes;
                limit(&mut values, share * 9 / 10);
            }
            _ => return Ok(Some(texts)),
        }
    }
    Ok(None)
}

/// The most characters that a replacement may have; none where the component's own default holds.
const HANDLE_MAX: &str = "transform.handle_max_chars";

/// How long a result counts as asked for again.
const AGAIN: &str = "transform.again";

const CLIENT_MAX: &str = "transform.client_max_chars";

fn handle_max(values: &Settings) -> usize {
    values.number(HANDLE_MAX).and_then(|chars| usize::try_from(chars).ok()).unwrap_or(usize::MAX)
}

fn limit(values: &mut Settings, chars: usize) {
    values.set(HANDLE_MAX, chars.max(600).min(handle_max(values)) as u64);
}

/// A result as the component takes it.
enum Taken<'a> {
    /// All at once.
    Whole(FinishedResult),
    /// Piece by piece, and whether it reports an error.
    File(Origin, &'a File, bool),
}

impl<'a> Taken<'a> {
    /// `None` for what is too large to be taken in.
    fn of(wanted: Wanted<'a>, max_chars: Option<u32>) -> Result<Option<Taken<'a>>, Failure> {
        let parts = match wanted.content {
            Content::Texts(texts) => texts.into_iter().map(Part::Text).collect(),
            // A result that comes in chunks counts as whole, so what was cut comes at once.
            Content::File(mut file) if wanted.already_cut => {
                file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
                let mut bytes = Vec::new();
                file.take(CUT_MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
                if bytes.len() as u64 > CUT_MAX_BYTES {
                    return Ok(None);
                }
                vec![Part::Text(String::from_utf8_lossy(&bytes).into_owned())]
            }
            Content::File(file) => {
                return Ok(Some(Taken::File(wanted.origin, file, wanted.is_error)));
            }
        };
        Ok(Some(Taken::Whole(FinishedResult {
            origin: wanted.origin,
            parts,
            raw: None,
            is_error: wanted.is_error,
            waits_for_input: false,
            max_chars,
            already_cut: wanted.already_cut,
        })))
    }

    fn transform(&self, weir: &Weir) -> Result<Transformed, Failure> {
        Ok(match self {
            Taken::Whole(result) => weir.transform(result)?,
            Taken::File(origin, file, is_error) => {
                let mut file = *file;
                file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
                weir.transform_reader(origin, file, *is_error)?
            }
        })
    }
}

fn unreadable(source: std::io::Error) -> Failure {
    Failure::Io { what: "cannot read the output".into(), source }
}
