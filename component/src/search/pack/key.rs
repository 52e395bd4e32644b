//! What tells a public tool again: its own name, and a signature of what it says it does.
//!
//! A server's owner edits descriptions from version to version, so that a digest would hold for one of
//! them only. The signature is sixteen minima of hashed words (MinHash), four bits of each: the share of
//! equal ones estimates how many words two texts have in common.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::search::schema::words::schema_text;
use crate::search::text::clean::first_chars;
use crate::search::text::fold::{fold, words as split};
use crate::search::text::words::{Stems, is_stop_word, words};

/// Characters of a description that the signature is made of: what is edited most is the end.
const DESCRIPTION_CHARS: usize = 600;
/// Minima in a signature.
const MINIMA: u32 = 16;

/// How many of them must be equal for a tool of this name. Servers share names of a word or two
/// (`list_projects`), hardly ever longer ones.
pub fn equal_min(name: &str) -> u32 {
    if split(own(name)).len() < 3 { 6 } else { 4 }
}

/// What a pack knows a tool by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// A hash of the tool's own name, case and punctuation left out.
    pub name: u32,
    /// What its description and its parameters' names say.
    pub signature: u64,
}

/// The part of a [`Key`] that is a name's: of `server__name` and `mcp__server__name` the last part counts.
pub fn name(name: &str) -> u32 {
    xxh3_64_with_seed(fold(own(name)).as_bytes(), 0) as u32
}

fn own(name: &str) -> &str {
    match name.rsplit_once("__") {
        Some((_, own)) if !own.is_empty() => own,
        _ => name,
    }
}

/// The part of a [`Key`] that is a text's.
pub fn signature(description: &str, schema: &str) -> u64 {
    let stems = Stems::new();
    let mut hashes = BTreeSet::new();
    let mut take = |text: &str, seed: u64| {
        words(
            text,
            |_| false,
            |word, _| {
                if !is_stop_word(word) {
                    hashes.insert(xxh3_64_with_seed(stems.stem(word).as_bytes(), seed));
                }
            },
        );
    };
    take(first_chars(description, DESCRIPTION_CHARS), 0);
    take(&schema_text(schema).names, 1);
    if hashes.is_empty() {
        return 0;
    }
    (0..MINIMA).fold(0, |signature, at| {
        let least = hashes.iter().map(|hash| mixed(hash ^ SEEDS[at as usize])).min();
        signature << 4 | (least.unwrap_or_default() & 15)
    })
}

/// How many minima two signatures have in common, of sixteen.
pub fn equal(a: u64, b: u64) -> u32 {
    let differs = a ^ b;
    (0..MINIMA).filter(|at| differs >> (4 * at) & 15 == 0).count() as u32
}

/// SplitMix64's last step.
const fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

const SEEDS: [u64; MINIMA as usize] = {
    let mut seeds = [0; MINIMA as usize];
    let mut at = 0;
    while at < seeds.len() {
        seeds[at] = mixed(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(at as u64 + 1));
        at += 1;
    }
    seeds
};

#[cfg(test)]
mod tests {
    use super::*;

    const DESCRIPTION: &str =
        "Create a new issue in a GitHub repository with a title, labels and assignees.";
    const SCHEMA: &str =
        r#"{"properties":{"owner":{},"repo":{},"title":{},"body":{},"labels":{},"assignees":{}}}"#;

    #[test]
    fn a_name_is_the_same_however_it_is_written_and_whatever_stands_before_it() {
        let all = [
            "create_issue",
            "createIssue",
            "Create-Issue",
            "gh__create_issue",
            "mcp__x__create_issue",
        ];
        assert!(all.iter().all(|other| name(other) == name("create_issue")));
        assert_ne!(name("create_issue"), name("create_issues"));
        assert_eq!(name("odd__"), name("odd"));
        assert_eq!((equal_min("x__listProjects"), equal_min("list_group_members")), (6, 4));
    }

    #[test]
    fn a_signature_survives_small_edits_and_no_other_text() {
        let signature_of = signature(DESCRIPTION, SCHEMA);
        let edited = signature(
            "Creates a new issue in the given GitHub repository. Takes a title, labels, assignees and a milestone.",
            r#"{"properties":{"owner":{},"repo":{},"title":{},"body":{},"labels":{},"assignees":{},"milestone":{}}}"#,
        );
        assert!(equal(signature_of, edited) >= 6, "{}", equal(signature_of, edited));
        let other = signature(
            "Open a ticket for a customer in the help desk.",
            r#"{"properties":{"subject":{}}}"#,
        );
        assert!(equal(signature_of, other) < 4, "{}", equal(signature_of, other));
        assert_eq!(signature("", "not json"), 0);
    }
}
