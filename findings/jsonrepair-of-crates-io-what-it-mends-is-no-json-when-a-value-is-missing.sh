#!/usr/bin/env bash
# jsonrepair 0.1.0 (crates.io), repair_to_string(); serde_json reads what comes out.
# Behaviour: where a text was cut behind a key, the key stays and its value is nothing, so the mended text is no JSON: {"a":}. The same holds for a number that
# was cut behind its sign. In a text that was cut in the middle a comma ends the text, and the rest becomes a key without a value. There is no error.
# A text with an inch sign loses a blank and takes the bracket behind it, and a percent sign becomes a key.
# Seen:   {"a":"x, y = {"a":"x","y":} / {"n": - = {"n":-} / {"m": 10%} = {"m":10,"%":""}
# Expected by most: JSON that can be read.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
jsonrepair = "=0.1.0"
serde_json = "1"
TOML
cat > src/main.rs <<'RS'
use jsonrepair::{repair_to_string, Options};

fn main() {
    let texts = [
        r#"{"a":1,"b":2"#, r#"{"a""#, r#"{"a":"#, r#"{"a":"pens"#, r#"{"a":"pens, two"#, r#"{"a":"Dear Ann, thank you. We will come at 5"#, r#"{"n": -"#,
        r#"{"rows":[{"a":1},{"a"#, r#"{"m": 10%}"#, r#"{"t": 12:30}"#, r#"{"s": "5" tall"}"#, r#"{"u":"x\u00"#,
    ];
    for one in texts {
        let mended = repair_to_string(one, &Options::default());
        let read = mended.as_ref().map(|text| serde_json::from_str::<serde_json::Value>(text).is_ok()).unwrap_or(false);
        println!("{one}\n    {} {}", mended.unwrap_or("error".into()), if read { "is JSON" } else { "IS NO JSON" });
    }
}
RS
nice -n 19 cargo build --quiet -j1
grep -A1 '"jsonrepair"' Cargo.lock
nice -n 19 cargo run --quiet > out; cat out
diff out - <<'END'
{"a":1,"b":2
    {"a":1,"b":2} is JSON
{"a"
    {"a":} IS NO JSON
{"a":
    {"a":} IS NO JSON
{"a":"pens
    {"a":"pens"} is JSON
{"a":"pens, two
    {"a":"pens","two":} IS NO JSON
{"a":"Dear Ann, thank you. We will come at 5
    {"a":"Dear Ann","thank":"you . We will come at 5"} is JSON
{"n": -
    {"n":-} IS NO JSON
{"rows":[{"a":1},{"a
    {"rows":[{"a":1},{"a":}]} IS NO JSON
{"m": 10%}
    {"m":10,"%":""} is JSON
{"t": 12:30}
    {"t":12,"":30} is JSON
{"s": "5" tall"}
    {"s":"5\"tall\"}"} is JSON
{"u":"x\u00
    {"u":"x00"} is JSON
END
