#!/usr/bin/env bash
# json-logic-js 2.0.5 (npm, the reference), json-logic-engine 5.0.7 (npm) and json-logic-qubit 0.9.1 (PyPI): rules as JSON (JsonLogic), which are stored once and applied in a browser and in a server.
# Behaviour: of a hundred rules more than a third had another answer, or an error, in one of the three. In the engine null is equal to 0, so that a field which is not there is a zero; missing finds nothing amiss with an empty text
# or a null, and a list of names that is handed to it comes back whole. In both of npm a field that is not there is less than 5, in Python it is not. An empty object holds in the reference and not in the
# others. In the reference "1,000" + 1 is 2 and null + 1 is no number, in the engine an error and 1. Texts put together have "None" in them in Python.
# Seen:   {"==": [{"var": "gone"}, 0]}: false, true, false / {"<": [{"var": "gone"}, 5]}: true, true, false / missing a, b of {"a": "", "b": null}: both, none, both
# Most would guess: one rule, one answer; at most the remainder of negative numbers is known to differ.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund json-logic-js@2.0.5 json-logic-engine@5.0.7
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check json-logic-qubit==0.9.1
cat > rules.json <<'J'
[[{"<": [{"var": "n"}, 5]}, {"n": 3}], [{"==": [{"var": "gone"}, 0]}, {}], [{"<": [{"var": "gone"}, 5]}, {}], [{"missing": ["a", "b"]}, {"a": "", "b": null}], [{"missing": [["a", "b"]]}, {"a": 1}],
[{"if": [{"var": "o"}, "yes", "no"]}, {"o": {}}], [{"+": ["1,000", 1]}, {}], [{"+": [{"var": "n"}, 1]}, {"n": null}], [{"cat": ["a", null, "b"]}, {}], [{"max": ["10", "9"]}, {}], [{"in": ["", ""]}, {}], [{"%": [-7, 3]}, {}]]
J
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import reference from 'json-logic-js';
import { LogicEngine } from 'json-logic-engine';
const engine = new LogicEngine();
const ask = (find) => { try { const answer = find(); return Number.isNaN(answer) ? 'NaN' : JSON.stringify(answer); } catch { return 'error'; } };
for (const [rule, data] of JSON.parse(readFileSync('rules.json'))) console.log(`${ask(() => reference.apply(rule, data))}, json-logic-engine ${ask(() => engine.run(rule, data))}`);
JS
cat > run.py <<'PY'
import json

from json_logic import jsonLogic

for line, (rule, data) in zip(open('js').read().splitlines(), json.load(open('rules.json'))):
    try:
        answer = json.dumps(jsonLogic(rule, data), separators=(',', ':'))
    except Exception:
        answer = 'error'
    print(f'{json.dumps(rule)} of {json.dumps(data)}: json-logic-js {line}, json-logic-qubit {answer}')
PY
for name in json-logic-js json-logic-engine; do echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json')).version")"; done
env/bin/python -c "import importlib.metadata as m; print('json-logic-qubit', m.version('json-logic-qubit'))"
node run.mjs > js
env/bin/python run.py 2> /dev/null | tee out
diff out - <<'END'
{"<": [{"var": "n"}, 5]} of {"n": 3}: json-logic-js true, json-logic-engine true, json-logic-qubit true
{"==": [{"var": "gone"}, 0]} of {}: json-logic-js false, json-logic-engine true, json-logic-qubit false
{"<": [{"var": "gone"}, 5]} of {}: json-logic-js true, json-logic-engine true, json-logic-qubit false
{"missing": ["a", "b"]} of {"a": "", "b": null}: json-logic-js ["a","b"], json-logic-engine [], json-logic-qubit ["a","b"]
{"missing": [["a", "b"]]} of {"a": 1}: json-logic-js ["b"], json-logic-engine [["a","b"]], json-logic-qubit ["b"]
{"if": [{"var": "o"}, "yes", "no"]} of {"o": {}}: json-logic-js "yes", json-logic-engine "no", json-logic-qubit "no"
{"+": ["1,000", 1]} of {}: json-logic-js 2, json-logic-engine error, json-logic-qubit error
{"+": [{"var": "n"}, 1]} of {"n": null}: json-logic-js NaN, json-logic-engine 1, json-logic-qubit error
{"cat": ["a", null, "b"]} of {}: json-logic-js "ab", json-logic-engine "ab", json-logic-qubit "aNoneb"
{"max": ["10", "9"]} of {}: json-logic-js 10, json-logic-engine error, json-logic-qubit 10
{"in": ["", ""]} of {}: json-logic-js false, json-logic-engine false, json-logic-qubit true
{"%": [-7, 3]} of {}: json-logic-js -1, json-logic-engine -1, json-logic-qubit 2
END
