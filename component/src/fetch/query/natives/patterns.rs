//! Regular expressions: each compiled once a program.

use std::rc::Rc;

use jaq_core::box_iter::box_once;
use jaq_core::native::{self, Fun, bome, v};
use jaq_core::ops::Math;
use jaq_core::{Bind, Error, Exn, RunPtr, ValXs};
use jaq_json::{Map, Val};

use super::scalars::{string, text};
use crate::fetch::engine::{Engine, Refused, Syntax};
use crate::fetch::query::kit::{Compiled, Kept, Kit};

/// Definitions that are left out as they are native here.
pub(super) const NATIVE: [(&str, usize); 6] =
    [("test", 1), ("test", 2), ("sub", 2), ("sub", 3), ("gsub", 2), ("gsub", 3)];

/// Compiled regular expressions that are kept, and bytes of them.
const MAX_REGEXES: usize = 16;
const MAX_REGEX_BYTES: usize = 3 << 20;

/// What a search costs for a step of work, as the automata count it.
const COST_PER_STEP: u64 = 64;

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

impl<'t> Asked<'t> {
    /// What is asked for in a text.
    #[inline(never)]
    fn new(
        kept: &Kept,
        whole: &'t Val,
        pattern: &'t Val,
        flags: &'t Val,
    ) -> Result<Asked<'t>, Error<Val>> {
        // `[pattern, flags]` is both, beside the `g` of what looks for all.
        let (pattern, flags, all) = match (pattern, flags) {
            (Val::Arr(both), Val::Null | Val::TStr(_)) if (1..=2).contains(&both.len()) => {
                let all = !matches!(flags, Val::Null) && text(flags)?.contains('g');
                (&both[0], both.get(1).unwrap_or(&Val::Null), all)
            }
            (pattern, flags) => (pattern, flags, false),
        };
        let whole = text(whole)?;
        let flags = match flags {
            Val::Null => "",
            flags => text(flags)?,
        };
        let pattern = text(pattern)?;
        let mut regexes = kept.regexes.borrow_mut();
        let known = |known: &Compiled| known.pattern == pattern && known.flags == flags;
        let regex = match regexes.iter().find(|regex| known(regex)) {
            Some(known) => known.regex.clone(),
            None => {
                let regex = compile(pattern, flags)?;
                let mut bytes = regexes.iter().map(|known| known.regex.bytes()).sum::<usize>();
                bytes += regex.bytes();
                while !regexes.is_empty()
                    && (regexes.len() >= MAX_REGEXES || bytes > MAX_REGEX_BYTES)
                {
                    bytes -= regexes.remove(0).regex.bytes();
                }
                let (flags, pattern) = (flags.to_owned(), pattern.to_owned());
                regexes.push(Compiled { flags, pattern, regex: regex.clone() });
                regex
            }
        };
        let (global, filled) = (all || flags.contains('g'), flags.contains('n'));
        let ascii = whole.is_ascii();
        Ok(Asked { whole, regex, ascii, global, filled })
    }

    /// The first match at or after a byte, and the end of the text that it was found in.
    fn find(&self, kept: &Kept, from: usize) -> Option<(usize, usize, usize)> {
        let search = |end: usize| {
            let text = &self.whole.as_bytes()[..end];
            let found = self.regex.find(text, from, end, self.ascii, u64::MAX).ok()?;
            kept.count(found.cost / COST_PER_STEP);
            found.at.map(|(start, stop)| (start, stop, end))
        };
        let whole = self.whole.len();
        let found = search(whole);
        // The end is also before the line feed that ends the text.
        if !self.regex.minds_end() || from >= whole || !self.whole.ends_with('\n') {
            return found;
        }
        match (found, search(whole - 1)) {
            (Some(a), Some(b)) if (b.0, a.1) < (a.0, b.1) => Some(b),
            (None, found) => found,
            (found, _) => found,
        }
    }

    /// Gives each match that counts: the first, or all.
    #[inline(never)]
    fn each<E>(
        &self,
        kept: &Kept,
        on: &mut dyn FnMut(Found<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (whole, regex) = (self.whole, &*self.regex);
        let has_groups = regex.names().nth(1).is_some();
        let mut from = 0;
        while let Some((start, end, within)) = self.find(kept, from) {
            if !(self.filled && start == end) {
                let mut groups = Vec::new();
                if has_groups {
                    let (found, cost) = regex.groups(&whole.as_bytes()[..within], start, end);
                    kept.count(cost / COST_PER_STEP);
                    groups = found;
                }
                on(Found { start, end, groups: &groups })?;
                if !self.global {
                    break;
                }
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
    let kept = cv.0.data().kept;
    bome((|| {
        let asked = Asked::new(kept, &cv.1, &pattern, &flags)?;
        let whole = asked.whole;
        let (mut last, mut out) = (0, Vec::<Val>::new());
        asked.each(kept, &mut |found| {
            out.push(string(whole[last..found.start].to_owned()));
            last = found.end;
            Ok::<_, Error<Val>>(())
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
    let kept = cv.0.data().kept;
    bome((|| {
        let asked = Asked::new(kept, &cv.1, &pattern, &flags)?;
        let shapes = ["captures", "name"].map(|last| {
            let keys = ["offset", "length", "string", last];
            keys.into_iter().map(|key| (string(key.to_owned()), Val::Null)).collect()
        });
        let mut told = Told { whole: asked.whole, names: asked.names(), shapes, byte: 0, chars: 0 };
        let mut out: Vec<Val> = Vec::new();
        asked.each(kept, &mut |found| {
            out.push(made(&mut told, found));
            Ok::<_, Error<Val>>(())
        })?;
        Ok(out.into_iter().collect())
    })())
}

/// Whether there is a match.
#[inline(never)]
fn test<'a>(mut cv: jaq_core::Cv<'a, Kit>, has_flags: bool) -> ValXs<'a, Val> {
    let flags = if has_flags { cv.0.pop_var() } else { Val::Null };
    let pattern = cv.0.pop_var();
    let kept = cv.0.data().kept;
    bome((|| {
        let mut asked = Asked::new(kept, &cv.1, &pattern, &flags)?;
        if !asked.filled {
            return Ok(Val::Bool(asked.find(kept, 0).is_some()));
        }
        asked.global = false;
        let mut any = false;
        asked.each(kept, &mut |_| {
            any = true;
            Ok::<_, Error<Val>>(())
        })?;
        Ok(Val::Bool(any))
    })())
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
    let kept = cv.0.data().kept;
    let made = (|| {
        let mut asked = Asked::new(kept, &cv.1, &pattern, &flags)?;
        asked.global |= global;
        let (whole, names) = (asked.whole, asked.names());
        let mut texts: Vec<Vec<u8>> = vec![Vec::with_capacity(whole.len())];
        let extend = |texts: &mut [Vec<u8>], part: &str| {
            texts.iter_mut().for_each(|text| text.extend_from_slice(part.as_bytes()));
        };
        let mut last = 0;
        asked.each(kept, &mut |found| {
            // Where the program gave nothing, nothing is left to go on with.
            if texts.is_empty() {
                return Ok(());
            }
            extend(&mut texts, &whole[last..found.start]);
            last = found.end;
            let values = f.run((ctx.clone(), named(whole, &names, &found)));
            let values: Vec<Val> = values.collect::<Result<_, Exn<'_, Val>>>()?;
            let parts = values.iter().map(|value| replacement(&texts, value));
            let parts: Vec<&str> = parts.collect::<Result<_, _>>()?;
            if let [part] = parts[..] {
                extend(&mut texts, part);
                return Ok(());
            }
            texts = texts
                .iter()
                .flat_map(|text| parts.iter().map(move |part| [text, part.as_bytes()].concat()))
                .collect();
            Ok::<_, Exn<'_, Val>>(())
        })?;
        extend(&mut texts, &whole[last..]);
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
fn compile(pattern: &str, flags: &str) -> Result<Rc<Engine>, Error<Val>> {
    if pattern.len() > 1_000 {
        return Err(Error::str("the regular expression has more than 1,000 bytes"));
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
                return Err(Error::str(wrong));
            }
        }
    }
    Engine::grouped(pattern, syntax).map(Rc::new).map_err(|refused| match refused {
        Refused::Syntax(why) => {
            let hint = match pattern.contains(r"\p") || pattern.contains(r"\P") {
                true => ": \\w, [[:alpha:]] and [[:upper:]] know all letters",
                false => "",
            };
            Error::str(format_args!("regular expression: {why}{hint}"))
        }
        Refused::TooLarge => {
            Error::str("regular expression: it grows too large when compiled: use smaller counts")
        }
    })
}
