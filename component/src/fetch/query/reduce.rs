//! What is made of all results of a query: sums, groups, the first few by a key.
//!
//! A reducer keeps what it must, and no more: its state goes from call to call in the cursor.

use std::collections::BTreeMap;

use jaq_core::ValT as _;
use jaq_json::{Num, Val};
use jaq_std::ValT as _;
use xxhash_rust::xxh3::xxh3_64;

use super::read::read;
use super::value;
use crate::content::numbers::{counted, thousands};
use crate::content::table::{is_date, is_number};
use crate::sort::sort_by;

/// Groups that are told apart.
const MAX_GROUPS: usize = 10_000;

/// Bytes of the keys of all groups, or of all results that are kept.
const MAX_BYTES: usize = 1024 * 1024;

/// Results that a `top` may keep.
const MAX_TOP: usize = 1_000;

/// Bytes of a group's key.
const MAX_KEY_BYTES: usize = 1_000;

/// What is done with the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reducer {
    /// How many.
    Count,
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// Count, sum, mean, least and greatest.
    Stats,
    /// Each different one, with how often.
    Distinct,
    /// The so many greatest by the key, or the least.
    Top {
        /// How many.
        most: usize,
        /// Whether the least.
        least: bool,
    },
    /// A program that is run on the array of all.
    Program(String),
}

/// Whether a word is `p95`, `p99.9` or the like.
fn is_percentile(word: &str) -> bool {
    let number = word.strip_prefix('p').and_then(|number| number.parse::<f64>().ok());
    number.is_some_and(|number| number > 0.0 && number <= 100.0)
}

/// The program of a percentile: the value at its place in order, or between the two beside it, as NumPy has it.
fn percentile(of: &str) -> String {
    format!(
        "map(numbers) | sort | if . == [] then null else ((length - 1) * {of} / 100) as $at \
         | .[$at | floor] as $low | $low + (.[$at | ceil] - $low) * ($at - ($at | floor)) end"
    )
}

impl Reducer {
    /// Reads what a model sends: a word, or else a program.
    pub(super) fn parse(text: &str) -> Reducer {
        let text = text.trim();
        let plain = text.strip_suffix("()").unwrap_or(text);
        // `top5`, `top(5)`, `top_5`, `top: 5` are `top 5`.
        let spaced = ["top", "bottom"].iter().find_map(|word| {
            let rest = plain.strip_prefix(word)?.trim_matches([' ', '(', ')', '_', '-', ':', '=']);
            (!rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| format!("{word} {rest}"))
        });
        let mut words = spaced.as_deref().unwrap_or(plain).split_whitespace();
        let first = words.next().unwrap_or_default().to_ascii_lowercase();
        let second = words.next();
        let alone = second.is_none();
        let top = |least| match second.map_or(Some(10), |n| n.parse::<usize>().ok()) {
            Some(most) => Reducer::Top { most: most.clamp(1, MAX_TOP), least },
            None => Reducer::Program(text.to_owned()),
        };
        match first.as_str() {
            "count" | "length" if alone => Reducer::Count,
            "sum" | "add" | "total" if alone => Reducer::Sum,
            "mean" | "avg" | "average" if alone => Reducer::Mean,
            "min" | "minimum" if alone => Reducer::Min,
            "max" | "maximum" if alone => Reducer::Max,
            "stats" if alone => Reducer::Stats,
            "distinct" | "unique" | "group" if alone => Reducer::Distinct,
            "median" if alone => Reducer::Program(percentile("50")),
            "count" if plain.ends_with(" distinct") => {
                Reducer::Program("unique | length".to_owned())
            }
            "max" | "min" if second.is_some_and(|n| n.parse::<usize>().is_ok()) => {
                top(first == "min")
            }
            other if alone && is_percentile(other) => Reducer::Program(percentile(&other[1..])),
            "top" if words.next().is_none() => top(false),
            "bottom" if words.next().is_none() => top(true),
            _ => Reducer::Program(text.to_owned()),
        }
    }

    fn takes_numbers(&self) -> bool {
        matches!(self, Reducer::Sum | Reducer::Mean | Reducer::Stats)
    }

    fn skips_null(&self) -> bool {
        self.takes_numbers() || matches!(self, Reducer::Min | Reducer::Max)
    }
}

/// What is known of one group.
#[derive(Debug, Clone, Default)]
struct Group {
    count: u64,
    sum: Val,
    least: Option<Val>,
    greatest: Option<Val>,
}

/// What was made of the results so far.
#[derive(Debug, Default)]
pub(super) struct State {
    groups: BTreeMap<String, Group>,
    /// Keys and results of a `top`; results of a program, with the group of each.
    kept: Vec<(Val, Val)>,
    bytes: usize,
    /// Results in groups that there was no room for.
    left_out: u64,
    /// Results that were null where a number or an order was wanted.
    nulls: u64,
    /// Of what is ordered: numbers and texts, and texts that begin with a number; of those the fewest and the most digits
    /// before its point, and how many are nothing else.
    numbers: u64,
    texts: u64,
    figures: u64,
    digits: [u64; 2],
    plain: u64,
    /// Of what is counted: null, true and false.
    empty: u64,
    truths: [u64; 2],
    /// Rows for which `by` gave nothing.
    groupless: u64,
    /// The name of the last group, whose room is used again.
    name: String,
}

impl State {
    /// Takes a result once for each group of its row; for the first alone where the groups are an order.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub(super) fn take_for(
        &mut self,
        reducer: &Reducer,
        keys: &[Val],
        result: Val,
    ) -> Result<(), String> {
        let more = keys.get(1..).unwrap_or_default();
        if !matches!(reducer, Reducer::Top { .. }) {
            for key in more {
                self.take(reducer, Some(key), result.clone())?;
            }
        }
        self.take(reducer, keys.first(), result)
    }

    /// Counts a row for which `by` gave nothing.
    pub(super) fn in_no_group(&mut self) {
        self.groupless += 1;
    }

    /// Takes a result, with the key of its row.
    ///
    /// # Errors
    /// Why it cannot be taken.
    pub(super) fn take(
        &mut self,
        reducer: &Reducer,
        key: Option<&Val>,
        result: Val,
    ) -> Result<(), String> {
        if reducer.skips_null() && matches!(result, Val::Null) {
            self.nulls += 1;
            return Ok(());
        }
        if reducer.takes_numbers() && !matches!(result, Val::Num(_)) {
            let text = value::clipped(&result, 60);
            return Err(match &result {
                Val::TStr(bytes) if is_number(bytes.trim_ascii()) => {
                    format!("{text} is text, not a number: | tonumber reads it")
                }
                Val::TStr(_) => format!("{text} is text, not a number"),
                _ => format!("{text} is not a number"),
            });
        }
        if *reducer == Reducer::Count {
            match result {
                Val::Null => self.empty += 1,
                Val::Bool(is) => self.truths[usize::from(!is)] += 1,
                _ => {}
            }
        }
        match reducer {
            Reducer::Top { most, least } => {
                let key = key.cloned().unwrap_or_else(|| result.clone());
                if matches!(key, Val::Null) {
                    self.nulls += 1;
                    return Ok(());
                }
                self.ordered(&key);
                return self.rank(key, result, *most, *least);
            }
            Reducer::Program(_) => {
                let mut text = String::new();
                value::write(&result, MAX_BYTES, &mut text);
                self.bytes += text.len() + 1;
                if self.bytes > MAX_BYTES {
                    return Err("the results are too many for a program; use count, sum, stats, \
                                distinct or top, with by for groups"
                        .to_owned());
                }
                self.kept.push((key.cloned().unwrap_or_default(), result));
                return Ok(());
            }
            _ => {}
        }
        if matches!(reducer, Reducer::Min | Reducer::Max) {
            self.ordered(&result);
        }
        let of = match (reducer, key) {
            (Reducer::Distinct, None) => Some(&result),
            (_, key) => key,
        };
        let Some(group) = self.group(of) else { return Ok(()) };
        group.count += 1;
        match reducer {
            Reducer::Sum | Reducer::Mean | Reducer::Stats => group.add(&result),
            _ => {}
        }
        if matches!(reducer, Reducer::Min | Reducer::Max | Reducer::Stats) {
            group.order(result);
        }
        Ok(())
    }

    /// The group that a value names; none when there are too many.
    fn group(&mut self, of: Option<&Val>) -> Option<&mut Group> {
        let mut name = std::mem::take(&mut self.name);
        name.clear();
        if let Some(of) = of
            && !value::write_equal(of, MAX_KEY_BYTES, &mut name)
        {
            // Keys that only begin alike are not the same: each is told by a digest of all of it.
            let mut whole = String::new();
            value::write_equal(of, usize::MAX, &mut whole);
            name.push_str(&format!("… {:016x}", xxh3_64(whole.as_bytes())));
        }
        if !self.groups.contains_key(&name) {
            if self.groups.len() >= MAX_GROUPS || self.bytes + name.len() > MAX_BYTES {
                self.left_out += 1;
                self.name = name;
                return None;
            }
            self.bytes += name.len();
            self.groups.insert(name.clone(), Group::default());
        }
        self.name = name;
        self.groups.get_mut(&self.name)
    }

    /// Counts a value that is ordered among others.
    fn ordered(&mut self, value: &Val) {
        match value {
            Val::Num(_) => self.numbers += 1,
            Val::TStr(text) => {
                self.texts += 1;
                let text = text.trim_ascii();
                let digits = figure(text);
                if digits > 0 && !is_date(text) {
                    let [least, most] = self.digits;
                    let least = if self.figures == 0 { digits } else { least.min(digits) };
                    self.digits = [least, most.max(digits)];
                    self.figures += 1;
                    self.plain += u64::from(is_number(text));
                }
            }
            _ => {}
        }
    }

    fn rank(&mut self, key: Val, result: Val, most: usize, least: bool) -> Result<(), String> {
        // Among equal ones the first stay.
        let before = |a: &Val, b: &Val| if least { a < b } else { a > b };
        let at = self.kept.partition_point(|(kept, _)| !before(&key, kept));
        if at >= most {
            return Ok(());
        }
        let size = |value: &Val| {
            let mut text = String::new();
            value::write(value, MAX_BYTES, &mut text);
            text.len()
        };
        self.bytes += size(&key) + size(&result);
        self.kept.insert(at, (key, result));
        if self.kept.len() > most
            && let Some((key, result)) = self.kept.pop()
        {
            self.bytes = self.bytes.saturating_sub(size(&key) + size(&result));
        }
        if self.bytes > MAX_BYTES {
            return Err("the results are too large to keep; let the query choose what matters of \
                        each"
                .to_owned());
        }
        Ok(())
    }

    /// What is to be said beside the results.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.left_out > 0 {
            notes.push(format!(
                "{} results are in none of the {} groups shown: there are more groups than fit",
                self.left_out,
                self.groups.len()
            ));
        }
        if self.nulls > 0 {
            notes.push(format!("{} results are null and not counted", self.nulls));
        }
        if self.groupless > 0 {
            notes.push(format!("{} in no group: by gives nothing", counted(self.groupless, "row")));
        }
        if self.empty > 0 {
            notes.push(format!("{} of what is counted are null", thousands(self.empty)));
        }
        let [truths, falses] = self.truths;
        if falses > 0 {
            let (truths, falses) = (thousands(truths), thousands(falses));
            notes.push(format!(
                "of what is counted {truths} are true and {falses} false: select(...) keeps what is true"
            ));
        }
        let reads = match self.plain == self.texts {
            true => "| tonumber reads it as one",
            false => "| gsub(\"[^0-9.]\"; \"\") | tonumber reads what is written so",
        };
        let (numbers, texts) = (thousands(self.numbers), thousands(self.texts));
        // Of as many digits they have the order of numbers.
        let are_figures = self.figures * 10 >= self.texts * 9;
        if self.texts > 0 && self.numbers > 0 {
            let how = if are_figures { reads } else { "| numbers leaves it out" };
            notes.push(format!(
                "{numbers} of what is ordered are numbers and {texts} text, which is above every number: {how}"
            ));
        } else if self.texts > 0 && are_figures && self.digits[0] != self.digits[1] {
            notes.push(format!("all {texts} are ordered as text, in which 9 is above 10: {reads}"));
        }
        notes
    }

    /// The results of a program, for that program: those of each group, if there are groups.
    pub(super) fn collected(&self, grouped: bool) -> Vec<(Val, Val)> {
        if !grouped {
            return vec![(Val::Null, self.kept.iter().map(|(_, result)| result.clone()).collect())];
        }
        let mut groups: Vec<(Val, Vec<Val>)> = Vec::new();
        for (key, result) in &self.kept {
            match groups.iter_mut().find(|(known, _)| known == key) {
                Some((_, results)) => results.push(result.clone()),
                None => groups.push((key.clone(), vec![result.clone()])),
            }
        }
        groups.into_iter().map(|(key, results)| (key, results.into_iter().collect())).collect()
    }

    /// What came of it, in the order in which it is shown.
    pub(super) fn results(&self, reducer: &Reducer, grouped: bool) -> Vec<Val> {
        if let Reducer::Top { .. } = reducer {
            return self.kept.iter().map(|(_, result)| result.clone()).collect();
        }
        let number = |count: u64| Val::Num(Num::from_integral(count));
        let named = |name: &str, value: Val| (Val::from(name.to_owned()), value);
        if !grouped && *reducer != Reducer::Distinct {
            let none = Group::default();
            let group = self.groups.values().next().unwrap_or(&none);
            return vec![match reducer {
                Reducer::Stats => Val::from_map(group.stats()).unwrap_or_default(),
                reducer => group.one(reducer),
            }];
        }
        let mut rows: Vec<(Val, Val)> = Vec::new();
        for (key, group) in &self.groups {
            let key = read(key.as_bytes()).unwrap_or_else(|_| Val::from(key.clone()));
            let order = match reducer {
                Reducer::Distinct | Reducer::Stats | Reducer::Count => number(group.count),
                reducer => group.one(reducer),
            };
            let members = match reducer {
                Reducer::Distinct => {
                    vec![named("value", key), named("count", number(group.count))]
                }
                Reducer::Stats => [named("key", key)].into_iter().chain(group.stats()).collect(),
                Reducer::Count => vec![named("key", key), named("count", number(group.count))],
                reducer => {
                    let name = match reducer {
                        Reducer::Sum => "sum",
                        Reducer::Mean => "mean",
                        Reducer::Min => "min",
                        _ => "max",
                    };
                    vec![
                        named("key", key),
                        named(name, group.one(reducer)),
                        named("count", number(group.count)),
                    ]
                }
            };
            rows.push((order, Val::from_map(members).unwrap_or_default()));
        }
        let least_first = *reducer == Reducer::Min;
        sort_by(&mut rows, |(a, _), (b, _)| if least_first { a.cmp(b) } else { b.cmp(a) });
        rows.into_iter().map(|(_, row)| row).collect()
    }

    /// The state as text.
    pub(super) fn save(&self) -> String {
        let State { left_out, nulls, numbers, texts, figures, plain, empty, groupless, .. } = self;
        let ([least, most], [truths, falses]) = (self.digits, self.truths);
        let mut out = format!(
            "[{left_out},{nulls},{numbers},{texts},{figures},{plain},{empty},{groupless},{least},{most},{truths},{falses}"
        );
        let mut push = |parts: &[&Val]| {
            out.push_str(",[");
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                value::write(part, usize::MAX, &mut out);
            }
            out.push(']');
        };
        for (key, group) in &self.groups {
            let option = |value: &Option<Val>| match value {
                Some(value) => [value.clone()].into_iter().collect(),
                None => Val::Null,
            };
            push(&[
                &Val::from(key.clone()),
                &Val::Num(Num::from_integral(group.count)),
                &group.sum,
                &option(&group.least),
                &option(&group.greatest),
            ]);
        }
        for (key, result) in &self.kept {
            push(&[key, result]);
        }
        out.push(']');
        out
    }

    /// Reads a state; nothing when it is not one.
    pub(super) fn load(text: &str) -> Option<State> {
        let Ok(Val::Arr(parts)) = read(text.as_bytes()) else { return None };
        let mut parts = parts.iter();
        let count = |value: &Val| match value {
            Val::Num(number) => number.to_string().parse::<u64>().ok(),
            _ => None,
        };
        let mut state = State {
            left_out: count(parts.next()?)?,
            nulls: count(parts.next()?)?,
            numbers: count(parts.next()?)?,
            texts: count(parts.next()?)?,
            figures: count(parts.next()?)?,
            plain: count(parts.next()?)?,
            empty: count(parts.next()?)?,
            groupless: count(parts.next()?)?,
            digits: [count(parts.next()?)?, count(parts.next()?)?],
            truths: [count(parts.next()?)?, count(parts.next()?)?],
            bytes: text.len(),
            ..State::default()
        };
        let option = |value: &Val| match value {
            Val::Arr(value) => value.first().cloned(),
            _ => None,
        };
        for part in parts {
            let Val::Arr(part) = part else { return None };
            match &part[..] {
                [Val::TStr(key), number, sum, least, greatest] => {
                    let key = String::from_utf8(key.to_vec()).ok()?;
                    let group = Group {
                        count: count(number)?,
                        sum: sum.clone(),
                        least: option(least),
                        greatest: option(greatest),
                    };
                    state.groups.insert(key, group);
                }
                [key, result] => state.kept.push((key.clone(), result.clone())),
                _ => return None,
            }
        }
        Some(state)
    }
}

/// Digits of the number that a text begins with, up to its point, behind a sign or one of money; 0 where it begins with
/// none.
fn figure(text: &[u8]) -> u64 {
    let signs = text.iter().take_while(|byte| b"+-$ ".contains(byte) || **byte >= 0x80).count();
    let digits = text[signs..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b',');
    digits.count() as u64
}

impl Group {
    fn add(&mut self, number: &Val) {
        let sum = std::mem::take(&mut self.sum);
        self.sum = match sum {
            Val::Null => number.clone(),
            sum => (sum + number.clone()).unwrap_or_default(),
        };
    }

    fn order(&mut self, result: Val) {
        if self.least.as_ref().is_none_or(|least| result < *least) {
            self.least = Some(result.clone());
        }
        if self.greatest.as_ref().is_none_or(|greatest| result > *greatest) {
            self.greatest = Some(result);
        }
    }

    fn mean(&self) -> Val {
        match self.sum.as_f64() {
            Some(sum) if self.count > 0 => Val::from(sum / self.count as f64),
            _ => Val::Null,
        }
    }

    fn one(&self, reducer: &Reducer) -> Val {
        match reducer {
            Reducer::Count => Val::Num(Num::from_integral(self.count)),
            Reducer::Sum => match &self.sum {
                Val::Null => Val::from(0usize),
                sum => sum.clone(),
            },
            Reducer::Mean => self.mean(),
            Reducer::Min => self.least.clone().unwrap_or_default(),
            Reducer::Max => self.greatest.clone().unwrap_or_default(),
            _ => Val::Null,
        }
    }

    fn stats(&self) -> Vec<(Val, Val)> {
        let named = |name: &str, value: Val| (Val::from(name.to_owned()), value);
        vec![
            named("count", self.one(&Reducer::Count)),
            named("sum", self.one(&Reducer::Sum)),
            named("min", self.one(&Reducer::Min)),
            named("max", self.one(&Reducer::Max)),
            named("mean", self.mean()),
        ]
    }
}
