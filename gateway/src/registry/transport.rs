//! Requests to one repository: tokens, redirects, bounds.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, Uri, header};
use base64::Engine as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use serde_json::Value;
use url::Url;

use crate::net::{HttpClient, Tls, causes, is_loopback, request, secret};
use crate::oauth::challenge::{Scheme, schemes};

use super::login::Login;
use super::reference::Reference;
use super::{RegistryError, Way, shown};

/// How long a registry may be silent.
const SILENCE: Duration = Duration::from_secs(60);
/// Redirects of one request that are followed.
const MAX_REDIRECTS: usize = 5;
/// Bytes of an error or of a token that are read.
const SMALL_MAX: u64 = 256 << 10;

/// What is to be done in the repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Pull,
    Push,
}

pub(super) struct Transport {
    client: HttpClient,
    /// `https://HOST/v2/NAME/`.
    base: Url,
    name: String,
    host: String,
    access: Access,
    /// Read when the registry asks who we are: that may run another program.
    login: OnceLock<Option<Login>>,
    /// What the registry took last: the header `Authorization`.
    token: Mutex<Option<HeaderValue>>,
}

impl Transport {
    pub(super) fn new(
        reference: &Reference,
        way: &Way,
        access: Access,
    ) -> Result<Transport, RegistryError> {
        let (host, name) = (reference.host.clone(), reference.name.clone());
        let local = Url::parse(&format!("http://{host}"))
            .is_ok_and(|url| url.host_str().is_some_and(is_loopback));
        let plain = local && way.ca.is_none() || way.insecure;
        let scheme = if plain { "http" } else { "https" };
        let base = Url::parse(&format!("{scheme}://{host}/v2/{name}/"))
            .map_err(|error| RegistryError::new(format!("{host} is not a host: {error}"), ""))?;
        let tls = Tls { ca: way.ca.clone(), client: None };
        let client = HttpClient::new(!plain, &tls).map_err(|error| {
            RegistryError::new(
                error,
                "set SSL_CERT_FILE, or name certificate authorities with --ca",
            )
        })?;
        let (login, token) = (OnceLock::new(), Mutex::new(None));
        Ok(Transport { client, base, name, host, access, login, token })
    }

    fn login(&self) -> Option<&Login> {
        self.login.get_or_init(|| Login::of(&self.host)).as_ref()
    }

    /// Reads a document that may have up to `most` bytes.
    pub(super) async fn get(
        &self,
        path: &str,
        accept: &'static str,
        most: u64,
    ) -> Result<Vec<u8>, RegistryError> {
        let response = self.follow(self.at(path)?, accept).await?;
        match body(response, most).await {
            Ok(Read::Whole(bytes)) => Ok(bytes),
            Ok(Read::More) => Err(self.wrong(format!(
                "answered with a manifest of more than {most} bytes, which is not read"
            ))),
            Err(why) => Err(self.wrong(why)),
        }
    }

    /// Reads a blob of so many bytes.
    pub(super) async fn blob(&self, digest: &str, size: u64) -> Result<Vec<u8>, RegistryError> {
        let url = self.at(&format!("blobs/sha256:{digest}"))?;
        let response = self.follow(url, "application/octet-stream, */*").await?;
        match body(response, size).await {
            Ok(Read::Whole(bytes)) if bytes.len() as u64 == size => Ok(bytes),
            Ok(Read::Whole(bytes)) => Err(self
                .wrong(format!("gave {} of the {size} bytes that the manifest says", bytes.len()))),
            Ok(Read::More) => {
                Err(self.wrong(format!("gave more than the {size} bytes that the manifest says")))
            }
            Err(why) => Err(self.wrong(why)),
        }
    }

    /// Uploads a blob, unless it is there.
    pub(super) async fn put_blob(&self, bytes: &[u8], digest: &str) -> Result<(), RegistryError> {
        let there = self.at(&format!("blobs/sha256:{digest}"))?;
        let found = self.send(&Method::HEAD, &there, "*/*", None).await?;
        if found.status() == StatusCode::OK {
            return Ok(());
        }
        let begun = self.send(&Method::POST, &self.at("blobs/uploads/")?, "*/*", None).await?;
        let begun = self.good(begun, StatusCode::ACCEPTED).await?;
        let mut place = self.location(&self.base, begun.headers())?;
        if place.origin() != self.base.origin() {
            return Err(self.wrong("wants the upload to go to another host".to_owned()));
        }
        place.query_pairs_mut().append_pair("digest", &format!("sha256:{digest}"));
        let content = ("application/octet-stream", Bytes::copy_from_slice(bytes));
        let made = self.send(&Method::PUT, &place, "*/*", Some(content)).await?;
        self.good(made, StatusCode::CREATED).await.map(drop)
    }

    /// Uploads a manifest under a tag.
    pub(super) async fn put_manifest(
        &self,
        tag: &str,
        bytes: &[u8],
        media_type: &'static str,
    ) -> Result<(), RegistryError> {
        let url = self.at(&format!("manifests/{tag}"))?;
        let content = (media_type, Bytes::copy_from_slice(bytes));
        let made = self.send(&Method::PUT, &url, "*/*", Some(content)).await?;
        self.good(made, StatusCode::CREATED).await.map(drop)
    }

    fn at(&self, path: &str) -> Result<Url, RegistryError> {
        self.base.join(path).map_err(|error| self.wrong(format!("cannot be asked: {error}")))
    }

    fn wrong(&self, what: String) -> RegistryError {
        RegistryError::new(
            format!("the registry {} {what}", self.host),
            "try again, or another registry; nothing was kept",
        )
    }

    /// Gets a document, wherever the registry keeps it.
    async fn follow(
        &self,
        mut url: Url,
        accept: &'static str,
    ) -> Result<Response<Incoming>, RegistryError> {
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send(&Method::GET, &url, accept, None).await?;
            if !response.status().is_redirection() {
                return self.good(response, StatusCode::OK).await;
            }
            url = self.location(&url, response.headers())?;
        }
        Err(self.wrong("redirects without end".to_owned()))
    }

    /// Where a response points to, when that may be asked.
    fn location(&self, from: &Url, headers: &HeaderMap) -> Result<Url, RegistryError> {
        let to = headers.get(header::LOCATION).and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| from.join(to).ok());
        let to = to.ok_or_else(|| self.wrong("points to nowhere".to_owned()))?;
        match self.may_ask(&to) {
            true => Ok(to),
            false => Err(self.wrong(format!(
                "points to {}, which is not asked: it must be HTTPS, and of this machine only where the registry \
                 is",
                shown(&to.origin().ascii_serialization())
            ))),
        }
    }

    /// Whether an address that the registry names may be asked. Plain HTTP only where the registry is
    /// asked so, and this machine only by a registry that is on it.
    fn may_ask(&self, to: &Url) -> bool {
        let local = |url: &Url| url.host_str().is_some_and(is_loopback);
        let plain = to.username().is_empty() && to.password().is_none();
        let near = !local(to) || local(&self.base);
        let scheme = match to.scheme() {
            "https" => true,
            "http" => self.base.scheme() == "http" && (local(to) || !local(&self.base)),
            _ => false,
        };
        plain && near && scheme
    }

    /// Sends a request, with a token where the registry asks for one. Only the registry sees it.
    async fn send(
        &self,
        method: &Method,
        url: &Url,
        accept: &'static str,
        content: Option<(&'static str, Bytes)>,
    ) -> Result<Response<Incoming>, RegistryError> {
        let own = url.origin() == self.base.origin();
        let known = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let known = known.filter(|_| own);
        let first = self.once(method, url, accept, content.clone(), known).await?;
        if first.status() != StatusCode::UNAUTHORIZED || !own {
            return Ok(first);
        }
        let token = self.authorize(first.headers()).await?;
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token.clone());
        self.once(method, url, accept, content, Some(token)).await
    }

    async fn once(
        &self,
        method: &Method,
        url: &Url,
        accept: &'static str,
        content: Option<(&'static str, Bytes)>,
        authorization: Option<HeaderValue>,
    ) -> Result<Response<Incoming>, RegistryError> {
        let mut target = url.clone();
        target.set_fragment(None);
        let target: Uri = target
            .as_str()
            .parse()
            .map_err(|_| self.wrong("names an address that is none".to_owned()))?;
        let (media_type, bytes) = content.unzip();
        let mut request = request(method.clone(), target, bytes.unwrap_or_default());
        let headers = request.headers_mut();
        headers.insert(header::ACCEPT, HeaderValue::from_static(accept));
        let agent = concat!("weir/", env!("CARGO_PKG_VERSION"));
        headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
        if let Some(media_type) = media_type {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        }
        if let Some(authorization) = authorization {
            headers.insert(header::AUTHORIZATION, authorization);
        }
        let host = shown(url.host_str().unwrap_or_default());
        let failed = |why: String| {
            RegistryError::new(
                format!("{host} cannot be reached: {why}"),
                "is the name right, and is there a network? A registry with plain HTTP that is not on this machine \
                 needs --insecure",
            )
        };
        match tokio::time::timeout(SILENCE, self.client.request(request)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(failed(causes(&error))),
            Err(_) => Err(failed(format!("no answer within {} s", SILENCE.as_secs()))),
        }
    }

    /// What the registry wants to see, for its challenge.
    async fn authorize(&self, headers: &HeaderMap) -> Result<HeaderValue, RegistryError> {
        let asked = schemes(headers);
        let is =
            |name: &'static str| move |scheme: &&Scheme| scheme.name.eq_ignore_ascii_case(name);
        if let Some(bearer) = asked.iter().find(is("bearer")) {
            return self.token_for(bearer).await;
        }
        match (asked.iter().find(is("basic")), self.login()) {
            (Some(_), Some(login)) => basic(login).ok_or_else(|| self.denied()),
            _ => Err(self.denied()),
        }
    }

    /// A token of the service that the challenge names.
    async fn token_for(&self, challenge: &Scheme) -> Result<HeaderValue, RegistryError> {
        let realm = challenge.get("realm").and_then(|realm| Url::parse(realm).ok());
        let mut url = realm.ok_or_else(|| self.wrong("names no token service".to_owned()))?;
        if !self.may_ask(&url) {
            return Err(self.wrong(format!(
                "names the token service {}, which is not asked: it must be HTTPS",
                shown(&url.origin().ascii_serialization())
            )));
        }
        let actions = if self.access == Access::Push { "pull,push" } else { "pull" };
        // Not what the challenge says: a token for more than this repository is not asked for.
        let scope = format!("repository:{}:{actions}", self.name);
        {
            let mut query = url.query_pairs_mut();
            if let Some(service) = challenge.get("service") {
                query.append_pair("service", service);
            }
            query.append_pair("scope", &scope);
        }
        let login = self.login().and_then(basic);
        let response = self.once(&Method::GET, &url, "application/json", None, login).await?;
        if !response.status().is_success() {
            return Err(self.denied());
        }
        let Ok(Read::Whole(bytes)) = body(response, SMALL_MAX).await else {
            return Err(self.wrong("names a token service that gives no token".to_owned()));
        };
        let answer: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let token = answer["token"].as_str().or_else(|| answer["access_token"].as_str());
        token
            .and_then(|token| secret(&format!("Bearer {token}")))
            .ok_or_else(|| self.wrong("names a token service that gives no token".to_owned()))
    }

    fn denied(&self) -> RegistryError {
        let message = match self.login() {
            Some(login) => {
                format!("the registry {} does not let {} do this", self.host, shown(&login.user))
            }
            None => format!("the registry {} asks for a login", self.host),
        };
        let hint = format!(
            "`docker login {0}`, `podman login {0}` or `skopeo login {0}` keeps one that is used here",
            self.host
        );
        RegistryError::new(message, hint)
    }

    /// A response of this status, or what the registry said instead.
    async fn good(
        &self,
        response: Response<Incoming>,
        wanted: StatusCode,
    ) -> Result<Response<Incoming>, RegistryError> {
        let status = response.status();
        if status == wanted {
            return Ok(response);
        }
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return Err(self.denied());
        }
        let said = match body(response, SMALL_MAX).await {
            Ok(Read::Whole(bytes)) => {
                serde_json::from_slice::<Value>(&bytes).ok().and_then(|said| {
                    let error = &said["errors"][0];
                    let text = error["message"].as_str().or_else(|| error["code"].as_str())?;
                    Some(format!(": {}", shown(text)))
                })
            }
            _ => None,
        };
        let said = said.unwrap_or_default();
        if status == StatusCode::NOT_FOUND {
            return Err(RegistryError::new(
                format!("the registry {} has no such artefact in {}{said}", self.host, self.name),
                "check the name, the tag and the digest",
            ));
        }
        Err(self.wrong(format!("answered with HTTP {}{said}", status.as_u16())))
    }
}

/// A body that was read.
enum Read {
    /// To its end.
    Whole(Vec<u8>),
    /// As far as was wanted; there is more.
    More,
}

async fn body(response: Response<Incoming>, most: u64) -> Result<Read, String> {
    let mut body = response.into_body();
    let mut bytes = Vec::new();
    loop {
        let frame = match tokio::time::timeout(SILENCE, body.frame()).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => {
                return Err(format!("broke off after {} bytes: {}", bytes.len(), causes(&error)));
            }
            Ok(None) => return Ok(Read::Whole(bytes)),
            Err(_) => return Err(format!("stopped after {} bytes", bytes.len())),
        };
        let Some(data) = frame.data_ref() else { continue };
        if (bytes.len() + data.len()) as u64 > most {
            return Ok(Read::More);
        }
        bytes.extend_from_slice(data);
    }
}

fn basic(login: &Login) -> Option<HeaderValue> {
    let both = format!("{}:{}", login.user, login.password);
    secret(&format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(both)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(host: &str, way: &Way) -> impl Fn(&str) -> bool + use<> {
        let reference = format!("{host}/weir").parse().unwrap();
        // No certificates are read for plain HTTP; where they are, a machine may have none.
        let base = match way.insecure || host.starts_with("localhost") {
            true => Transport::new(&reference, way, Access::Pull).unwrap(),
            false => {
                let plain = Way { insecure: true, ca: None };
                let mut made = Transport::new(&reference, &plain, Access::Pull).unwrap();
                made.base.set_scheme("https").unwrap();
                made
            }
        };
        move |to: &str| base.may_ask(&Url::parse(to).unwrap())
    }

    #[test]
    fn a_registry_elsewhere_leads_to_https_elsewhere_only() {
        let far = asks("registry.example", &Way::default());
        assert!(far("https://cdn.example/blob") && far("https://registry.example/x"));
        for to in [
            "http://registry.example/x",
            "http://localhost/x",
            "https://localhost/x",
            "https://127.0.0.1:8443/x",
            "https://[::1]/x",
            "https://user:password@cdn.example/x",
            "ftp://cdn.example/x",
            "file:///etc/passwd",
        ] {
            assert!(!far(to), "{to}");
        }
        let insecure = asks("registry.example", &Way { insecure: true, ca: None });
        assert!(insecure("http://cdn.example/x") && insecure("https://cdn.example/x"));
        assert!(!insecure("http://localhost/x"));
        let near = asks("localhost:5000", &Way::default());
        assert!(near("http://127.0.0.1:9/x") && near("https://cdn.example/x"));
        assert!(!near("http://cdn.example/x"));
    }

    #[test]
    fn plain_http_is_for_this_machine_unless_it_is_said() {
        let base = |host: &str, insecure| {
            let reference = format!("{host}/a/weir:1").parse().unwrap();
            let made = Transport::new(&reference, &Way { insecure, ca: None }, Access::Pull);
            made.map(|transport| transport.base.to_string())
        };
        assert_eq!(base("localhost:5000", false).unwrap(), "http://localhost:5000/v2/a/weir/");
        assert_eq!(base("[::1]:5000", false).unwrap(), "http://[::1]:5000/v2/a/weir/");
        assert_eq!(base("r.example", true).unwrap(), "http://r.example/v2/a/weir/");
        // A machine may have no certificates: then it is said, and never asked without.
        if let Ok(base) = base("r.example", false) {
            assert_eq!(base, "https://r.example/v2/a/weir/");
        }
    }
}
