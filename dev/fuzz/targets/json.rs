//! JSON edited in place means what the same edit makes of it as a value.
//!
//! The first line is a name; the rest is the document.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use weir_mcp::json;

fn read(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fuzz_target!(|text: &str| {
    let Some((name, text)) = text.split_once('\n') else { return };
    // None of these may fail on what is no JSON.
    let set = json::set(text, &["a", name], "17");
    let removed = json::remove(text, &[name]);
    let sorted = json::sorted(text);
    let _ = (json::items(text), json::members(text), json::string(text));
    let Some(Value::Object(before)) = read(text) else { return };
    // Of a name that stands twice, the one or the other is meant.
    if json::repeated_name(text, &["a", name]).is_some() {
        return;
    }
    let after = read(&set).expect("an edited document is a document");
    if before.get("a").is_none_or(Value::is_object) {
        assert_eq!(after["a"][name], 17);
    } else {
        assert_eq!(after, Value::Object(before.clone()), "nothing is put into what is no object");
    }
    for (key, value) in &before {
        assert!(key == "a" || after[key] == *value, "{key} has changed");
    }
    match removed {
        None => assert!(!before.contains_key(name)),
        Some(removed) => {
            let mut without = before.clone();
            without.remove(name);
            assert_eq!(read(&removed), Some(Value::Object(without)));
        }
    }
    assert_eq!(read(&sorted), Some(Value::Object(before)));
    assert!(json::is_said(&[text.to_owned()], &sorted));
});
