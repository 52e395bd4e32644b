//! The gateway's side of the component: the few calls it makes, off the async threads.

use std::sync::Arc;

use serde::Deserialize;
use weir_host::contract::{Encoding, Origin, Part, Transformed, Unit, View};
use weir_host::{Callee, Error, References, ResolvedArguments, Weir};

use serde_json::value::RawValue;
use tokio::sync::{oneshot, watch};

use weir_tier::Tier;

use crate::clients::identity::Identity;
use crate::search::catalog::Tool;
use weir_mcp::frame::SpooledResult;
use weir_mcp::json::{Json, quote};

mod calls;
mod small;
pub mod tier;

use small::Thresholds;

/// The component, or why there is none.
#[derive(Debug, Clone)]
pub struct Gate {
    weir: watch::Receiver<Option<Result<Weir, String>>>,
    /// The session whose results may be read back.
    pub session: String,
    thresholds: Thresholds,
    /// What is searched beside tools.
    beside: Arc<kinds::Beside>,
    tier: Option<Arc<Tier>>,
}

/// Gives a gate its component, from another thread: loading may take seconds, and clients wait for
/// a greeting.
#[derive(Debug)]
pub struct Loader(watch::Sender<Option<Result<Weir, String>>>);

impl Loader {
    /// Hands it over, or the reason why there is none. What is handed over later takes its place.
    pub fn loaded(&self, weir: Result<Weir, String>) {
        let _ = self.0.send(Some(weir));
    }
}

/// The default of the setting `transform.fallback_max_chars`, for when no component can be asked for it.
pub const FALLBACK_MAX_CHARS: usize = 50_000;

/// The default of the setting `transform.threshold_chars`, by which short results are left without a call into the component.
pub const THRESHOLD_CHARS: u32 = 12_000;

/// The default of the setting `transform.client_max_chars`.
const CLIENT_MAX_CHARS: u64 = 100_000;

/// Why the component gave no answer. Its text is for logs and, in one sentence, for models.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct GateError(String);

impl GateError {
    /// Of work that nobody does any more.
    pub(crate) fn given_up() -> GateError {
        GateError("the call into the component was given up".to_owned())
    }
}

impl From<Error> for GateError {
    fn from(error: Error) -> Self {
        GateError(error.with_causes())
    }
}

/// What stands in a result's place.
#[derive(Debug)]
pub(crate) struct Replacement<T> {
    /// The whole result, or the text of one that was spooled.
    pub shown: T,
    /// Characters and estimated tokens of what it stands for, where an intake has measured them.
    pub before: (u64, u64),
    /// What was stored, in the order of the parts that show it.
    pub handles: Vec<Handle>,
}

/// The name of a stored content.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Handle {
    pub id: String,
    pub digest: String,
    pub uri: String,
    pub media_type: String,
    pub bytes: u64,
}

/// What `transform` of the interface `json` answers.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    replaced: bool,
    /// As it is written: of a result that was left, nobody reads it.
    #[serde(borrow)]
    result: &'a RawValue,
    handles: Vec<Handle>,
    store_failure: Option<String>,
}

/// Why it refused.
#[derive(Deserialize)]
struct Refusal {
    error: Refused,
}

#[derive(Deserialize)]
struct Refused {
    message: String,
}

impl Gate {
    /// With the component, or with the reason why it could not be loaded: then every result goes by
    /// the rule for results that cannot be stored.
    pub fn new(weir: Result<Weir, String>, session: impl Into<String>) -> Gate {
        Gate::of(watch::channel(Some(weir)).1, session.into())
    }

    /// A number that is set, once the component is loaded.
    fn setting(&self, key: &str) -> Option<u64> {
        match &*self.weir.borrow() {
            Some(Ok(weir)) => weir.settings()?.number(key),
            _ => None,
        }
    }

    /// Characters up to which a result passes whole when the component gives no answer: what the setting
    /// says, or its default where nothing is set or there is no component to read settings with.
    pub fn fallback_max_chars(&self) -> usize {
        let set = self.setting("transform.fallback_max_chars");
        set.map_or(FALLBACK_MAX_CHARS, |chars| usize::try_from(chars).unwrap_or(usize::MAX))
    }

    /// Characters of a result that its client would pass by itself, as the setting or its default says: what is
    /// beyond them was not saved.
    pub fn client_max_chars(&self) -> u64 {
        match self.setting("transform.client_max_chars") {
            Some(0) => u64::MAX,
            Some(most) => most,
            None => CLIENT_MAX_CHARS,
        }
    }

    /// With a component that is still being loaded. What needs it waits until the loader has sent it
    /// or the reason why there is none; a loader that goes away without a word is such a reason.
    pub fn loading(session: impl Into<String>) -> (Gate, Loader) {
        let (sender, weir) = watch::channel(None);
        (Gate::of(weir, session.into()), Loader(sender))
    }

    fn of(weir: watch::Receiver<Option<Result<Weir, String>>>, session: String) -> Gate {
        let thresholds = Thresholds::default();
        Gate { weir, session, thresholds, beside: Arc::default(), tier: None }
    }

    /// The component, once it is loaded.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn weir(&self) -> Result<Weir, GateError> {
        let mut weir = self.weir.clone();
        let loaded = match weir.wait_for(Option::is_some).await {
            Ok(loaded) => loaded.clone(),
            Err(_) => None,
        };
        let missing = |reason| GateError(format!("the component is missing: {reason}"));
        loaded.unwrap_or_else(|| Err("it was not loaded".to_owned())).map_err(missing)
    }

    /// Works with the component, in a thread for that.
    ///
    /// # Errors
    /// When it gives no answer.
    pub(crate) async fn run<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Weir) -> Result<R, Error> + Send + 'static,
    ) -> Result<R, GateError> {
        let weir = self.weir().await?;
        self.has_directory(&weir);
        let (done, answer) = oneshot::channel();
        // Not in a thread of the runtime's: there each step of a call would change threads once more.
        calls::make(move || drop(done.send(work(&weir))));
        Ok(answer.await.map_err(|_| GateError::given_up())??)
    }

    /// Replaces a result of `tools/call` if it is too large. `None` when it is left as it is, which takes no
    /// call where the tool's threshold is known and the result is within it.
    ///
    /// # Errors
    /// When the component gives no answer; the result is then the caller's to show.
    pub(crate) async fn transform(
        &self,
        origin: Origin,
        max_chars: Option<u32>,
        result: &Json,
    ) -> Result<Option<Replacement<Json>>, GateError> {
        let is_left = match &*self.weir.borrow() {
            Some(Ok(weir)) => self.thresholds.leave_alone(weir, &origin, max_chars, result),
            _ => false,
        };
        if is_left {
            return Ok(None);
        }
        let (thresholds, result) = (self.thresholds.clone(), result.as_str().to_owned());
        let (tool, session) = (origin.tool.clone(), origin.session.clone());
        let answer = self.run(move |weir| {
            let text = weir.transform_json(&call(&origin, max_chars), &result)?;
            drop(result);
            let Ok(answer) = serde_json::from_str::<Answer<'_>>(&text) else {
                let refusal = serde_json::from_str::<Refusal>(&text).map(|it| it.error.message);
                return Ok(Err(GateError(refusal.unwrap_or_else(|error| error.to_string()))));
            };
            if !answer.replaced && answer.store_failure.is_none() {
                thresholds.learn(weir, &origin, max_chars)?;
            }
            note_failure(&tool, answer.store_failure.as_deref());
            let shown = answer.replaced.then(|| Json::assembled(answer.result.get().to_owned()));
            let before = (0, 0);
            Ok(Ok(shown.map(|shown| Replacement { shown, before, handles: answer.handles })))
        });
        let answer = answer.await??;
        if let Some(replacement) = &answer {
            self.keep(&session, &replacement.handles).await?;
        }
        Ok(answer)
    }

    /// What stands in the place of a result of `tools/call`, for one who passes a result on that is left or cannot be
    /// stored.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn excerpt(&self, origin: Origin, result: &Json) -> Result<Option<Json>, GateError> {
        let replacement = self.transform(origin, None, result).await?;
        Ok(replacement.filter(|it| !it.handles.is_empty()).map(|it| it.shown))
    }

    /// Takes in a spooled result: its big text, or its bytes as they came. `None` when it is left as it is.
    ///
    /// # Errors
    /// When the component gives no answer or the file cannot be read.
    pub(crate) async fn take(
        &self,
        origin: Origin,
        max_chars: Option<u32>,
        spooled: SpooledResult,
        as_text: bool,
        is_error: bool,
    ) -> Result<Option<Replacement<String>>, GateError> {
        let session = origin.session.clone();
        let taken = self.run(move |weir| {
            if weir.threshold(&origin, max_chars)?.is_none() {
                return Ok(None);
            }
            let mut intake = weir.intake(&origin, max_chars)?;
            let mut failure = None;
            let mut sink = |bytes: &[u8]| {
                intake.write(bytes).map_err(|error| {
                    failure = Some(error);
                    std::io::Error::other("the component stopped")
                })
            };
            let copied =
                if as_text { spooled.text_to(&mut sink) } else { spooled.copy_to(0, &mut sink) };
            match (copied, failure) {
                (_, Some(error)) => return Err(error),
                (Err(error), None) => return Err(Error::Input(error)),
                (Ok(()), None) => {}
            }
            let taken = intake.finish(is_error)?;
            note_failure(&origin.tool, taken.store_failure.as_deref());
            // Left: short enough after all, by a rule of the component's.
            Ok(taken.replaced.then(|| replacement(taken)))
        });
        let taken = taken.await?;
        if let Some(replacement) = &taken {
            self.keep(&session, &replacement.handles).await?;
        }
        Ok(taken)
    }

    /// Runs a tool over a client's stored results. Gives the text and whether it says that something is wrong.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn invoke(
        &self,
        who: &Identity,
        name: &str,
        arguments: &str,
    ) -> Result<(String, bool), GateError> {
        let (session, note) = self.reach(who, arguments).await?;
        let (name, arguments) = (name.to_owned(), arguments.to_owned());
        let answer = self.run(move |weir| weir.invoke(&session, &name, &arguments)).await?;
        let text = match note {
            Some(note) => format!("{}\n\n{note}", answer.text),
            None => answer.text,
        };
        Ok((text, answer.is_error))
    }

    /// Puts stored results in place of references in a tool's arguments. `None` when there is no
    /// reference.
    ///
    /// # Errors
    /// Why the call is not to be made, for the model.
    pub async fn resolve_references(
        &self,
        who: &Identity,
        references: References,
        tool: &Tool,
        arguments: String,
    ) -> Result<Option<ResolvedArguments>, String> {
        let (name, hints) = (tool.own_name.clone(), tool.hints);
        let reads_only = hints.read_only && !(references.read_only && self.doubts(tool).await);
        let session = match self.reach(who, &arguments).await {
            Ok((session, _)) => session,
            Err(error) => {
                return Err(format!("not called: stored results cannot be read now: {error}"));
            }
        };
        let resolved = self.run(move |weir| {
            let callee =
                Callee { tool: &name, read_only: reads_only, closed_world: hints.closed_world };
            Ok(weir.resolve_references(&session, &references, &callee, &arguments))
        });
        resolved
            .await
            .unwrap_or_else(|_| Err("not called: stored results cannot be read now".to_owned()))
    }

    /// A stored result as it came, for clients that read resources.
    ///
    /// # Errors
    /// When it is not there, is too long for one answer, is no text, or the component gives no answer.
    pub async fn blob(&self, who: &Identity, id: &str) -> Result<String, GateError> {
        let (session, _) = self.reach(who, id).await?;
        let id = id.to_owned();
        let read = self.run(move |weir| {
            let mut text = String::new();
            let mut more = None::<String>;
            loop {
                let more_of = more.as_deref();
                let page = weir.read(&session, &id, View::Raw, Unit::Chars, 0, None, more_of)?;
                if !matches!(page.encoding, Encoding::Utf8) {
                    return Ok(Err("it is not text".to_owned()));
                }
                text.push_str(&page.content);
                match page.more {
                    _ if text.len() > BLOB_BYTES => {
                        return Ok(Err(format!("it has more than {BLOB_BYTES} bytes")));
                    }
                    Some(next) => more = Some(next),
                    None => return Ok(Ok(text)),
                }
            }
        });
        read.await?.map_err(|why| GateError(format!("{why}: read it with weir_fetch, in parts")))
    }
}

/// The call that a result came from, for the interface `json`.
fn call(origin: &Origin, max_chars: Option<u32>) -> String {
    serde_json::json!({
        "session": origin.session, "tool": origin.tool, "server": origin.toolset,
        "arguments": origin.arguments, "reader": origin.reader, "maxChars": max_chars,
    })
    .to_string()
}

fn note_failure(tool: &str, failure: Option<&str>) {
    if let Some(failure) = failure {
        tracing::warn!("a result of {tool} could not be stored: {failure}");
    }
}

/// What an intake gives in place of a text: one text.
fn replacement(taken: Transformed) -> Replacement<String> {
    let before = (taken.chars_before, taken.estimated_tokens_before);
    let shown = taken.parts.into_iter().find_map(|part| match part {
        Part::Text(text) => Some(text),
        Part::Binary(_) | Part::Pointer(_) => None,
    });
    let handles = taken.handles.into_iter().map(|handle| Handle {
        id: handle.id,
        digest: handle.digest,
        uri: handle.uri,
        media_type: handle.media_type,
        bytes: handle.bytes,
    });
    Replacement { shown: shown.unwrap_or_default(), before, handles: handles.collect() }
}

/// Bytes of a stored result that is given as a resource.
const BLOB_BYTES: usize = 4 << 20;

/// A tool of ours as MCP defines tools. Clients that defer tools are asked to keep these in view:
/// they are how the model reaches everything else.
pub(crate) fn definition(
    name: &str,
    description: &str,
    input_schema: &str,
    annotations: &str,
) -> Json {
    Json::assembled(format!(
        r#"{{"name":{},"description":{},"inputSchema":{input_schema},"annotations":{annotations},"_meta":{{"anthropic/alwaysLoad":true}}}}"#,
        quote(name),
        quote(description)
    ))
}

/// Catalogs for the bridge tools.
pub mod bridge;
pub(crate) mod kinds;
