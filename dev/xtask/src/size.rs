//! Counts the Rust lines that ship, crate by crate, and holds them to the table of docs/size.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Result, output};

const PAGE: &str = "docs/size.md";

/// Folders and files of code that is not built into the product.
const NOT_SHIPPED: [&str; 7] = ["test", "tests", "benches", "fuzz", "lab", "bench", "training"];

/// Lines by crate.
type Sizes = BTreeMap<String, usize>;

/// Fails where a crate grew by more than 3 % and the page does not say what for; `write` brings the table up to date.
pub(crate) fn run(root: &Path, write: bool) -> Result<()> {
    let page = root.join(PAGE);
    let text = fs::read_to_string(&page).map_err(|error| format!("{PAGE}: {error}"))?;
    let counted = count(root)?;
    for (name, lines) in &counted {
        println!("{lines:>7} {name}");
    }
    println!("{:>7} in all", counted.values().sum::<usize>());
    let faults = faults(&counted, &text);
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    match write {
        true => {
            fs::write(&page, updated(&counted, &text)).map_err(|error| format!("{PAGE}: {error}"))
        }
        false => Ok(()),
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
    let (mut count, mut comment, mut tests) = (0, false, false);
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[cfg(test)]") {
            tests = true;
        } else if tests {
            // Of tests in a file of their own there is one line, and what follows it ships.
            tests = !(line.ends_with(';') && line.trim_start_matches("pub ").starts_with("mod "));
        } else if comment || line.starts_with("/*") {
            comment = !line.contains("*/");
        } else if !line.is_empty() && !line.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// The figures of lines that begin so, as in "| `host` | 3,466 |".
fn figures<'a>(page: &'a str, start: &'a str) -> impl Iterator<Item = (&'a str, usize)> {
    page.lines().filter_map(move |line| {
        let (name, rest) = line.strip_prefix(start)?.split_once('`')?;
        let digits = rest.trim_start_matches([' ', '|']).split([' ', ':']).next()?;
        Some((name, digits.replace(',', "").parse().ok()?))
    })
}

fn faults(counted: &Sizes, page: &str) -> Vec<String> {
    let known: Vec<(&str, usize)> = figures(page, "| `").chain(figures(page, "- `")).collect();
    let fault = |(name, lines): (&String, &usize)| {
        let before = known.iter().filter(|(of, _)| of == name).map(|(_, lines)| *lines).max();
        match before {
            Some(before) if lines * 100 <= before * 103 => None,
            Some(before) => Some(format!(
                "{name} grew from {before} to {lines} lines: add \"- `{name}` {lines}: what for\" to {PAGE}"
            )),
            None => Some(format!("{name} is new: add \"- `{name}` {lines}: what for\" to {PAGE}")),
        }
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
                    #[cfg(test)]\nmod inline {\n    fn c() {}\n}\n";
        assert_eq!(lines(text), 3);
        for (file, shipped) in [
            ("host/src/weir.rs", true),
            ("host/src/tests.rs", false),
            ("host/tests/a.rs", false),
            ("dev/lab/src/eval.rs", false),
            ("component/src/fetch/query/compared_tests.rs", false),
            ("component/src/latest.rs", true),
        ] {
            assert_eq!(ships(file), shipped, "{file}");
        }
    }

    #[test]
    fn growth_needs_a_line_that_says_what_for() {
        let page = "| crate | lines |\n| --- | --- |\n| `a` | 1,000 |\n| `b/c` | 200 |\n\n- `d` 50: a start\n";
        let sizes = |of: [(&str, usize); 3]| -> Sizes {
            of.into_iter().map(|(name, lines)| (name.to_owned(), lines)).collect()
        };
        assert!(faults(&sizes([("a", 1_030), ("b/c", 10), ("d", 51)]), page).is_empty());
        let found = faults(&sizes([("a", 1_031), ("d", 40), ("e", 1)]), page);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("a grew from 1000 to 1031") && found[1].starts_with("e is new")
        );
        let grown = sizes([("a", 1_031), ("d", 40), ("b/c", 1)]);
        let said = format!("{page}- `a` 1,031: replicas\n");
        assert!(faults(&grown, &said).is_empty());
        let after = updated(&grown, &said);
        assert!(after.contains("| `a` | 1031 |\n| `b/c` | 1 |\n| `d` | 40 |\n\n- `d`"), "{after}");
        assert!(after.ends_with("- `a` 1,031: replicas\n"));
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
