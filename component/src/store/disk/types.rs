//! What both bodies answer with.

use std::time::SystemTime;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symlink, a FIFO, a device: nothing that the store makes, and nothing that it opens.
    Other,
}

/// What is known of a name without opening it. Symlinks are not followed.
#[derive(Debug, Clone, Copy)]
pub(in crate::store) struct Stat {
    /// What it is.
    pub(in crate::store) kind: Kind,
    /// Its length in bytes.
    pub(in crate::store) len: u64,
    /// When it was last changed.
    pub(in crate::store) modified: SystemTime,
}

/// The answer for a directory.
pub(in crate::store) enum Listing {
    /// Nothing is there.
    Missing,
    /// Something is there, but no directory. A symlink is none: it would lead out of the store.
    Other,
    /// The names in it, in no order, and how many entries have none that is UTF-8.
    Names(Vec<String>, u64),
}
