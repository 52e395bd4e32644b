//! A component of Weir's world that does what it should not.
//!
//! Every function of the contract reads its orders from `/store/misdeed` and carries them out
//! (`misdeeds`). On any other target than wasm this crate is empty.
#![cfg(target_family = "wasm")]

mod bindings;
mod misdeeds;
