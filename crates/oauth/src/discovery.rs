//! Who gives tokens for a server: RFC 9728, RFC 8414 and OpenID Connect Discovery.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use weir_mcp::net::HttpClient;

use super::challenge::Challenge;
use super::error::OAuthError;
use super::fetch::{self, Document};
use super::outside::{address, clean};
use super::settings::OAuthSettings;

/// How tokens for a server are had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Found {
    /// The name of the server towards its authorization server.
    pub(super) resource: String,
    /// The scopes that the server names as the usual ones.
    pub(super) scopes: Vec<String>,
    /// Who gives the tokens.
    pub(super) issuer: Issuer,
}

/// An authorization server, as its metadata has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Issuer {
    /// Its name, to be compared as a plain text.
    pub(super) name: String,
    /// Where people are sent.
    pub(super) authorize: Url,
    /// Where codes and refresh tokens become tokens.
    pub(super) token: Url,
    /// Where clients register themselves.
    pub(super) register: Option<Url>,
    /// Where tokens are taken back.
    pub(super) revoke: Option<Url>,
    /// Whether it names itself in every redirect (RFC 9207).
    pub(super) names_itself: bool,
    /// Whether it reads client id metadata documents.
    pub(super) reads_documents: bool,
    /// Whether it knows the scope for refresh tokens.
    pub(super) offers_offline: bool,
    /// How clients may prove who they are.
    pub(super) client_auth: Vec<String>,
}

/// Finds out how tokens for the server are had.
pub(super) async fn discover(
    client: &HttpClient,
    server: &Url,
    challenge: Option<&Challenge>,
    settings: &OAuthSettings,
) -> Result<Found, OAuthError> {
    let named = challenge.and_then(|challenge| challenge.resource_metadata.as_deref());
    let named = named.map(|text| address(text, "resource metadata", server)).transpose()?;
    let mut places: Vec<Url> = named.into_iter().collect();
    places.extend(well_known(server, "oauth-protected-resource", true));
    let Some(resource) = first(client, &places, server).await? else {
        // Before protected resource metadata there was the server's own origin.
        let origin = server.origin().ascii_serialization();
        let found = Found {
            resource: canonical(server),
            scopes: Vec::new(),
            issuer: issuer(client, &origin, server).await?,
        };
        return expected(found, settings);
    };
    let named = resource["resource"].as_str().ok_or_else(|| {
        OAuthError::Unsafe("the server's resource metadata does not name the resource".to_owned())
    })?;
    if !covers(named, server) {
        return Err(OAuthError::Unsafe(format!(
            "the server's resource metadata is for another resource, {}",
            clean(named)
        )));
    }
    let issuers = texts(&resource, "authorization_servers");
    let chosen = match &settings.issuer {
        Some(wanted) => issuers.iter().find(|name| same_issuer(name, wanted)),
        None => issuers.first(),
    };
    let chosen = chosen.ok_or_else(|| match &settings.issuer {
        Some(wanted) => OAuthError::Unsafe(format!(
            "the server does not name the authorization server {wanted} that its entry asks for"
        )),
        None => OAuthError::Unsupported("the server names no authorization server".to_owned()),
    })?;
    let issuer = issuer(client, chosen, server).await?;
    let found =
        Found { resource: named.to_owned(), scopes: texts(&resource, "scopes_supported"), issuer };
    expected(found, settings)
}

fn expected(found: Found, settings: &OAuthSettings) -> Result<Found, OAuthError> {
    match &settings.issuer {
        Some(wanted) if !same_issuer(wanted, &found.issuer.name) => {
            Err(OAuthError::Unsafe(format!(
                "tokens for the server come from {}, its entry asks for {wanted}",
                clean(&found.issuer.name)
            )))
        }
        _ => Ok(found),
    }
}

/// The first of these documents that is there.
async fn first(
    client: &HttpClient,
    places: &[Url],
    server: &Url,
) -> Result<Option<Value>, OAuthError> {
    let mut broken = None;
    for place in places {
        let Document { status, json, .. } = fetch::get(client, place, server).await?;
        match json {
            Some(json) if status.is_success() => return Ok(Some(json)),
            _ if status.is_server_error() => broken = Some((place, status)),
            _ => {}
        }
    }
    match broken {
        // A server in trouble is not one without metadata: what is older must not be tried instead.
        Some((place, status)) => Err(OAuthError::Unreachable(format!(
            "{} answered with HTTP {status}",
            clean(place.as_str())
        ))),
        None => Ok(None),
    }
}

async fn issuer(client: &HttpClient, name: &str, server: &Url) -> Result<Issuer, OAuthError> {
    let url = address(name, "authorization server", server)?;
    let mut places = well_known(&url, "oauth-authorization-server", false);
    places.extend(well_known(&url, "openid-configuration", false));
    if url.path() != "/" {
        let path = url.path().trim_end_matches('/');
        let mut appended = url.clone();
        appended.set_path(&format!("{path}/.well-known/openid-configuration"));
        places.push(bare(appended));
    }
    let Some(metadata) = first(client, &places, server).await? else {
        return Err(OAuthError::Unsupported(format!(
            "the authorization server {} publishes no metadata",
            clean(name)
        )));
    };
    read_issuer(&metadata, name, server)
}

fn read_issuer(metadata: &Value, name: &str, server: &Url) -> Result<Issuer, OAuthError> {
    let own = metadata["issuer"].as_str().unwrap_or("");
    if !same_issuer(own, name) {
        return Err(OAuthError::Unsafe(format!(
            "the metadata of the authorization server {} is that of another, {}",
            clean(name),
            clean(own)
        )));
    }
    if !texts(metadata, "code_challenge_methods_supported").iter().any(|method| method == "S256") {
        return Err(OAuthError::Unsafe(format!(
            "the authorization server {} does not say that it supports PKCE with S256",
            clean(name)
        )));
    }
    let endpoint =
        |key: &str| metadata[key].as_str().map(|text| address(text, key, server)).transpose();
    let needed = |key: &str| {
        endpoint(key)?.ok_or_else(|| {
            OAuthError::Unsupported(format!(
                "the authorization server {} has no {key}",
                clean(name)
            ))
        })
    };
    Ok(Issuer {
        name: own.to_owned(),
        authorize: needed("authorization_endpoint")?,
        token: needed("token_endpoint")?,
        register: endpoint("registration_endpoint")?,
        revoke: endpoint("revocation_endpoint").unwrap_or(None),
        names_itself: metadata["authorization_response_iss_parameter_supported"] == true,
        reads_documents: metadata["client_id_metadata_document_supported"] == true,
        offers_offline: texts(metadata, "scopes_supported")
            .iter()
            .any(|scope| scope == "offline_access"),
        client_auth: texts(metadata, "token_endpoint_auth_methods_supported"),
    })
}

/// Issuers are compared as they are written. Only the slash after a mere origin, which some tools
/// add, makes no difference.
pub(super) fn same_issuer(one: &str, other: &str) -> bool {
    let plain = |text: &str| match Url::parse(text) {
        Ok(url) if url.path() == "/" && url.query().is_none() => {
            text.strip_suffix('/').unwrap_or(text).to_owned()
        }
        _ => text.to_owned(),
    };
    !one.is_empty() && plain(one) == plain(other)
}

/// The well-known places of an address: with its path behind the name, and for resources also without.
fn well_known(url: &Url, name: &str, and_root: bool) -> Vec<Url> {
    let path = url.path().trim_end_matches('/');
    let paths = [path, ""].into_iter().take(if and_root && !path.is_empty() { 2 } else { 1 });
    paths.filter_map(|path| url.join(&format!("/.well-known/{name}{path}")).ok()).collect()
}

fn bare(mut url: Url) -> Url {
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// The name of a server where its metadata gives none.
pub(super) fn canonical(server: &Url) -> String {
    let url = bare(server.clone());
    let text = url.as_str();
    if url.path() == "/" { text.trim_end_matches('/').to_owned() } else { text.to_owned() }
}

/// Whether a resource of this name is the server, or what the server is a part of.
fn covers(resource: &str, server: &Url) -> bool {
    let Ok(resource) = Url::parse(resource) else { return false };
    let path = resource.path().trim_end_matches('/');
    resource.fragment().is_none()
        && resource.origin() == server.origin()
        && server
            .path()
            .strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        && (resource.query().is_none() || resource.query() == server.query())
}

fn texts(value: &Value, key: &str) -> Vec<String> {
    let items = value[key].as_array().into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).take(200).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    fn shown(places: Vec<Url>) -> String {
        places.iter().map(Url::as_str).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn well_known_places_keep_the_path() {
        let server = url("https://a.example/public/mcp?x=1");
        assert_eq!(
            shown(well_known(&server, "oauth-protected-resource", true)),
            "https://a.example/.well-known/oauth-protected-resource/public/mcp https://a.example/.well-known/oauth-protected-resource"
        );
        assert_eq!(
            shown(well_known(&url("https://a.example/"), "oauth-protected-resource", true)),
            "https://a.example/.well-known/oauth-protected-resource"
        );
        assert_eq!(
            shown(well_known(
                &url("https://a.example/tenant/"),
                "oauth-authorization-server",
                false
            )),
            "https://a.example/.well-known/oauth-authorization-server/tenant"
        );
    }

    #[test]
    fn a_resource_covers_what_is_below_it_and_nothing_else() {
        let server = url("https://a.example/team/mcp");
        for (resource, covered) in [
            ("https://a.example/team/mcp", true),
            ("https://a.example/team/", true),
            ("https://A.example", true),
            ("https://a.example/tea", false),
            ("https://a.example/team/mcp/more", false),
            ("https://b.example/team/mcp", false),
            ("http://a.example/team/mcp", false),
            ("https://a.example:444/team/mcp", false),
            ("https://a.example/team/mcp#x", false),
            ("https://a.example/team/mcp?x=1", false),
            ("", false),
        ] {
            assert_eq!(covers(resource, &server), covered, "{resource}");
        }
    }

    fn metadata() -> Value {
        json!({
            "issuer": "https://auth.example", "authorization_endpoint": "https://auth.example/authorize",
            "token_endpoint": "https://token.example/token", "code_challenge_methods_supported": ["plain", "S256"],
        })
    }

    #[test]
    fn metadata_is_believed_only_when_it_fits() {
        let server = url("https://a.example/mcp");
        let read = |change: &dyn Fn(&mut Value)| {
            let mut metadata = metadata();
            change(&mut metadata);
            read_issuer(&metadata, "https://auth.example", &server)
        };
        assert_eq!(read(&|_| {}).unwrap().token.as_str(), "https://token.example/token");
        assert!(read(&|m| m["issuer"] = json!("https://auth.example/")).is_ok());
        type Spoil = Box<dyn Fn(&mut Value)>;
        let refused: [(&str, Spoil); 7] = [
            ("another", Box::new(|m| m["issuer"] = json!("https://evil.example"))),
            ("another", Box::new(|m| m["issuer"] = json!("https://auth.example/tenant"))),
            ("another", Box::new(|m| m["issuer"] = Value::Null)),
            ("PKCE", Box::new(|m| m["code_challenge_methods_supported"] = json!(["plain"]))),
            ("PKCE", Box::new(|m| m["code_challenge_methods_supported"] = Value::Null)),
            ("token_endpoint", Box::new(|m| m["token_endpoint"] = json!("http://token.example/"))),
            (
                "authorization_endpoint",
                Box::new(|m| m["authorization_endpoint"] = json!("javascript:x")),
            ),
        ];
        for (why, change) in refused {
            let error = read(&*change).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }

    #[test]
    fn issuers_are_the_same_only_as_they_are_written() {
        for (one, other, same) in [
            ("https://a.example", "https://a.example/", true),
            ("https://a.example/t", "https://a.example/t/", false),
            ("https://a.example", "https://A.example", false),
            ("https://a.example:443", "https://a.example", false),
            ("", "", false),
        ] {
            assert_eq!(same_issuer(one, other), same, "{one} {other}");
        }
    }
}
