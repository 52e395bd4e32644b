//! `info`.

use super::Component;
use crate::abi::exports::weir::plugin::info as wit;
use crate::limits;

const RESULTS: bool = cfg!(feature = "results");
const TOOLS: bool = cfg!(feature = "tools");

/// What this file can do, in the contract's words.
const FEATURES: [(&str, bool); 7] = [
    ("results", RESULTS),
    ("query", RESULTS),
    ("outline", RESULTS),
    ("search", RESULTS),
    ("diff", RESULTS),
    ("tools", TOOLS),
    ("vectors", TOOLS && cfg!(feature = "semantic")),
];

/// The limits that are not settings: whether they hold here, name, measure, value.
const LIMITS: [(bool, &str, &str, u64); 9] = [
    (RESULTS, "session-name", "chars", limits::SESSION_MAX_CHARS as u64),
    (RESULTS, "grep-pattern", "chars", limits::GREP_PATTERN_MAX_CHARS as u64),
    (RESULTS, "grep-slice", "bytes", limits::GREP_SLICE_BYTES),
    (RESULTS, "list-entries", "entries", crate::fetch::LIST_MAX_ENTRIES as u64),
    (TOOLS, "catalog-tools", "tools", limits::CATALOG_MAX_TOOLS as u64),
    (TOOLS, "catalog-bytes", "bytes", limits::CATALOG_MAX_BYTES as u64),
    (TOOLS, "checked-schema", "bytes", limits::SCHEMA_MAX_BYTES as u64),
    (TOOLS, "calls", "calls", limits::CALL_MAX_BATCH as u64),
    (TOOLS, "call-arguments", "bytes", limits::CALL_MAX_BYTES as u64),
];

impl wit::Guest for Component {
    fn describe_component() -> wit::ComponentInfo {
        let limits = LIMITS.iter().filter(|limit| limit.0);
        wit::ComponentInfo {
            name: "weir".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            contract: "weir:plugin@0.3.0".to_owned(),
            file: match (RESULTS, TOOLS) {
                (true, true) => "plugin",
                (true, false) => "results",
                _ => "tools",
            }
            .to_owned(),
            licence: env!("CARGO_PKG_LICENSE").to_owned(),
            features: FEATURES.iter().filter(|of| of.1).map(|of| of.0.to_owned()).collect(),
            limits: limits
                .map(|&(_, name, measure, value)| wit::Limit {
                    name: name.to_owned(),
                    measure: measure.to_owned(),
                    value,
                })
                .collect(),
        }
    }
}
