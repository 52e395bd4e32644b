//! Plain BM25 over one text a tool, to hold the ranking against.

use std::collections::BTreeMap;

use weir_component::search::index::document::Tool;
use weir_component::search::schema::words::schema_text;

const K1: f32 = 1.5;
const B: f32 = 0.75;

/// A plain BM25 index over names, descriptions and names of parameters: ASCII words in lower case,
/// no fields, no stems, no stop words.
#[derive(Debug, Clone)]
pub(crate) struct Bm25 {
    postings: BTreeMap<String, Vec<(u32, f32)>>,
    documents: usize,
}

impl Bm25 {
    /// Builds the index of `tools`.
    pub(crate) fn build<'a>(tools: impl IntoIterator<Item = Tool<'a>>) -> Bm25 {
        let mut postings: BTreeMap<String, Vec<(u32, f32)>> = BTreeMap::new();
        let mut lengths: Vec<f32> = Vec::new();
        for (number, tool) in (0u32..).zip(tools) {
            let parameters = schema_text(tool.schema).names;
            let mut length = 0f32;
            for text in [tool.name, tool.description, &parameters] {
                for word in words(text) {
                    length += 1.0;
                    let posting = postings.entry(word).or_default();
                    match posting.last_mut() {
                        Some((last, count)) if *last == number => *count += 1.0,
                        _ => posting.push((number, 1.0)),
                    }
                }
            }
            lengths.push(length);
        }
        let average = (lengths.iter().sum::<f32>() / lengths.len().max(1) as f32).max(1.0);
        for posting in postings.values_mut() {
            for (number, count) in posting {
                let length = lengths[*number as usize];
                *count = *count * (K1 + 1.0) / (*count + K1 * (1.0 - B + B * length / average));
            }
        }
        Bm25 { postings, documents: lengths.len() }
    }

    /// The tools that have a word of `query`, by score, then in catalogue order; at most `limit`.
    pub(crate) fn search(&self, query: &str, limit: usize) -> Vec<usize> {
        let mut distinct: Vec<String> = words(query).collect();
        distinct.sort();
        distinct.dedup();
        let mut scores = vec![0f32; self.documents];
        for posting in distinct.iter().filter_map(|word| self.postings.get(word)) {
            let (all, with) = (self.documents as f64, posting.len() as f64);
            let idf = libm::log(1.0 + (all - with + 0.5) / (with + 0.5)) as f32;
            for &(number, impact) in posting {
                scores[number as usize] += idf * impact;
            }
        }
        let mut hits: Vec<(usize, f32)> =
            scores.into_iter().enumerate().filter(|&(_, score)| score > 0.0).collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        hits.into_iter().take(limit).map(|(number, _)| number).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::{Bm25, Tool};

    #[test]
    fn rare_words_in_short_texts_come_first() {
        let tool = |name, description| Tool { name, description, ..Tool::default() };
        let index = Bm25::build([
            tool("list_issues", "List the issues of a repository, all of them, page by page"),
            tool("list_users", "List users"),
            tool("close_issue", "Close issues"),
        ]);
        let order = |query| index.search(query, 9);
        assert_eq!(order("list"), [1, 0]);
        assert_eq!(order("close issues"), [2, 0]);
        assert_eq!(order("nothing of it"), [0]);
        assert!(order("").is_empty());
    }
}
