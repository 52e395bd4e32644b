//! The outlines of listings: files by directory, matches by file.

use std::collections::BTreeMap;

use super::{List, OUTLINE_LINE_CHARS, Outline};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::each_line;
use crate::content::show::one_line;
use crate::sort::sort_by;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

/// Bytes of a line that are looked at.
const KEEP: usize = 400;

/// Places that are told apart, and those that are listed.
const PLACES: usize = 4_096;
const LISTED: usize = 12;

/// The largest files that are named.
const LARGEST: usize = 6;

/// What kind of listing lines are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// `ls -l`, of one directory or of all below it.
    Long,
    /// A path a line.
    Paths,
    /// `path:line:text`, of a search.
    Matches,
    /// `path:line: words`, of a compiler or a linter.
    Findings,
}

/// Tells a listing by its first lines.
pub(super) fn recognise(lines: &[&[u8]]) -> Option<Listing> {
    let lines = &lines[..lines.len().min(400)];
    if lines.len() < 8 {
        return None;
    }
    let most = |fits: &dyn Fn(&[u8]) -> bool, part: usize| {
        lines.iter().filter(|line| fits(line)).count() * 10 >= lines.len() * part
    };
    if most(&|line| long(line).is_some() || is_heading(line) || line.starts_with(b"total "), 9)
        && most(&|line| long(line).is_some(), 4)
    {
        return Some(Listing::Long);
    }
    if most(&|line| matched(line).is_some(), 8) {
        let are_found = most(&|line| matched(line).is_some_and(|(_, is_found)| is_found), 8);
        return Some(if are_found { Listing::Findings } else { Listing::Matches });
    }
    let is_path = |line: &[u8]| {
        line.contains(&b'/')
            && line.iter().any(u8::is_ascii_alphabetic)
            && line.iter().all(|byte| !byte.is_ascii_control() && !b" =,|".contains(byte))
            && !line.ends_with(b"//")
            && !line.windows(2).any(|two| two == b"::" || two == b":/")
    };
    (most(&is_path, 9) && most(&is_of_files, 5)).then_some(Listing::Paths)
}

/// Whether a text with slashes is a path of a file system: it says where it begins, or ends as names of files do. Media
/// types, packages, units and alternatives do neither.
fn is_of_files(line: &[u8]) -> bool {
    if line.iter().any(|byte| b"<>*^$\"\\".contains(byte)) {
        return false;
    }
    let digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    // A count of `grep -c` follows.
    let line = match &line[..line.len() - digits] {
        [path @ .., b':'] if digits > 0 => path,
        _ => line,
    };
    let within = line.strip_suffix(b"/").unwrap_or(line);
    let name = within.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let ending = memchr::memrchr(b'.', name).map_or(&[][..], |dot| &name[dot + 1..]);
    let has_ending = ending.len() <= 8
        && ending.first().is_some_and(u8::is_ascii_alphabetic)
        && ending.iter().all(u8::is_ascii_alphanumeric);
    let is_rooted = within.len() > 1 && within[0] == b'/' && within[1..].contains(&b'/');
    let begins = [&b"./"[..], b"../", b"~/"].iter().any(|from| line.starts_with(from));
    has_ending || is_rooted || begins
}

/// Size and name of an entry of `ls -l`, and the letter for what it is: `?` where it could not be read.
fn long(line: &[u8]) -> Option<(u64, &[u8], u8)> {
    let mode = line.get(..10)?;
    // `-?????????  ? ?    ?       ?            ? name`.
    if mode[1..] == [b'?'; 9] {
        let is_name = |byte: &u8| !b"? ".contains(byte);
        return Some((0, &line[10 + line[10..].iter().position(is_name)?..], b'?'));
    }
    let is_mode =
        b"-dlbcps".contains(&mode[0]) && mode[1..].iter().all(|byte| b"rwxsStTl-".contains(byte));
    if !is_mode {
        return None;
    }
    // Mode, links, owner, group, size, three words of time, name.
    let mut words = Vec::with_capacity(9);
    let mut at = 0;
    while words.len() < 8 && at < line.len() {
        let start = at + line[at..].iter().position(|byte| *byte != b' ')?;
        let end =
            line[start..].iter().position(|byte| *byte == b' ').map_or(line.len(), |n| start + n);
        words.push(&line[start..end]);
        at = end;
    }
    let size = std::str::from_utf8(words.get(4)?).ok()?.parse().ok()?;
    let name = line.get(at..)?.trim_ascii_start();
    (words.len() == 8 && !name.is_empty()).then_some((size, name, mode[0]))
}

fn is_heading(line: &[u8]) -> bool {
    line.ends_with(b":") && line.len() > 1 && !line.contains(&b'\t')
}

/// The file that a line of a search or of a linter names, and whether it says what was found there: words follow
/// the place and a blank.
fn matched(line: &[u8]) -> Option<(&[u8], bool)> {
    let colon = memchr::memchr(b':', line)?;
    let rest = &line[colon + 1..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let path = line[..colon].strip_prefix(b"[").unwrap_or(&line[..colon]);
    // `Europe/Rome  Sun Mar 29 00:59:59` has a time there.
    let last = path.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    let hour = last.rsplit(|byte| *byte == b'T').next().unwrap_or_default();
    let is_hour = hour.len() < path.len() && hour.len() < 3 && hour.iter().all(u8::is_ascii_digit);
    let is_path = !path.is_empty()
        && !is_hour
        && !path[0].is_ascii_whitespace()
        // Cells of a table, and an arrow between two addresses.
        && !path.contains(&b'\t')
        && !path.windows(3).any(|three| three == b"   ")
        && !rest[digits..].starts_with(b"->")
        // The port of an address.
        && !path.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
        && path.iter().any(|byte| b"./\\_-".contains(byte) || byte.is_ascii_alphabetic())
        && (path.contains(&b'.') || path.contains(&b'/'));
    let behind = &rest[digits..];
    let column = behind.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
    let words = if column > 0 { &behind[1 + column..] } else { behind };
    let is_said = matches!(words.first(), Some(b' ' | b']'))
        && [&b" error "[..], b" warning ", b" info ", b" - ", b"] "]
            .iter()
            .any(|said| words.starts_with(said));
    let is_found =
        is_said || matches!(words, [b':', b' ', word, ..] if !word.is_ascii_whitespace());
    // What a console of a browser prints has a blank behind the column.
    let is_bare = column > 0 && words.first() == Some(&b' ') && !is_said;
    let is_placed = is_said || matches!(behind.first(), Some(b':' | b'-')) && !is_bare;
    (is_path && digits > 0 && is_placed).then_some((path, is_found))
}

#[derive(Default)]
struct Place {
    first: u64,
    entries: u64,
    bytes: u64,
}

/// What is counted of a listing, line by line.
struct Counted {
    listing: Listing,
    places: BTreeMap<Vec<u8>, Place>,
    // Whether there were more places than are told apart.
    missed: bool,
    // Bytes, line and path of the largest files.
    largest: Vec<(u64, u64, Vec<u8>)>,
    entries: u64,
    bytes: u64,
    directories: u64,
    links: u64,
    // Entries of which nothing but the name is known.
    unread: u64,
    // The directory at hand.
    here: Vec<u8>,
}

impl Counted {
    fn new(listing: Listing) -> Counted {
        let (places, largest, here) = (BTreeMap::new(), Vec::new(), b".".to_vec());
        let (missed, entries, bytes, directories, links, unread) = (false, 0, 0, 0, 0, 0);
        Counted {
            listing,
            places,
            missed,
            largest,
            entries,
            bytes,
            directories,
            links,
            unread,
            here,
        }
    }

    fn line(&mut self, number: u64, text: &[u8]) {
        let place = match self.listing {
            Listing::Long => return self.long(number, text),
            Listing::Paths => parent(text),
            Listing::Matches | Listing::Findings => matched(text).map(|(path, _)| path),
        };
        if let Some(place) = place {
            self.count(number, place, 0);
        }
    }

    fn long(&mut self, number: u64, text: &[u8]) {
        match long(text) {
            Some((_, _, b'l')) => self.links += 1,
            Some((_, name, b'd')) => self.directories += u64::from(name != b"." && name != b".."),
            Some((size, name, letter)) => {
                self.unread += u64::from(letter == b'?');
                let largest = &mut self.largest;
                if largest.len() < LARGEST || largest.last().is_some_and(|last| size > last.0) {
                    largest.push((size, number, [&self.here[..], b"/", name].concat()));
                    sort_by(largest, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
                    largest.truncate(LARGEST);
                }
                let here = std::mem::take(&mut self.here);
                self.count(number, &here, size);
                self.here = here;
            }
            None if is_heading(text) => self.here = text[..text.len() - 1].to_vec(),
            None => {}
        }
    }

    fn count(&mut self, number: u64, place: &[u8], size: u64) {
        self.entries += 1;
        self.bytes = self.bytes.saturating_add(size);
        if let Some(known) = self.places.get_mut(place) {
            known.entries += 1;
            known.bytes = known.bytes.saturating_add(size);
        } else if self.places.len() < PLACES {
            self.places.insert(place.to_vec(), Place { first: number, entries: 1, bytes: size });
        } else {
            self.missed = true;
        }
    }

    /// `17 lines: 10 files in 2 directories, 8,600 bytes`.
    fn detail(&self, measure: &Measure) -> String {
        let (what, place) = match self.listing {
            Listing::Long => ("file", "directory"),
            Listing::Paths => ("path", "directory"),
            Listing::Matches => ("match", "file"),
            Listing::Findings => ("finding", "file"),
        };
        let mut detail = format!(
            "{}: {} in {}{}{}",
            counted(measure.lines, "line"),
            plural(self.entries, what),
            if self.missed { "at least " } else { "" },
            plural(self.places.len() as u64, place),
            sized(self.bytes)
        );
        if self.directories > 0 {
            detail.push_str(&format!(", {} named", plural(self.directories, "directory")));
        }
        if self.links > 0 {
            detail.push_str(&format!(", {}", counted(self.links, "link")));
        }
        if self.unread > 0 {
            detail.push_str(&format!(", {} without mode and size", thousands(self.unread)));
        }
        detail
    }
}

/// The directory of a path; nothing for a line that is none, as what a search could not read stands among what it found.
fn parent(text: &[u8]) -> Option<&[u8]> {
    let is_other = text.contains(&b' ') && !text.contains(&b'/');
    if is_other || memchr::memmem::find(text, b": ").is_some() {
        return None;
    }
    let path = text.strip_suffix(b"/").unwrap_or(text);
    match memchr::memrchr(b'/', path) {
        None if text.trim_ascii().is_empty() => None,
        None => Some(b"."),
        Some(0) => Some(b"/"),
        Some(end) => Some(&path[..end]),
    }
}

fn sized(bytes: u64) -> String {
    if bytes > 0 { format!(", {}", counted(bytes, "byte")) } else { String::new() }
}

#[inline(never)]
fn plural(n: u64, noun: &str) -> String {
    match (n, noun) {
        (1, noun) => format!("1 {noun}"),
        (n, "directory") => format!("{} directories", thousands(n)),
        (n, "match") => format!("{} matches", thousands(n)),
        (n, noun) => counted(n, noun),
    }
}

pub(super) fn outline(
    source: &dyn Source,
    measure: &Measure,
    listing: Listing,
) -> Result<Outline, ReadError> {
    let mut found = Counted::new(listing);
    each_line(source, KEEP, |line| {
        found.line(line.number, line.prefix.strip_suffix(b"\r").unwrap_or(line.prefix));
    })?;
    let detail = found.detail(measure);
    let mut lines = Vec::new();
    if found.bytes > 0 {
        let largest = found.largest.iter().map(|(size, _, path)| {
            let path = one_line(&String::from_utf8_lossy(path), 70);
            format!("{path} {}", thousands(*size))
        });
        let largest = largest.collect::<Vec<_>>().join(", ");
        lines.push(format!("--- largest: {} ---", one_line(&largest, 5 * OUTLINE_LINE_CHARS)));
    }
    let mut ranked: Vec<(Vec<u8>, Place)> = found.places.into_iter().collect();
    sort_by(&mut ranked, |a, b| b.1.entries.cmp(&a.1.entries).then(a.1.first.cmp(&b.1.first)));
    let title = match (listing, ranked.len()) {
        (Listing::Matches, 1) => "file with matches",
        (Listing::Matches, _) => "files with matches, most first",
        (Listing::Findings, 1) => "file with findings",
        (Listing::Findings, _) => "files with findings, most first",
        (Listing::Long | Listing::Paths, 1) => "directory",
        (Listing::Long | Listing::Paths, _) => "directories, most files first",
    };
    let mut list = List::new(&format!("{}{title}", if found.missed { "or more " } else { "" }));
    for (name, place) in ranked.iter().take(LISTED) {
        list.push(|| {
            let name = one_line(&String::from_utf8_lossy(name), OUTLINE_LINE_CHARS);
            format!(
                "{name}: {}{} (first in line {})",
                thousands(place.entries),
                sized(place.bytes),
                thousands(place.first)
            )
        });
    }
    list.all = ranked.len() as u64;
    Ok(Outline { detail, lines, list, ..Outline::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spill::measure::Measurer;

    fn told(text: &str) -> Option<Outline> {
        let lines: Vec<&[u8]> =
            text.lines().filter(|line| !line.is_empty()).map(str::as_bytes).collect();
        let listing = recognise(&lines)?;
        Some(outline(&text.as_bytes(), &Measurer::of(text.as_bytes()), listing).unwrap())
    }

    #[test]
    fn a_time_is_no_line_number() {
        let zone =
            |n| format!("Europe/Z{n}  Sun Mar 29 00:59:59 2026 UT = Sun Mar 29 01:59:59 2026\n");
        assert!(told(&(0..50).map(zone).collect::<String>()).is_none());
        let stamp = |n| format!("{n}. done at 2026-01-01T00:00:{:02}Z by somebody\n", n % 60);
        assert!(told(&(0..50).map(stamp).collect::<String>()).is_none());
        assert!(told(&(0..50).map(|n| format!("{n}/7\n")).collect::<String>()).is_none());
        let with_blanks = |n| format!("./my files/a {n}.rs:{n}:let x = 1;\n");
        assert!(told(&(0..50).map(with_blanks).collect::<String>()).is_some());
    }

    #[test]
    fn findings_of_linters_are_all_counted() {
        for forms in [
            ["a/b.md:NN error MD041 First line", "a/b.md:NN:81 error MD013 Line length"],
            ["a/b.md:NN:1 - Unknown word (x)", "a/c.md:NN:1 - Unknown word (y)"],
            ["[a/b.proto:NN:1] Found a line", "[a/c.proto:NN:3] Found another"],
        ] {
            let line = |n: usize| format!("{}\n", forms[n % 2].replace("NN", &n.to_string()));
            let told = told(&(0..50).map(line).collect::<String>()).unwrap();
            assert!(told.detail.contains("50 findings in "), "{}", told.detail);
        }
    }

    #[test]
    fn what_has_slashes_and_is_no_file_is_no_path() {
        for line in [
            "application/vnd.ms-excel",
            "@scope/package-7",
            "ghcr.io/acme/app:latest",
            "app.kubernetes.io/name",
            "deployment.apps/web-7",
            "10.1038/nature12373",
            "EUR/USD",
            "12MB/s",
            "he/she",
            "/k\u{e6}t/",
            "/x.*/i",
            "s/foo/bar/g",
            "<li>one</li>",
        ] {
            assert!(told(&format!("{line}\n").repeat(50)).is_none(), "{line}");
        }
        for line in [
            "src/main.rs",
            "./bin/run",
            "/usr/lib",
            "../a/b",
            "~/notes/x",
            "a/b.tar.gz",
            "a/b.js:17",
        ] {
            assert!(told(&format!("{line}\n").repeat(50)).is_some(), "{line}");
        }
    }

    #[test]
    fn files_are_counted_by_directory_with_the_largest() {
        let mut text =
            "./src:\ntotal 40\ndrwxr-xr-x 2 root root 4096 Nov 22 10:00 inner\n".to_owned();
        for n in 0..9 {
            text.push_str(&format!(
                "-rw-r--r-- 1 root staff {:>7} Nov 22 10:0{n} a file {n}.rs\n",
                n * 100
            ));
        }
        text.push_str("lrwxrwxrwx 1 root root 99 Nov 22 10:00 x -> a file 1.rs\n");
        text.push_str("-????????? ? ?    ?      ?            ? lost and found\n");
        text.push_str("\n./src/inner:\ntotal 4\n-rwxr-xr-x 1 root root 5000 Jan  2  2025 run\n");
        let told = told(&text).unwrap();
        assert_eq!(
            told.detail,
            "18 lines: 11 files in 2 directories, 8,600 bytes, 1 directory named, 1 link, \
                1 without mode and size"
        );
        assert!(
            told.lines[0]
                .starts_with("--- largest: ./src/inner/run 5,000, ./src/a file 8.rs 800, "),
            "{}",
            told.lines[0]
        );
        assert_eq!(
            told.list.lines,
            [
                "./src: 10, 3,600 bytes (first in line 4)",
                "./src/inner: 1, 5,000 bytes (first in line 18)"
            ]
        );
    }

    #[test]
    fn lines_of_a_console_and_rows_with_ports_are_no_matches() {
        let lines = |line: &dyn Fn(u32) -> String| (0..90).map(line).collect::<String>();
        let console =
            lines(&|n| format!("app.3f.js:2:{} [HMR] Waiting for signal {n}\n", 4_000 + n));
        assert!(told(&console).is_none());
        let rows = lines(&|n| format!("13004.16\tC{n}\t10.0.0.1:{n}:ok\n"));
        assert!(told(&rows).is_none());
        assert!(told(&lines(&|n| format!("app.js:{n}:4: a\n"))).is_some());
    }

    #[test]
    fn matches_are_counted_by_file() {
        let text: String = (1..=30)
            .map(|n| format!("src/{}.rs:{n}:    let x = {n}; // a: b\n", ["a", "a", "b"][n % 3]))
            .collect();
        let told = told(&text).unwrap();
        assert_eq!(told.detail, "30 lines: 30 matches in 2 files");
        assert_eq!(
            told.list.lines,
            ["src/a.rs: 20 (first in line 1)", "src/b.rs: 10 (first in line 2)"]
        );
        for place in ["", ":7"] {
            let found = |n| format!("src/{}.py:{n}{place}: E501 line too long\n", n % 3);
            let found = self::told(&(1..=30).map(found).collect::<String>()).unwrap();
            assert_eq!(found.detail, "30 lines: 30 findings in 3 files");
        }
    }

    #[test]
    fn paths_are_counted_by_directory_and_other_text_is_none() {
        let text: String =
            (0..20).map(|n| format!("./lib/{}/f{n}.js\n", ["x", "y"][n % 2])).collect();
        assert_eq!(told(&text).unwrap().detail, "20 lines: 20 paths in 2 directories");
        let rooted =
            told(&format!("{text}\n/etc\nfind: '/x': Permission denied\n/var/\n")).unwrap();
        assert_eq!(rooted.detail, "24 lines: 22 paths in 3 directories");
        assert_eq!(rooted.list.lines[2], "/: 2 (first in line 22)");
        let sent = told(&format!("sending a list\n{text}sent 3 bytes\n")).unwrap();
        assert_eq!(sent.detail, "22 lines: 20 paths in 2 directories");
        let many: String = (0..5_000).map(|n| format!("./lib/{n}/f.js\n")).collect();
        let many = told(&many).unwrap();
        assert_eq!(many.detail, "5,000 lines: 5,000 paths in at least 4,096 directories");
        assert_eq!(many.list.title, "or more directories, most files first");
        for text in [
            "some words here\n".repeat(20),
            "2026-11-22 10:00:01 INFO a: b\n".repeat(20),
            "10:00:01: started\n".repeat(20),
            "https://example.com/a\n".repeat(20),
            "key: value\n".repeat(20),
            "/p/7,832,78\n".repeat(20),
            "t/test_a.py::test_b\n".repeat(20),
            "MSH|LAB|718-7^Hb||13.1|g/dL|12-16|N\n".repeat(20),
        ] {
            assert!(told(&text).is_none(), "{text}");
        }
    }
}
