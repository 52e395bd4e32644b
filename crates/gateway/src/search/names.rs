//! The names under which clients see what servers have.
//!
//! A tool or prompt is `server__tool`. Where that is too long, has characters that names may not
//! have, or is the name of something else too, it is shortened and ends with eight hex digits of
//! a hash over both parts. What is shortened keeps its start and its end: a verb and the noun that it is about. So names depend on nothing but the set of what there is: not on the order
//! of servers, not on which started first.
//!
//! A resource's URI is put behind the server's name, so that it can be taken apart again.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Our name and version for servers over HTTP.
pub(crate) const USER_AGENT: &str = concat!("weir/", env!("CARGO_PKG_VERSION"));

/// The bridge tool that finds others.
pub(crate) const SEARCH: &str = "tool_search";

/// The bridge tool that calls others, and its variants for clients that ask before they write.
pub(crate) const CALL: &str = "tool_call";
/// The variant for tools that only read.
pub(crate) const CALL_READ: &str = "tool_call_read";
/// The variant for tools that destroy nothing.
pub(crate) const CALL_WRITE: &str = "tool_call_write";

/// Those that call others.
pub(crate) const CALLS: [&str; 3] = [CALL, CALL_READ, CALL_WRITE];

/// The bridge tool that shows schemas.
pub(crate) const DESCRIBE: &str = "tool_describe";

/// The tool that reads stored results back.
pub(crate) const READER: &str = "weir_fetch";

/// All of the bridge tools.
pub(crate) const BRIDGE: [&str; 5] = [SEARCH, DESCRIBE, CALL, CALL_READ, CALL_WRITE];

/// Whether the gateway itself has a tool of this name.
pub fn is_own_tool(name: &str) -> bool {
    name == READER || BRIDGE.contains(&name)
}

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};

use weir_base::hex;
use weir_mcp::json::{Json, quote};

/// `clientInfo` of the gateway itself.
pub(crate) fn own_info() -> Json {
    Json::assembled(format!(r#"{{"name":"weir","version":{}}}"#, quote(env!("CARGO_PKG_VERSION"))))
}

/// How names are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Naming {
    /// Whether the server's name is put before. Without, only clashing names get it.
    pub prefix: bool,
    /// Characters in the longest name. Clients put more before it and allow 64 in all.
    pub max_len: usize,
}

impl Default for Naming {
    fn default() -> Self {
        Naming { prefix: true, max_len: 50 }
    }
}

impl Naming {
    /// Whether the server's name is put before, for so many servers: as the user says, else where there is not just one.
    pub fn prefix_of(said: Option<bool>, servers: usize) -> bool {
        said.unwrap_or(servers != 1)
    }
}

/// Hex digits of the hash in a shortened name.
const HASH_LEN: usize = 8;

/// The least that [`Naming::max_len`] can be, so that a name is more than a hash.
pub(crate) const MIN_NAME_LEN: usize = 16;

/// Characters in the longest name that is an argument, where no client's limit applies: as many as the protocol allows.
const WHOLE_LEN: usize = 128;

/// Characters of a server's name that are left of it where a tool's name is long, too.
const MIN_SERVER_LEN: usize = 8;

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn hash(server: &str, own: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(server.as_bytes());
    hash.update([0]);
    hash.update(own.as_bytes());
    hex(&hash.finalize())
}

impl Naming {
    /// The same for names that are arguments of a bridge tool.
    pub(crate) fn whole(&self) -> Naming {
        Naming { max_len: self.max_len.max(WHOLE_LEN), ..self.clone() }
    }

    /// A name for each pair of server and own name, in the order given; none is in `reserved`.
    pub fn assign(&self, things: &[(&str, &str)], reserved: &[&str]) -> Vec<String> {
        self.assign_brief(things, reserved, |at| things[at].1.to_owned())
    }

    /// The same, where a name that must be shortened is made of what `brief` has for its place.
    pub(crate) fn assign_brief(
        &self,
        things: &[(&str, &str)],
        reserved: &[&str],
        brief: impl Fn(usize) -> String,
    ) -> Vec<String> {
        let max_len = self.max_len.max(MIN_NAME_LEN);
        let joined = |server: &str, own: &str| format!("{server}__{own}");
        let mut plain: Vec<String> = things
            .iter()
            .map(|(server, own)| if self.prefix { joined(server, own) } else { (*own).to_owned() })
            .collect();
        if !self.prefix {
            let uses = count(&plain);
            plain = plain
                .iter()
                .zip(things)
                .map(|(name, (server, own))| match uses.get(name.as_str()) {
                    Some(uses) if *uses > 1 => joined(server, own),
                    _ => name.clone(),
                })
                .collect();
        }
        let uses = count(&plain);
        let mut taken: HashSet<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
        let fits = |name: &str| {
            !name.is_empty()
                && name.len() <= max_len
                && name.chars().all(is_name_char)
                && uses.get(name) == Some(&1)
                && !reserved.contains(&name)
        };
        taken.extend(plain.iter().filter(|name| fits(name)).cloned());
        plain
            .iter()
            .zip(things)
            .enumerate()
            .map(|(at, (name, (server, own)))| {
                if fits(name) {
                    return name.clone();
                }
                let has_server = name.len() > own.len();
                let own_brief = if name.len() > max_len { brief(at) } else { (*own).to_owned() };
                let hash = hash(server, own);
                // A second hash of eight digits that is the same is not expected; a longer one is at hand.
                let mut digits = HASH_LEN;
                loop {
                    let room = (max_len - 1).saturating_sub(digits);
                    let start = shortened(has_server.then_some(*server), &own_brief, room);
                    let short = format!("{}_{}", start.trim_end_matches('_'), &hash[..digits]);
                    if taken.insert(short.clone()) || digits >= hash.len() {
                        return short;
                    }
                    digits += 4;
                }
            })
            .collect()
    }
}

/// What is left of a server's name and of a tool's in so much room. A long name of a server gives way to that of its
/// tool, as far as eight characters of it are left; then the middle of the tool's does.
fn shortened(server: Option<&str>, own: &str, room: usize) -> String {
    const MARKS: [char; 3] = ['_', '-', '.'];
    let clean = |name: &str| -> String {
        name.chars().map(|c| if is_name_char(c) { c } else { '_' }).collect()
    };
    let own = clean(own);
    let mut start = server.map(clean).unwrap_or_default();
    if server.is_some() {
        if start.len() + 2 + own.len() > room {
            start.truncate(room.saturating_sub(own.len() + 2).max(MIN_SERVER_LEN));
            start.truncate(start.trim_end_matches(MARKS).len());
        }
        start.push_str("__");
    }
    let room = room.saturating_sub(start.len());
    if own.len() <= room {
        return start + &own;
    }
    // With no room for both ends there is the start alone.
    let (half, rest) = (room / 2, room.saturating_sub(room / 2 + 1));
    let head = own[..half].trim_end_matches(MARKS);
    let tail = own[own.len() - rest..].trim_start_matches(MARKS);
    match tail.is_empty() {
        true => start + head,
        false => format!("{start}{head}_{tail}"),
    }
}

/// A tool's name without the parameters that it repeats: `get_accounts_account_id_rules` takes an `account_id`.
pub(crate) fn without_parameters(own: &str, parameters: &[Cow<'_, str>]) -> String {
    let mut brief = own.to_owned();
    for parameter in parameters {
        let braces = [format!("_{{{parameter}}}"), format!("/{{{parameter}}}")];
        // A parameter of one word may be the noun that the tool is about.
        let bare = parameter.contains('_').then(|| format!("_{parameter}"));
        for written in braces.iter().chain(&bare) {
            let ends = |at: &usize| !brief[at + written.len()..].starts_with(char::is_alphanumeric);
            // What a name begins with is what it does.
            let found = brief.match_indices(written.as_str()).map(|(at, _)| at);
            if let Some(at) = found.filter(ends).find(|at| *at > 0) {
                brief.replace_range(at..at + written.len(), "");
            }
        }
    }
    brief
}

fn count(names: &[String]) -> HashMap<&str, usize> {
    let mut uses = HashMap::with_capacity(names.len());
    for name in names {
        *uses.entry(name.as_str()).or_insert(0) += 1;
    }
    uses
}

/// The scheme of URIs that clients see.
const SCHEME: &str = "weir:";

/// What a server's own URI of a user interface begins with (MCP Apps). Hosts go by this scheme, so that
/// clients see it too.
const UI: &str = "ui://";

/// What clients' URIs of user interfaces begin with: a host name of ours, then the server's name.
const PUBLIC_UI: &str = "ui://weir/";

/// What the URI of a skill's file begins with (Skills over MCP). The server's name is one more part of its path.
const SKILL: &str = "skill://";

/// What is escaped of a server's name.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A server's URI, or URI template, as clients see it.
pub(crate) fn public_uri(server: &str, uri: &str) -> String {
    let (scheme, uri) = match (uri.strip_prefix(UI), uri.strip_prefix(SKILL)) {
        (Some(rest), _) => (PUBLIC_UI, rest),
        (None, Some(rest)) => (SKILL, rest),
        (None, None) => (SCHEME, uri),
    };
    format!("{scheme}{}/{uri}", utf8_percent_encode(server, ESCAPED))
}

/// What a tool's name has behind the name of `server`, where it begins with it.
pub(crate) fn own_part<'n>(name: &'n str, server: &str) -> Option<&'n str> {
    name.strip_prefix(server)?.strip_prefix("__")
}

/// A notification of a resource as who listens for these URIs knows it; `None` where nobody does.
pub(crate) fn as_subscribed(uris: &BTreeSet<String>, params: Json) -> Option<Json> {
    let uri = params.text_at(&["uri"])?;
    if uris.contains(&uri) {
        return Some(params);
    }
    // By the server's own.
    let (_, own) = own_uri(&uri)?;
    uris.contains(&*own).then(|| params.with(&["uri"], &quote(&own)))
}

/// The server and its URI that a client's URI stands for.
pub(crate) fn own_uri(uri: &str) -> Option<(String, Cow<'_, str>)> {
    let public = [(PUBLIC_UI, UI), (SKILL, SKILL)];
    let public = public.into_iter().find_map(|(from, to)| Some((uri.strip_prefix(from)?, to)));
    let (server, own) = match public {
        Some((rest, scheme)) => {
            let (server, own) = rest.split_once('/')?;
            (server, Cow::Owned(format!("{scheme}{own}")))
        }
        None => {
            let (server, own) = uri.strip_prefix(SCHEME)?.split_once('/')?;
            (server, Cow::Borrowed(own))
        }
    };
    let mut bytes = Vec::with_capacity(server.len());
    let mut rest = server.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    Some((String::from_utf8(bytes).ok()?, own))
}

/// A message's parameters, or a result, with the id of the task that it belongs to as clients know it.
pub(crate) fn with_public_task(server: &str, message: Json) -> Json {
    const RELATED: [&str; 3] = ["_meta", "io.modelcontextprotocol/related-task", "taskId"];
    match message.text_at(&RELATED) {
        Some(own) => message.with(&RELATED, &quote(&public_uri(server, &own))),
        None => message,
    }
}

/// Whether names in a text have this character; others stand between names.
pub(crate) fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// Whether a name in a text can mean nothing but the tool. A plain word may be one of the sentence.
pub(crate) fn is_distinct(name: &str) -> bool {
    let humps = name.chars().zip(name.chars().skip(1));
    let has_humps = humps.into_iter().any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    (has_humps || name.contains(['_', '-'])) && name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn names_are_unique_short_and_independent_of_order() {
        let long = "a_very_long_tool_name_that_goes_on_and_on_and_on_and_on";
        let mut things = vec![
            ("git", "status"),
            ("a", "b__c"),
            ("a__b", "c"),
            ("x y", "tool"),
            ("x_y", "tool"),
            ("s", long),
            ("s", "tööl"),
            ("weir", "fetch"),
        ];
        let naming = Naming::default();
        let reserved = ["weir__fetch"];
        let names = naming.assign(&things, &reserved);
        assert_eq!(names[0], "git__status");
        assert_eq!(names[4], "x_y__tool");
        assert_ne!(names[1], names[2]);
        assert_ne!(names[7], "weir__fetch");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for name in &names {
            assert!(name.len() <= 50 && name.chars().all(is_name_char), "{name}");
        }
        let before: BTreeMap<_, _> = things.iter().copied().zip(names).collect();
        things.reverse();
        for (thing, name) in things.iter().zip(naming.assign(&things, &reserved)) {
            assert_eq!(before[thing], name);
        }
    }

    #[test]
    fn a_long_name_of_a_server_gives_way_to_that_of_its_tool() {
        let server = "io.github.someone/a-rather-long-name-of-a-server";
        for (own, wanted) in [
            ("list", "io.github.someone_a-rather-long-nam__list_"),
            ("create_pull_request_review", "io.github.som__create_pull_request_review_"),
            (
                "a_name_that_is_as_long_as_a_whole_name_may_be_here",
                "io.githu__a_name_that_is_ame_may_be_here_",
            ),
        ] {
            let [name] = &Naming::default().assign(&[(server, own)], &[])[..] else { panic!() };
            assert!(name.starts_with(wanted) && name.len() <= 50, "{name}");
        }
    }

    #[test]
    fn in_any_room_there_is_a_name() {
        for room in 0..60 {
            for server in [None, Some("a"), Some("a-long-name-of-a-server")] {
                let short = shortened(server, "get_accounts_by_id", room);
                let least = server.map_or(0, |name| name.len().min(MIN_SERVER_LEN) + 2);
                assert!(short.len() <= room.max(least), "{room}: {short}");
            }
        }
    }

    #[test]
    fn a_name_gives_up_its_parameters_then_its_middle() {
        let without = |own, parameters: &[&'static str]| {
            let parameters: Vec<_> = parameters.iter().map(|&name| name.into()).collect();
            without_parameters(own, &parameters)
        };
        let parameters = ["account_id", "zone", "id"];
        for (own, brief) in [
            ("get_accounts_account_id_rules", "get_accounts_rules"),
            ("get_/accounts/{account_id}/zones/{zone}", "get_/accounts/zones"),
            ("id_list", "id_list"),
            ("list_zones", "list_zones"),
            ("get_zone", "get_zone"),
        ] {
            assert_eq!(without(own, &parameters), brief);
        }
        let own = "create_a_thing_with_a_name_that_has_no_end_of_words_for_the_invoice";
        let [name] = &Naming::default().assign(&[("s", own)], &[])[..] else { panic!() };
        assert!(name.starts_with("s__create_a_") && name.contains("the_invoice_"), "{name}");
        assert_eq!(Naming::default().whole().assign(&[("s", own)], &[]), [format!("s__{own}")]);
    }

    #[test]
    fn an_update_comes_under_the_address_that_was_subscribed() {
        let update = || Json::parse(r#"{"uri":"weir:s/file:///a"}"#.into()).unwrap();
        let told = |uri: &str| as_subscribed(&BTreeSet::from([uri.to_owned()]), update());
        assert_eq!(told("weir:s/file:///a").unwrap(), update());
        assert_eq!(told("file:///a").unwrap().text_at(&["uri"]).unwrap(), "file:///a");
        assert!(told("file:///b").is_none());
    }

    #[test]
    fn without_prefix_only_clashes_get_one() {
        let naming = Naming { prefix: false, max_len: 50 };
        let names = naming.assign(&[("a", "read"), ("b", "read"), ("b", "write")], &[]);
        assert_eq!(names, ["a__read", "b__read", "write"]);
    }

    #[test]
    fn uris_come_back() {
        for (server, uri) in [
            ("everything", "demo://resource/1?q=%20#f"),
            ("a/b ü%", "file:///{path}"),
            ("x", ""),
            ("desk top", "ui://view/main.html"),
            ("x", "ui://weir/x/a"),
            ("a b", "skill://billing/refunds/SKILL.md"),
        ] {
            let public = public_uri(server, uri);
            assert_eq!(own_uri(&public).unwrap(), (server.to_owned(), uri.into()), "{public}");
        }
        // Hosts tell a user interface by its scheme.
        assert_eq!(public_uri("a b", "ui://view/1"), "ui://weir/a%20b/view/1");
        for uri in
            ["ui://view/1", "ui://weir/x", "file:///x", "weir:", "weir:x", "weir:%/x", "weir:%ff/x"]
        {
            assert_eq!(own_uri(uri), None, "{uri}");
        }
    }
}
