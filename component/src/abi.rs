//! What the contract generates, and the exports; nothing by hand.
//!
//! Not called `bindings`: `cargo component build` leaves a file of that name beside the sources.
#![expect(unsafe_code, reason = "exported functions take and give raw pointers, as the ABI says")]
#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

macro_rules! world {
    ($world:literal) => {
        wit_bindgen::generate!({
            path: "../wit",
            world: $world,
            additional_derives: [PartialEq, serde::Serialize, serde::Deserialize],
        });
    };
}

#[cfg(all(feature = "results", feature = "tools"))]
world!("plugin");
#[cfg(all(feature = "results", not(feature = "tools")))]
world!("results");
#[cfg(all(feature = "tools", not(feature = "results")))]
world!("tools");
#[cfg(not(any(feature = "results", feature = "tools")))]
compile_error!("the component needs the feature `results`, `tools`, or both");

use super::guest::Component;
export!(Component with_types_in self);
