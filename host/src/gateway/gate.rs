//! The gateway's side of the component: the few calls it makes, off the async threads.

use crate::contract::{Encoding, FinishedResult, IntakeOutcome, Origin, Outcome, Unit, View};
use crate::{Error, Weir};

use super::frame::SpooledResult;
use super::json::{Json, quote};

/// The component, or why there is none.
#[derive(Debug, Clone)]
pub struct Gate {
    weir: Result<Weir, String>,
    /// The session whose results may be read back.
    pub session: String,
}

/// Why the component gave no answer. Its text is for logs and, in one sentence, for models.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct GateError(String);

impl From<Error> for GateError {
    fn from(error: Error) -> Self {
        GateError(error.to_string())
    }
}

/// What became of a spooled result.
#[derive(Debug)]
pub enum Taken {
    /// It is never replaced: pass it on.
    Excluded,
    /// It was taken in.
    Outcome(IntakeOutcome),
}

impl Gate {
    /// With the component, or with the reason why it could not be loaded: then every result goes by
    /// the rule for results that cannot be stored.
    pub fn new(weir: Result<Weir, String>, session: impl Into<String>) -> Gate {
        Gate { weir, session: session.into() }
    }

    /// The component.
    ///
    /// # Errors
    /// Why there is none.
    pub fn weir(&self) -> Result<&Weir, GateError> {
        self.weir.as_ref().map_err(|reason| GateError(format!("the component is missing: {reason}")))
    }

    async fn run<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Weir) -> Result<R, Error> + Send + 'static,
    ) -> Result<R, GateError> {
        let weir = self.weir()?.clone();
        match tokio::task::spawn_blocking(move || work(&weir)).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(GateError("the call into the component was given up".to_owned())),
        }
    }

    /// Replaces a result if it is too large.
    ///
    /// # Errors
    /// When the component gives no answer; the result is then the caller's to show.
    pub async fn transform(&self, result: FinishedResult) -> Result<Outcome, GateError> {
        self.run(move |weir| weir.transform(&result)).await
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
            let mut intake = weir.intake(&origin)?;
            let mut failure = None;
            let mut sink = |bytes: &[u8]| {
                intake.write(bytes).map_err(|error| {
                    failure = Some(error);
                    std::io::Error::other("the component stopped")
                })
            };
            let copied = if as_text { spooled.text_to(&mut sink) } else { spooled.copy_to(0, &mut sink) };
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
        let tools = self.run(|weir| weir.tool_definitions()).await?;
        Ok(tools
            .iter()
            .map(|tool| definition(&tool.name, &tool.description, &tool.input_schema, &tool.annotations))
            .collect())
    }

    /// Runs one of them. Gives the text and whether it says that something is wrong.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn invoke(&self, name: &str, arguments: &str) -> Result<(String, bool), GateError> {
        let (session, name, arguments) = (self.session.clone(), name.to_owned(), arguments.to_owned());
        let answer = self.run(move |weir| weir.invoke(&session, &name, &arguments)).await?;
        Ok((answer.text, answer.is_error))
    }

    /// A stored result as it came, for clients that read resources.
    ///
    /// # Errors
    /// When it is not there, is too long for one answer, is no text, or the component gives no answer.
    pub async fn blob(&self, id: &str) -> Result<String, GateError> {
        let (session, id) = (self.session.clone(), id.to_owned());
        let read = self.run(move |weir| {
            let mut text = String::new();
            let mut start = 0;
            loop {
                let page = weir.range(&session, &id, View::Raw, Unit::Chars, start, None)?;
                if !matches!(page.encoding, Encoding::Utf8) {
                    return Ok(Err("it is not text".to_owned()));
                }
                text.push_str(&page.content);
                match page.next {
                    _ if text.len() > BLOB_BYTES => return Ok(Err(format!("it has more than {BLOB_BYTES} bytes"))),
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
pub mod bridge {
    use super::{Gate, GateError, Json};
    use crate::gateway::catalog::Catalog;

    /// A ranked index over one catalog, with the tools that search and call through it.
    #[derive(Debug)]
    pub struct Bridge {
        /// The bridge tools, as MCP defines tools.
        pub definitions: Vec<Json>,
    }

    /// What a bridge tool answers.
    #[derive(Debug)]
    pub enum Answer {
        /// Show this.
        Text {
            /// For the model.
            text: String,
            /// Whether it says that something is wrong.
            is_error: bool,
        },
        /// Call these tools: names and arguments as JSON text.
        Dispatch(Vec<(String, String)>),
    }

    impl Gate {
        /// Interim.
        pub async fn bridge(&self, _catalog: &Catalog) -> Result<Bridge, GateError> {
            Err(GateError("interim".into()))
        }

        /// Interim.
        pub async fn ask_bridge(&self, _bridge: &Bridge, _name: &str, _arguments: &str) -> Result<Answer, GateError> {
            Err(GateError("interim".into()))
        }
    }
}
