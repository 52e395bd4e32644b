//! What a foreign text may carry into a prompt: letters yes, tricks no.
//!
//! Tool names and descriptions are written by whoever runs the server. Hidden characters, role
//! tags and text that gives orders to a model are flagged when a catalog is built, and removed or
//! clipped by [`super::clean`] wherever such text is shown. Schemas are shown unchanged, as a call must fit them.

pub(crate) mod characters;
pub(crate) mod roles;

mod foreign;
mod matching;
mod orders;
#[cfg(test)]
mod tests;

use crate::content::unescape::decoded;
use crate::sort::sort;

use characters::{Class, classes};
use matching::Words;
use roles::{has_short_turns, is_role_tag, is_turn};

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
    /// Text that gives a model orders beyond the use of the tool.
    Instruction,
}

impl Suspicion {
    /// A few words that say what was found.
    pub fn as_str(self) -> &'static str {
        match self {
            Suspicion::HiddenCharacters => "hidden characters",
            Suspicion::Bidirectional => "bidirectional control characters",
            Suspicion::Control => "control characters",
            Suspicion::RoleTag => "a role tag",
            Suspicion::Instruction => "instruction-like text",
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
    // Most text is plain ASCII: one pass over bytes tells whether a closer look is needed.
    let bytes = text.as_bytes();
    let is_odd = |b: u8| !(0x20..0x7f).contains(&b) && !matches!(b, b'\n' | b'\r' | b'\t');
    if bytes.chunks(64).any(|chunk| chunk.iter().fold(false, |odd, &b| odd | is_odd(b))) {
        for (_, _, class) in classes(text) {
            match class {
                Class::Plain | Class::Break => {}
                Class::Hidden => see(Suspicion::HiddenCharacters),
                Class::Bidi => see(Suspicion::Bidirectional),
                Class::Control => see(Suspicion::Control),
            }
        }
        if foreign::has_order(text) {
            see(Suspicion::Instruction);
        }
    }
    if has_short_turns(text) {
        see(Suspicion::RoleTag);
    }
    let mut words = Words::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_alphanumeric() {
            if is_turn(bytes, at) {
                see(Suspicion::RoleTag);
            }
            at = words.add(bytes, at);
            continue;
        }
        if is_role_tag(bytes, at) {
            see(Suspicion::RoleTag);
        }
        at += 1;
    }
    if words.have_order(bytes) {
        see(Suspicion::Instruction);
    }
    sort(&mut found);
    found
}

/// The same of a text in JSON, whose strings may write any character in another way.
pub fn suspicions_in_json(json: &str) -> Vec<Suspicion> {
    match json.contains('\\') {
        // The character zero stands in patterns.
        true => suspicions(&decoded(json.as_bytes()).replace('\0', "?")),
        false => suspicions(json),
    }
}
