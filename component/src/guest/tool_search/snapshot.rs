//! What a catalog is built from, and what was found about it.

use super::wit;
use crate::search::catalog::definition::{
    Annotations, Origin, Risk, Server, ServerState, Snapshot, ToolDefinition,
};
use crate::search::catalog::tools::{Diagnostic, Issue};

pub(super) fn snapshot(snapshot: wit::Snapshot) -> Snapshot {
    Snapshot {
        tools: snapshot.tools.into_iter().map(definition).collect(),
        servers: snapshot.servers.into_iter().map(server).collect(),
    }
}

fn definition(tool: wit::ToolDefinition) -> ToolDefinition {
    ToolDefinition {
        name: tool.name,
        title: tool.title,
        description: tool.description,
        input_schema: tool.input_schema,
        annotations: Annotations {
            read_only: tool.annotations.read_only,
            destructive: tool.annotations.destructive,
            idempotent: tool.annotations.idempotent,
            open_world: tool.annotations.open_world,
        },
        server: tool.server,
        origin: match tool.origin {
            wit::ToolOrigin::Core => Origin::Core,
            wit::ToolOrigin::Mcp => Origin::Mcp,
            wit::ToolOrigin::Plugin => Origin::Plugin,
            wit::ToolOrigin::Skill => Origin::Skill,
        },
        tags: tool.tags,
        aliases: tool.aliases,
        phrases: Vec::new(),
        pinned: tool.pinned,
    }
}

fn server(server: wit::ServerInfo) -> Server {
    Server {
        name: server.name,
        description: server.description,
        trusted: server.trusted,
        state: match server.state {
            wit::ServerState::Connected => ServerState::Connected,
            wit::ServerState::Cold => ServerState::Cold,
            wit::ServerState::Unavailable(reason) => ServerState::Unavailable(reason),
        },
    }
}

pub(super) fn server_state(state: ServerState) -> wit::ServerState {
    match state {
        ServerState::Connected => wit::ServerState::Connected,
        ServerState::Cold => wit::ServerState::Cold,
        ServerState::Unavailable(reason) => wit::ServerState::Unavailable(reason),
    }
}

pub(super) fn origin(origin: Origin) -> wit::ToolOrigin {
    match origin {
        Origin::Core => wit::ToolOrigin::Core,
        Origin::Mcp => wit::ToolOrigin::Mcp,
        Origin::Plugin => wit::ToolOrigin::Plugin,
        Origin::Skill => wit::ToolOrigin::Skill,
    }
}

pub(super) fn annotations(claims: Annotations) -> wit::ToolAnnotations {
    wit::ToolAnnotations {
        read_only: claims.read_only,
        destructive: claims.destructive,
        idempotent: claims.idempotent,
        open_world: claims.open_world,
    }
}

pub(super) fn risk(risk: Risk) -> wit::Risk {
    match risk {
        Risk::ReadOnly => wit::Risk::ReadOnly,
        Risk::Writes => wit::Risk::Writes,
        Risk::Destructive => wit::Risk::Destructive,
        Risk::OpenWorld => wit::Risk::OpenWorld,
        Risk::Unknown => wit::Risk::Unknown,
    }
}

pub(super) fn diagnostic(diagnostic: Diagnostic) -> wit::Diagnostic {
    wit::Diagnostic {
        server: diagnostic.server,
        name: diagnostic.name,
        id: diagnostic.id,
        issue: match diagnostic.issue {
            Issue::Nameless => wit::ToolIssue::Nameless,
            Issue::Repeated => wit::ToolIssue::Repeated,
            Issue::Renamed => wit::ToolIssue::Renamed,
            Issue::Reserved => wit::ToolIssue::Reserved,
            Issue::Confusable(other) => wit::ToolIssue::Confusable(other),
            Issue::UnreadableSchema(why) => wit::ToolIssue::UnreadableSchema(why.to_string()),
            Issue::LongDescription(chars) => wit::ToolIssue::LongDescription(chars),
            Issue::ManyLabels(count) => wit::ToolIssue::ManyLabels(count),
            Issue::UnusualName => wit::ToolIssue::UnusualName,
            Issue::Suspicious(text, what) => wit::ToolIssue::Suspicious((text, what)),
        },
    }
}
