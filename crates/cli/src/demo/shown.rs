//! What a line on a terminal shows of an excerpt and of a question.

use std::time::Duration;

use serde_json::Value;

/// Lines of an excerpt that are printed; the model sees all of it.
const SHOWN_LINES: usize = 14;

/// Characters of a line that is shown: with the bar before it, a terminal of 80 columns.
const LINE_CHARS: usize = 75;

/// The first lines of what the model sees, and how many more there are.
pub(super) fn excerpt(shown: &str) -> Vec<String> {
    let lines: Vec<&str> = shown.lines().collect();
    let mut excerpt: Vec<String> = lines.iter().take(SHOWN_LINES).map(|line| clip(line)).collect();
    if lines.len() > SHOWN_LINES {
        excerpt.push(format!("… {} more lines", lines.len() - SHOWN_LINES));
    }
    excerpt
}

/// A question that a model asks, as far as a line shows it, and how long the answer took.
pub(super) fn asked(tool: &str, arguments: &Value, took: Duration) -> String {
    let took = format!("  ({} ms)", took.as_millis().max(1));
    weir_base::clip(&format!("{tool} {arguments}"), LINE_CHARS.saturating_sub(took.len())) + &took
}

/// A line as far as a terminal shows it.
pub(super) fn clip(line: &str) -> String {
    weir_base::clip(line, LINE_CHARS)
}
