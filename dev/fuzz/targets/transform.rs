//! Any text as a result: its excerpt is within its bound, and following `more` from the start gives every byte back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use weir_fuzz::Store;

fuzz_target!(|text: &str| {
    let store = Store::new();
    let Some((_, id)) = store.put(text.to_owned()) else { return };
    for mode in ["stat", "outline", "full", "head", "tail"] {
        let answer = store.ask(&json!({"id": id, "mode": mode}));
        assert!(!answer.is_error, "{mode}: {}", answer.text);
    }
    for arguments in [
        json!({"id": id, "mode": "grep", "pattern": "e"}),
        json!({"id": id, "mode": "query", "query": "length"}),
        json!({"id": id, "mode": "search", "query": "error name"}),
    ] {
        let answer = store.ask(&arguments);
        assert!(answer.text.starts_with("[weir: ") || answer.is_error, "{}", answer.text);
    }
});
