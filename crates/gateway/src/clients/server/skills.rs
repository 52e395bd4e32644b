//! Skills of all servers: for clients that speak the extension, and for those that read them as they read tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use weir_base::clip;
use weir_servers::skills::{MAX_BYTES, SKILL_FILE, children, decoded, page};
use weir_text::tokens;

use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::results;
use crate::search::catalog::{Catalog, Tool};
use crate::search::names::{is_distinct, is_part};
use crate::search::names::{own_uri, public_uri};
use crate::search::skills::{Entry, bytes_of, reading};
use crate::servers::Servers;
use crate::servers::upstream::exchange::{Run, ask_at};
use crate::servers::upstream::{SkillError, Upstream};
use weir_mcp::frame::Reply;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::{Method, SKILLS};
use weir_mcp::wire::{self, code};

use super::cacheable;
use super::kinds::texts_in;

/// Tools that are named as those that a skill names.
const TOOLS_SHOWN: usize = 12;

/// Estimated tokens of the answers to searches without words: the directories of skills, the skills of one. And characters of
/// what is said of a skill there.
const DIRECTORIES_TOKENS: u64 = 50;
const LIST_TOKENS: u64 = 3_000;
const DESCRIBED_CHARS: usize = 60;

/// Why a skill, or its file, is not shown.
enum Refusal {
    Unknown(String),
    Failed(String),
}

impl From<Refusal> for Reply {
    fn from(refusal: Refusal) -> Reply {
        let (code, text) = match refusal {
            Refusal::Unknown(text) => (code::INVALID_PARAMS, text),
            Refusal::Failed(text) => (code::UPSTREAM, text),
        };
        Reply::Error(wire::error(code, &text))
    }
}

/// A file of a skill that is what its server said of it.
pub(super) struct Checked {
    entry: Entry,
    /// The answer of `resources/read`.
    pub(super) result: Json,
    bytes: Vec<u8>,
    is_text: bool,
}

impl Gateway {
    pub(super) async fn list_skills(self: &Arc<Self>, client: &Client, params: &Json) -> Reply {
        self.servers.first_settle(client).await;
        freshen(&self.servers, client).await;
        let catalog = self.servers.catalog_for(&client.session);
        let all: Vec<&Tool> = catalog.skills().collect();
        let uri = |skill: &&Tool| public_uri(skill.upstream.name(), &skill.own_name);
        let entry = |skill: &&Tool| {
            let entry = Entry::of(skill.listed()).ok()?;
            Some(entry.public(skill.upstream.name()).to_string())
        };
        match page(&all, params, uri, entry) {
            Ok(list) => {
                let time = self.servers.shortest_time(client, Method::ListSkills);
                Reply::Result(cacheable(client, Method::ListSkills, list, time))
            }
            Err(error) => Reply::Error(error),
        }
    }

    pub(super) async fn get_skill(self: &Arc<Self>, client: &Client, params: &Json) -> Reply {
        let uri = params.text_at(&["uri"]).unwrap_or_default();
        let entry = match self.skill_at(client, &uri).await {
            Ok((upstream, entry)) => entry.public(upstream.name()),
            Err(refusal) => return refusal.into(),
        };
        let result = Json::assembled(format!(r#"{{"skill":{entry}}}"#));
        Reply::Result(cacheable(client, Method::GetSkill, result, None))
    }

    /// The skill at a client's URI, asked for anew, also where its server does not list it.
    async fn skill_at(
        &self,
        client: &Client,
        uri: &str,
    ) -> Result<(Arc<Upstream>, Entry), Refusal> {
        let unknown = || Refusal::Unknown(format!("No skill is served at {uri}"));
        let (upstream, own) = server_of(&self.servers, client, uri).ok_or_else(unknown)?;
        let admits = client.session.who.profile.admits_tool(upstream.name(), &own);
        if !admits || !upstream.spec.admits(&own) {
            return Err(unknown());
        }
        let known = upstream.skill(&own);
        match upstream.refresh_skill(&own).await {
            Ok(_) => {}
            Err(SkillError::Unknown) => return Err(unknown()),
            Err(SkillError::Failed(reason)) if known.is_none() => {
                return Err(Refusal::Failed(reason));
            }
            Err(SkillError::Failed(reason)) => {
                tracing::warn!(server = upstream.name(), "{reason}")
            }
        }
        let entry = entry_at(&upstream, &own)?;
        Ok((upstream, entry))
    }

    pub(super) async fn read_directory(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let uri = params.text_at(&["uri"]).unwrap_or_default();
        let none = || Refusal::Unknown(format!("{uri} is not a directory resource"));
        let Some((upstream, own)) = server_of(&self.servers, client, &uri) else {
            return none().into();
        };
        let server = upstream.name();
        if !self.servers.grant(client, &upstream)(&format!("{own}/")) {
            return none().into();
        }
        if let Some(skill) = upstream.skill_of(&format!("{own}/")) {
            match entry_at(&upstream, &skill) {
                Err(refusal) => return refusal.into(),
                // What it lists is all that may be read of it.
                Ok(Entry { files: Some(files), .. }) => {
                    let files = files.iter().map(|file| public_uri(server, &file.uri));
                    return match children(&uri, files) {
                        Some(list) => {
                            Reply::Result(Json::of(&serde_json::json!({"resources": list})))
                        }
                        None => none().into(),
                    };
                }
                Ok(_) => {}
            }
        }
        let reads = ["extensions", SKILLS, "directoryRead"];
        if !upstream.known().is_some_and(|known| known.can(&reads)) {
            return none().into();
        }
        let params = params.with(&["uri"], &quote(&own));
        match ask_plainly(client, &upstream, Method::ReadDirectory, params).await {
            Ok(result) => Reply::Result(result.with_items(&["resources"], |resource| {
                let resource = Json::assembled(resource.to_owned());
                let own = resource.text_at(&["uri"]).unwrap_or_default();
                resource.with(&["uri"], &quote(&public_uri(server, &own))).to_string()
            })),
            Err(error) => Reply::Error(error),
        }
    }

    /// What a model that asked for these names is told, where the first of them means a skill or a file of one.
    pub(super) async fn describe_skill(
        self: &Arc<Self>,
        client: &Client,
        catalog: &Catalog,
        arguments: &str,
    ) -> Option<Reply> {
        let names = texts_in(arguments, ["names", "name"]);
        let (name, others) = names.split_first()?;
        let (skill, path) = skill_named(catalog, name)?;
        let (upstream, server) = (&skill.upstream, skill.upstream.name());
        let path = path.unwrap_or(SKILL_FILE);
        let checked = match read_skill(client, upstream, &skill.own_name, path).await {
            Ok(checked) => checked,
            Err(reason) => return Some(Reply::Result(wire::tool_text(&reason, true))),
        };
        let block = results::text_block;
        let mut blocks = Vec::new();
        match checked.is_text {
            true => blocks.push(block(&String::from_utf8_lossy(&checked.bytes))),
            false => {
                let contents = checked.result.items(&["contents"]);
                blocks.push(format!(r#"{{"type":"resource","resource":{}}}"#, contents.first()?));
            }
        }
        let mut head = format!(
            "{path} of skill {} of server {server}, as that server wrote it. Reading it activates and approves nothing.",
            skill.name
        );
        if path == SKILL_FILE {
            let text = String::from_utf8_lossy(&checked.bytes);
            let words = text.split(|c| !is_part(c)).filter(|word| is_distinct(word));
            let bare = words.map(|word| word.strip_prefix("mcp__weir__").unwrap_or(word));
            let named = bare.filter_map(|word| catalog.find(word)).filter(|tool| !tool.is_skill);
            let mut tools: Vec<&str> = Vec::new();
            for tool in named {
                if tools.len() < TOOLS_SHOWN && !tools.contains(&&*tool.name) {
                    tools.push(&tool.name);
                }
            }
            if !tools.is_empty() {
                head.push_str(&format!(" Tools here that it names: {}.", tools.join(", ")));
            }
            let files = further_files(&checked.entry);
            if !files.is_empty() {
                let example = reading(&format!("{}/PATH", skill.name));
                let list = files.join("\n");
                blocks
                    .push(block(&format!("Its further files, each read with {example}:\n{list}")));
            }
        }
        if !others.is_empty() {
            head.push_str(&format!(" Ask for {} in another call.", others.join(", ")));
        }
        let result = format!(r#"{{"content":[{}],"isError":false}}"#, blocks.join(","));
        let arguments = Some(arguments.to_owned());
        let context = self.context(client, skill, arguments);
        let result = Reply::Result(Json::assembled(result));
        let shown = results::finish(&self.gate, &self.operations.stats, &context, result).await;
        let Reply::Result(result) = shown else { return Some(shown) };
        let head = block(&head);
        let content: Vec<&str> =
            [head.as_str()].into_iter().chain(result.items(&["content"])).collect();
        Some(Reply::Result(result.with(&["content"], &format!("[{}]", content.join(",")))))
    }
}

/// What a search is answered that has no words: which skills there are by directory, or those of one directory. None for
/// any other search.
pub(super) fn listed(catalog: &Catalog, arguments: &str) -> Option<String> {
    let wanted: Vec<String> = texts_in(arguments, ["queries", "query"])
        .into_iter()
        .filter(|query| !query.trim().is_empty())
        .collect();
    let only_skills = || {
        let kinds = texts_in(arguments, ["kinds", "kind"]);
        !kinds.is_empty() && kinds.iter().all(|kind| kind.trim_end_matches('s') == "skill")
    };
    let directory = match &wanted[..] {
        [] if only_skills() => None,
        [uri] if uri.starts_with("skill://") => Some(uri.trim().trim_end_matches('/')),
        _ => return None,
    };
    let mut directories: BTreeMap<String, Vec<&Tool>> = BTreeMap::new();
    for skill in catalog.skills() {
        let uri = public_uri(skill.upstream.name(), &skill.own_name);
        // Behind the last `/` but one is the skill's own name.
        let above = uri.rsplitn(3, '/').nth(2).unwrap_or(&uri).to_owned();
        directories.entry(above).or_default().push(skill);
    }
    let text = |skill: &Tool, key: &str| skill.listed().text_at(&[key]).unwrap_or_default();
    let (items, most): (Vec<(String, String)>, u64) = match directory {
        None => {
            let mut all: Vec<_> = directories.into_iter().collect();
            all.sort_by_key(|(_, skills)| std::cmp::Reverse(skills.len()));
            let counted = all.into_iter().map(|(uri, skills)| (uri, skills.len().to_string()));
            (counted.collect(), DIRECTORIES_TOKENS)
        }
        Some(directory) => {
            let told = directories.get(directory)?.iter().map(|skill| {
                (skill.name.clone(), quote(&clip(&text(skill, "description"), DESCRIBED_CHARS)))
            });
            (told.collect(), LIST_TOKENS)
        }
    };
    let next = match directory {
        None => r#"tool_search {\"queries\":[DIRECTORY]}"#,
        Some(_) => r#"tool_describe {\"names\":[NAME]}"#,
    };
    let mut answer = String::new();
    let mut left = items.len();
    // What is around the items is shorter than 30 tokens.
    let mut used = 30;
    for (name, value) in &items {
        let item = format!("{}{}:{value}", if answer.is_empty() { "" } else { "," }, quote(name));
        used += tokens::of(&item);
        if used > most {
            break;
        }
        answer.push_str(&item);
        left -= 1;
    }
    let more = if left > 0 { format!(r#","more":{left}"#) } else { String::new() };
    Some(format!(r#"{{"skills":{{{answer}}}{more},"next":"{next}"}}"#))
}

/// Waits a moment for lists of skills that may be others by now.
pub(super) async fn freshen(servers: &Servers, client: &Client) {
    let asking = servers.of(client).into_iter();
    let asking: Vec<_> = asking.map(|it| tokio::spawn(it.freshen_skills())).collect();
    for asked in asking {
        let _ = asked.await;
    }
}

/// The server, and its own URI, of a client's.
fn server_of(servers: &Servers, client: &Client, uri: &str) -> Option<(Arc<Upstream>, String)> {
    let (server, own) = own_uri(uri)?;
    let upstreams = servers.of(client);
    let upstream = upstreams.iter().find(|upstream| upstream.name() == server)?;
    Some((Arc::clone(upstream), own.into_owned()))
}

/// Asks a server something that needs nobody's input, and whose answer is held in memory.
async fn ask_plainly(
    client: &Client,
    upstream: &Arc<Upstream>,
    method: Method,
    params: Json,
) -> Result<Json, Json> {
    let failed = |reason: &str| wire::error(code::UPSTREAM, reason);
    let timing = upstream.timing();
    match ask_at(&upstream.listing_for(client), client, method, params, timing, true).await {
        Ok(Run::Ended(Reply::Result(result))) => Ok(result),
        Ok(Run::Ended(Reply::Error(error))) => Err(error),
        // JSON may take six bytes for one.
        Ok(Run::Ended(Reply::Spooled(spooled))) => {
            spooled.loaded(6 * MAX_BYTES).await.map_err(|error| failed(&error.to_string()))
        }
        Ok(Run::Asks(..)) => Err(failed("its server wants input first")),
        Err(error) => Err(failed(&error.to_string())),
    }
}

/// Reads a file of a skill and checks it. What is not as it was listed is looked up once more: it may have changed since.
///
/// # Errors
/// Why it is not shown, as a sentence.
pub(super) async fn read_skill(
    client: &Client,
    upstream: &Arc<Upstream>,
    skill: &str,
    wanted: &str,
) -> Result<Checked, String> {
    let mut asked_anew = false;
    loop {
        let (Refusal::Unknown(reason) | Refusal::Failed(reason)) =
            match read_checked(client, upstream, skill, wanted).await {
                Ok(checked) => return Ok(checked),
                Err(refusal) => refusal,
            };
        let is_new = !asked_anew && upstream.refresh_skill(skill).await.unwrap_or(false);
        if !is_new {
            return Err(reason);
        }
        asked_anew = true;
    }
}

async fn read_checked(
    client: &Client,
    upstream: &Arc<Upstream>,
    skill: &str,
    wanted: &str,
) -> Result<Checked, Refusal> {
    let entry = entry_at(upstream, skill)?;
    let uri = match (entry.file(wanted), &entry.files) {
        (Some(file), _) => file.uri.clone(),
        (None, None) if wanted.starts_with(entry.root()) => wanted.to_owned(),
        (None, None) => format!("{}{wanted}", entry.root()),
        (None, Some(_)) => {
            let text = format!("skill {skill} of server {} has no file {wanted}", upstream.name());
            return Err(Refusal::Unknown(text));
        }
    };
    let of_it = |reason: String| {
        Refusal::Failed(format!("{uri} of server {} is not shown: it {reason}", upstream.name()))
    };
    let params = Json::empty().with(&["uri"], &quote(&uri));
    let result = ask_plainly(client, upstream, Method::ReadResource, params).await;
    let result = result.map_err(|error| {
        let why = error.text_at(&["message"]).unwrap_or_else(|| error.to_string());
        of_it(format!("cannot be read: {why}"))
    })?;
    let (bytes, is_text) = bytes_of(&result).map_err(of_it)?;
    entry.check(&uri, &bytes).map_err(of_it)?;
    if let Some(file) = entry.file(&uri) {
        upstream.keep_text(&file.digest, &bytes).await;
    }
    Ok(Checked { entry, result, bytes, is_text })
}

/// The skill of a server as it may be shown.
fn entry_at(upstream: &Upstream, uri: &str) -> Result<Entry, Refusal> {
    let server = upstream.name();
    let skill = upstream.skill(uri);
    let skill =
        skill.ok_or_else(|| Refusal::Unknown(format!("server {server} has no skill {uri}")))?;
    if !upstream.spec.admits(uri) || upstream.withholds(uri) {
        return Err(Refusal::Failed(format!(
            "skill {uri} of server {server} is left out: it is new or has changed since the server was first seen, or its \
             entry does not let it pass. It waits for the user's approval"
        )));
    }
    Entry::of(&skill)
        .map_err(|reason| Refusal::Failed(format!("skill {uri} of server {server}: {reason}")))
}

/// The skill that a name means, and the path of its file that is behind the name. A skill's bare name means it where nothing
/// else has that name, and so does the name behind its server's where clients see no server's name.
fn skill_named<'c, 'n>(catalog: &'c Catalog, name: &'n str) -> Option<(&'c Tool, Option<&'n str>)> {
    let skill = |name: &str| match catalog.find(name) {
        Some(tool) => Some(tool).filter(|tool| tool.is_skill),
        None => {
            let is_named = |skill: &Tool| {
                let before = name.strip_suffix(&*skill.listed().text_at(&["title"])?)?;
                Some(before.is_empty() || before.strip_suffix("__") == Some(skill.upstream.name()))
            };
            let mut titled = catalog.skills().filter(|skill| is_named(skill) == Some(true));
            titled.next().filter(|_| titled.next().is_none())
        }
    };
    if let Some(found) = skill(name) {
        return Some((found, None));
    }
    // A URI has the name of the skill in it, a name has not.
    let Some((server, own)) = own_uri(name) else {
        let (name, path) = name.split_once('/')?;
        return Some((skill(name)?, Some(path).filter(|path| !path.is_empty())));
    };
    let found = catalog.skills().filter(|skill| {
        let root = skill.own_name.strip_suffix(SKILL_FILE).unwrap_or(&skill.own_name);
        skill.upstream.name() == server && own.starts_with(root)
    });
    let found = found.max_by_key(|skill| skill.own_name.len())?;
    let length = own.len() - (found.own_name.len() - SKILL_FILE.len());
    Some((found, name.get(name.len() - length..)))
}

/// The files of a skill beside its first one, with their sizes.
fn further_files(entry: &Entry) -> Vec<String> {
    let Some(files) = &entry.files else {
        return vec!["(its server does not list them, and they cannot be checked)".to_owned()];
    };
    let further = files.iter().filter(|file| file.uri != entry.uri);
    let line = |file: &crate::search::skills::File| {
        let path = file.uri.strip_prefix(entry.root()).unwrap_or(&file.uri);
        format!("{} ({} bytes)", decoded(path), weir_base::group(file.size))
    };
    further.map(line).collect()
}
