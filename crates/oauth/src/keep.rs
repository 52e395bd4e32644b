//! Logins on disk: one file for each server and its address, for their owner alone.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use weir_base::hex;
use weir_base::private;

use super::error::OAuthError;
use super::register::Client;
use super::seal::Key;
use weir_mcp::credentials::Later;
use weir_mcp::redact::Secret;

/// What is kept of one login. A token in it is for `resource`, from `issuer`, and nobody else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// The server's name in the configuration.
    pub server: String,
    /// Its address there: the only one that the access token is sent to.
    pub url: String,
    /// The server's name towards the authorization server.
    pub resource: String,
    /// Who gave the tokens.
    pub issuer: String,
    /// Where the refresh token came from: the only address that it is sent to.
    pub(super) token_endpoint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) revocation_endpoint: Option<String>,
    pub(super) client: Client,
    /// The scopes that were given, as far as that is known.
    pub scopes: Vec<String>,
    /// Scopes that the server has asked for since, for the next login.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wanted: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) access: Option<Secret>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refresh: Option<Secret>,
    /// When the access token ends, in seconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<u64>,
    /// When it is to be renewed, a little earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) renew_at: Option<u64>,
}

impl Login {
    /// Whether it can be renewed without anybody's help.
    pub fn renews_itself(&self) -> bool {
        self.refresh.is_some()
    }
}

/// Tells whether a file has been replaced.
pub(super) type Stamp = Option<(SystemTime, u64)>;

/// Other gateways that have the same logins.
pub trait Others: std::fmt::Debug + Send + Sync {
    /// Takes over what they wrote, and tells them what was written here, as far as they can be reached.
    fn exchange(&self) -> Later<'_, ()>;

    /// Whether it is this gateway, of all, that does what is named so. None does it twice, until it is released.
    fn claim<'a>(&'a self, what: &'a str) -> Later<'a, Result<bool, String>>;

    /// Lets another do it.
    fn release<'a>(&'a self, what: &'a str) -> Later<'a, ()>;
}

/// Where logins are kept.
#[derive(Debug, Clone)]
pub struct Logins {
    /// The folder.
    pub folder: PathBuf,
    /// Who else has them.
    pub others: Option<Arc<dyn Others>>,
}

impl From<PathBuf> for Logins {
    fn from(folder: PathBuf) -> Logins {
        Logins { folder, others: None }
    }
}

/// Where the login of one server is kept.
#[derive(Debug, Clone)]
pub struct Keep {
    server: String,
    url: String,
    file: PathBuf,
    /// Who else has it.
    pub(super) others: Option<Arc<dyn Others>>,
    /// What it is sealed with and as, where it is one person's of several.
    sealed: Option<(Key, String)>,
}

impl Keep {
    /// The place for a server's login, in a folder for all of them. That of one person of several nobody reads without
    /// the key, nor as somebody else's.
    pub fn new(logins: &Logins, server: &str, url: &str, person: Option<(Key, &str)>) -> Keep {
        let (whole, end) = match &person {
            None => (format!("{server}\n{url}"), "json"),
            Some((_, person)) => (format!("{server}\n{url}\n{person}"), "sealed"),
        };
        let name = hex(&Sha256::digest(&whole)[..12]);
        Keep {
            server: server.to_owned(),
            url: url.to_owned(),
            file: logins.folder.join(format!("{name}.{end}")),
            others: logins.others.clone(),
            sealed: person.map(|(key, _)| (key, whole)),
        }
    }

    /// The server's address, as its entry has it.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// What is kept.
    ///
    /// # Errors
    /// When it is there and cannot be used.
    pub fn load(&self) -> Result<Option<Login>, OAuthError> {
        let Some(text) = private::read(&self.file).map_err(OAuthError::Kept)? else {
            return Ok(None);
        };
        let text = match &self.sealed {
            None => text,
            Some((key, what)) => key.open(what, &text).ok_or_else(|| {
                let file = self.file.display();
                OAuthError::Kept(format!(
                    "{file} is damaged or sealed with another key; log in again"
                ))
            })?,
        };
        // What is in it stays out of the message.
        let login: Login = serde_json::from_str(&text).map_err(|_| {
            OAuthError::Kept(format!("{} is damaged; log in again", self.file.display()))
        })?;
        // Not what the name of the file says, but what the file says.
        Ok(Some(login).filter(|login| login.server == self.server && login.url == self.url))
    }

    /// Keeps a login.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn store(&self, login: &Login) -> Result<(), OAuthError> {
        let text = serde_json::to_string_pretty(login)
            .map_err(|error| OAuthError::Kept(error.to_string()))?;
        let text = match &self.sealed {
            None => text,
            Some((key, what)) => key.seal(what, &text).map_err(OAuthError::Kept)?,
        };
        private::write(&self.file, &text).map_err(OAuthError::Kept)
    }

    /// Forgets it. Gives whether there was one.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub(super) fn remove(&self) -> Result<bool, OAuthError> {
        match std::fs::remove_file(&self.file) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => {
                Err(OAuthError::Kept(format!("{} cannot be removed: {error}", self.file.display())))
            }
        }
    }

    /// Takes over what other gateways wrote, and tells them what was written here.
    pub(super) async fn exchange(&self) {
        if let Some(others) = &self.others {
            others.exchange().await;
        }
    }

    /// Holds everybody else off while a token is renewed, in this process and others.
    pub(super) async fn lock(&self) -> Result<std::fs::File, OAuthError> {
        let path = self.file.with_extension("lock");
        tokio::task::spawn_blocking(move || private::lock(&path))
            .await
            .map_err(|error| OAuthError::Kept(error.to_string()))?
            .map_err(OAuthError::Kept)
    }

    pub(super) fn stamp(&self) -> Stamp {
        std::fs::metadata(&self.file).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok()
    }
}
