//! Text of a file as a value, in whichever notation its client writes.

use std::path::Path;

use serde_json::Value;

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, with comments and trailing commas allowed.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

impl Format {
    /// By the file's name; JSON when that says nothing.
    pub fn of(path: &Path) -> Format {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("toml") => Format::Toml,
            Some("yaml" | "yml") => Format::Yaml,
            _ => Format::Json,
        }
    }
}

pub(super) fn read_value(format: Format, text: &str) -> Result<Value, String> {
    match format {
        Format::Json => {
            serde_json::from_str(&strip_comments(text)).map_err(|error| error.to_string())
        }
        Format::Toml => toml::from_str(text).map_err(|error| error.to_string()),
        Format::Yaml => serde_saphyr::from_str(text).map_err(|error| error.to_string()),
    }
}

/// JSON without `//` and `/* */` comments and without commas before a closing bracket. Lengths stay,
/// so that a parser's line and column are those of the file.
pub fn strip_comments(text: &str) -> String {
    let mut out: Vec<u8> = text.trim_start_matches('\u{feff}').bytes().collect();
    let mut at = 0;
    let mut last_comma = None;
    while at < out.len() {
        match out[at] {
            b'"' => {
                last_comma = None;
                at += 1;
                while at < out.len() && out[at] != b'"' {
                    at += if out[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'/' if out.get(at + 1) == Some(&b'/') => {
                while at < out.len() && out[at] != b'\n' {
                    out[at] = b' ';
                    at += 1;
                }
            }
            b'/' if out.get(at + 1) == Some(&b'*') => {
                let end = out[at..]
                    .windows(2)
                    .skip(2)
                    .position(|pair| pair == b"*/")
                    .map_or(out.len(), |end| at + end + 4);
                for byte in &mut out[at..end] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
                at = end;
            }
            b',' => {
                last_comma = Some(at);
                at += 1;
            }
            b'}' | b']' => {
                if let Some(comma) = last_comma.take() {
                    out[comma] = b' ';
                }
                at += 1;
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    last_comma = None;
                }
                at += 1;
            }
        }
    }
    // Only ASCII was replaced, by ASCII; a comment cut in a character would be a mistake of ours.
    String::from_utf8(out)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
