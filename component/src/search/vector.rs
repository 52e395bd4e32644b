//! The meaning of words as vectors: the table of word pieces, sums of them, their cosines.

pub(crate) mod table;
pub(crate) mod unit;
