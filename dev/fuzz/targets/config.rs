//! An agent's configuration with a server put in and taken out: it means what it meant, or the edit is refused.
//!
//! The first byte says the format.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weir_agents::config::{Edit, Format, Node};

fuzz_target!(|input: (u8, &str)| {
    let (format, text) = input;
    let format = [Format::Json, Format::Toml, Format::Yaml][usize::from(format) % 3];
    let server = Node::Map(vec![
        ("command".into(), Node::Text("weir".into())),
        ("args".into(), Node::List(vec![Node::Text("serve".into())])),
    ]);
    let edit = Edit::new().set(["mcpServers", "weir"], server.clone());
    let Ok(edited) = edit.apply(format, text) else { return };
    let now = format.read(&edited).expect("an edited file can be read");
    assert!(
        now.at(&["mcpServers", "weir"]).is_some_and(|found| found.to_value() == server.to_value())
    );
    // An empty file is read as an empty object.
    let before = format.read(text).expect("a file that was edited could be read");
    let back = edit.inverse(&before, &now);
    // A form that cannot be edited by lines is refused, never changed into something else.
    let Ok(restored) = back.apply(format, &edited) else { return };
    let after = format.read(&restored).expect("a restored file can be read");
    // A folder of servers that was made for ours may stay, empty.
    let servers = after.at(&["mcpServers"]).map(Node::to_value);
    let mut before = before.to_value();
    if before.is_null() {
        before = serde_json::json!({});
    }
    if before.get("mcpServers").is_none() && servers == Some(serde_json::json!({})) {
        before["mcpServers"] = serde_json::json!({});
    }
    assert_eq!(after.to_value(), before);
});
