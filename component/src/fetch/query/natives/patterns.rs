//! Regular expressions: each compiled once a program, searches counted by text and pattern.

use std::rc::Rc;

use jaq_core::box_iter::box_once;
use jaq_core::native::{self, Fun, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Error, Exn, RunPtr, ValXs};
use jaq_json::{Map, Val};

use super::scalars::{string, text};
use crate::fetch::engine::{Engine, Refused, Syntax};
use crate::fetch::query::budget::{Budget, Compiled, Kit, Limit};
use crate::fetch::query::costs::{MAX_STRING, paid, stop, touched};

/// Definitions that are left out as they are native here.
pub(super) const NATIVE: [(&str, usize); 6] =
    [("test", 1), ("test", 2), ("sub", 2), ("sub", 3), ("gsub", 2), ("gsub", 3)];

/// Matches of one regular expression in one string.
const MAX_MATCHES: usize = 100_000;

/// Compiled regular expressions that are kept, and bytes of them.
const MAX_REGEXES: usize = 16;
const MAX_REGEX_BYTES: usize = 3 << 20;

/// What a search costs for a step, as the automata count it.
const COST_PER_STEP: u64 = 64;

/// Bytes of a compiled pattern for a step.
const BYTES_PER_STEP: u64 = 24;

/// What a program asks for: a regular expression, where, and with which flags.
struct Asked<'t> {
    whole: &'t str,
    regex: Rc<Engine>,
    /// Whether the text is all ASCII.
    ascii: bool,
    global: bool,
    /// Whether matches of nothing do not count.
    filled: bool,
}

/// A match: where, and where its groups are if it has any.
struct Found<'m> {
    start: usize,
    end: usize,
    groups: &'m [Option<(usize, usize)>],
}

type Done<'a> = Result<(), Exn<'a, Val>>;

impl<'t> Asked<'t> {
    /// What is asked for in a text. It is paid for.
    #[inline(never)]
    fn new<'a>(
        budget: &'a Budget,
        whole: &'t Val,
        pattern: &'t Val,
        flags: &'t Val,
    ) -> Result<Asked<'t>, Exn<'a, Val>> {
        // `[pattern, flags]` is both, beside the `g` of what looks for all.
        let (pattern, flags, all) = match (pattern, flags) {
            (Val::Arr(both), Val::Null | Val::TStr(_)) if (1..=2).contains(&both.len()) => {
                let all = !matches!(flags, Val::Null) && text(flags)?.contains('g');
                (&both[0], both.get(1).unwrap_or(&Val::Null), all)
            }
            (pattern, flags) => (pattern, flags, false),
        };
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
                let regex = compile(budget, pattern, flags)?;
                let mut kept = regexes.iter().map(|known| known.regex.bytes()).sum::<usize>();
                kept += regex.bytes();
                while regexes.len() >= MAX_REGEXES || kept > MAX_REGEX_BYTES && !regexes.is_empty()
                {
                    kept -= regexes.remove(0).regex.bytes();
                }
                let (flags, pattern) = (flags.to_owned(), pattern.to_owned());
                regexes.push(Compiled { flags, pattern, regex });
                regexes.len() - 1
            }
        };
        let Some(Compiled { regex, .. }) = regexes.get(at) else {
            return Err(stop(budget, Limit::Size));
        };
        if !budget.step(1 + whole.len() as u64 / 64) {
            return Err(Exn::halt(0));
        }
        let (global, filled) = (all || flags.contains('g'), flags.contains('n'));
        let ascii = whole.is_ascii();
        Ok(Asked { whole, regex: regex.clone(), ascii, global, filled })
    }

    /// The first match at or after a byte, and the end of the text that it was found in. It is paid
    /// for.
    fn find<'a>(
        &self,
        budget: &'a Budget,
        regex: &Engine,
        from: usize,
    ) -> Result<Option<(usize, usize, usize)>, Exn<'a, Val>> {
        let search = |end: usize| {
            let most = budget.left().saturating_mul(COST_PER_STEP);
            let text = &self.whole.as_bytes()[..end];
            match regex.find(text, from, end, self.ascii, most) {
                Ok(found) => {
                    paid(budget, found.cost / COST_PER_STEP)?;
                    Ok(found.at.map(|(start, stop)| (start, stop, end)))
                }
                Err(_) => Err(stop(budget, Limit::Steps)),
            }
        };
        let whole = self.whole.len();
        let found = search(whole)?;
        // The end is also before the line feed that ends the text.
        if !regex.minds_end() || from >= whole || !self.whole.ends_with('\n') {
            return Ok(found);
        }
        Ok(match (found, search(whole - 1)?) {
            (Some(a), Some(b)) if (b.0, a.1) < (a.0, b.1) => Some(b),
            (None, found) => found,
            (found, _) => found,
        })
    }

    /// Gives each match that counts: the first, or all. They are paid for.
    #[inline(never)]
    fn each<'a>(&self, budget: &'a Budget, on: &mut dyn FnMut(Found<'_>) -> Done<'a>) -> Done<'a> {
        let (whole, global) = (self.whole, self.global);
        let mut count = 0;
        let mut given = |found: Found<'_>| -> Result<bool, Exn<'a, Val>> {
            if self.filled && found.start == found.end {
                return Ok(true);
            }
            count += 1;
            if count > MAX_MATCHES {
                return Err(stop(budget, Limit::Size));
            }
            if !budget.step(4) {
                return Err(Exn::halt(0));
            }
            on(found)?;
            Ok(global)
        };
        let regex = &*self.regex;
        let has_groups = regex.names().nth(1).is_some();
        let mut from = 0;
        while let Some((start, end, within)) = self.find(budget, regex, from)? {
            let mut groups = Vec::new();
            if has_groups {
                let (found, cost) = regex.groups(&whole.as_bytes()[..within], start, end);
                paid(budget, 1 + cost / COST_PER_STEP)?;
                groups = found;
            }
            if !given(Found { start, end, groups: &groups })? {
                break;
            }
            // Behind a match of nothing goes on one character further.
            from = match start == end {
                false => end,
                true => match whole[end..].chars().next() {
                    Some(next) => end + next.len_utf8(),
                    None => break,
                },
            };
        }
        Ok(())
    }

    /// The names of the groups, in their order.
    fn names(&self) -> Vec<Option<String>> {
        self.regex.names().skip(1).map(|name| name.map(str::to_owned)).collect()
    }
}

/// The groups that have a name: what they match, or null.
#[inline(never)]
fn named(whole: &str, names: &[Option<String>], found: &Found<'_>) -> Val {
    let mut named = Map::default();
    for (name, group) in names.iter().zip(found.groups) {
        if let Some(name) = name {
            let part = group.map_or(Val::Null, |(start, end)| string(whole[start..end].to_owned()));
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
        for (index, part) in found.groups.iter().enumerate() {
            let name = self.names.get(index).cloned().flatten().map_or(Val::Null, string);
            groups.push(self.place(1, *part, name));
        }
        self.place(0, Some((found.start, found.end)), groups.into_iter().collect())
    }

    /// Its groups, or all of it where there are none.
    fn parts(&mut self, found: Found<'_>) -> Val {
        let part = |(start, end): (usize, usize)| string(self.whole[start..end].to_owned());
        match found.groups {
            [] => part((found.start, found.end)),
            groups => groups.iter().map(|group| group.map_or(Val::Null, part)).collect(),
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
            return Ok(Val::Bool(asked.find(budget, &asked.regex, 0)?.is_some()));
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
            for value in f.run((ctx.clone(), named(whole, &names, &found))) {
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
        ("captured_", v(2), |cv| told(cv, |told, found| named(told.whole, &told.names, &found))),
        ("sub", text_and_program(false), |cv| substituted(cv, false, false)),
        ("sub", text_and_program(true), |cv| substituted(cv, true, false)),
        ("gsub", text_and_program(false), |cv| substituted(cv, false, true)),
        ("gsub", text_and_program(true), |cv| substituted(cv, true, true)),
    ];
    all.into_iter().map(native::run::<Kit>).collect()
}

/// A compiled pattern.
fn compile<'a>(budget: &'a Budget, pattern: &str, flags: &str) -> Result<Rc<Engine>, Exn<'a, Val>> {
    if pattern.len() > 1_000 {
        return Err(Error::str("the regular expression has more than 1,000 bytes").into());
    }
    let mut syntax = Syntax::default();
    for flag in flags.chars() {
        match flag {
            // To jq `s` says that `^` and `$` are the ends of the text, as they are anyway.
            'g' | 'n' | 's' => {}
            'i' => syntax.folded = true,
            'x' => syntax.spaced = true,
            'm' => syntax.lines = true,
            'p' => syntax.dotall = true,
            other => {
                let wrong = format_args!(
                    "{other} is not a flag of a regular expression here; there are g, i, x, n, p"
                );
                return Err(Error::str(wrong).into());
            }
        }
    }
    // A program that makes patterns pays for each, and for each attempt.
    let cased = pattern.matches("[:upper:]").count() + pattern.matches("[:lower:]").count();
    paid(budget, 1 + 2 * pattern.len() as u64 + 4_000 * cased as u64)?;
    match Engine::grouped(pattern, syntax) {
        Ok(regex) => {
            paid(budget, regex.bytes() as u64 / BYTES_PER_STEP)?;
            Ok(Rc::new(regex))
        }
        Err(Refused::Syntax(why)) => {
            let hint = match pattern.contains(r"\p") || pattern.contains(r"\P") {
                true => ": \\w, [[:alpha:]] and [[:upper:]] know all letters",
                false => "",
            };
            Err(Error::str(format_args!("regular expression: {why}{hint}")).into())
        }
        Err(Refused::TooLarge) => {
            paid(budget, MAX_REGEX_BYTES as u64 / 8 / BYTES_PER_STEP)?;
            let why = "regular expression: it grows too large when compiled: use smaller counts";
            Err(Error::str(why).into())
        }
    }
}
