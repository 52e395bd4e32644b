//! What the contract's definition generates; nothing by hand but what its stubs end in.
#![expect(unsafe_code, reason = "exported functions take and give raw pointers, as the ABI says")]
#![allow(missing_docs, unreachable_pub, clippy::all, reason = "generated")]

// The body of every generated stub is `unreachable!()`. Here that is where the misdeed is done, so
// that all functions of the contract do it, whatever functions that has.
macro_rules! unreachable {
    ($($why:tt)*) => {
        crate::misdeeds::commit()
    };
}

wit_bindgen::generate!({ path: "../../../wit", world: "plugin", stubs });
