//! URIs of files below one another, and what kind a file is.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// The media type of a directory.
pub const DIRECTORY: &str = "inode/directory";

/// Media types by the ends of names.
const TYPES: [(&str, &str); 18] = [
    ("md", "text/markdown"),
    ("txt", "text/plain"),
    ("json", "application/json"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("toml", "application/toml"),
    ("py", "text/x-python"),
    ("js", "text/javascript"),
    ("ts", "text/x-typescript"),
    ("sh", "application/x-sh"),
    ("html", "text/html"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("xml", "application/xml"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("pdf", "application/pdf"),
];

/// The media type of a file, by its name, else by whether it is text.
pub fn media_type(path: &str, bytes: &[u8]) -> &'static str {
    named_type(path).unwrap_or(match std::str::from_utf8(bytes) {
        Ok(_) => "text/plain",
        Err(_) => "application/octet-stream",
    })
}

fn named_type(path: &str) -> Option<&'static str> {
    let (_, end) = path.rsplit_once('.')?;
    let known = TYPES.iter().find(|(known, _)| end.eq_ignore_ascii_case(known))?;
    Some(known.1)
}

/// What is directly in the directory at `uri`, as MCP writes resources, by the URIs of all files; `None` where nothing is.
pub fn children(uri: &str, files: impl Iterator<Item = String>) -> Option<Vec<Value>> {
    let mut found: BTreeMap<String, Value> = BTreeMap::new();
    for file in files {
        let Some(rest) = file.strip_prefix(uri).and_then(|rest| rest.strip_prefix('/')) else {
            continue;
        };
        let (name, kind) = match rest.split_once('/') {
            Some((name, _)) => (name, Some(DIRECTORY)),
            None => (rest, named_type(rest)),
        };
        let child = format!("{uri}/{name}");
        let mut resource = json!({"uri": child, "name": decoded(name)});
        if let Some(kind) = kind {
            resource["mimeType"] = kind.into();
        }
        found.insert(child, resource);
    }
    (!found.is_empty()).then(|| found.into_values().collect())
}

/// A part of a URI as it is without its escapes.
pub fn decoded(part: &str) -> String {
    percent_encoding::percent_decode_str(part).decode_utf8_lossy().into_owned()
}
