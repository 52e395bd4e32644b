//! The outline of rows of CSV and TSV: their columns.

use super::values::{Place, Values, sort_places};
use super::{Choice, List, OUTLINE_LINE_CHARS, Outline};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::{Window, tally};
use crate::content::show::one_line;
use crate::content::table::{Column, Table, count_rows, row_at};
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::anchor::Hit;

/// Bytes of rows whose values are told. Of the others it is seen what is rare.
const PROFILE_BYTES: u64 = 1024 * 1024;

/// Where the names of the columns stand.
fn header(table: &Table) -> String {
    match (table.headed, table.above) {
        (true, 0) => "below a header".to_owned(),
        (true, above) => format!("below a header in line {}", above + 1),
        (false, _) => "without a header".to_owned(),
    }
}

pub(super) fn separated(source: &dyn Source) -> Result<Outline, ReadError> {
    let table = Table::of(source)?;
    let rows = counted(count_rows(source, table.body, table.sign)?, "row");
    let sign = match table.sign {
        b'\t' => "tabs",
        b',' => "commas",
        b';' => "semicolons",
        _ => "bars",
    };
    let mut columns: Vec<Values> = table.names.iter().map(|_| Values::default()).collect();
    let (mut window, mut at, mut read) = (Window::new(source), table.body, 0u64);
    // The first row with more or fewer cells, how many it has, and how many rows are such.
    let mut ragged: Option<(u64, u64, u64)> = None;
    let mut list = List::new("columns");
    let mut is_told = false;
    loop {
        let row = row_at(&mut window, at, table.sign)?;
        let ends = row.as_ref().is_none_or(|row| row.end - table.body > PROFILE_BYTES);
        if ends && !is_told {
            is_told = true;
            for (name, values) in table.names.iter().zip(&mut columns) {
                list.push(|| one_line(&format!("{name}: {}", values.words()), OUTLINE_LINE_CHARS));
                values.is_brief = true;
            }
            if row.is_some() {
                list.title.push_str(&format!(" in the first {}", counted(read, "row")));
            }
        }
        let Some(row) = row else { break };
        let place = (read, at, at);
        (at, read) = (row.end, read + 1);
        // What a row does not have is null, too.
        let is_whole = row.cells.is_some();
        let cells = row.cells.unwrap_or_default();
        if is_whole && cells.len() != columns.len() {
            ragged.get_or_insert((read, cells.len() as u64, 0)).2 += 1;
        }
        for (index, values) in columns.iter_mut().enumerate() {
            let cell = cells.get(index).map_or(&b""[..], |cell| cell);
            values.place = place;
            match table.columns.get(index) {
                Some(Column::Codes(_)) => values.push_text(cell),
                _ => values.push(cell),
            }
        }
    }
    let listed = listed(&table.names);
    let header = header(&table);
    let count = counted(table.names.len() as u64, "column");
    let null = match columns.iter().any(Values::has_empty) {
        true => "; a query reads empty cells as null",
        false => "",
    };
    let other = ragged.map_or(String::new(), |(row, cells, all)| match all {
        1 => format!("; row {} has {}", thousands(row), counted(cells, "cell")),
        _ => format!(
            "; {} rows have more or fewer cells, the first is row {}",
            thousands(all),
            thousands(row)
        ),
    });
    let lines =
        vec![format!("--- {rows} {header}; {count} between {sign}: {listed}{null}{other} ---")];
    let mut choice = Choice::default();
    for (name, values) in table.names.iter().zip(&columns) {
        choice.named(name, values);
    }
    let query = choice.query();
    let detail = format!("{rows} {header}, {count}");
    let hit = |(_, at, _)| Ok(Hit::rare(tally(source, 0, at, count_newlines)? + 1, at));
    let odd = rare(&columns).into_iter().map(hit).collect::<Result<_, ReadError>>()?;
    Ok(Outline { detail, lines, list, odd, query: Some(query), ..Outline::default() })
}

/// The names of columns: one that holds a comma in quotes, or it would be two.
fn listed(names: &[String]) -> String {
    let quoted = |name: &String| match name.contains(',') {
        true => format!("{name:?}"),
        false => name.clone(),
    };
    let names = names.iter().map(quoted).collect::<Vec<_>>();
    one_line(&names.join(", "), 4 * OUTLINE_LINE_CHARS)
}

/// Bytes of a row in which a value is seen from the row's start.
pub(super) const NEAR_BYTES: u64 = 100;

/// Rows with rare values that are told.
pub(super) const RARE_ROWS: usize = 6;

/// The rows in which columns have values that nearly all others do not have.
#[inline(never)]
pub(super) fn rare(columns: &[Values]) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for values in columns {
        places.extend(values.rare());
    }
    sort_places(&mut places);
    places.dedup_by_key(|(row, ..)| *row);
    places.truncate(RARE_ROWS);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_part_of_the_rows_are_told_as_of_these() {
        let state = |n| if n == 89_000 { "no" } else { "ok" };
        let rows: String = (0..90_000).map(|n| format!("{n:09},{}\n", state(n))).collect();
        let text = format!("id,state\n{rows}");
        let outline = separated(&text.as_bytes()).unwrap();
        assert_eq!(outline.detail, "90,000 rows below a header, 2 columns");
        // A row has 13 bytes.
        let read = PROFILE_BYTES / 13;
        assert_eq!(outline.list.title, format!("columns in the first {} rows", thousands(read)));
        assert_eq!(outline.list.lines[1], format!("state: 1 distinct: ok {}", thousands(read)));
        assert_eq!(outline.odd.iter().map(|hit| hit.line).collect::<Vec<_>>(), [89_002]);
    }

    #[test]
    fn rows_with_other_cells_than_names_are_told() {
        let told = |rows: &str| {
            separated(&format!("a,b,c\n{}{rows}", "1,2,3\n".repeat(40)).as_bytes()).unwrap()
        };
        assert!(told("").lines[0].ends_with("commas: a, b, c ---"));
        assert!(
            told("4,5").lines[0]
                .ends_with("c; a query reads empty cells as null; row 41 has 2 cells ---")
        );
        assert!(
            told("4,5,6,7\n1\n").lines[0]
                .ends_with("; 2 rows have more or fewer cells, the first is row 41 ---")
        );
    }

    #[test]
    fn a_name_that_holds_a_comma_is_one_name() {
        let text = format!("Name,\"Cost, USD\",When\n{}", "a,1,x\n".repeat(20));
        let outline = separated(&text.as_bytes()).unwrap();
        assert!(outline.lines[0].ends_with("commas: Name, \"Cost, USD\", When ---"));
    }

    #[test]
    fn a_row_of_a_rare_value_or_key_is_odd() {
        let state = |n: u64| if n == 211 { "failed" } else { "ok" };
        let csv: String = (0..300).map(|n| format!("{n},\"a\nb\",{}\n", state(n))).collect();
        let outline = separated(&format!("id,note,state\n{csv}").as_bytes()).unwrap();
        assert_eq!(outline.odd.iter().map(|hit| hit.line).collect::<Vec<_>>(), [424]);
        assert_eq!(outline.query.unwrap().program, ".state");
    }

    #[test]
    fn a_table_without_a_header_has_all_its_rows() {
        let rows: String =
            (0..20).map(|n| format!("{},user{n},,\"a;\"\"b\"\"\"\n", n * 5)).collect();
        let outline = separated(&rows.as_bytes()).unwrap();
        assert_eq!(
            outline.lines,
            [
                "--- 20 rows without a header; 4 columns between commas: column_1, column_2, column_3, \
                 column_4; a query reads empty cells as null ---"
            ]
        );
        assert_eq!(
            outline.list.lines,
            [
                "column_1: number, 0 to 95",
                "column_2: text",
                "column_3: empty",
                "column_4: 1 distinct: \"a;\\\"b\\\"\" 20"
            ]
        );
        let query = outline.query.unwrap();
        assert_eq!((&*query.program, query.reduce), (".column_1", "stats"));
    }
}
