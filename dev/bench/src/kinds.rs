//! What tools give back: shapes of output, made from a seed, and captured outputs of real programs.

use std::io::Read;

use crate::dice::Dice;

/// One shape of output.
pub(crate) struct Kind {
    /// The name in the tables.
    pub(crate) name: &'static str,
    /// Lines of context within which one record lies: what `grep -C` needs.
    pub(crate) record: usize,
    make: Make,
}

enum Make {
    /// A start, one record after the other with its number, what stands between them, an end.
    Seeded(&'static str, fn(&mut Dice, usize) -> String, &'static str, &'static str),
    /// A file of `data/real`, gzipped.
    Captured(&'static [u8]),
}

const WORDS: &[&str] = &[
    "account", "batch", "cache", "deploy", "export", "filter", "gateway", "handler", "import",
    "journal", "kernel", "ledger", "market", "notice", "order", "parser", "query", "report",
    "session", "token", "upload", "vendor", "window", "worker",
];
const STATES: &[&str] = &[
    "pending",
    "shipped",
    "shipped",
    "refunded",
    "delivered",
    "delivered",
    "delivered",
    "cancelled",
];
const LEVELS: &[&str] = &["INFO", "INFO", "INFO", "INFO", "DEBUG", "DEBUG", "WARN", "ERROR"];

fn word(d: &mut Dice) -> &'static str {
    d.pick::<&str>(WORDS)
}

fn words(d: &mut Dice, count: usize) -> String {
    (0..count).map(|_| word(d)).collect::<Vec<_>>().join(" ")
}

fn clock(i: usize) -> String {
    format!("{:02}:{:02}:{:02}", i / 3600 % 24, i / 60 % 60, i % 60)
}

/// An id and a value that stand nowhere else: what questions are made of.
fn ids(d: &mut Dice) -> (String, String) {
    (format!("k{}", d.hex(8)), format!("v{}", d.hex(8)))
}

/// All kinds, seeded ones first.
#[must_use]
#[allow(clippy::too_many_lines, reason = "a table of one entry a kind")]
pub(crate) fn all() -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut seeded = |name, record, start, each, between, end| {
        kinds.push(Kind { name, record, make: Make::Seeded(start, each, between, end) });
    };
    seeded(
        "app-log",
        0,
        "",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                "2026-03-04T{} {:5} {}::{} request={k} peer={v} took={}ms",
                clock(i),
                d.pick(LEVELS),
                word(d),
                word(d),
                d.below(900)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "json-log",
        0,
        "",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                r#"{{"ts":"2026-03-04T{}Z","level":"{}","msg":"{}","request":"{k}","trace":"{v}"}}"#,
                clock(i),
                d.pick(LEVELS),
                words(d, 4)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "syslog",
        0,
        "",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                "Mar  4 {} host{} {}[{}]: session {k} opened for user {v}",
                clock(i),
                d.below(9),
                word(d),
                d.below(30000)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "access-log",
        0,
        "",
        |d, i| {
            let (k, v) = ids(d);
            let status = d.pick(&[200, 200, 200, 304, 404, 500]);
            format!(
                r#"10.0.{}.{} - - [04/Mar/2026:{} +0000] "GET /{}/{k} HTTP/1.1" {status} {} "-" "{v}""#,
                d.below(256),
                d.below(256),
                clock(i),
                word(d),
                d.below(90000)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "test-run",
        0,
        "running the suite\n",
        |d, _| {
            let (k, v) = ids(d);
            let state = d.pick(&["ok", "ok", "ok", "ok", "ok", "ok", "FAILED", "ignored"]);
            format!("test {}::{}::case_{k} (fixture {v}) ... {state}", word(d), word(d))
        },
        "\n",
        "\ntest result: done\n",
    );
    seeded(
        "compiler",
        4,
        "",
        |d, i| {
            let (k, v) = ids(d);
            let level = d.pick(&["warning", "warning", "warning", "error"]);
            format!(
                "{level}: unused variable: `{k}`\n  --> src/{}/{}.rs:{}:9\n   |\n{} |     let {k}_ = {v}();\n   |\n",
                word(d),
                word(d),
                i + 10,
                i + 10
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "stack-traces",
        4,
        "",
        |d, _| {
            let (k, v) = ids(d);
            format!(
                "Traceback (most recent call last):\n  File \"/srv/{}.py\", line {}, in {}\n    raise Unavailable(\"{k}\")\nUnavailable: {k} at {v}",
                word(d),
                d.below(900),
                word(d)
            )
        },
        "\n\n",
        "\n",
    );
    seeded(
        "csv-orders",
        0,
        "id,state,customer,total,note\n",
        |d, _| {
            let (k, v) = ids(d);
            format!(
                "{k},{},{v},{}.{:02},\"{}\"",
                d.pick(STATES),
                d.below(900),
                d.below(100),
                words(d, 3)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "tsv-sensors",
        0,
        "probe\tcell\tvalue\tflag\n",
        |d, _| {
            let (k, v) = ids(d);
            format!(
                "{k}\t{v}\t{}.{:03}\t{}",
                d.below(90),
                d.below(1000),
                d.pick(&["nominal", "nominal", "nominal", "drift", "stale"])
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "markdown-table",
        0,
        "| id | owner | state | area |\n| --- | --- | --- | --- |\n",
        |d, _| {
            let (k, v) = ids(d);
            format!("| {k} | {v} | {} | {} |", d.pick(STATES), word(d))
        },
        "\n",
        "\n",
    );
    seeded(
        "json-compact",
        0,
        r#"{"items":["#,
        |d, i| {
            let (k, v) = ids(d);
            format!(
                r#"{{"id":"{k}","n":{i},"state":"{}","owner":"{v}","title":"{}"}}"#,
                d.pick(STATES),
                words(d, 5)
            )
        },
        ",",
        r#"],"next":null}"#,
    );
    seeded(
        "json-pretty",
        5,
        "[\n",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                "  {{\n    \"id\": \"{k}\",\n    \"n\": {i},\n    \"state\": \"{}\",\n    \"owner\": \"{v}\"\n  }}",
                d.pick(STATES)
            )
        },
        ",\n",
        "\n]\n",
    );
    seeded(
        "json-nested",
        0,
        r#"{"apiVersion":"v1","kind":"List","items":["#,
        |d, _| {
            let (k, v) = ids(d);
            format!(
                r#"{{"metadata":{{"name":"{}-{k}","namespace":"{}","labels":{{"app":"{}","tier":"web"}}}},"status":{{"phase":"{}","podIP":"10.1.{}.{}","nodeName":"{v}","conditions":[{{"type":"Ready","status":"True"}}]}}}}"#,
                word(d),
                word(d),
                word(d),
                d.pick(&["Running", "Running", "Running", "Pending", "Failed"]),
                d.below(256),
                d.below(256)
            )
        },
        ",",
        "]}",
    );
    seeded(
        "ndjson",
        0,
        "",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                r#"{{"id":"{k}","seq":{i},"kind":"{}","actor":"{v}","size":{}}}"#,
                word(d),
                d.below(100_000)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "web-search",
        0,
        r#"{"results":["#,
        |d, i| {
            let (k, v) = ids(d);
            format!(
                r#"{{"rank":{i},"url":"https://example.org/{}/{k}","title":"{}","snippet":"{} {v} {}"}}"#,
                word(d),
                words(d, 5),
                words(d, 18),
                words(d, 12)
            )
        },
        ",",
        "]}",
    );
    seeded(
        "yaml-manifests",
        6,
        "",
        |d, _| {
            let (k, v) = ids(d);
            format!(
                "apiVersion: apps/v1\nkind: {}\nmetadata:\n  name: {}-{k}\nspec:\n  image: registry.example/{v}\n  replicas: {}",
                d.pick(&["Deployment", "StatefulSet", "DaemonSet"]),
                word(d),
                d.below(9)
            )
        },
        "\n---\n",
        "\n",
    );
    seeded(
        "xml-feed",
        3,
        "<?xml version=\"1.0\"?>\n<feed>\n",
        |d, _| {
            let (k, v) = ids(d);
            format!(
                "<entry id=\"{k}\">\n  <title>{}</title>\n  <author>{v}</author>\n  <category>{}</category>\n</entry>",
                words(d, 4),
                d.pick(STATES)
            )
        },
        "\n",
        "\n</feed>\n",
    );
    seeded(
        "html-page",
        0,
        "<!DOCTYPE html>\n<html><head><title>Listing</title></head><body><h1>Listing</h1>\n",
        |d, i| {
            let (k, v) = ids(d);
            let head =
                if i % 20 == 0 { format!("<h2>{}</h2>\n", words(d, 2)) } else { String::new() };
            format!(
                "{head}<div class=\"row\"><a href=\"/item/{k}\">{}</a><span>{v}</span><em>{}</em></div>",
                words(d, 3),
                d.pick(STATES)
            )
        },
        "\n",
        "\n</body></html>\n",
    );
    seeded(
        "markdown-docs",
        1,
        "# Handbook\n",
        |d, i| {
            let (k, v) = ids(d);
            let head = if i % 6 == 0 { format!("\n## {}\n\n", words(d, 2)) } else { String::new() };
            format!(
                "{head}The {} option `{k}` sets the {} of the {}; its default is `{v}`. {}.",
                word(d),
                word(d),
                word(d),
                words(d, 14)
            )
        },
        "\n\n",
        "\n",
    );
    seeded(
        "sql-dump",
        0,
        "CREATE TABLE events (id TEXT, actor TEXT, kind TEXT, n INT);\n",
        |d, i| {
            let (k, v) = ids(d);
            format!("INSERT INTO events VALUES ('{k}', '{v}', '{}', {i});", word(d))
        },
        "\n",
        "\n",
    );
    seeded(
        "diff",
        3,
        "",
        |d, i| {
            let (k, v) = ids(d);
            let head = if i % 8 == 0 {
                format!(
                    "diff --git a/src/{0}_{i}.rs b/src/{0}_{i}.rs\n--- a/src/{0}_{i}.rs\n+++ b/src/{0}_{i}.rs\n",
                    word(d)
                )
            } else {
                String::new()
            };
            format!(
                "{head}@@ -{0},4 +{0},4 @@ fn {1}()\n     let {1} = open();\n-    call({1}, \"{k}\");\n+    call({1}, \"{v}\");",
                i * 9 + 1,
                word(d)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "grep-hits",
        0,
        "",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                "src/{}/{}.rs:{}:    {}.register(\"{k}\", {v});",
                word(d),
                word(d),
                i * 7 + 3,
                word(d)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "file-listing",
        0,
        "",
        |d, _| {
            let (k, v) = ids(d);
            format!("./{}/{}/{k}-{v}.{}", word(d), word(d), d.pick(&["rs", "toml", "json", "snap"]))
        },
        "\n",
        "\n",
    );
    seeded(
        "process-list",
        0,
        "USER       PID %CPU COMMAND\n",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                "{:<9}{:>6} {:>2}.{} /usr/bin/{} --id {k} --peer {v}",
                d.pick(&["root", "www-data", "postgres"]),
                i + 100,
                d.below(99),
                d.below(10),
                word(d)
            )
        },
        "\n",
        "\n",
    );
    seeded(
        "source-python",
        3,
        "import os\n\n",
        |d, i| {
            let (k, v) = ids(d);
            format!(
                "def {}_{i}(value):\n    \"\"\"{}.\"\"\"\n    key = \"{k}\"\n    return os.environ.get(key, \"{v}\") or value",
                word(d),
                words(d, 5)
            )
        },
        "\n\n\n",
        "\n",
    );
    seeded(
        "git-log",
        4,
        "",
        |d, _| {
            let (k, v) = ids(d);
            format!(
                "commit {k}{}\nAuthor: dev{} <{v}@example.org>\n\n    {}: {}",
                d.hex(31),
                d.below(9),
                word(d),
                words(d, 5)
            )
        },
        "\n\n",
        "\n",
    );
    seeded(
        "minified-script",
        0,
        "",
        |d, _| {
            let (k, v) = ids(d);
            format!("function {k}(a,b){{return a.{}(b,\"{v}\",{})}}", word(d), d.below(999))
        },
        "",
        "",
    );
    seeded(
        "envelope",
        0,
        r#"{"content":[{"type":"text","text":""#,
        |d, i| {
            let (k, v) = ids(d);
            format!(r"ticket {k} #{i}: {} — assigned to {v}, {}\n", words(d, 6), d.pick(STATES))
        },
        "",
        r#""}],"isError":false}"#,
    );
    for (name, data) in [
        ("real: apt list", include_bytes!("../data/real/apt-list.gz").as_slice()),
        ("real: pip list", include_bytes!("../data/real/pip-list.gz")),
        ("real: cargo tree", include_bytes!("../data/real/cargo-tree.gz")),
        ("real: git log --stat", include_bytes!("../data/real/git-log.gz")),
        ("real: tools/list", include_bytes!("../data/real/tools-list.gz")),
    ] {
        kinds.push(Kind { name, record: 0, make: Make::Captured(data) });
    }
    kinds
}

impl Kind {
    /// About `size` bytes of this kind, ended at a whole record; none where a captured output has
    /// too few.
    #[must_use]
    pub(crate) fn text(&self, seed: u64, size: usize) -> Option<String> {
        match &self.make {
            Make::Seeded(start, each, between, end) => {
                let mut dice = Dice::named(seed, self.name);
                let mut text = (*start).to_owned();
                for i in 0.. {
                    if i > 0 {
                        text.push_str(between);
                    }
                    text.push_str(&each(&mut dice, i));
                    if text.len() >= size {
                        break;
                    }
                }
                text.push_str(end);
                Some(text)
            }
            Make::Captured(data) => {
                let whole = unpack(data);
                // Another seed begins in another place.
                let room = whole.len().checked_sub(size)?;
                let from = Dice::named(seed, self.name).below(room / 2 + 1);
                let from = if from == 0 { 0 } else { from + whole[from..].find('\n')? + 1 };
                let to = whole[(from + size).min(whole.len() - 1)..].find('\n')?
                    + (from + size).min(whole.len() - 1);
                Some(whole[from..to].to_owned())
            }
        }
    }
}

/// The text of gzipped data that is part of this program.
#[must_use]
pub(crate) fn unpack(data: &[u8]) -> String {
    let mut text = String::new();
    let read = flate2::read::GzDecoder::new(data).read_to_string(&mut text);
    assert!(read.is_ok(), "committed data is whole and UTF-8");
    text
}
