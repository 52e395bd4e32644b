//! A gateway of a command's own: where its servers are named, the component before it, the threads it runs in.

use std::io::{ErrorKind, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use weir_gateway::config::{self, Config, ConfigError};
use weir_gateway::gate::{Gate, Loader};
use weir_gateway::identity::Identity;
use weir_gateway::json::Json;
use weir_gateway::secrets::SecretFile;
use weir_gateway::session::{Outgoing, Outlet, Session};
use weir_gateway::spec::ServerSpec;
use weir_gateway::upstream::{State, Upstream};
use weir_gateway::wire::Request;
use weir_gateway::{Gateway, Options};
use weir_host::Weir;

use super::answer::{Answer, exit};
use super::console::Working;
use super::flags::Upstreams;
use super::numbers::counted;
use super::{Context, Failure};

/// How long a command waits for servers that are not known yet: `npx` may have to download some.
pub(crate) const SHELL_WAIT: Duration = Duration::from_secs(60);

/// Runs a future to its end, which does not wait for a read of standard input that nobody can cancel.
pub(crate) fn block_on<F: Future>(future: F) -> Result<F::Output, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = built.map_err(Failure::io("cannot start threads"))?;
    let output = runtime.block_on(future);
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(output)
}

/// The gateway's side of the component.
pub(crate) fn gate(context: &Context<'_>) -> Gate {
    Gate::new(opened(context.weir()), context.session())
}

/// The component over the store in use; when there is none, results go by the rule for that.
fn opened(weir: Result<Weir, Failure>) -> Result<Weir, String> {
    weir.map_err(|failure| {
        note(format_args!("warning: results are not stored: {failure}"));
        failure.to_string()
    })
}

/// Serves beside the component's loading: clients are greeted at once, while it may take seconds to compile.
pub(crate) fn while_loading(
    loader: Loader,
    context: &Context<'_>,
    serving: impl Future<Output = Result<Answer, Failure>>,
) -> Result<Answer, Failure> {
    std::thread::scope(|scope| {
        let loading = scope.spawn(|| {
            let meanwhile = |weir| loader.loaded(Ok(weir));
            loader.loaded(opened(context.weir_that_serves(meanwhile)));
        });
        let result = block_on(serving).flatten();
        if !loading.is_finished() {
            // Nobody needs what is being compiled any more, and a compilation cannot be given up.
            exit(result);
        }
        result
    })
}

/// A gateway of a command's own, for as long as `work` takes.
pub(crate) fn with_gateway<R>(
    servers: Vec<ServerSpec>,
    gate: Gate,
    options: Options,
    work: impl AsyncFnOnce(&Arc<Gateway>) -> R,
) -> Result<R, Failure> {
    block_on(async {
        let gateway = Gateway::new(servers, gate, options)
            .map_err(Failure::io("cannot make the gateway's directory"))?;
        let result = work(&gateway).await;
        gateway.shut_down().await;
        Ok(result)
    })?
}

/// Asks a gateway as a client that has it alone; what it says beside the answer is not heard.
pub(crate) async fn ask(gateway: &Arc<Gateway>, method: &str, params: Json) -> Outgoing {
    let (outlet, mut beside) = Outlet::new();
    tokio::spawn(async move { while beside.recv().await.is_some() {} });
    let session = Session::new("shell".into(), Identity::alone(), outlet.clone(), None);
    let request = Request { id: Json::of(&1), method: method.into(), params: Some(params) };
    gateway.answer(&session, &outlet, request).await
}

/// Starts those servers of a gateway that are `wanted`, each for as long as its entry allows, and waits for their lists of
/// tools. Those that cannot be used, with the reason.
pub(crate) async fn start(
    gateway: &Arc<Gateway>,
    wanted: impl Fn(&Upstream) -> bool,
) -> Vec<(ServerSpec, String)> {
    let mut starts = tokio::task::JoinSet::new();
    let all = gateway.servers.all();
    for upstream in all.iter().filter(|upstream| wanted(upstream)).map(Arc::clone) {
        starts.spawn(async move {
            if upstream.live().await.is_ok() {
                let listed = upstream.whole_list();
                let _ = tokio::time::timeout(upstream.spec.start_timeout, listed).await;
            }
        });
    }
    let count = starts.len();
    let working = (count > 0).then(|| Working::on("starting servers"));
    if count > 0 && !std::io::stderr().is_terminal() {
        note(format_args!(
            "starting {}, to ask what tools there are",
            counted(count as u64, "server")
        ));
    }
    let mut done = 0;
    while starts.join_next().await.is_some() {
        done += 1;
        working.iter().for_each(|working| working.at(format!("{done} of {count}")));
    }
    let why = |upstream: &Arc<Upstream>| match upstream.state() {
        State::Failed(reason) | State::NeedsLogin(reason) => Some((upstream.spec.clone(), reason)),
        _ => None,
    };
    all.iter().filter_map(why).collect()
}

/// Where the servers are named, and where what is known of them is kept.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) servers: PathBuf,
    /// Whether nobody has named another file than the one beside the configuration.
    usual: bool,
    pub(crate) secrets: SecretFile,
    pub(crate) state: PathBuf,
    /// The agent host whose servers are meant.
    pub(crate) host: Option<String>,
    /// Whether a client is served, which may know of no other host's servers; a person at a shell may.
    for_client: bool,
}

impl Place {
    pub(crate) fn of(arguments: &Upstreams, context: &Context<'_>) -> Result<Place, Failure> {
        let servers = match &arguments.servers {
            Some(file) => file.clone(),
            None => context.config_dir()?.join("servers.json"),
        };
        let secrets = context.secrets()?;
        let usual = arguments.servers.is_none();
        let state = state(arguments.state.as_ref(), context)?;
        let host = context.host().map(str::to_owned);
        Ok(Place { servers, usual, secrets, state, host, for_client: false })
    }

    /// The same for a client: without a host it gets only the servers that are for every host.
    pub(crate) fn for_client(self) -> Place {
        Place { for_client: true, ..self }
    }

    /// The same, for what lists: nothing is listed while the usual file is not there yet.
    pub(crate) fn config_if_any(&self) -> Result<Config, Failure> {
        match self.usual && matches!(self.servers.try_exists(), Ok(false)) {
            true => {
                note(format_args!(
                    "there are no servers: `weir install` puts those of your agents behind the gateway, where the hook is not enough"
                ));
                Ok(Config::default())
            }
            false => self.config(),
        }
    }

    /// Reads the file; warns of what is not understood.
    pub(crate) fn config(&self) -> Result<Config, Failure> {
        let config = self.read()?;
        for problem in problems(&config) {
            note(format_args!("warning: {problem}"));
        }
        Ok(config)
    }

    /// Reads the file.
    pub(crate) fn read(&self) -> Result<Config, Failure> {
        self.load().map_err(|error| {
            let source = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
            let hint = match &error {
                ConfigError::Syntax { .. } => "correct the file; --servers names another",
                ConfigError::Io { source, .. } if source.kind() != ErrorKind::NotFound => {
                    "--servers names another file"
                }
                _ if !self.usual => {
                    "`weir import --to FILE` writes such a file; without --servers the usual one is read"
                }
                _ => {
                    "`weir install` puts the servers of your agents there; `weir import FILE` copies those of a \
                     file; --servers names another file"
                }
            };
            Failure::usage(format!("{error}{source}"), hint)
        })
    }

    /// The same, with the error as it is.
    pub(crate) fn load(&self) -> Result<Config, ConfigError> {
        let config = config::load(&self.servers, &self.secrets)?;
        Ok(match self.for_client || self.host.is_some() {
            true => config.for_host(self.host.as_deref()),
            false => config,
        })
    }

    pub(crate) fn options(&self, config: &Config) -> Options {
        let mut options = config.options(self.state.clone());
        // Its model calls tools in programs of TypeScript alone, which read what comes.
        options.whole = matches!(self.host.as_deref(), Some("vibe" | "mistral-vibe"));
        options.guard = std::env::current_exe().ok().filter(|_| cfg!(unix));
        options
    }
}

/// What is wrong with a file of servers.
pub(crate) fn problems(config: &Config) -> impl Iterator<Item = String> {
    let broken = config.broken.iter();
    let broken = broken.map(|(name, reason)| format!("server {name} is left out: {reason}"));
    config.warnings.iter().cloned().chain(broken)
}

/// The directory for what is kept between runs.
pub(crate) fn state(named: Option<&PathBuf>, context: &Context<'_>) -> Result<PathBuf, Failure> {
    named.map_or_else(|| context.state_dir(), |dir| Ok(dir.clone()))
}

/// A line on stderr.
pub(crate) fn note(text: std::fmt::Arguments<'_>) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{text}");
}
