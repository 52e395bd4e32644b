//! What was changed in a file, so that it can be taken back.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::edit::{Change, Edit};
use super::error::EditError;
use super::file::{Document, FileError};
use super::format::Format;
use super::layout;
use super::node::Node;
use super::rules::{around_rules, without_rules};

/// A change of one file, as it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// For whom: the name of a host.
    pub host: String,
    /// The file.
    pub file: PathBuf,
    /// Its text before; none when there was no file.
    pub before: Option<String>,
    /// The text that was written.
    pub after: String,
    /// What was changed; nothing when the file is Weir's own.
    pub edit: Edit,
    /// The names under which the gateway has the servers of this host.
    #[serde(default)]
    pub servers: Vec<String>,
    /// Directories that were made for the file, the innermost first.
    #[serde(default)]
    pub directories: Vec<PathBuf>,
}

/// What a file holds once a change is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undone {
    /// The bytes of before; none when there was no file.
    Exactly(Option<String>),
    /// What others have written since is kept.
    Merged(String),
    /// The bytes of before, in place of a file of Weir's own that someone has changed.
    Changed(Option<String>),
}

impl Undone {
    /// The text; none when there is to be no file.
    pub fn text(&self) -> Option<&str> {
        match self {
            Undone::Exactly(text) | Undone::Changed(text) => text.as_deref(),
            Undone::Merged(text) => Some(text),
        }
    }
}

impl Record {
    /// What the file is to hold once the change is taken back, where it holds `now`.
    ///
    /// # Errors
    /// When what others have written cannot be edited safely.
    pub fn undo(&self, now: Option<&str>) -> Result<Undone, EditError> {
        let Some(now) = now else {
            // Someone has removed the file: what we put in is gone, what we took out comes back.
            return Ok(Undone::Exactly(self.before.clone()));
        };
        if now == self.after {
            return Ok(Undone::Exactly(self.before.clone()));
        }
        if around_rules(&self.after).is_some() {
            let left = without_rules(now);
            let nothing = self.before.is_none() && left.trim().is_empty();
            return Ok(if nothing { Undone::Exactly(None) } else { Undone::Merged(left) });
        }
        if self.edit.is_empty() {
            // A file of our own, which someone has changed: it is still the file that runs us.
            return Ok(Undone::Changed(self.before.clone()));
        }
        let format = Format::of(&self.file);
        let before_text = self.before.clone().unwrap_or_default();
        let before = format.read(&before_text).map_err(EditError::Syntax)?;
        let node = format.read(now).map_err(EditError::Syntax)?;
        let mut inverse = self.edit.inverse(&before, &node);
        let mut wanted = node.clone();
        inverse.apply_to(&mut wanted)?;
        if wanted.as_map().is_some_and(|left| !left.is_empty()) {
            // What others have put into a file that we made still needs the version of its format.
            inverse.changes.retain(|change| !is_version(change));
            wanted = node.clone();
            inverse.apply_to(&mut wanted)?;
        }
        // With the place and the comments of what comes back, where nobody wrote near it.
        let is_meant = |merged: &String| {
            format.read(merged).is_ok_and(|got| inverse.same_but_for_order(got, wanted.clone()))
        };
        if let Some(before) = &self.before
            && let Some(merged) = merge(&self.after, before, now, is_meant)
        {
            return Ok(Undone::Merged(merged));
        }
        let undone = inverse.apply(format, now)?;
        let nothing_left = wanted == Node::Map(Vec::new())
            && undone.chars().all(|c| c.is_whitespace() || "{}\u{feff}".contains(c));
        Ok(match self.before {
            None if nothing_left => Undone::Exactly(None),
            _ => Undone::Merged(undone),
        })
    }
}

/// Whether a change takes out the version of a file's format.
fn is_version(change: &Change) -> bool {
    matches!(change, Change::Remove { path } if path.len() == 1 && path[0] == "version")
}

/// The bytes that others have left with the change taken back; as lines where they have changed the mark
/// or the ends of lines as well.
fn merge(
    after: &str,
    before: &str,
    now: &str,
    is_meant: impl Fn(&String) -> bool,
) -> Option<String> {
    layout::merged(after, before, now).filter(&is_meant).or_else(|| {
        let (_, after) = layout::plain(after);
        let (_, before) = layout::plain(before);
        let (_, plain) = layout::plain(now);
        let merged = layout::merged(&after, &before, &plain)?;
        Some(layout::restored(now, &merged)).filter(is_meant)
    })
}

/// The records of all files, in a directory of the user's own.
#[derive(Debug, Clone)]
pub struct Records {
    directory: PathBuf,
    /// Where a copy of each is, and where earlier versions kept them: one directory may be removed.
    copies: PathBuf,
}

impl Records {
    /// Those in this directory, with copies in another one.
    pub fn new(directory: PathBuf, copies: PathBuf) -> Records {
        Records { directory, copies }
    }

    fn path(&self, host: &str, file: &Path) -> PathBuf {
        self.directory.join(file_name(host, file))
    }

    /// Where the text of before is kept, for people.
    pub fn backup(&self, host: &str, file: &Path) -> PathBuf {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.path(host, file).with_extension(format!("before.{name}"))
    }

    /// Keeps the text of a file that is about to go, beside the records, and says where.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_copy(&self, record: &Record, text: &str) -> Result<PathBuf, FileError> {
        let name = record.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = self.path(&record.host, &record.file).with_extension(format!("changed.{name}"));
        Document::read(&path)?.replace(text)?;
        Ok(path)
    }

    /// The record of a file, if it was changed.
    pub fn get(&self, host: &str, file: &Path) -> Option<Record> {
        let read = |path: &Path| serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok();
        let name = file_name(host, file);
        read(&self.directory.join(&name)).or_else(|| read(&self.copies.join(&name)))
    }

    /// All records.
    pub fn all(&self) -> Vec<Record> {
        let entries = |directory| std::fs::read_dir(directory).into_iter().flatten().flatten();
        let entries = entries(&self.directory).chain(entries(&self.copies));
        let mut paths: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .filter(|path| {
                let path = path.to_string_lossy();
                !path.contains(".before.") && !path.contains(".changed.")
            })
            .collect();
        paths.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
        // The newer one comes first.
        paths.dedup_by(|a, b| a.file_name() == b.file_name());
        let read = |path: PathBuf| serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok();
        paths.into_iter().filter_map(read).collect()
    }

    /// Changes a file, and keeps what is needed to take that back. The record is on disk before the
    /// file is changed. Returns whether the file is different now.
    ///
    /// # Errors
    /// When a file cannot be written; the user's is as it was then.
    pub fn change(
        &self,
        host: &str,
        document: &mut Document,
        after: &str,
        edit: &Edit,
        servers: &[String],
    ) -> Result<bool, FileError> {
        if document.text.as_deref() == Some(after) {
            // It may have more behind the gateway now, though its file is as it was.
            if let Some(mut earlier) = self.get(host, &document.path) {
                let new = servers.iter().filter(|name| !earlier.servers.contains(name));
                let new: Vec<String> = new.cloned().collect();
                if !new.is_empty() {
                    earlier.servers.extend(new);
                    self.write(&earlier)?;
                }
            }
            return Ok(false);
        }
        let mut record = Record {
            host: host.to_owned(),
            file: document.path.clone(),
            before: document.text.clone(),
            after: after.to_owned(),
            edit: edit.clone(),
            servers: servers.to_vec(),
            directories: missing_directories(&document.path),
        };
        // Changed before: what is taken back is both changes.
        if let Some(earlier) = self.get(host, &document.path)
            && let Ok(undone) = earlier.undo(document.text.as_deref())
        {
            // A file of our own has nothing of before in it, whoever has changed it.
            record.before = match edit.is_empty() && earlier.edit.is_empty() {
                true => earlier.before.clone(),
                false => undone.text().map(str::to_owned),
            };
            let mut both = earlier.edit;
            both.extend(edit.clone());
            record.edit = both;
            record.directories.extend(earlier.directories);
            record.servers.extend(earlier.servers);
            record.servers.sort();
            record.servers.dedup();
        }
        self.write(&record)?;
        document.replace(after).inspect_err(|_| {
            // Nothing was changed by this record.
            if record.edit == *edit {
                self.forget(host, &record.file);
            }
        })?;
        Ok(true)
    }

    /// Keeps a record in place of the one that there was.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, record: &Record) -> Result<(), FileError> {
        let path = self.path(&record.host, &record.file);
        let failed = |source| FileError::Write { path: path.clone(), source };
        weir_base::create_private_dir(&self.directory).map_err(failed)?;
        let text = serde_json::to_string(record).map_err(|error| failed(error.into()))?;
        Document::read(&path)?.replace(&text)?;
        let backup = self.backup(&record.host, &record.file);
        if let Some(before) = &record.before {
            Document::read(&backup)?.replace(before)?;
        }
        // Where these cannot be written, the first ones are there.
        if weir_base::create_private_dir(&self.copies).is_ok() {
            let texts = [(&path, Some(&text)), (&backup, record.before.as_ref())];
            for (path, text) in texts {
                let copy = path.file_name().map(|name| self.copies.join(name));
                let document = copy.and_then(|copy| Document::read(&copy).ok());
                let _ = document.zip(text).map(|(mut document, text)| document.replace(text));
            }
        }
        Ok(())
    }

    /// Drops the record of a file.
    pub fn forget(&self, host: &str, file: &Path) {
        for path in [self.path(host, file), self.backup(host, file)] {
            let _ = std::fs::remove_file(&path);
            let copy = path.file_name().map(|name| self.copies.join(name));
            let _ = copy.map(std::fs::remove_file);
        }
        let _ = std::fs::remove_dir(&self.copies);
        // With the last record goes its directory, and the one around it where nothing else is in that.
        if std::fs::remove_dir(&self.directory).is_ok()
            && let Some(around) = self.directory.parent()
        {
            let _ = std::fs::remove_dir(around);
        }
    }
}

fn file_name(host: &str, file: &Path) -> String {
    let digest = weir_base::hex(&Sha256::digest(file.as_os_str().as_encoded_bytes())[..6]);
    format!("{host}-{digest}.json")
}

/// The directories that lead to a file and are not there, the innermost first.
fn missing_directories(file: &Path) -> Vec<PathBuf> {
    let above = file.ancestors().skip(1);
    above.take_while(|path| path.symlink_metadata().is_err()).map(Path::to_owned).collect()
}
