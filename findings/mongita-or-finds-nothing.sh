#!/usr/bin/env bash
# mongita 1.2.0 (PyPI), a document store in memory or in files with the interface of pymongo; montydb 2.5.6 (PyPI) asked the same.
# Behaviour: operators that mongita does not know within a field are refused with an error. Those at the top of a filter ($or, $and, $nor) are taken for
# the name of a field: the answer is empty, count_documents says 0, delete_many deletes nothing and update_many changes nothing, all without an error.
# A dotted name does not look into lists of objects. A range never matches a number within a list.
# Seen:   {"$or": [{"n": 1}, {"n": 2}]}: none / {"$nor": [{"n": 9}]}: none / {"rows.k": 1}: none
# Expected by most: what montydb finds, which is what MongoDB finds, or an error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mongita==1.2.0 montydb==2.5.6
cat > run.py <<'PY'
import importlib.metadata
import sys
from mongita import MongitaClientMemory
from montydb import MontyClient

print(*(name + ' ' + importlib.metadata.version(name) for name in ('mongita', 'montydb')), file=sys.stderr)
documents = [
    {'_id': 'a', 'n': 1, 'tags': ['x', 'y'], 'rows': [{'k': 1}]},
    {'_id': 'b', 'n': 2, 'tags': ['z'], 'rows': [{'k': 2}]},
    {'_id': 'c', 'n': 3, 'tags': [], 'rows': [], 'sizes': [1, 20]},
]
stores = {'mongita': MongitaClientMemory().db.rows, 'montydb': MontyClient(':memory:').db.rows}
for store in stores.values():
    for one in documents:
        store.insert_one(dict(one))
for wanted in [
    {'n': {'$in': [1, 2]}},
    {'$or': [{'n': 1}, {'n': 2}]},
    {'$and': [{'n': {'$gt': 1}}, {'n': {'$lt': 3}}]},
    {'$nor': [{'n': 3}]},
    {'rows.k': 1},
    {'sizes': {'$gt': 10}},
    {'n': {'$exists': False}},
]:
    print(wanted)
    for name, store in stores.items():
        try:
            print(f'    {name}: {[one["_id"] for one in store.find(wanted)]} {store.count_documents(wanted)}')
        except Exception as error:
            print(f'    {name}: {str(error)[:38]}')
for name, store in stores.items():
    print(name, 'delete_many $or:', store.delete_many({'$or': [{'n': 1}, {'n': 2}]}).deleted_count)
PY
env/bin/python run.py | tee out
diff out - <<'END'
{'n': {'$in': [1, 2]}}
    mongita: ['a', 'b'] 2
    montydb: ['a', 'b'] 2
{'$or': [{'n': 1}, {'n': 2}]}
    mongita: [] 0
    montydb: ['a', 'b'] 2
{'$and': [{'n': {'$gt': 1}}, {'n': {'$lt': 3}}]}
    mongita: [] 0
    montydb: ['b'] 1
{'$nor': [{'n': 3}]}
    mongita: [] 0
    montydb: ['a', 'b'] 2
{'rows.k': 1}
    mongita: [] 0
    montydb: ['a'] 1
{'sizes': {'$gt': 10}}
    mongita: [] 0
    montydb: ['c'] 1
{'n': {'$exists': False}}
    mongita: Mongita does not support '$exists'. Th
    montydb: [] 0
mongita delete_many $or: 0
montydb delete_many $or: 2
END
