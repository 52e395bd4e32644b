//! What a result says as it came over the wire, beside the text of its parts.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::result::Part;

/// A text that is shorter than this is no copy of another: it may be equal by chance.
const COPY_BYTES: usize = 16;

/// What stands beside the parts' text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Beside {
    /// Bytes of it.
    pub(super) bytes: u64,
}

/// Measures what `raw`, an object with `content` and perhaps `structuredContent`, holds beside the
/// text of `parts` and copies of it; `None` when it is not such an object.
pub(super) fn beside(raw: &str, parts: &[Part]) -> Option<Beside> {
    let members = members(raw)?;
    members.get("content")?;
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let mut bytes = 0;
    for (name, value) in members {
        bytes += match &*name {
            // Its texts, images and links are the parts.
            "content" => 0,
            "structuredContent" => unlike(value.get(), &texts),
            _ => name.len() + value.get().len(),
        };
    }
    Some(Beside { bytes: bytes as u64 })
}

/// Where in `raw` the text of `parts` is: a JSON pointer, with `*` for what differs.
pub(super) fn pointer(raw: &str, parts: &[Part]) -> String {
    let members = members(raw).unwrap_or_default();
    let blocks = members.get("content").and_then(|all| items(all.get())).unwrap_or_default();
    let mut texts = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let block = self::members(block.get()).unwrap_or_default();
        let within = |name| block.get(name).and_then(|value| self::members(value.get()));
        match block.get("type").map(|kind| kind.get()) {
            Some("\"text\"") if block.contains_key("text") => texts.push((at, "text")),
            Some("\"resource\"")
                if within("resource").is_some_and(|of| of.contains_key("text")) =>
            {
                texts.push((at, "resource/text"));
            }
            _ => {}
        }
    }
    let parts = parts.iter().filter(|part| matches!(part, Part::Text(_))).count();
    match &texts[..] {
        [(at, text)] if parts == 1 => format!("/content/{at}/{text}"),
        [(_, first), rest @ ..]
            if texts.len() == parts && rest.iter().all(|(_, text)| text == first) =>
        {
            format!("/content/*/{first}")
        }
        _ if members.contains_key("structuredContent") => "/*".to_owned(),
        _ => "/content/*".to_owned(),
    }
}

/// The members of an object. One copy of the code for all that ask.
#[inline(never)]
pub(crate) fn members(json: &str) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(json).ok()
}

/// The items of an array, likewise.
#[inline(never)]
pub(crate) fn items(json: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(json).ok()
}

/// Bytes of a JSON text that are not said by `texts` already.
fn unlike(json: &str, texts: &[&str]) -> usize {
    let Ok(value) = serde_json::from_str::<Value>(json) else { return json.len() };
    let says_all = |text: &&str| {
        text.starts_with(['{', '['])
            && serde_json::from_str::<Value>(text).is_ok_and(|text| text == value)
    };
    if texts.iter().any(says_all) {
        return 0;
    }
    // Values are looked at one after the other, however deep they lie.
    let mut copied = 0;
    let mut left = vec![&value];
    while let Some(value) = left.pop() {
        match value {
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values()),
            Value::String(text) if text.len() >= COPY_BYTES && texts.contains(&text.as_str()) => {
                copied += value.to_string().len();
            }
            _ => {}
        }
    }
    // What holds a copy and a few bytes more holds nothing more.
    let rest = json.len().saturating_sub(copied);
    if copied > 0 && rest <= 200 { 0 } else { rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn bytes(raw: &Value, texts: &[&str]) -> Option<u64> {
        let parts: Vec<Part> = texts.iter().map(|text| Part::Text((*text).to_owned())).collect();
        beside(&raw.to_string(), &parts).map(|beside| beside.bytes)
    }

    #[test]
    fn the_pointer_leads_to_the_text_that_is_the_part() {
        let place = |content: Value| {
            let texts = content.as_array().unwrap().iter().map(|_| Part::Text(String::new()));
            pointer(&json!({ "content": content }).to_string(), &texts.collect::<Vec<_>>())
        };
        let text = json!({"type": "text", "text": "a"});
        let resource = json!({"type": "resource", "resource": {"uri": "a:b", "text": "a"}});
        assert_eq!(place(json!([text])), "/content/0/text");
        assert_eq!(place(json!([resource])), "/content/0/resource/text");
        assert_eq!(place(json!([text, text])), "/content/*/text");
        assert_eq!(place(json!([resource, resource])), "/content/*/resource/text");
        assert_eq!(place(json!([text, resource])), "/content/*");
    }

    #[test]
    fn a_structured_copy_says_nothing_more() {
        let text = "line one\nline \"two\"\n".repeat(50);
        let content = json!([{"type": "text", "text": text}]);
        let copy = json!({"content": content, "structuredContent": {"content": text}});
        assert_eq!(bytes(&copy, &[&text]), Some(0));
        let rows = json!({"rows": (0..300).collect::<Vec<_>>(), "text": "short"});
        let as_text = rows.to_string();
        let copy =
            json!({"content": [{"type": "text", "text": as_text}], "structuredContent": rows});
        assert_eq!(bytes(&copy, &[&as_text]), Some(0));
        let more =
            json!({"content": content, "structuredContent": {"content": text, "rows": rows}});
        assert!(bytes(&more, &[&text]).is_some_and(|bytes| bytes > 1_000));
        assert_eq!(bytes(&json!({"rows": 1}), &[&text]), None);
    }
}
