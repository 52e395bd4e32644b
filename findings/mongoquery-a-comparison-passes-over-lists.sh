#!/usr/bin/env bash
# mongoquery 1.4.3 (PyPI), MongoDB's filters on plain Python objects, against mingo 7.2.7 (npm), which does what MongoDB does.
# Behaviour: an equal value is found within a list, as in MongoDB, but a comparison is not: scores above 5 passes over [3, 9], and "is not" ($ne, $not) finds lists that hold the value. A field that
# is not there is not null: neither {owner: null} nor $in with null finds it, while $ne null does. True is 1: {done: true} finds done: 1.
# A comparison of a member of listed objects (items.price) finds nothing either.
# Seen:   scores > 5: a of a (9) and b ([3, 9]) / owner null: b of b and c / tags.name not "old": all three, two of which have it / {done: true}: also done: 1
# Expected by most: what MongoDB answers, since only operators are listed as missing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y > /dev/null; npm install --silent --no-audit --no-fund mingo@7.2.7
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mongoquery==1.4.3
cat > cases.json <<'JSON'
{
  "records": [
    {"id": "a", "scores": 9, "owner": "x", "done": true, "tags": [{"name": "old"}], "items": [{"price": 20}]},
    {"id": "b", "scores": [3, 9], "owner": null, "done": 1, "tags": [{"name": "old"}, {"name": "new"}], "items": [{"price": 5}]},
    {"id": "c", "scores": [3], "done": false, "tags": []}
  ],
  "filters": [
    {"scores": 9}, {"scores": {"$gt": 5}}, {"scores": {"$not": {"$gt": 5}}}, {"scores": {"$ne": 9}}, {"owner": null}, {"owner": {"$in": ["x", null]}}, {"owner": {"$ne": null}},
    {"done": true}, {"tags.name": "old"}, {"tags.name": {"$ne": "old"}}, {"items.price": {"$gt": 10}}
  ]
}
JSON
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Query } from 'mingo';
const { records, filters } = JSON.parse(readFileSync('cases.json', 'utf8'));
for (const filter of filters) {
  const query = new Query(filter);
  console.log('mingo:', JSON.stringify(filter), '->', records.filter((each) => query.test(each)).map((each) => each.id).join(' '));
}
JS
cat > run.py <<'PY'
import json
from mongoquery import Query

given = json.load(open('cases.json'))
for each in given['filters']:
    print('mongoquery:', json.dumps(each), '->', *(record['id'] for record in given['records'] if Query(each).match(record)))
PY
env/bin/python -c "import importlib.metadata as m; print('mongoquery', m.version('mongoquery'))"
{ node run.mjs; env/bin/python run.py; } | sed 's/ *$//' | tee out
diff out - <<'END'
mingo: {"scores":9} -> a b
mingo: {"scores":{"$gt":5}} -> a b
mingo: {"scores":{"$not":{"$gt":5}}} -> c
mingo: {"scores":{"$ne":9}} -> c
mingo: {"owner":null} -> b c
mingo: {"owner":{"$in":["x",null]}} -> a b c
mingo: {"owner":{"$ne":null}} -> a
mingo: {"done":true} -> a
mingo: {"tags.name":"old"} -> a b
mingo: {"tags.name":{"$ne":"old"}} -> c
mingo: {"items.price":{"$gt":10}} -> a
mongoquery: {"scores": 9} -> a b
mongoquery: {"scores": {"$gt": 5}} -> a
mongoquery: {"scores": {"$not": {"$gt": 5}}} -> b c
mongoquery: {"scores": {"$ne": 9}} -> b c
mongoquery: {"owner": null} -> b
mongoquery: {"owner": {"$in": ["x", null]}} -> a b
mongoquery: {"owner": {"$ne": null}} -> a c
mongoquery: {"done": true} -> a b
mongoquery: {"tags.name": "old"} -> a b
mongoquery: {"tags.name": {"$ne": "old"}} -> a b c
mongoquery: {"items.price": {"$gt": 10}} ->
END
