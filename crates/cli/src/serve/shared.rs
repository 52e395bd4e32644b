//! `weir serve --shared`: a client's streams passed on to a gateway that others use too, which is started if
//! there is none.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{UnixListener, UnixStream};
use weir_gateway::shared::Greeting;

use crate::args::Serve;
use crate::gateway::{Place, block_on};
use crate::interrupt::stop_signal;
use crate::{Answer, Context, Failure};

/// How long a gateway may take to be there.
const START: Duration = Duration::from_secs(20);

/// Bytes of a socket's path that every system takes.
const PATH_BYTES: usize = 100;

/// Passes the client's streams on.
pub(super) fn relay(
    arguments: &Serve,
    place: &Place,
    context: &Context<'_>,
) -> Result<Answer, Failure> {
    let words = words(arguments, place, context)?;
    let socket = socket(&place.state, &words)?;
    let session = context.client_session()?;
    tracing::info!("the client's results are in the session {session}");
    block_on(async {
        let stream = tokio::select! {
            stream = connect(&socket, &words) => stream?,
            () = stop_signal() => return Ok(Answer::Yes),
        };
        let (mut from, mut to) = stream.into_split();
        let mut greeting = serde_json::to_string(&Greeting { session }).unwrap_or_default();
        greeting.push('\n');
        to.write_all(greeting.as_bytes())
            .await
            .map_err(Failure::io("cannot greet the shared gateway"))?;
        let there = tokio::spawn(async move {
            let _ = tokio::io::copy(&mut tokio::io::stdin(), &mut to).await;
            // The client asks nothing more; what is under way is still answered.
            let _ = to.shutdown().await;
        });
        let mut output = tokio::io::stdout();
        let back = async {
            let copied = tokio::io::copy(&mut from, &mut output).await;
            output.flush().await.and(copied)
        };
        let result = tokio::select! {
            copied = back => copied.map(drop),
            () = stop_signal() => Ok(()),
        };
        let ended = there.is_finished();
        there.abort();
        result.map_err(Failure::io("cannot pass on the gateway's messages"))?;
        // It may be gone before its client is: the client starts anew.
        Ok(if ended { Answer::Yes } else { Answer::No })
    })?
}

/// What the shared gateway is started with. Clients that say the same share it.
fn words(
    arguments: &Serve,
    place: &Place,
    context: &Context<'_>,
) -> Result<Vec<OsString>, Failure> {
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(Failure::io(format!("cannot find {}", path.display())))
    };
    let mut words: Vec<OsString> = vec!["serve".into()];
    for (flag, path) in
        [("--servers", &place.servers), ("--state", &place.state), ("--store", &context.store()?)]
    {
        words.extend([flag.into(), absolute(path)?.into_os_string()]);
    }
    words.extend(context.forwarded());
    // What one agent may see is nothing for another: each has a gateway of its own.
    if let Some(host) = &place.host {
        words.extend(["--host".into(), host.into()]);
    }
    if let Some(mode) = &arguments.mode {
        words.extend(["--mode".into(), mode.into()]);
    }
    for toolset in &arguments.toolset {
        words.extend(["--toolset".into(), toolset.into()]);
    }
    if arguments.no_approval_form {
        words.push("--no-approval-form".into());
    }
    Ok(words)
}

fn socket(state: &Path, words: &[OsString]) -> Result<PathBuf, Failure> {
    let mut hash = Sha256::new();
    hash.update(env!("CARGO_PKG_VERSION"));
    for word in words {
        let word = word.as_encoded_bytes();
        hash.update((word.len() as u64).to_le_bytes());
        hash.update(word);
    }
    let digits = weir_base::hex(&hash.finalize()[..8]);
    let socket = state.join("run").join(format!("{digits}.sock"));
    if socket.as_os_str().len() > PATH_BYTES {
        return Err(Failure::usage(
            format!("{} is too long for the address of a shared gateway", socket.display()),
            "name a shorter directory with --state",
        ));
    }
    Ok(socket)
}

/// Connects to the gateway; starts it where there is none.
async fn connect(socket: &Path, words: &[OsString]) -> Result<UnixStream, Failure> {
    let until = Instant::now() + START;
    let mut started = false;
    loop {
        let error = match UnixStream::connect(socket).await {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        if !started {
            start(socket, words).map_err(Failure::io("cannot start the shared gateway"))?;
            started = true;
        } else if Instant::now() > until {
            return Err(Failure::Io {
                what: "the shared gateway does not start; `weir serve` says why".into(),
                source: error,
            });
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
}

/// Starts the gateway apart from this process, which it outlives.
fn start(socket: &Path, words: &[OsString]) -> io::Result<()> {
    let program = std::env::current_exe()?;
    let mut command = Command::new(program);
    command.args(words).arg("--socket").arg(socket);
    // Whose session it is, each client says.
    command.env_remove("WEIR_SESSION").env_remove("WEIR_HOST");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.process_group(0).spawn().map(drop)
}

/// The socket of a shared gateway, for as long as it runs.
#[derive(Debug)]
pub(super) struct Socket {
    listener: UnixListener,
    path: PathBuf,
    /// Locked: of several that start at once one stays.
    lock: File,
}

impl Socket {
    /// Opens it; `None` when another gateway has it.
    pub(super) fn open(path: &Path) -> io::Result<Option<Socket>> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let lock = path.with_extension("one");
        let lock = OpenOptions::new().create(true).append(true).mode(0o600).open(lock)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => return Ok(None),
            Err(std::fs::TryLockError::Error(error)) => return Err(error),
        }
        // What a killed one left.
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(path)?;
        Ok(Some(Socket { listener, path: path.to_owned(), lock }))
    }

    /// Lets nobody in any more.
    pub(super) fn close(path: &Path) {
        let _ = std::fs::remove_file(path);
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What takes clients, and what keeps other gateways from the same place.
    pub(super) fn split(self) -> (UnixListener, File) {
        (self.listener, self.lock)
    }
}
