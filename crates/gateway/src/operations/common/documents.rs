//! The documents that gateways have in common, in one state directory: which they are, and how two changes become one.
//!
//! [`Base`] has each as all have it: what differs from that was changed here. An empty text is a document that is not
//! there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use serde_json::{Map, Value};
use weir_base::private::{self, locked};

/// The document with counts.
pub(super) const COUNTS: &str = "stats.json";
/// What digests of servers' entries are made with: bytes.
const SERVERS_KEY: &str = "servers/key";
/// Folders that have documents.
const FOLDERS: [&str; 4] = ["", "servers/", "logins/", "approvals/"];
/// Bytes of a document; a longer one stays here.
const MAX_BYTES: u64 = 16 << 20;

/// Documents as all have them, after the numbers of their last changes.
pub(super) type Base = BTreeMap<String, (u64, String)>;

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
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `None` for what belongs to one gateway, or is no name of a document.
fn kind(document: &str) -> Option<Kind> {
    let (folder, file) = document.rsplit_once('/').unwrap_or(("", document));
    let (stem, end) = file.split_once('.').unwrap_or((file, ""));
    let hashed = is_hex(stem);
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

/// Whether gateways have it in common.
pub(super) fn is_one(document: &str) -> bool {
    kind(document).is_some()
}

fn read(state: &Path, document: &str) -> io::Result<String> {
    let path = state.join(document);
    let found = fs::metadata(&path).and_then(|meta| match meta.len() > MAX_BYTES {
        true => Err(ErrorKind::FileTooLarge.into()),
        false => fs::read(path),
    });
    match found {
        // Every byte a character.
        Ok(bytes) if document == SERVERS_KEY => Ok(bytes.into_iter().map(char::from).collect()),
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

fn write(state: &Path, document: &str, text: &str) -> io::Result<()> {
    let path = state.join(document);
    if text.is_empty() {
        return fs::remove_file(path).or_else(|error| match error.kind() {
            ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        });
    }
    private::replace(&path, |file| match document {
        SERVERS_KEY => file.write_all(&text.chars().map(|byte| byte as u8).collect::<Vec<_>>()),
        _ => file.write_all(text.as_bytes()),
    })
}

/// Takes over a change that another gateway made. Whether the document is another one here now.
pub(super) fn take(
    state: &Path,
    base: &mut Base,
    document: &str,
    theirs: (u64, String),
) -> io::Result<bool> {
    // A later version may have others.
    let Some(kind) = kind(document) else { return Ok(false) };
    let (known, before) = base.get(document).cloned().unwrap_or_default();
    // Another gateway of this machine took it over, or an old one was put in its place.
    if theirs.0 <= known {
        return Ok(false);
    }
    let _lock = match kind {
        Kind::Whole => None,
        Kind::Entries | Kind::Counts => Some(locked(&state.join(document).with_extension("lock"))?),
    };
    let ours = read(state, document)?;
    let new = match ours == before || kind == Kind::Whole {
        true => theirs.1.clone(),
        false => merged_text(kind, &before, &ours, &theirs.1),
    };
    if new != ours {
        write(state, document, &new)?;
    }
    base.insert(document.to_owned(), theirs);
    Ok(new != ours)
}

/// Documents that were changed here, with their texts. One that cannot be read stays here.
pub(super) fn differing(state: &Path, base: &Base) -> Vec<(String, String)> {
    let mut names: BTreeSet<String> = base.keys().cloned().collect();
    for folder in FOLDERS {
        for entry in fs::read_dir(state.join(folder)).into_iter().flatten().flatten() {
            let name = format!("{folder}{}", entry.file_name().to_string_lossy());
            names.extend(Some(name).filter(|name| is_one(name)));
        }
    }
    let read = names.into_iter().filter_map(|name| Some((read(state, &name).ok()?, name)));
    read.map(|(text, name)| (name, text))
        .filter(|(name, text)| base.get(name).map_or("", |(_, before)| before) != text)
        .collect()
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
        let (state, mut base) = (folder.path(), Base::new());
        let login = "logins/ab12.sealed";
        write(state, login, "one").unwrap();
        write(state, SERVERS_KEY, "\0\u{ff}\u{10}").unwrap();
        assert_eq!(fs::read(state.join(SERVERS_KEY)).unwrap(), [0, 255, 16]);
        let told = differing(state, &base);
        let [one, key] = [(login, "one"), (SERVERS_KEY, "\0\u{ff}\u{10}")];
        assert_eq!(told, [one, key].map(|(name, text)| (name.to_owned(), text.to_owned())));
        base.extend(told.into_iter().map(|(name, text)| (name, (1, text))));
        assert!(differing(state, &base).is_empty());
        let take = |base: &mut Base, number, theirs: &str| {
            take(state, base, login, (number, theirs.to_owned())).unwrap()
        };
        assert!(take(&mut base, 3, "two") && !take(&mut base, 3, "two"));
        assert!(!take(&mut base, 2, "one"), "an old one is none");
        assert_eq!(
            (read(state, login).unwrap().as_str(), differing(state, &base).len()),
            ("two", 0)
        );
        // Removed, here and there.
        fs::remove_file(state.join(login)).unwrap();
        assert_eq!(differing(state, &base), [(login.to_owned(), String::new())]);
        write(state, login, "two").unwrap();
        assert!(take(&mut base, 4, "") && !state.join(login).exists());
        assert_eq!(base[login], (4, String::new()));
        assert!(!super::take(state, &mut base, "../x", (5, "text".to_owned())).unwrap());
    }
}
