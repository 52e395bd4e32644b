//! The token of one server while the gateway runs: put into requests, renewed, missed.

use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, StatusCode};
use sha2::{Digest as _, Sha256};
use url::Url;

use weir_base::{RUN, hex, unix_now, without_command};
use weir_mcp::credentials::{Credentials, Later, Refusal};
use weir_mcp::redact::Secret;

use super::account::{Account, Held, Needed, Server};
use super::challenge::Challenge;
use super::discovery;
use super::door::Door;
use super::entrance::Entrance;
use super::error::OAuthError;
use super::keep::{Keep, Login, Logins};
use super::outside::{address, scopes, union};
use super::tokens::{self, NoTokens};

/// How long another gateway may take to renew a token before it counts as gone, which is longer than any request, and how
/// often one looks whether it has.
const RENEWAL: Duration = Duration::from_secs(40);
const LOOK: Duration = Duration::from_millis(200);

impl Deref for Bearer {
    type Target = Account;

    fn deref(&self) -> &Account {
        &self.account
    }
}

/// The token of one server. See the module.
#[derive(Debug)]
pub struct Bearer {
    account: Arc<Account>,
    /// Where people begin logins, in a gateway that runs for clients.
    door: Option<Arc<Door>>,
    /// Where the person logs in whose token it is, in a gateway where each has their own.
    person: Option<(Arc<Entrance>, String)>,
    /// One of us renews at a time; other processes are held off by the file.
    turn: tokio::sync::Mutex<()>,
}

impl Bearer {
    /// For a server that may want a token; `None` for one that gets none, as it has switched them off or they
    /// would travel in the clear between machines. `logins` is where they are kept, `door` where people begin them;
    /// those of one person of several begin at an entrance.
    pub fn new(
        server: &Server<'_>,
        logins: &Logins,
        door: Option<Arc<Door>>,
        person: Option<(&Arc<Entrance>, &str)>,
    ) -> Option<Arc<Bearer>> {
        let url = Url::parse(server.url).ok().filter(|_| !server.settings.off)?;
        super::outside::may_ask(&url, &url).then(|| {
            let key = person.map(|(entrance, person)| (entrance.key().clone(), person));
            let keep = Keep::new(logins, server.name, server.url, key);
            let account = Arc::new(Account::new(server, url, keep));
            let person = person.map(|(entrance, name)| (Arc::clone(entrance), name.to_owned()));
            Arc::new(Bearer { account, door, person, turn: Default::default() })
        })
    }

    /// Why somebody has to log in before the server can be used, and how, for people at a shell.
    pub fn needed_command(&self) -> Option<String> {
        Some(self.command(&self.needed_now()?.why))
    }

    /// What was true of a file that has been replaced is forgotten.
    fn needed_now(&self) -> Option<Needed> {
        let mut held = self.held.lock();
        if held.stamp != self.keep.stamp() {
            *held = Held::default();
        }
        held.needed.clone()
    }

    /// What somebody has to do. Clients of a gateway are told no command: a model would run it.
    fn asks_for(&self, needed: &Needed) -> String {
        let why = &needed.why;
        if let Some((entrance, person)) = &self.person {
            let address = entrance.address_for(&self.server, person);
            return format!(
                "{why}; the user has to open {address} in a browser and agree there, then call again"
            );
        }
        match (&self.door, &needed.address) {
            (None, _) => self.command(why),
            (_, Some(address)) => format!(
                "{why}; the user has to open {address} in a browser on the machine of the gateway and agree there, \
                 then call again"
            ),
            (_, None) => format!("{why}; the user has to log in on the machine of the gateway"),
        }
    }

    fn command(&self, why: &str) -> String {
        if let Some((_, person)) = &self.person {
            return format!("{why}; {person} has to log in");
        }
        format!("{why}{RUN}weir login {}", self.server)
    }

    async fn needs(&self, why: String) -> Needed {
        let address = match &self.door {
            Some(door) => door.address_for(&self.account).await,
            None => None,
        };
        Needed { why, address }
    }

    /// Takes note that nothing works before somebody has logged in.
    async fn need(&self, why: &str) -> Refusal {
        let needed = self.needs(why.to_owned()).await;
        let text = self.asks_for(&needed);
        if self.held.lock().needed.replace(needed).is_none() {
            self.log(why);
        }
        Refusal::Login(text)
    }

    fn log(&self, why: &str) {
        tracing::warn!("server {} needs a login: {}", self.server, self.command(why));
    }

    fn keep(&self, login: Login) -> Result<(), OAuthError> {
        self.keep.store(&login)?;
        let mut held = self.held.lock();
        *held = Held { read: true, stamp: self.keep.stamp(), login: Some(login), needed: None };
        Ok(())
    }

    /// The token to send, renewed when it is about to end; `None` when nobody is logged in.
    ///
    /// # Errors
    /// When it should be renewed and cannot be.
    pub async fn token(&self) -> Result<Option<Secret>, OAuthError> {
        let mut login = self.login()?;
        if login.as_ref().is_none_or(|login| login.access.is_none() && login.refresh.is_none()) {
            // Somebody may have logged in at another gateway.
            self.keep.exchange().await;
            login = self.login()?;
        }
        let Some(login) = login else { return Ok(None) };
        let ends = login.renew_at.is_some_and(|at| at <= unix_now());
        match &login.access {
            Some(access) if !ends => Ok(Some(access.clone())),
            // One that cannot be renewed is sent to its end.
            Some(access) if login.refresh.is_none() => Ok(Some(access.clone())),
            None if login.refresh.is_none() => Ok(None),
            access => match self.renew(access.as_ref()).await {
                Ok(token) => Ok(Some(token)),
                Err(OAuthError::NotLoggedIn) => Ok(None),
                Err(error) => Err(error),
            },
        }
    }

    /// Gets another token than `old`, by renewing or because somebody else has.
    async fn renew(&self, old: Option<&Secret>) -> Result<Secret, OAuthError> {
        let _turn = self.turn.lock().await;
        let _lock = self.keep.lock().await?;
        let started = Instant::now();
        let (mut login, refresh, claim) = loop {
            self.keep.exchange().await;
            // Somebody else may have been faster.
            *self.held.lock() = Held::default();
            let login = self.login()?.ok_or(OAuthError::NotLoggedIn)?;
            if let Some(access) = &login.access
                && Some(access) != old
            {
                return Ok(access.clone());
            }
            let Some(refresh) = login.refresh.clone() else { return Err(OAuthError::NotLoggedIn) };
            let Some(others) = &self.keep.others else { break (login, refresh, None) };
            // A token that is replaced may be used once: one gateway does, the others wait for what comes of it.
            let used = [Some(&refresh), login.access.as_ref()].map(|it| it.map_or("", |it| &it.0));
            let nth = started.elapsed().as_secs() / RENEWAL.as_secs();
            let claim = hex(&Sha256::digest(format!("{used:?} {nth}")));
            match others.claim(&claim).await {
                Ok(true) => break (login, refresh, Some(claim)),
                Ok(false) => tokio::time::sleep(LOOK).await,
                Err(why) => {
                    let lasts = login.expires_at.is_some_and(|at| at > unix_now());
                    return login.access.filter(|_| lasts).ok_or_else(|| {
                        let what = "whether another gateway renews it is not known";
                        OAuthError::Kept(format!("{what}, and none may do so twice: {why}"))
                    });
                }
            }
        };
        let endpoint = address(&login.token_endpoint, "token endpoint", &self.url)?;
        let form = vec![
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.0.as_str()),
            ("resource", login.resource.as_str()),
        ];
        let given =
            tokens::trade(self.http()?, &endpoint, &login.client, &self.settings, form).await;
        match given {
            Ok(given) => {
                let access = given.access.clone();
                login.access = Some(given.access);
                // One that is not replaced is used again.
                login.refresh = given.refresh.or(login.refresh);
                (login.expires_at, login.renew_at) = (given.expires_at, given.renew_at);
                login.scopes = given.scopes.unwrap_or(login.scopes);
                self.keep(login)?;
                self.keep.exchange().await;
                Ok(access)
            }
            Err(NoTokens::Worthless(why)) => {
                tracing::warn!(server = %self.server, "its login cannot be renewed: {why}");
                // Who we are stays known: only the tokens are worthless.
                (login.access, login.refresh) = (None, None);
                self.keep(login)?;
                self.keep.exchange().await;
                Err(OAuthError::NotLoggedIn)
            }
            Err(NoTokens::Failed(error)) => {
                if let (Some(others), Some(claim)) = (&self.keep.others, claim) {
                    others.release(&claim).await;
                }
                Err(error)
            }
        }
    }

    async fn unauthorized(&self, challenge: Option<Challenge>, sent: Option<&Secret>) -> Refusal {
        if sent.is_some() {
            return match self.renew(sent).await {
                Ok(_) => Refusal::Again,
                Err(OAuthError::NotLoggedIn) => self.need("its login has ended").await,
                Err(error) => Refusal::Other(Some(without_command(&format!(
                    "its login cannot be renewed: {error}"
                )))),
            };
        }
        let http = match self.http() {
            Ok(http) => http,
            Err(error) => return Refusal::Other(Some(error.to_string())),
        };
        let found = discovery::discover(http, &self.url, challenge.as_ref(), &self.settings).await;
        match found {
            Ok(_) => self.need("nobody is logged in").await,
            // It may want a token that OAuth has nothing to do with.
            Err(OAuthError::Unsupported(_))
                if challenge.is_none_or(|c| c == Challenge::default()) =>
            {
                Refusal::Other(None)
            }
            Err(error) => Refusal::Other(Some(format!("a login is not possible: {error}"))),
        }
    }

    /// Keeps what the server wants beside what was given, for the next login.
    async fn wants_more(&self, scope: Option<String>) -> Refusal {
        let Some(scope) = scope else { return Refusal::Other(None) };
        let shown = super::outside::clean(&scope);
        let kept = async {
            let _turn = self.turn.lock().await;
            let _lock = self.keep.lock().await?;
            let Some(mut login) = self.login()? else { return Ok::<bool, OAuthError>(false) };
            let wanted = union(&login.wanted, &scopes(&scope));
            if wanted != login.wanted {
                login.wanted = wanted;
                self.keep(login)?;
            }
            Ok(true)
        };
        match kept.await {
            Ok(true) => {
                let why = format!("this needs further permissions ({shown})");
                self.log(&why);
                Refusal::Login(self.asks_for(&self.needs(why).await))
            }
            Ok(false) => self.need("nobody is logged in").await,
            Err(error) => Refusal::Other(Some(without_command(&error.to_string()))),
        }
    }
}

impl Credentials for Bearer {
    fn needed(&self) -> Option<String> {
        Some(self.asks_for(&self.needed_now()?))
    }

    fn token(&self) -> Later<'_, Result<Option<Secret>, String>> {
        let token =
            async { Bearer::token(self).await.map_err(|why| without_command(&why.to_string())) };
        Box::pin(token)
    }

    fn refused<'a>(
        &'a self,
        status: StatusCode,
        headers: &'a HeaderMap,
        sent: Option<&'a Secret>,
    ) -> Later<'a, Refusal> {
        let challenge = Challenge::of(headers);
        Box::pin(async move {
            match status {
                StatusCode::UNAUTHORIZED => self.unauthorized(challenge, sent).await,
                StatusCode::FORBIDDEN if challenge.as_ref().is_some_and(Challenge::wants_more) => {
                    self.wants_more(challenge.and_then(|challenge| challenge.scope)).await
                }
                _ => Refusal::Other(None),
            }
        })
    }
}
