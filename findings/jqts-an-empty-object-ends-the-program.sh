#!/usr/bin/env bash
# jqts 0.0.8 (npm), jq in TypeScript, against jq 1.8 (PyPI jq 1.13.0). What its first page does not tick is left out here.
# Behaviour: {} in a program is no empty object but no result at all, as `empty` is, so that what hangs on it vanishes: [{}] is an empty list. Added to an object it empties that.
# Two objects are equal only if their keys stand in the same order. sort_by and group_by take the first key alone.
# "-" * 3 is "-,-,-". Chained defaults (a // b // c) end at false.
# Seen:   {b:1,a:2} == {a:2,b:1}: false / {a:1} + {}: {} / sort_by(.a, .b): not by b / "-" * 3: "-,-,-"
# Expected by most: what jq gives, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jqts@0.0.8
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jq==1.13.0
cat > cases.json <<'JSON'
[
  ["[{}]", null],
  [". + {}", {"a": 1}],
  ["map(. + {} | .id)", [{"id": 1}, {"id": 2}]],
  [". == {a: 2, b: 1}", {"b": 1, "a": 2}],
  ["sort_by(.a, .b)", [{"a": 1, "b": 2}, {"a": 1, "b": 1}]],
  ["group_by(.a, .b) | length", [{"a": 1, "b": 2}, {"a": 1, "b": 1}]],
  ["\"-\" * 3", null],
  [".x // .y // 0", {"x": false}],
  ["[.[] | .n // 0]", [{"n": 1}, {}]]
]
JSON
cat > run.cjs <<'JS'
const { readFileSync } = require('node:fs');
const jq = require('jqts').default;
for (const [program, data] of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  let answer;
  try {
    answer = JSON.stringify(jq.compile(program).evaluate(data)) ?? 'nothing';
  } catch (error) {
    answer = 'an error';
  }
  console.log(program, JSON.stringify(data), '->', answer);
}
JS
cat > run.py <<'PY'
import json
import jq

for program, data in json.load(open('cases.json')):
    print('  jq:', program, '->', ' and '.join(json.dumps(each, separators=(',', ':')) for each in jq.compile(program).input_value(data).all()))
PY
echo "jqts $(node -p "require('./node_modules/jqts/package.json').version")"
{ node run.cjs; env/bin/python run.py; } | tee out
diff out - <<'END'
[{}] null -> [[]]
. + {} {"a":1} -> [{}]
map(. + {} | .id) [{"id":1},{"id":2}] -> [[null,null]]
. == {a: 2, b: 1} {"b":1,"a":2} -> [false]
sort_by(.a, .b) [{"a":1,"b":2},{"a":1,"b":1}] -> [[{"a":1,"b":2},{"a":1,"b":1}]]
group_by(.a, .b) | length [{"a":1,"b":2},{"a":1,"b":1}] -> [1]
"-" * 3 null -> ["-,-,-"]
.x // .y // 0 {"x":false} -> [false]
[.[] | .n // 0] [{"n":1},{}] -> [[1,0]]
  jq: [{}] -> [{}]
  jq: . + {} -> {"a":1}
  jq: map(. + {} | .id) -> [1,2]
  jq: . == {a: 2, b: 1} -> true
  jq: sort_by(.a, .b) -> [{"a":1,"b":1},{"a":1,"b":2}]
  jq: group_by(.a, .b) | length -> 2
  jq: "-" * 3 -> "---"
  jq: .x // .y // 0 -> 0
  jq: [.[] | .n // 0] -> [1,0]
END
