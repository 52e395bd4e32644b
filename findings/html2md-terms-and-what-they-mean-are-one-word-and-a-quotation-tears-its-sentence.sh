#!/usr/bin/env bash
# html2md 0.2.17 (crates.io), parse_html(); mdka 3.3.0 (crates.io) converts the same pages.
# Behaviour: a list of terms (dl) loses all its breaks: a term, what it means and the next term are one word. A short quotation in a sentence (q) becomes a
# block of its own and takes the sentence apart. A bar in a cell is not escaped and makes a column, so the cells behind it come under the next heading.
# A list that starts at 5 starts at 1, ticked and open boxes look alike, and the title of a table is gone.
# Seen:   Price5 euroTerm30 days / He said, > yes, twice. in three blocks / |a|b |either| below two headings
# Expected by most: lines of their own, one sentence, two cells.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
html2md = "=0.2.17"
mdka = "=3.3.0"
TOML
cat > src/main.rs <<'RS'
fn main() {
    let pages = [
        "<dl><dt>Price</dt><dd>5 euro</dd><dt>Term</dt><dd>30 days</dd></dl>",
        "<p>He said <q>yes</q> twice.</p>",
        "<table><tr><th>Flag</th><th>Means</th></tr><tr><td>a|b</td><td>either</td></tr></table>",
        "<ol start=\"5\"><li>five</li><li>six</li></ol>",
        "<ul><li><input type=\"checkbox\" checked> paid</li><li><input type=\"checkbox\"> sent</li></ul>",
        "<table><caption>In euro</caption><tr><th>Pen</th></tr><tr><td>2</td></tr></table>",
        "<figure><img src=\"a.png\" alt=\"x\"><figcaption>Sales</figcaption></figure>",
    ];
    for one in pages {
        println!("{one}\n    html2md: {:?}\n    mdka:    {:?}", html2md::parse_html(one), mdka::html_to_markdown(one));
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"html2md"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
<dl><dt>Price</dt><dd>5 euro</dd><dt>Term</dt><dd>30 days</dd></dl>
    html2md: "Price5 euroTerm30 days"
    mdka:    "Price\n\n5 euro\n\nTerm\n\n30 days\n"
<p>He said <q>yes</q> twice.</p>
    html2md: "He said\n> yes\n\n twice."
    mdka:    "He said yes twice.\n"
<table><tr><th>Flag</th><th>Means</th></tr><tr><td>a|b</td><td>either</td></tr></table>
    html2md: "|Flag|Means |\n|----|------|\n|a|b |either|"
    mdka:    "| Flag | Means |\n| --- | --- |\n| a\\|b | either |\n"
<ol start="5"><li>five</li><li>six</li></ol>
    html2md: "1. five\n2. six"
    mdka:    "5. five\n6. six\n"
<ul><li><input type="checkbox" checked> paid</li><li><input type="checkbox"> sent</li></ul>
    html2md: "* paid\n* sent"
    mdka:    "- [x] paid\n- [ ] sent\n"
<table><caption>In euro</caption><tr><th>Pen</th></tr><tr><td>2</td></tr></table>
    html2md: "|Pen|\n|---|\n| 2 |"
    mdka:    "In euro\n\nPen\n\n2\n"
<figure><img src="a.png" alt="x"><figcaption>Sales</figcaption></figure>
    html2md: "![x](a.png)Sales"
    mdka:    "![x](a.png)\n\nSales\n"
END
