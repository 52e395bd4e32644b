//! Outlines, searches by words and comparisons of stored results, typed.

use serde_json::Value;
use weir_host::contract::{DiffRequest, FinishedResult, Origin, Part, View};
use weir_host::{Error, Weir};
use weir_tests::{SESSION, Sandbox};

/// Lines of JSON: jobs, of which `failed` did.
fn jobs(failed: usize) -> String {
    let state = |n| if n == failed { "failed on a full disk" } else { "done" };
    (1..=2_000).map(|n| format!("{{\"id\":{n},\"state\":\"{}\"}}\n", state(n))).collect()
}

fn stored(weir: &Weir, text: String) -> String {
    let arguments = Some("{\"queue\": \"nightly\"}".to_owned());
    let origin = Origin { arguments, ..Origin::new(SESSION, "list_jobs") };
    let transformed = weir.transform(&FinishedResult::of(origin, vec![Part::Text(text)]));
    transformed.expect("it is taken").handles[0].id.clone()
}

fn code(refused: Result<impl std::fmt::Debug, Error>) -> (String, Option<String>) {
    match refused {
        Err(Error::Refused(failure)) => (failure.code, failure.argument),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn an_outline_has_the_shape_of_all_rows_and_calls_that_read_on() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let id = stored(&weir, jobs(1_500));
    let page = weir.outline(SESSION, &id, View::Text, None, None).expect("it has a shape");
    assert!(page.complete && page.about.contains("2,000 rows"), "{page:?}");
    assert_eq!((page.total, page.entries.len()), (2, 2));
    let state = &page.entries[1];
    assert!(state.label == ".state" && state.detail.contains("failed on a full disk"), "{state:?}");
    let call: Value = serde_json::from_str(state.call.as_deref().expect("it can be read"))
        .expect("a call is JSON");
    assert_eq!(call["query"], ".state");
    let refused = weir.outline(SESSION, &id, View::Text, None, Some("nonsense"));
    assert_eq!(code(refused), ("invalid".into(), Some("more".into())));
    assert_eq!(code(weir.outline("another", &id, View::Text, None, None)).0, "unknown");
}

#[test]
fn a_search_finds_passages_in_one_result_or_in_all_of_the_session() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let (first, second) = (stored(&weir, jobs(700)), stored(&weir, jobs(1_500)));
    let all = weir.search(SESSION, None, "failing disks", None, None).expect("it can be searched");
    assert!(all.complete && all.more.is_none(), "{all:?}");
    assert_eq!((all.searched, all.total, all.unreadable), (2, 2, 0));
    let mut ids: Vec<&str> = all.passages.iter().map(|passage| passage.id.as_str()).collect();
    ids.sort_unstable();
    let mut both = [first.as_str(), second.as_str()];
    both.sort_unstable();
    assert_eq!(ids, both);
    let one = weir.search(SESSION, Some(&second), "failing disks", Some(1), None);
    let one = one.expect("it can be searched");
    let [passage] = &one.passages[..] else { panic!("{one:?}") };
    assert!(
        passage.text.contains("\"id\":1500,\"state\":\"failed on a full disk\""),
        "{passage:?}"
    );
    assert!((passage.first_line..=passage.last_line).contains(&1_500), "{passage:?}");
    assert_eq!(passage.tool, "list_jobs");
    let none = weir.search("another", None, "failing disks", None, None).expect("nothing is there");
    assert_eq!((none.passages.len(), none.total), (0, 0));
    let refused = weir.search(SESSION, None, "?!", None, None);
    assert_eq!(code(refused), ("invalid".into(), Some("words".into())));
}

#[test]
fn a_diff_is_against_the_last_result_of_the_same_call_or_against_any() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let older = stored(&weir, jobs(700));
    let request = DiffRequest { older: None, key: None, by_lines: false };
    let refused = weir.diff(SESSION, &older, &request, None);
    assert_eq!(code(refused), ("invalid".into(), Some("older".into())));
    let newer = stored(&weir, jobs(1_500));
    let named = DiffRequest { older: Some(older.clone()), ..request.clone() };
    for request in [&named, &DiffRequest { key: Some("id".into()), ..named.clone() }] {
        let page = weir.diff(SESSION, &newer, request, None).expect("they can be compared");
        assert_eq!((&page.older, &page.newer), (&older, &newer));
        assert_eq!((page.added, page.removed, page.changed, page.same), (0, 0, 2, 1_998));
        assert!(page.complete && page.content.contains("1500: state"), "{page:?}");
    }
    let lines = DiffRequest { by_lines: true, ..named };
    let page = weir.diff(SESSION, &newer, &lines, None).expect("they can be compared");
    assert_eq!((page.compared.as_str(), page.added, page.removed), ("lines", 2, 2));
    assert!(
        page.content.contains("+{\"id\":1500,\"state\":\"failed on a full disk\"}"),
        "{page:?}"
    );
}
