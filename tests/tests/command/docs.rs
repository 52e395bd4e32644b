//! What docs/settings.md says is what the component says, README has the commands that land a change, and
//! ARCHITECTURE.md draws the files that there are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use weir_host::Class;
use weir_tests::Sandbox;

#[test]
fn the_page_of_settings_lists_every_setting_with_its_default() {
    let schema: Value =
        serde_json::from_str(&Sandbox::new().weir().settings_schema().expect("there is a schema"))
            .expect("the schema is JSON");
    let mut lists = Vec::new();
    let mut table = String::from("| setting | default | what it does |\n| --- | --- | --- |\n");
    for (name, object) in schema["properties"].as_object().expect("it has tables") {
        for (key, property) in object["properties"].as_object().expect("a table has keys") {
            if property["type"] == "array" {
                lists.push(format!("{name}.{key}"));
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
        assert!(
            kept == table,
            "run UPDATE_SETTINGS=1 cargo test --package weir-tests --test command docs::"
        );
    }
    // Every list of the schema stands there too, and no list that the schema lacks.
    let rows = after.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let told: Vec<&str> = rows.map(|(name, _)| name).filter(|name| name.contains('.')).collect();
    assert_eq!(told, lists);
}

#[test]
fn the_tests_that_the_readme_names_are_what_lands_a_change() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("there is such a file");
    let (readme, run) = (read("README.md"), read(".ci/run"));
    for command in ["cargo run --locked -- demo", "cargo test --workspace --locked"] {
        assert!(readme.lines().any(|line| line.starts_with(command)), "README lacks {command}");
    }
    assert!(run.lines().any(|line| line.starts_with("step cargo test --workspace --locked")));
}

#[test]
fn every_script_of_the_tests_stands_on_the_page_of_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("tests/README.md")).expect("there is such a page");
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
            assert!(page.contains(&named), "tests/README.md lacks {folder}/{name}");
        }
    }
}

#[test]
fn every_line_of_the_threat_model_names_a_test_that_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs/security.md")).expect("there is such a page");
    let mut sources = Vec::new();
    let mut open: Vec<_> =
        ["component", "crates", "host", "tests"].map(|name| root.join(name)).into();
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

/// Every page but the list of changes, with its folder.
fn pages(root: &Path) -> Vec<(String, String)> {
    let git = Command::new("git").current_dir(root).args(["ls-files", "*.md"]).output();
    let listed = String::from_utf8(git.expect("there is git").stdout).expect("names are text");
    let pages = listed.lines().filter(|name| *name != "CHANGELOG.md");
    // One that is deleted and not yet committed has no text.
    let read = |name: &str| Some((name.to_owned(), fs::read_to_string(root.join(name)).ok()?));
    pages.filter_map(read).collect()
}

#[test]
fn no_table_of_a_page_is_broken_and_every_path_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // An unpacked archive is no repository.
    if !root.join(".git").exists() {
        return;
    }
    let is_path = |word: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let known = [".rs", ".md", ".py", ".sh", ".toml", ".wit", ".js", ".mjs"];
        let ends = known.iter().any(|ending| word.ends_with(ending));
        // Names with two strokes are a server's.
        word.contains('/')
            && !word.starts_with(['.', '/'])
            && !word.contains("__")
            && ends
            && word.chars().all(plain)
    };
    for (name, text) in pages(&root) {
        let folder = root.join(&name).parent().expect("it is in a folder").to_owned();
        let (mut is_code, mut before) = (false, "");
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            is_code ^= line.trim_start().starts_with("```");
            if !is_code && line.starts_with('|') && !before.starts_with('|') {
                let below = lines.peek().copied().unwrap_or_default();
                let is_head = below.starts_with('|') && below.chars().all(|c| "|-: ".contains(c));
                assert!(is_head, "{name}: a table begins without a head: {line}");
            }
            for word in line.split('`').skip(1).step_by(2).filter(|word| !is_code && is_path(word))
            {
                let is_there = root.join(word).exists() || folder.join(word).exists();
                assert!(is_there, "{name} names {word}, which is not there");
            }
            before = line;
        }
    }
}

/// Commands of README.md that are not run here, and why.
const NOT_RUN: [(&str, &str); 3] = [
    ("cargo install ", "it installs"),
    ("cargo uninstall ", "it takes away what was installed"),
    ("cargo run ", "it builds the program that runs here"),
];

#[cfg(unix)]
#[test]
fn every_command_of_the_readme_runs_as_it_is_printed() {
    use std::os::unix::fs::PermissionsExt as _;
    let readme = include_str!("../../../README.md");
    let blocks = readme.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let of_blocks = blocks.flat_map(str::lines).filter_map(|line| line.split(" #").next());
    let text: String = readme.split("```").step_by(2).collect();
    let spans = text.split('`').skip(1).step_by(2);
    let of_text = spans.filter(|span| span.starts_with("weir ") || span.starts_with("cargo "));
    let is_run = |line: &&str| !NOT_RUN.iter().any(|(start, _)| line.starts_with(start));
    let lines: Vec<&str> = of_blocks.chain(of_text).map(str::trim).filter(is_run).collect();
    assert!(lines.len() > 12, "{lines:?}");

    let sandbox = Sandbox::new();
    let bin = sandbox.path().join("bin");
    fs::create_dir(&bin).expect("there is room");
    let weir = sandbox.command([""; 0]).get_program().to_owned();
    std::os::unix::fs::symlink(&weir, bin.join("weir")).expect("there is room");
    // What builds or downloads elsewhere answers here by itself.
    let server = env!("CARGO_BIN_EXE_mcp-test-server");
    let programs = [
        ("npx", format!("exec {server}")),
        ("cargo", "seq 20000; echo 'error: one failed'".to_owned()),
    ];
    for (name, script) in programs {
        fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).expect("there is room");
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let cursor = sandbox.path().join(".cursor/mcp.json");
    fs::create_dir(cursor.parent().expect("it has one")).expect("there is room");
    fs::write(&cursor, r#"{"mcpServers": {"docs": {"command": "npx"}}}"#).expect("there is room");
    // A server of every agent: with it `install` puts the gateway in, and `serve` has something to serve.
    let servers = sandbox.path().join("config/weir/servers.json");
    fs::create_dir_all(servers.parent().expect("it has one")).expect("there is room");
    fs::write(&servers, r#"{"mcpServers": {"own": {"command": "npx"}}}"#).expect("there is room");
    let session = r#"{"role": "tool", "content": "all is well"}"#;
    fs::write(sandbox.path().join("session.jsonl"), session).expect("there is room");
    for line in lines {
        let stored = sandbox.run(["list", "--json"]).stdout;
        let id = stored
            .split('"')
            .find(|word| word.len() == 12 && word.chars().all(|c| c.is_ascii_hexdigit()));
        let line = line.replace("FILE...", "session.jsonl").replace("CMD", "echo done");
        let line = line.replace(" ID", &format!(" {}", id.unwrap_or("ID")));
        // These ask on a terminal.
        let asks =
            ["weir install", "weir install --undo", "weir uninstall"].contains(&line.as_str());
        let line = if asks { line + " --yes" } else { line };
        let mut shell = Command::new("sh");
        let set = sandbox.command([""; 0]);
        shell.env_clear().envs(set.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        if line.starts_with("weir uninstall") {
            // It takes the cache away, and other tests use the common one.
            shell.env("XDG_CACHE_HOME", sandbox.path().join("cache"));
        }
        shell.args(["-c", &line]).current_dir(sandbox.path()).stdin(std::process::Stdio::null());
        let ran: weir_tests::Ran = shell.output().expect("there is a shell").into();
        // No tool here is of the kind that is looked for, which is an answer too.
        let code = i32::from(line.starts_with("weir search "));
        assert_eq!(ran.code, code, "{line}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn the_guide_for_hosts_has_the_limits_that_ours_sets() {
    let page = include_str!("../../../wit/README.md");
    let class = |class: Class| {
        let (least, more) = (class.limits(0), class.limits(1 << 20));
        let per_byte = (more.fuel - least.fuel) >> 20;
        let fuel = match per_byte {
            0 => format!("{}e9", least.fuel / 1_000_000_000),
            800 => format!("{}e9 and 800 a byte", least.fuel / 1_000_000_000),
            n => format!("{}e9 and {},000 a byte", least.fuel / 1_000_000_000, n / 1_000),
        };
        let seconds = least.deadline.as_secs();
        let time = match (more.deadline - least.deadline).as_millis() {
            0 => format!("{seconds} s"),
            millis => format!("{seconds} s and {} s a MiB", millis as f64 / 1_000.0),
        };
        format!(" | {fuel} | {time} | {} MiB |", least.memory_bytes >> 20)
    };
    for (calls, limits) in [
        ("settings, ", class(Class::Small)),
        ("transform, ", class(Class::Transform)),
        ("`stat`, ", class(Class::Fetch)),
        ("`grep`, ", class(Class::Grep)),
        ("build a catalog", class(Class::Index)),
        ("other calls to a catalog", class(Class::Search)),
        ("a step of a sweep", class(Class::Sweep)),
    ] {
        let row = page.lines().find(|line| line.starts_with(&format!("| {calls}")));
        assert!(row.is_some_and(|row| row.ends_with(&limits)), "{calls}: {row:?}, not {limits}");
    }
}

/// The folders below one that have Rust files, and how many right in them.
fn folders_of_sources(root: &Path, name: &str, found: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(root.join(name)).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        let last = path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        if path.is_dir() && last != "tests" {
            folders_of_sources(root, &format!("{name}/{last}"), found);
        } else if last.ends_with(".rs") {
            *found.entry(name.to_owned()).or_default() += 1;
        }
    }
}

#[test]
fn the_map_has_every_folder_and_no_file_that_is_gone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("there is such a page");
    let (concepts, map) = page.split_once("## Map").expect("it has a map");
    let (map, rest) = map.split_once("## Where is what").expect("the map ends");
    let (_, lines) = map.split_once("```text\n").expect("the map is drawn");
    let (lines, after) = lines.split_once("```").expect("the drawing ends");
    let words = |line: &str| -> Vec<String> {
        let apart = |c: char| !(c.is_ascii_alphanumeric() || "._/".contains(c));
        line.split(apart).map(|word| word.trim_end_matches('.').to_owned()).collect()
    };
    let (mut named, mut folder) = (BTreeSet::new(), "");
    for line in lines.lines() {
        if !line.starts_with(' ') {
            folder = line.split(' ').next().unwrap_or_default();
            assert!(
                root.join(folder).is_dir(),
                "ARCHITECTURE.md names {folder}, which is not there"
            );
            named.insert(folder.to_owned());
        }
        // Files that a line names lie in its folder.
        for file in words(line).iter().filter(|word| word.ends_with(".rs")) {
            let is_there = root.join(folder).join(file).exists();
            assert!(is_there, "ARCHITECTURE.md names {folder}/{file}, which is not there");
        }
    }
    let mut folders = BTreeMap::new();
    let crates = fs::read_dir(root.join("crates")).expect("it can be listed");
    let crates = crates.map(|entry| entry.expect("it can be listed").file_name());
    let crates = crates.filter_map(|name| Some(format!("crates/{}", name.to_str()?)));
    for of in crates.chain(["component", "host"].map(str::to_owned)) {
        let sources = format!("{of}/src");
        if root.join(&sources).is_dir() {
            folders_of_sources(&root, &sources, &mut folders);
        }
    }
    assert!(folders.len() > 40, "{folders:?}");
    for (folder, files) in folders {
        // Parts of one file need no line of their own.
        let known = named.contains(&folder) || (files < 4 && !folder.ends_with("/src"));
        assert!(known, "ARCHITECTURE.md lacks {folder}");
    }
    // Elsewhere are whole paths.
    let (table, _) = rest.split_once("## Invariants").expect("the invariants follow");
    let mut count = 0;
    for text in [concepts, after, table] {
        let spans = text.split('`').skip(1).step_by(2);
        for path in spans.filter(|name| name.contains('/') && !name.contains(' ')) {
            count += 1;
            assert!(root.join(path).exists(), "ARCHITECTURE.md names {path}, which is not there");
        }
    }
    assert!(count > 150, "{count}");
}

#[test]
fn what_the_contract_generates_is_named_at_the_components_edge_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../component/src");
    let mut open = vec![root.clone()];
    let mut seen = 0;
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            let edge = ["abi.rs", "guest.rs", "guest", "lib.rs"];
            if edge.iter().any(|name| path == root.join(name)) {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("it can be read");
                assert!(!text.contains("crate::abi"), "{} names the contract", path.display());
                assert!(!text.contains("crate::guest"), "{} names the edge", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 100);
}

/// The files of a crate without comments and tests, by the path of their module.
fn modules(file: &Path, module: &[String], into: &mut BTreeMap<Vec<String>, String>) {
    let text = fs::read_to_string(file).expect("it can be read");
    let (code, _) = text.split_once("\n#[cfg(test)]\nmod tests {").unwrap_or((&text, ""));
    let folder = if module.is_empty() {
        file.parent().expect("it has a folder")
    } else {
        &file.with_extension("")
    };
    let mut used = String::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let declared = line.strip_suffix(';').and_then(|line| line.rsplit_once("mod "));
        let declared =
            declared.filter(|(before, _)| before.is_empty() || before.starts_with("pub"));
        let Some((_, name)) = declared else {
            used.push_str(line);
            used.push('\n');
            continue;
        };
        let child = folder.join(format!("{name}.rs"));
        if child.exists() && name != "tests" {
            modules(&child, &[module, &[name.to_owned()]].concat(), into);
        }
    }
    into.insert(module.to_vec(), used);
}

/// Reads the path that begins here, the groups of a `use` written out; gives where it ends.
fn read_path(
    code: &[u8],
    mut at: usize,
    mut names: Vec<String>,
    into: &mut Vec<Vec<String>>,
) -> usize {
    let is_blank = |at: usize| code.get(at).is_some_and(|c| c.is_ascii_whitespace() || *c == b',');
    loop {
        if !names.is_empty() && code.get(at) == Some(&b'{') {
            at += 1;
            loop {
                while is_blank(at) {
                    at += 1;
                }
                match code.get(at) {
                    None | Some(b'}') => return at + 1,
                    Some(_) => at = read_path(code, at, names.clone(), into).max(at + 1),
                }
            }
        }
        let name = code[at..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_');
        let name: String = name.map(|c| char::from(*c)).collect();
        at += name.len();
        if !name.is_empty() {
            names.push(name);
            if code[at..].starts_with(b"::") {
                at += 2;
                continue;
            }
        }
        into.push(names);
        return at;
    }
}

/// The file that a path in a module leads to, as far as it is one of the crate.
fn leads_to(
    path: &[String],
    module: &[String],
    all: &BTreeMap<Vec<String>, String>,
) -> Option<Vec<String>> {
    let (mut base, mut rest) = (module.to_vec(), path);
    match path.first().map(String::as_str)? {
        "crate" => (base, rest) = (Vec::new(), &path[1..]),
        "self" => rest = &path[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                base.pop();
                rest = &rest[1..];
            }
        }
        // A name alone is a variable or a field.
        _ if path.len() == 1 => return None,
        _ => {}
    }
    for name in rest {
        let deeper = [base.as_slice(), std::slice::from_ref(name)].concat();
        if !all.contains_key(&deeper) {
            break;
        }
        base = deeper;
    }
    Some(base)
}

/// Who matches on a method goes by the table of them.
#[test]
fn methods_of_mcp_are_named_in_their_table_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let (mut table, mut others) = (String::new(), Vec::new());
    for name in ["mcp", "oauth", "gateway"] {
        let mut all = BTreeMap::new();
        modules(&root.join(name).join("src/lib.rs"), &[], &mut all);
        table.extend(all.remove(["methods".to_owned()].as_slice()));
        others.extend(all);
    }
    let texts = table.split('"').skip(1).step_by(2);
    let names: Vec<&str> =
        texts.filter(|text| text.contains('/') || ["initialize", "ping"].contains(text)).collect();
    assert_eq!(names.len(), 23 + 1 + 3 + 12, "{names:?}");
    for (module, code) in others {
        for name in &names {
            assert!(!code.contains(&format!("\"{name}\"")), "{} has {name}", module.join("::"));
        }
        // Nor one that the table lacks.
        assert!(!code.contains("\"notifications/"), "{} tells what has no name", module.join("::"));
    }
}

/// The gateways and hosts of others: a page each, short, with what would fail if the other side changed.
#[test]
fn each_seat_has_a_page_and_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| std::fs::read_to_string(root.join("docs/seats").join(name)).unwrap();
    let index = read("README.md");
    let mut pages = 0;
    for entry in std::fs::read_dir(root.join("docs/seats")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let page = read(&name);
        if name == "README.md" {
            continue;
        }
        pages += 1;
        let row = index.lines().find(|line| line.contains(&format!("]({name})")));
        let row = row.unwrap_or_else(|| panic!("the table lacks {name}"));
        let tests = row.rsplit('|').nth(1).unwrap_or_default();
        let tests: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty() && tests.iter().all(|it| root.join(it).exists()), "{row}");
        assert!(page.lines().count() <= 400 && page.contains("## How it is tested"), "{name}");
    }
    assert!(pages >= 6);
}

/// What two files need of each other stands in a third below both. A module may use what its own folder's
/// file declares, and what the crate's root does.
#[test]
fn files_use_each_other_in_one_direction() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for file in [
        "component/src/lib.rs",
        "host/src/lib.rs",
        "crates/agents/src/lib.rs",
        "crates/mcp/src/lib.rs",
        "crates/oauth/src/lib.rs",
        "crates/gateway/src/lib.rs",
        "crates/cli/src/main.rs",
        "dev/xtask/src/main.rs",
        "dev/dist/src/main.rs",
    ] {
        let mut all = BTreeMap::new();
        modules(&root.join(file), &[], &mut all);
        assert!(all.len() > 6, "{file}");
        // What the contract generates ends with the name of the type that it exports.
        all.remove(["abi".to_owned()].as_slice());
        let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, code) in &all {
            let (mut paths, code, mut at) = (Vec::new(), code.as_bytes(), 0);
            while at < code.len() {
                at = match code[at].is_ascii_alphanumeric() || code[at] == b'_' {
                    true => read_path(code, at, Vec::new(), &mut paths),
                    false => at + 1,
                };
            }
            let found = paths.iter().filter_map(|path| leads_to(path, module, &all));
            let found = found.filter(|target| !module.starts_with(target));
            uses.insert(module.join("::"), found.map(|target| target.join("::")).collect());
        }
        assert_no_circle(file, uses);
    }
}

/// Takes out what uses nothing that is left, and what nothing uses; a circle is what stays.
fn assert_no_circle(of: &str, mut uses: BTreeMap<String, BTreeSet<String>>) {
    loop {
        let before = uses.len();
        let left: BTreeSet<String> = uses.keys().cloned().collect();
        uses.values_mut().for_each(|targets| targets.retain(|target| left.contains(target)));
        let used: BTreeSet<String> = uses.values().flatten().cloned().collect();
        uses.retain(|module, targets| !targets.is_empty() && used.contains(module));
        if uses.len() == before {
            break;
        }
    }
    assert!(uses.is_empty(), "{of}: files that use each other in a circle: {uses:#?}");
}

/// The files of a kit by their paths in its folder, without their extension.
fn files_of(folder: &Path, extension: &str) -> BTreeMap<String, String> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("it can be listed") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let below = path.strip_prefix(folder).expect("it is below").with_extension("");
                let text = fs::read_to_string(&path).expect("it can be read");
                found.insert(below.to_str().expect("it is a text").to_owned(), text);
            }
        }
    }
    found
}

/// The same of the kits that have several files.
#[test]
fn files_of_the_kits_use_each_other_in_one_direction() {
    let kits = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kits");

    let all = files_of(&kits.join("python/src/weir_wasm"), "py");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, text) in &all {
        let targets = uses.entry(name.clone()).or_default();
        let here = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        for line in text.lines() {
            let Some((from, names)) =
                line.trim().strip_prefix("from .").and_then(|line| line.split_once(" import "))
            else {
                continue;
            };
            let (folder, from) = match from.strip_prefix('.') {
                Some(from) => ("", from),
                None => (here, from),
            };
            let named = |module: &str| match folder {
                "" => module.to_owned(),
                folder => format!("{folder}/{module}"),
            };
            // `from . import a, b as c` names files.
            let modules: Vec<&str> = match from {
                "" => names.split(',').filter_map(|name| name.split_whitespace().next()).collect(),
                from => vec![from],
            };
            targets
                .extend(modules.into_iter().map(named).filter(|target| all.contains_key(target)));
        }
        assert!(!targets.contains(name), "{name}");
    }
    assert!(uses.len() > 15 && uses["_weir"].contains("_catalog"), "{uses:#?}");
    assert_no_circle("kits/python", uses);

    let all = files_of(&kits.join("javascript/src"), "js");
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, text) in &all {
        let here = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        // Files are named relative to this one, whether they are imported at once or later.
        let found =
            text.split('\'').filter_map(|text| text.strip_suffix(".js")).filter_map(|path| {
                let below = path.strip_prefix("../");
                let path = match path.strip_prefix("./") {
                    Some(path) if !here.is_empty() => format!("{here}/{path}"),
                    path => path.or(below)?.to_owned(),
                };
                all.contains_key(&path).then_some(path)
            });
        uses.insert(name.clone(), found.collect());
    }
    assert!(uses.len() > 10 && uses["worker-thread"].contains("browser"), "{uses:#?}");
    assert_no_circle("kits/javascript", uses);
}
