//! Pages of one list: which calls ask for another page of what an earlier call gave, and what the pages are together.
//!
//! Two calls of a tool are of one list where their arguments differ in nothing but the place of a page: by the name
//! of the argument, or because the earlier answer offered the value that the later call sends.

use serde_json::{Map, Value};
use weir_text::paging::{MAX_BYTES, is_likely, is_place, is_place_by_name, is_size, number, plain};

use crate::content::numbers::{counted, thousands};
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::sort::sort_by_key;
use crate::source::Source as _;
use crate::store::{BlobStore, Entry, PageOf};

/// Arguments of a call that are compared, and characters of a name. What has more is no page.
const MAX_ARGUMENTS: usize = 24;
const MAX_NAME_CHARS: usize = 60;

/// What stands before a value that an answer offers.
const OFFERS: [&str; 6] = ["next", "cursor", "token", "more", "continu", "after"];

/// Bytes of each end of an answer in which it offers something, and before a value in which a word says so.
const OFFER_BYTES: u64 = 2_048;
const BEFORE_BYTES: usize = 60;

/// Results of a session, the last used first, among which those before are looked for.
const LOOKED_AT: usize = 256;

/// Results of a session beyond which no pages are looked for.
const MAX_STORED: usize = 2_000;

fn read(arguments: &str) -> Option<Map<String, Value>> {
    if arguments.len() > MAX_BYTES {
        return None;
    }
    match serde_json::from_str(arguments) {
        Ok(Value::Object(arguments)) => Some(arguments),
        _ => None,
    }
}

/// Whether a small result of a call is worth a look: it may be a page that follows another.
pub(crate) fn may_follow(arguments: &str) -> bool {
    read(arguments).is_some_and(|arguments| weir_text::paging::may_follow(&arguments))
}

/// What is kept of a call's arguments, by which its pages are known; none where that is too much.
pub(crate) fn called(arguments: &str) -> Option<PageOf> {
    let arguments = read(arguments)?;
    if arguments.len() > MAX_ARGUMENTS {
        return None;
    }
    let mut page = PageOf::default();
    for (name, value) in &arguments {
        if name.chars().count() > MAX_NAME_CHARS || name.contains(char::is_control) {
            return None;
        }
        let digest = Digest::of(value.to_string().as_bytes()).to_string();
        page.arguments.push((name.clone(), digest[..8].to_owned()));
        if page.place.is_none() && is_place(name, value) {
            page.place = number(value);
            page.by = plain(name);
        }
    }
    Some(page)
}

/// A tool of a server by its name.
pub(crate) fn tool(name: &str, toolset: Option<&str>) -> String {
    format!("{name}\u{1e}{}", toolset.unwrap_or_default()).replace('\u{1f}', " ")
}

/// The pages before a call: all that its session has stored of the list, in order. Empty where it asks for no page
/// of one.
pub(crate) fn before(
    store: &BlobStore,
    session: &str,
    tool: &str,
    arguments: &str,
    now: std::time::SystemTime,
) -> Vec<Entry> {
    let (Some(given), Some(page)) = (read(arguments), called(arguments)) else { return Vec::new() };
    if !given.keys().any(|name| is_likely(name)) {
        return Vec::new();
    }
    // To find them among very many takes longer than it is worth.
    if store.ids(session).map_or(true, |ids| ids.len() > MAX_STORED) {
        return Vec::new();
    }
    let Ok(stored) = store.list(session, None, LOOKED_AT, now) else { return Vec::new() };
    let mut earlier: Vec<&Entry> = stored.entries.iter().collect();
    sort_by_key(&mut earlier, |entry| std::cmp::Reverse(entry.created));
    let found = earlier.into_iter().find_map(|entry| {
        entry.record.each_page().find(|of| {
            // What two pages of the list differ in already needs no offer.
            let is_learnt = |name: &str| {
                let all = stored.entries.iter().flat_map(|entry| entry.record.each_page());
                let mut pages = all.filter(|page| page.tool == tool && page.list == of.list);
                pages.any(|page| digest_of(page, name) != digest_of(of, name))
            };
            let offered = |name: &str, value: &str| is_learnt(name) || offers(store, entry, value);
            of.tool == tool && is_next(&given, &page, of, &offered)
        })
    });
    found.map_or_else(Vec::new, |found| pages(&found.list, &stored.entries))
}

/// Says of which list a page is: that of those before it, else one that begins with it. The same bytes may have been
/// pages of others. Says whether they were one of this list already.
pub(crate) fn place(page: &mut PageOf, earlier: &[Entry], id: &BlobId, known: &[PageOf]) -> bool {
    let is_call = |of: &&PageOf| of.tool == page.tool && of.arguments == page.arguments;
    page.list = match (id_of(earlier), known.iter().find(is_call)) {
        (Some(list), _) => list,
        (None, Some(of)) => of.list.clone(),
        (None, None) => {
            let id = id.to_string();
            let begun = known.iter().filter(|of| of.list.starts_with(&id));
            let begun = begun.map(|of| of.list.len() - id.len()).max().unwrap_or_default();
            id + &"+".repeat(begun + 1)
        }
    };
    if !earlier.is_empty() {
        page.number = earlier.len() as u64 + 1;
    }
    let same = known.iter().find(|of| of.list == page.list);
    let is_again = same.is_some_and(|same| same.arguments != page.arguments);
    if let Some(same) = same {
        *page = same.clone();
    }
    is_again
}

/// What is kept of an argument of a call.
fn digest_of<'p>(page: &'p PageOf, name: &str) -> Option<&'p String> {
    page.arguments.iter().find(|(known, _)| known == name).map(|(_, digest)| digest)
}

/// Whether a call differs from an earlier one in the place of its page alone.
fn is_next(
    given: &Map<String, Value>,
    page: &PageOf,
    earlier: &PageOf,
    offered: &dyn Fn(&str, &str) -> bool,
) -> bool {
    let names = page.arguments.iter().chain(&earlier.arguments).map(|(name, _)| name);
    let mut differing: Vec<&String> =
        names.filter(|name| digest_of(page, name) != digest_of(earlier, name)).collect();
    crate::sort::sort(&mut differing);
    differing.dedup();
    // The first page may have named its place, and this one not.
    let is_named = |name: &&String| match given.get(*name) {
        Some(value) => is_place(name, value),
        None => is_place_by_name(name),
    };
    let (places, others): (Vec<&String>, Vec<&String>) = differing.into_iter().partition(is_named);
    match (&places[..], &others[..]) {
        ([], []) => false,
        (_, []) => true,
        // How many rows there are on a page has a say in what page 2 is.
        ([_, ..], sizes) => {
            page.place.is_some()
                && !page.by.contains("page")
                && sizes.iter().all(|name| is_size(name))
        }
        ([], [one]) if is_likely(one) => given.get(*one).is_some_and(|value| match value {
            Value::String(text) => !text.is_empty() && offered(one, text),
            Value::Number(number) => offered(one, &number.to_string()),
            _ => false,
        }),
        ([], _) => false,
    }
}

/// Whether an answer offers a value, in its first or last bytes.
fn offers(store: &BlobStore, entry: &Entry, value: &str) -> bool {
    let digest = entry.record.text_view.unwrap_or(entry.digest);
    let Ok(blob) = store.open_blob(&digest) else { return false };
    let end = blob.len();
    [(0, OFFER_BYTES.min(end)), (end.saturating_sub(OFFER_BYTES), end)].into_iter().any(
        |(from, to)| {
            let Ok(bytes) = blob.read_range(from, to) else { return false };
            let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
            let value = value.to_ascii_lowercase();
            text.match_indices(&value).any(|(at, _)| {
                let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
                let mut from = at.saturating_sub(BEFORE_BYTES);
                while !text.is_char_boundary(from) {
                    from += 1;
                }
                is_edge(text[..at].chars().next_back())
                    && is_edge(text[at + value.len()..].chars().next())
                    && OFFERS.iter().any(|word| text[from..at].contains(word))
            })
        },
    )
}

/// All pages of a list, in order; of two calls with the same arguments, or for the same place, the later one. Each is
/// known as a page of this list alone.
pub(crate) fn pages(list: &str, stored: &[Entry]) -> Vec<Entry> {
    let of_list = |entry: &Entry| {
        let page = entry.record.each_page().find(|page| page.list == list)?.clone();
        let mut entry = entry.clone();
        (entry.record.page, entry.record.pages) = (Some(page), Vec::new());
        Some(entry)
    };
    let mut pages: Vec<Entry> = stored.iter().filter_map(of_list).collect();
    sort_by_key(&mut pages, |entry| std::cmp::Reverse(entry.created));
    // The first may have been deleted, and its bytes begun a list of another tool.
    let tool = |entry: &Entry| entry.record.page.as_ref().map(|page| page.tool.clone());
    let newest = pages.first().and_then(tool);
    pages.retain(|entry| tool(entry) == newest);
    let place = |entry: &Entry| entry.record.page.as_ref().and_then(|page| page.place);
    let mut seen: Vec<PageOf> = Vec::new();
    pages.retain(|entry| {
        let Some(page) = &entry.record.page else { return true };
        let is_same = |of: &PageOf| {
            of.arguments == page.arguments || page.place.is_some() && of.place == page.place
        };
        let is_new = !seen.iter().any(is_same);
        seen.push(page.clone());
        is_new
    });
    pages.reverse();
    // Cursors have no order but that in which they were used.
    if pages.iter().filter(|entry| place(entry).is_none()).count() <= 1 {
        sort_by_key(&mut pages, |entry| place(entry));
    }
    pages
}

/// The id under which all pages are read.
pub(crate) fn id_of(pages: &[Entry]) -> Option<String> {
    Some(pages.first()?.record.page.as_ref()?.list.clone())
}

/// Whether what a page says of itself is that it is the last: `301-343 of 343`, `Page 4 of 4`.
pub(crate) fn is_last(said: &str) -> bool {
    let mut words = said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut before = [""; 2];
    words.any(|word| {
        let is_end = before[1] == "of" && before[0] == word && word.parse::<u64>().is_ok();
        before = [before[1], word];
        is_end
    })
}

/// Pages that lie between others and are not stored, in words; nothing where the places do not tell. `rows` are those
/// of each page.
pub(crate) fn missing(pages: &[&PageOf], rows: &[Option<u64>]) -> Option<String> {
    let placed: Vec<(u64, Option<u64>)> =
        pages.iter().zip(rows).filter_map(|(page, rows)| Some((page.place?, *rows))).collect();
    let by = pages.iter().find(|page| page.place.is_some())?.by.as_str();
    // The one without a place is the first.
    let has_first = placed.len() < pages.len();
    if by.contains("page") {
        let mut gone = Vec::new();
        let least = placed.first()?.0;
        let start = if has_first { 2.min(least) } else { 1.min(least) };
        let mut next = start;
        for (page, _) in &placed {
            gone.extend((next..*page).take(20));
            next = page.saturating_add(1);
        }
        gone.truncate(20);
        let gone: Vec<String> = gone.into_iter().map(thousands).collect();
        return match gone.len() {
            0 => None,
            1 => Some(format!("page {} is not stored", gone[0])),
            _ => Some(format!("pages {} are not stored", gone.join(", "))),
        };
    }
    if by.contains("line") {
        return None;
    }
    let mut next = match has_first {
        true => rows.first().copied().flatten(),
        false => Some(0),
    };
    for (place, rows) in placed {
        // From 1 on, or from 0.
        let gap = next.map_or(0, |next| place.saturating_sub(next));
        if gap > 1 {
            return Some(format!(
                "{} before offset {} are not stored",
                counted(gap, "row"),
                thousands(place)
            ));
        }
        next = rows.map(|rows| place.saturating_add(rows));
    }
    None
}

#[cfg(test)]
mod tests;
