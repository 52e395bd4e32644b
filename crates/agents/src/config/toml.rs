//! Edits of TOML through `toml_edit`, which keeps comments and order.
//!
//! Texts have `\n` as the end of lines here and no byte order mark; see [`super::layout`].

use toml_edit::{
    Array, ArrayOfTables, DocumentMut, InlineTable, Item, RawString, Table, TableLike, Value,
};

use super::error::EditError;
use super::format::SyntaxError;
use super::node::Node;

fn parse(text: &str) -> Result<DocumentMut, EditError> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        EditError::Syntax(SyntaxError(error.message().to_owned()))
    })
}

/// Puts a value at the end of the path, with the tables that lead to it.
pub(super) fn set(text: &str, path: &[String], value: &Node) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some((key, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    let end = end(&mut document, text);
    let mut ends = false;
    let (parent, inline) = parent(&mut document, parents)?;
    let replaced = parent.get(key);
    let mut item = match value {
        Node::Map(_) if !inline && !replaced.is_some_and(Item::is_value) => {
            ends = replaced.is_none();
            Item::Table(if ends { last_table(value, &end)? } else { table(value)? })
        }
        value => Item::Value(plain(value)?),
    };
    match parent.get_mut(key) {
        Some(place) => {
            keep_decor(place, &mut item);
            *place = item;
        }
        None => {
            // The space before the closing brace stays there.
            if inline
                && let Some(last) =
                    parent.iter_mut().last().and_then(|(_, item)| item.as_value_mut())
                && let Some(suffix) = last.decor().suffix().cloned()
                && let Some(new) = item.as_value_mut()
            {
                last.decor_mut().set_suffix("");
                new.decor_mut().set_prefix(" ");
                new.decor_mut().set_suffix(suffix);
            }
            parent.insert(key, item);
        }
    }
    Ok(written(document, ends))
}

/// Appends an item to the array, or the table to the array of tables, at the end of the path.
pub(super) fn append(text: &str, path: &[String], item: &Node) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some((key, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    let end = end(&mut document, text);
    let mut ends = false;
    let (parent, inline) = parent(&mut document, parents)?;
    let is_table = matches!(item, Node::Map(_)) && !inline;
    match parent.get_mut(key) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.push(last_table(item, &end)?);
            ends = true;
        }
        Some(Item::Value(Value::Array(array))) => {
            // As the items before it are written.
            let prefix = array.iter().last().and_then(|last| last.decor().prefix()).cloned();
            let mut value = plain(item)?;
            match prefix {
                Some(prefix) => value.decor_mut().set_prefix(prefix),
                None => value.decor_mut().set_prefix(if array.is_empty() { "" } else { " " }),
            }
            array.push_formatted(value);
        }
        Some(_) => return Err(EditError::NotAList(path.join("."))),
        None if is_table => {
            let mut tables = ArrayOfTables::new();
            tables.push(last_table(item, &end)?);
            ends = true;
            parent.insert(key, Item::ArrayOfTables(tables));
        }
        None => {
            let mut array = Array::new();
            array.push(plain(item)?);
            parent.insert(key, Item::Value(Value::Array(array)));
        }
    }
    Ok(written(document, ends))
}

/// Takes out what is at the end of the path. Comments above it stay.
pub(super) fn remove(text: &str, path: &[String]) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some((key, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    let Some(table) = find(&mut document, parents) else { return Ok(text.to_owned()) };
    let above = table.key(key).and_then(|key| comments(key.leaf_decor().prefix(), text));
    let names: Vec<String> = table.iter().map(|(name, _)| name.to_owned()).collect();
    let Some(removed) = table.remove(key) else { return Ok(text.to_owned()) };
    // Comments above and behind a key and its value move to the key below.
    if let Item::Value(value) = &removed {
        let behind = comments(value.decor().suffix(), text);
        let behind = behind.map(|comment| format!("{}\n", comment.trim()));
        let comment = above.unwrap_or_default() + &behind.unwrap_or_default();
        let below = names.iter().skip_while(|name| *name != key).nth(1);
        let below = below
            .and_then(|name| table.get_key_value_mut(name))
            .filter(|(_, item)| item.is_value());
        if let Some((mut key, _)) = below
            && !comment.is_empty()
        {
            let old = raw(key.leaf_decor().prefix(), text).to_owned();
            key.leaf_decor_mut().set_prefix(format!("{comment}{old}"));
        } else if !comment.is_empty() {
            give(&mut document, position_of(text, parents), &comment, text);
        }
        return Ok(document.to_string());
    }
    give_comments(&mut document, removed, text);
    Ok(document.to_string())
}

/// Takes the item of this number out of the array at the end of the path.
pub(super) fn remove_item(text: &str, path: &[String], nth: usize) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some((key, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    let Some(table) = find(&mut document, parents) else { return Ok(text.to_owned()) };
    let mut removed = Item::None;
    match table.get_mut(key) {
        Some(Item::ArrayOfTables(tables)) if nth < tables.len() => {
            removed = tables.get(nth).cloned().map_or(Item::None, Item::Table);
            tables.remove(nth);
            if tables.is_empty() {
                table.remove(key);
            }
        }
        Some(Item::Value(Value::Array(array))) if nth < array.len() => {
            let removed = array.remove(nth);
            // The first item stands where the one before it stood.
            if nth == 0
                && let Some(first) = array.get_mut(0)
                && let Some(prefix) = removed.decor().prefix()
            {
                first.decor_mut().set_prefix(prefix.clone());
            }
        }
        _ => {}
    }
    give_comments(&mut document, removed, text);
    Ok(document.to_string())
}

fn find<'d>(document: &'d mut DocumentMut, path: &[String]) -> Option<&'d mut dyn TableLike> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for key in path {
        table = table.get_mut(key)?.as_table_like_mut()?;
    }
    Some(table)
}

/// The place of a table among the tables of the file.
fn position_of(text: &str, path: &[String]) -> isize {
    let Ok(document) = parse(text) else { return 0 };
    let mut table = document.as_table();
    for key in path {
        match table.get(key).and_then(Item::as_table) {
            Some(inner) => table = inner,
            None => break,
        }
    }
    table.position().unwrap_or_default()
}

/// The table of this path, made where it is missing, and whether it is an inline one.
fn parent<'d>(
    document: &'d mut DocumentMut,
    path: &[String],
) -> Result<(&'d mut dyn TableLike, bool), EditError> {
    let mut table: &mut dyn TableLike = document.as_table_mut();
    let mut inline = false;
    for (depth, key) in path.iter().enumerate() {
        if table.get(key).is_none() {
            let item = if inline {
                Item::Value(Value::InlineTable(InlineTable::new()))
            } else {
                let mut new = Table::new();
                new.set_implicit(true);
                Item::Table(new)
            };
            table.insert(key, item);
        }
        let next = table.get_mut(key);
        let next = next.filter(|item| item.is_table_like());
        let next = next.ok_or_else(|| EditError::NotAnObject(path[..=depth].join(".")))?;
        inline = inline || next.is_inline_table();
        table = next
            .as_table_like_mut()
            .ok_or_else(|| EditError::NotAnObject(path[..=depth].join(".")))?;
    }
    Ok((table, inline))
}

fn table(value: &Node) -> Result<Table, EditError> {
    let mut table = Table::new();
    for (key, value) in value.as_map().unwrap_or_default() {
        table.insert(key, Item::Value(plain(value)?));
    }
    Ok(table)
}

/// The end of a document: the place after its last table, and the text there with an empty line.
struct End {
    position: isize,
    gap: String,
}

fn end(document: &mut DocumentMut, text: &str) -> End {
    let mut position = 0;
    each_table(document.as_item_mut(), &mut |table| {
        position = position.max(table.position().unwrap_or_default());
    });
    let mut gap = raw(Some(document.trailing()), text).to_owned();
    if !gap.is_empty() && !gap.ends_with('\n') {
        gap.push('\n');
    }
    if !text.trim().is_empty() && !text.ends_with("\n\n") {
        gap.push('\n');
    }
    End { position: position + 1, gap }
}

/// A table that is written at the end of the document.
fn last_table(value: &Node, end: &End) -> Result<Table, EditError> {
    let mut table = table(value)?;
    table.decor_mut().set_prefix(end.gap.as_str());
    table.set_position(Some(end.position));
    Ok(table)
}

fn plain(value: &Node) -> Result<Value, EditError> {
    Ok(match value {
        Node::Null => return Err(EditError::NoNull),
        Node::Bool(value) => Value::from(*value),
        Node::Text(text) => Value::from(text.as_str()),
        Node::Number(number) => match number.parse::<i64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(number.parse::<f64>().map_err(|_| EditError::NoNull)?),
        },
        Node::List(items) => {
            Value::Array(items.iter().map(plain).collect::<Result<Array, EditError>>()?)
        }
        Node::Map(members) => {
            let mut table = InlineTable::new();
            for (key, value) in members {
                table.insert(key, plain(value)?);
            }
            Value::InlineTable(table)
        }
    })
}

/// White space and comments of what is replaced.
fn keep_decor(old: &Item, new: &mut Item) {
    match (old, new) {
        (Item::Value(old), Item::Value(new)) => *new.decor_mut() = old.decor().clone(),
        (Item::Table(old), Item::Table(new)) => *new.decor_mut() = old.decor().clone(),
        _ => {}
    }
}

fn raw<'a>(decor: Option<&'a RawString>, text: &'a str) -> &'a str {
    let Some(decor) = decor else { return "" };
    match decor.span() {
        Some(span) => text.get(span).unwrap_or_default(),
        None => decor.as_str().unwrap_or_default(),
    }
}

/// The comments of a decor, a line each, if there are any.
fn comments(decor: Option<&RawString>, text: &str) -> Option<String> {
    let raw = raw(decor, text);
    raw.contains('#').then(|| raw.to_owned())
}

/// What is done with each table of an item, from above to below.
fn each_table(item: &mut Item, what: &mut dyn FnMut(&mut Table)) {
    let tables: Vec<&mut Table> = match item {
        Item::Table(table) => vec![table],
        Item::ArrayOfTables(tables) => tables.iter_mut().collect(),
        _ => Vec::new(),
    };
    for table in tables {
        what(table);
        table.iter_mut().for_each(|(_, item)| each_table(item, what));
    }
}

/// Keeps the comments above a table that was taken out, and above the tables in it.
fn give_comments(document: &mut DocumentMut, mut removed: Item, text: &str) {
    let mut kept: Vec<(isize, String)> = Vec::new();
    each_table(&mut removed, &mut |table| {
        let comment = comments(table.decor().prefix(), text);
        kept.extend(comment.map(|comment| (table.position().unwrap_or_default(), comment)));
    });
    kept.sort_by_key(|(position, _)| *position);
    if let Some((after, _)) = kept.last() {
        let after = *after;
        let kept: String = kept.into_iter().map(|(_, comment)| comment).collect();
        give(document, after, &kept, text);
    }
}

/// Puts comments above the next table after this place, else at the end of the file.
fn give(document: &mut DocumentMut, after: isize, comments: &str, text: &str) {
    let mut best: Option<isize> = None;
    each_table(document.as_item_mut(), &mut |table| {
        let place = table.position().filter(|at| *at > after && !table.is_implicit());
        best = best.into_iter().chain(place).min();
    });
    let mut given = false;
    each_table(document.as_item_mut(), &mut |table| {
        if best.is_some() && table.position() == best && !given {
            let old = raw(table.decor().prefix(), text).to_owned();
            table.decor_mut().set_prefix(format!("{comments}{old}"));
            given = true;
        }
    });
    if given {
        return;
    }
    let old = raw(Some(document.trailing()), text).to_owned();
    document.set_trailing(format!("{comments}{old}"));
}

/// A document with what we put in, whether as a table at its end or not. What we write ends its last line.
fn written(mut document: DocumentMut, ends: bool) -> String {
    if ends {
        document.set_trailing("");
    }
    let text = document.to_string();
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
}
