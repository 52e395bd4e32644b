//! Indexes in files: the next gateway loads what this one made, and makes anew what has changed.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sha2::{Digest as _, Sha256};
use weir_base::{create_private_dir, hex, replace};
use weir_host::contract::{ServerInfo, Snapshot, ToolAnnotations, ToolDefinition};

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
        let mut hash = Sha256::new();
        for part in std::iter::once(viewer).chain(servers) {
            text(&mut hash, part);
        }
        let name = hex(&hash.finalize())[..32].to_owned();
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
    let mut hash = Sha256::new();
    text(&mut hash, component);
    for Snapshot { tools, servers } in parts {
        number(&mut hash, tools.len());
        tools.iter().for_each(|tool| of_tool(&mut hash, tool));
        number(&mut hash, servers.len());
        servers.iter().for_each(|server| of_server(&mut hash, server));
    }
    hex(&hash.finalize())
}

fn number(hash: &mut Sha256, number: usize) {
    hash.update((number as u64).to_le_bytes());
}

fn text(hash: &mut Sha256, text: &str) {
    number(hash, text.len());
    hash.update(text);
}

fn flag(hash: &mut Sha256, flag: Option<bool>) {
    hash.update([flag.map_or(2, u8::from)]);
}

// Each field is named: what is added to the contract cannot be left out here.

fn of_tool(hash: &mut Sha256, tool: &ToolDefinition) {
    let ToolDefinition {
        name,
        title,
        description,
        input_schema,
        annotations: ToolAnnotations { read_only, destructive, idempotent, open_world },
        server,
        origin,
        tags,
        aliases,
        phrases,
        pinned,
    } = tool;
    flag(hash, Some(title.is_some()));
    for part in
        [name, title.as_deref().unwrap_or_default(), description, input_schema, server, origin]
    {
        text(hash, part);
    }
    for list in [tags, aliases, phrases] {
        number(hash, list.len());
        list.iter().for_each(|item| text(hash, item));
    }
    for said in [*read_only, *destructive, *idempotent, *open_world, Some(*pinned)] {
        flag(hash, said);
    }
}

fn of_server(hash: &mut Sha256, server: &ServerInfo) {
    let ServerInfo { name, description, trusted, state, reason } = server;
    for part in [name, description, state, reason.as_deref().unwrap_or_default()] {
        text(hash, part);
    }
    flag(hash, *trusted);
    flag(hash, Some(reason.is_some()));
}

#[cfg(test)]
mod tests {
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
