//! The documents that gateways have in common, in one state directory: which they are, and how two changes become one.
//!
//! `common/<log>/` there has each as it is in the log, after the number of its last change. What differs from that was
//! changed here. An empty text is a document that is not there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use serde_json::{Map, Value};
use weir_base::private::{self, locked};
use weir_base::{Mutex, hex};

/// The document with counts.
pub(super) const COUNTS: &str = "stats.json";
/// What digests of servers' entries are made with: bytes.
const SERVERS_KEY: &str = "servers/key";
/// Folders that have documents.
const FOLDERS: [&str; 4] = ["", "servers/", "logins/", "approvals/"];
/// Bytes of a document; a longer one stays here.
const MAX_BYTES: u64 = 16 << 20;

/// Tells whether a file is another one.
pub(super) type Stamp = Option<(SystemTime, u64)>;

/// What becomes of a document that two changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The first counts.
    Whole,
    /// What both added is there, and what either removed is not.
    Entries,
    /// The same, and numbers are sums.
    Counts,
}

pub(super) fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `None` for what belongs to one gateway, or is no name of a document.
fn kind(document: &str) -> Option<Kind> {
    let (folder, file) = document.rsplit_once('/').unwrap_or(("", document));
    let (stem, end) = file.split_once('.').unwrap_or((file, ""));
    let hashed = is_hex(stem) && !stem.is_empty();
    match (folder, end) {
        ("", _) if document == COUNTS => Some(Kind::Counts),
        ("", "json") if ["approvals", "learnt", "phrases"].contains(&stem) => Some(Kind::Entries),
        ("servers", "approved.json") if hashed => Some(Kind::Entries),
        ("servers", "json") | ("logins", "json" | "sealed") if hashed => Some(Kind::Whole),
        ("approvals", "json" | "answer") if hashed => Some(Kind::Whole),
        _ if document == SERVERS_KEY => Some(Kind::Whole),
        _ => None,
    }
}

#[derive(Debug)]
pub(super) struct Documents {
    state: PathBuf,
    /// Of the log, once that has a name.
    told: OnceLock<PathBuf>,
    /// The last changes, and of when that folder was.
    changes: Mutex<(Option<SystemTime>, BTreeMap<String, u64>)>,
}

impl Documents {
    pub(super) fn new(state: &Path) -> Documents {
        Documents { state: state.to_owned(), told: OnceLock::new(), changes: Mutex::default() }
    }

    pub(super) fn open(&self, log: &str) {
        self.told.get_or_init(|| self.state.join("common").join(log));
    }

    /// Holds off other gateways of this machine.
    pub(super) fn hold(&self) -> io::Result<File> {
        locked(&self.state.join("common/lock"))
    }

    fn told(&self, document: &str) -> io::Result<PathBuf> {
        let folder = self.told.get().ok_or(ErrorKind::NotFound)?;
        Ok(folder.join(document.replace('/', "~")))
    }

    /// The document as it is in the log, and the number of its last change there.
    fn in_log(&self, document: &str) -> io::Result<(u64, String)> {
        let text = text_of(&self.told(document)?)?;
        let (number, text) = text.split_once('\n').unwrap_or(("0", ""));
        Ok((number.parse().unwrap_or(0), text.to_owned()))
    }

    /// Notes that it is so in the log.
    pub(super) fn is_told(&self, document: &str, number: u64, text: &str) -> io::Result<()> {
        self.changes.lock().0 = None;
        private::replace(&self.told(document)?, |file| write!(file, "{number}\n{text}"))
    }

    /// The last change of each document.
    pub(super) fn changes(&self) -> io::Result<BTreeMap<String, u64>> {
        use io::BufRead as _;
        let mut changes = BTreeMap::new();
        let folder = self.told.get().ok_or(ErrorKind::NotFound)?;
        weir_base::create_private_dir(folder)?;
        let now = fs::metadata(folder)?.modified()?;
        if self.changes.lock().0 == Some(now) {
            return Ok(self.changes.lock().1.clone());
        }
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().replace('~', "/");
            if kind(&name).is_some() {
                let mut number = String::new();
                io::BufReader::new(File::open(entry.path())?).read_line(&mut number)?;
                changes.insert(name, number.trim().parse().unwrap_or(0));
            }
        }
        *self.changes.lock() = (Some(now), changes.clone());
        Ok(changes)
    }

    fn path(&self, document: &str) -> PathBuf {
        self.state.join(document)
    }

    fn read(&self, document: &str) -> io::Result<String> {
        match document {
            SERVERS_KEY => Ok(hex(&fs::read(self.path(document)).unwrap_or_default())),
            _ => text_of(&self.path(document)),
        }
    }

    fn write(&self, document: &str, text: &str) -> io::Result<()> {
        let path = self.path(document);
        if text.is_empty() {
            return fs::remove_file(path).or_else(|error| match error.kind() {
                ErrorKind::NotFound => Ok(()),
                _ => Err(error),
            });
        }
        private::replace(&path, |file| match document {
            SERVERS_KEY => file.write_all(&bytes_of(text)),
            _ => file.write_all(text.as_bytes()),
        })?;
        Ok(())
    }

    /// Takes over a change that another gateway made. Whether the document is another one here now.
    pub(super) fn take(&self, document: &str, number: u64, theirs: &str) -> io::Result<bool> {
        // A later version may have others.
        let Some(kind) = kind(document) else { return Ok(false) };
        let path = self.path(document);
        let _lock = match kind {
            Kind::Whole => None,
            Kind::Entries | Kind::Counts => Some(locked(&path.with_extension("lock"))?),
        };
        let (ours, (_, before)) = (self.read(document)?, self.in_log(document)?);
        let new = match ours == before || kind == Kind::Whole {
            true => theirs.to_owned(),
            false => merged_text(kind, &before, &ours, theirs),
        };
        if new != ours {
            self.write(document, &new)?;
        }
        self.is_told(document, number, theirs)?;
        Ok(new != ours)
    }

    /// Documents that were changed here, with their texts. `same` has those that were not when they were looked at last.
    pub(super) fn differing(
        &self,
        same: &mut BTreeMap<String, Stamp>,
        known: impl Iterator<Item = String>,
    ) -> io::Result<Vec<(String, String, Stamp)>> {
        let mut names: BTreeSet<String> = known.collect();
        for folder in FOLDERS {
            for entry in fs::read_dir(self.state.join(folder)).into_iter().flatten().flatten() {
                let name = format!("{folder}{}", entry.file_name().to_string_lossy());
                names.extend(kind(&name).map(|_| name));
            }
        }
        let mut differing = Vec::new();
        for name in names {
            let meta = fs::metadata(self.path(&name));
            let stamp = meta.and_then(|meta| Ok((meta.modified()?, meta.len()))).ok();
            if same.get(&name) == Some(&stamp) {
                continue;
            }
            match self.read(&name) {
                Ok(text) if text != self.in_log(&name)?.1 => differing.push((name, text, stamp)),
                Ok(_) => drop(same.insert(name, stamp)),
                Err(error) => {
                    tracing::warn!("{name} of the state directory stays here: {error}");
                    same.insert(name, stamp);
                }
            }
        }
        Ok(differing)
    }
}

fn text_of(path: &Path) -> io::Result<String> {
    match fs::metadata(path) {
        Ok(meta) if meta.len() > MAX_BYTES => Err(ErrorKind::FileTooLarge.into()),
        Ok(_) => fs::read_to_string(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

fn bytes_of(digits: &str) -> Vec<u8> {
    let two = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).filter_map(two).collect()
}

fn merged_text(kind: Kind, before: &str, ours: &str, theirs: &str) -> String {
    let [before, ours, theirs] =
        [before, ours, theirs].map(|text| serde_json::from_str(text).unwrap_or(Value::Null));
    match merged(kind, "", &before, &ours, &theirs) {
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

/// Both changes of a value; `Null` is one that is not there.
fn merged(kind: Kind, name: &str, before: &Value, ours: &Value, theirs: &Value) -> Value {
    let (ours_by_name, theirs_by_name) = (by_name(ours), by_name(theirs));
    match (ours, theirs) {
        _ if ours == before => theirs.clone(),
        _ if theirs == before => ours.clone(),
        (Value::Object(ours), Value::Object(theirs)) => {
            Value::Object(merged_members(kind, before.as_object(), ours, theirs))
        }
        (Value::Number(_), Value::Number(_)) if kind == Kind::Counts => {
            let [before, ours, theirs] =
                [before, ours, theirs].map(|value| value.as_i64().unwrap_or(0));
            match name {
                "since" => ours.min(theirs),
                "slowest_millis" | "read_whole_bytes" | "whole_up_to" => ours.max(theirs),
                "listed_servers" => theirs,
                _ => theirs.saturating_add(ours.saturating_sub(before)),
            }
            .into()
        }
        _ => match (ours_by_name, theirs_by_name) {
            (Some(ours), Some(theirs)) => {
                let all = merged_members(kind, by_name(before).as_ref(), &ours, &theirs);
                let mut all: Vec<Value> = all.into_iter().map(|(_, value)| value).collect();
                // Of phrases the newest come first.
                all.sort_by_key(|it| std::cmp::Reverse(it.get("last").and_then(Value::as_u64)));
                Value::Array(all)
            }
            _ if ours.is_null() => Value::Null,
            _ => theirs.clone(),
        },
    }
}

fn merged_members(
    kind: Kind,
    before: Option<&Map<String, Value>>,
    ours: &Map<String, Value>,
    theirs: &Map<String, Value>,
) -> Map<String, Value> {
    let names: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let of = |members: Option<&Map<String, Value>>, name: &String| {
        members.and_then(|members| members.get(name)).cloned().unwrap_or_default()
    };
    let merged = names.into_iter().map(|name| {
        let [before, ours, theirs] =
            [before, Some(ours), Some(theirs)].map(|members| of(members, name));
        (name.clone(), merged(kind, name, &before, &ours, &theirs))
    });
    merged.filter(|(_, value)| !value.is_null()).collect()
}

/// The items of a list by what names each; `None` for anything else.
fn by_name(value: &Value) -> Option<Map<String, Value>> {
    let item = |item: &Value| {
        let name = ["id", "phrase"].iter().find_map(|key| item.get(key)?.as_str())?;
        Some((name.to_owned(), item.clone()))
    };
    value.as_array()?.iter().map(item).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_documents_are_documents() {
        let digits = "0123456789abcdef";
        for (name, expected) in [
            ("stats.json", Some(Kind::Counts)),
            ("approvals.json", Some(Kind::Entries)),
            ("servers/key", Some(Kind::Whole)),
            (&format!("servers/{digits}.json"), Some(Kind::Whole)),
            (&format!("servers/{digits}.approved.json"), Some(Kind::Entries)),
            (&format!("servers/{digits}.seen.json"), None),
            (&format!("logins/{digits}.sealed"), Some(Kind::Whole)),
            (&format!("logins/{digits}.lock"), None),
            (&format!("approvals/{digits}.answer"), Some(Kind::Whole)),
            ("approvals/.tmpAb12.json", None),
            ("../servers/key", None),
            ("logins/../x.json", None),
            ("/logins/ab.json", None),
            ("servers.json", None),
            ("logins/.json", None),
            ("", None),
        ] {
            assert_eq!(kind(name), expected, "{name}");
        }
    }

    #[test]
    fn what_both_changed_is_merged_and_what_one_removed_stays_removed() {
        let all = |kind, before: Value, ours: Value, theirs: Value| {
            merged(kind, "", &before, &ours, &theirs)
        };
        let approved =
            [json!({"a": "1", "b": "1"}), json!({"a": "2", "b": "1"}), json!({"c": "1"})];
        let [before, ours, theirs] = approved;
        assert_eq!(all(Kind::Entries, before, ours, theirs), json!({"c": "1"}), "a was taken back");
        let [x, y, z] = ["x", "y", "z"].map(|id| json!({"id": id}));
        assert_eq!(
            all(Kind::Entries, json!([x]), json!([x, y]), json!([z])),
            json!([y, z]),
            "x was taken back there while y was added here"
        );
        assert_eq!(all(Kind::Entries, Value::Null, json!([x]), json!([z])), json!([x, z]));
        let phrases = |last: &[u64]| {
            let of = |last: &u64| json!({"phrase": format!("p{last}"), "last": last});
            json!({"users": {"": {"s": {"t": last.iter().map(of).collect::<Vec<_>>()}}}})
        };
        assert_eq!(
            all(Kind::Entries, phrases(&[5]), phrases(&[9, 5]), phrases(&[7, 5])),
            phrases(&[9, 7, 5])
        );
        let counts = |calls: u64, slowest: u64, since: u64| json!({"since": since, "s": {"calls": calls, "slowest_millis": slowest}});
        assert_eq!(
            all(Kind::Counts, counts(10, 5, 3), counts(14, 9, 3), counts(11, 7, 2)),
            counts(15, 9, 2)
        );
        assert_eq!(all(Kind::Counts, counts(10, 5, 3), counts(14, 9, 3), Value::Null), Value::Null);
    }

    #[test]
    fn a_change_is_told_once_and_one_that_was_taken_over_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let documents = Documents::new(folder.path());
        documents.open("ab");
        let mut same = BTreeMap::new();
        let mut differing = || {
            let known = documents.changes().unwrap().into_keys();
            let found = documents.differing(&mut same, known).unwrap();
            found.into_iter().map(|(name, text, _)| (name, text)).collect::<Vec<_>>()
        };
        let login = "logins/ab12.sealed".to_owned();
        documents.write(&login, "one").unwrap();
        documents.write(SERVERS_KEY, "00ff10").unwrap();
        assert_eq!(fs::read(documents.path(SERVERS_KEY)).unwrap(), [0, 255, 16]);
        let told = differing();
        assert_eq!(
            told,
            [(login.clone(), "one".to_owned()), (SERVERS_KEY.into(), "00ff10".into())]
        );
        for (at, (name, text)) in told.iter().enumerate() {
            documents.is_told(name, at as u64 + 1, text).unwrap();
        }
        assert!(differing().is_empty());
        assert!(
            documents.take(&login, 3, "two").unwrap() && !documents.take(&login, 3, "two").unwrap()
        );
        assert_eq!((documents.read(&login).unwrap().as_str(), differing().len()), ("two", 0));
        // Removed, here and there.
        fs::remove_file(documents.path(&login)).unwrap();
        assert_eq!(differing(), [(login.clone(), String::new())]);
        documents.write(&login, "two").unwrap();
        assert!(documents.take(&login, 4, "").unwrap() && !documents.path(&login).exists());
        assert_eq!(documents.changes().unwrap()[&login], 4);
        assert!(!documents.take("../x", 5, "text").unwrap());
    }
}
