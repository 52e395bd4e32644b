//! Messages cut out of a byte stream, however long they are.
//!
//! Up to [`Bounds::memory_bytes`] a message is held in memory. A longer one goes to a file without
//! a name while its `Outline` is taken, so that memory stays the same for one megabyte and for
//! one gigabyte. What a response like that holds is then read from the file: its one big text as a
//! stream, or its result as it was sent.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::json::{self, Json};
use super::outline::Outline;
use super::wire::{self, Message, Response};
use weir_base::Mutex;

/// How large messages are held.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// Bytes of one message held in memory; a longer one goes to a file.
    pub memory_bytes: usize,
    /// Bytes of one message altogether; a longer one is refused.
    pub message_bytes: u64,
    /// Bytes of a message that is no result and still is read into memory.
    pub other_bytes: u64,
    /// Where the files go. Not a file system in memory, or nothing is gained.
    pub spool_dir: PathBuf,
}

impl Bounds {
    /// The defaults, with files in `spool_dir`.
    pub fn new(spool_dir: PathBuf) -> Bounds {
        Bounds { memory_bytes: 4 << 20, message_bytes: 8 << 30, other_bytes: 32 << 20, spool_dir }
    }
}

/// What one line, or one body, turned out to be.
#[derive(Debug)]
pub enum Frame {
    /// Messages: one, or the items of a batch.
    Messages(Vec<Message>),
    /// A response too large for memory.
    Oversized(Oversized),
    /// Not JSON-RPC. The start of it, for the log; `id` when it was a request that could not be read.
    Noise {
        /// Up to 200 characters.
        excerpt: String,
        /// The id to answer an error to, if one could be read.
        id: Option<Json>,
        /// Whether it was JSON.
        is_json: bool,
        /// What is wrong with it, where it is an answer to the request `id`.
        fault: Option<String>,
    },
}

/// A response whose result is in a file.
#[derive(Debug)]
pub struct Oversized {
    /// The id of the request.
    pub id: Json,
    /// Where the result is.
    pub result: SpooledResult,
}

/// A result in a file.
#[derive(Debug, Clone)]
pub struct SpooledResult {
    file: Arc<Mutex<File>>,
    /// The result's bytes in the file.
    span: Range<u64>,
    /// The result with its longest text left empty, when the rest fits in memory.
    pub skeleton: Option<Json>,
    /// The block of that text, with its bytes in the file.
    text: Option<(usize, Range<u64>)>,
    /// Where the result of the task lies that this result tells of; the text is then in that.
    inner: Option<Range<u64>>,
}

/// Bytes read from a spooled result at once.
const CHUNK_BYTES: usize = 64 * 1024;

impl SpooledResult {
    /// The length of the result in bytes.
    pub fn len(&self) -> u64 {
        self.span.end - self.span.start
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The result of the task that this result tells of, when the big text is in that.
    pub fn of_task(&self) -> Option<SpooledResult> {
        let span = self.inner.clone()?;
        let skeleton = self.skeleton.as_ref().and_then(|skeleton| skeleton.at(&["result"]))?;
        let (file, text) = (Arc::clone(&self.file), self.text.clone());
        Some(SpooledResult { file, span, skeleton: Some(skeleton), text, inner: None })
    }

    /// The block of `content` whose text was left out of the skeleton.
    pub fn text_block(&self) -> Option<usize> {
        if self.inner.is_some() {
            return None;
        }
        self.skeleton.as_ref().and(self.text.as_ref()).map(|(block, _)| *block)
    }

    /// Hands the bytes of the result to `sink`, in pieces, from `skip` on.
    ///
    /// # Errors
    /// When the file cannot be read, or `sink` fails.
    pub fn copy_to(
        &self,
        skip: u64,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.copy(self.span.start + skip..self.span.end, sink)
    }

    /// Hands the big text to `sink`, unescaped, in pieces that are whole UTF-8. A lone surrogate
    /// becomes U+FFFD, since text cannot hold it.
    ///
    /// # Errors
    /// When there is no such text, the file cannot be read or `sink` fails.
    pub fn text_to(&self, sink: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let Some((_, span)) = &self.text else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the result has no text block"));
        };
        let mut unescape = Unescape::default();
        self.copy(span.clone(), &mut |bytes| unescape.feed(bytes, sink))?;
        unescape.finish(sink)
    }

    /// The whole result in memory.
    ///
    /// # Errors
    /// When it has more than `max_bytes`, cannot be read, or is no JSON.
    pub fn load(&self, max_bytes: u64) -> io::Result<Json> {
        if self.len() > max_bytes {
            return Err(io::Error::other(format!(
                "the result has {} bytes, more than {max_bytes}",
                self.len()
            )));
        }
        let mut bytes = Vec::with_capacity(self.len() as usize);
        self.copy_to(0, &mut |part| {
            bytes.extend_from_slice(part);
            Ok(())
        })?;
        Json::parse(String::from_utf8_lossy(&bytes).into_owned()).map_err(io::Error::other)
    }

    /// The same in a thread that may block.
    ///
    /// # Errors
    /// As [`SpooledResult::load`].
    pub async fn loaded(self, max_bytes: u64) -> io::Result<Json> {
        let loading = tokio::task::spawn_blocking(move || self.load(max_bytes));
        loading.await.map_err(io::Error::other)?
    }

    /// Hands each item of the array that is the member `member` to `sink`, and gives the result without that
    /// member. An item of more than `max_bytes` is left out.
    ///
    /// # Errors
    /// When the file cannot be read, the result is no JSON, or `sink` fails.
    pub fn items_to(
        &self,
        member: &str,
        max_bytes: usize,
        sink: &mut dyn FnMut(Json) -> io::Result<()>,
    ) -> io::Result<Json> {
        let mut items = Items::new(member, max_bytes);
        self.copy_to(0, &mut |bytes| items.feed(bytes, sink))?;
        items.finish()
    }

    fn copy(
        &self,
        span: Range<u64>,
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut buffer = vec![0; CHUNK_BYTES];
        let mut at = span.start;
        while at < span.end {
            let want = (span.end - at).min(CHUNK_BYTES as u64) as usize;
            {
                let mut file = self.file.lock();
                file.seek(SeekFrom::Start(at))?;
                file.read_exact(&mut buffer[..want])?;
            }
            sink(&buffer[..want])?;
            at += want as u64;
        }
        Ok(())
    }
}

/// An object taken apart as its bytes pass: the items of one array in it, and all else.
#[derive(Default)]
struct Items {
    member: Vec<u8>,
    max_bytes: usize,
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// Whether the bytes are of the array.
    inside: bool,
    /// The text since the last `{`, `,` or `:` of the outermost object.
    token: Vec<u8>,
    item: Vec<u8>,
    too_long: bool,
    rest: Vec<u8>,
}

impl Items {
    fn new(member: &str, max_bytes: usize) -> Items {
        let member = format!("\"{member}\"").into_bytes();
        Items { member, max_bytes, ..Items::default() }
    }

    fn feed(
        &mut self,
        bytes: &[u8],
        sink: &mut dyn FnMut(Json) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut from = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_text = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.depth == 2 && byte == b'[' && !self.inside {
                        self.keep(&bytes[from..at])?;
                        from = at;
                        if self.names_member() {
                            // An array without items stays in its place.
                            self.rest.extend_from_slice(b"[]");
                            (self.inside, from) = (true, at + 1);
                        }
                    }
                }
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.inside && self.depth == 1 {
                        self.keep(&bytes[from..at])?;
                        self.hand_over(sink)?;
                        (self.inside, from) = (false, at + 1);
                    }
                }
                b',' if self.inside && self.depth == 2 => {
                    self.keep(&bytes[from..at])?;
                    self.hand_over(sink)?;
                    from = at + 1;
                }
                b',' if !self.inside && self.depth == 1 => {
                    self.keep(&bytes[from..=at])?;
                    from = at + 1;
                    self.token.clear();
                }
                _ => {}
            }
        }
        self.keep(&bytes[from..])
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.inside {
            self.too_long |= self.item.len() + bytes.len() > self.max_bytes;
            if !self.too_long {
                self.item.extend_from_slice(bytes);
            }
            return Ok(());
        }
        if self.rest.len() + bytes.len() > self.max_bytes {
            return Err(io::Error::other("it has too much beside its items"));
        }
        self.rest.extend_from_slice(bytes);
        let room = 64_usize.saturating_sub(self.token.len());
        self.token.extend(bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).take(room));
        Ok(())
    }

    /// Whether the array that opens is the member's value.
    fn names_member(&self) -> bool {
        let token = self.token.strip_prefix(b"{").unwrap_or(&self.token);
        token.strip_suffix(b":").is_some_and(|name| name == &*self.member)
    }

    fn hand_over(&mut self, sink: &mut dyn FnMut(Json) -> io::Result<()>) -> io::Result<()> {
        let item = std::mem::take(&mut self.item);
        if std::mem::take(&mut self.too_long) || item.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&item).trim().to_owned();
        sink(Json::parse(text).map_err(io::Error::other)?)
    }

    fn finish(self) -> io::Result<Json> {
        Json::parse(String::from_utf8_lossy(&self.rest).into_owned()).map_err(io::Error::other)
    }
}

/// The inside of a JSON string, turned into the text it stands for, piece by piece.
#[derive(Default)]
struct Unescape {
    /// The end of what came, which may be half of a character, of an escape or of a pair of them.
    held: Vec<u8>,
}

impl Unescape {
    fn feed(
        &mut self,
        bytes: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.held.extend_from_slice(bytes);
        let rest = self.held.split_off(whole(&self.held));
        Unescape { held: std::mem::replace(&mut self.held, rest) }.finish(sink)
    }

    /// What no JSON has in a string passes as it is.
    fn finish(self, sink: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.held);
        match json::string(&format!("\"{text}\"")).unwrap_or_else(|| text.into_owned()) {
            text if text.is_empty() => Ok(()),
            text => sink(text.as_bytes()),
        }
    }
}

/// Up to where the inside of a JSON string can be read without what comes after.
fn whole(text: &[u8]) -> usize {
    let (mut at, mut end) = (0, text.len());
    while let Some(found) = memchr::memchr(b'\\', &text[at..]) {
        let escape = &text[at + found..];
        let (bytes, needed) = match escape {
            // The other half may follow.
            [_, b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..] => (6, 12),
            [_, b'u', ..] => (6, 6),
            _ => (2, 2),
        };
        if escape.len() < needed {
            end = at + found;
            break;
        }
        at += found + bytes;
    }
    match std::str::from_utf8(&text[..end]) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => end,
    }
}

#[derive(Debug)]
enum Held {
    Nothing,
    Memory(Vec<u8>),
    Spool {
        file: File,
        outline: Box<Outline>,
        bytes: u64,
    },
    /// Not a message: the start is kept for the log.
    Noise(Vec<u8>),
}

/// Puts one message together from the pieces it comes in.
#[derive(Debug)]
pub struct Assembler {
    bounds: Bounds,
    held: Held,
    /// Whether other words stood before it on its line.
    after_words: bool,
}

/// Bytes of noise kept for the log.
const NOISE_BYTES: usize = 800;

/// May stand before a message, and says nothing.
const BYTE_ORDER_MARK: [u8; 3] = *b"\xef\xbb\xbf";

impl Assembler {
    /// With nothing in it.
    pub fn new(bounds: Bounds) -> Assembler {
        Assembler { bounds, held: Held::Nothing, after_words: false }
    }

    /// Takes the next bytes of the message.
    ///
    /// # Errors
    /// When the file cannot be written or the message has more bytes than it may. The message is
    /// given up then; the next call of [`Assembler::finish`] gives nothing.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        let result = self.try_push(bytes);
        if result.is_err() {
            self.held = Held::Noise(Vec::new());
        }
        result
    }

    fn try_push(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.held {
            Held::Nothing => {
                // Byte by byte, as a byte order mark may come in pieces too.
                let is_nothing = |b: &u8| b.is_ascii_whitespace() || BYTE_ORDER_MARK.contains(b);
                let start = bytes.iter().position(|b| !is_nothing(b)).unwrap_or(bytes.len());
                let bytes = &bytes[start..];
                match bytes.first() {
                    None => {}
                    Some(b'{') => {
                        self.held = Held::Memory(Vec::new());
                        return self.try_push(bytes);
                    }
                    // A list of messages, or a word in brackets.
                    Some(b'[') if is_list(bytes) => {
                        self.held = Held::Memory(Vec::new());
                        return self.try_push(bytes);
                    }
                    Some(_) => {
                        self.held = Held::Noise(Vec::new());
                        return self.try_push(bytes);
                    }
                }
            }
            Held::Memory(buffer) => {
                buffer.extend_from_slice(bytes);
                if buffer.len() > self.bounds.memory_bytes {
                    let mut file = tempfile::tempfile_in(&self.bounds.spool_dir)?;
                    file.write_all(buffer)?;
                    let mut outline = Box::<Outline>::default();
                    outline.feed(buffer);
                    let bytes = buffer.len() as u64;
                    self.held = Held::Spool { file, outline, bytes };
                }
            }
            Held::Spool { file, outline, bytes: total } => {
                *total += bytes.len() as u64;
                if *total > self.bounds.message_bytes {
                    return Err(io::Error::other(format!(
                        "a message of more than {} bytes",
                        self.bounds.message_bytes
                    )));
                }
                file.write_all(bytes)?;
                outline.feed(bytes);
            }
            Held::Noise(start) => {
                let room = NOISE_BYTES - start.len().min(NOISE_BYTES);
                let taken = bytes.len().min(room);
                start.extend_from_slice(&bytes[..taken]);
                // Words without an end of line before an answer do not lose it.
                if room > 0
                    && let Some(at) = answer_in(start)
                {
                    let mut message = start.split_off(at);
                    message.extend_from_slice(&bytes[taken..]);
                    self.held = Held::Memory(Vec::new());
                    self.after_words = true;
                    return self.try_push(&message);
                }
            }
        }
        Ok(())
    }

    /// The message is over: what was it? `None` for an empty line.
    ///
    /// # Errors
    /// When a file cannot be read back.
    pub fn finish(&mut self) -> io::Result<Option<Frame>> {
        let after_words = std::mem::take(&mut self.after_words);
        match std::mem::replace(&mut self.held, Held::Nothing) {
            Held::Nothing => Ok(None),
            Held::Noise(start) => Ok(Some(noise(&start, None, false, None))),
            Held::Memory(bytes) => Ok(Some(match (read(bytes), after_words) {
                // What a server says that it was asked is no question of its own.
                (Frame::Messages(messages), true) => answers_of(messages),
                (frame, _) => frame,
            })),
            Held::Spool { file, outline, bytes } => {
                self.read_spool(file, *outline, bytes).map(Some)
            }
        }
    }

    fn read_spool(&self, mut file: File, outline: Outline, bytes: u64) -> io::Result<Frame> {
        if let (true, false, Some(id)) = (outline.repeats_result, outline.has_method, &outline.id) {
            let mut text = vec![0; (id.end - id.start).min(4_096) as usize];
            file.seek(SeekFrom::Start(id.start))?;
            file.read_exact(&mut text)?;
            let id = Json::parse(String::from_utf8_lossy(&text).into_owned()).ok();
            let fault = Some(wire::twice("result"));
            return Ok(Frame::Noise { excerpt: String::new(), id, is_json: true, fault });
        }
        let (true, false, Some(id), Some(result)) =
            (outline.is_whole(), outline.has_method, outline.id.clone(), outline.result.clone())
        else {
            if bytes > self.bounds.other_bytes {
                let mut start = vec![0; NOISE_BYTES];
                file.seek(SeekFrom::Start(0))?;
                file.read_exact(&mut start)?;
                return Ok(noise(&start, None, outline.is_whole(), None));
            }
            let mut all = Vec::with_capacity(bytes as usize);
            file.seek(SeekFrom::Start(0))?;
            file.read_to_end(&mut all)?;
            return Ok(read(all));
        };
        let file = Arc::new(Mutex::new(file));
        let (text, inner) = match (outline.text, outline.inner_text) {
            (None, Some(text)) => (Some(text), outline.inner),
            (text, _) => (text, None),
        };
        let mut spooled =
            SpooledResult { file, span: result.clone(), skeleton: None, text: None, inner };
        if let Some(text) = text {
            let rest = spooled.len() - (text.span.end - text.span.start);
            if rest <= self.bounds.memory_bytes as u64 {
                let mut skeleton = Vec::with_capacity(rest as usize);
                for part in [result.start..text.span.start, text.span.end..result.end] {
                    spooled.copy(part, &mut |bytes| {
                        skeleton.extend_from_slice(bytes);
                        Ok(())
                    })?;
                }
                // The skeleton being JSON is all the checking that the rest of the result gets.
                spooled.skeleton =
                    Json::parse(String::from_utf8_lossy(&skeleton).into_owned()).ok();
            }
            spooled.text = Some((text.block, text.span));
        }
        let mut id_text = Vec::new();
        spooled.copy(id.start..id.end.min(id.start + 4096), &mut |bytes| {
            id_text.extend_from_slice(bytes);
            Ok(())
        })?;
        match Json::parse(String::from_utf8_lossy(&id_text).into_owned()) {
            Ok(id) => Ok(Frame::Oversized(Oversized { id, result: spooled })),
            Err(_) => Ok(noise(&id_text, None, true, None)),
        }
    }
}

fn read(bytes: Vec<u8>) -> Frame {
    // Not quite UTF-8 is better read with marks than lost.
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    match wire::decode(&text) {
        Ok(messages) => Frame::Messages(messages),
        Err(wire::WireError::NotJson(_)) => within(&text),
        Err(wire::WireError::NotRpc { id }) => {
            noise(text.as_bytes(), id, true, wire::fault_of_answer(&text))
        }
    }
}

/// Whether a list of objects begins here.
fn is_list(bytes: &[u8]) -> bool {
    let inner = bytes[1..].iter().find(|byte| !byte.is_ascii_whitespace());
    inner.is_none_or(|byte| matches!(byte, b'{' | b']'))
}

/// Where an object begins that is an answer by its first member.
fn answer_in(bytes: &[u8]) -> Option<usize> {
    let begins = |at: &usize| {
        let rest = bytes[*at + 1..].trim_ascii_start();
        [&b"\"jsonrpc\""[..], b"\"id\"", b"\"result\""].iter().any(|name| rest.starts_with(name))
    };
    memchr::memchr_iter(b'{', bytes).find(begins)
}

/// The answers in a line that is not JSON as a whole.
fn within(text: &str) -> Frame {
    let mut found = Vec::new();
    let at = answer_in(text.as_bytes()).unwrap_or(text.len());
    let values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Json>();
    for value in values.map_while(Result::ok) {
        found.extend(wire::decode(value.as_str()).unwrap_or_default());
    }
    match answers_of(found) {
        Frame::Messages(answers) => Frame::Messages(answers),
        _ => noise(text.as_bytes(), None, false, None),
    }
}

/// The answers among messages of a line that has other words as well.
fn answers_of(mut messages: Vec<Message>) -> Frame {
    messages.retain(|message| matches!(message, Message::Response(_)));
    match messages.is_empty() {
        true => noise(b"a message after other words", None, false, None),
        false => Frame::Messages(messages),
    }
}

fn noise(bytes: &[u8], id: Option<Json>, is_json: bool, fault: Option<String>) -> Frame {
    let excerpt = String::from_utf8_lossy(bytes)
        .trim()
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect();
    Frame::Noise { excerpt, id, is_json, fault }
}

/// A response in memory, or one in a file.
#[derive(Debug, Clone)]
pub enum Reply {
    /// The result.
    Result(Json),
    /// The error object.
    Error(Json),
    /// The result, in a file.
    Spooled(SpooledResult),
}

impl Reply {
    /// Its length.
    pub fn bytes(&self) -> u64 {
        match self {
            Reply::Error(json) | Reply::Result(json) => json.as_str().len() as u64,
            Reply::Spooled(spooled) => spooled.len(),
        }
    }
}

impl From<Response> for Reply {
    fn from(response: Response) -> Self {
        match response.body {
            Ok(result) => Reply::Result(result),
            Err(error) => Reply::Error(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_an_array_are_had_one_by_one_however_the_bytes_come() {
        let text = r#"{ "ttlMs" : 5,"a":["tools",[1]], "tools" : [ {"n":"a,]\"}","s":{"tools":[1,2]}} , 7,"x"] ,"nextCursor":"c"}"#;
        for chunk in 1..text.len() {
            let mut items = Items::new("tools", 1_000);
            let mut found = Vec::new();
            for part in text.as_bytes().chunks(chunk) {
                items
                    .feed(part, &mut |item| {
                        found.push(item.to_string());
                        Ok(())
                    })
                    .unwrap();
            }
            let rest = items.finish().unwrap();
            assert_eq!(found, [r#"{"n":"a,]\"}","s":{"tools":[1,2]}}"#, "7", "\"x\""], "{chunk}");
            assert_eq!(rest.text_at(&["nextCursor"]).as_deref(), Some("c"));
            assert_eq!((rest.get(&["tools"]), rest.get(&["ttlMs"])), (Some("[]"), Some("5")));
        }
        let mut items = Items::new("tools", 16);
        let mut found = 0;
        let sink = &mut |_: Json| {
            found += 1;
            Ok(())
        };
        items.feed(br#"{"tools":["12345678901234567890","b",]}"#, sink).unwrap();
        assert_eq!(found, 1, "what is too long is left out");
    }

    fn assemble(text: &str, memory_bytes: usize, chunk: usize) -> Frame {
        let mut bounds = Bounds::new(std::env::temp_dir());
        bounds.memory_bytes = memory_bytes;
        let mut assembler = Assembler::new(bounds);
        for part in text.as_bytes().chunks(chunk) {
            assembler.push(part).unwrap();
        }
        assembler.finish().unwrap().unwrap()
    }

    #[test]
    fn a_big_text_comes_back_unescaped_and_the_rest_stays_as_it_was() {
        let text = "né \"quoted\" \\ tab\t \u{1f600} end\n".repeat(50);
        let escaped = serde_json::to_string(&text).unwrap().replace('\u{1f600}', "\\ud83d\\ude00");
        let line = format!(
            r#"{{"result":{{"content":[{{"type":"text","text":"small"}},{{"type":"text","text":{escaped},"x":1.10}}],"v":2}},"jsonrpc":"2.0","id":"q"}}"#
        );
        for chunk in [1, 7, 64, 100_000] {
            let Frame::Oversized(big) = assemble(&line, 300, chunk) else {
                panic!("not oversized")
            };
            assert_eq!(big.id.as_str(), "\"q\"");
            assert_eq!(big.result.text_block(), Some(1));
            assert_eq!(
                big.result.skeleton.as_ref().unwrap().as_str(),
                r#"{"content":[{"type":"text","text":"small"},{"type":"text","text":"","x":1.10}],"v":2}"#
            );
            let mut out = Vec::new();
            big.result
                .text_to(&mut |bytes| {
                    assert!(std::str::from_utf8(bytes).is_ok());
                    out.extend_from_slice(bytes);
                    Ok(())
                })
                .unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), text);
            let whole = big.result.load(1 << 20).unwrap();
            assert!(line.contains(whole.as_str()));
            assert!(big.result.load(10).is_err());
        }
    }

    #[test]
    fn pieces_of_an_escape_and_lone_surrogates() {
        let inner = r"a\u00e9\ud83d\ude00\ud83dx\ude00\ud83d\ud83d\ude00\n";
        let mut expected = String::from("aé😀");
        expected.push_str("\u{fffd}x\u{fffd}\u{fffd}😀\n");
        for chunk in 1..inner.len() {
            let mut unescape = Unescape::default();
            let mut out = Vec::new();
            let mut sink = |bytes: &[u8]| {
                out.extend_from_slice(bytes);
                Ok(())
            };
            for part in inner.as_bytes().chunks(chunk) {
                unescape.feed(part, &mut sink).unwrap();
            }
            unescape.finish(&mut sink).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn a_byte_order_mark_is_passed_over_however_it_comes() {
        let text = "\u{feff}{\"id\":4,\"method\":\"x\"}";
        for chunk in 1..=text.len() {
            assert!(matches!(assemble(text, 1_000, chunk), Frame::Messages(_)), "{chunk}");
        }
    }

    #[test]
    fn an_answer_counts_whatever_else_is_on_its_line() {
        let answer = r#"{"jsonrpc":"2.0","id":7,"result":{"a":"{}"}}"#;
        let swapped = r#"{"id":7,"result":{"a":"{}"},"jsonrpc":"2.0"}"#;
        let asked = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
        for (line, count) in [
            (format!("Loading model... {answer}"), 1),
            (format!("[INFO] ready {answer}"), 1),
            (format!("[1/2] {{x}} done{swapped}"), 1),
            (format!("{{x}} {answer}"), 1),
            (format!("{answer} bye"), 1),
            (format!("{answer}{answer}"), 2),
            (format!("[{answer}]"), 1),
            (format!("sent: {asked}"), 0),
            (format!("sent: {asked} got {answer}"), 0),
            (format!("{} {answer}", "x".repeat(500)), 1),
            ("[INFO] started".to_owned(), 0),
            ("words {\"id\"".to_owned(), 0),
        ] {
            for size in [1, 7, 1 << 16] {
                let mut assembler = Assembler::new(Bounds::new(std::env::temp_dir()));
                line.as_bytes().chunks(size).for_each(|part| assembler.push(part).unwrap());
                let found = match assembler.finish().unwrap() {
                    Some(Frame::Messages(messages)) => messages.len(),
                    _ => 0,
                };
                // A list that comes byte by byte is known by its second sign only.
                assert_eq!(found, count, "{line} {size}");
            }
        }
    }

    #[test]
    fn noise_is_told_from_messages() {
        assert!(matches!(assemble("Server started", 10, 3), Frame::Noise { is_json: false, .. }));
        assert!(matches!(assemble("{broken", 100, 3), Frame::Noise { is_json: false, .. }));
        assert!(matches!(
            assemble("{\"id\":4}", 100, 3),
            Frame::Noise { id: Some(_), is_json: true, .. }
        ));
        assert!(matches!(
            assemble("{\"id\":4,\"method\":\"x\",\"params\":{}}", 10, 3),
            Frame::Messages(_)
        ));
    }

    #[test]
    fn an_answer_that_can_be_read_in_two_ways_is_told_from_noise_in_memory_and_in_a_file() {
        let text = r#"{"id":4,"result":{"content":[{"text":"a long one"}]},"result":{}}"#;
        for memory in [10, 1_000] {
            let frame = assemble(text, memory, 3);
            let Frame::Noise { id: Some(id), fault: Some(fault), .. } = frame else { panic!() };
            assert_eq!(
                (id.as_str(), fault.as_str()),
                ("4", "its answer has the member result twice")
            );
        }
        let fault = |text: &str| match assemble(text, 1_000, 9) {
            Frame::Noise { fault, .. } => fault,
            frame => panic!("{frame:?}"),
        };
        assert!(fault(r#"{"id":4}"#).unwrap().contains("neither a result nor an error"));
        // A request of the server's may have any id.
        assert_eq!(fault(r#"{"id":4,"method":7}"#), None);
        assert_eq!(fault(r#"{"id":4,"id":5,"result":{}}"#), None);
    }
}
