//! What differs between two catalogs.

use crate::search::catalog::tools::Catalog;
use crate::sort::sort;

/// What differs between two catalogs, by the names the catalogs give, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Delta {
    /// Tools that only the later one has.
    pub added: Vec<String>,
    /// Tools that only the earlier one has.
    pub removed: Vec<String>,
    /// Tools whose schema is another.
    pub changed: Vec<String>,
    /// Tools whose schema is the same and whose description or other fields are not.
    pub reworded: Vec<String>,
}

impl Delta {
    /// Whether the two have the same tools.
    pub fn is_empty(&self) -> bool {
        self == &Delta::default()
    }
}

/// What differs in `later` from `earlier`, so that a host can say it in one line and leave the rest
/// of the prompt as it is.
pub fn delta(earlier: &Catalog, later: &Catalog) -> Delta {
    let mut delta = Delta::default();
    for tool in &later.tools {
        match earlier.tool(&tool.id) {
            None => delta.added.push(tool.id.clone()),
            Some(before) if before.hash == tool.hash => {}
            Some(before) if before.schema_fingerprint() != tool.schema_fingerprint() => {
                delta.changed.push(tool.id.clone());
            }
            Some(_) => delta.reworded.push(tool.id.clone()),
        }
    }
    let gone = earlier.tools.iter().filter(|tool| later.tool(&tool.id).is_none());
    delta.removed.extend(gone.map(|tool| tool.id.clone()));
    for names in [&mut delta.added, &mut delta.removed, &mut delta.changed, &mut delta.reworded] {
        sort(names);
    }
    delta
}

#[cfg(test)]
mod tests {
    use super::delta;
    use crate::search::tests::samples::{build, small, tool};

    #[test]
    fn a_delta_names_what_came_went_and_changed() {
        let before = build(small());
        assert!(delta(&before, &before).is_empty());
        let mut tools = small();
        tools[3].input_schema = "{\"type\":\"object\"}".to_owned();
        tools[4].description.push_str(" Really.");
        tools[5].input_schema = tools[5].input_schema.replace(':', " : ");
        tools.remove(2);
        tools.push(tool("mail", "list_messages", "d", "{}"));
        let delta = delta(&before, &build(tools));
        assert_eq!(delta.added, ["list_messages"]);
        assert_eq!(delta.removed, ["create_issue"]);
        assert_eq!(delta.changed, ["list_issues"]);
        // Formatting is no other schema, but the bytes shown are others.
        assert_eq!(delta.reworded, ["create_event", "delete_repository"]);
    }
}
