//! Between the contract's types and ours: one trait, and two macros that write its impls.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Turns a value of one side into the same value of the other.
pub(super) trait Convert<T> {
    /// The same on the other side.
    fn convert(self) -> T;
}

macro_rules! as_it_is {
    ($($ty:ty),*) => { $(impl Convert<$ty> for $ty {
        fn convert(self) -> $ty {
            self
        }
    })* };
}
as_it_is!(bool, u32, u64, i64, f32, String);

impl<A: Convert<B>, B> Convert<Vec<B>> for Vec<A> {
    fn convert(self) -> Vec<B> {
        self.into_iter().map(Convert::convert).collect()
    }
}

impl<A: Convert<B>, B> Convert<Option<B>> for Option<A> {
    fn convert(self) -> Option<B> {
        self.map(Convert::convert)
    }
}

impl Convert<u64> for usize {
    fn convert(self) -> u64 {
        self as u64
    }
}

impl Convert<u64> for Duration {
    fn convert(self) -> u64 {
        self.as_secs()
    }
}

impl Convert<Duration> for u64 {
    fn convert(self) -> Duration {
        Duration::from_secs(self)
    }
}

/// Seconds since 1970; 0 for anything before.
impl Convert<u64> for SystemTime {
    fn convert(self) -> u64 {
        self.duration_since(UNIX_EPOCH).map_or(0, |age| age.as_secs())
    }
}

/// A record from one of the same fields: `from => to { field, theirs = ours, … }`.
macro_rules! record {
    ($from:ty => $to:path { $($field:ident $(= $source:ident)?),* $(,)? }) => {
        impl $crate::guest::convert::Convert<$to> for $from {
            fn convert(self) -> $to {
                let from = self;
                $to { $($field: $crate::guest::convert::record!(@ from $field $($source)?).convert()),* }
            }
        }
    };
    ($one:path = $other:path { $($field:ident),* $(,)? }) => {
        $crate::guest::convert::record!($one => $other { $($field),* });
        $crate::guest::convert::record!($other => $one { $($field),* });
    };
    (@ $from:ident $field:ident) => { $from.$field };
    (@ $from:ident $field:ident $source:ident) => { $from.$source };
}

/// An enum from one of the same cases: `from => to { Case, … }`; with `=` both ways.
#[cfg(feature = "results")]
macro_rules! cases {
    ($from:path => $to:path { $($case:ident),* $(,)? }) => {
        impl $crate::guest::convert::Convert<$to> for $from {
            fn convert(self) -> $to {
                use $from as From;
                use $to as To;
                match self { $(From::$case => To::$case),* }
            }
        }
    };
    ($one:path = $other:path { $($case:ident),* $(,)? }) => {
        $crate::guest::convert::cases!($one => $other { $($case),* });
        $crate::guest::convert::cases!($other => $one { $($case),* });
    };
}

/// What is a word in the contract, by its `Display`.
#[cfg(feature = "results")]
macro_rules! word {
    ($($ty:ty),* $(,)?) => { $(impl $crate::guest::convert::Convert<String> for $ty {
        fn convert(self) -> String {
            self.to_string()
        }
    })* };
}

pub(super) use record;
#[cfg(feature = "results")]
pub(super) use {cases, word};
