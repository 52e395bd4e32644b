#!/usr/bin/env bash
# @jsonquerylang/jsonquery 5.1.1 (npm) and jsonquerylang 2.1.0 (PyPI), one query language by the same authors.
# Behaviour: in the Python one each comparison of a fraction with a whole number is false: 4.5 > 4, 4.5 < 5 and 5.0 == 5 alike. So a filter for prices above 4 leaves out 4.50, sort leaves
# such a list in its order, and uniq keeps 5 and 5.0. [1, true] is equal to [1, 1] though. groupBy names groups "True" and "None" where JavaScript says "true" and "null";
# -7 % 3 is 2 (JavaScript -1), round of 2.5 is 2 (3), get(-1) is the last item (null), number("1_000") is 1000 (null).
# Seen:   filter(get() > 4) of 4.5, 3, 10: npm 4.5 and 10, PyPI 10 / sort: npm 3, 4.5, 10, PyPI 4.5, 3, 10
# Expected by most: the same answer to the same query, and 4.5 more than 4.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund @jsonquerylang/jsonquery@5.1.1 2> /dev/null
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check jsonquerylang==2.1.0
cat > cases.json <<'JSON'
[
  ["[4.5, 3, 10]", "filter(get() > 4)"],
  ["[4.5, 3, 10]", "sort()"],
  ["[{\"id\": 1, \"price\": 5}, {\"id\": 2, \"price\": 5.0}, {\"id\": 3, \"price\": 6}]", "filter(.price == 5) | map(.id)"],
  ["[4.5, 3, 10]", "filter(get() * 1.0 > 4.0)"],
  ["[4.5, 3, 10]", "map(get() * 1.0) | sort() | map(string(get())) | join(\" \")"],
  ["{\"a\": [1, true]}", ".a == [1, 1]"],
  ["[{\"id\": 1, \"done\": true}, {\"id\": 2, \"done\": null}]", "groupBy(.done) | keys()"],
  ["{\"a\": -7}", ".a % 3"],
  ["{\"a\": 2.5}", "round(.a) | string(get())"],
  ["[1, 2, 3]", "get(-1)"],
  ["{\"a\": \"1_000\"}", "number(.a)"]
]
JSON
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { jsonquery } from '@jsonquerylang/jsonquery';
for (const [data, query] of JSON.parse(readFileSync('cases.json'))) console.log(`${query}: npm ${JSON.stringify(jsonquery(JSON.parse(data), query))}`);
JS
cat > run.py <<'PY'
import json
from jsonquerylang import jsonquery
for data, query in json.load(open('cases.json')):
    print('PyPI', json.dumps(jsonquery(json.loads(data), query), separators=(',', ':')))
PY
echo "jsonquery $(node -p "JSON.parse(require('fs').readFileSync('node_modules/@jsonquerylang/jsonquery/package.json')).version"), $(env/bin/python -c "import importlib.metadata; print(importlib.metadata.version('jsonquerylang'))")"
paste -d ' ' <(node run.mjs) <(env/bin/python run.py) | sed 's/ PyPI/, PyPI/' | tee out
diff out - <<'END'
filter(get() > 4): npm [4.5,10], PyPI [10]
sort(): npm [3,4.5,10], PyPI [4.5,3,10]
filter(.price == 5) | map(.id): npm [1,2], PyPI [1]
filter(get() * 1.0 > 4.0): npm [4.5,10], PyPI [4.5,10]
map(get() * 1.0) | sort() | map(string(get())) | join(" "): npm "3 4.5 10", PyPI "3.0 4.5 10.0"
.a == [1, 1]: npm false, PyPI true
groupBy(.done) | keys(): npm ["true","null"], PyPI ["True","None"]
.a % 3: npm -1, PyPI 2
round(.a) | string(get()): npm "3", PyPI "2.0"
get(-1): npm null, PyPI 3
number(.a): npm null, PyPI 1000.0
END
