//! How many tools each server of a catalog has.

use super::definition::ServerState;
use super::tools::Catalog;
use crate::search::text::clean;

/// Characters of what a server is for.
const ABOUT_CHARS: usize = 80;

/// How many tools a server has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCount {
    /// The server, or the origin of tools without one.
    pub name: String,
    /// Its tools in the catalog.
    pub tools: u32,
    /// What it is for, in one clean line; empty when that is not known.
    pub about: String,
    /// Whether they can be called now.
    pub state: ServerState,
}

/// How many tools each server has, by name. A server that is not available is counted too when
/// it has none.
pub fn server_counts(catalog: &Catalog) -> Vec<ServerCount> {
    let mut groups = catalog.groups();
    for server in &catalog.servers {
        if server.state != ServerState::Connected {
            groups.entry(&server.name).or_default();
        }
    }
    let count = |(name, places): (&str, Vec<usize>)| {
        let server = catalog.server(name);
        ServerCount {
            name: clean::label(name).into_owned(),
            tools: places.len() as u32,
            about: server
                .map(|server| clean::first_sentence(&server.description, ABOUT_CHARS))
                .unwrap_or_default(),
            state: server.map(|server| server.state.clone()).unwrap_or_default(),
        }
    };
    groups.into_iter().map(count).collect()
}
