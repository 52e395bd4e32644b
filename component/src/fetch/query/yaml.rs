//! YAML as JSON, so that it is queried as JSON is: one document as one value, several as lines.
//!
//! Plain scalars are what the core schema of YAML 1.2 makes of them, but for numbers that JSON has not
//! (`.inf`, `.nan`) or that would lose a digit (`007`): these stay strings. Aliases stand for what they name,
//! and `<<` brings the members that its mapping lacks.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use serde_json::value::RawValue;

use crate::content::kind::Kind;
use crate::content::yaml::{is_yaml, with_brackets_inside};
use crate::source::{ReadError, Source};

/// Bytes of YAML that are read, and of JSON that is made of it.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
const MAX_JSON_BYTES: usize = 8 * 1024 * 1024;

/// Bytes in which YAML is told from other text.
const SAMPLE_BYTES: u64 = 16 * 1024;

/// Collections inside each other.
const MAX_DEPTH: usize = 100;

/// What was made of YAML.
pub(in crate::fetch) struct Json {
    /// A value, or a value on each line.
    pub(in crate::fetch) text: Vec<u8>,
    pub(in crate::fetch) kind: Kind,
}

/// Makes JSON of YAML; `None` of another kind. In a store of an earlier version YAML is a text.
///
/// # Errors
/// Where the bytes cannot be read; inside, why they are no YAML that can be queried.
pub(in crate::fetch) fn as_json(
    source: &dyn Source,
    kind: Kind,
) -> Result<Option<Result<Json, String>>, ReadError> {
    match kind {
        Kind::Yaml => {}
        Kind::Text if looks_like_yaml(source)? => {}
        _ => return Ok(None),
    }
    if source.len() > MAX_BYTES {
        return Ok(Some(Err(format!("it has more than {} MiB", MAX_BYTES >> 20))));
    }
    let text = source.read_range(0, source.len())?;
    Ok(Some(match std::str::from_utf8(&text) {
        Ok(text) => convert(text).or_else(|why| match with_brackets_inside(text) {
            Some(text) => convert(&text),
            None => Err(why),
        }),
        Err(_) => Err("it is no UTF-8".to_owned()),
    }))
}

fn looks_like_yaml(source: &dyn Source) -> Result<bool, ReadError> {
    let sample = source.read_range(0, SAMPLE_BYTES.min(source.len()))?;
    let mut lines: Vec<&[u8]> =
        sample.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    if source.len() > SAMPLE_BYTES {
        lines.pop();
    }
    lines.retain(|line| !line.is_empty());
    Ok(is_yaml(&lines))
}

fn convert(text: &str) -> Result<Json, String> {
    let mut writer = Writer::default();
    for event in Parser::new_from_str(text) {
        let (event, _) =
            event.map_err(|error| format!("line {}: {}", error.marker().line(), error.info()))?;
        writer.take(event)?;
        if writer.out.len() > MAX_JSON_BYTES {
            return Err(format!("with its aliases it has more than {} MiB", MAX_JSON_BYTES >> 20));
        }
    }
    let kind = if writer.documents > 1 { Kind::Ndjson } else { Kind::Json };
    Ok(Json { text: writer.out, kind })
}

/// A collection that is open.
struct Open {
    /// Where it starts.
    start: usize,
    anchor: usize,
    /// Of a mapping: whether the next node is a key, and where that of the last began.
    key: Option<bool>,
    key_start: usize,
    /// Whether the last key is `<<`; what such keys have brought.
    merges: bool,
    merged: Vec<Vec<u8>>,
}

#[derive(Default)]
struct Writer {
    out: Vec<u8>,
    open: Vec<Open>,
    /// What was made of each node that has an anchor, by the number of that; nothing where it is open.
    anchors: Vec<Vec<u8>>,
    copied: usize,
    documents: usize,
    document_start: usize,
}

impl Writer {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) => self.document_start = self.out.len(),
            Event::DocumentEnd => {
                // What stands between two marks may be nothing.
                match self.out.get(self.document_start..).unwrap_or_default() {
                    b"null" | b"" => self.out.truncate(self.document_start),
                    _ => {
                        self.out.push(b'\n');
                        self.documents += 1;
                    }
                }
            }
            Event::Alias(anchor) => {
                let node = self.anchors.get(anchor).cloned().unwrap_or_default();
                if node.is_empty() {
                    return Err("an alias stands inside of what it names".to_owned());
                }
                self.copied(node.len())?;
                self.node(0, |out| out.extend_from_slice(&node))?;
            }
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = scalar(&text, style, tag.as_deref());
                self.node(anchor, |out| out.extend_from_slice(scalar.as_bytes()))?;
            }
            Event::SequenceStart(anchor, _) => self.begin(anchor, b'[', None)?,
            Event::MappingStart(anchor, _) => self.begin(anchor, b'{', Some(true))?,
            Event::SequenceEnd => self.end(b']')?,
            Event::MappingEnd => self.end(b'}')?,
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
        Ok(())
    }

    /// What stands before a node.
    fn before(&mut self) {
        let Some(open) = self.open.last_mut() else { return };
        let is_first = self.out.len() == open.start + 1;
        match open.key {
            Some(false) => self.out.push(b':'),
            _ if !is_first => self.out.push(b','),
            _ => {}
        }
        if open.key == Some(true) {
            open.key_start = self.out.len();
        }
    }

    /// What is to be done after a node, which begins at a byte.
    fn after(&mut self, start: usize, anchor: usize) -> Result<(), String> {
        if anchor > 0 {
            let node = self.out.get(start..).unwrap_or_default().to_vec();
            self.copied(node.len())?;
            if self.anchors.len() <= anchor {
                self.anchors.resize(anchor + 1, Vec::new());
            }
            self.anchors[anchor] = node;
        }
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        match open.key {
            None => {}
            Some(true) => {
                // A name is a string in JSON, whatever it is here.
                let name = self.out.get(start..).unwrap_or_default();
                open.merges = name == b"\"<<\"";
                if name.first() != Some(&b'"') {
                    let name = quoted(&String::from_utf8_lossy(name));
                    self.out.truncate(start);
                    self.out.extend_from_slice(name.as_bytes());
                }
                open.key = Some(false);
            }
            Some(false) => {
                let value = self.out.get(start..).unwrap_or_default();
                if open.merges && (value.starts_with(b"{") || value.starts_with(b"[{")) {
                    open.merged.push(value.to_vec());
                    let comma = usize::from(open.key_start > open.start + 1);
                    self.out.truncate(open.key_start - comma);
                }
                open.merges = false;
                open.key = Some(true);
            }
        }
        Ok(())
    }

    /// Counts what is copied for an anchor or an alias: it may leave nothing in the output.
    fn copied(&mut self, bytes: usize) -> Result<(), String> {
        self.copied += bytes;
        match self.copied > MAX_JSON_BYTES {
            true => {
                Err(format!("its anchors and aliases have more than {} MiB", MAX_JSON_BYTES >> 20))
            }
            false => Ok(()),
        }
    }

    fn node(&mut self, anchor: usize, write: impl FnOnce(&mut Vec<u8>)) -> Result<(), String> {
        self.before();
        let start = self.out.len();
        write(&mut self.out);
        self.after(start, anchor)
    }

    fn begin(&mut self, anchor: usize, bracket: u8, key: Option<bool>) -> Result<(), String> {
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("it is nested more than {MAX_DEPTH} levels deep"));
        }
        self.before();
        let (start, merged) = (self.out.len(), Vec::new());
        self.open.push(Open { start, anchor, key, key_start: start, merges: false, merged });
        self.out.push(bracket);
        Ok(())
    }

    fn end(&mut self, bracket: u8) -> Result<(), String> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if !open.merged.is_empty() {
            self.merge(&open)?;
        }
        self.out.push(bracket);
        self.after(open.start, open.anchor)
    }

    /// Adds the members that a mapping lacks.
    fn merge(&mut self, open: &Open) -> Result<(), String> {
        type Members<'j> = BTreeMap<String, &'j RawValue>;
        let unreadable = |error: serde_json::Error| error.to_string();
        let mut own = self.out.get(open.start..).unwrap_or_default().to_vec();
        own.push(b'}');
        let mut known: Members<'_> = serde_json::from_slice(&own).map_err(unreadable)?;
        for merged in &open.merged {
            let all: Vec<&RawValue> = match merged.first() {
                Some(b'[') => serde_json::from_slice(merged).map_err(unreadable)?,
                _ => vec![serde_json::from_slice(merged).map_err(unreadable)?],
            };
            let members = all
                .into_iter()
                .flat_map(|one| serde_json::from_str::<Members<'_>>(one.get()).unwrap_or_default());
            for (name, value) in members {
                if known.contains_key(&name) {
                    continue;
                }
                if self.out.len() > open.start + 1 {
                    self.out.push(b',');
                }
                self.out.extend_from_slice(quoted(&name).as_bytes());
                self.out.push(b':');
                self.out.extend_from_slice(value.get().as_bytes());
                known.insert(name, value);
            }
        }
        Ok(())
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A scalar as JSON.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> String {
    let tag = tag.filter(|tag| tag.is_yaml_core_schema()).map(|tag| tag.suffix.as_str());
    let is_plain = match tag {
        None => style == ScalarStyle::Plain,
        Some(tag) => tag != "str" && tag != "binary",
    };
    let plain = if is_plain { plain(text) } else { None };
    plain.unwrap_or_else(|| quoted(text))
}

/// What a plain scalar is where it is no string.
fn plain(text: &str) -> Option<String> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Some("null".to_owned()),
        "true" | "True" | "TRUE" => return Some("true".to_owned()),
        "false" | "False" | "FALSE" => return Some("false".to_owned()),
        _ => {}
    }
    // The library would take a sign here.
    let radix = |digits: &str, radix| match digits.starts_with(['+', '-']) {
        true => None,
        false => u128::from_str_radix(digits, radix).ok(),
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16).map(|number| number.to_string());
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8).map(|number| number.to_string());
    }
    number(text)
}

/// A decimal number as JSON writes it.
fn number(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa, None),
    };
    let fits = (digits(whole) || whole.is_empty() && part.is_some_and(digits))
        && part.is_none_or(|part| part.is_empty() || digits(part))
        && exponent
            .is_none_or(|exponent| digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent)));
    // A postal code, an account: nobody wants its zeros gone. `4733e924` is the end of an id.
    let is_huge = || exponent.is_some() && text.parse().is_ok_and(f64::is_infinite);
    if !fits || is_huge() || whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let part = part.filter(|part| !part.is_empty()).map(|part| format!(".{part}"));
    let exponent = exponent.map(|exponent| format!("e{exponent}"));
    Some(format!("{sign}{whole}{}{}", part.unwrap_or_default(), exponent.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn values(text: &str) -> Vec<Value> {
        let json = convert(text).unwrap();
        let text = String::from_utf8(json.text).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn scalars_are_what_the_core_schema_makes_of_them() {
        let text = "a: 1\nb: -2.50\nc: yes\nd: 'true'\ne: true\nf: ~\ng:\nh: 0x1F\ni: 0o17\nj: 007\nk: .5\n\
                    l: 5.\nm: +3\nn: 1e3\no: .inf\np: 2026-11-23\nq: !!str 12\nr: !!int \"12\"\ns: \"a\\tb\"\n\
                    t: |\n  one\n  two\nu: >-\n  one\n  two\nv: 12345678901234567890123\nw: 1.2.3\nx: 12:30\ny: 4733e924\n";
        let json = String::from_utf8(convert(text).unwrap().text).unwrap();
        assert_eq!(
            json.trim_end(),
            r#"{"a":1,"b":-2.50,"c":"yes","d":"true","e":true,"f":null,"g":null,"h":31,"i":15,"j":"007","k":0.5,"l":5,"m":3,"n":1e3,"o":".inf","p":"2026-11-23","q":"12","r":12,"s":"a\tb","t":"one\ntwo\n","u":"one two","v":12345678901234567890123,"w":"1.2.3","x":"12:30","y":"4733e924"}"#
        );
    }

    #[test]
    fn collections_keys_and_documents_are_taken_over() {
        let text = "%YAML 1.2\n---\n- a: [1, {b: c}]\n  1: x\n  true: y\n  ? [p, q]\n  : z\n- []\n- {}\n...\n---\n---\nk: v # no\n";
        let first =
            json!([{"a": [1, {"b": "c"}], "1": "x", "true": "y", "[\"p\",\"q\"]": "z"}, [], {}]);
        assert_eq!(values(text), [first, json!({"k": "v"})]);
    }

    #[test]
    fn aliases_and_merges_are_resolved() {
        let text = "base: &b {image: x, env: [1]}\nlist: &l\n- &one {a: 1}\n- *one\nnext:\n  <<: *b\n  image: y\n\
                    more:\n  k: 1\n  <<: [*one, *b]\n  a: 2\nname: &n web\nsame: *n\nodd:\n  <<: text\n";
        assert_eq!(
            values(text),
            [json!({
                "base": {"image": "x", "env": [1]},
                "list": [{"a": 1}, {"a": 1}],
                "next": {"image": "y", "env": [1]},
                "more": {"k": 1, "a": 2, "image": "x", "env": [1]},
                "name": "web",
                "same": "web",
                "odd": {"<<": "text"},
            })]
        );
    }

    #[test]
    fn what_grows_without_end_or_is_no_yaml_is_refused() {
        let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for (name, of) in ('b'..='j').zip('a'..) {
            bomb += &format!("{name}: &{name} [{}]\n", [format!("*{of}").as_str(); 9].join(", "));
        }
        assert!(convert(&bomb).is_err_and(|why| why.contains("MiB")));
        // A copy that a merge takes away again counts too, and many members are merged in little time.
        let many: String = (0..100_000).map(|n| format!("k{n}: 1, ")).collect();
        let base = format!("a: &a {{{many}z: 1}}\nb: {{<<: *a, z: 2}}\n");
        assert!(convert(&base).unwrap().text.ends_with(b"}}\n"));
        let merges = format!("{base}c: {{{}}}\n", "<<: *a, ".repeat(1_000));
        assert!(convert(&merges).is_err_and(|why| why.contains("MiB")));
        assert_eq!(
            values("a: 0x+1\nb: {<<: [x], c: 1}\n"),
            [json!({"a": "0x+1", "b": {"<<": ["x"], "c": 1}})]
        );
        assert!(convert(&"[".repeat(5_000)).is_err());
        assert!(convert(&"- ".repeat(5_000)).is_err_and(|why| why.contains("levels")));
        assert!(convert("a: &a [*a]\n").is_err_and(|why| why.contains("inside")));
        assert!(convert("a: 'b\nc: d\n").is_err_and(|why| why.starts_with("line ")));
    }

    proptest! {
        #[test]
        fn whatever_is_made_is_json(text in "([-?:,\\[\\]{}#&*!|>'\"%@` \n\tab01.<~\\\\é]|---\n|<<: |\\.\\.\\.\n|- |: ){0,60}") {
            if let Ok(json) = convert(&text) {
                let text = String::from_utf8(json.text).unwrap();
                for line in text.lines() {
                    prop_assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
                }
            }
        }
    }
}
