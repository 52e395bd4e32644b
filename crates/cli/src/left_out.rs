//! Skills in directories that no agent is shown, and why.

use std::path::PathBuf;

use weir_gateway::spec::{Reach, ServerSpec};
use weir_servers::BuiltIn;

/// What is wrong with skills in directories that servers of ours serve: the server, its directories, a sentence.
pub(crate) fn left_out_skills(servers: &[ServerSpec]) -> Vec<(String, PathBuf, String)> {
    let of = |server: &ServerSpec| match &server.reach {
        Reach::BuiltIn(BuiltIn::Skills(directories)) => {
            let problems = weir_servers::skills::problems(directories);
            let first = directories.first().cloned().unwrap_or_default();
            problems.into_iter().map(|why| (server.key.clone(), first.clone(), why)).collect()
        }
        _ => Vec::new(),
    };
    servers.iter().flat_map(of).collect()
}
