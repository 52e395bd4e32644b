//! What is no tool, ranked as tools are: a small catalog made for one search, and the stored results in it.

use std::collections::BTreeMap;

use weir_host::contract::{BlobStat, Conversation, Snapshot, ToolDefinition};

use super::{Gate, GateError};
use crate::identity::Identity;
use crate::names::SEARCH;
use weir_mcp::json::{Json, quote};

/// Results of one session that are found by what is known of them. What is in them is searched in all.
const NEWEST: u32 = 200;

/// Passages about one query whose results are looked at.
const PASSAGES: u64 = 10;

/// Characters of a name that are ranked.
const NAME_CHARS: usize = 40;

/// A stored result that a search may find.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) stat: BlobStat,
    /// A passage of it about a query, and the line at which it begins.
    pub(crate) passage: Option<(u64, String)>,
}

impl Gate {
    /// The results that a client may read and that may be about these queries, the newest first, and whether everything
    /// was searched for them.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub(crate) async fn stored(
        &self,
        who: &Identity,
        queries: Vec<String>,
    ) -> Result<(Vec<Stored>, bool), GateError> {
        let others = who.profile.reads_results_of.iter().map(|name| self.session_of_other(name));
        let sessions: Vec<String> = std::iter::once(self.session_of(who)).chain(others).collect();
        let found = self.run(move |weir| {
            let mut found: BTreeMap<String, Stored> = BTreeMap::new();
            let mut is_whole = true;
            for session in &sessions {
                let listed = weir.list_blobs(session, NEWEST, None)?;
                is_whole &= listed.more.is_none();
                for stat in listed.entries {
                    found.insert(stat.handle.digest.clone(), Stored { stat, passage: None });
                }
                for query in &queries {
                    let page = weir.search(session, None, query, Some(PASSAGES), None)?;
                    is_whole &= page.complete;
                    for passage in page.passages {
                        // What is swept in this moment is not found.
                        let Ok(stat) = weir.stat(session, &passage.id) else { continue };
                        let stored = found.entry(stat.handle.digest.clone());
                        let stored = stored.or_insert(Stored { stat, passage: None });
                        stored.passage.get_or_insert((passage.first_line, passage.text));
                    }
                }
            }
            let mut found: Vec<Stored> = found.into_values().collect();
            found.sort_by_key(|stored| std::cmp::Reverse(stored.stat.stored_at));
            Ok((found, is_whole))
        });
        found.await
    }

    /// The places of those that each query finds, best first, with a line about each. On equal rank the first comes first.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub(crate) async fn rank(
        &self,
        mut candidates: Vec<ToolDefinition>,
        queries: &[String],
        limit: usize,
    ) -> Result<Vec<Vec<(usize, String)>>, GateError> {
        for (at, candidate) in candidates.iter_mut().enumerate() {
            let is_plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let name: String = candidate.name.chars().take(NAME_CHARS).map(is_plain).collect();
            candidate.name = format!("{at:05}_{name}");
            candidate.origin = "external".to_owned();
        }
        let texts: Vec<String> = candidates.iter().map(words_of).collect();
        let each = queries.iter().map(|query| {
            format!(r#"{{"queries":[{}],"limit":{limit},"detail":"brief"}}"#, quote(query))
        });
        let each: Vec<String> = each.collect();
        let ranked = self.run(move |weir| {
            let catalog = weir.catalog(Snapshot { tools: candidates, servers: Vec::new() })?;
            let found = each.iter().map(|arguments| {
                let answer = catalog.invoke(SEARCH, arguments, &Conversation::default())?;
                Ok(answer.text.map(|text| places(&text)).unwrap_or_default())
            });
            found.collect()
        });
        let mut ranked: Vec<Vec<(usize, String)>> = ranked.await?;
        for (found, query) in ranked.iter_mut().zip(queries) {
            let query = query.to_lowercase();
            let words = || query.split(|c: char| !c.is_alphanumeric()).filter(|it| it.len() > 2);
            let has_one = |text: &String| words().any(|word| text.contains(word));
            // What is only likely has no line, and counts where it has a word of the query.
            found.retain(|(at, line)| !line.is_empty() || texts.get(*at).is_some_and(has_one));
            found.truncate(limit);
        }
        Ok(ranked)
    }
}

/// What an answer found, by the number that each name begins with. What is only likely comes after that, without a line.
fn places(text: &str) -> Vec<(usize, String)> {
    let Ok(answer) = Json::parse(text.to_owned()) else { return Vec::new() };
    let Some(group) =
        answer.items(&["results"]).first().map(|it| Json::assembled((*it).to_owned()))
    else {
        return Vec::new();
    };
    let place = |name: &str| name.get(..5)?.parse().ok();
    let matches = group.items(&["matches"]).into_iter().filter_map(|item| {
        let item = Json::assembled(item.to_owned());
        let does = item.text_at(&["does"]).unwrap_or_default();
        Some((place(&item.text_at(&["name"])?)?, does))
    });
    let weak: Vec<String> = group.at(&["weak"]).and_then(|weak| weak.read()).unwrap_or_default();
    let weak = weak.iter().filter_map(|name| Some((place(name)?, String::new())));
    matches.chain(weak).collect()
}

/// What a word of a query is looked for in.
fn words_of(candidate: &ToolDefinition) -> String {
    let ToolDefinition { name, title, description, aliases, .. } = candidate;
    let title = title.as_deref().unwrap_or_default();
    format!("{name} {title} {description} {}", aliases.join(" ")).to_lowercase()
}
