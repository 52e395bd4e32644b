//! What a stored content was recognised as.

/// The kinds of content that are told apart, because their excerpts differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One JSON value.
    Json,
    /// JSON values, one a line.
    Ndjson,
    /// Comma-separated (or semicolon-separated) rows.
    Csv,
    /// Tab-separated rows.
    Tsv,
    /// YAML, of one document or several.
    Yaml,
    /// Statements of SQL that make tables and fill them.
    Sql,
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
    /// Every kind, in the order in which the contract lists them.
    pub const ALL: [Kind; 14] = [
        Kind::Json,
        Kind::Ndjson,
        Kind::Csv,
        Kind::Tsv,
        Kind::Yaml,
        Kind::Sql,
        Kind::Html,
        Kind::Xml,
        Kind::Markdown,
        Kind::Diff,
        Kind::Log,
        Kind::Code,
        Kind::Text,
        Kind::Binary,
    ];

    /// The lower-case word for this kind, as shown to models and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Json => "json",
            Kind::Ndjson => "ndjson",
            Kind::Csv => "csv",
            Kind::Tsv => "tsv",
            Kind::Yaml => "yaml",
            Kind::Sql => "sql",
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

impl serde::Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Kind {
    /// A word of a later version is a text of some kind.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Ok(Kind::ALL.into_iter().find(|kind| kind.as_str() == word).unwrap_or(Kind::Text))
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn words_are_read_as_they_are_written_and_unknown_ones_are_text() {
        for kind in Kind::ALL {
            let word = serde_json::to_value(kind).unwrap();
            assert_eq!(word, kind.as_str());
            assert_eq!(serde_json::from_value::<Kind>(word).unwrap(), kind);
        }
        assert_eq!(serde_json::from_str::<Kind>("\"toml\"").unwrap(), Kind::Text);
        assert!(serde_json::from_str::<Kind>("7").is_err());
    }

    #[test]
    fn the_contract_lists_every_kind() {
        let words: Vec<String> = Kind::ALL.iter().map(|kind| format!("`{kind}`")).collect();
        let (last, others) = words.split_last().unwrap();
        let list = format!("{} or {last}.", others.join(", "));
        let types: String = include_str!("../../../wit/types.wit")
            .split_whitespace()
            .filter(|word| *word != "///")
            .collect::<Vec<_>>()
            .join(" ");
        assert!(types.contains(&list), "wit/types.wit lacks: {list}");
    }
}
