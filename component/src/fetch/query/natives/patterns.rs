//! Regular expressions: each compiled once a program, searches counted by text and pattern.

use std::rc::Rc;

use jaq_core::box_iter::box_once;
use jaq_core::native::{self, Fun, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Error, Exn, RunPtr, ValXs};
use jaq_json::{Map, Val};
use regex_lite::{Captures, Regex};

use super::scalars::{string, text};
use crate::fetch::query::budget::{Budget, Compiled, Kit, Limit};
use crate::fetch::query::costs::{MAX_STRING, paid, stop, touched};

/// Definitions that are left out as they are native here.
pub(super) const NATIVE: [(&str, usize); 6] =
    [("test", 1), ("test", 2), ("sub", 2), ("sub", 3), ("gsub", 2), ("gsub", 3)];

/// Matches of one regular expression in one string.
const MAX_MATCHES: usize = 100_000;

/// Compiled regular expressions that are kept.
const MAX_REGEXES: usize = 32;

/// What a program asks for: a regular expression, where, and with which flags.
struct Asked<'t> {
    whole: &'t str,
    pattern: &'t str,
    regex: Option<Rc<Regex>>,
    global: bool,
    /// Whether matches of nothing do not count.
    filled: bool,
    count: usize,
}

/// A match: where, and its groups if it has any.
struct Found<'m> {
    start: usize,
    end: usize,
    groups: Option<&'m Captures<'m>>,
}

type Done<'a> = Result<(), Exn<'a, Val>>;

impl<'t> Asked<'t> {
    /// What is asked for in a text. It is paid for.
    #[inline(never)]
    fn new<'a>(
        budget: &'a Budget,
        whole: &'t Val,
        pattern: &'t Val,
        flags: &Val,
    ) -> Result<Asked<'t>, Exn<'a, Val>> {
        // All of each is looked at, also of one that is refused then.
        for given in [whole, pattern, flags] {
            touched(budget, given)?;
        }
        let whole = text(whole)?;
        let flags = match flags {
            Val::Null => "",
            flags => text(flags)?,
        };
        let pattern = text(pattern)?;
        let mut regexes = budget.regexes.borrow_mut();
        let known = |known: &Compiled| known.pattern == pattern && known.flags == flags;
        let at = match regexes.iter().position(known) {
            Some(at) => at,
            None => {
                let (regex, size) = compile(budget, pattern, flags)?;
                if regexes.len() >= MAX_REGEXES {
                    regexes.remove(0);
                }
                let (flags, pattern) = (flags.to_owned(), pattern.to_owned());
                regexes.push(Compiled { flags, pattern, regex: regex.map(Rc::new), size });
                regexes.len() - 1
            }
        };
        let Some(Compiled { regex, size, .. }) = regexes.get(at) else {
            return Err(stop(budget, Limit::Size));
        };
        // At worst each byte is held against each state.
        if !budget.step(1 + (whole.len() as u64).saturating_mul(*size as u64) / 400) {
            return Err(Exn::halt(0));
        }
        let (global, filled) = (flags.contains('g'), flags.contains('n'));
        Ok(Asked { whole, pattern, regex: regex.clone(), global, filled, count: 0 })
    }

    /// Gives each match that counts: the first, or all. They are paid for.
    #[inline(never)]
    fn each<'a>(
        mut self,
        budget: &'a Budget,
        on: &mut dyn FnMut(Found<'_>) -> Done<'a>,
    ) -> Done<'a> {
        let (whole, global) = (self.whole, self.global);
        let mut given = |found: Found<'_>| -> Result<bool, Exn<'a, Val>> {
            if self.filled && found.start == found.end {
                return Ok(true);
            }
            self.count += 1;
            if self.count > MAX_MATCHES {
                return Err(stop(budget, Limit::Size));
            }
            if !budget.step(4) {
                return Err(Exn::halt(0));
            }
            on(found)?;
            Ok(global)
        };
        match self.regex.as_deref() {
            None => {
                for (start, part) in whole.match_indices(self.pattern) {
                    if !given(Found { start, end: start + part.len(), groups: None })? {
                        break;
                    }
                }
            }
            Some(regex) if regex.captures_len() == 1 => {
                for found in regex.find_iter(whole) {
                    if !given(Found { start: found.start(), end: found.end(), groups: None })? {
                        break;
                    }
                }
            }
            Some(regex) => {
                for captures in regex.captures_iter(whole) {
                    let Some(all) = captures.get(0) else { continue };
                    let (start, end) = (all.start(), all.end());
                    if !given(Found { start, end, groups: Some(&captures) })? {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// The names of the groups, in their order.
    fn names(&self) -> Vec<Option<String>> {
        let names = self.regex.iter().flat_map(|regex| regex.capture_names().skip(1));
        names.map(|name| name.map(str::to_owned)).collect()
    }
}

/// The groups that have a name: what they match, or null.
#[inline(never)]
fn named(names: &[Option<String>], found: &Found<'_>) -> Val {
    let mut named = Map::default();
    for (index, name) in names.iter().enumerate() {
        if let (Some(name), Some(groups)) = (name, found.groups) {
            let part = groups.get(index + 1);
            let part = part.map_or(Val::Null, |part| string(part.as_str().to_owned()));
            named.insert(string(name.clone()), part);
        }
    }
    Val::obj(named)
}

/// The parts of a text that lie between matches.
pub(super) fn split<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    box_once((|| {
        let asked = Asked::new(budget, &cv.1, &pattern, &flags)?;
        let whole = asked.whole;
        let (mut last, mut out) = (0, Vec::<Val>::new());
        asked.each(budget, &mut |found| {
            out.push(string(whole[last..found.start].to_owned()));
            last = found.end;
            Ok(())
        })?;
        out.push(string(whole[last..].to_owned()));
        Ok(out.into_iter().collect())
    })())
}

/// What is made of a match: of its text, and of the names of its groups.
type Made = fn(&mut Told<'_>, Found<'_>) -> Val;

/// What is told of the matches in a text.
struct Told<'t> {
    whole: &'t str,
    names: Vec<Option<String>>,
    /// What a match is, and what a group of it is, without values.
    shapes: [Map; 2],
    /// Characters before a byte that mostly grows.
    byte: usize,
    chars: usize,
}

impl Told<'_> {
    fn offset(&mut self, to: usize) -> usize {
        if to < self.byte {
            (self.byte, self.chars) = (0, 0);
        }
        self.chars += self.whole.get(self.byte..to).map_or(0, |part| part.chars().count());
        self.byte = to;
        self.chars
    }

    /// Where a part is, how long, its text, and what else belongs to it.
    fn place(&mut self, shape: usize, part: Option<(usize, usize)>, last: Val) -> Val {
        let values = match part {
            Some((start, end)) => {
                let part = self.whole.get(start..end).unwrap_or_default();
                let length = Val::from(part.chars().count());
                [Val::from(self.offset(start)), length, string(part.to_owned()), last]
            }
            None => [Val::from(-1isize), Val::from(0usize), Val::Null, last],
        };
        let mut members = self.shapes[shape].clone();
        members.values_mut().zip(values).for_each(|(member, value)| *member = value);
        Val::obj(members)
    }

    /// All of a match, as `match` gives it.
    fn all(&mut self, found: Found<'_>) -> Val {
        let mut groups: Vec<Val> = Vec::new();
        for index in found.groups.map_or(0..0, |_| 0..self.names.len()) {
            let part = found.groups.and_then(|groups| groups.get(index + 1));
            let name = self.names[index].clone().map_or(Val::Null, string);
            groups.push(self.place(1, part.map(|part| (part.start(), part.end())), name));
        }
        self.place(0, Some((found.start, found.end)), groups.into_iter().collect())
    }

    /// Its groups, or all of it where there are none.
    fn parts(&mut self, found: Found<'_>) -> Val {
        let part = |text: &str| string(text.to_owned());
        match found.groups {
            None => part(&self.whole[found.start..found.end]),
            Some(groups) => {
                let groups = groups.iter().skip(1);
                groups.map(|group| group.map_or(Val::Null, |group| part(group.as_str()))).collect()
            }
        }
    }
}

/// What is made of each match.
#[inline(never)]
fn told<'a>(mut cv: jaq_core::Cv<'a, Kit>, made: Made) -> ValXs<'a, Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    box_once((|| {
        let asked = Asked::new(budget, &cv.1, &pattern, &flags)?;
        let shapes = ["captures", "name"].map(|last| {
            let keys = ["offset", "length", "string", last];
            keys.into_iter().map(|key| (string(key.to_owned()), Val::Null)).collect()
        });
        let mut told = Told { whole: asked.whole, names: asked.names(), shapes, byte: 0, chars: 0 };
        let mut out: Vec<Val> = Vec::new();
        asked.each(budget, &mut |found| {
            out.push(made(&mut told, found));
            Ok(())
        })?;
        Ok(out.into_iter().collect())
    })())
}

/// Whether there is a match.
#[inline(never)]
fn test<'a>(mut cv: jaq_core::Cv<'a, Kit>, has_flags: bool) -> ValXs<'a, Val> {
    let flags = if has_flags { cv.0.pop_var() } else { Val::Null };
    let pattern = cv.0.pop_var();
    let budget = cv.0.data().budget;
    box_once((|| {
        let mut asked = Asked::new(budget, &cv.1, &pattern, &flags)?;
        if !asked.filled {
            return Ok(Val::Bool(match asked.regex.as_deref() {
                Some(regex) => regex.is_match(asked.whole),
                None => asked.whole.contains(asked.pattern),
            }));
        }
        asked.global = false;
        let mut any = false;
        asked.each(budget, &mut |_| {
            any = true;
            Ok(())
        })?;
        Ok(Val::Bool(any))
    })())
}

/// Adds a part to texts. It is paid for.
#[inline(never)]
fn extend<'a>(budget: &'a Budget, texts: &mut [Vec<u8>], part: &str) -> Result<(), Exn<'a, Val>> {
    let bytes = texts.iter().map(|text| text.len() + part.len()).fold(0, usize::saturating_add);
    if bytes > MAX_STRING {
        return Err(stop(budget, Limit::Size));
    }
    let steps = texts.len().saturating_mul(1 + part.len() / 64);
    if !budget.step(if texts.len() > 1 { steps as u64 } else { part.len() as u64 / 64 }) {
        return Err(Exn::halt(0));
    }
    texts.iter_mut().for_each(|text| text.extend_from_slice(part.as_bytes()));
    Ok(())
}

/// What stands for a match: a string, or nothing for null.
fn replacement<'v>(texts: &[Vec<u8>], value: &'v Val) -> Result<&'v str, Error<Val>> {
    match value {
        Val::TStr(_) => text(value),
        Val::Null => Ok(""),
        other => {
            let text = Val::utf8_str(texts.first().cloned().unwrap_or_default());
            Err(Error::math(text, Math::Add, other.clone()))
        }
    }
}

/// A text in which a program stands for each match. Where it gives more than one value, so does this.
#[inline(never)]
fn substituted<'a>(mut cv: jaq_core::Cv<'a, Kit>, has_flags: bool, global: bool) -> ValXs<'a, Val> {
    let flags = if has_flags { cv.0.pop_var() } else { Val::Null };
    let (f, ctx) = cv.0.pop_fun();
    let pattern = cv.0.pop_var();
    let budget = cv.0.data().budget;
    let made = (|| {
        let mut asked = Asked::new(budget, &cv.1, &pattern, &flags)?;
        asked.global |= global;
        let (whole, names) = (asked.whole, asked.names());
        let mut texts: Vec<Vec<u8>> = vec![Vec::with_capacity(whole.len())];
        let mut last = 0;
        asked.each(budget, &mut |found| {
            // Where the program gave nothing, nothing is left to go on with.
            if texts.is_empty() {
                return Ok(());
            }
            extend(budget, &mut texts, &whole[last..found.start])?;
            last = found.end;
            let mut values = Vec::new();
            for value in f.run((ctx.clone(), named(&names, &found))) {
                if !budget.step(1) {
                    return Err(Exn::halt(0));
                }
                values.push(value?);
            }
            if let [value] = &values[..] {
                let part = replacement(&texts, value)?;
                return extend(budget, &mut texts, part);
            }
            let mut next = Vec::new();
            for text in &texts {
                for value in &values {
                    let mut copy = [text.clone()];
                    extend(budget, &mut copy, replacement(&texts, value)?)?;
                    let [copy] = copy;
                    if !budget.step(1 + copy.len() as u64 / 64) {
                        return Err(Exn::halt(0));
                    }
                    next.push(copy);
                }
            }
            texts = next;
            Ok(())
        })?;
        extend(budget, &mut texts, &whole[last..])?;
        Ok(texts)
    })();
    match made {
        Ok(texts) => Box::new(texts.into_iter().map(|text| Ok(Val::utf8_str(text)))),
        Err(error) => box_once(Err(error)),
    }
}

/// The functions that are native here.
pub(super) fn functions() -> Vec<Fun<Kit>> {
    let text_and_program = |flags: bool| -> Box<[Bind]> {
        let mut all = vec![Bind::Var(()), Bind::Fun(())];
        all.extend(flags.then_some(Bind::Var(())));
        all.into()
    };
    let all: [native::Filter<RunPtr<Kit>>; 10] = [
        ("test", v(1), |cv| test(cv, false)),
        ("test", v(2), |cv| test(cv, true)),
        ("split_", v(2), split),
        ("matched_", v(2), |cv| told(cv, |told, found| told.all(found))),
        ("scanned_", v(2), |cv| told(cv, |told, found| told.parts(found))),
        ("captured_", v(2), |cv| told(cv, |told, found| named(&told.names, &found))),
        ("sub", text_and_program(false), |cv| substituted(cv, false, false)),
        ("sub", text_and_program(true), |cv| substituted(cv, true, false)),
        ("gsub", text_and_program(false), |cv| substituted(cv, false, true)),
        ("gsub", text_and_program(true), |cv| substituted(cv, true, true)),
    ];
    all.into_iter().map(native::run::<Kit>).collect()
}

/// A compiled pattern, none for a text that stands for itself, and the bytes that it takes, to the next power of
/// two.
fn compile<'a>(
    budget: &'a Budget,
    pattern: &str,
    flags: &str,
) -> Result<(Option<Regex>, usize), Exn<'a, Val>> {
    if pattern.len() > 1_000 {
        return Err(Error::str("the regular expression has more than 1,000 bytes").into());
    }
    let mut builder = regex_lite::RegexBuilder::new(pattern);
    for flag in flags.chars() {
        match flag {
            'g' | 'n' => {}
            'i' => drop(builder.case_insensitive(true)),
            'x' => drop(builder.ignore_whitespace(true)),
            's' => drop(builder.dot_matches_new_line(true)),
            'm' => drop(builder.multi_line(true)),
            'l' => drop(builder.swap_greed(true)),
            'p' => drop(builder.multi_line(true).dot_matches_new_line(true)),
            other => {
                let wrong = format_args!("{other} is not a flag of a regular expression");
                return Err(Error::str(wrong).into());
            }
        }
    }
    let plain = |c: char| !r"\.+*?()|[]{}^$".contains(c);
    if !pattern.is_empty() && pattern.chars().all(plain) && !flags.contains(['i', 'x']) {
        return Ok((None, 4));
    }
    // A program for a small machine: what is larger is slow on every line.
    let mut size = 128;
    loop {
        // A program that makes patterns pays for each, and for each attempt.
        paid(budget, 1 + size as u64 / 64)?;
        match builder.size_limit(size).build() {
            Ok(regex) => return Ok((Some(regex), size)),
            Err(error) if size >= 256 * 1024 => {
                return Err(Error::str(format_args!("regular expression: {error}")).into());
            }
            Err(_) => size *= 2,
        }
    }
}
