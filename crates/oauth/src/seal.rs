//! The key of a gateway: what it signs for clients, and what it keeps for people so that nobody else reads it.
//!
//! Keys may be replaced: the first one signs and seals, each of them verifies and opens.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac;

/// Characters below which a key can be guessed.
const SHORT: usize = 32;

/// The key. See the module. Copies are the same one.
#[derive(Clone)]
pub struct Key(Arc<Vec<hmac::Key>>);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("key")
    }
}

impl Key {
    /// The key that these texts are, the newest first.
    ///
    /// # Errors
    /// When there is none, or one can be guessed.
    pub fn new(texts: &[String]) -> Result<Key, String> {
        if texts.is_empty() || texts.iter().any(|text| text.trim().chars().count() < SHORT) {
            return Err(format!("a key has at least {SHORT} characters"));
        }
        let key = |text: &String| hmac::Key::new(hmac::HMAC_SHA256, text.trim().as_bytes());
        Ok(Key(Arc::new(texts.iter().map(key).collect())))
    }

    /// `text` with a signature, which holds for `context` alone.
    pub fn sign(&self, context: &str, text: &str) -> String {
        let signed = message(context, text.as_bytes());
        let tag = self.0.first().map(|key| hmac::sign(key, &signed));
        let tag = tag.as_ref().map(AsRef::as_ref).unwrap_or_default();
        let [text, tag] = [text.as_bytes(), tag].map(|part| URL_SAFE_NO_PAD.encode(part));
        format!("{text}.{tag}")
    }

    /// The text that was signed for `context`.
    pub fn verify(&self, context: &str, signed: &str) -> Option<String> {
        let (text, tag) = signed.split_once('.')?;
        let [text, tag] = [text, tag].map(|part| URL_SAFE_NO_PAD.decode(part).ok());
        let (text, tag) = (text?, tag?);
        let message = message(context, &text);
        let good = self.0.iter().any(|key| hmac::verify(key, &message, &tag).is_ok());
        good.then(|| String::from_utf8(text).ok()).flatten()
    }

    /// `text` so that only a key of these reads it, and only as what it is.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn seal(&self, what: &str, text: &str) -> Result<String, String> {
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|error| error.to_string())?;
        let mut bytes = text.as_bytes().to_vec();
        let key = self.0.first().and_then(cipher).ok_or("there is no key")?;
        key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(what),
            &mut bytes,
        )
        .map_err(|_| "it cannot be sealed")?;
        Ok(URL_SAFE_NO_PAD.encode([&nonce[..], &bytes].concat()))
    }

    /// What was sealed as `what`; nothing where it was not, or with another key.
    pub fn open(&self, what: &str, sealed: &str) -> Option<String> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed.trim()).ok()?;
        let (nonce, bytes) = bytes.split_at_checked(NONCE_LEN)?;
        self.0.iter().find_map(|key| {
            let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
            let mut bytes = bytes.to_vec();
            let text = cipher(key)?.open_in_place(nonce, Aad::from(what), &mut bytes).ok()?;
            String::from_utf8(text.to_vec()).ok()
        })
    }
}

/// What is signed: no context and text have that of others.
fn message(context: &str, text: &[u8]) -> Vec<u8> {
    [&(context.len() as u64).to_le_bytes(), context.as_bytes(), text].concat()
}

/// A key of its own for sealing.
fn cipher(key: &hmac::Key) -> Option<LessSafeKey> {
    let own = hmac::sign(key, &message("seal", b""));
    UnboundKey::new(&CHACHA20_POLY1305, own.as_ref()).ok().map(LessSafeKey::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letters: &[&str]) -> Key {
        let texts: Vec<String> = letters.iter().map(|letter| letter.repeat(32)).collect();
        Key::new(&texts).unwrap()
    }

    #[test]
    fn what_is_signed_or_sealed_holds_for_its_key_and_its_context_alone() {
        let (one, other, both) = (key(&["a"]), key(&["b"]), key(&["b", "a"]));
        let signed = one.sign("session of anna", "text");
        assert_eq!(one.verify("session of anna", &signed).as_deref(), Some("text"));
        assert_eq!(both.verify("session of anna", &signed).as_deref(), Some("text"));
        assert_eq!(one.verify("session of bert", &signed), None);
        assert_eq!(other.verify("session of anna", &signed), None);
        let sealed = one.seal("login", "canary").unwrap();
        assert_ne!(sealed, one.seal("login", "canary").unwrap());
        assert_eq!(one.open("login", &sealed).as_deref(), Some("canary"));
        assert_eq!(both.open("login", &sealed).as_deref(), Some("canary"));
        assert_eq!((one.open("other", &sealed), other.open("login", &sealed)), (None, None));
        // No byte of either may be another one.
        for (text, check) in [
            (&signed, &(|text: &str| one.verify("session of anna", text)) as &dyn Fn(&str) -> _),
            (&sealed, &|text: &str| one.open("login", text)),
        ] {
            for at in 0..text.len() {
                let mut changed = text.clone().into_bytes();
                changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
                let changed = String::from_utf8(changed).unwrap();
                assert_eq!(check(&changed).filter(|_| changed != *text), None, "{at}");
            }
        }
        for bad in ["", ".", "a", "a.b.c", "\u{e9}"] {
            assert_eq!((one.verify("", bad), one.open("", bad)), (None, None));
        }
    }

    #[test]
    fn a_key_that_can_be_guessed_is_none() {
        for bad in [
            vec![],
            vec![String::new()],
            vec!["a".repeat(31)],
            vec![format!("{}  ", "a".repeat(31))],
        ] {
            assert!(Key::new(&bad).is_err());
        }
    }
}
