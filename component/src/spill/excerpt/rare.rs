//! The few lines that look like no other.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64;

use crate::content::kind::Kind;
use crate::content::scan::{each_line, each_line_to};
use crate::content::sides::{have_sides, is_changed};
use crate::content::template::{SHAPE_BYTES, Shape, mask};
use crate::limits::CLASSIFY_BYTES;
use crate::source::{ReadError, Source};
use crate::spill::anchor::Hit;
use crate::spill::excerpt::values::{Place, RARE, Values, sort_places};

/// Lines that are surfaced. Where more stand alone, standing alone says nothing.
const MOST: usize = 3;

/// Lines below which no shape is common.
const LEAST_LINES: u64 = 50;

/// Shapes that are told apart.
const MAX_SHAPES: usize = 1 << 14;

/// Bytes that are compared of a shape without its words.
const SKELETON_BYTES: usize = 24;

/// The lines in `start..end` whose shape is theirs alone, where nearly all others share theirs. `known` has
/// the shapes of the whole text, if they were counted, and the number of its lines outside of `start..end`.
pub(super) fn lines(
    source: &dyn Source,
    kind: Kind,
    (start, end): (u64, u64),
    known: Option<(&[Shape], u64)>,
) -> Result<Vec<Hit>, ReadError> {
    if !matches!(kind, Kind::Text | Kind::Yaml | Kind::Sql | Kind::Log) {
        return Ok(Vec::new());
    }
    if kind == Kind::Text {
        let changed = changed(source, (start, end))?;
        if !changed.is_empty() {
            return Ok(changed);
        }
        let mut odd = modes(source)?;
        let rows = listed(source)?;
        if rows.is_some() || !odd.is_empty() {
            let is_new = |hit: &Hit| odd.iter().all(|known| known.line != hit.line);
            let rows: Vec<Hit> = rows.into_iter().flatten().filter(is_new).collect();
            odd.extend(rows);
            return Ok(odd);
        }
    }
    let mut exact = Alone::default();
    let mut coarse = Alone::default();
    let mut all = 0;
    let is_inside = |at: u64| start <= at && at < end;
    let mut push = |shape: &[u8], (number, at): (u64, u64)| {
        all += 1;
        // What was met twice has a skeleton that was.
        if exact.push(xxh3_64(shape), number, at) {
            let mut buffer = [0; SKELETON_BYTES];
            coarse.push(xxh3_64(skeleton(shape, &mut buffer)), number, at);
        }
    };
    // Where a shape is met inside may be between its first and its last place.
    let is_hidden = |shape: &Shape, outside: u64| {
        let are_inside = is_inside(shape.first.1) && is_inside(shape.last.1);
        shape.lines > 2 && shape.lines <= outside + 1 && !are_inside
    };
    let known =
        known.filter(|(shapes, outside)| !shapes.iter().any(|shape| is_hidden(shape, *outside)));
    match known {
        // What is met twice is not alone, however often it is met.
        Some((shapes, _)) => {
            let named = shapes.iter().map(|shape| (shape, shape.text.trim_ascii()));
            for (shape, text) in named.filter(|(_, text)| !text.is_empty()) {
                let places = [shape.first, shape.last];
                let met = if shape.lines > 1 { &places[..] } else { &places[..1] };
                met.iter().filter(|(_, at)| is_inside(*at)).for_each(|place| push(text, *place));
            }
            all = shapes.iter().map(|shape| shape.lines).sum();
        }
        None => each_line(source, SHAPE_BYTES, |line| {
            let text = line.prefix.trim_ascii();
            if is_inside(line.start) && !text.is_empty() {
                let mut buffer = [0; SHAPE_BYTES];
                push(mask(text, &mut buffer), (line.number, line.start));
            }
        })?,
    }
    if all < LEAST_LINES {
        return Ok(Vec::new());
    }
    let found = exact.few().or_else(|| coarse.few()).unwrap_or_default();
    Ok(found.into_iter().map(|(line, at)| Hit::odd(line, at, at)).collect())
}

/// Bytes of a listing that are looked at, and of a line of it.
const LISTING_BYTES: u64 = 512 << 10;
const LISTING_LINE_BYTES: usize = 512;

/// Where the cells of a line are.
enum Cells {
    /// Each begins where the name of its column does.
    At(Vec<usize>),
    /// So many, with a sign between them.
    Between(char, usize),
}

impl Cells {
    /// As they are in the first line with words.
    fn of(line: &str) -> Option<Cells> {
        let count = |sign: &char| line.split(*sign).count();
        // Signs at the start alone draw something else, as above a list of packages.
        let parts = |sign: &char| line.split(*sign).filter(|cell| !cell.trim().is_empty()).count();
        let is_between = |sign: &char| count(sign) > 2 && parts(sign) > 1;
        if let Some(sign) = ['|', '\t', '│'].into_iter().find(is_between) {
            return Some(Cells::Between(sign, count(&sign)));
        }
        let names: Vec<char> = line.chars().collect();
        // Two blanks and more end a column.
        let is_start =
            |&at: &usize| names[at] != ' ' && (at == 0 || at > 1 && names[at - 2..at] == [' '; 2]);
        let starts: Vec<usize> = (0..names.len()).filter(is_start).collect();
        (starts.len() >= 3).then_some(Cells::At(starts))
    }

    /// The same where names stand above the ends of their cells: each begins behind what is blank in nearly all rows.
    fn aligned(self, source: &dyn Source, rows_from: u64) -> Result<Cells, ReadError> {
        if !matches!(&self, Cells::At(starts) if starts[0] > 0) {
            return Ok(self);
        }
        let (mut rows, mut filled) = (0, vec![0; LISTING_LINE_BYTES + 1]);
        each_row(source, rows_from, |_, text| {
            rows += 1;
            let signs = text.chars().zip(&mut filled).filter(|(sign, _)| *sign != ' ');
            signs.for_each(|(_, filled)| *filled += 1);
        })?;
        let is_blank = |at: usize| filled[at] * 20 <= rows;
        let is_start = |&at: &usize| !is_blank(at) && (at == 0 || is_blank(at - 1));
        Ok(Cells::At((0..LISTING_LINE_BYTES).filter(is_start).collect()))
    }

    /// The cells of a line; nothing where it is no row.
    fn read(&self, line: &str) -> Option<Vec<String>> {
        match self {
            Cells::Between(sign, count) => {
                let cells: Vec<String> =
                    line.split(*sign).map(|cell| cell.trim().to_owned()).collect();
                (cells.len() == *count).then_some(cells)
            }
            Cells::At(starts) => {
                let chars: Vec<char> = line.chars().collect();
                let cell = |(index, &start): (usize, &usize)| {
                    let end =
                        starts.get(index + 1).map_or(chars.len(), |end| chars.len().min(*end));
                    let cell: String = chars.get(start..end).unwrap_or_default().iter().collect();
                    (start == 0 || chars.get(start - 1).is_none_or(|before| *before == ' '))
                        .then(|| cell.trim().to_owned())
                };
                starts.iter().enumerate().map(cell).collect()
            }
        }
    }
}

/// Whether a line is drawn, without words; lines may be drawn with signs of their own.
fn is_rule(line: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c > '\u{7f}' && !('─'..='╿').contains(&c);
    !line.contains(is_word)
}

/// Does something with each row of a listing below its first lines.
fn each_row(
    source: &dyn Source,
    rows_from: u64,
    mut take: impl FnMut(Place, &str),
) -> Result<(), ReadError> {
    each_line_to(source, LISTING_BYTES.min(source.len()), LISTING_LINE_BYTES, |line| {
        let text = String::from_utf8_lossy(line.prefix);
        if line.number > rows_from && !is_rule(&text) {
            take((line.number, line.start, line.start), &text);
        }
    })
}

/// Lines with words above a listing that may be its title.
const TITLES: usize = 4;

/// The rows with rare values of what a command lists in columns, below their names or between signs: pods, containers,
/// services, what a database draws. Nothing where a text is no such listing.
fn listed(source: &dyn Source) -> Result<Option<Vec<Hit>>, ReadError> {
    let head = source.read_range(0, 4 * LISTING_LINE_BYTES as u64)?;
    let head = String::from_utf8_lossy(&head);
    let lines: Vec<&str> = head.lines().collect();
    let worded = (0..lines.len()).filter(|at| !is_rule(lines[*at])).take(TITLES);
    for first in worded {
        let Some(cells) = Cells::of(lines[first]) else { continue };
        // What stands above a rule are names, and so it is without signs.
        let is_named = matches!(cells, Cells::At(_))
            || lines.get(first + 1).is_some_and(|line| is_rule(line) && !line.is_empty());
        let rows_from = first as u64 + u64::from(is_named);
        let cells = cells.aligned(source, rows_from)?;
        if let Some(rows) = rare_rows(source, rows_from, &cells)? {
            return Ok(Some(rows));
        }
    }
    Ok(None)
}

/// The rows with rare values, where nearly all lines below the first are rows.
fn rare_rows(
    source: &dyn Source,
    rows_from: u64,
    cells: &Cells,
) -> Result<Option<Vec<Hit>>, ReadError> {
    // Each cell as a whole, and by its first word with the state behind it: `Exited (137) 2 hours ago`,
    // `Up 3 hours (unhealthy)`.
    let mut columns: Vec<Values> = Vec::new();
    let (mut rows, mut other) = (0, Vec::new());
    each_row(source, rows_from, |place, text| {
        rows += 1;
        let Some(cells) = cells.read(text) else { return other.push(place) };
        columns.resize_with(2 * cells.len(), Values::default);
        for (values, cell) in columns.chunks_mut(2).zip(&cells) {
            let mut word = cell.split(' ').next().unwrap_or_default().to_owned();
            if let Some((_, state)) = cell.split_once(" (")
                && state.ends_with(')')
                && !state.contains(|c: char| c.is_ascii_digit())
            {
                word.push_str(state);
            }
            for (values, text) in values.iter_mut().zip([cell, &word]) {
                values.place = place;
                values.push(text.as_bytes());
            }
        }
    })?;
    if other.len() * 10 > rows || rows == 0 {
        return Ok(None);
    }
    // What is no row stands out as well.
    let mut odd = super::table::rare(&columns);
    if other.len() as u64 <= RARE {
        odd.extend(other);
        sort_places(&mut odd);
    }
    Ok(Some(odd.into_iter().map(|(line, at, _)| Hit::rare(line, at)).collect()))
}

/// Bytes of a line in which a mode is looked for, and the words of them that may be one.
const MODE_LINE_BYTES: usize = 64;
const MODE_WORDS: usize = 3;

/// What a mode says that few entries of a listing have, of `ls -l`, `find -ls` and `tar tv`: a device, a file that runs as
/// its owner, one that all may write, one that could not be read.
fn mode(line: &[u8]) -> Option<[u8; 3]> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mode = words.by_ref().take(MODE_WORDS).find_map(|word| {
        word.get(..10).filter(|mode| {
            b"-dlbcps".contains(&mode[0])
                && word.len() <= 11
                && mode[1..].iter().all(|sign| b"rwxsStT-?".contains(sign))
        })
    })?;
    let is_other = !b"-dl".contains(&mode[0]);
    let is_own = mode[3..7].iter().any(|sign| b"sS?".contains(sign));
    let is_open = mode[8] == b'w' && mode[0] != b'l' && !b"tT".contains(&mode[9]);
    Some([is_other, is_own, is_open].map(|is| if is { b'y' } else { b'n' }))
}

/// The entries of a listing with such modes as few of them have.
fn modes(source: &dyn Source) -> Result<Vec<Hit>, ReadError> {
    let head = source.read_range(0, 4 * LISTING_LINE_BYTES as u64)?;
    let listed = head.split(|byte| *byte == b'\n').filter(|line| mode(line).is_some()).count();
    if listed < MODE_WORDS {
        return Ok(Vec::new());
    }
    let mut values = Values::default();
    each_line_to(source, LISTING_BYTES.min(source.len()), MODE_LINE_BYTES, |line| {
        if let Some(mode) = mode(line.prefix) {
            values.place = (line.number, line.start, line.start);
            values.push_as(&mode, false);
        }
    })?;
    let odd = super::table::rare(&[values]);
    Ok(odd.into_iter().map(|(line, at, _)| Hit::rare(line, at)).collect())
}

/// Changed lines that are shown.
const CHANGED: usize = 16;

/// The first lines in `start..end` with a change, of two texts that are compared.
fn changed(source: &dyn Source, (start, end): (u64, u64)) -> Result<Vec<Hit>, ReadError> {
    let mut hits = Vec::new();
    let head = source.read_range(0, CLASSIFY_BYTES as u64)?;
    let lines: Vec<&[u8]> = head.split(|byte| *byte == b'\n').collect();
    if have_sides(&lines) {
        each_line_to(source, LISTING_BYTES.min(source.len()), LISTING_LINE_BYTES, |line| {
            let is_inside = start <= line.start && line.start < end;
            if is_inside && hits.len() < CHANGED && is_changed(line.prefix) {
                hits.push(Hit::rare(line.number, line.start));
            }
        })?;
    }
    Ok(hits)
}

/// Bytes of a mark that a line begins with.
const MARK_BYTES: usize = 12;

/// The lines that begin with another mark than nearly all: `✘` among `✔`, `[NOK]` among `[OK]`.
pub(super) fn marked(source: &dyn Source) -> Result<Vec<Hit>, ReadError> {
    let (mut values, mut marks, mut all) = (Values::default(), 0, 0);
    each_line_to(source, LISTING_BYTES, MARK_BYTES * 4, |line| {
        let text = line.prefix.trim_ascii();
        all += u64::from(!text.is_empty());
        if let Some(mark) = mark(text) {
            marks += 1;
            values.place = (line.number, line.start, line.start);
            values.push_as(mark, false);
        }
    })?;
    let odd = if marks * 2 < all { Vec::new() } else { super::table::rare(&[values]) };
    Ok(odd.into_iter().map(|(line, at, _)| Hit::rare(line, at)).collect())
}

/// The mark that a line begins with: a sign that is no bullet and draws no line, a word in brackets or in capitals.
fn mark(text: &[u8]) -> Option<&[u8]> {
    let end = match text {
        [b'[', ..] => memchr::memchr(b']', text)? + 1,
        _ => memchr::memchr(b' ', text)?,
    };
    let mark = text.get(..end).filter(|mark| (**mark).len() <= MARK_BYTES)?;
    let is_word = mark.iter().all(u8::is_ascii_uppercase) && mark.len() > 1;
    let is_sign = |c: char| {
        c == '×' || c > '\u{2190}' && !('─'..='╿').contains(&c) && c < '\u{3000}' || c > '\u{1f000}'
    };
    let has_sign = || std::str::from_utf8(mark).is_ok_and(|mark| mark.contains(is_sign));
    (mark[0] == b'[' || is_word || has_sign()).then_some(mark)
}

/// Whether a line of Terraform's says that something there is will be gone.
fn is_lost(line: &[u8]) -> bool {
    matches!(line, [b' ', b' ', b'#', b' ', ..])
        && (line.ends_with(b" must be replaced") || line.ends_with(b" will be destroyed"))
}

/// Bytes in which findings are looked for.
const FINDINGS_BYTES: u64 = 256 << 10;

/// Findings below which no kind is common.
const LEAST_FINDINGS: u64 = 20;

/// The findings of a linter in `start..end` whose code is theirs alone, or nearly, where all have one: each with the
/// line that says where it is.
pub(super) fn findings(
    source: &dyn Source,
    (start, end): (u64, u64),
) -> Result<(Vec<Hit>, Vec<Hit>), ReadError> {
    let mut codes: BTreeMap<Vec<u8>, (u64, Hit, Hit)> = BTreeMap::new();
    let mut all = 0;
    // The line before, when it has a code: it is a finding if a place follows.
    let mut last: Option<(Vec<u8>, Hit)> = None;
    each_line_to(source, end.min(start + FINDINGS_BYTES), SHAPE_BYTES, |line| {
        let text = line.prefix.trim_ascii();
        if let Some((code, hit)) = last.take()
            && is_place(text)
        {
            all += 1;
            if codes.len() < MAX_SHAPES || codes.contains_key(&code) {
                let place = Hit::odd(line.number, line.start, line.start);
                codes.entry(code).or_insert((0, hit, place)).0 += 1;
            }
        }
        last =
            code(text).map(|code| (code.to_vec(), Hit::odd(line.number, line.start, line.start)));
    })?;
    if all < LEAST_FINDINGS {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut found: Vec<(u64, Hit, Hit)> = codes.into_values().collect();
    crate::sort::sort_by_key(&mut found, |(times, hit, _)| (*times, hit.line));
    let common = found.iter().map(|(times, ..)| *times).max().unwrap_or(0);
    let inside = |hit: &Hit| start <= hit.line_start && hit.line_start < end;
    let odd = found.into_iter().filter(|(times, hit, _)| times * 10 <= common && inside(hit));
    Ok(odd.take(MOST).map(|(_, hit, place)| (hit, place)).unzip())
}

/// Lines of a program's own form that are shown, and bytes at the start that tell the program.
const TOLD: usize = 6;
const TOLD_BYTES: u64 = 16 * 1024;

/// What two programs say in a form of their own in `start..end`: errors of TeX, `! Undefined control sequence.`, each with the
/// line that says where it is, `l.88 \foo`; and what Terraform says will be gone.
pub(super) fn told(
    source: &dyn Source,
    (start, end): (u64, u64),
) -> Result<(Vec<Hit>, Vec<Hit>), ReadError> {
    let (mut lines, mut places) = (Vec::new(), Vec::new());
    let head = source.read_range(0, TOLD_BYTES)?;
    let is_tex = head.starts_with(b"This is ")
        && memchr::memmem::find(&head[..head.len().min(40)], b"TeX, Version").is_some();
    if !is_tex
        && [&b"Terraform "[..], b": Refreshing state..."]
            .iter()
            .all(|word| memchr::memmem::find(&head, word).is_none())
    {
        return Ok((lines, places));
    }
    each_line(source, SHAPE_BYTES, |line| {
        let hit = Hit::odd(line.number, line.start, line.start);
        let is_told = if is_tex { line.prefix.starts_with(b"! ") } else { is_lost(line.prefix) };
        let is_inside = start <= line.start && line.start < end;
        if is_told && is_inside && lines.len() < TOLD {
            lines.push(hit);
        } else if is_tex
            && matches!(line.prefix, [b'l', b'.', b'0'..=b'9', ..])
            && places.len() < lines.len()
        {
            places.push(hit);
        }
    })?;
    Ok((lines, places))
}

/// The code of a finding: `F821 Undefined name`, `error[unresolved-reference]: …`, `× eslint(no-unused-vars): …`.
fn code(text: &[u8]) -> Option<&[u8]> {
    // Signs before it, of which one may be drawn as a letter.
    let text = text.strip_prefix(b"x ").unwrap_or(text);
    let at = text.iter().position(u8::is_ascii_alphabetic).filter(|at| *at < 8)?;
    let text = &text[at..];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_/@.:".contains(byte);
    let (word, rest) = text.split_at(text.iter().position(|byte| !is_name(byte))?);
    match rest {
        [b'[' | b'(', inside @ ..] => {
            let length = inside.iter().position(|byte| !is_name(byte))?;
            let closes = matches!(inside[length..], [b']' | b')', b':', ..]);
            (closes && length > 0).then(|| &text[..word.len() + length + 2])
        }
        [b' ' | b':', ..] => {
            let letters = word.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
            let digits = word.len() - letters;
            let is_code = (1..8).contains(&letters)
                && (2..6).contains(&digits)
                && word[letters..].iter().all(u8::is_ascii_digit);
            is_code.then_some(word)
        }
        _ => None,
    }
}

/// Whether a line says where a finding is: ` --> a.py:1:2`, `╭─[a.js:1:2]`.
fn is_place(text: &[u8]) -> bool {
    super::failures::starts_with_any(text, ["--> ", "\u{256d}\u{2500}", ",-["])
}

/// A shape with each run of letters, and each run of blanks, as one sign: its start, as sentences differ in
/// length, not in kind.
fn skeleton<'a>(shape: &[u8], out: &'a mut [u8; SKELETON_BYTES]) -> &'a [u8] {
    let mut length = 0;
    for &byte in shape {
        let sign = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. | b'#' | b'.' | b'/' => b'a',
            b' ' | b'\t' => b' ',
            other => other,
        };
        let goes_on = length > 0 && out[length - 1] == sign && matches!(sign, b'a' | b' ');
        if !goes_on {
            out[length] = sign;
            length += 1;
            if length == out.len() {
                break;
            }
        }
    }
    &out[..length]
}

/// Tells the shapes that were met once, by hash.
#[derive(Default)]
struct Alone {
    /// The number of the line that a shape was met in and its place; nothing once there was another.
    shapes: BTreeMap<u64, Option<(u64, u64)>>,
}

impl Alone {
    /// Takes a line; `false` when its shape had been met twice before.
    fn push(&mut self, hash: u64, line: u64, at: u64) -> bool {
        match self.shapes.get_mut(&hash) {
            Some(known) => known.take().is_some(),
            None => {
                if self.shapes.len() <= MAX_SHAPES {
                    self.shapes.insert(hash, Some((line, at)));
                }
                true
            }
        }
    }

    /// The lines met once, in order, when they are few.
    fn few(&self) -> Option<Vec<(u64, u64)>> {
        if self.shapes.len() > MAX_SHAPES {
            return None;
        }
        let mut lines: Vec<(u64, u64)> =
            self.shapes.values().flatten().copied().take(MOST + 1).collect();
        crate::sort::sort_by_key(&mut lines, |line| line.0);
        // Several are of interest when they stand together.
        let together = lines.windows(2).all(|two| two[0].0 + 1 == two[1].0);
        (lines.len() <= MOST && together).then_some(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_met_once_are_told_among_any_number_of_others() {
        for shapes in [1, 100, 129, 5_000, MAX_SHAPES as u64 - 1] {
            let mut alone = Alone::default();
            for line in 0..2 * shapes {
                // Spread as hashes are.
                let shape = line % shapes;
                alone.push(shape.wrapping_mul(0x9e37_79b9_7f4a_7c15), line + 1, line);
            }
            assert_eq!(alone.few(), Some(Vec::new()), "{shapes}");
            alone.push(u64::MAX, 2 * shapes + 1, 7);
            assert_eq!(alone.few(), Some(vec![(2 * shapes + 1, 7)]), "{shapes}");
        }
        let mut alone = Alone::default();
        for hash in 0..MAX_SHAPES as u64 + 1 {
            assert!(alone.push(hash, hash + 1, 0));
        }
        assert_eq!(alone.few(), None, "too many to tell apart");
    }

    #[test]
    fn names_above_the_ends_of_their_cells_head_a_listing() {
        let row = |n: u64| {
            let state = if n == 77 { "suspended" } else { "active" };
            format!("{n:>4}  {:<14}  {:>6}  {state:<9}  2026-05-04\n", format!("Ann B{n}"), n * 7)
        };
        let rows: String = (0..120).map(row).collect();
        let names = "  id  name              load  status     since\n";
        for above in ["", "Hosts\n"] {
            for rule in ["", "----  --------------  ------  ---------  ----------\n"] {
                let text = format!("{above}{names}{rule}{rows}");
                let found = listed(&text.as_bytes()).unwrap().unwrap();
                let lines: Vec<u64> = found.iter().map(|hit| hit.line).collect();
                let line = 79 + [above, rule].iter().filter(|line| !line.is_empty()).count() as u64;
                assert_eq!(lines, [line], "{text}");
            }
        }
    }

    #[test]
    fn a_mode_that_others_have_not_is_odd() {
        let found = |form: &str, odd: &str| {
            let line = |n: usize| {
                let mode = if n == 77 { odd } else { ["-rw-r--r--", "drwxr-xr-x"][n % 2] };
                form.replace("MODE", mode).replace('N', &(n * n).to_string())
            };
            let text = (0..120).map(line).collect::<String>();
            modes(&text.as_bytes()).unwrap().iter().map(|hit| hit.line).collect::<Vec<_>>()
        };
        for form in [
            "MODE 1 root root N Nov 22 10:00 fileN\n",
            "  N  4 MODE  1 root root N Nov 22 10:00 ./fileN\n",
            "MODE root/root N 2026-11-22 10:00 etc/fileN\n",
        ] {
            for odd in ["-rwsr-xr-x", "crw-rw----", "-rw-rw-rw-", "-?????????"] {
                assert_eq!(found(form, odd), [78], "{form} {odd}");
            }
            for usual in ["-rwx------", "lrwxrwxrwx", "drwxrwxrwt"] {
                assert!(found(form, usual).is_empty(), "{form} {usual}");
            }
        }
    }

    #[test]
    fn a_list_of_packages_below_its_legend_shows_the_broken_one() {
        let row = |n: usize| {
            let state = if n == 77 { "iF" } else { "ii" };
            format!(
                "{state}  {:<14} {:<12} amd64        a thing\n",
                format!("p{n}"),
                format!("{n}.1-1")
            )
        };
        let rows: String = (0..120).map(row).collect();
        let text = format!(
            "Desired=Unknown/Install/Remove\n| Status=Not/Inst\n|/ Err?=(none)/Reinst-required\n\
            ||/ Name           Version      Architecture Description\n\
            +++-==============-============-============-=======\n{rows}"
        );
        let found = listed(&text.as_bytes()).unwrap().unwrap();
        assert_eq!(found.iter().map(|hit| hit.line).collect::<Vec<_>>(), [83]);
    }

    #[test]
    fn a_mark_that_others_have_not_is_odd() {
        let found = |most: &str, other: &str| {
            let line = |n: usize| {
                let mark = if n == 77 { other } else { most };
                format!("  {mark} {} does {} ({n} ms)\n", "ab".repeat(n % 9), "cd ".repeat(n % 7))
            };
            let text = (0..120).map(line).collect::<String>();
            marked(&text.as_bytes()).unwrap().iter().map(|hit| hit.line).collect::<Vec<_>>()
        };
        for (most, other) in [
            ("✔", "✘"),
            ("✅", "⚠️"),
            ("[OK]", "[NOK]"),
            ("[ OK ]", "[WAIT]"),
            ("PASS", "SKIP"),
            ("√", "×"),
        ] {
            assert_eq!(found(most, other), [78], "{most} {other}");
        }
        for (most, other) in [("✔", "✔"), ("├──", "└──"), ("the", "a"), ("-", "*"), ("✔", "see")]
        {
            assert!(found(most, other).is_empty(), "{most} {other}");
        }
    }

    #[test]
    fn rows_of_a_listing_with_rare_values_are_odd() {
        let pods = |odd: &[(usize, &str)]| {
            let mut text = "NAME         READY   STATUS    RESTARTS   AGE\n".to_owned();
            for at in 0..200 {
                let state = odd.iter().find(|(row, _)| *row == at);
                let state = state.map_or("1/1     Running   0       ", |(_, state)| state);
                text.push_str(&format!("{:<13}{state}    {at}d\n", format!("web-{at}…")));
            }
            let found = listed(&text.as_bytes()).unwrap().unwrap();
            found.iter().map(|hit| hit.line as usize - 2).collect::<Vec<_>>()
        };
        assert!(pods(&[]).is_empty());
        assert_eq!(pods(&[(90, "0/1     Running   0       ")]), [90]);
        assert_eq!(pods(&[(90, "Error from server (Timeout): no answer")]), [90]);
        let pending = "0/1     Pending   0       ";
        assert_eq!(
            pods(&[(50, pending), (60, pending), (70, pending), (80, pending), (90, pending)]),
            [50]
        );
        let mut ps = "ID     IMAGE  STATUS\n".to_owned();
        for n in 0..200 {
            let state = if n == 90 { "Exited (137)" } else { "Up" };
            let health = if n == 95 { "(unhealthy)" } else { "(healthy)" };
            ps.push_str(&format!("{:<7}web    {state} {n} hours {health}\n", format!("c{n}")));
        }
        let found = listed(&ps.as_bytes()).unwrap().unwrap();
        assert_eq!(found.iter().map(|hit| hit.line).collect::<Vec<_>>(), [92, 97]);
        let cell = |n: usize| if n == 222 { "bad" } else { "good" };
        let rows = |row: &dyn Fn(usize) -> String| (0..400).map(row).collect::<String>();
        let box_rule = "+----+------+\n";
        for (text, line) in [
            (
                format!(
                    " id | state | n\n----+----+---\n{}",
                    rows(&|n| format!(" {n} | {} | x\n", cell(n)))
                ),
                225,
            ),
            (
                format!(
                    "{box_rule}| id | state |\n{box_rule}{}{box_rule}",
                    rows(&|n| format!("| {n} | {} |\n", cell(n)))
                ),
                226,
            ),
            (rows(&|n| format!("time:{n}\tstate:{}\tsize:{}\n", cell(n), n * 7)), 223),
        ] {
            let found = listed(&text.as_bytes()).unwrap().unwrap();
            assert_eq!(found.iter().map(|hit| hit.line).collect::<Vec<_>>(), [line], "{text}");
        }
        for text in [
            "a  b  c\n",
            "Some words of prose.\n\nAnd  more  of  them.\n",
            "",
            "a  b  c\nno columns here\n",
        ] {
            assert!(listed(&text.as_bytes()).unwrap().is_none(), "{text}");
        }
    }

    #[test]
    fn a_skeleton_is_the_start_of_a_shape_without_its_words() {
        let of = |shape: &str| skeleton(shape.as_bytes(), &mut [0; SKELETON_BYTES]).to_vec();
        assert_eq!(of("done: took # ms  (all)"), b"a: a a a (a)");
        assert_eq!(of("--x--"), b"--a--");
        assert_eq!(of(&"a,".repeat(80)), "a,".repeat(12).as_bytes());
        assert_eq!(of(""), b"");
    }
}
