//! The directory name of a session.

use crate::digest::{Digest, hex_value};
use crate::limits::SESSION_MAX_CHARS;

/// Characters of the session's own name that are kept, for people who look into the directory.
const SLUG_CHARS: usize = 24;
/// Hex digits of the name's digest: what makes the directory the session's own.
const HASH_CHARS: usize = 32;

/// What is wrong with a session's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadSession(pub(super) &'static str);

/// A session's directory: a readable part and a hash, so that no two names meet and none escapes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SessionKey(String);

impl SessionKey {
    /// The key of a session's name.
    ///
    /// # Errors
    /// [`BadSession`] when the name is empty or longer than [`SESSION_MAX_CHARS`].
    pub(super) fn of(name: &str) -> Result<SessionKey, BadSession> {
        if name.is_empty() {
            return Err(BadSession("it is empty; name the session"));
        }
        if name.chars().nth(SESSION_MAX_CHARS).is_some() {
            return Err(BadSession("it has more than 512 characters"));
        }
        let slug: String = name
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
            .take(SLUG_CHARS)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let hash = Digest::of(name.as_bytes()).to_string();
        Ok(SessionKey(format!("{slug}.{}", &hash[..HASH_CHARS])))
    }

    /// The key that a directory's name is, if it is one.
    pub(super) fn parse(dir: &str) -> Option<SessionKey> {
        let (slug, hash) = dir.rsplit_once('.')?;
        let is_slug = slug.len() <= SLUG_CHARS
            && slug
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b));
        let is_hash = hash.len() == HASH_CHARS && hash.chars().all(|c| hex_value(c).is_some());
        (is_slug && is_hash).then(|| SessionKey(dir.to_owned()))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_that_look_alike_have_their_own_directories() {
        let names = ["a", "A", "a/", "../../evil", "..", "evil", "a\0", "ä", &"a".repeat(512)];
        let mut keys: Vec<_> = names.iter().map(|name| SessionKey::of(name).unwrap()).collect();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), names.len());
        assert!(SessionKey::of("").is_err());
        assert!(SessionKey::of(&"ä".repeat(513)).is_err());
    }

    proptest! {
        #[test]
        fn any_name_gives_one_plain_path_component(name in "\\PC{1,80}") {
            let key = SessionKey::of(&name).unwrap();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
            prop_assert!(key.as_str().chars().all(is_plain));
            prop_assert!(!key.as_str().contains(".."));
            prop_assert_eq!(SessionKey::parse(key.as_str()), Some(key));
        }
    }
}
