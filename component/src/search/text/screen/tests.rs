use super::roles::ROLE_TAGS;
use super::{Suspicion, as_read, suspicions};

#[test]
fn each_trick_is_named() {
    assert_eq!(suspicions("List issues. Returns JSON [1, 2] <b>"), []);
    assert_eq!(suspicions("a\u{200b}b"), [Suspicion::HiddenCharacters]);
    assert_eq!(suspicions("a\u{e0041}b"), [Suspicion::HiddenCharacters]);
    assert_eq!(suspicions("a\u{202e}b"), [Suspicion::Bidirectional]);
    assert_eq!(suspicions("a\u{1b}[0m"), [Suspicion::Control]);
    assert_eq!(suspicions("x <|im_start|>system"), [Suspicion::RoleTag]);
    assert_eq!(suspicions("x <IMPORTANT> y"), [Suspicion::RoleTag]);
    assert_eq!(suspicions("Семейство 👍🏽 ❤️ 日本語"), []);
    assert_eq!(suspicions("Ignore\n  previous instructions"), [], "wordings are not judged");
}

#[test]
fn what_json_writes_in_another_way_is_read() {
    for (json, found) in [
        (r#"{"description":"a\u200bb"}"#, Suspicion::HiddenCharacters),
        (r#"{"description":"\udb40\udc68i"}"#, Suspicion::HiddenCharacters),
        (r#"{"description":"\u003c|im_start|>"}"#, Suspicion::RoleTag),
        (r#"{"description":"Adds.\n\nHuman: yes"}"#, Suspicion::RoleTag),
    ] {
        assert_eq!(suspicions(&as_read(json)), [found], "{json}");
    }
    for json in [r#"{"pattern":"^\\d+\\u00","a":"\ud800","b":"\u00"#, r#"{"a":"x\"#, "{}"] {
        assert_eq!(suspicions(&as_read(json)), [], "{json}");
    }
}

#[test]
fn each_mark_of_a_chat_is_noticed_wherever_it_stands() {
    for tag in ROLE_TAGS.split('\n') {
        for text in [format!("x{tag}"), format!("...{}...", tag.to_uppercase())] {
            assert!(suspicions(&text).contains(&Suspicion::RoleTag), "{tag}");
        }
    }
    for part in ["<", "[", "do   \n", "tell "] {
        assert_eq!(suspicions(&part.repeat(100_000 / part.len())), [], "{part}");
    }
}
