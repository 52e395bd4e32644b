//! Which skill teaches which tool: a skill teaches the tools that it names.

use std::cell::LazyCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use weir_servers::skills::SKILL_FILE;

use super::catalog::{Catalog, Tool};
use super::names::{is_distinct, is_part};
use super::skills::{Entry, MEMBER};
use weir_mcp::json::{Json, quote};

/// Tools that are named with a skill that was found, and skills with a tool.
const TOOLS_TOLD: usize = 3;
const SKILLS_TOLD: usize = 2;

/// A skill that names more tools is a list of them, and teaches none.
const MOST_TAUGHT: usize = 50;

/// The relation of one catalog, both ways, by the names for clients.
#[derive(Debug, Default)]
pub(crate) struct Related {
    uses: BTreeMap<String, Vec<String>>,
    taught_by: BTreeMap<String, Vec<String>>,
}

/// The relation, once it is known.
pub(crate) type Soon = Arc<OnceLock<Related>>;

/// How long it is waited for. Skills that take longer to read are told later.
const WAIT: Duration = Duration::from_secs(1);

impl Related {
    /// Has the relation of a catalog made once the texts on this machine are read.
    pub(crate) async fn soon(catalog: &Arc<Catalog>) -> Soon {
        let (soon, of) = (Soon::default(), Arc::clone(catalog));
        if of.skills().next().is_none() {
            return soon;
        }
        let later = Arc::clone(&soon);
        let relating = tokio::spawn(async move {
            let mut servers: Vec<_> =
                of.skills().map(|skill| Arc::clone(&skill.upstream)).collect();
            servers.dedup_by(|one, other| Arc::ptr_eq(one, other));
            for upstream in servers {
                upstream.keep_texts().await;
            }
            let relating = tokio::task::spawn_blocking(move || drop(later.set(Related::of(&of))));
            let _ = relating.await;
        });
        let _ = tokio::time::timeout(WAIT, relating).await;
        soon
    }

    /// Reads the skills of a catalog, as far as their texts are at hand. Blocks.
    fn of(catalog: &Catalog) -> Related {
        let mut related = Related::default();
        let names = Names::of(catalog);
        let mut taught: Vec<(usize, &Tool, &Tool)> = Vec::new();
        for skill in catalog.skills() {
            let tools = names.in_skill(skill);
            if tools.is_empty() || tools.len() > MOST_TAUGHT {
                continue;
            }
            // What others wrote of a server's tools is not told as if that server had said it.
            let may_teach = |tool: &&Tool| {
                let of = &skill.upstream;
                of.has_own_skills() || of.spec.trust || of.name() == tool.upstream.name()
            };
            let teaches = tools.iter().copied().filter(may_teach);
            taught.extend(teaches.map(|tool| (tools.len(), skill, tool)));
            let told = tools.iter().map(|tool| tool.name.clone()).collect();
            related.uses.insert(skill.name.clone(), told);
        }
        // The one that names the fewest tools is the most about this one.
        taught.sort_by_key(|(count, skill, _)| (*count, &*skill.name));
        for (_, skill, tool) in taught {
            related.taught_by.entry(tool.name.clone()).or_default().push(skill.name.clone());
        }
        related
    }

    /// An answer to a search, in which a skill is told with the tools that it names, and a tool with the skills that teach it.
    pub(crate) fn told_in(&self, answer: String) -> String {
        if self.uses.is_empty() {
            return answer;
        }
        let Ok(whole) = Json::parse(answer.clone()) else { return answer };
        let hit = |hit: &str| {
            let hit = Json::assembled(hit.to_owned());
            let name = hit.text_at(&["name"]).unwrap_or_default();
            let (key, names, most) = match hit.get(&["kind"]) {
                // Only named, after those that are told in full.
                _ if hit.get(&["server"]).is_none() => return hit.to_string(),
                Some(_) => ("uses", self.uses.get(&name), TOOLS_TOLD),
                None => ("taught_by", self.taught_by.get(&name), SKILLS_TOLD),
            };
            let Some(names) = names else { return hit.to_string() };
            let mut told =
                names.iter().take(most).map(String::as_str).collect::<Vec<_>>().join(", ");
            if names.len() > most {
                told.push_str(&format!(" and {} more", names.len() - most));
            }
            if key == "taught_by" {
                told = format!("skill {told} (tool_describe shows it)");
            }
            hit.with(&[key], &quote(&told)).to_string()
        };
        let group = |group: &str| {
            Json::assembled(group.to_owned()).with_items(&["matches"], hit).to_string()
        };
        whole.with_items(&["results"], group).to_string()
    }
}

/// The tools of a catalog, by the names under which a text may mean them.
pub(crate) struct Names<'c>(HashMap<&'c str, Vec<&'c Tool>>);

impl<'c> Names<'c> {
    pub(crate) fn of(catalog: &'c Catalog) -> Names<'c> {
        let mut names: HashMap<&str, Vec<&Tool>> = HashMap::new();
        for tool in catalog.callable() {
            names.entry(&tool.name).or_default().push(tool);
            if tool.own_name != tool.name {
                names.entry(&tool.own_name).or_default().push(tool);
            }
        }
        Names(names)
    }

    /// The tools that a skill names: in its fields, and in its text where that has been read.
    fn in_skill(&self, skill: &Tool) -> Vec<&'c Tool> {
        let fields = skill.listed().at(&[MEMBER, "frontmatter"]).unwrap_or_else(Json::empty);
        let allowed = without_brackets(fields.get(&["allowed-tools"]).unwrap_or_default());
        let mut found = self.named_by(words_of(&allowed), &allowed);
        let entry = Entry::of(skill.listed()).ok();
        let main = entry.and_then(|entry| Some(entry.file(SKILL_FILE)?.digest.clone()));
        let text = main.and_then(|digest| skill.upstream.texts().get(&digest));
        found.extend(self.in_text(&text.unwrap_or_else(|| fields.to_string())));
        once(found)
    }

    /// The tools that a text names. A name that is a plain word says nothing.
    pub(crate) fn in_text(&self, text: &str) -> Vec<&'c Tool> {
        once(self.named_by(words_of(text).filter(|word| is_distinct(word)), text))
    }

    fn named_by<'t>(&self, words: impl Iterator<Item = &'t str>, text: &str) -> Vec<&'c Tool> {
        let small = text.to_lowercase();
        // Most texts name no tool that several servers have.
        let beside = LazyCell::new(|| words_of(&small).collect::<HashSet<_>>());
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for word in words.filter(|word| seen.insert(*word)) {
            // As hosts write it: `mcp__SERVER__TOOL`.
            let bare = word.strip_prefix("mcp__").unwrap_or(word);
            let bare = bare.strip_prefix("weir__").unwrap_or(bare);
            let Some(tools) = self.0.get(word).or_else(|| self.0.get(bare)) else { continue };
            match tools[..] {
                [tool] => found.push(tool),
                // Of several servers that one is meant which is named beside it.
                _ => {
                    let is_named =
                        |tool: &&&Tool| beside.contains(&*tool.upstream.name().to_lowercase());
                    found.extend(tools.iter().filter(is_named).copied());
                }
            }
        }
        found
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty())
}

/// A list of tools without what is in brackets behind one: the arguments that it may have.
fn without_brackets(list: &str) -> String {
    let mut depth = 0usize;
    let outside = |c: &char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    list.chars().filter(outside).collect()
}

/// Each once, in the order in which they came.
fn once(tools: Vec<&Tool>) -> Vec<&Tool> {
    let mut seen = HashSet::new();
    tools.into_iter().filter(|tool| seen.insert(&*tool.name)).collect()
}
