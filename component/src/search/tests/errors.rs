//! An error that a tool answered, as the query: what helps here?

use serde::Deserialize;
use serde_json::value::RawValue;

use super::samples::{build, tool};
use crate::limits::{SEARCH_ANSWER_CHARS, SEARCH_QUERY_MAX_CHARS};
use crate::search::catalog::definition::{Origin, ToolDefinition};
use crate::search::catalog::tools::Catalog;
use crate::search::find::answer::SearchAnswer;
use crate::search::find::conversation::Conversation;
use crate::search::find::filter::Query;
use crate::search::find::search::{SearchRequest, search};

#[derive(Deserialize)]
struct Entry {
    name: String,
    server: String,
    description: String,
    parameters: Box<RawValue>,
}

#[derive(Deserialize)]
struct Pasted {
    error: String,
    wanted: Vec<String>,
}

const SKILLS: [(&str, &str); 12] = [
    (
        "docker-containerization",
        "Write a Dockerfile or a compose file, and make an image of an application",
    ),
    ("xlsx", "Read, write and check Excel workbooks: formulas, sheets, formats"),
    ("docx", "Read and edit Word documents with tracked changes"),
    ("pdf", "Fill in PDF forms, read text from PDF files, merge and split them"),
    ("pptx", "Make slides for a presentation"),
    (
        "cicd-pipeline-generator",
        "Set up pipelines that test, build and deploy: GitHub Actions workflows, GitLab CI",
    ),
    ("test-specialist", "Write unit tests for JavaScript, and find out why a test fails"),
    ("data-analyst", "Analyse datasets in CSV: missing values, outliers, charts"),
    ("csv-data-visualizer", "Draw charts of the columns of a CSV file"),
    ("seo-optimizer", "Find and repair what keeps a web page low in search results"),
    ("travel-planner", "Plan a trip: routes, hotels, a budget"),
    ("resume-manager", "Keep a CV, and tailor it to a job"),
];

const MERGE_REQUESTS: [(&str, &str); 3] = [
    ("list_merge_requests", "List the merge requests of a project, by state and source branch."),
    ("update_merge_request", "Change the title, branch or state of a merge request."),
    ("create_merge_request", "Open a merge request."),
];

/// 226 real tools, a few of a server more, and skills.
fn catalog() -> Catalog {
    let real = include_str!("../../../fixtures/toolsearch/classes/catalogue.jsonl").lines();
    let real = real.map(|line| serde_json::from_str::<Entry>(line).unwrap());
    let mut tools: Vec<ToolDefinition> = real
        .map(|entry| tool(&entry.server, &entry.name, &entry.description, entry.parameters.get()))
        .collect();
    tools.extend(MERGE_REQUESTS.map(|(name, description)| tool("gitlab", name, description, "{}")));
    let skill = |(name, description): (&str, &str)| ToolDefinition {
        origin: Origin::Skill,
        ..tool("skills", name, description, "")
    };
    tools.extend(SKILLS.map(skill));
    build(tools)
}

fn ask(catalog: &Catalog, query: &str) -> SearchAnswer {
    let request = SearchRequest { queries: vec![query.to_owned()], ..SearchRequest::default() };
    search(catalog, &request, &Conversation::default()).unwrap()
}

#[test]
fn a_pasted_error_finds_what_helps() {
    let catalog = catalog();
    let pasted: Vec<Pasted> =
        serde_json::from_str(include_str!("../../../fixtures/toolsearch/errors.json")).unwrap();
    let mut missed = Vec::new();
    for Pasted { error, wanted } in &pasted {
        assert!(error.lines().count() > 2);
        let answer = ask(&catalog, error);
        let group = &answer.groups[0];
        let found = group.matches.iter().map(|hit| &hit.name).chain(&group.weak).take(5);
        let found: Vec<String> = found.cloned().collect();
        if !found.iter().any(|name| wanted.contains(name)) {
            missed.push((&wanted[0], found));
        }
    }
    assert_eq!(pasted.len(), 18);
    let most = if cfg!(feature = "semantic") { 2 } else { 5 };
    assert!(missed.len() <= most, "{missed:?}");
}

#[test]
fn an_error_is_bounded_whatever_it_is() {
    let catalog = catalog();
    let frame = "    at run (/app/node_modules/left-pad/index.js:1:1)\n";
    for error in [
        format!("Error: x\n{}", frame.repeat(50_000)),
        "error ".repeat(200_000),
        format!("Error\n{}", "ä€😀 ".repeat(300_000)),
        format!("failed\n{}\n", "a\n".repeat(500_000)),
        "\n\n\nerror\n\n".to_owned(),
        "error\n\u{202e}\u{0}\u{1b}[31m\n---\n===\n".to_owned(),
        format!("error\n{}\n0x00\n", "0123456789abcdef".repeat(10_000)),
        format!("panic\n\n{}", "x".repeat(2_000_000)),
    ] {
        let query = Query::parse(&error);
        assert!(query.words.chars().count() <= SEARCH_QUERY_MAX_CHARS, "{}", query.words);
        assert!(!query.words.is_empty());
        assert!(ask(&catalog, &error).to_json().chars().count() <= SEARCH_ANSWER_CHARS);
    }
}

#[test]
fn a_request_is_read_as_it_was() {
    for request in [
        "error server:github",
        "create an issue\nfor the error of yesterday",
        "List my meetings.\nThen find a room.\nThen invite Ann.",
    ] {
        let words: Vec<&str> = request.split_whitespace().filter(|w| !w.contains(':')).collect();
        assert_eq!(Query::parse(request).words, words.join(" "));
    }
    // A long request that is no error: its beginning, as ever.
    let long = "Plan a trip to Japan with a budget. ".repeat(40);
    let start: String = long.chars().take(SEARCH_QUERY_MAX_CHARS).collect();
    assert_eq!(Query::parse(&long).words, start.split_whitespace().collect::<Vec<_>>().join(" "));
}
