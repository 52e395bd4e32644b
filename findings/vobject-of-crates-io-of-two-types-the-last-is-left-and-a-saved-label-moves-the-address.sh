#!/usr/bin/env bash
# vobject 0.9.0 (crates.io), parse_component() and write_component(); the card is valid by RFC 2426 and RFC 6350.
# Behaviour: a parameter that is given twice, as in TYPE=work;TYPE=fax, keeps the last value only, so the fax at work is a fax. A parameter in quotes is written
# back without them: after one save a label with a colon ends there, and the rest of the label becomes the start of the address.
# The value of a list has its escapes taken away before it can be split, so that two categories are three.
# Seen:   TEL TYPE=fax / after a save ADR is " Main St 5, Bonn:;;Main St 5;Bonn;;1;" / a,b,c
# Expected by most: work and fax / the same address / a and "b,c".
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
vobject = "=0.9.0"
TOML
cat > src/main.rs <<'RS'
use vobject::{parse_component, write_component};

fn main() {
    let mut text = [
        "BEGIN:VCARD", "VERSION:3.0", "FN:Ann Lee", "TEL;TYPE=work;TYPE=fax:+49 1", "TEL;TYPE=home:+49 2",
        "ADR;LABEL=\"Office: Main St 5, Bonn\":;;Main St 5;Bonn;;1;", "CATEGORIES:a,b\\,c", "END:VCARD", "",
    ].join("\r\n");
    for round in ["as read", "after one save", "after two saves"] {
        let card = match parse_component(&text) {
            Ok(card) => card,
            Err(_) => return println!("{round}: error"),
        };
        println!("{round}");
        for name in ["TEL", "ADR", "CATEGORIES"] {
            for one in card.get_all(name) {
                println!("    {name} {:?}: {:?}", one.params, one.value_as_string());
            }
        }
        text = write_component(&card);
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"vobject"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
as read
    TEL {"TYPE": "fax"}: "+49 1"
    TEL {"TYPE": "home"}: "+49 2"
    ADR {"LABEL": "Office: Main St 5, Bonn"}: ";;Main St 5;Bonn;;1;"
    CATEGORIES {}: "a,b,c"
after one save
    TEL {"TYPE": "fax"}: "+49 1"
    TEL {"TYPE": "home"}: "+49 2"
    ADR {"LABEL": "Office"}: " Main St 5, Bonn:;;Main St 5;Bonn;;1;"
    CATEGORIES {}: "a,b,c"
after two saves
    TEL {"TYPE": "fax"}: "+49 1"
    TEL {"TYPE": "home"}: "+49 2"
    ADR {"LABEL": "Office"}: " Main St 5, Bonn:;;Main St 5;Bonn;;1;"
    CATEGORIES {}: "a,b,c"
END
