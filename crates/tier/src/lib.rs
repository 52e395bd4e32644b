//! Stored results past one machine.
//!
//! A store stays one directory of one machine. Here it is a cache: what several gateways share is in an object store,
//! and a result counts as stored when it is there.
//!
//! ```text
//! blobs/<digest>          a blob, as its file is in a store; never changed, the same from whoever writes it
//! blobs/<digest>.<view>   the blob that was derived from it
//! refs/<session>/<id>     a session holds that blob: the record, as it is in a store; its time is the last use, by the hour
//! refs/<session>/<id>.pin and keeps it
//! grants/<session>/<id>   and may read it, as long as the session that is named in it holds it
//! gone/<time>.<session>.<id>   it was to be forgotten everywhere
//! away/                   blobs that nobody held, for a while
//! leases/sweep.<n>        who sweeps in the nth six hours
//! state/, claims/         the gateways' own: see there
//! ```
//!
//! Objects are made and removed, never edited; there are no locks and there is no leader.
//!
//! # A put
//!
//! 1. put the blobs if they are not there, then create the reference
//! 2. were the blobs there already: look whether they still are, else start over
//!
//! # A removal
//!
//! 1. give the blob, which no reference holds and which is old, a name in `away/`
//! 2. list the references again: held now? give it back its name
//! 3. remove it from `away/` when it has been there for a while
//!
//! A put that found the blob before step 1 has made its reference before step 2, or looks after step 1 and starts over. A
//! blob that a put makes anew is young. Readers look in `away/` too. Stopped anywhere, the next sweep goes on; two sweeps at
//! once do the same.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod bucket;
mod directory;
mod error;
mod local;
mod objects;
mod settings;
mod sweep;
mod tier;

pub use bucket::Bucket;
pub use directory::Directory;
pub use error::TierError;
pub use objects::{Found, Objects};
pub use settings::{Durability, Settings};
pub use sweep::{Audit, Held, Swept};
pub use tier::{Counts, Tier};
