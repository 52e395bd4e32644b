//! Words of the catalogue that mean much the same as a query's.

use super::index::Index;
use super::query::Word;
use super::vector::{DIM, ZERO, cosine, unit};

/// Stems in the longest query that is expanded: a longer one says enough itself.
const QUERY_TERMS_MAX: usize = 8;
/// Near words taken for each word of the query.
const NEIGHBORS_MAX: usize = 20;
/// The least cosine of a near word.
const COSINE_MIN: f32 = 0.2;
/// What a near word of cosine 1 counts beside a word of the query.
const WEIGHT_MAX: f32 = 0.4;

/// The terms to look for beside those of `words`, ascending, each with its weight below 1.
pub(super) fn expand(index: &Index, words: &[Word]) -> Vec<(u32, f32)> {
    let Some(table) = index.table else { return Vec::new() };
    if words.len() > QUERY_TERMS_MAX {
        return Vec::new();
    }
    let mut expanded: Vec<(u32, f32)> = Vec::new();
    let mut pieces = Vec::new();
    for word in words {
        pieces.clear();
        table.pieces(&word.text, &mut pieces);
        let mut sum = ZERO;
        pieces.iter().for_each(|&piece| table.add(piece, &mut sum));
        let vector = unit(&sum);
        if vector.iter().all(|&x| x == 0) {
            continue;
        }
        let mut near: Vec<(f32, u32)> = Vec::new();
        for (&term, row) in
            index.expansion_terms.iter().zip(index.expansion_vectors.as_chunks::<DIM>().0)
        {
            let cosine = cosine(&vector, row);
            if cosine > COSINE_MIN {
                near.push((cosine, term));
            }
        }
        near.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        near.truncate(NEIGHBORS_MAX);
        for (cosine, term) in near {
            if words.iter().any(|word| word.term == Some(term)) {
                continue;
            }
            let weight = WEIGHT_MAX * (cosine - COSINE_MIN) / (1.0 - COSINE_MIN);
            match expanded.iter_mut().find(|(other, _)| *other == term) {
                Some((_, best)) => *best = best.max(weight),
                None => expanded.push((term, weight)),
            }
        }
    }
    expanded.sort_unstable_by_key(|&(term, _)| term);
    expanded
}
