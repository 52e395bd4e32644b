//! From a model's call to what a host dispatches: the real tool, checked arguments, the risk.
//!
//! Nothing runs here. A batch is resolved whole or not at all, so that no half of it has happened
//! when a model reads that the other half was wrong.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::limits::SIGNATURE_MAX_CHARS;
use crate::search::call::parse::{self, Call, Malformed};
use crate::search::catalog::definition::{Annotations, Origin, Risk, ServerState};
use crate::search::catalog::names::Found;
use crate::search::catalog::servers::{unavailable, unavailable_for};
use crate::search::catalog::tools::{Catalog, Tool};
use crate::search::find::conversation::Conversation;
use crate::search::fingerprint::{Fields, Fingerprint};
use crate::search::schema::edits::edited;
use crate::search::schema::measure::compact;
use crate::search::schema::signature::entries;
use crate::search::schema::validate::{self, Coercion, Violation};
use crate::search::text::clean;

/// A call for the host to dispatch, under its own policy, hooks and approvals.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// A name for this call: the same for the same call at the same place of a batch.
    pub id: String,
    /// What the catalog calls the tool.
    pub tool: String,
    /// What its owner calls it.
    pub name: String,
    /// Its server or toolset; empty for none.
    pub server: String,
    /// Who provides it.
    pub origin: Origin,
    /// The arguments as JSON, checked and repaired: in the order and with the digits that were sent,
    /// without white space between tokens.
    pub arguments: String,
    /// What calling it may do, as far as its owner says.
    pub risk: Risk,
    /// What its owner says in full.
    pub annotations: Annotations,
    /// Whether the host must start the server first.
    pub cold: bool,
    /// The digest of the schema the arguments were checked by.
    pub schema: Fingerprint,
    /// How the call came.
    pub routed: Routed,
    /// Slips that were repaired.
    pub coerced: Vec<Coercion>,
    /// What could not be checked, if anything.
    pub unchecked: Option<String>,
    /// Earlier calls of the batch, counted from 0, that this one should wait for: they are on the
    /// same server, and not both of them only read.
    pub conflicts_with: Vec<u32>,
    /// An earlier call of the batch that is the same.
    pub duplicate_of: Option<u32>,
}

/// How a call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routed {
    /// Through the bridge, to a deferred tool.
    Bridge,
    /// Through the bridge, to a visible tool that needed no bridge.
    Direct,
    /// By the tool's own name, though it was deferred.
    OwnName,
}

impl Routed {
    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Routed::Bridge => "bridge",
            Routed::Direct => "direct",
            Routed::OwnName => "own-name",
        }
    }
}

/// Why a call is not dispatched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Which call of the batch, counted from 0; none when no calls could be read at all.
    pub index: Option<u32>,
    /// The tool's name as sent, clipped; empty when there was none.
    pub name: String,
    /// What is wrong.
    pub reason: RefusalReason,
}

/// What is wrong with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalReason {
    /// It cannot be read; the text says what to send.
    Malformed(String),
    /// It calls the bridge through the bridge.
    Recursive,
    /// No tool of the catalog has this name; these are near it.
    Unknown(Vec<String>),
    /// The name could mean any of these tools.
    Ambiguous(Vec<String>),
    /// The tool's server is not available: which it is, and why.
    Unavailable(String),
    /// The tool is visible and must be called directly (strict conversations only).
    Visible,
    /// The tool must be called through the bridge (strict conversations only).
    Deferred,
    /// The tool's parameters were never shown (conversations that reveal first only); this is its
    /// signature.
    Unrevealed(String),
    /// The schema is not the one that was shown.
    Changed(Box<Changed>),
    /// The arguments do not fit the schema: everything that is wrong, at least one violation.
    Invalid(Vec<Violation>),
}

/// What changed in a schema since it was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The digest of the schema as it is.
    pub schema: Fingerprint,
    /// Its signature.
    pub signature: String,
    /// Parameters that are new, as in a signature.
    pub added: Vec<String>,
    /// Parameters that are gone, as they were.
    pub removed: Vec<String>,
    /// Parameters that are not what they were, as they are.
    pub changed: Vec<String>,
}

/// Resolves what a model sent to the tool that calls tools.
///
/// # Errors
/// Every [`Refusal`] there is, in the order of the calls. Nothing is to be dispatched then.
pub fn resolve(
    catalog: &Catalog,
    text: &str,
    conversation: &Conversation,
) -> Result<Vec<Resolved>, Vec<Refusal>> {
    let calls = parse::parse(catalog, text).map_err(|malformed| vec![refusal_of(malformed)])?;
    let mut resolved = Vec::with_capacity(calls.len());
    let mut refused = Vec::new();
    for (index, call) in calls.into_iter().enumerate() {
        let index = index as u32;
        let name = clean::one_line(&call.name, 80);
        match resolve_one(catalog, index, call, conversation, false) {
            Ok(one) => resolved.push(one),
            Err(reason) => refused.push(Refusal { index: Some(index), name, reason }),
        }
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    mark_conflicts(&mut resolved);
    Ok(resolved)
}

/// Resolves a call that a model made by the tool's own name.
///
/// # Errors
/// The [`Refusal`].
pub fn resolve_named(
    catalog: &Catalog,
    name: &str,
    arguments: &str,
    conversation: &Conversation,
) -> Result<Resolved, Refusal> {
    let shown = clean::one_line(name, 80);
    let refuse = |reason| Refusal { index: Some(0), name: shown.clone(), reason };
    let arguments = parse::parse_arguments(arguments)
        .map_err(|malformed| refuse(RefusalReason::Malformed(malformed.message)))?;
    let call = Call { name: name.to_owned(), arguments, schema: None };
    resolve_one(catalog, 0, call, conversation, true).map_err(refuse)
}

fn resolve_one(
    catalog: &Catalog,
    index: u32,
    call: Call,
    conversation: &Conversation,
    own_name: bool,
) -> Result<Resolved, RefusalReason> {
    let tool = match catalog.names.id(&call.name) {
        Some(at) => &catalog.tools[at],
        // The bridge comes before names that are only like a tool's.
        None if catalog.bridge.mean(&call.name) => return Err(RefusalReason::Recursive),
        None => match catalog.find(&call.name) {
            Found::One(at) => &catalog.tools[at],
            Found::Many(places) => {
                let names = places.iter().take(5).map(|&at| catalog.tools[at].id.clone());
                return Err(RefusalReason::Ambiguous(names.collect()));
            }
            Found::None => {
                if let Some(why) = unavailable_for(catalog, &call.name) {
                    return Err(RefusalReason::Unavailable(why));
                }
                let near = catalog.near(&call.name, 3).into_iter().map(str::to_owned);
                return Err(RefusalReason::Unknown(near.collect()));
            }
        },
    };
    let state = catalog.state(tool);
    if let Some(why) = catalog.server(&tool.definition.server).and_then(unavailable) {
        return Err(RefusalReason::Unavailable(why));
    }
    let routed = match (own_name, conversation.sees(&tool.id)) {
        (_, true) => Routed::Direct,
        (true, false) => Routed::OwnName,
        (false, false) => Routed::Bridge,
    };
    match routed {
        Routed::Direct if conversation.strict && !own_name => return Err(RefusalReason::Visible),
        Routed::OwnName if conversation.strict => return Err(RefusalReason::Deferred),
        _ => {}
    }
    let schema = tool.parsed_schema();
    if routed != Routed::Direct {
        check_shown(tool, schema.as_ref(), &call, conversation)?;
    }
    let (arguments, coerced, unchecked) = check(tool, schema.as_ref(), &call.arguments)?;
    let mut fields = Fields::default();
    fields.text(&tool.id).text(&arguments);
    Ok(Resolved {
        id: format!("call_{index}_{}", fields.finish().short()),
        tool: tool.id.clone(),
        name: tool.definition.name.clone(),
        server: tool.definition.server.clone(),
        origin: tool.definition.origin,
        arguments,
        risk: tool.risk(),
        annotations: tool.definition.annotations,
        cold: state == ServerState::Cold,
        schema: tool.schema_fingerprint(),
        routed,
        coerced,
        unchecked,
        conflicts_with: Vec::new(),
        duplicate_of: None,
    })
}

/// Whether the model knows the parameters as they are.
fn check_shown(
    tool: &Tool,
    schema: Option<&Value>,
    call: &Call,
    conversation: &Conversation,
) -> Result<(), RefusalReason> {
    let current = || tool.signature(SIGNATURE_MAX_CHARS);
    let shown = conversation.last_shown(&tool.id);
    let fingerprint = tool.schema_fingerprint();
    let stale_claim = call.schema.as_ref().is_some_and(|hash| !fingerprint.is_named(hash));
    if call.schema.is_some() && !stale_claim {
        return Ok(());
    }
    let before = match shown {
        Some(shown) if shown.schema != fingerprint => shown.parameters.as_slice(),
        Some(_) if !stale_claim => return Ok(()),
        None if !stale_claim && conversation.reveal_first => {
            return Err(RefusalReason::Unrevealed(current()));
        }
        None if !stale_claim => return Ok(()),
        // A digest that was never shown: nothing is known of how it was before.
        _ => &[],
    };
    let mut changed = difference(before, &schema.map(entries).unwrap_or_default());
    let same = changed.iter().all(Vec::is_empty);
    // Only texts changed, and the model did not insist on them.
    if same && !stale_claim {
        return Ok(());
    }
    if before.is_empty() {
        changed = Default::default();
    }
    let [added, removed, changed] = changed;
    Err(RefusalReason::Changed(Box::new(Changed {
        schema: fingerprint,
        signature: current(),
        added,
        removed,
        changed,
    })))
}

fn refusal_of(malformed: Malformed) -> Refusal {
    Refusal {
        index: malformed.index,
        name: String::new(),
        reason: RefusalReason::Malformed(malformed.message),
    }
}

type CheckedArguments = (String, Vec<Coercion>, Option<String>);

fn check(
    tool: &Tool,
    schema: Option<&Value>,
    text: &str,
) -> Result<CheckedArguments, RefusalReason> {
    let Some(schema) = schema else {
        let why = tool.opaque.as_ref().map(ToString::to_string).unwrap_or_default();
        return Ok((compact(text), Vec::new(), Some(format!("the schema is {why}"))));
    };
    // Read for the check alone: what is sent on is the text, in which no number loses a digit.
    let arguments = serde_json::from_str(text).map_err(|error| {
        RefusalReason::Malformed(clean::one_line(&format!("the arguments: {error}"), 160))
    })?;
    let checked = validate::check(schema, arguments).map_err(RefusalReason::Invalid)?;
    let repaired = edited(text, &checked.edits).unwrap_or_else(|| checked.arguments.to_string());
    Ok((compact(&repaired), checked.coerced, checked.unchecked))
}

/// Added, removed and changed parameters, each as in a signature.
fn difference(before: &[String], now: &[String]) -> [Vec<String>; 3] {
    fn by_name(entries: &[String]) -> BTreeMap<&str, &String> {
        let mut by_name = BTreeMap::new();
        for entry in entries {
            let name = entry.split(": ").next().unwrap_or(entry).trim_end_matches('?');
            by_name.insert(name, entry);
        }
        by_name
    }
    let (before, now) = (by_name(before), by_name(now));
    let mut difference: [Vec<String>; 3] = Default::default();
    for (name, entry) in &now {
        match before.get(name) {
            None => difference[0].push((*entry).clone()),
            Some(was) if was != entry => difference[2].push((*entry).clone()),
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|(name, _)| !now.contains_key(*name));
    difference[1].extend(gone.map(|(_, entry)| (*entry).clone()));
    difference
}

/// Fills in which calls of a batch wait for which.
fn mark_conflicts(calls: &mut [Resolved]) {
    for at in 1..calls.len() {
        let (before, rest) = calls.split_at_mut(at);
        let call = &mut rest[0];
        for (index, other) in before.iter().enumerate() {
            let both_read = call.risk == Risk::ReadOnly && other.risk == Risk::ReadOnly;
            if call.server == other.server && !both_read {
                call.conflicts_with.push(index as u32);
            }
            if call.duplicate_of.is_none()
                && call.tool == other.tool
                && call.arguments == other.arguments
            {
                call.duplicate_of = Some(index as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::catalog::bridge_tools::BridgeNames;
    use crate::search::catalog::build::build as catalog_of;
    use crate::search::catalog::definition::{Server, Snapshot};
    use crate::search::find::conversation::Shown;
    use crate::search::find::describe::DescribeRequest;
    use crate::search::find::describe::describe;
    use crate::search::tests::samples::{build, seeing, small, tool};

    const LIST: &str = r#"{"name":"list_issues","arguments":{"owner":"o","repo":"r"}}"#;

    fn reason(catalog: &Catalog, text: &str, conversation: &Conversation) -> RefusalReason {
        resolve(catalog, text, conversation).unwrap_err().remove(0).reason
    }

    #[test]
    fn a_call_is_resolved_to_what_the_host_dispatches() {
        let catalog = build(small());
        let text = r#"{"calls":[{"name":"github.createIssue","arguments":{"owner":"o","repo":"r","number":"7"}}]}"#;
        let calls = resolve(&catalog, text, &Conversation::default()).unwrap();
        let call = &calls[0];
        assert_eq!(
            (call.tool.as_str(), call.name.as_str(), call.server.as_str()),
            ("create_issue", "create_issue", "github")
        );
        assert_eq!(call.arguments, r#"{"owner":"o","repo":"r","number":7}"#);
        assert_eq!((call.risk, call.routed, call.cold), (Risk::Unknown, Routed::Bridge, false));
        assert_eq!(call.coerced.len(), 1);
        assert_eq!(call.schema, catalog.tool("create_issue").unwrap().schema_fingerprint());
        assert_eq!(resolve(&catalog, text, &Conversation::default()).unwrap(), calls);
    }

    #[test]
    fn a_batch_says_what_may_run_side_by_side() {
        let text = r#"[{"name":"list_issues","owner":"o","repo":"r"},
            {"name":"list_issues","owner":"o","repo":"q"},
            {"name":"delete_repository","owner":"o","repo":"r"},
            {"name":"send_message","to":"x"},
            {"name":"list_issues","owner":"o","repo":"r"}]"#;
        let calls = resolve(&build(small()), text, &Conversation::default()).unwrap();
        let conflicts: Vec<_> = calls.iter().map(|call| call.conflicts_with.clone()).collect();
        assert_eq!(conflicts, [vec![], vec![], vec![0, 1], vec![], vec![2]]);
        assert_eq!(calls[4].duplicate_of, Some(0));
        let mut ids: Vec<_> = calls.iter().map(|call| call.id.as_str()).collect();
        ids.dedup();
        assert_eq!(ids.len(), 5);
    }

    #[test]
    fn a_batch_with_a_fault_is_refused_whole() {
        let text = r#"[{"name":"send_message","to":"x"},{"name":"gone"},{"name":"send_message"}]"#;
        let refusals = resolve(&build(small()), text, &Conversation::default()).unwrap_err();
        let indices: Vec<_> = refusals.iter().map(|refusal| refusal.index).collect();
        assert_eq!(indices, [Some(1), Some(2)]);
        assert!(
            matches!(&refusals[1].reason, RefusalReason::Invalid(v) if v[0].constraint.contains("parameter to"))
        );
    }

    #[test]
    fn the_bridge_is_never_called_through_the_bridge() {
        let names = BridgeNames { search: "find_tools".into(), ..BridgeNames::default() };
        let mut tools = small();
        tools.push(tool("evil", "tool_call", "Mine.", "{}"));
        let catalog = catalog_of(Snapshot { tools, servers: vec![] }, names).unwrap();
        for name in [
            "tool_call",
            "tool_search",
            "tool_describe",
            "find_tools",
            "Tool-Call",
            "toolCall",
            "functions.tool_call",
            "mcp__weir__tool_call",
            "FIND TOOLS",
            "weir/tool_describe",
        ] {
            let text = serde_json::json!({"calls": [{"name": name, "arguments": {"calls": [{"name": "clarify"}]}}]});
            assert_eq!(
                reason(&catalog, &text.to_string(), &Conversation::default()),
                RefusalReason::Recursive,
                "{name}"
            );
        }
        // A tool that only bears the name is reached by the name it was given.
        let call = &resolve(&catalog, r#"{"name":"evil__tool_call"}"#, &Conversation::default())
            .unwrap()[0];
        assert_eq!((call.name.as_str(), call.server.as_str()), ("tool_call", "evil"));
    }

    #[test]
    fn visible_tools_and_own_names_are_dispatched_unless_strict() {
        let catalog = build(small());
        let lenient = seeing(&["list_issues"]);
        assert_eq!(resolve(&catalog, LIST, &lenient).unwrap()[0].routed, Routed::Direct);
        let own = resolve_named(&catalog, "create_event", r#"{"when":"now"}"#, &lenient).unwrap();
        assert_eq!(own.routed, Routed::OwnName);
        let strict = Conversation { strict: true, ..lenient };
        assert_eq!(reason(&catalog, LIST, &strict), RefusalReason::Visible);
        let refused = resolve_named(&catalog, "create_event", "{}", &strict).unwrap_err();
        assert_eq!(refused.reason, RefusalReason::Deferred);
        assert!(
            resolve_named(&catalog, "list_issues", r#"{"owner":"o","repo":"r"}"#, &strict).is_ok()
        );
    }

    #[test]
    fn unknown_and_shared_names_point_to_what_there_is() {
        let mut tools = small();
        tools.push(tool("mail", "create_event", "d", "{}"));
        let catalog = build(tools);
        let unknown = reason(&catalog, r#"{"name":"creat_issue"}"#, &Conversation::default());
        assert_eq!(unknown, RefusalReason::Unknown(vec!["create_issue".to_owned()]));
        let shared = reason(&catalog, r#"{"name":"create_event"}"#, &Conversation::default());
        assert_eq!(
            shared,
            RefusalReason::Ambiguous(vec![
                "calendar__create_event".to_owned(),
                "mail__create_event".to_owned()
            ])
        );
    }

    #[test]
    fn a_changed_tool_is_not_called_blindly() {
        let before = build(small());
        let mut conversation = Conversation::default();
        let request =
            DescribeRequest { names: vec!["send_message".to_owned()], ..Default::default() };
        conversation.shown = describe(&before, &request, &conversation).unwrap().shown;
        let text = r#"{"name":"send_message","to":"x"}"#;
        assert!(resolve(&before, text, &conversation).is_ok());

        let mut tools = small();
        tools[6].input_schema = r#"{"type":"object","properties":{"to":{"type":"array","items":{"type":"string"}},"subject":{"type":"string"}},"required":["to"]}"#.to_owned();
        let after = build(tools.clone());
        let RefusalReason::Changed(changed) = reason(&after, text, &conversation) else { panic!() };
        assert_eq!(changed.added, ["subject?: string"]);
        assert_eq!(changed.removed, ["body?: string"]);
        assert_eq!(changed.changed, ["to: string[]"]);
        assert_eq!(changed.signature, "(to: string[], subject?: string)");

        // Once the new one was shown, or named, the call goes through.
        let mut knows = conversation.clone();
        knows.shown.push(Shown::of(after.tool("send_message").unwrap(), false));
        let fits = r#"{"name":"send_message","to":["x"]}"#;
        assert!(resolve(&after, fits, &knows).is_ok());
        let named = format!(
            r#"{{"name":"send_message","arguments":{{"to":["x"]}},"schema":"{}"}}"#,
            changed.schema.short()
        );
        assert!(resolve(&after, &named, &conversation).is_ok());
        let stale = named.replace(&changed.schema.short(), "000000000000");
        assert!(matches!(
            reason(&after, &stale, &Conversation::default()),
            RefusalReason::Changed(_)
        ));

        // Another wording of the same parameters stops nobody.
        tools = small();
        tools[6].input_schema = tools[6]
            .input_schema
            .replace(r#""type":"object","#, r#""type":"object","description":"x","#);
        assert!(resolve(&build(tools), text, &conversation).is_ok());
    }

    #[test]
    fn reveal_first_wants_the_arguments_shown() {
        let catalog = build(small());
        let mut conversation = Conversation { reveal_first: true, ..Conversation::default() };
        let RefusalReason::Unrevealed(signature) = reason(&catalog, LIST, &conversation) else {
            panic!()
        };
        assert!(signature.starts_with("(owner: string, repo: string"));
        conversation.shown.push(Shown::of(catalog.tool("list_issues").unwrap(), false));
        assert!(resolve(&catalog, LIST, &conversation).is_ok());
    }

    #[test]
    fn a_servers_state_decides() {
        let state = |state| {
            let servers = vec![Server { name: "github".to_owned(), state, ..Server::default() }];
            let snapshot = Snapshot { tools: small(), servers };
            catalog_of(snapshot, BridgeNames::default()).unwrap()
        };
        let cold = state(ServerState::Cold);
        assert!(resolve(&cold, LIST, &Conversation::default()).unwrap()[0].cold);
        let down = state(ServerState::Unavailable("no login".to_owned()));
        assert_eq!(
            reason(&down, LIST, &Conversation::default()),
            RefusalReason::Unavailable("github: no login".to_owned())
        );
    }

    #[test]
    fn a_schema_that_cannot_be_read_lets_the_call_pass_flagged() {
        let catalog = build(vec![tool("x", "odd", "d", "{nope")]);
        let call =
            &resolve(&catalog, r#"{"name":"odd","arguments":{"a":1}}"#, &Conversation::default())
                .unwrap()[0];
        assert!(call.unchecked.as_ref().unwrap().starts_with("the schema is malformed"));
        assert_eq!(call.arguments, r#"{"a":1}"#);
    }
}
