//! `weir token`: tokens with which clients come to a gateway over HTTP. Only their digests are kept.

use serde_json::json;
use sha2::{Digest as _, Sha256};
use weir_base::{hex, unguessable};
use weir_gateway::config;
use weir_gateway::secrets::Issued;

use super::args::Token;
use super::numbers::{age, age_ahead, unix_now};
use super::{Answer, Context, Failure};

/// What a token begins with, so that it is known for what it is where it should not be.
const PREFIX: &str = "weir_";

pub(crate) fn run(command: &Token, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let file = context.secrets()?.tokens();
    match command {
        Token::Create { name, profile, expires } => {
            let random = || unguessable().map_err(|error| Failure::plain(error.to_string()));
            let token = format!("{PREFIX}{}{}", random()?, random()?);
            let created = unix_now();
            let issued = Issued {
                sha256: hex(&Sha256::digest(&token)),
                created,
                expires: expires.map(|days| created + u64::from(days) * 86_400),
                profile: profile.clone(),
            };
            let replaced = file.set(name, issued.clone()).map_err(Failure::plain)?;
            let servers = context.config_dir()?.join("servers.json");
            if let Some(profile) = profile
                && !config::load(&servers, &context.secrets()?)
                    .is_ok_and(|config| config.gateway.profiles.contains_key(profile))
            {
                console.note(format_args!(
                    "warning: {} has no profile `{profile}`: nobody comes in with this token until it has",
                    servers.display()
                ));
            }
            if console.json() {
                console.value(&json!({
                    "name": name, "token": token, "sha256": issued.sha256, "expires": issued.expires,
                    "replaced": replaced,
                }))?;
            } else {
                console.line(&token)?;
                let what = if replaced { "replaces the one before" } else { "is shown this once" };
                console.note(format_args!("the token of {name} {what}; running gateways take it"));
            }
            Ok(Answer::Yes)
        }
        Token::List => {
            let all = file.read().map_err(Failure::plain)?;
            if console.json() {
                let entry = |(name, issued): (&String, &Issued)| {
                    json!({
                        "name": name, "created": issued.created, "expires": issued.expires,
                        "profile": issued.profile, "sha256": issued.sha256,
                    })
                };
                console.value(&all.iter().map(entry).collect())?;
                return Ok(Answer::Yes);
            }
            for (name, issued) in &all {
                let ends = match issued.expires {
                    None => "does not end".to_owned(),
                    Some(at) if at <= unix_now() => "has ended".to_owned(),
                    Some(at) => format!("ends {}", age_ahead(at)),
                };
                let profile = issued.profile.as_deref().unwrap_or("everything");
                console.line(format_args!("{name}  {profile}, {}, {ends}", age(issued.created)))?;
            }
            if all.is_empty() {
                console.note("no tokens have been issued");
            }
            Ok(Answer::Yes)
        }
        Token::Revoke { name } => {
            let had = file.remove(name).map_err(Failure::plain)?;
            let what = if had { "revoked" } else { "there is no token" };
            console.told(&json!({"name": name, "revoked": had}), format_args!("{what} {name}"))?;
            Ok(if had { Answer::Yes } else { Answer::No })
        }
    }
}
