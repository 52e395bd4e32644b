//! In the memory of the instance, for hosts that give no directory: what is stored goes with the instance.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use super::types::{Kind, Listing, Stat};

thread_local! {
    static NODES: RefCell<Nodes> = const { RefCell::new(Nodes::new()) };
}

/// By path, with `/` between names.
type Nodes = BTreeMap<String, Node>;

#[derive(Debug, Clone)]
enum Node {
    Dir,
    File(File),
}

/// A file, whatever names it has.
#[derive(Debug, Clone)]
pub(in crate::store) struct File(Rc<RefCell<Content>>);

#[derive(Debug)]
struct Content {
    bytes: Vec<u8>,
    modified: SystemTime,
}

impl File {
    fn empty() -> File {
        File(Rc::new(RefCell::new(Content { bytes: Vec::new(), modified: now() })))
    }

    pub(in crate::store) fn len(&self) -> u64 {
        self.0.borrow().bytes.len() as u64
    }

    pub(in crate::store) fn read_at(&self, offset: u64, buf: &mut [u8]) -> usize {
        let content = self.0.borrow();
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(content.bytes.len());
        let n = buf.len().min(content.bytes.len() - from);
        buf[..n].copy_from_slice(&content.bytes[from..from + n]);
        n
    }

    pub(in crate::store) fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let at = usize::try_from(offset).map_err(|_| io::ErrorKind::FileTooLarge)?;
        let end = at.checked_add(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        let mut content = self.0.borrow_mut();
        let more = end.saturating_sub(content.bytes.len());
        // Where memory ends, the store is full: that is no trap.
        content.bytes.try_reserve(more).map_err(|_| io::ErrorKind::StorageFull)?;
        if more > 0 {
            content.bytes.resize(end, 0);
        }
        content.bytes[at..end].copy_from_slice(bytes);
        content.modified = now();
        Ok(())
    }

    pub(in crate::store) fn stamp(&self, time: SystemTime) {
        self.0.borrow_mut().modified = time;
    }
}

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_nanos(super::body::nonce())
}

/// Does `op` with all that there is, and the path as text.
fn with<T>(path: &Path, op: impl FnOnce(&mut Nodes, &str) -> io::Result<T>) -> io::Result<T> {
    let path = path.to_str().ok_or(io::ErrorKind::InvalidInput)?;
    NODES.with_borrow_mut(|nodes| op(nodes, path))
}

fn file(nodes: &Nodes, path: &str) -> io::Result<File> {
    match nodes.get(path) {
        Some(Node::File(file)) => Ok(file.clone()),
        Some(Node::Dir) => Err(io::ErrorKind::IsADirectory.into()),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Gives a file a name, over the one that has it.
fn name(nodes: &mut Nodes, path: &str, file: File) -> io::Result<()> {
    match path.rsplit_once('/').and_then(|(parent, _)| nodes.get(parent)) {
        Some(Node::Dir) => {}
        Some(Node::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
        None => return Err(io::ErrorKind::NotFound.into()),
    }
    nodes.insert(path.to_owned(), Node::File(file));
    Ok(())
}

fn made(path: &Path) -> io::Result<File> {
    with(path, |nodes, path| match file(nodes, path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let file = File::empty();
            name(nodes, path, file.clone())?;
            Ok(file)
        }
        found => found,
    })
}

pub(in crate::store) fn stat(path: &Path) -> io::Result<Option<Stat>> {
    with(path, |nodes, path| {
        Ok(nodes.get(path).map(|node| match node {
            Node::Dir => Stat { kind: Kind::Dir, len: 0, modified: SystemTime::UNIX_EPOCH },
            Node::File(file) => {
                Stat { kind: Kind::File, len: file.len(), modified: file.0.borrow().modified }
            }
        }))
    })
}

pub(in crate::store) fn open(path: &Path) -> io::Result<File> {
    with(path, |nodes, path| file(nodes, path))
}

pub(in crate::store) fn create_new(path: &Path) -> io::Result<File> {
    match stat(path)? {
        Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
        None => made(path),
    }
}

pub(in crate::store) fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = made(path)?;
    file.write_at(file.len(), bytes)
}

pub(in crate::store) fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    made(path)?.write_at(0, bytes)
}

pub(in crate::store) fn touch(path: &Path, time: SystemTime) -> io::Result<()> {
    open(path).map(|file| file.stamp(time))
}

pub(in crate::store) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let file = open(from)?;
    with(to, |nodes, to| name(nodes, to, file))?;
    remove_file(from)
}

pub(in crate::store) fn link(from: &Path, to: &Path) -> io::Result<()> {
    match stat(to)? {
        Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
        None => {
            let file = open(from)?;
            with(to, |nodes, to| name(nodes, to, file))
        }
    }
}

pub(in crate::store) fn remove_file(path: &Path) -> io::Result<()> {
    with(path, |nodes, path| {
        file(nodes, path)?;
        nodes.remove(path);
        Ok(())
    })
}

pub(in crate::store) fn remove_dir(path: &Path) -> io::Result<()> {
    match list(path)? {
        Listing::Names(names, _) if names.is_empty() => with(path, |nodes, path| {
            nodes.remove(path);
            Ok(())
        }),
        Listing::Names(..) => Err(io::ErrorKind::DirectoryNotEmpty.into()),
        Listing::Other => Err(io::ErrorKind::NotADirectory.into()),
        Listing::Missing => Err(io::ErrorKind::NotFound.into()),
    }
}

pub(in crate::store) fn create_dir_all(path: &Path) -> io::Result<()> {
    with(path, |nodes, path| {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        for end in ends {
            match nodes.entry(path[..end].to_owned()).or_insert(Node::Dir) {
                Node::Dir => {}
                Node::File(_) => return Err(io::ErrorKind::NotADirectory.into()),
            }
        }
        Ok(())
    })
}

#[expect(clippy::unnecessary_wraps, reason = "it can fail on a disk")]
pub(in crate::store) fn sync_dir(_path: &Path) -> io::Result<()> {
    Ok(())
}

pub(in crate::store) fn list(dir: &Path) -> io::Result<Listing> {
    with(dir, |nodes, dir| {
        Ok(match nodes.get(dir) {
            None => Listing::Missing,
            Some(Node::File(_)) => Listing::Other,
            Some(Node::Dir) => {
                let within = format!("{dir}/");
                let below =
                    nodes.range(within.clone()..).map_while(|(path, _)| path.strip_prefix(&within));
                let names = below.filter(|name| !name.contains('/'));
                Listing::Names(names.map(str::to_owned).collect(), 0)
            }
        })
    })
}
