//! Which tools a model sees at once, and what stands in for the rest.

use std::collections::BTreeSet;

use crate::search::bridge::listing::{ListingForm, listing};
use crate::search::bridge::settings::{AssembleSettings, Mode, Placement};
use crate::search::catalog::bridge_tools::{BridgeTool, bridge_tools};
use crate::search::catalog::definition::Origin;
use crate::search::catalog::names::Found;
use crate::search::catalog::tools::{Catalog, Tool};
use crate::search::text::clean;
use crate::search::text::fold::fold;

/// What a model is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembly {
    /// Whether tools are deferred. If not, the host shows its own list, byte for byte.
    pub active: bool,
    /// Why, or why not.
    pub reason: AssembleReason,
    /// The tools to show directly, in order.
    pub visible: Vec<Visible>,
    /// The bridge tools, to show after the others; empty when nothing is deferred.
    pub bridge: Vec<BridgeTool>,
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
pub enum AssembleReason {
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

impl AssembleReason {
    /// The word for it in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            AssembleReason::Deferred => "deferred",
            AssembleReason::Off => "off",
            AssembleReason::NothingToDefer => "nothing-to-defer",
            AssembleReason::BelowThreshold => "below-threshold",
            AssembleReason::SavesNothing => "saves-nothing",
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AssembleError {
    /// These tools are required and not in the catalog.
    #[error("required tools were not granted: {}", .0.join(", "))]
    MissingRequired(Vec<String>),
}

/// Tools with which a model reads what it lost: useless when they must be found first.
const ALWAYS_VISIBLE: [&str; 1] = ["weir_fetch"];

/// Tools that ask the user, folded as by [`crate::search::text::fold::fold`].
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

/// Decides what a model sees: a pure function of the catalog, the settings and the context's
/// size in estimated tokens (0 when unknown).
///
/// # Errors
/// [`AssembleError`] when a required tool was not granted.
pub fn assemble(
    catalog: &Catalog,
    settings: &AssembleSettings,
    context_tokens: u32,
) -> Result<Assembly, AssembleError> {
    let missing: Vec<String> = settings
        .required
        .iter()
        .filter(|name| !matches!(catalog.find(name), Found::One(_)))
        .cloned()
        .collect();
    if !missing.is_empty() {
        return Err(AssembleError::MissingRequired(missing));
    }
    let (deferred, warnings) = deferrable(catalog, settings);
    let sum = |all: u32, tool: &Tool| all.saturating_add(tool.tokens);
    let deferred_tokens = deferred.iter().map(|&at| &catalog.tools[at]).fold(0, sum);
    let total_tokens = catalog.tools.iter().fold(0, sum);
    let threshold_tokens = threshold(settings, context_tokens);
    let mut assembly = Assembly {
        active: false,
        reason: AssembleReason::Off,
        visible: shown(catalog, settings.sort_visible, &[]),
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
        Mode::Off => AssembleReason::Off,
        _ if deferred.is_empty() => AssembleReason::NothingToDefer,
        Mode::Auto if deferred_tokens < threshold_tokens => AssembleReason::BelowThreshold,
        Mode::Auto | Mode::On => AssembleReason::Deferred,
    };
    if assembly.reason != AssembleReason::Deferred {
        return Ok(assembly);
    }
    let listing = listing(
        catalog,
        &deferred,
        settings.untrusted,
        listing_budget(settings, context_tokens),
        &catalog.bridge.call,
    );
    let (within, block) = match settings.placement {
        Placement::Description => (listing.text.as_str(), String::new()),
        Placement::Block => ("", listing.text.clone()),
    };
    let bridge = bridge_tools(&catalog.bridge, within, catalog.has_skills());
    let block_tokens = if block.is_empty() { 0 } else { listing.estimated_tokens };
    let bridge_tokens = bridge.iter().map(BridgeTool::estimated_tokens).sum::<u32>() + block_tokens;
    if settings.mode == Mode::Auto && deferred_tokens <= bridge_tokens {
        assembly.reason = AssembleReason::SavesNothing;
        return Ok(assembly);
    }
    assembly.active = true;
    assembly.visible = shown(catalog, settings.sort_visible, &deferred);
    assembly.deferred = deferred.len() as u32;
    assembly.listing_form = listing.form;
    assembly.bridge_tokens = bridge_tokens;
    assembly.bridge = bridge;
    assembly.block = block;
    Ok(assembly)
}

/// The places of the tools that may be deferred, ascending, and what of `defer` was refused.
fn deferrable(catalog: &Catalog, settings: &AssembleSettings) -> (Vec<usize>, Vec<String>) {
    let pinned = selected(catalog, &settings.pin);
    let named = selected(catalog, &settings.defer);
    let mut warnings = Vec::new();
    let mut deferred = Vec::new();
    for (at, tool) in catalog.tools.iter().enumerate() {
        // A server could name its tools so to stay in sight: only trusted origins ask the user.
        let own = !matches!(tool.definition.origin, Origin::Mcp | Origin::Skill);
        let asks = own && ASK_THE_USER.contains(&fold(&tool.definition.name).as_str());
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
    for entry in settings.defer.iter().filter(|entry| select(catalog, entry).is_empty()) {
        let entry = clean::one_line(entry, 80);
        warnings.push(format!("defer names nothing in the catalog: {entry}"));
    }
    (deferred, warnings)
}

fn selected(catalog: &Catalog, entries: &[String]) -> BTreeSet<usize> {
    let mut selected = BTreeSet::new();
    selected.extend(entries.iter().flat_map(|entry| select(catalog, entry)));
    selected
}

/// What an entry of `pin` or `defer` names.
fn select(catalog: &Catalog, entry: &str) -> Vec<usize> {
    let places = |holds: &dyn Fn(&Tool) -> bool| -> Vec<usize> {
        (0..catalog.tools.len()).filter(|&at| holds(&catalog.tools[at])).collect()
    };
    if let Some(server) = entry.strip_prefix("server:").or_else(|| entry.strip_prefix("toolset:")) {
        places(&|tool| tool.definition.server == server)
    } else if let Some(tag) = entry.strip_prefix("tag:") {
        places(&|tool| tool.definition.tags.iter().any(|own| own == tag))
    } else {
        match catalog.find(entry) {
            Found::One(at) => vec![at],
            // A name that several tools share means all of them here.
            Found::Many(places) => places,
            Found::None => Vec::new(),
        }
    }
}

/// All tools but the deferred ones (ascending places), in order.
fn shown(catalog: &Catalog, sort_visible: bool, deferred: &[usize]) -> Vec<Visible> {
    let by_name: Vec<u32>;
    let places = if sort_visible {
        by_name = (0..catalog.tools.len() as u32).collect();
        &by_name
    } else {
        &catalog.order
    };
    places
        .iter()
        .map(|&at| at as usize)
        .filter(|at| deferred.binary_search(at).is_err())
        .map(|at| {
            let tool = &catalog.tools[at];
            Visible {
                id: tool.id.clone(),
                name: tool.definition.name.clone(),
                server: tool.definition.server.clone(),
            }
        })
        .collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::catalog::bridge_tools::BridgeNames;
    use crate::search::catalog::build::build as catalog_of;
    use crate::search::catalog::definition::{Server, Snapshot, ToolDefinition};
    use crate::search::find::search::search;
    use crate::search::tests::samples::{build, many, small, tool};
    use proptest::prelude::*;

    fn on() -> AssembleSettings {
        AssembleSettings { mode: Mode::On, ..AssembleSettings::default() }
    }

    fn names(assembly: &Assembly) -> Vec<&str> {
        assembly.visible.iter().map(|tool| tool.id.as_str()).collect()
    }

    #[test]
    fn with_nothing_to_defer_nothing_changes() {
        let core: Vec<ToolDefinition> = small().into_iter().take(2).collect();
        let assembly = assemble(&build(core), &on(), 0).unwrap();
        assert_eq!(assembly.reason, AssembleReason::NothingToDefer);
        assert!(!assembly.active && assembly.bridge.is_empty() && assembly.block.is_empty());
        assert_eq!(names(&assembly), ["terminal", "clarify"]);
    }

    #[test]
    fn the_threshold_is_the_lower_of_the_two() {
        // Tokens of the schemas, context, mode → whether tools are deferred.
        let catalog = build(many(75, 4));
        let tokens = assemble(&catalog, &AssembleSettings::default(), 0).unwrap().deferred_tokens;
        assert!((15_000..20_000).contains(&tokens), "{tokens}");
        let reason = |mode, context, settings: AssembleSettings| {
            assemble(&catalog, &AssembleSettings { mode, ..settings }, context).unwrap().reason
        };
        let default = AssembleSettings::default;
        for (mode, context, settings, wanted) in [
            (Mode::Auto, 0, default(), AssembleReason::BelowThreshold),
            (Mode::Auto, 32_000, default(), AssembleReason::Deferred),
            (Mode::Auto, 200_000, default(), AssembleReason::BelowThreshold),
            // A percentage alone never defers in a large context.
            (Mode::Auto, 1_000_000, default(), AssembleReason::BelowThreshold),
            (
                Mode::Auto,
                1_000_000,
                AssembleSettings { threshold_tokens: 10_000, ..default() },
                AssembleReason::Deferred,
            ),
            (
                Mode::Auto,
                0,
                AssembleSettings { threshold_tokens: tokens, ..default() },
                AssembleReason::Deferred,
            ),
            (
                Mode::Auto,
                0,
                AssembleSettings { threshold_tokens: tokens + 1, ..default() },
                AssembleReason::BelowThreshold,
            ),
            (Mode::On, 0, default(), AssembleReason::Deferred),
            (Mode::Off, 32_000, default(), AssembleReason::Off),
        ] {
            assert_eq!(
                reason(mode, context, settings.clone()),
                wanted,
                "{mode:?} {context} {settings:?}"
            );
        }
    }

    #[test]
    fn a_bridge_that_saves_nothing_is_not_built() {
        let settings = AssembleSettings {
            threshold_tokens: 0,
            threshold_percent: 0,
            ..AssembleSettings::default()
        };
        let few = || {
            let mut few = small();
            few.truncate(4);
            build(few)
        };
        let assembly = assemble(&few(), &settings, 0).unwrap();
        assert_eq!(assembly.reason, AssembleReason::SavesNothing);
        assert_eq!(assembly.visible.len(), 4);
        // Asked for in so many words it is.
        assert!(assemble(&few(), &on(), 0).unwrap().active);
    }

    #[test]
    fn what_is_needed_at_hand_stays_visible() {
        let mut tools = small();
        tools[2].pinned = true;
        tools.push(tool("x", "weir_fetch", "Read a stored result.", "{}"));
        let mut asks = tool("agent", "ask_user", "Ask.", "{}");
        asks.origin = Origin::Plugin;
        tools.push(asks);
        // A skill is not called, whatever its name.
        let mut skill = tool("agent", "ask_human", "How to ask.", "");
        skill.origin = Origin::Skill;
        tools.push(skill);
        let catalog = build(tools);
        let assembly = assemble(&catalog, &on(), 0).unwrap();
        assert_eq!(
            names(&assembly),
            ["terminal", "clarify", "create_issue", "weir_fetch", "ask_user"]
        );
        assert_eq!(assembly.deferred, 5);

        let settings = AssembleSettings {
            defer: ["terminal", "clarify", "create_issue", "weir_fetch", "gone"]
                .map(str::to_owned)
                .to_vec(),
            pin: ["server:mail", "tag:office"].map(str::to_owned).to_vec(),
            ..on()
        };
        let assembly = assemble(&catalog, &settings, 0).unwrap();
        assert_eq!(
            names(&assembly),
            ["clarify", "create_event", "send_message", "weir_fetch", "ask_user"]
        );
        assert_eq!(assembly.warnings.len(), 3, "{:?}", assembly.warnings);
        let forced = AssembleSettings { force_defer: true, ..settings.clone() };
        assert!(!names(&assemble(&catalog, &forced, 0).unwrap()).contains(&"clarify"));
        // What is pinned by name stays, whatever else is said.
        let both = AssembleSettings { pin: vec!["terminal".to_owned()], ..forced };
        assert!(names(&assemble(&catalog, &both, 0).unwrap()).contains(&"terminal"));
    }

    #[test]
    fn a_required_tool_that_was_not_granted_is_an_error() {
        let settings = AssembleSettings {
            required: vec!["terminal".to_owned(), "browser".to_owned()],
            ..AssembleSettings::default()
        };
        let missing = assemble(&build(small()), &settings, 0).unwrap_err();
        assert_eq!(missing, AssembleError::MissingRequired(vec!["browser".to_owned()]));
    }

    #[test]
    fn in_a_block_of_its_own_the_listing_leaves_the_definitions_alone() {
        let settings = AssembleSettings { placement: Placement::Block, ..on() };
        let (small, large) = (build(small()), build(many(60, 9)));
        let one = assemble(&small, &settings, 0).unwrap();
        let two = assemble(&large, &settings, 0).unwrap();
        assert_eq!(one.bridge, two.bridge);
        assert_eq!(one.bridge, bridge_tools(small.bridge_names(), "", false));
        assert!(one.block.contains("create_issue") && two.block.contains("server08"));
        let within = assemble(&small, &on(), 0).unwrap();
        assert!(within.block.is_empty() && within.bridge[0].description.ends_with(&one.block));
        assert_eq!(within.bridge[0].input_schema, one.bridge[0].input_schema);
        assert_eq!(within.bridge[1..], one.bridge[1..]);
    }

    #[test]
    fn the_surface_is_small_whatever_the_catalog() {
        let bridge: u32 = bridge_tools(&BridgeNames::default(), "", true)
            .iter()
            .map(BridgeTool::estimated_tokens)
            .sum();
        assert!(bridge <= 600, "{bridge}");
        for (count, servers, limit) in [(226, 12, 2_289), (900, 300, 4_500)] {
            let assembly =
                assemble(&build(many(count, servers)), &AssembleSettings::default(), 200_000)
                    .unwrap();
            assert!(
                assembly.active && assembly.bridge_tokens <= limit,
                "{count}: {}",
                assembly.bridge_tokens
            );
            let sum: u32 = assembly.bridge.iter().map(BridgeTool::estimated_tokens).sum();
            assert_eq!(sum, assembly.bridge_tokens);
        }
    }

    #[test]
    fn visible_tools_keep_their_order_and_may_be_sorted() {
        let mut tools = small();
        tools.reverse();
        let catalog = build(tools);
        assert_eq!(names(&assemble(&catalog, &on(), 0).unwrap()), ["clarify", "terminal"]);
        let settings = AssembleSettings { sort_visible: true, mode: Mode::Off, ..on() };
        let by_name = assemble(&catalog, &settings, 0).unwrap();
        assert_eq!(names(&by_name)[..3], ["clarify", "terminal", "create_event"]);
    }

    #[test]
    fn a_trusted_server_may_say_what_its_tools_do() {
        let servers =
            vec![Server { name: "mail".to_owned(), trusted: Some(true), ..Server::default() }];
        let snapshot = Snapshot { tools: small(), servers };
        let catalog = catalog_of(snapshot, BridgeNames::default()).unwrap();
        let text = assemble(&catalog, &on(), 0).unwrap().bridge[0].description.clone();
        assert!(
            text.contains("send_message(to, body?): Send an e-mail message\n")
                || text.ends_with("Send an e-mail message"),
            "{text}"
        );
        assert!(!text.contains("Create a calendar event"), "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn the_order_of_registration_changes_no_byte_of_the_bridge(seed in any::<u64>(), placement in any::<bool>()) {
            let mut tools = small();
            tools.extend(many(30, 6));
            let settings = AssembleSettings {
                placement: if placement { Placement::Block } else { Placement::Description },
                sort_visible: true,
                ..on()
            };
            let one = assemble(&build(tools.clone()), &settings, 100_000).unwrap();
            let mut state = seed | 1;
            for at in (1..tools.len()).rev() {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                tools.swap(at, (state >> 33) as usize % (at + 1));
            }
            prop_assert_eq!(assemble(&build(tools), &settings, 100_000).unwrap(), one);
        }

        #[test]
        fn visible_and_deferred_together_are_what_was_granted(
            granted in proptest::collection::vec(any::<bool>(), 27), defer in any::<bool>(),
        ) {
            let mut all = small();
            all.extend(many(20, 6));
            let tools: Vec<ToolDefinition> = all.into_iter().zip(granted).filter(|(_, g)| *g).map(|(t, _)| t).collect();
            let mut wanted: Vec<String> = tools.iter().map(|tool| tool.name.clone()).collect();
            crate::sort::sort(&mut wanted);
            let catalog = build(tools);
            let settings = AssembleSettings {
                defer: if defer { vec!["terminal".to_owned()] } else { vec![] },
                ..on()
            };
            let assembly = assemble(&catalog, &settings, 0).unwrap();
            let mut found: Vec<String> = assembly.visible.iter().map(|tool| tool.id.clone()).collect();
            let conversation = crate::search::find::conversation::Conversation { visible: found.clone(), ..Default::default() };
            for tool in catalog.tools() {
                let request = crate::search::find::search::SearchRequest { queries: vec![format!("select:{}", tool.id)], ..Default::default() };
                let answer = search(&catalog, &request, &conversation).unwrap();
                found.extend(answer.groups[0].matches.iter().map(|hit| hit.name.clone()));
            }
            crate::sort::sort(&mut found);
            prop_assert_eq!(found, wanted);
        }
    }
}
