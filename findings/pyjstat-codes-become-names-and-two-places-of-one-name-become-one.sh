#!/usr/bin/env bash
# pyjstat 2.4.0 (PyPI): a dataset in JSON-stat is read, made a DataFrame, and written again (Dataset.read, write), default settings; jsonstat-toolkit 2.2.2 (npm) reads what was written.
# Behaviour: the DataFrame has the names of the categories, not their codes, and the written dataset has the names as codes: a program that asks for "A" finds nothing. Two places of one name become one category; all values stay, so
# there are more values than places, and a reader gives the wrong value to the wrong place or none. The status of a value (e: an estimate) and the dimension's name are gone.
# Seen:   A Other 1, B Town 2, C Other 3: codes Other, Town, size [2], value [1, 2, 3]; jsonstat-toolkit: Other 1, Town 2 / status {"1": "e"}: none
# Expected by most: the same dataset, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check pyjstat==2.4.0
npm init -y > /dev/null; npm install --silent --no-audit --no-fund jsonstat-toolkit@2.2.2
cat > run.py <<'PY'
import importlib.metadata
import json
import sys
from pyjstat import pyjstat

print('pyjstat', importlib.metadata.version('pyjstat'), file=sys.stderr)
for name, label in [('two names', {'A': 'North', 'B': 'Town'}), ('one name', {'A': 'Other', 'B': 'Town', 'C': 'Other'})]:
    codes = list(label)
    source = {'version': '2.0', 'class': 'dataset', 'id': ['reg'], 'size': [len(codes)], 'value': list(range(1, len(codes) + 1)), 'status': {'1': 'e'},
              'dimension': {'reg': {'label': 'Region', 'category': {'index': codes, 'label': label}}}}
    table = pyjstat.Dataset.read(json.dumps(source)).write('dataframe')
    print(json.dumps([name, source, json.loads(pyjstat.Dataset.read(table).write())]))
PY
cat > show.mjs <<'JS'
import { readFileSync } from 'node:fs';
import JSONstat from 'jsonstat-toolkit';
for (const line of readFileSync('made.jsonl', 'utf8').trim().split('\n')) {
  const [name, before, after] = JSON.parse(line);
  for (const [when, { id, size, value, status, dimension }] of [['before', before], ['after', after]]) {
    console.log(`${name}, ${when}: size ${JSON.stringify(size)}, value ${JSON.stringify(value)}, status ${JSON.stringify(status)}, ${JSON.stringify(dimension)}`);
  }
  const read = JSONstat(after);
  console.log(`jsonstat-toolkit: ${JSON.stringify(read.toTable({ type: 'arrobj' }))}; reg=A: ${JSON.stringify(read.Data({ reg: 'A' })?.value ?? null)}`);
}
JS
env/bin/python run.py 2> version > made.jsonl
{
  echo "$(cat version) jsonstat-toolkit $(node -p "JSON.parse(require('fs').readFileSync('node_modules/jsonstat-toolkit/package.json')).version")"
  node show.mjs
} | tee out
diff out - <<'END'
pyjstat 2.4.0 jsonstat-toolkit 2.2.2
two names, before: size [2], value [1,2], status {"1":"e"}, {"reg":{"label":"Region","category":{"index":["A","B"],"label":{"A":"North","B":"Town"}}}}
two names, after: size [2], value [1,2], status undefined, {"Region":{"label":"Region","category":{"index":{"North":0,"Town":1},"label":{"North":"North","Town":"Town"}}}}
jsonstat-toolkit: [{"value":1,"Region":"North"},{"value":2,"Region":"Town"}]; reg=A: null
one name, before: size [3], value [1,2,3], status {"1":"e"}, {"reg":{"label":"Region","category":{"index":["A","B","C"],"label":{"A":"Other","B":"Town","C":"Other"}}}}
one name, after: size [2], value [1,2,3], status undefined, {"Region":{"label":"Region","category":{"index":{"Other":0,"Town":1},"label":{"Other":"Other","Town":"Town"}}}}
jsonstat-toolkit: [{"value":1,"Region":"Other"},{"value":2,"Region":"Town"}]; reg=A: null
END
