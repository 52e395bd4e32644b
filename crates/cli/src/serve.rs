//! `weir serve`: the gateway.

#[cfg(unix)]
mod shared;

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use weir_gateway::common::Common;
use weir_gateway::config::{Config, GatewayConfig};
use weir_gateway::environment::Inherit;
use weir_gateway::gate::Gate;
use weir_gateway::http::{self, HttpError, HttpOptions, TlsFiles};
use weir_gateway::identity::{Profile, Token, Tokens};
use weir_gateway::ledger::Ledger;
use weir_gateway::oauth::Entrance;
use weir_gateway::running::{Account, Presence};
use weir_gateway::spec::{Identity, People, Reach, ServerSpec};
use weir_gateway::{Gateway, Mode, Options, stdio};

use super::args::Serve;
use super::gateway::{Place, note, while_loading};
use super::interrupt::stop_signal;
use super::numbers::{counted, unix_now};
use super::{Answer, Context, Failure};
use weir_base::Mutex;

/// How often the file of servers is looked at.
const WATCH: Duration = Duration::from_secs(2);

/// How often counts are written: what a gateway that is killed loses at most.
const KEEP: Duration = Duration::from_secs(2);

/// How long a shared gateway waits for the next client.
#[cfg(unix)]
const ALONE: Duration = Duration::from_secs(60);

pub(crate) fn run(arguments: &Serve, context: &Context<'_>) -> Result<Answer, Failure> {
    crate::log::print(&arguments.log, arguments.log_format == "json");
    let place = Place::of(&arguments.upstreams, context)?.for_client();
    let seen = stamps(&place);
    let config = configuration(arguments, &place)?;
    let direct =
        arguments.http.is_some() || arguments.socket.is_some() || !arguments.command.is_empty();
    if arguments.shared || (config.gateway.shared && !direct) {
        #[cfg(unix)]
        return shared::relay(arguments, &place, context);
        #[cfg(not(unix))]
        return Err(Failure::usage(
            "this system has no shared gateway".to_owned(),
            "share one over HTTP: `weir serve --http 127.0.0.1:3456`",
        ));
    }
    let several = arguments.http.is_some() || arguments.socket.is_some();
    if !several && std::io::stdin().is_terminal() {
        note(format_args!(
            "weir serve speaks MCP and waits for a client on standard input; Ctrl-C ends it. \
             `weir install` lets agents start it."
        ));
    }
    if !several && config.gateway.options.audit.as_ref().is_some_and(|audit| audit.stdout) {
        return Err(Failure::usage(
            "weir.audit writes to standard output, where the client speaks",
            "serve over HTTP, or take \"stdout\" out of weir.audit.to",
        ));
    }
    let said = Said::of(arguments)?;
    if let Err(why) = config.gateway.toolsets.tools_of(&said.toolsets)
        && !said.toolsets.is_empty()
    {
        return Err(Failure::usage(why, "weir.toolsets in the file of servers has the toolsets"));
    }
    let mut options = said.options(&place, &config);
    options.people = people(&config, &place, several)?;
    let tokens = Tokens::new(said.tokens(&config), config.gateway.people.clone());
    if config.gateway.tokens.is_some() {
        tokens.require();
    }
    let session = match several {
        // Each client has its own, made from this one or said by itself.
        true => context.session().to_owned(),
        false => {
            let session = context.client_session()?;
            tracing::info!("the client's results are in the session {session}");
            session
        }
    };
    let (gate, loader) = Gate::loading(session);
    let tier = context.tier()?;
    options.common = match (&tier, &config.gateway.key) {
        (Some(tier), Some(key)) => Some(Common::new(tier.objects(), key.clone(), &place.state)),
        _ => None,
    };
    let serving = Serving {
        arguments,
        place,
        seen,
        said,
        config,
        tokens,
        #[cfg(unix)]
        socket: None,
    };
    while_loading(loader, context, serving.serve(gate.with_tier(tier), options))
}

/// What is served: the servers of the file, or the one of the command line.
fn configuration(arguments: &Serve, place: &Place) -> Result<Config, Failure> {
    let config = match arguments.command.split_first() {
        Some((command, args)) => single(command, args),
        None => place.config()?,
    };
    if let Some(fault) = config.gateway.faults.first() {
        return Err(Failure::usage(
            fault,
            "`weir servers --validate` lists what is wrong with the file",
        ));
    }
    if place.host.is_none() && config.hidden > 0 {
        note(format_args!(
            "{} of {} are for single agents and left out here; `weir serve --host NAME` serves those of an agent",
            counted(config.hidden as u64, "server"),
            place.servers.display()
        ));
    }
    Ok(config)
}

/// A gateway while it serves.
struct Serving<'a> {
    arguments: &'a Serve,
    place: Place,
    /// When the files were written that the configuration is of.
    seen: Stamps,
    said: Said,
    config: Config,
    tokens: Tokens,
    /// Where clients on standard streams share it.
    #[cfg(unix)]
    socket: Option<shared::Socket>,
}

impl Serving<'_> {
    /// From its start to its end.
    async fn serve(mut self, gate: Gate, options: Options) -> Result<Answer, Failure> {
        #[cfg(unix)]
        if let Some(path) = &self.arguments.socket {
            let opened = shared::Socket::open(path)
                .map_err(Failure::io(format!("cannot listen on {}", path.display())))?;
            // Another one was faster.
            let Some(opened) = opened else { return Ok(Answer::Yes) };
            self.socket = Some(opened);
        }
        let common = options.common.clone();
        if let Some(common) = &common {
            common.exchange().await;
        }
        let sharing = gate.clone();
        tokio::spawn(gate.clone().look_after_tier());
        let servers = std::mem::take(&mut self.config.servers);
        let gateway = Gateway::new(servers, gate, options)
            .map_err(Failure::io("cannot make the gateway's directory"))?;
        gateway.servers.set_broken(std::mem::take(&mut self.config.broken));
        let ledger = Ledger::new(&self.place.state);
        tokio::spawn(keep_counts(Arc::clone(&gateway), ledger.clone()));
        let watched = self.arguments.command.is_empty();
        let presence = Presence::new(&self.place.state).inspect_err(|error| {
            tracing::warn!("`weir status` will not show this gateway: {error}")
        });
        let told = presence.ok().map(|presence| {
            let file = watched.then(|| self.place.servers.clone());
            let told = Told::new(Arc::clone(&gateway), presence, file);
            tokio::spawn(Arc::clone(&told).keep());
            told
        });
        if watched {
            tokio::spawn(watch(
                Arc::clone(&gateway),
                self.place.clone(),
                self.seen,
                self.said.clone(),
                self.tokens.clone(),
                self.config.gateway.tls.clone(),
            ));
        }
        let result = self.listen(&gateway, told.as_deref()).await;
        gateway.shut_down().await;
        sharing.end_uploads().await;
        gateway.operations.stats.write(&ledger);
        if let Some(common) = &common {
            common.end().await;
        }
        result.map(|()| Answer::Yes)
    }

    async fn listen(&mut self, gateway: &Arc<Gateway>, told: Option<&Told>) -> Result<(), Failure> {
        if let Some(address) = self.arguments.http {
            return self.listen_at(address, gateway, told).await;
        }
        #[cfg(unix)]
        if let Some(socket) = self.socket.take() {
            if let Some(told) = told {
                told.is_at("shared by clients on standard streams", None);
            }
            let path = socket.path().to_owned();
            let (listener, kept) = socket.split();
            let served = tokio::select! {
                served = weir_gateway::shared::serve(gateway, listener, ALONE) => served,
                () = stop_signal() => Ok(()),
            };
            // Who comes now starts another one.
            shared::Socket::close(&path);
            drop(kept);
            return served.map_err(Failure::io("cannot take clients"));
        }
        tokio::select! {
            served = stdio::serve(gateway, tokio::io::stdin(), tokio::io::stdout()) => {
                served.map_err(Failure::io("cannot read the client's messages"))
            }
            () = stop_signal() => Ok(()),
        }
    }

    async fn listen_at(
        &self,
        address: SocketAddr,
        gateway: &Arc<Gateway>,
        told: Option<&Told>,
    ) -> Result<(), Failure> {
        let (arguments, own) = (self.arguments, &self.config.gateway);
        let options = HttpOptions {
            address,
            tokens: self.tokens.clone(),
            hosts: arguments.allow_host.clone(),
            origins: arguments.allow_origin.clone(),
            metrics: arguments.metrics,
            ui: arguments.ui,
            tls: self.said.tls(own),
            grace: Duration::from_secs(arguments.grace),
            url: own.url.clone(),
            key: own.key.clone(),
        };
        let scheme = if options.tls.is_some() { "https" } else { "http" };
        let bound = |address| {
            let endpoint = format!("{scheme}://{address}/mcp");
            let page = arguments.ui.then(|| format!("{scheme}://{address}/ui"));
            note(format_args!("listening on {endpoint}"));
            if let Some(page) = &page {
                note(format_args!("the page is at {page}"));
            }
            if let Some(told) = told {
                told.is_at(&endpoint, page);
            }
        };
        let served = http::serve(Arc::clone(gateway), options, bound, stop_signal).await;
        served.map_err(http_failure)
    }
}

/// How people are told apart at servers where each has an account of their own.
fn people(config: &Config, place: &Place, several: bool) -> Result<Option<People>, Failure> {
    let of_people = |spec: &&ServerSpec| spec.identity == Identity::Person;
    let own = &config.gateway;
    match (config.servers.iter().find(of_people), &own.key, &own.url) {
        _ if !several => Ok(None),
        (_, Some(key), Some(url)) if own.tokens.is_some() || own.people.is_some() => {
            let entrance = Arc::new(Entrance::new(url, key.clone()));
            Ok(Some(People { entrance, secrets: place.secrets.clone() }))
        }
        (None, ..) => Ok(None),
        (Some(spec), ..) => Err(Failure::usage(
            format!(
                "server {} is called as the person who calls, and it is not known who that is",
                spec.name
            ),
            "weir.identity \"person\" needs weir.oidc or weir.tokens, weir.key and weir.url",
        )),
    }
}

/// What the command line says, which comes before the file whenever that is read.
#[derive(Debug, Clone)]
struct Said {
    mode: Option<Mode>,
    no_approval_form: bool,
    alone: bool,
    token: Option<Token>,
    tls: Option<TlsFiles>,
    toolsets: Vec<String>,
}

impl Said {
    fn of(arguments: &Serve) -> Result<Said, Failure> {
        let token = match arguments.token.as_deref().map(str::trim) {
            // An empty token would let in whoever sends none, or nobody.
            Some("") => {
                return Err(Failure::usage(
                    "the token is empty".to_owned(),
                    "set WEIR_TOKEN to a secret, or unset it",
                ));
            }
            Some(secret) => Some(Token::new(secret, Profile::default())),
            None => None,
        };
        let mode = arguments.mode.as_ref().map(|mode| mode.parse().unwrap_or_default());
        let alone = !arguments.command.is_empty();
        let files = (arguments.tls_cert.clone(), arguments.tls_key.clone());
        let tls = match files {
            (Some(cert), Some(key)) => Some(TlsFiles { cert, key }),
            _ => None,
        };
        Ok(Said {
            mode,
            no_approval_form: arguments.no_approval_form,
            alone,
            token,
            tls,
            toolsets: arguments.toolset.clone(),
        })
    }

    fn options(&self, place: &Place, config: &Config) -> Options {
        let mut options = place.options(config);
        options.mode = self.mode.unwrap_or(options.mode);
        options.naming.prefix &= !self.alone;
        options.approval_form &= !self.no_approval_form;
        options.offer_logins = true;
        if !self.toolsets.is_empty() {
            // A set that is no longer in the file has no tools.
            let tools = config.gateway.toolsets.tools_of(&self.toolsets);
            options.offered.tools = tools.unwrap_or_else(|why| {
                tracing::warn!("no tools are offered: {why}");
                vec![String::new()]
            });
        }
        if self.alone {
            // In front of one server a client expects that server's tools, however long it takes to start.
            options.first_wait = options.list_wait;
        }
        options
    }

    fn tls(&self, config: &GatewayConfig) -> Option<TlsFiles> {
        self.tls.clone().or_else(|| config.tls.clone())
    }

    fn tokens(&self, config: &Config) -> Vec<Token> {
        config.gateway.tokens.iter().flatten().chain(&self.token).cloned().collect()
    }
}

/// What other commands are told of this gateway.
struct Told {
    gateway: Arc<Gateway>,
    presence: Presence,
    file: Option<PathBuf>,
    /// Where clients reach it, and browsers.
    endpoint: Mutex<(String, Option<String>)>,
    started: u64,
}

impl Told {
    fn new(gateway: Arc<Gateway>, presence: Presence, file: Option<PathBuf>) -> Arc<Told> {
        let started = unix_now();
        let endpoint = Mutex::new(("stdio".into(), None));
        Arc::new(Told { gateway, presence, file, endpoint, started })
    }

    fn is_at(&self, endpoint: &str, page: Option<String>) {
        *self.endpoint.lock() = (endpoint.to_owned(), page);
        self.write();
    }

    fn write(&self) {
        let (endpoint, page) = self.endpoint.lock().clone();
        let at = (endpoint.as_str(), page.as_deref());
        let account = Account::of(&self.gateway, at, self.file.as_deref(), self.started);
        if let Err(error) = self.presence.write(account) {
            tracing::debug!("`weir status` cannot be told of this gateway: {error}");
        }
    }

    async fn keep(self: Arc<Told>) {
        loop {
            let this = Arc::clone(&self);
            let _ = tokio::task::spawn_blocking(move || this.write()).await;
            tokio::time::sleep(KEEP).await;
        }
    }
}

/// Writes what was counted, again and again.
async fn keep_counts(gateway: Arc<Gateway>, ledger: Ledger) {
    loop {
        tokio::time::sleep(KEEP).await;
        let (gateway, ledger) = (Arc::clone(&gateway), ledger.clone());
        let _ = tokio::task::spawn_blocking(move || gateway.operations.stats.write(&ledger)).await;
    }
}

fn http_failure(error: HttpError) -> Failure {
    match error {
        HttpError::NoToken => Failure::usage(
            error.to_string(),
            "`weir token create NAME` issues one, or set WEIR_TOKEN; to ask for none, take `tokens` out of the file and remove \
             tokens.json",
        ),
        HttpError::Open(_) => Failure::usage(error.to_string(), "set WEIR_TOKEN, or give --token"),
        HttpError::Tls(_) => Failure::usage(
            error.to_string(),
            "name a certificate and its key in PEM: --tls-cert, --tls-key",
        ),
        HttpError::Listen { address, source } => {
            Failure::Io { what: format!("cannot listen on {address}"), source }
        }
    }
}

/// One server, given on the command line.
pub(crate) fn single(command: &str, args: &[String]) -> Config {
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

/// When each of the files that say what is served was written, and how long it is.
type Stamps = [Option<(SystemTime, u64)>; 3];

/// Taken before the files are read: what changes in between is then a change.
fn stamps(place: &Place) -> Stamps {
    [&*place.servers, place.secrets.path(), place.secrets.tokens().path()].map(|file| {
        std::fs::metadata(file).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok()
    })
}

/// Takes over what changes in the files after `seen`. A file that cannot be read changes nothing.
async fn watch(
    gateway: Arc<Gateway>,
    place: Place,
    mut seen: Stamps,
    said: Said,
    tokens: Tokens,
    mut tls: Option<TlsFiles>,
) {
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
        gateway.servers.reload_approvals();
        let now = stamps(&place);
        if now == seen && !told {
            continue;
        }
        seen = now;
        match place.load() {
            Ok(config) => {
                for warning in &config.warnings {
                    tracing::warn!("{warning}");
                }
                for (name, reason) in &config.broken {
                    tracing::warn!("server {name} is left out: {reason}");
                }
                if tls != config.gateway.tls {
                    tracing::warn!("weir.https has changed: that takes effect at the next start");
                    tls.clone_from(&config.gateway.tls);
                }
                if config.gateway.tokens.is_some() {
                    tokens.require();
                }
                tokens.set(said.tokens(&config), config.gateway.people.clone());
                if let Some(fault) = config.gateway.faults.first() {
                    tracing::warn!("but for the tokens all stays as it is: {fault}");
                    continue;
                }
                gateway.set_options(said.options(&place, &config));
                gateway.servers.set_broken(config.broken);
                gateway.servers.reconfigure(config.servers);
            }
            Err(error) => tracing::warn!("the servers stay as they are: {error}"),
        }
    }
}
