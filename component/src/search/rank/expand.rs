//! Words of the catalogue that mean much the same as a query's.

use crate::search::index::inverted::Index;
use crate::search::rank::query::{SHORT_MAX, Word};
use crate::search::vector::unit::{DIM, Unit, cosines, greater, unit};
use crate::sort::sort_by_key;

/// Near words taken for each word of the query.
const NEIGHBORS_MAX: usize = 20;
/// The least cosine of a near word.
const COSINE_MIN: f32 = 0.2;
/// What a near word of cosine 1 counts beside a word of the query.
const WEIGHT_MAX: f32 = 0.4;

/// The terms to look for beside those of `words`, ascending, each with its weight below 1: near ones, and those that
/// are `meant`.
pub(crate) fn expand(index: &Index, words: &[Word], meant: &[u32]) -> Vec<(u32, f32)> {
    let Some(table) = index.table else { return Vec::new() };
    if words.len() > SHORT_MAX {
        return Vec::new();
    }
    let mut pieces = Vec::new();
    let mut vectors: Vec<Unit> = Vec::new();
    for word in words {
        pieces.clear();
        table.pieces(&word.text, &mut pieces);
        vectors.push(unit(&table.sum(&pieces)));
    }
    let (rows, _) = index.expansion_vectors.as_chunks::<DIM>();
    let mut near: Vec<Nearest> = vectors.iter().map(|_| Nearest::default()).collect();
    cosines(&vectors, rows, |word, row, cosine| near[word].consider(cosine, row));
    let weight = |cosine: f32| WEIGHT_MAX * (cosine - COSINE_MIN) / (1.0 - COSINE_MIN);
    let near = near.iter().flat_map(|nearest| &nearest.0);
    let near = near.map(|(cosine, row)| (index.expansion_terms[*row], weight(*cosine)));
    let mut expanded: Vec<(u32, f32)> = Vec::new();
    for (term, weight) in near.chain(meant.iter().map(|&term| (term, WEIGHT_MAX))) {
        if words.iter().any(|word| word.term == Some(term)) {
            continue;
        }
        match expanded.iter_mut().find(|(other, _)| *other == term) {
            Some((_, best)) => *best = greater(*best, weight),
            None => expanded.push((term, weight)),
        }
    }
    sort_by_key(&mut expanded, |&(term, _)| term);
    expanded
}

/// The [`NEIGHBORS_MAX`] rows of the highest cosines, the highest first; of equal ones the first rows.
#[derive(Default)]
struct Nearest(Vec<(f32, usize)>);

impl Nearest {
    fn consider(&mut self, cosine: f32, row: usize) {
        let full = self.0.len() == NEIGHBORS_MAX;
        let least = if full { self.0[NEIGHBORS_MAX - 1].0 } else { COSINE_MIN };
        if cosine > least {
            if full {
                self.0.pop();
            }
            let at = self.0.partition_point(|&(other, _)| other >= cosine);
            self.0.insert(at, (cosine, row));
        }
    }
}
