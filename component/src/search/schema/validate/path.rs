//! Where in the arguments a value is.

use serde_json::Value;

use super::wording::shown;
use crate::search::schema::edits::Step;

/// Where a value is; a list that lives on the stack.
pub(super) enum Path<'p> {
    Root,
    Key(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = self;
        loop {
            at = match at {
                Path::Root => break,
                Path::Key(parent, key) => {
                    steps.push(Step::Key((*key).to_owned()));
                    parent
                }
                Path::Item(parent, index) => {
                    steps.push(Step::Item(*index));
                    parent
                }
            };
        }
        steps.reverse();
        steps
    }

    pub(super) fn text(&self) -> String {
        let mut parts = Vec::new();
        let mut at = self;
        loop {
            match at {
                Path::Root => break,
                Path::Key(parent, key) => {
                    let plain =
                        key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
                    parts.push(if plain && !key.is_empty() {
                        format!(".{key}")
                    } else {
                        format!("[{}]", shown(&Value::from(*key)))
                    });
                    at = parent;
                }
                Path::Item(parent, index) => {
                    parts.push(format!("[{index}]"));
                    at = parent;
                }
            }
        }
        parts.reverse();
        let text = parts.concat();
        text.strip_prefix('.').map(str::to_owned).unwrap_or(text)
    }
}
