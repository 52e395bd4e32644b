//! What the two contracts generate; nothing by hand.
#![expect(unsafe_code, reason = "exported functions take and give raw pointers, as the ABI says")]
#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

use crate::Adapter;

wit_bindgen::generate!({ path: ["../../wit", "wit"], world: "weir:ironclaw/adapter", generate_all });

export!(Adapter);
