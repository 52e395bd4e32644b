//! A text made from bytes, and which byte each of its places stands for.

/// A text and where its parts come from.
#[derive(Debug, Default)]
pub(super) struct Mapped {
    text: Vec<u8>,
    /// Places in the text and in the bytes from which on both advance alike, in order. Up to the next
    /// mark, that is: one of the two may get there sooner and waits.
    marks: Vec<(usize, usize)>,
}

impl Mapped {
    /// `bytes` with each byte that is not part of a character as one U+FFFD.
    pub(super) fn valid(bytes: &[u8]) -> Mapped {
        let mut mapped = Mapped::default();
        mapped.push_valid(bytes, 0);
        mapped.end(bytes.len());
        mapped
    }

    /// Adds the bytes that start at `at`, each that is not part of a character as one U+FFFD.
    pub(super) fn push_valid(&mut self, bytes: &[u8], mut at: usize) {
        for chunk in bytes.utf8_chunks() {
            self.push(chunk.valid().as_bytes(), at);
            at += chunk.valid().len();
            for _ in chunk.invalid() {
                self.push("\u{FFFD}".as_bytes(), at);
                at += 1;
            }
        }
    }

    /// Adds a text that starts at the byte `at`.
    pub(super) fn push(&mut self, text: &[u8], at: usize) {
        if !text.is_empty() {
            self.marks.push((self.text.len(), at));
            self.text.extend_from_slice(text);
        }
    }

    /// The text ends at the byte `at`.
    pub(super) fn end(&mut self, at: usize) {
        self.marks.push((self.text.len(), at));
    }

    /// The text.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// The byte that the place `at` in the text stands for.
    pub(super) fn to_raw(&self, at: usize) -> usize {
        let mark = self.marks.partition_point(|mark| mark.0 <= at).saturating_sub(1);
        let Some(&(text, raw)) = self.marks.get(mark) else { return at };
        let next = self.marks.get(mark + 1).map_or(usize::MAX, |next| next.1);
        (raw + (at - text.min(at))).min(next)
    }

    /// The place in the text of the byte `at`.
    pub(super) fn to_text(&self, at: usize) -> usize {
        let mark = self.marks.partition_point(|mark| mark.1 <= at).saturating_sub(1);
        let Some(&(text, raw)) = self.marks.get(mark) else { return at };
        let next = self.marks.get(mark + 1).map_or(self.text.len(), |next| next.0);
        (text + (at - raw.min(at))).min(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_go_there_and_back(bytes in proptest::collection::vec(
            prop_oneof![Just(b'a'), Just(0xC3), Just(0xA9), any::<u8>()], 0..40)) {
            let mapped = Mapped::valid(&bytes);
            prop_assert!(std::str::from_utf8(mapped.text()).is_ok());
            let mut at = 0;
            for chunk in bytes.utf8_chunks() {
                let valid = chunk.valid().char_indices().map(|(i, _)| at + i);
                let bad = (0..chunk.invalid().len()).map(|i| at + chunk.valid().len() + i);
                for place in valid.chain(bad) {
                    prop_assert_eq!(mapped.to_raw(mapped.to_text(place)), place);
                }
                at += chunk.valid().len() + chunk.invalid().len();
            }
            prop_assert_eq!(mapped.to_raw(mapped.text().len()), bytes.len());
            prop_assert_eq!(mapped.to_text(bytes.len()), mapped.text().len());
        }
    }
}
