//! Edits of JSON by the syntax tree: what is not named keeps every byte.
//!
//! Texts have `\n` as the end of lines here and no byte order mark; see [`super::layout`].

use std::ops::Range;

use jsonc_parser::ast::{self, ObjectProp};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::tokens::Token;
use jsonc_parser::tokens::TokenAndRange;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, parse_to_ast};

use super::error::EditError;
use super::format::{JSON_OPTIONS, SyntaxError};
use super::node::{Node, quote};

/// A parsed text.
struct Tree<'a> {
    text: &'a str,
    value: Option<ast::Value<'a>>,
    /// With comments among them.
    tokens: Vec<TokenAndRange<'a>>,
}

/// An object or array in the text.
struct Container {
    open: usize,
    /// Where the closing bracket is.
    close: usize,
    items: Vec<Range<usize>>,
}

impl<'a> Tree<'a> {
    fn parse(text: &'a str) -> Result<Tree<'a>, EditError> {
        let collect =
            CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let parsed = parse_to_ast(text, &collect, &JSON_OPTIONS)
            .map_err(|error| EditError::Syntax(SyntaxError(error.to_string())))?;
        Ok(Tree { text, value: parsed.value, tokens: parsed.tokens.unwrap_or_default() })
    }

    /// The deepest value on the path, with the number of keys that lead to it.
    fn descend(
        &self,
        path: &[String],
    ) -> Option<(usize, &ast::Value<'a>, Option<&ObjectProp<'a>>)> {
        let (mut value, mut property) = (self.value.as_ref()?, None);
        for (depth, key) in path.iter().enumerate() {
            let ast::Value::Object(object) = value else { return Some((depth, value, property)) };
            match object.properties.iter().find(|p| p.name.as_str() == key) {
                Some(found) => (value, property) = (&found.value, Some(found)),
                None => return Some((depth, value, property)),
            }
        }
        Some((path.len(), value, property))
    }

    fn container(value: &ast::Value<'_>) -> Option<Container> {
        let items = match value {
            ast::Value::Object(object) => {
                object.properties.iter().map(|p| span(p.range())).collect()
            }
            ast::Value::Array(array) => array.elements.iter().map(|e| span(e.range())).collect(),
            _ => return None,
        };
        let range = span(value.range());
        Some(Container { open: range.start, close: range.end - 1, items })
    }

    /// The first token from `at` on that is not a comment.
    fn next(&self, at: usize) -> Option<&TokenAndRange<'a>> {
        self.tokens.iter().find(|token| token.range().start >= at && !is_comment(token))
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    /// The white space that the line of `at` begins with.
    fn indent(&self, at: usize) -> &'a str {
        let start = self.line_start(at);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Whether only white space stands before `at` on its line.
    fn begins_line(&self, at: usize) -> bool {
        self.text[self.line_start(at)..at].trim_matches([' ', '\t']).is_empty()
    }

    /// Whether a line ends between the token before `at` and what is at `at`.
    fn follows_line_end(&self, at: usize) -> bool {
        let before = self.tokens.iter().rev().find(|t| t.range().end <= at && !is_comment(t));
        before.is_some_and(|token| self.text[token.range().end..at].contains('\n'))
    }

    /// One level of indentation.
    fn unit(&self) -> &'a str {
        let Some(container) = self.value.as_ref().and_then(Tree::container) else { return "  " };
        let outer = self.indent(container.open);
        container
            .items
            .iter()
            .filter(|item| self.begins_line(item.start))
            .find_map(|item| self.indent(item.start).strip_prefix(outer).filter(|i| !i.is_empty()))
            .unwrap_or("  ")
    }

    /// Whether the text has no space after a colon.
    fn is_dense(&self) -> bool {
        self.tokens
            .windows(2)
            .find(|pair| matches!(pair[0].token, Token::Colon))
            .is_some_and(|pair| pair[0].range().end == pair[1].range().start)
    }

    /// The end of the comments that follow `at` on its line.
    fn after_comments(&self, at: usize) -> usize {
        let mut end = at;
        for token in self.tokens.iter().filter(|token| token.range().start >= at) {
            let range = token.range();
            if !is_comment(token) || self.text[end..range.start].contains('\n') {
                break;
            }
            // A comment before something else on the line belongs to that.
            let rest = &self.text[range.end..];
            let rest = rest[..rest.find('\n').unwrap_or(rest.len())].trim();
            if !rest.is_empty() {
                break;
            }
            end = range.end;
        }
        end
    }
}

fn span(range: jsonc_parser::common::Range) -> Range<usize> {
    range.start..range.end
}

fn is_comment(token: &TokenAndRange<'_>) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

/// Puts a value at the end of the path, with the objects that lead to it.
pub(super) fn set(text: &str, path: &[String], value: &Node) -> Result<String, EditError> {
    let tree = Tree::parse(text)?;
    let Some((depth, found, property)) = tree.descend(path) else {
        return Ok(from_nothing(text, &nested(path, value)));
    };
    let rest = &path[depth..];
    if !rest.is_empty() && matches!(found, ast::Value::Object(_)) {
        let member = (rest[0].as_str(), nested(&rest[1..], value));
        return Ok(insert(&tree, found, Some(member.0), &member.1));
    }
    if !rest.is_empty() && !matches!(found, ast::Value::NullKeyword(_)) {
        return Err(EditError::NotAnObject(path[..depth].join(".")));
    }
    let range = span(found.range());
    let many = text.contains('\n') && (rest.len() > 1 || spans_lines(&tree, found, property));
    let printed = print(&tree, &nested(rest, value), many, tree.indent(range.start));
    Ok(format!("{}{printed}{}", &text[..range.start], &text[range.end..]))
}

fn spans_lines(tree: &Tree<'_>, value: &ast::Value<'_>, property: Option<&ObjectProp<'_>>) -> bool {
    let is_multi = tree.text[span(value.range())].contains('\n');
    // What replaces `null` or `{}` on a line of its own is written over several.
    is_multi || property.is_some_and(|p| tree.begins_line(p.range().start))
}

/// Appends an item to the array at the end of the path.
pub(super) fn append(text: &str, path: &[String], item: &Node) -> Result<String, EditError> {
    let tree = Tree::parse(text)?;
    match tree.descend(path) {
        Some((depth, found @ ast::Value::Array(_), _)) if depth == path.len() => {
            Ok(insert(&tree, found, None, item))
        }
        Some((depth, found, _))
            if depth == path.len() && !matches!(found, ast::Value::NullKeyword(_)) =>
        {
            Err(EditError::NotAList(path.join(".")))
        }
        _ => set(text, path, &Node::List(vec![item.clone()])),
    }
}

/// Takes out the member at the end of the path.
pub(super) fn remove(text: &str, path: &[String]) -> Result<String, EditError> {
    let tree = Tree::parse(text)?;
    let Some((key, parent)) = path.split_last() else { return Ok(text.to_owned()) };
    let Some((depth, object, _)) = tree.descend(parent) else { return Ok(text.to_owned()) };
    let ast::Value::Object(properties) = object else { return Ok(text.to_owned()) };
    let nth = properties.properties.iter().position(|p| p.name.as_str() == key);
    match (nth, Tree::container(object)) {
        (Some(nth), Some(container)) if depth == parent.len() => Ok(cut(&tree, &container, nth)),
        _ => Ok(text.to_owned()),
    }
}

/// Takes the item of this number out of the array at the end of the path.
pub(super) fn remove_item(text: &str, path: &[String], nth: usize) -> Result<String, EditError> {
    let tree = Tree::parse(text)?;
    match tree.descend(path) {
        Some((depth, array @ ast::Value::Array(_), _)) if depth == path.len() => {
            Ok(Tree::container(array).map_or_else(|| text.to_owned(), |c| cut(&tree, &c, nth)))
        }
        _ => Ok(text.to_owned()),
    }
}

/// `value` inside of objects for these keys.
fn nested(path: &[String], value: &Node) -> Node {
    path.iter().rev().fold(value.clone(), |inner, key| Node::Map(vec![(key.clone(), inner)]))
}

/// A text that has no value yet, perhaps comments.
fn from_nothing(text: &str, value: &Node) -> String {
    let tree = Tree { text, value: None, tokens: Vec::new() };
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}{}\n", print(&tree, value, true, ""))
}

fn insert(tree: &Tree<'_>, into: &ast::Value<'_>, key: Option<&str>, value: &Node) -> String {
    let text = tree.text;
    let Some(container) = Tree::container(into) else { return text.to_owned() };
    let colon = if tree.is_dense() { ":" } else { ": " };
    let member = |many: bool, indent: &str| {
        let printed = print(tree, value, many, indent);
        key.map_or_else(|| printed.clone(), |key| format!("{}{colon}{printed}", quote(key)))
    };
    let Some(last) = container.items.last() else {
        let inside = &text[container.open + 1..container.close];
        let indent = tree.indent(container.open);
        let inner = format!("{indent}{}", tree.unit());
        // After the last comment, if there is one.
        let comment = tree.tokens.iter().rev().find(|token| {
            is_comment(token)
                && token.range().start > container.open
                && token.range().end <= container.close
        });
        let at = comment.map_or(container.open + 1, |token| token.range().end);
        let is_root = text[..container.open].trim().is_empty();
        let in_line = comment.is_none_or(|token| matches!(token.token, Token::CommentBlock(_)));
        if !text.contains('\n') && in_line && !(is_root && inside.trim().is_empty()) {
            let space = if inside.is_empty() && tree.is_dense() { "" } else { " " };
            let body = member(false, "");
            return format!("{}{space}{body}{space}{}", &text[..at], &text[container.close..]);
        }
        let tail = text[at..container.close].trim_matches([' ', '\t']);
        let end = if tail.starts_with('\n') {
            text[at..].to_owned()
        } else {
            format!("\n{indent}{}", &text[container.close..])
        };
        return format!("{}\n{inner}{}{end}", &text[..at], member(true, &inner));
    };
    let trailing = tree
        .next(last.end)
        .filter(|token| matches!(token.token, Token::Comma))
        .map(|token| token.range().end);
    let comma_at = trailing.unwrap_or(last.end);
    let own_lines = tree.follows_line_end(last.start);
    if !own_lines {
        let space = if tree.is_dense() { "" } else { " " };
        let body = member(false, "");
        return match trailing {
            Some(at) => format!("{}{space}{body},{}", &text[..at], &text[at..]),
            None => format!("{},{space}{body}{}", &text[..last.end], &text[last.end..]),
        };
    }
    let indent = tree.indent(last.start);
    // As its neighbour is written.
    let neighbour = &text[last.clone()];
    let many = neighbour.contains('\n')
        || !(neighbour.ends_with('}') && neighbour.contains('{') && container.items.len() > 1);
    let body = member(many, indent);
    let at = tree.after_comments(comma_at);
    let comma = if trailing.is_some() { "" } else { "," };
    let end = if trailing.is_some() { "," } else { "" };
    format!(
        "{}{comma}{}\n{indent}{body}{end}{}",
        &text[..comma_at],
        &text[comma_at..at],
        &text[at..]
    )
}

/// Takes an item with one comma out of its container.
fn cut(tree: &Tree<'_>, container: &Container, nth: usize) -> String {
    let text = tree.text;
    let Some(item) = container.items.get(nth) else { return text.to_owned() };
    let after = tree
        .next(item.end)
        .filter(|token| matches!(token.token, Token::Comma))
        .map(|token| token.range());
    let before = tree
        .tokens
        .iter()
        .rev()
        .find(|token| token.range().end <= item.start && !is_comment(token))
        .filter(|token| matches!(token.token, Token::Comma))
        .map(|token| token.range());
    // With a comma after the last item there is one comma for each item.
    let comma = match (after, before) {
        (Some(comma), _) => Some(comma.start..comma.end),
        (None, Some(comma)) => Some(comma.start..comma.end),
        (None, None) => None,
    };
    let mut cuts = vec![item.clone()];
    cuts.extend(comma);
    cuts.sort_by_key(|cut| cut.start);
    // What is only white space between the two goes with them.
    if let [first, second] = &cuts[..]
        && text[first.end..second.start].trim().is_empty()
    {
        let whole = first.start..second.end;
        cuts.clear();
        cuts.push(whole);
    }
    let mut out = text.to_owned();
    for range in cuts.iter().rev() {
        let mut range = range.clone();
        let from_comma = out[range.clone()].starts_with(',');
        let line_start = out[..range.start].rfind('\n').map(|end| end + 1);
        let head_blank =
            out[line_start.unwrap_or(0)..range.start].trim_matches([' ', '\t']).is_empty();
        let rest = &out[range.end..];
        let line_rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let tail_blank = line_rest.trim_matches([' ', '\t']).is_empty();
        match line_start {
            // The whole line goes, with the end of the line before it.
            Some(start) if head_blank && tail_blank => {
                range.start = start - 1;
                range.end += line_rest.len();
            }
            _ if tail_blank => {
                // The end of a line: without the white space before it.
                range.start = out[..range.start].trim_end_matches([' ', '\t']).len();
            }
            _ => {
                let blank = line_rest.len() - line_rest.trim_start_matches([' ', '\t']).len();
                let closes = line_rest.trim_start().starts_with(['}', ']', ',']);
                if !closes && !from_comma {
                    range.end += blank;
                }
            }
        }
        out.replace_range(range, "");
    }
    // A container that has become empty, without comments in it.
    let close = container.close - (text.len() - out.len());
    if out[container.open + 1..close].trim().is_empty() {
        out.replace_range(container.open + 1..close, "");
    }
    out
}

/// A value as JSON, over several lines or on one.
fn print(tree: &Tree<'_>, value: &Node, many: bool, indent: &str) -> String {
    if !many {
        let line = value.one_line();
        return if tree.is_dense() { value_dense(value) } else { line };
    }
    let unit = tree.unit();
    let inner = format!("{indent}{unit}");
    match value {
        Node::Map(members) if !members.is_empty() => {
            let lines: Vec<String> = members
                .iter()
                .map(|(key, value)| {
                    format!("{inner}{}: {}", quote(key), print(tree, value, true, &inner))
                })
                .collect();
            format!("{{\n{}\n{indent}}}", lines.join(",\n"))
        }
        Node::List(items)
            if items.iter().any(|item| matches!(item, Node::Map(_) | Node::List(_))) =>
        {
            let lines: Vec<String> = items
                .iter()
                .map(|item| format!("{inner}{}", print(tree, item, true, &inner)))
                .collect();
            format!("[\n{}\n{indent}]", lines.join(",\n"))
        }
        value => value.one_line(),
    }
}

fn value_dense(value: &Node) -> String {
    match value {
        Node::List(items) => {
            format!("[{}]", items.iter().map(value_dense).collect::<Vec<_>>().join(","))
        }
        Node::Map(members) => {
            let members: Vec<String> =
                members.iter().map(|(k, v)| format!("{}:{}", quote(k), value_dense(v))).collect();
            format!("{{{}}}", members.join(","))
        }
        leaf => leaf.one_line(),
    }
}
