//! What the tools of the demo's server do. tools.json lists them, with the arguments that they share.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

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
        "file_types" => file_types(files, given),
        "find_files" => {
            let found = files.select(given)?.into_iter().take(given.limit());
            Ok(found.map(|file| file.json()).collect::<Value>().to_string())
        }
        "largest_files" => sorted(files, given, |file| Reverse(file.bytes)),
        "newest_files" => sorted(files, given, |file| Reverse(file.modified)),
        "oldest_files" => sorted(files, given, |file| file.modified),
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
        "count_lines" => each_text(files, given, |file, text| {
            let (lines, words) = (text.lines().count(), text.split_whitespace().count());
            let (chars, path) = (text.chars().count(), &file.path);
            [format!("{lines:>8} lines {words:>9} words {chars:>10} characters  {path}")]
        }),
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

/// Files and bytes by the ending of the files' names.
fn file_types(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for file in files.select(given)? {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').map_or("(none)", |(_, ending)| ending);
        let (count, bytes) = sums.entry(ending.to_owned()).or_default();
        *count += 1;
        *bytes += file.bytes;
    }
    let line = |(ending, (count, bytes))| format!("{bytes:>12} bytes  {count:>6} files  {ending}");
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
    format!("{:>12}  {}", file.bytes, file.path)
}

fn read_lines(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let text = files.read(given.text("path"))?;
    let start = given.number("start").unwrap_or(1).max(1);
    let count = given.number("count").unwrap_or(100);
    let numbered = (1..).zip(text.lines()).skip_while(|(number, _)| *number < start);
    let taken = numbered.take_while(|(number, _)| *number - start < count);
    Ok(lines(given, taken.map(|(number, line)| format!("{number}: {line}"))))
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
        let found: Value =
            serde_json::from_str(&of("find_files", json!({"glob": "*.rs"}))).unwrap();
        assert_eq!(found[1]["path"], "src/deep/copy.rs");
        assert!(of("largest_files", json!({})).trim_start().starts_with("41  a.md"));
        assert!(of("largest_files", json!({"limit": 1})).ends_with("… and 4 more: raise limit"));
        assert_eq!(of("newest_files", json!({"max_bytes": 4})), "           4  blob.bin");
        assert!(of("oldest_files", json!({"min_bytes": 41})).ends_with("a.md"));
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
