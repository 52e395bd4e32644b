//! What a client is shown before everything is there: the first list of a fresh installation.
//!
//! Servers may take a minute to start, and the component seconds to compile. The first list comes
//! in little more than a second all the same, with our own tools and the servers' names, which is what a client
//! is shown later too. Calls wait for what they need.

use std::time::Duration;

use weir_mcp::json::{Json, quote};

use crate::operations::gate::definition;
use crate::search::names::{CALL, DESCRIBE, READER, SEARCH};
use crate::servers::listed::definition_tokens;

/// How long the first list waits for the component.
pub(super) const FIRST_COMPONENT: Duration = Duration::from_millis(300);

/// Characters of server names in a definition.
const NAMES_CHARS: usize = 600;

/// What changes nothing.
const READS: &str = r#"{"readOnlyHint":true,"openWorldHint":false}"#;

/// The bridge tools as the component defines them, but for the listing and skills: for clients that ask while it is being
/// loaded.
pub(super) fn bridge_definitions() -> Vec<Json> {
    [
        (
            SEARCH,
            "Finds tools that are not in your list. Search before you say that something \
             cannot be done. Write English keywords, app action object, as \"github create issue\"; select:NAME,NAME gets tools by name; +word must \
             occur; server:NAME narrows. Call hits with tool_call; where a signature has {..} or … (? is optional), see \
             tool_describe first.",
            r#"{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"}},"limit":{"type":"integer"}},"required":["queries"]}"#,
            READS,
        ),
        (
            DESCRIBE,
            "Shows the JSON Schemas of tools that tool_search found or listed.",
            r#"{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"}}},"required":["names"]}"#,
            READS,
        ),
        (
            CALL,
            "Calls tools that tool_search found or listed. Arguments are checked first; if any are wrong, no call is run.",
            r#"{"type":"object","properties":{"calls":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"}},"required":["name","arguments"]}}},"required":["calls"]}"#,
            r#"{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}"#,
        ),
    ]
    .map(|(name, description, schema, annotations)| definition(name, description, schema, annotations))
    .into()
}

/// The tool that reads stored results back, as the component defines it.
pub(crate) fn reader_definition() -> Json {
    definition(
        READER,
        "Reads more of a cut result, as its excerpt says; mode help tells all.",
        r#"{"type":"object","properties":{"id":{"type":"string"},"mode":{"type":"string"},"pattern":{"type":"string"}}}"#,
        r#"{"title":"Read a stored tool result","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}"#,
    )
}

/// Estimated tokens of the one definition of ours that a client is shown in every mode, `weir_fetch`.
pub fn own_tokens() -> u64 {
    definition_tokens(&reader_definition())
}

/// A bridge tool's definition with the names of the servers in it that are not listed, where that is the one that searches.
pub(super) fn naming_servers<'a>(definition: Json, servers: impl Iterator<Item = &'a str>) -> Json {
    if definition.text_at(&["name"]).as_deref() != Some(SEARCH) {
        return definition;
    }
    let description = definition.text_at(&["description"]).unwrap_or_default();
    let mut names = String::new();
    let mut left = 0;
    // The listing has a line for each server whose tools are known.
    for server in servers.filter(|server| !description.contains(&format!("\n{server} ("))) {
        if left > 0 || names.chars().count() + server.chars().count() > NAMES_CHARS {
            left += 1;
            continue;
        }
        names.push_str(if names.is_empty() { "" } else { ", " });
        names.push_str(server);
    }
    if names.is_empty() {
        return definition;
    }
    let more = if left > 0 { format!(" and {left} more") } else { String::new() };
    let apart = if description.contains('\n') { '\n' } else { ' ' };
    let text = format!("{description}{apart}Servers: {names}{more}.");
    definition.with(&["description"], &quote(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a client is shown at first is what it is shown later: the texts here are the component's.
    #[test]
    fn the_definitions_are_those_of_the_component() {
        let dir = tempfile::tempdir().unwrap();
        let weir = weir_host::Weir::open(dir.path()).unwrap();
        let of = |tool: &weir_host::contract::ModelTool| {
            definition(&tool.name, &tool.description, &tool.input_schema, &tool.annotations)
        };
        let read: Vec<Json> = weir.result_tools().unwrap().iter().map(of).collect();
        assert_eq!(read, [reader_definition()]);
        let catalog = weir
            .catalog(weir_host::contract::Snapshot { tools: Vec::new(), servers: Vec::new() })
            .unwrap();
        let bridge: Vec<Json> = catalog.bridge_tools().unwrap().iter().map(of).collect();
        assert_eq!(bridge, bridge_definitions());
        // What the choice of a mode takes them for.
        let tokens: u64 =
            bridge.iter().chain(&read).map(crate::servers::listed::definition_tokens).sum();
        assert!(tokens.abs_diff(crate::search::worth::BRIDGE) < 40, "{tokens}");
    }

    #[test]
    fn names_of_servers_are_said_where_one_searches_and_are_bounded() {
        let [search, describe, call] = &bridge_definitions()[..] else { panic!() };
        let with = |definition: &Json, names: &[String]| {
            naming_servers(definition.clone(), names.iter().map(String::as_str))
        };
        let few = ["git".to_owned(), "mail".to_owned()];
        assert!(with(search, &few).as_str().contains("Servers: git, mail.\""));
        assert_eq!(with(describe, &few), *describe);
        assert_eq!(with(call, &few), *call);
        assert_eq!(with(search, &[]), *search);
        let listing = search.with(&["description"], &quote("Finds.\n\n9 tools.\ngit (9): log"));
        let text = with(&listing, &few).text_at(&["description"]).unwrap();
        assert!(text.ends_with("log\nServers: mail."), "{text}");
        let many: Vec<String> = (0..200).map(|n| format!("server-{n}")).collect();
        let text = with(search, &many).text_at(&["description"]).unwrap();
        assert!(text.contains(" more.") && text.chars().count() < 1_000, "{text}");
    }
}
