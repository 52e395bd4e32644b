//! Where a search by lines goes on, with all that was counted before.

use super::more;

/// What was counted up to a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Matches; lines, when lines without a match are wanted.
    pub matches: u64,
    /// Lines that these are in.
    pub lines: u64,
}

/// Where a search goes on, and what it found before: between two lines, or inside of one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The byte.
    pub byte: u64,
    /// The byte that the search began at.
    pub since: u64,
    /// What was counted from there to here.
    pub counts: Counts,
    /// Whether the line that the byte is in is among the lines counted.
    pub counted: bool,
    /// The byte from which on a match in that line is a hit of its own: 0 for any.
    pub hit_from: u64,
    /// Whether a match ends here, so that an empty one is none.
    pub after_match: bool,
    /// Whether a match longer than [`crate::limits::GREP_OVERLAP_BYTES`] may have been missed.
    pub windowed: bool,
    /// What there is in all, when an earlier call went to the end.
    pub all: Option<Counts>,
}

impl Place {
    /// A search from a byte on.
    pub fn at(byte: u64) -> Place {
        Place { byte, since: byte, ..Place::default() }
    }

    /// The same, with what [`Place::so_far`] wrote.
    pub(super) fn with_so_far(self, text: &str) -> Option<Place> {
        let mut parts = text.split(':');
        let mut number = || more::count(parts.next()?);
        let since = number()?;
        let counts = Counts { matches: number()?, lines: number()? };
        let mut place = Place { since, counts, ..self };
        for mark in parts {
            match mark {
                "o" => place.counted = true,
                "w" => place.windowed = true,
                _ => return None,
            }
        }
        Some(place)
    }

    /// What was found up to here, as a model is told it.
    pub(super) fn so_far(&self) -> String {
        let Place { since, counts: Counts { matches, lines }, .. } = self;
        let mut text = format!("{since}:{matches}:{lines}");
        for (mark, is_set) in [(":o", self.counted), (":w", self.windowed)] {
            text.push_str(if is_set { mark } else { "" });
        }
        text
    }

    /// Reads what was written; nothing when it is none.
    pub fn parse(text: &str) -> Option<Place> {
        let mut parts = text.split(':');
        let mut place = Place::at(0);
        let numbers = [
            &mut place.byte,
            &mut place.since,
            &mut place.counts.matches,
            &mut place.counts.lines,
            &mut place.hit_from,
        ];
        for number in numbers {
            *number = more::count(parts.next()?)?;
        }
        for mark in parts.next()?.chars() {
            match mark {
                'o' => place.counted = true,
                'e' => place.after_match = true,
                'w' => place.windowed = true,
                _ => return None,
            }
        }
        if let Some(matches) = parts.next() {
            let matches = more::count(matches)?;
            place.all = Some(Counts { matches, lines: more::count(parts.next()?)? });
        }
        parts.next().is_none().then_some(place)
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Place { byte, since, counts: Counts { matches, lines }, hit_from, .. } = self;
        write!(f, "{byte}:{since}:{matches}:{lines}:{hit_from}:")?;
        for (mark, is_set) in [("o", self.counted), ("e", self.after_match), ("w", self.windowed)] {
            f.write_str(if is_set { mark } else { "" })?;
        }
        match self.all {
            Some(all) => write!(f, ":{}:{}", all.matches, all.lines),
            None => Ok(()),
        }
    }
}
