//! What a stored content was recognised as.

/// The kinds of content that are told apart, because their excerpts differ.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One JSON value.
    Json,
    /// JSON values, one a line.
    Ndjson,
    /// Comma-separated (or semicolon-separated) rows.
    Csv,
    /// Tab-separated rows.
    Tsv,
    /// HTML.
    Html,
    /// XML that is not HTML.
    Xml,
    /// Markdown.
    Markdown,
    /// A unified diff.
    Diff,
    /// Log lines.
    Log,
    /// Program source.
    Code,
    /// Any other text.
    Text,
    /// Not text: invalid UTF-8, or full of control characters.
    Binary,
}

impl Kind {
    /// The lower-case word for this kind, as shown to models and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Json => "json",
            Kind::Ndjson => "ndjson",
            Kind::Csv => "csv",
            Kind::Tsv => "tsv",
            Kind::Html => "html",
            Kind::Xml => "xml",
            Kind::Markdown => "markdown",
            Kind::Diff => "diff",
            Kind::Log => "log",
            Kind::Code => "code",
            Kind::Text => "text",
            Kind::Binary => "binary",
        }
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
