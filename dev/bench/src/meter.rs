//! What a conversation costs, in tokens of a real tokenizer, every turn counted.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Tokens that stand before everything in each request: the host's own prompt and tools, already cached.
pub(crate) const BASE: usize = 8_000;
/// The model's window. A longer request is refused: the task fails, and what was sent before is paid.
pub(crate) const WINDOW: usize = 200_000;
/// Tokens of a call of an ordinary tool, and of an answer to the user.
pub(crate) const CALL: usize = 40;
/// See [`CALL`].
pub(crate) const ANSWER: usize = 30;
/// The price of an output token, in input tokens.
pub(crate) const OUTPUT: f64 = 5.0;
/// The prices of a cached input token for which everything is told.
pub(crate) const CACHED: [f64; 3] = [0.0, 0.1, 1.0];

/// Tokens of `o200k_base`. Beyond what no window holds it stops counting.
#[must_use]
pub(crate) fn tokens(text: &str) -> usize {
    let model = tiktoken_rs::o200k_base_singleton();
    let (mut count, mut rest) = (0, text);
    while !rest.is_empty() && count <= WINDOW {
        let mut to = rest.len().min(1 << 16);
        while !rest.is_char_boundary(to) {
            to -= 1;
        }
        // A part ends before a blank, where a token may begin.
        if to < rest.len() {
            to = rest[..to].rfind([' ', '\n']).filter(|&at| at > 0).unwrap_or(to);
        }
        count += model.encode_ordinary(&rest[..to]).len();
        rest = &rest[to..];
    }
    count
}

/// Twelve digits of a SHA-256.
#[must_use]
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// A conversation with a model, so far.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Spent {
    /// Input tokens sent for the first time.
    pub(crate) new: usize,
    /// Input tokens sent again, as the cached start of a request.
    pub(crate) cached: usize,
    /// Output tokens.
    pub(crate) out: usize,
    /// Requests to the model.
    pub(crate) turns: usize,
    #[serde(skip)]
    sent: usize,
    #[serde(skip)]
    pending: usize,
}

impl Spent {
    /// A conversation that begins with definitions of so many tokens, and a question.
    #[must_use]
    pub(crate) fn begin(definitions: usize, question: usize) -> Spent {
        Spent { sent: BASE, pending: definitions + question, ..Spent::default() }
    }

    /// One request: the model gives `out` tokens, and `then` tokens come back from a tool. False when the
    /// request was too long; it is not paid then.
    pub(crate) fn turn(&mut self, out: usize, then: usize) -> bool {
        if self.sent + self.pending > WINDOW {
            return false;
        }
        self.turns += 1;
        self.cached += self.sent;
        self.new += self.pending;
        self.out += out;
        self.sent += self.pending;
        self.pending = out + then;
        true
    }

    /// The cost in input tokens, where a cached one costs `cached`.
    #[must_use]
    pub(crate) fn cost(&self, cached: f64) -> f64 {
        cost(self.new, self.cached, self.out, cached)
    }
}

/// See [`Spent::cost`].
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "counts of tokens are small")]
pub(crate) fn cost(new: usize, again: usize, out: usize, cached: f64) -> f64 {
    new as f64 + cached * again as f64 + OUTPUT * out as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_sends_all_that_was_said_again() {
        let mut spent = Spent::begin(100, 10);
        assert!(spent.turn(40, 1_000));
        assert!(spent.turn(30, 0));
        assert_eq!(
            (spent.new, spent.cached, spent.out, spent.turns),
            (110 + 1_040, 8_000 + 8_110, 70, 2)
        );
        assert!((spent.cost(0.1) - (1_150.0 + 1_611.0 + 350.0)).abs() < 1e-9);
    }

    #[test]
    fn a_request_over_the_window_is_refused_and_not_paid() {
        let mut spent = Spent::begin(0, 10);
        assert!(spent.turn(40, WINDOW));
        assert!(!spent.turn(30, 0));
        assert_eq!((spent.new, spent.turns), (10, 1));
    }

    #[test]
    fn tokens_are_those_of_the_tokenizer_also_in_parts() {
        assert_eq!(tokens("hello world"), 2);
        let long = "hello world ".repeat(20_000);
        let whole = tiktoken_rs::o200k_base_singleton().encode_ordinary(&long).len();
        assert!(tokens(&long).abs_diff(whole) <= 8);
    }
}
