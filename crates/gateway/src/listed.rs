//! Tools as their server lists them. A long list has its definitions in a file: in memory are each tool's name, its
//! annotations and where the rest lies.
//!
//! ```text
//! page ─► Collecting ─► Tools: in memory up to MEMORY_BYTES, else heads in memory and definitions in a file
//! ```

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::digest;
use super::json::{Json, members, quote};
use super::shallow::shallow;
use super::skills;
use weir_base::create_private_dir;
use weir_base::hex;

/// Bytes of one server's definitions that are held in memory; with more, they go to a file.
pub(crate) const MEMORY_BYTES: usize = 256 << 10;

/// Bytes of a member that is held in memory beside the definition's name, title and annotations.
const MEMBER_BYTES: usize = 1 << 10;

/// Bytes of what an index needs of a definition.
const SHORT_BYTES: usize = 4 << 10;

/// What the files' names end with.
pub(crate) const SUFFIX: &str = ".tools";

/// A file of definitions. It is removed with its last user, unless it is kept for the next start.
#[derive(Debug)]
pub struct ListFile {
    file: File,
    path: PathBuf,
    kept: AtomicBool,
}

impl ListFile {
    fn open(path: PathBuf, kept: bool) -> io::Result<ListFile> {
        Ok(ListFile { file: File::open(&path)?, path, kept: AtomicBool::new(kept) })
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether it stays when nobody uses it any more.
    pub fn keep(&self, kept: bool) {
        self.kept.store(kept, Ordering::SeqCst);
    }

    fn read(&self, at: u64, bytes: usize) -> io::Result<Vec<u8>> {
        let mut read = vec![0; bytes];
        #[cfg(unix)]
        std::os::unix::fs::FileExt::read_exact_at(&self.file, &mut read, at)?;
        #[cfg(windows)]
        {
            let mut done = 0;
            while done < bytes {
                let part = std::os::windows::fs::FileExt::seek_read(
                    &self.file,
                    &mut read[done..],
                    at + done as u64,
                )?;
                if part == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                done += part;
            }
        }
        Ok(read)
    }
}

impl Drop for ListFile {
    fn drop(&mut self) {
        if !self.kept.load(Ordering::SeqCst) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Where a definition lies, and what need not be read of it.
#[derive(Debug)]
struct Place {
    /// None until the file is opened.
    file: Option<Arc<ListFile>>,
    at: u64,
    bytes: u32,
    /// Bytes of its short form, which lies behind it; none where it is short itself.
    short: u32,
    tokens: u32,
    digest: Digits<32>,
    sum: Digits<16>,
}

/// A digest, which is written in hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Digits<const N: usize>([u8; N]);

impl<const N: usize> Digits<N> {
    fn read(text: &str) -> Option<Digits<N>> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != N || !rest.is_empty() {
            return None;
        }
        let mut bytes = [0; N];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            let digit = |digit: u8| char::from(digit).to_digit(16);
            *byte = (digit(*high)? << 4 | digit(*low)?) as u8;
        }
        Some(Digits(bytes))
    }
}

impl<const N: usize> Serialize for Digits<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(&self.0))
    }
}

impl<'de, const N: usize> Deserialize<'de> for Digits<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Digits::read(&text).ok_or_else(|| D::Error::custom("not a digest"))
    }
}

impl Place {
    fn read(&self) -> io::Result<Json> {
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let bytes = file.read(self.at, self.bytes as usize)?;
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        if sum(&text) != self.sum {
            return Err(io::Error::other(format!("{} was changed", file.path.display())));
        }
        Json::parse(text).map_err(io::Error::other)
    }

    fn read_short(&self) -> io::Result<Json> {
        if self.short == 0 {
            return self.read();
        }
        let file = self.file.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let bytes = file.read(self.at + u64::from(self.bytes) + 1, self.short as usize)?;
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        Json::parse(text).map_err(io::Error::other)
    }

    /// Where the next one starts.
    fn end(&self) -> u64 {
        let short = if self.short > 0 { u64::from(self.short) + 1 } else { 0 };
        self.at + u64::from(self.bytes) + 1 + short
    }
}

/// One tool.
#[derive(Debug, Clone)]
pub struct Listed {
    head: Arc<Json>,
    place: Option<Arc<Place>>,
}

impl From<Json> for Listed {
    fn from(definition: Json) -> Listed {
        Listed { head: Arc::new(definition), place: None }
    }
}

impl Listed {
    /// All of the definition but what takes room: its texts and schemas are left out when they are in a file.
    pub fn head(&self) -> &Json {
        &self.head
    }

    /// Whether it is a skill in the form of a tool's definition, see [`skills::definition_of`].
    pub fn is_skill(&self) -> bool {
        self.head.get(&[skills::MEMBER]).is_some()
    }

    /// Its name.
    pub fn name(&self) -> Option<String> {
        self.head.text_at(&["name"])
    }

    /// Whether its definition is in a file.
    pub fn is_in_file(&self) -> bool {
        self.place.is_some()
    }

    /// The definition as the server wrote it. What cannot be read is logged, and the head stands in its place.
    pub fn whole(&self) -> Cow<'_, Json> {
        self.read(Place::read)
    }

    /// What an index needs of it: of a long one in a file the start of its description and a shallow schema.
    pub fn short(&self) -> Cow<'_, Json> {
        self.read(Place::read_short)
    }

    fn read(&self, read: impl Fn(&Place) -> io::Result<Json>) -> Cow<'_, Json> {
        match self.place.as_ref().map(|place| read(place)) {
            None => Cow::Borrowed(&self.head),
            Some(Ok(whole)) => Cow::Owned(whole),
            Some(Err(error)) => {
                let name = self.name().unwrap_or_default();
                tracing::warn!("the definition of {name} cannot be read: {error}");
                Cow::Borrowed(&self.head)
            }
        }
    }

    /// The digest of what counts in it, see [`digest::digest`].
    pub fn digest(&self) -> String {
        match &self.place {
            Some(place) => hex(&place.digest.0),
            None => digest::digest(&self.head),
        }
    }

    /// Whether this is the digest of what counts in it, as this version makes it or those before 0.3 did.
    pub fn has_digest(&self, digest: &str) -> bool {
        self.digest() == digest || digest::former_digest(&self.whole()) == digest
    }

    /// Estimated tokens of it.
    pub fn definition_tokens(&self) -> u64 {
        match &self.place {
            Some(place) if place.tokens > 0 => place.tokens.into(),
            _ => definition_tokens(&self.whole()),
        }
    }

    /// Whether both are the same definition, to the byte. Heads may differ where both are in files.
    pub fn is_same(&self, other: &Listed) -> bool {
        match (&self.place, &other.place) {
            (None, None) => Arc::ptr_eq(&self.head, &other.head) || self.head == other.head,
            (Some(one), Some(other)) => one.sum == other.sum,
            (Some(one), None) => one.sum == sum(other.head.as_str()),
            (None, Some(other)) => sum(self.head.as_str()) == other.sum,
        }
    }
}

impl PartialEq for Listed {
    fn eq(&self, other: &Listed) -> bool {
        self.is_same(other)
    }
}

fn sum(text: &str) -> Digits<16> {
    let mut sum = [0; 16];
    sum.iter_mut().zip(Sha256::digest(text)).for_each(|(to, from)| *to = from);
    Digits(sum)
}

/// A server's tools, in its order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tools {
    tools: Vec<Listed>,
    /// The file's name, where it is still to be opened.
    unopened: Option<String>,
}

impl Deref for Tools {
    type Target = [Listed];
    fn deref(&self) -> &[Listed] {
        &self.tools
    }
}

impl From<Vec<Json>> for Tools {
    fn from(tools: Vec<Json>) -> Tools {
        Tools { tools: tools.into_iter().map(Listed::from).collect(), unopened: None }
    }
}

impl Tools {
    /// The file with their definitions, where there is one.
    pub fn file(&self) -> Option<&Arc<ListFile>> {
        self.tools.first()?.place.as_ref()?.file.as_ref()
    }

    /// Opens the file with their definitions in `dir`, where there is one that is not open.
    ///
    /// # Errors
    /// When there is no such file.
    pub fn open(&mut self, dir: &Path) -> io::Result<()> {
        let Some(name) = self.unopened.take() else { return Ok(()) };
        // A name of ours: nothing leads out of the folder.
        if Path::new(&name).file_name().is_none_or(|file| *file != *name) || !name.ends_with(SUFFIX)
        {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let file = Arc::new(ListFile::open(dir.join(name), true)?);
        for tool in &mut self.tools {
            if let Some(place) = tool.place.as_mut().and_then(Arc::get_mut) {
                place.file = Some(Arc::clone(&file));
            }
        }
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
struct InFile<T> {
    file: String,
    tools: T,
}

#[derive(Serialize, Deserialize)]
struct HeadInFile<J> {
    head: J,
    at: u64,
    bytes: u32,
    short: u32,
    /// Older files lack it.
    #[serde(default)]
    tokens: u32,
    digest: Digits<32>,
    sum: Digits<16>,
}

/// A list that is written as its parts are made.
struct OneByOne<I>(RefCell<I>);

impl<I: Iterator<Item: Serialize>> Serialize for OneByOne<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

impl Serialize for Tools {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(file) = self.file() else {
            return serializer.collect_seq(self.tools.iter().map(Listed::head));
        };
        let tools = self.tools.iter().filter_map(|tool| {
            let place = tool.place.as_ref()?;
            Some(HeadInFile {
                head: tool.head(),
                at: place.at,
                bytes: place.bytes,
                short: place.short,
                tokens: place.tokens,
                digest: place.digest,
                sum: place.sum,
            })
        });
        InFile { file: file.name(), tools: OneByOne(RefCell::new(tools)) }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tools {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        if raw.get().starts_with('[') {
            return serde_json::from_str::<Vec<Json>>(raw.get())
                .map(Tools::from)
                .map_err(D::Error::custom);
        }
        let list: InFile<Vec<HeadInFile<Json>>> =
            serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        let tools = list.tools.into_iter().map(|tool| {
            let HeadInFile { head, at, bytes, short, tokens, digest, sum } = tool;
            let place = Place { file: None, at, bytes, short, tokens, digest, sum };
            Listed { head: Arc::new(head), place: Some(Arc::new(place)) }
        });
        Ok(Tools { tools: tools.collect(), unopened: Some(list.file) })
    }
}

/// A list that is being put together, page by page.
#[derive(Debug)]
pub struct Collecting {
    dir: PathBuf,
    stem: String,
    tools: Vec<Listed>,
    bytes: u64,
    file: Option<(BufWriter<File>, Arc<ListFile>)>,
}

impl Collecting {
    /// For a list whose file, if it needs one, is in `dir` under a name that starts with `stem`.
    pub fn new(dir: &Path, stem: &str) -> Collecting {
        let (dir, stem) = (dir.to_owned(), stem.to_owned());
        Collecting { dir, stem, tools: Vec::new(), bytes: 0, file: None }
    }

    /// How many tools there are so far.
    pub fn count(&self) -> usize {
        self.tools.len()
    }

    /// Bytes of their definitions.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Adds a tool. Blocks.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, definition: Json) -> io::Result<()> {
        self.bytes += definition.as_str().len() as u64;
        if self.file.is_none() && self.bytes > MEMORY_BYTES as u64 {
            create_private_dir(&self.dir)?;
            let (file, path) = tempfile::Builder::new()
                .prefix(&format!("{}.", self.stem))
                .suffix(SUFFIX)
                .tempfile_in(&self.dir)?
                .into_parts();
            let path = path.keep().map_err(|error| error.error)?;
            let list = Arc::new(ListFile::open(path, false)?);
            self.file = Some((BufWriter::new(file), list));
            let mut at = 0;
            for tool in std::mem::take(&mut self.tools) {
                self.write(&mut at, &tool.head)?;
            }
            return self.write(&mut at, &definition);
        }
        if self.file.is_none() {
            self.tools.push(Listed::from(definition));
            return Ok(());
        }
        let last = self.tools.last().and_then(|tool| tool.place.as_ref());
        let mut at = last.map_or(0, |place| place.end());
        self.write(&mut at, &definition)
    }

    fn write(&mut self, at: &mut u64, definition: &Json) -> io::Result<()> {
        let Some((writer, file)) = &mut self.file else { return Ok(()) };
        let text = definition.as_str();
        writer.write_all(text.as_bytes())?;
        writer.write_all(b"\n")?;
        let mut short = 0;
        if let Some(text) = short_of(definition) {
            writer.write_all(text.as_bytes())?;
            writer.write_all(b"\n")?;
            short = u32::try_from(text.len()).map_err(io::Error::other)?;
        }
        let place = Place {
            file: Some(Arc::clone(file)),
            at: *at,
            bytes: u32::try_from(text.len()).map_err(io::Error::other)?,
            short,
            tokens: u32::try_from(definition_tokens(definition)).unwrap_or(u32::MAX),
            digest: Digits(digest::digest_bytes(definition)),
            sum: sum(text),
        };
        *at = place.end();
        self.tools
            .push(Listed { head: Arc::new(head_of(definition)), place: Some(Arc::new(place)) });
        Ok(())
    }

    /// The tools so far. Blocks.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn so_far(&mut self) -> io::Result<Tools> {
        if let Some((writer, _)) = &mut self.file {
            writer.flush()?;
        }
        Ok(Tools { tools: self.tools.clone(), unopened: None })
    }
}

/// The short form of a definition that is longer than that.
fn short_of(definition: &Json) -> Option<String> {
    let schema = definition.get(&["inputSchema"]).unwrap_or("{}");
    let mut description = definition.text_at(&["description"]).unwrap_or_default();
    if definition.as_str().len() <= SHORT_BYTES + MEMBER_BYTES {
        return None;
    }
    let room = SHORT_BYTES.saturating_sub(schema.len()).max(SHORT_BYTES / 2);
    description.truncate(description.floor_char_boundary(room));
    let schema = shallow(schema, SHORT_BYTES.saturating_sub(description.len()));
    let text = format!(r#"{{"description":{},"inputSchema":{schema}}}"#, quote(&description));
    let title = definition.text_at(&["title"]).map(|title| quote(&title));
    let short = Json::assembled(text);
    let short = title.map_or(short.clone(), |title| short.with(&["title"], &title));
    Some(match definition.get(&["annotations"]) {
        Some(hints) => short.with(&["annotations"], hints).to_string(),
        None => short.to_string(),
    })
}

/// What stays in memory of a definition.
fn head_of(definition: &Json) -> Json {
    let mut head = Json::empty();
    for (name, value) in members(definition.as_str()) {
        let value = match &*name {
            "description" | "inputSchema" => continue,
            // That there is one counts.
            "outputSchema" | skills::MEMBER => "{}",
            "name" | "title" | "annotations" | "_meta" | "execution" => value,
            _ if value.len() > MEMBER_BYTES => continue,
            _ => value,
        };
        head = head.with(&[&*name], value);
    }
    head
}

/// Removes files of lists that nobody uses any more, of a start that was cut short: all but `used`.
pub(crate) fn sweep(dir: &Path, stem: &str, used: Option<&Arc<ListFile>>) {
    const OLD: std::time::Duration = std::time::Duration::from_secs(3_600);
    let used = used.map(|file| file.name());
    let Ok(entries) = dir.read_dir() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(stem)) else { continue };
        let age = entry.metadata().and_then(|data| data.modified());
        let is_old = age.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > OLD));
        if name.ends_with(SUFFIX) && is_old && used.as_deref() != Some(name) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Estimated tokens of a definition as a model is sent it. The component estimates the same.
pub fn definition_tokens(definition: &Json) -> u64 {
    let text = |name| definition.text_at(&[name]).unwrap_or_default();
    let schema = definition.get(&["inputSchema"]).unwrap_or_default();
    weir_text::tokens::of_definition(&text("name"), &text("description"), schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(at: usize, chars: usize) -> Json {
        let text = format!(
            r#"{{"name":"t{at}","description":"{}","annotations":{{"readOnlyHint":true}},"n":1.10,"inputSchema":{{"type":"object"}},"outputSchema":{{"x":1}}}}"#,
            "ä".repeat(chars)
        );
        Json::parse(text).unwrap()
    }

    #[test]
    fn a_long_list_is_in_a_file_and_reads_back_to_the_byte() {
        let dir = tempfile::tempdir().unwrap();
        let mut collecting = Collecting::new(dir.path(), "s");
        let all: Vec<Json> = (0..40).map(|at| tool(at, 10_000)).collect();
        for (at, definition) in all.iter().enumerate() {
            collecting.add(definition.clone()).unwrap();
            let so_far = collecting.so_far().unwrap();
            assert_eq!(so_far.len(), at + 1);
            assert_eq!(so_far[at].whole().as_str(), definition.as_str());
        }
        let tools = collecting.so_far().unwrap();
        assert!(tools.iter().all(Listed::is_in_file));
        let one = &tools[7];
        assert_eq!(one.name().as_deref(), Some("t7"));
        assert!(one.head().as_str().len() < 200, "{}", one.head());
        assert_eq!(one.head().get(&["annotations", "readOnlyHint"]), Some("true"));
        assert_eq!(one.head().get(&["outputSchema"]), Some("{}"));
        let short = one.short();
        assert!(short.as_str().len() < SHORT_BYTES + 500, "{}", short.as_str().len());
        assert!(short.text_at(&["description"]).unwrap().starts_with("ää"));
        assert_eq!(one.digest(), digest::digest(&all[7]));
        assert_eq!(one.definition_tokens(), definition_tokens(&all[7]));
        assert!(one.is_same(&Listed::from(all[7].clone())) && !one.is_same(&tools[8]));
        // As the next start finds it.
        let text = serde_json::to_string(&tools).unwrap();
        tools.file().unwrap().keep(true);
        drop((collecting, tools));
        let mut again: Tools = serde_json::from_str(&text).unwrap();
        again.open(dir.path()).unwrap();
        assert_eq!(again[39].whole().as_str(), all[39].as_str());
        assert!(again[39].short().as_str().len() < SHORT_BYTES + 500);
        // What is not kept goes with its last user.
        again.file().unwrap().keep(false);
        drop(again);
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
        let mut gone: Tools = serde_json::from_str(&text).unwrap();
        assert!(gone.open(dir.path()).is_err());
    }

    #[test]
    fn a_short_list_is_in_memory_and_a_changed_file_is_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        let mut short = Collecting::new(dir.path(), "s");
        short.add(tool(1, 10)).unwrap();
        let short = short.so_far().unwrap();
        assert!(!short[0].is_in_file() && short.file().is_none());
        assert_eq!(serde_json::to_string(&short).unwrap(), format!("[{}]", tool(1, 10)));
        let mut long = Collecting::new(dir.path(), "s");
        for at in 0..40 {
            long.add(tool(at, 10_000)).unwrap();
        }
        let long = long.so_far().unwrap();
        let path = long.file().unwrap().path.clone();
        let text = std::fs::read_to_string(&path).unwrap().replace("t3\"", "t9\"");
        std::fs::write(&path, text).unwrap();
        assert_eq!(long[3].whole().as_str(), long[3].head().as_str());
        assert_eq!(long[4].whole().as_str(), tool(4, 10_000).as_str());
    }

    #[test]
    fn only_our_own_names_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let text = r#"{"file":"../x.tools","tools":[]}"#;
        let mut tools: Tools = serde_json::from_str(text).unwrap();
        assert!(tools.open(dir.path()).is_err());
    }
}
