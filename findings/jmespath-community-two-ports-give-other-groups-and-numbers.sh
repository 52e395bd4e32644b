#!/usr/bin/env bash
# jmespath-community 1.1.3 (PyPI) and @jmespath-community/jmespath 1.3.0 (npm), two ports of one query language.
# Behaviour: to_number of Python takes "1_000" for 1000, and gives NaN and Infinity for "nan" and "inf", which are no JSON; that of npm takes "0x10" for 16 and an empty text for 0.
# group_by without the field leaves the record out in Python and is an error in npm. "3" * 2 is "33" in Python; contains finds true in a list with 1; -7 % 3 is 2 and -1.
# Seen:   to_number("1_000"): PyPI 1000, npm null / to_number(""): null and 0 / group_by with a record that has no field: left out, and an error
# Expected by most: null for what is no JSON number, and the same from both.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @jmespath-community/jmespath@1.3.0 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jmespath-community==1.1.3
cat > cases.json <<'JSON'
[
  [{"a": "1_000"}, "to_number(a)"], [{"a": " 5 "}, "to_number(a)"], [{"a": "0x10"}, "to_number(a)"], [{"a": ""}, "to_number(a)"], [{"a": "nan"}, "to_number(a)"],
  [{"a": "inf"}, "to_number(a)"], [{"a": "12.5"}, "to_number(a)"], [[{"k": "x"}, {"other": 1}], "group_by(@, &k)"], [{"a": "3", "b": 2}, "a * b"],
  [[1], "contains(@, `true`)"], [{"a": -7}, "a % `3`"], [{"a": 7}, "a // `2`"]
]
JSON
cat > run.cjs <<'JS'
const { search } = require('@jmespath-community/jmespath');
for (const [data, query] of JSON.parse(require('fs').readFileSync('cases.json'))) {
  let got;
  try { got = JSON.stringify(search(data, query)); } catch { got = 'error'; }
  console.log(`${query} of ${JSON.stringify(data)}: npm ${got}`);
}
JS
cat > run.py <<'PY'
import json
import jmespath
for data, query in json.load(open('cases.json')):
    try:
        got = json.dumps(jmespath.search(query, data), separators=(',', ':'))
    except Exception:
        got = 'error'
    print('PyPI', got)
PY
echo "jmespath-community $(env/bin/python -c "import importlib.metadata; print(importlib.metadata.version('jmespath-community'))"), $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@jmespath-community/jmespath/package.json')).version")"
paste -d ' ' <(node run.cjs) <(env/bin/python run.py) | sed 's/ PyPI/, PyPI/' | tee out
diff out - <<'END'
to_number(a) of {"a":"1_000"}: npm null, PyPI 1000
to_number(a) of {"a":" 5 "}: npm 5, PyPI 5
to_number(a) of {"a":"0x10"}: npm 16, PyPI null
to_number(a) of {"a":""}: npm 0, PyPI null
to_number(a) of {"a":"nan"}: npm null, PyPI NaN
to_number(a) of {"a":"inf"}: npm null, PyPI Infinity
to_number(a) of {"a":"12.5"}: npm 12.5, PyPI 12.5
group_by(@, &k) of [{"k":"x"},{"other":1}]: npm error, PyPI {"x":[{"k":"x"}]}
a * b of {"a":"3","b":2}: npm error, PyPI "33"
contains(@, `true`) of [1]: npm false, PyPI true
a % `3` of {"a":-7}: npm -1, PyPI 2
a // `2` of {"a":7}: npm 3, PyPI 3
END
