//! Objects as files of a directory that all machines mount. It must have hard links, atomic renames and locks.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use tempfile::NamedTempFile;
use weir_base::create_private_dir;
use weir_base::private::{locked, replace};

use crate::error::{TierError, blocking};
use crate::objects::{Found, Objects};

/// Where files are written before they have a name. No listing of ours asks for it.
const WRITING: &str = "tmp";

/// A directory of objects.
#[derive(Debug, Clone)]
pub struct Directory(Arc<Path>);

impl Directory {
    /// In this directory, which is made if needed.
    pub fn new(root: &Path) -> Directory {
        Directory(root.into())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Publishes what `write` writes, where nothing has that name.
    async fn publish(
        &self,
        name: &str,
        write: impl FnOnce(&mut File) -> io::Result<()> + Send + 'static,
    ) -> Result<bool, TierError> {
        let (writing, path) = (self.path(WRITING), self.path(name));
        self.run(move || {
            create_private_dir(&writing)?;
            let mut file = NamedTempFile::new_in(&writing)?;
            write(file.as_file_mut())?;
            file.as_file().sync_all()?;
            create_private_dir(path.parent().unwrap_or(&path))?;
            match file.persist_noclobber(&path) {
                Ok(_) => Ok(true),
                Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error.error),
            }
        })
        .await
    }

    async fn run<R: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<R> + Send + 'static,
    ) -> Result<R, TierError> {
        let done = blocking(work).await;
        done.map_err(|error| TierError::new(format!("{}: {error}", self.0.display())))
    }
}

/// Nothing, where there is no such file.
fn found<R>(result: io::Result<R>) -> io::Result<Option<R>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn show(name: String, meta: &fs::Metadata) -> io::Result<Found> {
    let modified = meta.modified()?;
    let since = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Ok(Found { name, bytes: meta.len(), modified, tag: since.as_nanos().to_string() })
}

#[async_trait]
impl Objects for Directory {
    async fn put(&self, name: &str, file: &Path) -> Result<bool, TierError> {
        if self.stat(name).await?.is_some() {
            return Ok(false);
        }
        let file = file.to_owned();
        self.publish(name, move |to| io::copy(&mut File::open(file)?, to).map(drop)).await
    }

    async fn get(&self, name: &str, into: &mut (dyn Write + Send)) -> Result<bool, TierError> {
        let path = self.path(name);
        let Some(file) = self.run(move || found(File::open(path))).await? else { return Ok(false) };
        let mut file = Some(file);
        while let Some(mut open) = file.take() {
            let (read, bytes) = self
                .run(move || {
                    let mut bytes = Vec::new();
                    let read = (&mut open).take(4 << 20).read_to_end(&mut bytes)?;
                    Ok(((read > 0).then_some(open), bytes))
                })
                .await?;
            into.write_all(&bytes).map_err(|error| TierError::new(error.to_string()))?;
            file = read;
        }
        Ok(true)
    }

    async fn stat(&self, name: &str) -> Result<Option<Found>, TierError> {
        let (path, name) = (self.path(name), name.to_owned());
        self.run(move || {
            let Some(meta) = found(fs::metadata(path))? else { return Ok(None) };
            Ok(Some(show(name, &meta)?))
        })
        .await
    }

    async fn rename(&self, from: &str, to: &str) -> Result<bool, TierError> {
        let (from, to) = (self.path(from), self.path(to));
        self.run(move || {
            create_private_dir(to.parent().unwrap_or(&to))?;
            let moved = found(fs::rename(from, &to))?.is_some();
            if moved {
                File::options().append(true).open(&to)?.set_modified(SystemTime::now())?;
            }
            Ok(moved)
        })
        .await
    }

    async fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, TierError> {
        let bytes = bytes.to_vec();
        self.publish(name, move |to| to.write_all(&bytes)).await
    }

    async fn replace(
        &self,
        name: &str,
        bytes: &[u8],
        tag: Option<&str>,
    ) -> Result<bool, TierError> {
        let Some(tag) = tag.map(str::to_owned) else { return self.create(name, bytes).await };
        let (lock, path, bytes) = (self.path("tmp/lock"), self.path(name), bytes.to_vec());
        self.run(move || {
            let _held = locked(&lock)?;
            let Some(meta) = found(fs::metadata(&path))? else { return Ok(false) };
            if show(String::new(), &meta)?.tag != tag {
                return Ok(false);
            }
            // Two within what the file system's clock tells apart are two.
            let time = SystemTime::now().max(meta.modified()? + Duration::from_millis(1));
            replace(&path, |file| {
                file.write_all(&bytes)?;
                file.set_modified(time)
            })?;
            Ok(true)
        })
        .await
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TierError> {
        let path = self.path(name);
        self.run(move || found(fs::read(path))).await
    }

    async fn renew(&self, name: &str) -> Result<Option<Vec<u8>>, TierError> {
        let path = self.path(name);
        self.run(move || {
            let Some(mut file) = found(File::options().read(true).append(true).open(path))? else {
                return Ok(None);
            };
            file.set_modified(SystemTime::now())?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        })
        .await
    }

    async fn remove(&self, name: &str) -> Result<(), TierError> {
        let path = self.path(name);
        self.run(move || found(fs::remove_file(path)).map(drop)).await
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        each: &mut (dyn FnMut(Found) + Send),
    ) -> Result<(), TierError> {
        let mut folders = vec![prefix.to_owned()];
        while let Some(folder) = folders.pop() {
            let path = self.path(&folder);
            let entries = self.run(move || {
                let mut entries = Vec::new();
                for entry in found(fs::read_dir(path))?.into_iter().flatten() {
                    let entry = entry?;
                    // What went meanwhile was not to be shown.
                    let Some(meta) = found(entry.metadata())? else { continue };
                    let name = format!("{folder}{}", entry.file_name().to_string_lossy());
                    entries.push((meta.is_dir(), show(name, &meta)?));
                }
                entries.sort_by(|(_, one), (_, other)| one.name.cmp(&other.name));
                Ok(entries)
            });
            for (is_folder, found) in entries.await? {
                if is_folder {
                    folders.push(format!("{}/", found.name));
                } else if after.is_none_or(|after| found.name.as_str() > after) {
                    each(found);
                }
            }
        }
        Ok(())
    }
}
