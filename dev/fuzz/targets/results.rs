//! Any text as a result of MCP's `tools/call`: taken apart and put together again, it says the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use serde_json::value::RawValue;
use weir_component::content::mcp::{McpResult, Shown};

fuzz_target!(|text: &str| {
    let result = McpResult::read(text);
    let (parts, _) = result.parts();
    // Half of a surrogate pair passes as it came.
    let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
    if is_json && serde_json::from_str::<Value>(text).is_err() {
        return;
    }
    let Ok(whole) = serde_json::from_str::<Value>(&result.whole()) else { return };
    let left: Vec<Shown> = (0..parts.len()).map(Shown::Left).collect();
    let (rebuilt, from) = result.rebuilt(&left, &parts);
    let rebuilt: Value = serde_json::from_str(&rebuilt).expect("a rebuilt result is JSON");
    let blocks = rebuilt["content"].as_array().expect("it has a list of blocks");
    assert_eq!(blocks.len(), from.len());
    for (block, from) in blocks.iter().zip(from) {
        if let Some(from) = from {
            assert_eq!(*block, whole["content"][from]);
        }
    }
    let (replaced, _) = result.rebuilt(&[Shown::Text("an excerpt".into())], &parts);
    let replaced: Value = serde_json::from_str(&replaced).expect("a replaced result is JSON");
    assert_eq!(replaced["content"][0]["text"], "an excerpt");
    assert!(replaced.get("structuredContent").is_none());
});
