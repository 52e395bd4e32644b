#!/usr/bin/env bash
# mongomock 4.3.0 (PyPI), a MongoDB in memory for tests and small tools.
# Behaviour: true and 1 are one value, other than in MongoDB. A filter for 1 finds true, $addToSet leaves true out where 1 stands, $pull of true takes
# the ones away too, and distinct has both as one. $count of no records gives a row with 0, where MongoDB gives no row; $strcasecmp of a and B is 1
# instead of -1.
# Seen:   {n: 1} finds 7 / set: [1] / list: [0, False] / [{'rows': 0}] / 1
# Expected by most: nothing; [1, True]; [1, 0, False]; no row; -1.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
python3 -m venv env; env/bin/pip install --quiet --disable-pip-version-check mongomock==4.3.0
cat > run.py <<'PY'
import importlib.metadata
import mongomock

print('mongomock', importlib.metadata.version('mongomock'))
records = mongomock.MongoClient().test.records
records.insert_many([{'_id': 7, 'n': True, 'set': [1], 'list': [1, True, 0, False]}, {'_id': 8, 'n': 5}])
print('n is 1:', [one['_id'] for one in records.find({'n': 1})])
records.update_one({'_id': 7}, {'$addToSet': {'set': True}})
records.update_one({'_id': 7}, {'$pull': {'list': True}})
print('set and list:', records.find_one({'_id': 7})['set'], records.find_one({'_id': 7})['list'])
records.insert_one({'_id': 9, 'n': 1})
print('distinct values of n:', len(records.distinct('n')))
print('count of no records:', list(records.aggregate([{'$match': {'n': 999}}, {'$count': 'rows'}])))
print('a and B:', list(records.aggregate([{'$match': {'_id': 7}}, {'$project': {'_id': 0, 'order': {'$strcasecmp': ['a', 'B']}}}])))
print('n is 1 and a number:', [one['_id'] for one in records.find({'n': {'$eq': 1, '$type': 'number'}})])
PY
env/bin/python run.py | tee out
diff out - <<'END'
mongomock 4.3.0
n is 1: [7]
set and list: [1] [0, False]
distinct values of n: 2
count of no records: [{'rows': 0}]
a and B: [{'order': 1}]
n is 1 and a number: [9]
END
