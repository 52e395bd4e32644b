//! Indexes in files: the next gateway loads what this one made, and makes anew what has changed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use weir_base::{create_private_dir, digest_of, hex, replace};
use weir_host::contract::Snapshot;

/// Catalogs of fewer tools are made as fast as they are loaded.
pub(crate) const LEAST_TOOLS: usize = 300;

/// Files that are kept: those that were used last.
const MOST_FILES: usize = 12;

/// The file of an index.
#[derive(Debug, Clone)]
pub(crate) struct KeptFile(PathBuf);

impl KeptFile {
    /// In `dir`, for whom `viewer` describes, over these servers.
    pub(crate) fn new<'s>(
        dir: &Path,
        viewer: &'s str,
        servers: impl Iterator<Item = &'s str>,
    ) -> KeptFile {
        let name = hex(&digest_of(std::iter::once(viewer).chain(servers)))[..32].to_owned();
        KeptFile(dir.join(name + ".index"))
    }

    /// What is in it: what the index was made of, and the index. None where there is nothing that can be read.
    pub(crate) fn read(&self) -> Option<(String, String)> {
        let whole = fs::read_to_string(&self.0).ok()?;
        let (made_of, index) = whole.split_once('\n')?;
        // The files that are used last stay.
        let _ = File::options()
            .append(true)
            .open(&self.0)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some((made_of.to_owned(), index.to_owned()))
    }

    /// Keeps an index, and no more than a few others. Readers see the old one or the new one.
    ///
    /// # Errors
    /// When it cannot be written. The next gateway makes it then.
    pub(crate) fn write(&self, made_of: &str, index: &str) -> io::Result<()> {
        let dir = self.0.parent().unwrap_or(Path::new("."));
        create_private_dir(dir)?;
        replace(&self.0, |file| {
            file.write_all(made_of.as_bytes())?;
            file.write_all(b"\n")?;
            file.write_all(index.as_bytes())
        })?;
        let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            files.push((entry.metadata()?.modified()?, entry.path()));
        }
        files.sort_unstable();
        for (_, file) in files.iter().rev().skip(MOST_FILES) {
            let _ = fs::remove_file(file);
        }
        Ok(())
    }
}

/// The digest of all that goes into an index, by which the component of this digest makes it.
pub(crate) fn made_of(component: &str, parts: impl Iterator<Item = Snapshot>) -> String {
    let parts = parts.map(|part| serde_json::to_vec(&part).unwrap_or_default());
    let all = std::iter::once(component.as_bytes().to_vec()).chain(parts);
    hex(&digest_of(all))
}

#[cfg(test)]
mod tests {
    use weir_host::contract::{ServerInfo, ToolDefinition};

    use super::*;

    #[test]
    fn all_that_goes_into_an_index_is_in_its_digest() {
        let tool = ToolDefinition {
            name: "a".into(),
            tags: vec!["x".into()],
            ..ToolDefinition::default()
        };
        let of = |change: &dyn Fn(&mut Snapshot)| {
            let mut snapshot = Snapshot {
                tools: vec![tool.clone(), tool.clone()],
                servers: vec![ServerInfo::default()],
            };
            change(&mut snapshot);
            made_of("c", std::iter::once(snapshot))
        };
        let changes: [&dyn Fn(&mut Snapshot); 16] = [
            &|_| {},
            &|all| all.tools[0].name = "b".into(),
            &|all| all.tools[0].title = Some(String::new()),
            &|all| all.tools[0].description = "d".into(),
            &|all| all.tools[0].input_schema = "{}".into(),
            &|all| all.tools[0].annotations.read_only = Some(false),
            &|all| all.tools[0].annotations.open_world = Some(false),
            &|all| all.tools[0].aliases = vec!["x".into()],
            &|all| all.tools[0].phrases = vec!["x".into()],
            &|all| all.tools[0].tags = vec![],
            &|all| all.tools[0].pinned = true,
            &|all| all.tools[1].server = "s".into(),
            &|all| drop(all.tools.pop()),
            &|all| all.servers[0].trusted = Some(false),
            &|all| all.servers[0].reason = Some(String::new()),
            &|all| drop(all.servers.pop()),
        ];
        let digests: std::collections::BTreeSet<String> =
            changes.iter().map(|change| of(*change)).collect();
        assert_eq!(digests.len(), changes.len());
        assert_ne!(of(&|_| {}), made_of("other", std::iter::empty()));
    }

    #[test]
    fn the_files_that_were_used_last_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let indexes = dir.path().join("indexes");
        let file = |n: usize| KeptFile::new(&indexes, &n.to_string(), ["a"].into_iter());
        assert_eq!(file(0).read(), None);
        for n in 0..MOST_FILES + 3 {
            let before = SystemTime::now() - std::time::Duration::from_secs(1_000 - n as u64);
            file(n).write("of", "index").unwrap();
            let opened = File::options().append(true).open(&file(n).0).unwrap();
            opened.set_modified(before).unwrap();
            // This one is used all the time.
            assert_eq!(file(0).read(), Some(("of".into(), "index".into())));
        }
        assert_eq!(fs::read_dir(&indexes).unwrap().count(), MOST_FILES);
        assert_eq!(file(1).read(), None);
        assert!(file(0).read().is_some() && file(MOST_FILES + 2).read().is_some());
    }
}
