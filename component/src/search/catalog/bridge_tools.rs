//! The three tools that stand in for the others: their names and definitions.
//!
//! They belong to the catalog, not only to what shows them: no other tool may have one of their
//! names, and a definition left over from an earlier assembly is not a tool of the catalog.

use std::collections::BTreeSet;

use serde_json::Value;
use weir_text::tokens;

use super::definition::ToolDefinition;
use crate::search::schema::measure::fingerprint;
use crate::search::text::fold::fold;

/// What the three bridge tools are called. Some providers reserve a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BridgeNames {
    /// The tool that finds tools.
    pub search: String,
    /// The tool that shows schemas.
    pub describe: String,
    /// The tool that calls tools.
    pub call: String,
}

impl Default for BridgeNames {
    fn default() -> Self {
        BridgeNames {
            search: "tool_search".to_owned(),
            describe: "tool_describe".to_owned(),
            call: "tool_call".to_owned(),
        }
    }
}

impl BridgeNames {
    /// The three names, in the order in which the tools are shown.
    pub fn all(&self) -> [&str; 3] {
        [&self.search, &self.describe, &self.call]
    }

    /// Whether `name` means a bridge tool, here or by default, whatever its case and punctuation
    /// and also behind a prefix that models and hosts add.
    pub fn mean(&self, name: &str) -> bool {
        let reserved = self.reserved();
        let bare = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
        let barest = bare.rsplit("__").next().unwrap_or(bare);
        [name, bare, barest].into_iter().any(|name| reserved.contains(&fold(name)))
    }

    /// The folded names that no other tool may have: those of bridge tools, here and by default.
    pub(crate) fn reserved(&self) -> BTreeSet<String> {
        let default = BridgeNames::default();
        let mut reserved = BTreeSet::new();
        reserved.extend(self.all().into_iter().chain(default.all()).map(fold));
        reserved
    }
}

/// A tool to show a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BridgeTool {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments, as text. Constant.
    pub input_schema: String,
}

impl BridgeTool {
    /// What calling it may do, as MCP annotations. Calling any tool may do anything.
    pub fn annotations(&self) -> &'static str {
        match self.input_schema == CALL_SCHEMA {
            true => CALL_ANNOTATIONS,
            false => r#"{"readOnlyHint":true,"openWorldHint":false}"#,
        }
    }

    /// Estimated tokens, as for any definition.
    pub fn estimated_tokens(&self) -> u32 {
        let tokens = tokens::of_definition(&self.name, &self.description, &self.input_schema);
        u32::try_from(tokens).unwrap_or(u32::MAX)
    }
}

// What is shown of the arguments is paid for in every turn. They take more: `detail`, and `path` and `again`, which
// answers name where they help.
const SEARCH_SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"}},"#,
    r#""limit":{"type":"integer"}},"required":["queries"]}"#,
);
const SEARCH_SCHEMA_OF_KINDS: &str = concat!(
    r#"{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"}},"#,
    r#""limit":{"type":"integer"},"kinds":{"type":"array","items":{"enum":["tool","skill"]}}},"required":["queries"]}"#,
);
const DESCRIBE_SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"}}},"#,
    r#""required":["names"]}"#,
);
const CALL_SCHEMA: &str = concat!(
    r#"{"type":"object","properties":{"calls":{"type":"array","items":{"type":"object","#,
    r#""properties":{"name":{"type":"string"},"arguments":{"type":"object"}},"#,
    r#""required":["name","arguments"]}}},"required":["calls"]}"#,
);

const CALL_ANNOTATIONS: &str =
    r#"{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}"#;

/// The three bridge tools, in the order in which they are shown. Only the description of the first
/// depends on `listing`, which may be empty. Skills are spoken of where there are any.
pub fn bridge_tools(names: &BridgeNames, listing: &str, has_skills: bool) -> Vec<BridgeTool> {
    let (found, shown, search_schema) = match has_skills {
        true => (
            " and skills (instructions for a task)",
            ", and the texts of skills (a file of one: NAME/PATH),",
            SEARCH_SCHEMA_OF_KINDS,
        ),
        false => ("", "", SEARCH_SCHEMA),
    };
    let mut search = format!(
        "Finds tools{found} that are not in your list. Search before you say that something cannot be done. \
         Write English keywords, app action object, as \"github create issue\"; \
         select:NAME,NAME gets tools by name; +word must occur; server:NAME narrows. Call hits with {}; \
         where a signature has {{..}} or … (? is optional), see {} first.",
        names.call, names.describe,
    );
    if !listing.is_empty() {
        search.push_str("\n\n");
        search.push_str(listing);
    }
    let describe =
        format!("Shows the JSON Schemas of tools{shown} that {} found or listed.", names.search);
    let call = format!(
        "Calls tools that {} found or listed. Arguments are checked first; if any are wrong, no call is run.",
        names.search
    );
    let definition = |name: &str, description: String, schema: &str| BridgeTool {
        name: name.to_owned(),
        description,
        input_schema: schema.to_owned(),
    };
    vec![
        definition(&names.search, search, search_schema),
        definition(&names.describe, describe, DESCRIBE_SCHEMA),
        definition(&names.call, call, CALL_SCHEMA),
    ]
}

/// Whether a definition is one of the three tools, left over from an earlier assembly.
pub(crate) fn is_bridge_tool(tool: &ToolDefinition, names: &BridgeNames) -> bool {
    let is = |ours: &BridgeTool| {
        tool.name == ours.name
            && tool.description.starts_with(&ours.description)
            && same_schema(&tool.input_schema, &ours.input_schema)
    };
    names.all().contains(&tool.name.as_str())
        && [false, true].into_iter().any(|skills| bridge_tools(names, "", skills).iter().any(is))
}

/// Whether two schemas are the same, whatever the formatting and the order of names.
fn same_schema(given: &str, ours: &str) -> bool {
    if fingerprint(given) == fingerprint(ours) {
        return true;
    }
    match (serde_json::from_str::<Value>(given), serde_json::from_str::<Value>(ours)) {
        (Ok(given), Ok(ours)) => given == ours,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_are_small_valid_and_name_each_other() {
        let names =
            BridgeNames { search: "find".into(), describe: "show".into(), call: "do_it".into() };
        let definitions = bridge_tools(&names, "", false);
        assert_eq!(
            definitions.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(),
            ["find", "show", "do_it"]
        );
        let all: String = definitions.iter().map(|d| d.description.as_str()).collect();
        assert!(!all.contains("tool_") && all.contains("app action object"));
        for definition in &definitions {
            let schema: Value = serde_json::from_str(&definition.input_schema).unwrap();
            assert_eq!(schema["type"], "object");
        }
    }

    #[test]
    fn skills_cost_words_where_there_are_any_and_none_where_there_are_not() {
        let names = BridgeNames::default();
        let tokens = |skills| -> u32 {
            bridge_tools(&names, "", skills).iter().map(BridgeTool::estimated_tokens).sum()
        };
        let texts = |skills| {
            let all = bridge_tools(&names, "", skills);
            all.into_iter().map(|it| it.description + &it.input_schema).collect::<String>()
        };
        assert!(!texts(false).contains("skill") && !texts(false).contains("kinds"));
        assert!(
            texts(true).contains("texts of skills") && texts(true).contains(r#"["tool","skill"]"#)
        );
        assert!((20..60).contains(&(tokens(true) - tokens(false))));
    }
}
