//! Claims of owners that their tools' names contradict: real servers mark the sending of mail as read-only.

use crate::search::text::fold::words;
use crate::search::text::listed::Listed;

/// Words that only read. A name with one of them is not doubted: `list_deleted_files`, `get_send_limits`.
static READS: Listed = Listed::new(
    "analyse analyze browse can check compare count describe details diff estimate explain fetch find \
    generate get gets has history info inspect instructions is list log logs lookup plan preview query \
    read recommend retrieve search show status suggest summarize validate verify view",
);

/// Verbs that change something, wherever they stand in a name.
static CHANGES: Listed = Listed::new(
    "approve archive assign cancel create delete deploy destroy drop erase insert invite kill overwrite \
    publish purge reboot refund reject remove rename replace reset restart revoke send terminate \
    transfer unassign uninstall unsubscribe update upload upsert",
);

/// Verbs that are nouns as well: they count at the beginning and at the end of a name.
static CHANGES_AT_ENDS: Listed = Listed::new(
    "add clear close disable edit enable execute grant install merge modify move patch pay post push put \
    register reopen reply rollback submit subscribe unlock write",
);

/// The verb of a tool's name that says that it changes something.
pub(crate) fn contradiction(name: &str) -> Option<String> {
    let mut words = words(name);
    if words.iter().any(|word| READS.has(word)) {
        return None;
    }
    let last = words.len().wrapping_sub(1);
    let changes = words.iter().position(|word| CHANGES.has(word));
    let at_end = || {
        [0, last]
            .into_iter()
            .find(|&at| words.get(at).is_some_and(|word| CHANGES_AT_ENDS.has(word)))
    };
    let at = changes.or_else(at_end)?;
    Some(words.swap_remove(at))
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
            assert_eq!(contradiction(name).as_deref(), Some(verb), "{name}");
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
