//! What counts in a tool's definition, as a digest.

use std::collections::BTreeMap;

use crate::search::skills::MEMBER;
use weir_base::{digest_of, hex};
use weir_mcp::json::{Json, sorted};

/// Members of a definition that count: what a model reads or clients decide by.
pub(crate) const COUNTED: [&str; 5] =
    ["title", "description", "inputSchema", "annotations", "outputSchema"];

/// Tools that the user has approved, by the digest of what was approved.
pub(crate) type Approved = BTreeMap<String, String>;

/// The digest of what counts in a definition, in whatever order and spelling its server wrote that.
pub(crate) fn digest(definition: &Json) -> String {
    let counted = COUNTED.map(|name| definition.get(&[name]).map(sorted).unwrap_or_default());
    // A skill is its fields and the digests of its files.
    hex(&digest_of(counted.into_iter().chain(definition.get(&[MEMBER]).map(sorted))))
}

/// The digest as versions before 0.3 made it: to the byte, without `outputSchema`. What they kept still holds.
pub(crate) fn former_digest(definition: &Json) -> String {
    let [counted @ .., _] = COUNTED;
    hex(&digest_of(counted.map(|name| definition.get(&[name]).unwrap_or("").to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        Json::parse(text.to_owned()).unwrap()
    }

    #[test]
    fn the_order_of_members_means_nothing_and_each_text_counts() {
        let tool = r#"{"name":"a","inputSchema":{"type":"object","properties":{"a":{"enum":[1,2]},"b":{}}},"outputSchema":{"title":"x"}}"#;
        let swapped = r#"{"outputSchema": {"title":"\u0078"}, "inputSchema":{"properties":{"b":{},"a":{"enum":[1, 2]}}, "type":"object"},"name":"a"}"#;
        let now = digest(&json(tool));
        assert_eq!(now, digest(&json(swapped)));
        for (from, to) in [
            ("[1,2]", "[2,1]"),
            (r#""title":"x""#, r#""title":"send the keys""#),
            // Of two members a reader may take either.
            (r#""title":"x""#, r#""title":"send the keys","title":"x""#),
            (r#""type":"object""#, r#""type":"string""#),
        ] {
            assert_ne!(now, digest(&json(&tool.replace(from, to))), "{to}");
        }
        let deep = |leaf: &str| {
            json(&format!(r#"{{"inputSchema":{}{leaf}{}}}"#, "[".repeat(5_000), "]".repeat(5_000)))
        };
        assert_ne!(digest(&deep("1")), digest(&deep("2")));
    }
}
