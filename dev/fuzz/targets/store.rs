//! Files of a store with any bytes in them: a read gives what was stored or says that it is damaged.
//!
//! The first three bytes say which file, where in it, and how much of it is written over.

#![no_main]

use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use weir_fuzz::Store;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        folder.read_dir().expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

fuzz_target!(|input: (u8, u8, bool, &[u8])| {
    let (which, place, cuts, bytes) = input;
    let store = Store::new();
    let lines: String = (0..200).map(|n| format!("line {n} of a stored result\n")).collect();
    let (_, id) = store.put(lines.clone()).expect("it is long enough");
    let mut found = Vec::new();
    files(store.dir.path(), &mut found);
    let file = &found[usize::from(which) % found.len()];
    let mut text = std::fs::read(file).expect("a file of the store");
    let at = text.len() * usize::from(place) / 256;
    let end = if cuts { text.len() } else { (at + bytes.len()).min(text.len()) };
    text.splice(at..end, bytes.iter().copied());
    std::fs::write(file, text).expect("a file of the store");
    let answer =
        store.ask(&json!({"id": id, "mode": "range", "unit": "lines", "start": 1, "count": 200}));
    if !answer.is_error {
        let shown = lines.lines().filter(|line| answer.text.contains(*line)).count();
        assert!(shown > 0, "neither the text nor an error: {}", answer.text);
    }
    store.ask(&json!({"id": id, "mode": "stat"}));
    store.ask(&json!({"mode": "list"}));
    let again = store.put(lines);
    drop(again);
});
