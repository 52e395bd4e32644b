//! Which tool a name means, and which names are near one that means none.

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
                }
                folded.push((fold(name).into(), Strength::Whole, at));
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

/// `name` in lower case without anything but letters and digits: `Create-Issue`, `create_issue`
/// and `createIssue` are one.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        let mut folded = String::with_capacity(name.len());
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric);
        folded.extend(letters.map(|b| b.to_ascii_lowercase() as char));
        return folded;
    }
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What follows the last `__`, or else the last `.`, `/` or `:`.
fn suffix(name: &str) -> Option<&str> {
    let suffix = match name.rsplit_once("__") {
        Some((_, suffix)) => suffix,
        None => name.rsplit_once(['.', '/', ':'])?.1,
    };
    (!suffix.is_empty()).then_some(suffix)
}

fn strip_prefix_any_case<'a>(name: &'a str, prefix: &str) -> Option<&'a str> {
    let head = name.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &name[prefix.len()..])
}

/// The names in `known` nearest to `wanted`, best first, at most `count`: those a slip of the
/// hand away, then those that share most of its words.
pub fn nearest<'a>(
    wanted: &str,
    known: impl Iterator<Item = &'a str>,
    count: usize,
) -> Vec<&'a str> {
    // Names come from a model: a long one is not worth comparing to the end.
    let wanted: String = wanted.chars().take(80).collect();
    let folded: Vec<char> = fold(&wanted).chars().collect();
    if folded.is_empty() {
        return Vec::new();
    }
    let words = words(&wanted);
    let slip = (folded.len() / 4).clamp(1, 4);
    let mut best: Vec<(u32, &str)> = Vec::new();
    for name in known {
        let other: Vec<char> = fold(name).chars().take(120).collect();
        let rank = if other.is_empty() {
            continue;
        } else if let Some(distance) = distance_within(&folded, &other, slip) {
            distance as u32
        } else {
            let parts = self::words(name);
            let shared = words.iter().filter(|word| parts.contains(word)).count();
            // At least half of the words asked for; more shared words first, then shorter names.
            if shared == 0 || shared * 2 < words.len() {
                continue;
            }
            1_000 - (shared as u32 * 100).min(900) + parts.len().min(90) as u32
        };
        best.push((rank, name));
    }
    sort(&mut best);
    best.dedup_by_key(|(_, name)| *name);
    best.truncate(count);
    best.into_iter().map(|(_, name)| name).collect()
}

/// The words of an identifier, in lower case: `createIssue`, `create_issue` → create, issue.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut lower_before = false;
    for c in name.chars() {
        let split = !c.is_alphanumeric() || (c.is_uppercase() && lower_before);
        if split && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase() || c.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The edit distance of two words (a swap of neighbours counts one), when it is at most `limit`.
pub fn distance_within(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            let mut cost = (last[j - 1] + same).min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                cost = cost.min(before[j - 2] + 1);
            }
            row[j] = cost;
        }
        if row.iter().all(|&cost| cost > limit) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|&distance| distance <= limit)
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
    fn near_names_are_slips_first_then_shared_words() {
        let known = ["create_issue", "create_issues", "list_issues", "delete_page", "issue_write"];
        let near = |wanted| nearest(wanted, known.into_iter(), 2);
        assert_eq!(near("craete_issue"), ["create_issue", "create_issues"]);
        assert_eq!(near("page"), ["delete_page"]);
        assert_eq!(near("zzz"), Vec::<&str>::new());
        assert_eq!(near(""), Vec::<&str>::new());
    }

    #[test]
    fn distance_counts_a_swap_once() {
        let chars = |s: &str| s.chars().collect::<Vec<_>>();
        assert_eq!(distance_within(&chars("abcd"), &chars("abdc"), 2), Some(1));
        assert_eq!(distance_within(&chars("abc"), &chars("abc"), 0), Some(0));
        assert_eq!(distance_within(&chars("kitten"), &chars("sitting"), 3), Some(3));
        assert_eq!(distance_within(&chars("kitten"), &chars("sitting"), 2), None);
        assert_eq!(distance_within(&[], &chars("ab"), 2), Some(2));
    }
}
