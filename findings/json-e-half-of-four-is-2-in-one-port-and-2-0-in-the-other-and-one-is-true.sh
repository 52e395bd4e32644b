#!/usr/bin/env bash
# json-e 4.8.4 (npm) and json-e 4.8.4 (PyPI), one and the same template in both.
# Behaviour: the two ports of one version render other texts. What a division gives, and a whole number with a point, is "2" in JavaScript and "2.0" in
# Python. A joined list has the words true and nothing in JavaScript, and True and None in Python. 1 == true is false in JavaScript and true in Python, so
# the other branch is taken. In both, -2 ** 2 is 4.
# Seen:   node-${8 / 4} is node-2 and node-2.0 / a condition "flag == true" with a flag of 1 gives "off" and "on"
# Expected by most: the same text of both, for the template is meant to mean the same everywhere.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund --ignore-scripts json-e@4.8.4 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json-e==4.8.4
cat > template.json <<'JSON'
{"name": "node-${8 / 4}", "path": "/page/${number('3')}", "list": {"$eval": "join([1, 2.0, true, null], '-')"},
 "state": {"$if": "flag == true", "then": "on", "else": "off"}, "known": {"$eval": "1 in [true]"}, "power": {"$eval": "-2 ** 2"}}
JSON
cat > run.cjs <<'JS'
const render = require('json-e');
const made = render(JSON.parse(require('fs').readFileSync('template.json')), { flag: 1 });
for (const key of ['name', 'path', 'list', 'state', 'known', 'power']) console.log(`npm:  ${key} = ${JSON.stringify(made[key])}`);
JS
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
import jsone

print('json-e of PyPI', importlib.metadata.version('json-e'), file=sys.stderr)
made = jsone.render(json.load(open('template.json')), {'flag': 1})
for key in ['name', 'path', 'list', 'state', 'known', 'power']:
    print(f'PyPI: {key} = {json.dumps(made[key])}')
PY
echo "json-e of npm $(node -p "JSON.parse(require('fs').readFileSync('node_modules/json-e/package.json')).version")"
(node run.cjs; env/bin/python run.py) | tee out
diff out - <<'END'
npm:  name = "node-2"
npm:  path = "/page/3"
npm:  list = "1-2-true-"
npm:  state = "off"
npm:  known = false
npm:  power = 4
PyPI: name = "node-2.0"
PyPI: path = "/page/3.0"
PyPI: list = "1-2.0-True-None"
PyPI: state = "on"
PyPI: known = true
PyPI: power = 4
END
