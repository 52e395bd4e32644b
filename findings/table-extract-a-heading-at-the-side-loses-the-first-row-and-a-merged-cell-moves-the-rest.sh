#!/usr/bin/env bash
# table-extract 0.2.3 (crates.io), Table::find_first(), rows and get(); the tables are valid HTML.
# Behaviour: a row that has a heading anywhere is the row of headings. In a table with headings at the side the first row is not there, and of the others the
# heading is missing, so the cells can not be told apart. A cell over two rows is in the first one only, so in the second all later cells come under the
# heading before. A table in a cell puts its cells into the outer row and its rows among the outer rows. A heading over two columns counts as one.
# Seen:   price / weight at the side: one row, ["2 kg"] / second row of Pens: Item = red, Colour = 3, Count = none / a heading over two: Count = blue
# Expected by most: two rows / Item = Pens or none, Colour = red, Count = 3 / Count = 7.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
table-extract = "=0.2.3"
TOML
cat > src/main.rs <<'RS'
use table_extract::Table;

fn show(name: &str, html: &str, wanted: &[&str]) {
    let table = Table::find_first(html).unwrap();
    println!("{name}: {} rows", table.iter().count());
    for row in &table {
        let named: Vec<_> = wanted.iter().map(|one| format!("{one} = {}", row.get(one).unwrap_or("none"))).collect();
        println!("    {:?} {}", row.as_slice(), named.join(", "));
    }
}

fn main() {
    show("plain", "<table><tr><th>Item</th><th>Count</th></tr><tr><td>Pens</td><td>7</td></tr></table>", &["Item", "Count"]);
    show("headings at the side", "<table><tr><th>Price</th><td>9 euro</td></tr><tr><th>Weight</th><td>2 kg</td></tr></table>", &["Price", "Weight"]);
    let merged = "<table><tr><th>Item</th><th>Colour</th><th>Count</th></tr><tr><td rowspan=2>Pens</td><td>blue</td><td>7</td></tr>\
        <tr><td>red</td><td>3</td></tr></table>";
    show("a cell over two rows", merged, &["Item", "Colour", "Count"]);
    let wide = "<table><tr><th colspan=2>Item</th><th>Count</th></tr><tr><td>Pens</td><td>blue</td><td>7</td></tr></table>";
    show("a heading over two columns", wide, &["Item", "Count"]);
    let inner = "<table><tr><th>Item</th><th>Count</th></tr><tr><td><table><tr><td>small</td><td>big</td></tr></table></td><td>7</td></tr></table>";
    show("a table in a cell", inner, &["Count"]);
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"table-extract"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
plain: 1 rows
    ["Pens", "7"] Item = Pens, Count = 7
headings at the side: 1 rows
    ["2 kg"] Price = 2 kg, Weight = none
a cell over two rows: 2 rows
    ["Pens", "blue", "7"] Item = Pens, Colour = blue, Count = 7
    ["red", "3"] Item = red, Colour = 3, Count = none
a heading over two columns: 1 rows
    ["Pens", "blue", "7"] Item = Pens, Count = blue
a table in a cell: 2 rows
    ["<table><tbody><tr><td>small</td><td>big</td></tr></tbody></table>", "small", "big", "7"] Count = small
    ["small", "big"] Count = big
END
