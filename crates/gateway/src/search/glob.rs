//! Names with wildcards.

/// Whether `text` matches `glob`, in which `*` stands for any characters and `?` for one.
pub fn glob_matches(glob: &str, text: &str) -> bool {
    wildmatch::WildMatch::new(glob).matches(text)
}

/// Whether a word is one of a list, in which blanks stand between words.
pub(crate) fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        for (glob, text, expected) in [
            ("*", "", true),
            ("get_*", "get_issue", true),
            ("get_*", "forget_it", false),
            ("*delete*", "soft_delete_all", true),
            ("?et", "set", true),
            ("?et", "et", false),
            ("a*b*c", "a_b_b_c", true),
            ("a*b*c", "a_b_b_", false),
        ] {
            assert_eq!(glob_matches(glob, text), expected, "{glob} {text}");
        }
    }
}
