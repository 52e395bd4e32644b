//! `weir tools`: what a user gives and gets.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use weir_tests::tools::fixture;
use weir_tests::{Ran, Sandbox};

/// The real tools as answers to `tools/list`, a file a server; their paths.
fn server_files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let text = fs::read_to_string(fixture("classes").join("catalogue.jsonl")).expect("it is there");
    let mut servers: std::collections::BTreeMap<String, Vec<Value>> = Default::default();
    for line in text.lines() {
        let tool: Value = serde_json::from_str(line).expect("each line is JSON");
        let server = tool["server"].as_str().expect("each has a server").to_owned();
        let listed = serde_json::json!({
            "name": tool["name"], "description": tool["description"],
            "inputSchema": tool["parameters"],
        });
        servers.entry(server).or_default().push(listed);
    }
    let write = |(server, tools): (String, Vec<Value>)| {
        let file = sandbox.path().join(format!("{server}.json"));
        fs::write(&file, serde_json::json!({"tools": tools}).to_string()).expect("it is written");
        file
    };
    servers.into_iter().map(write).collect()
}

fn run(sandbox: &Sandbox, before: &[&str], files: &[PathBuf], after: &[&str]) -> Ran {
    let before = before.iter().map(|text| (*text).into());
    let after = after.iter().map(|text| (*text).into());
    let files = files.iter().map(|file| file.clone().into_os_string());
    sandbox.run(before.chain(files).chain(after).collect::<Vec<std::ffi::OsString>>())
}

#[test]
fn files_are_indexed_saved_and_searched() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let saved = sandbox.path().join("tools.weir");
    let indexed = run(&sandbox, &["tools", "index", "--json", "--save", "tools.weir"], &files, &[]);
    assert_eq!(indexed.code, 0, "{}", indexed.stderr);
    let index = indexed.json();
    assert_eq!(index["tools"], 226);
    assert_eq!(index["servers"].as_array().map(Vec::len), Some(files.len()));
    assert_eq!(index["bytes"].as_u64(), Some(fs::metadata(&saved).expect("it is there").len()));
    assert!(index["diagnostics"].as_array().is_some_and(|found| !found.is_empty()));

    let again = run(&sandbox, &["tools", "index", "--json"], std::slice::from_ref(&saved), &[]);
    assert_eq!(again.json()["digest"], index["digest"]);

    for files in [&files[..], std::slice::from_ref(&saved)] {
        let found = run(&sandbox, &["tools", "search", "create issue", "--json"], files, &[]);
        assert_eq!(found.code, 0, "{}", found.stderr);
        assert_eq!(found.json()["groups"][0]["matches"][0]["name"], "create_issue");
    }
    assert!(!sandbox.store().exists(), "no store is made for it");
}

#[test]
fn a_search_that_finds_nothing_ends_with_1_and_says_what_there_is() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let none = run(&sandbox, &["tools", "search", "+qzxv +wqzz"], &files, &[]);
    assert_eq!(none.code, 1, "{}", none.stderr);
    assert!(
        none.stdout.contains("no sure match") && none.stdout.contains("hint:"),
        "{}",
        none.stdout
    );
    let typo = run(&sandbox, &["tools", "search", "creat isue github"], &files, &[]);
    assert_eq!(typo.code, 0, "{}", typo.stdout);
    let two = run(
        &sandbox,
        &["tools", "search", "post message", "--also", "take screenshot"],
        &files,
        &[],
    );
    assert!(two.stdout.contains("slack_post_message") && two.stdout.contains("screenshot"));
    let model = run(&sandbox, &["tools", "search", "post message", "--as-model"], &files, &[]);
    assert!(model.json()["results"][0]["matches"][0]["name"].is_string(), "{}", model.stdout);
}

#[test]
fn tools_are_described_and_scores_explained() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let described =
        run(&sandbox, &["tools", "describe", "create_issue,create_isue", "--json"], &files, &[]);
    assert_eq!(described.code, 1, "one of the two is missing: {}", described.stderr);
    let described = described.json();
    assert_eq!(described["tools"][0]["exact_schema"]["type"], "object");
    assert_eq!(described["missing"][0]["near"][0], "create_issue");

    let explained =
        run(&sandbox, &["tools", "explain", "create issue", "create_issue", "--json"], &files, &[]);
    assert_eq!(explained.code, 0, "{}", explained.stderr);
    let explained = explained.json();
    assert_eq!((&explained["rank"], &explained["confident"]), (&1.into(), &true.into()));
    let parts = explained["lexical"].as_f64().unwrap_or(0.0)
        + explained["semantic"].as_f64().unwrap_or(0.0);
    assert!((explained["score"].as_f64().unwrap_or(9.0) - parts).abs() < 1e-4);
    let none = run(&sandbox, &["tools", "explain", "create issue", "no_such_tool"], &files, &[]);
    assert_eq!((none.code, none.stdout.trim()), (1, "no tool is called no_such_tool"));
}

#[test]
fn assembling_says_what_it_saves() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let assembled = run(&sandbox, &["tools", "assemble", "--json"], &files, &[]);
    let assembly = assembled.json();
    assert_eq!((&assembly["active"], &assembly["deferred"]), (&true.into(), &226.into()));
    assert!(assembly["tokens_before"].as_u64().is_some_and(|tokens| tokens > 50_000));
    assert!(assembly["tokens_after"].as_u64().is_some_and(|tokens| tokens <= 2_289));
    let table = run(&sandbox, &["tools", "assemble"], &files, &[]);
    assert!(
        table.stdout.contains("before") && table.stdout.contains("% saved"),
        "{}",
        table.stdout
    );
    let shown =
        run(&sandbox, &["tools", "assemble", "--show", "--pin", "create_issue"], &files, &[]);
    assert_eq!(shown.stdout.lines().count(), 3, "{}", shown.stdout);
    for line in shown.stdout.lines() {
        serde_json::from_str::<Value>(line).expect("each definition is JSON");
    }
    let off = run(&sandbox, &["tools", "assemble", "--mode", "off", "--json"], &files, &[]).json();
    assert_eq!(off["tokens_before"], off["tokens_after"]);
    let missing = run(&sandbox, &["tools", "assemble", "--require", "terminal"], &files, &[]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("terminal") && missing.stderr.contains("hint:"),
        "{}",
        missing.stderr
    );
}

#[test]
fn an_evaluation_scores_rankers_side_by_side_and_writes_the_run() {
    let sandbox = Sandbox::new();
    let set = fixture("opsmix");
    let both = [set.clone(), fixture("classes")];
    let scored = run(&sandbox, &["tools", "eval", "--json"], &both, &[]);
    assert_eq!(scored.code, 0, "{}", scored.stderr);
    let scores = scored.json();
    let recall = |ranker: &str| scores["sets"]["opsmix"][ranker]["R@5"].as_f64().expect("a figure");
    assert!(recall("plain") > 0.7 && recall("bm25f") > recall("plain"));
    assert!(recall("fused") > recall("bm25f"));
    assert_eq!(scores["sets"]["opsmix"]["fused"]["n"], 250);
    let mean = |set: &str| scores["sets"][set]["fused"]["MRR"].as_f64().expect("a figure");
    let means = scores["macro"]["fused"]["MRR"].as_f64().expect("a figure");
    assert!((means - (mean("opsmix") + mean("classes")) / 2.0).abs() < 1e-9);

    let set = std::slice::from_ref(&set);
    let written =
        run(&sandbox, &["tools", "eval", "--run", "run.jsonl", "--ranker", "fused"], set, &[]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let run_file = fs::read_to_string(sandbox.path().join("run.jsonl")).expect("it is written");
    assert_eq!(run_file.lines().count(), 250);
    let first: Value =
        serde_json::from_str(run_file.lines().next().unwrap_or_default()).expect("JSON");
    assert_eq!(first["query_id"], "k8s-0");
    assert!(first["ranked"].as_array().is_some_and(|ids| ids.len() > 10 && ids.len() <= 100));
    assert!(written.stdout.contains("fused") && !written.stdout.contains("plain"));

    let many = run(&sandbox, &["tools", "eval", "--run", "run.jsonl"], &both, &[]);
    assert_eq!(many.code, 2);
}

/// The number in an attribute.
fn number(node: roxmltree::Node<'_, '_>, attribute: &str) -> f64 {
    node.attribute(attribute).and_then(|text| text.parse().ok()).expect("it has the number")
}

#[test]
fn a_plot_has_a_line_a_ranker_through_the_figures_of_the_json() {
    let sandbox = Sandbox::new();
    let sets = [fixture("classes"), fixture("opsmix")];
    let ran = run(&sandbox, &["tools", "eval", "--json", "--plot", "recall.svg"], &sets, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let means = &ran.json()["macro"];
    let text = fs::read_to_string(sandbox.path().join("recall.svg")).expect("it is written");
    let document = roxmltree::Document::parse(&text).expect("it is well-formed");

    // What the labels of the axes say about where a figure lies.
    let place = |class: &str, label: &str, attribute: &str| {
        let mut labels =
            document.descendants().filter(|node| node.attribute("class") == Some(class));
        let label = labels.find(|node| node.text() == Some(label)).expect("the axis has the label");
        number(label, attribute)
    };
    let (zero, one) = (place("y", "0.0", "y"), place("y", "1.0", "y"));
    let lines: Vec<_> = document.descendants().filter(|n| n.has_tag_name("polyline")).collect();
    assert_eq!(lines.len(), 3);
    for ranker in ["plain", "bm25f", "fused"] {
        let recall = means[ranker]["recall_at_k"].as_array().expect("a figure for each k");
        assert_eq!(recall.len(), 20);
        for k in [1, 5, 10] {
            assert_eq!(recall[k - 1], means[ranker][format!("R@{k}")], "{ranker} at {k}");
        }
        let expected = recall.iter().enumerate().map(|(at, recall)| {
            let recall = recall.as_f64().expect("a number");
            (place("x", &(at + 1).to_string(), "x"), zero + (one - zero) * recall)
        });
        let group = document.descendants().find(|node| node.attribute("id") == Some(ranker));
        let line = group.and_then(|group| group.children().find(|n| n.has_tag_name("polyline")));
        let points = line.and_then(|line| line.attribute("points")).expect("the ranker has a line");
        let points = points.split(' ').map(|point| {
            let (x, y) = point.split_once(',').expect("a point is x,y");
            (x.parse::<f64>().expect("a number"), y.parse::<f64>().expect("a number"))
        });
        for ((x, y), expected) in points.clone().zip(expected) {
            let distance = (x - expected.0).abs().max((y - expected.1).abs());
            assert!(distance < 0.01, "{ranker}: {x},{y} is not {expected:?}");
        }
        assert_eq!(points.count(), 20);
    }
    let words: String = document.descendants().filter_map(|node| node.text()).collect();
    for part in ["2 sets", "394 queries", "plain BM25", "BM25F", "fused"] {
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn a_plot_that_cannot_be_written_is_refused_before_the_work() {
    let sandbox = Sandbox::new();
    let set = [fixture("classes")];
    for (file, reason) in [
        ("recall.png", "recall.png is not named so"),
        ("recall", "give --plot a name that ends in .svg"),
        ("absent/recall.svg", "there is no directory absent"),
    ] {
        let ran = run(&sandbox, &["tools", "eval", "--plot", file], &set, &[]);
        assert_eq!((ran.code, &*ran.stdout), (2, ""), "{file}");
        assert!(ran.stderr.contains(reason) && ran.stderr.contains("hint:"), "{}", ran.stderr);
    }
}

#[test]
fn a_set_without_queries_is_refused() {
    let sandbox = Sandbox::new();
    let set = sandbox.path().join("set");
    fs::create_dir(&set).expect("it is made");
    fs::copy(fixture("classes").join("catalogue.jsonl"), set.join("catalogue.jsonl"))
        .expect("copied");
    fs::write(set.join("queries.jsonl"), "\n").expect("it is written");
    let ran = run(&sandbox, &["tools", "eval"], &[set], &[]);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("queries.jsonl has no query"), "{}", ran.stderr);
}

#[test]
fn files_that_are_no_tools_are_named_with_what_to_do() {
    let sandbox = Sandbox::new();
    let write = |name: &str, bytes: &[u8]| {
        let file = sandbox.path().join(name);
        fs::write(&file, bytes).expect("it is written");
        file
    };
    let cases = [
        (write("empty.json", b""), "is empty"),
        (write("object.json", b"{\"hello\": 1}"), "has no list of `tools`"),
        (write("cut.json", b"{\"tools\": [{\"name\": \"a\""), "line 1 column"),
        (write("text.json", b"hello"), "not a catalog"),
        (write("binary.weir", &[0, 159, 146, 150]), "not a catalog"),
        (sandbox.path().join("absent.json"), "cannot read"),
    ];
    for (file, message) in cases {
        for command in [&["tools", "index"][..], &["tools", "search", "x"], &["tools", "assemble"]]
        {
            let ran = run(&sandbox, command, std::slice::from_ref(&file), &[]);
            assert_eq!(ran.code, 2, "{file:?}");
            assert!(ran.stderr.contains(message), "{file:?}: {}", ran.stderr);
            assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        }
    }
    let no_set = run(&sandbox, &["tools", "eval"], &[sandbox.path().to_owned()], &[]);
    assert_eq!(no_set.code, 2);
    assert!(no_set.stderr.contains("catalogue.jsonl"), "{}", no_set.stderr);
}
