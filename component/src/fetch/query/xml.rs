//! XML as JSON, so that it is queried as JSON is: `<case name="a">x</case>` is `{"case":{"@name":"a","#text":"x"}}`.
//!
//! An element with neither attributes nor elements is its text, an empty one is null, and several of one name are an
//! array. All values are texts. Comments and instructions are left out.

use std::fmt::Write as _;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::source::{ReadError, Source};

/// Bytes of XML that are read, and of JSON that is made of it.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
const MAX_JSON_BYTES: usize = 16 * 1024 * 1024;

/// Elements inside each other.
const MAX_DEPTH: usize = 100;

/// Names in one element: each is looked for among them.
const MAX_NAMES: usize = 1_000;

/// An element that is open: its name, what stands in it by name and as JSON, and its text.
#[derive(Default)]
struct Element {
    name: String,
    members: Vec<(String, Vec<String>)>,
    text: String,
}

/// Makes JSON of XML; none of what is too long or no whole XML.
///
/// # Errors
/// Where the bytes cannot be read.
pub(in crate::fetch) fn as_json(source: &dyn Source) -> Result<Option<Vec<u8>>, ReadError> {
    if source.len() > MAX_BYTES {
        return Ok(None);
    }
    let bytes = source.read_range(0, source.len())?;
    let json = std::str::from_utf8(&bytes).ok().and_then(|text| convert(text).ok());
    Ok(json.map(String::into_bytes))
}

/// The one error of a text that cannot be converted: nobody is shown why, as its lines are read instead.
fn broken() -> quick_xml::Error {
    quick_xml::errors::SyntaxError::InvalidBangMarkup.into()
}

fn convert(text: &str) -> Result<String, quick_xml::Error> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut open = vec![Element::default()];
    let mut made = 0;
    loop {
        let event = reader.read_event()?;
        let depth = open.len();
        let Some(inner) = open.last_mut() else { return Err(broken()) };
        match event {
            Event::Start(tag) if depth <= MAX_DEPTH => open.push(started(&tag)?),
            Event::Start(_) => return Err(broken()),
            Event::End(_) => {
                let Some(ended) = open.pop() else { return Err(broken()) };
                let Some(around) = open.last_mut() else { return Err(broken()) };
                let (name, json) = (ended.name.clone(), ended.json());
                made += json.len();
                // What is written again for each element around it is bounded by their depth.
                let is_large = made > MAX_JSON_BYTES * 4 || json.len() > MAX_JSON_BYTES;
                if is_large || around.members.len() > MAX_NAMES {
                    return Err(broken());
                }
                around.push(name, json);
            }
            Event::Text(text) => inner.text.push_str(&text.decode()?),
            Event::CData(text) => inner.text.push_str(&text.decode()?),
            Event::GeneralRef(name) => match name.resolve_char_ref()? {
                Some(sign) => inner.text.push(sign),
                None => {
                    let name = name.decode()?;
                    match quick_xml::escape::resolve_xml_entity(&name) {
                        Some(sign) => inner.text.push_str(sign),
                        None => drop(write!(inner.text, "&{name};")),
                    }
                }
            },
            Event::Eof => break,
            _ => {}
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(document), true) if !document.members.is_empty() => {
            Ok(Element { text: String::new(), ..document }.json())
        }
        _ => Err(broken()),
    }
}

fn started(tag: &BytesStart<'_>) -> Result<Element, quick_xml::Error> {
    let name = String::from_utf8_lossy(tag.name().as_ref()).into_owned();
    let mut element = Element { name, ..Element::default() };
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute?;
        let key = format!("@{}", String::from_utf8_lossy(attribute.key.as_ref()));
        let raw = String::from_utf8_lossy(&attribute.value);
        // An entity of the document's own stays as it is written.
        let value = quick_xml::escape::unescape(&raw).map_or(raw.as_ref().into(), |value| value);
        element.push(key, quoted(&value));
        if element.members.len() > MAX_NAMES {
            return Err(broken());
        }
    }
    Ok(element)
}

impl Element {
    fn push(&mut self, name: String, json: String) {
        match self.members.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(json),
            None => self.members.push((name, vec![json])),
        }
    }

    fn json(mut self) -> String {
        let text = self.text.trim();
        if self.members.is_empty() {
            return if text.is_empty() { "null".to_owned() } else { quoted(text) };
        }
        if !text.is_empty() {
            let text = quoted(text);
            self.push("#text".to_owned(), text);
        }
        let members = self.members.iter().map(|(name, values)| match &values[..] {
            [one] => format!("{}:{one}", quoted(name)),
            all => format!("{}:[{}]", quoted(name), all.join(",")),
        });
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        Some(String::from_utf8(as_json(&text.as_bytes()).unwrap()?).unwrap())
    }

    #[test]
    fn elements_are_members_and_several_of_one_name_an_array() {
        let junit = "<?xml version='1.0'?><!-- c --><suite name=\"a &amp; b\" n='2'>\n <case id=\"1\"/>\n \
                     <case id=\"2\"><failure type=\"E\">no &lt;x&gt; &#39;y&#39; &other;<![CDATA[<raw>]]></failure></case>\n <skip/><out>text</out></suite>\n";
        let seen = r##"{"suite":{"@name":"a & b","@n":"2","case":[{"@id":"1"},{"@id":"2","failure":{"@type":"E","#text":"no <x> 'y' &other;<raw>"}}],"skip":null,"out":"text"}}"##;
        assert_eq!(of(junit).as_deref(), Some(seen));
    }

    #[test]
    fn what_is_cut_too_deep_or_too_long_is_read_as_lines() {
        assert_eq!(of("<a><b>1</b>"), None);
        assert_eq!(of("<a><b></a></b>"), None);
        assert_eq!(of("no XML"), None);
        assert_eq!(of(""), None);
        assert_eq!(of(&format!("{}{}", "<a>".repeat(200), "</a>".repeat(200))), None);
        let wide = format!("<r>{}</r>", "<a b='1'>2</a>".repeat(10_000));
        assert!(
            of(&wide)
                .is_some_and(|json| json.starts_with(r##"{"r":{"a":[{"@b":"1","#text":"2"},"##))
        );
        let names: String = (0..1_100).map(|n| format!("<a{n}/>")).collect();
        assert_eq!(of(&format!("<r>{names}</r>")), None);
        let attributes: String = (0..1_100).map(|n| format!(" a{n}='1'")).collect();
        assert_eq!(of(&format!("<r><b{attributes}/></r>")), None);
        assert_eq!(of(&format!("<r>{}</r>", " ".repeat(MAX_BYTES as usize))), None);
    }
}
