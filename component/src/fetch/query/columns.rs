//! The names of columns that stand beside the rows of a document.

use jaq_json::Val;

use super::json_path::{next_member, seek_step, value_end};
use super::read::read;
use super::value;
use crate::content::json::Cursor;
pub(super) use crate::content::table::COLUMNS;
use crate::content::table::{COLUMN_NAMES, MAX_COLUMNS, unique};
use crate::source::{ReadError, Source};

/// Bytes of the names of all columns.
const NAMES_BYTES: u64 = 64 * 1024;

/// Bytes of the longest of them.
const COLUMN_BYTES: usize = 17;

/// The names of columns that stand at a byte, when they are as many as wanted: an array of strings, or of objects
/// with names, or an object that has such an array.
#[inline(never)]
pub(super) fn names_at(
    source: &dyn Source,
    at: u64,
    wanted: Option<usize>,
) -> Result<Option<Vec<Val>>, ReadError> {
    let mut cursor = Cursor::new(source, at);
    let Some(first) = cursor.peek_token()? else { return Ok(None) };
    let start = cursor.position();
    cursor.skip_value(first)?;
    let end = cursor.position();
    if !matches!(first, b'[' | b'{') || end - start > NAMES_BYTES {
        return Ok(None);
    }
    let Ok(value) = read(&source.read_range(start, end)?) else { return Ok(None) };
    let member = |of: &Val, names: &[&str]| match of {
        Val::Obj(members) => {
            names.iter().find_map(|name| members.get(&Val::from((*name).to_owned())).cloned())
        }
        _ => None,
    };
    let list = match value {
        Val::Obj(_) => member(&value, &COLUMNS).unwrap_or_default(),
        value => value,
    };
    let Val::Arr(list) = list else { return Ok(None) };
    let names = list.iter().take(MAX_COLUMNS).map(|item| {
        let name = match item {
            Val::Obj(_) => member(item, &COLUMN_NAMES)?,
            item => item.clone(),
        };
        let is_name = matches!(&name, Val::TStr(text) if !text.is_empty());
        is_name.then(|| value::clipped(&name, 200))
    });
    let names: Option<Vec<String>> = names.collect();
    let names = names.filter(|names| match wanted {
        Some(wanted) => names.len() == wanted,
        None => true,
    });
    Ok(names.map(|names| unique(&mut names.into_iter()).into_iter().map(Val::from).collect()))
}

/// Names and where they stand, if there are any, and how many bytes were looked through.
pub(super) type Beside = (Option<(Vec<Val>, u64)>, u64);

/// The names of columns beside an array of arrays: `{"columns": ["a", "b"], "rows": [[1, 2]]}`. `parents` are the
/// steps to the object that has both.
pub(super) fn beside(
    source: &dyn Source,
    start: u64,
    parents: &[String],
    items: u64,
    most: usize,
) -> Result<Beside, ReadError> {
    let mut first = Cursor::new(source, items);
    if first.peek_token()? != Some(b'[') {
        return Ok((None, 0));
    }
    let Some(item) = value_at(source, first.position(), most)? else { return Ok((None, 0)) };
    let Ok(Val::Arr(cells)) = read(&item) else { return Ok((None, 0)) };
    let mut cursor = Cursor::new(source, start);
    cursor.peek_token()?;
    for step in parents {
        if !seek_step(source, &mut cursor, step)? {
            return Ok((None, cursor.position() - start));
        }
    }
    if cursor.peek_token()? != Some(b'{') {
        return Ok((None, cursor.position() - start));
    }
    cursor.bump();
    while let Some((name, at)) = next_member(source, &mut cursor, COLUMN_BYTES)? {
        if name.is_some_and(|name| COLUMNS.contains(&name.as_str()))
            && let Some(columns) = names_at(source, at, Some(cells.len()))?
        {
            return Ok((Some((columns, at)), cursor.position() - start));
        }
        let Some(first) = cursor.peek_token()? else { break };
        cursor.skip_value(first)?;
    }
    Ok((None, cursor.position() - start))
}

/// The text of the value at a byte, unless it is too long.
#[inline(never)]
fn value_at(source: &dyn Source, at: u64, most: usize) -> Result<Option<Vec<u8>>, ReadError> {
    let mut want = 16 * 1024;
    loop {
        let mut bytes = source.read_range(at, at + want as u64)?;
        let all = bytes.len() < want;
        match value_end(&bytes) {
            Some(end) if end < bytes.len() || all => {
                bytes.truncate(end);
                return Ok(Some(bytes));
            }
            _ if all || want > most => return Ok(None),
            _ => want *= 4,
        }
    }
}
