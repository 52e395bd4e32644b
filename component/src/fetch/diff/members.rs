//! What changed in a document beside its rows, member by member.

use jaq_json::Val;

use super::{Only, VALUE_CHARS, shown};
use crate::fence::token;
use crate::fetch::query::read::read;
use crate::fetch::query::rows::Rows;
use crate::fetch::query::value;
use crate::source::{ReadError, Source};

/// Bytes of a document without its rows that are compared, and changes that are told.
const BESIDE_BYTES: u64 = 256 * 1024;
const MOST: usize = 2_000;

/// Changes between two documents.
#[derive(Default)]
pub(super) struct Changes {
    /// What became of each member, and in words.
    pub(super) told: Vec<(Only, String)>,
    /// Values that are the same.
    pub(super) same: u64,
}

impl Changes {
    /// Of two values and what is in them.
    pub(super) fn of(old: &Val, new: &Val) -> Changes {
        let mut changes = Changes::default();
        changes.compare(String::new(), old, new);
        changes
    }

    pub(super) fn count(&self, what: Only) -> u64 {
        self.told.iter().filter(|(only, _)| *only == what).count() as u64
    }

    fn push(&mut self, only: Only, words: impl FnOnce() -> String) {
        if self.told.len() < MOST {
            self.told.push((only, words()));
        }
    }

    fn compare(&mut self, path: String, old: &Val, new: &Val) {
        match (old, new) {
            (Val::Obj(a), Val::Obj(b)) => {
                for (key, value) in b.iter() {
                    let path = below(&path, key);
                    match a.get(key) {
                        Some(before) => self.compare(path, before, value),
                        None => self.push(Only::Added, || format!("+ {path}: {}", shown(value))),
                    }
                }
                for (key, value) in a.iter().filter(|(key, _)| !b.contains_key(*key)) {
                    let path = below(&path, key);
                    self.push(Only::Removed, || format!("- {path}: {}", shown(value)));
                }
            }
            (Val::Arr(a), Val::Arr(b)) => {
                for (at, (before, value)) in a.iter().zip(b.iter()).enumerate() {
                    self.compare(format!("{path}[{at}]"), before, value);
                }
                for (at, value) in b.iter().enumerate().skip(a.len()) {
                    self.push(Only::Added, || format!("+ {path}[{at}]: {}", shown(value)));
                }
                for (at, value) in a.iter().enumerate().skip(b.len()) {
                    self.push(Only::Removed, || format!("- {path}[{at}]: {}", shown(value)));
                }
            }
            _ if old == new => self.same += 1,
            _ => self.push(Only::Changed, || {
                let path = if path.is_empty() { "." } else { &path };
                format!("~ {path}: {} -> {}", shown(old), shown(new))
            }),
        }
    }
}

/// The path of a member of what is at a path.
fn below(path: &str, key: &Val) -> String {
    let name = value::clipped(key, VALUE_CHARS);
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match is_plain {
        true => format!("{path}.{name}"),
        false => format!("{path}.[{}]", token(&name, VALUE_CHARS)),
    }
}

/// A document without its rows, which begin at a byte and were read to their end; nothing where it is too large.
pub(super) fn beside(
    source: &dyn Source,
    rows: &Rows<'_>,
    start: u64,
) -> Result<Option<Val>, ReadError> {
    let end = rows.place().byte;
    if start + source.len().saturating_sub(end) > BESIDE_BYTES {
        return Ok(None);
    }
    let before = source.read_range(0, start)?;
    let behind = source.read_range(end, source.len())?;
    let (before, behind) = (before.trim_ascii_end(), behind.trim_ascii_start());
    let is_around = matches!(
        (before.last(), behind.first()),
        (Some(b'['), Some(b']')) | (Some(b'{'), Some(b'}'))
    );
    Ok(is_around.then(|| read(&[before, behind].concat()).ok()).flatten())
}
