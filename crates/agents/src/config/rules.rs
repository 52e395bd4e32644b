//! How to work with excerpts, in the file of rules that an agent host reads with every session.

use std::path::PathBuf;

use super::hosts::{Directories, Host, Scope};

/// What is written, between marks by which it is found again.
pub const RULES: &str = "\
<!-- weir: how to read large results -->
- Ask narrowly: filter, limit and count in the command itself.
- A text headed `[weir: …; id=ID]` is an excerpt of a stored result. Read back the part you need with the call that it names: grep before \
lines, a query to count or sum.
- If you need all of it, make the same call again.
<!-- /weir -->
";

/// Where hosts read rules for all projects, as their documentation says.
const FILES: [(&str, Scope); 9] = [
    ("amp", Scope::Dot("amp/AGENTS.md")),
    ("claude-code", Scope::Named("CLAUDE_CONFIG_DIR", "CLAUDE.md", ".claude")),
    ("codex", Scope::Named("CODEX_HOME", "AGENTS.md", ".codex")),
    ("copilot", Scope::Named("COPILOT_HOME", "copilot-instructions.md", ".copilot")),
    ("gemini", Scope::Named("GEMINI_CLI_HOME", ".gemini/GEMINI.md", "")),
    ("opencode", Scope::Dot("opencode/AGENTS.md")),
    ("pi", Scope::Home(".pi/agent/AGENTS.md")),
    ("qwen", Scope::Home(".qwen/QWEN.md")),
    ("windsurf", Scope::Home(".codeium/windsurf/memories/global_rules.md")),
];

/// The file in which a host reads rules for all projects, where one is known.
pub fn rules_file(host: &Host, directories: &Directories) -> Option<PathBuf> {
    let (_, scope) = FILES.iter().find(|(name, _)| *name == host.name)?;
    Some(directories.path(*scope))
}

/// The text with our rules at its end, or in the place of those that it has.
pub fn with_rules(text: &str) -> String {
    if let Some((before, after)) = around_rules(text) {
        return format!("{before}{RULES}{after}");
    }
    match text {
        "" => RULES.to_owned(),
        _ if text.ends_with('\n') => format!("{text}\n{RULES}"),
        _ => format!("{text}\n\n{RULES}"),
    }
}

/// The text without our rules.
pub(super) fn without_rules(text: &str) -> String {
    match around_rules(text) {
        Some((before, "")) => before.strip_suffix('\n').unwrap_or(before).to_owned(),
        Some((before, after)) => format!("{before}{after}"),
        None => text.to_owned(),
    }
}

/// What stands before and after our rules.
pub(super) fn around_rules(text: &str) -> Option<(&str, &str)> {
    let mut marks = RULES.trim_end().split('\n');
    let (first, last) = (marks.clone().next()?, marks.next_back()?);
    // The nearest first mark before a last one: what somebody wrote between a stray mark and ours stays.
    let ours = text.rmatch_indices(first).find(|(at, _)| text[*at..].contains(last));
    let (start, _) = ours?;
    let (before, rest) = text.split_at(start);
    let (_, after) = rest.split_once(last)?;
    Some((before, after.strip_prefix("\r\n").or_else(|| after.strip_prefix('\n')).unwrap_or(after)))
}

#[cfg(test)]
mod tests {
    use super::super::HOSTS;
    use super::*;

    #[test]
    fn rules_are_short_and_come_and_go() {
        assert!(RULES.chars().count() <= 400, "{}", RULES.chars().count());
        for text in ["", "Be brief.\n", "# Rules\r\n\r\n- Be brief.\r\n"] {
            let with = with_rules(text);
            assert_eq!(with_rules(&with), with);
            assert_eq!(without_rules(&with), text);
            let gap = if text.is_empty() { "" } else { "\n" };
            assert_eq!(without_rules(&format!("{with}More.\n")), format!("{text}{gap}More.\n"));
        }
        assert_eq!(without_rules("nothing of ours"), "nothing of ours");
        let mark = RULES.lines().next().unwrap_or_default();
        let stray = format!("{mark}\nkeep this\n");
        assert_eq!(without_rules(&with_rules(&stray)), stray);
    }

    #[test]
    fn every_file_of_rules_is_of_a_host() {
        for (name, _) in FILES {
            assert!(HOSTS.iter().any(|host| host.name == name), "{name}");
        }
    }
}
