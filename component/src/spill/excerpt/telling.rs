//! The items of a list, and the elements of a document, whose texts say that something went wrong: messages of a log,
//! events, mails.

use super::values::{Place, RARE};
use crate::content::json::{Cursor, Node};
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::anchor::Words;

/// Bytes of a list in which words are looked for, and at its start in which sentences must stand for that.
const LIST_BYTES: u64 = 1024 * 1024;
const SAMPLE_BYTES: u64 = 4 * 1024;

/// Bytes of a document in which words are looked for.
const TEXT_BYTES: u64 = 256 * 1024;

/// Bytes of the shortest text that is a sentence.
const SENTENCE_BYTES: usize = 16;

/// Bytes of a text that is a few words.
const SHORT_BYTES: usize = 80;

/// Bytes before and behind a word in which its sentence is looked at.
const AROUND_BYTES: usize = 256;

/// Where more than one of so many items has a word, it says nothing.
const OFTEN: u64 = 10;

/// The gravest of such items, at most so many, in their order, and a word of the gravest.
pub(super) fn items(
    source: &dyn Source,
    list: &Node,
    most: usize,
    words: impl FnOnce() -> Option<Words>,
) -> Result<(Vec<Place>, String), ReadError> {
    let (start, end) = list.range;
    let has_some = has_sentences(&source.read_range(start, end.min(start + SAMPLE_BYTES))?);
    // To make the words ready costs as much as to go over a page.
    let Some(words) = has_some.then(words).flatten() else {
        return Ok((Vec::new(), String::new()));
    };
    let text = source.read_range(start, end.min(start + LIST_BYTES))?;
    let mut found: Vec<_> = words.all(&text).collect();
    // A key, and a value of its own, of which the others of its column tell.
    found.retain(|&(from, to, _)| {
        !matches!(text.get(to..to + 1), Some(b"\"")) || text[from - 1] != b'"'
    });
    if found.is_empty() || found.len() as u64 * OFTEN > list.children {
        return Ok((Vec::new(), String::new()));
    }
    crate::sort::sort_by(&mut found, |a, b| b.2.cmp(&a.2).then(a.0.cmp(&b.0)));
    found.truncate(most);
    let word = String::from_utf8_lossy(&text[found[0].0..found[0].1]).to_lowercase();
    crate::sort::sort_by_key(&mut found, |(from, ..)| *from);
    let mut places: Vec<Place> = Vec::new();
    let mut cursor = Cursor::new(source, start + 1);
    let mut row = 0;
    for (from, ..) in found {
        let at = start + from as u64;
        while cursor.position() <= at {
            match cursor.peek_token()? {
                Some(b',') => cursor.bump(),
                None | Some(b']') => return Ok((places, word)),
                Some(first) => {
                    let begins = cursor.position();
                    cursor.skip_value(first)?;
                    if at < cursor.position() {
                        places.push((row, begins, at));
                    }
                    row += 1;
                }
            }
        }
    }
    places.dedup_by_key(|place| place.0);
    Ok((places, word))
}

/// Where in marked-up text a sentence between tags or in quotes, or few words that are all of an element, say that
/// something went wrong, by line and byte: the first few, if that is rare among so many elements.
pub(super) fn texts(
    source: &dyn Source,
    elements: u64,
    words: impl FnOnce() -> Option<Words>,
) -> Result<Vec<(u64, u64)>, ReadError> {
    let text = source.read_range(0, TEXT_BYTES)?;
    let Some(words) = (elements > OFTEN).then(words).flatten() else { return Ok(Vec::new()) };
    // Of more, names too, none says anything.
    let found: Vec<_> = words.all(&text).take(elements as usize + 1).collect();
    if found.len() as u64 > elements {
        return Ok(Vec::new());
    }
    // A few words between two tags: where there are more such, they are names.
    let mut short = 0;
    let mut telling = |from: usize, to: usize| {
        let is_edge = |byte: &u8| matches!(byte, b'<' | b'>' | b'"');
        let before = &text[from.saturating_sub(AROUND_BYTES)..from];
        let after = &text[to..text.len().min(to + AROUND_BYTES)];
        let edge = before.iter().rposition(is_edge);
        let start = from - before.len() + edge.map_or(0, |at| at + 1);
        let end = to + after.iter().position(is_edge).unwrap_or(after.len());
        let first = edge.map(|at| before[at]);
        let is_told = first != Some(b'<') && is_sentence(text[start..end].trim_ascii());
        let is_line = end - start < SHORT_BYTES && !text[start..end].contains(&b'\n');
        let is_alone = first == Some(b'>') && text[end..].starts_with(b"</") && is_line;
        let is_word = after.first().is_some_and(|byte| b"< :.,;!&".contains(byte));
        let is_short = !is_told && is_alone && is_word;
        short += u64::from(is_short);
        (is_told || is_short).then_some((from, is_short))
    };
    let mut found: Vec<(usize, bool)> =
        found.into_iter().filter_map(|(from, to, _)| telling(from, to)).collect();
    found.retain(|(_, is_short)| !is_short || short <= RARE);
    if found.len() as u64 * OFTEN > elements {
        return Ok(Vec::new());
    }
    found.truncate(RARE as usize);
    let line = |from: usize| count_newlines(&text[..from]) + 1;
    Ok(found.into_iter().map(|(from, ..)| (line(from), from as u64)).collect())
}

/// Whether a text is several words.
fn is_sentence(text: &[u8]) -> bool {
    text.len() >= SENTENCE_BYTES
        && text.iter().filter(|byte| **byte == b' ').count() > 1
        && text.iter().filter(|byte| byte.is_ascii_alphabetic()).count() * 2 > text.len()
}

/// Whether a text of several words is in a part of JSON.
fn has_sentences(part: &[u8]) -> bool {
    let mut from = 0;
    let quotes = memchr::memchr_iter(b'"', part).filter(|at| *at == 0 || part[at - 1] != b'\\');
    let mut sentences = quotes.filter(|at| {
        let text = &part[from..*at];
        from = at + 1;
        is_sentence(text)
    });
    sentences.nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::json::{Tree, TreeLimits};
    use crate::settings::TransformSettings;

    fn told(text: &str) -> (Vec<u64>, String) {
        let words = || Words::telling(&TransformSettings::default().anchor_words, true);
        let limits = TreeLimits { head_items: 3, tail_items: 1, nodes: 100 };
        let tree = Tree::read(&text.as_bytes(), 0, limits).unwrap();
        let rows = tree.rows().unwrap();
        let (places, word) = items(&text.as_bytes(), &tree.nodes[rows], 3, words).unwrap();
        for (_, start, at) in &places {
            assert!(
                start <= at && text[*at as usize..].to_lowercase().starts_with(&word)
                    || places.len() > 1
            );
        }
        (places.into_iter().map(|(row, ..)| row).collect(), word)
    }

    #[test]
    fn items_whose_texts_tell_of_a_fault_are_found_the_gravest_first() {
        let row = |n: u64, odd: &[(u64, &str)]| {
            let said = odd.iter().find(|(at, _)| *at == n).map(|(_, said)| (*said).to_owned());
            let said = said.unwrap_or_else(|| {
                format!("task {} is done by {}", n * 7, "ab".repeat(n as usize % 5 + 1))
            });
            format!("{{\"id\":{n},\"error\":null,\"state\":\"failed\",\"said\":\"{said}\"}}")
        };
        let list = |odd: &[(u64, &str)]| {
            let rows: Vec<String> = (0..120).map(|n| row(n, odd)).collect();
            format!("{{\"data\":[{}]}}", rows.join(",\n"))
        };
        assert_eq!(told(&list(&[])), (Vec::new(), String::new()));
        assert_eq!(told(&list(&[(70, "ERROR: disk is full")])), (vec![70], "error".to_owned()));
        let several = [
            (9, "it failed: a"),
            (20, "it failed: b"),
            (30, "it failed: c"),
            (80, "panic: it broke down"),
        ];
        assert_eq!(told(&list(&several)).0, [9, 20, 80]);
        let texts: Vec<String> = (0..90)
            .map(|n| format!("\"{}{n} of it is there\"", if n == 66 { "cannot find " } else { "" }))
            .collect();
        let texts = format!("[{}]", texts.join(","));
        assert_eq!(told(&texts).0, [66]);
        assert_eq!(told(&texts.replace("of it", "of \\\"it\\\"")).0, [66]);
        // Where most have such a word, it says nothing.
        let all: Vec<(u64, &str)> = (0..120).map(|n| (n, "this one has an error in it")).collect();
        assert_eq!(told(&list(&all)), (Vec::new(), String::new()));
    }
}
