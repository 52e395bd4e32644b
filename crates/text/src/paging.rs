//! By which arguments of a call pages of one list are told apart.

use serde_json::{Map, Value};

/// Names in small letters without signs whose value is the place of a page.
const PLACES: &str = "page pagenumber pageno pagenum pageindex pageidx pagetoken nextpagetoken pagecursor cursor nextcursor \
    startcursor nexttoken continuationtoken continuation offset skip startindex startat startrow startoffset \
    startposition scrollid marker nextmarker startingafter exclusivestartkey nextpage nextoffset pageoffset bookmark";

/// Names whose value is one where it is a number.
const NUMBERED: &str = "start from after since begin p pg startline fromline linestart offsetlines";

/// Names of how large a page is, which may change from one to the next where its place counts rows or lines.
const SIZES: &str = "limit count size pagesize perpage length maxresults max top take num n rows lines end endline toline \
    lineend endindex to bytecount maxlength maxlines numlines";

/// Parts of names that may be those of a place which an answer offered.
const LIKELY: [&str; 12] = [
    "page", "cursor", "offset", "token", "next", "continu", "marker", "range", "after", "start",
    "from", "skip",
];

/// Bytes of arguments of a call for a page. Longer ones hold what is written somewhere.
pub const MAX_BYTES: usize = 64 * 1024;

fn is_listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

/// A name in small letters without signs.
pub fn plain(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The number that an argument is, also as a text.
pub fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Whether an argument is the place of a page by its name, and by its value where that says more. A negative number
/// counts from the end.
///
/// ```
/// use weir_text::paging::is_place;
/// assert!(is_place("page_token", &"abc".into()) && is_place("start", &7.into()));
/// assert!(!is_place("start", &"2026-01-01".into()) && !is_place("offset", &(-5).into()));
/// ```
pub fn is_place(name: &str, value: &Value) -> bool {
    let name = plain(name);
    match value {
        Value::Number(number) if number.as_u64().is_none() => false,
        _ => is_place_by_name(&name) || is_listed(NUMBERED, &name) && number(value).is_some(),
    }
}

/// Whether a name alone says so.
pub fn is_place_by_name(name: &str) -> bool {
    is_listed(PLACES, &plain(name))
}

/// Whether a name is that of how large a page is.
pub fn is_size(name: &str) -> bool {
    is_listed(SIZES, &plain(name))
}

/// Whether a name may be that of a place, where an answer offered its value.
pub fn is_likely(name: &str) -> bool {
    let name = plain(name);
    LIKELY.iter().any(|part| name.contains(part)) || is_listed(NUMBERED, &name)
}

/// Whether a call with these arguments may ask for a page that follows another: a small result of it is worth a look
/// as well.
pub fn may_follow(arguments: &Map<String, Value>) -> bool {
    arguments.iter().any(|(name, value)| is_place(name, value))
}
