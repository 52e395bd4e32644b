//! The Rust of README and of docs/embedding/rust.md, compiled and run as it stands there.

use std::fs;
use std::path::Path;

/// The program of the page, as it stands there.
#[allow(clippy::print_stdout, reason = "it is what a user writes")]
mod page {
    include!("rust.rs");

    pub(super) fn run() -> Result<(), Box<dyn std::error::Error>> {
        main()
    }
}

mod readme {
    include!("readme.rs");

    pub(super) fn run(log: String, arguments: &str) -> Result<[String; 2], Error> {
        read_log(log, arguments)
    }
}

#[test]
fn the_snippets_for_rust_run_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = fs::read_to_string(root.join("docs/embedding/rust.md")).expect("there is a page");
    let program = include_str!("rust.rs");
    assert!(
        text.contains(&format!("```rust\n{program}```")),
        "tests/tests/snippets/rust.rs is not on the page"
    );
    // It opens its store where it is started: no other test may run in this process.
    let folder = tempfile::tempdir().expect("there is room");
    std::env::set_current_dir(&folder).expect("it is there");
    page::run().expect("it works");
    assert!(folder.path().join("weir-store").is_dir());

    let readme = fs::read_to_string(root.join("README.md")).expect("there is a page");
    let snippet = include_str!("readme.rs");
    assert!(
        readme.contains(&format!("```rust\n{snippet}```")),
        "tests/tests/snippets/readme.rs is not in README.md"
    );
    let log = "a line of the log\n".repeat(5_000) + "error: disk is full\n";
    let search = r#"{"mode": "search", "pattern": "disk is full"}"#;
    let [shown, answer] = readme::run(log, search).expect("it works");
    assert!(shown.contains("weir_fetch") && shown.len() < 12_000, "{shown}");
    assert!(answer.contains("error: disk is full"), "{answer}");
    let [shown, _] = readme::run("all is well".into(), search).expect("it works");
    assert_eq!(shown, "all is well", "a small result is shown as it is");
}
