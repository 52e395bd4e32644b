//! What a shell is offered behind a command: ids, hosts.

use std::ffi::OsStr;

use clap::{Args as _, FromArgMatches as _};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter, CompletionCandidate};
use weir_agents::config::HOSTS;
use weir_agents::hook::Host;

use super::context::Context;
use super::flags::Global;
use super::ids::starting;

/// Ids of the session's stored results.
pub(super) fn ids() -> ArgValueCompleter {
    ArgValueCompleter::new(|start: &OsStr| {
        let start = start.to_string_lossy().to_ascii_lowercase();
        let ids = of_session(&start).unwrap_or_default();
        ids.into_iter().map(CompletionCandidate::new).collect::<Vec<_>>()
    })
}

/// Hosts that `weir install` knows.
pub(super) fn hosts() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let candidate = |host: &weir_agents::config::Host| {
            CompletionCandidate::new(host.name).help(Some(host.title.into()))
        };
        HOSTS.iter().map(candidate).collect::<Vec<_>>()
    })
}

/// Hosts with a hook.
pub(super) fn hook_hosts() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        Host::all().map(|host| CompletionCandidate::new(host.name())).collect::<Vec<_>>()
    })
}

/// What the environment says counts; options on the line are not known here.
fn of_session(start: &str) -> Option<Vec<String>> {
    let line = Global::augment_args(clap::Command::new("weir"));
    let matches = line.try_get_matches_from(["weir"]).ok()?;
    let global = Global::from_arg_matches(&matches).ok()?;
    let context = Context::new(&global);
    let (weir, _) = context.weir_for_results(|_| ()).ok()?;
    starting(&weir, context.session(), start).ok()
}
