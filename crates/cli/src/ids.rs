//! Ids as people write them: any unique start of one, in capitals too, or its URI.

use weir_host::contract::BlobStat;
use weir_host::{Error, Weir};

use super::failure::Failure;

/// Before an id where it is a URI.
pub(crate) const URI: &str = "weir://blob/";

/// Digits of every id: with as many the component says what is wrong.
const ID_DIGITS: usize = 12;

/// The fewest digits that the component takes for the start of one.
const START_DIGITS: usize = 4;

/// Ids that a message names.
const NAMED: usize = 5;

/// The id that is meant, among those of a session.
pub(crate) fn resolve(weir: &Weir, session: &str, text: &str) -> Result<String, Failure> {
    let text = text.trim();
    let id = text.strip_prefix(URI).unwrap_or(text).to_ascii_lowercase();
    let is_start = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_start || id.len() >= ID_DIGITS {
        // Whatever it is, the component says so.
        return Ok(id);
    }
    if id.len() >= START_DIGITS {
        match weir.stat(session, &id) {
            Ok(stat) => return Ok(stat.handle.id),
            // What was asked says so too, and why.
            Err(Error::Refused(failure)) if failure.gone.is_some() => return Ok(id),
            Err(_) => {}
        }
    }
    let mut found = starting(weir, session, &id)?;
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(Failure::usage(
            format!("no stored result has an id that begins with {id}"),
            "`weir list` shows what this session has; --session names another",
        )),
        count => {
            found.truncate(NAMED);
            let more = if count > NAMED { " and others" } else { "" };
            Err(Failure::usage(
                format!("{count} ids begin with {id}: {}{more}", found.join(", ")),
                "give more digits",
            ))
        }
    }
}

/// The session's ids that begin so.
pub(crate) fn starting(weir: &Weir, session: &str, start: &str) -> Result<Vec<String>, Failure> {
    let ids = all(weir, session)?.into_iter().map(|entry| entry.handle.id);
    Ok(ids.filter(|id| id.starts_with(start)).collect())
}

/// The id that the session stored last; of several in one second, the one used last.
pub(crate) fn newest(weir: &Weir, session: &str) -> Result<String, Failure> {
    // What was used last comes first, and of equals the last is taken.
    let newest = all(weir, session)?.into_iter().rev().max_by_key(|entry| entry.stored_at);
    newest.map(|entry| entry.handle.id).ok_or_else(|| {
        Failure::usage(
            "nothing is stored in this session",
            "`weir run COMMAND` and `weir transform FILE` store a large result; --session names another session",
        )
    })
}

/// All that a session has stored, the last used first.
pub(crate) fn all(weir: &Weir, session: &str) -> Result<Vec<BlobStat>, Failure> {
    let (mut found, mut more) = (Vec::new(), None);
    loop {
        let page = weir.list_blobs(session, 200, more.as_deref())?;
        found.extend(page.entries);
        more = page.more;
        if more.is_none() {
            return Ok(found);
        }
    }
}
