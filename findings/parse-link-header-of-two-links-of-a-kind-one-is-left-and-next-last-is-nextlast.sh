#!/usr/bin/env bash
# parse_link_header 0.4.1 (crates.io), parse_with_rel(); the headers are valid by RFC 8288.
# Behaviour: all blanks are taken out, of values in quotes too. A link that is both next and last (rel="next last") is of the kind "nextlast", so it is found
# under neither, and a title is one word. Of two links of one kind, such as two languages of a page, only the last is left. A comma in an address or in a title
# makes the whole header an error, with all other links, and so does REL in capitals.
# Seen:   ["nextlast"] / title "Userguideforbeginners" / alternate: only fr
# Expected by most: next and last / "User guide for beginners" / de and fr.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
parse_link_header = "=0.4.1"
TOML
cat > src/main.rs <<'RS'
fn main() {
    let headers = [
        r#"<https://a.example/?page=2>; rel="next", <https://a.example/?page=9>; rel="last""#,
        r#"<https://a.example/?page=9>; rel="next last""#,
        r#"<https://a.example/1>; rel="help"; title="User guide for beginners""#,
        r#"<https://a.example/de>; rel="alternate"; hreflang="de", <https://a.example/fr>; rel="alternate"; hreflang="fr""#,
        r#"<https://a.example/map?at=47.1,8.5>; rel="next", <https://a.example/?page=9>; rel="last""#,
        r#"<https://a.example/?page=2>; rel="next"; title="Pens, page 2""#,
        r#"<https://a.example/?page=2>; REL="next""#,
    ];
    for one in headers {
        println!("{one}");
        match parse_link_header::parse_with_rel(one) {
            Err(_) => println!("    error"),
            Ok(found) => {
                let mut lines: Vec<_> = found.iter().map(|(kind, link)| {
                    let title = link.params.get("title").map(|text| format!(" title {text:?}")).unwrap_or_default();
                    format!("    {kind:?}: {}{title}", link.raw_uri)
                }).collect();
                lines.sort();
                println!("{}", lines.join("\n"));
            }
        }
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"parse_link_header"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
<https://a.example/?page=2>; rel="next", <https://a.example/?page=9>; rel="last"
    "last": https://a.example/?page=9
    "next": https://a.example/?page=2
<https://a.example/?page=9>; rel="next last"
    "nextlast": https://a.example/?page=9
<https://a.example/1>; rel="help"; title="User guide for beginners"
    "help": https://a.example/1 title "Userguideforbeginners"
<https://a.example/de>; rel="alternate"; hreflang="de", <https://a.example/fr>; rel="alternate"; hreflang="fr"
    "alternate": https://a.example/fr
<https://a.example/map?at=47.1,8.5>; rel="next", <https://a.example/?page=9>; rel="last"
    error
<https://a.example/?page=2>; rel="next"; title="Pens, page 2"
    error
<https://a.example/?page=2>; REL="next"
    error
END
