//! Reads back what was stored, by following what each answer says comes next.

use serde_json::{Value, json};
use weir_host::Weir;
use weir_host::contract::{
    CaseMode, Encoding, Failure, GrepLine, GrepPage, GrepRequest, Page, ToolAnswer, Unit, View,
};

use crate::SESSION;

/// A search for a regular expression, letters compared as they are.
pub fn query(pattern: &str) -> GrepRequest {
    GrepRequest {
        pattern: pattern.into(),
        regex: true,
        case_mode: CaseMode::Sensitive,
        word: false,
        invert: false,
        count_only: false,
        before: 0,
        after: 0,
        max_matches: None,
        start: 0,
    }
}

/// A search for a text as it is.
pub fn literal(text: &str) -> GrepRequest {
    GrepRequest { regex: false, ..query(text) }
}

/// One page of a search.
pub fn grep(weir: &Weir, id: &str, query: &GrepRequest) -> GrepPage {
    weir.grep(SESSION, id, View::Text, query, None).expect("it can be searched")
}

/// All that a search finds, over as many pages as it takes. Lines of context are left out.
pub fn grep_all(weir: &Weir, id: &str, query: &GrepRequest) -> Vec<GrepLine> {
    let (mut hits, mut more) = (Vec::new(), None::<String>);
    loop {
        let page = weir.grep(SESSION, id, View::Text, query, more.as_deref());
        let page = page.expect("it can be searched");
        hits.extend(page.lines.into_iter().filter(|hit| hit.column.is_some() || query.invert));
        assert!(more.is_none() || page.more != more, "a search that goes on gets further");
        more = page.more;
        if more.is_none() {
            return hits;
        }
    }
}

/// The bytes that a page stands for.
pub fn bytes_of(page: &Page) -> Vec<u8> {
    decoded(&page.content, page.encoding == Encoding::Escaped)
}

/// A stored result, read from the start with the typed functions, counting in `unit`.
pub fn whole(weir: &Weir, id: &str, view: View, unit: Unit) -> Vec<u8> {
    let first = i64::from(unit == Unit::Lines);
    let (mut bytes, mut more) = (Vec::new(), None::<String>);
    loop {
        let page = match weir.read(SESSION, id, view, unit, first, None, more.as_deref()) {
            Ok(page) => page,
            Err(error) => panic!("{more:?} of {unit:?}: {error}"),
        };
        assert_eq!(page.start_byte, bytes.len() as u64, "each page starts where the last ended");
        bytes.extend(bytes_of(&page));
        assert_eq!(page.end_byte, bytes.len() as u64);
        more = page.more;
        if more.is_none() {
            return bytes;
        }
    }
}

/// Asks the model's tool in the session of tests.
pub fn ask(weir: &Weir, arguments: &Value) -> ToolAnswer {
    ask_as(weir, SESSION, &arguments.to_string())
}

/// Asks the model's tool with any arguments at all.
pub fn ask_as(weir: &Weir, session: &str, arguments: &str) -> ToolAnswer {
    weir.invoke(session, "weir_fetch", arguments).expect("whatever is sent is answered")
}

/// The answer to arguments that are good.
pub fn told(weir: &Weir, arguments: &Value) -> String {
    let answer = ask(weir, arguments);
    assert!(!answer.is_error, "{arguments}: {}", answer.text);
    answer.text
}

/// The answer to arguments that are not: it is one line and says which tool it is from.
pub fn refused(weir: &Weir, arguments: &Value) -> String {
    let answer = ask(weir, arguments);
    assert!(answer.is_error, "{arguments}: {}", answer.text);
    assert_eq!(answer.text.lines().count(), 1, "{}", answer.text);
    assert!(answer.text.contains("weir_fetch"), "{}", answer.text);
    answer.text
}

/// An answer without the line above it that says that the tool sent a part.
fn without_notice(answer: &str) -> &str {
    match answer.starts_with("[weir: this is over what the tool sent, ") {
        true => answer.split_once('\n').map_or("", |(_, rest)| rest),
        false => answer,
    }
}

/// What stands in the fence under the line that says what is shown; nothing when there is none.
pub fn content(answer: &str) -> &str {
    let Some((_, fenced)) = without_notice(answer).split_once('\n') else { return "" };
    let nonce = fenced.strip_prefix("<<<weir:").expect("content is fenced");
    let (nonce, _) = nonce.split_at(8);
    let (_, inside) = fenced.split_once('\n').expect("a fence opens with a line");
    let close = format!("\nweir:{nonce}>>>");
    assert_eq!(inside.matches(&close).count(), 1, "nothing inside closes the fence");
    inside.strip_suffix(&close).expect("nothing follows the fence")
}

/// The arguments of the next call, as an answer's first line spells them out.
pub fn next(answer: &str) -> Option<Value> {
    let head = without_notice(answer).lines().next()?;
    let (_, next) = head.split_once("; next: ")?;
    let next = next.strip_suffix(']').expect("the first line is in brackets");
    Some(serde_json::from_str(next).expect("the next call is spelled out"))
}

/// A stored result, read with the model's tool from the arguments on by the calls that it spells out.
pub fn whole_as_told(weir: &Weir, arguments: &Value) -> Vec<u8> {
    let mut arguments = arguments.clone();
    let mut bytes = Vec::new();
    loop {
        let answer = told(weir, &arguments);
        let escaped =
            without_notice(&answer).lines().next().is_some_and(|head| head.contains("not UTF-8"));
        bytes.extend(decoded(content(&answer), escaped));
        match next(&answer) {
            Some(next) => assert_ne!(std::mem::replace(&mut arguments, next.clone()), next),
            None => return bytes,
        }
    }
}

/// The call that reads a stored result from its start.
pub fn from_the_start(id: &str) -> Value {
    json!({"id": id, "mode": "range"})
}

/// The reason of a read that was answered with no.
pub fn reason<T: std::fmt::Debug>(result: Result<T, weir_host::Error>) -> Failure {
    match result {
        Err(weir_host::Error::Refused(failure)) => *failure,
        other => panic!("not refused: {other:?}"),
    }
}

fn decoded(content: &str, escaped: bool) -> Vec<u8> {
    if !escaped {
        return content.as_bytes().to_vec();
    }
    let mut bytes = Vec::new();
    let mut rest = content;
    while let Some(at) = rest.find('\\') {
        bytes.extend(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        if let Some(later) = rest.strip_prefix('\\') {
            bytes.push(b'\\');
            rest = later;
        } else {
            let hex = rest.strip_prefix('x').and_then(|hex| hex.get(..2)).expect("\\xNN");
            bytes.push(u8::from_str_radix(hex, 16).expect("two hex digits"));
            rest = &rest[3..];
        }
    }
    bytes.extend(rest.as_bytes());
    bytes
}
