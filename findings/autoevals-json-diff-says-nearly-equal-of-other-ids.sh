#!/usr/bin/env bash
# autoevals 0.3.0 (npm, on Node 26.10.0 of the npm package node) and 0.4.1 (PyPI), the scores JSONDiff, NumericDiff and ExactMatch, which need no model, default settings.
# Behaviour: JSONDiff takes the distance of two numbers for their likeness: two different ids are 0.99996 equal, though two words that differ are 0 to 1 by their
# letters. A field that is null and a field that is missing are the same. In JavaScript true and false are 0.2 equal (by their letters), in Python 0, and
# True and 1 are 1. NumericDiff has 0 for 0 and a billionth. 1 and "1" are an exact match,
# and an object with its keys in another order is none.
# Seen:   {"id":12345} and {"id":12346}: 0.99996 / {"paid":true} and {"paid":false}: 0.2 in JavaScript, 0 in Python / {"a":null} and {}: 1
# Expected by most: 0 for another id and another truth value, in both languages.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund node@26.10.0 2> /dev/null
export PATH="$dir/node_modules/.bin:$PATH"
npm install --silent --no-audit --no-fund --ignore-scripts autoevals@0.3.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check autoevals==0.4.1
cat > cases.json <<'JSON'
[["JSONDiff", {"id": 12345}, {"id": 12346}], ["JSONDiff", {"id": "ab12"}, {"id": "xy34"}], ["JSONDiff", {"paid": true}, {"paid": false}],
 ["JSONDiff", {"n": true}, {"n": 1}], ["JSONDiff", {"a": null}, {}], ["JSONDiff", [1, 2, 3], [3, 2, 1]], ["NumericDiff", 0.000000001, 0],
 ["NumericDiff", 1000000, 999000], ["ExactMatch", 1, "1"], ["ExactMatch", {"a": 1, "b": 2}, {"b": 2, "a": 1}]]
JSON
cat > run.mjs <<'JS'
import * as scores from 'autoevals';
import fs from 'node:fs';
for (const [name, output, expected] of JSON.parse(fs.readFileSync('cases.json'))) {
  const { score } = await scores[name]({ output, expected });
  console.log(`${name} ${JSON.stringify(output)} ${JSON.stringify(expected)}: ${Number(score.toFixed(5))}`);
}
JS
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import autoevals

print('autoevals', importlib.metadata.version('autoevals'), file=sys.stderr)
for name, output, expected in json.load(open('cases.json')):
    print(f'{getattr(autoevals, name)()(output, expected).score:.5g}')
PY
node run.mjs > js; env/bin/python run.py > py
echo "autoevals $(node -p "JSON.parse(require('fs').readFileSync('node_modules/autoevals/package.json')).version")"
paste -d ' ' js <(sed 's/^/in JavaScript, in Python: /' py) | tee out
diff out - <<'END'
JSONDiff {"id":12345} {"id":12346}: 0.99996 in JavaScript, in Python: 0.99996
JSONDiff {"id":"ab12"} {"id":"xy34"}: 0 in JavaScript, in Python: 0
JSONDiff {"paid":true} {"paid":false}: 0.2 in JavaScript, in Python: 0
JSONDiff {"n":true} {"n":1}: 0 in JavaScript, in Python: 1
JSONDiff {"a":null} {}: 1 in JavaScript, in Python: 1
JSONDiff [1,2,3] [3,2,1]: 0.66667 in JavaScript, in Python: 0.66667
NumericDiff 1e-9 0: 0 in JavaScript, in Python: 0
NumericDiff 1000000 999000: 0.9995 in JavaScript, in Python: 0.9995
ExactMatch 1 "1": 1 in JavaScript, in Python: 1
ExactMatch {"a":1,"b":2} {"b":2,"a":1}: 0 in JavaScript, in Python: 0
END
