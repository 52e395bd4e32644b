//! What docs/settings.md says is what the component says, README has the commands that land a change, and
//! the first lines of docs/embedding/rust.md run.

use std::fs;
use std::path::Path;

use serde_json::Value;
use weir_tests::Sandbox;

#[test]
fn the_page_of_settings_lists_every_setting_with_its_default() {
    let schema: Value =
        serde_json::from_str(&Sandbox::new().weir().settings_schema().expect("there is a schema"))
            .expect("the schema is JSON");
    let mut table = String::from("| setting | default | what it does |\n| --- | --- | --- |\n");
    for (name, object) in schema["properties"].as_object().expect("it has tables") {
        for (key, property) in object["properties"].as_object().expect("a table has keys") {
            if property["type"] == "array" {
                continue;
            }
            let default = property["default"].to_string().replace('"', "");
            let doc = property["description"].as_str().expect("a setting is described");
            table += &format!("| `{name}.{key}` | {default} | {doc} |\n");
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/settings.md");
    let page = fs::read_to_string(&file).expect("there is a page of settings");
    let (before, rest) =
        page.split_once("<!-- settings -->\n").expect("it has a place for settings");
    let (kept, after) = rest.split_once("<!-- /settings -->").expect("the place ends");
    if std::env::var_os("UPDATE_SETTINGS").is_some() {
        let page = format!("{before}<!-- settings -->\n{table}<!-- /settings -->{after}");
        fs::write(&file, page).expect("the page can be written");
    } else {
        assert!(kept == table, "run UPDATE_SETTINGS=1 cargo test --package weir-tests --test docs");
    }
}

#[test]
fn the_tests_that_the_readme_names_are_what_lands_a_change() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("there is such a file");
    let (readme, run) = (read("README.md"), read(".ci/run"));
    for command in ["cargo run --locked -- demo", "cargo test --workspace --locked"] {
        assert!(readme.lines().any(|line| line.starts_with(command)), "README lacks {command}");
    }
    assert!(run.lines().any(|line| line == "step cargo test --workspace --locked"));
}

#[test]
fn every_script_of_the_tests_stands_on_the_page_of_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/testing.md")).expect("there is such a page");
    for folder in ["tests", "tests/agents", "tests/benches"] {
        for entry in fs::read_dir(root.join(folder)).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
            // What the scripts for agents share.
            if ["stub.py", "agents.py"].contains(&name) || path.is_dir() {
                continue;
            }
            let named = match name.rsplit_once('.') {
                Some((bench, "rs")) => format!("`{bench}`"),
                Some((_, "sh" | "py")) => format!("{folder}/{name}"),
                _ => continue,
            };
            assert!(page.contains(&named), "docs/testing.md lacks {folder}/{name}");
        }
    }
}

#[test]
fn every_line_of_the_threat_model_names_a_test_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/security.md")).expect("there is such a page");
    let mut sources = Vec::new();
    let mut open: Vec<_> = ["agents", "cli", "component", "gateway", "host", "tests"]
        .map(|name| root.join(name))
        .into();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(directory).expect("it is a directory").flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("it is a source");
                sources.push((path.with_extension(""), text));
            }
        }
    }
    let is_there = |name: &str| {
        let (module, last) = name.rsplit_once("::").expect("it has a module");
        let module = module.rsplit("::").next().unwrap_or_default();
        let function = format!("fn {last}(");
        sources.iter().any(|(path, text)| match last {
            "tests" => path.ends_with(module) && text.contains("mod tests"),
            _ => text.contains(&function) || (path.ends_with(last) && text.contains("#[test]")),
        })
    };
    let mut is_tests = false;
    for line in page.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        is_tests = line.starts_with('|') && (is_tests || cells.last() == Some(&"Test"));
        let last = cells.last().copied().unwrap_or_default();
        if is_tests && last != "Test" && !last.starts_with("---") && last != "the same" {
            assert!(last.contains('`'), "no test: {line}");
        }
        for name in line.split('`').skip(1).step_by(2).filter(|name| name.contains("::")) {
            assert!(is_there(name) || name == "gateway::…", "{name} is not there: {line}");
        }
    }
}

/// The program of the page, as it stands there.
#[allow(clippy::print_stdout, reason = "it is what a user writes")]
mod page {
    include!("page/rust.rs");

    pub(super) fn run() -> Result<(), Box<dyn std::error::Error>> {
        main()
    }
}

#[test]
fn the_first_lines_of_the_page_for_rust_run_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join("docs/embedding/rust.md")).expect("there is a page");
    let program = include_str!("page/rust.rs");
    assert!(
        text.contains(&format!("```rust\n{program}```")),
        "tests/tests/page/rust.rs is not on the page"
    );
    // It opens its store where it is started; nothing else in this file depends on that.
    let folder = tempfile::tempdir().expect("there is room");
    std::env::set_current_dir(&folder).expect("it is there");
    page::run().expect("it works");
    assert!(folder.path().join("weir-store").is_dir());
}
