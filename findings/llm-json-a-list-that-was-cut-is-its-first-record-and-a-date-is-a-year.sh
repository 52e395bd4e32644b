#!/usr/bin/env bash
# llm_json 1.0.3 (crates.io), repair_json(), a port of json_repair of PyPI; json_repair 0.64.6 (PyPI) given the same.
# Behaviour: a list of records whose closing bracket is missing becomes its first record, without the others and without the list. A list of numbers that was cut
# is kept. A value without quotes is taken up to the first sign that is in no number: a date is a year, and what comes behind it lands under the key "unknown".
# So 12:30 is 12, 10% is 10, and 007 is 0. Quotes in a text end it, and its rest becomes a key.
# Seen:   [{"a":1},{"a":2} = {"a":1} / {"d": 2026-12-01} = {"d":2026,"unknown":1}
# Expected by most: both records / the date as a text.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
llm_json = "=1.0.3"
TOML
cat > src/main.rs <<'RS'
fn main() {
    let texts = [
        r#"[{"a":1},{"a":2}"#, r#"[{"a":1},{"a":2},{"a":3"#, r#"{"rows":[{"a":1},{"a":2}"#, "[1,2", r#"{"d": 2026-12-01}"#, r#"{"t": 12:30}"#,
        r#"{"m": 10%}"#, r#"{"zip": 007}"#, r#"{"p": 19.99€, "q": 2}"#, r#"{"say": "he said "hi" to me", "b": 2}"#,
    ];
    for one in texts {
        println!("{one}\n    llm_json:    {}", llm_json::repair_json(one, &Default::default()).unwrap_or("error".into()));
    }
}
RS
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json_repair==0.64.6
cat > run.py <<'PY'
import json_repair
for one in ['[{"a":1},{"a":2}', '[{"a":1},{"a":2},{"a":3', '{"d": 2026-12-01}', '{"t": 12:30}', '{"m": 10%}', '{"zip": 007}']:
    print(f'json_repair of {one}: {json_repair.repair_json(one)}')
PY
nice -n 19 cargo build --quiet -j1
grep -A1 '"llm_json"' Cargo.lock
nice -n 19 cargo run --quiet > out; env/bin/python run.py >> out; cat out
diff out - <<'END'
[{"a":1},{"a":2}
    llm_json:    {"a":1}
[{"a":1},{"a":2},{"a":3
    llm_json:    {"a":1}
{"rows":[{"a":1},{"a":2}
    llm_json:    {"rows":[{"a":1},{"a":2}]}
[1,2
    llm_json:    [1,2]
{"d": 2026-12-01}
    llm_json:    {"d":2026,"unknown":1}
{"t": 12:30}
    llm_json:    {"t":12,"unknown":30}
{"m": 10%}
    llm_json:    {"m":10,"unknown":"%"}
{"zip": 007}
    llm_json:    {"unknown":7,"zip":0}
{"p": 19.99€, "q": 2}
    llm_json:    {"p":19.99,"q":2,"unknown":"€"}
{"say": "he said "hi" to me", "b": 2}
    llm_json:    {"b":2,"hi\" to me\"":"","say":"he said "}
json_repair of [{"a":1},{"a":2}: [{"a": 1}, {"a": 2}]
json_repair of [{"a":1},{"a":2},{"a":3: [{"a": 1}, {"a": 2}, {"a": 3}]
json_repair of {"d": 2026-12-01}: {"d": "2026-12-01"}
json_repair of {"t": 12:30}: {"t": 12}
json_repair of {"m": 10%}: {"m": 10}
json_repair of {"zip": 007}: {"zip": 7}
END
