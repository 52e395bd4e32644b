//! What makes a text a table: the sign between its cells.

/// Columns that a row may have before it is taken for something else.
const MAX_COLUMNS: usize = 2_000;

/// The sign between the cells of a table and how many columns it makes, when nearly all rows of
/// `sample` (whole lines) agree on it.
pub(crate) fn delimiter(sample: &[u8]) -> Option<(u8, usize)> {
    [b'\t', b',', b';', b'|'].into_iter().find_map(|sign| {
        let mut rows = rows(sample, sign);
        let columns = rows.next()?;
        if !(2..=MAX_COLUMNS).contains(&columns) {
            return None;
        }
        let (mut all, mut agree) = (1u32, 1u32);
        for row in rows.take(500) {
            all += 1;
            agree += u32::from(row == columns);
        }
        (all >= 3 && agree * 20 >= all * 19).then_some((sign, columns))
    })
}

/// The number of cells in each row. A quoted cell may hold anything, line feeds too.
fn rows(sample: &[u8], sign: u8) -> impl Iterator<Item = usize> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while matches!(sample.get(at), Some(b'\r' | b'\n')) {
            at += 1;
        }
        if at >= sample.len() {
            return None;
        }
        let mut cells = 1;
        let mut quoted = false;
        while let Some(&b) = sample.get(at) {
            match b {
                b'"' => quoted = !quoted,
                b'\n' if !quoted => break,
                b if b == sign && !quoted => cells += 1,
                _ => {}
            }
            at += 1;
        }
        Some(cells)
    })
}
