//! Functions that jq defines in its own language, here native: they are in most programs, and each
//! would take many calls for one value.

use jaq_core::box_iter::box_once;
use jaq_core::native::{self, Fun, bome, v};
use jaq_core::path::Opt;
use jaq_core::{Bind, Error, Exn, Native, RunPtr, ValT as _, ValX, ValXs};
use jaq_json::{Map, Rc, Val};

use super::scalars::{string, weighed};
use crate::fetch::query::budget::{Budget, Kit, Limit};
use crate::fetch::query::costs::{
    Framed, MAX_MEMBERS, MAX_PATH, MAX_STRING, in_frame, plus, stop, stopped,
};
use crate::fetch::query::value;

/// Definitions that are left out as they are native here.
pub(super) const NATIVE: [(&str, usize); 14] = [
    ("true", 0),
    ("false", 0),
    ("null", 0),
    ("not", 0),
    ("isboolean", 0),
    ("isnumber", 0),
    ("isstring", 0),
    ("isarray", 0),
    ("isobject", 0),
    ("type", 0),
    ("add", 0),
    ("to_entries", 0),
    ("from_entries", 0),
    ("with_entries", 1),
];

/// Names under which the key of an entry, and its value, may stand.
const KEYS: [&str; 5] = ["key", "k", "name", "Name", "Key"];
const LAST_KEY: &str = "K";
const VALUES: [&str; 3] = ["value", "v", "Value"];
const LAST_VALUE: &str = "V";

fn not_iterable(value: Val) -> Error<Val> {
    Error::typ(value, "iterable (array or object)")
}

fn type_name(value: &Val) -> &'static str {
    match value {
        Val::Null => "null",
        Val::Bool(_) => "boolean",
        Val::Num(_) => "number",
        Val::TStr(_) | Val::BStr(_) => "string",
        Val::Arr(_) => "array",
        Val::Obj(_) => "object",
    }
}

/// A key of an object that a program cannot change.
fn name(text: &str) -> Val {
    string(text.to_owned())
}

/// The members of a value as entries.
struct Entries {
    names: (Val, Val),
}

impl Entries {
    fn new() -> Entries {
        Entries { names: (name("key"), name("value")) }
    }

    #[inline(never)]
    fn entry(&self, key: Val, value: Val) -> Val {
        let mut entry = Map::with_capacity_and_hasher(2, Default::default());
        entry.insert(self.names.0.clone(), key);
        entry.insert(self.names.1.clone(), value);
        Val::obj(entry)
    }
}

/// An object that is made of entries.
struct FromEntries {
    names: Vec<Val>,
    made: Map,
}

impl FromEntries {
    #[inline(never)]
    fn new(members: usize) -> FromEntries {
        let names = KEYS.iter().chain([&LAST_KEY]).chain(&VALUES).chain([&LAST_VALUE]);
        let made = Map::with_capacity_and_hasher(members, Default::default());
        FromEntries { names: names.map(|text| name(text)).collect(), made }
    }

    /// The first of some names that an entry has, or else the last of them.
    fn member(&self, entry: &Map, from: usize, to: usize) -> Val {
        let known = self.names[from..=to].iter().find_map(|name| entry.get(name));
        known.cloned().unwrap_or_default()
    }

    #[inline(never)]
    fn take<'a>(&mut self, budget: &'a Budget, entry: Val) -> Result<(), Exn<'a, Val>> {
        let (key, value) = match &entry {
            Val::Obj(entry) => {
                let last_key = KEYS.len();
                let value = self.member(entry, last_key + 1, last_key + 1 + VALUES.len());
                (self.member(entry, 0, last_key), value)
            }
            _ => {
                let key = entry.clone().index(&Val::from(0usize))?;
                (key, entry.index(&Val::from(1usize))?)
            }
        };
        let key = match key {
            Val::TStr(_) | Val::BStr(_) => key,
            Val::Null => name("null"),
            Val::Bool(truth) => name(if truth { "true" } else { "false" }),
            other => {
                let weight = value::weigh(&other).map_err(|limit| stop(budget, limit))?;
                if !budget.step(1 + weight / 8) {
                    return Err(Exn::halt(0));
                }
                let mut text = String::new();
                if !value::write(&other, MAX_STRING, &mut text) {
                    return Err(stop(budget, Limit::Size));
                }
                string(text)
            }
        };
        if self.made.len() >= MAX_MEMBERS {
            return Err(stop(budget, Limit::Size));
        }
        match budget.step(1) {
            true => drop(self.made.insert(key, value)),
            false => return Err(Exn::halt(0)),
        }
        Ok(())
    }
}

/// What a value holds, each with its key.
fn each<'a>(
    value: &Val,
    mut take: impl FnMut(Val, Val) -> Result<(), Exn<'a, Val>>,
) -> Result<(), Exn<'a, Val>> {
    match value {
        Val::Arr(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| take(Val::from(index), item.clone())),
        Val::Obj(members) => {
            members.iter().try_for_each(|(key, value)| take(key.clone(), value.clone()))
        }
        value => Err(not_iterable(value.clone()).into()),
    }
}

/// Parts of a value, itself.
fn count(value: &Val) -> usize {
    match value {
        Val::Arr(items) => items.len(),
        Val::Obj(members) => members.len(),
        _ => 0,
    }
}

fn to_entries<'a>(cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    let entries = Entries::new();
    let mut all = Vec::with_capacity(count(&cv.1));
    let made = each(&cv.1, |key, value| {
        all.push(entries.entry(key, value));
        match budget.step(1) {
            true => Ok(()),
            false => Err(Exn::halt(0)),
        }
    });
    match made {
        Ok(()) => weighed((cv.0, Val::Arr(Rc::new(all))), 8),
        Err(error) => box_once(Err(error)),
    }
}

fn from_entries<'a>(cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    let mut made = FromEntries::new(count(&cv.1));
    match each(&cv.1, |_, entry| made.take(budget, entry)) {
        Ok(()) => weighed((cv.0, Val::obj(made.made)), 8),
        Err(error) => box_once(Err(error)),
    }
}

fn with_entries<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let (f, ctx) = cv.0.pop_fun();
    let budget = cv.0.data().budget;
    let (entries, mut made) = (Entries::new(), FromEntries::new(count(&cv.1)));
    let ended = each(&cv.1, |key, value| {
        let mut outputs = f.run((ctx.clone(), entries.entry(key, value)));
        outputs.try_for_each(|entry| made.take(budget, entry?))
    });
    match ended {
        Ok(()) => weighed((cv.0, Val::obj(made.made)), 8),
        Err(error) => box_once(Err(error)),
    }
}

/// The sum of what a value holds.
fn add<'a>(cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    let values: Vec<Val> = match cv.1 {
        Val::Arr(items) => items.to_vec(),
        Val::Obj(members) => members.values().cloned().collect(),
        value => return bome(Err(not_iterable(value))),
    };
    box_once(values.into_iter().try_fold(Val::Null, |sum, value| plus(budget, sum, value)))
}

/// All that a value holds, itself first, and where each is.
struct Walk<'a, P> {
    budget: &'a Budget,
    next: Option<(Val, P)>,
    open: Vec<(Val, usize, P)>,
}

impl<'a, P: Clone> Walk<'a, P> {
    fn new(budget: &'a Budget, value: Val, place: P) -> Walk<'a, P> {
        Walk { budget, next: Some((value, place)), open: Vec::new() }
    }

    /// The next value, where the place of what a value holds is what `below` makes of its own.
    fn step(
        &mut self,
        below: impl Fn(&P, &dyn Fn() -> Val) -> P,
    ) -> Option<ValX<'a, (Val, P), Val>> {
        let found = match self.next.take() {
            Some(first) => first,
            None => loop {
                let (value, at, place) = self.open.last_mut()?;
                let index = *at;
                *at += 1;
                let found = match &*value {
                    Val::Arr(items) => items
                        .get(index)
                        .map(|item| (item.clone(), below(place, &|| Val::from(index)))),
                    Val::Obj(members) => members
                        .get_index(index)
                        .map(|(key, value)| (value.clone(), below(place, &|| key.clone()))),
                    _ => None,
                };
                match found {
                    Some(found) => break found,
                    None => drop(self.open.pop()),
                }
            },
        };
        if !self.budget.step(1) {
            self.open.clear();
            return Some(Err(Exn::halt(0)));
        }
        if matches!(found.0, Val::Arr(_) | Val::Obj(_)) {
            self.open.push((found.0.clone(), 0, found.1.clone()));
        }
        Some(Ok(found))
    }
}

/// Updates all that a value holds, itself last. A value is not that deep.
fn update_all<'a>(
    budget: &'a Budget,
    value: Val,
    update: &dyn Fn(Val) -> ValXs<'a, Val>,
) -> ValXs<'a, Val> {
    match value.map_values(Opt::Optional, |value| update_all(budget, value, update)) {
        Ok(value) if budget.step(1) => in_frame(|| Box::new(Framed(update(value)))),
        Ok(_) => box_once(Err(Exn::halt(0))),
        Err(error) => box_once(Err(error)),
    }
}

/// `..`, each output of which is a step.
fn recurse() -> Native<Kit> {
    Native::<Kit>::new(|cv| {
        let mut walk = Walk::new(cv.0.data().budget, cv.1, ());
        Box::new(std::iter::from_fn(move || {
            walk.step(|(), _| ()).map(|found| found.map(|(value, ())| value))
        }))
    })
    .with_paths(|cv| {
        let budget = cv.0.data().budget;
        let mut walk = Walk::new(budget, cv.1.0, cv.1.1);
        Box::new(std::iter::from_fn(move || {
            let found = walk.step(|path, key| path.clone().cons(key()))?;
            // A long path is let go of by as many calls.
            match found {
                Ok((_, path)) if path.skip(MAX_PATH).head().is_some() => {
                    Some(Err(stop(budget, Limit::Depth)))
                }
                found => Some(found),
            }
        }))
    })
    .with_update(|cv, update| update_all(cv.0.data().budget, cv.1, &|value| update(value)))
}

/// A row of a table: its cells as `cell` writes strings, with `sign` between them.
#[inline(never)]
fn row<'a>(
    cv: jaq_core::Cv<'a, Kit>,
    what: &str,
    sign: char,
    cell: fn(&str, &mut String),
) -> ValXs<'a, Val> {
    let budget = cv.0.data().budget;
    let Val::Arr(items) = &cv.1 else { return bome(Err(Error::typ(cv.1, "array"))) };
    match value::weigh(&cv.1) {
        Ok(weight) if budget.step(1 + weight / 8) => {}
        Ok(_) => return box_once(Err(Exn::halt(0))),
        Err(limit) => return stopped(budget, limit),
    }
    let mut out = String::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(sign);
        }
        match item {
            Val::Null => {}
            Val::Num(_) | Val::Bool(_) => drop(value::write(item, MAX_STRING, &mut out)),
            Val::TStr(text) | Val::BStr(text) => cell(&String::from_utf8_lossy(text), &mut out),
            other => {
                let other = type_name(other);
                return bome(Err(Error::str(format_args!("{other} is not valid in a {what} row"))));
            }
        }
        if out.len() > MAX_STRING {
            return stopped(budget, Limit::Size);
        }
    }
    box_once(Ok(string(out)))
}

/// All of them.
pub(super) fn functions() -> Vec<Fun<Kit>> {
    macro_rules! is {
        ($($pattern:pat_param)|+) => {
            |cv| box_once(Ok(Val::Bool(matches!(cv.1, $($pattern)|+))))
        };
    }
    let plain: [native::Filter<RunPtr<Kit>>; 15] = [
        ("true", v(0), |_| box_once(Ok(Val::Bool(true)))),
        ("false", v(0), |_| box_once(Ok(Val::Bool(false)))),
        ("null", v(0), |_| box_once(Ok(Val::Null))),
        ("not", v(0), is!(Val::Null | Val::Bool(false))),
        ("isboolean", v(0), is!(Val::Bool(_))),
        ("isnumber", v(0), is!(Val::Num(_))),
        ("isstring", v(0), is!(Val::TStr(_) | Val::BStr(_))),
        ("isarray", v(0), is!(Val::Arr(_))),
        ("isobject", v(0), is!(Val::Obj(_))),
        ("type", v(0), |cv| box_once(Ok(name(type_name(&cv.1))))),
        ("add", v(0), add),
        ("to_entries", v(0), to_entries),
        ("from_entries", v(0), from_entries),
        ("csv_", v(0), |cv| {
            row(cv, "csv", ',', |text, out| {
                out.push('"');
                out.push_str(&text.replace('"', "\"\""));
                out.push('"');
            })
        }),
        ("tsv_", v(0), |cv| {
            row(cv, "tsv", '\t', |text, out| {
                for c in text.chars() {
                    match c {
                        '\\' => out.push_str("\\\\"),
                        '\t' => out.push_str("\\t"),
                        '\n' => out.push_str("\\n"),
                        '\r' => out.push_str("\\r"),
                        c => out.push(c),
                    }
                }
            })
        }),
    ];
    let one: Box<[Bind]> = Box::new([Bind::Fun(())]);
    let with: RunPtr<Kit> = with_entries;
    let all = plain.into_iter().map(native::run::<Kit>);
    all.chain([("with_entries", one, Native::<Kit>::new(with)), ("!recurse", v(0), recurse())])
        .collect()
}
