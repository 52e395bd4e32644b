//! One server's skills: found among its tools, asked for anew.

use std::sync::Arc;

use crate::known::Known;
use crate::listed::Listed;
use crate::skills::{Entry, definition_of};
use crate::spec::Reach;
use weir_mcp::connection::Timing;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::{Method, SKILLS};
use weir_mcp::wire::{self, code};

use super::lists::FRESHEN;
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
        if !(starts || has && self.is_stale(Method::ListSkills)) {
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
        let failed = |error: &dyn std::fmt::Display| SkillError::Failed(error.to_string());
        let _wanted = self.wanted();
        let live = self.live().await.map_err(|error| failed(&error))?;
        if !self.known().is_some_and(|known| known.can(&["extensions", SKILLS])) {
            return Err(SkillError::Unknown);
        }
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let params = Json::empty().with(&["uri"], &quote(uri));
        const METHOD: Method = Method::GetSkill;
        let asked = self.ask_live(&live.connection, live.era, METHOD, &params, timing, 4 << 20);
        let answer = match asked.await.map_err(|error| failed(&format!("{METHOD}: {error}")))? {
            Ok(answer) => answer,
            Err(error) => {
                let code = error.at(&["code"]).and_then(|code| code.read::<i64>());
                return Err(match code == Some(code::INVALID_PARAMS) {
                    true => SkillError::Unknown,
                    false => SkillError::Failed(wire::refusal_of(METHOD.name(), &error)),
                });
            }
        };
        let entry = answer.at(&["skill"]).unwrap_or_else(Json::empty);
        let definition = definition_of(&entry).map_err(SkillError::Failed)?;
        if Entry::of(&definition).map_err(SkillError::Failed)?.uri != uri {
            return Err(SkillError::Failed(format!("{METHOD} was answered with another skill")));
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

/// Why there is no entry of a skill.
#[derive(Debug)]
pub(crate) enum SkillError {
    /// Its server has no such skill.
    Unknown,
    /// Its server does not say.
    Failed(String),
}
