//! Access tokens of people, from the one issuer that is trusted: signature, issuer, audience, times.
//!
//! The issuer's keys are fetched when they are first needed and kept. They are fetched again when they are old,
//! and when a token names a key that is not among them, so that keys may be replaced at any time.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, Validation, decode, decode_header,
};
use ring::signature as ring_signature;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;
use url::Url;

use weir_base::Mutex;
use weir_mcp::net::{HttpClient, Tls};

use super::error::OAuthError;
use super::fetch;
use super::outside::{address, clean, field, random};
use super::register::{Auth, Client, Origin};
use super::settings::OAuthSettings;
use super::tokens;
use weir_mcp::redact::Secret;

/// Bytes of a token.
const MAX_TOKEN: usize = 16 * 1024;

/// Keys of an issuer.
const MAX_KEYS: usize = 100;

/// How old keys may be before they are fetched again, and how old where that fails.
const FRESH: Duration = Duration::from_secs(600);
const KEPT: Duration = Duration::from_secs(24 * 3_600);

/// How long after a fetch the next one may be made: strangers choose the keys that their tokens name.
const BETWEEN: Duration = Duration::from_secs(10);

/// How far clocks may be apart, in seconds.
const LEEWAY: u64 = 30;

/// The algorithms that count. With a secret in place of a key pair whoever checks a token could make one.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Whose tokens are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuerSettings {
    /// The issuer, as its tokens name it.
    pub issuer: String,
    /// Whom tokens have to be for: one of these.
    pub audience: Vec<String>,
    /// The claim that lists a person's groups.
    pub groups: String,
    /// Who we are to the issuer, where it shows us who sits at a browser: an id, and a secret if there is one.
    pub client: Option<(String, Option<Secret>)>,
    /// Certificates beside the system's.
    pub tls: Tls,
}

/// Somebody whom the issuer knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The issuer's name for the person, which is given to nobody else.
    pub subject: String,
    /// The person's groups.
    pub groups: Vec<String>,
}

/// What a browser was asked, for when it comes back.
#[derive(Debug, Serialize, Deserialize)]
pub struct Asked {
    state: String,
    nonce: String,
    verifier: String,
    redirect: String,
}

/// Why a token proves nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unproven {
    /// It is not a token, or a claim is missing or cannot be one.
    #[error("malformed_token")]
    Malformed,
    /// It is signed in a way that does not count, or not by the issuer.
    #[error("bad_signature")]
    Signature,
    /// The issuer has no such key.
    #[error("unknown_key")]
    Key,
    /// It is of another issuer.
    #[error("wrong_issuer")]
    Issuer,
    /// It is for somebody else.
    #[error("wrong_audience")]
    Audience,
    /// Its time is over.
    #[error("expired_token")]
    Expired,
    /// Its time has not come.
    #[error("early_token")]
    Early,
    /// The issuer's keys cannot be had: nothing is known of the token.
    #[error("issuer_unreachable")]
    Unreachable,
}

/// The issuer. See the module.
#[derive(Debug)]
pub struct Issuer {
    settings: IssuerSettings,
    url: Url,
    http: HttpClient,
    validation: Validation,
    keys: Mutex<Keys>,
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default, Clone)]
struct Keys {
    all: Arc<Vec<Jwk>>,
    /// Where people log in, and where codes are traded, if it says.
    authorize: Option<Url>,
    token: Option<Url>,
    /// When they were had, and when that was last tried.
    had: Option<Instant>,
    tried: Option<Instant>,
}

impl Issuer {
    /// An issuer that is not asked yet.
    ///
    /// # Errors
    /// When its keys would not come over TLS or from this machine, or certificates cannot be read: as a sentence.
    pub fn new(settings: IssuerSettings) -> Result<Issuer, String> {
        let url = Url::parse(&settings.issuer).ok().filter(|url| super::outside::may_ask(url, url));
        let url = url.ok_or("issuer is not an https:// address")?;
        // Where a program has chosen another one before, that counts.
        let _ = PROVIDER.install_default();
        let mut validation = Validation::new(Algorithm::RS256);
        validation.leeway = LEEWAY;
        validation.validate_nbf = true;
        validation.set_issuer(&[&settings.issuer]);
        validation.set_audience(&settings.audience);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let http = HttpClient::new(true, &settings.tls)?;
        Ok(Issuer {
            settings,
            url,
            http,
            validation,
            keys: Mutex::default(),
            turn: Default::default(),
        })
    }

    /// Whose tokens are accepted.
    pub fn settings(&self) -> &IssuerSettings {
        &self.settings
    }

    /// Whose token this is.
    ///
    /// # Errors
    /// When it proves nothing.
    pub async fn person(self: &Arc<Self>, token: &str) -> Result<Person, Unproven> {
        let claims = self.claims(token, None).await?;
        let groups = groups(&claims, &self.settings.groups);
        Ok(Person { subject: subject(&claims)?, groups })
    }

    /// Sends a browser to the issuer, to come back at `redirect`.
    ///
    /// # Errors
    /// When we are not known there, or its keys and places cannot be had.
    pub async fn ask(&self, redirect: &str) -> Result<(Url, Asked), Unproven> {
        if self.keys.lock().authorize.is_none() {
            self.fetch_keys().await;
        }
        let (id, _) = self.settings.client.as_ref().ok_or(Unproven::Unreachable)?;
        let mut url = self.keys.lock().authorize.clone().ok_or(Unproven::Unreachable)?;
        let random = || random().map_err(|_| Unproven::Unreachable);
        let (state, nonce, verifier) = (random()?, random()?, random()?);
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("scope", "openid")
            .append_pair("client_id", id)
            .append_pair("redirect_uri", redirect)
            .append_pair("state", &state)
            .append_pair("nonce", &nonce)
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256");
        Ok((url, Asked { state, nonce, verifier, redirect: redirect.to_owned() }))
    }

    /// The subject of the person at a browser that came back with this query.
    ///
    /// # Errors
    /// When it does not belong to what was asked, or proves nothing.
    pub async fn answered(
        self: &Arc<Self>,
        asked: &Asked,
        query: &str,
    ) -> Result<String, Unproven> {
        let value = |name: &str| field(query.as_bytes(), name);
        if value("state").as_ref() != Some(&asked.state) {
            return Err(Unproven::Malformed);
        }
        let code = value("code").ok_or(Unproven::Malformed)?;
        let (id, secret) = self.settings.client.as_ref().ok_or(Unproven::Unreachable)?;
        let endpoint = self.keys.lock().token.clone().ok_or(Unproven::Unreachable)?;
        let auth = if secret.is_some() { Auth::Basic } else { Auth::None };
        let redirect = asked.redirect.clone();
        let client =
            Client { id: id.clone(), secret: None, auth, origin: Origin::ByHand, redirect };
        let settings = OAuthSettings { client_secret: secret.clone(), ..OAuthSettings::default() };
        let form = vec![
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", asked.redirect.as_str()),
            ("code_verifier", asked.verifier.as_str()),
        ];
        let answer = tokens::post(&self.http, &endpoint, &client, &settings, form).await;
        let answer = answer.ok().and_then(|answer| answer.json).ok_or(Unproven::Unreachable)?;
        let token = answer["id_token"].as_str().ok_or(Unproven::Malformed)?;
        let claims = self.claims(token, Some(id)).await?;
        match claims.get("nonce").and_then(Value::as_str) == Some(&asked.nonce) {
            true => subject(&claims),
            false => Err(Unproven::Malformed),
        }
    }

    /// What a token says that is good, and for `audience` where that is another than usually.
    async fn claims(
        self: &Arc<Self>,
        token: &str,
        audience: Option<&String>,
    ) -> Result<Map<String, Value>, Unproven> {
        if token.len() > MAX_TOKEN {
            return Err(Unproven::Malformed);
        }
        let header = decode_header(token).map_err(why)?;
        if !ALGORITHMS.contains(&header.alg) {
            return Err(Unproven::Signature);
        }
        // What has to be understood, and is not.
        if header.crit.is_some() {
            return Err(Unproven::Malformed);
        }
        let mut keys = self.keys.lock().clone();
        let find = |keys: &Keys| find(&keys.all, header.kid.as_deref(), header.alg).cloned();
        let mut key = find(&keys);
        if key.is_none() {
            self.fetch_keys().await;
            keys = self.keys.lock().clone();
            key = find(&keys);
        } else if keys.had.is_none_or(|had| had.elapsed() > FRESH) {
            // Nobody waits for that: what is known counts until then.
            let this = Arc::clone(self);
            tokio::spawn(async move { this.fetch_keys().await });
        }
        if keys.had.is_none_or(|had| had.elapsed() > KEPT) {
            return Err(Unproven::Unreachable);
        }
        let key = DecodingKey::from_jwk(&key.ok_or(Unproven::Key)?).map_err(why)?;
        let mut validation = self.validation.clone();
        validation.algorithms = vec![header.alg];
        if let Some(audience) = audience {
            validation.set_audience(&[audience]);
        }
        Ok(decode::<Map<String, Value>>(token, &key, &validation).map_err(why)?.claims)
    }

    /// Gets the issuer's keys, unless that was tried a moment ago. Those who come meanwhile wait for it.
    pub async fn fetch_keys(&self) {
        let _turn = self.turn.lock().await;
        if self.keys.lock().tried.is_some_and(|tried| tried.elapsed() < BETWEEN) {
            return;
        }
        let fetched = self.fetch().await;
        let mut keys = self.keys.lock();
        keys.tried = Some(Instant::now());
        match fetched {
            Ok((all, authorize, token)) => {
                (keys.all, keys.had) = (Arc::new(all), keys.tried);
                (keys.authorize, keys.token) = (authorize, token);
            }
            Err(error) => {
                tracing::warn!("the keys of {} cannot be had: {error}", self.settings.issuer)
            }
        }
    }

    async fn fetch(&self) -> Result<(Vec<Jwk>, Option<Url>, Option<Url>), OAuthError> {
        let own = &self.settings.issuer;
        let place = format!("{}/.well-known/openid-configuration", own.trim_end_matches('/'));
        let metadata = self.document(&address(&place, "issuer", &self.url)?).await?;
        if metadata["issuer"].as_str() != Some(own) {
            return Err(OAuthError::Unsafe(format!("{place} is of another issuer")));
        }
        let place_of = |name: &str| {
            metadata[name].as_str().and_then(|place| address(place, name, &self.url).ok())
        };
        let keys = metadata["jwks_uri"].as_str().unwrap_or_default();
        let set = self.document(&address(keys, "set of keys", &self.url)?).await?;
        // One that cannot be read keeps no other one out.
        let read = |key: &Value| serde_json::from_value::<Jwk>(key.clone()).ok();
        let all = set["keys"].as_array().into_iter().flatten().take(MAX_KEYS).filter_map(read);
        let all: Vec<Jwk> = all.filter(|key| family(key).is_some()).collect();
        match all.is_empty() {
            true => {
                Err(OAuthError::Unsupported(format!("{} has no key that can be used", clean(keys))))
            }
            false => Ok((all, place_of("authorization_endpoint"), place_of("token_endpoint"))),
        }
    }

    async fn document(&self, url: &Url) -> Result<Value, OAuthError> {
        let found = fetch::get(&self.http, url, &self.url).await?;
        match found.json {
            Some(json) if found.status.is_success() => Ok(json),
            _ => Err(OAuthError::Unreachable(format!("{url} answered with HTTP {}", found.status))),
        }
    }
}

fn subject(claims: &Map<String, Value>) -> Result<String, Unproven> {
    let subject = claims.get("sub").and_then(Value::as_str).unwrap_or_default();
    match subject.is_empty() || subject.chars().any(char::is_control) {
        true => Err(Unproven::Malformed),
        false => Ok(subject.to_owned()),
    }
}

/// The key that a token names; the only one there is where it names none.
fn find<'a>(keys: &'a [Jwk], id: Option<&str>, algorithm: Algorithm) -> Option<&'a Jwk> {
    let fits = |key: &&Jwk| {
        let own = key.common.key_algorithm.and_then(|own| Algorithm::try_from(own).ok());
        family(key) == Some(algorithm.family()) && own.is_none_or(|own| own == algorithm)
    };
    match id {
        Some(id) => keys.iter().filter(|key| key.common.key_id.as_deref() == Some(id)).find(fits),
        None => keys.first().filter(|key| keys.len() == 1 && fits(key)),
    }
}

/// What a key signs with; nothing where it is secret or for something else.
fn family(key: &Jwk) -> Option<AlgorithmFamily> {
    let signs = key.common.public_key_use.as_ref().is_none_or(|of| *of == PublicKeyUse::Signature);
    let family = DecodingKey::from_jwk(key).ok().map(|key| key.family())?;
    Some(family).filter(|family| signs && *family != AlgorithmFamily::Hmac)
}

/// The groups in a claim: one or a list. A name with dots may lead into other claims.
fn groups(claims: &Map<String, Value>, name: &str) -> Vec<String> {
    let nested = || {
        let mut path = name.split('.');
        let first = claims.get(path.next()?)?;
        path.try_fold(first, |value, key| value.get(key))
    };
    match claims.get(name).or_else(nested) {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => {
            all.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn why(error: Error) -> Unproven {
    match error.kind() {
        ErrorKind::InvalidSignature | ErrorKind::InvalidAlgorithm => Unproven::Signature,
        ErrorKind::InvalidIssuer => Unproven::Issuer,
        ErrorKind::InvalidAudience => Unproven::Audience,
        ErrorKind::ExpiredSignature => Unproven::Expired,
        ErrorKind::ImmatureSignature => Unproven::Early,
        _ => Unproven::Malformed,
    }
}

/// The cryptography that TLS uses too.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: |algorithm, key| {
        // No type of the key is taken for that of another algorithm.
        match algorithm.family() == key.family() {
            true => Ok(Box::new(Check { algorithm: *algorithm, key: key.clone() })),
            false => Err(ErrorKind::InvalidAlgorithm.into()),
        }
    },
    key_utils: KeyUtils::new_unimplemented(),
};

struct Check {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl JwtVerifier for Check {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for Check {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        use ring_signature::{self as ring, VerificationAlgorithm};
        let rsa = match self.algorithm {
            Algorithm::RS256 => Some(&ring::RSA_PKCS1_2048_8192_SHA256),
            Algorithm::RS384 => Some(&ring::RSA_PKCS1_2048_8192_SHA384),
            Algorithm::RS512 => Some(&ring::RSA_PKCS1_2048_8192_SHA512),
            Algorithm::PS256 => Some(&ring::RSA_PSS_2048_8192_SHA256),
            Algorithm::PS384 => Some(&ring::RSA_PSS_2048_8192_SHA384),
            Algorithm::PS512 => Some(&ring::RSA_PSS_2048_8192_SHA512),
            _ => None,
        };
        let verified = match (rsa, self.key.kind()) {
            (Some(rsa), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                ring::RsaPublicKeyComponents { n, e }.verify(rsa, message, signature)
            }
            (None, DecodingKeyKind::SecretOrDer(key)) => {
                let algorithm: &'static dyn VerificationAlgorithm = match self.algorithm {
                    Algorithm::ES256 => &ring::ECDSA_P256_SHA256_FIXED,
                    Algorithm::ES384 => &ring::ECDSA_P384_SHA384_FIXED,
                    Algorithm::EdDSA => &ring::ED25519,
                    _ => return Err(signature::Error::new()),
                };
                ring::UnparsedPublicKey::new(algorithm, key).verify(message, signature)
            }
            _ => return Err(signature::Error::new()),
        };
        verified.map_err(|_| signature::Error::new())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const N: &str = "yD4YdX9Fxetioilbk2crsdiQNkItM52ybaOF1vgMQBbdSfhaSoIs6cWuLVkscir96JtCd8niCqm5Nq9H6SdOPE-Tx8SbJL4uzjPGCc0Ps2iF3dI3joefxxExprmEEDFPWT_y3TGAXVuOetmxoiuywKwsOPqspulqa1pYZvO7u9OiVsJMP0ytbzU4BBN1NCREA-Kjhw7YMxyFYzCt_7pg-oZGxCm15MbibeffDgnMjPoyjZIgtZ8abGxukG-GgBRzF-4ncgpDj9WjSQYeV0GVafBxiSBq2ajmchqGDffZivho1P25K-vOVRD252U8nxt33BOuGNWZBg9lpV4Qa9oe-Q";
    const RS256: &str = "EbPpzmScneBgnN2nRLX9p4AwlMq3rKPxmrB3mqjg-NpfQcJ_-3Fl4GZx7uxIWzTtkpFmPj7GnWi2xmlDlq04MMLiWYC5JKrDohA8hCtfgcUTKgyW2y-x2FFx-sb8W35PLLkLz6g9u4rPbmA3SkrRDUwil4UVWg4yBf0zvYlTMwIpo-Rag4431xGHME8t5EbEcbB-OCn_pZHXMxxVruO2Z9TP0ZW9YB5nV6N9Pf36OYZhfAvP7hxrK7qsPu2kFspxj3ijvXhlVP7-oTSzl4mf2VNeMs2pnaCumjYfLnbFsRPniIr4uczxAL-_kqFWRrQXgPaJRVyV-RbQ4jp6dx8Uqg";
    const PS256: &str = "Kl7aheRe-dL6poLJKYZc8vZGlk6e7q6wV0ZZgnLNYR0c0E4RqablLf8ggpOIGfDJUo2KKlqxNQ-sYDoopWwyPbJyVaOvaGj3IiMLzIl_Rk7r97yZxOWAVLBDxZWTErimV7SO7CIrI__62j6kghTwueePuPAdzVLuHkz9CbLQBscOPOeHJCdnurGSKmzrBv1sxkq5Zh8G3KLIrvpBhf4UCfHqvMNBaeMG6PpCaFdSbDIIAbUwCx35IBZVxThZV8fNaZ8qIMbFchmORoDyDBi9t5ht1Uagio2xrmaKEU16ERXDo34YmaI9Us-FHhuTBLMrJh7SSyapVPYu6c1xbz7CQw";
    const X: &str = "8Z2zoqcOgqfaZYsugOnOF5FsOwJ__msjqPZiBDhXWNkmWEYuLHqOXrxmsYHj-Hvf";
    const Y: &str = "EgD66zxgSVdD24ZgxaMfyNWbGuAdsAJNrkX5c7h4brUfF2t8oLXDz3j4EAuXOOzI";
    const ES384: &str = "qUJHFdKWK8t-eRTwSgdRBai9QuGoW16gv7da--6GN5QavWy7V7EQPC-SxGrmWBXrged8Zb_YqofiM9_yA98Zj0SpOCHH0vxXxBgSL_MVHCWkWP4Lj2JDEYkADrJw4OCq";
    const ED: &str = "8w4_z4M9D22--MOE4d07btx1P__V_LK0t_sziiZJq8Q";
    const EDDSA: &str =
        "H5HibomwHQ9Z0-eAI0hFrU8yq6DksYFolQ9wq_Fk1Asz2Fm1tH3cwjPEqjBgv5y0F5NbSK_j-XS8x_9UETUoBA";

    /// Signatures that another program made.
    #[test]
    fn a_signature_counts_for_its_own_algorithm_key_and_message() {
        let _ = PROVIDER.install_default();
        let rsa = json!({"kty": "RSA", "n": N, "e": "AQAB"});
        let ec = json!({"kty": "EC", "crv": "P-384", "x": X, "y": Y});
        let ed = json!({"kty": "OKP", "crv": "Ed25519", "x": ED});
        let all = [
            (&rsa, Algorithm::RS256, RS256),
            (&rsa, Algorithm::PS256, PS256),
            (&ec, Algorithm::ES384, ES384),
            (&ed, Algorithm::EdDSA, EDDSA),
        ];
        for (key, algorithm, signature) in all {
            let jwk: Jwk = serde_json::from_value(key.clone()).unwrap();
            assert!(find(std::slice::from_ref(&jwk), None, algorithm).is_some());
            let key = DecodingKey::from_jwk(&jwk).unwrap();
            let verify = |message: &[u8], algorithm| {
                jsonwebtoken::crypto::verify(signature, message, &key, algorithm).unwrap_or(false)
            };
            for other in ALGORITHMS.into_iter().chain([Algorithm::HS256]) {
                assert_eq!(verify(b"message", other), other == algorithm, "{other:?}");
            }
            assert!(!verify(b"massage", algorithm));
        }
    }

    #[test]
    fn a_key_is_found_by_its_name_and_only_for_what_it_is() {
        let key = |id: &str, more: Value| {
            let mut key = json!({"kty": "RSA", "n": N, "e": "AQAB", "kid": id});
            key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            serde_json::from_value::<Jwk>(key).unwrap()
        };
        let all = [
            key("a", json!({"alg": "RS256"})),
            key("b", json!({})),
            key("b", json!({"alg": "PS512"})),
        ];
        let found = |id: Option<&str>, algorithm| {
            find(&all, id, algorithm).map(|key| key.common.key_id.clone().unwrap())
        };
        assert_eq!(found(Some("a"), Algorithm::RS256).as_deref(), Some("a"));
        assert_eq!(found(Some("a"), Algorithm::RS512), None);
        assert_eq!(found(Some("b"), Algorithm::RS512).as_deref(), Some("b"));
        assert_eq!(found(Some("b"), Algorithm::ES256), None);
        assert_eq!(found(None, Algorithm::RS256), None);
        assert_eq!(found(Some("c"), Algorithm::RS256), None);
        assert_eq!(family(&key("a", json!({"use": "enc"}))), None);
        let secret = serde_json::from_value(json!({"kty": "oct", "k": "AQAB"})).unwrap();
        assert_eq!(family(&secret), None);
    }

    #[test]
    fn groups_are_one_or_a_list_and_may_be_nested() {
        let claims =
            json!({"groups": ["a", 1, "b"], "role": "c", "realm": {"roles": ["d"]}, "x.y": ["e"]});
        let claims = claims.as_object().unwrap();
        for (name, found) in [
            ("groups", vec!["a", "b"]),
            ("role", vec!["c"]),
            ("realm.roles", vec!["d"]),
            ("x.y", vec!["e"]),
            ("z", vec![]),
        ] {
            assert_eq!(groups(claims, name), found, "{name}");
        }
    }
}
