//! Directories read into skills: each file with its digest, within bounds, and nothing outside of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use weir_agents::config::Node;
use weir_base::hex;

use super::{MAX_BYTES, MAX_FILES, SKILL_FILE};
use crate::frontmatter;

/// Skills of one server.
pub const MAX_SKILLS: usize = 5_000;

/// Directories between a skill and the directory that was named, and entries that are looked at in all.
const MAX_DEPTH: usize = 8;
const MAX_ENTRIES: usize = 200_000;

/// Directories in which programs keep what is theirs.
const NOT_OURS: [&str; 2] = ["node_modules", "__pycache__"];

/// What is escaped of a name in a URI.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// One file of a skill.
#[derive(Debug)]
pub(super) struct Listed {
    /// From the skill's directory, with `/`.
    pub(super) path: String,
    size: u64,
    digest: String,
}

/// One skill.
#[derive(Debug)]
pub(super) struct Skill {
    directory: PathBuf,
    /// The URI of its directory.
    root: String,
    pub(super) name: String,
    description: String,
    /// As JSON.
    frontmatter: String,
    pub(super) files: Vec<Listed>,
}

impl Skill {
    pub(super) fn uri_of(&self, file: &Listed) -> String {
        let escaped =
            file.path.split('/').map(|part| utf8_percent_encode(part, ESCAPED).to_string());
        format!("{}/{}", self.root, escaped.collect::<Vec<_>>().join("/"))
    }

    pub(super) fn path_of(&self, file: &Listed) -> PathBuf {
        self.directory.join(&file.path)
    }

    /// Its entry in a list.
    pub(super) fn entry(&self) -> String {
        let resource = |file: &Listed| json!({"uri": self.uri_of(file), "digest": file.digest, "size": file.size});
        let resources: Vec<Value> = self.files.iter().map(resource).collect();
        let uri = format!("{}/{SKILL_FILE}", self.root);
        format!(
            r#"{{"uri":{},"frontmatter":{},"resources":{}}}"#,
            json!(uri),
            self.frontmatter,
            json!(resources)
        )
    }

    pub(super) fn resource(&self, uri: &str) -> Value {
        json!({"uri": uri, "name": self.name, "description": self.description, "mimeType": "text/markdown"})
    }

    /// The bytes of a file, which are those that were listed.
    ///
    /// # Errors
    /// What has happened to it since, as the end of a sentence.
    pub(super) fn read(&self, file: &Listed) -> Result<Vec<u8>, String> {
        let read = read_inside(&self.directory, &self.path_of(file), file.size);
        let bytes = read.map_err(|error| format!("cannot be read: {error}"))?;
        match bytes.len() as u64 == file.size && digest_of(&bytes) == file.digest {
            true => Ok(bytes),
            false => Err(
                "has changed since it was listed; ask skills/get for its entry and read it again"
                    .to_owned(),
            ),
        }
    }
}

/// When a file was hashed, and what came of it.
#[derive(Debug)]
struct Hashed {
    size: u64,
    changed: Option<SystemTime>,
    digest: String,
}

/// All skills in some directories.
#[derive(Debug)]
pub(super) struct Tree {
    roots: Vec<(String, PathBuf)>,
    held: Option<Arc<BTreeMap<String, Skill>>>,
    hashed: HashMap<PathBuf, Hashed>,
    /// What was said of what is wrong: once each.
    told: BTreeSet<String>,
    /// What is wrong with what was read last.
    wrong: Vec<String>,
}

impl Tree {
    pub(super) fn new(directories: Vec<PathBuf>) -> Tree {
        let mut roots: Vec<(String, PathBuf)> = Vec::new();
        for directory in directories {
            let plain = label_of(&directory);
            let taken = |label: &str| roots.iter().any(|(known, _)| known == label);
            let mut numbered = (2..).map(|n| format!("{plain}-{n}"));
            let label = match taken(&plain) {
                true => numbered.find(|label| !taken(label)).unwrap_or_default(),
                false => plain,
            };
            roots.push((label, directory));
        }
        Tree { roots, held: None, hashed: HashMap::new(), told: BTreeSet::new(), wrong: Vec::new() }
    }

    pub(super) fn held(&self) -> Option<Arc<BTreeMap<String, Skill>>> {
        self.held.clone()
    }

    pub(super) fn wrong(&self) -> &[String] {
        &self.wrong
    }

    #[cfg(test)]
    pub(super) fn told(&self) -> &BTreeSet<String> {
        &self.told
    }

    /// Hashes a file anew when it is listed next.
    pub(super) fn forget(&mut self, path: &Path) {
        self.hashed.remove(path);
    }

    /// Reads all skills anew. What is no skill, or more than a host must take, is left out and told once.
    pub(super) fn scan(&mut self) -> Arc<BTreeMap<String, Skill>> {
        let mut scan = Scan {
            before: &self.hashed,
            hashed: HashMap::new(),
            wrong: Vec::new(),
            notes: Vec::new(),
            left: MAX_ENTRIES,
        };
        let mut skills = BTreeMap::new();
        for (label, root) in &self.roots {
            scan.look_into(label, root, &mut skills);
        }
        let Scan { hashed, wrong, notes, .. } = scan;
        self.hashed = hashed;
        self.wrong = wrong;
        for text in self.wrong.iter().chain(&notes) {
            if self.told.insert(text.clone()) {
                tracing::warn!("{text}");
            }
        }
        let skills = Arc::new(skills);
        self.held = Some(Arc::clone(&skills));
        skills
    }
}

struct Scan<'a> {
    before: &'a HashMap<PathBuf, Hashed>,
    hashed: HashMap<PathBuf, Hashed>,
    wrong: Vec<String>,
    /// What was read although it is not as it should be.
    notes: Vec<String>,
    /// Entries that may still be looked at.
    left: usize,
}

impl Scan<'_> {
    /// Finds the skills in a directory that was named, by the names of the directories that lead to them.
    fn look_into(&mut self, label: &str, root: &Path, skills: &mut BTreeMap<String, Skill>) {
        let mut open = vec![(root.to_owned(), vec![label.to_owned()])];
        while let Some((directory, path)) = open.pop() {
            if directory.join(SKILL_FILE).symlink_metadata().is_ok_and(|file| file.is_file()) {
                match self.skill(&directory, &path) {
                    Err(reason) => {
                        self.wrong
                            .push(format!("skill {} is left out: {reason}", directory.display()));
                    }
                    Ok(skill) => {
                        let uri = format!("{}/{SKILL_FILE}", skill.root);
                        if skills.len() == MAX_SKILLS {
                            self.wrong.push(format!(
                                "{MAX_SKILLS} skills are served; the rest is left out"
                            ));
                            return;
                        }
                        if let Some(other) = skills.get(&uri) {
                            self.wrong.push(format!(
                                "skill {} is left out: {} has its name {}",
                                directory.display(),
                                other.directory.display(),
                                skill.name
                            ));
                        } else {
                            skills.insert(uri, skill);
                        }
                    }
                }
            }
            if path.len() > MAX_DEPTH {
                continue;
            }
            // A link beside the skills is how people put one there; what is further down is a package's own.
            let follows = path.len() == 1;
            for (name, at, data) in self.entries(&directory).into_iter().rev() {
                let is_directory = data.is_dir() || follows && data.is_symlink() && at.is_dir();
                if is_directory && !NOT_OURS.contains(&&*name) {
                    open.push((at, [&path[..], &[name]].concat()));
                }
            }
        }
    }

    /// What is in a directory, by name; hidden names are left out, and those that are no text.
    fn entries(&mut self, directory: &Path) -> Vec<(String, PathBuf, Metadata)> {
        let mut found: Vec<_> = fs::read_dir(directory)
            .into_iter()
            .flatten()
            .flatten()
            .take(self.left)
            .filter_map(|entry| {
                let name =
                    entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
                Some((name, entry.path(), entry.path().symlink_metadata().ok()?))
            })
            .collect();
        self.left -= found.len().min(self.left);
        if self.left == 0 {
            self.wrong.push(format!(
                "{} and what is beside it has more than {MAX_ENTRIES} files; the rest is left out",
                directory.display()
            ));
        }
        found.sort_by(|one, other| one.0.cmp(&other.0));
        found
    }

    /// Reads the skill in a directory.
    fn skill(&mut self, directory: &Path, path: &[String]) -> Result<Skill, String> {
        let main = directory.join(SKILL_FILE);
        let text = read_inside(directory, &main, MAX_BYTES)
            .map_err(|error| format!("{SKILL_FILE} cannot be read: {error}"))?;
        let text = String::from_utf8(text).map_err(|_| format!("{SKILL_FILE} is not UTF-8"))?;
        let (fields, plain) = frontmatter::read_noting(&text)?;
        let field =
            |name: &str| fields.get(name).and_then(Node::as_text).unwrap_or_default().to_owned();
        let name = field("name");
        if !frontmatter::is_name(&name) {
            return Err(format!(
                "its name {name:?} is not lower-case letters, digits and single hyphens"
            ));
        }
        // The last part of a skill's path is its name, whatever its directory is called.
        let above = match path {
            [label] => std::slice::from_ref(label),
            [above @ .., _] => above,
            [] => &[][..],
        };
        let above = above.iter().map(|part| utf8_percent_encode(part, ESCAPED).to_string());
        let root = format!("skill://{}/{name}", above.collect::<Vec<_>>().join("/"));
        let mut files = Vec::new();
        let mut open = vec![(directory.to_owned(), String::new())];
        let mut bytes = 0;
        while let Some((inside, before)) = open.pop() {
            for (file, at, data) in self.entries(&inside) {
                let path = format!("{before}{file}");
                if data.is_dir() && !NOT_OURS.contains(&&*file) {
                    open.push((at, format!("{path}/")));
                } else if data.is_file() {
                    bytes += data.len();
                    if files.len() == MAX_FILES || bytes > MAX_BYTES {
                        return Err(format!(
                            "it has more than {MAX_FILES} files or {} MiB",
                            MAX_BYTES >> 20
                        ));
                    }
                    let listed = match path == SKILL_FILE {
                        // The text whose fields were read, whatever has become of it since.
                        true => Listed {
                            size: text.len() as u64,
                            digest: digest_of(text.as_bytes()),
                            path,
                        },
                        false => self.listed(directory, &at, &data, path)?,
                    };
                    files.push(listed);
                }
            }
        }
        if !plain.is_empty() {
            self.notes.push(format!(
                "skill {}: its frontmatter is no strict YAML; read as plain text: {}",
                directory.display(),
                plain.join(", ")
            ));
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let frontmatter = serde_json::to_string(&fields).map_err(|error| error.to_string())?;
        Ok(Skill {
            directory: directory.to_owned(),
            root,
            name,
            description: field("description"),
            frontmatter,
            files,
        })
    }

    /// A file with its digest: as it was made before, where the file is still that one as far as its data say.
    fn listed(
        &mut self,
        skill: &Path,
        at: &Path,
        data: &Metadata,
        path: String,
    ) -> Result<Listed, String> {
        let (size, changed) = (data.len(), data.modified().ok());
        let before = self
            .before
            .get(at)
            .filter(|before| before.size == size && before.changed == changed && changed.is_some());
        let (size, digest) = match before {
            Some(before) => (size, before.digest.clone()),
            None => {
                let read = read_inside(skill, at, MAX_BYTES);
                let bytes = read.map_err(|error| format!("{path} cannot be read: {error}"))?;
                (bytes.len() as u64, digest_of(&bytes))
            }
        };
        self.hashed.insert(at.to_owned(), Hashed { size, changed, digest: digest.clone() });
        Ok(Listed { path, size, digest })
    }
}

/// At most one byte more than `most` of a file that is in the directory, also when links are followed.
fn read_inside(directory: &Path, file: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let (real, directory) = (file.canonicalize()?, directory.canonicalize()?);
    if !real.starts_with(&directory) || file.symlink_metadata()?.is_symlink() {
        return Err(std::io::Error::other("it leads out of the skill"));
    }
    let mut bytes = Vec::new();
    File::open(real)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn digest_of(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

/// What stands for a directory in URIs: its name, or that of the one above a directory `skills`.
fn label_of(directory: &Path) -> String {
    let names = directory.components().rev().filter_map(|part| match part {
        std::path::Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let mut names = names.map(|name| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        name.chars().map(plain).collect::<String>().trim_matches('-').to_owned()
    });
    names.find(|name| !name.is_empty() && name != "skills").unwrap_or_else(|| "local".to_owned())
}
