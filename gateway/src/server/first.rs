//! What a client is shown before everything is there: the first list of a fresh installation.
//!
//! Servers may take a minute to start, and the component seconds to compile. The first list comes
//! within a second all the same: with the bridge tools and the servers' names, which is what a client
//! is shown later too. Calls wait for what they need.

use std::time::Duration;

use crate::json::{Json, quote};

use crate::names::{CALL, SEARCH};

/// How long the first list waits for the component.
pub(super) const FIRST_COMPONENT: Duration = Duration::from_millis(300);

/// Characters of server names in a definition.
const NAMES_CHARS: usize = 600;

/// The bridge tools as they are shown while the component is not loaded yet.
pub(super) fn bridge_definitions() -> Vec<Json> {
    let read = r#"{"readOnlyHint":true,"openWorldHint":false}"#;
    let call = r#"{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}"#;
    [
        (
            SEARCH,
            "Find tools that are not in your list. There are many more than you see: search before you say that \
             something cannot be done. Then call them with tool_call. Write keywords, not questions.",
            r#"{"queries":{"type":"array","items":{"type":"string"}}}"#,
            "queries",
            read,
        ),
        (
            "tool_describe",
            "Show the exact JSON Schemas of tools that tool_search found or listed, several at once.",
            r#"{"names":{"type":"array","items":{"type":"string"}}}"#,
            "names",
            read,
        ),
        (
            CALL,
            "Call tools that tool_search found or listed, by their names, with the arguments of their own schemas.",
            r#"{"calls":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"}},"required":["name","arguments"]}}}"#,
            "calls",
            call,
        ),
    ]
    .map(|(name, description, properties, required, annotations)| {
        Json::assembled(format!(
            r#"{{"name":{},"description":{},"inputSchema":{{"type":"object","properties":{properties},"required":[{}]}},"annotations":{annotations},"_meta":{{"anthropic/alwaysLoad":true}}}}"#,
            quote(name),
            quote(description),
            quote(required)
        ))
    })
    .into()
}

/// The tools that read stored results back, as they are shown while the component is not loaded yet.
pub(super) fn own_definitions() -> Vec<Json> {
    vec![Json::assembled(
        r#"{"name":"weir_fetch","description":"Read back a tool result that was too long to show. Its excerpt names the id. Look for what you need with mode grep, or read on with mode range.","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"mode":{"type":"string"},"pattern":{"type":"string"},"start":{"type":"integer"},"count":{"type":"integer"},"unit":{"type":"string"}}},"annotations":{"readOnlyHint":true,"openWorldHint":false},"_meta":{"anthropic/alwaysLoad":true}}"#
            .into(),
    )]
}

/// A bridge tool's definition with the names of the servers in it, where that is the one that searches.
pub(super) fn naming_servers<'a>(definition: Json, servers: impl Iterator<Item = &'a str>) -> Json {
    if definition.text_at(&["name"]).as_deref() != Some(SEARCH) {
        return definition;
    }
    let description = definition.text_at(&["description"]).unwrap_or_default();
    let mut names = String::new();
    let mut left = 0;
    for server in servers {
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
    let text = format!("{description} Servers: {names}{more}.");
    definition.with(&["description"], &quote(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let many: Vec<String> = (0..200).map(|n| format!("server-{n}")).collect();
        let text = with(search, &many).text_at(&["description"]).unwrap();
        assert!(text.contains(" more.") && text.chars().count() < 1_000, "{text}");
    }
}
