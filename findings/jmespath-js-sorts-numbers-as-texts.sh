#!/usr/bin/env bash
# jmespath 0.16.0 (npm), the query language of several clouds' tools and of MCP servers that filter answers, against jmespath 1.1.0 (PyPI).
# Behaviour: sort() of a list of numbers sorts them as texts in JavaScript, so 100 comes before 9; sort_by(@, &@) of the same list is right, and so is
# max(). [?n > `1`] takes the text "2" for a number there and is a bare TypeError in Python, where the language has no match. to_number of an
# empty text is 0 and of "0x1F" 31, in Python null.
# Seen:   sort: [-5,1,10,100,9], Python [-5,1,9,10,100] / "2" > 1: one match, Python TypeError / to_number(''): 0, Python null
# Expected by most: one language with a published test suite means the same in both, and numbers are sorted as numbers.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jmespath@0.16.0
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jmespath==1.1.0
cat > tried.json <<'JSON'
[["sort(@)", [10, 9, 1, -5, 100]], ["sort_by(@, &@)", [10, 9, 1, -5, 100]], ["max(@)", [10, 9, 1]], ["[?n > `1`]", [{"n": "2"}]], ["[?n < 'b']", [{"n": "abc"}]],
 ["to_number(@)", ""], ["to_number(@)", "0x1F"]]
JSON
cat > run.cjs <<'JS'
const jmespath = require('jmespath');
for (const [program, data] of require('./tried.json')) console.log(program + ' ' + JSON.stringify(jmespath.search(data, program)));
JS
cat > run.py <<'PY'
import json
import jmespath

for program, data in json.load(open('tried.json')):
    try:
        print(program, json.dumps(jmespath.search(program, data), separators=(',', ':')))
    except TypeError:
        print(program, 'TypeError')
PY
echo "jmespath $(node -p "require('jmespath/package.json').version") (npm), $(env/bin/python -c "import importlib.metadata as m; print(m.version('jmespath'))") (PyPI)"
{ echo npm; node run.cjs; echo PyPI; env/bin/python run.py; } | tee out
diff out - <<'END'
npm
sort(@) [-5,1,10,100,9]
sort_by(@, &@) [-5,1,9,10,100]
max(@) 10
[?n > `1`] [{"n":"2"}]
[?n < 'b'] [{"n":"abc"}]
to_number(@) 0
to_number(@) 31
PyPI
sort(@) [-5,1,9,10,100]
sort_by(@, &@) [-5,1,9,10,100]
max(@) 10
[?n > `1`] TypeError
[?n < 'b'] [{"n":"abc"}]
to_number(@) null
to_number(@) null
END
