//! From a model's call to what a host dispatches: the real tool, checked arguments, the risk.
//!
//! Nothing runs here. A batch is resolved whole or not at all, so that no half of it has happened
//! when a model reads that the other half was wrong.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::call::{self, Call, Malformed};
use super::catalog::{Catalog, Tool};
use super::conversation::Conversation;
use super::definition::{Annotations, Origin, Risk, ServerState};
use super::fingerprint::Fingerprint;
use super::names::Found;
use super::screen;
use super::signature::{entries, signature};
use super::validate::{self, Coercion, Violation};
use crate::limits::SIGNATURE_MAX_CHARS;

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
    /// The arguments as JSON, checked and repaired.
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
    pub reason: Reason,
}

/// What is wrong with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// It cannot be read; the text says what to send.
    Malformed(String),
    /// It calls the bridge through the bridge.
    Recursive,
    /// No tool of the catalog has this name; these are near it.
    Unknown(Vec<String>),
    /// The name could mean any of these tools.
    Ambiguous(Vec<String>),
    /// The tool's server is not available, for this reason.
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
    /// The arguments do not fit the schema.
    Invalid(Box<Violation>),
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

impl Catalog {
    /// Resolves what a model sent to the tool that calls tools.
    ///
    /// # Errors
    /// Every [`Refusal`] there is, in the order of the calls. Nothing is to be dispatched then.
    pub fn resolve(
        &self,
        text: &str,
        conversation: &Conversation,
    ) -> Result<Vec<Resolved>, Vec<Refusal>> {
        let calls = call::parse(self, text).map_err(|malformed| vec![refusal_of(malformed)])?;
        let mut resolved = Vec::with_capacity(calls.len());
        let mut refused = Vec::new();
        for (index, call) in calls.into_iter().enumerate() {
            let index = index as u32;
            let name = screen::one_line(&call.name, 80);
            match self.resolve_one(index, call, conversation, false) {
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
        &self,
        name: &str,
        arguments: &str,
        conversation: &Conversation,
    ) -> Result<Resolved, Refusal> {
        let shown = screen::one_line(name, 80);
        let refuse = |reason| Refusal { index: Some(0), name: shown.clone(), reason };
        let arguments = call::parse_arguments(arguments)
            .map_err(|malformed| refuse(Reason::Malformed(malformed.message)))?;
        let call = Call { name: name.to_owned(), arguments, schema: None };
        self.resolve_one(0, call, conversation, true).map_err(refuse)
    }

    fn resolve_one(
        &self,
        index: u32,
        call: Call,
        conversation: &Conversation,
        own_name: bool,
    ) -> Result<Resolved, Reason> {
        let tool = match self.names.id(&call.name) {
            Some(at) => &self.tools[at],
            // The bridge comes before names that are only like a tool's.
            None if self.bridge.mean(&call.name) => return Err(Reason::Recursive),
            None => match self.find(&call.name) {
                Found::One(at) => &self.tools[at],
                Found::Many(places) => {
                    let names = places.iter().take(5).map(|&at| self.tools[at].id.clone());
                    return Err(Reason::Ambiguous(names.collect()));
                }
                Found::None => {
                    let near = self.near(&call.name, 3).into_iter().map(str::to_owned);
                    return Err(Reason::Unknown(near.collect()));
                }
            },
        };
        let state = self.state(tool);
        if let ServerState::Unavailable(reason) = state {
            return Err(Reason::Unavailable(reason));
        }
        let routed = match (own_name, conversation.sees(&tool.id)) {
            (_, true) => Routed::Direct,
            (true, false) => Routed::OwnName,
            (false, false) => Routed::Bridge,
        };
        match routed {
            Routed::Direct if conversation.strict && !own_name => return Err(Reason::Visible),
            Routed::OwnName if conversation.strict => return Err(Reason::Deferred),
            _ => {}
        }
        let schema = tool.parsed_schema();
        if routed != Routed::Direct {
            self.check_shown(tool, schema.as_ref(), &call, conversation)?;
        }
        let (arguments, coerced, unchecked) = check(tool, schema.as_ref(), call.arguments)?;
        let mut fields = super::fingerprint::Fields::default();
        fields.text(&tool.id).text(&arguments);
        Ok(Resolved {
            id: format!("call_{index}_{}", fields.finish().short()),
            tool: tool.id.clone(),
            name: tool.definition.name.clone(),
            server: tool.definition.server.clone(),
            origin: tool.definition.origin,
            arguments,
            risk: tool.definition.annotations.risk(),
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
        &self,
        tool: &Tool,
        schema: Option<&Value>,
        call: &Call,
        conversation: &Conversation,
    ) -> Result<(), Reason> {
        let current =
            || schema.map_or_else(|| "(…)".to_owned(), |s| signature(s, SIGNATURE_MAX_CHARS).text);
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
                return Err(Reason::Unrevealed(current()));
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
        Err(Reason::Changed(Box::new(Changed {
            schema: fingerprint,
            signature: current(),
            added,
            removed,
            changed,
        })))
    }
}

fn refusal_of(malformed: Malformed) -> Refusal {
    Refusal {
        index: malformed.index,
        name: String::new(),
        reason: Reason::Malformed(malformed.message),
    }
}

type CheckedArguments = (String, Vec<Coercion>, Option<String>);

fn check(
    tool: &Tool,
    schema: Option<&Value>,
    arguments: Map<String, Value>,
) -> Result<CheckedArguments, Reason> {
    let arguments = Value::Object(arguments);
    let Some(schema) = schema else {
        let why = tool.opaque.as_ref().map(ToString::to_string).unwrap_or_default();
        return Ok((arguments.to_string(), Vec::new(), Some(format!("the schema is {why}"))));
    };
    let checked = validate::check(schema, arguments).map_err(Reason::Invalid)?;
    Ok((checked.arguments.to_string(), checked.coerced, checked.unchecked))
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
    use super::super::catalog::BridgeNames;
    use super::super::definition::{Server, Snapshot};
    use super::super::describe::DescribeRequest;
    use super::super::samples::{build, seeing, small, tool};
    use super::*;

    const LIST: &str = r#"{"name":"list_issues","arguments":{"owner":"o","repo":"r"}}"#;

    fn reason(catalog: &Catalog, text: &str, conversation: &Conversation) -> Reason {
        catalog.resolve(text, conversation).unwrap_err().remove(0).reason
    }

    #[test]
    fn a_call_is_resolved_to_what_the_host_dispatches() {
        let catalog = build(small());
        let text = r#"{"calls":[{"name":"github.createIssue","arguments":{"owner":"o","repo":"r","number":"7"}}]}"#;
        let calls = catalog.resolve(text, &Conversation::default()).unwrap();
        let call = &calls[0];
        assert_eq!(
            (call.tool.as_str(), call.name.as_str(), call.server.as_str()),
            ("create_issue", "create_issue", "github")
        );
        assert_eq!(call.arguments, r#"{"number":7,"owner":"o","repo":"r"}"#);
        assert_eq!((call.risk, call.routed, call.cold), (Risk::Unknown, Routed::Bridge, false));
        assert_eq!(call.coerced.len(), 1);
        assert_eq!(call.schema, catalog.tool("create_issue").unwrap().schema_fingerprint());
        assert_eq!(catalog.resolve(text, &Conversation::default()).unwrap(), calls);
    }

    #[test]
    fn a_batch_says_what_may_run_side_by_side() {
        let text = r#"[{"name":"list_issues","owner":"o","repo":"r"},
            {"name":"list_issues","owner":"o","repo":"q"},
            {"name":"delete_repository","owner":"o","repo":"r"},
            {"name":"send_message","to":"x"},
            {"name":"list_issues","owner":"o","repo":"r"}]"#;
        let calls = build(small()).resolve(text, &Conversation::default()).unwrap();
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
        let refusals = build(small()).resolve(text, &Conversation::default()).unwrap_err();
        let indices: Vec<_> = refusals.iter().map(|refusal| refusal.index).collect();
        assert_eq!(indices, [Some(1), Some(2)]);
        assert!(
            matches!(&refusals[1].reason, Reason::Invalid(v) if v.constraint.contains("parameter to"))
        );
    }

    #[test]
    fn the_bridge_is_never_called_through_the_bridge() {
        let names = BridgeNames { search: "find_tools".into(), ..BridgeNames::default() };
        let mut tools = small();
        tools.push(tool("evil", "tool_call", "Mine.", "{}"));
        let catalog = Catalog::build(Snapshot { tools, servers: vec![] }, names).unwrap();
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
                Reason::Recursive,
                "{name}"
            );
        }
        // A tool that only bears the name is reached by the name it was given.
        let call =
            &catalog.resolve(r#"{"name":"evil__tool_call"}"#, &Conversation::default()).unwrap()[0];
        assert_eq!((call.name.as_str(), call.server.as_str()), ("tool_call", "evil"));
    }

    #[test]
    fn visible_tools_and_own_names_are_dispatched_unless_strict() {
        let catalog = build(small());
        let lenient = seeing(&["list_issues"]);
        assert_eq!(catalog.resolve(LIST, &lenient).unwrap()[0].routed, Routed::Direct);
        let own = catalog.resolve_named("create_event", r#"{"when":"now"}"#, &lenient).unwrap();
        assert_eq!(own.routed, Routed::OwnName);
        let strict = Conversation { strict: true, ..lenient };
        assert_eq!(reason(&catalog, LIST, &strict), Reason::Visible);
        let refused = catalog.resolve_named("create_event", "{}", &strict).unwrap_err();
        assert_eq!(refused.reason, Reason::Deferred);
        assert!(
            catalog.resolve_named("list_issues", r#"{"owner":"o","repo":"r"}"#, &strict).is_ok()
        );
    }

    #[test]
    fn unknown_and_shared_names_point_to_what_there_is() {
        let mut tools = small();
        tools.push(tool("mail", "create_event", "d", "{}"));
        let catalog = build(tools);
        let unknown = reason(&catalog, r#"{"name":"creat_issue"}"#, &Conversation::default());
        assert_eq!(unknown, Reason::Unknown(vec!["create_issue".to_owned()]));
        let shared = reason(&catalog, r#"{"name":"create_event"}"#, &Conversation::default());
        assert_eq!(
            shared,
            Reason::Ambiguous(vec![
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
        conversation.shown = before.describe(&request, &conversation).unwrap().shown;
        let text = r#"{"name":"send_message","to":"x"}"#;
        assert!(before.resolve(text, &conversation).is_ok());

        let mut tools = small();
        tools[6].input_schema = r#"{"type":"object","properties":{"to":{"type":"array","items":{"type":"string"}},"subject":{"type":"string"}},"required":["to"]}"#.to_owned();
        let after = build(tools.clone());
        let Reason::Changed(changed) = reason(&after, text, &conversation) else { panic!() };
        assert_eq!(changed.added, ["subject?: string"]);
        assert_eq!(changed.removed, ["body?: string"]);
        assert_eq!(changed.changed, ["to: string[]"]);
        assert_eq!(changed.signature, "(to: string[], subject?: string)");

        // Once the new one was shown, or named, the call goes through.
        let mut knows = conversation.clone();
        knows.shown.push(after.tool("send_message").unwrap().as_shown(false));
        let fits = r#"{"name":"send_message","to":["x"]}"#;
        assert!(after.resolve(fits, &knows).is_ok());
        let named = format!(
            r#"{{"name":"send_message","arguments":{{"to":["x"]}},"schema":"{}"}}"#,
            changed.schema.short()
        );
        assert!(after.resolve(&named, &conversation).is_ok());
        let stale = named.replace(&changed.schema.short(), "000000000000");
        assert!(matches!(reason(&after, &stale, &Conversation::default()), Reason::Changed(_)));

        // Another wording of the same parameters stops nobody.
        tools = small();
        tools[6].input_schema = tools[6]
            .input_schema
            .replace(r#""type":"object","#, r#""type":"object","description":"x","#);
        assert!(build(tools).resolve(text, &conversation).is_ok());
    }

    #[test]
    fn reveal_first_wants_the_arguments_shown() {
        let catalog = build(small());
        let mut conversation = Conversation { reveal_first: true, ..Conversation::default() };
        let Reason::Unrevealed(signature) = reason(&catalog, LIST, &conversation) else { panic!() };
        assert!(signature.starts_with("(owner: string, repo: string"));
        conversation.shown.push(catalog.tool("list_issues").unwrap().as_shown(false));
        assert!(catalog.resolve(LIST, &conversation).is_ok());
    }

    #[test]
    fn a_servers_state_decides() {
        let state = |state| {
            let servers = vec![Server { name: "github".to_owned(), state, ..Server::default() }];
            let snapshot = Snapshot { tools: small(), servers };
            Catalog::build(snapshot, BridgeNames::default()).unwrap()
        };
        let cold = state(ServerState::Cold);
        assert!(cold.resolve(LIST, &Conversation::default()).unwrap()[0].cold);
        let down = state(ServerState::Unavailable("no login".to_owned()));
        assert_eq!(
            reason(&down, LIST, &Conversation::default()),
            Reason::Unavailable("no login".to_owned())
        );
    }

    #[test]
    fn a_schema_that_cannot_be_read_lets_the_call_pass_flagged() {
        let catalog = build(vec![tool("x", "odd", "d", "{nope")]);
        let call = &catalog
            .resolve(r#"{"name":"odd","arguments":{"a":1}}"#, &Conversation::default())
            .unwrap()[0];
        assert!(call.unchecked.as_ref().unwrap().starts_with("the schema is malformed"));
        assert_eq!(call.arguments, r#"{"a":1}"#);
    }
}
