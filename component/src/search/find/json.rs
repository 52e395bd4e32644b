//! What answers of several kinds have in common as JSON.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::search::text::screen::characters::{Class, classes};

/// A value as compact JSON, in which nothing is hidden: characters that cannot be seen, or that reorder
/// others, are escaped. What is read from it is the same.
pub(crate) fn json(value: &impl Serialize) -> String {
    // Strings, numbers and JSON that was checked: nothing that could fail.
    visible(serde_json::to_string(value).unwrap_or_default())
}

/// JSON text with what is hidden in its strings escaped.
pub(crate) fn visible(json: String) -> String {
    use std::fmt::Write as _;
    // Outside of strings there are only visible characters of ASCII and line breaks; in strings those are escaped already.
    let is_hidden = |c: char, class: Class| c >= '\u{7f}' && class != Class::Plain;
    if json.bytes().all(|byte| byte < 0x7f)
        || !classes(&json).any(|(_, c, class)| is_hidden(c, class))
    {
        return json;
    }
    let mut visible = String::with_capacity(json.len() + 64);
    for (_, c, class) in classes(&json) {
        if is_hidden(c, class) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(visible, "\\u{unit:04x}");
            }
        } else {
            visible.push(c);
        }
    }
    visible
}

pub(crate) fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A schema inside an answer: as it is, or as a text when it is no JSON.
pub(crate) struct SchemaJson<'a>(pub(crate) &'a str);

impl Serialize for SchemaJson<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(self.0) {
            Ok(raw) => raw.serialize(out),
            Err(_) => self.0.serialize(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn what_is_hidden_is_escaped_and_means_the_same() {
        let text = "a\u{200b}b \u{202e}c \u{e0041} é 日本 \u{7f} \u{85} 👍🏽";
        let json = json(&text);
        assert_eq!(json, r#""a\u200bb \u202ec \udb40\udc41 é 日本 \u007f \u0085 👍🏽""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
