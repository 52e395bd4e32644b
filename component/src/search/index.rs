//! Tools made ready to be searched: words, postings, vectors. It knows documents, not catalogs.

pub(crate) mod allowance;
pub(crate) mod collect;
pub mod document;
pub(crate) mod grams;
pub mod inverted;
pub(crate) mod strings;
pub(crate) mod varint;
