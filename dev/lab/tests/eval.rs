//! Evaluations: what a developer gives and gets.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../component/fixtures/toolsearch").join(name)
}

fn lab(folder: &Path, arguments: &[&dyn AsRef<OsStr>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weir-lab"));
    command.args(arguments.iter().map(|argument| argument.as_ref()));
    command.current_dir(folder).output().unwrap()
}

fn figures(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What a run that ends with 2 says on standard error.
fn refusal(output: &Output) -> String {
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_evaluation_scores_rankers_side_by_side_and_writes_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let (opsmix, classes) = (fixture("opsmix"), fixture("classes"));
    let scores = figures(&lab(folder.path(), &[&"eval", &"--json", &opsmix, &classes]));
    let recall = |ranker: &str| scores["sets"]["opsmix"][ranker]["R@5"].as_f64().unwrap();
    assert_eq!(
        ["plain", "bm25f", "fused"].map(|ranker| format!("{:.3}", recall(ranker))),
        ["0.765", "0.877", "0.953"]
    );
    assert_eq!(scores["sets"]["opsmix"]["fused"]["n"], 250);
    let mean = |set: &str| scores["sets"][set]["fused"]["MRR"].as_f64().unwrap();
    let means = scores["macro"]["fused"]["MRR"].as_f64().unwrap();
    assert!((means - (mean("opsmix") + mean("classes")) / 2.0).abs() < 1e-9);

    let one = ["eval", "--run", "run.jsonl", "--ranker", "fused"];
    let mut arguments: Vec<&dyn AsRef<OsStr>> = one.iter().map(|a| a as _).collect();
    arguments.push(&opsmix);
    let written = lab(folder.path(), &arguments);
    let shown = String::from_utf8_lossy(&written.stdout).into_owned();
    assert!(written.status.success() && shown.contains("fused") && !shown.contains("plain"));
    let run = fs::read_to_string(folder.path().join("run.jsonl")).unwrap();
    assert_eq!(run.lines().count(), 250);
    let first: Value = serde_json::from_str(run.lines().next().unwrap()).unwrap();
    assert_eq!(first["query_id"], "k8s-0");
    assert!(first["ranked"].as_array().is_some_and(|ids| ids.len() > 10 && ids.len() <= 100));

    let many = lab(folder.path(), &[&"eval", &"--run", &"run.jsonl", &opsmix, &classes]);
    assert!(refusal(&many).contains("a run is of one set"));
}

/// What docs/tool-search.md says of requests that no tool serves.
#[test]
fn what_no_tool_serves_seldom_has_matches_and_what_some_tool_serves_mostly_the_right_one() {
    let folder = tempfile::tempdir().unwrap();
    let output = lab(folder.path(), &[&"absent", &fixture("everyday"), &fixture("second")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let shares = |set: &str| -> Vec<f32> {
        let row = text.lines().find(|line| line.starts_with(set)).unwrap();
        row.split_whitespace().skip(1).map(|cell| cell.parse().unwrap()).collect()
    };
    let everyday = shares("everyday");
    assert!(everyday[1] <= 0.15 && everyday[3] >= 0.72 && everyday[4] >= 0.97, "{text}");
    let second = shares("second");
    assert!(second[3] >= 0.825 && second[4] >= 0.96, "{text}");
    let lines = lab(folder.path(), &[&"absent", &"--lines", &fixture("everyday")]);
    let lines = String::from_utf8_lossy(&lines.stdout).into_owned();
    let served = |line: &&str| serde_json::from_str::<Value>(line).unwrap()["served"] == true;
    assert_eq!((lines.lines().count(), lines.lines().filter(served).count()), (340, 240));
}

/// The number in an attribute.
fn number(node: roxmltree::Node<'_, '_>, attribute: &str) -> f64 {
    node.attribute(attribute).and_then(|text| text.parse().ok()).expect("it has the number")
}

#[test]
fn a_plot_has_a_line_a_ranker_through_the_figures_of_the_json() {
    let folder = tempfile::tempdir().unwrap();
    let (classes, opsmix) = (fixture("classes"), fixture("opsmix"));
    let arguments: [&dyn AsRef<OsStr>; 6] =
        [&"eval", &"--json", &"--plot", &"recall.svg", &classes, &opsmix];
    let means = &figures(&lab(folder.path(), &arguments))["macro"];
    let text = fs::read_to_string(folder.path().join("recall.svg")).unwrap();
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
fn what_cannot_be_done_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let classes = fixture("classes");
    for (file, reason) in [
        ("recall.png", "give recall.png a name that ends in .svg"),
        ("absent/recall.svg", "there is no directory absent"),
    ] {
        let refused = refusal(&lab(folder.path(), &[&"eval", &"--plot", &file, &classes]));
        assert!(refused.contains(reason), "{refused}");
    }
    let set = folder.path().join("set");
    fs::create_dir(&set).unwrap();
    assert!(refusal(&lab(folder.path(), &[&"eval", &set])).contains("catalogue.jsonl"));
    fs::copy(classes.join("catalogue.jsonl"), set.join("catalogue.jsonl")).unwrap();
    fs::write(set.join("queries.jsonl"), "\n").unwrap();
    let refused = refusal(&lab(folder.path(), &[&"eval", &set]));
    assert!(refused.contains("queries.jsonl has no query"), "{refused}");
}

#[test]
fn a_score_is_explained_by_words_and_meaning() {
    let folder = tempfile::tempdir().unwrap();
    let tools = fixture("classes").join("catalogue.jsonl");
    let ask = |query: &str| {
        figures(&lab(folder.path(), &[&"explain", &query, &"create_issue", &tools, &"--json"]))
    };
    let explained = ask("create issue");
    assert_eq!((&explained["rank"], &explained["confident"]), (&1.into(), &true.into()));
    let part = |name: &str| explained[name].as_f64().unwrap();
    // And by the verb: it is the one that is asked for.
    let sum = part("lexical") + 1.2 * part("cosine") + 0.08;
    assert!((part("score") - sum).abs() < 1e-4, "{explained}");
    assert_eq!((part("coverage"), &explained["unmatched"]), (1.0, &serde_json::json!([])));
    assert_eq!(ask("server:slack issue")["admitted"], false);
    let none = lab(folder.path(), &[&"explain", &"create issue", &"no_such_tool", &tools]);
    assert!(refusal(&none).contains("no tool is called no_such_tool"));
}
