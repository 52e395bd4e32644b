//! Content-addressed storage for results that were too large to show.
//!
//! A blob is named by the SHA-256 of its bytes: storing the same result twice stores it once, and a
//! reader can check that it got what was written. Who may read it is said by references, one small
//! file for each session and blob. There is no index that everyone writes to and there are no
//! locks, so any number of processes on one directory never wait for each other and cannot damage
//! more than one another's current call.
//!
//! # On disk
//!
//! ```text
//! <root>/
//! ├── version            what wrote this store
//! ├── blobs/5f/5f1e0c…   the blobs, split on the first byte of the digest (format: `blob`)
//! ├── refs/<session>/    what each session holds and held (names: `refs`)
//! ├── tmp/               w<n>: being written; <digest>.<n>: a blob being removed; foreign-<n>: what
//! │                      lay in the place of a file of the store
//! ├── usage/             how much room the blobs take (`usage`)
//! ├── stats/             what the store was used for (`stats`)
//! ├── heartbeat, idle    when the store was in use (`clock`)
//! ├── upkeep             where the last turn of looking after it stopped (`upkeep`)
//! └── census             what the last sweep counted
//! ```
//!
//! # A put, step by step
//!
//! 1. *touch* the blob, if it is there; read it through to see that it is whole; skip to 4
//! 2. write a temporary file, set its time, sync it, check its length
//! 3. reserve room, *publish* the file: give it its name if that is free
//! 4. write the *reference*, sync it and both directories
//! 5. *check* that the blob and the reference are there; else start over
//!
//! Only then is the id given out; it is unique in its session, not in the store. Stopped anywhere
//! before, there is at worst a temporary file (a later put removes it), too much room reserved (a
//! sweep gives it back), or a blob that nobody holds (a sweep removes it after the grace time).
//!
//! # A removal, step by step
//!
//! 1. *away*: rename the blob to a name in `tmp/`
//! 2. *look* at its time: touched since it was chosen? put it back
//! 3. *entomb*: rename each reference to its tombstone; used since it was chosen? undo everything
//! 4. unlink the blob
//!
//! Stopped anywhere, the next sweep puts the blob back and looks afresh; a reader who comes between
//! finds it under the other name. Why no interleaving of the two kills a handle:
//!
//! - The put's *touch* comes before *away*: then *look* sees it.
//! - The *touch* comes after *away*: then it finds nothing, and the put publishes the blob anew.
//!   The removal unlinks what it renamed, not what was published.
//! - The put had the file open, and its touch reached the file only after *look*: then its *check*
//!   comes after *away*, finds nothing, and the put starts over with the bytes it still has.
//! - The put renewed a reference before *entomb*: its time is new, and everything is undone.
//! - The put found the reference gone: it writes a new one, which *entomb* does not touch: the
//!   renamed file is the old one. Reference and tombstone then lie side by side, and the reference
//!   counts.
//! - A reader's touch of a reference works as a put's does, and so does a pin's.
//! - What is forgotten goes at once, without a grace time: a put of the same bytes that comes between
//!   its *touch* and its *check* starts over, with the bytes in memory or in the file that it has open.
//!
//! # What is not here
//!
//! What to store (`spill`), what to show of it (`fetch`). No tools, no JSON but the records' own.

#![cfg_attr(
    not(target_os = "wasi"),
    expect(clippy::disallowed_methods, reason = "this module is the edge to the file system")
)]

mod base;
pub(crate) mod blob;
mod census;
mod clock;
mod disk;
mod doctor;
mod error;
mod fault;
mod files;
mod leftovers;
mod locate;
mod meter;
mod put;
mod record;
mod refs;
mod remove;
mod session;
mod stats;
mod status;
mod sweep;
mod upkeep;
mod usage;

#[cfg(test)]
mod tests;

pub use base::BlobStore;
pub use blob::Blob;
pub use census::Census;
pub use disk::MEMORY;
#[cfg(all(target_os = "wasi", feature = "results"))]
pub(crate) use disk::has_directory;
pub use doctor::{Doctor, Report};
pub(crate) use error::listed;
pub use error::{LookupError, StoreError};
pub use put::{BlobWriter, Published, Stored};
pub use record::{Entry, PageOf, Reason, Record, Tombstone};
pub(crate) use record::{PART, REWRITTEN};
pub use refs::{Page, is_cursor};
pub use remove::Forgotten;
pub use stats::{FetchStats, Outcome, PutCount, Stats};
pub use status::Status;
pub use sweep::{Progress, Sweeper};
