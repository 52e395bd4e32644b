//! Why the tier cannot be used, and work that blocks.

/// Why the tier cannot be used. Its text is for logs and, in one sentence, for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TierError(pub(crate) String);

impl TierError {
    pub(crate) fn new(text: String) -> TierError {
        TierError(text)
    }
}

/// Runs what blocks in a thread for that.
pub(crate) async fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<R> + Send + 'static,
) -> std::io::Result<R> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(std::io::Error::other(error)))
}
