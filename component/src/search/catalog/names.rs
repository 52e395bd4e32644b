//! Which tool a name means, by whatever writing of it.

use crate::search::text::fold::fold;
use crate::sort::sort;

/// How sure it is that a key means its tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// The whole name, an alias, or server and name together.
    Whole,
    /// The part after a server's prefix.
    Suffix,
}

/// What a name was found to mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// One tool.
    One(usize),
    /// Several tools, none more than the others.
    Many(Vec<usize>),
    /// No tool.
    None,
}

/// The names of a catalog's tools, for looking up.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Names as they are, sorted. Ids come before other names of equal text.
    exact: Vec<(Box<str>, bool, u32)>,
    /// Folded names, sorted.
    folded: Vec<(Box<str>, Strength, u32)>,
}

/// All that one tool can be called.
#[derive(Debug, Clone, Copy)]
pub struct NamesOfTool<'a> {
    /// What the catalog calls it; nothing else has this name.
    pub id: &'a str,
    /// What its owner calls it.
    pub name: &'a str,
    /// Its server; may be empty.
    pub server: &'a str,
    /// Other names for it.
    pub aliases: &'a [String],
}

/// What some models and providers put before a tool's name.
const PREFIXES: [&str; 6] =
    ["functions.", "functions:", "default_api.", "default_api:", "tools.", "mcp__"];

impl Names {
    /// The names of these tools; a tool is known by its place among them.
    pub fn build<'a>(tools: impl Iterator<Item = NamesOfTool<'a>>) -> Names {
        let (mut exact, mut folded) = (Vec::new(), Vec::new());
        for (at, tool) in tools.enumerate() {
            let at = at as u32;
            exact.push((tool.id.into(), false, at));
            for name in std::iter::once(tool.name).chain(tool.aliases.iter().map(String::as_str)) {
                if name != tool.id {
                    exact.push((name.into(), true, at));
                    folded.push((fold(name).into(), Strength::Whole, at));
                }
                for bare in PREFIXES.iter().filter_map(|p| strip_prefix_any_case(name, p)) {
                    folded.push((fold(bare).into(), Strength::Whole, at));
                }
                if let Some(suffix) = suffix(name) {
                    folded.push((fold(suffix).into(), Strength::Suffix, at));
                }
            }
            folded.push((fold(tool.id).into(), Strength::Whole, at));
            if !tool.server.is_empty() {
                let whole = fold(tool.server) + &fold(tool.name);
                folded.push((whole.into(), Strength::Whole, at));
            }
        }
        sort(&mut exact);
        exact.dedup();
        sort(&mut folded);
        folded.dedup();
        Names { exact, folded }
    }

    /// The tool called exactly this by the catalog.
    pub fn id(&self, id: &str) -> Option<usize> {
        let at = self.exact.partition_point(|(name, other, _)| (&**name, *other) < (id, false));
        self.exact
            .get(at)
            .filter(|(name, other, _)| &**name == id && !other)
            .map(|(.., tool)| *tool as usize)
    }

    /// What `name` means: exactly, by an alias, or when case, `-`, `_`, `.` and the prefixes that
    /// models and hosts add (`functions.`, `mcp__server__`) are not counted. A name that could mean
    /// several tools means none of them.
    pub fn find(&self, name: &str) -> Found {
        if let Some(tool) = self.id(name) {
            return Found::One(tool);
        }
        let at = self.exact.partition_point(|(known, ..)| &**known < name);
        let same = self.exact[at..].iter().take_while(|(known, ..)| &**known == name);
        match found(same.map(|(.., tool)| *tool)) {
            Found::None => {}
            known => return known,
        }
        let mut rest = name.trim();
        loop {
            match self.find_folded(&fold(rest)) {
                Found::None => {}
                known => return known,
            }
            match PREFIXES.iter().find_map(|prefix| strip_prefix_any_case(rest, prefix)) {
                Some(shorter) => rest = shorter,
                None => return Found::None,
            }
        }
    }

    /// The tools that `text`, a whole query, may be the name of, ascending: as for [`Names::find`],
    /// and all of them when it means several.
    pub fn named(&self, text: &str) -> Vec<u32> {
        let text = text.trim();
        let bare = PREFIXES.iter().find_map(|prefix| strip_prefix_any_case(text, prefix));
        let mut found = Vec::new();
        for key in std::iter::once(text).chain(bare).map(fold).filter(|key| !key.is_empty()) {
            let at = self.folded.partition_point(|(known, ..)| **known < *key);
            let same = self.folded[at..].iter().take_while(|(known, ..)| **known == *key);
            found.extend(same.map(|(.., tool)| *tool));
        }
        sort(&mut found);
        found.dedup();
        found
    }

    /// The tools whose ids only case and punctuation tell from each other, by place, group by group. `id` gives each.
    pub(crate) fn alike<'a>(&self, id: impl Fn(usize) -> &'a str) -> Vec<Vec<usize>> {
        let same = self.folded.chunk_by(|(a, ..), (b, ..)| a == b).filter(|same| same.len() > 1);
        let groups = same.map(|same| {
            let whole = same.iter().filter(|(_, strength, _)| *strength == Strength::Whole);
            let tools = whole.map(|&(.., tool)| tool as usize);
            tools.filter(|&tool| fold(id(tool)) == *same[0].0).collect()
        });
        groups.collect()
    }

    fn find_folded(&self, key: &str) -> Found {
        if key.is_empty() {
            return Found::None;
        }
        for strength in [Strength::Whole, Strength::Suffix] {
            let at = self.folded.partition_point(|(k, s, _)| (&**k, *s) < (key, strength));
            let same =
                self.folded[at..].iter().take_while(|(k, s, _)| &**k == key && *s == strength);
            match found(same.map(|(.., tool)| *tool)) {
                Found::None => {}
                known => return known,
            }
        }
        Found::None
    }
}

fn found(tools: impl Iterator<Item = u32>) -> Found {
    let mut tools: Vec<usize> = tools.map(|tool| tool as usize).collect();
    sort(&mut tools);
    tools.dedup();
    match tools.as_slice() {
        [] => Found::None,
        [one] => Found::One(*one),
        _ => Found::Many(tools),
    }
}

/// What follows the last `__`, or else the last `.`, `/` or `:`.
fn suffix(name: &str) -> Option<&str> {
    let suffix = match name.rsplit_once("__") {
        Some((_, suffix)) => suffix,
        None => name.rsplit_once(['.', '/', ':'])?.1,
    };
    (!suffix.is_empty()).then_some(suffix)
}

/// `name` without what some models and providers put before it.
pub(crate) fn strip_prefix(name: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| strip_prefix_any_case(name, prefix)).unwrap_or(name)
}

fn strip_prefix_any_case<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let head = name.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &name[prefix.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tools: &[(&str, &str, &str, &[&str])]) -> Names {
        let aliases: Vec<Vec<String>> =
            tools.iter().map(|t| t.3.iter().map(|a| (*a).to_owned()).collect()).collect();
        Names::build(tools.iter().zip(&aliases).map(|(tool, aliases)| NamesOfTool {
            id: tool.0,
            name: tool.1,
            server: tool.2,
            aliases,
        }))
    }

    #[test]
    fn a_name_is_found_however_it_is_written() {
        let names = names(&[
            ("create_issue", "create_issue", "github", &["file a bug"]),
            ("mcp__linear__list_teams", "mcp__linear__list_teams", "linear", &[]),
        ]);
        for name in [
            "create_issue",
            "createIssue",
            "Create-Issue",
            "github__create_issue",
            "mcp__github__create_issue",
            "functions.create_issue",
            "github.create_issue",
            "file a bug",
            " create_issue ",
            "functions.mcp__github__create_issue",
        ] {
            assert_eq!(names.find(name), Found::One(0), "{name}");
        }
        for name in ["mcp__linear__list_teams", "linear__list_teams", "list_teams", "listTeams"] {
            assert_eq!(names.find(name), Found::One(1), "{name}");
        }
        for name in ["gitlab__create_issue", "issue", "", "__", "functions."] {
            assert_eq!(names.find(name), Found::None, "{name}");
        }
    }

    #[test]
    fn a_name_that_could_mean_two_tools_means_neither() {
        let names = names(&[
            ("github__search", "search", "github", &[]),
            ("linear__search", "search", "linear", &[]),
            ("readFile", "readFile", "a", &[]),
            ("read_file", "read_file", "b", &[]),
        ]);
        assert_eq!(names.find("search"), Found::Many(vec![0, 1]));
        assert_eq!(names.find("github.search"), Found::One(0));
        assert_eq!(names.find("read_file"), Found::One(3), "exactly beats folded");
        assert_eq!(names.find("READ_FILE"), Found::Many(vec![2, 3]));
    }

    #[test]
    fn a_query_names_every_tool_that_may_be_called_so() {
        let names = names(&[
            ("mcp__github__create_issue", "mcp__github__create_issue", "github", &[]),
            ("createIssue", "createIssue", "jira", &["new ticket"]),
            ("create-issue", "create-issue", "linear", &[]),
            ("search", "search", "slack", &[]),
        ]);
        assert_eq!(names.named("create issue"), [0, 1, 2]);
        for query in ["mcp__jira__create-issue", "jira create issue", "JIRA.createIssue"] {
            assert_eq!(names.named(query), [1], "{query}");
        }
        assert_eq!(names.named("new ticket"), [1]);
        assert_eq!(names.named("github__create_issue"), [0]);
        assert_eq!(names.named("searches"), Vec::<u32>::new());
        assert_eq!(names.named("…!?"), Vec::<u32>::new());
    }
}
