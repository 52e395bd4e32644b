//! In which eras a server can be spoken to, and in which of them its lists are asked for.
//!
//! Some servers offer skills in one era alone, and choose it by the first message of a process. What a server offers must not
//! depend on which client came first: so a server that is not known is asked in the modern way first, as the specification
//! wants it of clients of both eras, and one with skills in one era alone is listed in that one.

use serde::{Deserialize, Serialize};
use weir_base::unix_now;
use weir_mcp::json::Json;
use weir_mcp::methods::SKILLS;
use weir_mcp::wire::Era;

/// For how many seconds what a server offered counts. Then it is asked anew: it may be another version.
const COUNTS_FOR: u64 = 7 * 24 * 3_600;

/// What a server offers in an era.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// It does not speak it.
    Nothing,
    /// What most servers have.
    Tools,
    /// Skills as well.
    Skills,
}

impl Offer {
    /// What these capabilities offer.
    pub(crate) fn of(capabilities: &Json) -> Offer {
        match capabilities.get(&["extensions", SKILLS]) {
            Some(_) => Offer::Skills,
            None => Offer::Tools,
        }
    }
}

/// What a server offers in each era, as far as it was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Eras {
    legacy: Option<Offer>,
    modern: Option<Offer>,
    /// Since when that is known, in seconds since 1970.
    since: u64,
}

/// The other one.
pub(crate) fn other(era: Era) -> Era {
    match era {
        Era::Legacy => Era::Modern,
        Era::Modern => Era::Legacy,
    }
}

impl Eras {
    fn of(&self, era: Era) -> Option<Offer> {
        match era {
            Era::Legacy => self.legacy,
            Era::Modern => self.modern,
        }
    }

    /// Takes note of what it offers in an era.
    pub(crate) fn note(&mut self, era: Era, offer: Offer) {
        match era {
            Era::Legacy => self.legacy = Some(offer),
            Era::Modern => self.modern = Some(offer),
        }
        if self.since == 0 {
            self.since = unix_now();
        }
    }

    /// The same, with what was known before where this does not say.
    pub(crate) fn over(self, before: Eras) -> Eras {
        Eras {
            legacy: self.legacy.or(before.legacy),
            modern: self.modern.or(before.modern),
            since: if before.since == 0 { self.since } else { before.since },
        }
    }

    /// What of it still counts.
    pub(crate) fn fresh(self) -> Eras {
        match self.since.saturating_add(COUNTS_FOR) < unix_now() {
            true => Eras::default(),
            false => self,
        }
    }

    /// Whether it may speak this era.
    pub(crate) fn speaks(&self, era: Era) -> bool {
        self.of(era) != Some(Offer::Nothing)
    }

    /// Whether it has skills in the other era, and in this one none that are known.
    pub(crate) fn lacks_skills(&self, era: Era) -> bool {
        self.of(other(era)) == Some(Offer::Skills) && self.of(era) != Some(Offer::Skills)
    }

    /// The era of its lists, where clients speak `wanted`. `None` for a server that was not asked in the modern way yet.
    pub(crate) fn home(&self, wanted: Era) -> Option<Era> {
        if !self.speaks(wanted) || self.lacks_skills(wanted) {
            return Some(other(wanted));
        }
        self.modern.map(|_| wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_listed_where_it_has_skills_and_else_as_its_client_speaks() {
        use Offer::{Nothing, Skills, Tools};
        let (old, new) = (Some(Era::Legacy), Some(Era::Modern));
        for (legacy, modern, for_legacy, for_modern) in [
            (None, None, None, None),
            (Some(Tools), None, None, None),
            (None, Some(Tools), old, new),
            (Some(Tools), Some(Tools), old, new),
            (Some(Tools), Some(Nothing), old, old),
            (Some(Nothing), Some(Tools), new, new),
            // With skills in the modern era alone, as far as is known.
            (None, Some(Skills), new, new),
            (Some(Tools), Some(Skills), new, new),
            (Some(Skills), Some(Skills), old, new),
            (Some(Skills), Some(Tools), old, old),
        ] {
            let eras = Eras { legacy, modern, since: unix_now() };
            assert_eq!(eras.home(Era::Legacy), for_legacy, "{eras:?}");
            assert_eq!(eras.home(Era::Modern), for_modern, "{eras:?}");
        }
    }

    #[test]
    fn what_is_learnt_is_kept_for_a_week_and_then_asked_again() {
        let mut first = Eras::default();
        first.note(Era::Modern, Offer::Nothing);
        first.since -= COUNTS_FOR - 60;
        let mut later = Eras::default();
        later.note(Era::Legacy, Offer::Tools);
        let both = later.over(first);
        assert_eq!((both.fresh(), both.since), (both, first.since));
        assert!(!both.speaks(Era::Modern) && both.speaks(Era::Legacy));
        let old = Eras { since: both.since - 120, ..both };
        assert_eq!(old.fresh(), Eras::default());
        // A file that is damaged may have any number.
        let never = Eras { since: u64::MAX, ..both };
        assert_eq!(never.fresh(), never);
    }
}
