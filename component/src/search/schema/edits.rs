//! Repairs of arguments, made in the text that a model sent: whatever is not repaired keeps its
//! bytes, its digits and its place.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::parts::members;

/// A step from a value to one inside it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// A member of an object.
    Key(String),
    /// An item of a list.
    Item(usize),
}

/// What is done to a value's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edit {
    /// The member goes.
    Remove,
    /// Another value takes its place.
    Replace(&'static str),
    /// The JSON inside a string takes its place.
    Unquote,
    /// The number inside a string takes its place, written as an integer: `"1e3"` is 1000.
    Integer,
    /// It becomes a string.
    Quote,
    /// It becomes the one item of a list.
    Wrap,
}

/// Edits by their places.
#[derive(Default)]
struct Edits {
    here: Vec<Edit>,
    inside: BTreeMap<Step, Edits>,
}

/// The text of a value after `edits`, which come in the order in which they were decided. None when
/// one cannot be made, or comes after edits inside of its place.
pub(crate) fn edited(text: &str, edits: &[(Vec<Step>, Edit)]) -> Option<String> {
    let mut root = Edits::default();
    for (path, edit) in edits {
        let mut place = &mut root;
        for step in path {
            place = place.inside.entry(step.clone()).or_default();
        }
        if !place.inside.is_empty() {
            return None;
        }
        place.here.push(*edit);
    }
    root.apply(text)
}

/// The integer that a number with a point or an exponent is, where it is exact.
pub(crate) fn whole(text: &str) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let number: f64 = serde_json::from_str(text).ok()?;
    (text.contains(['.', 'e', 'E']) && number.fract() == 0.0 && number.abs() < EXACT)
        .then_some(number as i64)
}

impl Edits {
    /// As deep as the repairs are, which a validation bounds.
    fn apply(&self, text: &str) -> Option<String> {
        let mut text = text.to_owned();
        for edit in &self.here {
            text = match edit {
                Edit::Remove => return None,
                Edit::Replace(other) => (*other).to_owned(),
                Edit::Unquote => serde_json::from_str::<String>(&text).ok()?.trim().to_owned(),
                Edit::Integer => {
                    whole(serde_json::from_str::<String>(&text).ok()?.trim())?.to_string()
                }
                Edit::Quote => Value::from(text.trim()).to_string(),
                Edit::Wrap => format!("[{text}]"),
            };
        }
        if self.inside.is_empty() {
            return Some(text);
        }
        let mut parts = Vec::new();
        let (open, close) = if text.trim_start().starts_with('{') {
            for (name, value) in members(&text)? {
                let name = Step::Key(name);
                let value = match self.inside.get(&name) {
                    Some(edits) if edits.here.contains(&Edit::Remove) => continue,
                    Some(edits) => edits.apply(value)?,
                    None => value.to_owned(),
                };
                let Step::Key(name) = name else { continue };
                parts.push(format!("{}:{value}", Value::from(name)));
            }
            ('{', '}')
        } else {
            for (at, item) in serde_json::from_str::<Vec<&RawValue>>(&text).ok()?.iter().enumerate()
            {
                parts.push(match self.inside.get(&Step::Item(at)) {
                    Some(edits) => edits.apply(item.get())?,
                    None => item.get().to_owned(),
                });
            }
            ('[', ']')
        };
        Some(format!("{open}{}{close}", parts.join(",")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_edited_changes() {
        let text = r#"{"b": 12345678901234567890123, "a":"[1.50, \"2\"]","n":null,"s":7.10}"#;
        let key = |name: &str| Step::Key(name.to_owned());
        let edits = [
            (vec![key("n")], Edit::Remove),
            (vec![key("a")], Edit::Unquote),
            (vec![key("a"), Step::Item(1)], Edit::Unquote),
            (vec![key("s")], Edit::Quote),
        ];
        assert_eq!(
            edited(text, &edits).unwrap(),
            r#"{"b":12345678901234567890123,"a":[1.50,2],"s":"7.10"}"#
        );
        assert_eq!(edited(text, &[]).unwrap(), text);
        let wrapped = [(vec![key("s")], Edit::Wrap), (vec![key("s"), Step::Item(0)], Edit::Quote)];
        assert_eq!(edited(r#"{"s":7}"#, &wrapped).unwrap(), r#"{"s":["7"]}"#);
        let late = [(vec![key("s"), Step::Item(0)], Edit::Quote), (vec![key("s")], Edit::Quote)];
        assert_eq!(edited(r#"{"s":[7]}"#, &late), None);
    }
}
