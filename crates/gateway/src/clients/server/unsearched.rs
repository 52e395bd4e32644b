//! What a search did not go through: said with its reasons once, and again when it changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::clients::session::{Client, Session};
use crate::operations::gate::bridge::Bridge;
use crate::search::catalog::{Catalog, too_many};
use crate::search::told::{Unsearched, Why};
use crate::servers::upstream::Upstream;
use crate::servers::{Servers, on_one_line};
use weir_mcp::json::{Json, quote};

/// Servers that are named where their reasons were said before.
const NAMED_AGAIN: usize = 8;

/// What a search goes through.
pub(super) struct AtHand {
    pub(super) bridge: Arc<Bridge>,
    /// The tools that the client may see now.
    pub(super) catalog: Arc<Catalog>,
    /// What was not among these tools when they were taken.
    pub(super) unsearched: Vec<Unsearched>,
}

/// What a search through what was at hand did not go through.
pub(super) fn unsearched_in(
    servers: &Servers,
    client: &Client,
    at_hand: AtHand,
) -> Vec<Unsearched> {
    // What is known now is what was searched, or it was known too late.
    let same = Arc::ptr_eq(&servers.catalog_for(&client.session), &at_hand.catalog);
    if same { unsearched(servers, client) } else { at_hand.unsearched }
}

/// The servers whose tools are not known, or not all of them, each with the reason.
pub(super) fn unsearched(servers: &Servers, client: &Client) -> Vec<Unsearched> {
    let upstreams = servers.of(client);
    let profile = &client.session.who.profile;
    let one = |server: &str, why: Why, text: String| Unsearched {
        server: server.to_owned(),
        why,
        text: format!("{server}: {text}"),
    };
    let unknown = upstreams.iter().filter(|upstream| upstream.known().is_none());
    let (locked, unknown): (Vec<&Upstream>, Vec<&Upstream>) =
        unknown.map(|upstream| &**upstream).partition(|upstream| upstream.needs_login().is_some());
    let (failed, starting): (Vec<_>, Vec<_>) =
        unknown.into_iter().partition(|upstream| upstream.has_failed());
    let starting = starting.into_iter().map(|upstream| {
        one(upstream.name(), Why::Starting, "still starting; search once more".to_owned())
    });
    let listing = upstreams.iter().filter_map(|upstream| {
        let known = upstream.known().filter(|known| known.partial)?;
        let text =
            format!("lists more tools than the {} of now; search once more", known.tools.len());
        Some(one(upstream.name(), Why::Listing, text))
    });
    let failed = failed.into_iter().map(|upstream| {
        let why = upstream.why_down().map(|why| format!(": {}", on_one_line(&why)));
        let text = format!("not usable now{}", why.unwrap_or_default());
        one(upstream.name(), Why::Failed, text)
    });
    let broken = servers.broken();
    let broken = broken.iter().filter(|(name, _)| profile.may_admit_tools_of(name));
    let broken = broken
        .map(|(name, why)| one(name, Why::Failed, format!("not usable now: {}", on_one_line(why))));
    let locked = locked.into_iter().filter_map(|upstream| {
        let text = format!("needs a login; {}", upstream.needs_login()?);
        Some(one(upstream.name(), Why::Locked, text))
    });
    let waiting = upstreams.iter().filter_map(|upstream| {
        let count = upstream.withheld().len();
        let what = match count {
            0 => return None,
            1 => "1 tool waits".to_owned(),
            count => format!("{count} tools wait"),
        };
        // How it is given is for the user alone: a model with a shell would do it.
        let text = format!("{what} for the user's approval");
        Some(one(upstream.name(), Why::Waiting(count), text))
    });
    let catalog = servers.catalog_for(&client.session);
    let cut = catalog.cut().iter().filter(|name| profile.may_admit_tools_of(name));
    let cut = cut.map(|name| one(name, Why::Cut, too_many()));
    let soon = starting.chain(listing);
    soon.chain(failed).chain(broken).chain(locked).chain(waiting).chain(cut).collect()
}

/// The answer to a search without the list of servers where the client has it, and with what it did not go
/// through, beside what it names itself. Of that the client is told in short what it was told before, unless
/// it may be why nothing was found.
pub(super) fn with_unsearched(answer: String, all: &[Unsearched], session: &Session) -> String {
    let Ok(json) = Json::parse(answer.clone()) else { return answer };
    let kinds: BTreeSet<(String, Why)> =
        all.iter().map(|one| (one.server.clone(), one.why)).collect();
    let mut told = session.told.lock();
    let json = match json.get(&["servers"]).map(str::to_owned) {
        Some(servers) if servers == told.servers => {
            json.without(&["servers"]).without(&["servers_left_out"])
        }
        Some(servers) => {
            told.servers = servers;
            json
        }
        None => json,
    };
    let again = !all.is_empty() && told.unsearched == kinds;
    told.unsearched = kinds;
    if all.is_empty() {
        return json.to_string();
    }
    let json = match answer.contains(NO_SERVER) {
        // A server that was not searched is not said to be none.
        true => json.with_items(&["results"], |group| with_hint_of(group, all)),
        false => json,
    };
    let named = json.items(&["not_searched"]).into_iter().map(str::to_owned);
    let texts: Vec<String> = match again && !found_nothing(&json) {
        true => named.chain([quote(&in_short(all))]).collect(),
        false => named.chain(all.iter().map(|one| quote(&one.text))).collect(),
    };
    json.with(&["not_searched"], &format!("[{}]", texts.join(","))).to_string()
}

/// Whether there is a query for which nothing was found.
fn found_nothing(answer: &Json) -> bool {
    answer.items(&["results"]).into_iter().any(|group| {
        let group = Json::assembled(group.to_owned());
        group.items(&["matches"]).is_empty() && group.items(&["call_directly"]).is_empty()
    })
}

/// The answer to a search that found nothing with the kinds that it did not go through.
pub(super) fn with_other_kinds(answer: String, catalog: &Catalog) -> String {
    let Ok(found) = Json::parse(answer.clone()) else { return answer };
    if !found_nothing(&found) {
        return answer;
    }
    let kinds = catalog.kinds().into_iter().filter(|kind| *kind != "skill").chain(["result"]);
    let kinds = serde_json::json!({"kinds": kinds.collect::<Vec<_>>()});
    let text =
        format!("{kinds} searches what is not a tool; a result is what an earlier call returned");
    found.with(&["other_kinds"], &quote(&text)).to_string()
}

/// What the component says of a server that it does not know.
const NO_SERVER: &str = "there is no server ";

fn with_hint_of(group: &str, all: &[Unsearched]) -> String {
    let group = Json::assembled(group.to_owned());
    let Some(mut hint) = group.text_at(&["hint"]) else { return group.to_string() };
    for one in all {
        let said = format!("{NO_SERVER}{}", one.server);
        let Some(at) = hint.find(&said) else { continue };
        let rest = &hint[at + said.len()..];
        // The whole name, with what is near it.
        let end = match rest.strip_prefix("; near it: ") {
            Some(near) => rest.len() - near.len() + near.find(". ").unwrap_or(near.len()),
            None if rest.is_empty() || rest.starts_with(". ") => 0,
            None => continue,
        };
        let instead = format!("{} was not searched, see not_searched", one.server);
        hint.replace_range(at..at + said.len() + end, &instead);
    }
    group.with(&["hint"], &quote(&hint)).to_string()
}

fn in_short(all: &[Unsearched]) -> String {
    let servers: BTreeSet<&str> = all.iter().map(|one| one.server.as_str()).collect();
    let more = servers.len().saturating_sub(NAMED_AGAIN);
    let named: Vec<&str> = servers.into_iter().take(NAMED_AGAIN).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let soon = all.iter().any(|one| one.why.is_over_soon());
    let again = if soon { "; search once more" } else { "" };
    format!("as before: {}{more}{again}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::identity::Identity;
    use crate::clients::session::Outlet;

    fn one(server: &str, why: Why) -> Unsearched {
        Unsearched { server: server.to_owned(), why, text: format!("{server}: {why:?}") }
    }

    fn session() -> Arc<Session> {
        Session::new("s".to_owned(), Identity::alone(), Outlet::new().0, None)
    }

    #[test]
    fn reasons_are_said_once_and_again_when_they_change_or_nothing_was_found() {
        let found = r#"{"results":[{"query":"q","matches":[{"name":"a"}]}],"searched":9}"#;
        let nothing = r#"{"results":[{"query":"q","matches":[]}],"searched":9}"#;
        let client = session();
        let ask = |answer: &str, all: &[Unsearched]| {
            let text = with_unsearched(answer.to_owned(), all, &client);
            let json = Json::parse(text).unwrap();
            let said = json.items(&["not_searched"]).into_iter();
            said.map(|text| serde_json::from_str(text).unwrap()).collect::<Vec<String>>()
        };
        let two = [one("git", Why::Failed), one("mail", Why::Starting)];
        assert_eq!(ask(found, &two), ["git: Failed", "mail: Starting"]);
        assert_eq!(ask(found, &two), ["as before: git, mail; search once more"]);
        assert_eq!(ask(nothing, &two), ["git: Failed", "mail: Starting"]);
        assert_eq!(ask(found, &two), ["as before: git, mail; search once more"]);
        let changed = [one("git", Why::Failed), one("mail", Why::Failed)];
        assert_eq!(ask(found, &changed), ["git: Failed", "mail: Failed"]);
        assert_eq!(ask(found, &changed[..1]), ["git: Failed"]);
        assert!(ask(found, &[]).is_empty());
        assert_eq!(ask(found, &changed[..1]), ["git: Failed"], "it is news again");
        let own = found.replace("\"searched\"", "\"not_searched\":[\"x: down\"],\"searched\"");
        assert_eq!(ask(&own, &changed[..1]), ["x: down", "as before: git"]);
        // Another client was told nothing.
        let other = session();
        let text = with_unsearched(found.to_owned(), &changed[..1], &other);
        assert!(text.contains("git: Failed"), "{text}");
    }

    #[test]
    fn the_servers_are_listed_once_for_each_client_and_when_they_changed() {
        let listed = |count: u32| {
            format!(
                r#"{{"results":[],"searched":9,"servers":[{{"server":"git","tools":{count}}}],"servers_left_out":2}}"#
            )
        };
        let client = session();
        let ask = |answer: &str| with_unsearched(answer.to_owned(), &[], &client);
        assert_eq!(ask(&listed(3)), listed(3));
        let found = r#"{"results":[],"searched":9}"#;
        assert_eq!(ask(found), found);
        assert_eq!(ask(&listed(3)), found);
        assert_eq!(ask(&listed(4)), listed(4));
        assert_eq!(with_unsearched(listed(4), &[], &session()), listed(4));
    }

    #[test]
    fn a_server_that_was_not_searched_is_not_said_to_be_none() {
        let all = [one("git", Why::Failed), one("git-two", Why::Failed)];
        let said = |hint: &str| {
            let hint = quote(hint);
            let answer = format!(r#"{{"results":[{{"query":"q","hint":{hint},"matches":[]}}]}}"#);
            let json = Json::parse(with_unsearched(answer, &all, &session())).unwrap();
            Json::assembled(json.items(&["results"])[0].to_owned()).text_at(&["hint"]).unwrap()
        };
        let git = "git was not searched, see not_searched";
        assert_eq!(said("there is no server git"), git);
        assert_eq!(
            said("there is no server git; near it: a, b. Leave it out"),
            format!("{git}. Leave it out")
        );
        assert_eq!(
            said("there is no server git-two. x"),
            "git-two was not searched, see not_searched. x"
        );
        assert_eq!(said("there is no server gitty"), "there is no server gitty");
    }

    #[test]
    fn many_servers_are_named_in_short_within_bounds() {
        let all: Vec<Unsearched> =
            (0..30).map(|n| one(&format!("server{n:02}"), Why::Starting)).collect();
        let text = in_short(&all);
        assert!(text.starts_with("as before: server00, server01"), "{text}");
        assert!(text.ends_with("server07 and 22 more; search once more"), "{text}");
    }
}
