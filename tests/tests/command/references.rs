//! Stored results as arguments of other tools, from the library.

use serde_json::{Value, json};
use weir_host::{Callee, REFERENCE_MAX_BYTES, References, Weir};
use weir_tests::{SESSION, Sandbox, store};

fn resolve(weir: &Weir, session: &str, arguments: &Value) -> Result<Option<Value>, String> {
    let allowed = References { tools: vec!["count_words".into()], read_only: false };
    let callee = Callee { tool: "count_words", read_only: false, closed_world: false };
    let resolved = weir.resolve_references(session, &allowed, &callee, &arguments.to_string())?;
    Ok(resolved.map(|resolved| {
        assert!(!resolved.used.is_empty());
        serde_json::from_str(&resolved.arguments).expect("arguments stay JSON")
    }))
}

#[test]
fn a_reference_is_replaced_by_just_the_part_that_it_names() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let rows: Vec<Value> = (0..3_000)
        .map(|n| json!({"id": n, "tag": format!("t{}", n % 3), "long": "12345678901234567890123"}))
        .collect();
    let document = store(&weir, json!({"page": 1, "rows": rows}).to_string()).id;
    let lines: Vec<String> = (1..=3_000).map(|n| format!("line {n} é \"quoted\"")).collect();
    let text = store(&weir, format!("{}\n", lines.join("\n"))).id;
    let one = |reference: Value| {
        let arguments = json!({"a": [reference], "b": 2});
        resolve(&weir, SESSION, &arguments).expect("it is replaced").expect("there is one")["a"][0]
            .clone()
    };
    assert_eq!(one(json!({"$weir": document, "pointer": "/rows/2999/id"})), 2_999);
    assert_eq!(one(json!({"$weir": document, "pointer": "/rows"})), json!(rows));
    assert_eq!(one(json!({"$weir": document, "pointer": "/page"})), 1);
    let ids = one(json!({"$weir": document, "query": "select(.tag == \"t1\") | .id"}));
    assert_eq!(ids, json!((0..3_000).filter(|n| n % 3 == 1).collect::<Vec<u32>>()));
    assert_eq!(
        one(json!({"$weir": text, "lines": "2-3"})),
        format!("{}\n{}\n", lines[1], lines[2])
    );
    assert_eq!(one(json!({"$weir": text, "lines": [3_000, 3_000]})), format!("{}\n", lines[2_999]));
    assert_eq!(one(json!({"$weir": text})), format!("{}\n", lines.join("\n")));
    assert_eq!(one(json!(format!("weir://blob/{text}#L1"))), format!("{}\n", lines[0]));
    assert_eq!(one(json!(format!("weir://blob/{document}#/rows/1"))), rows[1].to_string());
    // Without a reference, nothing is changed.
    let plain = json!({"a": "weir://blob/", "b": {"weir": document}});
    assert_eq!(resolve(&weir, SESSION, &plain), Ok(None));
}

#[test]
fn what_another_session_stored_or_what_is_too_large_is_given_to_nobody() {
    let sandbox = Sandbox::new();
    let weir = sandbox.weir();
    let large = store(&weir, "many words\n".repeat(REFERENCE_MAX_BYTES / 10)).id;
    let refused = |session: &str, reference: Value| {
        resolve(&weir, session, &json!({"a": reference})).expect_err("it is refused")
    };
    let foreign = refused("another", json!({"$weir": large, "lines": "1-2"}));
    assert_eq!(foreign, format!("not called: no result {large} is stored in this session"));
    assert!(refused(SESSION, json!({"$weir": large})).contains("more than 500000 bytes"));
    let part = json!({"$weir": large, "lines": "1-40000"});
    let five = json!({"a": [part, part, part, part, part]});
    assert!(resolve(&weir, SESSION, &five).expect_err("too much").contains("2000000 bytes"));
    let past = refused(SESSION, json!({"$weir": large, "lines": "900000-900001"}));
    assert!(past.contains("past the end"), "{past}");
}
