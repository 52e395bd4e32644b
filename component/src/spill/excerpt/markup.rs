//! The outlines of HTML and XML: headings, and which elements there are.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use super::{List, OUTLINE_LINE_CHARS, Outline, lines_of};
use crate::content::numbers::{counted, thousands};
use crate::content::show::one_line;
use crate::limits::READ_BYTES;
use crate::sort::sort_by;
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::measure::Measure;

/// Bytes of a tag that are looked at: enough for its name.
const TAG_BYTES: usize = 64;

/// Bytes after the start of a heading in which its text is looked for.
const HEADING_BYTES: u64 = 600;

/// Names of elements that are counted apart.
const NAMES: usize = 512;

/// Calls `each` with the offset and the first bytes of every tag, except inside of comments, CDATA
/// and, when `html`, scripts and styles. Its last argument counts lines (from 1) up to the tag: for
/// those few tags of which it matters.
fn each_tag(
    source: &dyn Source,
    html: bool,
    mut each: impl FnMut(u64, &[u8], &mut dyn FnMut() -> u64),
) -> Result<(), ReadError> {
    let mut buf: Vec<u8> = Vec::with_capacity(READ_BYTES + TAG_BYTES);
    let (mut base, mut line) = (0u64, 1u64);
    let mut until: Option<&'static [u8]> = None;
    loop {
        let filled = buf.len();
        buf.resize(filled + READ_BYTES, 0);
        let n = source.read_at(base + filled as u64, &mut buf[filled..])?;
        buf.truncate(filled + n);
        let is_end = n == 0;
        let (mut at, mut counted) = (0, 0);
        loop {
            if let Some(end) = until {
                match memchr::memmem::find(&buf[at..], end) {
                    Some(found) => {
                        at += found + end.len();
                        until = None;
                    }
                    None => {
                        at = at.max((buf.len() + 1).saturating_sub(end.len()));
                        break;
                    }
                }
                continue;
            }
            let Some(found) = memchr::memchr(b'<', &buf[at..]) else {
                at = buf.len();
                break;
            };
            at += found;
            if buf.len() - at < TAG_BYTES && !is_end {
                break;
            }
            let tag = &buf[at..buf.len().min(at + TAG_BYTES)];
            each(base + at as u64, tag, &mut || {
                line += count_newlines(&buf[counted..at]);
                counted = at;
                line
            });
            until = if tag.starts_with(b"<!--") {
                Some(b"-->")
            } else if tag.starts_with(b"<![CDATA[") {
                Some(b"]]>")
            } else if html && tag.get(..7).is_some_and(|t| t.eq_ignore_ascii_case(b"<script")) {
                Some(b"</script")
            } else if html && tag.get(..6).is_some_and(|t| t.eq_ignore_ascii_case(b"<style")) {
                Some(b"</style")
            } else {
                None
            };
            at += 1;
        }
        if is_end {
            return Ok(());
        }
        line += count_newlines(&buf[counted..at.max(counted)]);
        let drop = at.max(counted);
        buf.drain(..drop);
        base += drop as u64;
    }
}

pub(super) fn html(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut places = Vec::new();
    let mut all = 0u64;
    let mut title = None;
    each_tag(source, true, |offset, tag, line| {
        let &[_, h, second, third, ..] = tag else { return };
        if (h | 0x20) == b'h'
            && matches!(second, b'1'..=b'6')
            && matches!(third, b'>' | b' ' | b'\t' | b'\n' | b'\r')
        {
            all += 1;
            if places.len() < super::OUTLINE_LINES {
                places.push((offset, line(), second - b'0'));
            }
        } else if title.is_none() && tag.get(..6).is_some_and(|t| t.eq_ignore_ascii_case(b"<title"))
        {
            title = Some(offset);
        }
    })?;
    let mut lines = Vec::new();
    if let Some(title) = title {
        lines.push(format!("title: {}", inner_text(source, title)?));
    }
    let mut headings = List::new("headings");
    for (offset, line, level) in places {
        let text = inner_text(source, offset)?;
        headings.push(|| format!("{line}: h{level} {text}"));
    }
    headings.all = all;
    Ok(Outline { detail: lines_of(measure), lines, list: headings, ..Outline::default() })
}

/// The text of the element that starts at `offset`, up to its closing tag, without tags inside.
fn inner_text(source: &dyn Source, offset: u64) -> Result<String, ReadError> {
    let bytes = source.read_range(offset, offset + HEADING_BYTES)?;
    let name = bytes[1..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let name = &bytes[1..1 + name];
    let mut text = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'<' {
            let rest = &bytes[at + 1..];
            let closing = rest.strip_prefix(b"/").and_then(|rest| rest.get(..name.len()));
            if closing.is_some_and(|closing| closing.eq_ignore_ascii_case(name)) {
                break;
            }
            at += memchr::memchr(b'>', rest).map_or(rest.len(), |end| end + 1);
        } else {
            text.push(bytes[at]);
        }
        at += 1;
    }
    Ok(one_line(&String::from_utf8_lossy(&text), OUTLINE_LINE_CHARS))
}

/// A name of elements.
struct Name {
    name: Vec<u8>,
    count: u64,
    // The first line that has it.
    line: u64,
}

pub(super) fn xml(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut names: BTreeMap<u64, Name> = BTreeMap::new();
    let mut root: Option<Vec<u8>> = None;
    let mut all = 0u64;
    let mut uncounted = 0u64;
    each_tag(source, false, |_, tag, line| {
        let Some(first) = tag.get(1) else { return };
        if !first.is_ascii_alphabetic() && *first != b'_' && *first < 0x80 {
            return;
        }
        all += 1;
        let len = tag[1..]
            .iter()
            .take_while(|&&b| {
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':' | 0x80..)
            })
            .count();
        let name = &tag[1..1 + len];
        if root.is_none() {
            root = Some(name.to_vec());
        }
        let hash = xxh3_64(name);
        if let Some(found) = names.get_mut(&hash) {
            found.count += 1;
        } else if names.len() < NAMES {
            names.insert(hash, Name { name: name.to_vec(), count: 1, line: line() });
        } else {
            uncounted += 1;
        }
    })?;
    let root = root.unwrap_or_default();
    let root = one_line(&String::from_utf8_lossy(&root), 40);
    let detail = format!("{} in {}", counted(all, "element"), lines_of(measure));
    let mut ranked: Vec<Name> = names.into_values().collect();
    sort_by(&mut ranked, |a, b| {
        b.count.cmp(&a.count).then(a.line.cmp(&b.line)).then(a.name.cmp(&b.name))
    });
    let mut list = List::new(match uncounted {
        0 => "names of elements",
        _ => "names of elements, those met first",
    });
    for Name { name, count, line } in ranked {
        let name = one_line(&String::from_utf8_lossy(&name), 60);
        list.push(|| format!("{} × <{name}> (first in line {line})", thousands(count)));
    }
    let mut lines = vec![format!("--- <{root}> ---")];
    if uncounted > 0 {
        lines.push(format!("--- {} elements have other names ---", thousands(uncounted)));
    }
    Ok(Outline { detail, lines, list, ..Outline::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::measure::Measurer;

    #[test]
    fn names_that_are_not_told_apart_are_said() {
        let of = |names: u64| {
            let text: String = (0..names).map(|n| format!("<a{n}/><a{n}/>\n")).collect();
            xml(&text.as_bytes(), &Measurer::of(text.as_bytes())).unwrap()
        };
        let all = of(NAMES as u64);
        assert_eq!((all.lines.len(), &*all.list.title), (1, "names of elements"));
        assert_eq!(all.detail, "1,024 elements in 512 lines");
        let more = of(NAMES as u64 + 5);
        assert_eq!(more.lines[1], "--- 10 elements have other names ---");
        assert_eq!(more.list.title, "names of elements, those met first");
    }
}
