//! Our account at one server: where it is, what its entry says of OAuth, the login that is kept.

use std::sync::OnceLock;

use url::Url;

use weir_mcp::net::{HttpClient, Tls};

use super::error::OAuthError;
use super::keep::{Keep, Login, Stamp};
use super::settings::OAuthSettings;
use weir_base::Mutex;

/// What is known of the login, and since which file.
#[derive(Debug, Default)]
pub(super) struct Held {
    pub(super) read: bool,
    pub(super) stamp: Stamp,
    pub(super) login: Option<Login>,
    /// Why a login is needed, as long as the file is the same.
    pub(super) needed: Option<Needed>,
}

/// A login that somebody has to make.
#[derive(Debug, Clone)]
pub(super) struct Needed {
    pub(super) why: String,
    /// Where it begins; none where there is no door, or it cannot be opened.
    pub(super) address: Option<String>,
}

/// The server that a login is for, as its entry has it.
#[derive(Debug, Clone, Copy)]
pub struct Server<'a> {
    /// What people call it.
    pub name: &'a str,
    /// Its address.
    pub url: &'a str,
    /// What its entry says of OAuth.
    pub settings: &'a OAuthSettings,
    /// Certificates beside the system's.
    pub tls: &'a Tls,
}

/// Our account at one server. See the module.
#[derive(Debug)]
pub struct Account {
    pub(super) server: String,
    pub(super) url: Url,
    pub(super) settings: OAuthSettings,
    pub(super) keep: Keep,
    tls: Tls,
    client: OnceLock<Result<HttpClient, String>>,
    pub(super) held: Mutex<Held>,
}

impl Account {
    pub(super) fn new(of: &Server<'_>, url: Url, keep: Keep) -> Account {
        Account {
            server: of.name.to_owned(),
            url,
            settings: of.settings.clone(),
            keep,
            tls: of.tls.clone(),
            client: OnceLock::new(),
            held: Mutex::default(),
        }
    }

    /// What the server's entry says of OAuth.
    pub fn settings(&self) -> &OAuthSettings {
        &self.settings
    }

    pub(super) fn http(&self) -> Result<&HttpClient, OAuthError> {
        self.client
            .get_or_init(|| HttpClient::new(true, &self.tls))
            .as_ref()
            .map_err(|error| OAuthError::Unsupported(error.clone()))
    }

    /// The login as it is kept now. The file is read when it is another one than before.
    pub fn login(&self) -> Result<Option<Login>, OAuthError> {
        let mut held = self.held.lock();
        let stamp = self.keep.stamp();
        if !held.read || held.stamp != stamp {
            *held = Held { read: true, stamp, login: None, needed: None };
            match self.keep.load() {
                Ok(login) => held.login = login,
                Err(error) => {
                    // Read again next time: rights may change without the file.
                    held.read = false;
                    return Err(error);
                }
            }
        }
        Ok(held.login.clone())
    }
}
