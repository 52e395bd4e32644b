//! What is transformed, read and searched: a log, and an array of records in one line.
//!
//! Both come from a fixed generator, so that two machines and two runs have the same bytes. Near the
//! start stands a number of twelve digits that each run sets anew: a text that is stored already
//! would not be stored again.

use std::fmt::Write as _;

/// A text, and what it is known to hold.
pub(crate) struct Corpus {
    /// The text.
    pub(crate) text: String,
    /// Lines in it.
    pub(crate) lines: usize,
    /// Lines that contain [`COMMON`].
    pub(crate) common: u64,
    /// The line, from 1, that [`RARE`] is in.
    pub(crate) rare_line: u64,
    stamp_at: usize,
}

/// A word of about nine lines in ten of a log.
pub(crate) const COMMON: &str = "INFO";

/// A word of one line, at 98 % of a log.
pub(crate) const RARE: &str = "needle-7f3a";

/// A line like no other.
const RARE_LINE: &str =
    "2026-03-14T15:09:26.535Z ERROR gateway needle-7f3a call 555-0199 req=1239999 ended by sigma\n";

impl Corpus {
    /// Lines of a log, about 96 bytes each.
    pub(crate) fn log(bytes: usize) -> Corpus {
        const WORDS: [&str; 8] =
            ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "sigma", "omega"];
        const SERVICES: [&str; 4] = ["gateway", "billing", "catalog", "indexer"];
        let mut text = String::with_capacity(bytes + 200);
        text.push_str("run 000000000000 begins\n");
        let mut corpus =
            Corpus { text: String::new(), lines: 1, common: 0, rare_line: 0, stamp_at: 4 };
        let mut random = Random(1);
        while text.len() < bytes {
            corpus.lines += 1;
            if corpus.rare_line == 0 && text.len() >= bytes / 100 * 98 {
                corpus.rare_line = corpus.lines as u64;
                text.push_str(RARE_LINE);
                continue;
            }
            let level = match random.below(1_000) {
                0 => "ERROR",
                1..10 => "WARN",
                10..100 => "DEBUG",
                _ => COMMON,
            };
            corpus.common += u64::from(level == COMMON);
            let seconds = corpus.lines % 86_400;
            let _ = writeln!(
                text,
                "2026-03-14T{:02}:{:02}:{:02}.{:03}Z {level} {} user={} req={} took {} ms {} {}",
                seconds / 3_600,
                seconds / 60 % 60,
                seconds % 60,
                random.below(1_000),
                SERVICES[random.below(4)],
                random.below(100_000),
                // Never ends in 9999: one line alone matches the expression that asks for that.
                random.below(900_000) * 10 + 100_000,
                random.below(5_000),
                WORDS[random.below(8)],
                WORDS[random.below(8)],
            );
        }
        corpus.text = text;
        corpus
    }

    /// Records of about 130 bytes in an array, all in one line.
    pub(crate) fn json(bytes: usize) -> Corpus {
        let mut text = String::with_capacity(bytes + 300);
        text.push_str(r#"[{"id":"000000000000","kind":"first"}"#);
        let mut random = Random(2);
        while text.len() < bytes {
            let _ = write!(
                text,
                r#",{{"id":{},"name":"customer {}","balance":{}.{:02},"active":{},"note":"seen by \"{}\" in the north","tags":["a","b{}"]}}"#,
                text.len(),
                random.below(1_000_000),
                random.below(10_000),
                random.below(100),
                random.below(2) == 0,
                random.below(10_000),
                random.below(100),
            );
        }
        text.push(']');
        Corpus { text, lines: 1, common: 0, rare_line: 0, stamp_at: 8 }
    }

    /// Makes the text differ from what it was under another number.
    pub(crate) fn stamp(&mut self, number: u64) {
        let end = self.stamp_at + 12;
        self.text.replace_range(self.stamp_at..end, &format!("{number:012}"));
    }

    /// These lines, counted from 1.
    pub(crate) fn lines(&self, start: usize, count: usize) -> String {
        self.text.split_inclusive('\n').skip(start - 1).take(count).collect()
    }
}

/// As it is printed.
pub(crate) fn size_name(bytes: usize) -> String {
    match bytes {
        b if b >= 1_000_000 => format!("{} MB", b / 1_000_000),
        b if b >= 1_000 => format!("{} KB", b / 1_000),
        b => format!("{b} B"),
    }
}

/// A linear congruential generator, with the constants of Knuth's MMIX.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The high bits are the random ones.
        ((self.0 >> 33) as usize) % bound
    }
}
