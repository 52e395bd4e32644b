//! From a snapshot to a catalog: checked, named and indexed.

use std::collections::{BTreeMap, BTreeSet};

use weir_text::tokens;

use super::bridge_tools::{BridgeNames, is_bridge_tool};
use super::claims::contradiction;
use super::definition::{Origin, Server, ServerState, Snapshot, ToolDefinition};
use super::names::{Names, NamesOfTool};
use super::tools::{Catalog, Diagnostic, Issue, Options, Tool, sort_diagnostics};
use crate::limits::{
    CATALOG_MAX_BYTES, CATALOG_MAX_TOOLS, DESCRIPTION_MAX_CHARS, LABELS_MAX, PHRASE_MAX_CHARS,
    PHRASES_MAX, TOOL_ID_MAX_CHARS,
};
use crate::search::fingerprint::{Fields, Fingerprint, QuickFields};
use crate::search::index::document;
use crate::search::index::inverted::Index;
use crate::search::pack::read::Pack;
use crate::search::schema::measure::readable;
use crate::search::text::clean;
use crate::search::text::fold::fold;
use crate::search::text::screen::{self, DIVERSION, Suspicion};
use crate::sort::{sort, sort_by, sort_by_cached_key, sort_by_key};

/// Why no catalog was built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The snapshot has more than [`CATALOG_MAX_TOOLS`] tools.
    #[error("{count} tools are more than one catalog holds ({limit}): grant fewer")]
    TooManyTools {
        /// How many it has.
        count: u64,
        /// How many it may have.
        limit: u64,
    },
    /// The definitions have more than [`CATALOG_MAX_BYTES`] bytes.
    #[error(
        "the definitions have {bytes} bytes, more than one catalog holds ({limit}): grant fewer tools"
    )]
    TooLarge {
        /// How many they have.
        bytes: u64,
        /// How many they may have.
        limit: u64,
    },
    /// The bridge tools' names are not three different identifiers.
    #[error("the names of the bridge tools must be three different identifiers")]
    BridgeNames,
}

/// Checks, names and indexes a snapshot. Tools that cannot be used as they are get a
/// [`Diagnostic`]; a bridge tool of an earlier assembly is left out without one, so that
/// assembling twice changes nothing.
///
/// # Errors
/// [`BuildError`] when the snapshot is beyond a limit; nothing is built then.
pub fn build(snapshot: Snapshot, bridge: BridgeNames) -> Result<Catalog, BuildError> {
    let mut builder = Builder::new(bridge, Options::default())?;
    builder.add(snapshot)?;
    Ok(builder.finish())
}

/// A catalog in the making, whose snapshot comes in parts: so no more than one part is in memory beside what is
/// kept of them. The catalog is the same as one built of the whole snapshot.
#[derive(Debug)]
pub struct Builder {
    bridge: BridgeNames,
    options: Options,
    /// As given.
    servers: Vec<Server>,
    /// As given, each with its place in the whole snapshot.
    given: Vec<(u32, ToolDefinition)>,
    /// Tools of all parts, whether they are kept or not, and the bytes of all parts.
    count: u64,
    bytes: u64,
}

impl Builder {
    /// A catalog of nothing so far.
    ///
    /// # Errors
    /// [`BuildError::BridgeNames`].
    pub fn new(bridge: BridgeNames, options: Options) -> Result<Builder, BuildError> {
        let [search, describe, call] = bridge.all();
        let distinct = search != describe && describe != call && search != call;
        if !distinct || !bridge.all().into_iter().all(clean::is_identifier) {
            return Err(BuildError::BridgeNames);
        }
        let (servers, given) = (Vec::new(), Vec::new());
        Ok(Builder { bridge, options, servers, given, count: 0, bytes: 0 })
    }

    /// Takes the next part, behind those before it.
    ///
    /// # Errors
    /// [`BuildError`] when all parts together are beyond a limit; the part is not taken then.
    #[inline(never)]
    pub fn add(&mut self, part: Snapshot) -> Result<(), BuildError> {
        let count = self.count + part.tools.len() as u64;
        if count > CATALOG_MAX_TOOLS as u64 {
            return Err(BuildError::TooManyTools { count, limit: CATALOG_MAX_TOOLS as u64 });
        }
        let bytes = self.bytes + bytes_of(&part);
        if bytes > CATALOG_MAX_BYTES as u64 {
            return Err(BuildError::TooLarge { bytes, limit: CATALOG_MAX_BYTES as u64 });
        }
        self.servers.extend(part.servers);
        self.given.reserve(part.tools.len());
        let tools = (self.count as u32..).zip(part.tools);
        self.given.extend(tools.filter(|(_, tool)| !is_bridge_tool(tool, &self.bridge)));
        (self.count, self.bytes) = (count, bytes);
        Ok(())
    }

    /// The catalog of all parts.
    #[inline(never)]
    pub fn finish(self) -> Catalog {
        let Builder { bridge, options, servers, given, .. } = self;
        // With the hash of each tool: several may share a name.
        let mut found: Vec<(u128, Diagnostic)> = Vec::new();
        let mut tools = judged(given, options, &mut found);
        let mut diagnostics = Vec::new();
        let servers = unique_servers(servers, &mut diagnostics);
        sort_by(&mut tools, |(_, a), (_, b)| canonical_key(a).cmp(&canonical_key(b)));
        drop_repeated(&mut tools, &mut found);
        let given: Vec<u32> = tools.iter().map(|(at, _)| *at).collect();
        let mut order: Vec<u32> = (0..tools.len() as u32).collect();
        sort_by_key(&mut order, |&place| given[place as usize]);
        drop(given);
        let mut tools: Vec<Tool> = tools.into_iter().map(|(_, tool)| tool).collect();
        tools.shrink_to_fit();
        trust(&mut tools, &servers);
        assign_ids(&mut tools, &bridge, &mut diagnostics);
        diagnostics.extend(found.into_iter().map(|(hash, found)| with_id(&tools, hash, found)));
        let names = names_of(&tools);
        find_confusable(&tools, &names, &mut diagnostics);
        find_diversions(&mut tools, &mut diagnostics);
        sort_diagnostics(&mut diagnostics);
        let digest = digest(&tools, &servers, &bridge);
        let index = index_of(&tools);
        let deprecated = deprecated(&tools);
        Catalog { tools, order, servers, bridge, digest, diagnostics, names, deprecated, index }
    }
}

/// The tools of these definitions, with what was found about them.
fn judged(
    given: Vec<(u32, ToolDefinition)>,
    options: Options,
    found: &mut Vec<(u128, Diagnostic)>,
) -> Vec<(u32, Tool)> {
    let tools = given.into_iter().filter_map(|(at, mut definition)| {
        if options.known_phrases {
            add_known_phrases(&mut definition);
        }
        Some((at, admit(definition, found)?))
    });
    tools.collect()
}

/// What the phrase pack knows users to call this tool, behind what the host says of it.
fn add_known_phrases(definition: &mut ToolDefinition) {
    if !matches!(definition.origin, Origin::Mcp | Origin::Plugin) {
        return;
    }
    let names = definition.aliases.iter().chain([&definition.name]).take(LABELS_MAX);
    let known = Pack::shipped().phrases(
        names.map(String::as_str),
        &definition.description,
        &definition.input_schema,
    );
    for phrase in known.into_iter().flatten() {
        if !definition.phrases.contains(&phrase) {
            definition.phrases.push(phrase);
        }
    }
}

/// Bytes of all texts in a snapshot.
fn bytes_of(snapshot: &Snapshot) -> u64 {
    let of_tools = snapshot.tools.iter().map(|tool| {
        let labels = tool.tags.iter().chain(&tool.aliases).chain(&tool.phrases);
        let labels = labels.map(|label| label.len() as u64);
        let texts = [&tool.name, &tool.description, &tool.input_schema, &tool.server];
        texts.iter().map(|text| text.len() as u64).sum::<u64>()
            + labels.sum::<u64>()
            + tool.title.as_ref().map_or(0, |title| title.len() as u64)
    });
    let of_servers =
        snapshot.servers.iter().map(|server| (server.name.len() + server.description.len()) as u64);
    of_tools.chain(of_servers).sum()
}

/// Notes which tools' texts may be shown outside of answers: by what is said of their server, or else by who
/// provides them.
fn trust(tools: &mut [Tool], servers: &[Server]) {
    for of_server in tools.chunk_by_mut(|a, b| a.definition.server == b.definition.server) {
        let server = of_server.first().map_or("", |tool| &*tool.definition.server);
        let at = servers.binary_search_by(|other| (*other.name).cmp(server));
        let said = at.ok().and_then(|at| servers[at].trusted);
        for tool in of_server {
            tool.trusted = said.unwrap_or(tool.definition.origin != Origin::Mcp);
        }
    }
}

/// Sorted, each name once. Of two that differ the one that promises less is kept. A suspicious description of a server that
/// is not trusted is left out.
fn unique_servers(mut servers: Vec<Server>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Server> {
    let caution = |server: &Server| {
        (
            server.name.clone(),
            server.trusted == Some(true),
            std::cmp::Reverse(server.state.clone()),
            server.description.clone(),
        )
    };
    sort_by_cached_key(&mut servers, caution);
    servers.dedup_by(|later, first| later.name == first.name);
    for server in &mut servers {
        let found = screen::suspicions(&server.description);
        if server.trusted != Some(true) && !found.is_empty() {
            server.description.clear();
            diagnostics.extend(found.iter().map(|found| Diagnostic {
                server: server.name.clone(),
                name: String::new(),
                id: None,
                issue: Issue::Suspicious(
                    "server's description".to_owned(),
                    found.as_str().to_owned(),
                ),
            }));
        }
        server.description = clean::one_line(&server.description, 1_000);
        if let ServerState::Unavailable(reason) = &mut server.state {
            *reason = clean::one_line(reason, 200);
        }
    }
    servers
}

/// One definition as a tool, with what there is to say about it. Its name in the catalog and whether it is trusted
/// are known when all are there.
fn admit(mut definition: ToolDefinition, found: &mut Vec<(u128, Diagnostic)>) -> Option<Tool> {
    let mut issues = Vec::new();
    let name = &*definition.name;
    if !clean::is_identifier(name) && clean::one_line(name, 16).is_empty() {
        let (server, name) = (definition.server, definition.name);
        found.push((0, Diagnostic { server, name, id: None, issue: Issue::Nameless }));
        return None;
    }
    clip_description(&mut definition.description, &mut issues);
    let labels = definition.tags.len().max(definition.aliases.len());
    if labels > LABELS_MAX {
        issues.push(Issue::ManyLabels(labels as u64));
    }
    for labels in [&mut definition.tags, &mut definition.aliases] {
        labels.truncate(LABELS_MAX);
        labels
            .retain(|label| label.chars().count() <= TOOL_ID_MAX_CHARS && !label.trim().is_empty());
        sort(labels);
        labels.dedup();
    }
    definition
        .phrases
        .retain(|phrase| phrase.chars().count() <= PHRASE_MAX_CHARS && !phrase.trim().is_empty());
    definition.phrases.truncate(PHRASES_MAX);
    let suspicious = suspicions(&definition, &mut issues);
    let suspicious_name =
        issues.iter().any(|issue| matches!(issue, Issue::Suspicious(text, _) if text == "name"));
    let opaque = match definition.input_schema.as_str() {
        "" => None,
        text => readable(text).err(),
    };
    if let Some(opaque) = &opaque {
        issues.push(Issue::UnreadableSchema(opaque.clone()));
    }
    let claim = definition.annotations.read_only.filter(|claim| *claim);
    let contradiction = claim
        .and_then(|_| contradiction(&definition.server, &definition.name, &definition.description));
    issues.extend(contradiction.clone().map(Issue::UnlikelyClaim));
    let mut tool = Tool {
        id: String::new(),
        tokens: definition_tokens(&definition),
        hash: tool_hash(&definition),
        is_deprecated: false,
        warned_of: warned_of(&definition.description),
        definition,
        opaque,
        trusted: false,
        suspicious,
        suspicious_name,
        unlikely_claim: contradiction.is_some(),
    };
    tool.is_deprecated = tool.deprecation(16).is_some();
    found.extend(issues.into_iter().map(|issue| (tool.hash, Diagnostic::of(&tool, issue))));
    Some(tool)
}

fn clip_description(description: &mut String, issues: &mut Vec<Issue>) {
    // No more characters than bytes: most descriptions need not be counted.
    if description.len() <= DESCRIPTION_MAX_CHARS {
        return;
    }
    if let Some((cut, _)) = description.char_indices().nth(DESCRIPTION_MAX_CHARS) {
        issues.push(Issue::LongDescription(description.chars().count() as u64));
        description.truncate(cut);
    }
}

/// Whether there are marks in a definition.
fn suspicions(definition: &ToolDefinition, issues: &mut Vec<Issue>) -> bool {
    let before = issues.len();
    let mut look = |field: &str, found: Vec<Suspicion>| {
        issues.extend(found.into_iter().map(|found| Issue::suspicious(field, found)));
    };
    look("name", screen::suspicions(&definition.name));
    look("title", screen::suspicions(definition.title.as_deref().unwrap_or_default()));
    look("description", screen::suspicions(&definition.description));
    let mut schema = screen::suspicions(&screen::as_read(&definition.input_schema));
    schema.retain(|found| *found != Suspicion::Control);
    look("schema", schema);
    issues.len() > before
}

fn definition_tokens(definition: &ToolDefinition) -> u32 {
    let ToolDefinition { name, description, input_schema, .. } = definition;
    u32::try_from(tokens::of_definition(name, description, input_schema)).unwrap_or(u32::MAX)
}

/// A hash of all of a definition.
pub(crate) fn tool_hash(definition: &ToolDefinition) -> u128 {
    let mut fields = QuickFields::default();
    fields.text(&definition.server).text(&definition.name);
    match &definition.title {
        Some(title) => fields.number(1).text(title),
        None => fields.number(0),
    };
    fields.text(&definition.description).text(&definition.input_schema);
    let claims = definition.annotations;
    for claim in [claims.read_only, claims.destructive, claims.idempotent, claims.open_world] {
        fields.number(claim.map_or(2, u64::from));
    }
    fields.text(definition.origin.as_str()).number(u64::from(definition.pinned));
    for labels in [&definition.tags, &definition.aliases, &definition.phrases] {
        fields.number(labels.len() as u64);
        for label in labels {
            fields.text(label);
        }
    }
    fields.finish()
}

fn canonical_key(tool: &Tool) -> (&str, &str, u128) {
    (&tool.definition.server, &tool.definition.name, tool.hash)
}

fn drop_repeated(tools: &mut Vec<(u32, Tool)>, found: &mut Vec<(u128, Diagnostic)>) {
    tools.dedup_by(|(at, later), (first_at, first)| {
        let same = canonical_key(later) == canonical_key(first);
        if same {
            found.push((later.hash, Diagnostic::of(later, Issue::Repeated)));
            *first_at = (*first_at).min(*at);
        }
        same
    });
}

/// Gives each tool a name of its own. A name that one tool alone has stays. Of several tools with
/// one name, the agent's own keeps it; the others are called `server__name`. What is then still
/// taken, or reserved, gets a number.
fn assign_ids(tools: &mut [Tool], bridge: &BridgeNames, diagnostics: &mut Vec<Diagnostic>) {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, tool) in tools.iter().enumerate() {
        by_name.entry(plain_name(&tool.definition.name)).or_default().push(at);
    }
    let reserved = bridge.reserved();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut renamed: Vec<(usize, String, Issue)> = Vec::new();
    for (name, places) in by_name {
        let is_reserved = reserved.contains(&fold(&name));
        let core: Vec<usize> = places
            .iter()
            .copied()
            .filter(|&at| tools[at].definition.origin == Origin::Core)
            .collect();
        let keeper = match (places.as_slice(), core.as_slice()) {
            _ if is_reserved => None,
            ([one], _) | (_, [one]) => Some(*one),
            _ => None,
        };
        for at in places {
            if keeper == Some(at) {
                taken.insert(name.clone());
                if name != tools[at].definition.name {
                    renamed.push((at, name.clone(), Issue::UnusualName));
                } else {
                    tools[at].id.clone_from(&name);
                }
            } else {
                let issue = if is_reserved { Issue::Reserved } else { Issue::Renamed };
                let server = plain_name(&tools[at].definition.server);
                let wanted = if server.is_empty() {
                    format!("{name}_tool")
                } else {
                    format!("{server}__{name}")
                };
                renamed.push((at, wanted, issue));
            }
        }
    }
    for (at, wanted, issue) in renamed {
        let id = if issue == Issue::UnusualName {
            wanted
        } else {
            free_name(&wanted, &taken, &reserved)
        };
        taken.insert(id.clone());
        tools[at].id = id;
        diagnostics.push(Diagnostic::of(&tools[at], issue));
    }
}

/// What was found before the tools had their names; a repeated definition points to the one kept.
fn with_id(tools: &[Tool], hash: u128, mut found: Diagnostic) -> Diagnostic {
    let key = (&*found.server, &*found.name, hash);
    let at = tools.binary_search_by(|tool| canonical_key(tool).cmp(&key));
    found.id = at.ok().map(|at| tools[at].id.clone());
    found
}

fn find_confusable(tools: &[Tool], names: &Names, diagnostics: &mut Vec<Diagnostic>) {
    for mut alike in names.alike(|at| &tools[at].id) {
        sort_by(&mut alike, |&a, &b| tools[a].id.cmp(&tools[b].id));
        for pair in alike.windows(2) {
            let (first, other) = (&tools[pair[0]], &tools[pair[1]]);
            diagnostics.push(Diagnostic::of(other, Issue::Confusable(first.id.clone())));
        }
    }
}

/// Marks what tells a model to leave a tool of another server and take this one. What is said of a
/// server's own tools is help.
fn find_diversions(tools: &mut [Tool], diagnostics: &mut Vec<Diagnostic>) {
    let mut places: Vec<usize> = (0..tools.len()).collect();
    places.retain(|&at| !tools[at].trusted && !tools[at].warned_of.is_empty());
    // The servers of what is called so.
    let said = places.iter().flat_map(|&at| &tools[at].warned_of);
    let mut owners: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    owners.extend(said.map(|name| (&**name, BTreeSet::new())));
    for ToolDefinition { server, name, .. } in tools.iter().map(|tool| &tool.definition) {
        // Under its own name as well, as "the mail server" names one.
        for name in [name, server] {
            owners.entry(name).and_modify(|owners| _ = owners.insert(server));
        }
    }
    places.retain(|&at| {
        let server = &*tools[at].definition.server;
        let is_of_others = |owners: &BTreeSet<&str>| !owners.is_empty() && !owners.contains(server);
        tools[at].warned_of.iter().any(|name| owners.get(&**name).is_some_and(is_of_others))
    });
    for at in places {
        let tool = &mut tools[at];
        tool.suspicious = true;
        let found = Issue::Suspicious("description".to_owned(), DIVERSION.to_owned());
        diagnostics.push(Diagnostic::of(tool, found));
    }
}

/// In a text that may tell a model to leave another tool alone, what can be nothing else than the name of a tool, or a
/// server's.
fn warned_of(text: &str) -> Vec<String> {
    const CUES: [&str; 17] = [
        "supersede",
        "instead",
        "do not use",
        "don't use",
        "never use",
        "do not call",
        "don't call",
        "never call",
        "must not be",
        "should not be",
        "rather than",
        "in place of",
        "in its place",
        "replaces ",
        "replacement for",
        "is broken",
        "no longer works",
    ];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let mut before = "";
    let names = text.split(|c| !is_part(c)).filter_map(|word| {
        let last = std::mem::replace(&mut before, word);
        match word {
            "server" | "MCP" => Some(last),
            word => (word.len() > 4 && has_parts(word)).then_some(word),
        }
    });
    let names: Vec<String> = names.map(str::to_owned).collect();
    // Few texts have such names: the others need not be searched.
    let lower = if names.is_empty() { String::new() } else { text.to_ascii_lowercase() };
    if CUES.iter().any(|cue| lower.contains(cue)) { names } else { Vec::new() }
}

/// Whether a name is made of several words, as no word of a sentence is: `send_mail`, `sendMail`.
fn has_parts(name: &str) -> bool {
    let humps = name.as_bytes().windows(2);
    let mut humps = humps.filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    name.trim_matches('_').contains('_') || humps.next().is_some()
}

fn free_name(wanted: &str, taken: &BTreeSet<String>, reserved: &BTreeSet<String>) -> String {
    let wanted: String = wanted.chars().take(TOOL_ID_MAX_CHARS).collect();
    if !taken.contains(&wanted) && !reserved.contains(&fold(&wanted)) {
        return wanted;
    }
    let mut number = 2u32;
    loop {
        let candidate = format!("{wanted}_{number}");
        if !taken.contains(&candidate) && !reserved.contains(&fold(&candidate)) {
            return candidate;
        }
        number += 1;
    }
}

/// A name as it can be shown and written: itself, if it is an identifier of bounded length.
fn plain_name(name: &str) -> String {
    if clean::is_identifier(name) {
        return name.to_owned();
    }
    let clean = clean::label(name).replace(' ', "_");
    if clean == name && name.chars().count() <= TOOL_ID_MAX_CHARS {
        return clean;
    }
    if name.is_empty() {
        return String::new();
    }
    // Different names must stay different when their odd characters are gone.
    let head: String = clean.chars().take(64).collect();
    format!("{head}_{}", &Fingerprint::of(name.as_bytes()).short()[..6])
}

fn index_of(tools: &[Tool]) -> Index {
    fn refs(labels: &[String]) -> Vec<&str> {
        labels.iter().map(String::as_str).collect()
    }
    let labels: Vec<[Vec<&str>; 3]> = tools
        .iter()
        .map(|tool| &tool.definition)
        .map(|of| [refs(&of.tags), refs(&of.aliases), refs(&of.phrases)])
        .collect();
    let documents = tools.iter().zip(&labels).map(|(tool, [tags, aliases, phrases])| {
        document::Tool { tags, aliases, phrases, ..tool.document() }
    });
    Index::build(documents)
}

fn names_of(tools: &[Tool]) -> Names {
    Names::build(tools.iter().map(|tool| NamesOfTool {
        id: &tool.id,
        name: &tool.definition.name,
        server: &tool.definition.server,
        aliases: &tool.definition.aliases,
    }))
}

/// The places of the tools that are deprecated.
fn deprecated(tools: &[Tool]) -> Vec<u32> {
    let places = (0u32..).zip(tools).filter(|(_, tool)| tool.is_deprecated);
    places.map(|(at, _)| at).collect()
}

pub(crate) fn digest(tools: &[Tool], servers: &[Server], bridge: &BridgeNames) -> Fingerprint {
    let mut fields = Fields::default();
    fields.text("weir catalog 2");
    for name in bridge.all() {
        fields.text(name);
    }
    fields.number(tools.len() as u64);
    for tool in tools {
        fields.hash(tool.hash);
    }
    for server in servers {
        fields.text(&server.name).text(&server.description);
        fields.number(server.trusted.map_or(2, u64::from));
        match &server.state {
            ServerState::Connected => fields.number(0),
            ServerState::Cold => fields.number(1),
            ServerState::Unavailable(reason) => fields.number(2).text(reason),
        };
    }
    fields.finish()
}

#[cfg(test)]
mod tests;
