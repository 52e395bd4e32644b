//! Which members of a row programs look at, so that only those are read.
//!
//! A program that begins with `.msg | …` never sees the rest of the row. Where that can be told from
//! the program, the row is passed over once (`members`), and the interpreter gets a
//! row that has nothing but these members. A program that may look at all of the row gets all of it.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern, Term};
use jaq_core::path::{Part, Path};
use jaq_json::{Map, Val};

use super::members::{Found, Members, raw_value};
use super::scan::Odd;
use super::terms::plain;

/// The members that the programs of a query look at.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) members: Members,
    /// Those that are needed with all that they hold.
    whole: Vec<u16>,
    /// Whether it can be told which.
    known: bool,
}

/// What a term gives.
#[derive(Debug, Clone, Copy)]
enum Flow {
    /// A member of the row as it is, which is not needed yet.
    Member(u16),
    /// Made of what is needed already.
    Made,
}

/// A program of which this cannot be told.
struct Unknown;

impl Parts {
    pub(super) fn new() -> Parts {
        Parts { members: Members::new(), whole: Vec::new(), known: true }
    }

    /// Whether rows need not be read whole.
    pub(super) fn are_known(&self) -> bool {
        self.known && !self.whole.contains(&0)
    }

    /// Adds what a program looks at.
    pub(super) fn add(&mut self, term: &Term<&str>) {
        if self.known {
            self.known = self.used(term, Flow::Member(0)).is_ok();
        }
    }

    /// Notes that all of what a term gives is needed.
    fn used(&mut self, term: &Term<&str>, input: Flow) -> Result<Flow, Unknown> {
        let flow = self.flow(term, input)?;
        Ok(self.need(flow))
    }

    fn need(&mut self, flow: Flow) -> Flow {
        if let Flow::Member(node) = flow
            && !self.whole.contains(&node)
        {
            self.whole.push(node);
        }
        Flow::Made
    }

    fn member(&mut self, flow: Flow, name: &str) -> Result<Flow, Unknown> {
        Ok(match flow {
            Flow::Made => Flow::Made,
            Flow::Member(node) => Flow::Member(self.members.member(node, name).ok_or(Unknown)?),
        })
    }

    /// What a term gives for an input. What it looks at is noted.
    fn flow(&mut self, term: &Term<&str>, input: Flow) -> Result<Flow, Unknown> {
        Ok(match term {
            Term::Id => input,
            Term::Num(_) | Term::Var(_) | Term::Arr(None) => Flow::Made,
            Term::Recurse => self.need(input),
            Term::Neg(inner) | Term::Arr(Some(inner)) => self.used(inner, input)?,
            Term::Str(_, parts) => {
                for part in parts {
                    if let StrPart::Term(term) = part {
                        self.used(term, input)?;
                    }
                }
                Flow::Made
            }
            Term::Obj(entries) => {
                for (key, value) in entries {
                    match (value, plain(key)) {
                        (Some(value), _) => {
                            self.used(key, input)?;
                            self.used(value, input)?;
                        }
                        (None, Some(name)) => {
                            let member = self.member(input, &name)?;
                            self.need(member);
                        }
                        (None, None) if matches!(key, Term::Var(_)) => {}
                        (None, None) => return Err(Unknown),
                    }
                }
                Flow::Made
            }
            Term::BinOp(l, op, r) => self.operation(l, op, r, input)?,
            Term::IfThenElse(branches, otherwise) => {
                for (condition, then) in branches {
                    self.used(condition, input)?;
                    self.used(then, input)?;
                }
                match otherwise {
                    Some(otherwise) => self.used(otherwise, input)?,
                    None => self.need(input),
                }
            }
            Term::TryCatch(body, catch) => {
                self.used(body, input)?;
                // What it is given is an error, made of what was needed.
                if let Some(catch) = catch {
                    self.used(catch, Flow::Made)?;
                }
                Flow::Made
            }
            Term::Fold(_, items, Pattern::Var(_), args) => {
                self.used(items, input)?;
                let (first, rest) = args.split_first().ok_or(Unknown)?;
                self.used(first, input)?;
                // They are given what the first made.
                for arg in rest {
                    self.used(arg, Flow::Made)?;
                }
                Flow::Made
            }
            Term::Path(base, path) => self.path(base, path, input)?,
            Term::Call(name, args) => self.call(name, args, input)?,
            Term::Fold(..) | Term::Def(..) | Term::Label(..) | Term::Break(_) => {
                return Err(Unknown);
            }
        })
    }

    /// The same of two terms with a sign between.
    fn operation(
        &mut self,
        l: &Term<&str>,
        op: &BinaryOp<&str>,
        r: &Term<&str>,
        input: Flow,
    ) -> Result<Flow, Unknown> {
        Ok(match op {
            BinaryOp::Pipe(None) => {
                let piped = self.flow(l, input)?;
                self.flow(r, piped)?
            }
            BinaryOp::Pipe(Some(Pattern::Var(_))) => {
                self.used(l, input)?;
                self.flow(r, input)?
            }
            BinaryOp::Pipe(_)
            | BinaryOp::Assign
            | BinaryOp::Update
            | BinaryOp::UpdateMath(_)
            | BinaryOp::UpdateAlt => self.need(input),
            BinaryOp::Comma
            | BinaryOp::Alt
            | BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::Math(_)
            | BinaryOp::Cmp(_) => {
                self.used(l, input)?;
                self.used(r, input)?
            }
        })
    }

    /// The same of a way into a value.
    fn path(
        &mut self,
        base: &Term<&str>,
        path: &Path<Term<&str>>,
        input: Flow,
    ) -> Result<Flow, Unknown> {
        let mut flow = self.flow(base, input)?;
        for (part, _) in &path.0 {
            flow = match part {
                Part::Index(index) => match plain(index) {
                    Some(name) => self.member(flow, &name)?,
                    None => {
                        self.used(index, input)?;
                        self.need(flow)
                    }
                },
                Part::Range(from, to) => {
                    for term in [from, to].into_iter().flatten() {
                        self.used(term, input)?;
                    }
                    self.need(flow)
                }
            };
        }
        Ok(flow)
    }

    /// The same of a function.
    fn call(&mut self, name: &str, args: &[Term<&str>], input: Flow) -> Result<Flow, Unknown> {
        Ok(match (name, args) {
            ("select", [condition]) => {
                self.used(condition, input)?;
                input
            }
            ("empty" | "null" | "true" | "false", []) => Flow::Made,
            ("any" | "all", [items, condition]) => {
                self.used(items, input)?;
                self.used(condition, Flow::Made)?
            }
            ("first" | "last" | "isempty" | "add", [items]) => self.used(items, input)?,
            ("limit", [count, items]) => {
                self.used(count, input)?;
                self.used(items, input)?
            }
            // Whatever an argument looks at is in the input.
            _ => self.need(input),
        })
    }

    /// The row with the members that are needed, and the bytes that were read for it.
    pub(super) fn read(&self, row: &[u8], found: &mut Found) -> Result<(Val, usize), Odd> {
        found.read(row, &self.members)?;
        let mut bytes = 0;
        let value = self.value(0, row, found, &mut bytes)?.ok_or(Odd)?;
        Ok((value, bytes))
    }

    /// What a member has of what is needed: nothing when it is not there. As deep as programs are.
    fn value(
        &self,
        node: u16,
        row: &[u8],
        found: &Found,
        bytes: &mut usize,
    ) -> Result<Option<Val>, Odd> {
        let Some(text) = found.text(row, node) else { return Ok(None) };
        let members = self.members.of(node);
        if members.is_empty() || self.whole.contains(&node) || text.first() == Some(&b'n') {
            *bytes += text.len();
            return raw_value(text).map(Some);
        }
        let mut map = Map::with_capacity_and_hasher(members.len(), Default::default());
        for (name, member) in members {
            if let Some(value) = self.value(*member, row, found, bytes)? {
                map.insert(Val::utf8_str(name.clone()), value);
            }
        }
        Ok(Some(Val::obj(map)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row that a program gets.
    fn got(program: &str, row: &str) -> Option<String> {
        let term = jaq_core::load::parse(program, |parser| parser.term()).unwrap();
        let mut parts = Parts::new();
        parts.add(&term);
        if !parts.are_known() {
            return None;
        }
        let (value, _) = parts.read(row.as_bytes(), &mut Found::default()).ok()?;
        let mut out = String::new();
        super::super::value::write(&value, usize::MAX, &mut out);
        Some(out)
    }

    #[test]
    fn a_row_has_what_the_program_looks_at() {
        let row = r#"{"a":{"b":[1,2],"c":3},"d":"x","e":null}"#;
        for (program, gets) in [
            (".d | split(\",\")", r#"{"d":"x"}"#),
            ("{d, n: .a.c}", r#"{"d":"x","a":{"c":3}}"#),
            (".a.b[] | . + 1", r#"{"a":{"b":[1,2]}}"#),
            (".a | .c, .b", r#"{"a":{"c":3,"b":[1,2]}}"#),
            (".a | keys", r#"{"a":{"b":[1,2],"c":3}}"#),
            (".a | select(.c > 1) | .b", r#"{"a":{"c":3,"b":[1,2]}}"#),
            ("select(.d == \"x\") | .e.f", r#"{"d":"x","e":null}"#),
            ("\"\\(.d) \\(.z)\"", r#"{"d":"x"}"#),
            (".d as $d | .a[$d]", r#"{"d":"x","a":{"b":[1,2],"c":3}}"#),
            ("reduce .a.b[] as $n (0; . + $n)", r#"{"a":{"b":[1,2]}}"#),
            ("any(.a.b[]; . == 1)", r#"{"a":{"b":[1,2]}}"#),
            ("if .d then 1 else .a.c end", r#"{"d":"x","a":{"c":3}}"#),
            ("try (.d | tonumber) catch .z", r#"{"d":"x"}"#),
            ("1", "{\"a\":{\"b\":[1,2],\"c\":3},\"d\":\"x\",\"e\":null}"),
        ] {
            assert_eq!(got(program, row).as_deref(), Some(gets), "{program}");
        }
        for program in [
            ".",
            "..",
            "keys",
            ".[]",
            ".[\"a\", \"d\"] | .c, input",
            "select(.d)",
            "del(.d)",
            "if .d then . else 1 end",
            "if .d then 1 end",
            ".d = 1",
            "def f: .d; f",
            "., .d",
            ". as {$d} | $d",
            ". as $all | .d",
            "map(.d)",
            "to_entries",
            "[.]",
            "tojson",
            "label $out | .d",
            "first(.)",
            "with_entries(.value = 1)",
            ".[.d]",
        ] {
            assert_eq!(got(program, row), None, "{program}");
        }
        // What is out of the ordinary is read whole.
        assert_eq!(got(".d.f", row), None);
        assert_eq!(got(".d", r#"{"d":1,"d":2}"#), None);
        assert_eq!(got(".d", "[1]"), None);
    }
}
