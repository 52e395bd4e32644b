//! Which earlier result of a session has rows that belong to those of another: `customer` of orders is `id` of customers.
//!
//! Names say what may belong together, and the values of the rows whether they do.

use std::time::SystemTime;

use weir_text::paging::plain;

use crate::content::kind::Kind;
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::sort::sort;
use crate::source::Source;
use crate::spill::excerpt::Query;
use crate::store::{BlobStore, Entry, Record};

/// Results of a session beyond which none is looked for, and how many are looked at: those that were used last.
const MAX_STORED: usize = 256;
const LOOKED_AT: usize = 8;

/// Bytes of each that are read, and the bytes of both that a query reads as one.
const BYTES: u64 = 256 * 1024;
const JOINED_BYTES: u64 = 8 * 1024 * 1024;

/// Values that are looked for in the other rows, and how many must be there.
const SAMPLE: usize = 24;
const LEAST: usize = 3;

/// Names by which rows are known in their own list.
const KEYS: [&str; 11] =
    ["id", "key", "code", "name", "number", "no", "slug", "sku", "login", "email", "uuid"];

/// Names that say the same of any row, and of places in a list.
const PLACES: [&str; 12] = [
    "id", "index", "number", "position", "rank", "row", "n", "no", "line", "order", "step", "count",
];

/// Two results whose rows belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation {
    /// The id of the other.
    pub id: String,
    /// Its tool.
    pub tool: String,
    /// The key of these rows, and that of the others with the same values.
    pub keys: [String; 2],
    /// Whether its values are each of one row alone in the other: else they are here.
    pub is_of_others: bool,
}

impl Relation {
    /// The program that puts rows beside each other, where these are `$a` and the others `$b`.
    pub(super) fn program(&self) -> String {
        let [own, other] = &self.keys;
        match self.is_of_others {
            true => {
                format!(
                    "($b | INDEX(.{other})) as $of | $a[] | {{a: ., b: $of[.{own} | tostring]}}"
                )
            }
            false => {
                format!(
                    "($a | INDEX(.{own})) as $of | $b[] | {{a: $of[.{other} | tostring], b: .}}"
                )
            }
        }
    }
}

/// The last result of a session to whose rows those of a text belong. `digest` is that of the whole result, `record` the
/// text's own.
pub(super) fn find(
    store: &BlobStore,
    session: &str,
    (digest, text, query, record): (&Digest, &dyn Source, &Query, &Record),
    now: SystemTime,
) -> Option<Relation> {
    let is_read = |kind| matches!(kind, Kind::Json | Kind::Ndjson);
    if !is_read(record.kind) || query.keys.is_empty() {
        return None;
    }
    if store.ids(session).map_or(true, |ids| ids.len() > MAX_STORED) {
        return None;
    }
    let list = |record: &Record| record.page.as_ref().map(|page| page.list.clone());
    let stored = store.list(session, None, LOOKED_AT, now).ok()?;
    let others = stored.entries.iter().filter(|entry| {
        is_read(entry.record.kind)
            // The same list once more is no other.
            && (entry.digest != *digest && entry.record.keys != query.keys)
            && entry.bytes + text.len() <= JOINED_BYTES
            && (list(record).is_none() || list(&entry.record) != list(record))
    });
    let mut own: Option<Vec<u8>> = None;
    for entry in others {
        let mut there: Option<Vec<u8>> = None;
        let keys = &entry.record.keys;
        let pairs = query.keys.iter().flat_map(|mine| keys.iter().map(move |key| (mine, key)));
        for (mine, theirs) in pairs {
            if !may_belong((mine, &record.tool), (theirs, &entry.record.tool)) {
                continue;
            }
            let bytes = |text: &dyn Source| text.read_range(0, BYTES.min(text.len()));
            if own.is_none() {
                own = Some(bytes(text).ok()?);
            }
            if there.is_none() {
                let digest = entry.record.text_view.unwrap_or(entry.digest);
                let blob = store.open_blob(&digest).ok();
                there = Some(blob.and_then(|blob| bytes(&blob).ok()).unwrap_or_default());
            }
            let texts = [(&own, mine), (&there, theirs)];
            let values = texts.map(|(text, key)| values(text.as_deref().unwrap_or_default(), key));
            // What counts from 1 in both is a place, such as `execution_count`.
            if plain(mine) == plain(theirs) && values.iter().all(|values| are_places(values)) {
                continue;
            }
            if let Some(is_of_others) = belong(&values[0], &values[1]) {
                let keys = [mine.clone(), theirs.clone()];
                let tool = entry.record.tool.clone();
                return Some(Relation { id: id_of(entry), tool, keys, is_of_others });
            }
        }
    }
    None
}

/// The id of all pages of a list, or of one result.
fn id_of(entry: &Entry) -> String {
    let pages = entry.record.page.as_ref().filter(|page| page.number > 1);
    pages.map_or_else(|| BlobId::to_string(&entry.id), |page| page.list.clone())
}

/// Whether two keys of rows may have the same values, by their names.
fn may_belong((mine, tool): (&str, &str), (theirs, their_tool): (&str, &str)) -> bool {
    let (mine, theirs) = (plain(mine), plain(theirs));
    match mine == theirs {
        true => !PLACES.contains(&&*mine),
        false => names(&mine, &theirs, their_tool) || names(&theirs, &mine, tool),
    }
}

/// Whether a key is a name for rows of a tool that are known by another: `customer`, `customer_id` for `id` of
/// `list_customers`.
fn names(name: &str, key: &str, tool: &str) -> bool {
    let noun = KEYS.iter().find_map(|key| name.strip_suffix(key)).unwrap_or(name);
    // `category` is one of `categories`.
    let noun = noun.strip_suffix('y').unwrap_or(noun);
    let key = KEYS.iter().find(|known| key.ends_with(**known));
    key.is_some() && noun.len() >= LEAST && plain(tool).contains(noun)
}

/// Whether the values of two keys are the same ones: then whether those of the others are each of one row.
fn belong(own: &[&[u8]], there: &[&[u8]]) -> Option<bool> {
    let sets = [own, there].map(|values| {
        let mut set = values.to_vec();
        sort(&mut set);
        set.dedup();
        set
    });
    let found = |values: &[&[u8]], others: &[&[u8]]| {
        let sample = &values[..values.len().min(SAMPLE)];
        let found = sample.iter().filter(|value| others.binary_search(value).is_ok()).count();
        found >= LEAST && found * 3 >= sample.len() * 2
    };
    let is_found = found(&sets[0], &sets[1]) || found(&sets[1], &sets[0]);
    let [is_own, is_of_others] = [own.len() == sets[0].len(), there.len() == sets[1].len()];
    (is_found && (is_own || is_of_others)).then_some(is_of_others)
}

/// Whether values are the numbers from 0 or 1 on, none left out.
fn are_places(values: &[&[u8]]) -> bool {
    let number = |value: &&[u8]| std::str::from_utf8(value).ok()?.parse::<u64>().ok();
    let Some(mut numbers) = values.iter().map(number).collect::<Option<Vec<u64>>>() else {
        return false;
    };
    sort(&mut numbers);
    numbers.dedup();
    let from = numbers.first().copied().unwrap_or_default();
    from < 2 && (from..).zip(&numbers).all(|(place, number)| place == *number)
}

/// The texts and numbers under a key, as they are written.
fn values<'t>(text: &'t [u8], key: &str) -> Vec<&'t [u8]> {
    let key = format!("\"{key}\"");
    let ends = memchr::memmem::find_iter(text, key.as_bytes()).map(|at| at + key.len());
    let value = |end: usize| {
        let value = text[end..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let length = match value.first()? {
            b'"' => memchr::memchr(b'"', &value[1..])? + 2,
            b'-' | b'0'..=b'9' => value.iter().position(|byte| b",}] \r\n".contains(byte))?,
            _ => return None,
        };
        Some(&value[..length])
    };
    ends.filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_may_belong_together() {
        for (mine, theirs) in [
            (("customer", "list_orders"), ("id", "list_customers")),
            (("customer_id", "orders"), ("id", "get_customers")),
            (("categoryId", "products"), ("id", "listCategories")),
            (("id", "list_users"), ("user_login", "list_commits")),
            (("sku", "stock"), ("sku", "prices")),
            (("product_code", "stock"), ("code", "products")),
        ] {
            assert!(may_belong(mine, theirs), "{mine:?} {theirs:?}");
            assert!(may_belong(theirs, mine), "{mine:?} {theirs:?}");
        }
        for (mine, theirs) in [
            (("id", "list_orders"), ("id", "list_customers")),
            (("customer", "list_orders"), ("id", "list_products")),
            (("total", "list_orders"), ("id", "list_customers")),
            (("customer", "list_orders"), ("city", "list_customers")),
        ] {
            assert!(!may_belong(mine, theirs), "{mine:?} {theirs:?}");
        }
    }

    #[test]
    fn what_counts_from_one_is_a_place() {
        assert!(are_places(&[&b"2"[..], b"1", b"3", b"2"]) && are_places(&[&b"0"[..], b"1"]));
        assert!(!are_places(&[&b"1"[..], b"3"]) && !are_places(&[&b"7"[..], b"8"]));
        assert!(!are_places(&[&b"\"a\""[..], b"1"]));
    }

    #[test]
    fn values_say_whether_rows_belong_together() {
        let written = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>();
        let told = |own: &[u32], there: &[u32]| {
            let (own, there) = (written(own), written(there));
            let bytes = |all: &[String]| -> Vec<Vec<u8>> {
                all.iter().map(|it| it.clone().into_bytes()).collect()
            };
            let (own, there) = (bytes(&own), bytes(&there));
            let slices = |all: &'static [Vec<u8>]| -> Vec<&'static [u8]> {
                all.iter().map(|it| &it[..]).collect()
            };
            belong(&slices(own.leak()), &slices(there.leak()))
        };
        assert_eq!(told(&[7, 8, 9, 7, 8], &[1, 7, 8, 9, 10]), Some(true));
        assert_eq!(told(&[1, 7, 8, 9, 10], &[7, 8, 9, 7, 8]), Some(false));
        assert_eq!(told(&[7, 8, 7, 8], &[1, 7, 8, 9]), None, "too few");
        assert_eq!(told(&[7, 8, 9, 7], &[7, 8, 9, 9]), None, "of many rows on both sides");
        assert_eq!(told(&[7, 8, 9, 21, 22, 23], &[7, 8, 9, 31, 32, 33]), None);
        assert_eq!(
            values(br#"[{"a": "x", "b":1},{"a":"y\"z","b": -2.5 },{"b":null}]"#, "b"),
            [&b"1"[..], b"-2.5"]
        );
    }
}
