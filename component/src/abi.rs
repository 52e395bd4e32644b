//! What the contract generates, and the exports; nothing by hand.
//!
//! Not called `bindings`: `cargo component build` leaves a file of that name beside the sources.
#![expect(unsafe_code, reason = "exported functions take and give raw pointers, as the ABI says")]
#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

wit_bindgen::generate!({ path: "../wit", world: "plugin" });

use super::guest::Component;
export!(Component with_types_in self);
