//! What a gateway that runs does and keeps, as a page to work in (`/ui`), and what was saved and lost as a file of
//! `weir stats --html`. One look; the page needs no other file.

mod live;
mod look;
mod saved;

pub(crate) use live::{Page, act, of_gateway};
pub(crate) use look::policy;
pub use saved::of_counts;
