//! The gateway's side of the component: the few calls it makes, off the async threads.

use weir_host::contract::{Encoding, FinishedResult, Origin, Transformed, Unit, View};
use weir_host::{Callee, Error, References, ResolvedArguments, Weir};

use tokio::sync::{oneshot, watch};

use super::catalog::Tool;
use super::frame::SpooledResult;
use super::json::{Json, quote};

mod calls;
mod small;

use small::Thresholds;

/// The component, or why there is none.
#[derive(Debug, Clone)]
pub struct Gate {
    weir: watch::Receiver<Option<Result<Weir, String>>>,
    /// The session whose results may be read back.
    pub session: String,
    thresholds: Thresholds,
}

/// Gives a gate its component, from another thread: loading may take seconds, and clients wait for
/// a greeting.
#[derive(Debug)]
pub struct Loader(watch::Sender<Option<Result<Weir, String>>>);

impl Loader {
    /// Hands it over, or the reason why there is none.
    pub fn loaded(self, weir: Result<Weir, String>) {
        let _ = self.0.send(Some(weir));
    }
}

/// The default of the setting `transform.fallback_max_chars`, for when no component can be asked for it.
pub const FALLBACK_MAX_CHARS: usize = 50_000;

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

/// What became of a spooled result.
#[derive(Debug)]
pub enum Taken {
    /// It is never replaced: pass it on.
    Excluded,
    /// It was taken in.
    Outcome(Transformed),
}

impl Gate {
    /// With the component, or with the reason why it could not be loaded: then every result goes by
    /// the rule for results that cannot be stored.
    pub fn new(weir: Result<Weir, String>, session: impl Into<String>) -> Gate {
        Gate::of(watch::channel(Some(weir)).1, session.into())
    }

    /// Characters up to which a result passes whole when the component gives no answer: what the setting
    /// says, or its default where nothing is set or there is no component to read settings with.
    pub fn fallback_max_chars(&self) -> usize {
        match &*self.weir.borrow() {
            Some(Ok(weir)) => weir.settings().map_or(FALLBACK_MAX_CHARS, |values| {
                usize::try_from(values.transform.fallback_max_chars).unwrap_or(usize::MAX)
            }),
            _ => FALLBACK_MAX_CHARS,
        }
    }

    /// Characters of a result that its client would pass by itself, as the setting or its default says: what is
    /// beyond them was not saved.
    pub fn client_max_chars(&self) -> u64 {
        let set = match &*self.weir.borrow() {
            Some(Ok(weir)) => weir.settings().map(|values| values.transform.client_max_chars),
            _ => None,
        };
        match set {
            Some(0) => u64::MAX,
            Some(most) => u64::from(most),
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
        Gate { weir, session, thresholds: Thresholds::default() }
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

    async fn run<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Weir) -> Result<R, Error> + Send + 'static,
    ) -> Result<R, GateError> {
        let weir = self.weir().await?;
        let (done, answer) = oneshot::channel();
        // Not in a thread of the runtime's: there each step of a call would change threads once more.
        calls::make(move || drop(done.send(work(&weir))));
        Ok(answer.await.map_err(|_| GateError::given_up())??)
    }

    /// Replaces a result if it is too large. `None` when it is left as it is, which takes no call where the
    /// tool's threshold is known and the result is within it.
    ///
    /// # Errors
    /// When the component gives no answer; the result is then the caller's to show.
    pub async fn transform(
        &self,
        result: FinishedResult,
    ) -> Result<Option<Transformed>, GateError> {
        if self.leaves_alone(&result) {
            return Ok(None);
        }
        let thresholds = self.thresholds.clone();
        self.run(move |weir| {
            let transformed = weir.transform(&result)?;
            if transformed.replaced || transformed.store_failure.is_some() {
                return Ok(Some(transformed));
            }
            thresholds.learn(weir, &result)?;
            Ok(None)
        })
        .await
    }

    /// Whether a result is known to be left as it is.
    fn leaves_alone(&self, result: &FinishedResult) -> bool {
        match &*self.weir.borrow() {
            Some(Ok(weir)) => self.thresholds.leave_alone(weir, result),
            _ => false,
        }
    }

    /// Takes in a spooled result: its big text, or its bytes as they came.
    ///
    /// # Errors
    /// When the component gives no answer or the file cannot be read.
    pub async fn take(
        &self,
        origin: Origin,
        max_chars: Option<u32>,
        spooled: SpooledResult,
        as_text: bool,
        is_error: bool,
    ) -> Result<Taken, GateError> {
        self.run(move |weir| {
            if weir.threshold(&origin, max_chars)?.is_none() {
                return Ok(Taken::Excluded);
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
                (_, Some(error)) => Err(error),
                (Err(error), None) => Err(Error::Input(error)),
                (Ok(()), None) => Ok(Taken::Outcome(intake.finish(is_error)?)),
            }
        })
        .await
    }

    /// The tools that read stored results back, as MCP defines tools.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn definitions(&self) -> Result<Vec<Json>, GateError> {
        let tools = self.run(|weir| weir.result_tools()).await?;
        Ok(tools
            .iter()
            .map(|tool| {
                definition(&tool.name, &tool.description, &tool.input_schema, &tool.annotations)
            })
            .collect())
    }

    /// Runs one of them. Gives the text and whether it says that something is wrong.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn invoke(
        &self,
        session: String,
        name: &str,
        arguments: &str,
    ) -> Result<(String, bool), GateError> {
        let (name, arguments) = (name.to_owned(), arguments.to_owned());
        let answer = self.run(move |weir| weir.invoke(&session, &name, &arguments)).await?;
        Ok((answer.text, answer.is_error))
    }

    /// Puts stored results in place of references in a tool's arguments. `None` when there is no
    /// reference.
    ///
    /// # Errors
    /// Why the call is not to be made, for the model.
    pub async fn resolve_references(
        &self,
        session: String,
        references: References,
        tool: &Tool,
        arguments: String,
    ) -> Result<Option<ResolvedArguments>, String> {
        let (name, hints) = (tool.own_name.clone(), tool.hints);
        let reads_only = hints.read_only && !(references.read_only && self.doubts(tool).await);
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
    pub async fn blob(&self, session: String, id: &str) -> Result<String, GateError> {
        let id = id.to_owned();
        let read = self.run(move |weir| {
            let mut text = String::new();
            let mut start = 0;
            loop {
                let page = weir.read(&session, &id, View::Raw, Unit::Chars, start, None)?;
                if !matches!(page.encoding, Encoding::Utf8) {
                    return Ok(Err("it is not text".to_owned()));
                }
                text.push_str(&page.content);
                match page.next {
                    _ if text.len() > BLOB_BYTES => {
                        return Ok(Err(format!("it has more than {BLOB_BYTES} bytes")));
                    }
                    Some(next) => start = next.start as i64,
                    None => return Ok(Ok(text)),
                }
            }
        });
        read.await?.map_err(|why| GateError(format!("{why}: read it with weir_fetch, in parts")))
    }
}

/// Bytes of a stored result that is given as a resource.
const BLOB_BYTES: usize = 4 << 20;

/// A tool of ours as MCP defines tools. Clients that defer tools are asked to keep these in view:
/// they are how the model reaches everything else.
fn definition(name: &str, description: &str, input_schema: &str, annotations: &str) -> Json {
    Json::assembled(format!(
        r#"{{"name":{},"description":{},"inputSchema":{input_schema},"annotations":{annotations},"_meta":{{"anthropic/alwaysLoad":true}}}}"#,
        quote(name),
        quote(description)
    ))
}

/// Catalogs for the bridge tools.
pub mod bridge;
