//! A model outside of the sandbox that says how near tools are to a query.

use std::fmt;

use crate::contract::ToolText;

/// A model that embeds texts: given to [`crate::Builder::embedder`], it is asked before every search,
/// and what it says is added to the component's own ranking. The component works without one.
///
/// Calls come from the threads that call [`crate::Catalog`], several at a time.
pub trait Embedder: fmt::Debug + Send + Sync {
    /// For each query the cosine with each text, in order. The search waits for it: an answer that
    /// takes long is better an error.
    ///
    /// # Errors
    /// Why there is no answer, in one sentence that a model may read. The tools are then ranked
    /// without it, and the answer says so.
    fn scores(&self, texts: &[ToolText], queries: &[String]) -> Result<Vec<Vec<f32>>, String>;

    /// Embeds all texts, however long it takes, so that the next [`Embedder::scores`] need not.
    ///
    /// # Errors
    /// Why that failed, in one sentence.
    fn prepare(&self, texts: &[ToolText]) -> Result<(), String>;
}
