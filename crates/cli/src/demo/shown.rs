//! What a terminal shows of an excerpt and of a call.

use std::time::Duration;

use serde_json::Value;

use crate::console::Console;
use crate::failure::Failure;

/// Lines of an excerpt that are printed; the model sees all of it.
const SHOWN_LINES: usize = 4;

/// What a line around content begins with.
const FENCE: &str = "<<<weir:";

/// Columns where standard output is no terminal.
const COLUMNS: usize = 80;

/// Columns before a line that is shown: blanks and a bar.
const BAR_COLUMNS: usize = 5;

/// As wide as the terminal, and in its colours. Nothing is shown where the answer is JSON.
pub(super) struct Screen<'a> {
    console: &'a Console,
    columns: usize,
}

impl<'a> Screen<'a> {
    pub(super) fn of(console: &'a Console) -> Screen<'a> {
        let columns = console.columns().unwrap_or(COLUMNS);
        Screen { console, columns }
    }

    pub(super) fn say(&mut self, line: &str) -> Result<(), Failure> {
        if self.console.json() { Ok(()) } else { self.console.line(line) }
    }

    /// A heading.
    pub(super) fn title(&mut self, text: &str) -> Result<(), Failure> {
        let text = self.painted("1", text);
        self.say(&text)
    }

    /// The head of what the model sees, in full: it has the size and the id. Then the first lines of the content, and how
    /// many more lines there are.
    pub(super) fn excerpt(&mut self, shown: &str) -> Result<(), Failure> {
        let mut lines = shown.lines();
        if shown.starts_with("[weir: ") {
            for line in wrapped(lines.next().unwrap_or_default(), self.room()) {
                self.bar("36", &line)?;
            }
            lines.by_ref().find(|line| line.starts_with(FENCE));
        }
        self.quoted(lines.by_ref().take(SHOWN_LINES))?;
        match lines.count() {
            0 => Ok(()),
            more => self.bar("2", &format!("… {more} more lines, and calls that read on")),
        }
    }

    /// A call of the model's, whole, and how long the answer took.
    pub(super) fn call(
        &mut self,
        tool: &str,
        arguments: &Value,
        took: Duration,
    ) -> Result<(), Failure> {
        let call = format!("{tool} {arguments}  ({} ms)", took.as_millis().max(1));
        for line in wrapped(&call, self.room()) {
            let line = self.painted("1", &line);
            self.say(&format!("   {line}"))?;
        }
        Ok(())
    }

    /// The first lines of the content of an answer.
    pub(super) fn answer(&mut self, answer: &str) -> Result<(), Failure> {
        let is_fence = |line: &str| line.starts_with(FENCE) || line.ends_with(">>>");
        let is_content = |line: &&str| !line.starts_with("[weir: ") && !is_fence(line);
        self.quoted(answer.lines().filter(is_content).take(2))
    }

    /// Lines as far as the terminal shows them.
    pub(super) fn quoted<'b>(
        &mut self,
        lines: impl Iterator<Item = &'b str>,
    ) -> Result<(), Failure> {
        let room = self.room();
        lines.map(|line| weir_base::clip(line, room)).try_for_each(|line| self.bar("", &line))
    }

    fn bar(&mut self, code: &str, line: &str) -> Result<(), Failure> {
        let line = self.painted(code, line);
        self.say(&format!("   │ {line}"))
    }

    fn room(&self) -> usize {
        self.columns.saturating_sub(BAR_COLUMNS)
    }

    fn painted(&self, code: &str, text: &str) -> String {
        match self.console.colour() && !code.is_empty() {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

/// A line in as many as it takes, broken at blanks and between members of JSON.
fn wrapped(line: &str, room: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.replace(",\"", ",\0\"").split_inclusive([' ', '\0']) {
        let word = word.trim_end_matches('\0');
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 2 && last + word.trim_end().chars().count() > room {
            lines.push("  ".to_owned());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_line_and_a_call_are_there_in_full_at_any_width() {
        for line in [
            "[weir: result stored whole; this is an excerpt, NOT the full output. size=1,234 chars; id=18d73ee2dd4a]",
            r#"weir_fetch {"id":"18d73ee2dd4a","max_matches":1,"mode":"grep","pattern":"panicked"}  (1 ms)"#,
        ] {
            for columns in [40, 80, 120] {
                let lines = wrapped(line, columns);
                assert!(lines.iter().all(|line| line.chars().count() <= columns), "{lines:?}");
                let text = |text: &str| text.split_whitespace().collect::<String>();
                assert_eq!(text(&lines.concat()), text(line));
            }
        }
    }
}
