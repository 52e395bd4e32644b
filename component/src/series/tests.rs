use serde_json::json;

use super::*;

/// Whether a call follows an earlier one, whose answer offered `offered`.
fn follows(later: Value, earlier: Value, offered: &str) -> bool {
    let (later, earlier) = (later.to_string(), earlier.to_string());
    let (page, of) = (called(&later).unwrap(), called(&earlier).unwrap());
    is_next(&read(&later).unwrap(), &page, &of, &|_, value| value == offered)
}

#[test]
fn calls_that_differ_in_the_place_of_a_page_alone_are_of_one_list() {
    for (later, earlier) in [
        (json!({"page": 2}), json!({})),
        (json!({"page": 2}), json!({"page": 1})),
        (json!({"q": "x", "pageIdx": 1}), json!({"q": "x"})),
        (json!({"cursor": "eyJ"}), json!({"cursor": null})),
        (json!({"q": "x", "page_token": "abc"}), json!({"q": "x"})),
        (json!({"path": "a", "offset": 100, "limit": 50}), json!({"path": "a", "limit": 100})),
        (
            json!({"path": "a", "start": 101, "end": 200}),
            json!({"path": "a", "start": 1, "end": 100}),
        ),
        (json!({"skip": "200"}), json!({"skip": "100"})),
        (json!({}), json!({"page": 2})),
    ] {
        assert!(follows(later.clone(), earlier.clone(), ""), "{later} after {earlier}");
    }
}

#[test]
fn other_calls_are_not() {
    for (later, earlier) in [
        (json!({"page": 2}), json!({"page": 2})),
        (json!({"q": "y", "page": 2}), json!({"q": "x"})),
        (json!({"page": 2, "per_page": 50}), json!({"page": 1, "per_page": 100})),
        (json!({"start": "2026-01-02"}), json!({"start": "2026-01-01"})),
        (json!({"offset": -50}), json!({})),
        (json!({"id": 12}), json!({"id": 11})),
        (json!({"token": "b"}), json!({"token": "a"})),
        (json!({"limit": 5}), json!({"limit": 9})),
    ] {
        assert!(!follows(later.clone(), earlier.clone(), ""), "{later} after {earlier}");
    }
}

#[test]
fn a_value_that_the_answer_offered_is_a_place_whatever_it_is_called() {
    assert!(follows(json!({"range": "A101:F200"}), json!({}), "A101:F200"));
    assert!(follows(json!({"f": 1, "after": "c9"}), json!({"f": 1, "after": "c8"}), "c9"));
    assert!(!follows(json!({"range": "A101:F200", "f": 2}), json!({"f": 1}), "A101:F200"));
}

#[test]
fn the_last_page_is_known_by_what_it_says() {
    assert!(is_last("Showing 301-343 of 343 (Page 4 of 5)") && is_last("Page 4 of 4"));
    assert!(!is_last("Showing 21-40 of 62 (Page 2 of 4)") && !is_last("has_more: true"));
}

fn page(by: &str, place: Option<u64>) -> PageOf {
    PageOf { by: by.to_owned(), place, ..PageOf::default() }
}

#[test]
fn what_lies_between_pages_is_told_and_never_guessed() {
    let told = |by: &str, places: &[Option<u64>], rows: u64| {
        let pages: Vec<PageOf> = places.iter().map(|place| page(by, *place)).collect();
        missing(&pages.iter().collect::<Vec<_>>(), &vec![Some(rows); pages.len()])
    };
    assert_eq!(told("page", &[None, Some(2), Some(3)], 10), None);
    assert_eq!(told("page", &[Some(1), Some(2)], 10), None);
    assert_eq!(told("page", &[Some(0), Some(1), Some(2)], 10), None);
    assert_eq!(told("page", &[None, Some(1)], 10), None, "from 0 on");
    assert_eq!(told("page", &[None, Some(3)], 10).as_deref(), Some("page 2 is not stored"));
    assert_eq!(
        told("page", &[Some(2), Some(5)], 10).as_deref(),
        Some("pages 1, 3, 4 are not stored")
    );
    assert_eq!(told("offset", &[None, Some(10), Some(20)], 10), None);
    assert_eq!(told("offset", &[Some(1), Some(11)], 10), None, "from 1 on");
    assert_eq!(
        told("offset", &[None, Some(10), Some(30)], 10).as_deref(),
        Some("10 rows before offset 30 are not stored")
    );
    assert_eq!(told("cursor", &[None, None], 10), None);
}
