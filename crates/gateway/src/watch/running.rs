//! Gateways that run now, for `weir status`: each keeps a small file about itself, its servers and its
//! clients, in the folder `run` of the state directory.
//!
//! A second file beside it is locked for as long as the gateway runs, so that what a killed one left is
//! told from one that runs, whatever became of its number.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use crate::clients::visitors::Visitor;
use crate::gateway::Gateway;
use crate::servers::upstream::State;
use weir_base::private::write_json;

use weir_base::{Mutex, create_private_dir};

/// A gateway, as it says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Account {
    /// Its process.
    pub pid: u32,
    /// When it was started, in seconds since 1970.
    pub started: u64,
    /// Its version.
    pub version: String,
    /// Where clients reach it: an address, or `stdio`.
    pub endpoint: String,
    /// Where its page for browsers is, where it has one.
    #[serde(default)]
    pub page: Option<String>,
    /// The file of its servers, if there is one.
    pub servers_file: Option<PathBuf>,
    /// Its servers.
    pub servers: Vec<Server>,
    /// Its clients.
    pub clients: Vec<Visitor>,
}

/// A server of a gateway that runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// What it is doing.
    pub state: String,
    /// Its processes or links: more than one where clients have their own.
    pub links: usize,
    /// Tools that wait for approval.
    pub waiting: usize,
}

impl Account {
    /// What a gateway says of itself.
    pub fn of(
        gateway: &Gateway,
        (endpoint, page): (&str, Option<&str>),
        servers_file: Option<&Path>,
        started: u64,
    ) -> Account {
        let upstreams = gateway.servers.all();
        let servers = upstreams.iter().map(|upstream| Server {
            name: upstream.name().to_owned(),
            state: match upstream.state() {
                State::Configured => "configured",
                State::Known => "known",
                State::Starting => "starting",
                State::Ready => "ready",
                State::NeedsLogin(_) => "needs login",
                State::Failed(_) => "failed",
            }
            .to_owned(),
            links: upstream.links().len(),
            waiting: upstream.withheld().len(),
        });
        Account {
            pid: std::process::id(),
            started,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            endpoint: endpoint.to_owned(),
            page: page.map(str::to_owned),
            servers_file: servers_file.map(Path::to_owned),
            servers: servers.collect(),
            clients: gateway.clients.visitors.all(),
        }
    }
}

/// The files of a gateway that runs. They go when this is dropped.
#[derive(Debug)]
pub struct Presence {
    folder: PathBuf,
    name: String,
    /// Locked.
    _lock: File,
    written: Mutex<Option<Account>>,
}

impl Presence {
    /// Says that this process runs a gateway.
    ///
    /// # Errors
    /// When the files cannot be made.
    pub fn new(state_dir: &Path) -> io::Result<Presence> {
        let folder = state_dir.join("run");
        create_private_dir(&folder)?;
        let lock = tempfile::Builder::new()
            .prefix(&format!("{}-", std::process::id()))
            .suffix(".lock")
            .tempfile_in(&folder)?;
        let (file, path) = lock.keep().map_err(|error| error.error)?;
        file.try_lock().map_err(io::Error::from)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Presence { folder, name, _lock: file, written: Mutex::default() })
    }

    /// Writes what is so now, if it is something else than before.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, account: Account) -> io::Result<()> {
        let mut written = self.written.lock();
        if written.as_ref() == Some(&account) {
            return Ok(());
        }
        write_json(&self.folder.join(format!("{}.json", self.name)), &account)?;
        *written = Some(account);
        Ok(())
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        for end in ["json", "lock"] {
            let _ = std::fs::remove_file(self.folder.join(format!("{}.{end}", self.name)));
        }
    }
}

/// The gateways that run on this state directory. What dead ones left is removed.
pub fn list(state_dir: &Path) -> Vec<Account> {
    let folder = state_dir.join("run");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
        let lock = entry.path();
        if lock.extension().is_none_or(|end| end != "lock") {
            continue;
        }
        let account = lock.with_extension("json");
        let Ok(file) = File::open(&lock) else { continue };
        if !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
            let _ = std::fs::remove_file(&account);
            let _ = std::fs::remove_file(&lock);
            continue;
        }
        let read = std::fs::read(&account).ok();
        found.extend(read.and_then(|bytes| serde_json::from_slice::<Account>(&bytes).ok()));
    }
    found.sort_by_key(|account| (account.started, account.pid));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gateway_is_listed_while_it_runs_and_what_a_dead_one_left_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let account = |endpoint: &str| Account {
            pid: 7,
            started: 1,
            version: "0".into(),
            endpoint: endpoint.into(),
            page: None,
            servers_file: None,
            servers: Vec::new(),
            clients: Vec::new(),
        };
        assert!(list(dir.path()).is_empty());
        let presence = Presence::new(dir.path()).unwrap();
        assert!(list(dir.path()).is_empty(), "it has said nothing yet");
        presence.write(account("stdio")).unwrap();
        presence.write(account("http://127.0.0.1:1")).unwrap();
        let run = dir.path().join("run");
        std::fs::write(run.join("9-dead.lock"), "").unwrap();
        std::fs::write(run.join("9-dead.json"), serde_json::to_vec(&account("x")).unwrap())
            .unwrap();
        for _ in 0..2 {
            assert_eq!(list(dir.path()), [account("http://127.0.0.1:1")]);
        }
        assert!(!run.join("9-dead.json").exists() && !run.join("9-dead.lock").exists());
        #[cfg(unix)]
        for entry in std::fs::read_dir(&run).unwrap() {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = entry.unwrap().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0);
        }
        drop(presence);
        assert!(list(dir.path()).is_empty());
        assert_eq!(std::fs::read_dir(&run).unwrap().count(), 0);
    }
}
