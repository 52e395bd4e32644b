//! `weir login` and `weir logout`: OAuth to a server over HTTP.

use std::io::{BufRead as _, IsTerminal as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use weir_gateway::gate::Gate;
use weir_gateway::oauth::flow;
use weir_gateway::oauth::loopback::Listener;
use weir_gateway::oauth::{Bearer, Entrance, Login, Logins, OAuthError};
use weir_gateway::spec::{Reach, ServerSpec};
use weir_gateway::upstream::Upstream;

use super::args;
use super::console::Console;
use super::gateway::{Place, block_on, with_gateway};
use super::interrupt::stop_signal;
use super::numbers::age_ahead;
use super::{Answer, Context, Failure};

pub(crate) fn login(arguments: &args::Login, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let place = Place::of(&arguments.upstreams, context)?;
    let (spec, bearer) = server(&place, &arguments.server, None)?;
    let login = block_on(async {
        tokio::select! {
            login = log_in(&bearer, arguments, console) => Some(login),
            () = stop_signal() => None,
        }
    })?;
    let login = match login {
        Some(login) => login.map_err(|error| failure(&spec, &error))?,
        None => return Err(Failure::usage("the login was given up", "run the command again")),
    };
    // Whether it is good for anything is known once the server has taken it.
    let name = spec.name.clone();
    let options = place.options(&Default::default());
    let gate = Gate::new(Err("it is not needed".into()), context.session());
    let (state, tools) = with_gateway(vec![spec], gate, options, async |gateway| {
        let upstreams = gateway.servers.all();
        let Some(upstream) = upstreams.first() else { return (Ok(()), 0) };
        let state = Upstream::live(upstream).await.map(drop).map_err(|error| error.to_string());
        (
            state,
            upstream
                .known()
                .map_or(0, |known| known.tools.iter().filter(|tool| !tool.is_skill()).count()),
        )
    })?;
    if console.json() {
        console.value(&json!({
            "server": name, "issuer": login.issuer, "resource": login.resource, "scopes": login.scopes,
            "expires_at": login.expires_at, "renews_itself": login.renews_itself(),
            "tools": state.is_ok().then_some(tools), "problem": state.as_ref().err(),
        }))?;
    } else {
        console.line(format_args!("logged in to {name} at {}", login.issuer))?;
        if !login.scopes.is_empty() {
            console.line(format_args!("permissions: {}", login.scopes.join(" ")))?;
        }
        match (login.renews_itself(), login.expires_at) {
            (true, _) => console.line("the login renews itself")?,
            (false, Some(at)) => console
                .line(format_args!("the login ends {}, and cannot be renewed", age_ahead(at)))?,
            (false, None) => {}
        }
        match &state {
            Ok(()) => console.line(format_args!("the server has {tools} tools"))?,
            Err(error) => console.note(format_args!("warning: {error}")),
        }
    }
    Ok(if state.is_ok() { Answer::Yes } else { Answer::No })
}

pub(crate) fn logout(arguments: &args::Logout, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let place = Place::of(&arguments.upstreams, context)?;
    let (spec, bearer) = server(&place, &arguments.server, arguments.person.as_deref())?;
    let was = block_on(flow::end(&bearer))?.map_err(|error| failure(&spec, &error))?;
    let what = if was { "logged out of" } else { "nobody is logged in to" };
    let value = json!({"server": spec.name, "was_logged_in": was});
    console.told(&value, format_args!("{what} {}", spec.name))?;
    Ok(if was { Answer::Yes } else { Answer::No })
}

/// The server of that name, which must be one that takes logins, with the login of the gateway or of a person.
fn server(
    place: &Place,
    name: &str,
    person: Option<&str>,
) -> Result<(ServerSpec, Arc<Bearer>), Failure> {
    let mut config = place.config()?;
    let Some(at) = config.servers.iter().position(|spec| spec.name == name) else {
        if let Some(reason) = config.broken.get(name) {
            return Err(Failure::usage(
                format!("server {name} cannot be used: {reason}"),
                "mend its entry first",
            ));
        }
        let names: Vec<&str> = config.servers.iter().map(|spec| spec.name.as_str()).collect();
        return Err(Failure::usage(
            format!("{} names no server {name}", place.servers.display()),
            format!("the servers are: {}", names.join(", ")),
        ));
    };
    let spec = config.servers.swap_remove(at);
    let logins = Logins::from(place.state.join("logins"));
    let bearer = match (person, config.gateway.key, config.gateway.url) {
        (None, ..) => spec.bearer(&logins, None, None),
        (Some(who), Some(key), Some(url)) => {
            spec.bearer(&logins, None, Some((&Arc::new(Entrance::new(&url, key)), who)))
        }
        (Some(_), ..) => {
            return Err(Failure::usage(
                "there are no logins of people",
                "they need weir.key and weir.url in the file of servers",
            ));
        }
    };
    match bearer {
        Some(bearer) => Ok((spec, bearer)),
        None => Err(no_login(&spec)),
    }
}

/// Why there is no login to this server.
fn no_login(spec: &ServerSpec) -> Failure {
    let (message, hint) = match &spec.reach {
        Reach::Stdio { .. } => (
            "it is a process; what it needs to log in is its own matter",
            "see what it says with `weir servers --check`",
        ),
        Reach::OpenApi(_) => (
            "it is an API, which takes what its entry says",
            "give its token under \"auth\" or \"headers\" in its entry",
        ),
        Reach::BuiltIn(_) => ("it is a part of this command", "nothing needs to be done"),
        _ if spec.oauth.off => ("its entry switches OAuth off", "remove \"oauth\": false from it"),
        Reach::Http { headers, .. }
            if headers.keys().any(|name| name.eq_ignore_ascii_case("authorization")) =>
        {
            ("its entry has an Authorization header of its own", "remove that header to log in")
        }
        Reach::Http { .. } => (
            "a token would travel in the clear: its address does not begin with https://",
            "use the server's https address",
        ),
    };
    Failure::usage(format!("there is no login to server {}: {message}", spec.name), hint)
}

fn failure(spec: &ServerSpec, error: &OAuthError) -> Failure {
    let hint = match error {
        OAuthError::Unsupported(_) => {
            "if the server takes a token that you have, give it as the header Authorization in its entry"
        }
        OAuthError::Unsafe(_) => "nothing was sent; ask whoever runs the server",
        OAuthError::Refused(_) => "run the command again, and agree in the browser",
        OAuthError::Unreachable(_) => {
            "check the address and the network, then run the command again"
        }
        OAuthError::Kept(_) => "check the state directory",
        OAuthError::NotLoggedIn => "run the command again",
    };
    let text = spec.secrets.redact(&error.to_string());
    Failure::usage(format!("no login to server {}: {text}", spec.name), hint)
}

async fn log_in(
    bearer: &Bearer,
    arguments: &args::Login,
    console: &Console,
) -> Result<Login, OAuthError> {
    let redirect = flow::redirect_of(bearer.settings())?;
    let listener = Listener::open(redirect, flow::known_port(bearer)).await?;
    let pending = flow::begin(bearer, &listener.address()?, &arguments.scope).await?;
    let pending = Arc::new(pending);
    console.note(format_args!(
        "Open this address to log in at {}:\n\n{}\n",
        pending.issuer, pending.url
    ));
    console.note(
        "On another machine the browser ends at an address that does not open. Paste that address here.",
    );
    if !arguments.no_browser && has_browser() {
        open_browser(&pending.url);
    }
    let mut pasted = pasted();
    let coming = listener.code(Arc::clone(&pending));
    let patience = tokio::time::sleep(Duration::from_secs(arguments.timeout));
    tokio::pin!(coming, patience);
    let code = loop {
        tokio::select! {
            code = &mut coming => break code?,
            Some(line) = pasted.recv() => match pending.code(&line) {
                Err(OAuthError::Unsafe(why)) => console.note(format_args!("{why}; try again")),
                code => break code?,
            },
            () = &mut patience => {
                return Err(OAuthError::Unreachable(format!(
                    "nobody logged in within {} s",
                    arguments.timeout
                )));
            }
        }
    };
    pending.finish(bearer, &code).await
}

/// The lines of standard input. Read by a thread of its own, which nobody waits for.
fn pasted() -> tokio::sync::mpsc::Receiver<String> {
    let (lines, pasted) = tokio::sync::mpsc::channel(4);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if !line.trim().is_empty() && lines.blocking_send(line).is_err() {
                return;
            }
        }
        // The end of the input is no answer: the browser may still come back.
    });
    pasted
}

/// Whether somebody sits at this machine.
pub(crate) fn has_browser() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let remote = set("SSH_CONNECTION") || set("SSH_TTY");
    let screen =
        cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY");
    screen && !remote && std::io::stderr().is_terminal()
}

/// Opens an address, if that works: it is on the terminal too.
pub(crate) fn open_browser(address: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(Path::new(program))
        .args(before)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Ok(mut child) = started {
        std::thread::spawn(move || child.wait());
    }
}
