//! What a model is shown, and what decides it.

use super::wit;
use crate::search::bridge::assemble::{
    AssembleError, AssembleReason, AssembleSettings, Assembly, Mode, Order, Placement,
};
use crate::search::bridge::listing::{ListingForm, Untrusted};
use crate::search::catalog::bridge_tools::BridgeTool;

pub(super) fn settings_in(settings: wit::AssembleSettings) -> AssembleSettings {
    AssembleSettings {
        mode: match settings.mode {
            wit::AssembleMode::Auto => Mode::Auto,
            wit::AssembleMode::On => Mode::On,
            wit::AssembleMode::Off => Mode::Off,
        },
        threshold_percent: settings.threshold_percent,
        threshold_tokens: settings.threshold_tokens,
        listing_max_tokens: settings.listing_max_tokens,
        listing_percent: settings.listing_percent,
        placement: match settings.placement {
            wit::ListingPlacement::Description => Placement::Description,
            wit::ListingPlacement::Block => Placement::Block,
        },
        untrusted: match settings.untrusted {
            wit::UntrustedListing::Count => Untrusted::Count,
            wit::UntrustedListing::Names => Untrusted::Names,
            wit::UntrustedListing::Full => Untrusted::Full,
        },
        defer: settings.defer,
        pin: settings.pin,
        force_defer: settings.force_defer,
        required: settings.required,
        order: match settings.order {
            wit::ToolOrder::Given => Order::Given,
            wit::ToolOrder::Name => Order::Name,
        },
    }
}

pub(super) fn settings_out(settings: AssembleSettings) -> wit::AssembleSettings {
    wit::AssembleSettings {
        mode: match settings.mode {
            Mode::Auto => wit::AssembleMode::Auto,
            Mode::On => wit::AssembleMode::On,
            Mode::Off => wit::AssembleMode::Off,
        },
        threshold_percent: settings.threshold_percent,
        threshold_tokens: settings.threshold_tokens,
        listing_max_tokens: settings.listing_max_tokens,
        listing_percent: settings.listing_percent,
        placement: match settings.placement {
            Placement::Description => wit::ListingPlacement::Description,
            Placement::Block => wit::ListingPlacement::Block,
        },
        untrusted: match settings.untrusted {
            Untrusted::Count => wit::UntrustedListing::Count,
            Untrusted::Names => wit::UntrustedListing::Names,
            Untrusted::Full => wit::UntrustedListing::Full,
        },
        defer: settings.defer,
        pin: settings.pin,
        force_defer: settings.force_defer,
        required: settings.required,
        order: match settings.order {
            Order::Given => wit::ToolOrder::Given,
            Order::Name => wit::ToolOrder::Name,
        },
    }
}

pub(super) fn assembled(
    assembled: Result<Assembly, AssembleError>,
) -> Result<wit::Assembly, wit::AssembleError> {
    let assembly = match assembled {
        Ok(assembly) => assembly,
        Err(AssembleError::MissingRequired(names)) => {
            return Err(wit::AssembleError::MissingRequired(names));
        }
    };
    let visible = assembly.visible.into_iter();
    Ok(wit::Assembly {
        active: assembly.active,
        reason: match assembly.reason {
            AssembleReason::Deferred => wit::AssembleReason::Deferred,
            AssembleReason::Off => wit::AssembleReason::Off,
            AssembleReason::NothingToDefer => wit::AssembleReason::NothingToDefer,
            AssembleReason::BelowThreshold => wit::AssembleReason::BelowThreshold,
            AssembleReason::SavesNothing => wit::AssembleReason::SavesNothing,
        },
        visible: visible
            .map(|tool| wit::VisibleTool { id: tool.id, name: tool.name, server: tool.server })
            .collect(),
        bridge: assembly.bridge.into_iter().map(definition).collect(),
        block: assembly.block,
        deferred: assembly.deferred,
        listing: match assembly.listing_form {
            ListingForm::None => wit::ListingForm::None,
            ListingForm::Groups => wit::ListingForm::Groups,
            ListingForm::Mixed => wit::ListingForm::Mixed,
            ListingForm::Names => wit::ListingForm::Names,
            ListingForm::Signatures => wit::ListingForm::Signatures,
            ListingForm::Full => wit::ListingForm::Full,
        },
        deferred_tokens: assembly.deferred_tokens,
        total_tokens: assembly.total_tokens,
        bridge_tokens: assembly.bridge_tokens,
        threshold_tokens: assembly.threshold_tokens,
        warnings: assembly.warnings,
    })
}

pub(super) fn definition(definition: BridgeTool) -> wit::BridgeDefinition {
    wit::BridgeDefinition {
        name: definition.name,
        description: definition.description,
        input_schema: definition.input_schema,
    }
}
