//! What a server said of itself, kept on disk so that the next start of the gateway need not ask.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use crate::servers::digest::Approved;
use crate::servers::listed::Listed;
use crate::servers::spec::{Reach, ServerSpec};
use crate::servers::texts::Texts;
use crate::servers::upstream::eras::Eras;
use weir_base::hex;
use weir_base::{Mutex, create_private_dir};
use weir_mcp::json::Json;
use weir_mcp::methods::Method;
use weir_mcp::wire::Era;

/// A list that a server can be asked for beside its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listing {
    /// `prompts/list`
    Prompts,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
}

impl Listing {
    /// All of them.
    pub const ALL: [Listing; 3] = [Listing::Prompts, Listing::Resources, Listing::Templates];

    /// The method, the member of its result that holds the list, the capability it takes.
    pub fn names(self) -> (Method, &'static str, &'static str) {
        match self {
            Listing::Prompts => (Method::ListPrompts, "prompts", "prompts"),
            Listing::Resources => (Method::ListResources, "resources", "resources"),
            Listing::Templates => (Method::ListTemplates, "resourceTemplates", "resources"),
        }
    }

    /// The member of an item by which it is asked for.
    pub fn key(self) -> &'static str {
        match self {
            Listing::Prompts => "name",
            Listing::Resources => "uri",
            Listing::Templates => "uriTemplate",
        }
    }
}

/// A server's own account of itself and its tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// How it spoke when its tools were listed.
    pub era: Era,
    /// What it offers in each era.
    #[serde(default)]
    pub eras: Eras,
    /// The protocol version agreed on.
    pub version: String,
    /// `serverInfo`.
    pub info: Option<Json>,
    /// `capabilities`.
    pub capabilities: Json,
    /// Its guidance for models.
    pub instructions: Option<String>,
    /// Its tools, as it wrote them.
    #[serde(deserialize_with = "tools_here")]
    pub tools: Vec<Listed>,
    /// Its prompts, resources and resource templates, where they were asked for.
    #[serde(default)]
    pub lists: BTreeMap<Listing, Vec<Listed>>,
    /// When the tools were listed, in seconds since 1970.
    pub listed_at: u64,
    /// What clients could do when exactly these tools were listed ([`abilities`]): some servers have tools
    /// for some clients only.
    #[serde(default)]
    pub listed_for: BTreeSet<String>,
    /// Digests of its tools as they were first seen, or accepted, by name.
    #[serde(default)]
    pub pins: BTreeMap<String, String>,
    /// The same in the era in which these tools were not listed: servers may define them differently there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub other_pins: BTreeMap<String, String>,
    /// Tools that were defined anew, with the time when that was last noticed.
    #[serde(default)]
    pub changed: BTreeMap<String, u64>,
    /// What those were before, as far as clients were last shown them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub former: BTreeMap<String, Listed>,
    /// What is left out of its lists, as no client could take it, with the reason; by list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, Vec<String>>,
    /// Whether it has more tools than are taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Whether there are more tools, which it is still asked for.
    #[serde(skip)]
    pub partial: bool,
}

/// The tools in a file; none where a version before 0.3 kept them in another one. The server is asked again then, and
/// what it says compared with what was first seen.
fn tools_here<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Listed>, D::Error> {
    struct Here;
    impl<'de> Visitor<'de> for Here {
        type Value = Vec<Listed>;
        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("a list of tools")
        }
        // One by one: the text of a long list is in memory already.
        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Listed>, A::Error> {
            std::iter::from_fn(|| list.next_element().transpose()).collect()
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<Listed>, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Vec::new())
        }
    }
    deserializer.deserialize_any(Here)
}

/// What a client can do, as far as the tools of a server may depend on it: names of capabilities.
pub fn abilities(capabilities: &Json) -> String {
    let declared = |name: &&str| {
        capabilities.get(&[*name]).is_some_and(|value| value != "false" && value != "null")
    };
    let names: Vec<&str> =
        ["elicitation", "roots", "sampling", "tasks"].into_iter().filter(declared).collect();
    names.join(" ")
}

impl Known {
    /// The same, with what is remembered of an earlier start, and of an earlier listing of the same tools.
    pub(crate) fn after(mut self, before: Option<&Known>) -> Known {
        if let Some(before) = before {
            self.eras = self.eras.over(before.eras);
            if before.tools == self.tools {
                self.listed_for.extend(before.listed_for.iter().cloned());
            }
        }
        self
    }

    /// Whether it declares a capability, by its path.
    pub fn can(&self, path: &[&str]) -> bool {
        self.capabilities.get(path).is_some_and(|value| value != "false" && value != "null")
    }
}

/// How a server was when a gateway last dealt with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// When, in seconds since 1970.
    pub at: u64,
    /// What went wrong, secrets replaced; `None` when it had started.
    pub failed: Option<String>,
    /// Whether that was that nobody is logged in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub login: bool,
}

/// Where what is known of one server is kept, and what it must have been asked with.
///
/// The file goes by the server's name and by what is started, without the values of its variables
/// and headers: what was seen of its tools outlives a renewed token. The values are kept beside
/// as a digest under a key that never leaves this machine: with other values, which may mean
/// another account, the server is asked again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    file: String,
    values: String,
}

/// What is kept of a server.
#[derive(Debug, Default)]
pub struct Kept {
    /// What it said of itself when it was started as it would be now.
    pub known: Option<Known>,
    /// What it said when it was started with other values: only what its tools were counts.
    pub outdated: Option<Known>,
}

/// A file's content: a digest of the values of the entry, and what the server said.
#[derive(Debug, Serialize, Deserialize)]
struct Account<K> {
    values: String,
    known: K,
}

/// Hex digits by which the files of a server begin.
const DIGITS: usize = 64;

/// How long the files of a server are kept that no gateway deals with.
const UNUSED: Duration = Duration::from_secs(90 * 24 * 3_600);

/// The folder of kept accounts, two files for each server.
///
/// Files are written in order by one thread at a time, never by who learns something.
#[derive(Debug, Clone)]
pub struct KnownCache(Arc<Folder>);

#[derive(Debug)]
struct Folder {
    dir: PathBuf,
    key: OnceLock<[u8; 32]>,
    writes: Mutex<Writes>,
    written: Condvar,
}

#[derive(Debug, Default)]
struct Writes {
    /// The newest content of each file that is not written yet.
    pending: BTreeMap<PathBuf, Arc<Content>>,
    running: bool,
}

/// What a file is to hold.
#[derive(Debug)]
enum Content {
    Text(Vec<u8>),
    /// Written as it is put into words: the text of a long list is as large as all that is kept of it.
    Account(Account<Arc<Known>>),
}

impl Content {
    fn write(&self, to: impl Write) -> io::Result<()> {
        let mut to = io::BufWriter::new(to);
        match self {
            Content::Text(text) => to.write_all(text)?,
            Content::Account(Account { values, known }) => {
                serde_json::to_writer(
                    &mut to,
                    &Account { values: values.clone(), known: &**known },
                )?;
            }
        }
        to.flush()
    }
}

impl Place {
    /// Whether this document of the state directory is what is known of the server.
    pub(crate) fn is_document(&self, name: &str) -> bool {
        let file = name.strip_prefix("servers/").and_then(|name| name.strip_suffix(".json"));
        file == Some(&*self.file)
    }
}

impl KnownCache {
    /// In `dir`, which is made when first needed.
    pub fn new(dir: PathBuf) -> KnownCache {
        KnownCache(Arc::new(Folder {
            dir,
            key: OnceLock::new(),
            writes: Mutex::default(),
            written: Condvar::new(),
        }))
    }

    /// Where the server of this entry is kept.
    pub fn place(&self, spec: &ServerSpec) -> Place {
        let key = self.0.key.get_or_init(|| read_or_make_key(&self.0.dir));
        let (mut file, mut values) = (Keyed::new(key, "file"), Keyed::new(key, "values"));
        file.add(&spec.key);
        match &spec.reach {
            Reach::Stdio { command, args, env, cwd } => {
                file.add("stdio").add(command).add(&args.len().to_string());
                for arg in args {
                    file.add(arg);
                }
                for (name, value) in env {
                    values.add(name).add(value);
                }
                file.add(&cwd.as_ref().map(|dir| dir.display().to_string()).unwrap_or_default());
                values.add(&format!("{:?}", spec.inherit));
            }
            Reach::BuiltIn(server) => {
                file.add("built-in").add(&format!("{server:?}"));
            }
            Reach::OpenApi(api) => {
                file.add("openapi").add(&api.description);
                file.add(api.url.as_deref().unwrap_or_default());
                for (name, value) in api.headers.iter().chain(&api.auth) {
                    values.add(name).add(value);
                }
            }
            Reach::Http { url, headers, .. } => {
                file.add("http").add(url);
                for (name, value) in headers {
                    values.add(name).add(value);
                }
            }
        }
        Place { file: file.finish(), values: values.finish() }
    }

    fn path(&self, place: &Place) -> PathBuf {
        self.0.dir.join(format!("{}.json", place.file))
    }

    fn seen_path(&self, place: &Place) -> PathBuf {
        self.0.dir.join(format!("{}.seen.json", place.file))
    }

    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let pending = self.0.writes.lock().pending.get(path).cloned();
        if let Some(pending) = pending {
            let mut text = Vec::new();
            return pending.write(&mut text).ok().map(|()| text);
        }
        std::fs::read(path).ok()
    }

    /// What is kept. Nothing when there is nothing that can be read: then the server is asked.
    pub fn load(&self, place: &Place) -> Kept {
        let read = self.read(&self.path(place));
        let account = read.and_then(|bytes| serde_json::from_slice::<Account<Known>>(&bytes).ok());
        let without_tools = |known: &Known| known.tools.is_empty() && !known.pins.is_empty();
        match account {
            Some(account) if account.values == place.values && !without_tools(&account.known) => {
                let eras = account.known.eras.fresh();
                Kept { known: Some(Known { eras, ..account.known }), outdated: None }
            }
            Some(account) => Kept { known: None, outdated: Some(account.known) },
            None => Kept::default(),
        }
    }

    /// Keeps it, soon. Readers see the old file or the new one, never half of it.
    pub fn store(&self, place: &Place, known: &Arc<Known>) {
        let account = Account { values: place.values.clone(), known: Arc::clone(known) };
        self.write(self.path(place), Content::Account(account));
    }

    /// How the server was when a gateway last dealt with it; `None` when none did.
    pub fn seen(&self, place: &Place) -> Option<Seen> {
        serde_json::from_slice(&self.read(&self.seen_path(place))?).ok()
    }

    /// Keeps how the server is now, soon.
    pub fn note_seen(&self, place: &Place, seen: &Seen) {
        if let Ok(text) = serde_json::to_vec(seen) {
            self.write(self.seen_path(place), Content::Text(text));
        }
    }

    fn approved_path(&self, place: &Place) -> PathBuf {
        self.0.dir.join(format!("{}.approved.json", place.file))
    }

    /// The texts of the server's skills.
    pub(crate) fn texts(&self, place: &Place) -> Texts {
        Texts::in_folder(self.0.dir.join(format!("{}.texts", place.file)))
    }

    /// Removes the files of servers that no gateway has dealt with for long, these excepted: their entries are gone, or
    /// start something else. And lists of tools in files of their own, as versions before 0.3 kept long ones.
    pub fn sweep(&self, used: &[Place]) {
        let mut newest: BTreeMap<String, SystemTime> = BTreeMap::new();
        let files = || self.0.dir.read_dir().into_iter().flatten().flatten();
        let stem = |file: &std::fs::DirEntry| {
            let name = file.file_name().into_string().ok()?;
            let (stem, _) = name.split_once('.')?;
            (stem.len() == DIGITS).then(|| stem.to_owned())
        };
        for file in files() {
            let at = file.metadata().and_then(|data| data.modified());
            let (Some(stem), Ok(at)) = (stem(&file), at) else { continue };
            let newest = newest.entry(stem).or_insert(at);
            *newest = at.max(*newest);
        }
        let is_old = |at: &SystemTime| at.elapsed().is_ok_and(|age| age > UNUSED);
        let is_used = |stem: &str| used.iter().any(|place| place.file == stem);
        newest.retain(|stem, at| is_old(at) && !is_used(stem));
        let is_list = |file: &std::fs::DirEntry| file.path().extension() == Some("tools".as_ref());
        for file in files() {
            let Some(stem) = stem(&file) else { continue };
            if newest.contains_key(&stem) || is_list(&file) {
                let _ = match file.path().is_dir() {
                    true => std::fs::remove_dir_all(file.path()),
                    false => std::fs::remove_file(file.path()),
                };
            }
        }
    }

    /// The tools of the server that the user has approved; a file of its own, which gateways only read.
    pub fn approved(&self, place: &Place) -> Approved {
        let bytes = std::fs::read(self.approved_path(place)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Keeps which tools the user has approved.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn approve(&self, place: &Place, approved: &Approved) -> io::Result<()> {
        let text = serde_json::to_vec(approved).map_err(io::Error::other)?;
        write_whole(&self.0.dir, &self.approved_path(place), &Content::Text(text))
    }

    fn write(&self, path: PathBuf, content: Content) {
        let mut writes = self.0.writes.lock();
        writes.pending.insert(path, Arc::new(content));
        if !std::mem::replace(&mut writes.running, true) {
            let folder = Arc::clone(&self.0);
            drop(writes);
            match tokio::runtime::Handle::try_current() {
                Ok(runtime) => drop(runtime.spawn_blocking(move || folder.write_pending())),
                Err(_) => folder.write_pending(),
            }
        }
    }

    /// Waits until all is written. Blocks.
    pub fn flush(&self) {
        let mut writes = self.0.writes.lock();
        while writes.running {
            writes = self.0.written.wait(writes).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Folder {
    fn write_pending(&self) {
        loop {
            let next = {
                let mut writes = self.writes.lock();
                let Some((path, content)) = writes.pending.first_key_value() else {
                    writes.running = false;
                    self.written.notify_all();
                    return;
                };
                (path.clone(), Arc::clone(content))
            };
            // A cache that cannot be written costs a start next time, nothing more.
            let _ = write_whole(&self.dir, &next.0, &next.1);
            let mut writes = self.writes.lock();
            // Unless a newer one came meanwhile.
            if writes.pending.get(&next.0).is_some_and(|content| Arc::ptr_eq(content, &next.1)) {
                writes.pending.remove(&next.0);
            }
        }
    }
}

fn write_whole(dir: &Path, path: &Path, content: &Content) -> io::Result<()> {
    create_private_dir(dir)?;
    weir_base::replace(path, |file| content.write(file))
}

/// The key of this folder's digests, made by whoever needs it first. Where it cannot be kept, nothing
/// that was kept is found again.
pub(crate) fn read_or_make_key(dir: &Path) -> [u8; 32] {
    let path = dir.join("key");
    let read = || std::fs::read(&path).ok().and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
    if let Some(key) = read() {
        return key;
    }
    let mut key = [0; 32];
    if getrandom::fill(&mut key).is_err() {
        return key;
    }
    let made = create_private_dir(dir).and_then(|()| {
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(&key)?;
        // Of two processes the first counts.
        file.persist_noclobber(&path).map_err(|error| error.error)
    });
    match made {
        Ok(_) => key,
        Err(_) => read().unwrap_or(key),
    }
}

/// A digest of texts under a key: who has the digest cannot try values.
struct Keyed<'a> {
    key: &'a [u8; 32],
    hash: Sha256,
}

impl Keyed<'_> {
    fn new<'a>(key: &'a [u8; 32], purpose: &str) -> Keyed<'a> {
        let mut keyed = Keyed { key, hash: Sha256::new().chain_update(key) };
        keyed.add(purpose);
        keyed
    }

    fn add(&mut self, text: &str) -> &mut Self {
        self.hash.update((text.len() as u64).to_le_bytes());
        self.hash.update(text.as_bytes());
        self
    }

    fn finish(self) -> String {
        let outer = Sha256::new().chain_update(self.key).chain_update(self.hash.finalize());
        hex(&outer.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_gateway_dealt_with_for_long_is_swept() {
        let dir = tempfile::tempdir().unwrap();
        let cache = KnownCache::new(dir.path().to_owned());
        let places = ["gone", "used", "lately"].map(|name| cache.place(&server(name, "1")));
        let long_ago = SystemTime::now() - UNUSED - Duration::from_secs(60);
        let age = |path: &Path| {
            let file = std::fs::File::options().append(true).open(path).unwrap();
            file.set_modified(long_ago).unwrap();
        };
        for place in &places {
            cache.approve(place, &Approved::new()).unwrap();
            age(&cache.approved_path(place));
            std::fs::write(cache.path(place), "{}").unwrap();
        }
        age(&cache.path(&places[0]));
        age(&cache.path(&places[1]));
        age(&dir.path().join("key"));
        std::fs::write(dir.path().join("x.json"), "not ours").unwrap();
        age(&dir.path().join("x.json"));
        cache.sweep(&places[1..2]);
        let is_there =
            |place: &Place| [cache.path(place), cache.approved_path(place)].map(|p| p.exists());
        assert_eq!(places.each_ref().map(is_there), [[false; 2], [true; 2], [true; 2]]);
        assert!(dir.path().join("key").exists() && dir.path().join("x.json").exists());
    }

    #[test]
    fn tools_come_back_byte_for_byte() {
        let dir = tempfile::tempdir().unwrap();
        let cache = KnownCache::new(dir.path().join("a/b"));
        let tool = r#"{"name":"x","z":1.10,"n":123456789012345678901,"inputSchema":{"b":1,"a":2}}"#;
        let known = Known {
            era: Era::Legacy,
            eras: Eras::default(),
            version: "2025-11-25".into(),
            info: None,
            capabilities: Json::parse(
                r#"{"tools":{"listChanged":true},"logging":{},"x":false}"#.into(),
            )
            .unwrap(),
            instructions: Some("hi".into()),
            tools: vec![Json::parse(tool.into()).unwrap().into()],
            lists: BTreeMap::from([(Listing::Prompts, Vec::new())]),
            listed_at: 7,
            listed_for: BTreeSet::from(["sampling".into()]),
            pins: BTreeMap::new(),
            changed: BTreeMap::new(),
            former: BTreeMap::new(),
            left_out: BTreeMap::new(),
            other_pins: BTreeMap::new(),
            cut: false,
            partial: false,
        };
        let place = cache.place(&server("a", "1"));
        assert_eq!(cache.load(&place).known, None);
        let known = Arc::new(known);
        cache.store(&place, &known);
        assert_eq!(cache.load(&place).known.as_ref(), Some(&*known), "written or not");
        cache.flush();
        // As another process finds it.
        let cache = KnownCache::new(dir.path().join("a/b"));
        let back = cache.load(&cache.place(&server("a", "1"))).known.unwrap();
        assert_eq!(back.tools[0].as_str(), tool);
        assert_eq!(back, *known);
        let seen = Seen { at: 9, failed: Some("gone".into()), login: false };
        assert_eq!(cache.seen(&place), None);
        cache.note_seen(&place, &seen);
        assert_eq!(cache.seen(&place), Some(seen));
        assert!(back.can(&["tools", "listChanged"]) && back.can(&["logging"]) && !back.can(&["x"]));
    }

    fn server(name: &str, token: &str) -> ServerSpec {
        let env = BTreeMap::from([("TOKEN".to_owned(), token.to_owned())]);
        let reach = Reach::Stdio { command: "x".into(), args: Vec::new(), env, cwd: None };
        ServerSpec::new(name, reach)
    }

    #[test]
    fn servers_of_one_command_are_kept_apart_by_name_and_by_values() {
        let dir = tempfile::tempdir().unwrap();
        let cache = KnownCache::new(dir.path().to_owned());
        let (home, work) = (cache.place(&server("home", "1")), cache.place(&server("work", "1")));
        assert_ne!(home.file, work.file);
        let renewed = cache.place(&server("home", "2"));
        assert!(renewed.file == home.file && renewed.values != home.values);
        let http = |token: &str| {
            let headers = BTreeMap::from([("Authorization".to_owned(), token.to_owned())]);
            ServerSpec::new("h", Reach::Http { url: "http://x".into(), headers, sse: false })
        };
        assert_ne!(cache.place(&http("1")).values, cache.place(&http("2")).values);
        // Another machine's key gives other names: digests do not tell values.
        let other = tempfile::tempdir().unwrap();
        let elsewhere = KnownCache::new(other.path().to_owned());
        assert_ne!(elsewhere.place(&server("home", "1")), home);
    }

    #[test]
    fn a_list_that_was_kept_in_a_file_of_its_own_is_asked_for_and_compared() {
        let dir = tempfile::tempdir().unwrap();
        let cache = KnownCache::new(dir.path().to_owned());
        let place = cache.place(&server("home", "1"));
        let values = &place.values;
        let text = format!(
            r#"{{"values":"{values}","known":{{"era":"legacy","version":"2025-11-25","info":null,"capabilities":{{}},
               "instructions":null,"tools":{{"file":"x.tools","tools":[{{"at":0}}]}},"listed_at":1,"pins":{{"a":"digest"}}}}}}"#
        );
        std::fs::write(cache.path(&place), text).unwrap();
        let list = dir.path().join(format!("{}.abc.tools", place.file));
        std::fs::write(&list, "{}").unwrap();
        let kept = cache.load(&place);
        assert!(kept.known.is_none());
        assert_eq!(kept.outdated.unwrap().pins["a"], "digest");
        cache.sweep(std::slice::from_ref(&place));
        assert!(!list.exists() && cache.path(&place).exists());
    }

    #[test]
    fn with_other_values_a_server_is_asked_again_but_its_tools_are_not_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let cache = KnownCache::new(dir.path().to_owned());
        let known: Known = serde_json::from_str(
            r#"{"era":"legacy","version":"2025-11-25","info":null,"capabilities":{},"instructions":null,"tools":[],
               "listed_at":1,"pins":{"a":"digest"}}"#,
        )
        .unwrap();
        cache.store(&cache.place(&server("home", "1")), &Arc::new(known));
        let kept = cache.load(&cache.place(&server("home", "2")));
        assert!(kept.known.is_none());
        assert_eq!(kept.outdated.unwrap().pins["a"], "digest");
    }
}
