//! Walks JSON of any size and depth without recursion, in constant memory.
//!
//! [`Cursor`] steps over values of a source; it asks no more of them than balanced brackets and
//! closed strings, so that JSON which is cut or odd in places can still be shown. [`check`] holds
//! the start of a text to the grammar, to tell whether it is JSON at all. [`Tree`] is what an
//! excerpt needs to know: the first and the last children of every value near the root.

use std::borrow::Cow;
use std::collections::VecDeque;

use crate::limits::READ_BYTES;
use crate::source::{ReadError, Source};

const OTHER: u8 = 0;
const QUOTE: u8 = 1;
const OPEN: u8 = 2;
const CLOSE: u8 = 3;
const SPACE: u8 = 4;
const BETWEEN: u8 = 5;

static CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    classes[b'"' as usize] = QUOTE;
    classes[b'{' as usize] = OPEN;
    classes[b'[' as usize] = OPEN;
    classes[b'}' as usize] = CLOSE;
    classes[b']' as usize] = CLOSE;
    classes[b' ' as usize] = SPACE;
    classes[b'\t' as usize] = SPACE;
    classes[b'\r' as usize] = SPACE;
    classes[b'\n' as usize] = SPACE;
    classes[b',' as usize] = BETWEEN;
    classes[b':' as usize] = BETWEEN;
    classes
};

fn class(b: u8) -> u8 {
    CLASSES[usize::from(b)]
}

/// Bytes of a string that are looked at before calling for wide registers: most strings are keys, and end sooner.
const SHORT_STRING: usize = 24;

/// The lowest bit of each byte.
const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number; also NaN and Infinity, which some writers emit.
    Number,
    /// `true`, `false`, `null`, or a bare word.
    Word,
}

impl Shape {
    /// What a value is whose first byte is this.
    pub fn of(first: u8) -> Shape {
        match first {
            b'{' => Shape::Object,
            b'[' => Shape::Array,
            b'"' => Shape::String,
            b'0'..=b'9' | b'-' | b'N' | b'I' => Shape::Number,
            _ => Shape::Word,
        }
    }

    /// Its name, to be followed by an `s` for several.
    pub fn noun(self) -> &'static str {
        match self {
            Shape::Object => "object",
            Shape::Array => "array",
            Shape::String => "string",
            Shape::Number => "number",
            Shape::Word => "word",
        }
    }
}

/// A key as a step of a jq path.
pub fn step(key: &str) -> String {
    let first = key.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    let plain = first && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if plain { format!(".{key}") } else { format!(".[{}]", serde_json::Value::from(key)) }
}

/// Bytes `start..end` of the source.
pub type Range = (u64, u64);

/// A position in the JSON text of a source.
pub struct Cursor<'a> {
    source: &'a dyn Source,
    buf: Vec<u8>,
    base: u64,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at `start`.
    pub fn new(source: &'a dyn Source, start: u64) -> Self {
        Cursor { source, buf: Vec::new(), base: start, at: 0 }
    }

    /// Where the cursor is, in bytes.
    pub fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Goes to `position`, keeping what was read when it lies there.
    ///
    /// # Errors
    /// See [`Cursor::peek`].
    pub fn seek(&mut self, position: u64) -> Result<(), ReadError> {
        match position.checked_sub(self.base) {
            Some(at) if at <= self.buf.len() as u64 => self.at = at as usize,
            _ => {
                self.buf.clear();
                self.base = position;
                self.at = 0;
            }
        }
        self.peek().map(drop)
    }

    /// The bytes `start..end`, which were stepped over.
    ///
    /// # Errors
    /// See [`Cursor::peek`].
    pub fn text(&self, start: u64, end: u64) -> Result<Cow<'_, [u8]>, ReadError> {
        let inside = |at: u64| at.checked_sub(self.base).map(|at| at as usize);
        match (inside(start), inside(end)) {
            (Some(from), Some(to)) if from <= to && to <= self.buf.len() => {
                Ok(Cow::Borrowed(&self.buf[from..to]))
            }
            _ => self.source.read_range(start, end).map(Cow::Owned),
        }
    }

    /// What has been read behind the cursor, which may be less than there is.
    pub fn rest(&self) -> &[u8] {
        &self.buf[self.at..]
    }

    /// Steps over so many bytes of [`Cursor::rest`].
    pub fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    fn fill(&mut self) -> Result<bool, ReadError> {
        self.base += self.buf.len() as u64;
        self.at = 0;
        self.buf.resize(READ_BYTES, 0);
        let n = self.source.read_at(self.base, &mut self.buf)?;
        self.buf.truncate(n);
        Ok(n > 0)
    }

    /// The byte at the cursor; nothing at the end.
    ///
    /// # Errors
    /// As [`Source::read_at`], here and below.
    pub fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.at < self.buf.len() || self.fill()? {
            return Ok(Some(self.buf[self.at]));
        }
        Ok(None)
    }

    /// Steps over the byte at the cursor, which [`Cursor::peek`] has shown to be there.
    pub fn bump(&mut self) {
        self.at += 1;
    }

    /// Steps over blanks and gives the byte after them.
    ///
    /// # Errors
    /// See [`Cursor::peek`].
    pub fn peek_token(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            while let Some(&b) = self.buf.get(self.at) {
                if class(b) != SPACE {
                    return Ok(Some(b));
                }
                self.at += 1;
            }
            if !self.fill()? {
                return Ok(None);
            }
        }
    }

    /// Steps over the value at the cursor; `false` when it is cut off.
    ///
    /// # Errors
    /// See [`Cursor::peek`].
    pub fn skip_value(&mut self, first: u8) -> Result<bool, ReadError> {
        match class(first) {
            QUOTE => self.skip_string(),
            OPEN => self.skip_container(),
            _ => {
                self.skip_word()?;
                Ok(true)
            }
        }
    }

    /// Steps over the string whose opening quote is at the cursor; `false` when it is cut off.
    ///
    /// # Errors
    /// See [`Cursor::peek`].
    pub fn skip_string(&mut self) -> Result<bool, ReadError> {
        self.at += 1;
        loop {
            let rest = &self.buf[self.at..];
            match string_stop(rest) {
                Some(found) if rest[found] == b'"' => {
                    self.at += found + 1;
                    return Ok(true);
                }
                Some(found) => {
                    self.at += found + 1;
                    if self.peek()?.is_none() {
                        return Ok(false);
                    }
                    self.at += 1;
                }
                None => {
                    self.at = self.buf.len();
                    if !self.fill()? {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Steps over the array or object whose bracket is at the cursor; `false` when it is cut off.
    /// Which bracket closes which is not looked at.
    fn skip_container(&mut self) -> Result<bool, ReadError> {
        let mut depth = 0u64;
        'chunks: loop {
            let buf = &self.buf[..];
            let mut at = self.at;
            'string: {
                while at < buf.len() {
                    match class(buf[at]) {
                        QUOTE => match string_stop(&buf[at + 1..]) {
                            Some(stop) if buf[at + 1 + stop] == b'"' => at += 1 + stop,
                            _ => break 'string,
                        },
                        OPEN => depth += 1,
                        CLOSE => {
                            depth -= 1;
                            if depth == 0 {
                                self.at = at + 1;
                                return Ok(true);
                            }
                        }
                        _ => {}
                    }
                    at += 1;
                }
                self.at = at;
                if !self.fill()? {
                    return Ok(false);
                }
                continue 'chunks;
            }
            self.at = at;
            if !self.skip_string()? {
                return Ok(false);
            }
        }
    }

    /// Steps over a number or a bare word, or over one byte that can begin neither.
    fn skip_word(&mut self) -> Result<(), ReadError> {
        self.at += 1;
        while self.peek()?.is_some() {
            let rest = &self.buf[self.at..];
            let end = rest.iter().position(|&b| class(b) != OTHER);
            self.at += end.unwrap_or(rest.len());
            if end.is_some() {
                break;
            }
        }
        Ok(())
    }
}

/// Where the first quote or backslash of a text is.
#[inline(never)]
fn string_stop(text: &[u8]) -> Option<usize> {
    // Eight bytes at once: the highest bit of the first that is it is set, and of none before it.
    let (eights, _) = text[..text.len().min(SHORT_STRING)].as_chunks::<8>();
    for (at, eight) in eights.iter().enumerate() {
        let word = u64::from_le_bytes(*eight);
        let is = |byte: u8| {
            let zero = word ^ (ONES * u64::from(byte));
            zero.wrapping_sub(ONES) & !zero
        };
        let found = (is(b'"') | is(b'\\')) & (ONES << 7);
        if found != 0 {
            return Some(8 * at + found.trailing_zeros() as usize / 8);
        }
    }
    let short = 8 * eights.len();
    memchr::memchr2(b'"', b'\\', &text[short..]).map(|at| at + short)
}

/// What [`check`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A whole value ends before this byte.
    Whole(usize),
    /// All is well up to the end, where the value is not over.
    Cut,
    /// This byte cannot stand where it stands.
    Wrong(usize),
}

/// Holds the value at the start of `text` to the grammar of JSON (RFC 8259), with `NaN`,
/// `Infinity` and `-Infinity` allowed.
#[expect(clippy::too_many_lines, reason = "one pass over bytes, an arm for what may come")]
pub fn check(text: &[u8]) -> Verdict {
    #[derive(PartialEq, Clone, Copy)]
    enum Expect {
        Value,
        ValueOrClose,
        Key,
        KeyOrClose,
        Colon,
        CommaOrClose,
    }
    let mut open: Vec<bool> = Vec::new(); // true for an object
    let mut expect = Expect::Value;
    let mut at = 0;
    while let Some(&b) = text.get(at) {
        if class(b) == SPACE {
            at += 1;
            continue;
        }
        let start = at;
        let mut ended = false;
        match (expect, b) {
            (Expect::Colon, b':') => {
                expect = Expect::Value;
                at += 1;
            }
            (Expect::CommaOrClose, b',') => {
                expect = if open.last() == Some(&true) { Expect::Key } else { Expect::Value };
                at += 1;
            }
            (Expect::CommaOrClose | Expect::KeyOrClose, b'}') if open.last() == Some(&true) => {
                open.pop();
                ended = true;
                at += 1;
            }
            (Expect::CommaOrClose | Expect::ValueOrClose, b']') if open.last() == Some(&false) => {
                open.pop();
                ended = true;
                at += 1;
            }
            (Expect::Key | Expect::KeyOrClose, b'"') => match string(text, at) {
                Verdict::Whole(end) => {
                    at = end;
                    expect = Expect::Colon;
                }
                other => return other,
            },
            (Expect::Value | Expect::ValueOrClose, _) => match b {
                b'{' | b'[' => {
                    open.push(b == b'{');
                    expect = if b == b'{' { Expect::KeyOrClose } else { Expect::ValueOrClose };
                    at += 1;
                }
                b'"' => match string(text, at) {
                    Verdict::Whole(end) => {
                        at = end;
                        ended = true;
                    }
                    other => return other,
                },
                _ => {
                    while at < text.len() && class(text[at]) == OTHER {
                        at += 1;
                    }
                    if !is_word(&text[start..at], at == text.len()) {
                        return Verdict::Wrong(start);
                    }
                    ended = true;
                }
            },
            _ => return Verdict::Wrong(at),
        }
        if ended {
            if open.is_empty() {
                return Verdict::Whole(at);
            }
            expect = Expect::CommaOrClose;
        }
    }
    Verdict::Cut
}

fn string(text: &[u8], start: usize) -> Verdict {
    let end = string_end(text, start + 1);
    match end {
        _ if memchr::memchr(b'\n', &text[start..end.unwrap_or(text.len())]).is_some() => {
            Verdict::Wrong(start)
        }
        Some(end) => Verdict::Whole(end),
        None => Verdict::Cut,
    }
}

/// Where a string ends whose inside starts at `at`, after its quote; nothing when it does not end.
pub(crate) fn string_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// Whether `word` is a number or a literal, or, when `cut`, could become one.
fn is_word(word: &[u8], cut: bool) -> bool {
    const WORDS: [&[u8]; 6] = [b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity"];
    WORDS.iter().any(|w| *w == word || (cut && w.starts_with(word)))
        || (!word.is_empty() && number_len(word) == word.len())
        || (cut && number_len(&[word, b"0"].concat()) == word.len() + 1)
}

/// Bytes of the number that `bytes` start with; 0 when they start with none.
#[inline(never)]
pub(crate) fn number_len(bytes: &[u8]) -> usize {
    let digits = |at: usize| {
        let mut end = at;
        while matches!(bytes.get(end), Some(b'0'..=b'9')) {
            end += 1;
        }
        end
    };
    let whole = usize::from(bytes.first() == Some(&b'-'));
    let mut at = digits(whole);
    if at == whole || (bytes[whole] == b'0' && at > whole + 1) {
        return 0;
    }
    if bytes.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        if end == at + 1 {
            return 0;
        }
        at = end;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let from = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(from);
        if end == from {
            return 0;
        }
        at = end;
    }
    at
}

/// Bytes of a document that is read whole.
pub const WHOLE_MAX_BYTES: u64 = 4 * 1024 * 1024;

/// A value near the root.
#[derive(Debug, Clone)]
pub struct Node {
    /// What it is.
    pub shape: Shape,
    /// Its bytes.
    pub range: Range,
    /// Its key with the quotes, when it stands in an object.
    pub key: Option<Range>,
    /// Whether its children were counted: not so for what lies too deep.
    pub opened: bool,
    /// How many children it has.
    pub children: u64,
    /// What all its children are; nothing when they differ or there are none.
    pub all: Option<Shape>,
    /// Its first children, as indices of [`Tree::nodes`].
    pub head: Vec<usize>,
    /// Its last children, none of them among the first.
    pub tail: Vec<usize>,
}

/// How much of a value is looked into.
#[derive(Debug, Clone, Copy)]
pub struct TreeLimits {
    /// Items kept from the start of an array.
    pub head_items: usize,
    /// Items kept from the end of an array; members from the end of an object.
    pub tail_items: usize,
    /// Values kept in all.
    pub nodes: usize,
}

/// Depth below which values are only measured.
pub const TREE_DEPTH: usize = 7;

/// Members kept from the start of an object, by its depth.
const HEAD_MEMBERS: [usize; TREE_DEPTH] = [40, 24, 16, 12, 10, 8, 8];

/// What an excerpt needs to know of a JSON text.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The values that were kept; the first is the root. Empty when there is no value.
    pub nodes: Vec<Node>,
    /// Whether the root ended before the text did.
    pub complete: bool,
    /// The first byte that cannot stand where it stands, if one was noticed.
    pub odd_at: Option<u64>,
    /// Where something follows the root value, if it does.
    pub more_at: Option<u64>,
}

/// Takes an array and its number, and the cursor before an object in it. Whether that was whole, if it was stepped over.
pub type Pass<'p, 's> =
    dyn FnMut(usize, &Node, &mut Cursor<'s>) -> Result<Option<bool>, ReadError> + 'p;

struct Frame {
    node: usize,
    depth: usize,
    last: VecDeque<Child>,
    key: Option<Range>,
    first: bool,
}

#[derive(Clone, Copy)]
struct Child {
    shape: Shape,
    range: Range,
    key: Option<Range>,
}

impl Tree {
    /// The keys on the way to a value, when only objects lie there, and their first members.
    pub fn keys_to(&self, index: usize) -> Option<Vec<Range>> {
        let (mut keys, mut at) = (Vec::new(), index);
        while at != 0 {
            keys.push(self.nodes[at].key?);
            at = self.nodes.iter().position(|node| node.head.contains(&at))?;
        }
        keys.reverse();
        Some(keys)
    }

    /// The array that is most of the document, whose items are its rows: the one that a query takes.
    pub fn rows(&self) -> Option<usize> {
        let root = self.nodes.first()?;
        if root.shape == Shape::Array {
            return Some(0);
        }
        let size = |index: usize| self.nodes[index].range.1 - self.nodes[index].range.0;
        let arrays = |fits: fn(u64) -> bool| {
            (1..self.nodes.len()).filter(move |&index| {
                let node = &self.nodes[index];
                node.shape == Shape::Array && fits(node.children) && self.keys_to(index).is_some()
            })
        };
        let whole = size(0);
        // What most of the document is lies within a few levels; one inside another's item is not.
        let largest = arrays(|_| true).max_by_key(|&index| size(index));
        let largest = largest.filter(|&index| size(index) * 2 >= whole || whole > WHOLE_MAX_BYTES);
        // An array of one item is often the same rows once more, as a text.
        let text = arrays(|items| items == 1).map(size).max().unwrap_or_default();
        let rows = arrays(|items| items > 1).max_by_key(|&index| size(index));
        let rows =
            rows.filter(|&index| size(index) * 4 >= whole && size(index) * 2 >= whole - text);
        rows.or(largest)
    }

    /// Walks the value at `start`.
    ///
    /// All bytes are passed over once, and those of last children again, as long as these are no
    /// more than the text has: what would take longer stays unopened.
    ///
    /// # Errors
    /// As [`Source::read_at`].
    pub fn read(source: &dyn Source, start: u64, limits: TreeLimits) -> Result<Tree, ReadError> {
        Tree::read_with(source, start, limits, &mut |_, _, _| Ok(None))
    }

    /// The same, and `pass` may step over what is not kept of an array of objects.
    ///
    /// # Errors
    /// As [`Source::read_at`].
    pub fn read_with<'s>(
        source: &'s dyn Source,
        start: u64,
        limits: TreeLimits,
        pass: &mut Pass<'_, 's>,
    ) -> Result<Tree, ReadError> {
        let mut tree = Tree { nodes: Vec::new(), complete: true, odd_at: None, more_at: None };
        let mut cursor = Cursor::new(source, start);
        let Some(first) = cursor.peek_token()? else {
            tree.complete = false;
            return Ok(tree);
        };
        let root = Child { shape: Shape::of(first), range: (cursor.position(), 0), key: None };
        tree.nodes.push(root.node());
        let mut later = Vec::new();
        tree.walk(&mut cursor, (0, 0), limits, &mut later, pass)?;
        if cursor.peek_token()?.is_some() {
            tree.more_at = Some(cursor.position());
        }
        // Last children are known only at the end of their parent: they are walked now.
        let mut work = source.len();
        let mut next = 0;
        while next < later.len() {
            let (node, depth): (usize, usize) = later[next];
            next += 1;
            let (start, end) = tree.nodes[node].range;
            if end - start > work || tree.nodes.len() >= limits.nodes {
                continue;
            }
            work -= end - start;
            cursor.seek(start)?;
            tree.walk(&mut cursor, (node, depth), limits, &mut later, pass)?;
        }
        Ok(tree)
    }

    fn odd(&mut self, at: u64) {
        self.odd_at.get_or_insert(at);
    }

    /// Walks the value at the cursor, which is `nodes[top]`, and adds those it keeps.
    #[expect(clippy::too_many_lines, reason = "one pass over a document, a case for each token")]
    fn walk<'s>(
        &mut self,
        cursor: &mut Cursor<'s>,
        (top, depth): (usize, usize),
        limits: TreeLimits,
        later: &mut Vec<(usize, usize)>,
        pass: &mut Pass<'_, 's>,
    ) -> Result<(), ReadError> {
        let Some(first) = cursor.peek()? else { return Ok(()) };
        if class(first) != OPEN {
            self.complete &= cursor.skip_value(first)?;
            self.nodes[top].range.1 = cursor.position();
            return Ok(());
        }
        cursor.bump();
        self.nodes[top].opened = true;
        let mut frames = vec![Frame::new(top, depth)];
        while let Some(frame) = frames.last_mut() {
            let token = cursor.peek_token()?;
            let here = cursor.position();
            let is_object = self.nodes[frame.node].shape == Shape::Object;
            match token {
                Some(b) if class(b) != CLOSE => {
                    if class(b) == BETWEEN {
                        // Between is between, and nothing else: a stray sign is passed over.
                        if b == b',' && frame.key.take().is_some() {
                            self.odd(here);
                        }
                        cursor.bump();
                        continue;
                    }
                    if is_object && frame.key.is_none() {
                        let whole = cursor.skip_value(b)?;
                        let key = (here, cursor.position());
                        if class(b) == QUOTE && whole && cursor.peek_token()? == Some(b':') {
                            cursor.bump();
                            frame.key = Some(key);
                            continue;
                        }
                        self.complete &= whole;
                        if whole && cursor.peek()?.is_some() {
                            self.odd(here);
                        }
                        continue;
                    }
                    let shape = Shape::of(b);
                    let child = Child { shape, range: (here, here), key: frame.key.take() };
                    let node = &mut self.nodes[frame.node];
                    node.all =
                        if frame.first { Some(shape) } else { node.all.filter(|s| *s == shape) };
                    frame.first = false;
                    node.children += 1;
                    if self.keeps(frame, is_object, limits) {
                        let index = self.nodes.len();
                        self.nodes.push(child.node());
                        self.nodes[frame.node].head.push(index);
                        if class(b) == OPEN && frame.depth + 1 < TREE_DEPTH {
                            cursor.bump();
                            self.nodes[index].opened = true;
                            let depth = frame.depth + 1;
                            frames.push(Frame::new(index, depth));
                            continue;
                        }
                        self.complete &= cursor.skip_value(b)?;
                        self.nodes[index].range.1 = cursor.position();
                        continue;
                    }
                    let node = &self.nodes[frame.node];
                    let is_row = !is_object && node.all == Some(Shape::Object);
                    let passed = if is_row { pass(frame.node, node, cursor)? } else { None };
                    self.complete &= match passed {
                        Some(whole) => whole,
                        None => cursor.skip_value(b)?,
                    };
                    if limits.tail_items > 0 {
                        if frame.last.len() == limits.tail_items {
                            frame.last.pop_front();
                        }
                        frame.last.push_back(Child { range: (here, cursor.position()), ..child });
                    }
                }
                closing => {
                    match closing {
                        Some(b) => {
                            if (b == b'}') != is_object {
                                self.odd(here);
                            }
                            cursor.bump();
                        }
                        None => self.complete = false,
                    }
                    let Some(frame) = frames.pop() else { break };
                    self.nodes[frame.node].range.1 = cursor.position();
                    for child in frame.last {
                        let index = self.nodes.len();
                        self.nodes.push(child.node());
                        self.nodes[frame.node].tail.push(index);
                        let nested = matches!(child.shape, Shape::Object | Shape::Array);
                        if nested && frame.depth + 1 < TREE_DEPTH {
                            later.push((index, frame.depth + 1));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the next child of `frame` is one of the first that are kept. Values further from
    /// the root get a smaller share of the room, so that one branch cannot take it all.
    fn keeps(&self, frame: &Frame, is_object: bool, limits: TreeLimits) -> bool {
        let width = if is_object {
            HEAD_MEMBERS[frame.depth.min(TREE_DEPTH - 1)]
        } else if frame.depth < 4 {
            limits.head_items
        } else {
            limits.head_items.min(3)
        };
        let room = match frame.depth {
            0 => usize::MAX,
            1 => limits.nodes,
            2 => limits.nodes / 4 * 3,
            _ => limits.nodes / 2,
        };
        self.nodes[frame.node].head.len() < width && self.nodes.len() < room
            // What follows one that was not kept is not among the first.
            && frame.last.is_empty()
            && self.nodes[frame.node].head.len() as u64 + 1 == self.nodes[frame.node].children
    }
}

impl Frame {
    fn new(node: usize, depth: usize) -> Self {
        Frame { node, depth, last: VecDeque::new(), key: None, first: true }
    }
}

impl Child {
    fn node(self) -> Node {
        Node {
            shape: self.shape,
            range: self.range,
            key: self.key,
            opened: false,
            children: 0,
            all: None,
            head: Vec::new(),
            tail: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    const LIMITS: TreeLimits = TreeLimits { head_items: 3, tail_items: 2, nodes: 400 };

    fn read(text: &[u8]) -> Tree {
        Tree::read(&text, 0, LIMITS).unwrap()
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".{0,30}".prop_map(Value::from)
        ];
        leaf.prop_recursive(6, 60, 9, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..9).prop_map(Value::from),
                proptest::collection::btree_map(".{0,8}", inner, 0..9)
                    .prop_map(|m| Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_tree_counts_what_serde_json_counts(value in any_json(), pretty: bool) {
            let text = if pretty { serde_json::to_vec_pretty(&value) } else { serde_json::to_vec(&value) }.unwrap();
            prop_assert_eq!(check(&text), Verdict::Whole(text.len()));
            let tree = read(&text);
            prop_assert!(tree.complete && tree.odd_at.is_none() && tree.more_at.is_none());
            prop_assert_eq!(tree.nodes[0].range, (0, text.len() as u64));
            for node in &tree.nodes {
                let part = &text[node.range.0 as usize..node.range.1 as usize];
                let value: Value = serde_json::from_slice(part).unwrap();
                let children = match &value { Value::Array(a) => a.len(), Value::Object(o) => o.len(), _ => 0 };
                if node.opened { prop_assert_eq!(node.children, children as u64); }
                let kept = (node.head.len() + node.tail.len()) as u64;
                prop_assert!(kept <= node.children);
            }
        }

        #[test]
        fn nothing_breaks_on_any_bytes(text in "[\\[\\]{}\":,a1\\\\ \n]{0,80}") {
            let _ = check(text.as_bytes());
            let tree = read(text.as_bytes());
            for node in &tree.nodes {
                prop_assert!(node.range.0 <= node.range.1 && node.range.1 <= text.len() as u64);
            }
        }

        #[test]
        fn the_start_of_json_is_never_wrong(value in any_json(), cut in 0usize..200) {
            let text = serde_json::to_vec(&value).unwrap();
            let cut = cut.min(text.len());
            prop_assert!(!matches!(check(&text[..cut]), Verdict::Wrong(_)));
        }
    }

    #[test]
    fn the_first_quote_or_backslash_is_found_wherever_it_is() {
        for length in 0..60 {
            for at in 0..length {
                for (stop, other) in [(b'"', b'#'), (b'\\', b'!'), (b'"', b'\xa2'), (b'\\', b']')] {
                    let mut text = vec![other; length];
                    text[at] = stop;
                    assert_eq!(string_stop(&text), Some(at), "{length}");
                    text[length - 1] = stop;
                    assert_eq!(string_stop(&text), Some(at), "{length}");
                }
            }
            assert_eq!(string_stop(&vec![b'#'; length]), None);
        }
    }

    #[test]
    fn depth_costs_nothing() {
        let mut text = vec![b'['; 50_000];
        assert_eq!(check(&text), Verdict::Cut);
        assert!(!read(&text).complete);
        text.extend([b']'; 50_000]);
        assert!(read(&text).complete);
        assert_eq!(read(&text).nodes.len(), TREE_DEPTH + 1);
    }

    #[test]
    fn what_is_not_json_is_told() {
        for text in
            ["[INFO] x", "[2026-11-21 10:00] x", "{ hello", "[01]", "{\"a\" 1}", "[1,]", "\"a\nb\""]
        {
            assert!(matches!(check(text.as_bytes()), Verdict::Wrong(_)), "{text}");
        }
        assert_eq!(check(b"[NaN, -Infinity, 1e5] x"), Verdict::Whole(21));
    }

    #[test]
    fn oddities_are_noticed_and_passed() {
        let tree = read(b"{\"a\": 1, oops, \"b\": [1, 2}, \"c\": 3] tail");
        assert_eq!(tree.nodes[0].children, 3);
        assert!(tree.odd_at.is_some());
        assert!(tree.more_at.is_some());
    }
}
