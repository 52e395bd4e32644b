//! What a query asks for: its words, corrected and looked up.

use crate::search::index::inverted::Index;
use crate::search::rank::kinds::kinds;
use crate::search::rank::means;
use crate::search::rank::service_names::is_service;
use crate::search::rank::spell::correction;
use crate::search::text::clean::first_chars;
use crate::search::text::listed::Listed;
use crate::search::text::verbs;
use crate::search::text::words::{Side, Stems, is_stop_word, words};
use crate::search::vector::unit::{Sum, Unit, ZERO, unit};

/// Characters of a query that count.
pub const QUERY_MAX_CHARS: usize = 2_000;

/// Words that count in the longest query to which something is added, near words and kinds of nouns: a longer one says
/// enough itself.
pub(crate) const SHORT_MAX: usize = 8;

/// Pieces of a query that its vector is made of.
const PIECES_MAX: usize = 200;

/// Words of a clause that is looked for by itself, at least, and clauses of a query.
const CLAUSE_MIN_WORDS: usize = 3;
const CLAUSES_MAX: usize = 8;

/// Words that count in the longest query that is a request, and not a pasted text.
const REQUEST_MAX: usize = 24;

/// What a word counts in a query's vector that tools have for one of its own.
const MEANT_SHARE: f32 = 0.5;

/// Vectors that all clauses of a query are compared with, at most. It bounds the time of a query
/// over a large catalogue.
const CLAUSE_COMPARISONS_MAX: usize = 160_000;

/// Words that count in the longest query for a list, its verb included.
const LIST_MAX: usize = 4;

/// Verbs of tools that list, the clearest first.
const LISTING: [&str; 3] = ["list", "get", "describe"];

/// Verbs of requests. A query that has one says what is to be done.
static VERBS: Listed = Listed::new(
    "accept add allow analyze apply approve archive assign attach block book browse build buy calculate call cancel change \
    check clean clear clone close compare compute configure connect convert copy count create cut debug delete deploy \
    describe detach disable download draw edit enable encode evaluate execute explain export extract fetch fill find fix \
    format forward generate get give grant import insert install invite join kill launch leave list load lock look make \
    measure merge modify monitor move navigate open order parse pause pay play plot post predict print publish pull push \
    put query read record reject remove rename render replace reply report request resize resolve restart restore resume \
    retrieve revoke run save scale scan schedule scrape search see select send set share show solve start stop submit \
    subscribe summarize sync take tell terminate test track transfer translate trigger turn type uninstall unlock update \
    upgrade upload validate verify view watch write",
);

/// A word that was read as another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// As written, in lower case.
    pub from: String,
    /// As read.
    pub to: String,
}

/// A query's word that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// As read, in lower case.
    pub(crate) text: String,
    pub(crate) stem: String,
    /// The term it is in the catalogue; none when no tool has it.
    pub(crate) term: Option<u32>,
}

/// A query, read against an index.
#[derive(Debug, Clone)]
pub(crate) struct Query {
    /// The distinct words by stem, stop words left out unless there is nothing else.
    pub(crate) words: Vec<Word>,
    pub(crate) corrections: Vec<Correction>,
    /// What tools may say for its words, as terms of the catalogue.
    pub(crate) meant: Vec<u32>,
    /// The kinds of what is to be done, see [`verbs`]; 0 where it is not said.
    pub(crate) verb: u8,
    /// The direction of the whole text; zeros without a table.
    pub(crate) vector: Unit,
    /// The direction of each of its clauses, when it has several that say something.
    pub(crate) clauses: Vec<Unit>,
    /// Whether it asks for a list of something, in few words.
    pub(crate) is_list: bool,
    /// Whether most of its words are of another script than Latin, and tools have some of them.
    pub(crate) is_native: bool,
}

/// Whether `words` are mostly of another script than Latin, and tools have some of them.
fn is_native(words: &[Word]) -> bool {
    let native = || words.iter().filter(|word| !word.text.is_ascii());
    2 * native().count() > words.len() && native().any(|word| word.term.is_some())
}

/// Reads `text` against `index`.
pub(crate) fn read(index: &Index, text: &str) -> Query {
    let text = first_chars(text, QUERY_MAX_CHARS);
    let stems = Stems::new();
    let mut unknown = Vec::new();
    let mut read = read_words(index, &stems, text, &mut unknown);
    let corrected = |(from, to): &(String, Option<String>)| {
        to.clone().map(|to| Correction { from: from.clone(), to })
    };
    let corrections = unknown.iter().filter_map(corrected).collect();
    let mut words = distinct(index, &stems, &read);
    let listed = listing(index, &stems, &words);
    if let Some(verb) = listed.as_ref().filter(|verb| verb.text != words[0].text) {
        read.insert(0, verb.text.clone());
        words.insert(0, verb.clone());
    }
    let (is_list, is_native) = (listed.is_some(), is_native(&words));
    let is_short = words.len() <= SHORT_MAX;
    for word in kind_words(index, &stems, text, is_short) {
        let text = word.text.clone();
        if push_new(&mut words, word) {
            read.push(text);
        }
    }
    let (mut verb, mut meant, mut vector) = (0, Vec::new(), sum(index, &read));
    if words.len() <= REQUEST_MAX {
        verb = verbs::asked(&stems, text, &read);
        let said: Vec<_> = words.iter().map(|word| (&*word.text, &*word.stem, word.term)).collect();
        meant = means::meant(index, &stems, &said).into_iter().map(str::to_owned).collect();
        let said = sum(index, &meant);
        vector.iter_mut().zip(said).for_each(|(whole, part)| *whole += MEANT_SHARE * part);
    }
    let vector = unit(&vector);
    let meant = meant.iter().filter_map(|word| word_of(index, &stems, word).term).collect();
    let mut clauses = Vec::new();
    if index.table.is_some() && words.len() >= 2 * CLAUSE_MIN_WORDS {
        let clauses_max = CLAUSES_MAX.min(CLAUSE_COMPARISONS_MAX / index.len().max(1));
        let says_something =
            |read: &[String]| distinct(index, &stems, read).len() >= CLAUSE_MIN_WORDS;
        clauses = clauses_of(text)
            .map(|clause| read_words(index, &stems, clause, &mut unknown))
            .filter(|read| says_something(read))
            .take(clauses_max)
            .map(|read| unit(&sum(index, &read)))
            .collect();
        if clauses.len() < 2 {
            clauses.clear();
        }
    }
    Query { words, corrections, meant, verb, vector, clauses, is_list, is_native }
}

/// The verb of a short query for a list: its own, or, before a bare plural ("open pull requests"), the first that
/// tools have. Who names a collection wants to see it, and most of its operations do something else.
fn listing(index: &Index, stems: &Stems, words: &[Word]) -> Option<Word> {
    let (first, last) = (words.first()?, words.last()?);
    if first.text == LISTING[0] {
        return (words.len() <= LIST_MAX).then(|| first.clone());
    }
    let is_bare = words.len() < LIST_MAX && !words.iter().any(|word| VERBS.has(&word.text));
    if !is_bare || !is_plural(&last.text) || is_service(&last.text) {
        return None;
    }
    LISTING.iter().map(|verb| word_of(index, stems, verb)).find(|verb| verb.term.is_some())
}

/// Whether an English noun has the form of a plural.
fn is_plural(word: &str) -> bool {
    let singular = ["ss", "us", "is", "news", "ics"];
    word.len() > 3 && word.ends_with('s') && !singular.iter().any(|end| word.ends_with(end))
}

/// The words of `text` in order, misspelled ones corrected. `unknown` remembers what each unknown
/// word was read as.
fn read_words(
    index: &Index,
    stems: &Stems,
    text: &str,
    unknown: &mut Vec<(String, Option<String>)>,
) -> Vec<String> {
    let known = |word: &str| index.table.is_some_and(|table| table.knows(word));
    let in_catalog = |word: &str| {
        index.collection.words.find(word).is_some() || index.terms.find(&stems.stem(word)).is_some()
    };
    let mut read: Vec<String> = Vec::new();
    // A name in mixed case is one word: QuickBooks.
    words(
        text,
        |word| known(word) || is_service(word),
        |word, side| {
            if side == Side::Both {
                read.push(word.to_owned());
            }
        },
    );
    for word in &mut read {
        if is_stop_word(word) || known(word) || in_catalog(word) || is_service(word) {
            continue;
        }
        let place = unknown.iter().position(|(from, _)| from == word).unwrap_or_else(|| {
            unknown.push((word.clone(), correction(index, word).map(str::to_owned)));
            unknown.len() - 1
        });
        if let Some(meant) = &unknown[place].1 {
            word.clone_from(meant);
        }
    }
    read
}

/// Words for the kinds of what `text` names, those that some tool has. A noun's kind says less than the noun where a tool
/// has that, and nothing in a long query, which says enough itself.
fn kind_words(index: &Index, stems: &Stems, text: &str, is_short: bool) -> Vec<Word> {
    let word = |text: &str| word_of(index, stems, text);
    let named = kinds(text, is_short).into_iter();
    let named =
        named.filter(|named| !named.is_noun || word(&named.text.to_lowercase()).term.is_none());
    let words = named.flat_map(|named| named.kind.split(' ')).map(word);
    words.filter(|word| word.term.is_some()).collect()
}

/// The words that count, one for each stem: no stop words unless there is nothing else.
fn distinct(index: &Index, stems: &Stems, read: &[String]) -> Vec<Word> {
    let all_stop = read.iter().all(|word| is_stop_word(word));
    let mut distinct: Vec<Word> = Vec::new();
    for text in read.iter().filter(|text| all_stop || !is_stop_word(text)) {
        push_new(&mut distinct, word_of(index, stems, text));
    }
    // Pairs of characters overlap. One that no tool has lies across the end of a word where tools have those on either side.
    let across = |at: usize| match distinct.get(at.wrapping_sub(1)..at + 2) {
        Some([before, word, after]) if word.term.is_none() && !word.text.is_ascii() => {
            let ends = [before.text.chars().last(), after.text.chars().next()];
            word.text.chars().eq(ends.into_iter().flatten())
                && before.term.and(after.term).is_some()
        }
        _ => false,
    };
    let across: Vec<bool> = (0..distinct.len()).map(across).collect();
    let mut across = across.into_iter();
    distinct.retain(|_| across.next() != Some(true));
    distinct
}

fn word_of(index: &Index, stems: &Stems, text: &str) -> Word {
    let stem = stems.stem(text).into_owned();
    let term = index.terms.find(&stem).map(|term| term as u32);
    Word { text: text.to_owned(), stem, term }
}

/// Whether the word was new.
fn push_new(words: &mut Vec<Word>, word: Word) -> bool {
    let is_new = !words.iter().any(|other| other.stem == word.stem);
    if is_new {
        words.push(word);
    }
    is_new
}

/// The clauses of `text`: what is between marks that end or divide sentences, and the word `and`. A
/// request for several things names them in clauses of their own.
fn clauses_of(text: &str) -> impl Iterator<Item = &str> {
    let mut ends = Vec::new();
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        let before_space = || after.chars().next().is_none_or(char::is_whitespace);
        if match c {
            '.' | '?' | '!' | ',' => before_space(),
            ';' | '\n' | '。' | '？' | '！' | '，' | '、' | '；' => true,
            _ => false,
        } {
            ends.push(at);
        }
    }
    ends.push(text.len());
    let mut start = 0;
    let sentences = ends.into_iter().map(move |end| &text[std::mem::replace(&mut start, end)..end]);
    sentences.flat_map(|sentence| sentence.split(" and "))
}

fn sum(index: &Index, read: &[String]) -> Sum {
    let Some(table) = index.table else { return ZERO };
    let mut pieces = Vec::new();
    read.iter().for_each(|word| table.pieces(word, &mut pieces));
    pieces.truncate(PIECES_MAX);
    table.sum(&pieces)
}

#[cfg(test)]
mod tests {
    use super::{clauses_of, read};
    use crate::search::index::document::Tool;
    use crate::search::index::inverted::Index;

    #[test]
    fn a_bare_plural_asks_for_a_list_of_it() {
        let tool = |name| Tool { name, ..Tool::default() };
        let lists = Index::build(["list_pods", "delete_pod", "describe_node"].map(tool));
        let describes = Index::build(["describe_nodes", "delete_node"].map(tool));
        for (index, text, verb) in [
            (&lists, "pods", Some("list")),
            (&lists, "our running pods", Some("list")),
            (&lists, "list pods", Some("list")),
            (&describes, "nodes", Some("describe")),
            (&lists, "pod", None),
            (&lists, "delete pods", None),
            (&lists, "status", None),
            (&lists, "nodes pods services volumes", None),
            (&lists, "", None),
        ] {
            let query = read(index, text);
            let first = query.words.first().map(|word| word.text.as_str());
            assert_eq!(query.is_list, verb.is_some(), "{text}");
            assert!(verb.is_none() || first == verb, "{text}: {first:?}");
        }
    }

    #[test]
    fn a_pair_of_characters_across_two_words_is_no_word() {
        let tool = |description| Tool { description, ..Tool::default() };
        let index = Index::build(["为客户创建新的订单", "取消客户的订单"].map(tool));
        let words = |text| read(&index, text).words.into_iter().map(|word| word.text);
        assert!(words("创建订单").eq(["创建", "订单"]));
        // Nothing is known of what stands at an end, or of two in a row.
        assert!(words("创建发票").eq(["创建", "建发", "发票"]));
        assert!(words("票创建").eq(["票创", "创建"]));
    }

    #[test]
    fn a_clause_ends_where_a_new_thing_is_asked_for() {
        let text = "Find v1.2 of it, then build it and run tests. 你好，世界";
        let clauses: Vec<&str> =
            clauses_of(text).map(|c| c.trim_matches([' ', ',', '.', '，'])).collect();
        assert_eq!(clauses, ["Find v1.2 of it", "then build it", "run tests", "你好", "世界"]);
        assert_eq!(clauses_of("").collect::<String>(), "");
    }
}
