//! Compiles and runs jq programs.
//!
//! The interpreter is jaq, which has no limit of its own: what ends a program without end is the fuel, the time, the
//! stack and the memory that the host gives to a call.

use jaq_core::load::lex::Lexer;
use jaq_core::load::parse::{BinaryOp, Def, Parser, Pattern, Term};
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Filter, Vars};
use jaq_json::Val;

use super::dialect;
use super::fast::Fast;
use super::kit::{Data, Kept, Kit};
use super::members::Members;
use super::natives;
use super::parts::Parts;
use super::terms::{Tm, calls_in};
use super::value;
use crate::fence::token;
use crate::limits::IDS_MAX;

/// Characters in a program.
const MAX_CHARS: usize = 4_000;

/// Brackets and operators that a program may have inside each other, or in a row: the parser
/// recurses on them.
const MAX_NESTING: usize = 64;
const MAX_OPERATORS: usize = 400;

/// A compiled program, and the short way to its results when there is one.
pub(super) struct Program {
    filter: Filter<Kit>,
    pub(super) fast: Option<Fast>,
}

/// Characters of an error that are shown.
const ERROR_CHARS: usize = 200;

impl Program {
    /// Compiles a program, which may name as many results beside its rows. What it looks at is added to `members`,
    /// where it has a short way, and to `parts`.
    ///
    /// # Errors
    /// What is wrong with it, where, in words.
    pub(super) fn compile(
        source: &str,
        beside: usize,
        members: &mut Members,
        parts: &mut Parts,
    ) -> Result<Program, String> {
        check_size(source)?;
        let read = || parse(source).map(|term| with_beside(source, beside, term));
        let term = read()?;
        let fast = Fast::compile(&term, members);
        parts.add(&term);
        let linked = link(source, term, needed(source, natives::definitions()));
        // What is wrong with it is said of the whole library.
        let filter = match linked {
            Ok(filter) => filter,
            Err(_) => link(source, read()?, natives::definitions())?,
        };
        Ok(Program { filter, fast })
    }

    /// Runs the program on one value. Each output goes to `each`, until that returns `false`.
    ///
    /// # Errors
    /// How the program failed; the outputs before it were given.
    pub(super) fn run(
        &self,
        kept: &Kept,
        input: Val,
        each: &mut dyn FnMut(Val) -> bool,
    ) -> Result<(), String> {
        let ctx = Ctx::<Kit>::new(Data { lut: &self.filter.lut, kept }, Vars::new([]));
        kept.counting(|| {
            for output in self.filter.id.run((ctx, input)) {
                match output {
                    Ok(value) => {
                        if !each(value) {
                            break;
                        }
                    }
                    Err(exception) => {
                        return Err(match exception.get_err() {
                            Ok(error) => value::clipped(&error.into_val(), ERROR_CHARS),
                            Err(_) => "the program broke off".to_owned(),
                        });
                    }
                }
            }
            Ok(())
        })
    }
}

/// By what a program calls the rows of results beside its own, in their order.
const BESIDE: [&str; IDS_MAX] = ["$a", "$b", "$c", "$d", "$e", "$f", "$g", "$h"];

/// The places of results that a program names, of so many.
pub(super) fn beside(source: &str, of: usize) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let named = |name: &str| {
        let is_whole = |at: &usize| !source[at + name.len()..].starts_with(is_word);
        let mut used = source.match_indices(name).map(|(at, _)| at).filter(is_whole);
        // What a program binds itself is its own.
        used.next().is_some_and(|at| !source[..at].trim_end().ends_with(" as"))
    };
    (0..of.min(BESIDE.len())).filter(|at| named(BESIDE[*at])).collect()
}

/// A program within which the results that it names are bound to their names.
fn with_beside<'s>(source: &'s str, of: usize, mut term: Tm<'s>) -> Tm<'s> {
    for at in beside(source, of) {
        let rows = Term::Call("!beside", vec![Term::Num(PLACES[at])]);
        let name = BinaryOp::Pipe(Some(Pattern::Var(BESIDE[at])));
        term = Term::BinOp(Box::new(rows), name, Box::new(term));
    }
    term
}

/// Places as a program writes them.
const PLACES: [&str; IDS_MAX] = ["0", "1", "2", "3", "4", "5", "6", "7"];

/// Joins a program with the definitions that it calls.
#[inline(never)]
fn link(
    source: &str,
    term: Tm<'_>,
    prelude: Vec<Def<&'static str>>,
) -> Result<Filter<Kit>, String> {
    let mut prelude: Vec<Def<&str>> = prelude.into_iter().map(dialect::def).collect();
    prelude.push(Def { name: "!main", args: Vec::new(), body: dialect::term(term) });
    let body = Term::Call("!main", Vec::new());
    prelude.push(Def { name: "weir_main", args: Vec::new(), body });
    let arena = Arena::default();
    let call = File { code: "weir_main", path: () };
    let unreadable = |_| "the program cannot be read".to_owned();
    let modules = Loader::new(prelude).load(&arena, call).map_err(unreadable)?;
    let filter = Compiler::default().with_funs(natives::functions()).compile(modules);
    filter.map_err(|errors| {
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
    let mut wanted: Vec<(&str, usize)> = words.map(|word| (word, 0)).collect();
    // What an update may call.
    if source.contains('=') {
        wanted.push(("modify_", 2));
    }
    let mut needed = Vec::new();
    // A definition calls those before it.
    for def in library.into_iter().rev() {
        if wanted.iter().any(|wanted| wanted.0 == def.name) {
            calls_in(&def.body, &mut wanted);
            needed.push(def);
        }
    }
    needed.reverse();
    needed
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
pub(super) fn parse(source: &str) -> Result<Term<&str>, String> {
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

/// How it is said that a name is that of no function.
pub(super) const NO_FUNCTION: &str = "there is no function";

/// The name that a program's error says there is no function of, and at which character.
pub(super) fn unknown_name(error: &str) -> Option<(&str, usize)> {
    let rest = error.strip_prefix(NO_FUNCTION)?.strip_prefix(" \"")?;
    let (name, rest) = rest.split_once("\" at character ")?;
    let column: usize = rest.split([',', ' ']).next()?.parse().ok()?;
    Some((name, column.checked_sub(1)?))
}

/// A message that points into the program: its column, and what stands there.
fn pointed(source: &str, at: usize, message: &str) -> String {
    let column = source.get(..at).map_or(0, |before| before.chars().count()) + 1;
    match source.get(at..).filter(|rest| !rest.is_empty()) {
        Some(rest) => {
            let shown: String = rest.chars().take(20).collect();
            let such =
                if rest.is_char_boundary(1) { "" } else { "; quote such a name: .[\"größe\"]" };
            format!("{message} at character {column}, before {}{such}", token(&shown, 60))
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
        Undefined::Filter(0) => format!("{NO_FUNCTION} {shown}"),
        Undefined::Filter(1) => format!("{NO_FUNCTION} {shown} with 1 argument"),
        Undefined::Filter(n) => format!("{NO_FUNCTION} {shown} with {n} arguments"),
        _ => format!("{shown} is not known"),
    };
    // The name is a part of the program, unless it comes from a definition of ours.
    let start = (name.as_ptr() as usize).checked_sub(source.as_ptr() as usize);
    match start.filter(|at| at + name.len() <= source.len()) {
        Some(at) => pointed(source, at, &what),
        None => what,
    }
}
