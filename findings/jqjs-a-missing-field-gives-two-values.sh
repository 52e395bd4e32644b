#!/usr/bin/env bash
# @michaelhomer/jqjs 1.6.0 (npm), jq in plain JavaScript, against jq 1.8 (PyPI jq 1.13.0).
# Behaviour: `//`, which its list of features ticks, does not replace a null: .x // 5 on an object without x gives two results, null and 5. In a list the rows that have
# no value are doubled, so rows no longer match; read as one value, the default never comes. A slice of a list gives no result at all,
# while slices of texts are right. sort_by takes the first key alone; del(.[0]) leaves a null in its place.
# @sh puts the word "string" in place of the value. No call fails.
# Seen:   .x // 5 of {}: null and 5 / [3,1,2] | .[1:]: nothing / del(.[0]): [null,1,2] / "say \(.)" | @sh: 'string'
# Expected by most: 5; [1,2]; [1,2]; the text in quotes.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @michaelhomer/jqjs@1.6.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jq==1.13.0
cat > cases.json <<'JSON'
[
  [".x // 5", {}],
  ["[.[] | .port // 80]", [{"port": 8080}, {"port": null}, {}]],
  [".[1:]", [3, 1, 2]],
  [".[:2]", [3, 1, 2]],
  [".[-1:]", [3, 1, 2]],
  [".[1:3]", "abcd"],
  ["del(.[0])", [3, 1, 2]],
  ["del(.a)", {"a": 1, "b": 2}],
  ["sort_by(.a, .b) | map(.b)", [{"a": 1, "b": 2}, {"a": 1, "b": 1}]],
  ["setpath([\"a\", \"b\"]; 1)", {}],
  ["@sh", "two words"]
]
JSON
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import jq from '@michaelhomer/jqjs';
for (const [program, data] of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  console.log(program, JSON.stringify(data), '->', [...jq.compile(program)(data)].map((each) => JSON.stringify(each)).join(' and '));
}
JS
cat > run.py <<'PY'
import json
import jq

for program, data in json.load(open('cases.json')):
    print('  jq:', program, '->', ' and '.join(json.dumps(each, separators=(',', ':')) for each in jq.compile(program).input_value(data).all()))
PY
echo "@michaelhomer/jqjs $(node -p "JSON.parse(fs.readFileSync('node_modules/@michaelhomer/jqjs/package.json')).version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
.x // 5 {} -> null and 5
[.[] | .port // 80] [{"port":8080},{"port":null},{}] -> [8080,null,80,null,80]
.[1:] [3,1,2] -> 
.[:2] [3,1,2] -> 
.[-1:] [3,1,2] -> 
.[1:3] "abcd" -> "bc"
del(.[0]) [3,1,2] -> [null,1,2]
del(.a) {"a":1,"b":2} -> {"b":2}
sort_by(.a, .b) | map(.b) [{"a":1,"b":2},{"a":1,"b":1}] -> [2,1]
setpath(["a", "b"]; 1) {} -> {"a":{}}
@sh "two words" -> "'string'"
  jq: .x // 5 -> 5
  jq: [.[] | .port // 80] -> [8080,80,80]
  jq: .[1:] -> [1,2]
  jq: .[:2] -> [3,1]
  jq: .[-1:] -> [2]
  jq: .[1:3] -> "bc"
  jq: del(.[0]) -> [1,2]
  jq: del(.a) -> {"b":2}
  jq: sort_by(.a, .b) | map(.b) -> [1,2]
  jq: setpath(["a", "b"]; 1) -> {"a":{"b":1}}
  jq: @sh -> "'two words'"
END
