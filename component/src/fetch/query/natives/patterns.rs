//! Regular expressions: each compiled once a program, searches counted by text and pattern.

use std::rc::Rc;

use jaq_core::box_iter::box_once;
use jaq_core::native::{self, Fun, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Error, Exn, RunPtr, ValT as _, ValX, ValXs};
use jaq_json::{Map, Val};
use regex_lite::{Captures, Regex};

use super::{MAX_STRING, stop, string, text};
use crate::fetch::query::program::{Budget, Kit, Limit};

/// Definitions that are left out as they are native here.
pub(super) const NATIVE: [(&str, usize); 6] =
    [("test", 1), ("test", 2), ("sub", 2), ("sub", 3), ("gsub", 2), ("gsub", 3)];

/// Matches of one regular expression in one string.
const MAX_MATCHES: usize = 100_000;

/// Compiled regular expressions that are kept.
const MAX_REGEXES: usize = 32;

/// A compiled regular expression.
pub(in crate::fetch::query) struct Compiled {
    flags: String,
    pattern: String,
    regex: Rc<Regex>,
    /// The bytes that it takes, to the next power of two.
    size: usize,
}

/// What a program asks for: a regular expression, where, and with which flags.
struct Asked {
    regex: Rc<Regex>,
    global: bool,
    /// Whether matches of nothing do not count.
    filled: bool,
    count: usize,
}

impl Asked {
    /// What is asked for in a text. It is paid for.
    #[inline(never)]
    fn new<'a>(
        budget: &'a Budget,
        whole: &str,
        pattern: &Val,
        flags: &Val,
    ) -> Result<Asked, Exn<'a, Val>> {
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
                let (regex, size) = compile(pattern, flags)?;
                if regexes.len() >= MAX_REGEXES {
                    regexes.remove(0);
                }
                // A program that makes patterns pays for each.
                if !budget.step(1 + size as u64 / 64) {
                    return Err(Exn::halt(0));
                }
                let (flags, pattern) = (flags.to_owned(), pattern.to_owned());
                regexes.push(Compiled { flags, pattern, regex: Rc::new(regex), size });
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
        Ok(Asked { regex: Rc::clone(regex), global, filled, count: 0 })
    }

    /// Whether a match from one byte to another counts. It is paid for.
    #[inline(never)]
    fn counts<'a>(
        &mut self,
        budget: &'a Budget,
        from: usize,
        to: usize,
    ) -> Result<bool, Exn<'a, Val>> {
        if self.filled && from == to {
            return Ok(false);
        }
        self.count += 1;
        if self.count > MAX_MATCHES {
            return Err(stop(budget, Limit::Size));
        }
        match budget.step(4) {
            true => Ok(true),
            false => Err(Exn::halt(0)),
        }
    }

    /// The groups that have a name: what they match, or null.
    #[inline(never)]
    fn named(&self, captures: &Captures<'_>) -> Val {
        let mut named = Map::default();
        for (index, name) in self.regex.capture_names().enumerate() {
            if let Some(name) = name {
                let part = captures.get(index);
                let part = part.map_or(Val::Null, |part| string(part.as_str().to_owned()));
                named.insert(string(name.to_owned()), part);
            }
        }
        Val::obj(named)
    }
}

fn one<'a>(value: ValX<'a, Val>) -> ValXs<'a, Val> {
    box_once(value)
}

/// What matches a regular expression, or lies between.
pub(super) fn matches<'a>(
    mut cv: jaq_core::Cv<'a, Kit>,
    between: bool,
    matching: bool,
) -> ValXs<'a, Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    one((|| {
        let whole = text(&cv.1)?;
        let asked = Asked::new(budget, whole, &pattern, &flags)?;
        find_all(budget, whole, asked, between, matching)
    })())
}

#[inline(never)]
fn find_all<'a>(
    budget: &'a Budget,
    whole: &str,
    mut asked: Asked,
    between: bool,
    matching: bool,
) -> ValX<'a, Val> {
    let regex = Rc::clone(&asked.regex);
    let names: Vec<Option<&str>> = regex.capture_names().collect();
    let mut last = 0;
    // Characters before a byte that only grows.
    let (mut byte, mut chars) = (0, 0);
    let mut offset = |to: usize| {
        if to >= byte {
            chars += whole.get(byte..to).map_or(0, |part| part.chars().count());
        } else {
            chars = whole.get(..to).map_or(0, |part| part.chars().count());
        }
        byte = to;
        chars
    };
    let keys = ["offset", "length", "string", "name"].map(|key| string(key.to_owned()));
    let mut out: Vec<Val> = Vec::new();
    for captures in regex.captures_iter(whole) {
        let Some(all) = captures.get(0) else { continue };
        if !asked.counts(budget, all.start(), all.end())? {
            continue;
        }
        if between {
            out.push(string(whole[last..all.start()].to_owned()));
            last = all.end();
        }
        if matching {
            let parts = names.iter().enumerate().map(|(index, name)| {
                let values = match captures.get(index) {
                    Some(part) => [
                        Val::from(offset(part.start())),
                        Val::from(part.as_str().chars().count()),
                        string(part.as_str().to_owned()),
                    ],
                    None => [Val::from(-1isize), Val::from(0usize), Val::Null],
                };
                let named = name.map_or(Val::Null, |name| string(name.to_owned()));
                let named = (index > 0).then_some(named);
                Val::from_map(keys.iter().cloned().zip(values.into_iter().chain(named)))
            });
            out.push(parts.collect::<Result<Val, _>>()?);
        }
        if !asked.global {
            break;
        }
    }
    if between {
        out.push(string(whole[last..].to_owned()));
    }
    Ok(out.into_iter().collect())
}

/// Whether there is a match.
#[inline(never)]
fn test<'a>(mut cv: jaq_core::Cv<'a, Kit>, has_flags: bool) -> ValXs<'a, Val> {
    let flags = if has_flags { cv.0.pop_var() } else { Val::Null };
    let pattern = cv.0.pop_var();
    let budget = cv.0.data().budget;
    one((|| {
        let whole = text(&cv.1)?;
        let mut asked = Asked::new(budget, whole, &pattern, &flags)?;
        if !asked.filled {
            return Ok(Val::Bool(asked.regex.is_match(whole)));
        }
        let regex = Rc::clone(&asked.regex);
        for found in regex.find_iter(whole) {
            if asked.counts(budget, found.start(), found.end())? {
                return Ok(Val::Bool(true));
            }
            if !asked.global {
                break;
            }
        }
        Ok(Val::Bool(false))
    })())
}

/// What each match is: its groups, or all of it where there are none.
fn scanned<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    one((|| {
        let whole = text(&cv.1)?;
        let mut asked = Asked::new(budget, whole, &pattern, &flags)?;
        let regex = Rc::clone(&asked.regex);
        let mut out: Vec<Val> = Vec::new();
        let part = |text: &str| string(text.to_owned());
        if regex.captures_len() == 1 {
            for found in regex.find_iter(whole) {
                if asked.counts(budget, found.start(), found.end())? {
                    out.push(part(found.as_str()));
                }
            }
            return Ok(out.into_iter().collect());
        }
        for captures in regex.captures_iter(whole) {
            let Some(all) = captures.get(0) else { continue };
            if asked.counts(budget, all.start(), all.end())? {
                let groups = captures.iter().skip(1);
                let groups =
                    groups.map(|group| group.map_or(Val::Null, |group| part(group.as_str())));
                out.push(groups.collect());
            }
        }
        Ok(out.into_iter().collect())
    })())
}

/// The named groups of each match.
fn captured<'a>(mut cv: jaq_core::Cv<'a, Kit>) -> ValXs<'a, Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    one((|| {
        let whole = text(&cv.1)?;
        let mut asked = Asked::new(budget, whole, &pattern, &flags)?;
        let regex = Rc::clone(&asked.regex);
        let mut out: Vec<Val> = Vec::new();
        for captures in regex.captures_iter(whole) {
            let Some(all) = captures.get(0) else { continue };
            if asked.counts(budget, all.start(), all.end())? {
                out.push(asked.named(&captures));
            }
            if !asked.global {
                break;
            }
        }
        Ok(out.into_iter().collect())
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
        let whole = text(&cv.1)?;
        let mut asked = Asked::new(budget, whole, &pattern, &flags)?;
        asked.global |= global;
        let regex = Rc::clone(&asked.regex);
        let mut texts: Vec<Vec<u8>> = vec![Vec::with_capacity(whole.len())];
        let mut last = 0;
        for captures in regex.captures_iter(whole) {
            let Some(all) = captures.get(0) else { continue };
            if !asked.counts(budget, all.start(), all.end())? {
                continue;
            }
            extend(budget, &mut texts, &whole[last..all.start()])?;
            last = all.end();
            let mut values = Vec::new();
            for value in f.run((ctx.clone(), asked.named(&captures))) {
                if !budget.step(1) {
                    return Err(Exn::halt(0));
                }
                values.push(value?);
            }
            texts = match <[Val; 1]>::try_from(values) {
                Ok([value]) => {
                    let part = replacement(&texts, &value)?;
                    extend(budget, &mut texts, part)?;
                    texts
                }
                Err(values) => {
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
                    next
                }
            };
            if !asked.global || texts.is_empty() {
                break;
            }
        }
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
    let all: [native::Filter<RunPtr<Kit>>; 8] = [
        ("test", v(1), |cv| test(cv, false)),
        ("test", v(2), |cv| test(cv, true)),
        ("scanned_", v(2), scanned),
        ("captured_", v(2), captured),
        ("sub", text_and_program(false), |cv| substituted(cv, false, false)),
        ("sub", text_and_program(true), |cv| substituted(cv, true, false)),
        ("gsub", text_and_program(false), |cv| substituted(cv, false, true)),
        ("gsub", text_and_program(true), |cv| substituted(cv, true, true)),
    ];
    all.into_iter().map(native::run::<Kit>).collect()
}

/// A compiled pattern, and the bytes that it takes, to the next power of two.
fn compile(pattern: &str, flags: &str) -> Result<(Regex, usize), Error<Val>> {
    if pattern.len() > 1_000 {
        return Err(Error::str("the regular expression has more than 1,000 bytes"));
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
                return Err(Error::str(format_args!(
                    "{other} is not a flag of a regular expression"
                )));
            }
        }
    }
    // A program for a small machine: what is larger is slow on every line.
    let mut size = 128;
    loop {
        match builder.size_limit(size).build() {
            Ok(regex) => return Ok((regex, size)),
            Err(error) if size >= 256 * 1024 => {
                return Err(Error::str(format_args!("regular expression: {error}")));
            }
            Err(_) => size *= 2,
        }
    }
}
