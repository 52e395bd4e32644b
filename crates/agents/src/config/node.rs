//! What a file means: values in the order in which they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// A value of a configuration file. Unlike [`Value`] it keeps the order of keys and every digit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Node {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as JSON writes it.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Node>),
    /// An object, table or mapping.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// The member of this name.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Map(members) => {
                members.iter().find(|(name, _)| name == key).map(|(_, node)| node)
            }
            _ => None,
        }
    }

    /// The node at the end of these keys.
    pub fn at<S: AsRef<str>>(&self, path: &[S]) -> Option<&Node> {
        path.iter().try_fold(self, |node, key| node.get(key.as_ref()))
    }

    pub(super) fn at_mut<S: AsRef<str>>(&mut self, path: &[S]) -> Option<&mut Node> {
        path.iter().try_fold(self, |node, key| match node {
            Node::Map(members) => {
                members.iter_mut().find(|(name, _)| name == key.as_ref()).map(|(_, node)| node)
            }
            _ => None,
        })
    }

    /// The members, when this is an object.
    pub fn as_map(&self) -> Option<&[(String, Node)]> {
        match self {
            Node::Map(members) => Some(members),
            _ => None,
        }
    }

    /// The items, when this is an array.
    pub fn as_list(&self) -> Option<&[Node]> {
        match self {
            Node::List(items) => Some(items),
            _ => None,
        }
    }

    /// The string, when this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is an object or array without content.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Node::Map(members) => members.is_empty(),
            Node::List(items) => items.is_empty(),
            _ => false,
        }
    }

    /// As JSON knows it: the order of keys is lost.
    pub fn to_value(&self) -> Value {
        match self {
            Node::Null => Value::Null,
            Node::Bool(value) => Value::Bool(*value),
            Node::Number(text) => {
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()))
            }
            Node::Text(text) => Value::String(text.clone()),
            Node::List(items) => Value::Array(items.iter().map(Node::to_value).collect()),
            Node::Map(members) => {
                Value::Object(members.iter().map(|(k, v)| (k.clone(), v.to_value())).collect())
            }
        }
    }

    /// Whether both mean the same, with the order of keys left out.
    pub(super) fn same(&self, other: &Node) -> bool {
        match (self, other) {
            (Node::Map(a), Node::Map(b)) => {
                let b: BTreeMap<&String, &Node> =
                    b.iter().map(|(key, value)| (key, value)).collect();
                a.len() == b.len()
                    && a.iter()
                        .all(|(key, value)| b.get(key).is_some_and(|other| value.same(other)))
            }
            (Node::List(a), Node::List(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b))
            }
            (a, b) => a == b,
        }
    }

    /// The text in JSON on one line, with a space after each comma and colon.
    pub(super) fn one_line(&self) -> String {
        match self {
            Node::Null => "null".into(),
            Node::Bool(value) => value.to_string(),
            Node::Number(text) => text.clone(),
            Node::Text(text) => quote(text),
            Node::List(items) => {
                let items: Vec<String> = items.iter().map(Node::one_line).collect();
                format!("[{}]", items.join(", "))
            }
            Node::Map(members) if members.is_empty() => "{}".into(),
            Node::Map(members) => {
                let members: Vec<String> = members
                    .iter()
                    .map(|(k, v)| format!("{}: {}", quote(k), v.one_line()))
                    .collect();
                format!("{{ {} }}", members.join(", "))
            }
        }
    }
}

/// A string as JSON writes it, which TOML and YAML read as well.
pub(super) fn quote(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

impl From<Value> for Node {
    fn from(value: Value) -> Node {
        match value {
            Value::Null => Node::Null,
            Value::Bool(value) => Node::Bool(value),
            Value::Number(number) => Node::Number(number.to_string()),
            Value::String(text) => Node::Text(text),
            Value::Array(items) => Node::List(items.into_iter().map(Node::from).collect()),
            Value::Object(members) => {
                Node::Map(members.into_iter().map(|(k, v)| (k, Node::from(v))).collect())
            }
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Node {
        Node::Text(text.to_owned())
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        match self {
            Node::Map(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, node) in members {
                    map.serialize_entry(key, node)?;
                }
                map.end()
            }
            Node::List(items) => serializer.collect_seq(items),
            leaf => leaf.to_value().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }
    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Node, D::Error> {
        Node::deserialize(inner)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(match serde_json::Number::from_f64(value) {
            Some(number) => Node::Number(number.to_string()),
            None => Node::Text(value.to_string()),
        })
    }
    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }
    fn visit_string<E>(self, text: String) -> Result<Node, E> {
        Ok(Node::Text(text))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Node::List(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut members: Vec<(String, Node)> = Vec::new();
        let mut names = BTreeSet::new();
        while let Some((key, node)) = map.next_entry::<Key, Node>()? {
            if !names.insert(key.0.clone()) {
                return Err(serde::de::Error::custom(format_args!(
                    "the key `{}` stands twice in one mapping",
                    key.0
                )));
            }
            members.push((key.0, node));
        }
        Ok(Node::Map(members))
    }
}

/// A key: YAML allows numbers and truth values there.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
        match Node::deserialize(deserializer)? {
            Node::Text(text) | Node::Number(text) => Ok(Key(text)),
            Node::Bool(value) => Ok(Key(value.to_string())),
            Node::Null => Ok(Key("null".into())),
            _ => Err(serde::de::Error::custom("a key is a list or a mapping")),
        }
    }
}
