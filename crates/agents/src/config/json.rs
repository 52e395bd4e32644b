//! Edits of JSON by the syntax tree: what is not named keeps every byte.
//!
//! Texts have `\n` as the end of lines here and no byte order mark; see [`super::layout`].

use std::ops::Range;

use jsonc_parser::common::Ranged as _;
use jsonc_parser::cst::{CstInputValue, CstNode, CstRootNode};
use jsonc_parser::errors::ParseError;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ast, parse_to_ast};

use super::error::EditError;
use super::format::{JSON_OPTIONS, SyntaxError};
use super::node::Node;

fn parse(text: &str) -> Result<CstRootNode, EditError> {
    CstRootNode::parse(text, &JSON_OPTIONS).map_err(syntax)
}

fn syntax(error: ParseError) -> EditError {
    EditError::Syntax(SyntaxError(error.to_string()))
}

/// The deepest value on the path, with the number of keys that lead to it.
fn descend(root: &CstRootNode, path: &[String]) -> Option<(usize, CstNode)> {
    let mut value = root.value()?;
    for (depth, key) in path.iter().enumerate() {
        let member = value.as_object().and_then(|object| object.get(key)?.value());
        match member {
            Some(member) => value = member,
            None => return Some((depth, value)),
        }
    }
    Some((path.len(), value))
}

/// Puts a value at the end of the path, with the objects that lead to it.
pub(super) fn set(text: &str, path: &[String], value: &Node) -> Result<String, EditError> {
    let root = parse(text)?;
    let Some((depth, found)) = descend(&root, path) else {
        root.set_value(nested(path, value));
        return Ok(root.to_string());
    };
    match (&path[depth..], found.as_object()) {
        ([key, inner @ ..], Some(object)) => {
            object.append(key, nested(inner, value));
        }
        ([_, ..], None) if found.as_null_keyword().is_none() => {
            return Err(EditError::NotAnObject(path[..depth].join(".")));
        }
        (rest, _) => match found.parent().and_then(|parent| parent.as_object_prop()) {
            Some(member) => member.set_value(nested(rest, value)),
            None => root.set_value(nested(rest, value)),
        },
    }
    Ok(root.to_string())
}

/// Appends an item to the array at the end of the path.
pub(super) fn append(text: &str, path: &[String], item: &Node) -> Result<String, EditError> {
    let root = parse(text)?;
    match descend(&root, path) {
        Some((depth, found)) if depth == path.len() && found.as_null_keyword().is_none() => {
            let array = found.as_array().ok_or_else(|| EditError::NotAList(path.join(".")))?;
            array.append(input(item));
            Ok(root.to_string())
        }
        _ => set(text, path, &Node::List(vec![item.clone()])),
    }
}

/// Takes out the member at the end of the path, or the item of this number of the array there.
pub(super) fn remove(text: &str, path: &[String], nth: Option<usize>) -> Result<String, EditError> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
    let parsed = parse_to_ast(text, &collect, &JSON_OPTIONS).map_err(syntax)?;
    let ranges = parsed.value.as_ref().and_then(|value| place(value, path, nth));
    let Some((container, item)) = ranges else { return Ok(text.to_owned()) };
    let tokens = parsed.tokens.unwrap_or_default();
    let is_comment = |token: &&TokenAndRange<'_>| {
        matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
    };
    let mut tokens = tokens.iter().filter(|token| !is_comment(token));
    let before = tokens.by_ref().take_while(|token| token.end() <= item.start).last();
    let after = tokens.find(|token| token.start() >= item.end);
    let comma = |token: &&TokenAndRange<'_>| matches!(token.token, Token::Comma);
    // With a comma after the last item there is one comma for each item.
    let comma =
        after.filter(comma).or(before.filter(comma)).map(|comma| comma.start()..comma.end());
    let (first, second) = match comma {
        Some(comma) if comma.start < item.start => (comma, item),
        Some(comma) => (item, comma),
        None => (item.clone(), item.end..item.end),
    };
    let mut out = text.to_owned();
    // What is only white space between the two goes with them.
    if text[first.end..second.start].trim().is_empty() {
        cut_out(&mut out, first.start..second.end);
    } else {
        cut_out(&mut out, second);
        cut_out(&mut out, first);
    }
    // A container that has become empty, without comments in it.
    let inside = container.start + 1..container.end - 1 - (text.len() - out.len());
    if out[inside.clone()].trim().is_empty() {
        out.replace_range(inside, "");
    }
    Ok(out)
}

/// Where the item is that a path and a number lead to, and where the object or array that it is in.
fn place(
    mut value: &ast::Value<'_>,
    path: &[String],
    nth: Option<usize>,
) -> Option<(Range<usize>, Range<usize>)> {
    let mut found = None;
    for key in path {
        let ast::Value::Object(object) = value else { return None };
        let member = object.properties.iter().find(|member| member.name.as_str() == key)?;
        found = Some((object.range, member.range));
        value = &member.value;
    }
    if let Some(nth) = nth {
        let ast::Value::Array(array) = value else { return None };
        found = Some((array.range, array.elements.get(nth)?.range()));
    }
    found.map(|(container, item)| (container.start..container.end, item.start..item.end))
}

/// Takes this range out of the text, with its line where nothing else is on it.
fn cut_out(text: &mut String, range: Range<usize>) {
    let blank = [' ', '\t'];
    let start = text[..range.start].trim_end_matches(blank).len();
    let rest = &text[range.end..];
    let end = range.end + (rest.len() - rest.trim_start_matches(blank).len());
    let ends_line = text[end..].is_empty() || text[end..].starts_with('\n');
    let begins_line = text[..start].ends_with('\n');
    text.replace_range(
        match (begins_line, ends_line) {
            (true, true) => start - 1..end,
            (_, true) => start..range.end,
            _ if text[range.clone()].starts_with(',')
                || text[end..].starts_with(['}', ']', ',']) =>
            {
                range
            }
            _ => range.start..end,
        },
        "",
    );
}

/// `value` inside of objects for these keys.
fn nested(path: &[String], value: &Node) -> CstInputValue {
    let within = |inner, key: &String| CstInputValue::Object(vec![(key.clone(), inner)]);
    path.iter().rev().fold(input(value), within)
}

fn input(value: &Node) -> CstInputValue {
    match value {
        Node::Null => CstInputValue::Null,
        Node::Bool(value) => CstInputValue::Bool(*value),
        Node::Number(text) => CstInputValue::Number(text.clone()),
        Node::Text(text) => CstInputValue::String(text.clone()),
        Node::List(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Node::Map(members) => {
            CstInputValue::Object(members.iter().map(|(k, v)| (k.clone(), input(v))).collect())
        }
    }
}
