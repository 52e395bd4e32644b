//! What a foreign text may carry into a prompt: letters yes, tricks no.
//!
//! Tool names and descriptions are written by whoever runs the server. Hidden characters and role tags are flagged when a
//! catalog is built, and removed by [`super::clean`] wherever such text is shown. Schemas are shown unchanged, as a call must fit
//! them. Wordings are not judged: orders to a model are told from descriptions by no list.

pub(crate) mod characters;
pub(crate) mod roles;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use crate::content::unescape::Unescape;
use crate::sort::sort;

use characters::{Class, classes};
use roles::{has_role_tags, has_short_turns, has_turns};

/// What is suspicious about a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Suspicion {
    /// Characters that take no room: zero-width, variation and tag characters.
    HiddenCharacters,
    /// Characters that reorder what is displayed.
    Bidirectional,
    /// Control characters other than line breaks and tabs.
    Control,
    /// Marks that chat formats use to switch roles, such as `<|im_start|>` or `</system>`.
    RoleTag,
}

impl Suspicion {
    /// A few words that say what was found.
    pub fn as_str(self) -> &'static str {
        match self {
            Suspicion::HiddenCharacters => "hidden characters",
            Suspicion::Bidirectional => "bidirectional control characters",
            Suspicion::Control => "control characters",
            Suspicion::RoleTag => "a role tag",
        }
    }
}

/// What is said of a text that leads away from a tool of another server.
pub(crate) const DIVERSION: &str = "tells a model not to use a tool of another server";

/// What is suspicious about `text`, each kind once, in a fixed order.
pub fn suspicions(text: &str) -> Vec<Suspicion> {
    let mut found = Vec::new();
    let mut see = |suspicion| {
        if !found.contains(&suspicion) {
            found.push(suspicion);
        }
    };
    let bytes = text.as_bytes();
    if is_odd(bytes) {
        for (_, _, class) in classes(text) {
            match class {
                Class::Plain | Class::Break => {}
                Class::Hidden => see(Suspicion::HiddenCharacters),
                Class::Bidi => see(Suspicion::Bidirectional),
                Class::Control => see(Suspicion::Control),
            }
        }
    }
    if has_short_turns(text) || has_turns(bytes) || has_role_tags(bytes) {
        see(Suspicion::RoleTag);
    }
    sort(&mut found);
    found
}

/// Whether a text is more than plain ASCII: most is, and one pass over bytes tells whether a closer look is needed.
fn is_odd(bytes: &[u8]) -> bool {
    let is_odd = |b: u8| !(0x20..0x7f).contains(&b) && !matches!(b, b'\n' | b'\r' | b'\t');
    bytes.chunks(64).any(|chunk| chunk.iter().fold(false, |odd, &b| odd | is_odd(b)))
}

/// A text in JSON as it is read, whose strings may write any character in another way.
pub fn as_read(json: &str) -> Cow<'_, str> {
    if !json.contains('\\') {
        return json.into();
    }
    let (mut read, mut reader) = (Vec::with_capacity(json.len()), Unescape::new());
    reader.push(json.as_bytes(), &mut read);
    reader.finish(&mut read);
    // The character zero stands in patterns.
    read.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b'?');
    let read = String::from_utf8(read);
    read.unwrap_or_else(|odd| String::from_utf8_lossy(odd.as_bytes()).into_owned()).into()
}
