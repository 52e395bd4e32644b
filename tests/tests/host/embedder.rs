//! A model outside of the sandbox, asked before a search.

use tempfile::TempDir;
use weir_host::contract::ToolText;
use weir_host::{Catalog, Embedder, Weir};
use weir_tests::engine;
use weir_tests::tools::{names, real_tools, searched, snapshot};

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

#[test]
fn what_the_model_finds_near_is_found() {
    let tool = real_tools().swap_remove(7);
    let near: &'static str = Box::leak(tool.description[..40].to_owned().into_boxed_str());
    let (plain, _kept) = catalog(None);
    let (helped, _kept_too) = catalog(Some(Model::new(near, false)));
    let matches = |catalog: &Catalog| {
        let answer = searched(catalog, QUERY).expect("no trap");
        assert!(answer["note"].is_null(), "{answer}");
        names(&answer["results"][0]["matches"])
    };
    assert!(matches(&plain).is_empty());
    assert_eq!(matches(&helped)[0], tool.name);
}

#[test]
fn without_it_the_answer_is_the_usual_one_and_says_so() {
    let (plain, _kept) = catalog(None);
    let (failing, _kept_too) = catalog(Some(Model::new("", true)));
    let [expected, answer] =
        [&plain, &failing].map(|catalog| searched(catalog, "create a page").expect("no trap"));
    assert_eq!(answer["results"], expected["results"]);
    let note = answer["note"].as_str().expect("it says so");
    assert!(note.contains("ranked without the embedding endpoint"), "{note}");
    assert!(note.contains("out for lunch"), "{note}");
}

#[test]
fn it_is_asked_for_words_only() {
    let (failing, _kept) = catalog(Some(Model::new("", true)));
    let seen = searched(&failing, "select:nothing_like_this").expect("no trap");
    assert!(seen["note"].is_null(), "{seen}");
    assert_eq!(
        failing
            .queries("tool_search", r#"{"queries": ["server:x open issue", "select:a"]}"#)
            .unwrap(),
        ["open issue"]
    );
}
