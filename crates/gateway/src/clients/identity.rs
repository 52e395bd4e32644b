//! Who a client is, and what it may see.
//!
//! A client is its token, or the person whom an issuer knows, and, in the legacy revisions, its `Mcp-Session-Id`. Each has its own session
//! of the store (unless its token says that all of its sessions share one), capabilities, roots, log level, tasks and memory of what it was shown. The one client
//! on our standard streams has the gateway for itself, and a session of the store of its own unless the
//! user or an installation named one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest, Sha256};

pub use crate::clients::profile::Profile;
use weir_base::{Mutex, unguessable};
use weir_oauth::{Issuer, Person, Unproven};

/// A token, and what its holder may see.
#[derive(Debug, Clone)]
pub struct Token {
    /// The SHA-256 of the secret.
    pub digest: [u8; 32],
    /// When it ends, in seconds since 1970.
    pub expires: Option<u64>,
    /// Whose it is.
    pub profile: Arc<Profile>,
}

impl Token {
    /// A token that does not end.
    pub fn new(secret: &str, profile: Profile) -> Token {
        let digest = Sha256::digest(secret).into();
        Token { digest, expires: None, profile: Arc::new(profile) }
    }
}

/// People whom an issuer knows, and what each may see.
#[derive(Debug, Clone)]
pub struct People {
    /// Who proves who they are.
    pub issuer: Arc<Issuer>,
    /// Profiles of groups: the first that fits a person counts. One without a group is everybody's.
    pub groups: Vec<(Option<String>, Profile)>,
}

impl People {
    /// What a person may see.
    fn profile(&self, person: Person) -> Option<Arc<Profile>> {
        let is_in = |group: &Option<String>| {
            group.as_ref().is_none_or(|group| person.groups.contains(group))
        };
        let (_, profile) = self.groups.iter().find(|(group, _)| is_in(group))?;
        // Issuers give the same subject to different people.
        let name = format!("{}#{}", self.issuer.settings().issuer, person.subject);
        Some(Arc::new(Profile { name, subject: Some(person.subject), ..profile.clone() }))
    }
}

/// Why somebody is not let in. Its text is a label for metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is no token.
    #[error("no_token")]
    NoToken,
    /// It is none that is known.
    #[error("unknown_token")]
    Unknown,
    /// Its time is over.
    #[error("expired_token")]
    Expired,
    /// It does not prove who its holder is.
    #[error("{0}")]
    Unproven(Unproven),
    /// It says who its holder is, and that person has no profile.
    #[error("no_profile")]
    NoProfile,
}

/// What lets clients in, which may change while an endpoint is served.
#[derive(Debug, Clone, Default)]
pub struct Tokens(Arc<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Tokens by their digest: the time of a search says nothing of the secret.
    tokens: Mutex<BTreeMap<[u8; 32], Token>>,
    people: Mutex<Option<People>>,
    required: AtomicBool,
}

impl Tokens {
    /// These. Where there are any, one of them is required from now on.
    pub fn new(tokens: Vec<Token>, people: Option<People>) -> Tokens {
        let kept = Tokens::default();
        kept.set(tokens, people);
        kept
    }

    /// From now on these. An endpoint that had tokens is not opened to all when there are none any more.
    pub fn set(&self, tokens: Vec<Token>, mut people: Option<People>) {
        if !tokens.is_empty() || people.is_some() {
            self.require();
        }
        *self.0.tokens.lock() = tokens.into_iter().map(|token| (token.digest, token)).collect();
        let mut kept = self.0.people.lock();
        // With its keys, where it is the same issuer.
        if let (Some(new), Some(old)) = (&mut people, &*kept)
            && new.issuer.settings() == old.issuer.settings()
        {
            new.issuer = Arc::clone(&old.issuer);
        }
        *kept = people;
    }

    /// Nobody comes in without one, even where none can be used: somebody has asked for tokens.
    pub fn require(&self) {
        self.0.required.store(true, Ordering::SeqCst);
    }

    /// Whether nobody comes in without one.
    pub fn are_required(&self) -> bool {
        self.0.required.load(Ordering::SeqCst)
    }

    /// Whether anybody can come in with one.
    pub fn are_there(&self) -> bool {
        !self.0.tokens.lock().is_empty() || self.people().is_some()
    }

    /// The people of an issuer.
    pub fn people(&self) -> Option<People> {
        self.0.people.lock().clone()
    }

    /// What the holder of a token may see.
    ///
    /// # Errors
    /// When the token lets nobody in.
    pub async fn admit(&self, given: Option<&str>) -> Result<Arc<Profile>, Refused> {
        if !self.are_required() {
            return Ok(Arc::default());
        }
        let given = given.ok_or(Refused::NoToken)?;
        let digest: [u8; 32] = Sha256::digest(given).into();
        if let Some(token) = self.0.tokens.lock().get(&digest) {
            return match token.expires.is_some_and(|end| end <= weir_base::unix_now()) {
                true => Err(Refused::Expired),
                false => Ok(Arc::clone(&token.profile)),
            };
        }
        let Some(people) = self.people().filter(|_| given.contains('.')) else {
            return Err(Refused::Unknown);
        };
        let person = people.issuer.person(given).await.map_err(Refused::Unproven)?;
        people.profile(person).ok_or(Refused::NoProfile)
    }
}

/// The name of a session of the store that nobody else has: for a client on standard streams of which
/// nobody said whose results it may read.
///
/// # Errors
/// When the system gives no random bytes.
pub fn session_of_its_own() -> std::io::Result<String> {
    let digits = unguessable().map_err(std::io::Error::other)?;
    Ok(format!("stdio-{}", &digits[..16]))
}

/// A client, as told from others.
#[derive(Debug, Clone)]
pub struct Identity {
    /// Different for different clients.
    pub key: Arc<str>,
    /// What is put behind the gateway's session of the store; `None` for the only client.
    pub store: Option<String>,
    /// What it may see.
    pub profile: Arc<Profile>,
    /// Its session of the store, where that is not made from the gateway's.
    pub session: Option<String>,
}

impl Identity {
    /// The only client of a gateway.
    pub fn alone() -> Arc<Identity> {
        Arc::new(Identity {
            key: "alone".into(),
            store: None,
            profile: Arc::default(),
            session: None,
        })
    }

    /// One of several on the sockets of a shared gateway, with its own session of the store.
    pub fn of_session(number: u64, session: String) -> Arc<Identity> {
        Arc::new(Identity {
            key: format!("shared {number}").into(),
            store: Some(format!("shared-{number}")),
            profile: Arc::default(),
            session: Some(session),
        })
    }

    /// One of several: who holds the token of `profile`, and the session of a legacy client.
    pub fn beside_others(profile: &Arc<Profile>, session: Option<&str>) -> Arc<Identity> {
        let key: Arc<str> = match session {
            Some(session) => session.into(),
            None => format!("token {}", profile.name).into(),
        };
        // As in the stateless revision, where the token is all there is.
        let session = session.filter(|_| !profile.shares_results);
        let digest = weir_base::digest_of([&*profile.name, session.unwrap_or_default()]);
        let digits = weir_base::hex(&digest[..12]);
        Arc::new(Identity { key, store: Some(digits), profile: Arc::clone(profile), session: None })
    }

    /// Whether the gateway may have other clients.
    pub fn is_beside_others(&self) -> bool {
        self.store.is_some()
    }

    /// Its session of the store, in a gateway of this session.
    pub fn store_session(&self, gateway: &str) -> String {
        if let Some(session) = &self.session {
            return session.clone();
        }
        match &self.store {
            Some(own) => format!("{gateway}.{own}"),
            None => gateway.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_told_apart_by_token_and_by_session() {
        let profile = |name: &str| Arc::new(Profile { name: name.into(), ..Profile::default() });
        let (anna, bert) = (profile("anna"), profile("bert"));
        let all = [
            Identity::alone(),
            Identity::beside_others(&anna, None),
            Identity::beside_others(&bert, None),
            Identity::beside_others(&anna, Some("s1")),
            Identity::beside_others(&anna, Some("s2")),
            Identity::beside_others(&bert, Some("s3")),
        ];
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                assert_ne!(one.key, other.key);
                assert_ne!(one.store_session("g"), other.store_session("g"));
            }
        }
        // A token may own the results of all its sessions. They are other clients all the same.
        let team =
            |name: &str| Arc::new(Profile { shares_results: true, ..(*profile(name)).clone() });
        let [one, other] = ["s4", "s5"].map(|id| Identity::beside_others(&team("anna"), Some(id)));
        assert_eq!(one.store_session("g"), other.store_session("g"));
        assert_ne!(one.key, other.key);
        assert_eq!(one.store_session("g"), all[1].store_session("g"));
        let theirs = Identity::beside_others(&team("bert"), Some("s6"));
        assert_ne!(one.store_session("g"), theirs.store_session("g"));
        // The same token is the same client tomorrow.
        let again = Identity::beside_others(&profile("anna"), None);
        assert_eq!(again.store_session("g"), all[1].store_session("g"));
    }

    #[test]
    fn a_profile_admits_what_it_names() {
        let profile = Profile {
            servers: vec!["git*".into()],
            tools: vec!["*__get_*".into()],
            ..Profile::default()
        };
        assert!(profile.admits_tool("github", "get_issue"));
        assert!(!profile.admits_tool("github", "delete_repo"));
        assert!(!profile.admits_tool("mail", "get_mail"));
        assert!(Profile::default().admits_tool("mail", "send"));
        let named = |tools: &[&str]| Profile {
            tools: tools.iter().map(|glob| (*glob).to_owned()).collect(),
            ..Profile::default()
        };
        let mail = named(&["mail__*", "git*__get_issue"]);
        assert!(mail.may_admit_tools_of("mail") && mail.may_admit_tools_of("github"));
        assert!(!mail.may_admit_tools_of("mailer") && !mail.may_admit_tools_of("calendar"));
        let one = named(&["mail__send"]);
        assert!(one.may_admit_tools_of("mail") && !one.may_admit_tools_of("m"));
        assert!(named(&["*__get_*"]).may_admit_tools_of("calendar"));
    }
}
