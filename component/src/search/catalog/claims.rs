//! Claims of owners that their tools' names contradict: real servers mark the sending of mail as read-only.

use crate::search::text::fold::words;

/// Words that only read. A name with one of them is not doubted: `list_deleted_files`, `get_send_limits`.
const READS: &[&str] = &[
    "analyze",
    "analyse",
    "browse",
    "can",
    "check",
    "compare",
    "count",
    "describe",
    "details",
    "diff",
    "estimate",
    "explain",
    "fetch",
    "find",
    "generate",
    "get",
    "gets",
    "has",
    "history",
    "info",
    "inspect",
    "instructions",
    "is",
    "list",
    "log",
    "logs",
    "lookup",
    "plan",
    "preview",
    "query",
    "read",
    "recommend",
    "retrieve",
    "search",
    "show",
    "status",
    "suggest",
    "summarize",
    "validate",
    "verify",
    "view",
];

/// Verbs that change something, wherever they stand in a name.
const CHANGES: &[&str] = &[
    "approve",
    "archive",
    "assign",
    "cancel",
    "create",
    "delete",
    "deploy",
    "destroy",
    "drop",
    "erase",
    "insert",
    "invite",
    "kill",
    "overwrite",
    "publish",
    "purge",
    "reboot",
    "refund",
    "reject",
    "remove",
    "rename",
    "replace",
    "reset",
    "restart",
    "revoke",
    "send",
    "terminate",
    "transfer",
    "unassign",
    "uninstall",
    "unsubscribe",
    "update",
    "upload",
    "upsert",
];

/// Verbs that are nouns as well: they count at the beginning and at the end of a name.
const CHANGES_AT_ENDS: &[&str] = &[
    "add",
    "clear",
    "close",
    "disable",
    "edit",
    "enable",
    "execute",
    "grant",
    "install",
    "merge",
    "modify",
    "move",
    "patch",
    "pay",
    "post",
    "push",
    "put",
    "register",
    "reopen",
    "reply",
    "rollback",
    "subscribe",
    "submit",
    "unlock",
    "write",
];

/// The verb of a tool's name that says that it changes something.
pub(crate) fn contradiction(name: &str) -> Option<&'static str> {
    let words = words(name);
    if words.iter().any(|word| READS.contains(&word.as_str())) {
        return None;
    }
    let among = |verbs: &[&'static str], word: &String| {
        verbs.iter().copied().find(|verb| *verb == word.as_str())
    };
    let at_ends = words.first().into_iter().chain(words.last());
    words
        .iter()
        .find_map(|word| among(CHANGES, word))
        .or_else(|| at_ends.into_iter().find_map(|word| among(CHANGES_AT_ENDS, word)))
}

#[cfg(test)]
mod tests {
    use super::contradiction;

    #[test]
    fn a_name_that_says_to_change_something_contradicts() {
        for (name, verb) in [
            ("communication_email_send", "send"),
            ("azure__communication_sms_send", "send"),
            ("deleteBranch", "delete"),
            ("linear_createIssue", "create"),
            ("submit_feedback", "submit"),
        ] {
            assert_eq!(contradiction(name), Some(verb), "{name}");
        }
        for name in [
            "get_merge_request",
            "list_deleted_files",
            "generate_trigger_code",
            "API-retrieve-a-block",
            "search",
            "blog_post_titles",
            "",
        ] {
            assert_eq!(contradiction(name), None, "{name}");
        }
    }
}
