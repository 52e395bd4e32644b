//! Catalogs for tests.

use crate::search::catalog::bridge_tools::BridgeNames;
use crate::search::catalog::build;
use crate::search::catalog::definition::{Annotations, Origin, Snapshot, ToolDefinition};
use crate::search::catalog::tools::Catalog;
use crate::search::find::conversation::Conversation;

pub(crate) fn tool(server: &str, name: &str, description: &str, schema: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: schema.to_owned(),
        server: server.to_owned(),
        origin: if server.is_empty() { Origin::Core } else { Origin::Mcp },
        ..ToolDefinition::default()
    }
}

pub(crate) fn build(tools: Vec<ToolDefinition>) -> Catalog {
    build::build(Snapshot { tools, servers: vec![] }, BridgeNames::default()).unwrap()
}

pub(crate) const ISSUE_SCHEMA: &str = r#"{"type":"object","properties":{"owner":{"type":"string","description":"Who owns the repository"},"repo":{"type":"string"},"title":{"type":"string"},"number":{"type":"integer"},"labels":{"type":"array","items":{"type":"string"}},"state":{"type":"string","enum":["open","closed"]}},"required":["owner","repo"],"additionalProperties":false}"#;

/// Two of the agent's own tools and a few of three servers.
pub(crate) fn small() -> Vec<ToolDefinition> {
    let read_only = Annotations { read_only: Some(true), ..Annotations::default() };
    let deletes = Annotations { destructive: Some(true), ..Annotations::default() };
    let mut tools = vec![
        tool(
            "",
            "terminal",
            "Run a shell command.",
            r#"{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}"#,
        ),
        tool("", "clarify", "Ask the user a question.", "{}"),
        tool("github", "create_issue", "Create an issue in a repository.", ISSUE_SCHEMA),
        tool("github", "list_issues", "List issues of a repository.", ISSUE_SCHEMA),
        tool(
            "github",
            "delete_repository",
            "Delete a repository for ever.",
            r#"{"type":"object","properties":{"owner":{"type":"string"},"repo":{"type":"string"}},"required":["owner","repo"]}"#,
        ),
        tool(
            "calendar",
            "create_event",
            "Create a calendar event.",
            r#"{"type":"object","properties":{"when":{"type":"string"},"guests":{"type":"array","items":{"type":"object","properties":{"email":{"type":"string"}},"required":["email"]}}},"required":["when"]}"#,
        ),
        tool(
            "mail",
            "send_message",
            "Send an e-mail message.",
            r#"{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"}},"required":["to"]}"#,
        ),
    ];
    tools[3].annotations = read_only;
    tools[4].annotations = deletes;
    tools[5].tags = vec!["office".to_owned()];
    tools
}

/// As many tools as asked for on `servers` servers, with schemas of real size.
pub(crate) fn many(count: usize, servers: usize) -> Vec<ToolDefinition> {
    const VERBS: [&str; 10] = [
        "create", "list", "get", "update", "delete", "search", "export", "archive", "share", "move",
    ];
    const THINGS: [&str; 12] = [
        "invoice", "contact", "ticket", "page", "folder", "release", "comment", "campaign",
        "device", "report", "webhook", "member",
    ];
    (0..count)
        .map(|n| {
            let (verb, thing) = (VERBS[n % 10], THINGS[n / 10 % 12]);
            let server = format!("server{:02}", n % servers);
            let name = format!("{verb}_{thing}_{n}");
            let mut properties = serde_json::Map::new();
            for p in 0..6 {
                let text = format!("The {thing}'s property number {p}, as shown in its page; leave it out for the default");
                properties.insert(format!("{thing}_{p}"), serde_json::json!({"type": "string", "description": text}));
            }
            let schema = serde_json::json!({"type": "object", "properties": properties,
                "required": [format!("{thing}_0")]});
            let description = format!("{verb} one {thing} or several of them. Needs access number {n}.");
            tool(&server, &name, &description, &schema.to_string())
        })
        .collect()
}

pub(crate) fn seeing(names: &[&str]) -> Conversation {
    Conversation {
        visible: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Conversation::default()
    }
}
