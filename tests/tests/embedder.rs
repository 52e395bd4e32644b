//! A model outside of the sandbox, asked before a search.

use tempfile::TempDir;
use weir_host::contract::{Conversation, SearchRequest, ToolText};
use weir_host::{Catalog, Embedder, Weir};
use weir_tests::engine;
use weir_tests::tools::{real_tools, snapshot};

/// A model that finds one tool near to everything, or fails.
#[derive(Debug)]
struct Model {
    near: &'static str,
    fails: bool,
}

impl Model {
    fn new(near: &'static str, fails: bool) -> Model {
        Model { near, fails }
    }
}

impl Embedder for Model {
    fn scores(&self, texts: &[ToolText], queries: &[String]) -> Result<Vec<Vec<f32>>, String> {
        if self.fails {
            return Err("it is out for lunch".into());
        }
        let score = |text: &ToolText| if text.text.contains(self.near) { 0.9 } else { 0.1 };
        Ok(queries.iter().map(|_| texts.iter().map(score).collect()).collect())
    }

    fn prepare(&self, _: &[ToolText]) -> Result<(), String> {
        Ok(())
    }
}

fn catalog(model: Option<Model>) -> (Catalog, TempDir) {
    let directory = TempDir::new().expect("a directory can be made");
    let builder = match model {
        Some(model) => Weir::builder().embedder(model),
        None => Weir::builder(),
    };
    let weir = builder.open_with(engine(), directory.path().join("store")).expect("it opens");
    (weir.catalog(snapshot(real_tools())).expect("it builds"), directory)
}

const QUERY: &str = "qqq zzz";

fn model_sees(catalog: &Catalog, arguments: &str) -> String {
    let answer = catalog.invoke("tool_search", arguments, &Conversation::default());
    answer.expect("no trap").text.expect("a search dispatches nothing")
}

#[test]
fn what_the_model_finds_near_is_found() {
    let tool = real_tools().swap_remove(7);
    let near: &'static str = Box::leak(tool.description[..40].to_owned().into_boxed_str());
    let (plain, _kept) = catalog(None);
    let (helped, _kept_too) = catalog(Some(Model::new(near, false)));
    let conversation = Conversation::default();
    let search = |catalog: &Catalog| catalog.search(&SearchRequest::new(QUERY), &conversation);
    assert!(search(&plain).unwrap().groups[0].matches.is_empty());
    let answer = search(&helped).unwrap();
    assert_eq!(answer.groups[0].matches[0].name, tool.name);
    assert_eq!(answer.note, None);
    let seen = model_sees(&helped, &format!(r#"{{"queries": ["{QUERY}"]}}"#));
    assert!(seen.contains(&format!(r#""name":"{}""#, tool.name)), "{seen}");
}

#[test]
fn without_it_the_answer_is_the_usual_one_and_says_so() {
    let (plain, _kept) = catalog(None);
    let (failing, _kept_too) = catalog(Some(Model::new("", true)));
    let conversation = Conversation::default();
    let request = SearchRequest::new("create a page");
    let expected = plain.search(&request, &conversation).unwrap();
    let answer = failing.search(&request, &conversation).unwrap();
    let names = |answer: &weir_host::contract::SearchAnswer| -> Vec<String> {
        answer.groups[0].matches.iter().map(|hit| hit.name.clone()).collect()
    };
    assert_eq!(names(&answer), names(&expected));
    assert!(answer.note.as_ref().unwrap().contains("out for lunch"), "{:?}", answer.note);
    let seen = model_sees(&failing, r#"{"queries": ["create a page"]}"#);
    assert!(seen.contains("ranked without the embedding endpoint"), "{seen}");
}

#[test]
fn it_is_asked_for_words_only() {
    let (failing, _kept) = catalog(Some(Model::new("", true)));
    let seen = model_sees(&failing, r#"{"queries": ["select:nothing_like_this"]}"#);
    assert!(!seen.contains("embedding"), "{seen}");
    assert_eq!(
        failing
            .queries("tool_search", r#"{"queries": ["server:x open issue", "select:a"]}"#)
            .unwrap(),
        ["open issue"]
    );
}
