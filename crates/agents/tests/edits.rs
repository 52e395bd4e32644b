//! Files of users are never damaged: install, edit and undo on configuration files of sixteen hosts as
//! they are met, and on the same and others made at random in order, comments, marks, ends of lines and
//! indentation.

#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use weir_agents::config::{
    Change, Document, ENTRY, Edit, EditError, Format, HOSTS, Host, Node, Record, Records, Server,
    Undone, host, is_gateway, meaning, to_json_entry,
};

const BOM: char = '\u{feff}';

struct Sample {
    host: &'static Host,
    path: PathBuf,
    text: String,
}

fn samples() -> Vec<Sample> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    let mut samples = Vec::new();
    for directory in std::fs::read_dir(&root).unwrap() {
        let directory = directory.unwrap().path();
        let host = host(directory.file_name().unwrap().to_str().unwrap()).unwrap();
        for file in std::fs::read_dir(&directory).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            samples.push(Sample { host, path, text });
        }
    }
    samples.sort_by(|a, b| a.path.cmp(&b.path));
    samples
}

fn entry(host: &Host) -> Node {
    host.entry("/opt/we ir/weir", &["serve".into(), "--mode".into(), "auto".into()])
}

fn is_moved(server: &Server) -> bool {
    !is_gateway(&server.entry) && !server.is_built_in() && !server.is_disabled()
}

/// The edit of an installation, with the servers that it takes out.
fn installation(sample: &Sample, keep: bool) -> (Edit, Vec<Server>) {
    let node = Format::of(&sample.path).read(&sample.text).unwrap();
    let mut edit = Edit::new();
    edit.changes.extend(sample.host.put_entry(&sample.path, &node, entry(sample.host)));
    let mut moved = sample.host.servers_in(&sample.path, &node);
    moved.retain(|server| !keep && is_moved(server));
    edit.changes.extend(moved.iter().map(Server::removal));
    (edit, moved)
}

/// What a file means apart from its servers.
fn rest(sample: &Sample, node: &Node) -> serde_json::Value {
    let path = sample.host.path_in(&sample.path);
    let mut node = node.clone();
    let edit = Edit { changes: vec![Change::Remove { path: path.clone() }] };
    edit.apply_to(&mut node).unwrap();
    for depth in (1..path.len()).rev() {
        if node.at(&path[..depth]).is_some_and(|node| node.as_map().is_some_and(<[_]>::is_empty)) {
            let edit = Edit { changes: vec![Change::Remove { path: path[..depth].to_vec() }] };
            edit.apply_to(&mut node).unwrap();
        }
    }
    node.to_value()
}

/// Whether the characters of one text are in the other, in order: nothing was taken out.
fn is_within(part: &str, whole: &str) -> bool {
    let mut whole = whole.chars();
    part.chars().all(|c| whole.any(|other| other == c))
}

fn undone(sample: &Sample, edit: &Edit, before: Option<&str>, after: &str, now: &str) -> Undone {
    let record = Record {
        host: sample.host.name.into(),
        file: sample.path.clone(),
        before: before.map(str::to_owned),
        after: after.into(),
        edit: edit.clone(),
        servers: Vec::new(),
        directories: Vec::new(),
    };
    record
        .undo(Some(now))
        .unwrap_or_else(|error| panic!("{}: {error}\n{now}", sample.path.display()))
}

/// Installs, lets others write, and undoes; says what is wrong.
fn check(sample: &Sample) {
    let Sample { host, path, text } = sample;
    let format = Format::of(path);
    let name = path.display();
    let before = format.read(text).unwrap();
    for keep in [true, false] {
        let (edit, moved) = installation(sample, keep);
        let after =
            edit.apply(format, text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        let node = format.read(&after).unwrap();

        // Each server is reachable exactly once.
        let now = host.servers_in(path, &node);
        let gateways = now.iter().filter(|server| is_gateway(&server.entry)).count();
        assert_eq!(gateways, 1, "{name}\n{after}");
        for server in &moved {
            assert!(now.iter().all(|other| other.name != server.name), "{name}: {}", server.name);
        }
        let was = host.servers_in(path, &before);
        assert_eq!(now.len(), was.len() - moved.len() + 1, "{name}\n{after}");

        // Nothing else means anything else, and no byte of it is gone.
        assert_eq!(rest(sample, &node), rest(sample, &before), "{name}");
        assert_eq!(after.starts_with(BOM), text.starts_with(BOM), "{name}");
        if text.contains('\n') {
            let ends = |text: &str| (text.matches("\r\n").count(), text.matches('\n').count());
            let ((old_crlf, old_all), (crlf, all)) = (ends(text), ends(&after));
            assert_eq!(crlf == all, old_crlf == old_all, "{name}: ends of lines\n{after:?}");
            assert_eq!(crlf == 0, old_crlf == 0, "{name}: ends of lines\n{after:?}");
        }
        // `null` and `{}` give way; in them was nothing. So do blank lines at the ends of an object that
        // gets more.
        let given_way = host.servers_in(path, &before).is_empty();
        let solid: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        assert!(!keep || given_way || is_within(&solid, &after), "{name}\n{text}\n{after}");

        // Undone byte for byte.
        let exact = undone(sample, &edit, Some(text), &after, &after);
        assert_eq!(exact, Undone::Exactly(Some(text.clone())), "{name}");
        let never = undone(sample, &edit, None, &after, &after);
        assert_eq!(never, Undone::Exactly(None), "{name}");

        // Others have written since: theirs stays, ours goes, what was there is back.
        let theirs = Edit::new().set(["addedByOthers"], true.into());
        let written = theirs.apply(format, &after).unwrap();
        let merged = undone(sample, &edit, Some(text), &after, &written);
        let mut wanted = before.clone();
        theirs.apply_to(&mut wanted).unwrap();
        let got = format.read(merged.text().unwrap()).unwrap();
        assert!(agree(&got, &wanted, sample), "{name}\n{written}\n{}", merged.text().unwrap());
        assert!(!merged.text().unwrap().contains("we ir"), "{name}");
        if format == Format::Json {
            // A host that writes its file anew, in its own style.
            let mut value = node.clone();
            theirs.apply_to(&mut value).unwrap();
            let written = serde_json::to_string(&value).unwrap();
            let merged = undone(sample, &edit, Some(text), &after, &written);
            let got = format.read(merged.text().unwrap()).unwrap();
            assert!(agree(&got, &wanted, sample), "{name}\n{}", merged.text().unwrap());
        }
    }
}

/// The same, but that an object which was made for the servers may stay empty, and servers may have
/// come back in another order.
fn agree(got: &Node, wanted: &Node, sample: &Sample) -> bool {
    let list = |node: &Node| {
        let mut servers: Vec<_> = sample
            .host
            .servers_in(&sample.path, node)
            .into_iter()
            .map(|server| (server.name, server.entry.to_value().to_string()))
            .collect();
        servers.sort();
        servers
    };
    rest(sample, got) == rest(sample, wanted) && list(got) == list(wanted)
}

#[test]
fn installing_and_undoing_damages_no_file_of_any_host() {
    let samples = samples();
    assert!(samples.len() >= 60, "{}", samples.len());
    let mut hosts: Vec<&str> = samples.iter().map(|sample| sample.host.name).collect();
    hosts.dedup();
    assert!(hosts.len() >= 12, "{hosts:?}");
    samples.iter().for_each(check);
}

#[test]
fn comments_outside_of_the_servers_that_go_stay() {
    for sample in samples() {
        let format = Format::of(&sample.path);
        let (edit, moved) = installation(&sample, false);
        let after = edit.apply(format, &sample.text).unwrap();
        let (before, now) = (comments(format, &sample.text), comments(format, &after));
        for comment in before {
            // In the entry itself: it goes with it.
            let at = sample.text.find(&comment).unwrap();
            let inside = moved.iter().any(|server| within(&sample.text, &server.name, at));
            assert!(
                inside || now.contains(&comment),
                "{}: {comment}\n{after}",
                sample.path.display()
            );
        }
    }
}

/// Whether a place is on the line of a server's name or below it, deeper than it: a rough reading.
fn within(text: &str, name: &str, at: usize) -> bool {
    let Some(start) = text.find(&format!("\"{name}\"")).or_else(|| text.find(name)) else {
        return false;
    };
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let indent = text[line..].len() - text[line..].trim_start().len();
    let end = text[start..]
        .match_indices('\n')
        .map(|(end, _)| start + end + 1)
        .find(|end| {
            let rest = &text[*end..];
            let depth = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            depth <= indent || rest.starts_with('[')
        })
        .unwrap_or(text.len());
    (start..end).contains(&at)
}

/// The comments of a text, by a reading that knows of strings in quotes.
fn comments(format: Format, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut at, bytes) = (0, text.as_bytes());
    let mut block_text = false;
    while at < bytes.len() {
        let line_end =
            bytes[at..].iter().position(|b| *b == b'\n').map_or(text.len(), |end| at + end);
        match (format, bytes[at]) {
            (_, b'"') => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            (Format::Json, b'/') if bytes.get(at + 1) == Some(&b'/') => {
                found.push(text[at..line_end].trim_end().to_owned());
                at = line_end;
            }
            (Format::Json, b'/') => {
                let end = text[at..].find("*/").map_or(text.len(), |end| at + end + 2);
                found.push(text[at..end].to_owned());
                at = end;
            }
            (Format::Toml | Format::Yaml, b'#') => {
                found.push(text[at..line_end].trim_end().to_owned());
                at = line_end;
            }
            (Format::Yaml, b'|') => block_text = true,
            _ => {}
        }
        at += 1;
    }
    if block_text {
        found.retain(|comment| comment != "# no comment");
    }
    found
}

/// A small generator: the same numbers for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len())]
    }
}

/// A file of a client, with its keys in any order.
fn random_node(dice: &mut Dice, key: &str) -> Node {
    let server = |dice: &mut Dice| {
        let mut members = vec![
            ("command".to_owned(), Node::Text(dice.pick(&["npx", "C:\\x y\\z.exe", "ü"]).into())),
            (
                "args".to_owned(),
                Node::List(vec![Node::Text("// no".into()), Node::Text(",}".into())]),
            ),
            ("env".to_owned(), Node::Map(vec![("A".into(), Node::Text("\"/*".into()))])),
        ];
        members.truncate(1 + dice.roll(3));
        Node::Map(members)
    };
    let count = dice.roll(4);
    let servers = (0..count).map(|nth| (format!("s{nth}"), server(dice))).collect();
    let mut members = vec![
        (key.to_owned(), Node::Map(servers)),
        ("theme".to_owned(), Node::Text("dark // light".into())),
        ("size".to_owned(), Node::Number("1.10".into())),
        ("nested".to_owned(), Node::Map(vec![(key.to_owned(), Node::Map(vec![]))])),
        ("list".to_owned(), Node::List(vec![Node::Null, Node::Bool(true), Node::List(vec![])])),
    ];
    for _ in 0..dice.roll(3) {
        members.remove(1 + dice.roll(members.len() - 1));
    }
    for at in (1..members.len()).rev() {
        members.swap(at, dice.roll(at + 1));
    }
    Node::Map(members)
}

/// JSON in any style.
fn random_json(dice: &mut Dice, node: &Node, depth: usize, unit: &str, out: &mut String) {
    let gap = |dice: &mut Dice, depth: usize, out: &mut String| {
        let style = dice.roll(12);
        match style {
            0 => out.push_str(" /* c */ "),
            1 => out.push_str("  "),
            2 => out.push_str(&format!(" // line {depth}\n{}", unit.repeat(depth))),
            3 => out.push_str("\n\n"),
            4 => out.push('\t'),
            5..8 => {}
            _ => out.push_str(&format!("\n{}", unit.repeat(depth))),
        }
    };
    let (open, close, count) = match node {
        Node::Map(members) => ('{', '}', members.len()),
        Node::List(items) => ('[', ']', items.len()),
        leaf => {
            out.push_str(&leaf.to_value().to_string());
            return;
        }
    };
    out.push(open);
    for nth in 0..count {
        gap(dice, depth + 1, out);
        let value = match node {
            Node::Map(members) => {
                out.push_str(&serde_json::Value::String(members[nth].0.clone()).to_string());
                if dice.roll(8) == 0 {
                    gap(dice, depth + 1, out);
                }
                out.push(':');
                gap(dice, depth + 1, out);
                &members[nth].1
            }
            Node::List(items) => &items[nth],
            _ => unreachable!(),
        };
        random_json(dice, value, depth + 1, unit, out);
        if dice.roll(6) == 0 {
            gap(dice, depth + 1, out);
        }
        if nth + 1 < count || dice.roll(3) == 0 {
            out.push(',');
        }
    }
    gap(dice, depth, out);
    out.push(close);
}

fn with_marks(dice: &mut Dice, text: String) -> String {
    let text =
        if dice.roll(2) == 0 { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text };
    match (dice.roll(3), text.starts_with(BOM)) {
        (0, false) => format!("{BOM}{text}"),
        _ => text,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn no_json_file_made_at_random_is_damaged(seed in 1_u64..u64::MAX) {
        let mut dice = Dice(seed);
        let hosts: Vec<&Host> = HOSTS.iter().filter(|host| {
            !matches!(host.name, "codex" | "vibe" | "hermes" | "goose" | "openclaw")
        }).collect();
        let host = host(hosts[dice.roll(hosts.len())].name).unwrap();
        let node = random_node(&mut dice, host.servers.path[0]);
        let unit = dice.pick(&["  ", "    ", "\t", " ", "        "]);
        let mut text = String::new();
        random_json(&mut dice, &node, 0, unit, &mut text);
        let text = with_marks(&mut dice, text);
        check(&Sample { host, path: PathBuf::from("settings.jsonc"), text });
    }

    #[test]
    fn no_sample_is_damaged_however_it_is_laid_out(seed in 1_u64..u64::MAX) {
        let mut dice = Dice(seed);
        let mut all = samples();
        let mut sample = all.swap_remove(dice.roll(all.len()));
        let format = Format::of(&sample.path);
        let mut text = sample.text.trim_start_matches(BOM).replace("\r\n", "\n");
        let has_blocks = text.contains("\"\"\"") || text.contains(": |");
        let style = dice.roll(4);
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            let bare = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - bare.len()];
            let indent = match (format, style) {
                (Format::Json, 0) => "\t".repeat(indent.len()),
                (Format::Json, 1) => String::new(),
                (Format::Yaml, 0 | 1) if !indent.contains('\t') => indent.repeat(3),
                (Format::Toml, 0) if !has_blocks => "   ".into(),
                _ => indent.to_owned(),
            };
            let comment = match format {
                Format::Json if bare.ends_with(['{', ',', '[']) && dice.roll(4) == 0 => " // added",
                Format::Toml if !has_blocks && dice.roll(6) == 0 && !bare.is_empty() => " # added",
                _ => "",
            };
            lines.push(format!("{indent}{bare}{comment}"));
            if format == Format::Toml && !has_blocks && dice.roll(8) == 0 {
                lines.push("# a line of its own".into());
            }
        }
        let end = if text.ends_with('\n') { "\n" } else { "" };
        text = lines.join("\n") + end;
        if format.read(&text).is_ok() {
            sample.text = with_marks(&mut dice, text);
            check(&sample);
        }
    }
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let text = "{\"mcpServers\":{},\"mcpServers\":{\"a\":{\"command\":\"x\"}}}";
    let edit = Edit::new().set(["mcpServers", ENTRY], true.into());
    assert_eq!(edit.apply(Format::Json, text), Err(EditError::Duplicate("mcpServers".into())));
    for (format, text) in [
        (Format::Toml, "a = 1\na = 2\n"),
        (Format::Yaml, "a: 1\na: 2\n"),
        (Format::Json, "{"),
        (Format::Json, "{'a': 1}"),
        (Format::Yaml, "mcp_servers:\n\tx: 1\n"),
    ] {
        assert!(matches!(edit.apply(format, text), Err(EditError::Syntax(_))), "{text}");
    }
    for (format, text) in [
        (Format::Json, "{\"mcpServers\":[]}"),
        (Format::Json, "[]"),
        (Format::Toml, "mcpServers = 1\n"),
        (Format::Yaml, "mcpServers:\n- a\n"),
    ] {
        assert!(matches!(edit.apply(format, text), Err(EditError::NotAnObject(_))), "{text}");
    }
}

#[test]
fn items_of_lists_come_and_go_in_every_format() {
    let item = Node::from(serde_json::json!({"matcher": "*", "command": "weir hook x"}));
    for (format, text) in [
        (
            Format::Json,
            "{\n  \"hooks\": {\n    \"After\": [\n      { \"matcher\": \"mine\" } // mine\n    ]\n  }\n}\n",
        ),
        (Format::Json, "{}"),
        (Format::Json, "{\"hooks\":{\"After\":[]}}"),
        (Format::Toml, "a = 1 # one\n"),
        (Format::Toml, "[[hooks.After]]\nmatcher = \"mine\" # mine\n\n[z]\n"),
        (Format::Yaml, "a: 1 # one\n"),
        (Format::Yaml, "hooks:\n  After:\n  - matcher: mine # mine\n  other: true\n"),
        (Format::Yaml, "hooks:\n  After: [{matcher: mine}] # mine\n"),
    ] {
        let path = vec!["hooks".to_owned(), "After".to_owned()];
        let edit = Edit { changes: vec![Change::Append { path, value: item.clone() }] };
        let after = edit.apply(format, text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let (before, node) = (format.read(text).unwrap(), format.read(&after).unwrap());
        let list = node.at(&["hooks", "After"]).and_then(Node::as_list).unwrap();
        assert_eq!(list.last().unwrap().to_value(), item.to_value(), "{after}");
        let back = edit.inverse(&before, &node).apply(format, &after).unwrap();
        let back_node = format.read(&back).unwrap();
        assert_eq!(back_node.to_value(), before.to_value(), "{text}\n{after}\n{back}");
        assert!(!text.contains("mine #") || back.contains("# mine"), "{back}");
    }
}

#[test]
fn a_file_is_replaced_with_its_mode_and_its_links() {
    let directory = tempfile::tempdir().unwrap();
    let (real, link) = (directory.path().join("real.json"), directory.path().join("link.json"));
    std::fs::write(&real, "{}").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("real.json", &link).unwrap();
        let mut document = Document::read(&link).unwrap();
        document.replace("{\"a\":1}").unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    }
    #[cfg(not(unix))]
    let _ = link;
    // What others write between reading and replacing is not written over.
    let mut document = Document::read(&real).unwrap();
    std::fs::write(&real, "{\"theirs\":1}").unwrap();
    assert!(document.replace("{}").is_err());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "{\"theirs\":1}");
    assert_eq!(
        std::fs::read_dir(directory.path()).unwrap().count(),
        if cfg!(unix) { 2 } else { 1 }
    );
    std::fs::write(&real, b"\xff\xfe{\0}\0").unwrap();
    assert!(Document::read(&real).is_err(), "UTF-16 is left alone");
}

#[test]
fn an_address_of_gemini_without_a_type_is_of_the_older_transport() {
    let text = r#"{"mcpServers":{"old":{"url":"http://x/sse"},"new":{"httpUrl":"http://x/mcp"}}}"#;
    let (file, node) = (Path::new("settings.json"), Format::Json.read(text).unwrap());
    let typed = |name: &str| -> Vec<Option<String>> {
        let servers = host(name).unwrap().servers_in(file, &node);
        let entries = servers.iter().map(|server| to_json_entry(server, Format::Json, file));
        entries.map(|e| e.get("type").and_then(Node::as_text).map(str::to_owned)).collect()
    };
    assert_eq!(typed("gemini"), [Some("sse".to_owned()), None]);
    assert_eq!(typed("cursor"), [None, None]);
}

#[test]
fn two_changes_of_a_file_are_undone_together() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("mcp.json");
    let text = "{\n  // mine\n  \"mcpServers\": { \"a\": { \"command\": \"x\" } }\n}\n";
    std::fs::write(&file, text).unwrap();
    let records = Records::new(directory.path().join("records"), directory.path().join("earlier"));
    let change = |edit: Edit| {
        let mut document = Document::read(&file).unwrap();
        let after = edit.apply(Format::Json, document.text.as_deref().unwrap()).unwrap();
        records.change("cursor", &mut document, &after, &edit, &[]).unwrap()
    };
    let without = |name: &str| Change::Remove { path: vec!["mcpServers".into(), name.into()] };
    let mut edit = Edit::new().set(["mcpServers", ENTRY], true.into());
    edit.changes.push(without("a"));
    assert!(change(edit));
    // The user adds a server, which the second installation moves too.
    let users =
        Edit::new().set(["mcpServers", "b"], Node::from(serde_json::json!({"command": "y"})));
    let now = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, users.apply(Format::Json, &now).unwrap()).unwrap();
    assert!(change(Edit { changes: vec![without("b")] }));
    let now = std::fs::read_to_string(&file).unwrap();
    let record = records.get("cursor", &file).unwrap();
    let back = record.undo(Some(&now)).unwrap();
    let node = Format::Json.read(back.text().unwrap()).unwrap();
    let wanted = serde_json::json!({"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}});
    assert_eq!(node.to_value(), wanted, "{back:?}");
    assert!(back.text().unwrap().contains("// mine"));
}

#[test]
fn entries_are_compared_by_what_they_mean() {
    let means = |value: serde_json::Value| meaning(&Node::from(value));
    let plain =
        serde_json::json!({"command": "npx", "args": ["-y", "x"], "env": {"T": "${TOKEN}"}});
    for same in [
        serde_json::json!({"type": "stdio", "args": ["-y", "x"], "command": "npx", "env": {"T": "${env:TOKEN}"}, "disabled": false}),
        serde_json::json!({"type": "local", "command": ["npx", "-y", "x"], "environment": {"T": "{env:TOKEN}"}, "enabled": true}),
        serde_json::json!({"command": {"path": "npx", "args": ["-y", "x"]}, "env": {"T": "${TOKEN}"}}),
        serde_json::json!({"name": "x", "cmd": "npx", "args": ["-y", "x"], "envs": {"T": "${TOKEN}"}, "enabled": true, "type": "stdio"}),
        // Whose it is and what it is called makes it no other server.
        serde_json::json!({"command": "npx", "args": ["-y", "x"], "env": {"T": "${TOKEN}"}, "hosts": ["codex"], "weir": {"name": "y"}}),
    ] {
        assert_eq!(means(same.clone()), means(plain.clone()), "{same}");
    }
    for other in [
        serde_json::json!({"command": "npx", "args": ["-y", "x"]}),
        serde_json::json!({"command": "npx", "args": ["x", "-y"], "env": {"T": "${TOKEN}"}}),
        serde_json::json!({"command": "npx", "args": ["-y", "x"], "env": {"T": "${TOKEN}"}, "cwd": "/x"}),
        serde_json::json!({"command": "npx", "args": ["-y", "x"], "env": {"T": "${TOKEN}"}, "weir": {"name": "y", "deny": ["z"]}}),
    ] {
        assert_ne!(means(other.clone()), means(plain.clone()), "{other}");
    }
    for (ours, value) in [
        (true, serde_json::json!({"command": "/usr/bin/weir", "args": ["serve"]})),
        (true, serde_json::json!({"command": ["C:\\x\\weir.exe", "serve", "--mode", "bridge"]})),
        (
            true,
            serde_json::json!({"command": "npx", "args": ["-y", "weir", "--store", "x", "serve"]}),
        ),
        (false, serde_json::json!({"command": "weir", "args": ["list"]})),
        (false, serde_json::json!({"command": "serve", "args": ["weir"]})),
        (false, serde_json::json!({"url": "http://x/weir/serve"})),
    ] {
        assert_eq!(is_gateway(&Node::from(value.clone())), ours, "{value}");
    }
}

#[test]
fn what_others_wrote_is_all_that_differs_once_an_installation_is_undone() {
    // Each case: the host, its file, and what another program does to it meanwhile.
    let top = "by_others = 1 # theirs\n";
    let vibe = "model = \"m\"\n[[mcp_servers]]\nname = 'z' # last of the alphabet\nurl = \"https://z.example/mcp\"\n\n[[mcp_servers]]\nname = \"a\"\ncommand = \"npx\"\n";
    let mixed = "{\r\n\"x\": 1,\n\"mcpServers\": {\r\n\"z\": { \"command\": \"x\" },\n\"a\": {\r\n\"command\": \"y\" }\n}\r\n}\n";
    let one_line =
        "{\n  \"mcpServers\":{ \"z\":{ \"command\":\"x\" }, \"a\":{\"command\":\"\\u0079\"} }\n}\n";
    for (name, file, text, at, put) in [
        ("vibe", "config.toml", vibe, 0, top),
        ("cursor", "mcp.json", mixed, 3, "\"theirs\": true,\r\n"),
        ("cursor", "mcp.json", one_line, 2, "  \"theirs\": true,\n"),
    ] {
        let sample =
            Sample { host: host(name).unwrap(), path: PathBuf::from(file), text: text.to_owned() };
        let (edit, moved) = installation(&sample, false);
        assert_eq!(moved.len(), 2, "{name}");
        let format = Format::of(&sample.path);
        let after = edit.apply(format, text).unwrap();
        let with = |text: &str| format!("{}{put}{}", &text[..at], &text[at..]);
        let back = undone(&sample, &edit, Some(text), &after, &with(&after));
        assert_eq!(back.text().unwrap(), with(text), "{name}: {after}");
        // Written anew as a whole, in another form: the servers are in the order that they had.
        if format == Format::Json {
            let node = format.read(&with(&after)).unwrap();
            let now = serde_json::to_string(&node).unwrap();
            let back = undone(&sample, &edit, Some(text), &after, &now);
            let back = format.read(back.text().unwrap()).unwrap();
            let servers = back.get("mcpServers").and_then(Node::as_map).unwrap();
            let names: Vec<&str> = servers.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["z", "a"]);
        }
    }
}
