//! What tools without phrases get for not having any.
//!
//! Phrases raise a tool's score for what it does, and a little for much else. Where only some tools have them, the others
//! would lose to these without being any less of what is asked for. So the score of a tool that has fewer than
//! the others is raised by what phrases add to a good hit on average. Where all tools have phrases, or none has, the
//! ranking is the same as without; where few have, there is little to lose against them, and nothing is raised.

use crate::search::index::document::{FIELDS, Field};

/// The share of a good hit's score that phrases add on average; see `dev/training/README.md`.
const GAIN: f32 = 0.09;
/// Words of phrases, stop words left out, that add all of it.
const WORDS: u32 = 8;
/// The share of a catalogue's tools up to which those with phrases cost the others nothing, and from which they cost
/// them all of it.
const FEW: f32 = 0.2;
const MANY: f32 = 0.3;

/// What each tool's score is multiplied by; empty when that is 1 for all of them. `lengths` are the words in each field
/// of each tool.
pub(super) fn allowances(lengths: &[[u32; FIELDS]]) -> Vec<f32> {
    let share =
        |length: &[u32; FIELDS]| length[Field::Phrases as usize].min(WORDS) as f32 / WORDS as f32;
    let shares: Vec<f32> = lengths.iter().map(share).collect();
    let mean = shares.iter().sum::<f32>() / shares.len().max(1) as f32;
    let gain = GAIN * ((mean - FEW) / (MANY - FEW)).clamp(0.0, 1.0);
    if gain == 0.0 || shares.iter().all(|&share| share == shares[0]) {
        return Vec::new();
    }
    shares.into_iter().map(|share| 1.0 + gain * (1.0 - share)).collect()
}

#[cfg(test)]
mod tests {
    use crate::search::index::document::Tool;
    use crate::search::index::inverted::Index;
    use crate::search::rank::score::{Options, rank};

    const PHRASES: [&str; 3] =
        ["shout at the office", "post news for my colleagues today", "spread gossip among staff"];

    /// As many tools, of which some have phrases.
    fn index(with: usize, of: usize) -> Index {
        let names: Vec<String> = (0..of).map(|number| format!("archive_box{number}")).collect();
        let tools = names.iter().enumerate().map(|(at, name)| Tool {
            name,
            description: "Puts a box into the archive.",
            phrases: if at < with { &PHRASES } else { &[] },
            ..Tool::default()
        });
        Index::build(tools)
    }

    #[test]
    fn tools_without_phrases_are_raised_where_many_others_have_some() {
        for (with, of) in [(0, 10), (10, 10), (1, 10), (2, 10), (0, 0)] {
            assert!(index(with, of).allowances.is_empty(), "{with} of {of}");
        }
        let index = index(5, 10);
        assert_eq!(index.allowances[..5], [1.0; 5]);
        assert!(index.allowances[5..].iter().all(|&allowance| allowance > 1.05));
        // What phrases say nothing about is done by a tool without them as well as before.
        let hits = rank(&index, "archive box", Options::default()).hits;
        assert!(hits[0].document >= 5, "{hits:?}");
        // What they say is asked for leads to a tool that has them.
        let hits = rank(&index, "shout at the office", Options::default()).hits;
        assert!(hits[0].document < 5, "{hits:?}");
    }
}
