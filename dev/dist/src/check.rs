//! Installs what a release consists of, each into an empty environment, and does Weir's main job with it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::archive::read_tar_gz;
use crate::platform::Platform;
use crate::run::{output, program};
use crate::source::Source;
use crate::{Result, binary, container, create, fresh, image, read, sums, wit, write};

/// How a check ends when it does not fail.
enum Outcome {
    Passed,
    /// With the reason.
    LeftOut(String),
}
use Outcome::{LeftOut, Passed};

struct Check<'a> {
    source: &'a Source,
    /// The release.
    out: &'a Path,
    /// Where things are installed.
    folder: PathBuf,
    names: Vec<String>,
}

/// A check, and what it is called.
type Named<'a> = (&'static str, fn(&Check<'a>) -> Result<Outcome>);

/// Each with what it does: a failure names the artefact.
fn all<'a>() -> [Named<'a>; 14] {
    [
        ("the contract has its three worlds", Check::contract),
        ("no file names a path of this machine", Check::paths),
        ("every package holds its licences", Check::licences),
        ("the host's crate holds the component", Check::crates),
        ("the container file copies what is there", Check::container),
        ("the images are whole", Check::images),
        ("the archive with the binary", Check::tarball),
        ("the binary alone, in a system without any other file", Check::alone),
        ("the wheel with the binary: pip, python -m", Check::wheel),
        ("the wheel with the binary: uvx, pipx", Check::runners),
        ("the npm packages with the binary: npx", Check::npx),
        ("the kit for Python", Check::python),
        ("the kit for JavaScript", Check::javascript),
        ("the kits for C, Go and Ruby", Check::sources),
    ]
}

pub(crate) fn run(source: &Source, out: &Path, work: &Path) -> Result<()> {
    let names = sums::verify(out)?;
    println!("passed    {} files have their checksums", names.len());
    let folder = work.join("check");
    let check = Check { source, out, folder, names };
    let mut failed = Vec::new();
    for (name, one) in all() {
        fresh(&check.folder)?;
        match one(&check) {
            Ok(Passed) => println!("passed    {name}"),
            Ok(LeftOut(why)) => println!("left out  {name}: {why}"),
            Err(error) => {
                println!("FAILED    {name}");
                eprintln!("{error}");
                failed.push(name);
            }
        }
    }
    fresh(&check.folder)?;
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join("; "))) }
}

impl Check<'_> {
    fn contract(&self) -> Result<Outcome> {
        let file = read(&self.out.join(wit::name(&self.source.version)))?;
        let worlds = wit::worlds(&file)?;
        for world in ["plugin", "results", "tools"] {
            if !worlds.iter().any(|name| name == world) {
                return Err(format!("the contract has the worlds {worlds:?}"));
            }
        }
        Ok(Passed)
    }

    fn paths(&self) -> Result<Outcome> {
        let home = std::env::home_dir().unwrap_or_default();
        for name in &self.names {
            let bytes = read(&self.out.join(name))?;
            let mut parts = vec![(name.clone(), bytes)];
            if [".tar.gz", ".tgz", ".crate"].iter().any(|end| name.ends_with(end)) {
                let entries = read_tar_gz(&parts[0].1)?;
                let inside = |(path, entry): (String, crate::archive::Entry)| {
                    (format!("{name}: {path}"), entry.bytes)
                };
                parts.extend(entries.into_iter().map(inside));
            }
            for (name, bytes) in &parts {
                for place in [&self.source.root, &home.join(".cargo"), &home.join(".rustup")] {
                    let place = place.to_string_lossy();
                    if contains(bytes, place.as_bytes()) {
                        return Err(format!("{name} names {place}"));
                    }
                }
            }
        }
        Ok(Passed)
    }

    fn licences(&self) -> Result<Outcome> {
        let script = self.source.root.join("dev/dist/third-party.py");
        output(Command::new("python3").arg(script).arg("--check"))?;
        for name in &self.names {
            let bytes = read(&self.out.join(name))?;
            // The list of a ZIP archive has names as they are.
            let inside = match name.rsplit('.').next() {
                Some("whl") => bytes,
                Some("gz" | "tgz" | "crate") => {
                    Vec::from_iter(read_tar_gz(&bytes)?.into_keys()).join("\n").into_bytes()
                }
                _ => continue,
            };
            // Cargo fetches what a crate needs with its own licences; the host's has the component inside.
            let own = name.ends_with(".crate") && !name.starts_with("weir-host-");
            let files = ["/LICENSE", "/NOTICE", "/THIRD-PARTY.txt"];
            let lacks = |file: &&&str| !contains(&inside, file.as_bytes());
            if let Some(file) = files[..if own { 2 } else { 3 }].iter().find(lacks) {
                return Err(format!("{name} lacks {file}"));
            }
        }
        Ok(Passed)
    }

    fn crates(&self) -> Result<Outcome> {
        let version = &self.source.version;
        let Some(name) = self.named("weir-host-", ".crate") else {
            return Ok(LeftOut("it is not in this release".to_owned()));
        };
        let entries = read_tar_gz(&read(&self.out.join(name))?)?;
        let path = format!("weir-host-{version}/component/weir.wasm");
        let component = read(&self.out.join("weir.wasm"))?;
        match entries.get(&path) {
            Some(entry) if entry.bytes == component => Ok(Passed),
            Some(_) => Err(format!("{path} is not weir.wasm of the release")),
            None => Err(format!("{path} is missing")),
        }
    }

    fn container(&self) -> Result<Outcome> {
        if self.named(container::NAME, "").is_none() {
            return Ok(LeftOut("it is not in this release".to_owned()));
        }
        container::lint(self.out).map(|()| Passed)
    }

    fn images(&self) -> Result<Outcome> {
        let images: Vec<&String> =
            self.names.iter().filter(|name| name.ends_with(".oci.tar")).collect();
        for name in &images {
            image::lint(&read(&self.out.join(name))?)
                .map_err(|error| format!("{name}: {error}"))?;
        }
        match images.is_empty() {
            true => Ok(LeftOut("there is none in this release".to_owned())),
            false => Ok(Passed),
        }
    }

    fn tarball(&self) -> Result<Outcome> {
        let Some(program) = self.unpacked()? else { return Ok(self.no_binary()) };
        if !contains(&read(&program)?, &read(&self.out.join("weir.wasm"))?) {
            return Err("the binary does not hold weir.wasm of the release".to_owned());
        }
        let folder = program.parent().unwrap_or(Path::new("."));
        for name in ["man/weir.1", "man/weir-run.1", "completions/_weir"] {
            if !folder.join(name).is_file() {
                return Err(format!("the archive lacks {name}"));
            }
        }
        self.main_job(&[&program.to_string_lossy()])
    }

    /// As in an image made from scratch.
    fn alone(&self) -> Result<Outcome> {
        let Some(binary) = self.unpacked()? else { return Ok(self.no_binary()) };
        let system = self.folder.join("system");
        create(&system.join("data"))?;
        create(&system.join("tmp"))?;
        std::fs::copy(&binary, system.join("weir")).map_err(|error| error.to_string())?;
        let (Some(unshare), Some(_)) = (program("unshare"), program("chroot")) else {
            return Ok(LeftOut("unshare and chroot are not installed".to_owned()));
        };
        let mut inside = Command::new(unshare);
        inside.args(["--user", "--map-root-user", "chroot"]).arg(&system);
        inside.env_clear().env("HOME", "/data").env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        if output(Command::new("unshare").args(["--user", "--map-root-user", "true"])).is_err() {
            return Ok(LeftOut("this machine makes no user namespaces".to_owned()));
        }
        // There is no other program: the command runs itself.
        let text = output(inside.args(["/weir", "run", "--", "/weir", "help", "serve"]))?;
        if text.contains("Usage: weir serve") {
            Ok(Passed)
        } else {
            Err(format!("it printed {text}"))
        }
    }

    fn wheel(&self) -> Result<Outcome> {
        let Some(wheel) = self.wheel_here() else { return Ok(self.no_binary()) };
        let python = match self.environment()? {
            Ok(python) => python,
            Err(why) => return Ok(LeftOut(why)),
        };
        let pip = ["-m", "pip", "install", "--quiet", "--no-index"];
        output(Command::new(&python).args(pip).arg(&wheel))?;
        let python = python.to_string_lossy();
        let folder = python.trim_end_matches("python");
        self.main_job(&[&python, "-m", "weir_cli"])?;
        self.main_job(&[&format!("{folder}weir")])?;
        self.main_job(&[&format!("{folder}weir-cli")])
    }

    fn runners(&self) -> Result<Outcome> {
        let Some(wheel) = self.wheel_here() else { return Ok(self.no_binary()) };
        let wheel = wheel.to_string_lossy();
        let mut run = Vec::new();
        if let Some(uvx) = program("uvx") {
            let uvx = uvx.to_string_lossy().into_owned();
            self.main_job(&[&uvx, "--quiet", "--offline", "--from", &wheel, "weir-cli"])?;
            run.push("uvx");
        }
        if let Some(pipx) = program("pipx") {
            let pipx = pipx.to_string_lossy().into_owned();
            self.main_job(&[&pipx, "run", "--spec", &wheel, "weir-cli"])?;
            run.push("pipx");
        }
        match run.as_slice() {
            [] => Ok(LeftOut("neither uvx nor pipx is installed".to_owned())),
            _ => Ok(Passed),
        }
    }

    fn npx(&self) -> Result<Outcome> {
        if self.named(&format!("weir-cli-{}.tgz", self.source.version), "").is_none() {
            return Ok(self.no_binary());
        }
        let (Some(node), Some(npx)) = (program("node"), program("npx")) else {
            return Ok(LeftOut("Node with npm is not installed".to_owned()));
        };
        let mut registry = Registry::start(&node, self)?;
        write(
            &self.folder.join(".npmrc"),
            format!("registry={}\naudit=false\nfund=false\n", registry.address()?).as_bytes(),
        )?;
        self.main_job(&[&npx.to_string_lossy(), "--yes", "weir-cli"])
    }

    fn python(&self) -> Result<Outcome> {
        let Some(wheel) = self.named("weir_wasm-", ".whl") else {
            return Ok(LeftOut("it is not in this release".to_owned()));
        };
        let python = match self.environment()? {
            Ok(python) => python,
            Err(why) => return Ok(LeftOut(why)),
        };
        let pip = ["-m", "pip", "install", "--quiet"];
        output(Command::new(&python).args(pip).arg(self.out.join(wheel)))?;
        let lines = first_block(&self.source.text("docs/embedding/python.md")?, "python")?;
        write(&self.folder.join("ten.py"), lines.as_bytes())?;
        read_back(Command::new(&python).current_dir(&self.folder).arg("ten.py"))
    }

    fn javascript(&self) -> Result<Outcome> {
        let Some(package) = self.named("weir-wasm-", ".tgz") else {
            return Ok(LeftOut("it is not in this release".to_owned()));
        };
        if program("node").is_none() || program("npm").is_none() {
            return Ok(LeftOut("Node with npm is not installed".to_owned()));
        }
        write(&self.folder.join("package.json"), br#"{"type":"module","private":true}"#)?;
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--offline"];
        output(
            Command::new("npm").current_dir(&self.folder).args(install).arg(self.out.join(package)),
        )?;
        let lines = first_block(&self.source.text("docs/embedding/javascript.md")?, "js")?;
        write(&self.folder.join("ten.mjs"), lines.as_bytes())?;
        read_back(Command::new("node").current_dir(&self.folder).arg("ten.mjs"))
    }

    /// From the archive, by the commands of the pages: libweir over wasmtime's C API, then what is made over it.
    fn sources(&self) -> Result<Outcome> {
        let Some(name) = self.named("weir-kits-", ".tar.gz") else {
            return Ok(LeftOut("they are not in this release".to_owned()));
        };
        for needed in ["cc", "make", "pkg-config", "python3", "cargo"] {
            if program(needed).is_none() {
                return Ok(LeftOut(format!("{needed} is not installed")));
            }
        }
        output(
            Command::new("tar").arg("xzf").arg(self.out.join(name)).arg("-C").arg(&self.folder),
        )?;
        let kits = self.folder.join(name.trim_end_matches(".tar.gz"));
        let (c, build) = (kits.join("c"), kits.join("c/build"));
        if let Err(error) =
            output(Command::new(c.join("wasmtime.sh")).current_dir(&c).arg("build/wasmtime"))
        {
            return Ok(LeftOut(format!("wasmtime's C API cannot be had: {}", error.trim())));
        }
        output(Command::new("make").current_dir(&c).args(["--silent", "WASMTIME=build/wasmtime"]))?;
        // Each language in an empty folder with the component and the lines of its page.
        let lines = |language: &str, file: &str| -> Result<PathBuf> {
            let folder = self.folder.join(language);
            create(&folder)?;
            for file in ["weir.wasm", "weir-results.wasm"] {
                write(&folder.join(file), &read(&self.out.join(file))?)?;
            }
            let page = self.source.text(&format!("docs/embedding/{language}.md"))?;
            write(&folder.join(file), first_block(&page, language)?.as_bytes())?;
            Ok(folder)
        };
        let run = |folder: &Path, script: &str| {
            let mut shell = Command::new("sh");
            shell.current_dir(folder).args(["-e", "-c", script]).arg("sh").arg(&kits);
            shell.env("PKG_CONFIG_PATH", &build).env("WEIR_LIBRARY", build.join("libweir.so"));
            shell.env("GOFLAGS", "-mod=mod").env("GOPROXY", "off");
            shell.env("GOCACHE", self.folder.join("go-cache"));
            read_back(&mut shell)
        };
        let c = lines("c", "ten.c")?;
        run(&c, "cc ten.c $(pkg-config --cflags --libs weir) -o ten && ./ten")?;
        let mut missing = Vec::new();
        match program("go") {
            None => missing.push("Go"),
            Some(_) => {
                let replace = "go mod edit -require weir@v0.0.0 -replace \"weir=$1/go\"";
                run(
                    &lines("go", "ten.go")?,
                    &format!("go mod init ten 2>&1 && {replace} && go run ."),
                )?;
            }
        }
        match program("ruby") {
            None => missing.push("Ruby"),
            Some(_) => {
                run(&lines("ruby", "ten.rb")?, "ruby -I \"$1/ruby\" ten.rb")?;
            }
        }
        match missing.as_slice() {
            [] => Ok(Passed),
            _ => Ok(LeftOut(format!("there is no {}; the others pass", missing.join(" and no ")))),
        }
    }

    /// A large output goes in, an excerpt comes out, and a line that it does not show is read back.
    fn main_job(&self, command: &[&str]) -> Result<Outcome> {
        let home = self.folder.join("home");
        fresh(&home)?;
        let run = |arguments: &[&str]| {
            let path = std::env::var_os("PATH").unwrap_or_default();
            output(
                Command::new(command[0])
                    .args(&command[1..])
                    .args(arguments)
                    .current_dir(&self.folder)
                    .env_clear()
                    .env("HOME", &home)
                    .env("npm_config_userconfig", self.folder.join(".npmrc"))
                    .env("PATH", path),
            )
        };
        let excerpt = run(&["run", "--", "seq", "1", "40000"])?;
        let id = excerpt.split_once("; id=").and_then(|(_, rest)| rest.split_once(']'));
        let (id, _) = id.ok_or_else(|| format!("that is no excerpt:\n{excerpt}"))?;
        if excerpt.contains("\n31415\n") {
            return Err("the excerpt shows all".to_owned());
        }
        let found = run(&["fetch", id, "--grep", "31415"])?;
        if found.contains("31415:31415") {
            Ok(Passed)
        } else {
            Err(format!("not read back:\n{found}"))
        }
    }

    /// The binary for this machine, from its archive.
    fn unpacked(&self) -> Result<Option<PathBuf>> {
        let Some((name, target)) = self.archive_here() else { return Ok(None) };
        output(
            Command::new("tar").arg("xzf").arg(self.out.join(name)).arg("-C").arg(&self.folder),
        )?;
        let stem = binary::stem(&self.source.version, target);
        Ok(Some(self.folder.join(stem).join("weir")))
    }

    fn archive_here(&self) -> Option<(&str, &str)> {
        let stem = format!("weir-{}-", self.source.version);
        self.names.iter().find_map(|name| {
            let target = name.strip_prefix(&stem)?.strip_suffix(".tar.gz")?;
            Platform::named(target).ok()?.is_here().then_some((name.as_str(), target))
        })
    }

    fn wheel_here(&self) -> Option<PathBuf> {
        let (_, target) = self.archive_here()?;
        let end = Platform::named(target).ok()?.wheel.join(".");
        Some(self.out.join(self.named("weir_cli-", &format!("{end}.whl"))?))
    }

    fn no_binary(&self) -> Outcome {
        LeftOut("the release has no binary for this machine".to_owned())
    }

    fn named(&self, start: &str, end: &str) -> Option<&String> {
        self.names.iter().find(|name| name.starts_with(start) && name.ends_with(end))
    }

    /// The interpreter of an empty environment; or why there is none.
    fn environment(&self) -> Result<std::result::Result<PathBuf, String>> {
        let Some(python) = program("python3") else {
            return Ok(Err("Python is not installed".to_owned()));
        };
        let folder = self.folder.join("environment");
        if output(Command::new(python).args(["-m", "venv"]).arg(&folder)).is_err() {
            return Ok(Err("python3 has no venv".to_owned()));
        }
        Ok(Ok(folder.join("bin/python")))
    }
}

/// A registry of npm packages that has those of the release.
struct Registry(Child);

impl Registry {
    fn start(node: &Path, check: &Check<'_>) -> Result<Registry> {
        Command::new(node)
            .arg(check.source.root.join("dev/dist/check/registry.mjs"))
            .arg(check.out)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map(Registry)
            .map_err(|error| format!("the registry does not start: {error}"))
    }

    fn address(&mut self) -> Result<String> {
        let stdout = self.0.stdout.take().ok_or("the registry has no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).map_err(|error| error.to_string())?;
        Ok(line.trim().to_owned())
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What `grep` answers for the ten lines. The excerpt shows the same line, without its column.
const FOUND: &str = "\n4321:7: 4321: error: disk is full";

/// The ten lines end with what was read back.
fn read_back(command: &mut Command) -> Result<Outcome> {
    let printed = output(command.env_remove("WEIR_COMPONENT"))?;
    if printed.contains(FOUND) { Ok(Passed) } else { Err(format!("not read back:\n{printed}")) }
}

/// The first block of a page, of a language.
fn first_block(page: &str, language: &str) -> Result<String> {
    let start = format!("```{language}\n");
    page.split_once(&start)
        .and_then(|(_, rest)| rest.split_once("\n```"))
        .map(|(lines, _)| lines.to_owned())
        .ok_or_else(|| format!("the page has no block of {language}"))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(bytes, part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_of_a_language_is_taken() {
        let page = "a\n```sh\nx\n```\n```js\n1\n2\n```\n```js\n3\n```\n";
        assert_eq!(first_block(page, "js").as_deref(), Ok("1\n2"));
        assert!(first_block(page, "python").is_err());
    }
}
