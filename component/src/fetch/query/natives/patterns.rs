//! Regular expressions: each compiled once a program, searches counted by text and pattern.

use jaq_core::box_iter::box_once;
use jaq_core::{Error, ValT as _, ValXs};
use jaq_json::Val;

use super::{stopped, string, text};
use crate::fetch::query::program::{Budget, Kit, Limit};

/// Matches of one regular expression in one string.
const MAX_MATCHES: usize = 100_000;

/// Compiled regular expressions that are kept.
const MAX_REGEXES: usize = 32;

/// What matches a regular expression, or lies between.
pub(super) fn matches<'a>(
    mut cv: jaq_core::Cv<'a, Kit>,
    between: bool,
    matching: bool,
) -> ValXs<'a, Val> {
    let (flags, pattern) = (cv.0.pop_var(), cv.0.pop_var());
    let budget = cv.0.data().budget;
    let found = (|| {
        let flags = match &flags {
            Val::Null => "",
            flags => text(flags)?,
        };
        find_all(budget, text(&cv.1)?, text(&pattern)?, flags, between, matching)
    })();
    match found {
        Ok(Some(parts)) => box_once(Ok(parts)),
        Ok(None) => stopped(budget, budget.met().unwrap_or(Limit::Size)),
        Err(error) => box_once(Err(error.into())),
    }
}

fn find_all(
    budget: &Budget,
    whole: &str,
    pattern: &str,
    flags: &str,
    between: bool,
    matching: bool,
) -> Result<Option<Val>, Error<Val>> {
    let key = format!("{flags}/{pattern}");
    let mut regexes = budget.regexes.borrow_mut();
    let at = match regexes.iter().position(|(name, ..)| *name == key) {
        Some(at) => at,
        None => {
            let (regex, size) = compile(pattern, flags)?;
            if regexes.len() >= MAX_REGEXES {
                regexes.remove(0);
            }
            // A program that makes patterns pays for each.
            if !budget.step(1 + size as u64 / 64) {
                return Ok(None);
            }
            regexes.push((key, regex, size));
            regexes.len() - 1
        }
    };
    let Some((_, regex, size)) = regexes.get(at) else { return Ok(None) };
    // At worst each byte is held against each state.
    if !budget.step(1 + (whole.len() as u64).saturating_mul(*size as u64) / 400) {
        return Ok(None);
    }
    let names: Vec<Option<&str>> = regex.capture_names().collect();
    let (mut last, mut count) = (0, 0);
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
    let mut out: Vec<Val> = Vec::new();
    for captures in regex.captures_iter(whole) {
        let Some(all) = captures.get(0) else { continue };
        if flags.contains('n') && all.as_str().is_empty() {
            continue;
        }
        count += 1;
        if count > MAX_MATCHES || !budget.step(4) {
            return Ok(None);
        }
        if between {
            out.push(string(whole[last..all.start()].to_owned()));
            last = all.end();
        }
        if matching {
            let parts = names.iter().enumerate().map(|(index, name)| {
                let field = |key: &str, value: Val| (string(key.to_owned()), value);
                let mut fields = match captures.get(index) {
                    Some(part) => vec![
                        field("offset", Val::from(offset(part.start()))),
                        field("length", Val::from(part.as_str().chars().count())),
                        field("string", string(part.as_str().to_owned())),
                    ],
                    None => vec![
                        field("offset", Val::from(-1isize)),
                        field("length", Val::from(0usize)),
                        field("string", Val::Null),
                    ],
                };
                if index > 0 {
                    let name = name.map_or(Val::Null, |name| string(name.to_owned()));
                    fields.push(field("name", name));
                }
                Val::from_map(fields)
            });
            out.push(parts.collect::<Result<Val, _>>()?);
        }
        if !flags.contains('g') {
            break;
        }
    }
    if between {
        out.push(string(whole[last..].to_owned()));
    }
    Ok(Some(out.into_iter().collect()))
}

/// A compiled pattern, and the bytes that it takes, to the next power of two.
fn compile(pattern: &str, flags: &str) -> Result<(regex_lite::Regex, usize), Error<Val>> {
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
