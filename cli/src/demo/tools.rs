//! The tools of the demo's server.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::files::{File, Files, Given};

/// One tool: how it is listed, and what it does.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    /// Names in [`ARGUMENTS`].
    pub(super) required: &'static [&'static str],
    pub(super) optional: &'static [&'static str],
    /// Its text, or what is wrong.
    pub(super) run: fn(&Files, &Given<'_>) -> Result<String, String>,
}

/// One argument. It means the same in every tool that has it.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) kind: &'static str,
    pub(super) description: &'static str,
}

const fn argument(name: &'static str, kind: &'static str, description: &'static str) -> Argument {
    Argument { name, kind, description }
}

pub(super) const ARGUMENTS: &[Argument] = &[
    argument(
        "path",
        "string",
        "A file or directory below the served one, as in src/main.rs. Where it may be left out: everything.",
    ),
    argument("other", "string", "A second file, to compare with the first."),
    argument(
        "glob",
        "string",
        "Only files whose path this describes: * stands for any characters, slashes too, ? for one.",
    ),
    argument(
        "hidden",
        "boolean",
        "Also files and directories whose names begin with a dot. Default: false.",
    ),
    argument("min_bytes", "integer", "Only files of at least so many bytes."),
    argument("max_bytes", "integer", "Only files of at most so many bytes."),
    argument("limit", "integer", "The most entries in the answer, from 1. Default: 10000."),
    argument("depth", "integer", "How many levels of directories to show, from 1. Default: 8."),
    argument("text", "string", "The text to look for, as it is: it is no pattern."),
    argument("ignore_case", "boolean", "Whether a is also A. Default: false."),
    argument("start", "integer", "The first line, counted from 1."),
    argument("count", "integer", "How many lines. Default: 100."),
    argument(
        "pointer",
        "string",
        "A place in the JSON, as in /dependencies/serde. Default: all of it.",
    ),
];

const SELECTION: &[&str] = &["path", "glob", "hidden", "min_bytes", "max_bytes", "limit"];
const SEARCH: &[&str] =
    &["ignore_case", "path", "glob", "hidden", "min_bytes", "max_bytes", "limit"];

const fn tool(
    name: &'static str,
    description: &'static str,
    required: &'static [&'static str],
    optional: &'static [&'static str],
    run: fn(&Files, &Given<'_>) -> Result<String, String>,
) -> Tool {
    Tool { name, description, required, optional, run }
}

pub(super) const TOOLS: &[Tool] = &[
    tool("read_file", "Read a text file, all of it.", &["path"], &[], read_file),
    tool(
        "read_lines",
        "Read some lines of a text file, with their numbers.",
        &["path", "start"],
        &["count"],
        read_lines,
    ),
    tool(
        "read_json",
        "Read a JSON file, or the part of it at a pointer, with indentation.",
        &["path"],
        &["pointer"],
        read_json,
    ),
    tool(
        "file_info",
        "Show size, time of change and SHA-256 of one file.",
        &["path"],
        &[],
        file_info,
    ),
    tool(
        "compare_files",
        "Compare two text files line by line: what only one of them has.",
        &["path", "other"],
        &["limit"],
        compare_files,
    ),
    tool(
        "list_directory",
        "List what is in one directory, with sizes.",
        &[],
        &["path", "hidden"],
        list_directory,
    ),
    tool(
        "directory_tree",
        "Show directories and files as an indented tree.",
        &[],
        &["path", "depth", "hidden"],
        directory_tree,
    ),
    tool(
        "directory_sizes",
        "Show how many files and bytes are below each directory.",
        &[],
        SELECTION,
        directory_sizes,
    ),
    tool(
        "find_files",
        "Find files by path and size; each with its size and time of change, as JSON.",
        &[],
        SELECTION,
        find_files,
    ),
    tool("largest_files", "List files, the largest first.", &[], SELECTION, |f, g| {
        sorted(f, g, |file| file.bytes, true)
    }),
    tool("newest_files", "List files, the one changed last first.", &[], SELECTION, |f, g| {
        sorted(f, g, |file| file.modified, true)
    }),
    tool(
        "oldest_files",
        "List files, the one that was not changed for longest first.",
        &[],
        SELECTION,
        |f, g| sorted(f, g, |file| file.modified, false),
    ),
    tool(
        "duplicate_files",
        "Find files with the same content, by SHA-256.",
        &[],
        SELECTION,
        duplicate_files,
    ),
    tool(
        "file_types",
        "Count files and bytes by the ending of their names.",
        &[],
        SELECTION,
        file_types,
    ),
    tool("binary_files", "List files that are no UTF-8 text.", &[], SELECTION, binary_files),
    tool(
        "search_text",
        "Find the lines that contain a text, in all files: path, line number, line.",
        &["text"],
        SEARCH,
        search_text,
    ),
    tool(
        "count_matches",
        "Count the lines that contain a text, file by file.",
        &["text"],
        SEARCH,
        count_matches,
    ),
    tool(
        "files_without_text",
        "List text files in which a text does not occur.",
        &["text"],
        SEARCH,
        files_without_text,
    ),
    tool(
        "count_lines",
        "Count lines, words and characters of text files.",
        &[],
        SELECTION,
        count_lines,
    ),
    tool(
        "longest_lines",
        "Show the longest line of each text file, the longest first.",
        &[],
        SELECTION,
        longest_lines,
    ),
    tool(
        "word_frequency",
        "Count the words of text files, the most frequent first.",
        &[],
        SELECTION,
        word_frequency,
    ),
    tool(
        "outline_markdown",
        "List the headings of Markdown files with their line numbers.",
        &[],
        SELECTION,
        outline_markdown,
    ),
    tool("open_tasks", "Find comments that say TODO, FIXME or XXX.", &[], SELECTION, open_tasks),
];

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

fn read_file(files: &Files, given: &Given<'_>) -> Result<String, String> {
    files.read(given.text("path"))
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
    let mut hash = Sha256::new();
    std::io::copy(&mut file, &mut HashWriter(&mut hash)).map_err(failed)?;
    Ok(weir_host::shared::hex(&hash.finalize()))
}

struct HashWriter<'a>(&'a mut Sha256);

impl std::io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn file_info(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let file = files.file(given.text("path"))?;
    let digest = sha256(files, &file.path)?;
    let value = json!({"path": file.path, "bytes": file.bytes, "modified": file.modified, "sha256": digest});
    Ok(format!("{value:#}"))
}

fn compare_files(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let (one, other) = (files.read(given.text("path"))?, files.read(given.text("other"))?);
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    one.lines().for_each(|line| *counts.entry(line).or_default() += 1);
    other.lines().for_each(|line| *counts.entry(line).or_default() -= 1);
    let only = counts.into_iter().filter(|(_, count)| *count != 0);
    Ok(lines(
        given,
        only.map(|(line, count)| format!("{} {line}", if count > 0 { '-' } else { '+' })),
    ))
}

fn list_directory(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let (directories, found) = files.list(given.text("path"), given)?;
    let directories =
        directories.into_iter().map(|directory| format!("{:>12}  {}/", "", directory.path));
    Ok(lines(given, directories.chain(found.iter().map(sized))))
}

fn sized(file: &File) -> String {
    format!("{:>12}  {}", file.bytes, file.path)
}

fn directory_tree(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let depth = usize::try_from(given.number("depth").unwrap_or(8)).unwrap_or(usize::MAX);
    let mut tree = Vec::new();
    // What is still to be shown, the next last: directories to be entered, files to be named.
    let mut waiting = vec![(given.text("path").to_owned(), 0, true)];
    while let Some((path, level, is_directory)) = waiting.pop() {
        let name = path.rsplit('/').next().unwrap_or_default();
        tree.push(format!("{}{name}{}", "  ".repeat(level), if is_directory { "/" } else { "" }));
        if !is_directory || level >= depth {
            continue;
        }
        let Ok((directories, found)) = files.list(&path, given) else { continue };
        let directories = directories.into_iter().map(|file| (file.path, level + 1, true));
        let found = found.into_iter().map(|file| (file.path, level + 1, false));
        let mut inside: Vec<_> = directories.chain(found).collect();
        inside.reverse();
        waiting.extend(inside);
    }
    Ok(lines(given, tree))
}

fn directory_sizes(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let mut sizes: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for file in files.select(given)? {
        let ends = file.path.match_indices('/').map(|(at, _)| &file.path[..at]);
        for directory in std::iter::once(".").chain(ends) {
            let (count, bytes) = sizes.entry(directory.to_owned()).or_default();
            *count += 1;
            *bytes += file.bytes;
        }
    }
    let line =
        |(directory, (count, bytes))| format!("{bytes:>12} bytes  {count:>6} files  {directory}");
    Ok(lines(given, sizes.into_iter().map(line)))
}

fn find_files(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let found = files.select(given)?.into_iter().take(given.limit());
    let value =
        |file: File| json!({"path": file.path, "bytes": file.bytes, "modified": file.modified});
    Ok(found.map(value).collect::<Value>().to_string())
}

fn sorted(
    files: &Files,
    given: &Given<'_>,
    key: fn(&File) -> u64,
    descending: bool,
) -> Result<String, String> {
    let mut found = files.select(given)?;
    found.sort_by_key(|file| if descending { u64::MAX - key(file) } else { key(file) });
    Ok(lines(given, found.iter().map(sized)))
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

fn file_types(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let mut types: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for file in files.select(given)? {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').map_or("(none)", |(_, ending)| ending);
        let (count, bytes) = types.entry(ending.to_owned()).or_default();
        *count += 1;
        *bytes += file.bytes;
    }
    let line = |(ending, (count, bytes))| format!("{bytes:>12} bytes  {count:>6} files  {ending}");
    Ok(lines(given, types.into_iter().map(line)))
}

fn binary_files(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let found = files.select(given)?.into_iter();
    let binary = found.filter(|file| files.read(&file.path).is_err());
    Ok(lines(given, binary.map(|file| sized(&file))))
}

/// Whether a line contains the text that the client gave.
fn contains<'a>(given: &'a Given<'_>) -> impl Fn(&str) -> bool + 'a {
    let ignore_case = given.is("ignore_case");
    let text = given.text("text");
    let wanted = if ignore_case { text.to_lowercase() } else { text.to_owned() };
    move |line| match ignore_case {
        true => line.to_lowercase().contains(&wanted),
        false => line.contains(&wanted),
    }
}

/// The lines of all selected files that satisfy a condition.
fn matching(
    files: &Files,
    given: &Given<'_>,
    wanted: impl Fn(&str) -> bool,
) -> Result<String, String> {
    let mut found = Vec::new();
    for (file, text) in files.texts(given)? {
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| wanted(line)) {
            found.push(format!("{}:{number}: {line}", file.path));
        }
    }
    Ok(lines(given, found))
}

fn search_text(files: &Files, given: &Given<'_>) -> Result<String, String> {
    matching(files, given, contains(given))
}

fn open_tasks(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    matching(files, given, |line| {
        line.split(|c| !is_word(c)).any(|word| matches!(word, "TODO" | "FIXME" | "XXX"))
    })
}

fn outline_markdown(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let mut found = Vec::new();
    for (file, text) in files.texts(given)?.filter(|(file, _)| file.path.ends_with(".md")) {
        let mut fenced = false;
        for (number, line) in (1..).zip(text.lines()) {
            fenced ^= line.trim_start().starts_with("```");
            if !fenced && line.starts_with('#') {
                found.push(format!("{}:{number}: {line}", file.path));
            }
        }
    }
    Ok(lines(given, found))
}

fn count_matches(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let wanted = contains(given);
    let count = |(file, text): (File, String)| {
        let count = text.lines().filter(|line| wanted(line)).count();
        (count > 0).then(|| format!("{count:>8}  {}", file.path))
    };
    Ok(lines(given, files.texts(given)?.filter_map(count)))
}

fn files_without_text(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let wanted = contains(given);
    let without = files.texts(given)?.filter(|(_, text)| !text.lines().any(&wanted));
    Ok(lines(given, without.map(|(file, _)| sized(&file))))
}

fn count_lines(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let line = |(file, text): (File, String)| {
        let (lines, words) = (text.lines().count(), text.split_whitespace().count());
        format!(
            "{lines:>8} lines {words:>9} words {:>10} characters  {}",
            text.chars().count(),
            file.path
        )
    };
    Ok(lines(given, files.texts(given)?.map(line)))
}

fn longest_lines(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let longest = |(file, text): (File, String)| {
        let (line, number) = text.lines().zip(1..).max_by_key(|(line, _)| line.chars().count())?;
        Some((line.chars().count(), format!("{}:{number}: {line}", file.path)))
    };
    let mut found: Vec<(usize, String)> = files.texts(given)?.filter_map(longest).collect();
    found.sort_by_key(|(chars, _)| std::cmp::Reverse(*chars));
    Ok(lines(given, found.into_iter().map(|(chars, line)| format!("{chars:>8}  {line}"))))
}

fn word_frequency(files: &Files, given: &Given<'_>) -> Result<String, String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (_, text) in files.texts(given)? {
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Ok(lines(given, counts.into_iter().map(|(word, count)| format!("{count:>8}  {word}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(files: &Files, name: &str, arguments: Value) -> Result<String, String> {
        let tool = TOOLS.iter().find(|tool| tool.name == name).unwrap();
        (tool.run)(files, &Given(&arguments))
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
        assert!(of("directory_tree", json!({})).contains("\n    deep/\n      copy.rs"));
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
