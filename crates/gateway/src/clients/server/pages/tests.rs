use super::*;

fn result(value: &str) -> Json {
    Json::assembled(format!(r#"{{"content":[{}]}}"#, text_block(value)))
}

fn object(text: &str) -> Map<String, Value> {
    serde_json::from_str(text).unwrap()
}

/// What is asked after a page: the arguments of the next call, `-` for nothing, `?` where nobody knows.
fn after(page: &str, given: &str, schema: &str) -> String {
    let page = Page::of(&result(page)).unwrap();
    match page.next(&object(given), &object(schema), page.rows().len() as u64, false) {
        Next::Call(next) => Json::of(&next).to_string(),
        Next::Nothing => "-".to_owned(),
        Next::Unknown(_) => "?".to_owned(),
    }
}

#[test]
fn the_next_call_is_what_the_answer_offers() {
    let cursor = r#"{"q":{},"cursor":{"type":"string"}}"#;
    assert_eq!(
        after(r#"{"items":[1],"nextCursor":"b"}"#, r#"{"q":1}"#, cursor),
        r#"{"cursor":"b","q":1}"#
    );
    assert_eq!(after(r#"{"items":[1],"nextCursor":null}"#, "{}", cursor), "-");
    assert_eq!(after(r#"{"items":[1],"nextCursor":""}"#, "{}", cursor), "-");
    assert_eq!(after(r#"{"items":[],"nextCursor":"b"}"#, "{}", cursor), "-");
    assert_eq!(after(r#"{"items":[1]}"#, "{}", cursor), "?", "a cursor is never made up");
    let token = r#"{"pageSize":{},"pageToken":{"type":"string"}}"#;
    assert_eq!(after(r#"{"files":[1],"nextPageToken":"t"}"#, "{}", token), r#"{"pageToken":"t"}"#);
    // A number for a text.
    assert_eq!(after(r#"{"files":[1],"next_page_token":7}"#, "{}", token), r#"{"pageToken":"7"}"#);
    let after_it = r#"{"first":{},"after":{"type":"string"}}"#;
    let page = r#"{"data":{"nodes":[1],"pageInfo":{"endCursor":"c","hasNextPage":MORE}}}"#;
    assert_eq!(after(&page.replace("MORE", "true"), "{}", after_it), r#"{"after":"c"}"#);
    assert_eq!(after(&page.replace("MORE", "false"), "{}", after_it), "-");
    let range = r#"{"range":{"type":"string"}}"#;
    let page = r#"{"rows":[1],"next_range":"A5:B9"}"#;
    assert_eq!(after(page, r#"{"range":"A1:B4"}"#, range), r#"{"range":"A5:B9"}"#);
    // An address, of which only places are taken.
    let page = r#"{"results":[1],"links":{"next":"https://a.b/c?page=3&evil=1&per_page=9"}}"#;
    let numbered = r#"{"page":{"type":"integer"},"evil":{}}"#;
    assert_eq!(after(page, "{}", numbered), r#"{"page":3}"#);
}

#[test]
fn a_page_without_an_offer_is_the_last_where_those_before_had_one() {
    let (page, given) = (Page::of(&result(r#"{"items":[1]}"#)).unwrap(), Map::new());
    let schema = object(r#"{"cursor":{"type":"string"}}"#);
    assert!(matches!(page.next(&given, &schema, 5, true), Next::Nothing));
    assert!(matches!(page.next(&given, &schema, 5, false), Next::Unknown(_)));
}

#[test]
fn numbers_go_on_where_the_first_is_known() {
    let page = r#"{"page":{"type":"integer","default":1}}"#;
    assert_eq!(after("[1,2]", "{}", page), r#"{"page":2}"#);
    assert_eq!(after("[1,2]", r#"{"page":4}"#, page), r#"{"page":5}"#);
    assert_eq!(after("[1,2]", "{}", r#"{"page":{"type":"integer"}}"#), "?", "from 0 or from 1");
    assert_eq!(after("[1,2]", "{}", r#"{"pageIdx":{"minimum":0}}"#), r#"{"pageIdx":1}"#);
    let offset = r#"{"offset":{"type":"integer"},"limit":{"type":"integer"}}"#;
    assert_eq!(after(r#"{"rows":[1,2],"total":9}"#, "{}", offset), r#"{"offset":2}"#);
    assert_eq!(
        after(r#"{"rows":[1,2],"total":2}"#, "{}", offset),
        r#"{"offset":2}"#,
        "the size of a page"
    );
    assert_eq!(after(r#"{"rows":[1,2],"has_more":false}"#, "{}", offset), "-");
    assert_eq!(after("[1,2]", "{}", r#"{"name":{}}"#), "?");
    let both = r#"{"page":{},"offset":{}}"#;
    assert_eq!(after("[1,2]", "{}", both), "?");
    assert_eq!(after("[1,2]", r#"{"offset":4}"#, both), r#"{"offset":6}"#);
}

#[test]
fn rows_are_those_of_the_only_list() {
    let rows = |text: &str| Page::of(&result(text)).map(|page| page.rows.join("."));
    assert_eq!(rows("[1]").as_deref(), Some(""));
    assert_eq!(rows(r#"{"data":{"items":[1]},"total":3}"#).as_deref(), Some("data.items"));
    assert_eq!(rows(r#"{"items":[1],"meta":{"warnings":[]}}"#).as_deref(), Some("items"));
    assert_eq!(rows(r#"{"items":[1],"warnings":[]}"#), None);
    assert_eq!(rows(r#"{"name":"x"}"#), None);
    assert_eq!(rows("no JSON"), None);
}

#[test]
fn pages_become_one_result_and_each_row_stays_as_it_was_written() {
    let first =
        result(r#"{"total":3,"items":[{"n":1.10},{"n":12345678901234567890123}],"next":"b"}"#);
    let last = result(r#"{"total":3,"items":[{"n":1.10}],"next":null}"#);
    let mut list = List::new(Page::of(&first).unwrap(), &first);
    let page = Page::of(&last).unwrap();
    assert!(list.has(&page));
    list.add(page, &last);
    let all = list.put_together(&first, None, None);
    assert_eq!(
        texts_of(&all),
        [
            r#"{"total":3,"items":[{"n":1.10},{"n":12345678901234567890123},{"n":1.10}],"next":null}"#,
            "[weir: 2 pages, 3 rows, of which 1 came again; the server gave no more]",
        ]
    );
    assert_eq!(all.get(&["_meta", META_ALL_PAGES, "whole"]), Some("true"));
}

#[test]
fn words_beside_what_is_structured_stay() {
    let page = |n: u32| {
        let words = text_block(&format!("Page {n}"));
        Json::assembled(format!(r#"{{"content":[{words}],"structuredContent":{{"rows":[{n}]}}}}"#))
    };
    let mut list = List::new(Page::of(&page(1)).unwrap(), &page(1));
    list.add(Page::of(&page(2)).unwrap(), &page(2));
    let all = list.put_together(&page(1), Some("offset 5".into()), Some("no answer".into()));
    let said = "[weir: 2 pages, 2 rows, from offset 5 on; there may be more: no answer]";
    assert_eq!(texts_of(&all), ["Page 1", "Page 2", said]);
    assert_eq!(all.get(&["structuredContent"]), Some(r#"{"rows":[1,2]}"#));
}

#[test]
fn a_picture_beside_the_rows_stays() {
    let picture = r#"{"type":"image","data":"AAAA","mimeType":"image/png"}"#;
    let page = |n: u32| {
        let rows = text_block(&format!("[{n}]"));
        Json::assembled(format!(r#"{{"content":[{rows},{picture}]}}"#))
    };
    let mut list = List::new(Page::of(&page(1)).unwrap(), &page(1));
    list.add(Page::of(&page(2)).unwrap(), &page(2));
    let all = list.put_together(&page(1), None, None);
    assert_eq!(all.items(&["content"])[..3], [&*text_block("[1,2]"), picture, picture]);
}
