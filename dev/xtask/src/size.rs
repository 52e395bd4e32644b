//! Counts the Rust lines that ship, crate by crate, and holds them to the table of dev/size.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Result, output};

const PAGE: &str = "dev/size.md";

/// Folders and files of code that is not built into the product.
const NOT_SHIPPED: [&str; 6] = ["dev", "test", "tests", "benches", "examples", "build"];

/// Lines by crate.
type Sizes = BTreeMap<String, usize>;

/// Fails where a crate is more than 3 % above its figure on the page; `write` brings the page up to date. What grew is
/// said in the commit that writes the figure.
pub(crate) fn run(root: &Path, write: bool) -> Result<()> {
    let page = root.join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
    let counted = count(root)?;
    for (name, lines) in &counted {
        println!("{lines:>7} {name}");
    }
    println!("{:>7} in all", counted.values().sum::<usize>());
    if write {
        return fs::write(&page, updated(&counted, &text))
            .map_err(|error| format!("{PAGE}: {error}"));
    }
    match faults(&counted, &text) {
        faults if faults.is_empty() => Ok(()),
        faults => Err(faults.join("\n")),
    }
}

fn count(root: &Path) -> Result<Sizes> {
    let git = ["ls-files", "*.rs", "*/Cargo.toml"];
    let listed = output(Command::new("git").current_dir(root).args(git))?;
    let crates: Vec<&str> =
        listed.lines().filter_map(|file| file.strip_suffix("/Cargo.toml")).collect();
    let mut sizes = Sizes::new();
    for file in listed.lines().filter(|file| file.ends_with(".rs") && ships(file)) {
        let within = |folder: &&&str| Path::new(file).starts_with(folder);
        let innermost = crates.iter().filter(within).max_by_key(|folder| folder.len());
        // One that is deleted and not yet committed has no text.
        if let (Some(name), Ok(text)) = (innermost, fs::read_to_string(root.join(file))) {
            *sizes.entry((*name).to_owned()).or_default() += lines(&text);
        }
    }
    Ok(sizes)
}

fn ships(file: &str) -> bool {
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    !stem.split('/').any(|part| NOT_SHIPPED.contains(&part))
        && !stem.ends_with("_test")
        && !stem.ends_with("_tests")
}

/// Lines without blanks, comments, and the tests at the end of a file.
fn lines(text: &str) -> usize {
    let (mut count, mut comment) = (0, false);
    // How far in what is for tests alone begins: it ends with a line as far in.
    let mut tests = None;
    for whole in text.lines() {
        let line = whole.trim();
        let indent = whole.len() - whole.trim_start().len();
        if line.starts_with("#[cfg(test)]") {
            tests = Some(indent);
        } else if let Some(at) = tests {
            let is_end = indent == at && line.ends_with([';', '}', ',']);
            tests = tests.filter(|_| !is_end);
        } else if comment || line.starts_with("/*") {
            comment = !line.contains("*/");
        } else if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// The figures of the table, whose lines are as "| `host` | 3,466 |".
fn figures(page: &str) -> Sizes {
    let figure = |line: &str| {
        let (name, rest) = line.strip_prefix("| `")?.split_once("` |")?;
        let digits = rest.trim().trim_end_matches('|').trim().replace(',', "");
        Some((name.to_owned(), digits.parse().ok()?))
    };
    page.lines().filter_map(figure).collect()
}

fn faults(counted: &Sizes, page: &str) -> Vec<String> {
    let known = figures(page);
    let mend = format!(
        "make it smaller, or say what for in a commit with `cargo xtask size --write` ({PAGE})"
    );
    let fault = |(name, lines): (&String, &usize)| match known.get(name) {
        Some(before) if lines * 100 <= before * 103 => None,
        Some(before) => Some(format!("{name} grew from {before} to {lines} lines: {mend}")),
        None => Some(format!("{name} is new, {lines} lines: {mend}")),
    };
    counted.iter().filter_map(fault).collect()
}

/// The page with a table of these figures.
fn updated(counted: &Sizes, page: &str) -> String {
    let mut rows = counted.iter().map(|(name, lines)| format!("| `{name}` | {lines} |\n"));
    let mut text = String::new();
    for line in page.lines() {
        match line.starts_with("| `") {
            true => text.extend(rows.by_ref()),
            false => text.extend([line, "\n"]),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ships_is_counted_and_nothing_else() {
        let text = "//! A crate.\n\n#[cfg(test)]\nmod tests;\n/* one\ntwo */\nfn a() {\n    b(); // said\n}\n\
                    #[cfg(test)]\nmod inline {\n    fn c() {}\n}\nfn d() {\n    #[cfg(test)]\n    {\n        e();\n    }\n    f();\n}\n";
        assert_eq!(lines(text), 6);
        for (file, shipped) in [
            ("host/src/weir.rs", true),
            ("host/src/tests.rs", false),
            ("host/tests/a.rs", false),
            ("dev/xtask/src/size.rs", false),
            ("examples/adapters/cpex/src/lib.rs", false),
            ("component/build.rs", false),
            ("component/src/fetch/query/compared_tests.rs", false),
            ("component/src/latest.rs", true),
        ] {
            assert_eq!(ships(file), shipped, "{file}");
        }
    }

    #[test]
    fn the_table_alone_is_what_a_crate_is_held_to() {
        let page = "| crate | lines |\n| --- | --- |\n| `a` | 1,000 |\n| `b/c` | 200 |\n\n- `a` 2,000: said once\n";
        let sizes = |of: [(&str, usize); 2]| -> Sizes {
            of.into_iter().map(|(name, lines)| (name.to_owned(), lines)).collect()
        };
        assert!(faults(&sizes([("a", 1_030), ("b/c", 10)]), page).is_empty());
        let found = faults(&sizes([("a", 1_031), ("e", 1)]), page);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("a grew from 1000 to 1031"), "{found:?}");
        assert!(found[1].starts_with("e is new"), "{found:?}");
        // It falls as well as it rises.
        let smaller = updated(&sizes([("a", 900), ("b/c", 1)]), page);
        assert!(smaller.contains("| `a` | 900 |\n| `b/c` | 1 |\n\n"), "{smaller}");
        assert_eq!(faults(&sizes([("a", 950), ("b/c", 1)]), &smaller).len(), 1);
    }

    #[test]
    fn the_page_holds_for_this_workspace() {
        let root = crate::root().unwrap();
        let page = fs::read_to_string(root.join(PAGE)).unwrap();
        // An unpacked archive is no repository.
        if root.join(".git").exists() {
            assert_eq!(faults(&count(&root).unwrap(), &page), Vec::<String>::new());
        }
    }
}
