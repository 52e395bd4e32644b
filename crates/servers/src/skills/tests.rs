use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use super::*;

fn write(path: &Path, text: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn skill(dir: &Path, name: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: About {name}.\nlicense: MIT\n---\nRead references/more.md in {}.\n",
        dir.display()
    )
}

fn with_skill(root: &Path, path: &str, name: &str) {
    write(&root.join(path).join("SKILL.md"), skill(Path::new(path), name).as_bytes());
}

fn ask(server: &Skills, method: Method, params: Value) -> Result<Value, Value> {
    let answer = server.answer(method, &Json::of(&params)).unwrap();
    let read = |json: Json| json.read::<Value>().unwrap();
    answer.map(read).map_err(read)
}

fn uris(server: &Skills) -> Vec<String> {
    let list = ask(server, Method::ListSkills, json!({})).unwrap();
    list["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["uri"].as_str().unwrap().to_owned())
        .collect()
}

fn message(answer: Result<Value, Value>) -> String {
    answer.unwrap_err()["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_skill_is_listed_with_all_its_fields_and_files_and_read_as_listed() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("team/.claude/skills");
    with_skill(&root, "docs/pdf", "pdf");
    write(&root.join("docs/pdf/references/a b.md"), b"# more\n");
    write(&root.join("docs/pdf/logo.png"), &[0x89, 0xff, 0]);
    write(&root.join("docs/pdf/.git/config"), b"secret");
    let server = Skills::new(vec![root.clone()]);
    let list = ask(&server, Method::ListSkills, json!({})).unwrap();
    let entry = &list["skills"][0];
    assert_eq!(entry["uri"], "skill://claude/docs/pdf/SKILL.md");
    assert_eq!(
        entry["frontmatter"],
        json!({"name": "pdf", "description": "About pdf.", "license": "MIT"})
    );
    let files: Vec<_> = entry["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["uri"].as_str().unwrap())
        .collect();
    assert_eq!(
        files,
        [
            "skill://claude/docs/pdf/SKILL.md",
            "skill://claude/docs/pdf/logo.png",
            "skill://claude/docs/pdf/references/a%20b.md"
        ]
    );
    assert_eq!((&list["cacheScope"], &list["nextCursor"]), (&json!("private"), &Value::Null));
    assert!(list["ttlMs"].as_u64().unwrap() > 0);
    assert_eq!(
        ask(&server, Method::GetSkill, json!({"uri": entry["uri"]})).unwrap()["skill"],
        *entry
    );
    let read = |uri: &str| {
        ask(&server, Method::ReadResource, json!({"uri": uri})).unwrap()["contents"][0].clone()
    };
    assert_eq!(
        read(files[2]),
        json!({"uri": files[2], "mimeType": "text/markdown", "text": "# more\n"})
    );
    assert_eq!(read(files[1])["blob"], "if8A");
    for file in entry["resources"].as_array().unwrap() {
        use sha2::Digest as _;
        let path =
            super::decoded(file["uri"].as_str().unwrap().strip_prefix("skill://claude/").unwrap());
        let bytes = fs::read(root.join(path)).unwrap();
        assert_eq!(
            file["digest"],
            format!("sha256:{}", weir_base::hex(&sha2::Sha256::digest(&bytes)))
        );
        assert_eq!(file["size"], bytes.len());
    }
    let directory = |uri: &str| ask(&server, Method::ReadDirectory, json!({"uri": uri}));
    let children = directory("skill://claude/docs/pdf").unwrap();
    assert_eq!(
        children["resources"][2],
        json!({"uri": "skill://claude/docs/pdf/references", "name": "references", "mimeType": "inode/directory"})
    );
    assert_eq!(
        directory("skill://claude/docs/pdf/references").unwrap()["resources"][0]["name"],
        "a b.md"
    );
    for none in [files[0], "skill://claude/docs/pdf/", "skill://claude/nothing"] {
        assert_eq!(directory(none).unwrap_err()["code"], -32602, "{none}");
    }
}

#[test]
fn a_file_that_changed_since_it_was_listed_is_not_read_until_its_entry_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    with_skill(dir.path(), "pdf", "pdf");
    let more = dir.path().join("pdf/more.md");
    write(&more, b"one");
    let server = Skills::new(vec![dir.path().to_owned()]);
    let uri = uris(&server).remove(0);
    let file = uri.replace("SKILL.md", "more.md");
    let read = || ask(&server, Method::ReadResource, json!({"uri": file}));
    assert_eq!(read().unwrap()["contents"][0]["text"], "one");
    // Of the same length, at the same time as far as its data say.
    let time = fs::metadata(&more).unwrap().modified().unwrap();
    write(&more, b"two");
    fs::File::options().write(true).open(&more).unwrap().set_modified(time).unwrap();
    assert!(
        message(read())
            .contains("more.md of skill pdf has changed since it was listed; ask skills/get")
    );
    ask(&server, Method::GetSkill, json!({"uri": uri})).unwrap();
    assert_eq!(read().unwrap()["contents"][0]["text"], "two");
    fs::remove_file(&more).unwrap();
    assert!(message(read()).contains("cannot be read"));
    ask(&server, Method::GetSkill, json!({"uri": uri})).unwrap();
    assert_eq!(read().unwrap_err()["code"], -32602);
}

#[test]
fn nothing_outside_of_a_skill_is_served() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("all");
    with_skill(&root, "pdf", "pdf");
    write(&dir.path().join("secret/key"), b"key");
    write(&root.join("beside.md"), b"beside");
    let server = Skills::new(vec![root.clone()]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(dir.path().join("secret/key"), root.join("pdf/key")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), root.join("pdf/secret")).unwrap();
        // A skill whose main file is a link is none.
        fs::create_dir(root.join("linked")).unwrap();
        std::os::unix::fs::symlink(root.join("pdf/SKILL.md"), root.join("linked/SKILL.md"))
            .unwrap();
    }
    let all = uris(&server);
    assert_eq!(all, ["skill://all/pdf/SKILL.md"]);
    let list = ask(&server, Method::ListSkills, json!({})).unwrap();
    assert_eq!(list["skills"][0]["resources"].as_array().unwrap().len(), 1);
    for uri in [
        "skill://all/pdf/../beside.md",
        "skill://all/pdf/%2e%2e/beside.md",
        "skill://all/pdf/key",
        "skill://all/pdf/secret/key",
        "skill://all/beside.md",
        "file:///etc/passwd",
        "skill://",
        "",
        "SKILL.md",
        "skill://other/pdf/SKILL.md",
    ] {
        let refused = ask(&server, Method::ReadResource, json!({"uri": uri})).unwrap_err();
        assert_eq!(refused["code"], -32602, "{uri}");
        assert_eq!(
            ask(&server, Method::GetSkill, json!({"uri": uri})).unwrap_err()["code"],
            -32602
        );
    }
    // A listed file that became a link leads nowhere.
    #[cfg(unix)]
    {
        write(&root.join("pdf/more.md"), b"key");
        uris(&server);
        fs::remove_file(root.join("pdf/more.md")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret/key"), root.join("pdf/more.md"))
            .unwrap();
        let read = ask(&server, Method::ReadResource, json!({"uri": "skill://all/pdf/more.md"}));
        assert!(message(read).contains("leads out of the skill"));
    }
}

#[test]
fn names_are_apart_and_what_is_no_skill_is_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("a/skills"), dir.path().join("b/a"));
    with_skill(&one, "pdf", "pdf");
    with_skill(&other, "pdf", "pdf");
    // Its directory is called otherwise; the URI ends with its name all the same.
    with_skill(&one, "Some_Dir", "real-name");
    with_skill(&one, "upper", "Upper Case");
    write(&one.join("broken/SKILL.md"), b"# no frontmatter");
    with_skill(&one, "pdf/inner", "inner");
    with_skill(&one, "twice", "real-name");
    for n in 0..513 {
        write(&one.join(format!("many/{n}.md")), b"x");
    }
    with_skill(&one, "many", "many");
    write(&one.join("large/data"), &vec![0; (16 << 20) + 1]);
    with_skill(&one, "large", "large");
    let server = Skills::new(vec![one, other, dir.path().join("not-there")]);
    assert_eq!(
        uris(&server),
        [
            "skill://a-2/pdf/SKILL.md",
            "skill://a/pdf/SKILL.md",
            "skill://a/pdf/inner/SKILL.md",
            "skill://a/real-name/SKILL.md"
        ]
    );
    // What is inside is also a part of the outer one.
    let outer = ask(&server, Method::GetSkill, json!({"uri": "skill://a/pdf/SKILL.md"})).unwrap();
    assert_eq!(outer["skill"]["resources"][1]["uri"], "skill://a/pdf/inner/SKILL.md");
    assert_eq!(server.tree.lock().told().len(), 5);
}

#[test]
fn a_long_list_comes_in_pages_and_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..450 {
        with_skill(dir.path(), &format!("s{n}"), &format!("s{n}"));
    }
    let server = Skills::new(vec![dir.path().to_owned()]);
    let (mut found, mut params, mut pages) = (Vec::new(), json!({}), 0);
    loop {
        let list = ask(&server, Method::ListSkills, params).unwrap();
        found.extend(
            list["skills"].as_array().unwrap().iter().map(|skill| skill["uri"].to_string()),
        );
        pages += 1;
        let Some(cursor) = list["nextCursor"].as_str() else { break };
        params = json!({"cursor": cursor});
    }
    assert_eq!((found.len(), pages), (450, 3));
    found.dedup();
    assert_eq!(found.len(), 450);
    assert!(
        message(ask(&server, Method::ListSkills, json!({"cursor": "x"})))
            .starts_with("Invalid cursor")
    );
}

#[tokio::test]
async fn it_speaks_both_eras_on_a_stream() {
    let dir = tempfile::tempdir().unwrap();
    with_skill(dir.path(), "pdf", "pdf");
    let server = Arc::new(Skills::new(vec![dir.path().to_owned()]));
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let (input, output) = tokio::io::split(theirs);
    let serving = tokio::spawn(crate::serve(server, input, output));
    let (read, mut write) = tokio::io::split(ours);
    let mut lines = BufReader::new(read).lines();
    let modern = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let old = json!({"io.modelcontextprotocol/protocolVersion": "2030-01-01"});
    for (request, check) in [
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
            ("/result/protocolVersion", json!("2025-06-18")),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 2, "method": "server/discover", "params": {"_meta": modern}}),
            (
                "/result/capabilities/extensions/io.modelcontextprotocol~1skills",
                json!({"directoryRead": true}),
            ),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 3, "method": "skills/list", "params": {"_meta": modern}}),
            ("/result/resultType", json!("complete")),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 4, "method": "skills/list", "params": {"_meta": old}}),
            ("/error/code", json!(-32022)),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 5, "method": "tools/list"}),
            ("/error/code", json!(-32601)),
        ),
        (
            json!({"jsonrpc": "2.0", "id": 6, "method": "resources/list"}),
            ("/result/resources/0/mimeType", json!("text/markdown")),
        ),
        (json!({"jsonrpc": "2.0", "id": 7, "params": {}}), ("/error/code", json!(-32600))),
        (json!("x"), ("/error/code", json!(-32600))),
    ] {
        // What is told needs no answer.
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        write.write_all(format!("{told}\n\n{request}\n").as_bytes()).await.unwrap();
        let answer: Value =
            serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
        assert_eq!(answer.pointer(check.0), Some(&check.1), "{request}: {answer}");
    }
    write.shutdown().await.unwrap();
    drop((write, lines));
    serving.await.unwrap().unwrap();
}
