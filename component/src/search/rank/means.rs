//! Words that tools have for what people say otherwise: a virtual machine is an instance, a disk is a volume.
//!
//! The table of word vectors knows near words one by one. What is a term of APIs, or two words where tools have one, is in
//! a list. What tools say themselves needs no other word.

use crate::search::index::inverted::Index;
use crate::search::text::words::Stems;

/// In each line what tools say, a colon, and what people say.
const MEANS: &str = include_str!("../../../data/means.txt");

/// Letters that a word and its other forms have in common.
const START: usize = 3;

/// A word of a query as read, its stem, and the term that it is in the catalogue.
pub(crate) type Said<'q> = (&'q str, &'q str, Option<u32>);

/// What tools may say for what `words` say otherwise.
pub(crate) fn meant(index: &Index, stems: &Stems, words: &[Said<'_>]) -> Vec<&'static str> {
    let is = |&(text, stem, _): &Said<'_>, said: &str| {
        said.get(..START.min(said.len())).is_some_and(|start| text.starts_with(start))
            && stems.stem(said) == stem
    };
    // Most of the list is ruled out by how it begins.
    let start = |text: &'static str| text.as_bytes().get(..START - 1);
    let begins =
        |said| words.iter().any(|(text, ..)| text.as_bytes().get(..START - 1) == start(said));
    let is_asked = |said: &'static str| {
        begins(said)
            && words.windows(said.split(' ').count()).any(|run| {
                run.iter().zip(said.split(' ')).all(|(word, said)| is(word, said))
                    && !is_in_a_name(index, run)
            })
    };
    let lines = MEANS.lines().filter_map(|line| line.split_once(':'));
    let lines = lines.filter(|(_, said)| said.split(',').map(str::trim_start).any(is_asked));
    lines.flat_map(|(meant, _)| meant.split(' ')).collect()
}

/// Whether some tool has all of these words in its name.
fn is_in_a_name(index: &Index, words: &[Said<'_>]) -> bool {
    let Some(terms) = words.iter().map(|word| word.2).collect::<Option<Vec<u32>>>() else {
        return false;
    };
    let documents = terms.first().map_or(&[][..], |&term| index.postings.of(term).0);
    documents.iter().any(|&at| {
        let name = index.names.of(at as usize);
        terms.iter().all(|term| name.contains(term))
    })
}

#[cfg(test)]
mod tests {
    use super::{MEANS, meant};
    use crate::search::index::document::Tool;
    use crate::search::index::inverted::Index;
    use crate::search::rank::query::read;
    use crate::search::text::words::{Stems, is_stop_word};

    #[test]
    fn what_people_say_is_read_as_what_tools_say_where_no_tool_is_called_so() {
        let tool = |name| Tool { name, ..Tool::default() };
        let stems = Stems::new();
        let of = |names: [&'static str; 2], text: &str| {
            let index = Index::build(names.map(tool));
            let read = read(&index, text).words;
            let said: Vec<_> = read.iter().map(|it| (&*it.text, &*it.stem, it.term)).collect();
            meant(&index, &stems, &said).contains(&"instance")
        };
        let cloud = ["run_instances", "create_volume"];
        assert!(of(cloud, "resize the virtual machines"));
        assert!(!of(cloud, "virtual meeting"));
        assert!(!of(["list_virtual_machines", "machine_virtual"], "resize the virtual machines"));
    }

    #[test]
    fn each_line_can_be_asked_for() {
        for line in MEANS.lines() {
            let (meant, said) = line.split_once(": ").expect(line);
            let words = meant.split(' ').chain(said.split(", ").flat_map(|said| said.split(' ')));
            for word in words {
                let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
                assert!(is_word && !is_stop_word(word), "{word} in {line}");
            }
        }
    }
}
