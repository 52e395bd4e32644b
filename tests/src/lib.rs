//! What the tests share: the real component in the real wasmtime over a directory of its own, and
//! the real command with an environment of its own.

pub mod disk;
pub mod reading;
pub mod tools;
pub mod wasi;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;
use weir_host::contract::{FinishedResult, Handle, Origin, Part, Transformed};
use weir_host::{Cache, ComponentSource, Engine, Settings, Weir};

/// The session that tests are in where it does not matter.
pub const SESSION: &str = "test";

/// The engine, compiled once for all tests of a binary and cached between them.
pub fn engine() -> Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE
        .get_or_init(|| {
            Engine::new(&ComponentSource::Embedded, &Cache::In(cache()))
                .expect("the component compiles")
        })
        .clone()
}

/// Where compiled code is kept between test binaries.
pub fn cache() -> PathBuf {
    target_directory().join("weir-test-cache").join("weir")
}

/// A directory for a store and a home, removed in the end.
pub struct Sandbox {
    directory: TempDir,
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox { directory: tempfile::tempdir().expect("a temporary directory can be made") }
    }
}

impl Sandbox {
    /// An empty one.
    pub fn new() -> Sandbox {
        Sandbox::default()
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The store's directory.
    pub fn store(&self) -> PathBuf {
        self.path().join("store")
    }

    /// The library over the store, with everything at its default.
    pub fn weir(&self) -> Weir {
        Weir::builder().open_with(engine(), self.store()).expect("the store can be made")
    }

    /// The library over the store, with settings changed from the default.
    pub fn weir_with(&self, change: impl FnOnce(&mut Settings)) -> Weir {
        let weir = self.weir();
        let mut values = Settings::default();
        change(&mut values);
        weir.with_settings(values)
    }

    /// The command with an empty environment, a home in here and nothing on standard input.
    pub fn command<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Command {
        let mut command = Command::new(weir_command());
        command
            .args(arguments)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("XDG_CONFIG_HOME", self.path().join("config"))
            .env("XDG_CACHE_HOME", target_directory().join("weir-test-cache"))
            .env("WEIR_STORE", self.store())
            .current_dir(self.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs the command and says what came of it.
    #[must_use]
    pub fn run<I: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = I>) -> Ran {
        self.command(arguments).output().expect("weir can be started").into()
    }

    /// Runs the command on an input.
    #[must_use]
    pub fn run_on<I: AsRef<OsStr>>(
        &self,
        input: &[u8],
        arguments: impl IntoIterator<Item = I>,
    ) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("weir can be started");
        let mut stdin = child.stdin.take().expect("it has a standard input");
        let input = input.to_vec();
        // A thread, as the command may write before it has read everything.
        let writer = std::thread::spawn(move || {
            let _ = stdin.write_all(&input);
        });
        let output = child.wait_with_output().expect("weir ends");
        writer.join().expect("the input is given");
        output.into()
    }
}

/// What a run of the command came to.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; -1 when a signal ended it.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard output, as bytes.
    pub bytes: Vec<u8>,
    /// Standard error.
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            bytes: output.stdout,
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    /// Standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}\n{}", self.stdout, self.stderr))
    }
}

/// A finished result of one text, of the tool `read`.
pub fn text_result(text: impl Into<String>) -> FinishedResult {
    FinishedResult::text(SESSION, "read", text)
}

/// A call of a tool in the session of tests.
pub fn origin(tool: &str) -> Origin {
    Origin::new(SESSION, tool)
}

/// Transforms a text that is to be replaced.
pub fn replace(weir: &Weir, result: &FinishedResult) -> Transformed {
    match weir.transform(result) {
        Ok(transformed) if transformed.replaced => transformed,
        other => panic!("not replaced: {other:?}"),
    }
}

/// Stores a text and gives its handle.
pub fn store(weir: &Weir, text: impl Into<String>) -> Handle {
    replace(weir, &text_result(text)).handles.remove(0)
}

/// The text that a replacement shows.
pub fn shown(replacement: &Transformed) -> String {
    let texts = replacement.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// The workspace's `target` directory, in which this test runs.
pub fn target_directory() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.ancestors().nth(2).expect("tests run from target/PROFILE/deps");
    profile.parent().expect("a profile's directory is in the target directory").to_owned()
}

/// The component without its embedding table.
pub fn component_without_table() -> Vec<u8> {
    std::fs::read(made("weir-without-table.wasm", &["--without-table"])).expect("it was built")
}

/// The file of one world. That of `plugin` is the one in the library.
pub fn world(name: &str) -> ComponentSource {
    match name {
        "plugin" => ComponentSource::Embedded,
        _ => ComponentSource::File(made(&format!("weir-{name}.wasm"), &["--world", name])),
    }
}

/// What `cargo xtask component` makes with these options, where the build of the host makes it.
fn made(name: &str, options: &[&str]) -> PathBuf {
    let target = target_directory().join("component");
    let file = target.join(name);
    xtask(Path::new(env!("CARGO_MANIFEST_DIR")), &target, &file, options, &[]);
    file
}

/// Cargo as a shell starts it. What cargo tells a test about its own package is left out: build scripts that watch such
/// a variable (ring's does) would run again, and all that stands on them would be compiled anew, twice in each run.
fn cargo() -> Command {
    const KEPT: [&str; 3] = ["CARGO_HOME", "CARGO_INCREMENTAL", "CARGO_NET_OFFLINE"];
    let mut cargo = Command::new(env!("CARGO"));
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        let set_by_users = KEPT.contains(&&*name)
            || ["CARGO_BUILD_", "CARGO_HTTP_", "CARGO_PROFILE_", "CARGO_REGISTR", "CARGO_TARGET_"]
                .iter()
                .any(|kind| name.starts_with(kind) && name != "CARGO_TARGET_TMPDIR");
        if name.starts_with("CARGO") && !set_by_users {
            cargo.env_remove(&*name);
        }
    }
    cargo
}

/// Runs `cargo xtask component` in a workspace as the build of the host does.
pub fn xtask(
    workspace: &Path,
    target: &Path,
    file: &Path,
    options: &[&str],
    environment: &[(&str, &OsStr)],
) {
    let mut cargo = cargo();
    cargo
        .args(["run", "--quiet", "--locked", "--package", "xtask", "--target-dir"])
        .arg(target)
        .args(["--", "component", "--target-dir"])
        .arg(target)
        .arg("--out")
        .arg(file)
        .args(options)
        .current_dir(workspace)
        .envs(environment.iter().copied())
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WRAPPER");
    let output = cargo.output().expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The component of `tests/guests/hostile`, built with some of its features.
pub fn hostile_guest(features: &str) -> Vec<u8> {
    built_guest("weir-hostile-guest", features)
}

/// A package of this workspace that is a component, built.
pub fn built_guest(package: &str, features: &str) -> Vec<u8> {
    // Beside the real component, whose build has compiled what this one needs.
    let target = target_directory().join("component");
    let output = cargo()
        .args(["build", "--quiet", "--package", package, "--profile", "component"])
        .args(["--target", "wasm32-wasip2", "--features", features, "--target-dir"])
        .arg(&target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("RUSTFLAGS")
        .env_remove("RUSTC_WRAPPER")
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = format!("wasm32-wasip2/component/{}.wasm", package.replace('-', "_"));
    std::fs::read(target.join(file)).expect("it was built")
}

/// A program of the workspace, built as this test is. `cargo test` builds no binaries of other packages, so this
/// asks for it; for the whole workspace and with a test, as `cargo test --workspace` does: features of dependencies
/// are then the same, and nothing is compiled a second time.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = test.ancestors().nth(2).expect("tests run from target/PROFILE/deps");
    let mut cargo = cargo();
    cargo
        .args(["build", "--quiet", "--workspace", "--bin", name, "--test", "relay"])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let status =
        cargo.arg("--target-dir").arg(target_directory()).status().expect("cargo can be started");
    assert!(status.success(), "{name} does not build");
    profile.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// The command, built once.
fn weir_command() -> &'static Path {
    static COMMAND: OnceLock<PathBuf> = OnceLock::new();
    COMMAND.get_or_init(|| {
        let command = program("weir");
        // A hook does not wait for a compiler: without this the first ones would leave their results.
        let mut compiles = Command::new(&command);
        compiles.arg("inspect").env("XDG_CACHE_HOME", target_directory().join("weir-test-cache"));
        let compiled = compiles.output().expect("weir can be started");
        assert!(compiled.status.success(), "the component does not compile");
        command
    })
}
