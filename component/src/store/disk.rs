//! The file system, as the store needs it: a dozen operations on paths.
//!
//! Two bodies behind one face. Outside the sandbox the standard library does the work. Inside it
//! WASI is called directly, for three reasons:
//!
//! - The C library opens every file for writing with `mutate-directory`, which is for directories
//!   only: wasmtime ignores the flag, the usual shim for JavaScript refuses the file.
//! - It reads only below a directory with a name that the program knows. Here the only directory
//!   will do, whatever the host calls it.
//! - It turns error codes into numbers, which no message can explain.
//!
//! Times are set to *now* by the host's own clock: some hosts set any other time wrongly.

mod types;

#[cfg(not(target_os = "wasi"))]
mod native;
#[cfg(target_os = "wasi")]
mod wasi;

#[cfg(not(target_os = "wasi"))]
use native as body;
#[cfg(target_os = "wasi")]
use wasi as body;

pub(super) use body::{
    File, append, create_dir_all, create_new, link, list, nonce, open, overwrite, remove_dir,
    remove_file, rename, stat, sync_dir, touch,
};
pub(super) use types::{Kind, Listing};
