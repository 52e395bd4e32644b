//! Words in one constant text: a slice of many takes eight bytes more for each.

/// Words that spaces divide, sorted by their first bytes, in lower case.
pub(crate) struct Listed {
    words: &'static str,
    /// Where the words of each start are.
    starts: [u16; STARTS + 1],
}

/// Starts that are told apart: digits, the letters from a to z, all else.
const STARTS: usize = 28;

impl Listed {
    pub(crate) const fn new(words: &'static str) -> Listed {
        let bytes = words.as_bytes();
        assert!(bytes.len() < u16::MAX as usize);
        let mut starts = [0; STARTS + 1];
        let (mut at, mut start) = (0, 0);
        while at < bytes.len() {
            if at == 0 || bytes[at - 1] == b' ' {
                assert!(start_of(bytes[at]) >= start, "these words are not sorted");
                while start < start_of(bytes[at]) {
                    start += 1;
                    starts[start] = at as u16;
                }
            }
            at += 1;
        }
        while start < STARTS {
            start += 1;
            starts[start] = bytes.len() as u16;
        }
        Listed { words, starts }
    }

    /// Whether `word` is among them, in whatever case of ASCII letters.
    #[inline(never)]
    pub(crate) fn has(&self, word: &str) -> bool {
        let word = word.as_bytes();
        let Some(&first) = word.first() else { return false };
        let start = start_of(first);
        let range = usize::from(self.starts[start])..usize::from(self.starts[start + 1]);
        let alike = self.words.as_bytes().get(range).unwrap_or_default();
        alike.split(|&byte| byte == b' ').any(|one| one.eq_ignore_ascii_case(word))
    }
}

const fn start_of(byte: u8) -> usize {
    match byte | 0x20 {
        b'a'..=b'z' => (byte | 0x20) as usize - b'a' as usize + 1,
        0..=b'`' => 0,
        _ => STARTS - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::Listed;

    #[test]
    fn each_word_is_found_and_no_part_of_one() {
        const WORDS: &str = "1password aws azure b zz \u{17c}eby";
        let listed = Listed::new(WORDS);
        for word in WORDS.split(' ') {
            assert!(listed.has(word), "{word}");
        }
        for word in ["", " ", "aw", "awsa", "aws azure", "c", "z", "\u{17c}e", "{", "2", "zebra"] {
            assert!(!listed.has(word), "{word}");
        }
        assert!(listed.has("AWS") && !Listed::new("").has("a"));
    }
}
