//! Compiles and runs jq programs within bounds.
//!
//! The interpreter is jaq. It has no limit of its own, so every program is rewritten before it is
//! compiled: definitions, iterations and constructors call natives that count steps, weigh values
//! and look at the stack. What is allocated between two steps counts too, so that a step that does
//! much costs much. A recursion that is not the last thing a definition does runs in a frame, a part
//! of the stack that natives can see: they cannot see the machine's own. Where a bound is met they
//! end the whole program, in a way that a `try` in it cannot catch.

use std::cell::{Cell, RefCell};

use jaq_core::load::lex::{Lexer, StrPart};
use jaq_core::load::parse::{BinaryOp, Def, Parser, Pattern, Term};
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::ops::Math;
use jaq_core::path::{Part, Path};
use jaq_core::{Compiler, Ctx, DataT, Filter, Lut, Vars, data};
use jaq_json::Val;

use super::calc::{self, Calcs};
use super::fast::{Fast, Members};
use super::natives;
use super::parts::Parts;
use super::value;
use crate::allocations;
use crate::fence::token;

/// Characters in a program.
const MAX_CHARS: usize = 4_000;

/// Brackets and operators that a program may have inside each other, or in a row: the parser
/// recurses on them.
const MAX_NESTING: usize = 64;
const MAX_OPERATORS: usize = 400;

/// Bytes of the stack that a program may use.
const STACK_BYTES: usize = 288 * 1024;

/// Allocations that count as a step: what a program does between two of its steps is counted so.
const ALLOCATIONS_PER_STEP: u64 = 12;

/// Bytes of memory from which on a program may not make more, of the 64 MiB that a host gives.
const MEMORY_BYTES: usize = 30 * 1024 * 1024;

/// What the interpreter works with: values, and what a run may use.
pub(super) struct Kit;

impl DataT for Kit {
    type V<'a> = Val;
    type Data<'a> = Data<'a>;
}

/// What natives see of a run.
#[derive(Clone, Copy)]
pub(super) struct Data<'a> {
    lut: &'a Lut<Kit>,
    pub(super) calcs: &'a Calcs,
    pub(super) budget: &'a Budget,
}

impl<'a> data::HasLut<'a, Kit> for Data<'a> {
    fn lut(&self) -> &'a Lut<Kit> {
        self.lut
    }
}

/// Why a program was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    /// Too many steps.
    Steps,
    /// Too deep a recursion.
    Stack,
    /// Too large a value.
    Size,
    /// Too deeply nested a value.
    Depth,
    /// Too much memory for all values together.
    Memory,
}

impl Limit {
    /// What is told of it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Limit::Steps => "it takes too many steps",
            Limit::Stack => "it recurses too deeply",
            Limit::Size => "it builds a value that is too large",
            Limit::Depth => "it builds a value that is nested too deeply",
            Limit::Memory => "it holds too much at once",
        }
    }
}

/// What is left of what a run may use, and what its natives keep.
pub(super) struct Budget {
    steps: Cell<u64>,
    stack: Cell<usize>,
    limit: Cell<Option<Limit>>,
    /// Compiled regular expressions.
    pub(super) regexes: RefCell<Vec<natives::Compiled>>,
    /// Bytes of memory that a run may make the machine have.
    memory: Cell<usize>,
    /// Allocations that are counted as steps.
    allocations: Cell<u64>,
    /// Parts of what was put into other values that were not weighed with it.
    pub(super) put: Cell<u64>,
}

impl Budget {
    /// With so many steps.
    pub(super) fn new(steps: u64) -> Budget {
        Budget {
            steps: Cell::new(steps),
            stack: Cell::new(0),
            limit: Cell::new(None),
            regexes: RefCell::default(),
            memory: Cell::new(usize::MAX),
            allocations: Cell::new(allocations::count()),
            put: Cell::new(0),
        }
    }

    /// The bound that was met.
    pub(super) fn met(&self) -> Option<Limit> {
        self.limit.get()
    }

    /// Steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.steps.get()
    }

    /// Takes steps that were taken elsewhere.
    pub(super) fn take(&self, steps: u64) {
        self.steps.set(self.steps.get().saturating_sub(steps));
    }

    /// Counts `steps`; `false` when there are none left or the stack is used up.
    pub(super) fn step(&self, steps: u64) -> bool {
        let left = self.steps.get();
        let steps = steps.saturating_add(self.unseen());
        if left < steps {
            self.steps.set(0);
            self.limit.set(Some(Limit::Steps));
            return false;
        }
        self.steps.set(left - steps);
        if here().abs_diff(self.stack.get()) > STACK_BYTES {
            self.limit.set(Some(Limit::Stack));
            return false;
        }
        if memory_bytes() > self.memory.get() {
            self.limit.set(Some(Limit::Memory));
            return false;
        }
        true
    }

    /// Steps for what was allocated since the last.
    fn unseen(&self) -> u64 {
        let before = self.allocations.get();
        let steps = allocations::count().saturating_sub(before) / ALLOCATIONS_PER_STEP;
        self.allocations.set(before + steps * ALLOCATIONS_PER_STEP);
        steps
    }

    /// Ends the run.
    pub(super) fn stop(&self, limit: Limit) {
        self.limit.set(Some(limit));
    }
}

/// Where the stack is.
#[inline(never)]
fn here() -> usize {
    let mark = 0u8;
    std::ptr::from_ref(std::hint::black_box(&mark)) as usize
}

/// Bytes of memory that the machine has; 0 where that is not known.
fn memory_bytes() -> usize {
    #[cfg(target_family = "wasm")]
    return core::arch::wasm32::memory_size(0) << 16;
    #[cfg(not(target_family = "wasm"))]
    0
}

/// Whether so much is held already that a program would have no room.
pub(super) fn is_large() -> bool {
    memory_bytes() > MEMORY_BYTES
}

/// What ended a run before its last output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The program failed on this input.
    Error(String),
    /// A bound was met.
    Costly(Limit),
}

/// A compiled program, and the short way to its results when there is one.
pub(super) struct Program {
    filter: Filter<Kit>,
    calcs: Calcs,
    pub(super) fast: Option<Fast>,
}

/// Characters of an error that are shown.
const ERROR_CHARS: usize = 200;

impl Program {
    /// Compiles a program. What it looks at is added to `members`, where it has a short way, and to
    /// `parts`.
    ///
    /// # Errors
    /// What is wrong with it, where, in words.
    pub(super) fn compile(
        source: &str,
        members: &mut Members,
        parts: &mut Parts,
    ) -> Result<Program, String> {
        check_size(source)?;
        let term = parse(source)?;
        let fast = Fast::compile(&term, members);
        parts.add(&term);
        let linked = link(source, term, needed(source, natives::definitions()));
        // What is wrong with it is said of the whole library.
        let (filter, calcs) = match linked {
            Ok(linked) => linked,
            Err(_) => link(source, parse(source)?, natives::definitions())?,
        };
        Ok(Program { filter, calcs, fast })
    }

    /// Runs the program on one value. Each output goes to `each`, until that returns `false`.
    ///
    /// # Errors
    /// [`Failure`]; the outputs before it were given.
    pub(super) fn run(
        &self,
        budget: &Budget,
        input: Val,
        each: &mut dyn FnMut(Val) -> bool,
    ) -> Result<(), Failure> {
        budget.stack.set(here());
        budget.limit.set(None);
        budget.put.set(0);
        budget.allocations.set(allocations::count());
        // A list that grows is for a moment there three times.
        budget.memory.set(MEMORY_BYTES.max(memory_bytes() + MEMORY_BYTES / 2));
        if !budget.step(1) {
            return Err(Failure::Costly(Limit::Steps));
        }
        let data = Data { lut: &self.filter.lut, calcs: &self.calcs, budget };
        let ctx = Ctx::<Kit>::new(data, Vars::new([]));
        for output in self.filter.id.run((ctx, input)) {
            if let Some(limit) = budget.limit.get() {
                return Err(Failure::Costly(limit));
            }
            match output {
                Ok(value) => {
                    if !each(value) {
                        return budget.met().map_or(Ok(()), |limit| Err(Failure::Costly(limit)));
                    }
                }
                Err(exception) => {
                    let Ok(error) = exception.get_err() else {
                        return Err(Failure::Error("the program broke off".to_owned()));
                    };
                    let error = error.into_val();
                    return Err(match budget.step(natives::catching(&error)) {
                        true => Failure::Error(value::clipped(&error, ERROR_CHARS)),
                        false => Failure::Costly(Limit::Steps),
                    });
                }
            }
        }
        budget.take(budget.unseen());
        match budget.limit.get() {
            Some(limit) => Err(Failure::Costly(limit)),
            None => Ok(()),
        }
    }
}

/// Joins a program with the definitions that it calls.
#[inline(never)]
fn link(
    source: &str,
    term: Tm<'_>,
    mut prelude: Vec<Def<&'static str>>,
) -> Result<(Filter<Kit>, Calcs), String> {
    let mut words = Vec::new();
    names(&term, &mut words);
    let is_path = |word: &&str| word.contains("path") || matches!(*word, "del" | "pick");
    let calcs = Calcs { plain: !words.iter().any(is_path), ..Calcs::default() };
    let mut guard = Guard { calcs, ..Guard::default() };
    let main = Def { name: "!main", args: Vec::new(), body: guard.term(term) };
    let mut calcs = guard.calcs;
    for def in &mut prelude {
        let recursive = def.name == "walk" || calls_itself(def);
        let plain = std::mem::replace(def, empty_def());
        let mut guard = Guard { calcs, ..Guard::default() };
        *def = guard.def(plain, recursive);
        calcs = guard.calcs;
    }
    let mut prelude: Vec<Def<&str>> = prelude;
    prelude.push(main);
    let body = Term::Call("!main", Vec::new());
    prelude.push(Def { name: "weir_main", args: Vec::new(), body });
    let arena = Arena::default();
    let call = File { code: "weir_main", path: () };
    let unreadable = |_| "the program cannot be read".to_owned();
    let modules = Loader::new(prelude).load(&arena, call).map_err(unreadable)?;
    let functions = natives::functions().into_iter().chain(calcs.functions());
    let filter = Compiler::default().with_funs(functions).compile(modules);
    filter.map(|filter| (filter, calcs)).map_err(|errors| {
        let first = errors.into_iter().flat_map(|(_, errors)| errors).next();
        match first {
            Some((name, undefined)) => undefined_words(source, name, &undefined),
            None => "the program cannot be compiled".to_owned(),
        }
    })
}

/// The definitions that a program may call, by its words, and those that these call.
fn needed(source: &str, library: Vec<Def<&'static str>>) -> Vec<Def<&'static str>> {
    let words = source.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '@'));
    let mut wanted: Vec<&str> = words.collect();
    let mut needed = Vec::new();
    // A definition calls those before it.
    for def in library.into_iter().rev() {
        if def.name.starts_with('!') || wanted.contains(&def.name) {
            names(&def.body, &mut wanted);
            needed.push(def);
        }
    }
    needed.reverse();
    needed
}

/// The names that a term calls. Where something is a path in it, or stands where a name of the library stood,
/// `path` is among them.
fn names<'s>(term: &Tm<'s>, out: &mut Vec<&'s str>) {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match term {
            Term::Call(name, args) => {
                out.push(name);
                open.extend(args);
            }
            Term::Str(format, parts) => {
                out.extend(format);
                open.extend(parts.iter().filter_map(|part| match part {
                    StrPart::Term(term) => Some(term),
                    _ => None,
                }));
            }
            Term::Obj(members) => {
                for (key, value) in members {
                    open.push(key);
                    open.extend(value);
                }
            }
            Term::BinOp(l, op, r) => {
                use BinaryOp::{Assign, Update, UpdateAlt, UpdateMath};
                if matches!(op, Assign | Update | UpdateAlt | UpdateMath(_)) {
                    out.push("path");
                }
                open.extend([&**l, &**r]);
            }
            Term::IfThenElse(branches, otherwise) => {
                open.extend(branches.iter().flat_map(|(c, t)| [c, t]));
                open.extend(otherwise.as_deref());
            }
            Term::Fold(_, xs, _, args) => {
                open.push(xs);
                open.extend(args);
            }
            Term::Arr(Some(inner)) | Term::Neg(inner) | Term::Label(_, inner) => open.push(inner),
            Term::Def(defs, body) => {
                let known = |def: &Def<&str>| {
                    matches!(def.name, "null" | "true" | "false")
                        || natives::LOOPS.iter().any(|known| known.0 == def.name)
                };
                if defs.iter().any(known) {
                    out.push("path");
                }
                open.extend(defs.iter().map(|def| &def.body));
                open.push(body);
            }
            Term::TryCatch(body, catch) => {
                open.push(body);
                open.extend(catch.as_deref());
            }
            Term::Path(base, Path(parts)) => {
                open.push(base);
                for (part, _) in parts {
                    match part {
                        Part::Index(index) => open.push(index),
                        Part::Range(from, to) => open.extend(from.iter().chain(to)),
                    }
                }
            }
            Term::Id | Term::Recurse | Term::Num(_) | Term::Arr(None) => {}
            Term::Var(_) | Term::Break(_) => {}
        }
    }
}

/// Refuses what the parser would recurse on too deeply.
fn check_size(source: &str) -> Result<(), String> {
    if source.trim().is_empty() {
        return Err("the program is empty: give a jq program such as .name".to_owned());
    }
    if source.chars().count() > MAX_CHARS {
        return Err(format!("the program has more than {MAX_CHARS} characters"));
    }
    let (mut depth, mut deepest, mut operators) = (0usize, 0, 0usize);
    let mut word = String::new();
    for c in source.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        operators += usize::from(matches!(
            word.as_str(),
            "try" | "def" | "if" | "elif" | "reduce" | "foreach" | "label" | "and" | "or" | "as"
        ));
        word.clear();
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '|' | ',' | '+' | '-' | '*' | '/' | '%' | '=' | '<' | '>' | '?' | ';' => operators += 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > MAX_NESTING || operators > MAX_OPERATORS {
        return Err("the program is nested too deeply or has too many operators".to_owned());
    }
    Ok(())
}

/// Reads a program; says where it cannot be read.
fn parse(source: &str) -> Result<Term<&str>, String> {
    let tokens = Lexer::new(source).lex().map_err(|errors| match errors.into_iter().next() {
        Some((expected, rest)) => {
            let at = load::span(source, rest).start;
            pointed(source, at, &format!("expected {}", expected.as_str()))
        }
        None => "the program cannot be read".to_owned(),
    })?;
    Parser::new(&tokens).parse(|parser| parser.term()).map_err(|errors| {
        match errors.into_iter().next() {
            Some((expected, found)) => {
                let at = found.map_or(source.len(), |token| load::span(source, token.0).start);
                pointed(source, at, &format!("expected {}", expected.as_str()))
            }
            None => "the program cannot be read".to_owned(),
        }
    })
}

/// A message that points into the program: its column, and what stands there.
fn pointed(source: &str, at: usize, message: &str) -> String {
    let column = source.get(..at).map_or(0, |before| before.chars().count()) + 1;
    match source.get(at..).filter(|rest| !rest.is_empty()) {
        Some(rest) => {
            let shown: String = rest.chars().take(20).collect();
            format!("{message} at character {column}, before {}", token(&shown, 60))
        }
        None => format!("{message} at the end of the program"),
    }
}

fn undefined_words(source: &str, name: &str, undefined: &jaq_core::compile::Undefined) -> String {
    use jaq_core::compile::Undefined;
    let shown = token(name, 40);
    let what = match undefined {
        Undefined::Var => format!("there is no variable {shown}"),
        Undefined::Label => format!("there is no label {shown}"),
        Undefined::Mod => format!("there is no module {shown}"),
        Undefined::Filter(0) => format!("there is no function {shown}"),
        Undefined::Filter(1) => format!("there is no function {shown} with 1 argument"),
        Undefined::Filter(n) => format!("there is no function {shown} with {n} arguments"),
        _ => format!("{shown} is not known"),
    };
    // The name is a part of the program, unless it comes from a definition of ours.
    let start = (name.as_ptr() as usize).checked_sub(source.as_ptr() as usize);
    match start.filter(|at| at + name.len() <= source.len()) {
        Some(at) => pointed(source, at, &what),
        None => what,
    }
}

type Tm<'s> = Term<&'s str>;

fn empty_def() -> Def<&'static str> {
    Def { name: "", args: Vec::new(), body: Term::Id }
}

/// A variable that no program can name.
const NAME: &str = "$!";

/// Whether a term is a constant, so that comparing with it costs little.
fn is_small(term: &Tm<'_>) -> bool {
    match term {
        Term::Num(_) | Term::Arr(None) => true,
        Term::Neg(inner) => matches!(**inner, Term::Num(_)),
        Term::Obj(members) => members.is_empty(),
        Term::Str(_, parts) => !parts.iter().any(|part| matches!(part, StrPart::Term(_))),
        Term::Call(name, args) => {
            args.is_empty() && matches!(*name, "null" | "true" | "false" | "nan" | "infinite")
        }
        _ => false,
    }
}

/// Parts of a path into which something is put without a look at all that is there.
const MAX_PLACE: usize = 16;

/// Whether a term is one place in its input, not deep in it.
fn is_one_place(term: &Tm<'_>) -> bool {
    match term {
        Term::Path(base, Path(parts)) => {
            matches!(**base, Term::Id)
                && parts.len() <= MAX_PLACE
                && parts.iter().all(|(part, _)| matches!(part, Part::Index(i) if is_one(i)))
        }
        _ => false,
    }
}

/// Whether a term gives one value for each input, at most.
fn is_one(term: &Tm<'_>) -> bool {
    match term {
        Term::Id | Term::Var(_) => true,
        Term::Str(_, parts) => {
            parts.iter().all(|part| !matches!(part, StrPart::Term(term) if !is_one(term)))
        }
        Term::Path(base, Path(parts)) => {
            is_one(base)
                && parts.iter().all(|(part, _)| matches!(part, Part::Index(i) if is_one(i)))
        }
        Term::BinOp(l, BinaryOp::Math(_), r) => is_one(l) && is_one(r),
        term => is_small(term),
    }
}

/// `term | native`.
fn then<'s>(term: Tm<'s>, native: &'static str) -> Tm<'s> {
    let call = Term::Call(native, Vec::new());
    Term::BinOp(Box::new(term), BinaryOp::Pipe(None), Box::new(call))
}

/// `native | term`.
fn after<'s>(native: &'static str, term: Tm<'s>) -> Tm<'s> {
    let call = Term::Call(native, Vec::new());
    Term::BinOp(Box::new(call), BinaryOp::Pipe(None), Box::new(term))
}

/// `native(term)`: what a call takes of the stack is seen by those within it.
fn frame(term: Tm<'_>) -> Tm<'_> {
    Term::Call("!frame", vec![term])
}

/// No output.
fn nothing<'s>() -> Tm<'s> {
    Term::Call("empty", Vec::new())
}

/// Rewrites a program so that it is bounded. The parser has bounded how deep it is.
#[derive(Default)]
struct Guard<'s> {
    /// Expressions that are done at once.
    calcs: Calcs,
    /// Names of arguments that are programs. One that is passed on and on is a recursion too.
    closures: Vec<&'s str>,
    /// The definitions around: their names, arguments, and whether one of these is a program.
    around: Vec<(&'s str, usize, bool)>,
    /// Which of these count a step whenever they are called.
    ticks: Vec<bool>,
    /// Whether the term at hand is the last that a definition does: a call there takes no stack.
    is_last: bool,
}

impl<'s> Guard<'s> {
    fn def(&mut self, def: Def<&'s str>, tick: bool) -> Def<&'s str> {
        let programs = def.args.iter().filter(|name| !name.starts_with('$'));
        let around = (def.name, def.args.len(), programs.clone().next().is_some());
        if tick {
            self.closures.extend(programs);
        }
        self.around.push(around);
        self.ticks.push(tick);
        let body = self.last(def.body, true);
        self.around.pop();
        self.ticks.pop();
        let body = if tick { self.ticking(body) } else { body };
        Def { name: def.name, args: def.args, body }
    }

    /// A term that counts a step whenever it is run.
    fn ticking(&self, term: Tm<'s>) -> Tm<'s> {
        if self.counts(&term) { term } else { after("!tick", term) }
    }

    /// Whether a term counts a step itself, and is no path: what counts on the way to a path also sees how long
    /// that is, and how deep an update.
    fn counts(&self, term: &Tm<'s>) -> bool {
        let plain = self.calcs.plain;
        match term {
            Term::Call("!tick" | "!add" | "!mul" | "!rem", _) => true,
            Term::Call("!frame", _) => plain,
            Term::Call(name, args) => {
                let called =
                    |known: &(&str, usize, bool)| (known.0, known.1) == (*name, args.len());
                calc::is_call(name)
                    || plain
                        && self.around.iter().rposition(called).is_some_and(|at| self.ticks[at])
            }
            Term::BinOp(l, BinaryOp::Pipe(None), _) => self.counts(l),
            Term::BinOp(l, BinaryOp::Pipe(_), _) => plain && self.counts(l),
            Term::IfThenElse(branches, _) => {
                plain && branches.first().is_some_and(|(condition, _)| self.counts(condition))
            }
            _ => false,
        }
    }

    #[expect(clippy::boxed_local, reason = "the parser gives boxes and the compiler takes them")]
    fn boxed(&mut self, term: Box<Tm<'s>>) -> Box<Tm<'s>> {
        Box::new(self.term(*term))
    }

    /// A term that is the last of a definition, or not.
    fn last(&mut self, term: Tm<'s>, is_last: bool) -> Tm<'s> {
        self.is_last = is_last;
        self.term(term)
    }

    /// A term that is run while what is around it waits: a recursion in it takes of the stack.
    fn framed(&mut self, term: Tm<'s>) -> Tm<'s> {
        let deep = calls(&term, &self.around);
        let term = self.last(term, false);
        if deep { frame(term) } else { term }
    }

    fn all(&mut self, terms: Vec<Tm<'s>>) -> Vec<Tm<'s>> {
        terms.into_iter().map(|term| self.term(term)).collect()
    }

    fn term(&mut self, term: Tm<'s>) -> Tm<'s> {
        let is_last = std::mem::take(&mut self.is_last);
        if let Some(call) = self.calcs.call(&term) {
            return call;
        }
        match term {
            Term::Id | Term::Num(_) | Term::Break(_) | Term::Var(_) | Term::Arr(None) => term,
            Term::Recurse => Term::Call("!recurse", Vec::new()),
            Term::Str(format, parts) => {
                let dynamic = parts.iter().any(|part| matches!(part, StrPart::Term(_)));
                let is_plain = format.is_none();
                let parts = parts.into_iter().map(|part| match part {
                    StrPart::Term(term) if is_plain => {
                        StrPart::Term(then(self.term(term), "!text"))
                    }
                    StrPart::Term(term) => StrPart::Term(self.term(term)),
                    part => part,
                });
                let text = Term::Str(format, parts.collect());
                if dynamic { then(text, "!weigh") } else { text }
            }
            Term::Arr(Some(inner)) => then(Term::Arr(Some(self.boxed(inner))), "!weigh"),
            Term::Obj(members) if members.is_empty() => Term::Obj(members),
            Term::Obj(members) => {
                let members = members.into_iter().map(|(k, v)| match v {
                    Some(v) => (self.looked_up(k, "!key"), Some(self.term(v))),
                    // The name of a variable stands for its value too.
                    None => (self.term(k), None),
                });
                then(Term::Obj(members.collect()), "!weigh")
            }
            Term::Neg(inner) => Term::Neg(self.boxed(inner)),
            Term::BinOp(l, op, r) => self.operation(*l, op, *r, is_last),
            Term::Label(name, inner) => Term::Label(name, Box::new(self.framed(*inner))),
            Term::Fold(name, xs, Pattern::Var(item), mut args)
                if args.len() == 2
                    && let Some((native, variables)) = self.calcs.fold(name, item, &args[1]) =>
            {
                let (xs, start) = (self.term(*xs), self.term(args.swap_remove(0)));
                let variables = variables.into_iter().map(Term::Var);
                Term::Call(native, [xs, start].into_iter().chain(variables).collect())
            }
            Term::Fold(name, xs, pattern, args) => {
                let (xs, pattern) = (self.boxed(xs), self.pattern(pattern));
                let args = args.into_iter().map(|arg| {
                    let arg = self.framed(arg);
                    self.ticking(arg)
                });
                Term::Fold(name, xs, pattern, args.collect())
            }
            Term::TryCatch(body, catch) => {
                let body = self.boxed(body);
                let catch = catch.map_or_else(nothing, |catch| self.framed(*catch));
                Term::TryCatch(body, Some(Box::new(after("!caught", catch))))
            }
            Term::IfThenElse(branches, otherwise) => {
                let branches =
                    branches.into_iter().map(|(c, t)| (self.term(c), self.last(t, is_last)));
                let branches = branches.collect();
                let otherwise = otherwise.map(|term| Box::new(self.last(*term, is_last)));
                Term::IfThenElse(branches, otherwise)
            }
            Term::Def(defs, body) => {
                let defs = defs.into_iter().map(|def| self.def(def, true)).collect();
                Term::Def(defs, Box::new(self.last(*body, is_last)))
            }
            Term::Call(name, args) => {
                let mut args = self.all(args);
                let is_loop =
                    |known: &&(&str, usize, &str)| (known.0, known.1) == (name, args.len());
                if self.calcs.plain
                    && let Some((_, _, native)) = natives::LOOPS.iter().find(is_loop)
                {
                    return Term::Call(native, args);
                }
                if name == "has" && args.len() == 1 {
                    args = vec![then(args.remove(0), "!index")];
                }
                if natives::WORK_BY_BOTH.contains(&name) && args.len() == 1 {
                    // `f(x)` is `x as $x | pair($x) | f($x)`.
                    let pair = Term::Call("!pair", vec![Term::Var(NAME)]);
                    let call = Term::Call(name, vec![Term::Var(NAME)]);
                    let both = Term::BinOp(Box::new(pair), BinaryOp::Pipe(None), Box::new(call));
                    let bind = BinaryOp::Pipe(Some(Pattern::Var(NAME)));
                    return Term::BinOp(Box::new(args.remove(0)), bind, Box::new(both));
                }
                let native = if natives::WORK_BY_DEPTH.contains(&name) {
                    Some("!weigh")
                } else if natives::WORK_BY_SIZE.contains(&name) {
                    Some("!charge")
                } else if natives::WORK_BY_TOUCH.contains(&name) {
                    Some("!touch")
                } else if args.is_empty() && self.closures.contains(&name) {
                    Some("!tick")
                } else {
                    None
                };
                let around =
                    |known: &&(&str, usize, bool)| (known.0, known.1) == (name, args.len());
                let deep = self.around.iter().rev().find(around).map(|known| known.2);
                let mut call = Term::Call(name, args);
                // What a program is given as an argument holds those before it.
                if deep.is_some_and(|program| program || !is_last) {
                    call = frame(call);
                }
                match native {
                    Some(native) => after(native, call),
                    None => call,
                }
            }
            Term::Path(base, Path(parts)) => {
                let iterates =
                    parts.iter().any(|(part, _)| matches!(part, Part::Range(None, None)));
                let mut base = self.term(*base);
                let parts = parts.into_iter().map(|(part, opt)| {
                    let part = match part {
                        Part::Index(index) => Part::Index(self.looked_up(index, "!index")),
                        Part::Range(from, to) => {
                            Part::Range(from.map(|t| self.term(t)), to.map(|t| self.term(t)))
                        }
                    };
                    (part, opt)
                });
                // A slice counts what it is cut from.
                let mut open = Vec::new();
                for (part, opt) in parts {
                    if matches!(&part, Part::Range(from, to) if from.is_some() || to.is_some()) {
                        let cut = std::mem::take(&mut open);
                        if !cut.is_empty() {
                            base = Term::Path(Box::new(base), Path(cut));
                        }
                        base = then(base, "!charge");
                    }
                    open.push((part, opt));
                }
                let path = Term::Path(Box::new(base), Path(open));
                if iterates { then(path, "!tick") } else { path }
            }
        }
    }

    /// A term by which something is looked up: a long one takes long.
    fn looked_up(&mut self, term: Tm<'s>, native: &'static str) -> Tm<'s> {
        match is_small(&term) && !matches!(term, Term::Call(..)) {
            true => term,
            false => then(self.term(term), native),
        }
    }

    fn pattern(&mut self, pattern: Pattern<&'s str>) -> Pattern<&'s str> {
        match pattern {
            Pattern::Var(name) => Pattern::Var(name),
            Pattern::Arr(parts) => {
                Pattern::Arr(parts.into_iter().map(|part| self.pattern(part)).collect())
            }
            Pattern::Obj(members) => {
                let members = members.into_iter().map(|(k, p)| match k {
                    Term::Var(name) => (Term::Var(name), self.pattern(p)),
                    k => (self.looked_up(k, "!index"), self.pattern(p)),
                });
                Pattern::Obj(members.collect())
            }
        }
    }

    fn operation(&mut self, l: Tm<'s>, op: BinaryOp<&'s str>, r: Tm<'s>, is_last: bool) -> Tm<'s> {
        let native = |op: Math| match op {
            Math::Add => "!add",
            Math::Mul => "!mul",
            Math::Div => "!div",
            Math::Sub => "!sub",
            Math::Rem => "!rem",
        };
        if matches!(op, BinaryOp::Comma) {
            // Two outputs of one input: often enough, that is as many as one likes.
            let l = self.last(l, is_last);
            let r = if is_last { self.last(r, true) } else { self.framed(r) };
            return Term::BinOp(Box::new(l), op, Box::new(self.ticking(r)));
        }
        let is_one_place = is_one_place(&l);
        let l = self.term(l);
        let r = self.last(r, is_last && matches!(op, BinaryOp::Pipe(_) | BinaryOp::Alt));
        match op {
            BinaryOp::Math(math) => Term::Call(native(math), vec![l, r]),
            BinaryOp::UpdateMath(math) => {
                // `l op= r` is `r as $x | l |= . op $x`.
                let call = Term::Call(native(math), vec![Term::Id, Term::Var(NAME)]);
                let update = Term::BinOp(Box::new(l), BinaryOp::Update, Box::new(call));
                let bind = BinaryOp::Pipe(Some(Pattern::Var(NAME)));
                // A sum is as large as what it is of: it is enough to look at what is added.
                let is_sum = is_one_place && math == Math::Add;
                let (r, native) = if is_sum { (then(r, "!put"), "!kept") } else { (r, "!bound") };
                then(Term::BinOp(Box::new(r), bind, Box::new(update)), native)
            }
            BinaryOp::Assign if is_one_place => {
                let r = then(r, "!put");
                then(Term::BinOp(Box::new(l), BinaryOp::Assign, Box::new(r)), "!kept")
            }
            op @ (BinaryOp::Assign | BinaryOp::Update | BinaryOp::UpdateAlt) => {
                then(Term::BinOp(Box::new(l), op, Box::new(r)), "!bound")
            }
            BinaryOp::Cmp(cmp) => {
                let l = if is_small(&l) || is_small(&r) { l } else { then(l, "!touch") };
                Term::BinOp(Box::new(l), BinaryOp::Cmp(cmp), Box::new(r))
            }
            BinaryOp::Pipe(pattern) => {
                let pattern = pattern.map(|pattern| self.pattern(pattern));
                Term::BinOp(Box::new(l), BinaryOp::Pipe(pattern), Box::new(r))
            }
            op => Term::BinOp(Box::new(l), op, Box::new(r)),
        }
    }
}

/// Whether a definition of the library calls itself, directly. Those inside it are always guarded.
fn calls_itself(def: &Def<&str>) -> bool {
    calls(&def.body, &[(def.name, def.args.len(), false)])
}

/// Whether a term calls one of these definitions, but in definitions of its own.
fn calls(term: &Tm<'_>, defs: &[(&str, usize, bool)]) -> bool {
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        match term {
            Term::Call(name, args) => {
                if defs.iter().any(|def| (def.0, def.1) == (*name, args.len())) {
                    return true;
                }
                stack.extend(args);
            }
            Term::BinOp(l, _, r) => stack.extend([&**l, &**r]),
            Term::IfThenElse(branches, otherwise) => {
                stack.extend(branches.iter().flat_map(|(c, t)| [c, t]));
                stack.extend(otherwise.as_deref());
            }
            Term::Fold(_, xs, _, args) => {
                stack.push(xs);
                stack.extend(args);
            }
            Term::Arr(Some(inner)) | Term::Neg(inner) | Term::Label(_, inner) => stack.push(inner),
            Term::Def(_, body) => stack.push(body),
            Term::TryCatch(body, catch) => {
                stack.push(body);
                stack.extend(catch.as_deref());
            }
            Term::Path(base, _) => stack.push(base),
            _ => {}
        }
    }
    false
}
