//! What the contract's definition generates; nothing by hand.
#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

wasmtime::component::bindgen!({
    path: "../wit",
    world: "plugin",
    additional_derives: [PartialEq, serde::Serialize],
});
