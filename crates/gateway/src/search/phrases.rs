//! What users call the tools: phrases from the configuration, from a file, and learnt from use. They count when
//! tools are ranked, and are never shown.

pub mod learnt;
pub mod written;

use std::collections::BTreeMap;

use crate::search::catalog::Tool;
use crate::search::glob::glob_matches;

/// Phrases by server and the server's own name of the tool.
pub type ByTool = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Phrases beside those of the configuration.
#[derive(Debug, Clone, Default)]
pub struct Phrases {
    /// By the fingerprint of a tool, from a file.
    pub written: BTreeMap<String, Vec<String>>,
    /// What one user's searches taught.
    pub learnt: ByTool,
}

impl Phrases {
    /// All phrases of a tool, those that somebody wrote for it first.
    pub fn of(&self, tool: &Tool) -> Vec<String> {
        let configured = &tool.upstream.spec.phrases;
        let configured = configured.iter().filter(|(glob, _)| glob_matches(glob, &tool.own_name));
        let learnt = self.learnt.get(tool.upstream.name()).and_then(|of| of.get(&tool.own_name));
        let written = match self.written.is_empty() {
            true => None,
            false => self.written.get(&written::fingerprint(tool)),
        };
        let mut phrases: Vec<String> = Vec::new();
        let all = configured.map(|(_, phrases)| phrases).chain(written).chain(learnt).flatten();
        for phrase in all {
            if !phrases.contains(phrase) {
                phrases.push(phrase.clone());
            }
        }
        phrases
    }
}
