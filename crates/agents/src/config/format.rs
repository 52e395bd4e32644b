//! The notation of a file, and the text of a file as a [`Node`].

use std::path::Path;

use jsonc_parser::ast;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::node::Node;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JSON. Comments and trailing commas are read, and kept where they are.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Format::Json => "JSON",
            Format::Toml => "TOML",
            Format::Yaml => "YAML",
        })
    }
}

/// Why a text is not in its format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SyntaxError(pub(super) String);

impl Format {
    /// By the file's name; JSON when that says nothing.
    pub fn of(path: &Path) -> Format {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => Format::Toml,
            Some("yaml" | "yml") => Format::Yaml,
            _ => Format::Json,
        }
    }

    /// What a text means. A byte order mark is passed over. An empty text is an empty object. Of
    /// members with the same name in JSON the last one counts, as it does for the hosts.
    ///
    /// # Errors
    /// When the text is not in this format.
    pub fn read(self, text: &str) -> Result<Node, SyntaxError> {
        self.read_noting(text, &mut Vec::new())
    }

    /// The same, naming the keys that stand twice in one object.
    pub(super) fn read_noting(
        self,
        text: &str,
        duplicates: &mut Vec<String>,
    ) -> Result<Node, SyntaxError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let syntax = |error: &dyn std::fmt::Display| SyntaxError(error.to_string());
        let node = match self {
            Format::Json => {
                let parsed = parse_to_ast(text, &CollectOptions::default(), &JSON_OPTIONS)
                    .map_err(|error| syntax(&error))?;
                parsed.value.map_or(Ok(Node::Null), |value| from_ast(&value, duplicates))?
            }
            // A text of several lines has the same value whatever its lines end with.
            Format::Toml => ::toml::from_str(&text.replace("\r\n", "\n")).map_err(|error| {
                // Without the excerpt, which may show a secret.
                let line = error.span().map_or(1, |span| {
                    text.replace("\r\n", "\n")
                        .bytes()
                        .take(span.start)
                        .filter(|b| *b == b'\n')
                        .count()
                        + 1
                });
                SyntaxError(format!("{} on line {line}", error.message()))
            })?,
            Format::Yaml
                if text
                    .lines()
                    .map(str::trim)
                    .all(|line| line.is_empty() || line.starts_with('#')) =>
            {
                Node::Null
            }
            Format::Yaml => {
                // `y` is a text: what else it may be depends on the reader.
                let options = serde_saphyr::options! { strict_booleans: true };
                serde_saphyr::from_str_with_options(text, options).map_err(|error| {
                    // The first line has the place; the excerpt below it may show a secret.
                    syntax(&error.to_string().lines().next().unwrap_or_default())
                })?
            }
        };
        Ok(if node == Node::Null { Node::Map(Vec::new()) } else { node })
    }
}

/// JSON as hosts read it: with comments and trailing commas, and nothing else beside the standard.
pub(super) const JSON_OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The parser bounds the depth, so this may follow the tree.
fn from_ast(value: &ast::Value<'_>, duplicates: &mut Vec<String>) -> Result<Node, SyntaxError> {
    Ok(match value {
        ast::Value::StringLit(text) => Node::Text(text.value.clone().into_owned()),
        ast::Value::NumberLit(number) => Node::Number(number.value.to_owned()),
        ast::Value::BooleanLit(value) => Node::Bool(value.value),
        ast::Value::NullKeyword(_) => Node::Null,
        ast::Value::Array(array) => Node::List(
            array
                .elements
                .iter()
                .map(|item| from_ast(item, duplicates))
                .collect::<Result<_, _>>()?,
        ),
        ast::Value::Object(object) => {
            let mut members: Vec<(String, Node)> = Vec::with_capacity(object.properties.len());
            let mut places = std::collections::BTreeMap::new();
            for property in &object.properties {
                let name = property.name.as_str().to_owned();
                let node = from_ast(&property.value, duplicates)?;
                if let Some(at) = places.insert(name.clone(), members.len()) {
                    places.insert(name.clone(), at);
                    if let Some(member) = members.get_mut(at) {
                        member.1 = node;
                    }
                    duplicates.push(name);
                } else {
                    members.push((name, node));
                }
            }
            Node::Map(members)
        }
    })
}
