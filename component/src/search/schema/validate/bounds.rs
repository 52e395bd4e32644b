//! Texts and numbers: their lengths, bounds and patterns.

use serde_json::{Map, Number, Value};

use super::path::Path;
use super::wording::shown;
use super::{Checker, Checking, Stop};

const PATTERN_MAX_CHARS: usize = 1_000;
const PATTERN_TEXT_BYTES: usize = 64 * 1024;

impl<'a> Checker<'a> {
    pub(super) fn string(
        &mut self,
        map: &Map<String, Value>,
        schema: &'a Value,
        text: &str,
        path: &Path<'_>,
    ) -> Checking {
        if map.contains_key("minLength") || map.contains_key("maxLength") {
            let count = text.chars().count();
            self.bound(map, schema, path, "minLength", "maxLength", count, "characters")?;
        }
        if let Some(pattern) = map.get("pattern").and_then(Value::as_str)
            && self.matches(pattern, text)? == Some(false)
        {
            let pattern = shown(&Value::from(pattern));
            let constraint =
                format!("must match the pattern {pattern}, is {}", shown(&Value::from(text)));
            return Err(self.violation(path, constraint, schema));
        }
        Ok(())
    }

    /// Whether a pattern of the schema matches; `None` when it cannot be told here.
    pub(super) fn matches(&mut self, pattern: &str, text: &str) -> Result<Option<bool>, Stop> {
        self.step(1 + pattern.len() / 8 + text.len() / 64)?;
        if pattern.chars().count() > PATTERN_MAX_CHARS || text.len() > PATTERN_TEXT_BYTES {
            self.open("a pattern or its text is too long to check");
            return Ok(None);
        }
        match regex_lite::RegexBuilder::new(pattern).size_limit(1 << 20).build() {
            Ok(regex) => Ok(Some(regex.is_match(text))),
            Err(_) => {
                self.open("a pattern is written for another regex engine");
                Ok(None)
            }
        }
    }

    pub(super) fn number(
        &mut self,
        map: &Map<String, Value>,
        schema: &'a Value,
        number: &Number,
        path: &Path<'_>,
    ) -> Checking {
        let Some(value) = number.as_f64() else { return Ok(()) };
        let limit = |key: &str| map.get(key).and_then(Value::as_f64);
        // Draft 4 made the bounds exclusive by a boolean beside them.
        let exclusive = |key: &str| map.get(key) == Some(&Value::Bool(true));
        type Bound = (&'static str, Option<f64>, fn(f64, f64) -> bool);
        let bounds: [Bound; 4] = [
            if exclusive("exclusiveMinimum") {
                ("more than", limit("minimum"), |v, l| v > l)
            } else {
                ("at least", limit("minimum"), |v, l| v >= l)
            },
            if exclusive("exclusiveMaximum") {
                ("less than", limit("maximum"), |v, l| v < l)
            } else {
                ("at most", limit("maximum"), |v, l| v <= l)
            },
            ("more than", limit("exclusiveMinimum"), |v, l| v > l),
            ("less than", limit("exclusiveMaximum"), |v, l| v < l),
        ];
        for (words, limit, holds) in bounds {
            if let Some(limit) = limit
                && !holds(value, limit)
            {
                let constraint = format!("must be {words} {limit}, is {number}");
                return Err(self.violation(path, constraint, schema));
            }
        }
        if let Some(step) = limit("multipleOf")
            && step > 0.0
        {
            let times = value / step;
            if (times - times.round()).abs() > 1e-9 * times.abs().max(1.0) {
                let constraint = format!("must be a multiple of {step}, is {number}");
                return Err(self.violation(path, constraint, schema));
            }
        }
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "one rule in three places, told apart by words")]
    pub(super) fn bound(
        &mut self,
        map: &Map<String, Value>,
        schema: &Value,
        path: &Path<'_>,
        least: &str,
        most: &str,
        count: usize,
        noun: &str,
    ) -> Checking {
        let limit = |key: &str| map.get(key).and_then(Value::as_f64);
        let has = count as f64;
        if let Some(limit) = limit(least)
            && has < limit
        {
            let constraint = format!("must have at least {limit} {noun}, has {count}");
            return Err(self.violation(path, constraint, schema));
        }
        if let Some(limit) = limit(most)
            && has > limit
        {
            let constraint = format!("must have at most {limit} {noun}, has {count}");
            return Err(self.violation(path, constraint, schema));
        }
        Ok(())
    }
}
