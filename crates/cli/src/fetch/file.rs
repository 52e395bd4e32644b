//! `weir fetch FILE`: what is asked of a stored result, asked of a file.
//!
//! The file is taken into a store that is gone when its answer is given, or, with `--keep`, into the session's.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;
use weir_agents::hook::{Shown, Spilled, file, session};
use weir_host::Weir;
use weir_host::contract::{Origin, Part};

use crate::console::{progress, sized};
use crate::ids;
use crate::interrupt::interruptible;
use crate::{Context, Failure};

/// The tool of results that are files.
const TOOL: &str = "file";

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 256 * 1024;

/// A file in a store.
pub(super) struct Taken {
    pub(super) weir: Weir,
    pub(super) id: String,
    /// The store of one that is not kept.
    _scratch: Option<TempDir>,
}

/// Whether a file is named where an id may stand. What could be an id is one.
pub(super) fn is_named(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_file = text.contains(['/', '\\', '.']) || !digits && Path::new(text).exists();
    text == "-" || !text.starts_with(ids::URI) && is_file
}

/// Takes the file; `None` for one that is empty.
pub(super) fn take(
    name: &str,
    keep: bool,
    context: &Context<'_>,
) -> Result<Option<Taken>, Failure> {
    let console = &context.console;
    let (reader, bytes, path): (Box<dyn Read + Send>, _, _) = match name {
        "-" => (Box::new(io::stdin()), None, None),
        name => {
            let (file, bytes, path) = open(Path::new(name))?;
            (Box::new(file), Some(bytes), Some(path))
        }
    };
    let (weir, scratch) = match keep {
        true => (context.weir()?, None),
        false => context.without_trace().map(|(weir, scratch)| (weir, Some(scratch)))?,
    };
    let mut settings = weir.settings().cloned().unwrap_or_default();
    for list in ["transform.rules", "transform.exclude"] {
        settings.set(list, json!([]));
    }
    // Nobody would have been shown it: nothing is saved.
    settings.set("transform.client_max_chars", 1);
    let storing = weir.with_settings(settings);
    let session = context.session().to_owned();
    let path = path.map(|path| path.display().to_string());
    let older = match &path {
        Some(path) if keep => newest_of(&weir, &session, path)?,
        _ => None,
    };
    // As a tool's that reads a file: what is never stored of such a tool, is not here. A link is both.
    let arguments = path.map(|path| match std::path::absolute(name) {
        Ok(link) if link != Path::new(&path) => json!({"path": path, "link": link}).to_string(),
        _ => json!({"path": path}).to_string(),
    });
    let origin = Origin { arguments, ..Origin::new(session, TOOL) };
    let bar = progress("taking in");
    sized(&bar, bytes);
    // However small it is, it is stored.
    let mut intake = storing.intake(&origin, Some(0))?;
    let mut reader = bar.wrap_read(interruptible(reader));
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match reader.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => intake.write(chunk.get(..read).unwrap_or_default())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::reading(Path::new(name), error)),
        }
    }
    let taken = intake.finish(false)?;
    bar.finish_and_clear();
    if let Some(why) = taken.store_failure {
        return Err(Failure::usage(
            format!("{name} is not read: {why}"),
            "`weir doctor` checks the store",
        ));
    }
    let Some(handle) = taken.handles.first() else {
        debug_assert!(matches!(taken.parts.as_slice(), [Part::Text(text)] if text.is_empty()));
        console.note(format_args!("{name} is empty"));
        return Ok(None);
    };
    let id = handle.id.clone();
    if let Some(older) = older.filter(|older| *older != id) {
        console.note(format_args!("{name} has changed since it was {older}: --diff shows how"));
    }
    Ok(Some(Taken { weir, id, _scratch: scratch }))
}

/// What the session stored last of a file.
fn newest_of(weir: &Weir, session: &str, path: &str) -> Result<Option<String>, Failure> {
    let of_it = ids::all(weir, session)?
        .into_iter()
        .rev()
        .filter(|entry| entry.handle.tool == TOOL && entry.handle.source.as_deref() == Some(path));
    Ok(of_it.max_by_key(|entry| entry.stored_at).map(|entry| entry.handle.id))
}

/// Opens a regular file of this user's. In the shell of an agent, which may run this command unasked, it must be one
/// in which an agent has put output: any other is a matter of the agent's own rules.
fn open(path: &Path) -> Result<(File, u64, PathBuf), Failure> {
    let unreadable = |source| Failure::reading(path, source);
    let real = fs::canonicalize(path).map_err(unreadable)?;
    let is_agents = session::host_around(|name| std::env::var(name).ok()).is_some();
    if is_agents && !file::is_spill(&real) {
        return Err(Failure::usage(
            format!("{} is no file in which an agent has put output", path.display()),
            format!("`weir run -- cat {}` reads it as your rules allow", path.display()),
        ));
    }
    if real.is_dir() {
        return Err(unreadable(io::ErrorKind::IsADirectory.into()));
    }
    let any = Spilled { path: real.clone(), bytes: None, shown: Shown::Start(String::new()) };
    let (file, bytes) = file::open(&any).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => Failure::usage(
            format!("cannot read {}: {error}", path.display()),
            "`weir fetch -` reads what your shell opens for it",
        ),
        _ => unreadable(error),
    })?;
    Ok((file, bytes, real))
}
