//! Names of tools that are not offered, taken out of what their servers say of the others.
//!
//! A description that says "use list_issues first" sends a model after a tool that it cannot have, and names it to a client
//! that is not to see it. Enums are left alone: of 1,787 tools of real servers eight have a member that is a tool's name
//! too, and none of them means the tool.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::search::names::{is_distinct, is_part};
use weir_mcp::json::{Json, quote};

/// What stands in place of such a name.
const INSTEAD: &str = "[a tool that is not offered]";

/// The key of texts in which a definition names others.
const KEY: &str = "\"description\"";

/// Tools that are not offered, by server.
#[derive(Debug, Default, Clone)]
pub(crate) struct Siblings(BTreeMap<String, HashSet<String>>);

impl Siblings {
    pub(crate) fn add(&mut self, server: &str, name: String) {
        if is_distinct(&name) {
            self.0.entry(server.to_owned()).or_default().insert(name);
        }
    }

    /// A text of a server without these names.
    pub(crate) fn unnamed<'t>(&self, server: &str, text: &'t str) -> Cow<'t, str> {
        let of_server = self.0.get(server);
        let names = |piece: &str| of_server.is_some_and(|all| all.contains(word_of(piece)));
        // Each word with the character after it.
        let pieces = || text.split_inclusive(|c| !is_part(c));
        if !pieces().any(names) {
            return Cow::Borrowed(text);
        }
        let shown = pieces().map(|piece| match names(piece) {
            true => Cow::Owned(piece.replacen(word_of(piece), INSTEAD, 1)),
            false => Cow::Borrowed(piece),
        });
        Cow::Owned(shown.collect())
    }

    /// A definition of a server whose descriptions do not have these names; nothing where it is as it was.
    pub(crate) fn unnamed_in(&self, server: &str, definition: &Json) -> Option<Json> {
        self.0.get(server)?;
        let mut rest = definition.as_str();
        let (mut shown, mut differs) = (String::new(), false);
        while let Some(at) = rest.find(KEY) {
            let (before, after) = rest.split_at(at + KEY.len());
            shown.push_str(before);
            rest = after;
            let Some(value) = after.trim_start().strip_prefix(':').map(str::trim_start) else {
                continue;
            };
            let mut texts = serde_json::Deserializer::from_str(value).into_iter::<String>();
            let Some(Ok(text)) = texts.next() else { continue };
            if let Cow::Owned(other) = self.unnamed(server, &text) {
                shown.push_str(&format!(":{}", quote(&other)));
                rest = value.get(texts.byte_offset()..).unwrap_or_default();
                differs = true;
            }
        }
        shown.push_str(rest);
        differs.then(|| Json::assembled(shown))
    }
}

/// The word that a piece begins with.
fn word_of(piece: &str) -> &str {
    piece.trim_end_matches(|c| !is_part(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out() -> Siblings {
        let mut left = Siblings::default();
        for name in ["list_issues", "getUser", "database", "wipe-all"] {
            left.add("s", name.to_owned());
        }
        left
    }

    #[test]
    fn a_text_names_only_what_is_there() {
        let left = left_out();
        for (text, expected) in [
            ("Call list_issues first.", "Call [a tool that is not offered] first."),
            ("`getUser`, wipe-all", "`[a tool that is not offered]`, [a tool that is not offered]"),
            ("é list_issues", "é [a tool that is not offered]"),
            // Another name, and a plain word that is a tool's name too.
            ("list_issues_all of the database; relist_issues", ""),
            ("", ""),
        ] {
            let expected = if expected.is_empty() { text } else { expected };
            assert_eq!(left.unnamed("s", text), expected);
            assert_eq!(left.unnamed("other", text), text);
        }
    }

    #[test]
    fn a_definition_is_changed_in_its_descriptions_alone() {
        let left = left_out();
        let changed = |text: &str| {
            let changed = left.unnamed_in("s", &Json::parse(text.to_owned()).unwrap());
            changed.map(|json| Json::parse(json.to_string()).unwrap().to_string())
        };
        let text = r#"{"name":"a","description" : "First\nlist_issues.","inputSchema":{"properties":{"description":{"type":"string","enum":["list_issues"],"description":"What getUser gave"}},"required":["description"]}}"#;
        let expected = r#"{"name":"a","description":"First\n[a tool that is not offered].","inputSchema":{"properties":{"description":{"type":"string","enum":["list_issues"],"description":"What [a tool that is not offered] gave"}},"required":["description"]}}"#;
        assert_eq!(changed(text).as_deref(), Some(expected));
        for same in [
            r#"{"name":"list_issues","description":"Lists \"description\": list_","title":"list_issues"}"#,
            r#"{"description":null,"x":{"description":["list_issues"]}}"#,
            r#"{"description":"\ud800 list_issues"}"#,
        ] {
            assert_eq!(changed(same), None, "{same}");
        }
        assert!(left.unnamed_in("other", &Json::parse(text.to_owned()).unwrap()).is_none());
    }
}
