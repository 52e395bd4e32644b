//! All tools of all servers, under the names and in the form in which clients see them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::clients::profile::Profile;
use crate::search::names::{Naming, own_uri, public_uri, without_parameters};
use crate::search::siblings::Siblings;
use crate::servers::hints::Hints;
pub use crate::servers::listed::definition_tokens;
use crate::servers::listed::{Listed, MAX_TOOLS};
use crate::servers::spec::Structured;
use crate::servers::upstream::Upstream;
use weir_mcp::json::{self, Json, quote};
use weir_text::tokens;

/// Where an advertised tool keeps the `outputSchema` that its server gave.
pub const META_OUTPUT_SCHEMA: &str = "weir/outputSchema";

/// Where a tool names the user interface that shows its results (MCP Apps, and what was before it).
const UI: [&[&str]; 3] = [
    &["_meta", "ui", "resourceUri"],
    &["_meta", "ui/resourceUri"],
    &["_meta", "openai/outputTemplate"],
];

/// One tool.
#[derive(Debug, Clone)]
pub struct Tool {
    /// Its name for clients: as an argument, or in their lists where it is shown in them.
    pub name: String,
    /// Its name in lists, which clients limit, where that is another.
    listed_as: Option<Box<str>>,
    /// Its server.
    pub upstream: Arc<Upstream>,
    /// Its name at the server.
    pub own_name: String,
    /// Its definition as its server wrote it.
    listed: Listed,
    /// Whether it is shown with its server's name before URIs.
    prefixed: bool,
    /// What it says of itself, as far as its server is trusted.
    pub hints: Hints,
    /// Whether it is listed beside the bridge tools.
    pub pinned: bool,
    /// Whether its results may be replaced.
    pub transform: bool,
    /// Whether it is for the interface of another tool alone: the model neither finds nor calls it (MCP Apps).
    pub for_app: bool,
    /// Whether it is a skill: found and described as tools are, and never called.
    pub is_skill: bool,
}

impl Tool {
    /// Its name at the server as JSON, as the server wrote it where no text can hold it: half of a surrogate pair is
    /// U+FFFD in `own_name`.
    pub(crate) fn sent_name(&self) -> String {
        let written = self.listed.get(&["name"]).filter(|_| self.own_name.contains('\u{fffd}'));
        written.map_or_else(|| quote(&self.own_name), str::to_owned)
    }

    /// Estimated tokens of its definition.
    pub fn definition_tokens(&self) -> u64 {
        let text = |name| self.listed.text_at(&[name]);
        let described = self.upstream.spec.describe.get(&self.own_name).cloned();
        let description = described.or_else(|| text("description")).unwrap_or_default();
        let schema = self.listed.get(&["inputSchema"]).unwrap_or_default();
        tokens::of_definition(self.listed_name(), &description, schema)
    }

    /// The same under its name at the server: as an agent has it without us.
    pub fn own_tokens(&self) -> u64 {
        self.definition_tokens().saturating_sub(self.prefix_tokens())
    }

    /// Estimated tokens by which its name for clients is longer than its own.
    pub fn prefix_tokens(&self) -> u64 {
        tokens::of(self.listed_name()).saturating_sub(tokens::of(&self.own_name))
    }

    /// Estimated tokens of `$schema` in its definition.
    pub fn dialect_tokens(&self) -> u64 {
        let dialect = self.listed.get(&["inputSchema", "$schema"]);
        dialect.map_or(0, |dialect| tokens::of(&format!("\"$schema\":{dialect},")))
    }

    /// Its name in clients' lists.
    pub fn listed_name(&self) -> &str {
        self.listed_as.as_deref().unwrap_or(&self.name)
    }

    /// Its definition as its server wrote it.
    pub(crate) fn listed(&self) -> &Json {
        &self.listed
    }

    /// Whether a user interface shows its results.
    pub fn has_interface(&self) -> bool {
        UI.iter().any(|path| self.listed.text_at(path).is_some())
    }

    /// Whether its results are said to be something else than an object.
    pub(crate) fn gives_no_object(&self) -> bool {
        self.listed.get(&["outputSchema"]).is_some_and(|schema| schema.starts_with('{'))
            && self.listed.text_at(&["outputSchema", "type"]).as_deref() != Some("object")
    }

    /// Its definition for a client whose revision has structured content that is an object alone.
    pub(crate) fn definition_of_objects(&self) -> Json {
        let definition = self.definition();
        match definition.at(&["outputSchema"]) {
            Some(schema) if self.gives_no_object() => {
                definition.with(&["outputSchema"], object_of(schema).as_str())
            }
            _ => definition,
        }
    }

    /// Its definition for clients, made for each of them: in memory is what servers wrote, once for all catalogs.
    pub fn definition(&self) -> Json {
        let spec = &self.upstream.spec;
        let strip_schema = spec.transform && spec.structured == Structured::Excerpt;
        let description = spec.describe.get(&self.own_name);
        let public = public_definition(&self.listed, self.listed_name(), description, strip_schema);
        with_public_ui(public, self.prefixed.then_some(self.upstream.name()))
    }

    /// Whether its results are shown by the user interface that its server has under this URI.
    pub fn shows_itself_by(&self, uri: &str) -> bool {
        let own =
            own_uri(uri).filter(|(server, _)| self.prefixed && *server == self.upstream.name());
        UI.iter().any(|path| {
            let Some(named) = self.listed.text_at(path) else { return false };
            named == uri || own.as_ref().is_some_and(|(_, own)| *own == named)
        })
    }

    /// A tool with its names: as an argument and in lists.
    fn found(
        (upstream, own_name, _, definition): Found<'_>,
        (name, listed): (String, String),
        naming: &Naming,
    ) -> Tool {
        let spec = &upstream.spec;
        let is_skill = definition.is_skill();
        let is_listed =
            spec.is_pinned(&own_name) || UI.iter().any(|ui| definition.text_at(ui).is_some());
        let listed_as = (listed != name && !is_skill && !is_listed).then(|| listed.as_str().into());
        let name = if is_listed { listed } else { name };
        Tool {
            listed_as,
            prefixed: naming.prefix,
            is_skill,
            hints: match spec.trust {
                _ if is_skill => Hints::READS,
                _ if spec.only_reads(&own_name) => Hints::READS,
                true => Hints::of(&definition),
                false => Hints::UNKNOWN,
            },
            pinned: spec.is_pinned(&own_name) && !is_skill,
            transform: spec.transform,
            for_app: is_for_app(&definition),
            upstream: Arc::clone(upstream),
            listed: definition,
            own_name,
            name,
        }
    }

    /// A tool that its server does not list.
    pub fn unlisted(upstream: &Arc<Upstream>, name: &str) -> Tool {
        Tool {
            name: name.to_owned(),
            listed_as: None,
            upstream: Arc::clone(upstream),
            own_name: name.to_owned(),
            listed: Listed::from(Json::empty()),
            prefixed: false,
            hints: Hints::UNKNOWN,
            pinned: false,
            transform: upstream.spec.transform,
            for_app: false,
            is_skill: false,
        }
    }
}

/// A tool before it has its name: its server, its name there, the name that it shall have, its definition.
type Found<'u> = (&'u Arc<Upstream>, String, String, Listed);

/// All tools. Never changed: a change makes a new one.
#[derive(Debug, Default)]
pub struct Catalog {
    tools: Vec<Tool>,
    /// Their places, by name.
    by_name: Vec<u32>,
    /// Those that have another name in lists, by it.
    by_listed_name: Vec<u32>,
    /// By the server's own name.
    by_own_name: Vec<u32>,
    tokens: OnceLock<u64>,
    rest: Rest,
}

/// What a catalog has beside its tools.
#[derive(Debug, Default, Clone)]
struct Rest {
    /// The servers of which not all tools are in it, as there would be too many.
    cut: Vec<String>,
    /// The servers that have resources or prompts.
    others: Vec<(String, &'static str)>,
    /// Tools that are not in it, which the others may name.
    left_out: Siblings,
}

impl Catalog {
    /// The tools that `upstreams` are known to have, by server and then in each server's order.
    pub fn build(upstreams: &[Arc<Upstream>], naming: &Naming, reserved: &[&str]) -> Catalog {
        let mut order: Vec<&Arc<Upstream>> = upstreams.iter().collect();
        order.sort_by_key(|upstream| upstream.name());
        let mut found: Vec<Found<'_>> = Vec::new();
        let mut skills = found.clone();
        let mut rest = Rest::default();
        for upstream in order {
            let Some(known) = upstream.known() else { continue };
            for (capability, kind) in [("resources", "resource"), ("prompts", "prompt")] {
                if known.can(&[capability]) {
                    rest.others.push((upstream.name().to_owned(), kind));
                }
            }
            let withheld = upstream.withheld_names();
            let mut seen = HashSet::new();
            if known.cut {
                rest.cut.push(upstream.name().to_owned());
            }
            for definition in known.tools.iter() {
                let Some(own_name) = definition.name() else { continue };
                if own_name.trim().is_empty() || !seen.insert(own_name.clone()) {
                    continue;
                }
                if !upstream.spec.admits(&own_name) || withheld.contains(&own_name) {
                    rest.left_out.add(upstream.name(), own_name);
                    continue;
                }
                let is_skill = definition.is_skill();
                let list = if is_skill { &mut skills } else { &mut found };
                let wanted = upstream.spec.rename.get(&own_name).cloned();
                let title = || definition.text_at(&["title"]).filter(|_| is_skill);
                let wanted = wanted.or_else(title).unwrap_or_else(|| own_name.clone());
                list.push((upstream, own_name, wanted, definition.clone()));
            }
        }
        for left_out in cap(&mut found) {
            rest.cut.push(left_out);
        }
        rest.cut.sort();
        rest.cut.dedup();
        rest.cut.iter().for_each(|server| tracing::warn!(server, "{}", too_many()));
        // A skill takes neither place nor name from a tool.
        skills.truncate(MAX_TOOLS - found.len());
        let mut reserved: Vec<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
        let mut named = Vec::new();
        for things in [found, skills] {
            let pairs = things.iter().map(|(upstream, _, name, _)| (upstream.name(), &**name));
            let taken: Vec<&str> = reserved.iter().map(String::as_str).collect();
            let pairs: Vec<(&str, &str)> = pairs.collect();
            let names = naming.whole().assign(&pairs, &taken);
            let brief = |at: usize| without_parameters(pairs[at].1, &parameters(&things[at].3));
            let listed = naming.assign_brief(&pairs, &taken, brief);
            reserved.extend(names.iter().chain(&listed).cloned());
            named.extend(things.into_iter().zip(names.into_iter().zip(listed)));
        }
        named.sort_by(|((one, ..), _), ((other, ..), _)| one.name().cmp(other.name()));
        let tools = named.into_iter().map(|(found, names)| Tool::found(found, names, naming));
        Catalog::of(tools.collect(), rest)
    }

    fn of(mut tools: Vec<Tool>, rest: Rest) -> Catalog {
        for tool in tools.iter_mut().filter(|tool| !tool.is_skill) {
            if let Some(listed) = rest.left_out.unnamed_in(tool.upstream.name(), &tool.listed) {
                tool.listed = Listed::from(listed);
            }
        }
        let mut by_name: Vec<u32> = (0..tools.len() as u32).collect();
        let mut by_own_name = by_name.clone();
        let mut by_listed_name = by_name.clone();
        by_listed_name.retain(|&at| tools[at as usize].listed_as.is_some());
        by_listed_name.sort_by_key(|&at| tools[at as usize].listed_name());
        by_name.sort_by_key(|&at| &*tools[at as usize].name);
        by_own_name.sort_by_key(|&at| &*tools[at as usize].own_name);
        Catalog { tools, by_name, by_listed_name, by_own_name, tokens: OnceLock::new(), rest }
    }

    /// What a client of this profile may see of it.
    pub fn admitted(&self, profile: &Profile) -> Catalog {
        let admits = |tool: &&Tool| profile.admits_tool(tool.upstream.name(), &tool.own_name);
        let (there, left): (Vec<&Tool>, Vec<&Tool>) = self.tools.iter().partition(admits);
        let mut rest = self.rest.clone();
        rest.others.retain(|(server, _)| profile.may_admit_tools_of(server));
        for tool in left {
            rest.left_out.add(tool.upstream.name(), tool.own_name.clone());
        }
        Catalog::of(there.into_iter().cloned().collect(), rest)
    }

    /// All tools.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tools that a model may call: without the skills, and without what is for interfaces alone.
    pub fn callable(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(|tool| !tool.is_skill && !tool.for_app)
    }

    /// The tools that are for interfaces alone.
    pub fn for_apps(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(|tool| tool.for_app)
    }

    /// The skills.
    pub fn skills(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().filter(|tool| tool.is_skill)
    }

    /// The servers of which not all tools are in it.
    pub(crate) fn cut(&self) -> &[String] {
        &self.rest.cut
    }

    /// Whether any of a server's tools are in it.
    pub(crate) fn has_of(&self, server: &str) -> bool {
        self.tools.iter().any(|tool| tool.upstream.name() == server)
    }

    /// What there is beside tools, as searches call it.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        let has = |kind: &str| match kind {
            "skill" => self.skills().next().is_some(),
            kind => self.rest.others.iter().any(|(_, other)| *other == kind),
        };
        ["skill", "resource", "prompt"].into_iter().filter(|kind| has(kind)).collect()
    }

    /// A text of a server without the names of its tools that are not in it.
    pub(crate) fn unnamed<'t>(&self, server: &str, text: &'t str) -> Cow<'t, str> {
        self.rest.left_out.unnamed(server, text)
    }

    /// The tool that clients see under this name.
    pub fn named(&self, name: &str) -> Option<&Tool> {
        let tool = |at: u32| &self.tools[at as usize];
        let at = self.by_name.binary_search_by_key(&name, |&at| &*tool(at).name);
        if let Ok(at) = at {
            return Some(tool(self.by_name[at]));
        }
        let at = self.by_listed_name.binary_search_by_key(&name, |&at| tool(at).listed_name());
        Some(tool(self.by_listed_name[at.ok()?]))
    }

    /// The tools that servers call this.
    fn owned_as(&self, own_name: &str) -> &[u32] {
        let name = |at: u32| &*self.tools[at as usize].own_name;
        let from = self.by_own_name.partition_point(|&at| name(at) < own_name);
        let count = self.by_own_name[from..].partition_point(|&at| name(at) == own_name);
        &self.by_own_name[from..from + count]
    }

    /// The tool of this name: a client's name, else a server's own where only one has it.
    pub fn find(&self, name: &str) -> Option<&Tool> {
        self.named(name).or_else(|| match self.owned_as(name) {
            [only] => self.tools.get(*only as usize),
            _ => self.of_server(name),
        })
    }

    /// The tool whose server's name stands before its own, although clients see it under a shorter one.
    fn of_server(&self, name: &str) -> Option<&Tool> {
        let splits = name.match_indices("__").map(|(at, _)| (&name[..at], &name[at + 2..]));
        let mut tools = splits.flat_map(|(server, own)| {
            let owned = self.owned_as(own).iter().map(|&at| &self.tools[at as usize]);
            owned.filter(move |tool| tool.upstream.name() == server)
        });
        tools.next()
    }

    /// The arguments of a bridge tool with names as clients see them, where others mean exactly one tool: what looks alike
    /// comes after.
    pub(crate) fn with_exact_names(&self, arguments: &str) -> Option<String> {
        let exact = |name: &str| {
            let name = json::string(name)?;
            self.find(&name).filter(|tool| tool.name != name).map(|tool| quote(&tool.name))
        };
        let mut changed = Json::parse(arguments.to_owned()).ok()?;
        if let Some(name) = changed.get(&["name"]).and_then(exact) {
            changed = changed.with(&["name"], &name);
        }
        let lists = |json: &Json, member: &str| {
            json.get(&[member]).is_some_and(|list| list.trim_start().starts_with('['))
        };
        if lists(&changed, "names") {
            changed = changed
                .with_items(&["names"], |name| exact(name).unwrap_or_else(|| name.to_owned()));
        }
        if lists(&changed, "calls") {
            changed = changed.with_items(&["calls"], |call| {
                let call = Json::assembled(call.to_owned());
                let name = call.get(&["name"]).and_then(exact);
                name.map_or(call.clone(), |name| call.with(&["name"], &name)).to_string()
            });
        }
        (changed.as_str() != arguments).then(|| changed.to_string())
    }

    /// The tools that servers call this, where several have it: their names for clients.
    pub fn sharing(&self, own_name: &str) -> Vec<&str> {
        match self.owned_as(own_name) {
            [] | [_] => Vec::new(),
            shared => shared.iter().map(|&at| &*self.tools[at as usize].name).collect(),
        }
    }

    /// Whether clients would see a difference.
    pub fn differs(&self, other: &Catalog) -> bool {
        self.tools.len() != other.tools.len()
            || self.kinds() != other.kinds()
            || self.tools.iter().zip(&other.tools).any(|(a, b)| {
                a.listed != b.listed
                    || a.name != b.name
                    || a.listed_as != b.listed_as
                    || a.pinned != b.pinned
                    || !Arc::ptr_eq(&a.upstream, &b.upstream) && a.definition() != b.definition()
            })
    }

    /// Estimated tokens of all definitions.
    pub fn definition_tokens(&self) -> u64 {
        *self.tokens.get_or_init(|| self.callable().map(Tool::definition_tokens).sum())
    }

    /// The same under their names at their servers.
    pub fn own_tokens(&self) -> u64 {
        let prefixes: u64 = self.callable().map(Tool::prefix_tokens).sum();
        self.definition_tokens().saturating_sub(prefixes)
    }
}

/// The names of a tool's parameters, the longest first.
fn parameters(definition: &Json) -> Vec<Cow<'_, str>> {
    let properties = definition.get(&["inputSchema", "properties"]).unwrap_or("{}");
    let mut names: Vec<_> = json::members(properties).into_iter().map(|(name, _)| name).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names
}

/// Whether a definition is for the user interface of another tool alone.
fn is_for_app(definition: &Json) -> bool {
    let seers = definition.items(&["_meta", "ui", "visibility"]);
    let is_private =
        definition.text_at(&["_meta", "openai/visibility"]).as_deref() == Some("private");
    is_private || seers.contains(&"\"app\"") && !seers.contains(&"\"model\"")
}

/// A schema of an object with the value as its member `result`, as the TypeScript SDK makes it for older revisions.
/// What its references name stays where they look for it.
fn object_of(mut schema: Json) -> Json {
    let mut shared = String::new();
    for name in ["$defs", "definitions"] {
        if let Some(definitions) = schema.at(&[name]) {
            shared.push_str(&format!(",\"{name}\":{}", definitions.as_str()));
            schema = schema.without(&[name]);
        }
    }
    Json::assembled(format!(
        r#"{{"type":"object","properties":{{"result":{}}},"required":["result"]{shared}}}"#,
        schema.as_str()
    ))
}

/// Why tools of a server are left out.
pub(crate) fn too_many() -> String {
    format!(
        "not all of its tools are offered, as a gateway has at most {MAX_TOOLS}: name those that are wanted under allow"
    )
}

/// Leaves as many tools as a catalog has: first those that a server's entry names, then the first of each server in turn.
/// Returns the servers that lost some.
fn cap(found: &mut Vec<Found<'_>>) -> Vec<String> {
    if found.len() <= MAX_TOOLS {
        return Vec::new();
    }
    let mut turns: HashMap<&str, usize> = HashMap::new();
    let mut order: Vec<(bool, usize, usize)> = Vec::with_capacity(found.len());
    for (at, (upstream, own_name, ..)) in found.iter().enumerate() {
        let turn = turns.entry(upstream.name()).or_default();
        *turn += 1;
        order.push((!upstream.spec.names(own_name), *turn, at));
    }
    order.sort_unstable();
    let left_out: BTreeSet<usize> = order.drain(MAX_TOOLS..).map(|(.., at)| at).collect();
    let servers = left_out.iter().map(|&at| found[at].0.name().to_owned());
    let servers: BTreeSet<String> = servers.collect();
    let mut at = 0..;
    found.retain(|_| at.next().is_none_or(|at| !left_out.contains(&at)));
    servers.into_iter().collect()
}

/// The definition with the client's name, and without a schema that results may not keep to.
fn public_definition(
    definition: &Json,
    name: &str,
    description: Option<&String>,
    strip_schema: bool,
) -> Json {
    let mut public = definition.clone();
    if public.text_at(&["name"]).as_deref() != Some(name) {
        public = public.with(&["name"], &quote(name));
    }
    if let Some(description) = description {
        public = public.with(&["description"], &quote(description));
    }
    if strip_schema { without_output_schema(&public) } else { public }
}

/// A definition whose schema of results is kept out of the client's way: it holds structured content against it.
pub fn without_output_schema(definition: &Json) -> Json {
    match definition.at(&["outputSchema"]) {
        Some(schema) => definition
            .without(&["outputSchema"])
            .with(&["_meta", META_OUTPUT_SCHEMA], schema.as_str()),
        None => definition.clone(),
    }
}

/// The definition with the URIs of user interfaces as clients can read them, where those name the server.
fn with_public_ui(mut definition: Json, server: Option<&str>) -> Json {
    let Some(server) = server else { return definition };
    for path in UI {
        if let Some(own) = definition.text_at(path).filter(|own| own.starts_with("ui://")) {
            definition = definition.with(path, &quote(&public_uri(server, &own)));
        }
    }
    definition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_interfaces_alone_is_told_from_what_models_may_call() {
        for (meta, is) in [
            (r#"{"ui":{"visibility":["app"]}}"#, true),
            (r#"{"ui":{"visibility":["app","model"]}}"#, false),
            (r#"{"ui":{"visibility":["model"]}}"#, false),
            (r#"{"ui":{"visibility":[]}}"#, false),
            (r#"{"ui":{"visibility":"app"}}"#, false),
            (r#"{"openai/visibility":"private"}"#, true),
            (r#"{"openai/visibility":"public"}"#, false),
            ("{}", false),
        ] {
            let definition = Json::parse(format!(r#"{{"name":"t","_meta":{meta}}}"#)).unwrap();
            assert_eq!(is_for_app(&definition), is, "{meta}");
        }
    }

    #[test]
    fn a_schema_of_no_object_is_wrapped_with_what_it_refers_to() {
        let schema =
            r##"{"type":"array","items":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"integer"}}}"##;
        assert_eq!(
            object_of(Json::parse(schema.into()).unwrap()).as_str(),
            r##"{"type":"object","properties":{"result":{"type":"array","items":{"$ref":"#/$defs/a"}}},"required":["result"],"$defs":{"a":{"type":"integer"}}}"##
        );
    }

    #[test]
    fn a_definition_changes_only_where_it_must() {
        let text = r#"{"x":1.10,"name":"t","outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"vendor":{"b":1,"a":2}}"#;
        let tool = Json::parse(text.into()).unwrap();
        assert_eq!(public_definition(&tool, "t", None, false).as_str(), text);
        assert_eq!(
            public_definition(&tool, "s__t", None, false).as_str(),
            text.replace("\"t\"", "\"s__t\"")
        );
        let stripped = public_definition(&tool, "t", None, true);
        assert_eq!(stripped.get(&["outputSchema"]), None);
        assert_eq!(stripped.get(&["_meta", META_OUTPUT_SCHEMA]), Some(r#"{"type":"object"}"#));
        assert_eq!(
            Hints::of(&tool),
            Hints { read_only: true, destructive: false, idempotent: true, closed_world: false }
        );
        assert_eq!(Hints::of(&Json::parse("{}".into()).unwrap()), Hints::UNKNOWN);
    }
}
