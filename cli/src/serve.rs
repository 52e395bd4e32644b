//! `weir serve`: the gateway.

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use weir_gateway::config::{self, Config};
use weir_gateway::environment::Inherit;
use weir_gateway::gate::Gate;
use weir_gateway::http::{self, HttpError, HttpOptions};
use weir_gateway::identity::{Profile, Token};
use weir_gateway::ledger::Ledger;
use weir_gateway::secrets::SecretFile;
use weir_gateway::spec::{Reach, ServerSpec};
use weir_gateway::{Gateway, Options, log, stdio};
use weir_host::Weir;

use super::Answer;
use super::args::{Serve, Upstreams};
use super::context::Context;
use super::report::Failure;

/// How often the file of servers is looked at.
const WATCH: Duration = Duration::from_secs(2);

/// How often counts are written: what a gateway that is killed loses at most.
const KEEP: Duration = Duration::from_secs(2);

/// How long a command waits for servers that are not known yet: `npx` may have to download some.
pub(crate) const SHELL_WAIT: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &Serve, context: &Context<'_>) -> Result<Answer, Failure> {
    log::set(arguments.log.parse().unwrap_or(log::Level::Warn), arguments.log_format == "json");
    let place = Place::of(&arguments.upstreams, context)?;
    let config = match arguments.command.split_first() {
        Some((command, args)) => single(command, args),
        None => place.config()?,
    };
    let mut options = place.options(&config);
    if let Some(mode) = &arguments.mode {
        options.mode = mode.parse().unwrap_or_default();
    }
    if arguments.no_prefix || !arguments.command.is_empty() {
        options.naming.prefix = false;
    }
    if !arguments.command.is_empty() {
        // In front of one server a client expects that server's tools, however long it takes to start.
        options.first_wait = options.list_wait;
    }
    // An empty token would let in whoever sends none, or nobody.
    let mut tokens: Vec<Token> = config.gateway.tokens.clone();
    if let Some(secret) = &arguments.token {
        if secret.trim().is_empty() {
            return Err(Failure::usage(
                "the token is empty".to_owned(),
                "set WEIR_TOKEN to a secret, or unset it",
            ));
        }
        tokens.push(Token {
            secret: secret.trim().to_owned(),
            profile: Arc::new(Profile::default()),
        });
    }
    if arguments.http.is_none() && std::io::stdin().is_terminal() {
        note(format_args!(
            "weir serve speaks MCP and waits for a client on standard input; Ctrl-C ends it. \
             `weir install` lets agents start it."
        ));
    }
    let (gate, loader) = Gate::loading(context.session());
    let watched = arguments.command.is_empty().then(|| place.servers.clone());
    let runtime = runtime()?;
    let serving = async {
        let gateway = Gateway::new(config.servers, gate, options).map_err(|source| {
            Failure::Io { what: "cannot make the gateway's directory".into(), source }
        })?;
        gateway.set_broken(config.broken);
        let ledger = Ledger::new(&place.state);
        tokio::spawn(keep_counts(Arc::clone(&gateway), ledger.clone()));
        if let Some(file) = watched {
            tokio::spawn(watch(Arc::clone(&gateway), file, place.secrets.clone()));
        }
        let result = match arguments.http {
            Some(address) => {
                let options = HttpOptions {
                    address,
                    tokens,
                    hosts: arguments.allow_host.clone(),
                    origins: arguments.allow_origin.clone(),
                    metrics: arguments.metrics,
                };
                let told = |address| note(format_args!("listening on http://{address}/mcp"));
                http::serve(Arc::clone(&gateway), options, told, stop_signal())
                    .await
                    .map_err(http_failure)
            }
            None => tokio::select! {
                served = stdio::serve(&gateway, tokio::io::stdin(), tokio::io::stdout()) => {
                    served.map_err(|source| Failure::Io { what: "cannot read the client's messages".into(), source })
                }
                () = stop_signal() => Ok(()),
            },
        };
        gateway.shut_down().await;
        gateway.stats.write(&ledger);
        result.map(|()| Answer::Yes)
    };
    // Beside the client: it is greeted at once, while the component may take seconds to compile.
    std::thread::scope(|scope| {
        let loading = scope.spawn(|| loader.loaded(open(context)));
        let result = runtime.block_on(serving);
        if !loading.is_finished() {
            // Nobody needs what is being compiled any more, and a compilation cannot be given up.
            drop(runtime);
            crate::exit(result);
        }
        result
    })
}

/// Writes what was counted, again and again.
async fn keep_counts(gateway: Arc<Gateway>, ledger: Ledger) {
    loop {
        tokio::time::sleep(KEEP).await;
        let (gateway, ledger) = (Arc::clone(&gateway), ledger.clone());
        let _ = tokio::task::spawn_blocking(move || gateway.stats.write(&ledger)).await;
    }
}

/// The component over the store in use; when there is none, results go by the rule for that. Without
/// a console, which would hold standard output.
fn open(context: &Context<'_>) -> Result<Weir, String> {
    let opened = context
        .store()
        .and_then(|store| context.weir_noting(&store, |text| note(format_args!("{text}"))));
    opened.map_err(|failure| {
        note(format_args!("warning: results are not stored: {failure}"));
        failure.to_string()
    })
}

/// A runtime whose end does not wait for a read of standard input that nobody can cancel.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    Ok(Runtime(Some(
        built.map_err(|source| Failure::Io { what: "cannot start threads".into(), source })?,
    )))
}

pub(crate) struct Runtime(Option<tokio::runtime::Runtime>);

impl Runtime {
    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        match &self.0 {
            Some(runtime) => runtime.block_on(future),
            None => unreachable!("it is taken only when dropped"),
        }
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_timeout(Duration::from_millis(100));
        }
    }
}

fn note(text: std::fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn http_failure(error: HttpError) -> Failure {
    match error {
        HttpError::Open(_) => Failure::usage(error.to_string(), "set WEIR_TOKEN, or give --token"),
        HttpError::Listen { address, source } => {
            Failure::Io { what: format!("cannot listen on {address}"), source }
        }
    }
}

/// Waits until the command is told to stop.
pub(crate) async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut interrupt)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        {
            tokio::select! {
                _ = term.recv() => {}
                _ = interrupt.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// One server, given on the command line.
fn single(command: &str, args: &[String]) -> Config {
    let reach = Reach::Stdio {
        command: command.to_owned(),
        args: args.to_vec(),
        env: Default::default(),
        cwd: None,
    };
    let mut spec = ServerSpec::new("server", reach);
    // The environment was made for this one server by whoever wrote the command.
    spec.inherit = Inherit::All;
    spec.secrets.add_from_args(args);
    Config { servers: vec![spec], ..Config::default() }
}

/// The gateway's side of the component.
pub(crate) fn gate(context: &Context<'_>) -> Gate {
    Gate::new(open(context), context.session())
}

/// A gateway of a command's own, for as long as `work` takes.
pub(crate) fn with_gateway<R>(
    servers: Vec<ServerSpec>,
    gate: Gate,
    options: Options,
    work: impl AsyncFnOnce(&Arc<Gateway>) -> R,
) -> Result<R, Failure> {
    runtime()?.block_on(async {
        let gateway = Gateway::new(servers, gate, options).map_err(|source| Failure::Io {
            what: "cannot make the gateway's directory".into(),
            source,
        })?;
        let result = work(&gateway).await;
        gateway.shut_down().await;
        Ok(result)
    })
}

/// Where the servers are named, and where what is known of them is kept.
pub(crate) struct Place {
    pub(crate) servers: PathBuf,
    pub(crate) secrets: SecretFile,
    pub(crate) state: PathBuf,
}

impl Place {
    pub(crate) fn of(arguments: &Upstreams, context: &Context<'_>) -> Result<Place, Failure> {
        let servers = match &arguments.servers {
            Some(file) => file.clone(),
            None => context.config_dir()?.join("servers.json"),
        };
        let secrets = context.secrets()?;
        Ok(Place { servers, secrets, state: state(arguments.state.as_ref(), context)? })
    }

    /// Reads the file; warns of what is not understood.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let config = config::load(&self.servers, &self.secrets).map_err(|error| {
            let source = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
            Failure::usage(
                format!("{error}{source}"),
                "name a file with --servers, or take over a client's servers with `weir import FILE`",
            )
        })?;
        for warning in &config.warnings {
            note(format_args!("warning: {warning}"));
        }
        for (name, reason) in &config.broken {
            note(format_args!("warning: server {name} is left out: {reason}"));
        }
        Ok(config)
    }

    pub(crate) fn options(&self, config: &Config) -> Options {
        let mut options = Options::new(self.state.clone());
        config.gateway.apply(&mut options);
        options.guard = std::env::current_exe().ok().filter(|_| cfg!(unix));
        options
    }
}

/// The directory for what is kept between runs.
pub(crate) fn state(named: Option<&PathBuf>, context: &Context<'_>) -> Result<PathBuf, Failure> {
    named.map_or_else(|| context.state_dir(), |dir| Ok(dir.clone()))
}

/// Takes over what changes in the file. A file that cannot be read changes nothing.
async fn watch(gateway: Arc<Gateway>, file: PathBuf, secrets: SecretFile) {
    let stamp = |file: &Path| {
        std::fs::metadata(file).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok()
    };
    let stamps = || (stamp(&file), stamp(secrets.path()));
    let mut seen: (Option<(SystemTime, u64)>, Option<(SystemTime, u64)>) = stamps();
    #[cfg(unix)]
    let mut hangup = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).ok();
    loop {
        #[cfg(unix)]
        let told = match &mut hangup {
            Some(hangup) => tokio::time::timeout(WATCH, hangup.recv()).await.is_ok(),
            None => {
                tokio::time::sleep(WATCH).await;
                false
            }
        };
        #[cfg(not(unix))]
        let told = {
            tokio::time::sleep(WATCH).await;
            false
        };
        let now = stamps();
        if now == seen && !told {
            continue;
        }
        seen = now;
        match config::load(&file, &secrets) {
            Ok(config) => {
                for warning in &config.warnings {
                    log::warn(format_args!("{warning}"));
                }
                for (name, reason) in &config.broken {
                    log::warn(format_args!("server {name} is left out: {reason}"));
                }
                gateway.set_broken(config.broken);
                gateway.reconfigure(config.servers);
            }
            Err(error) => log::warn(format_args!("the servers stay as they are: {error}")),
        }
    }
}
