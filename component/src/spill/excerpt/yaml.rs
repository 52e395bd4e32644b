//! The outline of YAML: documents, lists, keys, and the values that repeat.
//!
//! Every number is what a reader of YAML counts in the same lines: the parser is that of queries. A number
//! belongs to a name at whatever depth, or to the outermost level, and says which.

use saphyr_parser::{Event, Parser, ScalarStyle};

use super::values::Values;
use super::{List, OUTLINE_LINE_CHARS, Outline, lines_of};
use crate::content::numbers::{counted, thousands};
use crate::content::show::one_line;
use crate::content::yaml::with_brackets_inside;
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::measure::Measure;

/// Bytes that are read.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Collections inside each other.
const MAX_DEPTH: usize = 100;

/// Keys that are told apart, and those of the outermost mappings that are listed.
const KEYS: usize = 128;
const OUTERMOST: usize = 24;

/// Lists that are counted together.
#[derive(Default)]
struct Lists {
    lists: u64,
    items: u64,
    // The items of each, when that is one number.
    each: Option<u64>,
    // How deep the outermost of them is.
    depth: usize,
}

impl Lists {
    fn add(&mut self, items: u64, depth: usize) {
        let is_first = self.lists == 0;
        self.each = (is_first || self.each == Some(items)).then_some(items);
        self.depth = if is_first { depth } else { self.depth.min(depth) };
        self.lists += 1;
        self.items += items;
    }

    /// `300 lists of 1 item`, `900 lists with 2,700 items`.
    fn words(&self) -> String {
        let lists = counted(self.lists, "list");
        match self.each {
            Some(each) => format!("{lists} of {}", counted(each, "item")),
            None => format!("{lists} with {}", counted(self.items, "item")),
        }
    }
}

#[derive(Default)]
struct Key {
    name: String,
    // In how many outermost mappings it is, and in which document last.
    outermost: u64,
    last: u64,
    // The lists that are its value, and the scalars, at whatever depth.
    lists: Lists,
    values: Values,
    valued: u64,
}

/// A collection that is open.
#[derive(Clone, Copy)]
struct Open {
    // Of a mapping: whether a key comes next.
    key: Option<bool>,
    // Which of the keys it is a value of, and which the value at hand is of.
    of: Option<usize>,
    at: Option<usize>,
    items: u64,
}

#[derive(Default)]
struct Counts {
    documents: u64,
    empty: u64,
    // The outermost lists.
    roots: Lists,
    keys: Vec<Key>,
    // Whether a key of an outermost mapping was met when no more could be told apart.
    missed: bool,
    aliases: bool,
    open: Vec<Open>,
}

impl Counts {
    /// Takes the next event, unless it is nested too deep.
    fn take(&mut self, event: Event<'_>) -> bool {
        match event {
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if self.open.len() >= MAX_DEPTH {
                    return false;
                }
                let is_list = matches!(event, Event::SequenceStart(..));
                self.documents += u64::from(self.open.is_empty());
                let of = self.node();
                let key = (!is_list).then_some(true);
                self.open.push(Open { key, of, at: None, items: 0 });
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Scalar(text, style, _, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                let is_null = is_plain && matches!(&*text, "" | "~" | "null" | "Null" | "NULL");
                if self.open.is_empty() {
                    *if is_null { &mut self.empty } else { &mut self.documents } += 1;
                } else if let Some(Open { key: Some(key @ true), at, .. }) = self.open.last_mut() {
                    (*key, *at) = (false, None);
                    let at = self.key(&text);
                    self.open.last_mut().into_iter().for_each(|open| open.at = at);
                } else if let Some(at) = self.node()
                    && tag.is_none()
                    && !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded)
                {
                    self.keys[at].valued += u64::from(!is_null);
                    // In quotes where it would be something else without them.
                    let is_word = text.starts_with(|first: char| first.is_alphabetic())
                        && text.trim_end() == text
                        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
                            .iter()
                            .any(|word| text.eq_ignore_ascii_case(word));
                    match is_plain || is_word {
                        _ if is_null => self.keys[at].values.push(b""),
                        true => self.keys[at].values.push(text.as_bytes()),
                        false => {
                            let text = serde_json::Value::from(&*text).to_string();
                            self.keys[at].values.push_as(text.as_bytes(), false);
                        }
                    }
                }
            }
            Event::Alias(_) => {
                self.aliases = true;
                self.node();
            }
            _ => {}
        }
        true
    }

    /// Enters a node into the collection that is open, and says which key it is the value of.
    fn node(&mut self) -> Option<usize> {
        let open = self.open.last_mut()?;
        open.items += 1;
        match &mut open.key {
            None => None,
            // A key that is no scalar.
            Some(key @ true) => {
                *key = false;
                open.at = None;
                None
            }
            Some(key @ false) => {
                *key = true;
                open.at.take()
            }
        }
    }

    fn key(&mut self, name: &str) -> Option<usize> {
        // A reader merges what it stands for.
        self.aliases |= name == "<<";
        let at = match self.keys.iter().position(|key| key.name == name) {
            // Those of the document itself are told in any case.
            None if self.keys.len() < KEYS * if self.open.len() == 1 { 2 } else { 1 } => {
                self.keys.push(Key { name: name.to_owned(), ..Key::default() });
                Some(self.keys.len() - 1)
            }
            at => at,
        };
        if self.open.len() == 1 {
            match at {
                Some(at) => {
                    let key = &mut self.keys[at];
                    key.outermost += u64::from(key.last != self.documents);
                    key.last = self.documents;
                }
                None => self.missed = true,
            }
        }
        at
    }

    fn close(&mut self) {
        let Some(closed) = self.open.pop() else { return };
        let depth = self.open.len();
        match closed.of {
            _ if closed.key.is_some() => {}
            Some(at) => self.keys[at].lists.add(closed.items, depth),
            None if depth == 0 => self.roots.add(closed.items, 0),
            None => {}
        }
    }

    /// The outermost lists: how many there are, of what, and where.
    fn lists(&self) -> Option<String> {
        match self.roots.lists {
            0 => {}
            1 => {
                return Some(format!(
                    "{} in its outermost list",
                    counted(self.roots.items, "item")
                ));
            }
            _ => return Some(format!("{} at its outermost level", self.roots.words())),
        }
        let named = self.keys.iter().filter(|key| key.lists.lists > 0);
        let key = named.min_by_key(|key| {
            let items = key.lists.items;
            (items == 0, key.lists.depth, std::cmp::Reverse(items))
        })?;
        let name = one_line(&key.name, 60);
        Some(match key.lists.lists {
            1 => format!("{} in \"{name}\"", counted(key.lists.items, "item")),
            _ => format!("{} in \"{name}\"", key.lists.words()),
        })
    }
}

impl Counts {
    /// `2 documents and 1 empty, 300 items in items`.
    fn words(&self) -> String {
        let mut words = counted(self.documents, "document");
        if self.empty > 0 {
            words.push_str(&format!(" and {} empty", thousands(self.empty)));
        }
        if let Some(lists) = self.lists() {
            words.push_str(&format!(", {lists}"));
        }
        if self.aliases {
            words.push_str(", aliases not followed");
        }
        words
    }

    /// The names of the outermost keys, if there are any.
    fn outermost(&self) -> Option<String> {
        let outermost = || self.keys.iter().filter(|key| key.outermost > 0);
        let name = |key: &Key| match key.outermost {
            1 => one_line(&key.name, 60),
            times => format!("{} ({})", one_line(&key.name, 60), thousands(times)),
        };
        let mut names: Vec<String> = outermost().take(OUTERMOST).map(name).collect();
        if self.missed || outermost().nth(OUTERMOST).is_some() {
            names.push("…".to_owned());
        }
        outermost().next()?;
        Some(one_line(&names.join(", "), 3 * OUTLINE_LINE_CHARS))
    }
}

const MALFORMED: &str = ", malformed there";

/// What there is in a text, the last line that was read, and why not more.
fn read(text: &str) -> (Counts, u64, &'static str) {
    let mut counts = Counts::default();
    let mut line = 0;
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { return (counts, line, MALFORMED) };
        line = span.start.line() as u64;
        if !counts.take(event) {
            return (counts, line, ", nested too deeply there");
        }
    }
    (counts, line, "")
}

pub(super) fn outline(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut bytes = source.read_range(0, MAX_BYTES)?;
    let is_cut = (bytes.len() as u64) < source.len();
    if is_cut {
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |last| last + 1));
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let (text, is_cut) = match std::str::from_utf8(text) {
        Ok(text) => (text, is_cut),
        Err(error) => {
            let valid = &text[..error.valid_up_to()];
            let line = memchr::memrchr(b'\n', valid).map_or(0, |last| last + 1);
            (std::str::from_utf8(&valid[..line]).unwrap_or_default(), true)
        }
    };
    let mut read = read(text);
    if read.2 == MALFORMED
        && let Some(text) = with_brackets_inside(text)
    {
        let again = self::read(&text);
        if again.2 != MALFORMED {
            read = again;
        }
    }
    let (mut counts, mut line, why) = read;
    if why.is_empty() && is_cut {
        line = count_newlines(text.as_bytes());
    }
    // Of what is open where reading ended, what was met counts.
    while let Some(open) = counts.open.last() {
        match open.items {
            0 => drop(counts.open.pop()),
            _ => counts.close(),
        }
    }
    if counts.keys.is_empty() && counts.roots.lists == 0 {
        return Ok(Outline { detail: lines_of(measure), ..Outline::default() });
    }
    let scope = match why.is_empty() && !is_cut {
        true => String::new(),
        false => format!(" up to line {}", thousands(line)),
    };
    let mut lines = Vec::new();
    if let Some(names) = counts.outermost() {
        lines.push(format!("--- outermost keys{scope}: {names} ---"));
    }
    let lines_of = counted(measure.lines, "line");
    let detail = format!("{lines_of}, YAML{scope}{why}: {}", counts.words());
    let mut list = List::new(&format!("keys with values that repeat{scope}"));
    for key in counts.keys.iter().filter(|key| key.valued >= 3 && key.values.repeats()) {
        list.push(|| {
            one_line(&format!("{}: {}", key.name, key.values.words()), OUTLINE_LINE_CHARS)
        });
    }
    Ok(Outline { detail, lines, list, ..Outline::default() })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::spill::measure::Measurer;

    fn of(text: &str) -> Outline {
        outline(&text.as_bytes(), &Measurer::of(text.as_bytes())).unwrap()
    }

    #[test]
    fn a_bracket_may_close_at_the_column_of_its_key() {
        for text in [
            "paths: [\n  \"x.yml\",\n  \"y.h\"\n]\nbuild: 1\nend: 2\n",
            "paths: {\n  \"x\": 'y'\n}\nbuild:\n  args: [\n    'a'\n  ]\nend: |\n  }\n  ]\n",
            "paths:\n- args: [\n    \"x\"\n  ]\n- b\nbuild: 1\nend: >-\n  ]\n",
        ] {
            let outline = of(text);
            assert!(!outline.detail.contains("malformed"), "{text}: {}", outline.detail);
            assert_eq!(outline.lines, ["--- outermost keys: paths, build, end ---"], "{text}");
        }
        assert!(of("a: [\n  \"b\"\nc: 1\n]\n").detail.contains("malformed"));
    }

    #[test]
    fn all_ways_to_write_null_are_one_value() {
        let text: String =
            (0..60).map(|n| format!("---\nratio: {}\n", ["null", "~", "", "x1"][n % 4])).collect();
        let outline = outline(&text.as_bytes(), &Measurer::of(text.as_bytes())).unwrap();
        assert_eq!(outline.list.lines, ["ratio: 1 distinct: x1 15; 45 empty"]);
    }

    #[test]
    fn documents_lists_keys_and_states_are_counted() {
        let pods: String = (0..60)
            .map(|n| {
                let phase = ["Running", "\"Running\"", "Pending"][n % 3];
                format!(
                    "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-{n}\n  note: |\n    phase: none\nspec:\n  \
                     containers:\n  - name: main\nstatus:\n  phase: {phase}\n---\n"
                )
            })
            .collect();
        let outline = of(&pods);
        assert_eq!(
            outline.detail,
            "720 lines, YAML: 60 documents and 1 empty, 60 lists of 1 item in \"containers\""
        );
        assert_eq!(
            outline.lines,
            [
                "--- outermost keys: apiVersion (60), kind (60), metadata (60), spec (60), status (60) ---"
            ]
        );
        assert_eq!(
            outline.list.lines,
            [
                "apiVersion: 1 distinct: v1 60",
                "kind: 1 distinct: Pod 60",
                "phase: 2 distinct: Running 40, Pending 20"
            ]
        );
    }

    #[test]
    fn numbers_are_those_of_a_reader_of_yaml() {
        let services: String =
            (0..900).map(|n| format!("  web{n}:\n    ports:\n    - {n}:80\n")).collect();
        for (text, detail, outermost) in [
            // Each of a list of its own, at one place after another.
            (
                format!("services:\n{services}"),
                "2,701 lines, YAML: 1 document, 900 lists of 1 item in \"ports\"",
                "services",
            ),
            (
                "- a: 1\n- a: 2\n".into(),
                "2 lines, YAML: 1 document, 2 items in its outermost list",
                "",
            ),
            (
                "- 1\n---\n- 2\n- 3\n".into(),
                "4 lines, YAML: 2 documents, 2 lists with 3 items at its outermost level",
                "",
            ),
            // The same key deeper is another; a second one in a mapping is none.
            (
                "a: 1\nb:\n  a: 2\n  c: [1, {a: 3},\n    4]\na: 5\n".into(),
                "6 lines, YAML: 1 document, 3 items in \"c\"",
                "a, b",
            ),
            // What is in quotes, in blocks and in comments is no key and no item.
            (
                "a: 'x\n\n  b: 1\n  - 2\n  '\nc: >\n  - d: 1\n# e: 1\nf: g\n  h i\n".into(),
                "10 lines, YAML: 1 document",
                "a, c, f",
            ),
            (
                "- - 1\n  - 2\n- - 3\n".into(),
                "3 lines, YAML: 1 document, 2 items in its outermost list",
                "",
            ),
            (
                "%YAML 1.2\n---\n\"a b\": 1\n...\n--- {a: 1, b: 2}\n--- # none\n---\n- x\n".into(),
                "8 lines, YAML: 3 documents and 1 empty, 1 item in its outermost list",
                "a b, a, b",
            ),
            (
                "a: &l [1, 2]\nb: *l\n? [p, q]\n: [r]\n".into(),
                "4 lines, YAML: 1 document, 2 items in \"a\", aliases not followed",
                "a, b",
            ),
            (
                "a:\n- 1\n- 2\nb:\n\tc: 1\nd: 1\n".into(),
                "6 lines, YAML up to line 4, malformed there: 1 document, 2 items in \"a\"",
                "a, b",
            ),
            ("some words\nand more\n".into(), "2 lines", ""),
            ("\u{feff}a: 1\r\nb: 2\r\n".into(), "2 lines, YAML: 1 document", "a, b"),
        ] {
            let got = of(&text);
            let line = got.lines.first().map_or("", |line| line.as_str());
            let keys = line.split_once(": ").map_or("", |(_, keys)| keys.trim_end_matches(" ---"));
            assert_eq!((&*got.detail, keys), (detail, outermost), "{text}");
        }
    }

    #[test]
    fn what_is_not_read_is_said() {
        let many: String = (0..400_000).map(|n| format!("- a: {n}\n")).collect();
        let detail = of(&many).detail;
        assert!(detail.starts_with("400,000 lines, YAML up to line 358,784:"), "{detail}");
        let items = detail.split_once("1 document, ").unwrap().1;
        let line = detail.split_once("line ").unwrap().1;
        assert_eq!(items.split_once(' ').unwrap().0, line.split_once(':').unwrap().0);
        for (deep, why) in [("- ", "3, nested too deeply"), ("[", "2, malformed")] {
            let deep = of(&format!("a: 1\nb:\n {}", deep.repeat(100_000)));
            let want = format!("3 lines, YAML up to line {why} there: 1 document");
            assert!(deep.detail.starts_with(&want), "{}", deep.detail);
        }
    }

    #[derive(Debug, Clone)]
    enum Node {
        Scalar(u8),
        List(Vec<Node>),
        Map(BTreeMap<u8, Node>),
    }

    fn node() -> impl Strategy<Value = Node> {
        (0u8..12).prop_map(Node::Scalar).prop_recursive(5, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Node::List),
                prop::collection::btree_map(0u8..6, inner, 0..5).prop_map(Node::Map),
            ]
        })
    }

    /// How keys and scalars are written, whatever they are.
    const KEYS: [&str; 6] = ["a", "\"b c\"", "'items'", "x.y/z", "ports", "1"];
    const NAMES: [&str; 6] = ["a", "b c", "items", "x.y/z", "ports", "1"];
    const SCALARS: [&str; 12] = [
        "1",
        "ok",
        "\"ok\"",
        "- x: 1",
        "k: v",
        "two\nlines: 2",
        "# no",
        "text",
        "'7'",
        "failed",
        "a, [b]",
        "",
    ];

    fn emit(node: &Node, indent: usize, out: &mut String) {
        let pad = " ".repeat(indent);
        let value = |child: &Node, out: &mut String| match child {
            Node::List(all) if all.is_empty() => out.push_str(" []\n"),
            Node::Map(all) if all.is_empty() => out.push_str(" {} # none: 1\n"),
            Node::Scalar(n) => match SCALARS[*n as usize] {
                "" => out.push_str(" # a: 1\n"),
                text if text.contains('\n') => {
                    out.push_str(" |\n");
                    text.lines().for_each(|line| out.push_str(&format!("{pad}   {line}\n")));
                }
                text if text.contains([':', '#', '[']) => out.push_str(&format!(" \"{text}\"\n")),
                text => out.push_str(&format!(" {text}\n")),
            },
            _ => {
                out.push('\n');
                emit(child, indent + 2, out);
            }
        };
        match node {
            Node::List(all) => all.iter().for_each(|child| {
                out.push_str(&format!("{pad}-"));
                value(child, out);
            }),
            Node::Map(all) => all.iter().for_each(|(key, child)| {
                out.push_str(&format!("{pad}{}:", KEYS[*key as usize]));
                value(child, out);
            }),
            Node::Scalar(_) => {}
        }
    }

    /// Every list below a node with its name and how deep it is.
    fn lists(node: &Node, of: Option<u8>, depth: usize, found: &mut Vec<(Option<u8>, usize, u64)>) {
        match node {
            Node::Scalar(_) => {}
            Node::List(all) => {
                found.push((of, depth, all.len() as u64));
                all.iter().for_each(|child| lists(child, None, depth + 1, found));
            }
            Node::Map(all) => {
                all.iter().for_each(|(key, child)| lists(child, Some(*key), depth + 1, found));
            }
        }
    }

    /// Every scalar that is the value of a key.
    fn scalars(node: &Node, of: Option<u8>, found: &mut Vec<(u8, u8)>) {
        match (node, of) {
            (Node::Scalar(n), Some(key)) => found.push((key, *n)),
            (Node::Scalar(_), None) => {}
            (Node::List(all), _) => all.iter().for_each(|child| scalars(child, None, found)),
            (Node::Map(all), _) => {
                all.iter().for_each(|(key, child)| scalars(child, Some(*key), found));
            }
        }
    }

    proptest! {
        #[test]
        fn every_number_is_true(roots in prop::collection::vec(node(), 1..8)) {
            let roots: Vec<Node> = roots
                .into_iter()
                .filter(|node| match node {
                    Node::Scalar(_) => false,
                    Node::List(all) => !all.is_empty(),
                    Node::Map(all) => !all.is_empty(),
                })
                .collect();
            let mut text = String::new();
            for root in &roots {
                text.push_str("---\n");
                emit(root, 0, &mut text);
            }
            let outline = of(&text);
            if roots.is_empty() {
                return Ok(());
            }
            let said = outline.detail.split_once("YAML: ").unwrap().1;
            let mut said = said.splitn(2, ", ");
            prop_assert_eq!(said.next().unwrap(), counted(roots.len() as u64, "document"));
            let mut found = Vec::new();
            roots.iter().for_each(|root| lists(root, None, 0, &mut found));
            let words = said.next();
            prop_assert_eq!(words.is_some(), found.iter().any(|list| list.0.is_some() || list.1 == 0), "{}", text);
            if let Some(words) = words {
                // Those that the sentence speaks of.
                let name = words.split_once(" in \"").map(|(_, name)| name.trim_end_matches('"'));
                let key = name.map(|name| NAMES.iter().position(|n| *n == name).unwrap() as u8);
                let meant: Vec<u64> = found
                    .iter()
                    .filter(|list| list.0 == key && (key.is_some() || list.1 == 0))
                    .map(|list| list.2)
                    .collect();
                let items: u64 = meant.iter().sum();
                let want = match &meant[..] {
                    [one] => counted(*one, "item"),
                    all if all.iter().all(|n| *n == all[0]) => {
                        format!("{} of {}", counted(all.len() as u64, "list"), counted(all[0], "item"))
                    }
                    all => format!("{} with {}", counted(all.len() as u64, "list"), counted(items, "item")),
                };
                let place = match (name, meant.len()) {
                    (Some(name), _) => format!(" in \"{name}\""),
                    (None, 1) => " in its outermost list".to_owned(),
                    (None, _) => " at its outermost level".to_owned(),
                };
                prop_assert_eq!(words, format!("{want}{place}"), "{}", text);
            }
            let mut outermost: Vec<String> = Vec::new();
            let mut order: Vec<u8> = Vec::new();
            for root in &roots {
                if let Node::Map(all) = root {
                    order.extend(all.keys());
                }
            }
            let line = outline.lines.first().map_or("", |line| line.as_str());
            for key in 0..6u8 {
                match order.iter().filter(|k| **k == key).count() {
                    0 => {}
                    1 => outermost.push(NAMES[key as usize].to_owned()),
                    n => outermost.push(format!("{} ({n})", NAMES[key as usize])),
                }
            }
            let mut told: Vec<String> = line
                .trim_start_matches("--- outermost keys: ")
                .trim_end_matches(" ---")
                .split(", ")
                .filter(|key| !key.is_empty())
                .map(str::to_owned)
                .collect();
            crate::sort::sort(&mut told);
            crate::sort::sort(&mut outermost);
            prop_assert_eq!(told, outermost, "{}", text);
            let mut values = Vec::new();
            roots.iter().for_each(|root| scalars(root, None, &mut values));
            for line in &outline.list.lines {
                let (name, words) = line.split_once(": ").unwrap();
                let key = NAMES.iter().position(|n| *n == name).unwrap() as u8;
                // A block of text and an empty value are not among those that are counted.
                let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
                for (_, n) in values.iter().filter(|(k, n)| *k == key && *n != 5 && *n != 11) {
                    let shown = match SCALARS[*n as usize] {
                        "\"ok\"" => "ok",
                        "'7'" => "\"7\"",
                        "- x: 1" => "\"- x: 1\"",
                        "# no" => "\"# no\"",
                        "a, [b]" => "\"a, [b]\"",
                        text => text,
                    };
                    *counts.entry(shown).or_default() += 1;
                }
                if words.starts_with("number, 1") {
                    prop_assert_eq!(counts.keys().copied().collect::<Vec<_>>(), ["1"], "{}", text);
                    continue;
                }
                let (distinct, shown) = words.split_once(" distinct: ").unwrap();
                prop_assert_eq!(distinct.parse::<usize>().unwrap(), counts.len(), "{}", text);
                for (value, times) in counts.iter().filter(|_| counts.len() <= 3) {
                    prop_assert!(shown.contains(&format!("{value} {times}")), "{line}: {text}");
                }
            }
        }
    }
}
