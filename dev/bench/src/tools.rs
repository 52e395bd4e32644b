//! Tool search: real tools, real requests, a scripted model that asks with the words of the request.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::dice::Dice;
use crate::kinds::unpack;
use crate::meter::{ANSWER, CALL, Spent, tokens};
use crate::reader::Outcome;
use crate::strategy::{Strategy, definitions};

/// Sizes of catalogues.
pub(crate) const SIZES: [usize; 11] = [5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_000];

/// Which tools a catalogue is drawn from, by the tokens of their definitions.
pub(crate) const WEIGHTS: [&str; 3] = ["small", "mixed", "large"];

/// A user's request, and the tools that are right for it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Request {
    /// In the user's words.
    pub(crate) q: String,
    /// Names of tools; none where no tool is right.
    pub(crate) right: Vec<String>,
}

/// Who chooses among the tools that a search shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Chooser {
    /// Calls a tool only if it is right: one that the catalogue lists after a look at its schema, without a search; searches once more with the longer words alone; then says that there is none.
    Judging,
    /// Calls the first that is shown, then the second, then the third; then says that there is none.
    Trusting,
}

/// One request served.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Served {
    /// How it went.
    pub(crate) outcome: Outcome,
    /// What it cost, the definitions included.
    #[serde(flatten)]
    pub(crate) spent: Spent,
    /// Turns until the first right call; 0 when there was none.
    pub(crate) first: usize,
    /// Calls of tools that were not right.
    pub(crate) wrong_calls: usize,
    /// Right tools that were shown.
    pub(crate) found: usize,
}

/// A catalogue and its requests.
pub(crate) struct Catalogue {
    /// Its tools.
    pub(crate) tools: Vec<Value>,
    /// What users want of it.
    pub(crate) requests: Vec<Request>,
}

/// The pool of all tools, and the requests.
#[must_use]
pub(crate) fn pool() -> (Vec<Value>, Vec<Request>) {
    let tools = unpack(include_bytes!("../data/tools.jsonl.gz"));
    let requests = unpack(include_bytes!("../data/requests.jsonl.gz"));
    let tools = tools.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    (tools, requests.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// So many tools: those that the requests need, then others by chance.
#[must_use]
pub(crate) fn draw(
    pool: &[Value],
    requests: &[Request],
    size: usize,
    weight: &str,
    seed: u64,
) -> Catalogue {
    let mut dice = Dice::named(seed, &format!("{size} {weight}"));
    let length = |tool: &Value| tool.to_string().len();
    let mut lengths: Vec<usize> = pool.iter().map(length).collect();
    lengths.sort_unstable();
    let (third, most) = (lengths[lengths.len() / 3], lengths[lengths.len() * 9 / 10]);
    let fits = |tool: &Value| match weight {
        "small" => length(tool) <= third,
        "large" => length(tool) >= most,
        _ => true,
    };
    let mut others: Vec<&Value> = pool.iter().filter(|tool| fits(tool)).collect();
    let allowed: std::collections::HashSet<&str> =
        others.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let mut wanted: Vec<&Request> = requests
        .iter()
        .filter(|request| request.right.iter().all(|name| allowed.contains(name.as_str())))
        .collect();
    dice.shuffle(&mut wanted);
    let mut chosen: Vec<&Request> = Vec::new();
    let mut names: std::collections::BTreeSet<&str> = std::collections::BTreeSet::new();
    // Of those with one right tool, with several, with none: so many.
    for (least, most, count) in [(1, 1, 10), (2, 9, 4), (0, 0, 4)] {
        let of = wanted.iter().filter(|r| (least..=most).contains(&r.right.len()));
        let mut taken = 0;
        for request in of {
            let more = request.right.iter().filter(|name| !names.contains(name.as_str())).count();
            if taken < count && (names.len() + more <= size * 3 / 4 || more == 0) {
                names.extend(request.right.iter().map(String::as_str));
                chosen.push(request);
                taken += 1;
            }
        }
    }
    dice.shuffle(&mut others);
    let needed = |tool: &&Value| tool["name"].as_str().is_some_and(|name| names.contains(name));
    let mut tools: Vec<Value> = pool.iter().filter(needed).cloned().collect();
    let rest = size.saturating_sub(tools.len());
    tools.extend(others.iter().filter(|tool| !needed(tool)).take(rest).map(|&tool| tool.clone()));
    tools.sort_by(|a, b| a["name"].as_str().cmp(&b["name"].as_str()));
    Catalogue { tools, requests: chosen.into_iter().cloned().collect() }
}

/// What a strategy makes of a catalogue.
pub(crate) struct Offer {
    /// Tokens of what the model is shown of the tools.
    pub(crate) definitions: usize,
    /// Whether tools must be searched.
    pub(crate) deferred: bool,
    /// Names of deferred tools that the model sees all the same.
    pub(crate) listed: Vec<String>,
}

/// Gives a catalogue to a strategy.
///
/// # Errors
/// When the strategy breaks the protocol.
pub(crate) fn offer(strategy: &mut Strategy, tools: &[Value]) -> Result<Offer, String> {
    strategy.forget();
    let answer = strategy.ask(&json!({"op": "catalog", "tools": tools}))?;
    Ok(Offer {
        definitions: definitions(&answer.reply["definitions"]),
        deferred: answer.is("deferred"),
        listed: serde_json::from_value(answer.reply["listed"].clone()).unwrap_or_default(),
    })
}

/// A second query: the longer words alone.
fn shorter(query: &str) -> String {
    let mut words: Vec<&str> =
        query.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 4).collect();
    words.dedup();
    words.truncate(6);
    words.join(" ")
}

/// One request through one strategy.
///
/// # Errors
/// When the strategy breaks the protocol.
pub(crate) fn serve(
    strategy: &mut Strategy,
    offer: &Offer,
    request: &Request,
    chooser: Chooser,
) -> Result<Served, String> {
    let mut spent = Spent::begin(offer.definitions, tokens(&request.q));
    let (mut wrong, mut first, mut fits) = (0, 0, true);
    let mut open: Vec<&str> = request.right.iter().map(String::as_str).collect();
    // What a tool gives back is the same everywhere, and small.
    const RESULT: usize = 30;
    if offer.deferred {
        let listed = |name: &&str| offer.listed.iter().any(|listed| listed == *name);
        let seen: Vec<&str> = match chooser {
            Chooser::Judging => open.iter().copied().filter(listed).collect(),
            Chooser::Trusting => Vec::new(),
        };
        for name in seen {
            let described = strategy.ask(&json!({"op": "describe", "name": name}))?;
            fits &= spent.turn(described.call, described.tokens) & spent.turn(CALL, RESULT);
            first = if first == 0 { spent.turns } else { first };
            open.retain(|right| *right != name);
        }
        for query in [request.q.clone(), shorter(&request.q)] {
            if open.is_empty() && !request.right.is_empty() || query.is_empty() {
                break;
            }
            let answer = strategy.ask(&json!({"op": "search", "query": query}))?;
            fits &= spent.turn(answer.call, answer.tokens);
            let shown: Vec<&str> = answer.reply["names"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            let tries: Vec<&str> = match chooser {
                Chooser::Judging => {
                    shown.iter().copied().filter(|name| open.contains(name)).collect()
                }
                Chooser::Trusting => {
                    shown.iter().copied().take(3.max(request.right.len())).collect()
                }
            };
            for name in tries {
                if chooser == Chooser::Trusting && open.is_empty() && !request.right.is_empty() {
                    break;
                }
                if !answer.is("callable") {
                    let described = strategy.ask(&json!({"op": "describe", "name": name}))?;
                    fits &= spent.turn(described.call, described.tokens);
                }
                fits &= spent.turn(CALL, RESULT);
                match open.iter().position(|right| *right == name) {
                    Some(at) => {
                        open.remove(at);
                        first = if first == 0 { spent.turns } else { first };
                    }
                    None => wrong += 1,
                }
            }
            if chooser == Chooser::Trusting && !shown.is_empty() {
                break;
            }
        }
    } else {
        // All is in sight: the bound for doing nothing is a model that always chooses well.
        for _ in &request.right {
            fits &= spent.turn(CALL, RESULT);
            first = 1;
        }
        open.clear();
    }
    fits &= spent.turn(ANSWER, 0);
    let outcome = if !fits {
        Outcome::Refused
    } else if wrong > 0 && request.right.is_empty() {
        Outcome::Wrong
    } else if open.is_empty() {
        Outcome::Right
    } else {
        Outcome::Unknown
    };
    Ok(Served {
        outcome,
        spent,
        first,
        wrong_calls: wrong,
        found: request.right.len() - open.len(),
    })
}
