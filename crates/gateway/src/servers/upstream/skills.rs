//! One server's skills: found among its tools, asked for anew, and what has changed of them.

use std::sync::Arc;

use weir_servers::BuiltIn;

use crate::search::skills::{Entry, File, bytes_of, definition_of};
use crate::servers::difference::{Read, changed_files, difference};
use crate::servers::known::Known;
use crate::servers::listed::Listed;
use crate::servers::spec::Reach;
use crate::servers::texts::{MAX_TEXT, Texts};
use weir_mcp::connection::Timing;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::{Method, SKILLS};
use weir_mcp::wire::{self, code};

use super::lists::{FRESHEN, Freshness};
use super::{Happening, Upstream};

impl Upstream {
    /// Its skill with this URI, as it was listed.
    pub(crate) fn skill(&self, uri: &str) -> Option<Listed> {
        let known = self.known()?;
        let found =
            known.tools.iter().find(|it| it.is_skill() && it.name().as_deref() == Some(uri));
        found.cloned()
    }

    /// The URI of its skill that a file belongs to: of skills inside one another, the inner one.
    pub(crate) fn skill_of(&self, file: &str) -> Option<String> {
        let known = self.known()?;
        let uris = known.tools.iter().filter(|it| it.is_skill()).filter_map(Listed::name);
        let roots = uris.filter(|uri| {
            let root = uri.strip_suffix("SKILL.md").unwrap_or(uri);
            file.starts_with(root)
        });
        roots.max_by_key(String::len)
    }

    /// Lists its skills anew if they may be others by now, and waits a moment for that. There is no notification for it.
    pub(crate) async fn freshen_skills(self: Arc<Self>) {
        let is_built_in = matches!(self.spec.reach, Reach::BuiltIn(_));
        let has = self.known().is_some_and(|known| known.can(&["extensions", SKILLS]));
        let starts = is_built_in && self.current().is_none();
        if !(starts || has && self.is_stale(Method::ListSkills, Freshness::LIST)) {
            return;
        }
        // Whoever comes while it is asked goes by what is known.
        let Ok(one_at_a_time) = Arc::clone(&self.freshening).try_lock_owned() else { return };
        // A start lists them. What is in this process costs nothing.
        let asking = tokio::spawn(async move {
            let _one_at_a_time = one_at_a_time;
            match starts {
                true => self.live().await.map(drop).map_err(|error| error.to_string()),
                false => self.refresh_tools().await,
            }
        });
        let _ = tokio::time::timeout(FRESHEN, asking).await;
    }

    /// Asks for the entry of one skill anew and keeps it. Whether it is another than before.
    ///
    /// # Errors
    /// When the server does not answer, has no such skill, or what it says of it is no entry.
    pub(crate) async fn refresh_skill(self: &Arc<Self>, uri: &str) -> Result<bool, SkillError> {
        let failed = |reason: String| {
            SkillError::Failed(format!("skill {uri} of server {}: {reason}", self.name()))
        };
        let _wanted = self.wanted();
        let live = self.live().await.map_err(|error| SkillError::Failed(error.to_string()))?;
        if !self.known().is_some_and(|known| known.can(&["extensions", SKILLS])) {
            return Err(SkillError::Unknown);
        }
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let params = Json::empty().with(&["uri"], &quote(uri));
        const METHOD: Method = Method::GetSkill;
        let asked = self.ask_live(&live.connection, live.era, METHOD, &params, timing, 4 << 20);
        let answer = match asked.await.map_err(|error| failed(format!("{METHOD}: {error}")))? {
            Ok(answer) => answer,
            Err(error) => {
                let code = error.at(&["code"]).and_then(|code| code.read::<i64>());
                return Err(match code == Some(code::INVALID_PARAMS) {
                    true => SkillError::Unknown,
                    false => failed(wire::refusal_of(METHOD.name(), &error)),
                });
            }
        };
        let entry = answer.at(&["skill"]).unwrap_or_else(Json::empty);
        let definition = definition_of(&entry).map_err(failed)?;
        if Entry::of(&definition).map_err(failed)?.uri != uri {
            return Err(failed(format!("{METHOD} was answered with another skill")));
        }
        let fresh = Listed::from(definition);
        if self.skill(uri).is_some_and(|known| known.digest() == fresh.digest()) {
            return Ok(false);
        }
        let Some(known) = self.known() else { return Err(SkillError::Unknown) };
        let mut tools = known.tools.clone();
        match tools.iter_mut().find(|it| it.is_skill() && it.name().as_deref() == Some(uri)) {
            Some(place) => *place = fresh,
            None => tools.push(fresh),
        }
        let changed = self.learn(|now| {
            // Another list came meanwhile, which is newer than this entry.
            let now = now.filter(|now| now.tools == known.tools)?;
            Some(Known { tools, ..now.clone() })
        });
        if changed {
            let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
        }
        Ok(true)
    }
}

/// Files that are read at the same time to keep their texts.
const AT_ONCE: usize = 64;

impl Upstream {
    /// Whether its skills are those of directories that the user named.
    pub(crate) fn has_own_skills(&self) -> bool {
        matches!(self.spec.reach, Reach::BuiltIn(BuiltIn::Skills(_)))
    }

    /// Texts of its skills as they were seen before.
    pub(crate) fn texts(&self) -> Texts {
        self.around.cache.texts(&self.place)
    }

    /// Keeps a text of a skill that a client has read. Of what is asked on one client's behalf nothing is kept.
    pub(crate) async fn keep_text(&self, digest: &str, bytes: &[u8]) {
        if self.base().is_some() || bytes.len() as u64 > MAX_TEXT {
            return;
        }
        let (texts, one) = (self.texts(), vec![(digest.to_owned(), bytes.to_vec())]);
        let keeping = tokio::task::spawn_blocking(move || texts.keep(&mut texts.held(), one));
        let _ = keeping.await;
    }

    /// Keeps the texts of its skills where those are on this machine, and forgets those that nobody needs. Files of servers
    /// elsewhere are not read ahead.
    pub(crate) async fn keep_texts(self: Arc<Self>) {
        let mut done = self.texts_kept.lock().await;
        let Some(known) = self.known().filter(|known| known.tools != *done) else { return };
        done.clone_from(&known.tools);
        let texts = self.texts();
        let prepared = tokio::task::spawn_blocking(move || {
            let needed = needed_of(&known);
            texts.keep_only(&needed.iter().map(|file| file.digest.clone()).collect());
            (needed, texts.held(), texts)
        });
        let Ok((needed, mut held, mut texts)) = prepared.await else { return };
        if !self.has_own_skills() {
            return;
        }
        let is_missing = |file: &File| file.size <= MAX_TEXT && !held.contains_key(&file.digest);
        let missing: Vec<File> = needed.into_iter().filter(is_missing).collect();
        for some in missing.chunks(AT_ONCE) {
            let reading = some.iter().cloned().map(|file| {
                let this = Arc::clone(&self);
                tokio::spawn(async move { Some((file.digest, this.read_file(&file.uri).await?)) })
            });
            let mut read = Vec::new();
            for one in reading.collect::<Vec<_>>() {
                read.extend(one.await.ok().flatten());
            }
            let kept = tokio::task::spawn_blocking(move || {
                texts.keep(&mut held, read);
                (held, texts)
            });
            let Ok(kept) = kept.await else { return };
            (held, texts) = kept;
        }
    }

    /// The bytes of a file as they are now, where they can be read.
    async fn read_file(self: &Arc<Self>, uri: &str) -> Option<Vec<u8>> {
        let _wanted = self.wanted();
        let live = self.live().await.ok()?;
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let params = Json::empty().with(&["uri"], &quote(uri));
        const METHOD: Method = Method::ReadResource;
        let asked =
            self.ask_live(&live.connection, live.era, METHOD, &params, timing, 8 * MAX_TEXT);
        bytes_of(&asked.await.ok()?.ok()?).ok().map(|(bytes, _)| bytes)
    }

    /// The names of its tools and skills that were defined anew and of which it is known what they were.
    pub fn changed(&self) -> Vec<String> {
        let Some(known) = self.known() else { return Vec::new() };
        let is_other = |name: &&String| {
            let (before, now) = (known.former.get(*name), known.named(name));
            before.zip(now).is_some_and(|(before, now)| before.digest() != now.digest())
        };
        known.former.keys().filter(is_other).cloned().collect()
    }

    /// How a tool or a skill differs from what it was when it was let pass last; none where that is not known. Files of a
    /// skill that are there as they are now are read for it.
    pub async fn difference(self: &Arc<Self>, name: &str) -> Option<String> {
        let known = self.known()?;
        let (before, now) = (known.former.get(name)?, known.named(name)?);
        let mut read = Read::new();
        let texts = self.texts();
        for (old, new) in changed_files(before, now) {
            let Some(was) = texts.get(&old.digest).filter(|_| new.size <= MAX_TEXT) else {
                continue;
            };
            if texts.get(&new.digest).is_none()
                && let Some(bytes) = self.read_file(&new.uri).await
            {
                texts.keep(&mut texts.held(), vec![(new.digest.clone(), bytes)]);
            }
            read.extend(texts.get(&new.digest).map(|is| (new.digest, is)));
            read.insert(old.digest, was);
        }
        Some(difference(before, now, &read))
    }
}

/// The files of all skills that are known, as they are and as they were.
fn needed_of(known: &Known) -> Vec<File> {
    let skills = known.tools.iter().chain(known.former.values()).filter(|it| it.is_skill());
    skills.filter_map(|it| Entry::of(it).ok()?.files).flatten().collect()
}

/// Why there is no entry of a skill.
#[derive(Debug)]
pub(crate) enum SkillError {
    /// Its server has no such skill.
    Unknown,
    /// Its server does not say.
    Failed(String),
}
