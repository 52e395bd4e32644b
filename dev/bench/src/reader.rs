//! Three scripted readers: bounds for what a model would do.
//!
//! - *least* knows where the answer lies and takes the cheapest read that shows it.
//! - *sensible* sees only what a model sees. Is the answer there, it answers. Does the text not say that it is cut, it
//!   believes that it has all, and answers from that. Else it searches for the key (or counts the word, or asks for the whole),
//!   follows at most three `next`, and then gives up.
//! - *dull* reads the whole, page after page, whatever was asked.

use serde::Serialize;
use serde_json::{Value, json};

use crate::meter::{ANSWER, CALL, Spent, tokens};
use crate::question::{Ask, Question};
use crate::strategy::{Answer, Strategy};

/// Who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reader {
    /// Knows where the answer lies.
    Least,
    /// Sees what a model sees.
    Sensible,
    /// Reads everything.
    Dull,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// The right answer.
    Right,
    /// A wrong answer, given as if all had been seen.
    Wrong,
    /// No answer, and the reader knows it.
    Unknown,
    /// The request was longer than the window.
    Refused,
}

/// One reading.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Reading {
    /// How it went.
    pub(crate) outcome: Outcome,
    /// What it cost.
    #[serde(flatten)]
    pub(crate) spent: Spent,
    /// Read-backs.
    pub(crate) reads: usize,
}

/// The most `next` that a sensible reader follows when it looks for something.
const PATIENCE: usize = 3;
/// The most pages that anyone reads; a window is full long before.
const PAGES: usize = 2_000;

struct Sitting<'a> {
    strategy: &'a mut Strategy,
    id: &'a str,
    seen: Vec<std::rc::Rc<str>>,
    spent: Spent,
    reads: usize,
    /// What the model says next: it is paid with the next turn.
    said: usize,
    came: usize,
}

impl<'a> Sitting<'a> {
    fn begin(
        strategy: &'a mut Strategy,
        id: &'a str,
        first: &Answer,
        spent: &Spent,
    ) -> Sitting<'a> {
        let seen = vec![first.shown.clone()];
        Sitting {
            strategy,
            id,
            seen,
            spent: spent.clone(),
            reads: 0,
            said: CALL,
            came: first.tokens,
        }
    }

    fn has(&self, word: &str) -> bool {
        self.seen.iter().any(|text| text.contains(word))
    }

    fn sees(&self, ask: &Ask) -> bool {
        match ask {
            Ask::Beside { answer, .. } => self.has(answer),
            Ask::Both { answers, .. } => answers.iter().all(|answer| self.has(answer)),
            // Pages may part two of the 41 words.
            Ask::Quote { samples } => {
                samples.iter().filter(|sample| !self.has(sample)).count() <= 2
            }
            Ask::Count { .. } | Ask::Absent { .. } => false,
        }
    }

    /// One read-back. None: the strategy has no such way, or the window is full.
    fn read(&mut self, want: &Value) -> Result<Option<std::rc::Rc<Answer>>, String> {
        let mut request = json!({"op": "read", "id": self.id});
        for (key, value) in want.as_object().into_iter().flatten() {
            request[key] = value.clone();
        }
        let answer = self.strategy.ask(&request)?;
        if answer.is("unsupported") || !self.spent.turn(self.said, self.came) {
            return Ok(None);
        }
        self.reads += 1;
        (self.said, self.came) = (answer.call, answer.tokens);
        self.seen.push(answer.shown.clone());
        Ok(Some(answer))
    }

    /// A read-back and so many of its further pages. The last page that came.
    fn follow(
        &mut self,
        want: &Value,
        pages: usize,
        ask: &Ask,
    ) -> Result<Option<std::rc::Rc<Answer>>, String> {
        let mut last = self.read(want)?;
        for _ in 0..pages {
            let Some(next) = last
                .as_ref()
                .map(|answer| answer.reply["next"].clone())
                .filter(|next| !next.is_null())
            else {
                break;
            };
            if !matches!(ask, Ask::Quote { .. }) && pages < PAGES && self.sees(ask) {
                break;
            }
            match self.read(&json!({"want": "next", "next": next}))? {
                Some(answer) => last = Some(answer),
                None => return Ok(None),
            }
        }
        Ok(last)
    }

    fn end(mut self, outcome: Outcome) -> Reading {
        let fits = self.spent.turn(self.said, self.came) && self.spent.turn(ANSWER, 0);
        let outcome = if fits { outcome } else { Outcome::Refused };
        Reading { outcome, spent: self.spent, reads: self.reads }
    }
}

/// Whether a reply says a number: as a word near its start, with or without separators.
fn states(reply: &str, number: usize) -> bool {
    let head: String = reply.chars().take(400).collect::<String>().replace(',', "");
    head.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word == number.to_string())
}

/// One reader answers one question about one result.
///
/// # Errors
/// When the strategy breaks the protocol.
pub(crate) fn answer(
    strategy: &mut Strategy,
    id: &str,
    text: &str,
    first: &Answer,
    question: &Question,
    reader: Reader,
) -> Result<Reading, String> {
    let spent = Spent::begin(strategy.definitions, tokens(&question.words()));
    let whole = &*first.shown == text;
    let ask = &question.ask;
    let mut sitting = Sitting::begin(&mut *strategy, id, first, &spent);
    // All is there, or at least what is asked for.
    if whole || sitting.sees(ask) && (reader != Reader::Dull || first.reply["notice"].is_null()) {
        return Ok(sitting.end(Outcome::Right));
    }
    // It does not say that it is cut.
    if first.reply["notice"].is_null() {
        let outcome = match (ask, reader) {
            (Ask::Absent { .. }, _) => Outcome::Right,
            (_, Reader::Least) => Outcome::Unknown,
            _ => Outcome::Wrong,
        };
        return Ok(sitting.end(outcome));
    }
    if reader == Reader::Least {
        let mut wants = Vec::new();
        match ask {
            Ask::Beside { key, .. } => {
                wants.push(json!({"want": "lines", "start": question.line, "count": 1}));
                wants.push(find(key, 0));
                wants.push(find(key, question.context));
            }
            // Two reads: there is one way.
            Ask::Both { .. } => {}
            Ask::Absent { key } => wants.push(find(key, 0)),
            Ask::Count { word, .. } => wants.push(json!({"want": "count", "pattern": word})),
            Ask::Quote { .. } => wants.push(json!({"want": "all"})),
        }
        let mut best: Option<Reading> = None;
        for want in &wants {
            let mut sitting = Sitting::begin(&mut *strategy, id, first, &spent);
            let last = sitting.follow(
                want,
                if matches!(ask, Ask::Quote { .. }) { PAGES } else { 0 },
                ask,
            )?;
            let reading = match judge(&sitting, last.as_deref(), ask) {
                Outcome::Right => sitting.end(Outcome::Right),
                _ => continue,
            };
            if best.as_ref().is_none_or(|best| reading.spent.cost(0.1) < best.spent.cost(0.1)) {
                best = Some(reading);
            }
        }
        if let Some(best) = best {
            return Ok(best);
        }
        sitting = Sitting::begin(&mut *strategy, id, first, &spent);
    }
    let last = match ask {
        _ if reader == Reader::Dull => sitting.follow(&json!({"want": "all"}), PAGES, ask)?,
        Ask::Beside { key, .. } | Ask::Absent { key } => {
            sitting.follow(&find(key, question.context), PATIENCE, ask)?
        }
        Ask::Both { keys, .. } => {
            sitting.follow(&find(&keys[0], question.context), 0, ask)?;
            sitting.follow(&find(&keys[1], question.context), PATIENCE, ask)?
        }
        Ask::Count { word, .. } => sitting.read(&json!({"want": "count", "pattern": word}))?,
        Ask::Quote { .. } => sitting.follow(&json!({"want": "all"}), PAGES, ask)?,
    };
    let outcome = if reader == Reader::Dull {
        match &last {
            // It has read to the end.
            Some(last) if last.reply["next"].is_null() => match ask {
                Ask::Count { .. } | Ask::Absent { .. } => Outcome::Right,
                _ if sitting.sees(ask) => Outcome::Right,
                _ => Outcome::Wrong,
            },
            _ => Outcome::Unknown,
        }
    } else {
        judge(&sitting, last.as_deref(), ask)
    };
    Ok(sitting.end(outcome))
}

fn find(key: &str, context: usize) -> Value {
    json!({"want": "find", "pattern": key, "context": context})
}

/// What a reader answers after its reads.
fn judge(sitting: &Sitting<'_>, last: Option<&Answer>, ask: &Ask) -> Outcome {
    let Some(last) = last else { return Outcome::Unknown };
    match ask {
        _ if sitting.sees(ask) => Outcome::Right,
        Ask::Absent { .. } if last.is("none") => Outcome::Right,
        Ask::Count { count, .. } if states(&last.shown, *count) => Outcome::Right,
        Ask::Count { .. } => Outcome::Wrong,
        // It was told that there is none.
        _ if last.is("none") => Outcome::Wrong,
        _ => Outcome::Unknown,
    }
}
