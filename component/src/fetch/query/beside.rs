//! A query over several results: rows of all in order, or those that the program names beside the rows of the others.

use jaq_json::Val;

use super::read::read;
use super::{QueryAnswer, QueryRequest, kit, program, query_beside};
use crate::content::kind::Kind;
use crate::fetch::error::FetchError;
use crate::fetch::joined::Joined;
use crate::handle::BlobId;
use crate::sort::sort;

/// What a query over several results knows beside its rows.
#[derive(Default)]
pub(super) struct Beside<'j> {
    /// The rows of each result, where the program names it.
    pub(super) rows: Vec<Val>,
    /// Where its rows come from.
    pub(super) joined: Option<&'j Joined>,
    /// The first bytes of what is read, and how far they are from those of all.
    moved: Vec<(u64, u64)>,
}

impl Beside<'_> {
    pub(super) fn id_at(&self, byte: u64) -> Option<BlobId> {
        let moved = self.moved.iter().rfind(|(start, _)| *start <= byte);
        self.joined?.id_at(byte + moved.map_or(0, |(_, by)| *by))
    }
}

/// Answers `request` about several results as one, as [`query`] does. Those that the program names as `$a`, `$b` and
/// so on are arrays of rows there, and the program runs on the rows of the others; once, where it names all.
pub(in crate::fetch) fn query_joined(
    joined: &Joined,
    kind: Kind,
    request: &QueryRequest,
    max_chars: usize,
    steps: u64,
) -> Result<QueryAnswer, FetchError> {
    let mut request = QueryRequest { path: None, ..request.clone() };
    let programs = [Some(&request.program), request.by.as_ref(), request.reduce.as_ref()];
    let mut named: Vec<usize> =
        programs.into_iter().flatten().flat_map(|p| program::beside(p, joined.ids())).collect();
    sort(&mut named);
    named.dedup();
    let mut beside = Beside { joined: Some(joined), ..Beside::default() };
    if named.is_empty() {
        return query_beside(joined, kind, &request, &beside, max_chars, steps);
    }
    let mut rest = Vec::new();
    for at in 0..joined.ids() {
        let (start, text) = joined.rows_of(at);
        if !named.contains(&at) {
            beside.moved.push((rest.len() as u64, start - rest.len() as u64));
            rest.extend_from_slice(text);
            beside.rows.push(Val::Null);
            continue;
        }
        let mut values = Vec::new();
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            values.push(match kind {
                Kind::Ndjson => read(line).unwrap_or_default(),
                _ => Val::from(String::from_utf8_lossy(line).into_owned()),
            });
            if kit::is_large() {
                let message = "what the program names takes too much memory: leave the large one unnamed, and the program runs on \
                               each of its rows";
                return Err(FetchError::invalid("query", message));
            }
        }
        beside.rows.push(values.into_iter().collect());
    }
    if named.len() < joined.ids() {
        return query_beside(&&rest[..], kind, &request, &beside, max_chars, steps);
    }
    request.whole = true;
    query_beside(&&b"null"[..], Kind::Json, &request, &beside, max_chars, steps)
}
