//! Checks a call's arguments against the tool's schema, before anything runs.
//!
//! What models get wrong is checked: types, required parameters, names, `enum` and `const`, in `properties`, `items`, `allOf`, `anyOf`
//! and `oneOf`, through local references. The rest of JSON Schema is the server's to judge, and so is what cannot be followed: a call
//! must never fail because this code knows less than the tool's owner. A reference that leads out of the schema is never fetched.
//!
//! Slips that leave no doubt are repaired, and each repair is reported: `"42"` where only a number is allowed, `null` for a parameter
//! that may be left out, `"bug"` for a list of strings. Everything that is wrong is found at once, so that one answer is enough to mend
//! a call.

use serde_json::{Map, Value};

use self::repair::{chosen, is_of, nodes, repaired};
use self::wording::{describe, listed, nearest_key, path_text, shown, slice};
use super::edits::{Edit, Step};
use crate::limits::{VALIDATE_MAX_DEPTH, VALIDATE_MAX_STEPS};
use crate::search::schema::read::{Reference, follow, types};
use crate::search::text::clean;

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
        at: Vec::new(),
        violations: Vec::new(),
        coerced: Vec::new(),
        edits: Vec::new(),
        unchecked: None,
    };
    let checked = checker.value(root, &mut arguments, 0);
    if let Err(Stop::TooMuch) = checker.noted(checked) {
        checker.open("the schema or the arguments are too large to check");
    }
    let Checker { violations, coerced, edits, unchecked, .. } = checker;
    if violations.is_empty() {
        Ok(Checked { arguments, coerced, edits, unchecked })
    } else {
        Err(violations)
    }
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
    /// Where the value is that is looked at.
    at: Vec<Step>,
    violations: Vec<Violation>,
    coerced: Vec<Coercion>,
    edits: Vec<(Vec<Step>, Edit)>,
    unchecked: Option<String>,
}

impl<'a> Checker<'a> {
    fn open(&mut self, why: &str) {
        self.unchecked.get_or_insert_with(|| why.to_owned());
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

    fn repaired(&mut self, from: String, to: String, edit: Edit) {
        self.coerced.push(Coercion { path: path_text(&self.at), from, to });
        self.edits.push((self.at.clone(), edit));
    }

    fn step(&mut self, cost: usize) -> Checking {
        let cost = u32::try_from(cost).unwrap_or(u32::MAX);
        self.steps = self.steps.checked_sub(cost).ok_or(Stop::TooMuch)?;
        Ok(())
    }

    fn violation(&self, constraint: String, schema: &Value, suggestion: Option<String>) -> Stop {
        // Names of the schema stand in both as its author wrote them.
        let clean = |text: String| clean::one_line(&text, SENTENCE_CHARS);
        Stop::Violation(Box::new(Violation {
            path: path_text(&self.at),
            constraint: clean(constraint),
            expected: slice(self.root, schema),
            suggestion: suggestion.map(clean),
        }))
    }

    fn value(&mut self, schema: &'a Value, value: &mut Value, depth: u32) -> Checking {
        self.step(1)?;
        if depth > VALIDATE_MAX_DEPTH {
            return Err(Stop::TooMuch);
        }
        let map = match schema {
            Value::Bool(false) => {
                return Err(self.violation("nothing is allowed here".to_owned(), schema, None));
            }
            Value::Object(map) => map,
            _ => return Ok(()),
        };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            match follow(self.root, reference) {
                Reference::Local(target) => self.value(target, value, depth + 1)?,
                Reference::Missing => self.open("a reference in the schema leads nowhere"),
                Reference::External => self.open("the schema refers to another document"),
            }
        }
        self.type_of(map, schema, value)?;
        self.choice(map, schema, value)?;
        match value {
            Value::Object(object) => self.object(map, schema, object, depth)?,
            Value::Array(items) => {
                let rest = map.get("items").filter(|_| !map.contains_key("prefixItems"));
                for (at, item) in items.iter_mut().enumerate() {
                    let Some(rest) = rest else { break };
                    self.at.push(Step::Item(at));
                    let checked = self.value(rest, item, depth + 1);
                    let checked = self.noted(checked);
                    self.at.pop();
                    checked?;
                }
            }
            _ => {}
        }
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let checked = self.value(part, value, depth + 1);
            self.noted(checked)?;
        }
        for key in ["anyOf", "oneOf"] {
            let Some(branches) = map.get(key).and_then(Value::as_array) else { continue };
            if self.at.is_empty() && !branches.iter().all(is_simple) {
                self.open("the schema has forms that are checked by the tool only");
            } else if !branches.is_empty() {
                self.any(branches, schema, value, depth)?;
            }
        }
        Ok(())
    }

    fn type_of(&mut self, map: &Map<String, Value>, schema: &Value, value: &mut Value) -> Checking {
        const KNOWN: [&str; 7] =
            ["object", "array", "string", "number", "integer", "boolean", "null"];
        let Some(types) = types(schema) else { return Ok(()) };
        if types.iter().any(|name| !KNOWN.contains(name)) {
            self.open("the schema names an unknown type");
            return Ok(());
        }
        // An enum or const may allow null without its type saying so.
        if types.iter().any(|name| is_of(value, name))
            || value.is_null() && allows_literally(map, value)
        {
            return Ok(());
        }
        let found = if self.repair { repaired(self.root, value, &types, map) } else { None };
        match found {
            Some(found) => self.replace(value, found),
            None => {
                let wanted = types.join(" or ");
                let constraint = format!("must be {wanted}, is {}", describe(value));
                Err(self.violation(constraint, schema, None))
            }
        }
    }

    /// Puts a repaired value in the place of another.
    fn replace(&mut self, value: &mut Value, (repaired, edit): (Value, Edit)) -> Checking {
        self.step(1 + nodes(&repaired))?;
        // A number keeps the digits that were sent.
        let to = match (value.as_str(), edit) {
            (Some(text), Edit::Unquote) if repaired.is_number() => text.trim().to_owned(),
            _ => shown(&repaired),
        };
        self.repaired(shown(value), to, edit);
        *value = repaired;
        Ok(())
    }

    fn choice(&mut self, map: &Map<String, Value>, schema: &Value, value: &mut Value) -> Checking {
        let constant = map.get("const").map(std::slice::from_ref);
        let several = map.get("enum").and_then(Value::as_array).map(Vec::as_slice);
        for values in constant.into_iter().chain(several) {
            self.step(values.len())?;
            let null_allowed = value.is_null() && map.get("nullable") == Some(&Value::Bool(true));
            if null_allowed || values.iter().any(|allowed| equal(allowed, value)) {
                continue;
            }
            if let Some(found) = chosen(values, value).filter(|_| self.repair) {
                self.replace(value, found)?;
                continue;
            }
            let known = || values.iter().filter_map(Value::as_str);
            let near = value.as_str().and_then(|text| nearest_key(text, known()));
            let constraint = match values {
                [only] => format!("must be {}, is {}", shown(only), shown(value)),
                _ => format!("must be one of the allowed values, is {}", shown(value)),
            };
            let near = near.filter(|_| values.len() > 1).map(|near| shown(&Value::from(near)));
            return Err(self.violation(constraint, schema, near));
        }
        Ok(())
    }

    fn object(
        &mut self,
        map: &'a Map<String, Value>,
        schema: &Value,
        object: &mut Map<String, Value>,
        depth: u32,
    ) -> Checking {
        let properties = map.get("properties").and_then(Value::as_object);
        let property = |name: &str| properties.and_then(|known| known.get(name));
        let required = required(schema);
        self.step(object.len() + required.len())?;
        let missing: Vec<&str> =
            required.iter().copied().filter(|name| !object.contains_key(*name)).collect();
        // A parameter under a name of the model's own is the likeliest cause.
        let misnamed = missing.first().and_then(|first| {
            let unknown = object.keys().filter(|name| property(name).is_none());
            nearest_key(first, unknown.map(String::as_str)).map(str::to_owned)
        });
        if let Some(first) = missing.first() {
            let sent = misnamed.as_deref().map(|sent| clean::one_line(sent, 64));
            let suggestion = sent.map(|sent| format!("{first} (you sent {sent})"));
            let shown = property(first).filter(|_| missing.len() == 1).unwrap_or(schema);
            let s = if missing.len() == 1 { "" } else { "s" };
            let names = listed(missing.iter().copied());
            let constraint = format!("is missing the required parameter{s} {names}");
            let stop = self.violation(constraint, shown, suggestion);
            self.noted(Err(stop))?;
        }
        let additional =
            map.get("additionalProperties").filter(|_| !map.contains_key("patternProperties"));
        let mut nulls = Vec::new();
        for (name, inner) in object.iter_mut() {
            self.at.push(Step::Key(name.clone()));
            let checked = match (property(name), additional) {
                // Models send `null` for what they mean to leave out.
                (Some(known), _)
                    if self.repair
                        && inner.is_null()
                        && !required.contains(&&**name)
                        && !may_be_null(known) =>
                {
                    nulls.push(name.clone());
                    self.repaired("null".to_owned(), "nothing".to_owned(), Edit::Remove);
                    Ok(())
                }
                (Some(known), _) => self.value(known, inner, depth + 1),
                (None, None) => Ok(()),
                _ if misnamed.as_ref() == Some(name) => Ok(()),
                (None, Some(Value::Bool(false))) => self.unknown(name, properties),
                (None, Some(any)) => self.value(any, inner, depth + 1),
            };
            let checked = self.noted(checked);
            self.at.pop();
            checked?;
        }
        object.retain(|name, _| !nulls.contains(name));
        Ok(())
    }

    /// A parameter that the tool does not have.
    fn unknown(&self, name: &str, properties: Option<&Map<String, Value>>) -> Checking {
        if self.violations.len() >= VIOLATIONS_MAX {
            return Ok(());
        }
        let known = || properties.into_iter().flat_map(Map::keys).map(String::as_str);
        let near = nearest_key(name, known());
        let shown = near.and_then(|near| properties?.get(near)).unwrap_or(&Value::Bool(false));
        let constraint = format!("is not a parameter; the parameters are {}", listed(known()));
        Err(self.violation(constraint, shown, near.map(str::to_owned)))
    }

    /// One of the branches must hold; first as the value is, then with repairs.
    fn any(
        &mut self,
        branches: &'a [Value],
        schema: &Value,
        value: &mut Value,
        depth: u32,
    ) -> Checking {
        let (repair, collect) = (self.repair, std::mem::replace(&mut self.collect, false));
        let mut closest: Option<Box<Violation>> = None;
        let mut ended = None;
        for number in 0..branches.len() * if repair { 2 } else { 1 } {
            self.repair = number >= branches.len();
            let (coerced, unchecked) = (self.coerced.len(), self.unchecked.clone());
            let mut copy = value.clone();
            let branch = &branches[number % branches.len()];
            let checked = self.step(nodes(value));
            match checked.and_then(|()| self.value(branch, &mut copy, depth + 1)) {
                Ok(()) => {
                    *value = copy;
                    ended = Some(Ok(()));
                }
                Err(Stop::TooMuch) => ended = Some(Err(Stop::TooMuch)),
                Err(Stop::Violation(violation)) => {
                    self.coerced.truncate(coerced);
                    self.edits.truncate(coerced);
                    self.unchecked = unchecked;
                    // A branch that failed deeper inside is likelier to be the one meant.
                    let far = violation.path.len();
                    if closest.as_ref().is_none_or(|best| far > best.path.len()) {
                        closest = Some(violation);
                    }
                }
            }
            if ended.is_some() {
                break;
            }
        }
        (self.repair, self.collect) = (repair, collect);
        if let Some(ended) = ended {
            return ended;
        }
        let here = path_text(&self.at);
        match closest {
            Some(violation) if violation.path != here || branches.len() == 1 => {
                Err(Stop::Violation(violation))
            }
            _ => {
                let needs: Vec<String> =
                    branches.iter().map(|branch| required(branch).join(" and ")).collect();
                let constraint = match value.is_object() && needs.iter().all(|one| !one.is_empty())
                {
                    true => format!("needs {}", needs.join(", or ")),
                    false => {
                        let (forms, is) = (branches.len(), describe(value));
                        format!("fits none of the {forms} allowed forms, is {is}")
                    }
                };
                Err(self.violation(constraint, schema, None))
            }
        }
    }
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether a form of all arguments says only what must be there.
fn is_simple(branch: &Value) -> bool {
    let known = ["required", "properties", "type", "title", "description", "additionalProperties"];
    branch.as_object().is_some_and(|map| map.keys().all(|key| known.contains(&key.as_str())))
}

/// Whether null may be allowed; yes when that is not plain to see.
fn may_be_null(schema: &Value) -> bool {
    ["$ref", "anyOf", "oneOf", "allOf"].iter().any(|key| schema.get(key).is_some())
        || schema.as_object().is_some_and(|map| allows_literally(map, &Value::Null))
        || types(schema).is_none_or(|types| types.contains(&"null"))
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
