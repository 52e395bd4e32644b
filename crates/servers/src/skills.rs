//! Skills in directories of this machine, by the extension "Skills over MCP".
//!
//! Nothing of a skill is executed or changed. A file is read when it is asked for; before that only to put its digest into
//! the list.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use weir_base::Mutex;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::{Method, SKILLS};
use weir_mcp::wire::{self, code};

use crate::serve::Server;

mod directory;
mod tree;

pub use directory::{DIRECTORY, children, decoded, media_type};
pub use tree::MAX_SKILLS;
use tree::{Skill, Tree};

/// What a skill may have, so that every host can take it: files, and bytes of all of them.
pub const MAX_FILES: usize = 512;
/// See [`MAX_FILES`].
pub const MAX_BYTES: u64 = 16 << 20;

/// The file that a skill begins with.
pub const SKILL_FILE: &str = "SKILL.md";

/// Skills on one page of a list, and about how many bytes of them.
const PAGE_SKILLS: usize = 200;
const PAGE_BYTES: usize = 1 << 20;

/// For how long a list may be taken for fresh, in milliseconds.
const TTL_MS: u64 = 30_000;

/// Why skills in these directories are left out, a sentence each.
pub fn problems(directories: &[PathBuf]) -> Vec<String> {
    let mut tree = Tree::new(directories.to_vec());
    tree.scan();
    tree.wrong().to_vec()
}

/// The server.
#[derive(Debug)]
pub struct Skills {
    tree: Mutex<Tree>,
}

impl Skills {
    /// Serves the skills in these directories, at whatever depth. None need be there yet.
    pub fn new(directories: Vec<PathBuf>) -> Skills {
        Skills { tree: Mutex::new(Tree::new(directories)) }
    }

    /// All skills by the URI of their SKILL.md, read anew.
    fn scanned(&self) -> Arc<BTreeMap<String, Skill>> {
        self.tree.lock().scan()
    }

    /// The same as they were listed last.
    fn held(&self) -> Arc<BTreeMap<String, Skill>> {
        let mut tree = self.tree.lock();
        tree.held().unwrap_or_else(|| tree.scan())
    }

    fn read(&self, uri: &str) -> Result<Json, Json> {
        let skills = self.held();
        let unknown = || invalid(&format!("No file of a skill is served at {uri}"));
        // Of skills inside one another the inner one is as good as the outer.
        let mut above = uri.rmatch_indices('/').map(|(at, _)| &uri[..at]);
        let (skill, file) = above
            .find_map(|root| {
                let skill = skills.get(&format!("{root}/{SKILL_FILE}"))?;
                Some((skill, skill.files.iter().find(|file| skill.uri_of(file) == uri)?))
            })
            .ok_or_else(unknown)?;
        let bytes = match skill.read(file) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.tree.lock().forget(&skill.path_of(file));
                let text = format!("{} of skill {} {reason}", file.path, skill.name);
                return Err(wire::error(code::INTERNAL, &text));
            }
        };
        let mut content = json!({"uri": uri, "mimeType": media_type(&file.path, &bytes)});
        match String::from_utf8(bytes) {
            Ok(text) => content["text"] = text.into(),
            Err(binary) => {
                use base64::Engine as _;
                let engine = base64::engine::general_purpose::STANDARD;
                content["blob"] = engine.encode(binary.as_bytes()).into();
            }
        }
        Ok(fresh(json!({"contents": [content]})))
    }
}

impl Server for Skills {
    fn name(&self) -> &'static str {
        "weir-skills"
    }

    fn capabilities(&self) -> Json {
        Json::of(&json!({"resources": {}, "extensions": {SKILLS: {"directoryRead": true}}}))
    }

    fn answer(&self, method: Method, params: &Json) -> Option<Result<Json, Json>> {
        let uri = || params.text_at(&["uri"]).unwrap_or_default();
        Some(match method {
            Method::ListSkills => {
                let skills = self.scanned();
                let all: Vec<(&String, &Skill)> = skills.iter().collect();
                let entry = |(_, skill): &(_, &Skill)| Some(skill.entry());
                page(&all, params, |(uri, _)| (*uri).clone(), entry).map(with_times)
            }
            Method::GetSkill => match self.scanned().get(&uri()) {
                Some(skill) => {
                    Ok(with_times(Json::assembled(format!(r#"{{"skill":{}}}"#, skill.entry()))))
                }
                None => Err(invalid(&format!("No skill is served at {}", uri()))),
            },
            Method::ListResources => {
                let list: Vec<Value> =
                    self.scanned().iter().map(|(uri, skill)| skill.resource(uri)).collect();
                Ok(fresh(json!({"resources": list})))
            }
            Method::ListTemplates => Ok(fresh(json!({"resourceTemplates": []}))),
            Method::ReadResource => self.read(&uri()),
            Method::ReadDirectory => {
                let skills = self.scanned();
                let files = skills
                    .values()
                    .flat_map(|skill| skill.files.iter().map(|file| skill.uri_of(file)));
                match children(&uri(), files) {
                    Some(list) => Ok(Json::of(&json!({"resources": list}))),
                    None => Err(invalid(&format!("{} is not a directory resource", uri()))),
                }
            }
            _ => return None,
        })
    }
}

fn invalid(text: &str) -> Json {
    wire::error(code::INVALID_PARAMS, text)
}

fn fresh(result: Value) -> Json {
    with_times(Json::of(&result))
}

fn with_times(result: Json) -> Json {
    result.with(&["ttlMs"], &TTL_MS.to_string()).with(&["cacheScope"], "\"private\"")
}

/// The result of `skills/list` with a page of these skills, each by its URI and its entry. A cursor is the last URI of the page
/// before.
///
/// # Errors
/// The error to answer when the cursor is none of these URIs.
pub fn page<T>(
    all: &[T],
    params: &Json,
    uri: impl Fn(&T) -> String,
    entry: impl Fn(&T) -> Option<String>,
) -> Result<Json, Json> {
    let start = match params.text_at(&["cursor"]) {
        None => 0,
        Some(cursor) => {
            let at = all.iter().position(|skill| uri(skill) == cursor);
            at.ok_or_else(|| invalid("Invalid cursor: list the skills again from the start"))? + 1
        }
    };
    let mut entries = String::new();
    let rest = all.get(start..).unwrap_or_default().iter().take(PAGE_SKILLS);
    let mut last = None;
    for skill in rest {
        last = Some(skill);
        let Some(entry) = entry(skill) else { continue };
        entries.push_str(if entries.is_empty() { "" } else { "," });
        entries.push_str(&entry);
        if entries.len() > PAGE_BYTES {
            break;
        }
    }
    let result = Json::assembled(format!(r#"{{"skills":[{entries}]}}"#));
    let end = all.last().map(&uri);
    match last.map(&uri).filter(|last| end.as_ref() != Some(last)) {
        Some(cursor) => Ok(result.with(&["nextCursor"], &quote(&cursor))),
        None => Ok(result),
    }
}

#[cfg(test)]
mod tests;
