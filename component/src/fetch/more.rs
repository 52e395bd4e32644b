//! `more`: how an answer of a bounded piece says where the same work goes on.
//!
//! A state (a place, and all that was counted up to it) is a short text of its mode. The typed
//! functions give it sealed: with a digest of the request that it belongs to and of the state itself.
//! One that was changed, cut, or given with another request is refused, never misread. The model's
//! tool has arguments for the same states, which a model sees.

use xxhash_rust::xxh3::xxh3_64;

use super::error::FetchError;
use super::view::View;

/// What is said of a state that no answer gave.
const REFUSED: &str = "give it as an answer gave it to the same request, or leave it out";

/// Counts beyond this are nothing that was counted: sums with them could overflow.
pub(super) const MAX_COUNT: u64 = 1 << 60;

/// A state that is none of ours.
pub(super) fn refused(argument: &'static str) -> FetchError {
    FetchError::invalid(argument, REFUSED)
}

/// What a state is bound to: all of a request but the size of its pages.
#[derive(Debug, Clone)]
pub(super) struct Bond {
    request: Vec<u8>,
}

impl Bond {
    pub(super) fn new(mode: &str, session: &str) -> Bond {
        let mut bond = Bond { request: vec![FORMAT] };
        bond.text(mode).text(session);
        bond
    }

    pub(super) fn text(&mut self, part: &str) -> &mut Bond {
        self.number(part.len() as u64);
        self.request.extend_from_slice(part.as_bytes());
        self
    }

    pub(super) fn option(&mut self, part: Option<&str>) -> &mut Bond {
        match part {
            Some(part) => self.number(1).text(part),
            None => self.number(0),
        }
    }

    pub(super) fn number(&mut self, part: u64) -> &mut Bond {
        self.request.extend_from_slice(&part.to_le_bytes());
        self
    }

    pub(super) fn view(&mut self, view: View) -> &mut Bond {
        self.number(u64::from(view == View::Raw))
    }

    /// The state for outside: printable, without spaces.
    pub(super) fn seal(&self, state: &str) -> String {
        let mut sealed = format!("{:016x}.", self.digest(state));
        for byte in state.bytes() {
            match byte {
                b'!'..=b'~' if byte != b'%' => sealed.push(char::from(byte)),
                _ => sealed.push_str(&format!("%{byte:02x}")),
            }
        }
        sealed
    }

    /// The state that was sealed.
    ///
    /// # Errors
    /// [`FetchError::Invalid`] for anything that no answer to this request gave.
    pub(super) fn open(&self, more: &str) -> Result<String, FetchError> {
        let (digest, state) = more.trim().split_once('.').ok_or_else(|| refused("more"))?;
        let state = unescaped(state).ok_or_else(|| refused("more"))?;
        match digest == format!("{:016x}", self.digest(&state)) {
            true => Ok(state),
            false => Err(refused("more")),
        }
    }

    fn digest(&self, state: &str) -> u64 {
        let mut all = self.request.clone();
        all.extend_from_slice(state.as_bytes());
        xxh3_64(&all)
    }
}

/// Changes when what a state is written as does.
const FORMAT: u8 = 1;

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        bytes.push(match byte {
            b'%' => (digit(rest.next())? * 16 + digit(rest.next())?) as u8,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A number that something counted.
pub(super) fn count(text: &str) -> Option<u64> {
    text.parse().ok().filter(|count| *count <= MAX_COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bond(words: &[&str]) -> Bond {
        let mut bond = Bond::new("grep", "s");
        for word in words {
            bond.text(word);
        }
        bond
    }

    #[test]
    fn a_state_opens_for_its_own_request_alone() {
        let sealed = bond(&["a", "bc"]).seal("12.7 é%");
        assert!(sealed.bytes().all(|byte| byte.is_ascii_graphic()), "{sealed}");
        assert_eq!(bond(&["a", "bc"]).open(&sealed).unwrap(), "12.7 é%");
        for words in [&["ab", "c"][..], &["a", "bd"], &["a"], &[]] {
            assert!(bond(words).open(&sealed).is_err(), "{words:?}");
        }
        for end in 0..sealed.len() {
            assert!(bond(&["a", "bc"]).open(&sealed[..end]).is_err(), "{end}");
        }
    }

    proptest! {
        #[test]
        fn anything_else_is_refused(text in ".{0,40}", state in ".{0,20}") {
            prop_assert!(bond(&[]).open(&text).is_err());
            prop_assert_eq!(bond(&[]).open(&bond(&[]).seal(&state)).unwrap(), state);
        }
    }
}
