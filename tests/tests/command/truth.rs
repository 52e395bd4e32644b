//! What excerpts and outlines say, held against Python's own readers: the short form of `tests/truth.py`.

#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::Path;
use std::process::Command;

use weir_tests::Sandbox;

#[test]
fn nothing_that_an_excerpt_or_an_outline_says_is_denied() {
    let sandbox = Sandbox::new();
    let weir = sandbox.command(["--version"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("truth.py");
    let mut python = Command::new("python3");
    python.arg(script).args(["--count", "44", "--weir"]).arg(weir.get_program()).env_clear();
    for (name, value) in weir.get_envs().filter(|(name, _)| *name != "WEIR_STORE") {
        python.env(name, value.unwrap_or_default());
    }
    let Ok(output) = python.output() else {
        eprintln!("left out: there is no python3");
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    assert!(said.contains(": 0 denied"), "{said}");
}
