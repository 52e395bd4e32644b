//! Any program over any document ends with an answer or a sentence.
//!
//! The program ends at the first NUL; the rest is the document.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use weir_fuzz::Store;

fuzz_target!(|text: &str| {
    let Some((program, document)) = text.split_once('\0') else { return };
    let store = Store::new();
    // Long enough to be stored, whatever it is.
    let Some((_, id)) = store.put(format!("{document}{}", " \n".repeat(200))) else { return };
    let answer = store.ask(&json!({"id": id, "mode": "query", "query": program}));
    assert!(answer.text.starts_with("[weir: ") || answer.is_error, "{}", answer.text);
});
