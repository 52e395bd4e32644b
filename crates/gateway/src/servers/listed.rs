//! Tools, prompts and resources as their server lists them.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::search::skills;
use crate::servers::digest;
use weir_mcp::json::Json;

/// Tools of a server, and of all servers in a catalog. The rest is left out, and searches say of which servers.
pub(crate) const MAX_TOOLS: usize = 20_000;

/// One of them, as its server wrote it. Clones share it.
#[derive(Debug, Clone)]
pub struct Listed(Arc<Definition>);

#[derive(Debug)]
struct Definition {
    json: Json,
    digest: OnceLock<String>,
    own: OnceLock<Option<String>>,
}

impl From<Json> for Listed {
    fn from(json: Json) -> Listed {
        Listed(Arc::new(Definition { json, digest: OnceLock::new(), own: OnceLock::new() }))
    }
}

impl Deref for Listed {
    type Target = Json;
    fn deref(&self) -> &Json {
        &self.0.json
    }
}

impl PartialEq for Listed {
    fn eq(&self, other: &Listed) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.json == other.0.json
    }
}

impl Listed {
    /// Whether it is a skill in the form of a tool's definition, see [`skills::definition_of`].
    pub fn is_skill(&self) -> bool {
        self.get(&[skills::MEMBER]).is_some()
    }

    /// Its name.
    pub fn name(&self) -> Option<String> {
        self.text_at(&["name"])
    }

    /// The name or URI of a prompt, resource or template, which is under the key of its list: looked up once.
    pub fn own(&self, key: &str) -> Option<&str> {
        self.0.own.get_or_init(|| self.text_at(&[key])).as_deref()
    }

    /// The digest of what counts in it, see [`digest::digest`].
    pub fn digest(&self) -> &str {
        self.0.digest.get_or_init(|| digest::digest(self))
    }

    /// Whether this is the digest of what counts in it, as this version makes it or those before 0.3 did.
    pub fn has_digest(&self, digest: &str) -> bool {
        self.digest() == digest || digest::former_digest(self) == digest
    }
}

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.json.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Listed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Json::deserialize(deserializer).map(Listed::from)
    }
}

/// Estimated tokens of a definition as a model is sent it. The component estimates the same.
pub fn definition_tokens(definition: &Json) -> u64 {
    let text = |name| definition.text_at(&[name]).unwrap_or_default();
    let schema = definition.get(&["inputSchema"]).unwrap_or_default();
    weir_text::tokens::of_definition(&text("name"), &text("description"), schema)
}
