//! Tool search alone: the file of the world `tools`, without any directory.
//!
//! ```sh
//! cargo xtask component --world tools
//! cargo run --package weir-host --example tools --no-default-features -- target/component/weir-tools.wasm
//! ```
#![allow(clippy::print_stdout, reason = "it is a command")]

use std::path::PathBuf;

use weir_host::contract::{Conversation, Snapshot, ToolDefinition};
use weir_host::{ComponentSource, Weir};

/// What a model is shown when it searches these tools.
pub(crate) fn run(component: PathBuf, query: &str) -> Result<String, Box<dyn std::error::Error>> {
    let weir = Weir::builder().component(ComponentSource::File(component)).open_without_store()?;
    let tool = |name: &str, description: &str| ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: r#"{"type": "object", "properties": {"path": {"type": "string"}}}"#
            .to_owned(),
        server: "files".to_owned(),
        ..ToolDefinition::default()
    };
    let tools = vec![
        tool("read_file", "Reads a file."),
        tool("list_directory", "Lists what is in a directory."),
        tool("delete_file", "Deletes a file for good."),
    ];
    let catalog = weir.catalog(Snapshot { tools, servers: Vec::new() })?;
    let arguments = format!(r#"{{"query": "{query}"}}"#);
    let answer = catalog.invoke("tool_search", &arguments, &Conversation::default())?;
    Ok(answer.text.unwrap_or_default())
}

#[allow(dead_code, reason = "a test calls `run`")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let component = std::env::args_os().nth(1).ok_or("the component's file is needed")?;
    println!("{}", run(component.into(), "remove a document")?);
    Ok(())
}
