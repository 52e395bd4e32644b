//! What the contract's definition generates; nothing by hand.
#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

/// The contract lies beside this crate, or in it where it is packed.
macro_rules! generate {
    ($($option:tt)*) => {
        #[cfg(not(packed))]
        wasmtime::component::bindgen!({
            path: "../wit",
            world: "plugin",
            additional_derives: [PartialEq, serde::Serialize],
            $($option)*
        });
        #[cfg(packed)]
        wasmtime::component::bindgen!({
            path: "wit",
            world: "plugin",
            additional_derives: [PartialEq, serde::Serialize],
            $($option)*
        });
    };
}
#[cfg(feature = "async")]
pub(crate) use generate;

generate!();
