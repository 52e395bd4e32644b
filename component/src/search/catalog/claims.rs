//! Claims of owners that their tools' own words contradict: real servers mark the sending of mail as read-only.

use crate::search::text::fold::words;
use crate::search::text::listed::Listed;

/// Verbs that only read.
static READS: Listed = Listed::new(
    "analyse analyze audit browse calculate can check compare count describe detect diagnose \
    diff discover display estimate examine explain explore fetch filter find gather generate \
    get gets has identify inspect is list locate lookup parse plan preview query read \
    recommend render rerank retrieve returns scan search see select show suggest summarize \
    validate verify view wait watch",
);

/// Verbs that change something.
static CHANGES: Listed = Listed::new(
    "accept activate add allocate announce append apply approve archive assign attach \
    authorize ban buy cancel cleanup clear configure create deactivate decline delete \
    deliver deploy destroy detach disable disconnect dismiss dispatch drop edit enable \
    enqueue erase eval grant insert kill login logout mailer mark modify move mute notify \
    overwrite pause promote protect provision publish purge put reassign reauthorize reboot \
    rebuild redeploy regenerate register reject remove rename reopen replace rerun resend \
    reset restart restore retry revert revoke rollback rotate save send sendmail shutdown \
    snooze submit subscribe suspend terminate toggle trash truncate unapprove unarchive \
    unassign unblock undo unfollow uninstall unlink unlock unmerge unmute unpin unprotect \
    unset unsubscribe update upsert wipe withdraw write",
);

/// Verbs that change something and are nouns as well: `order_pizza`, `list_orders`, `order_history`.
static MAY_CHANGE: Listed = Listed::new(
    "adjust bash block book broadcast bulk change checkout click clone close comment commit \
    complete control copy dm donate drag duplicate email eval exec execute export flag flush \
    follow fork format forward import increment install invite issue launch like lock log \
    mail manage merge message migrate navigate open order pair patch pay pin ping play post \
    press print push react record refund release reply repost request reserve resize resume \
    run scale schedule set share shell sign sms star start stop swap sync tag text trade \
    transfer trigger tweet upgrade upload vote",
);

/// What a description says before its first verb.
static LEAD_IN: Listed = Listed::new(
    "a action allow allows an api can deprecated enables endpoint for function help helps \
    important is it let lets method required that the this to tool use used user users which \
    will you",
);

/// What follows a verb, and no noun.
static ARTICLES: Listed =
    Listed::new("a all an any existing multiple new one several some specific the these this your");

/// Words of a description that are looked at.
const WORDS_MAX: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Reads,
    Changes,
    MayChange,
    Other,
}

/// The kind of a word, with the verb that it is a form of: `sends` is send.
fn kind(word: &str) -> (Kind, &str) {
    let bare = |end: &str| word.strip_suffix(end).unwrap_or(word);
    for form in [word, bare("s"), bare("es")] {
        for (list, kind) in
            [(&READS, Kind::Reads), (&CHANGES, Kind::Changes), (&MAY_CHANGE, Kind::MayChange)]
        {
            if list.has(form) {
                return (kind, form);
            }
        }
    }
    (Kind::Other, word)
}

fn joins(word: &str) -> bool {
    matches!(word, "and" | "or" | "then")
}

/// Whether this verb starts whatever comes after it, which may only read: `run_query`.
fn runs(verb: &str) -> bool {
    matches!(verb, "run" | "exec" | "execute")
}

/// Whether what is run is a query or the like.
fn is_run_to_read(word: &str) -> bool {
    READS.has(word) || matches!(word, "queries" | "report" | "reports" | "diagnostics" | "analysis")
}

/// What the first verb of a description does, and the verb.
fn first_verb(description: &str, name: &[String]) -> (Kind, String) {
    let words: Vec<String> = description
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(WORDS_MAX)
        .map(str::to_lowercase)
        .collect();
    let is_lead_in =
        |word: &String| kind(word).0 == Kind::Other && (LEAD_IN.has(word) || word.ends_with("ly"));
    let at = words.iter().position(|word| !is_lead_in(word)).unwrap_or(words.len());
    let Some(first) = words.get(at) else { return (Kind::Other, String::new()) };
    let (kind_of_first, verb) = kind(first);
    let rest = &words[at + 1..];
    // "Fetches and sends mail", "Lists the drafts and sends them".
    for (place, pair) in rest.windows(2).enumerate() {
        let (second, form) = kind(&pair[1]);
        let is_verb = place == 0 || form != pair[1] && form != "update";
        if joins(&pair[0]) && second == Kind::Changes && is_verb {
            return (second, form.to_owned());
        }
    }
    let object = rest.first().map_or("", String::as_str);
    let is_verb = ARTICLES.has(object) || name.iter().any(|word| word == verb);
    let near = &rest[..rest.len().min(8)];
    let found = match kind_of_first {
        Kind::MayChange if runs(verb) && near.iter().any(|word| is_run_to_read(word)) => {
            let says = |word: &String| matches!(word.as_str(), "read" | "select" | "readonly");
            if near.iter().any(says) { Kind::Reads } else { Kind::Other }
        }
        Kind::MayChange if is_verb => Kind::Changes,
        Kind::MayChange => Kind::Other,
        other => other,
    };
    (found, verb.to_owned())
}

/// The verb of a tool's name or description that says that it changes something: the verb that leads, or one
/// that is joined to it.
pub(crate) fn contradiction(server: &str, name: &str, description: &str) -> Option<String> {
    let (of_server, mut words) = (words(server), words(name));
    let is_prefix =
        |word: &String| matches!(word.as_str(), "api" | "mcp") || of_server.contains(word);
    let prefix = words.iter().take_while(|word| is_prefix(word)).count();
    words.drain(..prefix.min(words.len().saturating_sub(1)));
    let (leads, last) = (words.first()?, words.last()?);
    let kinds: Vec<Kind> = words
        .iter()
        .map(|word| match kind(word) {
            _ if runs(leads) && is_run_to_read(word) => Kind::Reads,
            (_, verb) if verb != word && word != "gets" => Kind::Other,
            (kind, _) => kind,
        })
        .collect();
    let lead = kinds.iter().position(|kind| matches!(kind, Kind::Reads | Kind::Changes));
    // get_and_notify, find_and_replace.
    for at in 2..words.len() {
        let is_verb = match kinds[at] {
            Kind::Changes => true,
            Kind::MayChange => lead == Some(at - 2),
            _ => false,
        };
        if joins(&words[at - 1]) && is_verb {
            return Some(words.swap_remove(at));
        }
    }
    let (said, verb) = first_verb(description, &words);
    let said_to_change = (said == Kind::Changes).then_some(verb);
    match lead {
        Some(0) if kinds[0] == Kind::Changes => Some(leads.clone()),
        Some(at) if kinds[at] == Kind::Reads => {
            // list_delete, and not get_limits_of_send.
            let is_noun = matches!(
                words[at].as_str(),
                "audit" | "list" | "plan" | "query" | "search" | "view"
            );
            if is_noun && kinds.last() == Some(&Kind::Changes) && said != Kind::Reads {
                return Some(last.clone());
            }
            said_to_change.filter(|verb| kinds[0] == Kind::MayChange || CHANGES.has(verb))
        }
        _ if said_to_change.is_some() => said_to_change,
        _ if said == Kind::Reads => None,
        Some(at) => Some(words.swap_remove(at)),
        None => {
            let is_about = matches!(last.as_str(), "details" | "history" | "info" | "stats");
            let leads_alone = kinds[0] == Kind::MayChange && !is_about;
            let verb = if leads_alone { Some(leads) } else { None };
            verb.or((kinds.last() == Some(&Kind::MayChange)).then_some(last)).cloned()
        }
    }
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
            // A noun that may also be a verb that reads ends no doubt.
            ("delete_logs", "delete"),
            ("drop_view", "drop"),
            ("update_status", "update"),
            ("send_preview", "send"),
            ("add_to_list", "add"),
            ("mark_as_read", "mark"),
            ("audit_log_delete", "delete"),
            // Joined.
            ("fetch_and_send_mail", "send"),
            ("get_and_notify", "notify"),
            ("get_or_create", "create"),
            ("find_and_replace", "replace"),
            // Nouns that lead are verbs.
            ("forward_email", "forward"),
            ("email_user", "email"),
            ("order_pizza", "order"),
            ("share", "share"),
            ("run_command", "run"),
            ("exec", "exec"),
            ("shell", "shell"),
            ("execute_sql", "execute"),
            ("truncate", "truncate"),
            ("checkout", "checkout"),
            ("tweet", "tweet"),
            ("set_value", "set"),
            ("API-patch-page", "patch"),
        ] {
            assert_eq!(contradiction("", name, "X.").as_deref(), Some(verb), "{name}");
        }
        for name in [
            "get_merge_request",
            "list_deleted_files",
            "generate_trigger_code",
            "API-retrieve-a-block",
            "API-post-search",
            "search",
            "blog_post_titles",
            "list_orders",
            "order_list",
            "order_history",
            "get_share",
            "search_runs",
            "get_set",
            "get_set_and_list",
            "run_query",
            "run_report",
            "can_i_deploy",
            "",
        ] {
            assert_eq!(contradiction("", name, "X."), None, "{name}");
        }
        // The server's name is no verb.
        assert_eq!(contradiction("share", "share_titles", ""), None);
        assert_eq!(contradiction("shop", "shop_order_pizza", "").as_deref(), Some("order"));
    }

    #[test]
    fn a_description_is_believed_by_its_first_verb() {
        for (name, description, verb) in [
            ("mail", "This tool safely sends an email.", "send"),
            ("get_inbox", "Deletes what is in the inbox.", "delete"),
            ("get_inbox", "Fetches and deletes the mails.", "delete"),
            ("get_inbox", "Fetches all new mails and sends a receipt for each.", "send"),
            ("slack_post_message", "Post a new message to a channel.", "post"),
            ("reply_to_thread", "Reply to a thread.", "reply"),
            ("terminal", "Executes a command.", "execute"),
            ("reflect_run_test", "Run a test.", "run"),
        ] {
            assert_eq!(contradiction("", name, description).as_deref(), Some(verb), "{name}");
        }
        for (name, description) in [
            ("post_titles", "Returns the titles of all posts."),
            ("latest_update", "Get the latest update."),
            ("execute_sql", "Execute a read-only SQL query."),
            ("permissions", "The set of permissions of the item."),
            ("list_orders", "Orders of a customer."),
            ("news", "Lists news and updates."),
            ("rate_limit", "Get the cooldown and retry snapshot."),
        ] {
            assert_eq!(contradiction("", name, description), None, "{name}");
        }
    }
}
