//! The outline of XML: which elements there are, and which of them are like no other; and rows of HTML's tables that are.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::values::{COMMON, Place, RARE, Values};
use super::{ExcerptRequest, List, Outline, elision, lines_of, table, telling};
use crate::content::marks::each_tag;
use crate::content::numbers::{counted, thousands};
use crate::content::show::one_line;
use crate::sort::{sort_by, sort_by_key};
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::anchor::Hit;
use crate::spill::measure::Measure;

/// Names of elements that are counted apart, and attributes of them.
const NAMES: usize = 512;

/// Values of an attribute that are told apart: of one with more, none is rare.
const VALUES: usize = 8;

/// Bytes before a tag in which its line begins, or it is shown from there.
const LINE_BYTES: u64 = 512;

/// Parts of the names of elements that tell of a fault.
const FAULTS: [&[u8]; 4] = [b"fail", b"error", b"fault", b"exception"];

/// Bytes at the end of a document in which its root ends.
const END_BYTES: u64 = 4_096;

/// How often something was met, and where first: lines, and bytes of their tags.
#[derive(Default)]
struct Met {
    times: u64,
    first: Vec<(u64, u64)>,
}

impl Met {
    fn push(&mut self, at: u64, line: &mut dyn FnMut() -> u64) {
        self.times += 1;
        if self.times <= RARE {
            self.first.push((line(), at));
        }
    }
}

/// Elements of one name, or the values of one attribute of them: one type, as each map of another is compiled anew.
#[derive(Default)]
struct Named {
    name: Vec<u8>,
    met: Met,
    values: Vec<(u64, Met)>,
    are_many: bool,
}

impl Named {
    fn push_value(&mut self, value: &[u8], at: u64, line: &mut dyn FnMut() -> u64) {
        if self.are_many {
            return;
        }
        let hash = xxh3_64(value);
        if let Some((_, met)) = self.values.iter_mut().find(|(known, _)| *known == hash) {
            return met.push(at, line);
        }
        self.are_many = self.values.len() == VALUES;
        let mut met = Met::default();
        met.push(at, line);
        self.values.push((hash, met));
    }

    /// Where those values are that nearly all others do not have.
    fn rare(&self) -> impl Iterator<Item = &(u64, u64)> {
        let most = self.values.iter().map(|(_, met)| met.times).max().unwrap_or(0);
        let met = self.values.iter().map(|(_, met)| met);
        let is_rare = move |met: &&Met| !self.are_many && most >= COMMON && met.times <= RARE;
        met.filter(is_rare).flat_map(|met| &met.first)
    }
}

/// The elements of a document.
#[derive(Default)]
struct Elements {
    names: BTreeMap<u64, Named>,
    values: BTreeMap<u64, Named>,
    // What may say that there is more, each with the name of its element.
    said: Vec<(u64, elision::Element)>,
    root: Option<Vec<u8>>,
    all: u64,
    uncounted: u64,
}

impl Elements {
    /// Takes the tag at a place; `line` counts the lines up to it.
    fn take(&mut self, at: u64, tag: &[u8], line: &mut dyn FnMut() -> u64) {
        let Some(first) = tag.get(1) else { return };
        if !first.is_ascii_alphabetic() && *first != b'_' && *first < 0x80 {
            return;
        }
        self.all += 1;
        let len = tag[1..]
            .iter()
            .take_while(|&&b| {
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':' | 0x80..)
            })
            .count();
        let (name, rest) = tag[1..].split_at(len);
        if self.root.is_none() {
            self.root = Some(name.to_vec());
        }
        let hash = xxh3_64(name);
        if let Some(named) = self.names.get_mut(&hash) {
            named.met.push(at, line);
        } else if self.names.len() < NAMES {
            let mut named = Named { name: name.to_vec(), ..Named::default() };
            named.met.push(at, line);
            self.names.insert(hash, named);
        } else {
            self.uncounted += 1;
        }
        each_member(rest, |offset, key, value| {
            let member = xxh3_64_with_seed(key, hash);
            if self.values.len() < NAMES || self.values.contains_key(&member) {
                // Attributes may stand on lines of their own.
                let before = &tag[..tag.len() - rest.len() + offset];
                let below = count_newlines(before);
                let at = if below > 0 { at + before.len() as u64 } else { at };
                self.values
                    .entry(member)
                    .or_default()
                    .push_value(value, at, &mut || line() + below);
            }
            if self.said.len() < NAMES {
                self.said.extend(elision::Element::of(name, key, value).map(|found| (hash, found)));
            }
        });
    }
}

pub(super) fn xml(source: &dyn Source, request: &ExcerptRequest<'_>) -> Result<Outline, ReadError> {
    let measure = request.measure;
    let mut found = Elements::default();
    each_tag(source, false, |at, tag, line| found.take(at, tag, line))?;
    let Elements { names, values, mut said, root, all, uncounted } = found;
    let root = root.unwrap_or_default();
    let end = source.read_range(source.len().saturating_sub(END_BYTES), source.len())?;
    let is_cut = all > 1
        && !end.trim_ascii_end().ends_with(b"/>")
        && memchr::memmem::rfind(&end, &[b"</", &root[..]].concat()).is_none();
    let root = one_line(&String::from_utf8_lossy(&root), 40);
    let detail = format!("{} in {}", counted(all, "element"), lines_of(measure));
    let most = names.values().map(|named| named.met.times).max().unwrap_or(0);
    // Rows may have members of such names; what is said of all of them is said once.
    said.retain(|(name, _)| names.get(name).is_some_and(|named| named.met.times == 1));
    let elided = elision::in_elements(said.into_iter().map(|(_, found)| found), most);
    let mut ranked: Vec<Named> = names.into_values().collect();
    sort_by(&mut ranked, |a, b| {
        let order = b.met.times.cmp(&a.met.times).then(a.met.first.cmp(&b.met.first));
        order.then(a.name.cmp(&b.name))
    });
    // A line is no place in a document without.
    let has_lines = measure.lines >= COMMON;
    let mut list = List::new(match uncounted {
        0 => "names of elements",
        _ => "names of elements, those met first",
    });
    let mut odd: Vec<(u64, u64, bool)> = Vec::new();
    for Named { name, met: Met { times, first }, .. } in ranked {
        let is_fault = FAULTS.iter().any(|part| holds(&name, part));
        if most >= COMMON && (times <= RARE || is_fault && times * 2 <= most) {
            odd.extend(first.iter().map(|&(line, at)| (line, at, is_fault)));
        }
        let name = one_line(&String::from_utf8_lossy(&name), 60);
        let (line, at) = first.first().copied().unwrap_or_default();
        let place = match has_lines {
            true => format!("in line {line}"),
            false => format!("at byte {at}"),
        };
        list.push(|| format!("{} × <{name}> (first {place})", thousands(times)));
    }
    let rare = values.values().flat_map(Named::rare);
    odd.extend(rare.map(|&(line, at)| (line, at, true)));
    let told = telling::texts(source, all, || super::text::words_in_any(request.settings))?;
    odd.extend(told.into_iter().map(|(line, at)| (line, at, true)));
    let mut lines = vec![format!("--- <{root}> ---")];
    if is_cut {
        lines.push(format!("--- incomplete: the XML stops before <{root}> ends ---"));
    }
    sort_by_key(&mut odd, |&(line, at, is_sure)| (line, !is_sure, at));
    if !has_lines {
        lines.extend(pieces(source, std::mem::take(&mut odd))?);
    }
    if uncounted > 0 {
        lines.push(format!("--- {} elements have other names ---", thousands(uncounted)));
    }
    Ok(Outline { detail, lines, list, odd: hits(source, odd)?, elided, ..Outline::default() })
}

/// Odd elements of a document without lines that are shown, and bytes before and of each.
const PIECES: usize = 3;
const BEFORE_BYTES: u64 = 160;
const PIECE_BYTES: u64 = 360;

/// What stands around odd elements, each from the start of an element on.
fn pieces(source: &dyn Source, mut odd: Vec<(u64, u64, bool)>) -> Result<Vec<String>, ReadError> {
    if odd.iter().any(|(.., is_sure)| *is_sure) {
        odd.retain(|(.., is_sure)| *is_sure);
    }
    // The root is met once, and of many names that are none says anything.
    if odd.first().is_some_and(|(.., is_sure)| !is_sure) {
        odd.remove(0);
    }
    if odd.len() > PIECES && !odd.iter().any(|(.., is_sure)| *is_sure) {
        odd.clear();
    }
    let (mut lines, mut end) = (Vec::new(), 0);
    for (_, at, _) in odd {
        if at < end || lines.len() == PIECES {
            continue;
        }
        let from = at.saturating_sub(BEFORE_BYTES).max(end);
        end = from + PIECE_BYTES;
        let bytes = source.read_range(from, end)?;
        let start = memchr::memchr(b'<', &bytes).unwrap_or(0);
        let text = String::from_utf8_lossy(&bytes[start..]);
        lines.push(format!(
            "byte {}: {}",
            from + start as u64,
            one_line(&text, PIECE_BYTES as usize)
        ));
    }
    if !lines.is_empty() {
        lines.insert(0, "--- elements that are like few others ---".to_owned());
    }
    Ok(lines)
}

/// Columns of a table and rows of a page that are looked at, and bytes of a row that is shown.
const COLUMNS: usize = 32;
const ROWS: usize = 1 << 16;
const ROW_BYTES: u64 = 2048;

/// The rows of a page's tables that have a value which nearly all others do not have, each as its cells are read.
pub(super) fn html_rows(source: &dyn Source, measure: &Measure) -> Result<Vec<String>, ReadError> {
    let (mut rows, mut row) = (0, (0, 0, 0));
    let (mut columns, mut column): (Vec<Values>, usize) = (Vec::new(), 0);
    let mut odd: Vec<Place> = Vec::new();
    each_tag(source, true, |at, tag, line| match tag {
        [_, b't' | b'T', b'r' | b'R', b'>' | b' ' | b'\t' | b'\r' | b'\n', ..] if rows < ROWS => {
            rows += 1;
            row = (line(), at, at);
            column = 0;
        }
        [_, b't' | b'T', b'd' | b'D', b'>' | b' ' | b'\t' | b'\r' | b'\n', ..]
            if rows > 0 && column < COLUMNS =>
        {
            // Behind a table within a cell the row goes on.
            columns.resize_with(columns.len().max(column + 1), Values::default);
            columns[column].place = row;
            columns[column].push(cells(tag, 1).as_bytes());
            column += 1;
        }
        [_, b'/', rest @ ..] if rest.len() > 4 && rest[..5].eq_ignore_ascii_case(b"table") => {
            odd.extend(table::rare(&std::mem::take(&mut columns)));
        }
        _ => {}
    })?;
    odd.extend(table::rare(&columns));
    let mut lines = Vec::new();
    for &(line, at, _) in odd.iter().take(PIECES) {
        let text = cells(&source.read_range(at, at + ROW_BYTES)?, COLUMNS);
        let place = match measure.lines >= COMMON {
            true => format!("line {line}"),
            false => format!("byte {at}"),
        };
        lines.push(format!("{place}: {}", one_line(&text, PIECE_BYTES as usize)));
    }
    if !lines.is_empty() {
        lines.insert(0, "--- rows that are like few others ---".to_owned());
    }
    Ok(lines)
}

/// What is read of the first cells of a row, without tags: `7 | web | failed`.
fn cells(row: &[u8], most: usize) -> String {
    let (mut text, mut met) = (Vec::new(), 0);
    for piece in row.split(|&byte| byte == b'<').skip(1) {
        let is =
            |name: &[u8]| piece.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name));
        let is_cell = is(b"td") || is(b"th");
        if is(b"/tr") || is(b"tr") && met > 0 || (is_cell || is(b"/td")) && met == most {
            break;
        }
        met += usize::from(is_cell);
        if is_cell && met > 1 {
            text.extend(b" | ");
        }
        if let Some(end) = memchr::memchr(b'>', piece) {
            text.extend(&piece[end + 1..]);
        }
    }
    String::from_utf8_lossy(&text).trim().to_owned()
}

/// The lines of odd elements, each once. Sure are those that tell of a fault, or have a rare value.
fn hits(source: &dyn Source, mut odd: Vec<(u64, u64, bool)>) -> Result<Vec<Hit>, ReadError> {
    odd.dedup_by_key(|(line, ..)| *line);
    let hit = |(line, at, is_sure): (u64, u64, bool)| {
        let from = at.saturating_sub(LINE_BYTES);
        let before = source.read_range(from, at)?;
        let start = memchr::memrchr(b'\n', &before).map_or(from, |end| from + end as u64 + 1);
        Ok(Hit { is_sure, ..Hit::odd(line, start, at) })
    };
    odd.into_iter().map(hit).collect()
}

fn holds(name: &[u8], part: &[u8]) -> bool {
    name.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part))
}

/// Calls `each` with the attributes of a tag, from behind its name on, and with the text that is all of the element,
/// under no name; before each its place.
fn each_member(all: &[u8], mut each: impl FnMut(usize, &[u8], &[u8])) {
    let mut rest = all;
    loop {
        rest = rest.trim_ascii_start();
        if let Some(text) = rest.strip_prefix(b">") {
            if let Some(end) = memchr::memmem::find(text, b"</")
                && memchr::memchr(b'<', text) == Some(end)
            {
                each(0, b"", text[..end].trim_ascii());
            }
            return;
        }
        if matches!(rest.first(), None | Some(b'/' | b'<')) {
            return;
        }
        let Some(equals) = memchr::memchr(b'=', rest) else { return };
        let value = rest[equals + 1..].trim_ascii_start();
        let &[quote @ (b'"' | b'\''), ref value @ ..] = value else { return };
        let Some(end) = memchr::memchr(quote, value) else { return };
        each(all.len() - rest.len(), rest[..equals].trim_ascii_end(), &value[..end]);
        rest = &value[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::kind::Kind;
    use crate::settings::TransformSettings;
    use crate::spill::measure::Measurer;

    fn outlined(text: &str) -> Outline {
        let measure = Measurer::of(text.as_bytes());
        let request = ExcerptRequest {
            kind: Kind::Xml,
            measure: &measure,
            settings: &TransformSettings::default(),
            budget_chars: 4_000,
            is_error: false,
            purpose: None,
        };
        xml(&text.as_bytes(), &request).unwrap()
    }

    #[test]
    fn names_that_are_not_told_apart_are_said() {
        let of = |names: u64| {
            let text: String = (0..names).map(|n| format!("<a{n}/><a{n}/>\n")).collect();
            outlined(&text)
        };
        let all = of(NAMES as u64);
        assert_eq!((all.lines.len(), &*all.list.title), (1, "names of elements"));
        assert_eq!(all.detail, "1,024 elements in 512 lines");
        let item = "<item><name>a</name></item>\n".repeat(40);
        for (end, lines) in [("</items>\n", 1), ("", 2), ("<item><na", 2), ("<item/>", 1)] {
            let text = format!("<items>\n{item}{end}");
            let outline = outlined(&text);
            assert_eq!(outline.lines.len(), lines, "{end}: {:?}", outline.lines);
        }
        let more = of(NAMES as u64 + 5);
        assert_eq!(more.lines[1], "--- 10 elements have other names ---");
        assert_eq!(more.list.title, "names of elements, those met first");
    }

    #[test]
    fn what_is_like_no_other_is_odd() {
        let of = |text: &str| {
            let outline = outlined(text);
            outline.odd.iter().map(|hit| (hit.line, hit.is_sure)).collect::<Vec<_>>()
        };
        let case = |odd: &str, n: usize| match n {
            150 => odd.to_owned(),
            n => format!(
                "  <case id=\"{n}\" result='Passed'><time>0.{n}</time><ok>yes</ok></case>\n"
            ),
        };
        let all = |odd: &str| {
            let cases: String = (0..300).map(|n| case(odd, n)).collect();
            of(&format!("<run>\n{cases}</run>\n"))
        };
        let root = (1, false);
        assert_eq!(all(&case("", 1)), [root]);
        for odd in [
            "  <case id=\"7\" result='Failed'><time>0.1</time><ok>yes</ok></case>\n",
            "  <case id=\"7\" result='Passed'><time>0.1</time><ok>no</ok></case>\n",
            "  <case id=\"7\" result='Passed'><failure/><ok>yes</ok></case>\n",
        ] {
            assert_eq!(all(odd), [root, (152, true)], "{odd}");
        }
        assert_eq!(all("<note/>\n"), [root, (152, false)]);
        let below = "  <case\n  id=\"7\"\n  result='Failed'><ok>yes</ok></case>\n";
        assert_eq!(all(below), [root, (154, true)]);
        // Where each second has one, none is odd.
        let each = "<file>\n<error severity=\"warning\"/>\n</file>\n".repeat(60);
        assert_eq!(of(&format!("<checkstyle>\n{each}</checkstyle>")), [root]);
    }

    #[test]
    fn texts_that_say_that_something_went_wrong_are_odd() {
        let all = |odd: &str| {
            let entry = |n: usize| match n {
                150 => odd.to_owned(),
                n => format!(
                    "<entry at=\"{n}\" errors=\"0\"><m>task {n} is done by {n}</m></entry>\n"
                ),
            };
            let text = format!("<log>\n{}</log>\n", (0..300).map(entry).collect::<String>());
            outlined(&text).odd.iter().map(|hit| hit.line).collect::<Vec<_>>()
        };
        for odd in [
            "<entry at=\"7\" errors=\"0\"><m>task 7 failed as the disk is full</m></entry>\n",
            "<entry at=\"ERROR: the disk is full\" errors=\"0\"><m>task 7 is done by 7</m></entry>\n",
        ] {
            assert_eq!(all(odd), [1, 152], "{odd}");
        }
        for short in [
            "Build failed",
            "FAILED",
            "Error 500",
            "ERROR: overflow",
            "&lt;b&gt;Fatal error&lt;/b&gt;",
        ] {
            let odd = format!("<entry at=\"7\" errors=\"0\"><m>{short}</m></entry>\n");
            assert_eq!(all(&odd), [1, 152], "{short}");
        }
        // Where many have a few such words, they are names.
        let named = "<m>Error handling</m>\n<n>of all</n>\n".repeat(60);
        assert!(outlined(&format!("<log>\n{named}</log>")).odd.len() < 2);
        // A name, and a value that is no sentence.
        assert_eq!(all("<entry at=\"failed\" errors=\"0\"><m>error-7</m></entry>\n"), [1]);
        let each = "<m>this one failed again</m>\n".repeat(60);
        assert!(outlined(&format!("<log>\n{each}</log>")).odd.len() < 2);
    }

    #[test]
    fn without_lines_odd_elements_are_shown_where_they_stand() {
        let of = |odd: &str| {
            let case = |n: usize| match n {
                150 => odd.to_owned(),
                n => format!("<case id=\"{n}\" result=\"ok\"/>"),
            };
            let text = format!("<run>{}</run>", (0..300).map(case).collect::<String>());
            let outline = outlined(&text);
            assert!(outline.odd.is_empty());
            assert!(outline.list.lines[0].ends_with("<case> (first at byte 5)"));
            outline.lines[1..].to_vec()
        };
        assert_eq!(of(""), [""; 0]);
        let told = of("<case id=\"x\"><failure>why</failure></case>");
        assert_eq!(told.len(), 2);
        assert!(
            told[1].starts_with("byte 39") && told[1].contains("<failure>why</failure>"),
            "{told:?}"
        );
        assert!(of("<case id=\"x\" result=\"failed\"/>")[1].contains("failed"));
    }

    #[test]
    fn rows_of_a_page_are_told_where_they_are_like_no_other() {
        let page = |gap: &str, odd: &str| {
            let row = |n: usize| {
                let state = if n == 150 { odd } else { "<b class=ok>passed</b>" };
                format!("<tr>{gap}<td>{n}</td>{gap}<TD class=\"s\"> {state}</td>{gap}</tr>{gap}")
            };
            let rows: String = (0..300).map(row).collect();
            let text = format!("<html><table><tr><th>n</th><th>state</th></tr>{gap}{rows}</table>");
            html_rows(&text.as_bytes(), &Measurer::of(text.as_bytes())).unwrap()
        };
        assert_eq!(page("\n", "passed"), [""; 0]);
        let title = "--- rows that are like few others ---";
        assert_eq!(page("\n", "<i>lost</i>"), [title, "line 602: 150 | lost"]);
        let told = page("", "lost &amp; found");
        assert!(told[1].starts_with("byte ") && told[1].ends_with(": 150 | lost &amp; found"));
        for odd in [
            "<tr",
            "<tr><td",
            "<td>",
            "<table><tr>",
            "</table",
            "<tr><td>a<tr><td>b",
            "<t\u{fc}",
            "<tr><td><table><tr><td>a<td>b</table><td>c",
        ] {
            html_rows(&odd.as_bytes(), &Measurer::of(odd.as_bytes())).unwrap();
        }
    }

    #[test]
    fn tags_of_any_form_have_their_members() {
        let of = |rest: &str| {
            let mut found = String::new();
            each_member(rest.as_bytes(), |_, key, value| {
                found += &format!(
                    "{}={};",
                    String::from_utf8_lossy(key),
                    String::from_utf8_lossy(value)
                );
            });
            found
        };
        assert_eq!(of(" a=\"1\"  b = 'x > y'/><c>"), "a=1;b=x > y;");
        assert_eq!(of("> text </a>"), "=text;");
        assert_eq!(of(">text<b/></a>"), "");
        assert_eq!(of(" a=\"1\">\n<b>"), "a=1;");
        for odd in ["", " ", " a", " a=", " a=1>", " a=\"", "=", "<", ">", " a='1'b", "/>"] {
            of(odd);
        }
    }
}
