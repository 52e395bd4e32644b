//! `weir demo-server`: an MCP server that reads and searches the files below one directory. tools.json says what its
//! tools are, and what each gives.
//!
//! The demo starts it as any client starts any server, so that its second act needs nothing that is
//! not here. It speaks the revisions with a handshake, on its standard streams, and changes nothing.

use std::io::{self, BufRead as _, Write as _};
use std::path::Path;

use serde_json::{Map, Value, json};
use weir_gateway::glob::glob_matches;

use super::files;
use crate::answer::Answer;
use crate::failure::Failure;

/// The revisions that it speaks, newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Entries of an answer, where the client names no other number.
const DEFAULT_LIMIT: u64 = 10_000;

/// Serves one client until it closes its end.
pub(crate) fn run(directory: &Path) -> Result<Answer, Failure> {
    let root = directory.canonicalize().ok().filter(|root| root.is_dir()).ok_or_else(|| {
        Failure::usage(
            format!("{} is no directory that can be read", directory.display()),
            "name the directory whose files are to be served",
        )
    })?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(Failure::io("cannot read the client's messages"))?;
        if let Some(answer) = answer(&root, &line) {
            writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(Failure::output)?;
        }
    }
    Ok(Answer::Yes)
}

/// The answer to a message; none to what asks nothing.
fn answer(root: &Path, line: &str) -> Option<Value> {
    let Ok(message) = serde_json::from_str::<Value>(line) else {
        let error = json!({"code": -32700, "message": "Parse error"});
        return Some(json!({"jsonrpc": "2.0", "id": null, "error": error}));
    };
    let (id, method) = (message.get("id")?, message.get("method")?.as_str()?);
    let params = &message["params"];
    let result = match method {
        "initialize" => Ok(initialize(params)),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({"tools": definitions()})),
        "tools/call" => call(root, params),
        _ => Err(json!({"code": -32601, "message": format!("Method not found: {method}")})),
    };
    Some(match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    })
}

fn initialize(params: &Value) -> Value {
    let version = VERSIONS.iter().find(|it| params["protocolVersion"] == **it);
    json!({
        "protocolVersion": version.unwrap_or(&VERSIONS[0]),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "weir-demo", "version": env!("CARGO_PKG_VERSION")},
        "instructions": "Reads and searches the files below one directory. It changes nothing.",
    })
}

fn call(root: &Path, params: &Value) -> Result<Value, Value> {
    let (name, arguments) = (&params["name"], &params["arguments"]);
    let listed = listed();
    let tool = listed["tools"].as_array().into_iter().flatten().find(|tool| tool["name"] == *name);
    let unknown = || json!({"code": -32602, "message": format!("Unknown tool: {name}")});
    let tool = tool.ok_or_else(unknown)?;
    let mut required = tool["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let done = match required.find(|name| arguments.get(*name).is_none()) {
        Some(name) => Err(format!("the argument {name} is missing")),
        None => given(root, tool, arguments),
    };
    let (text, is_error) = done.map_or_else(|error| (error, true), |text| (text, false));
    Ok(json!({"content": [{"type": "text", "text": text}], "isError": is_error}))
}

fn listed() -> Value {
    serde_json::from_str(include_str!("tools.json")).unwrap_or_default()
}

/// The tools as `tools/list` answers them.
fn definitions() -> Vec<Value> {
    let listed = listed();
    let definition = |tool: &Value| {
        let names = ["required", "optional"].into_iter().filter_map(|key| tool[key].as_array());
        let names = names.flatten().filter_map(Value::as_str);
        let properties: Map<String, Value> =
            names.map(|name| (name.to_owned(), listed["arguments"][name].clone())).collect();
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
fn given(root: &Path, tool: &Value, arguments: &Value) -> Result<String, String> {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    if tool["gives"] == "text" {
        return files::read(root, text("path"));
    }
    let mut files = files::below(root, text("path"))?;
    files.retain(|file| text("glob").is_empty() || glob_matches(text("glob"), &file.path));
    match tool["by"].as_str() {
        Some("bytes") => files.sort_by_key(|file| file.bytes),
        Some("modified") => files.sort_by_key(|file| file.modified),
        _ => {}
    }
    if tool["reversed"] == true {
        files.reverse();
    }
    let limit = arguments["limit"].as_u64().unwrap_or(DEFAULT_LIMIT) as usize;
    // Those of the tool, or the client's.
    let words: Vec<&str> = match tool["words"].as_array() {
        Some(words) => words.iter().filter_map(Value::as_str).collect(),
        None => vec![text("text")],
    };
    let lines: Vec<String> = match tool["gives"].as_str() {
        Some("files") => files.iter().map(|it| format!("{:>12}  {}", it.bytes, it.path)).collect(),
        Some("json") => return Ok(json!(files.get(..limit).unwrap_or(&files)).to_string()),
        gives => {
            let mut lines = Vec::new();
            for (path, text) in
                files.iter().filter_map(|it| Some((&it.path, files::read(root, &it.path).ok()?)))
            {
                let found = (1..).zip(text.lines());
                let found = found.filter(|(_, line)| words.iter().any(|word| line.contains(word)));
                match gives {
                    Some("counts") => lines.push(format!("{:>8}  {path}", found.count())),
                    _ => {
                        lines.extend(found.map(|(n, line): (u64, _)| format!("{path}:{n}: {line}")))
                    }
                }
            }
            lines
        }
    };
    let more = match lines.len().saturating_sub(limit) {
        0 if lines.is_empty() => "nothing found".to_owned(),
        0 => String::new(),
        more => format!("\n… and {more} more: raise limit"),
    };
    Ok(lines.get(..limit).unwrap_or(&lines).join("\n") + &more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_manners_of_a_server() {
        let directory = tempfile::tempdir().unwrap();
        let ask = |method: &str, params: Value| {
            let line = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
            answer(directory.path(), &line.to_string()).unwrap()
        };
        for (asked, spoken) in [("2025-06-18", "2025-06-18"), ("1", VERSIONS[0])] {
            let answer = ask("initialize", json!({"protocolVersion": asked}));
            assert_eq!(answer["result"]["protocolVersion"], spoken);
        }
        assert_eq!(ask("server/discover", json!({}))["error"]["code"], -32601);
        assert_eq!(ask("tools/call", json!({"name": "x"}))["error"]["code"], -32602);
        let without = json!({"name": "read_file", "arguments": {}});
        assert_eq!(ask("tools/call", without)["result"]["isError"], true);
        let notice = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert!(answer(directory.path(), notice).is_none());
        let broken = answer(directory.path(), "{").unwrap();
        assert_eq!(broken["error"]["code"], -32700);
    }

    #[test]
    fn every_tool_does_what_it_says() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let write = |path: &str, content: &[u8]| {
            let file = root.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, content).unwrap();
        };
        write("a.md", b"# Title\none two two\n```\n# no\n```\n## Part\n");
        write("src/b.rs", b"// TODO: more\nfn main() {}\n");
        write("blob.bin", &[0xff, 0xfe, 0, 1]);
        write("cache/CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55\n");
        write("cache/big.txt", &[b'x'; 9_000]);
        write("node_modules/x/c.rs", b"// TODO: fn of others\n");
        let run = |name: &str, arguments: Value| {
            let listed = listed();
            let mut tools = listed["tools"].as_array().unwrap().iter();
            given(&root, tools.find(|tool| tool["name"] == name).unwrap(), &arguments)
        };
        let of = |name: &str, arguments: Value| run(name, arguments).unwrap();
        assert_eq!(of("read_file", json!({"path": "src/b.rs"})), "// TODO: more\nfn main() {}\n");
        let found: Value =
            serde_json::from_str(&of("find_files", json!({"glob": "*.rs"}))).unwrap();
        assert_eq!(
            (found[0]["path"].as_str(), found[0]["bytes"].as_u64()),
            (Some("src/b.rs"), Some(27))
        );
        assert!(of("largest_files", json!({})).trim_start().starts_with("41  a.md"));
        assert!(of("largest_files", json!({"limit": 1})).ends_with("… and 2 more: raise limit"));
        assert!(of("smallest_files", json!({})).starts_with("           4  blob.bin"));
        assert_eq!(of("search_text", json!({"text": "TWO"})), "nothing found");
        assert_eq!(of("search_text", json!({"text": "two"})), "a.md:2: one two two");
        assert!(of("count_matches", json!({"text": "fn"})).contains("1  src/b.rs"));
        assert_eq!(of("count_lines", json!({"path": "a.md"})), "       6  a.md");
        assert_eq!(of("open_tasks", json!({})), "src/b.rs:1: // TODO: more");
        for (path, why) in [
            ("../no such file beside it", "cannot find"),
            ("/etc", "not below"),
            ("src", "no file"),
            ("blob.bin", "cannot read"),
        ] {
            let error = run("read_file", json!({"path": path})).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
        for definition in definitions() {
            let properties = definition["inputSchema"]["properties"].as_object().unwrap();
            assert!(properties.values().all(Value::is_object), "{definition}");
            let ran =
                run(definition["name"].as_str().unwrap(), json!({"path": "a.md", "text": "o"}));
            assert!(ran.is_ok(), "{definition}: {ran:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc", root.join("out")).unwrap();
            assert!(run("read_file", json!({"path": "out/hosts"})).is_err());
        }
    }
}
