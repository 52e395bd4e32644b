//! Where the endpoint is, as the user gives it.

use std::fmt;
use std::time::Duration;

use axum::http::Uri;

use weir_mcp::net::is_loopback;

/// How long a query may take when nothing else is said.
const DEFAULT_TIMEOUT: Duration = Duration::from_millis(500);

/// The longest that a query may be told to take: a model waits for it.
const MAX_TIMEOUT: Duration = Duration::from_secs(60);

/// An OpenAI-compatible endpoint that turns texts into vectors.
///
/// `Debug` shows neither the key nor a query in the address.
#[derive(Clone)]
pub struct EndpointSettings {
    /// Its base address, such as `http://localhost:11434/v1`, or the whole one, which ends in
    /// `/embeddings` and may have a query. Without a scheme it is `http` on this machine and
    /// `https` elsewhere.
    pub url: String,
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// What goes into the header `Authorization: Bearer`. Blank is the same as none.
    pub key: Option<String>,
    /// How long a search waits for the vectors of its queries, connecting included.
    pub timeout: Duration,
}

impl fmt::Debug for EndpointSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EndpointSettings")
            .field("url", &shown(&self.url))
            .field("model", &self.model)
            .field("key", &self.key.as_ref().map(|_| "[key]"))
            .field("timeout", &self.timeout)
            .finish()
    }
}

impl EndpointSettings {
    /// Reads the table `[embeddings]` of a configuration; `None` when there is none.
    ///
    /// ```toml
    /// [embeddings]
    /// url = "https://api.openai.com/v1"
    /// model = "text-embedding-3-small"
    /// key_env = "OPENAI_API_KEY"    # the variable that holds the key; none when left out
    /// timeout = "500ms"             # 1ms to 60s
    /// ```
    ///
    /// # Errors
    /// When a setting is unknown, missing or cannot be used, in a sentence that names it. No value
    /// that may be a key is repeated.
    pub fn from_table(configuration: &toml::Table) -> Result<Option<EndpointSettings>, String> {
        Self::read(configuration, |name| std::env::var(name).ok())
    }

    /// The same, with an environment of the caller's.
    pub(super) fn read(
        configuration: &toml::Table,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<EndpointSettings>, String> {
        let Some(value) = configuration.get("embeddings") else { return Ok(None) };
        let table = value.as_table().ok_or("embeddings is no table: write [embeddings]")?;
        let (mut url, mut model, mut key, mut timeout) = (None, None, None, DEFAULT_TIMEOUT);
        for (name, value) in table {
            let text = || {
                let text = value.as_str().map(str::trim).filter(|text| !text.is_empty());
                text.ok_or_else(|| format!("embeddings.{name} is to be a text in quotes"))
            };
            match name.as_str() {
                "url" => url = Some(text()?.to_owned()),
                "model" => model = Some(text()?.to_owned()),
                "key_env" => {
                    // Neither message repeats the value: some put the key itself there.
                    let found = variable(text()?).filter(|key| !key.trim().is_empty());
                    key = Some(found.ok_or(
                        "embeddings.key_env is to name an environment variable that holds the \
                         key: no variable of the name given is set",
                    )?);
                }
                "timeout" => {
                    timeout = duration(text()?).ok_or(
                        "embeddings.timeout is to be a text from \"1ms\" to \"60s\", such as \
                         \"500ms\"",
                    )?;
                }
                "key" | "api_key" | "token" => {
                    return Err(format!(
                        "embeddings.{name}: a key does not belong in this file; put it into an \
                         environment variable and name that in embeddings.key_env"
                    ));
                }
                _ => {
                    return Err(format!(
                        "embeddings.{name} is unknown: there are url, model, key_env and timeout"
                    ));
                }
            }
        }
        let settings = EndpointSettings {
            url: url.ok_or("embeddings.url is missing: the endpoint's base, such as \"http://localhost:11434/v1\"")?,
            model: model.ok_or("embeddings.model is missing: the name of a model of the endpoint")?,
            key,
            timeout,
        };
        settings.address().map_err(|why| format!("embeddings.url {why}"))?;
        Ok(Some(settings))
    }

    /// What the user should know before texts are sent there, in one sentence.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let address = self.address().ok()?;
        let host = address.host()?;
        let what = if self.key().is_some() { "the key and all texts go" } else { "all texts go" };
        (address.scheme_str() == Some("http") && !is_loopback(host)).then(|| {
            format!("{what} unencrypted to the embedding endpoint at {host}: use https if it can")
        })
    }

    /// The key, when there is one.
    pub(super) fn key(&self) -> Option<&str> {
        self.key.as_deref().map(str::trim).filter(|key| !key.is_empty())
    }

    /// The address that is posted to. The error goes on from "the url".
    pub(super) fn address(&self) -> Result<Uri, String> {
        let url = self.url.trim();
        let url = if url.contains("://") {
            url.to_owned()
        } else {
            let host = url.split('/').next().unwrap_or_default().parse::<Uri>();
            let local = host.is_ok_and(|host| host.host().is_some_and(is_loopback));
            format!("{}://{url}", if local { "http" } else { "https" })
        };
        let url = url.split('#').next().unwrap_or_default();
        let (base, query) = url.split_once('?').map_or((url, None), |(a, b)| (a, Some(b)));
        let mut whole = base.trim_end_matches('/').to_owned();
        if !whole.ends_with("/embeddings") {
            whole.push_str("/embeddings");
        }
        if let Some(query) = query {
            whole = format!("{whole}?{query}");
        }
        let address: Uri = whole.parse().map_err(|error| format!("cannot be used: {error}"))?;
        if !matches!(address.scheme_str(), Some("http" | "https")) {
            return Err("is to begin with https:// or http://".to_owned());
        }
        if address.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(
                "holds a name or a password, which is not sent: give the key by itself".to_owned()
            );
        }
        if address.host().is_none_or(str::is_empty) {
            return Err("names no host".to_owned());
        }
        if address.path() == "/embeddings" && query.is_none() && !base.ends_with("/embeddings") {
            return Err("has no path: give the base of the API, which mostly ends in /v1, such \
                        as http://localhost:11434/v1"
                .to_owned());
        }
        Ok(address)
    }
}

/// An address without what may be secret in it.
fn shown(url: &str) -> &str {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    if url.contains('@') { "[address with a password]" } else { url }
}

/// `500ms` or `1.5s`, up to [`MAX_TIMEOUT`].
fn duration(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok()? * unit;
    let duration = Duration::try_from_secs_f64(seconds).ok()?;
    (Duration::from_millis(1)..=MAX_TIMEOUT).contains(&duration).then_some(duration)
}
