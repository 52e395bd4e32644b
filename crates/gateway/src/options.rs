//! How the gateway behaves.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use weir_base::Mutex;

use crate::clients::profile::{Limits, Mode, Profile};
use crate::operations::approval::Rules;
use crate::operations::common::Common;
use crate::search::names::Naming;
use crate::search::worth;
use crate::servers::spec;
use crate::watch::audit::AuditOptions;

/// How the gateway behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// What clients are shown.
    pub mode: Mode,
    /// Estimated tokens of all definitions above which `auto` means the bridge tools. Unset: where they cost less, see
    /// [`worth::break_even`].
    pub auto_tokens: Option<usize>,
    /// How names are made.
    pub naming: Naming,
    /// How long a list waits for servers that are not known yet.
    pub list_wait: Duration,
    /// How long the first list in mode `auto` waits for servers that are not known yet. Afterwards it is
    /// the bridge tools.
    pub first_wait: Duration,
    /// How many servers start at once.
    pub parallel_starts: usize,
    /// Whether searches that lead to a call teach the tool their words.
    pub learn: bool,
    /// Whether results of a tool pass whole up to the size at which they were read back whole too often.
    pub adaptive: bool,
    /// Whether programs read the results, and nothing stands in their place.
    pub whole: bool,
    /// Where accounts of servers and, while they are on the way, oversized results are kept.
    pub state_dir: PathBuf,
    /// The program with the hidden command that ends servers when we are gone.
    pub guard: Option<PathBuf>,
    /// Where calls are logged; nowhere, if nothing is said.
    pub audit: Option<AuditOptions>,
    /// How much each client may ask for, unless its token says otherwise.
    pub limits: Limits,
    /// Which calls are made, asked about or refused.
    pub approvals: Rules,
    /// How long a call waits for a person.
    pub approval_wait: Duration,
    /// Whether clients that can show a form are asked by one, unless their tokens say otherwise.
    pub approval_form: bool,
    /// Which tools there are for clients at all; what their tokens say narrows that.
    pub offered: Profile,
    /// How people are told apart at servers where each has an account of their own.
    pub people: Option<spec::People>,
    /// What it has in common with other gateways, where there are some.
    pub common: Option<Common>,
    /// Whether answers name an address of this machine at which a person begins the login of a server.
    pub offer_logins: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mode: Mode::default(),
            auto_tokens: None,
            naming: Naming::default(),
            // A list is answered within ten seconds.
            list_wait: Duration::from_secs(9),
            first_wait: Duration::from_secs(1),
            parallel_starts: 4,
            learn: true,
            adaptive: true,
            whole: false,
            state_dir: PathBuf::new(),
            guard: None,
            audit: None,
            limits: Limits::default(),
            approvals: Rules::default(),
            approval_wait: Duration::from_secs(120),
            approval_form: true,
            offered: Profile::default(),
            people: None,
            common: None,
            offer_logins: false,
        }
    }
}

impl Options {
    /// The defaults, with files in `state_dir`.
    pub fn new(state_dir: PathBuf) -> Options {
        Options { state_dir, ..Options::default() }
    }

    /// Estimated tokens of the definitions of so many tools above which `auto` means the bridge tools.
    pub fn most_tokens(&self, tools: usize) -> u64 {
        let set = self.auto_tokens.map(|tokens| tokens as u64);
        set.unwrap_or_else(|| worth::break_even(tools))
    }
}

/// The options as they are now. The gateway replaces them as a whole; its owners read them.
#[derive(Debug, Clone)]
pub(crate) struct Current(Arc<Mutex<Arc<Options>>>);

impl Current {
    pub(crate) fn new(options: Options) -> Current {
        Current(Arc::new(Mutex::new(Arc::new(options))))
    }

    pub(crate) fn now(&self) -> Arc<Options> {
        Arc::clone(&self.0.lock())
    }

    pub(crate) fn set(&self, options: Options) {
        *self.0.lock() = Arc::new(options);
    }
}
