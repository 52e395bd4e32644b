//! Checks a call's arguments against the tool's schema, before anything runs.
//!
//! The subset of JSON Schema that tools use: `type` (and OpenAPI's `nullable`), `properties`,
//! `required`, `additionalProperties`, `patternProperties`, `enum`, `const`, `items`,
//! `prefixItems`, `anyOf`, `oneOf`, `allOf`, lengths, counts, bounds, `multipleOf`,
//! `uniqueItems`, `pattern` and local `$ref`. What is outside of it lets the call pass and is
//! reported as unchecked: the tool's owner checks again, and a call must never fail because this
//! code knows less than they do. For the same reason `oneOf` is held to at least one, not exactly
//! one. A reference that leads out of the schema is never fetched.
//!
//! Slips that leave no doubt are repaired, and each repair is reported: `"42"` where only a number
//! is allowed, `null` for a parameter that may be left out, `"bug"` for a list of strings. Everything
//! that is wrong is found at once, so that one answer is enough to mend a call.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use self::path::Path;
use self::repair::{is_of, loses_digits, nodes, repaired};
use self::wording::{describe, listed, nearest_key, shown, slice};
use super::edits::{Edit, Step};
use crate::limits::{VALIDATE_MAX_DEPTH, VALIDATE_MAX_STEPS};
use crate::search::schema::read::{Reference, follow, types};
use crate::search::text::clean;
use crate::sort::sort;

mod bounds;
mod path;
mod repair;
mod wording;

/// Arguments that may be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The arguments, repaired.
    pub arguments: Value,
    /// Every repair, in the order made.
    pub coerced: Vec<Coercion>,
    /// The same repairs as edits of the text that was sent.
    pub(crate) edits: Vec<(Vec<Step>, Edit)>,
    /// What could not be checked, if anything; the call may be sent all the same.
    pub unchecked: Option<String>,
}

/// A repair of a slip that leaves no doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coercion {
    /// Where, as in `labels[0].name`.
    pub path: String,
    /// What was sent, as JSON, clipped.
    pub from: String,
    /// What it was read as, as JSON, clipped; `nothing` when it was left out.
    pub to: String,
}

/// Why arguments may not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where, as in `labels[0].name`; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong, in one sentence without a full stop.
    pub constraint: String,
    /// The part of the schema that decides: exact JSON when that is short, otherwise the type in
    /// the words of a signature.
    pub expected: String,
    /// A property that was probably meant.
    pub suggestion: Option<String>,
}

/// Violations that are told of at once.
pub const VIOLATIONS_MAX: usize = 8;

/// Characters of a violation's sentence.
const SENTENCE_CHARS: usize = 2_000;

/// Items that are compared for `uniqueItems`.
const UNIQUE_MAX_ITEMS: usize = 10_000;

/// Checks `arguments` against `root`, repairing what is safe to repair.
///
/// # Errors
/// Every [`Violation`] found, [`VIOLATIONS_MAX`] at most, in the order: type, required, properties
/// by name, the rest.
pub fn check(root: &Value, mut arguments: Value) -> Result<Checked, Vec<Violation>> {
    let mut checker = Checker {
        root,
        steps: VALIDATE_MAX_STEPS,
        repair: true,
        collect: true,
        violations: Vec::new(),
        coerced: Vec::new(),
        edits: Vec::new(),
        unchecked: None,
    };
    let checked = checker.value(root, &mut arguments, &Path::Root, 0);
    if let Err(Stop::TooMuch) = checker.noted(checked) {
        checker.open("the schema or the arguments are too large to check");
    }
    if !checker.violations.is_empty() {
        return Err(checker.violations);
    }
    let Checker { coerced, edits, unchecked, .. } = checker;
    Ok(Checked { arguments, coerced, edits, unchecked })
}

enum Stop {
    Violation(Box<Violation>),
    TooMuch,
}

type Checking = Result<(), Stop>;

struct Checker<'a> {
    root: &'a Value,
    steps: u32,
    repair: bool,
    /// Whether what is wrong is noted and the rest looked at; not while forms are tried.
    collect: bool,
    violations: Vec<Violation>,
    coerced: Vec<Coercion>,
    edits: Vec<(Vec<Step>, Edit)>,
    unchecked: Option<String>,
}

impl<'a> Checker<'a> {
    fn open(&mut self, why: &str) {
        if self.unchecked.is_none() {
            self.unchecked = Some(why.to_owned());
        }
    }

    /// Goes on after a violation where all are wanted.
    fn noted(&mut self, checked: Checking) -> Checking {
        match checked {
            Err(Stop::Violation(violation)) if self.collect => {
                if self.violations.len() < VIOLATIONS_MAX {
                    self.violations.push(*violation);
                }
                Ok(())
            }
            other => other,
        }
    }

    fn repaired(&mut self, path: &Path<'_>, from: String, to: String, edit: Edit) {
        self.coerced.push(Coercion { path: path.text(), from, to });
        self.edits.push((path.steps(), edit));
    }

    fn step(&mut self, cost: usize) -> Checking {
        let cost = u32::try_from(cost).unwrap_or(u32::MAX);
        self.steps = self.steps.checked_sub(cost).ok_or(Stop::TooMuch)?;
        Ok(())
    }

    fn violation(&self, path: &Path<'_>, constraint: String, schema: &Value) -> Stop {
        self.violation_with(path, constraint, schema, None)
    }

    fn violation_with(
        &self,
        path: &Path<'_>,
        constraint: String,
        schema: &Value,
        suggestion: Option<String>,
    ) -> Stop {
        // Names of the schema stand in both as its author wrote them.
        let clean = |text: String| clean::one_line(&text, SENTENCE_CHARS);
        Stop::Violation(Box::new(Violation {
            path: path.text(),
            constraint: clean(constraint),
            expected: slice(self.root, schema),
            suggestion: suggestion.map(clean),
        }))
    }

    fn value(
        &mut self,
        schema: &'a Value,
        value: &mut Value,
        path: &Path<'_>,
        depth: u32,
    ) -> Checking {
        self.step(1)?;
        if depth > VALIDATE_MAX_DEPTH {
            return Err(Stop::TooMuch);
        }
        let map = match schema {
            Value::Bool(true) | Value::Null => return Ok(()),
            Value::Bool(false) => {
                return Err(self.violation(path, "nothing is allowed here".to_owned(), schema));
            }
            Value::Object(map) => map,
            _ => {
                self.open("part of the schema is malformed");
                return Ok(());
            }
        };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            match follow(self.root, reference) {
                Reference::Local(target) => self.value(target, value, path, depth + 1)?,
                Reference::Missing => self.open("a reference in the schema leads nowhere"),
                Reference::External => self.open("the schema refers to another document"),
            }
        }
        self.type_of(map, schema, value, path)?;
        self.choice(map, schema, value, path)?;
        match value {
            Value::Object(_) => self.object(map, schema, value, path, depth)?,
            Value::Array(items) => self.array(map, schema, items, path, depth)?,
            Value::String(text) => self.string(map, schema, text, path)?,
            Value::Number(number) => self.number(map, schema, number, path)?,
            Value::Null | Value::Bool(_) => {}
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            match map.get(key) {
                None => {}
                Some(Value::Array(parts)) if key == "allOf" => {
                    for part in parts {
                        let checked = self.value(part, value, path, depth + 1);
                        self.noted(checked)?;
                    }
                }
                Some(Value::Array(branches)) => self.any(branches, schema, value, path, depth)?,
                Some(_) => self.open("part of the schema is malformed"),
            }
        }
        for key in ["not", "if", "dependentSchemas", "dependencies", "contains", "$dynamicRef"] {
            if map.contains_key(key) {
                self.open("the schema has conditions that are checked by the tool only");
            }
        }
        Ok(())
    }

    fn type_of(
        &mut self,
        map: &Map<String, Value>,
        schema: &'a Value,
        value: &mut Value,
        path: &Path<'_>,
    ) -> Checking {
        let Some(types) = types(schema) else {
            if map.contains_key("type") {
                self.open("part of the schema is malformed");
            }
            return Ok(());
        };
        const KNOWN: [&str; 7] =
            ["object", "array", "string", "number", "integer", "boolean", "null"];
        if types.iter().any(|name| !KNOWN.contains(name)) {
            self.open("the schema names an unknown type");
            return Ok(());
        }
        if types.iter().any(|name| is_of(value, name)) {
            return Ok(());
        }
        // An enum or const may allow null without its type saying so.
        if value.is_null() && allows_literally(map, value) {
            return Ok(());
        }
        if self.repair
            && let Some((repaired, edit)) = repaired(self.root, value, &types, map)
        {
            self.step(1 + nodes(&repaired, 10_000))?;
            // A number keeps the digits that were sent.
            let to = match (value.as_str(), edit) {
                (Some(text), Edit::Unquote) if repaired.is_number() => text.trim().to_owned(),
                _ => shown(&repaired),
            };
            self.repaired(path, shown(value), to, edit);
            *value = repaired;
            return Ok(());
        }
        let wanted = types.join(" or ");
        let constraint = format!("must be {wanted}, is {}", describe(value));
        Err(self.violation(path, constraint, schema))
    }

    fn choice(
        &mut self,
        map: &Map<String, Value>,
        schema: &'a Value,
        value: &Value,
        path: &Path<'_>,
    ) -> Checking {
        if let Some(wanted) = map.get("const")
            && !equal(wanted, value)
        {
            let constraint = format!("must be {}, is {}", shown(wanted), shown(value));
            return Err(self.violation(path, constraint, schema));
        }
        let Some(values) = map.get("enum") else { return Ok(()) };
        let Value::Array(values) = values else {
            self.open("part of the schema is malformed");
            return Ok(());
        };
        self.step(values.len())?;
        let null_allowed = value.is_null() && map.get("nullable") == Some(&Value::Bool(true));
        if null_allowed || values.iter().any(|allowed| equal(allowed, value)) {
            return Ok(());
        }
        let near = value.as_str().and_then(|text| {
            let known: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            nearest_key(text, known.into_iter())
        });
        let constraint = format!("must be one of the allowed values, is {}", shown(value));
        Err(self.violation_with(
            path,
            constraint,
            schema,
            near.map(|near| shown(&Value::from(near))),
        ))
    }

    fn object(
        &mut self,
        map: &'a Map<String, Value>,
        schema: &'a Value,
        value: &mut Value,
        path: &Path<'_>,
        depth: u32,
    ) -> Checking {
        let Value::Object(object) = value else { return Ok(()) };
        self.step(object.len())?;
        let empty = Map::new();
        let properties = match map.get("properties") {
            Some(Value::Object(properties)) => Some(properties),
            None => None,
            Some(_) => {
                self.open("part of the schema is malformed");
                None
            }
        };
        let required: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        self.step(required.len())?;
        let missing: Vec<&str> =
            required.iter().copied().filter(|name| !object.contains_key(*name)).collect();
        // A parameter under a name of the model's own is the likeliest cause.
        let misnamed = missing.first().and_then(|first| {
            let mut unknown = object.keys().map(String::as_str);
            let unknown = unknown.by_ref();
            let strange = |name: &&str| properties.is_none_or(|known| !known.contains_key(*name));
            nearest_key(first, unknown.filter(strange)).map(str::to_owned)
        });
        if let Some(first) = missing.first() {
            let stop = self.missing(&missing, first, misnamed.as_deref(), properties, schema, path);
            self.noted(Err(stop))?;
        }
        if self.repair {
            self.leave_out_nulls(&required, properties, object, path);
        }
        let patterns: Vec<(&String, &'a Value)> =
            map.get("patternProperties").and_then(Value::as_object).into_iter().flatten().collect();
        let additional = map.get("additionalProperties");
        let names: Vec<String> = object.keys().cloned().collect();
        for name in &names {
            let Some(inner) = object.get_mut(name) else { continue };
            let path = Path::Key(path, name);
            let mut known = false;
            if let Some(property) = properties.and_then(|properties| properties.get(name)) {
                known = true;
                let checked = self.value(property, inner, &path, depth + 1);
                self.noted(checked)?;
            }
            for (pattern, property) in &patterns {
                match self.matches(pattern, name)? {
                    Some(true) => {
                        known = true;
                        let checked = self.value(property, inner, &path, depth + 1);
                        self.noted(checked)?;
                    }
                    Some(false) => {}
                    None => known = true,
                }
            }
            match additional {
                None | Some(Value::Bool(true)) => {}
                _ if known || misnamed.as_ref() == Some(name) => {}
                // Of so many no more are told: what was meant by them need not be found out.
                Some(Value::Bool(false)) if self.violations.len() >= VIOLATIONS_MAX => {}
                Some(Value::Bool(false)) => {
                    let known = properties.unwrap_or(&empty);
                    let near = nearest_key(name, known.keys().map(String::as_str));
                    let list = listed(known.keys().map(String::as_str));
                    let constraint = format!("is not a parameter; the parameters are {list}");
                    let shown =
                        near.and_then(|near| known.get(near)).unwrap_or(&Value::Bool(false));
                    let near = near.map(str::to_owned);
                    let stop = self.violation_with(&path, constraint, shown, near);
                    self.noted(Err(stop))?;
                }
                Some(inner_schema) => {
                    let checked = self.value(inner_schema, inner, &path, depth + 1);
                    self.noted(checked)?;
                }
            }
        }
        let count = object.len();
        self.bound(map, schema, path, "minProperties", "maxProperties", count, "properties")
    }

    fn missing(
        &self,
        missing: &[&str],
        first: &str,
        misnamed: Option<&str>,
        properties: Option<&Map<String, Value>>,
        schema: &Value,
        path: &Path<'_>,
    ) -> Stop {
        let suggestion =
            misnamed.map(|sent| format!("{first} (you sent {})", clean::one_line(sent, 64)));
        let shown = match properties.and_then(|known| known.get(first)) {
            Some(property) if missing.len() == 1 => property,
            _ => schema,
        };
        let constraint = match missing {
            [one] => format!("is missing the required parameter {one}"),
            many => format!("is missing the required parameters {}", listed(many.iter().copied())),
        };
        self.violation_with(path, constraint, shown, suggestion)
    }

    /// Models send `null` for what they mean to leave out.
    fn leave_out_nulls(
        &mut self,
        required: &[&str],
        properties: Option<&'a Map<String, Value>>,
        object: &mut Map<String, Value>,
        path: &Path<'_>,
    ) {
        let mut required = required.to_vec();
        sort(&mut required);
        let nulls: Vec<String> = object
            .iter()
            .filter(|(name, value)| {
                value.is_null() && required.binary_search(&name.as_str()).is_err()
            })
            .filter(|(name, _)| {
                properties
                    .and_then(|known| known.get(name.as_str()))
                    .is_some_and(|property| !self.may_be_null(property))
            })
            .map(|(name, _)| name.clone())
            .collect();
        for name in nulls {
            object.remove(&name);
            let path = Path::Key(path, &name);
            self.repaired(&path, "null".to_owned(), "nothing".to_owned(), Edit::Remove);
        }
    }

    /// Whether null may be allowed; yes when that is not plain to see.
    fn may_be_null(&self, schema: &Value) -> bool {
        let plain = ["$ref", "anyOf", "oneOf", "allOf"].iter().all(|key| schema.get(key).is_none());
        let literally = schema.as_object().is_some_and(|map| allows_literally(map, &Value::Null));
        !plain || literally || types(schema).is_none_or(|types| types.contains(&"null"))
    }

    fn array(
        &mut self,
        map: &'a Map<String, Value>,
        schema: &'a Value,
        items: &mut [Value],
        path: &Path<'_>,
        depth: u32,
    ) -> Checking {
        self.step(items.len())?;
        // Before 2020-12 a list of schemas stood in `items`, and the rest in `additionalItems`.
        let (first, rest) = match (map.get("prefixItems"), map.get("items")) {
            (Some(Value::Array(first)), rest) => (first.as_slice(), rest),
            (_, Some(Value::Array(first))) => (first.as_slice(), map.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        for (index, item) in items.iter_mut().enumerate() {
            let path = Path::Item(path, index);
            if let Some(item_schema) = first.get(index).or(rest) {
                let checked = self.value(item_schema, item, &path, depth + 1);
                self.noted(checked)?;
            }
        }
        self.bound(map, schema, path, "minItems", "maxItems", items.len(), "items")?;
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            if items.len() > UNIQUE_MAX_ITEMS {
                self.open("a list is too long to check that its items differ");
                return Ok(());
            }
            let mut seen = BTreeSet::new();
            for (index, item) in items.iter().enumerate() {
                if !seen.insert(item.to_string()) {
                    if loses_digits(item) {
                        self.open("numbers of so many digits are not compared");
                        break;
                    }
                    let constraint = "repeats an earlier item, and all must differ".to_owned();
                    return Err(self.violation(&Path::Item(path, index), constraint, schema));
                }
            }
        }
        Ok(())
    }

    /// One of the branches must hold; first as the value is, then with repairs.
    fn any(
        &mut self,
        branches: &'a [Value],
        schema: &'a Value,
        value: &mut Value,
        path: &Path<'_>,
        depth: u32,
    ) -> Checking {
        if branches.is_empty() {
            self.open("part of the schema is malformed");
            return Ok(());
        }
        let repair = std::mem::replace(&mut self.repair, false);
        let collect = std::mem::replace(&mut self.collect, false);
        let found = self.one_of(branches, schema, value, path, depth, repair);
        (self.repair, self.collect) = (repair, collect);
        found
    }

    fn one_of(
        &mut self,
        branches: &'a [Value],
        schema: &'a Value,
        value: &mut Value,
        path: &Path<'_>,
        depth: u32,
        repair: bool,
    ) -> Checking {
        let mut closest: Option<(usize, Box<Violation>)> = None;
        for branch in branches {
            let unchecked = self.unchecked.clone();
            match self.value(branch, value, path, depth + 1) {
                Ok(()) => return Ok(()),
                Err(Stop::TooMuch) => return Err(Stop::TooMuch),
                Err(Stop::Violation(violation)) => {
                    self.unchecked = unchecked;
                    // A branch that failed deeper inside is likelier to be the one meant.
                    let progress = violation.path.len();
                    if closest.as_ref().is_none_or(|(best, _)| progress > *best) {
                        closest = Some((progress, violation));
                    }
                }
            }
        }
        if repair {
            self.repair = true;
            for branch in branches {
                self.step(nodes(value, 10_000))?;
                let mut copy = value.clone();
                let (coerced, unchecked) = (self.coerced.len(), self.unchecked.clone());
                match self.value(branch, &mut copy, path, depth + 1) {
                    Ok(()) => {
                        *value = copy;
                        return Ok(());
                    }
                    Err(Stop::TooMuch) => return Err(Stop::TooMuch),
                    Err(Stop::Violation(_)) => {
                        self.coerced.truncate(coerced);
                        self.edits.truncate(coerced);
                        self.unchecked = unchecked;
                    }
                }
            }
        }
        let here = path.text();
        match closest {
            Some((_, violation)) if violation.path != here || branches.len() == 1 => {
                Err(Stop::Violation(violation))
            }
            // The branches' own sentence when there is one type to say; else all of them.
            _ => {
                let constraint = format!(
                    "fits none of the {} allowed forms, is {}",
                    branches.len(),
                    describe(value)
                );
                Err(self.violation(path, constraint, schema))
            }
        }
    }
}

fn allows_literally(map: &Map<String, Value>, value: &Value) -> bool {
    map.get("const") == Some(value)
        || map.get("enum").and_then(Value::as_array).is_some_and(|values| values.contains(value))
}

/// Equality as JSON Schema has it: 1 and 1.0 are one number.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests;
