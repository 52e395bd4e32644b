//! What a search did not go through, and what a client was told of that and of servers.

use std::collections::BTreeSet;

/// Why a server, or a part of its tools, was not searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Why {
    Starting,
    Listing,
    Failed,
    Locked,
    /// It has too many tools.
    Cut,
    /// So many tools wait for the user.
    Waiting(usize),
}

impl Why {
    /// Whether another search is likely to go through it.
    pub(crate) fn is_over_soon(self) -> bool {
        matches!(self, Why::Starting | Why::Listing)
    }
}

/// A server that was not searched, or not all of it.
#[derive(Debug)]
pub(crate) struct Unsearched {
    pub(crate) server: String,
    pub(crate) why: Why,
    pub(crate) text: String,
}

/// What answers to searches told a client, as far as only a change of it is told again.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// What its searches do not go through.
    pub(crate) unsearched: BTreeSet<(String, Why)>,
    /// The list of servers, as JSON.
    pub(crate) servers: String,
}
