//! The texts in a call's arguments, by where they stand.

use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

/// Texts of one call that are looked at.
const MAX_TEXTS: usize = 20_000;

/// Levels of JSON that stands in a text of JSON.
const MAX_NESTED: usize = 3;

/// One text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Text {
    /// The keys that lead to it, with dots between them; of a list the number.
    pub(super) path: String,
    /// Its value: of what is not a text, as JSON writes it; of a list of texts, its words as a shell takes them.
    pub(super) text: String,
    /// Whether it stands for a whole list, or for a program and the list of its arguments.
    pub(super) joined: bool,
}

impl Text {
    /// The last key that is not a number, in small letters without what joins words.
    pub(super) fn key(&self) -> String {
        let mut keys = self.path.rsplit('.');
        let key = keys.find(|key| !key.bytes().all(|b| b.is_ascii_digit()));
        key.unwrap_or_default().replace(['_', '-', ' '], "").to_lowercase()
    }
}

/// All texts in the arguments, each member of an object that stands there twice too, as somebody may read either.
///
/// # Errors
/// Where they are not JSON, or nested too deep or too many to be looked at: as a sentence.
pub(super) fn texts(arguments: &str) -> Result<Vec<Text>, String> {
    let mut found = Vec::new();
    read(arguments, "", MAX_NESTED, &mut found)
        .map_err(|error| format!("its arguments cannot be read: {error}"))?;
    Ok(found)
}

fn read(
    json: &str,
    path: &str,
    nested: usize,
    found: &mut Vec<Text>,
) -> Result<(), serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(json);
    let from = found.len();
    Walk { path: path.to_owned(), found, listed: false }.deserialize(&mut reader)?;
    reader.end()?;
    // JSON in a text is what the tool will read of it.
    for at in from..found.len() {
        let Text { path, text, joined } = found[at].clone();
        if nested > 0 && !joined && text.trim_start().starts_with(['{', '[']) {
            let length = found.len();
            if read(&text, &path, nested - 1, found).is_err() {
                found.truncate(length);
            }
        }
    }
    Ok(())
}

struct Walk<'a> {
    path: String,
    found: &'a mut Vec<Text>,
    /// Whether it is in a list.
    listed: bool,
}

impl Walk<'_> {
    fn add<E: Error>(self, text: String, joined: bool) -> Result<Option<String>, E> {
        if self.found.len() >= MAX_TEXTS {
            return Err(E::custom("they hold too many values"));
        }
        self.found.push(Text { path: self.path, text: text.clone(), joined });
        Ok(Some(text))
    }

    fn below(&self, key: &str) -> String {
        match self.path.is_empty() {
            true => key.to_owned(),
            false => format!("{}.{key}", self.path),
        }
    }
}

/// Gives the text, where it is one, or a list of texts as one.
impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = Option<String>;
    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = Option<String>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a value")
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        self.add(value.to_string(), false)
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
        self.add(value.to_string(), false)
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
        self.add(value.to_string(), false)
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        self.add(value.to_string(), false)
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        self.add(value.to_owned(), false)
    }
    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        self.add("null".to_owned(), false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let (mut words, mut at, listed) = (Vec::new(), 0, self.listed);
        loop {
            let path = self.below(&at.to_string());
            let seed = Walk { path, found: &mut *self.found, listed: true };
            let Some(word) = list.next_element_seed(seed)? else { break };
            words.extend(word);
            at += 1;
        }
        if words.len() != at || at == 0 {
            return Ok(None);
        }
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let joined = self.add(words.join(" "), true)?;
        // Lists of lists are not joined again and again.
        Ok(joined.filter(|_| !listed))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let (mut program, mut words) = (None, None);
        while let Some(key) = members.next_key::<String>()? {
            let path = self.below(&key);
            let seed = Walk { path, found: &mut *self.found, listed: false };
            let value = members.next_value_seed(seed)?;
            match &*key.to_lowercase() {
                "command" | "cmd" | "program" | "executable" | "bin" | "file" => program = value,
                "args" | "arguments" | "argv" | "params" => words = value,
                _ => {}
            }
        }
        if let (Some(program), Some(words)) = (program, words) {
            let path = self.below("command");
            Walk { path, found: self.found, listed: false }
                .add::<A::Error>(format!("{program} {words}"), true)?;
        }
        Ok(None)
    }
}

/// A word as a shell takes it for one.
fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_alphanumeric() || "-_./:=+@%,".contains(sign);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_where_it_stands() {
        let json = r#"{"a":{"b":["x y",1]},"command":"rm","args":["-r","/"],"a":true,"j":"{\"k\":\"v\"}"}"#;
        let found: Vec<String> = texts(json)
            .unwrap()
            .iter()
            .map(|text| format!("{}={}", text.path, text.text))
            .collect();
        for wanted in ["a.b.0=x y", "a.b='x y' 1", "a=true", "command=rm -r /", "j.k=v"] {
            assert!(found.iter().any(|text| text == wanted), "{wanted} in {found:?}");
        }
        for bad in ["", "{", &"[".repeat(100_000), r#"{"a":1} x"#] {
            assert!(texts(bad).is_err());
        }
        assert!(texts(&format!("[{}1]", "1,".repeat(MAX_TEXTS))).is_err());
    }
}
