//! The contract for calls that are awaited: [`Plugin`] has the same functions, and [`contract`] the
//! same types, as the crate's root has for calls that block.
//!
//! Made by [`Prepared::instantiate_async`](crate::embed::Prepared::instantiate_async).

pub mod bindings {
    //! What the contract's definition generates; nothing by hand.
    #![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

    crate::bindings::generate!(exports: { default: async });
}

// The types are generated for each kind of call, so what is said of them is as well.
#[expect(clippy::duplicate_mod, reason = "the same words about other types")]
#[path = "contract.rs"]
pub mod contract;
#[expect(clippy::duplicate_mod, reason = "the same words about other types")]
#[path = "plugin.rs"]
mod plugin;

pub use plugin::{Plugin, PluginIndices};
