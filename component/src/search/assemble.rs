//! Which tools a model sees at once, and what stands in for the rest.

use std::collections::BTreeSet;

use super::bridge::{self, Definition};
use super::catalog::{Catalog, Tool};
use super::definition::Origin;
use super::listing::{ListingForm, Untrusted, estimated_tokens, listing};

/// When and what to defer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssembleSettings {
    /// Whether to defer.
    pub mode: Mode,
    /// In [`Mode::Auto`], the share of the context from which on schemas are deferred, in percent
    /// (0 to 100).
    pub threshold_percent: u32,
    /// In [`Mode::Auto`], the estimated tokens from which on schemas are deferred whatever the
    /// context; alone when the context is unknown.
    pub threshold_tokens: u32,
    /// Estimated tokens the listing may have; 0 for no listing.
    pub listing_max_tokens: u32,
    /// The share of the context the listing may have, in percent; counts when the context is known.
    pub listing_percent: u32,
    /// Where the listing stands.
    pub placement: Placement,
    /// What the listing may say about servers that are not trusted.
    pub untrusted: Untrusted,
    /// Tools, servers or tags to defer although they would be visible: the agent's own, pinned ones.
    /// A tool by its name, a server as `server:github`, a tag as `tag:rare`.
    pub defer: Vec<String>,
    /// Tools, servers or tags never to defer, written in the same way. Wins over `defer`.
    pub pin: Vec<String>,
    /// Whether tools that ask the user may be deferred. Deferred, they were used 7 times out of 18
    /// where they were used 18 times visible, so `defer` alone does not do it.
    pub force_defer: bool,
    /// Tools without which the conversation cannot work; when one is not granted, assembling fails.
    pub required: Vec<String>,
    /// In which order the visible tools come.
    pub order: Order,
}

impl Default for AssembleSettings {
    fn default() -> Self {
        AssembleSettings {
            mode: Mode::Auto,
            threshold_percent: 10,
            threshold_tokens: 20_000,
            listing_max_tokens: 1_600,
            listing_percent: 5,
            placement: Placement::Description,
            untrusted: Untrusted::Names,
            defer: Vec::new(),
            pin: Vec::new(),
            force_defer: false,
            required: Vec::new(),
            order: Order::Given,
        }
    }
}

/// Whether to defer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Mode {
    /// When the schemas reach a threshold and deferring them saves tokens.
    #[default]
    Auto,
    /// Whenever there is anything to defer.
    On,
    /// Never.
    Off,
}

/// Where the listing stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Placement {
    /// In the description of the search tool.
    #[default]
    Description,
    /// In a text of its own, for the host to put where it likes. The three definitions are then
    /// the same bytes for every catalog, so that a prompt cache survives any change of tools.
    Block,
}

/// In which order the visible tools come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// As in the snapshot.
    #[default]
    Given,
    /// By server and name, so that the order of registration does not reach the prompt.
    Name,
}

/// What a model is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// Whether tools are deferred. If not, the host shows its own list, byte for byte.
    pub active: bool,
    /// Why, or why not.
    pub reason: Reason,
    /// The tools to show directly, in order.
    pub visible: Vec<Visible>,
    /// The bridge tools, to show after the others; empty when nothing is deferred.
    pub bridge: Vec<Definition>,
    /// The listing, with [`Placement::Block`]; otherwise empty.
    pub block: String,
    /// How many tools are deferred.
    pub deferred: u32,
    /// What the listing says.
    pub listing_form: ListingForm,
    /// Estimated tokens of the definitions that are, or could be, deferred.
    pub deferred_tokens: u32,
    /// Estimated tokens of all definitions in the catalog.
    pub total_tokens: u32,
    /// Estimated tokens of the bridge tools and the listing, wherever it stands.
    pub bridge_tokens: u32,
    /// The threshold that counted, in estimated tokens.
    pub threshold_tokens: u32,
    /// Entries of `defer` that were not followed, each with the reason.
    pub warnings: Vec<String>,
}

/// Why tools are deferred or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// They are deferred.
    Deferred,
    /// Deferring is off.
    Off,
    /// There is nothing to defer.
    NothingToDefer,
    /// The schemas are below the threshold.
    BelowThreshold,
    /// The bridge would cost as many tokens as it saves.
    SavesNothing,
}

impl Reason {
    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Deferred => "deferred",
            Reason::Off => "off",
            Reason::NothingToDefer => "nothing-to-defer",
            Reason::BelowThreshold => "below-threshold",
            Reason::SavesNothing => "saves-nothing",
        }
    }
}

/// A tool to show directly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visible {
    /// What the catalog calls it.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// Its server; empty for none.
    pub server: String,
}

/// Why nothing was assembled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssembleError {
    /// These tools are required and not in the catalog.
    MissingRequired(Vec<String>),
}

impl std::fmt::Display for AssembleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AssembleError::MissingRequired(names) => {
                write!(f, "required tools were not granted: {}", names.join(", "))
            }
        }
    }
}

impl std::error::Error for AssembleError {}

/// Tools with which a model reads what it lost: useless when they must be found first.
const ALWAYS_VISIBLE: [&str; 1] = ["weir_fetch"];

/// Tools that ask the user, folded as by [`super::names::fold`].
const ASK_THE_USER: [&str; 12] = [
    "clarify",
    "ask",
    "askuser",
    "askuserquestion",
    "askhuman",
    "askfollowupquestion",
    "askquestion",
    "askquestions",
    "requestuserinput",
    "requestinput",
    "userinput",
    "elicit",
];

impl Catalog {
    /// Decides what a model sees: a pure function of the catalog, the settings and the context's
    /// size in estimated tokens (0 when unknown).
    ///
    /// # Errors
    /// [`AssembleError`] when a required tool was not granted.
    pub fn assemble(
        &self,
        settings: &AssembleSettings,
        context_tokens: u32,
    ) -> Result<Assembly, AssembleError> {
        let missing: Vec<String> = settings
            .required
            .iter()
            .filter(|name| !matches!(self.find(name), super::names::Found::One(_)))
            .cloned()
            .collect();
        if !missing.is_empty() {
            return Err(AssembleError::MissingRequired(missing));
        }
        let (deferred, warnings) = self.deferrable(settings);
        let sum = |tools: &mut dyn Iterator<Item = &Tool>| -> usize {
            tools.map(|tool| tool.chars as usize).fold(0, usize::saturating_add)
        };
        let deferred_tokens =
            estimated_tokens(sum(&mut deferred.iter().map(|&at| &self.tools[at])));
        let total_tokens = estimated_tokens(sum(&mut self.tools.iter()));
        let threshold_tokens = threshold(settings, context_tokens);
        let mut assembly = Assembly {
            active: false,
            reason: Reason::Off,
            visible: self.shown(settings.order, &[]),
            bridge: Vec::new(),
            block: String::new(),
            deferred: 0,
            listing_form: ListingForm::None,
            deferred_tokens,
            total_tokens,
            bridge_tokens: 0,
            threshold_tokens,
            warnings,
        };
        assembly.reason = match settings.mode {
            Mode::Off => Reason::Off,
            _ if deferred.is_empty() => Reason::NothingToDefer,
            Mode::Auto if deferred_tokens < threshold_tokens => Reason::BelowThreshold,
            Mode::Auto | Mode::On => Reason::Deferred,
        };
        if assembly.reason != Reason::Deferred {
            return Ok(assembly);
        }
        let listing = listing(
            self,
            &deferred,
            settings.untrusted,
            listing_budget(settings, context_tokens),
            &self.bridge.call,
        );
        let (bridge, block) = match settings.placement {
            Placement::Description => {
                (bridge::definitions(&self.bridge, &listing.text), String::new())
            }
            Placement::Block => (bridge::definitions(&self.bridge, ""), listing.text.clone()),
        };
        let block_tokens = if block.is_empty() { 0 } else { listing.estimated_tokens };
        let bridge_tokens =
            bridge.iter().map(Definition::estimated_tokens).sum::<u32>() + block_tokens;
        if settings.mode == Mode::Auto && deferred_tokens <= bridge_tokens {
            assembly.reason = Reason::SavesNothing;
            return Ok(assembly);
        }
        assembly.active = true;
        assembly.visible = self.shown(settings.order, &deferred);
        assembly.deferred = deferred.len() as u32;
        assembly.listing_form = listing.form;
        assembly.bridge_tokens = bridge_tokens;
        assembly.bridge = bridge;
        assembly.block = block;
        Ok(assembly)
    }

    /// The places of the tools that may be deferred, ascending, and what of `defer` was refused.
    fn deferrable(&self, settings: &AssembleSettings) -> (Vec<usize>, Vec<String>) {
        let pinned = self.selected(&settings.pin);
        let named = self.selected(&settings.defer);
        let mut warnings = Vec::new();
        let mut deferred = Vec::new();
        for (at, tool) in self.tools.iter().enumerate() {
            let own = tool.definition.origin != Origin::Mcp;
            let asks =
                own && ASK_THE_USER.contains(&super::names::fold(&tool.definition.name).as_str());
            let always = ALWAYS_VISIBLE.contains(&tool.definition.name.as_str());
            let by_default = tool.definition.origin != Origin::Core && !tool.definition.pinned;
            if pinned.contains(&at) {
                continue;
            }
            if named.contains(&at) {
                if always {
                    warnings.push(format!("{} stays visible: it reads stored results", tool.id));
                } else if asks && !settings.force_defer {
                    warnings.push(format!(
                        "{} stays visible: models do not look for a way to ask the user; force it \
                         if you must",
                        tool.id
                    ));
                } else {
                    deferred.push(at);
                }
            } else if by_default && !always && !asks {
                deferred.push(at);
            }
        }
        for entry in settings.defer.iter().filter(|entry| self.select(entry).is_empty()) {
            let entry = super::screen::one_line(entry, 80);
            warnings.push(format!("defer names nothing in the catalog: {entry}"));
        }
        (deferred, warnings)
    }

    fn selected(&self, entries: &[String]) -> BTreeSet<usize> {
        entries.iter().flat_map(|entry| self.select(entry)).collect()
    }

    /// What an entry of `pin` or `defer` names.
    fn select(&self, entry: &str) -> Vec<usize> {
        let places = |holds: &dyn Fn(&Tool) -> bool| -> Vec<usize> {
            (0..self.tools.len()).filter(|&at| holds(&self.tools[at])).collect()
        };
        if let Some(server) =
            entry.strip_prefix("server:").or_else(|| entry.strip_prefix("toolset:"))
        {
            places(&|tool| tool.definition.server == server)
        } else if let Some(tag) = entry.strip_prefix("tag:") {
            places(&|tool| tool.definition.tags.iter().any(|own| own == tag))
        } else {
            match self.find(entry) {
                super::names::Found::One(at) => vec![at],
                // A name that several tools share means all of them here.
                super::names::Found::Many(places) => places,
                super::names::Found::None => Vec::new(),
            }
        }
    }

    /// All tools but the deferred ones (ascending places), in order.
    fn shown(&self, order: Order, deferred: &[usize]) -> Vec<Visible> {
        let by_name: Vec<u32>;
        let places = match order {
            Order::Given => &self.order,
            Order::Name => {
                by_name = (0..self.tools.len() as u32).collect();
                &by_name
            }
        };
        places
            .iter()
            .map(|&at| at as usize)
            .filter(|at| deferred.binary_search(at).is_err())
            .map(|at| {
                let tool = &self.tools[at];
                Visible {
                    id: tool.id.clone(),
                    name: tool.definition.name.clone(),
                    server: tool.definition.server.clone(),
                }
            })
            .collect()
    }
}

fn percent_of(context_tokens: u32, percent: u32) -> u32 {
    (u64::from(context_tokens) * u64::from(percent.min(100)) / 100) as u32
}

fn threshold(settings: &AssembleSettings, context_tokens: u32) -> u32 {
    match context_tokens {
        0 => settings.threshold_tokens,
        known => percent_of(known, settings.threshold_percent).min(settings.threshold_tokens),
    }
}

fn listing_budget(settings: &AssembleSettings, context_tokens: u32) -> u32 {
    match context_tokens {
        0 => settings.listing_max_tokens,
        known => percent_of(known, settings.listing_percent).min(settings.listing_max_tokens),
    }
}
