//! Verbs that tools and people use for the same: who asks to remove something does not want the tool that adds it.

use crate::search::text::words::Stems;

/// Verbs of one kind in each line: to look, to make, to change, to remove, to start, to stop.
const KINDS: [&str; 6] = [
    "get list read show fetch describe retrieve view find search query look check see download watch",
    "create add new make insert post register provision open generate",
    "update patch modify edit change set replace put rename",
    "delete remove drop destroy terminate erase detach purge",
    "start run launch invoke execute trigger call dispatch",
    "stop cancel halt abort suspend pause disable",
];

/// What a question begins with: who asks wants to look.
const ASKING: &str = "are how is what when where which who";

/// The stem of each verb, with the kind that it is of as a bit.
pub(crate) fn kinds(stems: &Stems) -> impl Iterator<Item = (String, u8)> {
    let verbs =
        |(kind, at): (&'static &'static str, u8)| kind.split(' ').map(move |verb| (verb, 1 << at));
    KINDS.iter().zip(0..).flat_map(verbs).map(|(verb, kind)| (stems.stem(verb).into_owned(), kind))
}

/// The kinds of what a request asks for, by its first verb; 0 without one.
pub(crate) fn asked(stems: &Stems, text: &str, read: &[String]) -> u8 {
    let first = text.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    if ASKING.split(' ').any(|word| word == first) {
        return 1;
    }
    let kind = |word: &String| {
        let stem = stems.stem(word);
        // Only what begins alike is stemmed.
        let own = stem.as_bytes().get(..2);
        let is = |verb: &str| verb.as_bytes().get(..2) == own && stems.stem(verb) == stem;
        let kinds = KINDS.iter().zip(0..);
        kinds.fold(0, |all, (kind, at)| all | u8::from(kind.split(' ').any(is)) << at)
    };
    read.iter().map(kind).find(|&kind| kind != 0).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::asked;
    use crate::search::index::document::Tool;
    use crate::search::index::inverted::Index;
    use crate::search::rank::score::{Options, rank};
    use crate::search::text::words::Stems;

    #[test]
    fn a_request_is_of_the_kind_of_its_first_verb_and_a_question_looks() {
        let of = |text: &str| {
            let read: Vec<String> = text.to_lowercase().split(' ').map(str::to_owned).collect();
            asked(&Stems::new(), text, &read)
        };
        assert_eq!(of("please remove it"), of("deleting things"));
        assert_eq!(of("Who may delete it"), of("show it"));
        assert_ne!(of("launch it"), of("halt it"));
        assert_eq!(of("the weather"), 0);
    }

    #[test]
    fn who_asks_to_remove_something_does_not_get_what_replaces_it() {
        let tool = |name| Tool { name, description: "A role binding.", ..Tool::default() };
        let names = ["replace_role_binding", "create_role_binding", "delete_role_binding"];
        let hits =
            rank(&Index::build(names.map(tool)), "remove the role binding", Options::default())
                .hits;
        assert_eq!(hits[0].document, 2);
    }
}
