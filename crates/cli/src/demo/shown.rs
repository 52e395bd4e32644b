//! What a terminal shows of an excerpt and of a question.

use std::time::Duration;

use serde_json::Value;

use crate::console::Console;

/// Lines of an excerpt that are printed; the model sees all of it.
const SHOWN_LINES: usize = 14;

/// Columns where standard output is no terminal.
const COLUMNS: usize = 80;

/// Columns before a line that is shown: blanks and a bar.
const BAR_COLUMNS: usize = 5;

/// As wide as the terminal, and in its colours.
#[derive(Clone, Copy)]
pub(super) struct Screen {
    columns: usize,
    colour: bool,
}

impl Screen {
    pub(super) fn of(console: &Console) -> Screen {
        Screen { columns: console.columns().unwrap_or(COLUMNS), colour: console.colour() }
    }

    /// The first lines of what the model sees, and how many more there are. The head line, which has the size and the
    /// id, is there in full.
    pub(super) fn excerpt(self, shown: &str) -> Vec<String> {
        let mut lines = shown.lines();
        let mut excerpt = Vec::new();
        if shown.starts_with("[weir: ") {
            let head = self.wrapped(lines.next().unwrap_or_default());
            excerpt.extend(head.iter().map(|line| self.painted("36", line)));
        }
        excerpt.extend(lines.by_ref().take(SHOWN_LINES).map(|line| self.clip(line)));
        match lines.count() {
            0 => {}
            more => excerpt.push(self.painted("2", &format!("… {more} more lines"))),
        }
        excerpt
    }

    /// A question that a model asks, as far as a line shows it, and how long the answer took.
    pub(super) fn asked(self, tool: &str, arguments: &Value, took: Duration) -> String {
        let took = format!("  ({} ms)", took.as_millis().max(1));
        let room = self.room().saturating_sub(took.len());
        self.painted("1", &weir_base::clip(&format!("{tool} {arguments}"), room)) + &took
    }

    /// A heading.
    pub(super) fn title(self, text: &str) -> String {
        self.painted("1", text)
    }

    /// A line as far as the terminal shows it.
    pub(super) fn clip(self, line: &str) -> String {
        weir_base::clip(line, self.room())
    }

    fn room(self) -> usize {
        self.columns.saturating_sub(BAR_COLUMNS)
    }

    /// A line in as many as it takes, broken at blanks.
    fn wrapped(self, line: &str) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in line.split_inclusive(' ') {
            let last = lines.last().map_or(0, |line| line.chars().count());
            if last > 0 && last + word.trim_end().chars().count() > self.room() {
                lines.push("  ".to_owned());
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(word);
            }
        }
        lines.iter().map(|line| line.trim_end().to_owned()).collect()
    }

    fn painted(self, code: &str, text: &str) -> String {
        match self.colour {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_line_is_there_in_full_at_any_width() {
        let head = "[weir: result stored whole; this is an excerpt, NOT the full output. size=1,234 chars; id=18d73ee2dd4a]";
        let shown = format!("{head}\n{}", "a line of the excerpt\n".repeat(20));
        for columns in [40, 80, 120] {
            let lines = Screen { columns, colour: false }.excerpt(&shown);
            assert!(
                lines.iter().all(|line| line.chars().count() <= columns - BAR_COLUMNS),
                "{lines:?}"
            );
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert!(words(&lines.join(" ")).starts_with(&words(head)), "{lines:?}");
            assert_eq!(lines.last().map(String::as_str), Some("… 6 more lines"));
        }
    }
}
