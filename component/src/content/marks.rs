//! What names the parts of a text: headings, definitions, changed files.

use super::numbers::{counted, thousands};
use super::scan::each_line_to;
use super::show::one_line;
use super::source_text::{Comments, Functions, defines, ends_by_indent, heading_level, is_outer};
use crate::content::kind::Kind;
use crate::limits::READ_BYTES;
use crate::source::{ReadError, Source, count_newlines};

/// Characters of a label.
const LABEL_CHARS: usize = 120;

/// Bytes of a tag that are looked at: enough for its name.
const TAG_BYTES: usize = 256;

/// Bytes after the start of a heading in which its text is looked for.
const HEADING_BYTES: u64 = 600;

/// A line at which a part begins.
pub(crate) struct Mark {
    /// Its number, from 1.
    pub line: u64,
    /// What stands there: `## Setup`, `h2 Setup`, `fn main()`, `src/main.rs`.
    pub label: String,
    /// More on it: `+3 -1 in 2 hunks`; mostly empty.
    pub detail: String,
    /// Its last line, where a brace tells it.
    pub last: Option<u64>,
}

/// The parts of a text.
#[derive(Default)]
pub(crate) struct Marks {
    /// What they are: `headings`.
    pub noun: &'static str,
    /// The first, as many as were asked for.
    pub first: Vec<Mark>,
    /// How many there are.
    pub all: u64,
    /// What they are together, where there is more to say than their number: `3 files in 12 changes, +4 -2`.
    pub about: Option<String>,
    /// The title of a page.
    pub title: Option<String>,
    keep: usize,
}

impl Marks {
    fn push(&mut self, line: u64, label: impl FnOnce() -> String) {
        self.push_with(line, || (label(), String::new()));
    }

    fn push_with(&mut self, line: u64, words: impl FnOnce() -> (String, String)) {
        if self.first.len() < self.keep {
            let (label, detail) = words();
            self.first.push(Mark { line, label, detail, last: None });
        }
        self.all += 1;
    }
}

/// Finds those in the bytes before a place.
type Finder = fn(&dyn Source, u64, &mut Marks) -> Result<(), ReadError>;

/// The parts of a content of a kind that has some, in its bytes before `end`: the first `keep`, and how many there are.
///
/// # Errors
/// As [`Source::read_at`].
pub(crate) fn marks(
    source: &dyn Source,
    kind: Kind,
    end: u64,
    keep: usize,
) -> Result<Option<Marks>, ReadError> {
    let (noun, find): (_, Finder) = match kind {
        Kind::Markdown => ("headings", markdown),
        Kind::Html => ("headings", html),
        Kind::Code => ("definitions", symbols),
        Kind::Diff => ("files", unified),
        _ => return Ok(None),
    };
    let mut marks = Marks { noun, keep, ..Marks::default() };
    find(source, end, &mut marks)?;
    Ok(Some(marks))
}

fn markdown(source: &dyn Source, end: u64, marks: &mut Marks) -> Result<(), ReadError> {
    const KEEP: usize = 400;
    let mut fence: Option<u8> = None;
    let mut in_front = false;
    // The line before, where a line of `=` or `-` below makes a heading of it.
    let mut above = Vec::new();
    each_line_to(source, end, KEEP, |line| {
        let text = line.prefix.trim_ascii();
        let underlined = std::mem::take(&mut above);
        if text == b"---" && (in_front || line.number == 1) {
            in_front = !in_front;
        } else if text.starts_with(b"```") || text.starts_with(b"~~~") {
            match fence {
                None => fence = Some(text[0]),
                Some(sign) if sign == text[0] => fence = None,
                Some(_) => {}
            }
        } else if fence.is_some() || in_front {
        } else if let Some(level) = heading_level(line.prefix) {
            marks.push(line.number, || {
                let title = String::from_utf8_lossy(&line.prefix[level..]);
                format!("{} {}", "#".repeat(level), one_line(title.trim(), LABEL_CHARS))
            });
        } else if let Some(level) = underline(text).filter(|_| !underlined.is_empty()) {
            marks.push(line.number - 1, || {
                let title = String::from_utf8_lossy(&underlined);
                format!("{} {}", "#".repeat(level), one_line(&title, LABEL_CHARS))
            });
        } else if !line.prefix.starts_with(b" ")
            && text.first().is_some_and(|first| !b"#-*+>|=<".contains(first))
        {
            above = text.to_vec();
        }
    })
}

/// The level of the heading that a line of one sign makes of the one above.
fn underline(line: &[u8]) -> Option<usize> {
    let &[first, ref rest @ ..] = line else { return None };
    let is_line = rest.len() >= 2 && rest.iter().all(|&sign| sign == first);
    match first {
        b'=' if is_line => Some(1),
        b'-' if is_line => Some(2),
        _ => None,
    }
}

/// A definition whose end was not met yet.
struct Open {
    /// Which of the marks it is.
    at: usize,
    indent: usize,
    by_indent: bool,
    is_class: bool,
}

/// Whether a line selects elements of a style sheet: `a:not(.b) {`.
fn is_selector(text: &str) -> bool {
    let before = text.split('(').next().unwrap_or_default();
    let head = before.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '-');
    head.len() < before.len() && head.ends_with(':') && !head.ends_with("::")
}

fn symbols(source: &dyn Source, end: u64, marks: &mut Marks) -> Result<(), ReadError> {
    const KEEP: usize = 200;
    let mut comments = Comments::default();
    let mut functions = Functions::default();
    let mut open: Vec<Open> = Vec::new();
    // The last line with something on it.
    let mut last = 0;
    each_line_to(source, end, KEEP, |line| {
        let Some(indent) = line.prefix.iter().position(|&b| b != b' ' && b != b'\t') else {
            return;
        };
        let text = line.prefix[indent..].trim_ascii_end();
        let before = if text.is_empty() { last } else { std::mem::replace(&mut last, line.number) };
        if text.is_empty() || comments.takes(text) {
            return;
        }
        let Ok(text) = std::str::from_utf8(text) else { return };
        if text.starts_with('{')
            && let Some(last) = open.last_mut()
        {
            last.by_indent = false;
        }
        let is_end = text == "end" || text.starts_with("end ");
        while let Some(Open { at, indent: begins, by_indent, .. }) =
            open.pop_if(|it| match it.by_indent {
                true => indent <= it.indent && !text.starts_with([')', ']', '#']),
                false => text.starts_with('}') && indent <= it.indent,
            })
        {
            let is_own = text.starts_with('}') || is_end && indent == begins;
            marks.first[at].last = Some(if is_own { line.number } else { before });
            // What is around it may be no further out.
            if !by_indent && begins == indent {
                break;
            }
        }
        if text.starts_with('}') || is_end {
            return;
        }
        let in_class =
            open.last().is_some_and(|it| it.is_class && !it.by_indent && it.indent < indent);
        let is_small = text.starts_with(|first: char| first.is_ascii_lowercase());
        let is_defined = is_small && is_outer(text, indent) && defines(text);
        let is_symbol = !is_selector(text);
        let function = functions.take(line.number, text, indent, in_class).filter(|_| is_symbol);
        let Some((number, text)) = is_defined.then(|| (line.number, text.to_owned())).or(function)
        else {
            return;
        };
        let count = |sign: char| text.matches(sign).count();
        let is_line = text.ends_with(';') || count('{') > 0 && count('{') == count('}');
        let is_kept = marks.first.len() < marks.keep;
        if is_kept && !is_line {
            let is_class = text.split(' ').any(|word| word == "class" || word == "interface");
            let (at, by_indent) = (marks.first.len(), is_defined && ends_by_indent(&text));
            open.push(Open { at, indent, by_indent, is_class });
        }
        marks.push(number, || {
            let pad = if indent > 0 { "  " } else { "" };
            let text = text.trim_end_matches(['{', ':']).trim_end();
            format!("{pad}{}", one_line(text, LABEL_CHARS))
        });
        if is_kept
            && is_line
            && let Some(mark) = marks.first.last_mut()
        {
            mark.last = Some(number);
        }
    })?;
    for Open { at, .. } in open.into_iter().filter(|it| it.by_indent) {
        marks.first[at].last = Some(last);
    }
    Ok(())
}

fn html(source: &dyn Source, end: u64, marks: &mut Marks) -> Result<(), ReadError> {
    let mut places = Vec::new();
    let mut title = None;
    let mut all = 0;
    each_tag(source, true, |offset, tag, line| {
        let &[_, h, second, third, ..] = tag else { return };
        if offset < end
            && (h | 0x20) == b'h'
            && matches!(second, b'1'..=b'6')
            && matches!(third, b'>' | b' ' | b'\t' | b'\n' | b'\r')
        {
            all += 1;
            if places.len() < marks.keep {
                places.push((offset, line(), char::from(second)));
            }
        } else if title.is_none() && tag.get(..6).is_some_and(|t| t.eq_ignore_ascii_case(b"<title"))
        {
            title = Some(offset);
        }
    })?;
    marks.title = title.map(|title| inner_text(source, title)).transpose()?;
    for (offset, line, level) in places {
        let text = inner_text(source, offset)?;
        marks.push(line, || format!("h{level} {text}"));
    }
    marks.all = all;
    Ok(())
}

/// Calls `each` with the offset and the first bytes of every tag, except inside of comments, CDATA
/// and, when `html`, scripts and styles. Its last argument counts lines (from 1) up to the tag: for
/// those few tags of which it matters.
pub(crate) fn each_tag(
    source: &dyn Source,
    html: bool,
    mut each: impl FnMut(u64, &[u8], &mut dyn FnMut() -> u64),
) -> Result<(), ReadError> {
    go_through(source, html, &mut each)
}

/// What [`each_tag`] calls.
type EachTag<'e> = &'e mut dyn FnMut(u64, &[u8], &mut dyn FnMut() -> u64);

/// Compiled once, whatever is done with the tags.
#[inline(never)]
fn go_through(source: &dyn Source, html: bool, each: EachTag<'_>) -> Result<(), ReadError> {
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
    Ok(one_line(&String::from_utf8_lossy(&text), LABEL_CHARS))
}

#[derive(Default)]
struct File {
    name: String,
    line: u64,
    hunks: u64,
    added: u64,
    removed: u64,
}

/// The files of a diff, and what changed in all of them.
#[derive(Default)]
struct Files {
    /// A log with patches has a file as often as it changes.
    names: std::collections::BTreeSet<String>,
    added: u64,
    removed: u64,
    hunks: u64,
}

impl Files {
    fn push(&mut self, file: Option<File>, marks: &mut Marks) {
        let Some(file) = file else { return };
        self.added += file.added;
        self.removed += file.removed;
        self.hunks += file.hunks;
        if file.name.is_empty() {
            return;
        }
        self.names.insert(file.name.clone());
        marks.push_with(file.line, || {
            let changes = format!(
                "+{} -{} in {}",
                thousands(file.added),
                thousands(file.removed),
                counted(file.hunks, "hunk")
            );
            (one_line(&file.name, LABEL_CHARS), changes)
        });
    }

    /// What they are together: `is_porcelain` and `by_words` say whether words changed, and not lines.
    fn tell(self, marks: &mut Marks, is_porcelain: bool, by_words: u64) {
        let Files { names, added, removed, hunks } = self;
        let mut what = match names.len() as u64 {
            0 => counted(hunks, "hunk"),
            files => counted(files, "file"),
        };
        if marks.all > names.len() as u64 {
            what = format!("{what} in {}", counted(marks.all, "change"));
            marks.noun = "changes of files";
        }
        marks.about = Some(format!("{what}, +{} -{}", thousands(added), thousands(removed)));
        // Then no line stands for itself.
        if is_porcelain || by_words > added + removed || (hunks > 0 && added + removed == 0) {
            marks.first.iter_mut().for_each(|mark| mark.detail.clear());
            marks.about = Some(format!("{what}, changes within lines"));
        }
    }
}

/// The numbers of old and new lines in a hunk, from `@@ -1,5 +1,7 @@`; a missing one is 1.
fn hunk(line: &[u8]) -> Option<(u64, u64)> {
    let text = std::str::from_utf8(line.get(..line.len().min(80))?).ok()?;
    let mut parts = text.strip_prefix("@@ -")?.split(' ');
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok());
    let old = count(parts.next()?)?;
    let new = count(parts.next()?.strip_prefix('+')?)?;
    Some((old, new))
}

fn unified(source: &dyn Source, end: u64, marks: &mut Marks) -> Result<(), ReadError> {
    const KEEP: usize = 300;
    let mut files = Files::default();
    let mut file: Option<File> = None;
    // Lines that the hunk at hand still has: only there do `+` and `-` mean a change.
    let (mut old, mut new) = (0u64, 0u64);
    // Lines that mark the words that changed: `[-old-]{+new+}`, or a sign alone where each word has a line.
    let (mut by_words, mut is_porcelain) = (0u64, false);
    let mut finish = |file: Option<File>| files.push(file, marks);
    each_line_to(source, end, KEEP, |line| {
        let text = line.prefix;
        // A count may promise more lines than there are: what can be no line of a hunk ends it.
        if !matches!(text.first(), None | Some(b' ' | b'+' | b'-' | b'\\' | b'~')) {
            (old, new) = (0, 0);
        }
        if old > 0 || new > 0 {
            let current = file.get_or_insert_default();
            match text.first() {
                Some(b'+') => {
                    current.added += 1;
                    new = new.saturating_sub(1);
                }
                Some(b'-') => {
                    current.removed += 1;
                    old = old.saturating_sub(1);
                }
                Some(b'\\') => {}
                Some(b'~') => is_porcelain = true,
                _ => {
                    let has = |mark: &[u8]| memchr::memmem::find(text, mark).is_some();
                    by_words += u64::from((has(b"[-") && has(b"-]")) || (has(b"{+") && has(b"+}")));
                    old = old.saturating_sub(1);
                    new = new.saturating_sub(1);
                }
            }
            return;
        }
        if let Some(counts) = hunk(text) {
            (old, new) = counts;
            file.get_or_insert_default().hunks += 1;
        } else if text.starts_with(b"diff --git ") {
            finish(file.take());
            let (name, line) = (git_name(&text[11..]), line.number);
            file = Some(File { name, line, ..File::default() });
        } else if let Some(paths) = text.strip_prefix(b"==== ") {
            // Of Perforce: `==== //depot/a.c#4 - /home/a.c ====`.
            finish(file.take());
            let paths = String::from_utf8_lossy(paths);
            let name = paths.split([' ', '#']).next().unwrap_or_default().to_owned();
            file = Some(File { name, line: line.number, ..File::default() });
        } else if text.starts_with(b"--- ") {
            // Starts a file of its own unless a `diff` line has.
            if file.as_ref().is_some_and(|file| file.hunks > 0) {
                finish(file.take());
            }
            let current = file.get_or_insert_default();
            if current.name.is_empty() {
                current.line = line.number;
                current.name = name(&text[4..]);
            }
        } else if let Some(path) = text.strip_prefix(b"+++ ") {
            let current = file.get_or_insert_default();
            let path = name(path);
            if path != "/dev/null" {
                current.name = path;
            }
        }
    })?;
    finish(file.take());
    files.tell(marks, is_porcelain, by_words);
    Ok(())
}

/// The second of two paths as Git heads a file with them.
fn git_name(paths: &[u8]) -> String {
    let paths = String::from_utf8_lossy(paths);
    paths.rsplit_once(" b/").map_or(&*paths, |(_, name)| name).trim().to_owned()
}

/// A path as a diff gives it: without `a/` or `b/`, and what follows a tab.
fn name(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path);
    let path = path.split('\t').next().unwrap_or_default().trim();
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(source: &str) -> Vec<String> {
        let marks = marks(&source.as_bytes(), Kind::Code, u64::MAX, 90).unwrap().unwrap();
        let told = marks.first.iter().map(|mark| {
            let last = mark.last.map_or("?".to_owned(), |last| last.to_string());
            format!("{}-{last} {}", mark.line, mark.label.trim())
        });
        told.collect()
    }

    #[test]
    fn definitions_end_where_their_braces_or_lines_do() {
        let python = "import re\n\nclass A(B):\n    x = 1\n\n    def f(self,\n          a):\n        def g():\n            pass\n        \
            return r\"'''\"\n\n    def h(self):\n        pass\n\n\nLAST = 1\n\ndef z(\n    a,\n):\n    pass\n";
        assert_eq!(
            told(python),
            ["3-13 class A(B)", "6-10 def f(self,", "12-13 def h(self)", "18-21 def z("]
        );
        let cpp = "namespace n {\nstruct S { int a; };\nclass C;\nint f(int a)\n{\n  if (a) {\n  }\n}\nint g() { return 1; }\n\
            struct T t;\n}\nint h() {\n}\n";
        assert_eq!(
            told(cpp),
            [
                "1-11 namespace n",
                "2-2 struct S { int a; };",
                "3-3 class C;",
                "4-8 int f(int a)",
                "9-9 int g() { return 1; }",
                "12-13 int h()"
            ]
        );
        let script = "export class Store {\n  constructor(a) {\n    for (const b of a) {\n    }\n  }\n  async load(id) {\n    \
            if (id) {\n    }\n  }\n  get(id) {\n    call(id);\n  }\n}\nrun(a) {\n}\n";
        assert_eq!(
            told(script),
            [
                "1-13 export class Store",
                "2-5 constructor(a)",
                "6-9 async load(id)",
                "10-12 get(id)",
                "14-15 run(a)"
            ]
        );
        let ruby = "module M\n  class A\n    def f\n      1\n    end\n  end\nend\ndef g\nend\n";
        assert_eq!(told(ruby), ["1-7 module M", "2-6 class A", "3-5 def f", "8-9 def g"]);
    }
}
