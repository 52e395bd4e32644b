//! What the tools of the demo's server do. tools.json lists them, with the arguments that they share.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Read as _;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::files::{File, Files, Given};

/// The tools as `tools/list` answers them.
pub(super) fn definitions() -> Vec<Value> {
    let listed: Value = serde_json::from_str(include_str!("tools.json")).unwrap_or_default();
    let definition = |tool: &Value| {
        let names = ["required", "optional"].into_iter().filter_map(|key| tool[key].as_array());
        let properties: Map<String, Value> = names
            .flatten()
            .filter_map(|name| {
                Some((name.as_str()?.into(), listed["arguments"].get(name.as_str()?)?.clone()))
            })
            .collect();
        json!({
            "name": tool["name"], "description": tool["description"],
            "inputSchema": {
                "type": "object", "properties": properties, "required": tool["required"],
                "additionalProperties": false,
            },
            "annotations": {"readOnlyHint": true, "openWorldHint": false},
        })
    };
    listed["tools"].as_array().into_iter().flatten().map(definition).collect()
}

/// The text of a tool's result, or what is wrong.
pub(super) fn run(name: &str, files: &Files, given: &Given<'_>) -> Result<String, String> {
    match name {
        "read_file" => files.read(given.text("path")),
        "read_lines" => read_lines(files, given),
        "read_json" => read_json(files, given),
        "file_info" => file_info(files, given),
        "compare_files" => compare_files(files, given),
        "list_directory" => list_directory(files, given),
        "directory_tree" => directory_tree(files, given),
        "directory_sizes" => tally(files, given, |file| {
            let ends = file.path.match_indices('/').map(|(at, _)| &file.path[..at]);
            std::iter::once(".").chain(ends).map(str::to_owned).collect()
        }),
        "file_types" => tally(files, given, |file| {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            vec![name.rsplit_once('.').map_or("(none)", |(_, ending)| ending).to_owned()]
        }),
        "find_files" => {
            let found = files.select(given)?.into_iter().take(given.limit());
            Ok(found.map(|file| file.json()).collect::<Value>().to_string())
        }
        "largest_files" => sorted(files, given, |file| Reverse(file.bytes)),
        "newest_files" => sorted(files, given, |file| Reverse(file.modified)),
        "oldest_files" => sorted(files, given, |file| file.modified),
        "duplicate_files" => duplicate_files(files, given),
        "binary_files" => {
            let found = files.select(given)?.into_iter();
            let binary = found.filter(|file| files.read(&file.path).is_err());
            Ok(lines(given, binary.map(|file| sized(&file))))
        }
        "search_text" => matching(files, given, |line| given.is_in(line)),
        "count_matches" => each_text(files, given, |file, text| {
            let count = text.lines().filter(|line| given.is_in(line)).count();
            (count > 0).then(|| format!("{count:>8}  {}", file.path))
        }),
        "files_without_text" => each_text(files, given, |file, text| {
            (!text.lines().any(|line| given.is_in(line))).then(|| sized(file))
        }),
        "open_tasks" => matching(files, given, |line| {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| matches!(word, "TODO" | "FIXME" | "XXX"))
        }),
        "outline_markdown" => each_text(files, given, headings),
        "count_lines" => each_text(files, given, |file, text| {
            let (lines, words) = (text.lines().count(), text.split_whitespace().count());
            let (chars, path) = (text.chars().count(), &file.path);
            [format!("{lines:>8} lines {words:>9} words {chars:>10} characters  {path}")]
        }),
        "longest_lines" => {
            let longest = |(file, text): (File, String)| {
                let longest = text.lines().zip(1..).max_by_key(|(line, _)| line.chars().count());
                let (line, number) = longest?;
                Some((format!("{}:{number}: {line}", file.path), line.chars().count()))
            };
            Ok(ranked(given, files.texts(given)?.filter_map(longest).collect()))
        }
        "word_frequency" => {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for (_, text) in files.texts(given)? {
                let words = text.split(|c: char| !c.is_alphanumeric());
                for word in words.filter(|word| !word.is_empty()) {
                    *counts.entry(word.to_lowercase()).or_default() += 1;
                }
            }
            Ok(ranked(given, counts.into_iter().collect()))
        }
        _ => Err(format!("there is no tool {name}")),
    }
}

/// The first lines of an answer, as many as the client wants; the rest is counted.
fn lines(given: &Given<'_>, lines: impl IntoIterator<Item = String>) -> String {
    let mut lines = lines.into_iter();
    let mut text: Vec<String> = lines.by_ref().take(given.limit()).collect();
    match lines.count() {
        0 if text.is_empty() => return "nothing found".into(),
        0 => {}
        more => text.push(format!("… and {more} more: raise limit")),
    }
    text.join("\n")
}

/// What each of the selected texts gives.
fn each_text<I: IntoIterator<Item = String>>(
    files: &Files,
    given: &Given<'_>,
    of: impl Fn(&File, &str) -> I,
) -> Result<String, String> {
    Ok(lines(given, files.texts(given)?.flat_map(|(file, text)| of(&file, &text))))
}

/// The lines of the selected texts that satisfy a condition.
fn matching(
    files: &Files,
    given: &Given<'_>,
    wanted: impl Fn(&str) -> bool,
) -> Result<String, String> {
    each_text(files, given, |file, text| numbered(file, text, &wanted))
}

fn numbered(file: &File, text: &str, mut wanted: impl FnMut(&str) -> bool) -> Vec<String> {
    let found = (1..).zip(text.lines()).filter(|(_, line)| wanted(line));
    found.map(|(number, line): (u64, _)| format!("{}:{number}: {line}", file.path)).collect()
}

fn headings(file: &File, text: &str) -> Vec<String> {
    if !file.path.ends_with(".md") {
        return Vec::new();
    }
    let mut fenced = false;
    numbered(file, text, |line| {
        fenced ^= line.trim_start().starts_with("```");
        !fenced && line.starts_with('#')
    })
}

/// Files and bytes by the groups to which each file belongs.
fn tally(
    files: &Files,
    given: &Given<'_>,
    groups: impl Fn(&File) -> Vec<String>,
) -> Result<String, String> {
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for file in files.select(given)? {
        for group in groups(&file) {
            let (count, bytes) = sums.entry(group).or_default();
            *count += 1;
            *bytes += file.bytes;
        }
    }
    let line = |(group, (count, bytes))| format!("{bytes:>12} bytes  {count:>6} files  {group}");
    Ok(lines(given, sums.into_iter().map(line)))
}

fn sorted<K: Ord>(
    files: &Files,
    given: &Given<'_>,
    key: impl Fn(&File) -> K,
) -> Result<String, String> {
    let mut found = files.select(given)?;
    found.sort_by_key(key);
    Ok(lines(given, found.iter().map(sized)))
}

fn sized(file: &File) -> String {
    match file.is_directory {
        true => format!("{:>12}  {}/", "", file.path),
        false => format!("{:>12}  {}", file.bytes, file.path),
    }
}

/// The highest counts first.
fn ranked(given: &Given<'_>, mut counts: Vec<(String, usize)>) -> String {
    counts.sort_by_key(|(_, count)| Reverse(*count));
    lines(given, counts.into_iter().map(|(what, count)| format!("{count:>8}  {what}")))
}

fn read_lines(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let text = files.read(given.text("path"))?;
    let start = given.number("start").unwrap_or(1).max(1);
    let count = given.number("count").unwrap_or(100);
    let numbered = (1..).zip(text.lines()).skip_while(|(number, _)| *number < start);
    let taken = numbered.take_while(|(number, _)| *number - start < count);
    Ok(lines(given, taken.map(|(number, line)| format!("{number}: {line}"))))
}

fn read_json(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let (path, pointer) = (given.text("path"), given.text("pointer"));
    let value: Value = serde_json::from_str(&files.read(path)?)
        .map_err(|error| format!("{path} is not JSON: {error}"))?;
    let found = value.pointer(pointer).ok_or_else(|| format!("{path} has nothing at {pointer}"))?;
    Ok(format!("{found:#}"))
}

fn sha256(files: &Files, path: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("cannot read {path}: {error}");
    let mut file = std::fs::File::open(files.place(path)?).map_err(failed)?;
    let (mut hash, mut buffer) = (Sha256::new(), [0; 8 << 10]);
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok(weir_base::hex(&hash.finalize())),
            read => hash.update(&buffer[..read]),
        }
    }
}

fn file_info(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let file = files.file(given.text("path"))?;
    let mut value = file.json();
    value["sha256"] = sha256(files, &file.path)?.into();
    Ok(format!("{value:#}"))
}

fn compare_files(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let (one, other) = (files.read(given.text("path"))?, files.read(given.text("other"))?);
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    one.lines().for_each(|line| *counts.entry(line).or_default() += 1);
    other.lines().for_each(|line| *counts.entry(line).or_default() -= 1);
    let only = counts.into_iter().filter(|(_, count)| *count != 0);
    let line = |(line, count)| format!("{} {line}", if count > 0 { '-' } else { '+' });
    Ok(lines(given, only.map(line)))
}

fn list_directory(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let mut found = files.below_path(given, 1)?;
    found.sort_by_key(|file| (!file.is_directory, file.path.clone()));
    Ok(lines(given, found.iter().map(sized)))
}

fn directory_tree(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let depth = usize::try_from(given.number("depth").unwrap_or(8)).unwrap_or(usize::MAX);
    let mut found = files.below_path(given, depth)?;
    found.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    let line = |file: &File| {
        let (level, name) = (file.path.matches('/').count(), file.path.rsplit('/').next());
        let end = if file.is_directory { "/" } else { "" };
        format!("{}{}{end}", "  ".repeat(level), name.unwrap_or_default())
    };
    Ok(lines(given, found.iter().map(line)))
}

fn duplicate_files(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let mut by_size: BTreeMap<u64, Vec<File>> = BTreeMap::new();
    for file in files.select(given)? {
        by_size.entry(file.bytes).or_default().push(file);
    }
    let mut same: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in by_size.into_values().filter(|files| files.len() > 1).flatten() {
        same.entry(sha256(files, &file.path)?).or_default().push(file.path);
    }
    let same = same.into_iter().filter(|(_, paths)| paths.len() > 1);
    Ok(lines(given, same.map(|(digest, paths)| format!("{digest}  {}", paths.join("  ")))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_that_is_listed_runs_and_its_arguments_are_described() {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::below(directory.path()).unwrap();
        let listed: Value = serde_json::from_str(include_str!("tools.json")).unwrap();
        let definitions = definitions();
        assert_eq!(definitions.len(), listed["tools"].as_array().unwrap().len());
        for (tool, definition) in listed["tools"].as_array().unwrap().iter().zip(&definitions) {
            let named = |key: &str| tool[key].as_array().unwrap().len();
            let properties = definition["inputSchema"]["properties"].as_object().unwrap();
            assert_eq!(properties.len(), named("required") + named("optional"), "{tool}");
            let ran = run(&files, tool["name"].as_str().unwrap(), json!({}));
            assert!(!ran.is_err_and(|error| error.contains("no tool")), "{tool}");
        }
    }

    fn run(files: &Files, name: &str, arguments: Value) -> Result<String, String> {
        super::run(name, files, &Given(&arguments))
    }

    #[test]
    fn every_tool_does_what_it_says() {
        let directory = tempfile::tempdir().unwrap();
        let write = |path: &str, content: &[u8]| {
            let file = directory.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, content).unwrap();
        };
        write("a.md", b"# Title\none two two\n```\n# no\n```\n## Part\n");
        write("src/b.rs", b"// TODO: more\nfn main() {}\n");
        write("src/deep/copy.rs", b"// TODO: more\nfn main() {}\n");
        write("data.json", br#"{"list":[1,{"x":"y"}]}"#);
        write("blob.bin", &[0xff, 0xfe, 0, 1]);
        write(".hidden/secret.txt", b"two\n");
        write("cache/CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55\n");
        write("cache/big.txt", &[b'x'; 9_000]);
        write("node_modules/x/c.rs", b"// TODO: fn of others\n");
        let files = Files::below(directory.path()).unwrap();
        let of = |name: &str, arguments: Value| run(&files, name, arguments).unwrap();

        assert_eq!(of("read_file", json!({"path": "src/b.rs"})), "// TODO: more\nfn main() {}\n");
        assert_eq!(
            of("read_lines", json!({"path": "a.md", "start": 2, "count": 1})),
            "2: one two two"
        );
        assert_eq!(of("read_json", json!({"path": "data.json", "pointer": "/list/1/x"})), "\"y\"");
        assert!(of("file_info", json!({"path": "blob.bin"})).contains("\"bytes\": 4"));
        let compared = of("compare_files", json!({"path": "a.md", "other": "src/b.rs"}));
        assert!(compared.contains("- # Title") && compared.contains("+ fn main() {}"));
        assert!(of("list_directory", json!({})).starts_with("              cache/"));
        assert!(of("directory_tree", json!({})).contains("src/\n  b.rs\n  deep/\n    copy.rs"));
        assert!(!of("directory_tree", json!({"depth": 1})).contains("copy.rs"));
        assert!(of("directory_sizes", json!({})).contains("2 files  src\n"));
        let found: Value =
            serde_json::from_str(&of("find_files", json!({"glob": "*.rs"}))).unwrap();
        assert_eq!(found[1]["path"], "src/deep/copy.rs");
        assert!(of("largest_files", json!({})).trim_start().starts_with("41  a.md"));
        assert!(of("largest_files", json!({"limit": 1})).ends_with("… and 4 more: raise limit"));
        assert_eq!(of("newest_files", json!({"max_bytes": 4})), "           4  blob.bin");
        assert!(of("oldest_files", json!({"min_bytes": 41})).ends_with("a.md"));
        assert!(of("duplicate_files", json!({})).ends_with("src/b.rs  src/deep/copy.rs"));
        assert!(of("file_types", json!({})).contains("2 files  rs"));
        assert!(of("binary_files", json!({})).ends_with("blob.bin"));
        assert_eq!(of("search_text", json!({"text": "TWO"})), "nothing found");
        assert_eq!(
            of("search_text", json!({"text": "TWO", "ignore_case": true})),
            "a.md:2: one two two"
        );
        assert!(
            of("search_text", json!({"text": "two", "hidden": true}))
                .contains(".hidden/secret.txt")
        );
        assert!(of("count_matches", json!({"text": "fn"})).contains("1  src/b.rs"));
        assert!(!of("files_without_text", json!({"text": "fn"})).contains("b.rs"));
        assert!(of("count_lines", json!({"path": "a.md"})).contains("6 lines"));
        assert!(of("longest_lines", json!({})).starts_with("      22  data.json:1:"));
        assert!(of("word_frequency", json!({"path": "a.md"})).starts_with("       2  two"));
        assert_eq!(of("outline_markdown", json!({})), "a.md:1: # Title\na.md:6: ## Part");
        assert!(of("open_tasks", json!({})).starts_with("src/b.rs:1:"));
        for (path, why) in [
            ("../no such file beside it", "cannot find"),
            ("/etc", "not below"),
            ("src", "no file"),
            ("blob.bin", "no text"),
        ] {
            let error = run(&files, "read_file", json!({"path": path})).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc", directory.path().join("out")).unwrap();
            assert!(run(&files, "read_file", json!({"path": "out/hosts"})).is_err());
        }
    }
}
