//! What a caller knows of a conversation.

use super::wit;
use crate::search::find::conversation::{Conversation, Shown};
use crate::search::find::external::{ExternalScores, QueryScores};
use crate::search::fingerprint::Fingerprint;

/// Entries of `shown` whose digest is none are left out, as the contract says.
pub(super) fn conversation(conversation: wit::Conversation) -> Conversation {
    let shown = |shown: wit::ShownTool| {
        Some(Shown {
            schema: Fingerprint::parse(&shown.schema)?,
            name: shown.name,
            exact: shown.exact,
            parameters: shown.parameters,
        })
    };
    Conversation {
        visible: conversation.visible,
        shown: conversation.shown.into_iter().filter_map(shown).collect(),
        searches: conversation.searches,
        strict: conversation.strict,
        reveal_first: conversation.reveal_first,
        external: match conversation.outside {
            wit::Outside::None => ExternalScores::None,
            wit::Outside::Failed(why) => ExternalScores::Failed(why),
            wit::Outside::Scores(scores) => ExternalScores::Scores(
                scores
                    .into_iter()
                    .map(|of| QueryScores { query: of.query, scores: of.scores })
                    .collect(),
            ),
        },
    }
}

pub(super) fn shown(shown: Vec<Shown>) -> Vec<wit::ShownTool> {
    let out = |shown: Shown| wit::ShownTool {
        schema: shown.schema.hex(),
        name: shown.name,
        exact: shown.exact,
        parameters: shown.parameters,
    };
    shown.into_iter().map(out).collect()
}
