//! Answers to searches: what to call and how, what might do, and what is not there.

use std::collections::BTreeSet;

use super::answer::{Detail, Group, Match, SearchAnswer};
use super::conversation::{Conversation, Shown};
use super::filter::Query;
use crate::limits::{
    ANSWER_MAX_CHARS, ANSWER_MIN_CHARS, SEARCH_ANSWER_CHARS, SEARCH_DEFAULT_LIMIT,
    SEARCH_MAX_CANDIDATES, SEARCH_MAX_LIMIT, SEARCH_MAX_NEAR, SEARCH_MAX_QUERIES, SEARCH_MAX_WEAK,
    SIGNATURE_MAX_CHARS,
};
use crate::search::catalog::definition::Origin;
use crate::search::catalog::names::Found;
use crate::search::catalog::servers::{not_searched, remark, server_counts, server_for};
use crate::search::catalog::tools::{Catalog, Tool};
use crate::search::rank::score::{Band, Options, rank};
use crate::search::text::clean;
use crate::search::text::language;

/// What to search for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchRequest {
    /// Queries, at most [`SEARCH_MAX_QUERIES`]; of each the first
    /// [`crate::limits::SEARCH_QUERY_MAX_CHARS`] characters count.
    pub queries: Vec<String>,
    /// Hits for one query, 1 to [`SEARCH_MAX_LIMIT`]; unset: [`SEARCH_DEFAULT_LIMIT`].
    pub limit: Option<u32>,
    /// What is searched, where that is not everything: tools or skills.
    pub kinds: Option<Kind>,
    /// How much is said about a hit.
    pub detail: Detail,
    /// Characters the answer may have as JSON; unset: [`SEARCH_ANSWER_CHARS`].
    pub max_chars: Option<u32>,
    /// Whether it is said what hits are ranked by: for hosts, which models are not told of.
    pub scores: bool,
}

/// Of what kind hits may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whatever can be called.
    Tool,
    /// Documents with instructions.
    Skill,
}

/// Why there is no answer to a search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// No query has any words.
    #[error(
        "there is no query: send {{\"queries\": [\"app action object\"]}}, one for each thing you want to do"
    )]
    NoQuery,
    /// There are more queries than one search takes.
    #[error(
        "{count} queries are more than one search takes: send at most {limit}, and the others in another search"
    )]
    TooManyQueries {
        /// How many there are.
        count: u32,
        /// How many there may be.
        limit: u32,
    },
}

const QUERY_SHOWN_CHARS: usize = 80;

/// Characters that are told of a tool that is only named.
const NAMED_SUMMARY_CHARS: usize = 40;
const SUMMARY_CHARS: usize = 160;
const SUSPICIOUS_SUMMARY_CHARS: usize = 60;
/// Tools that are named as nearest when no server is for what a query names.
const NEAREST_SHOWN: usize = 3;
const WORDS_SHOWN: usize = 8;
/// Other versions and scopes of a match that are named.
const FAMILY_SHOWN: usize = 4;
const SERVERS_SHOWN: usize = 40;

/// Searches the catalog, and nothing else.
///
/// # Errors
/// [`SearchError`] when there is nothing to search for, or too much.
pub fn search(
    catalog: &Catalog,
    request: &SearchRequest,
    conversation: &Conversation,
) -> Result<SearchAnswer, SearchError> {
    let queries: Vec<&str> = request
        .queries
        .iter()
        .map(|query| query.trim())
        .filter(|query| !query.is_empty())
        .collect();
    if queries.is_empty() {
        return Err(SearchError::NoQuery);
    }
    if queries.len() > SEARCH_MAX_QUERIES {
        return Err(SearchError::TooManyQueries {
            count: queries.len() as u32,
            limit: SEARCH_MAX_QUERIES as u32,
        });
    }
    let limit = request.limit.unwrap_or(SEARCH_DEFAULT_LIMIT).clamp(1, SEARCH_MAX_LIMIT);
    // No query may use up the candidates of the others.
    let limit = (limit as usize).min((SEARCH_MAX_CANDIDATES / queries.len()).max(1));
    // Who does not say how many gets as many by name beside those in detail.
    let named = if request.limit.is_none() { limit } else { 0 };
    let room = Room {
        detailed: limit,
        all: limit + named,
        detail: request.detail,
        scores: request.scores,
    };
    let kind = request.kinds;
    let groups: Vec<Group> =
        queries.iter().map(|query| group(catalog, (query, kind), room, conversation)).collect();
    let mut answer = SearchAnswer {
        groups,
        unanswered: 0,
        total: catalog.tools.len() as u32,
        servers: Vec::new(),
        servers_left_out: 0,
        not_searched: Vec::new(),
        note: conversation.external.note(),
        shown: Vec::new(),
    };
    let found_nothing = |group: &Group| group.matches.is_empty() && group.direct.is_empty();
    let nothing = answer.groups.iter().any(found_nothing);
    // Once in a row of searches, and again when it may be why nothing was found.
    if nothing || conversation.searches.is_empty() {
        answer.not_searched = not_searched(catalog);
        answer.not_searched.truncate(SERVERS_SHOWN);
    }
    let mut list = None;
    if nothing {
        let servers = server_counts(catalog);
        let shown = Shown::of_servers(&servers);
        // What the model has already is no news.
        if !conversation.shown.contains(&shown) {
            answer.servers_left_out = servers.len().saturating_sub(SERVERS_SHOWN) as u32;
            answer.servers = servers.into_iter().take(SERVERS_SHOWN).collect();
            list = Some(shown);
        }
    }
    let max_chars = request.max_chars.map_or(SEARCH_ANSWER_CHARS, |chars| chars as usize);
    fit(&mut answer, max_chars.clamp(ANSWER_MIN_CHARS, ANSWER_MAX_CHARS));
    if request.detail != Detail::Brief {
        answer.shown = shown_in(catalog, &answer);
    }
    if !answer.servers.is_empty() {
        answer.shown.extend(list);
    }
    Ok(answer)
}

/// How many matches a query has room for.
#[derive(Clone, Copy)]
struct Room {
    /// In detail.
    detailed: usize,
    /// These, and those that are only named.
    all: usize,
    /// What is said of the first.
    detail: Detail,
    /// Whether it is said what they are ranked by.
    scores: bool,
}

impl Room {
    /// How many names of what might do come after so many matches: a model looks through ten names at once, whether
    /// they are matches or not.
    fn weak(self, matches: usize) -> usize {
        match matches < self.detailed {
            true => (self.all - matches).clamp(SEARCH_MAX_NEAR, SEARCH_MAX_WEAK),
            false => 0,
        }
    }
}

fn group(
    catalog: &Catalog,
    (text, kind): (&str, Option<Kind>),
    room: Room,
    conversation: &Conversation,
) -> Group {
    let mut query = Query::parse(text);
    if let Some(kind) = kind {
        query.only(kind == Kind::Skill);
    }
    let mut group = Group { query: clean::one_line(text, QUERY_SHOWN_CHARS), ..Group::default() };
    let mut hints = query.complaints.clone();
    let mut is_shared = false;
    if query.select.is_empty() {
        ranked(catalog, &query, room, conversation, &mut group);
    } else {
        let shared =
            selected_by_name(catalog, &query.select, room.detail, conversation, &mut group);
        is_shared = !shared.is_empty() && group.unmatched.is_empty();
        hints.extend(shared);
        group.left_out = u32::try_from(query.more_names).unwrap_or(u32::MAX);
    }
    hints.extend(query.servers.iter().filter_map(|server| remark(catalog, server)));
    // A server that is there, and has no tools now, is not missing.
    group.services.retain(|service| match server_for(catalog, service) {
        Some(why) => {
            if !hints.contains(&why) {
                hints.push(why);
            }
            false
        }
        None => true,
    });
    if !group.services.is_empty() {
        let nearest = group.matches.iter().map(|hit| hit.name.as_str());
        let nearest = nearest.chain(group.weak.iter().map(String::as_str)).take(NEAREST_SHOWN);
        let nearest: Vec<&str> = nearest.collect();
        let mut hint = format!("No server for: {}", group.services.join(", "));
        if !nearest.is_empty() {
            hint.push_str(&format!("; nearest: {}", nearest.join(", ")));
        }
        hints.push(hint);
    }
    // Not what is hardly like it: a translation finds what was meant.
    let misread = group.corrections.iter().map(|(written, _)| written);
    let strange: Vec<&str> = group.unmatched.iter().chain(misread).map(String::as_str).collect();
    if let Some(hint) = language::hint(text, &strange).filter(|_| !group.is_native) {
        group.weak.clear();
        hints.insert(0, hint.to_owned());
    }
    if group.matches.is_empty() && group.direct.is_empty() && !is_shared {
        hints.push(advice(&group, query.conditions()));
    }
    group.hint = (!hints.is_empty()).then(|| clean::one_line(&hints.join(". "), 400));
    group
}

/// Takes the tools that are asked for by name. Returns what there is to say of names that several tools have.
fn selected_by_name(
    catalog: &Catalog,
    names: &[String],
    detail: Detail,
    conversation: &Conversation,
    group: &mut Group,
) -> Vec<String> {
    let mut shared = Vec::new();
    group.is_selected = true;
    let (asked, rest) = names.split_at(names.len().min(SEARCH_MAX_CANDIDATES));
    group.not_shown = rest.iter().map(|name| clean::one_line(name, 64)).collect();
    for name in asked {
        match catalog.find(name) {
            Found::One(at) => {
                let tool = &catalog.tools[at];
                if group.matches.iter().any(|hit| hit.name == tool.id) {
                    continue;
                }
                if conversation.sees(&tool.id) {
                    push_once(&mut group.direct, &tool.id);
                } else {
                    group.matches.push(matching(catalog, tool, detail));
                }
            }
            Found::Many(places) => {
                let ids = places.iter().take(SEARCH_MAX_NEAR).map(|&at| &*catalog.tools[at].id);
                let ids: Vec<&str> = ids.collect();
                shared.push(format!(
                    "{} tools have the name {}: ask for one of them ({})",
                    places.len(),
                    clean::one_line(name, 64),
                    ids.join(", ")
                ));
                ids.into_iter().for_each(|id| push_once(&mut group.weak, id));
            }
            Found::None => {
                push_once(&mut group.unmatched, &clean::one_line(name, 64));
                for near in catalog.near(name, SEARCH_MAX_NEAR) {
                    push_once(&mut group.weak, near);
                }
            }
        }
    }
    group.weak.truncate(SEARCH_MAX_NEAR);
    group.unmatched.truncate(WORDS_SHOWN);
    shared
}

fn ranked(
    catalog: &Catalog,
    query: &Query,
    room: Room,
    conversation: &Conversation,
    group: &mut Group,
) {
    let mask = query.is_filter().then(|| query.mask(catalog));
    let admit = |at: usize| mask.as_ref().is_none_or(|mask| mask[at]);
    if query.words.is_empty() {
        // A filter alone asks for all that it lets through, by name.
        for at in (0..catalog.tools.len()).filter(|&at| admit(at)) {
            take(catalog, at, room, conversation, group);
        }
        return;
    }
    // What is visible already takes no place among the matches, and those that might do come
    // after them.
    let most = room.all + conversation.visible.len() + SEARCH_MAX_WEAK;
    let external = conversation.external.terms(&query.words, catalog.tools.len());
    let named = catalog.names.named(&query.words);
    let name = |at: usize| {
        let definition = &catalog.tools[at].definition;
        (&*definition.server, &*definition.name)
    };
    let options = Options {
        name: Some(&name),
        limit: most,
        admit: Some(&admit),
        named: &named,
        deprecated: &catalog.deprecated,
        external: external.as_deref(),
        ..Options::default()
    };
    let ranking = rank(&catalog.index, &query.words, options);
    for hit in &ranking.hits {
        let tool = &catalog.tools[hit.document];
        match hit.band {
            Band::Confident => {
                take(catalog, hit.document, room, conversation, group);
            }
            Band::Weak if group.weak.len() < room.weak(group.matches.len()) => {
                push_once(&mut group.weak, &tool.id);
            }
            Band::Weak => {}
        }
    }
    name_families(catalog, &ranking.also, conversation, group);
    if room.scores {
        let shown = group.matches.iter().map(|hit| &hit.name).chain(&group.weak);
        let mut names = BTreeSet::new();
        names.extend(shown);
        let scored = ranking.hits.iter().map(|hit| (&catalog.tools[hit.document].id, hit.score));
        let scored = scored.filter(|(name, _)| names.contains(name));
        group.scores.extend(scored.map(|(name, score)| (name.clone(), score)));
    }
    let mut seen = vec![false; catalog.tools.len()];
    for at in conversation.visible.iter().filter_map(|name| catalog.names.id(name)) {
        seen[at] = true;
    }
    group.left_out += ranking.more.iter().filter(|&&at| !seen[at]).count() as u32;
    let clean = |word: &String| clean::one_line(word, 32);
    group.unmatched = ranking.unmatched.iter().take(WORDS_SHOWN).map(clean).collect();
    group.services = ranking.services;
    group.is_native = ranking.native;
    group.services.truncate(WORDS_SHOWN);
    group.corrections = ranking
        .corrections
        .iter()
        .take(WORDS_SHOWN)
        .map(|correction| (clean(&correction.from), clean(&correction.to)))
        .collect();
}

/// Names beside each match the others of its family. What is visible needs no name.
fn name_families(
    catalog: &Catalog,
    also: &[(usize, usize)],
    conversation: &Conversation,
    group: &mut Group,
) {
    for hit in group.matches.iter_mut().filter(|hit| !hit.named) {
        let of_hit = also.iter().filter(|(head, _)| catalog.tools[*head].id == hit.name);
        let names = of_hit.map(|&(_, own)| &catalog.tools[own].id);
        let names = names.filter(|name| !conversation.sees(name));
        hit.also = names.take(FAMILY_SHOWN).cloned().collect();
    }
}

fn take(catalog: &Catalog, at: usize, room: Room, conversation: &Conversation, group: &mut Group) {
    let tool = &catalog.tools[at];
    if conversation.sees(&tool.id) {
        if group.direct.len() < SEARCH_MAX_NEAR && group.matches.len() < room.detailed {
            push_once(&mut group.direct, &tool.id);
        }
    } else if group.matches.len() < room.detailed {
        group.matches.push(matching(catalog, tool, room.detail));
    } else if group.matches.len() < room.all {
        let hit = matching(catalog, tool, Detail::Brief);
        let summary = match !tool.trusted && tool.suspicious {
            true => String::new(),
            false => clean::one_line(&hit.summary, NAMED_SUMMARY_CHARS),
        };
        let Match { name, kind, unavailable, .. } = hit;
        let named = true;
        group.matches.push(Match { name, kind, summary, unavailable, named, ..Match::default() });
    } else {
        group.left_out += 1;
    }
}

fn matching(catalog: &Catalog, tool: &Tool, detail: Detail) -> Match {
    let is_skill = tool.definition.origin == Origin::Skill;
    let (signature, read) = match detail {
        Detail::Brief => Default::default(),
        _ if is_skill => (String::new(), reading(catalog, tool)),
        _ => (tool.signature(SIGNATURE_MAX_CHARS), String::new()),
    };
    // A suspicious text is quoted and short: enough to tell tools apart, too little to persuade.
    let summary = tool.summary(SUMMARY_CHARS);
    let summary = match !tool.trusted && tool.suspicious {
        true => format!("\"{}\"", tool.summary(SUSPICIOUS_SUMMARY_CHARS)),
        false => summary,
    };
    Match {
        name: tool.id.clone(),
        kind: is_skill.then(|| Origin::Skill.as_str()),
        also: Vec::new(),
        read,
        signature,
        summary,
        server: clean::label(&tool.definition.server).into_owned(),
        risk: tool.risk().told(),
        unavailable: catalog.state(tool).unavailable().map(str::to_owned),
        exact_schema: (detail == Detail::Full && !is_skill)
            .then(|| tool.definition.input_schema.clone()),
        named: false,
    }
}

/// The call that shows a skill.
fn reading(catalog: &Catalog, skill: &Tool) -> String {
    format!("{} {{\"names\":[\"{}\"]}}", catalog.bridge.describe, skill.id)
}

fn advice(group: &Group, conditions: usize) -> String {
    let mut advice = String::new();
    let language = if group.is_native { "" } else { "English " };
    if !group.unmatched.is_empty() {
        let words = group.unmatched.join(", ");
        advice.push_str(&format!("No tool has the words: {words}. "));
    }
    let what = if !group.weak.is_empty() {
        "No sure match; look at the weak ones with select:NAME, or use other words for what \
         you want to do"
    } else if conditions > 1 {
        "Nothing passes all conditions; leave one out"
    } else if conditions == 1 {
        "Nothing passes the condition; leave it out"
    } else {
        &format!(
            "Nothing matches; try other {language}words for what you want to do (app action object), \
             or server:NAME to see what a server has"
        )
    };
    advice.push_str(what);
    advice
}

fn shown_in(catalog: &Catalog, answer: &SearchAnswer) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    for hit in answer.groups.iter().flat_map(|group| &group.matches).filter(|hit| !hit.named) {
        if shown.iter().any(|known| known.name == hit.name) {
            continue;
        }
        if let Some(tool) = catalog.tool(&hit.name) {
            shown.push(Shown::of(tool, hit.exact_schema.is_some()));
        }
    }
    shown
}

fn push_once(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|known| known == name) {
        names.push(name.to_owned());
    }
}

/// Takes away from the answer what does not fit: exact schemas that alone would fill it, then the
/// last hits of the longest groups, then everything else from the end.
fn fit(answer: &mut SearchAnswer, max_chars: usize) {
    for hit in answer.groups.iter_mut().flat_map(|group| &mut group.matches) {
        if hit.exact_schema.as_ref().is_some_and(|schema| schema.chars().count() > max_chars / 2) {
            hit.exact_schema = None;
        }
    }
    loop {
        let mut chars = answer.to_json().chars().count();
        if chars <= max_chars {
            return;
        }
        let mut removed = false;
        while chars > max_chars {
            let Some(longest) = answer.groups.iter_mut().rev().max_by_key(|g| g.matches.len())
            else {
                break;
            };
            let Some(hit) = longest.matches.pop() else { break };
            match longest.is_selected {
                true => longest.not_shown.insert(0, hit.name.clone()),
                false => longest.left_out += 1,
            }
            removed = true;
            chars = chars.saturating_sub(hit.json_chars());
        }
        if removed {
            continue;
        }
        if !answer.not_searched.is_empty() {
            answer.not_searched.clear();
        } else if !answer.servers.is_empty() {
            answer.servers_left_out += answer.servers.len() as u32;
            answer.servers.clear();
        } else if answer.groups.pop().is_some() {
            answer.unanswered += 1;
        } else {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::catalog::bridge_tools::BridgeNames;
    use crate::search::catalog::build::build as catalog_of;
    use crate::search::catalog::definition::ServerState;
    use crate::search::catalog::definition::{Server, Snapshot};
    use crate::search::tests::samples::{ISSUE_SCHEMA, build, many, seeing, small, tool};
    use proptest::prelude::*;

    fn ask(catalog: &Catalog, queries: &[&str]) -> SearchAnswer {
        let queries = queries.iter().map(|query| (*query).to_owned()).collect();
        let request = SearchRequest { queries, ..SearchRequest::default() };
        search(catalog, &request, &Conversation::default()).unwrap()
    }

    fn names(group: &Group) -> Vec<&str> {
        group.matches.iter().map(|hit| hit.name.as_str()).collect()
    }

    #[test]
    fn every_name_that_is_asked_for_is_answered_or_named() {
        let catalog = build(many(300, 3));
        let ids: Vec<String> = catalog.tools.iter().map(|tool| tool.id.clone()).collect();
        for (count, max) in [(25, None), (50, None), (70, Some(2_000)), (300, Some(200_000))] {
            let names = ids[..count].join(",");
            let request = SearchRequest {
                queries: vec![format!("select:{names}")],
                max_chars: max,
                ..SearchRequest::default()
            };
            let answer = search(&catalog, &request, &Conversation::default()).unwrap();
            let group = &answer.groups[0];
            assert_eq!(group.unmatched, Vec::<String>::new(), "no name is cut");
            let shown = group.matches.iter().map(|hit| &hit.name).chain(&group.not_shown);
            let shown: Vec<&String> = shown.collect();
            let named = count.min(2 * SEARCH_MAX_CANDIDATES);
            assert_eq!(shown, ids[..named].iter().collect::<Vec<_>>());
            assert_eq!(group.left_out as usize, count - named);
            assert!(answer.to_json().chars().count() <= max.unwrap_or(8_000) as usize);
        }
        // As much as one call may hold: of many names, or in one.
        for names in ["a,".repeat(4_000_000), "b".repeat(8_000_000), ",".repeat(8_000_000)] {
            let answer = ask(&catalog, &[&format!("select:{names}")]);
            assert!(answer.to_json().chars().count() <= 8_000);
        }
    }

    #[test]
    fn the_servers_are_listed_once_and_again_when_they_changed() {
        let catalog = build(small());
        let ask = |catalog: &Catalog, shown: &[Shown]| {
            let request =
                SearchRequest { queries: vec!["zzzzzz".to_owned()], ..SearchRequest::default() };
            let conversation = Conversation { shown: shown.to_vec(), ..Conversation::default() };
            search(catalog, &request, &conversation).unwrap()
        };
        let first = ask(&catalog, &[]);
        assert!(!first.servers.is_empty());
        let second = ask(&catalog, &first.shown);
        assert!(second.servers.is_empty() && second.shown.is_empty());
        assert!(second.to_json().len() < first.to_json().len());
        assert!(!ask(&build(many(9, 3)), &first.shown).servers.is_empty());
    }

    #[test]
    fn a_hit_says_how_to_call_it() {
        let answer = ask(&build(small()), &["create github issue"]);
        let hit = &answer.groups[0].matches[0];
        assert_eq!(hit.name, "create_issue");
        assert_eq!(
            hit.signature,
            "(owner: string, repo: string, labels?: string[], number?: integer, state?: \"open\"|\"closed\", title?: string)"
        );
        assert_eq!(answer.shown[0].name, "create_issue");
        assert!(
            !answer.shown[0].exact
                && answer.shown[0].parameters.contains(&"owner: string".to_owned())
        );
    }

    #[test]
    fn a_host_that_asks_for_it_is_told_what_hits_are_ranked_by() {
        let catalog = build(small());
        let mut request = SearchRequest {
            queries: vec!["create github issue".to_owned()],
            scores: true,
            ..SearchRequest::default()
        };
        let conversation = Conversation::default();
        let group = search(&catalog, &request, &conversation).unwrap().groups.remove(0);
        let shown = group.matches.iter().map(|hit| &hit.name).chain(&group.weak);
        let scores: Vec<f32> = shown.map(|name| group.scores[name]).collect();
        assert!(scores.is_sorted_by(|one, other| one >= other) && scores[0] > 1.0, "{scores:?}");
        assert_eq!(group.scores.len(), scores.len());
        request.scores = false;
        let unasked = search(&catalog, &request, &conversation).unwrap();
        assert!(unasked.groups[0].scores.is_empty() && !unasked.to_json().contains("scores"));
    }

    #[test]
    fn names_are_loaded_without_ranking() {
        let catalog = build(small());
        let answer = ask(
            &catalog,
            &["select:list_issues, mcp__mail__send_message,nonsense,delete_repositry"],
        );
        assert_eq!(names(&answer.groups[0]), ["list_issues", "send_message"]);
        assert_eq!(answer.groups[0].unmatched, ["nonsense", "delete_repositry"]);
        assert_eq!(answer.groups[0].weak, ["delete_repository"]);
        let exact = ask(&catalog, &["Create-Event"]);
        assert_eq!(names(&exact.groups[0])[0], "create_event");
    }

    #[test]
    fn conditions_narrow_a_query_or_stand_alone() {
        let catalog = build(small());
        let one = |query: &str| -> Vec<String> {
            names(&ask(&catalog, &[query]).groups[0]).into_iter().map(str::to_owned).collect()
        };
        assert_eq!(one("server:GitHub risk:read-only"), ["list_issues"]);
        assert_eq!(one("server:github"), ["create_issue", "delete_repository", "list_issues"]);
        assert_eq!(one("tag:office"), ["create_event"]);
        assert_eq!(one("kind:core"), ["clarify", "terminal"]);
        assert_eq!(one("glob:*_issue*"), ["create_issue", "list_issues"]);
        assert!(one("create +calendar").iter().all(|name| name == "create_event"));
        let none = ask(&catalog, &["server:nowhere issue"]);
        assert!(none.groups[0].matches.is_empty());
        assert!(none.groups[0].hint.as_ref().unwrap().contains("leave it out"));
        let two = ask(&catalog, &["server:nowhere risk:writes issue"]);
        assert!(two.groups[0].hint.as_ref().unwrap().contains("leave one out"));
        assert_eq!(none.servers.len(), 4);
    }

    #[test]
    fn what_is_not_there_is_said_to_be_not_there() {
        let answer = ask(&build(small()), &["book zeppelin flight"]);
        let group = &answer.groups[0];
        assert_eq!(names(group), Vec::<&str>::new());
        assert!(group.unmatched.contains(&"zeppelin".to_owned()), "{group:?}");
        assert!(group.hint.as_ref().unwrap().contains("zeppelin"));
        assert_eq!(answer.servers.iter().map(|s| s.tools).sum::<u32>(), 7);
        let json = answer.to_json();
        assert!(json.contains(r#""servers":[{"server":"calendar","tools":1}"#), "{json}");
    }

    #[test]
    fn who_does_not_say_how_many_gets_ten_names_whether_they_are_matches_or_not() {
        let catalog = build(many(360, 30));
        for (limit, weak) in [(None, 10), (Some(2), 5), (Some(25), 10)] {
            let queries = vec!["rent a zeppelin for the contact in Oslo".to_owned()];
            let request = SearchRequest { queries, limit, ..SearchRequest::default() };
            let group =
                search(&catalog, &request, &Conversation::default()).unwrap().groups.remove(0);
            assert_eq!((group.matches.len(), group.weak.len()), (0, weak), "{limit:?}");
        }
    }

    #[test]
    fn misspelled_words_are_read_and_reported() {
        let answer = ask(&build(small()), &["delete repositroy"]);
        assert_eq!(names(&answer.groups[0])[0], "delete_repository");
        assert!(
            answer.to_json().contains(r#""read":["read \"repositroy\" as \"repository\""]"#),
            "{}",
            answer.to_json()
        );
    }

    #[test]
    fn visible_tools_are_named_and_not_explained() {
        let catalog = build(small());
        let request =
            SearchRequest { queries: vec!["create issue".to_owned()], ..SearchRequest::default() };
        let answer = search(&catalog, &request, &seeing(&["create_issue"])).unwrap();
        assert_eq!(answer.groups[0].direct, ["create_issue"]);
        assert!(!names(&answer.groups[0]).contains(&"create_issue"));
    }

    #[test]
    fn several_queries_share_one_answer_within_its_bound() {
        let catalog = build(many(360, 30));
        let queries: Vec<String> =
            ["invoice", "contact", "ticket", "page", "folder", "release", "comment"]
                .map(|q| format!("create {q}"))
                .to_vec();
        let request = SearchRequest {
            queries: queries.clone(),
            limit: Some(25),
            max_chars: Some(3_000),
            ..SearchRequest::default()
        };
        let answer = search(&catalog, &request, &Conversation::default()).unwrap();
        assert_eq!(answer.groups.len(), 7);
        assert!(answer.to_json().chars().count() <= 3_000);
        // Room is taken from the longest groups, so all keep about as many.
        let sizes: Vec<usize> = answer.groups.iter().map(|g| g.matches.len()).collect();
        assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        assert!(answer.groups.iter().all(|g| g.left_out > 0));
        let eight = SearchRequest { queries: vec!["x".to_owned(); 8], ..SearchRequest::default() };
        assert_eq!(
            search(&catalog, &eight, &Conversation::default()).unwrap_err(),
            SearchError::TooManyQueries { count: 8, limit: 7 }
        );
        let blank = SearchRequest { queries: vec![" ".to_owned()], ..SearchRequest::default() };
        assert_eq!(
            search(&catalog, &blank, &Conversation::default()).unwrap_err(),
            SearchError::NoQuery
        );
    }

    #[test]
    fn full_detail_gives_the_schema_to_the_byte() {
        let odd = "{ \"type\" : \"object\",\n  \"properties\": {} }";
        let mut tools = small();
        tools.push(tool("odd", "spaced", "d", odd));
        tools.push(tool("odd", "broken", "d", "{nope"));
        let catalog = build(tools);
        let request = SearchRequest {
            queries: vec!["select:create_issue,spaced,broken".to_owned()],
            detail: Detail::Full,
            ..SearchRequest::default()
        };
        let answer = search(&catalog, &request, &Conversation::default()).unwrap();
        let json = answer.to_json();
        assert!(json.contains(ISSUE_SCHEMA) && json.contains(odd));
        assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
        assert!(answer.shown.iter().all(|shown| shown.exact));
    }

    #[test]
    fn a_server_that_is_down_says_so() {
        let servers = vec![Server {
            name: "mail".to_owned(),
            description: "Letters. Sends them.".to_owned(),
            state: ServerState::Unavailable("needs login".to_owned()),
            trusted: None,
        }];
        let catalog =
            catalog_of(Snapshot { tools: small(), servers }, BridgeNames::default()).unwrap();
        let json = ask(&catalog, &["select:send_message"]).to_json();
        assert!(json.contains(r#""unavailable":"needs login""#), "{json}");
        let mut others = small();
        others.retain(|tool| tool.server != "mail");
        let servers = catalog.servers.clone();
        let without =
            catalog_of(Snapshot { tools: others, servers }, BridgeNames::default()).unwrap();
        let json = ask(&without, &["zeppelin"]).to_json();
        assert!(
            json.contains(
                r#"{"server":"mail","tools":0,"about":"Letters","unavailable":"needs login"}"#
            ),
            "{json}"
        );
    }

    #[test]
    fn a_skill_is_told_as_one_with_the_call_that_reads_it() {
        let mut tools = small();
        let text = "Pay customers back. Say so when a refund is asked for.";
        let mut skill = tool("desk", "refunds", text, "");
        skill.origin = Origin::Skill;
        tools.push(skill);
        tools.push(tool("desk", "refund_payment", "Refund one payment.", ISSUE_SCHEMA));
        let catalog = build(tools);
        let ask = |kinds, detail| {
            let queries = vec!["refund a customer".to_owned(), "select:refunds".to_owned()];
            let request = SearchRequest { queries, kinds, detail, ..SearchRequest::default() };
            search(&catalog, &request, &Conversation::default()).unwrap()
        };
        for detail in [Detail::Signature, Detail::Full] {
            let both = ask(None, detail);
            let json = both.to_json();
            let hit = r#"{"name":"refunds","kind":"skill","read":"tool_describe {\"names\":[\"refunds\"]}","does":"#;
            assert_eq!(json.matches(hit).count(), 2, "{json}");
            assert_eq!(names(&both.groups[0]).len(), 2, "{json}");
        }
        assert_eq!(names(&ask(Some(Kind::Skill), Detail::Brief).groups[0]), ["refunds"]);
        assert_eq!(names(&ask(Some(Kind::Tool), Detail::Brief).groups[0]), ["refund_payment"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_answer_is_bounded_json(
            queries in proptest::collection::vec("(\\+|server:|select:|re:|tag:)?[a-z_ ]{0,20}\\PC{0,12}", 1..7),
            max in 0u32..9_000, limit in 0u32..60, detail in 0..3u8,
        ) {
            let catalog = build(small());
            let detail = [Detail::Brief, Detail::Signature, Detail::Full][detail as usize];
            let request = SearchRequest { queries, limit: Some(limit), detail, max_chars: Some(max), ..SearchRequest::default() };
            if let Ok(answer) = search(&catalog, &request, &Conversation::default()) {
                let json = answer.to_json();
                prop_assert!(json.chars().count() <= (max as usize).max(ANSWER_MIN_CHARS));
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
                prop_assert_eq!(search(&catalog, &request, &Conversation::default()).unwrap(), answer);
            }
        }
    }

    #[test]
    fn a_deprecated_tool_says_so_and_comes_after_its_successor() {
        let mut tools = small();
        tools.push(tool(
            "wiki",
            "page_make",
            "Create a wiki page. Deprecated: use page_create.",
            "{}",
        ));
        tools.push(tool("wiki", "page_new", "Create a wiki page. Needs a title.", "{}"));
        let catalog = build(tools);
        let answer = ask(&catalog, &["create wiki page"]);
        let names: Vec<_> = answer.groups[0].matches.iter().map(|found| &*found.name).collect();
        assert_eq!(names[..2], ["page_new", "page_make"]);
        let does = &answer.groups[0].matches[1].summary;
        assert_eq!(does, "Deprecated: use page_create. Create a wiki page");
    }

    #[test]
    fn servers_that_could_not_be_searched_are_named_once_in_a_row() {
        let down = Server {
            name: "grafana".to_owned(),
            state: ServerState::Unavailable("refused; next try in 30 s".to_owned()),
            ..Server::default()
        };
        let snapshot = Snapshot { tools: small(), servers: vec![down] };
        let catalog = catalog_of(snapshot, BridgeNames::default()).unwrap();
        let with = |query: &str, searches: &[&str]| {
            let request =
                SearchRequest { queries: vec![query.to_owned()], ..SearchRequest::default() };
            let searches = searches.iter().map(|made| (*made).to_owned()).collect();
            search(&catalog, &request, &Conversation { searches, ..Conversation::default() })
                .unwrap()
        };
        let why = ["grafana: refused; next try in 30 s"];
        assert_eq!(with("create issue", &[]).not_searched, why);
        assert_eq!(with("create issue", &["list issues"]).not_searched, Vec::<String>::new());
        assert_eq!(with("zzzz", &["list issues"]).not_searched, why);
        let hint = with("server:grafana dashboards", &[]).groups[0].hint.clone().unwrap();
        assert!(hint.contains("not available now (grafana: refused"), "{hint}");
        let hint = with("server:githob issue", &[]).groups[0].hint.clone().unwrap();
        assert!(hint.contains("there is no server githob; near it: github"), "{hint}");
    }

    #[test]
    fn a_query_in_another_language_is_told_so_first() {
        let answer = ask(
            &build(small()),
            &["\u{53d1}\u{9001}\u{90ae}\u{4ef6}", "eine Nachricht an den Kunden senden"],
        );
        for group in &answer.groups {
            let hint = group.hint.as_deref().unwrap_or_default();
            assert!(hint.starts_with("Tool texts are in English"), "{hint}");
            assert!(group.weak.is_empty());
        }
    }

    #[test]
    fn a_service_that_no_tool_is_for_is_named() {
        let answer = ask(&build(small()), &["post on linkedin", "github create issue"]);
        let hint = answer.groups[0].hint.as_deref().unwrap_or_default();
        assert!(hint.contains("No server for: linkedin; nearest: "), "{hint}");
        assert!(answer.groups[0].matches.is_empty());
        assert_eq!(answer.groups[1].hint, None);
    }
}
