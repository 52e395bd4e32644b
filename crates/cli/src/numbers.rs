//! Numbers, sizes and times as people read them.

pub(crate) use weir_base::{group, size, unix_now};

/// A number of things, `1 result` or `2,000 results`.
pub(crate) fn counted(number: impl Into<u64>, thing: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", group(number))
}

/// How long ago a time was, in seconds since 1970.
pub(crate) fn age(then: u64) -> String {
    match unix_now().saturating_sub(then) {
        0..60 => "just now".into(),
        seconds @ 60..7_200 => format!("{} min ago", seconds / 60),
        seconds @ 7_200..172_800 => format!("{} h ago", seconds / 3_600),
        seconds => format!("{} days ago", seconds / 86_400),
    }
}

/// How far ahead a time is.
pub(crate) fn age_ahead(then: u64) -> String {
    match then.saturating_sub(unix_now()) {
        0..120 => "within two minutes".into(),
        seconds @ 120..7_200 => format!("in {} min", seconds / 60),
        seconds @ 7_200..172_800 => format!("in {} h", seconds / 3_600),
        seconds => format!("in {} days", seconds / 86_400),
    }
}
