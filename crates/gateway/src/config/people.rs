//! Who may come in: tokens by name, tokens that were issued, people of an issuer, and what each may see.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use url::Url;
use weir_oauth::{Issuer, IssuerSettings, Key, Secret};

use crate::clients::identity::{People, Token};
use crate::clients::profile::{Limits, Profile};
use crate::secrets::Issued;
use weir_mcp::net::Tls;

use super::Variables;
use super::entry::Reader;

/// Characters below which a token can be guessed.
const SHORT_TOKEN: usize = 8;

/// What stands between an issuer and a subject in a person's name.
const OF_ISSUER: char = '#';

pub(super) type Profiles = BTreeMap<String, Profile>;

/// `tokens`: an object of a name and what its holder may see. What is wrong with one lets nobody in by it.
pub(super) fn read_tokens(
    value: &Value,
    profiles: &Profiles,
    variables: Variables<'_>,
    warnings: &mut Vec<String>,
) -> Vec<Token> {
    let mut tokens = Vec::new();
    let Some(entries) = value.as_object() else {
        warnings.push("weir.tokens is not an object and has no effect".into());
        return tokens;
    };
    for (name, entry) in entries {
        let read = read_token(name, entry, profiles, variables, warnings);
        if let Err(reason) = read.and_then(|token| add(&mut tokens, token)) {
            warnings.push(format!("weir.tokens.{name} has no effect: {reason}"));
        }
    }
    tokens
}

fn add(tokens: &mut Vec<Token>, token: Token) -> Result<(), String> {
    // Whose limits and tools would hold?
    if tokens.iter().any(|other| other.digest == token.digest) {
        return Err("another name has the same token".into());
    }
    if tokens.iter().any(|other| other.profile.name == token.profile.name) {
        return Err("another token has that name".into());
    }
    tokens.push(token);
    Ok(())
}

fn read_token(
    name: &str,
    entry: &Value,
    profiles: &Profiles,
    variables: Variables<'_>,
    warnings: &mut Vec<String>,
) -> Result<Token, String> {
    let mut entry = entry.as_object().ok_or("it is not an object")?.clone();
    let mut reader = Reader::new(name, variables, Path::new(""));
    let secret = reader.text(&entry, &["token"])?.map(|secret| secret.trim().to_owned());
    let digest = match (secret.filter(|secret| !secret.is_empty()), entry.get("sha256")) {
        (Some(secret), None) => {
            let chars = secret.chars().count();
            if chars < SHORT_TOKEN {
                warnings
                    .push(format!("weir.tokens.{name} has {chars} characters, and can be guessed"));
            }
            Sha256::digest(&secret).into()
        }
        (None, Some(digest)) => read_digest(digest.as_str().unwrap_or_default())
            .ok_or("sha256 is not 64 hexadecimal digits")?,
        _ => return Err("it has neither a token nor its sha256, or both".into()),
    };
    if name.is_empty() || name.contains(OF_ISSUER) {
        return Err(format!("it has no name, or one with {OF_ISSUER}"));
    }
    let expires = match entry.get("expires") {
        None => None,
        Some(value) => Some(value.as_u64().ok_or("expires is not a number of seconds since 1970")?),
    };
    entry.retain(|key, _| !["token", "sha256", "expires"].contains(&key.as_str()));
    let profile = match entry.remove("profile") {
        None => read_profile(&entry, false)?,
        Some(_) if !entry.is_empty() => return Err("it has a profile and says more".into()),
        Some(profile) => named(&profile, profiles)?,
    };
    let profile = Profile { name: name.to_owned(), ..profile };
    Ok(Token { digest, expires, profile: Arc::new(profile) })
}

fn read_digest(text: &str) -> Option<[u8; 32]> {
    let byte = |at: usize| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..32).map(byte).collect();
    bytes.filter(|_| text.len() == 64)?.try_into().ok()
}

/// Adds the tokens that were issued. Gives what is wrong with some.
pub(super) fn add_issued(
    tokens: &mut Vec<Token>,
    issued: BTreeMap<String, Issued>,
    profiles: &Profiles,
) -> Vec<String> {
    let mut add = |name: &str, issued: Issued| {
        let profile = match issued.profile {
            None => Profile::default(),
            Some(profile) => named(&profile.into(), profiles)?,
        };
        let digest = read_digest(&issued.sha256).ok_or("its digest is damaged")?;
        let profile = Arc::new(Profile { name: name.to_owned(), ..profile });
        add(tokens, Token { digest, expires: issued.expires, profile })
    };
    let issued = issued.into_iter().filter_map(|(name, issued)| {
        let reason: String = add(&name, issued).err()?;
        Some(format!("the token {name} that was issued has no effect: {reason}"))
    });
    issued.collect()
}

/// `profiles`: an object of a name and what is seen by it.
pub(super) fn read_profiles(value: &Value) -> Result<Profiles, String> {
    let entries = value.as_object().ok_or("it is not an object")?;
    let read = |(name, entry): (&String, &Value)| {
        let entry = entry.as_object().ok_or_else(|| format!("{name} is not an object"))?;
        let profile = read_profile(entry, true).map_err(|reason| format!("{name}: {reason}"))?;
        Ok((name.clone(), profile))
    };
    entries.iter().map(read).collect()
}

fn named(name: &Value, profiles: &Profiles) -> Result<Profile, String> {
    let profile = name.as_str().and_then(|name| profiles.get(name));
    profile.cloned().ok_or_else(|| format!("there is no profile {name}"))
}

/// What may be seen. `shared` says whether sessions share their results where nothing is said of that.
fn read_profile(entry: &Map<String, Value>, shared: bool) -> Result<Profile, String> {
    let mut profile = Profile { shares_results: shared, ..Profile::default() };
    for (key, value) in entry {
        let globs = || {
            serde_json::from_value::<Vec<String>>(value.clone())
                .map_err(|_| format!("{key} is not a list of texts"))
        };
        match key.as_str() {
            "servers" => profile.servers = globs()?,
            "tools" => profile.tools = globs()?,
            "readsResultsOf" => profile.reads_results_of = globs()?,
            "limits" => profile.limits = Some(read_limits(value)?),
            "approvalForm" => {
                let form = value.as_bool().ok_or("approvalForm is not true or false")?;
                profile.approval_form = Some(form);
            }
            "results" => {
                profile.shares_results = match value.as_str() {
                    Some("session") => false,
                    Some("token") => true,
                    _ => return Err("results is not session or token".into()),
                }
            }
            "mode" => {
                let mode = value.as_str().and_then(|mode| mode.parse().ok());
                profile.mode = Some(mode.ok_or("mode is not one of auto, bridge, passthrough")?);
            }
            _ => return Err(format!("the key {key} is not known")),
        }
    }
    Ok(profile)
}

/// `limits`: an object of numbers.
pub(super) fn read_limits(value: &Value) -> Result<Limits, String> {
    let entry = value.as_object().ok_or("it is not an object")?;
    let mut limits = Limits::default();
    for (key, value) in entry {
        let number = value.as_u64().filter(|n| *n > 0);
        let number = number.ok_or_else(|| format!("{key} is not a whole number above 0"))?;
        let count = u32::try_from(number).unwrap_or(u32::MAX);
        match key.as_str() {
            "callsPerMinute" => limits.calls_per_minute = Some(count),
            "bytesPerMinute" => limits.bytes_per_minute = Some(number),
            "parallelCalls" => limits.parallel_calls = Some(count),
            "argumentBytes" => limits.argument_bytes = Some(number),
            _ => return Err(format!("the key {key} is not known")),
        }
    }
    Ok(limits)
}

/// `oidc`: who knows people, for whom their tokens have to be, and what their groups may see.
pub(super) fn read_oidc(
    value: &Value,
    profiles: &Profiles,
    tls: &Tls,
    variables: Variables<'_>,
) -> Result<People, String> {
    let entry = value.as_object().ok_or("it is not an object")?;
    const KEYS: [&str; 6] =
        ["issuer", "audience", "groupsClaim", "groups", "clientId", "clientSecret"];
    if let Some(key) = entry.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("the key {key} is not known"));
    }
    let mut reader = Reader::new("oidc", variables, Path::new(""));
    let issuer = reader.text(entry, &["issuer"])?.ok_or("it names no issuer")?;
    let audience = match entry.get("audience") {
        Some(Value::String(_)) => Vec::from_iter(reader.text(entry, &["audience"])?),
        _ => reader.texts(entry, "audience")?,
    };
    if audience.is_empty() || audience.iter().any(|name| name.trim().is_empty()) {
        return Err("it names no audience, so that tokens for others would let in".into());
    }
    let groups = entry.get("groups").and_then(Value::as_array).ok_or("groups is not a list")?;
    let read = |rule: &Value| {
        let rule = rule.as_object().ok_or("groups holds something that is no object")?;
        let group = match rule.get("group") {
            None => None,
            Some(group) => Some(group.as_str().ok_or("a group is not a text")?.to_owned()),
        };
        match rule.len() - usize::from(group.is_some()) {
            1 => Ok((group, named(rule.get("profile").unwrap_or(&Value::Null), profiles)?)),
            _ => Err("one of groups is not {\"group\": NAME, \"profile\": NAME}".to_owned()),
        }
    };
    let groups = groups.iter().map(read).collect::<Result<Vec<_>, String>>()?;
    if groups.is_empty() {
        return Err("groups is empty, so that nobody could come in".into());
    }
    let claim = reader.text(entry, &["groupsClaim"])?.unwrap_or_else(|| "groups".into());
    let secret = reader.text(entry, &["clientSecret"])?.map(Secret);
    let client = match (reader.text(entry, &["clientId"])?, secret) {
        (Some(id), secret) => Some((id, secret)),
        (None, None) => None,
        (None, Some(_)) => return Err("it has a clientSecret and no clientId".into()),
    };
    let settings = IssuerSettings { issuer, audience, groups: claim, client, tls: tls.clone() };
    Ok(People { issuer: Arc::new(Issuer::new(settings)?), groups })
}

/// `key`: one, or a list with the newest first.
pub(super) fn read_key(value: &Value, variables: Variables<'_>) -> Result<Key, String> {
    let list = match value {
        Value::Array(_) => value.clone(),
        _ => Value::Array(vec![value.clone()]),
    };
    let entry = Map::from_iter([("key".to_owned(), list)]);
    Key::new(&Reader::new("key", variables, Path::new("")).texts(&entry, "key")?)
}

/// `url`: an address without a path.
pub(super) fn read_url(value: &Value) -> Result<String, String> {
    let url = value.as_str().and_then(|text| Url::parse(text).ok());
    let url = url.filter(|url| ["http", "https"].contains(&url.scheme()) && url.path() == "/");
    let url = url.ok_or("it is not an address without a path, such as https://mcp.example.com")?;
    Ok(url.as_str().trim_end_matches('/').to_owned())
}
