//! Functions that jq defines in its own language, here native: they are in most programs, and each
//! would take many calls for one value.

use jaq_core::box_iter::box_once;
use jaq_core::native::{self, Fun, bome, v};
use jaq_core::{Bind, Error, Native, RunPtr, ValR, ValT as _, ValXs};
use jaq_json::{Map, Rc, Val};

use super::scalars::string;
use crate::fetch::query::kit::Kit;
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

pub(super) fn type_name(value: &Val) -> &'static str {
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
    fn take(&mut self, entry: Val) -> Result<(), Error<Val>> {
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
            other => {
                let mut text = String::new();
                value::write(&other, usize::MAX, &mut text);
                string(text)
            }
        };
        self.made.insert(key, value);
        Ok(())
    }
}

/// What a value holds, each with its key.
fn each<E: From<Error<Val>>>(
    value: &Val,
    mut take: impl FnMut(Val, Val) -> Result<(), E>,
) -> Result<(), E> {
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

fn to_entries(value: &Val) -> ValR<Val> {
    let entries = Entries::new();
    let mut all = Vec::with_capacity(count(value));
    each(value, |key, value| {
        all.push(entries.entry(key, value));
        Ok::<_, Error<Val>>(())
    })?;
    Ok(Val::Arr(Rc::new(all)))
}

fn from_entries(value: &Val) -> ValR<Val> {
    let mut made = FromEntries::new(count(value));
    each(value, |_, entry| made.take(entry))?;
    Ok(Val::obj(made.made))
}

fn with_entries<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let (f, ctx) = cv.0.pop_fun();
    let (entries, mut made) = (Entries::new(), FromEntries::new(count(&cv.1)));
    let ended = each(&cv.1, |key, value| {
        let mut outputs = f.run((ctx.clone(), entries.entry(key, value)));
        outputs.try_for_each(|entry| Ok(made.take(entry?)?))
    });
    box_once(ended.map(|()| Val::obj(made.made)))
}

/// The sum of what a value holds.
fn add(value: Val) -> ValR<Val> {
    let values: Vec<Val> = match value {
        Val::Arr(items) => items.to_vec(),
        Val::Obj(members) => members.values().cloned().collect(),
        value => return Err(not_iterable(value)),
    };
    values.into_iter().try_fold(Val::Null, |sum, value| sum + value)
}

/// A row of a table: its cells as `cell` writes strings, with `sign` between them.
#[inline(never)]
fn row(row: &Val, what: &str, sign: char, cell: fn(&str, &mut String)) -> ValR<Val> {
    let Val::Arr(items) = row else { return Err(Error::typ(row.clone(), "array")) };
    let mut out = String::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(sign);
        }
        match item {
            Val::Null => {}
            Val::Num(_) | Val::Bool(_) => drop(value::write(item, usize::MAX, &mut out)),
            Val::TStr(text) | Val::BStr(text) => cell(&String::from_utf8_lossy(text), &mut out),
            other => {
                let other = type_name(other);
                return Err(Error::str(format_args!("{other} is not valid in a {what} row")));
            }
        }
    }
    Ok(string(out))
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
        ("add", v(0), |cv| bome(add(cv.1))),
        ("to_entries", v(0), |cv| bome(to_entries(&cv.1))),
        ("from_entries", v(0), |cv| bome(from_entries(&cv.1))),
        ("csv_", v(0), |cv| {
            bome(row(&cv.1, "csv", ',', |text, out| {
                out.push('"');
                out.push_str(&text.replace('"', "\"\""));
                out.push('"');
            }))
        }),
        ("tsv_", v(0), |cv| {
            bome(row(&cv.1, "tsv", '\t', |text, out| {
                for c in text.chars() {
                    match c {
                        '\\' => out.push_str("\\\\"),
                        '\t' => out.push_str("\\t"),
                        '\n' => out.push_str("\\n"),
                        '\r' => out.push_str("\\r"),
                        c => out.push(c),
                    }
                }
            }))
        }),
    ];
    let one: Box<[Bind]> = Box::new([Bind::Fun(())]);
    let with: RunPtr<Kit> = with_entries;
    let all = plain.into_iter().map(native::run::<Kit>);
    all.chain([("with_entries", one, Native::<Kit>::new(with))]).collect()
}
