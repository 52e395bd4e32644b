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

use serde_json::{Map, Number, Value};

use super::edits::{Edit, Step};
use super::strict::strict;

use crate::limits::{VALIDATE_MAX_DEPTH, VALIDATE_MAX_STEPS};
use crate::search::schema::read::{Reference, follow, parameters, types};
use crate::search::schema::signature::type_text;
use crate::search::text::clean;
use crate::search::text::fold::{distance_within, fold};

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
/// Characters of a value that are shown back.
const SHOWN_CHARS: usize = 80;
/// Characters of a schema's part that is shown exactly.
const SLICE_CHARS: usize = 600;
/// Characters of a pattern that is compiled, and bytes of a text that it is tried on.
const PATTERN_MAX_CHARS: usize = 1_000;
const PATTERN_TEXT_BYTES: usize = 64 * 1024;
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

/// Where a value is; a list that lives on the stack.
enum Path<'p> {
    Root,
    Key(&'p Path<'p>, &'p str),
    Item(&'p Path<'p>, usize),
}

impl Path<'_> {
    fn steps(&self) -> Vec<Step> {
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

    fn text(&self) -> String {
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
        Stop::Violation(Box::new(Violation {
            path: path.text(),
            constraint,
            expected: slice(self.root, schema),
            suggestion,
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
            self.repaired(path, shown(value), shown(&repaired), edit);
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
        let required: BTreeSet<&str> = required.iter().copied().collect();
        let nulls: Vec<String> = object
            .iter()
            .filter(|(name, value)| value.is_null() && !required.contains(name.as_str()))
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

    fn string(
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
    fn matches(&mut self, pattern: &str, text: &str) -> Result<Option<bool>, Stop> {
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

    fn number(
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
    fn bound(
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

/// A value's part of the schema: exact when short.
fn slice(root: &Value, schema: &Value) -> String {
    let text = schema.to_string();
    if text.chars().count() <= SLICE_CHARS {
        return text;
    }
    let is_root = std::ptr::eq(root, schema);
    if is_root || !parameters(schema).is_empty() {
        return crate::search::schema::signature::signature(schema, SLICE_CHARS).text;
    }
    type_text(root, schema, SLICE_CHARS)
}

/// The value as JSON, clipped.
fn shown(value: &Value) -> String {
    match value {
        // What cannot be shown whole need not be written whole.
        Value::String(text) if text.len() > SHOWN_CHARS * 4 => {
            let head: String = text.chars().take(SHOWN_CHARS - 8).collect();
            clean::one_line(&format!("{}…", Value::from(head)), SHOWN_CHARS)
        }
        Value::Array(items) if items.len() > SHOWN_CHARS => describe(value),
        Value::Object(map) if map.len() > SHOWN_CHARS => describe(value),
        _ => clean::one_line(&value.to_string(), SHOWN_CHARS),
    }
}

/// The value in words: its type, and itself when that is short.
fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("the boolean {value}"),
        Value::Number(_) => format!("the number {value}"),
        Value::String(_) => format!("the string {}", shown(value)),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(map) => format!("an object with {} properties", map.len()),
    }
}

fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SHOWN: usize = 20;
    let names: Vec<&str> = names.collect();
    let shown: Vec<String> =
        names.iter().take(SHOWN).map(|name| clean::one_line(name, 64)).collect();
    match names.len() {
        0 => "none".to_owned(),
        n if n > SHOWN => format!("{} and {} more", shown.join(", "), n - SHOWN),
        _ => shown.join(", "),
    }
}

/// The known key that `wanted` is probably a slip for.
fn nearest_key<'k>(wanted: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let wanted: String = wanted.chars().take(64).collect();
    let folded: Vec<char> = fold(&wanted).chars().collect();
    if folded.is_empty() {
        return None;
    }
    let limit = (folded.len() / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for key in known.take(500) {
        let other: Vec<char> = fold(key).chars().take(64).collect();
        if other.is_empty() {
            continue;
        }
        let distance = distance_within(&folded, &other, limit).or_else(|| {
            // `repo` for `repository`, `id` for `issue_id`.
            let longer = folded.len().max(other.len());
            let contained = folded.starts_with(&other)
                || other.starts_with(&folded)
                || folded.ends_with(&other)
                || other.ends_with(&folded);
            contained.then_some(100 + longer)
        });
        if let Some(distance) = distance
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, key));
        }
    }
    best.map(|(_, key)| key)
}

fn is_of(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("object", Value::Object(_))
        | ("array", Value::Array(_))
        | ("string", Value::String(_))
        | ("number", Value::Number(_))
        | ("boolean", Value::Bool(_))
        | ("null", Value::Null) => true,
        ("integer", Value::Number(number)) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|f| f.fract() == 0.0)
        }
        _ => false,
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

/// Values inside a value, itself included; counted up to `most`.
fn nodes(value: &Value, most: usize) -> usize {
    let mut pending = vec![value];
    let mut count = 0;
    while let Some(value) = pending.pop() {
        count += 1;
        if count >= most {
            break;
        }
        match value {
            Value::Array(items) => pending.extend(items.iter().take(most)),
            Value::Object(map) => pending.extend(map.values().take(most)),
            _ => {}
        }
    }
    count
}

/// Whether a number inside is longer than what it was read as can hold.
fn loses_digits(value: &Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let (mut any, mut pending) = (false, vec![value]);
    while let Some(value) = pending.pop() {
        match value {
            Value::Number(number) if number.is_f64() => {
                any |= number.as_f64().is_none_or(|f| f.abs() > EXACT);
            }
            Value::Array(items) => pending.extend(items),
            Value::Object(map) => pending.extend(map.values()),
            _ => {}
        }
    }
    any
}

/// `value` as one of `types`, when there is one way only to read it so, and how its text becomes it.
fn repaired(
    root: &Value,
    value: &Value,
    types: &[&str],
    schema: &Map<String, Value>,
) -> Option<(Value, Edit)> {
    let wants = |name: &str| types.contains(&name);
    match value {
        Value::String(text) => {
            let text = text.trim();
            if (wants("integer") || wants("number"))
                && let Some(number) = parse_number(text)
                && (wants("number") || is_of(&Value::Number(number.clone()), "integer"))
            {
                return Some((Value::Number(number), Edit::Unquote));
            }
            if wants("boolean") {
                if text.eq_ignore_ascii_case("true") {
                    return Some((Value::Bool(true), Edit::Replace("true")));
                }
                if text.eq_ignore_ascii_case("false") {
                    return Some((Value::Bool(false), Edit::Replace("false")));
                }
            }
            let opens = |c| text.starts_with(c);
            if (wants("array") && opens('[')) || (wants("object") && opens('{')) {
                strict(text).ok()?;
                return Some((serde_json::from_str(text).ok()?, Edit::Unquote));
            }
            // One item of a list, if it cannot be several.
            if wants("array") && !text.is_empty() && !text.contains([',', ';', '\n']) {
                return wrapped(root, value, schema);
            }
            let nothing_required = schema
                .get("required")
                .and_then(Value::as_array)
                .is_none_or(|required| required.is_empty());
            (wants("object") && text.is_empty() && nothing_required)
                .then(|| (Value::Object(Map::new()), Edit::Replace("{}")))
        }
        Value::Number(_) | Value::Bool(_) if wants("string") => {
            Some((Value::from(value.to_string()), Edit::Quote))
        }
        Value::Number(_) | Value::Bool(_) | Value::Object(_) if wants("array") => {
            wrapped(root, value, schema)
        }
        _ => None,
    }
}

/// A value as the one item of a list whose items are of its type.
fn wrapped(root: &Value, value: &Value, schema: &Map<String, Value>) -> Option<(Value, Edit)> {
    let mut items = schema.get("items")?;
    if let Some(reference) = items.get("$ref").and_then(Value::as_str)
        && let Reference::Local(target) = follow(root, reference)
    {
        items = target;
    }
    let fits = types(items)?.iter().any(|name| is_of(value, name));
    fits.then(|| (Value::Array(vec![value.clone()]), Edit::Wrap))
}

/// A number as JSON writes it, nothing else: no `1e999`, no `0x1`, no `1,000`.
fn parse_number(text: &str) -> Option<Number> {
    if text.is_empty() || text.len() > 40 {
        return None;
    }
    serde_json::from_str::<Number>(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn issue() -> Value {
        json!({
            "type": "object",
            "properties": {
                "owner": {"type": "string"},
                "repo": {"type": "string"},
                "number": {"type": "integer", "minimum": 1},
                "state": {"type": "string", "enum": ["open", "closed"]},
                "labels": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
                "draft": {"type": "boolean"},
                "filter": {"type": "object", "properties": {"since": {"type": "string"}}},
                "assignee": {"type": "string", "nullable": true},
            },
            "required": ["owner", "repo"],
            "additionalProperties": false,
        })
    }

    fn fails(arguments: Value) -> Violation {
        check(&issue(), arguments).unwrap_err().remove(0)
    }

    #[test]
    fn what_fits_passes_unchanged() {
        let arguments = json!({"owner": "o", "repo": "r", "number": 4, "assignee": null});
        let checked = check(&issue(), arguments.clone()).unwrap();
        assert_eq!(checked, Checked { arguments, coerced: vec![], edits: vec![], unchecked: None });
    }

    #[test]
    fn slips_are_repaired_and_reported() {
        let sent = json!({"owner": "o", "repo": 7, "number": "42", "draft": "True",
            "labels": "[\"a\"]", "filter": "", "state": null});
        let checked = check(&issue(), sent).unwrap();
        assert_eq!(
            checked.arguments,
            json!({"owner": "o", "repo": "7", "number": 42, "draft": true, "labels": ["a"], "filter": {}})
        );
        let paths: Vec<_> = checked.coerced.iter().map(|c| c.path.as_str()).collect();
        assert_eq!(paths, ["state", "draft", "filter", "labels", "number", "repo"]);
        assert_eq!(checked.coerced[4].from, "\"42\"");
        assert_eq!(checked.coerced[4].to, "42");
    }

    #[test]
    fn an_empty_text_does_not_become_an_object_that_would_lack_something() {
        let schema = json!({"properties": {"f": {"type": "object", "required": ["a"]}}});
        assert_eq!(check(&schema, json!({"f": ""})).unwrap_err()[0].path, "f");
        assert_eq!(check(&schema, json!({"f": {}})).unwrap_err()[0].path, "f");
    }

    #[test]
    fn a_violation_says_where_what_and_what_was_meant() {
        let missing = fails(json!({"owner": "o", "repository": "r"}));
        assert_eq!(missing.constraint, "is missing the required parameter repo");
        assert_eq!(missing.suggestion.as_deref(), Some("repo (you sent repository)"));
        assert_eq!(missing.expected, r#"{"type":"string"}"#);

        let unknown = fails(json!({"owner": "o", "repo": "r", "sate": "open"}));
        assert_eq!(unknown.path, "sate");
        assert_eq!(unknown.suggestion.as_deref(), Some("state"));

        let choice = fails(json!({"owner": "o", "repo": "r", "state": "Open"}));
        assert_eq!(choice.path, "state");
        assert_eq!(choice.suggestion.as_deref(), Some("\"open\""));

        let nested = fails(json!({"owner": "o", "repo": "r", "labels": ["a", {}]}));
        assert_eq!(nested.path, "labels[1]");
        assert_eq!(nested.constraint, "must be string, is an object with 0 properties");

        let bound = fails(json!({"owner": "o", "repo": "r", "number": 0}));
        assert_eq!(bound.constraint, "must be at least 1, is 0");
        let many = fails(json!({"owner": "o", "repo": "r", "labels": ["1", "2", "3", "4"]}));
        assert_eq!(many.constraint, "must have at most 3 items, has 4");
        assert_eq!(fails(json!([])).constraint, "must be object, is a list of 0");
    }

    #[test]
    fn numbers_are_repaired_only_when_there_is_no_doubt() {
        let schema = json!({"properties": {"n": {"type": "integer"}}});
        for (sent, wanted) in [("42", json!(42)), (" -7 ", json!(-7)), ("3.0", json!(3.0))] {
            assert_eq!(check(&schema, json!({"n": sent})).unwrap().arguments, json!({"n": wanted}));
        }
        for sent in ["", "4 2", "0x10", "1,000", "3.5", "NaN", "1e999", "١"] {
            assert!(check(&schema, json!({"n": sent})).is_err(), "{sent}");
        }
        let both = json!({"properties": {"n": {"type": ["string", "integer"]}}});
        let kept = check(&both, json!({"n": "42"})).unwrap();
        assert_eq!((kept.arguments, kept.coerced.len()), (json!({"n": "42"}), 0));
    }

    #[test]
    fn alternatives_are_tried_as_sent_before_they_are_repaired() {
        let schema =
            json!({"properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "string"}]}}});
        assert_eq!(check(&schema, json!({"id": "42"})).unwrap().coerced, []);
        assert_eq!(check(&schema, json!({"id": true})).unwrap().arguments, json!({"id": "true"}));
        let forms = check(&schema, json!({"id": []})).unwrap_err().remove(0);
        assert_eq!(forms.constraint, "fits none of the 2 allowed forms, is a list of 0");
        let deep = json!({"properties": {"by": {"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "a"}, "n": {"type": "array"}}, "required": ["n"]},
            {"type": "integer"}]}}});
        assert_eq!(check(&deep, json!({"by": {"n": {}}})).unwrap_err()[0].path, "by.n");
    }

    #[test]
    fn what_cannot_be_checked_passes_with_a_flag() {
        for (schema, arguments) in [
            (json!({"properties": {"a": {"$ref": "https://x.test/schema"}}}), json!({"a": 1})),
            (json!({"properties": {"a": {"$ref": "#/$defs/none"}}}), json!({"a": 1})),
            (json!({"properties": {"a": {"type": "uuid"}}}), json!({"a": 1})),
            (json!({"properties": {"a": {"type": 5}}}), json!({"a": 1})),
            (json!({"properties": {"a": {"pattern": "(?=x)y"}}}), json!({"a": "z"})),
            (json!({"properties": {"a": 7}}), json!({"a": 1})),
            (json!({"properties": []}), json!({"a": 1})),
            (json!({"not": {"required": ["a"]}}), json!({"a": 1})),
        ] {
            let checked = check(&schema, arguments.clone()).unwrap();
            assert_eq!(checked.arguments, arguments);
            assert!(checked.unchecked.is_some(), "{schema}");
        }
    }

    #[test]
    fn circles_and_explosions_end() {
        let circle = json!({"$ref": "#"});
        assert!(check(&circle, json!({})).unwrap().unchecked.is_some());
        let tree = json!({"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false});
        assert!(check(&tree, json!({"next": {"next": {"next": {}}}})).unwrap().unchecked.is_none());
        assert_eq!(check(&tree, json!({"next": {"next": 1}})).unwrap_err()[0].path, "next.next");
        let mut defs = Map::new();
        for n in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            defs.insert(format!("d{n}"), json!({"anyOf": [next, next, next]}));
        }
        defs.insert("d40".to_owned(), json!({"type": "string"}));
        let explosion = json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs});
        assert!(check(&explosion, json!({"a": 1})).unwrap().unchecked.is_some());
    }

    #[test]
    fn the_other_keywords_hold() {
        let fails =
            |schema: Value, sent: Value| check(&schema, sent).unwrap_err().remove(0).constraint;
        assert_eq!(
            fails(json!({"properties": {"a": {"multipleOf": 5}}}), json!({"a": 7})),
            "must be a multiple of 5, is 7"
        );
        assert_eq!(
            fails(json!({"properties": {"a": {"exclusiveMaximum": 5}}}), json!({"a": 5})),
            "must be less than 5, is 5"
        );
        assert_eq!(
            fails(
                json!({"properties": {"a": {"minimum": 5, "exclusiveMinimum": true}}}),
                json!({"a": 5})
            ),
            "must be more than 5, is 5"
        );
        assert_eq!(
            fails(json!({"properties": {"a": {"minLength": 2}}}), json!({"a": "é"})),
            "must have at least 2 characters, has 1"
        );
        assert_eq!(
            fails(json!({"properties": {"a": {"pattern": "^\\d+$"}}}), json!({"a": "x1"})),
            "must match the pattern \"^\\\\d+$\", is \"x1\""
        );
        assert_eq!(
            fails(json!({"properties": {"a": {"uniqueItems": true}}}), json!({"a": [1, 1]})),
            "repeats an earlier item, and all must differ"
        );
        assert_eq!(
            fails(
                json!({"properties": {"a": {"prefixItems": [{"type": "string"}, {"type": "integer"}]}}}),
                json!({"a": ["x", "y"]})
            ),
            "must be integer, is the string \"y\""
        );
        assert_eq!(
            fails(json!({"properties": {"a": {"items": [{"type": "null"}]}}}), json!({"a": [1]})),
            "must be null, is the number 1"
        );
        assert_eq!(
            fails(json!({"properties": {"a": {"const": 1}}}), json!({"a": 2})),
            "must be 1, is 2"
        );
        assert_eq!(
            fails(json!({"minProperties": 1}), json!({})),
            "must have at least 1 properties, has 0"
        );
        assert_eq!(
            fails(
                json!({"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": {"type": "integer"}}),
                json!({"x-a": "s", "b": "s"})
            ),
            "must be integer, is the string \"s\""
        );
        assert_eq!(
            fails(json!({"allOf": [{"required": ["a"]}]}), json!({})),
            "is missing the required parameter a"
        );
        assert!(
            check(&json!({"properties": {"a": {"enum": [1, null]}}}), json!({"a": 1.0})).is_ok()
        );
    }

    #[test]
    fn literal_objects_in_enums_are_not_touched() {
        let schema =
            json!({"properties": {"a": {"enum": [{"type": "string"}, {"nullable": true}]}}});
        assert!(check(&schema, json!({"a": {"nullable": true}})).is_ok());
        assert!(check(&schema, json!({"a": {"type": 5}})).is_err());
    }

    proptest! {
        #[test]
        fn no_schema_and_no_arguments_break_it(schema in wild(), arguments in wild()) {
            for violation in check(&schema, arguments).err().unwrap_or_default() {
                prop_assert!(violation.expected.chars().count() <= SLICE_CHARS);
                prop_assert!(!violation.constraint.is_empty());
            }
        }

        #[test]
        fn what_passed_passes_again_unrepaired(n in any::<i64>(), text in "[0-9]{1,5}|\\PC{0,6}") {
            let schema = json!({"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}});
            if let Ok(checked) = check(&schema, json!({"a": text, "b": n})) {
                let again = check(&schema, checked.arguments.clone()).unwrap();
                prop_assert_eq!(again.arguments, checked.arguments);
                prop_assert!(again.coerced.is_empty());
            }
        }
    }

    fn wild() -> impl Strategy<Value = Value> {
        let words = prop_oneof![
            Just("type"),
            Just("properties"),
            Just("required"),
            Just("items"),
            Just("anyOf"),
            Just("$ref"),
            Just("#"),
            Just("enum"),
            Just("a"),
            Just("string"),
            Just("pattern"),
            Just("additionalProperties"),
            Just("minimum"),
            Just("("),
            Just("object"),
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i8>().prop_map(Value::from),
            words.clone().prop_map(Value::from),
        ];
        leaf.prop_recursive(5, 40, 5, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                proptest::collection::btree_map(words.clone().prop_map(str::to_owned), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let sent = json!({"repository": "r", "number": "x", "labels": ["a", {}], "state": "ope"});
        let found = check(&issue(), sent).unwrap_err();
        let paths: Vec<&str> = found.iter().map(|violation| &*violation.path).collect();
        assert_eq!(paths, ["", "labels[1]", "number", "repository", "state"]);
        let misnamed = check(&issue(), json!({"owner": "o", "repository": "r"})).unwrap_err();
        assert_eq!(misnamed.len(), 1, "one slip is one violation: {misnamed:?}");
        let many: Vec<Value> = (0..20).map(|_| json!({})).collect();
        let schema = json!({"properties": {"a": {"type": "array", "items": {"type": "string"}}}});
        assert_eq!(check(&schema, json!({"a": many})).unwrap_err().len(), VIOLATIONS_MAX);
    }

    #[test]
    fn one_item_for_a_list_is_read_as_a_list_of_it_unless_it_may_be_several() {
        let labels = |sent: Value| {
            check(&issue(), json!({"owner": "o", "repo": "r", "labels": sent}))
                .map(|checked| checked.arguments["labels"].clone())
        };
        assert_eq!(labels(json!("bug")), Ok(json!(["bug"])));
        assert!(labels(json!("bug, ui")).is_err());
        assert!(labels(json!({"name": "bug"})).is_err());
        assert!(labels(json!(7)).is_err());
    }

    #[test]
    fn long_numbers_that_differ_are_not_taken_for_the_same() {
        let schema = json!({"properties": {"a": {"uniqueItems": true}}});
        let sent =
            serde_json::from_str(r#"{"a":[12345678901234567890123,12345678901234567890124]}"#);
        assert!(check(&schema, sent.unwrap()).unwrap().unchecked.is_some());
    }

    proptest! {
        #[test]
        fn the_edited_text_is_the_repaired_value(
            owner in "\\PC{0,8}", number in any::<i32>(), quoted in any::<bool>(), draft in any::<bool>(),
            label in "[a-z]{1,5}", filter in "|\\{\\}|\\{\"since\": 7\\}", null in any::<bool>(),
        ) {
            let number = if quoted { json!(number.to_string()) } else { json!(number) };
            let mut sent = json!({"repo": number, "owner": owner, "number": number,
                "draft": draft.to_string(), "labels": label, "filter": filter});
            if null {
                sent["state"] = Value::Null;
            }
            let mut schema = issue();
            schema["properties"]["number"] = json!({"type": "integer"});
            if let Ok(checked) = check(&schema, sent.clone()) {
                let text = crate::search::schema::edits::edited(&sent.to_string(), &checked.edits);
                let text = text.expect("each edit can be made");
                prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), checked.arguments);
            }
        }
    }
}
