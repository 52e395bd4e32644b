#!/usr/bin/env bash
# @bufbuild/cel 0.6.1 (npm), Google's Common Expression Language for rules and policies; run() as its first page shows it, beside cel-python 0.5.0 (PyPI, module celpy).
# Behaviour: run() throws for bad syntax only. What goes wrong later (a name or field that is not there, a number of JavaScript beside a whole number of
# the rule) is RETURNED, as an object, and an object is true in an if. So a rule on data without the field, which in CEL has no answer, lets everything pass.
# Each JavaScript number is a "double", so n * 2 is always such an object, while n > 5 works. has(m.a) is false for a field that is there and null.
# Seen:   user.admin == true on a user without it: passes / n * 2 > 100 with n 7: passes / has(m.a) with a: null: false, in cel-python True
# Expected by most: an exception, or a false answer.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @bufbuild/cel@0.6.1
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check cel-python==0.5.0
cat > rules.json <<'JSON'
[
  ["user.admin == true", {"user": {"name": "ann"}}],
  ["user.admin == true", {"user": {"name": "ann", "admin": false}}],
  ["n * 2 > 100", {"n": 7}],
  ["n > 100", {"n": 7}],
  ["size(items) + n > 100", {"items": [1], "n": 7}],
  ["!(role in banned)", {"role": "guest"}],
  ["has(m.a)", {"m": {"a": null}}],
  ["has(m.a)", {"m": {"a": 0}}]
]
JSON
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { isCelError, run } from '@bufbuild/cel';
for (const [rule, data] of JSON.parse(readFileSync('rules.json', 'utf8'))) {
  const answer = run(rule, data);
  const shown = isCelError(answer) ? `an object, "${answer.message}"` : String(answer);
  console.log(`${rule} with ${JSON.stringify(data)}: ${shown}; if (answer): ${answer ? 'passes' : 'stops'}`);
}
JS
cat > run.py <<'PY'
import json
import celpy

for rule, data in json.load(open('rules.json')):
    environment = celpy.Environment()
    try:
        answer = environment.program(environment.compile(rule)).evaluate(celpy.json_to_cel(data))
    except celpy.CELEvalError:
        answer = 'raises'
    print('  cel-python:', rule, str(answer))
PY
echo "@bufbuild/cel $(node -p "require('./node_modules/@bufbuild/cel/package.json').version")"
{ node run.mjs; env/bin/python run.py; } | tee out
diff out - <<'END'
user.admin == true with {"user":{"name":"ann"}}: an object, "field not found: admin"; if (answer): passes
user.admin == true with {"user":{"name":"ann","admin":false}}: false; if (answer): stops
n * 2 > 100 with {"n":7}: an object, "found no matching overload for '_*_' applied to '(double, int)'"; if (answer): passes
n > 100 with {"n":7}: false; if (answer): stops
size(items) + n > 100 with {"items":[1],"n":7}: an object, "found no matching overload for '_+_' applied to '(int, double)'"; if (answer): passes
!(role in banned) with {"role":"guest"}: an object, "unresolved attribute"; if (answer): passes
has(m.a) with {"m":{"a":null}}: false; if (answer): stops
has(m.a) with {"m":{"a":0}}: true; if (answer): passes
  cel-python: user.admin == true raises
  cel-python: user.admin == true False
  cel-python: n * 2 > 100 False
  cel-python: n > 100 False
  cel-python: size(items) + n > 100 False
  cel-python: !(role in banned) raises
  cel-python: has(m.a) True
  cel-python: has(m.a) True
END
