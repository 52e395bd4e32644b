//! The first words with a server: which era it speaks, what it says of itself.

use std::sync::Arc;
use std::time::Duration;

use weir_mcp::connection::{ActiveCall, Connection, Hearer, Step, Timing};
use weir_mcp::frame::Reply;
use weir_mcp::json::Json;
use weir_mcp::methods::Method;
use weir_mcp::wire::{self, Era};

use super::Upstream;
use super::life::LOGIN_PATIENCE;
use crate::search::names::own_info;
use crate::servers::spec::Reach;
use crate::servers::upstream::eras::{Eras, Offer};
use weir_mcp::wire::with_modern_meta;

/// How long a server may be silent to `server/discover` before it is taken for a legacy one. All of
/// 76 real servers answered at once; this is for those that are slow to start.
pub(super) const PROBE: Duration = Duration::from_secs(3);

/// The same where its client speaks the legacy way, so that only skills are looked for in the modern one.
const LOOK: Duration = Duration::from_secs(1);

impl Upstream {
    /// How long a greeting may take. It ends with the start, which ends sooner where nobody has to log
    /// in meanwhile.
    fn greeting_time(&self) -> Duration {
        LOGIN_PATIENCE + self.spec.start_timeout
    }

    /// Asks `server/discover`; when that is unknown or unanswered, `initialize`.
    pub(super) async fn probe(&self, connection: &Arc<Connection>) -> Result<Greeting, String> {
        let timing = Timing { idle: self.greeting_time(), max: self.greeting_time() };
        let capabilities = self.terms().capabilities;
        let params = with_modern_meta(&Json::empty(), &own_info(), &capabilities);
        let mut discover =
            connection.call(Method::Discover.name(), Some(params), timing, Hearer::Nobody).await;
        let patience = if self.terms().era == Era::Legacy { LOOK } else { PROBE };
        let first = tokio::time::timeout(patience, answer_of(&mut discover)).await;
        match first {
            Ok(Ok(reply)) => match self.read_discovery(&reply) {
                Discovery::Modern(greeting) => Ok(greeting),
                Discovery::Foreign(reason) => Err(reason),
                Discovery::Legacy => legacy_only(self.initialize(connection).await),
            },
            Ok(Err(reason)) => Err(reason),
            Err(_) => {
                // Silent, or slow to start. Ask the other way too, and take the answer that comes.
                let mut initialize = self.send_initialize(connection).await;
                tokio::select! {
                    biased;
                    reply = answer_of(&mut discover) => match self.read_discovery(&reply?) {
                        Discovery::Modern(greeting) => Ok(greeting),
                        Discovery::Foreign(reason) => Err(reason),
                        Discovery::Legacy => {
                            legacy_only(read_initialized(&answer_of(&mut initialize).await?))
                        }
                    },
                    reply = answer_of(&mut initialize) => match read_initialized(&reply?) {
                        // A process answers in order, and has left the first question out.
                        Ok(greeting) if matches!(self.spec.reach, Reach::Stdio { .. }) => {
                            legacy_only(Ok(greeting))
                        }
                        Ok(greeting) => Ok(greeting),
                        // A modern server refuses `initialize`; its discovery is still to come.
                        Err(reason) => match self.read_discovery(&answer_of(&mut discover).await?) {
                            Discovery::Modern(greeting) => Ok(greeting),
                            _ => Err(reason),
                        },
                    },
                }
            }
        }
    }

    fn read_discovery(&self, reply: &Reply) -> Discovery {
        match reply {
            Reply::Result(result) => {
                let versions: Vec<String> =
                    result.at(&["supportedVersions"]).and_then(|v| v.read()).unwrap_or_default();
                if versions.iter().any(|version| version == wire::MODERN) {
                    Discovery::Modern(Greeting {
                        legacy_only: false,
                        era: Era::Modern,
                        version: wire::MODERN.to_owned(),
                        info: result.at(&["_meta", wire::META_SERVER]),
                        capabilities: result.at(&["capabilities"]).unwrap_or_else(Json::empty),
                        instructions: result.text_at(&["instructions"]),
                    })
                } else if versions.is_empty()
                    || versions.iter().any(|v| wire::LEGACY.contains(&v.as_str()))
                {
                    Discovery::Legacy
                } else {
                    Discovery::Foreign(format!("it speaks only versions {}", versions.join(", ")))
                }
            }
            Reply::Error(error) => {
                let code: Option<i64> = error.at(&["code"]).and_then(|code| code.read());
                if code != Some(wire::code::UNSUPPORTED_VERSION) {
                    return Discovery::Legacy;
                }
                let versions: Vec<String> =
                    error.at(&["data", "supported"]).and_then(|v| v.read()).unwrap_or_default();
                if versions.iter().any(|v| wire::LEGACY.contains(&v.as_str())) {
                    Discovery::Legacy
                } else {
                    Discovery::Foreign(format!("it speaks only versions {}", versions.join(", ")))
                }
            }
            Reply::Spooled(_) => Discovery::Legacy,
        }
    }

    async fn send_initialize(&self, connection: &Arc<Connection>) -> ActiveCall {
        let capabilities = self.terms().capabilities;
        let params = Json::assembled(format!(
            r#"{{"protocolVersion":"{}","capabilities":{capabilities},"clientInfo":{}}}"#,
            wire::LATEST_LEGACY,
            own_info()
        ));
        let timing = Timing { idle: self.greeting_time(), max: self.greeting_time() };
        connection.call(Method::Initialize.name(), Some(params), timing, Hearer::Nobody).await
    }

    pub(super) async fn initialize(
        &self,
        connection: &Arc<Connection>,
    ) -> Result<Greeting, String> {
        read_initialized(&answer_of(&mut self.send_initialize(connection).await).await?)
    }
}

enum Discovery {
    Modern(Greeting),
    Legacy,
    Foreign(String),
}

/// The greeting of a server that did not understand the modern way.
fn legacy_only(greeting: Result<Greeting, String>) -> Result<Greeting, String> {
    greeting.map(|greeting| Greeting { legacy_only: true, ..greeting })
}

pub(super) struct Greeting {
    pub(super) era: Era,
    /// Whether it was asked in the modern way first, and did not understand.
    pub(super) legacy_only: bool,
    pub(super) version: String,
    pub(super) info: Option<Json>,
    pub(super) capabilities: Json,
    pub(super) instructions: Option<String>,
}

impl Greeting {
    /// What is seen of the server, with what this greeting shows.
    pub(super) fn note(&self, mut seen: Eras) -> Eras {
        if self.legacy_only {
            seen.note(Era::Modern, Offer::Nothing);
        }
        seen.note(self.era, Offer::of(&self.capabilities));
        seen
    }
}

async fn answer_of(call: &mut ActiveCall) -> Result<Reply, String> {
    loop {
        match call.next().await {
            Step::Event(_) => {}
            Step::Done(reply) => return Ok(reply),
            Step::Failed(error) => return Err(error.to_string()),
        }
    }
}

fn read_initialized(reply: &Reply) -> Result<Greeting, String> {
    let result = match reply {
        Reply::Result(result) => result,
        Reply::Error(error) => {
            return Err(wire::refusal_of(Method::Initialize.name(), error));
        }
        Reply::Spooled(_) => return Err("initialize was answered with megabytes".to_owned()),
    };
    let version = result
        .text_at(&["protocolVersion"])
        .ok_or("initialize was answered without a protocolVersion")?;
    if !wire::LEGACY.contains(&version.as_str()) {
        return Err(format!(
            "it speaks version {version}, which is not one of {}",
            wire::LEGACY.join(", ")
        ));
    }
    Ok(Greeting {
        era: Era::Legacy,
        legacy_only: false,
        version,
        info: result.at(&["serverInfo"]),
        capabilities: result.at(&["capabilities"]).unwrap_or_else(Json::empty),
        instructions: result.text_at(&["instructions"]),
    })
}
