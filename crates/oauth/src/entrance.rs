//! Where each person of a gateway logs in at a server, from any machine, at any gateway with the same key.
//!
//! Nothing of a login that is under way is kept here. Its address says for whom and for which server it is, and is
//! signed. What the way back needs is in the browser that began it, sealed: nobody who is sent an address of
//! somebody else's login can end it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use weir_base::unix_now;

use super::account::Account;
use super::error::OAuthError;
use super::flow::{self, Pending};
use super::issuer::Asked;
use super::seal::Key;

/// How long an address lets a login begin, and how long that may take, in seconds.
const OPEN: u64 = 24 * 3_600;
const PATIENCE: u64 = 600;

/// What addresses are signed for, and what is in the browser.
const PASS: &str = "login";
const BEGUN: &str = "login that was begun";
const ASKED: &str = "who logs in";

/// The entrance. See the module.
#[derive(Debug, Clone)]
pub struct Entrance {
    url: String,
    key: Key,
}

/// A login that somebody may make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// The server.
    pub server: String,
    /// The person.
    pub person: String,
    until: u64,
}

#[derive(Serialize, Deserialize)]
struct Begun {
    wish: Wish,
    pending: Pending,
}

impl Entrance {
    /// The entrance of the gateway that others know by this address, which has no path.
    pub fn new(url: &str, key: Key) -> Entrance {
        Entrance { url: url.to_owned(), key }
    }

    /// The key.
    pub(super) fn key(&self) -> &Key {
        &self.key
    }

    /// Where this person logs in at this server.
    pub(super) fn address_for(&self, server: &str, person: &str) -> String {
        let (server, person) = (server.to_owned(), person.to_owned());
        let wish = Wish { server, person, until: unix_now() + OPEN };
        let text = serde_json::to_string(&wish).unwrap_or_default();
        format!("{}/login/{}", self.url, self.key.sign(PASS, &text))
    }

    /// Whose login at which server begins at such an address, by its last part.
    pub fn wish(&self, pass: &str) -> Option<Wish> {
        let wish: Wish = serde_json::from_str(&self.key.verify(PASS, pass)?).ok()?;
        Some(wish).filter(|wish| wish.until > unix_now())
    }

    /// Begins a login, for somebody who has shown to be the person. Gives the address to go to, and what the browser
    /// brings back.
    ///
    /// # Errors
    /// When the server or its authorization server offers no login that is safe.
    pub async fn begin(
        &self,
        account: &Account,
        wish: Wish,
    ) -> Result<(String, String), OAuthError> {
        let pending = flow::begin(account, &format!("{}/login/back", self.url), &[]).await?;
        let address = pending.url.clone();
        let wish = Wish { until: unix_now() + PATIENCE, ..wish };
        Ok((address, self.seal(BEGUN, &Begun { wish, pending })?))
    }

    /// The login that the browser comes back from, where it is the one that began it.
    pub fn begun(&self, brought: &str) -> Option<(Wish, Pending)> {
        let begun: Begun = self.open(BEGUN, brought)?;
        Some((begun.wish, begun.pending)).filter(|(wish, _)| wish.until > unix_now())
    }

    /// Where the issuer sends the browser back to.
    pub fn who(&self) -> String {
        format!("{}/login/who", self.url)
    }

    /// What a browser brings back that was sent to the issuer.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn asked(&self, wish: Wish, asked: Asked) -> Result<String, OAuthError> {
        self.seal(ASKED, &(Wish { until: unix_now() + PATIENCE, ..wish }, asked))
    }

    /// The same, when it comes back.
    pub fn answered(&self, brought: &str) -> Option<(Wish, Asked)> {
        self.open::<(Wish, Asked)>(ASKED, brought).filter(|(wish, _)| wish.until > unix_now())
    }

    fn seal<T: Serialize>(&self, what: &str, value: &T) -> Result<String, OAuthError> {
        let text =
            serde_json::to_string(value).map_err(|error| OAuthError::Kept(error.to_string()))?;
        self.key.seal(what, &text).map_err(OAuthError::Kept)
    }

    fn open<T: DeserializeOwned>(&self, what: &str, sealed: &str) -> Option<T> {
        serde_json::from_str(&self.key.open(what, sealed)?).ok()
    }
}
